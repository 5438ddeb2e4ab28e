//! Random expressions of a given type.

use kripke_value::{BitVec, Float, FloatFormat};

use crate::ids::{FunctionId, Id, VariableId};
use crate::program::{BinaryOp, CastOp, Expr, RoundMode, Type, UnaryOp, Variable, VariableKind};
use crate::random::generator::Generator;

const SAME_INT: &[BinaryOp] = &[
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::UMin,
    BinaryOp::UMax,
    BinaryOp::SMin,
    BinaryOp::SMax,
    BinaryOp::SAddSat,
    BinaryOp::UAddSat,
    BinaryOp::SSubSat,
    BinaryOp::USubSat,
];

const TRUTH_INT: &[BinaryOp] = &[
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::ULt,
    BinaryOp::ULe,
    BinaryOp::SLt,
    BinaryOp::SLe,
    BinaryOp::SAddOverflow,
    BinaryOp::UAddOverflow,
    BinaryOp::SSubOverflow,
    BinaryOp::USubOverflow,
    BinaryOp::SMulOverflow,
    BinaryOp::UMulOverflow,
];

const SAME_FLOAT: &[BinaryOp] = &[
    BinaryOp::FAdd,
    BinaryOp::FSub,
    BinaryOp::FMul,
    BinaryOp::FDiv,
    BinaryOp::FMod,
    BinaryOp::FRem,
    BinaryOp::FMin,
    BinaryOp::FMax,
    BinaryOp::FCopySign,
];

const MODES: &[RoundMode] = &[
    RoundMode::Dynamic,
    RoundMode::NearestEven,
    RoundMode::NearestAway,
    RoundMode::TowardZero,
    RoundMode::Upward,
    RoundMode::Downward,
];

impl Generator {
    pub(super) fn boxed(&mut self, ty: Type, depth: usize) -> Box<Expr> {
        Box::new(self.expr(ty, depth))
    }

