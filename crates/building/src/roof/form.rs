//! The form of a roof as it is asked for, and what is held to before anything is built.

use crate::author::Author;
use contract::Fault;

/// The shape of a roof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RoofShape {
    /// Level.
    #[default]
    Flat,
    /// One plane that rises from one side.
    Shed,
    /// Planes that meet in a ridge, with upright gables at its ends.
    Gable,
    /// Planes that rise from every side.
    Hip,
    /// Steep planes from every side up to a break, flatter ones above.
    Mansard,
}

impl RoofShape {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Flat, Self::Shed, Self::Gable, Self::Hip, Self::Mansard];

    /// The item of IfcRoofTypeEnum.
    pub fn predefined(self) -> &'static str {
        match self {
            Self::Flat => "FLAT_ROOF",
            Self::Shed => "SHED_ROOF",
            Self::Gable => "GABLE_ROOF",
            Self::Hip => "HIP_ROOF",
            Self::Mansard => "MANSARD_ROOF",
        }
    }

    /// The word that tools have for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Shed => "shed",
            Self::Gable => "gable",
            Self::Hip => "hip",
            Self::Mansard => "mansard",
        }
    }

    /// The shape that a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.word() == word)
    }

    /// The pitch that it has where none is asked for, in degrees.
    pub fn usual_pitch(self) -> f64 {
        match self {
            Self::Flat => 0.0,
            Self::Shed => 10.0,
            Self::Gable | Self::Hip => 35.0,
            Self::Mansard => 70.0,
        }
    }
}

/// The form of a roof that is not flat.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// Its shape.
    pub shape: RoofShape,
    /// Its pitch in degrees; of a mansard roof, below its break.
    pub pitch: f64,
    /// The pitch of a mansard roof above its break.
    pub upper_pitch: f64,
    /// The height of a mansard roof's break above the outline, in mm.
    pub break_height: Option<f64>,
    /// The sides that the planes rise from, from 0; all others of a gable roof have gables. Found where it is empty.
    pub eaves: Vec<usize>,
    /// The direction of a gable roof's ridge in plan, in degrees from x.
    pub ridge_direction: Option<f64>,
}

/// The form asked for, as far as it was said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wish {
    /// The shape.
    pub shape: RoofShape,
    /// Pitch in degrees.
    pub pitch: Option<f64>,
    /// Pitch of a mansard roof above its break.
    pub upper_pitch: Option<f64>,
    /// Height of a mansard roof's break in mm.
    pub break_height: Option<f64>,
    /// The numbers of the sides with eaves, from 1.
    pub eaves: Option<Vec<usize>>,
    /// The direction of the ridge in degrees.
    pub ridge_direction: Option<f64>,
}

/// The pitches taken, in degrees.
const PITCHES: (f64, f64) = (0.5, 85.0);

impl Wish {
    /// The form for an outline of so many sides; what was not said is chosen, and told.
    pub fn form(&self, author: &mut Author, sides: usize) -> Result<Form, Fault> {
        let shape = self.shape;
        let only = |field: &str, given: bool, takes: &[RoofShape]| {
            if !given || takes.contains(&shape) {
                return Ok(());
            }
            let words: Vec<&str> = takes.iter().map(|s| s.word()).collect();
            Err(Fault::invalid(
                field,
                format!(
                    "A {} roof has no `{field}`; leave it out, or give shape={}.",
                    shape.word(),
                    words.join(" or ")
                ),
            )
            .with("shapes", words))
        };
        use RoofShape::{Gable, Hip, Mansard, Shed};
        only("pitch", self.pitch.is_some(), &[Shed, Gable, Hip, Mansard])?;
        only("upper_pitch", self.upper_pitch.is_some(), &[Mansard])?;
        only("break_height", self.break_height.is_some(), &[Mansard])?;
        only("eaves", self.eaves.is_some(), &[Shed, Gable])?;
        only("ridge_direction", self.ridge_direction.is_some(), &[Gable])?;
        let pitch = if let Some(pitch) = self.pitch {
            angle("pitch", pitch)?
        } else {
            if shape != RoofShape::Flat {
                author.assume(format!("pitch {}°", shape.usual_pitch()));
            }
            shape.usual_pitch()
        };
        let upper_pitch = if let Some(pitch) = self.upper_pitch {
            angle("upper_pitch", pitch)?
        } else {
            let usual = (pitch / 2.0).min(30.0);
            if shape == Mansard {
                author.assume(format!("upper_pitch {usual}°"));
            }
            usual
        };
        if shape == Mansard && upper_pitch >= pitch - 0.5 {
            return Err(Fault::invalid(
                "upper_pitch",
                format!("`upper_pitch` is {upper_pitch}°; above its break a mansard roof is flatter than below ({pitch}°)."),
            )
            .with("below", pitch));
        }
        if let Some(height) = self.break_height {
            crate::measures::positive("break_height", height)?;
        }
        if let Some(degrees) = self.ridge_direction
            && !(degrees.is_finite() && degrees.abs() <= 360.0)
        {
            return Err(Fault::invalid(
                "ridge_direction",
                format!(
                    "`ridge_direction` is {degrees}; it is an angle in plan, counter-clockwise from x, from 0 to 180 degrees."
                ),
            ));
        }
        if self.ridge_direction.is_some() && self.eaves.is_some() {
            return Err(Fault::invalid(
                "eaves",
                "Give either `eaves` or `ridge_direction`: each says where the gables are.",
            ));
        }
        let mut eaves = Vec::new();
        for (i, side) in self.eaves.iter().flatten().enumerate() {
            if *side == 0 || *side > sides {
                return Err(Fault::invalid(
                    &format!("eaves[{i}]"),
                    format!("There is no side {side}; sides are numbered from 1 (from the first corner to the second) to {sides}."),
                )
                .with("sides", sides));
            }
            eaves.push(side - 1);
        }
        if self.eaves.as_ref().is_some_and(Vec::is_empty) {
            return Err(Fault::invalid(
                "eaves",
                "`eaves` is empty; a roof rises from at least one side. Leave it out to have them chosen.",
            ));
        }
        let (break_height, ridge_direction) = (self.break_height, self.ridge_direction);
        Ok(Form { shape, pitch, upper_pitch, break_height, eaves, ridge_direction })
    }
}

fn angle(field: &str, degrees: f64) -> Result<f64, Fault> {
    if degrees.is_finite() && (PITCHES.0..=PITCHES.1).contains(&degrees) {
        return Ok(degrees);
    }
    Err(Fault::invalid(
        field,
        format!(
            "`{field}` is {degrees}°; it is an angle to the level from {} to {} degrees.",
            PITCHES.0, PITCHES.1
        ),
    )
    .with("smallest", PITCHES.0)
    .with("largest", PITCHES.1))
}
