//! Constants and constant expressions as lists of scalar expressions.
//!
//! Idea: the same splitting as for instructions, but without statements: what comes out are literals,
//! addresses with offsets, and casts of these, fit for an initial value too.

use kripke_elts::{BinaryOp as Op, CastOp as Cast, Expr, Type as Scalar};
use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

use crate::ir::{BinaryOp, CastOp, Constant, ConstantExpression, Linkage, Predicate, Type};

use super::expressions::{
    as_signed, as_unsigned, binary, boolean, cast, int, pointer_add, resize, select, split_pointer,
};
use super::layout::Types;
use super::symbols::{Symbol, SymbolKind};
use super::{Step, Translator, unsupported};

/// How deep aliases may refer to aliases.
const ALIAS_DEPTH_LIMIT: u32 = 64;

impl Translator<'_> {
    /// The scalars of a constant. Undefined scalars are zero.
    pub fn constant(&mut self, module: usize, ty: &Type, constant: &Constant) -> Step<Vec<Expr>> {
        let types = self.types(module);
        match constant {
            Constant::Null | Constant::Zero | Constant::Undef | Constant::Poison => {
                let leaves = types.leaves(ty)?;
                Ok(leaves.iter().map(|leaf| zero(leaf.ty)).collect())
            }
            Constant::Bytes(bytes) => Ok(bytes.iter().map(|byte| int(8, i128::from(*byte))).collect()),
            Constant::Aggregate(elements) => {
                let mut scalars = Vec::new();
                for (element_type, element) in elements {
                    scalars.extend(self.constant(module, element_type, element)?);
                }
                Ok(scalars)
            }
            _ if types.scalar(ty).is_none() => match constant {
                Constant::Expression(expression) => self.constant_expression(module, expression),
                _ => unsupported("a constant of this type"),
            },
            _ => Ok(vec![self.scalar_constant(module, ty, constant)?]),
        }
    }

    fn scalar_constant(&mut self, module: usize, ty: &Type, constant: &Constant) -> Step<Expr> {
        let types = self.types(module);
        match (constant, types.scalar(ty)) {
            (Constant::Null | Constant::Zero | Constant::Undef | Constant::Poison, Some(scalar)) => {
                Ok(zero(scalar))
            }
            (Constant::Int(text), Some(Scalar::Int(width))) => match parse_int(width, text) {
                Some(value) => Ok(Expr::Int(value)),
                None => unsupported(format!("the integer constant `{text}`")),
            },
            (Constant::Float(text), Some(Scalar::Float(format))) => match parse_float(format, text) {
                Some(value) => Ok(Expr::Float(value)),
                None => unsupported(format!("the float constant `{text}`")),
            },
            (Constant::Global(name), Some(Scalar::Pointer)) => self.address(module, name),
            (Constant::BlockAddress, _) => unsupported("the address of a label (computed goto)"),
            (Constant::Expression(expression), _) => {
                let scalars = self.constant_expression(module, expression)?;
                match scalars.into_iter().next() {
                    Some(scalar) => Ok(scalar),
                    None => unsupported("an empty constant expression"),
                }
            }
            _ => unsupported("a constant that does not fit its type"),
        }
    }

    /// The address that `@name` stands for.
    pub fn address(&mut self, module: usize, name: &str) -> Step<Expr> {
        self.address_through_aliases(module, name, 0)
    }

    fn address_through_aliases(&mut self, module: usize, name: &str, depth: u32) -> Step<Expr> {
        let Some(symbol) = self.symbols.resolve(module, name) else {
            return unsupported(format!("the address of `{name}`, which is declared nowhere"));
        };
        match symbol.kind {
            _ if self.is_absent(symbol) => Ok(Expr::Null),
            SymbolKind::Function(index) => Ok(Expr::FunctionAddress(self.function_id(symbol.module, index))),
            SymbolKind::Global(index)
                if self.modules[symbol.module].globals[index].initializer.is_none()
                    && self.is_section_bound(name) =>
            {
                unsupported(format!("`{name}`, the bound of a section of objects"))
            }
            SymbolKind::Global(index) => Ok(Expr::GlobalAddress(self.global_id(symbol.module, index))),
            SymbolKind::Alias(_) if depth > ALIAS_DEPTH_LIMIT => {
                unsupported(format!("the alias `{name}`, which leads back to itself"))
            }
            SymbolKind::Alias(index) => {
                let modules = self.modules;
                let alias = &modules[symbol.module].aliases[index];
                if alias.is_ifunc {
                    return unsupported(format!(
                        "`{name}`, a function that is chosen at load time (ifunc)"
                    ));
                }
                match &alias.target {
                    Constant::Global(target) => {
                        self.address_through_aliases(symbol.module, target, depth + 1)
                    }
                    target => self.scalar_constant(symbol.module, &Type::Pointer(0), target),
                }
            }
        }
    }

    /// True for a function that is declared weak and that nothing defines.
    pub fn is_absent_function(&self, module: usize, name: &str) -> bool {
        let symbol = self.symbols.resolve(module, name);
        symbol.is_some_and(|symbol| self.is_absent(symbol))
    }

    /// True for what a linker puts at an end of the section whose objects some file defines.
    fn is_section_bound(&self, name: &str) -> bool {
        let section = name
            .strip_prefix("__start_")
            .or_else(|| name.strip_prefix("__stop_"));
        section.is_some_and(|section| {
            let globals = self.modules.iter().flat_map(|module| &module.globals);
            let mut sections = globals.filter_map(|global| global.section.as_deref());
            sections.any(|other| other == section)
        })
    }

    /// True for a weak declaration that nothing defines: its address is null.
    fn is_absent(&self, symbol: Symbol) -> bool {
        let module = &self.modules[symbol.module];
        let (linkage, is_defined) = match symbol.kind {
            SymbolKind::Function(index) => {
                let function = &module.functions[index];
                (function.linkage, !function.blocks.is_empty())
            }
            SymbolKind::Global(index) => {
                let global = &module.globals[index];
                (global.linkage, global.initializer.is_some())
            }
            SymbolKind::Alias(_) => return false,
        };
        linkage == Linkage::ExternWeak && !is_defined
    }

    fn constant_expression(&mut self, module: usize, expression: &ConstantExpression) -> Step<Vec<Expr>> {
        let types = self.types(module);
        match expression {
            ConstantExpression::Cast { op, from, value, to } => {
                let scalars = self.constant(module, from, value)?;
                convert(&types, *op, from, scalars, to)
            }
            ConstantExpression::GetElementPointer {
                element,
                base,
                indices,
            } => {
                let pointer = self.scalar_constant(module, &base.0, &base.1)?;
                let mut values = Vec::with_capacity(indices.len());
                for (ty, index) in indices {
                    values.push(self.scalar_constant(module, ty, index)?);
                }
                let typed = indices.iter().map(|index| &index.0).zip(values);
                let offset = element_offset(&types, element, typed)?;
                Ok(vec![pointer_add(pointer, offset)])
            }
            ConstantExpression::Binary { op, ty, left, right } => {
                let left = self.constant(module, ty, left)?;
                let right = self.constant(module, ty, right)?;
                let op = binary_op(*op);
                if right.iter().any(|right| has_no_value(op, right)) {
                    return unsupported("a constant expression without a value");
                }
                let pairs = left.into_iter().zip(right);
                Ok(pairs
                    .map(|(a, b)| pointer_difference(op, &a, &b).unwrap_or_else(|| binary(op, a, b)))
                    .collect())
            }
            ConstantExpression::Compare {
                predicate,
                ty,
                left,
                right,
            } => {
                let left = self.scalar_constant(module, ty, left)?;
                let right = self.scalar_constant(module, ty, right)?;
                let Some(scalar) = types.scalar(ty) else {
                    return unsupported("a constant comparison of vectors");
                };
                Ok(vec![compare(*predicate, scalar, left, right)])
            }
            ConstantExpression::Select {
                condition,
                ty,
                then,
                otherwise,
            } => {
                let condition = self.scalar_constant(module, &Type::Int(1), condition)?;
                let then = self.constant(module, ty, then)?;
                let otherwise = self.constant(module, ty, otherwise)?;
                let pairs = then.into_iter().zip(otherwise);
                Ok(pairs.map(|(a, b)| select(condition.clone(), a, b)).collect())
            }
            ConstantExpression::Unknown(text) => unsupported(format!("the constant expression `{text}`")),
        }
    }
}

