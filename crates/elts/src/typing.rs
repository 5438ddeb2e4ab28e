//! The type of an expression, and the table of what each operator takes and gives.
//!
//! The one place where signatures stand: the verifier, the compiler of the interpreter, the
//! text form and the passes all ask here.

use crate::ids::VariableId;
use crate::program::{BinaryOp, DataModel, Expr, Type, UnaryOp};

/// What kind of operands an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// Integers.
    Int,
    /// Floats.
    Float,
    /// Pointers.
    Pointer,
}

/// What an operator's result is, relative to its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// The operands' type.
    Same,
    /// `Int(1)`.
    Bool,
    /// An integer of pointer width.
    Address,
}

impl UnaryOp {
    /// What it takes and gives.
    pub fn signature(self) -> (OperandKind, ResultKind) {
        use UnaryOp::*;
        match self {
            Not | Neg | PopCount | LeadingZeros | TrailingZeros | ByteSwap | BitReverse => {
                (OperandKind::Int, ResultKind::Same)
            }
            FNeg | FAbs | FSqrt | FRound(_) => (OperandKind::Float, ResultKind::Same),
            FIsNan | FIsInf | FIsZero | FIsNormal | FIsSubnormal | FSignBit => {
                (OperandKind::Float, ResultKind::Bool)
            }
        }
    }

    /// The type of the result for an operand of the given type.
    pub fn result_type(self, operand: Type) -> Type {
        match self.signature().1 {
            ResultKind::Bool => Type::BOOL,
            _ => operand,
        }
    }
}

impl BinaryOp {
    /// What it takes and gives.
    pub fn signature(self) -> (OperandKind, ResultKind) {
        use BinaryOp::*;
        match self {
            Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | UMin
            | UMax | SMin | SMax | SAddSat | UAddSat | SSubSat | USubSat => {
                (OperandKind::Int, ResultKind::Same)
            }
            Eq | Ne | ULt | ULe | SLt | SLe | SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow
            | SMulOverflow | UMulOverflow => (OperandKind::Int, ResultKind::Bool),
            FAdd | FSub | FMul | FDiv | FMod | FRem | FMin | FMax | FCopySign => {
                (OperandKind::Float, ResultKind::Same)
            }
            FEq | FLt | FLe => (OperandKind::Float, ResultKind::Bool),
            PEq | PULt | PULe => (OperandKind::Pointer, ResultKind::Bool),
            PDiff => (OperandKind::Pointer, ResultKind::Address),
        }
    }

    /// The type of the result for operands of the given type.
    pub fn result_type(self, operand: Type, data_model: &DataModel) -> Type {
        match self.signature().1 {
            ResultKind::Same => operand,
            ResultKind::Bool => Type::BOOL,
            ResultKind::Address => Type::Int(data_model.pointer_width),
        }
    }
}

impl Type {
    /// What kind of operand it is.
    pub fn kind(self) -> OperandKind {
        match self {
            Type::Int(_) => OperandKind::Int,
            Type::Float(_) => OperandKind::Float,
            Type::Pointer => OperandKind::Pointer,
        }
    }

    /// Bits of a value (pointers: their width).
    pub fn bits(self, data_model: &DataModel) -> u32 {
        match self {
            Type::Int(width) => width,
            Type::Float(format) => format.bits(),
            Type::Pointer => data_model.pointer_width,
        }
    }

    /// Bytes that a load or store of the type touches.
    pub fn bytes(self, data_model: &DataModel) -> u64 {
        u64::from(self.bits(data_model).div_ceil(8))
    }
}

impl Expr {
    /// The type, where `variable` gives the types of variables. The expression must be well typed.
    pub fn type_with(&self, data_model: &DataModel, variable: &impl Fn(VariableId) -> Type) -> Type {
        match self {
            Expr::Int(value) => Type::Int(value.width()),
            Expr::Float(value) => Type::Float(value.format()),
            Expr::Null | Expr::GlobalAddress(_) | Expr::FunctionAddress(_) | Expr::PointerAdd(..) => {
                Type::Pointer
            }
            Expr::Variable(id) => variable(*id),
            Expr::Unary(op, operand) => match op.signature().1 {
                ResultKind::Bool => Type::BOOL,
                _ => operand.type_with(data_model, variable),
            },
            Expr::Binary(op, left, _) => match op.signature().1 {
                ResultKind::Same => left.type_with(data_model, variable),
                ResultKind::Bool => Type::BOOL,
                ResultKind::Address => Type::Int(data_model.pointer_width),
            },
            Expr::Fma(first, ..) => first.type_with(data_model, variable),
            Expr::Cast(_, _, ty) => *ty,
            Expr::Select(_, then, _) => then.type_with(data_model, variable),
            Expr::ObjectSize(_) | Expr::PointerOffset(_) => Type::Int(data_model.pointer_width),
            Expr::SameObject(..) => Type::BOOL,
            Expr::Extract { high, low, .. } => Type::Int(high - low + 1),
            Expr::Concat(high, low) => {
                let width = |expr: &Expr| match expr.type_with(data_model, variable) {
                    Type::Int(width) => width,
                    _ => 0,
                };
                Type::Int(width(high) + width(low))
            }
        }
    }
}
