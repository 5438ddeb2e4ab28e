//! SPIN's never claims, written and read.
//!
//! A state is a label before an `if` or `do`; labels that start with `accept` are accepting. SPIN's own
//! translator ends in `atomic { (e) -> assert(!(e)) }` where every continuation is accepted, and names that
//! state `accept_all`.

use std::fmt::Write;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::atom::{Atoms, is_identifier};
use crate::bdd::{Bdd, Bdds};
use crate::buchi::Buchi;
use crate::formula::{Formula, Node};
use crate::graph::{Edge, Graph};
use crate::label::LabelStyle;
use crate::lexer::is_reserved;
use crate::syntax_error::SyntaxError;

/// The automaton as a never claim; atoms that are no Promela names get `#define`s before it.
pub fn write(automaton: &Buchi, comment: &str) -> String {
    let mut text = String::new();
    let names = names(&automaton.atoms);
    for (id, atom) in automaton.atoms.iter() {
        if names[id.index()] != atom.text {
            let _ = writeln!(text, "#define {} ({})", names[id.index()], atom.text);
        }
    }
    let _ = writeln!(text, "never {{ /* {} */", comment.replace("*/", "* /"));
    let mut order: Vec<usize> = (0..automaton.state_count()).collect();
    order.sort_by_key(|&state| state != automaton.initial.index());
    for state in order {
        let _ = writeln!(text, "{}:", state_name(automaton, state));
        let edges = &automaton.states[state].edges;
        if is_accept_all(automaton, state) {
            text.push_str("\tskip\n");
            continue;
        }
        if edges.is_empty() {
            text.push_str("\tfalse;\n");
            continue;
        }
        text.push_str("\tdo\n");
        let style = LabelStyle {
            always: "1",
            ..LabelStyle::C
        };
        for edge in edges {
            let label = edge.label.write(&style, |atom| names[atom.index()].clone());
            let _ = writeln!(
                text,
                "\t:: ({label}) -> goto {}",
                state_name(automaton, edge.target.index())
            );
        }
        text.push_str("\tod;\n");
    }
    text.push_str("}\n");
    text
}

fn names(atoms: &Atoms) -> Vec<String> {
    atoms
        .iter()
        .map(|(id, atom)| {
            let plain = is_identifier(&atom.text)
                && !is_reserved(&atom.text)
                && atom.text.starts_with(|c: char| c.is_ascii_lowercase());
            let mut name = if plain { atom.text.clone() } else { id.to_string() };
            while !plain && atoms.find(&name).is_some() {
                name.push('_');
            }
            name
        })
        .collect()
}

fn is_accept_all(automaton: &Buchi, state: usize) -> bool {
    let data = &automaton.states[state];
    data.accepting
        && matches!(data.edges.as_slice(), [edge] if edge.target.index() == state && edge.label.is_all())
}

fn state_name(automaton: &Buchi, state: usize) -> String {
    let initial = state == automaton.initial.index();
    match (automaton.states[state].accepting, initial) {
        (true, true) => "accept_init".to_string(),
        (false, true) => "T0_init".to_string(),
        (true, false) if is_accept_all(automaton, state) => "accept_all".to_string(),
        (true, false) => format!("accept_S{state}"),
        (false, false) => format!("T0_S{state}"),
    }
}

/// Reads a never claim whose expressions are over the given atoms.
pub fn parse(text: &str, atoms: &Atoms) -> Result<Buchi, SyntaxError> {
    let mut reader = Reader {
        text,
        at: 0,
        atoms,
        bdds: Bdds::new(),
        states: Vec::new(),
        labels: FxHashMap::default(),
    };
    reader.claim()?;
    reader.finish()
}

