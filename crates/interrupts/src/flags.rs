//! What a function does to the flags that say which interrupts are enabled.

use kripke_elts::interrupts::{READS_BASE, READS_MASK};
use kripke_elts::{
    BinaryOp, Callee, CastOp, Expr, FunctionId, GlobalId, Location, Position, Statement, StatementKind,
    Transition, Type, VariableId,
};

use crate::contents::Targets;
use crate::control::{
    Control, FLAG, Number, is_controlled, is_number, is_status_register, may_write_status, writes_status,
};
use crate::gates::Gate;
use crate::registers;
use crate::rewrite::Variant;
use crate::terms::{and, assign, binary, call, choose, int, load, not, or, select, store, truth};
use crate::writer::Writer;

/// The same where it is a function with a number that does so to all.
const ALL_IN_HANDLER: &str =
    "a handler that enables or disables all interrupts by a number, on a machine that is no Cortex-M";

/// Why nothing is said of what a handler does.
const NESTED: &str = "a handler that enables interrupts before it ends, on a machine that is no Cortex-M";

impl Writer<'_, '_> {
    /// Writes what a statement does to the flags, if it does anything; true where that is all.
    pub fn control(&mut self, statement: &Statement) -> bool {
        let is_undisturbed = self.variant == Variant::Undisturbed;
        if !is_undisturbed && self.rewriter.controls.is_avr && self.status_register(statement) {
            return true;
        }
        if !is_undisturbed && !self.rewriter.controls.is_avr {
            self.enabling_register(statement);
            self.priority_register(statement);
        }
        let StatementKind::Call {
            callee: Callee::Direct(callee),
            arguments,
            results,
            ..
        } = &statement.kind
        else {
            return false;
        };
        let Some(control) = self.rewriter.controls.of(*callee) else {
            return false;
        };
        let reads = matches!(control, Control::ReadMask | Control::ReadBase);
        if self.has_body_of_its_own(*callee) || is_undisturbed && !reads {
            return false;
        }
        let position = statement.position;
        self.enter(*callee, control, arguments, position);
        self.leave(*callee, control, arguments, position);
        let controls = &self.rewriter.controls;
        let (mask_changes, base_changes) = (controls.handlers_change_mask, controls.handlers_change_base);
        match control {
            Control::ReadMask => {
                self.read_mask(results, position);
                self.gap_if(mask_changes, position);
            }
            Control::ReadBase => {
                self.read_base(results, position);
                self.gap_if(base_changes, position);
            }
            _ => {}
        }
        true
    }

    /// Writes what the function itself does to the flags, at its beginning and at its end.
    pub fn control_of_body(&mut self, id: FunctionId) {
        let Some(control) = self.rewriter.controls.of(id) else {
            return;
        };
        if self.variant == Variant::Undisturbed || !self.has_body_of_its_own(id) {
            return;
        }
        let position = self.function.position;
        let parameters = self.function.parameters.iter();
        let arguments: Vec<Expr> = parameters.map(|parameter| Expr::Variable(*parameter)).collect();
        let place = |name: &str, transitions| Location {
            name: name.to_owned(),
            transitions,
            position,
        };
        let to = |target| Transition {
            guard: truth(true),
            statements: Vec::new(),
            target,
            position,
        };
        let (entry, exit) = (self.function.entry, self.function.exit);
        let locations = &mut self.function.locations;
        let first = locations.push(place("interrupts on entry", vec![to(entry)]));
        let last = locations.push(place("interrupts on return", Vec::new()));
        locations[exit].transitions.push(to(last));
        self.at = (first, 0);
        self.enter(id, control, &arguments, position);
        self.end_transition(entry);
        self.at = (exit, 0);
        self.leave(id, control, &arguments, position);
        self.end_transition(last);
        self.function.entry = first;
        self.function.exit = last;
    }

    /// What happens as soon as it can.
    fn enter(&mut self, callee: FunctionId, control: Control, arguments: &[Expr], position: Position) {
        match control {
            Control::Enable => self.set(true, position),
            Control::EnableNumber => self.set_number(callee, arguments, true, position),
            _ => return,
        }
        self.publish(position);
        self.gap(position);
    }

