//! The peripherals of a device as rules over register bits, with time abstracted away.
//!
//! Idea: without time, a peripheral is what it does to bits that the program can read. Five kinds of rules
//! say all of it: a flag may be set at any moment while its source is active ([`Event`]); a register shows
//! anything while a condition holds ([`Volatile`]); a bit that the program sets is cleared by hardware at
//! some later moment; an access clears or asserts a flag ([`SideEffect`]); an interrupt is requested by a
//! flag or a condition ([`Interrupt`]).
//!
//! Invariant: whatever the chip can show, the rules allow. They allow more: a flag whose source is active may
//! be set at once (a compare match in the cycle after the timer was started), and events of one peripheral
//! come in any order.
//!
//! Source: sections 5.3.4 to 5.3.6 of Schlich's thesis; the datasheets' chapters on each peripheral.

mod open;

use crate::device::{Device, Peripheral};
use crate::overrides::{Lasting, Override};

/// A bit, or some bits, of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Data address.
    pub address: u16,
    /// The bits.
    pub mask: u8,
}

/// A condition on one register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    /// One of the bits is 1.
    Any(Place),
    /// All of the bits are 0.
    None(Place),
}

/// A flag that hardware may set at any moment while all tests hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The flag.
    pub flag: Place,
    /// When its source is active.
    pub active: Vec<Test>,
}

/// Bits that have any value at every read while all tests hold, and one unknown value afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Volatile {
    /// The bits.
    pub place: Place,
    /// While this holds.
    pub active: Vec<Test>,
}

/// A bit that the program sets and hardware clears at some later moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfClearing {
    /// The bit.
    pub place: Place,
    /// Whether the program can clear it, too.
    pub by_program: bool,
    /// When hardware does.
    pub active: Vec<Test>,
}

/// Bits that are 0 while all tests hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zeros {
    /// The bits.
    pub place: Place,
    /// While this holds.
    pub active: Vec<Test>,
}

/// Bits whose change makes others unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Upsets {
    /// The bits.
    pub bit: Place,
    /// What is unknown afterwards.
    pub place: Place,
}

/// Something that the program starts and that takes time; when it has ended, the busy bit is 0 and the flag
/// is 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// 1 while it is under way. One that no register shows has a cell of its own.
    pub busy: Place,
    /// What its end sets.
    pub flag: Place,
    /// Without this it neither begins nor goes on.
    pub needs: Vec<Test>,
    /// The register that a write to starts it; none if writing the busy bit does, or falling asleep.
    pub started_by: Option<u16>,
    /// While this holds, it begins again by itself.
    pub again: Vec<Test>,
}

/// Bits that a write changes only shortly after another write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sequence {
    /// The register.
    pub address: u16,
    /// The bits that permit the change.
    pub permission: u8,
    /// What has to be written together with the permission: ones, zeros.
    pub with: (u8, u8),
    /// The bits that change with the permission only.
    pub protects: u8,
    /// Those of them that can be set without.
    pub set_freely: u8,
    /// Whether the change ends the permission.
    pub ends: bool,
}

/// The flags that tell why the chip was reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Causes {
    /// All of them.
    pub all: Place,
    /// The one that the watchdog sets.
    pub watchdog: Place,
}

/// A bit of a port that is inverted when a one is written to a bit elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Toggle {
    /// What is written.
    pub strobe: Place,
    /// The bit of the PORT register.
    pub output: Place,
    /// While one of these bits is 1, it is inverted for certain.
    pub mode: Place,
}

/// An access that changes a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideEffect {
    /// The register accessed.
    pub address: u16,
    /// Whether reading does it.
    pub on_read: bool,
    /// Whether writing does it.
    pub on_write: bool,
    /// The flag that is cleared.
    pub clears: Place,
    /// Whether it is cleared for certain, or only if it was read before.
    pub certain: bool,
}

/// A port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// `A`, `B`, …
    pub name: String,
    /// Direction: 1 is output.
    pub ddr: u16,
    /// Output, or pull-up.
    pub port: u16,
    /// Input.
    pub pin: u16,
}

