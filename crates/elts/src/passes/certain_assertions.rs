//! Assertions about a function's own integers that cannot fail.
//!
//! Idea: integer variables have intervals, which grow along the paths of a function and shrink at its guards;
//! an assertion that holds of all values within them is dropped. Guards and assertions read temporaries, so
//! what these were computed from is known, too, until it changes. It is for threads, which stop before what
//! may end the run where they have written what others can tell: that a counter of a loop overflows is such
//! an end, and almost never one. It needs no other pass before it, and properties may be selected after it:
//! only checks that end a path whether or not somebody asks for them tell something.
//!
//! Invariant: wherever a run comes to a location, the values of its variables are within their intervals
//! there, and equal to what they were computed from.
//!
//! Source: P. Cousot, R. Cousot, Abstract interpretation (POPL 1977), intervals; they widen to those of their
//! types at once.

use std::collections::BTreeMap;

use crate::ids::{Id, IdVec, LocationId, VariableId};
use crate::passes::liveness::{LiveSet, live_variables};
use crate::passes::selection::ends_path;
use crate::program::{
    BinaryOp as Op, CastOp, Expr, Function, Program, Statement, StatementKind, Type, UnaryOp,
};

/// Signed numbers from one to another.
type Interval = (i128, i128);

/// How often a location is come to before what still grows there grows to the end of its type.
const VISITS: u32 = 3;
/// The widest numbers.
const WIDEST: u32 = 64;

/// What is known of the variables of a function.
#[derive(Clone, Default, PartialEq, Eq)]
struct Known {
    intervals: BTreeMap<VariableId, Interval>,
    /// What a variable is equal to: a variable, a comparison, or the negation of a truth.
    computed: BTreeMap<VariableId, Expr>,
}

/// Drops the assertions of all functions that cannot fail; true if there are any.
pub fn run(program: &mut Program) -> bool {
    let ends: Vec<bool> = { program.properties.iter() }
        .map(|property| ends_path(property.kind))
        .collect();
    let mut changed = false;
    for function in program.functions.iter_mut() {
        let certain = certain(function, &ends);
        changed |= !certain.is_empty();
        for (location, number, index) in certain.into_iter().rev() {
            let transition = &mut function.locations[location].transitions[number];
            transition.statements.remove(index);
        }
    }
    changed
}

/// The assertions of a function that cannot fail: their locations, transitions and places in these.
fn certain(function: &Function, ends: &[bool]) -> Vec<(LocationId, usize, usize)> {
    let states = intervals(function, ends);
    let mut found = Vec::new();
    for (location, code) in function.locations.enumerate() {
        for (number, transition) in code.transitions.iter().enumerate() {
            let Some(mut known) = states[location].clone() else {
                continue;
            };
            if !known.assume(function, &transition.guard, true) {
                continue;
            }
            for (index, statement) in transition.statements.iter().enumerate() {
                if let StatementKind::Assert { condition, .. } = &statement.kind
                    && known.truth(function, condition) == Some(true)
                {
                    found.push((location, number, index));
                }
                known.execute(function, statement, ends);
            }
        }
    }
    found
}

/// What is known where runs come to each location; nothing where none comes.
fn intervals(function: &Function, ends: &[bool]) -> IdVec<LocationId, Option<Known>> {
    let mut states: IdVec<LocationId, Option<Known>> = vec![None; function.locations.len()].into();
    let mut visits = vec![0; function.locations.len()];
    if function.locations.is_empty() {
        return states;
    }
    let live = live_variables(function);
    states[function.entry] = Some(Known::default());
    let mut open = vec![function.entry];
    while let Some(location) = open.pop() {
        for transition in &function.locations[location].transitions {
            let Some(mut known) = states[location].clone() else {
                continue;
            };
            if !known.assume(function, &transition.guard, true) {
                continue;
            }
            for statement in &transition.statements {
                known.execute(function, statement, ends);
            }
            let target = transition.target;
            known.keep(&live[target]);
            let joined = match &states[target] {
                None => known,
                Some(before) => before.join(&known, function, visits[target.index()] >= VISITS),
            };
            if states[target].as_ref() != Some(&joined) {
                states[target] = Some(joined);
                visits[target.index()] += 1;
                open.push(target);
            }
        }
    }
    states
}

impl Known {
    /// What is known of both; what grows does so to the end of its type, where it has grown often.
    fn join(&self, other: &Known, function: &Function, widens: bool) -> Known {
        let mut joined = Known::default();
        for (variable, (low, high)) in &self.intervals {
            let Some((its_low, its_high)) = other.intervals.get(variable) else {
                continue;
            };
            let (mut new_low, mut new_high) = (*low.min(its_low), *high.max(its_high));
            if widens && let Some((least, most)) = width_of(function, *variable).map(of_width) {
                new_low = if new_low < *low { least } else { new_low };
                new_high = if new_high > *high { most } else { new_high };
            }
            joined.intervals.insert(*variable, (new_low, new_high));
        }
        let computed = self.computed.iter();
        let both = computed.filter(|(variable, value)| other.computed.get(variable) == Some(value));
        joined.computed = both.map(|(variable, value)| (*variable, value.clone())).collect();
        joined
    }

