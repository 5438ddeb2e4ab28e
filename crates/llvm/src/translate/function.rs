//! One function: parameters, variables, blocks and how control passes between them.
//!
//! Idea: a basic block is a location; its instructions are the statements of one transition, and a branch
//! at its end leaves a second location under guards. Phi nodes are parallel assignments on the edges.
//! A branch to a block that only reports a failure becomes an assertion of its condition.
//!
//! Invariant: an SSA value's expression mentions only temporaries, which are assigned once per visit of
//! the definition; reading a C variable copies it first.

use std::collections::BTreeSet;

use kripke_elts::{
    BinaryOp, CTypeId, Expr, Function, FunctionId, LocationId, Position, Statement, StatementKind,
    StopReason, Type as Scalar, VariableId, VariableKind,
};
use kripke_model::PropertyKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::debug_info::LocalVariable;
use crate::ir::{self, Block, Constant, Instruction, InstructionKind, Type, Value};

use super::assignment::doubtful_slots;
use super::blocks::BlockObjects;
use super::builder::Builder;
use super::cfg::{Cfg, literal_condition};
use super::expressions::{all, any, as_boolean, binary, boolean, mentions, not};
use super::layout::Types;
use super::locals::{Allocas, Local, is_reset_by_declaration};
use super::memory::KnownObject;
use super::operands::for_each_operand;
use super::properties::{assertion_text_argument, sanitizer_failure};
use super::regions::Region;
use super::scopes::{MarkerCasts, Scopes, marker_casts};
use super::{Step, Translator, Unsupported, unsupported};

/// The translation of one function.
pub struct FunctionTranslator<'t, 'm> {
    pub unit: &'t mut Translator<'m>,
    pub module: usize,
    pub function: &'m ir::Function,
    pub id: FunctionId,
    pub types: Types<'m>,
    pub builder: Builder,
    /// Scalars of each SSA value.
    pub values: FxHashMap<&'m str, Vec<Expr>>,
    /// Promoted `alloca`s.
    pub locals: FxHashMap<&'m str, Local>,
    /// Temporaries that hold the address of an object of this function.
    pub objects: FxHashMap<VariableId, KnownObject>,
    /// For other temporaries that hold a pointer into such an object or a global: its address.
    pub derived: FxHashMap<VariableId, Expr>,
    /// For temporaries that hold the address of a checked array element: what they may touch.
    pub elements: FxHashMap<VariableId, Region>,
    /// Declarations by LLVM name.
    pub declarations: FxHashMap<&'m str, LocalVariable>,
    /// The instruction that defines each SSA value.
    pub definitions: FxHashMap<&'m str, &'m Instruction>,
    /// The instructions that use each SSA value.
    pub users: FxHashMap<&'m str, Vec<&'m Instruction>>,
    /// The hidden pointer to the variable arguments.
    pub variable_arguments: Option<VariableId>,
    pub results: Vec<VariableId>,
    /// Where the objects of this function live.
    pub scopes: Scopes<'m>,
    /// The same for objects without markers.
    pub block_objects: BlockObjects<'m>,
    /// Is the block being written one that control may come back to?
    pub is_repeated: bool,
    /// Casts that only markers of lives use.
    pub marker_casts: MarkerCasts<'m>,
    pub in_library: bool,
    phis: FxHashMap<&'m str, Vec<Vec<VariableId>>>,
    locations: Vec<Option<LocationId>>,
    pub labels: FxHashMap<&'m str, usize>,
    /// For each block its only predecessor, where it has just one.
    pub only_predecessor: Vec<Option<usize>>,
    /// The block being written.
    pub current_block: usize,
    /// Blocks that the block being written branches to.
    targets: Vec<usize>,
    /// The instruction after the one being written.
    following: Option<&'m Instruction>,
}

/// A failure that a block reports and does nothing else.
pub struct Failure {
    pub kind: PropertyKind,
    description: String,
    position: Position,
}

