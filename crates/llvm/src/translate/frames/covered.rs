//! Calls that the check of a function by itself covers.
//!
//! Idea: a function whose calls its contract replaces is checked with the objects that `entry_objects.rs`
//! makes for its pointers. Each such call is held against that: its pointers are null or lead to as much,
//! nothing that they lead to overlaps, nor is it a variable that the function uses by its name, and pointers
//! end where those objects do. Behind a call with others nothing is known.
//!
//! Invariant: whatever `entry_objects.rs` takes for granted of a caller is asked here of each call. That
//! there are no unwritten bytes cannot be asked, and is listed.

use kripke_elts::{BinaryOp as Op, CType, CTypeId, Expr, StatementKind, Type as Scalar};
use kripke_model::PropertyKind;

use super::guards::same_object;
use super::rewriting::Rewriting;
use super::{Frame, Frames, Translator};
use crate::translate::entry_objects::{NAMED_ELEMENTS, parameter_types};
use crate::translate::expressions::{all, any, binary, boolean, int, not, pointer_offset, select};
use crate::translate::start::type_of;

/// Objects of one call; with more of them it is not covered.
const MOST_OBJECTS: usize = 24;
/// Records and arrays that are opened to find pointers.
const LEVELS: u32 = 16;

/// What a pointer of a call leads to.
struct Object {
    start: Expr,
    offset: Expr,
    bytes: u64,
    /// The pointer is not null.
    is_there: Expr,
    /// Of a parameter that others of this type may be equal to.
    element: Option<CTypeId>,
}

/// A pointer of a call.
struct Pointer {
    value: Expr,
    pointee: CTypeId,
    /// How many pointers lead there, itself included.
    depth: u32,
    /// What leads to it is there.
    is_there: Expr,
    element: Option<CTypeId>,
}

