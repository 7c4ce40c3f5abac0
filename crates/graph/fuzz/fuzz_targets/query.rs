#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graph_fuzz::query::run(bytes));
