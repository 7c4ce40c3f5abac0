//! EPW: eight lines of heading, then one line for each interval, as EnergyPlus' own documents describe them.
//!
//! Times are the place's standard time; hour 1 is the hour that ends at 01:00. A value that its file says to be missing
//! (999 and its like, a code of its own in every column) is not a number here, never a temperature of 99.9 degrees. A
//! month may come from another year than the next. What EnergyPlus would refuse is refused, with its line.

use crate::days::{days_in, ordinal};
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The place of a weather file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Location {
    /// The place.
    pub city: String,
    /// State or province.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub state: String,
    /// Country.
    pub country: String,
    /// The source of the data, such as `TMY3`.
    pub source: String,
    /// The station's number of the World Meteorological Organization.
    pub wmo: String,
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// Hours ahead of UTC.
    pub time_zone: f64,
    /// Metres above the sea.
    pub elevation_m: f64,
}

/// Design conditions as the heading has them.
#[derive(Debug, Clone, PartialEq)]
pub struct DesignConditions {
    /// Their source.
    pub title: String,
    /// Values of the heating part, in the handbook's order; missing ones are not numbers.
    pub heating: Vec<f64>,
    /// Values of the cooling part.
    pub cooling: Vec<f64>,
    /// Values of the part about extremes.
    pub extremes: Vec<f64>,
}

/// A typical or extreme week or season.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TypicalPeriod {
    /// Its name.
    pub name: String,
    /// `Typical` or `Extreme`.
    pub kind: String,
    /// First day, as month/day.
    pub start: String,
    /// Last day.
    pub end: String,
}

/// Monthly temperatures of the ground at one depth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroundTemperatures {
    /// Depth in m.
    pub depth_m: f64,
    /// January to December, in °C.
    pub monthly_c: Vec<f64>,
}

/// Holidays and daylight saving.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Holidays {
    /// True if February has 29 days.
    pub leap_year: bool,
    /// First day of daylight saving; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daylight_saving_start: Option<String>,
    /// Its last day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daylight_saving_end: Option<String>,
    /// Names and days.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub days: Vec<(String, String)>,
}

/// A stretch of data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DataPeriod {
    /// Its name.
    pub name: String,
    /// The weekday it begins on.
    pub weekday: String,
    /// First day, as month/day.
    pub start: String,
    /// Last day.
    pub end: String,
}

/// One interval. Missing values are not numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// Year of the measurement.
    pub year: i32,
    /// Month, from 1.
    pub month: u32,
    /// Day of the month.
    pub day: u32,
    /// Hour that ends the interval's hour, 1 to 24.
    pub hour: u32,
    /// Minute, as the file has it: 0 or 60 at the end of an hour.
    pub minute: u32,
    /// °C.
    pub dry_bulb: f64,
    /// °C.
    pub dew_point: f64,
    /// Percent.
    pub humidity: f64,
    /// Pa.
    pub pressure: f64,
    /// Wh/m² from the sky, infrared, on the horizontal.
    pub infrared: f64,
    /// Wh/m² on the horizontal.
    pub global: f64,
    /// Wh/m² of the beam, facing the sun.
    pub direct: f64,
    /// Wh/m² of the sky, on the horizontal.
    pub diffuse: f64,
    /// Degrees from north.
    pub wind_direction: f64,
    /// m/s.
    pub wind_speed: f64,
    /// Tenths of the sky.
    pub sky_cover: f64,
    /// cm.
    pub snow_depth: f64,
    /// mm.
    pub precipitation: f64,
}

/// A weather file.
#[derive(Debug, Clone, PartialEq)]
pub struct Epw {
    /// The place.
    pub location: Location,
    /// Design conditions, if the heading has any.
    pub design: Vec<DesignConditions>,
    /// Typical and extreme periods.
    pub typical: Vec<TypicalPeriod>,
    /// Temperatures of the ground.
    pub ground: Vec<GroundTemperatures>,
    /// Holidays and daylight saving.
    pub holidays: Holidays,
    /// The comments of its makers.
    pub comments: Vec<String>,
    /// Intervals in an hour.
    pub per_hour: u32,
    /// Stretches of data.
    pub periods: Vec<DataPeriod>,
    /// The data, in order.
    pub records: Vec<Record>,
}

/// The most bytes of a file that is read: ten years of minutes are more than anybody has.
const LARGEST: usize = 256 << 20;
/// The number of columns that a line needs: to wind speed, beyond which EnergyPlus has values of its own.
const COLUMNS: usize = 22;

