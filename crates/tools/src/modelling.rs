//! The common part of the authoring tools: the modeller at work on a call, and the forms in which agents give places, storeys
//! and elements.

use crate::IfcCall;
use building::opening::Place;
use building::{Author, lookup, polygon};
use contract::Fault;
use ifc::Id;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// A point `[x, y]` or `[x, y, z]` in mm.
pub(crate) type Point = Vec<f64>;

/// The modeller of a call.
pub(crate) fn author(call: &mut IfcCall) -> Author<'_> {
    Author::new(&mut call.edit, &mut call.guids, call.time_ms, &call.actor).telling(&mut call.assumed)
}

/// The storey that `level_id` means, by id or name.
pub(crate) fn level(author: &Author, text: &str) -> Result<Id, Fault> {
    lookup::storey(author.edit, "level_id", text)
}

/// The elements that a list of ids or names means.
pub(crate) fn elements(author: &Author, field: &str, texts: &[String]) -> Result<Vec<Id>, Fault> {
    if texts.is_empty() {
        return Err(Fault::invalid(field, format!("`{field}` is empty; give at least one id or name.")));
    }
    let mut ids = Vec::with_capacity(texts.len());
    for (i, text) in texts.iter().enumerate() {
        let id = lookup::product(author.edit, &format!("{field}[{i}]"), text)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// The forms in which a place in a host may be given; for the schema, the value itself is read by [`place`].
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the forms; read by hand for better messages")]
pub(crate) enum Location {
    /// Along the host's axis.
    OnHost {
        /// mm from the host's start.
        along: Option<f64>,
        /// Part of its length, 0 to 1.
        fraction: Option<f64>,
        /// `center`.
        at: Option<String>,
        /// mm to the lower edge; without it 0, windows 900.
        sill: Option<f64>,
    },
    /// A point [x, y] or [x, y, z] in mm.
    Point(Vec<f64>),
}

const LOCATION: &str = "`location` is one of {\"along\": mm}, {\"fraction\": 0..1}, {\"at\": \"center\"} (each with \"sill\": mm if wanted), or a point [x, y] or [x, y, z] in mm";

/// Reads a `location`: the place and the sill.
pub(crate) fn place(location: &Value) -> Result<(Place, Option<f64>), Fault> {
    // agents quote JSON in JSON; what is meant is plain
    if let Value::String(text) = location {
        if let Some(place) = word(text) {
            return Ok((place, None));
        }
        return match serde_json::from_str::<Value>(text) {
            Ok(inner) if !inner.is_string() => place(&inner),
            _ => Err(Fault::invalid("location", format!("{LOCATION}; got the text {text}."))),
        };
    }
    if location.is_array() {
        return Ok((point(location)?, None));
    }
    let Value::Object(map) = location else {
        return Err(Fault::invalid("location", format!("{LOCATION}.")));
    };
    if let Some(unknown) =
        map.keys().find(|key| !["along", "fraction", "at", "sill", "point"].contains(&key.as_str()))
    {
        return Err(Fault::invalid(
            &format!("location.{unknown}"),
            format!("{LOCATION}; there is no `{unknown}`."),
        ));
    }
    let number = |name: &str| -> Result<Option<f64>, Fault> {
        match map.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_f64().map(Some).ok_or_else(|| {
                Fault::invalid(
                    &format!("location.{name}"),
                    format!("`location.{name}` must be a number, not {value}."),
                )
            }),
        }
    };
    let at = match map.get("at") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(word(text).ok_or_else(|| {
            Fault::invalid(
                "location.at",
                format!("`location.at` takes center, start or end are reached by along; got {text}."),
            )
        })?),
        Some(list) => Some(point(list)?),
    };
    let by_point = map.get("point").map(point).transpose()?;
    let given = [number("along")?.map(Place::Along), number("fraction")?.map(Place::Fraction), at, by_point];
    let mut given = given.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(place), None) => Ok((place, number("sill")?)),
        (Some(_), Some(_)) => Err(Fault::invalid(
            "location",
            "`location` takes only one of along, fraction, at; sill may stand beside it.",
        )),
        (None, _) => Err(Fault::invalid("location", format!("{LOCATION}; none of them was given."))),
    }
}

fn word(text: &str) -> Option<Place> {
    matches!(text.trim().to_lowercase().as_str(), "center" | "centre" | "middle").then_some(Place::Centre)
}

fn point(list: &Value) -> Result<Place, Fault> {
    let numbers: Option<Vec<f64>> = list.as_array().and_then(|l| l.iter().map(Value::as_f64).collect());
    let Some(numbers) = numbers else {
        return Err(Fault::invalid("location", format!("{LOCATION}; got {list}.")));
    };
    let plan = polygon::plan_point("location", &numbers)?;
    Ok(Place::Point(plan, numbers.get(2).copied()))
}

/// Unix milliseconds as ISO 8601 in UTC, for file headers.
pub fn iso_time(time_ms: u64) -> String {
    let seconds = time_ms / 1000;
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // civil date from days, after Howard Hinnant's `civil_from_days`
    let z = days + 719_468;
    let era = z / 146_097;
    let doe = z - era * 146_097;
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}", rest / 3600, rest % 3600 / 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_location_is_read_in_every_form_that_is_offered() {
        assert_eq!(place(&json!({"along": 1200, "sill": 900})).unwrap(), (Place::Along(1200.0), Some(900.0)));
        assert_eq!(place(&json!({"fraction": 0.25})).unwrap(), (Place::Fraction(0.25), None));
        assert_eq!(place(&json!({"at": "center"})).unwrap(), (Place::Centre, None));
        assert_eq!(place(&json!([1, 2, 3])).unwrap(), (Place::Point([1.0, 2.0].into(), Some(3.0)), None));
        assert_eq!(place(&json!("{\"along\": 5}")).unwrap(), (Place::Along(5.0), None));
    }

    #[test]
    fn a_location_that_is_none_of_the_forms_is_refused_with_the_forms() {
        for wrong in [
            json!({}),
            json!({"x": 1}),
            json!(5),
            json!({"along": 1, "fraction": 0.5}),
            json!({"along": "a"}),
        ] {
            let fault = place(&wrong).unwrap_err();
            assert!(fault.message.contains("location"), "{wrong}: {}", fault.message);
        }
    }

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(iso_time(0), "1970-01-01T00:00:00");
        assert_eq!(iso_time(1_795_305_600_000), "2026-11-22T00:00:00");
    }
}
