//! Instructions and debug records.
//!
//! Idea: an operator's word selects its rule; the rule reads the operands, and one common rule
//! ([`Trailing`]) reads everything that may follow a comma: alignment, further operands, attachments.

use std::sync::Arc;

use super::constant::{binary_op, cast_op};
use super::types::Attributes;
use super::{Parsed, Parser, Token};
use crate::ir::{
    Argument, Call, Constant, Flag, Instruction, InstructionKind, MetadataOperand, Type, TypedValue, Value,
};

/// What follows the first operands of an instruction.
#[derive(Default)]
struct Trailing {
    align: Option<u32>,
    debug: Option<u32>,
    values: Vec<TypedValue>,
    numbers: Vec<u32>,
}

fn is_unknown_terminator(opcode: &str) -> bool {
    matches!(
        opcode,
        "invoke" | "callbr" | "indirectbr" | "resume" | "cleanupret" | "catchret" | "catchswitch"
    )
}

impl<'a> Parser<'a> {
    /// One instruction or debug record; none for a record that says nothing we use.
    pub(super) fn instruction(&mut self) -> Parsed<Option<Instruction>> {
        let start = self.lexer.start;
        let line = self.line_of(start);
        self.flags.clear();
        let mut result = None;
        match self.token() {
            Token::Record(kind) => return self.debug_record(kind, line),
            Token::Local(name) => {
                self.advance();
                let name = self.name(name);
                self.note_number(&name);
                self.expect(b'=')?;
                result = Some(name);
            }
            _ => {}
        }
        let Token::Word(opcode) = self.token() else {
            return self.expected("an instruction");
        };
        self.advance();
        let mut trailing = Trailing::default();
        let Some(kind) = self.operation(opcode, start, &mut trailing)? else {
            return Ok(None);
        };
        if result.is_none() && has_result(&kind) {
            result = Some(self.next_number());
        }
        Ok(Some(Instruction {
            result,
            kind,
            flags: std::mem::take(&mut self.flags),
            debug: trailing.debug,
            line,
        }))
    }

    /// The part of an instruction after its operator's word; none for a debug call that is dropped.
    fn operation(
        &mut self,
        opcode: &'a str,
        start: usize,
        trailing: &mut Trailing,
    ) -> Parsed<Option<InstructionKind>> {
        let kind = match opcode {
            "alloca" => self.alloca(trailing)?,
            "load" => self.load(trailing)?,
            "store" => self.store(trailing)?,
            "getelementptr" => self.element_pointer(trailing)?,
            "icmp" | "fcmp" => {
                let predicate = self.predicate(opcode == "fcmp")?;
                let (ty, left, right) = self.operand_pair()?;
                self.trailing(trailing)?;
                InstructionKind::Compare {
                    predicate,
                    ty,
                    left,
                    right,
                }
            }
            "fneg" => {
                self.skip_to_type()?;
                let (ty, value) = self.typed_value()?;
                self.trailing(trailing)?;
                InstructionKind::FNeg { ty, value }
            }
            "freeze" => {
                let (ty, value) = self.typed_value()?;
                self.trailing(trailing)?;
                InstructionKind::Freeze { ty, value }
            }
            "select" => self.select(trailing)?,
            "phi" => self.phi(trailing)?,
            "call" | "tail" | "musttail" | "notail" => return self.call(opcode, trailing),
            "extractvalue" | "insertvalue" => self.aggregate_access(opcode, trailing)?,
            "extractelement" | "insertelement" | "shufflevector" => self.vector_access(opcode, trailing)?,
            "va_arg" => {
                let list = self.typed_value()?;
                self.expect(b',')?;
                let ty = self.type_()?;
                self.trailing(trailing)?;
                InstructionKind::VaArg { list, ty }
            }
            "atomicrmw" => self.atomic_rmw(trailing)?,
            "cmpxchg" => self.compare_exchange(trailing)?,
            "fence" => {
                self.skip_ordering()?;
                self.trailing(trailing)?;
                InstructionKind::Fence
            }
            "ret" => self.return_(trailing)?,
            "br" => self.branch(trailing)?,
            "switch" => self.switch(trailing)?,
            "unreachable" => {
                self.trailing(trailing)?;
                InstructionKind::Unreachable
            }
            _ => self.arithmetic(opcode, start, trailing)?,
        };
        Ok(Some(kind))
    }

