//! Risers and treads by the rule of the step: twice the riser and once the tread make 630 mm, a riser is no higher than
//! 190 mm unless that is asked for.

use super::layout::{LONGEST_FLIGHT, Measures, Shape, Turn, fewest_risers, spiral_tread, steps_of_a_turn};
use super::run::{Build, block_depth};
use crate::author::Author;
use crate::measures::{finite, mm, not_negative, positive};
use contract::Fault;

/// Twice the riser and the tread, in mm.
pub const STEP: f64 = 630.0;
/// The highest riser that is chosen without being asked for, in mm.
pub const HIGHEST: f64 = 190.0;
/// The lowest and the highest riser taken, in mm.
const RISERS: (f64, f64) = (80.0, 260.0);
/// The shortest and the longest tread taken, in mm.
const TREADS: (f64, f64) = (150.0, 600.0);
/// The highest storey climbed by one stair, in mm.
const TALLEST: f64 = 20_000.0;

/// The wishes for the steps of a stair; what is left out is found by rule.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wishes {
    /// Height of a riser in mm, met as nearly as the storey lets it.
    pub riser: Option<f64>,
    /// Length of a tread in mm.
    pub tread: Option<f64>,
    /// Width of a flight in mm.
    pub width: Option<f64>,
    /// Depth of a landing in mm.
    pub landing: Option<f64>,
    /// The well of a U in mm.
    pub gap: Option<f64>,
    /// Boards between strings in place of a cast body.
    pub open: Option<bool>,
    /// Thickness of waist and landings in mm.
    pub thickness: Option<f64>,
    /// Clear height over the steps in mm.
    pub headroom: Option<f64>,
}

/// Clear height over steps in mm, where none is given.
pub const HEADROOM: f64 = 2000.0;
/// Thickness of waists and landings in mm, where none is given.
pub const THICKNESS: f64 = 150.0;
/// Width of a flight in mm, where none is given.
const WIDTH: f64 = 1000.0;
/// The well of a U in mm, where none is given.
const GAP: f64 = 100.0;

/// The measures of a stair with the way it is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sized {
    /// The measures of its plan.
    pub measures: Measures,
    /// The way it is built.
    pub build: Build,
    /// Thickness of its landings in mm.
    pub thickness: f64,
    /// Clear height over its steps in mm.
    pub headroom: f64,
}

impl Wishes {
    /// Checks what is given.
    pub fn check(&self) -> Result<(), Fault> {
        let within = |field: &str, value: Option<f64>, (low, high): (f64, f64)| match value {
            Some(value) if !(low..=high).contains(&positive(field, value)?) => Err(Fault::invalid(
                field,
                format!("`{field}` is {} mm; from {low} to {high} mm can be walked.", mm(value)),
            )),
            _ => Ok(()),
        };
        within("riser", self.riser, RISERS)?;
        within("tread", self.tread, TREADS)?;
        within("width", self.width, (400.0, 10_000.0))?;
        within("landing_depth", self.landing, (300.0, 20_000.0))?;
        within("thickness", self.thickness, (50.0, 1000.0))?;
        within("headroom", self.headroom, (1500.0, 10_000.0))?;
        if let Some(gap) = self.gap {
            not_negative("gap", gap)?;
            within("gap", Some(gap).filter(|gap| *gap > 0.0), (1.0, 5000.0))?;
        }
        Ok(())
    }

    /// Refuses what has no effect on a stair of a shape.
    pub fn suit(&self, shape: Shape) -> Result<(), Fault> {
        for (parameter, given) in [("gap", self.gap), ("landing_depth", self.landing)] {
            if let Some(of) = idle(parameter, shape).filter(|_| given.is_some()) {
                return Err(in_vain(parameter, shape, of));
            }
        }
        Ok(())
    }

    /// Refuses what has no effect on a stair as it is built.
    pub fn suit_build(&self, sized: &Sized, has_landings: bool) -> Result<(), Fault> {
        let is_bare = sized.build == Build::Open && !has_landings;
        match idle_of_boards("thickness", is_bare).filter(|_| self.thickness.is_some()) {
            Some(of) => Err(in_vain("thickness", sized.measures.shape, of)),
            None => Ok(()),
        }
    }

