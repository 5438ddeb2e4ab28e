//! Programs and files that are special in one way each.

use kripke_avr::debug::{DebugInfo, Type};

use super::{FORMATS, compile, compiled, render, type_of, variable};

#[test]
fn options_that_stabs_do_not_mention_are_respected() {
    // Sizes of enumerations and of pointers to all memories follow from variables and fields.
    let source = "
#include <stdint.h>
enum mode { OFF, ON } mode;
struct { enum mode first, second; enum mode several[3]; enum mode *far; } modes;
enum mode grid[2][3];
enum { WIDE = 300 } wide;
const __memx char *anywhere;
const __memx char *table[4];
struct { const __memx char *inner; uint8_t last; } record;
_Fract fraction; long _Accum accumulator; _Complex float complex;
char plain;
int main(void) { return 0; }
";
    let flags = [
        "-std=gnu99",
        "-fshort-enums",
        "-fpack-struct",
        "-funsigned-char",
        "-Os",
    ];
    for format in FORMATS {
        let (_directory, _, info) = compile(&[("a.c", source)], &[&flags[..], &[format]].concat());
        let mode =
            r#"Enum { name: Some("mode"), size: 1, signed: false, enumerators: [("OFF", 0), ("ON", 1)] }"#;
        let char = r#"Integer { name: "char", size: 1, signed: false }"#;
        let expected = [
            ("mode", mode.to_owned()),
            ("grid", format!("array 2 of array 3 of {mode}")),
            (
                "modes",
                format!(
                    "structure None 7 {{ first 0 None {mode}; second 1 None {mode}; several 2 None array 3 \
                     of \
                     {mode}; \
                     far 5 None pointer 2 to {mode}; }}"
                ),
            ),
            ("anywhere", format!("pointer 3 to {char}")),
            ("table", format!("array 4 of pointer 3 to {char}")),
            (
                "record",
                format!(
                    "structure None 4 {{ inner 0 None pointer 3 to {char}; last 3 None Integer {{ \
                     name: \"unsigned \
                     char\", size: 1, signed: false }}; }}"
                ),
            ),
            ("fraction", "Unknown { size: 2 }".to_owned()),
            ("accumulator", "Unknown { size: 8 }".to_owned()),
            ("complex", "Unknown { size: 8 }".to_owned()),
            ("plain", char.to_owned()),
        ];
        for (name, type_) in expected {
            assert_eq!(type_of(&info, name), type_, "{format}: {name}");
        }
        assert_eq!(info.size_of(variable(&info, "wide").type_), 2, "{format}");
    }
}

#[test]
fn functions_that_the_linker_drops_are_not_found() {
    let source = "
#include <avr/interrupt.h>
volatile unsigned char kept;
__attribute__((noinline)) void unused(void) { kept = 7; }
ISR(INT0_vect) { kept++; }
int main(void) { for (;;) kept++; }
";
    let flags = [
        "-Os",
        "-ffunction-sections",
        "-fdata-sections",
        "-Wl,--gc-sections",
    ];
    for format in FORMATS {
        let (_directory, _, info) = compile(&[("a.c", source)], &[&flags[..], &[format]].concat());
        assert!(
            info.functions.iter().all(|function| function.name != "unused"),
            "{format}"
        );
        assert_eq!(info.variables_named("kept").count(), 1, "{format}");
        // The interrupt vectors are at 0, and they are no source line of the function that would be there.
        assert_eq!(info.function_at(0), None, "{format}");
        assert_eq!(info.line_at(0), None, "{format}");
        let main = info
            .functions
            .iter()
            .find(|function| function.name == "main")
            .unwrap();
        assert_eq!(info.line_at(main.start).unwrap().1, 6, "{format}");
        assert_eq!(info.line_at(main.end), None, "{format}");
    }
}

#[test]
fn ambiguity_is_not_resolved_by_guessing() {
    // The checksums of the two versions of the header are equal, as is their name.
    let header = "
#ifdef SWAPPED
struct pair { char ba; int ab; };
#else
struct pair { char ab; int ba; };
#endif
";
    let first = "#include \"pair.h\"\nenum { SAME = 1, OTHER = 2 } one; struct pair first;\nint main(void) { \
        return one; }\n";
    let second =
        "#define SWAPPED\n#include \"pair.h\"\nenum { SAME = 1, OTHER = 3 } two; struct pair second;\n";
    let third = "#include \"pair.h\"\nstruct pair third;\n";
    for format in FORMATS {
        let sources = [
            ("pair.h", header),
            ("a.c", first),
            ("b.c", second),
            ("c.c", third),
        ];
        let (_directory, bytes, info) = compile(&sources, &[format, "-Os"]);
        assert!(type_of(&info, "first").contains("{ ab 0"), "{format}");
        assert!(type_of(&info, "second").contains("{ ba 0"), "{format}");
        let third = type_of(&info, "third");
        // Up to version 12 avr-gcc writes stabs for -g, since then DWARF.
        if bytes.windows(6).any(|window| window == b".stab\0") {
            assert_eq!(third, "Unknown { size: 3 }");
        } else {
            assert!(third.contains("{ ab 0"), "{third}");
        }
        assert_eq!(info.enumerators.get("SAME"), Some(&1), "{format}");
        assert_eq!(info.enumerators.get("OTHER"), None, "{format}");
    }
}

