//! Drawings that one can read: where things lie on paper, what is filled, what is escaped.

use super::*;
use crate::{math::Bounds, section::Plane, solid::Solid, view};
use glam::{DAffine3, DVec3};
use ifc::Id;

fn boxes() -> Vec<(Id, crate::Mesh)> {
    let cuboid = |min: [f64; 3], max: [f64; 3]| {
        let bounds = Bounds { min: DVec3::from(min), max: DVec3::from(max) };
        Solid::cuboid(&bounds, &DAffine3::IDENTITY).unwrap().mesh()
    };
    vec![(Id(1), cuboid([0.0, 0.0, 0.0], [4.0, 0.2, 3.0])), (Id(2), cuboid([1.0, 1.0, 0.0], [2.0, 2.0, 0.5]))]
}

fn figures(seen: &[Seen]) -> Vec<Figure<'_>> {
    let figure = |seen| Figure {
        seen,
        id: "1ZvctVUKr0kugbFTf53O9L".into(),
        class: "IfcWall".into(),
        name: Some("A <wall> & more".into()),
        cut: Cut::Heavy,
    };
    seen.iter().map(figure).collect()
}

#[test]
fn a_plan_has_its_north_up_its_cut_filled_and_what_is_below_in_lines() {
    let plane = Plane::level(1.0).unwrap();
    let seen = view::of_meshes(&boxes(), &plane, &view::Wanted::default(), &|_, _| true).unwrap();
    let drawing =
        Drawing { title: "Ground floor".into(), scale: 100.0, figures: figures(&seen), ..Drawing::default() };
    let sheet = drawing.sheet().unwrap();
    assert_eq!(sheet.extent, [DVec2::ZERO, DVec2::new(4.0, 2.0)]);
    // four metres are 40 mm at 1:100; a narrow one is as wide as its title needs
    assert_eq!(sheet.size, DVec2::new(76.0, 50.0));
    let svg = &sheet.svg;
    let cut = svg.lines().find(|l| l.contains("data-part=\"cut\"")).unwrap();
    // the wall lies in the south: low on the paper
    assert!(cut.contains("class=\"cut\"") && cut.contains("48 28") && cut.contains("8 26"), "{cut}");
    let below = svg.lines().find(|l| l.contains("data-part=\"seen\"")).unwrap();
    assert!(below.contains("18 8") && below.contains("28 18"), "{below}");
    assert!(svg.contains("A &lt;wall&gt; &amp; more") && !svg.contains("<wall>"));
    assert!(svg.contains("Ground floor  1:100") && svg.contains(">5 m<"));
}

#[test]
fn a_section_has_levels_within_its_height_alone() {
    let plane = Plane::new(DVec3::new(0.0, 0.1, 0.0), DVec3::NEG_Y, DVec3::X).unwrap();
    let seen = view::of_meshes(&boxes(), &plane, &view::Wanted::default(), &|_, _| true).unwrap();
    let level = |height, text: &str| LevelLine { height, text: text.into() };
    let drawing = Drawing {
        scale: 50.0,
        figures: figures(&seen),
        levels: vec![level(0.0, "Ground +0.00"), level(30.0, "Roof")],
        captions: vec![Caption { at: DVec2::new(2.0, 1.5), text: "Küche".into() }],
        ..Drawing::default()
    };
    let svg = drawing.sheet().unwrap().svg;
    assert!(svg.contains("Ground +0.00") && !svg.contains("Roof"), "{svg}");
    assert!(svg.contains("<text class=\"caption\" x=\"48\" y=\"38\">Küche</text>"), "{svg}");
}

#[test]
fn nothing_is_no_drawing() {
    assert!(Drawing { scale: 100.0, ..Drawing::default() }.sheet().is_none());
}
