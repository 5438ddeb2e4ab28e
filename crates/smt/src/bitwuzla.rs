//! The embedded solver: Bitwuzla through its C interface.
//!
//! This is the only module with `unsafe` code. What keeps it sound:
//! - an instance owns its term manager, its options and its solver; they are deleted in that
//!   reverse order when it is dropped, and no handle leaves this module;
//! - handles are plain numbers that stay valid as long as the term manager (none is released);
//! - Bitwuzla reports misuse through a process-wide abort callback. Ours notes the message for the
//!   calling thread and returns; every call that can fail looks for a note before its result is
//!   used, turns it into a [`SolverError`] and marks the instance broken: it is asked nothing more;
//! - the termination callback gets a pointer to a `Watch` that the instance owns;
//! - a check runs on a thread of its own, with a large stack, while the calling thread only waits: an
//!   instance is never used by two threads at once. Bitwuzla looks at its callback only between
//!   steps, and a step of preprocessing can take long, so a check that does not end soon after its
//!   limit is abandoned: the caller touches the instance no more, as it counts as broken, and it is freed
//!   when neither the caller nor the thread has it any more.

#![allow(
    unsafe_code,
    reason = "the C interface of the embedded solver; see the module's text"
)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use bitwuzla_sys as sys;
use kripke_limits::{Exhausted, Limits};
use kripke_value::{BitVec, FloatFormat, RoundingMode};
use rustc_hash::FxHashMap;

use crate::lower::{Backend, Lowering, Sides};
use crate::op::{Op, Sort};
use crate::solver::{SatResult, Solver, SolverError};
use crate::terms::{TermId, Terms};
use crate::value::{ArrayValue, Value};

thread_local! {
    static ABORT_NOTE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Notes Bitwuzla's message instead of ending the process.
extern "C" fn note_abort(message: *const c_char) {
    // SAFETY: Bitwuzla passes a terminated string that lives during the call.
    let text = unsafe { CStr::from_ptr(message) }
        .to_string_lossy()
        .trim()
        .to_owned();
    ABORT_NOTE.with(|note| note.borrow_mut().get_or_insert(text).len());
}

/// What the termination callback looks at.
#[derive(Default)]
struct Watch {
    limits: Limits,
    calls: u32,
    reason: Option<Exhausted>,
}

extern "C" fn should_stop(state: *mut c_void) -> i32 {
    // SAFETY: the state is the `Watch` of the instance that is being asked; Bitwuzla calls back on the
    // thread of the check, and the asking thread leaves it alone meanwhile.
    let watch = unsafe { &mut *state.cast::<Watch>() };
    watch.calls += 1;
    // Memory costs a system call; the callback comes thousands of times a second.
    let reason = if watch.calls % 256 == 0 {
        watch.limits.exceeded()
    } else {
        watch.limits.stopped()
    };
    watch.reason = watch.reason.or(reason);
    i32::from(watch.reason.is_some())
}

/// What Bitwuzla has made, owned by whoever holds it last: by the caller, or by the thread of a check that
/// was abandoned.
struct Instance {
    raw: *mut sys::Bitwuzla,
    options: *mut sys::BitwuzlaOptions,
    manager: *mut sys::BitwuzlaTermManager,
    watch: *mut Watch,
}

// SAFETY: Bitwuzla ties no instance to a thread. The thread of a check uses it while the asking thread waits,
// which then goes on with it, or, after it has stopped waiting, never touches it again.
unsafe impl Send for Instance {}
// SAFETY: as above; two threads hold it, and one uses it.
unsafe impl Sync for Instance {}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: all were created by `Bitwuzla::with` and are deleted once, users before what they use.
        unsafe {
            sys::bitwuzla_delete(self.raw);
            sys::bitwuzla_options_delete(self.options);
            sys::bitwuzla_term_manager_delete(self.manager);
            drop(Box::from_raw(self.watch));
        }
        ABORT_NOTE.with(|note| note.borrow_mut().take());
    }
}

/// Terms are handles.
struct Manager {
    raw: *mut sys::BitwuzlaTermManager,
    sorts: FxHashMap<Sort, sys::BitwuzlaSort>,
    fresh: u32,
}

