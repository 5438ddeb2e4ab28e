//! The words of a formula, in the spellings of all dialects at once.
//!
//! Atoms come as `{C expression}` (braces, strings, character literals and comments inside are C's), as
//! `"quoted"`, as bare names, and as bare comparisons (`count <= 3`, NuSMV's way). As SPIN, ltl2ba and Spot
//! do, a bare name that starts with operator letters is split (`GFa` is `G F a`); longer ones draw a warning.

use std::ops::Range;

use crate::atom::{Atom, AtomId, AtomStyle, Atoms, MAX_ATOMS};
use crate::dialect::{Connective, Dialect};
use crate::formula::{BinaryOperator, Quantifier, UnaryOperator};
use crate::syntax_error::{SyntaxError, Warning};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Not,
    Between(Connective),
    Unary(UnaryOperator),
    Path(Quantifier),
    PathUnary(Quantifier, UnaryOperator),
    Constant(bool),
    Atom(AtomId),
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Range<usize>,
    /// The dialects that know this spelling, as bits.
    pub(crate) dialects: u8,
}

#[derive(Default)]
pub(crate) struct Tokens {
    pub(crate) list: Vec<Token>,
    pub(crate) atoms: Atoms,
    pub(crate) warnings: Vec<Warning>,
}

const SPOT: u8 = 1 << Dialect::Spot as u8;
const SPIN: u8 = 1 << Dialect::Spin as u8;
const LTL2BA: u8 = 1 << Dialect::Ltl2ba as u8;
const NUSMV: u8 = 1 << Dialect::NuSmv as u8;
const EVERY: u8 = SPOT | SPIN | LTL2BA | NUSMV;
const C_LIKE: u8 = SPOT | SPIN | LTL2BA;

use BinaryOperator::{Release, StrongRelease, Until, WeakUntil};
use Connective::{And, Iff, Implies, Or, Temporal, Xnor, Xor};
use TokenKind::{Between, Constant, Not, PathUnary, Unary};
use UnaryOperator::{Finally, Globally, Next};

/// Longest first where one is a prefix of another.
const SYMBOLS: &[(&str, TokenKind, u8)] = &[
    ("<-->", Between(Iff), SPOT),
    ("<->", Between(Iff), EVERY),
    ("<=>", Between(Iff), SPOT),
    ("-->", Between(Implies), SPOT),
    ("->", Between(Implies), EVERY),
    ("=>", Between(Implies), SPOT),
    ("<>", Unary(Finally), C_LIKE),
    ("[]", Unary(Globally), C_LIKE),
    ("&&", Between(And), C_LIKE),
    ("||", Between(Or), C_LIKE),
    ("/\\", Between(And), C_LIKE),
    ("\\/", Between(Or), C_LIKE),
    ("&", Between(And), SPOT | NUSMV),
    ("|", Between(Or), SPOT | NUSMV),
    ("^", Between(Xor), SPOT),
    ("!", Not, EVERY),
    ("~", Not, SPOT),
    ("(", TokenKind::Open, EVERY),
    (")", TokenKind::Close, EVERY),
    ("[", TokenKind::OpenBracket, NUSMV),
    ("]", TokenKind::CloseBracket, NUSMV),
    ("¬", Not, SPOT),
    ("∧", Between(And), SPOT),
    ("∨", Between(Or), SPOT),
    ("⊕", Between(Xor), SPOT),
    ("→", Between(Implies), SPOT),
    ("⇒", Between(Implies), SPOT),
    ("↔", Between(Iff), SPOT),
    ("⇔", Between(Iff), SPOT),
    ("□", Unary(Globally), SPOT),
    ("◇", Unary(Finally), SPOT),
    ("○", Unary(Next), SPOT),
    ("∀", TokenKind::Path(Quantifier::ForAll), NUSMV),
    ("∃", TokenKind::Path(Quantifier::Exists), NUSMV),
    ("⊤", Constant(true), SPOT),
    ("⊥", Constant(false), SPOT),
];

const WORDS: &[(&str, TokenKind, u8)] = &[
    ("true", Constant(true), C_LIKE),
    ("false", Constant(false), C_LIKE),
    ("TRUE", Constant(true), NUSMV),
    ("FALSE", Constant(false), NUSMV),
    ("1", Constant(true), SPOT),
    ("0", Constant(false), SPOT),
    ("not", Not, SPIN),
    ("NOT", Not, LTL2BA),
    ("and", Between(And), SPOT),
    ("or", Between(Or), SPOT),
    ("xor", Between(Xor), SPOT | NUSMV),
    ("xnor", Between(Xnor), NUSMV),
    ("implies", Between(Implies), SPIN),
    ("equivalent", Between(Iff), SPIN),
    ("always", Unary(Globally), SPIN),
    ("eventually", Unary(Finally), SPIN),
    ("next", Unary(Next), SPIN),
    ("until", Between(Temporal(Until)), SPIN),
    ("stronguntil", Between(Temporal(Until)), SPIN),
    ("weakuntil", Between(Temporal(WeakUntil)), SPIN),
    ("release", Between(Temporal(Release)), SPIN),
    ("G", Unary(Globally), SPOT | LTL2BA | NUSMV),
    ("F", Unary(Finally), SPOT | LTL2BA | NUSMV),
    ("X", Unary(Next), EVERY),
    ("U", Between(Temporal(Until)), EVERY),
    ("W", Between(Temporal(WeakUntil)), SPOT),
    ("R", Between(Temporal(Release)), SPOT),
    ("V", Between(Temporal(Release)), SPIN | LTL2BA | NUSMV),
    ("M", Between(Temporal(StrongRelease)), SPOT),
    ("AG", PathUnary(Quantifier::ForAll, Globally), NUSMV),
    ("AF", PathUnary(Quantifier::ForAll, Finally), NUSMV),
    ("AX", PathUnary(Quantifier::ForAll, Next), NUSMV),
    ("EG", PathUnary(Quantifier::Exists, Globally), NUSMV),
    ("EF", PathUnary(Quantifier::Exists, Finally), NUSMV),
    ("EX", PathUnary(Quantifier::Exists, Next), NUSMV),
];

