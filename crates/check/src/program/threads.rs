//! Threads, woven into one function where the program starts any.

use kripke_bmc::Explore;
use kripke_elts::{Program, threads};
use kripke_threads::Wanted;

use crate::failure::Failure;
use crate::job::{Fairness, Job, ProgramJob};

use super::harness_turns;

/// Weaves the threads of a program that was not optimised yet, and says what the verdict rests on.
pub fn weave(program: &mut Program, wanted: Wanted<'_>) -> Result<(), Failure> {
    let Some(woven) = kripke_threads::weave(program, wanted) else {
        return Ok(());
    };
    if let Some(site) = program.properties.iter().find(|site| site.kind.is_contract()) {
        return Err(Failure::input(format!(
            "contracts and loop invariants are not checked together with threads yet, and there is one in \
             `{}`",
            program.functions[site.function].name
        )));
    }
    if wanted.races {
        let text =
            "all atomic operations and failed tries to lock order what threads do before and after them";
        program.assumptions.push(text.to_owned());
    }
    if woven.has_handlers {
        let text = "threads and handlers share one core: nothing switches to another thread where \
                    interrupts are disabled, and no handler comes inside an atomic section";
        program.assumptions.push(text.to_owned());
    }
    program.assumptions.push(format!(
        "memory is sequentially consistent, and any of the {} threads may run at any time",
        woven.threads
    ));
    Ok(())
}

/// What cannot be asked of threads together.
pub fn refuse_reduction(wanted: &ProgramJob) -> Result<(), Failure> {
    let reduces = matches!(
        wanted.explore,
        Explore::Interleavings {
            reduction: Some(true),
            ..
        }
    );
    if reduces && wanted.sources.interrupts.are_wanted() {
        return Err(Failure::input(
            "--partial-order-reduction on does not go together with --interrupt: steps of handlers depend on \
             all others",
        ));
    }
    if reduces && wanted.sources.context_bound.is_some() {
        return Err(Failure::input(
            "--partial-order-reduction on does not go together with --context-bound, with which the order of \
             all steps counts: leave one of them out",
        ));
    }
    Ok(())
}

/// Formulas of threads and handlers ask for fair runs.
pub fn refuse_unfair(wanted: &ProgramJob, program: &Program) -> Result<(), Failure> {
    let is_fair = wanted.fairness == Fairness::Weak;
    let has_handlers = wanted.sources.interrupts.are_wanted();
    if is_fair || !has_handlers || threads::woven(program).is_none() {
        return Ok(());
    }
    Err(Failure::input(
        "formulas of a program with threads and handlers of interrupts need --fair weak: without it handlers \
         may come for ever, and nothing else",
    ))
}

/// What cannot be asked of a program with threads.
pub fn refuse_options(job: &Job, wanted: &ProgramJob, program: &Program) -> Result<(), Failure> {
    if threads::woven(program).is_none() {
        return Ok(());
    }
    if job.wanted.certificate {
        return Err(Failure::input(
            "--certificate does not know threads yet, and the program starts some: check it without",
        ));
    }
    let models = program.files.iter().filter(|file| file.is_library_model);
    let mut names = models.map(|file| file.path.rsplit('/').next().unwrap_or_default());
    let kernel = names.find_map(|name| match name {
        "freertos.c" => Some("FreeRTOS"),
        "cmsis_rtos.c" => Some("CMSIS-RTOS"),
        _ => None,
    });
    if let Some(kernel) = kernel.filter(|_| job.wanted.harness.is_some()) {
        return Err(Failure::input(format!(
            "--harness is for threads of POSIX and C11: the program is one of {kernel}, whose kernel a C \
             file does not bring; check it without"
        )));
    }
    harness_turns::refuse_width(job, program, "threads")?;
    harness_turns::refuse(job, &wanted.sources, "threads")
}
