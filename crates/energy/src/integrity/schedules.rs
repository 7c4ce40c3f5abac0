//! Schedules that do not say every day, or say what their limits or their users do not allow.

use super::model::{Model, value};
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::Object;
use crate::schedules::{self, Calendar};
use foldhash::{HashMap, HashSet};

/// Fields whose schedule must not be below zero, or must lie between zero and one: type of object, field, greatest value.
const BOUNDED: [(&str, &str, Option<f64>); 6] = [
    ("People", "number_of_people_schedule_name", None),
    ("People", "work_efficiency_schedule_name", Some(1.0)),
    ("Lights", "schedule_name", None),
    ("ElectricEquipment", "schedule_name", None),
    ("GasEquipment", "schedule_name", None),
    ("HotWaterEquipment", "schedule_name", None),
];

/// Adds schedules that are not whole, and values that are not allowed.
pub fn check(document: &Model<'_>, issues: &mut Vec<Issue>) {
    for schedule in schedules::TYPES.into_iter().flat_map(|name| document.of_type(name)) {
        whole(schedule, issues);
        limits(document, schedule, issues);
    }
    for day in ["Schedule:Day:Hourly", "Schedule:Day:Interval", "Schedule:Day:List"] {
        document.of_type(day).for_each(|day| limits(document, day, issues));
    }
    used(document, issues);
}

/// Reports a schedule that does not say every minute of every day.
fn whole(schedule: Object<'_>, issues: &mut Vec<Issue>) {
    if !["Schedule:Compact", "Schedule:Year"].contains(&schedule.type_name()) {
        return;
    }
    let mut say = |severity, message: String, what: &str| {
        issues.push(issue(severity, IssueKind::IncompleteSchedule, vec![schedule.into()], message, what));
    };
    let title = || format!("{} `{}`", schedule.type_name(), schedule.name());
    // rules are read whole before any day is laid out, so that no day need be
    let nothing = Calendar { year: 2017, days: Vec::new(), problems: Vec::new() };
    let what = "Let its periods reach to 12/31, each of its days to 24:00, and name every kind of day once (AllOtherDays takes the rest).";
    match schedules::resolve(schedule, &nothing, &|_| None) {
        Err(_) if time_twice(schedule).is_some() => {
            let time = time_twice(schedule).unwrap_or_default();
            let message = format!("{} says the time `{time}` twice; the second value never holds.", title());
            return say(Severity::Warning, message, "Remove one of the two.");
        }
        Err(why) => return say(Severity::Error, format!("{} is not whole: {why}.", title()), what),
        Ok(year) if !year.unsaid.is_empty() => {
            let message =
                format!("{} says nothing of {}; that counts as zero.", title(), year.unsaid.join(", "));
            say(Severity::Warning, message, what);
        }
        Ok(_) => {}
    }
    if let Some(twice) = named_twice(schedule) {
        say(
            Severity::Error,
            format!("{} names a kind of day twice in one period: `{twice}`.", title()),
            what,
        );
    }
    if schedule.type_name() == "Schedule:Year"
        && let Some(why) = gap(schedule)
    {
        say(Severity::Error, format!("{} is not whole: {why}.", title()), what);
    }
}

/// The kinds of days that a field names, as bits, Sunday first; none where it names no kind or all that are left.
fn kinds(text: &str) -> u16 {
    let text = text.to_ascii_lowercase();
    let mut bits = 0;
    let mut mark = |word: &str, these: u16| {
        if text.contains(word) {
            bits |= these;
        }
    };
    mark("alldays", 0b1111_1111_1111);
    mark("weekday", 0b11_1110);
    mark("weekend", 0b100_0001);
    for (at, kind) in schedules::DAY_TYPES.iter().enumerate() {
        mark(&kind.to_ascii_lowercase(), 1 << at);
    }
    mark("summer", 1 << schedules::SUMMER);
    mark("winter", 1 << schedules::WINTER);
    bits
}

/// The first time of a compact schedule that the one before it says already; EnergyPlus takes it.
fn time_twice(schedule: Object<'_>) -> Option<&str> {
    let values: Vec<&str> = schedule.values().skip(2).collect();
    let is_time = |text: &str| text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("until"));
    values.windows(3).find_map(|three| match three {
        [time, _, again] if is_time(time) && time.eq_ignore_ascii_case(again) => Some(*again),
        _ => None,
    })
}

/// The first field of a compact schedule that names a kind of day again.
fn named_twice(schedule: Object<'_>) -> Option<&str> {
    let mut taken = 0;
    for text in schedule.values().skip(2) {
        let begins =
            |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        if begins("through") {
            taken = 0;
        } else if begins("for") {
            let these = kinds(text);
            if these & taken != 0 {
                return Some(text);
            }
            taken |= these;
        }
    }
    None
}

/// The days before each month of a year that has a 29 February.
const BEFORE: [u32; 12] = [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335];

/// The first day of the year that the weeks of a schedule do not reach, or reach twice.
fn gap(schedule: Object<'_>) -> Option<String> {
    let mut said = [0_u8; 367];
    for group in schedule.values().skip(2).collect::<Vec<_>>().chunks(5) {
        let number = |at: usize| group.get(at).and_then(|text| text.trim().parse::<f64>().ok());
        let day = |at: usize| {
            let before = BEFORE.get((number(at)? as usize).checked_sub(1)?)?;
            Some(before + number(at + 1)? as u32)
        };
        let (Some(from), Some(until)) = (day(1), day(3)) else { continue };
        let days: Vec<u32> = if from <= until {
            (from..=until.min(366)).collect()
        } else {
            (1..=until.min(366)).chain(from..=366).collect()
        };
        for day in days {
            if let Some(slot) = said.get_mut(day as usize) {
                *slot = slot.saturating_add(1);
            }
        }
    }
    // 29 February may be left out
    let wrong =
        (1..=366).filter(|day| *day != 60).find(|day| said.get(*day).is_some_and(|times| *times != 1))?;
    let month = BEFORE.iter().rposition(|before| (*before as usize) < wrong)?;
    let day = wrong - *BEFORE.get(month)? as usize;
    let times = if said.get(wrong) == Some(&0) { "no week says" } else { "two weeks say" };
    Some(format!("{times} {}/{day}", month + 1))
}

