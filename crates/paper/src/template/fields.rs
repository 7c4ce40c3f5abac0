//! Fields in words: `{{name}}`, which is given a value.

use std::collections::BTreeMap;

/// The longest name of a field, in characters.
const LONGEST: usize = 60;

/// A piece of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Plain(&'a str),
    Field(&'a str),
}

/// The pieces of words; an error says what is wrong with a field.
pub(super) fn pieces(words: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut found = Vec::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, next) = after.split_once("}}").ok_or("a field begins with {{ and does not end with }}")?;
        let name = name.trim();
        if name.is_empty() || name.chars().count() > LONGEST || name.contains(['{', '}', '\n']) {
            let shown: String = name.chars().take(LONGEST).collect();
            return Err(format!("{{{{{shown}}}}} is no name of a field"));
        }
        if !before.is_empty() {
            found.push(Piece::Plain(before));
        }
        found.push(Piece::Field(name));
        rest = next;
    }
    if rest.contains("}}") {
        return Err("a field ends with }} and does not begin with {{".into());
    }
    if !rest.is_empty() {
        found.push(Piece::Plain(rest));
    }
    Ok(found)
}

/// Words with their fields filled.
pub(super) fn filled(words: &str, values: &BTreeMap<String, String>) -> String {
    // templates hold words whose fields are sound
    let pieces = pieces(words).unwrap_or_default();
    let text = |piece: Piece<'_>| match piece {
        Piece::Plain(text) => text.to_owned(),
        Piece::Field(name) => values.get(name).cloned().unwrap_or_default(),
    };
    pieces.into_iter().map(text).collect()
}

/// The reason why a template is not filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// Fields are given that the template lacks.
    #[error("the template has no field {}", said(.fields))]
    Unknown {
        /// Each with the fields that it may have been meant for.
        fields: Vec<(String, Vec<String>)>,
    },
    /// Fields of the template are not given.
    #[error("the template's fields are not all given; missing: {}", .fields.join(", "))]
    Missing {
        /// Their names.
        fields: Vec<String>,
    },
}

fn said(fields: &[(String, Vec<String>)]) -> String {
    let one = |(name, near): &(String, Vec<String>)| match near.as_slice() {
        [] => name.clone(),
        near => format!("{name} (near: {})", near.join(", ")),
    };
    fields.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Unknown fields that are told.
const FEW: usize = 10;

/// Holds what is given against the fields of a template.
pub(super) fn check(fields: &[String], values: &BTreeMap<String, String>) -> Result<(), FieldError> {
    let unknown: Vec<(String, Vec<String>)> = values
        .keys()
        .filter(|name| !fields.contains(name))
        .take(FEW)
        .map(|name| (name.clone(), near(name, fields)))
        .collect();
    if !unknown.is_empty() {
        return Err(FieldError::Unknown { fields: unknown });
    }
    let missing: Vec<String> = fields.iter().filter(|name| !values.contains_key(*name)).cloned().collect();
    if missing.is_empty() { Ok(()) } else { Err(FieldError::Missing { fields: missing }) }
}

/// The names that are like one, the likest first.
fn near(name: &str, fields: &[String]) -> Vec<String> {
    let name: String = name.to_lowercase().chars().take(LONGEST).collect();
    let likeness = |field: &String| strsim::jaro_winkler(&name, &field.to_lowercase());
    let mut found: Vec<(f64, &String)> =
        fields.iter().map(|field| (likeness(field), field)).filter(|(like, _)| *like > 0.75).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(3).map(|(_, field)| field.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_and_filled() {
        use Piece::{Field, Plain};
        assert_eq!(
            pieces("Drawn {{ by }}, {{date}}"),
            Ok(vec![Plain("Drawn "), Field("by"), Plain(", "), Field("date")])
        );
        assert_eq!(pieces("{ a } }"), Ok(vec![Plain("{ a } }")]));
        for bad in ["{{", "{{a", "{{}}", "{{a{{b}}", "a}}", "{{a{b}}"] {
            assert!(pieces(bad).is_err(), "{bad}");
        }
        let values = [("a".to_owned(), "{{b}}".to_owned())].into();
        // a value is no template
        assert_eq!(filled("<{{a}}>", &values), "<{{b}}>");
    }

    #[test]
    fn unknown_fields_are_told_with_near_ones_and_missing_ones_by_name() {
        let fields = ["project_name", "date", "sheet"].map(str::to_owned);
        let given = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), String::new())).collect();
        let error = check(&fields, &given(&["projectname", "zzz"])).unwrap_err();
        assert_eq!(error.to_string(), "the template has no field projectname (near: project_name), zzz");
        let error = check(&fields, &given(&["sheet"])).unwrap_err();
        assert_eq!(error.to_string(), "the template's fields are not all given; missing: project_name, date");
        assert_eq!(check(&fields, &given(&["sheet", "date", "project_name"])), Ok(()));
    }
}