impl<'t, 'm> FunctionTranslator<'t, 'm> {
    /// Translates a function, or writes the body of a declared one as its calls would be translated.
    pub fn translate(unit: &'t mut Translator<'m>, id: FunctionId, module: usize, index: usize) -> Function {
        let modules = unit.modules;
        let function = &modules[module].functions[index];
        let name = unit.functions[id].name.clone();
        let position = unit.functions[id].position;
        let types = unit.types(module);
        let mut translator = FunctionTranslator {
            in_library: modules[module].is_library_model,
            unit,
            module,
            function,
            id,
            types,
            builder: Builder::new(position),
            values: FxHashMap::default(),
            locals: FxHashMap::default(),
            objects: FxHashMap::default(),
            derived: FxHashMap::default(),
            elements: FxHashMap::default(),
            declarations: FxHashMap::default(),
            definitions: FxHashMap::default(),
            users: FxHashMap::default(),
            variable_arguments: None,
            results: Vec::new(),
            scopes: Scopes::default(),
            block_objects: BlockObjects::default(),
            is_repeated: false,
            marker_casts: marker_casts(function),
            phis: FxHashMap::default(),
            locations: Vec::new(),
            labels: FxHashMap::default(),
            only_predecessor: Vec::new(),
            current_block: 0,
            targets: Vec::new(),
            following: None,
        };
        let parameters = match translator.write() {
            Ok(parameters) => parameters,
            Err(Unsupported(what)) => {
                translator.builder.unsupported(what);
                Vec::new()
            }
        };
        let results = translator.results;
        translator
            .builder
            .finish(name, parameters, results, position, function.variadic)
    }

    fn write(&mut self) -> Step<Vec<VariableId>> {
        let allocas = Allocas::new(self.function, &self.types, &self.marker_casts);
        self.collect_definitions();
        self.read_declarations(&allocas);
        let parameters = self.write_parameters(&allocas)?;
        self.write_results()?;
        if let Err(Unsupported(what)) = self.write_body(&allocas, &parameters) {
            self.builder.unsupported(what);
        }
        Ok(parameters)
    }

    fn write_body(&mut self, allocas: &Allocas<'m>, parameters: &[VariableId]) -> Step<()> {
        if self.function.blocks.is_empty() {
            return self.write_declared_body(parameters);
        }
        let cfg = Cfg::new(self.function);
        self.write_locals(allocas, &cfg);
        self.find_scopes(&cfg, allocas);
        self.copy_byval_parameters()?;
        self.note_nested_handler();
        if matches!(&*self.function.name, "reach_error" | "__VERIFIER_error") && !self.asserts_itself() {
            self.assert_that(boolean(false), PropertyKind::Assertion, "reach_error is reached");
        }
        self.write_blocks(&cfg)
    }

    fn collect_definitions(&mut self) {
        for instruction in self.function.blocks.iter().flat_map(|block| &block.instructions) {
            if let Some(name) = &instruction.result {
                self.definitions.insert(name, instruction);
            }
            for_each_operand(&instruction.kind, |operand| {
                if let Value::Local(name) = operand {
                    self.users.entry(name).or_default().push(instruction);
                }
            });
        }
    }

    fn read_declarations(&mut self, allocas: &Allocas<'m>) {
        for (&name, &node) in &allocas.declarations {
            let debug = &mut self.unit.debug[self.module];
            if let Some(declaration) = debug.local_variable(node, &mut self.unit.tables) {
                self.declarations.insert(name, declaration);
            }
        }
    }