impl Epw {
    /// Reads a file; a Fault names the line that cannot be read.
    pub fn read(bytes: &[u8]) -> Result<Self, Fault> {
        if bytes.len() > LARGEST {
            return Err(Fault::new(FaultCode::LimitReached, "This weather file is larger than 256 MB."));
        }
        // older files have places in Latin-1; only names are not ASCII
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut lines = text.lines().enumerate();
        let mut epw = heading(&mut lines)?;
        let mut last: Option<Record> = None;
        let mut within = 0;
        for (number, line) in lines {
            if line.trim().is_empty() {
                continue;
            }
            let record = record(line, number + 1)?;
            within =
                follows(last.as_ref(), &record, within, epw.per_hour).map_err(|why| bad(number + 1, &why))?;
            last = Some(record);
            epw.records.push(record);
        }
        epw.check_length()?;
        Ok(epw)
    }

    /// Reads the heading alone, of as much of a file's beginning as is at hand; without intervals.
    pub fn read_heading(bytes: &[u8]) -> Result<Self, Fault> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        heading(&mut text.lines().enumerate())
    }

    /// True if the data have a 29 February.
    pub fn is_leap(&self) -> bool {
        self.records.iter().any(|record| (record.month, record.day) == (2, 29))
    }

    /// Checks that as many intervals came as the heading says.
    fn check_length(&self) -> Result<(), Fault> {
        let leap = self.is_leap() || self.holidays.leap_year;
        let mut days = 0;
        for period in &self.periods {
            let (Some(start), Some(end)) = (day_of(&period.start, leap), day_of(&period.end, leap)) else {
                // dates by weekday or with years: the length is not known from here
                return Ok(());
            };
            days += if end >= start { end - start + 1 } else { end + 1 + 365 + u32::from(leap) - start };
        }
        // a file may call its year a leap year and leave the day out, as EnergyPlus lets it
        let expected = days as usize * 24 * self.per_hour as usize;
        let short = expected.saturating_sub(24 * self.per_hour as usize);
        let found = self.records.len();
        if found == expected || (leap && !self.is_leap() && found == short) || self.periods.is_empty() {
            return Ok(());
        }
        let ends = self
            .records
            .last()
            .map(|last| format!(", the last for {:02}-{:02} hour {}", last.month, last.day, last.hour));
        Err(Fault::new(
            FaultCode::UnreadableFile,
            format!(
                "The heading says {expected} intervals of data, and there are {found}{}. The file is cut off or its \
                 DATA PERIODS line is wrong.",
                ends.unwrap_or_default()
            ),
        )
        .with("expected", expected)
        .with("found", found))
    }
}

fn bad(line: usize, why: &str) -> Fault {
    Fault::new(FaultCode::UnreadableFile, format!("Line {line} of the weather file: {why}"))
        .with("line", line)
}

type Lines<'a> = std::iter::Enumerate<std::str::Lines<'a>>;

fn heading(lines: &mut Lines) -> Result<Epw, Fault> {
    let mut epw: Option<Epw> = None;
    for (number, line) in lines.take(64) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let word = fields.first().map(|word| word.to_uppercase()).unwrap_or_default();
        let Some(epw) = &mut epw else {
            if word != "LOCATION" {
                return Err(bad(number + 1, "it must begin with LOCATION; this is not an EPW file."));
            }
            epw = Some(empty(location(&fields, number + 1)?));
            continue;
        };
        match word.as_str() {
            "DESIGN CONDITIONS" => epw.design = design(&fields),
            "TYPICAL/EXTREME PERIODS" => epw.typical = typical(&fields),
            "GROUND TEMPERATURES" => epw.ground = ground(&fields),
            "HOLIDAYS/DAYLIGHT SAVINGS" | "HOLIDAYS/DAYLIGHT SAVING" => epw.holidays = holidays(&fields),
            "COMMENTS 1" | "COMMENTS 2" => {
                let said = line.split_once(',').map(|(_, rest)| rest.trim()).unwrap_or_default();
                if !said.is_empty() {
                    epw.comments.push(said.to_owned());
                }
            }
            "DATA PERIODS" => {
                (epw.per_hour, epw.periods) = periods(&fields, number + 1)?;
                return Ok(epw.clone());
            }
            "" => {}
            _ => return Err(bad(number + 1, &format!("{word:.40} is not a line of the heading."))),
        }
    }
    Err(Fault::new(
        FaultCode::UnreadableFile,
        "The weather file has no heading that ends with DATA PERIODS; it is empty or not an EPW file.",
    ))
}

