//! Copies of elements: with openings and what fills them, parts, properties and quantities of their own; types, materials,
//! classifications, groups and the items that bodies are made of are shared.
//!
//! A copy is not joined to the neighbours of its original: walls that met a neighbour end square. Connections among what is
//! copied together are copied too.

use super::carrying::{check, is_structure, settle};
use super::naming::Names;
use super::plan::{Home, Pattern, Plan, plan};
use crate::author::Author;
use crate::frame::Frame;
use crate::lookup::label;
use crate::opening;
use crate::{host, slab, stairs, wall};
use contract::Fault;
use glam::DVec3;
use ifc::{Id, Value, relations};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most copies that one direction is asked for.
pub const MOST: usize = 1000;
/// The most elements that one call writes.
const MOST_ELEMENTS: usize = 20_000;

/// Members to be added to lists once all copies are made.
#[derive(Default)]
struct Additions(BTreeMap<(Id, &'static str), Vec<Id>>);

impl Additions {
    fn add(&mut self, to: Id, list: &'static str, member: Id) {
        self.0.entry((to, list)).or_default().push(member);
    }

    fn write(self, author: &mut Author) -> Result<(), Fault> {
        for ((to, list), new) in self.0 {
            let mut all = author.edit.get(to).map(|instance| instance.references(list)).unwrap_or_default();
            all.extend(new);
            author.set(to, list, Value::list(all.into_iter().map(Value::Ref)))?;
        }
        Ok(())
    }
}

/// Copies elements to places: each is a rigid map of the world from where the originals stand. With a storey, the copies
/// belong to that and keep their height above it. Answers for each place the copies, in the order of `ids`.
pub fn copy(
    author: &mut Author,
    ids: &[Id],
    places: &[Frame],
    level: Option<Id>,
) -> Result<Vec<Vec<Id>>, Fault> {
    copy_one_of(author, ids, places, level, 1)
}

/// Copies elements to places on each of some storeys, where `None` is their own; answers the copies, storey by storey.
pub fn copy_onto(
    author: &mut Author,
    ids: &[Id],
    places: &[Frame],
    levels: &[Option<Id>],
) -> Result<Vec<Id>, Fault> {
    let mut made = Vec::new();
    for level in levels {
        made.extend(copy_one_of(author, ids, places, *level, levels.len())?.into_iter().flatten());
    }
    Ok(made)
}

/// Copies elements to places on one of so many storeys, as many of which are bounded together.
fn copy_one_of(
    author: &mut Author,
    ids: &[Id],
    places: &[Frame],
    level: Option<Id>,
    storeys: usize,
) -> Result<Vec<Vec<Id>>, Fault> {
    let (roots, hosted) = roots(author, ids, level)?;
    let plan = plan(author, &roots)?;
    let elements = plan.patterns.len().saturating_mul(places.len()).saturating_mul(storeys);
    if elements > MOST_ELEMENTS {
        return Err(Fault::invalid(
            "count",
            format!(
                "That would write {elements} elements; one call writes at most {MOST_ELEMENTS}. Copy fewer at once."
            ),
        ));
    }
    let zero = level.map(|level| author.frame(level)).transpose()?;
    let mut names = Names::default();
    let after = named_after(&plan);
    let mut additions = Additions::default();
    let (mut touched, mut hosts) = (BTreeSet::new(), BTreeSet::new());
    let mut answer = Vec::with_capacity(places.len());
    for place in places {
        for opening in &hosted {
            hosts.insert(fits(author, *opening, place)?);
        }
        let mut made = HashMap::new();
        // a copy above or below stands at the same place of the grid
        let upright = Frame::at(DVec3::Z * place.translation.z);
        let same_plan = place.0.abs_diff_eq(upright.0, 1e-6);
        let mut placements = HashMap::new();
        let titles = titles(author, &plan, &after, &mut names);
        for (pattern, title) in plan.patterns.iter().zip(titles) {
            let target = target(author, pattern, place, zero.as_ref())?;
            let copy = write(author, pattern, title, target, level, &mut placements, &mut additions)?;
            if same_plan {
                tie_to_grid(author, pattern, copy, &mut additions)?;
            }
            made.insert(pattern.source, copy);
            settle_in(author, pattern, copy, level, &mut additions)?;
        }
        tie(author, &plan, &made)?;
        // openings of their own are seen by the next one that is fitted in
        for opening in &hosted {
            if let (Some(host), Some(copy)) =
                (relations::host_of_opening(author.edit, *opening), made.get(opening))
            {
                author.void(host, *copy)?;
            }
        }
        touched.extend(made.values().copied());
        answer.push(ids.iter().filter_map(|id| made.get(id).copied()).collect());
    }
    additions.write(author)?;
    for host in hosts {
        if author.edit.get(host).is_some_and(|h| h.is_a("IfcWall")) {
            wall::requantify(author, host)?;
        } else {
            slab::requantify(author, host)?;
        }
    }
    settle(author, &touched)?;
    stairs::cut_among(author, &touched)?;
    Ok(answer)
}

/// Returns what is copied by itself: the elements chosen, and for a door, window or opening whose host is not chosen the
/// opening, which then goes into the same host. The second list holds those openings.
fn roots(author: &Author, ids: &[Id], level: Option<Id>) -> Result<(Vec<Id>, Vec<Id>), Fault> {
    let chosen: BTreeSet<Id> = ids.iter().copied().collect();
    let (mut roots, mut hosted) = (Vec::new(), Vec::new());
    for id in ids {
        let opening = relations::opening_of_filling(author.edit, *id)
            .or_else(|| relations::host_of_opening(author.edit, *id).map(|_| *id));
        let host = opening.and_then(|opening| relations::host_of_opening(author.edit, opening));
        match opening.zip(host) {
            Some((opening, host)) if !chosen.contains(&host) => {
                if level.is_some() {
                    return Err(Fault::constraint(format!(
                        "{} lies in {}; to another storey it is copied with that. Choose the host.",
                        label(author.edit, *id),
                        label(author.edit, host)
                    ))
                    .with("field", "element_ids"));
                }
                if !hosted.contains(&opening) {
                    hosted.push(opening);
                    roots.push(opening);
                }
            }
            _ => {
                check(author, *id, "copied", &chosen)?;
                roots.push(*id);
            }
        }
    }
    Ok((roots, hosted))
}

/// Finds whether the copy of an opening fits into the same host; answers the host.
fn fits(author: &Author, opening: Id, place: &Frame) -> Result<Id, Fault> {
    let host = relations::host_of_opening(author.edit, opening).ok_or_else(|| {
        Fault::constraint(format!("The opening {} has no host.", label(author.edit, opening)))
    })?;
    let out = |why: &str| {
        Fault::constraint(format!("{} cannot be copied there: {why}.", label(author.edit, opening)))
            .with("field", "by")
    };
    if !place.matrix3.abs_diff_eq(glam::DMat3::IDENTITY, 1e-9) {
        return Err(out("in its host it can be moved but not turned"));
    }
    let by = place.translation;
    let is_wall = author.edit.get(host).is_some_and(|h| h.is_a("IfcWall"));
    let frame = if is_wall { host::Wall::read(author, host)?.frame } else { author.frame(host)? };
    let extent = host::openings(author, host, &frame)
        .into_iter()
        .find(|(id, _)| *id == opening)
        .map(|(_, extent)| extent)
        .ok_or_else(|| {
            out("its body cannot be read from its host; place another there with create_opening")
        })?;
    let own = frame.turn_into_own(by);
    let middle = extent.low.midpoint(extent.high) + own;
    if is_wall {
        if own.y.abs() > 1.0 {
            return Err(out("that would be beside its wall; copy it along the wall"));
        }
        let wall = host::Wall::read(author, host)?;
        let (width, height) = (extent.size(0), extent.size(2));
        opening::fit_in_wall(author, &wall, middle.x, extent.low.z + own.z, width, height, None)?;
    } else {
        let slab = host::Slab::read(author, host)?;
        opening::fit_in_slab(author, &slab, middle.truncate(), extent.size(0), extent.size(1), None)?;
    }
    Ok(host)
}

/// For each element the one whose name its own holds: `Opening of Window 1` that of `Window 1`.
fn named_after(plan: &Plan) -> Vec<Option<usize>> {
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (i, pattern) in plan.patterns.iter().enumerate() {
        if let Some(name) = named(pattern) {
            by_name.entry(name).or_insert(i);
        }
    }
    let mut shorter: Vec<(&str, usize)> = by_name.into_iter().collect();
    shorter.sort_unstable_by_key(|(name, i)| (std::cmp::Reverse(name.len()), *i));
    let theirs = |name: &str| {
        let held = |other: &str| other.len() < name.len() && holds(name, other);
        shorter.iter().find(|(other, _)| held(other)).map(|(_, i)| *i)
    };
    // of very many it is not asked: each gets the next number
    let few = plan.patterns.len() <= 2000;
    plan.patterns.iter().map(|pattern| named(pattern).filter(|_| few).and_then(theirs)).collect()
}

fn named(pattern: &Pattern) -> Option<&str> {
    pattern.name.as_deref().filter(|name| !name.trim().is_empty())
}

/// The names of one set of copies. What is named after another that is copied is named after that one's copy.
fn titles(author: &Author, plan: &Plan, after: &[Option<usize>], names: &mut Names) -> Vec<Option<String>> {
    let mut titles: Vec<Option<String>> = vec![None; plan.patterns.len()];
    let mut later = Vec::new();
    for (((i, pattern), after), slot) in plan.patterns.iter().enumerate().zip(after).zip(&mut titles) {
        let Some(name) = named(pattern) else { continue };
        match after {
            Some(other) => later.push((i, *other, pattern, name)),
            None => *slot = Some(names.next(author.edit, &pattern.class, name)),
        }
    }
    for (i, other, pattern, name) in later {
        let theirs = plan.patterns.get(other).and_then(named).unwrap_or_default();
        let renamed = match titles.get(other) {
            Some(Some(new)) => name.replacen(theirs, new, 1),
            _ => name.to_owned(),
        };
        let free = renamed != name && names.take(author.edit, &pattern.class, &renamed);
        let title = if free { renamed } else { names.next(author.edit, &pattern.class, &renamed) };
        if let Some(slot) = titles.get_mut(i) {
            *slot = Some(title);
        }
    }
    titles
}

/// Returns true if a name holds another as words of its own: `Wall 1` is not in `Wall 12`.
fn holds(name: &str, other: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    other.chars().any(char::is_alphabetic)
        && name.match_indices(other).any(|(at, _)| {
            let before = name.get(..at).and_then(|text| text.chars().next_back());
            let after = name.get(at + other.len()..).and_then(|text| text.chars().next());
            !part(before) && !part(after)
        })
}

/// The place in the world of an element's copy; raised to another storey it keeps its height above it.
fn target(
    author: &Author,
    pattern: &Pattern,
    place: &Frame,
    zero: Option<&Frame>,
) -> Result<Option<Frame>, Fault> {
    let Some(frame) = pattern.frame else { return Ok(None) };
    let moved = *place * frame;
    let Some(zero) = zero else { return Ok(Some(moved)) };
    let from = match pattern.storey {
        Some(storey) => author.frame(storey)?.translation.z,
        None => 0.0,
    };
    Ok(Some(moved.with_origin(moved.translation + DVec3::Z * (zero.translation.z - from))))
}

fn write(
    author: &mut Author,
    pattern: &Pattern,
    title: Option<String>,
    target: Option<Frame>,
    level: Option<Id>,
    placements: &mut HashMap<Id, Id>,
    additions: &mut Additions,
) -> Result<Id, Fault> {
    let mut attributes = pattern.attributes.clone();
    if let Some((old, target)) = pattern.placement.zip(target) {
        let placement = match pattern.within.and_then(|within| placements.get(&within).copied()) {
            // what is placed within what is copied lies there as the original does
            Some(within) if pattern.axes.is_some() => author.create(
                "IfcLocalPlacement",
                &[
                    ("PlacementRelTo", within.into()),
                    ("RelativePlacement", pattern.axes.map_or(Value::Null, Value::Ref)),
                ],
            )?,
            _ => {
                let within = match level {
                    Some(level) => author.placement_of(level),
                    None => pattern.within,
                };
                let outer = Frame::of_placement(author.edit, within, author.units().length_mm)?;
                author.placement(within, &target.seen_from(&outer))?
            }
        };
        placements.insert(old, placement);
        attributes.push(("ObjectPlacement", placement.into()));
    }
    if let Some(shape) = pattern.shape {
        attributes.push(("Representation", shape_like(author, shape, additions)?.into()));
    }
    if pattern.class == "IfcGrid" {
        // an axis belongs to one grid
        for (_, value) in attributes.iter_mut().filter(|(name, _)| ["UAxes", "VAxes", "WAxes"].contains(name))
        {
            let axes: Vec<Id> =
                value.as_list().unwrap_or_default().iter().filter_map(Value::as_ref).collect();
            let twins = axes.into_iter().map(|axis| author.twin(axis, &[])).collect::<Result<Vec<_>, _>>()?;
            *value = Value::list(twins.into_iter().map(Value::Ref));
        }
    }
    let copy = author.root(&pattern.class, title.as_deref(), &attributes)?;
    for set in &pattern.own_sets {
        let twin = author.twin_set(*set)?;
        author.define(copy, twin)?;
    }
    for (relation, list) in &pattern.joins {
        additions.add(*relation, list, copy);
    }
    Ok(copy)
}

fn tie_to_grid(
    author: &mut Author,
    pattern: &Pattern,
    copy: Id,
    additions: &mut Additions,
) -> Result<(), Fault> {
    for set in &pattern.grid_sets {
        let twin = author.twin_set(*set)?;
        author.define(copy, twin)?;
    }
    for relation in &pattern.grid_joins {
        additions.add(*relation, "RelatedObjects", copy);
    }
    Ok(())
}

/// Makes a shape with representations of its own over the same items, so that one may be drawn anew without the other.
fn shape_like(author: &mut Author, shape: Id, additions: &mut Additions) -> Result<Id, Fault> {
    let old = author.edit.get(shape).map(|s| s.references("Representations")).unwrap_or_default();
    let mut new = Vec::with_capacity(old.len());
    for representation in old {
        let twin = author.twin(representation, &[])?;
        for layer in author.edit.referrers_of(representation, "IfcPresentationLayerAssignment") {
            additions.add(layer, "AssignedItems", twin);
        }
        new.push(twin);
    }
    let list = Value::list(new.into_iter().map(Value::Ref));
    let made = author.twin(shape, &[("Representations", list)])?;
    for aspect in author.edit.referrers_of(shape, "IfcShapeAspect") {
        let parts = author.edit.get(aspect).map(|a| a.references("ShapeRepresentations")).unwrap_or_default();
        let parts = parts.into_iter().map(|part| author.twin(part, &[])).collect::<Result<Vec<_>, _>>()?;
        let list = Value::list(parts.into_iter().map(Value::Ref));
        author
            .twin(aspect, &[("ShapeRepresentations", list), ("PartOfProductDefinitionShape", made.into())])?;
    }
    Ok(made)
}

/// Gives a copy its place in the spatial structure.
fn settle_in(
    author: &mut Author,
    pattern: &Pattern,
    copy: Id,
    level: Option<Id>,
    additions: &mut Additions,
) -> Result<(), Fault> {
    let relation = |author: &Author, whole: Id, class: &str, end: &str| {
        author.edit.referrers_of(whole, class).into_iter().find(|id| {
            author.edit.get(*id).is_some_and(|r| r.class_name() == class && r.reference(end) == Some(whole))
        })
    };
    match (&pattern.home, level) {
        (Home::Inside, _) => Ok(()),
        (Home::Contained(spatial), level) => {
            let spatial = level.unwrap_or(*spatial);
            match relation(author, spatial, "IfcRelContainedInSpatialStructure", "RelatingStructure") {
                Some(relation) => {
                    additions.add(relation, "RelatedElements", copy);
                    Ok(())
                }
                None => author.contain(spatial, copy),
            }
        }
        (Home::Part(whole, class), level) => {
            let spatial = is_structure(author.edit, *whole);
            let space = author.edit.get(copy).is_some_and(|c| c.is_a("IfcSpace"));
            match level {
                // a part that leaves its whole for another storey stands there by itself
                Some(level) if !spatial && !space => return author.contain(level, copy),
                _ => {}
            }
            let whole = level.unwrap_or(*whole);
            match relation(author, whole, class, "RelatingObject") {
                Some(relation) => {
                    additions.add(relation, "RelatedObjects", copy);
                    Ok(())
                }
                None => author.aggregate(whole, copy),
            }
        }
    }
}

/// Ties the copies of one place together as their originals are.
fn tie(author: &mut Author, plan: &Plan, made: &HashMap<Id, Id>) -> Result<(), Fault> {
    let mapped = |value: Value| -> Value {
        let map =
            |id: Id| -> Result<Id, std::convert::Infallible> { Ok(made.get(&id).copied().unwrap_or(id)) };
        value.map_refs(&mut { map }).unwrap_or_default()
    };
    for relation in &plan.between {
        let changes: Vec<(&'static str, Value)> =
            super::twin::attributes(author.edit, *relation, &["GlobalId", "OwnerHistory"])
                .into_iter()
                .map(|(name, value)| (name, mapped(value)))
                .collect();
        author.twin(*relation, &changes)?;
    }
    for (relation, list) in &plan.wholes {
        let Some(tie) = author.edit.get(*relation) else { continue };
        let parts: Vec<Value> =
            tie.references(list).iter().filter_map(|id| made.get(id).copied()).map(Value::Ref).collect();
        let ends = ["RelatingObject", "RelatingElement", "RelatingStructure"];
        let Some(end) = ends.into_iter().find(|end| tie.reference(end).is_some()) else { continue };
        let whole = mapped(tie.attr(end));
        author.twin(*relation, &[(list, Value::List(parts)), (end, whole)])?;
    }
    Ok(())
}
