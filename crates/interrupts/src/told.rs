//! Where threads run: what is told of an access where it is asked what comes between two of them.
//!
//! Idea: an access may be made in several pieces, with gaps between them, and an atomic one by several
//! statements. So its beginning is told, behind the gap before it, and its end. Both carry its number.
//!
//! Invariant: what is told does nothing. Nobody else runs between what tells of the beginning or the end of
//! an access and the first or last piece of it.

use kripke_elts::{BinaryOp, Expr, LocationId, Position, Statement, StatementKind};

use crate::gaps::{COMPARES, KEEPS_NEIGHBOURS, UNUSED, USED};
use crate::sites::{self, Place, Site};
use crate::terms::{binary, call_with, int, truth};
use crate::uses;
use crate::writer::Writer;

/// An access that was begun: its number, and where the statements of it begin.
pub type Began = Option<(u128, (LocationId, usize), usize)>;

impl Writer<'_, '_> {
    fn told_with(&self, how: u128, unit: u64, is_atomic: bool, bytes: Vec<Expr>) -> Vec<Expr> {
        let mut told = vec![
            int(32, self.accesses),
            int(32, how),
            int(32, u128::from(unit)),
            truth(is_atomic),
        ];
        told.extend(bytes);
        told
    }

    /// Tells that an access begins.
    pub fn tell_begin(&mut self, statement: &Statement) -> Began {
        let (begins, _) = self.rewriter.gaps?.accesses?;
        let mut bytes = self.bytes_of(&statement.kind);
        if bytes.is_empty() {
            return None;
        }
        if let StatementKind::Output { .. } = &statement.kind {
            bytes.chunks_exact_mut(3).for_each(reach_to_the_end);
        }
        let how = match self.is_store_of_bit_field_begun(statement) {
            true => KEEPS_NEIGHBOURS,
            false if uses::is_used(&self.rewriter.effects, self.id, self.place) => USED,
            false => UNUSED,
        };
        let told = self.told_with(how, unit(&statement.kind), false, bytes);
        self.emit(call_with(begins, told), statement.position);
        let began = (self.accesses, self.at, self.statements.len());
        self.accesses += 1;
        Some(began)
    }

    /// Tells that it is made.
    pub fn tell_end(&mut self, began: Began, position: Position) {
        let ends = self.rewriter.gaps.and_then(|gaps| gaps.accesses);
        let (Some((number, at, from)), Some((_, ends))) = (began, ends) else {
            return;
        };
        let in_pieces = self.at != at || self.statements.len() > from + 1;
        let told = vec![int(32, number), truth(in_pieces), truth(true)];
        self.emit(call_with(ends, told), position);
    }

    /// Tells of what is done at once, from its first statement on.
    pub fn tell_atomic(&mut self, bytes: &[Expr], position: Position) {
        let Some((begins, ends)) = self.rewriter.gaps.and_then(|gaps| gaps.accesses) else {
            return;
        };
        if bytes.is_empty() {
            return;
        }
        let parts: Vec<StatementKind> = { self.statements[self.atomic_from..].iter() }
            .map(|statement| statement.kind.clone())
            .collect();
        let compares = parts.iter().find_map(|kind| compares(kind, &parts));
        let is_used = (0..).zip(&parts).any(|(number, kind)| match kind {
            StatementKind::Load { .. } => {
                let (location, way, first) = self.atomic_place;
                let place: Place = (location, way, first + 1 + number);
                uses::is_used(&self.rewriter.effects, self.id, place)
            }
            _ => true,
        });
        let writes = parts
            .iter()
            .any(|kind| matches!(kind, StatementKind::Store { .. }));
        let how = match (&compares, is_used || writes) {
            (Some(_), _) => COMPARES,
            (None, true) => USED,
            (None, false) => UNUSED,
        };
        let unit = parts.iter().map(unit).min().unwrap_or(1).min(1 << 16);
        let told = self.told_with(how, unit, true, bytes.to_vec());
        let kind = call_with(begins, told);
        self.statements
            .insert(self.atomic_from, Statement { kind, position });
        let wrote = compares.unwrap_or(truth(true));
        let told = vec![int(32, self.accesses), truth(false), wrote];
        self.emit(call_with(ends, told), position);
        self.accesses += 1;
    }

    fn is_store_of_bit_field_begun(&self, statement: &Statement) -> bool {
        let site = Site {
            level: 0,
            function: self.id,
            place: self.place,
            statement,
            accesses: Vec::new(),
        };
        sites::store_of_bit_field(self.rewriter.original, &site).is_some()
    }
}

/// A text that is printed is read up to the end of its object at the most.
fn reach_to_the_end(told: &mut [Expr]) {
    let pointer = Box::new(told[0].clone());
    let size = Expr::ObjectSize(pointer.clone());
    told[1] = binary(BinaryOp::Sub, size, Expr::PointerOffset(pointer));
}

/// In units of how many bytes an access is made: its length is a multiple, and so is its address.
fn unit(kind: &StatementKind) -> u64 {
    match kind {
        StatementKind::Load { align, .. } | StatementKind::Store { align, .. } => u64::from(*align),
        // Between the parts of what is done at once.
        StatementKind::Assign { .. } => u64::MAX,
        _ => 1,
    }
}

/// Whether a compare-and-swap writes something new: if not, it stores what it has read.
fn compares(kind: &StatementKind, parts: &[StatementKind]) -> Option<Expr> {
    let StatementKind::Store { value, .. } = kind else {
        return None;
    };
    let Expr::Select(condition, _, old) = value else {
        return None;
    };
    let is_read = parts.iter().any(|part| match part {
        StatementKind::Load { target, .. } => **old == Expr::Variable(*target),
        _ => false,
    });
    is_read.then(|| (**condition).clone())
}
