//! Loads and stores through pointers, and what can be wrong with them.
//!
//! Idea: each case of the pointer is judged by itself; what is wrong in any case is one violation condition,
//! and the path goes on where nothing is. What can be decided from constants and ranges never
//! becomes a term. Every write to memory goes through [`Engine::write_at`].

use kripke_elts::{AccessChecks, NondetSource, PropertyId, Type};
use kripke_smt::TermId;

use crate::contents::{Cell, Contents, Initialised};
use crate::engine::Engine;
use crate::object::{ObjectId, ObjectInfo, ObjectKind, Rest};
use crate::persistent::PersistentMap;
use crate::range::{Ranges, candidates};
use crate::record::Cut;
use crate::state::State;
use crate::value::{Case, Pointer, Target, Value};

/// How many candidate cells an access may have before its object becomes an array.
const MAX_CANDIDATES: usize = 64;
/// The same in inductions, as invariants speak of cells.
const MAX_CANDIDATES_IN_INDUCTION: usize = 128;
/// The same where pointers are concerned, which arrays cannot hold.
const MAX_POINTER_CANDIDATES: usize = 4096;

/// What a verdict rests on where the program reaches memory through numbers.
const DEVICE: &str = "what lies at an address that the program names as a number is a register: a read gives \
    any \
                      value, a write changes nothing that the program reads";

/// Why an induction ends where a summary is taken for an object; no pointer points to one in that way.
const NO_INDIVIDUAL: &str = "many objects are taken for one";

/// An access to be judged.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    /// How many bytes (pointer width).
    pub length: TermId,
    /// Required alignment.
    pub align: u32,
    /// Does it write?
    pub write: bool,
    /// The property that it violates when it is wrong.
    pub check: Option<PropertyId>,
}

impl Access {
    /// An access to single bytes, so many of them.
    pub fn bytes(length: TermId, write: bool, checks: AccessChecks) -> Self {
        Access {
            length,
            align: 1,
            write,
            check: checks.pointer,
        }
    }
}

