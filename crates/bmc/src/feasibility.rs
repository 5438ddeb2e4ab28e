//! Whether the path to another iteration or a deeper recursion can be taken at all.
//!
//! Idea: where inputs decide how often loops go on, ranges alone do not see that the third round of an inner
//! loop leaves nothing for the third round of the outer one, and everything is executed bound times bound
//! times. So the solver is asked before an iteration is executed. It is asked little: inputs that were found
//! once often lead into the next iteration, too, and a question whose answer is "yes" was in vain, so only a
//! part of the time goes into those, a small one into searches for a single loop, and the next iterations
//! of that loop are not asked for.
//!
//! First it is asked without arithmetic that costs much ([`crate::coarse`]), which is rarely what decides,
//! and for answers that take no search. Where these exclude paths, few others can be, and a search takes
//! many times as long, so it gets a smaller part of the time.
//!
//! Invariant: a path that is said to be impossible is; the solver is told less than is known (nothing of
//! addresses, of functions of analysis only that they have values), never more. A path that is said to be
//! possible is, too: there the solver is told all that is known of addresses, and where a path rests on
//! functions of analysis nothing is said.
//!
//! Source: bounded model checkers that ask while they execute, such as `--smt-symex-guard` of ESBMC.

use std::time::{Duration, Instant};

use kripke_elts::{FunctionId, LocationId};
use kripke_limits::stretched;
use kripke_smt::{Evaluator, Solver, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use crate::coarse::Coarse;
use crate::engine::Engine;
use crate::kept::{Answer, Kept};
use crate::options::Options;
use crate::path::PathId;

/// What may be spent in vain in any case.
const ALLOWANCE: Duration = Duration::from_millis(1000);
/// The part of all time that may be spent in vain.
const PART: u32 = 2;
/// The part of that which searches may take where those exclude more that take none.
const PART_OF_SEARCHES: u32 = 4;
/// The part of the same at one place, and the part of all time for asking again with arithmetic that costs
/// much.
const PART_OF_PLACE: u32 = 8;
const PART_WITH_ARITHMETIC: u32 = 32;
/// How many iterations further it is asked again after one for which it was in vain, and no further than that
/// one was.
const NEXT_ASKED: u32 = 8;
/// The longest that a single question may take.
const LONGEST: Duration = Duration::from_secs(2);
/// How many models are kept.
const MODELS: usize = 16;
/// Of how many terms each knows the values, so that its memory stays small.
const VALUES: usize = 1 << 17;
/// How many questions a solver is asked before another takes its place: it finds values for all that it was
/// told of, for other paths, too.
const QUESTIONS: u32 = 32;

/// What decides a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RestsOn {
    /// Inputs and choices, which may have any values.
    Inputs,
    /// Where objects lie, too.
    Addresses,
    /// What functions of analysis give, too, of which little is known here.
    Analysis,
}

/// Where it is asked.
type Place = (FunctionId, LocationId);

/// Values of the variables that were met; others are zero.
struct Model {
    variables: FxHashMap<TermId, Value>,
    /// What terms come to: conditions of paths have most of their terms from those before.
    known: FxHashMap<TermId, Value>,
}

impl Model {
    /// The values that the solver has found for the variables of a condition.
    fn of(solver: &mut dyn Solver, terms: &Terms, condition: TermId) -> Self {
        let variables = solver.assignment().unwrap_or_else(|| {
            let variables = terms.variables_of(&[condition]).into_iter();
            let value = |variable| Some((variable, solver.variable_value(terms, variable).ok()?));
            variables.filter_map(value).collect()
        });
        Model {
            variables,
            known: FxHashMap::default(),
        }
    }

