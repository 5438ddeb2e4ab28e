//! Proof of the rewrite rules.
//!
//! Each line of the table ([`rule_table`]) builds a term that one rule rewrites. It is built twice,
//! with rewriting off and on; the solver must find no assignment that tells the two apart at small
//! widths, and random assignments must find none at real widths. Every rule must have a line, and
//! fire in it. Lines marked as near misses must not fire the rule.

mod common;
mod rule_table;

use common::{Random, seeded_pools};
use kripke_smt::{Bitwuzla, Limits, Op, Rule, SatResult, Solver, Sort, TermId, Terms, Value};
use kripke_value::FloatFormat;
use rule_table::{Build, Make, e, instances};

/// The plain and the rewritten form, built in one store.
fn both(terms: &mut Terms, build: Build, w: u32, format: FloatFormat) -> (TermId, TermId) {
    terms.variable("f", Sort::Float(format));
    terms.variable("g", Sort::Float(format));
    terms.set_rewriting(false);
    let plain = build(&mut Make { t: terms, w, format });
    terms.set_rewriting(true);
    let rewritten = build(&mut Make { t: terms, w, format });
    (plain, rewritten)
}

/// Nothing tells the two forms apart; bits of floats count, too.
fn prove(terms: &mut Terms, plain: TermId, rewritten: TermId, what: &str) {
    terms.set_rewriting(false);
    let (plain, rewritten) = match terms.sort(plain) {
        Sort::Float(_) => (terms.fp_to_bits(plain), terms.fp_to_bits(rewritten)),
        _ => (plain, rewritten),
    };
    let equal = terms.eq(plain, rewritten);
    let differ = terms.not(equal);
    let mut solver = Bitwuzla::new().expect("solver");
    solver.assert(terms, differ).expect("assert");
    let answer = solver.check(terms, &[], &Limits::default()).expect("check");
    assert_eq!(answer, SatResult::Unsat, "{what}: the sides differ");
    terms.set_rewriting(true);
}

fn compare_by_evaluation(terms: &Terms, plain: TermId, rewritten: TermId, random: &mut Random, what: &str) {
    for _ in 0..60 {
        let mut model = std::collections::HashMap::new();
        for variable in terms.variables_of(&[plain, rewritten]) {
            model.insert(variable, random.value(terms.sort(variable)));
        }
        let assignment = |variable: TermId| model[&variable].clone();
        let (left, right) = (
            terms.evaluate(plain, &assignment),
            terms.evaluate(rewritten, &assignment),
        );
        assert_eq!(left, right, "{what} under {model:?}");
    }
}

#[test]
fn every_rule_is_proved_at_small_widths() {
    for (index, (rule, build)) in instances().into_iter().enumerate() {
        let mut fired = false;
        for w in [3, 4, 5, 8] {
            let mut terms = Terms::new();
            let (plain, rewritten) = both(&mut terms, build, w, FloatFormat::Binary16);
            fired |= terms.rule_count(rule) > 0;
            let what = format!("line {index} ({rule:?}) at width {w}");
            prove(&mut terms, plain, rewritten, &what);
        }
        assert!(fired, "line {index}: rule {rule:?} did not fire");
    }
}

#[test]
fn rules_agree_on_random_values_at_real_widths() {
    let mut random = Random(88_172_645_463_325_252);
    for (index, (rule, build)) in instances().into_iter().enumerate() {
        for (w, format) in [
            (8, FloatFormat::Binary32),
            (16, FloatFormat::X87Extended),
            (32, FloatFormat::Binary64),
        ] {
            let mut terms = Terms::new();
            let (plain, rewritten) = both(&mut terms, build, w, format);
            compare_by_evaluation(
                &terms,
                plain,
                rewritten,
                &mut random,
                &format!("line {index} ({rule:?}) at {w}"),
            );
        }
    }
}

#[test]
fn every_rule_has_an_instance() {
    let tested: Vec<Rule> = instances().into_iter().map(|(rule, _)| rule).collect();
    let missing: Vec<&Rule> = Rule::ALL.iter().filter(|rule| !tested.contains(rule)).collect();
    assert!(missing.is_empty(), "rules without an instance: {missing:?}");
}

