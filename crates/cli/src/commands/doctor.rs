//! `kripke doctor`: which programs are found that Kripke uses, and what to install for what.
//!
//! Idea: each is run once, as a check would run it: one that is there and does not start is no help. Only
//! clang is needed; for all else the line says what it is for.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use kripke_avr::device::Device;
use kripke_check::Failure;
use kripke_llvm::clang::Clang;

use crate::first_use_arguments::DoctorArguments;
use crate::output;

/// The exit code where something is missing without which nothing can be checked.
const INCOMPLETE: u8 = 1;

/// A program that Kripke can use.
struct Tool {
    name: &'static str,
    arguments: &'static [&'static str],
    /// Written to its standard input.
    input: &'static str,
    purpose: &'static str,
    /// Debian's package.
    package: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "avr-gcc",
        arguments: &["--version"],
        input: "",
        purpose: "builds firmware for AVR microcontrollers",
        package: "gcc-avr",
    },
    Tool {
        name: "avr-libc",
        arguments: &["-mmcu=atmega16", "-E", "-P", "-x", "c", "-"],
        input: "#include <avr/io.h>\n#include <avr/version.h>\n__AVR_LIBC_VERSION_STRING__\n",
        purpose: "the C library of AVR microcontrollers, also for checks with --target avr",
        package: "avr-libc",
    },
    Tool {
        name: "gcc",
        arguments: &["--version"],
        input: "",
        purpose: "builds programs with the harness of a counterexample (--harness)",
        package: "gcc",
    },
    Tool {
        name: "z3",
        arguments: &["--version"],
        input: "",
        purpose: "another solver: --solver z3, --cross-check z3, certificates",
        package: "z3",
    },
    Tool {
        name: "cvc5",
        arguments: &["--version"],
        input: "",
        purpose: "another solver: --solver cvc5, --cross-check cvc5, certificates",
        package: "cvc5",
    },
    Tool {
        name: "dot",
        arguments: &["-V"],
        input: "",
        purpose: "draws what --dot and --evidence write",
        package: "graphviz",
    },
];

/// Prints what is there and what is not.
pub fn doctor(arguments: &DoctorArguments) -> Result<u8, Failure> {
    let mut out = format!("kripke {}\n\n", env!("CARGO_PKG_VERSION"));
    let clang = clang(arguments.clang.as_deref());
    let is_complete = clang.is_ok();
    match clang {
        Ok((path, version)) => line(&mut out, "found", "clang", &format!("{version} ({path})")),
        Err(message) => line(&mut out, "MISSING", "clang", &message),
    }
    let solver = "built in; it needs nothing";
    line(&mut out, "found", "bitwuzla", solver);
    for tool in TOOLS {
        match version(tool) {
            Some(version) => line(&mut out, "found", tool.name, &version),
            None => {
                let Tool { purpose, package, .. } = tool;
                line(
                    &mut out,
                    "-",
                    tool.name,
                    &format!("{purpose} (on Debian: apt install {package})"),
                );
            }
        }
    }
    let devices: Vec<&str> = Device::built_in_names().collect();
    line(
        &mut out,
        "found",
        "devices",
        &format!("{}; others with --device FILE", devices.join(", ")),
    );
    out.push_str(match is_complete {
        true => "\nEverything is there that a check needs. Lines with - are for more.\n",
        false => "\nC programs cannot be checked without clang; firmware (ELF, HEX) can.\n",
    });
    output::print(&out)?;
    Ok(if is_complete { 0 } else { INCOMPLETE })
}

fn line(out: &mut String, state: &str, name: &str, text: &str) {
    let _ = writeln!(out, "{state:<8} {name:<9} {text}");
}

/// Clang's path and version, if it compiles a program with a header of the C library.
fn clang(named: Option<&Path>) -> Result<(String, String), String> {
    let clang = Clang::find(named).map_err(|error| error.to_string())?;
    let path = clang.path().display().to_string();
    let version = said(&path, &["--version"], "").ok_or_else(|| format!("{path} does not run"))?;
    let arguments = ["-x", "c", "-fsyntax-only", "-"];
    match said(
        &path,
        &arguments,
        "#include <stdlib.h>\n#include <assert.h>\nint main(void) { return 0; }\n",
    ) {
        Some(_) => Ok((path, first_line(&version))),
        None => Err(format!(
            "{path} finds no headers of the C library (on Debian: apt install libc6-dev)"
        )),
    }
}

fn version(tool: &Tool) -> Option<String> {
    let program = match tool.name {
        "avr-libc" => "avr-gcc",
        name => name,
    };
    let text = said(program, tool.arguments, tool.input)?;
    Some(match tool.name {
        "avr-libc" => text
            .lines()
            .last()
            .unwrap_or_default()
            .trim_matches('"')
            .to_owned(),
        _ => first_line(&text),
    })
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

/// What a program says, if it can be run and succeeds.
fn said(program: &str, arguments: &[&str], input: &str) -> Option<String> {
    use std::io::Write;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    // One that does not read its input has answered without it.
    let _ = child.stdin.take()?.write_all(input.as_bytes());
    let output = child.wait_with_output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&text).into_owned())
}