/// An interrupt input at a pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PinInterrupt {
    /// Index of the port.
    pub port: usize,
    /// The pins.
    pub pins: Place,
    /// For pin change interrupts: the register that selects the pins.
    pub selection: Option<u16>,
    /// The bits that select the sense (low level, change, falling, rising); one bit alone selects falling or
    /// rising.
    pub sense: Option<Place>,
    /// The flag that an edge sets.
    pub flag: Place,
}

impl PinInterrupt {
    /// Whether the level, not an edge, requests the interrupt, for this value of the sense register.
    #[must_use]
    pub fn is_level(&self, sense: u8) -> bool {
        self.sense
            .is_some_and(|place| place.mask.count_ones() == 2 && sense & place.mask == 0)
    }

    /// Whether a change of a pin to `level` is an edge that counts, for this value of the sense register.
    #[must_use]
    pub fn counts(&self, sense: u8, level: bool) -> bool {
        let Some(place) = self.sense else { return true };
        let selected = (sense & place.mask) >> place.mask.trailing_zeros();
        match (place.mask.count_ones(), selected) {
            (2, 0) => false,
            (2, 1) => true,
            (2, 2) | (1, 0) => !level,
            _ => level,
        }
    }
}

/// What requests an interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// A flag.
    Flag(Place),
    /// A busy bit that is 0.
    Idle(Place),
    /// A flag, or the low level of the pin in that mode: the index of the [`PinInterrupt`].
    Pin(usize),
    /// Not known: it may come whenever it is enabled.
    Open,
}

/// An interrupt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interrupt {
    /// Number of the vector.
    pub number: u8,
    /// Name without `_vect`.
    pub name: String,
    /// Word address of the vector.
    pub vector: u32,
    /// The bit that enables it.
    pub enable: Place,
    /// What requests it.
    pub request: Request,
    /// The flag is cleared on entry.
    pub clears_on_entry: bool,
}

/// Registers of the EEPROM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eeprom {
    /// Address, low byte.
    pub address_low: u16,
    /// Address, high byte, if there is one.
    pub address_high: Option<u16>,
    /// Data.
    pub data: u16,
    /// The bit that reads.
    pub read: Place,
    /// The bit that writes, and is 1 until that is done.
    pub write: Place,
    /// The bit that has to be set shortly before.
    pub master: Place,
    /// Whether a byte is erased and written (0), only erased (1) or only written (2).
    pub mode: Option<Place>,
}

/// Bits of the watchdog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watchdog {
    /// Resets the chip.
    pub enable: Place,
    /// Requests an interrupt before the reset. It is cleared when the handler is entered while `enable` is
    /// set.
    pub interrupt: Option<Place>,
    /// Notes that the watchdog has reset the chip; while it is set, so is `enable`.
    pub reset_flag: Option<Place>,
}

/// A register of 16 bits, whose high byte goes through a register that its timer's registers share: a write
/// of the high byte waits there for that of the low byte, and a read of the low byte puts the high byte
/// there.
///
/// Source: "Accessing 16-bit registers" in the datasheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Data address of the low byte.
    pub low: u16,
    /// Data address of the high byte.
    pub high: u16,
    /// Which of the shared registers.
    pub temporary: usize,
    /// Whether reads go through it, too; those of compare registers do not.
    pub on_read: bool,
}

