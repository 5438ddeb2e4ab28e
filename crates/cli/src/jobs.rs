//! From the command line to jobs.
//!
//! Idea: what has no meaning for the kind of thing that is checked is refused here, as a job cannot even say
//! it.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use kripke_bmc::Explore;
use kripke_check::project::Defaults;
use kripke_check::{
    Bounds, DeviceChoice, Environment, Exploration, Failure, Fairness, FirmwareJob, Form, Formula, Job,
    Limits, NondeterminismChoice as Choice, ProgramJob, Sources, Subject, VectorPlace, Wanted, firmware,
    parse_checks, property_file,
};
use kripke_interrupts::Interrupts;
use kripke_llvm::clang::{CompileOptions, Messages};
use kripke_llvm::translate::{EntryObjects, MainArguments, Replaced};
use kripke_model::PropertyKind;
use kripke_smt::SolverChoice;

use crate::arguments::{
    AtChoice, CheckArguments, DeviceArguments, EepromContents, ExploreChoice, FairChoice, ModelArguments,
    NondeterminismChoice, SimulateArguments, SourceArguments, Switch, VectorsChoice, VolatileChoice,
};

/// The job that a command line stands for.
pub fn job(arguments: &CheckArguments) -> Result<Job, Failure> {
    let subject = match &arguments.source.files[..] {
        [image] if firmware::is_firmware(image) => {
            refuse_program_options(arguments)?;
            refuse_compiling(arguments)?;
            Subject::Firmware(Box::new(FirmwareJob {
                selected: arguments.property_ids.clone(),
                ..firmware_job(arguments, image)
            }))
        }
        _ => {
            refuse_firmware_options(arguments)?;
            let mut program = program_job(arguments)?;
            program.checks = match &arguments.report.prp {
                Some(path) => property_file(path)?,
                None => parse_checks(arguments.properties.check.as_deref()).map_err(Failure::Input)?,
            };
            Subject::Program(Box::new(program))
        }
    };
    Ok(Job {
        subject,
        formulas: formulas(arguments)?,
        limits: limits(arguments),
        wanted: wanted(arguments),
    })
}

/// What a command line says for all programs of a project.
pub fn defaults(arguments: &CheckArguments) -> Result<Defaults, Failure> {
    refuse(
        &[("--checkpoint", arguments.firmware.checkpoint.is_some())],
        "is for one firmware, not for a project: name the image",
    )?;
    Ok(Defaults {
        program: program_job(arguments)?,
        firmware: firmware_job(arguments, Path::new("")),
        checks: arguments.properties.check.clone(),
        limits: limits(arguments),
        wanted: wanted(arguments),
    })
}

/// Options for firmware would silently do nothing for C programs.
pub fn refuse_firmware_options(arguments: &CheckArguments) -> Result<(), Failure> {
    let firmware = &arguments.firmware;
    let given = [
        ("--invariant", !firmware.invariant.is_empty()),
        ("--ctl", !firmware.ctl.is_empty()),
        ("--constraint", !firmware.model.constraints.is_empty()),
        (
            "--never",
            !firmware.model.never.is_empty() && !arguments.source.interrupts,
        ),
        ("--nesting", firmware.model.nesting.is_some()),
        ("--max-states", firmware.model.max_states.is_some()),
        ("--threads", firmware.model.threads.is_some()),
        ("--store", firmware.store.is_some()),
        ("--checkpoint", firmware.checkpoint.is_some()),
        ("--mcu", firmware.device.mcu.is_some()),
        ("--device", firmware.device.device.is_some()),
        ("--reset-address", firmware.device.reset_address.is_some()),
        ("--vectors", firmware.device.vectors != VectorsChoice::Application),
        ("--data-end", firmware.device.data_end.is_some()),
        ("--eeprom", firmware.model.eeprom != EepromContents::Anything),
        ("--from", firmware.from.is_some()),
        ("--at", firmware.at != AtChoice::Instructions),
        ("--vcd", firmware.vcd.is_some()),
        ("--evidence", firmware.evidence.is_some()),
    ];
    refuse(
        &given,
        "is for firmware (an ELF or Intel HEX file); a C program takes --ltl, for an invariant 'G {...}'",
    )
}

