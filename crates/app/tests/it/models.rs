//! Models that mean harm, through the door that agents use: whatever is asked of one is answered or refused in time, and costs
//! nobody else anything.

use crate::place::Place;
use crate::wire::{Stdio, request};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The seconds that a call may take, as the settings say.
const LIMIT: u64 = 20;

/// A file with one wall whose body is `#50`, in a house; what `#50` and those from `#100` are is for the case.
fn file(body: &str) -> String {
    format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
         FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n\
         #1=IFCPROJECT('0000000000000000000001',$,'P',$,$,$,$,(#3),#2);\n\
         #2=IFCUNITASSIGNMENT((#4));\n\
         #3=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#6,$);\n\
         #4=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n\
         #5=IFCCARTESIANPOINT((0.,0.,0.));\n#6=IFCAXIS2PLACEMENT3D(#5,$,$);\n\
         #7=IFCBUILDINGSTOREY('0000000000000000000007',$,'S',$,$,$,$,$,.ELEMENT.,0.);\n\
         #8=IFCRELAGGREGATES('0000000000000000000008',$,$,$,#1,(#7));\n\
         #9=IFCRELCONTAINEDINSPATIALSTRUCTURE('0000000000000000000009',$,$,$,(#10),#7);\n\
         #10=IFCWALL('0000000000000000000010',$,'W',$,$,#11,#12,$,$);\n\
         #12=IFCPRODUCTDEFINITIONSHAPE($,$,(#13));\n\
         #13=IFCSHAPEREPRESENTATION(#3,'Body','SolidModel',(#50));\n\
         {body}ENDSEC;\nEND-ISO-10303-21;\n"
    )
}

const PLACED: &str = "#11=IFCLOCALPLACEMENT($,#6);\n";
const BOX: &str = "#60=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1.,1.);\n#61=IFCDIRECTION((0.,0.,1.));\n\
                   #62=IFCEXTRUDEDAREASOLID(#60,#6,#61,1.);\n";

/// Ten maps of ten maps of ten maps …: ten thousand million boxes in a hundred lines.
fn laughs() -> String {
    let mut text = format!("{PLACED}{BOX}#63=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#62));\n");
    let mut below = 63;
    for level in 0..10 {
        let at = 100 + level * 100;
        let (map, operator) = (at + 50, at + 51);
        let _ = write!(
            text,
            "#{map}=IFCREPRESENTATIONMAP(#6,#{below});\n#{operator}=IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,#5,$,$);\n"
        );
        let items: Vec<String> = (0..10).map(|n| format!("#{}", at + n)).collect();
        for item in &items {
            let _ = writeln!(text, "{item}=IFCMAPPEDITEM(#{map},#{operator});");
        }
        below = at + 60;
        let _ = writeln!(
            text,
            "#{below}=IFCSHAPEREPRESENTATION(#3,'Body','MappedRepresentation',({}));",
            items.join(",")
        );
    }
    let _ = write!(
        text,
        "#51=IFCREPRESENTATIONMAP(#6,#{below});\n#52=IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,#5,$,$);\n\
         #50=IFCMAPPEDITEM(#51,#52);\n"
    );
    text
}

/// A profile with so many sides.
fn sides(count: usize) -> String {
    let mut text =
        format!("{PLACED}#61=IFCDIRECTION((0.,0.,1.));\n#50=IFCEXTRUDEDAREASOLID(#53,#6,#61,1.);\n");
    let _ = write!(text, "#53=IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#54);\n#54=IFCPOLYLINE((");
    for n in 0..count {
        let _ = write!(text, "#{},", 1000 + n);
    }
    let _ = writeln!(text, "#1000));");
    for n in 0..count {
        let angle = n as f64 / count as f64 * std::f64::consts::TAU;
        // a cogwheel: nothing of it is convex
        let radius = if n % 2 == 0 { 5.0 } else { 5.5 };
        let _ = writeln!(
            text,
            "#{}=IFCCARTESIANPOINT(({:?},{:?}));",
            1000 + n,
            radius * angle.cos(),
            radius * angle.sin()
        );
    }
    text
}

/// Spheres taken from spheres, one upon the other.
fn booleans(depth: usize) -> String {
    let mut text = format!("{PLACED}{BOX}");
    for n in 0..depth {
        let (own, last) = (100 + 5 * n, if n == 0 { 62 } else { 100 + 5 * (n - 1) });
        let shift = n as f64 * 1e-3;
        let kind = if n % 2 == 0 { "DIFFERENCE" } else { "UNION" };
        let _ = write!(
            text,
            "#{own}=IFCBOOLEANRESULT(.{kind}.,#{last},#{});\n#{}=IFCSPHERE(#{},0.5);\n\
             #{}=IFCAXIS2PLACEMENT3D(#{},$,$);\n#{}=IFCCARTESIANPOINT(({shift:?},0.,0.5));\n",
            own + 1,
            own + 1,
            own + 2,
            own + 2,
            own + 3,
            own + 3,
        );
    }
    let last = 100 + 5 * (depth - 1);
    text.replace(&format!("#{last}="), "#50=")
}

