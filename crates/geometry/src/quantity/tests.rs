//! Elements whose quantities one can work out by hand, and real models against what their authors stored.

use super::*;
use ifc::Limits;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn model(lines: &str) -> Model {
    let text = format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
         FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n\
         #1=IFCPROJECT('0000000000000000000001',$,'P',$,$,$,$,(#3),#2);\n\
         #2=IFCUNITASSIGNMENT((#4));\n\
         #3=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#6,$);\n\
         #4=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n\
         #6=IFCAXIS2PLACEMENT3D(#7,$,$);\n#7=IFCCARTESIANPOINT((0.,0.,0.));\n\
         #8=IFCCARTESIANPOINT((1000.,2000.,500.));\n#9=IFCDIRECTION((0.8,0.6,0.));\n\
         #11=IFCLOCALPLACEMENT($,#13);\n#12=IFCPRODUCTDEFINITIONSHAPE($,$,(#14));\n\
         #13=IFCAXIS2PLACEMENT3D(#8,#15,#9);\n#14=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#20));\n\
         #15=IFCDIRECTION((0.,0.,1.));\n{lines}\nENDSEC;\nEND-ISO-10303-21;\n"
    );
    Model::from_bytes(text.into_bytes(), &Limits::default()).unwrap().0
}

/// An outline in mm, extruded upwards, as the body `#20`.
fn body(points: &str, depth: f64) -> String {
    format!(
        "#16=IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#17);\n#17=IFCINDEXEDPOLYCURVE(#18,$,.F.);\n\
         #18=IFCCARTESIANPOINTLIST2D(({points}));\n#20=IFCEXTRUDEDAREASOLID(#16,$,#15,{depth:?});\n"
    )
}

/// An opening `#30` in `#10`: at a corner, x by y by z, in mm of the element.
fn opening(at: [f64; 3], [x, y, z]: [f64; 3]) -> String {
    let middle = [at[0] + x / 2.0, at[1] + y / 2.0, at[2]];
    format!(
        "#30=IFCOPENINGELEMENT('0000000000000000000030',$,$,$,$,#31,#34,$,$);\n\
         #31=IFCLOCALPLACEMENT(#11,#32);\n#32=IFCAXIS2PLACEMENT3D(#33,$,$);\n\
         #33=IFCCARTESIANPOINT(({:?},{:?},{:?}));\n\
         #34=IFCPRODUCTDEFINITIONSHAPE($,$,(#35));\n\
         #35=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#36));\n\
         #36=IFCEXTRUDEDAREASOLID(#37,$,#15,{z:?});\n#37=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,{x:?},{y:?});\n\
         #38=IFCRELVOIDSELEMENT('0000000000000000000038',$,$,$,#10,#30);\n",
        middle[0], middle[1], middle[2]
    )
}

fn check(model: &Model, id: u32, expected: &[(&str, f64)]) {
    let found = base_quantities(&Shaper::plain(model), Id(id)).unwrap().unwrap();
    let names: Vec<&str> = found.values.iter().map(|q| q.name).collect();
    for (name, value) in expected {
        let own = found.get(name).unwrap_or_else(|| panic!("{name} is not among {names:?}"));
        assert!((own - value).abs() < 1e-6 * (1.0 + value), "{name} is {own}, not {value}");
    }
    assert_eq!(names.len(), expected.len(), "{names:?}");
}

#[test]
fn a_wall_with_a_window_and_mitred_ends() {
    // 7 m outside and 6.6 m inside, 0.2 thick: 6.8 along the middle
    let text = "#10=IFCWALL('0000000000000000000010',$,$,$,$,#11,#12,$,$);\n".to_owned()
        + &body("(0.,0.),(7000.,0.),(6800.,200.),(200.,200.)", 3000.0)
        + &opening([1000.0, -50.0, 900.0], [1000.0, 300.0, 1200.0]);
    let model = model(&text);
    check(
        &model,
        10,
        &[
            ("Length", 6.8),
            ("Width", 0.2),
            ("Height", 3.0),
            ("GrossFootprintArea", 1.36),
            ("NetFootprintArea", 1.36),
            ("GrossSideArea", 20.4),
            ("NetSideArea", 19.2),
            ("GrossVolume", 4.08),
            ("NetVolume", 3.84),
        ],
    );
    // deeper than the wall: only what the wall loses counts
    check(&model, 30, &[("Width", 1.0), ("Height", 1.2), ("Depth", 0.2), ("Area", 1.2), ("Volume", 0.24)]);
}

