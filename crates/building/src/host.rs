//! Hosts of openings: a wall by its axis, a slab by its outline, read from the model whoever wrote it.

use crate::author::Author;
use crate::bend::Line;
use crate::bent_body;
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
    /// The axis in the world: origin at its start on the wall's base, x along it as it leads there, z up.
    pub frame: Frame,
    /// The frame within the wall's placement.
    pub local: Frame,
    /// Length of the axis in mm.
    pub length: f64,
    /// Height in mm.
    pub height: f64,
    /// The y in mm of its right and of its left face, seen along the axis.
    pub faces: (f64, f64),
    /// Its outline in plan in mm, seen from the axis: how far along it and how far to its left.
    pub outline: Vec<DVec2>,
    /// True if its body is one whole extrusion, so that it can be written again from these figures.
    pub plain: bool,
    /// How much its axis turns left for every mm; 0 where it is straight, as all are that [`Wall::read`] reads.
    pub bend: f64,
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
    /// Reads a wall with a straight axis: that from the axis representation, else from its body; its faces from the body.
    pub fn read(author: &Author, id: Id) -> Result<Self, Fault> {
        let wall = Self::read_any(author, id)?;
        if wall.line().is_bent() { Err(unknown(author, id, "its axis is not straight")) } else { Ok(wall) }
    }

    /// Reads a wall whose axis is straight or an arc.
    pub fn read_any(author: &Author, id: Id) -> Result<Self, Fault> {
        let mm = author.units().length_mm;
        let placed = author.frame(id)?;
        let unknown = |what: &str| unknown(author, id, what);
        if !placed.is_upright() {
            return Err(unknown("it does not stand upright"));
        }
        let axis = axis_of(author, id, mm);
        if let Axis::Bent(line, length) = axis {
            return Self::bent(author, id, placed, line, length)
                .ok_or_else(|| unknown("its axis is an arc and its body no ring along it"));
        }
        let prism = solids::prism_of(author.edit, id, mm);
        let (body, base, height) = if let Some(prism) = &prism {
            (prism.outline.clone(), prism.base, prism.height)
        } else {
            let extent = Extent::around(solids::corners_of(author.edit, id, mm)).ok_or_else(|| {
                unknown(match solids::representation(author.edit, id, "Body") {
                    Some(_) => "its body is neither extruded upright nor made of flat faces",
                    None => "it has no body, only data",
                })
            })?;
            let (a, b) = (extent.low.truncate(), extent.high.truncate());
            (vec![a, a.with_x(b.x), b, b.with_x(a.x)], extent.low.z, extent.size(2))
        };
        let (start, end) = match axis {
            Axis::Straight(start, end) => (start, end),
            Axis::Bent(..) | Axis::Curved => return Err(unknown("its axis is not straight")),
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
            bend: 0.0,
        })
    }

    fn bent(author: &Author, id: Id, placed: Frame, line: Line, length: f64) -> Option<Self> {
        let body = bent_body::body_of(author.edit, id, author.units().length_mm)?;
        let outline: Vec<DVec2> = body.corners.iter().map(|p| line.place(*p, length / 2.0)).collect();
        let (low, high) = bounds(&outline);
        let local = Frame::in_plan(line.from.extend(body.base), line.way);
        let wall = Self {
            id,
            frame: placed * local,
            local,
            length,
            height: body.height,
            faces: (low.y, high.y),
            outline,
            plain: body.plain,
            bend: line.bend,
        };
        // a body that is no ring along the axis has a face beyond its centre
        (high.y - low.y > 0.1 && line.radius(low.y).min(line.radius(high.y)) > 0.5).then_some(wall)
    }

    /// Its axis in the world.
    pub fn line(&self) -> Line {
        Line { from: self.frame.translation.truncate(), way: self.frame.x_axis.truncate(), bend: self.bend }
    }

    /// Its axis within its placement.
    pub fn local_line(&self) -> Line {
        Line { from: self.local.translation.truncate(), way: self.local.x_axis.truncate(), bend: self.bend }
    }

    /// How far along and to the left of its axis a point in plan lies.
    pub fn place(&self, p: DVec2) -> DVec2 {
        self.line().place(p, self.length / 2.0)
    }

    /// The frame in the world on its base, so far along its axis, with x along it.
    pub fn spot(&self, along: f64) -> Frame {
        let line = self.line();
        Frame::in_plan(line.at(along, 0.0).extend(self.frame.translation.z), line.way_at(along))
    }

    /// The same within its placement.
    pub fn local_spot(&self, along: f64) -> Frame {
        let line = self.local_line();
        Frame::in_plan(line.at(along, 0.0).extend(self.local.translation.z), line.way_at(along))
    }

    /// From where to where across it an upright box of this width reaches that goes through both its faces, seen from the axis
    /// in the box's middle.
    pub fn across(&self, width: f64) -> (f64, f64) {
        if !self.line().is_bent() {
            return self.faces;
        }
        let sag = |left: f64| {
            let (radius, half) = (self.line().radius(left), width / 2.0);
            radius - (radius * radius - half * half).max(0.0).sqrt()
        };
        if self.bend > 0.0 {
            (self.faces.0, self.faces.1 + sag(self.faces.1))
        } else {
            (self.faces.0 - sag(self.faces.0), self.faces.1)
        }
    }

    /// By how much more than half its width a box of that width takes up on either side along an axis that is an arc.
    pub fn swell(&self, width: f64) -> f64 {
        let line = self.line();
        if !line.is_bent() {
            return 0.0;
        }
        let inner = line.radius(self.faces.0).min(line.radius(self.faces.1));
        (width / 2.0 / inner).min(1.0).asin() * line.radius(0.0) - width / 2.0
    }

    /// Its openings, with what each takes up: along and across as seen from the axis in its middle.
    pub fn openings(&self, author: &Author) -> Vec<(Id, Extent)> {
        if !self.line().is_bent() {
            return openings(author, self.id, &self.frame);
        }
        openings(author, self.id, &Frame::WORLD)
            .into_iter()
            .filter_map(|(opening, there)| {
                let along = self.place(there.low.midpoint(there.high).truncate()).x;
                // seen from its own middle it lies to both sides alike
                let extent = extent(author, opening, &self.spot(along))?;
                let along = along + f64::midpoint(extent.low.x, extent.high.x);
                let extent = self::extent(author, opening, &self.spot(along))?;
                let by = DVec3::X * along;
                Some((opening, Extent { low: extent.low + by, high: extent.high + by }))
            })
            .collect()
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
        self.line().at(along, 0.0).extend(self.frame.translation.z)
    }
}