#[test]
fn each_unit_has_its_own_view_of_a_common_header() {
    // The linker keeps one copy of the header's types; what they refer to differs.
    let header = "typedef struct outer *link;\nstruct holder { link to; word number; };\n";
    let long = "typedef long word;\n";
    let character = "typedef char word;\n";
    let unit = |fields: &str, include: &str, rest: &str| {
        format!("struct outer {{ {fields} }};\n#include \"{include}\"\n#include \"common.h\"\n{rest}\n")
    };
    let first = unit(
        "long first;",
        "long.h",
        "struct holder a; int main(void) { return 0; }",
    );
    let second = unit("char second; int both;", "long.h", "struct holder b;");
    let third = unit("int third;", "character.h", "struct holder c;");
    for format in FORMATS {
        let sources = [
            ("common.h", header),
            ("long.h", long),
            ("character.h", character),
            ("a.c", &first),
            ("b.c", &second),
            ("c.c", &third),
        ];
        let (_directory, _, info) = compile(&sources, &[format]);
        for (name, field, size) in [("a", "first", 6), ("b", "second", 6), ("c", "third", 3)] {
            assert!(
                type_of(&info, name).contains(&format!("{{ {field} 0")),
                "{format}: {name}"
            );
            assert_eq!(
                info.size_of(variable(&info, name).type_),
                size,
                "{format}: {name}"
            );
        }
    }
}

#[test]
fn classes_are_read() {
    let source = "
class Base { public: int x; static int shared; virtual int f(int y) { return x + y; } private: char c; };
class Derived : public Base { public: int z; int g(); Derived() : z(3) {} };
int Base::shared = 4;
int Derived::g() { return z; }
enum class Small : unsigned char { U, W };
Derived object;
int &reference = object.x;
bool truth;
Small small;
int main() { return object.f(object.g()); }
";
    for format in FORMATS {
        let (_directory, _, info) = compile(&[("a.cpp", source)], &[format, "-std=gnu++11", "-Os"]);
        let Type::Record { size, fields, .. } = &info.types[variable(&info, "object").type_.0] else {
            panic!("{format}: {}", type_of(&info, "object"));
        };
        let int = r#"Integer { name: "int", size: 2, signed: true }"#;
        assert_eq!((*size, fields.len(), fields[1].offset), (7, 2, 5), "{format}");
        assert!(render(&info, fields[0].type_, 2).starts_with("structure Some(\"Base\") 5 {"));
        assert_eq!(type_of(&info, "reference"), format!("pointer 2 to {int}"));
        assert_eq!(type_of(&info, "truth"), "Boolean { size: 1 }");
        assert!(
            type_of(&info, "small").starts_with("Enum { name: Some(\"Small\"), size: 1"),
            "{format}"
        );
        assert_eq!(
            info.functions
                .iter()
                .filter(|function| function.name == "main")
                .count(),
            1
        );
    }
}

#[test]
fn assembly_files_have_lines() {
    let source = ".global main\nmain:\n  ldi r24, 1\n1:\n  rjmp 1b\n";
    for format in ["-g", "-Wa,--gstabs", "-gdwarf-4"] {
        let (directory, bytes, info) = compile(&[("a.S", source)], &[format]);
        let image = kripke_avr::elf::read(&bytes).unwrap();
        let main = image.symbol("main").unwrap().address;
        let lines = [main, main + 2].map(|address| info.line_at(address).map(|(_, line)| line));
        assert_eq!(lines, [Some(3), Some(5)], "{format}: {:?}", directory.path());
        assert!(info.line_at(main).unwrap().0.path.ends_with("a.S"), "{format}");
    }
}

