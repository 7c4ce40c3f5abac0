//! The common part of the authoring tools: the modeller at work on a call, and the forms in which agents give places, storeys
//! and elements.

use crate::IfcCall;
use building::opening::Place;
use building::{Author, lookup, polygon};
use chrono::DateTime;
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

/// The modeller of a call that adds and moves nothing: what is far off it need not read.
pub(crate) fn adding(call: &mut IfcCall) -> Author<'_> {
    let surroundings = call.version("model").ok().and_then(|version| version.surroundings());
    author(call).among(surroundings)
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
        #[schemars(extend("x-seldom" = true))]
        fraction: Option<f64>,
        /// `center`, `start`, `end`, `corner`.
        at: Option<String>,
        /// An element or grid line, `offset` mm behind it (negative: before it).
        #[schemars(extend("x-seldom" = true))]
        from: Option<String>,
        /// Two of them: in the middle between.
        #[schemars(extend("x-seldom" = true))]
        between: Option<[String; 2]>,
        /// mm left free beside the opening.
        #[schemars(extend("x-seldom" = true))]
        offset: Option<f64>,
        /// mm to the lower edge; default 0, windows 900.
        sill: Option<f64>,
    },
    /// A point [x, y] or [x, y, z] in mm.
    Point(Vec<f64>),
}

const LOCATION: &str = "`location` is one of {\"along\": mm}, {\"fraction\": 0..1}, {\"at\": \"center\"}, {\"at\": \"start\", \"offset\": mm} (or end, corner), {\"from\": element, \"offset\": mm}, {\"between\": [element, element]} (each with \"sill\": mm if wanted), or a point [x, y] or [x, y, z] in mm";

/// Finds the element that `location.from` names.
pub(crate) type Finder<'f> = dyn Fn(&str) -> Result<Id, Fault> + 'f;

/// Reads a `location`: the place and the sill. `find` is asked for the element that a place is told from.
pub(crate) fn place(location: &Value, find: &Finder<'_>) -> Result<(Place, Option<f64>), Fault> {
    // agents quote JSON in JSON; what is meant is plain
    if let Value::String(text) = location {
        if let Some(place) = word(text, 0.0) {
            return Ok((place, None));
        }
        return match serde_json::from_str::<Value>(text) {
            Ok(inner) if !inner.is_string() => place(&inner, find),
            _ => Err(Fault::invalid("location", format!("{LOCATION}; got the text {text}."))),
        };
    }
    if location.is_array() {
        return Ok((point(location)?, None));
    }
    let Value::Object(map) = location else {
        return Err(Fault::invalid("location", format!("{LOCATION}.")));
    };
    const KNOWN: [&str; 8] = ["along", "fraction", "at", "from", "between", "offset", "sill", "point"];
    if let Some(unknown) = map.keys().find(|key| !KNOWN.contains(&key.as_str())) {
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
    let offset = number("offset")?;
    let at = match map.get("at") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(word(text, offset.unwrap_or(0.0)).ok_or_else(|| {
            Fault::invalid(
                "location.at",
                format!("`location.at` takes center, start, end or corner; got {text}."),
            )
        })?),
        Some(list) => Some(point(list)?),
    };
    let from = match map.get("from") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(Place::From(find(text)?, offset.unwrap_or(0.0))),
        Some(other) => {
            return Err(Fault::invalid(
                "location.from",
                format!("`location.from` is an element's id or name, not {other}."),
            ));
        }
    };
    let between = match map.get("between") {
        None | Some(Value::Null) => None,
        Some(Value::Array(two)) => match two.as_slice() {
            [Value::String(one), Value::String(other)] => Some(Place::Between(find(one)?, find(other)?)),
            _ => {
                return Err(Fault::invalid(
                    "location.between",
                    "`location.between` names two elements or grid lines.",
                ));
            }
        },
        Some(_) => {
            return Err(Fault::invalid(
                "location.between",
                "`location.between` names two elements or grid lines.",
            ));
        }
    };
    let by_point = map.get("point").map(point).transpose()?;
    let along = number("along")?.map(Place::Along);
    let fraction = number("fraction")?.map(Place::Fraction);
    let mut given = [along, fraction, at, from, between, by_point].into_iter().flatten();
    let (place, sill) = match (given.next(), given.next()) {
        (Some(place), None) => (place, number("sill")?),
        (Some(_), Some(_)) => {
            return Err(Fault::invalid(
                "location",
                "`location` takes only one of along, fraction, at, from, between; sill may stand beside it.",
            ));
        }
        (None, _) => {
            return Err(Fault::invalid("location", format!("{LOCATION}; none of them was given.")));
        }
    };
    let takes_offset = matches!(place, Place::Start(_) | Place::End(_) | Place::Corner(_) | Place::From(..));
    if offset.is_some() && !takes_offset {
        return Err(Fault::invalid(
            "location.offset",
            "`location.offset` goes with at start, end or corner, or with from.",
        ));
    }
    Ok((place, sill))
}

fn word(text: &str, offset: f64) -> Option<Place> {
    Some(match text.trim().to_lowercase().as_str() {
        "center" | "centre" | "middle" => Place::Centre,
        "start" => Place::Start(offset),
        "end" => Place::End(offset),
        "corner" => Place::Corner(offset),
        _ => return None,
    })
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
    let time = i64::try_from(time_ms).ok().and_then(DateTime::from_timestamp_millis).unwrap_or_default();
    time.format("%FT%T").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(location: &Value) -> Result<(Place, Option<f64>), Fault> {
        place(location, &|text| Err(Fault::no_element(text).with("field", "location.from")))
    }

    #[test]
    fn a_location_is_read_in_every_form_that_is_offered() {
        assert_eq!(read(&json!({"along": 1200, "sill": 900})).unwrap(), (Place::Along(1200.0), Some(900.0)));
        assert_eq!(read(&json!({"fraction": 0.25})).unwrap(), (Place::Fraction(0.25), None));
        assert_eq!(read(&json!({"at": "center"})).unwrap(), (Place::Centre, None));
        assert_eq!(read(&json!({"at": "end", "offset": 300})).unwrap(), (Place::End(300.0), None));
        assert_eq!(read(&json!({"at": "corner"})).unwrap(), (Place::Corner(0.0), None));
        assert_eq!(read(&json!("start")).unwrap(), (Place::Start(0.0), None));
        assert_eq!(read(&json!([1, 2, 3])).unwrap(), (Place::Point([1.0, 2.0].into(), Some(3.0)), None));
        assert_eq!(read(&json!("{\"along\": 5}")).unwrap(), (Place::Along(5.0), None));
        let found = place(&json!({"from": "Door 1", "offset": -200}), &|_| Ok(ifc::Id(7))).unwrap();
        assert_eq!(found, (Place::From(ifc::Id(7), -200.0), None));
    }

    #[test]
    fn a_location_that_is_none_of_the_forms_is_refused_with_the_forms() {
        for wrong in [
            json!({}),
            json!({"x": 1}),
            json!(5),
            json!({"along": 1, "fraction": 0.5}),
            json!({"along": 1, "offset": 5}),
            json!({"at": "somewhere"}),
            json!({"from": 5}),
            json!({"along": "a"}),
        ] {
            let fault = read(&wrong).unwrap_err();
            assert!(fault.message.contains("location"), "{wrong}: {}", fault.message);
        }
    }

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(iso_time(0), "1970-01-01T00:00:00");
        assert_eq!(iso_time(1_795_305_600_000), "2026-11-22T00:00:00");
    }
}
