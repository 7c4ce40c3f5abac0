//! Models cut to view definitions, and the tables of these.

use super::{BASIN, HOUSE, again, open};
use crate::view::{View, apply, check};
use crate::{Action, Report};
use geometry::{Bounds, Shaper};
use ifc::{Id, Model};

/// The box around an element in metres, and its volume.
fn measures(model: &Model, guid: &str) -> (Bounds, f64) {
    let shape = Shaper::plain(model).element(model.by_guid(guid).unwrap()).unwrap();
    let measures = shape.mesh().measures();
    (measures.bounds, measures.volume)
}

fn cut(text: &str, view: &str) -> (Model, Report) {
    let view = View::named(view).unwrap();
    let model = open(text);
    let (made, report) = apply(&model, view).unwrap();
    assert_eq!(check(&made, view), [], "{:#?}", report.lines());
    assert_eq!(
        made.header().description.first().unwrap().as_str(),
        view.definition(|class| made.has_class(class))
    );
    again(&made);
    (made, report)
}

fn same_shape(before: &Model, after: &Model, guid: &str) {
    let ((a, volume), (b, other)) = (measures(before, guid), measures(after, guid));
    assert!((a.min - b.min).abs().max_element() < 1e-3, "{guid}: {a:?} {b:?}");
    assert!((a.max - b.max).abs().max_element() < 1e-3, "{guid}: {a:?} {b:?}");
    assert!((volume - other).abs() < 0.002 * volume.abs(), "{guid}: {volume} m³ became {other} m³");
}

#[test]
fn every_class_that_a_table_names_is_one_of_its_schema() {
    assert_eq!(View::all().len(), 3);
    for view in View::all() {
        let of_rows =
            view.representations.iter().flat_map(|r| [&r.items, &r.profiles, &r.curves, &r.of]).flatten();
        let added = view.added.iter().flat_map(|added| &added.entities);
        let becomes = view.becomes.iter().flat_map(|b| [&b.from, &b.to]);
        let all = view.entities.iter().chain(&view.with_subtypes).chain(of_rows).chain(added).chain(becomes);
        for name in all {
            assert!(view.tables().entity(name).is_some_and(|e| e.name == name), "{}: {name}", view.name);
        }
        // what a body becomes is allowed
        assert!(view.representations.iter().any(|row| row.identifier == "Body" && row.kind == view.body));
    }
}

#[test]
fn a_view_is_found_by_any_of_its_names() {
    for (asked, code) in [
        ("ReferenceView_V1.2", "ReferenceView_V1.2"),
        ("reference view", "ReferenceView_V1.2"),
        ("RV", "ReferenceView_V1.2"),
        ("IFC4 Design Transfer View 1.1", "DesignTransferView_V1.1"),
        ("coordination_view_2.0", "CoordinationView_V2.0"),
        ("CV2.0", "CoordinationView_V2.0"),
    ] {
        assert_eq!(View::named(asked).unwrap().code, code, "{asked}");
    }
    let message = View::named("FM handover").unwrap_err().to_string();
    assert!(
        message.contains("ReferenceView_V1.2, DesignTransferView_V1.1, CoordinationView_V2.0"),
        "{message}"
    );
}

#[test]
fn the_reference_view_has_a_clipped_wall_as_faces_and_a_column_as_arcs() {
    let before = open(HOUSE);
    let (after, report) = cut(HOUSE, "reference");
    let wall = after.by_guid("0000000000000000000020").unwrap();
    assert_eq!(after.get(wall).unwrap().class_name(), "IfcWall");
    same_shape(&before, &after, "0000000000000000000020");
    same_shape(&before, &after, "0000000000000000000060");
    assert!(
        !after.has_class("IfcBooleanResult")
            && !after.has_class("IfcPolyline")
            && !after.has_class("IfcAnnotation")
    );
    // the column stays swept, with its outline as arcs
    let solid = after.of_class("IfcExtrudedAreaSolid").into_iter().next().unwrap();
    let profile = after.get(solid).unwrap().reference("SweptArea").unwrap();
    let curve = after.get(profile).unwrap().reference("OuterCurve").unwrap();
    assert_eq!(after.get(curve).unwrap().class_name(), "IfcIndexedPolyCurve");
    // layers are constituents with their shares
    let shares: Vec<f64> = after
        .of_class("IfcMaterialConstituent")
        .into_iter()
        .filter_map(|id| after.get(id)?.number("Fraction"))
        .collect();
    assert_eq!(shares, [0.75, 0.25]);
    // the body of the site is an element on it
    let terrain = after.of_class("IfcGeographicElement");
    assert_eq!(terrain.len(), 1);
    assert_eq!(after.get(terrain[0]).unwrap().enumeration("PredefinedType").as_deref(), Some("TERRAIN"));
    // the wall keeps its colour
    let styled = after.of_class("IfcStyledItem");
    let style = after.get(styled[0]).unwrap().references("Styles")[0];
    assert_eq!(after.get(style).unwrap().class_name(), "IfcSurfaceStyle");
    // and everything is told, with a place to look
    let said = |action, class: &str| report.changes.iter().find(|c| c.action == action && c.class == class);
    assert_eq!(
        said(Action::Dropped, "IfcAnnotation").unwrap().example.as_deref(),
        Some("0000000000000000000070")
    );
    assert_eq!(said(Action::Reshaped, "IfcBooleanClippingResult").unwrap().count, 1);
    assert!(said(Action::Reclassed, "IfcWallStandardCase").is_some());
    assert!(said(Action::Reclassed, "IfcMaterialLayerSetUsage").is_some());
    assert!(said(Action::Moved, "IfcSite").is_some());
}

