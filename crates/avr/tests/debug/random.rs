//! Random programs: what stabs say of their types and variables is what DWARF says.

use std::fmt::Write as _;

use super::{compile, functions, random, variables};

const BASES: [&str; 14] = [
    "uint8_t",
    "int8_t",
    "uint16_t",
    "int16_t",
    "uint32_t",
    "int64_t",
    "char",
    "bool",
    "float",
    "__int24",
    "colour",
    "void *",
    "const char *",
    "unsigned",
];
/// Types of bit fields with their widths.
const BITS: [(&str, usize); 5] = [
    ("uint8_t", 8),
    ("uint16_t", 16),
    ("int", 16),
    ("bool", 1),
    ("colour", 5),
];
const OPTIONS: [&[&str]; 4] = [
    &["-O0"],
    &["-Os", "-fshort-enums", "-fpack-struct", "-funsigned-char"],
    &["-O2", "-fno-inline"],
    &["-Os", "-mrelax"],
];

/// A random program under construction.
struct Program {
    state: u64,
    /// Names given so far.
    names: usize,
    /// Types that can be used.
    types: Vec<String>,
}

impl Program {
    fn below(&mut self, bound: usize) -> usize {
        random(&mut self.state, bound)
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn any_type(&mut self) -> String {
        let index = self.below(self.types.len());
        self.types[index].clone()
    }

    /// A declaration of a name with a random type, perhaps an array or a pointer to a function.
    fn declaration(&mut self, name: &str) -> String {
        let type_ = self.any_type();
        let mut declared = name.to_owned();
        for _ in 0..self.below(3) {
            let length = 1 + self.below(4);
            write!(declared, "[{length}]").unwrap();
        }
        match self.below(8) {
            0 => format!("int (*{declared})(int)"),
            1 => format!("{type_} *{declared}"),
            _ => format!("{type_} {declared}"),
        }
    }

    fn record(&mut self, tag: &str, depth: usize) -> String {
        let kind = ["struct", "struct", "union"][self.below(3)];
        let mut text = format!("{kind} {tag} {{ ");
        for _ in 0..=self.below(5) {
            let name = self.fresh("field");
            let field = match self.below(8) {
                0 | 1 => {
                    let (type_, most) = BITS[self.below(BITS.len())];
                    format!("{type_} {name}:{}", 1 + self.below(most))
                }
                2 if depth < 2 => {
                    let inner = self.record("", depth + 1);
                    let name = [name.as_str(), ""][self.below(2)];
                    format!("{inner} {name}")
                }
                3 if !tag.is_empty() => format!("{kind} {tag} *{name}"),
                _ => self.declaration(&name),
            };
            text += &format!("{field}; ");
        }
        text + "}"
    }

    fn definition_of_types(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..2 + self.below(4) {
            let name = self.fresh("type");
            let (definition, type_) = match self.below(4) {
                0 => {
                    let record = self.record(&name, 0);
                    let kind = record.split(' ').next().unwrap().to_owned();
                    (format!("{record};"), format!("{kind} {name}"))
                }
                1 => {
                    let first = self.fresh("Value");
                    let second = self.fresh("Value");
                    let value = [-3, 4, 100][self.below(3)];
                    (
                        format!("enum {name} {{ {first} = {value}, {second} }};"),
                        format!("enum {name}"),
                    )
                }
                2 => (format!("typedef {};", self.declaration(&name)), name),
                _ => (format!("typedef {} {name};", self.record("", 0)), name),
            };
            writeln!(text, "{definition}").unwrap();
            self.types.push(type_);
        }
        text
    }

    fn header(&mut self, name: &str, includes: &str) -> String {
        let types = self.definition_of_types();
        format!(
            "#ifndef {name}\n#define {name}\n#include <stdint.h>\n#include \
             <stdbool.h>\n{includes}{types}#endif\n"
        )
    }

    fn unit(&mut self, includes: &str, function: &str) -> String {
        let shared = self.types.len();
        let mut text = format!("{includes}{}", self.definition_of_types());
        let mut kept = String::new();
        for _ in 0..10 {
            let name = self.fresh("global");
            let storage = ["", "volatile ", "static volatile "][self.below(3)];
            writeln!(text, "{storage}{};", self.declaration(&name)).unwrap();
            write!(kept, "(const void *)&{name}, ").unwrap();
        }
        let inner = self.fresh("inner");
        write!(
            text,
            "const void *volatile keep_{function}[] = {{ {kept} 0 }};
__attribute__((noinline, noclone)) static int {inner}(int a)
{{ static volatile int state; {{ static volatile char state; state += a; }} state += a; return state; }}
int {function}(int a) {{ return {inner}(a) + {inner}(a + 1); }}
"
        )
        .unwrap();
        self.types.truncate(shared);
        text
    }
}

#[test]
fn formats_agree_on_random_programs() {
    let mut compared = 0;
    for seed in 0..8 {
        let mut program = Program {
            state: 0x2545_F491_4F6C_DD1D ^ (seed << 7),
            names: 0,
            types: BASES.map(str::to_owned).to_vec(),
        };
        let colour = "typedef enum { Red, Green = 7, Blue } colour;\n";
        let first_header = program.header("FIRST", colour);
        let second_header = program.header("SECOND", "#include \"first.h\"\n");
        let both = [
            "#include \"first.h\"\n#include \"second.h\"\n",
            "#include \"second.h\"\n",
        ];
        let first = program.unit(both[0], "first");
        let second = program.unit(both[1], "second");
        let main = "int first(int), second(int);\nvolatile int in;\nint main(void) { for (;;) in = first(in) \
            + second(in); }\n";
        let sources = [
            ("first.h", first_header.as_str()),
            ("second.h", &second_header),
            ("first.c", &first),
            ("second.c", &second),
            ("main.c", main),
        ];
        let options = OPTIONS[seed as usize % OPTIONS.len()];
        let fixed = ["-w", "-std=gnu99", "-mmcu=atmega128"];
        let read = |format| compile(&sources, &[&fixed, options, &[format]].concat()).2;
        let (stabs, dwarf) = (read("-g"), read("-gdwarf-4"));
        let in_stabs = variables(&stabs);
        let in_dwarf = variables(&dwarf);
        let differing: Vec<_> = in_stabs.symmetric_difference(&in_dwarf).collect();
        assert!(
            differing.is_empty(),
            "{seed} {options:?}: {differing:#?}\n{sources:?}"
        );
        assert_eq!(functions(&stabs), functions(&dwarf), "{seed} {options:?}");
        for (name, value) in &dwarf.enumerators {
            assert_eq!(
                stabs.enumerators.get(name),
                Some(value),
                "{seed} {options:?} {name}"
            );
        }
        compared += in_stabs.len();
    }
    assert!(compared >= 8 * 27, "{compared}");
}
