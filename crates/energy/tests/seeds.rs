//! What must hold for any bytes, on the seeds of the fuzz targets, whole, cut short and with bytes changed.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

#[path = "../fuzz/src/lib.rs"]
mod targets;

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
    each("idf", targets::idf::run);
}

#[test]
fn any_json_is_a_model_or_refused() {
    each("epjson", targets::epjson::run);
}

#[test]
fn any_bytes_are_a_change_or_refused() {
    each("delta", targets::delta::run);
}

#[test]
fn any_text_is_weather_or_refused() {
    each("epw", targets::epw::run);
}

#[test]
fn any_text_has_design_days_or_none() {
    each("ddy", targets::ddy::run);
}

#[test]
fn any_text_is_a_report_of_errors() {
    each("err", targets::err::run);
}
