//! `kripke explain`: what a finding means, and what to do about it.

use kripke_check::{Failure, hint};
use kripke_report::explain::{all, find, list};

use crate::first_use_arguments::ExplainArguments;
use crate::output;

/// Prints one explanation, or the list of all.
pub fn explain(arguments: &ExplainArguments) -> Result<u8, Failure> {
    let Some(name) = &arguments.name else {
        output::print(&list())?;
        return Ok(0);
    };
    match find(&name.to_lowercase()) {
        Some(explanation) => output::print(&explanation.text())?,
        None => {
            let hint = hint(name, all().map(|explanation| explanation.name));
            return Err(Failure::input(format!(
                "there is nothing to explain of the name '{name}'{hint}; `kripke explain` lists all"
            )));
        }
    }
    Ok(0)
}
