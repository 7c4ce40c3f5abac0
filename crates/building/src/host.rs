//! Hosts of openings: a wall by its axis, a slab by its outline, read from the model whoever wrote it.

use crate::author::Author;
use crate::frame::Frame;
use crate::lookup::label;
use crate::polygon::{bounds, direction};
use crate::solids;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::Id;

/// A wall as its axis sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Wall {
    /// The wall.
    pub id: Id,
    /// The axis in the world: origin at its start on the wall's base, x along it, z up.
    pub frame: Frame,
    /// The frame within the wall's placement.
    pub local: Frame,
    /// Length of the axis in mm.
    pub length: f64,
    /// Height in mm.
    pub height: f64,
    /// The y in mm of its right and of its left face, seen along the axis.
    pub faces: (f64, f64),
    /// Its outline in plan in mm, seen from the axis.
    pub outline: Vec<DVec2>,
    /// True if its body is one whole extrusion, so that it can be written again from these figures.
    pub plain: bool,
}

/// A slab, roof or floor as its outline sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Slab {
    /// The slab.
    pub id: Id,
    /// Its placement in the world.
    pub frame: Frame,
    /// Its outline within the placement, in mm.
    pub outline: Vec<DVec2>,
    /// The height of its underside within the placement, in mm.
    pub base: f64,
    /// Its thickness in mm.
    pub thickness: f64,
    /// True if its body is one whole extrusion.
    pub plain: bool,
}

/// The box that an opening takes up in its host, in mm in the host's frame: lowest and highest corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Lowest x, y, z.
    pub low: DVec3,
    /// Highest x, y, z.
    pub high: DVec3,
}

impl Extent {
    /// Around some points.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(
            points.fold(Self { low: first, high: first }, |e, p| Self {
                low: p.min(e.low),
                high: p.max(e.high),
            }),
        )
    }

    /// Returns true if both take up space in two directions (axes 0 to 2) by more than a tenth of a millimetre.
    pub fn overlaps(&self, other: &Self, directions: [usize; 2]) -> bool {
        directions.iter().all(|i| self.low[*i] < other.high[*i] - 0.1 && other.low[*i] < self.high[*i] - 0.1)
    }

    /// Its size in one direction.
    pub fn size(&self, direction: usize) -> f64 {
        self.high[direction] - self.low[direction]
    }
}

impl Wall {
    /// Reads a wall: its axis from the axis representation, else from its body; its faces from the body.
    pub fn read(author: &Author, id: Id) -> Result<Self, Fault> {
        let mm = author.units().length_mm;
        let placed = author.frame(id)?;
        let unknown = |what: &str| {
            Fault::constraint(format!(
                "The wall {} cannot be worked with by its axis: {what}. Walls with a straight axis and an upright body can.",
                label(author.edit, id)
            ))
            .with("element_id", crate::lookup::guid(author.edit, id))
        };
        if !placed.is_upright() {
            return Err(unknown("it does not stand upright"));
        }
        let prism = solids::prism_of(author.edit, id, mm);
        let corners = solids::corners_of(author.edit, id, mm);
        let body = if let Some(prism) = &prism {
            prism.outline.clone()
        } else {
            let extent = Extent::around(corners.iter().copied()).ok_or_else(|| {
                unknown(match solids::representation(author.edit, id, "Body") {
                    Some(_) => "its body is neither extruded upright nor made of flat faces",
                    None => "it has no body, only data",
                })
            })?;
            let (a, b) = (extent.low.truncate(), extent.high.truncate());
            vec![a, a.with_x(b.x), b, b.with_x(a.x)]
        };
        let (base, height) = match (&prism, Extent::around(corners)) {
            (Some(prism), _) => (prism.base, prism.height),
            (None, Some(extent)) => (extent.low.z, extent.size(2)),
            (None, None) => return Err(unknown("it has no body")),
        };
        let (start, end) = match axis_of(author, id, mm) {
            Axis::Straight(start, end) => (start, end),
            Axis::Curved => return Err(unknown("its axis is not straight")),
            Axis::None => middle_line(&body),
        };
        let along = direction(start, end).ok_or_else(|| unknown("its axis has no length"))?;
        let local = Frame::in_plan(start.extend(base), along);
        let outline: Vec<DVec2> =
            body.iter().map(|p| local.into_own(p.extend(base))).map(DVec3::truncate).collect();
        let (low, high) = bounds(&outline);
        Ok(Self {
            id,
            frame: placed * local,
            local,
            length: start.distance(end),
            height,
            faces: (low.y, high.y),
            outline,
            plain: prism.is_some_and(|p| p.plain),
        })
    }

