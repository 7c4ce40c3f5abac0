//! Real runs of EnergyPlus, whose own files are the measure. The crate `testing` knows where the program and
//! its models are.

use crate::results::database::{EnvironmentKind, Results};
use crate::results::errors::{EndLine, ErrorReport, Level};
use crate::results::outcome::{Exit, RunStatus, judge};
use crate::results::plan::{ModelFormat, Plan, RunOptions, Span, WANTED_OUTPUTS};
use crate::results::progress::{Expected, ProgressReader};
use crate::results::series::{Frequency, SeriesQuery};
use crate::results::tables::TableQuery;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A run and the folder it left.
struct Ran {
    folder: tempfile::TempDir,
    exit: Exit,
    said: String,
}

impl Ran {
    fn text(&self, name: &str) -> Option<String> {
        fs::read(self.folder.path().join(name)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn errors(&self) -> ErrorReport {
        ErrorReport::parse(&fs::read(self.folder.path().join("eplusout.err")).unwrap_or_default())
    }

    fn results(&self) -> Results {
        Results::open(&self.folder.path().join("eplusout.sql")).unwrap()
    }
}

fn prototype(name: &str) -> Option<String> {
    let text = fs::read(testing::prototypes()?.join(name)).unwrap();
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// A model with the outputs that are read here, each only if it has none of that class.
fn with_outputs(mut model: String, more: &str) -> String {
    for (class, text) in WANTED_OUTPUTS {
        let has =
            |line: &str| line.trim_start().to_lowercase().starts_with(&format!("{},", class.to_lowercase()));
        if !model.lines().any(has) {
            model.push('\n');
            model.push_str(text);
        }
    }
    model.push_str(more);
    model
}

/// Carries a plan out as the service would.
fn run(energyplus: &Path, options: RunOptions, model: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::new(options).unwrap();
    fs::write(folder.path().join(plan.model_file), model).unwrap();
    if let Some(name) = plan.weather_file {
        let weather = energyplus.join("WeatherData/USA_CO_Golden-NREL.724666_TMY3.epw");
        fs::copy(weather, folder.path().join(name)).unwrap();
    }
    let mut ran = Ran { folder, exit: Exit::default(), said: String::new() };
    for step in &plan.steps {
        for name in &step.needs {
            fs::copy(energyplus.join(name), ran.folder.path().join(name)).unwrap();
        }
        for (name, text) in &step.writes {
            fs::write(ran.folder.path().join(name), text).unwrap();
        }
        let output = Command::new(energyplus.join(step.program.path()))
            .args(&step.arguments)
            .current_dir(ran.folder.path())
            .output()
            .unwrap();
        // the very last words are on the other channel
        ran.said.push_str(&String::from_utf8_lossy(&output.stdout));
        ran.said.push_str(&String::from_utf8_lossy(&output.stderr));
        ran.exit = Exit { code: output.status.code(), ..Exit::default() };
        let made = ran.folder.path().join(step.makes).is_file();
        assert!(made || !step.required, "{:?} made no {}: {}", step.program, step.makes, ran.said);
    }
    ran
}

fn design_day() -> RunOptions {
    RunOptions {
        span: Span::DesignDay,
        format: ModelFormat::Idf,
        weather: false,
        expand: false,
        readvars: false,
    }
}

/// It asks for its tables as text with commas, too.
const SMALL: &str = "ASHRAE901_OfficeSmall_STD2019_Denver.idf";

/// The tables of `eplustbl.csv`: report, what it is for, title → lines of cells, the first being the heading.
fn csv_tables(text: &str) -> HashMap<[String; 3], Vec<Vec<String>>> {
    let mut tables = HashMap::new();
    let (mut report, mut subject, mut title) = (String::new(), String::new(), String::new());
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut blank = true;
    for line in text.lines() {
        let cells: Vec<String> = line.split(',').map(|cell| cell.trim().to_owned()).collect();
        if let Some(name) = line.strip_prefix("REPORT:,") {
            report = name.trim().to_owned();
        } else if let Some(name) = line.strip_prefix("FOR:,") {
            subject = name.trim().to_owned();
        } else if line.trim().is_empty() {
            if !rows.is_empty() {
                let key = [&report, &subject, &title].map(|name| crate::results::tables::simple(name));
                tables.insert(key, std::mem::take(&mut rows));
            }
            blank = true;
            continue;
        } else if line.starts_with(',') {
            rows.push(cells.into_iter().skip(1).collect());
        } else if blank && rows.is_empty() {
            title = line.trim().to_owned();
        }
        blank = false;
    }
    tables
}

/// Compares every table of a run with the program's own text of it, cell by cell; answers how many cells.
fn same_cells(results: &Results, text: &str) -> usize {
    let csv = csv_tables(text);
    let mut compared = 0;
    for info in results.reports().unwrap() {
        let query = TableQuery { report_name: info.report_name.clone(), ..TableQuery::default() };
        for table in results.table(&query, 1_000_000).unwrap().tables {
            let simple = crate::results::tables::simple;
            let key = [&table.report_name, &table.report_for, &table.table_name].map(|name| simple(name));
            let Some(lines) = csv.get(&key) else { continue };
            let text = lines.concat().join(" ");
            // the file does not quote, so tables with commas in their text cannot be compared
            let plain =
                table.rows.iter().all(|row| row.values.iter().chain([&row.name]).all(|t| !t.contains(',')));
            if !plain || lines.len() != table.rows.len() + 1 {
                continue;
            }
            for (row, line) in table.rows.iter().zip(&lines[1..]) {
                for value in row.values.iter().filter(|value| !value.is_empty()) {
                    assert!(line.contains(value), "{key:?} {}: {value} not in {line:?} of {text}", row.name);
                    compared += 1;
                }
            }
        }
    }
    compared
}

#[test]
fn a_design_day_is_read_as_the_program_wrote_it_in_its_own_tables() {
    let (Some(energyplus), Some(model)) = (testing::energyplus(), prototype(SMALL)) else { return };
    // this model has a list of reports of its own, without the component loads
    let model = model.replace("AllSummaryAndMonthly;", "AllSummaryAndSizingPeriod;");
    let ran = run(&energyplus, design_day(), &with_outputs(model, ""));
    let report = ran.errors();
    let end = EndLine::parse(&ran.text("eplusout.end").unwrap()).unwrap();
    assert_eq!(report.end.as_ref(), Some(&end));
    assert_eq!((report.counted(Level::Warning), report.counted(Level::Severe)), (end.warnings, end.severe));
    let outcome = judge(ran.exit, ran.text("eplusout.end").as_deref(), Some(&report), None);
    assert_eq!(outcome.status, RunStatus::Completed);

    let results = ran.results();
    let environments = results.environments().unwrap();
    assert_eq!(environments.len(), 2);
    assert!(environments.iter().all(|known| known.kind == EnvironmentKind::Sizing));

    let compared = same_cells(&results, &ran.text("eplustbl.csv").unwrap());
    assert!(compared > 3000, "only {compared} cells could be compared");

    // zone sizing: computed numbers, rounded as the table is
    let query = |table: &str| TableQuery {
        report_name: "HVACSizingSummary".into(),
        table_name: Some(table.into()),
        ..TableQuery::default()
    };
    let sizing = results.zone_sizing().unwrap();
    assert_eq!(sizing.len(), 10);
    for zone in &sizing {
        let answer = results.table(&query(&format!("Zone Sensible {}", zone.load)), 10_000).unwrap();
        let table = &answer.tables[0];
        let row = table.rows.iter().find(|row| row.name == zone.zone).unwrap();
        let cell = |name: &str| row.cell(table.column(name)).unwrap().to_owned();
        assert_eq!(cell("Calculated Design Load"), format!("{:.2}", zone.calculated_w));
        assert_eq!(cell("User Design Load"), format!("{:.2}", zone.user_w));
        assert_eq!(cell("Calculated Design Air Flow"), format!("{:.3}", zone.calculated_m3_s));
        assert_eq!(cell("User Design Air Flow"), format!("{:.3}", zone.user_m3_s));
        assert_eq!(cell("Design Day Name"), zone.design_day);
    }

    // design days have no end uses, but what they are sized for can be split
    assert!(results.end_uses().unwrap().notes[0].contains("design days only"));
    let peaks = results.peak_loads(50).unwrap();
    let total: f64 = sizing.iter().filter(|zone| zone.load == "Cooling").map(|zone| zone.user_w).sum();
    assert!((peaks.cooling.sized_w.unwrap() - total).abs() <= 0.05, "told to a tenth of a watt");
    // percentages are the program's own, and those of a zone add up to its grand total
    let zone = &peaks.cooling.zones[0];
    let components = TableQuery {
        report_name: "ZoneComponentLoadSummary".into(),
        table_name: Some("Estimated Cooling Peak Load Components".into()),
        ..TableQuery::default()
    };
    let tables = results.table(&components, 100_000).unwrap().tables;
    let table = tables.iter().find(|table| table.report_for.eq_ignore_ascii_case(&zone.zone)).unwrap();
    let design = zone.design.as_ref().unwrap();
    assert!(design.percent_of.contains("%Grand Total"));
    for part in &design.components {
        let row = table.rows.iter().find(|row| row.name == part.name).unwrap();
        let theirs: f64 = row.cell(table.column("%Grand Total")).unwrap().parse().unwrap();
        assert!((part.percent.unwrap() - theirs).abs() <= 0.05, "{part:?} and {theirs}");
    }
    assert!(peaks.cooling.zones.iter().all(|zone| zone.design.is_some() && zone.run.is_none()));
    assert!(peaks.cooling.facility.is_none() && peaks.cooling.unavailable.is_none());
    let size = serde_json::to_string(&peaks).unwrap().len();
    assert!(size < 20_000, "{size}");
}

/// The model with one run period of a week in place of its own.
fn one_week(model: &str) -> String {
    let mut kept = String::new();
    let mut dropping = false;
    for line in model.lines() {
        dropping |= line.trim_start().starts_with("RunPeriod,");
        if !dropping {
            kept.push_str(line);
            kept.push('\n');
        }
        dropping &= !line.split('!').next().unwrap_or_default().contains(';');
    }
    kept + "RunPeriod,WEEK,1,2,2017,1,8,2017,Monday,No,No,No,Yes,Yes;\n"
}

#[test]
fn a_week_of_weather_is_read_in_its_series_its_end_uses_and_its_progress() {
    let (Some(energyplus), Some(model)) = (testing::energyplus(), prototype(SMALL)) else { return };
    let more = "Output:Variable,*,Zone Mean Air Temperature,Hourly;\nOutput:Variable,*,Zone Mean Air Temperature,Daily;\n\
        Output:Meter,Electricity:Facility,RunPeriod;\nOutput:Meter,Fans:Electricity,RunPeriod;\n";
    let model = with_outputs(one_week(&model), more);
    let options = RunOptions { span: Span::AsModelled, weather: true, readvars: true, ..design_day() };
    let ran = run(&energyplus, options, &model);
    let results = ran.results();
    assert_eq!(results.environments().unwrap().len(), 1);

    // ReadVarsESO is the other reader of the same series
    let csv = ran.text("eplusout.csv").unwrap();
    let heading: Vec<&str> = csv.lines().next().unwrap().split(',').map(str::trim).collect();
    let column =
        heading.iter().position(|name| *name == "CORE_ZN:Zone Mean Air Temperature [C](Hourly)").unwrap();
    let expected: Vec<f64> =
        csv.lines().skip(1).filter_map(|line| line.split(',').nth(column)?.trim().parse().ok()).collect();
    let query = SeriesQuery {
        key_value: "core*".into(),
        frequency: Some(Frequency::Hourly),
        environment: Some(EnvironmentKind::Annual),
        limit: 1000,
        ..SeriesQuery::of_variable("Zone Mean Air Temperature")
    };
    let answer = results.series(&query).unwrap();
    let part = &answer.parts[0];
    assert_eq!((answer.parts.len(), part.points, expected.len()), (1, 168, 168));
    for (point, expected) in part.rows.iter().zip(&expected) {
        let (at, value) = (&point.at, point.value);
        // told to a hundredth of a degree
        assert!((value - expected).abs() < 0.005_001, "{at}: {value} is not {expected}");
        assert!(value.to_string().len() <= 6, "{value}");
    }
    assert_eq!(answer.other_frequencies, [Frequency::Daily]);
    assert_eq!(part.rows[0].at, "2017-01-02 01:00");
    let mut exported = Vec::new();
    let every = SeriesQuery { key_value: "*".into(), ..query };
    assert_eq!(results.write_csv(&every, &mut exported).unwrap().rows, 168);

    // end uses: what the meters add up to, to the digits of the table
    let uses = results.end_uses().unwrap();
    let total = uses.totals.iter().find(|total| total.source == "Electricity").unwrap();
    let meter = results.series(&SeriesQuery::of_variable("Electricity:Facility")).unwrap();
    let joules = meter.parts[0].sum.unwrap();
    assert_eq!(total.units, "GJ");
    assert_eq!(format!("{:.2}", total.value), format!("{:.2}", joules / 1e9));
    // a meter of the run period has every digit, a table a hundredth of a gigajoule
    assert_eq!(total.meter.as_deref(), Some("Electricity:Facility"));
    assert!((total.kwh.unwrap() - meter.parts[0].sum_kwh.unwrap()).abs() < 0.002, "{total:?}");
    let of = |name: &str| {
        uses.uses.iter().find(|end_use| end_use.name == name && end_use.source == "Electricity").unwrap()
    };
    let fans =
        results.series(&SeriesQuery::of_variable("Fans:Electricity")).unwrap().parts[0].sum_kwh.unwrap();
    assert_eq!((of("Fans").kwh, of("Fans").meter.as_deref()), (Some(fans), Some("Fans:Electricity")));
    let lights = of("Interior Lighting");
    assert!(lights.meter.is_none() && lights.kwh.unwrap().fract() == 0.0, "{lights:?}");
    assert!(uses.notes[0].contains("168 simulated hours"), "{:?}", uses.notes);
    let water = uses.totals.iter().find(|total| total.source == "Water").unwrap();
    assert_eq!((water.units.as_str(), water.kwh), ("m3", None));

    let peaks = results.peak_loads(50).unwrap();
    assert!(peaks.heating.facility.is_some());
    let unmet = results.unmet_hours(20).unwrap();
    assert_eq!(unmet.zones.len() + unmet.zones_without, 6);

    let mut reader = ProgressReader::new(vec![Expected::between((1, 2), (1, 8))]);
    let told: Vec<f64> = ran.said.lines().filter_map(|line| reader.read(line)).map(|u| u.fraction).collect();
    assert!(told.windows(2).all(|pair| pair[0] <= pair[1]));
    assert_eq!(told.last(), Some(&1.0));
    assert!(told.iter().any(|fraction| *fraction > 0.14 && *fraction < 0.2));
}

/// Counts the messages that are told again at the end, with how often they came.
fn recurring(report: &ErrorReport) -> u64 {
    let told = |detail: &String| detail.starts_with("This error occurred");
    report.messages.iter().filter(|message| message.details.iter().any(told)).count() as u64
}

#[test]
fn recurring_warnings_are_counted_as_the_program_counts_them() {
    let (Some(energyplus), Some(model)) =
        (testing::energyplus(), prototype("ASHRAE901_RestaurantFastFood_STD2019_Denver.idf"))
    else {
        return;
    };
    let ran = run(&energyplus, design_day(), &model);
    let report = ran.errors();
    let end = report.end.clone().unwrap();
    assert!(end.warnings > 1000, "{end:?}");
    assert_eq!((report.warnings(), report.severe()), (end.warnings, end.severe));
    // of some that recur, the program writes the first without counting it; nothing else differs
    let recurring = recurring(&report);
    let more = report.counted(Level::Warning) - end.warnings;
    assert!(more <= recurring && recurring > 0, "{more} more than counted, {recurring} recur");
    let size = serde_json::to_string(&report.summary(20)).unwrap().len();
    assert!(size < 20_000, "{size}");
}

#[test]
fn a_model_with_an_error_ends_fatally_and_says_why() {
    let Some(energyplus) = testing::energyplus() else { return };
    let model = "Version,25.2;\nZone,A;\nBuildingSurface:Detailed,x;\n";
    let ran = run(&energyplus, design_day(), model);
    let report = ran.errors();
    let outcome = judge(ran.exit, ran.text("eplusout.end").as_deref(), Some(&report), None);
    assert_eq!(outcome.status, RunStatus::Fatal);
    assert_eq!((outcome.severe, report.counted(Level::Severe)), (4, 4));
    assert!(outcome.reason.contains("Errors occurred on processing input file"), "{}", outcome.reason);
    let fatal = report.fatal().unwrap();
    assert!(fatal.details.iter().any(|line| line.contains("Last severe error")), "{fatal:?}");
    assert!(Results::open(&ran.folder.path().join("eplusout.sql")).is_err());
}

/// One room with ideal loads from templates, in IDF.
const TEMPLATES: &str = include_str!("templates.idf");

#[test]
fn templates_are_written_out_before_the_run_in_either_text() {
    let Some(energyplus) = testing::energyplus() else { return };
    let options = RunOptions { expand: true, ..design_day() };
    let ran = run(&energyplus, options, TEMPLATES);
    let report = ran.errors();
    assert_eq!(
        judge(ran.exit, ran.text("eplusout.end").as_deref(), Some(&report), None).status,
        RunStatus::Completed
    );
    let heating = |ran: &Ran| {
        ran.results().series(&SeriesQuery::of_variable("Zone Ideal Loads Zone Total Heating Rate")).unwrap()
    };
    let first = heating(&ran);
    assert_eq!(first.parts.len(), 2);
    assert!(first.parts[0].mean > 500.0 && first.parts[1].mean < 500.0, "{first:?}");

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.idf"), TEMPLATES).unwrap();
    let converted = Command::new(energyplus.join("ConvertInputFormat"))
        .args(["-o", ".", "in.idf"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(converted.status.success());
    let json = fs::read_to_string(folder.path().join("in.epJSON")).unwrap();
    let second = run(&energyplus, RunOptions { format: ModelFormat::EpJson, ..options }, &json);
    // epJSON keeps no order of its objects, so neither do the design days
    let winter = |answer: &crate::results::series::SeriesAnswer| {
        answer.parts.iter().find(|part| part.environment == "GOLDEN WINTER").map(|part| part.mean).unwrap()
    };
    assert!((winter(&heating(&second)) - winter(&first)).abs() < 1e-6);
}

/// Prototypes of every size, and whether a whole year of them is run, too.
const DOZEN: [(&str, bool); 14] = [
    ("ASHRAE901_ApartmentMidRise_STD2019_Denver", false),
    ("ASHRAE901_HotelLarge_STD2019_Denver", false),
    ("ASHRAE901_HotelSmall_STD2019_Denver", false),
    ("ASHRAE901_OfficeMedium_STD2019_Denver", false),
    ("ASHRAE901_OfficeSmall_STD2019_Denver", true),
    ("ASHRAE901_RestaurantSitDown_STD2019_Denver", false),
    ("ASHRAE901_RetailStandalone_STD2019_Denver", false),
    ("ASHRAE901_RetailStripmall_STD2019_Denver", false),
    ("ASHRAE901_SchoolPrimary_STD2019_Denver", false),
    ("ASHRAE901_Warehouse_STD2019_Denver", true),
    ("RefBldgMediumOfficeNew2004_Chicago", false),
    ("RefBldgStripMallNew2004_Chicago", false),
    ("RefBldgSuperMarketNew2004_Chicago", false),
    ("RefBldgWarehouseNew2004_Chicago", true),
];

#[test]
#[ignore = "minutes of simulation: cargo nextest run -p energy --run-ignored only a_dozen --no-capture"]
fn a_dozen_prototypes_are_read_as_the_program_wrote_them() {
    let Some(energyplus) = testing::energyplus() else { return };
    for (name, with_year) in DOZEN {
        let Some(mut model) = prototype(&format!("{name}.idf")) else { return };
        if !model.contains("OutputControl:Table:Style") {
            model.push_str("\nOutputControl:Table:Style,CommaAndHTML;\n");
        }
        // some write their tables in the style of their makers
        let model = model.replace("  HTML;", "  CommaAndHTML;");
        // and some their database without tables, which a run of the service adds
        let model = with_outputs(model.replace("  Simple;  ", "  SimpleAndTabular;  "), "");
        let year = RunOptions { span: Span::Annual, weather: true, ..design_day() };
        for options in [Some(design_day()), with_year.then_some(year)].into_iter().flatten() {
            let ran = run(&energyplus, options, &model);
            let report = ran.errors();
            let end = EndLine::parse(&ran.text("eplusout.end").unwrap()).unwrap();
            assert_eq!(judge(ran.exit, None, Some(&report), None).status, RunStatus::Completed, "{name}");
            assert_eq!((report.warnings(), report.severe()), (end.warnings, end.severe), "{name}");
            let recurring = recurring(&report);
            let more = report.counted(Level::Warning) - end.warnings;
            // two more kinds of message are shown and not counted
            assert!(more <= recurring + 2 && report.counted(Level::Severe) == end.severe, "{name}: {more}");
            let results = ran.results();
            let cells = same_cells(&results, &ran.text("eplustbl.csv").unwrap_or_default());
            assert!(cells > 500, "{name}: {cells}");
            let uses = results.end_uses().unwrap();
            for total in &uses.totals {
                let parts: f64 =
                    uses.uses.iter().filter(|part| part.source == total.source).map(|part| part.value).sum();
                // each part is rounded to two decimals
                assert!((parts - total.value).abs() < 0.1, "{name}: {total:?} is not {parts}");
            }
            let answers = [
                serde_json::to_string(&results.peak_loads(20).unwrap()).unwrap(),
                serde_json::to_string(&results.unmet_hours(50).unwrap()).unwrap(),
                serde_json::to_string(&report.summary(20)).unwrap(),
                serde_json::to_string(&results.variables(None, 50).unwrap()).unwrap(),
            ];
            let longest = answers.iter().map(String::len).max().unwrap();
            eprintln!(
                "{name} {:?}: {:.1} s, {} warnings, {} severe, {more} more lines, {cells} cells equal, longest answer {longest}",
                options.span, end.elapsed_seconds, end.warnings, end.severe
            );
        }
    }
}
