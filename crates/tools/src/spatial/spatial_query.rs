//! Elements by place: in a box, over a polygon, on a storey, in a room, near something, along a ray, seen from a point, on a facade,
//! above or below an element. Conditions that are given together all have to hold.

use crate::elements::OneOrMore;
use crate::fields::{Field, Reading};
use crate::places::{self, PlaceInput, body, element, mm, point, rounded};
use crate::selecting::{choose, select_in};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use geometry::query::{Index, Ray};
use glam::{DVec2, DVec3};
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use spatial::queries::{Prism, isovist, stacked};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Elements of one answer at most.
const MOST: usize = 1000;
/// Names that are told of a class.
const NAMES: usize = 5;
/// Height of the eye above a storey where a point of view gives none, in metres.
const EYE: f64 = 1.6;
/// Classes that have a facade.
const FACADE: [&str; 5] = ["IfcWall", "IfcCurtainWall", "IfcWindow", "IfcDoor", "IfcPlate"];

/// The way an element has to lie to a region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Shares space with it; touching is not enough.
    #[default]
    Intersects,
    /// Wholly in it.
    Inside,
}

/// A region in space.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields, expecting = "expected {min, max} or {polygon, base, height}, in mm")]
enum Region {
    /// Two corners in mm.
    Box { min: Vec<f64>, max: Vec<f64> },
    /// [x, y] in mm; from `base` to `base` + `height`, both mm; without them at all heights.
    Polygon { polygon: Vec<[f64; 2]>, base: Option<f64>, height: Option<f64> },
}

/// Nearness.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Near {
    /// Element or point.
    to: PlaceInput,
    /// mm at most.
    distance: f64,
}

/// A half line.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Beam {
    /// Point in mm.
    origin: Vec<f64>,
    direction: [f64; 3],
    /// mm; without it no end.
    reach: Option<f64>,
}

/// A point of view.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct View {
    /// Eye, mm; [x, y] with `level_id` stands 1600 above it.
    point: Vec<f64>,
    /// mm.
    #[schemars(extend("default" = 50_000))]
    reach: Option<f64>,
    /// Categories that do not hide, such as windows.
    see_through: Option<Vec<String>>,
}

/// A direction of the compass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Facing {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// {min, max} or {polygon, base?, height?}; heights count from `level_id` where given.
    bounds: Option<Region>,
    /// Storey, by its height up to the next.
    level_id: Option<String>,
    /// Room by id or name.
    room_id: Option<String>,
    /// Within a distance of an element or point.
    near: Option<Near>,
    /// Met by a ray.
    ray: Option<Beam>,
    /// View at eye height: elements that are seen.
    #[schemars(extend("x-seldom" = true))]
    visible_from: Option<View>,
    /// Outer elements that look this way.
    facade: Option<Facing>,
    /// Element that they lie above.
    above: Option<String>,
    /// Element that they lie below.
    below: Option<String>,
    /// Such as walls, IfcDoor, or selectors; without it all but rooms.
    categories: Option<OneOrMore>,
    /// A selector besides.
    selector: Option<String>,
    /// To bounds, storey and room.
    mode: Option<Mode>,
    /// Ids at most.
    #[schemars(extend("default" = 200, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// Elements of a class.
#[derive(Debug, Serialize, JsonSchema)]
struct Group {
    class: String,
    count: usize,
    /// The first few.
    names: Vec<String>,
}

/// The isovist.
#[derive(Debug, Serialize, JsonSchema)]
struct Seen {
    /// m² of the plan at eye height.
    area: Value,
    /// Degrees in which nothing is met within reach.
    open: Value,
    /// Outline in plan, mm.
    outline: Vec<[Value; 2]>,
}

/// The elements found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    total: usize,
    /// Nearest first where distances are.
    element_ids: Vec<String>,
    /// mm, of each element: to what is near, along the ray, from the eye, or of height.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    distances: Vec<Value>,
    groups: Vec<Group>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<Seen>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("spatial_query", Effect::Query, run)
        .title("Elements by place")
        .description(
            "Finds elements by place: box, polygon, storey, room, distance, ray, view, facade, above, below. All conditions given have to hold.",
        )
        .example(
            "What stands in a box",
            json!({ "bounds": { "min": [0, 0, 0], "max": [2000, 2000, 3000] }, "categories": ["walls"] }),
        )
        .example("Within 500 mm of a wall", json!({ "near": { "to": "Wall 1", "distance": 500 } }))
        .example("Seen from a point", json!({ "visible_from": { "point": [4500, 3500, 1600] } }))
        .example("Openings of the south facade", json!({ "facade": "south", "categories": ["windows", "doors"] }))
}

