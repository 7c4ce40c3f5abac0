//! Rooms of several storeys around one stair: its room keeps its place on each of them, a hallway leads on from it, and the wishes of
//! every storey are looked for in what is left beside it.

use super::layout::{Ground, Plot};
use super::search::{self, Core};
use super::wishes::{Unmet, Use, Wishes};
use super::{Inside, NewRoom, NewRooms, RoomsAnswer, furnish, vacant, wished};
use crate::author::Author;
use crate::lookup::label;
use crate::measures::{mm, name, positive, square_metres};
use crate::polygon::{area, bounds, direction, edges};
use crate::regions;
use crate::stairs::layout::{Layout, Shape, Turn};
use crate::stairs::railing::{self, Infill, Sides, Style};
use crate::stairs::{self, NewStair, Site, StairAnswer};
use contract::Fault;
use glam::DVec2;
use ifc::Id;
use schemars::JsonSchema;
use serde::Serialize;

/// The floor before the lowest and the highest riser, in mm: a door beside it has room.
const FRONT: f64 = 1_300.0;
/// How far the stair's room may go on in its corner to a slanted wall, in mm.
const BEYOND: f64 = 1_500.0;
/// The places for the stair that layouts are looked for around.
const PLACES: usize = 8;
/// A layout that falls no farther short misses no wish.
const MET: f64 = 20.0;

/// The stair that leads through all storeys.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewCore {
    /// Name of its room on every storey.
    pub name: Option<String>,
    /// Width of its flights in mm.
    pub width: Option<f64>,
    /// Its shape, of which there are straight, l and u; chosen where left out.
    pub shape: Option<Shape>,
}

/// The rooms of several storeys, from below.
#[derive(Debug, Clone, PartialEq)]
pub struct Storeys {
    /// The rooms of each.
    pub storeys: Vec<NewRooms>,
    /// The stair.
    pub stair: NewCore,
}

/// The rooms of a further storey as made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StoreyAnswer {
    /// Name of the storey.
    pub level: String,
    /// Its rooms, partitions and doors.
    #[serde(flatten)]
    pub made: RoomsAnswer,
}

/// The rooms of one or several storeys as made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StoreysAnswer {
    /// Those of the storey asked for, or of several the lowest.
    #[serde(flatten)]
    pub lowest: RoomsAnswer,
    /// Those of the storeys above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub storeys: Vec<StoreyAnswer>,
    /// The stair through them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stair: Option<StairAnswer>,
}

/// A storey while its rooms are looked for.
struct Storey {
    new: NewRooms,
    wishes: Wishes,
    inside: Inside,
    areas: Vec<f64>,
    field: String,
}

/// A stair as it lies in its room: seen from its lowest riser, x up its first flight.
#[derive(Debug, Clone, Copy)]
struct Plan {
    shape: Shape,
    turn: Turn,
    /// The ground that it takes up, as large as it is on any storey.
    low: DVec2,
    high: DVec2,
}

impl Plan {
    fn draw(
        wishes: &stairs::Wishes,
        climbed: &[(Option<Id>, f64)],
        (shape, turn): (Shape, Turn),
    ) -> Result<Self, Fault> {
        let mut tread = None;
        let mut corners = Vec::new();
        for (_, height) in climbed {
            let mut sized = wishes.sized(shape, turn, *height)?;
            sized.measures.tread = *tread.get_or_insert(sized.measures.tread);
            let (low, high) = Layout::draw(&sized.measures, None).bounds();
            corners.extend([low.with_x(0.0), high]);
        }
        let (low, high) = bounds(&corners);
        Ok(Self { shape, turn, low, high })
    }

    /// The way on from its last riser, where `up` leads up its first flight.
    fn onward(&self, up: DVec2) -> DVec2 {
        match (self.shape, self.turn) {
            (Shape::Straight, _) => up,
            (Shape::L, Turn::Left) => up.perp(),
            (Shape::L, Turn::Right) => -up.perp(),
            _ => -up,
        }
    }

    /// Length and width of its room: there is floor before the lowest and beyond the last riser.
    fn room(&self) -> DVec2 {
        let beyond = match self.shape {
            Shape::Straight => DVec2::X * FRONT,
            Shape::L => DVec2::Y * FRONT,
            _ => DVec2::ZERO,
        };
        self.high - self.low + DVec2::X * FRONT + beyond
    }

