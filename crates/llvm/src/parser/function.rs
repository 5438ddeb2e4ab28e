//! Functions: header, blocks, labels, and the numbers of what has no name.

use std::sync::Arc;

use super::{Parsed, Parser, Token};
use crate::ir::{Block, Function, Instruction, InstructionKind, Parameter};

/// What ends a function header's list of properties.
struct Properties {
    attributes: Vec<Arc<str>>,
    section: Option<Arc<str>>,
    groups: Vec<u32>,
    debug: Option<u32>,
}

impl Parser<'_> {
    /// `declare …`.
    pub(super) fn declaration(&mut self) -> Parsed<()> {
        let function = self.function_header()?;
        self.module.functions.push(function);
        Ok(())
    }

    /// `define … { … }`.
    pub(super) fn definition(&mut self) -> Parsed<()> {
        let mut function = self.function_header()?;
        function.blocks = self.body()?;
        self.module.functions.push(function);
        Ok(())
    }

    fn function_header(&mut self) -> Parsed<Function> {
        let line = self.line_of(self.lexer.start);
        self.advance();
        let mut debug = None;
        while matches!(self.token(), Token::MetadataName(_)) {
            debug = self.attachment()?.or(debug);
        }
        let (linkage, _) = self.linkage();
        self.skip_to_type()?;
        let result = self.type_()?;
        let Token::Global(name) = self.token() else {
            return self.expected("a function name");
        };
        self.advance();
        let name = self.global_name(name);
        self.next_local = 0;
        let (parameters, variadic) = self.parameters()?;
        let properties = self.function_properties()?;
        let index = self.module.functions.len();
        let groups = properties.groups.iter().map(|&group| (index, group));
        self.function_groups.extend(groups);
        Ok(Function {
            name,
            linkage,
            result,
            parameters,
            variadic,
            blocks: Vec::new(),
            debug: properties.debug.or(debug),
            attributes: properties.attributes,
            section: properties.section,
            line,
        })
    }

    fn parameters(&mut self) -> Parsed<(Vec<Parameter>, bool)> {
        self.parameter_list(Self::parameter)
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let ty = self.type_()?;
        let attributes = self.attributes()?;
        let name = match self.token() {
            Token::Local(name) => {
                self.advance();
                let name = self.name(name);
                self.note_number(&name);
                name
            }
            _ => self.next_number(),
        };
        Ok(Parameter {
            name,
            ty,
            byval: attributes.byval,
            sret: attributes.sret,
        })
    }

    /// All between the parameters and the body, or the next definition.
    fn function_properties(&mut self) -> Parsed<Properties> {
        let mut properties = Properties {
            attributes: Vec::new(),
            section: None,
            groups: Vec::new(),
            debug: None,
        };
        loop {
            match self.token() {
                Token::Word(word) => {
                    if matches!(
                        word,
                        "define" | "declare" | "attributes" | "source_filename" | "target"
                    ) || matches!(word, "module" | "uselistorder" | "uselistorder_bb")
                    {
                        return Ok(properties);
                    }
                    self.advance();
                    if matches!(word, "personality" | "prefix" | "prologue") {
                        self.typed_constant()?;
                        continue;
                    }
                    if let (Token::String(name), "section") = (self.token(), word) {
                        properties.section = Some(self.unescaped(name));
                    }
                    properties.attributes.push(self.intern(word));
                    if self.at(b'(') {
                        self.skip_group()?;
                    }
                }
                Token::AttributeGroup(group) => {
                    properties.groups.push(group);
                    self.advance();
                }
                Token::MetadataName(_) if !self.lexer.first_on_line => {
                    properties.debug = self.attachment()?.or(properties.debug);
                }
                Token::String(_) | Token::Number(_) | Token::Punctuation(b'=') => self.advance(),
                _ => return Ok(properties),
            }
        }
    }

    fn body(&mut self) -> Parsed<Vec<Block>> {
        self.expect(b'{')?;
        let mut blocks = Vec::new();
        while !self.at(b'}') {
            let block = self.block()?;
            blocks.push(block);
        }
        self.advance();
        Ok(blocks)
    }

    fn block(&mut self) -> Parsed<Block> {
        let label = match self.token() {
            Token::Label(name) => {
                self.advance();
                let name = self.name(name);
                self.note_number(&name);
                name
            }
            _ => self.next_number(),
        };
        let mut instructions: Vec<Instruction> = Vec::new();
        loop {
            if let Token::Word("uselistorder" | "uselistorder_bb") = self.token() {
                self.advance();
                self.lexer.skip_line();
                continue;
            }
            let ended = instructions.last().is_some_and(is_terminator);
            if ended || matches!(self.token(), Token::Label(_)) || self.at(b'}') {
                break;
            }
            instructions.extend(self.instruction()?);
        }
        if !instructions.last().is_some_and(is_terminator) {
            return self.expected("a terminator of the block");
        }
        // Orders of uses may stand after the last block.
        while let Token::Word("uselistorder" | "uselistorder_bb") = self.token() {
            self.advance();
            self.lexer.skip_line();
        }
        Ok(Block { label, instructions })
    }

    /// The number that LLVM gives to the next thing without a name.
    pub(super) fn next_number(&mut self) -> Arc<str> {
        let number = self.next_local;
        self.next_local = self.next_local.saturating_add(1);
        self.intern(&number.to_string())
    }

    /// Goes on counting after an explicit number.
    pub(super) fn note_number(&mut self, name: &str) {
        if name.as_bytes().first().is_some_and(u8::is_ascii_digit)
            && let Ok(number) = name.parse::<u32>()
        {
            self.next_local = number.saturating_add(1);
        }
    }
}

fn is_terminator(instruction: &Instruction) -> bool {
    match &instruction.kind {
        InstructionKind::Return(_)
        | InstructionKind::Branch { .. }
        | InstructionKind::ConditionalBranch { .. }
        | InstructionKind::Switch { .. }
        | InstructionKind::Unreachable => true,
        InstructionKind::Unknown { terminator, .. } => *terminator,
        _ => false,
    }
}