#[test]
fn a_slab_with_a_shaft() {
    let text = "#10=IFCSLAB('0000000000000000000010',$,$,$,$,#11,#12,$,$);\n".to_owned()
        + &body("(0.,0.),(5000.,0.),(5000.,4000.),(0.,4000.)", 250.0)
        + &opening([1000.0, 1000.0, -10.0], [2000.0, 1000.0, 300.0]);
    let model = model(&text);
    check(
        &model,
        10,
        &[
            ("Width", 0.25),
            ("Length", 5.0),
            ("Depth", 4.0),
            ("Perimeter", 18.0),
            ("GrossArea", 20.0),
            ("NetArea", 18.0),
            ("GrossVolume", 5.0),
            ("NetVolume", 4.5),
        ],
    );
}

#[test]
fn a_room_in_the_shape_of_an_l() {
    let text = "#10=IFCSPACE('0000000000000000000010',$,$,$,$,#11,#12,$,$,.INTERNAL.,$);\n".to_owned()
        + &body("(0.,0.),(5000.,0.),(5000.,2000.),(2000.,2000.),(2000.,4000.),(0.,4000.)", 2500.0);
    check(
        &model(&text),
        10,
        &[
            ("Height", 2.5),
            ("GrossPerimeter", 18.0),
            ("GrossFloorArea", 14.0),
            ("NetFloorArea", 14.0),
            ("GrossWallArea", 45.0),
            ("GrossCeilingArea", 14.0),
            ("NetCeilingArea", 14.0),
            ("GrossVolume", 35.0),
            ("NetVolume", 35.0),
        ],
    );
}

#[test]
fn a_column_has_a_length_and_a_cross_section() {
    let text = "#10=IFCCOLUMN('0000000000000000000010',$,$,$,$,#11,#12,$,$);\n".to_owned()
        + &body("(0.,0.),(300.,0.),(300.,400.),(0.,400.)", 250.0);
    check(
        &model(&text),
        10,
        &[
            ("Length", 0.25),
            ("CrossSectionArea", 0.12),
            ("OuterSurfaceArea", 0.35),
            ("GrossSurfaceArea", 0.59),
            ("NetSurfaceArea", 0.59),
            ("GrossVolume", 0.03),
            ("NetVolume", 0.03),
        ],
    );
}

#[test]
fn a_round_wall_is_measured_as_a_strip() {
    let arc = |r: f64, turned: bool| -> Vec<String> {
        let at = |i: u32| f64::from(if turned { 90 - i } else { i }).to_radians();
        (0..=90).map(|i| format!("({:.6},{:.6})", r * at(i).cos(), r * at(i).sin())).collect()
    };
    let points = [arc(5100.0, false), arc(4900.0, true)].concat().join(",");
    let text =
        "#10=IFCWALL('0000000000000000000010',$,$,$,$,#11,#12,$,$);\n".to_owned() + &body(&points, 3000.0);
    let found = base_quantities(&Shaper::plain(&model(&text)), Id(10)).unwrap().unwrap();
    let length = std::f64::consts::FRAC_PI_2 * 5.0;
    assert!((found.get("Length").unwrap() - length).abs() < 1e-3, "{found:?}");
    assert!((found.get("Width").unwrap() - 0.2).abs() < 1e-3);
    assert!((found.get("GrossSideArea").unwrap() - 3.0 * length).abs() < 1e-2);
    assert_eq!(found.values[0].found, Found::Strip);
}

#[test]
fn a_door_is_as_large_as_it_says_and_what_is_no_building_part_has_no_set() {
    let text = "#10=IFCDOOR('0000000000000000000010',$,$,$,$,#11,$,$,2100.,900.,$,$,$);\n\
        #40=IFCFURNITURE('0000000000000000000040',$,$,$,$,#11,#12,$,$);\n"
        .to_owned()
        + &body("(0.,0.),(300.,0.),(300.,400.),(0.,400.)", 250.0);
    let model = model(&text);
    check(&model, 10, &[("Width", 0.9), ("Height", 2.1), ("Perimeter", 6.0), ("Area", 1.89)]);
    assert_eq!(base_quantities(&Shaper::plain(&model), Id(40)), Ok(None));
}

/// Stored values that are not what we measure: the file, what the set is for, the quantities with how many of them, and why.
type Known = (&'static str, &'static str, &'static [(&'static str, usize)], &'static str);