/// Calls on every value that a schedule or a day of one can have; values that are no numbers are left out.
pub fn each_value(document: &Model<'_>, schedule: Object<'_>, on: &mut dyn FnMut(f64)) {
    let mut numbers = |values: &mut dyn Iterator<Item = &str>| {
        values.filter_map(|text| text.trim().parse::<f64>().ok()).for_each(&mut *on);
    };
    match schedule.type_name() {
        "Schedule:Constant" => numbers(&mut schedule.get("hourly_value").into_iter()),
        "Schedule:Day:Hourly" => numbers(&mut schedule.values().skip(2)),
        "Schedule:Day:List" => numbers(&mut schedule.values().skip(4)),
        "Schedule:Day:Interval" => numbers(&mut schedule.groups().filter_map(|group| group.get(1).copied())),
        "Schedule:Compact" => {
            let is_time = |text: &str| text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("until"));
            let values: Vec<&str> = schedule.values().skip(2).collect();
            let behind = values.windows(2).filter_map(|pair| match pair {
                [time, value] if is_time(time) => Some(*value),
                _ => None,
            });
            numbers(&mut behind.collect::<Vec<_>>().into_iter());
        }
        "Schedule:Year" => {
            let weeks: HashSet<&str> =
                schedule.values().skip(2).step_by(5).filter(|name| !name.is_empty()).collect();
            let mut days: HashSet<&str> = HashSet::default();
            for week in weeks {
                if let Some(week) = document.get("Schedule:Week:Daily", week) {
                    days.extend(week.values().skip(1));
                } else if let Some(week) = document.get("Schedule:Week:Compact", week) {
                    days.extend(week.groups().filter_map(|group| group.get(1).copied()));
                }
            }
            let types = ["Schedule:Day:Hourly", "Schedule:Day:Interval", "Schedule:Day:List"];
            for day in days.into_iter().filter(|name| !name.is_empty()) {
                if let Some(day) = types.iter().find_map(|name| document.get(name, day)) {
                    each_value(document, day, on);
                }
            }
        }
        _ => {}
    }
}

/// The least and the greatest value of a schedule; none where it says none in the model.
pub fn extent(document: &Model<'_>, schedule: Object<'_>) -> Option<(f64, f64)> {
    let mut found: Option<(f64, f64)> = None;
    each_value(document, schedule, &mut |value| {
        let (least, most) = found.unwrap_or((value, value));
        found = Some((least.min(value), most.max(value)));
    });
    found
}

/// A schedule by its name.
pub fn named<'a>(document: &Model<'a>, name: &str) -> Option<Object<'a>> {
    schedules::TYPES.iter().find_map(|type_name| document.get(type_name, name))
}

/// Reports values beyond the limits that a schedule names.
fn limits(document: &Model<'_>, schedule: Object<'_>, issues: &mut Vec<Issue>) {
    let named = value(schedule, "schedule_type_limits_name");
    let Some(limits) = document.get("ScheduleTypeLimits", named).filter(|_| !named.is_empty()) else {
        return;
    };
    let bounds = (limits.number("lower_limit_value"), limits.number("upper_limit_value"));
    if bounds == (None, None) {
        return;
    }
    let Some((least, most)) = extent(document, schedule) else { return };
    let beyond = match bounds {
        (Some(lower), _) if least < lower => format!("{least}, and must not be below {lower}"),
        (_, Some(upper)) if most > upper => format!("{most}, and must not be above {upper}"),
        _ => return,
    };
    let message = format!(
        "{} `{}` has the value {beyond}, by its limits `{named}`.",
        schedule.type_name(),
        schedule.name()
    );
    let objects = vec![Subject::from(schedule), Subject::from(limits)];
    let what = "Change the value, or give the schedule other limits (`Schedule Type Limits Name`).";
    issues.push(issue(Severity::Error, IssueKind::ScheduleValue, objects, message, what));
}

/// Reports schedules whose values cannot be what they are used for.
fn used(document: &Model<'_>, issues: &mut Vec<Issue>) {
    let mut known: HashMap<String, Option<(f64, f64)>> = HashMap::default();
    for (type_name, field, greatest) in BOUNDED {
        for object in document.of_type(type_name) {
            let name = value(object, field);
            let Some(schedule) = named(document, name) else { continue };
            let found = *known.entry(name.to_lowercase()).or_insert_with(|| extent(document, schedule));
            let Some((least, most)) = found else { continue };
            let beyond = if least < 0.0 {
                format!("{least}, below zero")
            } else if greatest.is_some_and(|greatest| most > greatest) {
                format!("{most}, above one")
            } else {
                continue;
            };
            let message = format!(
                "{type_name} `{}` goes by the schedule `{name}`, which has the value {beyond}.",
                object.name()
            );
            let both = vec![Subject::from(object), Subject::from(schedule)];
            let what = "Name another schedule, or change its values.";
            issues.push(issue(Severity::Error, IssueKind::ScheduleValue, both, message, what));
        }
    }
}
