use crate::*;

const HOUSE: &str = "ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');
FILE_NAME('house.ifc','2026-01-02T03:04:05',('A'),('B'),'p','o','');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
#1=IFCCARTESIANPOINT((0.,0.,0.));
#2= IFCAXIS2PLACEMENT3D(#1,$,$);
#3=IFCLOCALPLACEMENT($,#2);
#4=IFCWALL('0Wall00000000000000001',$,'W1',$,$,#3,$,$,.STANDARD.);
#5=IFCWALL('0Wall00000000000000002',$,'W2',$,$,#3,$,$,$);
#6=IFCBUILDINGSTOREY('0Storey000000000000001',$,'EG',$,$,#3,$,$,.ELEMENT.,0.);
#7=IFCRELCONTAINEDINSPATIALSTRUCTURE('0Rel000000000000000001',$,$,$,(#4,#5),#6);
ENDSEC;
END-ISO-10303-21;
";

fn house() -> Model {
    let (model, problems) = Model::from_bytes(HOUSE.into(), &Limits::default()).unwrap();
    assert_eq!(problems, []);
    model
}

fn text(model: &Model) -> String {
    String::from_utf8(model.to_bytes()).unwrap()
}

#[test]
fn a_file_is_read_by_class_by_id_and_by_attribute() {
    let model = house();
    assert_eq!(model.len(), 7);
    assert_eq!(model.of_class("IfcElement"), [Id(4), Id(5)]);
    let wall = model.get(Id(4)).unwrap();
    assert_eq!(wall.class_name(), "IfcWall");
    assert_eq!(wall.name().as_deref(), Some("W1"));
    assert_eq!(wall.attr("PredefinedType"), Value::enumeration("STANDARD"));
    assert_eq!(wall.reference("ObjectPlacement"), Some(Id(3)));
    assert_eq!(wall.line(), 11);
    assert_eq!(model.by_guid("0Wall00000000000000002"), Some(Id(5)));
    assert_eq!(model.referrers(Id(4)), [Id(7)]);
    assert_eq!(model.get(Id(7)).unwrap().references("RelatedElements"), [Id(4), Id(5)]);
    assert_eq!(model.verify(), []);
}

#[test]
fn an_edit_changes_its_lines_and_no_others() {
    let model = house();
    assert_eq!(text(&model), HOUSE);
    let mut edit = model.edit();
    edit.set(Id(2), "Axis", Value::Null).unwrap();
    edit.set(Id(4), "Name", "Wall's \u{e9}").unwrap();
    edit.remove(Id(5)).unwrap();
    let point = edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([1.0, 2.5]))]).unwrap();
    assert_eq!(point, Id(8));
    let (after, delta) = edit.finish();
    let expect = HOUSE
        .replace("'W1'", "'Wall''s \\X2\\00E9\\X0\\'")
        .replace("#5=IFCWALL('0Wall00000000000000002',$,'W2',$,$,#3,$,$,$);\n", "")
        .replace("(#4,#5)", "(#4)")
        .replace("#6);\nENDSEC", "#6);\n#8=IFCCARTESIANPOINT((1.,2.5));\nENDSEC");
    assert_eq!(text(&after), expect);
    assert_eq!(after.len(), 7);
    let delta = Delta::decode(&delta.encode()).unwrap();
    assert_eq!(text(&model.apply(&delta).unwrap()), expect);
    assert_eq!(text(&after.apply(&Delta::between(&after, &model)).unwrap()), HOUSE);
}

#[test]
fn a_blank_model_takes_instances() {
    let model = Model::blank(SchemaVersion::Ifc4x3, Header::new("new.ifc", "2026-01-02T03:04:05"));
    let mut edit = model.edit();
    let error = edit.create("IfcWall", &[("Nmae", "W".into())]).unwrap_err();
    assert!(error.to_string().contains("did you") || error.to_string().contains("Name"), "{error}");
    edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([0.0, 0.0]))]).unwrap();
    let (model, _) = edit.finish();
    let (again, problems) = Model::from_bytes(model.to_bytes(), &Limits::default()).unwrap();
    assert_eq!((again.len(), problems), (1, vec![]));
}
