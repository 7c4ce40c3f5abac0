#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tables_fuzz::sheet::run(bytes));