/// Bitwuzla inside this process.
pub struct Bitwuzla {
    /// Its pointers live as long as it does.
    instance: Arc<Instance>,
    manager: Manager,
    lowering: Lowering<sys::BitwuzlaTerm>,
    sides: Sides,
    /// What the last check assumed, where it is told which of it excludes the rest.
    assumed: Vec<sys::BitwuzlaTerm>,
    cores: bool,
    broken: Option<String>,
}

/// How long after a limit a check may still end by itself.
const GRACE: Duration = Duration::from_millis(500);
/// The same where nobody waits for the answer any more.
const GRACE_OF_CANCELLED: Duration = Duration::from_millis(20);
/// How often waiting looks at the limits.
const POLL: Duration = Duration::from_millis(20);
/// Stack of a check: Bitwuzla recurses in places.
const STACK: usize = 1 << 28;

/// A check handed to its thread.
struct Question {
    instance: Arc<Instance>,
    assumptions: Vec<sys::BitwuzlaTerm>,
}

// SAFETY: the terms belong to the instance, for which the same holds.
unsafe impl Send for Question {}

impl Question {
    /// The answer and the note of an abort. The instance goes before the answer does: nobody uses it at the
    /// same time, and it is freed if nobody waits for the answer.
    fn ask(mut self) -> (sys::BitwuzlaResult, Option<String>) {
        // SAFETY: a live solver, Boolean terms of its manager, a pointer and length of one vector.
        // The callback is kept per thread, so this one sets it.
        let result = unsafe {
            sys::bitwuzla_set_abort_callback(Some(note_abort));
            sys::bitwuzla_check_sat_assuming(
                self.instance.raw,
                self.assumptions.len() as u32,
                self.assumptions.as_mut_ptr(),
            )
        };
        (result, ABORT_NOTE.with(|note| note.borrow_mut().take()))
    }
}

impl Bitwuzla {
    /// A new instance with nothing asserted.
    pub fn new() -> Result<Self, SolverError> {
        Self::with(true, false)
    }

    /// A new instance for many small questions that have most terms in common: it does not simplify each of
    /// them as a whole, so that all share what they are made of.
    pub fn incremental() -> Result<Self, SolverError> {
        Self::with(false, false)
    }

    /// The same, and of assumptions that have no model together it tells some that already have none.
    pub fn with_cores() -> Result<Self, SolverError> {
        Self::with(false, true)
    }