/// A firmware that is simulated is compiled already.
pub fn refuse_compiling_simulated(arguments: &SimulateArguments) -> Result<(), Failure> {
    let source = &arguments.source;
    let given = [
        ("-I", !source.include_directories.is_empty()),
        ("-D", !source.defines.is_empty()),
        ("--std", source.std.is_some()),
        ("--target", source.target.is_some()),
        ("--interrupt", !source.interrupt.is_empty()),
        ("--interrupts", source.interrupts),
        ("--check", arguments.properties.check.is_some()),
        ("what follows --", !source.clang_arguments.is_empty()),
    ];
    refuse(&given, FOR_PROGRAMS)
}

/// Why an option is refused.
const FOR_PROGRAMS: &str = "is for C programs, not for firmware";

/// Options for C programs would silently do nothing for firmware. `--property` is not among them: for a
/// project it selects from the file.
pub fn refuse_program_options(arguments: &CheckArguments) -> Result<(), Failure> {
    let given = [
        ("--unwind", arguments.unwind.is_some()),
        ("--unwindset", !arguments.unwindset.is_empty()),
        ("--max-unwind", arguments.max_unwind.is_some()),
        ("--each-function", arguments.each_function.is_some()),
        ("--changed-since", arguments.changed_since.is_some()),
        ("--cross-check", arguments.cross_check.is_some()),
        ("--dump-smt2", arguments.dump_smt2.is_some()),
    ];
    refuse(&given, FOR_PROGRAMS)
}

/// An image is compiled already, and has no kinds of properties to choose from.
fn refuse_compiling(arguments: &CheckArguments) -> Result<(), Failure> {
    let source = &arguments.source;
    let given = [
        ("-I", !source.include_directories.is_empty()),
        ("-D", !source.defines.is_empty()),
        ("-U", !source.undefines.is_empty()),
        ("--std", source.std.is_some()),
        ("--include", !source.includes.is_empty()),
        ("--target", source.target.is_some()),
        ("--compile-db", source.compile_db.is_some()),
        ("--malloc-may-fail", source.malloc_may_fail),
        ("--replace-calls", !source.replace_calls.is_empty()),
        ("--interrupt", !source.interrupt.is_empty()),
        ("--interrupts", source.interrupts),
        ("--interrupt-everywhere", source.interrupt_everywhere),
        ("what follows --", !source.clang_arguments.is_empty()),
        ("--list-loops", arguments.list_loops),
        ("--no-k-induction", arguments.no_k_induction),
        ("--no-invariants", arguments.no_invariants),
        ("--only-invariants", arguments.only_invariants),
        ("--no-pdr", arguments.no_pdr),
        ("--no-fuzzing", arguments.no_fuzzing),
        ("--no-slicing", arguments.no_slicing),
        ("--no-feasibility", arguments.no_feasibility),
        ("--merge-all", arguments.merge_all),
        ("--no-lasso", arguments.no_lasso),
        ("--no-lock-reduction", arguments.no_lock_reduction),
        ("--context-bound", arguments.context_bound.is_some()),
        ("--explore", arguments.explore != ExploreChoice::Merged),
        ("--state-hashing", arguments.state_hashing.is_some()),
        (
            "--partial-order-reduction",
            arguments.partial_order_reduction.is_some(),
        ),
        ("--solver", arguments.solver != "default"),
        ("--harness", arguments.harness.is_some()),
        ("--certificate", arguments.certificate.is_some()),
        ("--witness", arguments.report.witness.is_some()),
        ("--prp", arguments.report.prp.is_some()),
    ];
    refuse(&given, FOR_PROGRAMS)?;
    let entry = [("--entry", source.entry != "main")];
    refuse(
        &entry,
        "is for C programs; firmware begins at reset, and formulas where --from says",
    )?;
    let check = arguments.properties.check.as_deref().unwrap_or("default");
    let kinds = [("--check", !matches!(check, "default" | "none"))];
    refuse(
        &kinds,
        "takes default or none for firmware; --property NAME picks single faults and formulas",
    )
}

/// Refuses options that would silently do nothing: the first that is given, with the reason.
fn refuse(options: &[(&str, bool)], reason: &str) -> Result<(), Failure> {
    match options.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::input(format!("{option} {reason}"))),
    }
}

/// The kinds of properties that a property file of SV-COMP asks for.
fn property_file(path: &Path) -> Result<Vec<PropertyKind>, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read {shown}: {error}")))?;
    property_file::parse(&text).map_err(|message| Failure::input(format!("{shown}: {message}")))
}

