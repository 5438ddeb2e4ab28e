//! Objects that stand for all that one place of allocation creates.
//!
//! Idea: a loop that runs any number of times and keeps what it allocates makes no fixed number of objects.
//! So all heap objects of one place and size are the individuals of one summary. They are numbered as they
//! are created, and each of their fields is an array over these numbers. Two pointers into a summary may mean
//! one individual or two; the solver finds out.
//!
//! Invariant: a pointer into a summary names an individual below its count, or no run comes there. What
//! cannot be told of individuals ends the induction ([`Engine::give_up`]), not the check: summaries exist in
//! runs with induction only.
//!
//! Source: summary nodes of shape analysis (Sagiv, Reps, Wilhelm: Parametric Shape Analysis via 3-Valued
//! Logic, TOPLAS 2002); a field as an array (Burstall: Some techniques for proving correctness of programs
//! which alter data structures, 1972).

use std::collections::BTreeMap;
use std::rc::Rc;

use kripke_elts::{BinaryOp, Type};
use kripke_smt::{Op, Sort, TermId};

use crate::contents::{Cell, Contents, Initialised};
use crate::engine::Engine;
use crate::object::{ObjectId, Rest};
use crate::state::State;
use crate::value::{Case, Pointer, Target, Value, bits_to_bool};

/// The width of the number of an individual: no place allocates that often.
pub(crate) const INDIVIDUAL_BITS: u32 = 64;
/// The width of the number of a target that a field may have.
const CODE_BITS: u32 = 16;
/// How many offsets an access may have.
const MAX_OFFSETS: usize = 64;

/// What the individuals of a summary hold along a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many were created.
    pub count: TermId,
    /// Which of them were freed: an array of single bits.
    pub freed: TermId,
    /// Their scalars, by offset; they do not overlap. Others are as they were when they were created.
    pub fields: BTreeMap<u64, Field>,
}

/// A scalar that each individual has. All arrays are indexed by individuals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub bytes: u32,
    /// Its bits; the offset of a pointer.
    pub data: TermId,
    /// Single bits: was it written?
    pub written: TermId,
    /// Where it is a pointer.
    pub pointers: Option<Pointers>,
}

/// Where the pointers of a field point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointers {
    /// All targets that those written may have, by their numbers, with the only offset, where there is one.
    pub targets: BTreeMap<u32, Option<TermId>>,
    /// The number of the target of each; one that is none of these stands for the last of them.
    pub codes: TermId,
    /// The individual in the target, where that is a summary.
    pub individuals: TermId,
}

impl Field {
    /// The numbers of all targets that it may have.
    pub fn targets(&self) -> impl Iterator<Item = u32> + '_ {
        let pointers = self.pointers.iter();
        pointers.flat_map(|pointers| pointers.targets.keys().copied())
    }
}

impl Pointers {
    /// One more target, with its only offset; where it was there with another, it has no only one.
    pub fn add(&mut self, code: u32, offset: Option<TermId>) {
        let known = self.targets.entry(code).or_insert(offset);
        if *known != offset {
            *known = None;
        }
    }
}

impl Summary {
    /// All that it is made of.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        let fields = self.fields.values();
        let of_fields = fields.flat_map(|field| {
            let pointers = field.pointers.as_ref();
            let pointers = pointers.map(|pointers| [pointers.codes, pointers.individuals]);
            [field.data, field.written]
                .into_iter()
                .chain(pointers.into_iter().flatten())
        });
        [self.count, self.freed].into_iter().chain(of_fields)
    }
}

/// The sort of an array over individuals.
pub(crate) fn over_individuals(element: u32) -> Sort {
    Sort::Array {
        index: INDIVIDUAL_BITS,
        element,
    }
}