    fn with(preprocess: bool, cores: bool) -> Result<Self, SolverError> {
        let watch = Box::into_raw(Box::<Watch>::default());
        // SAFETY: creation in the order the interface asks for; the callbacks fit their types, and
        // the watch outlives the solver.
        let instance = unsafe {
            sys::bitwuzla_set_abort_callback(Some(note_abort));
            let manager = sys::bitwuzla_term_manager_new();
            let options = sys::bitwuzla_options_new();
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_PRODUCE_MODELS, 1);
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_PREPROCESS, u64::from(preprocess));
            let option = sys::BITWUZLA_OPT_PRODUCE_UNSAT_ASSUMPTIONS;
            sys::bitwuzla_set_option(options, option, u64::from(cores));
            let raw = sys::bitwuzla_new(manager, options);
            sys::bitwuzla_set_termination_callback(raw, Some(should_stop), watch.cast());
            Instance {
                raw,
                options,
                manager,
                watch,
            }
        };
        let mut solver = Bitwuzla {
            manager: Manager {
                raw: instance.manager,
                sorts: FxHashMap::default(),
                fresh: 0,
            },
            instance: Arc::new(instance),
            lowering: Lowering::default(),
            sides: Sides::default(),
            assumed: Vec::new(),
            cores,
            broken: None,
        };
        solver.verify()?;
        Ok(solver)
    }

    fn error(message: impl Into<String>) -> SolverError {
        SolverError {
            solver: "bitwuzla".to_owned(),
            message: message.into(),
        }
    }

    /// Turns a noted abort into an error, and refuses an instance that had one.
    fn verify(&mut self) -> Result<(), SolverError> {
        if let Some(note) = ABORT_NOTE.with(|note| note.borrow_mut().take()) {
            self.broken = Some(note);
        }
        match &self.broken {
            Some(note) => Err(Self::error(note.clone())),
            None => Ok(()),
        }
    }

    fn lower(&mut self, terms: &Terms, term: TermId) -> Result<sys::BitwuzlaTerm, SolverError> {
        self.verify()?;
        let lowered = self.lowering.lower(&mut self.manager, terms, term);
        self.verify()?;
        Ok(lowered)
    }

    fn assert_sides(&mut self) {
        for &side in self.sides.take(self.lowering.sides()) {
            // SAFETY: a live solver and a Boolean term of its manager.
            unsafe { sys::bitwuzla_assert(self.instance.raw, side) };
        }
    }

    /// Asks on another thread; `None` when the check is abandoned.
    fn ask(
        &mut self,
        assumptions: Vec<sys::BitwuzlaTerm>,
        limits: &Limits,
    ) -> Result<Option<sys::BitwuzlaResult>, SolverError> {
        let question = Question {
            instance: Arc::clone(&self.instance),
            assumptions,
        };
        let (sender, receiver) = channel();
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || sender.send(question.ask()))
            .map_err(|error| Self::error(format!("cannot start a thread: {error}")))?;
        let mut exceeded = None;
        loop {
            match receiver.recv_timeout(POLL) {
                Ok((result, note)) => {
                    self.broken = note.or(self.broken.take());
                    self.verify()?;
                    return Ok(Some(result));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.abandon();
                    return Err(Self::error("the solver's thread died"));
                }
            }
            if exceeded.is_none() && limits.exceeded().is_some() {
                exceeded = Some(Instant::now());
            }
            let grace = match limits.cancel.load(Ordering::Relaxed) {
                true => GRACE_OF_CANCELLED,
                false => GRACE,
            };
            if exceeded.is_some_and(|since| since.elapsed() > grace) {
                self.abandon();
                return Ok(None);
            }
        }
    }

    fn abandon(&mut self) {
        self.broken = Some("it was abandoned after a limit; start another instance".to_owned());
    }

    /// True when an instance can answer nothing more.
    pub fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    fn read(&mut self, term: sys::BitwuzlaTerm, sort: Sort) -> Result<Value, SolverError> {
        // SAFETY: a live solver whose last answer was "satisfiable" (otherwise it notes an abort,
        // which is looked for before the result is used) and a term of its manager.
        let value = unsafe { sys::bitwuzla_get_value(self.instance.raw, term) };
        self.verify()?;
        Ok(match sort {
            // SAFETY: the value of a Boolean term is a Boolean value.
            Sort::Bool => Value::Bool(unsafe { sys::bitwuzla_term_value_get_bool(value) }),
            Sort::BitVec(width) => Value::BitVec(self.read_bits(value, width)?),
            // SAFETY: the value of a rounding mode term is a rounding mode.
            Sort::RoundingMode => Value::Rounding(match unsafe { sys::bitwuzla_term_value_get_rm(value) } {
                sys::BITWUZLA_RM_RNA => RoundingMode::NearestAway,
                sys::BITWUZLA_RM_RTN => RoundingMode::Downward,
                sys::BITWUZLA_RM_RTP => RoundingMode::Upward,
                sys::BITWUZLA_RM_RTZ => RoundingMode::TowardZero,
                _ => RoundingMode::NearestEven,
            }),
            Sort::Array { index, element } => Value::Array(self.read_array(value, index, element)?),
            Sort::Float(_) => return Err(Self::error("a float variable is read through its bits")),
        })
    }

    fn read_bits(&mut self, value: sys::BitwuzlaTerm, width: u32) -> Result<BitVec, SolverError> {
        // SAFETY: a bit-vector value; the string belongs to Bitwuzla and is copied at once.
        let text = unsafe { sys::bitwuzla_term_value_get_str_fmt(value, 2) };
        self.verify()?;
        // SAFETY: the call succeeded, so this is a terminated string.
        let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
        BitVec::parse(width, &text, 2).ok_or_else(|| Self::error(format!("unreadable value {text}")))
    }

    /// Reads a chain of stores down to a constant array; the outermost store of an index counts.
    fn read_array(
        &mut self,
        value: sys::BitwuzlaTerm,
        index: u32,
        element: u32,
    ) -> Result<ArrayValue, SolverError> {
        let mut writes = Vec::new();
        let mut rest = value;
        loop {
            let mut count = 0;
            // SAFETY: a term of this manager; the children are copied before the next call.
            let (kind, children) = unsafe {
                let children = sys::bitwuzla_term_get_children(rest, &raw mut count);
                let children = if count == 0 {
                    Vec::new()
                } else {
                    std::slice::from_raw_parts(children, count).to_vec()
                };
                (sys::bitwuzla_term_get_kind(rest), children)
            };
            self.verify()?;
            match (kind, &children[..]) {
                (sys::BITWUZLA_KIND_ARRAY_STORE, &[array, at, value]) => {
                    writes.push((self.read_bits(at, index)?, self.read_bits(value, element)?));
                    rest = array;
                }
                (sys::BITWUZLA_KIND_CONST_ARRAY, &[value]) => {
                    let mut array = ArrayValue::constant(index, self.read_bits(value, element)?);
                    for (at, value) in writes.into_iter().rev() {
                        array = array.with(at, value);
                    }
                    return Ok(array);
                }
                _ => return Err(Self::error(format!("unreadable array value (kind {kind})"))),
            }
        }
    }
}

