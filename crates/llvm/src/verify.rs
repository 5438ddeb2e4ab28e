//! Whether a module from outside is well formed, before anything relies on it.
//!
//! Idea: LLVM IR states the type of every operand at its use. Comparing these with the types of the
//! definitions, and with what each instruction asks for, finds IR that was broken by hand or by a tool.
//!
//! Invariant: after [`verify`] every local name is defined, has the type that each use states, and
//! operands fit their instructions, so that the translation may combine them without asking again. That
//! a definition dominates its uses is not checked: an undominated use reads an uninitialised value.
//!
//! clang's own output is not verified: LLVM has done it.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Error;
use crate::ir::{
    Argument, BinaryOp, CastOp, Constant, ConstantExpression, Function, Instruction, InstructionKind, Module,
    Predicate, Type, TypedValue, Value,
};

/// How deep types may lie in each other; they are walked recursively.
const DEEPEST_TYPE: usize = 500;

/// What is wrong, in words.
type Check<T = ()> = Result<T, String>;

/// Checks every function and initial value of a module. `file` names it in messages.
pub fn verify(module: &Module, file: &str) -> Result<(), Error> {
    let error = |line: u32, message: String| Error::Parse {
        file: file.to_owned(),
        line,
        column: 1,
        message,
    };
    let by_name = module
        .functions
        .iter()
        .map(|function| (&*function.name, function));
    let verifier = Verifier {
        module,
        functions: Rc::new(by_name.collect()),
        labels: FxHashSet::default(),
        locals: FxHashMap::default(),
    };
    check_named_types(module).map_err(|message| error(1, message))?;
    for global in &module.globals {
        if let Some(initializer) = &global.initializer {
            let checked = verifier.constant(&global.ty, initializer);
            checked.map_err(|message| error(global.line, message))?;
        }
    }
    for function in module
        .functions
        .iter()
        .filter(|function| !function.blocks.is_empty())
    {
        let verifier = verifier
            .of_function(function)
            .map_err(|message| error(function.line, message))?;
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let checked = verifier.instruction(function, instruction);
            checked.map_err(|message| error(instruction.line, message))?;
        }
    }
    Ok(())
}

/// A struct may not contain itself other than through a pointer.
fn check_named_types(module: &Module) -> Check {
    let mut done: FxHashSet<&str> = FxHashSet::default();
    let mut open: FxHashSet<&str> = FxHashSet::default();
    enum Visit<'m> {
        Enter(&'m str),
        Leave(&'m str),
    }
    for start in module.types.keys() {
        let mut stack = vec![Visit::Enter(start)];
        while let Some(visit) = stack.pop() {
            match visit {
                Visit::Leave(name) => {
                    open.remove(name);
                    done.insert(name);
                }
                Visit::Enter(name) if done.contains(name) => {}
                Visit::Enter(name) => {
                    if !open.insert(name) {
                        return Err(format!("the type %{name} contains itself"));
                    }
                    if open.len() > DEEPEST_TYPE {
                        return Err(format!(
                            "the type %{start} has more than {DEEPEST_TYPE} types inside each other"
                        ));
                    }
                    stack.push(Visit::Leave(name));
                    let mut inner = Vec::new();
                    if let Some(ty) = module.types.get(name) {
                        names_in(ty, &mut inner);
                    }
                    stack.extend(inner.into_iter().map(Visit::Enter));
                }
            }
        }
    }
    Ok(())
}

fn names_in<'m>(ty: &'m Type, names: &mut Vec<&'m str>) {
    match ty {
        Type::Named(name) => names.push(name),
        Type::Array(_, element) | Type::Vector(_, element) => names_in(element, names),
        Type::Struct { members, .. } => members.iter().for_each(|member| names_in(member, names)),
        _ => {}
    }
}

fn is_float(ty: &Type) -> bool {
    match ty {
        Type::Half | Type::BFloat | Type::Float | Type::Double | Type::X86Fp80 | Type::Fp128 => true,
        Type::Other(name) => &**name == "ppc_fp128",
        _ => false,
    }
}

/// The type of each lane, and how many lanes there are (none for a scalar).
fn lanes(ty: &Type) -> (&Type, Option<u64>) {
    match ty {
        Type::Vector(count, element) => (element, Some(*count)),
        _ => (ty, None),
    }
}

