//! Windows made larger or smaller until they are a share of their walls.
//!
//! Each window is scaled about its middle. Where that has no room the windows of a rectangular wall become a band, side by side; their
//! names, constructions and all that hangs on them stay.

use super::Change;
use super::facts::{Facts, is_outdoors};
use super::selector::Selector;
use super::work::Work;
use crate::geometry::{Kind, Surface, polygon};
use crate::idf::Handle;
use contract::{Fault, FaultCode};
use glam::{DVec2, DVec3, dvec2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Windows as a share of outer walls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WindowToWallRatio {
    /// Windows over the whole of each wall, above 0 and at most 0.95.
    pub ratio: f64,
    /// True if walls of zones with a thermostat that have no window get one.
    #[serde(default)]
    pub add: bool,
    /// The part of the model.
    #[serde(default)]
    pub by: Selector,
}

/// Free wall around windows, in m.
const MARGIN: f64 = 0.05;
/// Between windows of a band, in m.
const GAP: f64 = 0.02;

/// The plane of a wall: two directions in it, the second upwards.
struct Plane {
    origin: DVec3,
    along: DVec3,
    up: DVec3,
}

impl Plane {
    fn from_corners(corners: &[DVec3]) -> Option<Self> {
        let normal = polygon::area_vector(corners).try_normalize()?;
        let along = DVec3::Z.cross(normal).try_normalize()?;
        Some(Self { origin: *corners.first()?, along, up: normal.cross(along) })
    }

    fn flat(&self, point: DVec3) -> DVec2 {
        let from = point - self.origin;
        dvec2(from.dot(self.along), from.dot(self.up))
    }

    fn place(&self, point: DVec2) -> DVec3 {
        self.origin + self.along * point.x + self.up * point.y
    }
}

fn bounds(points: &[DVec2]) -> (DVec2, DVec2) {
    points.iter().fold((DVec2::MAX, DVec2::MIN), |(low, high), point| (low.min(*point), high.max(*point)))
}

fn is_within(point: DVec2, outline: &[DVec2]) -> bool {
    let crossings = outline.iter().zip(outline.iter().cycle().skip(1)).filter(|(a, b)| {
        let spans = (a.y > point.y) != (b.y > point.y);
        spans && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
    });
    crossings.count() % 2 == 1
}

/// An opening of a wall in its plane.
struct Opening {
    handle: Handle,
    corners: Vec<DVec3>,
}

impl WindowToWallRatio {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        if !(self.ratio > 0.0 && self.ratio <= 0.95) {
            return Err(Fault::invalid("ratio", "`ratio` is above 0 and at most 0.95."));
        }
        let mut by_wall: HashMap<String, Vec<&Surface>> = HashMap::new();
        for own in &facts.scene.surfaces {
            if let Some(host) = own.within.as_ref().filter(|_| own.mirror_of.is_none()) {
                by_wall.entry(host.to_lowercase()).or_default().push(own);
            }
        }
        let walls = facts.scene.surfaces.iter().filter(|own| {
            own.kind == Kind::Wall && own.within.is_none() && own.mirror_of.is_none() && is_outdoors(own)
        });
        let usual = usual_construction(facts);
        let (mut walls_changed, mut gross, mut before, mut after, mut bare) = (0, 0.0, 0.0, 0.0, 0);
        let mut any = false;
        for wall in walls.filter(|own| self.by.has_surface(own)) {
            any = true;
            let openings = by_wall.get(&wall.name.to_lowercase()).map(Vec::as_slice).unwrap_or_default();
            let windows: Vec<&Surface> =
                openings.iter().copied().filter(|own| own.kind == Kind::Window).collect();
            let area: f64 = windows.iter().map(|own| own.area()).sum();
            let is_controlled = facts
                .zone(&wall.zone)
                .and_then(|at| facts.zones.get(at))
                .is_some_and(|zone| zone.is_controlled);
            if windows.is_empty() && !(self.add && is_controlled) {
                bare += 1;
                continue;
            }
            match self.change(work, wall, openings, &windows, usual.as_deref())? {
                Ok(()) => {
                    walls_changed += 1;
                    gross += wall.area();
                    before += area;
                    after += self.ratio * wall.area();
                }
                Err(why) => work.skip(format!("wall `{}`", wall.name), why),
            }
        }
        if !any {
            return Err(self.by.nothing("wall to outdoors", facts));
        }
        if bare > 0 {
            work.skip(
                format!("{bare} walls"),
                "they have no window; `add` gives those of zones with a thermostat one",
            );
        }
        if walls_changed == 0 {
            let why: Vec<String> =
                work.skipped.iter().take(10).map(|own| format!("{}: {}", own.what, own.why)).collect();
            return Err(Fault::new(
                FaultCode::ConstraintViolation,
                format!("No window is changed. {}.", why.join("; ")),
            ));
        }
        work.assume("ratio", "of each wall by itself", "windows over the whole wall, openings included");
        Ok(Change::new(
            walls_changed,
            format!("windows in {walls_changed} walls of {gross:.0} m²"),
            before / gross,
            after / gross,
            "of the wall",
        ))
    }

    fn change(
        &self,
        work: &mut Work,
        wall: &Surface,
        openings: &[&Surface],
        windows: &[&Surface],
        usual: Option<&str>,
    ) -> Result<Result<(), String>, Fault> {
        let Some(outline) = work.document.object(wall.handle).and_then(polygon::corners) else {
            return Ok(Err("it is not given by corners".to_owned()));
        };
        let Some(plane) =
            Plane::from_corners(&outline).filter(|_| polygon::DETAILED.contains(&wall.object_type.as_str()))
        else {
            return Ok(Err("it is not given by corners".to_owned()));
        };
        let mut all = Vec::new();
        for own in openings {
            let object = work.object(own.handle)?;
            let many = object.number("multiplier").is_some_and(|number| number != 1.0);
            match polygon::corners(object)
                .filter(|_| own.object_type == "FenestrationSurface:Detailed" && !many)
            {
                Some(corners) => all.push((own.kind, Opening { handle: own.handle, corners })),
                None => {
                    return Ok(Err(format!("`{}` is not given by corners, or stands for several", own.name)));
                }
            }
        }
        let flat: Vec<DVec2> = outline.iter().map(|corner| plane.flat(*corner)).collect();
        let area: f64 = windows.iter().map(|own| own.area()).sum();
        let target = self.ratio * wall.area();
        if !(target > 0.0 && target.is_finite()) {
            return Ok(Err("it has no area".to_owned()));
        }
        if area > 0.0
            && let Some(placed) = scaled(&plane, &flat, &all, (target / area).sqrt())
        {
            for (handle, corners) in placed {
                work.set(handle, vertices(&corners))?;
            }
            return Ok(Ok(()));
        }
        if all.iter().any(|own| own.0 == Kind::Door) {
            return Ok(Err("its windows have no room to grow, and it has a door".to_owned()));
        }
        if all.iter().any(|own| own.1.corners.len() != 4) {
            return Ok(Err("its windows have no room to grow, and are not rectangles".to_owned()));
        }
        let middle = all
            .first()
            .map(|own| bounds(&own.1.corners.iter().map(|it| plane.flat(*it)).collect::<Vec<_>>()));
        let middle = middle.map(|(low, high)| f64::midpoint(low.y, high.y));
        let Some(placed) = band(&plane, &flat, all.len().max(1), target, middle) else {
            return Ok(Err("it is no rectangle, or has no room for windows of that size".to_owned()));
        };
        if all.is_empty() {
            let Some(construction) = usual else {
                return Ok(Err("no window of the model has a construction to take".to_owned()));
            };
            let name = work.free_name("FenestrationSurface:Detailed", &format!("{} window", wall.name));
            let mut fields = json!({
                "surface_type": "Window", "construction_name": construction,
                "building_surface_name": wall.name, "number_of_vertices": 4,
            });
            if let (Some(fields), Some(corners)) = (fields.as_object_mut(), placed.first())
                && let Value::Object(own) = vertices(corners)
            {
                fields.extend(own);
            }
            work.add("FenestrationSurface:Detailed", &name, fields)?;
            work.assume("construction of new windows", construction, "that of most window area in the model");
            return Ok(Ok(()));
        }
        for ((_, opening), corners) in all.iter().zip(placed) {
            work.set(opening.handle, vertices(&corners))?;
        }
        work.assume(
            format!("windows of `{}`", wall.name),
            "a band",
            "they had no room to grow where they were",
        );
        Ok(Ok(()))
    }
}

