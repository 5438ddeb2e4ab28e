//! LLVM IR and ELTS: what is read is verified, translated, optimised and run, as a check would do it.

use kripke_elts::interpreter::{NoObserver, RunOptions, ZeroInputs, run};
use kripke_elts::passes::{PassOptions, optimise};
use kripke_elts::{Program, text, verify};
use kripke_llvm::ir::Module;
use kripke_llvm::translate::{TranslateOptions, translate};
use kripke_llvm::{link, parser, verify as verify_module};

/// How long a program runs.
const STEPS: u64 = 2_000;
/// Larger programs are not optimised: passes take their time.
const LARGEST: usize = 1 << 16;

/// LLVM IR, as a user's `.ll` file.
pub fn llvm_ir(bytes: &[u8]) {
    let Ok(module) = parser::parse(bytes, "fuzz.ll") else {
        return;
    };
    if verify_module::verify(&module, "fuzz.ll").is_err() {
        return;
    }
    let options = TranslateOptions {
        entry: entry(&module),
        ..TranslateOptions::default()
    };
    let modules = [module];
    if link::check(&modules).is_err() {
        return;
    }
    let Ok(program) = translate(&modules, &options) else {
        return;
    };
    if let Err(error) = verify(&program) {
        panic!("the translation is not well-formed: {error}");
    }
    if bytes.len() < LARGEST {
        use_program(program);
    }
}

/// `main`, or the first function with a body.
fn entry(module: &Module) -> String {
    let mut defined = module
        .functions
        .iter()
        .filter(|function| !function.blocks.is_empty());
    let first = defined.clone().next();
    let main = defined.find(|function| &*function.name == "main");
    main.or(first)
        .map_or_else(|| "main".to_owned(), |function| function.name.to_string())
}

/// A program model as text.
pub fn elts(bytes: &[u8]) {
    let Ok(source) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(program) = text::parse(source) else {
        return;
    };
    if verify(&program).is_err() {
        return;
    }
    let printed = text::print(&program);
    let again =
        text::parse(&printed).unwrap_or_else(|error| panic!("{error} in what was written:\n{printed}"));
    assert_eq!(
        text::print(&again),
        printed,
        "what is written reads back as something else"
    );
    if bytes.len() < LARGEST {
        use_program(program);
    }
}

/// Optimises and runs a well-formed program.
fn use_program(mut program: Program) {
    let options = RunOptions {
        max_steps: Some(STEPS),
        max_memory: 1 << 24,
        ..RunOptions::default()
    };
    run(&program, &mut ZeroInputs, &options, &mut NoObserver);
    optimise(&mut program, &PassOptions::default());
    run(&program, &mut ZeroInputs, &options, &mut NoObserver);
}
