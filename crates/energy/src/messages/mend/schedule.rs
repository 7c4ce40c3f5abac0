//! Compact schedules, weeks and years made whole: days that end at midnight, years that end in December, words in the form that the program reads.

use super::names;
use super::work::Work;
use crate::idf::{Handle, set_value};

/// The position of the first field of a compact schedule behind its name and limits.
const FIRST: usize = 2;

/// The words that may follow `For:`.
const DAYS: [&str; 18] = [
    "AllDays",
    "WeekDays",
    "Weekends",
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Holidays",
    "SummerDesignDay",
    "WinterDesignDay",
    "CustomDay1",
    "CustomDay2",
    "AllOtherDays",
    "Weekday",
    "Holiday",
];

/// The beginning of a field of a compact schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Through,
    For,
    Interpolate,
    Until,
    Value,
}

fn mark(value: &str) -> Mark {
    let small = value.trim().to_ascii_lowercase();
    let marks = [
        ("through", Mark::Through),
        ("thru", Mark::Through),
        ("for", Mark::For),
        ("interpolate", Mark::Interpolate),
        ("until", Mark::Until),
    ];
    marks.into_iter().find(|(word, _)| small.starts_with(word)).map_or(Mark::Value, |(_, mark)| mark)
}

fn is_compact(work: &Work, handle: Handle) -> Result<bool, String> {
    Ok(work.object(handle)?.type_name() == "Schedule:Compact")
}

/// The fields of a compact schedule from the first `Through`.
fn fields(work: &Work, handle: Handle) -> Result<Vec<String>, String> {
    let object = work.object(handle)?;
    let mut fields: Vec<String> = object.values().skip(FIRST).map(str::to_owned).collect();
    while fields.last().is_some_and(String::is_empty) {
        fields.pop();
    }
    Ok(fields)
}

fn put(work: &mut Work, handle: Handle, fields: &[String]) -> Result<(), String> {
    work.rewrite(handle, |record| {
        record.values.truncate(FIRST);
        for (at, value) in fields.iter().enumerate() {
            set_value(&mut record.values, FIRST + at, value.clone());
        }
    })
}

/// Carries the last value of every day on to midnight.
pub fn until_midnight(work: &mut Work, handle: Handle) -> Result<(), String> {
    if !is_compact(work, handle)? {
        return interval_until_midnight(work, handle);
    }
    let mut fields = fields(work, handle)?;
    let mut last: Option<usize> = None;
    let mut ends = Vec::new();
    for (at, value) in fields.iter().enumerate() {
        match mark(value) {
            Mark::Until => last = Some(at),
            Mark::For | Mark::Through => ends.extend(last.take()),
            _ => {}
        }
    }
    ends.extend(last);
    for at in ends {
        if let Some(value) = fields.get_mut(at)
            && time(value).is_some_and(|(hours, minutes)| (hours, minutes) < (24, 0))
        {
            "Until: 24:00".clone_into(value);
        }
    }
    put(work, handle, &fields)
}

/// `Schedule:Day:Interval` has its times in groups of time and value.
fn interval_until_midnight(work: &mut Work, handle: Handle) -> Result<(), String> {
    let object = work.object(handle)?;
    let about = object.about().ok_or("The schema does not know the type.")?;
    let group = about.extensible.as_ref().filter(|group| group.fields.len() == 2);
    group.ok_or("The schedule has no intervals.")?;
    let count = object.groups().filter(|group| group.first().is_some_and(|time| !time.is_empty())).count();
    let last = about.fields.len() + count.checked_sub(1).ok_or("The schedule has no intervals.")? * 2;
    let written = object.value(last);
    if time(written).is_some_and(|(hours, minutes)| (hours, minutes) >= (24, 0)) {
        return Ok(());
    }
    let value = if mark(written) == Mark::Until { "Until: 24:00" } else { "24:00" };
    work.set(handle, last, value)
}

/// The hours and minutes in a field.
fn time(value: &str) -> Option<(u32, u32)> {
    let figures = value.trim_start_matches(|c: char| !c.is_ascii_digit());
    let (hours, minutes) = match figures.split_once(':') {
        Some((hours, minutes)) => (hours, minutes.trim()),
        None => (figures, "0"),
    };
    let time = (hours.trim().parse().ok()?, minutes.parse().ok()?);
    (time.0 <= 24 && time.1 < 60).then_some(time)
}

