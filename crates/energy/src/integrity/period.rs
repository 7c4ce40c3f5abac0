//! The place and the time of a simulation: a location, days that exist, and weather for them.

use super::model::value;
use super::{Issue, IssueKind, Severity, Subject, Surroundings, issue};
use crate::days::days_in;
use crate::idf::{Document, Object};

/// Adds what is missing to simulate at all, and days that do not exist.
pub fn check(document: &Document, around: Surroundings<'_>, issues: &mut Vec<Issue>) {
    place_and_time(document, around, issues);
    for period in document.of_type("RunPeriod") {
        day(period, "begin_month", "begin_day_of_month", issues);
        day(period, "end_month", "end_day_of_month", issues);
        order(period, issues);
    }
    for period in document.of_type("SizingPeriod:WeatherFileDays") {
        day(period, "begin_month", "begin_day_of_month", issues);
        day(period, "end_month", "end_day_of_month", issues);
    }
    for period in document.of_type("SizingPeriod:DesignDay") {
        day(period, "month", "day_of_month", issues);
    }
    for (type_name, fields) in [
        ("RunPeriodControl:SpecialDays", ["start_date"].as_slice()),
        ("RunPeriodControl:DaylightSavingTime", ["start_date", "end_date"].as_slice()),
    ] {
        for object in document.of_type(type_name) {
            for text in fields
                .iter()
                .map(|field| value(object, field))
                .filter(|text| !text.is_empty() && !is_date(text))
            {
                let message =
                    format!("{type_name} `{}` names the day `{text}`, which is none.", object.label());
                let what = "Write it as 7/21, 21 July, July 21, 2nd Monday in July or Last Monday in July.";
                say(issues, Severity::Error, vec![object.into()], message, what);
            }
        }
    }
}

fn say(issues: &mut Vec<Issue>, severity: Severity, objects: Vec<Subject>, message: String, what: &str) {
    issues.push(issue(severity, IssueKind::NoWeatherOrLocation, objects, message, what));
}

/// True if a text is a date of some year.
fn is_date(text: &str) -> bool {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
    let text = text.to_ascii_lowercase();
    let exists = |month: Option<usize>, day: Option<f64>| {
        let length = month.and_then(|month| u32::try_from(month + 1).ok()).map(|month| days_in(month, true));
        length.zip(day).is_some_and(|(length, day)| day >= 1.0 && day <= f64::from(length))
    };
    let number = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<f64>().ok();
    let place = |word: &str, all: &[&str]| all.iter().position(|known| word.starts_with(known));
    if let Some((month, day)) = text.split_once('/') {
        let month = number(month.trim()).filter(|month| *month >= 1.0).map(|month| month as usize - 1);
        return exists(month, number(day.trim()));
    }
    let words: Vec<&str> =
        text.split([' ', ',', '-']).filter(|word| !word.is_empty() && *word != "in").collect();
    match words.as_slice() {
        [a, b] => match (place(a, &MONTHS), place(b, &MONTHS)) {
            (Some(month), _) => exists(Some(month), number(b)),
            (None, month) => exists(month, number(a)),
        },
        [which, day, month] => {
            let counts = *which == "last" || number(which).is_some_and(|which| (1.0..=5.0).contains(&which));
            counts && place(day, &DAYS).is_some() && place(month, &MONTHS).is_some()
        }
        _ => false,
    }
}

/// Reports a date that is in no calendar.
fn day(period: Object<'_>, month: &str, day: &str, issues: &mut Vec<Issue>) {
    let (Some(month), Some(day)) = (period.number(month), period.number(day)) else { return };
    // 29 February is one of some years
    let length = days_in(month as u32, true);
    if length > 0 && day > f64::from(length) {
        let message = format!(
            "{} `{}` names the day {day} of month {month}, which is none.",
            period.type_name(),
            period.name()
        );
        say(issues, Severity::Error, vec![period.into()], message, "Name a day that the month has.");
    }
}

/// Reports a period of one year that ends before it begins.
fn order(period: Object<'_>, issues: &mut Vec<Issue>) {
    let number = |field: &str| period.number(field);
    let (Some(from), Some(to)) = (number("begin_month"), number("end_month")) else { return };
    let (Some(first), Some(last)) = (number("begin_day_of_month"), number("end_day_of_month")) else {
        return;
    };
    let years = (number("begin_year"), number("end_year"));
    let backwards = match years {
        (Some(begin), Some(end)) => (end, to, last) < (begin, from, first),
        _ => false,
    };
    if backwards {
        let message = format!("RunPeriod `{}` ends before it begins.", period.name());
        say(issues, Severity::Error, vec![period.into()], message, "Exchange its days, or change its years.");
    }
}

/// True if the run periods are simulated, as the schema has it where nothing is said.
pub(super) fn runs_periods(document: &Document) -> bool {
    document.of_type("SimulationControl").next().is_none_or(|control| {
        let asked = value(control, "run_simulation_for_weather_file_run_periods");
        asked.is_empty() || asked.eq_ignore_ascii_case("yes")
    })
}

fn place_and_time(document: &Document, around: Surroundings<'_>, issues: &mut Vec<Issue>) {
    let mut missing = |severity, message: &str, what: &str| {
        say(issues, severity, Vec::new(), message.to_owned(), what);
    };
    let periods = document.objects().any(|object| object.type_name().starts_with("SizingPeriod:"));
    let years =
        document.objects().any(|object| ["RunPeriod", "RunPeriod:CustomRange"].contains(&object.type_name()));
    if !years && !periods {
        missing(
            Severity::Error,
            "There is nothing to simulate: neither a RunPeriod nor a design day.",
            "Add a RunPeriod for a year of weather, or SizingPeriod:DesignDay objects.",
        );
    }
    if document.of_type("Site:Location").next().is_none() {
        missing(
            match (periods, around.weather) {
                (true, Some(true)) | (false, None | Some(false)) => Severity::Warning,
                (true, None | Some(false)) => Severity::Error,
                (false, Some(true)) => Severity::Notice,
            },
            if periods {
                "There is no Site:Location: design days cannot be simulated without a weather file that says the place."
            } else {
                "There is no Site:Location; place and time zone come from the weather file, if there is one."
            },
            "Add a Site:Location, for instance from the DDY file beside the weather file.",
        );
    }
    if years && runs_periods(document) && around.weather == Some(false) {
        missing(
            Severity::Warning,
            "A year is to be simulated, and there is no weather file.",
            "Get one with download_weather_file, or simulate design days only.",
        );
    }
}
