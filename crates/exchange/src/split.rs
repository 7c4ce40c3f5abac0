//! A model as several: one for each storey, or for each discipline. Every product is in exactly one part; the spatial structure that it
//! is in comes along.

use crate::labels::Names;
use crate::subset::{Fillings, Subset, cut};
use crate::{ExchangeError, with_header};
use ifc::relations::Links;
use ifc::{Id, Model};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A part of a model with a name.
#[derive(Debug)]
pub struct Part {
    /// A name that can be that of a file: the storey's with its number from below, or the discipline's.
    pub name: String,
    /// The number of products in it, containers left out.
    pub products: usize,
    /// The part.
    pub subset: Subset,
}

/// Products that belong together, under the name of their part.
pub(crate) type Group = (String, Vec<Id>);

/// The groups that have anything, each with a name of its own.
fn named(groups: BTreeMap<usize, Group>) -> Result<Vec<Group>, ExchangeError> {
    let mut names = Names::default();
    let groups = groups.into_values().filter(|(_, ids)| !ids.is_empty());
    let groups: Vec<Group> = groups.map(|(name, ids)| (names.unique(&name), ids)).collect();
    if groups.is_empty() { Err(ExchangeError::Nothing("elements")) } else { Ok(groups) }
}

/// The parts of groups, each given to `take` as it is cut, in their order. A model of many parts is halved first, and the halves again, so
/// that a part is not cut out of the whole: that would cost the whole for each.
pub(crate) fn each_part<T: Send>(
    model: &Model,
    groups: Vec<Group>,
    take: &(impl Fn(Part) -> Result<T, ExchangeError> + Sync),
) -> Result<Vec<T>, ExchangeError> {
    if groups.len() < HALVED {
        let one = |(name, ids): Group| {
            let subset = cut(&Links::of_many(model), &ids, Fillings::Asked)?;
            take(Part { name, products: ids.len(), subset })
        };
        return groups.into_par_iter().map(one).collect();
    }
    let (first, second) = halves(groups);
    let half = |groups: Vec<Group>| {
        let ids: Vec<Id> = groups.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
        let half = cut(&Links::of_many(model), &ids, Fillings::Asked)?.model;
        // written anew, it no longer carries what is gone
        each_part(&with_header(&half, half.header())?, groups, take)
    };
    let (first, second) = rayon::join(|| half(first), || half(second));
    let mut all = first?;
    all.extend(second?);
    Ok(all)
}

/// Groups of which so many are halved first.
const HALVED: usize = 4;

/// Groups in two lists of about as many products.
fn halves(mut groups: Vec<Group>) -> (Vec<Group>, Vec<Group>) {
    let all: usize = groups.iter().map(|(_, ids)| ids.len()).sum();
    let mut sum = 0;
    let within = |(_, ids): &Group| {
        sum += ids.len();
        sum * 2 <= all
    };
    let at = groups.iter().map(within).take_while(|is_within| *is_within).count();
    let rest = groups.split_off(at.clamp(1, groups.len() - 1));
    (groups, rest)
}

fn parts(model: &Model, groups: Vec<Group>) -> Result<Vec<Part>, ExchangeError> {
    each_part(model, groups, &Ok)
}

/// Products that are no part of the spatial structure but rooms.
fn products(model: &Model) -> Vec<Id> {
    let mut all = model.of_class("IfcProduct");
    all.retain(|id| {
        model.get(*id).is_some_and(|p| {
            let is_spatial = p.is_a("IfcSpatialStructureElement") || p.is_a("IfcSpatialElement");
            !is_spatial || p.is_a("IfcSpace") || p.is_a("IfcSpatialZone")
        })
    });
    all
}

/// One part for each storey, the lowest first, and one for what is in none.
pub fn split_by_storey(model: &Model) -> Result<Vec<Part>, ExchangeError> {
    parts(model, storeys(model)?)
}

