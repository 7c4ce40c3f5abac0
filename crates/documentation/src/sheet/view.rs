//! Views by their names: the drawing that `plan:Level 1` or `elevation:south` asks for.

use super::definition::ViewDefinition;
use super::error::BadSheet;
use crate::drawing::{Kind, Wanted};
use crate::style::Style;
use building::lookup;
use geometry::Bounds;
use geometry::scene::Scene;
use glam::DVec3;

/// Metres above a floor at which plans are cut.
const CUT: f64 = 1.2;
/// The height of the viewer of an axonometry by its distance in plan.
const ABOVE: f64 = 0.8;

/// Walls no thicker than this, in metres, are kept clear of sections that run along them, by so much on either side.
const THICK: f64 = 0.8;
const CLEAR: f64 = 0.1;
/// Steps beside the middle at which a section may lie, in metres, and how many on either side.
const STEP: f64 = 0.2;
const STEPS: i32 = 15;

/// The winds, each with the direction to it.
const WINDS: [(&str, [f64; 2]); 8] = [
    ("north", [0.0, 1.0]),
    ("north-east", [1.0, 1.0]),
    ("east", [1.0, 0.0]),
    ("south-east", [1.0, -1.0]),
    ("south", [0.0, -1.0]),
    ("south-west", [-1.0, -1.0]),
    ("west", [-1.0, 0.0]),
    ("north-west", [-1.0, 1.0]),
];

/// The kinds of views, for errors.
const KINDS: [&str; 5] = ["plan", "ceiling", "section", "elevation", "axonometry"];

/// The drawing that a view asks for.
pub(super) fn wanted(scene: &Scene, view: &ViewDefinition, style: &Style) -> Result<Wanted, BadSheet> {
    let fail = |reason: String| BadSheet::View { view: view.drawing.chars().take(80).collect(), reason };
    let (kind, rest) = view.drawing.split_once(':').map_or((view.drawing.as_str(), ""), |(k, r)| (k, r));
    let (kind, rest) = (kind.trim().to_lowercase(), rest.trim());
    let height = view.height.unwrap_or(CUT);
    if !(height.is_finite() && height.abs() <= 1000.0) {
        return Err(fail("its height is no number of metres".into()));
    }
    let storey = || lookup::storey(scene.model(), "drawing", rest).map_err(|fault| fail(fault.message));
    let direction = view.direction.map(DVec3::from_array);
    let wind = |height: f64| -> Result<DVec3, BadSheet> {
        if let Some(direction) = direction {
            return Ok(direction);
        }
        let name = rest.to_lowercase();
        let found = WINDS.iter().find(|(wind, _)| *wind == name);
        let [x, y] = found.map(|(_, way)| *way).ok_or_else(|| {
            let names: Vec<&str> = WINDS.iter().map(|(wind, _)| *wind).collect();
            fail(format!("name the side that it is seen from ({}), or give `direction`", names.join(", ")))
        })?;
        Ok(DVec3::new(x, y, height))
    };
    let kind = match kind.as_str() {
        "plan" => Kind::Plan { storey: storey()?, height },
        "ceiling" => Kind::CeilingPlan { storey: storey()?, height },
        "elevation" => Kind::Elevation { direction: wind(0.0)?.truncate() },
        "axonometry" => Kind::Axonometry { direction: wind(ABOVE)? },
        "section" => {
            let normal = match (direction, rest.to_lowercase().as_str()) {
                (Some(direction), _) => direction,
                (None, "x") => DVec3::NEG_X,
                (None, "y") => DVec3::NEG_Y,
                _ => {
                    return Err(fail(
                        "name the axis that it looks along (section:x, section:y), or give `direction`"
                            .into(),
                    ));
                }
            };
            let origin = view.at.map_or_else(|| cut_through(scene, normal), DVec3::from_array);
            Kind::Section { origin, normal }
        }
        other => {
            let near = lookup::near(other, KINDS.into_iter());
            let near = if near.is_empty() { KINDS.map(str::to_owned).to_vec() } else { near };
            return Err(fail(format!("there is no such kind of drawing; there are: {}", near.join(", "))));
        }
    };
    let mut wanted = Wanted::new(kind, view.scale);
    wanted.depth = view.depth;
    wanted.dimensions = view.dimensions;
    wanted.title = view.title.clone().or_else(|| corner(kind, style));
    Ok(wanted)
}

/// The title of an axonometry, with the corner that it is seen from: several of them stand on one sheet.
fn corner(kind: Kind, style: &Style) -> Option<String> {
    let Kind::Axonometry { direction } = kind else { return None };
    let words = style.words();
    let eighth = (direction.truncate().to_angle() / std::f64::consts::FRAC_PI_4).round() as i64;
    let wind = words.winds.get(eighth.rem_euclid(8) as usize)?;
    Some(format!("{} {wind}", words.axonometry))
}

/// The place of a section through the middle of a building, or beside that where it would run along within a wall.
fn cut_through(scene: &Scene, normal: DVec3) -> DVec3 {
    let (middle, across) = (middle(scene), normal.normalize_or_zero());
    let walls: Vec<&Bounds> = scene
        .entries()
        .iter()
        .filter(|e| e.is_drawn() && e.class.starts_with("IfcWall"))
        .map(|e| &e.bounds)
        .collect();
    let runs_along = |place: DVec3| {
        walls.iter().any(|bounds| {
            let size = bounds.size();
            // walls at an angle to both have boxes that say nothing
            let (thick, long) = (size.dot(across.abs()), size.truncate().length());
            let off = (bounds.centre() - place).dot(across).abs();
            thick < THICK && long > 2.0 * thick && off < thick / 2.0 + CLEAR
        })
    };
    let steps = (0..=STEPS).flat_map(|step| [f64::from(step), -f64::from(step)]);
    let mut places = steps.map(|step| middle + across * (step * STEP));
    places.find(|place| !runs_along(*place)).unwrap_or(middle)
}

/// The middle of all that is drawn.
fn middle(scene: &Scene) -> DVec3 {
    let drawn = scene.entries().iter().filter(|e| e.is_drawn() && !e.is_space);
    let all = drawn.fold(Bounds::EMPTY, |all, e| all.join(&e.bounds));
    if all.is_empty() { DVec3::ZERO } else { all.centre() }
}

/// A scale as it is written: `1:50`.
pub(super) fn scale(number: f64) -> String {
    format!("1:{}", (number * 1000.0).round() / 1000.0)
}
