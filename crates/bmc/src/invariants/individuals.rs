//! What stands for summaries at the head of a loop, and for pointers into them.
//!
//! Idea: the arrays of a summary and the individuals that pointers name are variables of the head as its
//! places are, but no numbers of the program, so only what is said of individuals ([`super::lists`]) speaks
//! of them.

use std::collections::BTreeMap;
use std::rc::Rc;

use kripke_elts::{Id, VariableId};
use kripke_smt::{Op, TermId};

use crate::contents::Contents;
use crate::engine::Engine;
use crate::invariants::heads::Location;
use crate::kinduction::Modified;
use crate::object::ObjectId;
use crate::state::State;
use crate::summary::{Field, INDIVIDUAL_BITS, Summary};
use crate::value::{Pointer, Target, Value};

/// Which part of a summary, or of a pointer into one, a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SummaryPart {
    /// How many individuals there are.
    Count(ObjectId),
    /// Which of them were freed.
    Freed(ObjectId),
    /// Part of a field: of which summary, at which offset, of how many bytes, whether it is a pointer.
    Field(ObjectId, u64, (u32, bool), FieldPart),
    /// Whether an object by itself was freed.
    ObjectFreed(ObjectId),
    /// The individual that a pointer names where it has this target; elsewhere the first.
    Individual(Location, Target),
}

/// Which array of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldPart {
    Data,
    Written,
    Codes,
    Individuals,
}

impl FieldPart {
    const ALL: [FieldPart; 4] = [
        FieldPart::Data,
        FieldPart::Written,
        FieldPart::Codes,
        FieldPart::Individuals,
    ];

    fn of(self, field: &Field) -> Option<TermId> {
        let pointers = field.pointers.as_ref();
        match self {
            FieldPart::Data => Some(field.data),
            FieldPart::Written => Some(field.written),
            FieldPart::Codes => pointers.map(|pointers| pointers.codes),
            FieldPart::Individuals => pointers.map(|pointers| pointers.individuals),
        }
    }
}

/// What a loop may modify of a summary, or which individual of it a pointer names.
#[derive(Clone, Debug)]
pub(crate) struct SummaryPlace {
    pub part: SummaryPart,
    /// The targets that a field may have there, by their numbers: others are not told from them.
    targets: Rc<[u32]>,
    /// Its value at the start of any iteration.
    pub variable: TermId,
}

/// What the arbitrary state at a head has of summaries, modified or not.
#[derive(Debug, Default)]
pub(crate) struct Individuals {
    pub summaries: BTreeMap<ObjectId, Rc<Summary>>,
    /// Objects by themselves that may have been freed, and when they were.
    pub freed: BTreeMap<ObjectId, TermId>,
    /// Pointers into any of these that the program may still use.
    pub pointers: Vec<Pointer>,
}

impl Individuals {
    fn has_target_of(&self, pointer: &Pointer) -> bool {
        pointer.cases.iter().any(|case| match case.target {
            Target::Summary(_) => true,
            Target::Object(object) => self.freed.contains_key(&object),
            _ => false,
        })
    }
}

