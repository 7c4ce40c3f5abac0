//! An evaluation case: what an agent is asked for, the models it begins with, and what must then be found.
//!
//! The files hold a map from the case's id to `prompt` and `success_criteria`, in the form of a published study: `element_existence` (class → how
//! many) and `element_features` (name → selector, how many). A bare integer means exactly that many; a missing `min` means at least one; a
//! missing or null `max` any number. Beyond the study: `start` (models and calls that were made before), and as criteria `answers` of tools,
//! `only` what may change, and `reply`, what the agent has to say.

use super::trace::Call;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The number of elements that a criterion wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// At least so many.
    pub min: u64,
    /// At most so many, if there is a limit.
    pub max: Option<u64>,
}

impl Count {
    /// True if this many will do.
    pub fn holds(self, found: u64) -> bool {
        found >= self.min && self.max.is_none_or(|max| found <= max)
    }

    fn parse(value: Option<&Value>) -> Result<Self> {
        match value {
            None => Ok(Self { min: 1, max: None }),
            Some(Value::Number(exactly)) => {
                let exactly = exactly.as_u64().with_context(|| format!("{exactly} is no count"))?;
                Ok(Self { min: exactly, max: Some(exactly) })
            }
            Some(Value::Object(range)) => {
                let bound = |name: &str| match range.get(name) {
                    None | Some(Value::Null) => Ok(None),
                    Some(value) => {
                        value.as_u64().map(Some).with_context(|| format!("{name} {value} is no count"))
                    }
                };
                Ok(Self { min: bound("min")?.unwrap_or(1), max: bound("max")? })
            }
            Some(other) => bail!("{other} is neither a count nor a range"),
        }
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.max {
            Some(max) if max == self.min => write!(out, "{max}"),
            Some(max) => write!(out, "{} to {max}", self.min),
            None => write!(out, "at least {}", self.min),
        }
    }
}

/// Elements that must be found in the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    /// The class or the feature's name.
    pub name: String,
    /// A selector in IfcOpenShell's syntax.
    pub selector: String,
    /// The number of elements that it has to select.
    pub wanted: Count,
}

/// The answer that a tool must give in the end.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// The place in its answer, as a JSON pointer.
    #[serde(default)]
    pub at: String,
    /// The value there.
    #[serde(default)]
    pub is: Option<Value>,
    /// By how much a number may differ from it.
    #[serde(default)]
    pub within: Option<f64>,
    /// The least number there.
    #[serde(default)]
    pub min: Option<f64>,
    /// The greatest number there.
    #[serde(default)]
    pub max: Option<f64>,
    /// The number of members there.
    #[serde(default)]
    pub count: Option<usize>,
    /// A text that stands there.
    #[serde(default)]
    pub contains: Option<String>,
}

/// Selectors of what may differ between the first model before and after; anything else is a forbidden change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Only {
    /// Of elements that may be new.
    pub added: Vec<String>,
    /// Of elements that may be other than before.
    pub changed: Vec<String>,
    /// Of elements that may be gone, as they were before.
    pub deleted: Vec<String>,
}

/// A number that has to be said.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The number.
    pub value: f64,
    /// By how much what is said may differ.
    #[serde(default)]
    pub within: f64,
}

/// The last words that the agent has to say.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reply {
    /// One of the texts of each list, as whole words in any case.
    pub says: Vec<Vec<String>>,
    /// Numbers.
    pub numbers: Vec<Said>,
    /// None of these texts.
    pub lacks: Vec<String>,
}

/// The models and calls before the agent begins.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// Models by name, and the files that they come from.
    pub models: serde_json::Map<String, Value>,
    /// Calls made before.
    pub calls: Vec<Call>,
}

/// A program that a case takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Program {
    /// EnergyPlus, for simulations.
    Energyplus,
}

/// A case.
#[derive(Debug, Clone, Default)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// The name of the file that it stands in, without its ending.
    pub set: String,
    /// The task of the agent.
    pub prompt: String,
    /// The models and calls before it.
    pub start: Start,
    /// A program that it takes.
    pub needs: Option<Program>,
    /// Elements that must be found.
    pub criteria: Vec<Criterion>,
    /// The answers that tools must give, by name.
    pub answers: BTreeMap<String, Expected>,
    /// The changes that may be, where they are bounded.
    pub only: Option<Only>,
    /// The last words, where there have to be any.
    pub reply: Option<Reply>,
}

