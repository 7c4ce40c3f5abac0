//! Changing properties so that only the elements named change.
//!
//! Exporters share: one property set by many elements, one property by many sets. A set that others use as well is
//! copied for the elements that change, a property that other sets hold is copied for this one. A new value has the
//! type of the property as it is, else the type that buildingSMART's template for it says, else one that suits it.

use super::read::{members_attribute, property_named};
use super::templates::Template;
use super::values::{Measures, bounded, describe, fitting, table, typed};
use super::{Detail, Property, definitions, templates};
use crate::guid::GuidSource;
use crate::relations::{DEFINED, Links};
use crate::schema::Kind;
use crate::{Edit, EditError, Id, Value};
use std::collections::BTreeMap;

/// One property to set, or with no value to remove.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// `FireRating`.
    pub name: String,
    /// Plain (then it is given a type) or typed; none removes the property. A list for one that lists values; for a
    /// range `[lower, upper]` or `[lower, upper, set point]` with null where it is open, or the set point alone; for a
    /// table a list of pairs.
    pub value: Option<Value>,
}

/// Why properties cannot be set.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// The element is nothing that has property sets.
    #[error("{class} {id} cannot have property sets")]
    NoSets {
        /// The element.
        id: Id,
        /// Its class.
        class: String,
    },
    /// The property comes from the element's type, so it cannot be removed from the element.
    #[error(
        "{property} comes from the type {type_name}; remove it there, or give the element a value of its own"
    )]
    Inherited {
        /// The property.
        property: String,
        /// The type's name.
        type_name: String,
        /// The type.
        type_id: Id,
    },
    /// The value is not what the property holds.
    #[error("{property} takes {expected}, not {given}")]
    Value {
        /// The property.
        property: String,
        /// The values that it takes.
        expected: String,
        /// The value that was given.
        given: String,
    },
    /// The property is of a kind that values cannot set: a reference, a complex property.
    #[error("{property} is a {kind}, which cannot be set as a plain value")]
    Kind {
        /// The property.
        property: String,
        /// Its class.
        kind: String,
    },
    /// The edit itself was refused.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// Sets and removes properties in the set of this name of each element; where an element has no such set, it gets one.
/// Sets whose name begins with `Qto_` hold quantities. Answers the sets that now hold the values.
pub fn set(
    edit: &mut Edit,
    elements: &[Id],
    set_name: &str,
    changes: &[Change],
    guids: &mut GuidSource,
) -> Result<Vec<Id>, SetError> {
    let mut by_set: BTreeMap<Option<Id>, Vec<Id>> = BTreeMap::new();
    for &element in elements {
        let instance = edit.get(element);
        if !instance.is_some_and(|i| i.is_a("IfcTypeObject") || i.is_a("IfcObjectDefinition")) {
            let class = instance.map_or("an instance", |i| i.class_name()).to_owned();
            return Err(SetError::NoSets { id: element, class });
        }
        let named = definitions(&Links::of_one(edit), element)
            .into_iter()
            .find(|id| edit.get(*id).and_then(|set| set.name()).is_some_and(|name| name == set_name));
        let members = by_set.entry(named).or_default();
        if !members.contains(&element) {
            members.push(element);
        }
    }
    let mut touched = Vec::new();
    for (known, members) in by_set {
        match known {
            Some(known) => {
                let own = split(edit, known, &members, guids)?;
                if apply(edit, own, &members, set_name, changes)? {
                    touched.push(own);
                }
            }
            None => touched.extend(create(edit, &members, set_name, changes, guids)?),
        }
    }
    Ok(touched)
}

