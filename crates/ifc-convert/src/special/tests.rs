//! Conversions of what one schema wants once and the other does not mind.

use crate::Outcome;
use crate::tests::{check, converted, reasons};
use ifc::psets;
use ifc::schema::SchemaVersion::{Ifc2x3, Ifc4};
use ifc::{Id, Value};
use ifc_check::{ValidationOptions, validate};

/// An owner history in IFC2X3 and IFC4.
const HISTORY: &str = "
#90=IFCOWNERHISTORY(#91,#94,$,.NOCHANGE.,$,$,$,0);
#91=IFCPERSONANDORGANIZATION(#92,#93,$);
#92=IFCPERSON('p','p',$,$,$,$,$,$);
#93=IFCORGANIZATION('o','o',$,$,$);
#94=IFCAPPLICATION(#93,'1','a','a');";

fn with_history(data: &str) -> String {
    format!("{data}{HISTORY}")
}

#[test]
fn property_sets_of_one_name_become_one_and_nothing_is_lost() {
    let data = with_history(
        "\
#1=IFCWALL('000000000000000000000A',#90,'a',$,$,$,$,$);
#2=IFCWALL('000000000000000000000B',#90,'b',$,$,$,$,$);
#3=IFCWALL('000000000000000000000C',#90,'c',$,$,$,$,$);
#4=IFCPROPERTYSET('000000000000000000000D',#90,'Other',$,(#10,#11));
#5=IFCPROPERTYSET('000000000000000000000E',#90,'Other',$,(#12,#13,#14));
#6=IFCRELDEFINESBYPROPERTIES('000000000000000000000F',#90,$,$,(#1),#4);
#7=IFCRELDEFINESBYPROPERTIES('000000000000000000000G',#90,$,$,(#1,#2,#3),#5);
#8=IFCPROPERTYSET('000000000000000000000H',#90,'Other',$,(#15));
#9=IFCRELDEFINESBYPROPERTIES('000000000000000000000I',#90,$,$,(#2,#3),#8);
#10=IFCPROPERTYSINGLEVALUE('Mark',$,IFCLABEL('own'),$);
#11=IFCPROPERTYSINGLEVALUE('Same',$,IFCLABEL('x'),$);
#12=IFCPROPERTYSINGLEVALUE('Mark',$,IFCLABEL('type'),$);
#13=IFCPROPERTYSINGLEVALUE('Same',$,IFCLABEL('x'),$);
#14=IFCPROPERTYSINGLEVALUE('More',$,IFCLABEL('y'),$);
#15=IFCPROPERTYSINGLEVALUE('Less',$,IFCLABEL('z'),$);",
    );
    let up = converted(Ifc2x3, &data, Ifc4);
    let sets = |id: u32| -> Vec<Vec<String>> {
        let sets = up.0.get(Id(id)).map(|_| psets::of_element(&up.0, Id(id))).unwrap_or_default();
        let named =
            sets.iter().map(|set| set.properties.iter().map(|property| property.name.clone()).collect());
        named.collect()
    };
    assert_eq!(sets(1), [["Mark (2)", "Mark", "Same", "More"].map(str::to_owned)]);
    assert_eq!(sets(2), [["Mark", "Same", "More", "Less"].map(str::to_owned)]);
    assert_eq!(sets(3), sets(2));
    assert_eq!(up.0.of_class("IfcPropertySet"), [Id(4), Id(8)]);
    assert_eq!(up.1.outcome(Id(7)), Outcome::Mapped);
    assert_eq!(up.1.outcome(Id(12)), Outcome::Kept);
}

#[test]
fn sets_that_others_have_too_are_joined_in_a_set_of_its_own() {
    let data = with_history(
        "\
#1=IFCWALL('000000000000000000000A',#90,'a',$,$,$,$,$);
#2=IFCWALL('000000000000000000000B',#90,'b',$,$,$,$,$);
#3=IFCWALL('000000000000000000000C',#90,'c',$,$,$,$,$);
#4=IFCPROPERTYSET('000000000000000000000D',#90,'Other',$,(#10));
#5=IFCPROPERTYSET('000000000000000000000E',#90,'Other',$,(#11));
#6=IFCRELDEFINESBYPROPERTIES('000000000000000000000F',#90,$,$,(#1,#2),#4);
#7=IFCRELDEFINESBYPROPERTIES('000000000000000000000G',#90,$,$,(#1,#3),#5);
#10=IFCPROPERTYSINGLEVALUE('P',$,IFCLABEL('p'),$);
#11=IFCPROPERTYSINGLEVALUE('Q',$,IFCLABEL('q'),$);",
    );
    let (model, report) = converted(Ifc2x3, &data, Ifc4);
    assert_eq!(model.get(Id(6)).unwrap().references("RelatedObjects"), [Id(2)]);
    assert_eq!(model.get(Id(7)).unwrap().references("RelatedObjects"), [Id(3)]);
    let sets = psets::of_element(&model, Id(1));
    assert_eq!(sets.len(), 1);
    assert_eq!(sets[0].properties.len(), 2);
    assert_eq!(report.made.get("IfcPropertySet"), Some(&1));
}

