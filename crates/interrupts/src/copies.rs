//! Copies and fills of memory that others may come into.
//!
//! Idea: C does not say in which order the bytes of a structure are copied, nor does the library of `memcpy`,
//! and compilers make use of it: avr-gcc reads two bytes upwards and writes them downwards. So there is a
//! list of steps for each order that is tried, and an arbitrary choice takes one: upwards and downwards, in
//! pieces of the alignment that is known, else byte by byte. Where both sides are shared, it makes a
//! difference how much is read before the first write: one piece, or all of it. Where pieces are bytes,
//! compilers move two of them the other way round than the rest, so any two that follow each other may change
//! places. Other orders that go back and forth are not tried.
//!
//! Handlers come only behind pieces of which they can tell when they are made: behind another they do what
//! they do before it. So the cost is that of the bytes that are shared, and not of the whole.

use kripke_elts::{Expr, Program, StatementKind, Type, VariableId};

use crate::effects::constant;
use crate::pieces::{self, Part};
use crate::terms::{and, assign, choose, int, not, select};
use crate::writer::Writer;

/// A piece.
#[derive(Clone, Copy)]
struct Step {
    start: u64,
    end: u64,
    told: Told,
}

/// Can handlers tell when a piece is read, and when it is written?
#[derive(Clone, Copy)]
struct Told {
    read: bool,
    written: bool,
}

impl Told {
    fn any(self) -> bool {
        self.read || self.written
    }

    fn or(self, other: Told) -> Told {
        Told {
            read: self.read || other.read,
            written: self.written || other.written,
        }
    }
}

/// A step as it is made.
struct Made {
    /// How far from the beginning of the whole.
    place: Expr,
    bytes: u64,
    /// Of the two bytes beside it, one is done and the other is not, also where two steps change places.
    boundary: u64,
    told: Told,
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
        let place = |step: &Step| int(width, u128::from(step.start));
        let can_swap = pieces::word(program) == 1;
        let (mut chosen, mut made) = (Vec::new(), Vec::new());
        let mut swapped_before: Option<Expr> = None;
        for (index, step) in steps.iter().enumerate() {
            let (mut own, mut told) = (place(step), step.told);
            if let Some(swapped) = &swapped_before {
                own = select(swapped.clone(), place(&steps[index - 1]), own);
                told = told.or(steps[index - 1].told);
            }
            let next = steps.get(index + 1);
            let next = next.filter(|next| can_swap && step.told.any() && next.told.any());
            let swapped = next.map(|next| {
                let (any, swapped) = (variable(Type::BOOL), variable(Type::BOOL));
                let is_free = swapped_before.take().map(not);
                let value = is_free.into_iter().fold(Expr::Variable(any), and);
                chosen.extend([Part::Do(choose(any)), Part::Do(assign(swapped, value))]);
                own = select(Expr::Variable(swapped), place(next), own.clone());
                told = told.or(next.told);
                Expr::Variable(swapped)
            });
            swapped_before = swapped;
            made.push(Made {
                place: own,
                bytes: step.end - step.start,
                boundary: self.boundary(*step),
                told,
            });
        }
        (chosen, made)
    }

    /// Up to where everything is done on one side of it when this step was the last.
    fn boundary(self, step: Step) -> u64 {
        match self {
            Direction::Up => step.end,
            Direction::Down => step.start,
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
    steps.last().map_or(0, |step| step.end)
}

/// The directions that differ: nobody can tell when the other steps are made.
fn directions(steps: &[Step]) -> &'static [Direction] {
    let told = steps.iter().filter(|step| step.told.any()).count();
    &Direction::ALL[..told.clamp(1, 2)]
}

/// Where handlers may come behind a step: if they cannot tell when it is made, they come before it as well.
fn gap(is_told: bool) -> Option<Part> {
    is_told.then_some(Part::Gap)
}

/// The last gap is that behind the whole.
fn without_last_gap(mut parts: Vec<Part>) -> Vec<Part> {
    parts.pop_if(|part| matches!(part, Part::Gap));
    parts
}

fn progress(read: u64, written: u64) -> Part {
    Part::Progress { read, written }
}

fn too_long(what: &str) -> Vec<Vec<Part>> {
    let what = format!("{what} of many or unknown bytes that a handler may come into");
    vec![vec![Part::Do(StatementKind::Unsupported { what })]]
}

impl Writer<'_, '_> {
    /// The pieces of a copy or fill; `None`: that is not followed.
    fn steps(&self, kind: &StatementKind, pointers: &[&Expr], length: &Expr) -> Option<Vec<Step>> {
        let steps = pieces::steps(self.rewriter.original, pointers, length)?;
        let step = |(start, bytes): (u64, u64)| {
            let told = self.told_of_piece(&self.piece(kind, start, bytes));
            let end = start + bytes;
            Step { start, end, told }
        };
        Some(steps.into_iter().map(step).collect())
    }

    /// Other threads are asked at each piece.
    fn told_of_piece(&self, piece: &StatementKind) -> Told {
        let level = self.level().filter(|_| self.rewriter.gaps.is_none());
        let Some(reach) = level.and_then(|level| self.rewriter.reaches[level].as_ref()) else {
            return Told {
                read: true,
                written: true,
            };
        };
        let accesses = self.rewriter.effects.accesses_of(self.id, piece);
        let is_told = |writes: bool| {
            let mut own = accesses.iter().filter(|access| access.writes() == writes);
            own.any(|access| reach.meets(access))
        };
        Told {
            read: is_told(false),
            written: is_told(true),
        }
    }

    /// So many bytes of a copy or fill.
    fn piece(&self, kind: &StatementKind, start: u64, bytes: u64) -> StatementKind {
        let width = self.rewriter.original.data_model.pointer_width;
        let mut kind = kind.clone();
        match &mut kind {
            StatementKind::CopyMemory {
                target,
                source,
                length,
                ..
            } => {
                *target = pieces::moved(target, start, width);
                *source = pieces::moved(source, start, width);
                *length = int(width, u128::from(bytes));
            }
            StatementKind::SetMemory { target, length, .. } => {
                *target = pieces::moved(target, start, width);
                *length = int(width, u128::from(bytes));
            }
            _ => {}
        }
        kind
    }

    /// The ways in which a fill may be made.
    pub fn fill(
        &self,
        kind: &StatementKind,
        variable: &mut impl FnMut(Type) -> VariableId,
    ) -> Vec<Vec<Part>> {
        let program = self.rewriter.original;
        let StatementKind::SetMemory {
            target,
            value,
            length,
            checks,
        } = kind
        else {
            return Vec::new();
        };
        let Some(steps) = self.steps(kind, &[target], length) else {
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
                parts.push(progress(step.boundary, step.boundary));
                parts.extend(gap(step.told.any()));
            }
            without_last_gap(parts)
        };
        directions(&steps).iter().map(way).collect()
    }

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
        let Some(steps) = self.steps(kind, &[target, source], length) else {
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
            ]);
            parts.extend(gap(step.told.any()));
        }
        without_last_gap(parts)
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
            ]);
            parts.extend(gap(step.told.read));
            written = read;
            parts.extend([
                self.part(kind, (None, Some(&held)), step),
                progress(read, written),
            ]);
            parts.extend(gap(step.told.written));
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
            ]);
            parts.extend(gap(step.told.read));
        }
        for step in &writes {
            parts.extend([
                self.part(kind, (None, Some(&held)), step),
                progress(read.end(steps), step.boundary),
            ]);
            parts.extend(gap(step.told.written));
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
