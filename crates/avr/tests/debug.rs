//! Debug information in stabs and in DWARF: each against the other, and both against what avr-nm and
//! avr-addr2line say of the same file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use kripke_avr::debug::{DebugError, DebugInfo, Function, Type, TypeId, Variable};

#[path = "debug/cases.rs"]
mod cases;
#[path = "debug/random.rs"]
mod random_programs;

const FORMATS: [&str; 3] = ["-g", "-gdwarf-2", "-gdwarf-4"];

const HEADER: &str = "
#include <stdint.h>
struct node { uint8_t value; struct node *next; int16_t weights[3]; };
typedef enum { RED, AMBER = 5, GREEN } colour;
enum negative { MINUS = -2, PLUS = 3, LARGE = 1000 };
struct bits { uint8_t a:3; uint8_t b:5; uint16_t c:10; signed int d:4; _Bool e:1; unsigned :2; colour f:3; };
union both { uint32_t word; uint8_t bytes[4]; struct { uint16_t low, high; } halves; };
typedef struct { colour shade; volatile union both b; union { int8_t q; char r; }; } anonymous;
struct opaque;
struct holder { struct opaque *inside; };
extern volatile uint8_t shared_byte;
extern struct node nodes[4];
int other(struct node *n);
";

const FIRST: &str = "
#include \"shared.h\"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdbool.h>
struct opaque { long only_in_the_first; };
volatile uint8_t shared_byte = 3;
struct node nodes[4];
struct node *head = &nodes[0];
struct node *const constant = &nodes[1];
static volatile colour shade = AMBER;
enum negative negative = MINUS;
struct bits bits = { 1, 2, 3, -1, 1, GREEN };
union both both;
anonymous anonymous_things[2];
struct holder holder;
float f = 1.5;
double d;
bool truth = true;
char text[] = \"hi\";
signed char sc; long long ll; unsigned long long ull; uint32_t u32; long l; unsigned u; __int24 i24; __uint24 u24;
int matrix[3][5];
int (*callback)(struct node *) = other;
int (*callbacks[2])(struct node *);
int (*row)[5] = &matrix[1];
void *nothing;
struct hidden *incomplete;
static uint16_t twin;
const volatile int16_t fixed = 4;
static const uint8_t table[] = { 4, 5, 6 };
const uint8_t in_flash[] PROGMEM = { 1, 2, 3 };
typedef uint8_t row_type[4];
row_type rows[2];
int bump(void)
{
    static int count;
    static uint8_t started = 1;
    static const char letters[] = \"abc\";
    {
        static long count;
        count++;
    }
    if (started)
        count++;
    return count + twin++ + letters[twin & 1] + table[twin & 1];
}
ISR(INT0_vect) { shared_byte++; }
int main(void)
{
    sei();
    for (;;) {
        PORTA = bump();
        callback(head);
        shade = GREEN;
        nodes[1].value = pgm_read_byte(&in_flash[PINA & 1]);
    }
}
";

const SECOND: &str = "
#include \"shared.h\"
struct opaque { char only_in_the_second[3]; };
static uint16_t twin = 9;
union both copy;
struct holder another;
enum local { NONE, SOME };
enum local choice;
static __attribute__((noinline)) int count(int by)
{
    static int count;
    return count += by;
}
int other(struct node *n)
{
    twin++;
    shared_byte += n->value;
    return n->weights[1] + twin + count(n->value);
}
";

fn run(program: &str, arguments: &[&str], directory: &Path) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("avr-gcc and its binutils are installed (scripts/install-packages test)");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

type Compiled<T> = (tempfile::TempDir, Vec<u8>, T);

