//! The monitor in C, in the form of the journal paper's listing 1: the automaton of ¬φ as a thread, with its
//! tables.
//!
//! The tables judge single states of ¬φ's automaton, as the paper does. Stutter acceptance and good prefixes
//! are exact. A state is in the bad-prefix table when it accepts every word by moves chosen letter by letter,
//! which includes the accepting traps the paper looks for.

use std::fmt::{self, Write};

use crate::atom::Atoms;
use crate::bdd::{Bdd, Bdds};
use crate::buchi::Buchi;
use crate::graph::Graph;
use crate::label::{LabelStyle, Letter};
use crate::stutter::stutter_acceptance;

/// The tables have a row per letter; more atoms than this would make them too long.
pub const MAX_TABLE_ATOMS: usize = 12;

/// The tables would be too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyAtoms {
    /// How many atoms the formula has.
    pub atoms: usize,
}

impl fmt::Display for TooManyAtoms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the C monitor's stutter table has a row per letter: {} atoms are more than the \
             {MAX_TABLE_ATOMS} \
             it is \
             written for",
            self.atoms
        )
    }
}

impl std::error::Error for TooManyAtoms {}

/// What is known of the states of ¬φ's automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Per letter (atom `i` as bit `i`) and state: whether the letter repeated for ever is accepted.
    pub stutter_accept: Vec<Vec<bool>>,
    /// Per state: whether some word is accepted, so that φ is not proved.
    pub good_prefix_excluded: Vec<bool>,
    /// Per state: whether every word is accepted, so that φ is violated.
    pub bad_prefix: Vec<bool>,
}

impl Tables {
    /// The tables of the automaton of ¬φ.
    pub fn new(negative: &Buchi) -> Result<Tables, TooManyAtoms> {
        let atoms = negative.atoms.len();
        if atoms > MAX_TABLE_ATOMS {
            return Err(TooManyAtoms { atoms });
        }
        let mut bdds = Bdds::new();
        let graph = negative.to_graph(&mut bdds);
        let stutter: Vec<_> = stutter_acceptance(&graph, &mut bdds)
            .into_iter()
            .map(|set| bdds.sum(set))
            .collect();
        let row = |letter: u64| {
            stutter
                .iter()
                .map(|label| label.contains(Letter(letter)))
                .collect()
        };
        Ok(Tables {
            stutter_accept: (0..1u64 << atoms).map(row).collect(),
            good_prefix_excluded: graph.live_states(),
            bad_prefix: universal_states(&graph, &mut bdds),
        })
    }
}

/// The states from which every word is accepted by a strategy that sees one letter at a time.
fn universal_states(graph: &Graph, bdds: &mut Bdds) -> Vec<bool> {
    let mut outer = vec![true; graph.len()];
    loop {
        let mut inner = vec![false; graph.len()];
        loop {
            let before = inner.clone();
            for state in 0..graph.len() {
                let mut cover = Bdd::FALSE;
                for edge in &graph.edges[state] {
                    let goal = if edge.marks & 1 == 1 { &outer } else { &inner };
                    if goal[edge.target as usize] {
                        cover = bdds.or(cover, edge.label);
                    }
                }
                inner[state] |= cover == Bdd::TRUE;
            }
            if inner == before {
                break;
            }
        }
        if inner == outer {
            return outer;
        }
        outer = inner;
    }
}

/// The monitor of φ, given the automaton of ¬φ; `formula` is φ, for the comment.
pub fn write(negative: &Buchi, formula: &str) -> Result<String, TooManyAtoms> {
    let tables = Tables::new(negative)?;
    let mut text = String::new();
    let _ = writeln!(text, "/* Monitor of {} */", formula.replace("*/", "* /"));
    text.push_str(PRELUDE);
    write_atoms(&mut text, &negative.atoms);
    let states: Vec<String> = (0..negative.state_count())
        .map(|s| format!("_ltl2ba_state_{s}"))
        .collect();
    let _ = writeln!(text, "typedef enum {{ {} }} _ltl2ba_state;", states.join(", "));
    let _ = writeln!(
        text,
        "_ltl2ba_state _ltl2ba_statevar = _ltl2ba_state_{};\n",
        negative.initial
    );
    write_machine(&mut text, negative);
    text.push_str(START);
    write_tables(&mut text, &tables);
    write_letter_index(&mut text, &negative.atoms);
    text.push_str(FINISH);
    Ok(text)
}

fn write_atoms(text: &mut String, atoms: &Atoms) {
    for (id, atom) in atoms.iter() {
        let number = id.index();
        let expression = atom
            .text
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', " ");
        let _ = writeln!(
            text,
            "char __ESBMC_property__ltl2ba_cexpr_{number}[] = \"{expression}\";"
        );
        let _ = writeln!(text, "_Bool _ltl2ba_cexpr_{number}_status;");
    }
    text.push('\n');
}

