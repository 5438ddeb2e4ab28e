//! Where a run starts.
//!
//! Idea: a `main` without parameters is the entry itself. Otherwise, or when exit handlers must run, a
//! start-up function prepares the arguments and calls it: those of `main` (`main_arguments.rs`), or
//! nondeterministic ones, and objects for their pointers (`entry_objects.rs`).

use kripke_elts::{
    CTypeId, Callee, Expr, FunctionId, NondetSource, Position, START, StatementKind, Type as Scalar,
    VariableKind,
};
use kripke_model::PropertyKind;
use rustc_hash::FxHashMap;

use crate::Error;
use crate::ir::{self, Constant};

use super::builder::Builder;
use super::calls::global_name;
use super::entry_objects::{Maker, parameter_types};
use super::expressions::{int, resize};
use super::symbols::{Symbol, SymbolKind};
use super::{Translator, empty_function};

impl Translator<'_> {
    /// The function that a run starts in, written where it is needed.
    pub fn write_start(&mut self, entry: Symbol) -> Result<FunctionId, Error> {
        let SymbolKind::Function(index) = entry.kind else {
            return Err(Error::Translate {
                message: format!("`{}` is no function", self.options.entry),
            });
        };
        let function = &self.modules[entry.module].functions[index];
        let callee = self.entry_id(entry.module, index);
        let handlers = self.exit_functions(entry.module, false);
        let constructors = self.structors("llvm.global_ctors");
        let returns_int = matches!(function.result, ir::Type::Int(_));
        let is_plain = function.parameters.is_empty() && !function.variadic && returns_int;
        if is_plain && handlers.is_empty() && constructors.is_empty() {
            return Ok(callee);
        }
        let name = self.function_names.fresh(START);
        let id = self
            .functions
            .push(empty_function(name.clone(), Position::default()));
        let position = self.functions[callee].position;
        let mut builder = Builder::new(position);
        for constructor in constructors {
            builder.emit(self.plain_call(constructor));
        }
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
        for handler in handlers {
            builder.emit(self.plain_call(handler));
        }
        let exit = builder.exit();
        builder.goto(exit);
        self.functions[id] = builder.finish(name, Vec::new(), vec![status], position, false);
        Ok(id)
    }

    /// The functions that run when the program ends, in order: what `atexit` registered, then destructors.
    pub fn exit_functions(&self, module: usize, quick: bool) -> Vec<(usize, usize)> {
        let handlers = if quick {
            "__kripke_at_quick_exit"
        } else {
            "__kripke_at_exit"
        };
        let mut functions = Vec::from_iter(self.function_with_body(module, handlers));
        if !quick {
            functions.extend(self.structors("llvm.global_dtors").into_iter().rev());
        }
        if self.checks(PropertyKind::ThreadLeak) {
            functions.extend(self.function_with_body(module, "__kripke_thread_leaks"));
        }
        functions
    }

    /// The functions that a list of constructors or destructors names, by priority.
    fn structors(&self, list: &str) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (module, ir) in self.modules.iter().enumerate() {
            for global in ir.globals.iter().filter(|global| &*global.name == list) {
                let Some(Constant::Aggregate(entries)) = &global.initializer else {
                    continue;
                };
                for (_, entry) in entries {
                    let Constant::Aggregate(fields) = entry else {
                        continue;
                    };
                    let [(_, Constant::Int(priority)), (_, function), ..] = &fields[..] else {
                        continue;
                    };
                    let priority: u32 = priority.parse().unwrap_or(u32::MAX);
                    let function =
                        global_name(function).and_then(|name| self.function_with_body(module, name));
                    found.extend(function.map(|function| (priority, function)));
                }
            }
        }
        found.sort_by_key(|entry| entry.0);
        found.into_iter().map(|entry| entry.1).collect()
    }

    /// A call without arguments and results.
    pub fn plain_call(&mut self, (module, index): (usize, usize)) -> StatementKind {
        StatementKind::Call {
            results: Vec::new(),
            callee: Callee::Direct(self.function_id(module, index)),
            arguments: Vec::new(),
            check: None,
        }
    }

    fn entry_arguments(
        &mut self,
        builder: &mut Builder,
        module: usize,
        function: &ir::Function,
    ) -> Result<Vec<Expr>, Error> {
        let mut arguments = match self.options.entry.as_str() {
            "main" => self.main_arguments(builder, module, function)?,
            _ => self.any_arguments(builder, module, function)?,
        };
        if function.variadic {
            arguments.push(Expr::Null);
        }
        Ok(arguments)
    }

    /// Scalars have any value; pointers lead to objects with any contents.
    fn any_arguments(
        &mut self,
        builder: &mut Builder,
        module: usize,
        function: &ir::Function,
    ) -> Result<Vec<Expr>, Error> {
        let types = self.types(module);
        let c_types = parameter_types(self, module, function);
        let mut arguments = Vec::new();
        let mut maker = Maker::new(self, builder);
        let mut unknown = None;
        for parameter in &function.parameters {
            if let Some(ty) = parameter.byval.as_ref().or(parameter.sret.as_ref()) {
                let c_type = type_of(&c_types, &parameter.name);
                let c_type = c_type.filter(|_| parameter.byval.is_some());
                arguments.push(maker.hidden(&parameter.name, ty, module, c_type));
                continue;
            }
            for leaf in types.leaves(&parameter.ty).unwrap_or_default() {
                let c_type = type_of(&c_types, &parameter.name);
                let argument = match leaf.ty {
                    Scalar::Pointer => c_type.and_then(|c_type| maker.argument(&parameter.name, c_type)),
                    ty => Some(maker.any_value(&parameter.name, ty)),
                };
                unknown = unknown.or(argument.is_none().then_some(&parameter.name));
                arguments.extend(argument);
            }
        }
        let assumptions = maker.assumptions();
        self.assumptions.extend(assumptions);
        match unknown {
            Some(parameter) => Err(self.pointer_parameter(parameter)),
            None => Ok(arguments),
        }
    }

    pub(super) fn pointer_parameter(&self, parameter: &str) -> Error {
        let entry = &self.options.entry;
        Error::Translate {
            message: format!(
                "`{entry}` cannot be the entry: what its pointer parameter `{parameter}` points to is \
                 unknown; write a main that calls `{entry}`"
            ),
        }
    }
}

/// The type of a parameter. Its name in LLVM IR has a number behind it where a block has the same name.
pub(super) fn type_of(c_types: &FxHashMap<String, CTypeId>, name: &str) -> Option<CTypeId> {
    let bare = name.trim_end_matches(|character: char| character.is_ascii_digit());
    c_types.get(name).or_else(|| c_types.get(bare)).copied()
}

/// An input.
pub fn any_value(builder: &mut Builder, name: &str, ty: Scalar) -> Expr {
    let target = builder.temporary(name, ty);
    let source = NondetSource::Input(name.to_owned());
    builder.emit(StatementKind::Nondet { target, source });
    Expr::Variable(target)
}
