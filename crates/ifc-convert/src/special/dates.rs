//! Dates and times: instances in IFC2X3 (IfcCalendarDate, IfcLocalTime, IfcDateAndTime), texts in ISO 8601 since IFC4.

use crate::step::Step;
use chrono::NaiveDate;
use ifc::{Id, Model, Value};
use std::fmt::Write as _;

/// True if a type is that of a span of time.
pub(crate) fn is_duration(declared: &str) -> bool {
    declared == "IfcDuration"
}

/// Seconds as ISO 8601 has them.
pub(crate) fn duration(seconds: f64) -> String {
    let sign = if seconds < 0.0 { "-" } else { "" };
    format!("{sign}PT{}S", seconds.abs())
}

/// The seconds of a duration. A year counts 365 days and a month 30, as IfcDuration is to be read where no calendar is
/// named.
pub(crate) fn seconds(text: &str) -> Option<f64> {
    let (sign, rest) = match text.trim().strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.trim()),
    };
    let mut total = 0.0;
    let mut number = String::new();
    let mut in_time = false;
    for c in rest.strip_prefix('P')?.chars() {
        match c {
            '0'..='9' | '.' => number.push(c),
            ',' => number.push('.'),
            'T' => in_time = true,
            unit => {
                let amount: f64 = std::mem::take(&mut number).parse().ok()?;
                total += amount
                    * match (unit, in_time) {
                        ('Y', false) => 365.0 * 86_400.0,
                        ('M', false) => 30.0 * 86_400.0,
                        ('W', false) => 7.0 * 86_400.0,
                        ('D', false) => 86_400.0,
                        ('H', true) => 3_600.0,
                        ('M', true) => 60.0,
                        ('S', true) => 1.0,
                        _ => return None,
                    };
            }
        }
    }
    number.is_empty().then_some(sign * total)
}

/// The text of a date, time or both, as the type in its place wants it: IfcDate takes only the day.
pub(crate) fn text(model: &Model, id: Id, declared: &str) -> Option<String> {
    let instance = model.get(id)?;
    let (date, time) = match instance.class_name() {
        "IfcCalendarDate" => (Some(day(model, id)?), None),
        "IfcLocalTime" => (None, Some(clock(model, id)?)),
        _ => {
            let time = instance.reference("TimeComponent").and_then(|id| clock(model, id));
            (Some(day(model, instance.reference("DateComponent")?)?), time)
        }
    };
    Some(match (date, time, declared) {
        (Some(date), _, "IfcDate") => date,
        (Some(date), Some(time), _) => format!("{date}T{time}"),
        (Some(date), None, _) => format!("{date}T00:00:00"),
        (None, Some(time), _) => time,
        (None, None, _) => return None,
    })
}

fn day(model: &Model, id: Id) -> Option<String> {
    let date = model.get(id)?;
    let part = |name: &str| date.attr(name).as_i64();
    Some(format!("{:04}-{:02}-{:02}", part("YearComponent")?, part("MonthComponent")?, part("DayComponent")?))
}

fn clock(model: &Model, id: Id) -> Option<String> {
    let time = model.get(id)?;
    let part = |name: &str| time.attr(name).as_f64();
    let second = part("SecondComponent").unwrap_or(0.0);
    let minute = part("MinuteComponent").unwrap_or(0.0);
    let mut text = format!("{:02}:{:02}:", part("HourComponent")? as i64, minute as i64);
    let whole = second.fract() == 0.0;
    let _ = if whole { write!(text, "{second:02.0}") } else { write!(text, "{second:06.3}") };
    if let Some(zone) = time.reference("Zone").and_then(|id| model.get(id)) {
        let sign = if zone.enumeration("Sense").as_deref() == Some("BEHIND") { '-' } else { '+' };
        let hours = zone.attr("HourOffset").as_i64().unwrap_or(0);
        let minutes = zone.attr("MinuteOffset").as_i64().unwrap_or(0);
        let _ = write!(text, "{sign}{hours:02}:{minutes:02}");
    }
    Some(text)
}

