//! Texts inside graphs for Graphviz.

/// A text between double quotes; the lines of a longer one stand to the left.
pub fn quoted(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\l");
    format!("\"{escaped}{}\"", if text.contains('\n') { "\\l" } else { "" })
}
