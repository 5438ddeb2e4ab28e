//! Values as a C programmer writes them.

use kripke_model::TraceValue;
use kripke_value::{BitVec, Float, FloatFormat};

use crate::ids::CTypeId;
use crate::interpreter::{ObjectKind, View};
use crate::program::{CType, Encoding, Program, Type};
use crate::scalar::{Pointer, PointerBase, ScalarValue};
use crate::trace::TraceBuilder;
use crate::trace::c_type::{self, part};

impl TraceBuilder<'_> {
    /// The value, as its C type (where known) reads it.
    pub(super) fn show(&self, view: &View<'_>, value: &ScalarValue, c_type: Option<CTypeId>) -> TraceValue {
        let program = self.program;
        let fitting = c_type.filter(|&id| fits(program, id, value.ty()));
        let type_name = match fitting {
            Some(id) => c_type::name(program, id),
            None => machine_type(value.ty()),
        };
        let resolved = fitting.map(|id| c_type::resolved(program, id));
        let (text, bits) = match value {
            ScalarValue::Int(value) => (show_int(value, resolved, &type_name), hex(value)),
            ScalarValue::Float(value) => (show_float(*value), hex(&value.to_bits())),
            ScalarValue::Pointer(pointer) => {
                let to = match resolved {
                    Some(CType::Pointer { to }) => Some(*to),
                    _ => None,
                };
                let address = view.address(*pointer);
                let width = program.data_model.pointer_width;
                (
                    self.show_pointer(view, *pointer, to),
                    hex(&BitVec::new(width, u128::from(address))),
                )
            }
        };
        TraceValue {
            type_name,
            text,
            bits,
        }
    }

    /// `NULL`, `&buf[3]`, `"text"`, `f`, `0x25`.
    fn show_pointer(&self, view: &View<'_>, pointer: Pointer, to: Option<CTypeId>) -> String {
        let program = self.program;
        match pointer.base {
            PointerBase::Null if pointer.offset == 0 => "NULL".to_owned(),
            PointerBase::Null | PointerBase::Raw => format!("{:#x}", pointer.offset),
            PointerBase::Function(id) => match program.functions.get(id) {
                Some(function) => function.name.clone(),
                None => "a function".to_owned(),
            },
            PointerBase::Object(_) => {
                let Some(object) = view.object(pointer) else {
                    return "a dead object".to_owned();
                };
                if object.kind == ObjectKind::Global
                    && object
                        .c_type
                        .is_none_or(|id| object.name.starts_with('.') || c_type::name(program, id).is_empty())
                    && let Some(text) = string_literal(view, pointer)
                {
                    return text;
                }
                self.address_text(view, pointer, to)
            }
        }
    }

    /// The address of a part of an object: `&gq.p[1]`.
    fn address_text(&self, view: &View<'_>, pointer: Pointer, to: Option<CTypeId>) -> String {
        let Some((name, c_type)) = self.object_name(view, pointer) else {
            return "a dead object".to_owned();
        };
        let wanted = to.map_or(0, |id| c_type::size(self.program, id));
        let offset = signed(pointer.offset, self.program.data_model.pointer_width);
        let Some(c_type) = c_type.filter(|_| offset >= 0) else {
            return moved(&name, offset);
        };
        let part = part(self.program, c_type, offset as u64, wanted);
        match part.rest {
            // An array converts to the address of its first element.
            0 if part.path.is_empty()
                && matches!(c_type::resolved(self.program, c_type), CType::Array { .. }) =>
            {
                name
            }
            0 => format!("&{name}{}", part.path),
            rest => moved(&format!("{name}{}", part.path), rest as i64),
        }
    }
}

fn moved(name: &str, offset: i64) -> String {
    match offset {
        0 => format!("&{name}"),
        offset if offset < 0 => format!("(char *)&{name} - {}", offset.unsigned_abs()),
        offset => format!("(char *)&{name} + {offset}"),
    }
}

fn signed(offset: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    (offset << shift) as i64 >> shift
}

