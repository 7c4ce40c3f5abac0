use super::*;
use crate::idf::Record;
use crate::schema::FieldKind;

/// The findings, as code, object and field, without what every small model lacks.
fn found(text: &str) -> Vec<String> {
    let head = "Version,25.2;Building,b;GlobalGeometryRules,UpperLeftCorner,Counterclockwise,Relative;\n";
    let (document, _) = Document::open(format!("{head}{text}").as_bytes()).unwrap();
    let findings = check(&document, Options::default());
    findings
        .iter()
        .map(|f| format!("{:?} {} {}", f.code, f.name, f.field.as_deref().unwrap_or("-")))
        .collect()
}

#[test]
fn every_kind_of_fault_is_found_where_it_is() {
    assert_eq!(found("Zone,a;"), [] as [&str; 0]);
    assert_eq!(found("Zones,a;"), ["UnknownType #3 -"]);
    assert_eq!(found("Timestep,4,5;"), ["TooManyFields Timestep Field 2"]);
    assert_eq!(found("Zone,;"), ["MissingRequired #3 Name"]);
    assert_eq!(found("Zone,a,north;"), ["NotANumber a Direction of Relative North"]);
    assert_eq!(found("Zone,a,0,0,0,0,1,1.5;"), ["NotAnInteger a Multiplier"]);
    assert_eq!(found("Zone,a,0,0,0,0,1,0;"), ["OutOfRange a Multiplier"]);
    assert_eq!(found("Zone,a,,,,,,,AUTOCALCULATE,,,tarp;"), [] as [&str; 0]);
    assert_eq!(found("Zone,a,,,,,,,,,,torp;"), ["NotAChoice a Zone Inside Convection Algorithm"]);
    assert_eq!(found("ZoneList,l,nobody;"), ["DanglingReference l Zone 1 Name"]);
    assert_eq!(found("Zone,a;Zone,A;"), ["DuplicateName A Name"]);
    assert_eq!(found("Material:NoMass,x,Rough,1;Material:AirGap,X,1;"), ["DuplicateName X Name"]);
    assert_eq!(found("Timestep,4;Timestep,6;"), ["NotUnique Timestep -"]);
    assert_eq!(found("Shading:Site:Detailed,s,,3,0,0,0,1,0,0,1,1;"), ["BadGroup s Vertex 3 Z-coordinate"]);
    assert_eq!(
        found("Branch,b,,Fan:ConstantVolume,f,x,y;Fan:VariableVolume,f,,,1,autosize,,,,,,,,,,,x,y;"),
        ["DanglingReference b Component 1 Name"]
    );
}

#[test]
fn a_finding_says_what_may_stand_there_and_what_is_likely_meant() {
    let (document, _) = Document::open(b"Zone,Kitchen,0,0,0,0,1,0;ZoneList,l,Kitchn;Version,24.3;").unwrap();
    let findings = check(&document, Options::default());
    let range = findings.iter().find(|finding| finding.code == Code::OutOfRange).unwrap();
    assert_eq!(range.allowed.as_deref(), Some("a whole number from 1"));
    let dangling = findings.iter().find(|finding| finding.code == Code::DanglingReference).unwrap();
    assert_eq!(dangling.suggestion.as_deref(), Some("Kitchen"));
    assert_eq!(
        dangling.message,
        "ZoneList `l`: `Zone 1 Name` is `Kitchn`, a name that nothing has; it may be one of Kitchen. Did you mean `Kitchen`?"
    );
    let codes: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&Code::OtherVersion));
    assert_eq!(codes.iter().filter(|code| **code == Code::MissingObject).count(), 2);
    let only = check(&document, Options { object_types: &["zonelist".into()], references: false });
    assert_eq!(only, []);
}

#[test]
fn fields_of_epjson_that_do_not_exist_are_found() {
    let json = br#"{"Zone": {"a": {"x_orign": 1}}, "Nothing": {"b": {}}}"#;
    let (document, _) = Document::open(json).unwrap();
    let findings = check(&document, Options::default());
    assert_eq!((findings[0].code, findings[0].suggestion.as_deref()), (Code::UnknownField, Some("x_origin")));
    assert_eq!(findings[1].code, Code::UnknownType);
}