    /// The place of its lowest riser in a room whose corners are told in its own directions: at the far side, against one wall.
    fn start(&self, near: DVec2, far: DVec2) -> DVec2 {
        let beyond = if self.shape == Shape::Straight { FRONT } else { 0.0 };
        let is_turned = self.shape == Shape::L && self.turn == Turn::Right;
        let y = if is_turned { far.y - self.high.y } else { near.y - self.low.y };
        DVec2::new(far.x - beyond - self.high.x, y)
    }
}

/// A place for the room with the stair, as the ground sees it.
#[derive(Debug, Clone, PartialEq)]
struct Place {
    low: DVec2,
    high: DVec2,
    /// The same with what may lie beyond it in its corner.
    wide: (DVec2, DVec2),
    /// The way from the stair to the floor before its lowest riser.
    way: DVec2,
}

impl Place {
    /// The least that it is.
    fn outline(&self) -> Vec<DVec2> {
        geometry::region::rectangle(self.low, self.high)
    }

    /// The room in a storey of this outline: it goes on to a slanted wall in its corner.
    fn within(&self, outline: &[DVec2]) -> Vec<DVec2> {
        largest(regions::intersection(
            &[geometry::region::rectangle(self.wide.0, self.wide.1)],
            &[outline.to_vec()],
        ))
    }

    /// The part of it on one side of the stair, where one steps on or off.
    fn front(&self, outline: &[DVec2], depth: f64, way: DVec2) -> Vec<DVec2> {
        let (mut low, mut high) = self.wide;
        for axis in 0..2 {
            if way[axis] > 0.5 {
                low[axis] = self.high[axis] - depth;
            } else if way[axis] < -0.5 {
                high[axis] = self.low[axis] + depth;
            }
        }
        largest(regions::intersection(&[geometry::region::rectangle(low, high)], &[self.within(outline)]))
    }
}

/// The outline of the largest of several regions.
fn largest(regions: Vec<regions::Region>) -> Vec<DVec2> {
    let largest = regions.into_iter().max_by(|a, b| area(&a.outer).total_cmp(&area(&b.outer)));
    largest.map(|region| region.outer).unwrap_or_default()
}

/// Makes the rooms of all storeys and the stair.
pub fn create_all(author: &mut Author, asked: Storeys) -> Result<StoreysAnswer, Fault> {
    let (lowest, highest) = match &asked.storeys[..] {
        [lowest, .., highest] => (lowest.storey, highest.storey),
        _ => {
            return Err(Fault::invalid(
                "storeys",
                "`storeys` lists the storeys above `level_id`, at least one.",
            ));
        }
    };
    let climbed = stairs::climb(author, lowest, Some(highest), None)
        .map_err(|fault| fault.with("field", format!("storeys[{}].level_id", asked.storeys.len() - 2)))?;
    in_order(author, &asked.storeys, &climbed)?;
    let text = match &asked.stair.name {
        Some(text) => name("stair.name", text)?,
        None => "Stair".to_owned(),
    };
    let mut storeys = Vec::with_capacity(asked.storeys.len());
    for (i, new) in asked.storeys.into_iter().enumerate() {
        let field = if i == 0 { String::new() } else { format!("storeys[{}].", i - 1) };
        storeys.push(Storey::read(author, new, field, &text)?);
    }
    let wishes = stairs::Wishes { width: asked.stair.width, ..stairs::Wishes::default() };
    wishes.check().map_err(|fault| fault.with("field", "stair.width"))?;
    let partition = storeys.iter().map(|storey| storey.new.partition).fold(0.0, f64::max);
    let (plan, found) = suited(author, &storeys, asked.stair.shape, &wishes, &climbed, partition)?;
    let mut made = Vec::with_capacity(storeys.len());
    let mut stands: Option<Vec<DVec2>> = None;
    for ((storey, plots), front) in storeys.iter().zip(found.plots).zip(&found.fronts) {
        let one = storey.make(author, plots, front)?;
        let room = one.rooms.iter().find(|room| room.name == text).map(|room| &room.boundary_points);
        let room: Vec<DVec2> = room.into_iter().flatten().map(|p| DVec2::from(*p)).collect();
        stands = Some(match stands {
            None => room,
            Some(known) => regions::intersection(&[known], &[room])
                .into_iter()
                .next()
                .map(|region| region.outer)
                .unwrap_or_default(),
        });
        made.push(StoreyAnswer { level: label(author.edit, storey.new.storey), made: one });
    }
    let stands = stands.unwrap_or_default();
    let site = site(&found.ground, &stands, found.way, (&found.whole, partition), &plan);
    let style = Style { height: 900.0, infill: Infill::Balusters, material: None };
    author.assume("railings 900 mm high, balusters");
    // the walls of its room are on its other side
    let inner = if plan.turn == Turn::Right { Sides::Right } else { Sides::Left };
    let stair = NewStair {
        storey: lowest,
        to: climbed,
        site,
        shape: Some(plan.shape),
        turn: Some(plan.turn),
        wishes,
        cut: true,
        railings: Some((inner, style.clone())),
        material: None,
        name: None,
    };
    let mut stair = stairs::create(author, &stair)?;
    let highest = stair.further.last().unwrap_or(&stair).openings.clone();
    let mut guards = Vec::new();
    for opening in highest.iter().filter_map(|cut| author.edit.by_guid(&cut.opening_id)).collect::<Vec<_>>() {
        let around = railing::around(author, opening, &stands, &style)?;
        guards.extend(around.into_iter().map(|railing| railing.railing_id));
    }
    stair.further.last_mut().map_or(&mut stair.railings, |last| &mut last.railings).extend(guards);
    let mut made = made.into_iter();
    let lowest = made.next().ok_or_else(|| Fault::backend("No storey was made."))?.made;
    Ok(StoreysAnswer { lowest, storeys: made.collect(), stair: Some(stair) })
}

