//! The check for torn accesses: which data handlers share, then a search for a run that tears an access to
//! it.
//!
//! Idea: the exploration that looks for the other faults notes who accesses what. Only if some line of source
//! could be torn by what handlers can reach there is a second exploration, with the monitor of
//! [`kripke_avr::torn`].

use std::collections::BTreeSet;
use std::sync::Arc;

use kripke_avr::concrete::Blamed;
use kripke_avr::fault::Fault;
use kripke_avr::micro::{Micro, fault_label};
use kripke_avr::torn::{Sharing, Watch};
use kripke_explicit::{Path, Stopped, Survey, survey_invariants};
use kripke_model::{Labels, Place, Reason, Verdict};

use super::answer::Answer;
use super::attempt::Attempt;
use super::examine::Examination;
use super::exploration::explore;
use super::load::Firmware;
use super::properties::Given;
use super::verdict::complete;
use crate::failure::Failure;

/// The number of all states, or why not all were seen.
pub type States = Result<u64, Reason>;

/// What the exploration for the other faults says about shared data.
pub struct Shared {
    /// What may be torn.
    pub watch: Option<Watch>,
    /// Functions without lines of source that access shared data.
    pub unplaced: BTreeSet<String>,
    /// The number of all states, or why not all were seen.
    pub states: States,
}

impl Shared {
    /// Reads what an exploration noted.
    pub fn new(micro: &Micro, firmware: &Firmware, states: States) -> Self {
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
            states,
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
            let missing = "torn accesses are not looked for, as the file does not tell the lines of its \
                source (compile with -g)";
            self.report.assumptions.push(missing.to_owned());
        }
        sharing
    }

    /// Whether an exploration has seen all that the chip can do.
    pub fn whole(&mut self, micro: &Micro, stopped: Option<Stopped>, states: u64) -> Result<States, Failure> {
        if let Some(stopped) = stopped {
            return Ok(Err(stopped.reason));
        }
        Ok(match self.holding(micro, states)? {
            Answer::Open(reason) => Err(reason),
            _ => Ok(states),
        })
    }

    /// Whether accesses to shared data are torn.
    pub fn torn(&mut self, shared: Shared) -> Result<(), Failure> {
        let property = Given::fault(Fault::TornAccess);
        if !shared.unplaced.is_empty() {
            let names: Vec<String> = shared.unplaced.into_iter().collect();
            self.report.assumptions.push(format!(
                "torn accesses are looked for in lines of source; {} accesses data that handlers share and \
                 has none",
                names.join(", ")
            ));
        }
        let (torn, states) = match shared.watch {
            None => (Vec::new(), shared.states),
            Some(watch) => {
                let found = self.search(&property, Arc::new(watch));
                self.options.watch = None;
                let (torn, states) = found?;
                // What the first exploration has not seen may share more.
                (torn, shared.states.and(states))
            }
        };
        if torn.is_empty() {
            let verdict = match states {
                Ok(states) => complete(states),
                Err(reason) => Verdict::Unknown { reason },
            };
            self.push(&property, verdict);
        }
        for (index, verdict) in torn.into_iter().enumerate() {
            let mut line = Given::fault(Fault::TornAccess);
            if index > 0 {
                line.name = format!("{}.{}", line.name, index + 1);
            }
            self.push(&line, verdict);
        }
        Ok(())
    }

    /// The lines that are torn, and the number of all states, or why not all were seen.
    fn search(&mut self, property: &Given, watch: Arc<Watch>) -> Result<(Vec<Verdict>, States), Failure> {
        self.options.watch = Some(Arc::clone(&watch));
        let mut attempt = Attempt::new(self.first_options(true), self.widening);
        let mut pending = u64::MAX;
        let mut verdicts = Vec::new();
        loop {
            let (mut micro, survey) = self.tearing(&watch, pending, &attempt);
            let stopped = survey.stopped.clone();
            let is_last = stopped.is_none() || !attempt.may_go_on(&survey, &self.budget);
            let mut states = self.whole(&micro, survey.stopped, survey.exploration.stored)?;
            self.blamed = Blamed::default();
            let mut open = 0;
            let found = survey.counterexamples.into_iter().enumerate();
            for (number, path) in found.filter_map(|(number, path)| Some((number, path?))) {
                let length = path.states.len();
                let answer = Answer::Violated { path, lasso: None };
                let mut verdict = self.universal(property, answer, &mut micro, 0)?;
                if verdict.is_none() && attempt.is_plain() && is_last {
                    self.options.watch = Some(Arc::new(watch.of_line(number)));
                    verdict = Some(self.exactly(property)?);
                }
                match verdict {
                    Some(verdict @ Verdict::Violated { .. }) => verdicts.push((length, verdict)),
                    Some(Verdict::Unknown { reason }) => states = Err(reason),
                    Some(_) => {}
                    None => {
                        open |= 1 << number;
                        continue;
                    }
                }
                pending &= !(1 << number);
            }
            if is_last && open == 0 {
                // The shortest run first.
                verdicts.sort_by_key(|(length, _)| *length);
                return Ok((verdicts.into_iter().map(|(_, verdict)| verdict).collect(), states));
            }
            if stopped.is_none() {
                pending = open;
            }
            let blamed = std::mem::take(&mut self.blamed);
            if let Some(text) = attempt.go_on(&micro, stopped.is_some(), blamed, self.firmware) {
                self.events.remarked(&text);
            }
        }
    }

    /// Looks for runs that tear accesses of those lines whose bits are set.
    fn tearing(&self, watch: &Watch, pending: u64, attempt: &Attempt) -> (Micro, Survey) {
        let lines = watch.lines();
        let torn = fault_label(Fault::TornAccess);
        let failing = |labels: Labels| {
            if labels & torn == 0 {
                0
            } else {
                labels & !torn & pending
            }
        };
        explore(
            self.firmware,
            &attempt.options,
            Vec::new(),
            None,
            &attempt.budget(&self.budget),
            |survey: &Survey| survey.stopped.clone(),
            |micro, limits| {
                if attempt.counts_values() {
                    micro.count_values();
                }
                survey_invariants(micro, lines, failing, limits)
            },
        )
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