/// The directory with `a.elf`, its bytes, and what reading its debug information gives.
fn compiled(sources: &[(&str, &str)], flags: &[&str]) -> Compiled<Result<DebugInfo, DebugError>> {
    let directory = tempfile::tempdir().unwrap();
    let mut arguments = vec!["-o", "a.elf"];
    arguments.extend(flags);
    if !flags.iter().any(|flag| flag.starts_with("-mmcu=")) {
        arguments.push("-mmcu=atmega16");
    }
    for (name, text) in sources {
        std::fs::write(directory.path().join(name), text).unwrap();
        arguments.extend((!name.ends_with(".h")).then_some(*name));
    }
    let program = if sources[0].0.ends_with("cpp") {
        "avr-g++"
    } else {
        "avr-gcc"
    };
    run(program, &arguments, directory.path());
    let bytes = std::fs::read(directory.path().join("a.elf")).unwrap();
    let info = DebugInfo::read(&bytes);
    (directory, bytes, info)
}

fn compile(sources: &[(&str, &str)], flags: &[&str]) -> Compiled<DebugInfo> {
    let (directory, bytes, info) = compiled(sources, flags);
    let info = info.unwrap_or_else(|error| panic!("{flags:?}: {error}"));
    (directory, bytes, info)
}

fn program(flags: &[&str]) -> Compiled<DebugInfo> {
    compile(&[("shared.h", HEADER), ("a.c", FIRST), ("b.c", SECOND)], flags)
}

/// A type in text, down to a depth.
fn render(info: &DebugInfo, id: TypeId, depth: usize) -> String {
    if depth == 0 {
        return "...".to_owned();
    }
    match &info.types[id.0] {
        Type::Pointer { size, target } => format!("pointer {size} to {}", render(info, *target, depth - 1)),
        Type::Array { element, count } => format!("array {count} of {}", render(info, *element, depth - 1)),
        Type::Record {
            name,
            size,
            is_union,
            fields,
        } => {
            let mut text = format!(
                "{} {name:?} {size} {{ ",
                if *is_union { "union" } else { "structure" }
            );
            for field in fields {
                let type_ = render(info, field.type_, depth - 1);
                write!(text, "{} {} {:?} {type_}; ", field.name, field.offset, field.bits).unwrap();
            }
            text + "}"
        }
        other => format!("{other:?}"),
    }
}

/// Variables in text, without those of the start-up object, the I/O registers.
fn variables(info: &DebugInfo) -> BTreeSet<String> {
    let of_program = info.variables.iter().filter(|variable| variable.file.is_some());
    of_program
        .map(|variable| {
            let Variable {
                name,
                address,
                type_,
                file,
                function,
                external,
            } = variable;
            let file = file.map(|file| &info.files[file].path);
            let type_ = render(info, *type_, 6);
            format!("{name} {address:#x} {file:?} {function:?} {external} {type_}")
        })
        .collect()
}

/// Functions in text.
fn functions(info: &DebugInfo) -> Vec<String> {
    let functions = info.functions.iter().map(|function| {
        let file = function.file.map(|file| &info.files[file].path);
        let Function {
            name,
            start,
            end,
            line,
            external,
            ..
        } = function;
        format!("{name} {start:#x} {end:#x} {file:?} {line:?} {external}")
    });
    functions.collect()
}

fn variable<'info>(info: &'info DebugInfo, name: &str) -> &'info Variable {
    let mut found = info.variables_named(name);
    let first = found.next().unwrap_or_else(|| panic!("{name} is missing"));
    assert_eq!(found.next(), None, "{name} is ambiguous");
    first
}

fn type_of(info: &DebugInfo, name: &str) -> String {
    render(info, variable(info, name).type_, 6)
}

