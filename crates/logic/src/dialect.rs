//! The spellings of temporal logic that are read and written, and how each binds its operators.
//!
//! The tables follow the tools themselves: SPIN's translator has two levels of left-associative operators,
//! ltl2ba and NuSMV have one level per operator, Spot makes `->`, `<->` and the binary temporal operators
//! right-associative. Kripke reads as Spot does, and says where another tool would read something else.

use std::fmt;

use crate::formula::BinaryOperator;

/// A tool whose spelling is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// Our own: Spot's precedences, atoms as `{C expression}`, words for operators as letters.
    Kripke,
    /// SPIN (`spin -f`).
    Spin,
    /// ltl2ba and libltl2ba.
    Ltl2ba,
    /// Spot.
    Spot,
    /// NuSMV and nuXmv.
    NuSmv,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 5] = [
        Dialect::Kripke,
        Dialect::Spin,
        Dialect::Ltl2ba,
        Dialect::Spot,
        Dialect::NuSmv,
    ];

    /// The name of the option value.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Kripke => "kripke",
            Dialect::Spin => "spin",
            Dialect::Ltl2ba => "ltl2ba",
            Dialect::Spot => "spot",
            Dialect::NuSmv => "nusmv",
        }
    }

    /// The dialect of that name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL
            .into_iter()
            .find(|dialect| dialect.name().eq_ignore_ascii_case(name))
    }

    /// Its bit in a token's set of dialects.
    pub(crate) fn bit(self) -> u8 {
        1 << (self as u8)
    }

    pub(crate) fn levels(self) -> &'static [Level] {
        match self {
            Dialect::Kripke | Dialect::Spot => SPOT,
            Dialect::Spin => SPIN,
            Dialect::Ltl2ba => LTL2BA,
            Dialect::NuSmv => NUSMV,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Kripke => "Kripke",
            Dialect::Spin => "SPIN",
            Dialect::Ltl2ba => "ltl2ba",
            Dialect::Spot => "Spot",
            Dialect::NuSmv => "NuSMV",
        })
    }
}

/// Everything that stands between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Connective {
    And,
    Or,
    Xor,
    Xnor,
    Implies,
    Iff,
    Temporal(BinaryOperator),
}

/// One level of precedence: operators that bind equally.
pub(crate) struct Level {
    pub(crate) operators: &'static [Connective],
    pub(crate) right: bool,
}

const fn left(operators: &'static [Connective]) -> Level {
    Level {
        operators,
        right: false,
    }
}

const fn right(operators: &'static [Connective]) -> Level {
    Level {
        operators,
        right: true,
    }
}

use BinaryOperator::{Release, StrongRelease, Until, WeakUntil};
use Connective::{And, Iff, Implies, Or, Temporal, Xnor, Xor};

const TEMPORAL: &[Connective] = &[
    Temporal(Until),
    Temporal(WeakUntil),
    Temporal(Release),
    Temporal(StrongRelease),
];

/// Loosest first, in every table.
const SPOT: &[Level] = &[
    right(&[Implies, Iff]),
    left(&[Or]),
    left(&[Xor, Xnor]),
    left(&[And]),
    right(TEMPORAL),
];
const SPIN: &[Level] = &[left(&[Or, And, Implies, Iff, Xor, Xnor]), left(TEMPORAL)];
const LTL2BA: &[Level] = &[
    left(&[Implies]),
    left(&[Iff]),
    left(&[Or, Xor, Xnor]),
    left(&[And]),
    left(TEMPORAL),
];
const NUSMV: &[Level] = &[
    right(&[Implies]),
    left(&[Iff]),
    left(&[Or, Xor, Xnor]),
    left(&[And]),
    left(TEMPORAL),
];
