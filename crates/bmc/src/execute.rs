//! Locations, transitions and statements.

use std::rc::Rc;

use kripke_elts::interrupts::{CHOICE, plain_name};
use kripke_elts::{Id, LocationId, NondetSource, Statement, StatementKind, Transition, Type, VariableId};
use kripke_smt::TermId;
use kripke_value::RoundingMode;

use crate::activation::{Key, Waiting, Work};
use crate::continuation::Continuation;
use crate::engine::Engine;
use crate::expression::as_bits;
use crate::graph::Graph;
use crate::kinduction::HeadAction;
use crate::ltl::EndKind;
use crate::object::{ObjectKind, Rest};
use crate::record::Cut;
use crate::state::State;
use crate::value::Value;

/// What a statement does to the path.
pub(crate) enum Flow {
    /// It goes on.
    Continue,
    /// It ends here.
    End,
    /// It goes on when the callees have returned.
    Call(Waiting),
}

/// How many states of an iteration are compared with those of the next.
const MAX_COMPARED: usize = 16;
/// The number of first iterations of a loop that are asked for one by one.
const ASKED_ONE_BY_ONE: u32 = 16;
/// Of the iterations behind those, one of this many is asked for.
const ASKED_THEN: u32 = 4;

impl Engine<'_> {
    /// Executes a location: its state goes on along each transition whose guard it may satisfy.
    pub(crate) fn run_location(&mut self, key: &Key, mut state: State) {
        let program = self.program;
        let top = self.top();
        let (function, graph) = (top.function, top.graph.clone());
        let code = &program.functions[function];
        let location = graph.location(key);
        if location == code.exit {
            match self.run.stack.len() == 1 && self.follows_schedules() {
                true => self.end_entry(state),
                false => self.top().exits.push(state),
            }
            return;
        }
        let key: Rc<[u32]> = key.as_slice().into();
        self.run.cursor.key = key.clone();
        self.run.cursor.location = location;
        self.run.cursor.statement = u32::MAX;
        self.run.cursor.position = code.locations[location].position;
        let transitions = &code.locations[location].transitions;
        if transitions.is_empty() {
            let truth = self.terms.true_();
            self.cut(
                &state,
                truth,
                Cut::Unsupported {
                    what: "a location without a way on".to_string(),
                },
            );
            return;
        }
        self.run.cursor.assuming = self.assumes(&key);
        let stay = match self.start_iteration(&graph, location, &key, &mut state) {
            Iteration::Repeats => return,
            Iteration::Goes => true,
            Iteration::PastBound => false,
        };
        let is_asked = self.asks_at(&graph, location, &key);
        self.touch_guards(&state, location);
        let mut possible = Vec::new();
        let mut is_excluded = false;
        for (index, transition) in transitions.iter().enumerate() {
            self.run.cursor.transition = index as u32;
            let guard = self.eval_term(&state, &transition.guard);
            let path = self.run.paths.extend(&mut self.terms, state.path, guard);
            let constant = self.terms.as_bool(guard) == Some(true);
            self.note_exits(&graph, (location, transition), &key, path.is_some(), constant);
            let Some(path) = path else { continue };
            let is_asked = is_asked && !constant && self.stays(&graph, location, transition.target);
            if is_asked && self.is_iteration_impossible(path, &key) {
                is_excluded = true;
                continue;
            }
            possible.push((index, path, guard));
        }
        if let ([(_, path, guard)], true) = (&mut possible[..], is_excluded) {
            // One guard is true, and no other can be.
            *path = self.run.paths.note_implied(&mut self.terms, state.path, *guard);
        }
        let mut work = Vec::new();
        for (index, path, _) in possible {
            let target = transitions[index].target;
            if self.leaves_assumed(&graph, location, target, &key) {
                continue;
            }
            let leaving = State {
                path,
                ..state.clone()
            };
            let rest_of = |state| Work {
                state,
                location,
                transition: index,
                statement: 0,
                key: key.clone(),
            };
            if !stay && self.stays(&graph, location, target) {
                let truth = self.terms.true_();
                self.run.cursor.position = code.locations[location].position;
                let cut = match self.counts_turns() && self.is_at_choice(&graph, location) {
                    true => Cut::Turns,
                    false => Cut::Loop,
                };
                self.cut(&leaving, truth, cut);
                self.keep_cut(Continuation::Path(rest_of(leaving)));
                continue;
            }
            work.push(rest_of(leaving));
        }
        work.reverse();
        self.top().work.extend(work);
    }

    /// Is it worth a question whether the iteration that starts here is possible? Where many were, or one was
    /// in vain, not all others are asked for, unless iterations have no numbers in turn.
    fn asks_at(&mut self, graph: &Graph, location: LocationId, key: &[u32]) -> bool {
        let Some(of) = graph.headed_by(location).filter(|_| !self.is_woven()) else {
            return false;
        };
        // Whether a handler may come once more is rarely worth a question at each place where it can.
        let function = self.top().function;
        if self.is_endless_dispatcher(function) {
            return false;
        }
        let iteration = key[key.len() - 2];
        let instance = self.top().loops.get(&key[..key.len() - 2]);
        let asked_from = instance.map_or(0, |instance| instance.asked_from);
        let is_its_turn = iteration >= asked_from
            && (iteration <= ASKED_ONE_BY_ONE || iteration.is_multiple_of(ASKED_THEN))
            || self.measure_of(graph, of).is_some();
        graph.loops[of as usize].has_exit && iteration > 0 && is_its_turn
    }

    fn stays(&self, graph: &Graph, location: LocationId, target: LocationId) -> bool {
        graph.innermost[location.index()].is_some_and(|of| graph.contains(of, target))
    }

    /// Notes for each loop that a transition leaves whether it is taken, and whether constants decide it.
    fn note_exits(
        &mut self,
        graph: &Graph,
        (location, transition): (LocationId, &Transition),
        key: &[u32],
        feasible: bool,
        constant: bool,
    ) {
        for (depth, of) in graph.chain(location).iter().enumerate() {
            if !graph.is_exit(*of, transition) {
                continue;
            }
            let instance = self.top().loops.entry(key[..2 * depth + 1].to_vec()).or_default();
            if feasible {
                instance.exit_possible = true;
                instance.exit_taken |= !constant;
            } else {
                instance.exit_excluded = true;
            }
        }
    }

    /// Keeps account of a loop when a state comes to its head.
    fn start_iteration(
        &mut self,
        graph: &Rc<Graph>,
        location: LocationId,
        key: &Rc<[u32]>,
        state: &mut State,
    ) -> Iteration {
        let Some(of) = graph.headed_by(location) else {
            return Iteration::Goes;
        };
        let live = graph.live[location.index()].clone();
        let mut dead = Vec::new();
        state.frame.for_each(&mut |variable, _| {
            if !live.contains(variable) {
                dead.push(variable);
            }
        });
        dead.into_iter().for_each(|variable| state.frame.remove(variable));
        self.snapshot(state, key);
        match self.induction_head(graph, of, key, state) {
            HeadAction::Ordinary => {}
            HeadAction::Run => return Iteration::Goes,
            HeadAction::Drop => return Iteration::Repeats,
        }
        if self.was_seen(graph, key, state) {
            return Iteration::Repeats;
        }
        let iteration = key[key.len() - 2];
        let prefix = key[..key.len() - 2].to_vec();
        let (bound, counts_all) = self.loop_bound(graph, of);
        let mut instance = self.top().loops.remove(&prefix).unwrap_or_default();
        if instance.iteration == Some(iteration) {
            instance.parted = true;
            instance.start.clear();
        } else {
            instance.begin(iteration, counts_all);
            if iteration == 0 {
                instance.start = self.positions_at_start(graph, location, state);
            }
        }
        let is_decided_by_inputs = instance.is_decided_by_inputs;
        // One of several states may be like one of other inputs, which says nothing of its own.
        let repeats = instance.before.iter().any(|before| {
            let comes_from = !instance.parted || self.run.paths.extends(before.path, state.path);
            comes_from && same_state(before, state)
        });
        if instance.now.len() < MAX_COMPARED {
            instance.now.push(state.clone());
        }
        let stops = self.run.stops && self.is_woven();
        // What other schedules count does not matter to one that is followed by itself.
        let is_within = match self.begins_schedules(key) {
            true => iteration < bound,
            false => instance.counted < bound && instance.free <= free_iterations(bound, counts_all),
        };
        let goes = is_within && !stops;
        self.top().loops.insert(prefix, instance);
        // Threads may sleep behind a state that go on behind one like it.
        let repeats = repeats && !(self.reduces() && self.is_at_choice(graph, location));
        if repeats && !self.run.cursor.assuming {
            let truth = self.terms.true_();
            self.trace_ends(state, truth, EndKind::Halted);
        }
        let is_asked = is_decided_by_inputs && self.asks_at(graph, location, key);
        match (repeats, goes) {
            (true, _) => Iteration::Repeats,
            _ if is_asked && self.is_iteration_impossible(state.path, key) => Iteration::Repeats,
            (false, true) => Iteration::Goes,
            (false, false) => Iteration::PastBound,
        }
    }

    /// The bound of a loop, and whether iterations that constants decide count as well.
    fn loop_bound(&mut self, graph: &Graph, of: u32) -> (u32, bool) {
        let id = self.top().function;
        // The user bounds the threads' own loops, not that in which threads are chosen.
        if self.options.unwind.is_some() && self.has_threads() && self.hub() == Some((id, of)) {
            return (self.turns.unwrap_or(u32::MAX), self.turns.is_none());
        }
        // An induction over a loop with invariants comes before it is unwound as far as constants say.
        let counts_all = self.options.unwind.is_some() || self.contracts.contains(&(id, of));
        let otherwise = (self.run.bound, counts_all);
        if self.options.unwindset.is_empty() {
            return otherwise;
        }
        let program = self.program;
        let function = &program.functions[id];
        let found = &graph.loops[of as usize];
        let position = function.locations[found.head].position;
        let by_number = format!("{}.{}", plain_name(&function.name), found.number);
        if let Some(bound) = self.options.unwindset.get(&by_number) {
            return (*bound, true);
        }
        let path = program
            .files
            .get(position.file)
            .map_or("", |file| file.path.as_str());
        let mut bounds = self.options.unwindset.iter();
        let named = bounds.find(|(name, _)| crate::loops::is_place(name, path, position.line));
        named.map_or(otherwise, |(_, bound)| (*bound, true))
    }

    /// Executes the rest of a transition.
    pub(crate) fn run_transition(&mut self, mut work: Work) {
        let program = self.program;
        let function = self.top().function;
        let transition = &program.functions[function].locations[work.location].transitions[work.transition];
        self.run.cursor.assuming = self.assumes(&work.key);
        self.run.cursor.key = work.key.clone();
        self.run.cursor.location = work.location;
        self.run.cursor.transition = work.transition as u32;
        while let Some(statement) = transition.statements.get(work.statement) {
            self.run.cursor.statement = work.statement as u32;
            self.run.cursor.position = statement.position;
            work.statement += 1;
            self.touch_variables(&mut work.state);
            match self.run_statement(&mut work.state, statement) {
                Flow::Continue => {}
                Flow::End => return,
                Flow::Call(mut waiting) => {
                    waiting.work = work;
                    self.top().waiting = Some(waiting);
                    self.next_callee();
                    return;
                }
            }
        }
        self.touch_way_out(&work.state, transition.target);
        self.arrive(work.state, transition.target, &work.key);
    }

    /// Puts a state where it waits for the paths that come to the same location in the same iteration.
    fn arrive(&mut self, state: State, target: LocationId, from: &[u32]) {
        let top = self.top();
        let graph = top.graph.clone();
        let source = graph.location(from);
        let (old, new) = (graph.chain(source), graph.chain(target));
        let mut key = Vec::with_capacity(2 * new.len() + 1);
        let mut common = true;
        for (depth, of) in new.iter().enumerate() {
            key.push(graph.position[graph.loops[*of as usize].head.index()]);
            common &= old.get(depth) == Some(of);
            let iteration = if common { from[2 * depth + 1] } else { 0 };
            let back = common && graph.loops[*of as usize].head == target;
            key.push(match back {
                true => self.next_iteration(&graph, (*of, &key), iteration, &state),
                false => iteration,
            });
        }
        key.push(graph.position[target.index()]);
        self.top().pending.entry(key).or_default().push(state);
    }

    /// Executes one statement.
    fn run_statement(&mut self, state: &mut State, statement: &Statement) -> Flow {
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                let value = self.eval(state, value);
                set(state, *target, value);
            }
            StatementKind::Load {
                target,
                address,
                align,
                volatile,
                checks,
            } => {
                let address = self.eval(state, address);
                let ty = self.type_of(*target);
                self.note_load(*target, address.pointer());
                match self.load(state, address.pointer(), ty, *align, *volatile, *checks) {
                    Some(value) => set(state, *target, value),
                    None => return Flow::End,
                }
            }
            StatementKind::Store {
                address,
                value,
                ty,
                align,
                volatile: _,
                checks,
            } => {
                let address = self.eval(state, address);
                self.note_store(address.pointer(), value);
                let value = self.eval(state, value);
                if !self.store(state, address.pointer(), (&value, *ty), *align, *checks) {
                    return Flow::End;
                }
            }
            StatementKind::StackObject { target, size, site } => {
                let size = self.eval_size(state, size);
                let (kind, align) = (ObjectKind::Stack(*site), self.site_align(*site));
                let Some(pointer) = self.create_object(state, kind, size, align, Rest::Uninitialised) else {
                    return Flow::End;
                };
                set(state, *target, Value::Pointer(pointer));
            }
            StatementKind::EndObject { pointer } => {
                let pointer = self.eval(state, pointer);
                self.end_object(state, pointer.pointer());
            }
            StatementKind::HeapObject {
                target,
                size,
                zeroed,
                site,
            } => {
                let size = self.eval_size(state, size);
                let rest = if *zeroed { Rest::Zero } else { Rest::Uninitialised };
                let Some(pointer) = self.allocate(state, *site, size, rest) else {
                    return Flow::End;
                };
                set(state, *target, Value::Pointer(pointer));
            }
            StatementKind::Free { pointer, check } => {
                let pointer = self.eval(state, pointer);
                if !self.free(state, pointer.pointer(), *check) {
                    return Flow::End;
                }
            }
            StatementKind::CopyMemory {
                target,
                source,
                length,
                overlap,
                checks,
            } => {
                let (target, source) = (self.eval(state, target), self.eval(state, source));
                let length = self.eval_size(state, length);
                if !self.copy_memory(
                    state,
                    target.pointer(),
                    source.pointer(),
                    length,
                    *overlap,
                    *checks,
                ) {
                    return Flow::End;
                }
            }
            StatementKind::SetMemory {
                target,
                value,
                length,
                checks,
            } => {
                let target = self.eval(state, target);
                let value = self.eval_term(state, value);
                let length = self.eval_size(state, length);
                if !self.set_memory(state, target.pointer(), value, length, *checks) {
                    return Flow::End;
                }
            }
            StatementKind::Call { .. } => return self.call(state, statement),
            StatementKind::Nondet { target, source } => {
                let guard = self.run.paths.term(state.path);
                let mut value = self.nondet(guard, source, self.type_of(*target));
                if let NondetSource::Library(name) = source
                    && name == kripke_elts::threads::CHOICE
                {
                    if let Some(interleavings) = &mut self.parting.threads.interleavings {
                        interleavings.note_choice(&value);
                    }
                    let Some(scheduled) = self.scheduled(state, value) else {
                        return Flow::End;
                    };
                    value = scheduled;
                }
                if let NondetSource::Library(name) = source
                    && name != CHOICE
                    && name != kripke_elts::threads::CHOICE
                {
                    let text = format!("the result of {name} is any value its model allows");
                    self.run.record.assumptions.insert(text);
                }
                set(state, *target, value);
            }
            StatementKind::Math {
                target,
                function,
                arguments,
            } => {
                let guard = self.run.paths.term(state.path);
                let arguments = arguments
                    .iter()
                    .map(|argument| self.eval_term(state, argument))
                    .collect();
                let Type::Float(format) = self.type_of(*target) else {
                    unreachable!("the verifier admits floats only")
                };
                let nearest = self.terms.as_rounding(state.rounding) == Some(RoundingMode::NearestEven);
                let value = self.math(guard, *function, arguments, (format, nearest));
                set(state, *target, value);
            }
            StatementKind::Assume { condition } => {
                let condition = self.eval_term(state, condition);
                if !self.assume(state, condition) {
                    return Flow::End;
                }
            }
            StatementKind::Assert { condition, property } => {
                let condition = self.eval_term(state, condition);
                let wrong = self.terms.not(condition);
                if !self.violation_or_misuse(state, wrong, Some(*property), "") {
                    return Flow::End;
                }
            }
            StatementKind::SetRounding { mode } => {
                let mode = self.eval_term(state, mode);
                state.rounding = self.rounding_mode(mode);
            }
            StatementKind::GetRounding { target } => {
                let ty = self.type_of(*target);
                let number = self.rounding_number(state.rounding);
                if let Some(value) = self.convert(state, Value::Term(number), ty) {
                    set(state, *target, value);
                }
            }
            StatementKind::Output { target, .. } => {
                if let Some(target) = target {
                    self.output(state, *target);
                }
            }
            StatementKind::Stop { reason, .. } => {
                self.end_program(state, *reason);
                return Flow::End;
            }
            StatementKind::Unsupported { what } => {
                let truth = self.terms.true_();
                self.cut(state, truth, Cut::Unsupported { what: what.clone() });
                return Flow::End;
            }
            StatementKind::Note { .. } => {}
        }
        Flow::Continue
    }

    pub(crate) fn type_of(&self, variable: VariableId) -> Type {
        let function = self
            .run
            .stack
            .last()
            .map_or(self.program.entry, |top| top.function);
        self.program.functions[function].variables[variable].ty
    }

    /// A size or length at pointer width.
    fn eval_size(&mut self, state: &State, expr: &kripke_elts::Expr) -> TermId {
        let size = self.eval_term(state, expr);
        let bits = as_bits(&mut self.terms, size);
        match self.terms.width(bits) {
            from if from < self.pointer_width => self.terms.bv_zext(bits, self.pointer_width),
            from if from > self.pointer_width => self.terms.bv_extract(bits, self.pointer_width - 1, 0),
            _ => bits,
        }
    }

    pub(crate) fn rounding_mode(&mut self, number: TermId) -> TermId {
        let number = as_bits(&mut self.terms, number);
        let width = self.terms.width(number);
        let mut result = self.terms.rounding(RoundingMode::NearestEven);
        let modes = [
            (1, RoundingMode::TowardZero),
            (2, RoundingMode::Upward),
            (3, RoundingMode::Downward),
        ];
        for (value, mode) in modes {
            if width < 2 && value > 1 {
                continue;
            }
            let value = self.terms.bv_u64(width, value);
            let is = self.terms.eq(number, value);
            let mode = self.terms.rounding(mode);
            result = self.terms.ite(is, mode, result);
        }
        result
    }

    fn rounding_number(&mut self, mode: TermId) -> TermId {
        let mut result = self.terms.bv_u64(64, 0);
        let modes = [
            (1, RoundingMode::TowardZero),
            (2, RoundingMode::Upward),
            (3, RoundingMode::Downward),
        ];
        for (value, known) in modes {
            let known = self.terms.rounding(known);
            let is = self.terms.eq(mode, known);
            let value = self.terms.bv_u64(64, value);
            result = self.terms.ite(is, value, result);
        }
        result
    }

    /// The result of an output function: how many characters were written, or that it failed, is left open.
    fn output(&mut self, state: &mut State, target: VariableId) {
        let ty = self.type_of(target);
        let number = self.fresh_name();
        self.run.record.approximated = Some("how many characters an output function writes".to_string());
        self.run
            .record
            .assumptions
            .insert("the number of characters an output function writes is any".to_string());
        let value = self.unknown(&format!("written!{number}"), ty).1;
        set(state, target, value);
    }
}

enum Iteration {
    /// Nothing new can follow: the state is that of the last iteration, or no run comes to this one.
    Repeats,
    /// The loop may go on.
    Goes,
    /// The loop may only be left.
    PastBound,
}

pub(crate) fn set(state: &mut State, variable: VariableId, value: Value) {
    state.frame.set(variable.index() as u64, value);
}

/// Are two states the same but for their paths, and no letter came between them?
pub(crate) fn same_state(a: &State, b: &State) -> bool {
    a.letter == b.letter && same_values(a, b)
}

/// Do two states hold the same values?
pub(crate) fn same_values(a: &State, b: &State) -> bool {
    let mut same = a.rounding == b.rounding;
    a.frame.differences(&b.frame, &mut |_, x, y| same &= x == y);
    if !same {
        return false;
    }
    a.memory
        .differences(&b.memory, &mut |_, x, y| same = same && x == y);
    same
}

/// How many iterations that constants decide a loop may have at a bound, unless they count like all others:
/// a loop that counts for ever must not keep the search from loops that end.
fn free_iterations(bound: u32, counts_all: bool) -> u32 {
    match counts_all {
        true => u32::MAX,
        false => bound.saturating_mul(4096).max(1 << 14),
    }
}
