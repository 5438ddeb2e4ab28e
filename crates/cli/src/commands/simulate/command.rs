//! The commands with which a C program is stepped: names, arguments, help.

use crate::console::{Commands, count, policy_seed};

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

const COMMANDS: Commands = Commands(&[
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
]);

impl Command {
    /// Reads a line; none for an empty one or a comment.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let read = COMMANDS.read(line)?;
        read.map(|(name, rest)| Self::with(name, rest)).transpose()
    }

    fn with(name: &str, rest: &str) -> Result<Self, String> {
        let count = |otherwise| count(rest, otherwise);
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
        COMMANDS.help()
    }
}

fn policy(rest: &str) -> Result<Policy, String> {
    match (rest, policy_seed(rest)) {
        (_, Some(seed)) => seed.map(Policy::Random),
        ("ask", _) => Ok(Policy::Ask),
        ("quiet", _) => Ok(Policy::Quiet),
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
            ("step -1", "negative"),
            ("line 3", "takes no arguments"),
            ("break", "needs arguments"),
            ("policy loud", "ask, quiet, random"),
        ] {
            let error = read(line).expect_err(line);
            assert!(error.contains(said), "{line}: {error}");
        }
    }
}
