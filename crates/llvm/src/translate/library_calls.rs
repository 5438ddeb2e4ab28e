//! Functions of the C library and of verification benchmarks that are primitives here.
//!
//! Idea: a name that the program does not define itself, and that means the same everywhere, becomes
//! statements or an expression directly. Everything else of the C library is a model in C.

use kripke_elts::{BinaryOp as Op, Expr, NondetSource, StatementKind, StopReason, Type as Scalar, UnaryOp};
use kripke_model::PropertyKind;

use super::calls::CallSite;
use super::expressions::{any, as_boolean, as_unsigned, binary, boolean, int, not, select, unary};
use super::floats::{float_operation, is_of_class, renumber, rounding_numbers};
use super::function::FunctionTranslator;
use super::{Step, unsupported};

impl FunctionTranslator<'_, '_> {
    /// The results of a call that is a primitive; none where it is not.
    pub fn library_call(&mut self, site: &CallSite<'_>) -> Step<Option<Vec<Expr>>> {
        if let Some(name) = site.name.strip_prefix("__kripke_") {
            // The models' own helper functions have bodies.
            if self.unit.function_with_body(self.module, site.name).is_none() {
                return Ok(Some(self.kripke_intrinsic(name, site)?));
            }
            let asked_by = [
                ("lock_order_", PropertyKind::LockOrder),
                ("priority_", PropertyKind::PriorityInversion),
            ];
            let is_left_out =
                |(part, kind): (&str, PropertyKind)| name.starts_with(part) && !self.unit.checks(kind);
            if asked_by.into_iter().any(is_left_out) {
                return Ok(Some(Vec::new()));
            }
            return Ok(None);
        }
        if let Some(results) = self.verification_call(site)? {
            return Ok(Some(results));
        }
        if let Some(results) = self.memory_call(site)? {
            return Ok(Some(results));
        }
        if let Some(results) = self.output_call(site)? {
            return Ok(Some(results));
        }
        if let Some(results) = self.classification_call(site)? {
            return Ok(Some(results));
        }
        if let Some(results) = self.math_call(site)? {
            return Ok(Some(results));
        }
        self.control_call(site)
    }

    /// Inputs, assumptions and assertions of verification tools.
    fn verification_call(&mut self, site: &CallSite<'_>) -> Step<Option<Vec<Expr>>> {
        match site.name {
            "__VERIFIER_assume" | "__ESBMC_assume" | "__CPROVER_assume" => {
                let condition = self.truth(site, 0)?;
                self.builder.emit(StatementKind::Assume { condition });
                return Ok(Some(Vec::new()));
            }
            "__VERIFIER_assert" | "__ESBMC_assert" | "__CPROVER_assert" | "assert" => {
                let condition = self.truth(site, 0)?;
                let text = self
                    .text_argument(site, 1)
                    .unwrap_or_else(|| "assertion".to_owned());
                self.assert_that(condition, PropertyKind::Assertion, &text);
                return Ok(Some(self.zero_results(site.result)?));
            }
            "__VERIFIER_nondet_memory" => {
                let size = self.size_argument(site, 1)?;
                let source = NondetSource::Input(site.name.to_owned());
                self.havoc(site.argument(0)?, size, &source, site)?;
                return Ok(Some(Vec::new()));
            }
            "__VERIFIER_atomic_begin" | "__ESBMC_atomic_begin" | "__CPROVER_atomic_begin" => {
                self.note_section(true);
                return Ok(Some(Vec::new()));
            }
            "__VERIFIER_atomic_end" | "__ESBMC_atomic_end" | "__CPROVER_atomic_end" => {
                self.note_section(false);
                return Ok(Some(Vec::new()));
            }
            _ => {}
        }
        let is_input = [
            "__VERIFIER_nondet_",
            "nondet_",
            "__CPROVER_nondet_",
            "__ESBMC_nondet_",
        ]
        .iter()
        .any(|prefix| site.name.starts_with(prefix));
        if !is_input || self.unit.function_with_body(self.module, site.name).is_some() {
            return Ok(None);
        }
        let source = NondetSource::Input(site.name.to_owned());
        let mut results = self.nondet_results(site, &source)?;
        // A `_Bool` that comes as a wider integer is 0 or 1 all the same.
        if site.name.ends_with("_bool")
            && let (Some(Scalar::Int(width)), Some(value)) =
                (self.types.scalar(site.result), results.first_mut())
            && width > 1
        {
            let condition = binary(Op::ULe, value.clone(), int(width, 1));
            self.builder.emit(StatementKind::Assume { condition });
        }
        self.store_struct_result(site, &source)?;
        if results.is_empty() {
            results = self.zero_results(site.result)?;
        }
        Ok(Some(results))
    }