/// All but the kinds of properties.
fn program_job(arguments: &CheckArguments) -> Result<ProgramJob, Failure> {
    let mut sources = sources(&arguments.source);
    sources
        .interrupts
        .never
        .clone_from(&arguments.firmware.model.never);
    sources.context_bound = arguments.context_bound;
    sources.counts_iterations = arguments.unwind.is_some();
    Ok(ProgramJob {
        sources,
        checks: Vec::new(),
        selected: arguments.property_ids.clone(),
        bounds: Bounds {
            unwind: arguments.unwind,
            unwindset: arguments.unwindset.clone(),
            max_unwind: arguments.max_unwind,
            k_induction: !arguments.no_k_induction,
            invariants: !arguments.no_invariants,
            only_invariants: arguments.only_invariants,
            reachability: !arguments.no_pdr,
            fuzzing: !arguments.no_fuzzing,
            slicing: !arguments.no_slicing,
            feasibility: !arguments.no_feasibility,
            parting: !arguments.merge_all,
            continuing: !arguments.restart,
            lock_reduction: !arguments.no_lock_reduction,
        },
        // What a baseline knows must not hide what it does not know.
        all: arguments.all || arguments.report.baseline.is_some(),
        lasso: !arguments.no_lasso,
        fairness: match arguments.fair {
            FairChoice::None => Fairness::None,
            FairChoice::Weak => Fairness::Weak,
        },
        explore: explore(arguments)?,
        solver: solver(arguments)?,
        functions: each_function(arguments),
        changed_since: arguments.changed_since.clone(),
    })
}

/// What changed is found function by function.
fn each_function(arguments: &CheckArguments) -> Option<String> {
    let is_named = !arguments.source.files.is_empty() || arguments.source.compile_db.is_some();
    let every = || (arguments.changed_since.is_some() && is_named).then(|| "*".to_owned());
    arguments.each_function.clone().or_else(every)
}

fn explore(arguments: &CheckArguments) -> Result<Explore, Failure> {
    let only_there = [
        ("--state-hashing", arguments.state_hashing),
        ("--partial-order-reduction", arguments.partial_order_reduction),
    ];
    let is_on = |switch: Switch| switch == Switch::On;
    match arguments.explore {
        ExploreChoice::Merged => match only_there.iter().find(|(_, switch)| switch.is_some()) {
            Some((option, _)) => Err(Failure::input(format!("{option} is for --explore interleavings"))),
            None => Ok(Explore::Merged),
        },
        ExploreChoice::Interleavings => Ok(Explore::Interleavings {
            state_hashing: arguments.state_hashing.is_none_or(is_on),
            reduction: arguments.partial_order_reduction.map(is_on),
        }),
    }
}

/// The sources of a command line.
pub fn sources(arguments: &SourceArguments) -> Sources {
    Sources {
        files: arguments.files.clone(),
        compile_db: arguments.compile_db.clone(),
        filter: arguments.filter.clone(),
        compile: CompileOptions {
            clang: arguments.clang.clone(),
            include_directories: arguments.include_directories.clone(),
            defines: arguments.defines.clone(),
            undefines: arguments.undefines.clone(),
            forced_includes: arguments.includes.clone(),
            standard: arguments.std.clone(),
            target: arguments.target.clone(),
            sysroot: arguments.sysroot.clone(),
            arguments: arguments.clang_arguments.clone(),
            colour: std::io::stderr().is_terminal(),
            messages: Messages::default(),
            interrupt: std::sync::Arc::default(),
        },
        entry: arguments.entry.clone(),
        malloc_may_fail: arguments.malloc_may_fail,
        volatile_memory: arguments.volatile == VolatileChoice::Memory,
        entry_objects: EntryObjects {
            count: arguments.entry_objects,
            depth: arguments.entry_depth,
            null_parameters: true,
        },
        arguments: MainArguments {
            count: arguments.arguments,
            length: arguments.argument_length,
        },
        replaced: Replaced::from_names(&arguments.replace_calls),
        interrupts: Interrupts {
            handlers: arguments.interrupt.clone(),
            find: arguments.interrupts,
            never: Vec::new(),
            bound: arguments.interrupt_bound,
            enabling: arguments.interrupt_enable.clone(),
            disabling: arguments.interrupt_disable.clone(),
            priority_bits: arguments.interrupt_priority_bits,
            register_priorities: arguments.interrupt_register_priority.clone(),
            once_per: arguments.interrupt_once_per.clone(),
            conditions: arguments.interrupt_if.clone(),
            everywhere: arguments.interrupt_everywhere,
        },
        context_bound: None,
        counts_iterations: false,
    }
}

