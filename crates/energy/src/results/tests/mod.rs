//! Readers against texts and databases made here; real runs are in `live.rs`.

mod live;

use crate::results::database::Results;
use crate::results::errors::{EndLine, Ending, ErrorReport, Level};
use crate::results::outcome::{Exit, RunStatus, judge};
use crate::results::plan::{ModelFormat, Plan, Program, RunOptions, Span, is_expanded};
use crate::results::progress::{Expected, ProgressReader};
use crate::results::series::{Frequency, SeriesQuery};
use crate::results::tables::TableQuery;
use crate::results::variables::available;
use contract::FaultCode;
use proptest::prelude::*;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

const ERR: &str = "Program Version,EnergyPlus, Version 25.2.0-cf7368216c, YMD=2026.11.22 22:13,
   ** Warning ** Zone \"A\" has 3 walls
   **   ~~~   ** ..and no roof
   ** Warning ** Zone \"B\" has 12 walls
   ** Severe  ** Node connection error
   second line of its own
   ************* Beginning Simulation
   ************* ===== Recurring Error Summary =====
   *************  ** Warning ** Iterations exceeded
   *************  **   ~~~   **   This error occurred 20 total times;
   *************  **   ~~~   **   during Warmup 7 times;
   *************
";

fn ended(line: &str) -> String {
    format!("{ERR}   ************* {line}\n")
}

const COMPLETED: &str =
    "EnergyPlus Completed Successfully-- 22 Warning; 1 Severe Errors; Elapsed Time=01hr 02min  3.50sec";
const TERMINATED: &str = "EnergyPlus Terminated--Fatal Error Detected. 0 Warning; 4 Severe Errors; Elapsed Time=00hr 00min  0.06sec";

#[test]
fn messages_are_read_with_their_continuations_and_recurring_ones_count_as_often_as_they_came() {
    let report = ErrorReport::parse(ended(COMPLETED).as_bytes());
    assert_eq!(report.version.as_deref(), Some("25.2.0-cf7368216c"));
    assert_eq!(report.messages.len(), 4);
    assert_eq!(report.messages[0].details, ["..and no roof"]);
    assert_eq!(report.messages[2].details, ["second line of its own"]);
    assert_eq!((report.counted(Level::Warning), report.counted(Level::Severe)), (22, 1));
    let end = report.end.clone().unwrap();
    assert_eq!((end.ending, end.elapsed_seconds), (Ending::Completed, 3723.5));
    let summary = report.summary(10);
    assert_eq!(summary.groups[0].level, Level::Severe);
    assert_eq!((summary.groups[1].messages, summary.groups[1].occurrences), (2, 2));
    assert_eq!(summary.groups.len(), 3);
    assert_eq!(report.summary(1).groups_left_out, 2);
}

#[test]
fn a_list_that_is_marked_like_a_heading_belongs_to_the_message_before_it() {
    let text = "   ************* Simulation Error Summary *************
   ** Warning ** The following Report Variables were requested but not generated -- check.rdd file
   **   ~~~   ** Either the IDF did not contain these elements,
   ************* Key=*, VarName=NOPE, Frequency=Hourly
   ************* Key=ROOM, VarName=NONE, Frequency=Hourly
   ************* ===== Final Error Summary =====
   ************* Key=LATER, VarName=IS OF NO MESSAGE, Frequency=Hourly\n";
    let report = ErrorReport::parse(text.as_bytes());
    assert_eq!(report.messages.len(), 1);
    let listed = &report.messages[0].details[1..];
    assert_eq!(listed, ["Key=*, VarName=NOPE, Frequency=Hourly", "Key=ROOM, VarName=NONE, Frequency=Hourly"]);
}

#[test]
fn the_last_line_of_a_fatal_run_is_told_from_that_of_a_completed_one() {
    let end = EndLine::parse(TERMINATED).unwrap();
    assert_eq!((end.ending, end.warnings, end.severe), (Ending::Terminated, 0, 4));
    assert!(EndLine::parse("EnergyPlus Completed Successfully.").is_none());
    assert!(
        EndLine::parse("EnergyPlus Completed Successfully-- x Warning; 1 Severe Errors; Elapsed").is_none()
    );
}