/// The type with other lanes of the same number.
fn with_lanes(of: &Type, lane: Type) -> Type {
    match of {
        Type::Vector(count, _) => Type::Vector(*count, Arc::new(lane)),
        _ => lane,
    }
}

/// Equal up to the address spaces of pointers.
fn same(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Pointer(_), Type::Pointer(_)) => true,
        (Type::Vector(n, a), Type::Vector(m, b)) | (Type::Array(n, a), Type::Array(m, b)) => {
            n == m && same(a, b)
        }
        _ => a == b,
    }
}

fn require(holds: bool, what: &str) -> Check {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

#[derive(Clone)]
struct Verifier<'m> {
    module: &'m Module,
    functions: Rc<FxHashMap<&'m str, &'m Function>>,
    labels: FxHashSet<&'m str>,
    /// The types of parameters and results; none where an unknown instruction makes the value.
    locals: FxHashMap<&'m str, Option<Type>>,
}

impl<'m> Verifier<'m> {
    fn of_function(&self, function: &'m Function) -> Check<Verifier<'m>> {
        let mut verifier = self.clone();
        verifier.labels = function.blocks.iter().map(|block| &*block.label).collect();
        for parameter in &function.parameters {
            verifier
                .locals
                .insert(&parameter.name, Some(parameter.ty.clone()));
        }
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let Some(name) = &instruction.result else { continue };
            let ty = self.result_type(&instruction.kind);
            if verifier.locals.insert(name, ty).is_some() {
                return Err(format!("%{name} is defined twice"));
            }
        }
        Ok(verifier)
    }

    fn resolve<'t>(&'t self, ty: &'t Type) -> &'t Type {
        match ty {
            Type::Named(name) => match self.module.types.get(name) {
                // A name never stands for another name: LLVM's are all structs.
                Some(Type::Named(_)) | None => ty,
                Some(named) => named,
            },
            _ => ty,
        }
    }

    /// The type of the part of an aggregate at a path.
    fn member<'t>(&'t self, ty: &'t Type, path: &[u32]) -> Option<&'t Type> {
        let mut at = ty;
        for &index in path {
            at = match self.resolve(at) {
                Type::Struct { members, .. } => members.get(index as usize)?,
                Type::Array(count, element) if u64::from(index) < *count => element,
                _ => return None,
            };
        }
        Some(at)
    }

    fn result_type(&self, kind: &InstructionKind) -> Option<Type> {
        Some(match kind {
            InstructionKind::Alloca { .. } => Type::Pointer(0),
            InstructionKind::Load { ty, .. }
            | InstructionKind::Binary { ty, .. }
            | InstructionKind::FNeg { ty, .. }
            | InstructionKind::Phi { ty, .. }
            | InstructionKind::Freeze { ty, .. }
            | InstructionKind::VaArg { ty, .. } => ty.clone(),
            InstructionKind::GetElementPointer { base, indices, .. } => {
                let types = std::iter::once(&base.0).chain(indices.iter().map(|(ty, _)| ty));
                let vector = types.into_iter().find(|ty| matches!(ty, Type::Vector(..)));
                with_lanes(vector.unwrap_or(&base.0), Type::Pointer(0))
            }
            InstructionKind::Cast { to, .. } => to.clone(),
            InstructionKind::Compare { ty, .. } => with_lanes(ty, Type::Int(1)),
            InstructionKind::Select { then, .. } => then.0.clone(),
            InstructionKind::ExtractValue { aggregate, path } => self.member(&aggregate.0, path)?.clone(),
            InstructionKind::InsertValue { aggregate, .. } => aggregate.0.clone(),
            InstructionKind::ExtractElement { vector, .. } => lanes(&vector.0).0.clone(),
            InstructionKind::InsertElement { vector, .. } => vector.0.clone(),
            InstructionKind::ShuffleVector { left, mask, .. } => {
                with_lanes(&mask.0, lanes(&left.0).0.clone())
            }
            InstructionKind::Call(call) => call.result.clone(),
            InstructionKind::AtomicRmw { value, .. } => value.0.clone(),
            InstructionKind::CompareExchange { new, .. } => Type::Struct {
                members: [new.0.clone(), Type::Int(1)].into(),
                packed: false,
            },
            _ => return None,
        })
    }

    fn typed(&self, operand: &TypedValue) -> Check {
        self.value(&operand.0, &operand.1)
    }

