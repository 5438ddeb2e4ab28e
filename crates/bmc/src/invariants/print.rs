//! Invariants as C expressions over the program's variables.
//!
//! Idea: a bit-vector term is printed as a C expression whose value is the term's, read without sign or with
//! it as its user needs; casts are written only where C's own conversions would give another value. What C
//! cannot say of a variable that is in scope at the loop is not printed.

use kripke_elts::trace::c_type;
use kripke_elts::{CType, CTypeId, Encoding, Program, Type, VariableId, VariableKind};
use kripke_smt::{Op, Sort, TermId, Terms};

use crate::engine::Engine;
use crate::invariants::heads::{Head, Location, Part, Place};
use crate::object::{ObjectId, ObjectKind};

/// The name that the source gives a variable: without what tells it from others of that name.
fn in_source(name: &str) -> &str {
    name.split_once('.').map_or(name, |(name, _)| name)
}

/// Prints predicates over the places of one head.
pub(crate) struct Printer<'e, 'p> {
    engine: &'e Engine<'p>,
    head: &'e Head,
}

/// A printed number and its C type.
struct Printed {
    text: String,
    /// Its width and whether it has a sign.
    width: u32,
    signed: bool,
    /// Needs no parentheses as an operand.
    atomic: bool,
}

impl<'e, 'p> Printer<'e, 'p> {
    pub fn new(engine: &'e Engine<'p>, head: &'e Head) -> Self {
        Printer { engine, head }
    }

