//! Random small programs with threads, for Kripke and for an enumeration of their schedules.
//!
//! Two threads beside the main one, three shared variables and a flag, two mutexes, a condition variable with
//! the first of them, and a semaphore. All that is shared is behind the macros of `plain.c` and `native.c`.
//! Some have a handler of an interrupt, and disable interrupts here and there.

use std::fmt::Write;

use kripke_logic::random::Random;

const SHARED: &str = "static unsigned char x, y, z, flag;\n";
const LOCALS: &str = "unsigned char u = 0, v = 0; (void)u; (void)v;\n";

/// A program: definitions that both compilations share.
pub struct Program {
    text: String,
}

impl Program {
    /// From the statements of the threads, of main between creating and joining them, and of its end.
    pub fn new(first: &str, second: &str, middle: &str, last: &str) -> Program {
        let join = "JOIN(0);\nJOIN(1);\n";
        Program::with_joins([first, second, middle, last], join, (0, 0, ""))
    }

    /// And from the semaphore's initial value, how often a handler may come, and what it does.
    fn with_joins(
        [first, second, middle, last]: [&str; 4],
        joins: &str,
        (initial, firings, handler): (usize, usize, &str),
    ) -> Program {
        let mut text = format!("#define INITIAL {initial}\n#define FIRINGS {firings}\n");
        let _ = writeln!(text, "HANDLER\n{{\n{LOCALS}{handler}}}");
        for (name, body) in [("first", first), ("second", second)] {
            let _ = writeln!(text, "THREAD({name})\n{{\n{LOCALS}{body}END;\n}}");
        }
        let _ = writeln!(
            text,
            "MAIN\n{{\n{LOCALS}BEGIN;\nCREATE(0, first);\nCREATE(1, second);\n\
             {middle}{joins}{last}END_OF_MAIN;\n}}"
        );
        Program { text }
    }

    /// With every schedule.
    pub fn for_gcc(&self) -> String {
        // The scheduler names what the program defines.
        let (threads, driver) = include_str!("native.c")
            .split_once("static void program(void);\n")
            .expect("the macros come before it");
        format!(
            "{SHARED}{threads}{}static void program(void);\n{driver}",
            self.text
        )
    }

    /// With the functions of POSIX.
    pub fn for_kripke(&self) -> String {
        format!("{SHARED}{}{}", include_str!("plain.c"), self.text)
    }
}

/// Writes the statements of a thread with the locals u and v.
struct Generator {
    random: Random,
    text: String,
    /// Steps that others can see, so far and at the most.
    steps: usize,
    most: usize,
    /// Which mutexes the thread holds here.
    held: [bool; 2],
    /// Interrupts are disabled now and then.
    masks: bool,
    /// The mutexes that guard y and z, if some do; then no thread tries to lock one.
    guards: [Option<usize>; 2],
}

