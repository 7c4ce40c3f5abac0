//! Zones, surfaces, windows and doors as EnergyPlus objects.
//!
//! Corners run counter-clockwise seen from outside and begin at the upper left one. Both surfaces of a pair have the same corners: those
//! of the first face, and the same moved to the second and turned round.

use crate::{
    construction::Constructions,
    divide,
    document::{Document, digits, metres},
    glazing,
    mass::Masses,
    names::Names,
    opening::{Kind, Sub},
    report::{BuildingCounts, Notes, SurfaceReport},
    zoning::Zone,
};
use geometry::{
    math::{signed_area, vector_area},
    region::{self, Area, Loop},
};
use glam::{DVec2, DVec3};
use ifc::placement::unit;
use ifc::{relations::Links, units::Units};
use serde_json::{Value, json};
use spatial::{
    elements::guid,
    facet::{Facet, snapped},
    pairing::{Behind, OPEN, Piece},
};

/// The construction of faces with nothing between.
const AIR_BOUNDARY: &str = "Open between zones";

/// The things that writing needs to know, and those it has made.
pub(crate) struct Writer<'a, 'm> {
    pub zones: &'a [Zone],
    /// The number of the zone of each room.
    pub zone_of: &'a [usize],
    /// The rooms as written.
    pub rooms: Vec<Written>,
    pub masses: Masses,
    pub facets: &'a [Facet],
    pub pieces: &'a [Piece],
    pub subs: &'a [Sub],
    pub links: &'a Links<'m>,
    pub units: &'a Units,
    /// Taken off every coordinate.
    pub origin: DVec3,
    pub document: &'a mut Document,
    pub notes: &'a mut Notes,
    pub names: Names,
    pub surfaces: Vec<SurfaceReport>,
    pub counts: BuildingCounts,
}

/// A room as it is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Written {
    /// Sum of its floors, in m².
    pub floor_area: f64,
    polygons: Vec<Vec<DVec3>>,
}

impl Written {
    /// Volume enclosed, in m³, and whether the polygons close: nothing where they do.
    pub fn enclosed(&self) -> (f64, f64) {
        enclosed(&self.polygons)
    }
}

/// A polygon to be written, with what is in it.
struct Part {
    polygon: Loop,
    subs: Vec<usize>,
}

