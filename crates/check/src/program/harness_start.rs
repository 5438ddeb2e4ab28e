//! The call of an entry function other than `main`, for a harness.
//!
//! Idea: the front end's start-up function says in the program model how the arguments are made: inputs,
//! stores into objects, a call. It has no branches, so its statements are written in C one by one, with
//! the values that the inputs have in the trace. Objects are arrays of bytes and pointers are `void *`, since
//! a harness knows no type of the program; the addresses and sizes are those of the program's own types.
//!
//! Invariant: nothing is written for a start-up function of another form; then the harness calls the entry
//! without arguments, as for one that has none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use kripke_elts::{
    CType, Callee, CastOp, Encoding, Expr, FunctionId, GlobalId, Id, NondetSource, Program, StatementKind,
    Type, VariableId,
};
use kripke_model::{StepKind, Trace};
use kripke_value::FloatFormat;

/// The call and what must stand before it.
#[derive(Clone, Debug, Default)]
pub struct StartCode {
    /// Objects and the prototype.
    pub declarations: String,
    /// The statements of `main`.
    pub statements: String,
    /// The steps of the trace whose inputs these are.
    pub inputs: BTreeSet<usize>,
}

struct Writer<'p> {
    program: &'p Program,
    start: FunctionId,
    steps: Vec<(usize, &'p str, &'p str)>,
    next: usize,
    objects: BTreeMap<GlobalId, String>,
    code: StartCode,
}

/// The code for a trace of a program that starts in a function with parameters.
pub fn start_code(program: &Program, entry: &str, trace: &Trace) -> Option<StartCode> {
    let start = program.entry;
    let function = program.functions.get(start)?;
    if !function.name.starts_with("kripke.") || entry == "main" {
        return None;
    }
    let steps = trace
        .steps
        .iter()
        .enumerate()
        .filter_map(|(index, step)| match &step.kind {
            StepKind::Input { source, value, .. } if step.place.function.starts_with("kripke.") => {
                Some((index, source.as_str(), value.bits.as_str()))
            }
            _ => None,
        });
    let mut writer = Writer {
        program,
        start,
        steps: steps.collect(),
        next: 0,
        objects: BTreeMap::new(),
        code: StartCode::default(),
    };
    let mut at = function.entry;
    let mut called = false;
    while at != function.exit {
        let [transition] = &function.locations.get(at)?.transitions[..] else {
            return None;
        };
        for statement in &transition.statements {
            called |= writer.statement(&statement.kind, entry)?;
        }
        at = transition.target;
        if called {
            break;
        }
    }
    called.then(|| writer.finish())
}

