//! CTL in existential normal form: what both CTL checkers work on.
//!
//! Idea: every CTL operator is written with EX, EU and AU over propositions, so that a checker has
//! three cases. `AU` is kept beside `EU` (rather than EG): the local checker decides it by a cycle.
//!
//! Invariant: a node's operands come before it in the table, and maximal propositional parts are one
//! node.

use kripke_logic::{BinaryOperator, Formula, FormulaId, Node, Quantifier, UnaryOperator};

use crate::proposition::Proposition;

/// A node of the normal form, by its place in the table.
pub(crate) type NodeId = usize;

/// A node of the normal form.
#[derive(Clone, Debug)]
pub(crate) enum CtlNode {
    Proposition(Proposition),
    Not(NodeId),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    /// Some successor.
    ExistsNext(NodeId),
    /// Some path: first until second.
    ExistsUntil(NodeId, NodeId),
    /// Every path: first until second.
    AllUntil(NodeId, NodeId),
}

/// A CTL formula ready to be checked.
#[derive(Clone, Debug)]
pub struct CtlFormula {
    pub(crate) nodes: Vec<CtlNode>,
    pub(crate) root: NodeId,
}

/// The formula is not CTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotCtl;

impl std::fmt::Display for NotCtl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not a CTL formula: each of X F G U W R M stands directly behind A or E")
    }
}

impl std::error::Error for NotCtl {}

impl CtlFormula {
    /// The normal form of a formula.
    pub fn new(formula: &Formula) -> Result<Self, NotCtl> {
        let mut nodes = Vec::new();
        let root = translate(formula, formula.root, &mut nodes)?;
        Ok(CtlFormula { nodes, root })
    }
}

impl CtlFormula {
    /// A part of the normal form, written with the usual operators.
    pub(crate) fn part_text(&self, node: NodeId, atom: &impl Fn(usize) -> String) -> String {
        let text = |node: NodeId| self.part_text(node, atom);
        let is_true = |node: NodeId| matches!(&self.nodes[node], CtlNode::Proposition(p) if p.is_true());
        match &self.nodes[node] {
            CtlNode::Proposition(proposition) => proposition.text(atom),
            CtlNode::Not(inner) => match self.nodes[*inner] {
                CtlNode::ExistsNext(a) => format!("AX {}", self.negated_text(a, atom)),
                CtlNode::ExistsUntil(a, b) if is_true(a) => format!("AG {}", self.negated_text(b, atom)),
                CtlNode::AllUntil(a, b) if is_true(a) => format!("EG {}", self.negated_text(b, atom)),
                _ => format!("!{}", text(*inner)),
            },
            CtlNode::And(a, b) => format!("({} && {})", text(*a), text(*b)),
            CtlNode::Or(a, b) => format!("({} || {})", text(*a), text(*b)),
            CtlNode::ExistsNext(a) => format!("EX {}", text(*a)),
            CtlNode::ExistsUntil(a, b) if is_true(*a) => format!("EF {}", text(*b)),
            CtlNode::AllUntil(a, b) if is_true(*a) => format!("AF {}", text(*b)),
            CtlNode::ExistsUntil(a, b) => format!("E[{} U {}]", text(*a), text(*b)),
            CtlNode::AllUntil(a, b) => format!("A[{} U {}]", text(*a), text(*b)),
        }
    }

    /// Whether the negation of a part has an operator of its own (AX, AG, EG).
    pub(crate) fn is_named_negation(&self, node: NodeId) -> bool {
        let is_true = |node: NodeId| matches!(&self.nodes[node], CtlNode::Proposition(p) if p.is_true());
        match self.nodes[node] {
            CtlNode::ExistsNext(_) => true,
            CtlNode::ExistsUntil(a, _) | CtlNode::AllUntil(a, _) => is_true(a),
            _ => false,
        }
    }

    fn negated_text(&self, node: NodeId, atom: &impl Fn(usize) -> String) -> String {
        match self.nodes[node] {
            CtlNode::Not(inner) => self.part_text(inner, atom),
            _ => format!("!{}", self.part_text(node, atom)),
        }
    }
}

fn push(nodes: &mut Vec<CtlNode>, node: CtlNode) -> NodeId {
    nodes.push(node);
    nodes.len() - 1
}

fn truth(nodes: &mut Vec<CtlNode>) -> NodeId {
    push(nodes, CtlNode::Proposition(Proposition::constant(true)))
}

fn not(nodes: &mut Vec<CtlNode>, a: NodeId) -> NodeId {
    match nodes[a] {
        CtlNode::Not(inner) => inner,
        _ => push(nodes, CtlNode::Not(a)),
    }
}

