//! Automata must not grow: sizes on the usual formula lists, each formula and its negation, beside ltl2ba's.
//!
//! Measured with ltl2ba 1.2 (with `X`) and SPIN 6.5.2 (`spin -f`, which has no `X`), reading their never
//! claims; `cargo run --release --example sizes -- PATH_OF_LTL2BA` measures again. States, edges (parallel
//! ones once):
//!
//! | list | Kripke | ltl2ba | formulas without X: Kripke | SPIN |
//! |---|---|---|---|---|
//! | Etessami-Holzmann, 24 | 95, 227 | 113, 295 | 41, 99 | 88, 412 |
//! | Somenzi-Bloem, 54 | 176, 354 | 256, 720 | 133, 276 | 245, 791 |
//! | Dwyer, 110 | 500, 1394 | 687, 2506 | 156, 301 | 269, 648 |
//!
//! No automaton of the 188 is larger than ltl2ba's, in states or, at equal states, in edges. SPIN's column
//! leaves out formulas it did not translate within 10 s.

mod common {
    pub mod lists;
}

use common::lists;
use kripke_logic::{Formula, Options, translate};

fn check(list: &[&str], states: usize, edges: usize) {
    let (mut total_states, mut total_edges) = (0, 0);
    for text in list {
        let formula = Formula::parse(text).unwrap();
        for formula in [formula.negated(), formula] {
            let automaton = translate(&formula, &Options::default()).unwrap();
            total_states += automaton.state_count();
            total_edges += automaton.edge_count();
        }
    }
    assert!(
        total_states <= states && total_edges <= edges,
        "{total_states} states and {total_edges} edges, were {states} and {edges}"
    );
}

#[test]
fn sizes_on_the_usual_lists() {
    check(lists::ETESSAMI_HOLZMANN, 95, 227);
    check(lists::SOMENZI_BLOEM, 176, 354);
    check(lists::DWYER, 500, 1394);
}
