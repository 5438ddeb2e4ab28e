//! What hardware finishes that was started: what `--fair` assumes of runs that go on for ever.
//!
//! Idea: time is not counted, so a conversion may go on for ever in a run of the model. Each [`Obligation`]
//! is something that ends after some time on the chip: a busy bit that becomes 0, or a flag that becomes 1.
//! A run is fair if each is, again and again, not under way. So that a state says whether it is, the end is
//! a choice of its own at the end of a step ([`crate::micro`]), not left open until the program looks at it.
//!
//! Invariant: what is under way ends on the chip whatever the program does, short of beginning anew each time
//! before it is done. So a timer counts only with an internal clock and in the modes in which the flag is set
//! for certain, and nothing counts while the core sleeps, when clocks may stand still, or has ended.
//!
//! Source: "Modes of Operation" of the timers, "ADC Control and Status Register A", "USART Control and Status
//! Register A", "SPI Status Register" and "EEPROM Control Register" in the datasheets.

use crate::byte::AbstractByte as _;
use crate::device::{Device, Peripheral};
use crate::micro::Micro;
use crate::peripherals::{Place, Rules, Test};

/// Something that ends by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obligation {
    /// What ends, as an assumption.
    pub name: String,
    /// While all of this holds, it is under way,
    active: Vec<Test>,
    /// if this bit
    place: Place,
    /// is not known to be this.
    end: bool,
}

impl Obligation {
    /// The flag whose setting is its end.
    pub(crate) fn flag(&self) -> Option<Place> {
        self.end.then_some(self.place)
    }

    /// The busy bit whose clearing is its end.
    pub(crate) fn busy(&self) -> Option<Place> {
        (!self.end).then_some(self.place)
    }
}

/// All of a device.
#[must_use]
pub fn obligations(device: &Device, rules: &Rules) -> Vec<Obligation> {
    let mut all = Vec::new();
    for peripheral in &device.peripherals {
        let place = |role: &str| {
            let (address, bit) = device.place(peripheral.role(role)?)?;
            let mask = 1 << bit?;
            Some(Place { address, mask })
        };
        match peripheral.kind.as_str() {
            "timer" => timer(device, peripheral, &place, &mut all),
            "adc" => {
                let (on, start) = (place("enable"), place("start"));
                let triggered = place("automatic").map(Test::None);
                all.extend(on.zip(start).map(|(on, start)| Obligation {
                    name: "a conversion that was started ends".to_owned(),
                    active: triggered.into_iter().chain([Test::Any(on)]).collect(),
                    place: start,
                    end: false,
                }));
            }
            "usart" => {
                let (on, empty) = (place("transmit_enable"), place("empty"));
                all.extend(on.zip(empty).map(|(on, empty)| Obligation {
                    name: format!(
                        "{} takes a byte that is to be sent out of its register",
                        peripheral.name
                    ),
                    active: vec![Test::Any(on)],
                    place: empty,
                    end: true,
                }));
            }
            "spi" => {
                let flag = place("flag");
                let operations = rules.operations.iter();
                let mut own = operations.filter(|one| Some(one.flag) == flag && one.started_by.is_some());
                all.extend(own.next().map(|one| Obligation {
                    name: "a transfer that a master of SPI has begun ends".to_owned(),
                    active: one.needs.iter().copied().chain([Test::Any(one.busy)]).collect(),
                    place: one.flag,
                    end: true,
                }));
            }
            _ => {}
        }
    }
    all.extend(rules.eeprom.map(|eeprom| Obligation {
        name: "a write to the EEPROM ends".to_owned(),
        active: Vec::new(),
        place: eeprom.write,
        end: false,
    }));
    all
}

/// The flags of a timer: all of them in the normal mode; the first match, which clears the counter, in that
/// mode. Other modes promise nothing here.
fn timer(
    device: &Device,
    peripheral: &Peripheral,
    place: &impl Fn(&str) -> Option<Place>,
    all: &mut Vec<Obligation>,
) {
    let (Some(low), Some(middle), Some(high)) = (place("clock0"), place("clock1"), place("clock2")) else {
        return;
    };
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let prefix = format!("WGM{}", digits(&peripheral.name));
    let mut modes: Vec<(u8, Place)> = Vec::new();
    for register in &device.registers {
        for (name, bit) in &register.bits {
            let number = name.strip_prefix(&prefix).and_then(|number| number.parse().ok());
            modes.extend(number.map(|number| {
                let mask = 1 << bit;
                (
                    number,
                    Place {
                        address: register.address,
                        mask,
                    },
                )
            }));
        }
    }
    let is_wide = place("counter").is_none() && peripheral.role("counter_high").is_some();
    let clears = if is_wide { 2 } else { 1 };
    if modes.is_empty() || !modes.iter().any(|(number, _)| *number == clears) {
        return;
    }
    let mode = |set: Option<u8>| {
        let tests = modes
            .iter()
            .map(move |(number, place)| match Some(*number) == set {
                true => Test::Any(*place),
                false => Test::None(*place),
            });
        tests.collect::<Vec<Test>>()
    };
    // The upper two selections are external clocks; the third clock bit with the second one are both of them.
    let clocks = [
        vec![Test::Any(low), Test::None(high)],
        vec![Test::Any(middle), Test::None(high)],
        vec![Test::Any(high), Test::None(middle)],
    ];
    let asynchronous = place("asynchronous").map(Test::None);
    let flags = [
        ("overflow", None),
        ("match_a", None),
        ("match_b", None),
        ("match_a", Some(clears)),
    ];
    for (role, set) in flags {
        let Some(flag) = place(role) else { continue };
        for clock in &clocks {
            let tests = clock.iter().copied().chain(asynchronous).chain(mode(set));
            all.push(Obligation {
                name: format!(
                    "{} sets its flag {} while it runs, unless the program sets it back each time",
                    peripheral.name,
                    bit_name(device, flag)
                ),
                active: tests.collect(),
                place: flag,
                end: true,
            });
        }
    }
}

fn bit_name(device: &Device, bit: Place) -> String {
    let registers = device.registers.iter();
    let here = registers.filter(|register| register.address == bit.address);
    let mut bits = here.flat_map(|register| &register.bits);
    let named = bits.find(|(_, position)| 1 << **position == bit.mask);
    named.map(|(name, _)| name.clone()).unwrap_or_default()
}

impl Micro {
    /// Whether something is under way in a state.
    #[must_use]
    pub fn is_under_way(&self, obligation: &Obligation, state: &[u8]) -> bool {
        if self.has_ended(state) || self.is_asleep(state) {
            return false;
        }
        let read = |place: Place| self.cell_of(state, u32::from(place.address));
        let bits = |place: Place| self.footprint.read(state, u32::from(place.address));
        let certain = |test: &Test| match *test {
            Test::Any(place) => read(place).ones() & place.mask != 0,
            Test::None(place) => (read(place).value | read(place).unknown) & place.mask == 0,
        };
        let place = obligation.place;
        let is_over = match obligation.end {
            true => bits(place).ones() & place.mask != 0,
            false => bits(place).zeros() & place.mask == place.mask && bits(place).unknown & place.mask == 0,
        };
        !is_over && obligation.active.iter().all(certain)
    }
}
