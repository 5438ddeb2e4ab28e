//! Random programs that go over arrays index by index: fill, copy, scan, compare, filter.
//!
//! A program reads a length, an index and a value, then what its first array holds. Loops follow, each in one
//! of several forms, some of them begun or ended an element too late or too soon; then one claim about the
//! element at the index. Whether it holds is not known when it is made. Other programs compute checksums of
//! arrays twice.

use kripke_elts::random::Random;

/// How many elements arrays have: too many to follow one by one.
pub const SIZE: u32 = 300;
/// The largest value that the program takes.
pub const MAX_VALUE: u32 = 9;

const TYPES: [&str; 4] = ["unsigned char", "signed char", "short", "int"];

/// A loop that gives the array `D` an element for each index, `E` in its index `i`.
const FILLS: [&str; 6] = [
    "for (unsigned i = FROM; i < TO; i++) D[i] = E;",
    "for (unsigned i = TO; i-- > FROM;) D[i] = E;",
    "for (int i = (int)(TO) - 1; i >= FROM; i--) D[i] = E;",
    "{ unsigned i = FROM; while (i < TO) { D[i] = E; i++; } }",
    "for (unsigned i = FROM; i < TO; i++) if (S[i] != v) D[i] = E;",
    "{ T *p = D + FROM, *e = D + TO; unsigned i = FROM; while (p < e) { *p++ = E; i++; } }",
];
/// What is written there.
const ELEMENTS: [&str; 6] = ["v", "i", "S[i]", "S[i] + 1", "7", "D[i]"];

/// Loops that read, and what they leave in a variable.
const OTHERS: [&str; 6] = [
    "{ T *d = D; const T *s = S; unsigned left = TO; while (left--) *d++ = *s++; }",
    "l = FROM; while (l < TO && S[l] != v) l++;",
    "for (unsigned i = FROM; i < TO; i++) if (S[i] > m) m = S[i];",
    "same = 1; for (unsigned i = FROM; i < TO; i++) if (D[i] != S[i]) { same = 0; break; }",
    "c = 0; for (unsigned i = FROM; i < TO; i++) if (S[i] != v) D[c++] = S[i];",
    "same = 1; for (unsigned i = FROM; i < TO && same; i++) same = S[i] >= v;",
];

/// Where a claim is made, and of what.
const GUARDS: [&str; 6] = ["k < n", "k < l", "same && k < n", "k < c", "k >= n", "k + 1 < n"];
const CLAIMS: [&str; 10] = [
    "D[k] == (T)v",
    "D[k] == S[k]",
    "D[k] == (T)k",
    "D[k] == 0",
    "S[k] != v",
    "S[k] <= m",
    "D[k] != v",
    "D[k] <= m",
    "S[k] >= v",
    "D[k] == (T)(S[k] + 1)",
];

/// What a loop computes from elements `E` in `s`, and in `r` beside it.
const FOLDS: [&str; 8] = [
    "s += E;",
    "s ^= E;",
    "s = s * 31 + E;",
    "s = table[(unsigned char)(s ^ E)];",
    "s += E != v;",
    "if (E > s) s = E;",
    "s = (s + E) % 251; r = (r + s) % 251;",
    "s ^= E; for (int bit = 0; bit < 4; bit++) s = s & 1 ? s >> 1 ^ 0x8c : s >> 1;",
];
/// How it goes over them.
const OVER: [&str; 4] = [
    "for (unsigned i = FROM; i < TO; i++) { BODY } @S[i]",
    "for (unsigned i = TO; i-- > FROM;) { BODY } @S[i]",
    "{ const T *p = S; unsigned left = TO; while (left--) { BODY } } @*p++",
    "for (const T *p = S, *end = S + TO; p < end; p++) { BODY } @*p",
];
/// What happens between two such loops.
const BETWEEN: [&str; 8] = [
    "",
    "",
    "",
    "b[n] = (T)v;",
    "a[n] = (T)-s, TO = n + 1;",
    "if (k < n) b[k] = a[k];",
    "if (k < n) b[k] ^= 1;",
    "b[k] = a[k];",
];
/// What is claimed of what both have computed.
const EQUAL: [&str; 5] = [
    "s == x",
    "s == x && r == z",
    "r == z",
    "s == 0",
    "(unsigned char)s == (unsigned char)x",
];

