//! Builds the image of a project's firmware where it is missing or older than what it is built from.

use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use crate::output;
use kripke_check::Failure;
use kripke_check::project::ProgramEntry;

/// Runs the build commands in the project's directory, if that is needed.
pub fn build(program: &ProgramEntry, directory: &Path) -> Result<(), Failure> {
    let Some(image) = &program.firmware else {
        return Ok(());
    };
    let image = directory.join(image);
    if program.build.is_empty() || is_current(&image, program, directory) {
        return Ok(());
    }
    for command in &program.build {
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(if directory.as_os_str().is_empty() {
                Path::new(".")
            } else {
                directory
            })
            .output()
            .map_err(|error| Failure::input(format!("program '{}': cannot run sh: {error}", program.name)))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let hint = match output.status.code() {
                Some(127) => {
                    "\nthe command was not found; on Debian, avr-gcc is in the packages gcc-avr and avr-libc"
                }
                _ => "",
            };
            return Err(Failure::input(format!(
                "program '{}': `{command}` failed ({}):\n{}{hint}",
                program.name,
                output.status,
                said.trim_end()
            )));
        }
        if !said.trim().is_empty() {
            output::note(said.trim_end());
        }
    }
    Ok(())
}

/// Whether the image is newer than all that it is built from.
fn is_current(image: &Path, program: &ProgramEntry, directory: &Path) -> bool {
    let modified = |path: &Path| -> Option<SystemTime> { path.metadata().ok()?.modified().ok() };
    let Some(built) = modified(image) else {
        return false;
    };
    !program.inputs.is_empty()
        && program
            .inputs
            .iter()
            .all(|input| modified(&directory.join(input)).is_some_and(|changed| changed < built))
}
