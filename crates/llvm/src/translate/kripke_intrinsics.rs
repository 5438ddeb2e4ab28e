//! The functions `__kripke_*` that the models of the C library are written with.

use kripke_elts::{BinaryOp as Op, CastOp as Cast, Expr, NondetSource, StatementKind, Type as Scalar};
use kripke_model::PropertyKind;
use kripke_value::MathFunction;

use crate::ir::Value;

use super::calls::CallSite;
use super::constants::zero;
use super::expressions::{binary, int, pointer_add, resize};
use super::function::FunctionTranslator;
use super::memory::Use;
use super::{Step, unsupported};

impl FunctionTranslator<'_, '_> {
    /// The results of a call of `__kripke_NAME`.
    pub fn kripke_intrinsic(&mut self, name: &str, site: &CallSite<'_>) -> Step<Vec<Expr>> {
        let width = self.types.pointer_bits();
        let result = self.types.scalar(site.result);
        let as_result = |value: Expr, from: u32| match result {
            Some(Scalar::Int(bits)) => vec![resize(value, from, bits, false)],
            _ => vec![value],
        };
        Ok(match name {
            "assert" => {
                let condition = self.truth(site, 0)?;
                let message = self.text_argument(site, 1);
                let message = message.as_deref().unwrap_or("the function's contract is kept");
                self.assert_contract(condition, message);
                Vec::new()
            }
            "assert_lock_order" => self.assert_of_threads(site, PropertyKind::LockOrder)?,
            "assert_priority_inversion" => self.assert_of_threads(site, PropertyKind::PriorityInversion)?,
            "assert_thread_leak" => self.assert_of_threads(site, PropertyKind::ThreadLeak)?,
            "choose" => {
                let source = NondetSource::Library(kripke_elts::interrupts::CHOICE.to_owned());
                self.nondet_results(site, &source)?
            }
            "loop_invariant" => {
                let condition = self.truth(site, 0)?;
                self.rely_on_the_end_of_conditions();
                let text = "the loop invariant does not hold";
                self.assert_that(condition, PropertyKind::LoopInvariant, text);
                self.zero_results(site.result)?
            }
            "requires" | "ensures" => self.check_contract(name, site)?,
            "assigns" | "assigns_whole" | "assigns_from" => self.note_assigned(name, site)?,
            "assume" => {
                let condition = self.truth(site, 0)?;
                self.builder.emit(StatementKind::Assume { condition });
                Vec::new()
            }
            "rely" => {
                let condition = self.truth(site, 0)?;
                let Some(text) = self.text_argument(site, 1) else {
                    return unsupported("an assumption without a text");
                };
                self.unit.assumptions.insert(text);
                if super::expressions::as_boolean(&condition) != Some(true) {
                    self.builder.emit(StatementKind::Assume { condition });
                }
                Vec::new()
            }
            "unsupported" => {
                let what = self.text_argument(site, 0);
                return unsupported(what.unwrap_or_else(|| self.function.name.to_string()));
            }
            "object_size" => as_result(Expr::ObjectSize(Box::new(site.argument(0)?)), width),
            "pointer_offset" => as_result(Expr::PointerOffset(Box::new(site.argument(0)?)), width),
            "same_object" => {
                let same = Expr::SameObject(Box::new(site.argument(0)?), Box::new(site.argument(1)?));
                as_result(same, 1)
            }
            "havoc" => {
                let source = self
                    .text_argument(site, 2)
                    .unwrap_or_else(|| self.function.name.to_string());
                let size = self.size_argument(site, 1)?;
                self.havoc(site.argument(0)?, size, &NondetSource::Library(source), site)?;
                Vec::new()
            }
            _ if name.starts_with("nondet_") => {
                let source = self
                    .text_argument(site, 0)
                    .unwrap_or_else(|| self.function.name.to_string());
                self.nondet_results(site, &NondetSource::Library(source))?
            }
            _ if name.starts_with("thread_") => {
                let results = self.thread_intrinsic(&name["thread_".len()..], site)?;
                results
                    .into_iter()
                    .flat_map(|value| as_result(value, 32))
                    .collect()
            }
            _ if name.starts_with("math_") => vec![self.math_function(site)?],
            _ => return unsupported(format!("the function `__kripke_{name}`")),
        })
    }

    /// The value of a function of analysis; any value in a format whose values nobody knows.
    fn math_function(&mut self, site: &CallSite<'_>) -> Step<Expr> {
        let name = self
            .text_argument(site, 0)
            .unwrap_or_else(|| self.function.name.to_string());
        let Some(ty) = self.types.scalar(site.result) else {
            return unsupported(format!("the function `{name}`"));
        };
        match MathFunction::from_name(&name) {
            Some(function) if matches!(ty, Scalar::Float(format) if MathFunction::knows(format)) => {
                let arguments = (0..function.arity()).map(|index| site.argument(index + 1));
                let arguments = arguments.collect::<Step<Vec<Expr>>>()?;
                let target = self.builder.temporary(&name, ty);
                self.builder.emit(StatementKind::Math {
                    target,
                    function,
                    arguments,
                });
                Ok(Expr::Variable(target))
            }
            _ => Ok(self.nondet(site.name, ty, NondetSource::Library(name))),
        }
    }

