//! The check for torn accesses: which data handlers share, then a search for a run that tears an access to it.
//!
//! Idea: the exploration that looks for the other faults notes who accesses what. Only if some line of source could be torn
//! by what handlers can reach there is a second exploration, with the monitor of [`kripke_avr::torn`].

use std::collections::BTreeSet;
use std::sync::Arc;

use kripke_avr::fault::Fault;
use kripke_avr::micro::Micro;
use kripke_avr::torn::{Sharing, Watch};
use kripke_explicit::Path;
use kripke_model::{Place, Reason, Verdict};

use super::examine::{Answer, Examination};
use super::load::Firmware;
use super::properties::Given;
use crate::failure::Failure;

/// What the exploration for the other faults says about shared data.
pub struct Shared {
    /// What may be torn.
    pub watch: Option<Watch>,
    /// Functions without lines of source that access shared data.
    pub unplaced: BTreeSet<String>,
    /// The answer if nothing may be torn.
    pub otherwise: Answer,
}

impl Shared {
    /// Reads what an exploration noted.
    pub fn new(micro: &Micro, firmware: &Firmware, otherwise: Answer) -> Self {
        let unplaced = micro.unplaced_accesses();
        Self {
            watch: micro.watch(),
            unplaced: unplaced
                .into_iter()
                .map(|word| match firmware.place(word).function {
                    unnamed if unnamed.is_empty() => firmware.code_name(word),
                    function => function,
                })
                .collect(),
            otherwise,
        }
    }
}

impl Examination<'_> {
    /// What accesses are to be noted of; none if the debug information does not tell lines.
    pub fn sharing(&mut self) -> Option<Arc<Sharing>> {
        let Firmware {
            debug, image, device, ..
        } = self.firmware;
        let sharing = Sharing::new(debug, image, device).map(Arc::new);
        if sharing.is_none() {
            let missing = "torn accesses are not looked for, as the file does not tell the lines of its source (compile with -g)";
            self.report.assumptions.push(missing.to_owned());
        }
        sharing
    }

    /// Whether accesses to shared data are torn.
    pub fn torn(&mut self, shared: Shared) -> Result<(), Failure> {
        let property = Given::fault(Fault::TornAccess);
        if !shared.unplaced.is_empty() {
            let names: Vec<String> = shared.unplaced.into_iter().collect();
            self.report.assumptions.push(format!(
                "torn accesses are looked for in lines of source; {} accesses data that handlers share and has none",
                names.join(", ")
            ));
        }
        let found = match shared.watch {
            None => Err(shared.otherwise),
            Some(watch) => {
                self.options.watch = Some(Arc::new(watch));
                let verdict = self.search(&property);
                self.options.watch = None;
                Ok((verdict?, shared.otherwise))
            }
        };
        let verdict = match found {
            // What was not explored may share more.
            Ok((Verdict::Holds { .. }, Answer::Open(reason))) | Err(Answer::Open(reason)) => {
                Verdict::Unknown { reason }
            }
            Ok((verdict, _)) => verdict,
            Err(Answer::Holds { states }) => super::examine::complete(states),
            Err(_) => Verdict::Unknown {
                reason: Reason::Interrupted,
            },
        };
        self.push(&property, verdict);
        Ok(())
    }

    fn search(&self, property: &Given) -> Result<Verdict, Failure> {
        let options = self.first_options(true);
        let (mut micro, answer) = self.ask(property, &options, Vec::new());
        match self.universal(property, answer, &mut micro, 0)? {
            Some(verdict) => Ok(verdict),
            None => self.exactly(property),
        }
    }
}

/// Who accesses what, at the end of a run that tears an access.
pub fn message(firmware: &Firmware, micro: &Micro, path: &Path) -> String {
    let Some(torn) = micro.torn_access(&path.states) else {
        return Fault::TornAccess.description().to_owned();
    };
    let bytes = match torn.object.size {
        1 => "1 byte".to_owned(),
        size => format!("{size} bytes"),
    };
    let how = match (torn.first.1, torn.second.1) {
        (false, false) => "read",
        (false, true) => "read and written back",
        (true, true) => "written",
        (true, false) => "written and read",
    };
    let (own, other) = (firmware.place(torn.first.0), firmware.place(torn.between.0));
    let interrupt = torn.interrupt.map(|index| &micro.rules().interrupts[index]);
    let handler = interrupt.map(|interrupt| format!("{}_vect", interrupt.name));
    let by = handler
        .filter(|handler| *handler != function(firmware, &other))
        .map_or_else(String::new, |handler| format!(" (called by {handler})"));
    format!(
        "'{}' ({bytes}) is {how} in {}, and {} in {}{by}, in between",
        torn.object.name,
        shown(firmware, &own),
        if torn.between.1 { "written" } else { "read" },
        shown(firmware, &other),
    )
}

/// The name of a function; of a handler, the interrupt's.
fn function(firmware: &Firmware, place: &Place) -> String {
    let number = place.function.strip_prefix("__vector_");
    let number = number.and_then(|number| number.parse::<u8>().ok());
    let mut interrupts = firmware.rules.interrupts.iter();
    match interrupts.find(|interrupt| Some(interrupt.number) == number) {
        Some(interrupt) => format!("{}_vect", interrupt.name),
        None => place.function.clone(),
    }
}

fn shown(firmware: &Firmware, place: &Place) -> String {
    let file = std::path::Path::new(&place.file);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    match place.line {
        0 => function(firmware, place),
        line => format!("{}, {name}:{line}", function(firmware, place)),
    }
}
