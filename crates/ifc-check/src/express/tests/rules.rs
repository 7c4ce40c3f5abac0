//! Rules of the schemas on models of a few lines.

use crate::FindingCode;
use crate::express::check_rules;
use crate::sample::model;
use SchemaVersion::{Ifc2x3, Ifc4, Ifc4x3};
use ifc::SchemaVersion;

/// The rules that a model breaks, as `#id rule`, each once, in the order of the text.
fn check(schema: SchemaVersion, data: &str, expected: &[&str]) {
    let mut found: Vec<String> = check_rules(&model(schema, data))
        .into_iter()
        .map(|finding| {
            let id = finding.id.map_or("model".to_owned(), |id| id.to_string());
            format!("{id} {}", finding.rule.unwrap_or_default())
        })
        .collect();
    found.sort();
    found.dedup();
    assert_eq!(found, expected);
}

#[test]
fn a_user_defined_type_needs_its_word() {
    let wall = |object_type: &str, predefined: &str| {
        format!("#1=IFCWALL('0000000000000000000001',$,$,$,{object_type},$,$,$,{predefined});")
    };
    check(Ifc4, &wall("$", ".USERDEFINED."), &["#1 IfcWall.CorrectPredefinedType"]);
    check(Ifc4, &wall("'Hedge'", ".USERDEFINED."), &[]);
    check(Ifc4, &wall("$", ".SOLIDWALL."), &[]);
    check(Ifc4, &wall("$", "$"), &[]);
}

#[test]
fn rules_are_inherited_and_speak_of_who_refers_here() {
    let wall = "#1=IFCWALLSTANDARDCASE('0000000000000000000001',$,$,$,$,$,$,$,.USERDEFINED.);";
    check(
        Ifc4,
        wall,
        &["#1 IfcWall.CorrectPredefinedType", "#1 IfcWallStandardCase.HasMaterialLayerSetUsage"],
    );
    let sound = "#1=IFCWALLSTANDARDCASE('0000000000000000000001',$,$,$,$,$,$,$,$);
        #2=IFCRELASSOCIATESMATERIAL('0000000000000000000002',$,$,$,(#1),#3);
        #3=IFCMATERIALLAYERSETUSAGE(#4,.AXIS2.,.POSITIVE.,0.,$);
        #4=IFCMATERIALLAYERSET((#5),$,$);
        #5=IFCMATERIALLAYER($,0.2,$,$,$,$,$);";
    check(Ifc4, sound, &[]);
}

#[test]
fn rules_of_types_are_asked_of_every_value() {
    // a rule of the type itself, of the type within a select, and of members of an aggregate
    let circle = "#1=IFCCIRCLE(#2,-1.);\n#2=IFCAXIS2PLACEMENT2D(#3,$);\n#3=IFCCARTESIANPOINT((0.,0.));";
    check(Ifc4, circle, &["#1 IfcPositiveLengthMeasure.WR1"]);
    let single = "#1=IFCPROPERTYSINGLEVALUE('x',$,IFCPHMEASURE(15.),$);";
    check(Ifc4, single, &["#1 IfcPHMeasure.WR21"]);
    let list = "#1=IFCPROPERTYLISTVALUE('x',$,(IFCPHMEASURE(1.),IFCPHMEASURE(-1.)),$);";
    check(Ifc4, list, &["#1 IfcPHMeasure.WR21"]);
    let font = "#1=IFCTEXTSTYLEFONTMODEL('x',('a'),'slanted',$,$,IFCLENGTHMEASURE(1.));";
    check(Ifc4, font, &["#1 IfcFontStyle.WR1"]);
}

#[test]
fn the_finding_shows_the_rule_and_what_it_speaks_of() {
    let findings =
        check_rules(&model(Ifc4, "#1=IFCWALL('0000000000000000000001',$,$,$,$,$,$,$,.USERDEFINED.);"));
    let [finding] = &*findings else { panic!("{findings:?}") };
    assert_eq!(finding.code, FindingCode::WhereRule);
    assert_eq!(finding.class.as_deref(), Some("IfcWall"));
    assert_eq!((finding.line, finding.column), (8, 1));
    assert_eq!(
        finding.message,
        "IfcWall.CorrectPredefinedType does not hold: NOT(EXISTS(PredefinedType)) OR (PredefinedType <> \
         IfcWallTypeEnum.USERDEFINED) OR ((PredefinedType = IfcWallTypeEnum.USERDEFINED) AND EXISTS \
         (SELF\\IfcObject.ObjectType)); here PredefinedType is .USERDEFINED., ObjectType is $"
    );
    let findings = check_rules(&model(Ifc4, "#1=IFCPROPERTYSINGLEVALUE('x',$,IFCPHMEASURE(15.),$);"));
    let [finding] = &*findings else { panic!("{findings:?}") };
    assert_eq!(finding.attribute.as_deref(), Some("NominalValue"));
    assert_eq!(
        finding.message,
        "IfcPHMeasure.WR21 does not hold: {0.0 <= SELF <= 14.0}; here NominalValue is 15."
    );
}

