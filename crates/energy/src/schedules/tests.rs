//! Schedules against what is known of them, and against EnergyPlus' own hours where the program is at hand.

use super::calendar::{self, Calendar};
use super::{resolve, steps_per_hour};
use crate::idf::Document;
use std::process::Command;

/// Every way of saying what holds when.
const SCHEDULES: &str = include_str!("schedules.idf");

fn open(text: &str) -> Document {
    let (document, problems) = Document::open(text.as_bytes()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    document
}

/// A file with a line for every hour of a year.
fn lines(of_hour: impl Fn(usize) -> String) -> String {
    let lines: Vec<String> = (0..8760).map(of_hour).collect();
    lines.join("\n") + "\n"
}

fn find<'a>(document: &'a Document, name: &str) -> crate::idf::Object<'a> {
    super::all(document).find(|object| object.name().eq_ignore_ascii_case(name)).unwrap()
}

#[test]
fn dates_are_read_in_every_form_the_program_takes() {
    for (text, expected) in [
        ("5/31", Some((5, 31))),
        (" 12 / 25 ", Some((12, 25))),
        ("31 May", Some((5, 31))),
        ("May 31", Some((5, 31))),
        ("december 1", Some((12, 1))),
        ("Last Monday in May", Some((5, 29))),
        ("2nd Monday in October", Some((10, 9))),
        ("4th Thursday in November", Some((11, 23))),
        ("1st Monday in September", Some((9, 4))),
        ("2/30", None),
        ("13/1", None),
        ("soon", None),
        ("", None),
    ] {
        assert_eq!(calendar::date(text, Some(2017)), expected, "{text}");
    }
    assert_eq!(calendar::date("Last Monday in May", None), None);
}

#[test]
fn a_year_has_its_weekdays_and_the_models_special_days() {
    let document = open(
        "Version,25.2;\nRunPeriod,R,1,1,,12,31,,,No,No,Yes,No,No;\n\
         RunPeriodControl:SpecialDays,Christmas,12/25,1,Holiday;\n\
         RunPeriodControl:SpecialDays,Fair,3 July,5,CustomDay2;\n\
         RunPeriodControl:SpecialDays,Odd,someday,1,Holiday;\n",
    );
    let year = Calendar::from_document(&document, 2024);
    assert_eq!(year.days.len(), 366);
    assert_eq!((year.days[0].kind, year.days[59].label()), (1, "02-29".to_owned()));
    let of = |year: &Calendar, label: &str| year.days.iter().find(|day| day.label() == label).unwrap().kind;
    assert_eq!(
        (of(&year, "12-25"), of(&year, "07-03"), of(&year, "07-07"), of(&year, "07-08")),
        (7, 11, 11, 1)
    );
    assert_eq!(year.problems.len(), 1, "{:?}", year.problems);
    // Christmas of 2022 is a Sunday, and the model keeps holidays of weekends on Mondays
    let year = Calendar::from_document(&document, 2022);
    assert_eq!((of(&year, "12-25"), of(&year, "12-26")), (0, 7));
}

#[test]
fn what_is_wrong_with_a_schedule_is_said() {
    let document = open(
        "Version,25.2;\n\
         Schedule:Compact,Open end,,Through: 6/30,For: AllDays,Until: 24:00,1;\n\
         Schedule:Compact,Short day,,Through: 12/31,For: AllDays,Until: 23:00,1;\n\
         Schedule:Compact,No number,,Through: 12/31,For: AllDays,Until: 24:00,Until: 24:00;\n\
         Schedule:Compact,No day,,Through: 12/31,For: Someday,Until: 24:00,1;\n\
         Schedule:Compact,Back,,Through: 6/30,For: AllDays,Until: 24:00,1,Through: 3/31,For: AllDays,Until: 24:00,1;\n\
         Schedule:Year,No week,,Nowhere,1,1,12,31;\n\
         Schedule:File,Outside,,hours.csv,1,0,8760,Comma;\n",
    );
    let calendar = Calendar::from_document(&document, 2017);
    for (name, why) in [
        ("Open end", "31 December"),
        ("Short day", "23:00"),
        ("No number", "not a number"),
        ("No day", "no kind of day"),
        ("Back", "goes back"),
        ("No week", "no week"),
        ("Outside", "hours.csv"),
    ] {
        let said = resolve(find(&document, name), &calendar, &|_| None).unwrap_err();
        assert!(said.contains(why), "{name}: {said}");
    }
    let rows = lines(|hour| format!("{},{hour}", hour % 24));
    let read = |name: &str| (name == "hours.csv").then(|| rows.clone().into_bytes());
    let year = resolve(find(&document, "Outside"), &calendar, &read).unwrap();
    assert_eq!((year.profiles.len(), year.profiles[0][23], year.hours().count()), (1, 23.0, 8760));
    let leap = resolve(find(&document, "Outside"), &Calendar::from_document(&document, 2024), &read).unwrap();
    assert_eq!(leap.hours().count(), 8784);
    assert!(
        resolve(find(&document, "Outside"), &calendar, &|_| Some(b"1\n2\n".to_vec()))
            .unwrap_err()
            .contains("2 values")
    );
}

