//! The parser of textual LLVM IR.
//!
//! Idea: recursive descent over borrowed tokens, one file per level of the grammar: module, function,
//! instruction, type, constant, metadata. Words that change no meaning at the level of C (attributes,
//! linkage details, fast-math flags) are skipped by shape, so that those of a newer LLVM do not hurt.
//!
//! Invariants: no input panics or overflows the stack (nesting is limited); an instruction that is not
//! known is kept as text; text that cannot be split into instructions is an error with its place.
//!
//! Source: LLVM language reference, versions 14 to 19. Reading bitcode or linking libLLVM was rejected:
//! its interfaces drop the names of values, and each version needs its own library.

mod constant;
mod function;
mod instruction;
mod lexer;
mod metadata;
mod module;
mod promises;
mod types;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Error;
use crate::ir::{Flag, Module};
use lexer::{Lexer, Name, Token, unescape};

/// How deep types, constants and metadata may nest.
const DEPTH_LIMIT: u32 = 200;

/// Parses one module. `file` names it in messages.
pub fn parse(text: &[u8], file: &str) -> Result<Module, Error> {
    let text = String::from_utf8_lossy(text);
    let mut parser = Parser::new(&text);
    parser.module().map_err(|failure| {
        let (offset, message) = *failure;
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        Error::Parse {
            file: file.to_owned(),
            line: count(newlines(before) + 1),
            column: count(before.len() - line_start + 1),
            message,
        }
    })
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

fn count(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Where in the text, and what.
type Failure = Box<(usize, String)>;
type Parsed<T> = Result<T, Failure>;

struct Parser<'a> {
    lexer: Lexer<'a>,
    text: &'a str,
    names: FxHashSet<Arc<str>>,
    depth: u32,
    /// The last offset whose line was asked for, and the line.
    line: (usize, u32),
    /// The number that the next unnamed value or block of the current function gets.
    next_local: u32,
    attribute_groups: FxHashMap<u32, Vec<Arc<str>>>,
    /// The section that a group gives to variables.
    section_groups: FxHashMap<u32, Arc<str>>,
    /// What the current instruction promises.
    flags: Vec<Flag>,
    /// The group that each function refers to, resolved at the end.
    function_groups: Vec<(usize, u32)>,
    /// The same of variables.
    variable_groups: Vec<(usize, u32)>,
    module: Module,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Parser {
            lexer: Lexer::new(text),
            text,
            names: FxHashSet::default(),
            depth: 0,
            line: (0, 1),
            next_local: 0,
            attribute_groups: FxHashMap::default(),
            section_groups: FxHashMap::default(),
            flags: Vec::new(),
            function_groups: Vec::new(),
            variable_groups: Vec::new(),
            module: Module::default(),
        }
    }

    fn token(&self) -> Token<'a> {
        self.lexer.token
    }

    fn advance(&mut self) {
        self.lexer.advance();
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(Box::new((self.lexer.start, message.into())))
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let found = match self.token() {
            Token::End => "the end of the text".to_owned(),
            _ => {
                let shown = self.text[self.lexer.start..].lines().next().unwrap_or("");
                let shown: String = shown.chars().take(40).collect();
                format!("`{}`", shown.trim_end())
            }
        };
        self.error(format!("expected {what}, found {found}"))
    }

    fn at(&self, punctuation: u8) -> bool {
        self.token() == Token::Punctuation(punctuation)
    }

    fn eat(&mut self, punctuation: u8) -> bool {
        let found = self.at(punctuation);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, punctuation: u8) -> Parsed<()> {
        if self.eat(punctuation) {
            return Ok(());
        }
        self.expected(&format!("`{}`", char::from(punctuation)))
    }

    fn at_word(&self, word: &str) -> bool {
        self.token() == Token::Word(word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) {
            return Ok(());
        }
        self.expected(&format!("`{word}`"))
    }

    fn number<N: std::str::FromStr>(&mut self, what: &str) -> Parsed<N> {
        if let Token::Number(text) = self.token()
            && let Ok(value) = text.parse()
        {
            self.advance();
            return Ok(value);
        }
        self.expected(what)
    }

    fn string(&mut self) -> Parsed<&'a str> {
        if let Token::String(text) = self.token() {
            self.advance();
            return Ok(text);
        }
        self.expected("a string")
    }

    /// `%name`.
    fn local(&mut self) -> Parsed<Arc<str>> {
        if let Token::Local(name) = self.token() {
            self.advance();
            return Ok(self.name(name));
        }
        self.expected("a local name")
    }

    /// The shared copy of a text.
    fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(name) = self.names.get(text) {
            return Arc::clone(name);
        }
        let name: Arc<str> = Arc::from(text);
        self.names.insert(Arc::clone(&name));
        name
    }

    fn name(&mut self, name: Name<'_>) -> Arc<str> {
        if name.quoted {
            self.unescaped(name.text)
        } else {
            self.intern(name.text)
        }
    }

    /// The name of a global, as the linker sees it: `\01` only says that no prefix is to be added.
    fn global_name(&mut self, name: Name<'_>) -> Arc<str> {
        let text = name.text.strip_prefix("\\01").filter(|_| name.quoted);
        match text {
            Some(text) => self.unescaped(text),
            None => self.name(name),
        }
    }

    /// The shared copy of a quoted text, decoded.
    fn unescaped(&mut self, text: &str) -> Arc<str> {
        if !text.contains('\\') {
            return self.intern(text);
        }
        let decoded = unescape(text);
        self.intern(&String::from_utf8_lossy(&decoded))
    }

    /// The line of an offset; offsets are asked for in rising order.
    fn line_of(&mut self, offset: usize) -> u32 {
        let (known, line) = self.line;
        if let Some(between) = self.text.as_bytes().get(known..offset) {
            self.line = (offset, line + count(newlines(between)));
        }
        self.line.1
    }

    /// Runs a nested rule, within the limit.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH_LIMIT {
            return self.error(format!("nested more than {DEPTH_LIMIT} levels deep"));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// Skips a bracketed group; the current token opens it.
    fn skip_group(&mut self) -> Parsed<()> {
        let mut depth = 0usize;
        loop {
            match self.token() {
                Token::Punctuation(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Token::Punctuation(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
                Token::End => return self.expected("a closing bracket"),
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Skips words, numbers, strings and bracketed arguments up to where a type starts: calling
    /// conventions, attributes, flags.
    fn skip_to_type(&mut self) -> Parsed<()> {
        while !self.starts_type() {
            match self.token() {
                Token::Word(_) | Token::Number(_) | Token::String(_) | Token::Punctuation(b'=') => {
                    self.note_word();
                    self.advance();
                    if self.at(b'(') {
                        self.skip_group()?;
                    }
                }
                _ => return self.expected("a type"),
            }
        }
        Ok(())
    }

    /// Notes what the current word promises, if anything.
    fn note_word(&mut self) {
        let Token::Word(word) = self.token() else { return };
        self.flags.extend_from_slice(promises::flags(word));
        self.note_promise(word);
    }

    /// Notes an attribute whose breach is undefined behaviour or poison.
    fn note_promise(&mut self, word: &str) {
        if promises::is_promise(word) {
            let word = self.intern(word);
            self.module.promises.insert(word);
        }
    }
}