/// True for a shift by the width or more, and for a division by what may be zero.
fn has_no_value(op: Op, right: &Expr) -> bool {
    match (op, right) {
        (Op::Shl | Op::LShr | Op::AShr, Expr::Int(distance)) => distance
            .to_u64()
            .is_none_or(|bits| bits >= u64::from(distance.width())),
        (Op::Shl | Op::LShr | Op::AShr, _) => true,
        (Op::UDiv | Op::SDiv | Op::URem | Op::SRem, Expr::Int(divisor)) => divisor.is_zero(),
        (Op::UDiv | Op::SDiv | Op::URem | Op::SRem, _) => true,
        _ => false,
    }
}

/// Zero, or the null pointer.
pub fn zero(ty: Scalar) -> Expr {
    match ty {
        Scalar::Int(width) => Expr::Int(BitVec::zero(width)),
        Scalar::Float(format) => Expr::Float(Float::zero(format, false)),
        Scalar::Pointer => Expr::Null,
    }
}

/// An integer as LLVM IR writes it.
pub fn parse_int(width: u32, text: &str) -> Option<BitVec> {
    match text {
        "true" => return Some(BitVec::one(width)),
        "false" => return Some(BitVec::zero(width)),
        _ => {}
    }
    if let Some(digits) = text.strip_prefix("u0x") {
        return BitVec::parse(width, digits, 16);
    }
    match text.strip_prefix('-') {
        Some(digits) => BitVec::parse(width, digits, 10).map(|value| value.neg()),
        None => BitVec::parse(width, text, 10),
    }
}

