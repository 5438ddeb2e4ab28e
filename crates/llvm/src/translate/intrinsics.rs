//! LLVM's intrinsic functions.
//!
//! Idea: the name says the operation, with the types as a suffix. Operations on vectors work scalar by
//! scalar. What only informs the optimiser has no effect.
//!
//! Source: LLVM language reference, "Intrinsic Functions".

use kripke_elts::{
    AccessChecks, BinaryOp as Op, CastOp as Cast, Expr, NondetSource, StatementKind, StopReason,
    Type as Scalar, UnaryOp,
};
use kripke_model::PropertyKind;
use kripke_value::BitVec;

use crate::ir::{self, CastOp, MetadataOperand, Value};

use super::calls::effect_of_call;
use super::constants::{compare, convert};
use super::expressions::{
    all, as_unsigned, binary, boolean, cast, int, is_leaf, not, pointer_add, resize, select, unary,
};
use super::floats::{float_operation, is_of_class, predicate_named, renumber};
use super::function::FunctionTranslator;
use super::memory::Use;
use super::reductions::reduce;
use super::{Step, unsupported};

/// The numbers of `FLT_ROUNDS` for nearest, toward zero, upward, downward.
const FLT_ROUNDS: [i128; 4] = [1, 0, 2, 3];

impl<'m> FunctionTranslator<'_, 'm> {
    /// The results of a call of an intrinsic.
    pub fn intrinsic(&mut self, name: &str, call: &'m ir::Call) -> Step<Vec<Expr>> {
        let base = name.strip_prefix("llvm.").unwrap_or(name);
        if let Some(constrained) = base.strip_prefix("experimental.constrained.") {
            return self.constrained(constrained, call);
        }
        if let Some(reduction) = base.strip_prefix("vector.reduce.") {
            let operation = reduction.split('.').next().unwrap_or_default();
            let values = self.intrinsic_arguments(call)?;
            return match reduce(operation, values) {
                Some(value) => Ok(vec![value]),
                None => unsupported(format!("the intrinsic `{name}`")),
            };
        }
        let mut words = base.split('.');
        let first = words.next().unwrap_or_default();
        let second = words.next().unwrap_or_default();
        match first {
            "dbg" | "invariant" | "donothing" | "prefetch" | "sideeffect" | "pseudoprobe" | "va_end"
            | "var" | "codeview" | "debugtrap" | "init" => {
                return self.zero_results(&call.result);
            }
            "experimental" if second == "noalias" => return Ok(Vec::new()),
            "lifetime" => {
                let callee = self.lifetime_marker(call);
                callee.into_iter().for_each(|marker| self.write_marker(marker));
                return Ok(Vec::new());
            }
            "stacksave" => return Ok(vec![Expr::Null]),
            "stackrestore" => {
                if let Some(saved) = call.arguments.first() {
                    self.restore_stack(&saved.value)?;
                }
                return Ok(Vec::new());
            }
            "memcpy" | "memmove" => return self.memory_copy(first == "memmove", call),
            "memset" => return self.memory_set(call),
            "va_start" | "va_copy" => return self.variable_argument_intrinsic(first, call),
            "trap" | "ubsantrap" => {
                self.assert_that(boolean(false), PropertyKind::Assertion, "a trap is reached");
                self.builder.stop(StopReason::Abort, None);
                return Ok(Vec::new());
            }
            _ => {}
        }
        if let Some(effect) = effect_of_call(name, call) {
            self.note_effect(effect);
            return Ok(Vec::new());
        }
        let values = self.intrinsic_arguments(call)?;
        if let Some(results) = self.overflow_operation(first, second, &values) {
            return Ok(results);
        }
        if let Some(results) = self.special_intrinsic(first, second, call, &values)? {
            return Ok(results);
        }
        if let Some(results) = self.elementwise(first, second, call, &values)? {
            return Ok(results);
        }
        self.math_intrinsic(first, name, call, values)
    }

    fn intrinsic_arguments(&mut self, call: &'m ir::Call) -> Step<Vec<Vec<Expr>>> {
        let values = call
            .arguments
            .iter()
            .filter(|argument| !matches!(argument.value, Value::Metadata(_)));
        values
            .map(|argument| self.value(&argument.ty, &argument.value))
            .collect()
    }

    /// The type of an argument's scalars.
    fn scalar_type_of(&self, call: &ir::Call, index: usize) -> Option<Scalar> {
        let argument = call.arguments.get(index)?;
        Some(self.types.leaves(&argument.ty).ok()?.first()?.ty)
    }

    fn overflow_operation(&self, first: &str, second: &str, values: &[Vec<Expr>]) -> Option<Vec<Expr>> {
        if second != "with" {
            return None;
        }
        let (value_op, overflow_op) = match first {
            "sadd" => (Op::Add, Op::SAddOverflow),
            "uadd" => (Op::Add, Op::UAddOverflow),
            "ssub" => (Op::Sub, Op::SSubOverflow),
            "usub" => (Op::Sub, Op::USubOverflow),
            "smul" => (Op::Mul, Op::SMulOverflow),
            "umul" => (Op::Mul, Op::UMulOverflow),
            _ => return None,
        };
        let [left, right] = values else { return None };
        let pairs = || left.iter().cloned().zip(right.iter().cloned());
        let results = pairs().map(|(a, b)| binary(value_op, a, b));
        let flags = pairs().map(|(a, b)| Expr::Binary(overflow_op, Box::new(a), Box::new(b)));
        Some(results.chain(flags).collect())
    }

    /// Intrinsics that are not an operation on each scalar.
    fn special_intrinsic(
        &mut self,
        first: &str,
        second: &str,
        call: &'m ir::Call,
        values: &[Vec<Expr>],
    ) -> Step<Option<Vec<Expr>>> {
        let width = self.types.pointer_bits();
        let argument = |index: usize| match values.get(index).and_then(|values| values.first()) {
            Some(value) => Ok(value.clone()),
            None => unsupported(format!("the intrinsic `llvm.{first}` with too few arguments")),
        };
        let result_width = match self.types.scalar(&call.result) {
            Some(Scalar::Int(bits)) => bits,
            _ => width,
        };
        Ok(Some(match (first, second) {
            ("expect", _) | ("ptr", "annotation") | ("annotation", _) | ("threadlocal", "address") => {
                vec![argument(0)?]
            }
            ("launder" | "strip", "invariant") => vec![argument(0)?],
            ("ssa", "copy") => vec![argument(0)?],
            ("arithmetic", "fence") => vec![argument(0)?],
            ("assume", _) => {
                let condition = argument(0)?;
                self.assume(condition, call)?;
                Vec::new()
            }
            ("is", "constant") => {
                let is_literal = values
                    .iter()
                    .flatten()
                    .all(|value| is_leaf(value) && !matches!(value, Expr::Variable(_)));
                vec![boolean(is_literal)]
            }
            ("objectsize", _) => {
                let wants_minimum = as_unsigned(&argument(1)?) == Some(1);
                vec![int(result_width, if wants_minimum { 0 } else { -1 })]
            }
            ("frameaddress" | "returnaddress" | "addressofreturnaddress" | "sponentry", _) => {
                let source = NondetSource::Library(format!("__builtin_{first}"));
                vec![self.nondet(first, Scalar::Pointer, source)]
            }
            ("readcyclecounter" | "readsteadycounter", _) => {
                let source = NondetSource::Library("__builtin_readcyclecounter".to_owned());
                vec![self.nondet(first, Scalar::Int(result_width), source)]
            }
            ("flt", "rounds") | ("get", "rounding") => {
                let target = self.builder.temporary("rounding", Scalar::Int(result_width));
                self.builder.emit(StatementKind::GetRounding { target });
                vec![renumber(
                    &Expr::Variable(target),
                    result_width,
                    &[0, 1, 2, 3],
                    &FLT_ROUNDS,
                    -1,
                )]
            }
            ("set", "rounding") => {
                let mode = renumber(&argument(0)?, 32, &FLT_ROUNDS, &[0, 1, 2, 3], 0);
                self.builder.emit(StatementKind::SetRounding { mode });
                Vec::new()
            }
            ("ptrmask", _) => {
                let mask_width = match self.scalar_type_of(call, 1) {
                    Some(Scalar::Int(bits)) => bits,
                    _ => width,
                };
                let pointer = argument(0)?;
                let mask = resize(argument(1)?, mask_width, width, true);
                let address = cast(Cast::PointerToInt, pointer.clone(), Scalar::Int(width));
                let below = binary(Op::And, address, not(mask));
                vec![pointer_add(pointer, binary(Op::Sub, int(width, 0), below))]
            }
            ("is", "fpclass") => {
                let Some(Scalar::Float(format)) = self.scalar_type_of(call, 0) else {
                    return Ok(None);
                };
                let Some(mask) = as_unsigned(&argument(1)?) else {
                    return Ok(None);
                };
                let tested = values[0].iter();
                tested.map(|value| is_of_class(value, format, mask)).collect()
            }
            _ => return Ok(None),
        }))
    }

    /// Operations on each scalar of the operands.
    fn elementwise(
        &mut self,
        first: &str,
        second: &str,
        call: &'m ir::Call,
        values: &[Vec<Expr>],
    ) -> Step<Option<Vec<Expr>>> {
        let leaves = self.types.leaves(&call.result)?;
        let Some(result) = leaves.first().map(|leaf| leaf.ty) else {
            return Ok(None);
        };
        let mut results = Vec::with_capacity(leaves.len());
        for index in 0..leaves.len() {
            // `i1` flags such as "zero is poison" are one for all elements.
            let operands: Option<Vec<Expr>> = values
                .iter()
                .map(|value| value.get(index).or_else(|| value.first()).cloned())
                .collect();
            let Some(operands) = operands else { return Ok(None) };
            let value = match result {
                Scalar::Int(width) => integer_intrinsic(first, second, width, &operands),
                _ => None,
            };
            match value.or_else(|| float_operation(first, &operands, result)) {
                Some(value) => results.push(self.intrinsic_result(first, result, &operands, value)),
                None => return Ok(None),
            }
        }
        Ok(Some(results))
    }

    /// Functions such as `llvm.sin`: the C library's model where it is loaded, else any value.
    fn math_intrinsic(
        &mut self,
        first: &str,
        name: &str,
        call: &'m ir::Call,
        values: Vec<Vec<Expr>>,
    ) -> Step<Vec<Expr>> {
        let is_known = matches!(
            first,
            "sin"
                | "cos"
                | "tan"
                | "asin"
                | "acos"
                | "atan"
                | "sinh"
                | "cosh"
                | "tanh"
                | "exp"
                | "exp2"
                | "exp10"
                | "log"
                | "log2"
                | "log10"
                | "pow"
                | "powi"
                | "ldexp"
                | "atan2"
                | "frexp"
        );
        let suffix = match self.types.scalar(&call.result) {
            Some(Scalar::Float(kripke_value::FloatFormat::Binary32)) => "f",
            Some(Scalar::Float(kripke_value::FloatFormat::Binary64)) => "",
            Some(Scalar::Float(_)) => "l",
            _ => return unsupported(format!("the intrinsic `{name}`")),
        };
        if !is_known {
            return unsupported(format!("the intrinsic `{name}`"));
        }
        let function = format!("{first}{suffix}");
        let site = super::calls::CallSite {
            name: &function,
            result: &call.result,
            operands: &call.arguments,
            values,
        };
        match self.unit.function_with_body(self.module, &function) {
            Some((module, index)) if first != "powi" => self.direct_call(module, index, &site),
            _ => self.nondet_results(&site, &NondetSource::Library(function.clone())),
        }
    }

    fn variable_argument_intrinsic(&mut self, first: &str, call: &'m ir::Call) -> Step<Vec<Expr>> {
        let values = self.intrinsic_arguments(call)?;
        let mut pointers = values.into_iter().flatten();
        match (first, pointers.next(), pointers.next()) {
            ("va_start", Some(list), _) => self.start_variable_arguments(list)?,
            ("va_copy", Some(target), Some(source)) => self.copy_variable_arguments(target, source)?,
            _ => return unsupported(format!("the intrinsic `llvm.{first}` with too few arguments")),
        }
        Ok(Vec::new())
    }

    /// `llvm.experimental.constrained.*`: the operations under `#pragma STDC FENV_ACCESS`.
    fn constrained(&mut self, name: &str, call: &'m ir::Call) -> Step<Vec<Expr>> {
        let operation = name.split('.').next().unwrap_or_default();
        let values = self.intrinsic_arguments(call)?;
        let Some(from) = call.arguments.first().map(|argument| &argument.ty) else {
            return unsupported(format!("the intrinsic `{name}` without arguments"));
        };
        let arithmetic = match operation {
            "fadd" => Some(Op::FAdd),
            "fsub" => Some(Op::FSub),
            "fmul" => Some(Op::FMul),
            "fdiv" => Some(Op::FDiv),
            "frem" => Some(Op::FMod),
            _ => None,
        };
        if let (Some(op), [left, right]) = (arithmetic, &values[..]) {
            let pairs = left.iter().cloned().zip(right.iter().cloned());
            return Ok(pairs.map(|(a, b)| binary(op, a, b)).collect());
        }
        let conversion = match operation {
            "fptrunc" => Some(CastOp::FpTrunc),
            "fpext" => Some(CastOp::FpExt),
            "sitofp" => Some(CastOp::SiToFp),
            "uitofp" => Some(CastOp::UiToFp),
            "fptosi" => Some(CastOp::FpToSi),
            "fptoui" => Some(CastOp::FpToUi),
            _ => None,
        };
        if let (Some(op), Some(operand)) = (conversion, values.first()) {
            return convert(&self.types, op, from, operand.clone(), &call.result);
        }
        if let ("fcmp" | "fcmps", [left, right]) = (operation, &values[..]) {
            let predicate = call.arguments.iter().find_map(|argument| match &argument.value {
                Value::Metadata(MetadataOperand::String(text)) => predicate_named(text),
                _ => None,
            });
            if let (Some(predicate), Some(ty)) = (predicate, self.scalar_type_of(call, 0)) {
                let pairs = left.iter().cloned().zip(right.iter().cloned());
                return Ok(pairs.map(|(a, b)| compare(predicate, ty, a, b)).collect());
            }
        }
        if let Some(results) = self.elementwise(operation, "", call, &values)? {
            return Ok(results);
        }
        let function = format!("llvm.experimental.constrained.{name}");
        self.math_intrinsic(operation, &function, call, values)
    }

    /// A number of bytes, as wide as a pointer.
    fn length(&mut self, argument: &'m ir::Argument) -> Step<Expr> {
        let width = self.types.bits(&argument.ty) as u32;
        let bytes = self.scalar(&argument.ty, &argument.value)?;
        Ok(resize(bytes, width, self.types.pointer_bits(), false))
    }

    fn memory_copy(&mut self, overlap: bool, call: &'m ir::Call) -> Step<Vec<Expr>> {
        let [target, source, length, ..] = &call.arguments[..] else {
            return unsupported("a memory copy with too few arguments");
        };
        let target_value = self.scalar(&target.ty, &target.value)?;
        let source_value = self.scalar(&source.ty, &source.value)?;
        let length = self.length(length)?;
        let operands = (&target.value, &source.value);
        self.copy_memory(target_value, source_value, length, overlap, operands);
        Ok(Vec::new())
    }

    /// Writes a copy with its checks.
    pub fn copy_memory(
        &mut self,
        target: Expr,
        source: Expr,
        length: Expr,
        overlap: bool,
        operands: (&Value, &Value),
    ) {
        if as_unsigned(&length) == Some(0) {
            return;
        }
        let known = as_unsigned(&length);
        let writes = self.range_checks(&target, known, 1, operands.0, Use::Write);
        let reads = self.range_checks(&source, known, 1, operands.1, Use::Copy);
        if !overlap {
            self.assert_no_overlap(&target, &source, &length, operands.1);
        }
        let checks = AccessChecks {
            pointer: writes.pointer.or(reads.pointer),
            uninitialised: None,
        };
        self.builder.emit(StatementKind::CopyMemory {
            target,
            source,
            length,
            overlap,
            checks,
        });
    }

    /// The areas of `memcpy` are disjoint, or the same (as in `*p = *p`).
    fn assert_no_overlap(&mut self, target: &Expr, source: &Expr, length: &Expr, operand: &Value) {
        if target == source || self.are_distinct(target, source) || self.is_variable_argument(operand) {
            return;
        }
        let width = self.types.pointer_bits();
        let difference = Expr::Binary(Op::PDiff, Box::new(target.clone()), Box::new(source.clone()));
        let difference = self.builder.hold("distance", Scalar::Int(width), difference);
        let backwards = binary(Op::Sub, int(width, 0), difference.clone());
        let far = |distance: Expr| binary(Op::ULe, length.clone(), distance);
        // Modulo the address range, one of the two distances is the short way round.
        let apart = all(vec![far(difference.clone()), far(backwards)]);
        let same = Expr::SameObject(Box::new(target.clone()), Box::new(source.clone()));
        let equal = binary(Op::Eq, difference, int(width, 0));
        let fine = super::expressions::any(vec![not(same), equal, apart]);
        self.assert_that(
            fine,
            PropertyKind::LibraryContract,
            "memcpy between overlapping memory areas",
        );
    }

    fn memory_set(&mut self, call: &'m ir::Call) -> Step<Vec<Expr>> {
        let [target, value, length, ..] = &call.arguments[..] else {
            return unsupported("memset with too few arguments");
        };
        let pointer = self.scalar(&target.ty, &target.value)?;
        let byte = self.scalar(&value.ty, &value.value)?;
        let length = self.length(length)?;
        self.set_memory(pointer, byte, length, &target.value);
        Ok(Vec::new())
    }

    /// Writes a `memset` with its checks; the value has eight bits.
    pub fn set_memory(&mut self, target: Expr, value: Expr, length: Expr, operand: &Value) {
        if as_unsigned(&length) == Some(0) {
            return;
        }
        let checks = self.range_checks(&target, as_unsigned(&length), 1, operand, Use::Write);
        self.builder.emit(StatementKind::SetMemory {
            target,
            value,
            length,
            checks,
        });
    }
}

