//! Constants, constant expressions and operands.

use std::sync::Arc;

use super::lexer::unescape;
use super::{Parsed, Parser, Token};
use crate::ir::{BinaryOp, CastOp, Constant, ConstantExpression, Predicate, Type, TypedValue, Value};

pub(super) fn binary_op(word: &str) -> Option<BinaryOp> {
    Some(match word {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "mul" => BinaryOp::Mul,
        "udiv" => BinaryOp::UDiv,
        "sdiv" => BinaryOp::SDiv,
        "urem" => BinaryOp::URem,
        "srem" => BinaryOp::SRem,
        "shl" => BinaryOp::Shl,
        "lshr" => BinaryOp::LShr,
        "ashr" => BinaryOp::AShr,
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "xor" => BinaryOp::Xor,
        "fadd" => BinaryOp::FAdd,
        "fsub" => BinaryOp::FSub,
        "fmul" => BinaryOp::FMul,
        "fdiv" => BinaryOp::FDiv,
        "frem" => BinaryOp::FRem,
        _ => return None,
    })
}

pub(super) fn cast_op(word: &str) -> Option<CastOp> {
    Some(match word {
        "trunc" => CastOp::Trunc,
        "zext" => CastOp::ZExt,
        "sext" => CastOp::SExt,
        "fptrunc" => CastOp::FpTrunc,
        "fpext" => CastOp::FpExt,
        "fptoui" => CastOp::FpToUi,
        "fptosi" => CastOp::FpToSi,
        "uitofp" => CastOp::UiToFp,
        "sitofp" => CastOp::SiToFp,
        "ptrtoint" | "ptrtoaddr" => CastOp::PtrToInt,
        "inttoptr" => CastOp::IntToPtr,
        "bitcast" => CastOp::BitCast,
        "addrspacecast" => CastOp::AddrSpaceCast,
        _ => return None,
    })
}

/// The predicate of an `icmp`, or of an `fcmp` when `float`.
pub(super) fn predicate(word: &str, float: bool) -> Option<Predicate> {
    Some(match (word, float) {
        ("eq", false) => Predicate::Eq,
        ("ne", false) => Predicate::Ne,
        ("ugt", false) => Predicate::Ugt,
        ("uge", false) => Predicate::Uge,
        ("ult", false) => Predicate::Ult,
        ("ule", false) => Predicate::Ule,
        ("sgt", false) => Predicate::Sgt,
        ("sge", false) => Predicate::Sge,
        ("slt", false) => Predicate::Slt,
        ("sle", false) => Predicate::Sle,
        ("false", true) => Predicate::FFalse,
        ("oeq", true) => Predicate::FOeq,
        ("ogt", true) => Predicate::FOgt,
        ("oge", true) => Predicate::FOge,
        ("olt", true) => Predicate::FOlt,
        ("ole", true) => Predicate::FOle,
        ("one", true) => Predicate::FOne,
        ("ord", true) => Predicate::FOrd,
        ("uno", true) => Predicate::FUno,
        ("ueq", true) => Predicate::FUeq,
        ("ugt", true) => Predicate::FUgt,
        ("uge", true) => Predicate::FUge,
        ("ult", true) => Predicate::FUlt,
        ("ule", true) => Predicate::FUle,
        ("une", true) => Predicate::FUne,
        ("true", true) => Predicate::FTrue,
        _ => return None,
    })
}

/// True for the words a constant (or an `asm` callee) begins with, which no attribute is called.
pub(super) fn starts_constant(word: &str) -> bool {
    matches!(
        word,
        "true" | "false" | "null" | "none" | "undef" | "poison" | "zeroinitializer" | "splat" | "asm"
    ) || matches!(
        word,
        "blockaddress" | "dso_local_equivalent" | "no_cfi" | "ptrauth"
    ) || is_expression(word)
}

fn is_expression(word: &str) -> bool {
    matches!(
        word,
        "getelementptr" | "icmp" | "fcmp" | "select" | "fneg" | "extractelement" | "insertelement"
    ) || matches!(word, "shufflevector" | "extractvalue" | "insertvalue")
        || binary_op(word).is_some()
        || cast_op(word).is_some()
}

