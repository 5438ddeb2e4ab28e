//! Terms as functions of bits of their variables.
//!
//! Idea: a term of the bit-vector operators is a circuit over its operands. Any other term, and one whose
//! diagrams would be too large, is taken for an unknown of its own: then what is false stays false, and only
//! what may be true is no longer certain.
//!
//! Invariant: equal terms have equal functions; `exact` says that no unknown stands for a term below.

use kripke_value::BitVec;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::circuits::{Bits, moved_down, moved_up};
use super::effort::Failed;
use super::store::{Edge, Store};
use super::values::{Tree, Values};
use crate::op::{Op, Sort};
use crate::terms::{TermId, Terms};
use crate::value::{Value, apply};

/// How many steps the operation of one term may take.
const WORK_OF_A_TERM: u64 = 1 << 17;

/// Nodes after which no term gets a function any more.
pub(super) const MOST_NODES: usize = 1 << 24;

/// Wider variables are unknowns.
pub(super) const MAX_WIDTH: u32 = 128;

/// What a term is.
#[derive(Clone, Copy)]
enum Kind {
    Truth(Edge),
    Value(Tree),
}

#[derive(Clone, Copy)]
struct Function {
    kind: Kind,
    /// It is the term's value, whatever the variables are.
    exact: bool,
}

/// The functions of all terms met so far.
pub(super) struct Functions {
    pub store: Store,
    values: Values,
    known: FxHashMap<TermId, Function>,
    /// Which variable the bits of a level belong to, and which of its bits it is; `None` for unknowns.
    pub levels: Vec<Option<(TermId, u32)>>,
}

impl Functions {
    pub fn new() -> Self {
        Functions {
            store: Store::new(),
            values: Values::new(),
            known: FxHashMap::default(),
            levels: Vec::new(),
        }
    }

    /// How many nodes there are in all.
    pub fn len(&self) -> usize {
        self.store.len() + self.values.len()
    }

