//! Answers of queries are true and say what they rest on: every entry of an aggregate, every name, every number with its unit. On
//! models written here in metres, millimetres and feet, and on real ones with the figures of another kernel.

use crate::{Body, IfcCall, catalogue};
use contract::{Actor, Fault, FaultCode};
use ifc::{Limits, Model};
use serde_json::{Value, json};

fn open(name: &str) -> Option<Model> {
    Some(Model::open(&testing::model(name)?, &Limits::default()).unwrap().0)
}

/// A model of IFC4 whose length unit is this line, `#2`.
fn written(unit: &str, lines: &str) -> Model {
    let text = format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
         FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n\
         #1=IFCPROJECT('0000000000000000000001',$,'P',$,$,$,$,(#4),#3);\n{unit}\n#3=IFCUNITASSIGNMENT((#2));\n\
         #4=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#5,$);\n#5=IFCAXIS2PLACEMENT3D(#6,$,$);\n\
         #6=IFCCARTESIANPOINT((0.,0.,0.));\n#7=IFCDIRECTION((0.,0.,1.));\n#8=IFCLOCALPLACEMENT($,#5);\n{lines}\n\
         ENDSEC;\nEND-ISO-10303-21;\n"
    );
    Model::from_bytes(text.into_bytes(), &Limits::default()).unwrap().0
}

const METRE: &str = "#2=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);";
const MILLIMETRE: &str = "#2=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);";
const FOOT: &str = "#2=IFCCONVERSIONBASEDUNIT(#901,.LENGTHUNIT.,'foot',#902);\n#901=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);\n\
                    #902=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#903);\n#903=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);";

/// A round column and a square one, of 300 mm across and 3 m high, in a file whose unit is so many millimetres.
fn columns(unit: &str, mm: f64) -> Model {
    let l = |value: f64| format!("{:?}", value / mm);
    written(
        unit,
        &format!(
            "#10=IFCCOLUMN('000000000000000000000A',$,'Round',$,$,#8,#11,$,$);\n\
             #11=IFCPRODUCTDEFINITIONSHAPE($,$,(#12));\n#12=IFCSHAPEREPRESENTATION(#4,'Body','SweptSolid',(#13));\n\
             #13=IFCEXTRUDEDAREASOLID(#14,#5,#7,{});\n#14=IFCCIRCLEPROFILEDEF(.AREA.,'Ø300',$,{});\n\
             #20=IFCCOLUMN('000000000000000000000B',$,'Square',$,$,#28,#21,$,$);\n\
             #21=IFCPRODUCTDEFINITIONSHAPE($,$,(#22));\n#22=IFCSHAPEREPRESENTATION(#4,'Body','SweptSolid',(#23));\n\
             #23=IFCEXTRUDEDAREASOLID(#24,#5,#7,{});\n#24=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,{},{});\n\
             #26=IFCCARTESIANPOINT(({},0.,0.));\n#27=IFCAXIS2PLACEMENT3D(#26,$,$);\n#28=IFCLOCALPLACEMENT($,#27);\n",
            l(3000.0),
            l(150.0),
            l(3000.0),
            l(300.0),
            l(300.0),
            l(5000.0),
        ),
    )
}

fn call(model: &Model, tool: &str, arguments: Value) -> Result<Value, Fault> {
    let tool = catalogue().into_iter().find(|t| t.spec.name == tool).expect("the tool is in the catalogue");
    let Body::Ifc(body) = tool.body else { panic!("{} runs on no model", tool.spec.name) };
    body(&mut IfcCall::new(model, "test", 0, Actor::default()), arguments)
}

fn query(model: &Model, arguments: Value) -> Value {
    call(model, "query_elements", arguments.clone())
        .unwrap_or_else(|fault| panic!("{arguments}: {}", fault.to_json()))
}

