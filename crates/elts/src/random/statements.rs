//! Random statements.

use kripke_model::PropertyKind;
use kripke_value::BitVec;

use crate::ids::{GlobalId, Id, VariableId};
use crate::program::{
    AccessChecks, BinaryOp, Callee, Expr, NondetSource, OutputFunction, Statement, StatementKind, StopReason,
    Type, Variable, VariableKind,
};
use crate::random::generator::Generator;

impl Generator {
    /// A variable that may be assigned, of a type if one is given.
    fn target(&mut self, ty: Option<Type>) -> Option<VariableId> {
        let fits = |id: VariableId, variable: &Variable| {
            let assignable = variable.kind != VariableKind::Temporary && !self.counters.contains(&id);
            assignable && ty.is_none_or(|ty| variable.ty == ty)
        };
        let candidates: Vec<VariableId> = self
            .variables
            .ids()
            .filter(|&id| fits(id, &self.variables[id]))
            .collect();
        (!candidates.is_empty()).then(|| self.random.pick(&candidates))
    }

    fn push(&mut self, statements: &mut Vec<Statement>, kind: StatementKind) {
        let statement = self.statement(kind);
        statements.push(statement);
    }

    /// Adds one statement, or a few that belong together.
    pub fn simple_statements(&mut self, statements: &mut Vec<Statement>) {
        let Some(target) = self.target(None) else { return };
        let ty = self.variables[target].ty;
        match self.random.below(25) {
            0 => {
                let source = NondetSource::Input("input".to_owned());
                self.push(statements, StatementKind::Nondet { target, source });
            }
            1 => {
                let condition = self.expr(Type::BOOL, 2);
                if self.random.one_in(3) {
                    self.push(statements, StatementKind::Assume { condition });
                }
            }
            2 | 3 => {
                let condition = self.likely_condition();
                let property = self.property(PropertyKind::Assertion);
                self.push(statements, StatementKind::Assert { condition, property });
            }
            4 if self.options.floats => {
                let mode = self.expr(Type::Int(8), 2);
                self.push(statements, StatementKind::SetRounding { mode });
            }
            5 if self.options.floats && matches!(ty, Type::Int(_)) => {
                self.push(statements, StatementKind::GetRounding { target });
            }
            6 | 7 if self.options.calls => self.call(statements),
            8 | 9 if self.options.output => self.output(statements),
            10..=16 if self.options.memory => self.memory_statement(statements),
            17 if self.random.one_in(12) => {
                let reason = self.random.pick(&[StopReason::Exit, StopReason::Abort]);
                let status = (reason == StopReason::Exit).then(|| self.expr(Type::Int(32), 1));
                self.push(statements, StatementKind::Stop { reason, status });
            }
            19..=21 => self.through_temporary(statements, target),
            18 => self.push(statements, StatementKind::Note { variable: target }),
            _ => {
                let value = self.expr(ty, 4);
                self.push(statements, StatementKind::Assign { target, value });
            }
        }
    }

    /// Code as a translation from SSA form writes it: a temporary is assigned, and soon read.
    fn through_temporary(&mut self, statements: &mut Vec<Statement>, target: VariableId) {
        let ty = self.variables[target].ty;
        let temporary = self.temporary(ty);
        let kind = match self.random.below(3) {
            0 => StatementKind::Nondet {
                target: temporary,
                source: NondetSource::Input("input".to_owned()),
            },
            1 if self.options.memory => {
                let address = self.likely_pointer(ty.bytes(&self.program.data_model));
                let (align, checks) = (self.align(), self.checks());
                StatementKind::Load {
                    target: temporary,
                    address,
                    align,
                    volatile: false,
                    checks,
                }
            }
            _ => StatementKind::Assign {
                target: temporary,
                value: self.expr(ty, 3),
            },
        };
        self.push(statements, kind);
        if self.random.one_in(3) {
            self.simple_statements(statements);
        }
        let read = Box::new(Expr::Variable(temporary));
        let value = match self.random.below(3) {
            0 => {
                let condition = Box::new(self.expr(Type::BOOL, 1));
                Expr::Select(condition, read, Box::new(self.expr(ty, 2)))
            }
            _ => *read,
        };
        self.push(statements, StatementKind::Assign { target, value });
    }

    /// A condition that holds more often than not, so that runs get somewhere.
    fn likely_condition(&mut self) -> Expr {
        let condition = self.expr(Type::BOOL, 3);
        match self.random.one_in(4) {
            true => condition,
            false => {
                let other = self.expr(Type::BOOL, 2);
                let or = BinaryOp::Or;
                let not = Expr::Unary(crate::program::UnaryOp::Not, Box::new(condition.clone()));
                Expr::Binary(
                    or,
                    Box::new(condition),
                    Box::new(Expr::Binary(or, Box::new(other), Box::new(not))),
                )
            }
        }
    }

    fn call(&mut self, statements: &mut Vec<Statement>) {
        if self.callees.is_empty() {
            return;
        }
        let index = self.random.below(self.callees.len());
        let (function, (parameters, results)) = self.callees[index].clone();
        let arguments = parameters.into_iter().map(|ty| self.expr(ty, 2)).collect();
        let targets: Option<Vec<VariableId>> = results.into_iter().map(|ty| self.target(Some(ty))).collect();
        let callee = match self.random.one_in(3) {
            true => Callee::Indirect(Expr::FunctionAddress(function)),
            false => Callee::Direct(function),
        };
        let check = Some(self.property(PropertyKind::FunctionPointer));
        let results = targets.unwrap_or_default();
        self.push(
            statements,
            StatementKind::Call {
                results,
                callee,
                arguments,
                check,
            },
        );
    }