    fn terms(&self) -> &'e Terms {
        &self.engine.terms
    }

    fn program(&self) -> &'p Program {
        self.engine.program
    }

    /// A predicate as a C condition.
    pub fn condition(&self, predicate: TermId) -> Option<String> {
        self.truth(predicate, true)
    }

    fn truth(&self, predicate: TermId, wanted: bool) -> Option<String> {
        let terms = self.terms();
        let operands = terms.children(predicate);
        match (terms.op(predicate), operands) {
            (Op::Not, [inner]) => self.truth(*inner, !wanted),
            (Op::And, [a, b]) => self.joined(*a, *b, wanted, true),
            (Op::Or, [a, b]) => self.joined(*a, *b, wanted, false),
            (Op::Eq, [a, b]) if terms.sort(*a) == Sort::Bool => {
                let (a, b) = (self.truth(*a, true)?, self.truth(*b, wanted)?);
                Some(format!("({a}) == ({b})"))
            }
            (Op::Eq, [a, b]) => self.compared(*a, *b, if wanted { "==" } else { "!=" }, None),
            (Op::BvUlt, [a, b]) => self.ordered(*a, *b, wanted, false, true),
            (Op::BvUle, [a, b]) => self.ordered(*a, *b, wanted, false, false),
            (Op::BvSlt, [a, b]) => self.ordered(*a, *b, wanted, true, true),
            (Op::BvSle, [a, b]) => self.ordered(*a, *b, wanted, true, false),
            (Op::Variable(_), _) => {
                let place = self.place(predicate)?;
                let name = self.name(place)?;
                let wanted = if wanted { "!=" } else { "==" };
                (place.part == Part::Whole).then(|| format!("{name} {wanted} 0"))
            }
            _ => None,
        }
    }

    fn joined(&self, a: TermId, b: TermId, wanted: bool, and: bool) -> Option<String> {
        let (a, b) = (self.truth(a, wanted)?, self.truth(b, wanted)?);
        let operator = if and == wanted { "&&" } else { "||" };
        Some(format!("({a}) {operator} ({b})"))
    }

    fn ordered(&self, a: TermId, b: TermId, wanted: bool, signed: bool, strict: bool) -> Option<String> {
        match (wanted, strict) {
            (true, true) => self.compared(a, b, "<", Some(signed)),
            (true, false) => self.compared(a, b, "<=", Some(signed)),
            (false, true) => self.compared(b, a, "<=", Some(signed)),
            (false, false) => self.compared(b, a, "<", Some(signed)),
        }
    }

    /// Both sides read in the same way, constants last.
    fn compared(&self, a: TermId, b: TermId, operator: &str, signed: Option<bool>) -> Option<String> {
        let terms = self.terms();
        if terms.is_const(a) && !terms.is_const(b) {
            let mirrored = match operator {
                "<" => ">",
                "<=" => ">=",
                same => same,
            };
            return self.compared(b, a, mirrored, signed);
        }
        let signed = signed.unwrap_or_else(|| self.natural_sign(a).unwrap_or(false));
        let (a, b) = (self.number(a, signed)?, self.number(b, signed)?);
        Some(format!("{} {operator} {}", a.text, b.text))
    }

    /// The sign that a term's own variable has in C.
    fn natural_sign(&self, term: TermId) -> Option<bool> {
        let place = self.place(term)?;
        self.sign(self.c_type(place)?)
    }

    /// A term as a number that is read with a sign, or without.
    fn number(&self, term: TermId, signed: bool) -> Option<Printed> {
        let terms = self.terms();
        let width = match terms.sort(term) {
            Sort::BitVec(width) if matches!(width, 1..=64) => width,
            _ => return None,
        };
        if let Some(value) = terms.as_bv(term) {
            let text = match signed {
                true => value.to_i128()?.to_string(),
                false if width >= 32 => format!("{}u", value.to_u64()?),
                false => value.to_u64()?.to_string(),
            };
            return Some(printed(text, width, signed, true));
        }
        let operands = terms.children(term).to_vec();
        let own = match (terms.op(term), &operands[..]) {
            (Op::Variable(_), _) => {
                let place = self.place(term)?;
                let sign = self.sign(self.c_type(place)?)?;
                printed(self.name(place)?, width, sign, true)
            }
            (Op::BvZeroExtend(_), [inner]) => {
                let inner = self.number(*inner, false)?;
                return Some(printed(inner.text, width, signed, inner.atomic));
            }
            (Op::BvSignExtend(_), [inner]) => {
                let inner = self.number(*inner, true)?;
                printed(inner.text, width, true, inner.atomic)
            }
            (Op::BvAdd, [a, b]) => self.arithmetic(*a, "+", *b, width)?,
            (Op::BvSub, [a, b]) => self.arithmetic(*a, "-", *b, width)?,
            (Op::BvMul, [a, b]) if width >= 32 => self.arithmetic(*a, "*", *b, width)?,
            (
                Op::BvExtract {
                    high: 7 | 15 | 31,
                    low: 0,
                },
                [inner],
            ) => {
                let inner = self.number(*inner, false)?;
                return Some(cast(inner, width, signed));
            }
            (Op::BvExtract { high, low }, [inner]) => {
                let inner = self.number(*inner, false)?;
                let mask = (1u128 << (high - low + 1)) - 1;
                let text = format!("({} >> {low} & {mask}u)", operand(&inner));
                return (!signed).then(|| printed(text, width, false, true));
            }
            _ => return None,
        };
        match own.signed == signed {
            true => Some(own),
            false => Some(cast(own, width, signed)),
        }
    }

    /// Sums wrap in their own width: in unsigned arithmetic, cast back where C promotes.
    fn arithmetic(&self, a: TermId, operator: &str, b: TermId, width: u32) -> Option<Printed> {
        if !matches!(width, 8 | 16 | 32 | 64) {
            return None;
        }
        let (a, b) = (self.number(a, false)?, self.number(b, false)?);
        let a = cast(a, width, false);
        let sum = printed(
            format!("{} {operator} {}", operand(&a), operand(&b)),
            32,
            true,
            false,
        );
        match width >= 32 {
            true => Some(printed(format!("({})", sum.text), width, false, true)),
            false => Some(cast(sum, width, false)),
        }
    }

    fn place(&self, variable: TermId) -> Option<&'e Place> {
        let mut places = self.head.places.iter();
        places.find(|place| place.variable == variable)
    }

    fn c_type(&self, place: &Place) -> Option<CTypeId> {
        if place.part != Part::Whole {
            return None;
        }
        let program = self.program();
        match place.location {
            Location::Variable(variable) => program.functions[self.head.function].variables[variable].c_type,
            Location::Cell { object, offset, ty } => {
                let (whole, _) = self.object(object)?;
                let Type::Int(width) = ty else { return None };
                let part = c_type::part(program, whole, offset, u64::from(width / 8));
                let fits = part.rest == 0 && c_type::size(program, part.c_type) == u64::from(width / 8);
                fits.then_some(part.c_type)
            }
        }
    }

    /// The C type and the name of an object.
    fn object(&self, object: ObjectId) -> Option<(CTypeId, String)> {
        let program = self.program();
        let name = match self.engine.run.objects[object].kind {
            ObjectKind::Global(global) => program.globals[global].c_name.clone()?,
            ObjectKind::Stack(site) => program.object_sites[site].name.clone(),
            ObjectKind::Heap(_) => return None,
        };
        Some((self.engine.c_type_of(object)?, name))
    }

    /// What C calls a place.
    pub fn name(&self, place: &Place) -> Option<String> {
        let program = self.program();
        match place.location {
            Location::Variable(variable) => self.name_in_scope(variable),
            Location::Cell { object, offset, ty } => {
                let (whole, name) = self.object(object)?;
                let Type::Int(width) = ty else { return None };
                let part = c_type::part(program, whole, offset, u64::from(width / 8));
                Some(format!("{name}{}", part.path))
            }
        }
    }

    /// What C calls a variable at the loop's head. Of several that the source gives one name it is that which
    /// was declared last before; the others are hidden, or not in scope any more.
    fn name_in_scope(&self, variable: VariableId) -> Option<String> {
        let code = &self.program().functions[self.head.function];
        if code.variables[variable].kind == VariableKind::Temporary {
            return None;
        }
        let graph = self.engine.graphs.known(self.head.function)?;
        let head = code.locations[graph.loops[self.head.of as usize].head].position;
        let name = in_source(&code.variables[variable].name);
        let alike = code.variables.enumerate().filter(|(_, other)| {
            let is_before = (other.position.file, other.position.line) <= (head.file, head.line);
            other.kind != VariableKind::Temporary && in_source(&other.name) == name && is_before
        });
        let last = alike.max_by_key(|(_, other)| other.position)?;
        (last.0 == variable).then(|| name.to_owned())
    }

    /// The parts that C tells apart in the cell of a place: the name of each, where it begins in the cell,
    /// and its size, in bytes. None where that cannot be said.
    pub fn parts(&self, place: &Place) -> Vec<(String, u64, u64)> {
        let program = self.program();
        let Location::Cell { object, offset, ty } = place.location else {
            return Vec::new();
        };
        let (Some((whole, name)), Type::Int(width), Part::Whole) = (self.object(object), ty, place.part)
        else {
            return Vec::new();
        };
        let bytes = u64::from(width.div_ceil(8));
        let mut parts = Vec::new();
        let mut start = 0;
        while start < bytes {
            let part = c_type::part(program, whole, offset + start, 1);
            let size = c_type::size(program, part.c_type);
            if size == 0 || part.rest != 0 || start + size > bytes {
                return Vec::new();
            }
            parts.push((format!("{name}{}", part.path), start, size));
            start += size;
        }
        parts
    }

    /// Has the C type a sign? `None` for what is no integer.
    fn sign(&self, c_type: CTypeId) -> Option<bool> {
        match c_type::resolved(self.program(), c_type) {
            CType::Base { encoding, .. } => match encoding {
                Encoding::Signed | Encoding::SignedChar => Some(true),
                Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Bool => Some(false),
                Encoding::Float => None,
            },
            CType::Enum { signed, .. } => Some(*signed),
            _ => None,
        }
    }
}

fn printed(text: String, width: u32, signed: bool, atomic: bool) -> Printed {
    Printed {
        text,
        width,
        signed,
        atomic,
    }
}

fn operand(printed: &Printed) -> String {
    match printed.atomic {
        true => printed.text.clone(),
        false => format!("({})", printed.text),
    }
}

/// The value in another type of C.
fn cast(inner: Printed, width: u32, signed: bool) -> Printed {
    if inner.width == width && inner.signed == signed {
        return inner;
    }
    let name = match (width, signed) {
        (0..=8, true) => "signed char",
        (0..=8, false) => "unsigned char",
        (9..=16, true) => "short",
        (9..=16, false) => "unsigned short",
        (17..=32, true) => "int",
        (17..=32, false) => "unsigned int",
        (_, true) => "long long",
        (_, false) => "unsigned long long",
    };
    printed(format!("({name}){}", operand(&inner)), width, signed, true)
}
