//! The analyses as text: a summary, or a column for each beside the instructions.

use std::fmt::Write as _;

use kripke_avr::definitions::{Definition, Definitions};
use kripke_avr::disassemble;
use kripke_avr::flow::EdgeKind;
use kripke_avr::live::dead::DeadStore;
use kripke_report::Style;

use super::super::cfg::way;
use super::{Analysis, Show, letters, numbers};

/// Columns are no wider than that.
const WIDEST: usize = 44;

pub fn render(analysis: &Analysis<'_>, style: Style) -> String {
    let mut text = String::new();
    if let Some(why) = analysis.why_incomplete() {
        let _ = writeln!(text, "{}: {why}\n", style.open("everything is taken to be live"));
    }
    if analysis.shown.is_empty() {
        summary(analysis, style, &mut text);
        return text;
    }
    for index in &analysis.chosen {
        function(analysis, *index, style, &mut text);
    }
    text
}

fn summary(analysis: &Analysis<'_>, style: Style, text: &mut String) {
    let cfg = &analysis.cfg;
    let chosen = analysis.chosen.iter();
    let places: Vec<u32> = chosen.flat_map(|index| analysis.places(*index)).collect();
    let open = places
        .iter()
        .filter(|at| analysis.interrupts(**at) != "off")
        .count();
    let mut line = |name: &str, what: &str| {
        let _ = writeln!(text, "{}  {what}", style.strong(&format!("{name:<12}")));
    };
    line("device", &analysis.firmware.device.name);
    line(
        "code",
        &format!(
            "{} functions, {} instructions reached",
            analysis.chosen.len(),
            places.len()
        ),
    );
    let most = places.iter().max_by_key(|at| {
        (
            analysis.liveness.live_registers(**at).count_ones(),
            u32::MAX - **at,
        )
    });
    if let Some(at) = most {
        let count = analysis.liveness.live_registers(*at).count_ones();
        line(
            "live",
            &format!("{count} registers at most, at {}", analysis.place(*at)),
        );
    }
    line(
        "interrupts",
        &format!("can come before {open} of {} instructions", places.len()),
    );
    for (index, word) in &cfg.flow.handlers {
        let vector = &analysis.firmware.device.vectors[*index].name;
        line("", &format!("{vector}: {}", handler(analysis, *word)));
    }
    let within = |at: &u32| places.contains(at);
    let dead: Vec<_> = analysis.dead.iter().filter(|(at, _)| within(at)).collect();
    line("dead stores", &count_of(dead.len()));
    for (at, what) in dead {
        line(
            "",
            &format!("{}: {}", analysis.place(*at), dead_store(analysis, *at, *what)),
        );
    }
    let reserved = analysis.reserved_writes();
    let reserved: Vec<_> = reserved.iter().filter(|write| within(&write.at)).collect();
    line("reserved I/O", &count_of(reserved.len()));
    for write in reserved {
        let what = match write.bits {
            Some(bits) => format!("writes reserved bits {bits:#04x} of {}", write.register),
            None => format!("writes {}, where there is no register", write.register),
        };
        line("", &format!("{}: {what}", analysis.place(write.at)));
    }
    let (functions, parts) = analysis.unreached();
    let unreached = match functions.is_empty() {
        true => "no function".to_owned(),
        false => functions.join(", "),
    };
    line("unreached", &unreached);
    for (from, to) in parts.iter().filter(|(from, _)| belongs(analysis, *from)) {
        line(
            "",
            &format!("{} to {to:#06x}", analysis.firmware.code_name(from / 2)),
        );
    }
}

/// Whether an address lies in a function that is shown.
fn belongs(analysis: &Analysis<'_>, address: u32) -> bool {
    let function = analysis.firmware.image.function_at(address);
    let entry = function.map(|function| function.address / 2);
    let mut shown = analysis.chosen.iter();
    shown.any(|index| Some(analysis.cfg.functions[*index].entry) == entry)
}

fn count_of(count: usize) -> String {
    match count {
        0 => "none".to_owned(),
        count => count.to_string(),
    }
}

/// What a handler does with what it interrupts.
fn handler(analysis: &Analysis<'_>, word: u32) -> String {
    let name = analysis.handler(word);
    let Some(found) = analysis.liveness.handler_reads(word) else {
        return format!("{name}, not known what it uses");
    };
    let mut parts = Vec::new();
    let list = |registers, flags| [ranges(registers), letters(flags)].join(" ").trim().to_owned();
    if found.reads | u32::from(found.reads_flags) != 0 {
        parts.push(format!("uses {}", list(found.reads, found.reads_flags)));
    }
    if found.changes | u32::from(found.changes_flags) != 0 {
        parts.push(format!("changes {}", list(found.changes, found.changes_flags)));
    }
    if !found.returns {
        parts.push("does not return".to_owned());
    }
    match parts.is_empty() {
        true => format!("{name} keeps all registers"),
        false => format!("{name} {}", parts.join(", ")),
    }
}

fn dead_store(analysis: &Analysis<'_>, at: u32, what: DeadStore) -> String {
    let shown = disassemble::text(&analysis.cfg.nodes[&at].instruction).replace('\t', " ");
    match what {
        DeadStore::Registers => format!("{shown}: the result is not used"),
        DeadStore::Memory(byte) => {
            format!(
                "{shown}: {} is not read before it is written again",
                analysis.firmware.data_name(byte)
            )
        }
    }
}

