//! The extrusion that a body is, or was before something was cut off it.

use super::By;
use crate::{
    item::Shaper,
    read::{MAX_DEPTH, ShapeError},
    region::Area,
};
use glam::{DAffine3, DVec2, DVec3};
use ifc::placement::unit;
use ifc::{Id, Instance};

/// Extrusions of one body that are looked at, at most.
const MAX_SWEEPS: usize = 256;

/// A profile moved along a straight line.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The `IfcExtrudedAreaSolid`.
    pub item: Id,
    /// The profile that it sweeps.
    pub profile: Id,
    /// From the profile's coordinates to the world.
    pub frame: DAffine3,
    /// Direction times depth, in the world.
    pub path: DVec3,
    /// True if something is cut off it since (clippings and differences; openings are no part of this).
    pub is_cut: bool,
}

impl Sweep {
    /// The way its measures are found.
    pub fn by(&self) -> By {
        if self.is_cut { By::ExtrusionBeforeCuts } else { By::Extrusion }
    }

    /// Returns true if it is extruded straight up or down.
    pub fn is_upright(&self) -> bool {
        unit(self.path).is_some_and(|d| d.z.abs() > 0.9999)
            && unit(self.frame.z_axis).is_some_and(|n| n.z.abs() > 0.9999)
    }

    /// Heights of its lower and upper end in the world.
    pub fn levels(&self) -> (f64, f64) {
        let (a, b) = (self.frame.translation.z, self.frame.translation.z + self.path.z);
        (a.min(b), a.max(b))
    }

    /// The distance between its two ends, square to them.
    pub fn thickness(&self) -> f64 {
        unit(self.frame.z_axis).map_or(0.0, |n| self.path.dot(n).abs())
    }

    /// A point of the profile at the beginning (0) or end (1) of the way.
    pub fn point(&self, p: DVec2, way: f64) -> DVec3 {
        self.frame.transform_point3(p.extend(0.0)) + self.path * way
    }
}

impl Shaper<'_> {
    /// An `IfcExtrudedAreaSolid`, or the first operand of all that was cut off one, in the coordinates of the item.
    pub fn sweep_of_item(&self, id: Id) -> Result<Sweep, ShapeError> {
        let r = &self.reader;
        let mut item = r.get(id)?;
        let mut is_cut = false;
        for _ in 0..MAX_DEPTH {
            if item.is_a("IfcExtrudedAreaSolid") {
                let direction = r.direction(r.reference(&item, "ExtrudedDirection")?);
                let direction = direction.ok_or_else(|| ShapeError::new(item.id(), "has no direction"))?;
                let frame = r.axes_of(&item, "Position")?;
                return Ok(Sweep {
                    item: item.id(),
                    profile: r.reference(&item, "SweptArea")?,
                    frame,
                    path: frame.transform_vector3(direction) * r.length(&item, "Depth")?,
                    is_cut: is_cut || item.is_a("IfcExtrudedAreaSolidTapered"),
                });
            }
            let difference = item.attr("Operator").as_enum() == Some("DIFFERENCE");
            item = match item.reference("TreeRootExpression") {
                Some(root) => r.get(root)?,
                None if difference => {
                    is_cut = true;
                    r.get(r.reference(&item, "FirstOperand")?)?
                }
                None => {
                    let class = item.class_name();
                    return Err(ShapeError::new(item.id(), format!("is of {class}, not extruded")));
                }
            };
        }
        Err(ShapeError::new(id, "is nested too deeply"))
    }

    /// The extrusions that a product's body consists of, in the world. An error where it has no body, or another one.
    pub fn sweeps(&self, product: &Instance<'_>) -> Result<Vec<Sweep>, ShapeError> {
        let r = &self.reader;
        let frame = self.frame(product)?;
        let representations = self.body_representations(product);
        if representations.is_empty() {
            return Err(ShapeError::new(product.id(), "has no body"));
        }
        let mut found = Vec::new();
        let mut open: Vec<(Id, DAffine3, usize)> = representations
            .iter()
            .flat_map(|rep| rep.references("Items"))
            .map(|item| (item, frame, 0))
            .rev()
            .collect();
        while let Some((id, at, depth)) = open.pop() {
            if depth > MAX_DEPTH || found.len() >= MAX_SWEEPS {
                return Err(ShapeError::new(id, "is one of too many items"));
            }
            let item = r.get(id)?;
            if item.is_a("IfcMappedItem") {
                let (mapped, place) = self.mapping(&item, &at)?;
                let parts = mapped.references("Items");
                if open.len() + parts.len() > MAX_SWEEPS {
                    return Err(ShapeError::new(id, "is one of too many items"));
                }
                open.extend(parts.into_iter().rev().map(|part| (part, place, depth + 1)));
                continue;
            }
            let own = self.sweep_of_item(id)?;
            found.push(Sweep { frame: at * own.frame, path: at.transform_vector3(own.path), ..own });
        }
        Ok(found)
    }

    /// As [`Shaper::sweeps`], where the body is a single one.
    pub fn only_sweep(&self, product: &Instance<'_>) -> Result<Sweep, ShapeError> {
        let mut all = self.sweeps(product)?;
        match (all.pop(), all.is_empty()) {
            (Some(one), true) if one.path.length() > 1e-7 => Ok(one),
            (Some(one), true) => Err(ShapeError::new(one.item, "has no depth")),
            _ => Err(ShapeError::new(product.id(), "has a body of several items")),
        }
    }

    /// The areas of a sweep's profile in its own plane.
    pub fn profile_areas(&self, sweep: &Sweep) -> Result<Vec<Area>, ShapeError> {
        self.reader.profile(sweep.profile, 0)
    }
}