    fn value(&self, ty: &Type, value: &Value) -> Check {
        match value {
            Value::Local(name) => match self.locals.get(&**name) {
                None => Err(format!("%{name} is not defined")),
                Some(Some(defined)) if !same(defined, ty) => Err(format!(
                    "%{name} is used with another type than it is defined with"
                )),
                Some(_) => Ok(()),
            },
            Value::Constant(constant) => self.constant(ty, constant),
            Value::Metadata(_) | Value::InlineAssembly(_) => Ok(()),
        }
    }

    fn constant(&self, ty: &Type, constant: &Constant) -> Check {
        let resolved = self.resolve(ty);
        let fits = match constant {
            Constant::Int(_) => matches!(resolved, Type::Int(_)),
            Constant::Float(_) => is_float(resolved),
            Constant::Null | Constant::Global(_) | Constant::BlockAddress => {
                matches!(resolved, Type::Pointer(_))
            }
            Constant::Undef | Constant::Poison | Constant::Zero => {
                !matches!(resolved, Type::Void | Type::Function(_))
            }
            Constant::Bytes(bytes) => {
                matches!(resolved, Type::Array(count, element)
                    if **element == Type::Int(8) && *count == bytes.len() as u64)
            }
            Constant::Aggregate(elements) => return self.aggregate(resolved, elements),
            Constant::Expression(expression) => return self.expression(ty, expression),
        };
        require(fits, "a constant does not fit its type")
    }

    fn aggregate(&self, ty: &Type, elements: &[(Type, Constant)]) -> Check {
        let fits = match ty {
            Type::Array(count, element) | Type::Vector(count, element) => {
                *count == elements.len() as u64 && elements.iter().all(|(ty, _)| same(ty, element))
            }
            Type::Struct { members, .. } => {
                let pairs = members.iter().zip(elements);
                members.len() == elements.len() && pairs.into_iter().all(|(member, (ty, _))| same(ty, member))
            }
            _ => false,
        };
        require(fits, "the elements of a constant do not fit its type")?;
        elements
            .iter()
            .try_for_each(|(ty, element)| self.constant(ty, element))
    }

    fn expression(&self, ty: &Type, expression: &ConstantExpression) -> Check {
        let result = match expression {
            ConstantExpression::Cast { op, from, value, to } => {
                self.constant(from, value)?;
                check_cast(*op, from, to)?;
                to.clone()
            }
            ConstantExpression::GetElementPointer { base, indices, .. } => {
                self.constant(&base.0, &base.1)?;
                require(
                    matches!(base.0, Type::Pointer(_)),
                    "getelementptr needs a pointer",
                )?;
                for (ty, index) in indices {
                    require(matches!(ty, Type::Int(_)), "an index is no integer")?;
                    self.constant(ty, index)?;
                }
                base.0.clone()
            }
            ConstantExpression::Binary { op, ty, left, right } => {
                self.constant(ty, left)?;
                self.constant(ty, right)?;
                check_binary(*op, ty)?;
                ty.clone()
            }
            ConstantExpression::Compare {
                predicate,
                ty,
                left,
                right,
            } => {
                self.constant(ty, left)?;
                self.constant(ty, right)?;
                check_compare(*predicate, ty)?;
                with_lanes(ty, Type::Int(1))
            }
            ConstantExpression::Select {
                condition,
                ty,
                then,
                otherwise,
            } => {
                self.constant(&Type::Int(1), condition)?;
                self.constant(ty, then)?;
                self.constant(ty, otherwise)?;
                ty.clone()
            }
            ConstantExpression::Unknown(_) => return Ok(()),
        };
        require(same(&result, ty), "a constant expression does not fit its type")
    }

    fn label(&self, label: &str) -> Check {
        if self.labels.contains(label) {
            return Ok(());
        }
        Err(format!("there is no block %{label}"))
    }

    fn pointer(&self, value: &Value) -> Check {
        self.value(&Type::Pointer(0), value)
    }

    fn typed_pointer(&self, operand: &TypedValue) -> Check {
        require(matches!(operand.0, Type::Pointer(_)), "an address is no pointer")?;
        self.typed(operand)
    }