#[test]
fn completed_fatal_crashed_timed_out_and_cancelled_are_told_apart() {
    let exit = |code: Option<i32>| Exit { code, ..Exit::default() };
    let open = ErrorReport::parse(ERR.as_bytes());
    let status = |exit, end, report| judge(exit, end, report, None).status;
    assert_eq!(status(exit(Some(0)), Some(COMPLETED), Some(&open)), RunStatus::Completed);
    assert_eq!(status(exit(Some(1)), Some(TERMINATED), Some(&open)), RunStatus::Fatal);
    let crashed = judge(Exit { signal: Some(11), ..Exit::default() }, None, Some(&open), None);
    assert_eq!(crashed.status, RunStatus::Crashed);
    assert!(crashed.reason.contains("signal 11") && crashed.reason.contains("Node connection error"));
    assert_eq!((crashed.warnings, crashed.severe), (22, 1));
    assert_eq!(status(exit(Some(0)), None, None), RunStatus::Crashed);
    assert_eq!(
        status(Exit { timed_out: true, signal: Some(9), ..Exit::default() }, None, Some(&open)),
        RunStatus::TimedOut
    );
    assert_eq!(
        status(Exit { cancelled: true, signal: Some(9), ..Exit::default() }, None, Some(&open)),
        RunStatus::Cancelled
    );
    // the last line came before the signal did
    assert_eq!(
        status(Exit { cancelled: true, signal: Some(9), ..Exit::default() }, Some(COMPLETED), None),
        RunStatus::Completed
    );
}

#[test]
fn a_run_that_lost_results_is_not_taken_for_a_whole_one() {
    let exit = Exit { code: Some(0), ..Exit::default() };
    let said = "SQLite3 message, sqlite.err open for processing!\n";
    assert_eq!(judge(exit, Some(COMPLETED), None, Some(said)).status, RunStatus::Completed);
    let full = format!("{said}SQLite3 message, database or disk is full\n");
    let ended = judge(exit, Some(COMPLETED), None, Some(&full));
    assert_eq!(ended.status, RunStatus::Crashed);
    assert!(ended.reason.contains("disk is full"), "{}", ended.reason);
}

proptest! {
    #[test]
    fn any_bytes_are_an_error_file_and_no_message_is_lost(lines in prop::collection::vec("[ -~]{0,30}", 0..30), at in 0_usize..30) {
        let mut lines = lines;
        let at = at.min(lines.len());
        lines.insert(at, "   ** Severe  ** here".to_owned());
        let report = ErrorReport::parse(lines.join("\n").as_bytes());
        prop_assert!(report.messages.iter().any(|m| m.text == "here" && m.line as usize == at + 1));
        prop_assert!(report.summary(5).groups.len() <= 5);
    }
}

#[test]
fn progress_follows_the_days_of_the_expected_periods_and_never_goes_back() {
    let mut reader =
        ProgressReader::new(vec![Expected::between((1, 1), (1, 31)), Expected::between((12, 1), (1, 31))]);
    let lines = [
        "EnergyPlus Starting",
        "Performing Zone Sizing Simulation",
        "...for Sizing Period: #1 WINTER",
        "Beginning Primary Simulation",
        "Starting Simulation at 01/01/2017 for ONE",
        "Continuing Simulation at 01/21/2017 for ONE",
        "Starting Simulation at 12/01/2017 for TWO",
        "Warming up",
        "Updating Shadowing Calculations, Start Date=01/01/2018",
        "Writing tabular output file results using HTML format.",
        "EnergyPlus Completed Successfully.",
    ];
    let told: Vec<f64> = lines.iter().filter_map(|line| reader.read(line)).map(|u| u.fraction).collect();
    assert_eq!(told.len(), lines.len());
    assert!(told.windows(2).all(|pair| pair[0] <= pair[1]), "{told:?}");
    // 93 days in all: 20 of them done, 31, 62
    let share = |days: f64| 0.15 + 0.82 * days / 93.0;
    for (at, days) in [(4, 0.0), (5, 20.0), (6, 31.0), (8, 62.0)] {
        assert!((told[at] - share(days)).abs() < 1e-9, "{told:?}");
    }
    assert_eq!(told.last(), Some(&1.0));
    assert!(reader.read("Calculating CTFs for \"WALL\"").is_none());
    assert!(reader.read("Starting Simulation at 99/99 for X").is_none());
}

fn options(span: Span) -> RunOptions {
    RunOptions { span, format: ModelFormat::Idf, weather: true, expand: false, readvars: false }
}

