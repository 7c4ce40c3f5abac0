//! From the objects of a schedule to the day that holds on each kind of day of each period.

use super::calendar::{DAY_TYPES, Day, date, ordinal};
use super::day::{DayProfile, Interpolation, minute};
use crate::days::is_leap;
use crate::idf::{Document, Object};

/// The most values that a file of a schedule may have: every minute of a leap year.
const MOST: usize = 366 * 1440;

/// The rules of a schedule, before they are laid on a year.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rules {
    /// One value.
    Constant(f64),
    /// Days by period and kind.
    Periods(Vec<Period>),
    /// The hours of a year, one after another.
    Hours(Vec<f64>),
}

/// A part of the year.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Period {
    /// First and last day, by their places in a leap year; the first may be after the last, around the year's end.
    from: u32,
    until: u32,
    /// The day for each kind; none where nothing is said, which counts as zero.
    days: [Option<DayProfile>; 12],
}

impl Rules {
    /// The day that holds.
    pub(super) fn day(&self, day: Day, kind: usize) -> Option<DayProfile> {
        match self {
            Self::Constant(value) => Some(DayProfile::constant(*value)),
            Self::Hours(_) => None,
            Self::Periods(periods) => {
                let at = day.ordinal();
                let holds = |period: &&Period| {
                    if period.from <= period.until {
                        (period.from..=period.until).contains(&at)
                    } else {
                        at >= period.from || at <= period.until
                    }
                };
                let period = periods.iter().find(holds)?;
                Some(period.days.get(kind)?.clone().unwrap_or_else(|| DayProfile::constant(0.0)))
            }
        }
    }

    /// The kinds of days of which some period says nothing; they count as zero.
    pub(super) fn unsaid(&self) -> Vec<&'static str> {
        let Self::Periods(periods) = self else { return Vec::new() };
        let is_unsaid =
            |kind: usize| periods.iter().any(|period| matches!(period.days.get(kind), Some(None)));
        DAY_TYPES.iter().enumerate().filter(|(kind, _)| is_unsaid(*kind)).map(|(_, name)| *name).collect()
    }
}

/// Reads the file that a schedule names; `None` where it is not at hand.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// Reads the rules of a schedule's object.
pub(super) fn rules(object: Object<'_>, read_file: ReadFile<'_>) -> Result<Rules, String> {
    let document = object.document();
    match object.type_name() {
        "Schedule:Constant" => Ok(Rules::Constant(number_or(object, "hourly_value", 0.0)?)),
        "Schedule:Compact" => compact(object),
        "Schedule:Year" => year(document, object),
        "Schedule:File" => file(object, read_file),
        other => Err(format!("values of {other} come from outside the model, while it runs")),
    }
}

fn number(text: &str) -> Result<f64, String> {
    text.trim()
        .parse::<f64>()
        .ok()
        .filter(|value| value.is_finite())
        .ok_or_else(|| format!("{text:?} is not a number"))
}

/// The number in a field, or the usual one where the field is empty.
fn number_or(object: Object<'_>, field: &str, usual: f64) -> Result<f64, String> {
    let text = object.get(field).map(str::trim).filter(|text| !text.is_empty());
    text.map_or(Ok(usual), |text| number(text).map_err(|why| format!("in {field} {why}")))
}

/// The text behind a word that opens a field, such as `Through:`.
fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word)
        .then(|| text.get(word.len()..).unwrap_or_default().trim_start_matches([':', ' ']))
}

/// Marks the kinds of days that a list names, as EnergyPlus looks for them: anywhere in the text.
fn mark(list: &str, taken: &mut [bool; 12]) -> Result<[bool; 12], String> {
    let list = list.to_ascii_uppercase();
    let mut marked = [false; 12];
    let mut set =
        |from: usize, to: usize| marked.iter_mut().take(to + 1).skip(from).for_each(|mark| *mark = true);
    let has = |word: &str| list.contains(word);
    if has("ALLDAY") {
        set(0, 11);
    }
    if has("WEEKDAY") {
        set(1, 5);
    }
    if has("WEEKEND") {
        set(0, 0);
        set(6, 6);
    }
    for (at, name) in DAY_TYPES.iter().enumerate() {
        if has(&name.to_ascii_uppercase()) {
            set(at, at);
        }
    }
    if has("SUMMER") {
        set(8, 8);
    }
    if has("WINTER") {
        set(9, 9);
    }
    if has("ALLOTHERDAY") {
        for (mark, taken) in marked.iter_mut().zip(taken.iter()) {
            *mark |= !taken;
        }
    } else if !marked.contains(&true) {
        return Err(format!("no kind of day is named in {list:?}"));
    }
    for (mark, taken) in marked.iter().zip(taken.iter_mut()) {
        *taken |= mark;
    }
    Ok(marked)
}

