#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| geometry_fuzz::import::run(bytes));
