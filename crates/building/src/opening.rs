//! Openings: a void through a wall or slab, alone or filled by a door or window, placed relative to its host.
//!
//! A place in a wall is how far along its axis the opening's centre is and how high its sill; a place in a slab is a
//! point. An opening that would leave its host or meet another is refused with the room there is.

use crate::author::{Author, word};
use crate::filling::{self, Filling, Leaf};
use crate::frame::Frame;
use crate::host::{self, Extent, Slab, Wall};
use crate::lookup::{free_name, guid, label};
use crate::measures::{finite, mm, name, positive};
use crate::polygon::area;
use crate::quantities::{Quantities, Quantity, is_ours, read};
use crate::quantity_sets;
use crate::regions;
use crate::storey::{above_storey, level_of};
use crate::wall;
use contract::Fault;
use geometry::region::rectangle;
use glam::{DVec2, DVec3};
use ifc::{Id, Value};
use schemars::JsonSchema;
use serde::Serialize;

/// The centre of an opening.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// mm along the host's axis from its start.
    Along(f64),
    /// A part of the host's length, 0 to 1.
    Fraction(f64),
    /// The middle of the host.
    Centre,
    /// A point: projected on a wall's axis, or in a slab's plane; with a z, the sill's height above the storey.
    Point(DVec2, Option<f64>),
}

/// An opening asked for, in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewOpening {
    /// The wall or slab.
    pub host: Id,
    /// Its centre.
    pub place: Place,
    /// Height of its lower edge above the wall's base, in mm.
    pub sill: Option<f64>,
    /// Width along the host, in mm.
    pub width: f64,
    /// Height in mm; in a slab, its size across.
    pub height: f64,
    /// The door or window in it, or none.
    pub filling: Filling,
    /// The way the door or window opens, as the schema's enumeration says it.
    pub operation: Option<String>,
    /// Name of the filling, or of the opening where there is none.
    pub name: Option<String>,
}

/// An opening as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct OpeningAnswer {
    /// GlobalId of the opening.
    pub opening_id: String,
    /// GlobalId of the door or window in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filling_id: Option<String>,
    /// Class of the filling, or IfcOpeningElement.
    pub class: String,
    /// Name of the filling, or of the opening.
    pub name: String,
    /// GlobalId of the host.
    pub host_id: String,
    /// Name of the storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Its centre along the host's axis from its start, in mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along: Option<f64>,
    /// Height of its lower edge above the wall's base, in mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sill: Option<f64>,
    /// Width in mm.
    pub width: f64,
    /// Height in mm.
    pub height: f64,
    /// Lower centre in the world, z above the storey, in mm.
    pub position: [f64; 3],
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// Makes an opening, with its filling; answers both.
pub fn create(author: &mut Author, new: &NewOpening) -> Result<(Id, Option<Id>), Fault> {
    positive("width", new.width)?;
    positive("height", new.height)?;
    if let Some(sill) = new.sill {
        finite("location.sill", sill)?;
    }
    let host =
        author.edit.get(new.host).map(|h| (h.is_a("IfcWall"), h.is_a("IfcSlab"), h.class_name().to_owned()));
    match host {
        Some((true, _, _)) => in_wall(author, new),
        Some((_, true, _)) => in_slab(author, new),
        _ => Err(unfit(author, new.host)),
    }
}

fn unfit(author: &Author, host: Id) -> Fault {
    let class = author.edit.get(host).map(|h| h.class_name().to_owned()).unwrap_or_default();
    let mut hint = "Openings go into walls and slabs.".to_owned();
    if class == "IfcRoof" {
        let slabs = ifc::relations::children(author.edit, host);
        if let Some(slab) = slabs.first() {
            hint = format!("Cut its slab instead: host_id {}.", guid(author.edit, *slab));
        }
    } else if class == "IfcOpeningElement"
        && let Some(wall) = ifc::relations::host_of_opening(author.edit, host)
    {
        hint = format!("Its host can be opened: {}.", guid(author.edit, wall));
    }
    Fault::invalid("host_id", format!("An {class} ({}) cannot be opened. {hint}", label(author.edit, host)))
        .with("class", class)
}

