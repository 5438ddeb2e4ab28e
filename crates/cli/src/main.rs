//! The `kripke` command.
fn main() {}
