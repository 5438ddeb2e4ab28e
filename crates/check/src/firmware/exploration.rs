//! Explorations of a firmware that begin anew when the footprint was outgrown, or without the lazy stack when
//! that has given up an address to which the program returns after all, or when more is known of handlers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kripke_avr::atom::Atom;
use kripke_avr::core::address;
use kripke_avr::dead::{Analysis, Unforeseen};
use kripke_avr::live::Given;
use kripke_avr::micro::{Micro, Options, WhileOpen};
use kripke_explicit::{Checkpoint, Limits, Stopped};
use kripke_model::Reason;

use super::load::Firmware;

/// What the reductions of an exploration know of the program, beside its code.
#[derive(Debug)]
struct Knowledge {
    given: Given,
    /// The code does not tell where control goes.
    is_void: bool,
}

impl Knowledge {
    /// What atoms look at.
    fn new(firmware: &Firmware, atoms: &[(Atom, WhileOpen)]) -> Self {
        let mut given = Given::default();
        let stack = firmware.image.static_end.unwrap_or(firmware.device.sram.start);
        for cell in atoms.iter().flat_map(|(atom, _)| atom.cells()) {
            match cell {
                0..32 => given.registers |= 1 << cell,
                _ if cell == u32::from(address::SREG) => given.flags = u8::MAX,
                _ => given.observes_stack |= cell >= stack,
            }
        }
        Self {
            given,
            is_void: false,
        }
    }

    /// Adds what a run did that was not foreseen.
    fn add(&mut self, unforeseen: &Unforeseen) {
        self.is_void |= unforeseen.control;
        unforeseen.add_to(&mut self.given);
    }

    /// What the reductions need, if there are any.
    fn analysis(&self, firmware: &Firmware, options: &Options) -> Option<Arc<Analysis>> {
        let is_wanted = options.dead_variable_reduction || options.interrupt_reduction;
        if self.is_void || !is_wanted || firmware.image.reset != 0 {
            return None;
        }
        let analysis = Analysis::new(&firmware.image, firmware.cfg(), &self.given);
        Some(Arc::new(analysis))
    }
}

/// Explores a firmware under some options until the footprint suffices. `budget` is what the exploration may
/// cost, and the user's wish to stop it.
///
/// `start` is the word address where properties begin, none for reset. `ended` says whether an exploration
/// was stopped, and how.
pub fn explore<R>(
    firmware: &Firmware,
    options: &Options,
    atoms: Vec<(Atom, WhileOpen)>,
    start: Option<u32>,
    budget: &Limits,
    ended: impl Fn(&R) -> Option<Stopped>,
    mut run: impl FnMut(&mut Micro, &Limits) -> R,
) -> (Micro, R) {
    let stop = Arc::new(AtomicBool::new(false));
    let done = Arc::new(AtomicBool::new(false));
    let mut limits = Limits {
        interrupt: Arc::clone(&stop),
        ..budget.clone()
    };
    let search = limits.clone();
    let mut knowledge = Knowledge::new(firmware, &atoms);
    let prepared = |options: &Options, knowledge: &Knowledge| {
        let (image, device) = (&firmware.image, &firmware.device);
        let options = &Options {
            analysis: knowledge.analysis(firmware, options),
            ..options.clone()
        };
        let mut micro = Micro::new(image, device, options.clone(), Arc::clone(&stop));
        micro.observe(atoms.clone());
        if let Some(word) = start {
            micro.begin_at(word);
        }
        micro.limit(search.clone());
        micro.discover();
        micro
    };
    let mut options = options.clone();
    // What tells where a handler has come does not commute with it; what it pushes tells that, too.
    let is_about_control = atoms.iter().any(|(atom, _)| atom.is_about_control());
    let sees_handlers = is_about_control || knowledge.given.observes_stack;
    options.interrupt_reduction &= !sees_handlers && options.statements.is_none();
    let mut micro = prepared(&options, &knowledge);
    let mut began = 0;
    // The user's interrupt reaches the search through the flag that the model sets, too.
    let watcher = {
        let (stop, done, user) = (
            Arc::clone(&stop),
            Arc::clone(&done),
            Arc::clone(&budget.interrupt),
        );
        std::thread::spawn(move || {
            while !done.load(Ordering::Relaxed) {
                if user.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                }
                std::thread::park_timeout(Duration::from_millis(50));
            }
        })
    };
    let result = loop {
        stop.store(budget.interrupt.load(Ordering::Relaxed), Ordering::Relaxed);
        // What was found out of handlers before the search is known in all of it.
        micro.handlers_have_grown();
        limits.checkpoint = checkpoint(budget, &micro, &knowledge, &atoms, start, began);
        began += 1;
        let result = run(&mut micro, &limits);
        let outgrown = micro.has_outgrown();
        let stopped = ended(&result).map(|stopped| stopped.reason);
        let given_up = budget.interrupt.load(Ordering::Relaxed)
            || matches!(&stopped, Some(reason) if !may_go_on(reason) && !outgrown);
        if given_up && (outgrown || micro.has_returned_to_forgotten()) {
            micro.give_up();
        } else if micro.has_returned_to_forgotten() {
            options.lazy_stack = false;
            micro = prepared(&options, &knowledge);
            continue;
        }
        if given_up || !outgrown && stopped.as_ref().is_some_and(|reason| !may_go_on(reason)) {
            break result;
        }
        if !micro.unforeseen().is_empty() {
            knowledge.add(micro.unforeseen());
            micro = prepared(&options, &knowledge);
        } else if micro.handlers_are_seen() {
            options.interrupt_reduction = false;
            micro = prepared(&options, &knowledge);
        } else if !outgrown && !micro.handlers_have_grown() {
            break result;
        }
    };
    done.store(true, Ordering::Relaxed);
    watcher.thread().unpark();
    // The watcher cannot fail: it only looks at flags.
    let _ = watcher.join();
    (micro, result)
}

/// Whether an exploration that ended for a reason may begin anew.
fn may_go_on(reason: &Reason) -> bool {
    matches!(reason, Reason::Interrupted | Reason::Probable { .. })
}

/// Where an exploration is written down: under what it depends on beside the program. What monitors of torn
/// accesses watch has no order in which it could be written down.
fn checkpoint(
    budget: &Limits,
    micro: &Micro,
    knowledge: &Knowledge,
    atoms: &[(Atom, WhileOpen)],
    start: Option<u32>,
    began: u32,
) -> Option<Checkpoint> {
    let checkpoint = budget.checkpoint.as_ref()?;
    let options = micro.options();
    if options.watch.is_some() {
        return None;
    }
    let notes = options.sharing.is_some();
    let options = Options {
        sharing: None,
        analysis: None,
        ..options.clone()
    };
    let (layout, handlers) = (micro.layout(), micro.handlers_known());
    let model = format!("{options:?} {notes} {knowledge:?} {handlers} {atoms:?} {start:?} {began} {layout}");
    Some(checkpoint.of_model(model.replace('\n', " ")))
}