#[test]
fn a_plan_names_programs_in_order() {
    let programs = |options| -> Vec<Program> {
        Plan::new(options).unwrap().steps.iter().map(|step| step.program).collect()
    };
    assert_eq!(programs(options(Span::Annual)), [Program::EnergyPlus]);
    let all =
        RunOptions { format: ModelFormat::EpJson, expand: true, readvars: true, ..options(Span::AsModelled) };
    assert_eq!(
        programs(all),
        [
            Program::ConvertInputFormat,
            Program::ExpandObjects,
            Program::EnergyPlus,
            Program::ReadVars,
            Program::ReadVars
        ]
    );
    let dry = Plan::new(RunOptions { weather: false, ..options(Span::DesignDay) }).unwrap();
    assert_eq!(dry.steps[0].arguments, ["-d", ".", "-D", "in.idf"]);
    assert_eq!(dry.weather_file, None);
    let fault = Plan::new(RunOptions { weather: false, ..options(Span::Annual) }).unwrap_err();
    assert_eq!(fault.data["field"], "weather_file");
    assert!(is_expanded("HVACTEMPLATE:Zone:IdealLoadsAirSystem") && !is_expanded("Zone"));
}

#[test]
fn what_could_be_recorded_is_read_from_both_forms_of_the_dictionary() {
    let regular = "Program Version,EnergyPlus\nVar Type (reported time step),Var Report Type,Variable Name [Units]\n\
                   Zone,Average,Site Outdoor Air Drybulb Temperature [C]\nHVAC,Sum,Fan Electricity Energy [J]\n";
    let idf = "Output:Variable,*,Site Outdoor Air Drybulb Temperature,hourly; !- Zone Average [C]\n\
               Output:Meter,Electricity:Facility,hourly; !- [J]\n";
    let names = |text| -> Vec<(String, String)> {
        available(text).into_iter().map(|entry| (entry.name, entry.units)).collect()
    };
    let drybulb = ("Site Outdoor Air Drybulb Temperature".to_owned(), "C".to_owned());
    assert_eq!(names(regular), [drybulb.clone(), ("Fan Electricity Energy".to_owned(), "J".to_owned())]);
    assert_eq!(names(idf), [drybulb, ("Electricity:Facility".to_owned(), "J".to_owned())]);
}

/// A database with the tables of a run and two environments, three keys and one meter.
fn database(folder: &Path) -> PathBuf {
    let path = folder.join("eplusout.sql");
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE Simulations (SimulationIndex INTEGER PRIMARY KEY, EnergyPlusVersion TEXT, TimeStamp TEXT, NumTimestepsPerHour INTEGER);
             CREATE TABLE EnvironmentPeriods (EnvironmentPeriodIndex INTEGER PRIMARY KEY, SimulationIndex INTEGER, EnvironmentName TEXT, EnvironmentType INTEGER);
             CREATE TABLE Time (TimeIndex INTEGER PRIMARY KEY, Year INTEGER, Month INTEGER, Day INTEGER, Hour INTEGER, Minute INTEGER, WarmupFlag INTEGER, EnvironmentPeriodIndex INTEGER);
             CREATE TABLE ReportDataDictionary (ReportDataDictionaryIndex INTEGER PRIMARY KEY, IsMeter INTEGER, Type TEXT, KeyValue TEXT, Name TEXT, ReportingFrequency TEXT, Units TEXT);
             CREATE TABLE ReportData (ReportDataIndex INTEGER PRIMARY KEY, TimeIndex INTEGER, ReportDataDictionaryIndex INTEGER, Value REAL);
             CREATE TABLE Strings (StringIndex INTEGER PRIMARY KEY, StringTypeIndex INTEGER, Value TEXT);
             CREATE TABLE TabularData (TabularDataIndex INTEGER PRIMARY KEY, ReportNameIndex, ReportForStringIndex, TableNameIndex, RowNameIndex, ColumnNameIndex, UnitsIndex, RowId, ColumnId, Value);
             INSERT INTO Simulations VALUES (1, 'EnergyPlus, Version 25.2.0', '', 4);
             INSERT INTO EnvironmentPeriods VALUES (1, 1, 'WINTER', 1), (2, 1, 'YEAR', 3);
             INSERT INTO Time VALUES (1, 0, 12, 21, 1, 0, 0, 1), (2, 0, 12, 21, 2, 0, 0, 1), (3, 2017, 1, 1, 1, 0, 1, 2), (4, 2017, 1, 1, 24, 0, 0, 2);
             INSERT INTO ReportDataDictionary VALUES (1, 0, 'Avg', 'ROOM A', 'Zone Temperature', 'Hourly', 'C'), (2, 0, 'Avg', 'ROOM B', 'Zone Temperature', 'Hourly', 'C'),
                (3, 0, 'Avg', 'HALL', 'Zone Temperature', 'Hourly', 'C'), (4, 1, 'Sum', '', 'Electricity:Facility', 'Hourly', 'J'), (5, 0, 'Avg', 'HALL', 'Zone Temperature', 'Daily', 'C');
             INSERT INTO ReportData (TimeIndex, ReportDataDictionaryIndex, Value) VALUES (1, 1, 20), (1, 2, 21), (1, 3, 22), (1, 4, 3.6e6), (2, 1, 18), (2, 2, 19), (2, 3, 20), (2, 4, 7.2e6),
                (3, 1, 99), (4, 1, 25), (4, 2, 26), (4, 3, 27), (4, 4, 36e6);",
        )
        .unwrap();
    path
}

