//! What atoms say of where a run is: the program counter, functions, labels, lines and handlers; and which
//! operands such places can be compared with.
//!
//! Idea: `PC` is a byte address, as disassemblies show it, and so is a function that it is compared with. A
//! pointer to a function holds a word address, as on the chip; compared with one, a function is that. So a
//! function alone has no value, and nothing can be computed with it.
//!
//! Invariant: `in(HANDLER)` is true from the entry into the handler until the return that takes its return
//! address from the stack, handlers and functions in between included, and while the next instruction is one
//! of the handler's function. `in(FUNCTION)` is only the second.

use std::sync::Arc;

use super::expression::{CODE_ADDRESS, Expression, INT, Kind, Operator, POINTER};
use super::{Atom, AtomError, Comparison, Parser, Term, distance};
use crate::debug::Type;
use crate::device::Device;
use crate::footprint::{ACTIVE, COUNTER, MID_STATEMENT};
use crate::image::{Image, Space, Symbol};
use crate::peripherals::{Interrupt, Rules};

use Operator as O;

impl Rules {
    /// An interrupt by its name: `INT0`, `INT0_vect`, or the name `__vector_1` of its handler.
    pub fn interrupt_named(&self, name: &str) -> Option<&Interrupt> {
        let number = name
            .strip_prefix("__vector_")
            .and_then(|number| number.parse().ok());
        let plain = name.strip_suffix("_vect").unwrap_or(name);
        let mut all = self.interrupts.iter();
        all.find(|interrupt| interrupt.name == plain || number == Some(interrupt.number))
    }
}

impl Atom {
    /// Whether a statement begins: the next instruction is the first of one of these, which are byte
    /// addresses that ascend, and no statement is under way that was interrupted.
    #[must_use]
    pub fn between_statements(begins: &[u32], device: &Device) -> Self {
        let counter = Expression::Position(COUNTER, CODE_ADDRESS);
        let begins = Expression::Member(Box::new(counter), Arc::from(begins));
        let under_way = Expression::Position(MID_STATEMENT, BYTE);
        let none = Expression::Not(Box::new(under_way));
        let both = Expression::Binary(O::And, Box::new(begins), Box::new(none), INT);
        let mut cells: Vec<_> = (COUNTER..COUNTER + 4).map(|cell| (cell, 0xFF)).collect();
        cells.push((MID_STATEMENT, 0xFF));
        Self::new("a statement begins".to_owned(), both, cells, device.sram.end())
    }
}

/// The type of what is said of a handler.
const BYTE: Kind = Kind {
    bits: 8,
    signed: false,
};

/// A symbol of the code by its name.
fn code_symbol<'i>(image: &'i Image, name: &str) -> Option<&'i Symbol> {
    let symbols = image.symbols.iter();
    let mut named = symbols.filter(|symbol| symbol.space == Space::Flash && symbol.name == name);
    let first = named.next()?;
    Some(
        named
            .find(|symbol| symbol.global && !first.global)
            .unwrap_or(first),
    )
}