#[test]
fn stabs_and_dwarf_say_the_same() {
    for level in ["-O0", "-Os"] {
        let infos: Vec<DebugInfo> = FORMATS.iter().map(|format| program(&[format, level]).2).collect();
        for (info, format) in infos.iter().zip(FORMATS).skip(1) {
            let (stabs, dwarf) = (variables(&infos[0]), variables(info));
            let differing: Vec<_> = stabs.symmetric_difference(&dwarf).collect();
            assert!(differing.is_empty(), "{format} {level}: {differing:#?}");
            assert_eq!(functions(info), functions(&infos[0]), "{format} {level}");
            assert_eq!(info.enumerators, infos[0].enumerators, "{format} {level}");
        }
        let enumerators = ["RED", "AMBER", "GREEN", "MINUS", "PLUS", "LARGE", "NONE", "SOME"];
        let values = [0, 5, 6, -2, 3, 1000, 0, 1];
        let expected: BTreeMap<String, i64> =
            enumerators.map(str::to_owned).into_iter().zip(values).collect();
        assert_eq!(infos[0].enumerators, expected);
    }
}

#[test]
fn addresses_and_sizes_are_those_of_nm() {
    for format in FORMATS {
        for level in ["-O0", "-Os"] {
            let (directory, _, info) = program(&[format, level]);
            let listing = run("avr-nm", &["-S", "a.elf"], directory.path());
            let (mut data, mut code) = (0, 0);
            for line in listing.lines() {
                let [address, size, letter, name] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                    continue;
                };
                let address = u32::from_str_radix(address, 16).unwrap();
                let size = u32::from_str_radix(size, 16).unwrap();
                // Static variables of functions get numbers.
                let name = name.split('.').next().unwrap();
                if "dDbB".contains(letter) {
                    let found: Vec<_> = info.variables_named(name).collect();
                    let found = found
                        .iter()
                        .find(|variable| variable.address + 0x80_0000 == address);
                    let found = found.unwrap_or_else(|| panic!("{format} {level}: {line}"));
                    assert_eq!(info.size_of(found.type_), size, "{format} {level}: {line}");
                    assert_eq!(found.external, letter.chars().all(char::is_uppercase), "{line}");
                    data += 1;
                }
                // The start-up code of the library has no debug information.
                if "tT".contains(letter) && name != "in_flash" && !name.starts_with("__do_") {
                    let function = info.function_at(address).unwrap_or_else(|| panic!("{line}"));
                    assert_eq!(
                        (function.name.as_str(), function.start),
                        (name, address),
                        "{line}"
                    );
                    assert_eq!(function.end, address + size, "{line}");
                    assert_eq!(info.function_at(address + size - 1), Some(function));
                    code += 1;
                }
            }
            let in_data = info
                .variables
                .iter()
                .filter(|variable| variable.file.is_some())
                .count();
            assert_eq!(data, in_data, "{format} {level}: {listing}");
            assert_eq!(code, info.functions.len(), "{format} {level}: {listing}");
            assert!(data >= 40, "{format} {level}: {listing}");
        }
    }
}

