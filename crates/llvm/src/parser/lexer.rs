//! The tokens of textual LLVM IR.
//!
//! Idea: a token borrows from the text; nothing is copied or decoded until the parser keeps it. The
//! lexer is a cursor that can be copied, which is all the look-ahead the grammar needs.
//!
//! Invariant: it never fails and always moves on: a byte that starts no token is a [`Token::Stray`], an
//! unclosed string ends where the text does.
//!
//! Source: LLVM language reference, "Lexical structure"; the spelling of labels and names as LLVM prints
//! them.

/// A name as written, without its sigil and quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name<'a> {
    pub text: &'a str,
    /// May hold `\xx` escapes.
    pub quoted: bool,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    End,
    /// A keyword, type or bare word.
    Word(&'a str),
    /// `name:`; the colon belongs to it.
    Label(Name<'a>),
    /// `%name`.
    Local(Name<'a>),
    /// `@name`.
    Global(Name<'a>),
    /// `$name`.
    Comdat(Name<'a>),
    /// An integer or float literal.
    Number(&'a str),
    /// `"…"`, escapes not decoded.
    String(&'a str),
    /// `c"…"`.
    Bytes(&'a str),
    /// `!7`.
    MetadataNumber(u32),
    /// `!dbg`, `!DILocation`.
    MetadataName(&'a str),
    /// `!"…"`.
    MetadataString(&'a str),
    /// `!` before `{`.
    Exclamation,
    /// `#0`.
    AttributeGroup(u32),
    /// `#dbg_declare`.
    Record(&'a str),
    /// `...`.
    Ellipsis,
    /// One of `( ) [ ] { } < > , = * : | ^`.
    Punctuation(u8),
    /// A character that starts no token.
    Stray,
}

/// A position in the text and the token there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// Just after the current token.
    position: usize,
    /// Where the current token starts.
    pub start: usize,
    /// Where the token before the current one ended.
    pub previous_end: usize,
    /// The current token is the first one on its line.
    pub first_on_line: bool,
    pub token: Token<'a>,
}

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'$' | b'.' | b'_' | b'-')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'.' | b'_' | b'-')
}

impl<'a> Lexer<'a> {
    /// At the first token.
    pub fn new(text: &'a str) -> Self {
        let mut lexer = Lexer {
            text,
            position: 0,
            start: 0,
            previous_end: 0,
            first_on_line: true,
            token: Token::End,
        };
        lexer.advance();
        lexer
    }

    /// The text between two offsets.
    pub fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or("")
    }

    /// Goes to the next token.
    #[inline]
    pub fn advance(&mut self) {
        self.previous_end = self.position;
        self.skip_blanks();
        self.start = self.position;
        self.token = self.next_token();
    }

    /// Skips the rest of the line on which the last token ended.
    pub fn skip_line(&mut self) {
        self.position = self.previous_end;
        let rest = &self.text.as_bytes()[self.position..];
        self.position += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.advance();
    }

    fn byte(&self, offset: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.position + offset)
            .copied()
            .unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = self.position;
        self.first_on_line = at == 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\n' => self.first_on_line = true,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => {}
                b';' => {
                    while bytes.get(at).is_some_and(|&byte| byte != b'\n') {
                        at += 1;
                    }
                    continue;
                }
                _ => break,
            }
            at += 1;
        }
        self.position = at;
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a str {
        let from = self.position;
        let bytes = self.text.as_bytes();
        while bytes.get(self.position).is_some_and(|&byte| accept(byte)) {
            self.position += 1;
        }
        &self.text[from..self.position]
    }

    /// The text up to the closing quote; the position is just after the opening one.
    fn take_string(&mut self) -> &'a str {
        let text = self.take_while(|byte| byte != b'"');
        self.position = (self.position + 1).min(self.text.len());
        text
    }

    fn take_name(&mut self) -> Name<'a> {
        if self.byte(0) == b'"' {
            self.position += 1;
            return Name {
                text: self.take_string(),
                quoted: true,
            };
        }
        Name {
            text: self.take_while(is_word),
            quoted: false,
        }
    }

    fn or_label(&mut self, name: Name<'a>, token: Token<'a>) -> Token<'a> {
        if self.byte(0) == b':' {
            self.position += 1;
            Token::Label(name)
        } else {
            token
        }
    }

    fn next_token(&mut self) -> Token<'a> {
        let Some(&first) = self.text.as_bytes().get(self.position) else {
            return Token::End;
        };
        match first {
            b'%' | b'@' => {
                self.position += 1;
                let name = self.take_name();
                if name.text.is_empty() && !name.quoted {
                    return Token::Stray;
                }
                if first == b'%' {
                    Token::Local(name)
                } else {
                    Token::Global(name)
                }
            }
            b'.' if self.byte(1) == b'.' && self.byte(2) == b'.' && !is_word(self.byte(3)) => {
                self.position += 3;
                Token::Ellipsis
            }
            b'c' if self.byte(1) == b'"' => {
                self.position += 2;
                Token::Bytes(self.take_string())
            }
            b'-' | b'+' if self.byte(1).is_ascii_digit() => self.number(),
            b'+' => self.number(),
            b'0'..=b'9' => self.number(),
            b'$' => self.comdat(),
            _ if is_word_start(first) => {
                let text = self.take_while(is_word);
                self.or_label(Name { text, quoted: false }, Token::Word(text))
            }
            b'"' => {
                self.position += 1;
                let text = self.take_string();
                self.or_label(Name { text, quoted: true }, Token::String(text))
            }
            b'!' => self.metadata(),
            b'#' => {
                self.position += 1;
                let text = self.take_while(is_word);
                match text.parse() {
                    Ok(number) => Token::AttributeGroup(number),
                    Err(_) => Token::Record(text),
                }
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b':' | b'|'
            | b'^' => {
                self.position += 1;
                Token::Punctuation(first)
            }
            _ => {
                let width = self.text[self.position..]
                    .chars()
                    .next()
                    .map_or(1, char::len_utf8);
                self.position += width;
                Token::Stray
            }
        }
    }

    fn number(&mut self) -> Token<'a> {
        let from = self.position;
        self.position += 1;
        self.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
        let exponent = matches!(self.text.as_bytes()[self.position - 1], b'e' | b'E');
        if exponent && matches!(self.byte(0), b'-' | b'+') {
            self.position += 1;
            self.take_while(|byte| byte.is_ascii_digit());
        }
        let text = &self.text[from..self.position];
        self.or_label(Name { text, quoted: false }, Token::Number(text))
    }

    fn comdat(&mut self) -> Token<'a> {
        let from = self.position;
        self.position += 1;
        let name = self.take_name();
        let label = Name {
            text: &self.text[from..self.position],
            quoted: false,
        };
        self.or_label(label, Token::Comdat(name))
    }

    fn metadata(&mut self) -> Token<'a> {
        self.position += 1;
        match self.byte(0) {
            b'"' => {
                self.position += 1;
                Token::MetadataString(self.take_string())
            }
            b'0'..=b'9' => match self.take_while(|byte| byte.is_ascii_digit()).parse() {
                Ok(number) => Token::MetadataNumber(number),
                Err(_) => Token::Stray,
            },
            byte if is_word_start(byte) || byte == b'\\' => {
                Token::MetadataName(self.take_while(|byte| is_word(byte) || byte == b'\\'))
            }
            _ => Token::Exclamation,
        }
    }
}

