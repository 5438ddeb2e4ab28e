//! From a run of a project to the job that it stands for.

use std::path::PathBuf;

use kripke_interrupts::Handler;
use kripke_interrupts::named::{self, Named};
use kripke_llvm::translate::{MainArguments, Replaced};

use super::{ProgramEntry, Project, PropertyEntry, Run};
use crate::checks::parse_checks;
use crate::failure::Failure;
use crate::job::{FirmwareJob, Form, Formula, Job, Limits, ProgramJob, Subject, VectorPlace, Wanted};
use crate::units::parse_loop_bound;

/// What was said beside the project file, for all its programs. The file adds to lists and fills in what is
/// open.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// For C programs; without the kinds of properties.
    pub program: ProgramJob,
    /// For firmware.
    pub firmware: FirmwareJob,
    /// The kinds of properties that are checked, as `--check` lists them; it wins over the file.
    pub checks: Option<String>,
    /// When to give up, where the file does not say it.
    pub limits: Limits,
    /// What is made beside the reports.
    pub wanted: Wanted,
}

impl Run<'_> {
    /// The job that this run stands for.
    pub fn job(&self, project: &Project, defaults: &Defaults) -> Result<Job, Failure> {
        let subject = match &self.program.firmware {
            Some(image) => Subject::Firmware(Box::new(self.firmware_job(project, image, defaults))),
            None => Subject::Program(Box::new(self.program_job(project, defaults)?)),
        };
        let limits = Limits {
            time: match self.program.timeout {
                Some(timeout) => timeout.0.0,
                None => defaults.limits.time,
            },
            ..defaults.limits
        };
        Ok(Job {
            subject,
            formulas: self.formulas(),
            limits,
            wanted: defaults.wanted.clone(),
        })
    }

    /// Kinds of properties, as `--check` lists them.
    fn checks<'d>(&'d self, defaults: &'d Defaults) -> Option<&'d str> {
        defaults.checks.as_deref().or(self.program.check.as_deref())
    }

    fn program_job(&self, project: &Project, defaults: &Defaults) -> Result<ProgramJob, Failure> {
        let program = self.program;
        let mut job = defaults.program.clone();
        let named = self.properties.iter().filter_map(|property| property.id.clone());
        // All safety properties are checked where any is; those named are among them.
        job.selected = match self.safety {
            true => Vec::new(),
            false => named.collect(),
        };
        job.all |= self.safety;
        job.checks = match !self.safety && job.selected.is_empty() {
            true => Vec::new(),
            false => parse_checks(self.checks(defaults)).map_err(Failure::Input)?,
        };
        let place = |path: &PathBuf| project.directory.join(path);
        let sources = &mut job.sources;
        sources.files = program.sources.iter().map(place).collect();
        if let Some(entry) = &program.entry {
            sources.entry.clone_from(entry);
        }
        if sources.replaced == Replaced::None {
            sources.replaced = Replaced::from_names(&program.replace_calls);
        }
        sources.arguments.count = program.arguments.unwrap_or(sources.arguments.count);
        sources.arguments.length = program.argument_length.unwrap_or(sources.arguments.length);
        if sources.arguments.count > MainArguments::MOST || sources.arguments.length > MainArguments::LONGEST
        {
            return Err(Failure::input(format!(
                "`main` gets at most {} arguments (arguments), of at most {} characters (argument_length)",
                MainArguments::MOST,
                MainArguments::LONGEST
            )));
        }
        sources.context_bound = sources.context_bound.or(program.context_bound);
        job.fairness = program.fair.unwrap_or(job.fairness);
        let interrupts = &mut sources.interrupts;
        interrupts
            .handlers
            .extend(program.interrupts.iter().map(|entry| Handler {
                name: entry.handler.clone(),
                priority: entry.priority.unwrap_or(1),
                number: entry.number,
                function: None,
            }));
        interrupts
            .register_priorities
            .extend(program.interrupts.iter().filter_map(|entry| {
                let priority = entry.register_priority?;
                Some((entry.handler.clone(), priority))
            }));
        interrupts
            .conditions
            .extend(program.interrupts.iter().filter_map(|entry| {
                let condition = entry.enabled.clone()?;
                Some((entry.handler.clone(), condition))
            }));
        interrupts
            .once_per
            .extend(program.interrupts.iter().filter_map(|entry| {
                let function = entry.once_per.clone()?;
                Some((entry.handler.clone(), function))
            }));
        interrupts.priority_bits = interrupts.priority_bits.or(program.interrupt_priority_bits);
        interrupts.find |= program.find_interrupts;
        interrupts.bound = interrupts.bound.or(program.interrupt_bound);
        let functions = |key: &str, all: &[String]| -> Result<Vec<Named>, Failure> {
            let parsed = all.iter().map(|text| named::parse(text));
            let parsed: Result<_, String> = parsed.collect();
            parsed.map_err(|error| Failure::input(format!("{key}: {error}")))
        };
        let enabling = functions("interrupt_enable", &program.interrupt_enable)?;
        interrupts.enabling.extend(enabling);
        let disabling = functions("interrupt_disable", &program.interrupt_disable)?;
        interrupts.disabling.extend(disabling);
        if let Some(functions) = &program.functions {
            let pattern = if functions == "all" { "*" } else { functions };
            job.functions.get_or_insert_with(|| pattern.to_owned());
        }
        let compile = &mut sources.compile;
        compile
            .include_directories
            .extend(program.include.iter().map(place));
        let defines = program.define.iter().chain(self.define);
        compile.defines.extend(defines.cloned());
        compile.standard = compile.standard.take().or_else(|| program.std.clone());
        compile.target = compile.target.take().or_else(|| program.target.clone());
        let sysroot = || program.sysroot.as_ref().map(place);
        compile.sysroot = compile.sysroot.take().or_else(sysroot);
        compile.arguments.extend(program.flags.iter().cloned());
        job.bounds.unwind = job.bounds.unwind.or(self.unwind);
        job.sources.counts_iterations = job.bounds.unwind.is_some();
        for bound in &program.unwindset {
            let bound = parse_loop_bound(bound);
            let bound = bound.map_err(|error| Failure::input(format!("unwindset: {error}")))?;
            job.bounds.unwindset.push(bound);
        }
        Ok(job)
    }

    fn firmware_job(&self, project: &Project, image: &PathBuf, defaults: &Defaults) -> FirmwareJob {
        let ProgramEntry {
            mcu,
            environment,
            reset_address,
            vectors,
            ..
        } = self.program;
        let mut job = defaults.firmware.clone();
        job.image = project.directory.join(image);
        job.faults = self.checks(defaults) != Some("none");
        job.device.mcu = job.device.mcu.take().or_else(|| mcu.clone());
        job.device.reset_address = job.device.reset_address.or(*reset_address);
        if job.device.vectors == VectorPlace::default() {
            job.device.vectors = vectors.unwrap_or_default();
        }
        let stored = || self.program.store.as_ref().map(|text| text.0.clone());
        job.store = job.store.take().or_else(stored);
        job.fair |= self.fair;
        job.statements |= self.statements;
        let known = &mut job.environment;
        known.constraints.extend(environment.constraints.iter().cloned());
        known.never.extend(environment.never.iter().cloned());
        known.nesting = known.nesting.or(environment.nesting);
        job
    }

    /// The formulas of the run: invariants, then those of branching time, then those of linear time.
    fn formulas(&self) -> Vec<Formula> {
        let of = |form: Form, text: fn(&PropertyEntry) -> Option<&String>| {
            let given = self.properties.iter();
            given.filter_map(move |property| {
                Some(Formula {
                    form,
                    name: Some(property.name.clone()),
                    place: format!("property '{}'", property.name),
                    text: text(property)?.clone(),
                })
            })
        };
        of(Form::Invariant, |property| property.invariant.as_ref())
            .chain(of(Form::Ctl, |property| property.ctl.as_ref()))
            .chain(of(Form::Ltl, |property| property.ltl.as_ref()))
            .collect()
    }
}
