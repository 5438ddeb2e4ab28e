//! Checks that a program keeps the rules of the model.
//!
//! Passes are tested with it, and programs from outside (the text form) go through it before an
//! engine sees them. It establishes: every id is in its table; every expression is well typed;
//! guards and conditions are truth values; results and parameters are variables of their function;
//! initial values are constants inside their global. It does not decide whether guards exclude each
//! other.

use kripke_value::MathFunction;

use crate::ids::{FunctionId, GlobalId, LocationId, PropertyId, VariableId};
use crate::program::{
    BinaryOp, Callee, CastOp, Expr, Function, InitialCell, Program, StatementKind, Type, UnaryOp,
};
use crate::typing::{OperandKind, ResultKind};

/// What is wrong, and where in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// `function main, l3, transition 0, statement 2`
    pub place: String,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for VerifyError {}

/// The first thing that is wrong with the program.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    let at = |place: String| move |message: String| VerifyError { place, message };
    verify_tables(program).map_err(at("tables".to_owned()))?;
    for (id, _) in program.globals.enumerate() {
        verify_global(program, id).map_err(at(format!("global {}", program.globals[id].name)))?;
    }
    for id in program.functions.ids() {
        verify_function(program, id)?;
    }
    Ok(())
}

type Verdict<T = ()> = Result<T, String>;

fn require(condition: bool, message: impl FnOnce() -> String) -> Verdict {
    if condition { Ok(()) } else { Err(message()) }
}

fn verify_tables(program: &Program) -> Verdict {
    require(matches!(program.data_model.pointer_width, 8..=64), || {
        "a pointer width outside 8 to 64".to_owned()
    })?;
    require(program.functions.get(program.entry).is_some(), || {
        format!("no entry function {}", program.entry)
    })?;
    for (id, property) in program.properties.enumerate() {
        require(program.functions.get(property.function).is_some(), || {
            format!("{id} is in no function")
        })?;
    }
    for (id, site) in program.object_sites.enumerate() {
        require(site.align.is_power_of_two(), || {
            format!("the alignment of {id} is no power of two")
        })?;
    }
    Ok(())
}

fn verify_global(program: &Program, id: GlobalId) -> Verdict {
    let global = &program.globals[id];
    require(global.align.is_power_of_two(), || {
        "an alignment that is no power of two".to_owned()
    })?;
    let mut end = 0;
    for InitialCell { offset, ty, value } in &global.cells {
        require(*offset >= end, || {
            format!("the cell at {offset} overlaps the one before")
        })?;
        end = offset + ty.bytes(&program.data_model);
        require(end <= global.size, || format!("the cell at {offset} is outside"))?;
        let mut constant = true;
        value.each_variable(&mut |_| constant = false);
        require(constant, || format!("the cell at {offset} is not constant"))?;
        let found = Typing {
            program,
            function: None,
        }
        .check(value)?;
        require(found == *ty, || {
            format!("the cell at {offset} holds {found:?}, not {ty:?}")
        })?;
    }
    Ok(())
}

fn verify_function(program: &Program, id: FunctionId) -> Result<(), VerifyError> {
    let function = &program.functions[id];
    let at = |rest: String| {
        let place = format!("function {}{rest}", function.name);
        move |message: String| VerifyError { place, message }
    };
    verify_shape(function).map_err(at(String::new()))?;
    let typing = Typing {
        program,
        function: Some(function),
    };
    for (location, body) in function.locations.enumerate() {
        for (index, transition) in body.transitions.iter().enumerate() {
            let place = format!(", {location}, transition {index}");
            typing
                .truth(&transition.guard, "a guard")
                .map_err(at(place.clone()))?;
            require(function.locations.get(transition.target).is_some(), || {
                "its target does not exist".to_owned()
            })
            .map_err(at(place.clone()))?;
            for (number, statement) in transition.statements.iter().enumerate() {
                typing
                    .statement(&statement.kind)
                    .map_err(at(format!("{place}, statement {number}")))?;
            }
        }
    }
    Ok(())
}

