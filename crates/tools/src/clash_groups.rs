//! Clashes in groups: by classes, types, elements, storeys, the nearest grid lines, or heaps of places.

use crate::IfcCall;
use crate::clashing::{Found, kind_word};
use crate::elements::{brief, label_of};
use crate::places::{mm, mm_point};
use building::author::Author;
use building::structure::grid::{self, GridLine};
use geometry::query::Kind;
use glam::{DVec2, DVec3};
use ifc::guid::GuidSource;
use ifc::relations::Links;
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use validation::clash::clusters;

/// Groups of one answer at most.
const MOST: usize = 40;
/// Metres from a grid line beyond which a place is not named by it.
const OFF: f64 = 30.0;
/// The name of a group for what has no storey or grid line.
const NONE: &str = "none";

/// The way in which clashes are grouped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum GroupBy {
    /// The two classes.
    #[default]
    Class,
    /// The two types.
    Type,
    /// The element with the most clashes.
    Element,
    /// Storey of a.
    Storey,
    /// Nearest grid lines.
    Grid,
    /// Places near each other.
    Cluster,
}

/// Clashes that belong together.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Group {
    name: String,
    count: usize,
    /// Clashes by kind.
    kinds: BTreeMap<&'static str, usize>,
    /// mm of the deepest.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<Value>,
    /// Place of the first of them, in mm.
    point: [Value; 3],
    /// The element that all of them share.
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<Map<String, Value>>,
}

/// A group that is being filled.
struct Filling {
    count: usize,
    kinds: BTreeMap<&'static str, usize>,
    depth: Option<f64>,
    point: DVec3,
    element: Option<Map<String, Value>>,
}

/// Groups, how many there are in all, and what is to be said of them.
pub(crate) type Groups = (Vec<Group>, usize, Option<String>);

/// All clashes in groups, the largest first, and how many groups there are in all.
pub(crate) fn groups(
    call: &IfcCall,
    models: [&Model; 2],
    clashes: &[Found],
    by: GroupBy,
    reach: f64,
) -> Groups {
    let mut note = None;
    let names = match by {
        GroupBy::Class => pairs(models, clashes, &|model, id| {
            model.get(id).map(|own| own.class_name().to_owned()).unwrap_or_default()
        }),
        GroupBy::Type => {
            let links = models.map(Links::of_many);
            pairs(models, clashes, &|model, id| {
                let links = links.iter().find(|links| std::ptr::eq(links.model(), model));
                let of_type = links.and_then(|links| links.type_of(id));
                of_type.map_or_else(|| class_of(model, id), |of_type| label_of(model, of_type))
            })
        }
        GroupBy::Element => {
            let (groups, count) = finished(by_element(models, clashes));
            return (groups, count, None);
        }
        GroupBy::Storey => by_storey(models[0], clashes),
        GroupBy::Grid => by_grid(call, models[0], clashes, &mut note),
        GroupBy::Cluster => by_cluster(clashes, reach),
    };
    let mut filled: HashMap<String, Filling> = HashMap::new();
    for (name, clash) in names.into_iter().zip(clashes) {
        add(&mut filled, name, clash, None);
    }
    let (groups, count) = finished(filled);
    (groups, count, note)
}

fn class_of(model: &Model, id: Id) -> String {
    model.get(id).map(|own| own.class_name().to_owned()).unwrap_or_default()
}

fn add(
    filled: &mut HashMap<String, Filling>,
    name: String,
    clash: &Found,
    element: Option<Map<String, Value>>,
) {
    let depth = if let Kind::Hard { depth, .. } = clash.clash.pair.kind { Some(depth) } else { None };
    let group = filled.entry(name).or_insert_with(|| Filling {
        count: 0,
        kinds: BTreeMap::new(),
        depth: None,
        point: clash.clash.pair.place,
        element,
    });
    group.count += 1;
    *group.kinds.entry(kind_word(&clash.clash.pair.kind)).or_default() += 1;
    group.depth = match (group.depth, depth) {
        (Some(known), Some(own)) => Some(known.max(own)),
        (known, own) => known.or(own),
    };
}

fn finished(filled: HashMap<String, Filling>) -> (Vec<Group>, usize) {
    let mut all: Vec<(String, Filling)> = filled.into_iter().collect();
    all.sort_by(|(a, f), (b, g)| g.count.cmp(&f.count).then_with(|| a.cmp(b)));
    let total = all.len();
    let groups = all.into_iter().take(MOST).map(|(name, group)| Group {
        name,
        count: group.count,
        kinds: group.kinds,
        depth: group.depth.map(mm),
        point: mm_point(group.point),
        element: group.element,
    });
    (groups.collect(), total)
}