    fn write_parameters(&mut self, allocas: &Allocas<'m>) -> Step<Vec<VariableId>> {
        let function_position = self.builder.position;
        let mut slots: FxHashMap<&str, &str> = FxHashMap::default();
        for (slot, parameter) in &allocas.parameters {
            slots.insert(parameter, slot);
        }
        let mut variables = Vec::new();
        for parameter in &self.function.parameters {
            let name = &*parameter.name;
            let declared = slots.get(name).copied().unwrap_or(name);
            let declared_slot = format!("{name}.addr");
            let declaration = self
                .declarations
                .get(declared)
                .or_else(|| self.declarations.get(declared_slot.as_str()));
            let declaration = declaration.filter(|_| parameter.byval.is_none()).cloned();
            let leaves = self.types.leaves(&parameter.ty)?;
            let mut values = Vec::with_capacity(leaves.len());
            for (at, leaf) in leaves.iter().enumerate() {
                let (c_name, c_type, position) = match &declaration {
                    Some(d) if leaves.len() == 1 => (d.name.clone(), Some(d.c_type), d.position),
                    _ if leaves.len() == 1 => (name.to_owned(), None, function_position),
                    _ => (format!("{name}.{at}"), None, function_position),
                };
                let variable =
                    self.builder
                        .variable(&c_name, leaf.ty, VariableKind::Parameter, c_type, position);
                variables.push(variable);
                values.push(Expr::Variable(variable));
            }
            self.values.insert(name, values);
        }
        if self.function.variadic {
            let pointer = self.builder.variable(
                "variable_arguments",
                Scalar::Pointer,
                VariableKind::Parameter,
                None,
                function_position,
            );
            self.variable_arguments = Some(pointer);
            variables.push(pointer);
        }
        Ok(variables)
    }

    fn write_results(&mut self) -> Step<()> {
        let c_type = self.result_c_type();
        let leaves = self.types.leaves(&self.function.result)?;
        for (at, leaf) in leaves.iter().enumerate() {
            let (name, c_type) = match leaves.len() {
                1 => ("return_value".to_owned(), c_type),
                _ => (format!("return_value.{at}"), None),
            };
            let position = self.builder.position;
            let variable = self
                .builder
                .variable(&name, leaf.ty, VariableKind::Temporary, c_type, position);
            self.results.push(variable);
        }
        Ok(())
    }

    fn result_c_type(&mut self) -> Option<CTypeId> {
        let debug = &mut self.unit.debug[self.module];
        let function = debug.function(self.function.debug, &mut self.unit.tables)?;
        Some(function.result)
    }

    fn write_locals(&mut self, allocas: &Allocas<'m>, cfg: &Cfg<'m>) {
        let slots: Vec<&str> = allocas.promoted.iter().map(|slot| slot.0).collect();
        let resets: FxHashSet<&str> = slots
            .iter()
            .copied()
            .filter(|slot| self.declarations.get(slot).is_some_and(is_reset_by_declaration))
            .collect();
        let doubtful = doubtful_slots(self.function, cfg, &slots, &resets, |name| {
            self.users.contains_key(name)
        });
        for &(slot, ty) in &allocas.promoted {
            let declaration = self.declarations.get(slot).cloned();
            let parameter = allocas.parameters.get(slot).copied();
            let parameter_value = parameter.and_then(|name| self.values.get(name)?.first().cloned());
            let variable = match (parameter_value, &declaration) {
                (Some(Expr::Variable(variable)), _) => variable,
                (_, Some(d)) if !d.artificial => {
                    self.builder
                        .variable(&d.name, ty, VariableKind::Local, Some(d.c_type), d.position)
                }
                _ => self.builder.temporary(slot, ty),
            };
            let name = declaration.map_or_else(|| slot.to_owned(), |declaration| declaration.name);
            let mut local = Local {
                variable,
                ty,
                assigned: None,
                parameter: parameter.map(str::to_owned),
                name,
                is_result_slot: slot == "retval",
            };
            if doubtful.contains(slot) {
                let flag_name = format!("{}.assigned", local.name);
                local.assigned = Some(self.builder.temporary(&flag_name, Scalar::BOOL));
                self.make_indeterminate(&local);
            }
            self.locals.insert(slot, local);
        }
    }

    fn find_scopes(&mut self, cfg: &Cfg<'m>, allocas: &Allocas<'m>) {
        let is_promoted = |slot: &str| self.locals.contains_key(slot);
        self.scopes = Scopes::new(self.function, cfg, &self.marker_casts, is_promoted);
        let is_other = |slot: &str| {
            let declared = self.declarations.get(slot);
            let is_own = declared.is_some_and(|declaration| !is_reset_by_declaration(declaration));
            is_promoted(slot) || self.scopes.is_marked(slot) || is_own
        };
        let debug = &self.unit.debug[self.module];
        self.block_objects = BlockObjects::new(self.function, cfg, debug, &allocas.declarations, is_other);
        let arrays: Vec<&str> = self.scopes.restored_arrays().collect();
        for name in arrays {
            let target = self.declare_stack_object(name, None, 1);
            self.builder.assign(target, Expr::Null);
        }
    }