/// The corners of windows scaled about their middles; none where they would leave the wall or meet another opening.
fn scaled(
    plane: &Plane,
    outline: &[DVec2],
    openings: &[(Kind, Opening)],
    factor: f64,
) -> Option<Vec<(Handle, Vec<DVec3>)>> {
    let mut placed = Vec::new();
    let mut spans = Vec::new();
    for (kind, opening) in openings {
        let flat: Vec<DVec2> = opening.corners.iter().map(|corner| plane.flat(*corner)).collect();
        if *kind != Kind::Window {
            spans.push(bounds(&flat));
            continue;
        }
        let middle = flat.iter().sum::<DVec2>() / flat.len() as f64;
        let grown: Vec<DVec2> = flat.iter().map(|corner| middle + (*corner - middle) * factor).collect();
        if factor > 1.0 && !grown.iter().all(|corner| is_within(*corner, outline)) {
            return None;
        }
        spans.push(bounds(&grown));
        placed.push((opening.handle, grown.into_iter().map(|corner| plane.place(corner)).collect()));
    }
    let meets = |at: usize, (low, high): &(DVec2, DVec2)| {
        spans.iter().enumerate().any(|(other, span)| {
            other > at && low.x < span.1.x && span.0.x < high.x && low.y < span.1.y && span.0.y < high.y
        })
    };
    let is_free = factor <= 1.0 || !spans.iter().enumerate().any(|(at, span)| meets(at, span));
    is_free.then_some(placed)
}

