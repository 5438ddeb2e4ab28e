//! C types as text, and the way from a byte offset to the member or element it belongs to.

use crate::ids::CTypeId;
use crate::program::{CType, Program};

/// The type behind typedefs and qualifiers.
pub fn resolved(program: &Program, id: CTypeId) -> &CType {
    program.c_types.content(id).unwrap_or(&CType::Void)
}

/// As C writes it: `unsigned int`, `struct point *`, `char[10]`.
pub fn name(program: &Program, id: CTypeId) -> String {
    spell(program, id, String::new(), 0)
}

/// The type with `inner` where a declarator would be.
fn spell(program: &Program, id: CTypeId, inner: String, depth: usize) -> String {
    let joined = |base: &str| match inner.chars().next() {
        None => base.to_owned(),
        Some('[' | '(') => format!("{base}{inner}"),
        Some(_) => format!("{base} {inner}"),
    };
    if depth > 32 {
        return joined("...");
    }
    match program.c_types.get(id) {
        None | Some(CType::Void) => joined("void"),
        Some(CType::Base { name, .. } | CType::Typedef { name, .. }) => joined(name),
        Some(CType::Record { name, union, .. }) => {
            joined(&tagged(if *union { "union" } else { "struct" }, name))
        }
        Some(CType::Enum { name, .. }) => joined(&tagged("enum", name)),
        Some(CType::Function) => format!("void {inner}()"),
        Some(CType::Array { element, count }) => {
            let count = if *count == 0 {
                String::new()
            } else {
                count.to_string()
            };
            spell(program, *element, format!("{inner}[{count}]"), depth + 1)
        }
        Some(CType::Pointer { to }) => {
            let inner = match program.c_types.get(*to) {
                Some(CType::Array { .. } | CType::Function) => format!("(*{inner})"),
                _ => format!("*{inner}"),
            };
            spell(program, *to, inner, depth + 1)
        }
        Some(CType::Qualified { qualifier, of }) => match program.c_types.get(*of) {
            Some(CType::Pointer { .. }) => {
                let space = if inner.is_empty() { "" } else { " " };
                spell(program, *of, format!(" {qualifier}{space}{inner}"), depth + 1)
            }
            _ => format!("{qualifier} {}", spell(program, *of, inner, depth + 1)),
        },
    }
}

fn tagged(keyword: &str, name: &str) -> String {
    match name {
        "" => keyword.to_owned(),
        name if name.starts_with(keyword) => name.to_owned(),
        name => format!("{keyword} {name}"),
    }
}

/// Size in bytes; 0 where unknown.
pub fn size(program: &Program, id: CTypeId) -> u64 {
    match resolved(program, id) {
        CType::Void | CType::Function | CType::Typedef { .. } | CType::Qualified { .. } => 0,
        CType::Base { bits, .. } | CType::Enum { bits, .. } => u64::from(bits.div_ceil(8)),
        CType::Pointer { .. } => u64::from(program.data_model.pointer_width.div_ceil(8)),
        CType::Record { bytes, .. } => *bytes,
        CType::Array { element, count } => size(program, *element).saturating_mul(*count),
    }
}

/// A part of an object: how to write it after the object's name, and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// `.p[1].x`
    pub path: String,
    /// Its type.
    pub c_type: CTypeId,
    /// Bytes between its start and the offset that was asked for.
    pub rest: u64,
}

/// The smallest part of a type that starts at or before a byte offset and has at least `wanted` bytes (0:
/// one level of an array, no more).
pub fn part(program: &Program, id: CTypeId, offset: u64, wanted: u64) -> Part {
    let mut part = Part {
        path: String::new(),
        c_type: id,
        rest: offset,
    };
    while let Some((path, inner, rest)) = step(program, part.c_type, part.rest, wanted) {
        part = Part {
            path: part.path + &path,
            c_type: inner,
            rest,
        };
    }
    part
}

