//! The target `task` of `crates/fuzz` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kripke_fuzz::task(bytes));