impl<'a> Writer<'a, '_> {
    /// All surfaces.
    pub fn write(&mut self, constructions: &mut Constructions<'_>) {
        for number in 0..self.pieces.len() {
            let Some(piece) = self.pieces.get(number) else { continue };
            match piece.behind {
                Behind::Piece(other) if number < other => self.pair(number, other, constructions),
                Behind::Piece(_) => {}
                _ => self.single(number, constructions),
            }
        }
    }

    /// A piece in polygons, each window in the one that holds it.
    fn parts(&self, number: usize, convex: bool) -> Vec<Part> {
        let Some(piece) = self.pieces.get(number) else { return Vec::new() };
        let own = || self.subs.iter().enumerate().filter(|(_, s)| s.piece == number);
        let whole: Vec<Loop> = own().map(|(_, s)| s.polygon.clone()).collect();
        let polygons = divide::polygons(&piece.area, convex, &whole);
        let mut parts: Vec<Part> =
            polygons.iter().filter_map(|p| Some(Part { polygon: cleaned(p)?, subs: Vec::new() })).collect();
        for (i, sub) in own() {
            let shared = |part: &Part| -> f64 {
                let polygon = std::slice::from_ref(&part.polygon);
                region::intersection(polygon, std::slice::from_ref(&sub.polygon)).iter().map(Area::size).sum()
            };
            let best =
                parts.iter().enumerate().map(|(n, p)| (n, shared(p))).max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((n, _)) = best
                && let Some(part) = parts.get_mut(n)
            {
                part.subs.push(i);
            }
        }
        parts
    }

    fn single(&mut self, number: usize, constructions: &mut Constructions<'_>) {
        let Some(piece) = self.pieces.get(number) else { return };
        let Some((facet, _, zone)) = self.place_of(piece) else { return };
        let kind = kind(facet.normal(), piece.behind == Behind::Outdoors);
        let construction =
            constructions.behind_face(&piece.crossed, facet.normal(), kind, self.document, self.notes);
        let (boundary, sun, wind) = match piece.behind {
            Behind::Outdoors => ("Outdoors", "SunExposed", "WindExposed"),
            Behind::Ground => ("Ground", "NoSun", "NoWind"),
            _ => ("Adiabatic", "NoSun", "NoWind"),
        };
        for part in self.parts(number, piece.behind == Behind::Outdoors) {
            let corners = corners(facet, &part.polygon);
            let name = self.names.unique(&format!("{} {kind}", zone.name));
            self.document.put(
                "BuildingSurface:Detailed",
                &name,
                json!({
                    "surface_type": kind, "construction_name": construction, "zone_name": zone.name,
                    "outside_boundary_condition": boundary, "sun_exposure": sun, "wind_exposure": wind,
                    "vertices": self.vertices(&corners),
                }),
            );
            self.count(boundary);
            self.keep(facet.room, kind, &corners);
            self.report(&name, (&zone.name, kind, boundary, &construction), &corners, piece);
            for sub in part.subs {
                self.fenestration(sub, facet, &name, None);
            }
        }
    }

    fn pair(&mut self, number: usize, other: usize, constructions: &mut Constructions<'_>) {
        let (Some(piece), Some(back)) = (self.pieces.get(number), self.pieces.get(other)) else { return };
        let (Some((facet, number_of, zone)), Some((far, far_number, far_zone))) =
            (self.place_of(piece), self.place_of(back))
        else {
            return;
        };
        let is_within = number_of == far_number;
        let normal = facet.normal();
        let (kind, far_kind) = (kind(normal, false), kind(far.normal(), false));
        let apart = (far.plane.translation - facet.plane.translation).dot(normal);
        let is_filled = self.subs.iter().any(|s| s.piece == number);
        let is_open = piece.crossed.is_empty() && apart < OPEN && !is_filled;
        let (construction, reverse) = if is_open {
            if !is_within && !self.document.has("Construction:AirBoundary", AIR_BOUNDARY) {
                self.document.put(
                    "Construction:AirBoundary",
                    AIR_BOUNDARY,
                    json!({ "air_exchange_method": "SimpleMixing", "simple_mixing_air_changes_per_hour": 0.5 }),
                );
                self.notes.assume(
                    "air exchange between rooms that are open to each other",
                    &zone.name,
                    "0.5 1/h of the lesser room",
                    "EnergyPlus' default of Construction:AirBoundary",
                );
            }
            (AIR_BOUNDARY.to_owned(), AIR_BOUNDARY.to_owned())
        } else {
            (
                constructions.behind_face(&piece.crossed, normal, kind, self.document, self.notes),
                constructions.reversed(&piece.crossed, normal, kind, self.document, self.notes),
            )
        };
        let outline: Vec<Loop> = back.area.loops().cloned().collect();
        for part in self.parts(number, false) {
            let near = corners(facet, &part.polygon);
            // along the normal onto the other plane
            let across = |p: &DVec3| *p + normal * (-far.height(*p) * far.normal().dot(normal).signum());
            let flat: Loop = near.iter().map(|p| far.flat(across(p))).collect();
            let Some((near, flat)) = cleaned_together(near, snapped(&flat, &outline)) else { continue };
            let opposite = flat.iter().rev().map(|p| far.lift(*p)).collect();
            let opposite = from_upper_left(far, opposite);
            self.keep(facet.room, kind, &near);
            self.keep(far.room, far_kind, &opposite);
            if is_within {
                if !is_open {
                    let panes: f64 =
                        part.subs.iter().filter_map(|sub| self.subs.get(*sub)).map(Sub::size).sum();
                    for (construction, corners) in [(&construction, &near), (&reverse, &opposite)] {
                        let size = vector_area(corners).length() - panes;
                        self.masses.add(number_of, construction, size);
                    }
                }
                continue;
            }
            let name = self.names.unique(&format!("{} {kind}", zone.name));
            let far_name = self.names.unique(&format!("{} {far_kind}", far_zone.name));
            for (name, other, zone, kind, construction, corners, piece) in [
                (&name, &far_name, zone, kind, &construction, &near, piece),
                (&far_name, &name, far_zone, far_kind, &reverse, &opposite, back),
            ] {
                self.document.put(
                    "BuildingSurface:Detailed",
                    name,
                    json!({
                        "surface_type": kind, "construction_name": construction, "zone_name": zone.name,
                        "outside_boundary_condition": "Surface", "outside_boundary_condition_object": other,
                        "sun_exposure": "NoSun", "wind_exposure": "NoWind", "vertices": self.vertices(corners),
                    }),
                );
                self.count("Surface");
                self.report(name, (&zone.name, kind, "Surface", construction), corners, piece);
            }
            for sub in part.subs {
                self.fenestration(sub, facet, &name, Some((far, &far_name)));
            }
        }
    }

    /// The face of a piece and the zone it is in.
    fn place_of(&self, piece: &Piece) -> Option<(&'a Facet, usize, &'a Zone)> {
        let facet = self.facets.get(piece.facet)?;
        let number = *self.zone_of.get(facet.room)?;
        Some((facet, number, self.zones.get(number)?))
    }

    /// Keeps what is written of a room.
    fn keep(&mut self, room: usize, kind: &str, corners: &[DVec3]) {
        let Some(room) = self.rooms.get_mut(room) else { return };
        if kind == "Floor" {
            room.floor_area += vector_area(corners).length();
        }
        room.polygons.push(corners.iter().map(|p| (*p - self.origin).map(metres)).collect());
    }

    /// A window or door; between two zones one in each surface.
    fn fenestration(&mut self, number: usize, facet: &Facet, base: &str, far: Option<(&Facet, &str)>) {
        let Some(sub) = self.subs.get(number) else { return };
        let model = self.links.model();
        let guid = guid(model, sub.filling);
        let title = model.get(sub.filling).and_then(|f| f.name()).filter(|n| !n.trim().is_empty());
        let mut polygon = sub.polygon.clone();
        let mut frame_name = None;
        let whole = signed_area(&polygon).abs();
        if sub.kind != Kind::Door && far.is_none() && sub.is_rectangle() {
            let (w, h) = sides(&polygon);
            if let Some(frame) = glazing::frame(self.links, self.units, sub.filling, (w, h), self.notes) {
                polygon = inset(&polygon, frame.width);
                frame_name = Some(self.frame(sub, &frame));
            }
        }
        let construction = self.pane(sub);
        let near = corners(facet, &polygon);
        let mut made =
            vec![(self.names.unique(title.as_deref().unwrap_or(&guid)), base.to_owned(), near.clone())];
        if let Some((far, far_base)) = far {
            let across = |p: &DVec3| {
                *p + facet.normal() * (-far.height(*p) * far.normal().dot(facet.normal()).signum())
            };
            let mut opposite: Vec<DVec3> = near.iter().map(across).collect();
            opposite.reverse();
            let name = self.names.unique(title.as_deref().unwrap_or(&guid));
            made.push((name, far_base.to_owned(), from_upper_left(far, opposite)));
        }
        let names: Vec<String> = made.iter().map(|m| m.0.clone()).collect();
        for (i, (name, base, corners)) in made.iter().enumerate() {
            let mut fields = serde_json::Map::new();
            fields.insert("surface_type".into(), sub.kind.word().into());
            fields.insert("construction_name".into(), construction.as_str().into());
            fields.insert("building_surface_name".into(), base.as_str().into());
            if let Some(other) = names.get(1 - i.min(1)).filter(|_| far.is_some()) {
                fields.insert("outside_boundary_condition_object".into(), other.as_str().into());
            }
            if let Some(frame) = &frame_name {
                fields.insert("frame_and_divider_name".into(), frame.as_str().into());
            }
            fields.insert("number_of_vertices".into(), corners.len().into());
            for (n, p) in corners.iter().enumerate() {
                for (axis, v) in ["x", "y", "z"].iter().zip((*p - self.origin).to_array()) {
                    fields.insert(format!("vertex_{}_{axis}_coordinate", n + 1), json!(metres(v)));
                }
            }
            self.document.put("FenestrationSurface:Detailed", name, Value::Object(fields));
            if sub.kind == Kind::Door {
                self.counts.doors += 1;
            } else {
                self.counts.windows += 1;
            }
            let zone =
                self.surfaces.iter().find(|s| s.surface == *base).map(|s| s.zone.clone()).unwrap_or_default();
            let boundary = if far.is_some() { "Surface" } else { "Outdoors" };
            self.surfaces.push(SurfaceReport {
                surface: name.clone(),
                zone,
                kind: sub.kind.word().to_owned(),
                boundary: boundary.to_owned(),
                area: whole,
                normal: normal_of(corners).to_array(),
                elements: vec![guid.clone()],
                construction: construction.clone(),
            });
        }
    }

    /// The construction of a window or door.
    fn pane(&mut self, sub: &Sub) -> String {
        if sub.kind == Kind::Door {
            let transmittance = glazing::door(self.links, self.units, sub.filling, self.notes);
            let name = format!("Door U {transmittance:.2}");
            let material = format!("{name} leaf");
            let resistance = (1.0 / transmittance - 0.17).max(0.01);
            self.document.put(
                "Material:NoMass",
                &material,
                json!({ "roughness": "MediumSmooth", "thermal_resistance": digits(resistance) }),
            );
            self.document.put("Construction", &name, json!({ "outside_layer": material }));
            return name;
        }
        let glass = glazing::glass(self.links, self.units, sub.filling, self.notes);
        let name =
            format!("Glazing U {:.2} g {:.2} t {:.2}", glass.transmittance, glass.solar, glass.visible);
        let material = format!("{name} pane");
        self.document.put(
            "WindowMaterial:SimpleGlazingSystem",
            &material,
            json!({
                "u_factor": digits(glass.transmittance), "solar_heat_gain_coefficient": digits(glass.solar),
                "visible_transmittance": digits(glass.visible),
            }),
        );
        self.document.put("Construction", &name, json!({ "outside_layer": material }));
        name
    }

    /// The frame object of a window; windows of one kind share it.
    fn frame(&mut self, sub: &Sub, frame: &glazing::Frame) -> String {
        let glass = glazing::glass(self.links, self.units, sub.filling, self.notes);
        let bars = if frame.bar > 0.0 { (frame.upright_bars, frame.level_bars) } else { (0, 0) };
        let name = format!(
            "Frame {:.0} mm U {:.2} bars {}x{} {:.0} mm",
            frame.width * 1000.0,
            glass.transmittance,
            bars.0,
            bars.1,
            frame.bar * 1000.0
        );
        // without the films of air, so that frame and glass let through as much as the whole window is said to
        let conductance = digits((1.0 / (1.0 / glass.transmittance - 0.17).max(0.02)).min(50.0));
        let mut fields = json!({
            "frame_width": metres(frame.width), "frame_conductance": conductance,
            "frame_solar_absorptance": 0.5, "frame_visible_absorptance": 0.5, "frame_thermal_hemispherical_emissivity": 0.9,
        });
        if bars != (0, 0)
            && let Some(fields) = fields.as_object_mut()
        {
            fields.insert("divider_type".into(), "DividedLite".into());
            fields.insert("divider_width".into(), json!(metres(frame.bar)));
            fields.insert("number_of_vertical_dividers".into(), json!(bars.0));
            fields.insert("number_of_horizontal_dividers".into(), json!(bars.1));
            fields.insert("divider_conductance".into(), json!(conductance));
            fields.insert("divider_solar_absorptance".into(), json!(0.5));
            fields.insert("divider_visible_absorptance".into(), json!(0.5));
        }
        self.notes.assume(
            "conductance of frames",
            &guid(self.links.model(), sub.filling),
            &format!("{conductance} W/(m²·K)"),
            "as much as the window as a whole, less the films of air (0.17 m²·K/W, ISO 6946)",
        );
        self.document.put("WindowProperty:FrameAndDivider", &name, fields);
        name
    }

    fn vertices(&self, corners: &[DVec3]) -> Value {
        corners
            .iter()
            .map(|p| {
                let DVec3 { x, y, z } = *p - self.origin;
                json!({ "vertex_x_coordinate": metres(x), "vertex_y_coordinate": metres(y), "vertex_z_coordinate": metres(z) })
            })
            .collect()
    }

    fn count(&mut self, boundary: &str) {
        self.counts.surfaces += 1;
        match boundary {
            "Surface" => self.counts.paired += 1,
            "Outdoors" => self.counts.outdoors += 1,
            "Ground" => self.counts.ground += 1,
            _ => self.counts.adiabatic += 1,
        }
    }

    fn report(
        &mut self,
        name: &str,
        (zone, kind, boundary, construction): (&str, &str, &str, &str),
        corners: &[DVec3],
        piece: &Piece,
    ) {
        let mut elements: Vec<String> =
            piece.crossed.iter().map(|c| guid(self.links.model(), c.element)).collect();
        elements.dedup();
        self.surfaces.push(SurfaceReport {
            surface: name.to_owned(),
            zone: zone.to_owned(),
            kind: kind.to_owned(),
            boundary: boundary.to_owned(),
            area: vector_area(corners).length(),
            normal: normal_of(corners).to_array(),
            elements,
            construction: construction.to_owned(),
        });
    }
}

