//! Unknown functions that nobody can have meant to be external.
//!
//! Idea: names that begin as those of verification tools and of the compiler's own functions do are known
//! here or mistaken. A mistaken `__VERIFIER_asume` would otherwise be a function that returns anything: the
//! path that calls it has no answer, and is told what was probably meant. Neither has one that calls a
//! function of libatomic, which reads and writes memory, or one of threads, which may do anything to them.

use crate::rtos::is_of_freertos;

/// How such names begin.
const PREFIXES: [&str; 4] = ["__VERIFIER_", "__CPROVER_", "__ESBMC_", "__builtin_"];

/// What is known under these prefixes, without them.
const KNOWN: [&str; 22] = [
    "assume",
    "assert",
    "error",
    "atomic_begin",
    "atomic_end",
    "nondet_memory",
    "nondet_bool",
    "nondet_char",
    "nondet_uchar",
    "nondet_short",
    "nondet_ushort",
    "nondet_int",
    "nondet_uint",
    "nondet_long",
    "nondet_ulong",
    "nondet_longlong",
    "nondet_ulonglong",
    "nondet_float",
    "nondet_double",
    "nondet_pointer",
    "nondet_size_t",
    "unreachable",
];

/// Why a function without body or model is refused; none where it may be external.
pub fn refusal(name: &str) -> Option<String> {
    if name.starts_with("__atomic_") {
        return Some(format!(
            "`{name}`, an atomic operation that this machine has no instruction for"
        ));
    }
    if name.starts_with("pthread_") {
        return Some(format!("`{name}`, a function of POSIX threads that has no model"));
    }
    if is_of_freertos(name) {
        return Some(format!("`{name}`, a function of an RTOS that has no model"));
    }
    let prefix = PREFIXES.into_iter().find(|prefix| name.starts_with(prefix))?;
    let rest = &name[prefix.len()..];
    let nearest = KNOWN
        .into_iter()
        .map(|known| (distance(rest, known), known))
        .min()
        .filter(|(distance, _)| *distance <= 3);
    let hint = nearest.map_or_else(String::new, |(_, known)| {
        format!("; did you mean `{prefix}{known}`?")
    });
    Some(format!("a call of the unknown function `{name}`{hint}"))
}

/// Levenshtein's distance.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::refusal;

    #[test]
    fn near_names() {
        let check = |name: &str, expected: Option<&str>| assert_eq!(refusal(name).as_deref(), expected);
        check(
            "__VERIFIER_asume",
            Some("a call of the unknown function `__VERIFIER_asume`; did you mean `__VERIFIER_assume`?"),
        );
        check(
            "__builtin_frobnicate",
            Some("a call of the unknown function `__builtin_frobnicate`"),
        );
        check(
            "pthread_getcpuclockid",
            Some("`pthread_getcpuclockid`, a function of POSIX threads that has no model"),
        );
        check("read_sensor", None);
    }
}
