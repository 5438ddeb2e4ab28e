//! `kripke elts`: the program model, as text.

use crate::arguments::EltsArguments;
use crate::failure::Failure;
use crate::loading::{self, Loaded};
use crate::output;

/// Prints the model.
pub fn elts(arguments: &EltsArguments) -> Result<u8, Failure> {
    let checks = loading::checks(&arguments.properties)?;
    let Loaded { program, .. } = loading::load(&arguments.source, &checks)?;
    let text = kripke_elts::text::print(&program);
    match &arguments.output {
        Some(path) => output::write_file(path, &text)?,
        None => output::print(&text)?,
    }
    Ok(0)
}
