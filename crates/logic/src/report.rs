//! Everything that can be said about an LTL formula before a program is seen: what `kripke ltl FORMULA`
//! shows.

use std::fmt::{self, Write};

use crate::classify::{Class, Classification, classify};
use crate::dialect::Dialect;
use crate::evaluate::holds_on_lasso;
use crate::formula::Formula;
use crate::label::Letter;
use crate::monitor::{AutomatonPair, Monitor, MonitorLimits};
use crate::printer;
use crate::trace::Trace;
use crate::translate::{Options, TranslateError, simplify};
use crate::verdict::FourValued;

/// What is known about a formula.
#[derive(Clone, Debug)]
pub struct LtlReport {
    /// The formula.
    pub formula: Formula,
    /// The formula after rewriting.
    pub simplified: Formula,
    /// The automata of the formula and of its negation.
    pub pair: AutomatonPair,
    /// The four-valued monitor.
    pub monitor: Monitor,
    /// Its class, and which verdicts it can give.
    pub classification: Classification,
    /// Remarks, such as a dependence on the granularity of writes.
    pub warnings: Vec<String>,
}

/// What a trace says about a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceReport {
    /// The four-valued verdict after each letter, stem and cycle once through.
    pub prefixes: Vec<FourValued>,
    /// For a trace with a cycle: whether the formula holds on it.
    pub holds: Option<bool>,
}

impl TraceReport {
    /// The verdict on the whole trace.
    pub fn verdict(&self) -> Option<FourValued> {
        self.holds
            .map(FourValued::definitely)
            .or(self.prefixes.last().copied())
    }
}

/// Translates and classifies a formula.
pub fn describe(formula: &Formula, options: &Options) -> Result<LtlReport, TranslateError> {
    let pair = AutomatonPair::new(formula, options)?;
    let monitor = Monitor::from_pair(pair.clone(), &MonitorLimits::default());
    let classification = classify(formula, &pair, &monitor);
    let simplified = simplify(formula)?;
    let mut warnings = Vec::new();
    if classification.stutter_invariant == Some(false) {
        warnings.push(
            "X makes this formula depend on how often a value is written: every write to memory that an atom \
             reads is \
             a letter, so that an extra write of the same value can change the verdict"
                .to_string(),
        );
    }
    if matches!(
        classification.class,
        Class::Valid | Class::Unsatisfiable | Class::Toggle
    ) {
        warnings.push(format!(
            "{}: {}",
            classification.class,
            classification.class.explanation()
        ));
    }
    Ok(LtlReport {
        formula: formula.clone(),
        simplified,
        pair,
        monitor,
        classification,
        warnings,
    })
}

impl LtlReport {
    /// Evaluates the formula on a trace over its atoms.
    pub fn evaluate(&self, trace: &Trace) -> Result<TraceReport, TranslateError> {
        let letters: Vec<Letter> = trace.letters();
        let holds = match trace {
            Trace::Finite(_) => None,
            Trace::Lasso(lasso) => Some(holds_on_lasso(&self.formula, lasso)?),
        };
        Ok(TraceReport {
            prefixes: self.monitor.run(&letters),
            holds,
        })
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "formula      {}", self.formula)?;
        let simplified = self.simplified.to_string();
        if simplified != self.formula.to_string() {
            writeln!(text, "simplified   {simplified}")?;
        }
        writeln!(
            text,
            "class        {}: {}",
            self.classification.class,
            self.classification.class.explanation()
        )?;
        writeln!(text, "verdicts     {}", self.possible_verdicts())?;
        let stutter = match self.classification.stutter_invariant {
            Some(true) => "invariant: repeated letters never change the verdict",
            Some(false) => "not invariant: repeated letters can change the verdict",
            None => "not known: too much work to decide",
        };
        writeln!(text, "stuttering   {stutter}")?;
        for (name, automaton) in [
            ("automaton", &self.pair.positive),
            ("negation", &self.pair.negative),
        ] {
            writeln!(
                text,
                "{name:<12} {} states, {} edges",
                automaton.state_count(),
                automaton.edge_count()
            )?;
        }
        match &self.monitor {
            Monitor::Deterministic(monitor) => {
                writeln!(
                    text,
                    "monitor      deterministic, {} states",
                    monitor.states.len()
                )?;
            }
            Monitor::Sets(_) => writeln!(text, "monitor      sets of automaton states")?,
        }
        for warning in &self.warnings {
            writeln!(text, "warning: {warning}")?;
        }
        writeln!(text, "\nautomaton of the negation (accepting states marked *):")?;
        let negative = &self.pair.negative;
        for (number, state) in negative.states.iter().enumerate() {
            let mark = if state.accepting { "*" } else { " " };
            let start = if number == negative.initial.index() {
                ">"
            } else {
                " "
            };
            writeln!(text, "  {start}{mark}{number}")?;
            for edge in &state.edges {
                writeln!(
                    text,
                    "       {} -> {}",
                    edge.label.describe(&negative.atoms),
                    edge.target
                )?;
            }
        }
        Ok(())
    }

    fn possible_verdicts(&self) -> String {
        let Some(possible) = self.classification.possible else {
            return "not known: too much work to decide".to_string();
        };
        let list: Vec<String> = FourValued::ALL
            .into_iter()
            .filter(|&value| possible[value as usize])
            .map(|value| format!("{value} ({})", value.words()))
            .collect();
        list.join(", ")
    }

    /// The formula in every dialect that can say it, with the definitions it needs.
    pub fn spellings(&self) -> Vec<(Dialect, printer::Printed)> {
        Dialect::ALL
            .into_iter()
            .filter_map(|dialect| Some((dialect, printer::print(&self.formula, dialect).ok()?)))
            .collect()
    }
}

impl fmt::Display for LtlReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text)?;
        f.write_str(&text)
    }
}
