//! Finite and lasso-shaped traces, and the file format they are read from.
//!
//! A trace is letters separated by `;` or line ends. A letter lists its atoms, separated by `,`, `&` or `&&`;
//! an atom not named is false, and may be named with `!`; `-` is the letter in which none is true. The part
//! that repeats for ever stands in `cycle{…}`, or after a line that says `loop`. `#` starts a comment. Spot's
//! words (`a & !b; cycle{b}`) are such traces.
//!
//! ```text
//! # pressed, then charged for ever
//! pressed
//! -
//! loop
//! {charge > min}
//! ```

use crate::atom::Atoms;
use crate::label::Letter;
use crate::lexer::brace_length;
use crate::syntax_error::SyntaxError;

/// An infinite word: a stem, then a cycle for ever. The cycle is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// What comes once.
    pub stem: Vec<Letter>,
    /// What repeats.
    pub cycle: Vec<Letter>,
}

impl Lasso {
    /// The infinite extension of a finite trace by its last letter; `None` for the empty trace.
    pub fn stuttering(letters: &[Letter]) -> Option<Lasso> {
        let (&last, stem) = letters.split_last()?;
        Some(Lasso {
            stem: stem.to_vec(),
            cycle: vec![last],
        })
    }

    /// How many positions there are, stem and cycle together.
    #[allow(clippy::len_without_is_empty, reason = "a lasso is never empty")]
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// The letter at a position below [`Lasso::len`].
    pub fn letter(&self, position: usize) -> Letter {
        match position.checked_sub(self.stem.len()) {
            None => self.stem[position],
            Some(inside) => self.cycle[inside],
        }
    }

    /// The position that follows.
    pub fn successor(&self, position: usize) -> usize {
        if position + 1 == self.len() {
            self.stem.len()
        } else {
            position + 1
        }
    }

    /// Reads a trace that has a cycle.
    pub fn parse(text: &str, atoms: &Atoms) -> Result<Lasso, SyntaxError> {
        match parse(text, atoms)? {
            Trace::Lasso(lasso) => Ok(lasso),
            Trace::Finite(_) => {
                Err(
                    SyntaxError::new(text, text.len()..text.len(), "this trace has no cycle")
                        .with_hint("write cycle{…}, or a line `loop` before the part that repeats"),
                )
            }
        }
    }
}

/// A trace as a file gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trace {
    /// It ends.
    Finite(Vec<Letter>),
    /// It goes on for ever.
    Lasso(Lasso),
}

impl Trace {
    /// The letters once through, stem and cycle.
    pub fn letters(&self) -> Vec<Letter> {
        match self {
            Trace::Finite(letters) => letters.clone(),
            Trace::Lasso(lasso) => lasso.stem.iter().chain(&lasso.cycle).copied().collect(),
        }
    }
}

