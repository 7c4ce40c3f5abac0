//! Openings: a void through a wall or slab, alone or filled by a door or window, placed relative to its host.
//!
//! A place in a wall is how far along its axis the opening's centre is and how high its sill; a place in a slab is a
//! point. An opening that would leave its host or meet another is refused with the room there is.

mod fit;
mod place;
pub mod shape;
mod through;

pub use fit::{fit_in_slab, fit_in_wall, free};
pub use place::{Place, Stretch, centre, told_from};
pub use shape::{Shape, stands};
pub use through::through_slab;

use crate::author::{Author, word};
use crate::filling::{self, Filling, Leaf, Wishes};
use crate::frame::Frame;
use crate::host::{self, Slab, Wall};
use crate::lookup::{free_name, guid, label};
use crate::measures::{finite, mm, name, positive};
use crate::polygon::area;
use crate::quantities::{Quantities, Quantity, is_ours, read};
use crate::quantity_sets;
use crate::storey::{above_storey, level_of};
use crate::wall;
use contract::Fault;
use geometry::region::rectangle;
use glam::{DVec2, DVec3};
use ifc::{Id, Value};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

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

/// The finer points of an opening, which most leave as they are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Detail {
    /// Its outline.
    pub shape: Shape,
    /// Width of the door's or window's frame as seen, in mm.
    pub lining: Option<f64>,
    /// The number of panes of glass in it, one behind another.
    pub panes: Option<u32>,
    /// True of a door or window that opens to the wall's right, seen along its axis, and not to its left.
    pub is_flipped: bool,
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

/// Makes a rectangular opening, with its filling; answers both.
pub fn create(author: &mut Author, new: &NewOpening) -> Result<(Id, Option<Id>), Fault> {
    create_detailed(author, new, &Detail::default())
}

/// Makes an opening, with its filling; answers both.
pub fn create_detailed(
    author: &mut Author,
    new: &NewOpening,
    detail: &Detail,
) -> Result<(Id, Option<Id>), Fault> {
    let made = cut(author, new, detail)?;
    settle(author, &BTreeSet::from([new.host]))?;
    Ok(made)
}

/// Writes what follows from openings for their hosts: quantities, and the coverings that lie on them. Once, however many were cut.
pub fn settle(author: &mut Author, hosts: &BTreeSet<Id>) -> Result<(), Fault> {
    for host in hosts {
        if author.edit.get(*host).is_some_and(|h| h.is_a("IfcWall")) {
            wall::requantify(author, *host)?;
            crate::covering::refit_beside(author, *host)?;
        } else {
            crate::slab::requantify(author, *host)?;
            crate::roof::requantify_around(author, *host)?;
        }
    }
    Ok(())
}

/// Makes an opening, with its filling, and leaves what follows for its host to [`settle`]; answers both.
pub fn cut(author: &mut Author, new: &NewOpening, detail: &Detail) -> Result<(Id, Option<Id>), Fault> {
    positive("width", new.width)?;
    positive("height", new.height)?;
    if let Some(sill) = new.sill {
        finite("location.sill", sill)?;
    }
    idle(new, detail)?;
    let host =
        author.edit.get(new.host).map(|h| (h.is_a("IfcWall"), h.is_a("IfcSlab"), h.class_name().to_owned()));
    match host {
        Some((true, _, _)) => in_wall(author, new, detail),
        Some((_, true, _)) => in_slab(author, new, detail),
        _ => Err(unfit(author, new.host)),
    }
}

fn unfit(author: &Author, host: Id) -> Fault {
    let class = author.edit.get(host).map(|h| h.class_name().to_owned()).unwrap_or_default();
    let mut hint = "Openings go into walls and slabs; boolean_operation cuts other bodies.".to_owned();
    if class == "IfcRoof" {
        let slabs = ifc::relations::children(author.edit, host);
        if let Some(slab) = slabs.first() {
            hint = format!("Cut its slab instead: host_id {}.", guid(author.edit, *slab));
        }
    } else if class == "IfcCurtainWall" {
        hint = format!(
            "A door takes a panel's place in it: modify_parameter on {} with parameter_name doors and the list of all its doors, such as [{{\"along\": 4000, \"height\": 2100}}].",
            guid(author.edit, host)
        );
    } else if class == "IfcOpeningElement"
        && let Some(wall) = ifc::relations::host_of_opening(author.edit, host)
    {
        hint = format!("Its host can be opened: {}.", guid(author.edit, wall));
    }
    Fault::invalid("host_id", format!("An {class} ({}) cannot be opened. {hint}", label(author.edit, host)))
        .with("class", class)
}