    fn arithmetic(
        &mut self,
        opcode: &'a str,
        start: usize,
        trailing: &mut Trailing,
    ) -> Parsed<InstructionKind> {
        if let Some(op) = binary_op(opcode) {
            self.skip_to_type()?;
            let (ty, left, right) = self.operand_pair()?;
            self.trailing(trailing)?;
            return Ok(InstructionKind::Binary { op, ty, left, right });
        }
        if let Some(op) = cast_op(opcode) {
            self.skip_to_type()?;
            let (from, value) = self.typed_value()?;
            self.expect_word("to")?;
            let to = self.type_()?;
            self.trailing(trailing)?;
            return Ok(InstructionKind::Cast { op, from, value, to });
        }
        self.unknown(opcode, start, trailing)
    }

    /// Everything after a comma.
    fn trailing(&mut self, trailing: &mut Trailing) -> Parsed<()> {
        while self.eat(b',') {
            self.trailing_item(trailing)?;
        }
        Ok(())
    }

    fn trailing_item(&mut self, trailing: &mut Trailing) -> Parsed<()> {
        match self.token() {
            Token::MetadataName(name) => match (name, self.attached_node()?) {
                ("dbg", number) => trailing.debug = number.or(trailing.debug),
                ("range", Some(number)) => self.flags.push(Flag::Range(number)),
                ("nonnull", _) => self.flags.push(Flag::NonNull),
                _ => {}
            },
            Token::Word("align") => {
                self.advance();
                trailing.align = self.alignment()?;
            }
            Token::Word("addrspace") => {
                self.address_space()?;
            }
            Token::Number(_) => {
                let number = self.number("an index")?;
                trailing.numbers.push(number);
            }
            _ => {
                self.eat_word("inrange");
                let value = self.typed_value()?;
                trailing.values.push(value);
            }
        }
        Ok(())
    }

    /// `T a, b`.
    fn operand_pair(&mut self) -> Parsed<(Type, Value, Value)> {
        let (ty, left) = self.typed_value()?;
        self.expect(b',')?;
        let right = self.value(&ty)?;
        Ok((ty, left, right))
    }

    fn comma_value(&mut self) -> Parsed<TypedValue> {
        self.expect(b',')?;
        self.typed_value()
    }

    fn alloca(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        self.skip_to_type()?;
        let ty = self.type_()?;
        self.trailing(trailing)?;
        Ok(InstructionKind::Alloca {
            ty,
            count: trailing.values.pop(),
            align: trailing.align,
        })
    }

    /// `atomic` and `volatile`, in that order of meaning.
    fn access_flags(&mut self) -> (bool, bool) {
        let atomic = self.eat_word("atomic");
        let volatile = self.eat_word("volatile");
        (atomic, volatile)
    }

    /// `syncscope("…") seq_cst monotonic` on the same line.
    fn skip_ordering(&mut self) -> Parsed<()> {
        while matches!(self.token(), Token::Word(_)) && !self.lexer.first_on_line {
            self.advance();
            if self.at(b'(') {
                self.skip_group()?;
            }
        }
        Ok(())
    }

    fn load(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        let (atomic, volatile) = self.access_flags();
        let ty = self.type_()?;
        let (_, pointer) = self.comma_value()?;
        self.skip_ordering()?;
        self.trailing(trailing)?;
        Ok(InstructionKind::Load {
            ty,
            pointer,
            align: trailing.align,
            volatile,
            atomic,
        })
    }

    fn store(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        let (atomic, volatile) = self.access_flags();
        let (ty, value) = self.typed_value()?;
        let (_, pointer) = self.comma_value()?;
        self.skip_ordering()?;
        self.trailing(trailing)?;
        Ok(InstructionKind::Store {
            ty,
            value,
            pointer,
            align: trailing.align,
            volatile,
            atomic,
        })
    }

