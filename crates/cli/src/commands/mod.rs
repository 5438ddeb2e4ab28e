//! One module per subcommand.

pub mod analyze;
pub mod cfg;
pub mod check;
pub mod dap;
pub mod devices;
pub mod disasm;
pub mod doctor;
pub mod elts;
pub mod explain;
pub mod init;
pub mod lsp;
pub mod ltl;
pub mod man;
pub mod project;
pub mod run;
pub mod serve;
pub mod simulate;
pub mod stack;
