//! Calls: which function is meant, how its arguments are passed, what it returns.
//!
//! Idea: the program's own functions come first; then what the front end knows as a primitive; then the
//! models of the C library; what remains has no body, and returns any value. Aggregates are passed as
//! their scalars, `byval` arguments as a pointer that the callee copies from, variable arguments as a
//! hidden pointer to an object that holds them.

use kripke_elts::interrupts::{AssemblyEffect, DISABLES, ENABLES, effect_of_intrinsic, effects_of_assembly};
use kripke_elts::{Callee, Expr, NondetSource, StatementKind, StopReason, Type as Scalar, VariableId};
use kripke_model::PropertyKind;

use crate::effects::{self, Effect};
use crate::ir::{self, Argument, Constant, ConstantExpression, Flag, Type, Value};

use super::constants::zero;
use super::expressions::boolean;
use super::function::FunctionTranslator;
use super::memory::align_at;
use super::refused_names::refusal;
use super::symbols::{Symbol, SymbolKind};
use super::{Step, Translator, Unsupported, unsupported};

/// A call by name, with its arguments evaluated.
pub struct CallSite<'c> {
    /// The function's linkage name.
    pub name: &'c str,
    /// The result's type as the call sees it.
    pub result: &'c Type,
    /// The operands.
    pub operands: &'c [Argument],
    /// The scalars of each operand.
    pub values: Vec<Vec<Expr>>,
}

impl CallSite<'_> {
    /// The first scalar of an argument.
    pub fn argument(&self, index: usize) -> Step<Expr> {
        match self.values.get(index).and_then(|values| values.first()) {
            Some(value) => Ok(value.clone()),
            None => unsupported(format!("a call of `{}` with too few arguments", self.name)),
        }
    }
}

impl Translator<'_> {
    /// True when the name means a function with a body, in a library model or in the program.
    pub fn has_body(&self, module: usize, name: &str, in_library: bool) -> bool {
        self.function_with_body(module, name)
            .is_some_and(|(module, _)| self.modules[module].is_library_model == in_library)
    }

    /// The function with a body that a name means.
    pub fn function_with_body(&self, module: usize, name: &str) -> Option<(usize, usize)> {
        let mut symbol = self.symbols.resolve(module, name)?;
        for _ in 0..8 {
            match symbol.kind {
                SymbolKind::Function(index) => {
                    let has_body = !self.modules[symbol.module].functions[index].blocks.is_empty();
                    return has_body.then_some((symbol.module, index));
                }
                SymbolKind::Global(_) => return None,
                SymbolKind::Alias(index) => {
                    let alias = &self.modules[symbol.module].aliases[index];
                    if alias.is_ifunc {
                        return None;
                    }
                    let target = &alias.target;
                    symbol = self.symbols.resolve(symbol.module, global_name(target)?)?;
                }
            }
        }
        None
    }
}

/// The global that a constant names, through casts.
pub fn global_name(constant: &Constant) -> Option<&str> {
    match constant {
        Constant::Global(name) => Some(name),
        Constant::Expression(expression) => match &**expression {
            ConstantExpression::Cast { value, .. } => global_name(value),
            _ => None,
        },
        _ => None,
    }
}

/// The template and the constraints of inline assembly.
pub fn parts_of_assembly(text: &str) -> (&str, &str) {
    let mut quoted = text.split('"').skip(1).step_by(2);
    let template = quoted.next().unwrap_or_default();
    (template, quoted.next().unwrap_or_default())
}

/// What a call of one of LLVM's functions does that stands for an instruction.
pub fn effect_of_call(name: &str, call: &ir::Call) -> Option<AssemblyEffect> {
    let argument = match call.arguments.first().map(|argument| &argument.value) {
        Some(Value::Constant(Constant::Int(digits))) => Some(&**digits),
        _ => None,
    };
    effect_of_intrinsic(name, argument)
}

