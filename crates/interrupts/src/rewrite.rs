//! Puts dispatchers, flags and pieces into the functions of a program.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use kripke_elts::interrupts::{FLAGS, IN_HANDLER};
use kripke_elts::{
    FileId, Function, FunctionId, GlobalId, Id, Location, ObjectSite, ObjectSiteId, Position, Program,
    SourceFile, Statement, Transition, Type,
};

use crate::atomicity::Atomicity;
use crate::calls::Calls;
use crate::control::{Control, Controls, FLAG};
use crate::dispatcher::{self, Candidate, Plan, Returning};
use crate::effects::{Effects, Reach};
use crate::gaps::Gaps;
use crate::gates::Gate;
use crate::hardware::{Hardware, starts_threads};
use crate::protected::Protected;
use crate::renewal::Renewals;
use crate::sites;
use crate::terms::{call, int, store, truth};
use crate::torn::Torn;
use crate::writer;
use crate::{Asked, Interrupts, Known, Problem};

/// For whom a function is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// For what runs at a priority, by its place; 0 is the program.
    Level(usize),
    /// For the atoms of formulas, which nothing interrupts.
    Undisturbed,
}

/// Rewrites a program.
pub struct Rewriter<'a> {
    pub original: &'a Program,
    wanted: &'a Interrupts,
    handlers: &'a [Known],
    pub controls: Controls,
    pub effects: Effects<'a>,
    pub atoms: &'a [FunctionId],
    pub program: Program,
    position: Position,
    /// What the handlers above each priority do; absent for the highest.
    pub reaches: Vec<Option<Reach>>,
    pub dispatchers: Vec<Option<FunctionId>>,
    copies: BTreeMap<(FunctionId, Variant), FunctionId>,
    queue: VecDeque<(FunctionId, Variant)>,
    counts: Vec<GlobalId>,
    /// What lets handlers come again that come once.
    pub renewals: Renewals,
    /// The functions that say whether handlers may come, by the handlers' places.
    conditions: Vec<(usize, FunctionId)>,
    /// What they read.
    pub read_by_conditions: Reach,
    scratch: Option<ObjectSiteId>,
    /// Lets handlers come into others where that is not followed.
    not_followed: Option<FunctionId>,
    /// Threads run, and handlers come beside them.
    pub hardware: Option<Hardware>,
    /// Threads run, and no handlers.
    pub gaps: Option<Gaps>,
    /// Accesses of threads that need no gaps.
    pub protected: Protected,
    /// What is asked about accesses in pieces.
    pub torn: Option<Torn>,
    /// What is asked about what comes between two accesses.
    pub atomicity: Option<Rc<Atomicity>>,
    /// What is asked about calls in handlers.
    pub calls: Option<Calls>,
}

