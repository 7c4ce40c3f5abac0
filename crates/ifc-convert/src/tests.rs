//! Conversions of small models, and of the real ones there and back.

use super::*;
use crate::sample::{self, HOUSE, faults, model};
use ifc::schema::SchemaVersion::{Ifc2x3, Ifc4, Ifc4x3};
use ifc::{CopyOptions, Header, Id, Limits, Value};
use proptest::prelude::*;

pub(super) fn converted(from: SchemaVersion, data: &str, to: SchemaVersion) -> (Model, ConversionReport) {
    let (after, report) = convert(&model(from, data), to).unwrap();
    let wrong: Vec<String> = after.ids().flat_map(|id| faults(&after, id)).collect();
    assert_eq!(wrong, Vec::<String>::new(), "{}", String::from_utf8_lossy(&after.to_bytes()));
    let again = Model::from_bytes(after.to_bytes(), &Limits::default()).unwrap();
    assert_eq!(again.1, []);
    (after, report)
}

/// The line of an instance, and how it came over.
pub(super) fn check(converted: &(Model, ConversionReport), id: u32, line: &str, outcome: Outcome) {
    let (after, report) = converted;
    let found = after.get(Id(id)).map(|instance| format!("{instance:?}")).unwrap_or_default();
    assert_eq!(found, line, "{:#?}", report.notes);
    assert_eq!(report.outcome(Id(id)), outcome, "{:#?}", report.notes);
}

pub(super) fn reasons(report: &ConversionReport, class: &str) -> Vec<String> {
    let notes = report.notes.iter().filter(|note| note.class == class);
    notes.map(|note| format!("{} {}: {}", note.count, note.outcome.as_str(), note.reason)).collect()
}

#[test]
fn the_same_schema_is_the_same_model() {
    let before = model(Ifc4, HOUSE);
    let (after, report) = convert(&before, Ifc4).unwrap();
    assert_eq!(after.to_bytes(), before.to_bytes());
    assert!(report.is_lossless() && report.notes.is_empty());
    assert_eq!(report.total().kept, before.len());
}

#[test]
fn a_house_goes_down_and_comes_back() {
    // the set point of a bounded value is new in IFC4
    let data = HOUSE.replace("IFCREAL(1.),$,IFCREAL(3.))", "IFCREAL(1.),$,$)");
    let before = model(Ifc4, &data);
    let down = converted(Ifc4, &data, Ifc2x3);
    assert_eq!(down.0.schema().version(), Ifc2x3);
    assert!(String::from_utf8(down.0.to_bytes()).unwrap().contains("FILE_SCHEMA(('IFC2X3'))"));
    let history = down.0.of_class("IfcOwnerHistory");
    assert_eq!(history.len(), 1);
    let wall =
        format!("#10=IfcWall('000000000000000000000A',{},'North wall',$,'SOLIDWALL',#83,$,'w1')", history[0]);
    check(&down, 10, &wall, Outcome::Approximated);
    assert_eq!(reasons(&down.1, "IfcRoot").len(), 1, "one line says that owner histories were due");
    let (back, _) = convert(&down.0, Ifc4).unwrap();
    let products = |model: &Model| {
        let mut all: Vec<String> = Vec::new();
        for id in model.of_class("IfcObjectDefinition") {
            let instance = model.get(id).unwrap();
            let psets =
                ifc::psets::of_element(model, id).iter().map(|set| format!("{set:?}")).collect::<Vec<_>>();
            // that a door is a door, and that ObjectType says more, is not written twice
            let predefined = instance.enumeration("PredefinedType");
            let predefined = predefined.filter(|word| !["DOOR", "USERDEFINED"].contains(&word.as_str()));
            all.push(format!(
                "{id} {} {:?} {:?} {predefined:?} {:?} {psets:?}",
                instance.class_name(),
                instance.guid(),
                instance.name(),
                ifc::placement::of_product(model, id)
            ));
        }
        all.sort_unstable();
        all
    };
    assert_eq!(products(&back), products(&before));
}

