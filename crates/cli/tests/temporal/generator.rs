//! Random C programs, with the machine code that means the same.

use std::fmt::Write;

use kripke_logic::random::Random;

use crate::machine::{Condition, Instruction, Machine, Term, VARIABLES};

/// An atom of formulas: its C text, the variables whose bytes it reads, and its meaning.
pub struct Atom {
    pub text: String,
    pub reads: Vec<usize>,
    pub holds: fn(&[u8; VARIABLES]) -> bool,
}

/// A program in both shapes.
pub struct Generated {
    pub text: String,
    pub machine: Machine,
    pub atoms: Vec<Atom>,
}

const NAMES: [&str; VARIABLES] = ["x", "y", "a[0]", "a[1]", "s.f", "s.g"];

const HEAD: &str = "#include <assert.h>
#include <stdlib.h>
#include <string.h>
_Bool __VERIFIER_nondet_bool(void);
enum { ONE = 1 };
struct pair { int f; int g; };
int x;
static int y;
int a[2];
struct pair s;
int quiet;
static void set(int *p, int v) { *p = v; }
static void set_member(struct pair *p, int v) { p->g = v; }
static int *either(int c) { return c ? &y : &x; }
";

fn atoms() -> Vec<Atom> {
    let atom = |text: &str, reads: &[usize], holds| Atom {
        text: text.to_string(),
        reads: reads.to_vec(),
        holds,
    };
    vec![
        atom("x == ONE", &[0], |v| v[0] == 1),
        atom("y", &[1], |v| v[1] != 0),
        atom("a[1] > a[0]", &[2, 3], |v| v[3] > v[2]),
        atom("s.g == 2", &[5], |v| v[5] == 2),
        atom("a[x & 1] == 1", &[0, 2, 3], |v| v[2 + usize::from(v[0] & 1)] == 1),
    ]
}

/// A program, with or without loops.
pub fn generate(random: &mut Random, loops: bool) -> Generated {
    let mut atoms = atoms();
    while atoms.len() > 3 {
        let which = random.below(atoms.len());
        atoms.remove(which);
    }
    let mut generator = Generator {
        random,
        loops,
        locals: 0,
        machine: Machine::default(),
    };
    let budget = 3 + generator.random.below(5);
    let body = generator.block(budget, 2, true);
    generator.machine.code.push(Instruction::End);
    let text = format!("{HEAD}int main(void) {{\n    int t = 0;\n{body}    return 0;\n}}\n");
    Generated {
        text,
        machine: generator.machine,
        atoms,
    }
}

struct Generator<'r> {
    random: &'r mut Random,
    loops: bool,
    locals: usize,
    machine: Machine,
}

