//! Volumes and surfaces that one can work out by hand: round bodies are round, and what is not says so.

use crate::{Basis, NoMeasure, Shaper, measured};
use ifc::{Id, Limits, Model};
use std::f64::consts::{PI, TAU};

/// A proxy `#10` whose one item is `#20`, in millimetres.
fn model(kind: &str, lines: &str) -> Model {
    let text = format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
         FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n\
         #1=IFCPROJECT('0000000000000000000001',$,'P',$,$,$,$,(#3),#2);\n#2=IFCUNITASSIGNMENT((#4,#5));\n\
         #3=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#6,$);\n\
         #4=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n#5=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);\n\
         #6=IFCAXIS2PLACEMENT3D(#7,$,$);\n#7=IFCCARTESIANPOINT((0.,0.,0.));\n#8=IFCDIRECTION((0.,0.,1.));\n\
         #9=IFCLOCALPLACEMENT($,#6);\n\
         #10=IFCBUILDINGELEMENTPROXY('0000000000000000000010',$,$,$,$,#9,#11,$,$);\n\
         #11=IFCPRODUCTDEFINITIONSHAPE($,$,(#12));\n#12=IFCSHAPEREPRESENTATION(#3,'Body','{kind}',(#20));\n\
         {lines}\nENDSEC;\nEND-ISO-10303-21;\n"
    );
    Model::from_bytes(text.into_bytes(), &Limits::default()).unwrap().0
}

fn check(lines: &str, volume: f64, surface: f64, basis: Basis) {
    let model = model("SweptSolid", lines);
    let found = measured(&Shaper::plain(&model), Id(10)).unwrap_or_else(|why| panic!("{lines}: {why}"));
    let near = |a: f64, b: f64| (a - b).abs() < 1e-8 * (1.0 + b);
    assert!(near(found.volume, volume), "{lines}: the volume is {}, not {volume}", found.volume);
    assert!(near(found.surface, surface), "{lines}: the surface is {}, not {surface}", found.surface);
    assert_eq!(found.basis, basis, "{lines}");
}

#[test]
fn extrusions_of_round_profiles_are_as_round_as_their_profiles() {
    let up = "#20=IFCEXTRUDEDAREASOLID(#21,#6,#8,2000.);\n";
    check(
        &format!("{up}#21=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,300.,200.);"),
        0.12,
        2.0 * 0.06 + 2.0,
        Basis::Exact,
    );
    check(
        &format!("{up}#21=IFCCIRCLEPROFILEDEF(.AREA.,$,$,100.);"),
        PI * 0.01 * 2.0,
        2.0 * PI * 0.01 + TAU * 0.1 * 2.0,
        Basis::Exact,
    );
    check(
        &format!("{up}#21=IFCCIRCLEHOLLOWPROFILEDEF(.AREA.,$,$,100.,10.);"),
        PI * (0.01 - 0.0081) * 2.0,
        2.0 * PI * (0.01 - 0.0081) + TAU * 0.19 * 2.0,
        Basis::Exact,
    );
    // a rectangle of 300 × 200 whose corners are rounded by 50
    let area = 0.06 - (4.0 - PI) * 0.0025;
    check(
        &format!("{up}#21=IFCROUNDEDRECTANGLEPROFILEDEF(.AREA.,$,$,300.,200.,50.);"),
        area * 2.0,
        2.0 * area + (0.6 + TAU * 0.05) * 2.0,
        Basis::Exact,
    );
    // half a disk: an arc and its chord
    check(
        &format!(
            "{up}#21=IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#22);\n\
             #22=IFCINDEXEDPOLYCURVE(#23,(IFCARCINDEX((1,2,3)),IFCLINEINDEX((3,1))),.F.);\n\
             #23=IFCCARTESIANPOINTLIST2D(((100.,0.),(0.,100.),(-100.,0.)));"
        ),
        PI * 0.005 * 2.0,
        PI * 0.01 + (PI * 0.1 + 0.2) * 2.0,
        Basis::Exact,
    );
}

