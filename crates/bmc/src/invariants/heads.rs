//! What a run with induction notes of each loop: which places and arrays it may modify, what stands for their
//! values at the start of any iteration, and which values they have where an iteration really starts.
//!
//! Invariant: a predicate over the places' variables, and others that do not change in the loop, that is true
//! of the values of all arrivals, if it is assumed where the path of the arbitrary state is taken, holds at
//! the start of every iteration of every run that violates nothing before.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use kripke_elts::{FunctionId, Id, Type, VariableId};
use kripke_smt::{Op, Sort, TermId};
use rustc_hash::FxHashSet;

use crate::contents::{Cell, Contents, Initialised};
use crate::engine::Engine;
use crate::invariants::individuals::{Individuals, SummaryPlace};
use crate::invariants::samples::Sample;
use crate::kinduction::Modified;
use crate::object::ObjectId;
use crate::path::PathId;
use crate::record::Event;
use crate::state::State;
use crate::value::{Pointer, Target, Value};

/// How many terms make a path a long one.
const LONG_PATH: usize = 4000;

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
    /// The offset of a pointer where it has this target, without so many low bits, which are zero; elsewhere
    /// zero.
    Offset(Target, u32),
    /// Whether a pointer has this target and none before it.
    Target(Target),
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

/// An object that a loop may modify as an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayPlace {
    pub object: ObjectId,
    /// The elements say which bytes were written, and not what these hold.
    pub tells_written: bool,
    /// Its elements at the start of any iteration.
    pub variable: TermId,
}

/// An iteration starts: the first one, or the one after an arbitrary one.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    /// When.
    pub path: TermId,
    /// What each place holds; `None` where it cannot be told.
    pub values: Vec<Option<TermId>>,
    /// The same of each array,
    pub arrays: Vec<Option<TermId>>,
    /// and of what is modified of summaries.
    pub summaries: Vec<Option<TermId>>,
}

impl Arrival {
    /// What places, arrays and summaries hold, in the order of [`Head::variables`].
    pub fn held(&self) -> impl Iterator<Item = Option<TermId>> {
        let values = self.values.iter().chain(&self.arrays);
        values.chain(&self.summaries).copied()
    }
}

/// A loop that is treated by induction, entered in one way.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub function: FunctionId,
    /// Its number in the function's graph.
    pub of: u32,
    /// Names the call and the iterations of the loops around it.
    pub key: Vec<u32>,
    /// The path of the arbitrary state,
    pub arbitrary: TermId,
    /// and what is true where the loop is entered as it is.
    pub real: Option<TermId>,
    pub places: Vec<Place>,
    /// What it modifies beside these, as arrays.
    pub arrays: Vec<ArrayPlace>,
    /// What it modifies of summaries,
    pub summaries: Vec<SummaryPlace>,
    /// and what the arbitrary state has of them.
    pub individuals: Rc<Individuals>,
    /// All targets that pointers which have places may have.
    targets: Vec<(Location, Vec<Target>)>,
    pub arrivals: Vec<Arrival>,
    /// How many inputs had been read before it was entered,
    pub events_before: usize,
    /// and how many heads there were.
    heads_before: usize,
    /// What does not change in the loop, as far as it was seen.
    pub stable: Vec<TermId>,
    /// Offsets of pointers that the function's variables held when it was entered.
    pub entry_offsets: BTreeSet<(Target, TermId)>,
    /// What concrete runs were seen to hold there.
    pub samples: Rc<Vec<Sample>>,
    /// Found when it is first asked for.
    known: Known,
}

/// What is asked of a head again and again, and takes a walk over long paths.
#[derive(Clone, Debug, Default)]
struct Known {
    stable: OnceCell<Rc<FxHashSet<TermId>>>,
    has_long_path: OnceCell<bool>,
}

/// What a head has beside its places.
#[derive(Clone, Copy)]
struct Parts<'h> {
    targets: &'h [(Location, Vec<Target>)],
    arrays: &'h [ArrayPlace],
    summaries: &'h [SummaryPlace],
}

/// Two members of an object, by their offsets, the smaller one first.
pub(crate) type Members = (ObjectId, u64, u64);

impl Head {
    /// Two places as members of one object.
    pub fn members(&self, a: usize, b: usize) -> Option<Members> {
        match (self.places[a].location, self.places[b].location) {
            (
                Location::Cell { object, offset, .. },
                Location::Cell {
                    object: other,
                    offset: another,
                    ..
                },
            ) if object == other => Some((object, offset.min(another), offset.max(another))),
            _ => None,
        }
    }

