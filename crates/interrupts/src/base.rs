//! The mask of a Cortex-M by priorities: BASEPRI.
//!
//! Idea: the register is a byte of memory, and so is the priority of each handler, as the hardware counts
//! it: a smaller one is more urgent. A handler is masked where its priority is not smaller than a mask that
//! is not 0. Priorities begin as after a reset, 0, which nothing masks, and change where the program writes
//! to their registers or calls what does; what is not known of a priority makes it 0 again.
//!
//! Invariant: a handler that is masked here is masked on each device. A device keeps some of the upper bits
//! of these registers, three at least. Does it lose lower ones of both, what is not smaller stays so; so
//! does it where it goes by groups of priorities. But a mask of which it keeps nothing masks nothing: that
//! is not followed where the number of bits is not given.
//!
//! Alternative rejected: any of the handlers masked, as some choice has it. Where none of them is, more
//! happens than with any choice, and after a reset it is so.
//!
//! Source: Arm v7-M architecture reference manual, B1.5.4 (priorities), B5.2.3 (MSR), B3.4.8 (NVIC_IPR) and
//! B3.2.10 to B3.2.12 (SHPR).

use kripke_elts::{BinaryOp, CastOp, Expr, GlobalId, Position, Statement, StatementKind, Type, VariableId};

use crate::control::{FLAG, Number, is_number};
use crate::registers;
use crate::rewrite::Variant;
use crate::terms::{and, assign, binary, int, load, not, or, select, store};
use crate::writer::Writer;

/// The bits that each device keeps.
const SURE_BITS: u128 = 0xE0;

/// The registers.
#[derive(Clone, Debug)]
pub struct Base {
    /// The mask.
    pub register: GlobalId,
    /// The number and the priority of each handler; none of those that nothing masks.
    pub priorities: Vec<Option<(Number, GlobalId)>>,
    /// How many bits the device keeps of them.
    pub bits: Option<u32>,
}

impl Base {
    /// What the device keeps of a byte.
    fn kept(&self, value: Expr) -> Expr {
        match self.bits {
            Some(bits) => binary(BinaryOp::And, value, int(8, kept_bits(bits))),
            None => value,
        }
    }

    /// The priorities that the program may change: of handlers that have a number.
    fn numbered(&self) -> Vec<(i64, GlobalId)> {
        let all = self.priorities.iter().flatten();
        all.filter_map(|(number, priority)| Some(((*number)?, *priority)))
            .collect()
    }
}

/// So many upper bits of a byte.
pub fn kept_bits(bits: u32) -> u128 {
    0xFF << 8_u32.saturating_sub(bits) & 0xFF
}

impl Writer<'_, '_> {
    /// Writes the mask; `raises`: only where that masks more.
    pub fn write_base(&mut self, arguments: &[Expr], raises: bool, position: Position) {
        let Some(base) = self.rewriter.controls.base.clone() else {
            return;
        };
        let Some(value) = arguments.first().and_then(|argument| self.byte(argument)) else {
            let what = "BASEPRI set to something that is no number".to_owned();
            return self.emit(StatementKind::Unsupported { what }, position);
        };
        let zero = |value: &Expr| binary(BinaryOp::Eq, value.clone(), int(8, 0));
        if base.bits.is_none() {
            let sure = binary(BinaryOp::And, value.clone(), int(8, SURE_BITS));
            let is_unclear = and(zero(&sure), not(zero(&value)));
            let what = "a BASEPRI that is no priority on a device with few of them \
                        (--interrupt-priority-bits says how many bits it keeps)";
            self.branch_unsupported(is_unclear, what.to_owned(), position);
        } else if raises {
            // A device that compares before it drops bits would unmask everything.
            let is_unclear = and(zero(&base.kept(value.clone())), not(zero(&value)));
            let what = "a BASEPRI_MAX of which the device keeps no bit";
            self.branch_unsupported(is_unclear, what.to_owned(), position);
        }
        let value = base.kept(value);
        let old = self.variable(FLAG);
        self.emit(load(old, base.register), position);
        let old = Expr::Variable(old);
        let written = match raises {
            true => {
                let masks_more = or(zero(&old), binary(BinaryOp::ULt, value.clone(), old.clone()));
                select(and(not(zero(&value)), masks_more), value.clone(), old.clone())
            }
            false => value.clone(),
        };
        self.change_mask(store(base.register, written, FLAG), position);
        if !raises {
            self.publish_where(and(zero(&value), not(zero(&old))), position);
        }
        self.gap(position);
    }