const COMPARISONS: &[&str] = &["==", "!=", "<=", ">=", "<", ">", "="];

/// Whether a bare text would be read as an operator, a constant, or several words.
pub(crate) fn is_reserved(text: &str) -> bool {
    WORDS.iter().any(|(word, ..)| *word == text)
        || text == "A"
        || text == "E"
        || operator_letters(text).is_some()
}

/// The length of the leading operator letters when the name is to be split after them.
fn operator_letters(name: &str) -> Option<usize> {
    let letters = name.find(|c| !matches!(c, 'G' | 'F' | 'X')).unwrap_or(name.len());
    let splits = match name[letters..].chars().next() {
        None => true,
        Some(next) => next.is_ascii_lowercase(),
    };
    (letters > 0 && splits).then_some(letters)
}

pub(crate) fn tokenise(input: &str) -> Result<Tokens, SyntaxError> {
    let mut lexer = Lexer {
        input,
        at: 0,
        tokens: Tokens::default(),
    };
    while let Some(next) = lexer.skip_space() {
        lexer.token(next)?;
    }
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    input: &'a str,
    at: usize,
    tokens: Tokens,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.input[self.at..]
    }

    fn skip_space(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    fn error(&self, span: Range<usize>, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.input, span, message)
    }

    fn push(&mut self, kind: TokenKind, length: usize, dialects: u8) {
        self.tokens.list.push(Token {
            kind,
            span: self.at..self.at + length,
            dialects,
        });
        self.at += length;
    }

    fn token(&mut self, next: char) -> Result<(), SyntaxError> {
        match next {
            '{' => return self.braces(),
            '"' => return self.quoted(),
            c if c.is_ascii_alphanumeric() || c == '_' => return self.word(),
            _ => {}
        }
        if let Some(&(symbol, kind, dialects)) = SYMBOLS
            .iter()
            .find(|(symbol, ..)| self.rest().starts_with(symbol))
        {
            self.push(kind, symbol.len(), dialects);
            return Ok(());
        }
        let error = self.error(
            self.at..self.at + next.len_utf8(),
            format!("unexpected character `{next}`"),
        );
        Err(match next {
            '}' => error.with_hint("this brace closes nothing; a C expression is written {expression}"),
            '=' | '<' | '>' => {
                error.with_hint("write a comparison as a C expression in braces: {charge > min}")
            }
            ';' => error.with_hint("a formula is one expression; give several formulas separately"),
            '\'' => error.with_hint("quote an atom with \"double quotes\" or {braces}"),
            _ => error.with_hint("C expressions stand in braces: {charge + 1 > min}"),
        })
    }

    fn atom(
        &mut self,
        text: String,
        style: AtomStyle,
        offset: usize,
        length: usize,
    ) -> Result<(), SyntaxError> {
        let span = self.at..self.at + length;
        let Some(id) = self.tokens.atoms.intern(Atom { text, style, offset }) else {
            let message = format!("more than {MAX_ATOMS} different atoms in one formula");
            return Err(self
                .error(span, message)
                .with_hint("split the property into several formulas"));
        };
        self.push(TokenKind::Atom(id), length, EVERY);
        Ok(())
    }

    fn braces(&mut self) -> Result<(), SyntaxError> {
        let Some(length) = brace_length(self.rest()) else {
            let error = self.error(self.at..self.at + 1, "this brace is never closed");
            return Err(error.with_hint("a C expression is written {expression}"));
        };
        let inner = &self.rest()[1..length - 1];
        let text = inner.trim().to_string();
        if text.is_empty() {
            return Err(self
                .error(self.at..self.at + length, "an empty atom")
                .with_hint("write a C expression between the braces"));
        }
        let offset = self.at + 1 + (inner.len() - inner.trim_start().len());
        self.atom(text, AtomStyle::Braces, offset, length)
    }

    fn quoted(&mut self) -> Result<(), SyntaxError> {
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((at, c)) = characters.next() {
            match c {
                '"' if text.trim().is_empty() => {
                    return Err(self.error(self.at..self.at + at + 1, "an empty atom"));
                }
                '"' => return self.atom(text.trim().to_string(), AtomStyle::Quoted, self.at + 1, at + 1),
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                    Some((_, other)) => text.extend(['\\', other]),
                    None => break,
                },
                other => text.push(other),
            }
        }
        Err(self
            .error(self.at..self.at + 1, "this quote is never closed")
            .with_hint("an atom is written \"text\""))
    }

    fn word(&mut self) -> Result<(), SyntaxError> {
        let length = name_length(self.rest());
        let word = self.rest()[..length].to_string();
        if let Some((text, length)) = comparison(self.rest(), length) {
            return self.atom(text, AtomStyle::Bare, self.at, length);
        }
        if let Some(&(_, kind, dialects)) = WORDS.iter().find(|(name, ..)| *name == word) {
            self.push(kind, length, dialects);
            return Ok(());
        }
        if let Some(quantifier) = self.quantifier(&word) {
            self.push(TokenKind::Path(quantifier), 1, NUSMV);
            return Ok(());
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self
                .error(self.at..self.at + length, format!("`{word}` is no formula"))
                .with_hint("only 0 and 1 are constants; write a C expression in braces: {count == 3}"));
        }
        if let Some(letters) = operator_letters(&word) {
            return self.split(&word, letters);
        }
        self.atom(word, AtomStyle::Bare, self.at, length)
    }

    /// `A` and `E` are quantifiers before a bracket, a parenthesis or a temporal operator, names elsewhere.
    fn quantifier(&self, word: &str) -> Option<Quantifier> {
        let quantifier = match word {
            "A" => Quantifier::ForAll,
            "E" => Quantifier::Exists,
            _ => return None,
        };
        let after = self.rest()[1..].trim_start();
        let next_word = &after[..name_length(after)];
        let operator = after.starts_with(['[', '(', '□', '◇', '○']) || after.starts_with("<>");
        (operator || operator_letters(next_word).is_some()).then_some(quantifier)
    }

    /// `GFa` as `G F a`.
    fn split(&mut self, word: &str, letters: usize) -> Result<(), SyntaxError> {
        let start = self.at;
        for letter in word[..letters].chars() {
            let operator = match letter {
                'G' => Globally,
                'F' => Finally,
                _ => Next,
            };
            self.push(Unary(operator), 1, SPOT | LTL2BA);
        }
        let name = &word[letters..];
        if name.is_empty() {
            return Ok(());
        }
        if name.len() > 2 {
            let spaced: Vec<String> = word[..letters].chars().map(String::from).collect();
            self.tokens.warnings.push(Warning {
                message: format!(
                    "`{word}` is read as `{} {name}`, as SPIN, ltl2ba and Spot do; if `{word}` is the name \
                     of \
                     an \
                     atom, write {{{word}}}",
                    spaced.join(" ")
                ),
                span: Some(start..start + word.len()),
            });
        }
        // What remains may be a constant, or the first operand of a comparison.
        if WORDS.iter().any(|(reserved, ..)| *reserved == name)
            || comparison(self.rest(), name.len()).is_some()
        {
            return self.word();
        }
        self.atom(name.to_string(), AtomStyle::Bare, self.at, name.len())
    }
}

