//! `kripke check`: load, optimise, check, report.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kripke_bmc::Options;
use kripke_elts::{Id, IdVec, Program, PropertyId};
use kripke_model::{Property, Report, Trace, Verdict};
use kripke_report::{HarnessOptions, Style, TerminalOptions, harness, json};
use kripke_smt::SolverChoice;

use crate::arguments::CheckArguments;
use crate::checks::closest;
use crate::failure::{Failure, refuse};
use crate::loading::{self, Loaded};
use crate::progress::ProgressLine;
use crate::{firmware, output, process, temporal};

/// A program that was checked.
pub struct Checked {
    pub report: Report,
    /// None for firmware.
    program: Option<Program>,
    files: Vec<String>,
}

/// Checks and reports; the exit code is the outcome's.
pub fn check(arguments: &CheckArguments, style: Style, interrupt: Arc<AtomicBool>) -> Result<u8, Failure> {
    if arguments.list_loops || arguments.list_properties {
        return list(arguments);
    }
    for path in arguments
        .json
        .iter()
        .chain(&arguments.harness)
        .chain(&arguments.firmware.vcd)
        .chain(&arguments.firmware.evidence)
    {
        output::check_directory(path)?;
    }
    let checked = examine(arguments, interrupt)?;
    show(&checked, arguments, style)?;
    Ok(checked.report.outcome().exit_code())
}

/// `--list-loops` and `--list-properties`.
fn list(arguments: &CheckArguments) -> Result<u8, Failure> {
    let checks = loading::checks(&arguments.properties)?;
    let Loaded { program, .. } = loading::load(&arguments.source, &checks)?;
    if arguments.list_loops {
        output::print(&loop_list(&program))?;
    } else {
        let all: Vec<Property> = program.public_properties().iter().cloned().collect();
        output::print(&kripke_report::list_properties(&all, &output::sources()))?;
    }
    Ok(0)
}

/// Loads a program and checks it; nothing is shown but progress.
pub fn examine(arguments: &CheckArguments, interrupt: Arc<AtomicBool>) -> Result<Checked, Failure> {
    if firmware::is_firmware(&arguments.source.files) {
        let files = arguments.source.files.iter();
        return Ok(Checked {
            report: firmware::examine(arguments, interrupt)?,
            program: None,
            files: files.map(|path| path.to_string_lossy().into_owned()).collect(),
        });
    }
    refuse_firmware_options(arguments)?;
    let started = Instant::now();
    let checks = loading::checks(&arguments.properties)?;
    let solver = solver_choice(arguments)?;
    let formulas = temporal::formulas(arguments)?;
    let mut options = Options {
        unwind: arguments.unwind,
        unwindset: arguments.unwindset.iter().cloned().collect(),
        max_bound: arguments.max_unwind.unwrap_or(u32::MAX),
        deadline: arguments.timeout.0.map(|limit| started + limit),
        memory_limit: arguments.memory_limit.0,
        interrupt,
        solver,
        all: arguments.all,
        k_induction: !arguments.no_k_induction,
        ..Options::default()
    };
    let mut progress = ProgressLine::new(arguments.quiet);
    let checked = if formulas.is_empty() {
        let Loaded { program, files } = loading::load(&arguments.source, &checks)?;
        check_safety(program, files, arguments, options, &mut progress)
    } else {
        let (with_formulas, files) = loading::load_with_formulas(&arguments.source, &checks, formulas)?;
        check_loop_names(&with_formulas.program, &arguments.unwindset)?;
        let report = temporal::check(&with_formulas, arguments, &options, &mut progress);
        progress.erase();
        let report = report?;
        // Loops that no bound ends would keep the search for violations going until its time is over.
        options.max_bound = arguments.max_unwind.unwrap_or(report.statistics.bound.max(1));
        let program = with_formulas.program;
        if checks.is_empty() {
            Ok(Checked {
                report,
                program: Some(program),
                files,
            })
        } else {
            check_safety(program, files, arguments, options, &mut progress).map(|mut checked| {
                temporal::without_atoms(&mut checked.report);
                checked.report = temporal::join(checked.report, report);
                checked
            })
        }
    };
    progress.erase();
    let mut checked = checked?;
    checked.report.statistics.seconds = started.elapsed().as_secs_f64();
    checked.report.statistics.peak_memory = process::peak_memory();
    Ok(checked)
}

