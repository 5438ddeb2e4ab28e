//! The extended labelled transition system: the program model that the C front end produces
//! and the engines consume.

pub mod ids;
pub mod program;

pub use ids::{
    CTypeId, FileId, FunctionId, GlobalId, Id, IdVec, LocationId, ObjectSiteId, PropertyId, VariableId,
};
pub use program::*;
