//! The commands with which a C program is stepped: names, arguments, help.

/// What is taken where the program needs something from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The user is asked for values; the thread that runs goes on, and no handler comes by itself.
    Ask,
    /// The same, and values are 0.
    Quiet,
    /// Anything, from this seed.
    Random(u64),
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Step(u64),
    Line,
    Finish,
    Run(u64),
    Until(String),
    Back(u64),
    Reset,
    Break(String),
    Breakpoints,
    Delete(usize),
    Print(String),
    Variables,
    Stack,
    List,
    Input(String),
    Choices,
    Choose(usize),
    Interrupt(String),
    Thread(usize),
    Policy(Policy),
    Help,
    Quit,
}

/// Steps after which `run` gives up.
pub const RUN_LIMIT: u64 = 1_000_000;

/// Spellings, arguments, what it does.
const COMMANDS: [(&[&str], &str, &str); 22] = [
    (
        &["step", "s"],
        "[N]",
        "take N steps (1), as a counterexample shows them",
    ),
    (
        &["line", "l"],
        "",
        "go on to another line of this function, over calls, or of its caller",
    ),
    (
        &["finish", "f"],
        "",
        "go on until this call of the function has returned",
    ),
    (
        &["run", "continue", "c"],
        "[N]",
        "go on until a breakpoint, a violation, the end, or N steps (1,000,000)",
    ),
    (
        &["until", "u"],
        "EXPRESSION",
        "go on until a C expression is true: until count == 3",
    ),
    (&["back", "b"], "[N]", "go back N steps (1)"),
    (
        &["reset"],
        "",
        "go back to the start; breakpoints stay, values are forgotten",
    ),
    (
        &["break"],
        "PLACE",
        "stop at the first step there: a function, FILE:LINE or a line",
    ),
    (&["breakpoints"], "", "list them"),
    (&["delete"], "NUMBER", "remove a breakpoint"),
    (
        &["print", "p"],
        "EXPRESSION",
        "show the value of a C expression over variables, or a structure or array",
    ),
    (&["variables", "v"], "", "show the variables"),
    (&["stack"], "", "show the calls that are active"),
    (&["list"], "", "show the source around the last step"),
    (
        &["input", "in"],
        "[VALUE]",
        "give the value that is asked for, or take what is suggested",
    ),
    (
        &["choices"],
        "",
        "show what can be answered, or which threads and handlers there are",
    ),
    (&["choose"], "NUMBER", "let that happen"),
    (
        &["interrupt", "int"],
        "HANDLER",
        "go on until this handler comes, as soon as it can",
    ),
    (
        &["thread", "t"],
        "NUMBER",
        "go on until this thread does, as soon as it can",
    ),
    (
        &["policy"],
        "ask | quiet | random [SEED]",
        "who supplies values: you, zeros, chance (then threads and handlers, too)",
    ),
    (&["help", "h", "?"], "", "this list"),
    (&["quit", "q", "exit"], "", "end"),
];

impl Command {
    /// Reads a line; none for an empty one or a comment.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let Some((names, arguments, _)) = COMMANDS.iter().find(|(names, ..)| names.contains(&word)) else {
            let all = COMMANDS.iter().flat_map(|(names, ..)| names.iter().copied());
            let hint = kripke_check::hint(word, all);
            return Err(format!("there is no command '{word}'{hint} (`help` lists them)"));
        };
        if arguments.is_empty() && !rest.is_empty() {
            return Err(format!("'{}' takes no arguments", names[0]));
        }
        if rest.is_empty() && !arguments.is_empty() && !arguments.starts_with('[') {
            return Err(format!("'{0}' needs arguments: {0} {arguments}", names[0]));
        }
        Self::with(names[0], rest).map(Some)
    }

    fn with(name: &str, rest: &str) -> Result<Self, String> {
        let count = |otherwise: u64| match rest {
            "" => Ok(otherwise),
            text => text
                .parse::<u64>()
                .map_err(|_| format!("'{text}' is no number of this kind (0, 1, 2, …)")),
        };
        let index = || count(0).map(|value| usize::try_from(value).unwrap_or(usize::MAX));
        Ok(match name {
            "step" => Command::Step(count(1)?),
            "line" => Command::Line,
            "finish" => Command::Finish,
            "run" => Command::Run(count(RUN_LIMIT)?),
            "until" => Command::Until(rest.to_owned()),
            "back" => Command::Back(count(1)?),
            "reset" => Command::Reset,
            "break" => Command::Break(rest.to_owned()),
            "breakpoints" => Command::Breakpoints,
            "delete" => Command::Delete(index()?),
            "print" => Command::Print(rest.to_owned()),
            "variables" => Command::Variables,
            "stack" => Command::Stack,
            "list" => Command::List,
            "input" => Command::Input(rest.to_owned()),
            "choices" => Command::Choices,
            "choose" => Command::Choose(index()?),
            "interrupt" => Command::Interrupt(rest.to_owned()),
            "thread" => Command::Thread(index()?),
            "policy" => Command::Policy(policy(rest)?),
            "quit" => Command::Quit,
            _ => Command::Help,
        })
    }

    /// The list of commands.
    pub fn help() -> String {
        let lines = COMMANDS.iter().map(|(names, arguments, does)| {
            let usage = format!("{} {arguments}", names.join(", "));
            format!("{usage:<34} {does}\n")
        });
        lines.collect()
    }
}

fn policy(rest: &str) -> Result<Policy, String> {
    match rest.split_whitespace().collect::<Vec<_>>()[..] {
        ["ask"] => Ok(Policy::Ask),
        ["quiet"] => Ok(Policy::Quiet),
        ["random"] => Ok(Policy::Random(1)),
        ["random", seed] => seed
            .parse()
            .map(Policy::Random)
            .map_err(|_| format!("'{seed}' is no seed (0, 1, 2, …)")),
        _ => Err("the policies are: ask, quiet, random [SEED]".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, Policy};

    #[test]
    fn commands_are_read_and_mistakes_explained() {
        let read = |line: &str| Command::parse(line);
        assert_eq!(read("  # nothing"), Ok(None));
        assert_eq!(read("s 3"), Ok(Some(Command::Step(3))));
        assert_eq!(read("input"), Ok(Some(Command::Input(String::new()))));
        let random = Command::Policy(Policy::Random(7));
        assert_eq!(read("policy random 7"), Ok(Some(random)));
        for (line, said) in [
            ("stpe", "did you mean 'step'"),
            ("step -1", "no number"),
            ("line 3", "takes no arguments"),
            ("break", "needs arguments"),
            ("policy loud", "ask, quiet, random"),
        ] {
            let error = read(line).expect_err(line);
            assert!(error.contains(said), "{line}: {error}");
        }
    }
}