impl Generator {
    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.random.below(from.len())]
    }

    fn line(&mut self, steps: usize, line: &str) {
        self.steps += steps;
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn statement(&mut self, depth: usize) {
        let place = self.pick(&["x", "y", "z"]);
        let local = self.pick(&["u", "v"]);
        let value = self.pick(&["u", "v", "u + 1", "u ^ v", "1", "2", "0"]);
        let kind = if self.steps >= self.most {
            20
        } else {
            self.random.below(16)
        };
        match kind {
            0 | 1 => self.guarded(place, 1, &format!("{local} = R({place});")),
            2 | 3 => self.guarded(place, 1, &format!("W({place}, {value});")),
            4 | 5 => self.guarded(place, 2, &format!("INCREMENT({place});")),
            6 => self.guarded(place, 1, &format!("ADD({place});")),
            14 | 15 if self.masks => self.masked_section(),
            7..=10 => self.critical_section(depth, kind == 10 && self.guards == [None; 2]),
            11 => {
                let condition = self.pick(&["u < 2", "v >= u", "u == 3", "v != 0 && u <= 1"]);
                let condition = if self.random.below(2) == 0 {
                    value
                } else {
                    condition
                };
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.block(depth);
                self.text.push_str("} else {\n");
                self.block(depth);
                self.text.push_str("}\n");
            }
            12 => {
                let number = self.random.below(4);
                let condition = self.pick(&["u !=", "v !=", "u + v !=", "u <=", "v <", "u - v >= -"]);
                self.line(0, &format!("__VERIFIER_assert({condition} {number});"));
            }
            _ => self.line(0, &format!("{local} = (unsigned char)({value});")),
        }
    }

    /// Accesses a variable, with the mutex that guards it, if one does; now and then without.
    fn guarded(&mut self, place: &str, steps: usize, line: &str) {
        let guard = match place {
            "y" => self.guards[0],
            "z" => self.guards[1],
            _ => None,
        };
        match guard.filter(|guard| !self.held[*guard]) {
            Some(guard) if self.random.below(16) > 0 => {
                self.line(
                    steps + 2,
                    &format!("{{\nLOCK({guard});\n{line}\nUNLOCK({guard});\n}}"),
                );
            }
            _ => self.line(steps, line),
        }
    }

    /// Locks a mutex, or tries to; now and then one that it holds.
    fn critical_section(&mut self, depth: usize, tries: bool) {
        let which = self.random.below(2);
        let held = self.held[which];
        if depth == 0 || held && self.random.below(8) > 0 {
            return;
        }
        self.held[which] = true;
        if tries && !held {
            self.line(1, &format!("if (TRY({which})) {{"));
        } else {
            self.line(1, &format!("{{\nLOCK({which});"));
        }
        self.block(depth - 1);
        self.line(1, &format!("UNLOCK({which});\n}}"));
        self.held[which] = held;
    }

    /// What is done where interrupts are disabled: nothing that waits.
    fn masked_section(&mut self) {
        self.line(1, "DISABLE();");
        for _ in 0..1 + self.random.below(2) {
            self.access();
        }
        self.line(1, "ENABLE();");
    }

    fn access(&mut self) {
        let place = self.pick(&["x", "y", "z"]);
        let value = self.pick(&["u", "v", "u + 1", "1", "2"]);
        match self.random.below(6) {
            0 | 1 => self.line(1, &format!("u = R({place});")),
            2 => self.line(1, &format!("v = R({place});")),
            3 => self.line(1, &format!("W({place}, {value});")),
            4 => self.line(2, &format!("INCREMENT({place});")),
            _ => self.line(1, &format!("ADD({place});")),
        }
    }

    /// The statements of a handler.
    fn handler(&mut self) -> String {
        self.text.clear();
        for _ in 0..1 + self.random.below(3) {
            self.access();
        }
        match self.random.below(4) {
            0 => self.line(1, "POST();"),
            1 => self.line(0, "__VERIFIER_assert(u + v != 3);"),
            _ => {}
        }
        std::mem::take(&mut self.text)
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth);
        }
    }

    /// The statements of a thread: random ones around what it does with the other threads.
    fn thread(&mut self, most: usize, meeting: &str) -> String {
        self.steps = meeting.matches('(').count();
        self.most = most;
        self.text.clear();
        self.block(2);
        self.text.push_str(meeting);
        self.block(2);
        std::mem::take(&mut self.text)
    }

    /// How two threads wait for each other, mostly in the right way.
    fn meeting(&mut self) -> [String; 2] {
        let signal = self.pick(&["SIGNAL();\n", "SIGNAL();\n", "BROADCAST();\n", ""]);
        let loops = self.pick(&["while", "while", "if"]);
        let waits = format!("LOCK(0);\n{loops} (!R(flag)) WAIT();\nu = R(flag);\nv = R(x);\nUNLOCK(0);\n");
        let assertion = self.pick(&["", "__VERIFIER_assert(u == 1);\n"]);
        let wakes = match self.random.below(3) {
            0 => format!("W(x, 1);\nLOCK(0);\nW(flag, 1);\n{signal}UNLOCK(0);\n"),
            1 => format!("LOCK(0);\nW(flag, 1);\nUNLOCK(0);\n{signal}"),
            _ => format!("LOCK(0);\nADD(x);\n{signal}W(flag, 1);\nUNLOCK(0);\n"),
        };
        match self.random.below(6) {
            0 | 1 => [waits + assertion, wakes],
            2 => [
                "TAKE();\n".to_owned(),
                self.pick(&["POST();\n", "POST();\n", ""]).to_owned(),
            ],
            3 => {
                let section = |place: &str| format!("TAKE();\nINCREMENT({place});\nPOST();\n");
                [section("x"), section("x")]
            }
            4 => [
                "LOCK(0);\nINCREMENT(x);\nUNLOCK(0);\n",
                "LOCK(0);\nINCREMENT(x);\nUNLOCK(0);\n",
            ]
            .map(str::to_owned),
            _ => [String::new(), String::new()],
        }
    }

    fn last(&mut self) -> String {
        let place = self.pick(&["x", "y", "z"]);
        let other = self.pick(&["x", "y", "z"]);
        let number = self.random.below(5);
        let assertion = match self.random.below(4) {
            0 => format!("u != {number}"),
            1 => format!("u <= {number}"),
            2 => format!("u <= v || u != {number}"),
            _ => format!("u + v != {number}"),
        };
        format!("u = R({place});\nv = R({other});\n__VERIFIER_assert({assertion});\n")
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    random_program(seed, 0)
}

/// The program of a seed, with a handler that may come so often.
pub fn program_with_handler(seed: u64, firings: usize) -> Program {
    random_program(seed, firings)
}

fn random_program(seed: u64, firings: usize) -> Program {
    let has_handler = firings > 0;
    let mut generator = Generator {
        masks: has_handler,
        random: Random::new(seed),
        text: String::new(),
        steps: 0,
        most: 0,
        held: [false; 2],
        guards: [None; 2],
    };
    if generator.random.below(2) == 0 {
        generator.guards = [0; 2].map(|_| Some(generator.random.below(2)));
    }
    let [mut one, mut other] = generator.meeting();
    if generator.random.below(2) == 0 {
        std::mem::swap(&mut one, &mut other);
    }
    let initial = generator.random.below(2);
    let most = if has_handler { 4 } else { 6 };
    let first = generator.thread(most, &one);
    let second = generator.thread(most, &other);
    let middle = match generator.random.below(3) {
        0 => generator.thread(3, ""),
        _ => String::new(),
    };
    let joins = match generator.random.below(6) {
        0 => "JOIN(1);\n",
        _ => "JOIN(0);\nJOIN(1);\n",
    };
    let last = generator.last();
    let handler = match has_handler {
        true => generator.handler(),
        false => String::new(),
    };
    let texts = [&*first, &second, &middle, &last];
    Program::with_joins(texts, joins, (initial, firings, &handler))
}
