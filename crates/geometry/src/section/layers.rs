//! Layers: the cut of a wall or slab divided by what it is built of, each piece with its layer.
//!
//! The layers lie flat across the element, from the offset of its IfcMaterialLayerSetUsage on, along an axis of its placement
//! (IFC4, 8.10.3.7). Walls along a curve have no flat layers: what the bands do not cover stays, without a layer.

use super::{Outline, Plane};
use crate::{
    item::Shaper,
    read::ShapeError,
    region::{self, Area, Loop},
};
use glam::{DVec2, DVec3};
use ifc::{Id, relations::Links};

/// Layers thinner than this, in metres, are left out: a vapour barrier has no area to draw.
const THINNEST: f64 = 1e-5;

/// The layers of an element as flat bands in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// A point of the reference plane.
    origin: DVec3,
    /// The direction across the layers, at length one.
    across: DVec3,
    bands: Vec<Band>,
}

/// A layer from one distance of the reference plane to another.
#[derive(Debug, Clone, PartialEq)]
struct Band {
    layer: Option<Id>,
    material: Option<Id>,
    from: f64,
    to: f64,
}

/// A part of a cut.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerPiece {
    /// The IfcMaterialLayer; none for what lies in no layer.
    pub layer: Option<Id>,
    /// The layer's material; none for an air gap.
    pub material: Option<Id>,
    /// Its areas, in the plane's coordinates.
    pub areas: Vec<Area>,
}

impl Layers {
    /// The layers of an element, or `None` where no IfcMaterialLayerSetUsage says how they lie. An error where the element
    /// cannot be placed.
    pub fn read(shaper: &Shaper<'_>, element: Id) -> Result<Option<Layers>, ShapeError> {
        let reader = &shaper.reader;
        let product = reader.get(element)?;
        let Some(composition) = Links::of_one(reader.model).composition_of(element) else { return Ok(None) };
        let Some(usage) = composition.usage.filter(|u| u.direction.is_some()) else { return Ok(None) };
        let frame = shaper.frame(&product)?;
        let across = match usage.direction.as_deref() {
            Some("AXIS1") => frame.x_axis,
            Some("AXIS3") => frame.z_axis,
            _ => frame.y_axis,
        };
        let sense = if usage.sense.as_deref() == Some("NEGATIVE") { -1.0 } else { 1.0 };
        let metres = |v: Option<f64>| v.map(|v| v * reader.metre).filter(|v| v.is_finite()).unwrap_or(0.0);
        let mut at = metres(usage.offset);
        let mut bands = Vec::with_capacity(composition.parts.len());
        for part in composition.parts {
            let next = at + sense * metres(part.thickness).max(0.0);
            if (next - at).abs() > THINNEST {
                let (from, to) = (at.min(next), at.max(next));
                bands.push(Band { layer: part.id, material: part.material, from, to });
            }
            at = next;
        }
        Ok((!bands.is_empty()).then_some(Layers { origin: frame.translation, across, bands }))
    }

    /// The direction across the layers, at length one.
    pub fn across(&self) -> DVec3 {
        self.across
    }

    /// The faces of the layers together: the least and greatest distance from the element's origin, in metres.
    pub fn extent(&self) -> Option<(f64, f64)> {
        let (from, to) = (self.bands.iter().map(|b| b.from), self.bands.iter().map(|b| b.to));
        from.reduce(f64::min).zip(to.reduce(f64::max))
    }

    /// Divides a cut of the element by its layers, in their order; what lies in none comes last.
    pub fn divide(&self, outline: &Outline, plane: &Plane) -> Vec<LayerPiece> {
        let loops: Vec<Loop> = outline.areas.iter().flat_map(|a| a.loops().cloned()).collect();
        let Some((low, high)) = outline.bounds().filter(|_| !loops.is_empty()) else { return Vec::new() };
        // the distance from the reference plane, at a point of the cutting plane
        let slope = DVec2::new(self.across.dot(plane.frame.x_axis), self.across.dot(plane.frame.y_axis));
        let steep = slope.length();
        let centre = low.midpoint(high);
        let height = self.across.dot(plane.lift(centre) - self.origin);
        let reach = (high.x - low.x) + (high.y - low.y) + 1.0;
        let mut pieces = Vec::new();
        let mut covered: Vec<Loop> = Vec::new();
        for band in &self.bands {
            let areas = if steep * reach < THINNEST {
                // the cut runs along the layers: it lies in one of them
                if height < band.from || height >= band.to {
                    continue;
                }
                covered.clone_from(&loops);
                outline.areas.clone()
            } else {
                let n = slope / steep;
                let limit = |d: f64| ((d - height) / steep).clamp(-reach, reach);
                let (from, to) = (limit(band.from), limit(band.to));
                let at = |along: f64, off: f64| centre + n * off + n.perp() * along;
                let strip = vec![at(-reach, from), at(-reach, to), at(reach, to), at(reach, from)];
                let areas = region::intersection(&loops, std::slice::from_ref(&strip));
                covered.push(strip);
                areas
            };
            if !areas.is_empty() {
                pieces.push(LayerPiece { layer: band.layer, material: band.material, areas });
            }
        }
        let left = if covered.is_empty() {
            outline.areas.clone()
        } else {
            let covered: Vec<Loop> =
                region::union(&covered).iter().flat_map(|a| a.loops().cloned()).collect();
            region::difference(&loops, &covered)
        };
        // what rounding leaves at a face is no piece
        let left: Vec<Area> = left.into_iter().filter(|a| a.size() > THINNEST * reach).collect();
        if !left.is_empty() {
            pieces.push(LayerPiece { layer: None, material: None, areas: left });
        }
        pieces
    }
}
