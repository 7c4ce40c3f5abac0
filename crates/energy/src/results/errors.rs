//! `eplusout.err`: every message of a run, with the lines that continue it, counted as the program itself counts.
//!
//! A message that recurs is written once when it first happens and once more at the end, with how often it came back; both
//! count, but for a few whose first showing the program itself leaves out, so its own numbers are the ones that are told. The last line says how the run ended and what the program counted; a file without that line belongs to a run that
//! died or is still running. Nothing in the file is refused: what is not a message is passed over.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The weight of a message to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The run goes on; worth a look.
    Warning,
    /// The run goes on for now, but its results are in doubt.
    Severe,
    /// The run ended here.
    Fatal,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Message {
    /// Its weight.
    pub level: Level,
    /// Its text.
    pub text: String,
    /// The lines that continue it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// Its line in the file, from 1.
    pub line: u32,
    /// The number of times it happened: 1, or what the summary of recurring messages says.
    pub count: u64,
}

/// The end of a run in the program's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// It came to its end.
    Completed,
    /// It gave up on a fatal error.
    Terminated,
}

/// The program's own last line, which is also all of `eplusout.end`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EndLine {
    /// The end.
    pub ending: Ending,
    /// The number of warnings it counted.
    pub warnings: u64,
    /// The number of severe errors it counted.
    pub severe: u64,
    /// Its duration by its own clock, in seconds.
    pub elapsed_seconds: f64,
}

impl EndLine {
    /// Reads the line, wherever in it the words begin; `None` if it is another line.
    ///
    /// `EnergyPlus Completed Successfully-- 18 Warning; 0 Severe Errors; Elapsed Time=00hr 00min  0.73sec`
    pub fn parse(line: &str) -> Option<Self> {
        let (ending, rest) = match line.split_once("EnergyPlus Completed Successfully--") {
            Some((_, rest)) => (Ending::Completed, rest),
            None => (Ending::Terminated, line.split_once("EnergyPlus Terminated--")?.1),
        };
        let rest = rest.strip_prefix("Fatal Error Detected.").unwrap_or(rest);
        let (warnings, rest) = rest.split_once("Warning;")?;
        let (severe, rest) = rest.split_once("Severe Errors;")?;
        let (_, time) = rest.split_once("Elapsed Time=")?;
        let (hours, time) = time.split_once("hr")?;
        let (minutes, time) = time.split_once("min")?;
        let (seconds, _) = time.split_once("sec")?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        Some(Self {
            ending,
            warnings: warnings.trim().parse().ok()?,
            severe: severe.trim().parse().ok()?,
            elapsed_seconds: number(hours)? * 3600.0 + number(minutes)? * 60.0 + number(seconds)?,
        })
    }
}

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ErrorReport {
    /// The program's version, such as `25.2.0-cf7368216c`.
    pub version: Option<String>,
    /// Its messages, in order.
    pub messages: Vec<Message>,
    /// Its last line; `None` if the file ends before.
    pub end: Option<EndLine>,
}

/// Messages that say the same of different objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// Their weight.
    pub level: Level,
    /// The first of them.
    pub text: String,
    /// The lines that continue the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// The number of different messages, where there are several.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub messages: u64,
    /// The number of times they happened in all, where they did more than once.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub occurrences: u64,
    /// The line of the first, from 1.
    pub line: u32,
}

fn one() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_one(count: &u64) -> bool {
    *count == 1
}

/// A bounded account of the file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ErrorSummary {
    /// The end that the program reported; absent if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// Fatal errors: none or one.
    pub fatal: u64,
    /// Severe errors, as the program counts.
    pub severe: u64,
    /// Warnings, as the program counts.
    pub warnings: u64,
    /// The program's own time, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_seconds: Option<f64>,
    /// The messages: fatal first, then severe, then warnings; alike ones together.
    pub groups: Vec<Group>,
    /// The number of groups that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub groups_left_out: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The most continuation lines that a summary repeats of one message, and the most characters of a line.
const DETAILS: usize = 4;
const CHARACTERS: usize = 400;