fn in_wall(author: &mut Author, new: &NewOpening, detail: &Detail) -> Result<(Id, Option<Id>), Fault> {
    let wall = Wall::read_any(author, new.host)?;
    let wishes = Wishes {
        operation: new.operation.clone(),
        lining: detail.lining,
        panes: detail.panes,
        shape: detail.shape,
    };
    let (centre, point_sill) = centre(author, &wall, &Stretch::of_wall(&wall), new.place, new.width)?;
    let sill = new.sill.or(point_sill).unwrap_or_else(|| {
        let sill = default_sill(new.filling);
        if new.filling == Filling::Window {
            author.assume(format!("sill {} mm", mm(sill)));
        }
        sill
    });
    fit_in_wall(author, &wall, centre, sill, new.width, new.height, None)?;
    let (right, left) = wall.across(new.width);
    let spot = wall.local_spot(centre);
    let local = spot.with_origin(spot.transform_point3(DVec3::new(-new.width / 2.0, right, sill)));
    let size = DVec3::new(new.width, left - right, new.height);
    let opening = write(author, new, &local, size, detail.shape, false)?;
    let filling = match new.filling {
        Filling::Void => None,
        kind => {
            let leaf = Leaf { kind, width: new.width, height: new.height, depth: size.y };
            let stands = leaf.stands(detail.is_flipped);
            Some(filling::create(author, [new.host, opening], &leaf, &stands, &wishes, new.name.as_deref())?)
        }
    };
    Ok((opening, filling))
}

/// Refuses wishes for a door or window where there is none.
fn idle(new: &NewOpening, detail: &Detail) -> Result<(), Fault> {
    let given = [
        ("operation_type", new.operation.is_some()),
        ("lining", detail.lining.is_some()),
        ("glazing", detail.panes.is_some()),
        ("flipped", detail.is_flipped),
    ];
    match given.into_iter().find(|(_, given)| *given && new.filling == Filling::Void) {
        Some((field, _)) => Err(Fault::invalid(
            field,
            format!("`{field}` is about a door or window; give opening_type door or window with it."),
        )),
        None => Ok(()),
    }
}

/// The height of the lower edge of an opening above its wall's base, where nothing is said, in mm.
pub fn default_sill(filling: Filling) -> f64 {
    if filling == Filling::Window { 900.0 } else { 0.0 }
}

fn in_slab(author: &mut Author, new: &NewOpening, detail: &Detail) -> Result<(Id, Option<Id>), Fault> {
    if new.filling != Filling::Void {
        return Err(Fault::invalid(
            "opening_type",
            "Doors and windows go into walls; a slab takes opening_type void.",
        ));
    }
    let slab = Slab::read(author, new.host)?;
    let centre = match new.place {
        Place::Point(p, _) => slab.below(p),
        Place::Centre => {
            let (low, high) = crate::polygon::bounds(&slab.outline);
            low.midpoint(high)
        }
        _ => {
            return Err(Fault::invalid(
                "location",
                "A slab has no axis; give the centre of its opening as a point [x, y] in mm.",
            ));
        }
    };
    let extent = fit_in_slab(author, &slab, centre, new.width, new.height, None)?;
    let local = Frame::at(extent.low.with_z(slab.base));
    let size = DVec3::new(new.width, new.height, slab.thickness);
    let opening = write(author, new, &local, size, detail.shape, true)?;
    Ok((opening, None))
}

/// Writes the opening: `size` along x, y and z of `local`, which stands within the host's placement.
fn write(
    author: &mut Author,
    new: &NewOpening,
    local: &Frame,
    size: DVec3,
    shape: Shape,
    in_slab: bool,
) -> Result<Id, Fault> {
    let face = DVec2::new(size.x, if in_slab { size.y } else { size.z });
    let outline = (shape != Shape::Rectangle)
        .then(|| shape.outline(face).into_iter().map(|p| p / face).collect::<Vec<DVec2>>());
    write_outlined(author, new, local, size, outline.as_deref(), in_slab)
}