#[test]
fn kinds_of_days_and_periods_pick_the_day() {
    let document = open(SCHEDULES);
    assert_eq!(steps_per_hour(&document), 4);
    let calendar = Calendar::from_document(&document, 2017);
    let year = resolve(find(&document, "Office"), &calendar, &|_| None).unwrap();
    assert_eq!(year.hours().count(), 8760);
    let on = |month: u32, day: u32| {
        let at = calendar.days.iter().position(|known| (known.month, known.day) == (month, day)).unwrap();
        year.profiles[year.days[at]]
    };
    // a Tuesday, a Saturday, a Monday that is a holiday
    assert_eq!((on(1, 3)[10], on(1, 7)[10], on(5, 29)[10]), (0.95, 0.3, 0.05));
    assert_eq!((year.design_days[0].unwrap()[3], year.design_days[1].unwrap()[3]), (1.0, 0.05));
}

/// Runs the program over a year and reads what each schedule was in each hour.
#[test]
fn every_hour_is_what_the_program_itself_says() {
    let Some(program) = testing::energyplus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let rows = lines(|hour| format!("x,{}", (hour * 7) % 31));
    std::fs::write(folder.path().join("hours.csv"), format!("a,b\n{rows}")).unwrap();
    for (name, head, items, row) in [
        ("quarters.txt", 4, 4, (|at| format!("x\ty\t{}", (at * 5) % 17)) as fn(usize) -> String),
        ("tens.csv", 0, 6, |at| format!("{};{}.5", at % 13, (at * 3) % 11)),
        ("spaced.txt", 1, 2, |at| format!("z {}", (at * 11) % 7)),
    ] {
        let rows: Vec<String> = (0..8760 * items).map(row).collect();
        let text = "head\n".repeat(head) + &rows.join("\n") + "\n";
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    std::fs::write(folder.path().join("in.idf"), SCHEDULES).unwrap();
    let weather = program.join("WeatherData/USA_CO_Golden-NREL.724666_TMY3.epw");
    let output = Command::new(program.join("energyplus"))
        .args(["-w", weather.to_str().unwrap(), "in.idf"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let csv = folder.path().join("eplusout.sql");
    let results = crate::results::Results::open(&csv).unwrap();
    let document = open(SCHEDULES);
    let calendar = Calendar::from_document(&document, 2017);
    let read = |name: &str| std::fs::read(folder.path().join(name)).ok();
    let mut compared = 0;
    for object in super::all(&document) {
        let query = crate::results::SeriesQuery {
            key_value: object.name().to_owned(),
            ..crate::results::SeriesQuery::of_variable("Schedule Value")
        };
        let mut bytes = Vec::new();
        results.write_csv(&query, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let theirs: Vec<f64> =
            text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect();
        let year = resolve(object, &calendar, &read).unwrap();
        let ours: Vec<f64> = year.hours().collect();
        assert_eq!(ours.len(), theirs.len(), "{}", object.name());
        for (hour, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert!(
                (ours - theirs).abs() < 1e-9,
                "{} in hour {hour} of the year: {ours}, the program says {theirs}",
                object.name()
            );
        }
        compared += ours.len();
    }
    assert_eq!(compared, 13 * 8760);
}

#[test]
fn days_of_which_nothing_is_said_are_told() {
    let document = open(
        "Version,9.6;
         Schedule:Compact,Half,,Through: 12/31,For: Weekdays,Until: 24:00,1,For: Weekends,Until: 24:00,0.5;
         Schedule:Constant,Whole,,1;",
    );
    let calendar = Calendar::from_document(&document, 2023);
    let resolved = |name: &str| resolve(find(&document, name), &calendar, &|_| None).unwrap();
    let half = resolved("Half");
    assert_eq!(half.unsaid, ["Holiday", "SummerDesignDay", "WinterDesignDay", "CustomDay1", "CustomDay2"]);
    assert_eq!(half.design_days, [Some([0.0; 24]); 2]);
    assert!(resolved("Whole").unsaid.is_empty());
}

#[test]
fn numbers_and_dates_that_are_none_are_not_guessed() {
    for (text, why) in [
        ("Schedule:Constant,S,,abc;", "in hourly_value \"abc\" is not a number"),
        ("Schedule:Year,S,,W,1,1,12,4294967295;", "12/4294967295 is no date"),
        ("Schedule:Year,S,,W,1,1,13,1;", "13/1 is no date"),
        ("Schedule:Year,S,,W,1,1,2.7,1;", "2.7/1 is no date"),
        (
            "Schedule:File,S,,f.csv,1,0,8760,pipe;",
            "\"pipe\" separates no columns: Comma, Tab, Space and Semicolon do",
        ),
        ("Schedule:File,S,,f.csv,one,0;", "in column_number \"one\" is not a number"),
    ] {
        let rest = "Schedule:Day:Hourly,D,,1; Schedule:Week:Compact,W,For: AllDays,D;";
        let (document, _) = Document::open(format!("Version,9.6;{text}{rest}").as_bytes()).unwrap();
        let calendar = Calendar::from_document(&document, 2023);
        let found =
            resolve(find(&document, "S"), &calendar, &|_| Some(lines(|_| "1".to_owned()).into_bytes()));
        assert_eq!(found.unwrap_err(), why, "{text}");
    }
}
