//! What the fuzzing tests share.

/// A number from the environment.
pub fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// The seeds to try: `KRIPKE_FUZZ_COUNT` of them, from `KRIPKE_FUZZ_SEED` on.
pub fn seeds(default: u64) -> std::ops::Range<u64> {
    let first = variable("KRIPKE_FUZZ_SEED", 1);
    first..first + variable("KRIPKE_FUZZ_COUNT", default)
}
