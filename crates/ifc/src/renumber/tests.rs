//! Renumbering a small house and the real files.

use super::*;
use crate::SchemaVersion;
use crate::sample::dangling;
use crate::sample::{self, HOUSE};

/// Every instance as text with references by the numbers of another model.
fn contents(model: &Model, number: &dyn Fn(u32) -> u32) -> Vec<String> {
    let mut lines: Vec<String> = model
        .ids()
        .map(|id| {
            let instance = model.get(id).unwrap();
            let values: Vec<_> = instance
                .attributes()
                .iter()
                .map(|v| v.map_refs(&mut |id| Ok::<_, std::convert::Infallible>(Id(number(id.0)))).unwrap())
                .collect();
            let mut text = format!("#{}={}", number(id.0), instance.class_name());
            encode::list(&values, &mut text);
            text
        })
        .collect();
    lines.sort_unstable();
    lines
}

fn check(model: &Model, how: Renumber) -> (Model, Renumbered) {
    let (after, record) = model.renumber(how).unwrap();
    let ids: BTreeMap<u32, u32> = record.ids.iter().map(|(old, new)| (old.0, new.0)).collect();
    if !how.merge {
        assert_eq!(after.len(), model.len());
        assert_eq!(contents(&after, &|id| id), contents(model, &|id| ids.get(&id).copied().unwrap()));
    }
    let numbers: Vec<u32> = after.ids().map(|id| id.0).collect();
    assert_eq!(numbers, (1..=after.len() as u32).collect::<Vec<_>>());
    assert_eq!(
        after.header(),
        &crate::Header {
            schema_identifiers: after.header().schema_identifiers.clone(),
            ..model.header().clone()
        }
    );
    (after, record)
}

#[test]
fn ids_count_from_one_in_file_order() {
    let model = sample::model(SchemaVersion::Ifc4, HOUSE);
    let (after, record) = check(&model, Renumber::default());
    assert_eq!(record.merged, BTreeMap::new());
    let last = after.get(Id(after.len() as u32)).unwrap();
    assert_eq!(last.class_name(), "IfcDirection");
    // the text of what is not an id stays as it was
    let text = String::from_utf8(after.to_bytes()).unwrap();
    assert!(
        text.contains("IFCTHERMALTRANSMITTANCEMEASURE(0.24)") && text.contains("((0.,0.,2.4))"),
        "{text}"
    );
}

#[test]
fn in_dependency_order_everything_stands_behind_what_it_needs() {
    let model = sample::model(SchemaVersion::Ifc4, HOUSE);
    let mut edit = model.edit();
    edit.set(Id(10), "Name", "#12 'quoted' /* no comment */").unwrap();
    let (model, _) = edit.finish();
    let (after, _) = check(&model, Renumber { order: Order::Dependency, merge: false });
    for id in after.ids() {
        after.each_reference_of(id.0, |target| assert!(target < id.0, "{id} refers to #{target}"));
    }
    let names = after.of_class("IfcWall").into_iter().filter_map(|id| after.get(id)?.name());
    assert!(names.into_iter().any(|name| name == "#12 'quoted' /* no comment */"));
}

#[test]
fn equal_resources_become_one_but_nothing_with_an_identity_does() {
    let data = "\
#1=IFCCARTESIANPOINT((0.,0.));
#2=IFCCARTESIANPOINT((0.0,0.));
#3=IFCAXIS2PLACEMENT2D(#1,$);
#4=IFCAXIS2PLACEMENT2D(#2,$);
#5=IFCRECTANGLEPROFILEDEF(.AREA.,$,#3,1.,2.);
#6=IFCRECTANGLEPROFILEDEF(.AREA.,$,#4,1.,2.);
#7=IFCCARTESIANPOINT((0.,0.,0.));
#8=IFCAXIS2PLACEMENT3D(#7,$,$);
#9=IFCLOCALPLACEMENT($,#8);
#10=IFCLOCALPLACEMENT($,#8);
#11=IFCMATERIAL('m',$,$);
#12=IFCMATERIALLAYER(#11,1.,$,$,$,$,$);
#13=IFCMATERIALLAYER(#11,1.,$,$,$,$,$);
#14=IFCMATERIALLAYERSET((#12),$,$);
#15=IFCMATERIALLAYERSET((#13),$,$);
#16=IFCDIRECTION((0.,0.,1.));
#17=IFCEXTRUDEDAREASOLID(#5,$,#16,1.);
#18=IFCEXTRUDEDAREASOLID(#6,$,#16,1.);
#19=IFCEXTRUDEDAREASOLID(#6,$,#16,1.);
#20=IFCSTYLEDITEM(#19,(#21),$);
#21=IFCCURVESTYLE($,$,$,$,$);
#22=IFCWALL('000000000000000000000A',$,$,$,$,#9,$,$,$);
#23=IFCWALL('000000000000000000000A',$,$,$,$,#9,$,$,$);";
    let model = sample::model(SchemaVersion::Ifc4, data);
    let (after, record) = check(&model, Renumber { order: Order::File, merge: true });
    let merged: Vec<(&str, usize)> = record.merged.iter().map(|(class, n)| (class.as_str(), *n)).collect();
    // the third solid is styled, the layers belong to one set each, placements move on their own
    let expected = [
        ("IfcAxis2Placement2D", 1),
        ("IfcCartesianPoint", 1),
        ("IfcExtrudedAreaSolid", 1),
        ("IfcRectangleProfileDef", 1),
    ];
    assert_eq!(merged, expected);
    assert_eq!(after.len(), model.len() - 4);
    assert_eq!(dangling(&after), []);
    let again = check(&after, Renumber { order: Order::File, merge: true }).1;
    assert_eq!(again.merged, BTreeMap::new());
}

#[test]
fn a_reference_to_nowhere_stays_one() {
    let model =
        sample::model(SchemaVersion::Ifc4, "#5=IFCLOCALPLACEMENT(#1,#2);\n#9=IFCCARTESIANPOINT((0.,0.));");
    let (after, _) = model.renumber(Renumber::default()).unwrap();
    assert_eq!(after.len(), 2);
    assert_eq!(dangling(&after).len(), dangling(&model).len());
}

#[test]
fn real_files_are_the_same_under_new_ids() {
    let Some(models) = testing::data("models") else { return };
    for name in ["Duplex_A_20110907.ifc", "SampleHouse4.ifc", "wall_door_column_4x3.ifc"] {
        let path = models.join(name);
        let (model, _) = Model::open(&path, &Limits::default()).unwrap();
        check(&model, Renumber { order: Order::Dependency, merge: false });
        let (merged, record) = check(&model, Renumber { order: Order::File, merge: true });
        assert_eq!(merged.len() + record.merged.values().sum::<usize>(), model.len(), "{name}");
        assert_eq!(merged.of_class("IfcRoot").len(), model.of_class("IfcRoot").len(), "{name}");
        assert_eq!(dangling(&merged), []);
    }
}