/// Names of the two, in the order of the alphabet where the sets are one.
fn pairs(models: [&Model; 2], clashes: &[Found], name: &dyn Fn(&Model, Id) -> String) -> Vec<String> {
    let one = |found: &Found| {
        let pair = &found.clash.pair;
        let (mut a, mut b) = (name(models[0], pair.a), name(models[1], pair.b));
        if found.is_one_set && a > b {
            std::mem::swap(&mut a, &mut b);
        }
        format!("{a} × {b}")
    };
    clashes.iter().map(one).collect()
}

/// Each clash goes to that of its elements that has more of them.
fn by_element(models: [&Model; 2], clashes: &[Found]) -> HashMap<String, Filling> {
    let is_one_model = std::ptr::eq(models[0], models[1]);
    let side = |second: bool, id: Id| (second && !is_one_model, id);
    let mut counts: HashMap<(bool, Id), usize> = HashMap::new();
    for Found { clash, .. } in clashes {
        *counts.entry(side(false, clash.pair.a)).or_default() += 1;
        *counts.entry(side(true, clash.pair.b)).or_default() += 1;
    }
    let count = |key: &(bool, Id)| counts.get(key).copied().unwrap_or_default();
    let mut filled = HashMap::new();
    for found in clashes {
        let (a, b) = (side(false, found.clash.pair.a), side(true, found.clash.pair.b));
        let (second, id) = if count(&b) > count(&a) { b } else { a };
        let model = models[usize::from(second)];
        let guid = crate::elements::id_of(model, id);
        add(&mut filled, format!("{} ({guid})", label_of(model, id)), found, Some(brief(model, id)));
    }
    filled
}

fn by_storey(model: &Model, clashes: &[Found]) -> Vec<String> {
    let links = Links::of_many(model);
    let name = |found: &Found| {
        links.storey_of(found.clash.pair.a).map_or_else(|| NONE.to_owned(), |storey| label_of(model, storey))
    };
    clashes.iter().map(name).collect()
}

fn by_cluster(clashes: &[Found], reach: f64) -> Vec<String> {
    let places: Vec<DVec3> = clashes.iter().map(|found| found.clash.pair.place).collect();
    clusters(&places, reach).into_iter().map(|number| format!("cluster {}", number + 1)).collect()
}

/// The nearest line of each of the two first families of the grid that is nearest.
fn by_grid(call: &IfcCall, model: &Model, clashes: &[Found], note: &mut Option<String>) -> Vec<String> {
    let (mut edit, mut guids) = (model.edit(), GuidSource::new("grid"));
    let author = Author::new(&mut edit, &mut guids, call.time_ms, &call.actor);
    let mut grids: Vec<Vec<GridLine>> = Vec::new();
    for grid in model.of_class("IfcGrid") {
        // one whose placement cannot be read names nothing
        grids.extend(grid::lines(&author, grid).ok().filter(|lines| !lines.is_empty()));
    }
    if grids.is_empty() {
        let problem = "The model has no grid with straight lines, so that all clashes are one group.";
        *note = Some(problem.to_owned());
    }
    let name = |found: &Found| {
        let p = found.clash.pair.place.truncate() * 1000.0;
        let named = grids.iter().map(|lines| crossing(lines, p));
        let nearest = named.min_by(|(_, a), (_, b)| a.total_cmp(b));
        nearest.filter(|(_, off)| *off <= OFF * 1000.0).map_or_else(|| NONE.to_owned(), |(name, _)| name)
    };
    clashes.iter().map(name).collect()
}

/// The tags of the nearest line of each family, and how far off the farthest of them is in mm.
fn crossing(lines: &[GridLine], p: DVec2) -> (String, f64) {
    let (mut tags, mut off) = (Vec::new(), 0.0_f64);
    for family in 0..3 {
        let own = lines.iter().filter(|line| line.family == family);
        let distance = |line: &GridLine| (p - line.start).perp_dot(line.along()).abs();
        let nearest = own.map(|line| (distance(line), line)).min_by(|(a, _), (b, _)| a.total_cmp(b));
        if let Some((distance, line)) = nearest {
            tags.push(line.tag.clone());
            off = off.max(distance);
        }
    }
    (tags.join(" / "), off)
}
