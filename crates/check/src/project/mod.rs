//! `kripke.toml`: the programs of a project, their properties and the verdicts expected of them.
//!
//! Idea: everything in the file could be said on the command line; the file keeps it, so that `kripke check`
//! without arguments runs all of it the same way each time. Unknown keys are errors: a misspelled one would
//! silently check less.

mod comparison;
mod job;
mod plan;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kripke_limits::Store;
use kripke_model::Verdict;
use serde::{Deserialize, Serialize, Serializer};

use crate::failure::Failure;
use crate::job::Fairness;
use crate::units::{TimeLimit, parse_store, parse_time};

pub use comparison::{Comparison, Expectations, Row};
pub use job::Defaults;
pub use plan::{Run, runs};

/// The name of the file.
pub const FILE_NAME: &str = "kripke.toml";

/// A project file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// Its programs.
    #[serde(default, rename = "program")]
    pub programs: Vec<ProgramEntry>,
    /// The directory of the file; its paths are relative to it.
    #[serde(skip)]
    pub directory: PathBuf,
}

/// A program: C sources and how they are compiled, or a firmware image.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProgramEntry {
    /// What it is called.
    pub name: String,
    /// Its sources.
    pub sources: Vec<PathBuf>,
    /// Directories of the include path.
    pub include: Vec<PathBuf>,
    /// Macros.
    pub define: Vec<String>,
    /// The language standard.
    pub std: Option<String>,
    /// The machine it is for.
    pub target: Option<String>,
    /// Where its C library is.
    pub sysroot: Option<PathBuf>,
    /// Anything else for clang.
    pub flags: Vec<String>,
    /// The function to start from.
    pub entry: Option<String>,
    /// The functions whose calls are replaced by their contracts, as `--replace-calls`.
    pub replace_calls: Vec<String>,
    /// The handlers that interrupt it.
    #[serde(rename = "interrupt")]
    pub interrupts: Vec<InterruptEntry>,
    /// The handlers that its sources contain interrupt it, as `--interrupts`.
    #[serde(rename = "interrupts")]
    pub find_interrupts: bool,
    /// How often each of them may come, as `--interrupt-bound`.
    pub interrupt_bound: Option<u32>,
    /// How many bits of priorities the device keeps, as `--interrupt-priority-bits`.
    pub interrupt_priority_bits: Option<u32>,
    /// The functions that enable interrupts, as `--interrupt-enable`.
    pub interrupt_enable: Vec<String>,
    /// The functions that disable them, as `--interrupt-disable`.
    pub interrupt_disable: Vec<String>,
    /// Which infinite runs of threads, or of a firmware's hardware, count, as `--fair`.
    pub fair: Option<Fairness>,
    /// Where the invariants of a firmware are judged, as `--at`.
    pub at: Option<At>,
    /// How many arguments `main` gets, and of how many characters, as `--arguments` and `--argument-length`.
    pub arguments: Option<u32>,
    /// The characters of each.
    pub argument_length: Option<u32>,
    /// How often threads are switched, as `--context-bound`.
    pub context_bound: Option<u32>,
    /// The functions that are checked by themselves: `all`, or a pattern for their names.
    pub functions: Option<String>,
    /// Kinds of safety properties, as `--check`.
    pub check: Option<String>,
    /// The verdict expected of them all together.
    pub expected: Option<VerdictName>,
    /// Each loop is followed up to so many times.
    pub unwind: Option<u32>,
    /// Bounds of single loops, as `LOOP=N`.
    pub unwindset: Vec<String>,
    /// When to give up.
    pub timeout: Option<TimeText>,
    /// The image, instead of sources.
    pub firmware: Option<PathBuf>,
    /// The microcontroller, where the image does not tell it.
    pub mcu: Option<String>,
    /// The byte address where runs begin, as `--reset-address`.
    pub reset_address: Option<u32>,
    /// Where the interrupt vectors are, as `--vectors`.
    pub vectors: Option<crate::job::VectorPlace>,
    /// Shell commands that build the image.
    pub build: Vec<String>,
    /// What the image is built from.
    pub inputs: Vec<PathBuf>,
    /// What the world around the firmware does not do.
    pub environment: Environment,
    /// Where the states of the firmware are kept, as `--store`.
    pub store: Option<StoreText>,
    /// What it is to satisfy.
    #[serde(rename = "property")]
    pub properties: Vec<PropertyEntry>,
}

/// A handler of interrupts, as `--interrupt`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterruptEntry {
    /// The function.
    pub handler: String,
    /// Its priority, 1 unless given.
    pub priority: Option<u32>,
    /// The number that enables and disables it.
    pub number: Option<i64>,
    /// Its priority in the registers at the start, as `--interrupt-register-priority`.
    pub register_priority: Option<u8>,
    /// It comes at most once between two calls of this function, as `--interrupt-once-per`.
    pub once_per: Option<String>,
    /// It comes only while this expression is true, as `--interrupt-if`.
    pub enabled: Option<String>,
}

