//! Any bytes are a delta or are refused; one that is read is applied or refused, and what comes out can be written.
#![no_main]

use ifc::{Delta, Header, Id, Model, SchemaVersion, Value};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static BASE: LazyLock<Model> = LazyLock::new(|| {
    let model = Model::blank(SchemaVersion::Ifc4, Header::new("fuzz.ifc", "2026-01-01T00:00:00"));
    let mut edit = model.edit();
    for at in 0..8 {
        let _ = edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([f64::from(at), 0.0]))]);
    }
    let _ = edit.create("IfcPolyline", &[("Points", Value::list([Id(1), Id(2)]))]);
    edit.finish().0
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(delta) = Delta::decode(bytes) else { return };
    assert_eq!(Delta::decode(&delta.encode()).as_ref(), Ok(&delta));
    if let Ok(model) = BASE.apply(&delta) {
        let _ = model.to_bytes();
        let _ = model.dangling();
        let back = Delta::between(&model, &BASE);
        assert!(model.apply(&back).is_ok_and(|again| again.to_bytes() == BASE.to_bytes()));
    }
});
