//! The commands of the simulator: names, arguments, help.

use crate::console::{Commands, count, number, policy_seed};

/// What environment and chip do where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// No interrupt that need not come; inputs and unknown bits are 0.
    Quiet,
    /// Anything, from this seed.
    Random(u64),
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Step(u64),
    Line,
    Run(u64),
    Until(String),
    Back(u64),
    Reset,
    Break(String),
    Breakpoints,
    Delete(usize),
    Print(String),
    Registers,
    Io(Option<String>),
    Variables,
    Stack,
    List,
    Disassemble,
    Choices,
    Choose(usize),
    Interrupt(String),
    Input(String, Option<u8>),
    Set(String, i64),
    Policy(Policy),
    Help,
    Quit,
}

/// Steps after which `run` gives up.
const RUN_LIMIT: u64 = 10_000_000;

const COMMANDS: Commands = Commands(&[
    (
        &["step", "s"],
        "[N]",
        "take N steps (1): instructions, or entries into handlers",
    ),
    (&["line", "l"], "", "go on until another source line is reached"),
    (
        &["run", "continue", "c"],
        "[N]",
        "go on until a breakpoint, a fault, or N steps (10,000,000)",
    ),
    (
        &["until", "u"],
        "EXPRESSION",
        "go on until a C expression is true: until PORTB == 3",
    ),
    (&["back", "b"], "[N]", "go back N steps (1)"),
    (
        &["reset"],
        "",
        "go back to reset; breakpoints and held inputs stay",
    ),
    (
        &["break"],
        "PLACE",
        "stop there: a function, FILE:LINE, or a byte address (0x1a4)",
    ),
    (&["breakpoints"], "", "list them"),
    (&["delete"], "NUMBER", "remove a breakpoint"),
    (
        &["print", "p"],
        "EXPRESSION",
        "show the value of a C expression over variables and registers",
    ),
    (
        &["registers", "r"],
        "",
        "show the registers, the status register, the stack pointer",
    ),
    (
        &["io", "i"],
        "[NAME]",
        "show one I/O register, or all that are not 0",
    ),
    (&["variables", "v"], "", "show the variables"),
    (&["stack"], "", "show what is on the stack"),
    (&["list"], "", "show the source around the next instruction"),
    (&["disassemble", "d"], "", "show the next instructions"),
    (&["choices"], "", "show what chip and environment can do next"),
    (&["choose"], "NUMBER", "let them do that"),
    (&["interrupt", "int"], "NAME", "let this interrupt come now"),
    (
        &["input", "in"],
        "REGISTER [VALUE]",
        "hold an input register at a value; without one, set it free",
    ),
    (&["set"], "NAME VALUE", "change a variable or register"),
    (
        &["policy"],
        "quiet | random [SEED]",
        "what happens where nothing is said; `quiet`: no interrupt, inputs are 0",
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
            "run" => Command::Run(count(RUN_LIMIT)?),
            "until" => Command::Until(rest.to_owned()),
            "back" => Command::Back(count(1)?),
            "reset" => Command::Reset,
            "break" => Command::Break(rest.to_owned()),
            "breakpoints" => Command::Breakpoints,
            "delete" => Command::Delete(index()?),
            "print" => Command::Print(rest.to_owned()),
            "registers" => Command::Registers,
            "io" => Command::Io((!rest.is_empty()).then(|| rest.to_owned())),
            "variables" => Command::Variables,
            "stack" => Command::Stack,
            "list" => Command::List,
            "disassemble" => Command::Disassemble,
            "choices" => Command::Choices,
            "choose" => Command::Choose(index()?),
            "interrupt" => Command::Interrupt(rest.to_owned()),
            "input" => input(rest)?,
            "set" => {
                let (name, value) = rest
                    .rsplit_once(char::is_whitespace)
                    .ok_or_else(|| "'set' needs a name and a value: set count 3".to_owned())?;
                let name = name.trim().trim_end_matches('=').trim();
                Command::Set(name.to_owned(), number(value)?)
            }
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

fn input(rest: &str) -> Result<Command, String> {
    let words: Vec<&str> = rest
        .split(|c: char| c.is_whitespace() || c == '=')
        .filter(|word| !word.is_empty())
        .collect();
    match words[..] {
        [register] => Ok(Command::Input(register.to_owned(), None)),
        [register, value] => {
            let value = number(value)?;
            let byte = u8::try_from(value).map_err(|_| format!("{value} is no value of a byte"))?;
            Ok(Command::Input(register.to_owned(), Some(byte)))
        }
        _ => Err("'input' needs a register and a value: input PIND 4".to_owned()),
    }
}

fn policy(rest: &str) -> Result<Policy, String> {
    match (rest, policy_seed(rest)) {
        (_, Some(seed)) => seed.map(Policy::Random),
        ("quiet", _) => Ok(Policy::Quiet),
        _ => Err("the policies are: quiet, random [SEED]".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, Policy};

    #[test]
    fn commands_are_read_and_mistakes_explained() {
        let read = |line: &str| Command::parse(line);
        assert_eq!(read("  # nothing"), Ok(None));
        assert_eq!(read("s"), Ok(Some(Command::Step(1))));
        assert_eq!(read("step 0x10"), Ok(Some(Command::Step(16))));
        assert_eq!(
            read("input PIND = 0b101"),
            Ok(Some(Command::Input("PIND".into(), Some(5))))
        );
        assert_eq!(read("set x -3"), Ok(Some(Command::Set("x".into(), -3))));
        assert_eq!(
            read("policy random 7"),
            Ok(Some(Command::Policy(Policy::Random(7))))
        );
        for (line, said) in [
            ("stpe", "did you mean 'step'"),
            ("step -1", "negative"),
            ("step x", "no number"),
            ("line 3", "takes no arguments"),
            ("break", "needs arguments"),
            ("input PIND 256", "no value of a byte"),
            ("policy loud", "quiet, random"),
        ] {
            let error = read(line).expect_err(line);
            assert!(error.contains(said), "{line}: {error}");
        }
    }
}
