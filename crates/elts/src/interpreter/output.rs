//! `printf`, `puts` and `putchar`: the bytes that the C library would write.
//!
//! Source: ISO C11, 7.21.6.1. Integers are cut to the width that the length modifier names in the
//! target's data model. A `long double` is printed with the precision of a `double`.

use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

use crate::interpreter::machine::Machine;
use crate::program::{DataModel, OutputFunction};
use crate::scalar::{Pointer, ScalarValue};

/// What was written, and what the function returns.
pub struct Printed {
    pub bytes: Vec<u8>,
    pub result: u32,
}

/// Prints; the error says what is wrong with the call.
pub fn print(
    machine: &Machine<'_>,
    function: OutputFunction,
    arguments: &[ScalarValue],
) -> Result<Printed, String> {
    match function {
        OutputFunction::Putchar => {
            let value = arguments.first().and_then(ScalarValue::as_int);
            let byte = value.map_or(0, |value| value.resize(8).to_u64().unwrap_or(0) as u8);
            Ok(Printed {
                bytes: vec![byte],
                result: u32::from(byte),
            })
        }
        OutputFunction::Puts => {
            let mut bytes = machine.c_string(text_pointer(arguments)?, u64::MAX)?;
            bytes.push(b'\n');
            Ok(Printed {
                result: bytes.len() as u32,
                bytes,
            })
        }
        OutputFunction::Printf => {
            let format = machine.c_string(text_pointer(arguments)?, u64::MAX)?;
            let bytes = printf(machine, &format, &arguments[1..])?;
            Ok(Printed {
                result: bytes.len() as u32,
                bytes,
            })
        }
    }
}

fn text_pointer(arguments: &[ScalarValue]) -> Result<Pointer, String> {
    arguments
        .first()
        .and_then(ScalarValue::as_pointer)
        .ok_or_else(|| "print without a string".to_owned())
}

/// One conversion specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
    conversion: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Length {
    Char,
    Short,
    #[default]
    Int,
    Long,
    LongLong,
    Size,
    LongDouble,
}

impl Length {
    fn bits(self, data_model: &DataModel) -> u32 {
        match self {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int | Length::LongDouble => data_model.int_width,
            Length::Long => data_model.long_width,
            Length::LongLong => 64,
            Length::Size => data_model.pointer_width,
        }
    }
}

/// Reads the format, and takes the arguments in order.
struct Reader<'a> {
    format: &'a [u8],
    at: usize,
    arguments: std::slice::Iter<'a, ScalarValue>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> u8 {
        self.format.get(self.at).copied().unwrap_or(0)
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && self.at < self.format.len();
        self.at += usize::from(found);
        found
    }

    fn argument(&mut self) -> Result<&'a ScalarValue, String> {
        self.arguments
            .next()
            .ok_or_else(|| "printf with fewer arguments than its format needs".to_owned())
    }

    /// A number, or `*` for the next argument.
    fn number(&mut self) -> Result<Option<i64>, String> {
        if self.accept(b'*') {
            let value = self.argument()?.as_int().and_then(BitVec::to_i128);
            return Ok(Some(
                value
                    .unwrap_or(0)
                    .clamp(i128::from(i32::MIN), i128::from(i32::MAX)) as i64,
            ));
        }
        let mut number = None;
        while self.peek().is_ascii_digit() {
            let digit = i64::from(self.peek() - b'0');
            number = Some((number.unwrap_or(0) * 10 + digit).min(i64::from(i32::MAX)));
            self.at += 1;
        }
        Ok(number)
    }

    /// The specification after a `%`.
    fn spec(&mut self) -> Result<Spec, String> {
        let mut spec = Spec::default();
        loop {
            let flag = match self.peek() {
                b'-' => &mut spec.left,
                b'+' => &mut spec.plus,
                b' ' => &mut spec.space,
                b'#' => &mut spec.alternate,
                b'0' => &mut spec.zero,
                _ => break,
            };
            *flag = true;
            self.at += 1;
        }
        let width = self.number()?.unwrap_or(0);
        spec.left |= width < 0;
        spec.width = width.unsigned_abs() as usize;
        if self.accept(b'.') {
            // A negative precision counts as none.
            spec.precision = usize::try_from(self.number()?.unwrap_or(0)).ok();
        }
        spec.length = self.length();
        spec.conversion = self.peek();
        self.at += 1;
        Ok(spec)
    }

    fn length(&mut self) -> Length {
        let first = self.peek();
        if !b"hlqjztL".contains(&first) {
            return Length::Int;
        }
        self.at += 1;
        match first {
            b'h' if self.accept(b'h') => Length::Char,
            b'h' => Length::Short,
            b'l' if self.accept(b'l') => Length::LongLong,
            b'l' => Length::Long,
            b'L' => Length::LongDouble,
            b'z' | b't' => Length::Size,
            _ => Length::LongLong,
        }
    }
}