/// The program of a seed with two loops that compute something from what they go over, as a frame's checksum
/// is made and checked.
pub fn folds(seed: u64) -> String {
    let mut random = Random::new(seed);
    let ty = random.pick(&TYPES[..2]);
    let state = random.pick(&["unsigned char", "unsigned short", "unsigned"]);
    let (body, form) = (random.pick(&FOLDS), random.pick(&OVER));
    let first = fold(form, body, "a", "n");
    let body = if random.one_in(5) {
        random.pick(&FOLDS)
    } else {
        body
    };
    let form = if random.one_in(4) {
        random.pick(&OVER)
    } else {
        form
    };
    let from = random.pick(&["a", "b"]);
    let between = random.pick(&BETWEEN);
    let (between, to) = match between.split_once(", TO = ") {
        Some((between, rest)) => (format!("{between};"), rest.trim_end_matches(';')),
        None => (
            between.to_string(),
            random.pick(&["n", "n", "n", "n", "n + 1", "k"]),
        ),
    };
    let second = fold(form, body, from, to);
    let begin = if random.one_in(6) { "v" } else { "1" };
    let claim = random.pick(&EQUAL);
    let text = format!(
        "unsigned __VERIFIER_nondet_uint(void);\n\
         void __VERIFIER_assert(int);\n\
         static {ty} a[{SIZE}], b[{SIZE}];\n\
         static const unsigned char table[256] = {{ 0, 94, 188, 226, 97, 63, 221, 131, 194, 156 }};\n\
         int run(void) {{\n    \
             unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();\n    \
             unsigned v = __VERIFIER_nondet_uint();\n    \
             if (n > {SIZE} - 2 || k >= {SIZE} || v > {MAX_VALUE})\n        return 0;\n    \
             for (unsigned i = 0; i < n; i++)\n        a[i] = ({ty})__VERIFIER_nondet_uint();\n    \
             for (unsigned i = 0; i < n; i++)\n        b[i] = a[i];\n    \
             {state} s = 1, r = 0;\n    {first}\n    {state} x = s, z = r;\n    \
             {between}\n    s = {begin}, r = 0;\n    {second}\n    \
             __VERIFIER_assert({claim});\n    \
             return 0;\n}}\n\
         #ifndef NATIVE\n\
         int main(void) {{ return run(); }}\n\
         #endif\n"
    );
    typed(&text, ty)
}

/// A loop in that form that computes this from the elements of an array up to an index.
fn fold(form: &str, body: &str, array: &str, to: &str) -> String {
    let (form, element) = form.split_once(" @").expect("a form with an element");
    let body = body.replace('E', "element");
    let text = form.replace("BODY", &format!("unsigned char element = ELEMENT; {body}"));
    let text = text
        .replace("ELEMENT", element)
        .replace("FROM", "0")
        .replace("TO", to);
    text.replace("S[", &format!("{array}["))
        .replace("= S", &format!("= {array}"))
}

/// The program of a seed. With `NATIVE`, `run` is it, and inputs and `claim` come from elsewhere.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let ty = random.pick(&TYPES);
    let mut loops = String::new();
    for _ in 0..1 + random.below(3) {
        let text = match random.below(3) {
            0 => random.pick(&OTHERS),
            _ => random.pick(&FILLS),
        };
        let text = text.replace('E', random.pick(&ELEMENTS));
        loops += &format!("    {}\n", arranged(&mut random, &text));
    }
    let guard = random.pick(&GUARDS);
    let claim = random.pick(&CLAIMS);
    let claim = arranged(&mut random, claim);
    format!(
        "unsigned __VERIFIER_nondet_uint(void);\n\
         void __VERIFIER_assert(int);\n\
         static {ty} a[{SIZE}], b[{SIZE}];\n\
         int run(void) {{\n    \
             unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();\n    \
             unsigned v = __VERIFIER_nondet_uint(), l = 0, c = 0;\n    \
             int m = 0, same = 0;\n    \
             if (n > {SIZE} - 2 || k >= {SIZE} || v > {MAX_VALUE})\n        return 0;\n    \
             for (unsigned i = 0; i < n; i++)\n        a[i] = ({ty})__VERIFIER_nondet_uint();\n\
         {}    \
             if ({guard})\n        __VERIFIER_assert({});\n    \
             return 0;\n}}\n\
         #ifndef NATIVE\n\
         int main(void) {{ return run(); }}\n\
         #endif\n",
        typed(&loops, ty),
        typed(&claim, ty),
    )
}

/// A text with arrays and bounds in it: mostly all indices, from the first array to the second.
fn arranged(random: &mut Random, text: &str) -> String {
    let (to, from) = match random.below(4) {
        0 => ("a", "b"),
        1 => ("a", "a"),
        _ => ("b", "a"),
    };
    let low = if random.one_in(5) { "1" } else { "0" };
    let high = match random.below(8) {
        0 => "n + 1",
        1 => "k",
        _ => "n",
    };
    let text = text.replace("FROM", low).replace("TO", high);
    let words = text.split_inclusive(|c: char| !c.is_alphanumeric());
    let replaced = words.map(|word| match word.strip_suffix(|c: char| !c.is_alphanumeric()) {
        Some("D") => word.replace('D', to),
        Some("S") => word.replace('S', from),
        _ => word.to_owned(),
    });
    replaced.collect()
}

/// The type of elements in the place of `T`.
fn typed(text: &str, ty: &str) -> String {
    text.replace("(T)", &format!("({ty})"))
        .replace("T *", &format!("{ty} *"))
}
