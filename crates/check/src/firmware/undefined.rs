//! What may follow a fault: anything, so that a verdict which rests on it is none.
//!
//! Idea: the model ends a run where what the chip does is no longer defined (and where a write is lost, goes
//! on as if it had not been). If the fault is among the properties that are checked, it is reported by
//! itself, and the others hold up to it, as for C programs. If nobody checks it, an answer that what follows
//! could change is *unknown*, and the reason names the fault: looking for it is the remedy.
//!
//! An end that the abstraction has added would make answers unknown without need. So the fault that nobody
//! asked for is checked after all, once, and only where an answer depends on it.
//!
//! Source: of C programs, section 3.4.3 of C11 ("no requirements"); of traces that are cut, the monitors of
//! [`kripke_logic::Monitor`].

use std::collections::BTreeMap;

use kripke_avr::fault::Fault;
use kripke_avr::micro::{Micro, UndefinedStep};
use kripke_explicit::{
    CtlEvidence, Justification, LassoPath, Limits, LtlFormula, LtlResult, Path, Step, Stopped, check_ltl,
};
use kripke_logic::{Atom, Formula, FourValued, Letter, Monitor, MonitorLimits, Options, UnaryOperator};
use kripke_model::{Choice, KripkeStructure, Labels, Reason, Trace, Verdict, Visit};

use super::examine::Examination;
use super::properties::Given;
use crate::failure::Failure;

/// Which faults are checked, and what is known of those that are not.
pub struct Undefined {
    /// The bits of the faults that are among the properties.
    checked: u16,
    /// Whether faults are looked for at all, so that one more could be selected.
    some_selected: bool,
    /// Of faults that were looked at: where each happens, if it does.
    found: BTreeMap<Fault, Option<Happens>>,
}

/// A fault that a run commits.
#[derive(Clone)]
struct Happens {
    /// The run was found and done by the concrete core; else the fault could not be excluded.
    is_certain: bool,
    /// Where; empty where that is not known.
    place: String,
}

impl Undefined {
    /// Nothing is known yet but the faults that are checked.
    pub fn new(checked: &[Fault], some_selected: bool) -> Self {
        Self {
            checked: checked.iter().fold(0, |all, fault| all | fault.bit()),
            some_selected,
            found: BTreeMap::new(),
        }
    }
}

impl Examination<'_> {
    /// Why nothing that a search says of all runs is certain: some of them commit a fault that nobody checks,
    /// and behind it nothing is defined.
    pub(super) fn unchecked_end(&mut self, micro: &Micro) -> Result<Option<Reason>, Failure> {
        self.end_by_fault(micro, self.undefined.checked)
    }

    /// The same for an answer that rests on what follows a fault, checked or not.
    pub(super) fn any_end(&mut self, micro: &Micro) -> Result<Option<Reason>, Failure> {
        self.end_by_fault(micro, 0)
    }

    fn end_by_fault(&mut self, micro: &Micro, reported: u16) -> Result<Option<Reason>, Failure> {
        for step in micro.undefined_steps() {
            if step.faults & reported != 0 {
                continue;
            }
            // The step commits all of its faults: if one of them never happens, it does not either.
            let mut first: Option<(Fault, Happens)> = None;
            let mut is_possible = true;
            for fault in Fault::ALL
                .into_iter()
                .filter(|fault| step.faults & fault.bit() != 0)
            {
                match self.happens(fault, step.word)? {
                    Some(happens) => first = first.or(Some((fault, happens))),
                    None => is_possible = false,
                }
            }
            if let (true, Some((fault, happens))) = (is_possible, first) {
                return Ok(Some(self.reason(fault, happens)));
            }
        }
        Ok(None)
    }

    /// Checks a fault that nobody asked for: whether it may happen. `word` is where a search met it.
    fn happens(&mut self, fault: Fault, word: u32) -> Result<Option<Happens>, Failure> {
        if let Some(known) = self.undefined.found.get(&fault) {
            return Ok(known.clone());
        }
        // A first fault follows none; so all of them count as checked meanwhile.
        let checked = std::mem::replace(&mut self.undefined.checked, u16::MAX);
        let waveform = self.made.waveform.clone();
        let verdict = self.verdict_on(&Given::fault(fault));
        self.made.waveform = waveform;
        self.undefined.checked = checked;
        let happens = match verdict? {
            Verdict::Holds { .. } => None,
            Verdict::Violated { trace } => Some(Happens {
                is_certain: true,
                place: self.last_place(&trace),
            }),
            _ => Some(Happens {
                is_certain: false,
                place: self.line_of(word),
            }),
        };
        self.undefined.found.insert(fault, happens.clone());
        Ok(happens)
    }

    /// The verdict on a fault, which is reported to nobody.
    fn verdict_on(&mut self, fault: &Given) -> Result<Verdict, Failure> {
        let (sharing, watch) = (self.options.sharing.take(), self.options.watch.take());
        let fair = std::mem::replace(&mut self.options.fair, [].into());
        let options = self.first_options(true);
        let verdict = match self.universally(fault, options) {
            Ok(None) => self.exactly(fault),
            Ok(Some(verdict)) => Ok(verdict),
            Err(failure) => Err(failure),
        };
        (self.options.sharing, self.options.watch, self.options.fair) = (sharing, watch, fair);
        verdict
    }

    fn reason(&self, fault: Fault, happens: Happens) -> Reason {
        let what = fault.description();
        let what = match happens.is_certain {
            true => what.to_owned(),
            false => format!("perhaps {what}"),
        };
        let remedy = match (
            self.undefined.checked & fault.bit() != 0,
            self.undefined.some_selected,
        ) {
            (true, _) => format!("which {fault} reports; what follows is not defined"),
            (false, true) => format!("which no enabled property checks (--property {fault} checks it too)"),
            (false, false) => format!("which no enabled property checks ({fault}: leave out --check none)"),
        };
        Reason::Unsupported {
            what: format!("{what}, {remedy}"),
            place: happens.place,
        }
    }

    fn last_place(&self, trace: &Trace) -> String {
        let places = trace.steps.iter().rev().map(|step| &step.place);
        let lines = places.filter(|place| place.line > 0);
        lines
            .map(|place| format!("{}:{}", place.file, place.line))
            .next()
            .unwrap_or_else(|| self.firmware.path.to_string_lossy().into_owned())
    }

    fn line_of(&self, word: u32) -> String {
        let place = self.firmware.place(word);
        match place.line {
            0 => self.firmware.code_name(word),
            line => format!("{}:{line}", place.file),
        }
    }
}

