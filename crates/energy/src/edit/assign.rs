//! Sets the fields of a record from JSON, in the schema's own spelling.

use crate::idf::{Record, plain, set_value};
use crate::schema::{Extensible, Field, FieldKind, ObjectType, nearest};
use contract::Fault;
use serde_json::Value;

/// The largest number of groups that is set.
const GROUPS: usize = 100_000;

/// Sets one field, or the whole list of groups; answers which positions were set.
pub fn assign(
    record: &mut Record,
    about: &ObjectType,
    field: &str,
    value: &Value,
) -> Result<Vec<usize>, Fault> {
    if let Some(group) =
        about.extensible.as_ref().filter(|group| group.key.eq_ignore_ascii_case(field.trim()))
        && !matches!(value, Value::String(_) | Value::Number(_))
    {
        return groups(record, about, group, field, value);
    }
    if let (Value::Array(items), None) = (value, about.position(field))
        && let Some(set) = listed(record, about, field, items)?
    {
        return Ok(set);
    }
    let Some(position) = about.position(field).or_else(|| of_zone(about, field)) else {
        let known = about.all_fields().map(|field| &*field.key);
        let list = about.extensible.iter().map(|group| &*group.key);
        let near = nearest(field, known.chain(list), 3);
        let near = if near.is_empty() { required(about) } else { near };
        let meant =
            if near.is_empty() { String::new() } else { format!(" Did you mean {}?", near.join(", ")) };
        let message = format!("{} has no field `{field}`.{meant} See describe_object_type.", about.name);
        return Err(Fault::invalid(field, message).with("near_matches", near));
    };
    if position > about.fields.len() + GROUPS {
        return Err(Fault::invalid(field, format!("At most {GROUPS} values of groups can be set.")));
    }
    let Some((about_field, _)) = about.field_at(position) else { return Ok(Vec::new()) };
    let text = spelled(about_field, value).ok_or_else(|| not_a_value(field, value))?;
    set_value(&mut record.values, position, text);
    Ok(vec![position])
}

/// The position of the one field for a zone that goes by a longer name, such as `zone_or_zonelist_or_space_or_spacelist_name`, where
/// `zone_name` is said.
fn of_zone(about: &ObjectType, field: &str) -> Option<usize> {
    if !["zone", "zone_name"].contains(&crate::schema::key_of(field).as_str()) {
        return None;
    }
    let mut all = about.fields.iter().enumerate().filter(|(_, field)| field.key.starts_with("zone_or_"));
    all.next().filter(|_| all.next().is_none()).map(|(position, _)| position)
}

/// Sets the fields that a list stands for where the type has them one by one: `layers` of a construction from outside to inside, `vertices`
/// as lists of three coordinates. None where the type has no such fields.
fn listed(
    record: &mut Record,
    about: &ObjectType,
    field: &str,
    items: &[Value],
) -> Result<Option<Vec<usize>>, Fault> {
    let named = |name: &str| about.fields.iter().position(|field| *field.key == *name);
    let mut values: Vec<(usize, &Value)> = Vec::new();
    let wanted = crate::schema::key_of(field);
    let is_layers = ["layers", "layers_from_outside"].contains(&wanted.as_str());
    let mut fields: Vec<usize> = Vec::new();
    if is_layers {
        let layers = (2..=10).map_while(|number| named(&format!("layer_{number}")));
        fields.extend(named("outside_layer").into_iter().chain(layers));
    } else if wanted == "vertices" {
        let corners = (1..=4)
            .flat_map(|corner| ["x", "y", "z"].map(|axis| format!("vertex_{corner}_{axis}_coordinate")));
        fields.extend(corners.map_while(|key| named(&key)));
    }
    if fields.is_empty() {
        return Ok(None);
    }
    let each: Vec<&Value> = if is_layers {
        items.iter().collect()
    } else {
        let mut each = Vec::new();
        for (at, corner) in items.iter().enumerate() {
            match corner {
                Value::Array(point) if point.len() == 3 => each.extend(point),
                _ => {
                    let message = format!("`{field}` is a list of corners, each [x, y, z] in m.");
                    return Err(Fault::invalid(&format!("{field}[{at}]"), message));
                }
            }
        }
        each
    };
    if each.len() > fields.len() {
        let most = if is_layers { fields.len() } else { fields.len() / 3 };
        return Err(Fault::invalid(field, format!("{} has at most {most} of `{field}`.", about.name)));
    }
    values.extend(fields.iter().copied().zip(each));
    let mut set = Vec::new();
    for position in fields {
        set_value(&mut record.values, position, String::new());
    }
    for (position, value) in values {
        let Some((about_field, _)) = about.field_at(position) else { continue };
        let text = spelled(about_field, value).ok_or_else(|| not_a_value(field, value))?;
        set_value(&mut record.values, position, text);
        set.push(position);
    }
    if wanted == "vertices"
        && let Some(number) = named("number_of_vertices")
    {
        set_value(&mut record.values, number, items.len().to_string());
        set.push(number);
    }
    Ok(Some(set))
}