fn notes(answer: &Value) -> String {
    answer["notes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

fn close(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() <= 1e-6 * expected.abs().max(1.0))
}

#[test]
fn every_entry_of_an_aggregate_is_answered_by_its_own_grouping() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let answer = query(
        &model,
        json!({ "selector": "IfcDoor", "aggregate": ["count by storey", "count by type", "count"] }),
    );
    let groups = answer["groups"].as_array().unwrap();
    let by = |key: &str| groups.iter().filter(|group| group.get(key).is_some()).collect::<Vec<_>>();
    let count = |groups: &[&Value]| groups.iter().map(|group| group["count"].as_u64().unwrap()).sum::<u64>();
    assert_eq!((count(&by("storey")), count(&by("type"))), (14, 14), "{groups:#?}");
    assert!(by("storey").len() > 1 && by("type").len() > 1);
    assert_eq!(groups.last().unwrap(), &json!({ "count": 14 }));
    let shares: f64 = by("storey").iter().map(|group| group["share of count"].as_f64().unwrap()).sum();
    assert!((shares - 100.0).abs() < 0.1, "{groups:#?}");
    assert_eq!(
        (&answer["units"]["count"], &answer["units"]["share of count"]),
        (&json!("elements"), &json!("%"))
    );
}

#[test]
fn keys_and_numbers_of_groups_carry_their_units() {
    let Some(model) = open("LargeBuilding.ifc") else { return };
    let answer = query(
        &model,
        json!({ "selector": "IfcDoor", "aggregate": ["count by OverallWidth", "avg OverallHeight by OverallWidth", "share by OverallWidth"] }),
    );
    for column in ["OverallWidth", "avg OverallHeight"] {
        assert_eq!(answer["units"][column], "mm", "{column} {answer}");
    }
    assert_eq!(answer["units"]["share"], "%");
    assert!(answer["groups"].as_array().unwrap().iter().all(|group| group["share"].is_number()), "{answer}");
}

#[test]
fn a_field_to_sort_or_group_by_that_nothing_has_is_refused_with_near_names() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    for (arguments, near) in [
        (json!({ "selector": "IfcDoor", "sort": "-Overallwidth" }), "OverallWidth"),
        (json!({ "selector": "IfcDoor", "aggregate": "sum OveralWidth" }), "OverallWidth"),
        (json!({ "selector": "IfcDoor", "aggregate": "count by storay" }), "storey"),
        (
            json!({ "selector": "IfcWall", "aggregate": "count by Pset_WallCommon.IsExternl" }),
            "Pset_WallCommon.IsExternal",
        ),
        (json!({ "selector": "IfcDoor", "sort": "storey.Elevatn" }), "Elevation"),
    ] {
        let fault = call(&model, "query_elements", arguments.clone()).unwrap_err();
        assert_eq!(fault.code, FaultCode::InvalidParams, "{arguments}");
        assert_eq!(fault.data["near_matches"][0], near, "{arguments}: {}", fault.to_json());
    }
    let nothing =
        call(&model, "query_elements", json!({ "selector": "IfcDoor", "sort": "-part_of" })).unwrap_err();
    assert!(nothing.message.contains("None of the 14 elements has part_of"), "{}", nothing.message);
    for (asked, wanted) in [("OverallWidth desc", "`-OverallWidth`"), ("OverallWidth ASC", "`OverallWidth`")]
    {
        let asked = json!({ "selector": "IfcDoor", "sort": asked });
        let fault = call(&model, "query_elements", asked).unwrap_err();
        assert!(fault.message.contains(wanted), "{}", fault.message);
    }
    let sorted =
        query(&model, json!({ "selector": "IfcDoor", "sort": "-OverallWidth", "fields": ["OverallWidth"] }));
    assert!(sorted["rows"][0]["OverallWidth"].as_f64() > sorted["rows"][13]["OverallWidth"].as_f64());
}

