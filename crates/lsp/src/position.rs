//! Places of reports as ranges of the protocol.
//!
//! A report counts lines and columns from 1, columns in bytes, as clang does; the protocol counts from 0, and
//! in units of UTF-16.

use lsp_types::{Position, Range};

/// The word at a place, or its line where no column is known; without the text, a character.
pub fn range(text: Option<&str>, line: u32, column: u32) -> Range {
    let row = line.saturating_sub(1);
    let text = text.and_then(|text| text.lines().nth(row as usize));
    let at = |character| Position { line: row, character };
    let Some(text) = text else {
        let start = column.saturating_sub(1);
        return Range::new(at(start), at(start + 1));
    };
    let (start, end) = match column.checked_sub(1).map(|column| column as usize) {
        Some(start) if text.is_char_boundary(start) && start < text.len() => {
            (start, start + word(&text[start..]))
        }
        _ => (text.len() - text.trim_start().len(), text.len()),
    };
    Range::new(at(units(&text[..start])), at(units(&text[..end])))
}

/// How many bytes the word is long with which a text begins.
fn word(text: &str) -> usize {
    let is_other = |c: char| !c.is_alphanumeric() && c != '_';
    match text.find(is_other) {
        Some(0) | None => text.chars().next().map_or(0, char::len_utf8),
        Some(end) => end,
    }
}

fn units(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, line: u32, column: u32, expected: (u32, u32, u32)) {
        let range = range(Some(text), line, column);
        let found = (range.start.line, range.start.character, range.end.character);
        assert_eq!(found, expected, "{line}:{column} of {text:?}");
    }

    #[test]
    fn columns_are_bytes_and_become_units() {
        check("int count;\n  x[i] = 1;\n", 1, 5, (0, 4, 9));
        check("int count;\n  x[i] = 1;\n", 2, 4, (1, 3, 4));
        check("int count;\n  x[i] = 1;\n", 2, 0, (1, 2, 11));
        check("/* \u{e4}\u{1f600} */ x1 = 2;", 1, 14, (0, 10, 12));
        check("a", 1, 9, (0, 0, 1));
        check("a", 7, 3, (6, 2, 3));
    }
}
