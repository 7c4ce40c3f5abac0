//! Changes that were kept before the schema of their model's version was known: what they lead to stays what it was.

use super::*;
use crate::edit::Fields;
use crate::idf::across;
use serde_json::{Value, json};

/// A model of 9.2, with types that later versions lack or lay out in another way.
const OLD: &str = "Version,9.2;\nTimestep,4;\nZone,Core;\nZone,Annex;\n\
    BuildingSurface:Detailed,South,Wall,C,Core,Outdoors,,SunExposed,WindExposed,0.50,3,0,0,3,0,0,0,4,0,0;\n\
    Output:Diagnostics,DisplayExtraWarnings;\n\
    ElectricEquipment,Plugs,Core,Use,Watts/Area,,8,,0.1,0.2,0,General;\n\
    MaterialProperty:PhaseChange,Panel,0,10,1000,20,2.0E+03;\n\
    AirTerminal:SingleDuct:Uncontrolled,Diffuser,,Node 1,Autosize;\n\
    Output:Variable,*,Zone Mean Air Temperature,Hourly;\nOutput:Variable,*,Zone Air Humidity Ratio,Hourly;\n";

fn fields(value: &Value) -> Fields {
    value.as_object().unwrap().clone()
}

fn handle(document: &Document, type_name: &str, name: &str) -> Handle {
    document.get(type_name, name).unwrap().handle()
}

/// One edit after another.
fn edits() -> Vec<fn(&mut Document)> {
    vec![
        |it| {
            let south = handle(it, "BuildingSurface:Detailed", "South");
            it.update(
                south,
                &fields(&json!({"outside_boundary_condition": "Adiabatic", "sun_exposure": "NoSun"})),
            )
            .unwrap();
        },
        |it| {
            it.add("Zone", "Loft", &fields(&json!({"multiplier": 2}))).unwrap();
            it.add("Timestep", "", &fields(&json!({"number_of_timesteps_per_hour": 6}))).unwrap_err();
        },
        |it| {
            it.rename(handle(it, "Zone", "Core"), "Heart").unwrap();
        },
        |it| {
            let wall = json!({"surface_type": "Wall", "construction_name": "C", "zone_name": "Loft",
                "outside_boundary_condition": "Outdoors", "vertices": [
                    {"vertex_x_coordinate": 1, "vertex_y_coordinate": 2, "vertex_z_coordinate": 3},
                    {"vertex_x_coordinate": 4, "vertex_y_coordinate": 5, "vertex_z_coordinate": 6},
                    {"vertex_x_coordinate": 7, "vertex_y_coordinate": 8, "vertex_z_coordinate": 9}]});
            it.add("BuildingSurface:Detailed", "North", &fields(&wall)).unwrap();
        },
        |it| {
            let second = it.of_type("Output:Variable").nth(1).unwrap().handle();
            it.update(second, &fields(&json!({"reporting_frequency": "Monthly"}))).unwrap();
            let plugs = handle(it, "ElectricEquipment", "Plugs");
            it.update(plugs, &fields(&json!({"fraction_latent": 0.3}))).unwrap();
            it.remove(handle(it, "Zone", "Annex"), true).unwrap();
        },
        |it| {
            let copy = it.duplicate(handle(it, "BuildingSurface:Detailed", "South"), "South 2").unwrap();
            it.update(copy, &fields(&json!({"vertex_4_x_coordinate": 1, "vertex_4_y_coordinate": 1, "vertex_4_z_coordinate": 1})))
                .unwrap();
            it.remove(handle(it, "Zone", "Loft"), true).unwrap();
        },
    ]
}

/// The content of a file, whatever the order of its types and the look of its numbers.
fn said(document: &Document) -> Value {
    let value: Value = serde_json::from_slice(&document.to_bytes(Format::EpJson).unwrap()).unwrap();
    value
}

/// Makes every edit on a document that is read by the schema of 25.2, whatever it says, and every change again, from its bytes, on
/// one that is read by its own.
fn replayed(bytes: &[u8]) -> Vec<(Document, Document)> {
    let mut then = Document::open_with(bytes, Schema::built_in()).unwrap().0;
    let mut now = Document::open(bytes).unwrap().0;
    let mut states = Vec::new();
    for edit in edits() {
        let mut after = then.clone();
        edit(&mut after);
        let kept = after.delta_from(&then).unwrap().encode();
        assert!(kept.starts_with(b"EPD1"), "a change by that schema is written as it always was");
        now = now.apply(&Delta::decode(&kept).unwrap()).unwrap();
        then = after;
        states.push((then.clone(), now.clone()));
    }
    states
}

#[test]
fn a_change_of_text_kept_before_leads_to_the_same_text() {
    for (then, now) in
        replayed(OLD.replace("South,Wall,C,Core,Outdoors", "South,Wall,C,Core,,Outdoors").as_bytes())
    {
        assert_eq!(now.schema().short_version(), "9.2");
        let values = |document: &Document| listed(document);
        assert_eq!(values(&then), values(&now));
    }
}