    /// The variable has no value (yet, or again).
    pub fn make_indeterminate(&mut self, local: &Local) {
        let Some(assigned) = local.assigned else { return };
        self.builder.emit(StatementKind::Nondet {
            target: local.variable,
            source: kripke_elts::NondetSource::Uninitialised,
        });
        self.builder.assign(assigned, boolean(false));
    }

    fn write_blocks(&mut self, cfg: &Cfg<'m>) -> Step<()> {
        let blocks = &self.function.blocks;
        self.labels = cfg.index.clone();
        self.only_predecessor = cfg.only_predecessor.clone();
        self.locations = vec![None; blocks.len()];
        for &block in &cfg.order {
            self.write_phi_variables(&blocks[block])?;
        }
        let entry = self.location_of(0);
        self.builder.goto(entry);
        let mut written = vec![false; blocks.len()];
        let mut waiting = BTreeSet::from([0usize]);
        while let Some(rank) = waiting.pop_first() {
            let Some(&block) = cfg.order.get(rank) else {
                continue;
            };
            if std::mem::replace(&mut written[block], true) {
                continue;
            }
            self.targets.clear();
            self.current_block = block;
            self.scopes.enter_block(block);
            self.block_objects.enter_block(block, &blocks[block]);
            self.is_repeated = cfg.is_repeated[block];
            self.write_block(block, &blocks[block]);
            for &target in &self.targets {
                if let (false, Some(rank)) = (written[target], cfg.rank[target]) {
                    waiting.insert(rank);
                }
            }
        }
        Ok(())
    }

    fn location_of(&mut self, block: usize) -> LocationId {
        match self.locations[block] {
            Some(location) => location,
            None => {
                let location = self.builder.location(&self.function.blocks[block].label);
                self.locations[block] = Some(location);
                location
            }
        }
    }

    fn write_phi_variables(&mut self, block: &'m Block) -> Step<()> {
        let mut all_variables = Vec::new();
        for instruction in &block.instructions {
            let (InstructionKind::Phi { ty, .. }, Some(name)) = (&instruction.kind, &instruction.result)
            else {
                break;
            };
            let leaves = self.types.leaves(ty)?;
            let variables: Vec<VariableId> = leaves
                .iter()
                .map(|leaf| self.builder.temporary(name, leaf.ty))
                .collect();
            let values = variables.iter().copied().map(Expr::Variable).collect();
            self.values.insert(name, values);
            all_variables.push(variables);
        }
        if !all_variables.is_empty() {
            self.phis.insert(&block.label, all_variables);
        }
        Ok(())
    }

    fn write_block(&mut self, index: usize, block: &'m Block) {
        let location = self.location_of(index);
        let first = block
            .instructions
            .iter()
            .find(|instruction| instruction.debug.is_some());
        if let Some(first) = first {
            self.move_to(first);
        }
        let position = self.builder.position;
        self.builder.place(location, position);
        self.builder.open(location);
        for (at, instruction) in block.instructions.iter().enumerate() {
            self.move_to(instruction);
            let crossing = self.block_objects.pass(instruction);
            self.write_crossing(crossing);
            self.following = block.instructions.get(at + 1);
            if let Err(Unsupported(what)) = self.write_instruction(block, instruction) {
                self.builder.unsupported(what);
            }
            if !self.builder.is_open() {
                return;
            }
        }
        self.builder
            .unsupported("a block without a terminator".to_owned());
    }

    pub fn move_to(&mut self, instruction: &Instruction) {
        let debug = &mut self.unit.debug[self.module];
        let position = debug.position(instruction.debug, &mut self.unit.tables);
        if position.line != 0 {
            self.builder.position = position;
        }
    }

