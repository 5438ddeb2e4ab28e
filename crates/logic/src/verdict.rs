//! The four truth values of a formula on a finite trace (journal paper, definition 2).

use std::fmt;
use std::ops::Not;

/// A value of the lattice ⊥ < ⊥ᵖ < ⊤ᵖ < ⊤.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FourValued {
    /// ⊥: no continuation satisfies the formula.
    False,
    /// ⊥ᵖ: some continuation does, but repeating the last letter for ever does not.
    PresumablyFalse,
    /// ⊤ᵖ: some continuation does not, but repeating the last letter for ever does.
    PresumablyTrue,
    /// ⊤: every continuation satisfies the formula.
    True,
}

impl FourValued {
    /// Every value, least first.
    pub const ALL: [FourValued; 4] = [
        FourValued::False,
        FourValued::PresumablyFalse,
        FourValued::PresumablyTrue,
        FourValued::True,
    ];

    /// The value of a set of traces of which these are two: the lesser.
    #[must_use]
    pub fn meet(self, other: FourValued) -> FourValued {
        self.min(other)
    }

    /// The presumable value.
    pub fn presumably(truth: bool) -> FourValued {
        if truth {
            FourValued::PresumablyTrue
        } else {
            FourValued::PresumablyFalse
        }
    }

    /// The definite value.
    pub fn definitely(truth: bool) -> FourValued {
        if truth {
            FourValued::True
        } else {
            FourValued::False
        }
    }

    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            FourValued::False => "violated",
            FourValued::PresumablyFalse => "presumably violated",
            FourValued::PresumablyTrue => "presumably holds",
            FourValued::True => "holds",
        }
    }
}

impl Not for FourValued {
    type Output = FourValued;

    fn not(self) -> FourValued {
        FourValued::ALL[3 - self as usize]
    }
}

impl fmt::Display for FourValued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FourValued::False => "⊥",
            FourValued::PresumablyFalse => "⊥ᵖ",
            FourValued::PresumablyTrue => "⊤ᵖ",
            FourValued::True => "⊤",
        })
    }
}
