//! Where the instructions of a program begin, where its functions do, and which of these pointers lead to.
//!
//! Idea: flash holds tables beside code, and the second word of a long instruction looks like one. So code is
//! what is reached from the vectors, from functions by their symbols and from what is called. An image
//! without symbols of functions may call any word of it through a pointer.
//!
//! This is for where values are decided ([`super::addresses`]), and no matter of soundness.

use std::collections::BTreeSet;

use crate::flow::taken::{Searched, Taken};
use crate::image::{Image, Space, SymbolKind};
use crate::instruction::{Instruction, Operation as Op};
use crate::torn::registers::{Flow, flow_of};

/// The code of a program.
pub(crate) struct Code {
    /// The word addresses at which instructions begin, ascending.
    pub words: Vec<u32>,
    /// Those at which functions do.
    pub functions: BTreeSet<u32>,
    /// The functions that pointers lead to; none where these may be any.
    pub pointed_to: Option<BTreeSet<u32>>,
}

impl Code {
    /// The code of a program with its vectors at these word addresses.
    pub(crate) fn of(image: &Image, program: &[Instruction], vectors: impl Iterator<Item = u32>) -> Self {
        let is_used = |at: &u32| image.flash.is_used(at * 2);
        let functions = image
            .symbols
            .iter()
            .filter(|symbol| symbol.space == Space::Flash && symbol.kind == SymbolKind::Function);
        let named: BTreeSet<u32> = functions
            .map(|symbol| symbol.address / 2)
            .filter(is_used)
            .collect();
        if named.is_empty() {
            let words: Vec<u32> = (0..program.len() as u32).filter(is_used).collect();
            let called = words.iter().filter_map(|at| called(program, *at));
            return Self {
                functions: called.collect(),
                words,
                pointed_to: None,
            };
        }
        let starts = named.iter().copied().chain(vectors).chain([image.reset / 2]);
        let (reached, called) = reached(program, starts.filter(is_used).collect(), is_used);
        let searched = Searched {
            image,
            program,
            reached: &reached,
            start_up: &BTreeSet::new(),
        };
        let taken = Taken::new(&searched, &BTreeSet::new());
        Self {
            words: reached.into_iter().collect(),
            functions: &named | &called,
            pointed_to: Some(taken.functions().clone()),
        }
    }
}

/// The instructions that are reached from some, and the functions that are called there.
fn reached(
    program: &[Instruction],
    starts: Vec<u32>,
    is_used: impl Fn(&u32) -> bool,
) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let (mut reached, mut calls) = (BTreeSet::new(), BTreeSet::new());
    let mut open = starts;
    while let Some(at) = open.pop() {
        if at as usize >= program.len() || !is_used(&at) || !reached.insert(at) {
            continue;
        }
        match flow_of(program, at) {
            Flow::To(next) => open.push(next),
            Flow::Either(next, other) => open.extend([next, other]),
            Flow::Call(next) => {
                open.push(next);
                open.extend(called(program, at));
                calls.extend(called(program, at));
            }
            Flow::Away => {}
        }
    }
    (reached, calls)
}

/// Where a call leads, if that stands in it.
pub(super) fn called(program: &[Instruction], at: u32) -> Option<u32> {
    let instruction = &program[at as usize];
    match instruction.operation {
        Op::Call => Some(instruction.k as u32),
        Op::Rcall => Some(instruction.target(at, program.len() as u32)),
        _ => None,
    }
}