impl Solver for Bitwuzla {
    fn assert(&mut self, terms: &Terms, term: TermId) -> Result<(), SolverError> {
        let lowered = self.lower(terms, term)?;
        // SAFETY: a live solver and a Boolean term of its manager.
        unsafe { sys::bitwuzla_assert(self.instance.raw, lowered) };
        self.verify()
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.verify()?;
        self.sides.push();
        // SAFETY: a live solver.
        unsafe { sys::bitwuzla_push(self.instance.raw, 1) };
        self.verify()
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.verify()?;
        self.sides.pop();
        // SAFETY: a live solver; popping too much is noted as an abort.
        unsafe { sys::bitwuzla_pop(self.instance.raw, 1) };
        self.verify()
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<SatResult, SolverError> {
        self.verify()?;
        let mut lowered = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            lowered.push(self.lower(terms, assumption)?);
        }
        if self.cores {
            self.assumed.clone_from(&lowered);
        }
        self.assert_sides();
        self.verify()?;
        if let Some(reason) = limits.exceeded() {
            return Ok(SatResult::Unknown(reason.to_string()));
        }
        let watch = Watch {
            limits: limits.clone(),
            ..Watch::default()
        };
        // SAFETY: it lives as long as the instance, and no check is under way.
        unsafe { *self.instance.watch = watch };
        let Some(result) = self.ask(lowered, limits)? else {
            return Ok(SatResult::Unknown(
                limits
                    .exceeded()
                    .map_or("limit".to_owned(), |reason| reason.to_string()),
            ));
        };
        Ok(match result {
            sys::BITWUZLA_SAT => SatResult::Sat,
            sys::BITWUZLA_UNSAT => SatResult::Unsat,
            _ => {
                // SAFETY: it lives as long as the instance, and the check has ended.
                let reason = unsafe { (*self.instance.watch).reason };
                let gave_up = || "the solver gave up".to_owned();
                SatResult::Unknown(reason.map_or_else(gave_up, |reason| reason.to_string()))
            }
        })
    }

    fn variable_value(&mut self, terms: &Terms, variable: TermId) -> Result<Value, SolverError> {
        self.verify()?;
        let sort = terms.sort(variable);
        let Some(&lowered) = self.lowering.variable(variable) else {
            return Ok(Value::zero(sort));
        };
        if let Sort::Float(format) = sort {
            let bits = self.read(lowered, Sort::BitVec(format.bits()))?;
            return Ok(match bits {
                Value::BitVec(bits) => Value::Float(kripke_value::Float::from_bits(format, &bits)),
                other => other,
            });
        }
        self.read(lowered, sort)
    }

    fn excluding(&mut self) -> Result<Option<Vec<usize>>, SolverError> {
        self.verify()?;
        if !self.cores {
            return Ok(None);
        }
        let mut excluding = Vec::new();
        for (number, &term) in self.assumed.iter().enumerate() {
            // SAFETY: a live solver that was told to note this, and a term that its last check assumed; where
            // that did not answer "unsatisfiable", an abort is noted.
            if unsafe { sys::bitwuzla_is_unsat_assumption(self.instance.raw, term) } {
                excluding.push(number);
            }
        }
        self.verify()?;
        Ok(Some(excluding))
    }

    fn name(&self) -> &str {
        "bitwuzla"
    }
}

