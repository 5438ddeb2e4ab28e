//! The C front end: clang, textual LLVM IR, ELTS.

pub mod atoms;
mod child;
pub mod clang;
pub mod compile_database;
mod contracts;
pub mod debug_info;
mod dialects;
mod effects;
pub mod error;
mod format;
mod headers;
pub mod ir;
pub mod library;
pub mod link;
pub mod loader;
pub mod parser;
mod rtos;
mod search_path;
pub mod translate;
pub mod verify;

pub use error::Error;
