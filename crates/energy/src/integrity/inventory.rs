//! Names that nothing stands behind, and objects that nobody names.

use super::near::Near;
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::{Document, Object};
use crate::references::{Graph, Names, Target, number_of};
use std::collections::BTreeMap;

/// Groups of types that are there to be named.
const TO_BE_NAMED: [&str; 4] =
    ["Schedules", "Surface Construction Elements", "Performance Curves", "Performance Tables"];

/// Adds missing constructions, materials and schedules, and unused objects.
pub fn check(document: &Document, graph: &Graph, near: &mut Near, issues: &mut Vec<Issue>) {
    missing(document, near, issues);
    unused(document, graph, issues);
}

fn missing(document: &Document, near: &mut Near, issues: &mut Vec<Issue>) {
    let names = Names::from_document(document);
    let mut by_name: BTreeMap<(IssueKind, String), Vec<(Object<'_>, usize)>> = BTreeMap::new();
    for object in document.objects() {
        let Some(about) = object.about() else { continue };
        for value in object.fields().filter(|value| !value.value.is_empty()) {
            let Some(field) = value.field else { continue };
            let within = |list: &str| field.lists.iter().any(|name| &**name == list);
            let kind = if within("ConstructionNames") || within("MaterialName") {
                IssueKind::MissingConstruction
            } else if within("ScheduleNames") {
                IssueKind::MissingSchedule
            } else {
                continue;
            };
            let Some(number) = number_of(about, value.position) else { continue };
            if names.resolve(object, value.position, number, value.value) == Target::Missing {
                by_name.entry((kind, value.value.to_owned())).or_default().push((object, value.position));
            }
        }
    }
    for ((kind, name), objects) in by_name {
        let what = if kind == IssueKind::MissingSchedule { "schedule" } else { "construction or material" };
        let first = objects.first().map(|(object, _)| format!("{} `{}`", object.type_name(), object.label()));
        let available = objects.first().map(|(object, position)| {
            object.about().map(|about| names.available(about, *position)).unwrap_or_default()
        });
        let meant = near.meant(&name, available.unwrap_or_default().into_iter());
        let message = format!(
            "There is no {what} `{name}`, which {} {} named by {}.{meant}",
            objects.len(),
            if objects.len() == 1 { "object names; it is" } else { "objects name; first" },
            first.unwrap_or_default()
        );
        let suggestion = format!("Add the {what} `{name}`, or name one that is there.");
        let objects = objects.into_iter().map(|(object, _)| Subject::from(object)).collect();
        issues.push(issue(Severity::Error, kind, objects, message, &suggestion));
    }
}

fn unused(document: &Document, graph: &Graph, issues: &mut Vec<Issue>) {
    let mut by_type: BTreeMap<&str, Vec<Object<'_>>> = BTreeMap::new();
    for object in document.objects() {
        let Some(about) = object.about().filter(|about| about.named) else { continue };
        let to_be_named = TO_BE_NAMED.contains(&&*about.group)
            && about.fields.first().is_some_and(|name| !name.references.is_empty());
        if to_be_named && graph.to(object.handle()).is_empty() {
            by_type.entry(object.type_name()).or_default().push(object);
        }
    }
    for (type_name, objects) in by_type {
        let list: Vec<&str> = objects.iter().take(8).map(Object::name).collect();
        let more = if objects.len() > 8 { ", …" } else { "" };
        let message =
            format!("{} {type_name} that nothing refers to: {}{more}.", objects.len(), list.join(", "));
        let objects = objects.into_iter().map(Subject::from).collect();
        let what = "Remove them with remove_object, or leave them; they change no result.";
        issues.push(issue(Severity::Notice, IssueKind::Unused, objects, message, what));
    }
}