fn translate(formula: &Formula, id: FormulaId, nodes: &mut Vec<CtlNode>) -> Result<NodeId, NotCtl> {
    if let Some(proposition) = Proposition::compile(&formula.store, id) {
        return Ok(push(nodes, CtlNode::Proposition(proposition)));
    }
    match formula.store.node(id) {
        Node::Not(a) => {
            let a = translate(formula, *a, nodes)?;
            Ok(not(nodes, a))
        }
        node @ (Node::And(list) | Node::Or(list)) => {
            let conjunction = matches!(node, Node::And(_));
            let mut result = translate(formula, list[0], nodes)?;
            for operand in &list[1..] {
                let operand = translate(formula, *operand, nodes)?;
                let node = if conjunction {
                    CtlNode::And(result, operand)
                } else {
                    CtlNode::Or(result, operand)
                };
                result = push(nodes, node);
            }
            Ok(result)
        }
        Node::Implies(a, b) => {
            let (a, b) = (translate(formula, *a, nodes)?, translate(formula, *b, nodes)?);
            let a = not(nodes, a);
            Ok(push(nodes, CtlNode::Or(a, b)))
        }
        node @ (Node::Iff(a, b) | Node::Xor(a, b)) => {
            let equal = matches!(node, Node::Iff(..));
            let (a, b) = (translate(formula, *a, nodes)?, translate(formula, *b, nodes)?);
            let (not_a, not_b) = (not(nodes, a), not(nodes, b));
            let (with_a, with_not_a) = if equal { (b, not_b) } else { (not_b, b) };
            let left = push(nodes, CtlNode::And(a, with_a));
            let right = push(nodes, CtlNode::And(not_a, with_not_a));
            Ok(push(nodes, CtlNode::Or(left, right)))
        }
        Node::Path(quantifier, path) => translate_path(formula, *quantifier, *path, nodes),
        Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => Err(NotCtl),
    }
}

fn translate_path(
    formula: &Formula,
    quantifier: Quantifier,
    path: FormulaId,
    nodes: &mut Vec<CtlNode>,
) -> Result<NodeId, NotCtl> {
    let exists = quantifier == Quantifier::Exists;
    match *formula.store.node(path) {
        Node::Unary(UnaryOperator::Next, a) => {
            let a = translate(formula, a, nodes)?;
            if exists {
                return Ok(push(nodes, CtlNode::ExistsNext(a)));
            }
            let a = not(nodes, a);
            let next = push(nodes, CtlNode::ExistsNext(a));
            Ok(not(nodes, next))
        }
        Node::Unary(UnaryOperator::Finally, a) => {
            let a = translate(formula, a, nodes)?;
            let anything = truth(nodes);
            Ok(until(nodes, exists, anything, a))
        }
        Node::Unary(UnaryOperator::Globally, a) => {
            // E G a = not A F not a, and the other way round.
            let a = translate(formula, a, nodes)?;
            let a = not(nodes, a);
            let anything = truth(nodes);
            let finally = until(nodes, !exists, anything, a);
            Ok(not(nodes, finally))
        }
        Node::Binary(operator, a, b) => {
            let (a, b) = (translate(formula, a, nodes)?, translate(formula, b, nodes)?);
            Ok(translate_binary(nodes, exists, operator, a, b))
        }
        _ => Err(NotCtl),
    }
}

fn until(nodes: &mut Vec<CtlNode>, exists: bool, a: NodeId, b: NodeId) -> NodeId {
    push(
        nodes,
        if exists {
            CtlNode::ExistsUntil(a, b)
        } else {
            CtlNode::AllUntil(a, b)
        },
    )
}

fn translate_binary(
    nodes: &mut Vec<CtlNode>,
    exists: bool,
    operator: BinaryOperator,
    a: NodeId,
    b: NodeId,
) -> NodeId {
    let (not_a, not_b) = (not(nodes, a), not(nodes, b));
    match operator {
        BinaryOperator::Until => until(nodes, exists, a, b),
        // b M a: a until (a and b); here a is released by b in the operator's order `a M b`.
        BinaryOperator::StrongRelease => {
            let both = push(nodes, CtlNode::And(a, b));
            until(nodes, exists, b, both)
        }
        // a R b = not (not a U not b).
        BinaryOperator::Release => {
            let inner = until(nodes, !exists, not_a, not_b);
            not(nodes, inner)
        }
        // a W b = not (not b U (not a and not b)).
        BinaryOperator::WeakUntil => {
            let neither = push(nodes, CtlNode::And(not_a, not_b));
            let inner = until(nodes, !exists, not_b, neither);
            not(nodes, inner)
        }
    }
}