const KNOWN: &[Known] = &[
    ("AC11-FZK-Haus.ifc", "Beam", &[("OuterSurfaceArea", 6)], "the file counts only some of the sides"),
    ("AC11-FZK-Haus.ifc", "Column", &[("Length", 1)], "the file gives the length before the roof cuts it"),
    (
        "AC11-FZK-Haus.ifc",
        "Slab",
        &[("GrossArea", 2), ("Perimeter", 2), ("Width", 2)],
        "the file measures leaning slabs upright and on the ground",
    ),
    (
        "AC11-FZK-Haus.ifc",
        "Slab",
        &[("NetArea", 3)],
        "the file measures leaning slabs upright and on the ground; and leaves the stair's opening in",
    ),
    ("AC11-FZK-Haus.ifc", "Slab", &[("NetVolume", 1)], "the file leaves the stair's opening in"),
    (
        "AC11-FZK-Haus.ifc",
        "Wall",
        &[("GrossFootprintArea", 1)],
        "at odds with the file's own volume and width",
    ),
    (
        "AC11-FZK-Haus.ifc",
        "Wall",
        &[("GrossSideArea", 13), ("Length", 13), ("NetSideArea", 13)],
        "the file measures along the outer face",
    ),
    (
        "AC11-FZK-Haus.ifc",
        "Wall",
        &[("GrossVolume", 2), ("Height", 4)],
        "the file takes what the roof cuts off for part of the wall",
    ),
    (
        "AC20-FZK-Haus.ifc",
        "OpeningElement",
        &[("Volume", 16)],
        "the file gives the volume of what fills the opening",
    ),
    (
        "AC20-FZK-Haus.ifc",
        "Slab",
        &[("Perimeter", 1)],
        "the file counts the edges of the stair's opening too",
    ),
    (
        "AC20-FZK-Haus.ifc",
        "Space",
        &[("GrossCeilingArea", 1)],
        "the file takes the attic for a block under a level ceiling",
    ),
    (
        "AC20-FZK-Haus.ifc",
        "Space",
        &[("GrossVolume", 1)],
        "the file takes the attic for a block under a level ceiling; its NetVolume is ours",
    ),
    ("AC20-FZK-Haus.ifc", "Space", &[("GrossWallArea", 3)], "the file leaves out a side of the room"),
    (
        "AC20-FZK-Haus.ifc",
        "Space",
        &[("NetCeilingArea", 6), ("NetFloorArea", 6)],
        "the file takes off three per cent for plaster",
    ),
    (
        "AC20-FZK-Haus.ifc",
        "Wall",
        &[("GrossSideArea", 5), ("NetSideArea", 5)],
        "at odds with the file's own volume and width",
    ),
    ("ExampleHOM.ifc", "Door", &[("Area", 9)], "the file's area is not its width by its height"),
    ("ExampleHOM.ifc", "Slab", &[("Depth", 5), ("Width", 6)], "the file swaps width and depth"),
    (
        "ExampleHOM.ifc",
        "Slab",
        &[("GrossArea", 1)],
        "the file multiplies length and width of a triangular strip",
    ),
    ("ExampleHOM.ifc", "Slab", &[("NetArea", 1)], "as its gross area"),
    (
        "ExampleHOM.ifc",
        "Space",
        &[("GrossCeilingArea", 1), ("NetCeilingArea", 1)],
        "the file's ceiling is smaller than the floor under it",
    ),
    (
        "ExampleHOM.ifc",
        "Wall",
        &[("Length", 2), ("Width", 2)],
        "a wall shorter than thick: the file has length and width the other way round",
    ),
    ("ExampleHOM.ifc", "Wall", &[("NetFootprintArea", 8)], "the file takes doors off the footprint"),
    ("ExampleHOM.ifc", "Wall", &[("NetVolume", 1)], "IfcOpenShell measures what we do"),
    ("LargeBuilding.ifc", "Door", &[("Area", 18)], "the file's area is not its width by its height"),
    (
        "LargeBuilding.ifc",
        "Door",
        &[("Height", 2), ("Width", 2)],
        "the file's set and its OverallWidth differ",
    ),
    (
        "LargeBuilding.ifc",
        "OpeningElement",
        &[("Height", 60), ("Width", 60)],
        "the file swaps width and height",
    ),
    ("LargeBuilding.ifc", "Slab", &[("GrossArea", 1), ("GrossVolume", 4)], "the file mixes up its units"),
    ("LargeBuilding.ifc", "Slab", &[("NetArea", 4)], "the file gives the whole surface"),
    (
        "LargeBuilding.ifc",
        "Space",
        &[("GrossPerimeter", 8), ("GrossVolume", 8)],
        "the file mixes up its units",
    ),
    ("LargeBuilding.ifc", "Wall", &[("NetSideArea", 18), ("NetVolume", 18)], "the file mixes up its units"),
    ("LargeBuilding.ifc", "Window", &[("Area", 42)], "the file's area is not its width by its height"),
    ("SampleHouse4.ifc", "Door", &[("Area", 3)], "the file's area is not its width by its height"),
    ("SampleHouse4.ifc", "OpeningElement", &[("Height", 7), ("Width", 7)], "the file swaps width and height"),
    ("SampleHouse4.ifc", "Slab", &[("GrossVolume", 2)], "the file mixes up its units"),
    (
        "SampleHouse4.ifc",
        "Wall",
        &[("GrossSideArea", 1), ("GrossVolume", 1)],
        "the file leaves out what its openings cut off",
    ),
    ("SampleHouse4.ifc", "Window", &[("Area", 4)], "the file's area is not its width by its height"),
    (
        "basic_demo.ifc",
        "Beam",
        &[("CrossSectionArea", 9)],
        "larger than the file's volume and our length allow",
    ),
    (
        "basic_demo.ifc",
        "Beam",
        &[("GrossSurfaceArea", 4), ("GrossVolume", 3), ("Length", 4), ("OuterSurfaceArea", 3)],
        "the file states a shorter beam than it draws; its NetVolume is ours",
    ),
    (
        "basic_demo.ifc",
        "Column",
        &[("CrossSectionArea", 9)],
        "larger than the file's volume and our length allow",
    ),
    ("basic_demo.ifc", "OpeningElement", &[("Height", 12), ("Width", 12)], "the file swaps width and height"),
    (
        "basic_demo.ifc",
        "Wall",
        &[("GrossSideArea", 5), ("GrossVolume", 5)],
        "the file's gross values are not above its net ones",
    ),
    (
        "kalkzandsteen.ifc",
        "Wall",
        &[("GrossSideArea", 38), ("GrossVolume", 34)],
        "the openings are cut into the brep, and no gross shape is left to measure",
    ),
    (
        "kalkzandsteen.ifc",
        "Wall",
        &[("NetSideArea", 4)],
        "the shape changes across the wall, and the file measures elsewhere than midway",
    ),
    (
        "wall_door_column_4x3.ifc",
        "Column",
        &[("CrossSectionArea", 1)],
        "larger than the file's volume and our length allow",
    ),
    (
        "wall_door_column_4x3.ifc",
        "Door",
        &[("Area", 1), ("Height", 1), ("Width", 1)],
        "the file's set and its OverallWidth differ",
    ),
    (
        "wall_door_column_4x3.ifc",
        "Wall",
        &[("GrossSideArea", 1), ("GrossVolume", 1)],
        "the file leaves out what its openings cut off",
    ),
];

