//! Variable arguments.
//!
//! Idea: the caller writes them into one object, laid out as the target's calling convention lays out
//! the part that is passed on the stack, and passes its address as a hidden last argument. `va_start`
//! points the `va_list` there; where the target also passes arguments in registers, it marks those as
//! used up. The code that clang emits for `va_arg` then finds every argument where it looks.
//!
//! Source: System V ABI for x86-64, 3.5.7, and i386; AAPCS; AAPCS64, appendix B; RISC-V calling convention.

use kripke_elts::{AccessChecks, BinaryOp, Expr, Type as Scalar};
use kripke_value::FloatFormat;

use crate::ir::{Argument, Type, Value};

use super::constants::zero;
use super::expressions::{binary, int, pointer_add, pointer_offset};
use super::function::FunctionTranslator;
use super::layout::round_up;
use super::memory::{Use, align_at};
use super::{Step, unsupported};

/// Bytes of an argument area's alignment.
const AREA_ALIGN: u64 = 16;

/// How a target passes variable arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Convention {
    /// Every argument starts at a multiple of this.
    slot: u64,
    /// No argument is aligned more than this.
    max_align: u64,
    /// Aggregates are passed by pointer: so reads them the code that clang emits where a target has no
    /// convention of its own.
    aggregates_by_pointer: bool,
    list: ListKind,
}

/// What a `va_list` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListKind {
    /// A pointer to the next argument.
    Pointer,
    /// The record of the System V ABI for x86-64.
    SystemV,
    /// The record of AAPCS64.
    Aapcs64,
    /// The record of the System V ABI for 32-bit PowerPC.
    PowerPc,
    /// Of a target that is not known here.
    Unknown,
}

impl Convention {
    fn of(triple: &str) -> Self {
        let mut parts = triple.split('-');
        let architecture = parts.next().unwrap_or_default();
        let is_foreign = triple.contains("windows") || triple.contains("darwin") || triple.contains("macosx");
        let (slot, max_align, list) = match architecture {
            "x86_64" | "amd64" if triple.contains("windows") => (8, 8, ListKind::Pointer),
            "x86_64" | "amd64" => (8, 16, ListKind::SystemV),
            "aarch64" | "arm64" if !is_foreign => (8, 16, ListKind::Aapcs64),
            "aarch64" | "arm64" => (8, 8, ListKind::Pointer),
            "avr" => (1, 1, ListKind::Pointer),
            "msp430" => (2, 2, ListKind::Pointer),
            "riscv64" => (8, 16, ListKind::Pointer),
            "i386" | "i486" | "i586" | "i686" => (4, 4, ListKind::Pointer),
            "powerpc" | "ppc" if !is_foreign => (4, 8, ListKind::PowerPc),
            "riscv32" | "wasm32" | "mipsel" | "sparcel" => (4, 8, ListKind::Pointer),
            _ if architecture.starts_with("arm") || architecture.starts_with("thumb") => {
                (4, 8, ListKind::Pointer)
            }
            _ => (8, 16, ListKind::Unknown),
        };
        Convention {
            slot,
            max_align,
            aggregates_by_pointer: matches!(architecture, "avr" | "msp430" | "powerpc" | "ppc"),
            list,
        }
    }

    fn align(self, natural: u64) -> u64 {
        natural.clamp(self.slot, self.max_align.max(self.slot))
    }
}

