//! Any bytes are deltas or are refused; those that are read are applied or refused, and what comes out can be written,
//! taken back, joined, and put behind one another.
//!
//! The first byte says where the second delta begins. Both are read as version 1, which has no checksum to guess.
use ifc::{Delta, Header, Id, Model, SchemaVersion, Value};
use std::sync::LazyLock;

/// The model that deltas are applied to.
pub static BASE: LazyLock<Model> = LazyLock::new(|| {
    let model = Model::blank(SchemaVersion::Ifc4, Header::new("fuzz.ifc", "2026-01-01T00:00:00"));
    let mut edit = model.edit();
    for at in 0..8 {
        let _ = edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([f64::from(at), 0.0]))]);
    }
    let _ = edit.create("IfcPolyline", &[("Points", Value::list([Id(1), Id(2)]))]);
    let _ = edit.create("IfcWall", &[("GlobalId", "0Wall00000000000000001".into())]);
    let _ = edit.create("IfcGroup", &[("GlobalId", "0Group0000000000000001".into())]);
    let group = [
        ("GlobalId", "0Rel000000000000000001".into()),
        ("RelatedObjects", Value::list([Id(10)])),
        ("RelatingGroup", Id(11).into()),
    ];
    let _ = edit.create("IfcRelAssignsToGroup", &group);
    edit.finish().0
});

/// The delta that the bytes are, with a checksum or without.
pub fn read(bytes: &[u8]) -> Option<Delta> {
    let mut first = bytes.to_vec();
    if let Some(version) = first.first_mut() {
        *version = 1;
    }
    Delta::decode(bytes).or_else(|_| Delta::decode(&first)).ok()
}

/// One input.
pub fn run(bytes: &[u8]) {
    let Some((cut, bytes)) = bytes.split_first() else { return };
    let (one, two) = bytes.split_at(usize::from(*cut).min(bytes.len()));
    let (Some(one), two) = (read(one), read(two)) else { return };
    assert_eq!(Delta::decode(&one.encode()).as_ref(), Ok(&one));
    let Ok(model) = BASE.apply(&one) else { return };
    let _ = model.to_bytes();
    let back = Delta::between(&model, &BASE);
    assert!(model.apply(&back).is_ok_and(|again| again.to_bytes() == BASE.to_bytes()));
    let back = one.invert(&BASE);
    assert!(back.is_ok_and(|back| model.apply(&back).is_ok_and(|again| again.to_bytes() == BASE.to_bytes())));
    let Some(two) = two else { return };
    if let Ok(both) = one.compose(&two) {
        assert_eq!(Delta::decode(&both.encode()).as_ref(), Ok(&both));
        let _ = BASE.apply(&both);
    }
    if let Ok(later) = two.rebase(&one) {
        let _ = model.apply(&later);
    }
    let _ = BASE.apply(&two);
}
