//! Python values as JSON and back. What a call is given has to be data that JSON can say; what a script answers is said
//! as well as it can be.

use crate::host::{Element, Handle, Host, Reply};
use monty_types::{DictPairs, MontyClassInstance, MontyClassType, MontyObject, MontyUuid};
use serde_json::{Map, Number, Value};

/// Marks the ids of objects that are ours; those of classes that a script makes are random.
const OURS: u128 = 0x7065_6e73_6165_7200;
const CLASSES: u128 = OURS | 1;
/// Bits of a whole number that is still written out.
const WRITTEN_BITS: u64 = 4096;

fn uuid(kind: u128, number: u64) -> MontyUuid {
    MontyUuid::from_u128(kind << 64 | u128::from(number))
}

fn object(handle: Handle, class: &str, attributes: Vec<(MontyObject, MontyObject)>) -> MontyObject {
    let (class_number, number) = match handle {
        Handle::Adapter => (0, 0),
        Handle::Element(element) => (1, element),
    };
    let class_type = MontyClassType {
        name: class.to_owned(),
        id: uuid(CLASSES, class_number),
        host_defined: true,
        is_dataclass: false,
        attrs: DictPairs::default(),
    };
    let kind = OURS | ((u128::from(class_number) + 1) << 8);
    MontyObject::ClassInstance(Box::new(MontyClassInstance {
        class_type,
        instance_id: uuid(kind, number),
        attrs: attributes.into(),
    }))
}

/// Returns the handle that an object's id stands for, if it is one of ours.
pub(crate) fn handle_of(id: MontyUuid) -> Option<Handle> {
    let bits = u128::from_be_bytes(*id.as_bytes());
    match bits >> 64 {
        kind if kind == OURS | 1 << 8 => Some(Handle::Adapter),
        kind if kind == OURS | 2 << 8 => Some(Handle::Element(bits as u64)),
        _ => None,
    }
}

/// The adapter as the script gets it.
pub(crate) fn adapter() -> MontyObject {
    object(Handle::Adapter, "Adapter", Vec::new())
}

fn element(element: &Element) -> MontyObject {
    let pair =
        |name: &str, text: &str| (MontyObject::String(name.to_owned()), MontyObject::String(text.to_owned()));
    let attributes = vec![pair("id", &element.id), pair("ifc_class", &element.class)];
    object(Handle::Element(element.handle), "Element", attributes)
}

/// Converts the host's answer to a value of the script: a copy, so that it is counted as the script's.
pub(crate) fn of_reply(reply: &Reply) -> MontyObject {
    match reply {
        Reply::Value(value) => of_json(value),
        Reply::Element(one) => element(one),
        Reply::Elements(many) => MontyObject::List(many.iter().map(element).collect()),
        Reply::Function(name) => MontyObject::Function { name: name.clone(), docstring: None },
    }
}

fn of_json(value: &Value) -> MontyObject {
    match value {
        Value::Null => MontyObject::None,
        Value::Bool(truth) => MontyObject::Bool(*truth),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => MontyObject::Int(whole),
            None => MontyObject::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => MontyObject::String(text.clone()),
        Value::Array(items) => MontyObject::List(items.iter().map(of_json).collect()),
        Value::Object(map) => {
            let pairs = map.iter().map(|(name, member)| (MontyObject::String(name.clone()), of_json(member)));
            MontyObject::dict(pairs.collect::<Vec<_>>())
        }
    }
}

/// Why a value is no argument.
type Wrong = String;

