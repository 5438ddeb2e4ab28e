//! `kripke states`: the state space of a firmware as a graph, or in numbers.
//!
//! Idea: what the checkers explore is shown as it is. So that a graph can be read, states in a row with one
//! way on are one node; what the user watches ends a row when it changes.
//!
//! Source: the state graph of section 4.3 of Schlich's thesis.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kripke_avr::atom::Atom;
use kripke_avr::micro::{Micro, Nondeterminism, Options, WhileOpen};
use kripke_explicit::{Limits, StateGraph, StateId, Stopped};
use kripke_graph::dot::quoted;
use kripke_model::{Choice, Reason};

use kripke_check::firmware::{Firmware, environment, explore, explosion, trace};

use super::load;
use crate::arguments::{NondeterminismChoice, StatesArguments};
use crate::listener::Listener;
use crate::watchdog::Watchdog;
use crate::{jobs, output};
use kripke_check::{Events as _, Failure};

/// Nodes that a drawing can have, unless the user says otherwise.
const MOST_DRAWN: usize = 5_000;

/// Exit code where not all was seen.
const INCONCLUSIVE: u8 = 2;

/// Explores a firmware and shows its states.
pub fn states(arguments: &StatesArguments, interrupt: Arc<AtomicBool>) -> Result<u8, Failure> {
    let started = Instant::now();
    let firmware = load(&arguments.file, &arguments.device)?;
    let (mut options, _) = environment::options(
        &firmware,
        &jobs::environment(&arguments.model),
        jobs::exploration(&arguments.model),
    )?;
    if arguments.model.nondeterminism == NondeterminismChoice::Immediate {
        options.nondeterminism = Nondeterminism::Immediate;
        options.abstract_values = false;
    }
    // Each step of a drawing says what the environment did in it.
    if arguments.dot {
        options.path_reduction = false;
        options.interrupt_reduction = false;
        options.dead_variable_reduction = false;
    }
    let mut watched: Vec<(String, Atom)> = Vec::new();
    for text in &arguments.watch {
        let atom = Atom::parse(text, firmware.names(false));
        let atom = atom.map_err(|error| Failure::input(format!("--watch {text}: {error}")))?;
        watched.push((text.clone(), atom));
    }
    let most = arguments.dot.then_some(MOST_DRAWN);
    let limits = Limits {
        states: arguments.model.max_states.or(most),
        helpers: arguments.model.helpers(),
        ..arguments.limits.starting_now(interrupt)
    };
    let _watchdog = Watchdog::start(&limits);
    let mut listener = Listener::new(false);
    listener.exploring(&limits.gauge);
    let (mut micro, graph) = explored(&firmware, &options, &watched, &limits);
    drop(listener);
    let graph = match graph {
        Ok(graph) => graph,
        Err(stopped) => {
            output::note(&format!(
                "stopped after {} states: {}; --max-states, --timeout and --memory-limit set the limits, \
                 --constraint and --never make the space smaller",
                stopped.states,
                limit_name(&stopped.reason)
            ));
            if let Some(explosion) = explosion(&mut micro, &firmware, &stopped) {
                output::note(kripke_report::explosion_text(&explosion).trim_end());
            }
            return Ok(INCONCLUSIVE);
        }
    };
    let mut drawing = Drawing {
        firmware: &firmware,
        micro,
        graph: &graph,
        watched: &watched,
    };
    let text = match arguments.dot {
        true => drawing.dot(arguments.all)?,
        false => drawing.numbers(started),
    };
    output::print(&text)?;
    Ok(0)
}

fn limit_name(reason: &Reason) -> &'static str {
    match reason {
        Reason::Time => "the time limit was reached",
        Reason::Memory => "the memory limit was reached",
        Reason::States { .. } => "the limit of states was reached",
        Reason::Interrupted => "it was interrupted",
        _ => "there is no room for more",
    }
}

fn explored(
    firmware: &Firmware,
    options: &Options,
    watched: &[(String, Atom)],
    limits: &Limits,
) -> (Micro, Result<StateGraph, Stopped>) {
    // What is watched is decided when it is written, like what atoms of properties name.
    let atoms = watched
        .iter()
        .map(|(_, atom)| (atom.clone(), WhileOpen::Is(false)));
    explore(
        firmware,
        options,
        atoms.collect(),
        None,
        limits,
        |graph: &Result<StateGraph, Stopped>| graph.as_ref().err().cloned(),
        StateGraph::explore,
    )
}

struct Drawing<'a> {
    firmware: &'a Firmware,
    micro: Micro,
    graph: &'a StateGraph,
    watched: &'a [(String, Atom)],
}