/// What the world around a firmware does not do.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Environment {
    /// Expressions that inputs always satisfy.
    pub constraints: Vec<String>,
    /// Interrupts that never come.
    pub never: Vec<String>,
    /// Handlers that are active at once, at the most.
    pub nesting: Option<u8>,
}

/// A property and the verdict expected of it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PropertyEntry {
    /// What it is called.
    pub name: String,
    /// A formula of linear time.
    pub ltl: Option<String>,
    /// A formula of branching time.
    pub ctl: Option<String>,
    /// True in every reachable state.
    pub invariant: Option<String>,
    /// A safety property of the program, by its id.
    pub id: Option<String>,
    /// The verdict expected of it.
    pub expected: Option<VerdictName>,
    /// The four-valued verdict per bound.
    pub expected_at: BTreeMap<String, VerdictName>,
    /// Which infinite runs of a firmware count for it, where it is not what the program says.
    pub fair: Option<Fairness>,
    /// Where it is judged, if it is an invariant of a firmware.
    pub at: Option<At>,
    /// The property is checked on the program compiled with these too.
    pub define: Vec<String>,
    /// The bound of its loops, where it is not the program's.
    pub unwind: Option<u32>,
}

/// Where invariants of a firmware are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum At {
    /// Between any two instructions.
    Instructions,
    /// Where statements begin.
    Statements,
}

/// A verdict by its name, as `kripke.toml` spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictName {
    /// All runs satisfy it.
    Holds,
    /// Some run does not.
    Violated,
    /// No evidence against it within the bound.
    #[serde(alias = "presumably holds")]
    PresumablyHolds,
    /// A trace that was cut does not satisfy it yet.
    #[serde(alias = "presumably violated")]
    PresumablyViolated,
    /// No answer.
    Unknown,
}

impl VerdictName {
    /// The name of a verdict.
    #[must_use]
    pub fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Holds { .. } => VerdictName::Holds,
            Verdict::Violated { .. } => VerdictName::Violated,
            Verdict::PresumablyHolds { .. } => VerdictName::PresumablyHolds,
            Verdict::PresumablyViolated { .. } => VerdictName::PresumablyViolated,
            Verdict::Unknown { .. } => VerdictName::Unknown,
        }
    }

    /// As reports say it.
    pub fn text(self) -> &'static str {
        match self {
            VerdictName::Holds => "holds",
            VerdictName::Violated => "violated",
            VerdictName::PresumablyHolds => "presumably holds",
            VerdictName::PresumablyViolated => "presumably violated",
            VerdictName::Unknown => "unknown",
        }
    }
}

impl Serialize for VerdictName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

/// A time limit as on the command line.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeText(pub TimeLimit);

impl TryFrom<String> for TimeText {
    type Error = String;

    fn try_from(text: String) -> Result<TimeText, String> {
        parse_time(&text).map(TimeText)
    }
}

/// A store of states as on the command line.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct StoreText(pub Store);

impl TryFrom<String> for StoreText {
    type Error = String;

    fn try_from(text: String) -> Result<StoreText, String> {
        parse_store(&text).map(StoreText)
    }
}

/// The project file that a command without files means: in this directory or the nearest one above it.
pub fn find() -> Option<PathBuf> {
    let current = std::env::current_dir().ok()?;
    let found = current
        .ancestors()
        .map(|directory| directory.join(FILE_NAME))
        .find(|path| path.is_file())?;
    // Shown as the user would type it.
    match found.strip_prefix(&current) {
        Ok(relative) => Some(relative.to_path_buf()),
        Err(_) => Some(found),
    }
}

/// Reads and validates a project file.
pub fn read(path: &Path) -> Result<Project, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read {}: {error}", path.display())))?;
    let mut project =
        parse(&text).map_err(|message| Failure::input(format!("{}: {message}", path.display())))?;
    project.directory = path.parent().unwrap_or(Path::new("")).to_path_buf();
    Ok(project)
}

/// Reads and validates the text of a project file, whose paths are left as they stand there.
///
/// # Errors
/// What is wrong, and where.
pub fn parse(text: &str) -> Result<Project, String> {
    let project: Project = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_string())?;
    validate(&project)?;
    Ok(project)
}

fn validate(project: &Project) -> Result<(), String> {
    if project.programs.is_empty() {
        return Err("there is no [[program]]".to_string());
    }
    for (index, program) in project.programs.iter().enumerate() {
        let name = &program.name;
        if name.is_empty() {
            return Err(format!("program {} has no name", index + 1));
        }
        if project.programs[..index].iter().any(|other| other.name == *name) {
            return Err(format!("two programs are named '{name}'"));
        }
        validate_program(program).map_err(|message| format!("program '{name}': {message}"))?;
    }
    Ok(())
}

