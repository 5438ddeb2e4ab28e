//! `kripke analyze`: what it finds, what it says where it cannot tell, JSON, bad input.

mod common;

use common::{compile, kripke, text};

/// Runs `kripke analyze a.elf` and looks at the exit code and at what is said.
fn check(source: &str, options: &[&str], code: i32, said: &[&str]) {
    let folder = compile(source, &["-g"]);
    let arguments = [&["analyze", "a.elf"][..], options].concat();
    let output = kripke(&arguments, folder.path());
    let all = text(&output);
    assert_eq!(output.status.code(), Some(code), "{options:?}: {all}");
    for said in said {
        assert!(all.contains(said), "{options:?}: expected `{said}` in\n{all}");
    }
}

const PROGRAM: &str = "#include <avr/io.h>
#include <avr/interrupt.h>
unsigned char kept, unread;
__attribute__((used)) int never(int x) { return x + 1; }
register unsigned char ticks asm(\"r2\");
ISR(INT0_vect) { ticks++; }
int main(void) {
    EEARH = 0x80; /* only the lowest bit is no reserved one */
    sei();
    for (;;) {
        kept = PINA;
        unread = 3;
        PORTB = kept;
        __asm__ volatile(\"ldi r20, 7\\n ldi r20, 9\\n out 0x18, r20\" ::: \"r20\");
    }
}
";

#[test]
fn the_summary_names_what_is_odd() {
    let said = [
        "INT0: __vector_1 uses r2",
        "changes r2",
        "ldi r20, 0x07: the result is not used",
        "unread is not read before it is written again",
        "writes reserved bits 0x80 of EEARH",
        "unreached     never",
    ];
    check(PROGRAM, &[], 0, &said);
}

#[test]
fn columns_stand_beside_the_instructions() {
    let said = [
        "live before",
        "r20=0x09 from",
        "(dead)",
        "interrupts",
        "on ",
        "goes to",
        "(jump)",
    ];
    let options = ["--show", "live,stack,interrupts", "--show", "definitions,cfg"];
    check(PROGRAM, &options, 0, &said);
    check(PROGRAM, &["--show", "live", "--function", "main"], 0, &["main:"]);
}

#[test]
fn where_control_goes_is_not_known() {
    let source = "#include <alloca.h>
volatile int n; int main(void) { char *at = alloca(n); at[0] = 1; n = at[n]; return 0; }
";
    check(
        source,
        &[],
        0,
        &["everything is taken to be live: where control goes is not known at"],
    );
    check(source, &["--show", "live"], 0, &["everything"]);
}

#[test]
fn bad_input_is_refused() {
    check(
        PROGRAM,
        &["--function", "mian"],
        3,
        &["there is no function 'mian'", "main"],
    );
    check(
        PROGRAM,
        &["--function", "never"],
        3,
        &["'never' is never reached"],
    );
    check(PROGRAM, &["--show", "lives"], 3, &["live"]);
    check(
        PROGRAM,
        &["--json", "nowhere/a.json"],
        3,
        &["there is no directory nowhere"],
    );
}

#[test]
fn json_has_the_documented_fields() {
    let folder = compile(PROGRAM, &["-g"]);
    let arguments = [
        "analyze",
        "a.elf",
        "--json",
        "-",
        "--show",
        "live,stack,interrupts,definitions,cfg",
    ];
    let output = kripke(&arguments, folder.path());
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let documented = include_str!("../../../docs/json.md");
    let documented = documented.split("## Static analyses").nth(1).expect("a section");
    let names = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().expect("an object").keys().cloned().collect()
    };
    let functions = value["functions"].as_array().expect("functions");
    let main = functions
        .iter()
        .find(|function| function["name"] == "main")
        .expect("main");
    let instructions = main["instructions"].as_array().expect("instructions");
    let out = instructions
        .iter()
        .find(|instruction| instruction["text"] == "out 0x18, r20")
        .expect("the instruction");
    assert_eq!(out["reads"][0]["value"], 9);
    assert_eq!(out["interrupts"], "on");
    assert!(
        out["live"]["registers"]
            .as_array()
            .expect("registers")
            .contains(&20.into())
    );
    assert_eq!(value["handlers"][0]["uses"], serde_json::json!([2]));
    assert_eq!(value["unreached"]["functions"], serde_json::json!(["never"]));
    let all = [
        names(&value),
        names(main),
        names(&value["handlers"][0]),
        names(out),
        names(&out["live"]),
    ];
    for name in all.concat() {
        assert!(
            documented.contains(&format!("`{name}`")),
            "{name} is not documented"
        );
    }
}
