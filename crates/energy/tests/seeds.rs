//! What must hold for any bytes, on the seeds of the fuzz targets, whole, cut short and with bytes changed.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

#[path = "../fuzz/src/delta.rs"]
mod delta;
#[path = "../fuzz/src/epjson.rs"]
mod epjson;
#[path = "../fuzz/src/idf.rs"]
mod idf;

use std::path::Path;

fn each(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        run(&bytes);
        let marks = [b',', b';', b'!', b'\n', b'"', b'{', b'9', 0, 0xff];
        for cut in 0..bytes.len() {
            run(&bytes[..cut]);
            let mut changed = bytes.clone();
            changed[cut] = marks[cut % marks.len()];
            run(&changed);
        }
        count += 1;
    }
    assert!(count > 0, "{target} has no seeds");
}

#[test]
fn any_text_is_a_model_or_refused() {
    each("idf", idf::run);
}

#[test]
fn any_json_is_a_model_or_refused() {
    each("epjson", epjson::run);
}

#[test]
fn any_bytes_are_a_change_or_refused() {
    each("delta", delta::run);
}