/// A float literal of LLVM: decimal, `0x` with the bits of a double, or `0xK`, `0xL`, `0xH` with the bits
/// of the format itself.
fn parse_float(format: FloatFormat, text: &str) -> Option<Float> {
    let Some(digits) = text.strip_prefix("0x") else {
        return Float::parse(text, format, RoundingMode::NearestEven);
    };
    let own = |digits: &str| {
        let bits = u128::from_str_radix(digits, 16).ok()?;
        Some(Float::from_bits(format, &BitVec::new(format.bits(), bits)))
    };
    match digits.split_at_checked(1)? {
        ("K" | "H", bits) => own(bits),
        ("L", bits) => {
            let (low, high) = bits.split_at_checked(16)?;
            own(&format!("{high}{low}"))
        }
        ("M" | "R", _) => None,
        _ => {
            let value = f64::from_bits(u64::from_str_radix(digits, 16).ok()?);
            let double = Float::from_f64(value);
            if format == FloatFormat::Binary32 && value.is_nan() {
                // A conversion would make the payload canonical; it is the double's, cut off.
                let bits = value.to_bits();
                let single = (bits >> 32 & 0x8000_0000) | 0x7f80_0000 | (bits >> 29 & 0x007f_ffff);
                return Some(Float::from_bits(format, &BitVec::new(32, u128::from(single))));
            }
            Some(match format {
                FloatFormat::Binary64 => double,
                _ => double.convert(format, RoundingMode::NearestEven),
            })
        }
    }
}

/// The operator of the program model.
pub fn binary_op(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::UDiv => Op::UDiv,
        BinaryOp::SDiv => Op::SDiv,
        BinaryOp::URem => Op::URem,
        BinaryOp::SRem => Op::SRem,
        BinaryOp::Shl => Op::Shl,
        BinaryOp::LShr => Op::LShr,
        BinaryOp::AShr => Op::AShr,
        BinaryOp::And => Op::And,
        BinaryOp::Or => Op::Or,
        BinaryOp::Xor => Op::Xor,
        BinaryOp::FAdd => Op::FAdd,
        BinaryOp::FSub => Op::FSub,
        BinaryOp::FMul => Op::FMul,
        BinaryOp::FDiv => Op::FDiv,
        BinaryOp::FRem => Op::FMod,
    }
}

/// The difference of two addresses in one object, as a literal.
fn pointer_difference(op: Op, left: &Expr, right: &Expr) -> Option<Expr> {
    let (
        Op::Sub,
        Expr::Cast(Cast::PointerToInt, a, Scalar::Int(width)),
        Expr::Cast(Cast::PointerToInt, b, _),
    ) = (op, left, right)
    else {
        return None;
    };
    let ((a, a_offset), (b, b_offset)) = (split_pointer(a), split_pointer(b));
    (a == b).then(|| int(*width, a_offset - b_offset))
}

