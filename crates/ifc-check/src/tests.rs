//! Small models with one thing wrong each.

mod edits;

use crate::sample::WALLS as HOUSE;
use crate::*;
use ifc::{Id, Limits, Model, ProblemCode};
use std::fmt::Write as _;
use std::time::Instant;

/// Everything found in a file, as "line:column code message".
fn found(file: &str) -> Vec<String> {
    let (model, _) = Model::from_bytes(file.into(), &Limits::default()).unwrap();
    shown(&model)
}

fn shown(model: &Model) -> Vec<String> {
    let report = validate(
        model,
        &ValidationOptions { rules: false, implementer: false, ..ValidationOptions::default() },
    );
    report.findings.iter().map(|f| format!("{}:{} {} {}", f.line, f.column, f.code, f.message)).collect()
}

/// The findings of the house with one piece of text replaced.
fn check(from: &str, to: &str, expect: &[&str]) {
    assert!(HOUSE.contains(from), "{from} is not in the house");
    let found = found(&HOUSE.replace(from, to));
    assert_eq!(found.len(), expect.len(), "{found:#?}");
    for (found, expect) in found.iter().zip(expect) {
        assert!(found.starts_with(expect), "{found}\nshould be\n{expect}");
    }
}

#[test]
fn a_sound_model_has_no_findings() {
    check("HEADER;", "HEADER;", &[]);
}

#[test]
fn what_is_not_optional_may_not_be_left_out() {
    let due = "12:12 missing #5 (IfcWall.GlobalId) is $, but IfcGloballyUniqueId is due and not optional; give it a value";
    check("'0Wall00000000000000002'", "$", &[due]);
}

#[test]
fn values_are_of_the_type_that_is_due() {
    check(
        "'W2'",
        "2",
        &[
            "12:39 type #5 (IfcWall.Name) has 2, a whole number, where IfcLabel is due; write a text between apostrophes, or $",
        ],
    );
    check(
        "'W2'",
        "IFCLABEL('W2')",
        &["12:39 type #5 (IfcWall.Name) has IFCLABEL('W2'), a typed value, where IfcLabel is due"],
    );
    check("'W2'", "*", &["12:39 type #5 (IfcWall.Name) is *, but IfcWall does not derive it; write a text"]);
    check("'W2'", "('W2')", &["12:39 type #5 (IfcWall.Name) has ('W2'), a list"]);
    check(
        "(0.,0.,0.)",
        "0.",
        &[
            "8:22 type #1 (IfcCartesianPoint.Coordinates) has 0., a real, where LIST [1:3] OF IfcLengthMeasure is due",
        ],
    );
    check(
        "(0.,0.,0.)",
        "(0.,0,'0')",
        &["8:26 type #1 (IfcCartesianPoint.Coordinates) has 0, a whole number", "8:28 type"],
    );
    check(
        ".ELEMENT.,0.)",
        ".ELEMENT.,.T.)",
        &["13:75 type #6 (IfcBuildingStorey.Elevation) has .T., a boolean"],
    );
}

#[test]
fn derived_attributes_are_a_star() {
    let unit = "#1=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n#9=IFCCARTESIANPOINT((0.,0.,0.));";
    check("#1=IFCCARTESIANPOINT((0.,0.,0.));", &unit.replace("#1=", "#8=").replace("#9=", "#1="), &[]);
    let given = unit.replace("#1=", "#8=").replace("#9=", "#1=").replace('*', "$");
    check(
        "#1=IFCCARTESIANPOINT((0.,0.,0.));",
        &given,
        &[
            "8:14 derived #8 (IfcSIUnit.Dimensions) is $, but IfcSIUnit derives it from other attributes; write *",
        ],
    );
}

