//! Models as epJSON, in the form that EnergyPlus' own converter writes: types and names in order, numbers where the
//! schema has numbers, choices as the schema spells them, blank fields left out.

use super::base::Member;
use super::json;
use super::{Document, Object, OpenError, Problem, ProblemCode, Record, version};
use crate::schema::{Field, FieldKind, ObjectType, Schema, Text};
use contract::Fault;
use serde_json::{Number, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Members that older converters wrote beside the fields; they say nothing of the model.
const ASIDE: [&str; 3] = ["idf_order", "idf_max_fields", "idf_max_extensible_fields"];

/// More problems than this are not listed.
const PROBLEMS: usize = 1_000;

/// A value of the text form as JSON, by what the schema says of its field.
pub fn typed(field: Option<&Field>, text: &str) -> Value {
    let Some(field) = field else { return Value::String(text.to_owned()) };
    match field.kind {
        FieldKind::Choice => {
            let known = field.choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
            Value::String(known.map_or_else(|| text.to_owned(), ToString::to_string))
        }
        FieldKind::Real | FieldKind::Integer | FieldKind::Mixed => number(text).map_or_else(
            || {
                let word = field.automatic.map(super::super::schema::Automatic::word);
                let word = word.filter(|_| is_automatic(text));
                Value::String(word.unwrap_or(text).to_owned())
            },
            Value::Number,
        ),
        _ => Value::String(text.to_owned()),
    }
}

fn is_automatic(text: &str) -> bool {
    text.eq_ignore_ascii_case("autosize") || text.eq_ignore_ascii_case("autocalculate")
}

/// A number as EnergyPlus reads it: `1`, `+2`, `3.`, `1e-5`.
pub fn number(text: &str) -> Option<Number> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || ['.', '-', '+'].contains(&c)) {
        return None;
    }
    if let (false, Ok(whole)) = (text.starts_with('+'), text.parse::<i64>()) {
        return Some(whole.into());
    }
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    if plain { Number::from_f64(text.parse().ok()?) } else { None }
}

/// Writes the document as EnergyPlus' converter would; names that two objects share make it fail, since one would be lost.
pub fn write(document: &Document) -> Result<String, Fault> {
    let mut types: BTreeMap<&str, BTreeMap<String, Object<'_>>> = BTreeMap::new();
    for object in document.objects() {
        let members = types.entry(object.type_name()).or_default();
        let key = key_of(object, members.len());
        if let Some(other) = members.insert(key, object) {
            return Err(Fault::constraint(format!(
                "Two objects of type {} are called `{}` (lines {} and {}), which epJSON cannot hold. Rename one of them.",
                object.type_name(),
                object.name(),
                other.line().unwrap_or_default(),
                object.line().unwrap_or_default(),
            ))
            .with("object_type", object.type_name())
            .with("name", object.name()));
        }
    }
    let mut out = String::from("{");
    for (at, (type_name, members)) in types.iter().enumerate() {
        open_type(&mut out, at, type_name);
        for (at, (key, object)) in members.iter().enumerate() {
            member(&mut out, at, key, &pretty(&body(*object)));
        }
        out.push_str("\n    }");
    }
    out.push_str("\n}");
    Ok(out)
}

/// A document that was read from epJSON, with its changes: in the file's order, untouched objects as they stood.
pub fn rewritten(document: &Document) -> String {
    let text = &document.base.text;
    if !document.is_changed() {
        return text.clone();
    }
    let mut order: Vec<&str> = Vec::new();
    let mut types: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    let mut objects: Vec<Object<'_>> = document.objects().collect();
    objects.sort_by_key(|object| {
        document.base.member(object.handle()).map_or((1, object.handle().0 as usize), |kept| (0, kept.body.0))
    });
    for object in objects {
        let type_name = object.type_name();
        let members = types.entry(type_name).or_insert_with(|| {
            order.push(type_name);
            Vec::new()
        });
        let untouched = !document.changed.contains_key(&object.handle());
        let kept = document.base.member(object.handle()).filter(|_| untouched);
        let said = kept.and_then(|kept| text.get(kept.body.0..kept.body.1)).map(str::to_owned);
        let said = said.unwrap_or_else(|| pretty(&body(object)));
        let mut number = members.len();
        let mut key = key_of(object, number);
        while object.name().is_empty() && members.iter().any(|(other, _)| *other == key) {
            number += 1;
            key = format!("{type_name} {}", number + 1);
        }
        members.push((key, said));
    }
    let mut out = String::from("{");
    for (at, type_name) in order.iter().enumerate() {
        open_type(&mut out, at, type_name);
        for (at, (key, said)) in types.get(type_name).into_iter().flatten().enumerate() {
            member(&mut out, at, key, said);
        }
        out.push_str("\n    }");
    }
    out.push_str("\n}");
    if text.ends_with('\n') {
        out.push('\n');
    }
    out
}

