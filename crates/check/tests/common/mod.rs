//! Small jobs: programs of a few lines, and firmware written as machine code.

#![allow(dead_code, reason = "each test file uses its part")]

use kripke_check::{Bounds, FirmwareJob, Form, Formula, Job, Limits, ProgramJob, Sources, Subject, Wanted};
use kripke_model::PropertyKind;
use tempfile::TempDir;

fn job(subject: Subject) -> Job {
    Job {
        subject,
        formulas: Vec::new(),
        limits: Limits::default(),
        wanted: Wanted::default(),
    }
}

/// A job about a program with one source; all violations are looked for.
pub fn program(text: &str, checks: &[PropertyKind]) -> (TempDir, Job) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("the program");
    let program = ProgramJob {
        sources: Sources {
            files: vec![file],
            entry: "main".to_string(),
            ..Sources::default()
        },
        checks: checks.to_vec(),
        bounds: Bounds {
            k_induction: true,
            feasibility: true,
            parting: true,
            continuing: true,
            only_invariants: false,
            invariants: true,
            reachability: true,
            fuzzing: true,
            ..Bounds::default()
        },
        all: true,
        lasso: true,
        ..ProgramJob::default()
    };
    (folder, job(Subject::Program(Box::new(program))))
}

/// A job about a firmware for the ATmega16, given as words of machine code.
pub fn firmware(words: &[u16]) -> (TempDir, Job) {
    let folder = tempfile::tempdir().expect("a folder");
    let image = folder.path().join("firmware.hex");
    std::fs::write(&image, intel_hex(words)).expect("the image");
    let mut firmware = FirmwareJob {
        image,
        ..FirmwareJob::default()
    };
    firmware.device.mcu = Some("atmega16".to_string());
    (folder, job(Subject::Firmware(Box::new(firmware))))
}

/// A formula.
pub fn formula(form: Form, text: &str) -> Formula {
    Formula {
        form,
        name: None,
        place: "test".to_string(),
        text: text.to_string(),
    }
}

/// `ldi r16, 0xFF; out DDRB, r16`, then for ever `in r16, PINA; out PORTB, r16`.
pub fn blinking() -> &'static [u16] {
    &[0xEF0F, 0xBB07, 0xB309, 0xBB08, 0xCFFD]
}

/// For ever `in r16, PINA; add r17, r16; eor r18, r17; add r19, r18; eor r20, r19`: more states than can be
/// seen.
pub fn counting() -> &'static [u16] {
    &[0xB309, 0x0F10, 0x2721, 0x0F32, 0x2743, 0xCFFA]
}

/// One data record, and the end.
fn intel_hex(words: &[u16]) -> String {
    let mut record = vec![(words.len() * 2) as u8, 0, 0, 0];
    record.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let sum = record.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    record.push(sum.wrapping_neg());
    let digits: String = record.iter().map(|byte| format!("{byte:02X}")).collect();
    format!(":{digits}\n:00000001FF\n")
}