#[test]
fn aggregates_keep_their_bounds_and_sets_their_members_apart() {
    check(
        "(0.,0.,0.)",
        "()",
        &["8:22 bounds #1 (IfcCartesianPoint.Coordinates) has 0 members, but LIST [1:3]"],
    );
    check("(0.,0.,0.)", "(0.,0.,0.,0.)", &["8:22 bounds #1 (IfcCartesianPoint.Coordinates) has 4 members"]);
    check("(#4,#5)", "(#5,#4)", &[]);
    check(
        "(#4,#5)",
        "(#5,#4,#5)",
        &["14:76 unique #7 (IfcRelContainedInSpatialStructure.RelatedElements) has #5 more than once"],
    );
    check(
        "'W2'",
        &format!("'{}'", "a".repeat(256)),
        &["12:39 bounds #5 (IfcWall.Name) has 256 characters, but a label or identifier takes at most 255"],
    );
    check("'W2'", &format!("'{}'", "\\X2\\00E4\\X0\\".repeat(255)), &[]);
}

#[test]
fn widths_are_those_of_the_schema() {
    let pixels = |digits: &str| {
        let line = format!("#1=IFCPIXELTEXTURE(.T.,.T.,.TEXTURE.,$,1,1,4,(\"{digits}\"));");
        found(&HOUSE.replace("('IFC4')", "('IFC2X3')").replace("#1=IFCCARTESIANPOINT((0.,0.,0.));", &line))
            .into_iter()
            .filter(|line| line.contains(" bits"))
            .collect::<Vec<_>>()
    };
    assert!(pixels("0FF00FF00").is_empty());
    let long = pixels("0FF00FF00F");
    assert_eq!(long.len(), 1, "{long:?}");
    assert!(long[0].contains("has 36 bits, but its type takes at most 32 (BINARY(32))"), "{long:?}");
}

#[test]
fn enumerations_and_references_are_held_against_the_schema() {
    check(
        ".STANDARD.",
        ".STANDART.",
        &[
            "11:55 enumeration #4 (IfcWall.PredefinedType) is .STANDART., which IfcWallTypeEnum does not have; near it: .STANDARD.",
        ],
    );
    check(
        "#2= IFCAXIS2PLACEMENT3D(#1,$,$)",
        "#2= IFCAXIS2PLACEMENT3D(#77,$,$)",
        &["9:25 reference #2 (IfcAxis2Placement3D.Location) refers to #77, which does not exist"],
    );
    check(
        "#2= IFCAXIS2PLACEMENT3D(#1,$,$)",
        "#2= IFCAXIS2PLACEMENT3D(#4,$,$)",
        &[
            "9:25 reference #2 (IfcAxis2Placement3D.Location) refers to #4, an IfcWall, where IfcCartesianPoint is due",
        ],
    );
    check(
        "IFCLOCALPLACEMENT($,#2)",
        "IFCLOCALPLACEMENT($,#1)",
        &[
            "10:24 reference #3 (IfcLocalPlacement.RelativePlacement) refers to #1, an IfcCartesianPoint, where IfcAxis2Placement is due: IfcAxis2Placement2D, IfcAxis2Placement3D",
        ],
    );
}

#[test]
fn selects_take_typed_values_of_their_leaves_only() {
    let property = |value: &str| format!("#8=IFCPROPERTYSINGLEVALUE('a',$,{value},$);\n#1=");
    for sound in [
        "IFCLABEL('x')",
        "IfcLabel('x')",
        "IFCINTEGER(1)",
        "IFCREAL(1.)",
        "IFCCOUNTMEASURE(1)",
        "$",
        "IFCLOGICAL(.U.)",
    ] {
        check("#1=", &property(sound), &[]);
    }
    check(
        "#1=",
        &property("'x'"),
        &[
            "8:33 type #8 (IfcPropertySingleValue.NominalValue) has 'x', a text, where IfcValue is due; write a value with its type",
        ],
    );
    check("#1=", &property("IFCLABEL(1)"), &["8:42 type"]);
    check("#1=", &property("IFCREAL(1)"), &["8:41 type"]);
    check(
        "#1=",
        &property("IFCGLOBALLYUNIQUEID('x')"),
        &[
            "8:33 type #8 (IfcPropertySingleValue.NominalValue) has IFCGLOBALLYUNIQUEID('x'), whose type is none of IfcValue",
        ],
    );
    check("#1=", &property("IFCNOTHING('x')"), &["8:33 type"]);
    check(
        "#1=",
        &property("#4"),
        &[
            "8:33 reference #8 (IfcPropertySingleValue.NominalValue) refers to #4, an IfcWall, where IfcValue is due",
        ],
    );
}