    /// Is the condition true?
    fn satisfies(&mut self, terms: &Terms, condition: TermId) -> bool {
        let value = |variable: TermId| {
            let known = self.variables.get(&variable).cloned();
            known.unwrap_or_else(|| Value::zero(terms.sort(variable)))
        };
        let known = std::mem::take(&mut self.known);
        let mut evaluator = Evaluator::new(terms, &value).with_known(known);
        let is_true = evaluator.evaluate(condition).as_bool() == Some(true);
        self.known = evaluator.into_known();
        if self.known.len() > VALUES {
            self.known = FxHashMap::default();
        }
        is_true
    }
}

/// An answer with the values that were found.
enum Found {
    Impossible,
    Possible(Model),
    Open,
}

impl Found {
    fn of(answer: Answer<'_>, terms: &Terms, condition: TermId) -> Self {
        match answer {
            Answer::Impossible => Found::Impossible,
            Answer::Possible(solver) => Found::Possible(Model::of(solver, terms, condition)),
            Answer::Open => Found::Open,
        }
    }
}

/// Time that questions took.
#[derive(Default)]
struct Account {
    /// Of those that excluded nothing.
    in_vain: Duration,
    /// Of those that did, and how many they were.
    useful: Duration,
    exclusions: u32,
}

impl Account {
    /// May more be spent in vain, so long after the start, of which such a part may be?
    fn allows(&self, since: Duration, part: u32) -> bool {
        self.in_vain <= stretched(ALLOWANCE) + self.useful * 2 + since / part
    }

    fn note(&mut self, spent: Duration, excluded: bool) {
        match excluded {
            true => {
                self.useful += spent;
                self.exclusions += 1;
            }
            false => self.in_vain += spent,
        }
    }

    /// Both together.
    fn and(&self, other: &Account) -> Account {
        Account {
            in_vain: self.in_vain + other.in_vain,
            useful: self.useful + other.useful,
            exclusions: self.exclusions + other.exclusions,
        }
    }
}

/// Decides whether paths can be taken.
pub(crate) struct Feasibility {
    solver: Kept,
    /// How many questions it was asked.
    asked: u32,
    /// Conditions that were asked for, over all bounds.
    known: FxHashMap<TermId, bool>,
    /// Conditions of which it was asked whether they are certainly possible.
    allowed: FxHashMap<TermId, bool>,
    /// What conditions rest on beside inputs.
    rests: FxHashMap<TermId, RestsOn>,
    /// Those that were found impossible since the run began.
    pub excluded: Vec<TermId>,
    /// Inputs that lead to places of interest, those last that did so last.
    models: Vec<Model>,
    started: Instant,
    /// The last question took time, and excluded nothing.
    was_in_vain: bool,
    /// What questions without arithmetic that costs much took where no search was needed,
    spent_at_once: Account,
    /// where one was, in all and at each place,
    spent_searching: Account,
    spent_searching_at: FxHashMap<Place, Account>,
    /// and what those took that ask again with arithmetic.
    spent_on_arithmetic: Account,
}