#[test]
fn a_change_of_epjson_kept_before_leads_to_the_same_json() {
    let json = Document::open(OLD.as_bytes()).unwrap().0.to_bytes(Format::EpJson).unwrap();
    for (step, (then, now)) in replayed(&json).into_iter().enumerate() {
        assert_eq!((now.format(), now.schema().short_version()), (Format::EpJson, "9.2"));
        assert_eq!(said(&then), said(&now), "edit {step}");
        // and what it says stands in the fields of its own version
        let south = now.get("BuildingSurface:Detailed", "South").unwrap();
        assert_eq!((south.value(4), south.value(6)), ("Adiabatic", "NoSun"));
    }
}

#[test]
fn a_change_names_the_schema_whose_places_it_speaks_of() {
    let json = Document::open(OLD.as_bytes()).unwrap().0.to_bytes(Format::EpJson).unwrap();
    let (before, _) = Document::open(&json).unwrap();
    let mut after = before.clone();
    let south = handle(&after, "BuildingSurface:Detailed", "South");
    after.update(south, &fields(&json!({"sun_exposure": "NoSun"}))).unwrap();
    let delta = after.delta_from(&before).unwrap();
    assert_eq!(delta.schema.as_deref(), Some("9.2.0"));
    let bytes = delta.encode();
    assert!(bytes.starts_with(b"EPD2"));
    assert_eq!(Delta::decode(&bytes).unwrap(), delta);
    assert_eq!(said(&before.apply(&delta).unwrap()), said(&after));
    // read by another schema it still means that field
    let (other, _) = Document::open_with(&json, Schema::built_in()).unwrap();
    let changed = other.apply(&delta).unwrap();
    assert_eq!(changed.get("BuildingSurface:Detailed", "South").unwrap().get("sun_exposure"), Some("NoSun"));
    assert_eq!(said(&changed), said(&after));
    let later = Delta { schema: Some("99.1.0".into()), ..delta };
    let refused = before.apply(&Delta::decode(&later.encode()).unwrap()).unwrap_err();
    assert_eq!(refused, DeltaError::OtherSchema);
    // of the text, places are those of the text
    let (text, _) = Document::open(OLD.as_bytes()).unwrap();
    let mut edited = text.clone();
    edited.update(handle(&text, "Zone", "Core"), &fields(&json!({"multiplier": 3}))).unwrap();
    assert!(edited.delta_from(&text).unwrap().encode().starts_with(b"EPD1"));
}

#[test]
fn objects_that_another_schema_counts_in_another_order_are_found() {
    // in 25.2 they have names, and in 24.1 the same key is no name: order of the file, or of the numbers
    let json = r#"{"Version": {"v": {"version_identifier": "24.1"}}, "Output:Table:ReportPeriod": {
        "Period 10": {"name_": "late", "begin_month": 10}, "Period 2": {"name_": "early", "begin_month": 2}}}"#;
    let (then, _) = Document::open_with(json.as_bytes(), Schema::built_in()).unwrap();
    let (now, _) = Document::open(json.as_bytes()).unwrap();
    let months = |document: &Document| -> Vec<String> {
        document
            .of_type("Output:Table:ReportPeriod")
            .map(|it| it.get("begin_month").unwrap().to_owned())
            .collect()
    };
    assert_ne!(months(&then), months(&now));
    let mut edited = then.clone();
    let late = handle(&then, "Output:Table:ReportPeriod", "Period 10");
    edited.update(late, &fields(&json!({"begin_month": 11}))).unwrap();
    let after = now.apply(&edited.delta_from(&then).unwrap()).unwrap();
    assert_eq!(said(&after), said(&edited));
    edited.remove(late, true).unwrap();
    assert_eq!(said(&now.apply(&edited.delta_from(&then).unwrap()).unwrap()), said(&edited));
}

#[test]
fn an_object_goes_to_another_version_and_back() {
    let (document, _) = Document::open(OLD.as_bytes()).unwrap();
    let own = document.shared_schema();
    for version in Schema::versions() {
        let other = Schema::exactly(&version).unwrap();
        for object in document.objects() {
            let record = object.to_record();
            let there = across::record(&record, &own, &other);
            let back = across::record(&there, &other, &own);
            let trimmed = |record: &Record| {
                let mut values: Vec<String> = record.values.iter().map(ToString::to_string).collect();
                while values.last().is_some_and(String::is_empty) {
                    values.pop();
                }
                values
            };
            let number = |text: &String| {
                text.parse::<f64>().map_or_else(|_| text.clone(), |number| number.to_string())
            };
            let plain = |record: &Record| trimmed(record).iter().map(number).collect::<Vec<_>>();
            assert_eq!(plain(&back), plain(&record), "{version} {object:?}");
            assert!(back.extra.is_empty(), "{version} {object:?}: {:?}", back.extra);
        }
    }
}

#[test]
fn a_change_to_a_whole_model_of_another_version_is_read_by_that() {
    let (old, _) = Document::open(OLD.as_bytes()).unwrap();
    let (new, _) = Document::open(b"Version,9.6;\nZone,Core;\n").unwrap();
    let delta = Delta::decode(&new.delta_from(&old).unwrap().encode()).unwrap();
    let after = old.apply(&delta).unwrap();
    assert_eq!((after.schema().short_version(), listed(&after)), ("9.6", listed(&new)));
}
