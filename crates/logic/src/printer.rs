//! Writing a formula in any dialect.
//!
//! Every operand that is itself an infix formula gets parentheses, so that the text means the same whatever
//! the reader's precedences. Operators a dialect lacks are written by their definitions; atoms it cannot
//! spell get names, and their definitions go beside the formula.

use std::fmt;

use crate::atom::{Atom, is_identifier};
use crate::dialect::Dialect;
use crate::formula::{BinaryOperator, Formula, FormulaId, Formulas, Logic, Node, Quantifier, UnaryOperator};
use crate::lexer::{brace_length, is_reserved};

/// A formula in some dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The formula.
    pub text: String,
    /// Names that stand for atoms the dialect cannot spell, with their texts.
    pub definitions: Vec<(String, String)>,
}

/// The formula cannot be said in the dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unprintable {
    /// The dialect that has no path quantifiers.
    pub dialect: Dialect,
}

impl fmt::Display for Unprintable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} has no path quantifiers (A, E): only LTL can be written for it",
            self.dialect
        )
    }
}

impl std::error::Error for Unprintable {}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer {
            store: &self.store,
            dialect: Dialect::Kripke,
            names: names(self, Dialect::Kripke),
        };
        f.write_str(&printer.formula(self.root))
    }
}

/// Writes a formula in a dialect.
pub fn print(formula: &Formula, dialect: Dialect) -> Result<Printed, Unprintable> {
    let quantified = matches!(formula.logic(), Logic::Ctl | Logic::Mixed);
    if quantified && !matches!(dialect, Dialect::Kripke | Dialect::NuSmv) {
        return Err(Unprintable { dialect });
    }
    let names = names(formula, dialect);
    let definitions = formula
        .atoms()
        .iter()
        .filter(|(id, atom)| dialect.needs_definition(atom) && names[id.index()] != atom.text)
        .map(|(id, atom)| (names[id.index()].clone(), atom.text.clone()))
        .collect();
    let printer = Printer {
        store: &formula.store,
        dialect,
        names,
    };
    Ok(Printed {
        text: printer.formula(formula.root),
        definitions,
    })
}

/// The formula with parentheses around every infix formula, in Kripke's spelling.
pub(crate) fn parenthesised(store: &Formulas, root: FormulaId) -> String {
    let names = store
        .atoms
        .iter()
        .map(|(_, atom)| spell(atom, Dialect::Kripke))
        .collect();
    Printer {
        store,
        dialect: Dialect::Kripke,
        names,
    }
    .formula(root)
}

impl Dialect {
    fn needs_definition(self, atom: &Atom) -> bool {
        let text = &atom.text;
        match self {
            Dialect::Kripke | Dialect::Spot => false,
            Dialect::Ltl2ba => brace_length(&format!("{{{text}}}")) != Some(text.len() + 2),
            Dialect::Spin => {
                !is_identifier(text)
                    || !text.starts_with(|c: char| c.is_ascii_lowercase())
                    || is_reserved(text)
            }
            Dialect::NuSmv => !is_identifier(text) || is_reserved(text),
        }
    }
}

/// An atom in a dialect that can spell it.
pub(crate) fn spell(atom: &Atom, dialect: Dialect) -> String {
    let text = &atom.text;
    let bare = is_identifier(text) && !is_reserved(text);
    match dialect {
        Dialect::Kripke | Dialect::Ltl2ba => {
            let braced = format!("{{{text}}}");
            let lower = text.starts_with(|c: char| c.is_ascii_lowercase());
            if bare && (lower || dialect == Dialect::Kripke) {
                text.clone()
            } else if brace_length(&braced) == Some(braced.len()) {
                braced
            } else {
                quoted(text)
            }
        }
        Dialect::Spot if !bare => quoted(text),
        _ => text.clone(),
    }
}

/// A text in double quotes, quotes and backslashes escaped.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn names(formula: &Formula, dialect: Dialect) -> Vec<String> {
    let atoms = formula.atoms();
    atoms
        .iter()
        .map(|(id, atom)| {
            if !dialect.needs_definition(atom) {
                return spell(atom, dialect);
            }
            let mut name = id.to_string();
            while atoms.find(&name).is_some() {
                name.push('_');
            }
            name
        })
        .collect()
}

struct Printer<'a> {
    store: &'a Formulas,
    dialect: Dialect,
    names: Vec<String>,
}

