//! What the user says about the world around the chip, and what the verdicts then rest on.

use kripke_avr::atom::{Atom, AtomError, Names};
use kripke_avr::byte::{AbstractByte, Bits};
use kripke_avr::micro::{Nondeterminism, Options};
use kripke_avr::peripherals::Rules;

use super::load::Firmware;
use crate::arguments::FirmwareArguments;
use crate::checks::closest;
use crate::failure::Failure;

/// The options of the model, and a sentence for each assumption.
pub fn options(
    firmware: &Firmware,
    arguments: &FirmwareArguments,
) -> Result<(Options, Vec<String>), Failure> {
    let rules = Rules::new(&firmware.device);
    let mut assumptions = vec![
        "time is not counted: an interrupt whose source is active may come at once, later or never"
            .to_owned(),
    ];
    for name in &arguments.never {
        if !rules.interrupts.iter().any(|interrupt| interrupt.name == *name) {
            let near = closest(
                name,
                rules.interrupts.iter().map(|interrupt| interrupt.name.as_str()),
            );
            let hint = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
            return Err(Failure::input(format!(
                "--never: {} has no interrupt '{name}'{hint}",
                firmware.device.name
            )));
        }
        assumptions.push(format!("{name} never comes"));
    }
    if let Some(limit) = arguments.nesting {
        assumptions.push(format!(
            "no more than {limit} interrupt handlers are active at once"
        ));
    }
    let mut inputs: Vec<(u16, Vec<u8>)> = Vec::new();
    for constraint in &arguments.constraints {
        let (pin, allowed) = allowed_values(constraint, firmware, &rules)?;
        match inputs.iter_mut().find(|(known, _)| *known == pin) {
            Some((_, values)) => values.retain(|value| allowed.contains(value)),
            None => inputs.push((pin, allowed)),
        }
        if inputs.iter().any(|(_, values)| values.is_empty()) {
            return Err(Failure::input(format!(
                "--constraint: no input satisfies `{constraint}`"
            )));
        }
        assumptions.push(format!("always {constraint}"));
    }
    let options = Options {
        nondeterminism: Nondeterminism::Delayed,
        lazy_stack: !arguments.no_lazy_stack,
        lazy_interrupts: arguments.lazy_interrupts,
        never: arguments.never.clone(),
        nesting: arguments.nesting,
        inputs,
    };
    Ok((options, assumptions))
}

/// The values of the one input register that a constraint is about.
fn allowed_values(text: &str, firmware: &Firmware, rules: &Rules) -> Result<(u16, Vec<u8>), Failure> {
    let bad = |message: String| Failure::input(format!("--constraint: {message}"));
    // Inputs are not allowed in atoms of properties; here they are what it is about, so they stand for the output registers.
    let named: Vec<_> = rules
        .ports
        .iter()
        .filter(|port| text.contains(&format!("PIN{}", port.name)))
        .collect();
    let [port] = named[..] else {
        return Err(bad(format!(
            "`{text}` must be about one input register, such as PINA"
        )));
    };
    let text = text.replace(&format!("PIN{}", port.name), &format!("PORT{}", port.name));
    let names = Names {
        debug: &firmware.debug,
        device: &firmware.device,
        image: &firmware.image,
    };
    let atom = Atom::parse(&text, names).map_err(|error: AtomError| bad(error.to_string()))?;
    if atom.cells().any(|cell| cell != u32::from(port.port)) {
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