/// The state of reading a compact schedule.
struct Compact {
    periods: Vec<Period>,
    from: u32,
    until: Option<u32>,
    days: [Option<DayProfile>; 12],
    taken: [bool; 12],
    /// The kinds of days whose times are being read.
    marked: Option<[bool; 12]>,
    intervals: Vec<(usize, f64)>,
    interpolation: Interpolation,
}

impl Compact {
    /// Ends the day that is being read.
    fn end_day(&mut self) -> Result<(), String> {
        let Some(marked) = self.marked.take() else { return Ok(()) };
        let profile = DayProfile::until(std::mem::take(&mut self.intervals), self.interpolation)?;
        for (day, _) in self.days.iter_mut().zip(marked).filter(|(_, mark)| *mark) {
            *day = Some(profile.clone());
        }
        Ok(())
    }

    /// Ends the period that is being read.
    fn end_period(&mut self) -> Result<(), String> {
        self.end_day()?;
        if let Some(until) = self.until.take() {
            let days = std::mem::take(&mut self.days);
            self.periods.push(Period { from: self.from, until, days });
            self.from = until + 1;
        }
        self.taken = [false; 12];
        Ok(())
    }
}

fn compact(object: Object<'_>) -> Result<Rules, String> {
    let mut state = Compact {
        periods: Vec::new(),
        from: 1,
        until: None,
        days: std::array::from_fn(|_| None),
        taken: [false; 12],
        marked: None,
        intervals: Vec::new(),
        interpolation: Interpolation::No,
    };
    let mut time: Option<usize> = None;
    for text in object.values().skip(2).map(str::trim).filter(|text| !text.is_empty()) {
        if let Some(minute) = time.take() {
            state.intervals.push((minute, number(text)?));
        } else if let Some(rest) = after(text, "through") {
            state.end_period()?;
            let (month, day) =
                date(rest, None).ok_or_else(|| format!("{text:?} has no date that is understood"))?;
            let until = ordinal(month, day);
            if until < state.from {
                return Err(format!("{text:?} goes back in the year"));
            }
            state.until = Some(until);
            state.interpolation = Interpolation::No;
        } else if let Some(rest) = after(text, "for") {
            state.end_day()?;
            state.marked = Some(mark(rest, &mut state.taken)?);
            state.interpolation = Interpolation::No;
        } else if let Some(rest) = after(text, "interpolate") {
            state.interpolation = Interpolation::from_word(rest);
        } else if after(text, "until").is_some() {
            time = Some(minute(text).ok_or_else(|| format!("{text:?} has no time that is understood"))?);
        } else {
            return Err(format!("{text:?} is none of Through, For, Interpolate, Until and a value"));
        }
    }
    state.end_period()?;
    if state.from != 367 {
        return Err("its periods do not reach to 31 December".to_owned());
    }
    Ok(Rules::Periods(state.periods))
}

fn year(document: &Document, object: Object<'_>) -> Result<Rules, String> {
    let mut periods = Vec::new();
    // behind the name and the limits; in 8.9 they are not yet groups that repeat
    let values: Vec<&str> = object.values().skip(2).collect();
    for group in values.chunks(5).filter(|group| group.iter().any(|value| !value.is_empty())) {
        let part = |at: usize| group.get(at).copied().unwrap_or_default().trim();
        let on = |at: usize| {
            let text = format!("{}/{}", number(part(at))?, number(part(at + 1))?);
            date(&text, None)
                .map(|(month, day)| ordinal(month, day))
                .ok_or_else(|| format!("{text} is no date"))
        };
        let days = week(document, part(0))?;
        let (from, until) = (on(1)?, on(3)?);
        periods.push(Period { from, until, days });
    }
    Ok(Rules::Periods(periods))
}

fn week(document: &Document, name: &str) -> Result<[Option<DayProfile>; 12], String> {
    let mut days: [Option<DayProfile>; 12] = std::array::from_fn(|_| None);
    if let Some(object) = document.get("Schedule:Week:Daily", name) {
        for (slot, name) in days.iter_mut().zip(object.values().skip(1)) {
            *slot = Some(day(document, name)?);
        }
    } else if let Some(object) = document.get("Schedule:Week:Compact", name) {
        let mut taken = [false; 12];
        for group in object.groups().filter(|group| group.iter().any(|value| !value.is_empty())) {
            let list = group.first().copied().unwrap_or_default();
            let marked = mark(after(list.trim(), "for").unwrap_or(list), &mut taken)?;
            let profile = day(document, group.get(1).copied().unwrap_or_default())?;
            for (slot, _) in days.iter_mut().zip(marked).filter(|(_, mark)| *mark) {
                *slot = Some(profile.clone());
            }
        }
    } else {
        return Err(format!("there is no week {name:?}"));
    }
    Ok(days)
}

