//! Whether the path to another iteration or a deeper recursion can be taken at all.
//!
//! Idea: where inputs decide how often loops go on, ranges alone do not see that the third round of an inner
//! loop leaves nothing for the third round of the outer one, and everything is executed bound times bound
//! times. So the solver is asked before an iteration is executed. It is asked little: inputs that were found
//! once often lead into the next iteration, too, and a question whose answer is "yes" was in vain, so only a
//! part of the time goes into those.
//!
//! Invariant: a path that is said to be impossible is; the solver is told less than is known (nothing of
//! addresses, of functions of analysis only that they have values), never more.
//!
//! Source: bounded model checkers that ask while they execute, such as `--smt-symex-guard` of ESBMC.

use std::time::{Duration, Instant};

use kripke_limits::stretched;
use kripke_smt::{Evaluator, Solver, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::kept::{Answer, Kept};
use crate::options::Options;
use crate::path::PathId;

/// What may be spent in vain in any case.
const ALLOWANCE: Duration = Duration::from_millis(1000);
/// The part of all time that may be spent in vain.
const PART: u32 = 2;
/// The longest that a single question may take.
const LONGEST: Duration = Duration::from_secs(2);
/// How many models are kept.
const MODELS: usize = 4;

/// Values of the variables that were met; others are zero.
type Model = FxHashMap<TermId, Value>;

/// Decides whether paths can be taken.
pub(crate) struct Feasibility {
    solver: Kept,
    /// Conditions that were asked for, over all bounds.
    known: FxHashMap<TermId, bool>,
    /// Conditions of which it was asked whether they are certainly possible.
    allowed: FxHashMap<TermId, bool>,
    /// Those that were found impossible since the run began.
    pub excluded: Vec<TermId>,
    /// Inputs that lead to places of interest, latest last.
    models: Vec<Model>,
    started: Instant,
    /// Time for questions that excluded nothing.
    in_vain: Duration,
    /// Time for questions that did.
    useful: Duration,
}

impl Feasibility {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Feasibility {
            solver: Kept::default(),
            known: FxHashMap::default(),
            excluded: Vec::new(),
            allowed: FxHashMap::default(),
            models: Vec::new(),
            started: Instant::now(),
            in_vain: Duration::ZERO,
            useful: Duration::ZERO,
        }
    }

    /// Is the condition certainly false?
    fn excludes(&mut self, terms: &Terms, options: &Options, condition: TermId) -> bool {
        if let Some(value) = terms.as_bool(condition) {
            return !value;
        }
        if let Some(possible) = self.known.get(&condition) {
            return !possible;
        }
        if self.in_vain > stretched(ALLOWANCE) + self.useful * 2 + self.started.elapsed() / PART {
            return false;
        }
        let began = Instant::now();
        let is_met = self.models.iter().any(|model| satisfies(terms, model, condition));
        let excluded = !is_met && self.ask(terms, options, condition);
        let account = if excluded {
            &mut self.useful
        } else {
            &mut self.in_vain
        };
        *account += began.elapsed();
        self.known.insert(condition, !excluded);
        excluded
    }

    /// Is the condition certainly true for some inputs?
    fn allows(&mut self, terms: &Terms, options: &Options, condition: TermId) -> bool {
        if let Some(value) = terms.as_bool(condition) {
            return value;
        }
        if let Some(possible) = self.allowed.get(&condition) {
            return *possible;
        }
        let is_met = self.models.iter().any(|model| satisfies(terms, model, condition));
        let until = Instant::now() + stretched(LONGEST);
        let is_possible = is_met || {
            let answer = self.solver.ask(terms, options, &[condition], until);
            matches!(answer, Answer::Possible(_))
        };
        self.allowed.insert(condition, is_possible);
        is_possible
    }

    fn ask(&mut self, terms: &Terms, options: &Options, condition: TermId) -> bool {
        let until = Instant::now() + stretched(LONGEST);
        match self.solver.ask(terms, options, &[condition], until) {
            Answer::Impossible => true,
            Answer::Possible(solver) => {
                let model = model_of(solver, terms, condition);
                if self.models.len() == MODELS {
                    self.models.remove(0);
                }
                self.models.push(model);
                false
            }
            Answer::Open => false,
        }
    }
}

/// The values that the solver has found for the variables of a condition.
fn model_of(solver: &mut dyn Solver, terms: &Terms, condition: TermId) -> Model {
    let mut model = Model::default();
    for variable in terms.variables_of(&[condition]) {
        if let Ok(value) = solver.variable_value(terms, variable) {
            model.insert(variable, value);
        }
    }
    model
}

fn satisfies(terms: &Terms, model: &Model, condition: TermId) -> bool {
    let value = |variable: TermId| {
        let known = model.get(&variable).cloned();
        known.unwrap_or_else(|| Value::zero(terms.sort(variable)))
    };
    Evaluator::new(terms, &value).evaluate(condition).as_bool() == Some(true)
}

impl Engine<'_> {
    /// Is there certainly a run that takes the path? Of functions of analysis it is not known.
    pub(crate) fn is_possible(&mut self, path: PathId) -> bool {
        let condition = self.run.paths.term(path);
        !self.speak_of_math(&[condition]) && self.feasibility.allows(&self.terms, self.options, condition)
    }

    /// Is it known that no run takes the path? Whatever the time for questions in vain.
    pub(crate) fn is_excluded(&mut self, path: PathId) -> bool {
        let condition = self.run.paths.term(path);
        if self.terms.as_bool(condition).is_some() {
            return self.terms.as_bool(condition) == Some(false);
        }
        self.feasibility.ask(&self.terms, self.options, condition)
    }

    /// Can no run take the path? Only asked where a run would repeat something under inputs that decide
    /// it. An induction takes over what is known: its arbitrary states would have to be excluded by
    /// invariants.
    pub(crate) fn is_impossible(&mut self, path: PathId) -> bool {
        if !self.options.feasibility {
            return false;
        }
        let condition = self.run.paths.term(path);
        let excluded = match self.run.induction {
            Some(_) => self.feasibility.known.get(&condition) == Some(&false),
            None => self.feasibility.excludes(&self.terms, self.options, condition),
        };
        if excluded && self.options.obligations {
            self.feasibility.excluded.push(condition);
        }
        excluded
    }
}