#[test]
fn quantities_materials_and_dates_are_as_the_newer_rules_want_them() {
    let data = "\
#1=IFCELEMENTQUANTITY('000000000000000000000A',#90,'q',$,$,(#2,#3,#4));
#2=IFCQUANTITYAREA('Net',$,$,5000000.);
#3=IFCQUANTITYLENGTH('Width',$,$,2.);
#4=IFCQUANTITYAREA('Net',$,$,5.);
#5=IFCSLAB('000000000000000000000B',#90,'s',$,$,$,$,$,.NOTDEFINED.);
#6=IFCRELASSOCIATESMATERIAL('000000000000000000000C',#90,$,$,(#5),#8);
#7=IFCRELASSOCIATESMATERIAL('000000000000000000000D',#90,$,$,(#5),#9);
#8=IFCMATERIAL('roof');
#9=IFCMATERIALLAYERSET((#10),'l');
#10=IFCMATERIALLAYER(#11,0.4,$);
#11=IFCMATERIAL('tiles');
#12=IFCSTAIR('000000000000000000000E',#90,'t',$,$,$,$,$,.USERDEFINED.);
#13=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,$,#14,#16);
#14=IFCAXIS2PLACEMENT3D(#15,$,$);
#15=IFCCARTESIANPOINT((0.,0.,0.));
#16=IFCDIRECTION((0.6,0.8,0.));
#17=IFCRELDEFINESBYPROPERTIES('000000000000000000000F',#90,$,$,(#5),#1);
#18=IFCPROJECT('000000000000000000000G',#90,'p',$,$,$,$,(#13),#19);
#19=IFCUNITASSIGNMENT((#20));
#20=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);
#90=IFCOWNERHISTORY(#91,#94,$,.ADDED.,$,$,$,7);
#91=IFCPERSONANDORGANIZATION(#92,#93,$);
#92=IFCPERSON('p','p',$,$,$,$,$,$);
#93=IFCORGANIZATION('o','o',$,$,$);
#94=IFCAPPLICATION(#93,'1','a','a');";
    let up = converted(Ifc2x3, data, Ifc4);
    check(&up, 2, "#2=IfcQuantityArea('Net (2)',$,$,5000000.,$)", Outcome::Approximated);
    check(&up, 4, "#4=IfcQuantityArea('Net',$,$,5.,$)", Outcome::Kept);
    assert_eq!(up.0.referrers_of(Id(5), "IfcRelAssociatesMaterial"), [Id(7)]);
    check(&up, 6, "", Outcome::Dropped);
    assert_eq!(up.1.outcome(Id(5)), Outcome::Approximated);
    check(
        &up,
        12,
        "#12=IfcStair('000000000000000000000E',#90,'t',$,$,$,$,$,.NOTDEFINED.)",
        Outcome::Approximated,
    );
    check(&up, 90, "#90=IfcOwnerHistory(#91,#94,$,.ADDED.,7,$,$,7)", Outcome::Approximated);
    let north = up.0.get(Id(13)).and_then(|context| context.reference("TrueNorth")).unwrap();
    assert_eq!(up.0.get(north).unwrap().attr("DirectionRatios"), Value::list([0.6, 0.8]));
    let report = validate(&up.0, &ValidationOptions { implementer: false, ..ValidationOptions::default() });
    assert_eq!(report.findings, []);
}

#[test]
fn what_only_one_may_have_is_copied() {
    let data = with_history(
        "\
#1=IFCWALL('000000000000000000000A',#90,'a',$,$,#3,#4,$,$);
#2=IFCWALL('000000000000000000000B',#90,'b',$,$,#3,#4,$,$);
#3=IFCLOCALPLACEMENT($,#10);
#4=IFCPRODUCTDEFINITIONSHAPE($,$,(#5,#5));
#5=IFCSHAPEREPRESENTATION(#9,'Axis','Curve2D',(#7));
#6=IFCPRESENTATIONLAYERASSIGNMENT('l',$,(#5),$);
#7=IFCPOLYLINE((#11,#12));
#8=IFCWALL('000000000000000000000C',#90,'c',$,$,#18,#13,$,$);
#9=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,$,#10,$);
#10=IFCAXIS2PLACEMENT3D(#14,$,$);
#11=IFCCARTESIANPOINT((0.,0.));
#12=IFCCARTESIANPOINT((1.,0.));
#13=IFCPRODUCTDEFINITIONSHAPE($,$,(#5));
#14=IFCCARTESIANPOINT((0.,0.,0.));
#15=IFCPROJECT('000000000000000000000D',#90,'p',$,$,$,$,(#9),#16);
#16=IFCUNITASSIGNMENT((#17));
#17=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);
#18=IFCLOCALPLACEMENT($,#10);",
    );
    let (model, report) = converted(Ifc4, &data, Ifc2x3);
    let shape = |id: u32| model.get(Id(id)).unwrap().reference("Representation").unwrap();
    let lists: Vec<Vec<Id>> =
        [1, 2, 8].map(|id| model.get(shape(id)).unwrap().references("Representations")).to_vec();
    assert!(lists.iter().all(|list| list.len() == 1), "{lists:?}");
    let mut all: Vec<Id> = lists.concat();
    assert_eq!(model.get(Id(6)).unwrap().references("AssignedItems").len(), 3);
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 3);
    let places: Vec<Option<Id>> =
        [1, 2].map(|id| model.get(Id(id)).unwrap().reference("ObjectPlacement")).to_vec();
    assert_ne!(places[0], places[1]);
    assert_eq!(model.get(all[2]).unwrap().references("Items"), [Id(7)]);
    let wall = reasons(&report, "IfcWall");
    assert!(wall.contains(&"1 mapped: has a copy of a shape that another product has as well".to_owned()));
    let findings =
        validate(&model, &ValidationOptions { implementer: false, ..ValidationOptions::default() }).findings;
    assert_eq!(findings, []);
}
