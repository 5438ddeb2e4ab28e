//! Atoms: C expressions over the firmware's variables and the chip's registers.
//!
//! Idea: `{buffer[head].len > 3 && (PORTB & 1)}` is parsed as C, with the types of the debug information and
//! the rules of conversion of avr-gcc (an `int` has 16 bits). Names are variables first, then registers of
//! the chip, then enumerators, then `true`, `false` and `PC`, then functions and labels. Where a run is
//! (`PC == main`, `at(loop)`, `in(INT0_vect)`) is read from cells that no memory has ([`crate::footprint`]).
//!
//! Invariant: an atom is true, false, or open where it depends on bits that are unknown; an open one is never
//! taken for either.
//!
//! Precedence as in C; assignments, function calls, casts to pointers and floating point are not part of the
//! language.

mod control;
mod expression;
mod types;

use std::fmt;

use crate::byte::{AbstractByte, Bits};
use crate::debug::{DebugInfo, Type, TypeId};
use crate::device::Device;
use crate::footprint::{ACTIVE, COUNTER, Cell, MID_STATEMENT};
use crate::image::{Image, Space};
use crate::peripherals::Rules;

use Operator as O;
use expression::{CODE_ADDRESS, Expression, INT, Kind, LONG, Operator, POINTER, constant, folded, loaded};

/// What is known of an atom in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// It holds, or not.
    Known(bool),
    /// It depends on unknown bits.
    Open,
}

/// Why a text is no atom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtomError {
    /// What is wrong, with a remedy where there is one.
    pub message: String,
    /// Offset in bytes from the beginning of the text.
    pub offset: usize,
}

impl fmt::Display for AtomError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for AtomError {}

/// What names can mean.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// Variables and types.
    pub debug: &'a DebugInfo,
    /// Registers.
    pub device: &'a Device,
    /// What hardware does to registers.
    pub rules: &'a Rules,
    /// Whether registers may be named that change at any moment.
    pub inputs: bool,
    /// Symbols, to tell a variable without debug information from an unknown one.
    pub image: &'a Image,
}

/// Spelling, operator, binding strength; longer spellings first.
const OPERATORS: [(&str, Operator, u8); 18] = [
    ("||", O::Or, 1),
    ("&&", O::And, 2),
    ("==", O::Equal, 6),
    ("!=", O::Unequal, 6),
    ("<<", O::Left, 8),
    (">>", O::Right, 8),
    ("<=", O::LessEqual, 7),
    (">=", O::GreaterEqual, 7),
    ("<", O::Less, 7),
    (">", O::Greater, 7),
    ("|", O::BitOr, 3),
    ("^", O::BitXor, 4),
    ("&", O::BitAnd, 5),
    ("+", O::Add, 9),
    ("-", O::Subtract, 9),
    ("*", O::Multiply, 10),
    ("/", O::Divide, 10),
    ("%", O::Remainder, 10),
];

/// An atom.
#[derive(Debug, Clone, PartialEq)]
pub struct Atom {
    text: String,
    expression: Expression,
    /// What it depends on, and which bits of that.
    cells: Vec<(Cell, u8)>,
    /// Where data addresses end.
    end: u32,
    can_be_undefined: bool,
    warning: Option<String>,
}

