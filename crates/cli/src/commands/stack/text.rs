//! The depth of the stack as text.

use std::fmt::Write as _;

use kripke_avr::flow::{Indirect, Resolution};
use kripke_avr::stack::{Leaves, Step};
use kripke_report::Style;

use super::{Answer, Outcome};

/// More targets of one call than these are counted, not named.
const MOST_NAMES: usize = 8;

/// The text.
pub fn render(result: &Outcome<'_>, functions: bool, style: Style) -> String {
    let mut text = headline(result, style);
    path(&mut text, result, style);
    handlers(&mut text, result);
    indirect(&mut text, result);
    if functions {
        list(&mut text, result);
    }
    for assumption in &result.assumptions {
        let _ = writeln!(text, "   = assuming: {assumption}");
    }
    text
}

fn headline(result: &Outcome<'_>, style: Style) -> String {
    let depth = result.depth;
    let (bytes, available) = (depth.bytes, depth.available());
    let mut text = match result.answer() {
        Answer::Fits => format!(
            "{} at most {bytes} of {available} bytes of stack are used, {} are free",
            style.good("FITS:"),
            available - bytes
        ),
        Answer::DoesNotFit => format!(
            "{} {bytes} bytes of stack are used, there are {available}: {} too few",
            style.bad("DOES NOT FIT:"),
            bytes - available
        ),
        Answer::Unknown => format!(
            "{} {bytes} of {available} bytes of stack are used by what is known, which leaves out:",
            style.open("UNKNOWN:")
        ),
    };
    text.push('\n');
    for cause in &depth.causes {
        let _ = writeln!(text, "   - {}", result.cause(cause));
    }
    let _ = writeln!(
        text,
        "   = the stack begins at {:#06x} and grows down; static data end below {:#06x}",
        depth.initial, depth.data_end
    );
    text
}

fn path(text: &mut String, result: &Outcome<'_>, style: Style) {
    let _ = writeln!(text, "\n   {}", style.strong("How it gets there:"));
    let _ = writeln!(text, "    bytes   sum");
    let names: Vec<String> = result
        .depth
        .path
        .iter()
        .map(|step| result.name(step.entry))
        .collect();
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or_default()
        .min(40);
    let mut sum = 0;
    for (index, (step, name)) in result.depth.path.iter().zip(&names).enumerate() {
        sum += step.bytes;
        let next = names.get(index + 1).map_or("", String::as_str);
        let _ = writeln!(
            text,
            "    {:>5} {sum:>5}  {name:width$}  {}",
            step.bytes,
            what(result, step, next)
        );
    }
    text.push('\n');
}

/// What happens at the end of a level.
fn what(result: &Outcome<'_>, step: &Step, next: &str) -> String {
    let inside = result
        .jumped_to(step.entry, step.at)
        .map_or_else(String::new, |name| format!("jumps to {name}, "));
    let place = result.place(step.at);
    match step.leaves {
        Leaves::Call => format!("{inside}calls {next} at {place}"),
        Leaves::Interrupt(index) => format!(
            "{inside}interrupted by {} at {place}",
            result.firmware.device.vectors[index].name
        ),
        Leaves::Nothing => format!("{inside}deepest at {place}"),
    }
}

fn handlers(text: &mut String, result: &Outcome<'_>) {
    let handlers = &result.depth.handlers;
    if handlers.is_empty() {
        text.push_str("   No interrupt has a handler.\n");
        return;
    }
    text.push_str("   Interrupt handlers, with their return address and what they call:\n");
    for handler in handlers {
        let again = match handler.interrupted {
            Some(bytes) => format!("; can be interrupted, with {bytes} bytes on the stack"),
            None => String::new(),
        };
        let _ = writeln!(
            text,
            "    {:>5}  {}{again}",
            handler.bytes,
            result.name(handler.entry)
        );
    }
    for (handler, cells) in &result.cfg.flow.careless_handlers {
        let _ = writeln!(
            text,
            "   note: {} does not restore {}",
            result.name(*handler),
            registers(*cells)
        );
    }
}

/// The names of registers.
pub fn registers(cells: u64) -> String {
    let numbers = (0..33).filter(|cell| cells >> cell & 1 == 1);
    let names: Vec<String> = numbers
        .map(|cell| match cell {
            32 => "RAMPZ".to_owned(),
            number => format!("r{number}"),
        })
        .collect();
    names.join(", ")
}

fn indirect(text: &mut String, result: &Outcome<'_>) {
    let jumps = &result.cfg.flow.indirect;
    if jumps.is_empty() {
        return;
    }
    text.push_str("   Computed jumps and calls:\n");
    for (at, jump) in jumps {
        let function = result
            .cfg
            .function_of(*at)
            .map_or_else(String::new, |function| function.name.clone());
        let how = match jump.resolution {
            Resolution::Direct | Resolution::Constant => "a constant".to_owned(),
            Resolution::Table(_) => tables(jump),
            Resolution::Given => "as given with --calls".to_owned(),
            Resolution::AddressTaken => "every function whose address is in the image".to_owned(),
            Resolution::Unresolved => "not known".to_owned(),
        };
        let mut targets: Vec<String> = jump
            .targets
            .iter()
            .take(MOST_NAMES)
            .map(|target| target_name(result, *target))
            .collect();
        if jump.targets.len() > MOST_NAMES {
            targets.push(format!("{} more", jump.targets.len() - MOST_NAMES));
        }
        let targets = match targets.is_empty() {
            true => String::new(),
            false => format!(": {}", targets.join(", ")),
        };
        let _ = writeln!(text, "    {function} at {}: {how}{targets}", result.place(*at));
    }
}

/// The tables that the targets are in.
fn tables(jump: &Indirect) -> String {
    let tables: Vec<String> = jump.tables.iter().map(|table| format!("{table:#06x}")).collect();
    match &tables[..] {
        [only] => format!("the table at {only}"),
        several => format!("the tables at {}", several.join(", ")),
    }
}

/// The symbol of a target, with the distance behind it.
fn target_name(result: &Outcome<'_>, target: u32) -> String {
    kripke_avr::disassemble::place(&result.firmware.image, target * 2)
        .unwrap_or_else(|| format!("{:#06x}", target * 2))
}

fn list(text: &mut String, result: &Outcome<'_>) {
    text.push_str("   Functions, with their return address:\n      own total\n");
    for need in &result.depth.functions {
        let _ = writeln!(
            text,
            "    {:>5} {:>5}  {}",
            need.own,
            need.total,
            result.name(need.entry)
        );
    }
}
