//! Several models as one: the first one's project and units, with what is in the others added. Spatial structures are joined where they
//! are the same, as asked, or kept apart; whatever else has a GlobalId that is taken gets a new one. Nothing is moved: what differs in
//! units is converted, what differs in georeference or north is told.

use crate::place::hang;
use crate::report::{Action, Log, Report};
use crate::{ExchangeError, with_header};
use ifc::georeference::{Georeference, true_north};
use ifc::guid::GuidSource;
use ifc::relations::{AGGREGATES, Links};
use ifc::{
    CopyOptions, Edit, EditError, GlobalIds, Histories, Id, Model, Placement, Referrers, UnitPolicy, Units,
    Value, placement,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The sites, buildings and storeys of two models that count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Joining {
    /// Those with the same GlobalId or the same name, within what is joined already; the only site or building of both, too.
    #[default]
    Name,
    /// The same, and storeys at the same height, to a millimetre.
    Elevation,
    /// None: the others' stand beside the first one's.
    Apart,
}

/// The options of a merge.
#[derive(Debug, Clone, Default)]
pub struct Merging {
    /// The spatial elements that are joined.
    pub joining: Joining,
    /// The text that new GlobalIds are derived from; the same text makes the same ones.
    pub seed: String,
}

/// The part of one further model in a merge.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Merged {
    /// The number of objects that came.
    pub objects: usize,
    /// The spatial elements that are one with those of the first model, as `IfcBuildingStorey Level 1`.
    pub joined: Vec<String>,
    /// Old and new GlobalIds of what had one that was taken.
    pub renamed: BTreeMap<String, String>,
    /// Measures that were converted to the first model's units.
    pub converted: usize,
    /// Whatever else differs and was not changed: units, georeference, north, and the places of what was joined.
    pub differences: Vec<String>,
}

/// The outcome of a merge, by the further models.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct MergeReport {
    /// One for each further model.
    pub models: Vec<Merged>,
    /// The instances that were dropped or changed.
    pub report: Report,
}

/// The first model with all that is in the others.
pub fn merge_models(models: &[Model], merging: &Merging) -> Result<(Model, MergeReport), ExchangeError> {
    let Some((first, others)) = models.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Err(ExchangeError::TooFew(models.len()));
    };
    for model in models {
        let count = model.of_class("IfcProject").len();
        if count != 1 {
            return Err(ExchangeError::Projects(count));
        }
    }
    let mut log = Log::default();
    let mut out = MergeReport::default();
    let mut whole = first.clone();
    for (number, other) in others.iter().enumerate() {
        let seed = format!("{}/{number}", merging.seed);
        let (next, merged) = one(&whole, other, merging.joining, &seed, &mut log)?;
        whole = next;
        out.models.push(merged);
    }
    out.report = log.finish();
    let header = whole.header().clone();
    Ok((with_header(&whole, &header)?, out))
}