fn printf(machine: &Machine<'_>, format: &[u8], arguments: &[ScalarValue]) -> Result<Vec<u8>, String> {
    let mut reader = Reader {
        format,
        at: 0,
        arguments: arguments.iter(),
    };
    let mut out = Vec::new();
    while reader.at < format.len() {
        let byte = reader.peek();
        reader.at += 1;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        if reader.accept(b'%') {
            out.push(b'%');
            continue;
        }
        let spec = reader.spec()?;
        if spec.conversion == b'%' {
            out.push(b'%');
            continue;
        }
        let argument = reader.argument()?;
        convert(machine, &spec, argument, &mut out)?;
    }
    Ok(out)
}

fn convert(
    machine: &Machine<'_>,
    spec: &Spec,
    argument: &ScalarValue,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let data_model = &machine.state.program.data_model;
    let wrong = || {
        format!(
            "printf conversion `%{}` of an argument of another type",
            char::from(spec.conversion)
        )
    };
    match spec.conversion {
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
            let value = machine
                .convert(argument.clone(), crate::Type::Int(spec.length.bits(data_model)))
                .and_then(|value| value.as_int().cloned())
                .ok_or_else(wrong)?;
            integer(spec, &value, out);
        }
        b'c' => {
            let value = argument.as_int().ok_or_else(wrong)?;
            pad(
                spec,
                b"",
                &[value.resize(8).to_u64().unwrap_or(0) as u8],
                false,
                out,
            );
        }
        b's' => {
            let pointer = argument.as_pointer().ok_or_else(wrong)?;
            let text = match pointer == Pointer::NULL {
                true => b"(null)"[..spec.precision.unwrap_or(6).min(6)].to_vec(),
                false => machine.c_string(pointer, spec.precision.map_or(u64::MAX, |limit| limit as u64))?,
            };
            pad(spec, b"", &text, false, out);
        }
        b'p' => {
            let pointer = argument.as_pointer().ok_or_else(wrong)?;
            let text = match machine.state.memory.address(pointer) {
                0 => "(nil)".to_owned(),
                address => format!("{address:#x}"),
            };
            pad(spec, b"", text.as_bytes(), false, out);
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let value = argument.as_float().ok_or_else(wrong)?;
            float(spec, *value, out);
        }
        // What it stores is a statement of its own.
        b'n' => {}
        other => {
            return Err(format!(
                "printf conversion `%{}`, which is unknown",
                char::from(other).escape_default()
            ));
        }
    }
    Ok(())
}

/// Writes prefix (sign or `0x`) and body, padded to the width.
fn pad(spec: &Spec, prefix: &[u8], body: &[u8], zeros: bool, out: &mut Vec<u8>) {
    let missing = spec.width.saturating_sub(prefix.len() + body.len());
    let fill = |out: &mut Vec<u8>, byte: u8| out.extend(std::iter::repeat_n(byte, missing));
    if !spec.left && !zeros {
        fill(out, b' ');
    }
    out.extend_from_slice(prefix);
    if !spec.left && zeros {
        fill(out, b'0');
    }
    out.extend_from_slice(body);
    if spec.left {
        fill(out, b' ');
    }
}

fn sign(spec: &Spec, negative: bool) -> &'static [u8] {
    match (negative, spec.plus, spec.space) {
        (true, ..) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        _ => b"",
    }
}

