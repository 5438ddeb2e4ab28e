//! Compiles expressions to register code.

use kripke_value::FloatFormat;

use crate::eval::{ConstantEnvironment, evaluate};
use crate::interpreter::code::{Instr, Operation, Place, Storage, storage};
use crate::interpreter::compile::Compiler;
use crate::program::{BinaryOp, CastOp, Expr, Type, UnaryOp};

/// An instruction of two operands, before its words are known.
type Binary = fn(u8, u32, u32, u32) -> Instr;

impl Compiler<'_> {
    /// Computes an expression; a variable or constant stays where it is.
    pub(super) fn expr(&mut self, expr: &Expr) -> Place {
        if let Expr::Variable(id) = expr {
            return self.variable_place(*id);
        }
        if expr.children().next().is_none() {
            let env = ConstantEnvironment {
                pointer_width: self.pointer_width(),
            };
            if let Some(place) = evaluate(expr, &env).and_then(|value| self.constant_value(&value)) {
                return place;
            }
        }
        let place = self.temporary(self.type_of(expr));
        self.expr_into(expr, place);
        place
    }

    /// Computes an expression into a place.
    pub(super) fn expr_into(&mut self, expr: &Expr, place: Place) {
        let dst = place.index;
        let done = match (expr, storage(place.ty)) {
            (_, Storage::Wide) => false,
            _ if self.reference => false,
            (
                Expr::Variable(_)
                | Expr::Int(_)
                | Expr::Float(_)
                | Expr::Null
                | Expr::GlobalAddress(_)
                | Expr::FunctionAddress(_),
                storage,
            ) => {
                let a = self.expr(expr).index;
                match storage {
                    Storage::Pointer => self.emit(Instr::MovePointer { dst, a }),
                    _ => self.emit(Instr::Move { dst, a }),
                };
                true
            }
            (Expr::Unary(op, operand), _) => self.unary(*op, operand, dst),
            (Expr::Binary(op, left, right), _) => self.binary(*op, left, right, dst),
            (Expr::Cast(op, operand, ty), _) => self.cast(*op, operand, *ty, dst),
            (Expr::Select(condition, then, otherwise), storage) => {
                let c = self.expr(condition).index;
                let (a, b) = (self.expr(then).index, self.expr(otherwise).index);
                match storage {
                    Storage::Pointer => self.emit(Instr::SelectPointer { dst, c, a, b }),
                    _ => self.emit(Instr::Select { dst, c, a, b }),
                };
                true
            }
            (Expr::PointerAdd(pointer, offset), _) => {
                let shift = (64 - self.pointer_width()) as u8;
                let (a, b) = (self.expr(pointer).index, self.expr(offset).index);
                self.emit(Instr::PointerAdd { shift, dst, a, b });
                true
            }
            (Expr::Extract { high, low, value }, _) if self.is_word(value) => {
                let a = self.expr(value).index;
                self.emit(Instr::Extract {
                    shift: (63 - (high - low)) as u8,
                    low: *low as u8,
                    dst,
                    a,
                });
                true
            }
            (Expr::Concat(high, low), _) if self.is_word(low) => {
                let Type::Int(width) = self.type_of(low) else {
                    return;
                };
                let (a, b) = (self.expr(high).index, self.expr(low).index);
                self.emit(Instr::Concat {
                    low: width as u8,
                    dst,
                    a,
                    b,
                });
                true
            }
            _ => false,
        };
        if !done {
            self.operate(Operation::Evaluate {
                target: place,
                expr: expr.clone(),
            });
        }
    }

    fn is_word(&self, expr: &Expr) -> bool {
        storage(self.type_of(expr)) == Storage::Word
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, dst: u32) -> bool {
        let Type::Int(width @ ..=64) = self.type_of(operand) else {
            return false;
        };
        let shift = (64 - width) as u8;
        let instr: fn(u8, u32, u32) -> Instr = match op {
            UnaryOp::Not => |shift, dst, a| Instr::Not { shift, dst, a },
            UnaryOp::Neg => |shift, dst, a| Instr::Neg { shift, dst, a },
            _ => return false,
        };
        let a = self.expr(operand).index;
        self.emit(instr(shift, dst, a));
        true
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, dst: u32) -> bool {
        let (instr, shift): (Binary, u8) = match self.type_of(left) {
            Type::Int(width @ ..=64) => match int_instr(op) {
                Some(instr) => (instr, (64 - width) as u8),
                None => return false,
            },
            Type::Float(FloatFormat::Binary32) => match float32_instr(op) {
                Some(instr) => (instr, 0),
                None => return false,
            },
            Type::Float(FloatFormat::Binary64) => match float64_instr(op) {
                Some(instr) => (instr, 0),
                None => return false,
            },
            Type::Pointer if op == BinaryOp::PEq => (|_, dst, a, b| Instr::PointerEq { dst, a, b }, 0),
            _ => return false,
        };
        let (a, b) = (self.expr(left).index, self.expr(right).index);
        self.emit(instr(shift, dst, a, b));
        true
    }

    fn cast(&mut self, op: CastOp, operand: &Expr, ty: Type, dst: u32) -> bool {
        use FloatFormat::{Binary32, Binary64};
        let from = self.type_of(operand);
        let shift = |width: u32| (64 - width) as u8;
        if storage(from) != Storage::Word {
            return false;
        }
        let instr: Box<dyn Fn(u32) -> Instr> = match (op, from, ty) {
            (CastOp::ZExt | CastOp::BitsToFloat | CastOp::FloatToBits, _, _) => {
                Box::new(move |a| Instr::Move { dst, a })
            }
            (CastOp::Trunc, _, Type::Int(to)) => Box::new(move |a| Instr::Extract {
                shift: shift(to),
                low: 0,
                dst,
                a,
            }),
            (CastOp::SExt, Type::Int(from), Type::Int(to)) => Box::new(move |a| Instr::SExt {
                from: shift(from),
                to: shift(to),
                dst,
                a,
            }),
            (CastOp::FToF, Type::Float(Binary32), Type::Float(Binary64)) => {
                Box::new(move |a| Instr::F32To64 { dst, a })
            }
            (CastOp::FToF, Type::Float(Binary64), Type::Float(Binary32)) => {
                Box::new(move |a| Instr::F64To32 { dst, a })
            }
            (CastOp::SToF, Type::Int(width), Type::Float(Binary32)) => Box::new(move |a| Instr::SToF32 {
                shift: shift(width),
                dst,
                a,
            }),
            (CastOp::SToF, Type::Int(width), Type::Float(Binary64)) => Box::new(move |a| Instr::SToF64 {
                shift: shift(width),
                dst,
                a,
            }),
            (CastOp::UToF, _, Type::Float(Binary32)) => Box::new(move |a| Instr::UToF32 { dst, a }),
            (CastOp::UToF, _, Type::Float(Binary64)) => Box::new(move |a| Instr::UToF64 { dst, a }),
            (CastOp::FToS, Type::Float(Binary32), Type::Int(width)) => Box::new(move |a| Instr::F32ToS {
                shift: shift(width),
                dst,
                a,
            }),
            (CastOp::FToS, Type::Float(Binary64), Type::Int(width)) => Box::new(move |a| Instr::F64ToS {
                shift: shift(width),
                dst,
                a,
            }),
            _ => return false,
        };
        let a = self.expr(operand).index;
        self.emit(instr(a));
        true
    }
}

