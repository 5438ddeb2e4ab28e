//! What `main` is called with.
//!
//! Idea: `argc` is 1 and `argv` is `{"program", NULL}`, unless arguments are wanted. Then there is an object
//! for the text of each, whose bytes are inputs up to a last one that is 0, and `argv` leads to as many of
//! them as `argc` says, which is an input, too. The environment is empty.
//!
//! Invariant: what a shell could pass and this does not is an assumption of the program, which the verdict
//! lists.

use kripke_elts::{BinaryOp, Expr, GlobalId, InitialCell, StatementKind, Type as Scalar};
use kripke_value::BitVec;

use crate::Error;
use crate::ir;

use super::Translator;
use super::builder::Builder;
use super::expressions::{binary, int, select};
use super::start::any_value;

/// How many arguments `main` gets, and of how many characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MainArguments {
    /// So many at the most, the name of the program not counted.
    pub count: u32,
    /// So many characters of each at the most.
    pub length: u32,
}

impl Default for MainArguments {
    fn default() -> Self {
        MainArguments { count: 0, length: 8 }
    }
}

impl MainArguments {
    /// How many there may be.
    pub const MOST: u32 = 64;
    /// How long they may be.
    pub const LONGEST: u32 = 4096;

    /// What is taken for granted where `main` has so many parameters.
    fn assumption(self, parameters: usize) -> String {
        let MainArguments { count, length } = self;
        let called = match count {
            0 => "no arguments".to_owned(),
            1 => format!("one argument at most, of at most {length} characters"),
            _ => format!("at most {count} arguments of at most {length} characters"),
        };
        let name = match parameters {
            0 | 1 => "",
            2 => ", by the name `program`",
            _ => ", by the name `program` and in an empty environment",
        };
        let hint = if count == 0 {
            " (--arguments N: with up to N)"
        } else {
            ""
        };
        format!("`main` is called with {called}{name}{hint}")
    }
}

impl Translator<'_> {
    /// The values of the parameters of `main`.
    pub(super) fn main_arguments(
        &mut self,
        builder: &mut Builder,
        module: usize,
        function: &ir::Function,
    ) -> Result<Vec<Expr>, Error> {
        let types = self.types(module);
        let mut arguments = Vec::new();
        let mut count = None;
        for (place, parameter) in function.parameters.iter().enumerate() {
            for leaf in types.leaves(&parameter.ty).unwrap_or_default() {
                arguments.push(match (place, leaf.ty) {
                    (0, Scalar::Int(width)) => {
                        let argc = self.argument_count(builder, &parameter.name, width);
                        count = Some((argc.clone(), width));
                        argc
                    }
                    (1, Scalar::Pointer) => self.argument_vector(builder, &parameter.name, count.as_ref()),
                    (2, Scalar::Pointer) => self.empty_vector(),
                    (_, Scalar::Pointer) => return Err(self.pointer_parameter(&parameter.name)),
                    (_, ty) => any_value(builder, &parameter.name, ty),
                });
            }
        }
        if !function.parameters.is_empty() {
            let assumption = self.options.arguments.assumption(function.parameters.len());
            self.assumptions.insert(assumption);
        }
        Ok(arguments)
    }

    /// `argc`.
    fn argument_count(&mut self, builder: &mut Builder, name: &str, width: u32) -> Expr {
        let most = self.options.arguments.count;
        if most == 0 {
            return int(width, 1);
        }
        let count = any_value(builder, name, Scalar::Int(width));
        let bounds = [
            binary(BinaryOp::SLe, int(width, 1), count.clone()),
            binary(BinaryOp::SLe, count.clone(), int(width, i128::from(most) + 1)),
        ];
        for condition in bounds {
            builder.emit(StatementKind::Assume { condition });
        }
        count
    }

    /// `argv`.
    fn argument_vector(&mut self, builder: &mut Builder, name: &str, count: Option<&(Expr, u32)>) -> Expr {
        let program = self.program_name();
        let most = count.map_or(0, |_| self.options.arguments.count);
        let pointer_bytes = u64::from(self.data_model.pointer_width / 8);
        let cells = vec![InitialCell {
            offset: 0,
            ty: Scalar::Pointer,
            value: Expr::GlobalAddress(program),
        }];
        let size = (u64::from(most) + 2) * pointer_bytes;
        let vector = self.synthetic_global("kripke.argv", size, pointer_bytes as u32, cells);
        let Some((count, width)) = count else {
            return Expr::GlobalAddress(vector);
        };
        for number in 1..=most {
            let text = self.argument_text(builder, &format!("{name}[{number}]"));
            let is_there = binary(BinaryOp::SLt, int(*width, i128::from(number)), count.clone());
            let value = select(is_there, Expr::GlobalAddress(text), Expr::Null);
            let place = (vector, u64::from(number) * pointer_bytes);
            builder.store_into(place, self.data_model.pointer_width, Scalar::Pointer, value);
        }
        Expr::GlobalAddress(vector)
    }

    /// A text of any characters, of any length up to the one that is wanted.
    fn argument_text(&mut self, builder: &mut Builder, name: &str) -> GlobalId {
        let length = u64::from(self.options.arguments.length);
        let text = self.synthetic_global(&format!("kripke.{name}"), length + 1, 1, Vec::new());
        for at in 0..length {
            let value = any_value(builder, &format!("{name}[{at}]"), Scalar::Int(8));
            builder.store_into((text, at), self.data_model.pointer_width, Scalar::Int(8), value);
        }
        text
    }

    fn program_name(&mut self) -> GlobalId {
        let text = b"program\0".iter().enumerate().filter(|(_, byte)| **byte != 0);
        let cells = text.map(|(at, byte)| InitialCell {
            offset: at as u64,
            ty: Scalar::Int(8),
            value: Expr::Int(BitVec::new(8, u128::from(*byte))),
        });
        let cells = cells.collect();
        self.synthetic_global("kripke.program_name", 8, 1, cells)
    }

    fn empty_vector(&mut self) -> Expr {
        let pointer_bytes = u64::from(self.data_model.pointer_width / 8);
        let vector = self.synthetic_global("kripke.envp", pointer_bytes, pointer_bytes as u32, Vec::new());
        Expr::GlobalAddress(vector)
    }
}