/// Refuses storeys that do not follow each other.
fn in_order(author: &Author, storeys: &[NewRooms], climbed: &[(Option<Id>, f64)]) -> Result<(), Fault> {
    for (i, (storey, (upper, _))) in storeys.iter().skip(1).zip(climbed).enumerate() {
        let Some(upper) = upper.filter(|upper| *upper != storey.storey) else { continue };
        return Err(Fault::invalid(
            &format!("storeys[{i}].level_id"),
            format!(
                "The stair comes to {} next, not to {}; name the storeys in their order, without a gap.",
                label(author.edit, upper),
                label(author.edit, storey.storey)
            ),
        ));
    }
    if storeys.len() != climbed.len() + 1 {
        let missing = climbed.get(storeys.len() - 1).and_then(|(upper, _)| *upper);
        let missing = missing.map(|upper| label(author.edit, upper)).unwrap_or_default();
        return Err(Fault::invalid(
            "storeys",
            format!("The storey {missing} is missing between those named."),
        ));
    }
    Ok(())
}

impl Storey {
    fn read(author: &Author, mut new: NewRooms, field: String, text: &str) -> Result<Self, Fault> {
        positive("partition_thickness", new.partition)?;
        let at = |rest: String| format!("{field}{rest}");
        let placed = |fault: Fault| {
            let own = fault.data.get("field").and_then(|f| f.as_str()).unwrap_or("rooms").to_owned();
            fault.with("field", at(own))
        };
        if new.rooms.is_empty() || new.rooms.len() >= search::MOST {
            return Err(Fault::invalid(
                &at("rooms".to_owned()),
                format!("A storey around a stair takes 1 to {} rooms.", search::MOST - 1),
            ));
        }
        for (i, room) in new.rooms.iter().enumerate() {
            name(&at(format!("rooms[{i}].name")), &room.name)?;
            if room.name.trim().eq_ignore_ascii_case(text) {
                let message = format!(
                    "{text} is the name of the stair's room; give the room another, or `stair.name`."
                );
                return Err(Fault::invalid(&at(format!("rooms[{i}].name")), message));
            }
            if room.boundary.is_some() || room.area.is_none() {
                return Err(Fault::invalid(
                    &at(format!("rooms[{i}]")),
                    "Rooms of several storeys are laid out around the stair by `area` in m²; boundaries go with one storey.",
                ));
            }
            if let Some(area) = room.area {
                positive(&at(format!("rooms[{i}].area")), area)?;
            }
        }
        // the stair's own room is the last, and may be named in `connect`
        let count = new.rooms.len();
        new.rooms.push(NewRoom {
            name: text.to_owned(),
            usage: Some("Stairs".to_owned()),
            ..NewRoom::default()
        });
        new.doors = true;
        let mut wishes = wished(&new).map_err(placed)?;
        wishes.entrance = Some(count);
        if let Some(core) = wishes.rooms.get_mut(count) {
            core.used = Use::Hall;
            core.wet = false;
        }
        // hallways have a door to the stair
        for i in 0..count {
            let is_hall = wishes.rooms.get(i).is_some_and(|wish| wish.used == Use::Hall);
            let is_known = wishes.connect.iter().any(|pair| *pair == [i, count] || *pair == [count, i]);
            let is_only = wishes.rooms.iter().take(count).filter(|wish| wish.used == Use::Hall).count() == 1;
            if is_hall && is_only && !is_known {
                wishes.connect.push([i, count]);
            }
        }
        let inside = Inside::of_storey(author, new.storey).map_err(|fault| {
            let text = if field.is_empty() { "level_id".to_owned() } else { at("level_id".to_owned()) };
            fault.with("field", text)
        })?;
        vacant(author, new.storey, &[Plot { room: None, outline: inside.largest().to_vec() }])?;
        let areas = new.rooms.iter().take(count).map(|room| room.area.unwrap_or_default() * 1e6).collect();
        Ok(Self { new, wishes, inside, areas, field })
    }

