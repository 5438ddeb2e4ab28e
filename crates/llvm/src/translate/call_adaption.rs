//! Calls whose arguments do not have the types of the parameters.
//!
//! Idea: without a prototype, or through a wrong one, C lets a call pass other types than the callee
//! declares. Integers of another width and pointers passed as integers are converted as the registers
//! would; anything else is a violation of kind function-pointer.
//!
//! Which functions are used in which way is found once, by a look at all code.

use kripke_elts::{CastOp as Cast, Expr, NondetSource, Type as Scalar};
use kripke_model::PropertyKind;
use rustc_hash::FxHashSet;

use crate::ir::{Constant, ConstantExpression, InstructionKind, Value};

use super::calls::global_name;
use super::constants::{bits_to_scalar, scalar_bits};
use super::expressions::{boolean, cast, resize};
use super::function::FunctionTranslator;
use super::operands::for_each_operand;
use super::{Step, Translator};

/// How the functions of a program are used.
#[derive(Debug, Default)]
pub struct Uses {
    /// Names of functions whose result some call uses.
    used_results: FxHashSet<String>,
    /// Names whose address is used other than for a direct call.
    address_taken: FxHashSet<String>,
    /// Parameter types of the variadic functions among them.
    variadic_shapes: FxHashSet<Vec<Scalar>>,
}

impl Translator<'_> {
    fn uses(&mut self) -> &Uses {
        if self.uses.is_none() {
            let uses = self.find_uses();
            self.uses = Some(uses);
        }
        self.uses.get_or_insert_default()
    }

    fn find_uses(&self) -> Uses {
        let mut uses = Uses::default();
        for module in self.modules {
            for function in &module.functions {
                let mut results = FxHashSet::default();
                let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
                for instruction in instructions() {
                    for_each_operand(&instruction.kind, |operand| {
                        if let Value::Local(name) = operand {
                            results.insert(&**name);
                        }
                    });
                }
                for instruction in instructions() {
                    let mut callee_seen = !matches!(instruction.kind, InstructionKind::Call(_));
                    if let InstructionKind::Call(call) = &instruction.kind
                        && let Value::Constant(constant) = &call.callee
                        && let Some(name) = global_name(constant)
                        && instruction
                            .result
                            .as_deref()
                            .is_some_and(|result| results.contains(result))
                    {
                        uses.used_results.insert(name.to_owned());
                    }
                    for_each_operand(&instruction.kind, |operand| {
                        if !std::mem::replace(&mut callee_seen, true) {
                            return;
                        }
                        if let Value::Constant(constant) = operand {
                            collect_addresses(constant, &mut uses.address_taken);
                        }
                    });
                }
            }
            for global in &module.globals {
                if let Some(initializer) = &global.initializer {
                    collect_addresses(initializer, &mut uses.address_taken);
                }
            }
        }
        self.collect_variadic_shapes(&mut uses);
        uses
    }

    fn collect_variadic_shapes(&self, uses: &mut Uses) {
        for (module, ir) in self.modules.iter().enumerate() {
            let types = self.types(module);
            for function in &ir.functions {
                if !function.variadic || !uses.address_taken.contains(&*function.name) {
                    continue;
                }
                let leaves = function
                    .parameters
                    .iter()
                    .map(|parameter| types.leaves(&parameter.ty));
                if let Ok(leaves) = leaves.collect::<Step<Vec<_>>>() {
                    let shape = leaves.into_iter().flatten().map(|leaf| leaf.ty).collect();
                    uses.variadic_shapes.insert(shape);
                }
            }
        }
    }

    /// True when some call uses the function's result, or calls it through a pointer.
    pub fn is_result_used(&mut self, name: &str) -> bool {
        let uses = self.uses();
        uses.used_results.contains(name) || uses.address_taken.contains(name)
    }

    /// True when the function's address is used other than to call it directly.
    pub fn is_address_taken(&mut self, name: &str) -> bool {
        self.uses().address_taken.contains(name)
    }

    /// True when a variadic function with these fixed parameters may be called through a pointer.
    pub fn may_be_variadic(&mut self, fixed: &[Scalar]) -> bool {
        self.uses().variadic_shapes.contains(fixed)
    }
}

fn collect_addresses(constant: &Constant, found: &mut FxHashSet<String>) {
    match constant {
        Constant::Global(name) => {
            found.insert(name.to_string());
        }
        Constant::Aggregate(elements) => elements
            .iter()
            .for_each(|(_, element)| collect_addresses(element, found)),
        Constant::Expression(expression) => match &**expression {
            ConstantExpression::Cast { value, .. } => collect_addresses(value, found),
            ConstantExpression::GetElementPointer { base, .. } => collect_addresses(&base.1, found),
            ConstantExpression::Binary { left, right, .. }
            | ConstantExpression::Compare { left, right, .. } => {
                collect_addresses(left, found);
                collect_addresses(right, found);
            }
            ConstantExpression::Select {
                condition,
                then,
                otherwise,
                ..
            } => [condition, then, otherwise]
                .into_iter()
                .for_each(|part| collect_addresses(part, found)),
            ConstantExpression::Unknown(_) => {}
        },
        _ => {}
    }
}

impl FunctionTranslator<'_, '_> {
    /// The passed scalars as scalars of the wanted types.
    pub fn adapt_arguments(
        &mut self,
        name: &str,
        passed: Vec<(Scalar, Expr)>,
        wanted: &[Scalar],
    ) -> Step<Vec<Expr>> {
        let mut passed = passed.into_iter();
        let mut adapted = Vec::with_capacity(wanted.len());
        for &to in wanted {
            let value = match passed.next() {
                Some((from, value)) => self.adapt_scalar(from, value, to),
                None => None,
            };
            adapted.push(match value {
                Some(value) => value,
                None => {
                    let text =
                        format!("`{name}` is called with arguments of other types than its parameters");
                    self.assert_that(boolean(false), PropertyKind::FunctionPointer, &text);
                    self.nondet("argument", to, NondetSource::Uninitialised)
                }
            });
        }
        Ok(adapted)
    }

    fn adapt_scalar(&self, from: Scalar, value: Expr, to: Scalar) -> Option<Expr> {
        let width = self.types.pointer_bits();
        match (from, to) {
            _ if from == to => Some(value),
            (Scalar::Int(a), Scalar::Int(b)) => Some(resize(value, a, b, false)),
            (Scalar::Pointer, Scalar::Int(b)) => {
                let address = cast(Cast::PointerToInt, value, Scalar::Int(width));
                Some(resize(address, width, b, false))
            }
            (Scalar::Int(a), Scalar::Pointer) => {
                let address = resize(value, a, width, true);
                Some(cast(Cast::IntToPointer, address, Scalar::Pointer))
            }
            (Scalar::Float(format), Scalar::Int(b)) if format.bits() == b => {
                Some(scalar_bits(width, from, value))
            }
            (Scalar::Int(a), Scalar::Float(format)) if format.bits() == a => Some(bits_to_scalar(to, value)),
            _ => None,
        }
    }
}