#[test]
fn classes_are_of_the_schema_and_not_abstract_and_have_their_attributes() {
    check(
        "IFCWALL('0Wall00000000000000002'",
        "IFCWAL('0Wall00000000000000002'",
        &["12:1 unknown-class #5: IFCWAL is no class"],
    );
    check(
        "#1=",
        "#8=IFCROOT('0Root00000000000000001',$,$,$);\n#1=",
        &["8:1 abstract #8: IfcRoot is abstract; use one of its subtypes: "],
    );
    check(
        ",$,.STANDARD.)",
        ")",
        &["11:1 attribute-count #4: IfcWall has 9 attributes, not 7; add Tag, PredefinedType"],
    );
    check(
        ",.STANDARD.)",
        ",.STANDARD.,$)",
        &["11:1 attribute-count #4: IfcWall has 9 attributes, not 10; nothing stands behind PredefinedType"],
    );
}

#[test]
fn what_cannot_be_read_is_told_with_its_place_and_the_rest_is_looked_at() {
    check(
        "'W2',$,$,#3",
        "'W2',nonsense,$,#77",
        &[
            "12:44 syntax #5 (IfcWall.Description): a type name needs ( behind it",
            "12:55 reference #5 (IfcWall.ObjectPlacement)",
        ],
    );
    check("'W2'", "'W2' 'W3'", &["12:44 syntax #5 (IfcWall.Name): a value needs , or ) behind it"]);
    check("(0.,0.,0.)", "(.5,1E5,1.E999)", &["8:23 syntax", "8:26 syntax", "8:30 syntax"]);
    check("'W2'", "99999999999999999999", &["12:39 syntax"]);
    check("'W2'", "#", &["12:39 syntax"]);
    check("'W2'", "/* W2 */ 'W2' /* , */", &[]);
    check("(0.,0.,0.)", &format!("{}0.{}", "(".repeat(90), ")".repeat(90)), &["8:"]);
}

#[test]
fn a_backslash_in_a_string_is_doubled_or_begins_a_directive() {
    check("'W2'", r"'C:\\path \X2\00E4\X0\ \S\d'", &[]);
    check(
        "'W2'",
        r"'C:\path'",
        &[r"12:39 syntax #5 (IfcWall.Name) has a \ in 'C:\path' that begins no control directive"],
    );
    check(
        "'house.ifc'",
        r"'C:\house.ifc'",
        &[r"4:11 syntax FILE_NAME has a \ that begins no control directive"],
    );
    // it is read as it stands, and no reason to refuse the file
    let (model, _) =
        Model::from_bytes(HOUSE.replace("'W2'", r"'C:\path'").into(), &Limits::default()).unwrap();
    assert_eq!(verify(&model), []);
}

#[test]
fn old_and_draft_schemas_are_refused_or_read_as_the_nearest_with_a_finding() {
    let opened = |name: &str| {
        Model::from_bytes(HOUSE.replace("'IFC4'", &format!("'{name}'")).into(), &Limits::default())
    };
    let official = [
        ("IFC4", "IFC4"),
        ("ifc4", "IFC4"),
        ("IFC2X3", "IFC2X3"),
        ("IFC4X3_ADD2", "IFC4X3"),
        ("IFC4X3", "IFC4X3"),
    ];
    for (name, read_as) in official {
        let (model, problems) = opened(name).unwrap();
        assert_eq!((model.schema().version().as_str(), problems.len()), (read_as, 0), "{name}");
    }
    let nearest = [
        ("IFC2X3_FINAL", "IFC2X3"),
        ("IFC4_ADD1", "IFC4"),
        ("IFC4X1", "IFC4"),
        ("IFC4X2", "IFC4"),
        ("IFC4X3_RC1", "IFC4X3"),
        ("IFC4X3_RC2", "IFC4X3"),
        ("IFC4X3_RC3", "IFC4X3"),
        ("IFC4X3_RC4", "IFC4X3"),
        ("IFC4X3_TC1", "IFC4X3"),
        ("IFC4X3_ADD1", "IFC4X3"),
    ];
    for (name, read_as) in nearest {
        let (model, _) = opened(name).unwrap();
        assert_eq!(model.schema().version().as_str(), read_as, "{name}");
        let found = shown(&model);
        let expect = format!("5:1 schema {name} is read as {read_as}, its nearest supported schema");
        assert!(found.iter().any(|found| found.starts_with(&expect)), "{found:?}");
    }
    for name in [
        "IFC2X_FINAL",
        "IFC2X",
        "IFC2X2",
        "IFC2X2_FINAL",
        "IFC20_LONGFORM",
        "IFC5",
        "IFC5_ALPHA",
        "IFC4X4",
        "AP214",
        "",
    ] {
        let error = opened(name).unwrap_err().to_string();
        let expect =
            format!("line 5: the schema {name} is not supported; export the model as IFC2X3, IFC4, IFC4X3");
        assert!(error.starts_with(&expect), "{error}");
    }
}

