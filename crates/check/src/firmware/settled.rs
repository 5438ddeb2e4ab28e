//! Whether an LTL formula that holds has come true on each run before it ends by a fault.
//!
//! Idea: the four-valued monitor of the formula goes along with the microcontroller. Where it says ⊤ no
//! continuation violates the formula, so what follows the fault does not matter.
//!
//! Invariant: a state of the product is a state of the microcontroller and, behind it, the number of the
//! monitor's state that has read its letter.

use kripke_avr::micro::{Micro, UndefinedStep};
use kripke_explicit::{Limits, LtlFormula, Order, check_invariant};
use kripke_logic::{
    AutomatonPair, DeterministicMonitor, FourValued, Letter, MonitorLimits, Options, StateId,
};
use kripke_model::{Choice, KripkeStructure, Labels, Visit};

/// Bytes of the number of a monitor's state.
const NUMBER: usize = size_of::<u32>();

/// Whether the formula may become false by what follows a step behind which nothing is defined. It holds on
/// all runs of the model; where that is too much to find out, it may.
pub fn ltl_rests_on_ends(micro: &mut Micro, formula: &LtlFormula, limits: &Limits) -> bool {
    // Before the beginning there are no letters; behind a lost write they may be others.
    let unseen = |step: &UndefinedStep| step.is_early || !step.ends;
    if micro.undefined_steps().iter().any(unseen) {
        return true;
    }
    if micro.undefined_steps().is_empty() {
        return false;
    }
    let pair = AutomatonPair::new(formula.formula(), &Options::default()).ok();
    let monitor = pair.and_then(|pair| DeterministicMonitor::from_pair(&pair, &MonitorLimits::default()));
    let Some(monitor) = monitor else { return true };
    let mut product = Monitored { micro, monitor };
    let settled = check_invariant(&mut product, |open| open == 0, Order::BreadthFirst, limits);
    settled.map_or(true, |result| result.counterexample.is_some())
}

/// The microcontroller with a monitor beside it, labelled with whether a run ends by a fault before the
/// formula is true for good.
struct Monitored<'a> {
    micro: &'a mut Micro,
    monitor: DeterministicMonitor,
}

impl Monitored<'_> {
    /// The state of the product after a letter.
    fn joined(&self, state: &[u8], before: StateId) -> Vec<u8> {
        let after = self.monitor.step(before, Letter(self.micro.atoms_of(state)));
        let number = (after.index() as u32).to_le_bytes();
        [state, &number].concat()
    }

    /// The microcontroller's state, and the monitor's.
    fn parted(state: &[u8]) -> (&[u8], StateId) {
        let (own, number) = state.split_at(state.len() - NUMBER);
        let number = number
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | usize::from(*byte));
        (own, StateId::new(number))
    }
}

impl KripkeStructure for Monitored<'_> {
    fn state_size(&self) -> usize {
        self.micro.state_size() + NUMBER
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        let mut states = Vec::new();
        self.micro
            .initial_states(&mut |state| states.push(state.to_vec()));
        for state in states {
            if emit(&self.joined(&state, self.monitor.initial)).is_break() {
                return;
            }
        }
    }

    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        let (own, monitor) = Self::parted(state);
        let mut next = Vec::new();
        self.micro
            .successors(own, &mut |choice, state| next.push((choice, state.to_vec())));
        for (choice, state) in next {
            if emit(choice, &self.joined(&state, monitor)).is_break() {
                return;
            }
        }
    }

    fn labels(&mut self, state: &[u8]) -> Labels {
        let (own, monitor) = Self::parted(state);
        let letter = Letter(self.micro.atoms_of(own));
        let is_settled = self.monitor.value(monitor, letter) == FourValued::True;
        Labels::from(self.micro.ends_by_fault(own) && !is_settled)
    }
}
