//! The Hanoi omega-automata format, version 1: Büchi automata out, (generalised) Büchi automata in.
//!
//! Read are: acceptance that is a conjunction of `Inf(n)` (or `t`), on states or edges; labels on states or
//! edges, implicit labels, aliases; several initial states. Other acceptance, alternation and missing parts
//! are refused.

use std::fmt::Write;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::atom::{Atom, AtomStyle, Atoms, MAX_ATOMS, is_identifier};
use crate::bdd::{Bdd, Bdds};
use crate::buchi::Buchi;
use crate::degeneralise::orders;
use crate::graph::{Edge, Graph};
use crate::label::LabelStyle;
use crate::printer::quoted;
use crate::syntax_error::SyntaxError;

/// The most states an automaton may have once it is a plain Büchi automaton.
const STATE_LIMIT: usize = 1_000_000;

/// The automaton in HOA.
pub fn write(automaton: &Buchi, name: &str) -> String {
    let mut text = String::from("HOA: v1\n");
    let _ = writeln!(text, "name: {}", quoted(name));
    text.push_str("tool: \"kripke\"\n");
    let _ = writeln!(
        text,
        "States: {}\nStart: {}",
        automaton.state_count(),
        automaton.initial
    );
    let _ = write!(text, "AP: {}", automaton.atoms.len());
    for (_, atom) in automaton.atoms.iter() {
        let _ = write!(text, " {}", quoted(&atom.text));
    }
    text.push_str(
        "\nacc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc",
    );
    if automaton.is_deterministic() {
        text.push_str(" deterministic");
    }
    text.push_str("\n--BODY--\n");
    for (number, state) in automaton.states.iter().enumerate() {
        let _ = writeln!(
            text,
            "State: {number}{}",
            if state.accepting { " {0}" } else { "" }
        );
        for edge in &state.edges {
            let label = edge
                .label
                .write(&LabelStyle::HOA, |atom| atom.index().to_string());
            let _ = writeln!(text, "[{label}] {}", edge.target);
        }
    }
    text.push_str("--END--\n");
    text
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    /// `States:`; the colon is dropped.
    Header(String),
    Name(String),
    Text(String),
    Number(u64),
    Alias(String),
    Symbol(char),
    Body,
    End,
}

/// Reads an automaton.
pub fn parse(text: &str) -> Result<Buchi, SyntaxError> {
    let words = tokenise(text)?;
    let mut reader = Reader {
        text,
        words,
        at: 0,
        bdds: Bdds::new(),
        atoms: Atoms::new(),
        aliases: FxHashMap::default(),
        start: Vec::new(),
        states: None,
        acceptance: None,
    };
    reader.header()?;
    reader.body()
}

fn tokenise(text: &str) -> Result<Vec<(Word, Range<usize>)>, SyntaxError> {
    let mut words = Vec::new();
    let mut at = 0;
    let name_length = |rest: &str| {
        rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
            .unwrap_or(rest.len())
    };
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let (word, length) = match next {
            c if c.is_whitespace() => (None, c.len_utf8()),
            '/' if rest.starts_with("/*") => (None, rest.find("*/").map_or(rest.len(), |end| end + 2)),
            '-' if rest.starts_with("--BODY--") => (Some(Word::Body), 8),
            '-' if rest.starts_with("--END--") => (Some(Word::End), 7),
            '"' => {
                let (value, length) = string(rest)
                    .ok_or_else(|| SyntaxError::new(text, at..at + 1, "this quote is never closed"))?;
                (Some(Word::Text(value)), length)
            }
            '@' => {
                let length = name_length(&rest[1..]);
                (Some(Word::Alias(rest[1..1 + length].to_string())), 1 + length)
            }
            c if c.is_ascii_digit() => {
                let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let number = rest[..length]
                    .parse()
                    .map_err(|_| SyntaxError::new(text, at..at + length, "this number is too large"))?;
                (Some(Word::Number(number)), length)
            }
            c if c.is_alphabetic() || c == '_' => {
                let length = name_length(rest);
                let name = rest[..length].to_string();
                if rest[length..].starts_with(':') {
                    (Some(Word::Header(name)), length + 1)
                } else {
                    (Some(Word::Name(name)), length)
                }
            }
            c => (Some(Word::Symbol(c)), c.len_utf8()),
        };
        words.extend(word.map(|word| (word, at..at + length)));
        at += length;
    }
    Ok(words)
}

