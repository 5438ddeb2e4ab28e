//! Errors and warnings about a text, with the place and a remedy.

use std::fmt;
use std::ops::Range;

/// A text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// Where, in bytes of the input.
    pub span: Range<usize>,
    /// What to do about it.
    pub hint: Option<String>,
    /// The whole input, for the excerpt.
    pub input: String,
}

impl SyntaxError {
    pub(crate) fn new(input: &str, span: Range<usize>, message: impl Into<String>) -> Self {
        SyntaxError {
            message: message.into(),
            span,
            hint: None,
            input: input.to_string(),
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Line and column, both from 1; columns count characters.
    pub fn line_column(&self) -> (usize, usize) {
        let before = &self.input[..floor_boundary(&self.input, self.span.start)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.message)?;
        write!(f, "{}", excerpt(&self.input, &self.span))?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxError {}

/// Something about a formula that its author should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What.
    pub message: String,
    /// Where in the formula's text, in bytes, when it is about one place.
    pub span: Option<Range<usize>>,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The line that holds the span's start, with carets under the span.
fn excerpt(input: &str, span: &Range<usize>) -> String {
    let start = floor_boundary(input, span.start);
    let line_start = input[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = input[start..].find('\n').map_or(input.len(), |at| start + at);
    let line = &input[line_start..line_end];
    let pad: String = input[line_start..start]
        .chars()
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let end = floor_boundary(input, span.end.max(start)).min(line_end);
    let width = input[start..end.max(start)].chars().count().max(1);
    format!("  {line}\n  {pad}{}", "^".repeat(width))
}
