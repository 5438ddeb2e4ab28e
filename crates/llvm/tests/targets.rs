//! Programs mean what the machine they are compiled for makes of them: sizes, promotions, layouts and the
//! passing of structs and variable arguments by target.

mod compilers;

use kripke_elts::interpreter::{self, End, OutputCollector, RunOptions, ZeroInputs};
use kripke_llvm::clang::{CompileOptions, Source};
use kripke_llvm::loader::{LoadOptions, load};

const PROGRAM: &str = r#"
#include <stdarg.h>
#include <stdint.h>
#include <stddef.h>
int printf(const char *, ...);
struct mixed { char c; long l; short s; double d; };
struct small { char x[3]; };
struct large { int v[9]; };
struct fields { unsigned a : 3; int b : 5; unsigned c : 9; };
static struct mixed add(struct mixed x, int y) { x.l += y; return x; }
static struct small bump(struct small x) { x.x[1]++; return x; }
static struct large twice(struct large x) { for (int i = 0; i < 9; i++) x.v[i] *= 2; return x; }
static int third(struct small x) { return x.x[2]; }
static int (*pointer)(struct small) = third;
static int value = 3, *reference = &value;
static long sum(int n, ...)
{
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    long s = 0;
    for (int i = 0; i < n; i++) s += va_arg(list, int);
    s += va_arg(list, long);
    s += (long)va_arg(list, double);
    struct small b = va_arg(list, struct small);
    s += b.x[1];
    s += va_arg(list, long long);
    struct large g = va_arg(list, struct large);
    s += g.v[8];
    s += *va_arg(list, int *);
    s += va_arg(copy, int);
    va_end(list);
    va_end(copy);
    return s;
}
int main(void)
{
    struct mixed x = {1, 100000, 3, 2.5};
    struct small y = {{1, 2, 3}};
    struct large g = {{0}};
    struct fields f = {5, -3, 300};
    g.v[8] = 7;
    x = add(x, 5);
    y = bump(y);
    f.c += f.a;
    printf("%ld %d %d %d %d\n", x.l, x.s, (int)x.d, y.x[1], twice(g).v[8]);
    printf("%ld %d\n", sum(2, 1, 2, 100000L, 3.5, y, 5LL, g, reference), pointer(y));
    uint16_t u = 65535;
    u++;
    int i = 30000;
    unsigned shifted = (unsigned)i * 3;
    printf("%d %d %d %d\n", (int)u, (uint8_t)(i >> 3), (int)f.b, (int)f.c);
    printf("%u %d %d %d\n", shifted, (int)sizeof(int), (int)sizeof(struct mixed), (int)offsetof(struct mixed, d));
    return 0;
}
"#;

fn check(target: &str, last_line: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, PROGRAM).expect("writable");
    for clang in compilers::both() {
        let options = LoadOptions {
            sources: vec![Source {
                path: path.clone(),
                ..Source::default()
            }],
            compile: CompileOptions {
                clang: Some(clang.into()),
                target: Some(target.to_owned()),
                arguments: vec!["-w".to_owned()],
                ..CompileOptions::default()
            },
            ..LoadOptions::default()
        };
        let program = load(&options)
            .unwrap_or_else(|error| panic!("{target}: {error}"))
            .program;
        kripke_elts::verify(&program).unwrap_or_else(|error| panic!("{target}: {error}"));
        let mut output = OutputCollector::default();
        let end = interpreter::run(&program, &mut ZeroInputs, &RunOptions::default(), &mut output);
        assert_eq!(end, End::Exit { code: Some(0) }, "{target} through {clang}");
        let expected = format!("100005 3 2 3 14\n100025 3\n0 166 -3 305\n{last_line}\n");
        assert_eq!(
            String::from_utf8_lossy(&output.text),
            expected,
            "{target} through {clang}"
        );
    }
}

#[test]
fn x86_64() {
    check("x86_64-pc-linux-gnu", "90000 4 32 24");
}

#[test]
fn i386() {
    check("i386-pc-linux-gnu", "90000 4 20 12");
}

#[test]
fn arm() {
    check("thumbv6m-none-eabi", "90000 4 24 16");
}

#[test]
fn aarch64() {
    check("aarch64-linux-gnu", "90000 4 32 24");
}

#[test]
fn avr() {
    check("avr", "24464 2 12 8");
}

#[test]
fn msp430() {
    check("msp430", "24464 2 16 8");
}

#[test]
fn riscv32() {
    check("riscv32-unknown-elf", "90000 4 24 16");
}

#[test]
fn riscv64() {
    check("riscv64-unknown-elf", "90000 4 32 24");
}

#[test]
fn powerpc() {
    check("powerpc-unknown-elf", "90000 4 24 16");
}
