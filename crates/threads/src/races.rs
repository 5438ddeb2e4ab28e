//! Data races: two threads that stand before accesses to the same bytes, of which one writes.
//!
//! Idea: each access that others can tell has a place before it. Two that conflict are not ordered by what
//! the threads wait for exactly if some schedule brings both threads to these places at once. So it is asked
//! at the hub, instead of letting a thread go on, whether the bytes of any two such accesses overlap. Two
//! that are atomic do not race.
//!
//! Invariant: the question changes nothing, and a run ends with it.
//!
//! Source: C11 5.1.2.4 paragraphs 4 and 25.

use std::collections::BTreeMap;

use kripke_elts::threads::IS_NEXT;
use kripke_elts::{
    BinaryOp as Op, Expr, Function, FunctionId, GlobalId, HIDDEN_MEMORY, LocationId, Position, PropertyId,
    PropertySite, Statement, StatementKind, Type, Variable, VariableKind,
};
use kripke_interrupts::terms::{and, binary, call_with, int, not, or, truth};
use kripke_model::PropertyKind;

use crate::weaver::Weaver;

/// How many arguments of a mark tell of each range of bytes: its address, its length, whether it is written.
pub const TOLD: usize = 3;

/// What a thread does next where it stands.
pub struct Access {
    pub thread: usize,
    /// The number of the place.
    pub place: usize,
    pub bytes: Vec<Bytes>,
    /// No other atomic access comes between its parts.
    pub is_atomic: bool,
    /// The function of the program, and where in it.
    pub function: FunctionId,
    pub position: Position,
}

/// Bytes that are read or written.
#[derive(Clone)]
pub struct Bytes {
    pub address: Expr,
    pub length: Expr,
    pub writes: bool,
}

impl Bytes {
    /// Is it up to where a copy is done?
    pub fn is_boundary(&self) -> bool {
        matches!(&self.length, Expr::Int(length) if length.to_u64() == Some(0))
    }
}

impl Access {
    pub fn writes(&self) -> bool {
        self.bytes.iter().any(|bytes| bytes.writes)
    }

    /// May it be a race if both are next?
    fn conflicts(&self, other: &Access) -> bool {
        let both_atomic = self.is_atomic && other.is_atomic;
        self.thread != other.thread && !both_atomic && (self.writes() || other.writes())
    }

    /// Bytes that may be those of another access, and make it a race.
    fn bytes_shared_with(&self, other: &Access) -> &Bytes {
        let meets = |own: &&Bytes| {
            let mut its = { other.bytes.iter() }.filter(|its| own.writes || its.writes);
            its.any(|its| overlap(own, its).is_some())
        };
        self.bytes.iter().find(meets).unwrap_or(&self.bytes[0])
    }

    /// When some bytes of both are the same, and one writes them; none where they never are.
    fn overlap(&self, other: &Access) -> Option<Expr> {
        let pairs = self
            .bytes
            .iter()
            .flat_map(|own| other.bytes.iter().map(move |its| (own, its)));
        let found = pairs.filter(|(own, its)| own.writes || its.writes);
        found.filter_map(|(own, its)| overlap(own, its)).reduce(or)
    }
}

/// Does a mark tell of bytes that are written?
pub fn tells_of_writes(arguments: &[Expr]) -> bool {
    arguments.chunks_exact(TOLD).any(|told| told[2] == truth(true))
}

pub fn overlap(a: &Bytes, b: &Bytes) -> Option<Expr> {
    if let (Some(one), Some(other)) = (base(&a.address), base(&b.address))
        && one != other
    {
        return None;
    }
    let offset = |bytes: &Bytes| Expr::PointerOffset(Box::new(bytes.address.clone()));
    let end = |bytes: &Bytes| binary(Op::Add, offset(bytes), bytes.length.clone());
    let same = Expr::SameObject(Box::new(a.address.clone()), Box::new(b.address.clone()));
    let meet = and(
        binary(Op::ULt, offset(a), end(b)),
        binary(Op::ULt, offset(b), end(a)),
    );
    Some(and(same, meet))
}