    fn element_pointer(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        let mut inbounds = false;
        while let Token::Word(word) = self.token() {
            if self.starts_type() {
                break;
            }
            inbounds |= word == "inbounds";
            self.advance();
            if self.at(b'(') {
                self.skip_group()?;
            }
        }
        let element = self.type_()?;
        let base = self.comma_value()?;
        self.trailing(trailing)?;
        Ok(InstructionKind::GetElementPointer {
            element,
            base,
            indices: std::mem::take(&mut trailing.values),
            inbounds,
        })
    }

    fn select(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        self.skip_to_type()?;
        let condition = self.typed_value()?;
        let then = self.comma_value()?;
        let otherwise = self.comma_value()?;
        self.trailing(trailing)?;
        Ok(InstructionKind::Select {
            condition,
            then,
            otherwise,
        })
    }

    fn phi(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        self.skip_to_type()?;
        let ty = self.type_()?;
        let mut incoming = Vec::new();
        loop {
            if self.eat(b'[') {
                let value = self.value(&ty)?;
                self.expect(b',')?;
                incoming.push((value, self.local()?));
                self.expect(b']')?;
            } else {
                self.trailing_item(trailing)?;
            }
            if !self.eat(b',') {
                break;
            }
        }
        Ok(InstructionKind::Phi { ty, incoming })
    }

    fn aggregate_access(&mut self, opcode: &str, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        let aggregate = self.typed_value()?;
        let value = if opcode == "insertvalue" {
            Some(self.comma_value()?)
        } else {
            None
        };
        self.trailing(trailing)?;
        let path = std::mem::take(&mut trailing.numbers);
        Ok(match value {
            Some(value) => InstructionKind::InsertValue {
                aggregate,
                value,
                path,
            },
            None => InstructionKind::ExtractValue { aggregate, path },
        })
    }

    fn vector_access(&mut self, opcode: &str, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        let vector = self.typed_value()?;
        let second = self.comma_value()?;
        let kind = match opcode {
            "extractelement" => InstructionKind::ExtractElement {
                vector,
                index: second,
            },
            "insertelement" => InstructionKind::InsertElement {
                vector,
                value: second,
                index: self.comma_value()?,
            },
            _ => InstructionKind::ShuffleVector {
                left: vector,
                right: second,
                mask: self.comma_value()?,
            },
        };
        self.trailing(trailing)?;
        Ok(kind)
    }

    fn atomic_rmw(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        let volatile = self.eat_word("volatile");
        let Token::Word(op) = self.token() else {
            return self.expected("an operation");
        };
        self.advance();
        let op = self.intern(op);
        let pointer = self.typed_value()?;
        let value = self.comma_value()?;
        self.skip_ordering()?;
        self.trailing(trailing)?;
        Ok(InstructionKind::AtomicRmw {
            op,
            pointer,
            value,
            volatile,
        })
    }

    fn compare_exchange(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        let weak = self.eat_word("weak");
        let volatile = self.eat_word("volatile");
        let pointer = self.typed_value()?;
        let expected = self.comma_value()?;
        let new = self.comma_value()?;
        self.skip_ordering()?;
        self.trailing(trailing)?;
        Ok(InstructionKind::CompareExchange {
            pointer,
            expected,
            new,
            volatile,
            weak,
        })
    }

    fn return_(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        let ty = self.type_()?;
        let value = match ty {
            Type::Void => None,
            ty => {
                let value = self.value(&ty)?;
                Some((ty, value))
            }
        };
        self.trailing(trailing)?;
        Ok(InstructionKind::Return(value))
    }

    /// `label %name`.
    fn label(&mut self) -> Parsed<Arc<str>> {
        self.expect_word("label")?;
        self.local()
    }

    fn branch(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        let kind = if self.at_word("label") {
            InstructionKind::Branch {
                target: self.label()?,
            }
        } else {
            let (_, condition) = self.typed_value()?;
            self.expect(b',')?;
            let then = self.label()?;
            self.expect(b',')?;
            let otherwise = self.label()?;
            InstructionKind::ConditionalBranch {
                condition,
                then,
                otherwise,
            }
        };
        self.trailing(trailing)?;
        Ok(kind)
    }