    fn instruction(&self, function: &Function, instruction: &Instruction) -> Check {
        match &instruction.kind {
            InstructionKind::Alloca { count, .. } => match count {
                Some(count) => {
                    require(
                        matches!(count.0, Type::Int(_)),
                        "the count of an alloca is no integer",
                    )?;
                    self.typed(count)
                }
                None => Ok(()),
            },
            InstructionKind::Load { pointer, .. } => self.pointer(pointer),
            InstructionKind::Store {
                ty, value, pointer, ..
            } => {
                self.value(ty, value)?;
                self.pointer(pointer)
            }
            InstructionKind::GetElementPointer { base, indices, .. } => {
                require(
                    matches!(lanes(&base.0).0, Type::Pointer(_)),
                    "getelementptr needs a pointer",
                )?;
                self.typed(base)?;
                for index in indices {
                    require(
                        matches!(lanes(&index.0).0, Type::Int(_)),
                        "an index is no integer",
                    )?;
                    self.typed(index)?;
                }
                Ok(())
            }
            InstructionKind::Return(value) => match value {
                Some(value) => {
                    require(
                        same(&value.0, &function.result),
                        "the returned value has another type",
                    )?;
                    self.typed(value)
                }
                None => require(function.result == Type::Void, "a value must be returned"),
            },
            InstructionKind::ConditionalBranch {
                condition,
                then,
                otherwise,
            } => {
                self.label(then)?;
                self.label(otherwise)?;
                self.value(&Type::Int(1), condition)
            }
            InstructionKind::Branch { target } => self.label(target),
            InstructionKind::Switch {
                value,
                default,
                cases,
            } => {
                require(matches!(value.0, Type::Int(_)), "a switch needs an integer")?;
                self.typed(value)?;
                self.label(default)?;
                cases.iter().try_for_each(|(case, label)| {
                    self.label(label)?;
                    self.constant(&value.0, case)
                })
            }
            InstructionKind::Call(call) => {
                if let Value::Local(_) = call.callee {
                    self.pointer(&call.callee)?;
                }
                for argument in &call.arguments {
                    self.value(&argument.ty, &argument.value)?;
                }
                match &call.callee {
                    Value::Constant(Constant::Global(name)) => {
                        self.intrinsic(name, &call.result, &call.arguments)
                    }
                    _ => Ok(()),
                }
            }
            kind => self.computation(kind),
        }
    }

    /// The instructions that only compute.
    fn computation(&self, kind: &InstructionKind) -> Check {
        match kind {
            InstructionKind::Binary { op, ty, left, right } => {
                self.value(ty, left)?;
                self.value(ty, right)?;
                check_binary(*op, ty)
            }
            InstructionKind::FNeg { ty, value } => {
                require(is_float(lanes(ty).0), "fneg needs a float")?;
                self.value(ty, value)
            }
            InstructionKind::Cast { op, from, value, to } => {
                self.value(from, value)?;
                check_cast(*op, from, to)
            }
            InstructionKind::Compare {
                predicate,
                ty,
                left,
                right,
            } => {
                self.value(ty, left)?;
                self.value(ty, right)?;
                check_compare(*predicate, ty)
            }
            InstructionKind::Select {
                condition,
                then,
                otherwise,
            } => {
                let (lane, count) = lanes(&condition.0);
                require(*lane == Type::Int(1), "the condition of a select is no i1")?;
                let as_many = count.is_none() || count == lanes(&then.0).1;
                require(
                    as_many && same(&then.0, &otherwise.0),
                    "the choices of a select differ in type",
                )?;
                self.typed(condition)?;
                self.typed(then)?;
                self.typed(otherwise)
            }
            InstructionKind::Phi { ty, incoming } => {
                incoming.iter().try_for_each(|(value, _)| self.value(ty, value))
            }
            InstructionKind::ExtractValue { aggregate, path } => {
                require(
                    self.member(&aggregate.0, path).is_some(),
                    "there is no such member",
                )?;
                self.typed(aggregate)
            }
            InstructionKind::InsertValue {
                aggregate,
                value,
                path,
            } => {
                let member = self.member(&aggregate.0, path);
                require(
                    member.is_some_and(|member| same(member, &value.0)),
                    "the member has another type",
                )?;
                self.typed(aggregate)?;
                self.typed(value)
            }
            InstructionKind::ExtractElement { vector, index } => {
                require(lanes(&vector.0).1.is_some(), "extractelement needs a vector")?;
                require(matches!(index.0, Type::Int(_)), "an index is no integer")?;
                self.typed(vector)?;
                self.typed(index)
            }
            InstructionKind::InsertElement { vector, value, index } => {
                let (lane, count) = lanes(&vector.0);
                require(
                    count.is_some() && same(lane, &value.0),
                    "insertelement needs a vector of this",
                )?;
                require(matches!(index.0, Type::Int(_)), "an index is no integer")?;
                self.typed(vector)?;
                self.typed(value)?;
                self.typed(index)
            }
            InstructionKind::ShuffleVector { left, right, mask } => {
                let vectors = lanes(&left.0).1.is_some() && same(&left.0, &right.0);
                let (lane, count) = lanes(&mask.0);
                require(
                    vectors && count.is_some() && *lane == Type::Int(32),
                    "shufflevector needs vectors",
                )?;
                self.typed(left)?;
                self.typed(right)?;
                self.typed(mask)
            }
            InstructionKind::Freeze { ty, value } => self.value(ty, value),
            InstructionKind::VaArg { list, .. } => self.typed_pointer(list),
            InstructionKind::AtomicRmw { pointer, value, .. } => {
                self.typed_pointer(pointer)?;
                self.typed(value)
            }
            InstructionKind::CompareExchange {
                pointer,
                expected,
                new,
                ..
            } => {
                require(
                    same(&expected.0, &new.0),
                    "the values of a cmpxchg differ in type",
                )?;
                self.typed_pointer(pointer)?;
                self.typed(expected)?;
                self.typed(new)
            }
            InstructionKind::DebugDeclare { address, .. } => match address {
                Value::Local(_) => self.pointer(address),
                _ => Ok(()),
            },
            InstructionKind::DebugValue { value, .. } => self.typed(value),
            _ => Ok(()),
        }
    }

