//! What a call in Python did, told as STEP lines and ids, made an edit of our own model: parsed by the reader of files, put in
//! the order that references ask for, and checked against the schema as every edit is. And the way back: what differs between
//! two versions, as Python replays it.

use crate::member;
use contract::{Fault, FaultCode};
use ifc::{Edit, Id, Limits, Model, Referrers, Value};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Instances added, changed and removed.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Changes {
    #[serde(default)]
    added: Vec<String>,
    #[serde(default)]
    changed: Vec<String>,
    #[serde(default)]
    removed: Vec<u32>,
}

impl Changes {
    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// The answer of a call.
pub(crate) struct CallAnswer {
    pub(crate) result: Json,
    pub(crate) event: Option<String>,
    pub(crate) changes: Changes,
    /// A new model, as a whole file.
    pub(crate) text: Option<String>,
}

impl CallAnswer {
    pub(crate) fn read(mut answer: Json, what: &str) -> Result<Self, Fault> {
        let changes = match member(&mut answer, "changes") {
            Json::Null => Changes::default(),
            given => serde_json::from_value(given).map_err(|error| {
                Fault::backend(format!(
                    "What {what} did in IfcOpenShell is not told as agreed: {error}. Nothing was changed."
                ))
            })?,
        };
        let text = |value: Json| if let Json::String(text) = value { Some(text) } else { None };
        Ok(Self {
            result: member(&mut answer, "result"),
            event: text(member(&mut answer, "event")).filter(|event| event.len() < 100),
            changes,
            text: text(member(&mut answer, "text")),
        })
    }
}

/// The model that a whole file is; one whose content is in doubt is refused.
pub(crate) fn check_file(text: &str) -> Result<Model, Fault> {
    let (model, problems) = Model::from_bytes(text.as_bytes().to_vec(), &Limits::default())
        .map_err(|error| refused(format!("the new model cannot be read: {error}")))?;
    match problems.iter().find(|problem| problem.code.is_severe()) {
        Some(problem) => Err(refused(format!("the new model is in doubt: {problem}"))),
        None => Ok(model),
    }
}

fn refused(why: impl std::fmt::Display) -> Fault {
    Fault::new(
        FaultCode::ConstraintViolation,
        format!("What was changed in IfcOpenShell is refused: {why}. Nothing was changed."),
    )
}

/// The edit that these changes are of a model.
pub(crate) fn edit(model: &Model, changes: &Changes) -> Result<Edit, Fault> {
    let added = numbers(&changes.added)?;
    let changed = numbers(&changes.changed)?;
    let removed: Vec<Id> = changes.removed.iter().copied().map(Id).collect();
    let told = read(model, changes, added.len() + changed.len())?;
    if let Some(id) = added.iter().find(|id| model.contains(**id)) {
        return Err(refused(format!("{id} was there before and is said to be new")));
    }
    if let Some(id) = changed.iter().chain(&removed).find(|id| !model.contains(**id)) {
        return Err(refused(format!("{id} is not in the model")));
    }
    let mut edit = model.edit();
    let mut given = BTreeMap::new();
    for id in order(&told, &added)? {
        create(&mut edit, &told, id, &removed, &mut given)?;
    }
    for id in &changed {
        let (Some(instance), Some(before)) = (told.get(*id), model.get(*id)) else { continue };
        if instance.class_name() != before.class_name() {
            return Err(refused(format!(
                "{id} was an {} and is an {} now",
                before.class_name(),
                instance.class_name()
            )));
        }
        let Some(entity) = before.entity() else {
            return Err(refused(format!(
                "{id} is of the class {}, which the schema lacks",
                before.class_name()
            )));
        };
        let after: Vec<Value> =
            instance.attributes().into_iter().map(|value| renamed(value, &given)).collect();
        let mut differing = Vec::new();
        for (at, (attribute, value)) in entity.attributes.iter().zip(after).enumerate() {
            if !value.is_identical(&before.attr_at(at)) {
                differing.push((attribute.name, value));
            }
        }
        edit.set_all(*id, &differing).map_err(refused)?;
    }
    if !removed.is_empty() {
        edit.remove_all(&removed, Referrers::Refuse).map_err(refused)?;
    }
    Ok(edit)
}

/// The ids that lines begin with, each once.
fn numbers(lines: &[String]) -> Result<BTreeSet<Id>, Fault> {
    let mut ids = BTreeSet::new();
    for line in lines {
        let id = line
            .strip_prefix('#')
            .and_then(|rest| rest.split_once('='))
            .and_then(|(digits, _)| digits.parse().ok())
            .map(Id);
        match id {
            Some(id) if ids.insert(id) => {}
            _ => return Err(refused("a line is no instance, or one is told twice")),
        }
    }
    Ok(ids)
}

/// The lines as a file of their own. It has to hold as many instances as there are lines, so that no line is two.
fn read(model: &Model, changes: &Changes, expected: usize) -> Result<Model, Fault> {
    let mut text = format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
         FILE_SCHEMA(('{}'));\nENDSEC;\nDATA;\n",
        model.schema().version()
    );
    for line in changes.added.iter().chain(&changes.changed) {
        text.push_str(line.trim_end_matches(';'));
        text.push_str(";\n");
    }
    text.push_str("ENDSEC;\nEND-ISO-10303-21;\n");
    let (told, problems) = Model::from_bytes(text.into_bytes(), &Limits::default()).map_err(refused)?;
    // what the lines refer to outside of them is looked for in the model itself
    let wrong = problems.iter().find(|problem| {
        problem.code != ifc::ProblemCode::DanglingReference && problem.code != ifc::ProblemCode::RawBytes
    });
    if let Some(problem) = wrong {
        return Err(refused(&problem.message));
    }
    if told.len() != expected {
        return Err(refused("the lines are not one instance each"));
    }
    Ok(told)
}