fn prototypes() -> Vec<Document> {
    let Some(folder) = testing::prototypes() else { return Vec::new() };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "idf"));
    files.sort();
    files.iter().map(|path| Document::open(&std::fs::read(path).unwrap()).unwrap().0).collect()
}

#[test]
fn the_prototypes_are_clean_but_for_one_name_that_is_truly_missing() {
    let all: Vec<Finding> =
        prototypes().iter().flat_map(|document| check(document, Options::default())).collect();
    if all.is_empty() {
        return;
    }
    // EnergyPlus says the same of this schedule when it runs the model
    let said: Vec<&str> = all.iter().map(|finding| finding.message.split(';').next().unwrap()).collect();
    assert_eq!(
        said,
        [
            "Schedule:Compact `ZONE CONTROL TYPE SCHED`: `Schedule Type Limits Name` is `Control Type`, a name that nothing has"
        ]
    );
}

/// Numbers that look as if by chance, and are the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// A fault put into a record at a position, if the field there can have it.
fn injure(code: Code, object: Object<'_>, at: FieldAt<'_>, chance: &mut Chance) -> Option<Record> {
    let mut record = object.to_record();
    let FieldAt { position, field, grouped, value } = at;
    let to: String = match code {
        Code::MissingRequired if field.required && !grouped && !value.is_empty() => String::new(),
        Code::BadGroup if field.required && grouped && !value.is_empty() => {
            if chance.below(2) == 0 && position + 1 == record.values.len() && group_size(object) > 1 {
                record.values.pop();
                return Some(record);
            }
            String::new()
        }
        Code::NotANumber if field.is_numeric() && !value.is_empty() => "a lot".into(),
        Code::NotAChoice if field.kind == FieldKind::Choice && !value.is_empty() => format!("{value}x9"),
        Code::OutOfRange if field.is_numeric() && value.parse::<f64>().is_ok() => {
            match (field.minimum, field.maximum) {
                (Some(bound), _) if bound.exclusive => bound.value.to_string(),
                (_, Some(bound)) => (bound.value + 1.0).to_string(),
                (Some(bound), _) => (bound.value - 1.0).to_string(),
                _ => return None,
            }
        }
        Code::DanglingReference if field.kind == FieldKind::Reference && !value.is_empty() => {
            let open = field.lists.iter().any(|list| object.document().schema().members(list).is_none());
            if open || object.document().schema().get(value).is_some() {
                return None;
            }
            format!("{value} of nowhere")
        }
        _ => return None,
    };
    *record.values.get_mut(position)? = to.into();
    Some(record)
}

fn group_size(object: Object<'_>) -> usize {
    object.about().and_then(|about| about.extensible.as_ref()).map_or(0, |group| group.fields.len())
}

struct FieldAt<'a> {
    position: usize,
    field: &'a crate::schema::Field,
    grouped: bool,
    value: &'a str,
}

#[test]
fn two_hundred_faults_are_all_found_at_their_place_and_nothing_else() {
    let documents = prototypes();
    if documents.is_empty() {
        return;
    }
    // the largest says nothing that others do not
    let documents: Vec<&Document> = documents.iter().filter(|document| document.len() < 2_000).collect();
    let before: Vec<Vec<Finding>> =
        documents.iter().map(|document| check(document, Options::default())).collect();
    let kinds = [
        Code::MissingRequired,
        Code::NotAChoice,
        Code::OutOfRange,
        Code::DanglingReference,
        Code::DuplicateName,
        Code::NotANumber,
        Code::BadGroup,
    ];
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let mut injected = 0;
    while injected < 200 {
        let code = kinds[injected % kinds.len()];
        let which = chance.below(documents.len());
        let document = documents[which];
        let objects: Vec<Object<'_>> = document.objects().collect();
        let object = objects[chance.below(objects.len())];
        let mut faulty = document.clone();
        let (handle, field) = if code == Code::DuplicateName {
            // a second RunPeriod or Timestep would be another fault
            if object.name().is_empty() || object.about().is_some_and(|about| about.unique) {
                continue;
            }
            (faulty.push(object.to_record()), "Name".to_owned())
        } else {
            let values: Vec<_> = object.fields().collect();
            let Some(value) = values.get(chance.below(values.len())) else { continue };
            let Some(field) = value.field.filter(|field| field.references.is_empty()) else { continue };
            let at = FieldAt {
                position: value.position,
                field,
                grouped: value.group.is_some(),
                value: value.value,
            };
            let Some(record) = injure(code, object, at, &mut chance) else { continue };
            faulty.put(object.handle(), Some(record));
            (object.handle(), value.name())
        };
        let new: Vec<Finding> = check(&faulty, Options::default())
            .into_iter()
            .filter(|finding| !before[which].contains(finding))
            .collect();
        let places: Vec<_> = new.iter().map(|f| (f.code, f.handle, f.field.clone())).collect();
        assert_eq!(places, [(code, Some(handle), Some(field))], "fault {injected} in {object:?}: {new:#?}");
        injected += 1;
    }
}

