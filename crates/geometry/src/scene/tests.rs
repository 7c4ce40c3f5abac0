//! Scenes after edits are those made whole.

use super::Scene;
use crate::tests::open;
use ifc::{Edit, Id, Model, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A small generator of numbers that look random and are the same each time (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        of.get(self.below(of.len())).copied()
    }
}

/// Every number in an attribute moved a little.
fn jiggled(value: &Value, by: f64) -> Value {
    match value {
        Value::Real(v) => Value::Real(v * (1.0 + by * 0.01) + by * 0.1),
        Value::List(list) => Value::list(list.iter().map(|v| jiggled(v, by))),
        other => other.clone(),
    }
}

const NUMBERS: [(&str, &str); 9] = [
    ("IfcCartesianPoint", "Coordinates"),
    ("IfcDirection", "DirectionRatios"),
    ("IfcExtrudedAreaSolid", "Depth"),
    ("IfcRectangleProfileDef", "XDim"),
    ("IfcCircleProfileDef", "Radius"),
    ("IfcColourRgb", "Red"),
    ("IfcSurfaceStyleRendering", "Transparency"),
    ("IfcBuildingStorey", "Elevation"),
    ("IfcMaterialLayer", "LayerThickness"),
];

const RELATIONS: [(&str, &str); 5] = [
    ("IfcRelContainedInSpatialStructure", "RelatedElements"),
    ("IfcRelAggregates", "RelatedObjects"),
    ("IfcRelAssociatesMaterial", "RelatedObjects"),
    ("IfcRelDefinesByType", "RelatedObjects"),
    ("IfcPresentationLayerAssignment", "AssignedItems"),
];

/// One edit of some kind; not all find something to do.
fn any_edit(edit: &mut Edit, dice: &mut Dice) -> Option<&'static str> {
    let model = edit.model().clone();
    let by = dice.below(21) as f64 - 10.0;
    match dice.below(10) {
        0..=4 => {
            let (class, attribute) = dice.one(&NUMBERS)?;
            let id = dice.one(&model.of_class(class))?;
            let value = jiggled(&model.get(id)?.attr(attribute), by);
            edit.set(id, attribute, value).ok()?;
            Some(class)
        }
        5 => {
            // a member goes from one relation to another
            let (class, attribute) = dice.one(&RELATIONS)?;
            let all = model.of_class(class);
            let (from, to) = (dice.one(&all)?, dice.one(&all)?);
            let member = dice.one(&model.get(from)?.references(attribute))?;
            edit.remove_from(from, attribute, member).ok()?;
            edit.add_to(to, attribute, member).ok()?;
            Some(class)
        }
        6 => {
            let class =
                ["IfcRelVoidsElement", "IfcStyledItem", "IfcRelAssociatesMaterial", "IfcRelFillsElement"];
            let class = dice.one(&class)?;
            edit.remove(dice.one(&model.of_class(class))?).ok()?;
            Some(class)
        }
        7 => {
            let product = dice.one(&model.of_class("IfcElement"))?;
            edit.remove_all(&[product], ifc::Referrers::Cascade).ok()?;
            Some("IfcElement")
        }
        8 => {
            // one more of the same, elsewhere in the list
            let product = model.get(dice.one(&model.of_class("IfcBuildingElement"))?)?;
            let attributes: Vec<(&str, Value)> =
                ["ObjectPlacement", "Representation", "Name"].map(|name| (name, product.attr(name))).into();
            let copy = edit.create(product.class_name(), &attributes).ok()?;
            let class = ["IfcRelContainedInSpatialStructure", "IfcRelAssociatesMaterial"];
            let class = dice.one(&class)?;
            let relation = dice.one(&model.of_class(class))?;
            let members = model.get(relation)?.is_a("IfcRelAssociatesMaterial");
            edit.add_to(relation, if members { "RelatedObjects" } else { "RelatedElements" }, copy).ok()?;
            Some("copy")
        }
        _ => {
            // an opening in another host, a shape of another, a colour for an item
            let item = dice.one(&model.of_class("IfcExtrudedAreaSolid"))?;
            let style = dice.one(&model.of_class("IfcStyledItem"))?;
            let styles = model.get(style)?.attr("Styles");
            edit.create("IfcStyledItem", &[("Item", item.into()), ("Styles", styles)]).ok()?;
            let wall = dice.one(&model.of_class("IfcWall"))?;
            if let Some(voids) = dice.one(&model.of_class("IfcRelVoidsElement")) {
                edit.set(voids, "RelatingBuildingElement", wall).ok()?;
            }
            Some("restyled and revoided")
        }
    }
}