    /// What stands for places, for arrays and for summaries.
    pub fn variables(&self) -> impl Iterator<Item = TermId> {
        let places = self.places.iter().map(|place| place.variable);
        let arrays = self.arrays.iter().map(|array| array.variable);
        let summaries = self.summaries.iter().map(|place| place.variable);
        places.chain(arrays).chain(summaries)
    }

    /// Can predicates say anything of it that the program does not say itself?
    pub fn is_speakable(&self) -> bool {
        !self.places.is_empty()
    }

    /// The variables that keep their value while the loop runs: those that stood in the state in which it was
    /// entered, those of the arbitrary states of loops that were entered before, and the inputs read before.
    pub fn stable_variables(&self, engine: &Engine<'_>) -> Rc<FxHashSet<TermId>> {
        let stable = self.known.stable.get_or_init(|| {
            let offsets = self.entry_offsets.iter().map(|(_, offset)| *offset);
            let terms: Vec<TermId> = self.stable.iter().copied().chain(offsets).collect();
            let mut stable: FxHashSet<TermId> = engine.terms.variables_of(&terms).into_iter().collect();
            for event in engine.run.record.events.iter().take(self.events_before) {
                if let Event::Input { value, .. } | Event::Local { value, .. } = event {
                    stable.insert(*value);
                }
            }
            for before in engine.run.record.heads.iter().take(self.heads_before) {
                stable.extend(before.variables());
            }
            Rc::new(stable)
        });
        stable.clone()
    }

    /// Are the paths of later arrivals made of many terms?
    pub fn has_long_path(&self, engine: &Engine<'_>) -> bool {
        *self.known.has_long_path.get_or_init(|| {
            let later = self.arrivals.iter().skip(1).map(|arrival| arrival.path);
            let later: Vec<TermId> = later.collect();
            engine.terms.reachable(&later).len() > LONG_PATH
        })
    }
}