/// Writes the opening with an outline in parts of its size; none is a rectangle.
fn write_outlined(
    author: &mut Author,
    new: &NewOpening,
    local: &Frame,
    size: DVec3,
    outline: Option<&[DVec2]>,
    in_slab: bool,
) -> Result<Id, Fault> {
    let within = author.placement_of(new.host);
    let placement = author.placement(within, local)?;
    let body = body(author, outline, size, in_slab)?;
    let drawn = author.shape(&[body])?;
    let text = match (&new.name, new.filling) {
        (Some(text), Filling::Void) => name("name", text)?,
        (Some(text), _) => format!("Opening of {}", name("name", text)?),
        (None, _) => free_name(author.edit, "IfcOpeningElement", "Opening"),
    };
    let mut attributes = vec![("ObjectPlacement", Value::Ref(placement)), ("Representation", drawn.into())];
    if author.has_attribute("IfcOpeningElement", "PredefinedType") {
        attributes.push(("PredefinedType", word("OPENING")));
    }
    let opening = author.root("IfcOpeningElement", Some(&text), &attributes)?;
    author.void(new.host, opening)?;
    quantify(author, opening, outline, size, in_slab)?;
    Ok(opening)
}

/// The body of an opening from the origin of its placement; its outline is in parts of its size, none is a rectangle.
pub(crate) fn body(
    author: &mut Author,
    outline: Option<&[DVec2]>,
    size: DVec3,
    in_slab: bool,
) -> Result<Id, Fault> {
    let DVec3 { x, y, z } = size;
    let scaled = |by: DVec2| outline.map(|points| points.iter().map(|p| *p * by).collect::<Vec<_>>());
    match scaled(if in_slab { DVec2::new(x, y) } else { DVec2::new(x, z) }) {
        Some(outline) if in_slab => shape::through_slab(author, &outline, z),
        Some(outline) => shape::through_wall(author, &outline, y),
        None => shape::through_slab(author, &rectangle(DVec2::ZERO, DVec2::new(x, y)), z),
    }
}

/// Draws an opening anew in another size, from the origin of its placement, with the outline that it had ([`stands`]).
pub fn redraw(
    author: &mut Author,
    opening: Id,
    outline: Option<&[DVec2]>,
    size: DVec3,
    in_slab: bool,
) -> Result<(), Fault> {
    let body = body(author, outline, size, in_slab)?;
    author.replace_representation(opening, "Body", body)?;
    if is_ours(author.edit, opening, quantity_sets::OPENING) {
        quantify(author, opening, outline, size, in_slab)?;
    }
    Ok(())
}

/// Writes an opening's quantities from its size along x, y and z and its outline.
pub(crate) fn quantify(
    author: &mut Author,
    opening: Id,
    outline: Option<&[DVec2]>,
    DVec3 { x, y, z }: DVec3,
    in_slab: bool,
) -> Result<(), Fault> {
    let (height, depth) = if in_slab { (y, z) } else { (z, y) };
    let face = x * height * outline.map_or(1.0, area);
    author.quantify(
        opening,
        quantity_sets::OPENING,
        &[
            ("Width", Quantity::Length(x)),
            ("Height", Quantity::Length(height)),
            ("Depth", Quantity::Length(depth)),
            ("Area", Quantity::Area(face)),
            ("Volume", Quantity::Volume(face * depth)),
        ],
    )
}

/// An opening as it stands, with its filling.
pub fn answer(author: &Author, opening: Id) -> Result<OpeningAnswer, Fault> {
    let host = ifc::relations::host_of_opening(author.edit, opening).ok_or_else(|| {
        Fault::constraint(format!("The opening {} has no host.", label(author.edit, opening)))
    })?;
    let filling = ifc::relations::filling_of(author.edit, opening);
    let shown = filling.unwrap_or(opening);
    let is_wall = author.edit.get(host).is_some_and(|h| h.is_a("IfcWall"));
    let wall = if is_wall { Some(Wall::read_any(author, host)?) } else { None };
    let all = match &wall {
        Some(wall) => wall.openings(author),
        None => host::openings(author, host, &author.frame(host)?),
    };
    let extent =
        all.into_iter().find(|(id, _)| *id == opening).map(|(_, extent)| extent).ok_or_else(|| {
            Fault::constraint(format!("The opening {} has no readable body.", label(author.edit, opening)))
        })?;
    let middle = |i: usize| f64::midpoint(extent.low[i], extent.high[i]);
    let position = match &wall {
        Some(wall) => wall.spot(middle(0)).transform_point3(DVec3::new(0.0, middle(1), extent.low.z)),
        None => author.frame(host)?.transform_point3(DVec3::new(middle(0), middle(1), extent.low.z)),
    };
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
