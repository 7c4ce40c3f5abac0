//! Real models. They are no part of the repository (see the crate `testing`).

use crate::{Scene, csg, cutter, drawable, measure};
use glam::DAffine3;
use ifc::{Limits, Model};

pub(crate) fn open(name: &str) -> Option<Model> {
    Some(Model::open(&testing::model(name)?, &Limits::default()).unwrap().0)
}

#[test]
fn nearly_every_element_of_every_model_is_drawn_and_none_brings_the_rest_down() {
    let Some(models) = testing::data("models") else { return };
    let (mut drawn, mut not) = (0, 0);
    for entry in std::fs::read_dir(models).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "ifc") {
            continue;
        }
        let model = Model::open(&path, &Limits::default()).unwrap().0;
        let scene = Scene::from_model(&model);
        let set = scene.tileset();
        assert_eq!(set.drawn + set.unmeshed.len(), drawable(&model).len(), "{}", path.display());
        assert_eq!(set.tiles.iter().map(|t| t.elements).sum::<usize>(), set.drawn);
        for tile in &set.tiles {
            assert!(scene.glb(&tile.key).unwrap().starts_with(b"glTF"));
        }
        drawn += set.drawn - set.boxes.len();
        not += set.unmeshed.len() + set.boxes.len();
    }
    assert!(drawn > 1500 && not * 100 < drawn, "{drawn} drawn, {not} not");
}

#[test]
fn tiles_depend_on_the_model_alone() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let (a, b) = (Scene::from_model(&model), Scene::from_model(&model));
    let (a, b) = (a.tileset(), b.tileset());
    assert_eq!(a, b);
    assert!(a.unmeshed.is_empty() && a.boxes.is_empty() && a.simplified.is_empty());
}

#[test]
fn rooms_are_as_large_as_their_file_says() {
    let Some(model) = open("AC20-FZK-Haus.ifc") else { return };
    let mut compared = 0;
    for room in model.of_class("IfcSpace") {
        let stated = ["BaseQuantities", "Qto_SpaceBaseQuantities"].iter().find_map(|set| {
            ["NetVolume", "GrossVolume"]
                .iter()
                .find_map(|name| ifc::psets::get(&model, room, set, name)?.as_f64())
        });
        if let Some(stated) = stated {
            let found = measure(&model, room).unwrap();
            assert!(
                found.is_closed() && (found.volume - stated).abs() < 0.01,
                "{room}: {found:?}, stated {stated}"
            );
            compared += 1;
        }
    }
    assert!(compared > 0, "the file states no room's volume");
}

#[test]
fn openings_cut_in_two_dimensions_take_what_a_boolean_of_solids_takes() {
    let mut compared = 0;
    for name in ["Duplex_A_20110907.ifc", "AC20-FZK-Haus.ifc", "SampleHouse4.ifc"] {
        let Some(model) = open(name) else { return };
        let shaper = crate::Shaper::plain(&model);
        for id in drawable(&model) {
            let mut notes = Vec::new();
            let cutters = shaper.openings(id, &DAffine3::IDENTITY, &mut notes);
            let Ok(gross) = shaper.gross_bodies(id) else { continue };
            for body in gross.iter().filter(|b| b.closed && !cutters.is_empty()) {
                let flat = cutter::cut(body, &cutters);
                assert!(flat.refused.is_empty(), "{name} {id}: {:?}", flat.refused);
                let flat = flat.left.as_ref().unwrap_or(body).volume();
                let taken: Vec<_> =
                    cutters.iter().filter_map(|c| c.within(&body.bounds()).unwrap()).collect();
                let solid = csg::less(body, &taken.iter().collect::<Vec<_>>()).unwrap().volume();
                assert!((flat - solid).abs() < 1e-5 * body.volume(), "{name} {id}: {flat}, {solid}");
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "{compared} compared");
}
