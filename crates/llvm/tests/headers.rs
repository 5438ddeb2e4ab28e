//! Code with standard headers compiles for targets that have no C library installed.

use std::path::Path;

use kripke_llvm::clang::{Clang, CompileOptions, Source};

const PROGRAM: &str = r#"
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static_assert(sizeof(uint32_t) == 4, "fixed width");
static jmp_buf place;

int main(void) {
    char text[20];
    snprintf(text, sizeof text, "%" PRIu32, (uint32_t)isdigit('3'));
    errno = 0;
    uint8_t *bytes = malloc(3);
    assert(bytes != NULL && strlen(text) < 20);
    free(bytes);
    if (setjmp(place)) longjmp(place, 1);
    return (int)sqrt(2.0) + isnan(fabs(NAN)) + errno + abs(-3) + (time(NULL) > 0);
}
"#;

fn check(arguments: &[&str], targets: &[&str]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("headers.c");
    std::fs::write(&path, PROGRAM).expect("writable");
    let mut tried = 0;
    for name in ["clang-14", "clang-19", "clang"] {
        let Ok(clang) = Clang::find(Some(Path::new(name))) else {
            continue;
        };
        for target in targets {
            let options = CompileOptions {
                target: Some((*target).to_owned()),
                arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
                ..CompileOptions::default()
            };
            let compiled = clang.compile(&Source::new(&path), &options);
            let messages = String::from_utf8_lossy(&compiled.messages).into_owned();
            let text = compiled
                .text
                .unwrap_or_else(|error| panic!("{name} {target}: {error}\n{messages}"));
            assert_eq!(messages, "", "{name} for {target}");
            let text = String::from_utf8_lossy(&text).into_owned();
            assert!(
                text.contains("@__assert_fail("),
                "assertions of {target} keep their text"
            );
            tried += 1;
        }
    }
    assert!(tried > 0, "clang is installed");
}

#[test]
fn bare_metal() {
    let targets = [
        "thumbv6m-none-eabi",
        "thumbv7em-none-eabihf",
        "riscv32-unknown-elf",
        "msp430",
    ];
    check(&["-Wall", "-Wextra", "-std=c11"], &targets);
    check(
        &["-std=c17", "-DNOTHING"],
        &["aarch64-none-elf", "powerpc-none-eabi"],
    );
}

#[test]
fn avr() {
    check(&["-std=gnu17"], &["avr"]);
}
