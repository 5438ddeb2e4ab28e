//! Types, and the attributes that carry one.

use std::sync::Arc;

use super::{Parsed, Parser, Token};
use crate::ir::{FunctionType, Type};

/// What the attributes of a parameter or argument say that matters.
#[derive(Default)]
pub(super) struct Attributes {
    pub byval: Option<Type>,
    pub sret: Option<Type>,
    pub extend: Option<bool>,
    pub align: Option<u32>,
}

fn integer_width(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('i')?;
    let width = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse().ok())??;
    // LLVM's own limit.
    (1..=1 << 23).contains(&width).then_some(width)
}

fn simple_type(word: &str) -> Option<Type> {
    Some(match word {
        "void" => Type::Void,
        "half" => Type::Half,
        "bfloat" => Type::BFloat,
        "float" => Type::Float,
        "double" => Type::Double,
        "x86_fp80" => Type::X86Fp80,
        "fp128" => Type::Fp128,
        _ => Type::Int(integer_width(word)?),
    })
}

fn is_other_type(word: &str) -> bool {
    matches!(
        word,
        "label" | "metadata" | "token" | "opaque" | "ppc_fp128" | "x86_mmx" | "x86_amx"
    )
}

impl Parser<'_> {
    pub(super) fn starts_type(&self) -> bool {
        match self.token() {
            Token::Word(word) => {
                matches!(word, "ptr" | "target") || is_other_type(word) || simple_type(word).is_some()
            }
            Token::Punctuation(byte) => matches!(byte, b'[' | b'<' | b'{'),
            Token::Local(_) => true,
            _ => false,
        }
    }

    pub(super) fn type_(&mut self) -> Parsed<Type> {
        let base = match self.token() {
            Token::Word("ptr") => {
                self.advance();
                Type::Pointer(self.address_space()?)
            }
            Token::Word("target") => {
                let from = self.lexer.start;
                self.advance();
                self.skip_group()?;
                let text = self.lexer.slice(from, self.lexer.previous_end);
                Type::Other(self.intern(text))
            }
            Token::Word(word) => {
                let Some(ty) = simple_type(word) else {
                    if !is_other_type(word) {
                        return self.expected("a type");
                    }
                    self.advance();
                    let other = Type::Other(self.intern(word));
                    return self.type_suffixes(other);
                };
                self.advance();
                ty
            }
            Token::Local(name) => {
                self.advance();
                Type::Named(self.name(name))
            }
            Token::Punctuation(b'[') => self.nested(|parser| {
                parser.advance();
                let (count, element) = parser.sequence()?;
                parser.expect(b']')?;
                Ok(Type::Array(count, Arc::new(element)))
            })?,
            Token::Punctuation(b'{') => self.nested(|parser| parser.struct_type(false))?,
            Token::Punctuation(b'<') => self.nested(Self::vector_or_packed_struct)?,
            _ => return self.expected("a type"),
        };
        self.type_suffixes(base)
    }

    /// `*`, `addrspace(n)*` and `(parameters)` after a type.
    fn type_suffixes(&mut self, mut ty: Type) -> Parsed<Type> {
        loop {
            match self.token() {
                Token::Punctuation(b'*') => {
                    self.advance();
                    ty = Type::Pointer(0);
                }
                Token::Word("addrspace") => {
                    let before = self.lexer;
                    let space = self.address_space()?;
                    if !self.eat(b'*') {
                        // It belongs to what follows the type.
                        self.lexer = before;
                        return Ok(ty);
                    }
                    ty = Type::Pointer(space);
                }
                Token::Punctuation(b'(') => ty = self.nested(|parser| parser.function_type(ty))?,
                _ => return Ok(ty),
            }
        }
    }

    /// `addrspace(n)`, or nothing for 0.
    pub(super) fn address_space(&mut self) -> Parsed<u32> {
        if !self.eat_word("addrspace") {
            return Ok(0);
        }
        self.expect(b'(')?;
        let space = match self.token() {
            // `addrspace("A")` names one by the data layout's letter.
            Token::String(_) => {
                self.advance();
                0
            }
            _ => self.number("an address space")?,
        };
        self.expect(b')')?;
        Ok(space)
    }

    /// `n x T`.
    fn sequence(&mut self) -> Parsed<(u64, Type)> {
        let count = self.number("a number of elements")?;
        self.expect_word("x")?;
        Ok((count, self.type_()?))
    }

    fn vector_or_packed_struct(&mut self) -> Parsed<Type> {
        let from = self.lexer.start;
        self.advance();
        let ty = match self.token() {
            Token::Punctuation(b'{') => self.struct_type(true)?,
            Token::Word("vscale") => {
                while !self.at(b'>') && self.token() != Token::End {
                    self.advance();
                }
                let text = self.lexer.slice(from, self.lexer.start);
                Type::Other(self.intern(text))
            }
            _ => {
                let (count, element) = self.sequence()?;
                Type::Vector(count, Arc::new(element))
            }
        };
        self.expect(b'>')?;
        Ok(ty)
    }

    fn struct_type(&mut self, packed: bool) -> Parsed<Type> {
        self.expect(b'{')?;
        let mut members = Vec::new();
        while !self.at(b'}') {
            members.push(self.type_()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(Type::Struct {
            members: members.into(),
            packed,
        })
    }

    /// Parameters in parentheses, and whether any number of further arguments may follow.
    pub(super) fn parameter_list<T>(
        &mut self,
        mut parameter: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<(Vec<T>, bool)> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.at(b')') {
            if self.token() == Token::Ellipsis {
                self.advance();
                variadic = true;
                break;
            }
            parameters.push(parameter(self)?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok((parameters, variadic))
    }

    fn function_type(&mut self, result: Type) -> Parsed<Type> {
        let (parameters, variadic) = self.parameter_list(|parser| {
            let ty = parser.type_()?;
            parser.attributes()?;
            Ok(ty)
        })?;
        Ok(Type::Function(Arc::new(FunctionType {
            result,
            parameters,
            variadic,
        })))
    }

    /// The attributes between a parameter's type and its name or value.
    pub(super) fn attributes(&mut self) -> Parsed<Attributes> {
        let mut attributes = Attributes::default();
        loop {
            match self.token() {
                Token::Word(word) if !super::constant::starts_constant(word) => {
                    self.advance();
                    self.attribute(word, &mut attributes)?;
                }
                Token::String(_) | Token::Punctuation(b'=') => self.advance(),
                _ => return Ok(attributes),
            }
        }
    }

    /// An alignment in bytes; 0 is that of the type.
    pub(super) fn alignment(&mut self) -> Parsed<Option<u32>> {
        let Token::Number(text) = self.token() else {
            return self.expected("an alignment");
        };
        match text.parse::<u32>() {
            Ok(0) => {
                self.advance();
                Ok(None)
            }
            Ok(align) if align.is_power_of_two() => {
                self.advance();
                Ok(Some(align))
            }
            _ => self.expected("an alignment, which is a power of two"),
        }
    }

    fn attribute(&mut self, word: &str, attributes: &mut Attributes) -> Parsed<()> {
        self.note_promise(word);
        match word {
            "zeroext" => attributes.extend = Some(false),
            "signext" => attributes.extend = Some(true),
            "align" => {
                let bracketed = self.eat(b'(');
                attributes.align = self.alignment()?;
                if bracketed {
                    self.expect(b')')?;
                }
            }
            "byval" | "sret" if self.at(b'(') => {
                self.advance();
                let ty = self.type_()?;
                self.expect(b')')?;
                let place = if word == "byval" {
                    &mut attributes.byval
                } else {
                    &mut attributes.sret
                };
                *place = Some(ty);
            }
            _ if self.at(b'(') => self.skip_group()?,
            _ => {}
        }
        Ok(())
    }
}
