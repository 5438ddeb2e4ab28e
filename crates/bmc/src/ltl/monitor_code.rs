//! A monitor as statements of the program model.
//!
//! Idea: what a monitor remembers lies in a global of its own, so that merging, k-induction, replay and
//! everything else treat it like any state of the program. One letter is one sequence of assignments, without
//! branches: the next state is an expression over the state and the atoms.
//!
//! The deterministic monitor keeps its state's number; a monitor of sets keeps one bit per automaton state.
//! For infinite runs the *survivors* are kept as well: the states that runs of the automaton of ¬φ can have
//! reached without leaving an accepting component since the set was last filled. While an infinite run
//! violates φ, the set is emptied (and filled again) only finitely often, as in the breakpoint construction
//! (Miyano and Hayashi 1984).

use kripke_elts::{
    AccessChecks, BinaryOp, Expr, GlobalId, Position, Statement, StatementKind, Type, UnaryOp, VariableId,
};
use kripke_logic::{Buchi, DeterministicMonitor, FourValued, Label, Letter, Monitor, SetMonitor, StateId};
use kripke_value::BitVec;

/// The largest deterministic monitor whose transition table becomes an expression.
pub const MAX_DETERMINISTIC: usize = 48;

/// More atoms than this have too many letters for [`MonitorCode::reachable`].
const MAX_ATOMS: usize = 8;
/// The most contents of memory it lists.
const MAX_REACHABLE: usize = 64;

/// A field of a monitor's memory: its offset and type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Byte offset in the monitor's global.
    pub offset: u64,
    /// Its type; whole bytes.
    pub ty: Type,
    /// Width of the machine's pointers.
    pub pointer_width: u32,
}

/// Where a monitor's memory keeps what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The value of the formula on the letters so far, as its position in [`FourValued::ALL`].
    pub value: Field,
    /// The last letter, one bit per atom.
    pub letter: Field,
    /// Number of the deterministic monitor's state, or the set of states of φ's automaton.
    pub state: Field,
    /// The set of states of ¬φ's automaton.
    pub negative: Field,
    /// The survivors.
    pub survivors: Field,
    /// How often the survivors were filled.
    pub fillings: Field,
    /// How many starts of loop iterations the survivors have survived.
    pub age: Field,
    /// Its size in bytes.
    pub size: u64,
}

fn set_type(states: usize) -> Type {
    Type::Int((states.max(1) as u32).div_ceil(8) * 8)
}

impl Layout {
    fn new(state: Type, negative: Type, pointer_width: u32) -> Layout {
        let mut end = 0;
        let mut field = |ty: Type| {
            let Type::Int(bits) = ty else {
                unreachable!("fields are integers")
            };
            let offset = end;
            end += u64::from(bits / 8).next_multiple_of(8);
            Field {
                offset,
                ty,
                pointer_width,
            }
        };
        let (value, letter, state) = (field(Type::Int(8)), field(Type::Int(64)), field(state));
        let (negative, survivors) = (field(negative), field(negative));
        let (fillings, age) = (field(Type::Int(32)), field(Type::Int(32)));
        Layout {
            value,
            letter,
            state,
            negative,
            survivors,
            fillings,
            age,
            size: end,
        }
    }
}

/// What the part of a monitor's memory holds that decides about later letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// See [`Layout::state`].
    pub state: BitVec,
    /// See [`Layout::negative`].
    pub negative: BitVec,
    /// See [`Layout::survivors`].
    pub survivors: BitVec,
}

/// What is kept beside the survivors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survivors {
    /// How often they were filled anew, for states to be compared.
    Counted,
    /// For how many starts of loop iterations there were some: less than the limit.
    Aged {
        /// See above.
        limit: u32,
    },
    /// Whether they were filled anew since the last start of a loop iteration: then the age is 1 there.
    Marked,
}

/// How a monitor runs inside the program.
#[derive(Clone, Debug)]
pub struct MonitorCode {
    monitor: Monitor,
    negative: Buchi,
    /// For each state of ¬φ's automaton the accepting component it lies in.
    components: Vec<Option<usize>>,
    /// Where things are.
    pub layout: Layout,
}

