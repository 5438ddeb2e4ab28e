//! The top level: globals, aliases, types, module properties.

use std::sync::Arc;

use super::lexer::Name;
use super::{Parsed, Parser, Token, unescape};
use crate::ir::{Alias, GlobalVariable, Linkage, Module, Type};

fn text_of(escaped: &str) -> String {
    String::from_utf8_lossy(&unescape(escaped)).into_owned()
}

impl<'a> Parser<'a> {
    pub(super) fn module(&mut self) -> Parsed<Module> {
        loop {
            match self.token() {
                Token::End => break,
                Token::MetadataNumber(number) => self.numbered_metadata(number)?,
                Token::MetadataName(name) => self.named_metadata(name)?,
                Token::Word("define") => self.definition()?,
                Token::Word("declare") => self.declaration()?,
                Token::Word("attributes") => self.attribute_group()?,
                Token::Global(name) => self.global(name)?,
                Token::Local(name) => self.type_definition(name)?,
                Token::Comdat(_) => self.comdat_definition()?,
                Token::Word("source_filename") => self.module.source_filename = self.property()?,
                Token::Word("target") => self.target()?,
                Token::Word("module") => self.module_assembly()?,
                Token::Word("uselistorder" | "uselistorder_bb") | Token::Punctuation(b'^') => {
                    self.advance();
                    self.lexer.skip_line();
                }
                _ => return self.expected("a definition"),
            }
        }
        self.resolve_attribute_groups();
        Ok(std::mem::take(&mut self.module))
    }

    /// `keyword = "text"`.
    fn property(&mut self) -> Parsed<String> {
        self.advance();
        self.expect(b'=')?;
        Ok(text_of(self.string()?))
    }

    fn target(&mut self) -> Parsed<()> {
        self.advance();
        match self.token() {
            Token::Word("datalayout") => self.module.data_layout = self.property()?,
            Token::Word("triple") => self.module.triple = self.property()?,
            _ => return self.expected("`datalayout` or `triple`"),
        }
        Ok(())
    }

    fn module_assembly(&mut self) -> Parsed<()> {
        self.advance();
        self.expect_word("asm")?;
        let text = text_of(self.string()?);
        self.module.module_assembly.push(text);
        Ok(())
    }

    /// `%name = type …`.
    fn type_definition(&mut self, name: Name<'a>) -> Parsed<()> {
        self.advance();
        let name = self.name(name);
        self.expect(b'=')?;
        self.expect_word("type")?;
        let ty = self.type_()?;
        self.module.types.insert(name, ty);
        Ok(())
    }

    /// `$name = comdat any`.
    fn comdat_definition(&mut self) -> Parsed<()> {
        self.advance();
        self.expect(b'=')?;
        self.expect_word("comdat")?;
        if matches!(self.token(), Token::Word(_)) && !self.lexer.first_on_line {
            self.advance();
        }
        Ok(())
    }

    /// `attributes #0 = { … }`.
    fn attribute_group(&mut self) -> Parsed<()> {
        self.advance();
        let Token::AttributeGroup(number) = self.token() else {
            return self.expected("an attribute group");
        };
        self.advance();
        self.expect(b'=')?;
        self.expect(b'{')?;
        let mut words = Vec::new();
        loop {
            match self.token() {
                Token::Punctuation(b'}') => break,
                Token::Word(word) => {
                    self.advance();
                    words.push(self.intern(word));
                    if self.at(b'(') {
                        self.skip_group()?;
                    }
                }
                Token::String(text @ ("signal" | "interrupt")) => {
                    self.advance();
                    words.push(self.intern(text));
                }
                Token::String("rodata-section" | "data-section" | "bss-section" | "relro-section") => {
                    self.advance();
                    self.expect(b'=')?;
                    if let Token::String(name) = self.token() {
                        let name = self.unescaped(name);
                        self.section_groups.insert(number, name);
                        self.advance();
                    }
                }
                Token::String(_) | Token::Number(_) | Token::Punctuation(b'=') => self.advance(),
                _ => return self.expected("an attribute or `}`"),
            }
        }
        self.advance();
        self.attribute_groups.insert(number, words);
        Ok(())
    }