fn validate_program(program: &ProgramEntry) -> Result<(), String> {
    if program.sources.is_empty() == program.firmware.is_none() {
        return Err("give either sources or firmware".to_string());
    }
    if program.unwind == Some(0) {
        return Err("an unwind of 0 would follow no loop at all; use 1 or more".to_string());
    }
    if program.firmware.is_some() && (program.find_interrupts || !program.interrupts.is_empty()) {
        return Err("interrupts are named for C sources; a firmware has its own".to_string());
    }
    if program.at.is_some() && program.firmware.is_none() {
        return Err("at is for the invariants of a firmware".to_string());
    }
    if program.functions.is_some() {
        validate_functions(program)?;
    }
    let is_formula = |property: &PropertyEntry| property.id.is_none();
    if !program.replace_calls.is_empty()
        && (program.firmware.is_some() || program.properties.iter().any(is_formula))
    {
        return Err(
            "replace_calls is for the safety properties of C sources; make them a program of their own"
                .to_string(),
        );
    }
    for (index, property) in program.properties.iter().enumerate() {
        let name = &property.name;
        if name.is_empty() {
            return Err(format!("property {} has no name", index + 1));
        }
        if program.properties[..index]
            .iter()
            .any(|other| other.name == *name)
        {
            return Err(format!("two properties are named '{name}'"));
        }
        validate_property(program, property).map_err(|message| format!("property '{name}': {message}"))?;
    }
    Ok(())
}

