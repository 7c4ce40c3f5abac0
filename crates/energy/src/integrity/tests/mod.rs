//! Tests of the integrity of models.

mod building;
mod systems;

use super::*;

/// A cube of 3 m as a zone; faces are left out or turned by their names.
fn cube(without: &str, turned: &str) -> String {
    let faces: [(&str, &str, [[i32; 3]; 4]); 6] = [
        ("S", "Wall", [[0, 0, 3], [0, 0, 0], [3, 0, 0], [3, 0, 3]]),
        ("E", "Wall", [[3, 0, 3], [3, 0, 0], [3, 3, 0], [3, 3, 3]]),
        ("N", "Wall", [[3, 3, 3], [3, 3, 0], [0, 3, 0], [0, 3, 3]]),
        ("W", "Wall", [[0, 3, 3], [0, 3, 0], [0, 0, 0], [0, 0, 3]]),
        ("F", "Floor", [[0, 0, 0], [0, 3, 0], [3, 3, 0], [3, 0, 0]]),
        ("R", "Roof", [[0, 0, 3], [3, 0, 3], [3, 3, 3], [0, 3, 3]]),
    ];
    let mut text =
        "Zone,Z;Material:NoMass,M,Rough,1;Construction,C,M;Site:Location,L;RunPeriod,R,1,1,,12,31;\
        GlobalGeometryRules,UpperLeftCorner,Counterclockwise,World;\n"
            .to_owned();
    for (name, kind, mut corners) in faces {
        if without.contains(name) {
            continue;
        }
        if turned.contains(name) {
            corners.reverse();
        }
        let corners: Vec<String> = corners.iter().flatten().map(ToString::to_string).collect();
        let surface =
            format!("BuildingSurface:Detailed,{name},{kind},C,Z,,Outdoors,,SunExposed,WindExposed,,4");
        text.extend([surface, ",".to_owned(), corners.join(","), ";\n".to_owned()]);
    }
    text
}

fn issues(text: &str) -> Vec<String> {
    let (document, _) = Document::open(text.as_bytes()).unwrap();
    let found = check(&document, Surroundings::default());
    found.iter().map(|issue| format!("{:?} {:?}: {}", issue.severity, issue.kind, issue.message)).collect()
}

/// The issues of one kind.
fn of_kind(text: &str, kind: IssueKind) -> Vec<String> {
    let (document, _) = Document::open(text.as_bytes()).unwrap();
    let found = check(&document, Surroundings::default()).into_iter().filter(|issue| issue.kind == kind);
    found.map(|issue| format!("{:?}: {}", issue.severity, issue.message)).collect()
}

/// Asserts that what is said of one kind is one issue that says this, or nothing where this is empty.
#[track_caller]
fn only(text: &str, kind: IssueKind, wanted: &str) {
    let found = of_kind(text, kind);
    assert_eq!(found.len(), usize::from(!wanted.is_empty()), "{found:#?}");
    assert!(found.iter().all(|found| found.contains(wanted)), "{found:#?} does not say {wanted}");
}

#[track_caller]
fn expect(text: &str, wanted: &[&str]) {
    let found = issues(text);
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(found.contains(wanted), "{found} does not say {wanted}");
    }
}

#[test]
fn a_closed_zone_has_no_issues() {
    expect(&cube("", ""), &[]);
}

#[test]
fn a_gap_is_found_with_the_surfaces_around_it() {
    expect(
        &cube("R", ""),
        &["Warning ZoneNotClosed: Zone `Z` is not closed: 12.00 m of edges border on nothing, at S, E, N, W"],
    );
    expect(&cube("SENWFR", ""), &["Zone `Z` has no surfaces", "Notice Unused"]);
}

#[test]
fn a_wall_beside_two_others_is_no_gap() {
    let text = cube("S", "")
        + "BuildingSurface:Detailed,S1,Wall,C,Z,,Outdoors,,,,,4,0,0,3,0,0,0,1,0,0,1,0,3;\n\
           BuildingSurface:Detailed,S2,Wall,C,Z,,Outdoors,,,,,4,1,0,3,1,0,0,3,0,0,3,0,3;\n";
    expect(&text, &[]);
}