fn normal_of(corners: &[DVec3]) -> DVec3 {
    unit(vector_area(corners)).unwrap_or(DVec3::Z).map(|v| (v * 1e6).round() / 1e6 + 0.0)
}

/// Returns the EnergyPlus surface type of a face by where it looks: within 60° of level a wall.
fn kind(normal: DVec3, is_outside: bool) -> &'static str {
    if normal.z < -0.5 {
        "Floor"
    } else if normal.z <= 0.5 {
        "Wall"
    } else if is_outside {
        "Roof"
    } else {
        "Ceiling"
    }
}

/// The corners of a polygon in space, counter-clockwise from outside, from the upper left one on.
fn corners(facet: &Facet, polygon: &Loop) -> Vec<DVec3> {
    from_upper_left(facet, polygon.iter().map(|p| facet.lift(*p)).collect())
}

fn from_upper_left(facet: &Facet, mut corners: Vec<DVec3>) -> Vec<DVec3> {
    let rank = |p: &DVec3| {
        let DVec2 { x, y } = facet.flat(*p);
        x - y
    };
    let first =
        corners.iter().enumerate().min_by(|a, b| rank(a.1).total_cmp(&rank(b.1))).map_or(0, |(i, _)| i);
    corners.rotate_left(first);
    corners
}