impl Writer<'_> {
    /// Writes a statement; true when it was the call of the entry.
    fn statement(&mut self, kind: &StatementKind, entry: &str) -> Option<bool> {
        match kind {
            StatementKind::Nondet {
                target,
                source: NondetSource::Input(name),
            } => {
                let bits = self.recorded(name);
                let ty = self.type_of(*target);
                let value = match ty {
                    Type::Int(width) if width > 64 => return None,
                    Type::Float(_) => {
                        format!("kripke_{}(0x{bits:x}ULL)", machine_type(ty)?.replace(' ', "_"))
                    }
                    Type::Pointer => format!("(void *)(__UINTPTR_TYPE__)0x{bits:x}ULL"),
                    Type::Int(_) => format!("0x{bits:x}ULL"),
                };
                self.define(*target, &value, name)?;
            }
            StatementKind::Assign { target, value } => {
                let value = self.expression(value)?;
                self.define(*target, &value, "")?;
            }
            StatementKind::Store {
                address, value, ty, ..
            } => {
                let (address, value) = (self.expression(address)?, self.expression(value)?);
                let c_type = machine_type(*ty)?;
                let _ = writeln!(
                    self.code.statements,
                    "    {{ {c_type} value = {value}; __builtin_memcpy({address}, &value, sizeof value); }}"
                );
            }
            StatementKind::Call {
                callee: Callee::Direct(callee),
                arguments,
                ..
            } if self.program.functions[*callee].name == entry => {
                self.call(*callee, entry, arguments)?;
                return Some(true);
            }
            // Constructors run by themselves in a compiled program.
            StatementKind::Call { arguments, .. } if arguments.is_empty() => {}
            _ => return None,
        }
        Some(false)
    }

    /// The recorded value of the next input of this name; zero for one that the trace does not need.
    fn recorded(&mut self, name: &str) -> u128 {
        let rest = self.steps.iter().enumerate().skip(self.next);
        let found = rest.into_iter().find(|(_, (_, source, _))| *source == name);
        let Some((place, (index, _, bits))) = found else {
            return 0;
        };
        let bits = u128::from_str_radix(bits.trim_start_matches("0x"), 16).unwrap_or(0);
        self.code.inputs.insert(*index);
        self.next = place + 1;
        bits
    }

    fn define(&mut self, target: VariableId, value: &str, what: &str) -> Option<()> {
        let c_type = machine_type(self.type_of(target))?;
        let comment = match what {
            "" => String::new(),
            what => format!(" /* {what} */"),
        };
        let _ = writeln!(
            self.code.statements,
            "    {c_type} {} = {value};{comment}",
            variable(target)
        );
        Some(())
    }

    fn call(&mut self, callee: FunctionId, entry: &str, arguments: &[Expr]) -> Option<()> {
        let function = &self.program.functions[callee];
        let mut types = Vec::new();
        let mut values = Vec::new();
        for (argument, parameter) in arguments.iter().zip(&function.parameters) {
            if let Some(object) = self.passed_by_value(argument) {
                let c_type = self.block_of(object);
                values.push(format!("*({c_type} *){}", self.object(object)));
                types.push(c_type);
                continue;
            }
            let declared = &function.variables[*parameter];
            types.push(self.argument_type(declared.ty, declared.c_type)?);
            values.push(self.expression(argument)?);
        }
        let prototype = match types.is_empty() {
            true => "void".to_owned(),
            false => types.join(", "),
        };
        let _ = writeln!(self.code.declarations, "extern void {entry}({prototype});");
        let _ = writeln!(self.code.statements, "    {entry}({});", values.join(", "));
        Some(())
    }

    /// The object of a struct that is passed by value in memory: no pointer parameter gets a plain address.
    /// That of a result is passed as the pointer that it is.
    fn passed_by_value(&self, argument: &Expr) -> Option<GlobalId> {
        match argument {
            Expr::GlobalAddress(id) if !self.program.globals[*id].name.starts_with("agg.result") => Some(*id),
            _ => None,
        }
    }

    /// A type of the size of an object, declared where it is first used.
    fn block_of(&mut self, id: GlobalId) -> String {
        let global = &self.program.globals[id];
        let c_type = format!("struct kripke_block_{}_{}", global.size, global.align);
        if !self.code.declarations.contains(&format!("{c_type} {{")) {
            let _ = writeln!(
                self.code.declarations,
                "{c_type} {{ unsigned char bytes[{}]; }} __attribute__((aligned({})));",
                global.size, global.align
            );
        }
        c_type
    }

    /// The type of an argument, with the sign that decides how a narrow one is passed.
    fn argument_type(&self, ty: Type, c_type: Option<kripke_elts::CTypeId>) -> Option<String> {
        let signed = matches!(
            c_type.and_then(|id| self.program.c_types.content(id)),
            Some(
                CType::Base {
                    encoding: Encoding::Signed | Encoding::SignedChar,
                    ..
                } | CType::Enum { signed: true, .. }
            )
        );
        let name = machine_type(ty)?;
        Some(match name.strip_prefix("unsigned ") {
            Some("char") if signed => "signed char".to_owned(),
            Some(rest) if signed => rest.to_owned(),
            _ => name.to_owned(),
        })
    }

    fn expression(&mut self, expression: &Expr) -> Option<String> {
        Some(match expression {
            Expr::Int(value) => format!("0x{:x}ULL", value.to_u64()?),
            Expr::Null => "(void *)0".to_owned(),
            Expr::Variable(id) => variable(*id),
            Expr::GlobalAddress(id) => format!("(void *){}", self.object(*id)),
            Expr::Cast(CastOp::ZExt, value, _) => self.expression(value)?,
            Expr::Select(condition, then, otherwise) => format!(
                "({} ? {} : {})",
                self.expression(condition)?,
                self.expression(then)?,
                self.expression(otherwise)?
            ),
            Expr::PointerAdd(base, offset) => {
                format!(
                    "(void *)((char *){} + {})",
                    self.expression(base)?,
                    self.expression(offset)?
                )
            }
            _ => return None,
        })
    }

    /// The name of an object's array, which is declared where it is first used.
    fn object(&mut self, id: GlobalId) -> String {
        if let Some(name) = self.objects.get(&id) {
            return name.clone();
        }
        let global = &self.program.globals[id];
        let name = format!("kripke_{}", global.name.replace(['.', '$'], "_"));
        let _ = writeln!(
            self.code.declarations,
            "static unsigned char {name}[{}] __attribute__((aligned(16)));",
            global.size
        );
        self.objects.insert(id, name.clone());
        name
    }

    fn type_of(&self, id: VariableId) -> Type {
        self.program.functions[self.start].variables[id].ty
    }

    fn finish(mut self) -> StartCode {
        for (kind, bits) in [("float", "unsigned int"), ("double", "unsigned long long")] {
            if self.code.statements.contains(&format!("kripke_{kind}(")) {
                let _ = write!(
                    self.code.declarations,
                    "static {kind} kripke_{kind}({bits} bits) {{\n    {kind} value;\n    \
                     __builtin_memcpy(&value, &bits, sizeof value);\n    return value;\n}}\n"
                );
            }
        }
        self.code
    }
}

fn variable(id: VariableId) -> String {
    format!("value_{}", id.index())
}

fn machine_type(ty: Type) -> Option<&'static str> {
    Some(match ty {
        Type::Int(1) => "_Bool",
        Type::Int(8) => "unsigned char",
        Type::Int(16) => "unsigned short",
        Type::Int(32) => "unsigned int",
        Type::Int(64) => "unsigned long long",
        Type::Float(FloatFormat::Binary32) => "float",
        Type::Float(FloatFormat::Binary64) => "double",
        Type::Pointer => "void *",
        _ => return None,
    })
}