fn empty(location: Location) -> Epw {
    Epw {
        location,
        design: Vec::new(),
        typical: Vec::new(),
        ground: Vec::new(),
        holidays: Holidays::default(),
        comments: Vec::new(),
        per_hour: 1,
        periods: Vec::new(),
        records: Vec::new(),
    }
}

fn location(fields: &[&str], line: usize) -> Result<Location, Fault> {
    let text = |at: usize| fields.get(at).copied().unwrap_or_default().to_owned();
    let number = |at: usize, name: &str, low: f64, high: f64| {
        let value: f64 = fields.get(at).and_then(|field| field.parse().ok()).unwrap_or(f64::NAN);
        if (low..=high).contains(&value) {
            Ok(value)
        } else {
            Err(bad(line, &format!("the {name} must be a number from {low} to {high}.")))
        }
    };
    Ok(Location {
        city: text(1),
        state: text(2),
        country: text(3),
        source: text(4),
        wmo: text(5),
        latitude: number(6, "latitude", -90.0, 90.0)?,
        longitude: number(7, "longitude", -180.0, 180.0)?,
        time_zone: number(8, "time zone", -14.0, 14.0)?,
        elevation_m: number(9, "elevation", -1000.0, 9999.9)?,
    })
}

/// Title, an empty field, then `Heating`, `Cooling` and `Extremes`, each before its values.
fn design(fields: &[&str]) -> Vec<DesignConditions> {
    let mut sets: Vec<DesignConditions> = Vec::new();
    let mut into = 0;
    let mut title = "";
    for field in fields.iter().skip(2) {
        match *field {
            "Heating" => {
                let empty = Vec::new;
                sets.push(DesignConditions {
                    title: title.to_owned(),
                    heating: empty(),
                    cooling: empty(),
                    extremes: empty(),
                });
                into = 1;
            }
            "Cooling" => into = 2,
            "Extremes" => into = 3,
            value => {
                let number = value.parse().unwrap_or(f64::NAN);
                match (into, sets.last_mut()) {
                    (1, Some(set)) => set.heating.push(number),
                    (2, Some(set)) => set.cooling.push(number),
                    (3, Some(set)) => set.extremes.push(number),
                    _ if !value.is_empty() => title = value,
                    _ => {}
                }
            }
        }
    }
    sets
}

fn typical(fields: &[&str]) -> Vec<TypicalPeriod> {
    let of = |part: &[&str]| match part {
        [name, kind, start, end] => Some(TypicalPeriod {
            name: (*name).to_owned(),
            kind: (*kind).to_owned(),
            start: date(start),
            end: date(end),
        }),
        _ => None,
    };
    fields.get(2..).unwrap_or_default().chunks(4).filter_map(of).collect()
}

