//! Writes one function of a program with handlers: dispatchers behind what handlers depend on, accesses in
//! pieces, calls of the copies that run at the same priority.

use std::collections::BTreeSet;

use kripke_elts::interrupts::{ATOMIC_BEGINS, ATOMIC_ENDS};
use kripke_elts::{
    BinaryOp, Callee, Expr, Function, FunctionId, Id, Location, LocationId, Position, Program, Statement,
    StatementKind, Transition, Type, VariableId, loops,
};

use crate::pieces::{self, Part, Pieces};
use crate::rewrite::{Rewriter, Variant};
use crate::sites::{Key, Place};
use crate::terms::{and, binary, call, choose, not, temporary, truth};

/// Writes a function as a variant of the program has it.
pub fn write(rewriter: &mut Rewriter<'_>, id: FunctionId, variant: Variant, name: String) -> Function {
    let original = &rewriter.original.functions[id];
    let mut writer = Writer {
        function: Function {
            name,
            ..original.clone()
        },
        id,
        variant,
        rewriter,
        at: (LocationId::new(0), 0),
        place: (LocationId::new(0), 0, 0),
        statements: Vec::new(),
        is_atomic: false,
        atomic_depends: false,
        atomic_shares: false,
        atomic_from: 0,
        atomic_place: (LocationId::new(0), 0, 0),
        accesses: 0,
        before: None,
        told: Vec::new(),
        bit_field: None,
    };
    let retreating = writer.retreating();
    for (location, code) in original.locations.enumerate() {
        for (index, transition) in code.transitions.iter().enumerate() {
            writer.transition(
                (location, index),
                transition,
                retreating.contains(&(location, index)),
            );
        }
    }
    match writer.rewriter.gaps {
        Some(_) => writer.gap_at_return(),
        None => {
            writer.control_of_body(id);
            writer.renew(id);
        }
    }
    writer.function
}

/// Writes one function.
pub struct Writer<'w, 'a> {
    pub rewriter: &'w mut Rewriter<'a>,
    pub function: Function,
    pub id: FunctionId,
    pub variant: Variant,
    /// The transition that is being written.
    pub at: (LocationId, usize),
    /// The statement that is written, as it was.
    pub place: Place,
    pub statements: Vec<Statement>,
    /// The processor does the statements at once.
    pub is_atomic: bool,
    pub atomic_depends: bool,
    /// They access what others access, too.
    pub atomic_shares: bool,
    /// The first of them, among the statements.
    pub atomic_from: usize,
    /// The place of what says that they begin.
    pub atomic_place: Place,
    /// Where threads run: what is called before an access.
    pub before: Option<FunctionId>,
    /// How many accesses were told of.
    pub accesses: u128,
    /// What is told between the pieces of an access, if it is asked.
    pub told: Vec<Expr>,
    /// The store that ends the write of a bit-field, with what is told before it.
    pub bit_field: Option<(Place, Vec<Expr>)>,
}

impl Writer<'_, '_> {
    pub fn level(&self) -> Option<usize> {
        match self.variant {
            Variant::Level(level) => Some(level),
            Variant::Undisturbed => None,
        }
    }

    /// By which the statement that is written is known.
    pub fn key(&self) -> Option<Key> {
        Some((self.level()?, self.id, self.place))
    }

    fn dispatcher(&self) -> Option<FunctionId> {
        self.rewriter.dispatchers[self.level()?]
    }

    pub fn variable(&mut self, ty: Type) -> VariableId {
        let name = format!("interrupt.{}", self.function.variables.len());
        self.function.variables.push(temporary(name, ty))
    }

    pub fn emit(&mut self, kind: StatementKind, position: Position) {
        self.statements.push(Statement { kind, position });
    }

    pub fn gap(&mut self, position: Position) {
        if self.tell_between(position) {
            return;
        }
        if let Some(dispatcher) = self.before.or_else(|| self.dispatcher()) {
            self.emit(call(dispatcher), position);
        }
    }

    /// The transitions that close cycles, where formulas look at what goes on for ever.
    fn retreating(&self) -> BTreeSet<(LocationId, usize)> {
        let function = &self.function;
        if self.rewriter.atoms.is_empty() || self.dispatcher().is_none() || function.locations.is_empty() {
            return BTreeSet::new();
        }
        let closing = loops::ends(function.entry, |id| function.ways(id));
        closing.into_iter().map(|(edge, _)| edge).collect()
    }

    fn transition(&mut self, at: (LocationId, usize), original: &Transition, closes_cycle: bool) {
        self.at = at;
        self.is_atomic = false;
        for (number, statement) in original.statements.iter().enumerate() {
            self.place = (at.0, at.1, number);
            self.statement(statement);
        }
        if closes_cycle {
            self.gap(original.position);
        }
        self.end_pass(at, original.position);
        self.end_transition(original.target);
    }