    fn switch(&mut self, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        let value = self.typed_value()?;
        self.expect(b',')?;
        let default = self.label()?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.at(b']') {
            let (_, constant) = self.typed_constant()?;
            self.expect(b',')?;
            cases.push((constant, self.label()?));
        }
        self.advance();
        self.trailing(trailing)?;
        Ok(InstructionKind::Switch {
            value,
            default,
            cases,
        })
    }

    fn call(&mut self, opcode: &str, trailing: &mut Trailing) -> Parsed<Option<InstructionKind>> {
        if opcode != "call" {
            self.expect_word("call")?;
        }
        self.skip_to_type()?;
        let (result, function_type) = match self.type_()? {
            Type::Function(function) => (function.result.clone(), Some(function)),
            ty => (ty, None),
        };
        let callee = self.value(&Type::Pointer(0))?;
        let arguments = self.arguments()?;
        let is_assumption =
            matches!(&callee, Value::Constant(Constant::Global(name)) if &**name == "llvm.assume");
        let bundles = if is_assumption && self.at(b'[') {
            self.bundles()?
        } else {
            Vec::new()
        };
        self.call_properties()?;
        self.trailing(trailing)?;
        if let Value::Constant(Constant::Global(name)) = &callee
            && let Some(intrinsic) = name.strip_prefix("llvm.dbg.")
        {
            return Ok(debug_intrinsic(intrinsic, arguments));
        }
        Ok(Some(InstructionKind::Call(Call {
            callee,
            result,
            function_type,
            arguments,
            bundles,
        })))
    }

