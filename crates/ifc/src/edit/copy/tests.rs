//! Copying between small models.

use super::*;
use crate::sample::dangling;
use crate::sample::{self, HOUSE, model};
use crate::{Header, Limits, SchemaVersion, placement};

fn blank() -> Model {
    Model::blank(SchemaVersion::Ifc4, Header::new("new.ifc", "2026-01-02T03:04:05"))
}

fn house() -> Model {
    model(SchemaVersion::Ifc4, HOUSE)
}

fn copied(into: &Model, ids: &[u32], options: &CopyOptions) -> (Model, Copied) {
    let mut edit = into.edit();
    let ids: Vec<Id> = ids.iter().copied().map(Id).collect();
    let copied = edit.copy(&house(), &ids, options).unwrap();
    let (model, _) = edit.finish();
    assert_eq!(dangling(&model), []);
    (model, copied)
}

#[test]
fn alone_an_element_brings_what_it_refers_to_and_no_more() {
    let (model, copied) = copied(&blank(), &[10], &CopyOptions::bare());
    let wall = model.get(copied.ids[&Id(10)]).unwrap();
    assert_eq!(
        (wall.name().as_deref(), wall.guid().as_deref()),
        (Some("North wall"), Some("000000000000000000000A"))
    );
    assert_eq!(model.of_class("IfcRoot").len(), 1);
    let before = house();
    assert_eq!(placement::of_product(&model, wall.id()), placement::of_product(&before, Id(10)));
    assert_eq!(copied.reused, []);
}

#[test]
fn what_came_with_another_may_be_asked_for_too() {
    let (_, copied) = copied(&blank(), &[80, 56, 82], &CopyOptions::default());
    assert!([10, 80, 81, 82, 83].iter().all(|id| copied.ids.contains_key(&Id(*id))));
}

