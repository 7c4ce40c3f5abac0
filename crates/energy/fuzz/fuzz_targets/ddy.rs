#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| energy_fuzz::ddy::run(bytes));
