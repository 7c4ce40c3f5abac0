//! Kinds, explanations and mends on one small model, changed in one way for each kind (`cases.json`: the changes, the messages that EnergyPlus
//! 25.2 wrote of them, and what a mend changes). Real runs are in `live.rs`.

mod hostile;
mod live;

use super::catalogue::{Catalogue, StepKind, compile};
use super::*;
use crate::idf::Format;
use contract::FaultCode;
use serde::Deserialize;
use serde_json::Value;

const TWO_ROOMS: &str = include_str!("two_rooms.idf");

/// A kind of message, how it comes about, and what its mend does.
#[derive(Deserialize)]
struct Case {
    /// The id of the kind.
    kind: String,
    /// Two texts, the first of which is replaced by the second; `-` and the beginning of lines that go; or a line to add.
    changes: Vec<Value>,
    /// The messages of the run, as they stand in its file.
    messages: Vec<String>,
    /// The changes of the mend in words.
    #[serde(default)]
    mended: Vec<String>,
}

impl Case {
    fn all() -> Vec<Self> {
        serde_json::from_str(include_str!("cases.json")).unwrap()
    }

    /// The model that gives the message.
    fn model(&self) -> String {
        let mut lines: Vec<String> = TWO_ROOMS.lines().map(str::to_owned).collect();
        for change in &self.changes {
            match change {
                Value::Array(pair) => {
                    let [Value::String(old), Value::String(new)] = pair.as_slice() else {
                        panic!("{change}")
                    };
                    let line = lines.iter_mut().find(|line| line.contains(old.as_str())).unwrap();
                    *line = line.replacen(old.as_str(), new, 1);
                }
                Value::String(text) => match text.strip_prefix('-') {
                    Some(start) => lines.retain(|line| !line.starts_with(start)),
                    None => lines.push(text.clone()),
                },
                _ => panic!("{change}"),
            }
        }
        lines.join("\n") + "\n"
    }

    fn document(&self) -> Document {
        Document::open(self.model().as_bytes()).unwrap().0
    }

    fn report(&self) -> ErrorReport {
        ErrorReport::parse(self.messages.join("\n").as_bytes())
    }
}

fn report(text: &str) -> ErrorReport {
    ErrorReport::parse(text.as_bytes())
}

fn two_rooms() -> Document {
    Document::open(TWO_ROOMS.as_bytes()).unwrap().0
}

#[test]
fn the_catalogue_is_whole_and_its_steps_name_types_and_fields_that_exist() {
    let raw: Vec<Value> = serde_json::from_str(Catalogue::text()).unwrap();
    let entries = Catalogue::shared().entries();
    assert_eq!(raw.len(), entries.len());
    assert!(entries.len() >= 120, "{}", entries.len());
    assert!(entries.iter().filter(|entry| !entry.mend.is_empty()).count() >= 50);
    let schema = crate::schema::Schema::built_in();
    let mut ids = std::collections::HashSet::new();
    for entry in entries {
        assert!(ids.insert(&entry.id), "{} stands there twice", entry.id);
        let groups: Vec<String> = [Some(&entry.pattern), entry.each.as_ref()]
            .into_iter()
            .flatten()
            .flat_map(|pattern| {
                let pattern = compile(pattern).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
                pattern.capture_names().flatten().map(str::to_owned).collect::<Vec<_>>()
            })
            .collect();
        assert!(entry.meaning.ends_with('.') && entry.remedy.ends_with('.'), "{}", entry.id);
        assert!(!entry.follows || entry.mend.is_empty(), "{}", entry.id);
        for name in entry.types.iter().chain(entry.mend.iter().flat_map(|step| &step.types)) {
            assert!(name.starts_with('$') || schema.get(name).is_some(), "{}: {name}", entry.id);
        }
        for step in &entry.mend {
            let texts = [&step.name, &step.field, &step.other, &step.value];
            for group in texts.into_iter().flatten().filter_map(|text| text.strip_prefix('$')) {
                assert!(
                    group == "nothing" || groups.iter().any(|other| other == group),
                    "{}: {group}",
                    entry.id
                );
            }
            let types = step.types.iter().chain(entry.types.iter().filter(|_| step.types.is_empty()));
            let literal =
                step.field.as_ref().or(entry.field.as_ref()).filter(|field| !field.starts_with('$'));
            let given = step.fields.keys();
            let fields: Vec<&String> =
                literal.filter(|_| step.kind != StepKind::Add).into_iter().chain(given).collect();
            for name in types.filter(|name| !name.starts_with('$')) {
                for field in &fields {
                    assert!(
                        schema.get(name).unwrap().position(field).is_some(),
                        "{}: {name}.{field}",
                        entry.id
                    );
                }
            }
        }
    }
}