struct ReadState {
    accepting: bool,
    /// Target label, its place, letters.
    edges: Vec<(String, Range<usize>, Bdd)>,
    /// Reads everything for ever.
    skips: bool,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    atoms: &'a Atoms,
    bdds: Bdds,
    states: Vec<ReadState>,
    labels: FxHashMap<String, u32>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError::new(
            self.text,
            self.at..(self.at + 1).min(self.text.len()),
            message,
        ))
    }

    fn space(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if self.rest().starts_with("/*") {
                self.at += self.rest().find("*/").map_or(self.rest().len(), |end| end + 2);
            } else if self.rest().starts_with("//") || self.rest().starts_with('#') {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else {
                return;
            }
        }
    }

    fn take(&mut self, word: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), SyntaxError> {
        if self.take(word) {
            Ok(())
        } else {
            self.error(format!("expected `{word}`"))
        }
    }

    fn name(&mut self) -> Option<String> {
        self.space();
        let rest = self.rest();
        let length = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let name = rest[..length].to_string();
        self.at += length;
        (!name.is_empty()).then_some(name)
    }

    fn claim(&mut self) -> Result<(), SyntaxError> {
        self.expect("never")?;
        while !self.take("{") {
            if self.name().is_none() {
                return self.error("expected `{`");
            }
        }
        while !self.take("}") {
            self.state()?;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<(), SyntaxError> {
        let number = self.states.len() as u32;
        let mut state = ReadState {
            accepting: false,
            edges: Vec::new(),
            skips: false,
        };
        loop {
            let before = self.at;
            match self.name() {
                Some(name) if self.take(":") && !self.rest().starts_with(':') => {
                    state.accepting |= name.starts_with("accept");
                    self.labels.insert(name, number);
                }
                _ => {
                    self.at = before;
                    break;
                }
            }
        }
        if self.take("skip") {
            state.skips = true;
        } else if self.take("false") {
        } else if self.take("if") || self.take("do") {
            while self.take("::") {
                // SPIN writes an option that is never taken for a state without edges.
                if !self.dead_option() {
                    let edge = self.option()?;
                    state.edges.push(edge);
                }
                self.take(";");
            }
            if !self.take("fi") && !self.take("od") {
                return self.error("expected `::`, `fi` or `od`");
            }
        } else {
            return self.error("expected a state: `if`, `do`, `skip` or `false`");
        }
        self.take(";");
        self.states.push(state);
        Ok(())
    }

    fn dead_option(&mut self) -> bool {
        self.space();
        let Some(after) = self.rest().strip_prefix("false") else {
            return false;
        };
        let after = after.trim_start();
        let dead = after.starts_with("od") || after.starts_with("fi") || after.starts_with("::");
        if dead {
            self.at += "false".len();
        }
        dead
    }

    fn option(&mut self) -> Result<(String, Range<usize>, Bdd), SyntaxError> {
        let atomic = self.take("atomic");
        if atomic {
            self.expect("{")?;
        }
        self.space();
        let Some(length) = self.rest().find("->") else {
            return self.error("expected `expression -> …`");
        };
        let letters = self.expression(self.at..self.at + length)?;
        self.at += length + 2;
        let place = self.at..self.at + 1;
        if self.take("goto") {
            let Some(name) = self.name() else {
                return self.error("expected a label after `goto`");
            };
            if atomic {
                self.expect("}")?;
            }
            return Ok((name, place, letters));
        }
        if !atomic || !self.take("assert") {
            return self.error("expected `goto`, or an assertion inside `atomic`");
        }
        self.at += self.rest().find('}').map_or(self.rest().len(), |end| end + 1);
        Ok(("accept_all".to_string(), place, letters))
    }

    fn expression(&mut self, span: Range<usize>) -> Result<Bdd, SyntaxError> {
        let inner = &self.text[span.clone()];
        let outer = |error: SyntaxError| {
            let mut error = error;
            error.span = error.span.start + span.start..error.span.end + span.start;
            error.input = self.text.to_string();
            error
        };
        let formula = Formula::parse(inner).map_err(outer)?;
        let mut sets: Vec<Bdd> = Vec::new();
        for id in formula.store.subformulas(formula.root) {
            if sets.len() <= id.index() {
                sets.resize(id.index() + 1, Bdd::FALSE);
            }
            let bdds = &mut self.bdds;
            sets[id.index()] = match formula.store.node(id) {
                Node::Constant(value) => {
                    if *value {
                        Bdd::TRUE
                    } else {
                        Bdd::FALSE
                    }
                }
                Node::Atom(atom) => {
                    let name = &formula.atoms().get(*atom).text;
                    let Some(known) = self.atoms.find(name) else {
                        return Err(SyntaxError::new(
                            self.text,
                            span,
                            format!("`{name}` is no atom of the formula"),
                        ));
                    };
                    bdds.literal(known.index() as u8, true)
                }
                Node::Not(a) => bdds.not(sets[a.index()]),
                Node::And(list) => list
                    .iter()
                    .fold(Bdd::TRUE, |set, f| bdds.and(set, sets[f.index()])),
                Node::Or(list) => list
                    .iter()
                    .fold(Bdd::FALSE, |set, f| bdds.or(set, sets[f.index()])),
                _ => {
                    return Err(SyntaxError::new(
                        self.text,
                        span,
                        "a label is made of `!`, `&&` and `||` only",
                    ));
                }
            };
        }
        Ok(sets[formula.root.index()])
    }

    fn finish(mut self) -> Result<Buchi, SyntaxError> {
        if self.states.is_empty() {
            return self.error("a never claim without states");
        }
        if !self.labels.contains_key("accept_all") {
            self.labels
                .insert("accept_all".to_string(), self.states.len() as u32);
            self.states.push(ReadState {
                accepting: true,
                edges: Vec::new(),
                skips: true,
            });
        }
        let mut edges = Vec::with_capacity(self.states.len());
        for (number, state) in self.states.iter().enumerate() {
            let marks = u64::from(state.accepting);
            let mut out = Vec::new();
            if state.skips {
                out.push(Edge {
                    target: number as u32,
                    marks,
                    label: Bdd::TRUE,
                });
            }
            for (name, place, label) in &state.edges {
                let Some(&target) = self.labels.get(name) else {
                    return Err(SyntaxError::new(
                        self.text,
                        place.clone(),
                        format!("no state is labelled `{name}`"),
                    ));
                };
                out.push(Edge {
                    target,
                    marks,
                    label: *label,
                });
            }
            edges.push(out);
        }
        let mut graph = Graph {
            edges,
            initial: 0,
            mark_count: 1,
        };
        graph.merge_parallel(&mut self.bdds);
        graph.restrict(|_| true);
        Ok(Buchi::from_graph(
            self.atoms.clone(),
            &graph,
            &mut self.bdds,
            None,
        ))
    }
}
