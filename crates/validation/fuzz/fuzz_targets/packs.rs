#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| validation_fuzz::packs::run(bytes));
