//! Real models in every form.

use super::{again, models};
use crate::*;
use geometry::{Scene, Shaper};
use std::sync::Arc;

#[test]
fn real_models_cut_to_each_view_pass_its_table_and_keep_their_shapes() {
    for (name, model) in
        models(&["Text2BIM_sample_model.ifc", "wall_door_column_4x3.ifc", "IfcOpenHouse_IFC4.ifc"])
    {
        let shaper = Shaper::plain(&model);
        for view in View::all() {
            let (made, report) = apply(&model, view).unwrap();
            assert_eq!(check(&made, view), [], "{name} as {}: {:#?}", view.name, report.lines());
            let made = again(&made);
            let after = Shaper::plain(&made);
            let mut compared = 0;
            for id in made.of_class("IfcElement") {
                let Some(guid) = made.get(id).and_then(|i| i.guid()) else { continue };
                let Some(old) = model.by_guid(&guid) else { continue };
                let (Ok(a), Ok(b)) = (shaper.element(old), after.element(id)) else {
                    assert!(shaper.element(old).is_err(), "{name} as {}: {guid} lost its shape", view.name);
                    continue;
                };
                compared += 1;
                let (a, b) = (a.bounds(), b.bounds());
                let most = (a.min - b.min).abs().max_element().max((a.max - b.max).abs().max_element());
                assert!(most < 1e-3, "{name} as {}: {guid} differs by {most} m", view.name);
            }
            assert!(compared > 0, "{name} as {}", view.name);
        }
    }
}

#[test]
fn real_models_are_split_so_that_every_product_is_in_one_part() {
    for (name, model) in models(&["AC20-FZK-Haus.ifc", "Duplex_Electrical.ifc"]) {
        for parts in [split_by_storey(&model).unwrap(), split_by_discipline(&model).unwrap()] {
            assert!(!parts.is_empty(), "{name}");
            let mut seen = std::collections::HashSet::new();
            for part in &parts {
                let cut = again(&part.subset.model);
                for id in cut.of_class("IfcElement") {
                    let guid = cut.get(id).and_then(|i| i.guid()).unwrap();
                    assert!(seen.insert(guid.clone()), "{name}: {guid} is in two parts");
                }
            }
            assert_eq!(seen.len(), model.of_class("IfcElement").len(), "{name}");
        }
    }
}

#[test]
fn real_models_are_written_in_every_form() {
    for (name, model) in models(&["AC20-FZK-Haus.ifc", "basic_demo.ifc"]) {
        let scene = Scene::from_model(&model);
        let made = gltf(&scene, GltfForm::Binary).unwrap();
        assert!(made.nodes > 10 && made.triangles > 100, "{name}");
        assert!(obj(&scene, &name).unwrap().elements > 10, "{name}");
        let rooms = gbxml(&scene).unwrap();
        assert!(rooms.spaces > 0 && rooms.surfaces > 4 * rooms.spaces, "{name}: {rooms:?}");
        assert_eq!(tables(&model, true).unwrap().files.len(), 5);
    }
}

#[test]
fn what_is_selected_of_shapes_is_shown_alone_and_stays_what_it_is_in_the_whole() {
    for (_, model) in models(&["AC20-FZK-Haus.ifc"]) {
        let scene = || Some(Arc::new(Scene::from_model(&model)));
        let asker = Asker { scene: &scene, wanted: &|| true };
        let made = |format: Format, selector: &str, split: Option<Split>| {
            let selector = Some(selector.to_owned());
            let asked = Export { name: "house".to_owned(), format, selector, split, ..Export::default() };
            export(&model, &[], &asked, asker).unwrap()
        };
        let text = |made: &Exported| String::from_utf8(made.file.bytes.clone()).unwrap();
        let walls = text(&made(Format::Gltf, "IfcWall", None));
        assert_eq!(walls.matches("\"mesh\":").count(), model.of_class("IfcWall").len());
        assert!(
            !walls.contains("\"class\":\"IfcDoor\"") && walls.contains("\"class\":\"IfcBuildingStorey\"")
        );
        let counts = |text: &str| {
            ["InteriorWall\"", "ExteriorWall\"", "<Opening ", "<Space "]
                .map(|words| text.matches(words).count())
        };
        let whole = counts(&text(&made(Format::GbXml, "IfcSpace", None)));
        assert_eq!(whole, counts(&String::from_utf8(gbxml(&scene().unwrap()).unwrap().bytes).unwrap()));
        let one = text(&made(Format::GbXml, "IfcSpace, LongName=\"Schlafzimmer\"", None));
        let [inner, outer, openings, spaces] = counts(&one);
        assert_eq!(spaces, 1);
        assert!(inner > 0 && outer > 0 && inner + outer < whole[0] + whole[1] && openings > 1, "{one}");
        // no surface names a room that is not there
        let rooms: Vec<&str> =
            one.split("spaceIdRef=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(!rooms.is_empty() && rooms.iter().all(|room| one.contains(&format!("<Space id=\"{room}\""))));
        let split = made(Format::GbXml, "IfcSpace", Some(Split::Storey));
        assert_eq!(split.parts.iter().map(|part| part.1).sum::<usize>(), model.of_class("IfcSpace").len());
        let none =
            Export { selector: Some("IfcWall".to_owned()), format: Format::GbXml, ..Export::default() };
        assert!(matches!(export(&model, &[], &none, asker), Err(ExchangeError::Nothing(_))));
    }
}
