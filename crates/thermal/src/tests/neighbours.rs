//! Neighbouring houses: what they shade, and walls that stand against them. The neighbour is written into the text of a real file.

use super::{converted, near, surface_area};
use crate::Converted;
use glam::DVec3;

/// The house with a box of these corners beside it, in metres of the file's world, as a proxy that `name` names.
fn with_box(name: &str, low: DVec3, high: DVec3) -> Option<ifc::Model> {
    let text = std::fs::read(testing::model("AC20-FZK-Haus.ifc")?).unwrap();
    let text = String::from_utf8_lossy(&text).into_owned();
    let size = high - low;
    let (x, y) = (low.x + size.x / 2.0, low.y + size.y / 2.0);
    let real = |v: f64| format!("{v:.6}");
    let added = [
        format!("#9900001=IFCCARTESIANPOINT(({},{},{}));", real(x), real(y), real(low.z)),
        "#9900002=IFCAXIS2PLACEMENT3D(#9900001,$,$);".to_owned(),
        "#9900003=IFCLOCALPLACEMENT($,#9900002);".to_owned(),
        format!("#9900004=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,{},{});", real(size.x), real(size.y)),
        "#9900005=IFCDIRECTION((0.,0.,1.));".to_owned(),
        format!("#9900006=IFCEXTRUDEDAREASOLID(#9900004,$,#9900005,{});", real(size.z)),
        "#9900007=IFCSHAPEREPRESENTATION(#62,'Body','SweptSolid',(#9900006));".to_owned(),
        "#9900008=IFCPRODUCTDEFINITIONSHAPE($,$,(#9900007));".to_owned(),
        format!(
            "#9900009=IFCBUILDINGELEMENTPROXY('0000000000000000000001',#12,'{name}',$,$,#9900003,#9900008,$,$);"
        ),
    ];
    let at = text.rfind("ENDSEC;").unwrap();
    let text = format!("{}{}\n{}", &text[..at], added.join("\n"), &text[at..]);
    let path = std::env::temp_dir().join(format!("thermal-{name}-{}.ifc", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let model = ifc::Model::open(&path, &ifc::Limits::default()).unwrap().0;
    let _ = std::fs::remove_file(&path);
    Some(model)
}

/// The box around the outer walls of the house, in metres.
fn around(converted: &Converted) -> (DVec3, DVec3) {
    let surfaces = converted.epjson["BuildingSurface:Detailed"].as_object().unwrap();
    let outer = surfaces.values().filter(|s| s["outside_boundary_condition"] == "Outdoors");
    let point = |v: &serde_json::Value| {
        DVec3::from(["x", "y", "z"].map(|a| v[format!("vertex_{a}_coordinate")].as_f64().unwrap()))
    };
    let points = outer.flat_map(|s| s["vertices"].as_array().unwrap().iter().map(point).collect::<Vec<_>>());
    points.fold((DVec3::MAX, DVec3::MIN), |(low, high), p| (low.min(p), high.max(p)))
}

fn outdoors(converted: &Converted) -> f64 {
    surface_area(converted, false, |s| s.boundary == "Outdoors" && s.kind == "Wall")
}

#[test]
fn a_neighbours_house_shades_with_its_sides_and_its_top_and_touches_nothing() {
    let Some(plain) = super::model("AC20-FZK-Haus.ifc") else { return };
    let plain = converted(&plain);
    let (low, high) = around(&plain);
    let Some(model) =
        with_box("Nachbar", DVec3::new(high.x + 6.0, low.y, 0.0), DVec3::new(high.x + 14.0, high.y, 7.0))
    else {
        return;
    };
    let beside = converted(&model);
    assert_eq!(beside.counts.shading, plain.counts.shading + 5);
    assert!(near(outdoors(&beside), outdoors(&plain), 1e-9));
}

#[test]
fn a_wall_against_a_neighbours_house_is_adiabatic_and_says_so() {
    let Some(plain) = super::model("AC20-FZK-Haus.ifc") else { return };
    let plain = converted(&plain);
    let (low, high) = around(&plain);
    // the outer walls are 0.3 m thick, inner faces stand that much within
    let Some(model) = with_box(
        "Anbau",
        DVec3::new(high.x + 0.3, low.y - 1.0, -1.0),
        DVec3::new(high.x + 8.0, high.y + 1.0, 9.0),
    ) else {
        return;
    };
    let against = converted(&model);
    let lost = outdoors(&plain) - outdoors(&against);
    let east =
        surface_area(&plain, false, |s| s.boundary == "Outdoors" && s.kind == "Wall" && s.normal[0] > 0.99);
    assert!(east > 10.0 && near(lost, east, 1e-6), "{lost} m² of {east} m²");
    let said =
        against.assumptions.iter().find(|a| a.what == "boundary" && a.source.contains("neighbour's body"));
    assert!(said.is_some_and(|a| a.value == "adiabatic" && a.correct.is_some()), "{:?}", against.assumptions);
}
