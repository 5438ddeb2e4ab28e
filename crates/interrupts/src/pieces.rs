//! Accesses that the machine makes in pieces.
//!
//! Idea: what is wider than a word of the machine, or less aligned than it is wide, is read and written in
//! several steps, and a handler may come between any two. C does not say in which order; both are tried, from
//! the lowest address up and from the highest down, as an arbitrary choice has it. A read in pieces reads the
//! whole at each step and takes one piece of it; a write reads the whole, replaces one piece and writes it
//! back, both at once. So no address is computed, and bounds and alignment are checked as those of the whole.
//!
//! Copies and fills of memory (`copies.rs`) go in pieces of the alignment that is known, else in bytes.
//!
//! Source: C11 5.1.2.3 paragraph 5: only `volatile sig_atomic_t` and lock-free atomics have a value when a
//! handler comes.

use kripke_elts::{
    AccessChecks, BinaryOp, CType, CTypeId, CastOp, Expr, FunctionId, GlobalId, Program, StatementKind, Type,
    VariableId,
};

use crate::effects::{constant, exact};
use crate::terms::{assign, binary, choose, int, select};

/// Into how many steps a copy or fill is taken apart at the most.
const MOST_STEPS: u64 = 256;

/// What becomes of an access.
pub enum Part {
    /// A statement.
    Do(StatementKind),
    /// So many bytes of a copy were read and written by now.
    Progress { read: u64, written: u64 },
    /// What is told of where others come next.
    Tell(Vec<Expr>),
    /// Handlers may come.
    Gap,
}

/// The bytes of a word of the machine.
pub fn word(program: &Program) -> u64 {
    let model = &program.data_model;
    match model.triple.split('-').next().unwrap_or_default() {
        "avr" => 1,
        _ => u64::from(model.pointer_width / 8).max(1),
    }
}

/// An access of several pieces.
#[derive(Clone, Copy)]
pub struct Pieces {
    ty: Type,
    /// The bits of all of it, and of a piece.
    width: u32,
    piece: u32,
    pointer_width: u32,
}

impl Pieces {
    /// How the machine takes an access apart, if it does.
    pub fn of(program: &Program, ty: Type, align: u32) -> Option<Pieces> {
        let bytes = ty.bytes(&program.data_model);
        let step = word(program).min(u64::from(align.max(1)));
        let width = ty.bits(&program.data_model);
        let piece = match u64::from(width).is_multiple_of(8 * step) {
            true => u32::try_from(8 * step).ok()?,
            false => 8,
        };
        let is_wider = bytes > step && width > piece && width.is_multiple_of(piece);
        is_wider.then_some(Pieces {
            ty,
            width,
            piece,
            pointer_width: program.data_model.pointer_width,
        })
    }

    pub fn count(self) -> u32 {
        self.width / self.piece
    }

    fn bits(self, value: Expr) -> Expr {
        let cast = |op, value| Expr::Cast(op, Box::new(value), Type::Int(self.width));
        match self.ty {
            Type::Int(_) => value,
            Type::Float(_) => cast(CastOp::FloatToBits, value),
            Type::Pointer => cast(CastOp::PointerToInt, value),
        }
    }

    /// The value with the bits; of pointers one of those given, where its bits are these.
    fn value(self, bits: Expr, pointer: VariableId) -> Expr {
        match self.ty {
            Type::Int(_) => bits,
            Type::Float(_) => Expr::Cast(CastOp::BitsToFloat, Box::new(bits), self.ty),
            Type::Pointer => {
                debug_assert_eq!(self.width, self.pointer_width);
                let known = Expr::Variable(pointer);
                let same = binary(BinaryOp::Eq, bits.clone(), self.bits(known.clone()));
                let other = Expr::Cast(CastOp::IntToPointer, Box::new(bits), self.ty);
                select(same, known, other)
            }
        }
    }

    /// Its pieces from the lowest bits up, put together.
    fn join(self, piece: impl Fn(u32) -> Expr) -> Expr {
        let part = |index: u32| Expr::Extract {
            high: (index + 1) * self.piece - 1,
            low: index * self.piece,
            value: Box::new(piece(index)),
        };
        let first = part(0);
        (1..self.count()).fold(first, |low, index| {
            Expr::Concat(Box::new(part(index)), Box::new(low))
        })
    }
}

/// A load in pieces. `variable` makes variables.
pub fn load(
    pieces: Pieces,
    whole: &StatementKind,
    variable: &mut impl FnMut(Type) -> VariableId,
) -> Vec<Part> {
    let StatementKind::Load { target, .. } = whole else {
        return Vec::new();
    };
    let mut parts = Vec::new();
    let mut values = Vec::new();
    let mut read = Vec::new();
    for index in 0..pieces.count() {
        if index > 0 {
            parts.push(Part::Gap);
        }
        let value = variable(pieces.ty);
        let mut read_all = whole.clone();
        if let StatementKind::Load { target, .. } = &mut read_all {
            *target = value;
        }
        parts.push(Part::Do(read_all));
        let bits = variable(Type::Int(pieces.width));
        parts.push(Part::Do(assign(bits, pieces.bits(Expr::Variable(value)))));
        values.push(value);
        read.push(bits);
    }
    let upwards = variable(Type::BOOL);
    parts.push(Part::Do(choose(upwards)));
    let last = read.len() - 1;
    let up = pieces.join(|index| Expr::Variable(read[index as usize]));
    let down = pieces.join(|index| Expr::Variable(read[last - index as usize]));
    let bits = variable(Type::Int(pieces.width));
    parts.push(Part::Do(assign(bits, select(Expr::Variable(upwards), up, down))));
    let value = pieces.value(Expr::Variable(bits), values[0]);
    parts.push(Part::Do(assign(*target, value)));
    parts
}

