//! Metadata: nodes, attachments, operands of calls.

use std::sync::Arc;

use super::{Parsed, Parser, Token};
use crate::ir::{Metadata, MetadataField, MetadataOperand};

impl<'a> Parser<'a> {
    /// `!7 = distinct !DILocation(…)`; the current token is `!7`.
    pub(super) fn numbered_metadata(&mut self, number: u32) -> Parsed<()> {
        self.advance();
        self.expect(b'=')?;
        self.eat_word("distinct");
        let node = self.metadata_node()?;
        self.module.metadata.insert(number, node);
        Ok(())
    }

    /// `!llvm.dbg.cu = !{!0}`; the current token is the name.
    pub(super) fn named_metadata(&mut self, name: &'a str) -> Parsed<()> {
        self.advance();
        self.expect(b'=')?;
        let name = self.unescaped(name);
        let mut numbers = Vec::new();
        if let Metadata::Tuple(fields) = self.metadata_node()? {
            for field in fields {
                if let MetadataField::Node(number) = field {
                    numbers.push(number);
                }
            }
        }
        self.module.named_metadata.insert(name, numbers);
        Ok(())
    }

    /// `!{…}` or `!DIKind(…)`.
    pub(super) fn metadata_node(&mut self) -> Parsed<Metadata> {
        match self.token() {
            Token::Exclamation => self.nested(|parser| {
                parser.advance();
                parser.metadata_tuple()
            }),
            Token::MetadataName(kind) => self.nested(|parser| parser.specialised_node(kind)),
            _ => self.expected("a metadata node"),
        }
    }

    fn metadata_tuple(&mut self) -> Parsed<Metadata> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        while !self.at(b'}') {
            fields.push(self.metadata_field()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(Metadata::Tuple(fields))
    }

    fn specialised_node(&mut self, kind: &'a str) -> Parsed<Metadata> {
        self.advance();
        let kind = self.intern(kind);
        self.expect(b'(')?;
        let mut fields = Vec::with_capacity(8);
        while !self.at(b')') {
            let name = match self.token() {
                Token::Label(name) => {
                    self.advance();
                    self.name(name)
                }
                _ => self.intern(""),
            };
            let value = self.metadata_field()?;
            fields.push((name, value));
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(Metadata::Specialised { kind, fields })
    }

    fn metadata_field(&mut self) -> Parsed<MetadataField> {
        let field = match self.token() {
            Token::MetadataNumber(number) => MetadataField::Node(number),
            Token::String(text) | Token::MetadataString(text) => MetadataField::String(self.unescaped(text)),
            Token::Number(text) => match text.parse() {
                Ok(value) => MetadataField::Int(value),
                Err(_) => MetadataField::Word(self.intern(text)),
            },
            Token::Word("null") => MetadataField::Null,
            Token::Exclamation | Token::MetadataName(_) => {
                return Ok(MetadataField::Inline(Box::new(self.metadata_node()?)));
            }
            // `operands: {…}` of a generic node.
            Token::Punctuation(b'{') if self.opens_plain_tuple() => {
                return Ok(MetadataField::Inline(Box::new(
                    self.nested(Self::metadata_tuple)?,
                )));
            }
            _ if self.starts_type() => {
                let (ty, value) = self.typed_value()?;
                return Ok(MetadataField::Value(ty, Box::new(value)));
            }
            Token::Word(_) => return Ok(MetadataField::Word(self.flags())),
            _ => return self.expected("a metadata field"),
        };
        self.advance();
        Ok(field)
    }

    fn opens_plain_tuple(&self) -> bool {
        let mut ahead = self.lexer;
        ahead.advance();
        matches!(
            ahead.token,
            Token::MetadataNumber(_) | Token::MetadataString(_) | Token::Exclamation | Token::Word("null")
        )
    }

    /// `DIFlagA | DIFlagB`, or one word.
    fn flags(&mut self) -> Arc<str> {
        let from = self.lexer.start;
        self.advance();
        while self.eat(b'|') {
            self.advance();
        }
        let text = self.lexer.slice(from, self.lexer.previous_end);
        self.intern(text)
    }

    /// What follows `metadata` as the type of an argument.
    pub(super) fn metadata_operand(&mut self) -> Parsed<MetadataOperand> {
        match self.token() {
            Token::MetadataNumber(number) => {
                self.advance();
                Ok(MetadataOperand::Node(number))
            }
            Token::MetadataString(text) => {
                self.advance();
                Ok(MetadataOperand::String(self.unescaped(text)))
            }
            Token::Exclamation | Token::MetadataName(_) => {
                let from = self.lexer.start;
                self.metadata_node()?;
                let text = self.lexer.slice(from, self.lexer.previous_end);
                Ok(MetadataOperand::Expression(self.intern(text)))
            }
            _ => {
                let (ty, value) = self.nested(Self::typed_value)?;
                Ok(MetadataOperand::Value(ty, Box::new(value)))
            }
        }
    }

    /// `!dbg !7` and its like, after a comma or before a body; returns the number under `!dbg`.
    pub(super) fn attachment(&mut self) -> Parsed<Option<u32>> {
        let Token::MetadataName(name) = self.token() else {
            return self.expected("a metadata attachment");
        };
        let number = self.attached_node()?;
        Ok(number.filter(|_| name == "dbg"))
    }

    /// The node of an attachment, where it stands as a number; the current token is the attachment's name.
    pub(super) fn attached_node(&mut self) -> Parsed<Option<u32>> {
        self.advance();
        if let Token::MetadataNumber(number) = self.token() {
            self.advance();
            return Ok(Some(number));
        }
        self.metadata_node()?;
        Ok(None)
    }
}
