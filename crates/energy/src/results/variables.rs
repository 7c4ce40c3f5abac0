//! Which variables and meters a run recorded, and which it could have recorded (`eplusout.rdd`, `eplusout.mdd`).

use super::database::{Results, text, whole};
use super::series::Frequency;
use contract::Fault;
use regex::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::Serialize;

/// A variable or a meter, recorded at one frequency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Variable {
    /// Its name, such as `Zone Mean Air Temperature`.
    pub name: String,
    /// Its units; a meter's are J.
    pub units: String,
    /// The interval at which it was recorded.
    pub frequency: Frequency,
    /// True for a meter.
    pub is_meter: bool,
    /// For how many keys (zones, surfaces, nodes …) it was recorded; a meter has none.
    pub key_count: usize,
    /// The first of those keys.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
}

/// Variables, bounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VariableList {
    /// The variables that match.
    pub variables: Vec<Variable>,
    /// The number that match, listed or not.
    pub matching: usize,
    /// The number that the run recorded.
    pub recorded: usize,
}

/// Keys that are listed with a variable.
const KEYS: usize = 6;

impl Results {
    /// Variables and meters whose name or key matches a regular expression (any case), at most so many.
    pub fn variables(&self, search: Option<&str>, limit: usize) -> Result<VariableList, Fault> {
        let pattern = search.map(pattern).transpose()?;
        let mut all: Vec<(Variable, bool)> = Vec::new();
        self.each(
            "SELECT Name, Units, ReportingFrequency, IsMeter, KeyValue FROM ReportDataDictionary \
             ORDER BY IsMeter, Name, ReportingFrequency, Units, ReportDataDictionaryIndex LIMIT 2000000",
            &[],
            |row| {
                let Some(frequency) = Frequency::from_words(&text(row, 2)?) else { return Ok(true) };
                let (name, units, key) = (text(row, 0)?, text(row, 1)?, text(row, 4)?);
                let is_meter = whole(row, 3)? != 0;
                let matches = pattern
                    .as_ref()
                    .is_none_or(|pattern| pattern.is_match(&name) || (!is_meter && pattern.is_match(&key)));
                let same = |known: &Variable| {
                    known.name == name
                        && known.frequency == frequency
                        && known.is_meter == is_meter
                        && known.units == units
                };
                if !all.last().is_some_and(|(known, _)| same(known)) {
                    let variable =
                        Variable { name, units, frequency, is_meter, key_count: 0, keys: Vec::new() };
                    all.push((variable, false));
                }
                if let Some((variable, matched)) = all.last_mut() {
                    *matched |= matches;
                    if !is_meter {
                        variable.key_count += 1;
                        if variable.keys.len() < KEYS {
                            variable.keys.push(key);
                        }
                    }
                }
                Ok(true)
            },
        )?;
        let recorded = all.len();
        let mut variables: Vec<Variable> =
            all.into_iter().filter_map(|(variable, matched)| matched.then_some(variable)).collect();
        let matching = variables.len();
        variables.truncate(limit);
        Ok(VariableList { variables, matching, recorded })
    }
}

/// A search as a regular expression in any case; what is not one is a Fault that says where.
pub fn pattern(search: &str) -> Result<Regex, Fault> {
    RegexBuilder::new(search).case_insensitive(true).size_limit(1 << 20).build().map_err(|error| {
        Fault::invalid("search", format!("This is not a regular expression: {error}"))
            .with("example", "^Zone .* Temperature$")
    })
}

/// The search that finds these words and nothing else, wherever they stand in a name.
pub fn literally(words: &str) -> String {
    regex::escape(words)
}

/// A variable or meter that the model could record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Available {
    /// Its name.
    pub name: String,
    /// Its units.
    pub units: String,
    /// `Average` or `Sum` over a step; for meters `Sum`.
    pub kind: String,
}

/// Reads `eplusout.rdd` or `eplusout.mdd`, as Output:VariableDictionary with the key `Regular` or `IDF` makes them.
pub fn available(text: &str) -> Vec<Available> {
    let mut out: Vec<Available> = Vec::new();
    for line in text.lines() {
        let (line, comment) = line.split_once("!-").map_or((line, ""), |(line, rest)| (line, rest));
        let fields: Vec<&str> = line.split(',').map(|field| field.trim().trim_end_matches(';')).collect();
        let entry = match fields.as_slice() {
            // Output:Variable,*,Site Outdoor Air Drybulb Temperature,hourly; !- Zone Average [C]
            [first, _, name, ..] if first.eq_ignore_ascii_case("Output:Variable") => {
                (*name, comment, if comment.contains("Sum") { "Sum" } else { "Average" })
            }
            [first, name, ..] if first.to_ascii_lowercase().starts_with("output:meter") => {
                (*name, comment, "Sum")
            }
            // Zone,Average,Site Outdoor Air Drybulb Temperature [C]
            [_, kind, rest] if rest.contains('[') && matches!(*kind, "Average" | "Sum" | "Meter") => {
                (*rest, *rest, if *kind == "Average" { "Average" } else { "Sum" })
            }
            _ => continue,
        };
        let (name, units, kind) = entry;
        let name = name.split('[').next().unwrap_or_default().trim().to_owned();
        let units = units.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
        out.push(Available {
            name,
            units: units.map(|(units, _)| units.trim().to_owned()).unwrap_or_default(),
            kind: kind.to_owned(),
        });
    }
    out
}