#[test]
fn quantities_are_those_that_the_files_store() {
    let Some(models) = testing::data("models") else { return };
    let (mut compared, mut off) = (0, BTreeMap::<(String, &str, &str), Vec<String>>::new());
    let names: BTreeSet<&str> = KNOWN.iter().map(|k| k.0).collect();
    for name in names {
        let model = Model::open(&models.join(name), &Limits::default()).unwrap().0;
        let shaper = Shaper::plain(&model);
        let all: Vec<Quantities> = model
            .of_class("IfcProduct")
            .par_iter()
            .filter_map(|id| base_quantities(&shaper, *id).ok().flatten())
            .collect();
        for quantities in &all {
            for c in compare(&model, quantities) {
                compared += 1;
                // files round to a thousandth
                if c.deviation() > 0.01 && (c.measured.value - c.stored).abs() > 1e-3 {
                    let row = off.entry((name.to_owned(), quantities.set, c.measured.name)).or_default();
                    row.push(format!("{}: {} for {}", quantities.element, c.measured.value, c.stored));
                }
            }
        }
    }
    for ((file, set, name), rows) in &off {
        let listed = KNOWN.iter().any(|(f, kind, names, _)| {
            f == file && *set == format!("Qto_{kind}BaseQuantities") && names.contains(&(*name, rows.len()))
        });
        assert!(listed, "{file} {set} {name} {}: {rows:?}", rows.len());
    }
    let listed: usize = KNOWN.iter().map(|k| k.2.len()).sum();
    assert_eq!(off.len(), listed, "a difference that is listed is gone");
    assert!(compared > 3000, "{compared}");
}