impl Manager {
    fn sort(&mut self, sort: Sort) -> sys::BitwuzlaSort {
        if let Some(&known) = self.sorts.get(&sort) {
            return known;
        }
        // SAFETY: a live manager; widths are at least 1 by construction of terms.
        let made = unsafe {
            match sort {
                Sort::Bool => sys::bitwuzla_mk_bool_sort(self.raw),
                Sort::BitVec(width) => sys::bitwuzla_mk_bv_sort(self.raw, u64::from(width)),
                Sort::Float(format) => sys::bitwuzla_mk_fp_sort(
                    self.raw,
                    u64::from(format.exponent_bits()),
                    u64::from(format.significand_bits()),
                ),
                Sort::RoundingMode => sys::bitwuzla_mk_rm_sort(self.raw),
                Sort::Array { index, element } => {
                    let (index, element) = (self.sort(Sort::BitVec(index)), self.sort(Sort::BitVec(element)));
                    sys::bitwuzla_mk_array_sort(self.raw, index, element)
                }
            }
        };
        self.sorts.insert(sort, made);
        made
    }

    fn constant(&mut self, name: &str, sort: Sort) -> sys::BitwuzlaTerm {
        let sort = self.sort(sort);
        let name = CString::new(name.replace('\0', " ")).unwrap_or_default();
        // SAFETY: a live manager, one of its sorts, a terminated string that Bitwuzla copies.
        unsafe { sys::bitwuzla_mk_const(self.raw, sort, name.as_ptr()) }
    }

    fn make(
        &mut self,
        kind: sys::BitwuzlaKind,
        operands: &[sys::BitwuzlaTerm],
        indices: &[u64],
    ) -> sys::BitwuzlaTerm {
        let (mut operands, mut indices) = (operands.to_vec(), indices.to_vec());
        // SAFETY: a live manager, terms of it, pointers and lengths of these two vectors.
        unsafe {
            sys::bitwuzla_mk_term_indexed(
                self.raw,
                kind,
                operands.len() as u32,
                operands.as_mut_ptr(),
                indices.len() as u32,
                indices.as_mut_ptr(),
            )
        }
    }
}

impl Backend for Manager {
    type Term = sys::BitwuzlaTerm;

    fn variable(&mut self, name: &str, sort: Sort) -> Self::Term {
        self.constant(name, sort)
    }

    fn fresh(&mut self, width: u32) -> Self::Term {
        self.fresh += 1;
        self.constant(&format!("bits!{}", self.fresh), Sort::BitVec(width))
    }

    fn bool_(&mut self, value: bool) -> Self::Term {
        // SAFETY: a live manager.
        unsafe {
            if value {
                sys::bitwuzla_mk_true(self.raw)
            } else {
                sys::bitwuzla_mk_false(self.raw)
            }
        }
    }

    fn bv(&mut self, value: &BitVec) -> Self::Term {
        let sort = self.sort(Sort::BitVec(value.width()));
        if let Some(small) = value.to_u64() {
            // SAFETY: a live manager and a bit-vector sort of it, wide enough for the value.
            return unsafe { sys::bitwuzla_mk_bv_value_uint64(self.raw, sort, small) };
        }
        let text = CString::new(value.to_binary()).unwrap_or_default();
        // SAFETY: as above; the digits are binary and as many as the sort is wide.
        unsafe { sys::bitwuzla_mk_bv_value(self.raw, sort, text.as_ptr(), 2) }
    }

    fn rounding(&mut self, mode: RoundingMode) -> Self::Term {
        let mode = match mode {
            RoundingMode::NearestEven => sys::BITWUZLA_RM_RNE,
            RoundingMode::NearestAway => sys::BITWUZLA_RM_RNA,
            RoundingMode::TowardZero => sys::BITWUZLA_RM_RTZ,
            RoundingMode::Upward => sys::BITWUZLA_RM_RTP,
            RoundingMode::Downward => sys::BITWUZLA_RM_RTN,
        };
        // SAFETY: a live manager and a rounding mode.
        unsafe { sys::bitwuzla_mk_rm_value(self.raw, mode) }
    }

    fn nan(&mut self, format: FloatFormat) -> Self::Term {
        let sort = self.sort(Sort::Float(format));
        // SAFETY: a live manager and a float sort of it.
        unsafe { sys::bitwuzla_mk_fp_nan(self.raw, sort) }
    }

    fn float_from_bits(&mut self, format: FloatFormat, bits: &Self::Term) -> Self::Term {
        let indices = [
            u64::from(format.exponent_bits()),
            u64::from(format.significand_bits()),
        ];
        self.make(sys::BITWUZLA_KIND_FP_TO_FP_FROM_BV, &[*bits], &indices)
    }

