//! Random C programs about memory: pointers made of integers and bytes, lifetimes, the heap, lengths and
//! indices from outside, unions, bit-fields, flexible and variable arrays.
//!
//! A program is a list of statements that each work alone, on the declarations of [`DECLARATIONS`], so that a
//! failure shrinks by leaving statements out. Most accesses are right; some are wrong for some inputs. The
//! last statement observes one value that no address enters.

use kripke_logic::random::Random;

/// What every program begins with. `in(n)` is an input below `n`; `AT` notes the line for a native build.
pub const DECLARATIONS: &str = r#"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
#ifdef NATIVE
extern volatile int *native_line;
extern volatile unsigned *native_value;
#define AT(line) *native_line = line;
#define OBSERVE(value) do { native_value[1] = (value); native_value[0] = 1; } while (0)
#else
#define AT(line)
#define OBSERVE(value) __VERIFIER_assert((unsigned)(value) != TARGET)
#endif
#ifdef REPLAY
/* A harness gives only the inputs that its run asks for. */
__attribute__((weak)) unsigned char __VERIFIER_nondet_uchar(void) { abort(); }
__attribute__((weak)) void __VERIFIER_assert(int holds) { if (!holds) abort(); }
#endif
static unsigned in(unsigned n) { return __VERIFIER_nondet_uchar() % n; }
struct pair { short a; int b; int *s; };
union mix { uint32_t w; unsigned char b[4]; uint16_t h[2]; int i; };
struct bits { unsigned a : 3; int b : 5; unsigned c : 11; unsigned char d; };
struct flex { unsigned n; short data[]; };
static int g[4] = {1, 2, 3, 4}, other[4] = {5, 6, 7, 8};
static unsigned char bytes[16], more[16] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
static struct pair gp, pairs[3];
static union mix u;
static struct bits bf;
static volatile int vol = 3;
static int one(int v) { return v + 1; }
static int two(int v) { return (v * 2) & 63; }
static int (*table[3])(int) = {one, two, one};
static int (*fn)(int) = one;
static int *keep(int *v) { return v; }
static int *leave(int v) { int t = v; int *r = &t; return keep(r); }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void)
{
    int x = 1, y = 2, arr[4] = {11, 12, 13, 14};
    int *p = &x, *q = &y, *tab[3] = {&x, &y, g}, **pp = &p;
    int *h = 0;
    unsigned char *c = bytes;
    struct flex *f = 0;
    uintptr_t w = 0;
    unsigned i = 0, j = 1, n = 2;
    (void)h; (void)f; (void)pp; (void)tab; (void)c; (void)w; (void)arr; (void)n; (void)i; (void)j;
"#;

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The statements, a line each.
    pub statements: Vec<String>,
    /// The value that is observed at the end.
    pub observed: String,
}

impl Program {
    /// The C text. What is asserted is that the observed value is not `target`.
    pub fn text(&self, target: u32) -> String {
        let mut text = format!("#define TARGET {target}u{DECLARATIONS}");
        let mut line = text.lines().count();
        for statement in &self.statements {
            line += 1;
            text += &format!("AT({line}) {statement}\n");
        }
        line += 1;
        text + &format!("AT({line}) OBSERVE({});\n    return 0;\n}}\n", self.observed)
    }

    /// The program without one statement.
    pub fn without(&self, index: usize) -> Program {
        let mut shorter = self.clone();
        shorter.statements.remove(index);
        shorter
    }
}