#[test]
fn a_selector_that_names_what_is_not_there_is_refused_with_near_names() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    for (selector, near) in [
        ("IfcWindow, Pset_WindowCommon.IsExternl=TRUE", "Pset_WindowCommon.IsExternal"),
        ("IfcWindow, Pset_WindwCommon.IsExternal=TRUE", "Pset_WindowCommon.IsExternal"),
        ("IfcDoor, Overallwidth>1", "OverallWidth"),
        ("IfcDoor, storey=\"Levl 1\"", "Level 1"),
        ("IfcDoor, location=\"Levl 1\"", "Level 1"),
        ("IfcWall, material=\"Masonry - Brik\"", "Masonry - Brick"),
        ("IfcDoor, query:stoery.Name=x", "storey"),
    ] {
        let fault = call(&model, "query_elements", json!({ "selector": selector })).unwrap_err();
        let near_matches = fault.data["near_matches"].to_string();
        assert!(near_matches.contains(near), "{selector}: {}", fault.to_json());
    }
    let typed = query(&model, json!({ "selector": "IfcDoor, type!=NULL", "fields": ["type"], "limit": 1 }));
    let type_name = typed["rows"][0]["type"].clone();
    let wrong = format!("IfcDoor, type=\"{}x\"", type_name.as_str().unwrap());
    let fault = call(&model, "query_elements", json!({ "selector": wrong })).unwrap_err();
    assert!(fault.message.contains("There is no type called"), "{}", fault.message);
    let fault =
        call(&model, "query_elements", json!({ "selector": "IfcWall, 0000000000000000000009" })).unwrap_err();
    assert_eq!(fault.code, FaultCode::ElementNotFound);
}

#[test]
fn that_no_element_matched_is_another_answer_than_that_there_is_no_such_name() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let right = query(&model, json!({ "selector": "IfcWindow, Pset_WindowCommon.IsExternal=TRUE" }));
    assert_eq!((&right["total"], right.get("notes")), (&json!(22), None), "{right}");
    let lower = query(&model, json!({ "selector": "IfcWindow, Pset_WindowCommon.IsExternal=yes" }));
    assert_eq!(lower["total"], 0);
    assert!(notes(&lower).contains("there are: TRUE (22)"), "{lower}");
    let none = query(&model, json!({ "selector": "IfcWindow, OverallWidth>100" }));
    assert!(notes(&none).contains("Of 24 IfcWindow none has OverallWidth>100; there are: "), "{none}");
    let absent = query(&model, json!({ "selector": "IfcTank" }));
    assert_eq!(absent["total"], 0);
    // nothing has it, and all pass: said where it is asked for, refused where elements are chosen by it
    let all = query(&model, json!({ "selector": "IfcWindow, Mine.Code=NULL" }));
    assert!(all["total"] == 24 && notes(&all).contains("No IfcWindow here has Mine.Code"), "{all}");
    let standard = query(&model, json!({ "selector": "IfcWindow, Pset_WindowCommon.SmokeStop=TRUE" }));
    assert!(notes(&standard).contains("which is a standard property"), "{standard}");
}

#[test]
fn selectors_are_held_to_names_wherever_a_tool_takes_one() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    for (tool, arguments) in [
        ("render_view", json!({ "elements": "IfcWindow, Pset_WindowCommon.IsExternl=TRUE" })),
        ("clash_detection", json!({ "source_category": "IfcWall, storey=Levl", "target_category": "walls" })),
        ("describe_properties", json!({ "selector": "IfcWindow, Overallwidth>1" })),
    ] {
        let fault = call(&model, tool, arguments.clone()).unwrap_err();
        assert!(fault.data["near_matches"].is_array(), "{tool} {arguments}: {}", fault.to_json());
    }
    let none =
        call(&model, "render_view", json!({ "elements": "IfcWindow, Pset_WindowCommon.IsExternal=MAYBE" }))
            .unwrap_err();
    assert!(none.message.contains("there are: TRUE (22)"), "{}", none.message);
}

