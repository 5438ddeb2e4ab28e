//! The C expression behind a pointer, for the texts of properties.
//!
//! Idea: walk back from the operand through clang's address arithmetic to a declared variable, and write
//! the way as C would: `buffer[i]`, `list->next`, `*p`. C types tell the members' names.
//!
//! Invariant: only for reading; where the walk meets anything unusual there is no text.

use kripke_elts::{CType, CTypeId};

use crate::ir::{CastOp, Constant, InstructionKind, Type, Value};

use super::function::FunctionTranslator;

/// How many steps a description may have.
const DEPTH_LIMIT: u32 = 12;

/// A C expression with its type.
struct Text {
    text: String,
    c_type: Option<CTypeId>,
}

impl FunctionTranslator<'_, '_> {
    /// The object that an access through this pointer reads or writes.
    pub fn describe_access(&self, pointer: &Value) -> Option<String> {
        self.place(pointer, 0).map(|place| place.text)
    }

    /// The C lvalue that the pointer points to.
    fn place(&self, pointer: &Value, depth: u32) -> Option<Text> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match pointer {
            Value::Constant(constant) => self.global_place(constant),
            Value::Local(name) => {
                if let Some(declaration) = self.declarations.get(&**name)
                    && !declaration.artificial
                {
                    return Some(Text {
                        text: declaration.name.clone(),
                        c_type: Some(declaration.c_type),
                    });
                }
                match &self.definitions.get(&**name)?.kind {
                    InstructionKind::Cast {
                        op: CastOp::BitCast,
                        value,
                        ..
                    } => self.place(value, depth + 1),
                    InstructionKind::GetElementPointer {
                        element,
                        base,
                        indices,
                        ..
                    } => self.element_place(element, &base.1, indices, depth),
                    _ => {
                        let value = self.rvalue(pointer, depth + 1)?;
                        Some(Text {
                            text: format!("*{}", value.text),
                            c_type: value.c_type.and_then(|c_type| self.pointee(c_type)),
                        })
                    }
                }
            }
            _ => None,
        }
    }

    fn global_place(&self, constant: &Constant) -> Option<Text> {
        let Constant::Global(name) = constant else {
            return None;
        };
        let symbol = self.unit.symbols.resolve(self.module, name)?;
        let super::symbols::SymbolKind::Global(index) = symbol.kind else {
            return None;
        };
        let id = self.unit.global_ids.get(&(symbol.module, index))?;
        let global = &self.unit.globals[*id];
        Some(Text {
            text: global.c_name.clone()?,
            c_type: global.c_type,
        })
    }

    fn element_place(
        &self,
        element: &Type,
        base: &Value,
        indices: &[(Type, Value)],
        depth: u32,
    ) -> Option<Text> {
        let (first, rest) = indices.split_first()?;
        let first_is_zero = matches!(&first.1, Value::Constant(Constant::Int(text)) if &**text == "0");
        let mut place = if first_is_zero && !rest.is_empty() {
            self.place(base, depth + 1)?
        } else {
            let (text, c_type) = match self.rvalue(base, depth + 1) {
                Some(pointer) => (
                    pointer.text,
                    pointer.c_type.and_then(|c_type| self.pointee(c_type)),
                ),
                None => {
                    // An array that decayed: the element pointer of its first element.
                    let array = self.place(base, depth + 1)?;
                    let text = array.text.strip_suffix("[0]").unwrap_or(&array.text).to_owned();
                    (text, array.c_type)
                }
            };
            Text {
                text: format!("{text}[{}]", self.index_text(&first.1, depth)),
                c_type,
            }
        };
        let mut at = self.types.resolve(element).clone();
        for (_, index) in rest {
            (place, at) = self.step_into(place, &at, index, depth)?;
        }
        Some(place)
    }

    fn step_into(&self, place: Text, at: &Type, index: &Value, depth: u32) -> Option<(Text, Type)> {
        match at {
            Type::Array(_, element) => {
                let c_type = place.c_type.and_then(|c_type| self.element_type(c_type));
                let text = format!("{}[{}]", place.text, self.index_text(index, depth));
                Some((Text { text, c_type }, self.types.resolve(element).clone()))
            }
            Type::Struct { members, packed } => {
                let Value::Constant(Constant::Int(number)) = index else {
                    return None;
                };
                let number: usize = number.parse().ok()?;
                let offset = *self.types.struct_layout(members, *packed).0.get(number)?;
                let (name, c_type) = self.member_at(place.c_type?, offset)?;
                let text = match place.text.strip_prefix('*') {
                    Some(pointer) if !pointer.starts_with('*') => format!("{pointer}->{name}"),
                    _ => format!("{}.{name}", place.text),
                };
                let member = self.types.resolve(members.get(number)?).clone();
                Some((
                    Text {
                        text,
                        c_type: Some(c_type),
                    },
                    member,
                ))
            }
            _ => None,
        }
    }

    /// The C expression whose value the operand is: a variable that was read.
    fn rvalue(&self, value: &Value, depth: u32) -> Option<Text> {
        let Value::Local(name) = value else { return None };
        if depth > DEPTH_LIMIT {
            return None;
        }
        match &self.definitions.get(&**name)?.kind {
            InstructionKind::Load { pointer, .. } => self.place(pointer, depth + 1),
            InstructionKind::Cast {
                op: CastOp::SExt | CastOp::ZExt | CastOp::BitCast,
                value,
                ..
            } => self.rvalue(value, depth + 1),
            _ => None,
        }
    }

    fn index_text(&self, index: &Value, depth: u32) -> String {
        match index {
            Value::Constant(Constant::Int(text)) => text.to_string(),
            Value::Constant(Constant::Zero) => "0".to_owned(),
            _ => self
                .rvalue(index, depth + 1)
                .map_or_else(|| "…".to_owned(), |index| index.text),
        }
    }

    fn pointee(&self, c_type: CTypeId) -> Option<CTypeId> {
        self.unit.tables.c_types.pointee(c_type)
    }

    fn element_type(&self, c_type: CTypeId) -> Option<CTypeId> {
        match self.unit.tables.c_types.content(c_type)? {
            CType::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    fn member_at(&self, c_type: CTypeId, offset: u64) -> Option<(String, CTypeId)> {
        let CType::Record {
            members,
            union: false,
            ..
        } = self.unit.tables.c_types.content(c_type)?
        else {
            return None;
        };
        let is_it = |member: &&kripke_elts::Member| {
            member.bit_offset / 8 == offset && !member.bit_field && !member.name.is_empty()
        };
        let member = members.iter().find(is_it)?;
        Some((member.name.clone(), member.c_type))
    }
}
