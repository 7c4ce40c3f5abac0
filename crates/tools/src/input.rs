//! Arguments as agents write them: unknown names and wrong types become one Fault that names the field, says what is
//! expected and offers near matches.

use contract::Fault;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads arguments into a tool's input type. `known` are the names it takes.
pub fn parse<T: DeserializeOwned>(arguments: Value, known: &[String]) -> Result<T, Fault> {
    let arguments = if arguments.is_null() { Value::Object(serde_json::Map::new()) } else { arguments };
    let Value::Object(map) = &arguments else {
        return Err(Fault::invalid("", "The arguments must be a JSON object of named parameters."));
    };
    if let Some(unknown) = map.keys().find(|name| !known.contains(name)) {
        let near = near_matches(unknown, known.iter().map(String::as_str));
        let hint = match near.first() {
            Some(first) => format!("did you mean `{first}`?"),
            None => format!("it takes: {}.", known.join(", ")),
        };
        let fault = Fault::invalid(unknown, format!("Unknown parameter `{unknown}`; {hint}"));
        return Err(fault.with("near_matches", near).with("allowed", known));
    }
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { "" } else { &path };
        let reason = plain(&error.inner().to_string());
        let missing = reason.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
        match (missing, path) {
            (Some(field), "") => Fault::invalid(field, format!("Give `{field}`; it is missing.")),
            (Some(field), path) => Fault::invalid(
                &format!("{path}.{field}"),
                format!("Give `{field}` in `{path}`; it is missing."),
            ),
            (None, "") => Fault::invalid("", capitalised(&reason)),
            (None, path) => Fault::invalid(path, format!("Parameter `{path}`: {reason}.")),
        }
    })
}

/// A reason without the names of our own types: `expected struct Input` says less than `expected an object`.
fn plain(reason: &str) -> String {
    let Some((before, after)) = reason.split_once("expected struct ") else { return reason.to_owned() };
    let rest = after
        .find(|sign: char| !(sign.is_alphanumeric() || sign == '_'))
        .and_then(|end| after.get(end..))
        .unwrap_or_default();
    format!("{before}expected an object{rest}")
}

/// The place in a list that a call goes on from: the `next_cursor` of the answer before, 0 where it gives none.
pub(crate) fn cursor(given: Option<&str>) -> Result<usize, Fault> {
    given.map_or(Ok(0), |given| {
        given.parse().map_err(|_| {
            let problem = "Give the `next_cursor` of the answer before, or leave it out to begin anew.";
            Fault::invalid("cursor", problem)
        })
    })
}

/// The number of rows that a call asks for, from 1 to `most`; `usual` where it does not say.
pub(crate) fn limit<N: Copy + PartialOrd + From<u8> + std::fmt::Display>(
    given: Option<N>,
    usual: N,
    most: N,
) -> Result<N, Fault> {
    match given {
        None => Ok(usual),
        Some(given) if given >= N::from(1) && given <= most => Ok(given),
        Some(given) => {
            let problem =
                format!("`limit` is {given}; give 1 to {most}, and `cursor` for more where there is one.");
            Err(Fault::invalid("limit", problem))
        }
    }
}

/// A number that a call gives within bounds, both included; `usual` where it gives none.
pub(crate) fn bounded<N: Copy + PartialOrd + std::fmt::Display>(
    field: &str,
    given: Option<N>,
    usual: N,
    [least, most]: [N; 2],
) -> Result<N, Fault> {
    match given {
        None => Ok(usual),
        Some(given) if given >= least && given <= most => Ok(given),
        Some(given) => Err(Fault::invalid(field, format!("`{field}` is {given}; give {least} to {most}."))),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).chain(['.']).collect())
}

/// The candidates that look most like `name`, best first, at most five.
pub fn near_matches<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = name.to_lowercase();
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|candidate| {
            let lower = candidate.to_lowercase();
            let contained = lower.contains(&wanted) || wanted.contains(&lower);
            let score = strsim::jaro_winkler(&wanted, &lower) + if contained { 0.1 } else { 0.0 };
            (score, candidate)
        })
        .filter(|(score, _)| *score >= 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(5).map(|(_, candidate)| candidate.to_owned()).collect()
}