/// The Fault for a wall that cannot be read.
fn unknown(author: &Author, id: Id, what: &str) -> Fault {
    Fault::constraint(format!(
        "The wall {} cannot be worked with by its axis: {what}. Walls with a straight axis and an upright body can. Move, turn, copy or delete it as a whole, or make one in its place with create_wall.",
        label(author.edit, id)
    ))
    .with("element_id", crate::lookup::guid(author.edit, id))
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
    Bent(Line, f64),
    Curved,
    None,
}

fn axis_of(author: &Author, id: Id, mm: f64) -> Axis {
    let Some(axis) = solids::representation(author.edit, id, "Axis") else { return Axis::None };
    let Some(item) = axis.references("Items").first().copied() else { return Axis::None };
    let Some(points) = solids::curve(author.edit, item, mm) else {
        let arc = bent_body::axis_of(author.edit, item, mm);
        return arc.map_or(Axis::Curved, |(line, length)| Axis::Bent(line, length));
    };
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
                "The body of {} is not one extrusion of a straight-edged outline along its placement, so it cannot be worked with by its outline. Move, turn, copy or delete it as a whole, or make one in its place with create_floor or create_roof.",
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

    /// The height in the world of its underside over a point in plan, in mm.
    pub fn underside(&self, p: DVec2) -> f64 {
        let on = self.frame.transform_point3(DVec3::Z * self.base);
        let normal = self.frame.z_axis;
        if normal.z.abs() < 1e-6 {
            on.z
        } else {
            on.z - (p - on.truncate()).dot(normal.truncate()) / normal.z
        }
    }

    /// Its outline in the world.
    pub fn outline_in_world(&self) -> Vec<DVec2> {
        self.outline.iter().map(|p| self.frame.transform_point3(p.extend(0.0))).map(DVec3::truncate).collect()
    }
}

/// The openings of a host, with what each takes up as seen from `frame` (in the world).
pub fn openings(author: &Author, host: Id, frame: &Frame) -> Vec<(Id, Extent)> {
    ifc::relations::openings_of(author.edit, host)
        .into_iter()
        .filter_map(|opening| Some((opening, extent(author, opening, frame)?)))
        .collect()
}

/// The space that an opening takes up as seen from `frame` (in the world).
fn extent(author: &Author, opening: Id, frame: &Frame) -> Option<Extent> {
    let placed = author.frame(opening).ok()?;
    let corners = solids::reach_of(author.edit, opening, author.units().length_mm);
    Extent::around(corners.into_iter().map(|p| frame.into_own(placed.transform_point3(p))))
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
            let prism = solids::chorded_of(author.edit, opening, length_mm).and_then(|solid| solid.prism());
            let own = prism.zip(author.frame(opening).ok());
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