impl Atom {
    /// Reads a C expression.
    ///
    /// # Errors
    /// If it is none, or names what is not there, or has no number as its value.
    pub fn parse(text: &str, names: Names<'_>) -> Result<Self, AtomError> {
        let mut parser = Parser {
            text,
            at: 0,
            names,
            cells: Vec::new(),
            depth: 0,
            comparison: None,
            warning: None,
            moving: Vec::new(),
        };
        let expression = parser.expression(0)?;
        parser.space();
        if parser.at < text.len() {
            return Err(parser.error("expected an operator or the end of the expression"));
        }
        let expression = parser.number(expression)?;
        parser.refuse_undefined(&expression)?;
        let (cells, warning) = (parser.cells, parser.warning);
        let atom = Self {
            warning,
            ..Self::new(text.to_owned(), expression, cells, names.device.sram.end())
        };
        for (address, offset) in parser.moving {
            if atom.bits_of(u32::from(address)) & names.rules.moving_bits(address) != 0 {
                let message = "the register changes at any moment; let the firmware copy what it reads into \
                    a variable and name that (flags of timers, transfers and conversions can be named by \
                    their bits, as in TIFR.TOV0)";
                return Err(AtomError {
                    message: message.to_owned(),
                    offset,
                });
            }
        }
        Ok(atom)
    }

    fn new(text: String, expression: Expression, mut named: Vec<(Cell, u8)>, end: u32) -> Self {
        named.sort_unstable();
        let mut cells: Vec<(Cell, u8)> = Vec::new();
        for (cell, bits) in named {
            match cells.last_mut() {
                Some((known, all)) if *known == cell => *all |= bits,
                _ => cells.push((cell, bits)),
            }
        }
        Self {
            text,
            can_be_undefined: expression.can_be_undefined(),
            expression,
            cells,
            end,
            warning: None,
        }
    }

    /// What the expression probably does not mean, with a remedy.
    #[must_use]
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Whether the value depends on where the run is, and not on the contents of memory alone.
    #[must_use]
    pub fn is_about_control(&self) -> bool {
        self.cells.last().is_some_and(|(cell, _)| *cell >= COUNTER)
    }

    /// The numbers of the interrupts whose handlers it asks about.
    pub fn handlers(&self) -> impl Iterator<Item = u8> + '_ {
        let handlers = self.cells().filter(|cell| (ACTIVE..MID_STATEMENT).contains(cell));
        handlers.map(|cell| (cell - ACTIVE) as u8)
    }

    /// Whether it asks if a statement is under way.
    #[must_use]
    pub fn asks_for_statements(&self) -> bool {
        self.cells().any(|cell| cell == MID_STATEMENT)
    }

    /// The bits of a byte on which the value may depend.
    #[must_use]
    pub fn bits_of(&self, cell: Cell) -> u8 {
        let named = self.cells.iter().find(|(known, _)| *known == cell);
        let Some((_, bits)) = named else { return 0 };
        if self.cells.len() > 1 {
            return *bits;
        }
        let value = |byte: u8| self.value(|_| Bits::known(byte));
        let matters = |bit: &u8| (0..=u8::MAX).any(|byte| value(byte) != value(byte ^ 1 << bit));
        (0..8).filter(matters).fold(0, |bits, bit| bits | 1 << bit)
    }

    /// The expression as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes on which its value may depend, as far as they can be told beforehand.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells.iter().map(|(cell, _)| *cell)
    }

    /// The value of the expression, if the bytes are known.
    pub fn value(&self, read: impl Fn(Cell) -> Bits) -> Option<i64> {
        self.expression.value(&self.known(&read))
    }

    /// What is known of the bytes of the data address space.
    fn known<'a, R: Fn(Cell) -> Bits>(&self, read: &'a R) -> impl Fn(i64) -> Option<u8> + use<'a, R> {
        let end = self.end;
        move |address| match u32::try_from(address) {
            Ok(cell) if cell < end || cell >= COUNTER => read(cell).value(),
            _ => None,
        }
    }

    /// Why C gives the expression no value: it divides by zero, shifts too far, leaves an array, or follows a
    /// pointer that leads nowhere.
    pub fn undefined(&self, read: impl Fn(Cell) -> Bits) -> Option<&'static str> {
        if !self.can_be_undefined {
            return None;
        }
        self.expression.undefined(&self.known(&read), i64::from(self.end))
    }

    /// Where the value stands, as data address and bytes, if the expression names a place of whole bytes.
    pub fn place(&self, read: impl Fn(Cell) -> Bits) -> Option<(u16, u8)> {
        let Expression::Load {
            address,
            bytes,
            first: 0,
            kind,
        } = &self.expression
        else {
            return None;
        };
        if u32::from(kind.bits) != 8 * u32::from(*bytes) {
            return None;
        }
        Some((u16::try_from(address.value(&self.known(&read))?).ok()?, *bytes))
    }

    /// Whether it holds.
    pub fn truth(&self, read: impl Fn(Cell) -> Bits) -> Truth {
        match self.value(&read) {
            Some(value) => Truth::Known(value != 0),
            None => self.truth_of_all(&read),
        }
    }

    /// Whether it has the same value for all values of the unknown bits, if there are few.
    fn truth_of_all(&self, read: &impl Fn(Cell) -> Bits) -> Truth {
        let open: Vec<(Cell, Bits)> = self
            .cells()
            .map(|cell| (cell, read(cell)))
            .filter(|(_, bits)| bits.unknown != 0)
            .collect();
        let [(cell, bits)] = open[..] else {
            return Truth::Open;
        };
        let mut seen = [false; 2];
        for value in 0..=u8::MAX {
            if value & !bits.unknown != bits.ones() {
                continue;
            }
            let with = |at: Cell| if at == cell { Bits::known(value) } else { read(at) };
            match self.value(with) {
                Some(value) => seen[usize::from(value != 0)] = true,
                None => return Truth::Open,
            }
        }
        match seen {
            [true, false] => Truth::Known(false),
            [false, true] => Truth::Known(true),
            _ => Truth::Open,
        }
    }
}