fn int_instr(op: BinaryOp) -> Option<Binary> {
    Some(match op {
        BinaryOp::Add => |shift, dst, a, b| Instr::Add { shift, dst, a, b },
        BinaryOp::Sub => |shift, dst, a, b| Instr::Sub { shift, dst, a, b },
        BinaryOp::Mul => |shift, dst, a, b| Instr::Mul { shift, dst, a, b },
        BinaryOp::UDiv => |shift, dst, a, b| Instr::UDiv { shift, dst, a, b },
        BinaryOp::SDiv => |shift, dst, a, b| Instr::SDiv { shift, dst, a, b },
        BinaryOp::URem => |_, dst, a, b| Instr::URem { dst, a, b },
        BinaryOp::SRem => |shift, dst, a, b| Instr::SRem { shift, dst, a, b },
        BinaryOp::Shl => |shift, dst, a, b| Instr::Shl { shift, dst, a, b },
        BinaryOp::LShr => |_, dst, a, b| Instr::LShr { dst, a, b },
        BinaryOp::AShr => |shift, dst, a, b| Instr::AShr { shift, dst, a, b },
        BinaryOp::And => |_, dst, a, b| Instr::And { dst, a, b },
        BinaryOp::Or => |_, dst, a, b| Instr::Or { dst, a, b },
        BinaryOp::Xor => |_, dst, a, b| Instr::Xor { dst, a, b },
        BinaryOp::Eq => |_, dst, a, b| Instr::Eq { dst, a, b },
        BinaryOp::Ne => |_, dst, a, b| Instr::Ne { dst, a, b },
        BinaryOp::ULt | BinaryOp::USubOverflow => |_, dst, a, b| Instr::ULt { dst, a, b },
        BinaryOp::ULe => |_, dst, a, b| Instr::ULe { dst, a, b },
        BinaryOp::SLt => |shift, dst, a, b| Instr::SLt { shift, dst, a, b },
        BinaryOp::SLe => |shift, dst, a, b| Instr::SLe { shift, dst, a, b },
        BinaryOp::SAddOverflow => |shift, dst, a, b| Instr::SAddOverflow { shift, dst, a, b },
        BinaryOp::UAddOverflow => |shift, dst, a, b| Instr::UAddOverflow { shift, dst, a, b },
        BinaryOp::SSubOverflow => |shift, dst, a, b| Instr::SSubOverflow { shift, dst, a, b },
        BinaryOp::SMulOverflow => |shift, dst, a, b| Instr::SMulOverflow { shift, dst, a, b },
        BinaryOp::UMulOverflow => |shift, dst, a, b| Instr::UMulOverflow { shift, dst, a, b },
        _ => return None,
    })
}