fn solver(arguments: &CheckArguments) -> Result<SolverChoice, Failure> {
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
    Ok(choice)
}

fn firmware_job(arguments: &CheckArguments, image: &Path) -> FirmwareJob {
    let firmware = &arguments.firmware;
    FirmwareJob {
        image: image.to_path_buf(),
        device: device(&firmware.device),
        environment: environment(&firmware.model),
        exploration: exploration(&firmware.model),
        from: firmware.from.clone(),
        fair: arguments.fair == FairChoice::Weak,
        statements: firmware.at == AtChoice::Statements,
        faults: arguments.properties.check.as_deref() != Some("none"),
        store: firmware.store.clone(),
        checkpoint: firmware.checkpoint.clone(),
        resume: firmware.resume,
        // For a project, `--property` selects from its file.
        selected: Vec::new(),
    }
}

/// The microcontroller of a command line.
pub fn device(arguments: &DeviceArguments) -> DeviceChoice {
    DeviceChoice {
        mcu: arguments.mcu.clone(),
        file: arguments.device.clone(),
        reset_address: arguments.reset_address,
        vectors: match arguments.vectors {
            VectorsChoice::Application => VectorPlace::Application,
            VectorsChoice::Boot => VectorPlace::Boot,
        },
        data_end: arguments.data_end,
        source_path: arguments.source_path.clone(),
    }
}

/// The environment of a command line.
pub fn environment(arguments: &ModelArguments) -> Environment {
    Environment {
        constraints: arguments.constraints.clone(),
        never: arguments.never.clone(),
        nesting: arguments.nesting,
        eeprom_of_image: arguments.eeprom == EepromContents::Image,
    }
}

/// How a command line has states explored.
pub fn exploration(arguments: &ModelArguments) -> Exploration {
    Exploration {
        nondeterminism: match arguments.nondeterminism {
            NondeterminismChoice::Auto => Choice::Auto,
            NondeterminismChoice::Immediate => Choice::Immediate,
            NondeterminismChoice::Delayed => Choice::Delayed,
        },
        abstract_values: !arguments.no_abstract_values,
        widening: !arguments.no_widening,
        lazy_stack: !arguments.no_lazy_stack,
        lazy_interrupts: arguments.lazy_interrupts,
        path_reduction: !arguments.no_path_reduction,
        interrupt_reduction: !arguments.no_path_reduction && !arguments.no_interrupt_reduction,
        dead_variable_reduction: !arguments.no_dead_variable_reduction,
    }
}

fn limits(arguments: &CheckArguments) -> Limits {
    Limits {
        time: arguments.timeout.0,
        memory: arguments.memory_limit.0,
        states: arguments.firmware.model.max_states,
        helpers: arguments.firmware.model.helpers(),
    }
}

fn wanted(arguments: &CheckArguments) -> Wanted {
    Wanted {
        harness: arguments.harness.as_ref().map(|path| path.display().to_string()),
        certificate: arguments.certificate.is_some(),
        witness: arguments.report.witness.is_some(),
        waveform: arguments.firmware.vcd.is_some(),
        evidence: arguments.firmware.evidence.is_some(),
    }
}

/// The formulas of a command line: invariants, then those of branching time, then those of linear time.
fn formulas(arguments: &CheckArguments) -> Result<Vec<Formula>, Failure> {
    let firmware = &arguments.firmware;
    let options = [
        (Form::Invariant, "--invariant", &firmware.invariant),
        (Form::Ctl, "--ctl", &firmware.ctl),
        (Form::Ltl, "--ltl", &arguments.ltl),
    ];
    let mut all = Vec::new();
    for (form, option, texts) in options {
        all.extend(texts.iter().map(|text| formula(form, option.to_string(), text)));
    }
    for path in &arguments.ltl_file {
        all.extend(formulas_of_file(path)?);
    }
    Ok(all)
}

fn formula(form: Form, place: String, text: &str) -> Formula {
    Formula {
        form,
        name: None,
        place,
        text: text.to_string(),
    }
}

/// One formula per line; `#` starts a comment.
fn formulas_of_file(path: &PathBuf) -> Result<Vec<Formula>, Failure> {
    let place = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read {place}: {error}")))?;
    let lines = text.lines().map(str::trim).enumerate();
    let written = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    Ok(written
        .map(|(index, line)| formula(Form::Ltl, format!("{place}:{}", index + 1), line))
        .collect())
}
