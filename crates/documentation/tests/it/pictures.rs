//! Drawings of a small made house as they were when somebody looked at them and found them good, as SVG in `snapshots/`: a change of what is
//! drawn shows itself here, to be looked at again and then accepted (`INSTA_UPDATE=always`).

use crate::common::{House, made};
use documentation::drawing::{Kind, Wanted};
use geometry::Scene;
use glam::{DVec2, DVec3};

/// The view as SVG, a line to each element, so that a difference names what differs.
fn picture(scene: &Scene, kind: Kind, scale: f64) -> String {
    let drawing = made(scene, &Wanted::new(kind, scale)).unwrap();
    paper::svg::write(&drawing.page).replace("><", ">\n<")
}

fn ground(scene: &Scene) -> ifc::Id {
    building::lookup::storey(scene.model(), "storey", "Ground").unwrap()
}

#[test]
fn plans_of_a_house_are_those_that_were_looked_at() {
    let scene = House { grid: true, ..House::default() }.scene();
    let storey = ground(&scene);
    insta::assert_snapshot!("plan_50", picture(&scene, Kind::Plan { storey, height: 1.2 }, 50.0));
    insta::assert_snapshot!("plan_200", picture(&scene, Kind::Plan { storey, height: 1.2 }, 200.0));
    insta::assert_snapshot!("ceiling_100", picture(&scene, Kind::CeilingPlan { storey, height: 1.2 }, 100.0));
}

#[test]
fn upright_views_of_a_house_are_those_that_were_looked_at() {
    let scene = House::default().scene();
    let section = Kind::Section { origin: DVec3::new(3.0, 2.0, 1.0), normal: DVec3::NEG_X };
    insta::assert_snapshot!("section_50", picture(&scene, section, 50.0));
    insta::assert_snapshot!("south_100", picture(&scene, Kind::Elevation { direction: DVec2::NEG_Y }, 100.0));
    let corner = Kind::Axonometry { direction: DVec3::new(-1.0, -1.3, 1.0) };
    insta::assert_snapshot!("corner_100", picture(&scene, corner, 100.0));
}
