//! `llvm.vector.reduce.*`: one scalar from a vector.

use kripke_elts::{BinaryOp as Op, Expr};

use super::expressions::binary;

/// The reduction of the vector in the last argument; a start value comes before it for float sums.
pub fn reduce(name: &str, mut arguments: Vec<Vec<Expr>>) -> Option<Expr> {
    let op = match name {
        "add" => Op::Add,
        "mul" => Op::Mul,
        "and" => Op::And,
        "or" => Op::Or,
        "xor" => Op::Xor,
        "smax" => Op::SMax,
        "smin" => Op::SMin,
        "umax" => Op::UMax,
        "umin" => Op::UMin,
        "fadd" => Op::FAdd,
        "fmul" => Op::FMul,
        "fmax" => Op::FMax,
        "fmin" => Op::FMin,
        _ => return None,
    };
    let vector = arguments.pop()?;
    let start = arguments.pop().and_then(|start| start.into_iter().next());
    start
        .into_iter()
        .chain(vector)
        .reduce(|sum, value| binary(op, sum, value))
}