fn verify_shape(function: &Function) -> Verdict {
    let exists = |id: &VariableId| function.variables.get(*id).is_some();
    require(function.parameters.iter().all(exists), || {
        "a parameter that is no variable".to_owned()
    })?;
    require(function.results.iter().all(exists), || {
        "a result that is no variable".to_owned()
    })?;
    if function.locations.is_empty() {
        return Ok(());
    }
    let location = |id: LocationId| function.locations.get(id);
    require(location(function.entry).is_some(), || {
        "no entry location".to_owned()
    })?;
    let exit = location(function.exit).ok_or("no exit location")?;
    require(exit.transitions.is_empty(), || {
        "a transition leaves the exit".to_owned()
    })
}

/// Types the expressions of a function, or of the initial values of globals.
struct Typing<'p> {
    program: &'p Program,
    function: Option<&'p Function>,
}

impl Typing<'_> {
    fn variable(&self, id: VariableId) -> Verdict<Type> {
        let variable = self.function.and_then(|function| function.variables.get(id));
        variable
            .map(|variable| variable.ty)
            .ok_or_else(|| format!("no variable {id}"))
    }

    fn truth(&self, expr: &Expr, what: &str) -> Verdict {
        let ty = self.check(expr)?;
        require(ty == Type::BOOL, || format!("{what} of type {ty:?}"))
    }

    fn is(&self, expr: &Expr, wanted: Type, what: &str) -> Verdict {
        let ty = self.check(expr)?;
        require(ty == wanted, || format!("{what} of type {ty:?}, not {wanted:?}"))
    }

    fn address(&self) -> Type {
        Type::Int(self.program.data_model.pointer_width)
    }

    fn int(&self, expr: &Expr, what: &str) -> Verdict<u32> {
        match self.check(expr)? {
            Type::Int(width) => Ok(width),
            other => Err(format!("{what} of type {other:?}, not an integer")),
        }
    }

    /// The type of an expression, all of whose parts are well typed.
    fn check(&self, expr: &Expr) -> Verdict<Type> {
        Ok(match expr {
            Expr::Int(value) => Type::Int(value.width()),
            Expr::Float(value) => Type::Float(value.format()),
            Expr::Null => Type::Pointer,
            Expr::GlobalAddress(id) => {
                require(self.program.globals.get(*id).is_some(), || {
                    format!("no global {id}")
                })?;
                Type::Pointer
            }
            Expr::FunctionAddress(id) => {
                require(self.program.functions.get(*id).is_some(), || {
                    format!("no function {id}")
                })?;
                Type::Pointer
            }
            Expr::Variable(id) => self.variable(*id)?,
            Expr::Unary(op, operand) => self.unary(*op, self.check(operand)?)?,
            Expr::Binary(op, left, right) => self.binary(*op, self.check(left)?, self.check(right)?)?,
            Expr::Fma(a, b, c) => {
                let ty = self.check(a)?;
                require(ty.kind() == OperandKind::Float, || format!("fma of {ty:?}"))?;
                self.is(b, ty, "an operand of fma")?;
                self.is(c, ty, "an operand of fma")?;
                ty
            }
            Expr::Cast(op, operand, ty) => {
                let from = self.check(operand)?;
                require(self.may_cast(*op, from, *ty), || {
                    format!("{op:?} from {from:?} to {ty:?}")
                })?;
                *ty
            }
            Expr::Select(condition, then, otherwise) => {
                self.truth(condition, "a condition")?;
                let ty = self.check(then)?;
                self.is(otherwise, ty, "the other case")?;
                ty
            }
            Expr::PointerAdd(base, offset) => {
                self.is(base, Type::Pointer, "the base of a pointer")?;
                self.is(offset, self.address(), "an offset")?;
                Type::Pointer
            }
            Expr::ObjectSize(operand) | Expr::PointerOffset(operand) => {
                self.is(operand, Type::Pointer, "an operand")?;
                self.address()
            }
            Expr::SameObject(left, right) => {
                self.is(left, Type::Pointer, "an operand")?;
                self.is(right, Type::Pointer, "an operand")?;
                Type::BOOL
            }
            Expr::Extract { high, low, value } => {
                let width = self.int(value, "the operand of an extraction")?;
                require(low <= high && *high < width, || {
                    format!("bits {high}:{low} of {width}")
                })?;
                Type::Int(high - low + 1)
            }
            Expr::Concat(high, low) => Type::Int(
                self.int(high, "an operand")?
                    .saturating_add(self.int(low, "an operand")?),
            ),
        })
    }

    fn unary(&self, op: UnaryOp, operand: Type) -> Verdict<Type> {
        require(operand.kind() == op.signature().0, || {
            format!("{op:?} of {operand:?}")
        })?;
        if let (UnaryOp::ByteSwap, Type::Int(width)) = (op, operand) {
            require(width.is_multiple_of(16), || {
                format!("a byte swap of {width} bits")
            })?;
        }
        Ok(op.result_type(operand))
    }

    fn binary(&self, op: BinaryOp, left: Type, right: Type) -> Verdict<Type> {
        let (kind, result) = op.signature();
        require(left == right, || format!("{op:?} of {left:?} and {right:?}"))?;
        require(left.kind() == kind, || format!("{op:?} of {left:?}"))?;
        Ok(match result {
            ResultKind::Same => left,
            ResultKind::Bool => Type::BOOL,
            ResultKind::Address => self.address(),
        })
    }

    fn may_cast(&self, op: CastOp, from: Type, to: Type) -> bool {
        match (op, from, to) {
            (CastOp::ZExt | CastOp::SExt, Type::Int(from), Type::Int(to)) => from < to,
            (CastOp::Trunc, Type::Int(from), Type::Int(to)) => from > to,
            (CastOp::FToF, Type::Float(_), Type::Float(_)) => true,
            (CastOp::FToS | CastOp::FToU, Type::Float(_), Type::Int(_)) => true,
            (CastOp::SToF | CastOp::UToF, Type::Int(_), Type::Float(_)) => true,
            (CastOp::BitsToFloat, Type::Int(width), Type::Float(format))
            | (CastOp::FloatToBits, Type::Float(format), Type::Int(width)) => width == format.bits(),
            (CastOp::PointerToInt, Type::Pointer, Type::Int(width))
            | (CastOp::IntToPointer, Type::Int(width), Type::Pointer) => {
                width == self.program.data_model.pointer_width
            }
            _ => false,
        }
    }

    fn property(&self, property: PropertyId) -> Verdict {
        require(self.program.properties.get(property).is_some(), || {
            format!("no property {property}")
        })
    }

    fn checks(&self, checks: crate::program::AccessChecks) -> Verdict {
        checks
            .pointer
            .into_iter()
            .chain(checks.uninitialised)
            .try_for_each(|property| self.property(property))
    }

    fn align(&self, align: u32) -> Verdict {
        require(align.is_power_of_two(), || {
            format!("an alignment of {align}, no power of two")
        })
    }

    fn site(&self, site: crate::ObjectSiteId) -> Verdict {
        require(self.program.object_sites.get(site).is_some(), || {
            format!("no allocation site {site}")
        })
    }

    fn target(&self, target: VariableId, wanted: Option<Type>, what: &str) -> Verdict {
        let ty = self.variable(target)?;
        require(wanted.is_none_or(|wanted| ty == wanted), || {
            format!("{what} into a variable of type {ty:?}")
        })
    }

    fn statement(&self, kind: &StatementKind) -> Verdict {
        use StatementKind::*;
        match kind {
            Assign { target, value } => self.is(value, self.variable(*target)?, "a value"),
            Load {
                target,
                address,
                align,
                checks,
                ..
            } => {
                self.target(*target, None, "a load")?;
                self.is(address, Type::Pointer, "an address")?;
                self.align(*align)?;
                self.checks(*checks)
            }
            Store {
                address,
                value,
                ty,
                align,
                checks,
                ..
            } => {
                self.is(address, Type::Pointer, "an address")?;
                self.is(value, *ty, "a value")?;
                self.align(*align)?;
                self.checks(*checks)
            }
            StackObject { target, size, site }
            | HeapObject {
                target, size, site, ..
            } => {
                self.target(*target, Some(Type::Pointer), "an object")?;
                self.is(size, self.address(), "a size")?;
                self.site(*site)
            }
            EndObject { pointer } => self.is(pointer, Type::Pointer, "a pointer"),
            Free { pointer, check } => {
                self.is(pointer, Type::Pointer, "a pointer")?;
                check.iter().try_for_each(|&property| self.property(property))
            }
            CopyMemory {
                target,
                source,
                length,
                checks,
                ..
            } => {
                self.is(target, Type::Pointer, "the target")?;
                self.is(source, Type::Pointer, "the source")?;
                self.is(length, self.address(), "the length")?;
                self.checks(*checks)
            }
            SetMemory {
                target,
                value,
                length,
                checks,
            } => {
                self.is(target, Type::Pointer, "the target")?;
                self.is(value, Type::Int(8), "the value")?;
                self.is(length, self.address(), "the length")?;
                self.checks(*checks)
            }
            Call {
                results,
                callee,
                arguments,
                check,
            } => {
                results
                    .iter()
                    .try_for_each(|&result| self.target(result, None, "a result"))?;
                match callee {
                    Callee::Direct(id) => {
                        require(self.program.functions.get(*id).is_some(), || {
                            format!("no function {id}")
                        })?;
                    }
                    Callee::Indirect(pointer) => self.is(pointer, Type::Pointer, "the callee")?,
                }
                arguments
                    .iter()
                    .try_for_each(|argument| self.check(argument).map(|_| ()))?;
                check.iter().try_for_each(|&property| self.property(property))
            }
            Nondet { target, .. } => self.target(*target, None, "a value"),
            Math {
                target,
                function,
                arguments,
            } => {
                let ty = self.variable(*target)?;
                let known = matches!(ty, Type::Float(format) if MathFunction::knows(format));
                require(known && arguments.len() == function.arity(), || {
                    format!(
                        "{} of {} arguments into a variable of type {ty:?}",
                        function.name(),
                        arguments.len()
                    )
                })?;
                arguments
                    .iter()
                    .try_for_each(|argument| self.is(argument, ty, "an argument"))
            }
            Note { variable } => self.target(*variable, None, "a note"),
            Assume { condition } => self.truth(condition, "a condition"),
            Assert { condition, property } => {
                self.truth(condition, "a condition")?;
                self.property(*property)
            }
            SetRounding { mode } => self.int(mode, "a rounding mode").map(|_| ()),
            GetRounding { target } => match self.variable(*target)? {
                Type::Int(_) => Ok(()),
                other => Err(format!("a rounding mode into a variable of type {other:?}")),
            },
            Output {
                target,
                arguments,
                argument_types,
                ..
            } => {
                target
                    .iter()
                    .try_for_each(|&target| self.target(target, None, "a count"))?;
                require(arguments.len() == argument_types.len(), || {
                    "arguments without types".to_owned()
                })?;
                let mut pairs = arguments.iter().zip(argument_types);
                pairs.try_for_each(|(argument, &ty)| self.is(argument, ty, "an argument"))
            }
            Stop { status, .. } => status
                .iter()
                .try_for_each(|status| self.int(status, "a status").map(|_| ())),
            Unsupported { .. } => Ok(()),
        }
    }
}

/// Panics where a program breaks the rules: for debug builds, after each pass.
pub fn assert_valid(program: &Program, after: &str) {
    if let Err(error) = verify(program) {
        panic!("after {after}, the program breaks a rule of the model: {error}");
    }
}
