//! Units, cables, resources, buildings and the breakdown of space, whole and with one thing wrong each.

use super::broken;
use ifc::SchemaVersion;

fn units(unit: &str, si: &str, value: f64) -> usize {
    let text = format!(
        "#1=IFCPROJECT('0Project00000000000001',$,'P',$,$,$,$,$,#2);
        #2=IFCUNITASSIGNMENT((#3));
        #3=IFCCONVERSIONBASEDUNIT(#4,{unit},#5);
        #4=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);
        #5=IFCMEASUREWITHUNIT(IFCREAL({value:?}),#6);
        #6={si};
        #7=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);
        #8=IFCMEASUREWITHUNIT(IFCREAL(0.3048),#7);"
    );
    broken(SchemaVersion::Ifc4, &text, "PJS001").len()
}

#[test]
fn units_told_by_others_are_recommended_ones() {
    let metre = "IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)";
    assert_eq!(units(".LENGTHUNIT.,'foot'", metre, 0.3048), 0);
    assert_eq!(units(".LENGTHUNIT.,'FOOT'", metre, 0.3048), 0);
    assert_eq!(units(".LENGTHUNIT.,'foot'", "IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)", 304.8), 0);
    assert_eq!(units(".LENGTHUNIT.,'foot'", metre, 0.304_800_609_601), 1);
    assert_eq!(units(".LENGTHUNIT.,'furlong'", metre, 201.168), 1);
    // of other kinds, names are not held against the table
    assert_eq!(units(".TIMEUNIT.,'fortnight'", "IFCSIUNIT(*,.TIMEUNIT.,$,.SECOND.)", 1_209_600.0), 0);
    assert_eq!(units(".TIMEUNIT.,'hour'", "IFCSIUNIT(*,.TIMEUNIT.,$,.SECOND.)", 360.0), 1);
    assert_eq!(units(".MASSUNIT.,'pound'", "IFCSIUNIT(*,.MASSUNIT.,.KILO.,.GRAM.)", 0.453_592_37), 0);
    // told by a unit that is told by another, and by one of another kind
    let foot = "IFCCONVERSIONBASEDUNIT(#4,.LENGTHUNIT.,'foot',#8)";
    assert_eq!(units(".LENGTHUNIT.,'yard'", foot, 3.0), 1);
    assert_eq!(units(".AREAUNIT.,'square foot'", metre, 0.092_903_04), 1);
    assert_eq!(
        units(".AREAUNIT.,'square foot'", "IFCSIUNIT(*,.AREAUNIT.,.CENTI.,.SQUARE_METRE.)", 929.030_4),
        0
    );
    assert_eq!(units(".PLANEANGLEUNIT.,'degree'", "IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.)", 0.01745), 1);
}

#[test]
fn cables_have_a_source_and_a_sink() {
    let cable = |schema, ports: &str| {
        let text = format!(
            "#1=IFCCABLESEGMENT('0Cable0000000000000001',$,'C',$,$,$,$,$,$);
            #2=IFCDISTRIBUTIONPORT('0Cable0000000000000002',$,$,$,$,$,$,.SOURCE.,$,$);
            #3=IFCDISTRIBUTIONPORT('0Cable0000000000000003',$,$,$,$,$,$,.SINK.,$,$);
            #4=IFCDISTRIBUTIONPORT('0Cable0000000000000004',$,$,$,$,$,$,.SOURCEANDSINK.,$,$);
            #5=IFCRELNESTS('0Cable0000000000000005',$,$,$,#1,({ports}));"
        );
        broken(schema, &text, "SYS001").len()
    };
    let newest = SchemaVersion::Ifc4x3;
    assert_eq!(cable(newest, "#2,#3"), 0);
    assert_eq!(cable(newest, "#3,#4"), 1);
    assert_eq!(cable(newest, "#2,#3,#4"), 1);
    assert_eq!(cable(newest, "#1"), 3);
    assert_eq!(cable(SchemaVersion::Ifc4, "#3"), 0);
}

#[test]
fn relations_between_resources_belong_to_what_they_relate_and_make_nothing_belong() {
    let text = "#1=IFCPROJECT('0Project00000000000001',#2,'P',$,$,$,$,$,$);
        #2=IFCOWNERHISTORY(#3,#4,$,.NOCHANGE.,$,$,$,1);
        #3=IFCPERSONANDORGANIZATION(#5,#6,$);
        #4=IFCAPPLICATION(#6,'1','A','A');
        #5=IFCPERSON('P',$,$,$,$,$,$,$);
        #6=IFCORGANIZATION($,'O',$,$,$);
        #7=IFCORGANIZATION($,'Part of O',$,$,$);
        #8=IFCORGANIZATIONRELATIONSHIP('R',$,#6,(#7));";
    for rule in ["IFC105", "IFC106"] {
        let found = broken(SchemaVersion::Ifc4, text, rule);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("#7 "), "{found:?}");
    }
}

#[test]
fn an_empty_building_has_a_body() {
    let building = |shape: &str, more: &str| {
        let text = format!(
            "#1=IFCBUILDING('0Build0000000000000001',$,'B',$,$,$,{shape},$,$,$,$,$);
            #2=IFCPRODUCTDEFINITIONSHAPE($,$,(#3));
            #3=IFCSHAPEREPRESENTATION($,'Body','Brep',());
            #4=IFCPRODUCTDEFINITIONSHAPE($,$,(#5));
            #5=IFCSHAPEREPRESENTATION($,'FootPrint','Curve2D',());
            #6=IFCBUILDINGSTOREY('0Build0000000000000006',$,'S',$,$,$,$,$,$,$);
            {more}"
        );
        broken(SchemaVersion::Ifc4, &text, "GEM005").len()
    };
    assert_eq!(building("#2", ""), 0);
    assert_eq!(building("#4", ""), 1);
    assert_eq!(building("$", ""), 1);
    assert_eq!(building("$", "#7=IFCRELAGGREGATES('0Build0000000000000007',$,$,$,#1,(#6));"), 0);
}

#[test]
fn a_facility_may_have_the_parts_of_every_class_that_it_is_of() {
    let part = |class: &str, whole: &str| {
        let text = format!(
            "#1=IFCPROJECT('0Project00000000000001',$,'P',$,$,$,$,$,$);
            #2=IFCROAD('0Road00000000000000002',$,'R',$,$,$,$,$,$,$);
            #3={class};
            #4=IFCRELAGGREGATES('0Road00000000000000004',$,$,$,#1,(#2));
            #5=IFCRELAGGREGATES('0Road00000000000000005',$,$,$,{whole},(#3));"
        );
        broken(SchemaVersion::Ifc4x3, &text, "SPS002").len()
    };
    let common = "IFCFACILITYPARTCOMMON('0Road00000000000000003',$,'F',$,$,$,$,$,$,.LONGITUDINAL.,.SEGMENT.)";
    assert_eq!(part(common, "#2"), 0);
    assert_eq!(
        part("IFCROADPART('0Road00000000000000003',$,'F',$,$,$,$,$,$,.LONGITUDINAL.,.ROADSEGMENT.)", "#2"),
        0
    );
    // one finding for the part, one for the whole
    assert_eq!(
        part("IFCRAILWAYPART('0Road00000000000000003',$,'F',$,$,$,$,$,$,.LONGITUDINAL.,.TRACK.)", "#2"),
        2
    );
    assert_eq!(part(common, "#1"), 2);
}
