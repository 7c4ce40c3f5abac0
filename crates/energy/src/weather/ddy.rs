//! DDY: the design days of a place as objects of a model, and which of them a model is sized with.
//!
//! A file has some twenty of them, for warm and cold, damp and windy, at several percentages, and usually only two are
//! wanted: the coldest 99.6 % for heating and the warmest 0.4 % by dry bulb for cooling. Which is which is only said in
//! the names (`Ann Htg 99.6% Condns DB`), so the names are read.

use crate::idf::Document;
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The purpose of a design day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Heating: a winter day by dry bulb.
    Heating,
    /// Cooling: a summer day by dry bulb.
    Cooling,
    /// By wet bulb, dew point, enthalpy or wind, or of one month.
    Other,
}

/// A design day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DesignDay {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub purpose: Purpose,
    /// The share of the year that is milder (99.6, 99) or more extreme (0.4, 1, 2), in percent, if its name says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// Month and day.
    pub date: (u32, u32),
    /// Highest dry bulb, in °C.
    pub maximum_c: f64,
    /// The variation over the day, in K.
    pub range_k: f64,
    /// The object, as the file has it.
    #[serde(skip)]
    pub text: String,
    /// Its fields, in the schema's order.
    #[serde(skip)]
    pub fields: Vec<String>,
}

/// A DDY file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DesignDays {
    /// Name, latitude, longitude, time zone and elevation of the place, as the file's Site:Location has them.
    pub location: Option<Vec<String>>,
    /// Its design days.
    pub days: Vec<DesignDay>,
}

impl DesignDays {
    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Self, Fault> {
        let (document, _) = Document::open(bytes)?;
        let location = document
            .of_type("Site:Location")
            .next()
            .map(|object| object.values().map(str::to_owned).collect::<Vec<String>>());
        let mut days = Vec::new();
        for object in document.of_type("SizingPeriod:DesignDay") {
            let number = |at: usize| object.value(at).parse::<f64>().ok().filter(|value| value.is_finite());
            let line = object.line().unwrap_or_default();
            let field = |at: usize, name: &str| {
                number(at).ok_or_else(|| {
                    Fault::new(
                        FaultCode::UnreadableFile,
                        format!("The design day {} (line {line}) has no number as {name}.", object.name()),
                    )
                    .with("line", line)
                })
            };
            let name = object.value(0);
            days.push(DesignDay {
                name: name.to_owned(),
                purpose: purpose(name, object.value(3)),
                percent: percent(name),
                date: (field(1, "month")? as u32, field(2, "day of month")? as u32),
                maximum_c: field(4, "maximum dry-bulb temperature")?,
                range_k: number(5).unwrap_or_default(),
                text: document.text_of(object.handle()).unwrap_or_default(),
                fields: object.values().map(str::to_owned).collect(),
            });
        }
        if days.is_empty() {
            return Err(Fault::new(
                FaultCode::UnreadableFile,
                "This file has no SizingPeriod:DesignDay; it is not a DDY file, or its station has no design conditions.",
            ));
        }
        Ok(Self { location, days })
    }

    /// The days to size with: the most extreme for heating and for cooling by dry bulb, each if there is one.
    pub fn chosen(&self) -> Vec<&DesignDay> {
        let best = |purpose: Purpose, better: fn(&DesignDay, &DesignDay) -> bool| {
            self.days
                .iter()
                .filter(|day| day.purpose == purpose)
                .reduce(|a, b| if better(b, a) { b } else { a })
        };
        // the highest percentage of winters, the lowest of summers; without percentages, the coldest and warmest
        let colder = |a: &DesignDay, b: &DesignDay| match (a.percent, b.percent) {
            (Some(a), Some(b)) if a != b => a > b,
            _ => a.maximum_c < b.maximum_c,
        };
        let warmer = |a: &DesignDay, b: &DesignDay| match (a.percent, b.percent) {
            (Some(a), Some(b)) if a != b => a < b,
            _ => a.maximum_c > b.maximum_c,
        };
        [best(Purpose::Heating, colder), best(Purpose::Cooling, warmer)].into_iter().flatten().collect()
    }

    /// The days of a purpose at a percentage, such as 99.6 or 0.4.
    pub fn at(&self, purpose: Purpose, percent: f64) -> Vec<&DesignDay> {
        let same = |day: &&DesignDay| {
            day.purpose == purpose && day.percent.is_some_and(|known| (known - percent).abs() < 1e-9)
        };
        self.days.iter().filter(same).collect()
    }
}

/// `… Ann Htg 99.6% Condns DB` heats, `… Ann Clg .4% Condns DB=>MWB` cools, others are special.
fn purpose(name: &str, day_type: &str) -> Purpose {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let has = |word: &str| words.iter().any(|known| known == word);
    let annual = has("ann") || has("annual");
    let dry_bulb = words.last().is_some_and(|last| last == "db" || last.starts_with("db=>"));
    if !annual || !dry_bulb || has("wind") {
        return Purpose::Other;
    }
    match day_type.to_ascii_lowercase().as_str() {
        "winterdesignday" if has("htg") || has("heating") => Purpose::Heating,
        "summerdesignday" if has("clg") || has("cooling") => Purpose::Cooling,
        _ => Purpose::Other,
    }
}

fn percent(name: &str) -> Option<f64> {
    let word = name.split_whitespace().find_map(|word| word.strip_suffix('%'))?;
    word.parse().ok().filter(|value| (0.0..=100.0).contains(value))
}