    /// Gives levels to the variables of terms, older ones first: inputs in the order in which they were read.
    /// Those that have none yet may have at most so many bits.
    pub fn arrange(&mut self, terms: &Terms, roots: &[TermId], most: usize) -> Result<(), Failed> {
        let mut seen = FxHashSet::default();
        let mut variables = Vec::new();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if self.known.contains_key(&term) || !seen.insert(term) {
                continue;
            }
            match (terms.op(term), width_of(terms, term)) {
                (Op::Variable(_), Some(width)) if width <= MAX_WIDTH => variables.push((term, width)),
                _ if is_circuit(terms, term) => open.extend(terms.children(term)),
                _ => {}
            }
        }
        self.store.effort.steps(seen.len())?;
        if variables.iter().map(|(_, width)| *width as usize).sum::<usize>() > most {
            return Err(Failed::Question);
        }
        variables.sort_unstable();
        for (variable, width) in variables {
            let kind = self.unknown(terms, variable, width, true);
            self.known.insert(variable, Function { kind, exact: true });
        }
        Ok(())
    }

    /// New levels for a term, the highest bit first.
    fn unknown(&mut self, terms: &Terms, term: TermId, width: u32, is_variable: bool) -> Kind {
        let mut bits = Bits::new();
        for place in (0..width).rev() {
            let level = self.levels.len() as u32;
            self.levels.push(is_variable.then_some((term, place)));
            bits.push(self.store.bit(level));
        }
        bits.reverse();
        match terms.sort(term) {
            Sort::Bool => Kind::Truth(bits[0]),
            _ => Kind::Value(self.values.leaf(bits)),
        }
    }

    /// The function of a truth value, and whether it is exact.
    pub fn truth(&mut self, terms: &Terms, root: TermId) -> Result<(Edge, bool), Failed> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.known.contains_key(&term) {
                open.pop();
                continue;
            }
            let operands: SmallVec<[TermId; 3]> = match is_circuit(terms, term) {
                true => terms.children(term).iter().copied().collect(),
                false => SmallVec::new(),
            };
            let before = open.len();
            open.extend(
                operands
                    .iter()
                    .filter(|operand| !self.known.contains_key(operand)),
            );
            if open.len() == before {
                if self.len() > MOST_NODES {
                    return Err(Failed::Question);
                }
                let function = self.function(terms, term, &operands)?;
                self.known.insert(term, function);
                open.pop();
            }
        }
        let function = self.known[&root];
        match function.kind {
            Kind::Truth(edge) => Ok((edge, function.exact)),
            Kind::Value(_) => Err(Failed::Term),
        }
    }

    /// The function of a term whose operands' functions are known.
    fn function(&mut self, terms: &Terms, term: TermId, operands: &[TermId]) -> Result<Function, Failed> {
        if let Some(value) = terms.as_bool(term) {
            let kind = Kind::Truth(Edge::constant(value));
            return Ok(Function { kind, exact: true });
        }
        if let Some(value) = terms.as_bv(term) {
            let kind = Kind::Value(self.values.leaf(bits_of(value)));
            return Ok(Function { kind, exact: true });
        }
        if is_circuit(terms, term) {
            let functions: SmallVec<[Function; 3]> =
                operands.iter().map(|operand| self.known[operand]).collect();
            let exact = functions.iter().all(|function| function.exact);
            self.store.effort.begin_term(WORK_OF_A_TERM);
            match self.operation(terms.op(term), &functions) {
                Ok(kind) => return Ok(Function { kind, exact }),
                Err(Failed::Question) => return Err(Failed::Question),
                Err(Failed::Term) => {}
            }
        }
        let width = width_of(terms, term).unwrap_or(1);
        let kind = self.unknown(terms, term, width, false);
        Ok(Function { kind, exact: false })
    }

    fn operation(&mut self, op: Op, operands: &[Function]) -> Result<Kind, Failed> {
        let (store, values) = (&mut self.store, &mut self.values);
        let kinds: SmallVec<[Kind; 3]> = operands.iter().map(|operand| operand.kind).collect();
        Ok(match kinds[..] {
            [Kind::Truth(condition), Kind::Value(then), Kind::Value(otherwise)] => {
                Kind::Value(values.choose(store, condition, then, otherwise)?)
            }
            [Kind::Truth(a)] if op == Op::Not => Kind::Truth(!a),
            [Kind::Truth(a), Kind::Truth(b)] => Kind::Truth(connective(store, op, a, b)?),
            [Kind::Truth(a), Kind::Truth(b), Kind::Truth(c)] => Kind::Truth(store.ite(a, b, c)?),
            [Kind::Value(a)] => {
                let operation = |store: &mut Store, a: &Bits, _: &Bits| circuit(store, op, a, None);
                Kind::Value(values.apply(store, &[a], &operation)?)
            }
            [Kind::Value(a), Kind::Value(b)] if compares(op) => {
                let comparison = |store: &mut Store, a: &Bits, b: &Bits| compared(store, op, a, b);
                Kind::Truth(values.test(store, (a, b), &comparison)?)
            }
            [Kind::Value(a), Kind::Value(b)] => {
                let operation = |store: &mut Store, a: &Bits, b: &Bits| circuit(store, op, a, Some(b));
                Kind::Value(values.apply(store, &[a, b], &operation)?)
            }
            _ => return Err(Failed::Term),
        })
    }
}

fn bits_of(value: &BitVec) -> Bits {
    (0..value.width())
        .map(|place| Edge::constant(value.bit(place)))
        .collect()
}

/// The number that bits are, where all are constants.
fn constant(bits: &Bits) -> Option<BitVec> {
    let all = bits.len() <= MAX_WIDTH as usize && bits.iter().all(|bit| bit.is_constant());
    let number = |number: u128, bit: &Edge| number << 1 | u128::from(*bit == Edge::TRUE);
    all.then(|| BitVec::new(bits.len() as u32, bits.iter().rev().fold(0, number)))
}

/// How many bits a term has, where it has any.
pub(super) fn width_of(terms: &Terms, term: TermId) -> Option<u32> {
    match terms.sort(term) {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(width),
        _ => None,
    }
}

/// Is the term an operation on bits, with operands of bits?
fn is_circuit(terms: &Terms, term: TermId) -> bool {
    let operands = terms.children(term);
    let of_bits = |term: TermId| width_of(terms, term).is_some();
    !operands.is_empty() && of_bits(term) && operands.iter().all(|&operand| of_bits(operand))
}

