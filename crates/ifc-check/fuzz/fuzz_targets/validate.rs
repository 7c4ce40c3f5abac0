#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ifc_check_fuzz::validate::run(bytes));
