//! The passes leave behaviour as it is: on random programs, one by one and all together.

mod support;

use kripke_elts::interpreter::{End, RunOptions, run};
use kripke_elts::passes::{PASSES, PassOptions, certain_assertions, fold, optimise};
use kripke_elts::random::{Random, RandomOptions, random_program};
use kripke_elts::{Program, Type, eval, text, verify};
use support::{Recorder, Seeded};

const PROGRAMS: u64 = 1500;

/// Addresses are left out: passes that remove objects move the others.
fn options() -> RandomOptions {
    RandomOptions {
        addresses: false,
        ..RandomOptions::default()
    }
}

fn behaviour(program: &Program, seed: u64) -> (String, Recorder) {
    let mut recorder = Recorder::default();
    let options = RunOptions {
        max_steps: Some(100_000),
        ..RunOptions::default()
    };
    let end = run(program, &mut Seeded::new(seed), &options, &mut recorder);
    // Messages show addresses and the operands of a failed check, both of which passes may change.
    let text = match end {
        End::Violation { property, .. } => format!("{property}"),
        End::UncheckedMisuse { .. } => "unchecked".to_owned(),
        other => format!("{other:?}"),
    };
    (text, recorder)
}

fn check_same(seed: u64, before: &Program, after: &Program, pass: &str) {
    verify(after).unwrap_or_else(|error| panic!("{pass}, seed {seed}: {error}"));
    for inputs in 0..3 {
        let expected = behaviour(before, inputs);
        let found = behaviour(after, inputs);
        assert!(
            found == expected,
            "{pass}, seed {seed}, inputs {inputs}: {found:?}, not {expected:?}\n{}\n---\n{}",
            text::print(before),
            text::print(after)
        );
    }
}

#[test]
fn each_pass_keeps_behaviour() {
    let pass_options = PassOptions {
        keep_named: false,
        slice: true,
        ..PassOptions::default()
    };
    for (name, pass) in PASSES {
        let mut changed = 0;
        for seed in 0..PROGRAMS {
            let before = random_program(seed, &options());
            let mut after = before.clone();
            changed += u32::from(pass(&mut after, &pass_options));
            check_same(seed, &before, &after, name);
        }
        let never = matches!(*name, "selection" | "read-only-globals" | "slice");
        assert!(
            never || changed > PROGRAMS as u32 / 20,
            "{name} changed {changed} programs"
        );
    }
}

/// Assertions that are dropped never fail, also where nobody asks for the others.
#[test]
fn certain_assertions_hold() {
    let mut changed = 0;
    for seed in 0..2 * PROGRAMS {
        let before = random_program(seed, &options());
        let mut after = before.clone();
        changed += u32::from(certain_assertions::run(&mut after));
        check_same(seed, &before, &after, "certain assertions");
        let asked = seed as usize % before.properties.len().max(1);
        let selected = PassOptions {
            selected: Some(before.properties.ids().skip(asked).take(1).collect()),
            ..PassOptions::default()
        };
        let [whole, dropped] = [before, after].map(|mut program| {
            optimise(&mut program, &selected);
            program
        });
        check_same(seed, &whole, &dropped, "certain assertions, one selected");
    }
    assert!(changed > PROGRAMS as u32 / 20, "changed {changed} programs");
}

#[test]
fn pipeline_keeps_behaviour() {
    for seed in 0..2 * PROGRAMS {
        let before = random_program(seed, &options());
        let mut after = before.clone();
        let pass_options = PassOptions {
            keep_named: seed % 2 == 0,
            slice: seed % 3 == 0,
            ..PassOptions::default()
        };
        optimise(&mut after, &pass_options);
        check_same(seed, &before, &after, "pipeline");
    }
}

/// A selected property is violated after selection and slicing if and only if it is violated when it alone
/// is checked; so all other checks are dropped from the program first, by hand.
#[test]
fn selection_keeps_selected_violations() {
    let mut violated = 0;
    for seed in 0..PROGRAMS {
        let program = random_program(seed, &options());
        let (first, _) = behaviour(&program, 0);
        // The first violation of a run is no less one when nothing else is checked.
        let Some(property) = program.properties.ids().find(|id| first == id.to_string()) else {
            continue;
        };
        violated += 1;
        for slice in [false, true] {
            let mut selected = program.clone();
            let options = PassOptions {
                selected: Some(vec![property]),
                slice,
                ..PassOptions::default()
            };
            optimise(&mut selected, &options);
            let (found, _) = behaviour(&selected, 0);
            assert_eq!(
                found,
                first,
                "seed {seed}, slice {slice}\n{}",
                text::print(&program)
            );
        }
    }
    assert!(violated > 200, "only {violated} programs violate something");
}

/// An environment whose variables have random values.
struct Values<'p> {
    values: Vec<kripke_elts::ScalarValue>,
    program: &'p Program,
}

impl eval::Environment for Values<'_> {
    fn variable(&self, id: kripke_elts::VariableId) -> Option<kripke_elts::ScalarValue> {
        self.values.get(kripke_elts::Id::index(id)).cloned()
    }
    fn rounding(&self) -> Option<kripke_value::RoundingMode> {
        Some(kripke_value::RoundingMode::Upward)
    }
    fn pointer_width(&self) -> u32 {
        self.program.data_model.pointer_width
    }
    fn address(&self, pointer: kripke_elts::Pointer) -> Option<u64> {
        match pointer.base {
            kripke_elts::PointerBase::Object(object) => {
                Some((4096 + 1024 * u64::from(object.slot)).wrapping_add(pointer.offset))
            }
            kripke_elts::PointerBase::Function(_) => Some(1 << 24),
            _ => Some(pointer.offset),
        }
    }
    fn pointer_at(&self, address: u64) -> Option<kripke_elts::Pointer> {
        Some(kripke_elts::Pointer::raw(address))
    }
    fn object_size(&self, pointer: kripke_elts::Pointer) -> Option<u64> {
        Some(if matches!(pointer.base, kripke_elts::PointerBase::Object(_)) {
            8
        } else {
            0
        })
    }
}

#[test]
fn folding_keeps_values() {
    let mut folded = 0;
    for seed in 0..PROGRAMS {
        let program = random_program(seed, &options());
        let mut random = Random::new(seed);
        for function in program.functions.iter() {
            let ty = |id: kripke_elts::VariableId| function.variables[id].ty;
            let types: Vec<Type> = function.variables.iter().map(|variable| variable.ty).collect();
            let values = types
                .iter()
                .map(|&ty| support::value_of(&mut random, ty))
                .collect();
            let env = Values {
                values,
                program: &program,
            };
            for transition in function
                .locations
                .iter()
                .flat_map(|location| &location.transitions)
            {
                for statement in &transition.statements {
                    statement.kind.each_expr(&mut |expr| {
                        let mut simpler = expr.clone();
                        folded += u32::from(fold(&mut simpler, &program.data_model, &ty));
                        let (found, expected) = (eval::evaluate(&simpler, &env), eval::evaluate(expr, &env));
                        assert_eq!(found, expected, "seed {seed}: {expr:?} folded to {simpler:?}");
                    });
                }
            }
        }
    }
    assert!(folded > 1000, "only {folded} expressions folded");
}