/// Reads a trace over the atoms of a formula.
pub fn parse(text: &str, atoms: &Atoms) -> Result<Trace, SyntaxError> {
    let mut reader = Reader {
        text,
        at: 0,
        atoms,
        letters: Vec::new(),
        loop_start: None,
        in_cycle: None,
        closed: false,
    };
    while reader.skip_space() {
        reader.item()?;
    }
    if let Some(open) = reader.in_cycle {
        return Err(SyntaxError::new(
            text,
            open..open + 1,
            "this cycle is never closed",
        ));
    }
    let letters = reader.letters;
    let error = |message: &str| Err(SyntaxError::new(text, text.len()..text.len(), message));
    match reader.loop_start {
        Some(start) if start == letters.len() => error("the part that repeats has no letter"),
        Some(start) => {
            let (stem, cycle) = letters.split_at(start);
            Ok(Trace::Lasso(Lasso {
                stem: stem.to_vec(),
                cycle: cycle.to_vec(),
            }))
        }
        None if letters.is_empty() => error("a trace has at least one letter"),
        None => Ok(Trace::Finite(letters)),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    atoms: &'a Atoms,
    letters: Vec<Letter>,
    loop_start: Option<usize>,
    in_cycle: Option<usize>,
    closed: bool,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Skips blank lines, separators and comments; whether anything is left.
    fn skip_space(&mut self) -> bool {
        loop {
            let rest = self.rest();
            self.at += rest.len()
                - rest
                    .trim_start_matches(|c: char| c.is_whitespace() || c == ';')
                    .len();
            if !self.rest().starts_with('#') {
                return !self.rest().is_empty();
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn error(&self, length: usize, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.text, self.at..self.at + length, message)
    }

    fn item(&mut self) -> Result<(), SyntaxError> {
        if self.closed {
            return Err(self.error(1, "nothing can follow a part that repeats for ever"));
        }
        if let Some(open) = self.keyword("cycle").or_else(|| self.keyword("loop")) {
            if self.loop_start.is_some() {
                return Err(self.error(4, "a second part that repeats"));
            }
            self.loop_start = Some(self.letters.len());
            self.at += open;
            if self.rest().trim_start_matches([' ', '\t']).starts_with('{') {
                let rest = self.rest();
                self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
                self.in_cycle = Some(self.at);
                self.at += 1;
            }
            return Ok(());
        }
        if self.in_cycle.is_some() && self.rest().starts_with('}') {
            self.in_cycle = None;
            self.closed = true;
            self.at += 1;
            return Ok(());
        }
        let letter = self.letter()?;
        self.letters.push(letter);
        Ok(())
    }

    /// The keyword's length, when it stands here alone.
    fn keyword(&self, word: &str) -> Option<usize> {
        let after = self.rest().strip_prefix(word)?.trim_start_matches([' ', '\t']);
        let alone = after.is_empty() || after.starts_with(['{', '\n', '\r', ';', ':', '#']);
        alone.then(|| word.len() + usize::from(self.rest()[word.len()..].starts_with(':')))
    }

    fn letter(&mut self) -> Result<Letter, SyntaxError> {
        let mut letter = Letter::default();
        loop {
            self.skip_blank();
            let mut positive = true;
            while self.rest().starts_with(['!', '¬']) {
                positive = !positive;
                self.at += if self.rest().starts_with('!') {
                    1
                } else {
                    '¬'.len_utf8()
                };
                self.skip_blank();
            }
            self.literal(positive, &mut letter)?;
            self.skip_blank();
            let rest = self.rest();
            match rest.chars().next() {
                Some(',' | '&' | '∧') => {
                    self.at += rest.len() - rest.trim_start_matches([',', '&', '∧']).len();
                }
                None | Some(';' | '\n' | '\r' | '#') => return Ok(letter),
                Some('}') if self.in_cycle.is_some() => return Ok(letter),
                Some(_) => {}
            }
        }
    }

    fn skip_blank(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    fn literal(&mut self, positive: bool, letter: &mut Letter) -> Result<(), SyntaxError> {
        let (text, length) = self.atom_text()?;
        match text.as_str() {
            "-" | "1" | "true" if positive => {}
            _ => {
                let Some(atom) = self.atoms.find(&text) else {
                    let known: Vec<String> = self
                        .atoms
                        .iter()
                        .map(|(_, a)| format!("{{{}}}", a.text))
                        .collect();
                    return Err(self
                        .error(length, format!("`{text}` is no atom of the formula"))
                        .with_hint(format!(
                            "its atoms are {}; a letter with none true is -",
                            known.join(" ")
                        )));
                };
                *letter = letter.with(atom, positive);
            }
        }
        self.at += length;
        Ok(())
    }

    fn atom_text(&self) -> Result<(String, usize), SyntaxError> {
        let rest = self.rest();
        if rest.starts_with('{') {
            let length = brace_length(rest).ok_or_else(|| self.error(1, "this brace is never closed"))?;
            return Ok((rest[1..length - 1].trim().to_string(), length));
        }
        if let Some(inner) = rest.strip_prefix('"') {
            let end = inner
                .find('"')
                .ok_or_else(|| self.error(1, "this quote is never closed"))?;
            return Ok((inner[..end].trim().to_string(), end + 2));
        }
        let length = rest
            .find([' ', '\t', ',', '&', ';', '\n', '\r', '}', '#', '!'])
            .unwrap_or(rest.len());
        if length == 0 {
            return Err(self
                .error(1, "expected an atom")
                .with_hint("a letter with no atom true is -"));
        }
        Ok((rest[..length].to_string(), length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let atoms = Atoms::from_names(["p", "q", "x > 1"]).unwrap();
        let shown = match parse(text, &atoms) {
            Ok(Trace::Finite(letters)) => format!("{:?}", letters.iter().map(|l| l.0).collect::<Vec<_>>()),
            Ok(Trace::Lasso(lasso)) => format!(
                "{:?}{:?}",
                lasso.stem.iter().map(|l| l.0).collect::<Vec<_>>(),
                lasso.cycle.iter().map(|l| l.0).collect::<Vec<_>>()
            ),
            Err(error) => error.message,
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn traces_are_read() {
        check("p; q, !p\n-  # nothing\n{x > 1} & q", "[1, 2, 0, 6]");
        check("p; cycle{q; -}", "[1][2, 0]");
        check("# comment\np\nloop\nq\n\"x > 1\"\n", "[1][2, 4]");
        check("cycle{ {x > 1}, p }", "[][5]");
    }

    #[test]
    fn bad_traces_are_refused() {
        check("", "a trace has at least one letter");
        check("r", "`r` is no atom of the formula");
        check("p; cycle{q", "this cycle is never closed");
        check("p\nloop\n", "the part that repeats has no letter");
        check("cycle{p}; q", "nothing can follow a part that repeats for ever");
    }
}