/// One model with another one's content.
fn one(
    base: &Model,
    other: &Model,
    joining: Joining,
    seed: &str,
    log: &mut Log,
) -> Result<(Model, Merged), ExchangeError> {
    let other = if other.schema().version() == base.schema().version() {
        other.clone()
    } else {
        let (converted, report) = ifc_convert::convert(other, base.schema().version())?;
        for note in report.notes.iter().filter(|note| note.outcome > ifc_convert::Outcome::Mapped) {
            let first =
                note.instances.first().map(|(id, guid)| guid.clone().unwrap_or_else(|| id.to_string()));
            let action = if note.outcome == ifc_convert::Outcome::Dropped {
                Action::Dropped
            } else {
                Action::Reclassed
            };
            log.count(action, &note.class, &note.reason, note.count, || first);
        }
        converted
    };
    let mut merged = Merged { differences: differences(base, &other), ..Merged::default() };
    let joins = joins(base, &other, joining);
    let (source, renamed) = prepared(base, &other, &joins, seed, log)?;
    merged.renamed = renamed;
    let describe = |id: &Id| {
        let own = base.get(*id);
        own.map(|i| format!("{} {}", i.class_name(), i.name().unwrap_or_default()).trim().to_owned())
    };
    merged.joined = joins.values().filter_map(describe).collect();
    let project = ifc::relations::project(&source).into_iter().collect::<HashSet<Id>>();
    let kept_apart: HashSet<Id> = joins.keys().copied().chain(project.iter().copied()).collect();
    let mut ids = source.of_class("IfcRoot");
    ids.retain(|id| !kept_apart.contains(id));
    merged.objects = ids.iter().filter(|id| source.get(**id).is_some_and(|i| i.is_a("IfcObject"))).count();
    let mut edit = base.edit();
    let options = CopyOptions {
        global_ids: GlobalIds::Keep,
        histories: Histories::Copy,
        placement: Placement::Chain,
        units: UnitPolicy::Convert,
        descriptions: true,
        is_tolerant: true,
        ..CopyOptions::bare()
    };
    let copied = edit.copy(&source, &ids, &options)?;
    merged.converted = copied.converted;
    let there = |id: Id| joins.get(&id).or_else(|| copied.ids.get(&id)).copied();
    hang_up(&mut edit, &other, &source, &joins, &there, seed)?;
    settle_places(&mut edit, &other, &joins, &copied.ids, &mut merged)?;
    applications(&mut edit)?;
    Ok((edit.finish().0, merged))
}

/// The differences that are told: units, georeference, north.
fn differences(base: &Model, other: &Model) -> Vec<String> {
    let mut found = Vec::new();
    let (one, two) = (Units::from_model(base), Units::from_model(other));
    for kind in ["LENGTHUNIT", "AREAUNIT", "VOLUMEUNIT", "PLANEANGLEUNIT"] {
        let label = |units: &Units| units.declared(kind).map(|unit| unit.label.clone());
        if let (Some(a), Some(b)) = (label(&one), label(&two))
            && a != b
        {
            found.push(format!("{kind} is {b}, and was converted to {a}"));
        }
    }
    let place = |g: &Georeference| {
        let crs = g.crs.as_ref().and_then(|crs| crs.name.clone()).unwrap_or_else(|| "a map".to_owned());
        format!("{:.3} E, {:.3} N, {:.3} high in {crs}", g.easting, g.northing, g.height)
    };
    match (Georeference::from_model(base), Georeference::from_model(other)) {
        (Some(a), Some(b)) if place(&a) != place(&b) || (a.grid_north() - b.grid_north()).abs() > 1e-6 => {
            found.push(format!(
                "its origin is at {}, that of the first model at {}; nothing was moved",
                place(&b),
                place(&a)
            ));
        }
        (None, Some(b)) => {
            found.push(format!(
                "its origin is at {}, the first model has no georeference; nothing was moved",
                place(&b)
            ));
        }
        (Some(_), None) => {
            found.push("it has no georeference, unlike the first model; nothing was moved".to_owned());
        }
        _ => {}
    }
    let (a, b) = (true_north(base), true_north(other));
    if (a - b).abs() > 1e-6 {
        found.push(format!("its true north is {b:.4}°, that of the first model {a:.4}°"));
    }
    found
}