#[test]
fn every_recorded_message_is_of_its_kind_and_its_mend_changes_what_is_written_down() {
    let cases = Case::all();
    assert!(cases.len() >= 50, "{}", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let (document, report) = (case.document(), case.report());
        let explained = explain(&document, &report);
        let own = explained.iter().find(|group| group.kind.as_deref() == Some(case.kind.as_str()));
        if !own.is_some_and(|own| own.mendable) {
            wrong.push(format!("{} is not mendable: {explained:?}", case.kind));
            continue;
        }
        let wanted = [case.kind.clone()];
        let mending = mend(&document, &report, Some(&wanted)).unwrap();
        let words: Vec<String> = mending
            .mended
            .iter()
            .flat_map(|mended| {
                let changes = mended.changes.iter().map(ToString::to_string);
                changes
                    .chain(mended.assumptions.iter().map(|assumption| format!("Assumed: {assumption}")))
                    .collect::<Vec<_>>()
            })
            .collect();
        if words != case.mended {
            wrong.push(format!("{}\n  {}", case.kind, words.join("\n  ")));
        }
        // what is written is read again as the same
        let saved = mending.document.to_bytes(Format::Idf).unwrap();
        let again = Document::open(&saved).unwrap().0;
        assert_eq!(again.len(), mending.document.len(), "{}", case.kind);
        // and the document that was asked about stays as it was
        assert!(!document.is_changed());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn groups_of_a_kind_are_told_together_with_objects_and_fields() {
    let report = report(
        "   ** Warning ** Calculated design cooling load for zone=ROOM A is zero.
   **   ~~~   ** Check Sizing:Zone and ZoneControl:Thermostat inputs.
   ** Warning ** Calculated design cooling load for zone=ROOM B is zero.
   ** Severe  ** <root>[Material][Concrete][conductivity] - \"-1.700000\" - Expected number greater than 0.000000
   **  Fatal  ** Errors occurred on processing input file. Preceding condition(s) cause termination.\n",
    );
    let explained = explain(&two_rooms(), &report);
    let kinds: Vec<&str> = explained.iter().map(|group| group.kind.as_deref().unwrap_or_default()).collect();
    assert_eq!(kinds, ["run_ended", "below_minimum", "load_zero_cooling"]);
    assert!(explained[0].follows_from_others && !explained[0].mendable);
    let material = &explained[1].objects[0];
    assert_eq!((material.object_type.as_str(), material.name.as_str()), ("Material", "Concrete"));
    assert_eq!((material.field.as_deref(), material.value.as_deref()), (Some("Conductivity"), Some("1.7")));
    let rooms = &explained[2];
    assert_eq!((rooms.count, rooms.messages, rooms.line), (2, 2, 1));
    let zones = rooms.objects.iter().filter(|object| object.object_type == "Zone");
    assert_eq!(zones.map(|zone| zone.name.as_str()).collect::<Vec<_>>(), ["ROOM A", "ROOM B"]);
}

#[test]
fn a_message_of_no_known_kind_still_names_its_objects_the_longest_name_first() {
    let text = "   ** Warning ** Something odd of \"A SOUTH\" happens near A WINDOW while Heating Setpoint holds.\n\
        \x20  **   ~~~   ** ..in People=A PEOPLE, its Activity Level Schedule Name is strange; BOREAL is none\n";
    let explained = explain(&two_rooms(), &report(text));
    assert_eq!((explained.len(), explained[0].kind.as_deref()), (1, None));
    let names: Vec<&str> = explained[0].objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["A South", "A Window", "Heating Setpoint", "A People"]);
    let people = &explained[0].objects[3];
    assert_eq!(people.field.as_deref(), Some("Activity Level Schedule Name"));
    assert_eq!(people.value.as_deref(), Some("Activity"));
    let left = mend(&two_rooms(), &report(text), None).unwrap().left;
    assert!(left.len() == 1 && left[0].kind.is_none(), "{left:?}");
}

#[test]
fn names_of_a_type_that_has_none_are_found_where_the_type_is_named() {
    let text = "   ** Warning ** Something odd of Sizing:Zone=\"ROOM B\" happens.\n";
    let explained = explain(&two_rooms(), &report(text));
    let types: Vec<&str> = explained[0].objects.iter().map(|object| object.object_type.as_str()).collect();
    assert_eq!(types, ["Sizing:Zone"]);
}

#[test]
fn a_name_is_not_replaced_where_several_are_as_near_or_a_figure_differs() {
    let mend_of = |name: &str, zones: &str| {
        let model = format!(
            "Version,25.2;\n{zones}BuildingSurface:Detailed,W,Wall,C,{name},,Outdoors,,SunExposed,WindExposed,,3,0,0,0,1,0,0,1,0,1;\n"
        );
        let document = Document::open(model.as_bytes()).unwrap().0;
        let text = format!(
            "   ** Severe  ** BuildingSurface:Detailed=\"W\", invalid Zone Name=\"{}\".\n",
            name.to_uppercase()
        );
        mend(&document, &report(&text), None).unwrap()
    };
    let several = mend_of("Hal", "Zone,Hall;\nZone,Halt;\n");
    assert!(several.mended.is_empty() && several.left[0].why.contains("as near"), "{:?}", several.left);
    let figures = mend_of("Hall 12", "Zone,Hall 13;\n");
    assert!(figures.mended.is_empty() && figures.left[0].why.contains("Nothing"), "{:?}", figures.left);
    let one = mend_of("Large_Hal 1", "Zone,Large Hall 1;\nZone,Large Hall 2;\n");
    assert_eq!(one.mended[0].changes[0].to, "Large Hall 1");
}

#[test]
fn only_the_wanted_kinds_are_mended_and_an_unknown_one_is_a_fault() {
    let text = "   ** Warning ** Version: missing in IDF, processing for EnergyPlus version=\"25.2\"
   ** Warning ** Output:Meter: invalid Key Name=\"NOPE\" - not found.\n";
    let model = TWO_ROOMS.replace("Version,25.2;\n", "Output:Meter,Nope,Hourly;\n");
    let document = Document::open(model.as_bytes()).unwrap().0;
    let wanted = ["meter_not_found".to_owned()];
    let mending = mend(&document, &report(text), Some(&wanted)).unwrap();
    assert_eq!(mending.mended.len(), 1);
    assert_eq!(
        mending.mended[0].changes[0].to_string(),
        format!("remove Output:Meter `{}`", handle_of(&document, "Nope"))
    );
    assert!(mending.document.of_type("Version").next().is_none());
    let both = mend(&document, &report(text), None).unwrap();
    assert_eq!((both.mended.len(), both.left.len()), (2, 0));
    assert_eq!(both.document.version(), Some("25.2"));
    let fault = mend(&document, &report(text), Some(&["metre_not_found".to_owned()])).unwrap_err();
    assert_eq!(fault.code, FaultCode::InvalidParams);
    assert!(format!("{fault:?}").contains("meter_not_found"), "{fault:?}");
}

fn handle_of(document: &Document, meter: &str) -> String {
    document.of_type("Output:Meter").find(|object| object.value(0) == meter).unwrap().label()
}

#[test]
fn what_cannot_be_mended_is_left_with_the_reason() {
    let text = "   ** Severe  ** <root>[Material][Concrete][conductivity] - \"-1.700000\" - Expected number greater than 0.000000
   ** Severe  ** GetInternalHeatGains: Lights=\"A LIGHTS\", Sum of Fractions > 1.0
   ** Warning ** Output:Meter: invalid Key Name=\"GONE\" - not found.\n";
    let model = TWO_ROOMS.replace("0.2,1.7,2300", "0.2,-1.7,2300");
    let document = Document::open(model.as_bytes()).unwrap().0;
    let mending = mend(&document, &report(text), None).unwrap();
    assert!(mending.mended.is_empty() && !mending.document.is_changed());
    let why: Vec<&str> = mending.left.iter().map(|left| left.why.as_str()).collect();
    assert!(
        why[0].contains("no default")
            && why[1].contains("Correct them")
            && why[2].contains("has no Output:Meter"),
        "{why:?}"
    );
}

#[test]
fn a_physical_quantity_out_of_range_is_not_moved_to_the_end_of_the_range() {
    let mend_of = |old: &str, new: &str, path: &str, value: &str| {
        let document = Document::open(TWO_ROOMS.replace(old, new).as_bytes()).unwrap().0;
        let text = format!(
            "   ** Severe  ** <root>{path} - \"{value}\" - Expected number greater than or equal to 1.000000\n"
        );
        mend(&document, &report(&text), None).unwrap()
    };
    let heat = mend_of("0.04,30,1400", "0.04,30,50", "[Material][Insulation][specific_heat]", "50");
    assert!(heat.mended.is_empty() && heat.left[0].why.contains("no default"), "{:?}", heat.left);
    let glass = mend_of(
        "Double,2.0,0.4",
        "Double,2.0,1.5",
        "[WindowMaterial:SimpleGlazingSystem][Double][solar_heat_gain_coefficient]",
        "1.5",
    );
    assert!(glass.mended.is_empty() && glass.left.len() == 1, "{:?}", glass.mended);
    let multiplier =
        mend_of("Zone,ROOM A,0,0,0,0,1,1,", "Zone,ROOM A,0,0,0,0,1,0,", "[Zone][ROOM A][multiplier]", "0");
    assert_eq!(multiplier.mended[0].changes[0].to, "1");
    assert!(multiplier.mended[0].assumptions[0].contains("default of EnergyPlus' schema"));
}

#[test]
fn an_object_that_others_refer_to_is_not_removed() {
    let text = "   ** Severe  ** InitPurchasedAir: ZoneHVAC:IdealLoadsAirSystem = A IDEAL is not on any ZoneHVAC:EquipmentList.  It will not be simulated.\n";
    let mending = mend(&two_rooms(), &report(text), None).unwrap();
    assert!(mending.mended.is_empty());
    assert!(
        mending.left[0].why.contains("referred to by ZoneHVAC:EquipmentList `A List`"),
        "{:?}",
        mending.left
    );
}