    /// What happens as late as it can. Handlers come behind it where some still can.
    fn leave(&mut self, callee: FunctionId, control: Control, arguments: &[Expr], position: Position) {
        match control {
            Control::Disable => {
                self.set(false, position);
                let tells = self.rewriter.controls.unmaskable_tells_mask;
                return self.gap_if(tells, position);
            }
            Control::DisableNumber => self.set_number(callee, arguments, false, position),
            Control::WriteMask => {
                self.write_mask(arguments, position);
                self.publish(position);
            }
            Control::WriteBase => return self.write_base(arguments, false, position),
            Control::RaiseBase => return self.write_base(arguments, true, position),
            // A body writes to the registers.
            Control::SetPriority if !self.is_marker(callee) => return,
            Control::SetPriority => return self.set_priority(arguments, position),
            _ => return,
        }
        self.gap(position);
    }

    /// Handlers come here if they depend on what was done.
    fn gap_if(&mut self, depends: bool, position: Position) {
        match depends && self.variant != Variant::Undisturbed {
            false => {}
            true if self.is_atomic => self.atomic_depends = true,
            true => self.gap(position),
        }
    }

    /// Has the function a body that is to run beside what it does to the flags? Those of CMSIS are
    /// instructions, which are understood without.
    fn has_body_of_its_own(&self, callee: FunctionId) -> bool {
        let function = &self.rewriter.original.functions[callee];
        !function.locations.is_empty()
            && ![READS_MASK, READS_BASE].contains(&function.name.as_str())
            && !function
                .statements()
                .any(|statement| matches!(statement.kind, StatementKind::Unsupported { .. }))
    }

    /// Is it a function that does nothing but what its name says?
    fn is_marker(&self, callee: FunctionId) -> bool {
        let function = &self.rewriter.original.functions[callee];
        function.position == Position::default() && function.statements().next().is_none()
    }

    /// A handler of an AVR runs with the flag cleared.
    fn is_in_handler_of_avr(&self) -> bool {
        self.rewriter.controls.is_avr && self.variant != Variant::Level(0)
    }

    /// Only a Cortex-M goes by priorities where a handler enables interrupts: elsewhere any may come then,
    /// the same one, too.
    fn set(&mut self, enabled: bool, position: Position) {
        let flag = self.rewriter.controls.flag();
        let is_in_handler = self.variant != Variant::Level(0);
        if enabled && is_in_handler && !self.rewriter.controls.is_cortex_m {
            // A handler that is alone may go on without itself. With others the search for what else goes
            // wrong would take all the time that there is, and not say why.
            if self.rewriter.controls.is_avr || !self.rewriter.has_one_handler() {
                let what = NESTED.to_owned();
                return self.emit(StatementKind::Unsupported { what }, position);
            }
            let nested = self.rewriter.not_followed(NESTED);
            self.emit(call(nested), position);
        }
        if !enabled && self.is_in_handler_of_avr() {
            self.disable_in_handler_of_avr(position);
        } else {
            self.change_mask(store(flag, int(8, u128::from(enabled)), FLAG), position);
        }
    }

    /// What writes to the registers of a Cortex-M that enable by number.
    fn enabling_register(&mut self, statement: &Statement) {
        let original = self.rewriter.original;
        let (model, position) = (&original.data_model, statement.position);
        let flags: Vec<(i64, GlobalId)> = self.rewriter.controls.numbers().collect();
        if flags.is_empty() {
            return;
        }
        let width = model.pointer_width;
        let elsewhere = |address: &Expr| self.is_elsewhere(address);
        let met: Vec<(GlobalId, Expr)> = match &statement.kind {
            StatementKind::Store {
                address, value, ty, ..
            } => {
                let is_elsewhere = elsewhere(address);
                let written = (address, value, *ty);
                let met =
                    |number: i64| registers::enables(number, written, ty.bytes(model), width, is_elsewhere);
                let met = flags.into_iter().map(|(number, flag)| Some((flag, met(number)?)));
                met.flatten().collect()
            }
            StatementKind::CopyMemory { target, length, .. }
            | StatementKind::SetMemory { target, length, .. }
                if !elsewhere(target) =>
            {
                let met = registers::meets_enabling(target, length, width);
                let met = met.into_iter().flat_map(|met| {
                    let flags = flags.iter();
                    flags
                        .map(move |(_, flag)| (*flag, met.clone()))
                        .collect::<Vec<_>>()
                });
                met.collect()
            }
            _ => return,
        };
        for (flag, met) in &met {
            self.change_number(*flag, |before| or(before, met.clone()), position);
        }
        if !met.is_empty() {
            self.publish(position);
        }
        match met.is_empty() {
            true => {}
            false if self.is_atomic => self.atomic_depends = true,
            false => self.gap(position),
        }
    }

