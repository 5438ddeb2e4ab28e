//! What enables and disables interrupts: calls of functions that do nothing.
//!
//! Idea: without handlers there is nothing to enable. Where handlers are put into the program afterwards, the
//! calls say where they may come; so does the beginning and the end of what the processor does at once.

use std::collections::BTreeSet;

use kripke_elts::interrupts::{
    AssemblyEffect, ENABLES, READS_BASE, READS_MASK, STARTS_ENABLED, control_by_name, effects_of_assembly,
};
use kripke_elts::{
    Callee, Expr, Function, FunctionId, NondetSource, Position, Statement, StatementKind, Type as Scalar,
    Variable, VariableId, VariableKind,
};

use super::calls::CallSite;
use super::function::FunctionTranslator;
use super::handlers::{Place, callee_of};
use super::idle::assembly;
use super::{Step, Translator};

impl Translator<'_> {
    /// Does a function without a body matter to interrupts?
    pub fn controls_interrupts(&self, name: &str) -> bool {
        let named = self.options.interrupt_functions.as_ref();
        named.is_some_and(|named| named.contains(name) || control_by_name(name).is_some())
    }

    /// Notes what avr-libc runs before `main`, as nothing calls it: functions in the sections `.init0` to
    /// `.init9`, one after the other.
    pub fn note_initial_functions(&mut self) {
        let is_wanted = self.options.interrupt_functions.is_some();
        if !is_wanted || !self.data_model.triple.starts_with("avr") {
            return;
        }
        let mut names = Vec::new();
        let mut enables = false;
        for (module, ir) in self.own_modules() {
            for (index, function) in ir.functions.iter().enumerate() {
                let section = function.section.as_deref().unwrap_or_default();
                let is_initial = section.strip_prefix(".init").is_some_and(|number| {
                    number.starts_with(|digit: char| digit.is_ascii_digit()) && !function.blocks.is_empty()
                });
                if is_initial {
                    names.push(self.quoted((module, index)));
                    enables |= self.may_enable((module, index));
                }
            }
        }
        if enables {
            self.marker(STARTS_ENABLED, &[], &[]);
        }
        let nothing = "before `main`: that is not followed, but that `sei` there enables interrupts";
        self.list_names(&names, &format!("runs {nothing}"), &format!("run {nothing}"));
    }

    /// May a function enable interrupts, or what it calls by name?
    fn may_enable(&self, first: Place) -> bool {
        let mut seen = BTreeSet::from([first]);
        let mut open = vec![first];
        while let Some((module, index)) = open.pop() {
            let blocks = &self.modules[module].functions[index].blocks;
            for instruction in blocks.iter().flat_map(|block| &block.instructions) {
                let template = assembly(instruction);
                if template.is_some_and(|template| enables(template, &self.data_model.triple)) {
                    return true;
                }
                let callee = callee_of(instruction);
                let callee = callee.and_then(|name| self.function_with_body(module, name));
                open.extend(callee.filter(|callee| seen.insert(*callee)));
            }
        }
        false
    }

    /// The function of that name that does nothing.
    fn marker(&mut self, name: &str, parameters: &[Scalar], results: &[Scalar]) -> FunctionId {
        if let Some(&id) = self.markers.get(name) {
            return id;
        }
        let id = self.functions.push(does_nothing(name, parameters, results));
        self.markers.insert(name.to_owned(), id);
        id
    }
}

impl FunctionTranslator<'_, '_> {
    /// A handler of an AVR that has the attribute `interrupt`, not `signal`, begins with `sei`.
    pub fn note_nested_handler(&mut self) {
        let mut attributes = self.function.attributes.iter();
        let is_avr = self.unit.data_model.triple.starts_with("avr");
        if is_avr && attributes.any(|word| &**word == "interrupt") {
            self.note_interrupts(ENABLES, Vec::new(), &[]);
        }
    }

