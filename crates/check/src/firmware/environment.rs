//! What the user says about the world around the chip, and what the verdicts then rest on.

use std::sync::Arc;

use kripke_avr::micro::{Nondeterminism, Options};

use super::constraints::Constraints;
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
    let kept = &firmware.image.not_initialised;
    if !kept.is_empty() {
        let addresses = kept.clone().filter_map(|at| u16::try_from(at).ok());
        let names = firmware.names_of(&addresses.collect());
        assumptions.push(format!(
            "what start-up code leaves as it is ({names}) holds anything when a run begins"
        ));
    }
    let mut never = Vec::new();
    for name in &environment.never {
        let known = firmware.interrupt_named(name);
        let known = known.map_err(|error| Failure::input(format!("--never: {error}")))?;
        let name = firmware.rules.interrupts[known].name.clone();
        assumptions.push(format!("{name} never comes"));
        never.push(name);
    }
    if let Some(limit) = environment.nesting {
        assumptions.push(format!(
            "no more than {limit} interrupt handlers are active at once"
        ));
    }
    let mut constraints = Constraints::default();
    for constraint in &environment.constraints {
        let added = constraints.add(constraint, firmware);
        added.map_err(|error| Failure::input(format!("--constraint: {error}")))?;
        assumptions.push(format!("always {constraint}"));
    }
    let Constraints { inputs, silent } = constraints;
    let options = Options {
        nondeterminism: Nondeterminism::Delayed,
        abstract_values: exploration.abstract_values,
        decided_at: Arc::default(),
        widened: Arc::default(),
        widened_at: Arc::default(),
        lazy_stack: exploration.lazy_stack,
        lazy_interrupts: exploration.lazy_interrupts,
        path_reduction: exploration.path_reduction,
        interrupt_reduction: exploration.interrupt_reduction,
        spaced_handlers: false,
        dead_variable_reduction: exploration.dead_variable_reduction,
        analysis: None,
        never,
        nesting: environment.nesting,
        inputs,
        silent,
        eeprom_of_image,
        decide_at_reset: false,
        fair: [].into(),
        statements: None,
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
