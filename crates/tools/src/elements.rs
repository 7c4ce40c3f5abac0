//! The way tools name elements and say what they are: ids, names, labels, values.

use building::lookup;
use contract::{Fault, FaultCode};
use ifc::selector::Datum;
use ifc::{Id, Model, Value, guid};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

/// The element that an agent names by GlobalId, UUID or `#12`.
pub fn find(model: &Model, id: &str) -> Result<Id, Fault> {
    let wanted = id.trim();
    let by_number = || wanted.strip_prefix('#')?.parse().ok().map(Id).filter(|id| model.contains(*id));
    if let Some(found) = model.by_guid(wanted).or_else(by_number) {
        return Ok(found);
    }
    let fault = Fault::no_element(wanted);
    if guid::parse(wanted).is_some() || wanted.is_empty() {
        return Err(fault);
    }
    // a name instead of an id is a common slip
    let named: Vec<Json> = model
        .of_class("IfcProduct")
        .into_iter()
        .filter(|id| {
            model.get(*id).and_then(|i| i.name()).is_some_and(|name| name.eq_ignore_ascii_case(wanted))
        })
        .take(5)
        .map(|id| brief(model, id).into())
        .collect();
    if named.is_empty() {
        return Err(fault);
    }
    Err(Fault {
        message: format!("{wanted} is a name, not an id; use the id of the element that you mean."),
        ..fault
    }
    .with("near_matches", named))
}

/// The object that an agent names by GlobalId, UUID, `#12` or a name that only one bears: of the building first, then types, storeys
/// and what else is no relation. `field` is the parameter.
pub fn named(model: &Model, field: &str, text: &str) -> Result<Id, Fault> {
    let text = text.trim();
    if text.starts_with('#') || guid::parse(text).is_some() || text.is_empty() {
        return find(model, text).map_err(|fault| fault.with("field", field));
    }
    let product = lookup::element(model, field, text, &["IfcProduct"], "an object of the model");
    match product {
        // several are named so, which no type of that name decides
        Err(fault) if fault.code == FaultCode::ElementNotFound => {
            let classes = ["IfcObjectDefinition"];
            lookup::element(model, field, text, &classes, "an object of the model").map_err(|_| fault)
        }
        found => found,
    }
}

/// The id that agents use for an element: its GlobalId, else `#12`.
pub fn id_of(model: &Model, id: Id) -> String {
    model.get(id).and_then(|instance| instance.guid()).unwrap_or_else(|| id.to_string())
}

/// Id, name and class of an element.
pub fn brief(model: &Model, id: Id) -> Map<String, Json> {
    let mut map = Map::new();
    map.insert("id".into(), id_of(model, id).into());
    if let Some(instance) = model.get(id) {
        if let Some(name) = name_of(model, id) {
            map.insert("name".into(), name.into());
        }
        map.insert("class".into(), instance.class_name().into());
    }
    map
}

/// Returns the name of an instance: its Name or, for a layer set, its LayerSetName; an empty one is none.
pub fn name_of(model: &Model, id: Id) -> Option<String> {
    let instance = model.get(id)?;
    instance.name().or_else(|| instance.text("LayerSetName")).filter(|name| !name.trim().is_empty())
}

/// The name of an instance; without one its class with its Tag or else its id, as in `IfcDoorType 12345`.
pub fn label_of(model: &Model, id: Id) -> String {
    name_of(model, id).unwrap_or_else(|| {
        let instance = model.get(id);
        let class = instance.map_or("nothing", |instance| instance.class_name());
        let tag = instance.and_then(|instance| instance.text("Tag")).filter(|tag| !tag.trim().is_empty());
        format!("{class} {}", tag.unwrap_or_else(|| id_of(model, id)))
    })
}

/// A value as a row shows it: elements by their names, lists without repetition, null for nothing.
pub fn shown(model: &Model, value: &Datum) -> Json {
    match value {
        Datum::Null => Json::Null,
        Datum::Truth(truth) => json!(truth),
        Datum::Whole(number) => json!(number),
        Datum::Real(number) => number_json(*number),
        Datum::Text(text) => json!(text),
        Datum::Typed(_, inner) => shown(model, inner),
        Datum::Entity(id) => label_of(model, *id).into(),
        Datum::List(members) if members.iter().any(|member| matches!(member, Datum::Record(_))) => {
            members.iter().take(50).map(|member| shown(model, member)).collect()
        }
        Datum::List(members) => {
            let mut seen: Vec<Json> = Vec::new();
            for member in members {
                let json = shown(model, member);
                if !json.is_null() && (json.is_number() || !seen.contains(&json)) && seen.len() < 50 {
                    seen.push(json);
                }
            }
            match seen.len() {
                0 => Json::Null,
                1 => seen.remove(0),
                _ => seen.into(),
            }
        }
        Datum::Record(members) => {
            let plain = members.iter().filter(|(name, _)| name != "id");
            let map: Map<_, _> = plain.map(|(name, value)| (name.clone(), shown(model, value))).collect();
            map.into()
        }
    }
}

/// A number without the noise of binary fractions: at most twelve significant digits.
pub fn number_json(number: f64) -> Json {
    let tidy: f64 = format!("{number:.11e}").parse().unwrap_or(number);
    if tidy.fract() == 0.0 && tidy.abs() < 1e15 { json!(tidy as i64) } else { json!(tidy) }
}

/// JSON with every number made tidy by [`number_json`].
pub fn tidy(json: Json) -> Json {
    match json {
        Json::Number(number) if number.is_f64() => number.as_f64().map_or(Json::Null, number_json),
        Json::Array(items) => items.into_iter().map(tidy).collect(),
        Json::Object(map) => {
            map.into_iter().map(|(name, value)| (name, tidy(value))).collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

/// One or several.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a text, or a list of texts")]
pub(crate) enum OneOrMore {
    /// One.
    One(String),
    /// Several.
    More(Vec<String>),
}

impl OneOrMore {
    pub(crate) fn list(self) -> Vec<String> {
        match self {
            Self::One(one) => vec![one],
            Self::More(more) => more,
        }
    }
}

/// A box in mm as `{min, max, size}`, rounded to a thousandth.
pub fn box_json(bounds: &geometry::Bounds) -> Json {
    let round = |v: f64| number_json((v * 1e3).round() / 1e3);
    let list = |v: [f64; 3]| Json::from(v.map(round).to_vec());
    let (min, max, size) = (bounds.min.into(), bounds.max.into(), bounds.size().into());
    json!({ "min": list(min), "max": list(max), "size": list(size) })
}

/// A value as an agent wrote it, as a file holds it; none for null.
pub fn value_of(json: &Json) -> Result<Option<Value>, String> {
    Ok(Some(match json {
        Json::Null => return Ok(None),
        Json::Bool(truth) => Value::Boolean(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Real(number.as_f64().ok_or("a number that a file cannot hold")?),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => {
            let mut members = Vec::new();
            for item in items {
                members.push(value_of(item)?.ok_or("a list must not hold null")?);
            }
            Value::List(members)
        }
        Json::Object(_) => return Err("a plain value, a list or null is expected, not an object".to_owned()),
    }))
}