/// The elements left after the conditions so far, with distances in metres where one gives some.
struct Sieve {
    ids: Vec<Id>,
    distances: Option<HashMap<Id, f64>>,
}

impl Sieve {
    fn keep(&mut self, is: impl Fn(Id) -> bool) {
        self.ids.retain(|id| is(*id));
    }

    /// Keeps what has a distance; the first condition that gives distances sorts.
    fn keep_near(&mut self, distances: HashMap<Id, f64>) {
        self.ids.retain(|id| distances.contains_key(id));
        self.distances.get_or_insert(distances);
    }
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    check(&input)?;
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 200, MOST)?;
    let (scene, index) = (call.scene()?, call.index()?);
    let model = scene.model();
    let mut notes = Vec::new();
    let mut sieve = Sieve { ids: candidates(call, model, &index, &input, &mut notes)?, distances: None };
    let storey = input.level_id.as_deref().map(|text| storey(&scene, text)).transpose()?;
    for prism in prisms(call, &index, &input, storey)? {
        let inside = input.mode == Some(Mode::Inside);
        let fits =
            |id: Id| index.get(id).is_some_and(|e| if inside { prism.holds(e) } else { prism.meets(e) });
        sieve.keep(fits);
    }
    let mut view = None;
    if let Some(near) = &input.near {
        sieve.keep_near(nearby(call, &index, near)?);
    }
    if let Some(beam) = &input.ray {
        sieve.keep_near(along(&index, beam)?);
    }
    if let Some(from) = &input.visible_from {
        let (distances, seen) = visible(model, &index, from, storey.map(|(low, _)| low))?;
        sieve.keep_near(distances);
        view = Some(seen);
    }
    for (field, text, above) in [("above", &input.above, true), ("below", &input.below, false)] {
        if let Some(text) = text {
            let id = element(model, field, text)?;
            let (own, wanted) =
                (body(call, field, &index, id)?, sieve.ids.iter().copied().collect::<HashSet<_>>());
            let parts = places::own_parts(model, id);
            let found = stacked(&index, &own, above, |id| wanted.contains(&id) && !parts.contains(&id));
            sieve.keep_near(found.into_iter().map(|level| (level.element, level.gap)).collect());
        }
    }
    if let Some(facing) = input.facade {
        facade(call, &mut sieve, facing)?;
    }
    Ok(answer(model, sieve, start, limit, view, notes))
}

fn check(input: &Input) -> Result<(), Fault> {
    let regions = input.bounds.is_some() || input.level_id.is_some() || input.room_id.is_some();
    let others = input.near.is_some()
        || input.ray.is_some()
        || input.visible_from.is_some()
        || input.facade.is_some()
        || input.above.is_some()
        || input.below.is_some();
    if !regions && !others {
        let problem = "Give a place: bounds, level_id, room_id, near, ray, visible_from, facade, above or below. Without one, query_elements finds elements.";
        return Err(Fault::invalid("bounds", problem));
    }
    if input.mode.is_some() && !regions {
        return Err(Fault::invalid("mode", "`mode` goes with bounds, level_id or room_id."));
    }
    Ok(())
}

/// Drawn elements of the categories asked for; without any, all but rooms.
fn candidates(
    call: &IfcCall,
    model: &Model,
    index: &Index,
    input: &Input,
    notes: &mut Vec<String>,
) -> Result<Vec<Id>, Fault> {
    let mut ids: Vec<Id> = match &input.categories {
        Some(given) => choose(model, "categories", &given.clone().list())?,
        None if input.selector.is_some() => index.iter().map(|e| e.id()).collect(),
        None => index.iter().map(|e| e.id()).filter(|id| !is_room(model, *id)).collect(),
    };
    if let Some(text) = &input.selector {
        let chosen = select_in(call, text)?;
        notes.extend(chosen.notes);
        let chosen: HashSet<Id> = chosen.elements.into_iter().collect();
        ids.retain(|id| chosen.contains(id));
    }
    let asked = ids.len();
    ids.retain(|id| index.get(*id).is_some());
    if asked > 0 && ids.len() < asked && input.categories.is_some() {
        notes
            .push(format!("{} elements without a shape of their own were not looked at.", asked - ids.len()));
    }
    ids.sort_unstable();
    Ok(ids)
}

fn is_room(model: &Model, id: Id) -> bool {
    model.get(id).is_some_and(|i| i.is_a("IfcSpatialElement") || i.is_a("IfcSpatialStructureElement"))
}

/// From where to where a storey goes, in metres; the highest has no end.
fn storey(scene: &geometry::Scene, text: &str) -> Result<(f64, f64), Fault> {
    let model = scene.model();
    let id = building::lookup::storey(model, "level_id", text)?;
    let shaper = geometry::Shaper::plain(model);
    let all = spatial::storey::storeys(&shaper, &ifc::relations::Links::of_many(model));
    let found = all.iter().find(|storey| storey.id == id);
    Ok(found.map_or((0.0, f64::INFINITY), |s| (s.elevation, s.next.unwrap_or(f64::INFINITY))))
}