#[test]
fn functions_that_build_axes_find_parallel_ones() {
    let placement = |axis: &str, direction: &str| {
        format!(
            "#1=IFCAXIS2PLACEMENT3D(#2,{axis},{direction});
            #2=IFCCARTESIANPOINT((0.,0.,0.));
            #3=IFCDIRECTION((0.,0.,1.));
            #4=IFCDIRECTION((0.,0.,-2.));
            #5=IFCDIRECTION((1.,0.,1.));
            #6=IFCDIRECTION((1.,0.));"
        )
    };
    check(Ifc4, &placement("#3", "#5"), &[]);
    check(Ifc4, &placement("#3", "#4"), &["#1 IfcAxis2Placement3D.AxisToRefDirPosition"]);
    check(Ifc4, &placement("#3", "$"), &["#1 IfcAxis2Placement3D.AxisAndRefDirProvision"]);
    check(Ifc4, &placement("#3", "#6"), &["#1 IfcAxis2Placement3D.RefDirIs3D"]);
    check(Ifc2x3, &placement("#3", "#4"), &["#1 IfcAxis2Placement3D.WR4"]);
    check(Ifc4x3, &placement("#3", "#4"), &["#1 IfcAxis2Placement3D.AxisToRefDirPosition"]);
}

#[test]
fn derived_attributes_are_followed() {
    // the dimensions of an SI unit follow from its name
    let unit = |kind: &str, name: &str| format!("#1=IFCSIUNIT(*,.{kind}.,$,.{name}.);");
    check(Ifc4, &unit("LENGTHUNIT", "METRE"), &[]);
    check(Ifc4, &unit("AREAUNIT", "METRE"), &["#1 IfcNamedUnit.WR1"]);
    // the ends of an oriented edge follow from the edge that it orients
    let edges = |second: &str| {
        format!(
            "#1=IFCEDGELOOP((#2,#3));
            #2=IFCORIENTEDEDGE(*,*,#4,.T.);
            #3=IFCORIENTEDEDGE(*,*,#5,{second});
            #4=IFCEDGE(#6,#7);
            #5=IFCEDGE(#6,#7);
            #6=IFCVERTEX();
            #7=IFCVERTEX();"
        )
    };
    check(Ifc4, &edges(".F."), &[]);
    check(Ifc4, &edges(".T."), &["#1 IfcEdgeLoop.IsClosed", "#1 IfcEdgeLoop.IsContinuous"]);
}

#[test]
fn names_of_properties_are_unique_in_their_set() {
    let set = |second: &str| {
        format!(
            "#1=IFCPROPERTYSET('0000000000000000000001',$,'S',$,(#2,#3));
            #2=IFCPROPERTYSINGLEVALUE('a',$,$,$);
            #3=IFCPROPERTYSINGLEVALUE('{second}',$,$,$);"
        )
    };
    check(Ifc4, &set("b"), &[]);
    check(Ifc4, &set("a"), &["#1 IfcPropertySet.UniquePropertyNames"]);
}

#[test]
fn what_is_not_known_breaks_no_rule() {
    // the dimension of a curve that is not there is not known, so that nothing can be said of it
    check(
        Ifc4,
        "#1=IFCTRIMMEDCURVE(#99,(IFCPARAMETERVALUE(0.)),(IFCPARAMETERVALUE(1.)),.T.,.PARAMETER.);",
        &[],
    );
    check(
        Ifc2x3,
        "#1=IFCDOCUMENTREFERENCE($,$,$);",
        &["#1 IfcDocumentReference.WR1", "#1 IfcExternalReference.WR1"],
    );
}

#[test]
fn a_reference_to_nowhere_counts_as_none() {
    let placement = |axis: &str| {
        format!(
            "#1=IFCAXIS2PLACEMENT3D(#2,{axis},#3);\n#2=IFCCARTESIANPOINT((0.,0.,0.));\n#3=IFCDIRECTION((1.,0.,0.));"
        )
    };
    check(Ifc4, &placement("$"), &["#1 IfcAxis2Placement3D.AxisAndRefDirProvision"]);
    check(Ifc4, &placement("#99"), &["#1 IfcAxis2Placement3D.AxisAndRefDirProvision"]);
    check(Ifc4, "#1=IFCPRODUCTDEFINITIONSHAPE($,$,(#99));", &[]);
}