    fn write_instruction(&mut self, block: &'m Block, instruction: &'m Instruction) -> Step<()> {
        match &instruction.kind {
            InstructionKind::Return(value) => self.write_return(value.as_ref()),
            InstructionKind::Branch { target } => {
                let (from, target) = self.follow_cleanups(block, target)?;
                let (statements, location) = self.edge(from, target)?;
                self.builder.branch(vec![(boolean(true), statements, location)]);
                Ok(())
            }
            InstructionKind::ConditionalBranch {
                condition,
                then,
                otherwise,
            } => self.write_conditional(block, condition, then, otherwise),
            InstructionKind::Switch {
                value,
                default,
                cases,
            } => self.write_switch(block, value, default, cases),
            InstructionKind::Unreachable => {
                self.assert_that(
                    boolean(false),
                    PropertyKind::Unreachable,
                    "code marked unreachable is reached",
                );
                self.builder.stop(StopReason::Abort, None);
                Ok(())
            }
            _ => self.write_simple_instruction(instruction),
        }
    }

    fn write_return(&mut self, value: Option<&'m (Type, Value)>) -> Step<()> {
        if let Some((ty, value)) = value {
            let values = self.value(ty, value)?;
            for (target, value) in self.results.clone().into_iter().zip(values) {
                self.builder.assign(target, value);
            }
        }
        let exit = self.builder.exit();
        self.builder.goto(exit);
        Ok(())
    }

    fn write_conditional(
        &mut self,
        block: &'m Block,
        condition: &'m Value,
        then: &'m str,
        otherwise: &'m str,
    ) -> Step<()> {
        let condition = self.scalar(&Type::Int(1), condition)?;
        let only = match (self.failure_of(then), self.failure_of(otherwise)) {
            (None, Some(failure)) => {
                self.assert_failure(condition.clone(), failure);
                Some(then)
            }
            (Some(failure), None) => {
                self.assert_failure(not(condition.clone()), failure);
                Some(otherwise)
            }
            _ if then == otherwise => Some(then),
            _ => as_boolean(&condition).map(|decided| if decided { then } else { otherwise }),
        };
        if let Some(label) = only {
            let (statements, location) = self.edge(block, label)?;
            self.builder.branch(vec![(boolean(true), statements, location)]);
            return Ok(());
        }
        let (then_statements, then_location) = self.edge(block, then)?;
        let (other_statements, other_location) = self.edge(block, otherwise)?;
        let negated = not(condition.clone());
        self.builder.branch(vec![
            (condition, then_statements, then_location),
            (negated, other_statements, other_location),
        ]);
        Ok(())
    }

    fn write_switch(
        &mut self,
        block: &'m Block,
        value: &'m (Type, Value),
        default: &'m str,
        cases: &'m [(Constant, std::sync::Arc<str>)],
    ) -> Step<()> {
        let scrutinee = self.scalar(&value.0, &value.1)?;
        let mut by_target: Vec<(&str, Vec<Expr>)> = Vec::new();
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        for (constant, label) in cases {
            let case = self.scalar(&value.0, &Value::Constant(constant.clone()))?;
            let matches = binary(BinaryOp::Eq, scrutinee.clone(), case);
            if **label == *default {
                continue;
            }
            let place = *places.entry(label).or_insert_with(|| {
                by_target.push((label, Vec::new()));
                by_target.len() - 1
            });
            by_target[place].1.push(matches);
        }
        let guards: Vec<(&str, Expr)> = by_target
            .into_iter()
            .map(|(label, cases)| (label, any(cases)))
            .collect();
        let none = all(guards.iter().map(|(_, guard)| not(guard.clone())).collect());
        let mut branches = Vec::with_capacity(guards.len() + 1);
        for (label, guard) in guards {
            let (statements, location) = self.edge(block, label)?;
            branches.push((guard, statements, location));
        }
        let (statements, location) = self.edge(block, default)?;
        branches.push((none, statements, location));
        branches.retain(|(guard, ..)| as_boolean(guard) != Some(false));
        self.builder.branch(branches);
        Ok(())
    }