#[test]
fn an_element_brings_its_type_sets_materials_openings_and_fillings() {
    let (model, copied) = copied(&blank(), &[10], &CopyOptions::default());
    let classes: Vec<(String, usize)> =
        model.class_counts().into_iter().filter(|(class, _)| class.starts_with("IfcRel")).collect();
    let expected = [
        ("IfcRelAssociatesClassification", 1),
        ("IfcRelAssociatesMaterial", 1),
        ("IfcRelDefinesByProperties", 3),
        ("IfcRelDefinesByType", 1),
        ("IfcRelFillsElement", 1),
        ("IfcRelVoidsElement", 1),
    ];
    assert_eq!(classes, expected.map(|(class, count)| (class.to_owned(), count)));
    assert_eq!(model.of_class("IfcDoor").len(), 1);
    let wall = copied.ids[&Id(10)];
    let sets = |model: &Model, id: Id| {
        let mut names: Vec<String> =
            crate::psets::of_element(model, id).into_iter().map(|set| set.name).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(sets(&model, wall), sets(&house(), Id(10)));
    // the set is shared with a wall that did not come
    let shared = model.get(copied.ids[&Id(37)]).unwrap();
    assert_eq!(shared.references("RelatedObjects"), [wall]);
}

#[test]
fn a_second_copy_joins_what_came_with_the_first() {
    let (first, one) = copied(&blank(), &[10], &CopyOptions::default());
    let (second, two) = copied(&first, &[11], &CopyOptions::default());
    assert_eq!(
        second.of_class("IfcRelDefinesByProperties").len(),
        first.of_class("IfcRelDefinesByProperties").len()
    );
    let shared = second.get(one.ids[&Id(37)]).unwrap();
    assert_eq!(shared.references("RelatedObjects"), [one.ids[&Id(10)], two.ids[&Id(11)]]);
    assert!(two.reused.contains(&one.ids[&Id(33)]));
    let mut edit = second.edit();
    let refuse = CopyOptions { global_ids: GlobalIds::Refuse, ..CopyOptions::default() };
    let error = edit.copy(&house(), &[Id(10)], &refuse).unwrap_err();
    assert!(matches!(&error, CopyError::Taken { class, .. } if class.starts_with("Ifc")), "{error}");
    assert!(edit.is_empty(), "nothing is half copied");
    let new = CopyOptions { global_ids: GlobalIds::New("op-1".to_owned()), ..CopyOptions::default() };
    let copy = edit.copy(&house(), &[Id(10)], &new).unwrap();
    assert_eq!(edit.of_class("IfcWall").len(), 3);
    let (material, layer) = (copy.ids[&Id(50)], copy.ids[&Id(52)]);
    assert_eq!(Some(&material), one.ids.get(&Id(50)), "materials that say the same are one");
    assert_ne!(Some(&layer), one.ids.get(&Id(52)), "layers belong to their set");
    let guids: std::collections::HashSet<String> =
        edit.of_class("IfcRoot").into_iter().filter_map(|id| edit.get(id)?.guid()).collect();
    assert_eq!(guids.len(), edit.of_class("IfcRoot").len());
}

#[test]
fn a_copy_stands_where_the_original_stands_also_under_another_placement() {
    let data = "\
#1=IFCCARTESIANPOINT((3.,4.,5.));
#2=IFCDIRECTION((0.,0.,1.));
#3=IFCDIRECTION((0.,-1.,0.));
#4=IFCAXIS2PLACEMENT3D(#1,#2,#3);
#5=IFCLOCALPLACEMENT($,#4);";
    let target = model(SchemaVersion::Ifc4, data);
    let original = placement::of_product(&house(), Id(13));
    for placed in [Placement::World, Placement::Under(Id(5))] {
        let options = CopyOptions { placement: placed, ..CopyOptions::bare() };
        let (model, copied) = copied(&target, &[13], &options);
        let found = placement::of_product(&model, copied.ids[&Id(13)]);
        assert!(found.abs_diff_eq(original, 1e-9), "{placed:?} {found:?} {original:?}");
        let own = model.get(copied.ids[&Id(13)]).unwrap().reference("ObjectPlacement").unwrap();
        let above = model.get(own).unwrap().reference("PlacementRelTo");
        assert_eq!(above, matches!(placed, Placement::Under(_)).then_some(Id(5)));
        assert_eq!(model.of_class("IfcLocalPlacement").len(), 2);
    }
}

#[test]
fn measures_are_converted_or_refused_where_units_differ() {
    let data = "\
#1=IFCPROJECT('000000000000000000001A',$,'mm',$,$,$,$,$,#2);
#2=IFCUNITASSIGNMENT((#3,#4));
#3=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
#4=IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);";
    let target = model(SchemaVersion::Ifc4, data);
    let mut edit = target.edit();
    let error = edit.copy(&house(), &[Id(10)], &CopyOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "LENGTHUNIT differs between the models: ask for conversion, or give the models the same units"
    );
    let options = CopyOptions { units: UnitPolicy::Convert, ..CopyOptions::default() };
    let (model, copied) = copied(&target, &[10], &options);
    let number = |id: u32, name: &str| model.get(copied.ids[&Id(id)]).unwrap().number(name).unwrap();
    assert_eq!((number(39, "LengthValue"), number(40, "AreaValue")), (7000.0, 18.9));
    assert_eq!((number(52, "LayerThickness"), number(13, "OverallHeight")), (200.0, 2100.0));
    assert_eq!(
        placement::of_product(&model, copied.ids[&Id(10)]).translation.to_array(),
        [10_000.0, 0.0, 0.0]
    );
    assert!(copied.converted > 10);
    assert_eq!(model.of_class("IfcProject").len(), 1);
    let error = model.edit().copy(&house(), &[Id(1)], &CopyOptions::bare()).unwrap_err();
    assert_eq!(error, CopyError::Project);
}

#[test]
fn a_copy_from_another_schema_is_refused() {
    let old = sample::model(SchemaVersion::Ifc2x3, "#1=IFCWALL('000000000000000000000A',$,'a',$,$,$,$,$);");
    let error = blank().edit().copy(&old, &[Id(1)], &CopyOptions::default()).unwrap_err();
    assert_eq!(error, CopyError::Schema { own: "IFC4", other: "IFC2X3" });
}

#[test]
fn real_elements_come_with_their_colours_and_stand_alone() {
    let Some(models) = testing::data("models") else { return };
    for name in ["Duplex_A_20110907.ifc", "SampleHouse4.ifc"] {
        let (source, _) = Model::open(&models.join(name), &Limits::default()).unwrap();
        let target = Model::blank(source.schema().version(), Header::new("new.ifc", "2026-01-02T03:04:05"));
        let walls = source.of_class("IfcWall");
        let mut edit = target.edit();
        let options = CopyOptions { placement: Placement::World, ..CopyOptions::default() };
        // a blank model is in metres and radians, whatever the other is in
        let options = CopyOptions { units: UnitPolicy::Convert, ..options };
        let units = source.of_class("IfcUnitAssignment");
        let project = edit.copy(
            &source,
            &source.of_class("IfcProject"),
            &CopyOptions { parts: false, ..options.clone() },
        );
        if project.is_err() {
            edit.copy(&source, &units, &CopyOptions::bare()).unwrap();
        }
        let copied = edit.copy(&source, &walls, &options).unwrap();
        let (after, _) = edit.finish();
        assert_eq!(dangling(&after), []);
        assert_eq!(after.of_class("IfcWall").len(), walls.len());
        let (again, problems) = Model::from_bytes(after.to_bytes(), &Limits::default()).unwrap();
        assert_eq!((again.len(), problems), (after.len(), vec![]));
        for wall in walls {
            let (one, other) =
                (placement::of_product(&source, wall), placement::of_product(&after, copied.ids[&wall]));
            assert!(one.abs_diff_eq(other, 1e-6), "{name} {wall}");
        }
        let styled = |model: &Model| model.of_class("IfcStyledItem").len();
        assert!(styled(&after) > 0 && styled(&after) <= styled(&source), "{name}");
    }
}

#[test]
fn a_tolerant_copy_takes_what_the_schema_refuses_as_it_is() {
    let data =
        "#1=IFCCARTESIANPOINT((0.,0.,0.));\n#2=IFCCARTESIANPOINT((1.,0.,0.));\n#3=IFCPOLYLOOP((#1,#2,#1));";
    let source = model(SchemaVersion::Ifc4, data);
    let strict = blank().edit().copy(&source, &[Id(3)], &CopyOptions::bare()).unwrap_err();
    assert!(strict.to_string().contains("must not have a member twice"), "{strict}");
    let mut edit = blank().edit();
    let options = CopyOptions { is_tolerant: true, ..CopyOptions::bare() };
    let copied = edit.copy(&source, &[Id(3)], &options).unwrap();
    let loops = edit.get(copied.ids[&Id(3)]).unwrap().references("Polygon");
    assert_eq!((loops.len(), loops[0]), (3, loops[2]));
}