/// A quoted string at the start of the text: its value, its length with quotes.
fn string(text: &str) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((value, at + 1)),
            '\\' => value.push(characters.next()?.1),
            other => value.push(other),
        }
    }
    None
}

struct Reader<'a> {
    text: &'a str,
    words: Vec<(Word, Range<usize>)>,
    at: usize,
    bdds: Bdds,
    atoms: Atoms,
    aliases: FxHashMap<String, Bdd>,
    start: Vec<u32>,
    states: Option<usize>,
    acceptance: Option<u32>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Word> {
        self.words.get(self.at).map(|(word, _)| word)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        let span = self
            .words
            .get(self.at)
            .map_or(self.text.len()..self.text.len(), |(_, span)| span.clone());
        Err(SyntaxError::new(self.text, span, message))
    }

    fn take(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(&Word::Symbol(symbol));
        self.at += usize::from(found);
        found
    }

    fn number(&mut self) -> Result<u64, SyntaxError> {
        match self.peek() {
            Some(&Word::Number(number)) => {
                self.at += 1;
                Ok(number)
            }
            _ => self.error("expected a number"),
        }
    }

    fn state_number(&mut self) -> Result<u32, SyntaxError> {
        let number = self.number()?;
        match u32::try_from(number) {
            Ok(number) if (number as usize) < STATE_LIMIT => Ok(number),
            _ => {
                self.at -= 1;
                self.error("this state number is too large")
            }
        }
    }

    fn header(&mut self) -> Result<(), SyntaxError> {
        if self.peek() != Some(&Word::Header("HOA".into())) {
            return self.error("expected `HOA: v1`");
        }
        self.at += 1;
        if self.peek() != Some(&Word::Name("v1".into())) {
            return self.error("only version v1 of the format is read");
        }
        self.at += 1;
        loop {
            match self.peek().cloned() {
                Some(Word::Body) => {
                    self.at += 1;
                    return Ok(());
                }
                Some(Word::Header(name)) => {
                    self.at += 1;
                    self.header_item(&name)?;
                }
                _ => return self.error("expected a header item or `--BODY--`"),
            }
        }
    }

    fn header_item(&mut self, name: &str) -> Result<(), SyntaxError> {
        match name {
            "States" => self.states = Some(self.state_number()? as usize),
            "Start" => {
                let state = self.state_number()?;
                self.start.push(state);
                if self.peek() == Some(&Word::Symbol('&')) {
                    return self.error("alternating automata are not read");
                }
            }
            "AP" => {
                for _ in 0..self.number()? {
                    let Some(Word::Text(text)) = self.peek().cloned() else {
                        return self.error("expected an atomic proposition in quotes");
                    };
                    let style = if is_identifier(&text) {
                        AtomStyle::Bare
                    } else {
                        AtomStyle::Quoted
                    };
                    let count = self.atoms.len();
                    if self
                        .atoms
                        .intern(Atom {
                            text,
                            style,
                            offset: 0,
                        })
                        .is_none()
                    {
                        return self.error(format!("more than {MAX_ATOMS} atomic propositions"));
                    }
                    if self.atoms.len() == count {
                        return self.error("this atomic proposition stands here twice");
                    }
                    self.at += 1;
                }
            }
            "Alias" => {
                let Some(Word::Alias(name)) = self.peek().cloned() else {
                    return self.error("expected `@name`");
                };
                self.at += 1;
                let set = self.label()?;
                self.aliases.insert(name, set);
            }
            "Acceptance" => self.acceptance()?,
            _ => {
                // Items that do not change the language: skipped. Those in capitals would.
                if name.starts_with(|c: char| c.is_uppercase()) {
                    self.at -= 1;
                    return self.error(format!("the header item `{name}` is not supported"));
                }
                while !matches!(self.peek(), None | Some(Word::Header(_) | Word::Body)) {
                    self.at += 1;
                }
            }
        }
        Ok(())
    }

    /// `n` sets, then a conjunction of `Inf(i)`, or `t`.
    fn acceptance(&mut self) -> Result<(), SyntaxError> {
        let count = self.number()?;
        if count > 63 {
            return self.error("more than 63 acceptance sets");
        }
        let mut seen = 0u64;
        while !matches!(self.peek(), None | Some(Word::Header(_) | Word::Body)) {
            match self.peek().cloned() {
                Some(Word::Name(name)) if name == "Inf" => {
                    self.at += 1;
                    if !self.take('(') || self.peek() == Some(&Word::Symbol('!')) {
                        return self.error("only Büchi and generalised Büchi acceptance is read");
                    }
                    seen |= 1 << self.number()?.min(63);
                    self.take(')');
                }
                Some(Word::Name(name)) if name == "t" => self.at += 1,
                Some(Word::Symbol('&' | '(' | ')')) => self.at += 1,
                _ => return self.error("only Büchi and generalised Büchi acceptance is read"),
            }
        }
        if seen != (1u64 << count) - 1 {
            return self.error("only Büchi and generalised Büchi acceptance is read");
        }
        self.acceptance = Some(count as u32);
        Ok(())
    }

    fn label(&mut self) -> Result<Bdd, SyntaxError> {
        self.disjunction(0)
    }

    fn disjunction(&mut self, depth: usize) -> Result<Bdd, SyntaxError> {
        let mut set = self.conjunction(depth)?;
        while self.take('|') {
            let right = self.conjunction(depth)?;
            set = self.bdds.or(set, right);
        }
        Ok(set)
    }

    fn conjunction(&mut self, depth: usize) -> Result<Bdd, SyntaxError> {
        let mut set = self.literal(depth)?;
        while self.take('&') {
            let right = self.literal(depth)?;
            set = self.bdds.and(set, right);
        }
        Ok(set)
    }

    fn literal(&mut self, depth: usize) -> Result<Bdd, SyntaxError> {
        if depth > 200 {
            return self.error("this label nests too deeply");
        }
        let mut positive = true;
        while self.take('!') {
            positive = !positive;
        }
        let set = match self.peek().cloned() {
            Some(Word::Symbol('(')) => {
                self.at += 1;
                let set = self.disjunction(depth + 1)?;
                if !self.take(')') {
                    return self.error("expected `)`");
                }
                set
            }
            Some(Word::Number(atom)) if atom < self.atoms.len() as u64 => {
                self.at += 1;
                self.bdds.literal(atom as u8, true)
            }
            Some(Word::Number(_)) => return self.error("there is no such atomic proposition"),
            Some(Word::Name(name)) if name == "t" || name == "f" => {
                self.at += 1;
                if name == "t" { Bdd::TRUE } else { Bdd::FALSE }
            }
            Some(Word::Alias(name)) => match self.aliases.get(&name) {
                Some(&set) => {
                    self.at += 1;
                    set
                }
                None => return self.error("this alias is not defined"),
            },
            _ => return self.error("expected a label: t, f, a number, !, & or |"),
        };
        Ok(if positive { set } else { self.bdds.not(set) })
    }

    fn bracketed_label(&mut self) -> Result<Option<Bdd>, SyntaxError> {
        if !self.take('[') {
            return Ok(None);
        }
        let set = self.label()?;
        if self.take(']') {
            Ok(Some(set))
        } else {
            self.error("expected `]`")
        }
    }

    fn marks(&mut self) -> Result<u64, SyntaxError> {
        let mut marks = 0;
        if self.take('{') {
            while !self.take('}') {
                let mark = self.number()?;
                if mark >= u64::from(self.acceptance.unwrap_or(0)) {
                    self.at -= 1;
                    return self.error("there is no such acceptance set");
                }
                marks |= 1 << mark;
            }
        }
        Ok(marks)
    }

    fn body(mut self) -> Result<Buchi, SyntaxError> {
        let Some(mark_count) = self.acceptance else {
            return self.error("the header says no `Acceptance:`");
        };
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); self.states.unwrap_or(0)];
        while self.peek() == Some(&Word::Header("State".into())) {
            self.at += 1;
            self.state(&mut edges)?;
        }
        if self.peek() != Some(&Word::End) {
            return self.error("expected `State:` or `--END--`");
        }
        let initial = self.initial(&mut edges)?;
        let count = edges.len();
        if let Some(bad) = edges
            .iter()
            .flatten()
            .map(|edge| edge.target)
            .find(|&target| target as usize >= count)
        {
            return self.error(format!("an edge leads to state {bad}, which does not exist"));
        }
        let mut graph = Graph {
            edges,
            initial,
            mark_count,
        };
        graph.merge_parallel(&mut self.bdds);
        graph.trim();
        let order = orders(mark_count).swap_remove(0);
        let Ok(mut graph) = graph.degeneralise(&order, STATE_LIMIT) else {
            return self.error(format!("the automaton has more than {STATE_LIMIT} states"));
        };
        graph.merge_parallel(&mut self.bdds);
        graph.trim();
        Ok(Buchi::from_graph(
            self.atoms.clone(),
            &graph,
            &mut self.bdds,
            None,
        ))
    }

    /// The one initial state; with several, or none, a new one that has all their edges.
    fn initial(&mut self, edges: &mut Vec<Vec<Edge>>) -> Result<u32, SyntaxError> {
        if let Some(&bad) = self.start.iter().find(|&&state| state as usize >= edges.len()) {
            return self.error(format!("the initial state {bad} does not exist"));
        }
        if let [only] = self.start.as_slice() {
            return Ok(*only);
        }
        let union = self
            .start
            .iter()
            .flat_map(|&state| edges[state as usize].clone())
            .collect();
        edges.push(union);
        Ok(edges.len() as u32 - 1)
    }

    fn state(&mut self, edges: &mut Vec<Vec<Edge>>) -> Result<(), SyntaxError> {
        let state_label = self.bracketed_label()?;
        let state = self.state_number()? as usize;
        if edges.len() <= state {
            edges.resize(state + 1, Vec::new());
        }
        if matches!(self.peek(), Some(Word::Text(_))) {
            self.at += 1;
        }
        let state_marks = self.marks()?;
        let mut implicit = 0u64;
        while matches!(self.peek(), Some(Word::Symbol('[') | Word::Number(_))) {
            let label = match (self.bracketed_label()?, state_label) {
                (Some(label), _) | (None, Some(label)) => label,
                (None, None) => {
                    let letter = implicit;
                    implicit += 1;
                    self.implicit_label(letter)
                }
            };
            let target = self.state_number()?;
            if self.peek() == Some(&Word::Symbol('&')) {
                return self.error("alternating automata are not read");
            }
            let marks = self.marks()? | state_marks;
            edges[state].push(Edge { target, marks, label });
        }
        Ok(())
    }

    fn implicit_label(&mut self, letter: u64) -> Bdd {
        let mut set = Bdd::TRUE;
        for atom in 0..self.atoms.len() as u8 {
            let literal = self.bdds.literal(atom, letter >> atom & 1 == 1);
            set = self.bdds.and(set, literal);
        }
        set
    }
}