    /// The assignments and the target of the edge from a block to a label.
    fn edge(&mut self, from: &'m Block, to: &str) -> Step<(Vec<Statement>, LocationId)> {
        let function = self.function;
        let Some(&at) = self.labels.get(to) else {
            return unsupported(format!("a branch to the unknown label `{to}`"));
        };
        self.targets.push(at);
        let location = self.location_of(at);
        let block = &function.blocks[at];
        let mut statements = self.crossing_statements(self.block_objects.pass_edge(block));
        let Some(variables) = self.phis.get(&*block.label).cloned() else {
            return Ok((statements, location));
        };
        let mut moves: Vec<(VariableId, Expr)> = Vec::new();
        for (instruction, targets) in block.instructions.iter().zip(variables) {
            let InstructionKind::Phi { ty, incoming } = &instruction.kind else {
                break;
            };
            let Some((value, _)) = incoming.iter().find(|(_, label)| *label == from.label) else {
                return unsupported("a phi node without a value for this edge");
            };
            let values = self.value(ty, value)?;
            moves.extend(targets.into_iter().zip(values));
        }
        moves.retain(|(target, value)| *value != Expr::Variable(*target));
        statements.extend(self.parallel_assignment(moves));
        Ok((statements, location))
    }

    fn parallel_assignment(&mut self, moves: Vec<(VariableId, Expr)>) -> Vec<Statement> {
        let is_overwritten_early =
            |at: usize, value: &Expr| moves[..at].iter().any(|(target, _)| mentions(value, *target));
        let needs_copies = moves
            .iter()
            .enumerate()
            .any(|(at, (_, value))| is_overwritten_early(at, value));
        let mut statements = Vec::with_capacity(moves.len());
        let mut values: Vec<(VariableId, Expr)> = Vec::with_capacity(moves.len());
        for (target, value) in moves {
            let value = if needs_copies {
                let ty = self.builder.variable_info(target).ty;
                let copy = self.builder.temporary("phi", ty);
                statements.push(
                    self.builder
                        .statement(StatementKind::Assign { target: copy, value }),
                );
                Expr::Variable(copy)
            } else {
                value
            };
            values.push((target, value));
        }
        for (target, value) in values {
            statements.push(self.builder.statement(StatementKind::Assign { target, value }));
        }
        statements
    }

    /// True when clang holds that the call being written does not return: its sanitizer takes the attribute
    /// off the function, and reports unreachable code at the call's own position.
    pub fn is_followed_by_unreachable(&mut self) -> bool {
        let Some(following) = self.following else {
            return false;
        };
        let position = self.builder.position;
        match &following.kind {
            InstructionKind::Unreachable => true,
            InstructionKind::ConditionalBranch {
                condition, otherwise, ..
            } if literal_condition(condition) == Some(false) => {
                let failure = self.failure_of(otherwise);
                failure.is_some_and(|failure| {
                    failure.kind == PropertyKind::Unreachable && failure.position == position
                })
            }
            _ => false,
        }
    }

    /// What the block reports, when that is all it does.
    pub fn failure_of(&mut self, label: &str) -> Option<Failure> {
        let function = self.function;
        let block = &function.blocks[*self.labels.get(label)?];
        let is_marker = |kind: &InstructionKind| {
            matches!(
                kind,
                InstructionKind::DebugDeclare { .. } | InstructionKind::DebugValue { .. }
            )
        };
        let instruction = block
            .instructions
            .iter()
            .find(|instruction| !is_marker(&instruction.kind))?;
        let InstructionKind::Call(call) = &instruction.kind else {
            return None;
        };
        let Value::Constant(Constant::Global(name)) = &call.callee else {
            return None;
        };
        let (kind, description) = self.reported_failure(name, &call.arguments)?;
        if kind == PropertyKind::Assertion && !self.unit.checks(kind) {
            return None;
        }
        let debug = &mut self.unit.debug[self.module];
        let position = debug.position(instruction.debug, &mut self.unit.tables);
        Some(Failure {
            kind,
            description,
            position,
        })
    }