    /// The number of the stair's room.
    fn core(&self) -> usize {
        self.areas.len()
    }

    /// Makes its rooms.
    fn make(&self, author: &mut Author, mut plots: Vec<Plot>, front: &[DVec2]) -> Result<RoomsAnswer, Fault> {
        plots.sort_by_key(|plot| plot.room.unwrap_or(usize::MAX));
        let front = Plot { room: Some(self.core()), outline: front.to_vec() };
        let mut made = furnish(author, &self.new, &self.wishes, &self.inside, &plots, Some(&front))?;
        let is_hall = |text: &str| {
            plots.iter().any(|plot| {
                self.wishes.used(plot) == Use::Hall
                    && plot.room != Some(self.core())
                    && self.wishes.name(plot) == text
            })
        };
        let stair = self.wishes.name(&front);
        let has_hall = plots.iter().any(|plot| is_hall(&self.wishes.name(plot)));
        let is_reached = made.doors.iter().any(|door| {
            let [a, b] = &door.rooms;
            (*a == stair && is_hall(b)) || (*b == stair && is_hall(a))
        });
        if has_hall && !is_reached {
            let say = format!("No hallway has room for a door to {stair}; other rooms lead there.");
            made.unmet.push(Unmet { wish: "hallway", rooms: vec![stair], say });
        }
        Ok(made)
    }
}

/// Looks for the stair around which the wishes of all storeys are met, or missed the least: a u, which begins and ends in the same
/// place on every storey, and between two storeys a straight or an l where a u does not do.
fn suited(
    author: &Author,
    storeys: &[Storey],
    shape: Option<Shape>,
    wishes: &stairs::Wishes,
    climbed: &[(Option<Id>, f64)],
    partition: f64,
) -> Result<(Plan, Found), Fault> {
    let is_one = climbed.len() == 1;
    if let Some(shape) = shape
        && (matches!(shape, Shape::Winder | Shape::Spiral) || shape != Shape::U && !is_one)
    {
        return Err(Fault::invalid(
            "stair.shape",
            format!(
                "The stair is {}; `stair.shape` is u, or between two storeys straight or l: they end elsewhere than they begin.",
                shape.word()
            ),
        ));
    }
    let kinds = [
        (Shape::U, Turn::Left),
        (Shape::Straight, Turn::Left),
        (Shape::L, Turn::Left),
        (Shape::L, Turn::Right),
    ];
    let is_wanted =
        |kind: &(Shape, Turn)| shape.map_or(is_one || kind.0 == Shape::U, |shape| shape == kind.0);
    let mut best: Option<(f64, Plan, Found)> = None;
    let mut refused = None;
    for kind in kinds.into_iter().filter(is_wanted) {
        let found = Plan::draw(wishes, climbed, kind)
            .and_then(|plan| laid_out(author, storeys, &plan, partition).map(|found| (plan, found)));
        match found {
            Ok((plan, (badness, found))) => {
                if best.as_ref().is_none_or(|(known, ..)| badness < *known) {
                    best = Some((badness, plan, found));
                }
                if badness < MET * storeys.len() as f64 {
                    break;
                }
            }
            Err(fault) => refused = refused.or(Some(fault)),
        }
    }
    match (best, refused) {
        (Some((_, plan, found)), _) => Ok((plan, found)),
        (None, Some(fault)) => Err(fault),
        (None, None) => Err(Fault::backend("No stair was tried.")),
    }
}