impl ErrorReport {
    /// Reads the file. It never fails: a line that is not UTF-8 is read with replacement characters.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut report = Self::default();
        // whether what follows without a mark still belongs to the last message
        let mut open = false;
        let text = String::from_utf8_lossy(bytes);
        for (number, line) in text.lines().enumerate() {
            let line_number = u32::try_from(number + 1).unwrap_or(u32::MAX);
            if number == 0 {
                report.version = version(line);
            }
            if let Some(end) = EndLine::parse(line) {
                report.end = Some(end);
                open = false;
                continue;
            }
            // the summary at the end repeats marks behind stars
            let trimmed = line.trim_start();
            let (rest, aside) = match trimmed.strip_prefix("*************") {
                Some(rest) => (rest.trim_start(), true),
                None => (trimmed, false),
            };
            if let Some((level, text)) = message(rest) {
                report.messages.push(Message {
                    level,
                    text: text.trim().to_owned(),
                    details: Vec::new(),
                    line: line_number,
                    count: 1,
                });
                open = true;
            } else if let Some(text) = rest.strip_prefix("**   ~~~   **") {
                report.continued(text.trim());
            } else if aside && open && is_listed(rest) {
                report.continued(rest.trim());
            } else if aside || !open {
                open = false;
            } else {
                // the summary that follows a fatal error, or text with line ends of its own
                report.continued(rest.trim());
            }
        }
        report
    }

    fn continued(&mut self, text: &str) {
        let Some(last) = self.messages.last_mut() else { return };
        if text.is_empty() {
            return;
        }
        if let Some(count) = occurrences(text) {
            last.count = count;
        }
        last.details.push(text.to_owned());
    }

    /// Counts the messages of a level in the file, each as often as it happened.
    pub fn counted(&self, level: Level) -> u64 {
        let of_level = self.messages.iter().filter(|message| message.level == level);
        of_level.fold(0_u64, |sum, message| sum.saturating_add(message.count))
    }

    /// Warnings: the program's own number, or what the file has so far.
    pub fn warnings(&self) -> u64 {
        self.end.as_ref().map_or_else(|| self.counted(Level::Warning), |end| end.warnings)
    }

    /// Severe errors: the program's own number, or what the file has so far.
    pub fn severe(&self) -> u64 {
        self.end.as_ref().map_or_else(|| self.counted(Level::Severe), |end| end.severe)
    }

    /// The message on which the run ended.
    pub fn fatal(&self) -> Option<&Message> {
        self.messages.iter().find(|message| message.level == Level::Fatal)
    }

    /// At most so many groups of messages, the gravest first.
    pub fn summary(&self, limit: usize) -> ErrorSummary {
        let mut groups = self.groups();
        let left_out = groups.len().saturating_sub(limit);
        groups.truncate(limit);
        ErrorSummary {
            ending: self.end.as_ref().map(|end| end.ending),
            fatal: self.counted(Level::Fatal),
            severe: self.severe(),
            warnings: self.warnings(),
            elapsed_seconds: self.end.as_ref().map(|end| end.elapsed_seconds),
            groups,
            groups_left_out: left_out,
        }
    }

    /// Messages that differ only in names and numbers, together.
    fn groups(&self) -> Vec<Group> {
        let mut places = std::collections::HashMap::new();
        let mut groups: Vec<Group> = Vec::new();
        for message in &self.messages {
            let place = *places.entry((message.level, shape(&message.text))).or_insert_with(|| {
                groups.push(Group {
                    level: message.level,
                    text: cut(&message.text),
                    details: message.details.iter().take(DETAILS).map(|line| cut(line)).collect(),
                    messages: 0,
                    occurrences: 0,
                    line: message.line,
                });
                groups.len() - 1
            });
            if let Some(group) = groups.get_mut(place) {
                group.messages += 1;
                group.occurrences = group.occurrences.saturating_add(message.count);
            }
        }
        // stable: within a level, as they came
        groups.sort_by_key(|group| std::cmp::Reverse(group.level));
        groups
    }
}

/// `Program Version,EnergyPlus, Version 25.2.0-cf7368216c, YMD=…` → `25.2.0-cf7368216c`.
fn version(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("EnergyPlus, Version ")?;
    let version = rest.split(',').next()?.trim();
    (!version.is_empty()).then(|| version.to_owned())
}

/// True for a line of a list that belongs to the message before, though it is marked like the headings of the file:
/// `Key=*, VarName=…` of outputs that were not made, `Schedule:Week=…` and `Object=…` of
/// what nothing uses.
fn is_listed(rest: &str) -> bool {
    let starts = ["Key=", "Schedule:Year", "Schedule:Week", "Schedule:Day", "Object="];
    starts.iter().any(|start| rest.starts_with(start)) && rest.contains('=')
}

fn message(rest: &str) -> Option<(Level, &str)> {
    let marks = [
        ("** Warning **", Level::Warning),
        ("** Severe  **", Level::Severe),
        ("**  Fatal  **", Level::Fatal),
    ];
    marks.into_iter().find_map(|(mark, level)| Some((level, rest.strip_prefix(mark)?)))
}

/// `This error occurred 20555 total times;` → 20555.
fn occurrences(text: &str) -> Option<u64> {
    let (count, _) = text.strip_prefix("This error occurred ")?.split_once(" total times")?;
    count.trim().parse().ok()
}

/// A text without what differs between objects: quoted words and numbers.
pub(crate) fn shape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    let mut number = false;
    for character in text.chars() {
        if character == '"' {
            quoted = !quoted;
            out.push('"');
        } else if quoted {
        } else if character.is_ascii_digit() || (number && character == '.') {
            if !number {
                out.push('#');
            }
            number = true;
        } else {
            number = false;
            out.push(character);
        }
    }
    out
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
