//! The outlines of rolled and hollow sections, as their standards and IFC describe them: dimensions, and the area by formula.

use std::f64::consts::{FRAC_PI_2, PI};

/// The dimensions of a rolled or hollow section, in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Two flanges and a web: IPE, HE, W.
    I {
        /// Overall depth.
        depth: f64,
        /// Overall width.
        width: f64,
        /// Thickness of the web.
        web: f64,
        /// Thickness of the flanges.
        flange: f64,
        /// Radius between web and flange.
        fillet: f64,
    },
    /// A channel: UPN, UPE, C.
    U {
        /// Overall depth.
        depth: f64,
        /// Overall width.
        width: f64,
        /// Thickness of the web.
        web: f64,
        /// Thickness of the flanges at half the width.
        flange: f64,
        /// Radius between web and flange.
        fillet: f64,
        /// Radius at the flanges' toes.
        edge: f64,
        /// Slope of the flanges' inner faces, as a tangent.
        slope: f64,
    },
    /// An angle.
    L {
        /// The leg along y.
        depth: f64,
        /// The leg along x.
        width: f64,
        /// Thickness of both.
        thickness: f64,
        /// Radius between the legs.
        fillet: f64,
        /// Radius at their toes.
        edge: f64,
    },
    /// A rectangular tube.
    Box {
        /// Overall depth.
        depth: f64,
        /// Overall width.
        width: f64,
        /// Thickness of the wall.
        wall: f64,
        /// Radius of the corners outside.
        outer: f64,
        /// Radius of the corners inside.
        inner: f64,
    },
    /// A round tube.
    Tube {
        /// Outer diameter.
        diameter: f64,
        /// Thickness of the wall.
        wall: f64,
    },
}

/// The area between a corner of an angle and the arc that rounds it.
fn rounding(angle: f64, radius: f64) -> f64 {
    radius * radius * ((angle / 2.0).tan().recip() - (PI - angle) / 2.0)
}

impl Shape {
    /// The area of the section in mm².
    pub fn area(&self) -> f64 {
        match *self {
            Self::I { depth, width, web, flange, fillet } => {
                2.0 * width * flange + (depth - 2.0 * flange) * web + 4.0 * rounding(FRAC_PI_2, fillet)
            }
            Self::U { depth, width, web, flange, fillet, edge, slope } => {
                // the flange's middle lies beyond the middle of the width by half the web
                let mean = flange + slope * web / 2.0 - slope * web;
                let corner = FRAC_PI_2 + slope.atan();
                depth * web
                    + 2.0 * (width - web) * mean
                    + 2.0 * (rounding(corner, fillet) - rounding(corner, edge))
            }
            Self::L { depth, width, thickness, fillet, edge } => {
                thickness * (depth + width - thickness) + rounding(FRAC_PI_2, fillet)
                    - 2.0 * rounding(FRAC_PI_2, edge)
            }
            Self::Box { depth, width, wall, outer, inner } => {
                2.0 * wall * (depth + width - 2.0 * wall)
                    - 4.0 * (rounding(FRAC_PI_2, outer) - rounding(FRAC_PI_2, inner))
            }
            Self::Tube { diameter, wall } => PI * (diameter - wall) * wall,
        }
    }

    /// Returns its depth and width over all, in mm.
    pub fn size(&self) -> (f64, f64) {
        match *self {
            Self::I { depth, width, .. }
            | Self::U { depth, width, .. }
            | Self::L { depth, width, .. }
            | Self::Box { depth, width, .. } => (depth, width),
            Self::Tube { diameter, .. } => (diameter, diameter),
        }
    }

    /// A hot finished hollow section by EN 10210-2, or a cold formed one by EN 10219-2: the standards say how round its corners are.
    pub fn hollow(depth: f64, width: f64, wall: f64, is_cold: bool) -> Self {
        let (outer, inner) = match wall {
            _ if !is_cold => (1.5, 1.0),
            thin if thin <= 6.0 => (2.0, 1.0),
            middling if middling <= 10.0 => (2.5, 1.5),
            _ => (3.0, 2.0),
        };
        Self::Box { depth, width, wall, outer: outer * wall, inner: inner * wall }
    }
}