/// What a statement is about: `%v` a value, `%i` an index below 4 (rarely 4), `%s` a length below 8, `%p` a
/// pointer to int, `%d` where an int can be stored.
const STATEMENTS: &[&str] = &[
    // Integers, indices and lengths from outside.
    "i = in(%b);",
    "j = in(%b);",
    "n = in(%s);",
    "x = %v;",
    "y = %v;",
    "g[%i] = %v;",
    "arr[%i] = %v;",
    "x = arr[%i];",
    "y = g[%i] + other[%i];",
    "for (unsigned k = 0; k < n && k < 4; k++) g[k] += (int)k;",
    "for (unsigned k = 0; k < n; k++) bytes[k] ^= (unsigned char)(k + 1);",
    // Pointers.
    "p = &g[%i];",
    "p = arr + %i;",
    "q = %p;",
    "p = i == 1 ? p : %p;",
    "*p = %v;",
    "*q = %v;",
    "x = *p;",
    "y = *q;",
    "p[%z] = %v;",
    "p = tab[in(3)];",
    "tab[in(3)] = %p;",
    "pp = in(2) ? &p : &q; *pp = %p;",
    "**pp = %v;",
    "swap(p, q);",
    "x = p == q;",
    "x = p == &g[%i];",
    "if (p >= g && p < g + 4) y = (int)(p - g);",
    "x = (arr + 4) - (arr + %i);",
    "if (p != q) *p = %v;",
    "{ int *end = g + 4, sum = 0; for (int *r = g; r != end; r++) sum += *r; x = sum & 255; }",
    // Pointers as integers and back.
    "w = (uintptr_t)p; q = (int *)w;",
    "w = (uintptr_t)%p; p = (int *)(w + 4 * (uintptr_t)i - 4 * (uintptr_t)i);",
    "w = (uintptr_t)&g[0] + 4 * (uintptr_t)%i; p = (int *)w;",
    "w = (uintptr_t)p | 1; p = (int *)(w & ~(uintptr_t)1);",
    "w = (uintptr_t)p ^ (uintptr_t)q; q = (int *)(w ^ (uintptr_t)p);",
    "w = (uintptr_t)p; if (w == (uintptr_t)&x) x = %v; else y = %v;",
    "w = (uintptr_t)&g[1] - (uintptr_t)&g[0]; x = (int)w;",
    "x = ((uintptr_t)&u & 3) == 0;",
    "x = (uintptr_t)&x != (uintptr_t)&y;",
    // Pointers as bytes.
    "memcpy(&q, &p, sizeof q);",
    "memcpy(bytes, &p, sizeof p); memcpy(&q, bytes, sizeof q);",
    "for (unsigned k = 0; k < sizeof p; k++) ((unsigned char *)&q)[k] = ((unsigned char *)&p)[k];",
    "for (unsigned k = 0; k < sizeof p; k++) more[k] = ((unsigned char *)tab)[k];",
    "{ uint32_t half[2]; memcpy(half, &q, sizeof half); memcpy(&p, half, sizeof p); }",
    "gp.s = %p; pairs[%j] = gp;",
    "{ struct pair t = pairs[%j]; gp = t; }",
    "gp = pairs[%j]; if (gp.s) x = *gp.s;",
    // Scopes.
    "{ int t = %v; q = &t; x = *q; q = &y; }",
    "{ int t = %v; swap(&t, p); }",
    "%r{ int t = %v; q = &t; *q = 4; }",
    "%rp = leave(%v);",
    "%rfor (int k = 0; k < 2; k++) { int t = k; if (k) x = *q; q = &t; }",
    "q = &(int){%v};",
    "p = (int[]){1, %v, 3, 4} + %i;",
    "%r{ p = &(int){%v}; } x = *p;",
    // The heap.
    "free(h); h = malloc((1 + in(4)) * sizeof *h); if (!h) return 0; h[0] = %v;",
    "free(h); h = calloc(4, sizeof *h); if (!h) return 0;",
    "if (h) h[0] += %v;",
    "if (h) { h = realloc(h, 4 * sizeof *h); if (!h) return 0; h[3] = %v; }",
    "if (h) { h = realloc(h, (1 + in(3)) * sizeof *h); if (!h) return 0; }",
    "if (h) x = h[0];",
    "if (h) { p = h; *p = %v; x = h[0]; }",
    "%rif (h) h[%i] = %v;",
    "%rif (h) { free(h); x = i ? 0 : *h; h = 0; }",
    "%rfree(h);",
    "free(h); h = 0;",
    "free(f); f = malloc(sizeof *f + 4 * sizeof(short)); if (!f) return 0; f->n = 4; f->data[%j] = \
     (short)%v;",
    "if (f) { f->data[%i] = (short)%v; y = f->data[f->n - 4]; }",
    "if (f) memset(f->data, %b, f->n * sizeof(short));",
    // Ranges of memory.
    "memset(bytes + %i, %b, n);",
    "memset(g, %b, n);",
    "memcpy(bytes + %i, more + %i, n);",
    "memcpy(more, g, sizeof g);",
    "memmove(bytes + %i, bytes + %i, n);",
    "memmove(g + %j, g, 4 * in(3));",
    "memcpy(arr, g, 4 * in(%l));",
    "%rmemcpy(bytes + i, bytes + j, n);",
    "x = memcmp(bytes, more, n) == 0;",
    "{ unsigned char some[8]; memset(some, %b, 8); some[in(8)] = %b; memcpy(bytes + 4, some, n); }",
    "%r{ unsigned char some[8]; memset(some, 1, n); if (some[%i]) x = 5; }",
    "%r{ int t; if (i) t = %v; if (t == 3) y = t; }",
    "%r{ unsigned char big[100]; big[in(100)] = 1; if (j) memset(big, 2, 100); if (big[in(100)]) x = 9; }",
    "{ unsigned char big[100]; memset(big, %b, 100); big[in(100)] = %b; memcpy(big + n, more, 8); x = \
     big[in(100)]; }",
    "{ int big[70] = {0}; big[in(70)] = %v; big[in(70)] += 1; y = big[in(70)]; }",
    "{ int *far[70]; for (int k = 0; k < 70; k++) far[k] = k & 1 ? &x : &y; far[in(70)] = g; p = \
     far[in(70)]; \
     }",
    // Variable length.
    "{ unsigned m = 1 + in(4); int v[m]; for (unsigned k = 0; k < m; k++) v[k] = (int)k + %b; x = v[m - 1]; \
     }",
    "%r{ unsigned m = 1 + in(5); int v[m]; for (unsigned k = 0; k < m; k++) v[k] = 1; x = v[%i]; }",
    "{ unsigned m = 2 + in(3); unsigned char v[m][2]; memset(v, %b, sizeof v); y = v[1][in(2)]; }",
    // Unions, bit-fields, other views of the same bytes.
    "u.w = 0x01020304u * (unsigned)(1 + %b); x = u.b[%i & 3];",
    "u.b[%j] = (unsigned char)%v;",
    "u.h[in(2)] = (uint16_t)%v; y = (int)(u.w & 0xffff);",
    "u.i = %v; x = (int)u.h[0];",
    "bf.a = (unsigned)%v; bf.b = %v;",
    "bf.c = (unsigned)%v; x = (int)bf.c + bf.b;",
    "{ struct bits t = bf; t.d = %b; bf = t; y = t.d; }",
    "memcpy(&bf, more, sizeof bf);",
    "c = (unsigned char *)g; c[%i] = %b; x = g[0];",
    "c = bytes + %i; *c = %b; c[1] += 1;",
    "{ uint32_t t; memcpy(&t, bytes + %i, 4); x = (int)(t & 1023); }",
    "x = *(int *)(void *)(bytes + 4 * %j) & 255;",
    "%rx = *(int *)(void *)(bytes + i) & 255;",
    // Functions and volatile.
    "x = table[in(3)](y);",
    "fn = in(2) ? table[1] : one; y = fn(x) & 255;",
    "x = fn == one;",
    "%rfn = in(2) ? one : 0; x = fn(x);",
    "vol = %v; x = vol + vol;",
    "%rp = i ? p : 0; x = *p;",
    "%rp = (int *)(uintptr_t)in(3); *p = 1;",
];