/// Options for firmware would silently do nothing for C programs.
fn refuse_firmware_options(arguments: &CheckArguments) -> Result<(), Failure> {
    let firmware = &arguments.firmware;
    let given = [
        ("--invariant", !firmware.invariant.is_empty()),
        ("--ctl", !firmware.ctl.is_empty()),
        ("--constraint", !firmware.model.constraints.is_empty()),
        ("--never", !firmware.model.never.is_empty()),
        ("--nesting", firmware.model.nesting.is_some()),
        ("--max-states", firmware.model.max_states.is_some()),
        ("--mcu", firmware.device.mcu.is_some()),
        ("--device", firmware.device.device.is_some()),
        ("--from", firmware.from.is_some()),
        ("--vcd", firmware.vcd.is_some()),
        ("--evidence", firmware.evidence.is_some()),
    ];
    refuse(
        &given,
        "is for firmware (an ELF or Intel HEX file); a C program takes --ltl, for an invariant 'G {...}'",
    )
}

/// Checks the properties that are about single places of the program.
fn check_safety(
    mut program: Program,
    files: Vec<String>,
    arguments: &CheckArguments,
    mut options: Options,
    progress: &mut ProgressLine,
) -> Result<Checked, Failure> {
    let properties = program.public_properties();
    let selected = selected_properties(&properties, &arguments.property_ids)?;
    loading::optimise(&mut program, selected.as_deref());
    check_loop_names(&program, &arguments.unwindset)?;
    options.properties = selected;
    let report = kripke_bmc::check(&program, &options, progress)
        .map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(Checked {
        report,
        program: Some(program),
        files,
    })
}

fn loop_list(program: &Program) -> String {
    let loops = kripke_bmc::loops(program);
    loops
        .iter()
        .map(|found| format!("{}  {}:{}\n", found.name, found.file, found.line))
        .collect()
}

/// A bound for a loop that is not there would silently do nothing.
fn check_loop_names(program: &Program, bounds: &[(String, u32)]) -> Result<(), Failure> {
    if bounds.is_empty() {
        return Ok(());
    }
    let loops = kripke_bmc::loops(program);
    match bounds
        .iter()
        .find(|(name, _)| !loops.iter().any(|found| found.is_named(name)))
    {
        None => Ok(()),
        Some((name, _)) => {
            let near = closest(name, loops.iter().map(|found| found.name.as_str()));
            let hint = near.map_or_else(String::new, |near| format!("did you mean '{near}'? "));
            Err(Failure::input(format!(
                "--unwindset: there is no loop '{name}'; {hint}--list-loops shows all"
            )))
        }
    }
}

fn solver_choice(arguments: &CheckArguments) -> Result<SolverChoice, Failure> {
    let parse = |text: &str| SolverChoice::parse(text).map_err(|error| Failure::input(error.to_string()));
    let mut choice = parse(&arguments.solver)?;
    if let Some(second) = &arguments.cross_check {
        choice = SolverChoice::CrossCheck(Box::new(choice), Box::new(parse(second)?));
    }
    if let Some(directory) = &arguments.dump_smt2 {
        std::fs::create_dir_all(directory).map_err(|error| {
            Failure::input(format!(
                "--dump-smt2: cannot create {}: {error}",
                directory.display()
            ))
        })?;
        choice = SolverChoice::Dump(Box::new(choice), directory.clone());
    }
    // A solver that cannot be started is the user's to mend before anything else is done.
    kripke_smt::create_solver(&choice).map_err(|error| Failure::input(error.to_string()))?;
    Ok(choice)
}

