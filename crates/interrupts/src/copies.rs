//! Copies and fills of memory that others may come into.
//!
//! Idea: C does not say in which order the bytes of a structure are copied, nor does the library of `memcpy`,
//! and compilers make use of it: avr-gcc reads two bytes upwards and writes them downwards. So there is a
//! list of steps for each order that is tried, and an arbitrary choice takes one: upwards and downwards, in
//! pieces of the alignment that is known, else byte by byte. Where both sides are shared, it makes a
//! difference how much is read before the first write: one piece, or all of it. Orders that go back and forth
//! are not tried.

use kripke_elts::{Expr, Program, StatementKind, Type, VariableId};

use crate::pieces::{self, Part};
use crate::terms::int;
use crate::writer::Writer;

/// A piece: where it begins, and where it ends.
type Step = (u64, u64);

/// One of the orders in which the pieces are taken.
#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

impl Direction {
    const ALL: [Direction; 2] = [Direction::Up, Direction::Down];

    fn steps(self, steps: &[Step]) -> Vec<Step> {
        match self {
            Direction::Up => steps.to_vec(),
            Direction::Down => steps.iter().rev().copied().collect(),
        }
    }

    /// Up to where everything is done on one side of it when this step was the last.
    fn boundary(self, step: Step) -> u64 {
        match self {
            Direction::Up => step.1,
            Direction::Down => step.0,
        }
    }

    /// The boundary before the first step.
    fn start(self, steps: &[Step]) -> u64 {
        match self {
            Direction::Up => 0,
            Direction::Down => length(steps),
        }
    }

    /// The boundary behind the last step.
    fn end(self, steps: &[Step]) -> u64 {
        match self {
            Direction::Up => length(steps),
            Direction::Down => 0,
        }
    }
}

fn length(steps: &[Step]) -> u64 {
    steps.last().map_or(0, |step| step.1)
}

/// The directions that differ where there are so many steps.
fn directions(steps: &[Step]) -> &'static [Direction] {
    &Direction::ALL[..steps.len().clamp(1, 2)]
}

/// The pieces of a copy or fill; `None`: that is not followed.
fn steps(program: &Program, pointers: &[&Expr], length: &Expr) -> Option<Vec<Step>> {
    let steps = pieces::steps(program, pointers, length)?;
    Some(
        steps
            .into_iter()
            .map(|(start, bytes)| (start, start + bytes))
            .collect(),
    )
}

fn progress(read: u64, written: u64) -> Part {
    Part::Progress { read, written }
}

fn too_long(what: &str) -> Vec<Vec<Part>> {
    let what = format!("{what} of many or unknown bytes that a handler may come into");
    vec![vec![Part::Do(StatementKind::Unsupported { what })]]
}

/// The ways in which a fill may be made.
pub fn fill(program: &Program, kind: &StatementKind) -> Vec<Vec<Part>> {
    let StatementKind::SetMemory {
        target,
        value,
        length,
        checks,
    } = kind
    else {
        return Vec::new();
    };
    let Some(steps) = steps(program, &[target], length) else {
        return too_long("a fill");
    };
    let width = program.data_model.pointer_width;
    let way = |direction: &Direction| {
        let start = direction.start(&steps);
        let mut parts = vec![progress(start, start)];
        for step in direction.steps(&steps) {
            parts.push(Part::Do(StatementKind::SetMemory {
                target: pieces::moved(target, step.0, width),
                value: value.clone(),
                length: int(width, u128::from(step.1 - step.0)),
                checks: *checks,
            }));
            let boundary = direction.boundary(step);
            parts.extend([progress(boundary, boundary), Part::Gap]);
        }
        parts.pop();
        parts
    };
    directions(&steps).iter().map(way).collect()
}

