//! `kripke ltl`: what is known of a formula before any program is seen, its automaton, and what a
//! given trace says about it.

use std::fmt::Write;

use kripke_logic::dialect::Dialect;
use kripke_logic::report::{LtlReport, describe};
use kripke_logic::{Logic, Options, c_monitor, dot, hoa, never_claim, parse_dialect, trace};

use crate::arguments::{AutomatonFormat, LtlArguments};
use crate::output;
use kripke_check::Failure;

/// Shows the formula.
pub fn ltl(arguments: &LtlArguments) -> Result<u8, Failure> {
    let dialect = Dialect::from_name(&arguments.dialect).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        Failure::input(format!(
            "--dialect: there is no dialect '{}'; there are {}",
            arguments.dialect,
            names.join(", ")
        ))
    })?;
    let parsed =
        parse_dialect(&arguments.formula, dialect).map_err(|error| Failure::input(error.to_string()))?;
    for warning in &parsed.warnings {
        output::note(&format!("warning: {warning}"));
    }
    if matches!(parsed.formula.logic(), Logic::Ctl | Logic::Mixed) {
        return Err(Failure::input(
            "this formula has path quantifiers (A, E); kripke ltl takes linear-time formulas",
        ));
    }
    let report = describe(&parsed.formula, &Options::default())
        .map_err(|error| Failure::input(format!("{}: {error}", arguments.formula)))?;
    let text = match (&arguments.trace, arguments.emit) {
        (Some(path), _) => on_trace(&report, path)?,
        (None, Some(format)) => emit(&report, format)?,
        (None, None) => report.to_string(),
    };
    output::print(&text)?;
    Ok(0)
}

/// The automaton of the formula, or the monitor that watches for its negation.
fn emit(report: &LtlReport, format: AutomatonFormat) -> Result<String, Failure> {
    let formula = report.formula.to_string();
    let (positive, negative) = (&report.pair.positive, &report.pair.negative);
    Ok(match format {
        AutomatonFormat::Hoa => hoa::write(positive, &formula),
        AutomatonFormat::Never => never_claim::write(positive, &formula),
        AutomatonFormat::Dot => dot::automaton(positive, &formula),
        AutomatonFormat::C => {
            c_monitor::write(negative, &formula).map_err(|error| Failure::input(error.to_string()))?
        }
    })
}

/// The verdict after each letter of a trace.
fn on_trace(report: &LtlReport, path: &std::path::Path) -> Result<String, Failure> {
    let place = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read {place}: {error}")))?;
    let atoms = report.formula.atoms();
    let trace = trace::parse(&text, atoms).map_err(|error| {
        let (line, column) = error.line_column();
        Failure::input(format!("{place}:{line}:{column}: {error}"))
    })?;
    let result = report
        .evaluate(&trace)
        .map_err(|error| Failure::input(error.to_string()))?;
    let mut out = String::new();
    for (position, (letter, value)) in trace.letters().iter().zip(&result.prefixes).enumerate() {
        let _ = writeln!(out, "{:>5}  {value:<3} {}", position + 1, letter.describe(atoms));
    }
    if let Some(verdict) = result.verdict() {
        let _ = writeln!(out, "verdict {verdict} ({})", verdict.words());
    }
    Ok(out)
}
