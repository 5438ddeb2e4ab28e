//! Operations on pointers: moving, comparing, converting to and from addresses.
//!
//! Idea: a pointer keeps its object; addresses appear only when the program looks at them (see
//! [`crate::addresses`]). Bits that come from elsewhere (an integer, an input, bytes, a function without a
//! body) are a raw address: it may be that of any object or function, known by then or not, live or dead. So
//! it stays what it is until it is used: compared, it is compared as an address; followed, it is tried
//! against the objects whose addresses the program observed by then ([`Engine::locate`]), and what is left is
//! cut with its reason.
//!
//! Invariant: no conversion excludes a place that the bits may name.

use kripke_elts::BinaryOp;
use kripke_smt::{Op, Sort, TermId};

use crate::contents::Contents;
use crate::engine::Engine;
use crate::object::ObjectId;
use crate::range::{Facts, Ranges};
use crate::record::Cut;
use crate::state::State;
use crate::value::{Case, Pointer, Target};

/// How many objects a raw address is tried against when the program asks for its object.
const MOST_PLACES: usize = 64;

/// Two pointers into different objects, or into none.
enum Apart {
    /// Their addresses differ.
    Certainly,
    /// Their addresses decide.
    AsAddresses,
}

impl Engine<'_> {
    /// `pointer + bytes`.
    pub(crate) fn move_pointer(&mut self, pointer: &Pointer, bytes: TermId) -> Pointer {
        let mut moved = pointer.clone();
        for case in &mut moved.cases {
            case.offset = self.terms.bv_add(case.offset, bytes);
        }
        moved
    }

    /// Folds the cases of a pointer into one term.
    pub(crate) fn fold_cases(
        &mut self,
        pointer: &Pointer,
        mut value: impl FnMut(&mut Self, &Case) -> TermId,
    ) -> TermId {
        let mut result = None;
        for case in pointer.cases.iter().rev() {
            let own = value(self, case);
            result = Some(match result {
                None => own,
                Some(rest) => self.terms.ite(case.guard, own, rest),
            });
        }
        match result {
            Some(term) => term,
            None => self.terms.bv_u64(self.pointer_width, 0),
        }
    }

    /// The address a pointer stands for.
    pub(crate) fn address_of(&mut self, pointer: &Pointer) -> TermId {
        self.fold_cases(pointer, |engine, case| engine.case_address(case))
    }

    fn case_address(&mut self, case: &Case) -> TermId {
        match case.target {
            Target::Null | Target::Device | Target::Raw => case.offset,
            Target::Function(function) => {
                let base = self.code_address(function);
                self.terms.bv_add(base, case.offset)
            }
            Target::Object(object) => {
                let base = self.base_of(object);
                self.terms.bv_add(base, case.offset)
            }
            Target::Summary(_) => {
                self.give_up("the address of one of many objects is looked at");
                self.fresh_variable("address", Sort::BitVec(self.pointer_width))
            }
        }
    }

    /// The pointer to an address. A constant is the address of a function, or of a register and of no object.
    /// An address that was made from one object's and certainly stays in it is a pointer into that object;
    /// any other is one into whichever observed object holds it, or raw.
    pub(crate) fn pointer_at(&mut self, state: &State, address: TermId) -> Pointer {
        let zero = self.terms.bv_u64(self.pointer_width, 0);
        if let Some(value) = self.terms.as_bv(address) {
            let value = value.to_u64().unwrap_or(u64::MAX);
            let mut functions = self.program.functions.ids();
            let function = functions.find(|id| self.function_address(*id) == value);
            return match function {
                _ if value == 0 => Pointer::new(&mut self.terms, Target::Null, zero),
                Some(function) => Pointer::new(&mut self.terms, Target::Function(function), zero),
                None => {
                    self.name_address(state, address);
                    Pointer::new(&mut self.terms, Target::Device, address)
                }
            };
        }
        if let (Op::Ite, [condition, then, otherwise]) =
            (self.terms.op(address), self.terms.children(address))
        {
            let (condition, then, otherwise) = (*condition, *then, *otherwise);
            let (then, otherwise) = (self.pointer_at(state, then), self.pointer_at(state, otherwise));
            return then.select(&mut self.terms, condition, &otherwise);
        }
        if let Some((object, offset)) = self.stripped_base(address)
            && self.certainly_inside(state, object, offset)
        {
            return Pointer::new(&mut self.terms, Target::Object(object), offset);
        }
        let null = self.terms.eq(address, zero);
        let other = self.terms.not(null);
        // Only when it is used it shows whether an object begins where another ends.
        let mut cases = self.places_of(state, address, other, &[false]);
        cases.push(Case {
            guard: null,
            target: Target::Null,
            offset: zero,
            individual: None,
        });
        Pointer::from_cases(&mut self.terms, cases)
    }

    /// What an address that satisfies the guard names: a byte of an observed object that lives, else (where
    /// `ends` say so) the end of one, else nothing that is known.
    fn places_of(&mut self, state: &State, address: TermId, guard: TermId, ends: &[bool]) -> Vec<Case> {
        // Which objects live that it may name depends on what others do.
        self.touch_anything(state);
        let mut cases = Vec::new();
        let mut rest = guard;
        for at_end in ends.iter().copied() {
            for object in self.run.objects.observed.clone() {
                let Some(entry) = state.memory.get(object.key()) else {
                    continue;
                };
                let (freed, exists) = (entry.freed, entry.exists);
                let base = self.base_of(object);
                let offset = self.terms.bv_sub(address, base);
                let size = self.run.objects[object].size;
                let hit = match at_end {
                    false => self.terms.bv_ult(offset, size),
                    true => self.terms.eq(offset, size),
                };
                let dead = self.terms.not(exists);
                let dead = self.terms.or(freed, dead);
                let alive = self.terms.not(dead);
                let here = self.terms.and_all([rest, hit, alive]);
                cases.push(Case {
                    guard: here,
                    target: Target::Object(object),
                    offset,
                    individual: None,
                });
                let miss = self.terms.not(here);
                rest = self.terms.and(rest, miss);
            }
        }
        cases.push(Case {
            guard: rest,
            target: Target::Raw,
            offset: address,
            individual: None,
        });
        cases
    }

    /// The same pointer, where raw addresses that lie in objects which were observed since are pointers into
    /// them.
    pub(crate) fn locate(&mut self, state: &State, pointer: &Pointer) -> Pointer {
        let is_raw = |case: &Case| case.target == Target::Raw;
        let Some(raw) = pointer.cases.iter().copied().find(is_raw) else {
            return pointer.clone();
        };
        if self.run.objects.observed.is_empty() || self.decide(state, raw.guard) == Some(false) {
            return pointer.clone();
        }
        let mut cases = self.places_of(state, raw.offset, raw.guard, &[false, true]);
        cases.extend(pointer.cases.iter().copied().filter(|case| !is_raw(case)));
        Pointer::from_cases(&mut self.terms, cases)
    }

    /// The same, where a raw address may lie in any object that lives, observed or not.
    fn locate_anywhere(&mut self, state: &State, pointer: &Pointer) -> Pointer {
        let is_raw = |case: &Case| case.target == Target::Raw;
        let Some(raw) = pointer.cases.iter().copied().find(is_raw) else {
            return pointer.clone();
        };
        if self.decide(state, raw.guard) == Some(false) {
            return pointer.clone();
        }
        let (mut living, mut has_summaries) = (Vec::new(), false);
        state.memory.for_each(&mut |key, entry| {
            living.push(ObjectId::of_key(key));
            has_summaries |= matches!(entry.contents, Contents::Summary(_));
        });
        if has_summaries {
            self.give_up("an address from outside is asked for its object, which may be one of many");
            return pointer.clone();
        }
        if living.len() > MOST_PLACES {
            let what = format!(
                "an address from outside is asked for its object, which may be any of {}",
                living.len()
            );
            self.cut(state, raw.guard, Cut::Unsupported { what });
            return pointer.clone();
        }
        for object in living {
            self.base_of(object);
        }
        self.locate(state, pointer)
    }

    /// The object and offset of an address of the form `base + offset`.
    fn stripped_base(&mut self, address: TermId) -> Option<(ObjectId, TermId)> {
        let (a, b) = match (self.terms.op(address), self.terms.children(address)) {
            (Op::BvAdd, [a, b]) => (*a, Some(*b)),
            _ => (address, None),
        };
        for object in self.run.objects.observed.iter().copied() {
            let base = self.run.objects[object].base;
            if base == Some(a) {
                return Some((
                    object,
                    b.unwrap_or_else(|| self.terms.bv_u64(self.pointer_width, 0)),
                ));
            }
            if b.is_some() && base == b {
                return Some((object, a));
            }
        }
        None
    }

    fn certainly_inside(&mut self, state: &State, object: ObjectId, offset: TermId) -> bool {
        self.touch_life(state, object, false);
        let alive = state
            .memory
            .get(object.key())
            .is_some_and(|entry| self.terms.as_bool(entry.freed) == Some(false));
        let Some(size) = self.run.objects[object].constant_size else {
            return false;
        };
        let facts = Facts::new(&self.terms, &self.run.paths, state.path);
        let interval = Ranges::new(&self.terms, &facts).interval(offset);
        alive && interval.low >= 0 && interval.high < i128::from(size)
    }

    /// A comparison or difference of pointers.
    pub(crate) fn compare_pointers(
        &mut self,
        state: &State,
        op: BinaryOp,
        a: &Pointer,
        b: &Pointer,
    ) -> TermId {
        if op == BinaryOp::PDiff {
            let b = b.clone();
            return self.fold_cases(a, |engine, left| {
                let left = *left;
                engine.fold_cases(&b, |engine, right| engine.case_difference(&left, right))
            });
        }
        let mut result = self.terms.false_();
        for left in &a.cases {
            for right in &b.cases {
                let both = self.terms.and(left.guard, right.guard);
                if self.terms.as_bool(both) == Some(false) {
                    continue;
                }
                let relation = self.case_relation(state, op, left, right);
                let holds = self.terms.and(both, relation);
                result = self.terms.or(result, holds);
            }
        }
        result
    }

    fn case_relation(&mut self, state: &State, op: BinaryOp, a: &Case, b: &Case) -> TermId {
        if a.individual.or(b.individual).is_some() {
            return self.individual_relation(state, op, a, b);
        }
        let same = a.target == b.target || a.target.is_address() && b.target.is_address();
        if op == BinaryOp::PEq {
            return match same {
                true => self.terms.eq(a.offset, b.offset),
                false => self.same_place(state, a, b),
            };
        }
        let near = same && !a.target.is_address() && self.both_inside(state, a, b);
        let (left, right, is_signed) = match near {
            true => (a.offset, b.offset, true),
            false => (self.case_address(a), self.case_address(b), false),
        };
        match (op, is_signed) {
            (BinaryOp::PULt, true) => self.terms.bv_slt(left, right),
            (BinaryOp::PULt, false) => self.terms.bv_ult(left, right),
            (_, true) => self.terms.bv_sle(left, right),
            (_, false) => self.terms.bv_ule(left, right),
        }
    }

    /// Are pointers into different objects, or into an object and none, equal? One object may begin where
    /// another ends, or where a dead one was; an address from outside may be anything's.
    fn same_place(&mut self, state: &State, a: &Case, b: &Case) -> TermId {
        match self.apart_places(state, a, b) {
            Apart::Certainly => self.terms.false_(),
            Apart::AsAddresses => {
                let (left, right) = (self.case_address(a), self.case_address(b));
                self.terms.eq(left, right)
            }
        }
    }

    fn apart_places(&mut self, state: &State, a: &Case, b: &Case) -> Apart {
        use Target::{Device, Function, Null, Object, Raw};
        let certain = match (a.target, b.target) {
            (Raw, _) | (_, Raw) => false,
            (Object(_), Object(_)) => {
                self.is_alive(state, a)
                    && self.is_alive(state, b)
                    && self.within_object(state, a, false)
                    && self.within_object(state, b, false)
            }
            // Nothing lies at null, nor where the program names a register; see `own_address_fact`.
            (Object(_), Null | Device) => self.within_object(state, a, true) && self.is_fixed(b),
            (Null | Device, Object(_)) => self.within_object(state, b, true) && self.is_fixed(a),
            (Object(_), Function(_)) => self.within_object(state, a, true) && self.is_fixed(b),
            (Function(_), Object(_)) => self.within_object(state, b, true) && self.is_fixed(a),
            (Function(_), Function(_) | Null) | (Null, Function(_)) => self.starts(a) && self.starts(b),
            _ => false,
        };
        if certain {
            Apart::Certainly
        } else {
            Apart::AsAddresses
        }
    }

    fn starts(&self, case: &Case) -> bool {
        self.constant(case.offset) == Some(0)
    }

    /// Null itself, a register that the program names, or the start of a function.
    pub(crate) fn is_fixed(&self, case: &Case) -> bool {
        match case.target {
            Target::Null | Target::Function(_) => self.starts(case),
            Target::Device => self.named_addresses().contains(&case.offset),
            _ => false,
        }
    }

    /// Does the object of a case certainly live?
    pub(crate) fn is_alive(&mut self, state: &State, case: &Case) -> bool {
        let Target::Object(object) = case.target else {
            return false;
        };
        self.touch_life(state, object, false);
        let Some(entry) = state.memory.get(object.key()) else {
            return false;
        };
        // There are pointers to an object only where it was created.
        let freed = entry.freed;
        self.decide(state, freed) == Some(false)
    }

    /// Does a case certainly point to a byte of its object, or, where that may be, to its end? An empty
    /// object counts as one of a byte.
    pub(crate) fn within_object(&mut self, state: &State, case: &Case, or_end: bool) -> bool {
        let Target::Object(object) = case.target else {
            return false;
        };
        if self.starts(case) {
            return true;
        }
        let Some(size) = self.run.objects[object].constant_size else {
            return false;
        };
        let facts = self.facts(state.path);
        let interval = Ranges::new(&self.terms, &facts).interval(case.offset);
        interval.low >= 0 && interval.high < i128::from(size) + i128::from(or_end)
    }

    /// Are the offsets of two pointers into one object, or to its end? Then they are ordered as the
    /// addresses.
    fn both_inside(&mut self, state: &State, a: &Case, b: &Case) -> bool {
        let Target::Object(object) = a.target else {
            return a.offset == b.offset;
        };
        let Some(size) = self.run.objects[object].constant_size else {
            return a.offset == b.offset;
        };
        let facts = self.facts(state.path);
        let mut ranges = Ranges::new(&self.terms, &facts);
        [a.offset, b.offset].into_iter().all(|offset| {
            let interval = ranges.interval(offset);
            interval.low >= 0 && interval.high <= i128::from(size)
        })
    }

    fn case_difference(&mut self, a: &Case, b: &Case) -> TermId {
        if a.individual.or(b.individual).is_some() {
            return self.individual_difference(a, b);
        }
        let same = a.target == b.target || a.target.is_address() && b.target.is_address();
        let (left, right) = match same {
            true => (a.offset, b.offset),
            false => (self.case_address(a), self.case_address(b)),
        };
        self.terms.bv_sub(left, right)
    }

    /// Do both point into one object?
    pub(crate) fn same_object(&mut self, state: &State, a: &Pointer, b: &Pointer) -> TermId {
        let (a, b) = self.locate_for_each_other(state, a, b);
        let mut result = self.terms.false_();
        for left in &a.cases {
            for right in &b.cases {
                if left.target == right.target || left.target.is_address() && right.target.is_address() {
                    let both = self.terms.and(left.guard, right.guard);
                    let both = match left.individual {
                        None => both,
                        Some(_) => {
                            let same = self.same_individual(left, right);
                            self.terms.and(both, same)
                        }
                    };
                    result = self.terms.or(result, both);
                }
            }
        }
        result
    }

    /// Both with their raw addresses located as far as matters for whether they are in one object: of a raw
    /// address and an object, whether it lies in that one.
    fn locate_for_each_other(&mut self, state: &State, a: &Pointer, b: &Pointer) -> (Pointer, Pointer) {
        let some = |pointer: &Pointer, which: fn(Target) -> bool| {
            pointer.cases.iter().any(|case| which(case.target))
        };
        let raw = |target| target == Target::Raw;
        if !some(a, raw) && !some(b, raw) {
            return (a.clone(), b.clone());
        }
        for case in a.cases.iter().chain(&b.cases) {
            if let Target::Object(object) = case.target {
                self.base_of(object);
            }
        }
        match some(a, Target::is_address) && some(b, Target::is_address) {
            true => (self.locate_anywhere(state, a), self.locate_anywhere(state, b)),
            false => (self.locate(state, a), self.locate(state, b)),
        }
    }

    /// The size of the object a pointer points into; 0 where there is none.
    pub(crate) fn object_size(&mut self, state: &State, pointer: &Pointer) -> TermId {
        let state = state.clone();
        let pointer = self.locate_anywhere(&state, pointer);
        self.fold_cases(&pointer, |engine, case| {
            let zero = engine.terms.bv_u64(engine.pointer_width, 0);
            if let Target::Summary(object) = case.target {
                let freed = engine.is_freed(&state, case);
                return engine.terms.ite(freed, zero, engine.run.objects[object].size);
            }
            let Target::Object(object) = case.target else {
                return zero;
            };
            engine.touch_life(&state, object, false);
            match state.memory.get(object.key()) {
                Some(entry) => engine
                    .terms
                    .ite(entry.freed, zero, engine.run.objects[object].size),
                None => zero,
            }
        })
    }

    /// The offset of a pointer in its object.
    pub(crate) fn pointer_offset(&mut self, state: &State, pointer: &Pointer) -> TermId {
        let pointer = self.locate_anywhere(state, pointer);
        self.fold_cases(&pointer, |_, case| case.offset)
    }
}
