#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| paper_fuzz::fonts::run(bytes));
