//! The C front end: clang, textual LLVM IR, ELTS.

pub mod debug_info;
pub mod error;
pub mod ir;
pub mod parser;

pub use error::Error;
