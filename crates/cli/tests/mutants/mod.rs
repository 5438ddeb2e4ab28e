//! Mutants of C programs: one operator, constant, bound, type or statement changed.
//!
//! The text is cut into tokens and each token says what can stand in its place (DeMillo, Lipton, Sayward:
//! "Hints on Test Data Selection", 1978). What is in comments, literals and preprocessor lines stays, but for
//! what an object-like macro stands for. Nobody knows types here: some changes are no C, which the compiler
//! tells.
#![allow(dead_code, reason = "no test needs all of it")]

use std::ops::Range;

use kripke_logic::random::Random;

/// A change of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    range: Range<usize>,
    text: String,
}

impl Change {
    /// The program with the change.
    pub fn apply(&self, source: &str) -> String {
        let (before, after) = (&source[..self.range.start], &source[self.range.end..]);
        // Lines stay where they are.
        let lines = source[self.range.clone()].matches('\n').count();
        format!("{before}{}{}{after}", self.text, "\n".repeat(lines))
    }

    /// The change in words.
    pub fn describe(&self, source: &str) -> String {
        let line = source[..self.range.start].matches('\n').count() + 1;
        format!(
            "line {line}: `{}` becomes `{}`",
            &source[self.range.clone()],
            self.text
        )
    }
}

/// The order of all mutants of programs that have so many each: each program's first, each program's second,
/// and so on, as pairs of program and mutant.
pub fn in_rounds(counts: &[usize]) -> Vec<(usize, usize)> {
    let most = counts.iter().copied().max().unwrap_or(0);
    let round = |round| {
        (0..counts.len())
            .filter(move |program| round < counts[*program])
            .map(move |program| (program, round))
    };
    (0..most).flat_map(round).collect()
}

/// Brings items into an order that a seed decides.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut random = Random::new(seed);
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last + 1));
    }
}

/// All changes of a program, in the order of the text.
pub fn changes(source: &str) -> Vec<Change> {
    let tokens = tokens(source);
    let mut changes = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| &tokens[index]);
        let texts = replacements(token, before, source);
        changes.extend(texts.into_iter().map(|text| Change {
            range: token.range.clone(),
            text,
        }));
    }
    changes.extend(removed_statements(&tokens, source));
    changes
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Number,
    Literal,
    Operator,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    range: Range<usize>,
}

impl Token {
    fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.range.clone()]
    }

    /// Whether an expression can end here, so that an operator that follows has two operands.
    fn ends_an_expression(&self, source: &str) -> bool {
        let text = self.text(source);
        match self.kind {
            Kind::Word => !NO_VALUES.contains(&text) && swapped(text, TYPES).is_empty(),
            Kind::Number | Kind::Literal => true,
            Kind::Operator => matches!(text, ")" | "]"),
        }
    }
}

/// A token, and what can stand in its place.
type Table = &'static [(&'static str, &'static [&'static str])];

/// Operators with two operands, and what can stand in their place.
const BINARY: Table = &[
    ("<", &["<=", ">", "=="]),
    ("<=", &["<", ">"]),
    (">", &[">=", "<"]),
    (">=", &[">", "<"]),
    ("==", &["!=", "<="]),
    ("!=", &["==", "<"]),
    ("&&", &["||"]),
    ("||", &["&&"]),
    ("+", &["-", "*"]),
    ("-", &["+"]),
    ("*", &["+"]),
    ("/", &["*", "%"]),
    ("%", &["/"]),
    ("<<", &[">>"]),
    (">>", &["<<"]),
    ("&", &["|", "&&"]),
    ("|", &["&", "^"]),
    ("^", &["|"]),
    ("+=", &["-=", "="]),
    ("-=", &["+="]),
    ("*=", &["+="]),
    ("/=", &["*="]),
    ("%=", &["/="]),
    ("<<=", &[">>="]),
    (">>=", &["<<="]),
    ("&=", &["|=", "="]),
    ("|=", &["&=", "="]),
    ("^=", &["|="]),
    ("++", &["--"]),
    ("--", &["++"]),
];
/// Operators with one operand.
const UNARY: Table = &[
    ("!", &[""]),
    ("~", &["", "-"]),
    ("-", &["", "~"]),
    ("++", &["--"]),
    ("--", &["++"]),
];
/// Types of another width or sign.
const TYPES: Table = &[
    ("int", &["short", "unsigned"]),
    ("unsigned", &["signed"]),
    ("signed", &["unsigned"]),
    ("long", &["short"]),
    ("char", &["short"]),
    ("short", &["char"]),
    ("double", &["float"]),
    ("uint8_t", &["int8_t", "uint16_t"]),
    ("uint16_t", &["int16_t", "uint8_t"]),
    ("uint32_t", &["int32_t", "uint16_t"]),
    ("int32_t", &["int16_t"]),
    ("float", &["double"]),
];
/// Words that are no types.
const WORDS: Table = &[
    ("break", &["continue"]),
    ("continue", &["break"]),
    ("true", &["false"]),
];
/// Further words after which an expression begins, or a declarator.
const NO_VALUES: &[&str] = &[
    "return", "case", "sizeof", "else", "void", "_Bool", "bool", "const", "volatile",
];