/// A set that only these elements use: the set itself, or a copy that replaces it for them.
fn split(edit: &mut Edit, set: Id, members: &[Id], guids: &mut GuidSource) -> Result<Id, SetError> {
    let relations = Links::of_one(edit).model().referrers_of(set, DEFINED.class);
    let related =
        |edit: &Edit, id: Id| edit.get(id).map(|r| r.references("RelatedObjects")).unwrap_or_default();
    let types = edit.referrers_of(set, "IfcTypeObject");
    let shared = relations.iter().flat_map(|id| related(edit, *id)).chain(types.iter().copied());
    if shared.into_iter().all(|user| members.contains(&user)) {
        return Ok(set);
    }
    let copy = copy_of(edit, set, Some(guids.next()), &[])?;
    let mut moved = Vec::new();
    for relation in relations {
        let users = related(edit, relation);
        let mine: Vec<Id> = users.iter().copied().filter(|user| members.contains(user)).collect();
        if mine.is_empty() {
            continue;
        }
        // one set, or a set of sets in which one is replaced
        let before = edit.get(relation).map(|r| r.attr("RelatingPropertyDefinition")).unwrap_or_default();
        let after = replaced(&before, set, copy);
        if mine.len() == users.len() {
            edit.set(relation, "RelatingPropertyDefinition", after)?;
            continue;
        }
        for id in &mine {
            edit.remove_from(relation, "RelatedObjects", *id)?;
        }
        if before.as_ref().is_some() {
            moved.extend(mine);
        } else {
            relate(edit, after, &mine, guids)?;
        }
    }
    moved.dedup();
    if !moved.is_empty() {
        relate(edit, copy.into(), &moved, guids)?;
    }
    for of_type in types.into_iter().filter(|id| members.contains(id)) {
        let sets = edit.get(of_type).map(|t| t.references("HasPropertySets")).unwrap_or_default();
        let sets = sets.into_iter().map(|id| if id == set { copy } else { id });
        edit.set(of_type, "HasPropertySets", Value::list(sets))?;
    }
    Ok(copy)
}

fn create(
    edit: &mut Edit,
    members: &[Id],
    set_name: &str,
    changes: &[Change],
    guids: &mut GuidSource,
) -> Result<Vec<Id>, SetError> {
    let wanted: Vec<(&str, &Value)> =
        changes.iter().filter_map(|change| Some((change.name.as_str(), change.value.as_ref()?))).collect();
    if wanted.len() < changes.len() {
        for (element, change) in members.iter().flat_map(|m| changes.iter().map(move |c| (*m, c))) {
            if change.value.is_none() {
                refuse_inherited(edit, element, set_name, &change.name)?;
            }
        }
    }
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let (types, objects): (Vec<Id>, Vec<Id>) =
        members.iter().partition(|id| edit.get(**id).is_some_and(|i| i.is_a("IfcTypeObject")));
    let mut sets = Vec::new();
    if let Some(first) = objects.first() {
        let set = new_set(edit, *first, set_name, &wanted, guids)?;
        relate(edit, set.into(), &objects, guids)?;
        sets.push(set);
    }
    for of_type in types {
        let set = new_set(edit, of_type, set_name, &wanted, guids)?;
        let mut all = edit.get(of_type).map(|t| t.references("HasPropertySets")).unwrap_or_default();
        all.push(set);
        edit.set(of_type, "HasPropertySets", Value::list(all))?;
        sets.push(set);
    }
    Ok(sets)
}

/// A removed property that the type gives would still be there.
fn refuse_inherited(edit: &Edit, element: Id, set_name: &str, name: &str) -> Result<(), SetError> {
    let links = Links::of_one(edit);
    let Some(of_type) = links.type_of(element).filter(|of| *of != element) else { return Ok(()) };
    let Some(found) = super::find_with(&links, of_type, set_name, name) else { return Ok(()) };
    let type_name = edit.get(of_type).and_then(|t| t.name()).unwrap_or_default();
    Err(SetError::Inherited { property: found.name, type_name, type_id: of_type })
}

fn new_set(
    edit: &mut Edit,
    element: Id,
    set_name: &str,
    wanted: &[(&str, &Value)],
    guids: &mut GuidSource,
) -> Result<Id, SetError> {
    let quantities = set_name.starts_with("Qto_");
    let mut members = Vec::new();
    for (name, value) in wanted {
        members.push(new_member(edit, quantities, set_name, name, value)?);
    }
    let (class, list) =
        if quantities { ("IfcElementQuantity", "Quantities") } else { ("IfcPropertySet", "HasProperties") };
    let owner = owner_history(edit, element);
    let attributes = [
        ("GlobalId", Value::from(guids.next())),
        ("OwnerHistory", owner),
        ("Name", set_name.into()),
        (list, Value::list(members)),
    ];
    Ok(edit.create(class, &attributes)?)
}