/// The global that an address is in, where it names one.
fn base(address: &Expr) -> Option<GlobalId> {
    match address {
        Expr::GlobalAddress(global) => Some(*global),
        Expr::PointerAdd(pointer, _) => base(pointer),
        _ => None,
    }
}

impl Weaver<'_> {
    /// Notes what a thread does next where it stands: `arguments` has an address, a length and whether it is
    /// written for each range of bytes.
    pub fn note_access(
        &mut self,
        (thread, place): (usize, usize),
        arguments: Vec<Expr>,
        is_atomic: bool,
        (function, position): (FunctionId, Position),
    ) {
        let bytes = arguments.chunks_exact(TOLD).map(|told| Bytes {
            address: told[0].clone(),
            length: told[1].clone(),
            writes: told[2] == truth(true),
        });
        self.accesses.push(Access {
            thread,
            place,
            bytes: bytes.collect(),
            is_atomic,
            function,
            position,
        });
    }

    /// The question whether two threads race, from a location to the end of the run.
    pub fn write_races(&mut self, from: LocationId) {
        let nowhere = Position::default();
        let accesses = std::mem::take(&mut self.accesses);
        let mut known: BTreeMap<(Position, Position), PropertyId> = BTreeMap::new();
        let mut at = from;
        for thread in 0..self.threads.len() {
            let next = self.location("race", usize::MAX);
            let mut none = truth(true);
            for access in accesses.iter().filter(|access| access.thread == thread) {
                let others: Vec<&Access> = { accesses.iter() }
                    .filter(|other| other.thread > thread && access.conflicts(other))
                    .collect();
                if others.is_empty() {
                    continue;
                }
                let here = self.is_next(access);
                let asks = self.location("race", usize::MAX);
                self.way(at, and(none.clone(), here.clone()), Vec::new(), asks, nowhere);
                none = and(none, not(here));
                self.write_meetings((access, &others), asks, next, &mut known);
            }
            self.way(at, none, Vec::new(), next, nowhere);
            at = next;
        }
        let over = StatementKind::Assume {
            condition: truth(false),
        };
        self.leave(at, vec![over], self.function.exit, nowhere);
        self.accesses = accesses;
        if known.is_empty() {
            self.add_empty_property();
        }
    }

    /// Where no two accesses can race, there is still an answer.
    pub fn add_empty_property(&mut self) {
        let function = self.program.entry;
        self.target.properties.push(PropertySite {
            kind: PropertyKind::DataRace,
            description: "data race of any two threads".to_owned(),
            position: self.program.functions[function].position,
            function,
        });
    }

    fn is_next(&self, access: &Access) -> Expr {
        let place = Expr::Variable(self.threads[access.thread].place);
        binary(Op::Eq, place, int(16, access.place as u128))
    }

    /// What is done in an atomic section does not race with what is atomic. That of the hardware, in which
    /// each handler runs, is none of the program's; it counts where flags of interrupts are looked at.
    fn is_no_section(&self, access: &Access, other: &Access) -> Expr {
        let is_outside = |thread: usize, of: usize| {
            if self.hardware() == Some(thread) && !self.is_of_flags(access) {
                return truth(true);
            }
            let number = int(8, thread as u128 + 1);
            let is_its = |keeper| not(binary(Op::Eq, Expr::Variable(keeper), number.clone()));
            self.keepers_of(of).map(is_its).reduce(and).unwrap_or(truth(true))
        };
        match (access.is_atomic, other.is_atomic) {
            (true, _) => is_outside(other.thread, access.thread),
            (_, true) => is_outside(access.thread, other.thread),
            (false, false) => truth(true),
        }
    }

    /// Is it an access to what no program has, such as the flags of interrupts?
    fn is_of_flags(&self, access: &Access) -> bool {
        let mut is_so = false;
        for bytes in &access.bytes {
            bytes.address.walk(&mut |part| {
                is_so |= matches!(part, Expr::GlobalAddress(id)
                    if self.program.globals[*id].name.starts_with(HIDDEN_MEMORY));
            });
        }
        is_so
    }

    /// Asks for one access whether others meet it.
    fn write_meetings(
        &mut self,
        (access, others): (&Access, &[&Access]),
        from: LocationId,
        to: LocationId,
        known: &mut BTreeMap<(Position, Position), PropertyId>,
    ) {
        let nowhere = Position::default();
        let mut at = from;
        for other in others {
            let Some(overlap) = access.overlap(other) else {
                continue;
            };
            let both = and(
                self.is_next(other),
                and(self.is_no_section(access, other), overlap),
            );
            let (races, next) = (
                self.location("race", usize::MAX),
                self.location("race", usize::MAX),
            );
            self.way(at, both.clone(), Vec::new(), races, nowhere);
            self.way(at, not(both), Vec::new(), next, nowhere);
            let property = self.property_of_race(access, other, known);
            self.leave(races, Vec::new(), self.function.exit, nowhere);
            for (told, its) in [(access, *other), (*other, access)] {
                let bytes = told.bytes_shared_with(its);
                let told_of = vec![bytes.address.clone(), bytes.length.clone(), truth(bytes.writes)];
                let kind = call_with(self.teller_of_access(told, &["at", "length", "writes"]), told_of);
                self.write_at(races, kind, told.position);
            }
            let never = StatementKind::Assert {
                condition: truth(false),
                property,
            };
            self.write_at(races, never, access.position);
            at = next;
        }
        self.leave(at, Vec::new(), to, nowhere);
    }

    pub fn write_at(&mut self, at: LocationId, kind: StatementKind, position: Position) {
        let transition = self.function.locations[at].transitions.last_mut();
        if let Some(transition) = transition {
            transition.statements.push(Statement { kind, position });
        }
    }

    /// The property that two places of the program do not race.
    fn property_of_race(
        &mut self,
        access: &Access,
        other: &Access,
        known: &mut BTreeMap<(Position, Position), PropertyId>,
    ) -> PropertyId {
        let mut pair = [access, other];
        pair.sort_by_key(|access| access.position);
        let key = (pair[0].position, pair[1].position);
        if let Some(property) = known.get(&key) {
            return *property;
        }
        let place = self.program.place(pair[1].position, "");
        let description = match key.0 == key.1 {
            true => "data race: two threads access the same bytes here".to_owned(),
            false => format!("data race with the access at {}:{}", place.file, place.line),
        };
        let property = self.target.properties.push(PropertySite {
            kind: PropertyKind::DataRace,
            description,
            position: key.0,
            function: pair[0].function,
        });
        known.insert(key, property);
        property
    }

    /// The function that tells traces what a thread does next, with parameters for a pointer, a length
    /// and whether it writes, or none.
    pub fn teller_of_access(&mut self, access: &Access, parameters: &[&str]) -> FunctionId {
        let verb = match (access.is_atomic, access.writes()) {
            (true, true) => "writes, at once,",
            (true, false) => "reads, at once,",
            (false, true) => "writes",
            (false, false) => "reads",
        };
        self.teller_that(
            (access.thread, access.function),
            &format!("{verb} here next"),
            parameters,
        )
    }

    /// The function that tells traces that a thread does something, in a function of the program.
    pub fn teller_that(
        &mut self,
        (thread, function): (usize, FunctionId),
        does: &str,
        parameters: &[&str],
    ) -> FunctionId {
        let begins = self.threads[thread].begins.map(|(begins, _)| begins);
        let of = self.program.functions[begins.unwrap_or(self.program.entry)].clone();
        let who = match thread {
            0 => self.program.name_for_users(self.program.entry).to_owned(),
            number => format!("thread {number} ({})", of.name),
        };
        let function = &self.program.functions[function].name;
        let name = format!("{IS_NEXT}{function}: {who} {does}");
        let width = self.program.data_model.pointer_width;
        let types = [Type::Pointer, Type::Int(width), Type::Int(1)];
        let parameters = parameters.iter().zip(types).map(|(name, ty)| Variable {
            name: (*name).to_owned(),
            ty,
            kind: VariableKind::Parameter,
            c_type: None,
            position: Position::default(),
        });
        let place = (of.position, of.position);
        self.target
            .functions
            .push(Function::without_effect(name, parameters, place))
    }
}