fn day(document: &Document, name: &str) -> Result<DayProfile, String> {
    let numbers = |object: Object<'_>, from: usize| -> Result<Vec<f64>, String> {
        let texts: Vec<&str> = object.values().skip(from).collect();
        let used = texts.iter().rposition(|text| !text.is_empty()).map_or(0, |last| last + 1);
        // a blank value between others is zero to the program
        texts
            .into_iter()
            .take(used)
            .map(|text| if text.is_empty() { Ok(0.0) } else { number(text) })
            .collect()
    };
    let read = if let Some(object) = document.get("Schedule:Day:Hourly", name) {
        let mut hours = numbers(object, 2)?;
        hours.resize(24, 0.0);
        DayProfile::equal(&hours, 60, Interpolation::No)
    } else if let Some(object) = document.get("Schedule:Day:Interval", name) {
        let mut intervals = Vec::new();
        for group in object.groups().filter(|group| group.iter().any(|value| !value.is_empty())) {
            let part = |at: usize| group.get(at).copied().unwrap_or_default();
            let until = minute(part(0)).ok_or_else(|| format!("{:?} is no time", part(0)))?;
            intervals.push((until, number(part(1))?));
        }
        DayProfile::until(
            intervals,
            Interpolation::from_word(object.get("interpolate_to_timestep").unwrap_or_default()),
        )
    } else if let Some(object) = document.get("Schedule:Day:List", name) {
        let how = Interpolation::from_word(object.get("interpolate_to_timestep").unwrap_or_default());
        let minutes = object.number("minutes_per_item").filter(|minutes| *minutes >= 1.0);
        let values = numbers(object, 4)?;
        let minutes = minutes.map_or_else(|| 1440 / values.len().max(1), |minutes| minutes as usize);
        DayProfile::equal(&values, minutes, how)
    } else {
        return Err(format!("there is no day {name:?}"));
    };
    read.map_err(|why| format!("in the day {name:?} {why}"))
}

fn file(object: Object<'_>, read_file: ReadFile<'_>) -> Result<Rules, String> {
    let name = object.get("file_name").unwrap_or_default();
    let Some(bytes) = read_file(name) else {
        return Err(format!(
            "its values are in the file {name:?}, which is not at hand: send it under that name, without its folders"
        ));
    };
    let text = String::from_utf8_lossy(&bytes);
    let whole =
        |field: &str, usual: f64| number_or(object, field, usual).map(|value| value.max(0.0) as usize);
    let said = object.get("column_separator").unwrap_or_default().trim().to_ascii_lowercase();
    let separator = match said.as_str() {
        "" | "comma" => ',',
        "tab" => '\t',
        "space" => ' ',
        "semicolon" => ';',
        other => return Err(format!("{other:?} separates no columns: Comma, Tab, Space and Semicolon do")),
    };
    let column = whole("column_number", 1.0)?.max(1) - 1;
    let per_item = whole("minutes_per_item", 60.0)?.clamp(1, 60);
    if !60_usize.is_multiple_of(per_item) {
        return Err(format!("{per_item} minutes for an item do not divide an hour"));
    }
    let skipped = whole("rows_to_skip_at_top", 0.0)?;
    let wanted = (whole("number_of_hours_of_data", 8760.0)?.saturating_mul(60) / per_item).min(MOST);
    let mut values = Vec::new();
    for (row, line) in text.lines().enumerate().skip(skipped).take(wanted) {
        let cell = line.split(separator).nth(column).unwrap_or_default();
        let value = number(cell);
        values.push(
            value.map_err(|why| format!("in row {}, column {} of {name:?} {why}", row + 1, column + 1))?,
        );
    }
    if values.len() < wanted {
        return Err(format!("the file {name:?} has {} values, not {wanted}", values.len()));
    }
    // items that are shorter than a time step, or across its end, count as those of a day's list do
    let how = Interpolation::from_word(object.get("interpolate_to_timestep").unwrap_or_default());
    let steps = super::steps_per_hour(object.document());
    let mut hours = Vec::with_capacity(wanted * per_item / 60);
    for day in values.chunks(24 * 60 / per_item) {
        hours.extend(DayProfile::equal(day, per_item, how)?.hours(steps));
    }
    Ok(Rules::Hours(hours))
}

/// The hours of a file laid on the days of a year: 29 February is that of the file, or the day before it.
pub(super) fn hours_on(days: &[Day], hours: &[f64], year: i32) -> Vec<[f64; 24]> {
    let has_leap_day = hours.len() >= 8784;
    let of_day = |day: &Day| {
        let mut at = day.ordinal() as usize - 1;
        if !has_leap_day && day.ordinal() >= 60 {
            at -= 1;
        }
        let mut values = [0.0; 24];
        for (slot, value) in values.iter_mut().zip(hours.iter().skip(at * 24)) {
            *slot = *value;
        }
        values
    };
    debug_assert!(days.len() == if is_leap(year) { 366 } else { 365 }, "a calendar has all its days");
    days.iter().map(of_day).collect()
}