/// Returns the value with one reference exchanged for another.
fn replaced(value: &Value, from: Id, to: Id) -> Value {
    match value {
        Value::Ref(id) if *id == from => Value::Ref(to),
        Value::List(members) => {
            Value::List(members.iter().map(|member| replaced(member, from, to)).collect())
        }
        Value::Typed(name, inner) => Value::Typed(name.clone(), Box::new(replaced(inner, from, to))),
        other => other.clone(),
    }
}

fn relate(edit: &mut Edit, set: Value, elements: &[Id], guids: &mut GuidSource) -> Result<Id, SetError> {
    let owner = elements.first().map_or(Value::Null, |element| owner_history(edit, *element));
    let attributes = [
        ("GlobalId", Value::from(guids.next())),
        ("OwnerHistory", owner),
        ("RelatedObjects", Value::list(elements)),
        ("RelatingPropertyDefinition", set),
    ];
    Ok(edit.create(DEFINED.class, &attributes)?)
}

fn owner_history(edit: &Edit, element: Id) -> Value {
    let own = edit.get(element).and_then(|i| i.reference("OwnerHistory"));
    own.or_else(|| edit.of_class("IfcOwnerHistory").into_iter().next()).map_or(Value::Null, Value::Ref)
}

/// A new instance with the attributes of another, but for its GlobalId and those given.
fn copy_of(edit: &mut Edit, id: Id, guid: Option<String>, other: &[(&str, Value)]) -> Result<Id, SetError> {
    let (class, mut attributes) = {
        let Some(instance) = edit.get(id) else {
            return Err(SetError::NoSets { id, class: "nothing".to_owned() });
        };
        let names = instance.entity().map(|entity| entity.attributes).unwrap_or_default();
        let values = names.iter().map(|a| a.name).zip(instance.attributes());
        (instance.class_name().to_owned(), values.collect::<Vec<_>>())
    };
    attributes.retain(|(_, value)| *value != Value::Derived);
    for (name, value) in &mut attributes {
        if let Some((_, given)) = other.iter().find(|(other, _)| other == name) {
            *value = given.clone();
        } else if let Some(guid) = guid.as_ref().filter(|_| *name == "GlobalId") {
            *value = guid.into();
        }
    }
    Ok(edit.create(&class, &attributes)?)
}

/// Makes the changes in a set that belongs to these elements alone; answers whether the set is still there.
fn apply(
    edit: &mut Edit,
    set: Id,
    members: &[Id],
    set_name: &str,
    changes: &[Change],
) -> Result<bool, SetError> {
    let list = edit.get(set).and_then(|instance| members_attribute(&instance));
    for change in changes {
        let Some(list) = list else {
            // a predefined set: its properties are attributes
            edit.set(set, &change.name, change.value.clone().unwrap_or_default())?;
            continue;
        };
        let known = property_named(edit, set, &change.name);
        match (known, &change.value) {
            (Some(known), Some(value)) => replace(edit, set, list, &known, value)?,
            (Some(known), None) => {
                let others = edit.get(set).map(|s| s.references(list)).unwrap_or_default();
                if others.iter().all(|id| *id == known.id) {
                    remove_set(edit, set)?;
                    sweep(edit, known.id)?;
                    return Ok(false);
                }
                edit.remove_from(set, list, known.id)?;
                sweep(edit, known.id)?;
            }
            (None, Some(value)) => {
                let member = new_member(edit, list == "Quantities", set_name, &change.name, value)?;
                edit.add_to(set, list, member)?;
            }
            (None, None) => {
                for element in members {
                    refuse_inherited(edit, *element, set_name, &change.name)?;
                }
            }
        }
    }
    Ok(true)
}