/// A value that a call is given, as JSON.
pub(crate) fn argument(value: &MontyObject, host: &dyn Host) -> Result<Value, Wrong> {
    Ok(match value {
        MontyObject::None => Value::Null,
        MontyObject::Bool(truth) => Value::Bool(*truth),
        MontyObject::Int(whole) => (*whole).into(),
        MontyObject::Float(number) => Number::from_f64(*number)
            .map(Value::Number)
            .ok_or_else(|| format!("{value} is no number to build with"))?,
        MontyObject::String(text) | MontyObject::Path(text) => text.as_str().into(),
        MontyObject::List(items)
        | MontyObject::Tuple(items)
        | MontyObject::Set(items)
        | MontyObject::FrozenSet(items)
        | MontyObject::NamedTuple { values: items, .. } => {
            items.iter().map(|item| argument(item, host)).collect::<Result<Vec<_>, _>>()?.into()
        }
        MontyObject::Dict(pairs) => {
            let mut map = Map::new();
            for (name, member) in pairs {
                map.insert(key(name), argument(member, host)?);
            }
            map.into()
        }
        MontyObject::ClassInstance(instance) => match handle_of(instance.instance_id) {
            Some(Handle::Element(element)) => host.id(element).into(),
            _ => {
                return Err(format!(
                    "an object of class {} cannot be handed to an operation",
                    instance.class_type.name
                ));
            }
        },
        MontyObject::Date(_) | MontyObject::DateTime(_) | MontyObject::Time(_) => {
            return Err("write dates as text, such as d.isoformat()".to_owned());
        }
        MontyObject::BigInt(_) => return Err("a whole number beyond 64 bits".to_owned()),
        MontyObject::Cycle(..) => return Err("a list or dict that contains itself".to_owned()),
        other => return Err(format!("a {} cannot be handed to an operation", other.type_name())),
    })
}

/// The value that a script ends with, as JSON; none if it is larger than `limit` bytes.
pub(crate) fn answer(value: &MontyObject, host: &dyn Host, limit: usize) -> Option<Value> {
    let mut left = limit;
    said(value, host, &mut left)
}

fn said(value: &MontyObject, host: &dyn Host, left: &mut usize) -> Option<Value> {
    let mut spend = |bytes: usize| {
        *left = left.checked_sub(bytes)?;
        Some(())
    };
    Some(match value {
        MontyObject::None => {
            spend(4)?;
            Value::Null
        }
        MontyObject::Bool(truth) => {
            spend(5)?;
            Value::Bool(*truth)
        }
        MontyObject::Int(whole) => {
            spend(8)?;
            (*whole).into()
        }
        MontyObject::BigInt(whole) => {
            let bits = whole.bits();
            spend(WRITTEN_BITS as usize / 3)?;
            if bits > WRITTEN_BITS {
                return Some(format!("a whole number of {bits} bits").into());
            }
            whole.to_string().into()
        }
        MontyObject::Float(number) => {
            spend(16)?;
            Number::from_f64(*number).map_or_else(|| value.to_string().into(), Value::Number)
        }
        MontyObject::String(text) | MontyObject::Path(text) | MontyObject::Repr(text) => {
            spend(text.len() + 2)?;
            text.as_str().into()
        }
        MontyObject::List(items)
        | MontyObject::Tuple(items)
        | MontyObject::Set(items)
        | MontyObject::FrozenSet(items)
        | MontyObject::NamedTuple { values: items, .. } => {
            spend(2)?;
            items.iter().map(|item| said(item, host, left)).collect::<Option<Vec<_>>>()?.into()
        }
        MontyObject::Dict(pairs) => {
            spend(2)?;
            let mut map = Map::new();
            for (name, member) in pairs {
                let name = key(name);
                *left = left.checked_sub(name.len() + 3)?;
                map.insert(name, said(member, host, left)?);
            }
            map.into()
        }
        MontyObject::ClassInstance(instance) => {
            if let Some(Handle::Element(element)) = handle_of(instance.instance_id) {
                spend(30)?;
                return Some(host.id(element).into());
            }
            spend(2)?;
            let mut map = Map::new();
            for (name, member) in &instance.attrs {
                let name = key(name);
                *left = left.checked_sub(name.len() + 3)?;
                map.insert(name, said(member, host, left)?);
            }
            map.into()
        }
        other => {
            spend(other.host_size())?;
            other.to_string().into()
        }
    })
}

/// The key of a dict as JSON has it.
fn key(name: &MontyObject) -> String {
    match name {
        MontyObject::String(text) => text.clone(),
        MontyObject::BigInt(_) => "a whole number beyond 64 bits".to_owned(),
        other => other.to_string(),
    }
}