/// Year, month, day, and hour, minute, second if the text goes on.
type Parts = (i64, i64, i64, Option<(i64, i64, f64)>);

fn parts(text: &str) -> Option<Parts> {
    let (date, time) = match text.trim().split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text.trim(), None),
    };
    let mut numbers = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (numbers.next()??, numbers.next()??, numbers.next()??);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let time = time.and_then(|time| {
        let plain = time.trim_end_matches('Z');
        let end = plain.rfind(['+', '-']).unwrap_or(plain.len());
        let mut numbers = plain.get(..end)?.splitn(3, ':');
        let hour = numbers.next()?.parse::<i64>().ok()?;
        let minute = numbers.next().map_or(Some(0), |text| text.parse::<i64>().ok())?;
        let second = numbers.next().map_or(Some(0.0), |text| text.parse::<f64>().ok())?;
        (hour < 24 && minute < 60 && second < 61.0).then_some((hour, minute, second))
    });
    Some((year, month, day, time))
}

/// The seconds since 1970 of a header's time stamp, or nought.
pub(crate) fn unix_time(stamp: &str) -> i64 {
    let Some((year, month, day, time)) = parts(stamp) else { return 0 };
    let date =
        i32::try_from(year).ok().and_then(|year| NaiveDate::from_ymd_opt(year, month as u32, day as u32));
    let Some(date) = date else { return 0 };
    let days = i64::from(date.to_epoch_days());
    let (hour, minute, second) = time.unwrap_or((0, 0, 0.0));
    (days * 86_400 + hour * 3_600 + minute * 60 + second as i64).max(0)
}

impl Step<'_> {
    /// The instance that says what a text says, in the class that IFC2X3 wants.
    pub fn date(&mut self, class: &str, text: &str) -> Option<Value> {
        let (year, month, day, time) = parts(text)?;
        let date = [
            ("DayComponent", Value::Integer(day)),
            ("MonthComponent", Value::Integer(month)),
            ("YearComponent", Value::Integer(year)),
        ];
        let time = match class {
            "IfcCalendarDate" => None,
            "IfcDateAndTime" => Some(time.unwrap_or((0, 0, 0.0))),
            // nought o'clock says no more than the day
            "IfcDateTimeSelect" => time.filter(|time| *time != (0, 0, 0.0)),
            _ => return None,
        };
        let date = self.make("IfcCalendarDate", &date)?;
        let Some((hour, minute, second)) = time else { return Some(date.into()) };
        let clock = [
            ("HourComponent", Value::Integer(hour)),
            ("MinuteComponent", Value::Integer(minute)),
            ("SecondComponent", Value::Real(second)),
        ];
        let clock = self.make("IfcLocalTime", &clock)?;
        let both = [("DateComponent", date.into()), ("TimeComponent", clock.into())];
        self.make("IfcDateAndTime", &both).map(Value::Ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time_are_seconds() {
        for (text, expected) in
            [("PT10S", 10.0), ("P1DT2H3M4.5S", 93_784.5), ("P2W", 1_209_600.0), ("-PT1M", -60.0)]
        {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
        for text in ["10", "PT", "P1H", "P5", "PT1X"] {
            let found = seconds(text);
            assert!(found.is_none() || text == "PT" && found == Some(0.0), "{text} {found:?}");
        }
        assert_eq!(seconds(&duration(3723.5)), Some(3723.5));
    }

    #[test]
    fn a_time_stamp_is_counted_from_1970() {
        assert_eq!(unix_time("1970-01-01T00:00:00"), 0);
        assert_eq!(unix_time("2011-09-07T12:28:29"), 1_315_398_509);
        assert_eq!(unix_time("2000-02-29"), 951_782_400);
        assert_eq!(unix_time("yesterday"), 0);
        assert_eq!(unix_time("2011-02-31T12:00:00"), 0);
    }
}
