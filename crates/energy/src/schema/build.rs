//! From the epJSON schema (and the IDD) of EnergyPlus to our tables.

use super::idd::{self, Flags};
use super::lend::lend;
use super::{Automatic, Bound, Extensible, Field, FieldKind, ObjectType, Schema, SchemaError, Text};
use serde_json::{Map, Value};
use std::collections::HashMap;

type Object = Map<String, Value>;

/// Shares equal texts.
#[derive(Default)]
struct Shared(HashMap<String, Text>);

impl Shared {
    fn get(&mut self, text: &str) -> Text {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let shared: Text = text.into();
        self.0.insert(text.to_owned(), shared.clone());
        shared
    }

    fn all(&mut self, value: Option<&Value>) -> Vec<Text> {
        let words = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        words
            .iter()
            .filter_map(Value::as_str)
            .filter(|word| !word.is_empty())
            .map(|word| self.get(word))
            .collect()
    }
}

/// Reads both; the IDD may be empty. What only an IDD says is then taken from the lender, the schema of a version beside this one.
pub fn build(json: &[u8], idd: &[u8], lender: Option<&Schema>) -> Result<Schema, SchemaError> {
    let json: Value = serde_json::from_slice(json).map_err(|error| SchemaError::Form(error.to_string()))?;
    let flags = idd::read(idd);
    let types = object(json.get("properties"), "properties")?;
    let required: Vec<&str> = json
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut shared = Shared::default();
    let mut built = Vec::with_capacity(types.len());
    for (name, entry) in types {
        let flags = flags.types.get(&name.to_ascii_lowercase());
        let mut made =
            object_type(&mut shared, name, entry, flags).ok_or_else(|| SchemaError::Form(name.clone()))?;
        made.required = required.contains(&name.as_str());
        built.push(made);
    }
    if let Some(lender) = lender {
        lend(&mut built, lender);
    }
    let version = flags.version.or_else(|| version_of(&json, types));
    let version = version.ok_or_else(|| SchemaError::Form("no version".into()))?;
    Ok(Schema::new(version.into(), built))
}

/// The version to its last figure, which only some schemas say; of the others it is 0.
fn version_of(json: &Value, types: &Object) -> Option<String> {
    if let Some(whole) = json.get("epJSON_schema_version").and_then(Value::as_str) {
        return Some(whole.to_owned());
    }
    let entry = types.get("Version")?;
    let short = plain(entry.pointer("/patternProperties/.*/properties/version_identifier/default")?);
    Some(if short.matches('.').count() == 1 { format!("{short}.0") } else { short })
}

fn object<'a>(value: Option<&'a Value>, what: &str) -> Result<&'a Object, SchemaError> {
    value.and_then(Value::as_object).ok_or_else(|| SchemaError::Form(format!("`{what}` is missing")))
}

/// A number or word as the text form writes it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number
            .as_f64()
            .filter(|n| n.fract() == 0.0 && n.abs() < 1e15)
            .map_or_else(|| number.to_string(), |whole| format!("{}", whole as i64)),
        other => other.to_string(),
    }
}

fn object_type(
    shared: &mut Shared,
    name: &str,
    entry: &Value,
    flags: Option<&Vec<Flags>>,
) -> Option<ObjectType> {
    let body = entry.get("patternProperties")?.as_object()?.values().next()?;
    let properties = body.get("properties")?.as_object()?;
    let legacy = entry.get("legacy_idd")?;
    let required: Vec<&str> = strings(body.get("required"));
    let label = |key: &str| -> String {
        let known = legacy.get("field_info").and_then(|info| info.get(key)?.get("field_name")?.as_str());
        known.unwrap_or(key).to_owned()
    };
    let flag = |at: usize| flags.and_then(|flags| flags.get(at));
    let mut fields = Vec::new();
    for (at, key) in strings(legacy.get("fields")).into_iter().enumerate() {
        let about =
            if key == "name" { properties.get(key).or(entry.get("name")) } else { properties.get(key) }?;
        let mut field = field(shared, key, &label(key), about, flag(at));
        field.required |= required.contains(&key) || about.get("is_required").is_some_and(|v| v == true);
        fields.push(field);
    }
    let extensible = match legacy.get("extension").and_then(Value::as_str) {
        None => None,
        Some(key) => {
            let list = properties.get(key)?;
            let item = list.get("items")?;
            let required = strings(item.get("required"));
            let inner = item.get("properties")?.as_object()?;
            let mut group = Vec::new();
            for (at, name) in strings(legacy.get("extensibles")).into_iter().enumerate() {
                let flag = flag(fields.len() + at);
                let mut field = field(shared, name, &label(name), inner.get(name)?, flag);
                field.required |= required.contains(&name);
                field.numbered =
                    flag.and_then(|flag| numbered(&flag.name)).map(|pattern| shared.get(&pattern));
                group.push(field);
            }
            let count = |name: &str| list.get(name).and_then(Value::as_u64).map(|n| n as u32);
            (!group.is_empty()).then(|| Extensible {
                key: shared.get(key),
                fields: group,
                min_items: count("minItems").unwrap_or(0).max(u32::from(required_list(body, key))),
                max_items: count("maxItems"),
            })
        }
    };
    let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
    Some(ObjectType {
        name: shared.get(name),
        group: shared.get(text("group")),
        memo: shared.get(text("memo")),
        format: shared.get(text("format")),
        named: fields.first().is_some_and(|field| &*field.key == "name"),
        fields,
        extensible,
        min_fields: entry.get("min_fields").and_then(Value::as_f64).unwrap_or(0.0) as u32,
        unique: entry.get("maxProperties").and_then(Value::as_u64) == Some(1),
        required: false,
    })
}