/// Integer intrinsics on one scalar.
fn integer_intrinsic(first: &str, second: &str, width: u32, operands: &[Expr]) -> Option<Expr> {
    let one = |op: UnaryOp| Some(unary(op, operands.first()?.clone()));
    let two = |op: Op| {
        Some(Expr::Binary(
            op,
            Box::new(operands.first()?.clone()),
            Box::new(operands.get(1)?.clone()),
        ))
    };
    match (first, second) {
        ("bswap", _) => one(UnaryOp::ByteSwap),
        ("bitreverse", _) => one(UnaryOp::BitReverse),
        ("ctpop", _) => one(UnaryOp::PopCount),
        ("ctlz", _) => one(UnaryOp::LeadingZeros),
        ("cttz", _) => one(UnaryOp::TrailingZeros),
        ("smin", _) => two(Op::SMin),
        ("smax", _) => two(Op::SMax),
        ("umin", _) => two(Op::UMin),
        ("umax", _) => two(Op::UMax),
        ("sadd", "sat") => two(Op::SAddSat),
        ("uadd", "sat") => two(Op::UAddSat),
        ("ssub", "sat") => two(Op::SSubSat),
        ("usub", "sat") => two(Op::USubSat),
        ("abs", _) => {
            let value = operands.first()?;
            let negative = binary(Op::SLt, value.clone(), int(width, 0));
            Some(select(
                negative,
                unary(UnaryOp::Neg, value.clone()),
                value.clone(),
            ))
        }
        ("fshl" | "fshr", _) => {
            let [high, low, distance] = operands else {
                return None;
            };
            Some(funnel_shift(first == "fshl", width, high, low, distance))
        }
        _ => None,
    }
}

/// Both operands side by side, shifted by the distance modulo the width; one half is the result.
fn funnel_shift(left: bool, width: u32, high: &Expr, low: &Expr, distance: &Expr) -> Expr {
    let both = Expr::Concat(Box::new(high.clone()), Box::new(low.clone()));
    let modulus = Expr::Int(BitVec::new(width, u128::from(width)));
    let distance = binary(Op::URem, distance.clone(), modulus);
    let distance = cast(Cast::ZExt, distance, Scalar::Int(2 * width));
    let (op, from) = if left { (Op::Shl, width) } else { (Op::LShr, 0) };
    Expr::Extract {
        high: from + width - 1,
        low: from,
        value: Box::new(binary(op, both, distance)),
    }
}