    /// Its thickness in mm.
    pub fn thickness(&self) -> f64 {
        self.faces.1 - self.faces.0
    }

    /// From where to where along the axis both faces are there, notches between left out of account.
    pub fn reach(&self) -> (f64, f64) {
        let (low, high) = bounds(&self.outline);
        let (mut from, mut to) = (low.x, high.x);
        for y in [self.faces.0, self.faces.1] {
            let on_face: Vec<DVec2> =
                self.outline.iter().filter(|p| (p.y - y).abs() < 0.5).copied().collect();
            let (first, last) = bounds(&on_face);
            // a face of which only one corner is seen is not straight; the box is all there is to go by
            if on_face.len() > 1 {
                from = from.max(first.x);
                to = to.min(last.x);
            }
        }
        (from, to)
    }

    /// A point of the axis in the world.
    pub fn at(&self, along: f64) -> DVec3 {
        self.frame.transform_point3(DVec3::X * along)
    }
}

/// The straight axis of a wall in plan in the world, without a look at its body; `None` where it has none.
pub fn axis_in_plan(author: &Author, id: Id) -> Option<(DVec2, DVec2)> {
    let Axis::Straight(start, end) = axis_of(author, id, author.units().length_mm) else { return None };
    let frame = author.frame(id).ok()?;
    let placed = |p: DVec2| frame.transform_point3(p.extend(0.0)).truncate();
    Some((placed(start), placed(end)))
}

enum Axis {
    Straight(DVec2, DVec2),
    Curved,
    None,
}

fn axis_of(author: &Author, id: Id, mm: f64) -> Axis {
    let Some(axis) = solids::representation(author.edit, id, "Axis") else { return Axis::None };
    let Some(item) = axis.references("Items").first().copied() else { return Axis::None };
    let Some(points) = solids::curve(author.edit, item, mm) else { return Axis::Curved };
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Axis::None };
    let straight = points.iter().all(|p| crate::polygon::distance_to_segment(*p, *first, *last) < 1.0);
    if straight { Axis::Straight(*first, *last) } else { Axis::Curved }
}

/// The middle line of an outline along the longer side of its box.
fn middle_line(outline: &[DVec2]) -> (DVec2, DVec2) {
    let (low, high) = bounds(outline);
    let middle = low.midpoint(high);
    if high.x - low.x >= high.y - low.y {
        (middle.with_x(low.x), middle.with_x(high.x))
    } else {
        (middle.with_y(low.y), middle.with_y(high.y))
    }
}

