//! Where a loop's statement begins.
//!
//! Idea: the compiler tells where an iteration starts: at the loop's condition, or where there is none at the
//! first statement of its body. Witnesses name a loop by its keyword, and that is the last one before.
//!
//! Invariant: words in comments, strings and character constants are none of the program's.

/// The line and column (from 1) of the last loop keyword that begins at or before a place of a C source;
/// `None` where there is none.
pub(super) fn keyword_before(source: &str, line: u32, column: u32) -> Option<(u32, u32)> {
    let mut found = None;
    let mut at = (1, 1);
    let mut rest = source;
    while !rest.is_empty() && at <= (line, column.max(1)) {
        let length = token(rest);
        let text = &rest[..length];
        if matches!(text, "for" | "while" | "do") {
            found = Some(at);
        }
        for character in text.chars() {
            at = match character {
                '\n' => (at.0 + 1, 1),
                other => (at.0, at.1 + other.len_utf8() as u32),
            };
        }
        rest = &rest[length..];
    }
    found
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
}
