//! Where threads run: what is told between the pieces of an access.
//!
//! Idea: at the gap between two pieces stands how many there are, and which bytes the whole access has, so
//! that it can be asked at this place whether another thread is about to access them. Of a copy stands up to
//! where each side is done: a range without length, of which it is asked whether an object reaches over it.

use kripke_elts::{Expr, Position, Statement, StatementKind};

use crate::pieces::{self, Part};
use crate::sites::{self, Site};
use crate::terms::{call_with, int, truth};
use crate::torn;
use crate::writer::Writer;

impl Writer<'_, '_> {
    fn is_told(&self) -> bool {
        self.rewriter.gaps.is_some_and(|gaps| gaps.between.is_some())
    }

    /// The gap, with what is told there; false where nothing is.
    pub fn tell_between(&mut self, position: Position) -> bool {
        let between = self.rewriter.gaps.and_then(|gaps| gaps.between);
        let Some(between) = between.filter(|_| !self.told.is_empty()) else {
            return false;
        };
        let told = self.told.clone();
        self.emit(call_with(between, told), position);
        true
    }

    /// A place before a piece of a copy, which is an access like any other.
    pub fn tell_piece(&mut self, kind: &StatementKind, position: Position) {
        let is_copy = matches!(
            kind,
            StatementKind::CopyMemory { .. } | StatementKind::SetMemory { .. }
        );
        if let Some(before) = self.before.filter(|_| is_copy && self.is_told()) {
            let told = self.bytes_of(kind);
            self.emit(call_with(before, told), position);
        }
    }

    /// Puts what is told at the gaps of an access beside its pieces.
    pub fn tell_pieces(&mut self, parts: &mut Vec<Part>, kind: &StatementKind) {
        if !self.is_told() {
            return;
        }
        let (source, target) = match kind {
            StatementKind::CopyMemory { source, target, .. } => (Some(source), target),
            StatementKind::SetMemory { target, .. } => (None, target),
            _ => {
                let gaps = parts.iter().filter(|part| matches!(part, Part::Gap)).count();
                let told = self.told_of(gaps + 1, self.bytes_of(kind));
                parts.insert(0, Part::Tell(told));
                return;
            }
        };
        let done = parts.iter().map(|part| match part {
            Part::Progress { written, .. } => *written,
            _ => 0,
        });
        let all = done.max().unwrap_or(0);
        let whole = torn::whole_step(self.rewriter.original, self.id, kind);
        let count = usize::try_from(all.div_ceil(whole)).unwrap_or(0);
        for part in parts.iter_mut() {
            if let Part::Progress { read, written } = *part {
                let sides = [(source, read, false), (Some(target), written, true)];
                let is_inside = |done: u64| done > 0 && done < all && done.is_multiple_of(whole);
                let inside = sides.into_iter().filter(|(_, done, _)| is_inside(*done));
                let told = inside.filter_map(|(side, done, writes)| Some(self.boundary(side?, done, writes)));
                let told: Vec<Expr> = told.flatten().collect();
                *part = Part::Tell(match told.is_empty() {
                    true => Vec::new(),
                    false => self.told_of(count, told),
                });
            }
        }
    }

    fn boundary(&self, side: &Expr, done: u64, writes: bool) -> [Expr; 3] {
        let width = self.rewriter.original.data_model.pointer_width;
        [pieces::moved(side, done, width), int(width, 0), truth(writes)]
    }

    fn told_of(&self, count: usize, mut told: Vec<Expr>) -> Vec<Expr> {
        told.insert(0, int(32, count as u128));
        told
    }

    /// A bit-field is read with its neighbours, and written back: what others write in between is lost.
    pub fn tell_bit_field(&mut self, statement: &Statement) {
        if !self.is_told() {
            return;
        }
        if let Some((_, told)) = self.bit_field.take_if(|(place, _)| *place == self.place) {
            self.told = told;
            self.gap(statement.position);
            self.told.clear();
        }
        let site = Site {
            level: 0,
            function: self.id,
            place: self.place,
            statement,
            accesses: Vec::new(),
        };
        if let Some(store) = sites::store_of_bit_field(self.rewriter.original, &site) {
            let told = self.bytes_of(&statement.kind);
            self.bit_field = Some((store, self.told_of(0, told)));
        }
    }
}