/// All rules of a device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Flags that hardware sets.
    pub events: Vec<Event>,
    /// Registers that show anything.
    pub volatile: Vec<Volatile>,
    /// Bits that the program sets and hardware clears at some later moment.
    pub self_clearing: Vec<SelfClearing>,
    /// Bits that are 0 for the time being.
    pub zeros: Vec<Zeros>,
    /// Bits whose change makes others unknown.
    pub upsets: Vec<Upsets>,
    /// Operations that end by themselves.
    pub operations: Vec<Operation>,
    /// Writes that need another one shortly before.
    pub sequences: Vec<Sequence>,
    /// Why the chip was reset.
    pub causes: Option<Causes>,
    /// Writes that invert bits of ports.
    pub toggles: Vec<Toggle>,
    /// Bits that the program sets and hardware clears after a few cycles.
    pub timed: Vec<Place>,
    /// Accesses that clear flags.
    pub side_effects: Vec<SideEffect>,
    /// Ports.
    pub ports: Vec<Port>,
    /// Pins that peripherals take from their ports.
    pub overrides: Vec<Override>,
    /// For each port the bits of which one is set while any of its pins is taken.
    pub enabling: Vec<Vec<Place>>,
    /// For each port whether a fuse may take pins of it.
    pub taken_by_fuses: Vec<bool>,
    /// Overrides whose end no register tells.
    pub lasting: Vec<Lasting>,
    /// Interrupts at pins.
    pub pins: Vec<PinInterrupt>,
    /// Interrupts by priority.
    pub interrupts: Vec<Interrupt>,
    /// The number of bits that no register shows.
    pub hidden: usize,
    /// EEPROM.
    pub eeprom: Option<Eeprom>,
    /// Watchdog.
    pub watchdog: Option<Watchdog>,
    /// Registers of 16 bits with a shared high byte.
    pub pairs: Vec<Pair>,
    /// The bit without which SLEEP does nothing.
    pub sleep: Option<Place>,
    /// The register that controls self-programming.
    pub programming: Option<u16>,
    /// The bit that moves the interrupt vectors to the boot section.
    pub moved_vectors: Option<Place>,
}

/// Timers with registers of 16 bits, at the most.
const MOST_TEMPORARIES: u32 = 8;

/// A peripheral's roles, looked up in the device.
struct Roles<'a> {
    device: &'a Device,
    peripheral: &'a Peripheral,
}

impl Roles<'_> {
    fn place(&self, role: &str) -> Option<Place> {
        let (address, bit) = self.device.place(self.peripheral.role(role)?)?;
        Some(Place {
            address,
            mask: bit.map_or(0xFF, |bit| 1 << bit),
        })
    }

    fn address(&self, role: &str) -> Option<u16> {
        self.place(role).map(|place| place.address)
    }

    /// Bits of one register that play several roles together.
    fn joined(&self, roles: &[&str]) -> Option<Place> {
        let mut joined: Option<Place> = None;
        for place in roles.iter().filter_map(|role| self.place(role)) {
            let mask = joined.map_or(0, |joined| joined.mask);
            joined = Some(Place {
                mask: mask | place.mask,
                ..place
            });
        }
        joined
    }

    fn any(&self, roles: &[&str]) -> Vec<Test> {
        self.joined(roles).map(Test::Any).into_iter().collect()
    }
}

impl Rules {
    /// The rules of a device. Peripherals of unknown kinds have none.
    #[must_use]
    pub fn new(device: &Device) -> Self {
        let mut rules = Self::default();
        let roles = |peripheral| Roles { device, peripheral };
        let (ports, others): (Vec<_>, Vec<_>) = device
            .peripherals
            .iter()
            .partition(|peripheral| peripheral.kind == "port");
        for port in ports {
            let found = roles(port);
            if let (Some(ddr), Some(output), Some(pin)) =
                (found.address("ddr"), found.address("port"), found.address("pin"))
            {
                rules.ports.push(Port {
                    name: port.name.clone(),
                    ddr,
                    port: output,
                    pin,
                });
            }
        }
        rules.add_overrides(device);
        for peripheral in others {
            rules.add(&peripheral.kind, &roles(peripheral));
        }
        rules.add_sequences(device);
        rules.add_declared(device);
        rules.add_interrupts(device);
        rules.add_unknown_inputs(device);
        rules
    }

    /// Whether hardware may change bits of a register at any moment.
    #[must_use]
    pub fn changes_by_itself(&self, address: u16) -> bool {
        let flags = self.events.iter().map(|event| event.flag);
        flags
            .chain(self.volatile.iter().map(|volatile| volatile.place))
            .chain(self.self_clearing.iter().map(|clearing| clearing.place))
            .chain(self.timed.iter().copied())
            .any(|place| place.address == address)
            || self.ports.iter().any(|port| port.pin == address)
    }