/// The properties `--property` names; none given means all.
fn selected_properties(
    properties: &IdVec<PropertyId, Property>,
    ids: &[String],
) -> Result<Option<Vec<PropertyId>>, Failure> {
    let find = |id: &String| {
        let found = properties.enumerate().find(|(_, property)| property.id == *id);
        found.map(|(property, _)| property).ok_or_else(|| {
            let names = properties.iter().map(|property| property.id.as_str());
            let hint = closest(id, names).map(|near| format!("did you mean '{near}'? "));
            let hint = hint.unwrap_or_default();
            Failure::input(format!(
                "--property: there is no property '{id}'; {hint}--list-properties shows all"
            ))
        })
    };
    let mut selected = ids
        .iter()
        .map(find)
        .collect::<Result<Vec<PropertyId>, Failure>>()?;
    selected.sort_unstable_by_key(|property| property.index());
    selected.dedup();
    Ok((!selected.is_empty()).then_some(selected))
}

/// The report as text, and the files that were asked for.
pub fn show(checked: &Checked, arguments: &CheckArguments, style: Style) -> Result<(), Failure> {
    let Checked {
        report,
        program,
        files,
    } = checked;
    let options = TerminalOptions {
        style,
        verbose: arguments.verbose,
        quiet: arguments.quiet,
    };
    let text = kripke_report::render(report, &output::sources(), &options);
    if let Some(path) = &arguments.json {
        let document = json::render(report, files, env!("CARGO_PKG_VERSION"))
            .map_err(|error| Failure::Internal(error.to_string()))?;
        output::write_file(path, &document)?;
    }
    // Standard output belongs to the JSON document where it was asked for there.
    if arguments.json.as_deref() == Some(Path::new("-")) {
        output::note(text.trim_end());
    } else {
        output::print(&text)?;
    }
    match (&arguments.harness, program) {
        (Some(_), None) => Err(Failure::input(
            "--harness is for C programs; a firmware's counterexample needs none",
        )),
        (Some(path), Some(program)) => write_harness(path, report, program, files, arguments),
        (None, _) => Ok(()),
    }
}

/// Writes the harness of the first violation.
fn write_harness(
    path: &Path,
    report: &Report,
    program: &Program,
    files: &[String],
    arguments: &CheckArguments,
) -> Result<(), Failure> {
    let violated = report.results.iter().find_map(|result| match &result.verdict {
        Verdict::Violated { trace } => Some((&result.property, trace)),
        _ => None,
    });
    let Some((property, trace)): Option<(&Property, &Box<Trace>)> = violated else {
        output::note(&format!(
            "no violation was found, so {} was not written",
            path.display()
        ));
        return Ok(());
    };
    let options = HarnessOptions {
        program_files: files.to_vec(),
        compiler_options: compiler_options(arguments),
        file_name: path.display().to_string(),
        external_functions: program.external_functions.clone(),
        entry: Some(arguments.source.entry.clone()),
    };
    output::write_file(path, &harness::render(property, trace, &options))?;
    if !arguments.quiet {
        output::note(&format!(
            "{} reproduces {}; its first lines say how to compile it",
            path.display(),
            property.id
        ));
    }
    Ok(())
}

/// The options with which a compiler sees the program as the check did.
fn compiler_options(arguments: &CheckArguments) -> Vec<String> {
    let source = &arguments.source;
    let mut options: Vec<String> = source
        .std
        .iter()
        .map(|standard| format!("-std={standard}"))
        .collect();
    options.extend(
        source
            .include_directories
            .iter()
            .map(|directory| format!("-I{}", directory.display())),
    );
    options.extend(source.defines.iter().map(|define| format!("-D{define}")));
    options.extend(source.undefines.iter().map(|name| format!("-U{name}")));
    options.extend(
        source
            .includes
            .iter()
            .map(|file| format!("-include {}", file.display())),
    );
    options.extend(source.clang_arguments.iter().cloned());
    options
}
