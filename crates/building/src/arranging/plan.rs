//! What a copy is made after: for each element to copy what is written anew, what is shared, and where it belongs.

use super::carrying::{is_structure, tree};
use super::twin::attributes;
use crate::author::Author;
use crate::frame::Frame;
use crate::quantities::sets;
use crate::structure::links;
use contract::Fault;
use ifc::{Id, Model, Value, relations};
use std::collections::{BTreeMap, BTreeSet};

/// Relations of which a copy becomes a member: class, the list that it is added to.
const JOINED: [(&str, &str); 5] = [
    ("IfcRelDefinesByType", "RelatedObjects"),
    ("IfcRelAssociates", "RelatedObjects"),
    ("IfcRelAssignsToGroup", "RelatedObjects"),
    ("IfcRelDefinesByObject", "RelatedObjects"),
    ("IfcRelReferencedInSpatialStructure", "RelatedElements"),
];

/// Relations between two elements that are copied where both are.
const BETWEEN: [&str; 7] = [
    "IfcRelVoidsElement",
    "IfcRelFillsElement",
    "IfcRelProjectsElement",
    "IfcRelConnectsElements",
    "IfcRelCoversBldgElements",
    "IfcRelCoversSpaces",
    "IfcRelInterferesElements",
];

/// Relations of a whole with its parts: class, and its list.
const WHOLES: [(&str, &str); 3] = [
    ("IfcRelAggregates", "RelatedObjects"),
    ("IfcRelNests", "RelatedObjects"),
    ("IfcRelAdheresToElement", "RelatedSurfaceFeatures"),
];

/// The place that a copy takes in the spatial structure.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Home {
    /// It is held by what holds the original.
    Contained(Id),
    /// It is a part of what the original is a part of, by the relation of this class.
    Part(Id, &'static str),
    /// It belongs to another that is copied with it, or to nothing.
    Inside,
}