fn required_list(body: &Value, key: &str) -> bool {
    strings(body.get("required")).contains(&key)
}

fn strings(value: Option<&Value>) -> Vec<&str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// `Vertex 1 X-coordinate` is `Vertex {} X-coordinate`.
fn numbered(name: &str) -> Option<String> {
    let at = name.match_indices('1').map(|(at, _)| at).find(|at| {
        let beside = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_digit());
        beside(name[..*at].chars().next_back()) && beside(name[at + 1..].chars().next())
    })?;
    Some(format!("{}{{}}{}", &name[..at], &name[at + 1..]))
}

fn field(shared: &mut Shared, key: &str, name: &str, about: &Value, flags: Option<&Flags>) -> Field {
    let either: Vec<&Value> = about.get("anyOf").and_then(Value::as_array).into_iter().flatten().collect();
    let of_type =
        |wanted: &str| either.iter().copied().find(|part| part.get("type").is_some_and(|t| t == wanted));
    let number = of_type("number").or_else(|| of_type("integer"));
    let word = of_type("string");
    let numeric = number.unwrap_or(about);
    let own = about.get("type").or_else(|| number.and_then(|part| part.get("type"))).and_then(Value::as_str);
    let automatic = word.and_then(|part| {
        strings(part.get("enum")).into_iter().find_map(|word| match word {
            "Autosize" => Some(Automatic::Autosize),
            "Autocalculate" => Some(Automatic::Autocalculate),
            _ => None,
        })
    });
    let lists = shared.all(about.get("object_list"));
    let external = about.get("data_type").is_some_and(|kind| kind == "external_list");
    let kind = match own {
        Some("number") if word.is_some_and(|part| part.get("enum").is_none()) => FieldKind::Mixed,
        Some("number") => FieldKind::Real,
        Some("integer") => FieldKind::Integer,
        _ if !lists.is_empty() => FieldKind::Reference,
        _ if external => FieldKind::External,
        _ if about.get("enum").is_some() => FieldKind::Choice,
        _ if flags.is_some_and(|flags| flags.node)
            || about.get("data_type").is_some_and(|kind| kind == "node") =>
        {
            FieldKind::Node
        }
        _ => FieldKind::Text,
    };
    let choices = match kind {
        FieldKind::Choice => shared.all(about.get("enum")),
        FieldKind::Real | FieldKind::Integer => {
            let numbers = numeric.get("enum").and_then(Value::as_array).into_iter().flatten();
            numbers.map(|number| shared.get(&plain(number))).collect()
        }
        _ => Vec::new(),
    };
    let bound = |plain: &str, open: &str| {
        let at = |name: &str| numeric.get(name).or_else(|| about.get(name));
        let closed = at(plain).and_then(Value::as_f64);
        match at(open) {
            // until 9.5 it says whether the other one is outside
            Some(Value::Bool(exclusive)) => closed.map(|value| Bound { value, exclusive: *exclusive }),
            open => open
                .and_then(Value::as_f64)
                .map(|value| Bound { value, exclusive: true })
                .or_else(|| closed.map(|value| Bound { value, exclusive: false })),
        }
    };
    let mut optional =
        |name: &str| about.get(name).map(plain).filter(|t| !t.is_empty()).map(|t| shared.get(&t));
    Field {
        units: optional("units"),
        ip_units: optional("ip-units"),
        units_from: optional("unitsBasedOnField"),
        note: optional("note"),
        default: optional("default"),
        key: shared.get(key),
        name: shared.get(name),
        numbered: None,
        kind,
        required: false,
        automatic,
        choices,
        minimum: bound("minimum", "exclusiveMinimum"),
        maximum: bound("maximum", "exclusiveMaximum"),
        references: shared.all(about.get("reference")),
        class_references: shared.all(about.get("reference-class-name")),
        lists,
        retain_case: about.get("retaincase").is_some_and(|v| v == true),
    }
}