/// The layouts that were found.
struct Found {
    ground: Ground,
    way: DVec2,
    /// The least outline of the stair's room.
    whole: Vec<DVec2>,
    /// By storey, where one steps onto the stair.
    fronts: Vec<Vec<DVec2>>,
    plots: Vec<Vec<Plot>>,
}

/// Looks for a place of the stair around which the wishes of all storeys are met, or missed the least.
fn laid_out(author: &Author, storeys: &[Storey], plan: &Plan, partition: f64) -> Result<(f64, Found), Fault> {
    let size = plan.room() + DVec2::splat(partition);
    let outline = storeys.first().map(|storey| storey.inside.largest()).unwrap_or_default();
    let ground = Ground::new(outline)?;
    let outlines: Vec<Vec<DVec2>> =
        storeys.iter().map(|storey| ground.own(storey.inside.largest())).collect();
    let places = places(&outlines, size);
    if places.is_empty() {
        return Err(Fault::constraint(format!(
            "The stair's room takes {} by {} mm, which fit into no corner of all storeys. A narrower `stair.width` or larger storeys would do.",
            mm(size.x.ceil()),
            mm(size.y.ceil())
        ))
        .with("field", "stair")
        .with("needed", size.to_array().map(|side| mm(side.ceil()))));
    }
    let mut best: Option<(f64, Found)> = None;
    let mut refused = None;
    for place in places.into_iter().take(PLACES) {
        match around(author, storeys, &ground, &outlines, (plan, &place), FRONT + partition / 2.0) {
            Ok((badness, found)) => {
                let is_met = badness < MET * storeys.len() as f64;
                if best.as_ref().is_none_or(|(known, _)| badness < *known) {
                    best = Some((badness, found));
                }
                if is_met {
                    break;
                }
            }
            Err(fault) => refused = refused.or(Some(fault)),
        }
    }
    match (best, refused) {
        (Some(found), _) => Ok(found),
        (None, Some(fault)) => Err(fault),
        (None, None) => {
            Err(Fault::constraint("The rooms have no place around a stair.").with("field", "rooms"))
        }
    }
}

fn around(
    author: &Author,
    storeys: &[Storey],
    ground: &Ground,
    outlines: &[Vec<DVec2>],
    (plan, place): (&Plan, &Place),
    depth: f64,
) -> Result<(f64, Found), Fault> {
    let whole = ground.world(&place.outline());
    let mut fronts = Vec::with_capacity(storeys.len());
    let mut total = 0.0;
    let mut plots = Vec::with_capacity(storeys.len());
    for (i, (storey, outline)) in storeys.iter().zip(outlines).enumerate() {
        let room = place.within(outline);
        let way = if i == 0 { place.way } else { plan.onward(-place.way) };
        let front = ground.world(&place.front(outline, depth, way));
        let rest = largest(regions::difference(std::slice::from_ref(outline), std::slice::from_ref(&room)));
        let asked: f64 = storey.areas.iter().sum();
        if asked > area(&rest) * 1.02 {
            return Err(Fault::constraint(format!(
                "The rooms of {} ask for {} m² together, but only {} m² lie beside the stair. Ask for less or make the storey larger.",
                label(author.edit, storey.new.storey),
                square_metres(asked),
                square_metres(area(&rest))
            ))
            .with("field", format!("{}rooms", storey.field))
            .with("inside_m2", square_metres(area(&rest))));
        }
        let rest = ground.beside(&ground.world(&rest));
        let core = Core {
            front: Plot { room: Some(storey.core()), outline: front.clone() },
            outline: whole.clone(),
            whole: storey.inside.largest(),
        };
        let (badness, mut found) =
            search::around(&rest, &storey.areas, &storey.wishes, storey.new.corridor, Some(&core))?;
        total += badness;
        found.push(Plot { room: Some(storey.core()), outline: ground.world(&room) });
        plots.push(found);
        fronts.push(front);
    }
    // points are rounded, so the way is told by a far one
    let world = ground.world(&[DVec2::ZERO, place.way * 1e9]);
    let way = world.first().zip(world.last()).and_then(|(a, b)| direction(*a, *b)).unwrap_or(DVec2::X);
    let ground = ground.beside(&ground.world(&ground.outline));
    Ok((total, Found { ground, way, whole, fronts, plots }))
}

