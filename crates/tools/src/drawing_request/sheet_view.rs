//! Views as sheets name them: in the words of drawings, or by the names that `create_section` answers.

use contract::Fault;
use documentation::sheet::ViewDefinition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The scale of a view where none is given.
const SCALE: f64 = 100.0;

/// A drawing on a sheet.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a view such as \"plan:Ground floor\", or {\"view\": \"plan:Ground floor\", \"scale\": 100}"
)]
#[schemars(inline)]
pub(crate) enum SheetView {
    /// plan:LEVEL, ceiling:LEVEL, section:x, section:y, elevation:south, axonometry:south-west, or a view_id.
    Name(String),
    /// With more about it.
    More(Particular),
}

/// A drawing on a sheet, with more about it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct Particular {
    view: String,
    scale: Option<f64>,
    title: Option<String>,
    /// Upper left corner in mm.
    place: Option<[f64; 2]>,
    dimensions: Option<bool>,
}

impl SheetView {
    /// The view as the crate that draws takes it.
    pub(crate) fn definition(&self, field: &str) -> Result<ViewDefinition, Fault> {
        match self {
            Self::Name(name) => named(name, None, field),
            Self::More(more) => {
                let mut view = named(&more.view, more.scale, &format!("{field}.view"))?;
                view.title.clone_from(&more.title);
                view.place = more.place;
                view.dimensions = more.dimensions.unwrap_or(true);
                Ok(view)
            }
        }
    }
}

/// A view by its name, which may hold its scale.
fn named(name: &str, scale: Option<f64>, field: &str) -> Result<ViewDefinition, Fault> {
    let parts: Vec<&str> = name.trim().split(':').collect();
    let numbers =
        |text: &str| -> Option<Vec<f64>> { text.split(',').map(|part| part.parse().ok()).collect() };
    let three = |text: &str| -> Option<[f64; 3]> { numbers(text)?.try_into().ok() };
    let one = |text: &&str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let mut view = match parts.as_slice() {
        [kind @ ("plan" | "ceiling"), level, height, of, depth @ ..] if depth.len() < 2 => {
            let height = one(height).ok_or_else(|| bad(name, field))?;
            let mut view = ViewDefinition::new(&format!("{kind}:{level}"), 0.0);
            view.height = Some(height / 1000.0);
            with_scale(view, of, depth.first())
        }
        ["section", at, direction, of, depth @ ..] if depth.len() < 2 => {
            let at = three(at).zip(three(direction)).ok_or_else(|| bad(name, field))?;
            let mut view = ViewDefinition::new("section", 0.0);
            (view.at, view.direction) = (Some(at.0.map(|mm| mm / 1000.0)), Some(at.1));
            with_scale(view, of, depth.first())
        }
        [kind @ ("elevation" | "axonometry"), side, of, depth @ ..] if depth.len() < 2 => {
            with_scale(ViewDefinition::new(&format!("{kind}:{side}"), 0.0), of, depth.first())
        }
        _ => Some(ViewDefinition::new(name.trim(), SCALE)),
    }
    .ok_or_else(|| bad(name, field))?;
    if let Some(scale) = scale {
        view.scale = scale;
    }
    if !(1.0..=10_000.0).contains(&view.scale) {
        return Err(Fault::invalid(field, "The scale has to be 1 to 10000: 100 draws at 1:100."));
    }
    Ok(view)
}

fn with_scale(mut view: ViewDefinition, scale: &str, depth: Option<&&str>) -> Option<ViewDefinition> {
    view.scale = scale.parse().ok()?;
    view.depth = depth.map(|mm| mm.parse::<f64>()).transpose().ok()?.map(|mm| mm / 1000.0);
    Some(view)
}

fn bad(name: &str, field: &str) -> Fault {
    let name: String = name.chars().take(100).collect();
    let problem = format!(
        "`{name}` is no view. Give plan:LEVEL, ceiling:LEVEL, section:x, section:y, elevation:south, axonometry:south-west, or a view_id of create_section."
    );
    Fault::invalid(field, problem)
}
