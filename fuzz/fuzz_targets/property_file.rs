//! The target `property_file` of `crates/fuzz` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kripke_fuzz::property_file(bytes));
