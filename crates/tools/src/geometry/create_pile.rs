//! Piles.

use crate::framing::{Places, places};
use crate::modelling::{author, level};
use crate::{IfcCall, Tool};
use building::measures::finite;
use building::structure::anchor::several;
use building::structure::crossing::{Grids, MOST};
use building::structure::footing::{FoundationsAnswer, NewFoundation, answer, create, kind};
use building::structure::links::Role;
use building::structure::sections::Section;
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Storey, id or name.
    level_id: String,
    /// Points in mm, or grid crossings (B/3, A-D/1-4, all).
    #[schemars(with = "Places")]
    at: Value,
    /// mm.
    diameter: f64,
    /// mm, downward.
    length: f64,
    /// Of its top above the storey in mm.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    top: f64,
    /// bored, driven, jetgrouting (not in IFC2X3), cohesion, friction, support.
    #[schemars(extend("x-seldom" = true))]
    predefined_type: Option<String>,
    /// Without it reinforced concrete.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// The grid, where several have such lines.
    #[schemars(extend("x-seldom" = true))]
    grid: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_pile", Effect::Create, run)
        .description("Makes round piles at points or grid crossings, which they follow.")
        .toolset(Toolset::Structure)
        .event(EventType::PileCreated)
        .example(
            "A pile 12 m long",
            json!({ "level_id": "Ground Floor", "at": [30000, 70000], "diameter": 600, "length": 12000, "top": -500 }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<FoundationsAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let section = Section::round(input.diameter)?;
    let usual = if author.legacy() { "support" } else { "bored" };
    if input.predefined_type.is_none() {
        author.assume(format!("predefined_type {usual}"));
    }
    let word = input.predefined_type.clone().unwrap_or_else(|| usual.to_owned());
    let kind = kind(author, "predefined_type", "IfcPile", &word)?;
    let material =
        building::measures::name("material", input.material.as_deref().unwrap_or(section.material()))?;
    if input.material.is_none() {
        author.assume(format!("material {material}"));
    }
    let grids = Grids::around(author, storey, input.grid.as_deref())?;
    let floor = author.frame(storey)?.translation.z;
    let top = finite("top", input.top)?;
    let mut anchors = Vec::new();
    for place in places("at", &input.at)? {
        anchors.extend(several(author, &grids, "at", &place)?);
    }
    if anchors.is_empty() || anchors.len() > MOST {
        let count = anchors.len();
        return Err(Fault::invalid("at", format!("`at` means {count} places; one call takes 1 to {MOST}.")));
    }
    let mut made = Vec::with_capacity(anchors.len());
    for anchor in anchors {
        let new = NewFoundation {
            storey,
            kind,
            top: anchor.at.extend(floor + top + anchor.z.unwrap_or(0.0)),
            along: [1.0, 0.0].into(),
            section: section.clone(),
            height: input.length,
            material: material.clone(),
            name: None,
        };
        let pile = create(author, &new)?;
        anchor.remember(author, pile, Role::Whole)?;
        made.push(pile);
    }
    answer(author, &made)
}
