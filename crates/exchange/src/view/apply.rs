//! A model cut to a view: its schema, shapes, materials, classes, units and header, one after the other; what is still not as the
//! table has it at the end goes.

use super::check::{Finding, Rule, check, missing_units};
use super::{View, curves, example, materials, shapes};
use crate::report::{Action, Log, Report};
use crate::{ExchangeError, with_header};
use ifc::relations::Links;
use ifc::{Edit, EditError, Header, Id, Model, Referrers, Unused, Value};
use ifc_convert::Outcome;
use std::collections::BTreeSet;

/// Times that what is left is looked at again.
const ROUNDS: usize = 4;

/// The model as a view allows it, and what was dropped or changed for that. The result passes [`check`]; a model that cannot be brought
/// there, or has no project, is an error.
pub fn apply(model: &Model, view: &View) -> Result<(Model, Report), ExchangeError> {
    let mut log = Log::default();
    let staged = in_schema(model, view, &mut log)?;
    let projects = staged.of_class("IfcProject").len();
    if projects != 1 {
        return Err(ExchangeError::Projects(projects));
    }
    let mut edit = staged.edit();
    reclass(&mut edit, view, &mut log);
    // what is done to shapes asks what kind of product has them
    let staged = edit.finish().0;
    let mut edit = staged.edit();
    curves::profiles(&mut edit, view, &mut log)?;
    curves::curves(&mut edit, view, &mut log)?;
    shapes::shapes(&mut edit, view, &mut log)?;
    materials::colours(&mut edit, view, &mut log)?;
    materials::sets(&mut edit, view, &mut log)?;
    materials::assignments(&mut edit, view)?;
    units(&mut edit, view, &mut log)?;
    // shapes that nothing uses any more are not worth a word each
    edit.purge(Unused { materials: true, ..Unused::default() });
    classes(&mut edit, view, &mut log)?;
    let mut cut = headed(&edit.finish().0, view)?;
    let mut findings = check(&cut, view);
    for _ in 0..ROUNDS {
        if findings.is_empty() {
            break;
        }
        cut = headed(&without(&cut, findings, view, &mut log)?, view)?;
        findings = check(&cut, view);
    }
    match findings.first() {
        None => Ok((cut, log.finish())),
        Some(left) => Err(ExchangeError::Unfit {
            view: view.name.clone(),
            place: left.instance.clone().unwrap_or_default(),
            message: format!("{} {}", left.class, left.message),
        }),
    }
}

/// The model in the view's schema.
fn in_schema(model: &Model, view: &View, log: &mut Log) -> Result<Model, ExchangeError> {
    if model.schema().version() == view.schema {
        return Ok(model.clone());
    }
    let mut edit = model.edit();
    shapes::ahead(&mut edit, view.tables(), log)?;
    let (converted, report) = ifc_convert::convert(&edit.finish().0, view.schema)?;
    for note in report.notes {
        let action = match note.outcome {
            Outcome::Kept => continue,
            Outcome::Mapped => Action::Moved,
            Outcome::Approximated => Action::Reclassed,
            Outcome::Dropped => Action::Dropped,
        };
        let reason = format!("in {}: {}", view.tables().name(), note.reason);
        let first = note.instances.first().map(|(id, guid)| guid.clone().unwrap_or_else(|| id.to_string()));
        log.count(action, &note.class, &reason, note.count, || first);
    }
    for (class, count) in report.made {
        log.count(Action::Added, &class, &format!("{} needs it", view.tables().name()), count, || None);
    }
    Ok(converted)
}

/// Units that the view asks for and the project does not declare are declared as what they count as anyway: metres and radians.
fn units(edit: &mut Edit, view: &View, log: &mut Log) -> Result<(), EditError> {
    let missing: Vec<String> = missing_units(edit, view).into_iter().map(str::to_owned).collect();
    let Some(project) = ifc::relations::project(edit).filter(|_| !missing.is_empty()) else { return Ok(()) };
    let assignment =
        edit.get(project).and_then(|p| p.reference("UnitsInContext")).filter(|id| edit.contains(*id));
    let mut made = Vec::new();
    for kind in &missing {
        let name = if kind == "LENGTHUNIT" { "METRE" } else { "RADIAN" };
        let attributes = [("UnitType", Value::enumeration(kind)), ("Name", Value::enumeration(name))];
        made.push(edit.create("IfcSIUnit", &attributes)?);
        let reason = format!("the view asks for {kind}, which the file counts in {name} without saying so");
        log.note(Action::Added, "IfcSIUnit", &reason, || None);
    }
    if let Some(assignment) = assignment {
        made.into_iter().try_for_each(|unit| edit.add_to(assignment, "Units", unit))
    } else {
        let assignment = edit.create("IfcUnitAssignment", &[("Units", made.into())])?;
        edit.set(project, "UnitsInContext", assignment)
    }
}