    fn output(&mut self, statements: &mut Vec<Statement>) {
        let int = Type::Int(32);
        let mut arguments = vec![Expr::GlobalAddress(GlobalId::new(0))];
        arguments.extend((0..3).map(|_| self.expr(int, 2)));
        let target = self.target(Some(int)).filter(|_| self.random.one_in(3));
        let argument_types = vec![Type::Pointer, int, int, int];
        let function = OutputFunction::Printf;
        self.push(
            statements,
            StatementKind::Output {
                target,
                function,
                arguments,
                argument_types,
            },
        );
    }

    fn checks(&mut self) -> AccessChecks {
        let unchecked = self.random.one_in(8);
        AccessChecks {
            pointer: (!unchecked).then(|| self.property(PropertyKind::Pointer)),
            uninitialised: self
                .random
                .one_in(2)
                .then(|| self.property(PropertyKind::Uninitialised)),
        }
    }

    /// A stricter alignment than the object's makes the outcome depend on its address.
    fn align(&mut self) -> u32 {
        if self.options.addresses {
            self.random.pick(&[1, 1, 4])
        } else {
            1
        }
    }

    /// A pointer that is likely to be good for an access of some bytes.
    fn likely_pointer(&mut self, bytes: u64) -> Expr {
        if self.random.one_in(5) {
            return self.expr(Type::Pointer, 2);
        }
        let writable: Vec<GlobalId> = self
            .program
            .globals
            .enumerate()
            .filter(|(_, global)| global.size >= bytes && !global.constant)
            .map(|(id, _)| id)
            .collect();
        if writable.is_empty() {
            return self.expr(Type::Pointer, 1);
        }
        let global = self.random.pick(&writable);
        let room = (self.program.globals[global].size - bytes) / bytes.max(1);
        let offset = self.random.below(room as usize + 1) as u128 * u128::from(bytes.max(1));
        let width = self.program.data_model.pointer_width;
        let base = Box::new(Expr::GlobalAddress(global));
        Expr::PointerAdd(base, Box::new(Expr::Int(BitVec::new(width, offset))))
    }

    /// A few bytes.
    fn constant_length(&mut self) -> Expr {
        let width = self.program.data_model.pointer_width;
        Expr::Int(BitVec::new(width, self.random.below(13) as u128))
    }

    /// A few bytes, at times as many as a variable says.
    fn length(&mut self) -> Expr {
        if !self.random.one_in(3) {
            return self.constant_length();
        }
        let width = self.program.data_model.pointer_width;
        let few = Box::new(Expr::Int(BitVec::new(width, 15)));
        Expr::Binary(BinaryOp::And, self.boxed(Type::Int(width), 1), few)
    }

    fn memory_statement(&mut self, statements: &mut Vec<Statement>) {
        match self.random.below(10) {
            0 => {
                let Some(target) = self.target(Some(Type::Pointer)) else {
                    return;
                };
                let site = self.object_site();
                let size = self.constant_length();
                self.push(statements, StatementKind::StackObject { target, size, site });
            }
            1 => {
                let Some(target) = self.target(Some(Type::Pointer)) else {
                    return;
                };
                let site = self.object_site();
                let (size, zeroed) = (self.constant_length(), self.random.one_in(2));
                self.push(
                    statements,
                    StatementKind::HeapObject {
                        target,
                        size,
                        zeroed,
                        site,
                    },
                );
            }
            2 if self.random.one_in(4) => {
                let pointer = self.expr(Type::Pointer, 0);
                self.push(statements, StatementKind::EndObject { pointer });
            }
            2 if self.random.one_in(3) => {
                let pointer = self.expr(Type::Pointer, 0);
                let check = Some(self.property(PropertyKind::Free));
                self.push(statements, StatementKind::Free { pointer, check });
            }
            3 => {
                let (target, source) = (self.likely_pointer(4), self.likely_pointer(4));
                let length = self.length();
                let (overlap, checks) = (self.random.one_in(2), self.checks());
                self.push(
                    statements,
                    StatementKind::CopyMemory {
                        target,
                        source,
                        length,
                        overlap,
                        checks,
                    },
                );
            }
            4 => {
                let (target, value) = (self.likely_pointer(4), self.expr(Type::Int(8), 2));
                let (length, checks) = (self.length(), self.checks());
                self.push(
                    statements,
                    StatementKind::SetMemory {
                        target,
                        value,
                        length,
                        checks,
                    },
                );
            }
            5..=7 => {
                let Some(target) = self.target(None) else { return };
                let ty = self.variables[target].ty;
                let address = self.likely_pointer(ty.bytes(&self.program.data_model));
                let (align, checks) = (self.align(), self.checks());
                self.push(
                    statements,
                    StatementKind::Load {
                        target,
                        address,
                        align,
                        volatile: false,
                        checks,
                    },
                );
            }
            _ => {
                let ty = self.scalar_type();
                let address = self.likely_pointer(ty.bytes(&self.program.data_model));
                let value = self.expr(ty, 3);
                let (align, checks) = (self.align(), self.checks());
                self.push(
                    statements,
                    StatementKind::Store {
                        address,
                        value,
                        ty,
                        align,
                        volatile: false,
                        checks,
                    },
                );
            }
        }
    }
}
