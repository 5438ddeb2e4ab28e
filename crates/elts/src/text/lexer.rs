//! Splits the text form into tokens with their places.

use crate::text::parse::ParseError;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A plain word: a name, a keyword, a type, `l3`.
    Word(String),
    /// A name in backquotes.
    Quoted(String),
    /// A string.
    Text(String),
    /// A number with what follows it: `5`, `-1i32`, `0.5f64`, `0x1f`.
    Number(String),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// A token and where it starts, both from 1.
#[derive(Clone, Debug)]
pub struct Located {
    pub token: Token,
    pub line: u32,
    pub column: u32,
}

/// Longest first, so that the first match is the longest.
const SYMBOLS: &[&str] = &[
    "<=s", "<=u", "<=.", "<=p", "==.", "==p", ">>u", ">>s", "++", "+.", "+p", "-.", "-p", "->", "*.", "/u",
    "/s", "/.", "%u", "%s", "<<", "<u", "<s", "<.", "<p", "==", "!=", "+", "-", "*", "&", "|", "^", "~", "!",
    "?", ":", ";", ",", "(", ")", "{", "}", "[", "]", "<", ">", "=", "@", "#",
];

/// All tokens of the text, the last one [`Token::End`].
pub fn tokens(text: &str) -> Result<Vec<Located>, ParseError> {
    let mut lexer = Lexer {
        rest: text,
        line: 1,
        column: 1,
    };
    let mut found = Vec::new();
    loop {
        lexer.skip_blanks();
        let (line, column) = (lexer.line, lexer.column);
        // After an operand a minus sign subtracts; `when` is the only word before which an expression begins.
        let after_operand = match found.last().map(|last: &Located| &last.token) {
            Some(Token::Word(word)) => word != "when",
            Some(Token::Quoted(_) | Token::Number(_) | Token::Symbol(")" | "]")) => true,
            _ => false,
        };
        let token = lexer.token(after_operand)?;
        let end = token == Token::End;
        found.push(Located { token, line, column });
        if end {
            return Ok(found);
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    line: u32,
    column: u32,
}

impl<'t> Lexer<'t> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError {
            line: self.line,
            column: self.column,
            message: message.into(),
        }
    }

    fn advance(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        for character in taken.chars() {
            match character {
                '\n' => (self.line, self.column) = (self.line + 1, 1),
                _ => self.column += 1,
            }
        }
        self.rest = rest;
        taken
    }

    /// Skips white space and comments, which run from `//` to the end of the line.
    fn skip_blanks(&mut self) {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.advance(blank);
            if !self.rest.starts_with("//") {
                return;
            }
            let line = self.rest.find('\n').unwrap_or(self.rest.len());
            self.advance(line);
        }
    }

    fn token(&mut self, after_operand: bool) -> Result<Token, ParseError> {
        let Some(first) = self.rest.chars().next() else {
            return Ok(Token::End);
        };
        match first {
            '"' => return self.string('"').map(Token::Text),
            '`' => return self.string('`').map(Token::Quoted),
            _ => {}
        }
        let second = self.rest[first.len_utf8()..].chars().next();
        let negative = first == '-' && !after_operand && second.is_some_and(|next| next.is_ascii_digit());
        if first.is_ascii_digit() || negative {
            return Ok(Token::Number(self.number()));
        }
        if first.is_ascii_alphabetic() || matches!(first, '_' | '$') {
            let length = self.rest.find(|c: char| !is_word(c)).unwrap_or(self.rest.len());
            return Ok(Token::Word(self.advance(length).to_owned()));
        }
        let symbol = SYMBOLS
            .iter()
            .find(|symbol| self.is_symbol(symbol, after_operand));
        match symbol {
            Some(symbol) => {
                self.advance(symbol.len());
                Ok(Token::Symbol(symbol))
            }
            None => Err(self.error(format!("unexpected character `{}`", first.escape_default()))),
        }
    }

    /// An operator that ends in a letter must not run into a word.
    fn is_symbol(&self, symbol: &str, after_operand: bool) -> bool {
        let Some(after) = self.rest.strip_prefix(symbol) else {
            return false;
        };
        let lettered = symbol.ends_with(|c: char| c.is_ascii_alphabetic());
        // Where an operand is expected, `-p` negates the variable `p`.
        let possible = after_operand || symbol != "-p";
        possible && !(lettered && after.starts_with(is_word))
    }

    /// Digits, point, exponent and suffix.
    fn number(&mut self) -> String {
        let bytes = self.rest.as_bytes();
        let mut length = usize::from(bytes[0] == b'-');
        while let Some(&byte) = bytes.get(length) {
            let exponent = matches!(byte, b'+' | b'-')
                && matches!(bytes[length - 1], b'e' | b'E')
                && !self.rest[..length].contains("0x");
            if !byte.is_ascii_alphanumeric() && byte != b'.' && !exponent {
                break;
            }
            length += 1;
        }
        self.advance(length).to_owned()
    }

    fn string(&mut self, quote: char) -> Result<String, ParseError> {
        let start = (self.line, self.column);
        self.advance(1);
        let mut text = String::new();
        loop {
            let next = self.rest.chars().next().filter(|&character| character != '\n');
            let Some(character) = next else {
                return Err(ParseError {
                    line: start.0,
                    column: start.1,
                    message: "text without end".to_owned(),
                });
            };
            self.advance(character.len_utf8());
            match character {
                '\\' => text.push(self.escape()?),
                character if character == quote => return Ok(text),
                character => text.push(character),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let Some(character) = self.rest.chars().next() else {
            return Err(self.error("text without end"));
        };
        if character != 'u' {
            self.advance(character.len_utf8());
            return match character {
                'n' => Ok('\n'),
                't' => Ok('\t'),
                '"' | '\\' => Ok(character),
                _ => Err(self.error("unknown escape; `\\n`, `\\t`, `\\\"`, `\\\\` and `\\u{..}` are known")),
            };
        }
        let code = self
            .rest
            .strip_prefix("u{")
            .and_then(|rest| rest.split_once('}'))
            .map(|(code, _)| code);
        let character = code.and_then(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?));
        match (code, character) {
            (Some(code), Some(character)) => {
                let length = code.len() + 3;
                self.advance(length);
                Ok(character)
            }
            _ => Err(self.error("malformed `\\u{..}`")),
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '$')
}