    /// Calls of intrinsics state the types of their declaration, which in turn are those in its name.
    fn intrinsic(&self, name: &str, result: &Type, arguments: &[Argument]) -> Check {
        let Some(stem) = name.strip_prefix("llvm.") else {
            return Ok(());
        };
        let Some(declared) = self.functions.get(name) else {
            return Err(format!("@{name} is not declared"));
        };
        let parameters = declared.parameters.iter().map(|parameter| &parameter.ty);
        let types = || arguments.iter().map(|argument| &argument.ty);
        let agree = same(&declared.result, result)
            && declared.parameters.len() == arguments.len()
            && parameters.zip(types()).all(|(a, b)| same(a, b));
        require(agree, "a call of an intrinsic differs from its declaration")?;
        if let Some(count) = operands_of_one_type(stem) {
            let first = types().next();
            let alike = types()
                .take(count)
                .all(|ty| first.is_some_and(|first| same(first, ty)));
            require(
                alike && arguments.len() >= count,
                "the operands of an intrinsic differ in type",
            )?;
        }
        Ok(())
    }
}

/// How many leading operands of an arithmetic intrinsic have one type.
fn operands_of_one_type(stem: &str) -> Option<usize> {
    const PAIRS: &[&str] = &[
        "sadd.",
        "uadd.",
        "ssub.",
        "usub.",
        "smul.",
        "umul.",
        "sshl.",
        "ushl.",
        "smin.",
        "smax.",
        "umin.",
        "umax.",
        "copysign.",
        "minnum.",
        "maxnum.",
        "minimum.",
        "maximum.",
        "pow.",
        "scmp.",
        "ucmp.",
    ];
    const TRIPLES: &[&str] = &["fma.", "fmuladd.", "fshl.", "fshr."];
    if PAIRS.iter().any(|prefix| stem.starts_with(prefix)) {
        Some(2)
    } else if TRIPLES.iter().any(|prefix| stem.starts_with(prefix)) {
        Some(3)
    } else {
        None
    }
}

fn check_binary(op: BinaryOp, ty: &Type) -> Check {
    let lane = lanes(ty).0;
    let float = matches!(
        op,
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem
    );
    let fits = if float {
        is_float(lane)
    } else {
        matches!(lane, Type::Int(_))
    };
    require(fits, "an operator does not fit its operands' type")
}

fn check_compare(predicate: Predicate, ty: &Type) -> Check {
    let lane = lanes(ty).0;
    let integer = matches!(
        predicate,
        Predicate::Eq
            | Predicate::Ne
            | Predicate::Ugt
            | Predicate::Uge
            | Predicate::Ult
            | Predicate::Ule
            | Predicate::Sgt
            | Predicate::Sge
            | Predicate::Slt
            | Predicate::Sle
    );
    let fits = if integer {
        matches!(lane, Type::Int(_) | Type::Pointer(_))
    } else {
        is_float(lane)
    };
    require(fits, "a comparison does not fit its operands' type")
}