#[test]
fn a_class_that_the_target_lacks_is_kept_in_words_and_comes_back() {
    let data = "\
#1=IFCCHIMNEY('000000000000000000000A',#9,'c',$,$,$,$,$,.USERDEFINED.);
#2=IFCAIRTERMINAL('000000000000000000000B',#9,'a',$,$,$,$,$,.DIFFUSER.);
#3=IFCCHIMNEYTYPE('000000000000000000000C',#9,'t',$,$,$,$,$,$,.NOTDEFINED.);
#4=IFCBEAM('000000000000000000000D',#9,'b',$,'mine',$,$,$,.HOLLOWCORE.);
#5=IFCSLABSTANDARDCASE('000000000000000000000E',#9,'s',$,$,$,$,$,.FLOOR.);
#6=IFCFURNITURE('000000000000000000000F',#9,'f',$,'mine',$,$,$,$);
#9=IFCOWNERHISTORY(#10,#13,$,$,$,$,$,0);
#10=IFCPERSONANDORGANIZATION(#11,#12,$);
#11=IFCPERSON('p',$,$,$,$,$,$,$);
#12=IFCORGANIZATION($,'o',$,$,$);
#13=IFCAPPLICATION(#12,'1','a','a');";
    let down = converted(Ifc4, data, Ifc2x3);
    check(
        &down,
        1,
        "#1=IfcBuildingElementProxy('000000000000000000000A',#9,'c',$,'IfcChimney',$,$,$,$)",
        Outcome::Approximated,
    );
    check(
        &down,
        2,
        "#2=IfcFlowTerminal('000000000000000000000B',#9,'a',$,'IfcAirTerminal.DIFFUSER',$,$,$)",
        Outcome::Approximated,
    );
    let chimney = "#3=IfcBuildingElementProxyType('000000000000000000000C',#9,'t',$,$,$,$,$,'IfcChimneyType',.NOTDEFINED.)";
    check(&down, 3, chimney, Outcome::Approximated);
    check(&down, 4, "#4=IfcBeam('000000000000000000000D',#9,'b',$,'mine',$,$,$)", Outcome::Approximated);
    assert_eq!(
        reasons(&down.1, "IfcBeam"),
        ["1 approximated: IfcBeam has no PredefinedType; HOLLOWCORE is lost"]
    );
    check(&down, 5, "#5=IfcSlab('000000000000000000000E',#9,'s',$,$,$,$,$,.FLOOR.)", Outcome::Mapped);
    check(
        &down,
        6,
        "#6=IfcFurnishingElement('000000000000000000000F',#9,'f',$,'mine',$,$,$)",
        Outcome::Approximated,
    );
    check(&down, 9, "#9=IfcOwnerHistory(#10,#13,$,.NOCHANGE.,$,$,$,0)", Outcome::Approximated);
    check(&down, 11, "#11=IfcPerson('p','p',$,$,$,$,$,$)", Outcome::Approximated);
    let (up, _) = convert(&down.0, Ifc4).unwrap();
    let line = |id| format!("{:?}", up.get(Id(id)).unwrap());
    assert_eq!(line(1), "#1=IfcChimney('000000000000000000000A',#9,'c',$,$,$,$,$,$)");
    assert_eq!(line(2), "#2=IfcAirTerminal('000000000000000000000B',#9,'a',$,$,$,$,$,.DIFFUSER.)");
    assert_eq!(line(3), "#3=IfcChimneyType('000000000000000000000C',#9,'t',$,$,$,$,$,$,.NOTDEFINED.)");
}

#[test]
fn a_type_says_what_its_occurrences_are() {
    let data = "\
#1=IFCFLOWCONTROLLER('000000000000000000000A',#9,'v',$,$,$,$,$);
#2=IFCVALVETYPE('000000000000000000000B',#9,'t',$,$,$,$,$,$,.CHECK.);
#3=IFCRELDEFINESBYTYPE('000000000000000000000C',#9,$,$,(#1),#2);
#4=IFCDOORSTYLE('000000000000000000000D',#9,'d',$,$,$,$,$,.SINGLE_SWING_LEFT.,.WOOD.,.T.,.F.);
#5=IFCWINDOWSTYLE('000000000000000000000E',#9,'w',$,$,$,$,$,.WOOD.,.SINGLE_PANEL.,.T.,.F.);
#9=IFCOWNERHISTORY(#10,#13,$,.ADDED.,$,$,$,0);
#10=IFCPERSONANDORGANIZATION(#11,#12,$);
#11=IFCPERSON('p',$,$,$,$,$,$,$);
#12=IFCORGANIZATION('o','o',$,$,$);
#13=IFCAPPLICATION(#12,'1','a','a');";
    let up = converted(Ifc2x3, data, Ifc4);
    check(&up, 1, "#1=IfcValve('000000000000000000000A',#9,'v',$,$,$,$,$,$)", Outcome::Mapped);
    check(
        &up,
        4,
        "#4=IfcDoorType('000000000000000000000D',#9,'d',$,$,$,$,$,$,.DOOR.,.SINGLE_SWING_LEFT.,.T.,$)",
        Outcome::Approximated,
    );
    check(
        &up,
        5,
        "#5=IfcWindowType('000000000000000000000E',#9,'w',$,$,$,$,$,$,.WINDOW.,.SINGLE_PANEL.,.T.,$)",
        Outcome::Approximated,
    );
    check(&up, 12, "#12=IfcOrganization('o','o',$,$,$)", Outcome::Mapped);
    assert!(
        reasons(&up.1, "IfcDoorStyle")
            .contains(&"1 approximated: IfcDoorType has no ConstructionType".to_owned())
    );
    let further = converted(Ifc2x3, data, Ifc4x3);
    check(&further, 1, "#1=IfcValve('000000000000000000000A',#9,'v',$,$,$,$,$,$)", Outcome::Mapped);
}

