//! Expressions over bytes of the data address space: types, values, and where C gives none.
//!
//! Idea: a value is a number of the type's width; it is not known where a byte is not. What C leaves
//! undefined (a division by zero, an index outside the array) is told apart, so that no formula is true or
//! false because of it.
//!
//! Source: C11 6.3.1 (conversions), 6.5.5 to 6.5.7 (undefined operands), 6.5.6p8 (elements outside an array).

use std::sync::Arc;

use Operator as O;

use crate::footprint::Cell;

/// The type of a value: its width and whether it is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) bits: u8,
    pub(super) signed: bool,
}

pub(super) const INT: Kind = Kind {
    bits: 16,
    signed: true,
};

impl Kind {
    /// The value reduced to the type.
    pub(super) fn wrap(self, value: i64) -> i64 {
        let shift = 64 - u32::from(self.bits.clamp(1, 64));
        if self.signed {
            value << shift >> shift
        } else {
            ((value as u64) << shift >> shift) as i64
        }
    }

    /// Integer promotion.
    pub(super) fn promoted(self) -> Self {
        if self.bits < 16 { INT } else { self }
    }

    /// The usual arithmetic conversions.
    pub(super) fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        Kind {
            bits: a.bits.max(b.bits),
            signed: match a.bits.cmp(&b.bits) {
                std::cmp::Ordering::Less => b.signed,
                std::cmp::Ordering::Greater => a.signed,
                std::cmp::Ordering::Equal => a.signed && b.signed,
            },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    Left,
    Right,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Unequal,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    Constant(i64, Kind),
    /// Bits of memory at an address: first bit, width.
    Load {
        address: Box<Expression>,
        bytes: u8,
        first: u8,
        kind: Kind,
    },
    Negate(Box<Expression>, Kind),
    Complement(Box<Expression>, Kind),
    Not(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>, Kind),
    /// Where the run is: bytes from this cell on, which no memory has.
    Position(Cell, Kind),
    /// An index of an array with so many elements.
    Index(Box<Expression>, i64),
    /// A value as one of another type.
    Cast(Box<Expression>, Kind),
    /// `?:`, with the type of its value.
    Conditional(Box<[Expression; 3]>, Kind),
    /// Whether a value is one of these, which ascend.
    Member(Box<Expression>, Arc<[u32]>),
}

impl Expression {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Expression::Constant(_, kind)
            | Expression::Negate(_, kind)
            | Expression::Complement(_, kind)
            | Expression::Cast(_, kind)
            | Expression::Position(_, kind)
            | Expression::Conditional(_, kind)
            | Expression::Load { kind, .. } => *kind,
            Expression::Not(_) | Expression::Member(..) => INT,
            Expression::Index(..) => LONG,
            Expression::Binary(operator, _, _, kind) => match operator {
                O::Less
                | O::LessEqual
                | O::Greater
                | O::GreaterEqual
                | O::Equal
                | O::Unequal
                | O::And
                | O::Or => INT,
                _ => *kind,
            },
        }
    }

    /// The value; none where it depends on a byte that `read` does not know.
    pub(super) fn value(&self, read: &impl Fn(i64) -> Option<u8>) -> Option<i64> {
        Some(match self {
            Expression::Constant(value, _) => *value,
            Expression::Load {
                address,
                bytes,
                first,
                kind,
            } => {
                let address = address.value(read)?;
                let mut value = 0_i64;
                for offset in (0..i64::from(*bytes)).rev() {
                    value = value << 8 | i64::from(read(address + offset)?);
                }
                kind.wrap(value >> first)
            }
            Expression::Negate(inner, kind) => kind.wrap(inner.value(read)?.wrapping_neg()),
            Expression::Complement(inner, kind) => kind.wrap(!inner.value(read)?),
            Expression::Not(inner) => i64::from(inner.value(read)? == 0),
            Expression::Index(inner, _) => inner.value(read)?,
            Expression::Position(first, kind) => {
                let mut value = 0_i64;
                for offset in (0..kind.bits / 8).rev() {
                    value = value << 8 | i64::from(read(i64::from(*first) + i64::from(offset))?);
                }
                value
            }
            Expression::Cast(inner, kind) => kind.wrap(inner.value(read)?),
            Expression::Conditional(parts, kind) => {
                let [condition, yes, no] = &**parts;
                let chosen = match condition.value(read) {
                    Some(value) => if value == 0 { no } else { yes }.value(read)?,
                    None => yes.value(read).filter(|value| no.value(read) == Some(*value))?,
                };
                kind.wrap(chosen)
            }
            Expression::Member(inner, members) => {
                let value = inner.value(read)?;
                let is_there = u32::try_from(value).is_ok_and(|value| members.binary_search(&value).is_ok());
                i64::from(is_there)
            }
            Expression::Binary(operator @ (O::And | O::Or), left, right, _) => {
                let decides = i64::from(*operator == O::Or);
                let truth = |side: &Expression| side.value(read).map(|value| i64::from(value != 0));
                match (truth(left), truth(right)) {
                    (Some(value), _) | (_, Some(value)) if value == decides => decides,
                    (left, right) => left?.max(right?),
                }
            }
            Expression::Binary(operator, left, right, kind) => {
                binary(*operator, left.value(read)?, right.value(read)?, *kind)
            }
        })
    }
}