fn in_wall(author: &mut Author, new: &NewOpening) -> Result<(Id, Option<Id>), Fault> {
    let wall = Wall::read(author, new.host)?;
    let default_sill = if new.filling == Filling::Window { 900.0 } else { 0.0 };
    let (centre, point_sill) = match new.place {
        Place::Along(way) => (finite("location.along", way)?, None),
        Place::Fraction(part) => {
            if !(0.0..=1.0).contains(&part) {
                return Err(Fault::invalid(
                    "location.fraction",
                    format!(
                        "`location.fraction` is {part}; it is a part of the host's length from 0 (start) to 1 (end)."
                    ),
                ));
            }
            (part * wall.length, None)
        }
        Place::Centre => (wall.length / 2.0, None),
        Place::Point(p, z) => {
            let own = wall.frame.into_own(p.extend(wall.frame.translation.z));
            let aside = (own.y - own.y.clamp(wall.faces.0, wall.faces.1)).abs();
            if aside > 1000.0 {
                return Err(Fault::invalid(
                    "location",
                    format!(
                        "The point lies {} mm beside the wall {}; give a point on the wall, or {{\"along\": mm}} from its start.",
                        mm(aside),
                        label(author.edit, wall.id)
                    ),
                ));
            }
            let base = level_of(author, wall.id).map_or(0.0, |(_, zero)| wall.frame.translation.z - zero);
            (own.x, z.map(|z| z - base))
        }
    };
    let sill = new.sill.or(point_sill).unwrap_or(default_sill);
    let extent = fit_in_wall(author, &wall, centre, sill, new.width, new.height, None)?;
    let local =
        wall.local.with_origin(wall.local.transform_point3(DVec3::new(extent.low.x, wall.faces.0, sill)));
    let size = DVec3::new(new.width, wall.thickness(), new.height);
    let opening = write(author, new, &local, size)?;
    let filling = match new.filling {
        Filling::Void => None,
        kind => {
            let leaf = Leaf { kind, width: new.width, height: new.height, depth: wall.thickness() };
            Some(filling::create(
                author,
                new.host,
                opening,
                &leaf,
                new.operation.as_deref(),
                new.name.as_deref(),
            )?)
        }
    };
    wall::requantify(author, new.host)?;
    Ok((opening, filling))
}

/// Returns the box that an opening would take up in a wall, sizes in mm; a Fault where it leaves the wall or meets
/// another opening than `itself`.
pub fn fit_in_wall(
    author: &Author,
    wall: &Wall,
    centre: f64,
    sill: f64,
    width: f64,
    height: f64,
    itself: Option<Id>,
) -> Result<Extent, Fault> {
    let (from, to) = wall.reach();
    let text = label(author.edit, wall.id);
    let half = width / 2.0;
    if width > to - from + 0.1 {
        return Err(Fault::constraint(format!(
            "An opening {} mm wide does not fit into the wall {text}, which has room for {} mm between its ends.",
            mm(width),
            mm(to - from)
        ))
        .with("field", "width")
        .with("largest", mm(to - from)));
    }
    if centre - half < from - 0.1 || centre + half > to + 0.1 {
        return Err(Fault::constraint(format!(
            "An opening {} mm wide centred {} mm along the wall {text} would leave it; its centre can be from {} to {} mm along.",
            mm(width), mm(centre), mm(from + half), mm(to - half)
        ))
        .with("field", "location")
        .with("along_from", mm(from + half))
        .with("along_to", mm(to - half)));
    }
    if sill < -0.1 || sill + height > wall.height + 0.1 {
        return Err(Fault::constraint(format!(
            "An opening {} mm high with its sill at {} mm would leave the wall {text}, which is {} mm high; the sill can be from 0 to {} mm.",
            mm(height), mm(sill), mm(wall.height), mm((wall.height - height).max(0.0))
        ))
        .with("field", if height > wall.height { "height" } else { "location.sill" })
        .with("sill_to", mm((wall.height - height).max(0.0)))
        .with("wall_height", mm(wall.height)));
    }
    let extent = Extent {
        low: DVec3::new(centre - half, wall.faces.0, sill),
        high: DVec3::new(centre + half, wall.faces.1, sill + height),
    };
    let cut = rectangle(extent.low.truncate(), extent.high.truncate());
    let solid: f64 = regions::intersection(&[cut], std::slice::from_ref(&wall.outline))
        .iter()
        .map(|r| area(&r.outer))
        .sum();
    if solid < 0.98 * width * wall.thickness() {
        return Err(Fault::constraint(format!(
            "The body of the wall {text} is not whole from {} to {} mm along it (it has a notch there); move the opening.",
            mm(extent.low.x),
            mm(extent.high.x)
        ))
        .with("field", "location"));
    }
    for (other, taken) in host::openings(author, wall.id, &wall.frame) {
        if Some(other) != itself && extent.overlaps(&taken, [0, 2]) {
            let filling = ifc::relations::filling_of(author.edit, other).unwrap_or(other);
            return Err(Fault::constraint(format!(
                "It would overlap {} in the wall {text}, which takes up {} to {} mm along and {} to {} mm above the wall's base.",
                label(author.edit, filling), mm(taken.low.x), mm(taken.high.x), mm(taken.low.z), mm(taken.high.z)
            ))
            .with("field", "location")
            .with("overlaps", guid(author.edit, filling))
            .with("free_along", free(author, wall, sill, height, width, itself)));
        }
    }
    Ok(extent)
}

