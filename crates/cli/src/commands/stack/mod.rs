//! `kripke stack`: how deep the stack of a firmware can get, and on which path.
//!
//! Idea: `kripke_avr::stack` computes; here addresses become names ([`Names`]) and the result text or JSON.

mod json;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kripke_avr::cfg::{Cfg, function_name};
use kripke_avr::flow::{Given, Resolution, Start};
use kripke_avr::image::{Space, SymbolKind};
use kripke_avr::stack::{Cause, Depth, Options, depth};
use kripke_report::Style;

use crate::arguments::StackArguments;
use crate::watchdog::Watchdog;
use crate::{firmware, output};
use kripke_check::Failure;
use kripke_check::firmware::Firmware;
use kripke_check::hint;

/// What is to be shown.
struct Outcome<'a> {
    firmware: &'a Firmware,
    cfg: &'a Cfg,
    depth: &'a Depth,
    /// What the depth rests on.
    assumptions: Vec<String>,
}

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Fits,
    DoesNotFit,
    Unknown,
}

impl Answer {
    fn exit_code(self) -> u8 {
        match self {
            Self::Fits => 0,
            Self::DoesNotFit => 1,
            Self::Unknown => 2,
        }
    }
}

/// Prints the depth.
pub fn stack(arguments: &StackArguments, style: Style) -> Result<u8, Failure> {
    if let Some(path) = &arguments.json {
        output::check_directory(path)?;
    }
    let _watchdog = Watchdog::start(&arguments.limits.starting_now(Arc::default()));
    let firmware = firmware::load(&arguments.file, &arguments.device)?;
    firmware.refuse_boot_section()?;
    let given = Given {
        never: never(arguments, &firmware)?,
        pointers: pointers(arguments, &firmware)?,
    };
    let cfg = Cfg::given(&firmware.image, &firmware.device, &given);
    let options = Options {
        nesting: arguments.nesting.map(u32::from),
        never: given.never,
        recursion: recursion(arguments, &firmware, &cfg)?,
    };
    let depth = depth(&cfg.flow, &firmware.image, &firmware.device, &options)
        .map_err(|error| Failure::input(format!("--recursion: {error}")))?;
    let shown = Outcome {
        assumptions: assumptions(arguments, &firmware, &cfg, &depth),
        firmware: &firmware,
        cfg: &cfg,
        depth: &depth,
    };
    let is_json_printed = arguments
        .json
        .as_ref()
        .is_some_and(|path| path.as_os_str() == "-");
    if let Some(path) = &arguments.json {
        output::write_file(path, &json::render(&shown)?)?;
    }
    if !is_json_printed {
        output::print(&text::render(&shown, arguments.functions, style))?;
    }
    Ok(shown.answer().exit_code())
}

/// The interrupts that never come.
fn never(arguments: &StackArguments, firmware: &Firmware) -> Result<BTreeSet<usize>, Failure> {
    let vectors = &firmware.device.vectors;
    let index = |name: &String| {
        let found = vectors.iter().position(|vector| vector.name == *name);
        found.ok_or_else(|| {
            let hint = hint(name, vectors.iter().map(|vector| vector.name.as_str()));
            Failure::input(format!(
                "--never: {} has no interrupt '{name}'{hint}",
                firmware.device.name
            ))
        })
    };
    arguments.never.iter().map(index).collect()
}

/// The limits of recursion by the functions' entries.
fn recursion(
    arguments: &StackArguments,
    firmware: &Firmware,
    cfg: &Cfg,
) -> Result<BTreeMap<u32, u32>, Failure> {
    let mut limits = BTreeMap::new();
    for (name, limit) in &arguments.recursion {
        for entry in entries(name, firmware, cfg)? {
            limits.insert(entry, *limit);
        }
    }
    Ok(limits)
}