    /// A call of a function without a body that matters to interrupts. The results of those that are known
    /// are returned.
    pub fn interrupt_control(&mut self, site: &CallSite<'_>) -> Step<Option<Vec<Expr>>> {
        if !self.unit.controls_interrupts(site.name) {
            return Ok(None);
        }
        let mut arguments = Vec::new();
        for (operand, values) in site.operands.iter().zip(&site.values) {
            let leaves = self.types.leaves(&operand.ty)?;
            arguments.extend(leaves.iter().map(|leaf| leaf.ty).zip(values.iter().cloned()));
        }
        let leaves = self.types.leaves(site.result)?;
        let results: Vec<Scalar> = leaves.iter().map(|leaf| leaf.ty).collect();
        match results[..] {
            [Scalar::Int(_)] if site.name == "__get_PRIMASK" => {
                Ok(Some(self.note_interrupts(READS_MASK, Vec::new(), &results)))
            }
            [Scalar::Int(_)] if site.name == "__get_BASEPRI" => {
                Ok(Some(self.note_interrupts(READS_BASE, Vec::new(), &results)))
            }
            _ => {
                self.note_interrupts(site.name, arguments, &[]);
                let is_known = results.is_empty() && control_by_name(site.name).is_some();
                Ok(is_known.then(Vec::new))
            }
        }
    }

    /// A call of the function of that name that does nothing.
    pub fn note_interrupts(
        &mut self,
        name: &str,
        arguments: Vec<(Scalar, Expr)>,
        result_types: &[Scalar],
    ) -> Vec<Expr> {
        let types: Vec<Scalar> = arguments.iter().map(|(ty, _)| *ty).collect();
        let id = self.unit.marker(name, &types, result_types);
        let results: Vec<VariableId> = { result_types.iter() }
            .map(|ty| self.builder.temporary("call", *ty))
            .collect();
        let marker = &self.unit.functions[id];
        let has = |variables: &[VariableId], types: &[Scalar]| {
            let known = variables.iter().map(|variable| marker.variables[*variable].ty);
            known.eq(types.iter().copied())
        };
        if !has(&marker.parameters, &types) || !has(&marker.results, result_types) {
            let what = format!("`{name}` is called with other types than elsewhere");
            self.builder.emit(StatementKind::Unsupported { what });
            return results.into_iter().map(Expr::Variable).collect();
        }
        self.builder.emit(StatementKind::Call {
            results: results.clone(),
            callee: Callee::Direct(id),
            arguments: arguments.into_iter().map(|(_, value)| value).collect(),
            check: None,
        });
        results.into_iter().map(Expr::Variable).collect()
    }

    /// Begins or ends what the processor does at once; nothing where no handler may come between.
    pub fn note_atomic(&mut self, name: &str) {
        if self.unit.marks_atomic {
            self.note_interrupts(name, Vec::new(), &[]);
        }
    }
}

/// May inline assembly enable interrupts, as far as its words say?
fn enables(template: &str, triple: &str) -> bool {
    match effects_of_assembly(template, triple) {
        Some(effects) => effects.contains(&AssemblyEffect::Enables),
        None => {
            let template = template.to_ascii_lowercase();
            template.contains("sei") || template.contains("bset")
        }
    }
}

/// A function that does nothing, and returns any values.
fn does_nothing(name: &str, parameters: &[Scalar], results: &[Scalar]) -> Function {
    let variable = |name: String, ty: Scalar, kind: VariableKind| Variable {
        name,
        ty,
        kind,
        c_type: None,
        position: Position::default(),
    };
    let parameters = parameters.iter().enumerate().map(|(index, ty)| {
        let name = format!("argument.{index}");
        variable(name, *ty, VariableKind::Parameter)
    });
    let nowhere = (Position::default(), Position::default());
    let mut function = Function::without_effect(name.to_owned(), parameters, nowhere);
    for (index, ty) in results.iter().enumerate() {
        let result = variable(format!("result.{index}"), *ty, VariableKind::Temporary);
        let target = function.variables.push(result);
        function.results.push(target);
        let source = NondetSource::Library(name.to_owned());
        let any = Statement {
            kind: StatementKind::Nondet { target, source },
            position: Position::default(),
        };
        let entry = &mut function.locations[function.entry];
        entry.transitions[0].statements.push(any);
    }
    function
}