/// As many mistakes as a file has room for are all told, each in its place; what is likely meant is looked for among so many names.
#[test]
fn a_file_of_nothing_but_mistakes_is_checked_to_its_end() {
    const COUNT: usize = 20_000;
    let read = |text: String| Document::parse(text.as_bytes(), Schema::built_in()).unwrap().0;
    let check = |text: String| check(&read(text), Options::default());
    let is = |code: Code| move |finding: &&Finding| finding.code == code;

    let unknown = check((0..COUNT).map(|at| format!("Zonne{at}List,a;\n")).collect::<Vec<_>>().concat());
    let unknown: Vec<_> = unknown.iter().filter(is(Code::UnknownType)).collect();
    assert_eq!(unknown.len(), COUNT);
    assert_eq!(unknown[0].suggestion.as_deref(), Some("ZoneList"));
    assert_eq!(unknown[COUNT - 1].suggestion, None);

    let dangling = check(
        (0..COUNT)
            .map(|at| format!("Zone,Room {at};ZoneList,l{at},Rom {at};\n"))
            .collect::<Vec<_>>()
            .concat(),
    );
    let dangling: Vec<_> = dangling.iter().filter(is(Code::DanglingReference)).collect();
    assert_eq!(dangling.len(), COUNT);
    assert_eq!(dangling[0].suggestion.as_deref(), Some("Room 0"));
    assert!(dangling[COUNT - 1].message.contains("it may be one of Room 0, Room 1, "), "{dangling:?}");

    let alike = check("Zone,A;ZoneList,B,A;\n".repeat(COUNT));
    assert_eq!(alike.iter().filter(is(Code::DuplicateName)).count(), 2 * (COUNT - 1));
    assert_eq!(alike.iter().filter(is(Code::DanglingReference)).count(), 0);

    let lines = check(format!("{}{}", "!\n".repeat(COUNT), "Timestep,4;\n".repeat(COUNT)));
    let second = lines.iter().find(|finding| finding.code == Code::NotUnique).unwrap();
    assert!(second.message.contains(&format!("on line {}", COUNT + 1)), "{}", second.message);
}

#[test]
fn a_type_is_one_however_it_is_spelled() {
    let text = b"Zone,a;ZONE,b;Thing,c;THING,d;thing,e;Other,f;";
    let (document, _) = Document::open(text).unwrap();
    assert_eq!(document.types(), [("Other", 1), ("Thing", 3), ("Zone", 2)]);
}

#[test]
fn limits_that_a_schedule_lacks_are_a_warning_as_they_are_to_energyplus() {
    let text = "Version,25.2;\nSchedule:Constant,On,Fraction,1;\nZoneList,l,Nowhere;\n";
    let (document, _) = Document::open(text.as_bytes()).unwrap();
    let found = check(&document, Options::default());
    let of = |name: &str| {
        found.iter().find(|finding| finding.name == name && finding.code == Code::DanglingReference)
    };
    assert_eq!(of("On").unwrap().severity, Severity::Warning, "{found:?}");
    assert_eq!(of("l").unwrap().severity, Severity::Error, "{found:?}");
}
