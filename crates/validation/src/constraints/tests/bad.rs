//! Models with next to nothing in them, or with what leads nowhere.

use super::*;
use ifc::{Header, Limits, Model, SchemaVersion};

#[test]
fn an_empty_model_has_nothing_but_what_could_not_be_judged() {
    for schema in [SchemaVersion::Ifc2x3, SchemaVersion::Ifc4, SchemaVersion::Ifc4x3] {
        let model = Model::blank(schema, Header::new("empty.ifc", "2026-11-21T22:00:00"));
        let report = report(&Made::new(model));
        assert!(report.findings.iter().all(|f| f.severity == Severity::Info), "{:?}", report.findings);
        assert!(!report.findings.is_empty());
    }
}

#[test]
fn relations_in_circles_and_references_to_nowhere_end() {
    let head = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n";
    let data = "#1=IFCWALL('0000000000000000000001',$,'A',$,$,#90,#91,$,$);\n\
        #2=IFCWALL('0000000000000000000002',$,'B',$,$,$,$,$,$);\n\
        #3=IFCRELAGGREGATES('0000000000000000000003',$,$,$,#1,(#2));\n\
        #4=IFCRELAGGREGATES('0000000000000000000004',$,$,$,#2,(#1));\n\
        #5=IFCOPENINGELEMENT('0000000000000000000005',$,$,$,$,$,$,$,$);\n\
        #6=IFCRELVOIDSELEMENT('0000000000000000000006',$,$,$,#5,#5);\n\
        #7=IFCDOOR('0000000000000000000007',$,$,$,$,#8,$,$,-1.,0.,$,$,$);\n\
        #8=IFCLOCALPLACEMENT(#8,#9);\n#9=IFCAXIS2PLACEMENT3D(#10,$,$);\n#10=IFCCARTESIANPOINT((1.E400,0.,0.));\n\
        #11=IFCBUILDINGSTOREY('0000000000000000000011',$,$,$,$,#12,$,$,$,$);\n";
    let text = format!("{head}{data}ENDSEC;\nEND-ISO-10303-21;\n");
    let (model, _) = Model::from_bytes(text.into_bytes(), &Limits::default()).unwrap();
    let rules: BTreeSet<String> =
        report(&Made::new(model)).findings.into_iter().map(|finding| finding.rule).collect();
    for rule in ["constraints.placement", "constraints.orphan", "constraints.zero_size"] {
        assert!(rules.contains(rule), "{rule}: {rules:?}");
    }
}