/// The regions of the call: bounds, storey, room.
fn prisms(
    call: &IfcCall,
    index: &Index,
    input: &Input,
    storey: Option<(f64, f64)>,
) -> Result<Vec<Prism>, Fault> {
    let all = index.bounds();
    if all.is_empty() {
        return Err(Fault::constraint("Nothing in this model has a shape, so that nothing lies anywhere."));
    }
    // a region without an end ends beyond all there is
    let (below, above) = (all.min.z - 1.0, all.max.z + 1.0);
    let zero = storey.map_or(0.0, |(low, _)| low);
    let mut found = Vec::new();
    match &input.bounds {
        Some(Region::Box { min, max }) => {
            let (min, max) =
                (point("bounds.min", min, below - zero)?, point("bounds.max", max, above - zero)?);
            let up = DVec3::Z * zero;
            let bounds = geometry::Bounds { min: min + up, max: max + up };
            let made = if min.cmplt(max).all() { Prism::of_box(&bounds) } else { None };
            let problem = "`bounds.min` has to be lower than `bounds.max` along x, y and z.";
            found.push(made.ok_or_else(|| Fault::invalid("bounds", problem))?);
        }
        Some(Region::Polygon { polygon, base, height }) => {
            let flat: Vec<DVec2> = polygon.iter().map(|p| DVec2::from(*p) / 1000.0).collect();
            let low = base.map_or(below, |base| zero + base / 1000.0);
            let from = if base.is_some() || storey.is_none() { low } else { zero };
            let high = height.map_or(above, |height| from + height / 1000.0);
            if height.is_some() && base.is_none() && storey.is_none() {
                let problem = "`height` counts from `base` or from the storey: give `bounds.base` in mm, or `level_id`.";
                return Err(Fault::invalid("bounds.base", problem));
            }
            let sound = flat.iter().all(|p| p.is_finite());
            let made = if sound { Prism::of_polygon(&flat, from, high) } else { None };
            let problem = "`bounds.polygon` needs three corners or more that enclose an area, and `height` more than 0.";
            found.push(made.ok_or_else(|| Fault::invalid("bounds", problem))?);
        }
        None => {}
    }
    if let (Some((low, high)), false) =
        (storey, matches!(&input.visible_from, Some(view) if view.point.len() == 2))
    {
        let bounds = geometry::Bounds {
            min: all.min.with_z(low) - DVec3::new(1.0, 1.0, 0.0),
            max: all.max.with_z(high.min(above)) + DVec3::new(1.0, 1.0, 0.0),
        };
        let problem = "Nothing in this model reaches as high as this storey.";
        found.push(Prism::of_box(&bounds).ok_or_else(|| Fault::invalid("level_id", problem))?);
    }
    if let Some(text) = &input.room_id {
        let layout = call.layout()?;
        let number = layout.rooms.find("room_id", text)?;
        let made = layout.rooms.rooms.get(number).and_then(Prism::of_room);
        let problem = "This room's body encloses no volume, so that nothing can be in it.";
        found.push(made.ok_or_else(|| Fault::invalid("room_id", problem))?);
    }
    Ok(found)
}

fn positive(field: &str, mm: f64) -> Result<f64, Fault> {
    let problem = || Fault::invalid(field, format!("`{field}` is a length in mm, 0 or more."));
    (mm.is_finite() && mm >= 0.0).then_some(mm / 1000.0).ok_or_else(problem)
}

fn nearby(call: &IfcCall, index: &Index, near: &Near) -> Result<HashMap<Id, f64>, Fault> {
    let reach = positive("near.distance", near.distance)?;
    match &near.to {
        PlaceInput::Point(given) => {
            if given.len() != 3 {
                return Err(Fault::invalid("near.to", "`near.to` is a point in space: [x, y, z] in mm."));
            }
            let found = index.nearest(point("near.to", given, 0.0)?, index.len(), reach);
            Ok(found.into_iter().map(|near| (near.element, near.distance)).collect())
        }
        PlaceInput::Element(text) => {
            let model = call.edit.model();
            let id = element(model, "near.to", text)?;
            let own = body(call, "near.to", index, id)?;
            let found = index.around(&own, reach);
            Ok(found.into_iter().filter(|(other, _)| *other != id).map(|(id, d)| (id, d.metres)).collect())
        }
    }
}

