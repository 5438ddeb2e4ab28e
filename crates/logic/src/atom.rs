//! Atomic propositions: opaque texts, numbered in the order of their first occurrence.
//!
//! Two atoms are the same when their texts are, however they were written (`p`, `{p}` and `"p"` are one
//! atom).

use std::fmt;

/// How many atoms a formula may name: a letter is the valuation of all of them in one machine word.
pub const MAX_ATOMS: usize = 64;

/// An atomic proposition inside its [`Atoms`] table; also the number of its bit in a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(u8);

impl AtomId {
    /// The number of the atom, and of its bit in a letter.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The atom of a bit number.
    pub fn new(index: usize) -> Option<AtomId> {
        (index < MAX_ATOMS).then_some(AtomId(index as u8))
    }
}

impl fmt::Display for AtomId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

/// How an atom was written first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomStyle {
    /// `{C expression}`.
    Braces,
    /// `"text"`.
    Quoted,
    /// A bare name or comparison: `ready`, `count < 3`.
    Bare,
}

/// An atomic proposition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The proposition itself, without braces or quotes.
    pub text: String,
    /// How it was written.
    pub style: AtomStyle,
    /// Where its text begins in the formula, in bytes; a message about the atom's text maps here.
    pub offset: usize,
}

impl Atom {
    /// An atom that was not read from a formula's text.
    pub fn named(text: impl Into<String>) -> Atom {
        let text = text.into();
        let style = if is_identifier(&text) {
            AtomStyle::Bare
        } else {
            AtomStyle::Braces
        };
        Atom {
            text,
            style,
            offset: 0,
        }
    }
}

/// The table of atoms of a formula or an automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Atoms {
    list: Vec<Atom>,
}

impl Atoms {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// A table of plain names, `None` when there are more than [`MAX_ATOMS`].
    pub fn from_names<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Option<Self> {
        let list: Vec<Atom> = names.into_iter().map(|name| Atom::named(name)).collect();
        (list.len() <= MAX_ATOMS).then_some(Atoms { list })
    }

    /// The atom with this text, entered if it is new; `None` when the table is full.
    pub fn intern(&mut self, atom: Atom) -> Option<AtomId> {
        if let Some(id) = self.find(&atom.text) {
            return Some(id);
        }
        let id = AtomId::new(self.list.len())?;
        self.list.push(atom);
        Some(id)
    }

    /// The atom with this text.
    pub fn find(&self, text: &str) -> Option<AtomId> {
        self.list
            .iter()
            .position(|atom| atom.text == text)
            .and_then(AtomId::new)
    }

    /// The atom behind an id.
    pub fn get(&self, id: AtomId) -> &Atom {
        &self.list[id.index()]
    }

    /// How many atoms there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The atoms with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (AtomId, &Atom)> {
        self.list
            .iter()
            .enumerate()
            .map(|(index, atom)| (AtomId(index as u8), atom))
    }
}

/// Whether a text is a C identifier.
pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