    /// Does an address certainly lead to an object, and to no register?
    pub fn is_elsewhere(&self, address: &Expr) -> bool {
        let objects = self.rewriter.effects.points_to.of(self.id, address);
        !objects.is_any() && !objects.contains(Targets::FIXED)
    }

    /// Sets the flag of a number to what comes of it.
    fn change_number(&mut self, flag: GlobalId, change: impl FnOnce(Expr) -> Expr, position: Position) {
        self.at_once(position, |writer| {
            let old = writer.variable(FLAG);
            writer.emit(load(old, flag), position);
            let before = binary(BinaryOp::Ne, Expr::Variable(old), int(8, 0));
            let value = Expr::Cast(CastOp::ZExt, Box::new(change(before)), FLAG);
            writer.emit(store(flag, value, FLAG), position);
        });
    }

    /// On most AVRs interrupts are disabled in a handler, and its end enables them. On others neither is so,
    /// and what it disables stays disabled.
    fn disable_in_handler_of_avr(&mut self, position: Position) {
        if !self.rewriter.controls.reads_mask && self.rewriter.atoms.is_empty() {
            return;
        }
        let flag = self.rewriter.controls.flag();
        let (old, ends) = (self.variable(FLAG), self.variable(Type::BOOL));
        self.emit(load(old, flag), position);
        self.emit(choose(ends), position);
        let value = select(Expr::Variable(ends), Expr::Variable(old), int(8, 0));
        self.emit(store(flag, value, FLAG), position);
    }

    /// May a handler come, as far as the flags say?
    pub fn may_be_interrupted(&mut self, level: usize, position: Position) -> Expr {
        let mut any = truth(false);
        for gates in self.rewriter.gates_above(level) {
            let mut all = truth(true);
            for gate in gates {
                all = and(all, self.is_open(gate, position));
            }
            any = or(any, all);
        }
        any
    }

    pub fn is_open(&mut self, gate: Gate, position: Position) -> Expr {
        gate.is_open(&mut |ty, make| {
            let value = self.variable(ty);
            self.emit(make(value), position);
            value
        })
    }

    /// A function that the user names may mean the flag of all by its special value. Where a handler runs,
    /// only a Cortex-M leaves that as if each had its own.
    fn set_number(&mut self, callee: FunctionId, arguments: &[Expr], enabled: bool, position: Position) {
        let controls = &self.rewriter.controls;
        let (parameter, is_cortex_m) = (controls.parameter(callee).cloned(), controls.is_cortex_m);
        let flags: Vec<(Number, GlobalId)> = controls.numbered_flags().collect();
        let place = parameter.as_ref().map_or(0, |parameter| parameter.place);
        let Some(argument) = arguments.get(place) else {
            return;
        };
        let types = |id: VariableId| self.function.variables[id].ty;
        let ty = argument.type_with(&self.rewriter.original.data_model, &types);
        let Type::Int(width) = ty else {
            let what = "an interrupt enabled or disabled by something that is no number".to_owned();
            return self.emit(StatementKind::Unsupported { what }, position);
        };
        let all = parameter.as_ref().and_then(|parameter| parameter.all);
        let is_all = all.map(|all| is_number(argument, width, all));
        if let Some(is_all) = is_all
            .clone()
            .filter(|_| self.variant != Variant::Level(0) && !is_cortex_m)
        {
            self.branch_unsupported(is_all, ALL_IN_HANDLER.to_owned(), position);
        }
        let is_meant = |number: Number| is_controlled(number, parameter.is_some(), all.is_some());
        for (number, flag) in flags.into_iter().filter(|(number, _)| is_meant(*number)) {
            let own = number.map(|number| is_number(argument, width, number));
            let Some(meant) = own.into_iter().chain(is_all.clone()).reduce(or) else {
                continue;
            };
            let after = |before: Expr| match enabled {
                true => or(before, meant),
                false => and(before, not(meant)),
            };
            self.change_number(flag, after, position);
        }
    }

