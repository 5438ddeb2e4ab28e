//! The default solver: decision diagrams first, then trivial answers, interval search, and the embedded
//! solver with the search going on beside it.
//!
//! Nothing is handed to the embedded solver before a question needs it, so programs whose checks
//! fold away or are settled by intervals never start it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use kripke_limits::Limits;

use crate::assertions::Assertions;
use crate::bitwuzla::Bitwuzla;
use crate::connectives::conjuncts;
use crate::diagrams::Answer;
use crate::interval_search::{Budget, IntervalSearch, Outcome};
use crate::solver::{SatResult, Solver, SolverError};
use crate::terms::{TermId, Terms};
use crate::value::Value;

/// What the search may cost before the embedded solver is asked.
const FIRST_BOXES: u64 = 20_000;
const FIRST_TIME: Duration = Duration::from_millis(50);

/// Where the last model is.
enum Model {
    None,
    Found(FxHashMap<TermId, Value>),
    Inner,
}

/// Decision diagrams, interval search and the embedded solver.
pub struct Portfolio {
    inner: Option<Bitwuzla>,
    /// Starts the embedded solver.
    start: fn() -> Result<Bitwuzla, SolverError>,
    /// Intervals are searched, too.
    searches: bool,
    /// Assertions by level.
    assertions: Assertions,
    /// How many of each level the embedded solver has; it has no more levels than these.
    handed: Vec<usize>,
    /// The conditions of the question before this one, where diagrams had no answer at once.
    not_at_once: Vec<TermId>,
    model: Model,
}

impl Default for Portfolio {
    fn default() -> Self {
        Portfolio {
            inner: None,
            start: Bitwuzla::new,
            searches: true,
            assertions: Assertions::new(),
            handed: vec![0],
            not_at_once: Vec::new(),
            model: Model::None,
        }
    }
}

impl Portfolio {
    /// One for many small questions that have most terms in common.
    pub(crate) fn incremental() -> Self {
        Portfolio {
            start: Bitwuzla::incremental,
            searches: false,
            ..Portfolio::default()
        }
    }

    /// The embedded solver, told everything.
    fn synchronised(&mut self, terms: &Terms) -> Result<&mut Bitwuzla, SolverError> {
        let mut inner = match self.inner.take() {
            Some(inner) if !inner.is_broken() => inner,
            _ => {
                self.handed = vec![0];
                (self.start)()?
            }
        };
        for (level, assertions) in self.assertions.levels().iter().enumerate() {
            if level == self.handed.len() {
                inner.push()?;
                self.handed.push(0);
            }
            for &assertion in &assertions[self.handed[level]..] {
                inner.assert(terms, assertion)?;
            }
            self.handed[level] = assertions.len();
        }
        Ok(self.inner.insert(inner))
    }

    /// The answer of diagrams, where they have one.
    fn ask_diagrams(&mut self, terms: &Terms, conditions: &[TermId], limits: &Limits) -> Option<SatResult> {
        self.model = Model::None;
        match terms.diagrams().decide(terms, conditions, limits)? {
            Answer::Unsat => Some(SatResult::Unsat),
            Answer::Sat(model) => {
                self.model = Model::Found(model);
                Some(SatResult::Sat)
            }
        }
    }

    fn found(&mut self, outcome: Outcome) -> Option<SatResult> {
        match outcome {
            Outcome::Sat(model) => {
                self.model = Model::Found(model);
                Some(SatResult::Sat)
            }
            Outcome::Unsat => Some(SatResult::Unsat),
            Outcome::Unknown => None,
        }
    }

