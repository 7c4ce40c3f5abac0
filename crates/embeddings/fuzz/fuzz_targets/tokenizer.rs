#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| embeddings_fuzz::tokenizer::run(bytes));