impl Engine<'_> {
    /// Notes a loop, what it may modify, and the state in which it is entered.
    pub(crate) fn note_head(
        &mut self,
        (function, of): (FunctionId, u32),
        key: &[u32],
        (arbitrary, real): (PathId, TermId),
        (modified, any_state): (&Modified, &State),
        entry: &State,
    ) {
        let graph = self.graphs.get(self.program, function);
        let live = &graph.live[graph.loops[of as usize].head.index()];
        let individuals = self.individuals_in(any_state, &|variable| live.contains(variable));
        let (places, targets) = self.places(modified);
        let parts = Parts {
            targets: &targets,
            arrays: &array_places(modified),
            summaries: &self.summary_places(modified),
        };
        let mut stable = vec![self.run.paths.term(entry.path)];
        entry.memory.for_each(&mut |_, object| match &object.contents {
            Contents::Array(array) => {
                stable.push(array.data);
                stable.extend(array.initialised);
            }
            Contents::Summary(summary) => stable.extend(summary.terms()),
            Contents::Cells(_) => {}
        });
        let mut entry_offsets = BTreeSet::new();
        entry.frame.for_each(&mut |_, value| match value {
            Value::Term(term) => stable.push(*term),
            Value::Pointer(pointer) => {
                entry_offsets.extend(pointer.cases.iter().map(|case| (case.target, case.offset)));
                for case in &pointer.cases {
                    if let Some(individual) = case.individual {
                        stable.extend([case.guard, individual]);
                    }
                }
            }
        });
        let arrivals = vec![self.arrival(&places, parts, entry)];
        let (arrays, summaries) = (parts.arrays.to_vec(), parts.summaries.to_vec());
        let context = self.top().context;
        self.run.record.heads.push(Head {
            function,
            of,
            key: [&[context], &key[..key.len() - 2]].concat(),
            arbitrary: self.run.paths.term(arbitrary),
            real: Some(real),
            places,
            arrays,
            summaries,
            individuals: Rc::new(individuals),
            targets,
            arrivals,
            events_before: self.run.record.events.len(),
            heads_before: self.run.record.heads.len(),
            stable,
            entry_offsets,
            samples: Rc::default(),
            known: Known::default(),
        });
    }

    /// Notes one of several abstract states at a loop's head; its number.
    pub(crate) fn note_abstract_head(
        &mut self,
        function: FunctionId,
        of: u32,
        number: u32,
        path: PathId,
        modified: &Modified,
    ) -> usize {
        let (places, targets) = self.places(modified);
        self.run.record.heads.push(Head {
            function,
            of,
            key: vec![number],
            arbitrary: self.run.paths.term(path),
            real: None,
            places,
            arrays: Vec::new(),
            summaries: Vec::new(),
            individuals: Rc::default(),
            targets,
            arrivals: Vec::new(),
            events_before: 0,
            heads_before: 0,
            stable: Vec::new(),
            entry_offsets: BTreeSet::new(),
            samples: Rc::default(),
            known: Known::default(),
        });
        self.run.record.heads.len() - 1
    }

    /// Notes that a state comes to it.
    pub(crate) fn note_abstract_arrival(&mut self, number: usize, state: &State) {
        let arrival = self.arrival_at(number, state);
        self.run.record.heads[number].arrivals.push(arrival);
    }

    /// Notes that the iteration after an arbitrary one starts.
    pub(crate) fn note_next_iteration(&mut self, prefix: &[u32], state: &State) {
        let key = [&[self.top().context], prefix].concat();
        let Some(index) = self.run.record.heads.iter().rposition(|head| head.key == key) else {
            return;
        };
        let arrival = self.arrival_at(index, state);
        self.run.record.heads[index].arrivals.push(arrival);
    }

    /// What is held in a state that comes to a head of the record.
    fn arrival_at(&mut self, index: usize, state: &State) -> Arrival {
        let head = &self.run.record.heads[index];
        let (places, targets) = (head.places.clone(), head.targets.clone());
        let (arrays, summaries) = (head.arrays.clone(), head.summaries.clone());
        let parts = Parts {
            targets: &targets,
            arrays: &arrays,
            summaries: &summaries,
        };
        self.arrival(&places, parts, state)
    }

    /// The modified places of which predicates can speak, and the targets of the pointers among them.
    fn places(&self, modified: &Modified) -> (Vec<Place>, Vec<(Location, Vec<Target>)>) {
        let mut places = Vec::new();
        let mut targets = Vec::new();
        let mut add = |location, value: &Value| {
            places.extend(self.modified_places(location, value));
            if let Value::Pointer(pointer) = value {
                targets.push((location, pointer.cases.iter().map(|case| case.target).collect()));
            }
        };
        for (variable, value) in &modified.variables {
            add(Location::Variable(VariableId::new(*variable as usize)), value);
        }
        let mut written = Vec::new();
        for ((object, offset), cell) in &modified.cells {
            let location = Location::Cell {
                object: *object,
                offset: *offset,
                ty: self.cell_type(&cell.value),
            };
            add(location, &cell.value);
            written.extend(self.written_place(location, cell));
        }
        for (object, offset, ty, variable) in modified.fields() {
            let location = Location::Cell { object, offset, ty };
            places.extend(self.modified_places(location, &Value::Term(variable)));
        }
        places.extend(written);
        (places, targets)
    }

    /// What stands for the parts of a place's value, where predicates can speak of them.
    fn modified_places(&self, location: Location, value: &Value) -> Vec<Place> {
        let place = |part, variable| Place {
            location,
            part,
            variable,
        };
        let mut places = Vec::new();
        match value {
            Value::Term(term) => match (self.terms.op(*term), self.terms.children(*term)) {
                (Op::Variable(_), _) => places.push(place(Part::Whole, *term)),
                (Op::FpFromBits(_), [bits]) => places.push(place(Part::Bits, *bits)),
                _ => {}
            },
            Value::Pointer(pointer) => {
                for (case, choice) in pointer.cases.iter().zip(self.chosen_by(pointer)) {
                    if let Some(choice) = choice {
                        places.push(place(Part::Target(case.target), choice));
                    }
                    match (self.terms.op(case.offset), self.terms.children(case.offset)) {
                        (Op::Variable(_), _) => places.push(place(Part::Offset(case.target, 0), case.offset)),
                        (Op::BvConcat, [high, low]) if self.terms.is_const(*low) => {
                            let zeros = self.terms.width(*low);
                            places.push(place(Part::Offset(case.target, zeros), *high));
                        }
                        _ => {}
                    }
                }
            }
        }
        let is_variable = |place: &Place| matches!(self.terms.op(place.variable), Op::Variable(_));
        places.retain(is_variable);
        places
    }

    /// For each case of an arbitrary pointer the variable that chooses it where none before it is chosen; the
    /// last is what is left. Nothing for pointers of another form.
    fn chosen_by(&self, pointer: &Pointer) -> Vec<Option<TermId>> {
        let mut known = FxHashSet::default();
        let mut choices = Vec::new();
        for (index, case) in pointer.cases.iter().enumerate() {
            let mut new = self.terms.variables_of(&[case.guard]);
            new.retain(|variable| known.insert(*variable));
            let is_last = index + 1 == pointer.cases.len();
            let is_conjunct = |choice| {
                let conjuncts = self.terms.children(case.guard);
                case.guard == choice || self.terms.op(case.guard) == Op::And && conjuncts.contains(&choice)
            };
            match new[..] {
                [] if is_last => choices.push(None),
                [choice] if !is_last && is_conjunct(choice) => choices.push(Some(choice)),
                _ => return Vec::new(),
            }
        }
        choices
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
    fn arrival(&mut self, places: &[Place], parts: Parts<'_>, state: &State) -> Arrival {
        let values = places
            .iter()
            .map(|place| {
                let (value, written) = self.value_at(place.location, state)?;
                match place.part {
                    Part::Written => Some(written),
                    _ => {
                        let known = parts
                            .targets
                            .iter()
                            .find(|(location, _)| *location == place.location);
                        let known = known.map_or(&[][..], |(_, targets)| targets);
                        self.part_of(place, &value, known)
                    }
                }
            })
            .collect();
        Arrival {
            path: self.run.paths.term(state.path),
            values,
            arrays: parts
                .arrays
                .iter()
                .map(|place| self.array_at(place, state))
                .collect(),
            summaries: parts
                .summaries
                .iter()
                .map(|place| self.held_of_summary(place, state))
                .collect(),
        }
    }

    /// The elements of an array, where its object has such elements in that state.
    fn array_at(&mut self, place: &ArrayPlace, state: &State) -> Option<TermId> {
        let Sort::Array { element, .. } = self.terms.sort(place.variable) else {
            return None;
        };
        let contents = state.memory.get(place.object.key())?.contents.clone();
        let array = match (contents, place.tells_written) {
            (Contents::Array(array), _) => array,
            (Contents::Summary(_), _) => return None,
            (Contents::Cells(cells), tells_written) => {
                let bytes = if tells_written { element } else { element / 8 };
                self.array_of(state, place.object, &cells, u64::from(bytes))
            }
        };
        let value = match place.tells_written {
            true => self.written_map(&array),
            false => array.data,
        };
        (self.terms.sort(value) == self.terms.sort(place.variable)).then_some(value)
    }

    pub(super) fn value_at(&mut self, location: Location, state: &State) -> Option<(Value, TermId)> {
        match location {
            Location::Variable(variable) => Some((self.read_variable(state, variable), self.terms.true_())),
            Location::Cell { object, offset, ty } => {
                let found = state.memory.get(object.key())?.clone();
                match &found.contents {
                    Contents::Cells(cells) => {
                        let (value, written) = self.read_cells(state, object, cells, offset, ty);
                        Some((value, written.all(&mut self.terms)))
                    }
                    Contents::Array(array) => {
                        let Type::Int(width) = ty else { return None };
                        let extent = (offset, u64::from(width / 8));
                        let (bits, written) = self.number_in_array(state, array, extent);
                        Some((Value::Term(bits), written))
                    }
                    Contents::Summary(_) => None,
                }
            }
        }
    }

    /// The part of a value for which a place stands. A pointer to what the arbitrary one never points to has
    /// none.
    fn part_of(&mut self, place: &Place, value: &Value, known: &[Target]) -> Option<TermId> {
        match (place.part, value) {
            (Part::Whole, Value::Term(term)) => Some(*term),
            (Part::Bits, Value::Term(term)) => match self.terms.sort(*term) {
                Sort::Float(_) => Some(self.terms.fp_to_bits(*term)),
                _ => None,
            },
            (_, Value::Pointer(pointer)) => {
                let is_known = pointer.cases.iter().all(|case| known.contains(&case.target));
                is_known
                    .then(|| self.part_of_pointer(place.part, pointer))
                    .flatten()
            }
            _ => None,
        }
    }

    fn part_of_pointer(&mut self, part: Part, pointer: &Pointer) -> Option<TermId> {
        let case_of = |target| pointer.cases.iter().find(|case| case.target == target).copied();
        match part {
            Part::Target(target) => {
                let case = case_of(target);
                Some(case.map_or_else(|| self.terms.false_(), |case| case.guard))
            }
            Part::Offset(target, zeros) => {
                let nothing = self.terms.bv_u64(self.pointer_width - zeros, 0);
                Some(case_of(target).map_or(nothing, |case| {
                    let high = self.terms.width(case.offset) - 1;
                    let offset = self.terms.bv_extract(case.offset, high, zeros);
                    self.terms.ite(case.guard, offset, nothing)
                }))
            }
            _ => None,
        }
    }
}

/// What stands for the elements of the objects that a loop modifies as arrays.
fn array_places(modified: &Modified) -> Vec<ArrayPlace> {
    let mut places = Vec::new();
    for (object, array) in modified.any_arrays() {
        let mut add = |tells_written, variable| {
            places.push(ArrayPlace {
                object,
                tells_written,
                variable,
            });
        };
        add(false, array.data);
        if let Some(written) = array.initialised {
            add(true, written);
        }
    }
    places
}