#[test]
fn surfaces_that_face_inwards_are_found() {
    expect(&cube("", "E"), &["Warning WrongNormal: BuildingSurface:Detailed `E` of zone `Z` faces inwards"]);
    expect(&cube("", "SENWFR"), &["Error WrongNormal: All surfaces of zone `Z` face inwards"]);
    let clockwise = cube("", "SENWFR").replace("Counterclockwise", "Clockwise");
    expect(&clockwise, &[]);
}

#[test]
fn surfaces_belong_to_something() {
    let window = |host: &str, y: &str, z: i32| {
        format!("FenestrationSurface:Detailed,Win,Door,C,{host},,,,,4,1,{y},{z},1,{y},1,2,{y},1,2,{y},{z};\n")
    };
    expect(&(cube("", "") + &window("S", "0", 2)), &[]);
    expect(&(cube("", "") + &window("Nope", "0", 2)), &["lies in no surface: `Nope`"]);
    expect(&(cube("", "") + &window("S", "0", 40)), &["has 39.00 m²"]);
    expect(&(cube("", "") + &window("N", "3", 2)), &["faces the other way"]);
    let lost = cube("", "").replace("Roof,C,Z,", "Roof,C,Q,");
    expect(&lost, &["belongs to no zone: `Q`", "is not closed"]);
    let one_sided = cube("", "").replace("Roof,C,Z,,Outdoors,,", "Roof,C,Z,,Surface,F,");
    expect(&one_sided, &["Error UnattachedSurface: `R` borders on `F`, whose other side is `Outdoors`"]);
}

#[test]
fn what_is_named_must_be_there_and_what_is_there_should_be_named() {
    let text = cube("", "")
        .replace("Construction,C,M;", "Construction,C,M2;ElectricEquipment,q,Z,Nights,EquipmentLevel,5;");
    expect(
        &text,
        &[
            "MissingConstruction: There is no construction or material `M2`",
            "MissingSchedule: There is no schedule `Nights`",
            "Unused: 1 Material:NoMass that nothing refers to: M.",
        ],
    );
}

#[test]
fn what_is_to_be_sized_needs_something_to_be_sized_by() {
    let autosized =
        cube("", "") + "Fan:ConstantVolume,f,,0.7,100,autosize,0.9,1,a,b;Branch,B,,Fan:ConstantVolume,f,a,b;";
    let said = of_kind(&autosized, IssueKind::MissingSizing);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("1 objects are to be sized, and there is no design day"), "{said:?}");
    assert!(said[1].contains("SimulationControl asks for no sizing"), "{said:?}");
    let day = "SizingPeriod:DesignDay,d,1,21,WinterDesignDay;SimulationControl,Yes,Yes;Sizing:Zone,Z;";
    let air_loop = cube("", "") + "AirLoopHVAC,Main,,,autosize;" + day;
    let said = of_kind(&air_loop, IssueKind::MissingSizing);
    assert_eq!(said, ["Error: AirLoopHVAC `Main` is to be sized and has no Sizing:System."]);
    // one without its own is sized as another
    let said = of_kind(&(air_loop + "AirLoopHVAC,Other;Sizing:System,Other;"), IssueKind::MissingSizing);
    assert_eq!(said, ["Warning: AirLoopHVAC `Main` is to be sized and has no Sizing:System."]);
    let unasked = cube("", "") + &day.replace("Yes,Yes", "No,Yes");
    let said = of_kind(&unasked, IssueKind::MissingSizing);
    assert!(said.len() == 1 && said[0].contains("and zones are not"), "{said:?}");
}

