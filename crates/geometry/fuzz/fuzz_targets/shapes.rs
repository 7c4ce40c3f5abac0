#![no_main]

libfuzzer_sys::fuzz_target!(init: geometry_fuzz::spare_the_engine(), |bytes: &[u8]| geometry_fuzz::shapes::run(bytes));
