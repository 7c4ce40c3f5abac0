//! A part of a model with all that it needs: what elements are in, up to the project; their types, materials, property sets, openings
//! and what fills them, parts, ports and groups; relations with the members that stay. Everything else goes, and with it what nothing
//! uses any more. Ids and GlobalIds stay as they are.

use crate::ExchangeError;
use crate::place::orphans;
use crate::report::{Action, Log, Report};
use crate::select::selected;
use ifc::relations::{GROUPED, Links, PORT, WITH_PORTS};
use ifc::{Id, Model, Referrers, Unused};
use std::collections::{BTreeSet, HashSet};

/// A part of a model.
#[derive(Debug)]
pub struct Subset {
    /// The part, as a model of its own.
    pub model: Model,
    /// The objects that were selected.
    pub selected: usize,
    /// GlobalIds of elements that are in no spatial structure; they stand in the file as they did.
    pub loose: Vec<String>,
    /// The instances that went, by class.
    pub report: Report,
}

/// The elements that a selector picks, with all that they need. Types that it picks come without their elements.
pub fn subset(model: &Model, selector: &str) -> Result<Subset, ExchangeError> {
    let wanted = selected(model, selector)?;
    let links = Links::of_many(model);
    cut(&links, &wanted, Fillings::Follow)
}

/// The treatment of doors and windows in openings of elements that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fillings {
    /// They are kept with the element.
    Follow,
    /// They are kept where they were asked for themselves.
    Asked,
}

/// The model cut to some objects and what they need.
pub(crate) fn cut(links: &Links<'_>, wanted: &[Id], fillings: Fillings) -> Result<Subset, ExchangeError> {
    let model = links.model();
    let projects = model.of_class("IfcProject");
    if projects.len() != 1 {
        return Err(ExchangeError::Projects(projects.len()));
    }
    let mut keep = needed(links, wanted, fillings);
    keep.extend(projects);
    let gone: Vec<Id> =
        model.of_class("IfcObjectDefinition").into_iter().filter(|id| !keep.contains(id)).collect();
    let mut log = Log::default();
    for instance in gone.iter().filter_map(|id| model.get(*id)) {
        log.note(Action::Dropped, instance.class_name(), "is not part of what was asked for", || {
            instance.guid()
        });
    }
    let mut edit = model.edit();
    let removal = edit.remove_all(&gone, Referrers::Dependents)?;
    for removed in removal.removed.iter().filter(|removed| keep.contains(&removed.id)) {
        let reason =
            format!("cannot be without what its {} named", removed.needed.as_deref().unwrap_or("attribute"));
        log.note(Action::Dropped, &removed.class, &reason, || removed.global_id.clone());
    }
    orphans(&mut edit)?;
    edit.purge(Unused { types: false, materials: true, property_sets: true });
    let is_element = |id: &Id| model.get(*id).is_some_and(|i| i.is_a("IfcElement"));
    let is_spatial = |id: &Id| {
        model.get(*id).is_some_and(|i| i.is_a("IfcSpatialStructureElement") || i.is_a("IfcSpatialElement"))
    };
    let is_loose = |id: &&Id| is_element(id) && !links.upwards(**id).iter().any(is_spatial);
    let loose = wanted.iter().filter(is_loose).filter_map(|id| model.get(*id)?.guid()).collect();
    Ok(Subset { model: edit.finish().0, selected: wanted.len(), loose, report: log.finish() })
}

/// The objects and types that stay so that the wanted ones are whole.
fn needed(links: &Links<'_>, wanted: &[Id], fillings: Fillings) -> HashSet<Id> {
    let model = links.model();
    let is = |id: Id, class: &str| model.get(id).is_some_and(|i| i.is_a(class));
    let mut keep: HashSet<Id> = HashSet::new();
    let asked: BTreeSet<Id> = wanted.iter().copied().collect();
    // what is wanted, with all below it
    let mut open: Vec<Id> = wanted.to_vec();
    while let Some(id) = open.pop() {
        if !keep.insert(id) {
            continue;
        }
        open.extend(links.children(id));
        open.extend(links.nested(id));
        open.extend(links.projections_of(id));
        open.extend(links.surface_features_of(id));
        open.extend(links.across(id, WITH_PORTS, "RelatingPort"));
        for opening in links.openings_of(id) {
            open.push(opening);
            let filled = links.fillings_of(opening).into_iter();
            open.extend(filled.filter(|filling| fillings == Fillings::Follow || asked.contains(filling)));
        }
        if fillings == Fillings::Follow
            && (is(id, "IfcSpatialStructureElement") || is(id, "IfcSpatialElement"))
        {
            open.extend(links.contained(id));
        }
    }
    // what that is in, and its types and groups, none of which bring along more
    let own: Vec<Id> = keep.iter().copied().collect();
    let mut open: Vec<Id> = Vec::new();
    for id in own {
        // a door stands without the wall that it is in, where it has a place of its own
        open.extend(links.upwards(id).into_iter().skip(1));
        open.extend(links.across(id, PORT, "RelatedElement"));
    }
    while let Some(id) = open.pop() {
        if keep.insert(id) {
            open.extend(links.upwards(id).into_iter().skip(1));
        }
    }
    let objects: Vec<Id> = keep.iter().copied().collect();
    let mut groups: Vec<Id> = Vec::new();
    for id in objects {
        keep.extend(links.type_of(id));
        if !is(id, "IfcTypeObject") {
            groups.extend(links.across(id, GROUPED, "RelatingGroup"));
        }
    }
    while let Some(id) = groups.pop() {
        if keep.insert(id) {
            keep.extend(links.type_of(id));
            groups.extend(links.across(id, GROUPED, "RelatingGroup"));
        }
    }
    keep
}
