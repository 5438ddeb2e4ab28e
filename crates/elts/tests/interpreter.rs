//! The interpreter on small programs: values, memory, calls, and every kind of misuse.

mod support;

use support::{end_text, program, run_with, with_functions, with_main};

/// Runs a body of `main` and compares the end.
fn check(variables: &str, body: &str, expected: &str) {
    check_with("", variables, body, expected);
}

fn check_with(globals: &str, variables: &str, body: &str, expected: &str) {
    let program = with_main(globals, variables, body);
    assert_eq!(end_text(&run_with(&program, &[]).0), expected, "{body}");
}

/// The value of an `i32` expression, from the interpreter.
fn value(expr: &str, expected: &str) {
    check(
        "local i32 x; local f32 f; local ptr p;",
        &format!("x = 7i32; f = 0.5f32; p = null; status = {expr};"),
        &format!("exit {expected}"),
    );
}

#[test]
fn arithmetic() {
    value("x + 3i32", "10");
    value("2147483647i32 + x", "-2147483642");
    value("x - 10i32", "-3");
    value("-x", "-7");
    value("~x", "-8");
    value("x * -3i32", "-21");
    value("x /s -2i32", "-3");
    value("x %s -2i32", "1");
    value("-7i32 /u x", "613566755");
    value("x /s 0i32", "-1");
    value("(-x) /s 0i32", "1");
    value("x %s 0i32", "7");
    value("x /u 0i32", "-1");
    value("-2147483648i32 /s -1i32", "-2147483648");
    value("x << 30i32", "-1073741824");
    value("x << 32i32", "0");
    value("-1i32 >>s 40i32", "-1");
    value("-8i32 >>s 1i32", "-4");
    value("-8i32 >>u 28i32", "15");
    value("sext<i32>(x[2:0])", "-1");
    value("zext<i32>((x <s -1i32) ++ (x <u -1i32))", "1");
    value("zext<i32>(trunc<i8>(x * 100i32))", "188");
    value("zext<i32>(sadd_overflow(2147483647i32, x))", "1");
    value("zext<i32>(smul_overflow(65536i32, 32767i32))", "0");
    value("zext<i32>(smul_overflow(65536i32, 32768i32))", "1");
    value("zext<i32>(ssub_overflow(-2147483648i32, x))", "1");
    value("zext<i32>(usub_overflow(3i32, x))", "1");
    value("zext<i32>(umul_overflow(65536i32, 65536i32))", "1");
    value("umin(x, -1i32)", "7");
    value("smin(x, -1i32)", "-1");
    value("sadd_sat(2147483647i32, x)", "2147483647");
    value("popcount(x)", "3");
    value("leading_zeros(x)", "29");
    value("byte_swap(x)", "117440512");
    value("(x ==  7i32) ? 1i32 : 2i32", "1");
}

#[test]
fn wide_integers() {
    let variables = "local i128 a; local i256 b;";
    check(
        variables,
        "a = 1i128 << 100i128; status = trunc<i32>(a >>u 98i128);",
        "exit 4",
    );
    check(
        variables,
        "b = zext<i256>(-1i128) * zext<i256>(-1i128); status = b[159:128];",
        "exit -2",
    );
    check(
        variables,
        "a = 5i128; b = a ++ a; status = b[131:128] ++ 0i28;",
        "exit 1342177280",
    );
    check(
        variables,
        "a = -3i128; status = trunc<i32>(a /s 2i128);",
        "exit -1",
    );
}

#[test]
fn floats() {
    value("float_to_signed<i32>(f +. 1.25f32)", "1");
    value("float_to_signed<i32>((f *. 5.0f32))", "2");
    value("float_to_signed<i32>(f /. 0.0f32)", "-2147483648");
    value("zext<i32>(f <. 0.5f32)", "0");
    value("float_to_bits<i32>(f -. f)", "0");
    value("float_to_bits<i32>((f -. f) /. (f -. f))", "2143289344");
    value("float_to_bits<i32>(-.f)", "-1090519040");
}