/// Carries the last period on to the end of the year.
pub fn through_year(work: &mut Work, handle: Handle) -> Result<(), String> {
    if is_compact(work, handle)? {
        let mut fields = fields(work, handle)?;
        let last = fields.iter().rposition(|value| mark(value) == Mark::Through);
        let last = last.and_then(|at| fields.get_mut(at)).ok_or("The schedule has no periods.")?;
        "Through: 12/31".clone_into(last);
        return put(work, handle, &fields);
    }
    let object = work.object(handle)?;
    let about = object.about().ok_or("The schema does not know the type.")?;
    let group = about.extensible.as_ref().ok_or("The schedule has no periods.")?;
    let at = |key: &str| group.fields.iter().position(|field| &*field.key == key);
    let (Some(month), Some(day)) = (at("end_month"), at("end_day")) else {
        return Err("The schedule has no periods.".to_owned());
    };
    let count = object.groups().filter(|group| group.iter().any(|value| !value.is_empty())).count();
    let last = count.checked_sub(1).ok_or("The schedule has no periods.")?;
    let start = about.fields.len() + last * group.fields.len();
    work.set(handle, start + month, "12")?;
    work.set(handle, start + day, "31")
}

/// Gives every period the value 0 for the days that it has none for, as the program takes it anyway.
pub fn other_days(work: &mut Work, handle: Handle) -> Result<(), String> {
    if !is_compact(work, handle)? {
        return Err("Only a compact schedule has days of other kinds.".to_owned());
    }
    let fields = fields(work, handle)?;
    let mut out: Vec<String> = Vec::new();
    let mut covered = true;
    let close = |out: &mut Vec<String>, covered: bool| {
        if !covered {
            out.extend(["For: AllOtherDays", "Until: 24:00", "0"].map(str::to_owned));
        }
    };
    for value in fields {
        let small = value.to_ascii_lowercase().replace(' ', "");
        match mark(&value) {
            Mark::Through => {
                close(&mut out, covered);
                covered = false;
            }
            Mark::For => covered |= small.contains("alldays") || small.contains("allotherdays"),
            _ => {}
        }
        out.push(value);
    }
    close(&mut out, covered);
    put(work, handle, &out)
}

/// Writes the fields in the form that the program reads: `Through: 12/31`, `For: WeekDays`, `Until: 08:00`.
pub fn words(work: &mut Work, handle: Handle) -> Result<(), String> {
    if !is_compact(work, handle)? {
        return Err("Only a compact schedule has such words.".to_owned());
    }
    let mut fields = fields(work, handle)?;
    for value in &mut fields {
        let rest =
            value.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim_start_matches([':', ' ']).trim();
        match mark(value) {
            Mark::Through if !value.to_ascii_lowercase().starts_with("through:") => {
                *value = format!("Through: {rest}");
            }
            Mark::Until => {
                let (hours, minutes) = time(value).ok_or_else(|| format!("`{value}` is no time."))?;
                if !rest.contains(':') {
                    *value = format!("Until: {hours:02}:{minutes:02}");
                }
            }
            Mark::For => *value = days(value)?,
            _ => {}
        }
    }
    put(work, handle, &fields)
}

/// `For: Workdays` with each word that the program does not know replaced by the nearest that it does.
fn days(value: &str) -> Result<String, String> {
    let trimmed = value.trim();
    let behind = trimmed.get(3..).unwrap_or_default().trim_start_matches([':', ' ']);
    let mut changed = false;
    let mut out = Vec::new();
    for word in behind.split_whitespace() {
        // `All Other Days` and the like stand with spaces, too
        let known = DAYS.iter().any(|day| day.eq_ignore_ascii_case(word))
            || ["all", "other", "days", "allother", "weekday", "weekends", "weekend", "designday"]
                .iter()
                .any(|part| part.eq_ignore_ascii_case(word));
        if known {
            out.push(word);
        } else {
            out.push(names::meant(word, DAYS.into_iter())?);
            changed = true;
        }
    }
    Ok(if changed { format!("For: {}", out.join(" ")) } else { value.to_owned() })
}
