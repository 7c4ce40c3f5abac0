//! Windows and doors: what fills an opening, as it falls on the inner face of the zone behind.
//!
//! The outline is the opening's, or the filling's own where it fills none; its size is what the file states of the filling (its area,
//! else overall width by height), else the outline's. EnergyPlus takes three or four corners: a round window becomes a rectangle of
//! its area. What does not fit into the face (a sill below the floor's surface, a head above the ceiling) is moved until it does,
//! and only what cannot be moved is cut.

use crate::report::Notes;
use geometry::{
    Shaper, Solid,
    math::signed_area,
    region::{self, Area, Loop, rectangle},
};
use glam::{DVec2, DVec3};
use ifc::{Id, psets, relations::Links, units::Units};
use spatial::{
    elements::guid,
    facet::{Facet, extent, loops_of},
    pairing::{Behind, Piece},
    through::{directions, thinnest, through_host},
};

/// The filling of an opening in the energy model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Window,
    GlassDoor,
    Door,
}

impl Kind {
    /// EnergyPlus' word.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Window => "Window",
            Kind::GlassDoor => "GlassDoor",
            Kind::Door => "Door",
        }
    }
}

/// A window or door in a piece of a face.
#[derive(Debug, Clone)]
pub(crate) struct Sub {
    /// The piece; of a pair the first.
    pub piece: usize,
    /// Three or four corners in the face's plane, frame included.
    pub polygon: Loop,
    pub kind: Kind,
    pub filling: Id,
}

impl Sub {
    /// Its area, in m².
    pub fn size(&self) -> f64 {
        signed_area(&self.polygon).abs()
    }

    /// Returns true if it has four corners at right angles, so that it can have a frame.
    pub fn is_rectangle(&self) -> bool {
        let [a, b, c, d] = *self.polygon.as_slice() else { return false };
        let square = |p: DVec2, q: DVec2, r: DVec2| {
            let (u, v) = (q - p, r - q);
            u.dot(v).abs() < 1e-3 * u.length() * v.length()
        };
        square(a, b, c) && square(b, c, d) && square(c, d, a)
    }
}

/// The most that the ends of an opening may be from the face it opens, in metres.
const NEAR: f64 = 0.15;
/// The share of a face that windows and doors may take: EnergyPlus wants something left of it.
const MOST: f64 = 0.99;

/// All windows and doors of a model that open a face of a zone.
pub(crate) fn subs(
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    facets: &[Facet],
    pieces: &[Piece],
    notes: &mut Notes,
) -> Vec<Sub> {
    let model = shaper.reader.model;
    let units = Units::from_model(model);
    let mut subs = Vec::new();
    let mut fillings = model.of_class("IfcWindow");
    fillings.extend(model.of_class("IfcDoor"));
    for filling in fillings {
        let place = guid(model, filling);
        let Some(opening) = Opening::read(shaper, links, &units, filling) else {
            notes.find(&place, "has neither an opening nor a body, and is left out");
            continue;
        };
        opening.place(facets, pieces, &mut subs, notes);
    }
    shrink(pieces, &mut subs);
    subs
}

struct Opening {
    filling: Id,
    /// Its GlobalId.
    place: String,
    kind: Kind,
    solids: Vec<Solid>,
    through: DVec3,
    /// Overall width and height as stated.
    stated: Option<(f64, f64)>,
    /// Area as stated.
    area: Option<f64>,
}

impl Opening {
    fn read(shaper: &Shaper<'_>, links: &Links<'_>, units: &Units, filling: Id) -> Option<Opening> {
        let model = shaper.reader.model;
        let opening = links.opening_of_filling(filling).filter(|o| links.fillings_of(*o).len() == 1);
        let bodies = opening.and_then(|o| shaper.gross_bodies(o).ok());
        let bodies = bodies.filter(|b| !b.all.is_empty()).or_else(|| shaper.gross_bodies(filling).ok())?;
        let solids: Vec<Solid> = bodies.iter().cloned().collect();
        let host = links.opening_of_filling(filling).and_then(|o| links.host_of_opening(o));
        let instance = model.get(filling)?;
        let placed = instance.reference("ObjectPlacement").and_then(|p| shaper.reader.world(p));
        let through = host.and_then(|h| through_host(&directions(shaper, h), &solids)).or_else(|| {
            let own = shaper
                .gross_bodies(filling)
                .map_or_else(|_| solids.clone(), |b| b.iter().cloned().collect::<Vec<Solid>>());
            placed.map(|f| thinnest(&f, &own))
        })?;
        let length = |name: &str| shaper.reader.length(&instance, name).ok().filter(|v| *v > 0.01);
        let sets = psets::of_with(links, filling);
        let quantities = sets.iter().filter(|s| s.is_quantity).flat_map(|s| &s.properties);
        let mut areas = quantities.filter(|p| p.name == "Area" || p.name == "GrossArea");
        let area = areas.find_map(|p| p.in_si(model, units).filter(|v| v.is_finite() && *v > 0.01));
        let kind = if instance.is_a("IfcWindow") {
            Kind::Window
        } else if crate::glazing::is_glazed_door(links, units, filling) {
            Kind::GlassDoor
        } else {
            Kind::Door
        };
        let stated = length("OverallWidth").zip(length("OverallHeight"));
        Some(Opening { filling, place: guid(model, filling), kind, solids, through, stated, area })
    }