/// The spans along a wall in which an opening of this size could be centred.
fn free(
    author: &Author,
    wall: &Wall,
    sill: f64,
    height: f64,
    width: f64,
    itself: Option<Id>,
) -> Vec<[f64; 2]> {
    let (from, to) = wall.reach();
    let mut taken: Vec<(f64, f64)> = host::openings(author, wall.id, &wall.frame)
        .into_iter()
        .filter(|(id, e)| Some(*id) != itself && e.low.z < sill + height && sill < e.high.z)
        .map(|(_, e)| (e.low.x, e.high.x))
        .collect();
    taken.push((to, to));
    taken.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut spans = Vec::new();
    let mut at = from;
    for (low, high) in taken {
        if low - at >= width {
            spans.push([mm(at + width / 2.0), mm(low - width / 2.0)]);
        }
        at = at.max(high);
    }
    spans
}

fn in_slab(author: &mut Author, new: &NewOpening) -> Result<(Id, Option<Id>), Fault> {
    if new.filling != Filling::Void {
        return Err(Fault::invalid(
            "opening_type",
            "Doors and windows go into walls; a slab takes opening_type void.",
        ));
    }
    let slab = Slab::read(author, new.host)?;
    let centre = match new.place {
        Place::Point(p, _) => slab.frame.into_own(p.extend(slab.frame.translation.z)),
        Place::Centre => {
            let (low, high) = crate::polygon::bounds(&slab.outline);
            low.midpoint(high).extend(0.0)
        }
        Place::Along(_) | Place::Fraction(_) => {
            return Err(Fault::invalid(
                "location",
                "A slab has no axis; give the centre of its opening as a point [x, y] in mm.",
            ));
        }
    };
    let extent = fit_in_slab(author, &slab, centre.truncate(), new.width, new.height, None)?;
    let local = Frame::at(extent.low.with_z(slab.base));
    let opening = write(author, new, &local, DVec3::new(new.width, new.height, slab.thickness))?;
    crate::slab::requantify(author, new.host)?;
    Ok((opening, None))
}

/// Returns the box that an opening would take up in a slab, sizes in mm; a Fault where it leaves the slab or meets
/// another opening than `itself`.
pub fn fit_in_slab(
    author: &Author,
    slab: &Slab,
    centre: DVec2,
    width: f64,
    across: f64,
    itself: Option<Id>,
) -> Result<Extent, Fault> {
    let half = DVec2::new(width, across) / 2.0;
    let outline = rectangle(centre - half, centre + half);
    let inside: f64 = regions::intersection(&[outline], std::slice::from_ref(&slab.outline))
        .iter()
        .map(|r| area(&r.outer))
        .sum();
    if inside < width * across - 100.0 {
        return Err(Fault::constraint(format!(
            "An opening of {} by {} mm there would leave the slab {}; move its centre or make it smaller.",
            mm(width),
            mm(across),
            label(author.edit, slab.id)
        ))
        .with("field", "location"));
    }
    let extent = Extent {
        low: (centre - half).extend(slab.base),
        high: (centre + half).extend(slab.base + slab.thickness),
    };
    for (other, taken) in host::openings(author, slab.id, &slab.frame) {
        if Some(other) != itself && extent.overlaps(&taken, [0, 1]) {
            return Err(Fault::constraint(format!(
                "It would overlap the opening {} in the slab {}.",
                label(author.edit, other),
                label(author.edit, slab.id)
            ))
            .with("field", "location")
            .with("overlaps", guid(author.edit, other)));
        }
    }
    Ok(extent)
}