#[test]
fn a_series_keeps_environments_and_keys_apart_and_leaves_warming_up_out() {
    let folder = tempfile::tempdir().unwrap();
    let results = Results::open(&database(folder.path())).unwrap();
    let query = SeriesQuery { key_value: "room*".into(), ..SeriesQuery::of_variable("zone temperature") };
    let answer = results.series(&query).unwrap();
    assert_eq!((answer.units.as_str(), answer.frequency), ("C", Frequency::Hourly));
    let parts: Vec<(&str, &str, usize)> =
        answer.parts.iter().map(|p| (p.environment.as_str(), p.key.as_str(), p.points)).collect();
    assert_eq!(
        parts,
        [("WINTER", "ROOM A", 2), ("WINTER", "ROOM B", 2), ("YEAR", "ROOM A", 1), ("YEAR", "ROOM B", 1)]
    );
    let first = &answer.parts[0];
    assert_eq!((first.minimum.value, first.minimum.at.as_str()), (18.0, "12-21 02:00"));
    assert_eq!((first.maximum.value, first.mean, first.sum), (20.0, 19.0, None));
    assert_eq!(
        (answer.parts[2].rows[0].at.as_str(), answer.parts[2].rows[0].value),
        ("2017-01-01 24:00", 25.0)
    );
    let meter = results.series(&SeriesQuery::of_variable("Electricity:Facility")).unwrap();
    assert_eq!((meter.parts[0].sum, meter.parts[0].sum_kwh), (Some(10.8e6), Some(3.0)));
    assert_eq!(meter.parts[1].sum_kwh, Some(10.0));
}

#[test]
fn a_series_that_is_not_there_says_what_is() {
    let folder = tempfile::tempdir().unwrap();
    let results = Results::open(&database(folder.path())).unwrap();
    let near = |query: &SeriesQuery| {
        let fault = results.series(query).unwrap_err();
        assert_eq!(fault.code, FaultCode::NotFound);
        fault.data
    };
    assert_eq!(near(&SeriesQuery::of_variable("Zone Temprature"))["near"][0], "Zone Temperature");
    let key =
        near(&SeriesQuery { key_value: "ROM A".into(), ..SeriesQuery::of_variable("Zone Temperature") });
    assert_eq!(key["near"][0], "ROOM A");
    let frequency = near(&SeriesQuery {
        frequency: Some(Frequency::Monthly),
        ..SeriesQuery::of_variable("Zone Temperature")
    });
    assert_eq!(frequency["recorded"], serde_json::json!(["Hourly", "Daily"]));
}

#[test]
fn a_csv_has_a_line_for_each_time_and_a_column_for_each_key() {
    let folder = tempfile::tempdir().unwrap();
    let results = Results::open(&database(folder.path())).unwrap();
    let mut text = Vec::new();
    let query =
        SeriesQuery { frequency: Some(Frequency::Hourly), ..SeriesQuery::of_variable("Zone Temperature") };
    let exported = results.write_csv(&query, &mut text).unwrap();
    assert_eq!((exported.rows, exported.columns), (3, 3));
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "environment,time,ROOM A:Zone Temperature [C],ROOM B:Zone Temperature [C],HALL:Zone Temperature [C]\r\n\
         WINTER,12-21 01:00,20,21,22\r\nWINTER,12-21 02:00,18,19,20\r\nYEAR,2017-01-01 24:00,25,26,27\r\n"
    );
}

#[test]
fn variables_are_found_by_name_or_key_with_any_expression() {
    let folder = tempfile::tempdir().unwrap();
    let results = Results::open(&database(folder.path())).unwrap();
    let all = results.variables(None, 50).unwrap();
    assert_eq!((all.recorded, all.matching), (3, 3));
    let hourly = all.variables.iter().find(|v| v.frequency == Frequency::Hourly && !v.is_meter).unwrap();
    assert_eq!((hourly.key_count, hourly.keys.len()), (3, 3));
    assert_eq!(results.variables(Some("^elec.*facility$"), 50).unwrap().matching, 1);
    assert_eq!(results.variables(Some("room b"), 50).unwrap().matching, 1);
    assert_eq!(results.variables(Some("("), 50).unwrap_err().data["field"], "search");
}