fn swapped(text: &str, table: Table) -> &'static [&'static str] {
    let entry = table.iter().find(|(key, _)| *key == text);
    entry.map_or(&[], |(_, texts)| texts)
}

fn replacements(token: &Token, before: Option<&Token>, source: &str) -> Vec<String> {
    let text = token.text(source);
    let follows = before.is_some_and(|before| before.ends_an_expression(source));
    let others = match token.kind {
        Kind::Literal => Vec::new(),
        Kind::Number => return numbers(text, before.is_some_and(|before| before.text(source) == "[")),
        Kind::Word => [swapped(text, TYPES), swapped(text, WORDS)].concat(),
        Kind::Operator if follows => swapped(text, BINARY).to_vec(),
        Kind::Operator => swapped(text, UNARY).to_vec(),
    };
    others.into_iter().map(str::to_owned).collect()
}

/// Neighbours of a constant, 0 and its negation; of a bound or an index only the neighbours.
fn numbers(text: &str, is_bound: bool) -> Vec<String> {
    let mut others = vec![format!("({text} + 1)"), format!("({text} - 1)")];
    if !is_bound {
        others.push(format!("(-{text})"));
        others.push(format!("({text} * 2)"));
        if text != "0" {
            others.push("0".to_owned());
        }
    }
    others
}

/// Each statement left out, its `;` excepted.
fn removed_statements(tokens: &[Token], source: &str) -> Vec<Change> {
    let (mut blocks, mut parentheses, mut start) = (0_usize, 0_usize, 0);
    let mut removed = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Operator {
            continue;
        }
        match token.text(source) {
            "(" | "[" => parentheses += 1,
            ")" | "]" => parentheses = parentheses.saturating_sub(1),
            "{" => (blocks, start) = (blocks + 1, index + 1),
            "}" => (blocks, start) = (blocks.saturating_sub(1), index + 1),
            ";" if parentheses == 0 => {
                if blocks > 0 && start < index {
                    removed.push(Change {
                        range: tokens[start].range.start..tokens[index - 1].range.end,
                        text: String::new(),
                    });
                }
                start = index + 1;
            }
            _ => {}
        }
    }
    removed
}

/// Operators of more than one character, longer ones first.
const LONG: &[&str] = &[
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "##",
];

fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let (mut at, mut begins_line) = (0, true);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = match first {
            '\n' => {
                begins_line = true;
                at += 1;
                continue;
            }
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            '/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                continue;
            }
            '#' if begins_line => {
                at += directive(rest);
                begins_line = false;
                continue;
            }
            '\\' => {
                at += 1;
                continue;
            }
            _ => token_length(rest, first),
        };
        begins_line = false;
        let kind = match first {
            '"' | '\'' => Kind::Literal,
            '0'..='9' => Kind::Number,
            '.' if length > 1 && !rest.starts_with("...") => Kind::Number,
            _ if is_word(first) => Kind::Word,
            _ => Kind::Operator,
        };
        tokens.push(Token {
            kind,
            range: at..at + length,
        });
        at += length;
    }
    tokens
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn token_length(rest: &str, first: char) -> usize {
    let second = rest[first.len_utf8()..].chars().next().unwrap_or(' ');
    if first == '"' || first == '\'' {
        let mut escaped = true;
        let end = rest.char_indices().find(|(_, character)| {
            let ends = *character == first && !escaped;
            // The first character opens; a backslash takes the next one.
            escaped = !escaped && *character == '\\';
            ends
        });
        return end.map_or(rest.len(), |(index, _)| index + 1);
    }
    if first.is_ascii_digit() || first == '.' && second.is_ascii_digit() {
        let mut before = ' ';
        let is_hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
        let end = rest.find(|character: char| {
            let exponent = if is_hexadecimal { "pP" } else { "eE" };
            let part = is_word(character)
                || character == '.'
                || "+-".contains(character) && exponent.contains(before);
            before = character;
            !part
        });
        return end.unwrap_or(rest.len());
    }
    if is_word(first) {
        return rest.find(|character| !is_word(character)).unwrap_or(rest.len());
    }
    let long = LONG.iter().find(|long| rest.starts_with(**long));
    long.map_or(first.len_utf8(), |long| long.len())
}

/// What of a preprocessor line is left alone: all of it, or up to what a macro without parameters stands for.
fn directive(line: &str) -> usize {
    let mut end = 0;
    loop {
        end += line[end..].find('\n').unwrap_or(line.len() - end);
        if end >= line.len() || !line[..end].ends_with('\\') {
            break;
        }
        end += 1;
    }
    let body = line[1..].trim_start_matches([' ', '\t']);
    let Some(name) = body.strip_prefix("define") else {
        return end;
    };
    let name = name.trim_start_matches([' ', '\t']);
    let text = name.trim_start_matches(is_word);
    if text.starts_with([' ', '\t']) {
        line.len() - text.len()
    } else {
        end
    }
}