/// The classes of a model that a view does not have.
fn strangers(model: &Model, view: &View) -> Vec<String> {
    let is_allowed = |class: &String| model.schema().entity(class).is_some_and(|entity| view.allows(entity));
    model.class_counts().into_keys().filter(|class| !is_allowed(class)).collect()
}

/// Instances of classes that the view does not have become what stands for them.
fn reclass(edit: &mut Edit, view: &View, log: &mut Log) {
    for class in strangers(edit, view) {
        let Some(stand_in) = edit.schema().entity(&class).and_then(|entity| view.stand_in(entity)) else {
            continue;
        };
        for id in edit.of_class_exact(&class) {
            let place = example(edit, id);
            // what refers to it may not take the other class: then it goes with the rest
            let Ok(done) = edit.reassign(id, stand_in.name, &[]) else { continue };
            let lost: Vec<&str> = done.lost.iter().map(|(name, ..)| name.as_str()).collect();
            let lost = if lost.is_empty() { String::new() } else { format!(", without {}", lost.join(", ")) };
            log.note(Action::Reclassed, &class, &format!("is an {} now{lost}", stand_in.name), || place);
        }
    }
}

/// Instances of classes that the view does not have go with what hangs on them.
fn classes(edit: &mut Edit, view: &View, log: &mut Log) -> Result<(), EditError> {
    let mut gone = BTreeSet::new();
    for class in strangers(edit, view) {
        for id in edit.of_class_exact(&class) {
            let place = example(edit, id);
            log.note(Action::Dropped, &class, &format!("is no class of {}", view.name), || place);
            gone.insert(id);
        }
    }
    remove(edit, gone, log)
}

/// Takes instances out, products with their parts and openings, and says what cannot be without them.
fn remove(edit: &mut Edit, mut gone: BTreeSet<Id>, log: &mut Log) -> Result<(), EditError> {
    if gone.is_empty() {
        return Ok(());
    }
    let asked = gone.clone();
    let model = edit.model().clone();
    let links = Links::of_many(&model);
    let is_element = |id: &Id| model.get(*id).is_some_and(|i| i.is_a("IfcElement"));
    let mut open: Vec<Id> = gone.iter().copied().filter(is_element).collect();
    while let Some(id) = open.pop() {
        let below = [links.children(id), links.nested(id), links.openings_of(id)];
        open.extend(below.into_iter().flatten().filter(|id| gone.insert(*id)));
    }
    let ids: Vec<Id> = gone.iter().copied().collect();
    let removal = edit.remove_all(&ids, Referrers::Dependents)?;
    for removed in removal.removed.into_iter().filter(|removed| !asked.contains(&removed.id)) {
        let reason = match &removed.needed {
            Some(attribute) => format!("cannot be without what its {attribute} named"),
            None => "is a part of what was dropped".to_owned(),
        };
        let place = removed.global_id.clone().unwrap_or_else(|| removed.id.to_string());
        log.note(Action::Dropped, &removed.class, &reason, || Some(place));
    }
    let purged = edit.purge(Unused { property_sets: true, materials: true, ..Unused::default() });
    for (class, count) in purged.removed {
        log.count(Action::Dropped, &class, "nothing has it any more", count, || None);
    }
    Ok(())
}

/// The model under a header that names the view.
fn headed(model: &Model, view: &View) -> Result<Model, ExchangeError> {
    let is_other = |line: &&String| !line.trim_start().to_ascii_lowercase().starts_with("viewdefinition");
    let others = model.header().description.iter().filter(is_other).filter(|line| !line.is_empty()).cloned();
    let description: Vec<String> =
        std::iter::once(view.definition(|class| model.has_class(class))).chain(others).collect();
    if model.header().description == description && model.overlay().slots().next().is_none() {
        return Ok(model.clone());
    }
    let program = Header::new("", "").preprocessor_version;
    with_header(model, &Header { description, preprocessor_version: program, ..model.header().clone() })
}

/// The model without what findings are about.
fn without(
    model: &Model,
    findings: Vec<Finding>,
    view: &View,
    log: &mut Log,
) -> Result<Model, ExchangeError> {
    let mut edit = model.edit();
    units(&mut edit, view, log)?;
    let mut gone = BTreeSet::new();
    for finding in findings.into_iter().filter(|f| matches!(f.rule, Rule::Class | Rule::Representation)) {
        let Some(id) = finding.id else { continue };
        log.note(Action::Dropped, &finding.class, &finding.message, || {
            finding.global_id.or(finding.instance)
        });
        gone.insert(id);
    }
    remove(&mut edit, gone, log)?;
    Ok(edit.finish().0)
}