/// Names for what a letter's statements compute.
pub trait NewVariables {
    /// A fresh temporary.
    fn temporary(&mut self, name: &str, ty: Type) -> VariableId;
}

impl MonitorCode {
    /// The code of a monitor; ¬φ's automaton serves infinite runs.
    pub fn new(monitor: Monitor, pair: &kripke_logic::AutomatonPair, pointer_width: u32) -> MonitorCode {
        let monitor = match monitor {
            Monitor::Deterministic(table) if table.states.len() > MAX_DETERMINISTIC => {
                Monitor::Sets(SetMonitor::from_pair(pair.clone()))
            }
            other => other,
        };
        let negative = pair.negative.clone();
        let state = match &monitor {
            Monitor::Deterministic(_) => Type::Int(16),
            Monitor::Sets(sets) => set_type(sets.pair.positive.states.len()),
        };
        MonitorCode {
            components: accepting_components(&negative),
            layout: Layout::new(state, set_type(negative.states.len()), pointer_width),
            negative,
            monitor,
        }
    }

    /// Initial contents: fields that are not zero.
    pub fn initial(&self) -> Vec<(Field, BitVec)> {
        let Type::Int(width) = self.layout.state.ty else {
            unreachable!("fields are integers")
        };
        let state = match &self.monitor {
            Monitor::Deterministic(table) => BitVec::new(width, table.initial.index() as u128),
            Monitor::Sets(sets) => members(width, sets.initial().positive.iter().map(|state| state.index())),
        };
        let Type::Int(width) = self.layout.negative.ty else {
            unreachable!("fields are integers")
        };
        let dead = self.negative.states[self.negative.initial.index()]
            .edges
            .is_empty();
        let negative = members(width, (!dead).then_some(self.negative.initial.index()));
        vec![(self.layout.state, state), (self.layout.negative, negative)]
    }

    /// The statements of one letter. `atoms` are the atoms' truth values; `survivors` are kept where infinite
    /// runs matter.
    pub fn letter(
        &self,
        memory: GlobalId,
        atoms: &[Expr],
        survivors: Option<Survivors>,
        variables: &mut dyn NewVariables,
        position: Position,
    ) -> Vec<Statement> {
        let mut code = Code {
            memory,
            atoms,
            variables,
            position,
            statements: Vec::new(),
        };
        let layout = &self.layout;
        let letter = atoms.iter().enumerate().fold(int(64, 0), |word, (index, atom)| {
            binary(
                BinaryOp::Or,
                word,
                select(atom.clone(), int(64, 1 << index), int(64, 0)),
            )
        });
        code.store(layout.letter, letter);
        let needs_negative = survivors.is_some() || matches!(self.monitor, Monitor::Sets(_));
        let negative = needs_negative.then(|| {
            let old = code.load("negative", layout.negative);
            let next = code.successors(&self.negative, &old, |_, _| true);
            code.assign("negative", layout.negative, next)
        });
        match (&self.monitor, &negative) {
            (Monitor::Sets(sets), Some(negative)) => {
                let old = code.load("positive", layout.state);
                let next = code.successors(&sets.pair.positive, &old, |_, _| true);
                let positive = code.assign("positive", layout.state, next);
                code.set_value(layout, sets, &positive, negative);
            }
            (Monitor::Deterministic(table), _) => code.table(layout, table),
            (Monitor::Sets(_), None) => unreachable!("sets need both automata"),
        }
        if let (Some(kept), Some(negative)) = (survivors, negative) {
            code.survivors(kept, layout, (&self.negative, &self.components), &negative);
        }
        code.statements
    }

