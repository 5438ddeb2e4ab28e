//! Calls: entering callees, joining their ends, going on in the caller; and the ends of the program.
//!
//! Invariant: a call begins with one state. It returns as one however many paths and callees (through a
//! pointer) returned, unless the callee's exit keeps states apart ([`crate::parting`]). What goes on in it
//! at a larger bound returns once more ([`crate::continuation`]).

use kripke_elts::{
    Callee, Function, FunctionId, Id, LocationId, NondetSource, Statement, StatementKind, StopReason, Type,
    VariableId,
};
use kripke_smt::TermId;

use crate::activation::{Activation, Key, Waiting, Work};
use crate::continuation::Continuation;
use crate::engine::Engine;
use crate::execute::{Flow, set};
use crate::expression::{as_bits, from_bits};
use crate::graph::Graph;
use crate::ltl::EndKind;
use crate::object::{ObjectId, ObjectKind};
use crate::record::{Cut, Event};
use crate::state::State;
use crate::value::{Pointer, Target, Value, resized};

/// How many calls may be nested.
const MAX_DEPTH: usize = 20_000;

impl Engine<'_> {
    /// Starts a call.
    pub(crate) fn enter(
        &mut self,
        mut state: State,
        function: FunctionId,
        arguments: Vec<Value>,
        context: u32,
    ) {
        let program = self.program;
        let code = &program.functions[function];
        let graph = self.graphs.get(program, function);
        let branches = self.run.paths.branches(state.path);
        let recursion = self.last_activation(function).map_or(0, |last| {
            last.recursion + u32::from(self.options.unwind.is_some() || branches > last.branches)
        });
        let merges = self.calls_merged();
        let serial = self.run.new_serial();
        self.run.stack.push(Activation {
            serial,
            merges,
            branches,
            recursion,
            assuming: self.run.cursor.assuming,
            ..Activation::new(function, graph.clone(), context)
        });
        let guard = self.run.paths.term(state.path);
        self.run.record.events.push(Event::Call { guard, context });
        self.note_monitor_call(&mut state, function, &arguments);
        self.parting.threads.note_call(&mut state, function);
        if let Some(text) = self.parting.threads.cut_by(function) {
            self.run.record.assumptions.insert(text);
        }
        state.frame = Default::default();
        for (parameter, argument) in code.parameters.iter().zip(arguments) {
            let ty = code.variables[*parameter].ty;
            if let Some(value) = self.convert(&state, argument, ty) {
                state.frame.set(parameter.index() as u64, value);
            }
        }
        let key = self.entry_key(&graph, code.entry);
        self.top().pending.insert(key, vec![state]);
    }

    /// Is the running statement inside a loop in which states are not kept apart?
    fn calls_merged(&mut self) -> bool {
        let Some(top) = self.run.stack.last() else {
            return false;
        };
        let (merges, graph) = (top.merges, top.graph.clone());
        merges || self.merges_in(&graph, self.run.cursor.location)
    }

    fn entry_key(&self, graph: &Graph, entry: LocationId) -> Key {
        let mut key = Vec::new();
        for of in graph.chain(entry) {
            key.push(graph.position[graph.loops[*of as usize].head.index()]);
            key.push(0);
        }
        key.push(graph.position[entry.index()]);
        key
    }

    /// A value given where another type is expected, as calls without prototypes do.
    pub(crate) fn convert(&mut self, state: &State, value: Value, ty: Type) -> Option<Value> {
        match (&value, ty) {
            (Value::Pointer(_), Type::Pointer) => Some(value),
            (Value::Pointer(_), Type::Float(_)) => None,
            (Value::Pointer(pointer), Type::Int(width)) => {
                let address = self.address_of(pointer);
                Some(Value::Term(self.resize_term(address, width)))
            }
            (Value::Term(term), Type::Int(width)) => match self.terms.sort(*term) {
                kripke_smt::Sort::Float(_) => None,
                _ => Some(Value::Term(self.resize_term(*term, width))),
            },
            (Value::Term(term), Type::Float(format)) => {
                (self.terms.sort(*term) == kripke_smt::Sort::Float(format)).then_some(value)
            }
            (Value::Term(term), Type::Pointer) => match self.terms.sort(*term) {
                kripke_smt::Sort::Float(_) => None,
                _ => {
                    let address = self.resize_term(*term, self.pointer_width);
                    Some(Value::Pointer(self.pointer_at(state, address)))
                }
            },
        }
    }

    pub(crate) fn resize_term(&mut self, term: TermId, width: u32) -> TermId {
        let bits = as_bits(&mut self.terms, term);
        let bits = resized(&mut self.terms, bits, width);
        from_bits(&mut self.terms, bits)
    }

    pub(crate) fn call(&mut self, state: &mut State, statement: &Statement) -> Flow {
        let program = self.program;
        let StatementKind::Call {
            results,
            callee,
            arguments,
            check,
        } = &statement.kind
        else {
            return Flow::Continue;
        };
        let values: Vec<Value> = arguments
            .iter()
            .map(|argument| self.eval(state, argument))
            .collect();
        let mut callees = match callee {
            Callee::Direct(function) => vec![(self.terms.true_(), *function)],
            Callee::Indirect(pointer) => {
                let pointer = self.eval(state, pointer);
                let (right, found) = self.callees(pointer.pointer(), results, &values);
                let wrong = self.terms.not(right);
                if !self.violation_or_misuse(state, wrong, *check, "a call through a pointer to no function")
                {
                    return Flow::End;
                }
                found
            }
        };
        if let [(_, only)] = callees[..]
            && (self.parting.threads.is_asleep(state, only) || !self.begins_iteration(state, only))
        {
            return Flow::End;
        }
        callees.retain(|(guard, _)| self.decide(state, *guard) != Some(false));
        callees.reverse();
        if let [(_, only)] = callees[..]
            && program.functions[only].locations.is_empty()
        {
            self.call_external(state, only, results);
            return Flow::Continue;
        }
        // The caller's rest is put in by the one who runs the transition.
        let work = Work {
            state: state.clone(),
            location: self.run.cursor.location,
            transition: 0,
            statement: 0,
            key: self.run.cursor.key.clone(),
        };
        Flow::Call(Waiting {
            work,
            joins: callees.len() > 1,
            callees,
            arguments: values,
            returned: Vec::new(),
        })
    }

    /// The functions of the right shape a pointer may mean, and the condition that it means one.
    fn callees(
        &mut self,
        pointer: &Pointer,
        results: &[VariableId],
        arguments: &[Value],
    ) -> (TermId, Vec<(TermId, FunctionId)>) {
        let program = self.program;
        let mut right = self.terms.false_();
        let mut found: Vec<(TermId, FunctionId)> = Vec::new();
        for (guard, function) in self.functions_meant(pointer) {
            if !self.has_shape(&program.functions[function], results, arguments) {
                continue;
            }
            right = self.terms.or(right, guard);
            match found.iter_mut().find(|(_, other)| *other == function) {
                Some((known, _)) => *known = self.terms.or(*known, guard),
                None => found.push((guard, function)),
            }
        }
        (right, found)
    }

    /// The functions a pointer may mean, each with its condition. A raw address may be that of any.
    fn functions_meant(&mut self, pointer: &Pointer) -> Vec<(TermId, FunctionId)> {
        let mut meant = Vec::new();
        let zero = self.terms.bv_u64(self.pointer_width, 0);
        for case in &pointer.cases {
            match case.target {
                Target::Function(function) => {
                    let at_start = self.terms.eq(case.offset, zero);
                    meant.push((self.terms.and(case.guard, at_start), function));
                }
                Target::Raw => {
                    for function in self.program.functions.ids() {
                        let address = self.code_address(function);
                        let equal = self.terms.eq(case.offset, address);
                        meant.push((self.terms.and(case.guard, equal), function));
                    }
                }
                _ => {}
            }
        }
        meant
    }

    fn has_shape(&self, function: &Function, results: &[VariableId], arguments: &[Value]) -> bool {
        let fits = |value: &Value, ty: Type| match value {
            Value::Pointer(_) => ty == Type::Pointer,
            Value::Term(term) => {
                ty != Type::Pointer && self.terms.sort(*term) == crate::value::sort_of(ty, self.pointer_width)
            }
        };
        let same_arguments = function.parameters.len() == arguments.len()
            && function
                .parameters
                .iter()
                .zip(arguments)
                .all(|(parameter, value)| fits(value, function.variables[*parameter].ty));
        let same_results = results.is_empty()
            || function.results.len() == results.len()
                && function
                    .results
                    .iter()
                    .zip(results)
                    .all(|(result, target)| function.variables[*result].ty == self.type_of(*target));
        same_arguments && same_results
    }

    /// A function without a body: its results are any values.
    fn call_external(&mut self, state: &mut State, function: FunctionId, results: &[VariableId]) {
        let name = self.program.functions[function].name.clone();
        for result in results {
            let guard = self.run.paths.term(state.path);
            let value = self.nondet(
                guard,
                &NondetSource::External(name.clone()),
                self.type_of(*result),
            );
            set(state, *result, value);
        }
    }

    /// Goes on with the call that waits in the running activation: the next callee, or the caller.
    pub(crate) fn next_callee(&mut self) {
        let program = self.program;
        let Some(mut waiting) = self.top().waiting.take() else {
            return;
        };
        while let Some((guard, function)) = waiting.callees.pop() {
            let Some(path) = self
                .run
                .paths
                .extend(&mut self.terms, waiting.work.state.path, guard)
            else {
                continue;
            };
            let mut state = State {
                path,
                ..waiting.work.state.clone()
            };
            if program.functions[function].locations.is_empty() {
                let results = self.call_results(&waiting.work);
                self.call_external(&mut state, function, &results);
                self.join_callee(&mut waiting, state);
                continue;
            }
            if self.recurses(function) && self.is_impossible(state.path) {
                continue;
            }
            if !self.may_recurse(&state, function) {
                let truth = self.terms.true_();
                self.cut(&state, truth, Cut::Recursion);
                let again = waiting.again(state, (truth, function));
                self.keep_cut(Continuation::Call(Box::new(again)));
                continue;
            }
            let key = self.call_context(function);
            let context = self.names.fresh(&key);
            let arguments = waiting.arguments.clone();
            self.top().waiting = Some(waiting);
            self.enter(state, function, arguments, context);
            return;
        }
        let rest = waiting.work;
        let states = waiting.returned.into_iter().rev();
        self.top().work.extend(states.map(|state| Work {
            state,
            key: rest.key.clone(),
            ..rest
        }));
    }

    fn call_context(&mut self, function: FunctionId) -> Vec<u32> {
        let context = self.top().context;
        let mut key = vec![
            u32::MAX - 1,
            context,
            self.run.cursor.location.index() as u32,
            self.run.cursor.transition,
            self.run.cursor.statement,
            function.index() as u32,
        ];
        key.extend_from_slice(&self.run.cursor.key);
        key
    }

    /// Is the function called while it runs?
    fn recurses(&self, function: FunctionId) -> bool {
        self.last_activation(function).is_some()
    }

    /// The function's innermost activation.
    fn last_activation(&self, function: FunctionId) -> Option<&Activation> {
        let mut activations = self.run.stack.iter().rev();
        activations.find(|activation| activation.function == function)
    }

    /// May another activation of the function be entered within the bound?
    fn may_recurse(&self, state: &State, function: FunctionId) -> bool {
        let Some(last) = self.last_activation(function) else {
            return self.run.stack.len() < MAX_DEPTH;
        };
        let counts = self.options.unwind.is_some() || self.run.paths.branches(state.path) > last.branches;
        last.recursion + u32::from(counts) <= self.run.bound && self.run.stack.len() < MAX_DEPTH
    }

    fn call_results(&mut self, work: &Work) -> Vec<VariableId> {
        let program = self.program;
        let function = self.top().function;
        let transition = &program.functions[function].locations[work.location].transitions[work.transition];
        match &transition.statements[work.statement - 1].kind {
            StatementKind::Call { results, .. } => results.clone(),
            _ => Vec::new(),
        }
    }

    /// Adds the state after a callee to those of the other callees of the call.
    fn join_callee(&mut self, waiting: &mut Waiting, state: State) {
        let state = match waiting.returned.pop_if(|_| waiting.joins) {
            None => state,
            Some(other) => self.merge(other, state, &|_| true),
        };
        waiting.returned.push(state);
    }

    /// Ends the running activation: its exit states go to the caller.
    pub(crate) fn leave(&mut self) {
        let exits = std::mem::take(&mut self.top().exits);
        if self.run.stack.len() == 1 {
            for exit in exits {
                self.end_entry(exit);
            }
            self.end_activation();
            return;
        }
        let mut returned = Vec::with_capacity(exits.len());
        for exit in exits {
            returned.push(self.results_of(exit));
        }
        self.end_activation();
        if !returned.is_empty() {
            self.give_back(returned);
        }
        self.resume();
    }

    /// The program's own function returns.
    pub(crate) fn end_entry(&mut self, mut exit: State) {
        let program = self.program;
        self.run.cursor.position = program.functions[program.entry].position;
        self.end_program(&mut exit, StopReason::Exit);
    }

    /// The running activation's results in one of its exit states, which then has none of its objects.
    fn results_of(&mut self, mut exit: State) -> (State, Vec<Value>) {
        let returns = self.run.paths.term(exit.path);
        let function = self.top().function;
        for object in self.top().stack_objects.clone() {
            self.object_dies(object, returns);
            self.remove_object(&mut exit, object);
        }
        let results = &self.program.functions[function].results;
        let values = results.iter().map(|result| self.read_variable(&exit, *result));
        let values = values.collect();
        (exit, values)
    }

    /// Hands what a callee returned to the call that waits for it.
    fn give_back(&mut self, returned: Vec<(State, Vec<Value>)>) {
        let Some(mut waiting) = self.top().waiting.take() else {
            return;
        };
        let results = self.call_results(&waiting.work);
        for (exit, values) in returned {
            let mut state = State {
                frame: waiting.work.state.frame.clone(),
                ..exit
            };
            for (index, target) in results.iter().enumerate() {
                let ty = self.type_of(*target);
                let value = match values.get(index) {
                    Some(value) => self.convert(&state, value.clone(), ty),
                    None => None,
                };
                let value = match value {
                    Some(value) => value,
                    None => {
                        let guard = self.run.paths.term(state.path);
                        self.nondet(guard, &NondetSource::Uninitialised, ty)
                    }
                };
                set(&mut state, *target, value);
            }
            self.join_callee(&mut waiting, state);
        }
        self.top().waiting = Some(waiting);
    }

    pub(crate) fn resume(&mut self) {
        let Some(top) = self.run.stack.last() else { return };
        if let Some(waiting) = &top.waiting {
            // Names of what follows are those of the call statement.
            let (key, location) = (waiting.work.key.clone(), waiting.work.location);
            let (transition, statement) = (waiting.work.transition, waiting.work.statement);
            let position = self.program.functions[top.function].locations[location].transitions[transition]
                .statements[statement - 1]
                .position;
            self.run.cursor.key = key;
            self.run.cursor.location = location;
            self.run.cursor.transition = transition as u32;
            self.run.cursor.statement = statement as u32 - 1;
            self.run.cursor.position = position;
            self.run.cursor.assuming = self.assumes(&self.run.cursor.key.clone());
            self.next_callee();
        }
    }

    /// Every normal end of the program comes here.
    pub(crate) fn end_program(&mut self, state: &mut State, reason: StopReason) {
        let program = self.program;
        self.note_end_of_schedule();
        self.touch_anything(state);
        let truth = self.terms.true_();
        let kind = match reason {
            StopReason::Exit | StopReason::Abort => EndKind::Ended,
            StopReason::Deadlock => EndKind::Stuck,
        };
        self.trace_ends(state, truth, kind);
        if reason != StopReason::Exit {
            return;
        }
        let mut leaks = program.properties.enumerate();
        let Some((leak, _)) = leaks.find(|(_, site)| site.kind == kripke_model::PropertyKind::Leak) else {
            return;
        };
        let mut lost = self.terms.false_();
        let mut heap = Vec::new();
        state.memory.for_each(&mut |key, entry| {
            if matches!(self.run.objects[ObjectId::of_key(key)].kind, ObjectKind::Heap(_)) {
                heap.push((entry.freed, entry.exists));
            }
        });
        for (freed, exists) in heap {
            let kept = self.terms.not(freed);
            let leaked = self.terms.and(exists, kept);
            lost = self.terms.or(lost, leaked);
        }
        self.violation_or_misuse(state, lost, Some(leak), "");
    }
}
