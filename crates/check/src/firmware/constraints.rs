//! What the user says of inputs: expressions that registers always satisfy which the environment changes.
//!
//! Idea: a constraint is about one register, so it is the set of its values. Of pins, of what arrives and of
//! what counters and converters show, a read brings one of these. A flag that is 0 in all of them is never
//! set.
//!
//! Invariant: what cannot be kept true is refused: a register that the program writes, a flag that would have
//! to be 1, one that says when an operation has ended, and a relation between two registers.

use kripke_avr::atom::{Atom, AtomError};
use kripke_avr::byte::{AbstractByte as _, Bits};
use kripke_avr::peripherals::Place;

use super::load::Firmware;

/// What constraints leave.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// Registers, by data address, and the values that reads can bring.
    pub inputs: Vec<(u16, Vec<u8>)>,
    /// Flags that are never set.
    pub silent: Vec<Place>,
}

impl Constraints {
    /// Adds one more.
    pub fn add(&mut self, text: &str, firmware: &Firmware) -> Result<(), String> {
        let atom = Atom::parse(text, firmware.names(true)).map_err(|error: AtomError| error.to_string())?;
        let address = register(&atom, text, firmware)?;
        let holds = |value: &u8| {
            atom.value(|_| Bits::known(*value))
                .is_some_and(|value| value != 0)
        };
        let allowed: Vec<u8> = (0..=u8::MAX).filter(holds).collect();
        let known = self.inputs.iter_mut().find(|(known, _)| *known == address);
        let is_empty = match known {
            Some((_, values)) => {
                values.retain(|value| allowed.contains(value));
                values.is_empty()
            }
            None => {
                self.inputs.push((address, allowed.clone()));
                allowed.is_empty()
            }
        };
        if is_empty {
            let trap = atom.warning().map(|warning| format!("; {warning}"));
            return Err(format!("no input satisfies `{text}`{}", trap.unwrap_or_default()));
        }
        self.silence(&atom, address, &allowed, firmware)
    }

    /// The flags of a register that a constraint holds at 0.
    fn silence(
        &mut self,
        atom: &Atom,
        address: u16,
        allowed: &[u8],
        firmware: &Firmware,
    ) -> Result<(), String> {
        let rules = &firmware.rules;
        let here = rules.events.iter().map(|event| event.flag);
        let flags = here.filter(|flag| flag.address == address);
        let flags = flags.fold(0, |flags, flag| flags | flag.mask);
        let named = atom.bits_of(u32::from(address));
        if named & flags == 0 {
            return Ok(());
        }
        let name = firmware.data_name(address);
        let ever = allowed.iter().fold(0, |ever, value| ever | value);
        let silent = named & flags & !ever;
        let places = rules.pins.iter().map(|pin| pin.flag);
        let places = places.chain(rules.operations.iter().map(|operation| operation.flag));
        let bound = places.filter(|place| place.address == address);
        let bound = bound.fold(0, |bound, place| bound | place.mask);
        if named & !silent != 0 || silent & bound != 0 {
            let example = match flags & !bound {
                0 => String::new(),
                free => format!(" ('{name}.{} == 0')", free.trailing_zeros()),
            };
            return Err(format!(
                "of flags such as those of {name} a constraint can say that a timer's are 0{example}; \
                 --never says that an interrupt does not come"
            ));
        }
        self.inputs.retain(|(known, _)| *known != address);
        self.silent.push(Place {
            address,
            mask: silent,
        });
        Ok(())
    }
}

/// The one register that a constraint is about.
fn register(atom: &Atom, text: &str, firmware: &Firmware) -> Result<u16, String> {
    let rules = &firmware.rules;
    let cells: Vec<u32> = atom.cells().collect();
    let [cell] = cells[..] else {
        return Err(match cells.len() {
            2 if cells[0] + 1 == cells[1] => format!(
                "`{text}` is about two registers; say it of each by itself, as in '{} <= 1'",
                firmware.data_name(cells[1] as u16)
            ),
            _ => format!("`{text}` must be about one input register, such as PINA, UDR or ADCH"),
        });
    };
    let address = u16::try_from(cell).map_err(|_| format!("`{text}` says nothing of inputs"))?;
    let name = firmware.data_name(address);
    let named = atom.bits_of(cell);
    let volatile = rules.volatile.iter().map(|volatile| volatile.place);
    let flags = rules.events.iter().map(|event| event.flag);
    let inputs = volatile.chain(flags).filter(|place| place.address == address);
    let inputs = inputs.fold(0, |inputs, place| inputs | place.mask);
    let is_pin = rules.ports.iter().any(|port| port.pin == address);
    match is_pin || named & !inputs == 0 {
        true => Ok(address),
        false if inputs == 0 => Err(format!("{name} is no input: only the program changes it")),
        false => Err(format!("`{text}` names bits of {name} that the program changes")),
    }
}