impl Feasibility {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Feasibility {
            solver: Kept::default(),
            asked: 0,
            known: FxHashMap::default(),
            excluded: Vec::new(),
            allowed: FxHashMap::default(),
            rests: FxHashMap::default(),
            models: Vec::new(),
            started: Instant::now(),
            was_in_vain: false,
            spent_at_once: Account::default(),
            spent_searching: Account::default(),
            spent_searching_at: FxHashMap::default(),
            spent_on_arithmetic: Account::default(),
        }
    }

    /// Is the condition certainly false?
    fn excludes(
        &mut self,
        (terms, coarse): (&mut Terms, &mut Coarse),
        options: &Options,
        place: Place,
        condition: TermId,
    ) -> bool {
        if let Some(value) = terms.as_bool(condition) {
            return !value;
        }
        if let Some(possible) = self.known.get(&condition) {
            return !possible;
        }
        let spent = self.spent_at_once.and(&self.spent_searching);
        if !spent.allows(self.started.elapsed(), PART) {
            return false;
        }
        let began = Instant::now();
        if self.is_met(terms, condition) {
            self.spent_at_once.note(began.elapsed(), false);
            self.known.insert(condition, true);
            return false;
        }
        self.was_in_vain = true;
        let coarse = coarse.of(terms, condition);
        let excluded = match terms.as_bool(coarse) {
            Some(value) => Some(!value),
            None => self.excludes_at_once(terms, options, coarse, began),
        };
        let excluded = excluded.or_else(|| self.excludes_by_search(terms, options, place, coarse));
        let Some(mut excluded) = excluded else {
            return false;
        };
        if !excluded && coarse != condition {
            excluded = self.excludes_with_arithmetic(terms, options, condition);
        }
        self.was_in_vain = !excluded;
        self.known.insert(condition, !excluded);
        excluded
    }

    /// Is the coarse condition certainly false? `None` where that takes a search.
    fn excludes_at_once(
        &mut self,
        terms: &Terms,
        options: &Options,
        coarse: TermId,
        began: Instant,
    ) -> Option<bool> {
        let until = Instant::now() + stretched(LONGEST);
        let answer = self.solver.ask_at_once(terms, options, &[coarse], until);
        let excluded = match answer.map(|answer| Found::of(answer, terms, coarse)) {
            None | Some(Found::Open) => None,
            Some(Found::Impossible) => Some(true),
            Some(Found::Possible(model)) => {
                self.keep(model);
                Some(false)
            }
        };
        self.spent_at_once.note(began.elapsed(), excluded == Some(true));
        excluded
    }

    /// The same by a search; `None` where there is no time for one.
    fn excludes_by_search(
        &mut self,
        terms: &Terms,
        options: &Options,
        place: Place,
        coarse: TermId,
    ) -> Option<bool> {
        let part = match self.spent_at_once.exclusions <= self.spent_searching.exclusions {
            true => PART,
            false => PART * PART_OF_SEARCHES,
        };
        let since = self.started.elapsed();
        let here = self.spent_searching_at.entry(place).or_default();
        if !here.allows(since, part * PART_OF_PLACE) || !self.spent_searching.allows(since, part) {
            return None;
        }
        let began = Instant::now();
        let excluded = self.ask(terms, options, coarse);
        let spent = began.elapsed();
        self.spent_searching.note(spent, excluded);
        let here = self.spent_searching_at.entry(place).or_default();
        here.note(spent, excluded);
        Some(excluded)
    }

    /// Is the condition certainly false, whose coarse one may be true?
    fn excludes_with_arithmetic(&mut self, terms: &Terms, options: &Options, condition: TermId) -> bool {
        let since = self.started.elapsed();
        let is_asked =
            self.spent_on_arithmetic.allows(since, PART_WITH_ARITHMETIC) && !self.is_met(terms, condition);
        if !is_asked {
            return false;
        }
        let began = Instant::now();
        let excluded = self.ask(terms, options, condition);
        self.spent_on_arithmetic.note(began.elapsed(), excluded);
        excluded
    }

    fn keep(&mut self, model: Model) {
        if self.models.len() == MODELS {
            self.models.remove(0);
        }
        self.models.push(model);
    }

    /// Is it true for inputs that were found?
    fn is_met(&mut self, terms: &Terms, condition: TermId) -> bool {
        let mut models = self.models.iter_mut();
        let meets = models.rposition(|model| model.satisfies(terms, condition));
        if let Some(meets) = meets {
            self.models[meets..].rotate_left(1);
        }
        meets.is_some()
    }

    /// Is the condition certainly true for some inputs?
    fn allows(&mut self, terms: &Terms, options: &Options, condition: TermId) -> bool {
        if let Some(value) = terms.as_bool(condition) {
            return value;
        }
        if let Some(possible) = self.allowed.get(&condition) {
            return *possible;
        }
        let is_met = self.is_met(terms, condition);
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
        self.asked += 1;
        if self.asked.is_multiple_of(QUESTIONS) {
            self.solver = Kept::default();
        }
        let answer = self.solver.ask(terms, options, &[condition], until);
        match Found::of(answer, terms, condition) {
            Found::Impossible => true,
            Found::Open => false,
            Found::Possible(model) => {
                self.keep(model);
                false
            }
        }
    }
}

