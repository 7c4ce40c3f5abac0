//! What a weather file comes to: how warm, how sunny, how windy, by month and in the year; degree days from daily means.

use super::ddy::DesignDay;
use super::epw::{DesignConditions, Epw, GroundTemperatures, Holidays, Location, Record, TypicalPeriod};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A summary of a weather file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WeatherSummary {
    /// The place.
    pub location: Location,
    /// The number of intervals.
    pub records: usize,
    /// The number of intervals in an hour.
    pub per_hour: u32,
    /// True if there is a 29 February.
    pub leap_year: bool,
    /// Dry bulb, in °C.
    pub dry_bulb_c: Range,
    /// Wind, in m/s.
    pub wind_m_s: Range,
    /// Sun of the year on the horizontal, in kWh/m².
    pub global_kwh_m2: f64,
    /// Sun of the year in its beam, in kWh/m².
    pub direct_kwh_m2: f64,
    /// Sky of the year on the horizontal, in kWh/m².
    pub diffuse_kwh_m2: f64,
    /// Degree days.
    pub degree_days: DegreeDays,
    /// January to December, where there are data.
    pub months: Vec<Month>,
    /// Design conditions of the heading, the first source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<Design>,
    /// Typical and extreme periods.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub typical: Vec<TypicalPeriod>,
    /// Temperatures of the ground.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ground: Vec<GroundTemperatures>,
    /// Holidays and daylight saving.
    pub holidays: Holidays,
    /// Climate types of the statistics that came with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub climate: Vec<ClimateType>,
    /// Design days that came with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub design_days: Vec<DesignDay>,
    /// Notes on what is missing or odd.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A class of climate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClimateType {
    /// Its name, such as `5B`.
    pub name: String,
    /// The system of classes, such as `ASHRAE Standard 196-2006 Climate Zone`.
    pub system: String,
}

impl ClimateType {
    /// The classes that a STAT file states, in lines such as `- Climate type "5B" (ASHRAE Standard 196-2006 Climate Zone)**`.
    pub fn stated(statistics: &[u8]) -> Vec<Self> {
        let text = String::from_utf8_lossy(statistics);
        let read = |line: &str| {
            let rest = line.trim().trim_start_matches('-').trim().strip_prefix("Climate type \"")?;
            let (name, rest) = rest.split_once('"')?;
            let system = rest.trim().trim_start_matches('(').split_once(')')?.0;
            // the files are of another alphabet, and the one word that shows it is a name
            let system = if system.ends_with("ppen classification") { "Köppen" } else { system };
            Some(Self { name: name.chars().take(20).collect(), system: system.chars().take(80).collect() })
        };
        text.lines().filter_map(read).take(8).collect()
    }
}

/// Least, most and mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// Least.
    pub minimum: f64,
    /// Most.
    pub maximum: f64,
    /// Mean.
    pub mean: f64,
}

/// A month.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Month {
    /// Its number, from 1.
    pub month: u32,
    /// Dry bulb, in °C.
    pub dry_bulb_c: Range,
    /// Mean humidity, in percent.
    pub humidity_percent: f64,
    /// Sun on the horizontal, in kWh/m².
    pub global_kwh_m2: f64,
    /// Mean wind, in m/s.
    pub wind_m_s: f64,
}

/// Degree days, in K·d.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DegreeDays {
    /// Heating, below 18 °C.
    pub hdd18: f64,
    /// Heating, below 10 °C.
    pub hdd10: f64,
    /// Cooling, above 10 °C.
    pub cdd10: f64,
    /// Cooling, above 18 °C.
    pub cdd18: f64,
}

/// Design conditions, in °C.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Design {
    /// Their source.
    pub title: String,
    /// Dry bulb that is colder in 0.4 % of the year.
    pub heating_996_c: Option<f64>,
    /// Dry bulb that is colder in 1 % of the year.
    pub heating_990_c: Option<f64>,
    /// Dry bulb that is warmer in 0.4 % of the year, and the wet bulb with it.
    pub cooling_004_c: (Option<f64>, Option<f64>),
    /// Dry bulb that is warmer in 1 % of the year, and the wet bulb with it.
    pub cooling_010_c: (Option<f64>, Option<f64>),
    /// Dry bulb that is warmer in 2 % of the year, and the wet bulb with it.
    pub cooling_020_c: (Option<f64>, Option<f64>),
    /// The mean daily range of the hottest month, in K.
    pub daily_range_k: Option<f64>,
}

impl Epw {
    /// Degree days below and above a base, in K·d, from the means of the days.
    pub fn degree_days(&self, base: f64) -> (f64, f64) {
        let mut sums = (0.0, 0.0);
        for day in self.records.chunk_by(|a, b| (a.month, a.day) == (b.month, b.day)) {
            if let Some(range) = range(day, |record| record.dry_bulb) {
                sums.0 += (base - range.mean).max(0.0);
                sums.1 += (range.mean - base).max(0.0);
            }
        }
        (round(sums.0, 1), round(sums.1, 1))
    }