fn connective(store: &mut Store, op: Op, a: Edge, b: Edge) -> Result<Edge, Failed> {
    match op {
        Op::And => store.and(a, b),
        Op::Or => store.or(a, b),
        Op::Xor => store.xor(a, b),
        Op::Eq => Ok(!store.xor(a, b)?),
        _ => Err(Failed::Term),
    }
}

/// Is the result of an operation on two values a truth value?
fn compares(op: Op) -> bool {
    use Op::{BvSaddo, BvSle, BvSlt, BvSmulo, BvSsubo, BvUaddo, BvUle, BvUlt, BvUmulo, BvUsubo, Eq};
    matches!(op, Eq | BvUlt | BvUle | BvSlt | BvSle)
        || matches!(op, BvSaddo | BvUaddo | BvSsubo | BvUsubo | BvSmulo | BvUmulo)
}

fn compared(store: &mut Store, op: Op, a: &Bits, b: &Bits) -> Result<Edge, Failed> {
    let signs = (a[a.len() - 1], b[b.len() - 1]);
    Ok(match op {
        Op::Eq => store.equal(a, b)?,
        Op::BvUlt | Op::BvUsubo => store.less(a, b)?,
        Op::BvUle => !store.less(b, a)?,
        Op::BvSlt => store.signed_less(a, b)?,
        Op::BvSle => !store.signed_less(b, a)?,
        Op::BvUaddo => store.sum(a, b, Edge::FALSE)?.1,
        Op::BvSaddo => {
            let sum = store.sum(a, b, Edge::FALSE)?.0;
            store.signed_overflow(signs.0, signs.1, sum[sum.len() - 1])?
        }
        Op::BvSsubo => {
            let difference = store.difference(a, b)?.0;
            store.signed_overflow(signs.0, !signs.1, difference[difference.len() - 1])?
        }
        _ => match of_constants(op, &[a, b])? {
            Value::Bool(value) => Edge::constant(value),
            _ => return Err(Failed::Term),
        },
    })
}

/// What an operation makes of numbers.
fn of_constants(op: Op, operands: &[&Bits]) -> Result<Value, Failed> {
    let values: Option<Vec<Value>> = operands
        .iter()
        .map(|bits| constant(bits).map(Value::BitVec))
        .collect();
    Ok(apply(op, &values.ok_or(Failed::Term)?))
}

fn circuit(store: &mut Store, op: Op, a: &Bits, b: Option<&Bits>) -> Result<Bits, Failed> {
    let sign = a[a.len() - 1];
    let Some(b) = b else {
        return Ok(match op {
            Op::BvNot => a.iter().map(|&bit| !bit).collect(),
            Op::BvNeg => {
                let zero: Bits = a.iter().map(|_| Edge::FALSE).collect();
                store.difference(&zero, a)?.0
            }
            Op::BvExtract { high, low } => a[low as usize..=high as usize].into(),
            Op::BvZeroExtend(width) => extended(a, width, Edge::FALSE),
            Op::BvSignExtend(width) => extended(a, width, sign),
            _ => return Err(Failed::Term),
        });
    };
    Ok(match op {
        Op::BvAnd => store.zip(a, b, Store::and)?,
        Op::BvOr => store.zip(a, b, Store::or)?,
        Op::BvXor => store.zip(a, b, Store::xor)?,
        Op::BvAdd => store.sum(a, b, Edge::FALSE)?.0,
        Op::BvSub => store.difference(a, b)?.0,
        Op::BvMul if b.iter().all(|bit| bit.is_constant()) => store.product(a, b)?,
        Op::BvMul if a.iter().all(|bit| bit.is_constant()) => store.product(b, a)?,
        Op::BvShl => store.shift(a, b, Edge::FALSE, moved_up)?,
        Op::BvLshr => store.shift(a, b, Edge::FALSE, moved_down)?,
        Op::BvAshr => store.shift(a, b, sign, moved_down)?,
        // The first operand has the higher bits.
        Op::BvConcat => b.iter().chain(a).copied().collect(),
        _ => match of_constants(op, &[a, b])? {
            Value::BitVec(value) => bits_of(&value),
            _ => return Err(Failed::Term),
        },
    })
}

fn extended(bits: &Bits, width: u32, by: Edge) -> Bits {
    let mut extended = bits.clone();
    extended.resize(width as usize, by);
    extended
}
