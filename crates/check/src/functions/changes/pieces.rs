//! The text of a C file in pieces: its functions, and what stands between them.
//!
//! Idea: braces, literals, comments and directives are all that has to be known of C. Braces behind a
//! parameter list are a function; all others belong to what stands between functions, and so does all that is
//! in doubt, as that concerns more. A function means the same where its text is the same and what stands
//! between functions is, at the same place of it.
//!
//! Invariant: every character outside of comments and space is in a piece; what a function's text does to the
//! text behind it (macros, files that are included) is also between functions. Texts whose braces depend on
//! conditions (`#if`) are not understood.

use std::ops::RangeInclusive;

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The lines it is in, from 1.
    pub lines: RangeInclusive<u32>,
    /// What stands before its parameters; the macro's name where a macro does.
    pub name: String,
    /// How much stands before it outside of functions.
    place: usize,
    text: String,
}

impl Piece {
    /// What two texts of a function that mean the same have in common.
    pub fn meaning(&self) -> (usize, &str) {
        (self.place, &self.text)
    }
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pieces {
    pub functions: Vec<Piece>,
    /// Declarations and directives, each without comments.
    pub between: Vec<String>,
}

impl Pieces {
    /// Takes a text apart; none where that is not possible.
    pub fn of(text: &str) -> Option<Pieces> {
        let mut reader = Reader::new(text);
        while reader.step()? {}
        reader.finish()
    }

    /// May a variable that other units see be defined here, other than in a header?
    pub fn has_variables_for_others(&self) -> bool {
        self.between.iter().any(|item| may_define_variable(item))
    }

    /// The name of a function that another text has more often.
    pub fn misses<'o>(&self, other: &'o Pieces) -> Option<&'o str> {
        let count = |pieces: &Pieces, name: &str| {
            let named = pieces.functions.iter().filter(|piece| piece.name == name);
            named.count()
        };
        let mut names = other.functions.iter().map(|piece| piece.name.as_str());
        names.find(|name| count(self, name) < count(other, name))
    }
}

/// Takes the text apart, character by character.
struct Reader {
    text: Vec<char>,
    at: usize,
    line: u32,
    /// Nothing but space stands before on this line.
    is_line_start: bool,
    /// Braces that are open.
    depth: usize,
    /// The braces belong to a function.
    in_function: bool,
    /// Brackets and parentheses that are open outside of braces.
    nesting: usize,
    /// What was read since the last piece ended.
    current: String,
    /// Where that began.
    first_line: u32,
    /// For each condition that is open, the braces where it began.
    conditions: Vec<usize>,
    /// How many were open where the function began.
    conditions_before: usize,
    pieces: Pieces,
}

