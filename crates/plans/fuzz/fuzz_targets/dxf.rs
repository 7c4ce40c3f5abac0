#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| plans_fuzz::dxf::run(bytes));
