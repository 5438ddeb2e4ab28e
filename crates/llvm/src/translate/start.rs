//! Where a run starts.
//!
//! Idea: a `main` without parameters is the entry itself. Otherwise, or when exit handlers must run, a
//! start-up function prepares the arguments and calls it. For `main` they are one program name:
//! `argc` is 1, `argv` is `{"program", NULL}`, the environment is empty. Any other entry function gets
//! nondeterministic arguments.

use kripke_elts::{
    Callee, Expr, FunctionId, InitialCell, NondetSource, Position, StatementKind, Type as Scalar,
    VariableKind,
};
use kripke_value::BitVec;

use crate::Error;
use crate::ir;

use super::builder::Builder;
use super::expressions::{int, resize};
use super::symbols::{Symbol, SymbolKind};
use super::{Translator, empty_function};

/// The start-up function's name.
const START: &str = "kripke.start";

impl Translator<'_> {
    /// The function that a run starts in, written where it is needed.
    pub fn write_start(&mut self, entry: Symbol) -> Result<FunctionId, Error> {
        let SymbolKind::Function(index) = entry.kind else {
            return Err(Error::Translate {
                message: format!("`{}` is no function", self.options.entry),
            });
        };
        let function = &self.modules[entry.module].functions[index];
        let callee = self.function_id(entry.module, index);
        let handlers = self.function_with_body(entry.module, "__kripke_at_exit");
        let returns_int = matches!(function.result, ir::Type::Int(_));
        if function.parameters.is_empty() && !function.variadic && handlers.is_none() && returns_int {
            return Ok(callee);
        }
        let name = self.function_names.fresh(START);
        let id = self
            .functions
            .push(empty_function(name.clone(), Position::default()));
        let position = self.functions[callee].position;
        let mut builder = Builder::new(position);
        let arguments = self.entry_arguments(&mut builder, entry.module, function)?;
        let int_width = self.data_model.int_width;
        let status = builder.variable(
            "return_value",
            Scalar::Int(int_width),
            VariableKind::Temporary,
            None,
            position,
        );
        let types = self.types(entry.module);
        let leaves = types.leaves(&function.result).unwrap_or_default();
        let results: Vec<_> = leaves
            .iter()
            .map(|leaf| builder.temporary("result", leaf.ty))
            .collect();
        builder.emit(StatementKind::Call {
            results: results.clone(),
            callee: Callee::Direct(callee),
            arguments,
            check: None,
        });
        let code = match (leaves.first().map(|leaf| leaf.ty), results.first()) {
            (Some(Scalar::Int(width)), Some(result)) if self.options.entry == "main" => {
                resize(Expr::Variable(*result), width, int_width, true)
            }
            _ => int(int_width, 0),
        };
        builder.assign(status, code);
        if let Some((module, handler)) = handlers {
            let handler = self.function_id(module, handler);
            builder.emit(StatementKind::Call {
                results: Vec::new(),
                callee: Callee::Direct(handler),
                arguments: Vec::new(),
                check: None,
            });
        }
        let exit = builder.exit();
        builder.goto(exit);
        self.functions[id] = builder.finish(name, Vec::new(), vec![status], position, false);
        Ok(id)
    }

    fn entry_arguments(
        &mut self,
        builder: &mut Builder,
        module: usize,
        function: &ir::Function,
    ) -> Result<Vec<Expr>, Error> {
        let types = self.types(module);
        let mut arguments = Vec::new();
        for (place, parameter) in function.parameters.iter().enumerate() {
            let leaves = types.leaves(&parameter.ty).unwrap_or_default();
            for leaf in leaves {
                let is_main = self.options.entry == "main";
                arguments.push(match (is_main, place, leaf.ty) {
                    (true, 0, Scalar::Int(width)) => int(width, 1),
                    (true, 1, Scalar::Pointer) => self.argument_vector(),
                    (true, 2, Scalar::Pointer) => self.empty_vector(),
                    (_, _, Scalar::Pointer) => return Err(self.pointer_parameter(&parameter.name)),
                    (_, _, ty) => {
                        let target = builder.temporary(&parameter.name, ty);
                        let source = NondetSource::Input(parameter.name.to_string());
                        builder.emit(StatementKind::Nondet { target, source });
                        Expr::Variable(target)
                    }
                });
            }
        }
        if function.variadic {
            arguments.push(Expr::Null);
        }
        Ok(arguments)
    }

    fn pointer_parameter(&self, parameter: &str) -> Error {
        let entry = &self.options.entry;
        Error::Translate {
            message: format!(
                "`{entry}` cannot be the entry: what its pointer parameter `{parameter}` points to is unknown; \
                 write a main that calls `{entry}`"
            ),
        }
    }

    fn argument_vector(&mut self) -> Expr {
        let text = b"program\0".iter().enumerate().filter(|(_, byte)| **byte != 0);
        let cells = text.map(|(at, byte)| InitialCell {
            offset: at as u64,
            ty: Scalar::Int(8),
            value: Expr::Int(BitVec::new(8, u128::from(*byte))),
        });
        let cells = cells.collect();
        let name = self.synthetic_global("kripke.program_name", 8, 1, cells);
        let pointer_bytes = u64::from(self.data_model.pointer_width / 8);
        let vector = self.synthetic_global(
            "kripke.argv",
            2 * pointer_bytes,
            pointer_bytes as u32,
            vec![InitialCell {
                offset: 0,
                ty: Scalar::Pointer,
                value: Expr::GlobalAddress(name),
            }],
        );
        Expr::GlobalAddress(vector)
    }

    fn empty_vector(&mut self) -> Expr {
        let pointer_bytes = u64::from(self.data_model.pointer_width / 8);
        let vector = self.synthetic_global("kripke.envp", pointer_bytes, pointer_bytes as u32, Vec::new());
        Expr::GlobalAddress(vector)
    }
}