impl<'m> FunctionTranslator<'_, 'm> {
    fn convention(&self) -> Convention {
        Convention::of(&self.unit.data_model.triple)
    }

    /// The address of an object that holds the variable arguments; null when there are none.
    pub fn variable_arguments(&mut self, operands: &[Argument], values: &[Vec<Expr>]) -> Step<Expr> {
        if operands.is_empty() {
            return Ok(Expr::Null);
        }
        let convention = self.convention();
        if convention.aggregates_by_pointer {
            let (operands, values) = self.aggregates_to_pointers(operands, values)?;
            return self.argument_area(convention, &operands, &values);
        }
        self.argument_area(convention, operands, values)
    }

    /// The arguments with a pointer to a copy in place of each aggregate.
    fn aggregates_to_pointers(
        &mut self,
        operands: &[Argument],
        values: &[Vec<Expr>],
    ) -> Step<(Vec<Argument>, Vec<Vec<Expr>>)> {
        let mut operands = operands.to_vec();
        let mut values = values.to_vec();
        for (operand, scalars) in operands.iter_mut().zip(&mut values) {
            let ty = operand.byval.clone().unwrap_or_else(|| operand.ty.clone());
            if self.types.scalar(&ty).is_some() {
                continue;
            }
            let size = self.types.alloc_size(&ty);
            let copy = self.hidden_stack_object("argument", size.max(1), AREA_ALIGN);
            self.write_variable_argument(operand, scalars, copy.clone(), 0)?;
            operand.byval = None;
            operand.ty = Type::Pointer(0);
            *scalars = vec![copy];
        }
        Ok((operands, values))
    }

    fn argument_area(
        &mut self,
        convention: Convention,
        operands: &[Argument],
        values: &[Vec<Expr>],
    ) -> Step<Expr> {
        let mut places = Vec::new();
        let mut end = 0;
        for operand in operands {
            let ty = operand.byval.as_ref().unwrap_or(&operand.ty);
            let offset = round_up(end, convention.align(self.argument_align(ty)));
            places.push(offset);
            end = round_up(offset + self.types.alloc_size(ty), convention.slot);
        }
        let area = self.hidden_stack_object("variable_arguments", end.max(1), AREA_ALIGN);
        for ((operand, scalars), offset) in operands.iter().zip(values).zip(places) {
            let at = pointer_offset(area.clone(), self.types.pointer_bits(), offset);
            self.write_variable_argument(operand, scalars, at, offset)?;
        }
        Ok(area)
    }

    /// Alignment of an argument before the convention limits it.
    fn argument_align(&self, ty: &Type) -> u64 {
        match self.types.scalar(ty) {
            // Passed on the stack as the psABI says, whatever the data layout's default is.
            Some(Scalar::Int(width)) if width > 64 => 16,
            Some(Scalar::Float(FloatFormat::X87Extended | FloatFormat::Binary128)) => 16,
            _ => self.types.align(ty),
        }
    }

    fn write_variable_argument(
        &mut self,
        operand: &Argument,
        scalars: &[Expr],
        at: Expr,
        offset: u64,
    ) -> Step<()> {
        let width = self.types.pointer_bits();
        if let (Some(ty), Some(source)) = (&operand.byval, scalars.first()) {
            let length = int(width, i128::from(self.types.alloc_size(ty)));
            self.builder.emit(kripke_elts::StatementKind::CopyMemory {
                target: at,
                source: source.clone(),
                length,
                overlap: false,
                checks: AccessChecks::default(),
            });
            return Ok(());
        }
        let align = align_at(AREA_ALIGN, offset);
        for (leaf, value) in self.types.leaves(&operand.ty)?.into_iter().zip(scalars) {
            let place = pointer_offset(at.clone(), width, leaf.offset);
            let align = align_at(align, leaf.offset);
            self.store_scalar(
                leaf.ty,
                place,
                value.clone(),
                align,
                false,
                AccessChecks::default(),
            );
        }
        Ok(())
    }

    /// `llvm.va_start`.
    pub fn start_variable_arguments(&mut self, list: Expr) -> Step<()> {
        let Some(area) = self.variable_arguments.map(Expr::Variable) else {
            return unsupported("va_start in a function without variable arguments");
        };
        let word = |value: i128| (Scalar::Int(32), int(32, value));
        let pointer = |value: Expr| (Scalar::Pointer, value);
        let fields = match self.convention().list {
            ListKind::Pointer => vec![(0, pointer(area))],
            ListKind::SystemV => vec![
                (0, word(48)),
                (4, word(176)),
                (8, pointer(area)),
                (16, pointer(Expr::Null)),
            ],
            ListKind::Aapcs64 => vec![
                (0, pointer(area)),
                (8, pointer(Expr::Null)),
                (16, pointer(Expr::Null)),
                (24, word(0)),
                (28, word(0)),
            ],
            ListKind::PowerPc => vec![
                (0, (Scalar::Int(8), int(8, 8))),
                (1, (Scalar::Int(8), int(8, 8))),
                (4, pointer(area)),
                (8, pointer(Expr::Null)),
            ],
            ListKind::Unknown => return unsupported("variable arguments on this target"),
        };
        for (offset, (ty, value)) in fields {
            let at = pointer_offset(list.clone(), self.types.pointer_bits(), offset);
            self.store_scalar(ty, at, value, 1, false, AccessChecks::default());
        }
        Ok(())
    }

    /// `llvm.va_copy`.
    pub fn copy_variable_arguments(&mut self, target: Expr, source: Expr) -> Step<()> {
        let width = self.types.pointer_bits();
        let size = match self.convention().list {
            ListKind::Pointer => width / 8,
            ListKind::SystemV => 24,
            ListKind::Aapcs64 => 32,
            ListKind::PowerPc => 12,
            ListKind::Unknown => return unsupported("variable arguments on this target"),
        };
        self.builder.emit(kripke_elts::StatementKind::CopyMemory {
            target,
            source,
            length: int(width, i128::from(size)),
            overlap: false,
            checks: AccessChecks::default(),
        });
        Ok(())
    }

    /// The instruction `va_arg`, which clang leaves to the code generator on small targets.
    pub fn write_va_arg(&mut self, name: &'m str, list: &'m (Type, Value), ty: &Type) -> Step<()> {
        let convention = self.convention();
        if convention.list != ListKind::Pointer {
            return unsupported("the LLVM instruction `va_arg` on this target");
        }
        let width = self.types.pointer_bits();
        let list_pointer = self.scalar(&list.0, &list.1)?;
        let checks = self.access_checks(&list_pointer, Scalar::Pointer, 1, &list.1, Use::Copy);
        let next = self.load_scalar(
            "argument",
            Scalar::Pointer,
            list_pointer.clone(),
            1,
            false,
            checks,
        );
        let align = convention.align(self.argument_align(ty));
        let here = if align > 1 {
            let offset = Expr::PointerOffset(Box::new(next.clone()));
            let negated = binary(BinaryOp::Sub, int(width, 0), offset);
            let padding = binary(BinaryOp::And, negated, int(width, i128::from(align) - 1));
            self.builder
                .hold("argument", Scalar::Pointer, pointer_add(next, padding))
        } else {
            next
        };
        let mut values = Vec::new();
        for leaf in self.types.leaves(ty)? {
            let at = pointer_offset(here.clone(), width, leaf.offset);
            let checks = self.access_checks(&at, leaf.ty, 1, &list.1, Use::Copy);
            values.push(self.load_scalar(name, leaf.ty, at, 1, false, checks));
        }
        let size = round_up(self.types.alloc_size(ty), convention.slot);
        let after = pointer_offset(here, width, size);
        self.store_scalar(
            Scalar::Pointer,
            list_pointer,
            after,
            1,
            false,
            AccessChecks::default(),
        );
        if values.is_empty() {
            values = self.types.leaves(ty)?.iter().map(|leaf| zero(leaf.ty)).collect();
        }
        self.values.insert(name, values);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(triple: &str, natural: u64, expected: u64) {
        assert_eq!(Convention::of(triple).align(natural), expected, "{triple}");
    }

    #[test]
    fn alignment_of_arguments_by_target() {
        check("x86_64-pc-linux-gnu", 4, 8);
        check("x86_64-pc-linux-gnu", 16, 16);
        check("i386-pc-linux-gnu", 8, 4);
        check("thumbv6m-none-unknown-eabi", 8, 8);
        check("thumbv6m-none-unknown-eabi", 1, 4);
        check("avr", 2, 1);
        check("msp430", 4, 2);
        check("riscv32-unknown-none-elf", 16, 8);
    }
}
