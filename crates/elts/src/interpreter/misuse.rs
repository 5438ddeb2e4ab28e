//! What is wrong with an access, in words a C programmer can act on.

use crate::interpreter::memory::{Memory, Misuse, Object, Origin};
use crate::interpreter::observer::describe;
use crate::program::{Position, Program};
use crate::scalar::{ObjectRef, PointerBase, mask};

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Read,
    Write,
}

/// `file:line`, or nothing where it is unknown.
pub fn place(program: &Program, position: Position) -> Option<String> {
    let file = program.files.get(position.file).filter(|_| position.line != 0)?;
    Some(format!("{}:{}", file.path, position.line))
}

/// "`buf`", or "the heap object allocated at file:line".
pub fn name(program: &Program, object: &Object) -> String {
    match object.origin {
        Origin::Heap(_) => match place(program, object.created) {
            Some(place) => format!("the heap object allocated at {place}"),
            None => "a heap object".to_owned(),
        },
        _ => {
            let name = describe(program, object).name;
            if name.is_empty() {
                "an unnamed object".to_owned()
            } else {
                format!("`{name}`")
            }
        }
    }
}

/// The whole message.
pub fn message(program: &Program, memory: &Memory, misuse: Misuse, kind: AccessKind, size: u64) -> String {
    let access = match kind {
        AccessKind::Read => format!("read of {}", bytes(size)),
        AccessKind::Write => format!("write of {}", bytes(size)),
    };
    match misuse {
        Misuse::Null { offset: 0 } => format!("{access} through a null pointer"),
        Misuse::Null { offset } => {
            format!(
                "{access} through a null pointer (moved by {} bytes)",
                signed(offset, memory.pointer_width)
            )
        }
        Misuse::Function { pointer } => match pointer.base {
            PointerBase::Function(function) => match program.functions.get(function) {
                Some(function) => format!("{access} at the function `{}`, which is no data", function.name),
                None => format!("{access} at a function, which is no data"),
            },
            _ => format!("{access} at a function, which is no data"),
        },
        Misuse::Dead { object, remembered } => {
            format!("{access} {}", dead(program, memory, object, remembered))
        }
        Misuse::Outside { slot, offset } => {
            let object = memory.object(slot);
            let offset = signed(offset, memory.pointer_width);
            format!(
                "{access} at offset {offset} of {}, which has {}",
                name(program, object),
                bytes(object.size)
            )
        }
        Misuse::Misaligned { address, align } => {
            format!("{access} at address {address:#x}, misaligned: not a multiple of {align}")
        }
        Misuse::Constant { slot } => {
            format!(
                "{access} to {}, which is constant",
                name(program, memory.object(slot))
            )
        }
    }
}

/// "after the free of …", "of `x` after its function has returned".
fn dead(program: &Program, memory: &Memory, object: ObjectRef, remembered: bool) -> String {
    if !remembered {
        return "through a pointer to an object that is dead".to_owned();
    }
    let object = memory.object(object.slot);
    match object.origin {
        Origin::Heap(_) => {
            let freed = place(program, object.freed)
                .map(|place| format!(" (freed at {place})"))
                .unwrap_or_default();
            format!("after free: it points into {}{freed}", name(program, object))
        }
        _ => match place(program, object.freed) {
            Some(place) => format!(
                "through a dangling pointer: the block of {} has ended (at {place})",
                name(program, object)
            ),
            None => format!(
                "through a dangling pointer: the function of {} has returned",
                name(program, object)
            ),
        },
    }
}

/// "1 byte", "4 bytes".
pub fn bytes(size: u64) -> String {
    if size == 1 {
        "1 byte".to_owned()
    } else {
        format!("{size} bytes")
    }
}

/// The offset as a signed number of pointer width.
pub fn signed(offset: u64, pointer_width: u32) -> i64 {
    let shift = 64 - pointer_width.clamp(1, 64);
    ((offset & mask(pointer_width)) << shift) as i64 >> shift
}
