//! Files that are not as they should be: what is refused, what is read with a problem, and that nothing else is lost.

use super::HOUSE;
use crate::sample::dangling;
use crate::*;
use std::fmt::Write as _;

/// The problems of a file that opens, as "line:column code message".
fn check(file: &str, instances: usize, expect: &[&str]) -> Model {
    let (model, problems) = Model::from_bytes(file.into(), &Limits::default()).unwrap();
    let shown: Vec<String> =
        problems.iter().map(|p| format!("{}:{} {:?} {}", p.line, p.column, p.code, p.message)).collect();
    assert_eq!(shown.len(), expect.len(), "{shown:#?}");
    for (shown, expect) in shown.iter().zip(expect) {
        assert!(shown.starts_with(expect), "{shown}\nshould be\n{expect}");
    }
    assert_eq!(model.len(), instances);
    assert_eq!(model.to_bytes(), file.as_bytes());
    model
}

fn refused(bytes: &[u8], limits: &Limits, part: &str) {
    let message = Model::from_bytes(bytes.to_vec(), limits).unwrap_err().to_string();
    assert!(message.contains(part), "{message}");
}

#[test]
fn a_broken_instance_does_not_lose_the_others() {
    let wall = "#5=IFCWALL('0Wall00000000000000002',$,'W2',$,$,#3,$,$,$);";
    let with = |text: &str| HOUSE.replace(wall, text);
    check(&with(&wall.replace("'W2'", "'W2")), 6, &["12:39 Syntax a string of #5 is not closed"]);
    check(&with(&wall.replace("$);", "$)")), 6, &["12:1 Syntax #5 does not end in ;"]);
    check(&with(&wall.replace("$);", "$;")), 6, &["12:1 Syntax #5 does not end in )"]);
    check(&with(&format!("{wall};")), 7, &["12:58 Syntax a ; without an instance"]);
    check(&with(&wall.replace("#5=", "#0=")), 6, &["12:1 InstanceId #0"]);
    check(&with(&wall.replace("#5=", "#99999999999=")), 6, &["12:1 Syntax `#99999999999"]);
    check(&with(&wall.replace("#5=", "5=")), 6, &["12:1 Syntax `5=IFCWALL"]);
    check(&with(&format!("nonsense;\n{wall}")), 7, &["12:1 Syntax `nonsense`"]);
    check(&with(&wall.replace("IFCWALL", "IFCWAL")), 7, &["12:1 UnknownClass IFCWAL is no class of IFC4"]);
    check(&with("#5=(IFCROOT($)IFCOTHER($));"), 7, &["12:1 ComplexInstance #5"]);
    check(&with(&wall.replace("W2", "W\u{e4}nde")), 7, &["12:41 RawBytes"]);
    // two lost quotes look like one long string; the lines in between give them away
    check(
        &with("#5=IFCWALL('a,$);\n#8=IFCCARTESIANPOINT((1.,2.));\n#9=IFCLABEL('b,$);"),
        7,
        &["12:12 Syntax", "14:13 Syntax"],
    );
}

#[test]
fn a_complex_instance_is_of_no_class_of_the_schema() {
    let file = HOUSE
        .replace("#5=IFCWALL('0Wall00000000000000002',$,'W2',$,$,#3,$,$,$);", "#5=(IFCROOT($)IFCOTHER($));");
    let (model, _) = Model::from_bytes(file.into(), &Limits::default()).unwrap();
    let complex = model.get(Id(5)).unwrap();
    assert_eq!((complex.class_name(), complex.entity().map(|own| own.name)), ("(complex)", None));
    assert_eq!(model.of_unknown_classes(), [Id(5)]);
}

#[test]
fn what_could_not_be_read_stays_unread_when_its_neighbour_goes() {
    let wall = "#5=IFCWALL('0Wall00000000000000002',$,'W2',$,$,#3,$,$,$);";
    for torn in ["#8=IFC", "#8=IFCWALL($)", "#8=IFCWALL('a", "nonsense"] {
        let file = HOUSE.replace(wall, &format!("{torn}{wall}"));
        let (model, problems) = Model::from_bytes(file.into(), &Limits::default()).unwrap();
        assert!(!problems.is_empty(), "{torn}");
        let mut edit = model.edit();
        if model.contains(Id(5)) {
            edit.remove(Id(5)).unwrap();
        }
        let (after, _) = edit.finish();
        let (again, _) = Model::from_bytes(after.to_bytes(), &Limits::default()).unwrap();
        assert_eq!(again.ids().collect::<Vec<_>>(), after.ids().collect::<Vec<_>>(), "{torn}");
    }
}

