use super::*;
use serde_json::{Value, json};

fn as_json(text: &str) -> Value {
    let (document, _) = read(text);
    serde_json::from_slice(&document.to_bytes(Format::EpJson).unwrap()).unwrap()
}

#[test]
fn values_are_typed_as_the_converter_types_them() {
    let json = as_json(
        "Version,25.2;Zone,  z One ,1,+2,3.,4,,01,autocalculate,AUTOCALCULATE,;Building,,0,suburbs;\
         Output:Variable,*,Foo,hourly;Output:Variable,*,Bar,hourly;\
         Schedule:Compact,s,any,Through: 12/31,,until: 24:00,01,,;ZoneList,zl,a,b;",
    );
    let expect = json!({
        "Building": {"": {"north_axis": 0, "terrain": "Suburbs"}},
        "Output:Variable": {
            "Output:Variable 1": {"key_value": "*", "reporting_frequency": "Hourly", "variable_name": "Foo"},
            "Output:Variable 2": {"key_value": "*", "reporting_frequency": "Hourly", "variable_name": "Bar"},
        },
        "Schedule:Compact": {"s": {
            "data": [{"field": "Through: 12/31"}, {}, {"field": "until: 24:00"}, {"field": 1}, {}, {}],
            "schedule_type_limits_name": "any",
        }},
        "Version": {"Version 1": {"version_identifier": "25.2"}},
        "Zone": {"z One": {
            "ceiling_height": "Autocalculate", "direction_of_relative_north": 1, "multiplier": 1,
            "volume": "Autocalculate", "x_origin": 2.0, "y_origin": 3.0, "z_origin": 4,
        }},
        "ZoneList": {"zl": {"zones": [{"zone_name": "a"}, {"zone_name": "b"}]}},
    });
    assert_eq!(json, expect);
}

#[test]
fn epjson_is_read_and_untouched_objects_keep_their_text() {
    let text = "{\"Zone\": {\"b\": { \"x_origin\":1.50 , \"idf_order\": 3},\n\"a\":{}}, \"Timestep\": {\"T 1\": {\"number_of_timesteps_per_hour\": 4}}}\n";
    let (mut document, problems) = read(text);
    assert_eq!((listed(&document).as_str(), problems.len()), ("Zone|b||1.50\nZone|a\nTimestep|4", 0));
    assert_eq!(document.format(), Format::EpJson);
    assert_eq!(document.to_bytes(Format::EpJson).unwrap(), text.as_bytes());
    let mut record = document.get("zone", "a").unwrap().to_record();
    record.values = vec!["a".into(), "90".into()];
    document.put(Handle(1), Some(record));
    let written = String::from_utf8(document.to_bytes(Format::EpJson).unwrap()).unwrap();
    assert!(written.contains("\"b\": { \"x_origin\":1.50 , \"idf_order\": 3}"), "{written}");
    let json: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(json["Zone"]["a"], json!({"direction_of_relative_north": 90}));
    assert_eq!(json["Timestep"], json!({"T 1": {"number_of_timesteps_per_hour": 4}}));
}

#[test]
fn what_the_schema_has_no_place_for_is_kept_and_told() {
    let text = r#"{"Zone": {"a": {"nonsense": [1, 2]}}, "No:Such": {"x": {"y": 1}}, "ZoneList": {"l": {"zones": [{"zone_name": "a", "q": 1}, 5]}}}"#;
    let (mut document, problems) = read(text);
    assert_eq!(problems.len(), 3, "{problems:?}");
    document.put(Handle(0), Some(document.object(Handle(0)).unwrap().to_record()));
    let json: Value = serde_json::from_slice(&document.to_bytes(Format::EpJson).unwrap()).unwrap();
    assert_eq!(json["Zone"]["a"]["nonsense"], json!([1, 2]));
    assert_eq!(json["No:Such"]["x"]["y"], 1);
    assert!(document.to_bytes(Format::Idf).unwrap_err().message.contains("nonsense"));
}

#[test]
fn a_type_that_stands_twice_is_told_with_its_lines() {
    let text = "{\"Version\": {\"Version 1\": {\"version_identifier\": \"25.2\"}},\n\"Zone\": {\"A\": {}},\n\"Zone\": {\"B\": {}}}";
    let (document, problems) = Document::open(text.as_bytes()).unwrap();
    assert_eq!(document.of_type("Zone").count(), 2);
    let [problem] = problems.as_slice() else { panic!("one problem: {problems:?}") };
    assert_eq!((problem.code, problem.line), (ProblemCode::Repeated, 3));
    assert!(problem.message.contains("lines 2 and 3"), "{}", problem.message);
}

#[test]
fn two_objects_of_one_name_cannot_become_epjson() {
    let (document, _) = read("Zone,a;\nZone,a;");
    let fault = document.to_bytes(Format::EpJson).unwrap_err();
    assert!(fault.message.contains("lines 1 and 2"), "{fault}");
}

#[test]
fn the_prototypes_come_back_from_epjson_as_they_were() {
    for path in prototypes().into_iter().step_by(5) {
        let (document, _) = Document::open(&std::fs::read(&path).unwrap()).unwrap();
        let json = document.to_bytes(Format::EpJson).unwrap();
        let (from_json, problems) = Document::open(&json).unwrap();
        assert_eq!(problems, []);
        let (again, _) = Document::open(&from_json.to_bytes(Format::Idf).unwrap()).unwrap();
        assert!(again.to_bytes(Format::EpJson).unwrap() == json, "{}", path.display());
    }
}

#[test]
fn a_new_model_has_its_version_and_its_format() {
    for format in [Format::Idf, Format::EpJson] {
        let document = Document::new(format, schema());
        assert_eq!((document.format(), document.version()), (format, Some("25.2")));
    }
}
