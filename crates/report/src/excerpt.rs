//! A source excerpt with a caret, in the manner of good compiler diagnostics.

use std::fmt::Write;

use kripke_model::Place;

use crate::{Sources, Style};

/// Spaces a tab stands for; carets must line up whatever the terminal makes of tabs.
const TAB: usize = 4;

/// The line of the place with one line before it, and a caret with `label` under the column. Nothing when
/// the source cannot be read.
pub fn excerpt(place: &Place, label: &str, sources: &Sources, style: Style) -> String {
    let mut out = String::new();
    let Some(text) = sources.line(&place.file, place.line) else {
        return out;
    };
    let width = place.line.to_string().len();
    let rule = style.frame("|");
    let bar = format!("{:width$} {rule}\n", "");
    out.push_str(&bar);
    if let Some(before) = place
        .line
        .checked_sub(1)
        .and_then(|line| sources.line(&place.file, line))
        && !before.trim().is_empty()
    {
        let number = style.frame(&format!("{:>width$}", place.line - 1));
        let _ = writeln!(out, "{number} {rule} {}", expand_tabs(&before));
    }
    let number = style.frame(&place.line.to_string());
    let _ = writeln!(out, "{number} {rule} {}", expand_tabs(&text));
    if place.column > 0 {
        let indent = caret_indent(&text, place.column as usize);
        let caret = style.bad(format!("^ {label}").trim_end());
        let _ = writeln!(out, "{:width$} {rule} {}{caret}", "", " ".repeat(indent));
    }
    out.push_str(&bar);
    out
}

/// The text with every tab replaced.
pub fn expand_tabs(text: &str) -> String {
    text.replace('\t', &" ".repeat(TAB))
}

/// Columns count bytes, as clang does; the caret goes under the character that holds that byte.
fn caret_indent(text: &str, column: usize) -> usize {
    text.char_indices()
        .take_while(|(byte, _)| *byte + 1 < column)
        .map(|(_, character)| if character == '\t' { TAB } else { 1 })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, line: u32, column: u32, expected: &str) {
        let sources = Sources::new("", |_| Some(source.to_string()));
        let place = Place {
            file: "a.c".into(),
            line,
            column,
            function: "f".into(),
        };
        assert_eq!(excerpt(&place, "here", &sources, Style::plain()), expected);
    }

    #[test]
    fn points_under_the_column() {
        check(
            "int f;\n  x = 1 / y;",
            2,
            9,
            "  |\n1 | int f;\n2 |   x = 1 / y;\n  |         ^ here\n  |\n",
        );
    }

    #[test]
    fn counts_tabs_and_wide_characters() {
        check(
            "\tx = 'é' / y;",
            1,
            11,
            "  |\n1 |     x = 'é' / y;\n  |             ^ here\n  |\n",
        );
    }

    #[test]
    fn says_nothing_without_source() {
        check("", 7, 1, "");
    }
}