#[test]
fn dates_are_instances_in_one_schema_and_text_in_the_next() {
    let data = "\
#1=IFCDOCUMENTINFORMATION('d','n',$,(#7),$,$,$,$,$,$,#2,$,#5,#3,$,$,$);
#2=IFCDATEANDTIME(#3,#4);
#3=IFCCALENDARDATE(7,9,2011);
#4=IFCLOCALTIME(12,28,29.,#6,$);
#5=IFCDOCUMENTELECTRONICFORMAT('.pdf','application','pdf');
#6=IFCCOORDINATEDUNIVERSALTIMEOFFSET(2,$,.AHEAD.);
#7=IFCDOCUMENTREFERENCE('where','which',$);";
    let up = converted(Ifc2x3, data, Ifc4);
    let document = "#1=IfcDocumentInformation('d','n',$,$,$,$,$,$,$,$,'2011-09-07T12:28:29+02:00',$,'application/pdf','2011-09-07',$,$,$)";
    check(&up, 1, document, Outcome::Mapped);
    check(&up, 3, "", Outcome::Mapped);
    check(&up, 7, "#7=IfcDocumentReference('where','which',$,$,#1)", Outcome::Mapped);
    assert_eq!(up.0.len(), 2);
    let (down, _) = convert(&up.0, Ifc2x3).unwrap();
    let document = down.get(Id(1)).unwrap();
    assert_eq!(document.references("DocumentReferences"), [Id(7)]);
    let created = down.get(document.reference("CreationTime").unwrap()).unwrap();
    let date = down.get(created.reference("DateComponent").unwrap()).unwrap();
    assert_eq!(date.attributes(), [7.into(), 9.into(), 2011.into()]);
}

#[test]
fn faces_over_point_lists_are_breps_of_the_same_corners() {
    let data = "\
#1=IFCCARTESIANPOINTLIST3D(((0.,0.,0.),(1.,0.,0.),(0.,1.,0.),(0.,0.,1.)));
#2=IFCTRIANGULATEDFACESET(#1,$,.T.,((1,3,2),(1,2,4),(2,3,4),(1,4,3)),$);
#3=IFCPOLYGONALFACESET(#1,.F.,(#4,#5),(4,3,2,1));
#4=IFCINDEXEDPOLYGONALFACE((1,2,3));
#5=IFCINDEXEDPOLYGONALFACEWITHVOIDS((1,2,4),((2,3,4)));
#6=IFCSHAPEREPRESENTATION(#7,'Body','Tessellation',(#2));
#7=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,$,#8,$);
#8=IFCAXIS2PLACEMENT3D(#9,$,$);
#9=IFCCARTESIANPOINT((0.,0.,0.));
#10=IFCSTYLEDITEM(#2,(#11),$);
#11=IFCSURFACESTYLE($,.BOTH.,(#12));
#12=IFCSURFACESTYLESHADING(#13,$);
#13=IFCCOLOURRGB($,1.,0.,0.);
#14=IFCINDEXEDCOLOURMAP(#2,$,#15,(1,1,1,1));
#15=IFCCOLOURRGBLIST(((1.,0.,0.)));
#16=IFCSHAPEREPRESENTATION(#7,'Body','Tessellation',(#2,#3));
#17=IFCPRODUCTDEFINITIONSHAPE($,$,(#6,#16));
#18=IFCWALL('000000000000000000000A',$,$,$,$,$,#17,$,$);";
    let down = converted(Ifc4, data, Ifc2x3);
    let (model, report) = &down;
    assert_eq!(model.get(Id(2)).unwrap().class_name(), "IfcFacetedBrep");
    assert_eq!(model.get(Id(3)).unwrap().class_name(), "IfcFaceBasedSurfaceModel");
    assert_eq!(model.get(Id(6)).unwrap().text("RepresentationType").as_deref(), Some("Brep"));
    assert_eq!(model.get(Id(16)).unwrap().text("RepresentationType").as_deref(), Some("SurfaceModel"));
    assert_eq!((model.of_class("IfcFace").len(), model.of_class("IfcFaceBound").len()), (6, 7));
    // four corners serve both, in space as before
    assert_eq!(model.of_class("IfcCartesianPoint").len(), 5);
    let item = model.get(Id(10)).unwrap().references("Styles");
    assert_eq!(model.get(item[0]).unwrap().references("Styles"), [Id(11)]);
    assert_eq!(report.outcome(Id(14)), Outcome::Dropped);
    assert_eq!(report.outcome(Id(2)), Outcome::Mapped);
}