/// Spatial elements of the other model with those of the base that they are one with.
fn joins(base: &Model, other: &Model, joining: Joining) -> BTreeMap<Id, Id> {
    let mut joins = BTreeMap::new();
    if joining == Joining::Apart {
        return joins;
    }
    let (ours, theirs) = (Links::of_many(base), Links::of_many(other));
    let length = |model: &Model| Units::from_model(model).length_mm;
    let (our_mm, their_mm) = (length(base), length(other));
    let height = |model: &Model, id: Id, mm: f64| placement::elevation(model, id).map(|z| z * mm);
    let said =
        |model: &Model, id: Id| model.get(id).and_then(|i| i.name()).map(|name| name.trim().to_lowercase());
    let roots = |model: &Model| ifc::relations::project(model);
    let mut open: Vec<(Id, Id)> = roots(other).zip(roots(base)).into_iter().collect();
    while let Some((their, our)) = open.pop() {
        let within = |links: &Links<'_>, id: Id, class: &str| -> Vec<Id> {
            let of_class = |id: &Id| links.model().get(*id).is_some_and(|i| i.is_a(class));
            links.children(id).into_iter().filter(of_class).collect()
        };
        for class in ["IfcSite", "IfcBuilding", "IfcBuildingStorey"] {
            let (mine, yours) = (within(&ours, our, class), within(&theirs, their, class));
            let mut taken: HashSet<Id> = HashSet::new();
            for id in &yours {
                let guid = other.get(*id).and_then(|i| i.guid());
                let free = || mine.iter().filter(|id| !taken.contains(id));
                let by_guid = free().find(|m| guid.is_some() && base.get(**m).and_then(|i| i.guid()) == guid);
                let name = said(other, *id).filter(|name| !name.is_empty());
                let by_name = || free().find(|m| name.is_some() && said(base, **m) == name);
                let only =
                    || free().find(|_| class != "IfcBuildingStorey" && mine.len() == 1 && yours.len() == 1);
                let by_height = || {
                    let own = height(other, *id, their_mm).filter(|_| joining == Joining::Elevation)?;
                    free().find(|m| {
                        class == "IfcBuildingStorey"
                            && height(base, **m, our_mm).is_some_and(|h| (h - own).abs() <= 1.0)
                    })
                };
                if let Some(found) = by_guid.or_else(by_name).or_else(only).or_else(by_height).copied() {
                    taken.insert(found);
                    joins.insert(*id, found);
                    open.push((*id, found));
                }
            }
        }
    }
    joins
}

/// The other model ready to be copied: what is joined has the base's GlobalIds and no relations of its own that say what it is; every
/// other GlobalId is free.
fn prepared(
    base: &Model,
    other: &Model,
    joins: &BTreeMap<Id, Id>,
    seed: &str,
    log: &mut Log,
) -> Result<(Model, BTreeMap<String, String>), EditError> {
    let mut edit = other.edit();
    let mut renamed = BTreeMap::new();
    let mut guids = GuidSource::new(seed);
    let mut used = HashSet::new();
    let project = ifc::relations::project(other);
    // what is said of the project and of what is joined stays as the base says it
    let joined: BTreeSet<Id> = joins.keys().copied().chain(project).collect();
    let mut gone = BTreeSet::new();
    for id in &joined {
        for by in other.referrers_of(*id, "IfcRelationship") {
            let Some(relation) = other.get(by) else { continue };
            const OURS: [&str; 5] = [
                "IfcRelDefines",
                "IfcRelAssociates",
                "IfcRelDeclares",
                "IfcRelAggregates",
                "IfcRelServicesBuildings",
            ];
            if !OURS.iter().any(|class| relation.is_a(class)) {
                continue;
            }
            let is_hierarchy = relation.is_a("IfcRelAggregates") || relation.is_a("IfcRelDeclares");
            let others = relation.references("RelatedObjects").iter().any(|id| !joined.contains(id));
            if !is_hierarchy && others && edit.remove_from(by, "RelatedObjects", *id).is_ok() {
                continue;
            }
            gone.insert(by);
            if !is_hierarchy {
                let reason = "is about what is joined or the project, of which the first model's word counts";
                log.note(Action::Dropped, relation.class_name(), reason, || relation.guid());
            }
        }
    }
    parameters(&mut edit, Units::from_model(other).angle_deg / Units::from_model(base).angle_deg)?;
    for id in joins.keys() {
        // its shape is the base's, too
        edit.set(*id, "Representation", Value::Null)?;
    }
    // of contexts and what they say of the earth there is the base's
    gone.extend(edit.of_class("IfcCoordinateOperation"));
    let gone: Vec<Id> = gone.into_iter().filter(|id| edit.contains(*id)).collect();
    edit.remove_all(&gone, Referrers::Dependents)?;
    for id in edit.of_class("IfcRoot") {
        let Some(instance) = edit.get(id) else { continue };
        let Some(guid) = instance.guid() else { continue };
        if let Some(stand_in) = joins.get(&id).and_then(|id| base.get(*id)).and_then(|i| i.guid()) {
            edit.set(id, "GlobalId", stand_in)?;
            continue;
        }
        if project == Some(id) || (base.by_guid(&guid).is_none() && used.insert(guid.clone())) {
            continue;
        }
        let new = loop {
            let new = guids.next();
            if base.by_guid(&new).is_none() && other.by_guid(&new).is_none() && used.insert(new.clone()) {
                break new;
            }
        };
        let class = instance.class_name().to_owned();
        log.note(
            Action::Moved,
            &class,
            "has a new GlobalId, for the first model has its own already",
            || Some(guid.clone()),
        );
        edit.set(id, "GlobalId", new.as_str())?;
        renamed.insert(guid, new);
    }
    Ok((edit.finish().0, renamed))
}

