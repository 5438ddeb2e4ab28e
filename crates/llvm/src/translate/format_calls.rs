//! Calls of `printf` and `scanf`: the format against the arguments, and what printing reads.
//!
//! Idea: for a literal format the conversions are compared with the LLVM types of the arguments, which know
//! integers by width, floats and pointers: a conversion that does not fit is a violation of kind `format`
//! wherever the call is reached (C11 7.21.6.1p9, 7.21.6.2p10). A string that is printed is read to its
//! end by a model; a format that is no literal, or has `%n`, is walked by one.

use kripke_elts::{Expr, Type as Scalar};
use kripke_model::PropertyKind;
use kripke_value::FloatFormat;

use crate::format::{
    self, Amount, Conversion, Family, Formatted, Length, READ_TEXT, READ_WIDE_TEXT, Unreadable, WALK_FORMAT,
};
use crate::ir::{Argument, Constant, InstructionKind, Type, Value};

use super::calls::CallSite;
use super::expressions::{boolean, int};
use super::function::FunctionTranslator;
use super::memory::Use;
use super::{Step, unsupported};

/// What the models assume of `%p`, which C leaves to the implementation.
const POINTER_LENGTH: &str = "%p writes at most four characters and two for each byte of a pointer";

impl FunctionTranslator<'_, '_> {
    /// Checks that a literal format fits the arguments of the call.
    pub fn check_format(&mut self, site: &CallSite<'_>) -> Step<()> {
        if self.in_library {
            return Ok(());
        }
        let Some(formatted) = Formatted::of(site.name) else {
            return Ok(());
        };
        let Some(text) = self.literal(site, formatted.format) else {
            return Ok(());
        };
        let wrong = match format::conversions(&text, formatted.family) {
            Ok(conversions) => {
                let is_pointer = |conversion: &Conversion| conversion.letter == b'p';
                if formatted.family == Family::Print && conversions.iter().any(is_pointer) {
                    self.unit.assumptions.insert(POINTER_LENGTH.to_owned());
                }
                self.misfit(site, formatted, &conversions)
            }
            Err(Unreadable::Invalid(what)) => Some(format!("the format {what}")),
            Err(Unreadable::Extension(what)) => return unsupported(what),
        };
        if let Some(wrong) = wrong {
            let text = format!("{}: {wrong}", site.name);
            self.assert_that(boolean(false), PropertyKind::Format, &text);
        }
        Ok(())
    }

    /// The literal that an argument points to.
    fn literal(&self, site: &CallSite<'_>, index: usize) -> Option<Vec<u8>> {
        let module = &self.unit.modules[self.module];
        let value = &site.operands.get(index)?.value;
        format::literal_argument(module, value).map(<[u8]>::to_vec)
    }

    /// The first conversion whose argument is missing or of another type, in words.
    fn misfit(
        &self,
        site: &CallSite<'_>,
        formatted: Formatted,
        conversions: &[Conversion],
    ) -> Option<String> {
        let mut next = formatted.format + 1;
        for conversion in conversions {
            for (amount, name) in [(conversion.width, "width"), (conversion.precision, "precision")] {
                if amount != Amount::Argument {
                    continue;
                }
                let int_width = self.unit.data_model.int_width;
                match site
                    .operands
                    .get(next)
                    .map(|operand| self.types.scalar(&operand.ty))
                {
                    Some(Some(Scalar::Int(width))) if width == int_width => {}
                    Some(_) => return Some(format!("the {name} `*` is no int")),
                    None => return Some(format!("there is no argument for the {name} `*`")),
                }
                next += 1;
            }
            if conversion.suppressed {
                continue;
            }
            let shown = shown(*conversion);
            let Some(operand) = site.operands.get(next) else {
                return Some(format!("there is no argument for `{shown}`"));
            };
            let wanted = match formatted.family {
                Family::Print => self.misfit_of_value(*conversion, operand),
                Family::Scan => self.misfit_of_target(*conversion, operand),
            };
            if let Some((wanted, given)) = wanted {
                return Some(format!("`{shown}` is for {wanted}, but gets {given}"));
            }
            next += 1;
        }
        None
    }