fn float32_instr(op: BinaryOp) -> Option<Binary> {
    Some(match op {
        BinaryOp::FAdd => |_, dst, a, b| Instr::FAdd32 { dst, a, b },
        BinaryOp::FSub => |_, dst, a, b| Instr::FSub32 { dst, a, b },
        BinaryOp::FMul => |_, dst, a, b| Instr::FMul32 { dst, a, b },
        BinaryOp::FDiv => |_, dst, a, b| Instr::FDiv32 { dst, a, b },
        BinaryOp::FEq => |_, dst, a, b| Instr::FEq32 { dst, a, b },
        BinaryOp::FLt => |_, dst, a, b| Instr::FLt32 { dst, a, b },
        BinaryOp::FLe => |_, dst, a, b| Instr::FLe32 { dst, a, b },
        _ => return None,
    })
}

fn float64_instr(op: BinaryOp) -> Option<Binary> {
    Some(match op {
        BinaryOp::FAdd => |_, dst, a, b| Instr::FAdd64 { dst, a, b },
        BinaryOp::FSub => |_, dst, a, b| Instr::FSub64 { dst, a, b },
        BinaryOp::FMul => |_, dst, a, b| Instr::FMul64 { dst, a, b },
        BinaryOp::FDiv => |_, dst, a, b| Instr::FDiv64 { dst, a, b },
        BinaryOp::FEq => |_, dst, a, b| Instr::FEq64 { dst, a, b },
        BinaryOp::FLt => |_, dst, a, b| Instr::FLt64 { dst, a, b },
        BinaryOp::FLe => |_, dst, a, b| Instr::FLe64 { dst, a, b },
        _ => return None,
    })
}
