//! `kripke check`: a job, its report, and the files that were asked for.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kripke_check::program::{self, Loaded};
use kripke_check::{Checked, Failure, Job, Subject, firmware, parse_checks};
use kripke_elts::Program;
use kripke_limits::Limits;
use kripke_model::{Property, Reason};
use kripke_report::baseline::Baseline;
use kripke_report::{Document, Style, TerminalOptions};

use crate::arguments::CheckArguments;
use crate::listener::{Listener, Results};
use crate::watchdog::Watchdog;
use crate::{jobs, output, reports, task};

/// Checks and reports; the exit code is the outcome's.
pub fn check(arguments: &CheckArguments, style: Style, interrupt: Arc<AtomicBool>) -> Result<u8, Failure> {
    let (expanded, expected) = task::expand(arguments)?;
    let arguments = &expanded;
    if arguments.list_loops || arguments.list_properties {
        return list(arguments, &interrupt);
    }
    let baseline = reports::prepare(arguments)?;
    for path in arguments
        .harness
        .iter()
        .chain(&arguments.certificate)
        .chain(&arguments.report.witness)
        .chain(&arguments.firmware.vcd)
        .chain(&arguments.firmware.evidence)
    {
        output::check_directory(path)?;
    }
    let job = jobs::job(arguments)?;
    let results = Results::default();
    let watchdog = watch(arguments, style, results.clone(), baseline.clone());
    let checked = examine(&job, arguments, results, interrupt)?;
    drop(watchdog);
    let code = report(&checked, arguments, baseline.as_ref(), style)?;
    task::compare(&checked.report, expected);
    write_harness(&checked, matches!(job.subject, Subject::Firmware(_)), arguments)?;
    write_certificate(&checked, arguments)?;
    write_witness(&checked, arguments)?;
    Ok(code)
}

/// Ends the check where it passes its limits without a look at them, with what was settled by then.
fn watch(arguments: &CheckArguments, style: Style, results: Results, baseline: Option<Baseline>) -> Watchdog {
    let limits = Limits {
        deadline: arguments.timeout.0.map(|limit| Instant::now() + limit),
        memory: arguments.memory_limit.0,
        ..Limits::default()
    };
    let arguments = arguments.clone();
    let started = Instant::now();
    Watchdog::start_with(&limits, move |passed| {
        let mut checked = results.checked(Reason::from(passed));
        let statistics = &mut checked.report.statistics;
        statistics.seconds = started.elapsed().as_secs_f64();
        statistics.peak_memory = kripke_limits::peak().unwrap_or(0);
        let code = checked.report.outcome().exit_code();
        // The process ends; what cannot be written now never can.
        let code = report(&checked, &arguments, baseline.as_ref(), style).unwrap_or(code);
        if arguments.certificate.is_some() {
            output::note("the check had to be ended: no certificate was written");
        }
        i32::from(code)
    })
}

/// `--list-loops` and `--list-properties`.
fn list(arguments: &CheckArguments, interrupt: &Arc<AtomicBool>) -> Result<u8, Failure> {
    if matches!(&arguments.source.files[..], [image] if firmware::is_firmware(image)) {
        let job = jobs::job(arguments)?;
        if let Subject::Firmware(wanted) = &job.subject {
            let all = firmware::list(&job.formulas, wanted, &mut Listener::new(arguments.quiet))?;
            let lines: String = all
                .iter()
                .map(|(name, about)| format!("{name}: {about}\n"))
                .collect();
            output::print(&lines)?;
        }
        return Ok(0);
    }
    let checks = parse_checks(arguments.properties.check.as_deref()).map_err(Failure::Input)?;
    let sources = jobs::sources(&arguments.source);
    let mut listener = Listener::new(arguments.quiet);
    let Loaded { program, .. } = program::load(&sources, &checks, &mut listener, interrupt)?;
    if arguments.list_loops {
        output::print(&loop_list(&program))?;
    } else {
        let all: Vec<Property> = program.public_properties().iter().cloned().collect();
        output::print(&kripke_report::list_properties(&all, &output::sources()))?;
    }
    Ok(0)
}

