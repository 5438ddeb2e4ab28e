//! The formats of `printf` and `scanf`: what each conversion asks of its argument.
//!
//! Idea: where a call spells its format as a literal, the types of the arguments can be compared with the
//! conversions before anything runs; everything else is left to the models in `library/format.c` and
//! `library/scan.c`, which read the format as the program does.
//!
//! Source: ISO C11, 7.21.6.1 and 7.21.6.2; the flag `'` and numbered arguments (`%1$d`) are those of POSIX.

use std::collections::BTreeSet;

use crate::ir::{Constant, ConstantExpression, InstructionKind, Module, Value};
use crate::library;

/// Which of the two little languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Print,
    Scan,
}

/// A function that takes a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formatted {
    pub family: Family,
    /// Which argument is the format; what it converts comes after it.
    pub format: usize,
}

impl Formatted {
    /// What the standard name of a variadic function means.
    pub fn of(name: &str) -> Option<Formatted> {
        let (family, format) = match name {
            "printf" | "iprintf" => (Family::Print, 0),
            "fprintf" | "fiprintf" | "dprintf" | "sprintf" | "siprintf" | "asprintf" | "__printf_chk" => {
                (Family::Print, 1)
            }
            "snprintf" | "sniprintf" => (Family::Print, 2),
            _ => match library::standard_name(name) {
                "scanf" => (Family::Scan, 0),
                "fscanf" | "sscanf" => (Family::Scan, 1),
                _ => return None,
            },
        };
        Some(Formatted { family, format })
    }
}

/// `hh`, `h`, `l`, `ll`, …
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Length {
    #[default]
    None,
    Char,
    Short,
    Long,
    LongLong,
    Maximal,
    Size,
    Difference,
    LongDouble,
}

/// A width or precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Amount {
    #[default]
    None,
    Number(u32),
    /// `*`: an argument of its own.
    Argument,
}

/// One conversion specification that converts something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    pub letter: u8,
    pub length: Length,
    pub width: Amount,
    pub precision: Amount,
    /// `%*d` of `scanf`: nothing is stored.
    pub suppressed: bool,
}

/// Why a format cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The standard leaves its meaning undefined.
    Invalid(String),
    /// An extension of POSIX that has no model.
    Extension(&'static str),
}

/// The conversions of a format, in order, but for `%%`.
pub fn conversions(format: &[u8], family: Family) -> Result<Vec<Conversion>, Unreadable> {
    let mut reader = Reader { rest: format };
    let mut found = Vec::new();
    while let Some(byte) = reader.next() {
        if byte == b'%' && !reader.accept(b"%") {
            let conversion = reader.conversion(family)?;
            found.extend((!matches!(conversion.letter, b'%' | b'm')).then_some(conversion));
        }
    }
    Ok(found)
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn accept(&mut self, text: &[u8]) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn number(&mut self) -> Option<u32> {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        let step = |value: u32, digit: &u8| value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
        (digits > 0).then(|| number.iter().fold(0, step))
    }

    fn amount(&mut self) -> Amount {
        if self.accept(b"*") {
            return Amount::Argument;
        }
        self.number().map_or(Amount::None, Amount::Number)
    }

    /// What stands after a percent sign.
    fn conversion(&mut self, family: Family) -> Result<Conversion, Unreadable> {
        let mut conversion = Conversion::default();
        match family {
            Family::Print => {
                while let [b'-' | b'+' | b' ' | b'#' | b'0' | b'\'', rest @ ..] = self.rest {
                    self.rest = rest;
                }
                conversion.width = self.amount();
                if self.accept(b".") {
                    conversion.precision = match self.amount() {
                        Amount::None => Amount::Number(0),
                        amount => amount,
                    };
                }
            }
            Family::Scan => {
                conversion.suppressed = self.accept(b"*");
                conversion.width = self.number().map_or(Amount::None, Amount::Number);
            }
        }
        if self.accept(b"$") {
            return Err(Unreadable::Extension("a format with numbered arguments"));
        }
        if family == Family::Scan && self.accept(b"m") {
            return Err(Unreadable::Extension("a format that allocates memory (`%m`)"));
        }
        conversion.length = self.length();
        let Some(letter) = self.next() else {
            return Err(Unreadable::Invalid("ends within a conversion".to_owned()));
        };
        (conversion.letter, conversion.length) = match letter {
            b'C' => (b'c', Length::Long),
            b'S' => (b's', Length::Long),
            _ => (letter, conversion.length),
        };
        let known: &[u8] = match family {
            Family::Print => b"diouxXfFeEgGaAcspnm%",
            Family::Scan => b"diouxXfFeEgGaAcs[pn%",
        };
        if !known.contains(&letter) && !matches!(letter, b'C' | b'S') {
            let letter = char::from(letter).escape_default();
            return Err(Unreadable::Invalid(format!(
                "has the unknown conversion `%{letter}`"
            )));
        }
        if letter == b'[' {
            self.scan_set()?;
        }
        Ok(conversion)
    }

    /// The set of `%[`, to its closing bracket.
    fn scan_set(&mut self) -> Result<(), Unreadable> {
        self.accept(b"^");
        self.accept(b"]");
        while let Some(byte) = self.next() {
            if byte == b']' {
                return Ok(());
            }
        }
        Err(Unreadable::Invalid("ends within a `%[`".to_owned()))
    }

    fn length(&mut self) -> Length {
        let known: [(&[u8], Length); 9] = [
            (b"hh", Length::Char),
            (b"h", Length::Short),
            (b"ll", Length::LongLong),
            (b"l", Length::Long),
            (b"q", Length::LongLong),
            (b"j", Length::Maximal),
            (b"z", Length::Size),
            (b"t", Length::Difference),
            (b"L", Length::LongDouble),
        ];
        let found = known.into_iter().find(|(text, _)| self.accept(text));
        found.map_or(Length::None, |(_, length)| length)
    }
}