    /// The outline in a face's plane.
    fn outline(&self, facet: &Facet) -> Vec<Area> {
        let seen = self
            .solids
            .iter()
            .flat_map(|s| &s.faces)
            .filter(|f| f.normal().is_some_and(|n| n.dot(facet.normal()) > 0.2));
        let loops: Vec<Loop> = seen
            .filter_map(|f| f.loops.first())
            .map(|l| l.iter().map(|p| facet.flat(*p)).collect())
            .collect();
        region::union(&loops)
    }

    fn place(&self, facets: &[Facet], pieces: &[Piece], subs: &mut Vec<Sub>, notes: &mut Notes) {
        let mut found: Vec<(usize, f64, f64)> = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            let open = match piece.behind {
                Behind::Outdoors => true,
                Behind::Piece(other) => number < other,
                _ => false,
            };
            let Some(facet) = facets.get(piece.facet).filter(|_| open) else { continue };
            if facet.normal().dot(self.through).abs() < 0.98 || !self.reaches(facet) {
                continue;
            }
            let outline = loops_of(&self.outline(facet));
            let loops: Vec<Loop> = piece.area.loops().cloned().collect();
            let shared: f64 = region::intersection(&outline, &loops).iter().map(Area::size).sum();
            let whole: f64 = region::even_odd(&outline).iter().map(Area::size).sum();
            if shared > 0.02 && shared > 0.03 * whole {
                found.push((number, shared, whole));
            }
        }
        // between two zones if it is mostly so, else to the outside
        let is_pair = |n: usize| pieces.get(n).is_some_and(|p| matches!(p.behind, Behind::Piece(_)));
        let paired: f64 = found.iter().filter(|f| is_pair(f.0)).map(|f| f.1).sum();
        let open: f64 = found.iter().filter(|f| !is_pair(f.0)).map(|f| f.1).sum();
        found.retain(|f| is_pair(f.0) == (paired > open));
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        let Some(&(first, shared, whole)) = found.first() else {
            notes.find(
                &self.place,
                "opens no face of a zone to the outside or to another zone, and is left out",
            );
            return;
        };
        let all: f64 = found.iter().map(|f| f.1).sum();
        if shared > 0.7 * all || shared > 0.85 * whole {
            found = vec![(first, shared, whole)];
        }
        let total: f64 = found.iter().map(|f| f.1).sum();
        for (number, shared, _) in found {
            let Some((piece, facet)) = pieces.get(number).and_then(|p| Some((p, facets.get(p.facet)?)))
            else {
                continue;
            };
            self.in_piece(number, piece, facet, shared / total, subs, notes);
        }
    }

    /// Returns true if the body comes near enough to the plane of a face.
    fn reaches(&self, facet: &Facet) -> bool {
        let heights = self.solids.iter().flat_map(Solid::points).map(|p| facet.height(p));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        low - NEAR <= 0.0 && high + NEAR >= 0.0 && high > -0.02
    }

    /// Puts a share of it into a piece.
    fn in_piece(
        &self,
        number: usize,
        piece: &Piece,
        facet: &Facet,
        share: f64,
        subs: &mut Vec<Sub>,
        notes: &mut Notes,
    ) {
        let outline = self.outline(facet);
        let loops: Vec<Loop> = piece.area.loops().cloned().collect();
        let mut push =
            |polygon: Loop| subs.push(Sub { piece: number, polygon, kind: self.kind, filling: self.filling });
        let Some(wanted) = self.polygon(&outline) else { return };
        let wanted = if share > 0.999 {
            wanted
        } else {
            // its part of the outline, as large a share as it is of the whole
            let part = region::intersection(&loops_of(&outline), &loops);
            let Some(part) = part.into_iter().max_by(|a, b| a.size().total_cmp(&b.size())) else { return };
            let size = signed_area(&wanted).abs() * share;
            simple(&part, size)
        };
        let outside = |polygon: &Loop| -> f64 {
            region::difference(std::slice::from_ref(polygon), &loops).iter().map(Area::size).sum()
        };
        let size = signed_area(&wanted).abs();
        let small = 1e-4 * size;
        if outside(&wanted) <= small {
            push(wanted);
            return;
        }
        let moved = moved_into(&wanted, &loops);
        if outside(&moved) <= small {
            push(moved);
            return;
        }
        let mut left: Vec<Loop> = Vec::new();
        for area in region::intersection(std::slice::from_ref(&moved), &loops) {
            if area.holes.is_empty() && area.outer.len() <= 4 {
                left.push(area.outer);
            } else {
                let size = area.size();
                let as_rectangle = simple(&area, size);
                if outside(&as_rectangle) <= small {
                    left.push(as_rectangle);
                } else {
                    left.extend(fan(&area));
                }
            }
        }
        left.retain(|l| signed_area(l) > 0.01);
        let kept: f64 = left.iter().map(|l| signed_area(l)).sum();
        if kept < 0.99 * size {
            notes.find(
                &self.place,
                format!("does not fit into the face it opens: {kept:.2} m² of {size:.2} m² are kept"),
            );
        }
        left.into_iter().for_each(push);
    }

    /// Three or four corners of the right size about the middle of the outline.
    fn polygon(&self, outline: &[Area]) -> Option<Loop> {
        let (low, high) = extent(outline.iter().flat_map(|a| &a.outer))?;
        let (w, h) = (high.x - low.x, high.y - low.y);
        let size: f64 = outline.iter().map(Area::size).sum();
        if w < 0.01 || h < 0.01 || size < 1e-4 {
            return None;
        }
        let is_rectangle = (w * h - size).abs() < 0.02 * size;
        let overall = self.stated.map(|(w, h)| w * h);
        // what is stated must be about this opening
        let near = |v: &f64| (0.5..2.0).contains(&(v / size));
        let target = self.area.filter(near).or(overall.filter(|_| is_rectangle).filter(near)).unwrap_or(size);
        if !is_rectangle {
            let largest = outline.iter().max_by(|a, b| a.size().total_cmp(&b.size()))?;
            return Some(simple(largest, target));
        }
        let (mut w, mut h) = (w, h);
        if let Some((sw, sh)) = self.stated {
            let off = |sw: f64, sh: f64| (sw / w).ln().abs() + (sh / h).ln().abs();
            let (sw, sh) = if off(sw, sh) <= off(sh, sw) { (sw, sh) } else { (sh, sw) };
            // one that does not fit into its opening is not to be trusted
            if off(sw, sh) < 0.8 && sw < 1.05 * w && sh < 1.05 * h {
                (w, h) = (sw, sh);
            }
        }
        let k = (target / (w * h)).sqrt();
        let (w, h) = (w * k / 2.0, h * k / 2.0);
        let (centre, half) = (low.midpoint(high), DVec2::new(w, h));
        Some(rectangle(centre - half, centre + half))
    }
}

