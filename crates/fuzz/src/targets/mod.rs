//! The targets' bodies, by what they read.

mod debugger;
mod firmware;
mod program;
mod texts;

pub use debugger::{dap, report};
pub use firmware::{device, dwarf, elf, hex, stabs};
pub use program::{elts, llvm_ir};
pub use texts::{baseline, formula, project, property_file, task};