    /// The bits of a register that hardware may change at any moment, apart from flags that have to be set by
    /// an event of their own.
    #[must_use]
    pub fn moving_bits(&self, address: u16) -> u8 {
        let at_pins = self.pins.iter().map(|pin| pin.flag);
        let others = self.volatile.iter().map(|volatile| volatile.place);
        let places = others
            .chain(self.self_clearing.iter().map(|clearing| clearing.place))
            .chain(self.timed.iter().copied())
            .chain(at_pins);
        let here = places.filter(|place| place.address == address);
        here.fold(0, |bits, place| bits | place.mask)
    }

    /// Bits that the program cannot write and of which no rule tells what hardware makes of them: anything,
    /// at any time.
    fn add_unknown_inputs(&mut self, device: &Device) {
        for register in &device.registers {
            let address = register.address;
            if self.ports.iter().any(|port| port.pin == address) {
                continue;
            }
            let flags = self.events.iter().map(|event| event.flag);
            let told = flags
                .chain(self.volatile.iter().map(|volatile| volatile.place))
                .chain(self.self_clearing.iter().map(|clearing| clearing.place))
                .chain(self.timed.iter().copied())
                .filter(|place| place.address == address)
                .fold(0, |told, place| told | place.mask);
            let mask = register.read_only & !told & !register.reserved;
            if mask != 0 {
                self.volatile.push(Volatile {
                    place: Place { address, mask },
                    active: Vec::new(),
                });
            }
        }
    }

    fn add(&mut self, kind: &str, roles: &Roles<'_>) {
        match kind {
            "external_interrupt" => {
                self.add_pin_interrupt(roles, roles.joined(&["sense0", "sense1", "edge"]))
            }
            "pin_change" => self.add_pin_interrupt(roles, None),
            "timer" => self.add_timer(roles),
            "adc" => self.add_adc(roles),
            "usart" => self.add_usart(roles),
            "spi" => self.add_spi(roles),
            "twi" => self.add_twi(roles),
            "usi" => self.add_usi(roles),
            "comparator" => {
                let on: Vec<Test> = roles.place("disable").map(Test::None).into_iter().collect();
                self.add_volatile(roles, &["output"], &on);
                self.add_events(roles, &["flag"], &on);
                // "An interrupt can occur when the bits are changed."
                let changed = roles.joined(&["disable", "sense0", "sense1"]);
                let upset = changed.zip(roles.place("flag"));
                self.upsets
                    .extend(upset.map(|(bit, place)| Upsets { bit, place }));
            }
            "eeprom" => self.add_eeprom(roles),
            "watchdog" => {
                self.watchdog = roles.place("enable").map(|enable| Watchdog {
                    enable,
                    interrupt: roles.place("interrupt"),
                    reset_flag: roles.place("reset_flag"),
                });
                let active = roles.any(&["interrupt"]);
                if !active.is_empty() {
                    self.add_events(roles, &["flag"], &active);
                }
            }
            "sleep" => self.sleep = roles.place("enable"),
            "vector_table" => self.moved_vectors = roles.place("select"),
            "reset_causes" => {
                let all = ["power_on", "external", "brown_out", "watchdog", "debugger"];
                let (all, watchdog) = (roles.joined(&all), roles.place("watchdog"));
                self.causes = all.zip(watchdog).map(|(all, watchdog)| Causes { all, watchdog });
            }
            "self_programming" => {
                self.programming = roles.address("control");
                let control = self.programming.and_then(|at| roles.device.register_at(at));
                self.timed.extend(control.map(|register| Place {
                    address: register.address,
                    mask: crate::programming::CONTROL & !register.reserved,
                }));
            }
            _ => {}
        }
    }

    fn add_events(&mut self, roles: &Roles<'_>, flags: &[&str], active: &[Test]) {
        for flag in flags.iter().filter_map(|flag| roles.place(flag)) {
            let active = active.to_vec();
            self.events.push(Event { flag, active });
        }
    }