/// Writes the opening: `size` along x, y and z of `local`, which stands within the host's placement.
fn write(author: &mut Author, new: &NewOpening, local: &Frame, size: DVec3) -> Result<Id, Fault> {
    let within = author.placement_of(new.host);
    let placement = author.placement(within, local)?;
    let shape = shape(author, size)?;
    let text = match (&new.name, new.filling) {
        (Some(text), Filling::Void) => name("name", text)?,
        (Some(text), _) => format!("Opening of {}", name("name", text)?),
        (None, _) => free_name(author.edit, "IfcOpeningElement", "Opening"),
    };
    let mut attributes = vec![("ObjectPlacement", Value::Ref(placement)), ("Representation", shape.into())];
    if author.has_attribute("IfcOpeningElement", "PredefinedType") {
        attributes.push(("PredefinedType", word("OPENING")));
    }
    let opening = author.root("IfcOpeningElement", Some(&text), &attributes)?;
    author.void(new.host, opening)?;
    quantify(author, opening, size, author.edit.get(new.host).is_some_and(|h| h.is_a("IfcSlab")))?;
    Ok(opening)
}

/// The shape of an opening: a box from the origin of its placement.
fn shape(author: &mut Author, size: DVec3) -> Result<Id, Fault> {
    let body = body(author, size)?;
    author.shape(&[body])
}

/// The body of an opening.
pub fn body(author: &mut Author, DVec3 { x, y, z }: DVec3) -> Result<Id, Fault> {
    let solid = author.upright(&rectangle(DVec2::ZERO, DVec2::new(x, y)), &[], 0.0, z)?;
    author.body(&[solid])
}

/// Writes an opening's quantities from its size along x, y and z.
pub fn quantify(
    author: &mut Author,
    opening: Id,
    DVec3 { x, y, z }: DVec3,
    in_slab: bool,
) -> Result<(), Fault> {
    let (height, depth) = if in_slab { (y, z) } else { (z, y) };
    author.quantify(
        opening,
        quantity_sets::OPENING,
        &[
            ("Width", Quantity::Length(x)),
            ("Height", Quantity::Length(height)),
            ("Depth", Quantity::Length(depth)),
            ("Area", Quantity::Area(x * height)),
            ("Volume", Quantity::Volume(x * y * z)),
        ],
    )
}

/// Writes an opening's size anew where it carries quantities of ours.
pub fn requantify(author: &mut Author, opening: Id, size: DVec3, in_slab: bool) -> Result<(), Fault> {
    if is_ours(author.edit, opening, quantity_sets::OPENING) {
        quantify(author, opening, size, in_slab)
    } else {
        Ok(())
    }
}

/// An opening as it stands, with its filling.
pub fn answer(author: &Author, opening: Id) -> Result<OpeningAnswer, Fault> {
    let host = ifc::relations::host_of_opening(author.edit, opening).ok_or_else(|| {
        Fault::constraint(format!("The opening {} has no host.", label(author.edit, opening)))
    })?;
    let filling = ifc::relations::filling_of(author.edit, opening);
    let shown = filling.unwrap_or(opening);
    let is_wall = author.edit.get(host).is_some_and(|h| h.is_a("IfcWall"));
    let frame = if is_wall { Wall::read(author, host)?.frame } else { author.frame(host)? };
    let extent = host::openings(author, host, &frame)
        .into_iter()
        .find(|(id, _)| *id == opening)
        .map(|(_, extent)| extent)
        .ok_or_else(|| {
            Fault::constraint(format!("The opening {} has no readable body.", label(author.edit, opening)))
        })?;
    let middle = |i: usize| f64::midpoint(extent.low[i], extent.high[i]);
    let position = frame.transform_point3(DVec3::new(middle(0), middle(1), extent.low.z));
    let set = match author.edit.get(shown).map(|s| s.class_name()) {
        Some("IfcDoor") => quantity_sets::DOOR,
        Some("IfcWindow") => quantity_sets::WINDOW,
        _ => quantity_sets::OPENING,
    };
    Ok(OpeningAnswer {
        opening_id: guid(author.edit, opening),
        filling_id: filling.map(|f| guid(author.edit, f)),
        class: author.edit.get(shown).map(|s| s.class_name().to_owned()).unwrap_or_default(),
        name: label(author.edit, shown),
        host_id: guid(author.edit, host),
        level: level_of(author, host).map(|(storey, _)| label(author.edit, storey)),
        along: is_wall.then(|| mm(middle(0))),
        sill: is_wall.then(|| mm(extent.low.z)),
        width: mm(extent.size(0)),
        height: mm(extent.size(if is_wall { 2 } else { 1 })),
        position: above_storey(author, host, position).to_array(),
        quantities: read(author.edit, shown, set),
    })
}