#[test]
fn what_belongs_to_an_element_is_a_field_and_a_filter() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let doors =
        query(&model, json!({ "selector": "IfcDoor", "fields": ["host", "fills", "spaces", "host.Name"] }));
    let rows = doors["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["host"].is_string() && row["fills"].is_string()), "{doors}");
    assert!(rows.iter().filter(|row| !row["spaces"].is_null()).count() > 10, "{doors}");
    let host = rows[0]["host"].as_str().unwrap();
    let found = query(&model, json!({ "selector": format!("IfcDoor, host=\"{host}\"") }));
    assert!(found["total"].as_u64().unwrap() >= 1, "{found}");
    let rooms = query(&model, json!({ "selector": "IfcSpace", "fields": ["boundaries.count"], "limit": 3 }));
    assert!(rooms["rows"][0]["boundaries.count"].as_u64().unwrap() > 3, "{rooms}");
    let by_storey = query(&model, json!({ "selector": "IfcDoor, storey=\"Level 1\"" }))["total"].clone();
    let by_place = query(&model, json!({ "selector": "IfcDoor, location=\"Level 1\"" }))["total"].clone();
    assert_eq!(by_storey, by_place);
    let flights = query(&model, json!({ "selector": "IfcStairFlight", "fields": ["part_of"] }));
    assert!(flights["rows"].as_array().unwrap().iter().all(|row| row["part_of"].is_string()), "{flights}");
}

#[test]
fn a_round_column_says_its_profile_and_has_its_round_volume_in_every_unit() {
    for (unit, mm) in [(METRE, 1000.0), (MILLIMETRE, 1.0), (FOOT, 304.8)] {
        let model = columns(unit, mm);
        let answer = query(
            &model,
            json!({ "selector": "IfcColumn", "fields": ["profile", "volume", "surface", "area", "x", "bbox"], "sort": "name" }),
        );
        let (round, square) = (&answer["rows"][0], &answer["rows"][1]);
        assert_eq!(round["profile"]["class"], "IfcCircleProfileDef", "{answer}");
        assert!(close(&round["profile"]["Radius"], 150.0), "{answer}");
        let r = 0.15_f64;
        let pi = std::f64::consts::PI;
        assert!(close(&round["volume"], pi * r * r * 3.0), "{answer}");
        assert!(close(&round["surface"], 2.0 * pi * r * (r + 3.0)), "{answer}");
        assert!(close(&round["area"], pi * r * r), "{answer}");
        assert!(close(&square["volume"], 0.27) && close(&square["x"], 5000.0), "{answer}");
        // one unit of length in a row
        assert_eq!(
            (
                &answer["units"]["x"],
                &answer["units"]["bbox"],
                &answer["units"]["profile"],
                &answer["units"]["volume"]
            ),
            (&json!("mm"), &json!("mm"), &json!("mm"), &json!("m³"))
        );
        assert!(notes(&answer).contains("volume: computed: 2 exact"), "{answer}");
        let sum =
            query(&model, json!({ "selector": "IfcColumn", "aggregate": ["sum volume", "max surface"] }));
        assert!(close(&sum["groups"][0]["sum volume"], 0.27 + pi * r * r * 3.0), "{sum}");
        assert_eq!((&sum["units"]["sum volume"], &sum["units"]["max surface"]), (&json!("m³"), &json!("m²")));
        let whole = call(
            &model,
            "get_element",
            json!({ "element_id": "000000000000000000000A", "include": ["geometry"] }),
        )
        .unwrap();
        assert!(close(&whole["geometry"]["volume_m3"], 0.212_058), "{whole}");
        assert!(whole["geometry"]["measured"].as_str().unwrap().contains("exact"), "{whole}");
    }
}

#[test]
fn an_open_mesh_says_why_it_has_no_volume() {
    let model = written(
        MILLIMETRE,
        "#10=IFCBUILDINGELEMENTPROXY('000000000000000000000A',$,'Open',$,$,#8,#11,$,$);\n\
         #11=IFCPRODUCTDEFINITIONSHAPE($,$,(#12));\n#12=IFCSHAPEREPRESENTATION(#4,'Body','Tessellation',(#13));\n\
         #13=IFCTRIANGULATEDFACESET(#14,$,$,((1,3,2),(1,2,4),(2,3,4)),$);\n\
         #14=IFCCARTESIANPOINTLIST3D(((0.,0.,0.),(1000.,0.,0.),(0.,1000.,0.),(0.,0.,1000.)),$);",
    );
    let whole = call(&model, "get_element", json!({ "element_id": "000000000000000000000A" })).unwrap();
    assert!(whole["geometry"].get("volume_m3").is_none(), "{whole}");
    let why = whole["geometry"]["measured"].as_str().unwrap();
    assert!(why.contains("the mesh is open, 3 edges lack a second face"), "{why}");
    let row = query(&model, json!({ "selector": "IfcBuildingElementProxy", "fields": ["volume"] }));
    assert!(notes(&row).contains("Without: 1 open mesh"), "{row}");
}

