//! Where `kripke run` takes nondeterministic inputs from: a file, then a seeded generator, then zeros.
//!
//! The file holds one value per line, in the order the program reads them: a decimal or hexadecimal integer,
//! a decimal or hexadecimal float, `nan`, `inf`; `#` starts a comment. A value is converted to the type the
//! program asks for.

use kripke_elts::interpreter::Inputs;
use kripke_elts::{NondetSource, Pointer, Position, ScalarValue, Type};
use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

/// The inputs of one run.
#[derive(Clone, Debug, Default)]
pub struct RunInputs {
    written: std::vec::IntoIter<String>,
    generator: Option<SplitMix>,
}

impl RunInputs {
    /// Inputs from the text of a file (empty where there is none), then from the seed.
    pub fn new(text: &str, seed: Option<u64>) -> Result<RunInputs, String> {
        let mut written = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let value = line.split('#').next().unwrap_or("").trim();
            if value.is_empty() {
                continue;
            }
            if integer(64, value).is_none() && float(FloatFormat::Binary64, value).is_none() {
                return Err(format!("{}: expected a number, found '{value}'", index + 1));
            }
            written.push(value.to_string());
        }
        Ok(RunInputs {
            written: written.into_iter(),
            generator: seed.map(SplitMix),
        })
    }
}

impl Inputs for RunInputs {
    fn next(&mut self, _: &NondetSource, ty: Type, _: Position) -> ScalarValue {
        if let Some(text) = self.written.next() {
            return scalar(ty, &text);
        }
        match &mut self.generator {
            Some(generator) => generator.scalar(ty),
            None => ScalarValue::zero(ty),
        }
    }

    fn unwritten_byte(&mut self, _: u64, _: u64) -> u8 {
        self.generator
            .as_mut()
            .map_or(0, |generator| generator.next() as u8)
    }
}

/// The text as a value of the type; an integer's bits where it is too wide.
fn scalar(ty: Type, text: &str) -> ScalarValue {
    value(ty, text).unwrap_or_else(|| ScalarValue::zero(ty))
}

/// The same; none where the text is no number.
pub fn value(ty: Type, text: &str) -> Option<ScalarValue> {
    match ty {
        Type::Int(width) => integer(width, text)
            .or_else(|| truncated(width, text))
            .map(ScalarValue::Int),
        Type::Float(format) => float(format, text).map(ScalarValue::Float),
        Type::Pointer => integer(64, text)
            .and_then(|bits| bits.to_u64())
            .map(Pointer::raw)
            .map(ScalarValue::Pointer),
    }
}

fn integer(width: u32, text: &str) -> Option<BitVec> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (digits, base) = digits.strip_prefix("0x").map_or((digits, 10), |rest| (rest, 16));
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return None;
    }
    let magnitude = BitVec::parse(width, digits, base)?;
    Some(if negative { magnitude.neg() } else { magnitude })
}

/// A float given for an integer: its integral part.
fn truncated(width: u32, text: &str) -> Option<BitVec> {
    float(FloatFormat::Binary64, text)?.to_signed(width, RoundingMode::TowardZero)
}

fn float(format: FloatFormat, text: &str) -> Option<Float> {
    let (negative, magnitude) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let value = match magnitude {
        "nan" => Float::nan(format),
        "inf" => Float::infinity(format, false),
        _ => Float::parse(magnitude, format, RoundingMode::NearestEven)?,
    };
    Some(if negative { value.neg() } else { value })
}

/// Steele, Lea and Flood's SplitMix64 (OOPSLA 2014): tiny, and the same on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// Any value of a type; of pointers the null pointer.
    pub fn scalar(&mut self, ty: Type) -> ScalarValue {
        match ty {
            Type::Int(width) => ScalarValue::Int(self.bits(width)),
            Type::Float(format) => ScalarValue::Float(Float::from_bits(format, &self.bits(format.bits()))),
            Type::Pointer => ScalarValue::Pointer(Pointer::NULL),
        }
    }

    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn bits(&mut self, width: u32) -> BitVec {
        let mut value = BitVec::new(64.min(width), u128::from(self.next()));
        while value.width() < width {
            let more = (width - value.width()).min(64);
            value = value.concat(&BitVec::new(more, u128::from(self.next())));
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ty: Type, text: &str, expected: &str) {
        let mut inputs = RunInputs::new(text, None).expect("numbers");
        let value = inputs.next(&NondetSource::Input("nondet".into()), ty, Position::default());
        let shown = match &value {
            ScalarValue::Int(bits) => bits.to_signed_decimal(),
            ScalarValue::Float(float) => float.to_decimal(),
            ScalarValue::Pointer(_) => "pointer".to_string(),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn reads_numbers_of_every_kind() {
        check(Type::Int(32), "# first\n\n -7 # seven", "-7");
        check(Type::Int(8), "0xff", "-1");
        check(Type::Int(16), "3.9", "3");
        check(Type::Int(32), "", "0");
        check(
            Type::Float(FloatFormat::Binary32),
            "0.5",
            Float::from_f32(0.5).to_decimal().as_str(),
        );
        check(
            Type::Float(FloatFormat::Binary64),
            "-inf",
            Float::from_f64(f64::NEG_INFINITY).to_decimal().as_str(),
        );
    }

    #[test]
    fn names_the_line_that_is_no_number() {
        assert_eq!(
            RunInputs::new("1\ntwo\n", None).unwrap_err(),
            "2: expected a number, found 'two'"
        );
    }

    #[test]
    fn seeds_repeat() {
        let values = |seed| -> Vec<ScalarValue> {
            let mut inputs = RunInputs::new("", Some(seed)).expect("no file");
            let source = NondetSource::Input("nondet".into());
            (0..4)
                .map(|_| inputs.next(&source, Type::Int(200), Position::default()))
                .collect()
        };
        assert_eq!(values(1), values(1));
        assert_ne!(values(1), values(2));
    }
}
