//! The oracle's view of a program: instructions over six small variables.

/// How many variables there are: `x`, `y`, `a[0]`, `a[1]`, `s.f`, `s.g`.
pub const VARIABLES: usize = 6;

/// A value; all are below 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// A number.
    Constant(u8),
    /// Another variable.
    Copy(usize),
    /// `(v + 1) % 3`.
    Next(usize),
}

/// What a branch asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Anything.
    Free,
    /// Yes.
    Always,
    /// A variable has a value.
    Equal(usize, u8),
    /// The local `t` is not 0.
    Local,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Writes the variables at one time.
    Write(Vec<(usize, Term)>),
    /// Writes the first variable where `t` is 0, else the second.
    Choose([usize; 2], Term),
    /// `t` becomes 0 or 1.
    Draw,
    /// Goes on at the first place where the condition is true, else at the second.
    Branch(Condition, usize, usize),
    /// A loop is entered from outside.
    Enter(usize),
    /// Goes to the head of a loop, for another iteration.
    Again(usize, usize),
    /// Another iteration begins where the condition is true, else the place follows.
    Head(usize, Condition, usize),
    /// The program ends.
    End,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// The instructions, from 0 on.
    pub code: Vec<Instruction>,
    /// How many loops there are.
    pub loops: usize,
}

/// Where a run is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Configuration {
    pub place: usize,
    pub values: [u8; VARIABLES],
    pub local: u8,
    /// Iterations of each loop since it was entered; all 0 where nobody counts.
    pub counts: Vec<u32>,
}

/// What follows a configuration.
pub enum Step {
    /// The program has ended.
    Ended,
    /// The loop would go on past the bound.
    Cut,
    /// Goes on, and which variables were written.
    Goes(Configuration, Vec<usize>),
}

fn value(term: Term, values: &[u8; VARIABLES]) -> u8 {
    match term {
        Term::Constant(value) => value,
        Term::Copy(variable) => values[variable],
        Term::Next(variable) => (values[variable] + 1) % 3,
    }
}

fn outcomes(condition: Condition, at: &Configuration) -> Vec<bool> {
    match condition {
        Condition::Free => vec![true, false],
        Condition::Always => vec![true],
        Condition::Equal(variable, number) => vec![at.values[variable] == number],
        Condition::Local => vec![at.local != 0],
    }
}

impl Machine {
    /// Everything that can follow; `bound` is that of all loops.
    pub fn steps(&self, at: &Configuration, bound: Option<u32>) -> Vec<Step> {
        let go = |place: usize| Configuration { place, ..at.clone() };
        let quiet = |next: Configuration| vec![Step::Goes(next, Vec::new())];
        match &self.code[at.place] {
            Instruction::Write(writes) => {
                let mut next = go(at.place + 1);
                for (variable, term) in writes {
                    next.values[*variable] = value(*term, &at.values);
                }
                vec![Step::Goes(
                    next,
                    writes.iter().map(|(variable, _)| *variable).collect(),
                )]
            }
            Instruction::Choose(variables, term) => {
                let variable = variables[usize::from(at.local)];
                let mut next = go(at.place + 1);
                next.values[variable] = value(*term, &at.values);
                vec![Step::Goes(next, vec![variable])]
            }
            Instruction::Draw => (0..2)
                .map(|local| {
                    let next = Configuration {
                        local,
                        ..go(at.place + 1)
                    };
                    Step::Goes(next, Vec::new())
                })
                .collect(),
            Instruction::Branch(condition, yes, no) => outcomes(*condition, at)
                .into_iter()
                .map(|taken| Step::Goes(go(if taken { *yes } else { *no }), Vec::new()))
                .collect(),
            Instruction::Enter(of) => {
                let mut next = go(at.place + 1);
                if bound.is_some() {
                    next.counts[*of] = 0;
                }
                quiet(next)
            }
            Instruction::Again(of, head) => {
                let mut next = go(*head);
                if bound.is_some() {
                    next.counts[*of] += 1;
                }
                quiet(next)
            }
            Instruction::Head(of, condition, exit) => outcomes(*condition, at)
                .into_iter()
                .map(|taken| match (taken, bound) {
                    (true, Some(bound)) if at.counts[*of] >= bound => Step::Cut,
                    (true, _) => Step::Goes(go(at.place + 1), Vec::new()),
                    (false, _) => Step::Goes(go(*exit), Vec::new()),
                })
                .collect(),
            Instruction::End => vec![Step::Ended],
        }
    }

    /// Where runs begin.
    pub fn start(&self) -> Configuration {
        Configuration {
            counts: vec![0; self.loops],
            ..Configuration::default()
        }
    }
}
