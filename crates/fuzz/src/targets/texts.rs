//! Formulas, project files, baselines, and the files of SV-COMP.

use std::sync::OnceLock;

use kripke_avr::atom::{Atom, Names};
use kripke_avr::byte::Bits;
use kripke_avr::debug::DebugInfo;
use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::peripherals::Rules;
use kripke_check::project::{self, Defaults, runs};
use kripke_logic::translate::Limits;
use kripke_logic::{Dialect, Options, describe, hoa, parse_dialect, printer};

/// Formulas of all dialects, automata, and the atoms of firmware.
pub fn formula(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // An automaton that is read can be written again.
    if let Ok(automaton) = hoa::parse(text) {
        let written = hoa::write(&automaton, "fuzz");
        assert!(
            hoa::parse(&written).is_ok(),
            "what was written cannot be read:\n{written}"
        );
    }
    for dialect in Dialect::ALL {
        read(text, dialect);
    }
    atom(text);
}

fn read(text: &str, dialect: Dialect) {
    let Ok(parsed) = parse_dialect(text, dialect) else {
        return;
    };
    for other in Dialect::ALL {
        let Ok(printed) = printer::print(&parsed.formula, other) else {
            continue;
        };
        let written = &printed.text;
        assert!(
            parse_dialect(written, other).is_ok(),
            "cannot read {written} as {}",
            other.name()
        );
    }
    let limits = Limits {
        states: 100,
        edges: 500,
    };
    // Only whether it ends, and how, is of interest.
    let _ = describe(
        &parsed.formula,
        &Options {
            limits,
            ..Options::default()
        },
    );
}

/// What an atom of a firmware without variables can name.
struct Chip {
    device: Device,
    rules: Rules,
    debug: DebugInfo,
    image: Image,
}

fn atom(text: &str) {
    static CHIP: OnceLock<Chip> = OnceLock::new();
    let chip = CHIP.get_or_init(|| {
        let device = Device::built_in("atmega16").expect("a built-in device");
        Chip {
            rules: Rules::new(&device),
            device,
            debug: DebugInfo::default(),
            image: Image::default(),
        }
    });
    let Chip {
        device,
        rules,
        debug,
        image,
    } = chip;
    let names = Names {
        debug,
        device,
        rules,
        inputs: true,
        image,
    };
    let body = text.trim().trim_start_matches('{').trim_end_matches('}');
    if let Ok(atom) = Atom::parse(body, names) {
        atom.truth(|_| Bits::input(0x80, 0, 0));
        atom.truth(|_| Bits::input(0, 0xFF, 0));
    }
}

/// A project file, and the jobs that it asks for.
pub fn project(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(project) = project::parse(text) else {
        return;
    };
    for run in runs(&project, &[]) {
        // Only whether it ends, and how, is of interest.
        let _ = run.job(&project, &Defaults::default());
    }
}

/// A list of findings that are known.
pub fn baseline(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        // Only whether it ends, and how, is of interest.
        let _ = kripke_report::baseline::Baseline::parse(text);
    }
}

/// A property file of SV-COMP.
pub fn property_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(kinds) = kripke_check::property_file::parse(text) {
        assert!(!kinds.is_empty(), "a file that asks for nothing");
    }
}

/// A task definition of SV-COMP.
pub fn task(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(task) = kripke_check::task::parse(text) {
        assert!(!task.input_files.is_empty(), "a task without sources");
    }
}