#[test]
fn rounding_modes() {
    let variables = "local f32 x; local f64 d;";
    let body = |mode: u32| {
        format!("set_rounding({mode}i32); x = 1.0f32; x = x /. 3.0f32; status = float_to_bits<i32>(x);")
    };
    check(variables, &body(0), "exit 1051372203");
    check(variables, &body(1), "exit 1051372202");
    check(variables, &body(2), "exit 1051372203");
    check(variables, &body(3), "exit 1051372202");
    check(variables, "set_rounding(2i8); status = get_rounding();", "exit 2");
    check(
        variables,
        "set_rounding(1i32); d = 0.1f64; x = float_to_float<f32>(d); status = float_to_bits<i32>(x);",
        "exit 1036831948",
    );
    check(
        variables,
        "set_rounding(2i32); x = signed_to_float<f32>(16777217i32); status = float_to_signed<i32>(x);",
        "exit 16777218",
    );
}

const POINTERS: &str = "local ptr p; local ptr q; local i32 x; local i64 n;";

#[test]
fn memory() {
    check(
        POINTERS,
        "p = stack(8i64) site0; *i32(p +p 4i64) = 5i32 align 4 pointer p0; x = *i32(p +p 4i64) align 4 \
         pointer p0 uninitialised p1; status = x;",
        "exit 5",
    );
    check(
        POINTERS,
        "p = stack(8i64) site0; *i64(p) = 4294967298i64 align 4; status = *i32(p +p 4i64) align 4;",
        "exit 1",
    );
    // A pointer survives a copy of its bytes.
    check(
        POINTERS,
        "p = stack(8i64) site0; q = heap(8i64) site1; *i32(q) = 9i32 align 4; *ptr(p) = q align 8; q = \
         stack(8i64) site0; memcpy(q, p, 8i64); p = *ptr(q) align 8; status = *i32(p) align 4 pointer p0;",
        "exit 9",
    );
    check(
        POINTERS,
        "p = stack(8i64) site0; q = heap(8i64) site1; *i32(q) = 9i32 align 4; *ptr(p) = q align 1; q = \
         stack(8i64) site0; memcpy(q, p, 8i64); p = *ptr(q) align 1; status = *i32(p) align 4 pointer p0;",
        "exit 9",
    );
    check(
        POINTERS,
        "p = heap(8i64) zeroed site1; memset(p, -1i8, 3i64); status = *i32(p) align 4 uninitialised p1;",
        "exit 16777215",
    );
    check(
        POINTERS,
        "p = heap(8i64) zeroed site1; n = pointer_to_int<i64>(p); q = int_to_pointer<ptr>(n + 4i64); status \
         = \
         zext<i32>(same_object(p, q)) + trunc<i32>(pointer_offset(q));",
        "exit 5",
    );
    check(
        POINTERS,
        "p = heap(8i64) zeroed site1; status = trunc<i32>(object_size(p));",
        "exit 8",
    );
}

