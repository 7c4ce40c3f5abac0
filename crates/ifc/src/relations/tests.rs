use super::*;
use crate::sample::{HOUSE, data, model};
use crate::{Limits, SchemaVersion};

fn house() -> Model {
    model(SchemaVersion::Ifc4, HOUSE)
}

#[test]
fn an_opening_is_in_the_storey_of_its_wall() {
    let house = house();
    assert_eq!(container(&house, Id(10)), Some(Id(6)));
    assert_eq!(direct_container(&house, Id(14)), None);
    assert_eq!(container(&house, Id(14)), Some(Id(6)));
    assert_eq!(storey_of(&house, Id(13)), Some(Id(6)));
    assert_eq!(storey_of(&house, Id(6)), Some(Id(6)));
    assert_eq!(storey_of(&house, Id(19)), Some(Id(6)));
    assert_eq!(storey_of(&house, Id(5)), None);
    assert_eq!(upwards(&house, Id(14)), [Id(14), Id(10), Id(6), Id(5), Id(1)]);
}

#[test]
fn wholes_and_parts_know_each_other() {
    let house = house();
    assert_eq!(children(&house, Id(5)), [Id(6), Id(7)]);
    assert_eq!(aggregate_parent(&house, Id(7)), Some(Id(5)));
    assert_eq!(contained(&house, Id(6)), [Id(10), Id(11), Id(13)]);
    assert_eq!(host_of_opening(&house, Id(14)), Some(Id(10)));
    assert_eq!(openings_of(&house, Id(10)), [Id(14)]);
    assert_eq!(filling_of(&house, Id(14)), Some(Id(13)));
    assert_eq!(opening_of_filling(&house, Id(13)), Some(Id(14)));
    let mut below = decomposition(&house, Id(6));
    below.sort_unstable();
    assert_eq!(below, [Id(10), Id(11), Id(13), Id(14), Id(19), Id(20)]);
}

#[test]
fn types_materials_groups_and_classes_are_found() {
    let house = house();
    assert_eq!(type_of(&house, Id(10)), Some(Id(22)));
    assert_eq!(type_of(&house, Id(22)), Some(Id(22)));
    assert_eq!(occurrences_of(&house, Id(22)), [Id(10)]);
    assert_eq!(material_of(&house, Id(10)), Some(Id(54)));
    assert_eq!(materials_of(&house, Id(10)), [Id(50), Id(51)]);
    assert_eq!(materials_of(&house, Id(12)), [Id(50)]);
    assert_eq!(groups_of(&house, Id(19)), [Id(60)]);
    assert_eq!(classifications_of(&house, Id(10)), [Id(63)]);
    // the type's predefined type comes before the wall's own
    assert_eq!(predefined_type(&house, Id(10)).as_deref(), Some("PARTITIONING"));
    assert_eq!(predefined_type(&house, Id(11)).as_deref(), Some("Thick"));
}

#[test]
fn many_elements_get_the_same_answers_as_one() {
    let Some(folder) = data() else { return };
    for name in ["Duplex_A_20110907.ifc", "AC20-FZK-Haus.ifc", "wall_door_column_4x3.ifc"] {
        let (model, _) = Model::open(&folder.join("models").join(name), &Limits::default()).unwrap();
        let (one, many) = (Links::of_one(&model), Links::of_many(&model));
        for id in model.of_class("IfcProduct").into_iter().step_by(7) {
            assert_eq!(one.upwards(id), many.upwards(id));
            assert_eq!(one.type_of(id), many.type_of(id));
            assert_eq!(one.materials_of(id), many.materials_of(id));
            assert_eq!(one.decomposition(id), many.decomposition(id));
        }
    }
}

#[test]
fn relations_in_a_circle_end() {
    let circle = model(
        SchemaVersion::Ifc4,
        "#1=IFCWALL('000000000000000000000A',$,$,$,$,$,$,$,$);
        #2=IFCWALL('000000000000000000000B',$,$,$,$,$,$,$,$);
        #3=IFCRELAGGREGATES('000000000000000000000C',$,$,$,#1,(#2));
        #4=IFCRELAGGREGATES('000000000000000000000D',$,$,$,#2,(#1));",
    );
    assert_eq!(upwards(&circle, Id(1)), [Id(1), Id(2)]);
    assert_eq!(decomposition(&circle, Id(1)), [Id(2)]);
    assert_eq!(container(&circle, Id(1)), None);
}