/// A polygon without corners that EnergyPlus would take off: those nearer than a centimetre to the one before, and those on a line
/// between their neighbours. `None` where no area is left.
fn cleaned(polygon: &Loop) -> Option<Loop> {
    let mut points = polygon.clone();
    let mut i = 0;
    while points.len() > 3 && i < points.len() {
        let n = points.len();
        let (Some(a), Some(b), Some(c)) =
            (points.get((i + n - 1) % n), points.get(i), points.get((i + 1) % n))
        else {
            break;
        };
        let (ab, bc, ac) = (a.distance(*b), b.distance(*c), a.distance(*c));
        let twice = (*b - *a).perp_dot(*c - *a).abs();
        if ab < 0.0105 || twice < 5e-4 * ac.max(1e-9) || (bc < 1e-3 && ac > 0.0) {
            points.remove(i);
            i = 0;
        } else {
            i += 1;
        }
    }
    (signed_area(&points).abs() > 1e-4).then_some(points)
}

/// Both sides of a pair without the corners that EnergyPlus would take off one of them, so that they keep as many.
fn cleaned_together(mut near: Vec<DVec3>, mut far: Loop) -> Option<(Vec<DVec3>, Loop)> {
    let mut i = 0;
    while near.len() > 3 && i < far.len() {
        let n = far.len();
        let (Some(a), Some(b), Some(c)) = (far.get((i + n - 1) % n), far.get(i), far.get((i + 1) % n)) else {
            break;
        };
        let (ab, ac) = (a.distance(*b), a.distance(*c));
        let twice = (*b - *a).perp_dot(*c - *a).abs();
        if ab < 0.0105 || twice < 5e-4 * ac.max(1e-9) {
            far.remove(i);
            near.remove(i);
            i = 0;
        } else {
            i += 1;
        }
    }
    (vector_area(&near).length() > 1e-4 && signed_area(&far).abs() > 1e-4).then_some((near, far))
}