/// New instances, those referred to before those that refer to them.
fn order(told: &Model, added: &BTreeSet<Id>) -> Result<Vec<Id>, Fault> {
    let mut order = Vec::with_capacity(added.len());
    let mut state: BTreeMap<Id, bool> = BTreeMap::new();
    for start in added {
        // an own stack: chains of references may be longer than the thread's
        let mut stack = vec![(*start, false)];
        while let Some((id, is_done)) = stack.pop() {
            if is_done {
                state.insert(id, true);
                order.push(id);
                continue;
            }
            match state.get(&id) {
                Some(true) => continue,
                Some(false) => {
                    return Err(refused(format!("{id} refers to itself, directly or by way of others")));
                }
                None => {}
            }
            state.insert(id, false);
            stack.push((id, true));
            let Some(instance) = told.get(id) else { continue };
            for value in instance.attributes() {
                value.for_each_ref(&mut |to| {
                    if added.contains(&to) && state.get(&to) != Some(&true) {
                        stack.push((to, false));
                    }
                });
            }
        }
    }
    Ok(order)
}

fn create(
    edit: &mut Edit,
    told: &Model,
    id: Id,
    removed: &[Id],
    given: &mut BTreeMap<Id, Id>,
) -> Result<(), Fault> {
    let Some(instance) = told.get(id) else { return Ok(()) };
    let Some(entity) = instance.entity() else {
        return Err(refused(format!("the schema has no class {}", instance.class_name())));
    };
    if let Some(taken) =
        instance.guid().and_then(|guid| edit.by_guid(&guid)).filter(|by| !removed.contains(by))
    {
        return Err(refused(format!("the GlobalId of the new {} is that of {taken}", instance.class_name())));
    }
    let values = instance.attributes().into_iter().map(|value| renamed(value, given));
    let attributes: Vec<(&str, Value)> = entity
        .attributes
        .iter()
        .zip(values)
        .filter(|(attribute, value)| !(attribute.derived || value.is_null()))
        .map(|(attribute, value)| (attribute.name, value))
        .collect();
    given.insert(id, edit.create(instance.class_name(), &attributes).map_err(refused)?);
    Ok(())
}

/// A value with references to new instances by the ids that they were given here.
fn renamed(value: Value, given: &BTreeMap<Id, Id>) -> Value {
    match value {
        Value::Ref(id) => Value::Ref(given.get(&id).copied().unwrap_or(id)),
        Value::List(members) => {
            Value::List(members.into_iter().map(|member| renamed(member, given)).collect())
        }
        Value::Typed(name, inner) => Value::Typed(name, Box::new(renamed(*inner, given))),
        other => other,
    }
}

/// Returns the changes from one version to another, as Python replays them: see `changes.replay` there.
pub(crate) fn between(before: &Model, after: &Model) -> Json {
    let differing = after.differing(before).unwrap_or_else(|| {
        // over different files: whatever either has
        before.ids().chain(after.ids()).collect::<BTreeSet<_>>().into_iter().collect()
    });
    let (mut set, mut removed) = (Vec::new(), Vec::new());
    for id in differing {
        match after.get(id) {
            Some(instance) => {
                let attributes: Vec<Json> = instance.attributes().iter().map(replayed).collect();
                set.push(json!({"id": id.0, "class": instance.class_name(), "attributes": attributes}));
            }
            None if before.contains(id) => removed.push(id.0),
            None => {}
        }
    }
    json!({"set": set, "removed": removed})
}

fn replayed(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Derived => json!({"derived": true}),
        Value::Integer(number) => json!(number),
        Value::Real(number) => json!(number),
        Value::Boolean(truth) => json!(truth),
        Value::Unknown => json!({"enum": "UNKNOWN"}),
        Value::Text(text) | Value::Binary(text) => json!(text),
        Value::Enum(item) => json!({"enum": item}),
        Value::Ref(id) => json!({"ref": id.0}),
        Value::List(members) => members.iter().map(replayed).collect(),
        Value::Typed(name, inner) => json!({"type": name, "value": replayed(inner)}),
    }
}
