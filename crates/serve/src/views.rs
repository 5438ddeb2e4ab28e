//! Disassembly, graphs and the stack of a program, as other commands of the same binary say them.
//!
//! Idea: what `kripke disasm`, `cfg`, `states`, `elts` and `stack` print is what the page draws, so that it
//! shows nothing that cannot be had on the command line. They are processes of their own with limits.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use kripke_check::VectorPlace;
use kripke_check::project::ProgramEntry;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::project::Opened;
use crate::refused::Refused;

/// No view takes longer.
const LIMIT: Duration = Duration::from_secs(30);
/// States that a drawing has at the most.
const STATES: &str = "400";

/// A command about a program.
pub struct View<'a> {
    /// The `kripke` that says it.
    pub binary: &'a Path,
    /// The project.
    pub opened: &'a Opened,
    /// The program.
    pub program: &'a ProgramEntry,
}

impl View<'_> {
    /// The words that name the program.
    fn words(&self) -> Vec<OsString> {
        let program = self.program;
        let full = |path: &Path| self.opened.root.join(path).into_os_string();
        let mut words: Vec<OsString> = Vec::new();
        let mut option = |name: &str, value: &dyn AsRef<std::ffi::OsStr>| {
            let mut word = OsString::from(format!("--{name}="));
            word.push(value);
            words.push(word);
        };
        if let Some(image) = &program.firmware {
            if let Some(mcu) = &program.mcu {
                option("mcu", mcu);
            }
            if let Some(address) = program.reset_address {
                option("reset-address", &address.to_string());
            }
            if program.vectors == Some(VectorPlace::Boot) {
                option("vectors", &"boot");
            }
            words.push(full(image));
            return words;
        }
        for (name, value) in [
            ("std", &program.std),
            ("target", &program.target),
            ("entry", &program.entry),
        ] {
            if let Some(value) = value {
                option(name, value);
            }
        }
        if let Some(sysroot) = &program.sysroot {
            option("sysroot", &full(sysroot));
        }
        for directory in &program.include {
            words.extend(["-I".into(), full(directory)]);
        }
        for define in &program.define {
            words.extend(["-D".into(), define.into()]);
        }
        words.extend(program.sources.iter().map(|source| full(source)));
        if !program.flags.is_empty() {
            words.push("--".into());
            words.extend(program.flags.iter().map(OsString::from));
        }
        words
    }

    /// What a command prints about the program. `codes` are exit codes that are no failure, unless nothing is
    /// printed.
    async fn said(&self, command: &str, options: &[&str], codes: &[i32]) -> Result<String, Refused> {
        let mut process = Command::new(self.binary);
        process.arg(command).args(options).args(self.words());
        process
            .current_dir(&self.opened.root)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let output = tokio::time::timeout(LIMIT, process.output()).await;
        let output = output.map_err(|_| Refused::bad("this takes too long to be shown"))?;
        let output = output.map_err(|error| Refused::failed(format!("kripke {command}: {error}")))?;
        match output.status.code() {
            Some(code) if codes.contains(&code) && !output.stdout.is_empty() => {
                Ok(String::from_utf8_lossy(&output.stdout).into_owned())
            }
            _ => {
                let said = String::from_utf8_lossy(&output.stderr);
                Err(Refused::bad(format!("kripke {command}: {}", said.trim())))
            }
        }
    }

    fn is_firmware(&self) -> Result<(), Refused> {
        match self.program.firmware {
            Some(_) => Ok(()),
            None => Err(Refused::bad("this is for firmware")),
        }
    }

    /// The words with which the program is simulated.
    pub fn simulated(&self) -> Vec<OsString> {
        let mut words = self.handlers();
        let checks = self
            .program
            .check
            .iter()
            .map(|checks| format!("--check={checks}"));
        words.extend(checks);
        words
            .into_iter()
            .map(OsString::from)
            .chain(self.words())
            .collect()
    }

    /// The words that name the handlers of a C program.
    fn handlers(&self) -> Vec<String> {
        let program = self.program;
        let mut words = Vec::new();
        for entry in &program.interrupts {
            let name = &entry.handler;
            let priority = entry.priority.unwrap_or(1);
            let number = entry.number.map(|number| format!(":{number}"));
            words.push(format!(
                "--interrupt={name}:{priority}{}",
                number.unwrap_or_default()
            ));
            let priority = entry.register_priority;
            words.extend(priority.map(|value| format!("--interrupt-register-priority={name}={value}")));
            let function = entry.once_per.iter();
            words.extend(function.map(|function| format!("--interrupt-once-per={name}={function}")));
            let condition = entry.enabled.iter();
            words.extend(condition.map(|condition| format!("--interrupt-if={name}={condition}")));
        }
        words.extend(program.find_interrupts.then(|| "--interrupts".to_owned()));
        let bound = program.interrupt_bound;
        words.extend(bound.map(|bound| format!("--interrupt-bound={bound}")));
        let bits = program.interrupt_priority_bits;
        words.extend(bits.map(|bits| format!("--interrupt-priority-bits={bits}")));
        let enabling = program.interrupt_enable.iter();
        words.extend(enabling.map(|function| format!("--interrupt-enable={function}")));
        let disabling = program.interrupt_disable.iter();
        words.extend(disabling.map(|function| format!("--interrupt-disable={function}")));
        words
    }

    /// The machine code, a row for each instruction.
    pub async fn disassembly(&self) -> Result<Value, Refused> {
        self.is_firmware()?;
        let text = self.said("disasm", &[], &[0]).await?;
        Ok(json!(rows(&text, &|file| self.opened.shown(file))))
    }

    /// A graph for Graphviz: `cfg` of firmware, `states` of firmware, `elts` of a C program.
    pub async fn graph(&self, what: &str, watch: Option<&str>) -> Result<String, Refused> {
        match what {
            "cfg" if self.program.firmware.is_some() => self.said("cfg", &["--dot"], &[0, 2]).await,
            "cfg" => self.said("elts", &["--dot"], &[0]).await,
            "states" => {
                self.is_firmware()?;
                let constraints = &self.program.environment.constraints;
                let mut options: Vec<String> = constraints
                    .iter()
                    .map(|text| format!("--constraint={text}"))
                    .collect();
                options.extend(
                    self.program
                        .environment
                        .never
                        .iter()
                        .map(|name| format!("--never={name}")),
                );
                options.extend(watch.map(|text| format!("--watch={text}")));
                options.push(format!("--max-states={STATES}"));
                let mut all = vec!["--dot"];
                all.extend(options.iter().map(String::as_str));
                self.said("states", &all, &[0, 2]).await
            }
            _ => Err(Refused::missing("there is no such graph")),
        }
    }

    /// How deep the stack gets, and on which path.
    pub async fn stack(&self) -> Result<Value, Refused> {
        self.is_firmware()?;
        let text = self
            .said("stack", &["--json", "-", "--functions"], &[0, 1, 2])
            .await?;
        serde_json::from_str(&text).map_err(|error| Refused::failed(format!("kripke stack: {error}")))
    }
}

