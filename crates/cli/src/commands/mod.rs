//! One module per subcommand.

pub mod analyze;
pub mod cfg;
pub mod check;
pub mod devices;
pub mod disasm;
pub mod elts;
pub mod ltl;
pub mod project;
pub mod run;
pub mod stack;
