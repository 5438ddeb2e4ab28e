//! The C front end: clang, textual LLVM IR, ELTS.

pub mod ir;