/// A wall of 4 m by 3 m by 0.2 m, layers 150 and 50 mm, with an opening of 1 m by 2 m, whose file calls the gross volume net.
const WALL: &str = "#10=IFCWALL('000000000000000000000A',$,'W',$,$,#8,#11,$,$);\n\
    #11=IFCPRODUCTDEFINITIONSHAPE($,$,(#12));\n#12=IFCSHAPEREPRESENTATION(#4,'Body','SweptSolid',(#13));\n\
    #13=IFCEXTRUDEDAREASOLID(#14,#5,#7,3.);\n#14=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,4.,0.2);\n\
    #30=IFCOPENINGELEMENT('000000000000000000000C',$,'O',$,$,#31,#34,$,$);\n#31=IFCLOCALPLACEMENT(#8,#5);\n\
    #34=IFCPRODUCTDEFINITIONSHAPE($,$,(#35));\n#35=IFCSHAPEREPRESENTATION(#4,'Body','SweptSolid',(#36));\n\
    #36=IFCEXTRUDEDAREASOLID(#37,#5,#7,2.);\n#37=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1.,0.4);\n\
    #38=IFCRELVOIDSELEMENT('0000000000000000000038',$,$,$,#10,#30);\n\
    #40=IFCELEMENTQUANTITY('0000000000000000000040',$,'Qto_WallBaseQuantities',$,'BaseQuantities',(#41,#42));\n\
    #41=IFCQUANTITYVOLUME('NetVolume',$,$,2.4,$);\n#42=IFCQUANTITYLENGTH('Length',$,$,4.,$);\n\
    #43=IFCRELDEFINESBYPROPERTIES('0000000000000000000043',$,$,$,(#10),#40);\n\
    #50=IFCWALLTYPE('0000000000000000000050',$,$,$,$,$,$,'T-17',$,.STANDARD.);\n\
    #51=IFCRELDEFINESBYTYPE('0000000000000000000051',$,$,$,(#10),#50);\n\
    #52=IFCMATERIAL('Brick',$,$);\n#53=IFCMATERIALLAYER(#52,0.15,$,$,$,$,$);\n#54=IFCMATERIALLAYER(#52,0.05,$,$,$,$,$);\n\
    #55=IFCMATERIALLAYERSET((#53,#54),$,$);\n#56=IFCRELASSOCIATESMATERIAL('0000000000000000000056',$,$,$,(#10),#55);";

#[test]
fn a_stored_quantity_that_is_not_the_shapes_is_flagged() {
    let model = written(METRE, WALL);
    let whole = call(&model, "get_element", json!({ "element_id": "000000000000000000000A" })).unwrap();
    let said = notes(&whole);
    assert!(
        said.contains(
            "NetVolume is stated as 2.4 m³, which is its GrossVolume; by the shape it is 2 m³ (+20 %)"
        ),
        "{said}"
    );
    assert!(!said.contains("Length is stated"), "{said}");
    let sum =
        query(&model, json!({ "selector": "IfcWall", "aggregate": "sum Qto_WallBaseQuantities.NetVolume" }));
    assert!(
        notes(&sum)
            .contains("1 of 1 stated values differ from the shape by more than 1 %, 1 being the gross value"),
        "{sum}"
    );
    let computed = query(&model, json!({ "selector": "IfcWall", "fields": ["volume", "area"] }));
    assert!(
        close(&computed["rows"][0]["volume"], 2.0) && close(&computed["rows"][0]["area"], 10.0),
        "{computed}"
    );
}

