//! Outlines of buildings by points or by a form that has a name: rectangle, L, U, regular polygon.

use crate::modelling::Point;
use building::polygon::boundary;
use contract::Fault;
use glam::DVec2;
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::TAU;

/// Sides of a regular polygon, at least and at most.
const SIDES: std::ops::RangeInclusive<u32> = 3..=64;

/// An outline asked for.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected corners [[x, y], …] in mm, or a form such as {\"form\": \"rectangle\", \"width\": 10000, \"depth\": 8000}, {\"form\": \"l\" or \"u\", width, depth, cut_width, cut_depth} or {\"form\": \"regular\", \"sides\": 6, \"side\": 5000}"
)]
pub(crate) enum Outline {
    /// Corners [[x, y], …] in mm.
    Points(Vec<Point>),
    /// A form; side 1 is its south.
    Form(Named),
}

/// A form with a name, its sides along the axes.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Named {
    form: FormName,
    /// mm, west to east.
    #[schemars(extend("x-seldom" = true))]
    width: Option<f64>,
    /// mm, south to north.
    #[schemars(extend("x-seldom" = true))]
    depth: Option<f64>,
    /// mm that an l lacks in its north-east, a u in the middle of its north.
    #[schemars(extend("x-seldom" = true))]
    cut_width: Option<f64>,
    /// mm.
    #[schemars(extend("x-seldom" = true))]
    cut_depth: Option<f64>,
    /// How many, of a regular polygon.
    #[schemars(extend("x-seldom" = true))]
    sides: Option<u32>,
    /// Length of each, mm.
    #[schemars(extend("x-seldom" = true))]
    side: Option<f64>,
    /// [x, y] of the south-west corner, of a regular polygon its middle.
    #[schemars(extend("x-seldom" = true, "default" = [0, 0]))]
    origin: Option<[f64; 2]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FormName {
    Rectangle,
    L,
    U,
    Regular,
}

impl FormName {
    fn word(self) -> &'static str {
        match self {
            Self::Rectangle => "rectangle",
            Self::L => "l",
            Self::U => "u",
            Self::Regular => "regular",
        }
    }
}

impl Outline {
    /// Returns the corners in mm, counter-clockwise, where a form was given from its south on.
    pub(crate) fn corners(&self, field: &str) -> Result<Vec<DVec2>, Fault> {
        match self {
            Self::Points(points) => boundary(field, points),
            Self::Form(form) => form.corners(field),
        }
    }
}

