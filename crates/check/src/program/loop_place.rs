//! Where a loop's statement begins.
//!
//! Idea: the compiler tells where an iteration starts: at the loop's condition, or where there is none at the
//! first statement of its body. Witnesses name a loop by its keyword, and that is the last one before. Where
//! the first statement is a loop itself, its keyword is not meant: that loop's iterations start behind it.
//!
//! Invariant: words in comments, strings and character constants are none of the program's.

/// The line and column (from 1) of the keyword of the loop whose iterations start at a place of a C source;
/// `None` where there is none.
pub(super) fn keyword_before(source: &str, line: u32, column: u32) -> Option<(u32, u32)> {
    let place = (line, column.max(1));
    let mut tokens: Vec<(&str, (u32, u32))> = Vec::new();
    let mut at = (1, 1);
    let mut rest = source;
    while !rest.is_empty() && at <= place {
        let (text, after) = rest.split_at(token(rest));
        tokens.push((text, at));
        for character in text.chars() {
            at = match character {
                '\n' => (at.0 + 1, 1),
                other => (at.0, at.1 + other.len_utf8() as u32),
            };
        }
        rest = after;
    }
    let is_keyword = |token: &(&str, (u32, u32))| matches!(token.0, "for" | "while" | "do");
    let mut found = tokens.iter().rposition(is_keyword)?;
    while comes_before_its_iterations(&tokens[found..], place) {
        let around = tokens[..found].iter().rposition(is_keyword);
        match around.filter(|around| is_first_in_body(&tokens[*around..found])) {
            Some(around) => found = around,
            None => break,
        }
    }
    Some(tokens[found].1)
}

/// Is a place at the keyword with which these tokens begin, or in what a `for` loop does once?
fn comes_before_its_iterations(tokens: &[(&str, (u32, u32))], place: (u32, u32)) -> bool {
    match tokens {
        [(_, at), ..] if *at == place => true,
        [("for", _), after @ ..] => !after.iter().any(|(text, at)| *text == ";" && *at < place),
        _ => false,
    }
}

/// Does the body of the loop with whose keyword these tokens begin have nothing in it up to their end?
fn is_first_in_body(tokens: &[(&str, (u32, u32))]) -> bool {
    let mut depth = 0;
    tokens[1..].iter().all(|(text, _)| {
        depth += i32::from(*text == "(") - i32::from(*text == ")");
        let is_nothing = text.trim().is_empty() || text.starts_with("//") || text.starts_with("/*");
        depth > 0 || matches!(*text, ")" | "{") || is_nothing
    })
}

/// The length of the first token: a word, a comment, a quoted text, or a single character.
fn token(text: &str) -> usize {
    let first = text.chars().next().unwrap_or(' ');
    match first {
        'a'..='z' | 'A'..='Z' | '_' | '0'..='9' => text
            .find(|character: char| !character.is_ascii_alphanumeric() && character != '_')
            .unwrap_or(text.len()),
        '/' if text.starts_with("//") => text.find('\n').unwrap_or(text.len()),
        '/' if text.starts_with("/*") => text[2..].find("*/").map_or(text.len(), |end| end + 4),
        '"' | '\'' => quoted(text, first),
        other => other.len_utf8(),
    }
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, character) in text.char_indices().skip(1) {
        match character {
            '\n' => return index,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            other if other == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyword_before_a_place() {
        let source = "int f(void) {\n    for (;;) { // while\n        x++; \"do \\\" while\";\n    }\n}\n";
        assert_eq!(keyword_before(source, 3, 9), Some((2, 5)));
        assert_eq!(keyword_before(source, 2, 4), None);
        assert_eq!(
            keyword_before("do {\n /* for */ y; } while (y);", 2, 12),
            Some((1, 1))
        );
        assert_eq!(
            keyword_before("void format(int form) { form = 'f'; }", 1, 30),
            None
        );
        assert_eq!(keyword_before("é while (1) a();", 1, 14), Some((1, 4)));
    }

    #[test]
    fn a_loop_that_is_the_first_statement_of_another_is_not_meant() {
        let source = "for (;;) { /* first */\nfor (int i = 0; i < n; i++)\nwhile (x) y(); }\n";
        assert_eq!(keyword_before(source, 2, 1), Some((1, 1)));
        assert_eq!(keyword_before(source, 2, 10), Some((1, 1)));
        assert_eq!(keyword_before(source, 2, 17), Some((2, 1)));
        assert_eq!(keyword_before(source, 3, 1), Some((2, 1)));
        assert_eq!(keyword_before(source, 3, 8), Some((3, 1)));
        assert_eq!(keyword_before("while (a) b(); for (;;) {}", 1, 16), Some((1, 16)));
    }
}