#[test]
fn layers_thickness_and_types_without_names_are_said() {
    let model = written(METRE, WALL);
    let answer = query(&model, json!({ "selector": "IfcWall", "fields": ["type", "layers", "thickness"] }));
    let row = &answer["rows"][0];
    assert_eq!(row["type"], "IfcWallType T-17");
    assert_eq!(
        row["layers"],
        json!([{ "material": "Brick", "thickness": 150 }, { "material": "Brick", "thickness": 50 }])
    );
    assert_eq!((&row["thickness"], &answer["units"]["thickness"]), (&json!(200), &json!("mm")));
    let groups = query(&model, json!({ "selector": "IfcWall", "aggregate": "count by type" }));
    assert_eq!(groups["groups"][0]["type"], "IfcWallType T-17");
}

#[test]
fn outer_walls_and_windows_say_where_they_face_and_what_north_is() {
    let Some(model) = open("AC20-FZK-Haus.ifc") else { return };
    let answer = query(
        &model,
        json!({ "selector": "IfcWindow, storey=Erdgeschoss", "fields": ["facing", "bearing", "x", "y"] }),
    );
    assert!(notes(&answer).contains("north"), "{answer}");
    let rows = answer["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["facing"].is_string()), "{answer}");
    // the house stands along the axes: what lies at its greatest x looks east, at its least west
    let middle = rows.iter().map(|row| row["x"].as_f64().unwrap()).sum::<f64>() / rows.len() as f64;
    for row in rows.iter().filter(|row| row["facing"] == "east") {
        assert!(row["x"].as_f64().unwrap() > middle, "{row}");
    }
    let groups = query(&model, json!({ "selector": "IfcWall", "aggregate": "count by facing" }));
    let directions =
        groups["groups"].as_array().unwrap().iter().filter(|group| group["facing"].is_string()).count();
    assert!(directions >= 4, "{groups}");
}

#[test]
fn true_north_turns_what_faces_where() {
    let Some(mut model) = open("AC20-FZK-Haus.ifc") else { return };
    let bearings = |model: &Model| -> Vec<(String, f64)> {
        let rows = query(model, json!({ "selector": "IfcWindow", "fields": ["bearing"] }))["rows"].clone();
        let rows = rows.as_array().unwrap().iter().filter(|row| row["bearing"].is_number());
        rows.map(|row| (row["id"].to_string(), row["bearing"].as_f64().unwrap())).collect()
    };
    let turned = |model: &mut Model, angle: f64| {
        let tool = catalogue().into_iter().find(|t| t.spec.name == "set_georeference").unwrap();
        let Body::Ifc(body) = tool.body else { panic!("set_georeference runs on no model") };
        let mut call = IfcCall::new(model, "test", 0, Actor::default());
        body(&mut call, json!({ "true_north": angle })).unwrap();
        *model = call.edit.finish().0;
    };
    turned(&mut model, 0.0);
    let before = bearings(&model);
    turned(&mut model, 30.0);
    let after = bearings(&model);
    assert!(before.len() > 5 && before.len() == after.len());
    // north lies 30° clockwise of y: everything faces 30° less clockwise of it
    for ((id, before), (_, after)) in before.iter().zip(&after) {
        assert!(((before - after).rem_euclid(360.0) - 30.0).abs() < 1e-3, "{id}: {before} {after}");
    }
}

#[test]
fn the_summary_counts_elements_as_all_answers_do_and_says_its_north() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let summary = call(&model, "model_summary", json!({})).unwrap();
    let found = query(&model, json!({ "selector": "IfcElement", "limit": 1 }));
    assert_eq!((&summary["element_count"], &summary["element_count"]), (&found["total"], &json!(268)));
    assert!(summary["georeference"]["north"].as_str().unwrap().contains("+y"), "{}", summary["georeference"]);
    let without = call(&columns(METRE, 1000.0), "model_summary", json!({})).unwrap();
    assert_eq!(without["georeference"]["north"], "not given: +y is taken for north");
}