/// Decodes `\\` and `\xx`.
pub(super) fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |offset: usize| {
            let digit = bytes.get(at + offset).copied()?;
            char::from(digit)
                .to_digit(16)
                .and_then(|value| u8::try_from(value).ok())
        };
        match (bytes[at], hex(1), hex(2)) {
            (b'\\', Some(high), Some(low)) => {
                decoded.push(high << 4 | low);
                at += 3;
            }
            (b'\\', ..) if bytes.get(at + 1) == Some(&b'\\') => {
                decoded.push(b'\\');
                at += 2;
            }
            (byte, ..) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[Token<'_>]) {
        let mut lexer = Lexer::new(text);
        for token in expected {
            assert_eq!(lexer.token, *token, "in {text}");
            lexer.advance();
        }
        assert_eq!(lexer.token, Token::End, "in {text}");
    }

    fn plain(text: &str) -> Name<'_> {
        Name { text, quoted: false }
    }

    #[test]
    fn names_and_labels() {
        let quoted = Name {
            text: "\\01foo",
            quoted: true,
        };
        check(
            "%a.addr @0 @\"\\01foo\"",
            &[
                Token::Local(plain("a.addr")),
                Token::Global(plain("0")),
                Token::Global(quoted),
            ],
        );
        check(
            "for.cond: 12: $x = $y: ...",
            &[
                Token::Label(plain("for.cond")),
                Token::Label(plain("12")),
                Token::Comdat(plain("x")),
                Token::Punctuation(b'='),
                Token::Label(plain("$y")),
                Token::Ellipsis,
            ],
        );
    }

    #[test]
    fn numbers() {
        for number in [
            "-5",
            "0x3FB99999A0000000",
            "0xK3FFF8000000000000000",
            "1.0e+00",
            "-1.5e-3",
            "0xH3C00",
        ] {
            check(number, &[Token::Number(number)]);
        }
    }

    #[test]
    fn metadata_and_attributes() {
        check(
            "!7 !dbg !\"a b\" !{ #3 #dbg_value(",
            &[
                Token::MetadataNumber(7),
                Token::MetadataName("dbg"),
                Token::MetadataString("a b"),
                Token::Exclamation,
                Token::Punctuation(b'{'),
                Token::AttributeGroup(3),
                Token::Record("dbg_value"),
                Token::Punctuation(b'('),
            ],
        );
    }

    #[test]
    fn odd_bytes_do_not_stop_it() {
        check(
            "\u{e9} ~ \"open",
            &[Token::Stray, Token::Stray, Token::String("open")],
        );
        check("!99999999999 %", &[Token::Stray, Token::Stray]);
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape("a\\0A\\\\b\\zz\\4"), b"a\n\\b\\zz\\4");
    }
}
