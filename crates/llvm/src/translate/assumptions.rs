//! What the program tells the optimiser to assume (`__builtin_assume`, `__builtin_assume_aligned`).
//!
//! Idea: what is assumed and false is undefined behaviour, so it is checked like code that is marked
//! unreachable; what follows may rest on it.
//!
//! Source: LLVM language reference, "Assume Operand Bundles".

use kripke_elts::{BinaryOp as Op, CastOp as Cast, Expr, StatementKind, Type as Scalar};
use kripke_model::PropertyKind;

use crate::ir::{self, Argument};

use super::expressions::{as_boolean, as_unsigned, binary, cast, int, not};
use super::function::FunctionTranslator;
use super::{Step, unsupported};

impl<'m> FunctionTranslator<'_, 'm> {
    /// `llvm.assume`.
    pub fn assume(&mut self, condition: Expr, call: &'m ir::Call) -> Step<()> {
        self.assume_that(condition, "assumption is false");
        for (what, arguments) in &call.bundles {
            match &**what {
                "align" => {
                    let aligned = self.is_aligned(arguments)?;
                    self.assume_that(aligned, "a pointer is not aligned as assumed");
                }
                "nonnull" => {
                    let [pointer, ..] = &arguments[..] else { continue };
                    let pointer = self.scalar(&pointer.ty, &pointer.value)?;
                    let is_null = Expr::Binary(Op::PEq, Box::new(pointer), Box::new(Expr::Null));
                    self.assume_that(not(is_null), "a pointer is null that is assumed not to be");
                }
                "ignore" | "cold" => {}
                other => return unsupported(format!("an assumption of the kind `{other}`")),
            }
        }
        Ok(())
    }

    fn assume_that(&mut self, condition: Expr, description: &str) {
        if as_boolean(&condition) == Some(true) {
            return;
        }
        self.assert_that(condition.clone(), PropertyKind::Unreachable, description);
        if !self.unit.checks(PropertyKind::Unreachable) {
            // A run in which it is false has no meaning.
            self.builder.emit(StatementKind::Assume { condition });
        }
    }

    /// Is the pointer, less an offset, a multiple of the alignment?
    fn is_aligned(&mut self, arguments: &'m [Argument]) -> Step<Expr> {
        let [pointer, alignment, rest @ ..] = arguments else {
            return unsupported("an assumed alignment with too few arguments");
        };
        let width = self.types.pointer_bits();
        let alignment = self.scalar(&alignment.ty, &alignment.value)?;
        let Some(alignment) = as_unsigned(&alignment).filter(|value| value.is_power_of_two()) else {
            return unsupported("an assumed alignment that is no constant power of two");
        };
        let pointer = self.scalar(&pointer.ty, &pointer.value)?;
        let mut address = cast(Cast::PointerToInt, pointer, Scalar::Int(width));
        if let Some(offset) = rest.first() {
            let offset_width = self.types.bits(&offset.ty) as u32;
            let offset = self.scalar(&offset.ty, &offset.value)?;
            let offset = super::expressions::resize(offset, offset_width, width, true);
            address = binary(Op::Sub, address, offset);
        }
        let low = binary(Op::And, address, int(width, i128::from(alignment) - 1));
        Ok(binary(Op::Eq, low, int(width, 0)))
    }
}