fn cases() -> Vec<(&'static str, String)> {
    let boxed = format!("{BOX}#50=IFCBOOLEANRESULT(.UNION.,#62,#62);\n");
    vec![
        ("maps of maps of maps", laughs()),
        (
            "a map of itself",
            format!(
                "{PLACED}#50=IFCMAPPEDITEM(#51,#52);\n#51=IFCREPRESENTATIONMAP(#6,#13);\n\
             #52=IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,#5,$,$);\n"
            ),
        ),
        ("a placement relative to itself", format!("#11=IFCLOCALPLACEMENT(#11,#6);\n{boxed}")),
        (
            "placements in a circle",
            format!(
                "#11=IFCLOCALPLACEMENT(#14,#6);\n#14=IFCLOCALPLACEMENT(#15,#6);\n#15=IFCLOCALPLACEMENT(#11,#6);\n{boxed}"
            ),
        ),
        ("a body less itself", format!("{PLACED}{BOX}#50=IFCBOOLEANRESULT(.DIFFERENCE.,#50,#50);\n")),
        ("a cogwheel of 50,000 sides", sides(50_000)),
        ("sixty booleans of spheres", booleans(60)),
        ("twenty booleans of spheres", booleans(20)),
        ("four thousand booleans of spheres", booleans(4000)),
        (
            "no numbers",
            format!(
                "{PLACED}#50=IFCEXTRUDEDAREASOLID(#60,#6,#61,1.E999);\n#60=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,-1.,0.);\n\
             #61=IFCDIRECTION((0.,0.,0.));\n"
            ),
        ),
    ]
}

/// Answered, or refused with a Fault that says something, in time.
fn asked(agent: &mut Stdio, what: &str, tool: &str, arguments: &Value) -> Value {
    let begun = Instant::now();
    let answer = agent.call(tool, arguments);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(LIMIT + 15), "{what}: {tool} took {took:?}");
    if answer["isError"] == true {
        let message = answer["structuredContent"]["message"].as_str().unwrap_or_default();
        assert!(message.len() > 20, "{what}: {tool}: {answer}");
    }
    answer["structuredContent"].clone()
}

#[test]
fn models_that_mean_harm_cost_one_call_each() {
    let place = Place::new();
    std::fs::create_dir_all(place.data()).unwrap();
    std::fs::write(place.data().join("pensaer.toml"), format!("call-seconds = {LIMIT}\n")).unwrap();
    let mut agent = place.stdio();
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    let house =
        agent.done("create_project", &json!({"name": "House", "storeys": storeys}))["model_id"].clone();
    for (what, text) in cases() {
        let path = place.root().join("hostile.ifc");
        std::fs::write(&path, file(&text)).unwrap();
        let loaded = asked(&mut agent, what, "load_model", &json!({"file_path": path}));
        let model = &loaded["model_id"];
        if !model.is_null() {
            let of = |arguments: Value| {
                let mut arguments = arguments;
                arguments["model_id"] = model.clone();
                arguments
            };
            let wall =
                asked(&mut agent, what, "get_element", &of(json!({"element_id": "0000000000000000000010"})));
            let shape = &wall["geometry"];
            // how much is done within the limit depends on the machine
            let was_given_up = wall["data"]["limit_ms"].is_number();
            assert!(
                was_given_up || !shape["volume_m3"].is_null() || !shape["note"].is_null(),
                "{what}: no shape and no reason: {wall}"
            );
            // what the viewer draws
            let version = loaded["model_version"].as_str().unwrap_or_default();
            let list =
                format!("/api/models/{}/versions/{version}/tileset.json", model.as_str().unwrap_or_default());
            let begun = Instant::now();
            let answer = request(&place.address(), "GET", &list, &[], b"");
            assert!(matches!(answer.status, 200 | 422..), "{what}: {}", answer.text());
            let took = begun.elapsed();
            assert!(took < Duration::from_secs(LIMIT + 15), "{what}: tiles took {took:?}");
            asked(&mut agent, what, "query_elements", &of(json!({"selector": "IfcWall"})));
            asked(&mut agent, what, "validate_model", &of(json!({})));
            asked(&mut agent, what, "delete_elements", &of(json!({"element_ids": ["W"]})));
        }
        let walls = agent.done("query_elements", &json!({"model_id": house, "selector": "IfcWall"}));
        assert_eq!(walls["total"], 0, "{what}: the next call, on another model, is served");
    }
}
