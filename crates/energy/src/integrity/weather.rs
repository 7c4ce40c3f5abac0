//! The weather file beside the model: its place, and whether it has the days that are to be simulated.

use super::period::runs_periods;
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::{Document, Object};
use crate::weather::{DataPeriod, Epw, day_of};

/// Degrees of latitude or longitude beyond which EnergyPlus warns.
const DEGREES: f64 = 1.0;
/// 29 February, as a day of a leap year from 0.
const LEAP_DAY: u32 = 59;
/// The share of the elevation beyond which it warns.
const ELEVATION: f64 = 0.1;

/// Adds a place that is not the file's, and days of which the file has no data.
pub fn check(document: &Document, weather: &Epw, issues: &mut Vec<Issue>) {
    // who has a weather file means to simulate by it, whatever the model asks for so far
    for location in document.of_type("Site:Location") {
        place(location, weather, issues);
    }
    if !simulates_weather(document) {
        return;
    }
    for period in document.of_type("RunPeriod") {
        days(period, weather, issues);
    }
    for period in document.of_type("SizingPeriod:WeatherFileDays") {
        days(period, weather, issues);
    }
}

/// True if the run reads the file's days.
fn simulates_weather(document: &Document) -> bool {
    let has = |name: &str| document.of_type(name).next().is_some();
    let years = runs_periods(document) && (has("RunPeriod") || has("RunPeriod:CustomRange"));
    years || has("SizingPeriod:WeatherFileDays") || has("SizingPeriod:WeatherFileConditionType")
}

/// Reports a place that is not that of the file, within the bounds of EnergyPlus, which goes by the file.
fn place(location: Object<'_>, weather: &Epw, issues: &mut Vec<Issue>) {
    let own = &weather.location;
    let number = |field: &str| location.number(field);
    let mut apart = Vec::new();
    for (field, there, unit) in [("latitude", own.latitude, "°"), ("longitude", own.longitude, "°")] {
        if let Some(here) = number(field).filter(|here| (here - there).abs() > DEGREES) {
            apart.push(format!("{field} {here}{unit} and {there}{unit}"));
        }
    }
    if let Some(here) = number("time_zone").filter(|here| (here - own.time_zone).abs() > 1e-6) {
        apart.push(format!("time zone {here} h and {} h", own.time_zone));
    }
    let is_high = |here: &f64| (here - own.elevation_m).abs() / here.abs().max(1.0) > ELEVATION;
    if let Some(here) = number("elevation").filter(is_high) {
        apart.push(format!("elevation {here} m and {} m", own.elevation_m));
    }
    if apart.is_empty() {
        return;
    }
    let message = format!(
        "The weather file is of {}, and Site:Location `{}` is another place: {}. A year is simulated at the file's.",
        own.city,
        location.name(),
        apart.join("; ")
    );
    let what =
        "Take the weather of the place, or the Site:Location and design days of the weather file's DDY.";
    let subject: Subject = location.into();
    issues.push(issue(Severity::Warning, IssueKind::NoWeatherOrLocation, vec![subject], message, what));
}

/// Reports a period of which the file has no data, which ends the run.
fn days(period: Object<'_>, weather: &Epw, issues: &mut Vec<Issue>) {
    let number = |field: &str| period.number(field).filter(|value| (1.0..=31.0).contains(value));
    let date = |month: &str, day: &str| Some((number(month)? as u32, number(day)? as u32));
    let (Some(begin), Some(end)) =
        (date("begin_month", "begin_day_of_month"), date("end_month", "end_day_of_month"))
    else {
        return;
    };
    // files of several years date their periods by year, which is not compared here
    let spans: Option<Vec<(u32, u32)>> = weather.periods.iter().map(span).collect();
    let Some(spans) = spans else { return };
    let day = |(month, day): (u32, u32)| day_of(&format!("{month}/{day}"), true);
    let (Some(first), Some(last)) = (day(begin), day(end)) else { return };
    let within = |day: u32, (from, to): (u32, u32)| {
        if from <= to { (from..=to).contains(&day) } else { day >= from || day <= to }
    };
    // the last day of a leap year is day 365; a period may lead over the turn of the year
    let mut asked: Vec<u32> =
        if first <= last { (first..=last).collect() } else { (first..366).chain(0..=last).collect() };
    // 29 February is asked for by no one alone
    asked.retain(|day| *day != LEAP_DAY);
    if spans.iter().any(|span| asked.iter().all(|day| within(*day, *span))) {
        return;
    }
    let there: Vec<String> =
        weather.periods.iter().map(|period| format!("{} to {}", period.start, period.end)).collect();
    let message = format!(
        "{} `{}` is from {}/{} to {}/{}, and the weather file has data of {} alone.",
        period.type_name(),
        period.name(),
        begin.0,
        begin.1,
        end.0,
        end.1,
        there.join(" and ")
    );
    let what = "Simulate days that the file has, or take a weather file of the whole year.";
    issues.push(issue(Severity::Error, IssueKind::NoWeatherOrLocation, vec![period.into()], message, what));
}

/// First and last day of a stretch of data as days of a leap year.
fn span(period: &DataPeriod) -> Option<(u32, u32)> {
    Some((day_of(&period.start, true)?, day_of(&period.end, true)?))
}
