//! The extended labelled transition system: the program model that the C front end produces
//! and the engines consume.

mod dot;
pub mod eval;
pub mod handler_calls;
pub mod ids;
pub mod interpreter;
pub mod interrupts;
pub mod loops;
mod naming;
pub mod passes;
pub mod program;
mod properties;
pub mod random;
mod scalar;
mod statistics;
pub mod text;
pub mod threads;
pub mod trace;
mod traverse;
mod typing;
mod verify;

pub use dot::{dot, dot_function};
pub use ids::{
    CTypeId, FileId, FunctionId, GlobalId, Id, IdVec, LocationId, ObjectSiteId, PropertyId, VariableId,
};
pub use naming::{AT_START, START, name_in_its_file};
pub use program::*;
pub use scalar::{ObjectRef, Pointer, PointerBase, ScalarValue};
pub use statistics::Statistics;
pub use typing::{OperandKind, ResultKind};
pub use verify::{VerifyError, assert_valid, verify};
