//! Compiles terms to a tape, operands first.

use kripke_value::{FloatFormat, RoundingMode};
use rustc_hash::FxHashMap;

use super::super::interval::{Interval, Precision, Truth};
use super::{CompareOp, FloatOp, Input, InputKind, Instruction, Slot, Tape};
use crate::op::{Op, Sort};
use crate::range::Wide;
use crate::terms::{TermId, Terms};

fn precision_of(sort: Sort) -> Option<Precision> {
    match sort {
        Sort::Float(FloatFormat::Binary32) => Some(Precision::Single),
        Sort::Float(FloatFormat::Binary64) => Some(Precision::Double),
        _ => None,
    }
}

/// A tape in the making.
struct Compiler<'a> {
    terms: &'a Terms,
    tape: Tape,
    slots: FxHashMap<TermId, Slot>,
    /// Bit-vector variables with uses other than being read as a float.
    used_as_bits: rustc_hash::FxHashSet<TermId>,
    max_inputs: usize,
}

impl Tape {
    /// Compiles the conjunction of some formulas. At most `max_inputs` variables are searched.
    pub(crate) fn compile(terms: &Terms, roots: &[TermId], max_inputs: usize) -> Tape {
        let mut order = terms.reachable(roots);
        order.sort_unstable();
        let mut used_as_bits = rustc_hash::FxHashSet::default();
        for &term in &order {
            if !matches!(
                terms.op(term),
                Op::FpFromBits(FloatFormat::Binary32 | FloatFormat::Binary64)
            ) {
                used_as_bits.extend(terms.children(term).iter().copied());
            }
        }
        let tape = Tape {
            code: Vec::new(),
            bools: Vec::new(),
            floats: Vec::new(),
            bits: Vec::new(),
            roots: Vec::new(),
            inputs: Vec::new(),
            has_other_variables: false,
            reads_float_bits: false,
            float_operations: 0,
        };
        let mut compiler = Compiler {
            terms,
            tape,
            slots: FxHashMap::default(),
            used_as_bits,
            max_inputs,
        };
        for &term in &order {
            let slot = compiler.compile_term(term);
            compiler.slots.insert(term, slot);
        }
        compiler.tape.roots = roots.iter().map(|root| compiler.slots[root]).collect();
        compiler.tape
    }
}

