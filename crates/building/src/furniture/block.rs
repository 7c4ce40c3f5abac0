//! The parts that a piece of furniture is put together of: outlines extruded upright or across, each with a finish.
//!
//! A piece stands on z 0; x runs along its width from the middle, y from its back to its front. Lengths in mm.

use crate::anything::colour::Colour;
use crate::author::Author;
use crate::frame::Frame;
use contract::Fault;
use geometry::region::rectangle;
use glam::{DAffine3, DVec2, DVec3};
use ifc::Id;
use std::f64::consts::{FRAC_PI_2, TAU};

/// The look of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// Wood.
    Wood,
    /// Painted board.
    Board,
    /// Covered with cloth.
    Fabric,
    /// Linen, pillows.
    Linen,
    /// Ceramic, enamel, acrylic.
    Ceramic,
    /// Metal.
    Metal,
    /// Stone, worktops.
    Stone,
    /// Dark glass or plastic.
    Dark,
    /// Clear glass.
    Glass,
}

impl Finish {
    /// Its colour where none is asked for.
    pub fn colour(self) -> Colour {
        match self {
            Self::Wood => [196, 158, 112, 255],
            Self::Board => [236, 234, 228, 255],
            Self::Fabric => [122, 134, 148, 255],
            Self::Linen => [242, 240, 234, 255],
            Self::Ceramic => [248, 248, 246, 255],
            Self::Metal => [168, 172, 176, 255],
            Self::Stone => [96, 96, 98, 255],
            Self::Dark => [40, 42, 46, 255],
            Self::Glass => [184, 214, 224, 96],
        }
    }

    /// The material that is named where none is asked for.
    pub fn material(self) -> &'static str {
        match self {
            Self::Wood => "Wood",
            Self::Board => "Coated chipboard",
            Self::Fabric | Self::Linen => "Upholstery",
            Self::Ceramic => "Ceramic",
            Self::Metal => "Steel",
            Self::Stone => "Stone",
            Self::Dark | Self::Glass => "Glass",
        }
    }
}

/// The way an outline is extruded.
#[derive(Debug, Clone, PartialEq)]
enum Way {
    /// An outline in plan with holes, upward.
    Upright(Vec<DVec2>, Vec<Vec<DVec2>>),
    /// An outline in y and z, along x.
    Across(Vec<DVec2>),
}

/// One part.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    way: Way,
    from: f64,
    to: f64,
    /// Its finish.
    pub finish: Finish,
}

impl Block {
    /// An outline in plan with a hole, between two heights.
    pub fn hollow(outline: Vec<DVec2>, hole: Vec<DVec2>, z: [f64; 2], finish: Finish) -> Self {
        Self { way: Way::Upright(outline, vec![hole]), from: z[0], to: z[1], finish }
    }

    /// An outline in plan between two heights.
    pub fn upright(outline: Vec<DVec2>, z: [f64; 2], finish: Finish) -> Self {
        Self { way: Way::Upright(outline, Vec::new()), from: z[0], to: z[1], finish }
    }

    /// A box.
    pub fn cuboid(x: [f64; 2], y: [f64; 2], z: [f64; 2], finish: Finish) -> Self {
        Self::upright(rectangle(DVec2::new(x[0], y[0]), DVec2::new(x[1], y[1])), z, finish)
    }

    /// An outline in y and z, from one x to another.
    pub fn across(outline: Vec<DVec2>, x: [f64; 2], finish: Finish) -> Self {
        Self { way: Way::Across(outline), from: x[0], to: x[1], finish }
    }

    /// A round bar between two heights.
    pub fn pole(centre: DVec2, radius: f64, z: [f64; 2], finish: Finish) -> Self {
        Self::upright(ellipse(centre, DVec2::splat(radius)), z, finish)
    }

    /// Writes it as a solid.
    pub fn write(&self, author: &mut Author) -> Result<Id, Fault> {
        let depth = self.to - self.from;
        match &self.way {
            Way::Upright(outline, holes) => author.upright(outline, holes, self.from, depth),
            Way::Across(outline) => {
                let plane = DAffine3::from_cols(DVec3::Y, DVec3::Z, DVec3::X, DVec3::X * self.from);
                author.extrusion(&Frame(plane), outline, &[], depth)
            }
        }
    }
}

/// An ellipse of straight pieces.
pub fn ellipse(centre: DVec2, radii: DVec2) -> Vec<DVec2> {
    (0..32).map(|i| TAU * f64::from(i) / 32.0).map(|a| centre + radii * DVec2::from_angle(a)).collect()
}

/// A rectangle with rounded corners: radii at its back and at its front.
pub fn rounded(x: [f64; 2], y: [f64; 2], back: f64, front: f64) -> Vec<DVec2> {
    let most = (x[1] - x[0]).min(y[1] - y[0]) * 0.49;
    let corners = [
        (DVec2::new(x[0], y[0]), DVec2::new(1.0, 1.0), back, 2.0),
        (DVec2::new(x[1], y[0]), DVec2::new(-1.0, 1.0), back, 3.0),
        (DVec2::new(x[1], y[1]), DVec2::new(-1.0, -1.0), front, 0.0),
        (DVec2::new(x[0], y[1]), DVec2::new(1.0, -1.0), front, 1.0),
    ];
    let mut outline = Vec::new();
    for (corner, inward, radius, quarter) in corners {
        let radius = radius.min(most);
        if radius < 1.0 {
            outline.push(corner);
            continue;
        }
        let centre = corner + inward * radius;
        for i in 0..=6 {
            let angle = FRAC_PI_2 * (quarter + f64::from(i) / 6.0);
            outline.push(centre + DVec2::from_angle(angle) * radius);
        }
    }
    outline
}
