//! Texts inside graphs for Graphviz.

/// What stands between double quotes for this text: one line.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

/// A text between double quotes; the lines of a longer one stand to the left.
#[must_use]
pub fn quoted(text: &str) -> String {
    let escaped = text.split('\n').map(escaped).collect::<Vec<_>>().join("\\l");
    format!("\"{escaped}{}\"", if text.contains('\n') { "\\l" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::{escaped, quoted};

    #[test]
    fn texts_stay_what_they_are() {
        assert_eq!(escaped("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
        assert_eq!(quoted("one"), "\"one\"");
        assert_eq!(quoted("one\ntwo"), "\"one\\ltwo\\l\"");
    }
}