#[test]
fn a_leaning_extrusion_has_the_volume_of_an_upright_one() {
    let model = model(
        "SweptSolid",
        "#20=IFCEXTRUDEDAREASOLID(#21,#6,#22,2000.);\n#21=IFCCIRCLEPROFILEDEF(.AREA.,$,$,100.);\n\
         #22=IFCDIRECTION((0.6,0.,0.8));",
    );
    let found = measured(&Shaper::plain(&model), Id(10)).unwrap();
    assert!((found.volume - PI * 0.01 * 1.6).abs() < 1e-9, "{found:?}");
    assert_eq!(found.basis, Basis::Exact);
}

#[test]
fn revolutions_are_as_long_as_the_way_of_their_middle() {
    // a ring of a disk of 50 about an axis 200 away: Pappus
    let ring = |angle: f64| {
        format!(
            "#20=IFCREVOLVEDAREASOLID(#21,#6,#22,{angle:?});\n#21=IFCCIRCLEPROFILEDEF(.AREA.,$,$,50.);\n\
             #22=IFCAXIS1PLACEMENT(#23,#24);\n#23=IFCCARTESIANPOINT((200.,0.,0.));\n#24=IFCDIRECTION((0.,1.,0.));"
        )
    };
    let (area, round) = (PI * 0.0025, TAU * 0.05);
    check(&ring(TAU), area * 0.2 * TAU, round * 0.2 * TAU, Basis::Exact);
    check(&ring(PI / 2.0), area * 0.2 * PI / 2.0, round * 0.2 * PI / 2.0 + 2.0 * area, Basis::Exact);
}

#[test]
fn pipes_along_lines_and_arcs_are_their_section_times_their_way() {
    let section = PI * (0.0025 - 0.0016);
    let pipe = |curve: &str| format!("#20=IFCSWEPTDISKSOLID(#21,50.,40.,$,$);\n{curve}");
    // a metre, a quarter turn of 300 and half a metre
    let way = 1.0 + PI / 2.0 * 0.3 + 0.5;
    check(
        &pipe(
            "#21=IFCINDEXEDPOLYCURVE(#22,(IFCLINEINDEX((1,2)),IFCARCINDEX((2,3,4)),IFCLINEINDEX((4,5))),.F.);\n\
             #22=IFCCARTESIANPOINTLIST3D(((0.,0.,0.),(1000.,0.,0.),(1212.13203435596,87.8679656440357,0.),\
             (1300.,300.,0.),(1300.,800.,0.)));",
        ),
        section * way,
        TAU * 0.09 * way + 2.0 * section,
        Basis::Exact,
    );
    // round a corner, both legs cut by the plane between them
    let corner = |last: f64| {
        pipe(&format!(
            "#21=IFCPOLYLINE((#22,#23,#24));\n#22=IFCCARTESIANPOINT((0.,0.,0.));\n\
             #23=IFCCARTESIANPOINT((1000.,0.,0.));\n#24=IFCCARTESIANPOINT((1000.,{last:?},0.));"
        ))
    };
    check(&corner(1000.0), section * 2.0, TAU * 0.09 * 2.0 + 2.0 * section, Basis::Exact);
    // a ring has no ends
    check(&pipe("#21=IFCCIRCLE(#6,300.);"), section * TAU * 0.3, TAU * 0.09 * TAU * 0.3, Basis::Exact);
    // a leg that is shorter than the bend is wide, and a part of a curve, are measured as they are drawn
    let part = "#20=IFCSWEPTDISKSOLID(#21,50.,40.,0.,1.);\n#21=IFCCIRCLE(#6,300.);".to_owned();
    for lines in [corner(20.0), part] {
        let model = model("AdvancedSweptSolid", &lines);
        let found = measured(&Shaper::plain(&model), Id(10)).unwrap_or_else(|why| panic!("{lines}: {why}"));
        assert_eq!(found.basis, Basis::Chords, "{lines}");
    }
}

