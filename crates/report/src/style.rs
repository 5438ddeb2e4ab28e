//! Terminal colours: eight ANSI styles, or none at all.
//!
//! Invariant: with [`Style::plain`] no escape sequence is ever written, so that pipes, files and
//! `NO_COLOR` get clean text.

/// How to emphasise text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    coloured: bool,
}

impl Style {
    /// ANSI colours.
    pub fn coloured() -> Style {
        Style { coloured: true }
    }

    /// No escape sequences.
    pub fn plain() -> Style {
        Style { coloured: false }
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.coloured && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }

    /// A violation.
    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// A proof.
    pub fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// An open question.
    pub fn open(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// A heading.
    pub fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Line numbers and rules of an excerpt.
    pub fn frame(self, text: &str) -> String {
        self.paint("34", text)
    }

    /// A nondeterministic input.
    pub fn input(self, text: &str) -> String {
        self.paint("36", text)
    }

    /// What can be skipped in reading.
    pub fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }
}