/// ` 7/ 6` → `7/6`.
fn date(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

/// Depth, three properties of the soil, twelve months; as often as the count says.
fn ground(fields: &[&str]) -> Vec<GroundTemperatures> {
    let mut out = Vec::new();
    for part in fields.get(2..).unwrap_or_default().chunks(16) {
        let depth = part.first().and_then(|field| field.parse().ok());
        let months: Vec<f64> =
            part.get(4..).unwrap_or_default().iter().filter_map(|field| field.parse().ok()).collect();
        if let (Some(depth_m), 12) = (depth, months.len()) {
            out.push(GroundTemperatures { depth_m, monthly_c: months });
        }
    }
    out
}

fn holidays(fields: &[&str]) -> Holidays {
    let text = |at: usize| fields.get(at).copied().unwrap_or_default();
    let day = |at: usize| Some(date(text(at))).filter(|day| !day.is_empty() && day != "0");
    let pairs = fields.get(5..).unwrap_or_default().chunks(2).filter_map(|pair| match pair {
        [name, day] if !name.is_empty() => Some(((*name).to_owned(), date(day))),
        _ => None,
    });
    Holidays {
        leap_year: text(1).eq_ignore_ascii_case("yes"),
        daylight_saving_start: day(2),
        daylight_saving_end: day(3),
        days: pairs.collect(),
    }
}

fn periods(fields: &[&str], line: usize) -> Result<(u32, Vec<DataPeriod>), Fault> {
    let per_hour: u32 = fields.get(2).and_then(|field| field.parse().ok()).unwrap_or(0);
    if !(1..=60).contains(&per_hour) || 60 % per_hour != 0 {
        return Err(bad(line, "records for each hour must be a number that divides 60."));
    }
    let of = |part: &[&str]| match part {
        [name, weekday, start, end] => Some(DataPeriod {
            name: (*name).to_owned(),
            weekday: (*weekday).to_owned(),
            start: date(start),
            end: date(end),
        }),
        _ => None,
    };
    let found: Vec<DataPeriod> = fields.get(3..).unwrap_or_default().chunks(4).filter_map(of).collect();
    let said: usize = fields.get(1).and_then(|field| field.parse().ok()).unwrap_or(0);
    if found.is_empty() || said > found.len() {
        return Err(bad(line, "it says of fewer data periods than it counts."));
    }
    Ok((per_hour, found))
}

/// The codes of missing values, by column.
const MISSING: [(usize, f64); 13] = [
    (6, 99.9),
    (7, 99.9),
    (8, 999.0),
    (9, 999_999.0),
    (12, 9999.0),
    (13, 9999.0),
    (14, 9999.0),
    (15, 9999.0),
    (20, 999.0),
    (21, 999.0),
    (22, 99.0),
    (30, 999.0),
    (33, 999.0),
];

fn record(line: &str, number: usize) -> Result<Record, Fault> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    if fields.len() < COLUMNS {
        return Err(bad(
            number,
            &format!("it has {} columns; the first {COLUMNS}, to wind speed, are needed.", fields.len()),
        ));
    }
    let whole = |at: usize, name: &str, low: u32, high: u32| {
        let value = fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(f64::NAN);
        if value.fract() == 0.0 && (f64::from(low)..=f64::from(high)).contains(&value) {
            Ok(value as u32)
        } else {
            let said = fields.get(at).copied().unwrap_or_default();
            Err(bad(number, &format!("the {name} must be from {low} to {high}, not {said:.20}.")))
        }
    };
    let mut values = [f64::NAN; MISSING.len()];
    for ((at, code), value) in MISSING.iter().zip(&mut values) {
        let text = fields.get(*at).copied().unwrap_or_default();
        if text.is_empty() {
            continue;
        }
        let found: f64 = text
            .parse()
            .ok()
            .filter(|found: &f64| found.is_finite())
            .ok_or_else(|| bad(number, &format!("column {} is not a number but {text:.20}.", at + 1)))?;
        if found < *code {
            *value = found;
        }
    }
    let month = whole(1, "month", 1, 12)?;
    let [
        dry_bulb,
        dew_point,
        humidity,
        pressure,
        infrared,
        global,
        direct,
        diffuse,
        wind_direction,
        wind_speed,
        sky_cover,
        snow_depth,
        precipitation,
    ] = values;
    Ok(Record {
        year: whole(0, "year", 0, 9999)? as i32,
        month,
        day: whole(2, "day", 1, days_in(month, true))?,
        hour: whole(3, "hour", 1, 24)?,
        minute: whole(4, "minute", 0, 60)?,
        dry_bulb,
        dew_point,
        humidity,
        pressure,
        infrared,
        global,
        direct,
        diffuse,
        wind_direction,
        wind_speed,
        sky_cover,
        snow_depth,
        precipitation,
    })
}

/// Checks that an interval comes next, and returns the number of intervals of its hour with it.
fn follows(last: Option<&Record>, next: &Record, within: u32, per_hour: u32) -> Result<u32, String> {
    let Some(last) = last else { return Ok(1) };
    let hour = |record: &Record| (record.month, record.day, record.hour);
    if hour(last) == hour(next) {
        let count = within + 1;
        return if count <= per_hour {
            Ok(count)
        } else {
            Err(format!("the hour has more than the {per_hour} intervals that the heading says."))
        };
    }
    if within != per_hour {
        return Err(format!("the hour before it has {within} intervals instead of {per_hour}."));
    }
    let same_day = (last.month, last.day) == (next.month, next.day) && next.hour == last.hour + 1;
    // a period may begin anywhere, but always with the first hour of a day
    let new_day = last.hour == 24 && next.hour == 1;
    if same_day || new_day {
        return Ok(1);
    }
    Err(format!(
        "after {:02}-{:02} hour {} comes {:02}-{:02} hour {}; hours are missing or out of order.",
        last.month, last.day, last.hour, next.month, next.day, next.hour
    ))
}

/// `1/1` or ` 1/ 1` as a day of the year, from 0.
pub(crate) fn day_of(text: &str, leap: bool) -> Option<u32> {
    let (month, day) = text.split_once('/')?;
    let (month, day): (u32, u32) = (month.trim().parse().ok()?, day.trim().parse().ok()?);
    Some(ordinal(month, day, leap)? - 1)
}