impl Expression {
    /// Why C gives the expression no value; none where it has one, or where that depends on a byte that
    /// `read` does not know. Data addresses end at `end`.
    pub(super) fn undefined(&self, read: &impl Fn(i64) -> Option<u8>, end: i64) -> Option<&'static str> {
        let known = |side: &Expression| side.value(read);
        match self {
            Expression::Constant(..) | Expression::Position(..) => None,
            Expression::Negate(inner, _)
            | Expression::Complement(inner, _)
            | Expression::Cast(inner, _)
            | Expression::Member(inner, _)
            | Expression::Not(inner) => inner.undefined(read, end),
            Expression::Conditional(parts, _) => {
                let [condition, yes, no] = &**parts;
                condition.undefined(read, end).or_else(|| match known(condition) {
                    Some(0) => no.undefined(read, end),
                    Some(_) => yes.undefined(read, end),
                    None => None,
                })
            }
            Expression::Load { address, bytes, .. } => address.undefined(read, end).or_else(|| {
                let at = known(address)?;
                let is_there = (0..=end - i64::from(*bytes)).contains(&at);
                (!is_there).then_some("it follows a pointer out of memory")
            }),
            Expression::Index(inner, count) => inner.undefined(read, end).or_else(|| {
                let is_there = (0..*count).contains(&known(inner)?);
                (!is_there).then_some("its index lies outside the array")
            }),
            Expression::Binary(operator @ (O::And | O::Or), left, right, _) => {
                left.undefined(read, end).or_else(|| {
                    let decides = known(left).is_some_and(|value| (value != 0) == (*operator == O::Or));
                    if decides { None } else { right.undefined(read, end) }
                })
            }
            Expression::Binary(operator, left, right, kind) => {
                let parts = left.undefined(read, end).or_else(|| right.undefined(read, end));
                parts.or_else(|| match operator {
                    O::Divide | O::Remainder => {
                        (kind.wrap(known(right)?) == 0).then_some("it divides by zero")
                    }
                    O::Left | O::Right => (!(0..i64::from(kind.bits)).contains(&known(right)?))
                        .then_some("it shifts by less than 0 or by more than the width"),
                    _ => None,
                })
            }
        }
    }

    /// Whether there are states in which C may give the expression no value.
    pub(super) fn can_be_undefined(&self) -> bool {
        match self {
            Expression::Constant(..) | Expression::Position(..) => false,
            Expression::Negate(inner, _)
            | Expression::Complement(inner, _)
            | Expression::Cast(inner, _)
            | Expression::Member(inner, _)
            | Expression::Not(inner) => inner.can_be_undefined(),
            Expression::Conditional(parts, _) => parts.iter().any(Expression::can_be_undefined),
            Expression::Load { address, .. } => !matches!(**address, Expression::Constant(..)),
            Expression::Index(inner, _) => !matches!(**inner, Expression::Constant(..)),
            Expression::Binary(operator, left, right, _) => {
                let needs = matches!(operator, O::Divide | O::Remainder | O::Left | O::Right);
                let varies = needs && !matches!(**right, Expression::Constant(..));
                varies || left.can_be_undefined() || right.can_be_undefined()
            }
        }
    }
}

fn binary(operator: Operator, left: i64, right: i64, kind: Kind) -> i64 {
    let (a, b) = match operator {
        O::Left | O::Right => (kind.wrap(left), right),
        _ => (kind.wrap(left), kind.wrap(right)),
    };
    let truth = i64::from;
    match operator {
        O::Multiply => kind.wrap(a.wrapping_mul(b)),
        // Where C gives no value it is 0 here; `Expression::undefined` tells.
        O::Divide => kind.wrap(a.checked_div(b).unwrap_or(0)),
        O::Remainder => kind.wrap(a.checked_rem(b).unwrap_or(0)),
        O::Add => kind.wrap(a.wrapping_add(b)),
        O::Subtract => kind.wrap(a.wrapping_sub(b)),
        O::Left => kind.wrap(if (0..63).contains(&b) { a << b } else { 0 }),
        O::Right => kind.wrap(a >> b.clamp(0, 63)),
        O::Less => truth(a < b),
        O::LessEqual => truth(a <= b),
        O::Greater => truth(a > b),
        O::GreaterEqual => truth(a >= b),
        O::Equal => truth(a == b),
        O::Unequal => truth(a != b),
        O::BitAnd => a & b,
        O::BitXor => a ^ b,
        O::BitOr => a | b,
        O::And => truth(a != 0 && b != 0),
        O::Or => truth(a != 0 || b != 0),
    }
}

/// The type of the program counter in atoms: a byte address.
pub(super) const CODE_ADDRESS: Kind = Kind {
    bits: 32,
    signed: false,
};
/// The type that `sizeof` has.
pub(super) const SIZE: Kind = Kind {
    bits: 16,
    signed: false,
};
pub(super) const LONG: Kind = Kind {
    bits: 64,
    signed: true,
};
pub(super) const POINTER: Kind = Kind {
    bits: 16,
    signed: false,
};

pub(super) fn constant(value: i64) -> Expression {
    Expression::Constant(value, LONG)
}

pub(super) fn loaded(address: Expression, bytes: u8, kind: Kind) -> Expression {
    Expression::Load {
        address: Box::new(address),
        bytes,
        first: 0,
        kind,
    }
}

/// A constant, if the expression depends on nothing.
pub(super) fn folded(expression: Expression) -> Expression {
    let kind = expression.kind();
    match expression.value(&|_| None) {
        Some(value) => Expression::Constant(value, kind),
        None => expression,
    }
}