#[test]
fn a_simulation_needs_a_place_and_a_time() {
    let text = cube("", "").replace("Site:Location,L;", "").replace("RunPeriod,R,1,1,,12,31;", "");
    expect(&text, &["nothing to simulate", "no Site:Location"]);
    // EnergyPlus gives up on design days without a place, unless a weather file tells it
    let days = cube("", "").replace("Site:Location,L;", "SizingPeriod:DesignDay,d,1,21,WinterDesignDay;");
    expect(&days, &["Error NoWeatherOrLocation: There is no Site:Location: design days cannot"]);
    let (document, _) = Document::open(days.as_bytes()).unwrap();
    let found = check(&document, Surroundings { weather: Some(true), heading: None });
    assert_eq!(found[0].severity, Severity::Warning, "{found:?}");
    let (document, _) = Document::open(cube("", "").as_bytes()).unwrap();
    let found = check(&document, Surroundings { weather: Some(false), heading: None });
    assert!(found.len() == 1 && found[0].message.contains("no weather file"), "{found:?}");
}

#[test]
fn the_weather_file_is_of_the_place_and_has_the_days() {
    let chicago = "LOCATION,Chicago Ohare Intl Ap,IL,USA,TMY3,725300,41.98,-87.92,-6.0,201.0\n\
                   DATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31\n";
    let half = chicago.replace("12/31", " 6/30");
    let model = |place: &str| cube("", "").replace("Site:Location,L;", &format!("Site:Location,L,{place};"));
    let said = |place: &str, file: &str| -> Vec<String> {
        let (document, _) = Document::open(model(place).as_bytes()).unwrap();
        let heading = Epw::read_heading(file.as_bytes()).unwrap();
        let around = Surroundings { weather: Some(true), heading: Some(&heading) };
        let found =
            check(&document, around).into_iter().filter(|issue| issue.kind == IssueKind::NoWeatherOrLocation);
        found.map(|issue| format!("{:?}: {}", issue.severity, issue.message)).collect()
    };
    assert_eq!(said("41.5,-87.5,-6,190", chicago), [] as [&str; 0]);
    let [denver] = said("39.74,-105.18,-7,1829", chicago).try_into().unwrap();
    assert!(denver.starts_with("Warning: The weather file is of Chicago Ohare Intl Ap"), "{denver}");
    for part in
        ["latitude 39.74° and 41.98°", "longitude", "time zone -7 h and -6 h", "elevation 1829 m and 201 m"]
    {
        assert!(denver.contains(part), "{denver}");
    }
    let [short] = said("41.5,-87.5,-6,190", &half).try_into().unwrap();
    assert!(
        short.starts_with(
            "Error: RunPeriod `R` is from 1/1 to 12/31, and the weather file has data of 1/1 to 6/30"
        ),
        "{short}"
    );
    // a file over the turn of the year has what lies across it
    let winter = chicago.replace(" 1/ 1,12/31", "11/ 1, 2/28");
    assert_eq!(said("41.5,-87.5,-6,190", &winter).len(), 1);
}

#[test]
fn what_does_not_hold_together_in_the_prototypes_is_known() {
    let Some(folder) = testing::prototypes() else { return };
    let mut counts = std::collections::BTreeMap::new();
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "idf") {
            continue;
        }
        let (document, _) = Document::open(&std::fs::read(&path).unwrap()).unwrap();
        for issue in check(&document, Surroundings { weather: Some(true), heading: None }) {
            *counts.entry(format!("{:?}", issue.kind)).or_insert(0) += 1;
            wrong.extend((issue.severity == Severity::Error).then_some(issue.message));
        }
    }
    counts.remove("Unused");
    // EnergyPlus simulates all of them
    assert_eq!(wrong, [] as [&str; 0], "{counts:?}");
    // two laboratories that EnergyPlus finds open, too; one wall is truly turned, four name a third as their other side
    for (kind, count) in [("UnattachedSurface", 4), ("WrongNormal", 1), ("ZoneNotClosed", 2)] {
        assert_eq!(counts.get(kind), Some(&count), "{kind} in {counts:?}");
    }
}