#[test]
fn near_misses_do_not_fire() {
    use Rule as R;
    let near: Vec<(Rule, Build)> = vec![
        (R::AndResolution, |m| {
            let p = e!(m; and(m.a(), m.b()));
            let q = e!(m; and(m.c(), e!(m; not(m.b()))));
            e!(m; or(p, q))
        }),
        (R::MulPower, |m| e!(m; bv_mul(m.x(), m.k(3)))),
        (R::UdivPower, |m| e!(m; bv_udiv(m.x(), m.k(3)))),
        (R::DivisorTree, |m| {
            let divisor = e!(m; ite(m.a(), m.k(3), m.k(5)));
            e!(m; bv_udiv(m.x(), divisor))
        }),
        (R::BitAndMask, |m| e!(m; bv_and(m.x(), m.k(5)))),
        (R::ConcatExtracts, |m| {
            let (high, low) = (e!(m; bv_extract(m.x(), 2, 2)), e!(m; bv_extract(m.x(), 0, 0)));
            m.t.bv_concat(high, low)
        }),
        (R::SelectStoreOther, |m| {
            let store = e!(m; store(m.array(), m.x(), m.bits(4, 3)));
            e!(m; select(store, m.y()))
        }),
        (R::OverflowRange, |m| e!(m; bv_saddo(m.x(), m.y()))),
        (R::SextUnsigned, |m| {
            let w = m.w;
            e!(m; bv_sext(m.x(), 2 * w))
        }),
        (R::FpMulOne, |m| e!(m; fp_mul(m.rne(), m.f(), m.fk(1.0)))),
        (R::FpDivPower, |m| e!(m; fp_div(m.rne(), m.f(), m.fk(6.0)))),
        (R::FpConvertBack, |m| {
            let format = m.format;
            let wide = {
                let f = m.f();
                m.widen(f)
            };
            e!(m; fp_convert(m.rm(), format, wide))
        }),
        (R::AddDisjoint, |m| {
            let high = e!(m; bv_concat(m.x(), m.k(1)));
            let low = m.zx("y");
            m.t.bv_add(high, low)
        }),
        (R::CompareExtreme, |m| {
            let least = e!(m; ite(e!(m; bv_ult(m.x(), m.y())), m.x(), m.y()));
            e!(m; bv_slt(m.x(), least))
        }),
        (R::CompareExtreme, |m| {
            let least = e!(m; ite(e!(m; bv_ult(m.x(), m.y())), m.x(), m.y()));
            e!(m; bv_ult(least, m.x()))
        }),
    ];
    for (rule, build) in near {
        let mut terms = Terms::new();
        both(&mut terms, build, 8, FloatFormat::Binary16);
        assert_eq!(terms.rule_count(rule), 0, "{rule:?} fired");
    }
}

#[test]
fn random_terms_evaluate_alike() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..300 {
        let (w, format) = [
            (4, FloatFormat::Binary16),
            (8, FloatFormat::Binary32),
            (32, FloatFormat::Binary32),
            (70, FloatFormat::Binary16),
        ][round % 4];
        let mut terms = Terms::new();
        let mut pools = seeded_pools(&mut terms, w, format);
        for _ in 0..60 {
            pools.grow(&mut terms, &mut random, w, format);
        }
        for _ in 0..6 {
            let mut model = std::collections::HashMap::new();
            for variable in terms.variables_of(&pools.plain) {
                model.insert(variable, random.value(terms.sort(variable)));
            }
            let assignment = |variable: TermId| model[&variable].clone();
            for (&plain, &rewritten) in pools.plain.iter().zip(&pools.rewritten) {
                let (left, right) = (
                    terms.evaluate(plain, &assignment),
                    terms.evaluate(rewritten, &assignment),
                );
                assert_eq!(
                    left,
                    right,
                    "round {round}, {:?} {plain:?} {rewritten:?} under {model:?}",
                    terms.op(plain)
                );
            }
        }
    }
}

#[test]
fn random_terms_mean_to_the_solver_what_they_evaluate_to() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for round in 0..40 {
        let (w, format) = [(5, FloatFormat::Binary16), (8, FloatFormat::X87Extended)][round % 2];
        let mut terms = Terms::new();
        let mut pools = seeded_pools(&mut terms, w, format);
        for _ in 0..25 {
            pools.grow(&mut terms, &mut random, w, format);
        }
        terms.set_rewriting(false);
        let mut model = std::collections::HashMap::new();
        let mut given = Vec::new();
        for variable in terms.variables_of(&pools.plain) {
            let value = random.value(terms.sort(variable));
            let constant = terms.value(&value);
            given.push(match terms.sort(variable) {
                Sort::Float(_) => {
                    let (bits, constant) = (terms.fp_to_bits(variable), terms.fp_to_bits(constant));
                    terms.eq(bits, constant)
                }
                _ => terms.eq(variable, constant),
            });
            model.insert(variable, value);
        }
        let assignment = |variable: TermId| model[&variable].clone();
        let mut solver = Bitwuzla::new().expect("solver");
        for (&plain, &rewritten) in pools.plain.iter().zip(&pools.rewritten) {
            if pools.plain.len() > 20
                && matches!(terms.op(plain), Op::FpRem)
                && format != FloatFormat::Binary16
            {
                continue;
            }
            for term in [plain, rewritten] {
                let (term, value) = match terms.evaluate(term, &assignment) {
                    Value::Float(value) => (terms.fp_to_bits(term), Value::BitVec(value.to_bits())),
                    value => (term, value),
                };
                let constant = terms.value(&value);
                let equal = terms.eq(term, constant);
                let differ = terms.not(equal);
                let mut assumptions = given.clone();
                assumptions.push(differ);
                let answer = solver
                    .check(&terms, &assumptions, &Limits::default())
                    .expect("check");
                assert_eq!(
                    answer,
                    SatResult::Unsat,
                    "round {round}: {:?} under {model:?}",
                    terms.op(term)
                );
            }
        }
    }
}