fn check_cast(op: CastOp, from: &Type, to: &Type) -> Check {
    if matches!(op, CastOp::BitCast) {
        let value = |ty: &Type| !matches!(ty, Type::Void | Type::Function(_) | Type::Other(_));
        return require(value(from) && value(to), "a cast does not fit its types");
    }
    let ((from, from_count), (to, to_count)) = (lanes(from), lanes(to));
    let fits = match (op, from, to) {
        (CastOp::Trunc, Type::Int(from), Type::Int(to)) => from > to,
        (CastOp::ZExt | CastOp::SExt, Type::Int(from), Type::Int(to)) => from < to,
        (CastOp::FpTrunc | CastOp::FpExt, from, to) => is_float(from) && is_float(to),
        (CastOp::FpToUi | CastOp::FpToSi, from, Type::Int(_)) => is_float(from),
        (CastOp::UiToFp | CastOp::SiToFp, Type::Int(_), to) => is_float(to),
        (CastOp::PtrToInt, Type::Pointer(_), Type::Int(_)) => true,
        (CastOp::IntToPtr, Type::Int(_), Type::Pointer(_)) => true,
        (CastOp::AddrSpaceCast, Type::Pointer(_), Type::Pointer(_)) => true,
        _ => false,
    };
    require(fits && from_count == to_count, "a cast does not fit its types")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser;

    fn check(body: &str, expected: &str) {
        let text =
            format!("declare i32 @llvm.smax.i32(i32, i32)\ndefine i32 @f(i32 %x, ptr %p) {{\n{body}\n}}");
        let module = parser::parse(text.as_bytes(), "t.ll").expect(body);
        let found = verify(&module, "t.ll")
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        match expected {
            "" => assert_eq!(found, "", "{body}"),
            _ => assert!(found.contains(expected), "{found} for {body}"),
        }
    }

    #[test]
    fn functions() {
        for (line, expected) in [
            ("%a = add i32 %x, 1", ""),
            (
                "%a = add i64 %x, 1",
                "t.ll:3:1: cannot read this LLVM IR: %x is used with another type",
            ),
            ("%a = add i32 %y, 1", "%y is not defined"),
            ("%x = add i32 1, 1", "%x is defined twice"),
            ("%a = fadd i32 %x, 1", "an operator does not fit"),
            ("%a = zext i32 %x to i16", "a cast does not fit"),
            ("%a = load i32, ptr %x", "another type"),
            ("store i32 null, ptr %p", "a constant does not fit"),
            (
                "%a = insertvalue { i32, i8 } undef, i8 1, 0",
                "the member has another type",
            ),
            (
                "%a = extractvalue { i32, i8 } undef, 2",
                "there is no such member",
            ),
            ("%a = call i32 @llvm.smax.i32(i32 1, i32 %x)", ""),
            (
                "%a = call i32 @llvm.smax.i32(i32 1, i64 2)",
                "differs from its declaration",
            ),
            ("br label %nowhere", "there is no block %nowhere"),
            ("%a = select i1 %x, i32 1, i32 2", "another type"),
            (
                "%a = getelementptr i32, ptr %p, float 1.0",
                "an index is no integer",
            ),
        ] {
            check(&format!("{line}\n  ret i32 0"), expected);
        }
        check("  ret i64 0", "the returned value has another type");
    }

    #[test]
    fn initial_values_and_types() {
        for (text, expected) in [
            ("@x = global [2 x i8] c\"ab\"", None),
            ("@x = global [3 x i8] c\"ab\"", Some("a constant does not fit")),
            (
                "@x = global { i8, i32 } { i32 1, i32 2 }",
                Some("the elements of a constant"),
            ),
            (
                "%a = type { i32, %b }\n%b = type { [2 x %a] }",
                Some("contains itself"),
            ),
            ("%a = type { ptr, i32 }\n@x = global %a { ptr @x, i32 1 }", None),
            (
                "@x = global i64 ptrtoint (ptr @x to i32)",
                Some("a constant expression does not fit"),
            ),
        ] {
            let module = parser::parse(text.as_bytes(), "t.ll").expect(text);
            let found = verify(&module, "t.ll").err().map(|error| error.to_string());
            match (found, expected) {
                (None, None) => {}
                (Some(found), Some(expected)) => assert!(found.contains(expected), "{found} for {text}"),
                (found, _) => panic!("{found:?} for {text}"),
            }
        }
    }
}