#[test]
fn a_curve_with_an_arc_keeps_it() {
    let data = "\
#1=IFCCARTESIANPOINTLIST2D(((0.,0.),(2.,0.),(3.,1.),(2.,2.),(0.,2.)));
#2=IFCINDEXEDPOLYCURVE(#1,(IFCLINEINDEX((1,2)),IFCARCINDEX((2,3,4)),IFCLINEINDEX((4,5)),IFCLINEINDEX((5,1))),.F.);
#3=IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#2);
#4=IFCINDEXEDPOLYCURVE(#1,$,$);
#5=IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#4);";
    let (model, report) = converted(Ifc4, data, Ifc2x3);
    let curve = model.get(Id(2)).unwrap();
    assert_eq!(curve.class_name(), "IfcCompositeCurve");
    let parents: Vec<&str> = curve
        .references("Segments")
        .into_iter()
        .map(|id| model.get(model.get(id).unwrap().reference("ParentCurve").unwrap()).unwrap().class_name())
        .collect();
    assert_eq!(parents, ["IfcPolyline", "IfcTrimmedCurve", "IfcPolyline"]);
    let circle = model.get(model.of_class("IfcCircle")[0]).unwrap();
    assert!((circle.number("Radius").unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(model.get(Id(4)).unwrap().references("Points").len(), 5);
    assert_eq!(report.outcome(Id(2)), Outcome::Mapped);
}

#[test]
fn splines_keep_their_shape_or_become_points_on_it() {
    let data = "\
#1=IFCBEZIERCURVE(2,(#2,#3,#4,#5,#6),.UNSPECIFIED.,.F.,.F.);
#2=IFCCARTESIANPOINT((0.,0.));
#3=IFCCARTESIANPOINT((1.,1.));
#4=IFCCARTESIANPOINT((2.,0.));
#5=IFCCARTESIANPOINT((3.,1.));
#6=IFCCARTESIANPOINT((4.,0.));
#7=IFCARBITRARYOPENPROFILEDEF(.CURVE.,$,#1);";
    let up = converted(Ifc2x3, data, Ifc4);
    let curve = "#1=IfcBSplineCurveWithKnots(2,(#2,#3,#4,#5,#6),.UNSPECIFIED.,.F.,.F.,(3,2,3),(0.,1.,2.),.PIECEWISE_BEZIER_KNOTS.)";
    check(&up, 1, curve, Outcome::Mapped);
    let (back, _) = convert(&up.0, Ifc2x3).unwrap();
    assert_eq!(
        format!("{:?}", back.get(Id(1)).unwrap()),
        "#1=IfcBezierCurve(2,(#2,#3,#4,#5,#6),.UNSPECIFIED.,.F.,.F.)"
    );
    let data = "\
#1=IFCBSPLINECURVEWITHKNOTS(2,(#2,#3,#4,#5),.UNSPECIFIED.,.F.,.F.,(3,1,3),(0.,1.,2.),.UNSPECIFIED.);
#2=IFCCARTESIANPOINT((0.,0.));
#3=IFCCARTESIANPOINT((1.,1.));
#4=IFCCARTESIANPOINT((3.,1.));
#5=IFCCARTESIANPOINT((4.,0.));
#7=IFCARBITRARYOPENPROFILEDEF(.CURVE.,$,#1);";
    let (model, report) = converted(Ifc4, data, Ifc2x3);
    let points = model.get(Id(1)).unwrap().references("Points");
    let point = |id: Id| model.get(id).unwrap().attr("Coordinates");
    assert_eq!((point(points[0]), point(points[16])), (Value::list([0.0, 0.0]), Value::list([4.0, 0.0])));
    // at the inner knot the curve is halfway between the two inner control points
    assert_eq!(point(points[8]), Value::list([2.0, 1.0]));
    assert_eq!(report.outcome(Id(1)), Outcome::Approximated);
}

#[test]
fn materials_ports_and_sets_of_sets_are_said_as_the_target_says_them() {
    let data = "\
#1=IFCMATERIALCONSTITUENTSET($,$,(#2,#3,#4));
#2=IFCMATERIALCONSTITUENT('a',$,#5,$,$);
#3=IFCMATERIALCONSTITUENT('b',$,#6,$,$);
#4=IFCMATERIALCONSTITUENT('c',$,#5,$,$);
#5=IFCMATERIAL('wood',$,$);
#6=IFCMATERIAL('glass',$,$);
#7=IFCRELASSOCIATESMATERIAL('000000000000000000000A',#29,$,$,(#10),#1);
#8=IFCRELASSOCIATESMATERIAL('000000000000000000000B',#29,$,$,(#11),#2);
#10=IFCPIPESEGMENT('000000000000000000000C',#29,$,$,$,$,$,$,$);
#11=IFCPIPESEGMENT('000000000000000000000D',#29,$,$,$,$,$,$,$);
#12=IFCDISTRIBUTIONPORT('000000000000000000000E',#29,$,$,$,$,$,.SOURCE.,.PIPE.,$);
#13=IFCDISTRIBUTIONPORT('000000000000000000000F',#29,$,$,$,$,$,.SINK.,.PIPE.,$);
#14=IFCRELNESTS('000000000000000000000G',#29,$,$,#10,(#12,#13));
#15=IFCPROPERTYSET('000000000000000000000H',#29,'p',$,(#17));
#16=IFCPROPERTYSET('000000000000000000000I',#29,'q',$,(#17));
#17=IFCPROPERTYENUMERATEDVALUE('e',$,$,$);
#18=IFCRELDEFINESBYPROPERTIES('000000000000000000000J',#29,$,$,(#10),IFCPROPERTYSETDEFINITIONSET((#15,#16)));
#29=IFCOWNERHISTORY(#30,#33,$,.NOCHANGE.,$,$,$,0);
#30=IFCPERSONANDORGANIZATION(#31,#32,$);
#31=IFCPERSON('p',$,$,$,$,$,$,$);
#32=IFCORGANIZATION('o','o',$,$,$);
#33=IFCAPPLICATION(#32,'1','a','a');";
    let down = converted(Ifc4, data, Ifc2x3);
    check(&down, 1, "#1=IfcMaterialList((#5,#6))", Outcome::Approximated);
    check(&down, 8, "#8=IfcRelAssociatesMaterial('000000000000000000000B',#29,$,$,(#11),#5)", Outcome::Kept);
    check(
        &down,
        14,
        "#14=IfcRelConnectsPortToElement('000000000000000000000G',#29,$,$,#12,#10)",
        Outcome::Mapped,
    );
    assert_eq!(down.0.of_class("IfcRelConnectsPortToElement").len(), 2);
    check(
        &down,
        18,
        "#18=IfcRelDefinesByProperties('000000000000000000000J',#29,$,$,(#10),#15)",
        Outcome::Mapped,
    );
    assert_eq!(down.0.of_class("IfcRelDefinesByProperties").len(), 2);
    check(&down, 17, "#17=IfcPropertySingleValue('e',$,$,$)", Outcome::Approximated);
}

#[test]
fn properties_of_materials_become_the_sets_that_are_agreed() {
    let data = "\
#1=IFCMATERIAL('steel');
#2=IFCMECHANICALSTEELMATERIALPROPERTIES(#1,$,2.1E11,$,0.3,$,2.35E8,$,$,$,$,$,$);
#3=IFCMATERIALLAYER(#1,0.2,$);";
    let (model, report) = converted(Ifc2x3, data, Ifc4);
    let names: Vec<_> =
        model.of_class("IfcMaterialProperties").into_iter().filter_map(|id| model.get(id)?.name()).collect();
    assert_eq!(names, ["Pset_MaterialMechanical", "Pset_MaterialSteel"]);
    let modulus = model.get(model.get(Id(2)).unwrap().references("Properties")[0]).unwrap();
    assert_eq!(modulus.attr("NominalValue"), Value::typed("IfcModulusOfElasticityMeasure", 2.1e11));
    assert_eq!(report.outcome(Id(3)), Outcome::Kept);
}

#[test]
fn infrastructure_becomes_the_nearest_that_buildings_have() {
    let data = "\
#1=IFCROAD('000000000000000000000A',$,'r',$,$,$,$,$,$,.NOTDEFINED.);
#2=IFCROADPART('000000000000000000000B',$,'p',$,$,$,$,$,.ELEMENT.,.LONGITUDINAL.,.SHOULDER.);
#3=IFCRELAGGREGATES('000000000000000000000C',$,$,$,#1,(#2));
#4=IFCKERB('000000000000000000000D',$,'k',$,$,#5,$,$,.T.);
#5=IFCLINEARPLACEMENT($,#6,#8);
#6=IFCAXIS2PLACEMENTLINEAR(#7,$,$);
#7=IFCPOINTBYDISTANCEEXPRESSION(IFCLENGTHMEASURE(5.),$,$,$,#20);
#8=IFCAXIS2PLACEMENT3D(#9,$,$);
#9=IFCCARTESIANPOINT((5.,0.,0.));
#10=IFCRELCONTAINEDINSPATIALSTRUCTURE('000000000000000000000E',$,$,$,(#4),#2);
#11=IFCELEMENTQUANTITY('000000000000000000000F',$,'q',$,$,(#12,#13));
#12=IFCQUANTITYNUMBER('n',$,$,2.5,$);
#13=IFCQUANTITYCOUNT('c',$,$,3,$);
#14=IFCPROPERTYSINGLEVALUE('x','why',IFCURIREFERENCE('u'),$);
#15=IFCPROPERTYSET('000000000000000000000G',$,'s',$,(#14));
#20=IFCPOLYLINE((#9,#21));
#21=IFCCARTESIANPOINT((9.,0.,0.));";
    let down = converted(Ifc4x3, data, Ifc4);
    check(
        &down,
        1,
        "#1=IfcBuilding('000000000000000000000A',$,'r',$,'IfcRoad',$,$,$,$,$,$,$)",
        Outcome::Approximated,
    );
    let part =
        "#2=IfcBuilding('000000000000000000000B',$,'p',$,'IfcRoadPart.SHOULDER',$,$,$,.PARTIAL.,$,$,$)";
    check(&down, 2, part, Outcome::Approximated);
    check(
        &down,
        4,
        "#4=IfcCivilElement('000000000000000000000D',$,'k',$,'IfcKerb',#5,$,$)",
        Outcome::Approximated,
    );
    check(&down, 5, "#5=IfcLocalPlacement($,#8)", Outcome::Approximated);
    check(&down, 7, "", Outcome::Dropped);
    check(&down, 12, "#12=IfcQuantityCount('n',$,$,2.5,$)", Outcome::Mapped);
    check(&down, 14, "#14=IfcPropertySingleValue('x','why',IFCLABEL('u'),$)", Outcome::Mapped);
    let (up, _) = convert(&down.0, Ifc4x3).unwrap();
    assert_eq!(format!("{:?}", up.get(Id(12)).unwrap()), "#12=IfcQuantityNumber('n',$,$,2.5,$)");
    assert_eq!(format!("{:?}", up.get(Id(13)).unwrap()), "#13=IfcQuantityCount('c',$,$,3,$)");
    assert_eq!(up.get(Id(14)).unwrap().text("Specification").as_deref(), Some("why"));
}

#[test]
fn what_hangs_on_something_that_falls_falls_with_it_and_is_reported() {
    let data = "\
#1=IFCCARTESIANPOINT((0.,0.,0.));
#2=IFCSHAPEREPRESENTATION(#4,'Body','AdvancedBrep',(#3));
#3=IFCADVANCEDBREP(#10);
#4=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,$,#5,$);
#5=IFCAXIS2PLACEMENT3D(#1,$,$);
#6=IFCPRODUCTDEFINITIONSHAPE($,$,(#2));
#7=IFCWALL('000000000000000000000A',$,$,$,$,$,#6,$,$);
#16=IFCPROJECT('000000000000000000000B',$,$,$,$,$,$,(#4),$);
#8=IFCSTYLEDITEM(#3,(#9),$);
#9=IFCCURVESTYLE($,$,$,$,$);
#10=IFCCLOSEDSHELL((#11));
#11=IFCFACE((#12));
#12=IFCFACEOUTERBOUND(#13,.T.);
#13=IFCPOLYLOOP((#1,#14,#15));
#14=IFCCARTESIANPOINT((1.,0.,0.));
#15=IFCCARTESIANPOINT((0.,1.,0.));";
    let down = converted(Ifc4, data, Ifc2x3);
    for gone in [2, 3, 6, 8, 9, 10, 13, 15] {
        check(&down, gone, "", Outcome::Dropped);
    }
    let wall = down.0.get(Id(7)).unwrap();
    assert!(wall.attr("Representation").is_null() && wall.guid().is_some());
    assert!(down.0.contains(Id(1)) && down.0.contains(Id(5)));
    let expected = "1 dropped: cannot be without its Items (IfcAdvancedBrep)";
    assert!(reasons(&down.1, "IfcShapeRepresentation").contains(&expected.to_owned()), "{:#?}", down.1.notes);
}

#[test]
fn real_models_are_as_sound_after_as_before_and_lose_no_element() {
    let Some(models) = testing::data("models") else { return };
    for name in [
        "Duplex_A_20110907",
        "SampleHouse4",
        "wall_door_column_4x3",
        "Text2BIM_sample_model",
        "3rooms_with_SB",
    ] {
        let path = models.join(format!("{name}.ifc"));
        let (before, _) = Model::open(&path, &Limits::default()).unwrap();
        let own = before.schema().version();
        let unsound = before.ids().filter(|id| !faults(&before, *id).is_empty()).count();
        for to in SchemaVersion::ALL.into_iter().filter(|to| *to != own) {
            let (after, report) = convert(&before, to).unwrap();
            let wrong: Vec<(Id, Vec<String>)> = after
                .ids()
                .map(|id| (id, faults(&after, id)))
                .filter(|(_, faults)| !faults.is_empty())
                .collect();
            assert!(wrong.len() <= unsound, "{name} to {to}: {wrong:#?}");
            assert_eq!(
                ifc_check::dangling(&after).len(),
                ifc_check::dangling(&before).len(),
                "{name} to {to}"
            );
            for id in before.of_class("IfcProduct") {
                let guid = before.get(id).and_then(|instance| instance.guid());
                assert_eq!(after.get(id).and_then(|instance| instance.guid()), guid, "{name} to {to}");
            }
            let total = report.total();
            assert_eq!(total.kept + total.mapped + total.approximated + total.dropped, before.len());
            let again = convert(&before, to).unwrap();
            assert_eq!(
                (again.0.to_bytes(), &again.1),
                (after.to_bytes(), &report),
                "{name} to {to}: not the same twice"
            );
        }
    }
}

/// A text of a model's objects: class, GlobalId, name, properties and place.
fn said(model: &Model) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for id in model.of_class("IfcObjectDefinition") {
        let instance = model.get(id).unwrap();
        // IFC4X3 ended the standard cases, and styles of doors and windows
        let class = instance.class_name();
        let class = match class {
            "IfcDoorStyle" => "IfcDoorType",
            "IfcWindowStyle" => "IfcWindowType",
            _ => class.trim_end_matches("StandardCase").trim_end_matches("ElementedCase"),
        };
        let sets: Vec<String> =
            ifc::psets::of_element(model, id).iter().map(|set| format!("{set:?}")).collect();
        let place = ifc::placement::of_product(model, id);
        all.push(format!("{id} {class} {:?} {:?} {place:?} {sets:?}", instance.guid(), instance.name()));
    }
    all.sort_unstable();
    all
}

/// The first thing that two models say differently, and how many there are.
fn difference(one: &Model, other: &Model) -> Option<(usize, String, String)> {
    let (mut one, mut other) = (said(one), said(other));
    let common: std::collections::HashSet<String> =
        one.iter().filter(|line| other.binary_search(line).is_ok()).cloned().collect();
    one.retain(|line| !common.contains(line));
    other.retain(|line| !common.contains(line));
    let (first, second) =
        (one.first().cloned().unwrap_or_default(), other.first().cloned().unwrap_or_default());
    let same = first.chars().zip(second.chars()).take_while(|(a, b)| a == b).count();
    let shown = |line: &str| format!("{:.40} … {:.200}", line, line.chars().skip(same).collect::<String>());
    let count = one.len().max(other.len());
    (count > 0).then(|| (count, shown(&first), shown(&second)))
}

fn there_and_back(before: &Model) -> Model {
    convert(&convert(before, Ifc4x3).unwrap().0, Ifc4).unwrap().0
}

#[test]
fn a_real_model_comes_back_from_the_newest_schema_as_it_went() {
    let Some(models) = testing::data("models") else { return };
    for name in ["3rooms_with_SB", "IfcOpenHouse_IFC4", "SampleHouse4"] {
        let path = models.join(format!("{name}.ifc"));
        let (before, _) = Model::open(&path, &Limits::default()).unwrap();
        let back = there_and_back(&before);
        assert_eq!(difference(&back, &before), None, "{name}");
    }
}

/// A value that a property may have.
fn nominal() -> impl Strategy<Value = Value> {
    prop_oneof![
        ".{0,300}".prop_map(|text| Value::typed("IfcText", text)),
        "[A-Z]{0,9}".prop_map(|text| Value::typed("IfcLabel", text)),
        (-1e9..1e9f64).prop_map(|number| Value::typed("IfcReal", number)),
        (-1e3..1e3f64).prop_map(|number| Value::typed("IfcThermalTransmittanceMeasure", number.abs())),
        any::<i32>().prop_map(|number| Value::typed("IfcInteger", i64::from(number))),
        any::<bool>().prop_map(|truth| Value::typed("IfcBoolean", truth)),
        Just(Value::typed("IfcLogical", Value::Unknown)),
        Just(Value::Null),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_a_house_says_of_itself_it_says_after_ifc4x3_and_back(
        names in proptest::collection::vec((prop_oneof![5u32..8, 10u32..15, 19u32..21], ".{0,40}"), 0..6),
        properties in proptest::collection::vec((30u32..34, "[A-Z][a-z]{3,12}", nominal()), 0..8),
        places in proptest::collection::vec((94u32..98, -1e6..1e6f64), 0..4),
        removed in proptest::collection::vec(10u32..65, 0..3),
    ) {
        let mut edit = model(Ifc4, HOUSE).edit();
        for (id, name) in names {
            edit.set(Id(id), "Name", name).unwrap();
        }
        for (at, (set, name, value)) in properties.into_iter().enumerate() {
            let name = format!("{name}{at}");
            let attributes = [("Name", name.into()), ("NominalValue", value)];
            let property = edit.create("IfcPropertySingleValue", &attributes).unwrap();
            let set = Id(if set < 32 { 30 } else { 33 });
            edit.add_to(set, "HasProperties", property).unwrap();
        }
        for (point, x) in places {
            edit.set(Id(point), "Coordinates", Value::list([x, 1.0, 2.0])).unwrap();
        }
        for id in removed {
            let _ = edit.remove_all(&[Id(id)], ifc::edit::Referrers::Cascade);
        }
        let (before, _) = edit.finish();
        let back = there_and_back(&before);
        prop_assert_eq!(difference(&back, &before), None);
        let wrong: Vec<String> = back.ids().flat_map(|id| faults(&back, id)).collect();
        prop_assert_eq!(wrong, Vec::<String>::new());
    }
}

#[test]
fn a_model_of_another_schema_is_converted_and_copied_from() {
    let old = convert(&model(Ifc4, HOUSE), Ifc2x3).unwrap().0;
    let new = convert(&old, Ifc4).unwrap().0;
    let mut edit = Model::blank(Ifc4, Header::new("new.ifc", "2026-01-02T03:04:05")).edit();
    let options = CopyOptions::default();
    let copied = edit.copy(&new, &[Id(10)], &options).unwrap();
    assert_eq!(edit.get(copied.ids[&Id(10)]).unwrap().class_name(), "IfcWall");
    assert_eq!(sample::dangling(&edit), []);
}