    /// The classification macros of <math.h>, called without its declarations.
    fn classification_call(&mut self, site: &CallSite<'_>) -> Step<Option<Vec<Expr>>> {
        // Bits of `llvm.is.fpclass`: NaNs, then from minus infinity to plus infinity.
        let mask = match site.name {
            "isnan" => 0x003,
            "isinf" => 0x204,
            "isfinite" | "finite" => 0x1f8,
            "isnormal" => 0x108,
            "signbit" => 0,
            _ => return Ok(None),
        };
        let ([operand], [Some(value)]) = (
            site.operands,
            &site.values.iter().map(|v| v.first()).collect::<Vec<_>>()[..],
        ) else {
            return Ok(None);
        };
        let (Some(Scalar::Float(format)), Some(Scalar::Int(width))) =
            (self.types.scalar(&operand.ty), self.types.scalar(site.result))
        else {
            return Ok(None);
        };
        let value = (*value).clone();
        if site.name == "isinf" {
            // The function that libraries still have under this name tells the infinities apart.
            let minus = is_of_class(&value, format, 0x004);
            let plus = is_of_class(&value, format, 0x200);
            let otherwise = select(minus, int(width, -1), int(width, 0));
            return Ok(Some(vec![select(plus, int(width, 1), otherwise)]));
        }
        let truth = match mask {
            0 => unary(UnaryOp::FSignBit, value),
            mask => is_of_class(&value, format, mask),
        };
        Ok(Some(vec![select(truth, int(width, 1), int(width, 0))]))
    }

    /// Heap and memory blocks.
    fn memory_call(&mut self, site: &CallSite<'_>) -> Step<Option<Vec<Expr>>> {
        let width = self.types.pointer_bits();
        Ok(Some(match site.name {
            "malloc" | "valloc" | "pvalloc" => {
                let size = self.size_argument(site, 0)?;
                vec![self.allocate(site.name, size, false, boolean(true))]
            }
            "calloc" => {
                let count = self.size_argument(site, 0)?;
                let element = self.size_argument(site, 1)?;
                let fits = match (as_unsigned(&count), as_unsigned(&element)) {
                    (Some(a), Some(b)) => {
                        let total = a.checked_mul(b);
                        boolean(total.is_some_and(|total| width == 64 || total < 1 << width))
                    }
                    _ => not(Expr::Binary(
                        Op::UMulOverflow,
                        Box::new(count.clone()),
                        Box::new(element.clone()),
                    )),
                };
                let size = binary(Op::Mul, count, element);
                vec![self.allocate(site.name, size, true, fits)]
            }
            "free" => {
                let check = self.property(
                    PropertyKind::Free,
                    "free of something that is neither null nor a live heap object",
                );
                self.builder.emit(StatementKind::Free {
                    pointer: site.argument(0)?,
                    check,
                });
                Vec::new()
            }
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" | "__aeabi_memcpy"
            | "__aeabi_memcpy4" | "__aeabi_memcpy8" | "__aeabi_memmove" => {
                let target = site.argument(0)?;
                let source = site.argument(1)?;
                let length = self.size_argument(site, 2)?;
                let operands = (&site.operands[0].value, &site.operands[1].value);
                let overlap = site.name.contains("memmove");
                self.copy_memory(target.clone(), source, length, overlap, operands);
                vec![target]
            }
            "memset" | "__memset_chk" => {
                let target = site.argument(0)?;
                let byte = self.integer_argument(site, 1, 8)?;
                let length = self.size_argument(site, 2)?;
                self.set_memory(target.clone(), byte, length, &site.operands[0].value);
                vec![target]
            }
            _ => return Ok(None),
        }))
    }

    /// A new heap object; null where `possible` is false, and anywhere when allocation may fail.
    pub fn allocate(&mut self, function: &str, size: Expr, zeroed: bool, possible: Expr) -> Expr {
        let width = self.types.pointer_bits();
        let size = self.builder.hold("size", Scalar::Int(width), size);
        let site = self.heap_site(function);
        let target = self.builder.temporary(function, Scalar::Pointer);
        let possible = if self.unit.options.malloc_may_fail {
            let succeeds = self.nondet(
                "succeeds",
                Scalar::BOOL,
                NondetSource::Library(function.to_owned()),
            );
            binary(Op::And, possible, succeeds)
        } else {
            let text = "malloc and its like succeed, also for 0 bytes (--malloc-may-fail: they may fail)";
            self.unit.assumptions.insert(text.to_owned());
            possible
        };
        let object = StatementKind::HeapObject {
            target,
            size,
            zeroed,
            site,
        };
        match as_boolean(&possible) {
            Some(true) => self.builder.emit(object),
            Some(false) => self.builder.assign(target, Expr::Null),
            None => {
                let allocated = self.builder.location("allocated");
                let failed = self.builder.location("failed");
                let done = self.builder.location("done");
                let possible = self.builder.hold("possible", Scalar::BOOL, possible);
                self.builder.branch_on(possible, allocated, failed);
                self.builder.open(allocated);
                self.builder.emit(object);
                self.builder.goto(done);
                self.builder.open(failed);
                self.builder.assign(target, Expr::Null);
                self.builder.goto(done);
                self.builder.open(done);
            }
        }
        Expr::Variable(target)
    }

