//! An index that follows a scene is the one made of it.

use crate::{
    Scene,
    query::{Element, Index},
    scene::Entry,
    tests::open,
};
use ifc::{Id, Referrers, Value};
use std::{collections::BTreeMap, sync::Arc};

fn wanted(entry: &Entry) -> bool {
    !entry.is_space
}

/// The boxes by number, to a nanometre.
fn boxes(index: &Index) -> BTreeMap<Id, [i64; 6]> {
    let of = |e: &Arc<Element>| {
        let told = |p: glam::DVec3| p.to_array().map(|v| (v * 1e9) as i64);
        let ([x, y, z], [u, v, w]) = (told(e.bounds().min), told(e.bounds().max));
        (e.id(), [x, y, z, u, v, w])
    };
    index.iter().map(of).collect()
}

fn pairs(index: &Index) -> Vec<(Id, Id)> {
    let near = index.near_pairs(None, 0.0, 1 << 20).unwrap();
    near.iter().map(|(a, b)| (a.id(), b.id())).collect()
}

#[test]
fn after_edits_of_a_house_the_index_is_the_one_made_of_the_new_scene() {
    let Some(mut model) = open("Duplex_A_20110907.ifc") else { return };
    let mut scene = Scene::from_model(&model);
    let mut index = Index::of_scene(&scene, &wanted);
    assert!(index.len() > 200);
    for round in 0..6 {
        let mut edit = model.edit();
        let walls = model.of_class("IfcWall");
        if round % 3 == 2 {
            edit.remove_all(&[walls[round]], Referrers::Cascade).unwrap();
        } else {
            let bodies = model.of_class("IfcExtrudedAreaSolid");
            edit.set(bodies[31 * round], "Depth", Value::Real(0.5)).unwrap();
        }
        model = edit.finish().0;
        let next = scene.follow(&model);
        let (before, one) = (index.len(), index.iter().next().unwrap().clone());
        let touched = index.follow_scene(&scene, &next, &wanted);
        assert!(touched < before / 4, "{touched} of {before} were made again");
        let fresh = Index::of_scene(&next, &wanted);
        assert_eq!(boxes(&index), boxes(&fresh), "round {round}");
        assert_eq!(pairs(&index), pairs(&fresh), "round {round}");
        if touched == 0 {
            assert!(Arc::ptr_eq(index.get(one.id()).unwrap(), &one));
        }
        scene = next;
    }
}