    /// The measures of a stair of one shape over a height in mm.
    pub fn sized(&self, shape: Shape, turn: Turn, height: f64) -> Result<Sized, Fault> {
        if !(finite("height", height)? >= 300.0 && height <= TALLEST) {
            return Err(Fault::invalid(
                "height",
                format!("The stair would climb {} mm; from 300 to {TALLEST} mm are taken.", mm(height)),
            )
            .with("height", mm(height)));
        }
        let by_tread = self.tread.map(|tread| ((STEP - tread) / 2.0).clamp(140.0, HIGHEST));
        let risers = match self.riser.or(by_tread) {
            Some(riser) => {
                let nearest = (height / riser).round();
                // a wish may be exceeded a little, the rule's limit not
                let least = if self.riser.is_some() { 1.0 } else { (height / HIGHEST - 1e-9).ceil() };
                nearest.max(least)
            }
            None => (height / HIGHEST - 1e-9).ceil(),
        }
        .max(2.0);
        let riser = height / risers;
        if !(RISERS.0..=RISERS.1).contains(&riser) {
            return Err(Fault::invalid(
                "riser",
                format!(
                    "{risers} risers of {} mm would climb the {} mm; give a riser that divides the height better.",
                    mm(riser),
                    mm(height)
                ),
            ));
        }
        let width = self.width.unwrap_or(if shape == Shape::Spiral { 800.0 } else { WIDTH });
        let open = self.open.unwrap_or(shape == Shape::Spiral);
        let thickness = self.thickness.unwrap_or(THICKNESS);
        let build = if open { Build::Open } else { Build::Solid(thickness) };
        let headroom = self.headroom.unwrap_or(HEADROOM);
        let mut measures = Measures {
            shape,
            turn,
            risers: risers as usize,
            riser,
            tread: self.tread.unwrap_or_else(|| (STEP - 2.0 * riser).clamp(220.0, 400.0)),
            width,
            landing: self.landing.unwrap_or(width),
            gap: self.gap.unwrap_or(GAP),
            parted: self.landing.is_some(),
        };
        let fewest = fewest_risers(shape, width, measures.tread);
        if measures.risers < fewest {
            return Err(Fault::invalid(
                "shape",
                format!(
                    "A {} stair has at least {fewest} risers, but {} climb {} mm; take straight.",
                    shape.word(),
                    measures.risers,
                    mm(height)
                ),
            ));
        }
        if shape == Shape::Spiral {
            let depth = block_depth(&measures, build, true);
            let turn = steps_of_a_turn(width, measures.tread, riser, depth, headroom);
            measures.tread = spiral_tread(width, turn);
        }
        Ok(Sized { measures, build, thickness, headroom })
    }

    /// Tells what was chosen for the caller.
    pub fn tell(&self, author: &mut Author, sized: &Sized) {
        let m = &sized.measures;
        if self.riser.is_none() || self.tread.is_none() {
            author.assume(format!(
                "{} risers of {} mm, treads of {} mm (2R+T = {} mm)",
                m.risers,
                mm(m.riser),
                mm(m.tread),
                mm(2.0 * m.riser + m.tread)
            ));
        } else if self.riser.is_some_and(|wish| (wish - m.riser).abs() > 0.1) {
            author.assume(format!("risers of {} mm, which divide the height evenly", mm(m.riser)));
        }
        if self.width.is_none() {
            author.assume(format!("width {} mm", mm(m.width)));
        }
        let lands = match m.shape {
            Shape::Straight => m.parted || m.risers > LONGEST_FLIGHT,
            Shape::L | Shape::U => true,
            Shape::Winder | Shape::Spiral => false,
        };
        if lands && self.landing.is_none() {
            author.assume(format!("landings {} mm deep", mm(m.landing)));
        }
        if self.open.is_none() {
            author.assume(match sized.build {
                Build::Solid(thickness) => format!("solid, waist {} mm", mm(thickness)),
                Build::Open if m.shape == Shape::Spiral => "boards around a pole".to_owned(),
                Build::Open => "boards between strings".to_owned(),
            });
        }
        if m.shape == Shape::U && self.gap.is_none() {
            author.assume(format!("well of {} mm between the flights", mm(m.gap)));
        }
    }
}

fn in_vain(parameter: &str, shape: Shape, of: &str) -> Fault {
    Fault::invalid(
        parameter,
        format!("`{parameter}` has no effect on a {} stair; it is that of {of}. Leave it out.", shape.word()),
    )
}

/// The stairs that a parameter is for, where it has no effect on one of this shape.
pub fn idle(parameter: &str, shape: Shape) -> Option<&'static str> {
    match parameter {
        "gap" if shape != Shape::U => Some("stairs of shape u"),
        "landing_depth" if shape == Shape::L => {
            Some("straight stairs and those of shape u; a quarter landing is as deep as the stair is wide")
        }
        "landing_depth" if matches!(shape, Shape::Winder | Shape::Spiral) => {
            Some("straight stairs and those of shape u")
        }
        _ => None,
    }
}

/// The same for a stair that is of boards and has no landing, if it is so bare.
pub fn idle_of_boards(parameter: &str, is_bare: bool) -> Option<&'static str> {
    (parameter == "thickness" && is_bare).then_some("solid stairs and of landings")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(wishes: Wishes, height: f64) -> (usize, f64, f64) {
        let m = wishes.sized(Shape::Straight, Turn::Left, height).unwrap().measures;
        (m.risers, m.riser, m.tread)
    }

    #[test]
    fn steps_follow_the_rule_and_what_is_wished() {
        assert_eq!(sized(Wishes::default(), 3000.0), (16, 187.5, 255.0));
        assert_eq!(sized(Wishes::default(), 2850.0), (15, 190.0, 250.0));
        assert_eq!(sized(Wishes { tread: Some(290.0), ..Wishes::default() }, 3060.0), (18, 170.0, 290.0));
        assert_eq!(sized(Wishes { riser: Some(200.0), ..Wishes::default() }, 3000.0), (15, 200.0, 230.0));
    }

    #[test]
    fn what_nobody_can_walk_is_refused_with_the_field() {
        let wishes = Wishes { riser: Some(900.0), ..Wishes::default() };
        assert_eq!(wishes.check().unwrap_err().data["field"], "riser");
        assert_eq!(
            Wishes::default().sized(Shape::L, Turn::Left, f64::NAN).unwrap_err().data["field"],
            "height"
        );
    }
}
