//! Types that are named in atoms: casts, `sizeof` and `?:`.
//!
//! Idea: the types of C and of `<stdint.h>` have the sizes that avr-gcc gives them. The debug information
//! keeps no names of other type definitions; structures, unions and enumerations go by their tags.
//!
//! Source: C11 6.5.3.4, 6.5.4, 6.5.15; the application binary interface of avr-gcc.

use super::expression::{Expression, INT, Kind, SIZE, folded};
use super::{AtomError, Parser, Term};
use crate::debug::{Type, TypeId};

/// A type that was named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Integer(Kind),
    Boolean,
    Floating,
    Void,
    /// One with a tag.
    Tagged(TypeId),
    Pointer,
}

/// Words that stand in types and say nothing of their size.
const QUALIFIERS: [&str; 2] = ["const", "volatile"];

impl Parser<'_> {
    /// The words that stand from an offset on, and where each ends.
    fn words(&self, mut at: usize) -> Vec<(String, usize)> {
        let mut words = Vec::new();
        loop {
            let rest = &self.text[at..];
            at += rest.len() - rest.trim_start().len();
            let rest = &self.text[at..];
            let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
            let length = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
            if length == 0 {
                return words;
            }
            words.push((rest[..length].to_owned(), at + length));
            at += length;
        }
    }

    /// The type whose name fills parentheses that open here, and where they end; none where an expression
    /// stands in them.
    fn type_in_parentheses(&self) -> Result<Option<(Named, usize)>, AtomError> {
        let Some(inside) = self.rest().strip_prefix('(') else {
            return Ok(None);
        };
        let words = self.words(self.text.len() - inside.len());
        let Some((_, mut end)) = words.last().cloned() else {
            return Ok(None);
        };
        let is_word = |(word, _): &&(String, usize)| !QUALIFIERS.contains(&word.as_str());
        let words: Vec<&str> = words
            .iter()
            .filter(is_word)
            .map(|(word, _)| word.as_str())
            .collect();
        let is_variable = |word: &str| self.names.debug.variables_named(word).next().is_some();
        if words.len() == 1 && is_variable(words[0]) {
            return Ok(None);
        }
        let Some(mut named) = self.named(&words)? else {
            return Ok(None);
        };
        loop {
            let rest = &self.text[end..];
            end += rest.len() - rest.trim_start().len();
            match self.text[end..].chars().next() {
                Some('*') => named = Named::Pointer,
                Some(')') => return Ok(Some((named, end + 1))),
                _ => return Err(self.error("expected ')' behind the name of a type")),
            }
            end += 1;
        }
    }

    /// The type that words name; none where they name no type.
    fn named(&self, words: &[&str]) -> Result<Option<Named>, AtomError> {
        let integer = |bits, signed| Some(Named::Integer(Kind { bits, signed }));
        let count = |wanted: &str| words.iter().filter(|word| **word == wanted).count();
        let basic = ["unsigned", "signed", "char", "short", "int", "long"];
        if !words.is_empty() && words.iter().all(|word| basic.contains(word)) {
            let bits = match (count("char"), count("long")) {
                (1, 0) => 8,
                (0, 0) => 16,
                (0, 1) => 32,
                (0, 2) => 64,
                _ => return Err(self.error(format!("`{}` is no type", words.join(" ")))),
            };
            return Ok(integer(bits, count("unsigned") == 0));
        }
        Ok(match words {
            ["bool" | "_Bool"] => Some(Named::Boolean),
            ["float" | "double"] => Some(Named::Floating),
            ["void"] => Some(Named::Void),
            ["int8_t"] => integer(8, true),
            ["uint8_t"] => integer(8, false),
            ["int16_t" | "intptr_t" | "ptrdiff_t"] => integer(16, true),
            ["uint16_t" | "uintptr_t" | "size_t"] => integer(16, false),
            ["int32_t"] => integer(32, true),
            ["uint32_t"] => integer(32, false),
            ["int64_t"] => integer(64, true),
            ["uint64_t"] => integer(64, false),
            ["struct" | "union" | "enum", tag] => Some(Named::Tagged(self.tagged(tag)?)),
            _ => None,
        })
    }

    fn tagged(&self, tag: &str) -> Result<TypeId, AtomError> {
        let types = self.names.debug.types.iter().enumerate();
        let named = types.filter(|(_, type_)| match type_ {
            Type::Record { name, .. } | Type::Enum { name, .. } => name.as_deref() == Some(tag),
            _ => false,
        });
        let ids = named.map(|(index, _)| TypeId(index));
        let largest = ids.max_by_key(|id| self.names.debug.size_of(*id));
        largest.ok_or_else(|| self.error(format!("the debug information tells of no type `{tag}`")))
    }

    /// The type of a cast that stands here.
    pub(super) fn cast(&mut self) -> Result<Option<Named>, AtomError> {
        let found = self.type_in_parentheses()?;
        if let Some((_, end)) = found {
            self.at = end;
        }
        Ok(found.map(|(named, _)| named))
    }

    /// What stands behind a cast, as a value of its type.
    pub(super) fn converted(&mut self, named: Named) -> Result<Term, AtomError> {
        let kind = match named {
            Named::Integer(kind) => Some(kind),
            Named::Boolean => None,
            Named::Tagged(id) => match self.type_of(id) {
                Type::Enum { size, signed, .. } => Some(Kind {
                    bits: (8 * size).clamp(8, 64) as u8,
                    signed: *signed,
                }),
                _ => return Err(self.error("a structure cannot be cast")),
            },
            Named::Pointer => {
                return Err(self.error("an atom must not cast to a pointer; name the register or variable"));
            }
            Named::Floating | Named::Void => {
                return Err(self.error("an atom can cast to integer types and bool only"));
            }
        };
        let inner = self.unary()?;
        let inner = Box::new(self.number(inner)?);
        Ok(Term::Number(match kind {
            Some(kind) => folded(Expression::Cast(inner, kind)),
            None => Expression::Not(Box::new(Expression::Not(inner))),
        }))
    }

    /// `sizeof`, which stands before this: of a type, or of an expression that is not evaluated.
    pub(super) fn size(&mut self) -> Result<Term, AtomError> {
        self.space();
        let debug = self.names.debug;
        let size = match self.type_in_parentheses()? {
            Some((named, end)) => {
                self.at = end;
                match named {
                    Named::Integer(kind) => u32::from(kind.bits / 8),
                    Named::Boolean => 1,
                    Named::Floating => 4,
                    Named::Pointer => 2,
                    Named::Void => return Err(self.error("`void` has no size")),
                    Named::Tagged(id) => debug.size_of(id),
                }
            }
            None => {
                let (cells, warning) = (self.cells.len(), self.warning.clone());
                let term = self.unary()?;
                self.cells.truncate(cells);
                self.warning = warning;
                match term {
                    Term::Object { bits: Some(_), .. } => return Err(self.error("a bit-field has no size")),
                    Term::Object { type_, .. } => debug.size_of(type_),
                    Term::Register { bytes, .. } => u32::from(bytes),
                    Term::Code(_) => return Err(self.error("a function has no size")),
                    other => u32::from(self.number(other)?.kind().bits.div_ceil(8)),
                }
            }
        };
        Ok(Term::Number(Expression::Constant(i64::from(size), SIZE)))
    }

    /// The rest of `?:`, whose condition and question mark were read.
    pub(super) fn conditional(&mut self, condition: Term) -> Result<Term, AtomError> {
        let condition = self.number(condition)?;
        let yes = self.expression(0)?;
        let yes = self.number(yes)?;
        if !self.eat(":") {
            return Err(self.error("expected ':' of a conditional expression"));
        }
        let no = self.expression(0)?;
        let no = self.number(no)?;
        let kind = yes.kind().common(no.kind());
        debug_assert!(kind.bits >= INT.bits);
        Ok(Term::Number(Expression::Conditional(
            Box::new([condition, yes, no]),
            kind,
        )))
    }
}