    /// Is the flag set, as the code that runs sees it?
    fn is_enabled(&mut self, position: Position) -> Expr {
        if self.is_in_handler_of_avr() {
            return truth(false);
        }
        let old = self.variable(FLAG);
        let flag = self.rewriter.controls.flag();
        self.emit(load(old, flag), position);
        binary(BinaryOp::Ne, Expr::Variable(old), int(8, 0))
    }

    fn read_mask(&mut self, results: &[VariableId], position: Position) {
        let Some(target) = results.first() else { return };
        let disabled = not(self.is_enabled(position));
        let value = match self.function.variables[*target].ty {
            ty @ Type::Int(width) if width > 1 => Expr::Cast(CastOp::ZExt, Box::new(disabled), ty),
            _ => disabled,
        };
        self.emit(assign(*target, value), position);
    }

    fn write_mask(&mut self, arguments: &[Expr], position: Position) {
        let flag = self.rewriter.controls.flag();
        let Some(argument) = arguments.first() else {
            return;
        };
        let lowest = Expr::Extract {
            high: 0,
            low: 0,
            value: Box::new(argument.clone()),
        };
        let value = Expr::Cast(CastOp::ZExt, Box::new(not(lowest)), FLAG);
        self.change_mask(store(flag, value, FLAG), position);
    }

    /// The flag of an AVR is a bit of a register that programs save and restore.
    fn status_register(&mut self, statement: &Statement) -> bool {
        let position = statement.position;
        if let Some((value, is_certain)) = writes_status(&statement.kind) {
            let mut bit = extract(value.clone(), 7, 7);
            self.statements.push(statement.clone());
            let flag = self.rewriter.controls.flag();
            if self.is_in_handler_of_avr() {
                let what = NESTED.to_owned();
                self.branch_unsupported(bit, what, position);
                self.disable_in_handler_of_avr(position);
            } else {
                if !is_certain {
                    bit = or(bit, self.is_enabled(position));
                }
                let value = Expr::Cast(CastOp::ZExt, Box::new(bit), FLAG);
                self.change_mask(store(flag, value, FLAG), position);
                self.publish(position);
                self.gap(position);
            }
            return true;
        }
        self.other_writes_to_status(statement);
        match &statement.kind {
            StatementKind::Load { target, address, .. }
                if is_status_register(address) == Some(true)
                    && self.function.variables[*target].ty == FLAG =>
            {
                let target = *target;
                self.statements.push(statement.clone());
                let flag = self.is_enabled(position);
                let rest = extract(Expr::Variable(target), 6, 0);
                self.emit(
                    assign(target, Expr::Concat(Box::new(flag), Box::new(rest))),
                    position,
                );
                let changes = self.rewriter.controls.handlers_change_mask;
                self.gap_if(changes, position);
                true
            }
            _ => false,
        }
    }

    /// What may write to the status register by an address that is no number, or together with others, is not
    /// followed where it does.
    fn other_writes_to_status(&mut self, statement: &Statement) {
        let StatementKind::Store { address, ty, .. } = &statement.kind else {
            return;
        };
        let model = &self.rewriter.original.data_model;
        let elsewhere = self.is_elsewhere(address);
        let met = may_write_status(address, ty.bytes(model), model.pointer_width, elsewhere);
        if let Some(met) = met {
            let what =
                "a write to the status register by an address that is computed, or with others".to_owned();
            self.branch_unsupported(met, what, statement.position);
        }
    }

    /// What cannot be followed where the condition is true.
    pub fn branch_unsupported(&mut self, condition: Expr, what: String, position: Position) {
        let kind = StatementKind::Unsupported { what };
        let unsupported = vec![Statement { kind, position }];
        let ways = vec![(condition.clone(), unsupported), (not(condition), Vec::new())];
        self.branch(ways, position);
    }
}

fn extract(value: Expr, high: u32, low: u32) -> Expr {
    Expr::Extract {
        high,
        low,
        value: Box::new(value),
    }
}
