//! What a run with induction notes of each loop: which places it may modify, what stands for their values at
//! the start of any iteration, and which values they have where an iteration really starts.
//!
//! Invariant: a predicate over the places' variables, and others that do not change in the loop, that is true
//! of the values of all arrivals, if it is assumed where the path of the arbitrary state is taken, holds at
//! the start of every iteration of every run that violates nothing before.

use kripke_elts::{FunctionId, Id, Type, VariableId};
use kripke_smt::{Op, Sort, TermId};
use rustc_hash::FxHashSet;

use crate::contents::{Cell, Contents, Initialised};
use crate::engine::Engine;
use crate::kinduction::Modified;
use crate::object::ObjectId;
use crate::path::PathId;
use crate::record::Event;
use crate::state::State;
use crate::value::{Target, Value};

/// Where a value that a loop modifies is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// In a variable of the function.
    Variable(VariableId),
    /// In memory.
    Cell {
        /// In which object,
        object: ObjectId,
        /// how many bytes from its start,
        offset: u64,
        /// and of which type.
        ty: Type,
    },
}

/// Which part of a value the variable of a place stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A number.
    Whole,
    /// The bits of a float.
    Bits,
    /// The offset of a pointer that certainly has this target, without so many low bits, which are zero.
    Offset(Target, u32),
    /// Whether all bytes of a cell were written.
    Written,
}

/// A place that a loop may modify.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub location: Location,
    pub part: Part,
    /// Its value at the start of any iteration.
    pub variable: TermId,
}

/// An iteration starts: the first one, or the one after an arbitrary one.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    /// When.
    pub path: TermId,
    /// What each place holds; `None` where it cannot be told.
    pub values: Vec<Option<TermId>>,
}

/// A loop that is treated by induction, entered in one way.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub function: FunctionId,
    /// Its number in the function's graph.
    pub of: u32,
    /// Names the call and the iterations of the loops around it.
    pub key: Vec<u32>,
    /// The path of the arbitrary state.
    pub arbitrary: TermId,
    pub places: Vec<Place>,
    pub arrivals: Vec<Arrival>,
    /// How many inputs had been read before it was entered.
    pub events_before: usize,
    /// What does not change in the loop, as far as it was seen.
    pub stable: Vec<TermId>,
}

impl Head {
    /// The variables that keep their value while the loop runs: those that stood in the state in which it was
    /// entered, and the inputs read before.
    pub fn stable_variables(&self, engine: &Engine<'_>) -> FxHashSet<TermId> {
        let mut stable: FxHashSet<TermId> = engine.terms.variables_of(&self.stable).into_iter().collect();
        for event in engine.run.record.events.iter().take(self.events_before) {
            if let Event::Input { value, .. } | Event::Local { value, .. } = event {
                stable.insert(*value);
            }
        }
        stable
    }
}