impl Slab {
    /// Reads a slab: one that lies level, or that leans with its placement.
    pub fn read(author: &Author, id: Id) -> Result<Self, Fault> {
        let mm = author.units().length_mm;
        let frame = author.frame(id)?;
        let lies =
            |solid: &solids::Solid| solid.frame.z_axis.z.abs() > 1.0 - 1e-6 && solid.sweep.z.abs() > 1e-6;
        let solid = solids::solid_of(author.edit, id, mm).filter(lies).ok_or_else(|| {
            Fault::constraint(format!(
                "The body of {} is not one extrusion of a straight-edged outline along its placement, so it cannot be worked with by its outline.",
                label(author.edit, id)
            ))
            .with("element_id", crate::lookup::guid(author.edit, id))
        })?;
        let aside = solid.sweep.truncate() / 2.0;
        let z = solid.frame.translation.z;
        let upright = aside.length() < 1e-6 * solid.sweep.z.abs();
        Ok(Self {
            id,
            frame,
            // where it is not swept straight across, midway between both faces
            outline: solid
                .outline
                .iter()
                .map(|p| solid.frame.transform_point3(p.extend(0.0)).truncate() + aside)
                .collect(),
            base: z.min(z + solid.sweep.z),
            thickness: solid.sweep.z.abs(),
            plain: solid.plain && upright && frame.is_upright(),
        })
    }

    /// The point of the slab's plane that lies above or below a point in plan, in the slab's own coordinates.
    pub fn below(&self, p: DVec2) -> DVec2 {
        let up = self.frame.turn_into_own(DVec3::Z);
        let own = self.frame.into_own(p.extend(self.frame.translation.z));
        let way = if up.z.abs() > 1e-6 { -own.z / up.z } else { 0.0 };
        (own + up * way).truncate()
    }

    /// Its outline in the world.
    pub fn outline_in_world(&self) -> Vec<DVec2> {
        self.outline.iter().map(|p| self.frame.transform_point3(p.extend(0.0))).map(DVec3::truncate).collect()
    }
}

/// The openings of a host, with what each takes up as seen from `frame` (in the world).
pub fn openings(author: &Author, host: Id, frame: &Frame) -> Vec<(Id, Extent)> {
    let mm = author.units().length_mm;
    ifc::relations::openings_of(author.edit, host)
        .into_iter()
        .filter_map(|opening| {
            let placed = author.frame(opening).ok()?;
            let corners = solids::corners_of(author.edit, opening, mm);
            let extent =
                Extent::around(corners.into_iter().map(|p| frame.into_own(placed.transform_point3(p))))?;
            Some((opening, extent))
        })
        .collect()
}

/// The outlines of a slab's openings within its placement: of upright extrusions as they are, of others their box.
pub fn opening_outlines(author: &Author, slab: &Slab) -> Vec<Vec<DVec2>> {
    opening_outlines_but(author, slab, &[])
}

/// The outlines of a slab's openings but some.
pub fn opening_outlines_but(author: &Author, slab: &Slab, but: &[Id]) -> Vec<Vec<DVec2>> {
    let length_mm = author.units().length_mm;
    openings(author, slab.id, &slab.frame)
        .into_iter()
        .filter(|(opening, _)| !but.contains(opening))
        .map(|(opening, extent)| {
            let own = solids::prism_of(author.edit, opening, length_mm).zip(author.frame(opening).ok());
            match own.filter(|(_, placed)| placed.is_upright()) {
                Some((prism, placed)) => prism
                    .outline
                    .iter()
                    .map(|p| slab.frame.into_own(placed.transform_point3(p.extend(prism.base))).truncate())
                    .collect(),
                None => geometry::region::rectangle(extent.low.truncate(), extent.high.truncate()),
            }
        })
        .collect()
}

/// The area in mm² that openings take out of a slab; what two share, or what lies beyond its edge, counts once or not.
pub fn opened_area(author: &Author, slab: &Slab) -> f64 {
    use crate::polygon::area;
    let outlines = opening_outlines(author, slab);
    let each: f64 = outlines.iter().map(|o| area(o)).sum();
    let within = crate::regions::intersection(&outlines, std::slice::from_ref(&slab.outline));
    let whole: f64 =
        within.iter().map(|r| area(&r.outer) - r.holes.iter().map(|h| area(h)).sum::<f64>()).sum();
    // the overlay rounds; openings that neither meet nor leave the slab are measured as they were drawn
    if (each - whole).abs() < 1e-6 * each + 1.0 { each } else { whole }
}