    fn resolve_attribute_groups(&mut self) {
        for (function, group) in std::mem::take(&mut self.function_groups) {
            if let Some(words) = self.attribute_groups.get(&group) {
                let attributes = &mut self.module.functions[function].attributes;
                attributes.extend(words.iter().map(Arc::clone));
            }
        }
        for (variable, group) in std::mem::take(&mut self.variable_groups) {
            let variable = &mut self.module.globals[variable];
            let section = self.section_groups.get(&group).map(Arc::clone);
            variable.section = variable.section.take().or(section);
        }
    }

    /// The linkage a definition states, and whether it states one.
    pub(super) fn linkage(&mut self) -> (Linkage, bool) {
        let Token::Word(word) = self.token() else {
            return (Linkage::External, false);
        };
        let linkage = match word {
            "external" => Linkage::External,
            "internal" => Linkage::Internal,
            "private" | "linker_private" | "linker_private_weak" => Linkage::Private,
            "weak" | "weak_odr" => Linkage::Weak,
            "linkonce" | "linkonce_odr" | "linkonce_odr_auto_hide" => Linkage::LinkOnce,
            "common" => Linkage::Common,
            "available_externally" => Linkage::AvailableExternally,
            "extern_weak" => Linkage::ExternWeak,
            "appending" => Linkage::Appending,
            _ => return (Linkage::External, false),
        };
        self.advance();
        (linkage, true)
    }

    /// `@name = …`: a variable, alias or ifunc.
    fn global(&mut self, name: Name<'a>) -> Parsed<()> {
        let line = self.line_of(self.lexer.start);
        self.advance();
        let name = self.global_name(name);
        self.expect(b'=')?;
        let (linkage, stated) = self.linkage();
        let mut thread_local = false;
        loop {
            let Token::Word(word) = self.token() else {
                return self.expected("`global`, `constant` or `alias`");
            };
            match word {
                "alias" | "ifunc" => return self.alias(name, linkage),
                "global" | "constant" => {
                    self.advance();
                    let declared = stated && matches!(linkage, Linkage::External | Linkage::ExternWeak);
                    let ty = self.type_()?;
                    let initializer = if declared { None } else { Some(self.constant(&ty)?) };
                    let variable = GlobalVariable {
                        name,
                        linkage,
                        constant: word == "constant",
                        thread_local,
                        ty,
                        initializer,
                        align: None,
                        section: None,
                        debug: Vec::new(),
                        line,
                    };
                    return self.global_properties(variable);
                }
                "thread_local" => thread_local = true,
                _ => {}
            }
            self.advance();
            if self.at(b'(') {
                self.skip_group()?;
            }
        }
    }

    fn global_properties(&mut self, mut variable: GlobalVariable) -> Parsed<()> {
        loop {
            // Attributes follow without a comma, on the same line.
            if let (Token::AttributeGroup(group), false) = (self.token(), self.lexer.first_on_line) {
                let index = self.module.globals.len();
                self.variable_groups.push((index, group));
                self.advance();
                continue;
            }
            if !self.eat(b',') {
                break;
            }
            match self.token() {
                Token::MetadataName(_) => variable.debug.extend(self.attachment()?),
                Token::Word("align") => {
                    self.advance();
                    variable.align = self.alignment()?;
                }
                Token::Word(word) => {
                    self.advance();
                    match self.token() {
                        Token::String(name) => {
                            self.advance();
                            if word == "section" {
                                variable.section = Some(self.unescaped(name));
                            }
                        }
                        Token::Punctuation(b'(') => self.skip_group()?,
                        _ => {}
                    }
                }
                _ => return self.expected("a property of the variable"),
            }
        }
        self.module.globals.push(variable);
        Ok(())
    }

    /// `alias T, T* @target`; the current token is `alias` or `ifunc`.
    fn alias(&mut self, name: Arc<str>, linkage: Linkage) -> Parsed<()> {
        let is_ifunc = matches!(self.token(), Token::Word("ifunc"));
        self.advance();
        self.type_()?;
        self.expect(b',')?;
        // Old bitcasts may leave the type out: `bitcast (…)`.
        let target = if self.starts_type() {
            self.typed_constant()?.1
        } else {
            self.constant(&Type::Pointer(0))?
        };
        while self.eat(b',') {
            match self.token() {
                Token::MetadataName(_) => {
                    self.attachment()?;
                }
                Token::Word(_) => {
                    self.advance();
                    self.string()?;
                }
                _ => return self.expected("a property of the alias"),
            }
        }
        self.module.aliases.push(Alias {
            name,
            linkage,
            target,
            is_ifunc,
        });
        Ok(())
    }
}