    /// `[ "align"(ptr %p, i64 16), … ]`.
    fn bundles(&mut self) -> Parsed<Vec<(Arc<str>, Vec<Argument>)>> {
        self.expect(b'[')?;
        let mut bundles = Vec::new();
        while let Token::String(name) = self.token() {
            let name = self.intern(name);
            self.advance();
            bundles.push((name, self.arguments()?));
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(bundles)
    }

    fn arguments(&mut self) -> Parsed<Vec<Argument>> {
        self.expect(b'(')?;
        let mut arguments = Vec::new();
        while !self.at(b')') {
            // A forwarded `...` of a musttail call adds nothing.
            if self.token() == Token::Ellipsis {
                self.advance();
                break;
            }
            let ty = self.type_()?;
            // A metadata argument has no attributes, but may wrap a typed value.
            let is_metadata = matches!(&ty, Type::Other(name) if &**name == "metadata");
            let attributes = if is_metadata {
                Attributes::default()
            } else {
                self.attributes()?
            };
            let value = self.value(&ty)?;
            arguments.push(Argument {
                ty,
                value,
                byval: attributes.byval,
                sret: attributes.sret,
                extend: attributes.extend,
                align: attributes.align,
            });
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(arguments)
    }

    /// Function attributes and operand bundles after the arguments, on the same line.
    fn call_properties(&mut self) -> Parsed<()> {
        while !self.lexer.first_on_line {
            match self.token() {
                Token::Word(_)
                | Token::AttributeGroup(_)
                | Token::String(_)
                | Token::Number(_)
                | Token::Punctuation(b'=') => self.advance(),
                Token::Punctuation(b'(' | b'[') => self.skip_group()?,
                _ => break,
            }
        }
        Ok(())
    }

    /// Keeps an instruction as text: up to the end of its line, of open brackets and of the clauses that
    /// an `invoke`, `callbr` or `landingpad` has on the lines after.
    fn unknown(&mut self, opcode: &'a str, start: usize, trailing: &mut Trailing) -> Parsed<InstructionKind> {
        loop {
            match self.token() {
                Token::End | Token::Punctuation(b'}') | Token::Label(_) => break,
                Token::Word("to" | "cleanup" | "catch" | "filter" | "unwind") => self.advance(),
                _ if self.lexer.first_on_line => break,
                Token::Punctuation(b'(' | b'[' | b'{' | b'<') => self.skip_group()?,
                Token::MetadataName("dbg") => {
                    self.advance();
                    if let Token::MetadataNumber(number) = self.token() {
                        trailing.debug = Some(number);
                        self.advance();
                    }
                }
                _ => self.advance(),
            }
        }
        Ok(InstructionKind::Unknown {
            opcode: self.intern(opcode),
            text: self.lexer.slice(start, self.lexer.previous_end).to_owned(),
            terminator: is_unknown_terminator(opcode),
        })
    }

    /// `#dbg_declare(ptr %x, !7, !DIExpression(), !8)`.
    fn debug_record(&mut self, kind: &'a str, line: u32) -> Parsed<Option<Instruction>> {
        self.advance();
        if !self.at(b'(') {
            return self.expected("`(`");
        }
        if !matches!(kind, "dbg_declare" | "dbg_value") {
            self.skip_group()?;
            return Ok(None);
        }
        let before = self.lexer;
        self.advance();
        if !self.starts_type() {
            self.lexer = before;
            self.skip_group()?;
            return Ok(None);
        }
        let (ty, value) = self.typed_value()?;
        self.expect(b',')?;
        let Token::MetadataNumber(variable) = self.token() else {
            self.lexer = before;
            self.skip_group()?;
            return Ok(None);
        };
        self.advance();
        self.expect(b',')?;
        let MetadataOperand::Expression(expression) = self.metadata_operand()? else {
            return self.error("a debug record's third operand is no `!DIExpression`");
        };
        let mut debug = None;
        if self.eat(b',')
            && let MetadataOperand::Node(location) = self.metadata_operand()?
        {
            debug = Some(location);
        }
        self.expect(b')')?;
        let kind = debug_kind(&kind["dbg_".len()..], ty, value, variable, &expression);
        Ok(kind.map(|kind| Instruction {
            result: None,
            kind,
            flags: Vec::new(),
            debug,
            line,
        }))
    }
}

/// The debug instruction; none for expressions other than none and one dereference.
fn debug_kind(
    intrinsic: &str,
    ty: Type,
    value: Value,
    variable: u32,
    expression: &str,
) -> Option<InstructionKind> {
    match (intrinsic, expression) {
        ("declare", "!DIExpression()" | "!DIExpression(DW_OP_deref)") => {
            Some(InstructionKind::DebugDeclare {
                address: value,
                variable,
                indirect: expression != "!DIExpression()",
            })
        }
        ("value", "!DIExpression()") => Some(InstructionKind::DebugValue {
            value: (ty, value),
            variable,
        }),
        _ => None,
    }
}

/// The call form: `llvm.dbg.declare(metadata T* %x, metadata !7, metadata !DIExpression())`.
fn debug_intrinsic(intrinsic: &str, arguments: Vec<Argument>) -> Option<InstructionKind> {
    let mut operands = arguments.into_iter().map(|argument| match argument.value {
        Value::Metadata(operand) => Some(operand),
        _ => None,
    });
    let (first, second, third) = (operands.next()??, operands.next()??, operands.next()??);
    match (first, second, third) {
        (
            MetadataOperand::Value(ty, value),
            MetadataOperand::Node(variable),
            MetadataOperand::Expression(expression),
        ) => debug_kind(intrinsic, ty, *value, variable, &expression),
        _ => None,
    }
}

/// True when the instruction makes a value, which has a number where it has no name.
fn has_result(kind: &InstructionKind) -> bool {
    match kind {
        InstructionKind::Store { .. }
        | InstructionKind::Fence
        | InstructionKind::DebugDeclare { .. }
        | InstructionKind::DebugValue { .. }
        | InstructionKind::Return(_)
        | InstructionKind::Branch { .. }
        | InstructionKind::ConditionalBranch { .. }
        | InstructionKind::Switch { .. }
        | InstructionKind::Unreachable
        | InstructionKind::Unknown { .. } => false,
        InstructionKind::Call(call) => call.result != Type::Void,
        _ => true,
    }
}
