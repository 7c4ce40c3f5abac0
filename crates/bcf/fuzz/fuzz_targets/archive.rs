#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bcf_fuzz::archive::run(bytes));