/// Whether evidence says something about what follows the end of a run by a fault, or that something holds
/// about what follows a lost write; none where it leaves something to a search.
pub fn evidence_rests_on_ends(evidence: &CtlEvidence, micro: &Micro) -> Option<bool> {
    let is_early = |step: &UndefinedStep| step.is_early;
    if evidence.holds && micro.undefined_steps().iter().any(is_early) {
        return Some(true);
    }
    let mut is_left = false;
    for obligation in &evidence.obligations {
        let state = &evidence.states[obligation.state];
        if evidence.holds && micro.has_lost_write(state) {
            return Some(true);
        }
        match &obligation.justification {
            Justification::Labels => {}
            Justification::Searched => is_left = true,
            Justification::Links(links) => {
                let stays = links.iter().any(|link| link.step == Step::Stays);
                if stays && micro.ends_by_fault(state) {
                    return Some(true);
                }
            }
        }
    }
    (!is_left).then_some(false)
}

/// Whether what repeats in a run is its end by a fault.
pub fn ends_by_fault(micro: &Micro, lasso: &LassoPath) -> bool {
    let last = lasso.path.states.last();
    lasso.back.is_none() && last.is_some_and(|state| micro.ends_by_fault(state))
}

/// Whether a formula is false on a run whatever follows its last state.
pub fn is_bad_prefix(micro: &mut Micro, formula: &LtlFormula, path: &Path) -> bool {
    let monitor = Monitor::new(formula.formula(), &Options::default(), &MonitorLimits::default());
    let letters = path.states.iter().map(|state| Letter(micro.atoms_of(state)));
    let letters: Vec<Letter> = letters.collect();
    // A formula whose automaton is too large is not said to be false.
    monitor.is_ok_and(|monitor| monitor.run(&letters).last() == Some(&FourValued::False))
}

/// Checks a formula on the runs that do not end by a fault: whether it is true, or the end comes. None where
/// that is too large a formula.
pub fn check_ltl_to_ends(
    micro: &mut Micro,
    formula: &LtlFormula,
    limits: &Limits,
) -> Option<Result<LtlResult, Stopped>> {
    let Formula { mut store, root } = formula.formula().clone();
    let first = store.atoms.len();
    let end = store.atoms.intern(Atom::named("the run ends by a fault"))?;
    let end = store.atom(end);
    let comes = store.unary(UnaryOperator::Finally, end);
    let root = store.or([root, comes]);
    let weaker = LtlFormula::new(&Formula { store, root }, &Options::default()).ok()?;
    Some(check_ltl(&mut WithEnds { micro, first }, &weaker, limits))
}

/// The microcontroller, with one more label: the run has ended by a fault.
struct WithEnds<'a> {
    micro: &'a mut Micro,
    /// The number of the label.
    first: usize,
}

impl KripkeStructure for WithEnds<'_> {
    fn state_size(&self) -> usize {
        self.micro.state_size()
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        self.micro.initial_states(emit);
    }

    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        self.micro.successors(state, emit);
    }

    fn labels(&mut self, state: &[u8]) -> Labels {
        self.micro.atoms_of(state) | Labels::from(self.micro.ends_by_fault(state)) << self.first
    }
}