#[test]
fn what_an_opening_cuts_is_measured_as_it_was_cut_and_says_so() {
    let opening = "#30=IFCOPENINGELEMENT('0000000000000000000030',$,$,$,$,#9,#31,$,$);\n\
         #31=IFCPRODUCTDEFINITIONSHAPE($,$,(#32));\n#32=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#33));\n\
         #33=IFCEXTRUDEDAREASOLID(#34,#6,#8,500.);\n#34=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,50.,900.);\n\
         #35=IFCRELVOIDSELEMENT('0000000000000000000035',$,$,$,#10,#30);";
    let flat = format!(
        "#20=IFCEXTRUDEDAREASOLID(#21,#6,#8,2000.);\n#21=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,300.,200.);\n{opening}"
    );
    check(
        &flat,
        0.12 - 0.05 * 0.2 * 0.5,
        2.0 * 0.06 + 2.0 - 2.0 * 0.05 * 0.5 + 2.0 * 0.5 * 0.2,
        Basis::Exact,
    );
    let round = model(
        "SweptSolid",
        &format!(
            "#20=IFCEXTRUDEDAREASOLID(#21,#6,#8,2000.);\n#21=IFCCIRCLEPROFILEDEF(.AREA.,$,$,100.);\n{opening}"
        ),
    );
    let found = measured(&Shaper::plain(&round), Id(10)).unwrap();
    assert_eq!(found.basis, Basis::Chords);
    assert!(found.volume < PI * 0.02 - 0.05 * 0.18 * 0.5, "{found:?}");
}

#[test]
fn faces_that_the_file_gives_are_told_from_bodies_that_it_describes() {
    let points = "#21=IFCCARTESIANPOINTLIST3D(((0.,0.,0.),(1000.,0.,0.),(0.,1000.,0.),(0.,0.,1000.)));";
    let closed = model(
        "Tessellation",
        &format!("#20=IFCTRIANGULATEDFACESET(#21,$,.T.,((1,3,2),(1,2,4),(2,3,4),(3,1,4)),$);\n{points}"),
    );
    let found = measured(&Shaper::plain(&closed), Id(10)).unwrap();
    assert!((found.volume - 1.0 / 6.0).abs() < 1e-9 && found.basis == Basis::Faces, "{found:?}");
    let open = model(
        "Tessellation",
        &format!("#20=IFCTRIANGULATEDFACESET(#21,$,$,((1,3,2),(1,2,4),(2,3,4)),$);\n{points}"),
    );
    match measured(&Shaper::plain(&open), Id(10)) {
        Err(NoMeasure::Open { edges: 3, .. }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_open_tube_whose_areas_cancel_is_not_taken_for_a_body() {
    // four sides of a box without floor and ceiling: no net area in any direction
    let tube = model(
        "Tessellation",
        "#20=IFCPOLYGONALFACESET(#21,$,(#22,#23,#24,#25),$);\n\
         #21=IFCCARTESIANPOINTLIST3D(((0.,0.,0.),(1000.,0.,0.),(1000.,1000.,0.),(0.,1000.,0.),\
         (0.,0.,1000.),(1000.,0.,1000.),(1000.,1000.,1000.),(0.,1000.,1000.)));\n\
         #22=IFCINDEXEDPOLYGONALFACE((1,2,6,5));\n#23=IFCINDEXEDPOLYGONALFACE((2,3,7,6));\n\
         #24=IFCINDEXEDPOLYGONALFACE((3,4,8,7));\n#25=IFCINDEXEDPOLYGONALFACE((4,1,5,8));",
    );
    match measured(&Shaper::plain(&tube), Id(10)) {
        Err(NoMeasure::Open { edges: 8, .. }) => {}
        other => panic!("{other:?}"),
    }
}