#[test]
fn types_are_those_of_the_source() {
    for format in FORMATS {
        let (_directory, _, info) = program(&[format, "-Os"]);
        let byte = r#"Integer { name: "unsigned char", size: 1, signed: false }"#;
        let int = r#"Integer { name: "int", size: 2, signed: true }"#;
        let unsigned = r#"Integer { name: "unsigned int", size: 2, signed: false }"#;
        let colour = r#"Enum { name: None, size: 2, signed: false, enumerators: [("RED", 0), ("AMBER", 5), ("GREEN", 6)] }"#;
        let expected = [
            ("shared_byte", byte.to_owned()),
            ("matrix", format!("array 3 of array 5 of {int}")),
            ("row", format!("pointer 2 to array 5 of {int}")),
            ("rows", format!("array 2 of array 4 of {byte}")),
            ("callbacks", "array 2 of pointer 2 to Function".to_owned()),
            ("nothing", "pointer 2 to Void".to_owned()),
            (
                "incomplete",
                r#"pointer 2 to structure Some("hidden") 0 { }"#.to_owned(),
            ),
            ("truth", "Boolean { size: 1 }".to_owned()),
            ("d", "Float { size: 4 }".to_owned()),
            ("shade", colour.to_owned()),
            (
                "i24",
                r#"Integer { name: "__int24", size: 3, signed: true }"#.to_owned(),
            ),
            (
                "text",
                r#"array 3 of Integer { name: "char", size: 1, signed: true }"#.to_owned(),
            ),
            (
                "bits",
                format!(
                    "structure Some(\"bits\") 4 {{ a 0 Some((0, 3)) {byte}; b 0 Some((3, 5)) {byte}; \
                     c 1 Some((0, 10)) {unsigned}; d 2 Some((2, 4)) {int}; e 2 Some((6, 1)) Boolean {{ size: \
                     1 }}; \
                     f 3 Some((1, 3)) {colour}; }}"
                ),
            ),
            (
                "copy",
                format!(
                    "union Some(\"both\") 4 {{ word 0 None Integer {{ name: \"long unsigned int\", size: 4, \
                     signed: \
                     false }}; bytes 0 None array 4 of {byte}; halves 0 None structure None 4 {{ low 0 None \
                     {unsigned}; high 2 None {unsigned}; }}; }}"
                ),
            ),
        ];
        for (name, type_) in expected {
            assert_eq!(type_of(&info, name), type_, "{format}: {name}");
        }
        // The units complete a structure of the shared header differently.
        assert!(type_of(&info, "holder").contains("only_in_the_first"), "{format}");
        assert!(
            type_of(&info, "another").contains("only_in_the_second"),
            "{format}"
        );
        let places: BTreeSet<_> = info
            .variables_named("count")
            .map(|variable| &variable.function)
            .collect();
        assert_eq!(
            places,
            [Some("bump".to_owned()), Some("count".to_owned())]
                .iter()
                .collect()
        );
        // The start-up object describes the I/O registers.
        assert_eq!(variable(&info, "PORTA").address, 0x3B, "{format}");
        assert_eq!(info.variables_named("in_flash").count(), 0, "{format}");
    }
}

/// The line that avr-addr2line gives for each instruction's address.
fn expected_lines(directory: &Path, addresses: &[u32]) -> Vec<Option<(PathBuf, u32)>> {
    let mut arguments = vec!["-e".to_owned(), "a.elf".to_owned()];
    arguments.extend(addresses.iter().map(|address| format!("{address:#x}")));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let listing = run("avr-addr2line", &arguments, directory);
    let lines = listing.lines().map(|line| {
        let (path, line) = line.split_once(':').unwrap();
        let line = line.split_whitespace().next().unwrap();
        let file = Path::new(path).file_name()?;
        Some((PathBuf::from(file), line.parse().ok()?))
    });
    lines.collect()
}

#[test]
fn lines_are_those_of_addr2line() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/avr");
    let mut programs = vec![vec![
        ("shared.h", HEADER.to_owned()),
        ("a.c", FIRST.to_owned()),
        ("b.c", SECOND.to_owned()),
    ]];
    for directory in std::fs::read_dir(examples).unwrap() {
        let directory = directory.unwrap().path();
        if !directory.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(directory).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|extension| extension == "c") {
                programs.push(vec![("a.c", std::fs::read_to_string(file).unwrap())]);
            }
        }
    }
    let (mut compared, mut unanswered) = (0, 0);
    for sources in programs {
        let sources: Vec<(&str, &str)> = sources
            .iter()
            .map(|(name, text)| (*name, text.as_str()))
            .collect();
        for level in ["-O0", "-Os"] {
            let mut from_dwarf: Vec<Option<(PathBuf, u32)>> = Vec::new();
            for format in ["-gdwarf-4", "-gdwarf-2", "-g"] {
                let (directory, _, info) = compile(&sources, &["-std=gnu99", format, level]);
                let functions = info.functions.iter();
                let addresses: Vec<u32> = functions
                    .flat_map(|function| (function.start..function.end).step_by(2))
                    .collect();
                let expected = expected_lines(directory.path(), &addresses);
                assert_eq!(expected.len(), addresses.len());
                for (index, (address, expected)) in addresses.iter().zip(&expected).enumerate() {
                    let found = info.line_at(*address);
                    let found =
                        found.map(|(file, line)| (PathBuf::from(file.path.file_name().unwrap()), line));
                    let context = format!("{} {format} {level} {address:#x}", sources[0].1);
                    // For some functions, avr-addr2line does not find lines in stabs; the code is the same.
                    if expected.is_some() || format != "-g" {
                        assert_eq!(found, *expected, "{context}");
                        compared += 1;
                    } else {
                        assert_eq!(found, from_dwarf[index], "{context}");
                        unanswered += 1;
                    }
                }
                from_dwarf = expected;
            }
        }
    }
    assert!(
        compared > 5000 && unanswered < compared / 20,
        "{compared} {unanswered}"
    );
}