    /// The failure that a call of this function reports.
    pub fn reported_failure(&self, name: &str, arguments: &[ir::Argument]) -> Option<(PropertyKind, String)> {
        if let Some((kind, description)) = sanitizer_failure(name) {
            return Some((kind, description.to_owned()));
        }
        let text = assertion_text_argument(name, arguments.len())?;
        if self.has_user_body(name) {
            return None;
        }
        let text = text.and_then(|index| match &arguments.get(index)?.value {
            Value::Constant(constant) => self.unit.literal_text(self.module, constant),
            _ => None,
        });
        let description = text.unwrap_or_else(|| match name {
            "reach_error" | "__VERIFIER_error" => "reach_error is reached".to_owned(),
            _ => "assertion".to_owned(),
        });
        Some((PropertyKind::Assertion, description))
    }

    fn assert_failure(&mut self, condition: Expr, failure: Failure) {
        let position = self.builder.position;
        if failure.position.line != 0 {
            self.builder.position = failure.position;
        }
        self.assert_that(condition, failure.kind, &failure.description);
        self.builder.position = position;
    }

    /// Asserts a condition, unless it is known to hold or its kind is not checked.
    pub fn assert_that(&mut self, condition: Expr, kind: PropertyKind, description: &str) {
        if as_boolean(&condition) == Some(true) {
            return;
        }
        if let Some(property) = self.property(kind, description) {
            self.builder.emit(StatementKind::Assert { condition, property });
        }
    }

    /// The property of this kind at the current position; none when its kind is not checked.
    pub fn property(&mut self, kind: PropertyKind, description: &str) -> Option<kripke_elts::PropertyId> {
        let (kind, description) = if self.in_library {
            let name = &*self.function.name;
            let text = format!(
                "{}: {description}",
                name.strip_prefix("__kripke_").unwrap_or(name)
            );
            (PropertyKind::LibraryContract, text)
        } else {
            (kind, description.to_owned())
        };
        if !self.unit.checks(kind) {
            return None;
        }
        let position = self.builder.position;
        Some(self.unit.properties.add(self.id, kind, position, description))
    }

    /// The scalars of an operand.
    pub fn value(&mut self, ty: &Type, value: &Value) -> Step<Vec<Expr>> {
        match value {
            Value::Local(name) => match self.values.get(&**name) {
                Some(values) => Ok(values.clone()),
                None => unsupported(format!("the value %{name}, which has no definition here")),
            },
            Value::Constant(constant) => self.defined_constant(ty, constant),
            Value::Metadata(_) => unsupported("metadata used as a value"),
            Value::InlineAssembly(_) => unsupported("inline assembly"),
        }
    }

    /// The scalar of an operand of scalar type.
    pub fn scalar(&mut self, ty: &Type, value: &Value) -> Step<Expr> {
        match self.value(ty, value)?.into_iter().next() {
            Some(scalar) => Ok(scalar),
            None => unsupported("an empty value"),
        }
    }

    /// Records an instruction's result; each scalar is held in a temporary unless it is trivial.
    pub fn define(&mut self, name: &'m str, ty: &Type, values: Vec<Expr>) -> Step<()> {
        let leaves = self.types.leaves(ty)?;
        let held = leaves
            .iter()
            .zip(values)
            .map(|(leaf, value)| self.builder.hold(name, leaf.ty, value))
            .collect();
        self.values.insert(name, held);
        Ok(())
    }

    /// True when the program itself defines the function.
    pub fn has_user_body(&self, name: &str) -> bool {
        self.unit.has_body(self.module, name, false)
    }

    /// True when the body calls a function that reports a failure.
    fn asserts_itself(&self) -> bool {
        self.function
            .blocks
            .iter()
            .flat_map(|block| &block.instructions)
            .any(|instruction| {
                matches!(&instruction.kind, InstructionKind::Call(call) if matches!(
                    &call.callee,
                    Value::Constant(Constant::Global(name))
                        if assertion_text_argument(name, call.arguments.len()).is_some()
                ))
            })
    }
}
