//! The kinds of peripherals that the simulator knows, and the roles that registers and bits play in each.
//!
//! Idea: a peripheral of a device file is a kind and, by role, the places it lives in. A role's value is
//! `REGISTER` or `REGISTER.BIT`, the bit by name or as a digit. Which of the two, and whether the role may be
//! absent, the kind says.
//!
//! Invariant: a misspelt or forgotten role is refused. Ignoring it would leave behaviour out of the model,
//! and a property that fails on the chip would hold.
//!
//! Source: the parts of the megaAVR datasheets' register descriptions that the kinds are named after.

use std::collections::{BTreeMap, BTreeSet};

/// A kind of peripheral.
struct Kind {
    name: &'static str,
    /// Roles played by a register.
    registers: &'static [&'static str],
    /// Roles played by a bit.
    bits: &'static [&'static str],
    /// Roles that may be absent; all others are required, except those in `choices`.
    optional: &'static [&'static str],
    /// Roles that are there together or not at all.
    together: &'static [&'static [&'static str]],
    /// Of each pair of groups, exactly one is there.
    choices: &'static [(&'static [&'static str], &'static [&'static str])],
    /// Roles that bits of one register play, as one number or as alternatives.
    one_register: &'static [&'static [&'static str]],
}

const NOTHING: Kind = Kind {
    name: "",
    registers: &[],
    bits: &[],
    optional: &[],
    together: &[],
    choices: &[],
    one_register: &[],
};

const KINDS: &[Kind] = &[
    Kind {
        name: "port",
        registers: &["ddr", "port", "pin"],
        ..NOTHING
    },
    // Sensed by two bits (low level, change, falling, rising), or by one bit that only chooses the edge.
    Kind {
        name: "external_interrupt",
        bits: &["enable", "flag", "pin", "sense0", "sense1", "edge"],
        choices: &[(&["sense0", "sense1"], &["edge"])],
        one_register: &[&["sense0", "sense1"]],
        ..NOTHING
    },
    Kind {
        name: "pin_change",
        registers: &["mask", "pin"],
        bits: &["enable", "flag"],
        ..NOTHING
    },
    // Clock selection, the counter of 8 or 16 bits, flags, compare and capture registers, forced compare
    // matches.
    Kind {
        name: "timer",
        registers: &[
            "counter",
            "counter_low",
            "counter_high",
            "compare_a",
            "compare_a_low",
            "compare_a_high",
            "compare_b",
            "compare_b_low",
            "compare_b_high",
            "compare_c",
            "compare_c_low",
            "compare_c_high",
            "capture_low",
            "capture_high",
        ],
        bits: &[
            "clock0",
            "clock1",
            "clock2",
            "clock3",
            "asynchronous",
            "overflow",
            "match_a",
            "match_b",
            "match_c",
            "match_d",
            "capture",
            "force_a",
            "force_b",
            "force_c",
        ],
        optional: &[
            "asynchronous",
            "clock3",
            "match_a",
            "match_b",
            "match_c",
            "match_d",
            "capture",
            "force_a",
            "force_b",
            "force_c",
            "compare_a",
            "compare_b",
            "compare_c",
        ],
        together: &[
            &["compare_a_low", "compare_a_high"],
            &["compare_b_low", "compare_b_high"],
            &["compare_c_low", "compare_c_high"],
            &["capture_low", "capture_high"],
        ],
        choices: &[(&["counter"], &["counter_low", "counter_high"])],
        one_register: &[&["clock0", "clock1", "clock2", "clock3"]],
    },
    Kind {
        name: "adc",
        registers: &["low", "high"],
        bits: &["enable", "start", "automatic", "flag", "left_adjust"],
        optional: &["automatic", "left_adjust"],
        one_register: &[&["start", "automatic"]],
        ..NOTHING
    },
    // `shared` and `shared_high` have one address; the bit `select`, when written, says which of them is
    // meant.
    Kind {
        name: "usart",
        registers: &["data", "shared", "shared_high"],
        bits: &[
            "receive_enable",
            "transmit_enable",
            "received",
            "empty",
            "transmitted",
            "frame_error",
            "overrun",
            "parity_error",
            "ninth_bit",
            "select",
        ],
        optional: &["frame_error", "overrun", "parity_error", "ninth_bit"],
        together: &[&["shared", "shared_high", "select"]],
        ..NOTHING
    },
    // Hardware clears `master` when another master selects this one: only while `select`, the direction of
    // the pin, is 0.
    Kind {
        name: "spi",
        registers: &["data"],
        bits: &["enable", "master", "flag", "collision", "select"],
        optional: &["master", "collision", "select"],
        ..NOTHING
    },
    Kind {
        name: "twi",
        registers: &["status", "data"],
        bits: &["enable", "flag", "start", "stop", "collision"],
        optional: &["collision"],
        ..NOTHING
    },
    // `clock` is the bit of PORT that `toggle` inverts.
    Kind {
        name: "usi",
        registers: &["data", "buffer"],
        bits: &["start", "overflow", "toggle", "clock", "mode0", "mode1"],
        optional: &["buffer"],
        one_register: &[&["mode0", "mode1"]],
        ..NOTHING
    },
    Kind {
        name: "eeprom",
        registers: &["address_low", "address_high", "data"],
        bits: &["read", "write", "master", "mode0", "mode1"],
        optional: &["address_high"],
        together: &[&["mode0", "mode1"]],
        one_register: &[&["mode0", "mode1"]],
        ..NOTHING
    },
    Kind {
        name: "comparator",
        bits: &["disable", "output", "flag", "sense0", "sense1"],
        optional: &["sense0", "sense1"],
        together: &[&["sense0", "sense1"]],
        one_register: &[&["disable", "sense0", "sense1"]],
        ..NOTHING
    },
    Kind {
        name: "watchdog",
        bits: &["enable", "interrupt", "flag", "reset_flag"],
        optional: &["reset_flag"],
        together: &[&["interrupt", "flag"]],
        ..NOTHING
    },
    Kind {
        name: "sleep",
        bits: &["enable"],
        ..NOTHING
    },
    // Where the vectors are: at the start of flash or of its boot section.
    Kind {
        name: "vector_table",
        bits: &["select"],
        ..NOTHING
    },
    // Why the chip was reset: a flag stays until the program clears it, and power-on clears the others.
    Kind {
        name: "reset_causes",
        bits: &["power_on", "external", "brown_out", "watchdog", "debugger"],
        optional: &["debugger"],
        one_register: &[&["power_on", "external", "brown_out", "watchdog", "debugger"]],
        ..NOTHING
    },
    Kind {
        name: "self_programming",
        registers: &["control"],
        bits: &["enable", "busy"],
        optional: &["busy"],
        ..NOTHING
    },
];

/// What is wrong with the roles of a peripheral of that kind, places apart.
pub(super) fn fault(kind: &str, roles: &BTreeMap<String, String>) -> Option<String> {
    let Some(known) = KINDS.iter().find(|known| known.name == kind) else {
        let kinds: Vec<&str> = KINDS.iter().map(|known| known.name).collect();
        return Some(format!("is of no known kind; the kinds are {}", kinds.join(", ")));
    };
    known.unknown_role(roles).or_else(|| known.missing_role(roles))
}

/// Roles that bits of one register have to play and bits of several do.
pub(super) fn apart(
    kind: &str,
    roles: &BTreeMap<String, String>,
    address: impl Fn(&str) -> Option<u16>,
) -> Option<String> {
    let known = KINDS.iter().find(|known| known.name == kind)?;
    let lie_apart = |group: &&&[&str]| {
        let places = group.iter().filter_map(|role| address(roles.get(*role)?));
        places.collect::<BTreeSet<u16>>().len() > 1
    };
    let group = known.one_register.iter().find(lie_apart)?;
    Some(group.join(", "))
}

impl Kind {
    fn unknown_role(&self, roles: &BTreeMap<String, String>) -> Option<String> {
        roles.iter().find_map(|(role, value)| {
            let wanted = match (
                self.registers.contains(&role.as_str()),
                self.bits.contains(&role.as_str()),
            ) {
                (true, _) if value.contains('.') => "a register",
                (_, true) if !value.contains('.') => "a bit, REGISTER.BIT",
                (false, false) => {
                    let all: Vec<&str> = self.registers.iter().chain(self.bits).copied().collect();
                    return Some(format!("has no role `{role}`; its roles are {}", all.join(", ")));
                }
                _ => return None,
            };
            Some(format!(
                "has `{value}` in the role `{role}`, which is for {wanted}"
            ))
        })
    }

    fn missing_role(&self, roles: &BTreeMap<String, String>) -> Option<String> {
        let there = |role: &&str| roles.contains_key(*role);
        for (first, second) in self.choices {
            let complete = (first.iter().all(there), second.iter().all(there));
            let begun = (first.iter().any(there), second.iter().any(there));
            if !matches!(
                (complete, begun),
                ((true, false), (true, false)) | ((false, true), (false, true))
            ) {
                return Some(format!(
                    "needs either {} or {}",
                    first.join(" and "),
                    second.join(" and ")
                ));
            }
        }
        for group in self.together {
            if group.iter().any(there) && !group.iter().all(there) {
                return Some(format!("needs all of {} or none", group.join(", ")));
            }
        }
        let missing = self
            .required()
            .into_iter()
            .find(|role| !roles.contains_key(*role))?;
        Some(format!("lacks the role `{missing}`"))
    }

    fn required(&self) -> BTreeSet<&'static str> {
        let chosen = self
            .choices
            .iter()
            .flat_map(|(first, second)| first.iter().chain(*second));
        let grouped = self.together.iter().flat_map(|group| group.iter());
        let free: BTreeSet<&str> = chosen.chain(grouped).chain(self.optional).copied().collect();
        let all = self.registers.iter().chain(self.bits).copied();
        all.filter(|role| !free.contains(role)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::KINDS;

    #[test]
    fn every_kind_and_role_is_documented() {
        let text = include_str!("../../../../docs/devices.md");
        for kind in KINDS {
            let start = format!("| `{}` |", kind.name);
            let row = text
                .lines()
                .find(|line| line.starts_with(&start))
                .unwrap_or_else(|| panic!("docs/devices.md has no row for {}", kind.name));
            for role in kind.registers.iter().chain(kind.bits) {
                // The halves of the compare registers share one place in the table.
                let half =
                    role.starts_with("compare_") && (role.ends_with("_low") || role.ends_with("_high"));
                assert!(
                    half || row.contains(&format!("`{role}`")),
                    "docs/devices.md: {} lacks {role}",
                    kind.name
                );
            }
        }
    }

    #[test]
    fn rules_only_name_roles_of_their_kind() {
        for kind in KINDS {
            let groups = kind.choices.iter().flat_map(|(first, second)| [*first, *second]);
            let named = groups
                .chain(kind.together.iter().copied())
                .chain(kind.one_register.iter().copied())
                .chain([kind.optional])
                .flatten();
            for role in named {
                assert!(
                    kind.registers.contains(role) || kind.bits.contains(role),
                    "{} {role}",
                    kind.name
                );
            }
            assert!(
                kind.registers.iter().all(|role| !kind.bits.contains(role)),
                "{}",
                kind.name
            );
        }
    }
}