fn remove_set(edit: &mut Edit, set: Id) -> Result<(), SetError> {
    for relation in edit.referrers_of(set, DEFINED.class) {
        if edit.get(relation).and_then(|r| r.reference("RelatingPropertyDefinition")) == Some(set) {
            edit.remove(relation)?;
        }
    }
    for of_type in edit.referrers_of(set, "IfcTypeObject") {
        let mut sets = edit.get(of_type).map(|t| t.references("HasPropertySets")).unwrap_or_default();
        sets.retain(|id| *id != set);
        edit.set(of_type, "HasPropertySets", if sets.is_empty() { Value::Null } else { Value::list(sets) })?;
    }
    Ok(edit.remove(set)?)
}

/// Removes a property that nothing holds any more.
fn sweep(edit: &mut Edit, property: Id) -> Result<(), SetError> {
    if edit.referrers(property).is_empty() {
        edit.remove(property)?;
    }
    Ok(())
}

fn replace(edit: &mut Edit, set: Id, list: &str, known: &Property, value: &Value) -> Result<(), SetError> {
    let fault = |expected: &str| SetError::Value {
        property: known.name.clone(),
        expected: expected.to_owned(),
        given: describe(value),
    };
    let given_type = |of: &Value| match of {
        Value::Typed(name, _) => Some(name.clone()),
        _ => None,
    };
    let new: Vec<(&str, Value)> = match &known.detail {
        Detail::Single => {
            let declared = given_type(&known.value).unwrap_or_else(|| fitting(value).to_owned());
            vec![("NominalValue", typed(edit, &declared, value).map_err(|expected| fault(&expected))?)]
        }
        Detail::Enumerated | Detail::List => {
            let declared = known.value.as_list().and_then(|members| given_type(members.first()?));
            let members = match value {
                Value::List(members) => members.clone(),
                one => vec![one.clone()],
            };
            let mut list = Vec::new();
            for member in &members {
                let declared = declared.clone().unwrap_or_else(|| fitting(member).to_owned());
                list.push(typed(edit, &declared, member).map_err(|expected| fault(&expected))?);
            }
            if known.detail == Detail::Enumerated {
                check_enumeration(edit, known, &list).map_err(|expected| fault(&expected))?;
            }
            let attribute = if known.detail == Detail::List { "ListValues" } else { "EnumerationValues" };
            vec![(attribute, Value::List(list))]
        }
        Detail::Quantity(_) => {
            let number = value.as_f64().ok_or_else(|| fault("a number"))?;
            let place = edit.get(known.id).and_then(|q| q.entity()?.attributes.get(3).copied());
            let Some(attribute) = place else { return Ok(()) };
            let new = if attribute.kind == Kind::Integer {
                Value::Integer(number as i64)
            } else {
                Value::Real(number)
            };
            vec![(attribute.name, new)]
        }
        Detail::Bounded { lower, upper } => {
            let measures = Measures::of_values([lower, upper, &known.value], None);
            bounded(edit, &measures, [lower, upper], value).map_err(|expected| fault(&expected))?
        }
        Detail::Table { defining, defined } => {
            let measures = Measures::of_values(defining.first(), defined.first());
            table(edit, &measures, value).map_err(|expected| fault(&expected))?
        }
        Detail::Reference(_) | Detail::Complex(_) | Detail::Attribute(_) => {
            let kind = edit.get(known.id).map(|p| p.class_name().to_owned()).unwrap_or_default();
            return Err(SetError::Kind { property: known.name.clone(), kind });
        }
    };
    if edit.referrers(known.id).iter().all(|user| *user == set) {
        for (attribute, value) in new {
            edit.set(known.id, attribute, value)?;
        }
        return Ok(());
    }
    let copy = copy_of(edit, known.id, None, &new)?;
    let members = edit.get(set).map(|s| s.references(list)).unwrap_or_default();
    let members = members.into_iter().map(|id| if id == known.id { copy } else { id });
    edit.set(set, list, Value::list(members))?;
    Ok(())
}