    /// Reads the mask.
    pub fn read_base(&mut self, results: &[VariableId], position: Position) {
        let Some(target) = results.first() else { return };
        let Some(base) = self.rewriter.controls.base.clone() else {
            // Nobody sets it.
            if let Type::Int(width) = self.function.variables[*target].ty {
                self.emit(assign(*target, int(width, 0)), position);
            }
            return;
        };
        let value = self.variable(FLAG);
        self.emit(load(value, base.register), position);
        let value = match self.function.variables[*target].ty {
            ty @ Type::Int(width) if width > 8 => {
                Expr::Cast(CastOp::ZExt, Box::new(Expr::Variable(value)), ty)
            }
            _ => Expr::Variable(value),
        };
        self.emit(assign(*target, value), position);
    }

    /// A function without a body gives a handler its priority: the number, and the priority without the bits
    /// that the device does not keep.
    pub fn set_priority(&mut self, arguments: &[Expr], position: Position) {
        let Some(base) = self.rewriter.controls.base.clone() else {
            return;
        };
        let [number, rest @ ..] = arguments else { return };
        let priority = match (rest, base.bits) {
            ([priority], Some(bits)) => self.byte(priority).map(|priority| {
                let shift = int(8, u128::from(8_u32.saturating_sub(bits)));
                base.kept(binary(BinaryOp::Shl, priority, shift))
            }),
            _ => None,
        };
        let priority = priority.unwrap_or(int(8, 0));
        let width = self.width_of(number);
        for (own, global) in base.numbered() {
            let is_meant = width.map(|width| is_number(number, width, own));
            let old = self.variable(FLAG);
            self.emit(load(old, global), position);
            let written = match is_meant {
                Some(is_meant) => select(is_meant, priority.clone(), Expr::Variable(old)),
                None => int(8, 0),
            };
            self.emit(store(global, written, FLAG), position);
        }
        self.gap(position);
    }

    /// What writes to the registers of priorities.
    pub fn priority_register(&mut self, statement: &Statement) {
        let Some(base) = self.rewriter.controls.base.clone() else {
            return;
        };
        if self.variant == Variant::Undisturbed {
            return;
        }
        let (model, position) = (&self.rewriter.original.data_model, statement.position);
        let width = model.pointer_width;
        let mut changes = Vec::new();
        for (number, global) in base.numbered() {
            let written = match &statement.kind {
                StatementKind::Store {
                    address, value, ty, ..
                } => {
                    let store = (address, value, *ty);
                    let elsewhere = self.is_elsewhere(address);
                    registers::writes_priority(number, store, ty.bytes(model), width, elsewhere)
                }
                StatementKind::CopyMemory { target, length, .. }
                | StatementKind::SetMemory { target, length, .. }
                    if !self.is_elsewhere(target) =>
                {
                    let met = registers::meets_priority(number, target, length, width);
                    met.into_iter().map(|met| (met, None)).collect()
                }
                _ => Vec::new(),
            };
            changes.push((global, written));
        }
        changes.retain(|(_, written)| !written.is_empty());
        let is_none = changes.is_empty();
        for (global, written) in changes {
            let old = self.variable(FLAG);
            self.emit(load(old, global), position);
            let new = written
                .into_iter()
                .fold(Expr::Variable(old), |before, (met, value)| {
                    let value = value.map_or(int(8, 0), |value| base.kept(value));
                    select(met, value, before)
                });
            self.emit(store(global, new, FLAG), position);
        }
        match is_none {
            true => {}
            false if self.is_atomic => self.atomic_depends = true,
            false => self.gap(position),
        }
    }

    fn width_of(&self, value: &Expr) -> Option<u32> {
        let types = |id: VariableId| self.function.variables[id].ty;
        match value.type_with(&self.rewriter.original.data_model, &types) {
            Type::Int(width) => Some(width),
            _ => None,
        }
    }

    /// The lowest byte of a number.
    fn byte(&self, value: &Expr) -> Option<Expr> {
        let value = Box::new(value.clone());
        Some(match self.width_of(&value)? {
            8 => *value,
            width if width < 8 => Expr::Cast(CastOp::ZExt, value, FLAG),
            _ => Expr::Extract {
                high: 7,
                low: 0,
                value,
            },
        })
    }
}