/// The fields that a type requires, for who named one that it does not have; at most ten.
fn required(about: &ObjectType) -> Vec<&str> {
    about.fields.iter().filter(|field| field.required).map(|field| &*field.key).take(10).collect()
}

fn not_a_value(field: &str, value: &Value) -> Fault {
    Fault::invalid(field, format!("`{field}` takes a text, a number or null, and not {value}."))
}

/// A list of groups takes the place of all that were there. A group is an object of fields, a list of values in order, or
/// where it has one field, its value.
fn groups(
    record: &mut Record,
    about: &ObjectType,
    group: &Extensible,
    field: &str,
    value: &Value,
) -> Result<Vec<usize>, Fault> {
    let keys: Vec<&str> = group.fields.iter().map(|field| &*field.key).collect();
    let form = || {
        let example = keys.iter().map(|key| format!("\"{key}\": …")).collect::<Vec<_>>().join(", ");
        Fault::invalid(field, format!("`{field}` is a list of groups: [{{{example}}}, …]."))
    };
    let items = match value {
        Value::Array(items) if items.len() <= GROUPS => items.as_slice(),
        Value::Null => &[],
        _ => return Err(form()),
    };
    let fixed = about.fields.len();
    record.values.truncate(fixed);
    let mut set = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let start = fixed + number * group.fields.len();
        // each group has its place, even where all of it is blank
        set_value(&mut record.values, start + group.fields.len() - 1, String::new());
        let mut put = |at: usize, value: &Value| -> Result<(), Fault> {
            let inner = group.fields.get(at).ok_or_else(form)?;
            let path = format!("{field}[{number}].{}", inner.key);
            let text = spelled(inner, value).ok_or_else(|| not_a_value(&path, value))?;
            set_value(&mut record.values, start + at, text);
            set.push(start + at);
            Ok(())
        };
        match item {
            Value::Object(fields) => {
                for (key, value) in fields {
                    let wanted = crate::schema::key_of(key);
                    let Some(at) = keys.iter().position(|key| **key == *wanted) else {
                        let near = nearest(key, keys.iter().copied(), 3);
                        let message = format!(
                            "Groups of `{field}` have no field `{key}`; they have {}.",
                            keys.join(", ")
                        );
                        return Err(Fault::invalid(&format!("{field}[{number}].{key}"), message)
                            .with("near_matches", near));
                    };
                    put(at, value)?;
                }
            }
            Value::Array(values) => {
                for (at, value) in values.iter().enumerate() {
                    put(at, value)?;
                }
            }
            value if keys.len() == 1 => put(0, value)?,
            _ => return Err(form()),
        }
    }
    Ok(set)
}

/// A value as the text form has it: choices and words as the schema spells them.
fn spelled(field: &Field, value: &Value) -> Option<String> {
    let text = plain(value)?;
    Some(match field.kind {
        FieldKind::Choice => {
            let known = field.choices.iter().find(|choice| choice.eq_ignore_ascii_case(&text));
            known.map_or(text, ToString::to_string)
        }
        FieldKind::Real | FieldKind::Integer => match field.automatic {
            Some(word)
                if ["autosize", "autocalculate"].iter().any(|auto| text.eq_ignore_ascii_case(auto)) =>
            {
                word.word().to_owned()
            }
            _ => text,
        },
        _ => text,
    })
}