/// Parameters of conics are angles, and are counted in the other model's unit, of which one is so many of the base's.
fn parameters(edit: &mut Edit, factor: f64) -> Result<(), EditError> {
    if (factor - 1.0).abs() < 1e-12 || !factor.is_finite() {
        return Ok(());
    }
    let scaled = |value: &Value| match value {
        Value::Typed(name, inner) if name == "IfcParameterValue" => {
            inner.as_f64().map_or_else(|| value.clone(), |v| Value::typed(name, v * factor))
        }
        other => other.clone(),
    };
    for id in edit.of_class("IfcTrimmedCurve") {
        let Some(curve) = edit.get(id) else { continue };
        let basis = curve.reference("BasisCurve").and_then(|id| edit.get(id));
        if !basis.is_some_and(|basis| basis.is_a("IfcConic")) {
            continue;
        }
        let trims = ["Trim1", "Trim2"].map(|name| {
            let members = curve.attr(name);
            (name, Value::List(members.as_list().unwrap_or_default().iter().map(scaled).collect()))
        });
        edit.set_all(id, &trims)?;
    }
    Ok(())
}

/// Puts what was directly in the project, or in something that is joined, into that of the base.
fn hang_up(
    edit: &mut Edit,
    other: &Model,
    source: &Model,
    joins: &BTreeMap<Id, Id>,
    there: &dyn Fn(Id) -> Option<Id>,
    seed: &str,
) -> Result<(), ExchangeError> {
    let mut guids = GuidSource::new(&format!("{seed}/relations"));
    let base_project = ifc::relations::project(edit);
    let project = ifc::relations::project(other);
    let mut wholes: Vec<(Id, Id)> = joins.iter().map(|(their, our)| (*their, *our)).collect();
    wholes.extend(project.zip(base_project));
    wholes.sort_unstable();
    let links = Links::of_many(other);
    for (their, our) in wholes {
        let children = links.children(their).into_iter();
        let new: Vec<Id> =
            children.filter(|id| !joins.contains_key(id) && source.contains(*id)).filter_map(there).collect();
        if new.is_empty() {
            continue;
        }
        let own = Links::of_one(edit.model()).relations(our, AGGREGATES).first().copied();
        if let Some(relation) = own {
            new.into_iter().try_for_each(|id| edit.add_to(relation, "RelatedObjects", id))?;
            continue;
        }
        let history = edit.get(our).map(|i| i.attr("OwnerHistory")).unwrap_or_default();
        let attributes = [
            ("GlobalId", Value::Text(guids.next())),
            ("OwnerHistory", history),
            ("RelatingObject", our.into()),
            ("RelatedObjects", new.into()),
        ];
        edit.create("IfcRelAggregates", &attributes)?;
    }
    declare(edit, other, project, base_project, there, &mut guids)?;
    Ok(())
}