fn along(index: &Index, beam: &Beam) -> Result<HashMap<Id, f64>, Fault> {
    if beam.origin.len() != 3 {
        return Err(Fault::invalid("ray.origin", "`ray.origin` is a point in space: [x, y, z] in mm."));
    }
    let origin = point("ray.origin", &beam.origin, 0.0)?;
    let ray = Ray::new(origin, DVec3::from(beam.direction));
    let ray = ray.ok_or_else(|| Fault::invalid("ray.direction", "`ray.direction` has no length."))?;
    let ray = match beam.reach {
        Some(reach) => ray.up_to(positive("ray.reach", reach)?),
        None => ray,
    };
    let mut found: HashMap<Id, f64> = HashMap::new();
    for hit in index.hits(&ray) {
        found.entry(hit.element).or_insert(hit.distance);
    }
    Ok(found)
}

fn visible(
    model: &Model,
    index: &Index,
    view: &View,
    storey: Option<f64>,
) -> Result<(HashMap<Id, f64>, Seen), Fault> {
    if view.point.len() == 2 && storey.is_none() {
        let problem =
            "`visible_from.point` needs the height of the eye: [x, y, z] in mm, or [x, y] with `level_id`.";
        return Err(Fault::invalid("visible_from.point", problem));
    }
    let eye = point("visible_from.point", &view.point, storey.unwrap_or(0.0) + EYE)?;
    let reach = positive("visible_from.reach", view.reach.unwrap_or(50_000.0))?;
    if !(reach > 0.0 && reach <= 10_000.0) {
        return Err(Fault::invalid(
            "visible_from.reach",
            "`visible_from.reach` is in mm, more than 0, 10 km at most.",
        ));
    }
    let through: HashSet<Id> = match &view.see_through {
        Some(given) => choose(model, "visible_from.see_through", given)?.into_iter().collect(),
        None => HashSet::new(),
    };
    let hides = |id: Id| !is_room(model, id) && !through.contains(&id);
    let seen = isovist(index, eye, reach, hides).ok_or_else(|| {
        let within: Vec<String> = index
            .at_point(eye)
            .into_iter()
            .filter(|id| hides(*id))
            .map(|id| crate::label_of(model, id))
            .collect();
        let problem = format!("`visible_from.point` lies in {}; move it into the open.", within.join(", "));
        Fault::invalid("visible_from.point", problem)
    })?;
    let distances = seen.seen.iter().map(|line| (line.element, line.distance)).collect();
    let outline = seen.outline.iter().map(|p| [mm(p.x), mm(p.y)]).collect();
    Ok((distances, Seen { area: rounded(seen.area), open: rounded(seen.open), outline }))
}

/// Keeps the outer elements that look in a direction.
fn facade(call: &IfcCall, sieve: &mut Sieve, facing: Facing) -> Result<(), Fault> {
    let wanted = serde_json::to_value(facing).unwrap_or_default();
    let model = call.edit.model();
    sieve.keep(|id| model.get(id).is_some_and(|i| FACADE.iter().any(|class| i.is_a(class))));
    let reading = Reading::new(call);
    let field = Field::parse("facing", "facade")?;
    reading.prepare([&field], &sieve.ids);
    sieve.keep(|id| crate::computed_json(&reading, crate::Computed::Facing, id) == wanted);
    Ok(())
}

fn answer(
    model: &Model,
    mut sieve: Sieve,
    start: usize,
    limit: usize,
    view: Option<Seen>,
    notes: Vec<String>,
) -> Output {
    if let Some(distances) = &sieve.distances {
        let of = |id: &Id| distances.get(id).copied().unwrap_or(f64::INFINITY);
        sieve.ids.sort_by(|a, b| of(a).total_cmp(&of(b)).then(a.cmp(b)));
    }
    let mut classes: BTreeMap<String, Group> = BTreeMap::new();
    for id in &sieve.ids {
        let class = model.get(*id).map(|i| i.class_name().to_owned()).unwrap_or_default();
        let group = classes.entry(class.clone()).or_insert(Group { class, count: 0, names: Vec::new() });
        group.count += 1;
        if group.names.len() < NAMES {
            group.names.extend(crate::name_of(model, *id).filter(|name| !group.names.contains(name)));
        }
    }
    let mut groups: Vec<Group> = classes.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    let page: Vec<Id> = sieve.ids.iter().skip(start).take(limit).copied().collect();
    let distances = match &sieve.distances {
        Some(distances) => page.iter().filter_map(|id| distances.get(id)).map(|d| mm(*d)).collect(),
        None => Vec::new(),
    };
    let next = start + page.len();
    Output {
        total: sieve.ids.len(),
        element_ids: page.iter().map(|id| crate::id_of(model, *id)).collect(),
        distances,
        groups,
        view,
        next_cursor: (next < sieve.ids.len() && !page.is_empty()).then(|| next.to_string()),
        notes,
    }
}
