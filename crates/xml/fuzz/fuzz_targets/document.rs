#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| xml_fuzz::document::run(bytes));