impl Generator<'_> {
    fn emit(&mut self, instruction: Instruction) -> usize {
        self.machine.code.push(instruction);
        self.machine.code.len() - 1
    }

    fn here(&self) -> usize {
        self.machine.code.len()
    }

    fn block(&mut self, budget: usize, depth: usize, outermost: bool) -> String {
        let mut text = String::new();
        for _ in 0..budget {
            let statement = match self.random.below(12) {
                0..=1 if depth > 0 => self.conditional(depth),
                2..=3 if depth > 0 && self.loops => self.iteration(depth),
                4 if !outermost => self.end(),
                5 => self.assertion(),
                6 => self.draw(),
                _ => self.write(),
            };
            let _ = writeln!(text, "    {statement}");
        }
        text
    }

    fn condition(&mut self) -> (Condition, String) {
        match self.random.below(4) {
            0 => {
                let (variable, number) = (self.random.below(VARIABLES), self.random.below(3) as u8);
                let text = format!("{} == {number}", NAMES[variable]);
                (Condition::Equal(variable, number), text)
            }
            1 => (Condition::Local, "t".to_string()),
            _ => (Condition::Free, "__VERIFIER_nondet_bool()".to_string()),
        }
    }

    fn conditional(&mut self, depth: usize) -> String {
        let (condition, text) = self.condition();
        let branch = self.emit(Instruction::End);
        let (first, second) = (1 + self.random.below(2), self.random.below(2));
        let yes = self.block(first, depth - 1, false);
        let skip = self.emit(Instruction::End);
        let otherwise = self.here();
        let no = self.block(second, depth - 1, false);
        let after = self.here();
        self.machine.code[branch] = Instruction::Branch(condition, branch + 1, otherwise);
        self.machine.code[skip] = Instruction::Branch(Condition::Always, after, after);
        format!("if ({text}) {{\n{yes}    }} else {{\n{no}    }}")
    }

    fn iteration(&mut self, depth: usize) -> String {
        let (condition, text) = match self.random.below(3) {
            0 => (Condition::Always, "1".to_string()),
            _ => self.condition(),
        };
        let of = self.machine.loops;
        self.machine.loops += 1;
        self.emit(Instruction::Enter(of));
        let head = self.emit(Instruction::End);
        let length = 1 + self.random.below(3);
        let body = self.block(length, depth - 1, false);
        self.emit(Instruction::Again(of, head));
        self.machine.code[head] = Instruction::Head(of, condition, self.here());
        format!("while ({text}) {{\n{body}    }}")
    }

    fn end(&mut self) -> String {
        self.emit(Instruction::End);
        ["return 0;", "exit(1);", "_Exit(0);", "abort();"][self.random.below(4)].to_string()
    }

    fn assertion(&mut self) -> String {
        let (variable, number) = (self.random.below(VARIABLES), self.random.below(3) as u8);
        let branch = self.here();
        self.emit(Instruction::Branch(
            Condition::Equal(variable, number),
            branch + 1,
            branch + 2,
        ));
        self.emit(Instruction::End);
        format!("assert({} != {number});", NAMES[variable])
    }

    fn draw(&mut self) -> String {
        self.emit(Instruction::Draw);
        "t = __VERIFIER_nondet_bool();".to_string()
    }

    fn term(&mut self) -> (Term, String) {
        let variable = self.random.below(VARIABLES);
        match self.random.below(4) {
            0 => (Term::Copy(variable), NAMES[variable].to_string()),
            1 => (Term::Next(variable), format!("({} + 1) % 3", NAMES[variable])),
            _ => {
                let number = self.random.below(3) as u8;
                (Term::Constant(number), number.to_string())
            }
        }
    }

    /// A write, in one of the ways of C.
    fn write(&mut self) -> String {
        let (term, value) = self.term();
        let variable = self.random.below(VARIABLES);
        let name = NAMES[variable];
        self.locals += 1;
        let local = format!("v{}", self.locals);
        let (instruction, text) = match self.random.below(16) {
            0 => (Instruction::Choose([2, 3], term), format!("a[t] = {value};")),
            1 => (
                Instruction::Choose([0, 1], term),
                format!("*either(t) = {value};"),
            ),
            2 => (
                Instruction::Choose([0, 3], term),
                format!("int *{local} = t ? &a[1] : &x; *{local} = {value};"),
            ),
            3 => (
                Instruction::Write(vec![(5, term)]),
                format!("set_member(&s, {value});"),
            ),
            4 => (
                Instruction::Write(vec![(4, term), (5, Term::Constant(2))]),
                format!("struct pair {local} = {{{value}, 2}}; s = {local};"),
            ),
            5 => (
                Instruction::Write(vec![(2, Term::Constant(0)), (3, Term::Constant(0))]),
                "memset(a, 0, sizeof a);".to_string(),
            ),
            6 => (
                Instruction::Write(vec![(3, Term::Copy(2))]),
                "memmove(a + 1, a, sizeof *a);".to_string(),
            ),
            7 => (
                Instruction::Write(vec![(variable, term)]),
                format!("int {local} = {value}; memcpy(&{name}, &{local}, sizeof {local});"),
            ),
            8 => (
                Instruction::Write(vec![(variable, term)]),
                format!("*(unsigned char *)&{name} = {value};"),
            ),
            9 => (
                Instruction::Write(vec![(variable, term)]),
                format!("int *{local} = &{name}; int **{local}p = &{local}; **{local}p = {value};"),
            ),
            10 => (
                Instruction::Write(vec![(3, term)]),
                format!("struct pair *{local} = (struct pair *)a; {local}->g = {value};"),
            ),
            11 => (Instruction::Write(Vec::new()), format!("quiet = {value};")),
            12 | 13 => (
                Instruction::Write(vec![(variable, term)]),
                format!("set(&{name}, {value});"),
            ),
            _ => (
                Instruction::Write(vec![(variable, term)]),
                format!("{name} = {value};"),
            ),
        };
        self.emit(instruction);
        text
    }
}