/// The byte offset that `getelementptr` adds.
pub fn element_offset<'i>(
    types: &Types<'_>,
    element: &Type,
    indices: impl Iterator<Item = (&'i Type, Expr)>,
) -> Step<Expr> {
    let width = types.pointer_bits();
    let mut known = 0i128;
    let mut unknown: Option<Expr> = None;
    let mut at = element.clone();
    for (position, (index_type, index)) in indices.enumerate() {
        let Some(Scalar::Int(index_width)) = types.scalar(index_type) else {
            return unsupported("pointer arithmetic on vectors");
        };
        let step = if position == 0 {
            types.alloc_size(&at)
        } else {
            match types.resolve(&at).clone() {
                Type::Struct { members, packed } => {
                    let member = as_unsigned(&index).map(|index| index as usize);
                    let offsets = types.struct_layout(&members, packed).0;
                    let Some((member, offset)) =
                        member.and_then(|m| Some((members.get(m)?, offsets.get(m)?)))
                    else {
                        return unsupported("a struct member that does not exist");
                    };
                    known += i128::from(*offset);
                    at = member.clone();
                    continue;
                }
                Type::Array(_, inner) | Type::Vector(_, inner) => {
                    at = (*inner).clone();
                    types.alloc_size(&at)
                }
                _ => return unsupported("pointer arithmetic into a scalar"),
            }
        };
        match as_signed(&index) {
            Some(index) => known += index.wrapping_mul(i128::from(step)),
            None => {
                let index = resize(index, index_width, width, true);
                let term = binary(Op::Mul, index, int(width, i128::from(step)));
                unknown = Some(match unknown {
                    Some(sum) => binary(Op::Add, sum, term),
                    None => term,
                });
            }
        }
    }
    let known = int(width, known);
    Ok(match unknown {
        Some(sum) => binary(Op::Add, sum, known),
        None => known,
    })
}

/// Applies a conversion to every scalar of a value.
pub fn convert(types: &Types<'_>, op: CastOp, from: &Type, scalars: Vec<Expr>, to: &Type) -> Step<Vec<Expr>> {
    let sources = types.leaves(from)?;
    let targets = types.leaves(to)?;
    if op == CastOp::BitCast && sources.len() != targets.len() {
        return reinterpret(types, from, scalars, to);
    }
    let scalars = scalars.into_iter().zip(sources.iter().zip(&targets));
    scalars
        .map(|(value, (source, target))| {
            convert_scalar(types.pointer_bits(), op, source.ty, value, target.ty)
        })
        .collect()
}

/// A bit cast between vectors of different lengths, or a vector and a scalar.
fn reinterpret(types: &Types<'_>, from: &Type, scalars: Vec<Expr>, to: &Type) -> Step<Vec<Expr>> {
    let sources = types.leaves(from)?;
    let width = |ty: Scalar| match ty {
        Scalar::Int(bits) => bits,
        Scalar::Float(format) => format.bits(),
        Scalar::Pointer => types.pointer_bits(),
    };
    let big_endian = types.layout.big_endian;
    let mut whole: Option<(Expr, u32)> = None;
    for (value, leaf) in scalars.into_iter().zip(&sources) {
        let bits = scalar_bits(types.pointer_bits(), leaf.ty, value);
        let leaf_width = width(leaf.ty);
        whole = Some(match whole {
            None => (bits, leaf_width),
            Some((lower, so_far)) if !big_endian => {
                (Expr::Concat(Box::new(bits), Box::new(lower)), so_far + leaf_width)
            }
            Some((upper, so_far)) => (Expr::Concat(Box::new(upper), Box::new(bits)), so_far + leaf_width),
        });
    }
    let targets = types.leaves(to)?;
    let total: u32 = targets.iter().map(|leaf| width(leaf.ty)).sum();
    let Some((whole, whole_width)) = whole else {
        return Ok(Vec::new());
    };
    if whole_width != total {
        return unsupported("a bit cast between types of different sizes");
    }
    let mut low = 0;
    let mut parts = Vec::with_capacity(targets.len());
    for leaf in &targets {
        let leaf_width = width(leaf.ty);
        let at = if big_endian { total - low - leaf_width } else { low };
        let bits = if leaf_width == total {
            whole.clone()
        } else {
            Expr::Extract {
                high: at + leaf_width - 1,
                low: at,
                value: Box::new(whole.clone()),
            }
        };
        parts.push(bits_to_scalar(leaf.ty, bits));
        low += leaf_width;
    }
    Ok(parts)
}

/// A scalar's bits as an integer of its width.
pub fn scalar_bits(pointer_width: u32, ty: Scalar, value: Expr) -> Expr {
    match ty {
        Scalar::Int(_) => value,
        Scalar::Float(format) => cast(Cast::FloatToBits, value, Scalar::Int(format.bits())),
        Scalar::Pointer => cast(Cast::PointerToInt, value, Scalar::Int(pointer_width)),
    }
}

/// The scalar with these bits.
pub fn bits_to_scalar(ty: Scalar, bits: Expr) -> Expr {
    match ty {
        Scalar::Int(_) => bits,
        Scalar::Float(_) => cast(Cast::BitsToFloat, bits, ty),
        Scalar::Pointer => cast(Cast::IntToPointer, bits, ty),
    }
}

