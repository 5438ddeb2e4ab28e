//! Reads the text form.
//!
//! Names may be used before they are declared, so a first pass over the tokens collects the names
//! of globals and functions.

use rustc_hash::FxHashMap;

use kripke_model::PropertyKind;

use crate::ids::{
    CTypeId, FileId, FunctionId, GlobalId, Id, IdVec, LocationId, ObjectSiteId, PropertyId, VariableId,
};
use crate::program::{
    CType, DataModel, Function, Global, InitialCell, InitialRest, Location, Member, ObjectSite, Position,
    Program, PropertySite, SourceFile, Transition, Type, Variable, VariableKind,
};
use crate::text::lexer::{Located, Token, tokens};
use crate::text::operators::{ENCODINGS, named, type_named};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

pub type Parsed<T> = Result<T, ParseError>;

/// Reads a program.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let tokens = tokens(text)?;
    let mut parser = Parser::new(tokens);
    parser.collect_names();
    parser.program()
}

/// Names that mean something everywhere; `None` where two things have the name.
type Scope<I> = FxHashMap<String, Option<I>>;

pub struct Parser {
    tokens: Vec<Located>,
    at: usize,
    globals: Scope<GlobalId>,
    functions: Scope<FunctionId>,
    /// Of the function that is read.
    pub variables: IdVec<VariableId, Variable>,
    variable_names: Scope<VariableId>,
    pub file: FileId,
    pub depth: usize,
}

impl Parser {
    fn new(tokens: Vec<Located>) -> Self {
        Parser {
            tokens,
            at: 0,
            globals: Scope::default(),
            functions: Scope::default(),
            variables: IdVec::new(),
            variable_names: Scope::default(),
            file: FileId::default(),
            depth: 0,
        }
    }

    /// Declarations stand at the beginning of an item, outside all braces.
    fn collect_names(&mut self) {
        let mut depth = 0_usize;
        let (mut globals, mut functions) = (0, 0);
        for index in 0..self.tokens.len() {
            match &self.tokens[index].token {
                Token::Symbol("{") => depth += 1,
                Token::Symbol("}") => depth = depth.saturating_sub(1),
                Token::Word(word) if depth == 0 => {
                    let next = self.tokens.get(index + 1).map(|next| &next.token);
                    let Some(Token::Word(name) | Token::Quoted(name)) = next else {
                        continue;
                    };
                    match word.as_str() {
                        "global" => {
                            declare(&mut self.globals, name.clone(), GlobalId::new(globals));
                            globals += 1;
                        }
                        "function" if self.is_definition(index + 2) => {
                            declare(&mut self.functions, name.clone(), FunctionId::new(functions));
                            functions += 1;
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    fn is_definition(&self, index: usize) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|next| next.token == Token::Symbol("("))
    }

    pub fn peek(&self) -> &Token {
        self.tokens
            .get(self.at)
            .map_or(&Token::End, |located| &located.token)
    }

    pub fn peek_second(&self) -> &Token {
        self.tokens
            .get(self.at + 1)
            .map_or(&Token::End, |located| &located.token)
    }

    /// An error at the next token.
    pub fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.error_at(self.at, message)
    }

    /// An error at the token that was just read.
    pub fn error_before<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.error_at(self.at.saturating_sub(1), message)
    }

    fn error_at<T>(&self, at: usize, message: impl Into<String>) -> Parsed<T> {
        let (line, column) = self
            .tokens
            .get(at)
            .map_or((1, 1), |located| (located.line, located.column));
        Err(ParseError {
            line,
            column,
            message: message.into(),
        })
    }

    pub fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += usize::from(self.at + 1 < self.tokens.len());
        token
    }

    pub fn accept(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Token::Symbol(found) if *found == symbol);
        if found {
            self.next();
        }
        found
    }