/// Can a value of the machine type be read as the C type?
fn fits(program: &Program, id: CTypeId, ty: Type) -> bool {
    match (c_type::resolved(program, id), ty) {
        (
            CType::Base {
                encoding: Encoding::Float,
                bits,
                ..
            },
            Type::Float(format),
        ) => *bits >= format.bits() && (*bits == format.bits() || format == FloatFormat::X87Extended),
        (
            CType::Base {
                encoding: Encoding::Float,
                ..
            },
            _,
        ) => false,
        (
            CType::Base {
                encoding: Encoding::Bool,
                ..
            },
            Type::Int(_),
        ) => true,
        (CType::Base { bits, .. } | CType::Enum { bits, .. }, Type::Int(width)) => *bits == width,
        (CType::Pointer { .. }, Type::Pointer) => true,
        _ => false,
    }
}

/// `i32`, `f64`, `ptr`.
pub fn machine_type(ty: Type) -> String {
    match ty {
        Type::Int(width) => format!("i{width}"),
        Type::Float(format) => format!("f{}", format.bits()),
        Type::Pointer => "ptr".to_owned(),
    }
}

/// All hexadecimal digits of the width.
fn hex(value: &BitVec) -> String {
    let digits = value.width().div_ceil(4) as usize;
    let text = value.to_hex();
    format!("0x{:0>digits$}", text.trim_start_matches("0x"))
}

fn show_int(value: &BitVec, c_type: Option<&CType>, type_name: &str) -> String {
    match c_type {
        Some(CType::Base {
            encoding: Encoding::Bool,
            ..
        }) => if value.is_zero() { "false" } else { "true" }.to_owned(),
        Some(CType::Enum { values, signed, .. }) => {
            let number = if *signed {
                value.to_i128()
            } else {
                value.to_u128().and_then(|value| value.try_into().ok())
            };
            match values.iter().find(|(_, enumerator)| Some(*enumerator) == number) {
                Some((name, _)) => name.clone(),
                None => decimal(value, *signed),
            }
        }
        Some(CType::Base { encoding, .. }) => {
            let signed = matches!(encoding, Encoding::Signed | Encoding::SignedChar);
            match value.to_u64() {
                Some(code) if type_name.ends_with("char") && !type_name.contains("signed") => {
                    character(code as u8).unwrap_or_else(|| decimal(value, signed))
                }
                _ => decimal(value, signed),
            }
        }
        _ if value.width() == 1 => if value.is_zero() { "false" } else { "true" }.to_owned(),
        _ => decimal(value, true),
    }
}

fn decimal(value: &BitVec, signed: bool) -> String {
    if signed {
        value.to_signed_decimal()
    } else {
        value.to_unsigned_decimal()
    }
}

/// A character literal, for characters that can be seen and a few escapes.
fn character(code: u8) -> Option<String> {
    Some(match code {
        b'\n' => "'\\n'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        b'\r' => "'\\r'".to_owned(),
        b'\'' | b'\\' => format!("'\\{}'", char::from(code)),
        b' '..=b'~' => format!("'{}'", char::from(code)),
        _ => return None,
    })
}

fn show_float(value: Float) -> String {
    let text = value.to_decimal();
    match value.format() {
        _ if !value.is_finite() => text.to_uppercase(),
        FloatFormat::Binary32 => text + "f",
        FloatFormat::X87Extended | FloatFormat::Binary128 => text + "L",
        _ => text,
    }
}

/// The zero-terminated text at the pointer as a C literal, where it can be printed.
pub fn string_literal(view: &View<'_>, pointer: Pointer) -> Option<String> {
    const LONGEST: u64 = 80;
    let mut text = String::from("\"");
    for index in 0..LONGEST {
        let at = pointer.add(index, view.program().data_model.pointer_width);
        let byte = view.read(at, Type::Int(8))?.as_int()?.to_u64()? as u8;
        match byte {
            0 => return Some(text + "\""),
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    Some(text + "...\"")
}