    fn add_volatile(&mut self, roles: &Roles<'_>, registers: &[&str], active: &[Test]) {
        for place in registers.iter().filter_map(|register| roles.place(register)) {
            let active = active.to_vec();
            self.volatile.push(Volatile { place, active });
        }
    }

    fn add_side_effect(&mut self, roles: &Roles<'_>, register: &str, on: (bool, bool), flag: &str) {
        if let (Some(address), Some(clears)) = (roles.address(register), roles.place(flag)) {
            self.side_effects.push(SideEffect {
                address,
                on_read: on.0,
                on_write: on.1,
                clears,
                certain: true,
            });
        }
    }

    fn add_self_clearing(&mut self, roles: &Roles<'_>, role: &str, by_program: bool) {
        self.add_self_clearing_while(roles, role, by_program, &[]);
    }

    fn add_self_clearing_while(&mut self, roles: &Roles<'_>, role: &str, by_program: bool, active: &[Test]) {
        self.self_clearing
            .extend(roles.place(role).map(|place| SelfClearing {
                place,
                by_program,
                active: active.to_vec(),
            }));
    }

    fn add_zeros(&mut self, place: Option<Place>, active: &[Test]) {
        let active = active.to_vec();
        self.zeros.extend(place.map(|place| Zeros { place, active }));
    }

    fn add_sequences(&mut self, device: &Device) {
        for sequence in &device.timed {
            let Some(register) = device.register(&sequence.register) else {
                continue;
            };
            let address = register.address;
            self.sequences.push(Sequence {
                address,
                permission: sequence.permission,
                with: (sequence.with_ones, sequence.with_zeros),
                protects: sequence.protects,
                set_freely: sequence.set_freely,
                ends: sequence.ends,
            });
            self.timed.push(Place {
                address,
                mask: sequence.permission,
            });
            if sequence.fades {
                self.self_clearing.push(SelfClearing {
                    place: Place {
                        address,
                        mask: sequence.protects,
                    },
                    by_program: true,
                    active: Vec::new(),
                });
            }
        }
    }

    fn add_pin_interrupt(&mut self, roles: &Roles<'_>, sense: Option<Place>) {
        let (Some(pins), Some(flag)) = (roles.place("pin"), roles.place("flag")) else {
            return;
        };
        let Some(port) = self.ports.iter().position(|port| port.pin == pins.address) else {
            return;
        };
        let selection = roles.address("mask");
        if selection.is_none() {
            let input = Place {
                address: self.ports[port].ddr,
                mask: pins.mask,
            };
            let overrides = self.overrides.iter();
            let taken = overrides.filter(|one| one.port == port && one.mask == pins.mask);
            let sources = taken.map(|one| one.active.clone());
            // Two sense bits of 0 select the low level, which sets no flag.
            let edge = sense.filter(|place| place.mask.count_ones() == 2).map(Test::Any);
            for mut active in sources.chain([vec![Test::None(input)]]) {
                active.extend(edge);
                self.events.push(Event { flag, active });
            }
        }
        self.pins.push(PinInterrupt {
            port,
            pins,
            selection,
            sense,
            flag,
        });
    }

    fn add_timer(&mut self, roles: &Roles<'_>) {
        let running = roles.any(&["clock0", "clock1", "clock2", "clock3"]);
        let events = ["overflow", "match_a", "match_b", "match_c", "match_d"];
        self.add_events(roles, &events, &running);
        // A capture needs the pin alone.
        self.add_events(roles, &["capture"], &[]);
        self.add_volatile(roles, &["counter", "counter_low", "counter_high"], &running);
        self.add_volatile(roles, &["capture_low", "capture_high"], &[]);
        // A clock of its own: what is written arrives some cycles later, and a change of the clock corrupts
        // the registers.
        let asynchronous = roles.any(&["asynchronous"]);
        if let Some(bit) = roles.place("asynchronous") {
            self.add_volatile(roles, &["counter"], &asynchronous);
            for place in ["counter", "compare_a", "compare_b"]
                .into_iter()
                .filter_map(|role| roles.place(role))
            {
                self.upsets.push(Upsets { bit, place });
            }
        }
        let temporary = self.temporaries();
        for (name, on_read) in [
            ("counter", true),
            ("compare_a", false),
            ("compare_b", false),
            ("compare_c", false),
            ("capture", true),
        ] {
            let half = |which: &str| roles.address(&format!("{name}_{which}"));
            if let (Some(low), Some(high)) = (half("low"), half("high")) {
                self.pairs.push(Pair {
                    low,
                    high,
                    temporary,
                    on_read,
                });
            }
        }
    }

