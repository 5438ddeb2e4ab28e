//! The text form of a program: [`print()`] and [`parse`], inverse to each other.
//!
//! It reads like C where C has a notation, and says everything: operators carry their signedness
//! (`<s`, `/u`, `+.`), literals their type (`5i32`, `0.1f32`), statements their checks and their
//! position. Binary operators have no precedence: nested ones stand in parentheses. A position is
//! `@line:column` in the function's file, else `@fN:line:column`; none means unknown. Names that
//! are no plain words, or mean two things, are written in backquotes or by number (`#v3`).
//!
//! Invariant: `parse(print(p)) == p` for every program that the verifier accepts.

mod lexer;
mod operators;
mod parse;
mod parse_expr;
mod parse_statement;
mod print;
mod print_statement;

pub use parse::{ParseError, parse};
pub use print::{print, print_function};
pub use print_statement::{expr_text, statement_text};