#[test]
fn other_files_are_refused_and_plain_ones_are_empty() {
    let source = "int x; int main(void) { return x; }";
    let (_directory, bytes, info) = compile(&[("a.c", source)], &[]);
    assert!(info.functions.is_empty() && info.lines.is_empty() && info.variables_named("x").count() == 0);
    assert!(
        info.variables
            .iter()
            .all(|register| register.file.is_none() && register.address < 0x60)
    );
    let (_directory, _, info) = compile(&[("a.c", source)], &["-nostdlib"]);
    assert!(info.is_empty(), "{info:?}");
    assert_eq!(DebugInfo::read(b"").unwrap_err().section, "ELF header");
    let mut other = bytes.clone();
    other[18] = 40;
    assert!(
        DebugInfo::read(&other)
            .unwrap_err()
            .to_string()
            .contains("no executable for AVR")
    );
    // A type descriptor that does not exist, in the string of the first variable.
    let stabs = handwritten(&["x"], &["x:G(0,1)"]);
    let (_directory, bytes, _) = compile(&[("a.S", &stabs)], &[]);
    let place = bytes.windows(8).position(|window| window == b"x:G(0,1)").unwrap();
    let mut damaged = bytes.clone();
    damaged[place + 3] = b'!';
    let error = DebugInfo::read(&damaged).unwrap_err();
    assert_eq!(error.section, ".stab");
    assert!(
        error.offset > 0 && error.to_string().contains("descriptor '!'"),
        "{error}"
    );
    assert!(error.to_string().contains("-gdwarf-4"), "{error}");
}

/// An assembly file with global variables of two bytes, whose records of stabs are written by hand.
fn handwritten(names: &[&str], strings: &[&str]) -> String {
    let mut text = ".global main\n.text\nmain: ret\n.stabs \"hand.c\",100,0,0,0\n.data\n".to_owned();
    for name in names {
        text += &format!(".global {name}\n.type {name}, @object\n.size {name}, 2\n{name}: .word 0\n");
    }
    for string in strings {
        text += &format!(".stabs \"{string}\",32,0,0,0\n");
    }
    text
}

#[test]
fn cyclic_and_broken_types_end() {
    let names = [
        "itself", "endless", "there", "back", "list", "missing", "long", "nothing",
    ];
    let strings = [
        "itself:G(0,1)=(0,1)",
        "endless:G(0,2)=ar(0,2);0;1;(0,2)",
        "there:G(0,3)=(0,4)=(0,3)",
        "back:G(0,4)",
        "list:G(0,5)=s2next:(0,6)=*(0,5),0,16;;",
        "missing:G(0,99)",
        // A backslash at the end continues the string in the next record.
        "long:G(0,7)=s2first:(0,8)=\\\\",
        "r(0,8);0;255;,0,8;second:(0,8),8,8;;",
        "absent:G(0,8)",
        "nothing",
    ];
    let (_directory, _, info) = compile(&[("a.S", &handwritten(&names, &strings))], &[]);
    let unknown = "Unknown { size: 2 }";
    for name in ["itself", "there", "back", "missing"] {
        assert_eq!(type_of(&info, name), unknown, "{name}");
    }
    assert!(type_of(&info, "endless").starts_with("array 2 of array 2 of array 2 of"));
    assert_eq!(info.size_of(variable(&info, "endless").type_), 0);
    assert!(
        type_of(&info, "list").starts_with("structure None 2 { next 0 None pointer 2 to structure None 2 {")
    );
    let byte = r#"Integer { name: "uint8_t", size: 1, signed: false }"#;
    let long = format!("structure None 2 {{ first 0 None {byte}; second 1 None {byte}; }}");
    assert_eq!(type_of(&info, "long"), long);
    assert_eq!(
        info.variables_named("absent").count() + info.variables_named("nothing").count(),
        0
    );
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let deep = format!("x:G(0,1)={}(0,2)", "*".repeat(100_000));
    let broken = [
        (deep.as_str(), "nest too deep"),
        ("x:G(0,1)=s4a:(0,2),0", "',' is missing"),
        ("x:G(0,1)=s4a", "':' is missing"),
        ("x:G(0,1)=eA:1", "',' is missing"),
        ("x:G(0,1)=eA:,;", "a number is missing"),
        ("x:G(7,1)", "header is not included"),
        ("x:G", "a type is missing"),
        ("x:G(0,1)=ar(0,2);0;99999999999;(0,2)", "the array is too large"),
        ("x:G(0,99999999999)", "the number is too large"),
        ("x:G(0,1)=xq:", "a structure, union or enumeration"),
        ("x:!", "needs a letter or a type"),
    ];
    for (string, reason) in broken {
        let source = handwritten(&["x"], &[string]);
        let error = compiled(&[("a.S", &source)], &[]).2.unwrap_err();
        assert_eq!(error.section, ".stab", "{string}");
        assert!(error.to_string().contains(reason), "{error}");
        assert!(error.to_string().contains("-gdwarf-4"), "{error}");
        // The record after the header and the source file.
        assert_eq!(error.offset, 24, "{error}");
    }
}