    fn extend(&mut self, signed: bool, from: u32, to: u32, operand: &Self::Term) -> Self::Term {
        let kind = if signed {
            sys::BITWUZLA_KIND_BV_SIGN_EXTEND
        } else {
            sys::BITWUZLA_KIND_BV_ZERO_EXTEND
        };
        self.make(kind, &[*operand], &[u64::from(to - from)])
    }

    fn apply(&mut self, op: Op, operands: &[Self::Term]) -> Self::Term {
        if let Op::ConstArray(index) = op {
            return self.constant_array(index, operands[0]);
        }
        let format_indices = |format: FloatFormat| {
            vec![
                u64::from(format.exponent_bits()),
                u64::from(format.significand_bits()),
            ]
        };
        let indices = match op {
            Op::BvExtract { high, low } => vec![u64::from(high), u64::from(low)],
            Op::FpConvert(format) | Op::FpFromSigned(format) | Op::FpFromUnsigned(format) => {
                format_indices(format)
            }
            Op::FpToSigned(width) | Op::FpToUnsigned(width) => vec![u64::from(width)],
            _ => Vec::new(),
        };
        self.make(kind_of(op), operands, &indices)
    }

    fn has_overflow_predicates(&self) -> bool {
        true
    }

    fn divides_by_sides(&self) -> bool {
        true
    }
}

impl Manager {
    fn constant_array(&mut self, index: u32, element: sys::BitwuzlaTerm) -> sys::BitwuzlaTerm {
        // SAFETY: a live manager, a bit-vector term of it.
        let width = unsafe { sys::bitwuzla_term_bv_get_size(element) } as u32;
        let sort = self.sort(Sort::Array {
            index,
            element: width,
        });
        // SAFETY: an array sort of this manager and a term of its element sort.
        unsafe { sys::bitwuzla_mk_const_array(self.raw, sort, element) }
    }
}