/// The faults of the STEP files of the parser that buildingSMART's validation service uses: where, and as what.
const SPF: [(&str, &str); 10] = [
    ("fail_double_semi", "27:66 syntax"),
    ("fail_duplicate_id", "27:1 syntax"),
    ("fail_invalid_0", "8:1 syntax"),
    ("fail_invalid_header_entity", "6:1 header"),
    ("fail_multiple_duplicate_ids", "25:1 syntax"),
    ("fail_too_many_header_entity_fields", "4:1 header"),
    ("fail_utf8_with_bom", "1:1 syntax"),
    ("pass_1", ""),
    ("pass_double_reverse", ""),
    ("passing_header", ""),
];

#[test]
fn step_files_are_accepted_or_rejected_with_line_and_column() {
    let Some(folder) = testing::data("spf") else { return };
    for (name, expect) in SPF {
        let (model, _) = Model::open(&folder.join(format!("{name}.ifc")), &Limits::default()).unwrap();
        let report = validate(
            &model,
            &ValidationOptions { rules: false, implementer: false, ..ValidationOptions::default() },
        );
        // whether the instances are as the schema has them is not what these files are about
        let about_text =
            |f: &&Finding| matches!(f.code, FindingCode::Syntax | FindingCode::Header | FindingCode::Schema);
        let found: Vec<String> = report
            .findings
            .iter()
            .filter(about_text)
            .map(|f| format!("{}:{} {}", f.line, f.column, f.code))
            .collect();
        assert_eq!(found.first().map_or("", String::as_str), expect, "{name}: {found:?}");
    }
}

#[test]
fn globalids_are_128_bits_and_no_two_the_same() {
    check(
        "'0Wall00000000000000002'",
        "'0Wall0000000000000000'",
        &[
            "12:12 global-id #5 (IfcWall.GlobalId) is '0Wall0000000000000000', which is no GlobalId: it has 21 characters",
        ],
    );
    check(
        "'0Wall00000000000000002'",
        "'4Wall00000000000000002'",
        &[
            "12:12 global-id #5 (IfcWall.GlobalId) is '4Wall00000000000000002', which is no GlobalId: it does not begin with 0, 1, 2 or 3",
        ],
    );
    check(
        "'0Wall00000000000000002'",
        "'0Wall0000000000000000-'",
        &[
            "12:12 global-id #5 (IfcWall.GlobalId) is '0Wall0000000000000000-', which is no GlobalId: it has '-' in it",
        ],
    );
    check(
        "'0Wall00000000000000002'",
        "'0Wall00000000000000001'",
        &[
            "12:1 global-id #5 (IfcWall) has the GlobalId '0Wall00000000000000001', which #4 (IfcWall) has already",
        ],
    );
}

