//! Operations on pointers: moving, comparing, converting to and from addresses.
//!
//! Idea: a pointer keeps its object; addresses appear only when the program looks at them. Then the object
//! gets a variable for its address, of which is assumed only what every machine grants: aligned, not
//! null, no wrap around, no overlap with other objects (see [`crate::engine::Engine::address_facts`]).

use kripke_elts::{BinaryOp, FunctionId, Id};
use kripke_smt::{Op, Sort, TermId};

use crate::engine::Engine;
use crate::object::ObjectId;
use crate::range::{Facts, Ranges};
use crate::state::State;
use crate::value::{Case, Pointer, Target};

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
    fn fold_cases(&mut self, pointer: &Pointer, mut value: impl FnMut(&mut Self, &Case) -> TermId) -> TermId {
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
                let base = self.function_address(function);
                let base = self.terms.bv_u64(self.pointer_width, base);
                self.terms.bv_add(base, case.offset)
            }
            Target::Object(object) => {
                let base = self.base_of(object);
                self.terms.bv_add(base, case.offset)
            }
        }
    }

    /// Where the code of a function lies: the same places as in the interpreter.
    fn function_address(&self, function: FunctionId) -> u64 {
        let (base, step) = match self.pointer_width {
            ..=16 => (0xf000, 2),
            17..=32 => (0x0800_0000, 16),
            _ => (0x5555_0000_0000, 16),
        };
        base + step * function.index() as u64
    }

    /// The variable that stands for an object's address.
    pub(crate) fn base_of(&mut self, object: ObjectId) -> TermId {
        let info = &self.objects[object.0 as usize];
        if let Some(base) = info.base {
            return base;
        }
        let base = self.terms.variable(
            &format!("address!{}", info.name),
            Sort::BitVec(self.pointer_width),
        );
        self.objects[object.0 as usize].base = Some(base);
        self.observed.push(object);
        base
    }

    /// The pointer to an address: into an observed object whose range (one past its end included)
    /// holds it, else to no object.
    pub(crate) fn pointer_at(&mut self, state: &State, address: TermId) -> Pointer {
        let zero = self.terms.bv_u64(self.pointer_width, 0);
        if let Some(value) = self.terms.as_bv(address) {
            let value = value.to_u64().unwrap_or(u64::MAX);
            let function = self
                .program
                .functions
                .ids()
                .find(|id| self.function_address(*id) == value);
            return match function {
                _ if value == 0 => Pointer::new(&mut self.terms, Target::Null, zero),
                Some(function) => Pointer::new(&mut self.terms, Target::Function(function), zero),
                None => {
                    let path = self.paths.term(state.path);
                    self.guess(path, address, 0);
                    Pointer::new(&mut self.terms, Target::Device, address)
                }
            };
        }
        if self.terms.op(address) == Op::Ite {
            let [condition, then, otherwise] = self.terms.children(address)[..] else {
                return self.pointer_into_observed(state, address);
            };
            let (then, otherwise) = (self.pointer_at(state, then), self.pointer_at(state, otherwise));
            return then.select(&mut self.terms, condition, &otherwise);
        }
        self.pointer_into_observed(state, address)
    }

    fn pointer_into_observed(&mut self, state: &State, address: TermId) -> Pointer {
        let zero = self.terms.bv_u64(self.pointer_width, 0);
        if let Some((object, offset)) = self.stripped_base(address)
            && self.certainly_inside(state, object, offset)
        {
            return Pointer::new(&mut self.terms, Target::Object(object), offset);
        }
        let mut cases = Vec::new();
        let mut rest = self.terms.true_();
        for object in self.observed.clone() {
            let Some(entry) = state.memory.get(object.key()).cloned() else {
                continue;
            };
            let base = self.base_of(object);
            let offset = self.terms.bv_sub(address, base);
            let size = self.objects[object.0 as usize].size;
            let inside = self.terms.bv_ule(offset, size);
            let alive = self.terms.not(entry.freed);
            let alive = self.terms.and(alive, entry.exists);
            let hit = self.terms.and(inside, alive);
            let guard = self.terms.and(rest, hit);
            cases.push(Case {
                guard,
                target: Target::Object(object),
                offset,
            });
            let miss = self.terms.not(hit);
            rest = self.terms.and(rest, miss);
        }
        let null = self.terms.eq(address, zero);
        let guard = self.terms.and(rest, null);
        cases.push(Case {
            guard,
            target: Target::Null,
            offset: zero,
        });
        let not_null = self.terms.not(null);
        rest = self.terms.and(rest, not_null);
        cases.push(Case {
            guard: rest,
            target: Target::Raw,
            offset: address,
        });
        let here = self.here(state, rest);
        self.guess(here, address, self.observed.len());
        Pointer::from_cases(&mut self.terms, cases)
    }

    /// Notes that an integer became a pointer to no object. It is assumed to be no address of an object
    /// whose address the program observes only later: see [`Engine::address_facts`].
    fn guess(&mut self, guard: TermId, address: TermId, observed: usize) {
        if self.guesses.last() != Some(&(guard, address, observed)) {
            self.guesses.push((guard, address, observed));
        }
    }

    /// The object and offset of an address of the form `base + offset`.
    fn stripped_base(&mut self, address: TermId) -> Option<(ObjectId, TermId)> {
        let (a, b) = match (self.terms.op(address), self.terms.children(address)) {
            (Op::BvAdd, [a, b]) => (*a, Some(*b)),
            _ => (address, None),
        };
        for object in self.observed.iter().copied() {
            let base = self.objects[object.0 as usize].base;
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
        let alive = state
            .memory
            .get(object.key())
            .is_some_and(|entry| self.terms.as_bool(entry.freed) == Some(false));
        let Some(size) = self.objects[object.0 as usize].constant_size else {
            return false;
        };
        let facts = Facts::new(&self.terms, &self.paths, state.path);
        let interval = Ranges::new(&self.terms, &facts).interval(offset);
        alive && interval.low >= 0 && interval.high <= i128::from(size)
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
        let same = a.target == b.target || a.target.is_address() && b.target.is_address();
        match op {
            BinaryOp::PEq if same => self.terms.eq(a.offset, b.offset),
            BinaryOp::PEq => self.terms.false_(),
            _ => {
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
        }
    }

    /// Are the offsets of two pointers into one object, or to its end? Then they are ordered as the addresses.
    fn both_inside(&mut self, state: &State, a: &Case, b: &Case) -> bool {
        let Target::Object(object) = a.target else {
            return a.offset == b.offset;
        };
        let Some(size) = self.objects[object.0 as usize].constant_size else {
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
        let same = a.target == b.target || a.target.is_address() && b.target.is_address();
        let (left, right) = match same {
            true => (a.offset, b.offset),
            false => (self.case_address(a), self.case_address(b)),
        };
        self.terms.bv_sub(left, right)
    }

    /// Do both point into one object?
    pub(crate) fn same_object(&mut self, a: &Pointer, b: &Pointer) -> TermId {
        let mut result = self.terms.false_();
        for left in &a.cases {
            for right in &b.cases {
                if left.target == right.target || left.target.is_address() && right.target.is_address() {
                    let both = self.terms.and(left.guard, right.guard);
                    result = self.terms.or(result, both);
                }
            }
        }
        result
    }

    /// The size of the object a pointer points into; 0 where there is none.
    pub(crate) fn object_size(&mut self, state: &State, pointer: &Pointer) -> TermId {
        let state = state.clone();
        self.fold_cases(pointer, |engine, case| {
            let zero = engine.terms.bv_u64(engine.pointer_width, 0);
            match case.target {
                Target::Object(object) => match state.memory.get(object.key()) {
                    Some(entry) => {
                        engine
                            .terms
                            .ite(entry.freed, zero, engine.objects[object.0 as usize].size)
                    }
                    None => zero,
                },
                _ => zero,
            }
        })
    }

    /// The offset of a pointer in its object.
    pub(crate) fn pointer_offset(&mut self, pointer: &Pointer) -> TermId {
        self.fold_cases(pointer, |_, case| case.offset)
    }
}
