#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| knowledge_fuzz::collection::run(bytes));
