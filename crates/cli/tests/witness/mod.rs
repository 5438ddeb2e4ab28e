//! Invariants of loops in correctness witnesses, and where they can be evaluated in the source.

/// What a witness says of a loop.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Of the loop's keyword, from 1.
    pub line: usize,
    pub column: usize,
    /// What holds when an iteration starts.
    pub condition: String,
}

/// The invariants of a witness.
pub fn invariants(witness: &str) -> Vec<Invariant> {
    let mut found = Vec::new();
    let mut place = (0, 0);
    for line in witness.lines() {
        let Some((key, value)) = line.trim_start().split_once(": ") else {
            continue;
        };
        match key {
            "line" => place.0 = value.parse().expect("a line"),
            "column" => place.1 = value.parse().expect("a column"),
            "value" => found.push(Invariant {
                line: place.0,
                column: place.1,
                condition: value.trim_matches('\'').replace("''", "'"),
            }),
            _ => {}
        }
    }
    found
}

/// Where in a source the body of an invariant's loop begins; none where no loop begins at its place.
pub fn body(source: &str, of: &Invariant) -> Option<usize> {
    let line_start: usize = source.split_inclusive('\n').take(of.line - 1).map(str::len).sum();
    let keyword = line_start + of.column - 1;
    let rest = source.get(keyword..)?;
    let word = ["for", "while", "do"]
        .into_iter()
        .find(|word| rest.starts_with(word))?;
    let mut depth = 0;
    let mut after = rest[word.len()..].char_indices();
    let (at, _) = after.find(|(_, character)| {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0 && *character != ')' && !character.is_whitespace()
    })?;
    Some(keyword + word.len() + at)
}