    /// What the fields `state`, `negative` and `survivors` can hold together; `None` when that is too much.
    /// Induction starts from these only.
    pub fn reachable(&self, possible: Option<&Label>, atoms: usize) -> Option<Vec<Memory>> {
        if atoms > MAX_ATOMS {
            return None;
        }
        let all = (0..1u64 << atoms).map(Letter);
        let letters: Vec<Letter> = all
            .filter(|letter| possible.is_none_or(|label| label.contains(*letter)))
            .collect();
        let initial = self.initial();
        let survivors = BitVec::zero(width_of(self.layout.survivors.ty));
        let mut known = vec![Memory {
            state: initial[0].1.clone(),
            negative: initial[1].1.clone(),
            survivors,
        }];
        let mut next = 0;
        while next < known.len() {
            for letter in &letters {
                let after = self.step(&known[next], *letter);
                if !known.contains(&after) {
                    known.push(after);
                }
            }
            next += 1;
            if known.len() > MAX_REACHABLE {
                return None;
            }
        }
        Some(known)
    }

    /// One letter, as the statements of [`MonitorCode::letter`] take it.
    fn step(&self, memory: &Memory, letter: Letter) -> Memory {
        let post = |automaton: &Buchi, set: &BitVec, counts: &dyn Fn(usize, usize) -> bool| {
            let from = (0..automaton.states.len()).filter(|state| set.bit(*state as u32));
            let targets = from.flat_map(|from| {
                let edges = automaton.states[from].edges.iter();
                let taken = edges
                    .filter(move |edge| edge.label.contains(letter) && counts(from, edge.target.index()));
                taken.map(|edge| edge.target.index())
            });
            members(set.width(), targets)
        };
        let negative = post(&self.negative, &memory.negative, &|_, _| true);
        let state = match &self.monitor {
            Monitor::Deterministic(table) => {
                let from = StateId::new(memory.state.to_u64().unwrap_or(0) as usize);
                BitVec::new(16, table.step(from, letter).index() as u128)
            }
            Monitor::Sets(sets) => post(&sets.pair.positive, &memory.state, &|_, _| true),
        };
        let same = |from: usize, to: usize| {
            self.components[from].is_some() && self.components[from] == self.components[to]
        };
        let kept = post(&self.negative, &memory.survivors, &same);
        let all = members(
            kept.width(),
            (0..self.components.len()).filter(|state| self.components[*state].is_some()),
        );
        let survivors = if kept.is_zero() { negative.and(&all) } else { kept };
        Memory {
            state,
            negative,
            survivors,
        }
    }

    /// The same step outside the program, to check it: the value after each letter.
    pub fn run(&self, letters: &[Letter]) -> Vec<FourValued> {
        self.monitor.run(letters)
    }

    /// The state in words, for traces.
    pub fn describe_state(&self, bits: &BitVec) -> String {
        match &self.monitor {
            Monitor::Deterministic(_) => format!("s{}", bits.to_u64().unwrap_or(0)),
            Monitor::Sets(_) => {
                let states: Vec<String> = (0..bits.width())
                    .filter(|bit| bits.bit(*bit))
                    .map(|bit| bit.to_string())
                    .collect();
                format!("{{{}}}", states.join(","))
            }
        }
    }
}

/// Statements under construction.
struct Code<'a> {
    memory: GlobalId,
    atoms: &'a [Expr],
    variables: &'a mut dyn NewVariables,
    position: Position,
    statements: Vec<Statement>,
}

