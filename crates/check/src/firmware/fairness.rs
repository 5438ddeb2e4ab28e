//! LTL on the runs in which hardware finishes what was started.
//!
//! Idea: φ is checked. A counterexample is a loop; where something is under way all round it, the run is one
//! in which that never ends, so φ is checked anew under the assumption that it does: GF ¬(under way) → φ.
//! Only what some counterexample needs is assumed, and so listed.
//!
//! Invariant: states say what is under way ([`kripke_avr::fair`]), because the end of what is assumed to end
//! is a choice of its own; of all else, what may have ended counts as under way, and is then assumed, too.
//! An assumption excludes only runs in which something is under way for ever from some point on.

use kripke_avr::micro::Micro;
use kripke_explicit::{LassoPath, Limits, LtlFormula, LtlResult, Stopped, check_ltl};
use kripke_logic::{Atom, Formula, Options, UnaryOperator};
use kripke_model::{Choice, KripkeStructure, Labels, Reason, Visit};

/// An answer, and what it assumes to end.
pub struct Fair {
    pub result: LtlResult,
    pub assumed: Vec<String>,
}

/// Checks a formula on fair runs.
pub fn check(micro: &mut Micro, formula: &LtlFormula, limits: &Limits) -> Result<Fair, Stopped> {
    let all = micro.options().fair.len();
    let mut chosen: Vec<usize> = Vec::new();
    loop {
        micro.let_end(&chosen);
        let Some((weaker, first)) = assuming(formula, &chosen) else {
            return Err(Stopped {
                reason: Reason::Unsupported {
                    what: "the formula is too large with all that is assumed to end (--fair)".to_owned(),
                    place: String::new(),
                },
                states: 0,
                sample: [].into(),
            });
        };
        let mut model = UnderWay {
            micro: &mut *micro,
            chosen: &chosen,
            first,
        };
        let result = check_ltl(&mut model, &weaker, limits)?;
        let never_ends = |lasso: &LassoPath| {
            let around = &lasso.path.states[lasso.loop_start..];
            let is_endless = |index: &usize| around.iter().all(|state| is_under_way(micro, *index, state));
            (0..all)
                .filter(|index| !chosen.contains(index))
                .filter(is_endless)
                .collect()
        };
        let more: Vec<usize> = result.counterexample.as_ref().map(never_ends).unwrap_or_default();
        if more.is_empty() {
            let fair = &micro.options().fair;
            let mut assumed: Vec<String> = chosen.iter().map(|index| fair[*index].name.clone()).collect();
            assumed.sort_unstable();
            assumed.dedup();
            return Ok(Fair { result, assumed });
        }
        chosen.extend(more);
    }
}

fn is_under_way(micro: &Micro, index: usize, state: &[u8]) -> bool {
    micro.is_under_way(&micro.options().fair[index], state)
}

/// The formula under the assumptions, and the number of the first of their labels; none where that is too
/// large.
fn assuming(formula: &LtlFormula, chosen: &[usize]) -> Option<(LtlFormula, usize)> {
    let Formula { mut store, root } = formula.formula().clone();
    let first = store.atoms.len();
    let mut weaker = root;
    for index in chosen {
        let atom = store
            .atoms
            .intern(Atom::named(format!("number {index} is under way")))?;
        let under_way = store.atom(atom);
        // FG (under way), or what is left.
        let always = store.unary(UnaryOperator::Globally, under_way);
        let never_ends = store.unary(UnaryOperator::Finally, always);
        weaker = store.or([never_ends, weaker]);
    }
    let weaker = LtlFormula::new(&Formula { store, root: weaker }, &Options::default()).ok()?;
    Some((weaker, first))
}

/// The microcontroller, with a label for each of some obligations: it is under way.
struct UnderWay<'a> {
    micro: &'a mut Micro,
    chosen: &'a [usize],
    /// The number of the first label.
    first: usize,
}

impl KripkeStructure for UnderWay<'_> {
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
        let chosen = self.chosen.iter().enumerate();
        chosen.fold(self.micro.atoms_of(state), |labels, (label, index)| {
            let holds = is_under_way(self.micro, *index, state);
            labels | Labels::from(holds) << (self.first + label)
        })
    }
}