/// Types that the other project declared are declared by this one.
fn declare(
    edit: &mut Edit,
    other: &Model,
    project: Option<Id>,
    base_project: Option<Id>,
    there: &dyn Fn(Id) -> Option<Id>,
    guids: &mut GuidSource,
) -> Result<(), EditError> {
    let (Some(project), Some(base)) = (project, base_project) else { return Ok(()) };
    if edit.schema().entity("IfcRelDeclares").is_none() {
        return Ok(());
    }
    let mut declared: Vec<Id> = Vec::new();
    for relation in other.referrers_of(project, "IfcRelDeclares").into_iter().filter_map(|id| other.get(id)) {
        declared.extend(relation.references("RelatedDefinitions").into_iter().filter_map(there));
    }
    declared.sort_unstable();
    declared.dedup();
    if declared.is_empty() {
        return Ok(());
    }
    let attributes = [
        ("GlobalId", Value::Text(guids.next())),
        ("RelatingContext", base.into()),
        ("RelatedDefinitions", declared.into()),
    ];
    edit.create("IfcRelDeclares", &attributes).map(|_| ())
}

/// An application is there once, by its identifier and by its name and version (IfcApplication.UR1, UR2), whoever is said to have made it.
fn applications(edit: &mut Edit) -> Result<(), ExchangeError> {
    let mut known: Vec<([String; 2], Id)> = Vec::new();
    for id in edit.of_class("IfcApplication") {
        let Some(instance) = edit.get(id) else { continue };
        let text = |name: &str| instance.text(name).unwrap_or_default();
        let keys =
            [text("ApplicationIdentifier"), format!("{} {}", text("ApplicationFullName"), text("Version"))];
        let is_same = |(other, _): &&([String; 2], Id)| other.iter().zip(&keys).any(|(a, b)| a == b);
        if let Some((_, first)) = known.iter().find(is_same) {
            edit.replace(id, *first)?;
        } else {
            known.push((keys, id));
        }
    }
    Ok(())
}

/// Placements that stood on those of what is joined stand on the base's, at the same place of the world.
fn settle_places(
    edit: &mut Edit,
    other: &Model,
    joins: &BTreeMap<Id, Id>,
    copies: &BTreeMap<Id, Id>,
    merged: &mut Merged,
) -> Result<(), ExchangeError> {
    let mut stray = Vec::new();
    for (their, our) in joins {
        let placed = |model: &Model, id: Id| model.get(id).and_then(|i| i.reference("ObjectPlacement"));
        let Some(old) = placed(other, *their).and_then(|id| copies.get(&id)).copied() else { continue };
        let Some(new) = placed(edit, *our) else { continue };
        let worlds = placement::world(edit, old).zip(placement::world(edit, new));
        if worlds.is_some_and(|(a, b)| !a.abs_diff_eq(b, 1e-6)) {
            let name = edit.get(*our).map(|i| format!("{} {}", i.class_name(), i.name().unwrap_or_default()));
            merged.differences.push(format!(
                "{} stands elsewhere in it; what is in it stays where it was in the world",
                name.unwrap_or_default()
            ));
        }
        for by in edit.referrers_of(old, "IfcLocalPlacement") {
            if let Some(world) = placement::world(edit, by) {
                hang(edit, by, Some(new), &world)?;
            }
        }
        stray.push(old);
    }
    let all: HashSet<Id> = stray.iter().copied().collect();
    stray.retain(|id| edit.referrers(*id).iter().all(|by| all.contains(by)));
    stray.sort_unstable();
    stray.dedup();
    edit.remove_all(&stray, Referrers::Dependents)?;
    merged.differences.sort();
    Ok(())
}