/// Where pointers lead, by the entry of the function that calls them.
fn pointers(
    arguments: &StackArguments,
    firmware: &Firmware,
) -> Result<BTreeMap<u32, BTreeSet<u32>>, Failure> {
    let mut pointers: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for (function, targets) in &arguments.calls {
        let mut entries = BTreeSet::new();
        for target in targets {
            entries.extend(named("--calls", target, firmware)?);
        }
        for function in named("--calls", function, firmware)? {
            pointers.entry(function).or_default().extend(&entries);
        }
    }
    Ok(pointers)
}

/// Where the functions of that name begin.
fn named(option: &str, name: &str, firmware: &Firmware) -> Result<Vec<u32>, Failure> {
    let symbols = || {
        firmware
            .image
            .symbols
            .iter()
            .filter(|symbol| symbol.space == Space::Flash && symbol.kind == SymbolKind::Function)
    };
    let found: Vec<u32> = symbols()
        .filter(|symbol| symbol.name == name)
        .map(|symbol| symbol.address / 2)
        .collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let hint = hint(name, symbols().map(|symbol| symbol.name.as_str()));
    Err(Failure::input(format!(
        "{option}: there is no function '{name}'{hint}"
    )))
}

/// Where the functions of that name begin that are called.
fn entries(name: &str, firmware: &Firmware, cfg: &Cfg) -> Result<Vec<u32>, Failure> {
    let mut called = named("--recursion", name, firmware)?;
    called.retain(|entry| cfg.flow.activations.contains_key(entry));
    match called.is_empty() {
        false => Ok(called),
        true => Err(Failure::input(format!(
            "--recursion: nothing calls '{name}' (a function that is only jumped to is part of its caller)"
        ))),
    }
}

/// A path as seen from the current folder, if it is below it.
pub fn from_here(file: &str) -> &str {
    let Ok(here) = std::env::current_dir() else {
        return file;
    };
    let below = std::path::Path::new(file).strip_prefix(here).ok();
    below.and_then(std::path::Path::to_str).unwrap_or(file)
}

fn assumptions(arguments: &StackArguments, firmware: &Firmware, cfg: &Cfg, depth: &Depth) -> Vec<String> {
    let mut all = vec![
        "stores through pointers change neither registers, saved or not, nor return addresses".to_owned(),
    ];
    let flow = &cfg.flow;
    if flow
        .indirect
        .values()
        .any(|jump| jump.resolution == Resolution::AddressTaken)
    {
        all.push("pointers to functions lead to functions whose address is in the image".to_owned());
    }
    if !flow.trusted.is_empty() {
        let name = |entry: &u32| function_name(*entry, flow, &firmware.image, &firmware.device);
        let names: Vec<String> = flow.trusted.iter().map(name).collect();
        all.push(format!(
            "register r1 is 0 again when these functions return: {}",
            names.join(", ")
        ));
    }
    all.extend(arguments.never.iter().map(|name| format!("{name} never comes")));
    if let Some(limit) = arguments.nesting {
        all.push(format!(
            "no more than {limit} interrupt handlers are active at once"
        ));
    }
    let calls = arguments.calls.iter();
    all.extend(calls.map(|(function, targets)| {
        format!(
            "pointers that {function} calls lead to {} only",
            targets.join(", ")
        )
    }));
    let limits = arguments.recursion.iter();
    all.extend(
        limits.map(|(name, limit)| format!("no more than {limit} calls of {name} are active at once")),
    );
    if let Some(at) = flow.self_programming.first() {
        all.push(format!(
            "the program does not change its own code in a way that matters (SPM at {})",
            firmware.code_name(*at)
        ));
    }
    let allocates = |entry: &u32| {
        matches!(
            function_name(*entry, flow, &firmware.image, &firmware.device).as_str(),
            "malloc" | "realloc" | "calloc"
        )
    };
    if depth.reached.iter().any(allocates) {
        all.push("the heap of malloc stays clear of the stack: it is not counted here".to_owned());
    }
    if !depth.knows_data {
        all.push("where static data end is not known (--data-end ADDRESS says it)".to_owned());
    }
    all
}