fn integer(spec: &Spec, value: &BitVec, out: &mut Vec<u8>) {
    let signed = matches!(spec.conversion, b'd' | b'i');
    let magnitude = if signed && value.sign_bit() {
        value.neg()
    } else {
        value.clone()
    };
    let number = magnitude.to_u128().unwrap_or(0);
    let mut digits = match spec.conversion {
        b'o' => format!("{number:o}"),
        b'x' => format!("{number:x}"),
        b'X' => format!("{number:X}"),
        _ => format!("{number}"),
    };
    if number == 0 && spec.precision == Some(0) {
        digits.clear();
    }
    if let Some(precision) = spec.precision {
        digits = format!("{}{digits}", "0".repeat(precision.saturating_sub(digits.len())));
    }
    if spec.conversion == b'o' && spec.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix: &[u8] = match spec.conversion {
        b'x' if spec.alternate && number != 0 => b"0x",
        b'X' if spec.alternate && number != 0 => b"0X",
        _ if signed => sign(spec, value.sign_bit()),
        _ => b"",
    };
    pad(
        spec,
        prefix,
        digits.as_bytes(),
        spec.zero && spec.precision.is_none(),
        out,
    );
}

fn float(spec: &Spec, value: Float, out: &mut Vec<u8>) {
    let number = value
        .convert(FloatFormat::Binary64, RoundingMode::NearestEven)
        .to_f64()
        .abs();
    let negative = value.sign_bit();
    let upper = spec.conversion.is_ascii_uppercase();
    if !number.is_finite() {
        let text = if number.is_nan() { "nan" } else { "inf" };
        let text = if upper {
            text.to_uppercase()
        } else {
            text.to_owned()
        };
        pad(spec, sign(spec, negative), text.as_bytes(), false, out);
        return;
    }
    let precision = spec.precision.unwrap_or(6);
    let mut prefix = sign(spec, negative).to_vec();
    let text = match spec.conversion.to_ascii_lowercase() {
        b'f' => fixed(number, precision, spec.alternate),
        b'e' => exponential(number, precision, spec.alternate),
        b'g' => general(number, precision.max(1), spec.alternate),
        _ => {
            prefix.extend_from_slice(if upper { b"0X" } else { b"0x" });
            hexadecimal(number, spec.precision, spec.alternate)
        }
    };
    let text = if upper { text.to_uppercase() } else { text };
    pad(spec, &prefix, text.as_bytes(), spec.zero, out);
}

fn fixed(number: f64, precision: usize, point: bool) -> String {
    let text = format!("{number:.precision$}");
    if point && precision == 0 {
        format!("{text}.")
    } else {
        text
    }
}

/// Mantissa and exponent of the number with that many digits after the point.
fn scientific(number: f64, precision: usize) -> (String, i32) {
    let text = format!("{number:.precision$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_owned(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

fn exponential(number: f64, precision: usize, point: bool) -> String {
    let (mantissa, exponent) = scientific(number, precision);
    let point = if point && precision == 0 { "." } else { "" };
    format!("{mantissa}{point}{}", exponent_text(exponent))
}

/// `e+07`: a sign and at least two digits.
fn exponent_text(exponent: i32) -> String {
    format!("e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general(number: f64, precision: usize, keep_zeros: bool) -> String {
    let (mantissa, exponent) = scientific(number, precision - 1);
    let trim = |text: String| match text.contains('.') && !keep_zeros {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    };
    if exponent < -4 || exponent >= precision as i32 {
        return format!("{}{}", trim(mantissa), exponent_text(exponent));
    }
    let digits = (precision as i32 - 1 - exponent).max(0) as usize;
    trim(fixed(number, digits, keep_zeros))
}

/// The digits after `0x` of a finite number, as glibc writes them.
fn hexadecimal(number: f64, precision: Option<usize>, point: bool) -> String {
    const FRACTION_BITS: u32 = 52;
    let bits = number.to_bits();
    let field = (bits >> FRACTION_BITS) as i32 & 0x7ff;
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let exponent = match (field, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => field - 1023,
    };
    let mut significand = u64::from(field != 0) << FRACTION_BITS | fraction;
    if let Some(digits) = precision.filter(|&digits| digits < 13) {
        // Rounded to nearest, ties to even.
        let dropped = 4 * (13 - digits as u32);
        let half = 1_u64 << (dropped - 1);
        let rest = significand & ((1 << dropped) - 1);
        significand >>= dropped;
        if rest > half || rest == half && significand & 1 == 1 {
            significand += 1;
        }
        significand <<= dropped;
    }
    let whole = significand >> FRACTION_BITS;
    let mut digits = format!("{:013x}", significand & ((1 << FRACTION_BITS) - 1));
    match precision {
        Some(precision) if precision < 13 => digits.truncate(precision),
        Some(precision) => digits.push_str(&"0".repeat(precision - 13)),
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let point = if point || !digits.is_empty() { "." } else { "" };
    format!("{whole}{point}{digits}p{exponent:+}")
}