impl Writer<'_, '_> {
    /// The ways in which a copy may be made.
    pub fn copy(
        &mut self,
        kind: &StatementKind,
        variable: &mut impl FnMut(Type) -> VariableId,
    ) -> Vec<Vec<Part>> {
        let StatementKind::CopyMemory {
            target,
            source,
            length,
            overlap,
            ..
        } = kind
        else {
            return Vec::new();
        };
        let Some(steps) = steps(self.rewriter.original, &[target, source], length) else {
            return too_long("a copy");
        };
        let reach = self
            .level()
            .and_then(|level| self.rewriter.reaches[level].as_ref());
        let both = reach.is_some_and(|reach| reach.depends_on_both(&self.rewriter.effects, self.id, kind));
        let directions = directions(&steps);
        if !both && !overlap {
            let ways = directions
                .iter()
                .map(|direction| self.through(kind, &steps, *direction));
            return ways.collect();
        }
        let mut ways = Vec::new();
        for direction in directions.iter().filter(|_| !overlap) {
            let held = variable(Type::Pointer);
            ways.push(self.piece_by_piece((kind, held), &steps, *direction));
        }
        for read in directions {
            for write in directions {
                let held = variable(Type::Pointer);
                ways.push(self.all_at_last((kind, held), &steps, (*read, *write)));
            }
        }
        ways
    }

    /// A piece of a copy, between other places.
    fn part(&self, kind: &StatementKind, (to, from): (Option<&Expr>, Option<&Expr>), step: Step) -> Part {
        let width = self.rewriter.original.data_model.pointer_width;
        let mut kind = kind.clone();
        if let StatementKind::CopyMemory {
            target,
            source,
            length,
            ..
        } = &mut kind
        {
            *target = pieces::moved(to.unwrap_or(target), step.0, width);
            *source = pieces::moved(from.unwrap_or(source), step.0, width);
            *length = int(width, u128::from(step.1 - step.0));
        }
        Part::Do(kind)
    }

    /// A copy of which one side only is shared.
    fn through(&self, kind: &StatementKind, steps: &[Step], direction: Direction) -> Vec<Part> {
        let start = direction.start(steps);
        let mut parts = vec![progress(start, start)];
        for step in direction.steps(steps) {
            let boundary = direction.boundary(step);
            parts.extend([
                self.part(kind, (None, None), step),
                progress(boundary, boundary),
                Part::Gap,
            ]);
        }
        parts.pop();
        parts
    }

    /// Each piece is written before the next is read.
    fn piece_by_piece(
        &mut self,
        (kind, held): (&StatementKind, VariableId),
        steps: &[Step],
        direction: Direction,
    ) -> Vec<Part> {
        let (begin, held, end) = self.held(kind, held);
        let mut written = direction.start(steps);
        let mut parts = vec![begin, progress(written, written)];
        for step in direction.steps(steps) {
            let read = direction.boundary(step);
            parts.extend([
                self.part(kind, (Some(&held), None), step),
                progress(read, written),
                Part::Gap,
            ]);
            written = read;
            parts.extend([
                self.part(kind, (None, Some(&held)), step),
                progress(read, written),
                Part::Gap,
            ]);
        }
        parts.push(end);
        parts
    }

    /// All is read before anything is written.
    fn all_at_last(
        &mut self,
        (kind, held): (&StatementKind, VariableId),
        steps: &[Step],
        (read, write): (Direction, Direction),
    ) -> Vec<Part> {
        let (begin, held, end) = self.held(kind, held);
        let unwritten = write.start(steps);
        let mut parts = vec![begin, progress(read.start(steps), unwritten)];
        for step in read.steps(steps) {
            parts.extend([
                self.part(kind, (Some(&held), None), step),
                progress(read.boundary(step), unwritten),
                Part::Gap,
            ]);
        }
        for step in write.steps(steps) {
            parts.extend([
                self.part(kind, (None, Some(&held)), step),
                progress(read.end(steps), write.boundary(step)),
                Part::Gap,
            ]);
        }
        parts.push(end);
        parts
    }

    /// An object that holds what was read: how it begins, its address, and how it ends.
    fn held(&mut self, kind: &StatementKind, held: VariableId) -> (Part, Expr, Part) {
        let size = match kind {
            StatementKind::CopyMemory { length, .. } => length.clone(),
            _ => int(self.rewriter.original.data_model.pointer_width, 0),
        };
        let begin = StatementKind::StackObject {
            target: held,
            size,
            site: self.rewriter.scratch(),
        };
        let held = Expr::Variable(held);
        let end = StatementKind::EndObject {
            pointer: held.clone(),
        };
        (Part::Do(begin), held, Part::Do(end))
    }
}
