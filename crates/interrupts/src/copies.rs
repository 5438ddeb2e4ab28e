//! Copies and fills of memory that others may come into.
//!
//! Idea: C does not say in which order the bytes of a structure are copied, nor does the library of `memcpy`,
//! and compilers make use of it: avr-gcc reads two bytes upwards and writes them downwards. So there is a
//! list of steps for each order that is tried, and an arbitrary choice takes one: upwards and downwards, in
//! pieces of the alignment that is known, else byte by byte. Where both sides are shared, it makes a
//! difference how much is read before the first write: one piece, or all of it. Where pieces are bytes,
//! compilers move two of them the other way round than the rest, so any two that follow each other may change
//! places. Other orders that go back and forth are not tried.

use kripke_elts::{Expr, Program, StatementKind, Type, VariableId};

use crate::effects::constant;
use crate::pieces::{self, Part};
use crate::terms::{and, assign, choose, int, not, select};
use crate::writer::Writer;

/// A piece: where it begins, and where it ends.
type Step = (u64, u64);

/// A step as it is made.
struct Made {
    /// How far from the beginning of the whole.
    place: Expr,
    bytes: u64,
    /// Of the two bytes beside it, one is done and the other is not, also where two steps change places.
    boundary: u64,
}

impl Made {
    /// The piece of what a pointer points to.
    fn of(&self, pointer: &Expr) -> Expr {
        match constant(&self.place) {
            Some(0) => pointer.clone(),
            _ => Expr::PointerAdd(Box::new(pointer.clone()), Box::new(self.place.clone())),
        }
    }
}

/// One of the orders in which the pieces are taken.
#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

impl Direction {
    const ALL: [Direction; 2] = [Direction::Up, Direction::Down];

    /// The steps in this order, and what is chosen of it before.
    fn steps(
        self,
        program: &Program,
        steps: &[Step],
        variable: &mut impl FnMut(Type) -> VariableId,
    ) -> (Vec<Part>, Vec<Made>) {
        let mut steps = steps.to_vec();
        if matches!(self, Direction::Down) {
            steps.reverse();
        }
        let width = program.data_model.pointer_width;
        let place = |step: &Step| int(width, u128::from(step.0));
        let can_swap = pieces::word(program) == 1;
        let (mut chosen, mut made) = (Vec::new(), Vec::new());
        let mut swapped_before: Option<Expr> = None;
        for (index, step) in steps.iter().enumerate() {
            let mut own = place(step);
            if let Some(swapped) = &swapped_before {
                own = select(swapped.clone(), place(&steps[index - 1]), own);
            }
            let next = steps.get(index + 1).filter(|_| can_swap);
            let swapped = next.map(|next| {
                let (any, swapped) = (variable(Type::BOOL), variable(Type::BOOL));
                let is_free = swapped_before.take().map(not);
                let value = is_free.into_iter().fold(Expr::Variable(any), and);
                chosen.extend([Part::Do(choose(any)), Part::Do(assign(swapped, value))]);
                own = select(Expr::Variable(swapped), place(next), own.clone());
                Expr::Variable(swapped)
            });
            swapped_before = swapped;
            made.push(Made {
                place: own,
                bytes: step.1 - step.0,
                boundary: self.boundary(*step),
            });
        }
        (chosen, made)
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
pub fn fill(
    program: &Program,
    kind: &StatementKind,
    variable: &mut impl FnMut(Type) -> VariableId,
) -> Vec<Vec<Part>> {
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
        let (mut parts, made) = direction.steps(program, &steps, variable);
        parts.push(progress(start, start));
        for step in made {
            parts.push(Part::Do(StatementKind::SetMemory {
                target: step.of(target),
                value: value.clone(),
                length: int(width, u128::from(step.bytes)),
                checks: *checks,
            }));
            parts.extend([progress(step.boundary, step.boundary), Part::Gap]);
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
        let program = self.rewriter.original;
        let Some(steps) = steps(program, &[target, source], length) else {
            return too_long("a copy");
        };
        let reach = self
            .level()
            .and_then(|level| self.rewriter.reaches[level].as_ref());
        let both = reach.is_some_and(|reach| reach.depends_on_both(&self.rewriter.effects, self.id, kind));
        let directions = directions(&steps);
        if !both && !overlap {
            let ways = directions.iter().map(|direction| {
                self.through(
                    kind,
                    direction.start(&steps),
                    direction.steps(program, &steps, variable),
                )
            });
            return ways.collect();
        }
        let mut ways = Vec::new();
        for direction in directions.iter().filter(|_| !overlap) {
            let held = variable(Type::Pointer);
            let made = direction.steps(program, &steps, variable);
            ways.push(self.piece_by_piece((kind, held), direction.start(&steps), made));
        }
        for read in directions {
            for write in directions {
                let held = variable(Type::Pointer);
                let made = [read, write].map(|direction| direction.steps(program, &steps, variable));
                ways.push(self.all_at_last((kind, held), &steps, (*read, *write), made));
            }
        }
        ways
    }

    /// A piece of a copy, between other places.
    fn part(&self, kind: &StatementKind, (to, from): (Option<&Expr>, Option<&Expr>), step: &Made) -> Part {
        let width = self.rewriter.original.data_model.pointer_width;
        let mut kind = kind.clone();
        if let StatementKind::CopyMemory {
            target,
            source,
            length,
            ..
        } = &mut kind
        {
            *target = step.of(to.unwrap_or(target));
            *source = step.of(from.unwrap_or(source));
            *length = int(width, u128::from(step.bytes));
        }
        Part::Do(kind)
    }

    /// A copy of which one side only is shared.
    fn through(
        &self,
        kind: &StatementKind,
        start: u64,
        (mut parts, made): (Vec<Part>, Vec<Made>),
    ) -> Vec<Part> {
        parts.push(progress(start, start));
        for step in &made {
            parts.extend([
                self.part(kind, (None, None), step),
                progress(step.boundary, step.boundary),
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
        mut written: u64,
        (mut parts, made): (Vec<Part>, Vec<Made>),
    ) -> Vec<Part> {
        let (begin, held, end) = self.held(kind, held);
        parts.extend([begin, progress(written, written)]);
        for step in &made {
            let read = step.boundary;
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
        [(mut parts, reads), (chosen, writes)]: [(Vec<Part>, Vec<Made>); 2],
    ) -> Vec<Part> {
        let (begin, held, end) = self.held(kind, held);
        let unwritten = write.start(steps);
        parts.extend(chosen);
        parts.extend([begin, progress(read.start(steps), unwritten)]);
        for step in &reads {
            parts.extend([
                self.part(kind, (Some(&held), None), step),
                progress(step.boundary, unwritten),
                Part::Gap,
            ]);
        }
        for step in &writes {
            parts.extend([
                self.part(kind, (None, Some(&held)), step),
                progress(read.end(steps), step.boundary),
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