impl Case {
    /// Reads a file of one or more cases. Prompts and models that it names are in the folder of `data` or beside `cases/`; the cases for which there
    /// is no such folder come second, by id.
    pub fn read(path: &Path, data: &Data) -> Result<(Vec<Self>, Vec<String>)> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let set = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Self::parse(&text, &set, data).with_context(|| path.display().to_string())
    }

    /// Reads the text of such a file.
    pub fn parse(text: &str, set: &str, data: &Data) -> Result<(Vec<Self>, Vec<String>)> {
        let Value::Object(cases) = serde_json::from_str(text)? else { bail!("not a map of cases") };
        let (mut read, mut left_out) = (Vec::new(), Vec::new());
        for (id, case) in &cases {
            match Self::one(id, set, case, data).with_context(|| id.clone())? {
                Some(case) => read.push(case),
                None => left_out.push(id.clone()),
            }
        }
        Ok((read, left_out))
    }

    fn one(id: &str, set: &str, case: &Value, data: &Data) -> Result<Option<Self>> {
        let start: Start = case
            .get("start")
            .map_or(Ok(Start::default()), |start| serde_json::from_value(start.clone()).context("start"))?;
        for file in start.models.values() {
            let file = file.as_str().with_context(|| format!("{file} is no path of a model"))?;
            if data.find(file).is_none() {
                return Ok(None);
            }
        }
        let prompt = match case.get("prompt").context("no prompt")? {
            Value::String(prompt) => prompt.clone(),
            from => match data.prompt(from)? {
                Some(prompt) => prompt,
                None => return Ok(None),
            },
        };
        let criteria = case.get("success_criteria").context("no success_criteria")?;
        let part = |name: &str| criteria.get(name).cloned();
        let read = Self {
            id: id.to_owned(),
            set: set.to_owned(),
            prompt,
            start,
            needs: case
                .get("needs")
                .map(|needs| serde_json::from_value(needs.clone()))
                .transpose()
                .context("needs")?,
            criteria: elements(criteria)?,
            answers: part("answers")
                .map_or(Ok(BTreeMap::new()), serde_json::from_value)
                .context("answers")?,
            only: part("only").map(serde_json::from_value).transpose().context("only")?,
            reply: part("reply").map(serde_json::from_value).transpose().context("reply")?,
        };
        if read.criteria.is_empty() && read.answers.is_empty() && read.reply.is_none() {
            bail!("no criteria: a case that nothing can fail");
        }
        Ok(Some(read))
    }
}

/// The criteria on elements.
fn elements(criteria: &Value) -> Result<Vec<Criterion>> {
    let section = |name: &str| criteria.get(name).and_then(Value::as_object);
    let mut found = Vec::new();
    for (class, count) in section("element_existence").into_iter().flatten() {
        let wanted = Count::parse(Some(count)).with_context(|| class.clone())?;
        found.push(Criterion { name: class.clone(), selector: class.clone(), wanted });
    }
    for (name, feature) in section("element_features").into_iter().flatten() {
        let (selector, wanted) = match feature {
            Value::String(selector) => (selector.clone(), Count::parse(None)?),
            feature => {
                let selector = feature.get("selector").and_then(Value::as_str);
                let selector = selector.with_context(|| format!("{name}: no selector"))?;
                (selector.to_owned(), Count::parse(Some(feature))?)
            }
        };
        found.push(Criterion { name: name.clone(), selector, wanted });
    }
    Ok(found)
}

/// The folders that models and prompts of cases are read from.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// The folders, in the order in which they are asked.
    pub folders: Vec<PathBuf>,
}

impl Data {
    /// Finds a file by its path below one of the folders.
    pub fn find(&self, path: &str) -> Option<PathBuf> {
        self.folders.iter().map(|folder| folder.join(path)).find(|file| file.is_file())
    }

    /// Reads a prompt from a file of data: `{file, where: {member: value}, at: member}`. None where there is no such file.
    fn prompt(&self, from: &Value) -> Result<Option<String>> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct From {
            file: String,
            r#where: Map<String, Value>,
            at: String,
        }
        let from: From = serde_json::from_value(from.clone()).context("prompt")?;
        let Some(file) = self.find(&from.file) else { return Ok(None) };
        let about = || file.display().to_string();
        let text = std::fs::read_to_string(&file).with_context(about)?;
        let rows: Vec<Value> = serde_json::from_str(&text).with_context(about)?;
        let is_meant = |row: &&Value| from.r#where.iter().all(|(name, value)| row.get(name) == Some(value));
        let row = rows.iter().find(is_meant).with_context(|| format!("{} has no such row", about()))?;
        let prompt = row.get(&from.at).and_then(Value::as_str);
        prompt
            .map(|prompt| Some(prompt.to_owned()))
            .with_context(|| format!("{} has no {}", about(), from.at))
    }
}
