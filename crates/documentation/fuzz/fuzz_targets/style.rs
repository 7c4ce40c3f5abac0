#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| documentation_fuzz::style::run(bytes));
