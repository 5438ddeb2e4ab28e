//! `kripke man`: manual pages, made from the definition of the command line, so that they cannot say anything
//! else than `--help`.

use std::io;

use clap::Command;
use clap_mangen::Man;
use kripke_check::Failure;

use crate::first_use_arguments::ManArguments;
use crate::output;

/// Writes a page for each command, or prints the one of kripke itself.
pub fn man(arguments: &ManArguments, command: &Command) -> Result<u8, Failure> {
    let Some(directory) = &arguments.directory else {
        output::print(&page(command).map_err(|error| Failure::Internal(error.to_string()))?)?;
        return Ok(0);
    };
    let failed = |error: io::Error| {
        Failure::input(format!(
            "cannot write manual pages to {}: {error}",
            directory.display()
        ))
    };
    std::fs::create_dir_all(directory).map_err(failed)?;
    clap_mangen::generate_to(command.clone(), directory).map_err(failed)?;
    Ok(0)
}

fn page(command: &Command) -> io::Result<String> {
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