    fn keep(&mut self, live: &LiveSet) {
        let is_live = |variable: VariableId| live.contains(variable);
        self.intervals.retain(|variable, _| is_live(*variable));
        self.computed.retain(|variable, _| is_live(*variable));
    }

    fn execute(&mut self, function: &Function, statement: &Statement, ends: &[bool]) {
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                let interval = width_of(function, *target).and_then(|_| self.interval(function, value));
                self.forget(*target);
                if let Some(interval) = interval {
                    self.intervals.insert(*target, interval);
                }
                let value = self.of_originals(value);
                if is_kept(&value) && !reads(&value, *target) {
                    self.computed.insert(*target, value);
                }
            }
            StatementKind::Assume { condition } => {
                self.assume(function, condition, true);
            }
            StatementKind::Assert { condition, property } => {
                if ends[property.index()] {
                    self.assume(function, condition, true);
                }
            }
            kind => kind.targets().iter().for_each(|target| self.forget(*target)),
        }
    }

    /// The value in terms of what its operands are copies of.
    fn of_originals(&self, value: &Expr) -> Expr {
        let original = |expr: &Expr| match expr {
            Expr::Variable(variable) => match self.computed.get(variable) {
                Some(copied @ Expr::Variable(_)) => copied.clone(),
                _ => expr.clone(),
            },
            _ => expr.clone(),
        };
        match value {
            Expr::Binary(op, a, b) => Expr::Binary(*op, Box::new(original(a)), Box::new(original(b))),
            _ => original(value),
        }
    }

    /// A variable has another value now.
    fn forget(&mut self, variable: VariableId) {
        self.intervals.remove(&variable);
        self.computed.remove(&variable);
        self.computed.retain(|_, value| !reads(value, variable));
    }

    /// The interval of an integer.
    fn interval(&self, function: &Function, expr: &Expr) -> Option<Interval> {
        let width = width(function, expr)?;
        let full = of_width(width);
        let fits = |(low, high): Interval| full.0 <= low && high <= full.1;
        let of = |expr: &Expr| self.interval(function, expr);
        let found = match expr {
            Expr::Int(bits) => bits.to_i128().map(|value| (value, value)),
            Expr::Variable(variable) => self.interval_of(*variable),
            Expr::Binary(Op::Add, a, b) => of(a).zip(of(b)).map(|(a, b)| (a.0 + b.0, a.1 + b.1)),
            Expr::Binary(Op::Sub, a, b) => of(a).zip(of(b)).map(|(a, b)| (a.0 - b.1, a.1 - b.0)),
            Expr::Cast(CastOp::SExt, inner, _) => of(inner),
            Expr::Cast(CastOp::ZExt, inner, _) => of(inner).filter(|(low, _)| *low >= 0),
            _ => None,
        };
        Some(found.filter(|found| fits(*found)).unwrap_or(full))
    }

    /// That of a variable, which may be a copy.
    fn interval_of(&self, variable: VariableId) -> Option<Interval> {
        let own = self.intervals.get(&variable).copied();
        let original = match self.computed.get(&variable) {
            Some(Expr::Variable(original)) => self.intervals.get(original).copied(),
            _ => None,
        };
        match (own, original) {
            (Some((low, high)), Some((its_low, its_high))) => Some((low.max(its_low), high.min(its_high))),
            (own, original) => own.or(original),
        }
    }

    /// Whether a condition holds, where that is known.
    fn truth(&self, function: &Function, condition: &Expr) -> Option<bool> {
        let of = |expr: &Expr| self.interval(function, expr);
        match condition {
            Expr::Int(bits) if bits.width() == 1 => Some(!bits.is_zero()),
            Expr::Variable(variable) => self.truth(function, self.computed.get(variable)?),
            Expr::Unary(UnaryOp::Not, inner) => self.truth(function, inner).map(|truth| !truth),
            Expr::Binary(op, a, b) => {
                let ((low, high), (its_low, its_high)) = (of(a)?, of(b)?);
                let width = width(function, a)?;
                let most = (1i128 << (width - 1)) - 1;
                let fits = |low: i128, high: i128| (-most - 1 <= low && high <= most).then_some(false);
                let unsigned = low >= 0 && its_low >= 0;
                match op {
                    Op::SAddOverflow => fits(low + its_low, high + its_high),
                    Op::SSubOverflow => fits(low - its_high, high - its_low),
                    Op::SLt | Op::ULt if *op == Op::SLt || unsigned => {
                        decided(high < its_low, low >= its_high)
                    }
                    Op::SLe | Op::ULe if *op == Op::SLe || unsigned => {
                        decided(high <= its_low, low > its_high)
                    }
                    Op::Ne => decided(high < its_low || its_high < low, false),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Learns from a condition; false where nothing is possible any more.
    fn assume(&mut self, function: &Function, condition: &Expr, holds: bool) -> bool {
        match condition {
            Expr::Variable(variable) => match self.computed.get(variable).cloned() {
                Some(value) if width(function, condition) == Some(1) => self.assume(function, &value, holds),
                _ => true,
            },
            Expr::Unary(UnaryOp::Not, inner) if width(function, inner) == Some(1) => {
                self.assume(function, inner, !holds)
            }
            Expr::Binary(Op::And, a, b) if holds && width(function, a) == Some(1) => {
                self.assume(function, a, true) && self.assume(function, b, true)
            }
            Expr::Binary(Op::Or, a, b) if !holds && width(function, a) == Some(1) => {
                self.assume(function, a, false) && self.assume(function, b, false)
            }
            Expr::Binary(op @ (Op::SLt | Op::SLe | Op::ULt | Op::ULe), a, b) => {
                let is_strict = matches!(op, Op::SLt | Op::ULt);
                let is_signed = matches!(op, Op::SLt | Op::SLe);
                match holds {
                    true => self.order(function, (a, b), is_strict, is_signed),
                    false => self.order(function, (b, a), !is_strict, is_signed),
                }
            }
            _ => true,
        }
    }

    /// Learns that a number is less than another one, or not larger.
    fn order(
        &mut self,
        function: &Function,
        (a, b): (&Expr, &Expr),
        is_strict: bool,
        is_signed: bool,
    ) -> bool {
        let (Some(of_a), Some(of_b)) = (self.interval(function, a), self.interval(function, b)) else {
            return true;
        };
        if !is_signed && of_b.0 < 0 {
            return true;
        }
        let less = i128::from(is_strict);
        let low = if is_signed { of_a.0 } else { of_a.0.max(0) };
        // Unsigned, a negative number is a large one, and none of these.
        let new_a = (low, of_a.1.min(of_b.1 - less));
        let new_b = (of_b.0.max(low + less), of_b.1);
        self.narrow(function, a, new_a) && self.narrow(function, b, new_b)
    }

    /// Learns the interval of a number, and of the variables that it is a copy of; false where that is none.
    fn narrow(&mut self, function: &Function, expr: &Expr, (low, high): Interval) -> bool {
        let mut is_possible = low <= high;
        let mut number = Some(expr);
        while let Some(Expr::Variable(variable)) = number {
            if let Some(width) = width_of(function, *variable) {
                let own = self.intervals.entry(*variable).or_insert(of_width(width));
                *own = (own.0.max(low), own.1.min(high));
                is_possible &= own.0 <= own.1;
            }
            number = self.computed.get(variable);
        }
        is_possible
    }
}

/// Is it a value that conditions are made of?
fn is_kept(value: &Expr) -> bool {
    match value {
        Expr::Variable(_) => true,
        Expr::Unary(UnaryOp::Not, inner) => matches!(**inner, Expr::Variable(_)),
        Expr::Binary(op, a, b) => {
            let is_leaf = |expr: &Expr| matches!(expr, Expr::Variable(_) | Expr::Int(_));
            let is_condition = matches!(
                op,
                Op::SLt
                    | Op::SLe
                    | Op::ULt
                    | Op::ULe
                    | Op::Ne
                    | Op::And
                    | Op::Or
                    | Op::SAddOverflow
                    | Op::SSubOverflow
            );
            is_condition && is_leaf(a) && is_leaf(b)
        }
        _ => false,
    }
}

fn reads(value: &Expr, variable: VariableId) -> bool {
    let mut found = false;
    value.walk(&mut |expr| found |= *expr == Expr::Variable(variable));
    found
}

fn of_width(width: u32) -> Interval {
    (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
}

fn decided(is_true: bool, is_false: bool) -> Option<bool> {
    match (is_true, is_false) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// The width of an integer that is followed.
fn width(function: &Function, expr: &Expr) -> Option<u32> {
    match expr {
        Expr::Int(bits) => Some(bits.width()),
        Expr::Variable(variable) => match function.variables[*variable].ty {
            Type::Int(width) => Some(width),
            _ => None,
        },
        Expr::Binary(Op::Eq | Op::Ne | Op::ULt | Op::ULe | Op::SLt | Op::SLe, ..) => Some(1),
        Expr::Binary(Op::SAddOverflow | Op::UAddOverflow | Op::SSubOverflow | Op::USubOverflow, ..) => {
            Some(1)
        }
        Expr::Binary(Op::SMulOverflow | Op::UMulOverflow, ..) => Some(1),
        Expr::Binary(Op::Add | Op::Sub | Op::And | Op::Or | Op::Xor, a, _) => width(function, a),
        Expr::Unary(UnaryOp::Not, inner) => width(function, inner),
        Expr::Cast(_, _, Type::Int(width)) => Some(*width),
        _ => None,
    }
    .filter(|width| *width <= WIDEST)
}

fn width_of(function: &Function, variable: VariableId) -> Option<u32> {
    width(function, &Expr::Variable(variable)).filter(|width| *width > 1)
}
