use super::*;

fn check(text: &str, expect: &str, problems: &[&str]) {
    let (document, found) = read(text);
    assert_eq!(listed(&document), expect);
    assert_eq!(found, problems);
    assert_eq!(document.to_bytes(Format::Idf).unwrap(), text.as_bytes());
}

#[test]
fn objects_are_read_however_they_are_laid_out() {
    check(
        "Version,25.2; Timestep,4;\r\n  ZONE , ! comment, with; marks\r\n one two ,0,\r\n\t, ;; !end\r\nZone,b;",
        "Version|25.2\nTimestep|4\nZone|one two|0||\nZone|b",
        &[],
    );
    check("\u{feff}Version,25.2;", "Version|25.2", &[]);
    check("Zone;", "Zone|", &[]);
    check("Zone,z;My:Own Type,a,ü;my:own type,b;", "Zone|z\nMy:Own Type|a|ü\nMy:Own Type|b", &[]);
}

#[test]
fn what_is_not_clear_is_told_with_its_line() {
    check("Timestep,4;\n,\nZone,a", "Timestep|4\nZone|a", &["2: Stray", "3: Unterminated"]);
    check("Timestep,4 !- Steps\nZone,a;", "Timestep|4\nZone|a", &["2: Unterminated"]);
    check("Timestep,4\n\n  Zone,a;", "Timestep|4\nZone|a", &["3: Unterminated"]);
    check("Zone,a !x\n b, 1;", "Zone|b|1", &["2: MissingComma"]);
    check("Zone,a\n b,1;", "Zone|a\n b|1", &["1: RunsOver"]);
    check("Branch,a,,Zone,b;", "Branch|a||Zone|b", &[]);
    check("Zone,", "Zone|", &["1: Unterminated"]);
}

#[test]
fn files_that_are_not_models_are_refused_with_a_reason() {
    let refused = |bytes: &[u8]| Document::open(bytes).unwrap_err().to_string();
    assert!(refused(b"Version,25.2;\n##include a.imf\n").contains("line 2 is a macro"));
    assert!(refused(b"! nothing\n").contains("no object"));
    assert!(refused(b"").contains("no object"));
    assert!(refused(b"{\"Zone\": [1]}").contains("not epJSON"));
    assert!(refused(b"{\"Zone\": {\"a\": 3}}").contains("not an object of fields"));
    assert!(refused(b"{\"Zone\": {").contains("not epJSON"));
}

#[test]
fn latin_1_is_read_and_written_back() {
    let bytes = b"Zone,B\xfcro; ! \xe4\n";
    let (mut document, problems) = Document::open(bytes).unwrap();
    assert_eq!(document.objects().next().unwrap().name(), "Büro");
    assert_eq!((problems[0].code, problems[0].line), (ProblemCode::Latin1, 1));
    assert_eq!(document.to_bytes(Format::Idf).unwrap(), bytes);
    document.push(Record {
        type_name: "Zone".into(),
        number: schema().number("Zone"),
        values: vec!["Süd".into()],
        ..Record::default()
    });
    assert!(document.to_bytes(Format::Idf).unwrap().windows(3).any(|window| window == b"S\xfcd"));
}

#[test]
fn every_prototype_is_written_back_byte_for_byte() {
    for path in prototypes() {
        let bytes = std::fs::read(&path).unwrap();
        let (document, problems) = Document::open(&bytes).unwrap();
        assert_eq!(problems, [], "{}", path.display());
        assert!(document.len() > 100 && document.objects().all(|object| object.about().is_some()));
        assert_eq!(document.to_bytes(Format::Idf).unwrap(), bytes, "{}", path.display());
        assert_eq!(document.version(), Some("25.2"));
    }
}

#[test]
fn only_what_was_edited_is_laid_out_anew() {
    let text = "! head\n\n  Zone,\n    a, !- Name\n    0; ! mine\n\n  ! my own words\n  Zone, b,1 ! why\n  ;  !- x\n\n  Zone,c;\n\nTimestep,4;\n";
    let (mut document, _) = read(text);
    let b = document.get("zone", "B").unwrap().handle();
    let mut record = document.object(b).unwrap().to_record();
    record.values[1] = "45".into();
    document.put(b, Some(record));
    let c = document.get("Zone", "c").unwrap().handle();
    document.put(c, None);
    let number = schema().number("Version");
    document.push(Record {
        type_name: "Version".into(),
        number,
        values: vec!["25.2".into()],
        ..Record::default()
    });
    let written = String::from_utf8(document.to_bytes(Format::Idf).unwrap()).unwrap();
    assert_eq!(
        written,
        "! head\n\n  Zone,\n    a, !- Name\n    0; ! mine\n\n  ! my own words\n  ! why\n  Zone,\n    b,                       !- Name\n    45;                      !- Direction of Relative North {deg}\n\nTimestep,4;\n\nVersion,25.2;\n"
    );
    let (again, problems) = read(&written);
    assert_eq!(problems, [] as [&str; 0]);
    assert_eq!(listed(&again), "Zone|a|0\nZone|b|45\nTimestep|4\nVersion|25.2");
}

#[test]
fn vertices_stand_three_to_a_line() {
    let (mut document, _) = read("Shading:Site:Detailed,s,,3,0,0,0,1,0,0,1,1,0;");
    let handle = Handle(0);
    let record = document.object(handle).unwrap().to_record();
    document.put(handle, Some(record));
    let text = document.text_of(handle).unwrap();
    assert!(text.ends_with("    1,1,0;                   !- X,Y,Z ==> Vertex 3 {m}"), "{text}");
    assert_eq!(listed(&read(&text).0), listed(&document));
}

#[test]
fn objects_of_one_line_can_be_removed_alone() {
    let (mut document, _) = read("Zone,a; Zone,b; Zone,c;\nTimestep,4;");
    document.put(Handle(1), None);
    let written = String::from_utf8(document.to_bytes(Format::Idf).unwrap()).unwrap();
    assert_eq!(written, "Zone,a;  Zone,c;\nTimestep,4;");
}
