//! Any bytes are a change to a model or are refused; those that are read are applied or refused, and written as they were.

use energy::idf::{Delta, Document, Format};
use energy::schema::Schema;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(delta) = Delta::decode(bytes) else { return };
    assert_eq!(Delta::decode(&delta.encode()).as_ref(), Ok(&delta));
    older(&delta);
    let text = b"Version,25.2;Zone,a,1,2;Zone,b;ZoneList,l,a,b;Timestep,4;";
    let Ok((document, _)) = Document::parse(text, Schema::built_in()) else { return };
    let Ok(after) = document.apply(&delta) else { return };
    let _ = after.to_bytes(Format::Idf);
    let _ = after.to_bytes(Format::EpJson);
    if let Ok(back) = document.delta_from(&after) {
        assert!(after.apply(&back).is_ok());
    }
}

/// On a model of another version, whose fields stand elsewhere.
fn older(delta: &Delta) {
    let json = br#"{"Version": {"Version 1": {"version_identifier": "9.2"}}, "Zone": {"a": {"x_origin": 1}, "b": {}},
        "BuildingSurface:Detailed": {"w": {"zone_name": "a", "vertices": [{"vertex_x_coordinate": 1}]}},
        "Output:Diagnostics": {"Output:Diagnostics 1": {"key_1": "DisplayAllWarnings"}}}"#;
    let Ok((document, _)) = Document::open(json) else { return };
    let Ok(after) = document.apply(delta) else { return };
    let _ = after.to_bytes(Format::EpJson);
    if let Ok(back) = document.delta_from(&after) {
        assert!(after.apply(&back).is_ok());
    }
}