/// An area as three or four corners of this size: its own where it has no more, else a rectangle of its proportions.
fn simple(area: &Area, size: f64) -> Loop {
    let own = &area.outer;
    let centre = middle(own);
    if own.len() <= 4 && area.holes.is_empty() {
        let k = (size / area.size()).sqrt();
        return own.iter().map(|p| centre + (*p - centre) * k).collect();
    }
    let Some((low, high)) = extent(own) else { return own.clone() };
    let extent = (high - low).max(DVec2::splat(1e-6));
    let half = extent * ((size / (extent.x * extent.y)).sqrt() / 2.0);
    rectangle(centre - half, centre + half)
}

/// The centroid of a loop.
fn middle(points: &[DVec2]) -> DVec2 {
    let size = signed_area(points);
    let Some(&origin) = points.first().filter(|_| size.abs() > 1e-12) else { return DVec2::ZERO };
    let mut sum = DVec2::ZERO;
    for pair in points.windows(2) {
        let [p, q] = pair else { continue };
        let (a, b) = (*p - origin, *q - origin);
        sum += (a + b) * a.perp_dot(b);
    }
    origin + sum / (6.0 * size)
}

/// A polygon moved by as little as brings it within the extent of these loops.
fn moved_into(polygon: &Loop, loops: &[Loop]) -> Loop {
    let (Some((low, high)), Some((from, to))) = (extent(polygon), extent(loops.iter().flatten())) else {
        return polygon.clone();
    };
    // a millimetre from the edge, so that rounding does not put it outside
    let shift = |i: usize| {
        let (a, b) = (from[i] + 1e-3, to[i] - 1e-3);
        if high[i] - low[i] > b - a {
            0.0
        } else if low[i] < a {
            a - low[i]
        } else if high[i] > b {
            b - high[i]
        } else {
            0.0
        }
    };
    let by = DVec2::new(shift(0), shift(1));
    polygon.iter().map(|p| *p + by).collect()
}

fn fan(area: &Area) -> Vec<Loop> {
    let loops: Vec<Loop> = area.loops().cloned().collect();
    let points: Vec<DVec2> = loops.iter().flatten().copied().collect();
    let corners = region::triangles(&loops);
    let corner = |i: &u32| points.get(*i as usize).copied();
    let made = corners.as_chunks::<3>().0.iter().map(|t| t.iter().filter_map(corner).collect());
    made.map(|l: Loop| Area::new(l, Vec::new()).outer).collect()
}

/// Makes windows and doors smaller where they take all of their face.
fn shrink(pieces: &[Piece], subs: &mut [Sub]) {
    for (number, piece) in pieces.iter().enumerate() {
        let taken: f64 =
            subs.iter().filter(|s| s.piece == number).map(|s| signed_area(&s.polygon).abs()).sum();
        let most = MOST * piece.area.size();
        if taken > most {
            let k = (most / taken).sqrt();
            for sub in subs.iter_mut().filter(|s| s.piece == number) {
                let c = middle(&sub.polygon);
                for p in &mut sub.polygon {
                    *p = DVec2::new(c.x + (p.x - c.x) * k, c.y + (p.y - c.y) * k);
                }
            }
        }
    }
}
