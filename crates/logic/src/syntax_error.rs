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
    /// An error at a place of the input, in bytes.
    pub fn new(input: &str, span: Range<usize>, message: impl Into<String>) -> Self {
        SyntaxError {
            message: message.into(),
            span,
            hint: None,
            input: input.to_string(),
        }
    }

    /// The same with a remedy.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
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

/// How many characters of a long line are shown on either side of the place.
const CONTEXT: usize = 60;

/// The line that holds the span's start, with carets under the span; of a long line, the part around it.
fn excerpt(input: &str, span: &Range<usize>) -> String {
    let start = floor_boundary(input, span.start);
    let line_start = input[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = input[start..].find('\n').map_or(input.len(), |at| start + at);
    let end = floor_boundary(input, span.end.max(start))
        .min(line_end)
        .max(start);
    let before: Vec<char> = input[line_start..start].chars().collect();
    let after: Vec<char> = input[start..line_end].chars().collect();
    let cut = before.len().saturating_sub(CONTEXT);
    let shown_before: String = before[cut..].iter().collect();
    let shown_after: String = after.iter().take(CONTEXT).collect();
    let (left, right) = (
        if cut > 0 { "…" } else { "" },
        if after.len() > CONTEXT { "…" } else { "" },
    );
    let pad: String = shown_before
        .chars()
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let pad = if cut > 0 { format!(" {pad}") } else { pad };
    let width = input[start..end].chars().count().clamp(1, CONTEXT);
    format!(
        "  {left}{shown_before}{shown_after}{right}\n  {pad}{}",
        "^".repeat(width)
    )
}