    /// `<math.h>` functions that are operators, and `<fenv.h>`'s rounding modes.
    fn math_call(&mut self, site: &CallSite<'_>) -> Step<Option<Vec<Expr>>> {
        match site.name {
            "fegetround" => return self.get_rounding(site).map(Some),
            "fesetround" => return self.set_rounding(site).map(Some),
            _ => {}
        }
        let is_float = |index: usize| {
            let ty = site
                .operands
                .get(index)
                .and_then(|operand| self.types.scalar(&operand.ty));
            matches!(ty, Some(Scalar::Float(_)))
        };
        if site.operands.is_empty() || !(0..site.operands.len()).all(is_float) {
            return Ok(None);
        }
        let Some(result) = self.types.scalar(site.result) else {
            return Ok(None);
        };
        let arguments: Vec<Expr> = site.values.iter().flatten().cloned().collect();
        let stem = site.name.strip_prefix("__builtin_").unwrap_or(site.name);
        let without_suffix = stem.strip_suffix(['f', 'l']);
        for name in [Some(stem), without_suffix].into_iter().flatten() {
            if !is_intrinsic_only(name)
                && let Some(value) = float_operation(name, &arguments, result)
            {
                return Ok(Some(vec![value]));
            }
        }
        Ok(None)
    }

    fn get_rounding(&mut self, site: &CallSite<'_>) -> Step<Vec<Expr>> {
        let Some(Scalar::Int(width)) = self.types.scalar(site.result) else {
            return unsupported("`fegetround` with a result that is no integer");
        };
        let target = self.builder.temporary("rounding", Scalar::Int(width));
        self.builder.emit(StatementKind::GetRounding { target });
        let numbers = rounding_numbers(&self.unit.data_model.triple);
        Ok(vec![renumber(
            &Expr::Variable(target),
            width,
            &[0, 1, 2, 3],
            &numbers,
            -1,
        )])
    }

    fn set_rounding(&mut self, site: &CallSite<'_>) -> Step<Vec<Expr>> {
        let (Some(Scalar::Int(width)), Some(Scalar::Int(result_width))) = (
            site.operands
                .first()
                .and_then(|operand| self.types.scalar(&operand.ty)),
            self.types.scalar(site.result),
        ) else {
            return unsupported("`fesetround` without an integer");
        };
        let wanted = site.argument(0)?;
        let numbers = rounding_numbers(&self.unit.data_model.triple);
        let known = any(numbers
            .iter()
            .map(|number| binary(Op::Eq, wanted.clone(), int(width, *number)))
            .collect());
        // An unknown mode changes nothing: it is set to what it is.
        let current = self.builder.temporary("rounding", Scalar::Int(width));
        self.builder.emit(StatementKind::GetRounding { target: current });
        let mode = renumber(&wanted, width, &numbers, &[0, 1, 2, 3], 0);
        let mode = select(known.clone(), mode, Expr::Variable(current));
        self.builder.emit(StatementKind::SetRounding { mode });
        Ok(vec![select(known, int(result_width, 0), int(result_width, 1))])
    }

    /// Ways to end the program, and constructs without translation.
    fn control_call(&mut self, site: &CallSite<'_>) -> Step<Option<Vec<Expr>>> {
        match site.name {
            "abort" => self.builder.stop(StopReason::Abort, None),
            "_Exit" | "_exit" => {
                let status = self.exit_status(site)?;
                self.builder.stop(StopReason::Exit, Some(status));
            }
            "exit" | "quick_exit" => {
                if self.unit.has_body(self.module, site.name, true) {
                    return Ok(None);
                }
                let status = self.exit_status(site)?;
                let int_width = self.unit.data_model.int_width;
                let status = self.builder.hold("status", Scalar::Int(int_width), status);
                self.run_exit_handlers(site.name == "quick_exit");
                self.builder.stop(StopReason::Exit, Some(status));
            }
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "_longjmp" | "siglongjmp"
            | "__longjmp_chk" => return unsupported(format!("`{}`", site.name)),
            "fork" | "vfork" | "clone" | "_beginthreadex" => {
                return unsupported(format!("threads (`{}`)", site.name));
            }
            _ => return Ok(None),
        }
        Ok(Some(Vec::new()))
    }

    fn exit_status(&self, site: &CallSite<'_>) -> Step<Expr> {
        self.integer_argument(site, 0, self.unit.data_model.int_width)
    }

    /// Calls what runs when the program ends.
    fn run_exit_handlers(&mut self, quick: bool) {
        for function in self.unit.exit_functions(self.module, quick) {
            let call = self.unit.plain_call(function);
            self.builder.emit(call);
        }
    }
}

/// Names in the table of float operations that are LLVM's, not C's.
fn is_intrinsic_only(name: &str) -> bool {
    matches!(
        name,
        "minnum" | "maxnum" | "minimum" | "maximum" | "canonicalize" | "fmuladd"
    )
}
