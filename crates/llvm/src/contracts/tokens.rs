//! The tokens of preprocessed C, as far as contracts have to look at them.
//!
//! Invariant: what stands in a literal is never taken for a word or a sign. Lines for the compiler (`#line`,
//! `#pragma`) are none of the program's.
//!
//! Source: ISO C11, 6.4; digraphs: 6.4.6.

/// A token of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// An identifier, a keyword, a number, or the prefix of a literal.
    Word(&'t str),
    /// A string, with what its escapes stand for as far as a stringised text has any.
    Text(String),
    /// A character of an operator or a bracket; an apostrophe for a character constant.
    Sign(char),
}

impl<'t> Token<'t> {
    pub(super) fn word(&self) -> Option<&'t str> {
        match self {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn is_sign(&self, sign: char) -> bool {
        *self == Token::Sign(sign)
    }
}

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut begins_line = true;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' if begins_line => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => {
                let (literal, length) = literal(rest, first);
                found.push(if first == '"' {
                    Token::Text(literal)
                } else {
                    Token::Sign(first)
                });
                length
            }
            _ if is_part(first) => {
                let length = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
                found.push(Token::Word(&rest[..length]));
                length
            }
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                let (sign, length) = sign(rest, first);
                found.push(Token::Sign(sign));
                length
            }
        };
        begins_line = first == '\n' || (begins_line && first.is_whitespace());
        rest = &rest[length..];
    }
    found
}

/// The identifiers and keywords of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let all = tokens(text).into_iter().filter_map(|token| token.word());
    all.filter(|word| !word.starts_with(|first: char| first.is_ascii_digit()))
}

fn is_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// The sign at the beginning of a text, and its length.
fn sign(text: &str, first: char) -> (char, usize) {
    let digraphs = [("<%", '{'), ("%>", '}'), ("<:", '['), (":>", ']')];
    let digraph = digraphs
        .into_iter()
        .find(|(spelled, _)| text.starts_with(spelled));
    digraph.map_or((first, first.len_utf8()), |(_, sign)| (sign, 2))
}

/// What a literal at the beginning of a text holds, and its length there.
fn literal(text: &str, quote: char) -> (String, usize) {
    let mut held = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some((_, 'n')) => held.push('\n'),
                Some((_, escaped)) => held.push(escaped),
                None => break,
            },
            _ if character == quote => return (held, at + 1),
            _ => held.push(character),
        }
    }
    (held, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Token<'_>]) {
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn literals_hide_what_they_hold() {
        let text = |held: &str| Token::Text(held.to_owned());
        check(
            "x\"a \\\"b\\\\\\n\"y",
            &[Token::Word("x"), text("a \"b\\\n"), Token::Word("y")],
        );
        check(
            "'\"' + '\\''",
            &[Token::Sign('\''), Token::Sign('+'), Token::Sign('\'')],
        );
        check("\"open", &[text("open")]);
    }

    #[test]
    fn lines_for_the_compiler_are_none_of_the_programs() {
        check(
            "  # 1 \"a.c\" 3\nx\n#pragma pack(1)\ny # z",
            &[
                Token::Word("x"),
                Token::Word("y"),
                Token::Sign('#'),
                Token::Word("z"),
            ],
        );
    }

    #[test]
    fn digraphs_are_brackets() {
        check(
            "<%a<:1:>%>",
            &[
                Token::Sign('{'),
                Token::Word("a"),
                Token::Sign('['),
                Token::Word("1"),
                Token::Sign(']'),
                Token::Sign('}'),
            ],
        );
        assert_eq!(words("0x1F + a1 + \"b\" - $c").collect::<Vec<_>>(), ["a1", "$c"]);
    }
}