impl<'m> FunctionTranslator<'_, 'm> {
    /// `call`.
    pub fn write_call(&mut self, result_name: &'m str, call: &'m ir::Call, flags: &[Flag]) -> Step<()> {
        let results = match &call.callee {
            Value::InlineAssembly(text) => self.inline_assembly(text, call)?,
            Value::Constant(constant) => match global_name(constant) {
                Some(name) if name.starts_with("llvm.") => self.intrinsic(name, call)?,
                Some(name) => {
                    let values = self.argument_values(&call.arguments)?;
                    self.call_by_name(&CallSite {
                        name,
                        result: &call.result,
                        operands: &call.arguments,
                        values,
                    })?
                }
                None => self.indirect_call(call)?,
            },
            _ => self.indirect_call(call)?,
        };
        if !result_name.is_empty() && self.builder.is_open() {
            self.define_float(result_name, &call.result, results, flags)?;
        }
        Ok(())
    }

    fn argument_values(&mut self, arguments: &[Argument]) -> Step<Vec<Vec<Expr>>> {
        arguments
            .iter()
            .map(|argument| self.value(&argument.ty, &argument.value))
            .collect()
    }

    /// A call of a known name.
    pub fn call_by_name(&mut self, site: &CallSite<'_>) -> Step<Vec<Expr>> {
        if let Some((kind, description)) = self.reported_failure(site.name, site.operands) {
            self.assert_that(boolean(false), kind, &description);
            self.builder.stop(StopReason::Abort, None);
            return Ok(Vec::new());
        }
        self.note_unsafe_call(site.name);
        if !self.has_user_body(site.name) {
            self.check_format(site)?;
            if let Some(results) = self.library_call(site)? {
                return Ok(results);
            }
        }
        let of_port = self.function_of_port(site.name);
        match of_port.or_else(|| self.unit.function_with_body(self.module, site.name)) {
            Some((module, index)) => self.direct_call(module, index, site),
            None => self.external_call(site),
        }
    }

    /// A call of a function with a body.
    pub fn direct_call(&mut self, module: usize, index: usize, site: &CallSite<'_>) -> Step<Vec<Expr>> {
        let modules = self.unit.modules;
        let callee: &ir::Function = &modules[module].functions[index];
        let callee_types = self.unit.types(module);
        let called = self.unit.contracts.called(module, index);
        let id = self.unit.own_function_id(module, called);
        if self.is_followed_by_unreachable() {
            self.note_no_return(id);
        }
        let fixed = callee.parameters.len().min(site.values.len());
        let mut passed = Vec::new();
        for (operand, values) in site.operands.iter().zip(&site.values).take(fixed) {
            let leaves = self.types.leaves(&operand.ty)?;
            passed.extend(leaves.iter().map(|leaf| leaf.ty).zip(values.iter().cloned()));
        }
        let mut wanted = Vec::new();
        for parameter in &callee.parameters {
            wanted.extend(callee_types.leaves(&parameter.ty)?.iter().map(|leaf| leaf.ty));
        }
        let mut arguments = self.adapt_arguments(site.name, passed, &wanted)?;
        if callee.variadic {
            let variable = self.variable_arguments(&site.operands[fixed..], &site.values[fixed..])?;
            arguments.push(variable);
        }
        let result_types = callee_types.leaves(&callee.result)?;
        let results: Vec<VariableId> = result_types
            .iter()
            .map(|leaf| self.builder.temporary("call", leaf.ty))
            .collect();
        self.builder.emit(StatementKind::Call {
            results: results.clone(),
            callee: Callee::Direct(id),
            arguments,
            check: None,
        });
        let returned = result_types.iter().map(|leaf| leaf.ty);
        let returned = returned.zip(results.into_iter().map(Expr::Variable)).collect();
        self.adapt_results(site, returned)
    }

    fn adapt_results(&mut self, site: &CallSite<'_>, returned: Vec<(Scalar, Expr)>) -> Step<Vec<Expr>> {
        let wanted: Vec<Scalar> = self
            .types
            .leaves(site.result)?
            .iter()
            .map(|leaf| leaf.ty)
            .collect();
        if returned.len() >= wanted.len() {
            return self.adapt_arguments(site.name, returned, &wanted);
        }
        // The result of a function that returns nothing is used: any value.
        Ok(wanted
            .into_iter()
            .map(|ty| self.nondet("undefined", ty, NondetSource::Uninitialised))
            .collect())
    }

    /// A call of a function without body or model.
    fn external_call(&mut self, site: &CallSite<'_>) -> Step<Vec<Expr>> {
        if let Some(Symbol {
            kind: SymbolKind::Alias(_),
            ..
        }) = self.unit.symbols.resolve(self.module, site.name)
        {
            return unsupported(format!(
                "a call of `{}`, an alias or ifunc that cannot be followed",
                site.name
            ));
        }
        self.refuse_known_effect(site)?;
        if let Some(why) = refusal(site.name) {
            return unsupported(why);
        }
        if self.unit.is_absent_function(self.module, site.name) {
            let text = format!("`{}` is called, which is weak and defined nowhere", site.name);
            self.assert_that(boolean(false), PropertyKind::FunctionPointer, &text);
            return unsupported(text);
        }
        if let Some(results) = self.interrupt_control(site)? {
            return Ok(results);
        }
        self.unit.external_functions.insert(site.name.to_owned());
        let source = NondetSource::External(site.name.to_owned());
        self.store_struct_result(site, &source)?;
        let results = self.nondet_results(site, &source)?;
        if self.is_noreturn(site.name) || self.is_followed_by_unreachable() {
            self.builder.stop(StopReason::Abort, None);
        }
        Ok(results)
    }

    /// A function of the C library that does more than to return a value, and has no model.
    fn refuse_known_effect(&self, site: &CallSite<'_>) -> Step<()> {
        let may_point = |operand: &Argument| {
            matches!(operand.ty, Type::Pointer(_)) && operand.value != Value::Constant(Constant::Null)
        };
        let name = site.name;
        match effects::effect(name) {
            None | Some(Effect::None) => Ok(()),
            Some(Effect::Writes) if !site.operands.iter().any(may_point) => Ok(()),
            Some(Effect::Writes) => unsupported(format!("`{name}`, which writes memory and has no model")),
            Some(Effect::Ends) => unsupported(format!("`{name}`, which does not simply return")),
            Some(Effect::CallsBack) => {
                unsupported(format!("`{name}`, which calls a function of the program"))
            }
        }
    }

    fn is_noreturn(&self, name: &str) -> bool {
        match self.unit.symbols.resolve(self.module, name) {
            Some(Symbol {
                module,
                kind: SymbolKind::Function(index),
            }) => {
                let function = &self.unit.modules[module].functions[index];
                function
                    .attributes
                    .iter()
                    .any(|attribute| &**attribute == "noreturn")
            }
            _ => false,
        }
    }

    /// Any values of the result's type.
    pub fn nondet_results(&mut self, site: &CallSite<'_>, source: &NondetSource) -> Step<Vec<Expr>> {
        let leaves = self.types.leaves(site.result)?;
        Ok(leaves
            .iter()
            .map(|leaf| self.nondet(site.name, leaf.ty, source.clone()))
            .collect())
    }

    /// Any value of a type.
    pub fn nondet(&mut self, name: &str, ty: Scalar, source: NondetSource) -> Expr {
        let target = self.builder.temporary(name, ty);
        self.builder.emit(StatementKind::Nondet { target, source });
        Expr::Variable(target)
    }

    /// Any value for a struct that the call returns through a pointer.
    pub fn store_struct_result(&mut self, site: &CallSite<'_>, source: &NondetSource) -> Step<()> {
        for (operand, values) in site.operands.iter().zip(&site.values) {
            if let (Some(ty), Some(pointer)) = (&operand.sret, values.first()) {
                self.store_nondet(ty, pointer.clone(), source)?;
            }
        }
        Ok(())
    }

    fn store_nondet(&mut self, ty: &Type, pointer: Expr, source: &NondetSource) -> Step<()> {
        let align = self.types.align(ty);
        for leaf in self.types.leaves(ty)? {
            let width = self.types.pointer_bits();
            let at = super::expressions::pointer_offset(pointer.clone(), width, leaf.offset);
            let value = self.nondet("any", leaf.ty, source.clone());
            self.store_scalar(
                leaf.ty,
                at,
                value,
                align_at(align, leaf.offset),
                false,
                kripke_elts::AccessChecks::default(),
            );
        }
        Ok(())
    }

    /// A call through a pointer.
    fn indirect_call(&mut self, call: &'m ir::Call) -> Step<Vec<Expr>> {
        let callee = self.scalar(&Type::Pointer(0), &call.callee)?;
        let values = self.argument_values(&call.arguments)?;
        let is_variadic = call
            .function_type
            .as_ref()
            .is_some_and(|ty| ty.variadic && !ty.parameters.is_empty());
        match self.printf_address() {
            Some(printf) if is_variadic => self.call_printf_or(printf, callee, call, values),
            _ => self.call_through(callee, call, values),
        }
    }

    /// The address of `printf`, where the program uses it and `printf` is the primitive.
    fn printf_address(&mut self) -> Option<Expr> {
        if !self.unit.is_address_taken("printf") || self.has_user_body("printf") {
            return None;
        }
        match self.unit.symbols.find("printf")? {
            Symbol {
                module,
                kind: SymbolKind::Function(index),
            } => Some(Expr::FunctionAddress(self.unit.function_id(module, index))),
            _ => None,
        }
    }

    /// A call through a pointer that may point to `printf`, whose arguments only the call site knows.
    fn call_printf_or(
        &mut self,
        printf: Expr,
        callee: Expr,
        call: &'m ir::Call,
        values: Vec<Vec<Expr>>,
    ) -> Step<Vec<Expr>> {
        let leaves = self.types.leaves(&call.result)?;
        let results: Vec<VariableId> = leaves
            .iter()
            .map(|leaf| self.builder.temporary("call", leaf.ty))
            .collect();
        let prints = self.builder.location("call.printf");
        let calls = self.builder.location("call.other");
        let done = self.builder.location("call.done");
        let is_printf = Expr::Binary(
            kripke_elts::BinaryOp::PEq,
            Box::new(callee.clone()),
            Box::new(printf),
        );
        let is_printf = self.builder.hold("is_printf", Scalar::BOOL, is_printf);
        self.builder.branch_on(is_printf, prints, calls);
        self.builder.open(prints);
        let printed = self.call_by_name(&CallSite {
            name: "printf",
            result: &call.result,
            operands: &call.arguments,
            values: values.clone(),
        });
        let printed = printed.unwrap_or_else(|Unsupported(what)| {
            self.builder.unsupported(what);
            Vec::new()
        });
        let assign_all = |translator: &mut Self, values: Vec<Expr>| {
            for (target, value) in results.iter().zip(values) {
                translator.builder.assign(*target, value);
            }
            translator.builder.goto(done);
        };
        assign_all(self, printed);
        self.builder.open(calls);
        let called = self.call_through(callee, call, values)?;
        assign_all(self, called);
        self.builder.open(done);
        Ok(results.into_iter().map(Expr::Variable).collect())
    }

    fn call_through(&mut self, callee: Expr, call: &'m ir::Call, values: Vec<Vec<Expr>>) -> Step<Vec<Expr>> {
        let variadic = call.function_type.as_ref().filter(|ty| ty.variadic);
        let fixed = variadic.map_or(values.len(), |ty| ty.parameters.len().min(values.len()));
        let mut types = Vec::new();
        let mut arguments = Vec::new();
        for (operand, scalars) in call.arguments.iter().zip(&values).take(fixed) {
            types.extend(self.types.leaves(&operand.ty)?.iter().map(|leaf| leaf.ty));
            arguments.extend(scalars.iter().cloned());
        }
        // `f()` without prototype has a variadic type too, but its callee is not variadic.
        let passes_more = values.len() > fixed && fixed > 0;
        if values.len() > fixed && fixed == 0 {
            arguments.extend(values.iter().flatten().cloned());
        } else if passes_more || (variadic.is_some() && fixed > 0 && self.unit.may_be_variadic(&types)) {
            let variable = self.variable_arguments(&call.arguments[fixed..], &values[fixed..])?;
            arguments.push(variable);
        }
        let leaves = self.types.leaves(&call.result)?;
        let results: Vec<VariableId> = leaves
            .iter()
            .map(|leaf| self.builder.temporary("call", leaf.ty))
            .collect();
        let check = self.property(
            PropertyKind::FunctionPointer,
            "call through a pointer to something that is no function of this type",
        );
        self.builder.emit(StatementKind::Call {
            results: results.clone(),
            callee: Callee::Indirect(callee),
            arguments,
            check,
        });
        Ok(results.into_iter().map(Expr::Variable).collect())
    }

    /// Inline assembly: what orders accesses, waits, enables or disables interrupts is known, anything else
    /// has no translation.
    fn inline_assembly(&mut self, text: &str, call: &'m ir::Call) -> Step<Vec<Expr>> {
        let (template, constraints) = parts_of_assembly(text);
        if self.assembly_of_port(template)? {
            return self.results_of_assembly(constraints, call);
        }
        let Some(effects) = effects_of_assembly(template, &self.unit.data_model.triple) else {
            if let Some(results) = self.mask_registers((template, constraints), call)? {
                return Ok(results);
            }
            return unsupported(format!("inline assembly (\"{template}\")"));
        };
        let results = self.results_of_assembly(constraints, call)?;
        for effect in effects {
            self.note_effect(effect);
            self.effect_of_port(effect)?;
        }
        Ok(results)
    }

    /// What an instruction does whose effect is known.
    pub fn note_effect(&mut self, effect: AssemblyEffect) {
        match effect {
            AssemblyEffect::Enables => drop(self.note_interrupts(ENABLES, Vec::new(), &[])),
            AssemblyEffect::Disables => drop(self.note_interrupts(DISABLES, Vec::new(), &[])),
            AssemblyEffect::Waits => self.unit.waits = true,
            AssemblyEffect::Nothing => {}
        }
    }

    /// What inline assembly that changes no register returns. `asm("" : "+r"(x))`: each result is the input
    /// tied to it by number. Outputs in memory stay what they are; their addresses are arguments, before the
    /// inputs.
    fn results_of_assembly(&mut self, constraints: &str, call: &'m ir::Call) -> Step<Vec<Expr>> {
        let all = constraints
            .split(',')
            .filter(|constraint| !constraint.starts_with('~'));
        let (outputs, inputs): (Vec<&str>, Vec<&str>) =
            all.partition(|constraint| constraint.starts_with('='));
        let in_memory = outputs.iter().filter(|output| output.starts_with("=*")).count();
        if self.types.leaves(&call.result)?.len() != outputs.len() - in_memory {
            return unsupported("inline assembly with results");
        }
        let mut results = Vec::new();
        for (number, output) in outputs.iter().enumerate() {
            if output.starts_with("=*") {
                continue;
            }
            let mut ties = inputs.iter().map(|input| input.parse() == Ok(number));
            let tied = ties.position(|is_tied| is_tied);
            let Some(argument) = tied.and_then(|tied| call.arguments.get(in_memory + tied)) else {
                return unsupported("inline assembly with results");
            };
            results.extend(self.value(&argument.ty, &argument.value)?);
        }
        Ok(results)
    }

    /// The body of a declared function whose address is taken: a call of it with its own parameters.
    pub fn write_declared_body(&mut self, parameters: &[VariableId]) -> Step<()> {
        if self.function.variadic && !parameters.is_empty() {
            return unsupported(format!("a call of `{}` through a pointer", self.function.name));
        }
        let function = self.function;
        let operands: Vec<Argument> = function
            .parameters
            .iter()
            .map(|parameter| Argument {
                ty: parameter.ty.clone(),
                value: Value::Local(parameter.name.clone()),
                byval: parameter.byval.clone(),
                sret: parameter.sret.clone(),
                extend: None,
                align: None,
            })
            .collect();
        let values = self.argument_values(&operands)?;
        let results = self.call_by_name(&CallSite {
            name: &function.name,
            result: &function.result,
            operands: &operands,
            values,
        })?;
        for (target, value) in self.results.clone().into_iter().zip(results) {
            self.builder.assign(target, value);
        }
        let exit = self.builder.exit();
        self.builder.goto(exit);
        Ok(())
    }

    /// Zeros of the result's type, for calls whose result means nothing.
    pub fn zero_results(&self, ty: &Type) -> Step<Vec<Expr>> {
        Ok(self.types.leaves(ty)?.iter().map(|leaf| zero(leaf.ty)).collect())
    }
}
