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
    /// The most operands that wait at once.
    depth: usize,
}

impl Proposition {
    /// The proposition, or `None` where the formula has a temporal operator or a path quantifier.
    pub fn compile(store: &Formulas, root: FormulaId) -> Option<Self> {
        let mut code = Vec::new();
        emit(store, root, &mut code)?;
        Some(Proposition::new(code))
    }

    /// A constant.
    pub fn constant(value: bool) -> Self {
        Proposition::new(vec![Instruction::Constant(value)])
    }

    fn new(code: Vec<Instruction>) -> Self {
        let (mut waiting, mut depth) = (0_usize, 0);
        for instruction in &code {
            match instruction {
                Instruction::Constant(_) | Instruction::Atom(_) => waiting += 1,
                Instruction::Not => {}
                _ => waiting -= 1,
            }
            depth = depth.max(waiting);
        }
        Proposition { code, depth }
    }

    /// Whether it is the constant.
    pub(crate) fn is_true(&self) -> bool {
        matches!(self.code[..], [Instruction::Constant(true)])
    }

    /// As a formula.
    pub(crate) fn text(&self, atom: impl Fn(usize) -> String) -> String {
        let mut waiting: Vec<String> = Vec::new();
        for instruction in &self.code {
            let text = match instruction {
                Instruction::Constant(value) => value.to_string(),
                Instruction::Atom(index) => atom(*index as usize),
                Instruction::Not => format!("!{}", waiting.pop().unwrap_or_default()),
                binary => {
                    let operator = match binary {
                        Instruction::And => "&&",
                        Instruction::Or => "||",
                        Instruction::Xor => "xor",
                        Instruction::Implies => "->",
                        _ => "<->",
                    };
                    let (b, a) = (
                        waiting.pop().unwrap_or_default(),
                        waiting.pop().unwrap_or_default(),
                    );
                    format!("({a} {operator} {b})")
                }
            };
            waiting.push(text);
        }
        waiting.pop().unwrap_or_default()
    }

    /// Whether it holds under these labels.
    pub fn holds(&self, labels: Labels) -> bool {
        if let [Instruction::Atom(atom)] = self.code[..] {
            return labels >> atom & 1 == 1;
        }
        if self.depth <= u64::BITS as usize {
            self.run(labels, &mut BitStack(0))
        } else {
            self.run(labels, &mut Vec::with_capacity(self.depth))
        }
    }

    fn run(&self, labels: Labels, stack: &mut impl Stack) -> bool {
        for instruction in &self.code {
            let value = match *instruction {
                Instruction::Constant(value) => value,
                Instruction::Atom(atom) => labels >> atom & 1 == 1,
                Instruction::Not => !stack.pop(),
                Instruction::And => stack.pop() & stack.pop(),
                Instruction::Or => stack.pop() | stack.pop(),
                Instruction::Xor => stack.pop() ^ stack.pop(),
                Instruction::Iff => stack.pop() == stack.pop(),
                Instruction::Implies => {
                    let (right, left) = (stack.pop(), stack.pop());
                    !left | right
                }
            };
            stack.push(value);
        }
        stack.pop()
    }
}

/// Operands that wait.
trait Stack {
    fn push(&mut self, value: bool);
    fn pop(&mut self) -> bool;
}

/// Nothing is allocated for propositions of a usual size.
struct BitStack(u64);

impl Stack for BitStack {
    fn push(&mut self, value: bool) {
        self.0 = self.0 << 1 | u64::from(value);
    }

    fn pop(&mut self) -> bool {
        let value = self.0 & 1 == 1;
        self.0 >>= 1;
        value
    }
}

impl Stack for Vec<bool> {
    fn push(&mut self, value: bool) {
        Vec::push(self, value);
    }

    fn pop(&mut self) -> bool {
        Vec::pop(self).expect("compiled propositions are balanced")
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_propositions_use_the_other_stack() {
        // 0 xor (1 xor (0 xor …)) waits with all its operands; the value is the parity of the ones.
        for (depth, expected) in [(3, true), (63, true), (64, false), (65, false), (200, false)] {
            let code = (0..depth).map(|index| Instruction::Atom(index % 2));
            let code: Vec<Instruction> = code.chain((1..depth).map(|_| Instruction::Xor)).collect();
            let proposition = Proposition::new(code);
            assert_eq!(proposition.depth, depth as usize);
            assert_eq!(proposition.holds(0b10), expected, "{depth}");
        }
    }
}