fn open_type(out: &mut String, at: usize, type_name: &str) {
    out.push_str(if at == 0 { "\n    " } else { ",\n    " });
    out.push_str(&Value::from(type_name).to_string());
    out.push_str(": {");
}

fn member(out: &mut String, at: usize, key: &str, said: &str) {
    out.push_str(if at == 0 { "\n        " } else { ",\n        " });
    out.push_str(&Value::from(key).to_string());
    out.push_str(": ");
    out.push_str(said);
}

/// JSON as the converter lays it out, two levels deep in the file.
fn pretty(value: &Value) -> String {
    use serde::Serialize;
    let mut bytes = Vec::new();
    let layout = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, layout));
    String::from_utf8(bytes).unwrap_or_default().replace('\n', "\n        ")
}

fn key_of(object: Object<'_>, before: usize) -> String {
    if object.is_named() {
        object.name().to_owned()
    } else {
        object.key().map_or_else(|| format!("{} {}", object.type_name(), before + 1), str::to_owned)
    }
}

/// The fields of an object as epJSON has them, in order of their keys.
pub fn body(object: Object<'_>) -> Value {
    let mut fields: BTreeMap<String, Value> = BTreeMap::new();
    let about = object.about();
    let mut items: Vec<Value> = Vec::new();
    let size = about.and_then(|about| about.extensible.as_ref()).map_or(1, |group| group.fields.len().max(1));
    let mut item: BTreeMap<String, Value> = BTreeMap::new();
    let mut filled = 0;
    for value in object.fields() {
        if value.group.is_some() {
            if let Some(field) = value.field.filter(|_| !value.value.is_empty()) {
                item.insert(field.key.to_string(), typed(Some(field), value.value));
            }
            filled += 1;
            if filled == size {
                items.push(Value::Object(std::mem::take(&mut item).into_iter().collect()));
                filled = 0;
            }
        } else if value.value.is_empty() || (value.position == 0 && object.is_named()) {
        } else if let Some(field) = value.field {
            fields.insert(field.key.to_string(), typed(Some(field), value.value));
        } else {
            fields.insert(format!("field_{}", value.position + 1), typed(None, value.value));
        }
    }
    if !item.is_empty() {
        items.push(Value::Object(item.into_iter().collect()));
    }
    if let (false, Some(group)) = (items.is_empty(), about.and_then(|about| about.extensible.as_ref())) {
        fields.insert(group.key.to_string(), Value::Array(items));
    }
    fields.extend(object.extra().iter().cloned());
    Value::Object(fields.into_iter().collect())
}

/// The number that a converter gave an object without a name, as in `Output:Variable 10`.
pub(super) fn counted(key: &str) -> u64 {
    key.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(u64::MAX)
}

/// The objects of an epJSON text.
pub(super) struct Read {
    /// Its objects.
    pub members: Vec<Member>,
    /// The schema they are read by.
    pub schema: Arc<Schema>,
    /// The problems that were read past.
    pub problems: Vec<Problem>,
}

/// The objects of an epJSON text by the schema given, else by that of the version which the text names.
pub(super) fn read(text: &str, given: Option<Arc<Schema>>) -> Result<Read, OpenError> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    json::is_well_formed(text.get(start..).unwrap_or_default())
        .map_err(|error| OpenError::Json(error.to_string()))?;
    let mut found = Vec::new();
    let mut problems = Vec::new();
    let types = json::members(text, start);
    let schema = given.unwrap_or_else(|| {
        let said = version::of_members(text, &types);
        let (schema, told) = version::choose(text, &said);
        problems = told;
        schema
    });
    let mut known: HashMap<String, u32> = HashMap::new();
    for of_type in &types {
        let line = super::lexer::line_of(text, of_type.value.0);
        if let Some(before) = known.insert(of_type.name.clone(), line).filter(|_| problems.len() < PROBLEMS) {
            let message = format!(
                "`{}` stands twice, in lines {before} and {line}: both are read here, the last alone by EnergyPlus. Make one of both.",
                of_type.name
            );
            problems.push(Problem { code: ProblemCode::Repeated, line, message });
        }
    }
    for of_type in types {
        let number = schema.number(&of_type.name);
        let about = number.and_then(|number| schema.type_at(number));
        let type_name: Text = about.map_or_else(|| of_type.name.as_str().into(), |about| about.name.clone());
        if text.as_bytes().get(of_type.value.0) != Some(&b'{') {
            let what = about.map_or_else(|| "a member".to_owned(), |about| format!("`{}`", about.name));
            let line = super::lexer::line_of(text, of_type.value.0);
            return Err(OpenError::Json(format!("{what} in line {line} is not an object of named objects")));
        }
        let mut members = json::members(text, of_type.value.0);
        if about.is_some_and(|about| !about.named) {
            // `Output:Variable 10` stands before `Output:Variable 2` in the file, and behind it in the model
            members.sort_by_key(|member| counted(&member.name));
        }
        for member in members {
            if text.as_bytes().get(member.value.0) != Some(&b'{') {
                let of = about.map_or_else(|| "another type".to_owned(), |about| format!("`{}`", about.name));
                let line = super::lexer::line_of(text, member.value.0);
                return Err(OpenError::Json(format!(
                    "a member of {of} in line {line} is not an object of fields"
                )));
            }
            let fields = json::members(text, member.value.0);
            let mut place = |message: String| {
                if problems.len() < PROBLEMS {
                    let line = super::lexer::line_of(text, member.value.0);
                    problems.push(Problem { code: ProblemCode::Unplaced, line, message });
                }
            };
            let mut record = Record { type_name: type_name.clone(), number, ..Record::default() };
            if let Some(about) = about {
                fill(&mut record, about, &member.name, (text, fields), &mut place);
            } else {
                record.key = Some(member.name.as_str().into());
                record.extra =
                    fields.into_iter().map(|field| (field.name, said(text, field.value))).collect();
            }
            found.push(Member { record: Arc::new(record), body: member.value });
        }
    }
    Ok(Read { members: found, schema, problems })
}