/// What an expression means while it is parsed: a number, or something in memory.
enum Term {
    Number(Expression),
    Object {
        address: Expression,
        type_: TypeId,
        /// For bit fields: first bit and width.
        bits: Option<(u32, u32)>,
    },
    Register {
        address: u16,
        bytes: u8,
    },
    /// The program counter.
    Counter,
    /// A function or label, by its byte address.
    Code(u32),
}

/// A comparison as it stands in the text.
#[derive(Clone, Copy)]
struct Comparison {
    start: usize,
    operator: usize,
    end: usize,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: Names<'a>,
    cells: Vec<(Cell, u8)>,
    depth: u32,
    /// The comparison that was read last.
    comparison: Option<Comparison>,
    warning: Option<String>,
    /// Registers that hardware changes, and where they are named.
    moving: Vec<(u16, usize)>,
}

const DEEPEST: u32 = 200;

impl Parser<'_> {
    fn error(&self, message: impl Into<String>) -> AtomError {
        AtomError {
            message: message.into(),
            offset: self.at.min(self.text.len()),
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Refuses what C gives a value in no state.
    fn refuse_undefined(&self, expression: &Expression) -> Result<(), AtomError> {
        let end = i64::from(self.names.device.sram.end());
        match expression.undefined(&|_| None, end) {
            None => Ok(()),
            Some(why) => Err(self.error(format!("the expression has no value: {why}"))),
        }
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expression(&mut self, weakest: u8) -> Result<Term, AtomError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("the expression is nested too deeply"));
        }
        self.space();
        let start = self.at;
        let mut left = self.unary()?;
        loop {
            let left_end = self.at;
            self.space();
            let rest = self.rest();
            let found = OPERATORS
                .iter()
                .find(|(spelling, _, strength)| rest.starts_with(spelling) && *strength > weakest);
            let Some(&(spelling, operator, strength)) = found else {
                if rest.starts_with('=') && !rest.starts_with("==") {
                    return Err(self.error("an atom must not assign (== compares)"));
                }
                break;
            };
            if rest[spelling.len()..].starts_with('=') && !matches!(spelling, "==" | "!=" | "<=" | ">=") {
                return Err(self.error("an atom must not assign"));
            }
            // `a & b && c`: the shorter operator must not take half of the longer one.
            let longer = OPERATORS.iter().any(|(other, _, _)| {
                other.len() > spelling.len() && other.starts_with(spelling) && rest.starts_with(other)
            });
            if longer {
                break;
            }
            let place = self.at;
            self.at += spelling.len();
            let right = self.expression(strength)?;
            self.note_precedence(operator, start..left_end, place);
            let (a, b) = self.operands(operator, left, right)?;
            let kind = match operator {
                O::Left | O::Right => a.kind().promoted(),
                _ => a.kind().common(b.kind()),
            };
            let b = if matches!(operator, O::Divide | O::Remainder | O::Left | O::Right) {
                folded(b)
            } else {
                b
            };
            left = Term::Number(Expression::Binary(operator, Box::new(a), Box::new(b), kind));
        }
        if weakest == 0 && self.eat("?") {
            left = self.conditional(left)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn unary(&mut self) -> Result<Term, AtomError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("the expression is nested too deeply"));
        }
        self.space();
        if self.rest().starts_with("++") || self.rest().starts_with("--") {
            return Err(self.error("an atom must not change anything"));
        }
        let term = if self.eat("!") {
            let inner = self.unary()?;
            Term::Number(Expression::Not(Box::new(self.number(inner)?)))
        } else if self.eat("-") {
            let inner = self.unary()?;
            let inner = self.number(inner)?;
            let kind = inner.kind().promoted();
            Term::Number(Expression::Negate(Box::new(inner), kind))
        } else if self.eat("~") {
            let inner = self.unary()?;
            let inner = self.number(inner)?;
            let kind = inner.kind().promoted();
            Term::Number(Expression::Complement(Box::new(inner), kind))
        } else if self.eat("+") {
            let inner = self.unary()?;
            Term::Number(self.number(inner)?)
        } else if self.eat("*") {
            let inner = self.unary()?;
            self.dereferenced(inner)?
        } else {
            self.postfix()?
        };
        self.depth -= 1;
        Ok(term)
    }

    fn postfix(&mut self) -> Result<Term, AtomError> {
        let mut term = self.primary()?;
        loop {
            if self.eat("[") {
                let index = self.expression(0)?;
                let index = self.number(index)?;
                if !self.eat("]") {
                    return Err(self.error("expected ']'"));
                }
                term = self.indexed(term, index)?;
            } else if self.eat("->") {
                let object = self.dereferenced(term)?;
                term = self.field(object)?;
            } else if self.eat(".") {
                term = self.field(term)?;
            } else if self.eat("(") {
                return Err(self.error("an atom must not call functions"));
            } else {
                return Ok(term);
            }
        }
    }

    fn primary(&mut self) -> Result<Term, AtomError> {
        self.space();
        if let Some(kind) = self.cast()? {
            return self.converted(kind);
        }
        if self.eat("(") {
            let term = self.expression(0)?;
            if !self.eat(")") {
                return Err(self.error("expected ')'"));
            }
            return Ok(term);
        }
        let rest = self.rest();
        let word: String = rest
            .chars()
            .take_while(|character| character.is_ascii_alphanumeric() || *character == '_')
            .collect();
        match word.chars().next() {
            None if rest.starts_with('\'') => self.character(),
            None => Err(self.error("expected a variable, a register or a number")),
            Some(first) if first.is_ascii_digit() => {
                let expression = self.literal(&word)?;
                self.at += word.len();
                Ok(Term::Number(expression))
            }
            Some(_) if self.is_built_in(&word) => self.built_in(&word),
            Some(_) => {
                let term = self.name(&word)?;
                self.at += word.len();
                Ok(term)
            }
        }
    }

    fn character(&mut self) -> Result<Term, AtomError> {
        let characters: Vec<char> = self.rest().chars().take(4).collect();
        let (value, length) = match characters[..] {
            ['\'', '\\', escape, '\''] => {
                let value = match escape {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    '0' => '\0',
                    other => other,
                };
                (value, 3 + escape.len_utf8())
            }
            ['\'', value, '\'', ..] => (value, 2 + value.len_utf8()),
            _ => return Err(self.error("expected a character between quotes")),
        };
        self.at += length;
        Ok(Term::Number(Expression::Constant(i64::from(value as u32), INT)))
    }

    fn literal(&self, word: &str) -> Result<Expression, AtomError> {
        let lower = word.to_ascii_lowercase();
        let digits = lower.trim_end_matches(['u', 'l']);
        let suffix = &lower[digits.len()..];
        let parsed = if let Some(digits) = digits.strip_prefix("0x") {
            i64::from_str_radix(digits, 16)
        } else if let Some(digits) = digits.strip_prefix("0b") {
            i64::from_str_radix(digits, 2)
        } else if digits.len() > 1 && digits.starts_with('0') {
            i64::from_str_radix(digits, 8)
        } else {
            digits.parse()
        };
        let value = parsed.map_err(|_| self.error(format!("`{word}` is no number")))?;
        let unsigned = suffix.contains('u');
        let decimal = !digits.starts_with('0');
        let bits = match value {
            _ if suffix.contains("ll") => 64,
            _ if suffix.contains('l') && value <= 0xFFFF_FFFF => 32,
            0..=0x7FFF => 16,
            0x8000..=0xFFFF if unsigned || !decimal => 16,
            0x8000..=0xFFFF_FFFF => 32,
            _ => 64,
        };
        // A hexadecimal constant that does not fit into the signed type is of the unsigned one.
        let too_large = !decimal && bits < 64 && value >> (bits - 1) != 0;
        let signed = !unsigned && !too_large;
        Ok(Expression::Constant(value, Kind { bits, signed }))
    }

    fn name(&mut self, word: &str) -> Result<Term, AtomError> {
        let debug = self.names.debug;
        let mut variables: Vec<_> = debug.variables_named(word).collect();
        // The chip's registers are not the program's variables.
        variables.retain(|variable| variable.address >= self.names.device.sram.start);
        if variables.iter().any(|variable| variable.external) {
            variables.retain(|variable| variable.external);
        }
        variables.dedup_by_key(|variable| variable.address);
        match variables[..] {
            [variable] => {
                let address = i64::from(variable.address);
                self.cover(address, debug.size_of(variable.type_));
                return Ok(Term::Object {
                    address: constant(address),
                    type_: variable.type_,
                    bits: None,
                });
            }
            [_, second, ..] => {
                let place = second.function.clone().unwrap_or_default();
                return Err(self.error(format!(
                    "`{word}` is the name of several variables (one in `{place}`)"
                )));
            }
            [] => {}
        }
        if let Some(term) = self.register(word) {
            return term;
        }
        let boolean = |value| Ok(Term::Number(Expression::Constant(value, INT)));
        match (debug.enumerators.get(word), word) {
            (Some(value), _) => boolean(*value),
            (None, "true") => boolean(1),
            (None, "false") => boolean(0),
            (None, "PC") => Ok(self.counter()),
            (None, _) => self.code(word).ok_or_else(|| self.unknown(word)),
        }
    }

    fn register(&mut self, word: &str) -> Option<Result<Term, AtomError>> {
        let upper = word.to_ascii_uppercase();
        let number = upper
            .strip_prefix('R')
            .and_then(|number| number.parse::<u16>().ok());
        let pair = match upper.as_str() {
            "X" => Some(26),
            "Y" => Some(28),
            "Z" => Some(30),
            "SP" => Some(crate::core::address::SPL),
            _ => None,
        };
        let (address, bytes) = match (number, pair) {
            (Some(number @ 0..32), _) => (number, 1),
            (_, Some(low)) => (low, 2),
            _ => match self.names.device.register(word) {
                Some(register) => (register.address, 1),
                // A register of two bytes, such as TCNT1.
                None => (self.names.device.register(&format!("{word}L"))?.address, 2),
            },
        };
        if !self.names.inputs {
            let offset = self.at;
            self.moving
                .extend((0..bytes).map(|byte| (address + u16::from(byte), offset)));
        }
        self.cover(i64::from(address), u32::from(bytes));
        Some(Ok(Term::Register { address, bytes }))
    }

    fn unknown(&self, word: &str) -> AtomError {
        let symbol = self
            .names
            .image
            .symbol(word)
            .filter(|symbol| symbol.space == Space::Data);
        if symbol.is_some() && self.names.debug.is_empty() {
            return self.error(format!(
                "there is no debug information that tells the type of `{word}`; compile with -g"
            ));
        }
        let variables = self
            .names
            .debug
            .variables
            .iter()
            .map(|variable| variable.name.as_str());
        let registers = self
            .names
            .device
            .registers
            .iter()
            .map(|register| register.name.as_str());
        let code = self.names.image.symbols.iter();
        let code = code.filter(|symbol| symbol.space == Space::Flash);
        let mut near: Vec<(usize, &str)> = variables
            .chain(registers)
            .chain(code.map(|symbol| symbol.name.as_str()))
            .map(|name| (distance(word, name), name))
            .filter(|(distance, _)| *distance <= 2.max(word.len() / 3))
            .collect();
        near.sort_unstable();
        near.dedup();
        let hint: Vec<&str> = near.iter().take(3).map(|(_, name)| *name).collect();
        let hint = match (hint.is_empty(), self.names.debug.is_empty()) {
            (false, _) => format!("; did you mean {}?", hint.join(", ")),
            (true, true) => "; the file has no debug information (compile with -g)".to_owned(),
            (true, false) => String::new(),
        };
        self.error(format!("no variable or register is called `{word}`{hint}"))
    }

    /// Notes that the value depends on these bytes.
    fn cover(&mut self, address: i64, bytes: u32) {
        let end = i64::from(self.names.device.sram.end());
        let last = (address + i64::from(bytes)).min(end);
        self.cells
            .extend((address.max(0)..last).map(|cell| (cell as Cell, 0xFF)));
    }

    fn type_of(&self, id: TypeId) -> &Type {
        self.names.debug.types.get(id.0).unwrap_or(&Type::Void)
    }

    fn indexed(&mut self, term: Term, mut index: Expression) -> Result<Term, AtomError> {
        let Term::Object { address, type_, .. } = term else {
            return Err(self.error("only arrays and pointers have elements"));
        };
        let (base, element) = match self.type_of(type_) {
            Type::Array { element, count: 0 } => (address, *element),
            Type::Array { element, count } => {
                let (element, count) = (*element, i64::from(*count));
                index = Expression::Index(Box::new(folded(index)), count);
                self.refuse_undefined(&index)?;
                (address, element)
            }
            Type::Pointer { target, .. } => (loaded(address, 2, POINTER), *target),
            _ => return Err(self.error("only arrays and pointers have elements")),
        };
        let size = i64::from(self.names.debug.size_of(element));
        let distance = Expression::Binary(O::Multiply, Box::new(index), Box::new(constant(size)), LONG);
        Ok(Term::Object {
            address: folded(Expression::Binary(
                O::Add,
                Box::new(base),
                Box::new(distance),
                LONG,
            )),
            type_: element,
            bits: None,
        })
    }

    fn dereferenced(&mut self, term: Term) -> Result<Term, AtomError> {
        let Term::Object { address, type_, .. } = term else {
            return Err(self.error("only pointers can be followed"));
        };
        match self.type_of(type_) {
            Type::Pointer { target, .. } => Ok(Term::Object {
                type_: *target,
                address: loaded(address, 2, POINTER),
                bits: None,
            }),
            Type::Array { element, .. } => Ok(Term::Object {
                type_: *element,
                address,
                bits: None,
            }),
            _ => Err(self.error("only pointers can be followed")),
        }
    }

    fn field(&mut self, term: Term) -> Result<Term, AtomError> {
        self.space();
        let word: String = self
            .rest()
            .chars()
            .take_while(|character| character.is_ascii_alphanumeric() || *character == '_')
            .collect();
        match term {
            Term::Object { address, type_, .. } => {
                let Type::Record { fields, .. } = self.type_of(type_) else {
                    return Err(self.error("only structures and unions have members"));
                };
                let Some(field) = fields.iter().find(|field| field.name == word) else {
                    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
                    return Err(self.error(format!("no member `{word}`; there are {}", names.join(", "))));
                };
                let (offset, type_, bits) = (i64::from(field.offset), field.type_, field.bits);
                self.at += word.len();
                let address = Expression::Binary(O::Add, Box::new(address), Box::new(constant(offset)), LONG);
                Ok(Term::Object {
                    address: folded(address),
                    type_,
                    bits,
                })
            }
            Term::Register { address, bytes: 1 } => {
                let register = self.names.device.registers.iter().find(|register| {
                    register.address == address && (register.bits.contains_key(&word) || word.len() == 1)
                });
                let named = register.and_then(|register| match word.parse::<u8>() {
                    Ok(bit @ 0..8) => Some(bit),
                    _ => register.bits.get(&word).copied(),
                });
                let Some(first) = named.or_else(|| self.port_bit(address, &word)) else {
                    return Err(self.no_bit(address, &word));
                };
                self.at += word.len();
                // Only that bit of the register that was just named.
                if let Some((_, bits)) = self.cells.last_mut() {
                    *bits = 1 << first;
                }
                let bit = Kind {
                    bits: 1,
                    signed: false,
                };
                Ok(Term::Number(Expression::Load {
                    address: Box::new(constant(i64::from(address))),
                    bytes: 1,
                    first,
                    kind: bit,
                }))
            }
            _ => Err(self.error("only structures and registers have members")),
        }
    }

    /// The number that a term stands for.
    fn number(&self, term: Term) -> Result<Expression, AtomError> {
        let (address, type_, bits) = match term {
            Term::Number(expression) => return Ok(expression),
            Term::Register { address, bytes } => {
                let kind = Kind {
                    bits: 8 * bytes,
                    signed: false,
                };
                return Ok(loaded(constant(i64::from(address)), bytes, kind));
            }
            Term::Object { address, type_, bits } => (address, type_, bits),
            Term::Counter => return Ok(Expression::Position(COUNTER, CODE_ADDRESS)),
            Term::Code(_) => {
                return Err(self.error(
                    "a function or label is a place in the code: compare it with PC or with a pointer to a \
                     function, or ask at(NAME) or in(NAME)",
                ));
            }
        };
        let (size, signed) = match self.type_of(type_) {
            Type::Integer { size, signed, .. } | Type::Enum { size, signed, .. } => (*size, *signed),
            Type::Boolean { size } => (*size, false),
            Type::Pointer { size, .. } => (*size, false),
            Type::Array { .. } => return Err(self.error("an array has no value; name one of its elements")),
            Type::Record { .. } => {
                return Err(self.error("a structure has no value; name one of its members"));
            }
            Type::Float { .. } => {
                return Err(self.error("floating-point variables cannot stand in atoms of firmware"));
            }
            _ => return Err(self.error("the debug information does not tell the type")),
        };
        let size = size.clamp(1, 8) as u8;
        Ok(match bits {
            Some((first, width)) => Expression::Load {
                address: Box::new(address),
                bytes: size,
                first: first as u8,
                kind: Kind {
                    bits: width.clamp(1, 64) as u8,
                    signed,
                },
            },
            None => loaded(
                address,
                size,
                Kind {
                    bits: 8 * size,
                    signed,
                },
            ),
        })
    }
}

/// Edit distance, without regard to case.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