impl Named {
    fn corners(&self, field: &str) -> Result<Vec<DVec2>, Fault> {
        let taken: &[&str] = match self.form {
            FormName::Rectangle => &["width", "depth"],
            FormName::L | FormName::U => &["width", "depth", "cut_width", "cut_depth"],
            FormName::Regular => &["sides", "side"],
        };
        let given = [
            ("width", self.width),
            ("depth", self.depth),
            ("cut_width", self.cut_width),
            ("cut_depth", self.cut_depth),
            ("sides", self.sides.map(f64::from)),
            ("side", self.side),
        ];
        let length = |name: &str| -> Result<f64, Fault> {
            let at = format!("{field}.{name}");
            let value = given.iter().find(|(known, _)| *known == name).and_then(|(_, value)| *value);
            match value {
                Some(value) if value.is_finite() && value > 0.0 => Ok(value),
                Some(value) => Err(Fault::invalid(&at, format!("`{at}` is {value}; give mm, more than 0."))),
                None => {
                    let problem =
                        format!("A {} needs {}; `{name}` is missing.", self.form.word(), taken.join(", "));
                    Err(Fault::invalid(&at, problem))
                }
            }
        };
        if let Some((name, _)) = given.iter().find(|(name, value)| value.is_some() && !taken.contains(name)) {
            let problem =
                format!("A {} takes {} and origin, but no `{name}`.", self.form.word(), taken.join(", "));
            return Err(Fault::invalid(&format!("{field}.{name}"), problem));
        }
        let origin = DVec2::from(self.origin.unwrap_or_default());
        if !origin.is_finite() {
            return Err(Fault::invalid(&format!("{field}.origin"), "`origin` is no point in mm."));
        }
        let points: Vec<[f64; 2]> = match self.form {
            FormName::Rectangle => {
                let (width, depth) = (length("width")?, length("depth")?);
                vec![[0.0, 0.0], [width, 0.0], [width, depth], [0.0, depth]]
            }
            FormName::Regular => {
                let side = length("side")?;
                let sides = self.sides.unwrap_or_default();
                if !SIDES.contains(&sides) {
                    let at = format!("{field}.sides");
                    let (least, most) = (SIDES.start(), SIDES.end());
                    return Err(Fault::invalid(
                        &at,
                        format!("A regular polygon needs `sides`, {least} to {most}."),
                    ));
                }
                let (count, step) = (f64::from(sides), TAU / f64::from(sides));
                let radius = side / (2.0 * (TAU / 2.0 / count).sin());
                let first = -TAU / 4.0 - step / 2.0;
                (0..sides)
                    .map(|n| {
                        let (sin, cos) = (first + step * f64::from(n)).sin_cos();
                        [radius * cos, radius * sin]
                    })
                    .collect()
            }
            FormName::L | FormName::U => {
                let (width, depth) = (length("width")?, length("depth")?);
                let (cut_width, cut_depth) = (length("cut_width")?, length("cut_depth")?);
                for (name, cut, whole) in [("cut_width", cut_width, width), ("cut_depth", cut_depth, depth)] {
                    if cut >= whole {
                        let problem =
                            format!("`{name}` is {cut} of {whole} mm, which leaves nothing beside it.");
                        return Err(Fault::invalid(&format!("{field}.{name}"), problem));
                    }
                }
                let (low, east) = (depth - cut_depth, width - cut_width);
                if self.form == FormName::L {
                    vec![[0.0, 0.0], [width, 0.0], [width, low], [east, low], [east, depth], [0.0, depth]]
                } else {
                    let (left, right) = (east / 2.0, f64::midpoint(width, cut_width));
                    vec![
                        [0.0, 0.0],
                        [width, 0.0],
                        [width, depth],
                        [right, depth],
                        [right, low],
                        [left, low],
                        [left, depth],
                        [0.0, depth],
                    ]
                }
            }
        };
        Ok(points.into_iter().map(|point| origin + DVec2::from(point)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use building::polygon::{area, signed_area};
    use serde_json::{Value, json};

    fn corners(outline: Value) -> Result<Vec<DVec2>, Fault> {
        serde_json::from_value::<Outline>(outline).unwrap().corners("outline")
    }

    #[test]
    fn forms_have_their_areas_turn_counter_clockwise_and_begin_in_the_south() {
        for (outline, square_metres, sides) in [
            (json!([[0, 0], [4000, 0], [4000, 3000], [0, 3000]]), 12.0, 4),
            (json!({"form": "rectangle", "width": 4000, "depth": 3000, "origin": [1000, -500]}), 12.0, 4),
            (
                json!({"form": "l", "width": 4000, "depth": 3000, "cut_width": 1000, "cut_depth": 1000}),
                11.0,
                6,
            ),
            (
                json!({"form": "u", "width": 4000, "depth": 3000, "cut_width": 2000, "cut_depth": 1000}),
                10.0,
                8,
            ),
            (json!({"form": "regular", "sides": 6, "side": 2000}), 6.0 * 3_f64.sqrt(), 6),
        ] {
            let made = corners(outline.clone()).unwrap();
            assert_eq!(made.len(), sides, "{outline}");
            assert!((area(&made) / 1e6 - square_metres).abs() < 1e-9, "{outline}: {}", area(&made));
            assert!(signed_area(&made) > 0.0, "{outline}");
            let south = made.iter().map(|point| point.y).fold(f64::INFINITY, f64::min);
            assert!(
                (made[0].y - south).abs() < 1e-6 && (made[1].y - south).abs() < 1e-6,
                "{outline}: {made:?}"
            );
        }
    }

    #[test]
    fn a_form_that_lacks_something_or_has_too_much_is_refused_by_the_field() {
        for (outline, field) in [
            (json!({"form": "rectangle", "width": 4000}), "outline.depth"),
            (json!({"form": "rectangle", "width": 4000, "depth": -1}), "outline.depth"),
            (json!({"form": "rectangle", "width": 4000, "depth": 1, "sides": 4}), "outline.sides"),
            (
                json!({"form": "l", "width": 9, "depth": 9, "cut_width": 9, "cut_depth": 1}),
                "outline.cut_width",
            ),
            (json!({"form": "regular", "side": 9}), "outline.sides"),
            (json!({"form": "regular", "sides": 2, "side": 9}), "outline.sides"),
        ] {
            assert_eq!(corners(outline.clone()).unwrap_err().data["field"], field, "{outline}");
        }
    }
}
