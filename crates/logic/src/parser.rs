//! Reading a formula: precedence climbing over a dialect's table.
//!
//! The same words are read once more with every other dialect's table that knows all of them; where the tree
//! differs, the author is warned. Hash-consing makes that comparison one of two ids.

use std::ops::Range;

use crate::dialect::{Connective, Dialect, Level};
use crate::formula::{Formula, FormulaId, Formulas, Logic};
use crate::lexer::{Token, TokenKind, Tokens, tokenise};
use crate::syntax_error::{SyntaxError, Warning};

/// How deeply a formula may nest; deeper ones are refused, so that no pass over it can exhaust the stack.
pub const MAX_DEPTH: usize = 400;

/// A formula that was read, and what its author should know.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// Remarks on how it was read.
    pub warnings: Vec<Warning>,
}

/// Reads a formula with Kripke's (that is Spot's) precedences.
pub fn parse(input: &str) -> Result<Parsed, SyntaxError> {
    parse_dialect(input, Dialect::Kripke)
}

/// Reads a formula with the precedences of a dialect; every spelling of every dialect is accepted.
pub fn parse_dialect(input: &str, dialect: Dialect) -> Result<Parsed, SyntaxError> {
    let Tokens {
        list,
        atoms,
        mut warnings,
    } = tokenise(input)?;
    let mut parser = Parser {
        input,
        tokens: &list,
        at: 0,
        depth: 0,
        levels: dialect.levels(),
        store: Formulas::with_atoms(atoms),
    };
    let root = parser.whole()?;
    let known = list.iter().fold(u8::MAX, |set, token| set & token.dialects);
    for other in Dialect::ALL {
        if other == Dialect::Kripke
            || known & other.bit() == 0
            || std::ptr::eq(other.levels(), dialect.levels())
        {
            continue;
        }
        (parser.at, parser.depth, parser.levels) = (0, 0, other.levels());
        // The same words fit the same grammar up to precedence, so only the nesting limit can fail here.
        if let Ok(reading) = parser.whole()
            && reading != root
        {
            warnings.push(other_reading(&parser.store, other, reading, root));
        }
    }
    let formula = Formula {
        store: parser.store,
        root,
    };
    if formula.logic() == Logic::Mixed {
        warnings.push(Warning {
            message:
                "this is neither LTL nor CTL: path quantifiers (A, E) and temporal operators must come in \
                      pairs, as in AG p or E[p U q]"
                    .to_string(),
            span: None,
        });
    }
    Ok(Parsed { formula, warnings })
}

fn other_reading(store: &Formulas, other: Dialect, reading: FormulaId, root: FormulaId) -> Warning {
    let show = |root| crate::printer::parenthesised(store, root);
    Warning {
        message: format!(
            "{other} reads this as {}; it is read here as {}; parentheses settle it",
            show(reading),
            show(root)
        ),
        span: None,
    }
}

struct Parser<'a> {
    input: &'a str,
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    levels: &'static [Level],
    store: Formulas,
}