#[test]
fn sets_are_described_with_fill_rates_ranges_units_and_placeholders() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let answer =
        call(&model, "describe_properties", json!({ "selector": "IfcWindow", "set": "Common" })).unwrap();
    let set = &answer["sets"][0];
    assert_eq!(
        (&set["set"], &set["of"], &set["on"]),
        (&json!("Pset_WindowCommon"), &json!(24), &json!(24)),
        "{answer}"
    );
    let property = |name: &str| {
        set["properties"].as_array().unwrap().iter().find(|p| p["name"] == name).cloned().unwrap_or_default()
    };
    let external = property("IsExternal");
    assert_eq!(external["values"][0], json!(["TRUE", 22]), "{set}");
    let counted = external["filled"].as_f64().unwrap();
    assert!((counted - 100.0 * 22.0 / 24.0).abs() < 0.1 || (counted - 100.0).abs() < 0.1, "{external}");
    let doors =
        call(&model, "describe_properties", json!({ "selector": "IfcDoor", "set": "Common" })).unwrap();
    let rating = doors["sets"][0]["properties"]
        .as_array()
        .unwrap()
        .iter()
        .find(|p| p["name"] == "FireRating")
        .cloned();
    let rating = rating.unwrap_or_default();
    assert_eq!(
        (&rating["placeholders"], &rating["filled"]),
        (&json!([["Fire Rating", 14]]), &json!(0.0)),
        "{doors}"
    );
    let fault =
        call(&model, "describe_properties", json!({ "selector": "IfcDoor", "set": "Comon" })).unwrap_err();
    assert!(fault.data["near_matches"].is_array(), "{}", fault.to_json());
    let whole = call(&model, "describe_properties", json!({})).unwrap();
    assert!(whole.to_string().len() < 40_000 && whole["next_cursor"].is_string());
}

#[test]
fn gross_perimeters_of_slabs_are_a_notice_whoever_made_the_file() {
    let slab = |quantity: &str| {
        written(
            METRE,
            &format!(
                "#10=IFCSLAB('000000000000000000000A',$,'S',$,$,$,$,$,$);\n\
                 #40=IFCELEMENTQUANTITY('0000000000000000000040',$,'Qto_SlabBaseQuantities',$,'BaseQuantities',(#41));\n\
                 #41=IFCQUANTITYLENGTH('{quantity}',$,$,14.,$);\n\
                 #43=IFCRELDEFINESBYPROPERTIES('0000000000000000000043',$,$,$,(#10),#40);"
            ),
        )
    };
    let groups = |model: &Model| {
        let answer = call(model, "validate_model", json!({ "parts": ["implementer"] })).unwrap();
        let all = answer["groups"].as_array().unwrap().clone();
        all.into_iter()
            .filter(|group| group["rule"].as_str().unwrap().starts_with("QTY001"))
            .collect::<Vec<_>>()
    };
    let notice = groups(&slab("GrossPerimeter"));
    assert_eq!((notice.len(), &notice[0]["level"]), (1, &json!("notice")), "{notice:#?}");
    assert_eq!(notice[0]["rule"], "QTY001 Qto_SlabBaseQuantities.GrossPerimeter");
    assert!(
        notice[0]["first"][0]["message"]
            .as_str()
            .unwrap()
            .contains("a notice: the set's own quantity is Perimeter")
    );
    let error = groups(&slab("GrossPerimetre"));
    assert_eq!((error.len(), &error[0]["level"]), (1, &json!("error")), "{error:#?}");
    // a message that happens to hold the word changes nothing
    let named = groups(&slab("My GrossPerimeter"));
    assert_eq!(named[0]["level"], "error", "{named:#?}");
    assert!(groups(&slab("Perimeter")).is_empty());
}