#[test]
fn misuse() {
    check(
        POINTERS,
        "p = null; x = *i32(p) align 4 pointer p0;",
        "p0: read of 4 bytes through a null pointer",
    );
    check(
        POINTERS,
        "p = null; x = *i32(p +p 8i64) align 4 pointer p0;",
        "p0: read of 4 bytes through a null pointer (moved by 8 bytes)",
    );
    check(
        POINTERS,
        "p = stack(40i64) site0; x = *i32(p +p 40i64) align 4 pointer p0;",
        "p0: read of 4 bytes at offset 40 of `buf`, which has 40 bytes",
    );
    check(
        POINTERS,
        "p = stack(40i64) site0; *i32(p +p -4i64) = 1i32 align 4 pointer p0;",
        "p0: write of 4 bytes at offset -4 of `buf`, which has 40 bytes",
    );
    check(
        POINTERS,
        "p = stack(8i64) site0; x = *i32(p) align 4 pointer p0 uninitialised p1;",
        "p1: read of 4 bytes at offset 0 of `buf`, never written",
    );
    check(
        POINTERS,
        "p = stack(8i64) site0; *i8(p) = 1i8 align 1; x = *i32(p) align 4 uninitialised p1;",
        "p1: read of 4 bytes at offset 0 of `buf`, where byte 1 was never written",
    );
    check(
        POINTERS,
        "p = stack(8i64) site0; x = *i32(p +p 1i64) align 4 pointer p0;",
        "p0: read of 4 bytes at address 0x7ffffffefff5, misaligned: not a multiple of 4",
    );
    check(
        POINTERS,
        "p = heap(8i64) site1 @7:2; free(p) check p2 @8:2; x = *i32(p) align 4 pointer p0;",
        "p0: read of 4 bytes after free: it points into the heap object allocated at main.c:7 (freed at \
         main.c:8)",
    );
    check(
        POINTERS,
        "p = heap(8i64) site1 @7:2; free(p) check p2 @8:2; free(p) check p2;",
        "p2: double free: the heap object allocated at main.c:7 (freed at main.c:8) was freed before",
    );
    check(
        POINTERS,
        "p = heap(8i64) site1 @7:2; free(p +p 1i64) check p2;",
        "p2: free of a pointer to offset 1 of the heap object allocated at main.c:7, not to its start",
    );
    check(
        POINTERS,
        "p = stack(8i64) site0; free(p) check p2;",
        "p2: free of `buf`, which is not on the heap",
    );
    check(POINTERS, "free(null) check p2; status = 1i32;", "exit 1");
    check_with(
        "global text c \"text\" size 4 align 1 constant",
        POINTERS,
        "*i8(&text) = 1i8 align 1 pointer p0;",
        "p0: write of 1 byte to `text`, which is constant",
    );
    check(
        POINTERS,
        "p = function(main); x = *i32(p) align 4 pointer p0;",
        "p0: read of 4 bytes at the function `main`, which is no data",
    );
    check(
        POINTERS,
        "p = null; x = *i32(p) align 4;",
        "unchecked: read of 4 bytes through a null pointer",
    );
    check(
        POINTERS,
        "p = heap(8i64) zeroed site1; memcpy(p +p 2i64, p, 4i64) pointer p0;",
        "p0: memcpy of 4 bytes between overlapping ranges, 2 bytes apart",
    );
    check(
        POINTERS,
        "p = heap(8i64) zeroed site1; memmove(p +p 2i64, p, 4i64) pointer p0; status = 2i32;",
        "exit 2",
    );
    check(POINTERS, "x = 9i32; assert(x <s 5i32) p3;", "p3: x < 5");
    check(
        POINTERS,
        "x = 2147483647i32; assert(!(sadd_overflow(x, 1i32))) p3;",
        "p3: x < 5: 2147483647 + 1 does not fit 32 bits (signed)",
    );
    check(POINTERS, "x = 2i32; assume(x ==  1i32);", "assumption");
    check(
        POINTERS,
        "unsupported \"inline assembly\";",
        "unsupported: inline assembly",
    );
    check(POINTERS, "stop abort;", "abort");
    check(POINTERS, "stop exit(3i32);", "exit 3");
}

#[test]
fn devices_and_inputs() {
    let program = with_main(
        "",
        POINTERS,
        "p = int_to_pointer<ptr>(37i64); x = *i32(p) align 1 volatile; *i32(p) = 0i32 align 1; n = nondet \
         input \"f\"; status = x + trunc<i32>(n);",
    );
    assert_eq!(end_text(&run_with(&program, &[5, 6]).0), "exit 11");
}

#[test]
fn functions_of_analysis() {
    // The value is the correctly rounded one unless the inputs say otherwise.
    let program = with_main(
        "",
        "local f64 x; local f64 y;",
        "x = 4.0f64; y = math pow(x, 0.5f64); x = math exp(y); status = float_to_signed<i32>(x);",
    );
    assert_eq!(end_text(&run_with(&program, &[]).0), "exit 7");
}

#[test]
fn uninitialised_locals() {
    // The value is asked for once, and only when it is read.
    let program = with_main(
        "",
        "local i32 x; local i32 y;",
        "status = x + x; y = nondet input \"f\"; status = status + y;",
    );
    assert_eq!(end_text(&run_with(&program, &[5, 1]).0), "exit 11");
}