impl<'a> Parser<'a> {
    /// A type and a value of it.
    pub(super) fn typed_value(&mut self) -> Parsed<TypedValue> {
        let ty = self.type_()?;
        let value = self.value(&ty)?;
        Ok((ty, value))
    }

    pub(super) fn value(&mut self, ty: &Type) -> Parsed<Value> {
        if matches!(ty, Type::Other(name) if &**name == "metadata") {
            return Ok(Value::Metadata(self.metadata_operand()?));
        }
        match self.token() {
            Token::Local(name) => {
                self.advance();
                Ok(Value::Local(self.name(name)))
            }
            Token::Word("asm") => self.inline_assembly(),
            _ => Ok(Value::Constant(self.constant(ty)?)),
        }
    }

    /// `asm [flags] "text", "constraints"`.
    fn inline_assembly(&mut self) -> Parsed<Value> {
        let from = self.lexer.start;
        while matches!(self.token(), Token::Word(_)) {
            self.advance();
        }
        self.string()?;
        self.expect(b',')?;
        self.string()?;
        let text = self.lexer.slice(from, self.lexer.previous_end);
        Ok(Value::InlineAssembly(Arc::from(text)))
    }

    pub(super) fn typed_constant(&mut self) -> Parsed<(Type, Constant)> {
        let ty = self.type_()?;
        let constant = self.constant(&ty)?;
        Ok((ty, constant))
    }

    pub(super) fn constant(&mut self, ty: &Type) -> Parsed<Constant> {
        match self.token() {
            Token::Number(text) => {
                self.advance();
                let is_float = matches!(
                    ty,
                    Type::Half | Type::BFloat | Type::Float | Type::Double | Type::X86Fp80 | Type::Fp128
                ) || text.contains(['x', '.']);
                let text = self.intern(text);
                Ok(if is_float {
                    Constant::Float(text)
                } else {
                    Constant::Int(text)
                })
            }
            Token::Global(name) => {
                self.advance();
                Ok(Constant::Global(self.global_name(name)))
            }
            Token::Bytes(text) => {
                self.advance();
                Ok(Constant::Bytes(unescape(text).into()))
            }
            Token::Punctuation(b'{') => self.nested(|parser| parser.aggregate(b'}')),
            Token::Punctuation(b'[') => self.nested(|parser| parser.aggregate(b']')),
            Token::Punctuation(b'<') => self.nested(|parser| {
                parser.advance();
                if !parser.at(b'{') {
                    return parser.elements(b'>');
                }
                let packed = parser.aggregate(b'}')?;
                parser.expect(b'>')?;
                Ok(packed)
            }),
            Token::Word(word) => self.word_constant(word, ty),
            _ => self.expected("a value"),
        }
    }

    fn aggregate(&mut self, close: u8) -> Parsed<Constant> {
        self.advance();
        self.elements(close)
    }