impl<'a> Rewriter<'a> {
    pub fn new(
        effects: Effects<'a>,
        wanted: &'a Interrupts,
        (handlers, conditions): (&'a [Known], Vec<(usize, FunctionId)>),
        mut controls: Controls,
        atoms: &'a [FunctionId],
    ) -> Self {
        let original = effects.program;
        let mut program = original.clone();
        let position = place_of_our_own(&mut program);
        controls.add_flags(&mut program, handlers, position);
        let highest = handlers.iter().map(|handler| handler.level).max().unwrap_or(0);
        let looking = { conditions.iter() }.map(|(_, condition)| *condition);
        let watched: Vec<FunctionId> = looking.chain(atoms.iter().copied()).collect();
        let reaches = (0..=highest).map(|level| {
            let above: Vec<FunctionId> = above(handlers, level).map(|handler| handler.function).collect();
            (!above.is_empty()).then(|| Reach::new(&effects, &above, &watched, wanted.everywhere))
        });
        Rewriter {
            reaches: reaches.collect(),
            dispatchers: vec![None; highest + 1],
            copies: BTreeMap::new(),
            queue: VecDeque::new(),
            counts: Vec::new(),
            renewals: Renewals::default(),
            read_by_conditions: Reach::default(),
            conditions,
            scratch: None,
            not_followed: None,
            hardware: None,
            gaps: None,
            protected: Protected::default(),
            torn: None,
            atomicity: None,
            calls: None,
            original,
            wanted,
            handlers,
            controls,
            effects,
            atoms,
            program,
            position,
        }
    }

    /// Lets some handlers come only once between two calls of a function.
    pub fn add_renewals(&mut self) -> Result<(), Problem> {
        let (program, position) = (&mut self.program, self.position);
        self.renewals = Renewals::new(&self.effects, self.wanted, self.handlers, program, position)?;
        Ok(())
    }

    /// Has the program asked about what comes between accesses.
    pub fn ask(&mut self, asked: Asked) {
        if asked == Asked::default() {
            return;
        }
        self.calls = asked.calls.then(Calls::default);
        let all = sites::sites(&self.effects, self.handlers);
        if asked.torn {
            self.torn = Some(Torn::new(&all, self.original, &mut self.program, self.position));
        }
        if asked.atomicity {
            let (program, position) = (&mut self.program, self.position);
            let atomicity = Atomicity::new(&self.effects, &all, program, position);
            self.atomicity = Some(Rc::new(atomicity));
            let conditions: Vec<FunctionId> = self.conditions.iter().map(|(_, function)| *function).collect();
            self.read_by_conditions = Reach::new(&self.effects, &[], &conditions, false);
        }
    }

    /// The program with handlers.
    pub fn run(mut self) -> (Program, Controls) {
        self.add_counts();
        self.reserve_dispatchers();
        self.add_hardware();
        for id in self.original.functions.ids() {
            let variant = match self.only_looks(id) {
                true => Variant::Undisturbed,
                false => Variant::Level(0),
            };
            self.copies.insert((id, variant), id);
            self.queue.push_back((id, variant));
        }
        for level in 0..self.dispatchers.len() {
            self.write_dispatcher(level);
        }
        if self.hardware.is_some() {
            self.reaches[0] = None;
            self.dispatchers[0] = None;
        }
        while let Some((id, variant)) = self.queue.pop_front() {
            let function = self.function(id, variant);
            let copy = self.copies[&(id, variant)];
            self.program.functions[copy] = function;
        }
        if let Some(calls) = &self.calls {
            calls.add_empty_property(&mut self.program);
        }
        if let Some(hardware) = self.hardware {
            hardware.start(&mut self.program, self.position);
        } else if self.controls.enabled_at_start() || self.handlers.iter().any(Known::is_unmaskable) {
            self.start();
        }
        (self.program, self.controls)
    }

    /// The program with other bodies for some of its functions.
    pub fn with_bodies(mut self, levels: &BTreeMap<FunctionId, usize>) -> Program {
        for (id, level) in levels {
            let name = self.original.functions[*id].name.clone();
            self.program.functions[*id] = writer::write(&mut self, *id, Variant::Level(*level), name);
        }
        self.program
    }

    fn add_counts(&mut self) {
        if self.wanted.bound.is_none() {
            return;
        }
        for index in 0..self.handlers.len() {
            let id = self.program.globals.push(kripke_elts::Global {
                name: format!("{FLAGS}.count.{index}"),
                c_name: None,
                size: 4,
                align: 4,
                cells: Vec::new(),
                rest: kripke_elts::InitialRest::Zero,
                constant: false,
                thread_local: false,
                c_type: None,
                position: self.position,
            });
            self.counts.push(id);
        }
    }

    fn reserve_dispatchers(&mut self) {
        for level in 0..self.dispatchers.len() {
            if self.reaches[level].is_some() {
                let entry = self.original.entry;
                let placeholder = self.original.functions[entry].clone();
                self.dispatchers[level] = Some(self.program.functions.push(placeholder));
            }
        }
    }

    /// Where threads run, nothing comes between the statements of the program itself.
    fn add_hardware(&mut self) {
        if let Some(dispatcher) = self.dispatchers[0].filter(|_| starts_threads(&self.effects, self.handlers))
        {
            let masks_all = self.controls.base.is_none() && !self.handlers.iter().any(Known::is_unmaskable);
            self.hardware = Some(Hardware::new(&mut self.program, dispatcher, masks_all));
        }
    }

    fn write_dispatcher(&mut self, level: usize) {
        let (Some(id), Some(reach)) = (self.dispatchers[level], &self.reaches[level]) else {
            return;
        };
        let unsupported = reach
            .rounds
            .then(|| "a handler that sets the rounding mode".to_owned());
        let handlers = self.handlers;
        let mut candidates = Vec::new();
        for (index, handler) in handlers
            .iter()
            .enumerate()
            .filter(|(_, handler)| handler.level > level)
        {
            let function = self.variant_of(handler.function, Variant::Level(handler.level));
            let came = self.renewals.came(index).iter();
            candidates.push(Candidate {
                function,
                gates: self.gates_of(index),
                returning: self.returning(handler),
                is_unmaskable: handler.is_unmaskable(),
                count: self.counts.get(index).copied().zip(self.wanted.bound),
                is_bounded: self.renewals.is_bounded(index),
                begins: { self.atomicity.iter() }
                    .filter_map(|atomicity| atomicity.forget(handler.level))
                    .chain(came.map(|came| store(*came, int(8, 1), FLAG)))
                    .collect(),
            });
        }
        self.program.functions[id] = dispatcher::write(&Plan {
            level,
            candidates,
            is_single: level == 0 && self.hardware.is_some(),
            chosen: self.hardware.map(|hardware| hardware.chosen),
            flag: self.controls.flag(),
            is_finite: !self.atoms.is_empty(),
            unsupported,
            position: self.position,
        });
    }

    /// Do conditions of the user say whether handlers come?
    pub fn has_conditions(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// Does the function evaluate an atom of a formula, or a condition of a handler?
    fn only_looks(&self, id: FunctionId) -> bool {
        self.atoms.contains(&id) || self.conditions.iter().any(|(_, condition)| *condition == id)
    }

    /// What must be so for a handler to come.
    fn gates_of(&self, index: usize) -> Vec<Gate> {
        let handler = &self.handlers[index];
        let all = (!handler.is_unmaskable()).then(|| self.controls.flag());
        let flags = all.into_iter().chain(self.controls.numbered(handler.number));
        let mut gates: Vec<Gate> = flags.map(Gate::Set).collect();
        gates.extend(self.renewals.came(index).iter().map(|came| Gate::Clear(*came)));
        gates.extend(self.conditions_of(index));
        if let Some(base) = &self.controls.base {
            let priority = base.priorities[index].map(|(_, priority)| priority);
            gates.extend(priority.map(|priority| Gate::Unmasked {
                base: base.register,
                priority,
            }));
        }
        gates
    }

    /// What the user says must be so for it.
    fn conditions_of(&self, index: usize) -> impl Iterator<Item = Gate> + '_ {
        let own = self
            .conditions
            .iter()
            .filter(move |(handler, _)| *handler == index);
        own.filter_map(|(_, condition)| {
            let function = &self.original.functions[*condition];
            match function.variables[*function.results.first()?].ty {
                Type::Int(width) => Some(Gate::Holds(*condition, width)),
                _ => None,
            }
        })
    }

    /// The conditions of the handlers that may interrupt what runs at a level.
    pub fn conditions_above(&self, level: usize) -> Vec<Gate> {
        let all = self.handlers.iter().enumerate();
        let above = all.filter(|(_, handler)| handler.level > level);
        above.flat_map(|(index, _)| self.conditions_of(index)).collect()
    }

    /// What must be so for what runs at a level to be interrupted, for each handler that may.
    pub fn gates_above(&self, level: usize) -> Vec<Vec<Gate>> {
        let all = self.handlers.iter().enumerate();
        all.filter(|(_, handler)| handler.level > level)
            .map(|(index, _)| self.gates_of(index))
            .collect()
    }

    /// What the return from a handler does to the flag, if the handler may clear it.
    fn returning(&self, handler: &Known) -> Returning {
        let called = self.effects.closure(&[handler.function]);
        let mut controls = called.iter().filter_map(|id| self.controls.of(*id));
        match controls.any(|control| matches!(control, Control::Disable | Control::WriteMask)) {
            true => self.controls.returning(self.atoms),
            false => Returning::Leaves,
        }
    }

    /// The function as a variant of the program has it.
    pub fn variant_of(&mut self, id: FunctionId, variant: Variant) -> FunctionId {
        if self.gaps.is_some() {
            return id;
        }
        if let Some(copy) = self.copies.get(&(id, variant)) {
            return *copy;
        }
        let copy = self.program.functions.push(self.original.functions[id].clone());
        self.copies.insert((id, variant), copy);
        self.queue.push_back((id, variant));
        copy
    }

    fn name(&self, id: FunctionId, variant: Variant) -> String {
        let name = &self.original.functions[id].name;
        match variant {
            Variant::Level(0) => name.clone(),
            Variant::Level(_) if self.dispatchers.len() == 2 => format!("{name}{IN_HANDLER})"),
            Variant::Level(level) => format!("{name}{IN_HANDLER}, level {level})"),
            Variant::Undisturbed if self.only_looks(id) => name.clone(),
            Variant::Undisturbed => format!("{name} (in formulas)"),
        }
    }

    fn function(&mut self, id: FunctionId, variant: Variant) -> Function {
        let name = self.name(id, variant);
        writer::write(self, id, variant, name)
    }

    /// Handlers may come before the first statement.
    fn start(&mut self) {
        let Some(dispatcher) = self.dispatchers[0] else {
            return;
        };
        let function = &mut self.program.functions[self.original.entry];
        let position = function.position;
        let start = function.locations.push(Location {
            name: "interrupts are enabled".to_owned(),
            transitions: vec![Transition {
                guard: truth(true),
                statements: vec![Statement {
                    kind: call(dispatcher),
                    position,
                }],
                target: function.entry,
                position,
            }],
            position,
        });
        function.entry = start;
    }

    pub fn has_one_handler(&self) -> bool {
        self.handlers.len() == 1
    }

    /// What is called where handlers may come that are not followed, for the reason that is given.
    pub fn not_followed(&mut self, what: &str) -> FunctionId {
        let (functions, position) = (&mut self.program.functions, self.position);
        *{ &mut self.not_followed }
            .get_or_insert_with(|| functions.push(dispatcher::write_not_followed(what, position)))
    }

    /// The site of the bytes that a copy holds between reading and writing them.
    pub fn scratch(&mut self) -> ObjectSiteId {
        let position = self.position;
        let sites = &mut self.program.object_sites;
        *self.scratch.get_or_insert_with(|| {
            sites.push(ObjectSite {
                name: format!("{FLAGS}.copied"),
                c_type: None,
                align: 16,
                once: false,
                position,
            })
        })
    }
}

fn above(handlers: &[Known], level: usize) -> impl Iterator<Item = &Known> {
    handlers.iter().filter(move |handler| handler.level > level)
}

fn place_of_our_own(program: &mut Program) -> Position {
    let file = FileId::new(program.files.len());
    program.files.push(SourceFile {
        path: "<interrupts>".to_owned(),
        is_library_model: true,
    });
    Position {
        file,
        line: 1,
        column: 1,
    }
}
