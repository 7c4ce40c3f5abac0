//! Tests on buildingSMART's cases and its auditing tool's files, and of single rules.

use super::*;
use ifc::Model;
use std::path::{Path, PathBuf};

/// The files below a folder with this ending, by path.
pub(super) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut open = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn verdict(document: &Document, path: &Path) -> bool {
    let (model, _) = Model::open(path, &ifc::Limits::default()).unwrap();
    check(document, &model, false, &mut || true).unwrap().is_met()
}

#[test]
fn every_case_of_the_suite_is_judged_as_its_name_says() {
    let Some(folder) = testing::data("ids") else { return };
    let (mut wrong, mut counts) = (Vec::new(), [0; 3]);
    for path in files(&folder, "ids") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let reading = read(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(reading.structure, [], "{name}");
        let audit = reading.document.audit();
        let blocked = audit.iter().find(|problem| problem.blocks);
        let kind = ["pass-", "fail-", "invalid-"].iter().position(|kind| name.starts_with(kind)).unwrap();
        counts[kind] += 1;
        if kind == 2 {
            match blocked {
                None => wrong.push(format!("{name}: not refused")),
                Some(problem) => assert!(problem.place.line > 1, "{name}: {problem}"),
            }
            continue;
        }
        if let Some(problem) = blocked {
            wrong.push(format!("{name}: {problem}"));
        }
        if verdict(&reading.document, &path.with_extension("ifc")) != (kind == 0) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(counts[0] + counts[1] >= 150 && counts[2] >= 10, "{counts:?}");
}

#[test]
fn the_files_of_the_auditing_tool_have_as_many_errors_as_it_finds() {
    let Some(folder) = testing::data("ids_audit") else { return };
    let expected = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
    let mut wrong = Vec::new();
    for case in expected.as_array().unwrap() {
        let name = case["file"].as_str().unwrap();
        let mut status = Vec::new();
        let (errors, listed) = match read(&std::fs::read(folder.join(name)).unwrap()) {
            Err(problem) => {
                status.push("IdsStructureError");
                (0, vec![problem.to_string()])
            }
            Ok(reading) => {
                let content = reading.document.audit();
                if !reading.structure.is_empty() {
                    status.push("IdsStructureError");
                }
                if !content.is_empty() {
                    status.push("IdsContentError");
                }
                let all: Vec<String> =
                    reading.structure.iter().chain(&content).map(ToString::to_string).collect();
                (all.len(), all)
            }
        };
        let wanted: Vec<&str> =
            case["status"].as_array().unwrap().iter().map(|own| own.as_str().unwrap()).collect();
        if status != wanted || case["errors"] != errors {
            wrong.push(format!(
                "{name}: {wanted:?} {}, found {status:?} {errors}: {listed:#?}",
                case["errors"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The schema of IDS, with those that it imports as files.
fn schema() -> Option<uppsala::XsdValidator> {
    let folder = testing::data("ids")?;
    let path = folder.join("ids.xsd");
    let mut text = std::fs::read_to_string(&path).unwrap();
    for (address, file) in [
        ("http://www.w3.org/2001/xml.xsd", "xml.xsd"),
        ("http://www.w3.org/2001/XMLSchema.xsd", "XMLSchema.xsd"),
    ] {
        let own = folder.join("xsd").join(file);
        text = text.replace(
            &format!("schemaLocation=\"{address}\""),
            &format!("schemaLocation=\"{}\"", own.display()),
        );
    }
    let lines = text
        .lines()
        .filter(|line| !line.contains("schemaLocation=\"http://www.w3.org/2001/XMLSchema-instance\""));
    let text: Vec<&str> = lines.collect();
    let text = text.join("\n");
    let parsed = uppsala::parse(text.trim_start_matches('\u{feff}')).unwrap();
    Some(uppsala::XsdValidator::from_schema_with_base_path(&parsed, Some(&path)).unwrap())
}

/// Numbers that look like chance, the same each time.
struct Dice(u64);

impl Dice {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below.max(1)
    }
}

/// The elements of a text as ranges, tags and all, that lie within the root.
fn elements(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|own| own + at) {
        if text[start..].starts_with("<!--") {
            at = text[start..].find("-->").map_or(text.len(), |own| own + start + 3);
            continue;
        }
        let Some(end) = text[start..].find('>').map(|own| own + start + 1) else { break };
        at = end;
        let tag = &text[start..end];
        if tag.starts_with("</") {
            if let Some(begin) = open.pop() {
                found.push((begin, end));
            }
        } else if tag.ends_with("/>") {
            found.push((start, end));
        } else if !tag.starts_with("<?") {
            open.push(start);
        }
    }
    found.retain(|(start, _)| *start > text.find("<info").or_else(|| text.find("<ids:info")).unwrap_or(0));
    found
}

/// A text with one thing changed.
fn mutated(text: &str, dice: &mut Dice) -> String {
    let all = elements(text);
    let (start, end) = all[dice.next(all.len())];
    let element = &text[start..end];
    let with = |changed: &str| format!("{}{changed}{}", &text[..start], &text[end..]);
    match dice.next(7) {
        0 => with(""),
        1 => with(&format!("{element}{element}")),
        2 => {
            // the next one before this one
            match all.iter().filter(|(from, _)| *from >= end).min() {
                Some((from, to)) if text[end..*from].trim().is_empty() => {
                    format!("{}{}{element}{}", &text[..start], &text[*from..*to], &text[*to..])
                }
                _ => with(""),
            }
        }
        3 => {
            let names = ["name", "value", "entity", "simpleValue", "property", "other", "requirements"];
            let prefix = if element.starts_with("<ids:") { "ids:" } else { "" };
            let name = names[dice.next(names.len())];
            let tag_end = element.find([' ', '>', '/', '\n', '\t', '\r']).unwrap();
            let old = &element[1..tag_end];
            let close = format!("</{old}>");
            let body = &element[tag_end..];
            let body =
                body.strip_suffix(&close).map_or(body.to_owned(), |body| format!("{body}</{prefix}{name}>"));
            with(&format!("<{prefix}{name}{body}"))
        }
        4 => {
            let attributes = [
                "cardinality=\"optional\"",
                "cardinality=\"Optional\"",
                "dataType=\"IFCLABEL\"",
                "dataType=\"IfcLabel\"",
                "minOccurs=\"0\"",
                "maxOccurs=\"-1\"",
                "relation=\"IFCRELNESTS\"",
                "relation=\"IFCRELNEST\"",
                "instructions=\"do\"",
                "uri=\"http://example.org\"",
                "description=\"d\"",
                "value=\"3\"",
                "odd=\"1\"",
            ];
            let attribute = attributes[dice.next(attributes.len())];
            let tag_end = element.find([' ', '>', '/', '\n', '\t', '\r']).unwrap();
            let name = attribute.split('=').next().unwrap();
            let tag = &element[..element.find('>').unwrap()];
            if tag.contains(&format!(" {name}=")) {
                return with("");
            }
            with(&format!("{} {attribute}{}", &element[..tag_end], &element[tag_end..]))
        }
        5 => {
            // an attribute dropped
            let tag = &element[..element.find('>').unwrap()];
            let Some(from) = tag.find("=\"") else { return with("") };
            let begin = tag[..from].rfind([' ', '\n', '\t']).unwrap();
            let to = tag[from + 2..].find('"').unwrap() + from + 3;
            with(&format!("{}{}", &element[..begin], &element[to..]))
        }
        _ => {
            let words = ["", "text", "3", "-2", "true", "2020-01-01", "2020-13-01", "a@b.c", "unbounded"];
            let word = words[dice.next(words.len())];
            match (element.find('>'), element.rfind("</")) {
                (Some(from), Some(to)) if from < to => {
                    with(&format!("{}{word}{}", &element[..=from], &element[to..]))
                }
                _ => with(""),
            }
        }
    }
}

#[test]
fn structure_is_judged_as_by_the_xml_schema_on_all_files_and_what_it_refuses_of_mutations_is_refused() {
    let (Some(schema), Some(folder)) = (schema(), testing::data("ids")) else { return };
    let mut all = files(&folder, "ids");
    all.extend(files(&testing::data("ids_audit").unwrap(), "ids"));
    all.extend(files(&testing::data("rulepacks").unwrap(), "ids"));
    let mut dice = Dice(7);
    let (mut valid, mut invalid) = (0, 0);
    let mut wrong = Vec::new();
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.trim_start_matches('\u{feff}');
        if text.is_empty() {
            continue;
        }
        // uppsala passes over attributes of simple types and over what extended types lack, so that it binds in one direction
        let mut judge = |text: &str, is_mutation: bool| {
            let Ok(parsed) = uppsala::parse(text) else { return };
            let theirs = schema.validate(&parsed);
            let ours = read(text.as_bytes()).map(|reading| reading.structure);
            if theirs.is_empty() {
                valid += 1;
            } else {
                invalid += 1;
            }
            let is_valid = ours.as_ref().is_ok_and(Vec::is_empty);
            let is_stricter = !is_valid && theirs.is_empty();
            if is_valid != theirs.is_empty() && !(is_mutation && is_stricter) {
                let theirs: Vec<_> = theirs.iter().map(ToString::to_string).collect();
                wrong.push(format!("{}\n  theirs {theirs:?}\n  ours {ours:?}\n{text}", path.display()));
            }
        };
        // what the auditing tool says of its own files is another test's
        judge(text, path.components().any(|part| part.as_os_str() == "ids_audit"));
        if text.len() < 20_000 {
            for _ in 0..30 {
                judge(&mutated(text, &mut dice), true);
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ, the first: {}",
        wrong.len(),
        wrong.first().cloned().unwrap_or_default()
    );
    assert!(valid > 300 && invalid > 1000, "{valid} valid, {invalid} invalid");
}

#[test]
fn patterns_are_those_of_xml_schema() {
    for (pattern, yes, no) in [
        ("[A-Z]{2}[0-9]{2}", &["AB12"][..], &["AB1", "xAB12", "AB12 "][..]),
        ("a|b", &["a", "b"], &["ab", ""]),
        ("^a$", &["^a$"], &["a"]),
        (r"\i\c*", &["a1", "_x-y", ":q"], &["1a", "-a", ""]),
        (r"[\i-[:]][\c-[:]]*", &["abc"], &["a:c", ":a"]),
        ("[a-z-[aeiou]]+", &["xyz"], &["xaz"]),
        ("[^a-c-[x]]", &["d"], &["a", "x"]),
        (r"\p{Lu}\p{IsBasicLatin}", &["Äz"], &["äz", "AÄ"]),
        (r"\w+", &["a1"], &["a b", "a-b"]),
        (".", &["é"], &["\n", "ab"]),
        (r"(-|[0-9]{2,3})\/(-|\d{2})", &["-/30", "120/-"], &["1/30"]),
        ("[a&&b~~c]", &["&", "~"], &["ab"]),
        ("[-a]", &["-", "a"], &["b"]),
        ("[+\\-]?[0-9]+", &["-1", "+22", "3"], &["--1"]),
    ] {
        let own = Pattern::new(pattern);
        assert_eq!(own.problem(), None, "{pattern}");
        for text in yes {
            assert!(own.is_match(text), "{pattern} {text}");
        }
        for text in no {
            assert!(!own.is_match(text), "{pattern} {text}");
        }
    }
    for pattern in [
        "(",
        ")",
        "[",
        "a**",
        "a+?",
        "(?=a)",
        r"\1",
        r"\p{IsKlingon}",
        r"\p{Xx}",
        "a{3,2}",
        "a{5000}",
        "[]",
        "((a{900}){900}){900}",
        "*",
    ] {
        assert!(Pattern::new(pattern).problem().is_some(), "{pattern}");
    }
    assert!(Pattern::new(&"(".repeat(5000)).problem().is_some());
}

#[test]
fn hostile_documents_are_refused_with_a_place() {
    for text in [
        "",
        "no xml",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><ids>&b;</ids>",
        "<ids>\n<info></ids>",
        &format!("<ids>{}</ids>", "<a>".repeat(100)),
    ] {
        let problem = read(text.as_bytes()).unwrap_err();
        assert!(problem.place.line >= 1, "{problem}");
    }
    let other = read(b"<ids/>").unwrap();
    assert_eq!(other.structure.len(), 1);
    assert!(other.structure[0].to_string().starts_with("line 1, column 1"));
}

/// A document of one specification, which must apply to something.
pub(super) fn document(versions: &str, applicability: &str, requirements: &str) -> Document {
    let text = format!(
        "<ids xmlns=\"http://standards.buildingsmart.org/IDS\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"><info><title>T</title></info>\
         <specifications><specification name=\"S\" ifcVersion=\"{versions}\"><applicability maxOccurs=\"unbounded\">{applicability}</applicability>\
         <requirements>{requirements}</requirements></specification></specifications></ids>"
    );
    let reading = read(text.as_bytes()).unwrap();
    assert_eq!(reading.structure, []);
    reading.document
}

/// A model of these instances.
pub(super) fn model(schema: &str, data: &str) -> Model {
    let text = format!(
        "ISO-10303-21;HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');FILE_SCHEMA(('{schema}'));ENDSEC;DATA;{data}ENDSEC;END-ISO-10303-21;"
    );
    Model::from_bytes(text.into_bytes(), &ifc::Limits::default()).unwrap().0
}

fn is_met(document: &Document, model: &Model) -> bool {
    check(document, model, false, &mut || true).unwrap().is_met()
}

/// A facet of a class.
pub(super) fn class(name: &str) -> String {
    format!("<entity><name><simpleValue>{name}</simpleValue></name></entity>")
}

#[test]
fn in_ifc2x3_a_class_may_hang_on_the_type() {
    let document = document("IFC2X3", &class("IFCAIRTERMINAL"), &class("IFCAIRTERMINAL"));
    assert_eq!(document.audit(), []);
    let terminal = |of_type: &str| {
        model(
            "IFC2X3",
            &format!(
                "#1=IFCFLOWTERMINAL('1hqIFTRjfV6AWq_bMtnZwI',$,$,$,$,$,$,$);#2={of_type}('2hqIFTRjfV6AWq_bMtnZwI',$,$,$,$,$,$,$,$,.GRILLE.);\
                 #3=IFCRELDEFINESBYTYPE('3hqIFTRjfV6AWq_bMtnZwI',$,$,$,(#1),#2);"
            ),
        )
    };
    assert!(is_met(&document, &terminal("IFCAIRTERMINALTYPE")));
    assert!(!is_met(&document, &terminal("IFCLAMPTYPE")));
}

#[test]
fn a_bounded_property_keeps_a_range_with_both_of_its_bounds() {
    let property = |facets: &str| {
        let requirement = format!(
            "<property dataType=\"IFCLENGTHMEASURE\"><propertySet><simpleValue>Foo_Bar</simpleValue></propertySet><baseName><simpleValue>Foo</simpleValue></baseName>\
             <value><xs:restriction base=\"xs:double\">{facets}</xs:restriction></value></property>"
        );
        document("IFC4", &class("IFCWALL"), &requirement)
    };
    let wall = |upper: &str, lower: &str, point: &str| {
        model(
            "IFC4",
            &format!(
                "#1=IFCPROJECT('1hqIFTRjfV6AWq_bMtnZwI',$,$,$,$,$,$,$,#6);#2=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);#6=IFCUNITASSIGNMENT((#2));\
                 #7=IFCWALL('2hqIFTRjfV6AWq_bMtnZwI',$,$,$,$,$,$,$,$);#8=IFCPROPERTYSET('3hqIFTRjfV6AWq_bMtnZwI',$,'Foo_Bar',$,(#10));\
                 #9=IFCRELDEFINESBYPROPERTIES('0hqIFTRjfV6AWq_bMtnZwI',$,$,$,(#7),#8);#10=IFCPROPERTYBOUNDEDVALUE('Foo',$,{upper},{lower},$,{point});"
            ),
        )
    };
    let length = |metres: u32| format!("IFCLENGTHMEASURE({}.)", metres * 1000);
    let least = property("<xs:minInclusive value=\"20\"/>");
    assert!(is_met(&least, &wall("$", &length(25), "$")));
    assert!(!is_met(&least, &wall(&length(25), "$", "$")));
    assert!(!is_met(&least, &wall("$", "$", &length(25))));
    let between = property("<xs:minInclusive value=\"20\"/><xs:maxInclusive value=\"50\"/>");
    assert!(is_met(&between, &wall(&length(40), &length(30), "$")));
    assert!(!is_met(&between, &wall(&length(60), &length(30), "$")));
    assert!(!is_met(&between, &wall(&length(40), &length(10), "$")));
}

#[test]
fn of_a_relation_that_is_named_only_that_relation_counts_and_of_none_all_do() {
    let model = model(
        "IFC4",
        "#1=IFCBUILDINGSTOREY('3Hmht_jXzCoRFMZk5vnl81',$,$,$,$,$,$,$,$,$);#2=IFCSPACE('2fRYv0_SnBqh_WwB6z2Tkz',$,$,$,$,$,$,$,$,$,$);\
         #3=IFCSENSOR('2kaS0ONSjCHhGNQYRonyjy',$,$,$,$,$,$,$,$);#4=IFCRELAGGREGATES('1LJPRPOGr6wxii4mAHEYcg',$,$,$,#1,(#2));\
         #5=IFCRELCONTAINEDINSPATIALSTRUCTURE('1LEQKnQ6b3oQ0u0Ou4bB$3',$,$,$,(#3,#6),#2);\
         #6=IFCELEMENTASSEMBLY('1hqIFTRjfV6AWq_bMtnZwI',$,$,$,$,$,$,$,$,$);#7=IFCBEAM('0eA6m4fELI9QBIhP3wiLAp',$,$,$,$,$,$,$,$);\
         #8=IFCRELAGGREGATES('05rScmOVzMoQXOfbYdtLYj',$,$,$,#6,(#7));",
    );
    let holds = |what: &str, relation: &str, whole: &str| {
        let part = format!("<partOf{relation}>{}</partOf>", class(whole));
        is_met(&document("IFC4", &class(what), &part), &model)
    };
    let contained = " relation=\"IFCRELCONTAINEDINSPATIALSTRUCTURE\"";
    assert!(holds("IFCSENSOR", contained, "IFCSPACE") && !holds("IFCSENSOR", contained, "IFCBUILDINGSTOREY"));
    assert!(!holds("IFCBEAM", contained, "IFCSPACE"), "its assembly is there, and it is a part of that");
    for (what, whole) in
        [("IFCSENSOR", "IFCBUILDINGSTOREY"), ("IFCBEAM", "IFCSPACE"), ("IFCBEAM", "IFCBUILDINGSTOREY")]
    {
        assert!(holds(what, "", whole), "{what} {whole}");
    }
}

#[test]
fn what_is_written_is_read_again_the_same() {
    let Some(folder) = testing::data("ids") else { return };
    for path in files(&folder, "ids") {
        let first = read(&std::fs::read(&path).unwrap()).unwrap().document;
        let again = read(written(&first).as_bytes()).unwrap();
        assert_eq!(again.structure, [], "{}", path.display());
        assert_eq!(written(&again.document), written(&first), "{}", path.display());
        assert_eq!(again.document.audit().len(), first.audit().len(), "{}", path.display());
    }
}

#[test]
fn a_document_made_of_a_model_is_valid_and_met_by_it() {
    for name in ["Duplex_A_20110907", "AC20-FZK-Haus", "SampleHouse4"] {
        let Some(path) = testing::model(&format!("{name}.ifc")) else { continue };
        let (model, _) = Model::open(&path, &ifc::Limits::default()).unwrap();
        let document = from_model(&model, "As built");
        assert!(document.specifications.len() > 3, "{name}");
        let again = read(written(&document).as_bytes()).unwrap();
        assert_eq!(again.structure, [], "{name}");
        let blocking: Vec<String> =
            again.document.audit().iter().filter(|own| own.blocks).map(ToString::to_string).collect();
        assert!(blocking.is_empty(), "{name}: {blocking:#?}");
        assert!(is_met(&again.document, &model), "{name}");
        let page = html(
            &document,
            &check(&document, &model, false, &mut || true).unwrap(),
            &model,
            name,
            &super::Images::new(),
        );
        assert!(page.contains("IfcWall") && page.ends_with("</html>\n"), "{name}");
    }
}

#[test]
fn a_regulation_of_a_state_is_read_without_a_mistake_that_keeps_it_from_being_checked() {
    let Some(folder) = testing::data("rulepacks") else { return };
    for path in files(&folder, "ids") {
        let reading = read(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(reading.structure, [], "{}", path.display());
        let audit = reading.document.audit();
        let blocking: Vec<String> = audit.iter().filter(|own| own.blocks).map(ToString::to_string).collect();
        assert!(blocking.is_empty(), "{}: {blocking:#?}", path.display());
        assert!(reading.document.specifications.len() > 5);
    }
}