impl Engine<'_> {
    /// The objects as the program starts.
    pub(crate) fn create_globals(&mut self, state: &mut State) {
        let program = self.program;
        let truth = self.terms.true_();
        for (id, global) in program.globals.enumerate() {
            let size = self.terms.bv_u64(self.pointer_width, global.size);
            let rest = match global.rest {
                kripke_elts::InitialRest::Zero => Rest::Zero,
                kripke_elts::InitialRest::Nondet | kripke_elts::InitialRest::Registers => Rest::Nondet,
            };
            let name = self.names.global(id);
            self.run.objects.add(ObjectInfo {
                kind: ObjectKind::Global(id),
                name,
                size,
                constant_size: Some(global.size),
                align: global.align.max(1),
                constant: global.constant,
                rest,
                created: truth,
                base: None,
                origin_bytes: None,
                dies_early: false,
            });
        }
        for id in program.globals.ids() {
            let cells = self.initial_cells(state, id);
            self.put_object(state, ObjectId::global(id), Contents::Cells(cells));
        }
    }

    fn put_object(&mut self, state: &mut State, object: ObjectId, contents: Contents) {
        let (freed, exists) = (self.terms.false_(), self.terms.true_());
        state.memory.set(
            object.key(),
            crate::contents::ObjectState {
                freed,
                exists,
                contents,
            },
        );
    }

    /// A new stack or heap object; one on the stack lives until the running function returns. `None` when no
    /// path goes on.
    pub(crate) fn create_object(
        &mut self,
        state: &mut State,
        kind: ObjectKind,
        size: TermId,
        align: u32,
        rest: Rest,
    ) -> Option<Pointer> {
        let created = self.run.paths.term(state.path);
        let align = align.max(1);
        if let Some(summary) = self.summary_that_takes(state, kind, (size, rest), align) {
            return self.create_individual(state, summary);
        }
        let object = match self.made_elsewhere(state, kind, (size, rest), align) {
            Some(object) => {
                let info = &mut self.run.objects[object];
                info.created = self.terms.or(info.created, created);
                if !self.top().stack_objects.contains(&object) {
                    self.dies_with_top(object);
                }
                object
            }
            None => self.add_object(kind, (size, rest), align, created),
        };
        self.run.objects.note_turn(object, true, created);
        self.touch_site(state, object);
        self.run.record.object_created(created, object);
        self.put_object(state, object, Contents::Cells(PersistentMap::default()));
        let zero = self.terms.bv_u64(self.pointer_width, 0);
        Some(Pointer::new(&mut self.terms, Target::Object(object), zero))
    }

    /// The object that other states have made, where this one makes the same: the only one of a run; or the
    /// next one of the heap where threads run, of which a state knows all that it has made.
    fn made_elsewhere(
        &self,
        state: &State,
        kind: ObjectKind,
        like: (TermId, Rest),
        align: u32,
    ) -> Option<ObjectId> {
        let covers = self.covers_threads();
        // What stands for any state stands for all objects of a place that it has forgotten: nothing points
        // to them, and no number in it is known to be the address of one.
        let is_new = |object: ObjectId| state.memory.get(object.key()).is_none();
        let is_shared = |object: ObjectId| match kind {
            ObjectKind::Stack(site) => self.program.object_sites[site].once || covers && is_new(object),
            ObjectKind::Heap(_) => is_new(object),
            ObjectKind::Global(_) => false,
        };
        if !self.has_threads() && !covers {
            return None;
        }
        let mut made = self.run.objects.of_kind(kind).iter().copied();
        made.find(|object| is_shared(*object) && self.run.objects[*object].is_made_like(like, align))
    }

    pub(crate) fn add_object(
        &mut self,
        kind: ObjectKind,
        (size, rest): (TermId, Rest),
        align: u32,
        created: TermId,
    ) -> ObjectId {
        let name = self.fresh_name();
        let constant_size = self.terms.as_bv(size).and_then(|size| size.to_u64());
        let object = self.run.objects.add(ObjectInfo {
            kind,
            name,
            size,
            constant_size,
            align: align.max(1),
            constant: false,
            rest,
            created,
            base: None,
            origin_bytes: None,
            dies_early: false,
        });
        self.dies_with_top(object);
        object
    }

    /// An object of the stack dies at the latest when the running function returns.
    fn dies_with_top(&mut self, object: ObjectId) {
        if let ObjectKind::Stack(_) = self.run.objects[object].kind {
            self.top().stack_objects.push(object);
        }
    }

    /// Judges an access: records what can be wrong, and confines the state's path to where nothing is. The
    /// cases that remain, or `None` when the path ends here.
    pub(crate) fn judge(
        &mut self,
        state: &mut State,
        pointer: &Pointer,
        access: Access,
    ) -> Option<Vec<Case>> {
        let mut wrong = self.terms.false_();
        let mut unknown = self.terms.false_();
        let mut valid = Vec::new();
        let pointer = self.locate(state, pointer);
        for case in &pointer.cases {
            let possible = self.decide(state, case.guard);
            if possible == Some(false) {
                continue;
            }
            self.touch_bytes(state, case, (self.constant(access.length), access.write));
            if case.target == Target::Raw || self.is_device_or_object(case) {
                unknown = self.terms.or(unknown, case.guard);
                continue;
            }
            if case.target == Target::Device {
                self.run.record.assumptions.insert(DEVICE.to_string());
            }
            let bad = self.wrong_case(state, case, access);
            let bad_here = self.terms.and(case.guard, bad);
            wrong = self.terms.or(wrong, bad_here);
            if self.terms.as_bool(bad) != Some(true) {
                valid.push(*case);
            }
        }
        let nothing = self.is_zero(access.length);
        let something = self.terms.not(nothing);
        wrong = self.terms.and(wrong, something);
        unknown = self.terms.and(unknown, something);
        if !self.violation_or_misuse(
            state,
            wrong,
            access.check,
            "memory is accessed through an invalid pointer",
        ) {
            return None;
        }
        let what = "access through an integer that is the address of no known object".to_string();
        if !self.cut_off(state, unknown, Cut::Unsupported { what }) {
            return None;
        }
        valid.retain(|case| self.decide(state, case.guard) != Some(false));
        if let [only] = &mut valid[..] {
            only.guard = self.terms.true_();
        }
        Some(valid)
    }

    /// Was the address of a register computed from that of an object? Then it may be the object's.
    fn is_device_or_object(&self, case: &Case) -> bool {
        let bases = || {
            let observed = self.run.objects.observed.iter();
            observed.filter_map(|object| self.run.objects[*object].base)
        };
        case.target == Target::Device && !self.terms.is_const(case.offset) && bases().next().is_some() && {
            let variables = self.terms.variables_of(&[case.offset]);
            bases().any(|base| variables.contains(&base))
        }
    }

    fn is_zero(&mut self, term: TermId) -> TermId {
        let zero = self.terms.bv_u64(self.terms.width(term), 0);
        self.terms.eq(term, zero)
    }

    /// What is wrong with an access to one target.
    fn wrong_case(&mut self, state: &State, case: &Case, access: Access) -> TermId {
        match case.target {
            Target::Null | Target::Function(_) | Target::Raw => self.terms.true_(),
            Target::Device => self.misaligned(state, case.offset, access.align),
            Target::Summary(object) => {
                let info = self.run.objects[object].clone();
                if !info.align.is_multiple_of(access.align.max(1)) {
                    self.give_up("one of many objects is accessed with more alignment than it has");
                }
                let outside = self.outside(state, case.offset, access.length, &info);
                let misaligned = self.misaligned(state, case.offset, access.align);
                let freed = self.is_freed(state, case);
                self.terms.or_all([freed, outside, misaligned])
            }
            Target::Object(object) => {
                let Some(entry) = state.memory.get(object.key()) else {
                    return self.terms.true_();
                };
                let freed = entry.freed;
                let info = self.run.objects[object].clone();
                if access.write && info.constant {
                    return self.terms.true_();
                }
                let outside = self.outside(state, case.offset, access.length, &info);
                let misaligned = if info.align.is_multiple_of(access.align.max(1)) {
                    self.misaligned(state, case.offset, access.align)
                } else {
                    let base = self.base_of(object);
                    let address = self.terms.bv_add(base, case.offset);
                    self.misaligned(state, address, access.align)
                };
                let wrong = self.terms.or(outside, misaligned);
                self.terms.or(freed, wrong)
            }
        }
    }

    fn misaligned(&mut self, state: &State, offset: TermId, align: u32) -> TermId {
        if align <= 1 {
            return self.terms.false_();
        }
        if !self.terms.is_const(offset) {
            let facts = self.facts(state.path);
            let interval = Ranges::new(&self.terms, &facts).interval(offset);
            if interval.low % i128::from(align) == 0 && interval.stride % i128::from(align) == 0 {
                return self.terms.false_();
            }
        }
        let mask = self.terms.bv_u64(self.pointer_width, u64::from(align) - 1);
        let rest = self.terms.bv_and(offset, mask);
        let aligned = self.is_zero(rest);
        self.terms.not(aligned)
    }

    /// Is any of the bytes outside the object?
    fn outside(&mut self, state: &State, offset: TermId, length: TermId, info: &ObjectInfo) -> TermId {
        if let (Some(size), Some(bytes)) = (info.constant_size, self.constant(length))
            && !self.terms.is_const(offset)
        {
            let facts = self.facts(state.path);
            let interval = Ranges::new(&self.terms, &facts).interval(offset);
            if interval.low >= 0 && interval.high.saturating_add(i128::from(bytes)) <= i128::from(size) {
                return self.terms.false_();
            }
        }
        if let (Some(at), Some(bytes)) = (self.constant(offset), self.constant(length)) {
            let end = u128::from(at) + u128::from(bytes);
            if end > u128::from(self.farthest_end(info.kind)) {
                return self.terms.true_();
            }
        }
        let too_long = self.terms.bv_ult(info.size, length);
        let last = self.terms.bv_sub(info.size, length);
        let too_far = self.terms.bv_ult(last, offset);
        self.terms.or(too_long, too_far)
    }

    /// Where an object of unknown size ends at the latest, as seen from its start: no object lies at the ends
    /// of the address space, and heap objects take no more than an allocation may.
    fn farthest_end(&self, kind: ObjectKind) -> u64 {
        match kind {
            ObjectKind::Heap(_) => self.program.data_model.largest_allocation(),
            _ => (u64::MAX >> (64 - self.pointer_width)) - self.margin,
        }
    }

    /// The number a term stands for, where it is constant.
    pub(crate) fn constant(&self, term: TermId) -> Option<u64> {
        self.terms.as_bv(term).and_then(|value| value.to_u64())
    }

    /// Is a read of the object one of a register?
    pub(crate) fn is_register(&self, object: ObjectId, volatile: bool) -> bool {
        match self.run.objects[object].kind {
            ObjectKind::Global(id) => match self.program.globals[id].rest {
                kripke_elts::InitialRest::Registers => true,
                kripke_elts::InitialRest::Nondet => volatile,
                kripke_elts::InitialRest::Zero => false,
            },
            _ => false,
        }
    }

    /// What reports call the register at a distance from where the case points to.
    pub(crate) fn register_name(&self, case: &Case, distance: u64) -> String {
        let offset = self
            .constant(case.offset)
            .map(|offset| offset.wrapping_add(distance));
        match case.target {
            Target::Object(object) => match self.run.objects[object].kind {
                ObjectKind::Global(id) => kripke_elts::register_name(&self.program.globals[id], offset),
                _ => "memory-mapped register".to_string(),
            },
            _ => offset.map_or_else(
                || "memory-mapped register".to_string(),
                |address| format!("{address:#x}"),
            ),
        }
    }

    /// An access to a whole value of a type.
    fn access_to(&mut self, ty: Type, align: u32, write: bool, checks: AccessChecks) -> Access {
        Access {
            length: self.terms.bv_u64(self.pointer_width, self.bytes_of(ty)),
            align: demanded_align(align, checks),
            write,
            check: checks.pointer,
        }
    }

    /// `*(ty*)pointer`; `None` when no path goes on.
    pub(crate) fn load(
        &mut self,
        state: &mut State,
        pointer: &Pointer,
        ty: Type,
        align: u32,
        volatile: bool,
        checks: AccessChecks,
    ) -> Option<Value> {
        let access = self.access_to(ty, align, false, checks);
        let cases = self.judge(state, pointer, access)?;
        let mut value: Option<Value> = None;
        let mut unwritten = self.terms.false_();
        for case in cases.iter().rev() {
            let own = match case.target {
                Target::Object(object) if !self.is_register(object, volatile) => {
                    let (value, written) = self.read_at(state, object, case.offset, ty, access.align);
                    let written = written.all(&mut self.terms);
                    let missing = self.terms.not(written);
                    let missing = self.terms.and(case.guard, missing);
                    unwritten = self.terms.or(unwritten, missing);
                    value
                }
                Target::Summary(object) => {
                    let (value, written) = self.read_individual(state, object, case, ty);
                    let written = written.all(&mut self.terms);
                    let missing = self.terms.not(written);
                    let missing = self.terms.and(case.guard, missing);
                    unwritten = self.terms.or(unwritten, missing);
                    value
                }
                _ => self.device_value(state, case, ty),
            };
            value = Some(match value {
                None => own,
                Some(rest) => own.select(&mut self.terms, case.guard, &rest),
            });
        }
        if let Some(property) = checks.uninitialised {
            if !self.violation_or_misuse(state, unwritten, Some(property), "") {
                return None;
            }
            if cases.iter().any(|case| case.individual.is_some()) {
                return value.map(|value| self.without_impossible(state, value));
            }
        }
        value
    }

    /// A value without cases that the path excludes.
    fn without_impossible(&mut self, state: &State, value: Value) -> Value {
        let Value::Pointer(mut pointer) = value else {
            return value;
        };
        pointer
            .cases
            .retain(|case| self.decide(state, case.guard) != Some(false));
        Value::Pointer(Pointer::from_cases(&mut self.terms, pointer.cases))
    }

    fn device_value(&mut self, state: &State, case: &Case, ty: Type) -> Value {
        let at = self.register_name(case, 0);
        let path = self.run.paths.term(state.path);
        let guard = self.terms.and(path, case.guard);
        self.nondet(guard, &NondetSource::Device(at), ty)
    }

    /// `*(ty*)pointer = value`; false when no path goes on.
    pub(crate) fn store(
        &mut self,
        state: &mut State,
        pointer: &Pointer,
        (value, ty): (&Value, Type),
        align: u32,
        checks: AccessChecks,
    ) -> bool {
        let access = self.access_to(ty, align, true, checks);
        let Some(cases) = self.judge(state, pointer, access) else {
            return false;
        };
        let truth = self.terms.true_();
        let cell = Cell {
            value: self.encode_cell(value, ty),
            bytes: self.bytes_of(ty) as u32,
            initialised: Initialised::Whole(truth),
        };
        for case in cases {
            match case.target {
                Target::Object(object) => {
                    self.touch_count(state, object, value);
                    self.write_at(state, object, case.offset, &cell, case.guard, access.align);
                }
                Target::Summary(object) => {
                    self.write_individual(state, object, &case, &cell, case.guard);
                }
                _ => {}
            }
        }
        true
    }

    /// The largest power of two that divides every offset of an access in the object.
    fn known_align(&self, object: ObjectId, align: u32) -> u64 {
        u64::from(align.max(1).min(self.run.objects[object].align))
    }

    /// Reads at an offset that was judged.
    pub(crate) fn read_at(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: TermId,
        ty: Type,
        align: u32,
    ) -> (Value, Initialised) {
        let bytes = self.bytes_of(ty);
        let align = self.known_align(object, align);
        let Some(mut entry) = state.memory.get(object.key()).cloned() else {
            // The judgement excluded it on this path; any value will do.
            let truth = self.terms.true_();
            return (self.zero(ty), Initialised::Whole(truth));
        };
        if let Contents::Cells(cells) = &entry.contents {
            if let Some(offset) = self.constant(offset) {
                return self.read_cells(state, object, cells, offset, ty);
            }
            let limit = self.candidate_limit(cells, ty == Type::Pointer);
            if let Some(choices) = self.choices(state, object, offset, bytes, align, limit) {
                return self.read_choices(state, object, cells, &choices, ty);
            }
            entry.contents = Contents::Array(self.array_of(state, object, cells, bytes));
            state.memory.set(object.key(), entry.clone());
        }
        let Contents::Array(array) = entry.contents else {
            self.give_up(NO_INDIVIDUAL);
            return (self.zero(ty), Initialised::Whole(self.terms.true_()));
        };
        let (bits, written) = self.read_array(state, &array, offset, bytes, align);
        (self.decode_cell(state, &Value::Term(bits), ty), written)
    }

    pub(crate) fn zero(&mut self, ty: Type) -> Value {
        match ty {
            Type::Pointer => {
                let zero = self.terms.bv_u64(self.pointer_width, 0);
                Value::Pointer(Pointer::new(&mut self.terms, Target::Null, zero))
            }
            Type::Int(1) => Value::Term(self.terms.false_()),
            Type::Int(width) => Value::Term(self.terms.bv(kripke_value::BitVec::zero(width))),
            Type::Float(format) => Value::Term(self.terms.float(kripke_value::Float::zero(format, false))),
        }
    }

    fn candidate_limit(&self, cells: &PersistentMap<Cell>, pointer: bool) -> usize {
        let mut pointers = pointer;
        cells.for_each(&mut |_, cell| pointers |= matches!(cell.value, Value::Pointer(_)));
        if pointers {
            MAX_POINTER_CANDIDATES
        } else {
            let most = match self.run.induction {
                Some(_) => MAX_CANDIDATES_IN_INDUCTION,
                None => MAX_CANDIDATES,
            };
            self.options.array_threshold.unwrap_or(most)
        }
    }

    /// The offsets an access may have, each with the condition that picks it.
    pub(crate) fn choices(
        &mut self,
        state: &State,
        object: ObjectId,
        offset: TermId,
        bytes: u64,
        align: u64,
        limit: usize,
    ) -> Option<Vec<(TermId, i128)>> {
        let size = self.run.objects[object].constant_size;
        let high = match size {
            Some(size) if size < bytes => return Some(Vec::new()),
            Some(size) => i128::from(size - bytes),
            None => i128::MAX >> 8,
        };
        let facts = self.facts(state.path);
        candidates(
            &mut self.terms,
            &facts,
            offset,
            (0, high),
            i128::from(align),
            limit,
        )
    }

    fn read_choices(
        &mut self,
        state: &State,
        object: ObjectId,
        cells: &PersistentMap<Cell>,
        choices: &[(TermId, i128)],
        ty: Type,
    ) -> (Value, Initialised) {
        let bytes = self.bytes_of(ty);
        let mut result: Option<(Value, Initialised)> = None;
        for (condition, at) in choices.iter().rev() {
            let own = self.read_cells(state, object, cells, *at as u64, ty);
            result = Some(match result {
                None => own,
                Some(rest) => (
                    own.0.select(&mut self.terms, *condition, &rest.0),
                    own.1.select(&mut self.terms, *condition, &rest.1, bytes),
                ),
            });
        }
        result.unwrap_or_else(|| {
            let truth = self.terms.true_();
            (self.zero(ty), Initialised::Whole(truth))
        })
    }

    /// Writes a cell at an offset that was judged, where the guard holds.
    pub(crate) fn write_at(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: TermId,
        cell: &Cell,
        guard: TermId,
        align: u32,
    ) {
        if self.is_register(object, false) {
            return;
        }
        let align = self.known_align(object, align);
        let Some(mut entry) = state.memory.get(object.key()).cloned() else {
            return;
        };
        if let Contents::Cells(cells) = &mut entry.contents {
            if let Some(offset) = self.constant(offset) {
                self.write_cells(state, object, cells, offset, cell, guard);
                state.memory.set(object.key(), entry);
                return;
            }
            let limit = self.candidate_limit(cells, matches!(cell.value, Value::Pointer(_)));
            let bytes = u64::from(cell.bytes);
            if let Some(choices) = self.choices(state, object, offset, bytes, align, limit) {
                for (condition, at) in choices {
                    let guard = self.terms.and(guard, condition);
                    self.write_cells(state, object, cells, at as u64, cell, guard);
                }
                state.memory.set(object.key(), entry);
                return;
            }
            let array = self.array_of(state, object, cells, bytes);
            entry.contents = Contents::Array(array);
        }
        match &mut entry.contents {
            Contents::Array(array) => {
                let bits = self.raw_bits(cell);
                self.write_array(state, array, offset, bits, &cell.initialised, guard, align);
                state.memory.set(object.key(), entry);
            }
            Contents::Cells(_) => {}
            Contents::Summary(_) => self.give_up(NO_INDIVIDUAL),
        }
    }

    pub(crate) fn raw_bits(&mut self, cell: &Cell) -> TermId {
        let bits = self.cell_bits(&cell.value);
        self.terms.bv_zext(bits, cell.bytes * 8)
    }

    /// A state has an object of the stack no longer. Where others may be made in its place, it is kept as
    /// long as something points to it, so that what points to it does not point to those.
    pub(crate) fn remove_object(&mut self, state: &mut State, object: ObjectId) {
        let is_stack = matches!(self.run.objects[object].kind, ObjectKind::Stack(_));
        self.touch_life(state, object, true);
        let kept = match self.covers_threads() && is_stack {
            true => state.memory.get(object.key()).cloned(),
            false => None,
        };
        match kept {
            Some(entry) => state.memory.set(
                object.key(),
                crate::contents::ObjectState {
                    freed: self.terms.true_(),
                    contents: Contents::Cells(PersistentMap::default()),
                    ..entry
                },
            ),
            None => state.memory.remove(object.key()),
        }
    }

    /// The stack object that the pointer points to dies, as all of a function's do when it returns.
    pub(crate) fn end_object(&mut self, state: &mut State, pointer: &Pointer) {
        for case in &pointer.cases {
            let Target::Object(object) = case.target else {
                continue;
            };
            let info = &mut self.run.objects[object];
            let can_end = match info.kind {
                ObjectKind::Stack(_) => true,
                // With the thread that has it.
                ObjectKind::Global(global) => self.program.globals[global].thread_local,
                ObjectKind::Heap(_) => false,
            };
            if !can_end {
                continue;
            }
            info.dies_early = true;
            let dies = self.here(state, case.guard);
            self.object_dies(object, dies);
            match self.decide(state, case.guard) {
                Some(true) => self.remove_object(state, object),
                Some(false) => {}
                None => {
                    let Some(mut entry) = state.memory.get(object.key()).cloned() else {
                        continue;
                    };
                    self.touch_life(state, object, true);
                    entry.freed = self.terms.or(entry.freed, case.guard);
                    state.memory.set(object.key(), entry);
                }
            }
        }
    }

    /// `free(pointer)`; false when no path goes on.
    pub(crate) fn free(&mut self, state: &mut State, pointer: &Pointer, check: Option<PropertyId>) -> bool {
        let mut wrong = self.terms.false_();
        self.touch_heap(state);
        let pointer = self.locate(state, pointer);
        for case in &pointer.cases {
            let at_start = self.is_zero(case.offset);
            let moved = self.terms.not(at_start);
            let bad = match case.target {
                Target::Null => moved,
                Target::Object(object) => {
                    self.touch_life(state, object, true);
                    let is_heap = matches!(self.run.objects[object].kind, ObjectKind::Heap(_));
                    match state.memory.get(object.key()) {
                        Some(entry) if is_heap => self.terms.or(entry.freed, moved),
                        _ => self.terms.true_(),
                    }
                }
                Target::Summary(_) => {
                    let freed = self.is_freed(state, case);
                    self.terms.or(freed, moved)
                }
                _ => self.terms.true_(),
            };
            let bad = self.terms.and(case.guard, bad);
            wrong = self.terms.or(wrong, bad);
        }
        if !self.violation_or_misuse(state, wrong, check, "something that is no heap object is freed") {
            return false;
        }
        for case in &pointer.cases {
            if let Target::Summary(object) = case.target {
                self.free_individual(state, object, case);
                continue;
            }
            let Target::Object(object) = case.target else {
                continue;
            };
            let Some(mut entry) = state.memory.get(object.key()).cloned() else {
                continue;
            };
            if matches!(entry.contents, Contents::Summary(_)) {
                self.give_up(NO_INDIVIDUAL);
                continue;
            }
            entry.freed = match self.decide(state, case.guard) {
                Some(true) => self.terms.true_(),
                Some(false) => continue,
                None => self.terms.or(entry.freed, case.guard),
            };
            let dies = self.here(state, case.guard);
            self.object_dies(object, dies);
            if self.terms.as_bool(entry.freed) == Some(true) {
                entry.contents = Contents::Cells(PersistentMap::default());
            }
            state.memory.set(object.key(), entry);
        }
        true
    }
}

/// A misaligned access that nobody checks goes on as on machines that allow it (see [`AccessChecks`]).
fn demanded_align(align: u32, checks: AccessChecks) -> u32 {
    if checks.pointer.is_some() { align } else { 1 }
}