#[test]
fn a_rule_that_names_a_type_that_is_not_there_says_so() {
    // IFC4 has IFCTRANFORMERTYPE in the rule of transformers, so that none with a type can keep it
    let typed = "#1=IFCTRANSFORMER('0000000000000000000001',$,$,$,$,$,$,$,$);
        #2=IFCTRANSFORMERTYPE('0000000000000000000002',$,'T',$,$,$,$,$,$,.CURRENT.);
        #3=IFCRELDEFINESBYTYPE('0000000000000000000003',$,$,$,(#1),#2);";
    let findings = check_rules(&model(Ifc4, typed));
    let [finding] = &*findings else { panic!("{findings:?}") };
    let end = "the rule itself is at fault: the schema has no IFCTRANFORMERTYPE";
    assert!(finding.message.ends_with(end), "{}", finding.message);
    check(Ifc4x3, typed, &[]);
}

#[test]
fn who_refers_twice_is_one_in_an_inverse_set() {
    let shape = "#1=IFCPRODUCTDEFINITIONSHAPE($,$,(#2,#2));\n#2=IFCSHAPEREPRESENTATION(#3,'Body','Brep',(#4));
        #3=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,$,#6,$);\n#4=IFCFACETEDBREP(#5);\n#5=IFCCLOSEDSHELL(());
        #6=IFCAXIS2PLACEMENT3D(#7,$,$);\n#7=IFCCARTESIANPOINT((0.,0.,0.));";
    check(Ifc4, shape, &[]);
}

#[test]
fn unique_rules_leave_out_what_is_not_given() {
    let applications = "#1=IFCORGANIZATION($,'o',$,$,$);
        #2=IFCAPPLICATION(#1,'1','A','same');
        #3=IFCAPPLICATION(#1,'2','A','same');
        #4=IFCAPPLICATION(#1,'2','A','other');";
    check(Ifc4, applications, &["#3 IfcApplication.UR1", "#4 IfcApplication.UR2"]);
    let orders = "#1=IFCFUELPROPERTIES(#3,$,$,$,$);\n#2=IFCFUELPROPERTIES(#3,$,$,$,$);\n#3=IFCMATERIAL('m');";
    check(Ifc2x3, orders, &["#2 IfcFuelProperties.UR11"]);
    let findings = check_rules(&model(Ifc4, applications));
    assert_eq!(
        findings.first().map(|finding| finding.message.as_str()),
        Some(
            "IfcApplication.UR1: ApplicationIdentifier must be unique among instances of IfcApplication, but #2 has 'same' too"
        )
    );
}

#[test]
fn rules_of_the_whole_model() {
    let project = |n: u32| format!("#{n}=IFCPROJECT('000000000000000000000{n}',$,'P',$,$,$,$,$,$);");
    check(Ifc4x3, &project(1), &[]);
    check(Ifc4x3, &[project(1), project(2)].join("\n"), &["model IfcSingleProjectInstance"]);
    let contexts = |other: &str| {
        format!(
            "#1=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#3,$);
            #2=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Plan',3,1.E-5,{other},$);
            #3=IFCAXIS2PLACEMENT3D(#5,$,$);
            #4=IFCAXIS2PLACEMENT3D(#5,#6,#7);
            #5=IFCCARTESIANPOINT((0.,0.,0.));
            #6=IFCDIRECTION((0.,1.,0.));
            #7=IFCDIRECTION((1.,0.,0.));
            #8=IFCAXIS2PLACEMENT3D(#5,$,$);"
        )
    };
    check(Ifc4, &contexts("#3"), &[]);
    check(Ifc4, &contexts("#8"), &[]);
    check(Ifc4, &contexts("#4"), &["model IfcRepresentationContextSameWCS"]);
}

#[test]
fn edits_are_checked_before_they_are_written() {
    let before = model(Ifc4, "#1=IFCWALL('0000000000000000000001',$,$,$,$,$,$,$,$);");
    assert_eq!(check_rules(&before), []);
    let mut edit = before.edit();
    edit.set(ifc::Id(1), "PredefinedType", ifc::Value::enumeration("USERDEFINED")).unwrap();
    let (after, _) = edit.finish();
    let rules: Vec<_> = check_rules(&after).into_iter().filter_map(|finding| finding.rule).collect();
    assert_eq!(rules, ["IfcWall.CorrectPredefinedType"]);
}