#[test]
fn a_database_that_is_absent_cut_off_foreign_or_locked_is_a_fault_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let code = |path: &Path| Results::open(path).err().map(|fault| fault.code);
    assert_eq!(code(&folder.path().join("none.sql")), Some(FaultCode::NoSimulationResults));
    let path = database(folder.path());
    let bytes = std::fs::read(&path).unwrap();
    let made = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    assert_eq!(
        code(&made("text.sql", b"not a database at all, but long enough to be read as one")),
        Some(FaultCode::UnreadableFile)
    );
    assert_eq!(code(&made("empty.sql", b"")), Some(FaultCode::UnreadableFile));
    // cut off anywhere: open or read, but never a panic or a wrong kind of fault
    for at in (0..bytes.len()).step_by(1000) {
        let path = made("cut.sql", &bytes[..at]);
        let series = Results::open(&path)
            .and_then(|results| results.series(&SeriesQuery::of_variable("Zone Temperature")));
        if let Err(fault) = series {
            assert!(matches!(fault.code, FaultCode::UnreadableFile | FaultCode::NotFound), "{fault}");
        }
    }
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM Time;").unwrap();
    assert_eq!(code(&path), Some(FaultCode::Busy));
}

#[test]
fn a_view_in_place_of_a_table_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path());
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "DROP TABLE ReportData; CREATE VIEW ReportData AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
             SELECT i AS ReportDataIndex, 4 AS TimeIndex, 1 AS ReportDataDictionaryIndex, 1.0 AS Value FROM n;",
        )
        .unwrap();
    let results = Results::open(&path).unwrap();
    let fault = results.series(&SeriesQuery::of_variable("Zone Temperature")).unwrap_err();
    assert_eq!(fault.code, FaultCode::UnreadableFile);
}

#[test]
fn a_table_is_a_grid_with_units_found_in_any_spelling_and_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path());
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "INSERT INTO Strings VALUES (1, 1, 'EnvelopeSummary'), (2, 2, 'Entire Facility'), (3, 3, 'Opaque Exterior'), (4, 4, 'WALL 1'), (5, 4, 'WALL 2'), (6, 5, 'U-Factor'), (7, 5, 'Tilt'), (8, 6, 'W/m2-K'), (9, 6, 'deg');
             INSERT INTO TabularData VALUES (1, 1, 2, 3, 4, 6, 8, 1, 1, '   0.40'), (2, 1, 2, 3, 5, 6, 8, 2, 1, '0.50'), (3, 1, 2, 3, 4, 7, 9, 1, 2, '90'), (4, 1, 2, 3, 5, 7, 9, 2, 2, '90');",
        )
        .unwrap();
    let results = Results::open(&path).unwrap();
    let query = |report: &str| TableQuery { report_name: report.into(), ..TableQuery::default() };
    let answer = results.table(&query("envelope summary"), 100).unwrap();
    let table = &answer.tables[0];
    assert_eq!(table.columns[0].units, "W/m2-K");
    assert_eq!(table.rows[1].values, ["0.50", "90"]);
    assert_eq!(table.rows[0].values, ["0.40", "90"]);
    let one = TableQuery {
        row_name: Some("wall 2".into()),
        column_name: Some("tilt".into()),
        ..query("EnvelopeSummary")
    };
    assert_eq!(results.table(&one, 100).unwrap().tables[0].rows[0].values, ["90"]);
    let short = results.table(&query("EnvelopeSummary"), 4).unwrap();
    assert_eq!((short.tables[0].rows.len(), short.cells_left_out), (1, 2));
    let wrong = results.table(&query("EnvelopSummary"), 100).unwrap_err();
    assert_eq!(wrong.data["near"][0], "EnvelopeSummary");
    let row = TableQuery { row_name: Some("WALL 3".into()), ..query("EnvelopeSummary") };
    let fault = results.table(&row, 100).unwrap_err();
    assert_eq!(
        (fault.data["field"].as_str(), fault.data["names"][0].as_str()),
        (Some("row_name"), Some("WALL 1"))
    );
    assert_eq!(results.reports().unwrap()[0].tables, ["Opaque Exterior"]);
}