/// One element as its copies are made after it.
pub(super) struct Pattern {
    pub(super) source: Id,
    pub(super) class: String,
    pub(super) attributes: Vec<(&'static str, Value)>,
    pub(super) name: Option<String>,
    /// Its place in the world; absent where it has none.
    pub(super) frame: Option<Frame>,
    /// The placement that its own is relative to, and its own relative axes.
    pub(super) within: Option<Id>,
    pub(super) axes: Option<Id>,
    pub(super) placement: Option<Id>,
    pub(super) shape: Option<Id>,
    /// Property and quantity sets that are its own.
    pub(super) own_sets: Vec<Id>,
    /// The ties to a place on a grid, for copies that stand there as well: sets of its own, and relations.
    pub(super) grid_sets: Vec<Id>,
    pub(super) grid_joins: Vec<Id>,
    /// Relations that the copy joins, with the list it is added to.
    pub(super) joins: Vec<(Id, &'static str)>,
    pub(super) home: Home,
    /// The storey that it stands in.
    pub(super) storey: Option<Id>,
}

/// All that is copied at once.
pub(super) struct Plan {
    pub(super) patterns: Vec<Pattern>,
    /// Relations between copied elements.
    pub(super) between: Vec<Id>,
    /// Relations of copied wholes with parts, with their list.
    pub(super) wholes: Vec<(Id, &'static str)>,
}

/// Plans the copies of elements and of what hangs on them.
pub(super) fn plan(author: &Author, ids: &[Id]) -> Result<Plan, Fault> {
    let model: &Model = author.edit;
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for id in ids {
        order.extend(tree(model, *id).into_iter().filter(|id| seen.insert(*id)));
    }
    // what others are placed within comes first
    order.sort_by_cached_key(|id| placement_depth(model, *id));
    let (mut between, mut wholes) = (BTreeSet::new(), BTreeMap::new());
    let mut patterns = Vec::with_capacity(order.len());
    for id in order {
        patterns.push(pattern(author, id, &seen, &mut between, &mut wholes)?);
    }
    Ok(Plan { patterns, between: between.into_iter().collect(), wholes: wholes.into_iter().collect() })
}

/// How many placements an element's own is within.
fn placement_depth(model: &Model, id: Id) -> usize {
    let mut at = model.get(id).and_then(|element| element.reference("ObjectPlacement"));
    let mut depth = 0;
    while let Some(placement) = at.and_then(|at| model.get(at)).filter(|_| depth < 64) {
        at = placement.reference("PlacementRelTo");
        depth += 1;
    }
    depth
}

fn pattern(
    author: &Author,
    id: Id,
    copied: &BTreeSet<Id>,
    between: &mut BTreeSet<Id>,
    wholes: &mut BTreeMap<Id, &'static str>,
) -> Result<Pattern, Fault> {
    let model: &Model = author.edit;
    let Some(instance) = model.get(id) else { return Err(Fault::no_element(&id.to_string())) };
    let (mut joins, mut grid_joins) = (Vec::new(), Vec::new());
    let mut home = Home::Inside;
    for relation in model.referrers(id) {
        let Some(tie) = model.get(relation).filter(|tie| tie.is_a("IfcRelationship")) else { continue };
        let member = |list: &str| tie.references(list).contains(&id);
        if let Some((_, list)) = JOINED.iter().find(|(class, list)| tie.is_a(class) && member(list)) {
            joins.push((relation, *list));
        } else if tie.is_a("IfcRelAssignsToProduct") {
            let on_grid = tie.reference("RelatingProduct").and_then(|p| model.get(p));
            if member("RelatedObjects") && on_grid.is_some_and(|product| product.is_a("IfcGrid")) {
                grid_joins.push(relation);
            }
        } else if BETWEEN.iter().any(|class| tie.is_a(class)) {
            if ends(model, relation).iter().all(|end| copied.contains(end)) {
                between.insert(relation);
            }
        } else if let Some((class, list)) = WHOLES.iter().find(|(class, _)| tie.is_a(class)) {
            match tie.reference("RelatingObject").or_else(|| tie.reference("RelatingElement")) {
                Some(whole) if whole == id => {
                    wholes.insert(relation, *list);
                }
                Some(whole) if !copied.contains(&whole) => home = Home::Part(whole, class),
                _ => {}
            }
        } else if tie.is_a("IfcRelContainedInSpatialStructure") {
            match tie.reference("RelatingStructure") {
                Some(spatial)
                    // a room's furniture is copied with it where that was chosen too
                    if spatial == id
                        && tie.references("RelatedElements").iter().any(|other| copied.contains(other)) =>
                {
                    wholes.insert(relation, "RelatedElements");
                }
                Some(spatial) if !copied.contains(&spatial) => home = Home::Contained(spatial),
                _ => {}
            }
        }
    }
    let (mut own_sets, mut grid_sets) = (Vec::new(), Vec::new());
    for (set, shared) in sets(model, id) {
        if shared {
            let ties = model.referrers_of(set, "IfcRelDefinesByProperties");
            let with_it = ties.into_iter().find(|tie| {
                model.get(*tie).is_some_and(|tie| tie.references("RelatedObjects").contains(&id))
            });
            joins.extend(with_it.map(|tie| (tie, "RelatedObjects")));
        } else if model.get(set).and_then(|set| set.name()).as_deref() == Some(links::SET) {
            grid_sets.push(set);
        } else {
            own_sets.push(set);
        }
    }
    let placement = instance.reference("ObjectPlacement");
    let local = placement.and_then(|p| model.get(p)).filter(|p| p.is_a("IfcLocalPlacement"));
    Ok(Pattern {
        source: id,
        class: instance.class_name().to_owned(),
        // a tag is the mark of one occurrence, often another program's number of it
        attributes: attributes(
            model,
            id,
            &["GlobalId", "OwnerHistory", "Name", "ObjectPlacement", "Representation", "Tag"],
        ),
        name: instance.name(),
        frame: placement.map(|_| author.frame(id)).transpose()?,
        within: local.as_ref().and_then(|p| p.reference("PlacementRelTo")),
        axes: local.as_ref().and_then(|p| p.reference("RelativePlacement")),
        placement,
        shape: instance.reference("Representation"),
        own_sets,
        grid_sets,
        grid_joins,
        joins,
        home,
        storey: relations::storey_of(model, id).filter(|storey| is_structure(model, *storey)),
    })
}

/// The rooted things that a relation ties together, its owner left out.
fn ends(model: &Model, relation: Id) -> Vec<Id> {
    crate::sweep::references(model, relation)
        .into_iter()
        .filter(|id| model.get(*id).is_some_and(|end| end.is_a("IfcRoot")))
        .collect()
}
