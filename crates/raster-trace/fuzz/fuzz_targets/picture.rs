#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| raster_trace_fuzz::picture::run(bytes));