/// A store in pieces.
pub fn store(
    pieces: Pieces,
    (address, value, align, checks): (&Expr, &Expr, u32, AccessChecks),
    variable: &mut impl FnMut(Type) -> VariableId,
) -> Vec<Part> {
    let whole = Type::Int(pieces.width);
    let (given, new, upwards) = (variable(pieces.ty), variable(whole), variable(Type::BOOL));
    let mut parts = vec![
        Part::Do(assign(given, value.clone())),
        Part::Do(assign(new, pieces.bits(Expr::Variable(given)))),
        Part::Do(choose(upwards)),
    ];
    let count = pieces.count();
    for step in 0..count {
        if step > 0 {
            parts.push(Part::Gap);
        }
        let old = variable(whole);
        parts.push(Part::Do(StatementKind::Load {
            target: old,
            address: address.clone(),
            align,
            volatile: false,
            checks: AccessChecks {
                uninitialised: None,
                ..checks
            },
        }));
        let replaced =
            |which: u32| pieces.join(|index| Expr::Variable(if index == which { new } else { old }));
        let bits = variable(whole);
        let mixed = select(
            Expr::Variable(upwards),
            replaced(step),
            replaced(count - 1 - step),
        );
        parts.push(Part::Do(assign(bits, mixed)));
        let is_last = step + 1 == count;
        let (value, ty) = match is_last {
            true => (pieces.value(Expr::Variable(bits), given), pieces.ty),
            false => (Expr::Variable(bits), whole),
        };
        parts.push(Part::Do(StatementKind::Store {
            address: address.clone(),
            value,
            ty,
            align,
            volatile: false,
            checks,
        }));
    }
    parts
}

/// The steps of a copy or fill of so many bytes: where each begins, and how long it is. `None`: too many.
pub fn steps(program: &Program, pointers: &[&Expr], length: &Expr) -> Option<Vec<(u64, u64)>> {
    let length = constant(length)?;
    let step = step(program, pointers, |pointer| place_in_global(program, pointer));
    if length.div_ceil(step) > MOST_STEPS {
        return None;
    }
    let starts = (0..length).step_by(usize::try_from(step).ok()?);
    Some(starts.map(|start| (start, step.min(length - start))).collect())
}

/// The bytes of a step where it is known how some of the pointers are aligned, and how far behind that they
/// are.
fn step(program: &Program, pointers: &[&Expr], place: impl Fn(&Expr) -> Option<(u64, u64)>) -> u64 {
    let mut step = word(program);
    for pointer in pointers {
        let (align, offset) = place(pointer).unwrap_or((1, 0));
        step = step.min(align);
        while step > 1 && !offset.is_multiple_of(step) {
            step /= 2;
        }
    }
    step
}

fn place_in_global(program: &Program, pointer: &Expr) -> Option<(u64, u64)> {
    exact(pointer).map(|(global, offset)| (alignment(program, global), offset))
}

/// The bytes that a machine copies at once for sure, where both sides are objects with names.
pub fn whole_step(program: &Program, function: FunctionId, pointers: &[&Expr]) -> u64 {
    let of_frame = |pointer: &Expr| {
        let Expr::Variable(pointer) = pointer else {
            return None;
        };
        let statements = program.functions[function].statements();
        let mut assigns = statements.filter(|statement| statement.kind.targets().contains(pointer));
        let StatementKind::StackObject { site, .. } = &assigns.next()?.kind else {
            return None;
        };
        let site = &program.object_sites[*site];
        let of_parts = site.c_type.map_or(1, |ty| alignment_of_type(program, ty));
        let is_only = assigns.next().is_none();
        is_only.then(|| (u64::from(site.align).min(of_parts), 0))
    };
    step(program, pointers, |pointer| {
        place_in_global(program, pointer).or_else(|| of_frame(pointer))
    })
}

/// How the parts of a global are aligned at least. Arrays of bytes may begin where words do, and still are
/// copied byte by byte.
fn alignment(program: &Program, global: GlobalId) -> u64 {
    let global = &program.globals[global];
    let of_parts = global.c_type.map_or(1, |ty| alignment_of_type(program, ty));
    u64::from(global.align).min(of_parts)
}

fn alignment_of_type(program: &Program, ty: CTypeId) -> u64 {
    match program.c_types.content(ty) {
        Some(CType::Base { bits, .. } | CType::Enum { bits, .. }) => u64::from(bits / 8).max(1),
        Some(CType::Pointer { .. }) => u64::from(program.data_model.pointer_width / 8).max(1),
        Some(CType::Array { element, .. }) => alignment_of_type(program, *element),
        Some(CType::Record { members, .. }) => {
            let parts = members
                .iter()
                .map(|member| alignment_of_type(program, member.c_type));
            parts.max().unwrap_or(1)
        }
        _ => 1,
    }
}

/// A pointer so many bytes on.
pub fn moved(pointer: &Expr, by: u64, width: u32) -> Expr {
    match by {
        0 => pointer.clone(),
        _ => Expr::PointerAdd(Box::new(pointer.clone()), Box::new(int(width, u128::from(by)))),
    }
}