#[test]
fn inverse_attributes_are_counted() {
    let opening = "#8=IFCOPENINGELEMENT('0Opening00000000000001',$,$,$,$,$,$,$,$);\n#1=";
    check(
        "#1=",
        opening,
        &[
            "8:1 inverse #8 (IfcOpeningElement) is referred to by no IfcRelVoidsElement in RelatedOpeningElement, where exactly one may",
        ],
    );
    let voided = format!("#9=IFCRELVOIDSELEMENT('0Voids0000000000000001',$,$,$,#4,#8);\n{opening}");
    check("#1=", &voided, &[]);
    let twice = format!("#10=IFCRELVOIDSELEMENT('0Voids0000000000000002',$,$,$,#5,#8);\n{voided}");
    check("#1=", &twice, &["10:1 inverse #8 (IfcOpeningElement) is referred to by 2 IfcRelVoidsElement"]);
    let again = "#8=IFCRELCONTAINEDINSPATIALSTRUCTURE('0Rel000000000000000002',$,$,$,(#4),#6);\n#1=";
    check(
        "#1=",
        again,
        &[
            "12:1 inverse #4 (IfcWall) is referred to by 2 IfcRelContainedInSpatialStructure in RelatedElements, where at most 1 may (IfcWall.ContainedInStructure)",
        ],
    );
}

#[test]
fn the_header_has_the_types_of_its_fields() {
    check(
        "('A')",
        "'A'",
        &["4:45 header FILE_NAME.author is a text, where LIST [1:?] OF STRING(256) is due"],
    );
    check("('A')", "()", &["4:45 header FILE_NAME.author is an empty list"]);
    check(
        "'2;1'",
        "2",
        &["3:56 header FILE_DESCRIPTION.implementation_level is an integer, where a text is due"],
    );
    check("'p','o'", "$,'o'", &["4:57 header FILE_NAME.preprocessor_version is nothing ($)"]);
    check("'p','o'", "'p','o','x'", &["4:1 header FILE_NAME should have 7 fields, not 8"]);
}

#[test]
fn changed_instances_are_looked_at_as_they_are_now() {
    let file =
        HOUSE.replace("'W2'", "2").replace("IFCAXIS2PLACEMENT3D(#1,$,$)", "IFCAXIS2PLACEMENT3D(#77,$,$)");
    let (model, _) = Model::from_bytes(file.into(), &Limits::default()).unwrap();
    assert_eq!(shown(&model).len(), 2);
    let mut edit = model.edit();
    edit.set(Id(5), "Name", "W2").unwrap();
    edit.set(Id(2), "Location", Id(1)).unwrap();
    let (model, _) = edit.finish();
    assert_eq!(shown(&model), Vec::<String>::new());
    let mut edit = model.edit();
    let guid = model.get(Id(4)).unwrap().attr("GlobalId");
    edit.set(Id(5), "GlobalId", guid).unwrap();
    let (model, _) = edit.finish();
    assert!(shown(&model)[0].starts_with("12:1 global-id #5 (IfcWall) has the GlobalId"));
}

#[test]
fn all_findings_are_counted_and_the_first_of_each_kind_listed() {
    let mut file = HOUSE.replace("ENDSEC;\nEND-ISO-10303-21;\n", "");
    for id in 10..40_010 {
        writeln!(file, "#{id}=IFCWALL('0Wall00000000000000001',$,2,$,$,#{},$,$,$);", id + 100_000).unwrap();
    }
    file.push_str("ENDSEC;\nEND-ISO-10303-21;\n");
    let (model, _) = Model::from_bytes(file.into(), &Limits::default()).unwrap();
    let began = Instant::now();
    let report = validate(
        &model,
        &ValidationOptions { rules: false, implementer: false, limit: 5, ..ValidationOptions::default() },
    );
    println!("{:?}", began.elapsed());
    let counts: Vec<(&str, &str, usize)> = report
        .groups
        .iter()
        .map(|group| (group.code.as_str(), group.subject.as_str(), group.count))
        .collect();
    let expect = [
        ("type", "IfcWall.Name", 40_000),
        ("reference", "IfcWall.ObjectPlacement", 40_000),
        ("global-id", "IfcRoot.UR1", 40_000),
    ];
    assert_eq!(counts, expect);
    assert_eq!(report.findings.len(), 15);
    assert_eq!(report.of_group(&report.groups[0]).count(), 5);
    assert_eq!(report.findings[0].line, 15);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes_are_validated_without_a_panic(
        changes in proptest::collection::vec((0usize..2_000, proptest::prelude::any::<u8>()), 1..12),
        cut in proptest::option::of(200usize..1_000),
    ) {
        let mut bytes = HOUSE.as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at % bytes.len();
            // signs that mean something are likelier than others
            let signs = b"()'#$*,;.\\/\"0";
            bytes[at] = if byte < 128 { signs[usize::from(byte) % signs.len()] } else { byte };
        }
        bytes.truncate(cut.unwrap_or(usize::MAX));
        let limits = Limits { lenient: true, ..Limits::default() };
        if let Ok((model, _)) = Model::from_bytes(bytes, &limits) {
            let report = validate(&model, &ValidationOptions { limit: 2, ..ValidationOptions::default() });
            proptest::prop_assert!(report.findings.len() <= report.total());
            let _ = verify(&model);
        }
    }
}

