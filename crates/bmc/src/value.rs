//! Symbolic scalar values.
//!
//! Idea: an integer or float is one term. A pointer is a guarded set of (target, offset): at most one
//! case per target, so the set never grows beyond the number of objects it can point to, and most
//! pointers have exactly one case, whose guard is true.
//!
//! Invariant: under the path condition of the state that holds it, exactly one guard of a pointer is
//! true. The guards say nothing outside that path.

use kripke_elts::{FunctionId, Type};
use kripke_smt::{Sort, TermId, Terms};
use smallvec::{SmallVec, smallvec};

use crate::object::ObjectId;

/// What a pointer points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// The null pointer; the offset moves it.
    Null,
    /// No object, an address that the program names as a constant: a memory-mapped register.
    Device,
    /// No object, an address that was computed; the offset is the address.
    Raw,
    /// A function.
    Function(FunctionId),
    /// An object, live or not.
    Object(ObjectId),
    /// One of the individuals of a summary.
    Summary(ObjectId),
}

impl Target {
    /// Targets whose offset is the address.
    pub fn is_address(self) -> bool {
        matches!(self, Target::Null | Target::Device | Target::Raw)
    }
}

/// One thing a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// When it does.
    pub guard: TermId,
    /// Into what.
    pub target: Target,
    /// How many bytes from its start (pointer width).
    pub offset: TermId,
    /// Which individual, of a summary.
    pub individual: Option<TermId>,
}

/// A pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The cases, by rising target.
    pub cases: SmallVec<[Case; 1]>,
}

impl Pointer {
    /// Certainly that target, which is no summary.
    pub fn new(terms: &mut Terms, target: Target, offset: TermId) -> Self {
        let guard = terms.true_();
        Pointer {
            cases: smallvec![Case {
                guard,
                target,
                offset,
                individual: None,
            }],
        }
    }

    /// A pointer from cases in any order: same targets are joined, impossible cases dropped. Guards must
    /// exclude each other.
    pub fn from_cases(terms: &mut Terms, cases: impl IntoIterator<Item = Case>) -> Self {
        let mut joined: SmallVec<[Case; 1]> = SmallVec::new();
        for case in cases {
            if terms.as_bool(case.guard) == Some(false) {
                continue;
            }
            match joined.binary_search_by_key(&case.target, |other| other.target) {
                Ok(index) => {
                    let other = joined[index];
                    joined[index] = Case {
                        guard: terms.or(other.guard, case.guard),
                        target: case.target,
                        offset: terms.ite(case.guard, case.offset, other.offset),
                        individual: either(terms, case.guard, case.individual, other.individual),
                    };
                }
                Err(index) => joined.insert(index, case),
            }
        }
        if let [only] = &mut joined[..] {
            only.guard = terms.true_();
        }
        Pointer { cases: joined }
    }

    /// `condition ? self : other`.
    pub fn select(&self, terms: &mut Terms, condition: TermId, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let mut cases: SmallVec<[Case; 1]> = SmallVec::new();
        let (mut left, mut right) = (self.cases.iter().peekable(), other.cases.iter().peekable());
        let negated = terms.not(condition);
        loop {
            let case = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) if a.target == b.target => {
                    let guard = terms.ite(condition, a.guard, b.guard);
                    let offset = terms.ite(condition, a.offset, b.offset);
                    let case = Case {
                        guard,
                        target: a.target,
                        offset,
                        individual: either(terms, condition, a.individual, b.individual),
                    };
                    left.next();
                    right.next();
                    case
                }
                (Some(a), Some(b)) if a.target > b.target => {
                    let case = Case {
                        guard: terms.and(negated, b.guard),
                        ..**b
                    };
                    right.next();
                    case
                }
                (Some(a), _) => {
                    let case = Case {
                        guard: terms.and(condition, a.guard),
                        ..**a
                    };
                    left.next();
                    case
                }
                (None, Some(b)) => {
                    let case = Case {
                        guard: terms.and(negated, b.guard),
                        ..**b
                    };
                    right.next();
                    case
                }
                (None, None) => break,
            };
            if terms.as_bool(case.guard) != Some(false) {
                cases.push(case);
            }
        }
        if let [only] = &mut cases[..] {
            only.guard = terms.true_();
        }
        Pointer { cases }
    }
}

/// `condition ? a : b` of individuals of one summary.
fn either(terms: &mut Terms, condition: TermId, a: Option<TermId>, b: Option<TermId>) -> Option<TermId> {
    Some(terms.ite(condition, a?, b?))
}

/// A scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer (sort Bool where it has one bit) or a float.
    Term(TermId),
    /// A pointer.
    Pointer(Pointer),
}

impl Value {
    /// The term of an integer or float.
    ///
    /// # Panics
    /// On a pointer: the program is ill-typed, which the front end excludes.
    pub fn term(&self) -> TermId {
        match self {
            Value::Term(term) => *term,
            Value::Pointer(_) => panic!("ill-typed program: a pointer where a number is expected"),
        }
    }

    /// The pointer.
    ///
    /// # Panics
    /// On a number: the program is ill-typed, which the front end excludes.
    pub fn pointer(&self) -> &Pointer {
        match self {
            Value::Pointer(pointer) => pointer,
            Value::Term(_) => panic!("ill-typed program: a number where a pointer is expected"),
        }
    }

    /// `condition ? self : other`.
    pub fn select(&self, terms: &mut Terms, condition: TermId, other: &Value) -> Value {
        match (self, other) {
            (Value::Term(a), Value::Term(b)) => Value::Term(terms.ite(condition, *a, *b)),
            (Value::Pointer(a), Value::Pointer(b)) => Value::Pointer(a.select(terms, condition, b)),
            _ => panic!("ill-typed program: a pointer and a number meet"),
        }
    }
}

/// The sort of the terms of a number type.
pub fn sort_of(ty: Type, pointer_width: u32) -> Sort {
    match ty {
        Type::Int(1) => Sort::Bool,
        Type::Int(width) => Sort::BitVec(width),
        Type::Float(format) => Sort::Float(format),
        Type::Pointer => Sort::BitVec(pointer_width),
    }
}

/// The number in another width, without sign.
pub(crate) fn resized(terms: &mut Terms, number: TermId, width: u32) -> TermId {
    match terms.width(number) {
        from if from < width => terms.bv_zext(number, width),
        from if from > width => terms.bv_extract(number, width - 1, 0),
        _ => number,
    }
}

/// A truth value as a bit-vector of one bit.
pub fn bool_to_bits(terms: &mut Terms, value: TermId) -> TermId {
    let (one, zero) = (terms.bv_u64(1, 1), terms.bv_u64(1, 0));
    terms.ite(value, one, zero)
}

/// A bit-vector of one bit as a truth value.
pub fn bits_to_bool(terms: &mut Terms, value: TermId) -> TermId {
    let one = terms.bv_u64(1, 1);
    terms.eq(value, one)
}
