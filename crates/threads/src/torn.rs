//! Torn accesses: a thread that stands between the pieces of an access, and another before an access to the
//! same object.
//!
//! Idea: as for data races, it is asked at the hub: if both stand there, the other one may go on now. Atomic
//! accesses count, too: they come between the pieces as a whole.
//!
//! Invariant: the question changes nothing, and a run ends with it.

use std::collections::BTreeMap;

use kripke_elts::{
    BinaryOp as Op, Expr, FunctionId, LocationId, Position, PropertyId, PropertySite, StatementKind,
};
use kripke_interrupts::terms::{and, binary, call, int, not, or, truth};
use kripke_model::PropertyKind;

use crate::races::{Access, Bytes, TOLD, overlap};
use crate::weaver::Weaver;

/// A thread between the pieces of an access.
#[derive(Clone)]
pub struct Torn {
    thread: usize,
    place: usize,
    /// How many pieces there are; none of a bit-field, which is read and written back.
    pieces: u64,
    /// The bytes of the access; of a copy up to where it is done, without length.
    bytes: Vec<Bytes>,
    function: FunctionId,
    position: Position,
}

impl Torn {
    fn is_copy(&self) -> bool {
        self.bytes.iter().any(Bytes::is_boundary)
    }

    /// When an access of another thread meets this one; none where it never does.
    fn meets(&self, access: &Access) -> Option<Expr> {
        let pairs = self
            .bytes
            .iter()
            .flat_map(|own| access.bytes.iter().map(move |its| (own, its)));
        let conflicts = pairs.filter(|(own, its)| own.writes || its.writes);
        conflicts.filter_map(|(own, its)| meets(own, its)).reduce(or)
    }
}

fn meets(own: &Bytes, its: &Bytes) -> Option<Expr> {
    if !own.is_boundary() {
        return overlap(own, its);
    }
    // An object that reaches over it.
    let offset = |bytes: &Bytes| Expr::PointerOffset(Box::new(bytes.address.clone()));
    let same = Expr::SameObject(Box::new(own.address.clone()), Box::new(its.address.clone()));
    let end = binary(Op::Add, offset(its), its.length.clone());
    let over = and(
        binary(Op::ULt, offset(its), offset(own)),
        binary(Op::ULt, offset(own), end),
    );
    Some(and(same, over))
}

impl Weaver<'_> {
    /// Notes that a thread stands between pieces: `arguments` has how many there are, and then an address, a
    /// length and whether it is written for each range.
    pub fn note_torn(
        &mut self,
        (thread, place): (usize, usize),
        arguments: Vec<Expr>,
        (function, position): (FunctionId, Position),
    ) {
        let pieces = match &arguments[0] {
            Expr::Int(count) => count.to_u64().unwrap_or(0),
            _ => 0,
        };
        let bytes = arguments[1..].chunks_exact(TOLD).map(|told| Bytes {
            address: told[0].clone(),
            length: told[1].clone(),
            writes: told[2] == truth(true),
        });
        self.torn.push(Torn {
            thread,
            place,
            pieces,
            bytes: bytes.collect(),
            function,
            position,
        });
    }

    /// What other threads do next: an access, or the rest of one.
    fn next_accesses(&mut self) -> Vec<Access> {
        let mut all = std::mem::take(&mut self.accesses);
        // Before the rest of a copy, or of a write to a bit-field, is a place of its own.
        let rests = self.torn.iter().filter(|torn| torn.pieces > 0 && !torn.is_copy());
        let rests = rests.map(|torn| Access {
            thread: torn.thread,
            place: torn.place,
            bytes: torn.bytes.clone(),
            is_atomic: false,
            function: torn.function,
            position: torn.position,
        });
        all.extend(rests);
        all
    }

    /// The question whether an access is torn, from a location to the end of the run.
    pub fn write_torn(&mut self, from: LocationId) {
        let nowhere = Position::default();
        let noted = self.accesses.len();
        let accesses = self.next_accesses();
        let mut known: BTreeMap<(Position, Position), PropertyId> = BTreeMap::new();
        let mut at = from;
        for torn in std::mem::take(&mut self.torn) {
            for access in accesses.iter().filter(|access| access.thread != torn.thread) {
                let Some(meets) = torn.meets(access) else {
                    continue;
                };
                let stand = and(
                    self.stands((torn.thread, torn.place)),
                    self.stands((access.thread, access.place)),
                );
                let both = and(and(stand, self.is_free(access.thread)), meets);
                let (tears, next) = (
                    self.location("torn", usize::MAX),
                    self.location("torn", usize::MAX),
                );
                self.way(at, both.clone(), Vec::new(), tears, nowhere);
                self.way(at, not(both), Vec::new(), next, nowhere);
                let property = self.property_of_torn(&torn, access, &mut known);
                self.leave(tears, Vec::new(), self.function.exit, nowhere);
                let kind = call(self.teller_of_access(access, &[]));
                self.write_at(tears, kind, access.position);
                let never = StatementKind::Assert {
                    condition: truth(false),
                    property,
                };
                self.write_at(tears, never, torn.position);
                at = next;
            }
        }
        let over = StatementKind::Assume {
            condition: truth(false),
        };
        self.leave(at, vec![over], self.function.exit, nowhere);
        self.accesses = accesses;
        self.accesses.truncate(noted);
        if known.is_empty() {
            let function = self.program.entry;
            self.target.properties.push(PropertySite {
                kind: PropertyKind::TornAccess,
                description: "torn access of any object".to_owned(),
                position: self.program.functions[function].position,
                function,
            });
        }
    }

    fn stands(&self, (thread, place): (usize, usize)) -> Expr {
        let at = Expr::Variable(self.threads[thread].place);
        binary(Op::Eq, at, int(16, place as u128))
    }

    fn property_of_torn(
        &mut self,
        torn: &Torn,
        access: &Access,
        known: &mut BTreeMap<(Position, Position), PropertyId>,
    ) -> PropertyId {
        let key = (torn.position, access.position);
        if let Some(property) = known.get(&key) {
            return *property;
        }
        let place = self.program.place(access.position, "");
        let name = &self.program.functions[access.function].name;
        let verb = if access.writes() { "writes" } else { "reads" };
        let between = match torn.pieces {
            0 => "before what this write to a bit-field has read is written".to_owned(),
            count => format!("between the {count} pieces of this access"),
        };
        let description = format!(
            "torn access: `{name}` {verb} at {}:{} {between}",
            place.file, place.line
        );
        let property = self.target.properties.push(PropertySite {
            kind: PropertyKind::TornAccess,
            description,
            position: torn.position,
            function: torn.function,
        });
        known.insert(key, property);
        property
    }
}