/// The corners of windows side by side in a rectangular wall, in the order of its own corners; none where it has no room.
fn band(
    plane: &Plane,
    outline: &[DVec2],
    count: usize,
    target: f64,
    middle: Option<f64>,
) -> Option<Vec<Vec<DVec3>>> {
    let (low, high) = bounds(outline);
    let is_corner = |corner: &DVec2| {
        let near = |value: f64, ends: [f64; 2]| ends.iter().any(|end| (value - end).abs() < 1e-3);
        near(corner.x, [low.x, high.x]) && near(corner.y, [low.y, high.y])
    };
    if outline.len() != 4 || !outline.iter().all(is_corner) {
        return None;
    }
    let mut margin = MARGIN;
    let free = |margin: f64| (high.x - low.x - 2.0 * margin) - GAP * (count - 1) as f64;
    if target > free(margin) * (high.y - low.y - 2.0 * margin) {
        margin = 0.005;
    }
    let width = free(margin) / count as f64;
    let height = target / (width * count as f64);
    let room = high.y - low.y - 2.0 * margin;
    if !(width > 0.0 && height > 0.0 && height <= room) {
        return None;
    }
    let (least, most) = (low.y + margin + height / 2.0, high.y - margin - height / 2.0);
    let middle = middle.unwrap_or(f64::midpoint(low.y, high.y)).clamp(least, most.max(least));
    let mut placed = Vec::new();
    for at in 0..count {
        let from = low.x + margin + at as f64 * (width + GAP);
        let corner = |own: &DVec2| {
            let x = if (own.x - low.x).abs() < 1e-3 { from } else { from + width };
            let y = if (own.y - low.y).abs() < 1e-3 { middle - height / 2.0 } else { middle + height / 2.0 };
            plane.place(dvec2(x, y))
        };
        placed.push(outline.iter().map(corner).collect());
    }
    Some(placed)
}

/// The fields of corners.
fn vertices(corners: &[DVec3]) -> Value {
    let mut fields = Map::new();
    for (at, corner) in corners.iter().enumerate() {
        for (axis, value) in ["x", "y", "z"].into_iter().zip(corner.to_array()) {
            let value = crate::digits::to_decimals(value, 6);
            fields.insert(format!("vertex_{}_{axis}_coordinate", at + 1), json!(value));
        }
    }
    Value::Object(fields)
}

/// The construction of most window area to outdoors.
fn usual_construction(facts: &Facts) -> Option<String> {
    let mut areas: HashMap<&str, f64> = HashMap::new();
    for own in facts.scene.surfaces.iter().filter(|own| own.kind == Kind::Window && facts.is_outer(own)) {
        *areas.entry(own.construction.as_str()).or_default() += own.area();
    }
    let most = areas.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(a.0)));
    most.map(|own| own.0.to_owned())
}