    /// The number of registers through which high bytes go.
    fn temporaries(&self) -> usize {
        self.pairs.last().map_or(0, |pair| pair.temporary + 1)
    }

    /// The number of cells behind all memories: high bytes on their way, and bits that no register shows.
    #[must_use]
    pub fn cells_behind(&self) -> usize {
        match self.hidden {
            0 => self.temporaries(),
            hidden => MOST_TEMPORARIES as usize + hidden,
        }
    }

    fn add_adc(&mut self, roles: &Roles<'_>) {
        let on = roles.any(&["enable"]);
        // Without the enable bit a conversion ends, without a flag.
        let off: Vec<Test> = roles.place("enable").map(Test::None).into_iter().collect();
        self.add_zeros(roles.place("start"), &off);
        let converting = [on.clone(), roles.any(&["start", "automatic"])].concat();
        self.add_events(roles, &["flag"], &converting);
        self.add_self_clearing(roles, "start", false);
        if let (Some(busy), Some(flag)) = (roles.place("start"), roles.place("flag")) {
            self.operations.push(Operation {
                busy,
                flag,
                needs: on.clone(),
                started_by: None,
                again: roles.any(&["automatic"]),
            });
        }
        self.add_result(roles, &on);
    }

    /// The result of a conversion has ten bits, to the right in both registers or to the left.
    fn add_result(&mut self, roles: &Roles<'_>, on: &[Test]) {
        let Some(left) = roles.place("left_adjust") else {
            self.add_volatile(roles, &["low", "high"], on);
            return;
        };
        let (is_left, is_right) = (vec![Test::Any(left)], vec![Test::None(left)]);
        for (register, always, with, without) in [
            ("low", 0xC0, &is_right, &is_left),
            ("high", 0x03, &is_left, &is_right),
        ] {
            let Some(place) = roles.place(register) else {
                continue;
            };
            let (always, sometimes) = (
                Place {
                    mask: always,
                    ..place
                },
                Place {
                    mask: !always,
                    ..place
                },
            );
            self.volatile.push(Volatile {
                place: always,
                active: on.to_vec(),
            });
            self.volatile.push(Volatile {
                place: sometimes,
                active: [on, with].concat(),
            });
            self.add_zeros(Some(sometimes), without);
            self.upsets.push(Upsets { bit: left, place });
        }
    }

    fn add_usart(&mut self, roles: &Roles<'_>) {
        let receiving = roles.any(&["receive_enable"]);
        self.add_events(roles, &["received"], &receiving);
        // What is being sent when the transmitter is disabled is sent to its end.
        self.add_events(roles, &["empty", "transmitted"], &[]);
        let errors = ["frame_error", "overrun", "parity_error", "ninth_bit"];
        self.add_volatile(roles, &errors, &receiving);
        // Disabling the receiver flushes its buffer.
        let deaf: Vec<Test> = roles
            .place("receive_enable")
            .map(Test::None)
            .into_iter()
            .collect();
        for flushed in ["received", "frame_error", "overrun", "parity_error"] {
            self.add_zeros(roles.place(flushed), &deaf);
        }
        self.add_volatile(roles, &["data", "shared"], &[]);
        self.add_side_effect(roles, "data", (true, false), "received");
        self.add_side_effect(roles, "data", (false, true), "empty");
    }