fn write_machine(text: &mut String, automaton: &Buchi) {
    text.push_str(
        "void *ltl2ba_fsm(void *unused)\n{\n\tunsigned int choice;\n\t(void)unused;\n\twhile (1) {\n",
    );
    text.push_str(
        "\t\tchoice = nondet_uint();\n\t\t__ESBMC_atomic_begin();\n\t\tswitch (_ltl2ba_statevar) {\n",
    );
    let style = LabelStyle {
        always: "1",
        never: "0",
        ..LabelStyle::C
    };
    for (number, state) in automaton.states.iter().enumerate() {
        let _ = writeln!(text, "\t\tcase _ltl2ba_state_{number}:");
        text.push_str("\t\t\t");
        for (choice, edge) in state.edges.iter().enumerate() {
            let label = edge
                .label
                .write(&style, |atom| format!("_ltl2ba_cexpr_{}_status", atom.index()));
            let _ = writeln!(text, "if (choice == {choice}) {{");
            let _ = writeln!(text, "\t\t\t\t__ESBMC_assume({label});");
            let _ = writeln!(text, "\t\t\t\t_ltl2ba_statevar = _ltl2ba_state_{};", edge.target);
            text.push_str("\t\t\t} else ");
        }
        text.push_str("{\n\t\t\t\t__ESBMC_assume(0);\n\t\t\t}\n\t\t\tbreak;\n");
    }
    text.push_str(
        "\t\t}\n\t\t__ESBMC_atomic_end();\n\t\t__ESBMC_switch_from_monitor();\n\t}\n\treturn 0;\n}\n\n",
    );
}

fn write_tables(text: &mut String, tables: &Tables) {
    let row = |row: &[bool]| {
        row.iter()
            .map(|b| if *b { "1" } else { "0" })
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (letters, states) = (tables.stutter_accept.len(), tables.bad_prefix.len());
    let _ = writeln!(
        text,
        "_Bool _ltl2ba_stutter_accept_table[{letters}][{states}] = {{"
    );
    for letter in &tables.stutter_accept {
        let _ = writeln!(text, "\t{{ {} }},", row(letter));
    }
    text.push_str("};\n\n");
    let _ = writeln!(
        text,
        "_Bool _ltl2ba_good_prefix_excluded_states[{states}] = {{ {} }};\n",
        row(&tables.good_prefix_excluded)
    );
    let _ = writeln!(
        text,
        "_Bool _ltl2ba_bad_prefix_states[{states}] = {{ {} }};\n",
        row(&tables.bad_prefix)
    );
}

fn write_letter_index(text: &mut String, atoms: &Atoms) {
    text.push_str("unsigned int _ltl2ba_sym_to_idx(void)\n{\n\tunsigned int idx = 0;\n");
    for (id, _) in atoms.iter() {
        let (number, bit) = (id.index(), 1u64 << id.index());
        let _ = writeln!(text, "\tidx |= _ltl2ba_cexpr_{number}_status ? {bit}u : 0u;");
    }
    text.push_str("\treturn idx;\n}\n\n");
}

const PRELUDE: &str = "#include <pthread.h>

unsigned int nondet_uint(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __ESBMC_switch_to_monitor(void);
void __ESBMC_switch_from_monitor(void);
void __ESBMC_register_monitor(pthread_t);
void __ESBMC_kill_monitor(void);

";

const START: &str = "void ltl2ba_start_monitor(void)
{
	pthread_t t;
	__ESBMC_atomic_begin();
	pthread_create(&t, 0, ltl2ba_fsm, 0);
	__ESBMC_register_monitor(t);
	__ESBMC_atomic_end();
	__ESBMC_switch_to_monitor();
}

";

const FINISH: &str = "void ltl2ba_finish_monitor(void)
{
	__ESBMC_kill_monitor();

	_Bool in_bad_state = _ltl2ba_bad_prefix_states[_ltl2ba_statevar];
	__ESBMC_assert(!in_bad_state, \"LTL_BAD\");

	unsigned int cursym = _ltl2ba_sym_to_idx();
	_Bool in_accept_state = _ltl2ba_stutter_accept_table[cursym][_ltl2ba_statevar];
	__ESBMC_assert(!in_accept_state, \"LTL_FAILING\");

	_Bool not_in_good_prefix = _ltl2ba_good_prefix_excluded_states[_ltl2ba_statevar];
	__ESBMC_assert(!not_in_good_prefix, \"LTL_SUCCEEDING\");
}
";
