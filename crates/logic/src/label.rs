//! Letters, and sets of letters as sums of cubes.

use std::fmt;

use crate::atom::{AtomId, Atoms};
use crate::dialect::Dialect;
use crate::printer::spell;

/// A valuation of all atoms: bit `i` is the value of atom `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letter(pub u64);

impl Letter {
    /// The value of an atom.
    pub fn value(self, atom: AtomId) -> bool {
        self.0 >> atom.index() & 1 == 1
    }

    /// The same letter with one atom's value set.
    #[must_use]
    pub fn with(self, atom: AtomId, value: bool) -> Letter {
        let bit = 1 << atom.index();
        Letter(if value { self.0 | bit } else { self.0 & !bit })
    }

    /// The atoms' values as a conjunction of literals, such as `p && !{x > 3}`.
    pub fn describe(self, atoms: &Atoms) -> String {
        let literals: Vec<String> = atoms
            .iter()
            .map(|(id, atom)| {
                format!(
                    "{}{}",
                    if self.value(id) { "" } else { "!" },
                    spell(atom, Dialect::Kripke)
                )
            })
            .collect();
        if literals.is_empty() {
            "true".to_string()
        } else {
            literals.join(" && ")
        }
    }
}

/// A conjunction of literals. No atom is in both sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// The atoms that must be true, as bits.
    pub positive: u64,
    /// The atoms that must be false, as bits.
    pub negative: u64,
}

impl Cube {
    /// The empty conjunction.
    pub const TRUE: Cube = Cube {
        positive: 0,
        negative: 0,
    };

    /// The literals, as atom and value.
    pub fn literals(self) -> impl Iterator<Item = (AtomId, bool)> {
        (0..64).filter_map(AtomId::new).filter_map(move |atom| {
            let bit = 1u64 << atom.index();
            if self.positive & bit != 0 {
                Some((atom, true))
            } else if self.negative & bit != 0 {
                Some((atom, false))
            } else {
                None
            }
        })
    }

    /// Whether the letter satisfies every literal.
    pub fn contains(self, letter: Letter) -> bool {
        letter.0 & self.positive == self.positive && letter.0 & self.negative == 0
    }

    pub(crate) fn with(self, atom: u8, value: bool) -> Cube {
        let bit = 1 << atom;
        if value {
            Cube {
                positive: self.positive | bit,
                ..self
            }
        } else {
            Cube {
                negative: self.negative | bit,
                ..self
            }
        }
    }
}

/// A set of letters: a disjunction of cubes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    cubes: Vec<Cube>,
}

impl Label {
    /// The empty set.
    pub fn none() -> Label {
        Label::default()
    }

    /// All letters.
    pub fn all() -> Label {
        Label {
            cubes: vec![Cube::TRUE],
        }
    }

    /// The union of some cubes; a cube that demands an atom both ways is dropped.
    pub fn from_cubes(cubes: impl IntoIterator<Item = Cube>) -> Label {
        Label {
            cubes: cubes
                .into_iter()
                .filter(|cube| cube.positive & cube.negative == 0)
                .collect(),
        }
    }

    /// The cubes.
    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// Whether it is certainly all letters.
    pub fn is_all(&self) -> bool {
        self.cubes.contains(&Cube::TRUE)
    }

    /// Whether it is empty.
    pub fn is_none(&self) -> bool {
        self.cubes.is_empty()
    }

    /// Whether the letter is in the set.
    pub fn contains(&self, letter: Letter) -> bool {
        self.cubes.iter().any(|cube| cube.contains(letter))
    }

    /// The set as a formula: `spell` writes an atom; the strings are "not", "and", "or", and the two
    /// constants.
    pub fn write(&self, style: &LabelStyle, spell: impl Fn(AtomId) -> String) -> String {
        if self.is_none() {
            return style.never.to_string();
        }
        if self.is_all() {
            return style.always.to_string();
        }
        let cubes: Vec<String> = self
            .cubes
            .iter()
            .map(|cube| {
                let literals: Vec<String> = cube
                    .literals()
                    .map(|(atom, value)| format!("{}{}", if value { "" } else { style.not }, spell(atom)))
                    .collect();
                let text = literals.join(style.and);
                if literals.len() > 1 && self.cubes.len() > 1 {
                    format!("({text})")
                } else {
                    text
                }
            })
            .collect();
        cubes.join(style.or)
    }

    /// The set as a formula over the atoms, in Kripke's spelling.
    pub fn describe(&self, atoms: &Atoms) -> String {
        self.write(&LabelStyle::C, |atom| spell(atoms.get(atom), Dialect::Kripke))
    }
}

/// How a label's connectives are written.
#[derive(Clone, Copy, Debug)]
pub struct LabelStyle {
    /// Before a literal that must be false.
    pub not: &'static str,
    /// Between literals.
    pub and: &'static str,
    /// Between cubes.
    pub or: &'static str,
    /// The set of all letters.
    pub always: &'static str,
    /// The empty set.
    pub never: &'static str,
}

impl LabelStyle {
    /// As C and Promela write it.
    pub const C: LabelStyle = LabelStyle {
        not: "!",
        and: " && ",
        or: " || ",
        always: "true",
        never: "false",
    };
    /// As HOA writes it.
    pub const HOA: LabelStyle = LabelStyle {
        not: "!",
        and: " & ",
        or: " | ",
        always: "t",
        never: "f",
    };
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#b}", self.0)
    }
}
