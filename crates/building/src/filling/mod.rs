//! Doors and windows: lining, panels and glass as solids with their materials, a symbol in plan, a type shared by those of one size and
//! looks, placed in an opening and held by the storey of the wall.
//!
//! The type holds what all have in common: shape, materials, how they open, lining, panels and glass; one of them has its size, its
//! place and the quantities. The coordinates are those of IFC: x along the wall, z up, y through it; a door opens toward +y. A flipped one
//! is turned about in its opening.

mod drawing;
mod materials;
pub mod operation;
mod properties;
mod style;
mod types;

pub use style::Wishes;

use crate::author::{Author, boolean};
use crate::frame::Frame;
use crate::lookup::free_name;
use crate::measures::name;
use crate::quantities::{Quantity, is_ours};
use crate::quantity_sets;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Model, Value};
use style::{FRAME_DEPTH, Style};

/// The filling of an opening: none, a door or a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filling {
    /// Nothing.
    #[default]
    Void,
    /// A door.
    Door,
    /// A window.
    Window,
}

/// A door or window by its size in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leaf {
    /// Door or window.
    pub kind: Filling,
    /// Overall width in mm.
    pub width: f64,
    /// Overall height in mm.
    pub height: f64,
    /// Thickness of the wall in mm.
    pub depth: f64,
}

impl Leaf {
    fn class(&self) -> &'static str {
        if self.kind == Filling::Window { "IfcWindow" } else { "IfcDoor" }
    }

    fn noun(&self) -> &'static str {
        if self.kind == Filling::Window { "Window" } else { "Door" }
    }

    fn frame_depth(&self) -> f64 {
        self.depth.min(FRAME_DEPTH)
    }

    /// The distance from the wall's right face inwards at which its frame begins, in mm.
    pub fn inset(&self) -> f64 {
        (self.depth - self.frame_depth()) / 2.0
    }

    /// The place of a door or window within its opening; flipped it is turned about, so that its left is where its right would be.
    pub(crate) fn stands(&self, is_flipped: bool) -> Frame {
        if is_flipped {
            let corner = DVec3::new(self.width, self.depth - self.inset(), 0.0);
            return Frame::in_plan(corner, DVec2::NEG_X);
        }
        Frame::at([0.0, self.inset(), 0.0])
    }

    fn quantity_set(&self) -> &'static str {
        if self.kind == Filling::Window { quantity_sets::WINDOW } else { quantity_sets::DOOR }
    }
}

/// Makes the door or window of an opening in a host, at its place within the opening.
pub(crate) fn create(
    author: &mut Author,
    [host, opening]: [Id; 2],
    leaf: &Leaf,
    stands: &Frame,
    wishes: &Wishes,
    text: Option<&str>,
) -> Result<Id, Fault> {
    let external = is_external(author.edit, host);
    let style = Style::read(author, leaf, wishes, external == Some(true))?;
    author.assume(style.assumed(leaf, wishes));
    let class = leaf.class();
    let text = match text {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, class, leaf.noun()),
    };
    let of_type = types::kind(author, leaf, &style)?;
    let within = author.placement_of(opening);
    let placement = author.placement(within, stands)?;
    let shown = types::shown(author, of_type)?;
    let shape = author.shape(&shown)?;
    let attributes = [
        ("ObjectPlacement", Value::Ref(placement)),
        ("Representation", shape.into()),
        ("OverallHeight", author.real(leaf.height)),
        ("OverallWidth", author.real(leaf.width)),
    ];
    let filling = author.root(class, Some(&text), &attributes)?;
    author.fill(opening, filling)?;
    if let Some(container) =
        ifc::relations::container(author.edit, host).or_else(|| ifc::relations::storey_of(author.edit, host))
    {
        author.contain(container, filling)?;
    }
    author.type_as(of_type, filling)?;
    if let Some(external) = external {
        let set = format!("Pset_{}Common", leaf.noun());
        author.describe(filling, &set, &[("IsExternal", boolean(external))])?;
    }
    properties::glass_of_occurrence(author, filling, leaf, &style)?;
    quantify(author, filling, leaf)?;
    Ok(filling)
}

/// Writes a door's or window's sizes, shape and quantities anew after its opening changed. One of ours changes to the type of its new
/// size; one of another program keeps its type.
pub fn reshape(author: &mut Author, filling: Id, leaf: &Leaf) -> Result<(), Fault> {
    if let Some(old) = types::ours(author.edit, filling) {
        let style = Style::of_type(author, old, leaf);
        retype(author, filling, leaf, old, &style)?;
    } else {
        let style = Style::stated(author, filling, leaf);
        let body = types::bare(author, leaf, &style)?;
        author.replace_representation(filling, "Body", body)?;
    }
    let (height, width) = (author.real(leaf.height), author.real(leaf.width));
    author.set(filling, "OverallHeight", height)?;
    author.set(filling, "OverallWidth", width)?;
    if is_ours(author.edit, filling, leaf.quantity_set()) {
        quantify(author, filling, leaf)?;
    }
    Ok(())
}

/// Gives a door or window of ours the type of these looks.
fn retype(author: &mut Author, filling: Id, leaf: &Leaf, old: Id, style: &Style) -> Result<(), Fault> {
    let new = types::kind(author, leaf, style)?;
    if new != old {
        author.leave(filling, "IfcRelDefinesByType")?;
        author.type_as(new, filling)?;
        let shown = types::shown(author, new)?;
        author.replace_shape(filling, &shown)?;
        properties::glass_of_occurrence(author, filling, leaf, style)?;
    }
    Ok(())
}

/// Lets a door or window open in another way, which is its type's; answers how it did, and how it does now.
pub(crate) fn reopen(
    author: &mut Author,
    filling: Id,
    leaf: &Leaf,
    given: &str,
) -> Result<[String; 2], Fault> {
    let Some(old) = types::ours(author.edit, filling) else {
        let message = format!(
            "{} opens as its type says, which another program made: assign_type gives it another type.",
            crate::lookup::label(author.edit, filling)
        );
        return Err(Fault::constraint(message).with("field", "parameter_name"));
    };
    let mut style = Style::of_type(author, old, leaf);
    let before = style.operation.clone();
    let read = operation::read(author, leaf, Some(given));
    (style.operation, style.panel) = read.map_err(|fault| fault.with("field", "value"))?;
    retype(author, filling, leaf, old, &style)?;
    Ok([before, style.operation])
}

/// Returns true if a filling can be drawn anew: it is of a type of ours, or its body is plain solids of its own. Bodies mapped from a
/// type of another program belong to that type.
pub fn can_reshape(model: &Model, filling: Id) -> bool {
    let plain = crate::solids::representation(model, filling, "Body")
        .is_none_or(|body| body.text("RepresentationType").as_deref() == Some("SweptSolid"));
    plain || types::ours(model, filling).is_some()
}

fn is_external(model: &Model, host: Id) -> Option<bool> {
    ifc::psets::get(model, host, "Pset_WallCommon", "IsExternal").and_then(|value| value.as_bool())
}

fn quantify(author: &mut Author, filling: Id, leaf: &Leaf) -> Result<(), Fault> {
    author.quantify(
        filling,
        leaf.quantity_set(),
        &[
            ("Width", Quantity::Length(leaf.width)),
            ("Height", Quantity::Length(leaf.height)),
            ("Perimeter", Quantity::Length(2.0 * (leaf.width + leaf.height))),
            ("Area", Quantity::Area(leaf.width * leaf.height)),
        ],
    )
}
