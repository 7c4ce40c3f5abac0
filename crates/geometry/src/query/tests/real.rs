//! Real models. They are no part of the repository (see the crate `testing`).

use crate::{
    Shaper, csg, drawable,
    query::{Index, Interference, Kind, Relation, Rules, interferences, overlap},
    tests::open,
};
use ifc::{Id, Model, relations::Links};
use std::{collections::BTreeSet, sync::Arc};

fn scene(model: &Model) -> Index {
    let shaper = Shaper::plain(model);
    let elements = drawable(model).into_iter().filter(|id| model.get(*id).unwrap().is_a("IfcElement"));
    elements.filter_map(|id| Some((id, Arc::new(shaper.element(id).ok()?.mesh())))).collect()
}

fn all(a: &Index, b: Option<&Index>) -> Vec<Interference> {
    interferences(a, b, &Rules::default(), &|_, _| true).unwrap()
}

#[test]
fn exactly_the_pairs_that_share_volume_are_found_and_their_volumes_are_right() {
    let Some(truth) = testing::data("truth") else { return };
    let read = |name: &str| -> Vec<(String, String, f64)> {
        let text = std::fs::read_to_string(truth.join(name)).unwrap();
        let rows: Vec<(String, String, String, String, f64)> = serde_json::from_str(&text).unwrap();
        rows.into_iter().map(|(a, b, _, _, volume)| (a, b, volume)).collect()
    };
    let guid = |m: &Model, id: Id| m.get(id).unwrap().guid().unwrap();
    let (walls, steel) = (open("kalkzandsteen.ifc").unwrap(), open("staal.ifc").unwrap());
    let found = all(&scene(&walls), Some(&scene(&steel)));
    let known = read("clash_truth_sch_kalkzandsteen_x_staal.json");
    let pairs = |all: &[(String, String, f64)]| -> BTreeSet<(String, String)> {
        all.iter().map(|(a, b, _)| (a.clone(), b.clone())).collect()
    };
    let mine: Vec<(String, String, f64)> = found
        .iter()
        .map(|f| {
            let volume = match f.kind {
                Kind::Hard { volume, .. } | Kind::Duplicate { volume } => volume.unwrap(),
                other => panic!("{other:?}"),
            };
            (guid(&walls, f.a), guid(&steel, f.b), volume)
        })
        .collect();
    assert_eq!(pairs(&mine), pairs(&known));
    for (a, b, volume) in &known {
        let (_, _, own) = mine.iter().find(|(x, y, _)| (x, y) == (a, b)).unwrap();
        assert!((own - volume).abs() < 1e-9, "{a} {b}: {own}, not {volume}");
    }
    assert!(read("clash_truth_vebo_self.json").is_empty());
    assert_eq!(all(&scene(&open("Vebo.ifc").unwrap()), None), []);
}

#[test]
fn outlets_in_walls_are_found_the_same_way_each_time_and_doors_belong_to_their_walls() {
    let (Some(house), Some(wires)) = (open("Duplex_A_20110907.ifc"), open("Duplex_Electrical.ifc")) else {
        return;
    };
    let (a, b) = (scene(&house), scene(&wires));
    let found = all(&a, Some(&b));
    assert_eq!(found, all(&a, Some(&b)));
    let turned = all(&b, Some(&a));
    let pairs: BTreeSet<(Id, Id)> = found.iter().map(|f| (f.a, f.b)).collect();
    assert_eq!(pairs, turned.iter().map(|f| (f.b, f.a)).collect());
    assert!(found.len() > 50, "{}", found.len());
    // a volume is missing only where one of the two encloses none
    let solid = |s: &Index, id: Id| s.get(id).unwrap().is_solid();
    for f in &found {
        let known = !matches!(f.kind, Kind::Hard { volume: None, .. });
        assert_eq!(known, solid(&a, f.a) && solid(&b, f.b), "{f:?}");
    }

    let links = Links::of_many(&house);
    let mut bound = 0;
    for f in all(&a, None) {
        let is = |id: Id, class: &str| house.get(id).unwrap().is_a(class);
        let filling = |x: Id, y: Id| (is(x, "IfcDoor") || is(x, "IfcWindow")) && is(y, "IfcWall");
        let relation = Relation::between(&links, f.a, f.b);
        assert_eq!(relation, Relation::between(&links, f.b, f.a));
        if filling(f.a, f.b) || filling(f.b, f.a) {
            bound += usize::from(relation == Relation::Filling);
        }
    }
    println!("{bound} fillings reach into their walls");
}

#[test]
fn shared_volumes_are_what_the_boolean_of_the_bodies_measures() {
    let (Some(house), Some(wires)) = (open("Duplex_A_20110907.ifc"), open("Duplex_Electrical.ifc")) else {
        return;
    };
    let (a, b) = (scene(&house), scene(&wires));
    let every = a.near_pairs(Some(&b), 0.0, 1 << 30).unwrap();
    // walls, slabs and coverings lie in each other's faces everywhere; a part of them is enough
    let some = a.near_pairs(None, 0.0, 1 << 30).unwrap().into_iter().step_by(20);
    let mut compared = 0;
    for (e, f) in every.into_iter().chain(some).filter(|(e, f)| e.is_solid() && f.is_solid()) {
        let own = overlap(&e, &f).map_or(0.0, |o| o.volume.unwrap());
        let known = csg::shared_volume(e.mesh(), f.mesh()).unwrap();
        assert!((own - known).abs() < 1e-7, "{} {}: {own}, not {known}", e.id(), f.id());
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}