#[test]
fn a_value_with_something_behind_it_is_none() {
    let file =
        HOUSE.replace("#1=IFCCARTESIANPOINT((0.,0.,0.));", "#1=IFCWALL(1,-1.5E=3,.5,1.$,+,#2#3,(#2)#3);");
    let (model, _) = Model::from_bytes(file.into(), &Limits::default()).unwrap();
    let wall = model.get(Id(1)).unwrap();
    let values = wall.attributes();
    let half = Value::Real(0.5);
    let nothing = Value::Null;
    let expect = [&Value::Integer(1), &nothing, &half, &nothing, &nothing, &nothing, &nothing];
    assert_eq!(values.iter().collect::<Vec<_>>(), expect);
    assert_eq!((0..7).map(|at| wall.attr_at(at)).collect::<Vec<_>>(), values);
    assert_eq!(wall.references("ObjectPlacement"), []);
}

#[test]
fn of_two_definitions_of_one_id_the_first_counts_and_both_lines_are_named() {
    let file = HOUSE.replace("#6=", "#5=IFCCARTESIANPOINT((0.,0.));\n#6=");
    let expect = "13:1 DuplicateId #5 is defined a second time; the first definition, in line 12, counts";
    let model = check(&file, 7, &[expect]);
    assert_eq!(model.get(Id(5)).unwrap().class_name(), "IfcWall");
    // the second one must not come to life when the first one goes
    let mut edit = model.edit();
    edit.remove(Id(5)).unwrap();
    let (again, problems) = Model::from_bytes(edit.finish().0.to_bytes(), &Limits::default()).unwrap();
    assert!(!again.contains(Id(5)));
    assert_eq!(problems, []);
}

#[test]
fn a_new_instance_does_not_take_an_id_that_a_dangling_reference_waits_for() {
    let file = HOUSE.replace("#2= IFCAXIS2PLACEMENT3D(#1,$,$)", "#2= IFCAXIS2PLACEMENT3D(#9,#8,#4294967295)");
    let model = check(&file, 7, &[]);
    let point = |edit: &mut Edit, x: f64| {
        edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([x]))]).unwrap()
    };
    let (mut first, mut second) = (model.edit(), model.edit());
    assert_eq!([point(&mut first, 1.0), point(&mut first, 2.0)], [Id(10), Id(11)]);
    assert_eq!(point(&mut second, 3.0), Id(10));
    let (first, _) = first.finish();
    let (_, second) = second.finish();
    let both = first.apply(&second).unwrap();
    let (again, _) = Model::from_bytes(both.to_bytes(), &Limits::default()).unwrap();
    assert_eq!((again.len(), dangling(&again).len()), (10, 3));
    // numbered anew, the others' instances must keep clear of them as well
    let short = HOUSE.replace("#7=", "#70=");
    let (short, _) = Model::from_bytes(short.into_bytes(), &Limits::default()).unwrap();
    let mut edit = short.edit();
    point(&mut edit, 1.0);
    let file = HOUSE.replace("#7=", "#80=").replace("IFCAXIS2PLACEMENT3D(#1,$", "IFCAXIS2PLACEMENT3D(#1,#81");
    let (long, _) = Model::from_bytes(file.into_bytes(), &Limits::default()).unwrap();
    let after = long.apply(&edit.finish().1).unwrap();
    assert!(!after.contains(Id(81)) && after.contains(Id(82)), "{:?}", after.ids().collect::<Vec<_>>());
}

#[test]
fn a_lost_quote_or_semicolon_costs_one_instance_also_where_all_stands_in_one_line() {
    let wall = "#5=IFCWALL('0Wall00000000000000002',$,'W2',$,$,#3,$,$,$);";
    let with = |text: &str| HOUSE.replace(wall, text).replace('\n', "");
    let column = with(wall).find("#5=").unwrap() + 1;
    let at = |offset: usize, what: &str| format!("1:{} Syntax {what}", column + offset);
    let lost = wall.find("W2").unwrap();
    check(&with(&wall.replace("'W2'", "'W2")), 6, &[&at(lost - 1, "a string of #5 is not closed")]);
    check(&with(&wall.replace("$);", "$)")), 6, &[&at(0, "#5 does not end in ;")]);
    check(&with(&format!("noise {wall}")), 7, &[&at(0, "the text from here does not end in ;")]);
    // two lost quotes make the parity right again
    let two = HOUSE.replace("'W1',$", "'W1,$").replace("'W2',$", "'W2,$").replace('\n', "");
    check(&two, 5, &["1:", "1:"]);
    // the same text within strings is text
    check(&with(&wall.replace("'W2'", "'a; #9=b'")), 7, &[]);
}

