//! The statements that the hot loop leaves to the machine: memory, objects, inputs, output, failures.

use kripke_value::{Float, MathFunction, RoundingMode};

use crate::eval::evaluate;
use crate::ids::PropertyId;
use crate::interpreter::code::{Access, Code, Instr, Operation, Place};
use crate::interpreter::explain::explain;
use crate::interpreter::machine::{Flow, Machine};
use crate::interpreter::memory::{NewObject, Origin, Reached};
use crate::interpreter::misuse::{self, AccessKind};
use crate::interpreter::{End, Event, StatementSite, output};
use crate::program::{AccessChecks, Expr, NondetSource, Position, StopReason, Type, register_name};
use crate::scalar::{Pointer, PointerBase, ScalarValue};

/// Where a range of memory is.
#[derive(Clone, Copy, Debug)]
struct Range {
    pointer: Pointer,
    length: u64,
}

impl Machine<'_> {
    pub(super) fn operate(&mut self, code: &Code, operation: &Operation) -> Flow {
        match operation {
            Operation::Evaluate { target, expr } => self.evaluate_into(*target, expr),
            Operation::EnsureAssigned { flag, variable } => {
                self.uninitialised_variable(code.function, *variable);
                let place = Place {
                    index: *flag,
                    ty: Type::Int(64),
                };
                self.state
                    .set(place, ScalarValue::Int(kripke_value::BitVec::one(64)));
                Ok(())
            }
            Operation::LoadWide {
                target,
                address,
                access,
            } => {
                let value = self.load(self.state.pointer(*address), &code.accesses[*access as usize])?;
                self.state.set(*target, value);
                Ok(())
            }
            Operation::StoreWide {
                address,
                value,
                access,
            } => {
                let value = self.state.get(*value);
                self.store(
                    self.state.pointer(*address),
                    &value,
                    &code.accesses[*access as usize],
                )
            }
            Operation::StackObject {
                target,
                size,
                site,
                position,
            } => {
                let size = self.size(*size, *position)?;
                self.make_object(*target, Origin::Stack(*site), size, false, *position)
            }
            Operation::HeapObject {
                target,
                size,
                zeroed,
                site,
                position,
            } => {
                let size = self.size(*size, *position)?;
                if size > self.state.program.data_model.largest_allocation() {
                    if self.options.assumes_room {
                        let position = *position;
                        return Err(Box::new(End::AssumeFailed { position }));
                    }
                    self.state.set(*target, ScalarValue::Pointer(Pointer::NULL));
                    return Ok(());
                }
                self.make_object(*target, Origin::Heap(*site), size, *zeroed, *position)
            }
            Operation::EndObject { pointer, position } => {
                self.end_object(self.state.pointer(*pointer), *position);
                Ok(())
            }
            Operation::Free {
                pointer,
                check,
                position,
            } => self.free(self.state.pointer(*pointer), *check, *position),
            Operation::CopyMemory {
                target,
                source,
                length,
                overlap,
                checks,
                position,
            } => {
                let length = self.size(*length, *position)?;
                let (target, source) = (self.state.pointer(*target), self.state.pointer(*source));
                self.copy(target, source, length, *overlap, *checks, *position)
            }
            Operation::SetMemory {
                target,
                value,
                length,
                checks,
                position,
            } => {
                let length = self.size(*length, *position)?;
                let value = self.state.int(*value).unwrap_or(0) as u8;
                self.fill(
                    Range {
                        pointer: self.state.pointer(*target),
                        length,
                    },
                    value,
                    *checks,
                    *position,
                )
            }
            Operation::Nondet {
                target,
                source,
                position,
                site,
            } => {
                self.nondet(*target, source, *position, *site);
                Ok(())
            }
            Operation::Math {
                target,
                function,
                arguments,
                position,
                site,
            } => {
                self.math(*target, *function, arguments, *position, *site);
                Ok(())
            }
            Operation::AssumeFails { position } => Err(Box::new(End::AssumeFailed { position: *position })),
            Operation::AssertFails {
                property,
                condition,
                position,
            } => {
                let description = &self.state.program.properties[*property].description;
                let message = match explain(condition, &self.state) {
                    Some(values) => format!("{description}: {values}"),
                    None => description.clone(),
                };
                Err(self.violation(*property, message, *position))
            }
            Operation::SetRounding { mode } => self.set_rounding(*mode),
            Operation::GetRounding { target } => {
                let value = ScalarValue::Int(kripke_value::BitVec::new(
                    64,
                    u128::from(mode_number(self.state.rounding)),
                ));
                if let Some(value) = self.convert(value, target.ty) {
                    self.state.set(*target, value);
                }
                Ok(())
            }
            Operation::Output {
                target,
                function,
                arguments,
                position,
            } => {
                let values: Vec<ScalarValue> = arguments.iter().map(|&place| self.state.get(place)).collect();
                let text = output::print(self, *function, &values).map_err(|what| {
                    Box::new(End::UncheckedMisuse {
                        what,
                        position: *position,
                    })
                })?;
                self.tell(&Event::Output {
                    text: &text.bytes,
                    position: *position,
                });
                if let Some(target) = target {
                    let value = ScalarValue::Int(kripke_value::BitVec::new(64, text.result.into()));
                    if let Some(value) = self.convert(value, target.ty) {
                        self.state.set(*target, value);
                    }
                }
                Ok(())
            }
            Operation::Stop {
                reason,
                status,
                position,
            } => Err(match reason {
                StopReason::Abort | StopReason::Deadlock => Box::new(End::Abort),
                StopReason::Exit => {
                    let status = status.map(|status| self.state.get(status));
                    Box::new(self.exit(status.and_then(exit_code), *position)?)
                }
            }),
            Operation::Unsupported { what, position } => Err(Box::new(End::Unsupported {
                what: what.clone(),
                position: *position,
            })),
            Operation::Observe {
                variable,
                value,
                position,
            } => {
                let value = self.state.get(*value);
                self.tell(&Event::Assign {
                    variable: *variable,
                    value: &value,
                    position: *position,
                });
                Ok(())
            }
            Operation::ObserveLocation { location } => {
                self.tell(&Event::Location { location: *location });
                Ok(())
            }
            Operation::ObserveBranch {
                transition,
                count,
                position,
            } => {
                self.tell(&Event::Branch {
                    transition: *transition,
                    count: *count,
                    position: *position,
                });
                Ok(())
            }
            Operation::Stuck { position } => {
                let what = "a location none of whose guards holds".to_owned();
                Err(Box::new(End::Unsupported {
                    what,
                    position: *position,
                }))
            }
        }
    }

    fn evaluate_into(&mut self, target: Place, expr: &Expr) -> Flow {
        // Every environment value is known here, so a missing value means that the types disagree.
        let value = evaluate(expr, &self.state).unwrap_or_else(|| ScalarValue::zero(target.ty));
        self.state.set(target, value);
        Ok(())
    }

    fn size(&self, place: Place, position: Position) -> Flow<u64> {
        self.state.int(place).ok_or_else(|| {
            Box::new(End::Unsupported {
                what: "a size of more than 64 bits".to_owned(),
                position,
            })
        })
    }

    /// A load or store of the hot loop that is not plain.
    pub(super) fn access(&mut self, code: &Code, instr: Instr) -> Flow {
        match instr {
            Instr::Load { dst, a, access } | Instr::LoadPointer { dst, a, access } => {
                let access = &code.accesses[access as usize];
                let value = self.load(self.state.pointer(a), access)?;
                self.state.set(
                    Place {
                        index: dst,
                        ty: access.ty,
                    },
                    value,
                );
                Ok(())
            }
            Instr::Store { a, b, access } => {
                let access = &code.accesses[access as usize];
                let value = self.state.get(Place {
                    index: b,
                    ty: access.ty,
                });
                self.store(self.state.pointer(a), &value, access)
            }
            _ => Ok(()),
        }
    }

    /// A register's value is an input.
    fn read_device(&mut self, address: u64, ty: Type, position: Position) -> ScalarValue {
        let source = NondetSource::Device(self.register_name(address));
        self.input(&source, ty, position)
    }

    /// The name of the object that the register is part of, with the distance from its start, or its address.
    fn register_name(&self, address: u64) -> String {
        let memory = &self.state.memory;
        let found = memory
            .find(address)
            .and_then(|pointer| Some((memory.live(pointer)?, pointer.offset)));
        match found.map(|(object, offset)| (object.origin, offset)) {
            Some((Origin::Global(id), offset)) => {
                register_name(&self.state.program.globals[id], Some(offset))
            }
            _ => format!("{address:#x}"),
        }
    }

    fn load(&mut self, pointer: Pointer, access: &Access) -> Flow<ScalarValue> {
        let size = u64::from(access.size);
        let position = access.position;
        match self.judge(
            Range {
                pointer,
                length: size,
            },
            access.align,
            AccessKind::Read,
            access.checks,
            position,
        )? {
            Reached::Device(address) => Ok(self.read_device(address, access.ty, position)),
            Reached::Object { slot, offset }
                if access.volatile && self.state.memory.object(slot).external =>
            {
                let address = self.state.memory.object(slot).address.wrapping_add(offset);
                Ok(self.read_device(address, access.ty, position))
            }
            Reached::Object { slot, offset } => {
                if let Some(property) = access.checks.uninitialised
                    && let Some(first) = self.state.memory.first_unwritten(slot, offset, size)
                {
                    let name = misuse::name(self.state.program, self.state.memory.object(slot));
                    let bytes = misuse::bytes(size);
                    let message = match offset == 0 && size == self.state.memory.object(slot).size {
                        true => format!("read of {name}, which was never written"),
                        false if first == offset => {
                            format!("read of {bytes} at offset {offset} of {name}, never written")
                        }
                        false => {
                            format!(
                                "read of {bytes} at offset {offset} of {name}, where byte {first} was never \
                                 written"
                            )
                        }
                    };
                    return Err(self.violation(property, message, position));
                }
                let asked = self.choose_unwritten(slot, offset, size);
                let value = self.state.read(slot, offset, access.ty);
                if self.observed {
                    self.tell(&Event::Load {
                        pointer,
                        length: size,
                        position,
                    });
                }
                if asked {
                    let object = self.state.memory.object(slot);
                    let source = match object.external {
                        true => NondetSource::External(misuse::name(self.state.program, object)),
                        false => NondetSource::Uninitialised,
                    };
                    self.tell(&Event::Input {
                        source: &source,
                        value: &value,
                        position,
                    });
                }
                Ok(value)
            }
        }
    }

    fn choose_unwritten(&mut self, slot: u32, offset: u64, size: u64) -> bool {
        let inputs = &mut *self.inputs;
        self.state
            .memory
            .choose_unwritten(slot, offset, size, |object, at| inputs.unwritten_byte(object, at))
    }

    fn store(&mut self, pointer: Pointer, value: &ScalarValue, access: &Access) -> Flow {
        let range = Range {
            pointer,
            length: u64::from(access.size),
        };
        let reached = self.judge(
            range,
            access.align,
            AccessKind::Write,
            access.checks,
            access.position,
        )?;
        let old = if self.observed {
            self.state.peek(pointer, value.ty())
        } else {
            None
        };
        if let Reached::Object { slot, offset } = reached {
            self.state.write(slot, offset, value);
        }
        if self.observed {
            self.tell(&Event::Store {
                pointer,
                value,
                old: old.as_ref(),
                position: access.position,
            });
        }
        Ok(())
    }

    /// Judges an access, and ends the run where it is wrong. A misaligned access that nobody checks goes on
    /// as on machines that allow it.
    fn judge(
        &mut self,
        range: Range,
        align: u32,
        kind: AccessKind,
        checks: AccessChecks,
        position: Position,
    ) -> Flow<Reached> {
        let write = kind == AccessKind::Write;
        let align = if checks.pointer.is_some() { align } else { 1 };
        self.state
            .memory
            .reach(range.pointer, range.length, align, write)
            .map_err(|wrong| {
                let (program, memory) = (self.state.program, &self.state.memory);
                let what = misuse::message(program, memory, wrong, kind, range.length);
                self.misused(checks.pointer, what, position)
            })
    }

    fn make_object(
        &mut self,
        target: Place,
        origin: Origin,
        size: u64,
        zeroed: bool,
        position: Position,
    ) -> Flow {
        let site = match origin {
            Origin::Stack(site) | Origin::Heap(site) => &self.state.program.object_sites[site],
            Origin::Global(_) => return Ok(()),
        };
        let position = self.user_position(position);
        let created = if position.line == 0 {
            site.position
        } else {
            position
        };
        let new = NewObject {
            origin,
            size,
            align: site.align,
            zeroed,
            constant: false,
            external: false,
            registers: false,
            created,
        };
        let pointer = self.create(&new)?;
        if self.observed && matches!(origin, Origin::Heap(_)) {
            self.tell(&Event::Allocated { pointer });
        }
        if let (Origin::Stack(_), PointerBase::Object(object)) = (origin, pointer.base) {
            self.state.stack_objects.push(object);
        }
        self.state.set(target, ScalarValue::Pointer(pointer));
        Ok(())
    }

    /// A block is left: its object dies, and its place on the stack is free again.
    fn end_object(&mut self, pointer: Pointer, position: Position) {
        let (PointerBase::Object(object), Some(entry)) = (pointer.base, self.state.memory.live(pointer))
        else {
            return;
        };
        let can_end = match entry.origin {
            Origin::Stack(_) => true,
            // With the thread that has it.
            Origin::Global(global) => self.state.program.globals[global].thread_local,
            Origin::Heap(_) => false,
        };
        if !can_end {
            return;
        }
        let is_global = matches!(entry.origin, Origin::Global(_));
        let position = self.user_position(position);
        self.state.memory.kill(object.slot, position);
        if is_global {
            return;
        }
        self.state.memory.pop_stack(object.slot);
        let first = self.state.frames.last().map_or(0, |frame| frame.stack_objects);
        let objects = &mut self.state.stack_objects;
        if objects.len() > first && objects.last() == Some(&object) {
            objects.pop();
        }
    }

    fn free(&mut self, pointer: Pointer, check: Option<PropertyId>, position: Position) -> Flow {
        if pointer == Pointer::NULL {
            return Ok(());
        }
        let program = self.state.program;
        let memory = &self.state.memory;
        let pointer = memory.locate(pointer);
        let wrong = match (pointer.base, memory.live(pointer)) {
            (PointerBase::Object(object), Some(entry)) => match entry.origin {
                Origin::Heap(_) if pointer.offset == 0 => {
                    let position = self.user_position(position);
                    self.tell(&Event::Freed { pointer });
                    self.state.memory.kill(object.slot, position);
                    return Ok(());
                }
                Origin::Heap(_) => format!(
                    "free of a pointer to offset {} of {}, not to its start",
                    misuse::signed(pointer.offset, memory.pointer_width),
                    misuse::name(program, entry)
                ),
                _ => format!(
                    "free of {}, which is not on the heap",
                    misuse::name(program, entry)
                ),
            },
            (PointerBase::Object(_), None) => match memory.reach(pointer, 0, 1, false) {
                Err(dead) => {
                    let message = misuse::message(program, memory, dead, AccessKind::Read, 0);
                    let rest = message.strip_prefix("read of 0 bytes ").unwrap_or(&message);
                    match rest.strip_prefix("after free: it points into ") {
                        Some(object) => format!("double free: {object} was freed before"),
                        None => format!("free {rest}"),
                    }
                }
                Ok(_) => "free of a dead object".to_owned(),
            },
            (PointerBase::Function(_), _) => "free of a function".to_owned(),
            _ => format!(
                "free of address {:#x}, which is no object",
                memory.address(pointer)
            ),
        };
        Err(self.misused(check, wrong, position))
    }

    fn copy(
        &mut self,
        target: Pointer,
        source: Pointer,
        length: u64,
        overlap: bool,
        checks: AccessChecks,
        position: Position,
    ) -> Flow {
        if length == 0 {
            return Ok(());
        }
        let from = self.judge(
            Range {
                pointer: source,
                length,
            },
            1,
            AccessKind::Read,
            checks,
            position,
        )?;
        let to = self.judge(
            Range {
                pointer: target,
                length,
            },
            1,
            AccessKind::Write,
            checks,
            position,
        )?;
        let distance = target.offset.abs_diff(source.offset);
        if !overlap && target.base == source.base && distance != 0 && distance < length {
            let what = format!(
                "memcpy of {} between overlapping ranges, {} apart",
                misuse::bytes(length),
                misuse::bytes(distance)
            );
            return Err(self.misused(checks.pointer, what, position));
        }
        match (from, to) {
            (
                Reached::Object {
                    slot: from,
                    offset: from_offset,
                },
                Reached::Object {
                    slot: to,
                    offset: to_offset,
                },
            ) => {
                self.choose_unwritten(from, from_offset, length);
                self.state
                    .memory
                    .copy((from, from_offset), (to, to_offset), length);
            }
            (Reached::Device(address), Reached::Object { slot, offset }) => {
                for index in 0..length {
                    let value = self.read_device(address.wrapping_add(index), Type::Int(8), position);
                    self.state.write(slot, offset + index, &value);
                }
            }
            (_, Reached::Device(_)) => {}
        }
        if self.observed {
            self.tell(&Event::Load {
                pointer: source,
                length,
                position,
            });
            self.tell(&Event::Fill {
                pointer: target,
                length,
                position,
            });
        }
        Ok(())
    }

    fn fill(&mut self, range: Range, value: u8, checks: AccessChecks, position: Position) -> Flow {
        if range.length == 0 {
            return Ok(());
        }
        if let Reached::Object { slot, offset } = self.judge(range, 1, AccessKind::Write, checks, position)? {
            self.state.memory.fill(slot, offset, range.length, value);
        }
        if self.observed {
            self.tell(&Event::Fill {
                pointer: range.pointer,
                length: range.length,
                position,
            });
        }
        Ok(())
    }

    fn nondet(&mut self, target: Place, source: &NondetSource, position: Position, site: StatementSite) {
        let value = self.inputs.next_at(site, source, target.ty, position);
        let value = self
            .convert(value, target.ty)
            .unwrap_or_else(|| ScalarValue::zero(target.ty));
        self.tell(&Event::Input {
            source,
            value: &value,
            position,
        });
        self.state.set(target, value);
    }

    fn math(
        &mut self,
        target: Place,
        function: MathFunction,
        arguments: &[Place],
        position: Position,
        site: StatementSite,
    ) {
        let source = NondetSource::Library(function.name().to_owned());
        let floats: Option<Vec<Float>> = arguments
            .iter()
            .map(|argument| self.state.get(*argument).as_float().copied())
            .collect();
        let value = match floats.and_then(|floats| function.value(&floats)) {
            Some(exact) => ScalarValue::Float(self.inputs.math(site, function, exact, position)),
            None => self.inputs.next_at(site, &source, target.ty, position),
        };
        let value = self
            .convert(value, target.ty)
            .unwrap_or_else(|| ScalarValue::zero(target.ty));
        self.tell(&Event::Input {
            source: &source,
            value: &value,
            position,
        });
        self.state.set(target, value);
    }

    fn set_rounding(&mut self, mode: Place) -> Flow {
        self.state.rounding = match self.state.int(mode) {
            Some(1) => RoundingMode::TowardZero,
            Some(2) => RoundingMode::Upward,
            Some(3) => RoundingMode::Downward,
            _ => RoundingMode::NearestEven,
        };
        Ok(())
    }
}

/// A value of C's `int` as an exit code.
pub(super) fn exit_code(value: ScalarValue) -> Option<i32> {
    value.as_int()?.to_i128().map(|value| value as i32)
}

/// The number of a mode in `fesetround`'s numbering.
fn mode_number(mode: RoundingMode) -> u8 {
    match mode {
        RoundingMode::NearestEven | RoundingMode::NearestAway => 0,
        RoundingMode::TowardZero => 1,
        RoundingMode::Upward => 2,
        RoundingMode::Downward => 3,
    }
}
