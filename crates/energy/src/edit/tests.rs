use super::*;
use serde_json::json;

fn model() -> Document {
    let text = "Version,25.2;\nZone,Z;\nZone,Y;\nZoneList,L,Z,Y;\nMaterial:NoMass,M,Rough,1;\nConstruction,C,M;\n\
        BuildingSurface:Detailed,W,Wall,C,Z,,Outdoors,,SunExposed,WindExposed,,3,0,0,0,1,0,0,1,0,1;\n\
        Output:Variable,z,Zone Air Temperature,Hourly;\n";
    Document::open(text.as_bytes()).unwrap().0
}

fn fields(value: Value) -> Fields {
    value.as_object().unwrap().clone()
}

fn at(document: &Document, type_name: &str, name: &str) -> Handle {
    document.get(type_name, name).unwrap().handle()
}

#[test]
fn an_object_is_added_in_the_schemas_spelling() {
    let mut document = model();
    let given = fields(json!({
        "Surface Type": "ROOF", "construction_name": "C", "zone_name": "Z", "outside_boundary_condition": "outdoors",
        "number_of_vertices": "autocalculate", "vertices": [[0, 0, 3.5], {"vertex_x_coordinate": 1, "vertex_y_coordinate": 2, "vertex_z_coordinate": 3}],
        "vertex_3_x_coordinate": 7,
    }));
    let handle = document.add("buildingsurface:detailed", "R", &given).unwrap();
    let values: Vec<&str> = document.object(handle).unwrap().values().collect();
    assert_eq!(values.join("|"), "R|Roof|C|Z||Outdoors|||||Autocalculate|0|0|3.5|1|2|3|7");
    let list = document.add("ZoneList", "", &fields(json!({"name": "N", "zones": ["Z", "Y"]}))).unwrap();
    assert_eq!(document.object(list).unwrap().values().collect::<Vec<_>>(), ["N", "Z", "Y"]);
    document.add("Output:Variable", "", &fields(json!({"variable_name": "x"}))).unwrap();
}

#[test]
fn what_the_schema_rules_out_is_refused_with_what_it_allows() {
    let mut document = model();
    let mut refused = |type_name: &str, name: &str, given: Value| {
        document.add(type_name, name, &fields(given)).unwrap_err().message
    };
    assert!(refused("Zon", "a", json!({})).contains("Did you mean Zone"));
    assert!(refused("Zone", " z ", json!({})).contains("taken"));
    assert!(
        refused("Material:AirGap", "m", json!({})).contains("taken by an object of type Material:NoMass")
    );
    assert!(refused("Zone", "", json!({})).contains("must have a name"));
    assert!(refused("Zone", "a,b", json!({})).contains("cannot write"));
    assert!(refused("Zone", "a", json!({"x_orign": 1})).contains("Did you mean x_origin"));
    assert!(refused("Zone", "a", json!({"x_origin": "left"})).contains("not a number"));
    assert!(refused("Zone", "a", json!({"multiplier": 0})).contains("too small"));
    assert!(refused("Zone", "a", json!({"x_origin": [1]})).contains("takes a text"));
    assert!(refused("Zone", "a", json!({"type": "1; !"})).contains("cannot write"));
    assert!(refused("Version", "", json!({})).contains("at most one"));
    assert!(refused("Output:Variable", "n", json!({})).contains("have no name"));
    assert!(refused("ZoneList", "a", json!({"zones": [{"zon": 1}]})).contains("they have zone_name"));
    assert_eq!(document.len(), 8);
}

#[test]
fn an_update_answers_what_changed() {
    let mut document = model();
    let zone = at(&document, "Zone", "Z");
    let changes =
        document.update(zone, &fields(json!({"Y Origin": 2.5, "volume": "AUTOCALCULATE"}))).unwrap();
    let said: Vec<String> = changes.iter().map(|c| format!("{} {}>{}", c.field, c.before, c.after)).collect();
    assert_eq!(said, ["Y Origin >2.5", "Volume >Autocalculate"]);
    let cleared = document.update(zone, &fields(json!({"volume": null}))).unwrap();
    assert_eq!((cleared.len(), document.object(zone).unwrap().get("volume")), (1, Some("")));
    assert_eq!(document.update(zone, &fields(json!({"y_origin": 2.5}))).unwrap(), []);
    assert!(
        document.update(zone, &fields(json!({"name": "Q"}))).unwrap_err().message.contains("rename_object")
    );
    assert!(document.update(Handle(99), &fields(json!({}))).is_err());
}

#[test]
fn what_others_refer_to_stays_unless_forced() {
    let mut document = model();
    let zone = at(&document, "Zone", "Z");
    let fault = document.remove(zone, false).unwrap_err();
    assert!(
        fault.message.contains("1 ZoneList") && fault.data["referenced_by"][0]["name"].is_string(),
        "{fault}"
    );
    assert_eq!(document.len(), 8);
    let removed = document.remove(zone, true).unwrap();
    assert_eq!(removed.referred_to_by.len(), 3);
    assert!(document.get("Zone", "Z").is_none());
    let variables = document.remove_all("output:variable", false).unwrap();
    assert_eq!((variables.len(), document.len()), (1, 6));
    assert!(document.remove_all("Chiller:Electric", false).is_err());
}

#[test]
fn a_rename_reaches_everyone() {
    let mut document = model();
    let changes = document.rename(at(&document, "Zone", "Z"), "North").unwrap();
    let said: Vec<String> = changes.iter().map(|c| format!("{} {}", c.object_type, c.field)).collect();
    assert_eq!(
        said,
        [
            "Zone Name",
            "ZoneList Zone 1 Name",
            "BuildingSurface:Detailed Zone Name",
            "Output:Variable Key Value"
        ]
    );
    assert_eq!(check::check(&document, check::Options::default()).len(), 2);
    assert!(document.rename(at(&document, "Zone", "North"), "y").unwrap_err().message.contains("taken"));
    // only the case of letters
    assert_eq!(document.rename(at(&document, "Zone", "North"), "NORTH").unwrap().len(), 4);
}

#[test]
fn copies_and_batches() {
    let mut document = model();
    let copy = document.duplicate(at(&document, "BuildingSurface:Detailed", "W"), "W2").unwrap();
    assert_eq!(document.object(copy).unwrap().get("zone_name"), Some("Z"));
    assert!(document.duplicate(copy, "w").is_err());
    let new = |name: &str| NewObject { object_type: "Zone".into(), name: name.into(), fields: Fields::new() };
    let fault = document.add_all(&[new("A"), new("Z"), new("B")]).unwrap_err();
    assert!(fault.message.starts_with("objects[1]:") && document.get("Zone", "A").is_none());
    let each = document.add_each(&[new("A"), new("Z"), new("B")]);
    assert_eq!(each.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
}