/// A conversion of one scalar.
pub fn convert_scalar(pointer_width: u32, op: CastOp, from: Scalar, value: Expr, to: Scalar) -> Step<Expr> {
    let int_width = |ty: Scalar| match ty {
        Scalar::Int(width) => width,
        _ => pointer_width,
    };
    Ok(match op {
        CastOp::Trunc => cast(Cast::Trunc, value, to),
        CastOp::ZExt => cast(Cast::ZExt, value, to),
        CastOp::SExt => cast(Cast::SExt, value, to),
        CastOp::FpTrunc | CastOp::FpExt => cast(Cast::FToF, value, to),
        CastOp::FpToUi => cast(Cast::FToU, value, to),
        CastOp::FpToSi => cast(Cast::FToS, value, to),
        CastOp::UiToFp => cast(Cast::UToF, value, to),
        CastOp::SiToFp => cast(Cast::SToF, value, to),
        CastOp::PtrToInt => {
            let address = cast(Cast::PointerToInt, value, Scalar::Int(pointer_width));
            resize(address, pointer_width, int_width(to), false)
        }
        CastOp::IntToPtr => {
            let address = resize(value, int_width(from), pointer_width, false);
            cast(Cast::IntToPointer, address, Scalar::Pointer)
        }
        CastOp::AddrSpaceCast => value,
        CastOp::BitCast if from == to => value,
        CastOp::BitCast => match (from, to) {
            (Scalar::Float(a), Scalar::Float(b)) if a.bits() == b.bits() => value,
            (Scalar::Float(format), Scalar::Int(width)) if format.bits() == width => {
                cast(Cast::FloatToBits, value, to)
            }
            (Scalar::Int(width), Scalar::Float(format)) if format.bits() == width => {
                cast(Cast::BitsToFloat, value, to)
            }
            _ => return unsupported("a bit cast between types of different sizes"),
        },
    })
}

/// A comparison of two scalars of the same type.
pub fn compare(predicate: Predicate, ty: Scalar, left: Expr, right: Expr) -> Expr {
    match ty {
        Scalar::Float(_) => compare_floats(predicate, left, right),
        Scalar::Pointer => compare_ordered(predicate, left, right, [Op::PEq, Op::PULt, Op::PULe]),
        Scalar::Int(_) => {
            let signed = matches!(
                predicate,
                Predicate::Slt | Predicate::Sle | Predicate::Sgt | Predicate::Sge
            );
            let ops = if signed {
                [Op::Eq, Op::SLt, Op::SLe]
            } else {
                [Op::Eq, Op::ULt, Op::ULe]
            };
            compare_ordered(predicate, left, right, ops)
        }
    }
}

fn compare_ordered(predicate: Predicate, left: Expr, right: Expr, [equal, less, at_most]: [Op; 3]) -> Expr {
    match predicate {
        Predicate::Eq => binary(equal, left, right),
        Predicate::Ne if equal == Op::Eq => binary(Op::Ne, left, right),
        Predicate::Ne => super::expressions::not(binary(equal, left, right)),
        Predicate::Ult | Predicate::Slt => binary(less, left, right),
        Predicate::Ule | Predicate::Sle => binary(at_most, left, right),
        Predicate::Ugt | Predicate::Sgt => binary(less, right, left),
        _ => binary(at_most, right, left),
    }
}

fn compare_floats(predicate: Predicate, left: Expr, right: Expr) -> Expr {
    use super::expressions::{not, unary};
    use kripke_elts::UnaryOp::FIsNan;
    let either_less = |left: Expr, right: Expr| {
        let below = binary(Op::FLt, left.clone(), right.clone());
        binary(Op::Or, below, binary(Op::FLt, right, left))
    };
    let unordered = |left: Expr, right: Expr| binary(Op::Or, unary(FIsNan, left), unary(FIsNan, right));
    match predicate {
        Predicate::FFalse => boolean(false),
        Predicate::FTrue => boolean(true),
        Predicate::FOeq => binary(Op::FEq, left, right),
        Predicate::FOlt => binary(Op::FLt, left, right),
        Predicate::FOle => binary(Op::FLe, left, right),
        Predicate::FOgt => binary(Op::FLt, right, left),
        Predicate::FOge => binary(Op::FLe, right, left),
        Predicate::FOne => either_less(left, right),
        Predicate::FOrd => not(unordered(left, right)),
        Predicate::FUno => unordered(left, right),
        Predicate::FUeq => not(either_less(left, right)),
        Predicate::FUgt => not(binary(Op::FLe, left, right)),
        Predicate::FUge => not(binary(Op::FLt, left, right)),
        Predicate::FUlt => not(binary(Op::FLe, right, left)),
        Predicate::FUle => not(binary(Op::FLt, right, left)),
        _ => not(binary(Op::FEq, left, right)),
    }
}