/// How often statements that are wrong for some inputs appear: one of so many is kept.
const RARE: usize = 3;

struct Generator {
    random: Random,
}

impl Generator {
    fn pick(&mut self, from: &[&str]) -> String {
        from[self.random.below(from.len())].to_owned()
    }

    /// A hole of a template, filled.
    fn fill(&mut self, hole: char) -> String {
        let rarely = self.random.below(12) == 0;
        match hole {
            'v' => self.pick(&[
                "3",
                "-2",
                "(int)i",
                "(int)in(4)",
                "(x & 31)",
                "(y + 1 & 31)",
                "*p % 16",
                "g[1] % 9",
            ]),
            'b' => self.pick(&["1", "2", "3", "4"]),
            'i' if rarely => self.pick(&["4", "in(5)", "n"]),
            'i' => self.pick(&["0", "1", "3", "(i & 3)", "(j % 3)", "in(4)"]),
            'j' => self.pick(&["0", "1", "in(2)", "in(3)", "(i & 1)"]),
            'z' if rarely => "(int)in(2)".to_owned(),
            'z' => "0".to_owned(),
            's' if rarely => "14".to_owned(),
            's' => self.pick(&["3", "5", "8"]),
            'l' if rarely => "6".to_owned(),
            'l' => self.pick(&["3", "4", "5"]),
            'p' => self.pick(&[
                "&x",
                "&y",
                "&g[1]",
                "&arr[2]",
                "p",
                "q",
                "other",
                "g + in(4)",
                "&u.i",
                "tab[i % 3]",
            ]),
            _ => panic!("no such hole: %{hole}"),
        }
    }

    /// A template with its holes filled; `None` where it is one of the rare ones, and not its turn.
    fn statement(&mut self, template: &str) -> Option<String> {
        let template = match template.strip_prefix("%r") {
            Some(_) if self.random.below(RARE) != 0 => return None,
            Some(rest) => rest,
            None => template,
        };
        let mut text = String::new();
        let mut letters = template.chars().peekable();
        while let Some(letter) = letters.next() {
            match letters.peek() {
                Some(hole) if letter == '%' && hole.is_ascii_lowercase() => {
                    text += &self.fill(*hole);
                    letters.next();
                }
                _ => text.push(letter),
            }
        }
        Some(text)
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
    };
    let length = 4 + generator.random.below(10);
    let mut statements = Vec::new();
    while statements.len() < length {
        let template = generator.pick(STATEMENTS);
        statements.extend(generator.statement(&template));
    }
    const OBSERVED: [&str; 12] = [
        "x",
        "y",
        "x + 3 * y",
        "g[0] ^ g[3] << 4",
        "arr[1] + arr[3]",
        "bytes[5] + bytes[1]",
        "bytes[9]",
        "u.b[2]",
        "bf.a + bf.d",
        "g[i & 3]",
        "other[1] + g[1]",
        "more[n & 7]",
    ];
    let observed = generator.pick(&OBSERVED);
    Program { statements, observed }
}