/// Tile keys, members and notes: what two scenes of one state must share.
fn same(scene: &Scene, model: &Model, known: &mut BTreeSet<String>, what: &str) {
    let fresh = Scene::from_model(model);
    let by_id =
        |s: &Scene| s.entries().iter().map(|e| (e.id, (e.digest, e.storey))).collect::<BTreeMap<Id, _>>();
    let (a, b) = (by_id(scene), by_id(&fresh));
    let ids: BTreeSet<Id> = a.keys().chain(b.keys()).copied().collect();
    let differing: Vec<Id> = ids.into_iter().filter(|id| a.get(id) != b.get(id)).collect();
    assert!(differing.is_empty(), "after {what}: {differing:?} differ");
    assert_eq!(scene.tileset(), fresh.tileset(), "after {what}");
    for tile in fresh.tileset().tiles.iter().filter(|t| known.insert(t.key.clone())) {
        assert!(scene.glb(&tile.key) == fresh.glb(&tile.key), "the tile {} differs after {what}", tile.key);
    }
}

fn random_edits(name: &str, seed: u64, edits: usize) {
    let Some(mut model) = open(name) else { return };
    let mut scene = Scene::from_model(&model);
    let mut dice = Dice(seed);
    let (mut made, mut known) = (0, BTreeSet::new());
    for round in 0..edits * 3 {
        let mut edit = model.edit();
        let mut what = Vec::new();
        for _ in 0..=dice.below(3) {
            what.extend(any_edit(&mut edit, &mut dice));
        }
        if what.is_empty() {
            continue;
        }
        model = edit.finish().0;
        scene = scene.follow(&model);
        same(&scene, &model, &mut known, &format!("round {round} of {name}: {what:?}"));
        made += 1;
        if made == edits {
            break;
        }
    }
    assert!(made >= edits / 2, "{made} edits were made");
}

#[test]
fn after_random_edits_of_a_house_the_scene_is_the_one_made_whole() {
    random_edits("AC20-FZK-Haus.ifc", 0x5eed, 40);
}

#[test]
fn after_random_edits_of_a_model_of_mapped_items_the_scene_is_the_one_made_whole() {
    random_edits("Duplex_A_20110907.ifc", 0xabcde, 40);
}

#[test]
fn what_does_not_touch_a_shape_makes_no_shape_again() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let scene = Scene::from_model(&model);
    let mut edit = model.edit();
    let history = model.of_class("IfcOwnerHistory")[0];
    edit.set(history, "CreationDate", Value::Integer(1)).unwrap();
    let property = model.of_class("IfcPropertySingleValue")[0];
    edit.set(property, "Name", "Other").unwrap();
    let after = edit.finish().0;
    let next = scene.follow(&after);
    assert!(scene.entries().iter().zip(next.entries()).all(|(a, b)| std::sync::Arc::ptr_eq(a, b)));
    assert_eq!(scene.tileset(), next.tileset());
}

#[test]
fn a_scene_without_room_for_triangles_writes_the_same_tiles() {
    let Some(model) = open("AC20-FZK-Haus.ifc") else { return };
    let (roomy, tight) = (Scene::from_model(&model), Scene::made(&model, 10_000, &|_, _| true).unwrap());
    assert!(tight.weight() < roomy.weight() / 2);
    assert_eq!(roomy.tileset(), tight.tileset());
    for tile in &roomy.tileset().tiles {
        assert_eq!(roomy.glb(&tile.key), tight.glb(&tile.key));
    }
}

#[test]
fn making_a_scene_can_be_ended() {
    let Some(model) = open("AC20-FZK-Haus.ifc") else { return };
    assert!(Scene::made(&model, 1 << 30, &|done, _| done < 5).is_none());
}