#[test]
fn the_design_transfer_view_keeps_solids_and_layers_as_they_are() {
    let (after, report) = cut(HOUSE, "design transfer");
    assert_eq!(after.of_class("IfcBooleanClippingResult").len(), 1);
    assert_eq!(after.of_class("IfcMaterialLayerSetUsage").len(), 1);
    assert_eq!(after.of_class("IfcWallStandardCase").len(), 1);
    assert!(after.has_class("IfcPolyline"));
    assert_eq!(report.count(Action::Reshaped), 0, "{:#?}", report.lines());
    assert!(report.changes.iter().any(|c| c.action == Action::Dropped && c.class == "IfcAnnotation"));
}

#[test]
fn the_coordination_view_is_in_the_older_schema_and_says_its_add_ons() {
    let before = open(HOUSE);
    let (after, _) = cut(HOUSE, "coordination");
    assert_eq!(after.schema().name(), "IFC2X3");
    same_shape(&before, &after, "0000000000000000000020");
    same_shape(&before, &after, "0000000000000000000060");
    assert!(after.header().description[0].starts_with("ViewDefinition [CoordinationView_V2.0"));
}

#[test]
fn shapes_of_the_older_schema_become_what_the_newer_view_has() {
    let before = open(BASIN);
    for view in ["reference", "design transfer", "coordination"] {
        let (after, _) = cut(BASIN, view);
        for guid in ["1000000000000000000020", "1000000000000000000050"] {
            same_shape(&before, &after, guid);
        }
        let proxy = after.by_guid("1000000000000000000050").unwrap();
        assert_eq!(after.get(proxy).unwrap().class_name(), "IfcBuildingElementProxy", "{view}");
    }
}

#[test]
fn a_model_that_is_cut_already_stays_as_it_is() {
    for view in View::all() {
        let (once, _) = apply(&open(HOUSE), view).unwrap();
        let (twice, report) = apply(&once, view).unwrap();
        assert_eq!(report.lines(), Vec::<String>::new(), "{}", view.name);
        assert_eq!(twice.len(), once.len());
    }
}

#[test]
fn a_check_says_which_instance_is_against_the_table() {
    let view = View::named("reference").unwrap();
    let findings = check(&open(HOUSE), view);
    let message = |guid: &str| {
        let found = findings.iter().filter(|f| f.global_id.as_deref() == Some(guid));
        found.map(|f| f.message.as_str()).collect::<Vec<_>>().join("; ")
    };
    assert!(message("0000000000000000000020").contains("Body of type Clipping is no representation"));
    assert!(message("0000000000000000000070").contains("is no class of IFC4 Reference View 1.2"));
    let schema = check(&open(BASIN), view);
    assert_eq!(schema.len(), 1);
    assert!(schema[0].message.contains("IFC2X3"), "{}", schema[0].message);
}

#[test]
fn an_axis_in_space_does_not_become_one_in_a_plane() {
    let text = HOUSE
        .replace("'Axis','Curve2D',(#41)", "'Axis','Curve3D',(#41)")
        .replace("#41=IFCPOLYLINE((#42,#28));", "#41=IFCPOLYLINE((#4,#33));");
    let (after, report) = cut(&text, "coordination");
    let axes = after.of_class("IfcShapeRepresentation").into_iter();
    assert!(
        !axes
            .filter_map(|id| after.get(id))
            .any(|r| r.text("RepresentationIdentifier").as_deref() == Some("Axis"))
    );
    assert!(report.lines().iter().any(|line| line.contains("Axis has items")), "{:#?}", report.lines());
}

#[test]
fn a_shape_that_goes_in_circles_is_told_and_left_out() {
    let text = HOUSE.replace(
        "#24=IFCBOOLEANCLIPPINGRESULT(.DIFFERENCE.,#25,#30);",
        "#24=IFCBOOLEANRESULT(.UNION.,#24,#24);",
    );
    let (after, report) = cut(&text, "reference");
    let wall = after.get(after.by_guid("0000000000000000000020").unwrap()).unwrap();
    assert_eq!(wall.reference("Representation"), None::<Id>);
    assert!(
        report.lines().iter().any(|line| line.contains("has no shape that can be made")),
        "{:#?}",
        report.lines()
    );
}