/// The length of a name: letters, digits, `_`, members (`a.b`), constant indices (`a[3]`).
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let word = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    let mut at = 0;
    loop {
        let start = at;
        while word(at) {
            at += 1;
        }
        if at == start {
            return at;
        }
        let digits = text[at..]
            .strip_prefix('[')
            .map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        let quantifier = at == 1 && matches!(bytes[0], b'A' | b'E');
        if digits > 0 && !quantifier && bytes.get(at + 1 + digits) == Some(&b']') {
            at += digits + 2;
        }
        if bytes.get(at) == Some(&b'.') && word(at + 1) && !bytes[0].is_ascii_digit() {
            at += 1;
        } else {
            return at;
        }
    }
}

/// A bare comparison that starts with a name of the given length: its text in C's spelling, its whole length.
fn comparison(text: &str, name: usize) -> Option<(String, usize)> {
    let after = text[name..].trim_start();
    let not_arrow = ["<->", "<-->", "<=>", "<>", "=>", "=="]
        .iter()
        .all(|arrow| !after.starts_with(arrow));
    let operator = COMPARISONS
        .iter()
        .find(|operator| after.starts_with(**operator))?;
    if !not_arrow && *operator != "==" {
        return None;
    }
    let right = after[operator.len()..].trim_start();
    let sign = usize::from(right.starts_with('-'));
    let operand = name_length(&right[sign..]);
    if operand == 0 {
        return None;
    }
    let length = text.len() - right.len() + sign + operand;
    let operator = if *operator == "=" { "==" } else { operator };
    Some((
        format!("{} {operator} {}", &text[..name], &right[..sign + operand]),
        length,
    ))
}

/// The length of a brace group that starts here, C's strings, character literals and comments skipped.
pub(crate) fn brace_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'/' if text[at..].starts_with("/*") => at += text[at + 2..].find("*/")? + 3,
            _ => {}
        }
        at += 1;
    }
    None
}