/// Does a job, and writes what it draws; the report is not shown yet.
pub fn examine(
    job: &Job,
    arguments: &CheckArguments,
    results: Results,
    interrupt: Arc<AtomicBool>,
) -> Result<Checked, Failure> {
    let mut listener = Listener::noting(arguments.quiet, results);
    listener.show_remarks(arguments.verbose);
    let checked = kripke_check::check(job, &mut listener, interrupt)?;
    let firmware = &arguments.firmware;
    for (file, drawn, missing) in [
        (&firmware.vcd, &checked.waveform, "no run to show"),
        (&firmware.evidence, &checked.evidence, "no CTL formula"),
    ] {
        match (file, drawn) {
            (Some(file), Some(drawn)) => output::write_file(file, drawn)?,
            (Some(file), None) => output::note(&format!("{missing}: {} is not written", file.display())),
            (None, _) => {}
        }
    }
    Ok(checked)
}

fn loop_list(program: &Program) -> String {
    let loops = kripke_bmc::loops(program);
    loops
        .iter()
        .map(|found| format!("{}  {}:{}\n", found.name, found.file, found.line))
        .collect()
}

/// The report as text and in all formats that were asked for; the exit code.
fn report(
    checked: &Checked,
    arguments: &CheckArguments,
    baseline: Option<&Baseline>,
    style: Style,
) -> Result<u8, Failure> {
    show(checked, arguments, style)?;
    let code = checked.report.outcome().exit_code();
    if !reports::are_wanted(arguments) {
        return Ok(code);
    }
    let sources = output::sources();
    let one = kripke_report::Checked {
        program: "",
        files: &checked.files,
        report: &checked.report,
        functions: checked.functions.as_ref(),
        expected: &[],
        surprises: &[],
    };
    let mut document = Document::new(vec![one], &sources, env!("CARGO_PKG_VERSION"));
    let compared = reports::write(&mut document, baseline, arguments, reports::single)?;
    if let Some(path) = &arguments.json {
        let text = reports::single(&document).map_err(|error| Failure::Internal(error.to_string()))?;
        output::write_file(path, &text)?;
    }
    Ok(compared.map_or(code, |compared| compared.exit_code()))
}

/// The report as text.
pub fn show(checked: &Checked, arguments: &CheckArguments, style: Style) -> Result<(), Failure> {
    let Checked {
        report, functions, ..
    } = checked;
    let options = TerminalOptions {
        style,
        verbose: arguments.verbose,
        quiet: arguments.quiet,
    };
    let sources = output::sources();
    let text = match functions {
        Some(functions) => kripke_report::render_functions(report, functions, &sources, &options),
        None => kripke_report::render(report, &sources, &options),
    };
    reports::show_text(&text, arguments)
}

/// Writes the harness of the first violation, if one is wanted.
pub fn write_harness(
    checked: &Checked,
    is_firmware: bool,
    arguments: &CheckArguments,
) -> Result<(), Failure> {
    let Some(path) = &arguments.harness else {
        return Ok(());
    };
    if is_firmware {
        return Err(Failure::input(
            "--harness is for C programs; a firmware's counterexample needs none",
        ));
    }
    let shown = path.display();
    let Some(harness) = &checked.harness else {
        output::note(&format!("no violation was found, so {shown} was not written"));
        return Ok(());
    };
    output::write_file(path, &harness.text)?;
    if !arguments.quiet {
        output::note(&format!(
            "{shown} reproduces {}; its first lines say how to compile it",
            harness.property
        ));
    }
    Ok(())
}

/// Writes the first violation for others to check, if it is wanted.
fn write_witness(checked: &Checked, arguments: &CheckArguments) -> Result<(), Failure> {
    match (&arguments.report.witness, &checked.witness) {
        (Some(path), Some(witness)) => output::write_file(path, witness),
        (Some(path), None) => {
            output::note(&format!(
                "there is no violation of one thread that SV-COMP has a property for, so {} was not written",
                path.display()
            ));
            Ok(())
        }
        (None, _) => Ok(()),
    }
}

/// Writes the proof of what holds, if it is wanted.
fn write_certificate(checked: &Checked, arguments: &CheckArguments) -> Result<(), Failure> {
    let Some(path) = &arguments.certificate else {
        return Ok(());
    };
    let shown = path.display();
    let Some(certificate) = &checked.certificate else {
        output::note(&format!("nothing was proved, so {shown} was not written"));
        return Ok(());
    };
    let mut script = path.clone().into_os_string();
    script.push(".smt2");
    let script = Path::new(&script);
    output::write_file(path, &certificate.witness)?;
    output::write_file(script, &certificate.script)?;
    if !arguments.quiet {
        let formulas = certificate.formulas;
        output::note(&format!(
            "{shown} has the invariants, {} the {formulas} formulas that have to be unsatisfiable: \
             `z3 {0}` or `cvc5 --arrays-exp {0}` says so",
            script.display()
        ));
    }
    Ok(())
}