fn fill(
    record: &mut Record,
    about: &ObjectType,
    key: &str,
    (text, fields): (&str, Vec<json::Member>),
    place: &mut dyn FnMut(String),
) {
    if about.named {
        set(&mut record.values, 0, key.to_owned());
    } else {
        record.key = Some(key.into());
    }
    for json::Member { name, value } in fields {
        let at = about.fields.iter().position(|field| *field.key == *name);
        if let Some(group) = about.extensible.as_ref().filter(|group| *group.key == *name) {
            let Some(items) = json::elements(text, value.0) else {
                place(format!("`{name}` of {} `{key}` is not a list", about.name));
                record.extra.push((name, said(text, value)));
                continue;
            };
            for (number, item) in items.into_iter().enumerate() {
                let start = about.fields.len() + number * group.fields.len();
                // a group without any value keeps its place
                extend(&mut record.values, start + group.fields.len());
                if text.as_bytes().get(item.0) != Some(&b'{') {
                    place(format!(
                        "entry {} of `{name}` of {} `{key}` is not an object",
                        number + 1,
                        about.name
                    ));
                    record.extra.push((format!("{name}[{number}]"), said(text, item)));
                    continue;
                }
                for json::Member { name: inner, value } in json::members(text, item.0) {
                    let at = group.fields.iter().position(|field| *field.key == *inner);
                    if let (Some(at), Some(value)) = (at, plain_at(text, value)) {
                        set(&mut record.values, start + at, value);
                    } else {
                        let path = format!("{name}[{number}].{inner}");
                        place(format!(
                            "{} `{key}` has `{path}`, which the schema has no place for",
                            about.name
                        ));
                        record.extra.push((path, said(text, value)));
                    }
                }
            }
        } else if let (Some(at), Some(value)) =
            (at.filter(|at| !(about.named && *at == 0)), plain_at(text, value))
        {
            set(&mut record.values, at, value);
        } else if !ASIDE.contains(&name.as_str()) {
            place(format!("{} `{key}` has `{name}`, which the schema has no field for", about.name));
            record.extra.push((name, said(text, value)));
        }
    }
}

fn said(text: &str, (start, end): (usize, usize)) -> Value {
    text.get(start..end).and_then(|said| serde_json::from_str(said).ok()).unwrap_or_default()
}

/// A value of the file as the text form writes it: numbers to the last figure as they stand.
pub(super) fn plain_at(text: &str, (start, end): (usize, usize)) -> Option<String> {
    let said = text.get(start..end)?;
    if said.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return Some(said.to_owned());
    }
    plain(&serde_json::from_str(said).ok()?)
}

/// A JSON value as the text form writes it.
pub fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null => Some(String::new()),
        Value::Bool(yes) => Some(if *yes { "Yes" } else { "No" }.to_owned()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn extend(values: &mut Vec<Box<str>>, length: usize) {
    if values.len() < length {
        values.resize(length, "".into());
    }
}

/// Sets a value, with blank ones before it where there are none yet.
pub fn set(values: &mut Vec<Box<str>>, at: usize, value: String) {
    extend(values, at + 1);
    if let Some(place) = values.get_mut(at) {
        *place = value.into();
    }
}