    /// The summary.
    pub fn summary(&self) -> WeatherSummary {
        let records = &self.records;
        let none = Range { minimum: 0.0, maximum: 0.0, mean: 0.0 };
        let (hdd18, cdd18) = self.degree_days(18.0);
        let (hdd10, cdd10) = self.degree_days(10.0);
        WeatherSummary {
            location: self.location.clone(),
            records: records.len(),
            per_hour: self.per_hour,
            leap_year: self.is_leap(),
            dry_bulb_c: range(records, |record| record.dry_bulb).map_or(none, |range| range.rounded(1)),
            wind_m_s: range(records, |record| record.wind_speed).map_or(none, |range| range.rounded(2)),
            global_kwh_m2: self.sun(records, |record| record.global),
            direct_kwh_m2: self.sun(records, |record| record.direct),
            diffuse_kwh_m2: self.sun(records, |record| record.diffuse),
            degree_days: DegreeDays { hdd18, hdd10, cdd10, cdd18 },
            months: (1..=12).filter_map(|month| self.month(month)).collect(),
            design: self.design.iter().find(|set| set.heating.len() > 2).map(design),
            typical: self.typical.clone(),
            ground: self.ground.clone(),
            holidays: self.holidays.clone(),
            climate: Vec::new(),
            design_days: Vec::new(),
            notes: self.notes(),
        }
    }

    fn month(&self, month: u32) -> Option<Month> {
        let of_month: Vec<Record> =
            self.records.iter().filter(|record| record.month == month).copied().collect();
        let mean = |value: fn(&Record) -> f64| range(&of_month, value).map_or(0.0, |range| range.mean);
        Some(Month {
            month,
            dry_bulb_c: range(&of_month, |record| record.dry_bulb)?.rounded(1),
            humidity_percent: round(mean(|record| record.humidity), 1),
            global_kwh_m2: self.sun(&of_month, |record| record.global),
            wind_m_s: round(mean(|record| record.wind_speed), 2),
        })
    }

    /// The sum of a radiation, which stands as Wh/m² of an hour in each interval.
    fn sun(&self, records: &[Record], value: impl Fn(&Record) -> f64) -> f64 {
        let sum: f64 = records.iter().map(value).filter(|value| value.is_finite()).sum();
        round(sum / f64::from(self.per_hour) / 1000.0, 1)
    }

    fn notes(&self) -> Vec<String> {
        type Column = fn(&Record) -> f64;
        let columns: [(&str, Column); 8] = [
            ("dry bulb", |record| record.dry_bulb),
            ("dew point", |record| record.dew_point),
            ("humidity", |record| record.humidity),
            ("pressure", |record| record.pressure),
            ("direct radiation", |record| record.direct),
            ("diffuse radiation", |record| record.diffuse),
            ("wind speed", |record| record.wind_speed),
            ("wind direction", |record| record.wind_direction),
        ];
        let mut notes = Vec::new();
        for (name, value) in columns {
            let missing = self.records.iter().filter(|record| value(record).is_nan()).count();
            if missing > 0 {
                notes.push(format!(
                    "{name} is missing in {missing} intervals; EnergyPlus takes the value before."
                ));
            }
        }
        if self.design.is_empty() {
            notes
                .push("The heading has no design conditions; take design days from the DDY file.".to_owned());
        }
        notes
    }
}

fn design(set: &DesignConditions) -> Design {
    let of = |values: &[f64], at: usize| values.get(at).copied().filter(|value| value.is_finite());
    let pair = |at| (of(&set.cooling, at), of(&set.cooling, at + 1));
    Design {
        title: set.title.clone(),
        heating_996_c: of(&set.heating, 1),
        heating_990_c: of(&set.heating, 2),
        cooling_004_c: pair(2),
        cooling_010_c: pair(4),
        cooling_020_c: pair(6),
        daily_range_k: of(&set.cooling, 1),
    }
}

/// Of the values that are there; `None` if there are none.
fn range(records: &[Record], value: impl Fn(&Record) -> f64) -> Option<Range> {
    let (mut low, mut high, mut sum, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0_u32);
    for value in records.iter().map(value).filter(|value| value.is_finite()) {
        low = low.min(value);
        high = high.max(value);
        sum += value;
        count += 1;
    }
    (count > 0).then(|| Range { minimum: low, maximum: high, mean: sum / f64::from(count) })
}

impl Range {
    fn rounded(self, digits: i32) -> Self {
        Self { mean: round(self.mean, digits), ..self }
    }
}

fn round(value: f64, digits: i32) -> f64 {
    let factor = 10_f64.powi(digits);
    (value * factor).round() / factor
}