impl Parser<'_> {
    /// The program counter.
    pub(super) fn counter(&mut self) -> Term {
        self.cells.extend((COUNTER..COUNTER + 4).map(|cell| (cell, 0xFF)));
        Term::Counter
    }

    /// A function or label.
    pub(super) fn code(&self, word: &str) -> Option<Term> {
        code_symbol(self.names.image, word).map(|symbol| Term::Code(symbol.address))
    }

    /// Whether a word that stands here is the name of something that takes its argument in parentheses.
    pub(super) fn is_built_in(&self, word: &str) -> bool {
        let is_called = self.rest()[word.len()..].trim_start().starts_with('(');
        let is_free = self.names.debug.variables_named(word).next().is_none();
        word == "sizeof" || matches!(word, "at" | "in") && is_called && is_free
    }

    /// `sizeof`, `at(…)` and `in(…)`.
    pub(super) fn built_in(&mut self, word: &str) -> Result<Term, AtomError> {
        self.at += word.len();
        if word == "sizeof" {
            return self.size();
        }
        self.space();
        self.at += 1;
        let rest = self.rest();
        let length = rest.find(')').ok_or_else(|| self.error("expected ')'"))?;
        let argument = rest[..length].trim().to_owned();
        let expression = match word {
            "at" => self.at_place(&argument)?,
            _ => self.in_code(&argument)?,
        };
        self.at += length + 1;
        Ok(Term::Number(expression))
    }

    /// Whether the next instruction is the one behind a label, or the first of a source line.
    fn at_place(&mut self, argument: &str) -> Result<Expression, AtomError> {
        let places = match (argument.rsplit_once(':'), code_symbol(self.names.image, argument)) {
            (_, Some(symbol)) => vec![symbol.address],
            (Some((file, line)), None) => {
                let line = line.trim().parse().map_err(|_| {
                    self.error(format!(
                        "`{line}` is no line number; at() takes a label or FILE:LINE"
                    ))
                })?;
                let found = self.names.debug.begins_of_line(file.trim(), line);
                found.map_err(|message| self.error(message))?
            }
            (None, None) => return Err(self.no_place("function, label or FILE:LINE", argument, Vec::new())),
        };
        self.counter();
        Ok(Expression::Member(
            Box::new(Expression::Position(COUNTER, CODE_ADDRESS)),
            Arc::from(places),
        ))
    }

    /// Whether the next instruction is one of a function, or a handler is active.
    fn in_code(&mut self, argument: &str) -> Result<Expression, AtomError> {
        let names = self.names;
        let handler = names.rules.interrupt_named(argument);
        let symbol = match handler {
            Some(interrupt) => code_symbol(names.image, &format!("__vector_{}", interrupt.number)),
            None => code_symbol(names.image, argument),
        };
        let inside = symbol.map(|symbol| self.inside(symbol)).transpose()?;
        let active = handler.map(|interrupt| {
            let cell = ACTIVE + u32::from(interrupt.number);
            self.cells.push((cell, 0xFF));
            Expression::Position(cell, BYTE)
        });
        match (active, inside) {
            (Some(active), Some(inside)) => {
                Ok(Expression::Binary(O::Or, Box::new(active), Box::new(inside), INT))
            }
            (Some(only), None) => Ok(Expression::Not(Box::new(Expression::Not(Box::new(only))))),
            (None, Some(only)) => Ok(only),
            (None, None) => {
                let interrupts = names.rules.interrupts.iter();
                let interrupts = interrupts.map(|interrupt| interrupt.name.as_str()).collect();
                Err(self.no_place("function or interrupt", argument, interrupts))
            }
        }
    }

    /// Whether the next instruction lies in the code of a function.
    fn inside(&mut self, symbol: &Symbol) -> Result<Expression, AtomError> {
        let start = symbol.address;
        let functions = self.names.debug.functions.iter();
        let mut told = functions.filter(|function| function.start == start);
        let end = match symbol.size {
            0 => told.next().map(|function| function.end),
            size => Some(start + size),
        };
        let end = end.ok_or_else(|| {
            self.error(format!(
                "the file does not say where `{}` ends; at({}) asks for its first instruction",
                symbol.name, symbol.name
            ))
        })?;
        self.counter();
        let side = |operator, bound: u32| {
            let counter = Expression::Position(COUNTER, CODE_ADDRESS);
            let bound = Expression::Constant(i64::from(bound), CODE_ADDRESS);
            Expression::Binary(operator, Box::new(counter), Box::new(bound), CODE_ADDRESS)
        };
        let (from, to) = (side(O::GreaterEqual, start), side(O::Less, end));
        Ok(Expression::Binary(O::And, Box::new(from), Box::new(to), INT))
    }

    fn no_place(&self, what: &str, argument: &str, others: Vec<&str>) -> AtomError {
        let symbols = self.names.image.symbols.iter();
        let code = symbols.filter(|symbol| symbol.space == Space::Flash);
        let names = code.map(|symbol| symbol.name.as_str()).chain(others);
        let plain = argument.strip_suffix("_vect").unwrap_or(argument);
        let near = names
            .map(|name| (distance(plain, name), name))
            .filter(|(distance, _)| *distance <= 2.max(plain.len() / 3))
            .min();
        let hint = near.map_or_else(String::new, |(_, name)| format!("; did you mean {name}?"));
        self.error(format!("there is no {what} `{argument}`{hint}"))
    }

    /// The numbers that an operator takes.
    pub(super) fn operands(
        &self,
        operator: Operator,
        left: Term,
        right: Term,
    ) -> Result<(Expression, Expression), AtomError> {
        if is_comparison(operator) {
            match (&left, &right) {
                (Term::Counter | Term::Code(_), Term::Counter | Term::Code(_)) => {
                    return Ok((self.place(left)?, self.place(right)?));
                }
                (Term::Object { type_, .. }, Term::Code(address)) if self.is_code_pointer(*type_) => {
                    let pointer = self.pointer_to(*address)?;
                    return Ok((self.number(left)?, pointer));
                }
                (Term::Code(address), Term::Object { type_, .. }) if self.is_code_pointer(*type_) => {
                    let pointer = self.pointer_to(*address)?;
                    return Ok((pointer, self.number(right)?));
                }
                _ => {}
            }
        }
        Ok((self.number(left)?, self.number(right)?))
    }

    fn place(&self, term: Term) -> Result<Expression, AtomError> {
        match term {
            Term::Code(address) => Ok(Expression::Constant(i64::from(address), CODE_ADDRESS)),
            other => self.number(other),
        }
    }

    fn is_code_pointer(&self, type_: crate::debug::TypeId) -> bool {
        match self.type_of(type_) {
            Type::Pointer { target, .. } => matches!(self.type_of(*target), Type::Function),
            _ => false,
        }
    }

    /// A function as a pointer holds it.
    fn pointer_to(&self, address: u32) -> Result<Expression, AtomError> {
        match address / 2 {
            word @ 0..=0xFFFF => Ok(Expression::Constant(i64::from(word), POINTER)),
            _ => Err(self.error("a pointer leads to this function by way of another one; it has no value")),
        }
    }

    /// A bit of a port by the name that avr-libc gives it: `PB3`, `PORTB3`, `DDB3`, `PINB3`.
    pub(super) fn port_bit(&self, address: u16, word: &str) -> Option<u8> {
        let mut ports = self.names.rules.ports.iter();
        let port = ports.find(|port| [port.ddr, port.port, port.pin].contains(&address))?;
        let bit = word.chars().next_back()?.to_digit(10)?;
        let prefix = &word[..word.len() - 1];
        let (kind, name) = prefix.split_at_checked(prefix.len().checked_sub(port.name.len())?)?;
        let fits = match kind {
            "P" => true,
            "PORT" => address == port.port,
            "PIN" => address == port.pin,
            "DD" | "DDR" => address == port.ddr,
            _ => false,
        };
        (fits && name == port.name && bit < 8).then_some(bit as u8)
    }

    /// That a register has no bit of a name.
    pub(super) fn no_bit(&self, address: u16, word: &str) -> AtomError {
        let registers = self.names.device.registers.iter();
        let registers = registers.filter(|register| register.address == address);
        let bits = registers.flat_map(|register| register.bits.keys());
        let bits: Vec<&str> = bits.map(String::as_str).collect();
        let there = match bits.is_empty() {
            true => "they are called 0 to 7".to_owned(),
            false => format!("there are {} and 0 to 7", bits.join(", ")),
        };
        self.error(format!("the register has no bit `{word}`; {there}"))
    }

    /// Notes a comparison, and warns where one is an operand of `&`, `|` or `^` without parentheses:
    /// `PORTB & 1 == 0` is not what it looks like.
    pub(super) fn note_precedence(&mut self, operator: Operator, left: std::ops::Range<usize>, place: usize) {
        if is_comparison(operator) {
            self.comparison = Some(Comparison {
                start: left.start,
                operator: place,
                end: self.at,
            });
            return;
        }
        let (O::BitAnd | O::BitOr | O::BitXor, Some(comparison)) = (operator, self.comparison) else {
            return;
        };
        let (text, sign) = (self.text, &self.text[place..=place]);
        let piece = |from: usize, to: usize| text[from..to].trim();
        let is_right = comparison.start > place && comparison.end == self.at;
        let first_is_one = piece(left.start, left.end).contains(['=', '<', '>']);
        if is_right && piece(place + 1, comparison.start).is_empty() && !first_is_one {
            let (mask, value) = (
                piece(left.start, left.end),
                piece(comparison.start, comparison.operator),
            );
            let (compared, whole) = (
                piece(comparison.operator, comparison.end),
                piece(comparison.start, comparison.end),
            );
            self.warning.get_or_insert(format!(
                "as in C, `{mask} {sign} {whole}` means `{mask} {sign} ({whole})`; \
                 write `({mask} {sign} {value}) {compared}`"
            ));
        }
    }
}

fn is_comparison(operator: Operator) -> bool {
    matches!(
        operator,
        O::Equal | O::Unequal | O::Less | O::LessEqual | O::Greater | O::GreaterEqual
    )
}
