//! What the user says about the world around the chip, and what the verdicts then rest on.

use std::sync::Arc;

use kripke_avr::atom::{Atom, AtomError};
use kripke_avr::byte::{AbstractByte, Bits};
use kripke_avr::micro::{Nondeterminism, Options};

use super::load::Firmware;
use crate::failure::Failure;
use crate::job::{Environment, Exploration};

/// The options of the model, and a sentence for each assumption.
pub fn options(
    firmware: &Firmware,
    environment: &Environment,
    exploration: Exploration,
) -> Result<(Options, Vec<String>), Failure> {
    let mut assumptions = vec![
        "time is not counted: an interrupt whose source is active may come at once, later or never"
            .to_owned(),
    ];
    assumptions.extend(firmware.assumptions.iter().cloned());
    let eeprom_of_image = environment.eeprom_of_image;
    if eeprom_of_image {
        assumptions.push(
            "the EEPROM holds what the file says when a run begins: no earlier run has written to it"
                .to_owned(),
        );
    } else if !firmware.image.eeprom.used().is_empty() {
        assumptions.push(
            "the EEPROM holds anything when a run begins (--eeprom image: what the file says)".to_owned(),
        );
    }
    for name in &environment.never {
        let known = firmware.interrupt_named(name);
        known.map_err(|error| Failure::input(format!("--never: {error}")))?;
        assumptions.push(format!("{name} never comes"));
    }
    if let Some(limit) = environment.nesting {
        assumptions.push(format!(
            "no more than {limit} interrupt handlers are active at once"
        ));
    }
    let mut inputs: Vec<(u16, Vec<u8>)> = Vec::new();
    for constraint in &environment.constraints {
        let (pin, allowed) = allowed_values(constraint, firmware)?;
        match inputs.iter_mut().find(|(known, _)| *known == pin) {
            Some((_, values)) => values.retain(|value| allowed.contains(value)),
            None => inputs.push((pin, allowed)),
        }
        if inputs.iter().any(|(_, values)| values.is_empty()) {
            return Err(Failure::input(format!(
                "--constraint: no input satisfies `{constraint}`{}",
                precedence_hint(constraint)
            )));
        }
        assumptions.push(format!("always {constraint}"));
    }
    let options = Options {
        nondeterminism: Nondeterminism::Delayed,
        abstract_values: exploration.abstract_values,
        decided_at: Arc::default(),
        widened: Arc::default(),
        lazy_stack: exploration.lazy_stack,
        lazy_interrupts: exploration.lazy_interrupts,
        path_reduction: exploration.path_reduction,
        interrupt_reduction: exploration.interrupt_reduction,
        dead_variable_reduction: exploration.dead_variable_reduction,
        analysis: None,
        never: environment.never.clone(),
        nesting: environment.nesting,
        inputs,
        eeprom_of_image,
        decide_at_reset: false,
        sharing: None,
        watch: None,
    };
    Ok((options, assumptions))
}

/// The word address where properties begin: a function, or `main` where there is one; none for reset.
pub fn start(firmware: &Firmware, from: Option<&str>) -> Result<Option<u32>, Failure> {
    let place = |name: &str| firmware.function_named(name).map(|symbol| symbol.address / 2);
    match from {
        Some("reset") => Ok(None),
        None => Ok(place("main").ok()),
        Some(name) => match place(name) {
            Ok(word) => Ok(Some(word)),
            Err(error) => Err(Failure::input(format!("--from: {error}"))),
        },
    }
}

/// `PINA & 3 == 0` is not what it looks like.
fn precedence_hint(constraint: &str) -> &'static str {
    let masks = constraint.contains('&') && (constraint.contains("==") || constraint.contains("!="));
    match masks && !constraint.contains('(') {
        true => "; as in C, == binds tighter than &: write (PINA & 3) == 0",
        false => "",
    }
}

/// The values of the one input register that a constraint is about.
fn allowed_values(text: &str, firmware: &Firmware) -> Result<(u16, Vec<u8>), Failure> {
    let bad = |message: String| Failure::input(format!("--constraint: {message}"));
    let atom = Atom::parse(text, firmware.names(true)).map_err(|error: AtomError| bad(error.to_string()))?;
    let named: Vec<_> = firmware
        .rules
        .ports
        .iter()
        .filter(|port| atom.cells().any(|cell| cell == u32::from(port.pin)))
        .collect();
    let [port] = named[..] else {
        return Err(bad(format!(
            "`{text}` must be about one input register, such as PINA"
        )));
    };
    if atom.cells().any(|cell| cell != u32::from(port.pin)) {
        return Err(bad(
            "only the input register may change in a constraint".to_owned()
        ));
    }
    let allowed = (0..=u8::MAX).filter(|value| {
        atom.value(|_| Bits::known(*value))
            .is_some_and(|value| value != 0)
    });
    Ok((port.pin, allowed.collect()))
}