/// The characters of a string literal, or of another constant array with a terminator, that a constant
/// points to the beginning of.
pub fn literal<'m>(module: &'m Module, constant: &Constant) -> Option<&'m [u8]> {
    match constant {
        Constant::Global(name) => {
            let global = module.globals.iter().find(|global| global.name == *name)?;
            match global.initializer.as_ref().filter(|_| global.constant)? {
                Constant::Bytes(bytes) => {
                    let end = bytes.iter().position(|byte| *byte == 0)?;
                    Some(&bytes[..end])
                }
                Constant::Zero => Some(b""),
                _ => None,
            }
        }
        Constant::Expression(expression) => match &**expression {
            ConstantExpression::GetElementPointer { base, indices, .. } => {
                let at_start = |(_, index): &(_, Constant)| match index {
                    Constant::Zero => true,
                    Constant::Int(digits) => &**digits == "0",
                    _ => false,
                };
                indices
                    .iter()
                    .all(at_start)
                    .then(|| literal(module, &base.1))
                    .flatten()
            }
            ConstantExpression::Cast { value, .. } => literal(module, value),
            _ => None,
        },
        _ => None,
    }
}

/// What an argument points to the beginning of, when it is a literal.
pub fn literal_argument<'m>(module: &'m Module, value: &Value) -> Option<&'m [u8]> {
    match value {
        Value::Constant(constant) => literal(module, constant),
        _ => None,
    }
}

/// What the model that walks a format is called.
pub const WALK_FORMAT: &str = "__kripke_printed";
/// The models that read a string, and one of wide characters, to its end.
pub const READ_TEXT: &str = "__kripke_read_text";
pub const READ_WIDE_TEXT: &str = "__kripke_read_wide_text";

/// The models that calls of `printf`, `fprintf` and `puts` need, which are no functions of the C library.
pub fn needed_models(modules: &[Module]) -> BTreeSet<String> {
    let mut needed = BTreeSet::new();
    for module in modules.iter().filter(|module| !module.is_library_model) {
        let blocks = module.functions.iter().flat_map(|function| &function.blocks);
        for instruction in blocks.flat_map(|block| &block.instructions) {
            let InstructionKind::Call(call) = &instruction.kind else {
                continue;
            };
            let Some(name) = callee_name(&call.callee) else {
                continue;
            };
            let argument = |index: usize| call.arguments.get(index).map(|argument| &argument.value);
            let is_literal =
                |index| argument(index).is_none_or(|value| literal_argument(module, value).is_some());
            if matches!(name, "puts" | "puts_unlocked") && !is_literal(0) {
                needed.insert(READ_TEXT.to_owned());
            }
            let Some(formatted) = printing(name) else {
                continue;
            };
            let Some(format) = argument(formatted.format) else {
                continue;
            };
            match literal_argument(module, format).map(|format| conversions(format, Family::Print)) {
                Some(Ok(conversions)) => {
                    let strings = conversions.iter().any(|conversion| conversion.letter == b's');
                    let first = formatted.format + 1;
                    if strings && !(first..call.arguments.len()).all(is_literal) {
                        needed.insert(READ_TEXT.to_owned());
                    }
                    if conversions.iter().any(|conversion| conversion.letter == b'n') {
                        needed.insert(WALK_FORMAT.to_owned());
                    }
                }
                _ => _ = needed.insert(WALK_FORMAT.to_owned()),
            }
        }
    }
    needed
}

/// `printf` and `fprintf`, which are no models in C.
fn printing(name: &str) -> Option<Formatted> {
    let is_primitive = matches!(
        name,
        "printf" | "iprintf" | "__printf_chk" | "fprintf" | "fiprintf"
    );
    is_primitive.then(|| Formatted::of(name)).flatten()
}

/// The function that a call names, through the cast of an old declaration.
fn callee_name(callee: &Value) -> Option<&str> {
    match callee {
        Value::Constant(Constant::Global(name)) => Some(name),
        Value::Constant(Constant::Expression(expression)) => match &**expression {
            ConstantExpression::Cast {
                value: Constant::Global(name),
                ..
            } => Some(name),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, family: Family, expected: &str) {
        let found = match conversions(format.as_bytes(), family) {
            Ok(found) => found
                .iter()
                .map(|c| format!("{}:{:?}", char::from(c.letter), c.length))
                .collect::<Vec<_>>()
                .join(" "),
            Err(error) => format!("{error:?}"),
        };
        assert_eq!(found, expected, "{format:?}");
    }

    #[test]
    fn print_formats() {
        check("plain %% 100%%", Family::Print, "");
        check("%d %-5ld|%+08.3hhx", Family::Print, "d:None d:Long x:Char");
        check(
            "%*.*Lf%zu%jd%td",
            Family::Print,
            "f:LongDouble u:Size d:Maximal d:Difference",
        );
        check("%S%lc%s", Family::Print, "s:Long c:Long s:None");
        check(
            "%1$d",
            Family::Print,
            "Extension(\"a format with numbered arguments\")",
        );
        check("50%", Family::Print, "Invalid(\"ends within a conversion\")");
        check(
            "%y",
            Family::Print,
            "Invalid(\"has the unknown conversion `%y`\")",
        );
    }

    #[test]
    fn scan_formats() {
        check("%d,%*s%10[^]a-z]%n", Family::Scan, "d:None s:None [:None n:None");
        check("%[abc", Family::Scan, "Invalid(\"ends within a `%[`\")");
        check("%lf%hhd", Family::Scan, "f:Long d:Char");
    }
}
