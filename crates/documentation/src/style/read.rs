//! Reads styles: the defaults, and what a style of one's own changes in them, checked with the line of what is wrong.

use super::Style;
use building::lookup::near;

const DEFAULT: &str = include_str!("default.toml");

/// A style cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadStyle {
    /// The line, from 1; `None` where it lies in no line.
    pub line: Option<usize>,
    /// The reason.
    pub reason: String,
    /// Names that may have been meant.
    pub near: Vec<String>,
}

impl std::fmt::Display for BadStyle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.reason)?;
        if !self.near.is_empty() {
            write!(f, "; near: {}", self.near.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for BadStyle {}

impl Style {
    /// The style that is shipped. An error only where the file shipped is broken, of which a test tells.
    pub fn standard() -> Result<Style, BadStyle> {
        Style::from_toml("")
    }

    /// A style from what it changes in the shipped one.
    pub fn from_toml(text: &str) -> Result<Style, BadStyle> {
        // alone first: its errors have lines of this text
        toml::from_str::<Style>(text).map_err(|e| bad(text, &e))?;
        let mut all: toml::Table = toml::from_str(DEFAULT).map_err(|e| bad(DEFAULT, &e))?;
        join(&mut all, toml::from_str(text).map_err(|e| bad(text, &e))?);
        let style: Style = all.try_into().map_err(|e: toml::de::Error| bad("", &e))?;
        check(&style, text)?;
        Ok(style)
    }
}

/// Tables joined key by key; other values replaced.
fn join(into: &mut toml::Table, from: toml::Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(old)), toml::Value::Table(new)) => join(old, new),
            (_, value) => _ = into.insert(key, value),
        }
    }
}

/// Holds names against each other: languages, hatches, the order of scales.
fn check(style: &Style, text: &str) -> Result<(), BadStyle> {
    let unknown = |word: &str, kind: &str, names: &mut dyn Iterator<Item = &str>| BadStyle {
        line: text.lines().position(|l| l.contains(&format!("\"{word}\""))).map(|n| n + 1),
        reason: format!("there is no {kind} `{word}`"),
        near: near(word, names),
    };
    if !style.words.contains_key(&style.language) {
        return Err(unknown(&style.language, "language", &mut style.words.keys().map(String::as_str)));
    }
    for row in &style.materials {
        if !style.hatches.contains_key(&row.hatch) {
            return Err(unknown(&row.hatch, "hatch", &mut style.hatches.keys().map(String::as_str)));
        }
    }
    if style.fonts.bold.is_some() && style.fonts.regular.is_none() {
        return Err(BadStyle {
            line: text.lines().position(|l| l.trim_start().starts_with("bold")).map(|n| n + 1),
            reason: "`fonts` needs a regular font beside the bold one".into(),
            near: vec![],
        });
    }
    let line_of = |key: &str| text.lines().position(|l| l.trim_start().starts_with(key)).map(|n| n + 1);
    let plain =
        |key: &str, reason: &str| BadStyle { line: line_of(key), reason: reason.into(), near: vec![] };
    if style.scales.is_empty() || !style.scales.windows(2).all(|w| w[0].up_to < w[1].up_to) {
        return Err(plain("[[scales]]", "`scales` needs rows whose `up_to` grows"));
    }
    let whole_lines = style.hatches.values().flat_map(|h| &h.lines);
    for line in whole_lines {
        let all = line.dashes.iter().chain(&line.start).chain([&line.angle, &line.shift]);
        let length: f64 = line.dashes.iter().map(|d| d.abs()).sum();
        let is_sound = all.clone().all(|v| v.is_finite() && v.abs() <= 1e6);
        if !is_sound || line.spacing.0 < 0.05 || (!line.dashes.is_empty() && length < 0.05) {
            return Err(plain(
                "[hatches",
                "the lines of a hatch need a spacing and dashes of at least 0.05 mm, all finite",
            ));
        }
    }
    Ok(())
}

/// An error of `toml` with its line, and the names near to one that is unknown.
fn bad(text: &str, error: &toml::de::Error) -> BadStyle {
    let line = error.span().filter(|_| !text.is_empty()).map(|span| {
        text.get(..span.start.min(text.len())).map_or(1, |before| before.matches('\n').count() + 1)
    });
    let reason = error.message().to_owned();
    let mut ticked = reason.split('`').skip(1).step_by(2);
    let near = match ticked.next() {
        Some(word) if reason.starts_with("unknown") => near(word, ticked),
        _ => Vec::new(),
    };
    BadStyle { line, reason, near }
}