/// Bitwuzla's name of an operator.
fn kind_of(op: Op) -> sys::BitwuzlaKind {
    match op {
        Op::Not => sys::BITWUZLA_KIND_NOT,
        Op::And => sys::BITWUZLA_KIND_AND,
        Op::Or => sys::BITWUZLA_KIND_OR,
        Op::Xor => sys::BITWUZLA_KIND_XOR,
        Op::Ite => sys::BITWUZLA_KIND_ITE,
        Op::Eq => sys::BITWUZLA_KIND_EQUAL,
        Op::BvNot => sys::BITWUZLA_KIND_BV_NOT,
        Op::BvNeg => sys::BITWUZLA_KIND_BV_NEG,
        Op::BvAnd => sys::BITWUZLA_KIND_BV_AND,
        Op::BvOr => sys::BITWUZLA_KIND_BV_OR,
        Op::BvXor => sys::BITWUZLA_KIND_BV_XOR,
        Op::BvAdd => sys::BITWUZLA_KIND_BV_ADD,
        Op::BvSub => sys::BITWUZLA_KIND_BV_SUB,
        Op::BvMul => sys::BITWUZLA_KIND_BV_MUL,
        Op::BvUdiv => sys::BITWUZLA_KIND_BV_UDIV,
        Op::BvUrem => sys::BITWUZLA_KIND_BV_UREM,
        Op::BvSdiv => sys::BITWUZLA_KIND_BV_SDIV,
        Op::BvSrem => sys::BITWUZLA_KIND_BV_SREM,
        Op::BvShl => sys::BITWUZLA_KIND_BV_SHL,
        Op::BvLshr => sys::BITWUZLA_KIND_BV_SHR,
        Op::BvAshr => sys::BITWUZLA_KIND_BV_ASHR,
        Op::BvUlt => sys::BITWUZLA_KIND_BV_ULT,
        Op::BvUle => sys::BITWUZLA_KIND_BV_ULE,
        Op::BvSlt => sys::BITWUZLA_KIND_BV_SLT,
        Op::BvSle => sys::BITWUZLA_KIND_BV_SLE,
        Op::BvSaddo => sys::BITWUZLA_KIND_BV_SADD_OVERFLOW,
        Op::BvUaddo => sys::BITWUZLA_KIND_BV_UADD_OVERFLOW,
        Op::BvSsubo => sys::BITWUZLA_KIND_BV_SSUB_OVERFLOW,
        Op::BvUsubo => sys::BITWUZLA_KIND_BV_USUB_OVERFLOW,
        Op::BvSmulo => sys::BITWUZLA_KIND_BV_SMUL_OVERFLOW,
        Op::BvUmulo => sys::BITWUZLA_KIND_BV_UMUL_OVERFLOW,
        Op::BvConcat => sys::BITWUZLA_KIND_BV_CONCAT,
        Op::BvExtract { .. } => sys::BITWUZLA_KIND_BV_EXTRACT,
        Op::BvZeroExtend(_) => sys::BITWUZLA_KIND_BV_ZERO_EXTEND,
        Op::BvSignExtend(_) => sys::BITWUZLA_KIND_BV_SIGN_EXTEND,
        Op::FpAdd => sys::BITWUZLA_KIND_FP_ADD,
        Op::FpSub => sys::BITWUZLA_KIND_FP_SUB,
        Op::FpMul => sys::BITWUZLA_KIND_FP_MUL,
        Op::FpDiv => sys::BITWUZLA_KIND_FP_DIV,
        Op::FpFma => sys::BITWUZLA_KIND_FP_FMA,
        Op::FpSqrt => sys::BITWUZLA_KIND_FP_SQRT,
        Op::FpRem => sys::BITWUZLA_KIND_FP_REM,
        Op::FpRound => sys::BITWUZLA_KIND_FP_RTI,
        Op::FpAbs => sys::BITWUZLA_KIND_FP_ABS,
        Op::FpNeg => sys::BITWUZLA_KIND_FP_NEG,
        Op::FpEq => sys::BITWUZLA_KIND_FP_EQUAL,
        Op::FpLt => sys::BITWUZLA_KIND_FP_LT,
        Op::FpLe => sys::BITWUZLA_KIND_FP_LEQ,
        Op::FpIsNan => sys::BITWUZLA_KIND_FP_IS_NAN,
        Op::FpIsInf => sys::BITWUZLA_KIND_FP_IS_INF,
        Op::FpIsZero => sys::BITWUZLA_KIND_FP_IS_ZERO,
        Op::FpIsNormal => sys::BITWUZLA_KIND_FP_IS_NORMAL,
        Op::FpIsSubnormal => sys::BITWUZLA_KIND_FP_IS_SUBNORMAL,
        Op::FpIsNegative => sys::BITWUZLA_KIND_FP_IS_NEG,
        Op::FpConvert(_) => sys::BITWUZLA_KIND_FP_TO_FP_FROM_FP,
        Op::FpFromSigned(_) => sys::BITWUZLA_KIND_FP_TO_FP_FROM_SBV,
        Op::FpFromUnsigned(_) => sys::BITWUZLA_KIND_FP_TO_FP_FROM_UBV,
        Op::FpToSigned(_) => sys::BITWUZLA_KIND_FP_TO_SBV,
        Op::FpToUnsigned(_) => sys::BITWUZLA_KIND_FP_TO_UBV,
        Op::Select => sys::BITWUZLA_KIND_ARRAY_SELECT,
        Op::Store => sys::BITWUZLA_KIND_ARRAY_STORE,
        Op::ConstArray(_) => sys::BITWUZLA_KIND_CONST_ARRAY,
        Op::Lambda(_)
        | Op::Variable(_)
        | Op::Bool(_)
        | Op::BitVec(_)
        | Op::Float(_)
        | Op::Rounding(_)
        | Op::FpFromBits(_)
        | Op::FpToBits => unreachable!("{op:?} is lowered otherwise"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Bitwuzla, Question};
    use crate::solver::Solver;
    use crate::terms::Terms;

    #[test]
    fn an_abandoned_check_frees_the_instance_when_it_ends() {
        let mut solver = Bitwuzla::new().expect("a solver");
        let instance = Arc::downgrade(&solver.instance);
        let question = Question {
            instance: Arc::clone(&solver.instance),
            assumptions: Vec::new(),
        };
        solver.abandon();
        let terms = Terms::new();
        assert!(solver.push().is_err() && solver.pop().is_err());
        assert!(
            solver
                .check(&terms, &[], &kripke_limits::Limits::default())
                .is_err()
        );
        drop(solver);
        assert!(instance.upgrade().is_some());
        question.ask();
        assert!(instance.upgrade().is_none());
    }
}