impl Engine<'_> {
    /// Notes a loop, what it may modify, and the state in which it is entered.
    pub(crate) fn note_head(
        &mut self,
        function: FunctionId,
        of: u32,
        key: &[u32],
        arbitrary: PathId,
        modified: &Modified,
        entry: &State,
    ) {
        let places = self.places(modified);
        let mut stable = vec![self.run.paths.term(entry.path)];
        entry.frame.for_each(&mut |_, value| {
            if let Value::Term(term) = value {
                stable.push(*term);
            }
        });
        let arrivals = vec![self.arrival(&places, entry)];
        let context = self.top().context;
        self.run.record.heads.push(Head {
            function,
            of,
            key: [&[context], &key[..key.len() - 2]].concat(),
            arbitrary: self.run.paths.term(arbitrary),
            places,
            arrivals,
            events_before: self.run.record.events.len(),
            stable,
        });
    }

    /// Notes that the iteration after an arbitrary one starts.
    pub(crate) fn note_next_iteration(&mut self, prefix: &[u32], state: &State) {
        let key = [&[self.top().context], prefix].concat();
        let Some(index) = self.run.record.heads.iter().rposition(|head| head.key == key) else {
            return;
        };
        let places = self.run.record.heads[index].places.clone();
        let arrival = self.arrival(&places, state);
        self.run.record.heads[index].arrivals.push(arrival);
    }

    /// The modified places of which predicates can speak.
    fn places(&self, modified: &Modified) -> Vec<Place> {
        let mut places = Vec::new();
        for (variable, value) in &modified.variables {
            let location = Location::Variable(VariableId::new(*variable as usize));
            places.extend(self.modified_place(location, value));
        }
        for ((object, offset), cell) in &modified.cells {
            let location = Location::Cell {
                object: *object,
                offset: *offset,
                ty: self.cell_type(&cell.value),
            };
            places.extend(self.modified_place(location, &cell.value));
            places.extend(self.written_place(location, cell));
        }
        places
    }

    /// What stands for a place's value, if predicates can speak of it.
    fn modified_place(&self, location: Location, value: &Value) -> Option<Place> {
        let is_variable = |term| matches!(self.terms.op(term), Op::Variable(_));
        let (part, variable) = match value {
            Value::Term(term) => match (self.terms.op(*term), self.terms.children(*term)) {
                (Op::Variable(_), _) => (Part::Whole, *term),
                (Op::FpFromBits(_), [bits]) => (Part::Bits, *bits),
                _ => return None,
            },
            Value::Pointer(pointer) => {
                let [case] = &pointer.cases[..] else { return None };
                match (self.terms.op(case.offset), self.terms.children(case.offset)) {
                    (Op::Variable(_), _) => (Part::Offset(case.target, 0), case.offset),
                    (Op::BvConcat, [high, low]) if self.terms.is_const(*low) => {
                        (Part::Offset(case.target, self.terms.width(*low)), *high)
                    }
                    _ => return None,
                }
            }
        };
        is_variable(variable).then_some(Place {
            location,
            part,
            variable,
        })
    }

    /// What stands for whether the bytes of a cell were written.
    fn written_place(&self, location: Location, cell: &Cell) -> Option<Place> {
        match cell.initialised {
            Initialised::Whole(variable) if matches!(self.terms.op(variable), Op::Variable(_)) => {
                let part = Part::Written;
                Some(Place {
                    location,
                    part,
                    variable,
                })
            }
            _ => None,
        }
    }

    /// What the places hold in a state at the head of the loop.
    fn arrival(&mut self, places: &[Place], state: &State) -> Arrival {
        let values = places
            .iter()
            .map(|place| {
                let (value, written) = self.value_at(place.location, state)?;
                match place.part {
                    Part::Written => Some(written),
                    _ => self.part_of(place, &value),
                }
            })
            .collect();
        Arrival {
            path: self.run.paths.term(state.path),
            values,
        }
    }

    fn value_at(&mut self, location: Location, state: &State) -> Option<(Value, TermId)> {
        match location {
            Location::Variable(variable) => Some((self.read_variable(state, variable), self.terms.true_())),
            Location::Cell { object, offset, ty } => {
                let found = state.memory.get(object.key())?.clone();
                match &found.contents {
                    Contents::Cells(cells) => {
                        let (value, written) = self.read_cells(state, object, cells, offset, ty);
                        Some((value, written.all(&mut self.terms)))
                    }
                    Contents::Array(_) => None,
                }
            }
        }
    }

    fn part_of(&mut self, place: &Place, value: &Value) -> Option<TermId> {
        match (place.part, value) {
            (Part::Whole, Value::Term(term)) => Some(*term),
            (Part::Bits, Value::Term(term)) => match self.terms.sort(*term) {
                Sort::Float(_) => Some(self.terms.fp_to_bits(*term)),
                _ => None,
            },
            (Part::Offset(target, zeros), Value::Pointer(pointer)) => match &pointer.cases[..] {
                [case] if case.target == target => {
                    let high = self.terms.width(case.offset) - 1;
                    Some(self.terms.bv_extract(case.offset, high, zeros))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