/// Reads a listing: address, bytes, instruction, remark, labels before it, file and line.
fn rows(text: &str, shown: &dyn Fn(&str) -> String) -> Vec<Value> {
    let mut rows = Vec::new();
    let (mut labels, mut file, mut number): (Vec<&str>, String, u32) = (Vec::new(), String::new(), 0);
    for line in text.lines() {
        if let Some(place) = line.strip_prefix("; ") {
            if let Some((path, line)) = place.rsplit_once(':') {
                file = shown(path);
                number = line.parse().unwrap_or(0);
            }
            continue;
        }
        if let Some(label) = line.strip_suffix(':').filter(|label| !label.starts_with(' ')) {
            labels.push(label);
            continue;
        }
        let Some((address, rest)) = line.trim_start().split_once(":  ") else {
            continue;
        };
        let Ok(address) = u32::from_str_radix(address, 16) else {
            continue;
        };
        // Bytes have a column of twelve characters.
        let (bytes, rest) = rest.split_at_checked(12).unwrap_or((rest, ""));
        let (code, remark) = rest.trim().split_once("  ; ").unwrap_or((rest.trim(), ""));
        let labels: Vec<&str> = std::mem::take(&mut labels);
        rows.push(json!([address, bytes.trim(), code, remark, labels, file, number]));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_are_read() {
        let text = "
main:
; /p/a.c:12
    ac:  81 e0        ldi r24, 0x01
    b0:  0e 94 56 00  call 0xac  ; main
";
        let rows = rows(text, &|file| file.replace("/p/", ""));
        assert_eq!(
            rows,
            [
                json!([0xac, "81 e0", "ldi r24, 0x01", "", ["main"], "a.c", 12]),
                json!([0xb0, "0e 94 56 00", "call 0xac", "main", [], "a.c", 12]),
            ]
        );
    }
}