impl Reader {
    fn new(text: &str) -> Reader {
        Reader {
            text: text.chars().filter(|character| *character != '\r').collect(),
            at: 0,
            line: 1,
            is_line_start: true,
            depth: 0,
            in_function: false,
            nesting: 0,
            current: String::new(),
            first_line: 1,
            conditions: Vec::new(),
            conditions_before: 0,
            pieces: Pieces::default(),
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    /// Takes a character.
    fn take(&mut self) -> Option<char> {
        let character = self.peek(0)?;
        self.at += 1;
        if character == '\n' {
            self.line += 1;
            self.is_line_start = true;
        }
        Some(character)
    }

    /// Takes the next word, literal, comment, directive or sign; false at the end, none where it is not
    /// understood.
    fn step(&mut self) -> Option<bool> {
        let Some(character) = self.peek(0) else {
            return Some(false);
        };
        match character {
            '\\' if self.peek(1) == Some('\n') => {
                self.take();
                self.take();
                self.is_line_start = false;
            }
            _ if character.is_whitespace() => {
                self.take();
                self.space();
            }
            '/' if matches!(self.peek(1), Some('/' | '*')) => {
                self.comment()?;
                self.space();
            }
            '#' if self.is_line_start => self.directive()?,
            '"' | '\'' => {
                let literal = self.literal()?;
                self.push(&literal);
            }
            _ if is_word(character) => {
                let word = self.word();
                self.push(&word);
            }
            _ => self.sign(character)?,
        }
        Some(true)
    }

    /// Space of any length counts as one, and none where it begins.
    fn space(&mut self) {
        if !self.current.is_empty() && !self.current.ends_with(' ') {
            self.current.push(' ');
        }
    }

    fn push(&mut self, text: &str) {
        if self.current.is_empty() {
            self.first_line = self.line;
        }
        self.current.push_str(text);
        self.is_line_start = false;
    }

    /// A word, or a number: its separators are no quotation marks.
    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(character) = self.peek(0) {
            let is_number = word.starts_with(|first: char| first.is_ascii_digit());
            let is_inside = is_number && matches!(character, '\'' | '.');
            if !is_word(character) && !is_inside {
                break;
            }
            word.push(character);
            self.take();
        }
        word
    }

    fn sign(&mut self, sign: char) -> Option<()> {
        match sign {
            '{' => {
                if self.depth == 0 {
                    self.in_function = self.nesting == 0 && is_function(&self.current);
                    self.conditions_before = self.conditions.len();
                }
                self.depth += 1;
            }
            '}' => self.depth = self.depth.checked_sub(1)?,
            '(' | '[' if self.depth == 0 => self.nesting += 1,
            ')' | ']' if self.depth == 0 => self.nesting = self.nesting.checked_sub(1)?,
            _ => {}
        }
        self.push(&sign.to_string());
        self.take();
        if self.depth == 0 && sign == '}' && self.in_function {
            self.end_function()?;
        } else if self.depth == 0 && self.nesting == 0 && sign == ';' {
            self.end_declaration();
        }
        Some(())
    }

    fn end_function(&mut self) -> Option<()> {
        if self.conditions.len() != self.conditions_before {
            return None;
        }
        self.in_function = false;
        let text = std::mem::take(&mut self.current);
        let header = text.split('{').next().unwrap_or_default();
        self.pieces.functions.push(Piece {
            lines: self.first_line..=self.line,
            name: name(header),
            place: self.pieces.between.len(),
            text,
        });
        Some(())
    }

    fn end_declaration(&mut self) {
        let text = std::mem::take(&mut self.current).trim().to_owned();
        if !text.is_empty() {
            self.pieces.between.push(text);
        }
    }

    /// Comments mean nothing here.
    fn comment(&mut self) -> Option<()> {
        self.take();
        let is_block = self.take() == Some('*');
        let was_line_start = self.is_line_start;
        loop {
            match (self.peek(0), self.peek(1)) {
                (None, _) if is_block => return None,
                (None, _) => return Some(()),
                (Some('*'), Some('/')) if is_block => {
                    self.take();
                    self.take();
                    self.is_line_start = was_line_start || self.is_line_start;
                    return Some(());
                }
                (Some('\\'), Some('\n')) => {
                    self.take();
                    self.take();
                }
                (Some('\n'), _) if !is_block => return Some(()),
                _ => {
                    self.take();
                }
            }
        }
    }

    /// A string or a character, which ends on its line.
    fn literal(&mut self) -> Option<String> {
        let quote = self.take()?;
        let mut literal = String::from(quote);
        loop {
            let character = self.take()?;
            literal.push(character);
            match character {
                '\\' => literal.push(self.take()?),
                '\n' => return None,
                _ if character == quote => return Some(literal),
                _ => {}
            }
        }
    }

    /// A directive up to the end of its line.
    fn directive(&mut self) -> Option<()> {
        let mut text = String::new();
        loop {
            match (self.peek(0), self.peek(1)) {
                (None | Some('\n'), _) => break,
                (Some('\\'), Some('\n')) => {
                    self.take();
                    self.take();
                    text.push(' ');
                }
                (Some('/'), Some('/' | '*')) => {
                    self.comment()?;
                    text.push(' ');
                }
                (Some('"' | '\''), _) => text.push_str(&self.quoted_in_directive()),
                (Some(character), _) => {
                    text.push(character);
                    self.take();
                }
            }
        }
        self.is_line_start = false;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.conditional(&text)?;
        let word = text.trim_start_matches(['#', ' ']);
        let is_condition = ["if", "el", "endif"].iter().any(|start| word.starts_with(start));
        if self.depth > 0 || !self.current.trim().is_empty() {
            self.push(&format!("\n{text}\n"));
        }
        if self.depth == 0 || !is_condition {
            self.pieces.between.push(text);
        }
        Some(())
    }

    /// A literal in a directive; apostrophes in the text of `#error` stand alone.
    fn quoted_in_directive(&mut self) -> String {
        let (at, line) = (self.at, self.line);
        match self.literal() {
            Some(literal) => literal,
            None => {
                (self.at, self.line) = (at, line);
                self.take().map(String::from).unwrap_or_default()
            }
        }
    }

    /// Braces are balanced in each branch of a condition, or nothing is understood.
    fn conditional(&mut self, text: &str) -> Option<()> {
        let word = text.trim_start_matches(['#', ' ']);
        let begins = |start: &str| word.starts_with(start);
        if begins("if") {
            self.conditions.push(self.depth + self.nesting);
        } else if begins("el") {
            (*self.conditions.last()? == self.depth + self.nesting).then_some(())?;
        } else if begins("endif") {
            (self.conditions.pop()? == self.depth + self.nesting).then_some(())?;
        }
        Some(())
    }

    fn finish(mut self) -> Option<Pieces> {
        self.end_declaration();
        let is_whole = self.depth == 0 && self.nesting == 0 && self.conditions.is_empty();
        is_whole.then_some(self.pieces)
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// Words and signs outside of parentheses and brackets, with `()` for each pair of them.
fn outline(text: &str) -> Vec<String> {
    let mut outline: Vec<String> = Vec::new();
    let (mut depth, mut in_word) = (0_usize, false);
    for character in text.chars() {
        match character {
            '(' | '[' => {
                if depth == 0 {
                    outline.push("()".to_owned());
                }
                depth += 1;
                in_word = false;
            }
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 || character.is_whitespace() => in_word = false,
            _ if is_word(character) => {
                match outline.last_mut() {
                    Some(word) if in_word => word.push(character),
                    _ => outline.push(character.to_string()),
                }
                in_word = true;
            }
            _ => {
                outline.push(character.to_string());
                in_word = false;
            }
        }
    }
    outline
}

fn is_record(word: &str) -> bool {
    matches!(word, "struct" | "union" | "enum")
}

/// Do the braces behind this text hold a function's body? Where that is in doubt they do not.
fn is_function(header: &str) -> bool {
    let words = outline(header);
    let ends_in_parameters = header.trim_end().ends_with(')');
    if !ends_in_parameters || words.iter().any(|word| word == "=" || word == "typedef") {
        return false;
    }
    let Some(record) = words.iter().rposition(|word| is_record(word)) else {
        return true;
    };
    // `struct NAME function(...)`, but `struct MACRO(...)` and `struct NAME MACRO(...)` are not told apart
    // from each other unless a name follows the record's.
    let behind = &words[record + 1..];
    let has_tag = behind.first().is_some_and(|word| word.starts_with(is_word))
        && behind.get(1).is_some_and(|word| word != "()");
    let names = behind.iter().filter(|word| word.starts_with(is_word)).count();
    has_tag && names == 2 && behind.last().is_some_and(|word| word == "()") && !header.contains("__attribute")
}

/// The word before the last parameters.
fn name(header: &str) -> String {
    let words = outline(header);
    let before = words
        .windows(2)
        .find(|pair| pair[1] == "()" && pair[0].starts_with(is_word));
    before.map_or_else(|| header.trim().to_owned(), |pair| pair[0].clone())
}

/// May a declaration define a variable that other units see?
fn may_define_variable(item: &str) -> bool {
    let is_for_this_unit = [
        "#",
        "static ",
        "typedef ",
        "extern ",
        "_Static_assert",
        "static_assert",
    ];
    if is_for_this_unit.iter().any(|start| item.starts_with(start)) {
        return false;
    }
    let end = item.trim_end_matches([';', ' ']);
    let words = outline(end);
    let is_type_alone = end.ends_with('}') && words.first().is_some_and(|word| is_record(word));
    let is_forward = words.len() == 2 && is_record(&words[0]);
    let is_prototype = end.ends_with(')') && !words.iter().any(|word| word == "=");
    !(is_type_alone && !words.iter().any(|word| word == "=") || is_forward || is_prototype)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, functions: &[(&str, RangeInclusive<u32>)], between: &[&str]) {
        let pieces = Pieces::of(text).unwrap_or_else(|| panic!("{text} is not understood"));
        let found: Vec<_> = pieces
            .functions
            .iter()
            .map(|piece| (&*piece.name, piece.lines.clone()))
            .collect();
        assert_eq!(found, functions, "{text}");
        assert_eq!(pieces.between, between, "{text}");
    }

    #[test]
    fn functions_and_what_is_between() {
        check(
            "#include <a.h>\n\nint x = 1; /* { */\nstatic int f(int a)\n{\n    return '}' + a; // }\n}\n",
            &[("f", 4..=7)],
            &["#include <a.h>", "int x = 1;"],
        );
        check(
            "ISR(TIMER0_OVF_vect) {\n  n++;\n}\nint g(void);",
            &[("ISR", 1..=3)],
            &["int g(void);"],
        );
        check(
            "struct s { int a; } s = { 1 };",
            &[],
            &["struct s { int a; } s = { 1 };"],
        );
        check("struct s *f(struct s *p) { return p; }", &[("f", 1..=1)], &[]);
        check(
            "int t[] = { f(1) };\nint a = 1'000;",
            &[],
            &["int t[] = { f(1) };", "int a = 1'000;"],
        );
    }

    #[test]
    fn what_is_in_doubt_is_between() {
        for text in [
            "struct __attribute__((packed)) s { int a; };",
            "struct PACKED(1) ALIGN(2) { int a; };",
            "struct s __attribute__((packed)) { int a; };",
            "int t[2] = MADE(1) { 2 };",
            "int f(a) int a; { return a; }",
        ] {
            let pieces = Pieces::of(text).unwrap_or_else(|| panic!("{text}"));
            assert!(pieces.functions.is_empty(), "{text}: {:?}", pieces.functions);
        }
    }

    #[test]
    fn what_is_not_understood() {
        for text in [
            "int f(void) {",
            "int f(void) { } }",
            "#if A\nint f(void) {\n#else\nint f(int a) {\n#endif\n}",
            "int f(void) {\n#if A\n}\n#endif",
            "/* never ends",
            "char *s = \"never ends;\n",
        ] {
            assert_eq!(Pieces::of(text), None, "{text}");
        }
    }

    #[test]
    fn macros_inside_functions_are_between_too() {
        let text = "int f(void) {\n#define N 1\n#ifdef A\n  return N;\n#endif\n}";
        check(text, &[("f", 1..=6)], &["#define N 1"]);
    }

    #[test]
    fn variables_for_others() {
        let check = |item: &str, expected| assert_eq!(may_define_variable(item), expected, "{item}");
        check("int x;", true);
        check("const struct s table[] = { { 1 } };", true);
        check("struct s { int a; } s;", true);
        check("struct s { int a; };", false);
        check("struct s;", false);
        check("static int x = 1;", false);
        check("int f(void);", false);
        check("int (*handler)(void);", false);
        check("int (*handler)(void) = f;", true);
    }
}
