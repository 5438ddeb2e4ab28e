//! State propositions compiled to a small postfix program over label bits.
//!
//! Idea: the hot loops ask "does p hold here" once a state; walking the hash-consed tree of
//! the formula there would cost more than making the state.

use kripke_logic::{FormulaId, Formulas, Node};
use kripke_model::Labels;

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Constant(bool),
    Atom(u32),
    Not,
    And,
    Or,
    Xor,
    Implies,
    Iff,
}

/// A proposition over the atoms of a formula store.
#[derive(Clone, Debug)]
pub struct Proposition {
    code: Vec<Instruction>,
}

impl Proposition {
    /// The proposition, or `None` where the formula has a temporal operator or a path quantifier.
    pub fn compile(store: &Formulas, root: FormulaId) -> Option<Self> {
        let mut code = Vec::new();
        emit(store, root, &mut code)?;
        Some(Proposition { code })
    }

    /// A constant.
    pub fn constant(value: bool) -> Self {
        Proposition {
            code: vec![Instruction::Constant(value)],
        }
    }

    /// Whether it holds under these labels.
    pub fn holds(&self, labels: Labels) -> bool {
        if let [Instruction::Atom(atom)] = self.code[..] {
            return labels >> atom & 1 == 1;
        }
        let mut stack: Vec<bool> = Vec::with_capacity(8);
        for instruction in &self.code {
            let value = match *instruction {
                Instruction::Constant(value) => value,
                Instruction::Atom(atom) => labels >> atom & 1 == 1,
                Instruction::Not => !pop(&mut stack),
                Instruction::And => pop(&mut stack) & pop(&mut stack),
                Instruction::Or => pop(&mut stack) | pop(&mut stack),
                Instruction::Xor => pop(&mut stack) ^ pop(&mut stack),
                Instruction::Iff => pop(&mut stack) == pop(&mut stack),
                Instruction::Implies => {
                    let (right, left) = (pop(&mut stack), pop(&mut stack));
                    !left | right
                }
            };
            stack.push(value);
        }
        pop(&mut stack)
    }
}

fn pop(stack: &mut Vec<bool>) -> bool {
    stack.pop().expect("compiled propositions are balanced")
}

fn emit(store: &Formulas, id: FormulaId, code: &mut Vec<Instruction>) -> Option<()> {
    match store.node(id) {
        Node::Constant(value) => code.push(Instruction::Constant(*value)),
        Node::Atom(atom) => code.push(Instruction::Atom(atom.index() as u32)),
        Node::Not(a) => {
            emit(store, *a, code)?;
            code.push(Instruction::Not);
        }
        Node::And(list) | Node::Or(list) => {
            let connective = if matches!(store.node(id), Node::And(_)) {
                Instruction::And
            } else {
                Instruction::Or
            };
            for (index, operand) in list.iter().enumerate() {
                emit(store, *operand, code)?;
                if index > 0 {
                    code.push(connective);
                }
            }
        }
        Node::Xor(a, b) => emit_binary(store, *a, *b, Instruction::Xor, code)?,
        Node::Implies(a, b) => emit_binary(store, *a, *b, Instruction::Implies, code)?,
        Node::Iff(a, b) => emit_binary(store, *a, *b, Instruction::Iff, code)?,
        Node::Unary(..) | Node::Binary(..) | Node::Path(..) => return None,
    }
    Some(())
}

fn emit_binary(
    store: &Formulas,
    a: FormulaId,
    b: FormulaId,
    instruction: Instruction,
    code: &mut Vec<Instruction>,
) -> Option<()> {
    emit(store, a, code)?;
    emit(store, b, code)?;
    code.push(instruction);
    Some(())
}