impl Code<'_> {
    fn push(&mut self, kind: StatementKind) {
        let position = self.position;
        self.statements.push(Statement { kind, position });
    }

    fn load(&mut self, name: &str, field: Field) -> Expr {
        let target = self.variables.temporary(name, field.ty);
        let kind = load(self.memory, field, target);
        self.push(kind);
        Expr::Variable(target)
    }

    fn store(&mut self, field: Field, value: Expr) {
        let kind = store(self.memory, field, value);
        self.push(kind);
    }

    /// Computes a field's new value and stores it.
    fn assign(&mut self, name: &str, field: Field, value: Expr) -> Expr {
        let target = self.variables.temporary(name, field.ty);
        self.push(StatementKind::Assign { target, value });
        self.store(field, Expr::Variable(target));
        Expr::Variable(target)
    }

    fn label(&self, label: &Label) -> Expr {
        if label.is_all() {
            return truth(true);
        }
        let cubes = label.cubes().iter().map(|cube| {
            let literals = cube.literals().map(|(atom, value)| {
                let atom = self.atoms[atom.index()].clone();
                if value { atom } else { not(atom) }
            });
            literals
                .reduce(|a, b| binary(BinaryOp::And, a, b))
                .unwrap_or(truth(true))
        });
        cubes
            .reduce(|a, b| binary(BinaryOp::Or, a, b))
            .unwrap_or(truth(false))
    }

    /// The automaton's states after a letter, along the edges that count.
    fn successors(&self, automaton: &Buchi, set: &Expr, counts: impl Fn(usize, usize) -> bool) -> Expr {
        let width = width_of(set_type(automaton.states.len()));
        let mut next = int(width, 0);
        for (from, state) in automaton.states.iter().enumerate() {
            for edge in state
                .edges
                .iter()
                .filter(|edge| counts(from, edge.target.index()))
            {
                let taken = binary(BinaryOp::And, contains(set, width, from), self.label(&edge.label));
                let target = Expr::Int(members(width, [edge.target.index()]));
                next = binary(BinaryOp::Or, next, select(taken, target, int(width, 0)));
            }
        }
        next
    }

    /// The value from the two sets (see [`SetMonitor::value`]).
    fn set_value(&mut self, layout: &Layout, sets: &SetMonitor, positive: &Expr, negative: &Expr) {
        let (p, n) = (width_of(layout.state.ty), width_of(layout.negative.ty));
        let stutters = sets
            .stutter
            .iter()
            .enumerate()
            .map(|(state, label)| binary(BinaryOp::And, contains(positive, p, state), self.label(label)));
        let stutters = stutters
            .reduce(|a, b| binary(BinaryOp::Or, a, b))
            .unwrap_or(truth(false));
        let presumably = select(
            stutters,
            value(FourValued::PresumablyTrue),
            value(FourValued::PresumablyFalse),
        );
        let no_violation = binary(BinaryOp::Eq, negative.clone(), int(n, 0));
        let rest = select(no_violation, value(FourValued::True), presumably);
        let no_model = binary(BinaryOp::Eq, positive.clone(), int(p, 0));
        self.store(layout.value, select(no_model, value(FourValued::False), rest));
    }

    /// State and value from the deterministic monitor's table.
    fn table(&mut self, layout: &Layout, table: &DeterministicMonitor) {
        let number = |state: StateId| int(16, state.index() as u64);
        let old = self.load("state", layout.state);
        let mut next = old.clone();
        for (from, state) in table.states.iter().enumerate() {
            let target = state
                .edges
                .iter()
                .rev()
                .fold(int(16, from as u64), |rest, (label, target)| {
                    select(self.label(label), number(*target), rest)
                });
            let here = binary(BinaryOp::Eq, old.clone(), int(16, from as u64));
            next = select(here, target, next);
        }
        let state = self.assign("state", layout.state, next);
        let mut result = value(FourValued::PresumablyFalse);
        for (number, row) in table.states.iter().enumerate() {
            let own = match row.definite {
                Some(truth) => value(FourValued::definitely(truth)),
                None => select(
                    self.label(&row.presumably_true),
                    value(FourValued::PresumablyTrue),
                    value(FourValued::PresumablyFalse),
                ),
            };
            let here = binary(BinaryOp::Eq, state.clone(), int(16, number as u64));
            result = select(here, own, result);
        }
        self.store(layout.value, result);
    }

    fn survivors(
        &mut self,
        kept: Survivors,
        layout: &Layout,
        (automaton, components): (&Buchi, &[Option<usize>]),
        negative: &Expr,
    ) {
        let width = width_of(layout.negative.ty);
        let old = self.load("survivors", layout.survivors);
        let same = |from: usize, to: usize| components[from].is_some() && components[from] == components[to];
        let value = self.successors(automaton, &old, same);
        let survivors = self.variables.temporary("survivors", layout.survivors.ty);
        self.push(StatementKind::Assign {
            target: survivors,
            value,
        });
        let all = members(
            width,
            (0..components.len()).filter(|state| components[*state].is_some()),
        );
        let fresh = binary(BinaryOp::And, negative.clone(), Expr::Int(all));
        let none = binary(BinaryOp::Eq, Expr::Variable(survivors), int(width, 0));
        match kept {
            Survivors::Counted => {
                let fillings = self.load("fillings", layout.fillings);
                let more = binary(BinaryOp::Add, fillings.clone(), int(32, 1));
                self.store(layout.fillings, select(none.clone(), more, fillings));
            }
            Survivors::Marked => {
                let mark = self.load("fillings", layout.fillings);
                self.store(layout.fillings, select(none.clone(), int(32, 1), mark));
            }
            Survivors::Aged { .. } => {
                let age = self.load("age", layout.age);
                self.store(layout.age, select(none.clone(), int(32, 0), age));
            }
        }
        self.store(layout.survivors, select(none, fresh, Expr::Variable(survivors)));
    }
}