const CALLS: &str = "
function fac(n) -> (r) entry l0 exit l3 @20:1 {
parameter i32 n; local i32 r; local i32 t;
l0 \"\": when n <s 2i32 { r = 1i32; } goto l3; when !(n <s 2i32) { t = call fac(n - 1i32); r = n * t; } goto l3;
l1 \"\":
l2 \"\":
l3 \"\":
}
function dangling() -> (r) entry l0 exit l1 @30:1 {
local ptr r;
l0 \"\": when true { r = stack(4i64) site0; *i32(r) = 1i32 align 4; } goto l1;
l1 \"\":
}
function forever() entry l0 exit l1 { l0 \"\": when true { call forever(); } goto l1; l1 \"\": }
function unknown() -> (r) entry l0 exit l0 { local i32 r; }
";

fn check_calls(body: &str, expected: &str) {
    let program = with_functions("", POINTERS, body, CALLS);
    assert_eq!(end_text(&run_with(&program, &[4]).0), expected, "{body}");
}

#[test]
fn calls() {
    check_calls("status = call fac(10i32);", "exit 3628800");
    check_calls(
        "p = function(fac); status = call *(p)(5i32) check p0;",
        "exit 120",
    );
    check_calls(
        "p = function(fac); status = call *(p)(5i64) check p0;",
        "p0: call of `fac` with arguments or results of another type",
    );
    check_calls(
        "p = null; status = call *(p)(5i64) check p0;",
        "p0: call through a null pointer",
    );
    check_calls(
        "p = stack(4i64) site0; call *(p)() check p0;",
        "p0: call of `buf`, which is no function",
    );
    check_calls(
        "p = call dangling(); x = *i32(p) align 4 pointer p0;",
        "p0: read of 4 bytes through a dangling pointer: the function of `buf` has returned",
    );
    // Without a prototype: too few arguments leave a parameter undefined, other widths are converted.
    check_calls("status = call fac();", "exit 24");
    check_calls("status = call fac(5i64);", "exit 120");
    check_calls("status = call unknown();", "exit 4");
    check_calls("call forever();", "depth limit");
}

#[test]
fn leaks() {
    let text = |body: &str| {
        format!(
            "elts 1 machine pointer 64 int 32 long 64 little \"\" entry main file0 \"main.c\"
             site0 \"malloc\" align 16
             p0 leak \"all memory is freed\" in main @9:1
             function main() entry l0 exit l1 {{ temporary ptr p; l0 \"\": when true {{ {body} }} goto l1; l1 \"\": }}"
        )
    };
    let end = |body: &str| end_text(&run_with(&program(&text(body)), &[]).0);
    assert_eq!(
        end("p = heap(4i64) site0 @5:1;"),
        "p0: the heap object allocated at main.c:5 (4 bytes) is not freed"
    );
    assert_eq!(
        end("p = heap(4i64) site0 @5:1; stop exit(0i32);"),
        "p0: the heap object allocated at main.c:5 (4 bytes) is not freed"
    );
    assert_eq!(end("p = heap(4i64) site0 @5:1; stop abort;"), "abort");
    assert_eq!(end("p = heap(4i64) site0 @5:1; free(p);"), "exit");
}

#[test]
fn loops_and_switches() {
    let text = "elts 1 machine pointer 64 int 32 long 64 little \"\" entry main
        function main() -> (s) entry l0 exit l9 { local i32 i; local i32 s;
        l0 \"\": when true { i = 0i32; s = 0i32; } goto l1;
        l1 \"\": when i <s 1000i32 { } goto l2; when !(i <s 1000i32) { } goto l9;
        l2 \"\":
          when (i %u 7i32) ==  0i32 { s = s + 1i32; i = i + 1i32; } goto l1;
          when !((i %u 7i32) ==  0i32) {} goto l3;
        l3 \"\":
          when i ==  1i32 { s = s + 1000i32; i = i + 1i32; } goto l1;
          when i ==  2i32 { s = s + 2000i32; i = i + 1i32; } goto l1;
          when (i ==  3i32) | (i ==  4i32) { s = s + 3000i32; i = i + 1i32; } goto l1;
          when i ==  5i32 { s = s + 4000i32; i = i + 1i32; } goto l1;
          when !(((i ==  1i32) | (i ==  2i32)) | (((i ==  3i32) | (i ==  4i32)) | (i ==  5i32))) { i = i + 1i32; } goto l1;
        l4 \"\": l5 \"\": l6 \"\": l7 \"\": l8 \"\": l9 \"\": }";
    assert_eq!(end_text(&run_with(&program(text), &[]).0), "exit 13143");
}

/// What `printf` prints for a format and arguments of `main`'s body.
fn prints(format: &str, arguments: &str, types: &str, expected: &str) {
    let bytes: Vec<String> = format
        .bytes()
        .chain([0])
        .enumerate()
        .map(|(at, byte)| format!("{at}: i8 = {}i8;", byte as i8))
        .collect();
    let text = "0: i8 = 104i8; 1: i8 = 105i8;";
    let globals = format!(
        "global fmt size {} align 1 constant {{ {} }} global hi size 3 align 1 constant {{ {text} }}",
        bytes.len(),
        bytes.join(" ")
    );
    let program = with_main(
        &globals,
        "",
        &format!("status = output printf(&fmt{arguments}) as (ptr{types});"),
    );
    let (end, output) = run_with(&program, &[]);
    assert_eq!(output, expected, "{format}");
    assert_eq!(end_text(&end), format!("exit {}", expected.len()), "{format}");
}

#[test]
fn printf() {
    prints("a%%b", "", "", "a%b");
    prints(
        "%d|%5d|%-5d|%05d|%+d|% d",
        ", 1i32, 2i32, 3i32, -4i32, 5i32, 6i32",
        ", i32, i32, i32, i32, i32, i32",
        "1|    2|3    |-0004|+5| 6",
    );
    prints(
        "%u %x %X %o %#x %#o",
        ", -1i32, 255i32, 255i32, 8i32, 255i32, 8i32",
        ", i32, i32, i32, i32, i32, i32",
        "4294967295 ff FF 10 0xff 010",
    );
    prints(
        "%ld %llx %hhd %hu",
        ", -5i64, -1i64, 300i32, -1i32",
        ", i64, i64, i32, i32",
        "-5 ffffffffffffffff 44 65535",
    );
    prints(
        "%.3d %8.3d %.0d|",
        ", 5i32, -5i32, 0i32",
        ", i32, i32, i32",
        "005     -005 |",
    );
    prints(
        "%*d %-*d|",
        ", 4i32, 7i32, 3i32, 8i32",
        ", i32, i32, i32, i32",
        "   7 8  |",
    );
    prints("%c%5c", ", 65i32, 66i32", ", i32, i32", "A    B");
    prints(
        "%s %5s %-5s| %.1s",
        ", &hi, &hi, &hi, &hi",
        ", ptr, ptr, ptr, ptr",
        "hi    hi hi   | h",
    );
    prints(
        "%p %p",
        ", null, int_to_pointer<ptr>(37i64)",
        ", ptr, ptr",
        "(nil) 0x25",
    );
    prints(
        "%f %.2f %5.1f %e %.3E",
        ", 1.5f64, 2.675f64, 3.14159f64, 12345.678f64, 0.00012345f64",
        ", f64, f64, f64, f64, f64",
        "1.500000 2.67   3.1 1.234568e+04 1.234E-04",
    );
    prints(
        "%g %g %g %g %G %#g",
        ", 100000.0f64, 1000000.0f64, 0.0001f64, 0.00001f64, 1e-10f64, 1.5f64",
        ", f64, f64, f64, f64, f64, f64",
        "100000 1e+06 0.0001 1e-05 1E-10 1.50000",
    );
    prints(
        "%a %a %.1a",
        ", 1.0f64, 0.1f64, 1.97f64",
        ", f64, f64, f64",
        "0x1p+0 0x1.999999999999ap-4 0x2.0p+0",
    );
    prints(
        "%f %F %5.0f|%+.1f",
        ", f64:0x7ff0000000000000, f64:0x7ff8000000000000, 2.5f64, 0.05f64",
        ", f64, f64, f64, f64",
        "inf NAN     2|+0.1",
    );
    prints("%zu %td", ", 5i64, -6i64", ", i64, i64", "5 -6");
}

#[test]
fn puts_and_putchar() {
    let program = with_main(
        "global hi size 3 align 1 constant { 0: i8 = 104i8; 1: i8 = 105i8; }",
        "",
        "output puts(&hi) as (ptr); status = output putchar(65i32) as (i32);",
    );
    let (end, output) = run_with(&program, &[]);
    assert_eq!((end_text(&end).as_str(), output.as_str()), ("exit 65", "hi\nA"));
}