    fn add_spi(&mut self, roles: &Roles<'_>) {
        let on = roles.any(&["enable"]);
        self.add_volatile(roles, &["collision"], &on);
        self.add_volatile(roles, &["data"], &[]);
        self.add_side_effect(roles, "data", (true, true), "flag");
        if let Some(effect) = self.side_effects.last_mut() {
            effect.certain = false;
        }
        // Another master selects this one, which is then a slave and has a flag set; that needs the pin to be
        // an input.
        let selectable: Vec<Test> = roles.place("select").map(Test::None).into_iter().collect();
        self.add_self_clearing_while(roles, "master", true, &selectable);
        let Some(master) = roles.place("master") else {
            self.add_events(roles, &["flag"], &on);
            return;
        };
        // A slave is told by its master when bytes come; a master sends when a byte is written.
        self.add_events(roles, &["flag"], &[on.clone(), vec![Test::None(master)]].concat());
        let (flag, started_by) = (roles.place("flag"), roles.address("data"));
        let busy = self.hidden(roles.device);
        if let Some(flag) = flag {
            self.add_events(roles, &["flag"], &[on.clone(), vec![Test::Any(busy)]].concat());
            self.operations.push(Operation {
                busy,
                flag,
                needs: on,
                started_by,
                again: Vec::new(),
            });
        }
        let off: Vec<Test> = roles.place("enable").map(Test::None).into_iter().collect();
        self.add_zeros(Some(busy), &off);
    }

    /// A bit that no register shows: a cell of its own behind all memories.
    pub(crate) fn hidden(&mut self, device: &Device) -> Place {
        let memories = device.sram.end() + device.eeprom.size + u32::from(device.flash_page);
        self.hidden += 1;
        let number = MOST_TEMPORARIES + self.hidden as u32 - 1;
        Place {
            address: (memories + number) as u16,
            mask: 1,
        }
    }

    fn add_twi(&mut self, roles: &Roles<'_>) {
        let on = roles.any(&["enable"]);
        self.add_events(roles, &["flag"], &on);
        if let Some(status) = roles.place("status") {
            // The lower bits are the prescaler, which the program writes.
            let place = Place { mask: 0xF8, ..status };
            let active = on.clone();
            self.volatile.push(Volatile { place, active });
        }
        // Whether a write to the data register is taken depends on what is on the bus.
        self.add_volatile(roles, &["data", "collision"], &[]);
        self.add_self_clearing(roles, "stop", false);
    }

    fn add_eeprom(&mut self, roles: &Roles<'_>) {
        let places = (roles.place("read"), roles.place("write"), roles.place("master"));
        let registers = (roles.address("address_low"), roles.address("data"));
        if let ((Some(read), Some(write), Some(master)), (Some(address_low), Some(data))) =
            (places, registers)
        {
            self.eeprom = Some(Eeprom {
                address_low,
                address_high: roles.address("address_high"),
                data,
                read,
                write,
                master,
                mode: roles.joined(&["mode0", "mode1"]),
            });
            self.add_self_clearing(roles, "write", false);
            self.timed.push(master);
        }
    }

    fn add_interrupts(&mut self, device: &Device) {
        let bit = |name| {
            let (address, bit) = device.bit(name)?;
            let mask = 1 << bit;
            Some(Place { address, mask })
        };
        for vector in &device.vectors {
            let Some(enable) = bit(&vector.enable) else {
                continue;
            };
            let flag = vector.flag.as_ref().and_then(bit);
            let pin = self
                .pins
                .iter()
                .position(|pin| Some(pin.flag) == flag && pin.selection.is_none());
            let request = match (flag, pin) {
                (_, Some(pin)) => Request::Pin(pin),
                (Some(flag), None) => Request::Flag(flag),
                // EE_RDY and SPM_RDY: ready when the busy bit is 0.
                (None, None) => match &self.eeprom {
                    Some(eeprom) if eeprom.write.address == enable.address => Request::Idle(eeprom.write),
                    _ if self.programming == Some(enable.address) => Request::Idle(Place {
                        address: enable.address,
                        mask: crate::programming::ENABLE,
                    }),
                    _ => Request::Open,
                },
            };
            self.interrupts.push(Interrupt {
                number: vector.number,
                name: vector.name.clone(),
                vector: device.vector_word(vector.number),
                enable,
                request,
                clears_on_entry: vector.clears_on_entry,
            });
        }
    }
}