    /// Ends the transition that is being written.
    pub fn end_transition(&mut self, target: LocationId) {
        let statements = std::mem::take(&mut self.statements);
        let (location, index) = self.at;
        let written = &mut self.function.locations[location].transitions[index];
        written.statements = statements;
        written.target = target;
    }

    fn statement(&mut self, statement: &Statement) {
        if self.rewriter.gaps.is_some() {
            return self.statement_of_thread(statement);
        }
        if self.control(statement) || self.atomic_mark(statement) || self.unsafe_call(statement) {
            return;
        }
        if self.asks_for_handler(statement) {
            return;
        }
        let asked = self.ask_torn(statement);
        let pairs = self.note_pairs(statement);
        self.note_bit_field(statement);
        let position = statement.position;
        let depends = self.depends(statement);
        let conditions = self.conditions_before(statement);
        if let StatementKind::Call { callee, .. } = &statement.kind {
            match callee {
                Callee::Direct(callee) => self.direct_call(*callee, statement),
                Callee::Indirect(_) if self.variant == Variant::Level(0) => {
                    self.statements.push(statement.clone());
                }
                Callee::Indirect(pointer) => self.indirect_call(pointer, statement),
            }
        } else if depends && !self.is_atomic {
            self.in_pieces(statement);
        } else {
            self.statements.push(statement.clone());
        }
        self.assert_not_torn(asked, position);
        self.assert_atomic(pairs, position);
        self.publish_by_conditions(conditions, position);
        if depends && self.is_atomic {
            self.atomic_depends = true;
        } else if depends {
            self.gap(position);
        }
    }

    fn depends(&self, statement: &Statement) -> bool {
        let reach = self
            .level()
            .and_then(|level| self.rewriter.reaches[level].as_ref());
        reach.is_some_and(|reach| reach.depends(&self.rewriter.effects, self.id, statement))
    }

    /// Begins and ends what the processor does at once. Threads are woven later, and do not come into it
    /// either.
    fn atomic_mark(&mut self, statement: &Statement) -> bool {
        let StatementKind::Call {
            callee: Callee::Direct(callee),
            ..
        } = &statement.kind
        else {
            return false;
        };
        let begins = match self.rewriter.original.functions[*callee].name.as_str() {
            ATOMIC_BEGINS => true,
            ATOMIC_ENDS => false,
            _ => return false,
        };
        if self.rewriter.hardware.is_some() && self.variant == Variant::Level(0) {
            self.statements.push(statement.clone());
        }
        self.is_atomic = begins;
        if std::mem::take(&mut self.atomic_depends) && !begins {
            self.gap(statement.position);
        }
        true
    }

    pub fn direct_call(&mut self, callee: FunctionId, statement: &Statement) {
        let own = self.rewriter.variant_of(callee, self.variant);
        let mut statement = statement.clone();
        if let StatementKind::Call { callee, .. } = &mut statement.kind {
            *callee = Callee::Direct(own);
        }
        self.statements.push(statement);
    }

    /// A call through a pointer, as part of a handler: of the copies of the functions that it may point to.
    pub fn indirect_call(&mut self, pointer: &Expr, statement: &Statement) {
        let position = statement.position;
        let StatementKind::Call { callee, .. } = &statement.kind else {
            return;
        };
        let original = self.rewriter.original;
        let callees = self.rewriter.effects.points_to.callees(self.id, callee);
        let callees: Vec<FunctionId> = callees
            .into_iter()
            .filter(|callee| fits(original, self.id, &statement.kind, *callee))
            .collect();
        let mut ways = Vec::new();
        let mut none = truth(true);
        for callee in callees {
            let same = binary(BinaryOp::PEq, pointer.clone(), Expr::FunctionAddress(callee));
            let mut kind = statement.kind.clone();
            if let StatementKind::Call { callee: own, .. } = &mut kind {
                *own = Callee::Direct(self.rewriter.variant_of(callee, self.variant));
            }
            let mut statements = self.refused_callee(callee, position);
            statements.push(Statement { kind, position });
            ways.push((and(none.clone(), same.clone()), statements));
            none = and(none, not(same));
        }
        ways.push((none, vec![statement.clone()]));
        self.branch(ways, position);
    }

    /// Goes one of several ways, and on behind them.
    pub fn branch(&mut self, ways: Vec<(Expr, Vec<Statement>)>, position: Position) {
        let locations = &mut self.function.locations;
        let behind = LocationId::new(locations.len() + 1);
        let transition = |guard: Expr, statements: Vec<Statement>| Transition {
            guard,
            statements,
            target: behind,
            position,
        };
        let ways = ways
            .into_iter()
            .map(|(guard, statements)| transition(guard, statements));
        let fork = locations.push(Location {
            name: "call".to_owned(),
            transitions: ways.collect(),
            position,
        });
        locations.push(Location {
            name: "called".to_owned(),
            transitions: vec![transition(truth(true), Vec::new())],
            position,
        });
        let (location, index) = self.at;
        let written = &mut locations[location].transitions[index];
        written.statements = std::mem::take(&mut self.statements);
        written.target = fork;
        self.at = (behind, 0);
    }

