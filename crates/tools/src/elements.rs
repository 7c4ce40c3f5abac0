//! The way tools name elements and say what they are: ids, names, values with units, the fields that a row may have.

use contract::Fault;
use ifc::relations::Links;
use ifc::selector::{Datum, Path, Step};
use ifc::{Id, Model, Units, Value, guid, psets};
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

/// A value as a row shows it: elements by their names, lists without repetition, null for nothing.
pub fn shown(model: &Model, value: &Datum) -> Json {
    match value {
        Datum::Null => Json::Null,
        Datum::Truth(truth) => json!(truth),
        Datum::Whole(number) => json!(number),
        Datum::Real(number) => number_json(*number),
        Datum::Text(text) => json!(text),
        Datum::Typed(_, inner) => shown(model, inner),
        Datum::Entity(id) => name_of(model, *id).map_or_else(|| json!(id_of(model, *id)), Json::from),
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

/// A column that an agent asks for.
pub struct Field {
    /// As it was asked for; the name of the column.
    pub label: String,
    path: Path,
}

/// Words for columns that are no attributes.
const KEYS: [&str; 21] = [
    "id",
    "class",
    "type",
    "material",
    "materials",
    "container",
    "storey",
    "space",
    "building",
    "site",
    "parent",
    "predefined_type",
    "classification",
    "group",
    "system",
    "zone",
    "x",
    "y",
    "z",
    "occurrences",
    "count",
];

impl Field {
    /// Reads `Name`, `storey`, `Pset_WallCommon.FireRating`, `type.Name`, …; attributes in small letters are
    /// understood too.
    pub fn parse(text: &str, position: &str) -> Result<Self, Fault> {
        let mut path = Path::parse(text.trim()).map_err(|error| {
            Fault::invalid(position, format!("The field `{text}` cannot be read: {}.", error.message))
        })?;
        if let [Step::Key(key)] = path.steps.as_mut_slice() {
            match key.as_str() {
                "id" | "global_id" => "GlobalId".clone_into(key),
                "bbox" => {
                    return Err(Fault::invalid(
                        position,
                        "Boxes are a column of rows, not a thing to sort or add up; use x, y or z, or a quantity.",
                    ));
                }
                _ if KEYS.contains(&key.as_str()) => {}
                _ if key.starts_with(|c: char| c.is_ascii_lowercase()) && !key.contains(' ') => {
                    *key = key.split('_').map(capitalised).collect();
                }
                _ => {}
            }
        }
        Ok(Self { label: text.trim().to_owned(), path })
    }

    /// The value for an element.
    pub fn value(&self, links: &Links<'_>, element: Id) -> Datum {
        self.path.follow(links, element)
    }

    /// Returns the unit of its numbers, going by this element.
    pub fn unit(&self, links: &Links<'_>, units: &Units, element: Id) -> Option<String> {
        let model = links.model();
        let (last, before) = self.path.steps.split_last()?;
        let Step::Key(last) = last else {
            return self.matching(links, element)?.unit_label(model, units);
        };
        let owner = Path { steps: before.to_vec() }.follow(links, element);
        let owner = match owner {
            Datum::List(members) => members.into_iter().next().unwrap_or(Datum::Null),
            other => other,
        };
        match owner {
            Datum::Entity(id) if matches!(last.as_str(), "x" | "y" | "z") => {
                model.get(id)?.reference("ObjectPlacement").map(|_| units.length_label().to_owned())
            }
            Datum::Entity(id) => {
                units.label(model.get(id)?.entity()?.attribute(last)?.declared).map(str::to_owned)
            }
            Datum::Record(_) => {
                let (set, before) = before.split_last()?;
                let Step::Key(set) = set else {
                    return self.matching(links, element)?.unit_label(model, units);
                };
                let Datum::Entity(id) = Path { steps: before.to_vec() }.follow(links, element) else {
                    return None;
                };
                psets::find_with(links, id, set, last)?.unit_label(model, units)
            }
            _ => None,
        }
    }

    /// The first property that a path with a regular expression leads to.
    fn matching(&self, links: &Links<'_>, element: Id) -> Option<psets::Property> {
        let matches = |step: &Step, name: &str| match step {
            Step::Key(key) => key == name,
            Step::Regex(regex) => regex.is_match(name),
        };
        let [set, name] = self.path.steps.as_slice() else { return None };
        let sets = psets::of_with(links, element);
        let mut properties = sets.into_iter().filter(|s| matches(set, &s.name)).flat_map(|s| s.properties);
        properties.find(|property| matches(name, &property.name))
    }

    /// Returns what an unknown name may have meant, going by these elements; none if some element could have the field.
    pub fn near_matches(&self, links: &Links<'_>, elements: &[Id]) -> Option<Vec<String>> {
        let model = links.model();
        let [first, rest @ ..] = self.path.steps.as_slice() else { return None };
        let Step::Key(first) = first else { return None };
        if KEYS.contains(&first.as_str()) {
            return None;
        }
        let mut attributes: Vec<&str> = Vec::new();
        let mut properties: Vec<String> = Vec::new();
        for id in elements.iter().take(200) {
            let Some(entity) = model.get(*id).and_then(|instance| instance.entity()) else { continue };
            attributes.extend(entity.attributes.iter().map(|a| a.name));
            for set in psets::of_with(links, *id) {
                properties.extend(set.properties.iter().map(|p| format!("{}.{}", set.name, p.name)));
            }
        }
        attributes.sort_unstable();
        attributes.dedup();
        properties.sort_unstable();
        properties.dedup();
        let label = match rest {
            [Step::Key(name)] => format!("{first}.{name}"),
            _ => first.clone(),
        };
        if attributes.contains(&first.as_str()) || properties.contains(&label) {
            return None;
        }
        let mut near =
            crate::near_matches(&label, properties.iter().map(String::as_str).chain(attributes).chain(KEYS));
        // the right name in another set
        if let [Step::Key(name)] = rest {
            near.extend(
                properties
                    .iter()
                    .filter(|p| p.split_once('.').is_some_and(|(_, n)| n.eq_ignore_ascii_case(name)))
                    .take(3)
                    .cloned(),
            );
        }
        let mut seen = std::collections::HashSet::new();
        near.retain(|name| seen.insert(name.clone()));
        Some(near)
    }
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A selector that an agent wrote, with its classes looked up.
pub fn selector(model: &Model, text: &str) -> Result<ifc::Selector, Fault> {
    let selector = ifc::Selector::parse(text).map_err(|error| {
        Fault::invalid("selector", format!("The selector is wrong at {error}.")).with("at", error.at)
    })?;
    for class in selector.classes() {
        let schema = model.schema();
        let known = |version: ifc::SchemaVersion| version.schema().entity(class).is_some();
        if schema.entity(class).is_some() || ifc::SchemaVersion::ALL.into_iter().any(known) {
            continue;
        }
        let near = schema.near_entities(class, 5);
        let hint = near.first().map_or_else(String::new, |near| format!(" Did you mean {near}?"));
        let message = format!("{} has no class {class}.{hint}", schema.version());
        return Err(Fault::invalid("selector", message).with("near_matches", near));
    }
    Ok(selector)
}

/// One or several.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
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

/// The elements that an agent means by ids, by a category's word such as `walls`, or by a selector; a Fault where there are none.
pub(crate) fn choose(model: &Model, field: &str, texts: &[String]) -> Result<Vec<Id>, Fault> {
    let mut chosen = Vec::new();
    for text in texts {
        chosen.extend(chosen_by(model, field, text.trim())?);
    }
    let mut seen = std::collections::HashSet::new();
    chosen.retain(|id| seen.insert(*id));
    if chosen.is_empty() {
        return Err(Fault::invalid(
            field,
            format!(
                "`{field}`: there is no {} in this model. Find what there is with query_elements.",
                texts.join(", ")
            ),
        ));
    }
    Ok(chosen)
}

fn chosen_by(model: &Model, field: &str, text: &str) -> Result<Vec<Id>, Fault> {
    if let Some(classes) = building::categories::classes(text) {
        return Ok(classes.iter().flat_map(|class| model.of_class(class)).collect());
    }
    if let Some(id) = model.by_guid(text) {
        return Ok(vec![id]);
    }
    if guid::parse(text).is_some() {
        return Err(Fault::no_element(text).with("field", field));
    }
    match selector(model, text) {
        Ok(selector) => Ok(selector.run(model)),
        Err(fault) => {
            let near = crate::near_matches(text, building::categories::words());
            let words: Vec<&str> = building::categories::words().collect();
            let hint = near
                .first()
                .map_or_else(String::new, |word| format!(" Or did you mean the category {word}?"));
            let fault = Fault { message: format!("`{field}`: {}{hint}", fault.message), ..fault };
            Err(fault.with("field", field).with("categories", words))
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
