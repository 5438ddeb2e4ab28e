//! How many statements the interpreter runs per second, on loops over a scalar and over memory.

use std::time::Instant;

use kripke_elts::interpreter::{NoObserver, RunOptions, ZeroInputs, run_counted};

const SCALAR: &str = "elts 1 machine pointer 64 int 32 long 64 little \"\" entry main
p0 overflow \"no overflow\" in main
function main() -> (s) entry l0 exit l9 { local i32 i; local i32 s;
l0 \"\": when true { i = 0i32; s = 1i32; } goto l1;
l1 \"\": when i <s 20000000i32 { } goto l2; when 20000000i32 <=s i { } goto l9;
l2 \"\": when true { s = (s * 1103515245i32) + 12345i32; s = s ^ (s >>u 7i32); assert(!(sadd_overflow(i, 1i32))) p0; i = i + 1i32; } goto l1;
l3 \"\": l4 \"\": l5 \"\": l6 \"\": l7 \"\": l8 \"\": l9 \"\": }";

const MEMORY: &str = "elts 1 machine pointer 64 int 32 long 64 little \"\" entry main
p0 pointer \"access\" in main
p1 uninitialised \"access\" in main
global a size 4096 align 16
function main() -> (s) entry l0 exit l9 { local i32 i; local i32 s; temporary i32 t;
l0 \"\": when true { i = 0i32; s = 1i32; } goto l1;
l1 \"\": when i <s 20000000i32 { } goto l2; when 20000000i32 <=s i { } goto l9;
l2 \"\": when true {
  t = *i32(&a +p (zext<i64>(i & 1023i32) * 4i64)) align 4 pointer p0 uninitialised p1;
  *i32(&a +p (zext<i64>((i * 7i32) & 1023i32) * 4i64)) = t + i align 4 pointer p0;
  s = s + t; i = i + 1i32; } goto l1;
l3 \"\": l4 \"\": l5 \"\": l6 \"\": l7 \"\": l8 \"\": l9 \"\": }";

const CALLS: &str = "elts 1 machine pointer 64 int 32 long 64 little \"\" entry main
site0 \"x\" align 4
function main() -> (s) entry l0 exit l9 { local i32 s;
l0 \"\": when true { s = call fib(30i32); } goto l9;
l1 \"\": l2 \"\": l3 \"\": l4 \"\": l5 \"\": l6 \"\": l7 \"\": l8 \"\": l9 \"\": }
function fib(n) -> (r) entry l0 exit l1 { parameter i32 n; local i32 r; temporary i32 a; temporary i32 b; temporary ptr p;
l0 \"\": when n <s 2i32 { r = n; } goto l1; when 2i32 <=s n { p = stack(4i64) site0; *i32(p) = n align 4; a = call fib(n - 1i32); b = call fib(n - 2i32); r = a + b; } goto l1;
l1 \"\": }";

fn main() {
    for (name, text) in [("scalar", SCALAR), ("memory", MEMORY), ("calls", CALLS)] {
        let program = kripke_elts::text::parse(text).expect("the text is a program");
        let start = Instant::now();
        let (end, steps) = run_counted(&program, &mut ZeroInputs, &RunOptions::default(), &mut NoObserver);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name}: {steps} steps in {seconds:.2} s, {:.1} million per second, {end:?}",
            steps as f64 / seconds / 1e6
        );
    }
}
