#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ifc_compare_fuzz::merge::run(bytes));