    /// The search on another thread while the embedded solver works on this one; the first answer
    /// ends both.
    fn race(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        conjuncts: &[TermId],
        mut search: IntervalSearch,
        limits: &Limits,
    ) -> Result<SatResult, SolverError> {
        let stop_search = AtomicBool::new(false);
        let stop_solver = Arc::new(AtomicBool::new(false));
        let inner_limits = Limits {
            cancel: Arc::clone(&stop_solver),
            ..limits.clone()
        };
        let (answer, outcome) = std::thread::scope(|scope| {
            let searcher = scope.spawn(|| {
                let budget = Budget {
                    boxes: u64::MAX,
                    deadline: limits.deadline,
                    stop: Some(&stop_search),
                };
                let outcome = search.run(terms, conjuncts, &budget);
                if outcome != Outcome::Unknown {
                    stop_solver.store(true, Ordering::Relaxed);
                }
                outcome
            });
            let answer = self
                .synchronised(terms)
                .and_then(|inner| inner.check(terms, assumptions, &inner_limits));
            stop_search.store(true, Ordering::Relaxed);
            (answer, searcher.join().unwrap_or(Outcome::Unknown))
        });
        match answer? {
            SatResult::Unknown(reason) => Ok(self.found(outcome).unwrap_or(SatResult::Unknown(reason))),
            decided => {
                self.model = Model::Inner;
                Ok(decided)
            }
        }
    }
}

impl Solver for Portfolio {
    fn assert(&mut self, _terms: &Terms, term: TermId) -> Result<(), SolverError> {
        self.model = Model::None;
        self.assertions.add(term);
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.model = Model::None;
        self.assertions.push();
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.model = Model::None;
        if !self.assertions.pop() {
            let message = "no level to pop".to_owned();
            return Err(SolverError {
                solver: self.name().to_owned(),
                message,
            });
        }
        if self.handed.len() > self.assertions.levels().len() {
            self.handed.pop();
            if let Some(inner) = self.inner.as_mut().filter(|inner| !inner.is_broken()) {
                inner.pop()?;
            }
        }
        Ok(())
    }

    fn check_at_once(&mut self, terms: &Terms, assumptions: &[TermId], limits: &Limits) -> Option<SatResult> {
        let conditions = self.assertions.with(assumptions);
        let answer = self.ask_diagrams(terms, &conditions, limits);
        if answer.is_none() {
            self.not_at_once = conditions;
        }
        answer
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<SatResult, SolverError> {
        self.model = Model::None;
        if let Some(reason) = limits.exceeded() {
            return Ok(SatResult::Unknown(reason.to_string()));
        }
        let conditions = self.assertions.with(assumptions);
        if std::mem::take(&mut self.not_at_once) != conditions
            && let Some(answer) = self.ask_diagrams(terms, &conditions, limits)
        {
            return Ok(answer);
        }
        let mut conjuncts = conjuncts(terms, &conditions);
        if conjuncts.iter().any(|&term| terms.as_bool(term) == Some(false)) {
            return Ok(SatResult::Unsat);
        }
        conjuncts.retain(|&term| !terms.is_const(term));
        if conjuncts.is_empty() {
            self.model = Model::Found(FxHashMap::default());
            return Ok(SatResult::Sat);
        }
        if self.searches
            && let Some(mut search) = IntervalSearch::new(terms, &conjuncts)
        {
            let now = Instant::now();
            let budget = Budget {
                boxes: FIRST_BOXES,
                deadline: Some(limits.until(now + FIRST_TIME).deadline.unwrap_or(now)),
                stop: Some(&limits.interrupt),
            };
            let outcome = search.run(terms, &conjuncts, &budget);
            if let Some(answer) = self.found(outcome) {
                return Ok(answer);
            }
            if !search.is_finished() {
                return self.race(terms, assumptions, &conjuncts, search, limits);
            }
        }
        let answer = self.synchronised(terms)?.check(terms, assumptions, limits)?;
        self.model = Model::Inner;
        Ok(answer)
    }

    fn variable_value(&mut self, terms: &Terms, variable: TermId) -> Result<Value, SolverError> {
        match (&self.model, &mut self.inner) {
            (Model::Found(model), _) => Ok(model
                .get(&variable)
                .cloned()
                .unwrap_or_else(|| Value::zero(terms.sort(variable)))),
            (Model::Inner, Some(inner)) => inner.variable_value(terms, variable),
            _ => {
                let message = "there is no model".to_owned();
                Err(SolverError {
                    solver: self.name().to_owned(),
                    message,
                })
            }
        }
    }

    fn assignment(&mut self) -> Option<FxHashMap<TermId, Value>> {
        match &self.model {
            Model::Found(model) => Some(model.clone()),
            Model::None | Model::Inner => None,
        }
    }

    fn name(&self) -> &str {
        "bitwuzla"
    }
}