impl Compiler<'_> {
    fn bool_slot(&mut self, value: Truth) -> Slot {
        self.tape.bools.push(value);
        self.tape.bools.len() as Slot - 1
    }

    fn float_slot(&mut self, value: Interval) -> Slot {
        self.tape.floats.push(value);
        self.tape.floats.len() as Slot - 1
    }

    fn bits_slot(&mut self, value: Wide) -> Slot {
        self.tape.bits.push(value);
        self.tape.bits.len() as Slot - 1
    }

    /// A slot that may be anything.
    fn unknown(&mut self, sort: Sort) -> Slot {
        match sort {
            Sort::Bool => self.bool_slot(Truth::EITHER),
            Sort::BitVec(width @ 1..=64) => self.bits_slot(Wide::full(width)),
            Sort::Float(_) => self.float_slot(Interval::TOP),
            // Never read: users of these sorts are unknown themselves.
            _ => 0,
        }
    }

    fn emit(&mut self, sort: Sort, instruction: Instruction) -> Slot {
        let slot = self.unknown(sort);
        self.tape.code.push((slot, instruction));
        slot
    }

    fn compile_term(&mut self, term: TermId) -> Slot {
        let terms = self.terms;
        match terms.op(term) {
            Op::Variable(_) => self.compile_variable(term),
            Op::Bool(value) => self.bool_slot(Truth::known(value)),
            Op::Rounding(_) => self.unknown(Sort::RoundingMode),
            Op::BitVec(_) => self.compile_bits_constant(term),
            Op::Float(_) => self.compile_float_constant(term),
            _ => match self.instruction(term) {
                Some(instruction) => self.emit(terms.sort(term), instruction),
                None => self.alias(term).unwrap_or_else(|| self.unknown(terms.sort(term))),
            },
        }
    }

    /// A slot of an operand that is the value itself.
    fn alias(&mut self, term: TermId) -> Option<Slot> {
        let terms = self.terms;
        match (terms.op(term), terms.children(term)) {
            // Widening changes no number.
            (Op::FpConvert(FloatFormat::Binary64), &[_, a])
                if precision_of(terms.sort(a)) == Some(Precision::Single) =>
            {
                Some(self.slots[&a])
            }
            // The variable itself is searched as a float.
            (Op::FpFromBits(format), &[a]) if self.is_read_as_float(a) && self.is_input(a) => {
                precision_of(Sort::Float(format)).map(|_| self.slots[&a])
            }
            (Op::FpToBits, _) => {
                self.tape.reads_float_bits = true;
                None
            }
            _ => None,
        }
    }

    fn is_input(&self, variable: TermId) -> bool {
        self.tape.inputs.iter().any(|input| input.variable == variable)
    }

    fn is_read_as_float(&self, variable: TermId) -> bool {
        matches!(self.terms.op(variable), Op::Variable(_))
            && matches!(self.terms.sort(variable), Sort::BitVec(32 | 64))
            && !self.used_as_bits.contains(&variable)
    }

    fn compile_variable(&mut self, term: TermId) -> Slot {
        let sort = self.terms.sort(term);
        let kind = match sort {
            Sort::Bool => Some(InputKind::Bool),
            Sort::BitVec(32) if self.is_read_as_float(term) => Some(InputKind::Float(Precision::Single)),
            Sort::BitVec(64) if self.is_read_as_float(term) => Some(InputKind::Float(Precision::Double)),
            Sort::BitVec(width @ 1..=64) => Some(InputKind::BitVec(width)),
            _ => precision_of(sort).map(InputKind::Float),
        };
        match kind {
            Some(kind) if self.tape.inputs.len() < self.max_inputs => {
                let slot = match kind {
                    InputKind::Float(_) => self.float_slot(Interval::TOP),
                    _ => self.unknown(sort),
                };
                self.tape.inputs.push(Input {
                    variable: term,
                    kind,
                    slot,
                });
                slot
            }
            _ => {
                self.tape.has_other_variables = true;
                self.unknown(sort)
            }
        }
    }

    fn compile_bits_constant(&mut self, term: TermId) -> Slot {
        let sort = self.terms.sort(term);
        match self.terms.range(term) {
            Some(range) => self.bits_slot(range.wide()),
            None => self.unknown(sort),
        }
    }

    fn compile_float_constant(&mut self, term: TermId) -> Slot {
        let sort = self.terms.sort(term);
        match (precision_of(sort), self.terms.as_float(term)) {
            (Some(_), Some(value)) => self.float_slot(Interval::point(value.to_f64())),
            _ => self.unknown(sort),
        }
    }

    /// The instruction of an application, when the tape has one for its sorts.
    fn instruction(&mut self, term: TermId) -> Option<Instruction> {
        let terms = self.terms;
        let children = terms.children(term);
        let slot = |index: usize| self.slots[&children[index]];
        let sort = terms.sort(term);
        let op = terms.op(term);
        Some(match (op, children.len()) {
            (Op::Not, _) => Instruction::Not(slot(0)),
            (Op::And, _) => Instruction::And(slot(0), slot(1)),
            (Op::Or, _) => Instruction::Or(slot(0), slot(1)),
            (Op::Xor, _) => return None,
            (Op::Ite, _) => match sort {
                Sort::Bool => Instruction::IteBool(slot(0), slot(1), slot(2)),
                Sort::BitVec(1..=64) => Instruction::IteBits(slot(0), slot(1), slot(2)),
                Sort::Float(_) => Instruction::IteFloat(slot(0), slot(1), slot(2)),
                _ => return None,
            },
            (Op::Eq, _) => match terms.sort(children[0]) {
                Sort::Bool => Instruction::Same(slot(0), slot(1)),
                Sort::BitVec(width @ 1..=64) => Instruction::BitsTest {
                    op,
                    a: slot(0),
                    b: slot(1),
                    width,
                },
                Sort::Float(_) => Instruction::Compare {
                    op: CompareOp::Same,
                    a: slot(0),
                    b: slot(1),
                },
                _ => return None,
            },
            _ => {
                return self
                    .float_instruction(term)
                    .or_else(|| self.bits_instruction(term));
            }
        })
    }

    fn float_instruction(&mut self, term: TermId) -> Option<Instruction> {
        let terms = self.terms;
        let children = terms.children(term);
        let slot = |index: usize| self.slots[&children[index]];
        let op = terms.op(term);
        let mode = children.first().and_then(|&mode| terms.as_rounding(mode));
        let nearest = mode == Some(RoundingMode::NearestEven);
        let (a, b) = (slot(0), if children.len() > 1 { slot(1) } else { 0 });
        let operand = precision_of(terms.sort(*children.last()?));
        let result = precision_of(terms.sort(term));
        let plain = |op, a, b, precision| Instruction::Float {
            op,
            a,
            b,
            c: a,
            precision,
            nearest: true,
        };
        let rounded = |op, first: usize, second: usize, precision| Instruction::Float {
            op,
            a: slot(first),
            b: slot(second),
            c: slot(children.len() - 1),
            precision,
            nearest,
        };
        let instruction = match op {
            Op::FpAdd => rounded(FloatOp::Add, 1, 2, result?),
            Op::FpSub => rounded(FloatOp::Sub, 1, 2, result?),
            Op::FpMul if children[1] == children[2] => rounded(FloatOp::Square, 1, 2, result?),
            Op::FpMul => rounded(FloatOp::Mul, 1, 2, result?),
            Op::FpDiv => rounded(FloatOp::Div, 1, 2, result?),
            Op::FpFma => rounded(FloatOp::Fma, 1, 2, result?),
            Op::FpSqrt => rounded(FloatOp::Sqrt, 1, 1, result?),
            Op::FpRem => plain(FloatOp::Rem, a, b, result?),
            Op::FpAbs => plain(FloatOp::Abs, a, a, result?),
            Op::FpNeg => plain(FloatOp::Neg, a, a, result?),
            Op::FpConvert(FloatFormat::Binary32) if operand == Some(Precision::Double) => {
                rounded(FloatOp::Narrow, 1, 1, Precision::Single)
            }
            Op::FpRound => {
                result?;
                Instruction::Round { a: b, mode }
            }
            Op::FpLt => Instruction::Compare {
                op: CompareOp::Lt,
                a,
                b,
            },
            Op::FpLe => Instruction::Compare {
                op: CompareOp::Le,
                a,
                b,
            },
            Op::FpEq => Instruction::Compare {
                op: CompareOp::Eq,
                a,
                b,
            },
            Op::FpIsNan
            | Op::FpIsInf
            | Op::FpIsZero
            | Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsNegative => Instruction::Class {
                op,
                a,
                precision: operand?,
            },
            Op::FpFromSigned(_) | Op::FpFromUnsigned(_) => {
                let Sort::BitVec(1..=64) = terms.sort(children[1]) else {
                    return None;
                };
                let signed = matches!(op, Op::FpFromSigned(_));
                Instruction::FromInteger {
                    a: b,
                    signed,
                    precision: result?,
                    nearest,
                }
            }
            Op::FpToSigned(width @ 1..=64) | Op::FpToUnsigned(width @ 1..=64) => {
                operand?;
                Instruction::ToInteger {
                    a: b,
                    signed: matches!(op, Op::FpToSigned(_)),
                    width,
                    mode,
                }
            }
            _ => return None,
        };
        self.tape.float_operations += 1;
        Some(instruction)
    }

    fn bits_instruction(&self, term: TermId) -> Option<Instruction> {
        let terms = self.terms;
        let children = terms.children(term);
        let narrow = |term: TermId| matches!(terms.sort(term), Sort::BitVec(1..=64));
        if !children.iter().all(|&child| narrow(child)) {
            return None;
        }
        let slot = |index: usize| self.slots[&children[index]];
        let op = terms.op(term);
        match (op, terms.sort(term), children.len()) {
            (Op::BvConcat, Sort::BitVec(width @ 1..=64), _) => Some(Instruction::Concat {
                a: slot(0),
                b: slot(1),
                low_width: terms.width(children[1]),
                width,
            }),
            (Op::FpFromBits(_) | Op::FpToBits, ..) => None,
            (_, Sort::BitVec(width @ 1..=64), 1) => Some(Instruction::Bits1 {
                op,
                a: slot(0),
                width,
            }),
            (_, Sort::BitVec(width @ 1..=64), 2) => Some(Instruction::Bits2 {
                op,
                a: slot(0),
                b: slot(1),
                width,
            }),
            (_, Sort::Bool, 2) => {
                let width = terms.width(children[0]);
                Some(Instruction::BitsTest {
                    op,
                    a: slot(0),
                    b: slot(1),
                    width,
                })
            }
            _ => None,
        }
    }
}