impl Outcome<'_> {
    fn answer(&self) -> Answer {
        match (self.depth.fits(), self.depth.causes.is_empty()) {
            (false, _) => Answer::DoesNotFit,
            (true, true) if self.depth.knows_data => Answer::Fits,
            (true, _) => Answer::Unknown,
        }
    }

    /// A function's name; that of the handler for a vector.
    fn name(&self, entry: u32) -> String {
        let activation = self.cfg.flow.activations.get(&entry);
        if let Some(Start::Interrupt(index)) = activation.map(|activation| activation.start) {
            let vector = &self.firmware.device.vectors[index].name;
            return match self.handler(entry) {
                Some(name) => format!("{name} ({vector})"),
                None => format!("handler of {vector}"),
            };
        }
        function_name(entry, &self.cfg.flow, &self.firmware.image, &self.firmware.device)
    }

    /// The name of the function that a vector jumps to.
    fn handler(&self, vector: u32) -> Option<String> {
        let (to, _) = self.cfg.nodes.get(&vector)?.successors.first()?;
        let symbol = self.firmware.image.function_at(to * 2)?;
        Some(symbol.name.clone())
    }

    /// Source line if there is one, else address and symbol.
    fn place(&self, at: u32) -> String {
        let place = self.firmware.place(at);
        match place.line {
            // Lines reach up to the next one, also over start-up code behind a function.
            _ if place.function.is_empty() => self.firmware.code_name(at),
            0 => self.firmware.code_name(at),
            line => format!("{}:{line}", from_here(&place.file)),
        }
    }

    /// The function that an instruction is in, where it has been jumped to from the activation's own.
    fn jumped_to(&self, entry: u32, at: u32) -> Option<String> {
        let own = match self.cfg.flow.activations.get(&entry)?.start {
            Start::Interrupt(_) => self.cfg.nodes.get(&entry)?.successors.first()?.0,
            Start::Reset => return None,
            Start::Call => entry,
        };
        let inside = self.cfg.function_of(at)?;
        (inside.entry != self.cfg.function_of(own)?.entry).then(|| inside.name.clone())
    }

    fn cause(&self, cause: &Cause) -> String {
        use kripke_avr::flow::IssueKind;
        let names = |entries: &[u32], between: &str| {
            let names: Vec<String> = entries.iter().map(|entry| self.name(*entry)).collect();
            names.join(between)
        };
        match cause {
            Cause::Recursion { functions } => {
                let first = functions
                    .first()
                    .map(|entry| self.name(*entry))
                    .unwrap_or_default();
                format!(
                    "recursion: {}; limit it with --recursion {first}=N",
                    match &functions[..] {
                        [only] => format!("{} calls itself", self.name(*only)),
                        several => format!("{} call each other", names(several, ", ")),
                    }
                )
            }
            Cause::Nesting { handlers } => format!(
                "nested interrupts: {} enables interrupts and can be interrupted by any of them, itself too; \
                 limit it with --nesting N",
                names(handlers, ", ")
            ),
            Cause::OutsideMemory { at } => format!(
                "the stack is used before the stack pointer is set, at {}",
                self.place(*at)
            ),
            Cause::Issue { entry, issue } => {
                let inside = self
                    .jumped_to(*entry, issue.at)
                    .unwrap_or_else(|| self.name(*entry));
                let what = match issue.kind {
                    IssueKind::UnknownStackPointer if inside == "longjmp" => {
                        "the stack pointer is set to what setjmp has stored"
                    }
                    IssueKind::UnknownStackPointer => {
                        "the stack pointer is not known (alloca, an array of variable length, or assembly \
                         code)"
                    }
                    IssueKind::GrowingStack => "a loop pushes more than it pops",
                    IssueKind::StrayReturn => "a return takes what is not the return address",
                    IssueKind::UnresolvedTarget => "a pointer to a function that leads anywhere",
                    IssueKind::Undefined => "a word that is no instruction",
                    IssueKind::OutsideProgram => "control leaves the program",
                    IssueKind::TornStackPointer => {
                        "the stack pointer is written in two steps, and an interrupt can come between them"
                    }
                };
                format!("{inside}: {what}, at {}", self.place(issue.at))
            }
        }
    }
}