    /// Asserts what is asked of threads by itself.
    fn assert_of_threads(&mut self, site: &CallSite<'_>, kind: PropertyKind) -> Step<Vec<Expr>> {
        let condition = self.truth(site, 0)?;
        let Some(text) = self.text_argument(site, 1) else {
            return unsupported("a property without a text");
        };
        if self.unit.checks(kind) {
            let position = self.builder.position;
            let property = self.unit.properties.add(self.id, kind, position, text);
            self.builder.emit(StatementKind::Assert { condition, property });
        }
        Ok(Vec::new())
    }

    /// Asserts what a library function asks of its caller. The text names the function itself.
    fn assert_contract(&mut self, condition: Expr, message: &str) {
        if super::expressions::as_boolean(&condition) == Some(true)
            || !self.unit.checks(PropertyKind::LibraryContract)
        {
            return;
        }
        let position = self.builder.position;
        let kind = PropertyKind::LibraryContract;
        let property = self
            .unit
            .properties
            .add(self.id, kind, position, message.to_owned());
        self.builder.emit(StatementKind::Assert { condition, property });
    }

    /// An argument as a truth value: not zero.
    pub fn truth(&self, site: &CallSite<'_>, index: usize) -> Step<Expr> {
        let value = site.argument(index)?;
        let Some(ty) = site
            .operands
            .get(index)
            .and_then(|operand| self.types.scalar(&operand.ty))
        else {
            return unsupported(format!("a call of `{}` with an aggregate", site.name));
        };
        Ok(match ty {
            Scalar::BOOL => value,
            Scalar::Int(_) => binary(Op::Ne, value, zero(ty)),
            Scalar::Float(_) => super::expressions::not(binary(Op::FEq, value, zero(ty))),
            Scalar::Pointer => super::expressions::not(binary(Op::PEq, value, Expr::Null)),
        })
    }

    /// The string literal that an argument points to.
    pub fn text_argument(&self, site: &CallSite<'_>, index: usize) -> Option<String> {
        match &site.operands.get(index)?.value {
            Value::Constant(constant) => self.unit.literal_text(self.module, constant),
            Value::Local(name) => match &self.definitions.get(&**name)?.kind {
                crate::ir::InstructionKind::GetElementPointer {
                    base: (_, Value::Constant(constant)),
                    ..
                } => self.unit.literal_text(self.module, constant),
                _ => None,
            },
            _ => None,
        }
    }

    /// An integer argument as a number of pointer width.
    pub fn size_argument(&self, site: &CallSite<'_>, index: usize) -> Step<Expr> {
        self.integer_argument(site, index, self.types.pointer_bits())
    }

    /// An integer argument brought to a width.
    pub fn integer_argument(&self, site: &CallSite<'_>, index: usize, width: u32) -> Step<Expr> {
        let value = site.argument(index)?;
        match site
            .operands
            .get(index)
            .and_then(|operand| self.types.scalar(&operand.ty))
        {
            Some(Scalar::Int(bits)) => Ok(resize(value, bits, width, false)),
            Some(Scalar::Pointer) => {
                let pointer_width = self.types.pointer_bits();
                let address = super::expressions::cast(Cast::PointerToInt, value, Scalar::Int(pointer_width));
                Ok(resize(address, pointer_width, width, false))
            }
            _ => unsupported(format!(
                "a call of `{}` with an argument of another type",
                site.name
            )),
        }
    }

    /// Gives every byte of a memory area any value, in a loop.
    pub fn havoc(&mut self, start: Expr, size: Expr, source: &NondetSource, site: &CallSite<'_>) -> Step<()> {
        let width = self.types.pointer_bits();
        let size = self.builder.hold("size", Scalar::Int(width), size);
        let start = self.builder.hold("start", Scalar::Pointer, start);
        let index = self.builder.temporary("index", Scalar::Int(width));
        self.builder.assign(index, int(width, 0));
        let head = self.builder.location("havoc");
        let body = self.builder.location("havoc.body");
        let done = self.builder.location("havoc.done");
        self.builder.goto(head);
        self.builder.open(head);
        let more = binary(Op::ULt, Expr::Variable(index), size);
        self.builder.branch_on(more, body, done);
        self.builder.open(body);
        let byte = self.nondet("byte", Scalar::Int(8), source.clone());
        let address = pointer_add(start, Expr::Variable(index));
        let Some(operand) = site.operands.first() else {
            return unsupported(format!("a call of `{}` without arguments", site.name));
        };
        let checks = self.access_checks(&address, Scalar::Int(8), 1, &operand.value, Use::Write);
        self.store_scalar(Scalar::Int(8), address, byte, 1, false, checks);
        self.builder
            .assign(index, binary(Op::Add, Expr::Variable(index), int(width, 1)));
        self.builder.goto(head);
        self.builder.open(done);
        Ok(())
    }
}