/// Width and height of a rectangle.
fn sides(rectangle: &Loop) -> (f64, f64) {
    let [a, b, c, ..] = *rectangle.as_slice() else { return (0.0, 0.0) };
    (a.distance(b), b.distance(c))
}

/// A rectangle with all sides moved inward.
fn inset(rectangle: &Loop, by: f64) -> Loop {
    let (w, h) = sides(rectangle);
    let [a, b, c, d] = *rectangle.as_slice() else { return rectangle.clone() };
    let (u, v) = ((b - a) / w * by, (c - b) / h * by);
    vec![a + u + v, b - u + v, c - u - v, d + u - v]
}

/// Volume enclosed and whether the surfaces close, by their vector areas: of the corners as written.
fn enclosed(polygons: &[Vec<DVec3>]) -> (f64, f64) {
    let Some(origin) = polygons.first().and_then(|p| p.first()).copied() else { return (0.0, 1.0) };
    let (mut volume, mut sum, mut surface) = (0.0, DVec3::ZERO, 0.0);
    for polygon in polygons {
        let Some(first) = polygon.first() else { continue };
        let area = vector_area(polygon);
        volume += (*first - origin).dot(area) / 3.0;
        sum += area;
        surface += area.length();
    }
    (volume, if surface > 0.0 { sum.length() / surface } else { 1.0 })
}
