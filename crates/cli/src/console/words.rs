//! Commands as words: spellings, arguments, help.

/// The commands of a simulator: the spellings of each, its arguments, what it does. Arguments in brackets may
/// be left out.
pub struct Commands(pub &'static [(&'static [&'static str], &'static str, &'static str)]);

impl Commands {
    /// The first spelling of a line's command, and its arguments; none for an empty line or a comment.
    pub fn read<'l>(&self, line: &'l str) -> Result<Option<(&'static str, &'l str)>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let Some((names, arguments, _)) = self.0.iter().find(|(names, ..)| names.contains(&word)) else {
            let all = self.0.iter().flat_map(|(names, ..)| names.iter().copied());
            let hint = kripke_check::hint(word, all);
            return Err(format!("there is no command '{word}'{hint} (`help` lists them)"));
        };
        if arguments.is_empty() && !rest.is_empty() {
            return Err(format!("'{}' takes no arguments", names[0]));
        }
        if rest.is_empty() && !arguments.is_empty() && !arguments.starts_with('[') {
            return Err(format!("'{0}' needs arguments: {0} {arguments}", names[0]));
        }
        Ok(Some((names[0], rest)))
    }

    /// The list of commands.
    pub fn help(&self) -> String {
        let lines = self.0.iter().map(|(names, arguments, does)| {
            let usage = format!("{} {arguments}", names.join(", "));
            format!("{usage:<34} {does}\n")
        });
        lines.collect()
    }
}

/// A number as C writes it, or in binary.
pub fn number(text: &str) -> Result<i64, String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let lower = digits.to_ascii_lowercase();
    let value = if let Some(hexadecimal) = lower.strip_prefix("0x") {
        i64::from_str_radix(hexadecimal, 16)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        i64::from_str_radix(binary, 2)
    } else {
        lower.parse()
    };
    value
        .map(|value| sign * value)
        .map_err(|_| format!("'{text}' is no number (12, 0x0c and 0b1100 are)"))
}

/// How often; so often where nothing is said.
pub fn count(text: &str, otherwise: u64) -> Result<u64, String> {
    match text {
        "" => Ok(otherwise),
        text => {
            let negative = |_| format!("'{text}' is negative");
            number(text).and_then(|value| u64::try_from(value).map_err(negative))
        }
    }
}

/// The seed of the policy `random [SEED]`; none where it is another policy.
pub fn policy_seed(text: &str) -> Option<Result<u64, String>> {
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["random"] => Some(Ok(1)),
        ["random", seed] => Some(number(seed).map(|seed| seed as u64)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMANDS: Commands = Commands(&[
        (&["step", "s"], "[N]", "take steps"),
        (&["line"], "", "go on"),
        (&["break"], "PLACE", "stop there"),
    ]);

    #[test]
    fn lines_are_read_and_mistakes_explained() {
        assert_eq!(COMMANDS.read("  # nothing"), Ok(None));
        assert_eq!(COMMANDS.read(" s  0x10 "), Ok(Some(("step", "0x10"))));
        for (line, said) in [
            ("stpe", "did you mean 'step'"),
            ("line 3", "takes no arguments"),
            ("break", "needs arguments: break PLACE"),
        ] {
            let error = COMMANDS.read(line).expect_err(line);
            assert!(error.contains(said), "{line}: {error}");
        }
        assert_eq!(COMMANDS.help().lines().count(), 3);
    }

    #[test]
    fn numbers_counts_and_seeds() {
        assert_eq!(number("-0b11"), Ok(-3));
        assert_eq!((count("", 4), count("0x10", 4)), (Ok(4), Ok(16)));
        assert!(count("-1", 4).expect_err("negative").contains("negative"));
        assert!(count("x", 4).expect_err("no number").contains("no number"));
        assert_eq!(policy_seed("random 7"), Some(Ok(7)));
        assert_eq!(policy_seed("quiet"), None);
    }
}