    /// An access that handlers can tell, as the machine makes it.
    pub fn in_pieces(&mut self, statement: &Statement) {
        let position = statement.position;
        if self.dispatcher().is_none() {
            self.statements.push(statement.clone());
            return;
        }
        let program = self.rewriter.original;
        let mut made = Vec::new();
        let first = self.function.variables.len();
        let mut variable = |ty: Type| {
            made.push(ty);
            VariableId::new(first + made.len() - 1)
        };
        let ways = match &statement.kind {
            kind @ StatementKind::Load { target, align, .. } => {
                let ty = self.function.variables[*target].ty;
                let pieces = Pieces::of(program, ty, *align);
                pieces.map(|pieces| vec![pieces::load(pieces, kind, &mut variable)])
            }
            StatementKind::Store {
                address,
                value,
                ty,
                align,
                checks,
                ..
            } => {
                let access = (address, value, *align, *checks);
                let pieces = Pieces::of(program, *ty, *align);
                pieces.map(|pieces| vec![pieces::store(pieces, access, &mut variable)])
            }
            StatementKind::CopyMemory { .. } => Some(self.copy(&statement.kind, &mut variable)),
            StatementKind::SetMemory { .. } => Some(self.fill(&statement.kind, &mut variable)),
            _ => None,
        };
        for ty in made {
            self.variable(ty);
        }
        let Some(ways) = ways else {
            self.statements.push(statement.clone());
            return;
        };
        let mut taken = truth(true);
        let mut guards = Vec::new();
        for _ in 1..ways.len() {
            let this = self.variable(Type::BOOL);
            self.emit(choose(this), position);
            guards.push(and(taken.clone(), Expr::Variable(this)));
            taken = and(taken, not(Expr::Variable(this)));
        }
        guards.push(taken);
        let whole = match self.level() {
            Some(level) if self.is_seen(statement) && !self.rewriter.has_conditions() => {
                Some(self.may_be_interrupted(level, position))
            }
            _ => None,
        };
        let mut branches = Vec::new();
        for (mut parts, guard) in ways.into_iter().zip(guards) {
            self.note_pieces(&mut parts, &statement.kind);
            self.tell_pieces(&mut parts, &statement.kind);
            let before = std::mem::take(&mut self.statements);
            self.do_parts(parts, position);
            let in_parts = std::mem::replace(&mut self.statements, before);
            let guard = match &whole {
                Some(may_come) => and(may_come.clone(), guard),
                None => guard,
            };
            branches.push((guard, in_parts));
        }
        if let Some(may_come) = whole {
            branches.push((not(may_come), vec![statement.clone()]));
        }
        match branches.len() {
            1 => self.statements.extend(branches.remove(0).1),
            _ => self.branch(branches, position),
        }
    }

    fn do_parts(&mut self, parts: Vec<Part>, position: Position) {
        let mut is_behind_gap = false;
        for part in parts {
            match part {
                Part::Do(kind) => {
                    if std::mem::take(&mut is_behind_gap) {
                        self.tell_piece(&kind, position);
                    }
                    self.emit(kind, position);
                }
                Part::Progress { .. } => {}
                Part::Tell(told) => self.told = told,
                Part::Gap => {
                    self.gap(position);
                    is_behind_gap = true;
                }
            }
        }
    }

    /// Does a formula tell how a statement is done? Each of its writes may be a letter, so it is a single one
    /// where no handler comes in between; with conditions, which the write itself may make true, that is not
    /// known before.
    fn is_seen(&self, statement: &Statement) -> bool {
        !self.rewriter.atoms.is_empty() && !matches!(statement.kind, StatementKind::Load { .. })
    }
}

/// Can the function be what a call through a pointer calls?
fn fits(program: &Program, caller: FunctionId, kind: &StatementKind, callee: FunctionId) -> bool {
    let StatementKind::Call {
        results, arguments, ..
    } = kind
    else {
        return false;
    };
    let (caller, callee) = (&program.functions[caller], &program.functions[callee]);
    let ty = |function: &Function, id: &VariableId| function.variables[*id].ty;
    let same_results = callee.results.len() == results.len() && { results.iter().zip(&callee.results) }
        .all(|(a, b)| ty(caller, a) == ty(callee, b));
    let type_of = |argument: &Expr| argument.type_with(&program.data_model, &|id| caller.variables[id].ty);
    same_results && callee.parameters.len() == arguments.len() && { arguments.iter().zip(&callee.parameters) }
        .all(|(argument, parameter)| type_of(argument) == ty(callee, parameter))
}