#[test]
fn a_selector_compares_what_is_computed_in_the_same_units_in_every_file() {
    for (unit, mm) in [(METRE, 1000.0), (MILLIMETRE, 1.0), (FOOT, 304.8)] {
        let model = columns(unit, mm);
        // the round one has 0.212 m³, the square one 0.27
        for (selector, expected) in [
            ("IfcColumn, volume>0.25", vec!["Square"]),
            ("IfcColumn, volume<0.25", vec!["Round"]),
            ("IfcColumn, volume!=NULL", vec!["Round", "Square"]),
            ("IfcColumn, area>=0.0899, area<=0.0901", vec!["Square"]),
            ("IfcColumn, profile=IfcCircleProfileDef", vec!["Round"]),
            ("IfcColumn, profile=/IfcRect.*/", vec!["Square"]),
            ("IfcColumn, x>4999, x<5001", vec!["Square"]),
            ("IfcColumn, Name=Round, surface>3", Vec::new()),
            ("volume>0.25 + IfcColumn, Name=Round", vec!["Round", "Square"]),
        ] {
            // what nothing passes is answered with the reason, and has no rows to sort
            let answer = query(&model, json!({ "selector": selector, "fields": ["Name"] }));
            let mut names: Vec<&str> =
                answer["rows"].as_array().unwrap().iter().map(|row| row["Name"].as_str().unwrap()).collect();
            names.sort_unstable();
            assert_eq!(names, expected, "{selector}: {answer}");
        }
        let remarks = notes(&query(&model, json!({ "selector": "IfcColumn, volume>0.25" })));
        assert!(remarks.contains("volume: computed: 2 exact"), "{remarks}");
        let none = query(&model, json!({ "selector": "IfcColumn, volume>9" }));
        assert!(none["total"] == 0 && notes(&none).contains("0.27"), "{none}");
    }
}

#[test]
fn a_selector_by_a_computed_value_finds_as_many_as_grouping_by_it_counts() {
    let Some(model) = open("AC20-FZK-Haus.ifc") else { return };
    let mut compared = 0;
    for field in ["facing", "thickness"] {
        let groups =
            query(&model, json!({ "selector": "IfcWall", "aggregate": format!("count by {field}") }));
        for group in groups["groups"].as_array().unwrap().iter().filter(|group| group[field] != "(none)") {
            let value = group[field].to_string();
            let selector = format!("IfcWall, {field}=\"{}\"", value.trim_matches('"'));
            let found = query(&model, json!({ "selector": selector, "fields": [field], "limit": 500 }));
            assert_eq!(found["total"], group["count"], "{selector}: {groups}");
            compared += 1;
        }
    }
    assert!(compared > 4, "only {compared} values were compared");
    let walls = query(&model, json!({ "selector": "IfcWall, facing=NULL" }))["total"].as_u64().unwrap();
    let others = query(&model, json!({ "selector": "IfcWall, facing!=NULL" }))["total"].as_u64().unwrap();
    let all = query(&model, json!({ "selector": "IfcWall" }))["total"].as_u64().unwrap();
    assert!(walls > 0 && others > 0 && walls + others == all, "{walls} and {others} of {all}");
}

#[test]
fn a_regular_expression_that_no_set_answers_to_is_no_wrong_name() {
    let Some(model) = open("AC20-FZK-Haus.ifc") else { return };
    for selector in ["IfcWall, /Nothing.*/.FireRating=F90", "IfcWall, /Nothing.*/./X.*/>1"] {
        let answer = query(&model, json!({ "selector": selector }));
        assert_eq!(answer["total"], 0, "{answer}");
        assert!(notes(&answer).contains("matches"), "{answer}");
    }
    // a set or a property that is spelt out and that nothing has is a wrong name all the same
    for selector in ["IfcWall, Pset_WallComon./Fire.*/=F90", "IfcWall, /Pset_.*/.FireRatting=F90"] {
        let fault = call(&model, "query_elements", json!({ "selector": selector })).unwrap_err();
        assert_eq!(
            (fault.code, &fault.data["field"]),
            (FaultCode::InvalidParams, &json!("selector")),
            "{selector}"
        );
    }
}
