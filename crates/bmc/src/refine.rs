//! Asking the solver until its model gives functions of analysis values that they have.
//!
//! Each round first fixes the inputs to those of the model: then the values follow from the arguments, from
//! the inside out, in as many steps as calls are nested, and what is left is a run. Where there is none with
//! these inputs, the lemmas of the round exclude them, and the solver looks for others.

use std::collections::BTreeSet;

use kripke_model::Reason;
use kripke_smt::{Limits, SatResult, SolverError, TermId, Value};
use kripke_value::{BitVec, Float, MathFunction};
use rustc_hash::FxHashMap;

use crate::decide::{Decider, solver_failed};
use crate::engine::Engine;
use crate::math::Application;
use crate::record::Event;
use crate::replay::Model;

/// How often other inputs are tried.
const ROUNDS: usize = 60;
/// How often more a question may be asked without arithmetic of floats in vain than not.
const COARSE_IN_VAIN: i32 = 4;
/// How deep calls may be nested for their values to follow from fixed inputs.
const DEPTH: usize = 12;

impl Decider<'_> {
    /// Checks the conjunction; a model that satisfies it gives functions of analysis possible values.
    pub(crate) fn ask(
        &mut self,
        engine: &mut Engine<'_>,
        conditions: &[TermId],
        limits: &Limits,
    ) -> Result<SatResult, Reason> {
        self.refinement_gave_up = false;
        if self.is_contradiction_without_floats(engine, conditions, limits)? {
            return Ok(SatResult::Unsat);
        }
        for _ in 0..ROUNDS {
            match self.check_once(engine, conditions, limits)? {
                SatResult::Sat if engine.run.record.applications.is_empty() => return Ok(SatResult::Sat),
                SatResult::Sat => {}
                other => return Ok(other),
            }
            let lemmas = self.lemmas(engine)?;
            if lemmas.is_empty() {
                return Ok(SatResult::Sat);
            }
            let mut fixed = conditions.to_vec();
            fixed.extend(self.inputs_of_model(engine)?);
            self.learn(engine, &lemmas)?;
            for _ in 0..DEPTH {
                match self.check_once(engine, &fixed, limits)? {
                    SatResult::Sat => {}
                    SatResult::Unsat => break,
                    other => return Ok(other),
                }
                let lemmas = self.lemmas(engine)?;
                if lemmas.is_empty() {
                    return Ok(SatResult::Sat);
                }
                self.learn(engine, &lemmas)?;
            }
        }
        let names: BTreeSet<&str> = engine
            .run
            .record
            .applications
            .iter()
            .map(|application| application.function.name())
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        self.refinement_gave_up = true;
        Err(Reason::Solver {
            message: format!(
                "the values of {} matter more exactly than {ROUNDS} rounds tell",
                names.join(", ")
            ),
        })
    }

    /// Do the conditions exclude each other whatever arithmetic of floats gives? That costs little, and what
    /// parses numbers among other things rarely depends on them.
    fn is_contradiction_without_floats(
        &mut self,
        engine: &mut Engine<'_>,
        conditions: &[TermId],
        limits: &Limits,
    ) -> Result<bool, Reason> {
        if self.coarse_in_vain >= COARSE_IN_VAIN {
            return Ok(false);
        }
        let made = |condition: &TermId| engine.coarse.of(&mut engine.terms, *condition);
        let coarse: Vec<TermId> = conditions.iter().map(made).collect();
        if coarse == conditions {
            return Ok(false);
        }
        let excluded = self.check_once(engine, &coarse, limits)? == SatResult::Unsat;
        self.coarse_in_vain += if excluded { -1 } else { 1 };
        Ok(excluded)
    }

    fn check_once(
        &mut self,
        engine: &Engine<'_>,
        conditions: &[TermId],
        limits: &Limits,
    ) -> Result<SatResult, Reason> {
        self.queries += 1;
        let started = std::time::Instant::now();
        let result = self.solver.check(&engine.terms, conditions, limits);
        self.time += started.elapsed();
        result.map_err(|error| solver_failed(&error))
    }

    fn learn(&mut self, engine: &Engine<'_>, lemmas: &BTreeSet<TermId>) -> Result<(), Reason> {
        self.lemmas.extend(lemmas);
        for lemma in lemmas {
            self.solver
                .assert(&engine.terms, *lemma)
                .map_err(|error| solver_failed(&error))?;
        }
        Ok(())
    }

    /// What contradicts the model's values of functions.
    fn lemmas(&mut self, engine: &mut Engine<'_>) -> Result<BTreeSet<TermId>, Reason> {
        let failed = |error: SolverError| solver_failed(&error);
        let applications: Vec<Application> = engine.run.record.applications.clone();
        let mut wanted = Vec::new();
        for application in &applications {
            wanted.extend([application.guard, application.value]);
            wanted.extend(&application.arguments);
        }
        let model = Model::new(self.solver.as_mut());
        let mut values = model.evaluate(engine, &wanted).map_err(failed)?.into_iter();
        let mut lemmas = BTreeSet::new();
        let mut seen: FxHashMap<(MathFunction, Vec<BitVec>), (&Application, Float)> = FxHashMap::default();
        for application in &applications {
            let guard = values.next();
            let claimed = values.next();
            let point: Vec<Value> = values.by_ref().take(application.arguments.len()).collect();
            let point: Option<Vec<Float>> = point.iter().map(|value| value.as_float().copied()).collect();
            let claimed = claimed.as_ref().and_then(Value::as_float).copied();
            let happens = guard.and_then(|guard| guard.as_bool()) == Some(true);
            let (true, Some(point), Some(claimed)) = (happens, point, claimed) else {
                continue;
            };
            lemmas.extend(engine.math_lemma(application, &point, claimed));
            let key = (
                application.function,
                point.into_iter().map(Float::to_bits).collect(),
            );
            let (first, value) = *seen.entry(key).or_insert((application, claimed));
            if value != claimed {
                lemmas.insert(engine.math_congruence(first, application));
            }
        }
        Ok(lemmas)
    }

    /// The inputs of the last model's run, as conditions.
    fn inputs_of_model(&mut self, engine: &mut Engine<'_>) -> Result<Vec<TermId>, Reason> {
        let results: BTreeSet<TermId> = engine
            .run
            .record
            .applications
            .iter()
            .map(|application| application.value)
            .collect();
        let mut inputs = Vec::new();
        for event in engine.run.record.events.clone() {
            let (Event::Input { value, ty, .. } | Event::Local { value, ty, .. }) = event else {
                continue;
            };
            let is_result = match ty {
                kripke_elts::Type::Float(format) => {
                    let float = engine.terms.fp_from_bits(format, value);
                    results.contains(&float)
                }
                _ => false,
            };
            if !is_result {
                inputs.push(value);
            }
        }
        let model = Model::new(self.solver.as_mut());
        let values = model
            .evaluate(engine, &inputs)
            .map_err(|error| solver_failed(&error))?;
        let mut conditions = Vec::new();
        for (input, value) in inputs.into_iter().zip(values) {
            let value = match value {
                Value::Bool(value) => engine.terms.bool_(value),
                Value::BitVec(value) => engine.terms.bv(value),
                _ => continue,
            };
            conditions.push(engine.terms.eq(input, value));
        }
        Ok(conditions)
    }
}