impl Printer<'_> {
    fn formula(&self, id: FormulaId) -> String {
        use BinaryOperator::{Release, StrongRelease, Until, WeakUntil};
        match self.store.node(id) {
            Node::Constant(value) => self.constant(*value).to_string(),
            Node::Atom(atom) => self.names[atom.index()].clone(),
            Node::Not(a) => format!("!{}", self.operand(*a)),
            Node::And(list) => self.joined(
                list,
                if self.dialect == Dialect::NuSmv {
                    " & "
                } else {
                    " && "
                },
            ),
            Node::Or(list) => self.joined(
                list,
                if self.dialect == Dialect::NuSmv {
                    " | "
                } else {
                    " || "
                },
            ),
            Node::Xor(a, b) if matches!(self.dialect, Dialect::Spin | Dialect::Ltl2ba) => {
                format!("!({} <-> {})", self.operand(*a), self.operand(*b))
            }
            Node::Xor(a, b) => self.infix(*a, "xor", *b),
            Node::Implies(a, b) => self.infix(*a, "->", *b),
            Node::Iff(a, b) => self.infix(*a, "<->", *b),
            Node::Unary(operator, a) => self.unary("", *operator, *a),
            Node::Binary(operator, a, b) => match (operator, self.lacks_weak()) {
                (Until, _) => self.infix(*a, "U", *b),
                (Release, true) => self.infix(*a, "V", *b),
                (Release, false) => self.infix(*a, "R", *b),
                (WeakUntil, false) => self.infix(*a, "W", *b),
                (StrongRelease, false) => self.infix(*a, "M", *b),
                (WeakUntil, true) => {
                    let (a, b) = (self.operand(*a), self.operand(*b));
                    format!(
                        "{b} V ({a} {} {b})",
                        if self.dialect == Dialect::NuSmv { "|" } else { "||" }
                    )
                }
                (StrongRelease, true) => {
                    let (a, b) = (self.operand(*a), self.operand(*b));
                    format!(
                        "{b} U ({a} {} {b})",
                        if self.dialect == Dialect::NuSmv { "&" } else { "&&" }
                    )
                }
            },
            Node::Path(quantifier, path) => self.path(*quantifier, *path),
        }
    }

    fn lacks_weak(&self) -> bool {
        matches!(self.dialect, Dialect::Spin | Dialect::Ltl2ba | Dialect::NuSmv)
    }

    fn constant(&self, value: bool) -> &'static str {
        match (self.dialect, value) {
            (Dialect::NuSmv, true) => "TRUE",
            (Dialect::NuSmv, false) => "FALSE",
            (_, true) => "true",
            (_, false) => "false",
        }
    }

    fn unary(&self, quantifier: &str, operator: UnaryOperator, a: FormulaId) -> String {
        let spin = self.dialect == Dialect::Spin;
        let symbol = match operator {
            UnaryOperator::Next => "X",
            UnaryOperator::Finally if spin => "<>",
            UnaryOperator::Finally => "F",
            UnaryOperator::Globally if spin => "[]",
            UnaryOperator::Globally => "G",
        };
        let operand = self.operand(a);
        let space = if operand.starts_with('(') || spin && symbol != "X" {
            ""
        } else {
            " "
        };
        format!("{quantifier}{symbol}{space}{operand}")
    }

    fn path(&self, quantifier: Quantifier, path: FormulaId) -> String {
        let letter = match quantifier {
            Quantifier::ForAll => "A",
            Quantifier::Exists => "E",
        };
        match self.store.node(path) {
            Node::Unary(operator, a) => self.unary(letter, *operator, *a),
            _ => format!("{letter}[{}]", self.formula(path)),
        }
    }

    fn infix(&self, a: FormulaId, symbol: &str, b: FormulaId) -> String {
        format!("{} {symbol} {}", self.operand(a), self.operand(b))
    }

    fn joined(&self, list: &[FormulaId], symbol: &str) -> String {
        list.iter()
            .map(|&id| self.operand(id))
            .collect::<Vec<_>>()
            .join(symbol)
    }

    fn operand(&self, id: FormulaId) -> String {
        let text = self.formula(id);
        match self.store.node(id) {
            Node::And(_)
            | Node::Or(_)
            | Node::Xor(..)
            | Node::Implies(..)
            | Node::Iff(..)
            | Node::Binary(..) => format!("({text})"),
            _ => text,
        }
    }
}