    fn elements(&mut self, close: u8) -> Parsed<Constant> {
        let mut elements = Vec::new();
        while !self.at(close) {
            elements.push(self.typed_constant()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(close)?;
        Ok(Constant::Aggregate(elements))
    }

    fn word_constant(&mut self, word: &'a str, ty: &Type) -> Parsed<Constant> {
        let simple = match word {
            "true" => Constant::Int(self.intern("1")),
            "false" => Constant::Int(self.intern("0")),
            "null" => Constant::Null,
            "undef" => Constant::Undef,
            "poison" => Constant::Poison,
            "zeroinitializer" | "none" => Constant::Zero,
            "splat" => return self.splat(ty),
            "blockaddress" => {
                self.advance();
                self.skip_group()?;
                return Ok(Constant::BlockAddress);
            }
            "dso_local_equivalent" | "no_cfi" => {
                self.advance();
                return self.constant_global();
            }
            "ptrauth" => return self.unknown_expression(),
            _ if is_expression(word) => {
                return self.nested(|parser| parser.constant_expression(word));
            }
            _ => return self.expected("a value"),
        };
        self.advance();
        Ok(simple)
    }

    fn constant_global(&mut self) -> Parsed<Constant> {
        let Token::Global(name) = self.token() else {
            return self.expected("a global name");
        };
        self.advance();
        Ok(Constant::Global(self.global_name(name)))
    }

    /// `splat (T v)`: every element of the vector.
    fn splat(&mut self, ty: &Type) -> Parsed<Constant> {
        // A vector that long is not written as a splat by any C program; the limit keeps memory bounded.
        const LONGEST: u64 = 1 << 16;
        let count = match ty {
            Type::Vector(count, _) if *count <= LONGEST => *count,
            _ => return self.error("`splat` needs a vector type of known and reasonable length"),
        };
        self.advance();
        self.expect(b'(')?;
        let element = self.nested(Self::typed_constant)?;
        self.expect(b')')?;
        Ok(Constant::Aggregate((0..count).map(|_| element.clone()).collect()))
    }

    fn expression(expression: ConstantExpression) -> Constant {
        Constant::Expression(Box::new(expression))
    }

    fn constant_expression(&mut self, word: &'a str) -> Parsed<Constant> {
        if word == "getelementptr" {
            return self.constant_element_pointer();
        }
        if let Some(op) = cast_op(word) {
            self.skip_flags();
            self.expect(b'(')?;
            let (from, value) = self.typed_constant()?;
            self.expect_word("to")?;
            let to = self.type_()?;
            self.expect(b')')?;
            return Ok(Self::expression(ConstantExpression::Cast { op, from, value, to }));
        }
        if let Some(op) = binary_op(word) {
            self.skip_flags();
            let (ty, left, right) = self.constant_pair()?;
            return Ok(Self::expression(ConstantExpression::Binary {
                op,
                ty,
                left,
                right,
            }));
        }
        match word {
            "icmp" | "fcmp" => {
                self.advance();
                let predicate = self.predicate(word == "fcmp")?;
                let (ty, left, right) = self.constant_pair()?;
                Ok(Self::expression(ConstantExpression::Compare {
                    predicate,
                    ty,
                    left,
                    right,
                }))
            }
            "select" => {
                self.skip_flags();
                self.expect(b'(')?;
                let (_, condition) = self.typed_constant()?;
                self.expect(b',')?;
                let (ty, then) = self.typed_constant()?;
                self.expect(b',')?;
                let (_, otherwise) = self.typed_constant()?;
                self.expect(b')')?;
                Ok(Self::expression(ConstantExpression::Select {
                    condition,
                    ty,
                    then,
                    otherwise,
                }))
            }
            _ => self.unknown_expression(),
        }
    }

    /// Skips the operator and its flags: `nuw`, `nsw`, `exact`, `inbounds`, `inrange(-8, 16)`.
    fn skip_flags(&mut self) {
        self.advance();
        while matches!(self.token(), Token::Word(_)) {
            self.advance();
        }
    }

    pub(super) fn predicate(&mut self, float: bool) -> Parsed<Predicate> {
        while let Token::Word(word) = self.token() {
            if let Some(predicate) = predicate(word, float) {
                self.advance();
                return Ok(predicate);
            }
            if self.starts_type() {
                break;
            }
            self.note_word();
            self.advance();
        }
        self.expected("a comparison predicate")
    }

    fn constant_pair(&mut self) -> Parsed<(Type, Constant, Constant)> {
        self.expect(b'(')?;
        let (ty, left) = self.typed_constant()?;
        self.expect(b',')?;
        let (_, right) = self.typed_constant()?;
        self.expect(b')')?;
        Ok((ty, left, right))
    }

    fn constant_element_pointer(&mut self) -> Parsed<Constant> {
        self.advance();
        while let Token::Word(word) = self.token() {
            self.advance();
            if word == "inrange" && self.at(b'(') {
                self.skip_group()?;
            }
        }
        self.expect(b'(')?;
        let element = self.type_()?;
        self.expect(b',')?;
        let base = self.typed_constant()?;
        let mut indices = Vec::new();
        while self.eat(b',') {
            self.eat_word("inrange");
            indices.push(self.typed_constant()?);
        }
        self.expect(b')')?;
        Ok(Self::expression(ConstantExpression::GetElementPointer {
            element,
            base,
            indices,
        }))
    }

    fn unknown_expression(&mut self) -> Parsed<Constant> {
        let from = self.lexer.start;
        self.skip_flags();
        if !self.at(b'(') {
            return self.expected("`(`");
        }
        self.skip_group()?;
        let text = self.lexer.slice(from, self.lexer.previous_end).to_owned();
        Ok(Self::expression(ConstantExpression::Unknown(text)))
    }
}