#[test]
fn comments_may_stand_between_all_tokens() {
    let mut file = String::new();
    let mut quoted = false;
    for character in HOUSE.chars() {
        let name = character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-');
        quoted ^= character == '\'';
        if !quoted && !name && !matches!(character, '\'' | '#' | '$' | '*') {
            file.push_str("/* it's; #9=('; */");
        }
        file.push(character);
        if !quoted && matches!(character, ',' | '(' | ')' | ';') {
            file.push_str("/**/ /***/\n");
        }
    }
    let model = check(&file.replace("END-ISO-10303-21;/**/ /***/", "END-ISO-10303-21;"), 7, &[]);
    assert_eq!(dangling(&model), []);
    let plain = super::house();
    for id in plain.ids() {
        assert_eq!(format!("{:?}", model.get(id)), format!("{:?}", plain.get(id)));
        assert_eq!(model.referrers(id), plain.referrers(id));
    }
}

#[test]
fn an_apostrophe_may_be_the_code_of_an_upper_character() {
    let file = HOUSE.replace("'W1'", r"'\S\'1; #3'").replace("'W2'", r"'D:\S\'");
    let model = check(&file, 7, &[]);
    assert_eq!(model.get(Id(4)).unwrap().name().as_deref(), Some("\u{a7}1; #3"));
    assert_eq!(model.get(Id(5)).unwrap().name().as_deref(), Some(r"D:\S\"));
    assert_eq!(model.referrers(Id(3)), [Id(4), Id(5), Id(6)]);
    assert_eq!(dangling(&model), []);
}

#[test]
fn headers_are_read_as_programs_write_them() {
    let schema = |text: &str| HOUSE.replace("FILE_SCHEMA(('IFC4'))", text);
    for text in [
        "FILE_SCHEMA(('IFC4 '))",
        "FILE_SCHEMA (\n('ifc4'\n) )",
        "file_schema(('IFC4 { 1 0 10303 1 }'))",
        "FILE_SCHEMA(('OTHER','IFC4'))",
        "FILE_SCHEMA('IFC4')",
        "FILE_SCHEMA(('IFC4'));\n!VENDOR_ENTRY('x;y',(1,.T.),#5,$)",
        "FILE_SCHEMA(('IFC4'));\nSECTION_LANGUAGE($,'en')",
    ] {
        check(&schema(text), 7, &[]);
    }
    check(
        &schema("FILE_SCHEMA(('IFC4'));\nFILE_NOTES('x')"),
        7,
        &["6:1 Header FILE_NOTES is no header entry"],
    );
    let edition = HOUSE.replace(
        "DATA;",
        "ANCHOR;\n<ENDSEC>=#4;\nENDSEC;\nREFERENCE;\n#90=<http://x/ENDSEC;y#1>;\nENDSEC;\nDATA;",
    );
    let edition = format!("{edition}SIGNATURE\nMIIENDSECA==\nENDSEC;\n");
    let (model, _) = Model::from_bytes(edition.into_bytes(), &Limits::default()).unwrap();
    assert_eq!(model.len(), 7);
}

#[test]
fn unreadable_attributes_are_read_as_nothing() {
    let file = HOUSE.replace("#3,$,$,.STANDARD.", "#3,nonsense,$,.STANDARD.");
    let model = check(&file, 7, &[]);
    assert!(model.get(Id(4)).unwrap().attr("Representation").is_null());
    assert_eq!(model.get(Id(4)).unwrap().attributes().len(), 9);
}

#[test]
fn what_is_no_ifc_file_is_refused_by_name() {
    let limits = Limits::default();
    refused(b"", &limits, "empty");
    refused(b"PK\x03\x04 zip", &limits, "zip archive");
    refused(b"<?xml version='1.0'?>", &limits, "ifcXML");
    refused(&[0, 1, 2, 255, 254], &limits, "should begin with ISO-10303-21;");
    let schema = |name: &str| HOUSE.replace("IFC4", name).into_bytes();
    refused(
        &schema("IFC2X_FINAL"),
        &limits,
        "line 5: the schema IFC2X_FINAL is not supported; export the model as IFC2X3, IFC4, IFC4X3",
    );
    refused(&schema("AUTOMOTIVE_DESIGN"), &limits, "AUTOMOTIVE_DESIGN");
    refused(HOUSE.as_bytes(), &Limits { file_bytes: 100, ..limits.clone() }, "more than the limit of 100");
    refused(HOUSE.as_bytes(), &Limits { instances: 3, ..limits.clone() }, "more than 3 instances");
    refused(HOUSE.as_bytes(), &Limits { instance_bytes: 40, ..limits }, "line 11: an instance of");
}

#[test]
fn related_schemas_are_read_as_the_nearest_one_and_said_so() {
    check(&HOUSE.replace("IFC4", "IFC4X3_RC4"), 7, &["5:1 Schema IFC4X3_RC4 is read as IFC4X3"]);
    check(&HOUSE.replace("IFC4", "IFC4X1"), 7, &["5:1 Schema IFC4X1 is read as IFC4"]);
    check(&HOUSE.replace("IFC4", "ifc4x3_add2"), 7, &[]);
}

#[test]
fn a_file_cut_anywhere_is_refused_or_read_as_far_as_it_goes() {
    let end = HOUSE.rfind("END-ISO").unwrap();
    for cut in 0..=end {
        let part = &HOUSE.as_bytes()[..cut];
        let error = Model::from_bytes(part.to_vec(), &Limits::default()).unwrap_err();
        let named = matches!(
            error,
            OpenError::Truncated { .. }
                | OpenError::Empty
                | OpenError::NotIfc { .. }
                | OpenError::Header { .. }
        );
        assert!(named, "cut at {cut}: {error}");
        let lenient = Limits { lenient: true, ..Limits::default() };
        if let Ok((model, problems)) = Model::from_bytes(part.to_vec(), &lenient) {
            assert!(problems.iter().any(|p| p.code == ProblemCode::Truncated));
            assert_eq!(model.to_bytes(), part);
        }
    }
    refused(
        &HOUSE.as_bytes()[..HOUSE.find("#6=").unwrap() + 5],
        &Limits::default(),
        "line 13: the file is truncated",
    );
    refused(
        &HOUSE.as_bytes()[..HOUSE.find("#6=").unwrap() + 5],
        &Limits::default(),
        "the last whole instance is #5",
    );
}

#[test]
fn a_line_without_end_costs_one_pass() {
    let (head, _) = HOUSE.split_once("#1=").unwrap();
    for filler in ["(", "'", "\n", "/*", "#1=", ";", " ", "'\n", "$,"] {
        let mut file = head.to_owned();
        file.push_str("#1=IFCWALL(");
        while file.len() < 4_000_000 {
            file.push_str(filler);
        }
        let _ = Model::from_bytes(file.into_bytes(), &Limits::default());
    }
    let mut deep = head.to_owned();
    let _ = write!(
        deep,
        "#1=IFCWALL({}{});\nENDSEC;\nEND-ISO-10303-21;",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    let (model, _) = Model::from_bytes(deep.into_bytes(), &Limits::default()).unwrap();
    assert!(model.get(Id(1)).unwrap().attr_at(0).is_null());
}

#[test]
fn forms_of_the_text_that_are_allowed_make_no_problem() {
    let crlf = HOUSE.replace('\n', "\r\n");
    let model = check(&crlf, 7, &[]);
    let mut edit = model.edit();
    edit.remove(Id(7)).unwrap();
    edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([1.0]))]).unwrap();
    let out = String::from_utf8(edit.finish().0.to_bytes()).unwrap();
    assert!(
        out.ends_with(".ELEMENT.,0.);\r\n#8=IFCCARTESIANPOINT((1.));\r\nENDSEC;\r\nEND-ISO-10303-21;\r\n"),
        "{out}"
    );
    check(&HOUSE.replace('\n', "\r"), 7, &[]);
    check(&HOUSE.replace('\n', " "), 7, &[]);
    check(&HOUSE.replace(";\n#", ";\n/* it's a comment; #9=IFCX('; */#"), 7, &[]);
    check(&HOUSE.replace("=IFC", "\n =\n ifc").replace("DATA;", "data ;").replace(",#", " , # "), 7, &[]);
    check(&HOUSE.replace("DATA;", "DATA('a',('IFC4'));"), 7, &[]);
    check(&HOUSE.replace("#5=", "ENDSEC;\nDATA;\n#5="), 7, &[]);
    check(&HOUSE.replace("0.,0.,0.", "0.,\n0.,\n0."), 7, &[]);
    check(&HOUSE.replace("#1", "#4294967294"), 7, &[]);
}

#[test]
fn the_last_id_can_be_used_up_but_not_passed() {
    let (model, _) =
        Model::from_bytes(HOUSE.replace("#1", "#4294967294").into(), &Limits::default()).unwrap();
    let mut edit = model.edit();
    let point = edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([1.0]))]);
    assert_eq!(point, Err(EditError::OutOfIds));
}
