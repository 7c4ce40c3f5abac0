//! Overhangs above windows and fins beside them.

use super::Change;
use super::facts::Facts;
use super::glazing::windows;
use super::selector::Selector;
use super::work::Work;
use crate::idf::Handle;
use contract::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Overhangs above outer windows. One that a window has is replaced.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Overhang {
    /// In m; or `depth_share`.
    pub depth: Option<f64>,
    /// Depth as a share of the window's height.
    pub depth_share: Option<f64>,
    /// Above the window, in m.
    pub offset: f64,
    /// To each side beyond the window, in m.
    pub extension: f64,
    /// The part of the model.
    pub by: Selector,
}

/// Fins on both sides of outer windows. Those that a window has are replaced.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Fins {
    /// In m; or `depth_share`.
    pub depth: Option<f64>,
    /// Depth as a share of the window's width.
    pub depth_share: Option<f64>,
    /// From the window to either side, in m.
    pub offset: f64,
    /// The part of the model.
    pub by: Selector,
}

fn depth_of(depth: Option<f64>, share: Option<f64>) -> Result<(f64, bool), Fault> {
    let given = match (depth, share) {
        (Some(depth), None) => (depth, false),
        (None, Some(share)) => (share, true),
        _ => return Err(Fault::invalid("depth", "Give one of depth, depth_share.")),
    };
    if given.0.is_finite() && given.0 > 0.0 && given.0 <= 50.0 {
        Ok(given)
    } else {
        Err(Fault::invalid("depth", "The depth is above 0 and at most 50."))
    }
}

fn is_length(field: &str, value: f64) -> Result<(), Fault> {
    if value.is_finite() && (0.0..=50.0).contains(&value) {
        Ok(())
    } else {
        Err(Fault::invalid(field, format!("`{field}` is between 0 and 50 m.")))
    }
}

/// Puts a shade on every window that looks sideways, in the place of those of these types.
fn hang(
    work: &mut Work,
    facts: &Facts,
    by: &Selector,
    types: [&str; 2],
    is_share: bool,
    fields: impl Fn(&str) -> Value,
) -> Result<(usize, f64, usize), Fault> {
    let own_type = types.get(usize::from(is_share)).copied().unwrap_or_default();
    let (mut hung, mut area, mut replaced) = (0, 0.0, 0);
    for window in windows(facts, by)? {
        if !(60.0..=120.0).contains(&window.tilt()) {
            work.skip(format!("window `{}`", window.name), "it lies flat");
            continue;
        }
        let old: Vec<Handle> = types
            .iter()
            .flat_map(|kind| work.document.of_type(kind))
            .filter(|own| {
                own.get("window_or_door_name").is_some_and(|name| name.eq_ignore_ascii_case(&window.name))
            })
            .map(|own| own.handle())
            .collect();
        replaced += old.len();
        work.remove(&old)?;
        let kind = own_type.rsplit(':').find(|word| *word != "Projection").unwrap_or_default();
        let name = work.free_name(own_type, &format!("{} {kind}", window.name));
        work.add(own_type, &name, fields(&window.name))?;
        hung += 1;
        area += window.area();
    }
    if hung == 0 {
        return Err(by.nothing("window that looks sideways", facts));
    }
    let distribution = work.document.of_type("Building").next().and_then(|own| own.get("solar_distribution"));
    if distribution.is_some_and(|word| word.eq_ignore_ascii_case("MinimalShadowing")) {
        work.skip(
            "shadows",
            "the solar distribution of the Building is MinimalShadowing, which leaves most of them out",
        );
    }
    Ok((hung, area, replaced))
}

impl Overhang {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        let (depth, is_share) = depth_of(self.depth, self.depth_share)?;
        is_length("offset", self.offset)?;
        is_length("extension", self.extension)?;
        let types = ["Shading:Overhang", "Shading:Overhang:Projection"];
        let (hung, area, replaced) = hang(work, facts, &self.by, types, is_share, |window| {
            json!({
                "window_or_door_name": window,
                "height_above_window_or_door": self.offset,
                "tilt_angle_from_window_door": 90,
                "left_extension_from_window_door_width": self.extension,
                "right_extension_from_window_door_width": self.extension,
                (if is_share { "depth_as_fraction_of_window_door_height" } else { "depth" }): depth,
            })
        })?;
        let unit = if is_share { "of the window's height" } else { "m" };
        Ok(Change::new(
            hung,
            format!("overhangs at {area:.0} m² of windows ({replaced} replaced)"),
            0.0,
            depth,
            unit,
        ))
    }
}

impl Fins {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        let (depth, is_share) = depth_of(self.depth, self.depth_share)?;
        is_length("offset", self.offset)?;
        let types = ["Shading:Fin", "Shading:Fin:Projection"];
        let (hung, area, replaced) = hang(work, facts, &self.by, types, is_share, |window| {
            let depth_key = |side: &str| {
                let rest = if is_share { "depth_as_fraction_of_window_door_width" } else { "depth" };
                format!("{side}_{rest}")
            };
            json!({
                "window_or_door_name": window,
                "left_extension_from_window_door": self.offset,
                "left_distance_above_top_of_window": 0, "left_distance_below_bottom_of_window": 0,
                "left_tilt_angle_from_window_door": 90,
                (depth_key("left")): depth,
                "right_extension_from_window_door": self.offset,
                "right_distance_above_top_of_window": 0, "right_distance_below_bottom_of_window": 0,
                "right_tilt_angle_from_window_door": 90,
                (depth_key("right")): depth,
            })
        })?;
        let unit = if is_share { "of the window's width" } else { "m" };
        Ok(Change::new(
            hung,
            format!("fins at {area:.0} m² of windows ({replaced} replaced)"),
            0.0,
            depth,
            unit,
        ))
    }
}
