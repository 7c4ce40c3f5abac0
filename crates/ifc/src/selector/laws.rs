//! Laws that hold for every selector and model: random ones are tried.

use super::{Path, Selector};
use crate::relations::Links;
use crate::sample::{HOUSE, model};
use crate::{Id, Limits, Model, SchemaVersion};
use proptest::prelude::*;
use std::collections::BTreeSet;

const CLASSES: [&str; 6] =
    ["IfcWall", "IfcElement", "IfcProduct", "IfcSpace", "IfcTypeProduct", "IfcRelationship"];

const FILTERS: [&str; 14] = [
    "Name=/.*wall/",
    "Name!=NULL",
    "Pset_WallCommon.IsExternal=TRUE",
    "/Pset_.*/.FireRating=F90",
    "type=WT01",
    "material*=e",
    "location=\"Ground floor\"",
    "location!=NULL",
    "group!=\"Flat 1\"",
    "parent=\"Ground floor\"",
    "classification=NULL",
    "query:\"storey.Elevation\"<1",
    "query:x>5",
    "query:\"HasOpenings.count\"=1",
];

fn run(selector: &str, model: &Model) -> BTreeSet<Id> {
    Selector::parse(selector)
        .unwrap_or_else(|error| panic!("{selector}: {error}"))
        .run(model)
        .into_iter()
        .collect()
}

/// Fragments of selectors in any order, with some noise.
fn text() -> impl Strategy<Value = String> {
    let fragments = [
        "IfcWall",
        "!",
        ",",
        "+",
        "=",
        "!=",
        ">=",
        "*=",
        "Name",
        ".",
        "\"",
        "/",
        "query:",
        "Pset_X",
        "NULL",
        "(",
        "[",
        "\\",
        " ",
        "type",
        "2.5",
        "{,3}",
        "storey",
        "i",
        "000000000000000000000A",
        "/*",
        "*/",
        "ä",
    ];
    let known = proptest::sample::select(fragments.to_vec()).prop_map(str::to_owned);
    proptest::collection::vec(prop_oneof![4 => known, 1 => ".{0,3}"], 0..24).prop_map(|parts| parts.concat())
}

/// The house after some changes.
fn changed(changes: &[(u8, u8)]) -> Model {
    let mut edit = model(SchemaVersion::Ifc4, HOUSE).edit();
    let elements = [Id(10), Id(11), Id(12), Id(13), Id(19), Id(20)];
    for (what, which) in changes {
        let Some(&element) = elements.get(usize::from(*which) % elements.len()) else { continue };
        let _ = match what % 6 {
            0 => edit.set(element, "Name", format!("{which} wall").as_str()),
            1 => edit.remove(element),
            2 => edit.remove_from(Id(17), "RelatedElements", element),
            3 => edit.add_to(Id(18), "RelatedElements", element),
            4 => edit.set(Id(34), "NominalValue", crate::Value::typed("IfcBoolean", which % 2 == 0)),
            _ => edit
                .create("IfcWall", &[("GlobalId", format!("00000000000000000001{which:02}").as_str().into())])
                .map(|_| ()),
        };
    }
    edit.finish().0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_is_a_selector_or_is_refused(text in text()) {
        let house = model(SchemaVersion::Ifc4, HOUSE);
        if let Ok(selector) = Selector::parse(&text) {
            let found = selector.run(&house);
            prop_assert!(found.is_sorted());
            prop_assert!(found.iter().all(|id| house.contains(*id)));
        }
        if let Ok(path) = Path::parse(&text) {
            let _ = path.follow(&Links::of_one(&house), Id(10)).to_json();
        }
    }

    #[test]
    fn lists_are_joined_classes_taken_away_and_filters_keep_a_part(
        class in proptest::sample::select(CLASSES.to_vec()),
        other in proptest::sample::select(CLASSES.to_vec()),
        filter in proptest::sample::select(FILTERS.to_vec()),
        second in proptest::sample::select(FILTERS.to_vec()),
    ) {
        let house = model(SchemaVersion::Ifc4, HOUSE);
        let (all, others) = (run(class, &house), run(other, &house));
        let kept = run(&format!("{class}, {filter}"), &house);
        prop_assert!(kept.is_subset(&all));
        prop_assert_eq!(run(&format!("{class}, {filter} + {other}"), &house), &kept | &others);
        prop_assert_eq!(run(&format!("{class}, !{other}"), &house), &all - &others);
        prop_assert_eq!(run(&format!("{class}, {filter}, {other}"), &house), &kept | &others);
        let both = run(&format!("{class}, {filter}, {second}"), &house);
        prop_assert_eq!(run(&format!("{class}, {second}, {filter}"), &house), both.clone());
        prop_assert_eq!(&kept & &run(&format!("{class}, {second}"), &house), both);
        // among some elements the same are chosen
        let among: Vec<Id> = others.iter().copied().collect();
        let selector = Selector::parse(&format!("{class}, {filter}")).unwrap();
        let within: BTreeSet<Id> = selector.run_within(&house, &among).into_iter().collect();
        prop_assert_eq!(within, &kept & &others);
    }

    #[test]
    fn a_changed_model_answers_as_the_same_one_written_and_read(
        changes in proptest::collection::vec((any::<u8>(), any::<u8>()), 0..8),
        class in proptest::sample::select(CLASSES.to_vec()),
        filter in proptest::sample::select(FILTERS.to_vec()),
    ) {
        let before = changed(&changes);
        let (after, _) = Model::from_bytes(before.to_bytes(), &Limits::default()).unwrap();
        for selector in [format!("{class}, {filter}"), format!("{filter} + {class}")] {
            prop_assert_eq!(run(&selector, &before), run(&selector, &after), "{}", selector);
        }
        for id in before.ids() {
            let (ours, read) = (before.get(id).unwrap(), after.get(id).unwrap());
            for inverse in ours.entity().into_iter().flat_map(|entity| before.schema().inverses(entity)) {
                prop_assert_eq!(ours.inverse(inverse.name), read.inverse(inverse.name));
            }
        }
    }
}