    /// What `printf` wants and gets instead.
    fn misfit_of_value(&self, conversion: Conversion, operand: &Argument) -> Option<(String, String)> {
        let given = match operand.byval {
            Some(_) => None,
            None => self.types.scalar(&operand.ty),
        };
        let wanted = match conversion.letter {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                let width = self
                    .integer_width(conversion.length)
                    .max(self.unit.data_model.int_width);
                match given {
                    Some(Scalar::Int(bits)) if bits == width => return None,
                    _ => format!("an integer of {width} bits"),
                }
            }
            b'c' => match given {
                Some(Scalar::Int(bits)) if bits <= 32 => return None,
                _ => "an int".to_owned(),
            },
            b's' | b'p' | b'n' => match given {
                Some(Scalar::Pointer) => return None,
                _ => "a pointer".to_owned(),
            },
            _ => match given {
                Some(Scalar::Float(format)) if self.is_real(format, conversion.length) => return None,
                _ if conversion.length == Length::LongDouble => "a long double".to_owned(),
                _ => "a double".to_owned(),
            },
        };
        Some((wanted, described(given)))
    }

    /// What `scanf` wants a pointer to, and what the pointer points to instead.
    fn misfit_of_target(&self, conversion: Conversion, operand: &Argument) -> Option<(String, String)> {
        let given = self.types.scalar(&operand.ty);
        if given != Some(Scalar::Pointer) {
            return Some(("a pointer".to_owned(), described(given)));
        }
        let target = self.types.scalar(self.pointed_to(&operand.value)?)?;
        let wanted = match conversion.letter {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'n' => {
                let width = self.integer_width(conversion.length);
                match target {
                    Scalar::Int(bits) if bits == width => return None,
                    _ => format!("an integer of {width} bits"),
                }
            }
            b'c' | b's' | b'[' | b'p' => return None,
            _ => match target {
                Scalar::Float(format) if self.is_scanned_real(format, conversion.length) => return None,
                _ => match conversion.length {
                    Length::Long => "a double".to_owned(),
                    Length::LongDouble => "a long double".to_owned(),
                    _ => "a float".to_owned(),
                },
            },
        };
        Some((wanted, described(Some(target))))
    }

    /// The type of the variable that a pointer is the address of.
    fn pointed_to(&self, value: &Value) -> Option<&Type> {
        match value {
            Value::Local(name) => match &self.definitions.get(&**name)?.kind {
                InstructionKind::Alloca { ty, count: None, .. } => Some(ty),
                _ => None,
            },
            Value::Constant(Constant::Global(name)) => {
                let globals = &self.unit.modules[self.module].globals;
                globals
                    .iter()
                    .find(|global| global.name == *name)
                    .map(|global| &global.ty)
            }
            _ => None,
        }
    }

    fn integer_width(&self, length: Length) -> u32 {
        let data_model = &self.unit.data_model;
        match length {
            Length::Char => 8,
            Length::Short => 16,
            Length::None => data_model.int_width,
            Length::Long => data_model.long_width,
            Length::LongLong | Length::Maximal | Length::LongDouble => 64,
            Length::Size | Length::Difference => data_model.pointer_width,
        }
    }

    /// Whether `printf` takes a float of this format with that length modifier.
    fn is_real(&self, format: FloatFormat, length: Length) -> bool {
        let is_extended = matches!(format, FloatFormat::X87Extended | FloatFormat::Binary128);
        match length {
            Length::LongDouble => is_extended || !self.has_extended_reals(),
            _ => !is_extended,
        }
    }

    fn is_scanned_real(&self, format: FloatFormat, length: Length) -> bool {
        let small_double = self.unit.data_model.triple.starts_with("avr");
        match length {
            Length::LongDouble => self.is_real(format, length),
            Length::Long => format == FloatFormat::Binary64 || small_double,
            _ => format == FloatFormat::Binary32,
        }
    }

    /// Whether `long double` is certainly wider than `double`.
    fn has_extended_reals(&self) -> bool {
        let triple = &self.unit.data_model.triple;
        let is_x86 = ["x86_64", "i386", "i486", "i586", "i686"]
            .iter()
            .any(|name| triple.starts_with(name));
        is_x86 && !triple.contains("msvc") && !triple.contains("android")
    }

    /// Reads what `printf` reads: each string to its end, or everything by walking the format. In the second
    /// case what the model returns.
    pub fn read_formatted(&mut self, site: &CallSite<'_>, format: usize) -> Step<Option<Vec<Expr>>> {
        let literal = self.literal(site, format);
        let conversions = literal.and_then(|text| format::conversions(&text, Family::Print).ok());
        let walks = |conversion: &Conversion| conversion.letter == b'n';
        let Some(conversions) = conversions.filter(|all| !all.iter().any(walks)) else {
            let operands = site.operands.get(format..).unwrap_or_default();
            let values = site.values.get(format..).unwrap_or_default();
            return self.call_model(WALK_FORMAT, operands, values.to_vec()).map(Some);
        };
        let mut next = format + 1;
        for conversion in conversions {
            next += usize::from(conversion.width == Amount::Argument);
            let int_width = self.unit.data_model.int_width;
            let precision = match conversion.precision {
                Amount::None => int(int_width, -1),
                Amount::Number(number) => int(int_width, i128::from(number)),
                Amount::Argument => {
                    next += 1;
                    site.argument(next - 1)?
                }
            };
            if conversion.letter == b's' {
                let is_wide = conversion.length == Length::Long;
                self.read_text(site, next, precision, is_wide)?;
            }
            next += 1;
        }
        Ok(None)
    }

    /// Reads a string that is no literal to its end, or to a precision that is not negative.
    pub fn read_text(&mut self, site: &CallSite<'_>, index: usize, precision: Expr, wide: bool) -> Step<()> {
        let Some(operand) = site.operands.get(index) else {
            return Ok(());
        };
        if self.types.scalar(&operand.ty) != Some(Scalar::Pointer) || self.literal(site, index).is_some() {
            return Ok(());
        }
        let number = Argument {
            ty: Type::Int(self.unit.data_model.int_width),
            value: Value::Constant(Constant::Undef),
            byval: None,
            sret: None,
            extend: None,
            align: None,
        };
        let operands = [operand.clone(), number];
        let values = vec![vec![site.argument(index)?], vec![precision]];
        let model = if wide { READ_WIDE_TEXT } else { READ_TEXT };
        self.call_model(model, &operands, values).map(|_| ())
    }

    /// Reads a stream, which must be a valid object.
    pub fn read_stream(&mut self, site: &CallSite<'_>, index: usize) -> Step<()> {
        let Some(operand) = site.operands.get(index) else {
            return Ok(());
        };
        let stream = site.argument(index)?;
        let ty = Scalar::Int(self.unit.data_model.int_width);
        let checks = self.access_checks(&stream, ty, 1, &operand.value, Use::Read);
        self.load_scalar("descriptor", ty, stream, 1, false, checks);
        Ok(())
    }

    /// Calls a model that is no function of the C library.
    fn call_model(&mut self, name: &str, operands: &[Argument], values: Vec<Vec<Expr>>) -> Step<Vec<Expr>> {
        let Some((module, index)) = self.unit.function_with_body(self.module, name) else {
            return unsupported("a call of `printf` through a pointer, with strings or a variable format");
        };
        let result = self.unit.modules[module].functions[index].result.clone();
        let site = CallSite {
            name,
            result: &result,
            operands,
            values,
        };
        self.direct_call(module, index, &site)
    }
}

fn described(given: Option<Scalar>) -> String {
    match given {
        Some(Scalar::Int(bits)) => format!("an integer of {bits} bits"),
        Some(Scalar::Float(format)) => format!("a float of {} bits", format.bits()),
        Some(Scalar::Pointer) => "a pointer".to_owned(),
        None => "a structure".to_owned(),
    }
}

/// The conversion as it is written, without flags and numbers.
fn shown(conversion: Conversion) -> String {
    let length = match conversion.length {
        Length::None => "",
        Length::Char => "hh",
        Length::Short => "h",
        Length::Long => "l",
        Length::LongLong => "ll",
        Length::Maximal => "j",
        Length::Size => "z",
        Length::Difference => "t",
        Length::LongDouble => "L",
    };
    format!("%{length}{}", char::from(conversion.letter))
}