    pub fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.accept(symbol) {
            Ok(())
        } else {
            self.error(format!("expected `{symbol}`"))
        }
    }

    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) {
            Ok(())
        } else {
            self.error(format!("expected `{word}`"))
        }
    }

    pub fn word(&mut self, what: &str) -> Parsed<String> {
        match self.peek() {
            Token::Word(word) => {
                let word = word.clone();
                self.next();
                Ok(word)
            }
            _ => self.error(format!("expected {what}")),
        }
    }

    /// A plain or quoted name.
    fn name(&mut self) -> Parsed<String> {
        match self.peek() {
            Token::Word(name) | Token::Quoted(name) => {
                let name = name.clone();
                self.next();
                Ok(name)
            }
            _ => self.error("expected a name"),
        }
    }

    pub fn text(&mut self) -> Parsed<String> {
        match self.peek() {
            Token::Text(text) => {
                let text = text.clone();
                self.next();
                Ok(text)
            }
            _ => self.error("expected a text in quotes"),
        }
    }

    pub fn number<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        match self.peek() {
            Token::Number(number) => match number.parse() {
                Ok(value) => {
                    self.next();
                    Ok(value)
                }
                Err(_) => self.error(format!("`{number}` is no number of the expected range")),
            },
            _ => self.error("expected a number"),
        }
    }

    /// An id such as `p3`, if the next token is one.
    pub fn accept_id<I: Id>(&mut self, prefix: &str) -> Option<I> {
        let Token::Word(word) = self.peek() else {
            return None;
        };
        let id = number_after(word, prefix)?;
        self.next();
        Some(I::new(id))
    }

    pub fn id<I: Id>(&mut self, prefix: &str, what: &str) -> Parsed<I> {
        match self.accept_id(prefix) {
            Some(id) => Ok(id),
            None => self.error(format!("expected {what}, such as `{prefix}3`")),
        }
    }

    fn c_type_id(&mut self) -> Parsed<CTypeId> {
        self.id("ctype", "a C type")
    }

    pub fn ty(&mut self) -> Parsed<Type> {
        match self.peek() {
            Token::Word(word) => match type_named(word) {
                Some(ty) => {
                    self.next();
                    Ok(ty)
                }
                None => self.error(format!(
                    "`{word}` is no type; types are `i32`, `f64`, `ptr` and the like"
                )),
            },
            _ => self.error("expected a type"),
        }
    }

    /// `@12:3`, `@f2:12:3`, or nothing.
    pub fn position(&mut self) -> Parsed<Position> {
        if !self.accept("@") {
            return Ok(Position::default());
        }
        let mut file = self.file;
        if matches!(self.peek(), Token::Word(_)) {
            file = self.id("f", "a file")?;
            self.expect(":")?;
        }
        let line = self.number()?;
        self.expect(":")?;
        Ok(Position {
            file,
            line,
            column: self.number()?,
        })
    }

    fn program(&mut self) -> Parsed<Program> {
        self.expect_word("elts")?;
        if self.number::<u32>()? != 1 {
            return self.error_before("this is not version 1 of the text form");
        }
        self.expect_word("machine")?;
        let data_model = self.machine()?;
        self.expect_word("entry")?;
        let entry = self.function_name()?;
        let mut program = Program {
            data_model,
            files: IdVec::new(),
            c_types: IdVec::new(),
            globals: IdVec::new(),
            functions: IdVec::new(),
            object_sites: IdVec::new(),
            properties: IdVec::new(),
            entry,
            external_functions: Vec::new(),
            assumptions: Vec::new(),
        };
        while *self.peek() != Token::End {
            self.item(&mut program)?;
        }
        Ok(program)
    }

    fn machine(&mut self) -> Parsed<DataModel> {
        self.expect_word("pointer")?;
        let pointer_width = self.number()?;
        self.expect_word("int")?;
        let int_width = self.number()?;
        self.expect_word("long")?;
        let long_width = self.number()?;
        let big_endian = self.accept_word("big");
        if !big_endian {
            self.expect_word("little")?;
        }
        Ok(DataModel {
            pointer_width,
            int_width,
            long_width,
            big_endian,
            triple: self.text()?,
        })
    }

    fn item(&mut self, program: &mut Program) -> Parsed<()> {
        let Token::Word(word) = self.peek().clone() else {
            return self
                .error("expected `global`, `function`, `extern`, `assumption`, or an entry of a table");
        };
        match word.as_str() {
            "global" => {
                self.next();
                let global = self.global()?;
                program.globals.push(global);
            }
            "function" => {
                self.next();
                let function = self.function()?;
                program.functions.push(function);
            }
            "extern" => {
                self.next();
                program.external_functions.push(self.text()?);
            }
            "assumption" => {
                self.next();
                program.assumptions.push(self.text()?);
            }
            _ => self.table_entry(program)?,
        }
        Ok(())
    }

    fn table_entry(&mut self, program: &mut Program) -> Parsed<()> {
        let files = program.files.len();
        let expected =
            "expected `global`, `function`, `extern`, `assumption`, or an entry of a table in order";
        if self.accept_entry("file", files) {
            let path = self.text()?;
            let is_library_model = self.accept_word("library");
            program.files.push(SourceFile {
                path,
                is_library_model,
            });
        } else if self.accept_entry("ctype", program.c_types.len()) {
            let c_type = self.c_type()?;
            program.c_types.push(c_type);
        } else if self.accept_entry("site", program.object_sites.len()) {
            let site = self.object_site()?;
            program.object_sites.push(site);
        } else if self.accept_entry("p", program.properties.len()) {
            let property = self.property()?;
            program.properties.push(property);
        } else {
            return self.error(expected);
        }
        Ok(())
    }

    fn accept_entry(&mut self, prefix: &str, index: usize) -> bool {
        let found = matches!(self.peek(), Token::Word(word) if number_after(word, prefix) == Some(index));
        if found {
            self.next();
        }
        found
    }

    fn c_type(&mut self) -> Parsed<CType> {
        let kind = self.word("a kind of C type")?;
        Ok(match kind.as_str() {
            "void" => CType::Void,
            "function" => CType::Function,
            "base" => {
                let (name, bits) = (self.text()?, self.number()?);
                let word = self.word("an encoding")?;
                let Some(encoding) = named(ENCODINGS, &word) else {
                    return self.error_before(format!("`{word}` is no encoding"));
                };
                CType::Base { name, bits, encoding }
            }
            "pointer" => CType::Pointer {
                to: self.c_type_id()?,
            },
            "struct" | "union" => {
                let (name, bytes) = (self.text()?, self.number()?);
                CType::Record {
                    name,
                    union: kind == "union",
                    bytes,
                    members: self.braced(Self::member)?,
                }
            }
            "array" => CType::Array {
                element: self.c_type_id()?,
                count: self.number()?,
            },
            "enum" => {
                let (name, bits) = (self.text()?, self.number()?);
                let signed = self.accept_word("signed");
                if !signed {
                    self.expect_word("unsigned")?;
                }
                let values = self.braced(|parser| Ok((parser.text()?, parser.number()?)))?;
                CType::Enum {
                    name,
                    bits,
                    signed,
                    values,
                }
            }
            "typedef" => CType::Typedef {
                name: self.text()?,
                of: self.c_type_id()?,
            },
            "qualified" => CType::Qualified {
                qualifier: self.text()?,
                of: self.c_type_id()?,
            },
            _ => return self.error_before(format!("`{kind}` is no kind of C type")),
        })
    }

    fn member(&mut self) -> Parsed<Member> {
        let (name, c_type) = (self.text()?, self.c_type_id()?);
        self.expect_word("bit")?;
        let bit_offset = self.number()?;
        self.expect_word("bits")?;
        let bits = self.number()?;
        Ok(Member {
            name,
            bit_offset,
            bits,
            bit_field: self.accept_word("field"),
            c_type,
        })
    }

    /// `{ item; item; }`
    fn braced<T>(&mut self, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect("{")?;
        let mut items = Vec::new();
        while !self.accept("}") {
            items.push(item(self)?);
            self.expect(";")?;
        }
        Ok(items)
    }

    fn object_site(&mut self) -> Parsed<ObjectSite> {
        let name = self.text()?;
        self.expect_word("align")?;
        let align = self.number()?;
        let once = self.accept_word("once");
        let c_type = self.accept_id("ctype");
        self.file = FileId::default();
        Ok(ObjectSite {
            name,
            align,
            once,
            c_type,
            position: self.position()?,
        })
    }

    fn property(&mut self) -> Parsed<PropertySite> {
        let mut word = self.word("a kind of property")?;
        while self.accept("-") {
            word = format!("{word}-{}", self.word("the rest of the kind")?);
        }
        let Some(kind) = PropertyKind::from_name(&word) else {
            return self.error_before(format!("`{word}` is no kind of property"));
        };
        let description = self.text()?;
        self.expect_word("in")?;
        let function = self.function_name()?;
        self.file = FileId::default();
        Ok(PropertySite {
            kind,
            description,
            function,
            position: self.position()?,
        })
    }

    fn global(&mut self) -> Parsed<Global> {
        let name = self.name()?;
        let c_name = if self.accept_word("c") {
            Some(self.text()?)
        } else {
            None
        };
        self.expect_word("size")?;
        let size = self.number()?;
        self.expect_word("align")?;
        let align = self.number()?;
        let rest = if self.accept_word("nondet") {
            InitialRest::Nondet
        } else if self.accept_word("registers") {
            InitialRest::Registers
        } else {
            InitialRest::Zero
        };
        let constant = self.accept_word("constant");
        let thread_local = self.accept_word("threadlocal");
        let c_type = self.accept_id("ctype");
        self.file = FileId::default();
        let position = self.position()?;
        self.variables = IdVec::new();
        self.variable_names.clear();
        let has_cells = *self.peek() == Token::Symbol("{");
        let cells = if has_cells {
            self.braced(Self::cell)?
        } else {
            Vec::new()
        };
        Ok(Global {
            name,
            c_name,
            size,
            align,
            cells,
            rest,
            constant,
            thread_local,
            c_type,
            position,
        })
    }

    fn cell(&mut self) -> Parsed<InitialCell> {
        let offset = self.number()?;
        self.expect(":")?;
        let ty = self.ty()?;
        self.expect("=")?;
        Ok(InitialCell {
            offset,
            ty,
            value: self.expr()?,
        })
    }

    fn function(&mut self) -> Parsed<Function> {
        let name = self.name()?;
        // Parameters are named before the variables are declared: their places are kept for later.
        let parameters_at = self.at;
        self.skip_list()?;
        let results_at = self.accept("->").then_some(self.at);
        if results_at.is_some() {
            self.skip_list()?;
        }
        let variadic = self.accept_word("variadic");
        self.expect_word("entry")?;
        let entry = self.id("l", "a location")?;
        self.expect_word("exit")?;
        let exit = self.id("l", "a location")?;
        self.file = FileId::default();
        let position = self.position()?;
        self.file = position.file;
        self.expect("{")?;
        self.declarations()?;
        let body_at = self.at;
        let parameters = self.list_at(parameters_at)?;
        let results = results_at.map_or(Ok(Vec::new()), |at| self.list_at(at))?;
        self.at = body_at;
        let locations = self.locations()?;
        let variables = std::mem::take(&mut self.variables);
        Ok(Function {
            name,
            parameters,
            results,
            variables,
            locations,
            entry,
            exit,
            position,
            variadic,
        })
    }

    fn skip_list(&mut self) -> Parsed<()> {
        self.expect("(")?;
        while !self.accept(")") {
            if *self.peek() == Token::End {
                return self.error("expected `)`");
            }
            self.next();
        }
        Ok(())
    }

    fn list_at(&mut self, at: usize) -> Parsed<Vec<VariableId>> {
        self.at = at;
        self.expect("(")?;
        self.list(Self::variable)
    }

    /// The rest of a list in parentheses.
    pub fn list<T>(&mut self, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.accept(")") {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.accept(",") {
                self.expect(")")?;
                return Ok(items);
            }
        }
    }

    fn declarations(&mut self) -> Parsed<()> {
        self.variables = IdVec::new();
        self.variable_names.clear();
        loop {
            let kind = match self.peek() {
                Token::Word(word) if word == "parameter" => VariableKind::Parameter,
                Token::Word(word) if word == "local" => VariableKind::Local,
                Token::Word(word) if word == "temporary" => VariableKind::Temporary,
                _ => return Ok(()),
            };
            self.next();
            let ty = self.ty()?;
            let name = self.name()?;
            let c_type = self.accept_id("ctype");
            let position = self.position()?;
            self.expect(";")?;
            declare(&mut self.variable_names, name.clone(), self.variables.next_id());
            self.variables.push(Variable {
                name,
                ty,
                kind,
                c_type,
                position,
            });
        }
    }

    fn locations(&mut self) -> Parsed<IdVec<LocationId, Location>> {
        let mut locations = IdVec::new();
        while !self.accept("}") {
            if !self.accept_entry("l", locations.len()) {
                return self.error(format!("expected location `l{}` or `}}`", locations.len()));
            }
            let name = self.text()?;
            let position = self.position()?;
            self.expect(":")?;
            let mut transitions = Vec::new();
            while self.accept_word("when") {
                transitions.push(self.transition()?);
            }
            locations.push(Location {
                name,
                transitions,
                position,
            });
        }
        Ok(locations)
    }

    fn transition(&mut self) -> Parsed<Transition> {
        let guard = self.expr()?;
        let position = self.position()?;
        let statements = self.braced(Self::statement)?;
        self.expect_word("goto")?;
        let target = self.id("l", "a location")?;
        self.expect(";")?;
        Ok(Transition {
            guard,
            statements,
            target,
            position,
        })
    }

    /// `#v3`, or a name.
    fn reference<I: Id>(&mut self, letter: &str, scope: fn(&Self) -> &Scope<I>, what: &str) -> Parsed<I> {
        if self.accept("#") {
            return self.id(letter, what);
        }
        let name = match self.peek() {
            Token::Word(name) | Token::Quoted(name) => name.clone(),
            _ => return self.error(format!("expected {what}")),
        };
        match scope(self).get(&name) {
            Some(Some(id)) => {
                let id = *id;
                self.next();
                Ok(id)
            }
            Some(None) => self.error(format!(
                "`{name}` means more than one {what}; write `#{letter}0` with its number"
            )),
            None => self.error(format!("`{name}` is not declared as {what}")),
        }
    }

    pub fn variable(&mut self) -> Parsed<VariableId> {
        self.reference("v", |parser| &parser.variable_names, "a variable")
    }

    pub fn global_name(&mut self) -> Parsed<GlobalId> {
        self.reference("g", |parser| &parser.globals, "a global")
    }

    pub fn function_name(&mut self) -> Parsed<FunctionId> {
        self.reference("f", |parser| &parser.functions, "a function")
    }

    pub fn property_id(&mut self) -> Parsed<PropertyId> {
        self.id("p", "a property")
    }

    pub fn site_id(&mut self) -> Parsed<ObjectSiteId> {
        self.id("site", "an allocation site")
    }
}

fn declare<I: Id>(scope: &mut Scope<I>, name: String, id: I) {
    scope
        .entry(name)
        .and_modify(|entry| *entry = None)
        .or_insert(Some(id));
}

/// The number in `prefix123`, written as the dumps write it.
fn number_after(word: &str, prefix: &str) -> Option<usize> {
    let digits = word.strip_prefix(prefix)?;
    let plain =
        digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    let number: u32 = if plain { digits.parse().ok()? } else { return None };
    Some(number as usize)
}