    /// A random expression of the type.
    pub fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        if depth == 0 || self.random.one_in(4) {
            return self.leaf(ty);
        }
        if self.random.one_in(9) {
            let condition = self.boxed(Type::BOOL, depth - 1);
            return Expr::Select(condition, self.boxed(ty, depth - 1), self.boxed(ty, depth - 1));
        }
        match ty {
            Type::Int(1) => self.truth_expr(depth),
            Type::Int(width) => self.int_expr(width, depth),
            Type::Float(format) => self.float_expr(format, depth),
            Type::Pointer => self.pointer_expr(depth),
        }
    }

    /// A variable if there is one of the type, or a literal.
    fn leaf(&mut self, ty: Type) -> Expr {
        let fits = |variable: &Variable| variable.ty == ty && variable.kind != VariableKind::Temporary;
        let variables: Vec<VariableId> = self
            .variables
            .ids()
            .filter(|&id| fits(&self.variables[id]))
            .collect();
        match variables.is_empty() || self.random.one_in(3) {
            true => self.literal(ty),
            false => Expr::Variable(self.random.pick(&variables)),
        }
    }

    /// A constant of the type.
    pub fn literal(&mut self, ty: Type) -> Expr {
        match ty {
            Type::Int(width) => {
                let small = self.random.below(9) as i128 - 4;
                let bits = u128::from(self.random.bits()) << 64 | u128::from(self.random.bits());
                Expr::Int(match self.random.below(6) {
                    0 => BitVec::min_signed(width),
                    1 => BitVec::max_signed(width),
                    2 => BitVec::new(width, bits),
                    _ => BitVec::from_i128(width, small),
                })
            }
            Type::Float(format) => Expr::Float(self.float_literal(format)),
            Type::Pointer if self.random.one_in(4) => Expr::Null,
            Type::Pointer => {
                let globals: Vec<_> = self.program.globals.ids().collect();
                Expr::GlobalAddress(self.random.pick(&globals))
            }
        }
    }

    fn float_literal(&mut self, format: FloatFormat) -> Float {
        let sign = self.random.one_in(2);
        match self.random.below(8) {
            0 => Float::zero(format, sign),
            1 => Float::infinity(format, sign),
            2 => Float::nan(format),
            3 => Float::min_subnormal(format, sign),
            4 => {
                let bits = u128::from(self.random.bits()) << 64 | u128::from(self.random.bits());
                Float::from_bits(format, &BitVec::new(format.bits(), bits))
            }
            _ => {
                let value = (self.random.below(2001) as f64 - 1000.0) / 8.0;
                Float::from_f64(value).convert(format, kripke_value::RoundingMode::NearestEven)
            }
        }
    }

    /// A type of integers, and sometimes of floats, to compare or convert.
    fn int_width(&mut self) -> u32 {
        let widths: &[u32] = if self.options.wide {
            &[7, 8, 16, 32, 64, 70, 128]
        } else {
            &[7, 8, 16, 32, 64]
        };
        self.random.pick(widths)
    }

    fn format(&mut self) -> FloatFormat {
        self.random.pick(&[FloatFormat::Binary32, FloatFormat::Binary64])
    }

    fn truth_expr(&mut self, depth: usize) -> Expr {
        let choices = 4 + 2 * usize::from(self.options.floats) + usize::from(self.options.memory);
        match self.random.below(choices) {
            0 => Expr::Unary(UnaryOp::Not, self.boxed(Type::BOOL, depth - 1)),
            1 => {
                let op = self
                    .random
                    .pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor, BinaryOp::Eq]);
                Expr::Binary(
                    op,
                    self.boxed(Type::BOOL, depth - 1),
                    self.boxed(Type::BOOL, depth - 1),
                )
            }
            2 | 3 => {
                let ty = Type::Int(self.int_width());
                let op = self.random.pick(TRUTH_INT);
                Expr::Binary(op, self.boxed(ty, depth - 1), self.boxed(ty, depth - 1))
            }
            4 if self.options.floats => {
                let ty = Type::Float(self.format());
                let op = self.random.pick(&[BinaryOp::FEq, BinaryOp::FLt, BinaryOp::FLe]);
                Expr::Binary(op, self.boxed(ty, depth - 1), self.boxed(ty, depth - 1))
            }
            5 if self.options.floats => {
                let op = self.random.pick(&[
                    UnaryOp::FIsNan,
                    UnaryOp::FIsInf,
                    UnaryOp::FIsZero,
                    UnaryOp::FIsNormal,
                    UnaryOp::FIsSubnormal,
                    UnaryOp::FSignBit,
                ]);
                let ty = Type::Float(self.format());
                Expr::Unary(op, self.boxed(ty, depth - 1))
            }
            _ => self.pointer_truth(depth),
        }
    }

    fn pointer_truth(&mut self, depth: usize) -> Expr {
        if !self.options.memory {
            return self.literal(Type::BOOL);
        }
        let (left, right) = (
            self.boxed(Type::Pointer, depth - 1),
            self.boxed(Type::Pointer, depth - 1),
        );
        match self.random.below(4) {
            0 => Expr::SameObject(left, right),
            1 if self.options.addresses => Expr::Binary(BinaryOp::PULt, left, right),
            2 if self.options.addresses => Expr::Binary(BinaryOp::PULe, left, right),
            _ => Expr::Binary(BinaryOp::PEq, left, right),
        }
    }

    fn int_expr(&mut self, width: u32, depth: usize) -> Expr {
        let ty = Type::Int(width);
        match self.random.below(11) {
            0 => {
                let op = self.random.pick(&[
                    UnaryOp::Not,
                    UnaryOp::Neg,
                    UnaryOp::PopCount,
                    UnaryOp::LeadingZeros,
                    UnaryOp::TrailingZeros,
                    UnaryOp::BitReverse,
                ]);
                Expr::Unary(op, self.boxed(ty, depth - 1))
            }
            1 if width.is_multiple_of(16) => Expr::Unary(UnaryOp::ByteSwap, self.boxed(ty, depth - 1)),
            2 => self.resized(width, depth),
            3 => {
                let from = self.int_width().max(width);
                let low = self.random.below((from - width + 1) as usize) as u32;
                let value = self.boxed(Type::Int(from), depth - 1);
                Expr::Extract {
                    high: low + width - 1,
                    low,
                    value,
                }
            }
            4 => {
                let low = 1 + self.random.below(width as usize - 1) as u32;
                Expr::Concat(
                    self.boxed(Type::Int(width - low), depth - 1),
                    self.boxed(Type::Int(low), depth - 1),
                )
            }
            5 if self.options.floats => {
                let from = Type::Float(self.format());
                let op = self.random.pick(&[CastOp::FToS, CastOp::FToU]);
                Expr::Cast(op, self.boxed(from, depth - 1), ty)
            }
            6 if self.options.floats && matches!(width, 32 | 64) => {
                let format = if width == 32 {
                    FloatFormat::Binary32
                } else {
                    FloatFormat::Binary64
                };
                Expr::Cast(
                    CastOp::FloatToBits,
                    self.boxed(Type::Float(format), depth - 1),
                    ty,
                )
            }
            7 if self.options.memory && width == self.program.data_model.pointer_width => {
                self.address_int(depth)
            }
            _ => {
                let op = self.random.pick(SAME_INT);
                Expr::Binary(op, self.boxed(ty, depth - 1), self.boxed(ty, depth - 1))
            }
        }
    }

    /// A narrower or wider integer, converted.
    fn resized(&mut self, width: u32, depth: usize) -> Expr {
        let from = if self.random.one_in(3) {
            1
        } else {
            self.int_width()
        };
        let op = match from.cmp(&width) {
            std::cmp::Ordering::Less => self.random.pick(&[CastOp::ZExt, CastOp::SExt]),
            std::cmp::Ordering::Greater => CastOp::Trunc,
            std::cmp::Ordering::Equal => return self.leaf(Type::Int(width)),
        };
        Expr::Cast(op, self.boxed(Type::Int(from), depth - 1), Type::Int(width))
    }

    fn address_int(&mut self, depth: usize) -> Expr {
        let pointer = self.boxed(Type::Pointer, depth - 1);
        let ty = Type::Int(self.program.data_model.pointer_width);
        match self.random.below(4) {
            0 => Expr::PointerOffset(pointer),
            1 if self.options.addresses => Expr::Cast(CastOp::PointerToInt, pointer, ty),
            2 if self.options.addresses => {
                Expr::Binary(BinaryOp::PDiff, pointer, self.boxed(Type::Pointer, depth - 1))
            }
            _ => Expr::ObjectSize(pointer),
        }
    }

    fn float_expr(&mut self, format: FloatFormat, depth: usize) -> Expr {
        let ty = Type::Float(format);
        match self.random.below(9) {
            0 => {
                let mode = self.random.pick(MODES);
                let op = self.random.pick(&[
                    UnaryOp::FNeg,
                    UnaryOp::FAbs,
                    UnaryOp::FSqrt,
                    UnaryOp::FRound(mode),
                ]);
                Expr::Unary(op, self.boxed(ty, depth - 1))
            }
            1 => Expr::Fma(
                self.boxed(ty, depth - 1),
                self.boxed(ty, depth - 1),
                self.boxed(ty, depth - 1),
            ),
            2 => {
                let from = self.format();
                Expr::Cast(CastOp::FToF, self.boxed(Type::Float(from), depth - 1), ty)
            }
            3 => {
                let from = Type::Int(self.int_width());
                let op = self.random.pick(&[CastOp::SToF, CastOp::UToF]);
                Expr::Cast(op, self.boxed(from, depth - 1), ty)
            }
            4 => Expr::Cast(
                CastOp::BitsToFloat,
                self.boxed(Type::Int(format.bits()), depth - 1),
                ty,
            ),
            _ => {
                let op = self.random.pick(SAME_FLOAT);
                Expr::Binary(op, self.boxed(ty, depth - 1), self.boxed(ty, depth - 1))
            }
        }
    }

    fn pointer_expr(&mut self, depth: usize) -> Expr {
        let width = self.program.data_model.pointer_width;
        match self.random.below(6) {
            0 if self.options.addresses => Expr::Cast(
                CastOp::IntToPointer,
                self.boxed(Type::Int(width), depth - 1),
                Type::Pointer,
            ),
            1 => Expr::FunctionAddress(FunctionId::new(0)),
            2 => Expr::PointerAdd(
                self.boxed(Type::Pointer, depth - 1),
                self.boxed(Type::Int(width), depth - 1),
            ),
            _ => {
                let offset = BitVec::from_i128(width, self.random.below(10) as i128 - 1);
                Expr::PointerAdd(self.boxed(Type::Pointer, depth - 1), Box::new(Expr::Int(offset)))
            }
        }
    }
}