/// One level down.
fn step(program: &Program, id: CTypeId, offset: u64, wanted: u64) -> Option<(String, CTypeId, u64)> {
    match resolved(program, id) {
        CType::Array { element, count } => {
            let bytes = size(program, *element);
            let whole =
                wanted > bytes || offset == 0 && wanted == bytes.saturating_mul(*count) && *count != 1;
            if bytes == 0 || whole {
                return None;
            }
            Some((format!("[{}]", offset / bytes), *element, offset % bytes))
        }
        CType::Record { members, bytes, .. } => {
            let fits = |start: u64, length: u64| {
                start <= offset
                    && (offset < start + length || length == 0 && offset == start)
                    && offset - start + wanted.max(1) <= length.max(wanted)
            };
            // Of the members of a union, the one that has exactly the size.
            let candidates = members.iter().filter(|member| !member.bit_field);
            let member = candidates
                .filter(|member| fits(member.bit_offset / 8, size(program, member.c_type)))
                .min_by_key(|member| size(program, member.c_type).abs_diff(wanted))?;
            let start = member.bit_offset / 8;
            let inner = size(program, member.c_type);
            if wanted >= *bytes && inner < wanted {
                return None;
            }
            let path = if member.name.is_empty() {
                String::new()
            } else {
                format!(".{}", member.name)
            };
            Some((path, member.c_type, offset - start))
        }
        _ => None,
    }
}

/// A bit-field that lies in a stored unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitField {
    /// How to write it after the object's name.
    pub path: String,
    /// Its type.
    pub c_type: CTypeId,
    /// First bit within the unit, from its lowest address.
    pub start: u64,
    /// How many bits.
    pub bits: u64,
}

/// The bit-fields that lie wholly in `length` bytes at `offset`.
pub fn bit_fields(program: &Program, id: CTypeId, offset: u64, length: u64) -> Vec<BitField> {
    let mut prefix = String::new();
    let (mut id, mut offset) = (id, offset);
    loop {
        if let CType::Record { members, .. } = resolved(program, id) {
            let inside = |start: u64, bits: u64| start >= offset * 8 && start + bits <= (offset + length) * 8;
            let found: Vec<BitField> = members
                .iter()
                .filter(|member| member.bit_field && inside(member.bit_offset, member.bits))
                .map(|member| BitField {
                    path: format!("{prefix}.{}", member.name),
                    c_type: member.c_type,
                    start: member.bit_offset - offset * 8,
                    bits: member.bits,
                })
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        match step(program, id, offset, length) {
            Some((path, inner, rest)) => {
                prefix.push_str(&path);
                (id, offset) = (inner, rest);
            }
            None => return Vec::new(),
        }
    }
}

/// The scalars that lie in `length` bytes at `offset`: offset, path and type, at most `limit`.
pub fn leaves(
    program: &Program,
    id: CTypeId,
    offset: u64,
    length: u64,
    limit: usize,
) -> Vec<(u64, String, CTypeId)> {
    let mut found = Vec::new();
    collect(program, id, 0, String::new(), &mut |at, path, leaf| {
        let inside = at >= offset && at + size(program, leaf) <= offset + length;
        if inside {
            found.push((at, path, leaf));
        }
        found.len() <= limit && at < offset + length
    });
    found
}

/// Visits the scalars in order until the visitor says no.
fn collect(
    program: &Program,
    id: CTypeId,
    offset: u64,
    path: String,
    visit: &mut impl FnMut(u64, String, CTypeId) -> bool,
) -> bool {
    match resolved(program, id) {
        CType::Array { element, count } => {
            let bytes = size(program, *element);
            (0..*count).all(|index| {
                collect(
                    program,
                    *element,
                    offset + index * bytes,
                    format!("{path}[{index}]"),
                    visit,
                )
            })
        }
        CType::Record { members, union, .. } => {
            let shown = if *union {
                members.get(..1).unwrap_or_default()
            } else {
                &members[..]
            };
            shown.iter().filter(|member| !member.bit_field).all(|member| {
                let dot = if member.name.is_empty() {
                    String::new()
                } else {
                    format!(".{}", member.name)
                };
                collect(
                    program,
                    member.c_type,
                    offset + member.bit_offset / 8,
                    format!("{path}{dot}"),
                    visit,
                )
            })
        }
        CType::Void | CType::Function => true,
        _ => visit(offset, path, id),
    }
}
