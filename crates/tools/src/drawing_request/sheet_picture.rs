//! Pictures of the model on sheets: kept as what they show, and drawn of each version anew.

use crate::IfcCall;
use crate::viewer::render_view::{self, View};
use building::lookup;
use contract::{Fault, FaultCode};
use documentation::sheet::{PlacedPicture, SheetDefinition};
use geometry::Scene;
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Millimetres of a picture where no width is given, and those between which widths lie.
const WIDTH: f64 = 120.0;
const WIDTHS: std::ops::RangeInclusive<f64> = 20.0..=1000.0;
/// Pixels of a picture to each millimetre, and at most.
const PIXELS: f64 = 8.0;
const MOST: f64 = 2400.0;

/// A picture of the model.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct SheetPicture {
    #[serde(default)]
    view: View,
    /// Only this storey, cut open.
    level_id: Option<String>,
    /// mm on paper.
    #[schemars(extend("default" = 120))]
    width: Option<f64>,
    /// Words below.
    #[serde(default)]
    caption: String,
}

impl SheetPicture {
    /// The picture as a sheet keeps it.
    pub(crate) fn definition(&self, model: &Model, field: &str) -> Result<PlacedPicture, Fault> {
        let width = self.width.unwrap_or(WIDTH);
        if !WIDTHS.contains(&width) {
            let problem = format!("A picture is {} to {} mm wide.", WIDTHS.start(), WIDTHS.end());
            return Err(Fault::invalid(&format!("{field}.width"), problem));
        }
        let level = match &self.level_id {
            Some(level) => Some(lookup::storey(model, &format!("{field}.level_id"), level)?),
            None => None,
        };
        let guid = level.and_then(|id| model.get(id)?.guid());
        let key =
            guid.map_or_else(|| self.view.word().to_owned(), |guid| format!("{}:{guid}", self.view.word()));
        Ok(PlacedPicture { key, width, caption: self.caption.clone(), place: None })
    }
}

/// Draws the pictures of sheets, by their keys.
pub(crate) fn pictures(
    call: &IfcCall,
    scene: &Scene,
    sheets: &[SheetDefinition],
) -> Result<BTreeMap<String, Arc<[u8]>>, Fault> {
    let mut widths: BTreeMap<&str, (f64, &str)> = BTreeMap::new();
    for (sheet, own) in sheets.iter().flat_map(|sheet| sheet.pictures.iter().map(move |own| (sheet, own))) {
        let widest = widths.entry(&own.key).or_insert((own.width, &sheet.number));
        widest.0 = widest.0.max(own.width);
    }
    let one = |(key, (width, sheet)): (&str, (f64, &str))| {
        let (view, storey) = shown(scene.model(), key).ok_or_else(|| {
            let problem = format!("Sheet {sheet} has a picture of {key}, which the model has no more; make the sheet anew without it.");
            Fault::new(FaultCode::Conflict, problem).with("field", "pictures")
        })?;
        let pixels = (width * PIXELS).clamp(200.0, MOST) as u32;
        Ok((key.to_owned(), Arc::from(render_view::png(call, scene, view, storey, pixels)?)))
    };
    widths.into_iter().map(one).collect()
}

/// The view and the storey that a key means.
fn shown(model: &Model, key: &str) -> Option<(View, Option<Id>)> {
    let (word, guid) = key.split_once(':').map_or((key, None), |(word, guid)| (word, Some(guid)));
    let view = View::ALL.into_iter().find(|view| view.word() == word)?;
    match guid {
        Some(guid) => Some((view, Some(model.by_guid(guid)?))),
        None => Some((view, None)),
    }
}