/// Registers, neighbours together: `r18-r27 r30`.
pub fn ranges(registers: u32) -> String {
    let mut parts: Vec<(u8, u8)> = Vec::new();
    for number in numbers(registers) {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let shown = parts.iter().map(|(first, last)| match first == last {
        true => format!("r{first}"),
        false => format!("r{first}-r{last}"),
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// A function: its instructions with a column for each analysis.
fn function(analysis: &Analysis<'_>, index: usize, style: Style, text: &mut String) {
    let function = &analysis.cfg.functions[index];
    let definitions = analysis
        .show(Show::Definitions)
        .then(|| Definitions::new(&analysis.cfg, &analysis.liveness, index));
    let places: Vec<u32> = analysis.places(index).into_iter().collect();
    let mut headings = vec!["instruction"];
    headings.extend(analysis.shown.iter().map(|show| heading(*show)));
    let rows: Vec<Vec<String>> = places
        .iter()
        .map(|at| {
            let mut row = vec![instruction(analysis, *at)];
            let shown = analysis.shown.iter();
            row.extend(shown.map(|show| cell(analysis, *show, *at, definitions.as_ref())));
            row
        })
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0).max(headings[column].len()).min(WIDEST)
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let line = |cells: &[&str]| {
        let padded = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let _ = writeln!(text, "{}", style.strong(&format!("{}:", function.name)));
    let _ = writeln!(text, "{}", style.faint(&line(&headings)));
    let mut before = (String::new(), 0);
    for (at, row) in places.iter().zip(&rows) {
        let place = analysis.firmware.place(*at);
        let source = (place.file, place.line);
        if source.1 > 0 && source != before {
            let shown = format!("; {}:{}", super::super::stack::from_here(&source.0), source.1);
            let _ = writeln!(text, "{}", style.frame(&shown));
            before = source;
        }
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        let shown = line(&cells);
        let _ = match analysis.dead.contains_key(at) {
            true => writeln!(text, "{}", style.open(&format!("{shown}  (dead)"))),
            false => writeln!(text, "{shown}"),
        };
    }
    text.push('\n');
}

fn instruction(analysis: &Analysis<'_>, at: u32) -> String {
    let instruction = &analysis.cfg.nodes[&at].instruction;
    let shown = disassemble::text(instruction).replace('\t', " ");
    let target = disassemble::destination(instruction, at * 2, analysis.firmware.device.flash.size)
        .and_then(|target| disassemble::place(&analysis.firmware.image, target))
        .map_or_else(String::new, |target| format!("  ; {target}"));
    format!("{:6x}:  {shown}{target}", at * 2)
}

fn heading(show: Show) -> &'static str {
    match show {
        Show::Live => "live before",
        Show::Stack => "stack",
        Show::Interrupts => "interrupts",
        Show::Definitions => "reads",
        Show::Cfg => "goes to",
    }
}

fn cell(analysis: &Analysis<'_>, show: Show, at: u32, definitions: Option<&Definitions>) -> String {
    match show {
        Show::Live => live(analysis, at),
        Show::Stack => analysis.heights(at).join(" or "),
        Show::Interrupts => analysis.interrupts(at).to_owned(),
        Show::Definitions => definitions.map_or_else(String::new, |all| reads(analysis, at, all)),
        Show::Cfg => successors(analysis, at),
    }
}

fn live(analysis: &Analysis<'_>, at: u32) -> String {
    if analysis.liveness.why_incomplete().is_some() {
        return "everything".to_owned();
    }
    let registers = ranges(analysis.liveness.live_registers(at));
    let flags = letters(analysis.liveness.live_flags(at));
    let variables = analysis.live_variables(at).join(" ");
    let parts = [registers, flags, variables];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    match parts.is_empty() {
        true => "-".to_owned(),
        false => parts.join(", "),
    }
}

fn reads(analysis: &Analysis<'_>, at: u32, definitions: &Definitions) -> String {
    let reads = analysis.reads(at, definitions).into_iter().map(|read| {
        let value = read
            .value
            .map_or_else(String::new, |value| format!("={value:#04x}"));
        let from: Vec<String> = read.from.iter().map(|definition| origin(*definition)).collect();
        format!("r{}{value} from {}", read.register, from.join(" or "))
    });
    reads.collect::<Vec<_>>().join(", ")
}

fn origin(definition: Definition) -> String {
    match definition {
        Definition::Entry => "entry".to_owned(),
        Definition::Instruction(at) => format!("{:x}", at * 2),
        Definition::Call(at) => format!("call {:x}", at * 2),
        Definition::Interrupt => "interrupt".to_owned(),
    }
}

fn successors(analysis: &Analysis<'_>, at: u32) -> String {
    let node = &analysis.cfg.nodes[&at];
    let mut parts: Vec<String> = Vec::new();
    let name = |to: u32| {
        let found = disassemble::place(&analysis.firmware.image, to * 2);
        found.unwrap_or_else(|| format!("{:#06x}", to * 2))
    };
    for callee in &node.calls {
        parts.push(format!("{} (call)", name(*callee)));
    }
    let goes_on = matches!(node.successors[..], [(_, EdgeKind::Next | EdgeKind::Return)]);
    if !goes_on {
        for (to, kind) in &node.successors {
            parts.push(format!("{:x} ({})", to * 2, way(*kind)));
        }
    }
    if node.successors.is_empty() {
        parts.push("returns or ends".to_owned());
    }
    parts.join(", ")
}
