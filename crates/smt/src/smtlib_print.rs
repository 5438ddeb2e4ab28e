//! Terms as SMT-LIB 2 text.
//!
//! Every application gets a definition of its own (`(define-fun $t7 () Bool (and $t3 |x|))`), so
//! sharing is kept, no line nests deeply, and an incremental solver is sent each term once.
//!
//! Names of variables are quoted, with `$` as the escape character, so that nothing a front end
//! calls a variable can clash with a definition or end the quotation.

use std::fmt::Write;
use std::rc::Rc;

use kripke_value::{BitVec, FloatFormat, RoundingMode};

use crate::lower::{Backend, Lowering};
use crate::op::{Op, Sort, result_sort};
use crate::terms::{TermId, Terms};

/// A printed term: a symbol or a literal.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) text: Rc<str>,
    sort: Sort,
}

/// Collects declarations and definitions.
#[derive(Default)]
pub(crate) struct Printer {
    /// Commands not yet taken.
    output: String,
    definitions: u32,
    fresh: u32,
}

/// A sort as SMT-LIB writes it.
pub(crate) fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Float(format) => format!("(_ FloatingPoint {})", format_indices(format)),
        Sort::RoundingMode => "RoundingMode".to_owned(),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

fn format_indices(format: FloatFormat) -> String {
    format!("{} {}", format.exponent_bits(), format.significand_bits())
}

/// A name as a quoted symbol.
pub(crate) fn symbol(name: &str) -> String {
    let mut quoted = String::from("|");
    for character in name.chars() {
        match character {
            '$' => quoted.push_str("$$"),
            '|' => quoted.push_str("$p"),
            '\\' => quoted.push_str("$b"),
            ' '..='~' => quoted.push(character),
            other => {
                let _ = write!(quoted, "$u{:x}.", u32::from(other));
            }
        }
    }
    quoted.push('|');
    quoted
}

impl Printer {
    /// The commands since the last call.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.output)
    }

    fn define(&mut self, sort: Sort, body: &str) -> Text {
        self.definitions += 1;
        let name = format!("$t{}", self.definitions);
        let _ = writeln!(self.output, "(define-fun {name} () {} {body})", sort_text(sort));
        Text {
            text: name.into(),
            sort,
        }
    }

    fn declare(&mut self, name: String, sort: Sort) -> Text {
        let _ = writeln!(self.output, "(declare-const {name} {})", sort_text(sort));
        Text {
            text: name.into(),
            sort,
        }
    }
}

impl Backend for Printer {
    type Term = Text;

    fn variable(&mut self, name: &str, sort: Sort) -> Text {
        self.declare(symbol(name), sort)
    }

    fn fresh(&mut self, width: u32) -> Text {
        self.fresh += 1;
        self.declare(format!("$bits{}", self.fresh), Sort::BitVec(width))
    }

    fn bool_(&mut self, value: bool) -> Text {
        Text {
            text: if value { "true" } else { "false" }.into(),
            sort: Sort::Bool,
        }
    }

    fn bv(&mut self, value: &BitVec) -> Text {
        let digits = value.to_binary();
        let width = value.width() as usize;
        Text {
            text: format!("#b{digits:0>width$}").into(),
            sort: Sort::BitVec(value.width()),
        }
    }

    fn rounding(&mut self, mode: RoundingMode) -> Text {
        Text {
            text: Op::Rounding(mode).name().into(),
            sort: Sort::RoundingMode,
        }
    }

    fn nan(&mut self, format: FloatFormat) -> Text {
        Text {
            text: format!("(_ NaN {})", format_indices(format)).into(),
            sort: Sort::Float(format),
        }
    }

    fn float_from_bits(&mut self, format: FloatFormat, bits: &Text) -> Text {
        let body = format!("((_ to_fp {}) {})", format_indices(format), bits.text);
        self.define(Sort::Float(format), &body)
    }

    fn extend(&mut self, signed: bool, from: u32, to: u32, operand: &Text) -> Text {
        let name = if signed { "sign_extend" } else { "zero_extend" };
        self.define(
            Sort::BitVec(to),
            &format!("((_ {name} {}) {})", to - from, operand.text),
        )
    }

    fn apply(&mut self, op: Op, operands: &[Text]) -> Text {
        let sorts: Vec<Sort> = operands.iter().map(|operand| operand.sort).collect();
        let Some(sort) = result_sort(op, &sorts) else {
            unreachable!("{op:?} on {sorts:?} is well-sorted")
        };
        let head = match op {
            Op::BvExtract { high, low } => format!("(_ extract {high} {low})"),
            Op::FpConvert(format) | Op::FpFromSigned(format) | Op::FpFromUnsigned(format) => {
                format!("(_ {} {})", op.name(), format_indices(format))
            }
            Op::FpToSigned(width) | Op::FpToUnsigned(width) => format!("(_ {} {width})", op.name()),
            Op::ConstArray(_) => format!("(as const {})", sort_text(sort)),
            _ => op.name().to_owned(),
        };
        let mut body = format!("({head}");
        for operand in operands {
            body.push(' ');
            body.push_str(&operand.text);
        }
        body.push(')');
        self.define(sort, &body)
    }

    fn has_overflow_predicates(&self) -> bool {
        false
    }

    fn divides_by_sides(&self) -> bool {
        false
    }
}

/// A whole script that asks one question.
pub fn script(terms: &Terms, assertions: &[TermId]) -> String {
    let mut printer = Printer::default();
    let mut lowering = Lowering::default();
    let mut asserts = String::new();
    for &assertion in assertions {
        let lowered = lowering.lower(&mut printer, terms, assertion);
        let _ = writeln!(asserts, "(assert {})", lowered.text);
    }
    for side in lowering.sides() {
        let _ = writeln!(asserts, "(assert {})", side.text);
    }
    format!("(set-logic ALL)\n{}{asserts}(check-sat)\n", printer.take())
}