/// The corners in which the stair's room has a place on all storeys, with its front to the middle of the storey first.
fn places(outlines: &[Vec<DVec2>], size: DVec2) -> Vec<Place> {
    let Some((first, rest)) = outlines.split_first() else { return Vec::new() };
    let mut common = vec![first.clone()];
    for outline in rest {
        let shared = regions::intersection(&common, std::slice::from_ref(outline));
        common = shared.into_iter().map(|region| region.outer).collect();
    }
    let common: Vec<Vec<DVec2>> = common.iter().map(|outline| regions::counter_clockwise(outline)).collect();
    let mut found: Vec<(u8, Place)> = Vec::new();
    for (p, q) in common.iter().flat_map(|outline| edges(outline)) {
        let Some(along) = direction(p, q).filter(|d| d.x.abs() > 0.999_999 || d.y.abs() > 0.999_999) else {
            continue;
        };
        let inward = along.perp();
        for (corner, onward) in [(p, along), (q, -along)] {
            // the front looks inward, or along the wall
            for (rank, [beside, deep], way) in [
                (0, [size.y, size.x], inward),
                (1, [size.x, size.y], onward),
                (2, [size.x, size.y], -onward),
                (3, [size.y, size.x], -inward),
            ] {
                let far = corner + onward * beside + inward * deep;
                let (low, high) = bounds(&[corner, far]);
                // a wall that leans away from its corner leaves something beyond
                let wide = bounds(&[low, high, corner - (onward + inward) * BEYOND]);
                let place = Place { low, high, wide, way };
                let is_free = outlines.iter().all(|outline| {
                    let beyond = regions::difference(&[place.outline()], std::slice::from_ref(outline));
                    let rest = regions::difference(std::slice::from_ref(outline), &[place.within(outline)]);
                    beyond.iter().map(|region| area(&region.outer)).sum::<f64>() < 1_000.0
                        && rest.len() == 1
                        && rest.iter().all(|region| region.holes.is_empty())
                });
                if is_free && !found.iter().any(|(_, known)| *known == place) {
                    found.push((rank, place));
                }
            }
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, place)| place).collect()
}

/// Where the stair stands in its room: at the far end, against one side. `whole` is the room to the middle of its partitions.
fn site(
    ground: &Ground,
    room: &[DVec2],
    way: DVec2,
    (whole, partition): (&[DVec2], f64),
    plan: &Plan,
) -> Site {
    let up = -way;
    let turned = |points: &[DVec2]| -> Vec<DVec2> {
        points.iter().map(|p| DVec2::new(up.dot(*p), up.perp_dot(*p))).collect()
    };
    let own = turned(room);
    let (near, far) = bounds(&own);
    // close to the walls, unless a slanted one leaves a nook
    let start = plan.start(near, far);
    let taken = geometry::region::rectangle(start + plan.low, start + plan.high);
    let beyond = regions::difference(&[taken], &[own]);
    let start = if beyond.iter().map(|region| area(&region.outer)).sum::<f64>() < 500.0 {
        start
    } else {
        let (near, far) = bounds(&turned(whole));
        let inset = DVec2::splat(partition / 2.0);
        plan.start(near + inset, far - inset)
    };
    let degrees = up.to_angle().to_degrees();
    // along the ground's sides to the last digit
    let quarter = ((degrees - ground.degrees()) / 90.0).round() * 90.0 + ground.degrees();
    Site::Start(up * start.x + up.perp() * start.y, quarter)
}