/// What cannot be said of a program whose functions are checked one by one.
fn validate_functions(program: &ProgramEntry) -> Result<(), String> {
    let given = [
        ("firmware", program.firmware.is_some()),
        ("entry", program.entry.is_some()),
        ("replace_calls", !program.replace_calls.is_empty()),
        ("properties", !program.properties.is_empty()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((key, _)) => Err(format!(
            "functions are checked by themselves, which does not go with {key}; make it a program of its own"
        )),
        None => Ok(()),
    }
}

fn validate_property(program: &ProgramEntry, property: &PropertyEntry) -> Result<(), String> {
    let formulas = [&property.ltl, &property.ctl, &property.invariant, &property.id];
    if formulas.iter().filter(|formula| formula.is_some()).count() != 1 {
        return Err("give exactly one of ltl, ctl, invariant and id".to_string());
    }
    if program.firmware.is_none() && (property.ctl.is_some() || property.invariant.is_some()) {
        return Err(
            "ctl and invariant are for firmware; a C program takes ltl, for an invariant G {...}".to_string(),
        );
    }
    if program.firmware.is_some() && (property.unwind.is_some() || !property.define.is_empty()) {
        return Err("unwind and define are for C programs".to_string());
    }
    if property.fair.is_some() && (program.firmware.is_none() || property.ltl.is_none()) {
        return Err(
            "fair is for the ltl of a firmware; of a C program it is a key of the program".to_string(),
        );
    }
    if property.at.is_some() && (program.firmware.is_none() || property.invariant.is_none()) {
        return Err("at is for the invariants of a firmware".to_string());
    }
    if property.unwind == Some(0) {
        return Err("an unwind of 0 would follow no loop at all; use 1 or more".to_string());
    }
    if property.ltl.is_none() && !property.expected_at.is_empty() {
        return Err("expected_at is for ltl".to_string());
    }
    match property
        .expected_at
        .keys()
        .find(|bound| bound.parse::<u32>().map_or(true, |bound| bound == 0))
    {
        Some(bound) => Err(format!("expected_at: '{bound}' is no bound; write 1, 2, ...")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_error(text: &str, expected: &str) {
        let message = parse(text).expect_err("a mistake");
        assert!(message.contains(expected), "{message}");
    }

    #[test]
    fn conditions_of_a_firmware() {
        let text = "[[program]]\nname = 'p'\nfirmware = 'p.elf'\nfair = 'weak'\n\
                    [[program.property]]\nname = 'a'\nltl = 'F {x}'\n\
                    [[program.property]]\nname = 'b'\ninvariant = '{x}'\nat = 'statements'\n\
                    [[program.property]]\nname = 'c'\nctl = 'EF {x}'\n\
                    [[program.property]]\nname = 'd'\nltl = 'G {x}'\nfair = 'none'\n";
        let project = parse(text).expect("valid");
        let found = runs(&project, &[]).into_iter().map(|run| {
            let names: String = run
                .properties
                .iter()
                .map(|property| property.name.as_str())
                .collect();
            let job = run.job(&project, &Defaults::default()).expect("a job");
            let crate::Subject::Firmware(firmware) = job.subject else {
                panic!("it is a firmware");
            };
            (names, firmware.fair, firmware.statements, run.safety)
        });
        let expected = [
            ("a", true, false, true),
            ("b", false, true, false),
            ("cd", false, false, false),
        ];
        let expected = expected.map(|(names, fair, at, safety)| (names.to_owned(), fair, at, safety));
        assert_eq!(found.collect::<Vec<_>>(), expected);
        check_error(
            &text.replace("ctl = 'EF {x}'", "ctl = 'EF {x}'\nfair = 'weak'"),
            "fair is for the ltl",
        );
        check_error(&text.replace("invariant", "ltl"), "at is for the invariants");
        check_error(
            "[[program]]\nname = 'p'\nsources = ['p.c']\nat = 'statements'\n",
            "at is for",
        );
    }

    #[test]
    fn handlers_of_interrupts() {
        let project = parse(
            "[[program]]\nname = 'p'\nsources = ['p.c']\ninterrupt_enable = ['on', 'unmask(_, n)']\n\
             interrupts = true\n[[program.interrupt]]\nhandler = 'tick'\npriority = 2\nonce_per = 'wait'\n\
             enabled = 'mask & 1'\n",
        )
        .expect("valid");
        let job = runs(&project, &[])[0].job(&project, &Defaults::default());
        let crate::Subject::Program(program) = job.expect("a job").subject else {
            panic!("it is a program");
        };
        let interrupts = &program.sources.interrupts;
        assert_eq!(
            (&*interrupts.handlers[0].name, interrupts.handlers[0].priority),
            ("tick", 2)
        );
        assert_eq!(interrupts.once_per, [("tick".to_owned(), "wait".to_owned())]);
        assert_eq!(
            interrupts.conditions,
            [("tick".to_owned(), "mask & 1".to_owned())]
        );
        let names = interrupts
            .enabling
            .iter()
            .map(|given| (&*given.name, given.number.is_some()));
        assert_eq!(names.collect::<Vec<_>>(), [("on", false), ("unmask", true)]);
        assert!(interrupts.find);
        check_error(
            "[[program]]\nname = 'p'\nfirmware = 'p.elf'\n[[program.interrupt]]\nhandler = 'tick'\n",
            "a firmware has its own",
        );
        check_error(
            "[[program]]\nname = 'p'\nsources = ['p.c']\n[[program.interrupt]]\npriority = 2\n",
            "handler",
        );
    }

    #[test]
    fn reads_programs_and_properties() {
        let project = parse(
            "[[program]]\nname = 'p'\nsources = ['p.c']\ntimeout = '10s'\n\
             [[program.property]]\nname = 'q'\nltl = 'G {x}'\nexpected = 'presumably holds'\n\
             expected_at = { 1 = 'presumably violated', 2 = 'holds' }\n",
        )
        .expect("valid");
        let property = &project.programs[0].properties[0];
        assert_eq!(property.expected, Some(VerdictName::PresumablyHolds));
        assert_eq!(property.expected_at["2"], VerdictName::Holds);
    }

    #[test]
    fn names_every_mistake() {
        check_error("", "there is no [[program]]");
        check_error("[[program]]\nsources = ['p.c']", "program 1 has no name");
        check_error("[[program]]\nname = 'p'", "either sources or firmware");
        check_error(
            "[[program]]\nname = 'p'\nsource = ['p.c']",
            "unknown field `source`",
        );
        check_error(
            "[[program]]\nname = 'p'\nsources = ['p.c']\nunwind = 0",
            "unwind of 0",
        );
        check_error(
            "[[program]]\nname = 'p'\nsources = ['p.c']\ntimeout = 'soon'",
            "expected a time",
        );
        let program = "[[program]]\nname = 'p'\nsources = ['p.c']\n[[program.property]]\nname = 'q'\n";
        check_error(program, "exactly one of ltl");
        check_error(&format!("{program}ctl = 'AG {{x}}'"), "for firmware");
        check_error(
            &format!("{program}ltl = 'G {{x}}'\nexpected = 'true'"),
            "unknown variant `true`",
        );
        check_error(
            &format!("{program}ltl = 'G {{x}}'\nexpected_at = {{ a = 'holds' }}"),
            "is no bound",
        );
        check_error(
            "[[program]]\nname = 'p'\nsources = ['p.c']\nfunctions = 'all'\nentry = 'f'",
            "does not go with entry",
        );
        check_error(
            &format!("{program}id = 'x'\nexpected_at = {{ 1 = 'holds' }}"),
            "for ltl",
        );
        check_error(
            &format!("{program}ltl = '1'\n[[program.property]]\nname = 'q'\nltl = '1'"),
            "two properties",
        );
    }
}