impl Engine<'_> {
    /// What predicates may speak of, of summaries and of pointers into them.
    pub(super) fn individuals_in(&self, state: &State, live: &dyn Fn(u64) -> bool) -> Individuals {
        let mut found = Individuals::default();
        state.memory.for_each(&mut |key, entry| {
            let object = ObjectId::of_key(key);
            if let Contents::Summary(summary) = &entry.contents {
                found.summaries.insert(object, summary.clone());
            } else if matches!(self.terms.op(entry.freed), Op::Variable(_)) {
                found.freed.insert(object, entry.freed);
            }
        });
        if found.summaries.is_empty() && found.freed.is_empty() {
            return found;
        }
        let mut pointers: Vec<Pointer> = Vec::new();
        let mut add = |value: &Value| {
            if let Value::Pointer(pointer) = value
                && found.has_target_of(pointer)
                && !pointers.contains(pointer)
            {
                pointers.push(pointer.clone());
            }
        };
        state.frame.for_each(&mut |variable, value| {
            if live(variable) {
                add(value);
            }
        });
        state.memory.for_each(&mut |_, entry| {
            if let Contents::Cells(cells) = &entry.contents {
                cells.for_each(&mut |_, cell| add(&cell.value));
            }
        });
        found.pointers = pointers;
        found
    }

    /// What the loop may modify of that.
    pub(super) fn summary_places(&self, modified: &Modified) -> Vec<SummaryPlace> {
        let mut places = Vec::new();
        let nothing: Rc<[u32]> = Rc::default();
        let mut add = |part, variable, targets: &Rc<[u32]>| {
            if matches!(self.terms.op(variable), Op::Variable(_)) && modified.is_any(variable) {
                let targets = targets.clone();
                places.push(SummaryPlace {
                    part,
                    targets,
                    variable,
                });
            }
        };
        for (object, summary) in modified.summaries() {
            add(SummaryPart::Count(object), summary.count, &nothing);
            add(SummaryPart::Freed(object), summary.freed, &nothing);
            for (offset, field) in &summary.fields {
                let shape = (field.bytes, field.pointers.is_some());
                let targets = field.targets().collect();
                for part in FieldPart::ALL {
                    if let Some(array) = part.of(field) {
                        add(SummaryPart::Field(object, *offset, shape, part), array, &targets);
                    }
                }
            }
        }
        places.extend(modified.freed().map(|(object, variable)| SummaryPlace {
            part: SummaryPart::ObjectFreed(object),
            targets: nothing.clone(),
            variable,
        }));
        let mut individuals = |location, value: &Value| {
            let Value::Pointer(pointer) = value else { return };
            for case in &pointer.cases {
                if let Some(variable) = case.individual {
                    let part = SummaryPart::Individual(location, case.target);
                    places.push(SummaryPlace {
                        part,
                        targets: nothing.clone(),
                        variable,
                    });
                }
            }
        };
        for (variable, value) in &modified.variables {
            individuals(Location::Variable(VariableId::new(*variable as usize)), value);
        }
        for ((object, offset), cell) in &modified.cells {
            let location = Location::Cell {
                object: *object,
                offset: *offset,
                ty: self.cell_type(&cell.value),
            };
            individuals(location, &cell.value);
        }
        places
    }

    /// What such a place holds in a state at the head of the loop.
    pub(super) fn held_of_summary(&mut self, place: &SummaryPlace, state: &State) -> Option<TermId> {
        match place.part {
            SummaryPart::Count(object) => Some(match self.summary(state, object) {
                Some(summary) => summary.count,
                None => self.terms.bv_u64(INDIVIDUAL_BITS, 0),
            }),
            SummaryPart::Freed(object) => Some(match self.summary(state, object) {
                Some(summary) => summary.freed,
                None => self.all_bits(false),
            }),
            SummaryPart::Field(object, offset, (bytes, is_pointer), part) => {
                let field = match self.summary(state, object) {
                    Some(summary) => self.field_at(&summary, object, (offset, bytes), is_pointer)?,
                    None => self.initial_field(object, offset, bytes, is_pointer),
                };
                // A pointer to what the arbitrary one never points to has no number that means it there.
                let is_known = field.targets().all(|code| place.targets.contains(&code));
                is_known.then(|| part.of(&field)).flatten()
            }
            SummaryPart::ObjectFreed(object) => Some(state.memory.get(object.key())?.freed),
            SummaryPart::Individual(location, target) => {
                let (value, _) = self.value_at(location, state)?;
                let Value::Pointer(pointer) = value else {
                    return None;
                };
                let nobody = self.terms.bv_u64(INDIVIDUAL_BITS, 0);
                let case = pointer.cases.iter().find(|case| case.target == target);
                Some(case.map_or(nobody, |case| {
                    let individual = case.individual.unwrap_or(nobody);
                    self.terms.ite(case.guard, individual, nobody)
                }))
            }
        }
    }
}