/// The products of each storey, the lowest first, and those of none.
pub(crate) fn storeys(model: &Model) -> Result<Vec<Group>, ExchangeError> {
    let links = Links::of_many(model);
    let height = |id: &Id| ifc::placement::elevation(model, *id).unwrap_or(0.0);
    let mut storeys = model.of_class("IfcBuildingStorey");
    storeys.sort_by(|a, b| height(a).total_cmp(&height(b)).then(a.cmp(b)));
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for (number, storey) in storeys.iter().enumerate() {
        let name = model.get(*storey).and_then(|s| s.name()).unwrap_or_else(|| "storey".to_owned());
        groups.insert(number, (format!("{:02} {name}", number + 1), Vec::new()));
    }
    for id in products(model) {
        let own = links.storey_of(id).and_then(|storey| storeys.iter().position(|s| *s == storey));
        let slot = groups.entry(own.unwrap_or(storeys.len()));
        slot.or_insert_with(|| ("in no storey".to_owned(), Vec::new())).1.push(id);
    }
    named(groups)
}

/// A discipline and the classes of its elements.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discipline {
    /// Its name.
    pub name: String,
    /// Classes; the nearest one above an element's decides.
    pub classes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Disciplines {
    discipline: Vec<Discipline>,
}

/// The table of disciplines.
pub fn disciplines() -> &'static [Discipline] {
    static ALL: OnceLock<Vec<Discipline>> = OnceLock::new();
    ALL.get_or_init(|| {
        // the tests read it
        toml::from_str::<Disciplines>(include_str!("../disciplines.toml"))
            .map(|all| all.discipline)
            .unwrap_or_default()
    })
}

/// One part for each discipline that has elements, by the table of [`disciplines`].
pub fn split_by_discipline(model: &Model) -> Result<Vec<Part>, ExchangeError> {
    parts(model, by_discipline(model)?)
}

/// The products of each discipline that has any.
pub(crate) fn by_discipline(model: &Model) -> Result<Vec<Group>, ExchangeError> {
    let links = Links::of_many(model);
    let mut groups: BTreeMap<usize, Group> =
        disciplines().iter().enumerate().map(|(at, d)| (at, (d.name.clone(), Vec::new()))).collect();
    for id in products(model) {
        let own = discipline(&links, id);
        if let Some((_, ids)) = groups.get_mut(&own) {
            ids.push(id);
        }
    }
    named(groups)
}

/// The number of the discipline of a product. An opening, a port or a part is of what it belongs to.
fn discipline(links: &Links<'_>, id: Id) -> usize {
    let model = links.model();
    let mut at = id;
    for _ in 0..8 {
        let Some(instance) = model.get(at) else { break };
        const BELONGING: [&str; 3] = ["IfcFeatureElement", "IfcPort", "IfcBuildingElementPart"];
        let above = BELONGING.iter().any(|class| instance.is_a(class)).then(|| links.parent(at)).flatten();
        match above.filter(|above| model.get(*above).is_some_and(|i| i.is_a("IfcElement"))) {
            Some(above) => at = above,
            None => break,
        }
    }
    let Some(instance) = model.get(at) else { return 0 };
    let schema = model.schema();
    let of_class = |name: &str| {
        let lineage = schema.lineage(schema.entity(name)?).map(|entity| entity.name);
        lineage.into_iter().find_map(|class| {
            let has = |discipline: &Discipline| discipline.classes.iter().any(|name| name == class);
            disciplines().iter().position(has).map(|at| (at, class))
        })
    };
    let by_type = || {
        let of_type = model.get(links.type_of(at)?)?;
        let plain = of_type.class_name().strip_suffix("Type")?;
        // IFC2X3 has the types alone, and the table names them without the ending
        let has = |discipline: &Discipline| discipline.classes.iter().any(|name| name == plain);
        disciplines().iter().position(has)
    };
    let found = of_class(instance.class_name());
    let is_general = found.is_some_and(|(_, class)| class.starts_with("IfcDistribution"));
    if is_general {
        by_type().or(found.map(|(at, _)| at)).unwrap_or(0)
    } else {
        found.map_or(0, |(at, _)| at)
    }
}