impl Engine<'_> {
    /// Is there certainly a run that takes the path? Of addresses all is demanded that every machine grants;
    /// that a number which the program uses as an address only later is not an object's is relied on.
    pub(crate) fn is_possible(&mut self, path: PathId) -> bool {
        let condition = self.run.paths.term(path);
        match self.rests_on(condition) {
            RestsOn::Inputs => self.feasibility.allows(&self.terms, self.options, condition),
            RestsOn::Addresses => {
                let facts = self.address_facts();
                let all = self.terms.and(condition, facts);
                let is_possible = self.feasibility.allows(&self.terms, self.options, all);
                self.run.objects.relied_on |= is_possible;
                is_possible
            }
            RestsOn::Analysis => false,
        }
    }

    /// Do inputs alone decide whether the path is taken and the condition holds there?
    pub(crate) fn inputs_decide(&mut self, path: PathId, condition: TermId) -> bool {
        let path = self.run.paths.term(path);
        [path, condition]
            .iter()
            .all(|condition| self.rests_on(*condition) == RestsOn::Inputs)
    }

    fn rests_on(&mut self, condition: TermId) -> RestsOn {
        let (objects, applications) = (&self.run.objects, &self.run.record.applications);
        if objects.observed.is_empty() && applications.is_empty() {
            return RestsOn::Inputs;
        }
        if let Some(known) = self.feasibility.rests.get(&condition) {
            return *known;
        }
        let variables = self.terms.variables_of(&[condition]);
        let given = applications
            .iter()
            .flat_map(|application| self.terms.variables_of(&[application.value]));
        let rests_on = if given.into_iter().any(|variable| variables.contains(&variable)) {
            RestsOn::Analysis
        } else if objects.observed.iter().any(|object| {
            objects[*object]
                .base
                .is_some_and(|base| variables.contains(&base))
        }) {
            RestsOn::Addresses
        } else {
            RestsOn::Inputs
        };
        self.feasibility.rests.insert(condition, rests_on);
        rests_on
    }

    /// Is it known that no run takes the path? Whatever the time for questions in vain.
    pub(crate) fn is_excluded(&mut self, path: PathId) -> bool {
        let condition = self.run.paths.term(path);
        if self.terms.as_bool(condition).is_some() {
            return self.terms.as_bool(condition) == Some(false);
        }
        self.feasibility.ask(&self.terms, self.options, condition)
    }

    /// Can no run come to an iteration of a loop on the path? Where a question was in vain, the rest of that
    /// iteration and those that follow are not asked for, as inputs that lead to one often lead further.
    pub(crate) fn is_iteration_impossible(&mut self, path: PathId, key: &[u32]) -> bool {
        let is_impossible = self.is_impossible(path);
        if self.feasibility.was_in_vain {
            let (of, iteration) = (&key[..key.len() - 2], key[key.len() - 2]);
            let instance = self.top().loops.entry(of.to_vec()).or_default();
            instance.asked_from = iteration + iteration.min(NEXT_ASKED);
        }
        is_impossible
    }

    /// Can no run take the path? Only asked where a run would repeat something under inputs that decide
    /// it. An induction takes over what is known: its arbitrary states would have to be excluded by
    /// invariants.
    pub(crate) fn is_impossible(&mut self, path: PathId) -> bool {
        if !self.options.feasibility {
            return false;
        }
        let condition = self.run.paths.term(path);
        let place = (self.top().function, self.run.cursor.location);
        self.feasibility.was_in_vain = false;
        let excluded = match self.run.induction {
            Some(_) => self.feasibility.known.get(&condition) == Some(&false),
            None => {
                let terms = (&mut self.terms, &mut self.coarser);
                self.feasibility.excludes(terms, self.options, place, condition)
            }
        };
        if excluded && self.options.obligations {
            self.feasibility.excluded.push(condition);
        }
        excluded
    }
}