/// Checks that every value is among those that the property's enumeration lists, if it lists any.
fn check_enumeration(edit: &Edit, known: &Property, values: &[Value]) -> Result<(), String> {
    let allowed = edit
        .get(known.id)
        .and_then(|p| p.reference("EnumerationReference"))
        .and_then(|id| edit.get(id))
        .map(|e| e.attr("EnumerationValues"));
    let Some(allowed) = allowed.as_ref().and_then(Value::as_list).filter(|list| !list.is_empty()) else {
        return Ok(());
    };
    if values.iter().all(|value| allowed.iter().any(|a| a.untyped() == value.untyped())) {
        return Ok(());
    }
    let names: Vec<&str> = allowed.iter().filter_map(Value::as_text).collect();
    Err(format!("one of {}", names.join(", ")))
}

/// A property or quantity that is not there yet.
fn new_member(edit: &mut Edit, quantity: bool, set: &str, name: &str, value: &Value) -> Result<Id, SetError> {
    let fault = |expected: &str| SetError::Value {
        property: name.to_owned(),
        expected: expected.to_owned(),
        given: describe(value),
    };
    let template = templates::find(edit.schema().version(), set, name);
    if quantity {
        let number = value.as_f64().ok_or_else(|| fault("a number"))?;
        let class = template
            .and_then(Template::quantity_class)
            .unwrap_or_else(|| templates::quantity_class_by_name(name));
        let attribute = edit.schema().entity(class).and_then(|e| e.attributes.get(3).copied());
        let Some(attribute) = attribute else { return Err(fault("a quantity of this schema")) };
        let number =
            if attribute.kind == Kind::Integer { Value::Integer(number as i64) } else { Value::Real(number) };
        return Ok(edit.create(class, &[("Name", name.into()), (attribute.name, number)])?);
    }
    let special = match template.map(|template| template.kind) {
        Some("BOUNDED") => {
            let measures = Measures::of_template(edit, template);
            Some(("IfcPropertyBoundedValue", bounded(edit, &measures, [&Value::Null; 2], value)))
        }
        Some("TABLE") => {
            Some(("IfcPropertyTableValue", table(edit, &Measures::of_template(edit, template), value)))
        }
        // a list of pairs is nothing but a table
        _ if value.as_list().is_some_and(|rows| rows.iter().any(|row| row.as_list().is_some())) => {
            Some(("IfcPropertyTableValue", table(edit, &Measures::default(), value)))
        }
        _ => None,
    };
    if let Some((class, attributes)) = special {
        let mut attributes = attributes.map_err(|expected| fault(&expected))?;
        attributes.push(("Name", name.into()));
        return Ok(edit.create(class, &attributes)?);
    }
    if let Value::List(members) = value {
        let mut list = Vec::new();
        for member in members {
            list.push(typed(edit, fitting(member), member).map_err(|expected| fault(&expected))?);
        }
        if list.is_empty() {
            return Err(fault("a value, or null to remove it"));
        }
        let enumerated = template.is_some_and(Template::is_enumerated);
        let (class, attribute) = if enumerated {
            ("IfcPropertyEnumeratedValue", "EnumerationValues")
        } else {
            ("IfcPropertyListValue", "ListValues")
        };
        return Ok(edit.create(class, &[("Name", name.into()), (attribute, Value::List(list))])?);
    }
    if template.is_some_and(Template::is_enumerated) && value.as_text().is_some() {
        let label = typed(edit, "IfcLabel", value).map_err(|expected| fault(&expected))?;
        let attributes = [("Name", name.into()), ("EnumerationValues", Value::List(vec![label]))];
        return Ok(edit.create("IfcPropertyEnumeratedValue", &attributes)?);
    }
    let declared = template.and_then(|t| t.measure(edit.schema())).unwrap_or_else(|| fitting(value));
    let nominal = typed(edit, declared, value).map_err(|expected| fault(&expected))?;
    Ok(edit.create("IfcPropertySingleValue", &[("Name", name.into()), ("NominalValue", nominal)])?)
}