impl Engine<'_> {
    /// The summary of which a state has an object.
    pub(crate) fn summary(&self, state: &State, object: ObjectId) -> Option<Rc<Summary>> {
        match &state.memory.get(object.key())?.contents {
            Contents::Summary(summary) => Some(summary.clone()),
            Contents::Cells(_) | Contents::Array(_) => None,
        }
    }

    fn set_summary(&mut self, state: &mut State, object: ObjectId, summary: Summary) {
        if let Some(mut entry) = state.memory.get(object.key()).cloned() {
            entry.contents = Contents::Summary(Rc::new(summary));
            state.memory.set(object.key(), entry);
        }
    }

    /// The same elements, but for one.
    fn with_element(&mut self, array: TermId, individual: TermId, element: TermId) -> TermId {
        match (self.terms.op(array), self.terms.children(array)) {
            (Op::Store, &[below, index, _]) if index == individual => {
                self.with_element(below, individual, element)
            }
            (Op::ConstArray(_), &[all]) if all == element => array,
            _ => self.terms.store(array, individual, element),
        }
    }

    fn with_element_where(
        &mut self,
        array: TermId,
        individual: TermId,
        element: TermId,
        guard: TermId,
    ) -> TermId {
        let old = self.terms.select(array, individual);
        let element = self.terms.ite(guard, element, old);
        self.with_element(array, individual, element)
    }

    /// An element of single bits.
    pub(crate) fn bit_of(&mut self, array: TermId, individual: TermId) -> TermId {
        let bit = self.terms.select(array, individual);
        bits_to_bool(&mut self.terms, bit)
    }

    pub(crate) fn all_bits(&mut self, bit: bool) -> TermId {
        let bit = self.terms.bv_u64(1, u64::from(bit));
        self.terms.const_array(INDIVIDUAL_BITS, bit)
    }

    /// A field as individuals have it when they are created.
    pub(crate) fn initial_field(
        &mut self,
        object: ObjectId,
        offset: u64,
        bytes: u32,
        is_pointer: bool,
    ) -> Field {
        let info = &self.run.objects[object];
        let (name, is_zero) = (info.name, info.rest == Rest::Zero);
        let zero = self.terms.bv_u64(bytes * 8, 0);
        let data = match is_zero {
            true => self.terms.const_array(INDIVIDUAL_BITS, zero),
            false => {
                let name = format!("initial!{name}!field{offset}:{bytes}");
                self.terms.variable(&name, over_individuals(bytes * 8))
            }
        };
        let pointers = is_pointer.then(|| {
            let null = self.run.objects.code_of(Target::Null);
            let code = self.terms.bv_u64(CODE_BITS, u64::from(null));
            let nobody = self.terms.bv_u64(INDIVIDUAL_BITS, 0);
            Pointers {
                targets: is_zero.then_some((null, Some(zero))).into_iter().collect(),
                codes: self.terms.const_array(INDIVIDUAL_BITS, code),
                individuals: self.terms.const_array(INDIVIDUAL_BITS, nobody),
            }
        });
        Field {
            bytes,
            data,
            written: self.all_bits(is_zero),
            pointers,
        }
    }

    /// A new individual, and a pointer to its start.
    pub(crate) fn create_individual(&mut self, state: &mut State, object: ObjectId) -> Option<Pointer> {
        let Some(summary) = self.summary(state, object) else {
            self.give_up("an individual of no summary is made");
            return None;
        };
        let mut summary = (*summary).clone();
        let individual = summary.count;
        let most = self.terms.bv(kripke_value::BitVec::ones(INDIVIDUAL_BITS));
        let is_below = self.terms.bv_ult(individual, most);
        if !self.assume(state, is_below) {
            return None;
        }
        let one = self.terms.bv_u64(INDIVIDUAL_BITS, 1);
        summary.count = self.terms.bv_add(individual, one);
        let alive = self.terms.bv_u64(1, 0);
        summary.freed = self.with_element(summary.freed, individual, alive);
        for (offset, field) in &mut summary.fields {
            let new = self.initial_field(object, *offset, field.bytes, field.pointers.is_some());
            let mut take = |known: &mut TermId, new: TermId| {
                let element = self.terms.select(new, individual);
                *known = self.with_element(*known, individual, element);
            };
            take(&mut field.data, new.data);
            take(&mut field.written, new.written);
            if let (Some(known), Some(new)) = (&mut field.pointers, new.pointers) {
                take(&mut known.codes, new.codes);
                take(&mut known.individuals, new.individuals);
                for (code, offset) in new.targets {
                    known.add(code, offset);
                }
            }
        }
        self.set_summary(state, object, summary);
        let guard = self.terms.true_();
        let case = Case {
            guard,
            target: Target::Summary(object),
            offset: self.terms.bv_u64(self.pointer_width, 0),
            individual: Some(individual),
        };
        Some(Pointer::from_cases(&mut self.terms, [case]))
    }

    /// Was the individual freed to which a case points?
    pub(crate) fn is_freed(&mut self, state: &State, case: &Case) -> TermId {
        let found = match case.target {
            Target::Summary(object) => self.summary(state, object).zip(case.individual),
            _ => None,
        };
        match found {
            Some((summary, individual)) => self.bit_of(summary.freed, individual),
            None => self.terms.true_(),
        }
    }

    /// The individual to which a case points is freed where its guard holds.
    pub(crate) fn free_individual(&mut self, state: &mut State, object: ObjectId, case: &Case) {
        let Some((summary, individual)) = self.summary(state, object).zip(case.individual) else {
            return self.give_up("an individual of no summary is freed");
        };
        let mut summary = (*summary).clone();
        let dead = self.terms.bv_u64(1, 1);
        summary.freed = self.with_element_where(summary.freed, individual, dead, case.guard);
        self.set_summary(state, object, summary);
    }

    /// A field of that shape; `None` where others lie there.
    pub(crate) fn field_at(
        &mut self,
        summary: &Summary,
        object: ObjectId,
        (offset, bytes): (u64, u32),
        is_pointer: bool,
    ) -> Option<Field> {
        match summary.fields.get(&offset) {
            Some(field) if field.bytes == bytes && field.pointers.is_some() == is_pointer => {
                Some(field.clone())
            }
            _ => {
                let before = summary.fields.range(..offset + u64::from(bytes)).next_back();
                let overlaps = before.is_some_and(|(at, field)| at + u64::from(field.bytes) > offset);
                (!overlaps).then(|| self.initial_field(object, offset, bytes, is_pointer))
            }
        }
    }

    /// The constant offsets that an access may have, each with its condition.
    fn offsets_of(&mut self, state: &State, object: ObjectId, case: &Case, bytes: u64) -> Vec<(TermId, u64)> {
        if let Some(offset) = self.constant(case.offset) {
            return vec![(self.terms.true_(), offset)];
        }
        let choices = self.choices(state, object, case.offset, bytes, 1, MAX_OFFSETS);
        let Some(choices) = choices.filter(|choices| !choices.is_empty()) else {
            self.give_up("one of many objects is accessed at any offset");
            return Vec::new();
        };
        let choices = choices.into_iter();
        choices.map(|(guard, offset)| (guard, offset as u64)).collect()
    }

    /// Reads a scalar of the individual to which a case points, at an offset that was judged.
    pub(crate) fn read_individual(
        &mut self,
        state: &mut State,
        object: ObjectId,
        case: &Case,
        ty: Type,
    ) -> (Value, Initialised) {
        let bytes = self.bytes_of(ty);
        let mut result: Option<(Value, Initialised)> = None;
        for (guard, offset) in self.offsets_of(state, object, case, bytes).into_iter().rev() {
            let own = self.read_scalar(state, object, case, offset, ty);
            result = Some(match result {
                None => own,
                Some(rest) => (
                    own.0.select(&mut self.terms, guard, &rest.0),
                    own.1.select(&mut self.terms, guard, &rest.1, bytes),
                ),
            });
        }
        result.unwrap_or_else(|| (self.zero(ty), Initialised::Whole(self.terms.true_())))
    }

    fn read_scalar(
        &mut self,
        state: &mut State,
        object: ObjectId,
        case: &Case,
        offset: u64,
        ty: Type,
    ) -> (Value, Initialised) {
        let bytes = self.bytes_of(ty) as u32;
        let found = self.summary(state, object).zip(case.individual);
        let field = found.and_then(|(summary, individual)| {
            let field = self.field_at(&summary, object, (offset, bytes), ty == Type::Pointer)?;
            Some((field, individual))
        });
        let Some((field, individual)) = field else {
            self.give_up("one of many objects is read in a way that is not followed");
            return (self.zero(ty), Initialised::Whole(self.terms.true_()));
        };
        let written = self.bit_of(field.written, individual);
        let value = match &field.pointers {
            None => {
                let bits = self.terms.select(field.data, individual);
                self.decode_cell(state, &Value::Term(bits), ty)
            }
            Some(pointers) => {
                self.assume_bounds(state, pointers.individuals, individual);
                let initial = self.initial_field(object, offset, bytes, true);
                let unwritten = self.terms.select(initial.data, individual);
                Value::Pointer(self.pointer_of_field(&field, pointers, individual, (written, unwritten)))
            }
        };
        (value, Initialised::Whole(written))
    }

    /// Does the field of an individual hold a pointer to the target of that number, and to which individual
    /// there?
    pub(crate) fn link_of(&mut self, field: &Field, code: u32, individual: TermId) -> (TermId, TermId) {
        let target = self.run.objects.target_of(code);
        let written = self.bit_of(field.written, individual);
        let unwritten = self.terms.bv_u64(self.pointer_width, 0);
        let case = field.pointers.as_ref().and_then(|pointers| {
            let pointer = self.pointer_of_field(field, pointers, individual, (written, unwritten));
            pointer.cases.iter().find(|case| case.target == target).copied()
        });
        let nobody = self.terms.bv_u64(INDIVIDUAL_BITS, 0);
        match case {
            Some(case) => (
                self.terms.and(written, case.guard),
                case.individual.unwrap_or(nobody),
            ),
            None => (self.terms.false_(), nobody),
        }
    }

    /// The pointer that a field of an individual holds; any address where it was never written.
    fn pointer_of_field(
        &mut self,
        field: &Field,
        pointers: &Pointers,
        individual: TermId,
        (written, unwritten): (TermId, TermId),
    ) -> Pointer {
        let mut cases = vec![Case {
            guard: self.terms.not(written),
            target: Target::Raw,
            offset: unwritten,
            individual: None,
        }];
        let code_there = self.terms.select(pointers.codes, individual);
        let any_offset = self.terms.select(field.data, individual);
        let inside = self.terms.select(pointers.individuals, individual);
        let mut rest = written;
        for (index, (code, offset)) in pointers.targets.iter().enumerate() {
            let guard = match index + 1 == pointers.targets.len() {
                true => rest,
                false => {
                    let code = self.terms.bv_u64(CODE_BITS, u64::from(*code));
                    let is_that = self.terms.eq(code_there, code);
                    let other = self.terms.not(is_that);
                    let guard = self.terms.and(rest, is_that);
                    rest = self.terms.and(rest, other);
                    guard
                }
            };
            let target = self.run.objects.target_of(*code);
            let is_summary = matches!(target, Target::Summary(_));
            cases.push(Case {
                guard,
                target,
                offset: offset.unwrap_or(any_offset),
                individual: is_summary.then_some(inside),
            });
        }
        Pointer::from_cases(&mut self.terms, cases)
    }

    /// Writes a cell into the individual to which a case points, at an offset that was judged.
    pub(crate) fn write_individual(
        &mut self,
        state: &mut State,
        object: ObjectId,
        case: &Case,
        cell: &Cell,
        guard: TermId,
    ) {
        for (condition, offset) in self.offsets_of(state, object, case, u64::from(cell.bytes)) {
            let guard = self.terms.and(guard, condition);
            self.write_scalar(state, object, (case, offset), cell, guard);
        }
    }

    fn write_scalar(
        &mut self,
        state: &mut State,
        object: ObjectId,
        (case, offset): (&Case, u64),
        cell: &Cell,
        guard: TermId,
    ) {
        let is_pointer = matches!(cell.value, Value::Pointer(_));
        let found = self.summary(state, object).zip(case.individual);
        let field = found.and_then(|(summary, individual)| {
            let field = self.field_at(&summary, object, (offset, cell.bytes), is_pointer)?;
            Some((summary, field, individual))
        });
        let Some((summary, mut field, individual)) = field else {
            return self.give_up("one of many objects is written in a way that is not followed");
        };
        let data = match (&cell.value, &mut field.pointers) {
            (Value::Pointer(pointer), Some(pointers)) => {
                self.write_pointer(pointers, individual, pointer, guard)
            }
            _ => self.raw_bits(cell),
        };
        field.data = self.with_element_where(field.data, individual, data, guard);
        let written = cell.initialised.all(&mut self.terms);
        let written = crate::value::bool_to_bits(&mut self.terms, written);
        field.written = self.with_element_where(field.written, individual, written, guard);
        let mut summary = (*summary).clone();
        summary.fields.insert(offset, field);
        self.set_summary(state, object, summary);
    }

    /// Notes where a pointer points to; its offset.
    fn write_pointer(
        &mut self,
        pointers: &mut Pointers,
        individual: TermId,
        pointer: &Pointer,
        guard: TermId,
    ) -> TermId {
        let codes: Vec<u32> = pointer
            .cases
            .iter()
            .map(|case| self.run.objects.code_of(case.target))
            .collect();
        for (case, code) in pointer.cases.iter().zip(&codes) {
            pointers.add(*code, self.terms.is_const(case.offset).then_some(case.offset));
        }
        if codes.iter().any(|code| *code >> CODE_BITS != 0) {
            self.give_up("the fields of many objects point to too many others");
        }
        let mut codes = codes.into_iter().rev();
        let code = self.fold_cases(pointer, |engine, _| {
            let code = codes.next().unwrap_or(0);
            engine.terms.bv_u64(CODE_BITS, u64::from(code))
        });
        let inside = self.fold_cases(pointer, |engine, case| match case.individual {
            Some(individual) => individual,
            None => engine.terms.bv_u64(INDIVIDUAL_BITS, 0),
        });
        pointers.codes = self.with_element_where(pointers.codes, individual, code, guard);
        pointers.individuals = self.with_element_where(pointers.individuals, individual, inside, guard);
        self.fold_cases(pointer, |_, case| case.offset)
    }

    /// What individuals that are named in elements of an array can be: those that there were when the array
    /// was any array.
    fn assume_bounds(&mut self, state: &mut State, individuals: TermId, index: TermId) {
        let Some(induction) = &self.run.induction else {
            return;
        };
        let (mut bounds, mut seen, mut open) = (Vec::new(), Vec::new(), vec![individuals]);
        while let Some(array) = open.pop() {
            if seen.contains(&array) {
                continue;
            }
            seen.push(array);
            match (self.terms.op(array), self.terms.children(array)) {
                (Op::Store, &[below, _, _]) => open.push(below),
                (Op::Ite, &[_, yes, no]) => open.extend([yes, no]),
                _ => bounds.extend(induction.bounded.get(&array).cloned().map(|bound| (array, bound))),
            }
        }
        for (array, (codes, counts)) in bounds {
            let code_there = self.terms.select(codes, index);
            let individual = self.terms.select(array, index);
            for (code, count) in counts {
                let code = self.terms.bv_u64(CODE_BITS, u64::from(code));
                let other = self.terms.distinct(code_there, code);
                let is_below = self.terms.bv_ult(individual, count);
                let bound = self.terms.or(other, is_below);
                if !self.assume(state, bound) {
                    return;
                }
            }
        }
    }

    /// Both as one, `condition` telling which.
    pub(crate) fn merge_summaries(
        &mut self,
        object: ObjectId,
        condition: TermId,
        a: &Summary,
        b: &Summary,
    ) -> Summary {
        let mut fields = BTreeMap::new();
        let offsets: Vec<u64> = a.fields.keys().chain(b.fields.keys()).copied().collect();
        for offset in offsets {
            if fields.contains_key(&offset) {
                continue;
            }
            let Some(like) = a.fields.get(&offset).or(b.fields.get(&offset)) else {
                continue;
            };
            let shape = (offset, like.bytes);
            let is_pointer = like.pointers.is_some();
            let x = self.field_at(a, object, shape, is_pointer);
            let y = self.field_at(b, object, shape, is_pointer);
            match x.zip(y) {
                Some((x, y)) => {
                    fields.insert(offset, self.merge_fields(condition, x, &y));
                }
                None => self.give_up("many objects hold what differs in form"),
            }
        }
        Summary {
            count: self.terms.ite(condition, a.count, b.count),
            freed: self.terms.ite(condition, a.freed, b.freed),
            fields,
        }
    }

    fn merge_fields(&mut self, condition: TermId, mut x: Field, y: &Field) -> Field {
        x.data = self.terms.ite(condition, x.data, y.data);
        x.written = self.terms.ite(condition, x.written, y.written);
        if let (Some(p), Some(q)) = (&mut x.pointers, &y.pointers) {
            p.codes = self.terms.ite(condition, p.codes, q.codes);
            p.individuals = self.terms.ite(condition, p.individuals, q.individuals);
            for (code, offset) in &q.targets {
                p.add(*code, *offset);
            }
        }
        x
    }

    /// Is the address of a case certainly that of nothing else? Of a byte of an object that lives it is; none
    /// of an object, dead or not, and no end of one is that of what is none.
    fn inhabits(&mut self, state: &State, case: &Case, other: &Case) -> TermId {
        match case.target {
            Target::Summary(object) => {
                let size = self.run.objects[object].size;
                if !matches!(other.target, Target::Object(_) | Target::Summary(_)) {
                    return self.terms.bv_ule(case.offset, size);
                }
                let freed = self.is_freed(state, case);
                let alive = self.terms.not(freed);
                let inside = self.terms.bv_ult(case.offset, size);
                self.terms.and(alive, inside)
            }
            Target::Object(_) => {
                let certain = self.is_alive(state, case) && self.within_object(state, case, false);
                self.terms.bool_(certain)
            }
            Target::Null | Target::Function(_) | Target::Device | Target::Raw => {
                let certain = self.is_fixed(case);
                self.terms.bool_(certain)
            }
        }
    }

    /// A comparison of two pointers of which one points into a summary. Where addresses decide, anything may
    /// be true.
    pub(crate) fn individual_relation(&mut self, state: &State, op: BinaryOp, a: &Case, b: &Case) -> TermId {
        let anything = self.fresh_variable("order", Sort::Bool);
        let same = self.same_individual(a, b);
        if op == BinaryOp::PEq {
            let (x, y) = (self.inhabits(state, a, b), self.inhabits(state, b, a));
            let apart = self.terms.and(x, y);
            let maybe = self.terms.not(apart);
            let elsewhere = self.terms.and(maybe, anything);
            let equal = self.terms.eq(a.offset, b.offset);
            return self.terms.ite(same, equal, elsewhere);
        }
        let Target::Summary(object) = a.target else {
            return anything;
        };
        let size = self.run.objects[object].size;
        let (x, y) = (
            self.terms.bv_ule(a.offset, size),
            self.terms.bv_ule(b.offset, size),
        );
        let decided = self.terms.and_all([same, x, y]);
        let order = match op {
            BinaryOp::PULt => self.terms.bv_ult(a.offset, b.offset),
            _ => self.terms.bv_ule(a.offset, b.offset),
        };
        self.terms.ite(decided, order, anything)
    }

    /// Do both cases point into one individual?
    pub(crate) fn same_individual(&mut self, a: &Case, b: &Case) -> TermId {
        match (a.individual, b.individual) {
            (Some(x), Some(y)) if a.target == b.target => self.terms.eq(x, y),
            _ => self.terms.false_(),
        }
    }

    /// The difference of two pointers of which one points into a summary.
    pub(crate) fn individual_difference(&mut self, a: &Case, b: &Case) -> TermId {
        let anything = self.fresh_variable("difference", Sort::BitVec(self.pointer_width));
        let same = self.same_individual(a, b);
        let difference = self.terms.bv_sub(a.offset, b.offset);
        self.terms.ite(same, difference, anything)
    }
}