impl Translator<'_> {
    /// Leaves the program where its pointers are others than those the function is checked with.
    pub(super) fn check_cover(&mut self, out: &mut Rewriting, made: &Frames, frame: &Frame) {
        let modules = self.modules;
        let (module, index) = frame.source;
        out.position = self.functions[frame.own].position;
        let function = &modules[module].functions[index];
        let c_types = parameter_types(self, module, function);
        let types = self.types(module);
        let mut values = self.functions[frame.wrapper].parameters.clone().into_iter();
        let mut objects = Vec::new();
        let mut has_pointers = false;
        for parameter in &function.parameters {
            let c_type = type_of(&c_types, &parameter.name);
            if parameter.byval.is_some() || parameter.sret.is_some() {
                let value = values.next().map(Expr::Variable);
                if let (Some(value), Some(c_type), Some(_)) = (value, c_type, &parameter.byval) {
                    let is_there = boolean(true);
                    let text = self.not_covered(frame, &parameter.name);
                    self.check_members(
                        out,
                        made,
                        frame,
                        &mut objects,
                        (&value, c_type, 0, &is_there),
                        &text,
                    );
                }
                continue;
            }
            for leaf in types.leaves(&parameter.ty).unwrap_or_default() {
                let value = values.next().map(Expr::Variable);
                let pointee = c_type.and_then(|c_type| self.pointee_type(c_type));
                let (Some(value), Some(pointee), Scalar::Pointer) = (value, pointee, leaf.ty) else {
                    continue;
                };
                if self.is_function_type(pointee) {
                    continue;
                }
                has_pointers = true;
                let is_shared = c_type.is_some_and(|c_type| !self.is_restrict_type(c_type));
                let pointer = Pointer {
                    value: out.hold(Scalar::Pointer, value),
                    pointee,
                    depth: 1,
                    is_there: boolean(true),
                    element: is_shared.then(|| self.plain_type(pointee)),
                };
                let text = self.not_covered(frame, &parameter.name);
                self.check_pointer(out, made, frame, &mut objects, pointer, &text);
            }
        }
        if has_pointers && self.checks(PropertyKind::Uninitialised) {
            let name = &self.functions[frame.own].name;
            self.assumptions.insert(format!(
                "what calls of `{name}` find or leave behind its parameters has values: its contract stands \
                 for them"
            ));
        }
    }

    fn not_covered(&self, frame: &Frame, parameter: &str) -> String {
        let name = &self.functions[frame.own].name;
        format!(
            "a contract in the place of a call with a `{parameter}` that `{name}` is not checked with \
             (--entry-objects, --entry-depth)"
        )
    }

    /// Checks one pointer, and those behind it.
    fn check_pointer(
        &mut self,
        out: &mut Rewriting,
        made: &Frames,
        frame: &Frame,
        objects: &mut Vec<Object>,
        pointer: Pointer,
        text: &str,
    ) {
        let limits = self.options.entry_objects;
        let width = made.width;
        let start = pointer.value;
        let is_null = out.hold(Scalar::BOOL, binary(Op::PEq, start.clone(), Expr::Null));
        let may_be_null = pointer.depth > 1 || limits.null_parameters;
        let one = self.bytes_of_type(pointer.pointee);
        let elements = match self.flexible_element(pointer.pointee) {
            Some(element) => one.saturating_add(self.bytes_of_type(element).saturating_mul(limits.count)),
            None => one.saturating_mul(limits.count),
        };
        let bytes = elements.max(1);
        let offset = Expr::PointerOffset(Box::new(start.clone()));
        let offset = out.hold(Scalar::Int(width), offset);
        let size = Expr::ObjectSize(Box::new(start.clone()));
        let size = out.hold(Scalar::Int(width), size);
        let room = binary(Op::Sub, size.clone(), offset.clone());
        let is_made = pointer.depth <= limits.depth && objects.len() < MOST_OBJECTS;
        let mut conditions = vec![
            boolean(is_made),
            binary(Op::ULe, offset.clone(), size),
            binary(Op::ULe, int(width, i128::from(bytes)), room),
        ];
        let object = Object {
            is_there: all(vec![pointer.is_there.clone(), not(is_null.clone())]),
            start,
            offset,
            bytes,
            element: pointer.element,
        };
        conditions.extend(objects.iter().map(|other| are_apart(&object, other, width)));
        let used = made.guards.iter().find(|guard| guard.own == frame.own);
        let used = used.into_iter().flat_map(|guard| &guard.used);
        conditions.extend(used.map(|id| not(same_object(&object.start, &Expr::GlobalAddress(*id)))));
        let mut ways = vec![not(pointer.is_there), all(conditions)];
        if may_be_null {
            ways.push(is_null);
        }
        let is_covered = out.hold(Scalar::BOOL, any(ways));
        let what = text.to_owned();
        out.leave_where(not(is_covered), StatementKind::Unsupported { what });
        let (start, is_there) = (object.start.clone(), object.is_there.clone());
        objects.push(object);
        if is_made {
            let count = match self.flexible_element(pointer.pointee) {
                None if limits.count > NAMED_ELEMENTS => 0,
                None => limits.count,
                Some(_) => 1,
            };
            for index in 0..count {
                let element = pointer_offset(start.clone(), width, index * one);
                let place = (&element, pointer.pointee, pointer.depth, &is_there);
                self.check_members(out, made, frame, objects, place, text);
            }
        }
    }

    /// Checks the pointers in a value that lies at an address, behind so many others.
    fn check_members(
        &mut self,
        out: &mut Rewriting,
        made: &Frames,
        frame: &Frame,
        objects: &mut Vec<Object>,
        (start, c_type, depth, is_there): (&Expr, CTypeId, u32, &Expr),
        text: &str,
    ) {
        let mut found = Vec::new();
        self.pointers_in(c_type, 0, LEVELS, &mut found);
        for (offset, pointee) in found {
            let address = pointer_offset(start.clone(), made.width, offset);
            let nowhere = Expr::GlobalAddress(made.nowhere);
            let value = out.load(select(is_there.clone(), address, nowhere), Scalar::Pointer);
            let pointer = Pointer {
                value,
                pointee,
                depth: depth + 1,
                is_there: is_there.clone(),
                element: None,
            };
            self.check_pointer(out, made, frame, objects, pointer, text);
        }
    }

    /// The pointers to objects in a type that `entry_objects.rs` makes objects for: their places, and what
    /// they point to. Others have any bits there.
    fn pointers_in(&self, c_type: CTypeId, offset: u64, levels: u32, found: &mut Vec<(u64, CTypeId)>) {
        let Some(levels) = levels.checked_sub(1) else {
            return;
        };
        match self.type_content(c_type) {
            CType::Pointer { to } if !self.is_function_type(*to) => found.push((offset, *to)),
            CType::Record {
                union: false,
                members,
                ..
            } => {
                for member in members.iter().filter(|member| !member.bit_field) {
                    self.pointers_in(member.c_type, offset + member.bit_offset / 8, levels, found);
                }
                let (flexible, last) = (self.flexible_element(c_type), members.last());
                if let (Some(element), Some(last)) = (flexible, last) {
                    let (size, at) = (self.bytes_of_type(element), offset + last.bit_offset / 8);
                    for index in 0..self.options.entry_objects.count.min(NAMED_ELEMENTS) {
                        self.pointers_in(element, at + index * size, levels, found);
                    }
                }
            }
            CType::Array { element, count } if *count <= NAMED_ELEMENTS => {
                let size = self.bytes_of_type(*element);
                for index in 0..*count {
                    self.pointers_in(*element, offset + index * size, levels, found);
                }
            }
            _ => {}
        }
    }
}

/// Do two pointers lead to different bytes, or are they parameters that may be equal?
fn are_apart(a: &Object, b: &Object, width: u32) -> Expr {
    let is_before = |first: &Object, second: &Object| {
        let end = binary(Op::Add, first.offset.clone(), int(width, i128::from(first.bytes)));
        binary(Op::ULe, end, second.offset.clone())
    };
    let mut ways = vec![
        not(a.is_there.clone()),
        not(b.is_there.clone()),
        not(same_object(&a.start, &b.start)),
        is_before(a, b),
        is_before(b, a),
    ];
    if a.element.is_some() && a.element == b.element {
        ways.push(binary(Op::PEq, a.start.clone(), b.start.clone()));
    }
    any(ways)
}