/// A load of a monitor's field.
pub fn load(memory: GlobalId, field: Field, target: VariableId) -> StatementKind {
    StatementKind::Load {
        target,
        address: address(memory, field),
        align: 1,
        volatile: false,
        checks: AccessChecks::default(),
    }
}

/// A store to a monitor's field.
pub fn store(memory: GlobalId, field: Field, value: Expr) -> StatementKind {
    StatementKind::Store {
        address: address(memory, field),
        value,
        ty: field.ty,
        align: 1,
        volatile: false,
        checks: AccessChecks::default(),
    }
}

fn address(memory: GlobalId, field: Field) -> Expr {
    let offset = int(field.pointer_width, field.offset);
    Expr::PointerAdd(Box::new(Expr::GlobalAddress(memory)), Box::new(offset))
}

fn width_of(ty: Type) -> u32 {
    match ty {
        Type::Int(width) => width,
        _ => unreachable!("fields are integers"),
    }
}

fn value(value: FourValued) -> Expr {
    int(8, value as u64)
}

/// An integer literal.
pub fn int(width: u32, value: u64) -> Expr {
    Expr::Int(BitVec::new(width, u128::from(value)))
}

fn truth(value: bool) -> Expr {
    int(1, u64::from(value))
}

/// A binary operation.
pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

fn not(a: Expr) -> Expr {
    Expr::Unary(UnaryOp::Not, Box::new(a))
}

/// `condition ? a : b`.
pub fn select(condition: Expr, a: Expr, b: Expr) -> Expr {
    Expr::Select(Box::new(condition), Box::new(a), Box::new(b))
}

fn members(width: u32, states: impl IntoIterator<Item = usize>) -> BitVec {
    let mut set = BitVec::zero(width);
    for state in states {
        set = set.or(&BitVec::one(width).shl(&BitVec::new(width, state as u128)));
    }
    set
}

fn contains(set: &Expr, width: u32, state: usize) -> Expr {
    let bit = binary(BinaryOp::And, set.clone(), Expr::Int(members(width, [state])));
    binary(BinaryOp::Ne, bit, int(width, 0))
}

/// For each state the number of the strongly connected component it lies in, where that has a cycle and an
/// accepting state.
fn accepting_components(automaton: &Buchi) -> Vec<Option<usize>> {
    let count = automaton.states.len();
    let mut reaches = vec![vec![false; count]; count];
    for (start, reached) in reaches.iter_mut().enumerate() {
        let mut open: Vec<usize> = automaton.states[start]
            .edges
            .iter()
            .map(|edge| edge.target.index())
            .collect();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                open.extend(
                    automaton.states[state]
                        .edges
                        .iter()
                        .map(|edge| edge.target.index()),
                );
            }
        }
    }
    let same = |a: usize, b: usize| reaches[a][b] && reaches[b][a];
    (0..count)
        .map(|state| {
            let accepting = (0..count).any(|other| automaton.states[other].accepting && same(state, other));
            accepting.then(|| (0..count).find(|other| same(state, *other)).unwrap_or(state))
        })
        .collect()
}