/// The problems of reading a file to its last attribute, as a reader sees them.
fn verified(file: &str) -> Vec<String> {
    let (model, _) = Model::from_bytes(file.into(), &Limits::default()).unwrap();
    verify(&model).iter().map(ToString::to_string).collect()
}

#[test]
fn references_to_nowhere_are_found_when_asked_for() {
    let file = HOUSE.replace("#2= IFCAXIS2PLACEMENT3D(#1,$,$)", "#2= IFCAXIS2PLACEMENT3D(#77,$,$)");
    let (model, _) = Model::from_bytes(file.into(), &Limits::default()).unwrap();
    let found: Vec<String> = dangling(&model).iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        ["line 9, column 25: #2 (IfcAxis2Placement3D.Location) refers to #77, which does not exist"]
    );
}

#[test]
fn unreadable_attributes_are_found_when_asked_for() {
    assert_eq!(verified(HOUSE), Vec::<String>::new());
    assert_eq!(
        verified(&HOUSE.replace("#3,$,$,.STANDARD.", "#3,nonsense,$,.STANDARD.")),
        ["line 11, column 51: #4 (IfcWall.Representation): a type name needs ( behind it"]
    );
    assert_eq!(
        verified(&HOUSE.replace(",$,.STANDARD.)", ")")),
        [
            "line 11, column 1: #4: IfcWall has 9 attributes, not 7; add Tag, PredefinedType (or $ where optional)"
        ]
    );
    let deep = format!("IFCWALL({}{})", "(".repeat(100_000), ")".repeat(100_000));
    assert!(!verified(&HOUSE.replace("IFCCARTESIANPOINT((0.,0.,0.))", &deep)).is_empty());
}

#[test]
fn a_reference_wider_than_an_id_is_none_and_is_not_cut_to_32_bits() {
    let file = HOUSE.replace("(#4,#5),#6", "(#4,#5),#4294967300");
    let (model, _) = Model::from_bytes(file.into(), &Limits::default()).unwrap();
    assert_eq!(verify(&model)[0].code, ProblemCode::Value);
}

/// Files that are not as they should be, with what is wrong.
const BLEMISHES: [(&str, ProblemCode); 1] =
    // IfcSurfaceStyleShading without the Transparency that IFC4 ADD1 brought
    [("B01_2_HeatExchanger_Pipes.ifc", ProblemCode::AttributeCount)];

#[test]
fn every_real_file_is_readable_to_its_last_attribute() {
    let (Some(models), Some(samples)) = (testing::data("models"), testing::data("ifc43_samples")) else {
        return;
    };
    let mut unexpected = Vec::new();
    let mut open = vec![models, samples];
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "ifc") {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                let mut problems = verify(&Model::open(&path, &Limits::default()).unwrap().0);
                problems.retain(|p| !BLEMISHES.contains(&(name.as_str(), p.code)));
                unexpected.extend(problems.iter().take(3).map(|p| format!("{name}: {:?} {p}", p.code)));
            }
        }
    }
    assert!(unexpected.is_empty(), "{unexpected:#?}");
}