impl Parser<'_> {
    fn peek(&self) -> Option<TokenKind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    fn span(&self) -> Range<usize> {
        self.tokens
            .get(self.at)
            .map_or(self.input.len()..self.input.len(), |token| token.span.clone())
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.input, self.span(), message)
    }

    fn text(&self, at: usize) -> &str {
        &self.input[self.tokens[at].span.clone()]
    }

    fn whole(&mut self) -> Result<FormulaId, SyntaxError> {
        let root = self.level(0)?;
        match self.peek() {
            None if self.store.depth(root) > MAX_DEPTH => Err(self.too_deep()),
            None => Ok(root),
            Some(_) => Err(self.left_over()),
        }
    }

    fn too_deep(&self) -> SyntaxError {
        self.error(format!("the formula nests more than {MAX_DEPTH} levels deep"))
    }

    fn left_over(&self) -> SyntaxError {
        let found = self.text(self.at);
        match self.peek() {
            Some(TokenKind::Close) => self.error("this parenthesis closes nothing"),
            Some(TokenKind::CloseBracket) => self.error("this bracket closes nothing"),
            _ => {
                let before = self.text(self.at - 1).to_string();
                let error = self.error(format!("expected an operator between `{before}` and `{found}`"));
                error.with_hint(match before.as_str() {
                    "Y" | "Z" | "H" | "O" | "S" | "T" => {
                        "the past operators Y Z H O S T are not supported; a name is written in braces"
                    }
                    _ => {
                        "operators are ! && || -> <-> X F G U W R M; a C expression stands in braces: {a + \
                        b \
                        > c}"
                    }
                })
            }
        }
    }

    fn descend(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            Err(self.too_deep())
        } else {
            Ok(())
        }
    }

    fn connective(&self, level: usize) -> Option<Connective> {
        match self.peek() {
            Some(TokenKind::Between(found)) if self.levels[level].operators.contains(&found) => Some(found),
            _ => None,
        }
    }

    fn level(&mut self, level: usize) -> Result<FormulaId, SyntaxError> {
        if level == self.levels.len() {
            return self.prefixed();
        }
        let mut left = self.level(level + 1)?;
        if self.levels[level].right {
            if let Some(found) = self.connective(level) {
                self.at += 1;
                self.descend()?;
                let right = self.level(level)?;
                self.depth -= 1;
                left = self.join(found, vec![left, right]);
            }
            return Ok(left);
        }
        while let Some(found) = self.connective(level) {
            let mut operands = vec![left];
            // A run of one associative operator is one node, however long.
            while self.connective(level) == Some(found) {
                self.at += 1;
                operands.push(self.level(level + 1)?);
                if !matches!(found, Connective::And | Connective::Or) {
                    break;
                }
            }
            left = self.join(found, operands);
        }
        Ok(left)
    }

    fn join(&mut self, connective: Connective, operands: Vec<FormulaId>) -> FormulaId {
        let (a, b) = (operands[0], operands[1]);
        let store = &mut self.store;
        match connective {
            Connective::And => store.and(operands),
            Connective::Or => store.or(operands),
            Connective::Xor => store.xor(a, b),
            Connective::Xnor | Connective::Iff => store.iff(a, b),
            Connective::Implies => store.implies(a, b),
            Connective::Temporal(operator) => store.binary(operator, a, b),
        }
    }

    /// An operand with the unary operators before it.
    fn prefixed(&mut self) -> Result<FormulaId, SyntaxError> {
        let start = self.at;
        while matches!(
            self.peek(),
            Some(TokenKind::Not | TokenKind::Unary(_) | TokenKind::PathUnary(..) | TokenKind::Path(_))
        ) {
            self.at += 1;
        }
        let end = self.at;
        let mut formula = match self.peek() {
            Some(TokenKind::OpenBracket)
                if end > start && matches!(self.tokens[end - 1].kind, TokenKind::Path(_)) =>
            {
                self.enclosed(TokenKind::CloseBracket)?
            }
            _ => self.operand()?,
        };
        for token in self.tokens[start..end].iter().rev() {
            formula = match token.kind {
                TokenKind::Not => self.store.not(formula),
                TokenKind::Unary(operator) => self.store.unary(operator, formula),
                TokenKind::Path(quantifier) => self.store.path(quantifier, formula),
                TokenKind::PathUnary(quantifier, operator) => {
                    let path = self.store.unary(operator, formula);
                    self.store.path(quantifier, path)
                }
                _ => formula,
            };
        }
        Ok(formula)
    }

    fn operand(&mut self) -> Result<FormulaId, SyntaxError> {
        let Some(kind) = self.peek() else {
            return Err(if self.at == 0 {
                self.error("an empty formula")
                    .with_hint("an example: G({pressed} -> F {charge > min})")
            } else {
                let before = self.text(self.at - 1).to_string();
                self.error(format!("expected a formula after `{before}`"))
            });
        };
        match kind {
            TokenKind::Open => self.enclosed(TokenKind::Close),
            TokenKind::Atom(atom) => {
                self.at += 1;
                Ok(self.store.atom(atom))
            }
            TokenKind::Constant(value) => {
                self.at += 1;
                Ok(self.store.constant(value))
            }
            _ => Err(self.unexpected(kind)),
        }
    }

    fn unexpected(&self, kind: TokenKind) -> SyntaxError {
        let found = self.text(self.at);
        let error = self.error(if self.at == 0 {
            format!("expected a formula, found `{found}`")
        } else {
            format!(
                "expected a formula after `{}`, found `{found}`",
                self.text(self.at - 1)
            )
        });
        match kind {
            TokenKind::Between(_) if found.chars().all(|c| c.is_ascii_alphabetic()) => error.with_hint(
                format!("`{found}` stands between two formulas; an atom of that name is {{{found}}}"),
            ),
            TokenKind::Between(_) => error.with_hint(format!("`{found}` stands between two formulas")),
            TokenKind::OpenBracket => {
                error.with_hint("brackets follow A and E only: A[p U q]; always is [] or G")
            }
            _ => error,
        }
    }

    fn enclosed(&mut self, closing: TokenKind) -> Result<FormulaId, SyntaxError> {
        let opening = self.span();
        self.at += 1;
        self.descend()?;
        let inner = self.level(0)?;
        self.depth -= 1;
        match self.peek() {
            Some(kind) if kind == closing => {
                self.at += 1;
                Ok(inner)
            }
            None => Err(SyntaxError::new(
                self.input,
                opening.clone(),
                format!("this `{}` is never closed", &self.input[opening]),
            )),
            Some(TokenKind::Close | TokenKind::CloseBracket) => Err(self.error(format!(
                "`{}` is closed by `{}`",
                &self.input[opening],
                self.text(self.at)
            ))),
            Some(_) => Err(self.left_over()),
        }
    }
}

impl Formulas {
    /// The length of the longest path from the formula to a leaf.
    pub fn depth(&self, root: FormulaId) -> usize {
        let mut depths = vec![0usize; root.index() + 1];
        for id in self.subformulas(root) {
            let children = self.node(id).children();
            depths[id.index()] = children
                .iter()
                .map(|child| depths[child.index()] + 1)
                .max()
                .unwrap_or(0);
        }
        depths[root.index()]
    }
}

impl Formula {
    /// Reads a formula, dropping remarks; for texts known to be good, such as those of tests and patterns.
    pub fn parse(input: &str) -> Result<Formula, SyntaxError> {
        parse(input).map(|parsed| parsed.formula)
    }
}