impl Drawing<'_> {
    fn all(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.graph.len()).map(StateId::new)
    }

    fn state(&self, id: StateId) -> Cow<'_, [u8]> {
        self.graph.store.state(id)
    }

    fn numbers(&self, started: Instant) -> String {
        let edges = self.graph.edge_count();
        let ends = self
            .all()
            .filter(|id| self.micro.has_ended(&self.state(*id)))
            .count();
        let places: std::collections::HashSet<u32> =
            self.all().map(|id| self.micro.pc_of(&self.state(id))).collect();
        format!(
            "{} states, {} initial, {ends} without successor\n{edges} transitions\n{} instructions \
             reached\n{} bytes for a state\n{:.2} s\n",
            self.graph.len(),
            self.graph.initial,
            places.len(),
            self.graph.store.state(StateId::new(0)).len(),
            started.elapsed().as_secs_f64()
        )
    }

    /// The values of what is watched.
    fn values(&self, id: StateId) -> Vec<String> {
        let state = self.state(id);
        let value = |(text, atom): &(String, Atom)| {
            let value = atom.value(|cell| self.micro.cell_of(&state, cell));
            let value = value.map_or_else(|| "?".to_owned(), |value| value.to_string());
            format!("{text} = {value}")
        };
        self.watched.iter().map(value).collect()
    }

    /// The first state of each node, and for each the states that follow it in the same node.
    fn rows(&self, all: bool) -> Vec<Vec<StateId>> {
        let mut predecessors = vec![0_u32; self.graph.len()];
        for id in self.all() {
            for (to, _) in self.graph.successors(id) {
                predecessors[to.index()] += 1;
            }
        }
        let follows = |id: StateId| {
            let mut successors = self.graph.successors(id);
            let (to, _) = successors.next().filter(|_| successors.len() == 0)?;
            let continues = !all
                && predecessors[to.index()] == 1
                && to.index() >= self.graph.initial
                && to != id
                && self.values(to) == self.values(id);
            continues.then_some(to)
        };
        let mut is_inner = vec![false; self.graph.len()];
        for to in self.all().filter_map(follows) {
            is_inner[to.index()] = true;
        }
        let firsts = self.all().filter(|id| !is_inner[id.index()]);
        firsts
            .map(|first| std::iter::successors(Some(first), |id| follows(*id)).collect())
            .collect()
    }

    fn dot(&mut self, all: bool) -> Result<String, Failure> {
        let rows = self.rows(all);
        let mut node_of: HashMap<StateId, usize> = HashMap::new();
        for (node, row) in rows.iter().enumerate() {
            node_of.insert(row[0], node);
        }
        let mut text = String::from(
            "digraph states {\n  node [shape=box, style=rounded, fontname=\"monospace\"];\n  edge \
             [fontname=\"monospace\"];\n",
        );
        for (node, row) in rows.iter().enumerate() {
            let shape = match (
                row[0].index() < self.graph.initial,
                self.micro.has_ended(&self.state(row[row.len() - 1])),
            ) {
                (true, _) => ", penwidth=2",
                (_, true) => ", peripheries=2",
                _ => "",
            };
            let label = quoted(&self.label(row));
            let _ = writeln!(text, "  n{node} [label={label}{shape}];");
        }
        for (node, row) in rows.iter().enumerate() {
            let from = row[row.len() - 1];
            if self.micro.has_ended(&self.state(from)) {
                continue;
            }
            let edges = self.graph.successors(from).collect::<Vec<_>>();
            for (to, choice) in edges {
                let label = quoted(&self.environment(from, to, choice)?);
                let _ = writeln!(text, "  n{node} -> n{} [label={label}];", node_of[&to]);
            }
        }
        Ok(text + "}\n")
    }

    fn label(&self, row: &[StateId]) -> String {
        let mut lines = vec![trace::state_text(&self.micro, self.firmware, &self.state(row[0]))];
        if row.len() > 1 {
            let last = self.micro.pc_of(&self.state(row[row.len() - 1]));
            lines.push(format!(
                "… {} ({} steps)",
                self.firmware.code_name(last),
                row.len()
            ));
        }
        lines.extend(self.values(row[0]));
        let last = self.state(row[row.len() - 1]);
        lines.extend(
            self.micro
                .faults_of(&last)
                .map(|fault| fault.description().to_owned()),
        );
        lines.join("\n")
    }

    /// What the environment does in a step.
    fn environment(&mut self, from: StateId, to: StateId, choice: Choice) -> Result<String, Failure> {
        let (before, after) = (self.graph.store.state(from), self.graph.store.state(to));
        trace::environment_of(&mut self.micro, self.firmware, &before, choice, &after).ok_or_else(|| {
            Failure::Internal("a step of the state graph leads elsewhere when it is repeated".to_owned())
        })
    }
}