/// Pseudo-random numbers below a bound.
fn random(state: &mut u64, bound: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state % bound as u64) as usize
}

/// The ranges of the file that hold the sections of debug information.
fn debug_sections(directory: &Path) -> Vec<std::ops::Range<usize>> {
    let listing = run("avr-objdump", &["-h", "a.elf"], directory);
    let sections = listing.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_debug =
            fields.len() == 7 && (fields[1].starts_with(".debug") || fields[1].starts_with(".stab"));
        let number = |field: &str| usize::from_str_radix(field, 16).unwrap();
        is_debug.then(|| number(fields[5])..number(fields[5]) + number(fields[2]))
    });
    sections.collect()
}

/// Asks everything of a result, so that an index out of range or an endless walk shows.
fn use_all(info: &DebugInfo) {
    for variable in &info.variables {
        assert!(!render(info, variable.type_, 4).is_empty());
        assert!(variable.file.is_none_or(|file| file < info.files.len()));
        assert!(
            info.variables_named(&variable.name)
                .any(|other| other == variable)
        );
    }
    for id in 0..info.types.len() {
        std::hint::black_box(info.size_of(TypeId(id)));
    }
    for line in &info.lines {
        assert_eq!(info.line_at(line.address).is_some(), line.line != 0);
    }
    for function in info
        .functions
        .iter()
        .filter(|function| function.start < function.end)
    {
        assert!(info.function_at(function.start).is_some(), "{function:?}");
    }
    assert!(info.lines.is_sorted_by(|a, b| a.address < b.address));
}

#[test]
fn any_bytes_give_a_result_or_an_error() {
    for format in FORMATS {
        let (directory, bytes, _) = program(&[format, "-Os"]);
        let sections = debug_sections(directory.path());
        assert!(sections.len() > 3, "{sections:?}");
        let mut state = 0x9E37_79B9_7F4A_7C15;
        let (mut refused, mut read) = (0, 0);
        for _ in 0..3000 {
            let mut mutated = bytes.clone();
            let section = &sections[random(&mut state, sections.len())];
            for _ in 0..=random(&mut state, 6) {
                let place = match random(&mut state, 8) {
                    0 => random(&mut state, 180),
                    1 => random(&mut state, bytes.len()),
                    _ => section.start + random(&mut state, section.len()),
                };
                mutated[place] = match random(&mut state, 3) {
                    0 => random(&mut state, 256) as u8,
                    1 => mutated[place] ^ (1 << random(&mut state, 8)),
                    // A byte from elsewhere in the section is likelier to mean something.
                    _ => bytes[section.start + random(&mut state, section.len())],
                };
            }
            if random(&mut state, 10) == 0 {
                mutated.truncate(random(&mut state, bytes.len()));
            }
            match DebugInfo::read(&mutated) {
                Ok(info) => {
                    use_all(&info);
                    read += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
        assert!(read > 300 && refused > 300, "{format}: {read} {refused}");
    }
}
