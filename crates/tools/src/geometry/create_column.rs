//! Columns.

use crate::framing::{GivenSection, Places, bounded, cardinal, finishes, material, name_of, places, storeys};
use crate::modelling::{Point, author};
use crate::{IfcCall, Tool};
use building::measures::{finite, positive};
use building::structure::anchor::{Anchor, several};
use building::structure::answer::{MembersAnswer, answer};
use building::structure::crossing::Grids;
use building::structure::dress::dress;
use building::structure::headroom::{Headroom, footprint};
use building::structure::links::Role;
use building::structure::member::{NewMember, create};
use building::structure::noun::COLUMN;
use building::{Author, lookup};
use contract::{Effect, EventType, Fault, Toolset};
use ifc::Id;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected mm above the storey, or a storey's id or name")]
enum Top {
    /// mm above the storey.
    Height(f64),
    /// Storey, id or name.
    Level(String),
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Storey, id or name.
    level_id: String,
    /// A point in mm, grid crossings (B/3, A-D/1-4, all), or a list of these.
    #[schemars(with = "Places")]
    at: Value,
    /// HEB200, IPE300, UPN160, L100x100x10, SHS100x100x5, RHS200x100x8, CHS139.7x5, W12X26, HSS6X4X1/4 …
    section: Option<String>,
    /// Of a rectangle, along x, in mm.
    width: Option<f64>,
    /// Of a rectangle, along y, in mm.
    depth: Option<f64>,
    /// Of a round section, in mm.
    #[schemars(extend("x-seldom" = true))]
    diameter: Option<f64>,
    /// Corners of any section [[x, y], …] in mm.
    #[schemars(extend("x-seldom" = true))]
    profile: Option<Vec<Point>>,
    /// mm; without it up to the slab or storey above.
    height: Option<f64>,
    /// Its upper end instead of a height.
    #[schemars(extend("x-seldom" = true))]
    top: Option<Top>,
    /// Further storeys that get the same.
    #[schemars(extend("x-seldom" = true))]
    level_ids: Option<Vec<String>>,
    /// Degrees.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    rotation: f64,
    /// The section's point on the axis: 1 to 9 from the bottom left to the top right of its box, 10 the centroid.
    #[schemars(extend("x-seldom" = true))]
    cardinal_point: Option<u8>,
    /// Material.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// Name; of several with {n} or {crossing}.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// The grid, where several have such lines.
    #[schemars(extend("x-seldom" = true))]
    grid: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_column", Effect::Create, run)
        .description(
            "Makes columns at points or grid crossings, of a rolled section by name, rectangular, round or any \
             outline. Those on a crossing follow the grid's lines.",
        )
        .toolset(Toolset::Structure)
        .event(EventType::ColumnCreated)
        .example(
            "Two steel columns",
            json!({ "level_id": "Ground Floor", "at": [[30000, 30000], [36000, 30000]], "section": "HEB200", "height": 3000 }),
        )
        .example(
            "A round concrete column",
            json!({ "level_id": "Ground Floor", "at": [33000, 34000], "diameter": 400 }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<MembersAnswer, Fault> {
    let author = &mut author(call);
    let given = GivenSection {
        section: input.section.as_deref(),
        width: input.width,
        depth: input.depth,
        diameter: input.diameter,
        profile: input.profile.as_deref(),
    };
    let section = given.read(author)?;
    if input.height.is_some() && input.top.is_some() {
        return Err(Fault::invalid("top", "Give `height` or `top`, not both."));
    }
    let height = input.height.map(|mm| positive("height", mm)).transpose()?;
    let rotation = finite("rotation", input.rotation)?;
    let mut wanted = Vec::new();
    for storey in storeys(author, &input.level_id, input.level_ids.as_deref())? {
        wanted.extend(anchors(author, storey, &input)?.into_iter().map(|anchor| (storey, anchor)));
    }
    let count = wanted.len();
    bounded("at", count)?;
    let material = material(author, input.material.as_deref(), &section)?;
    let point = cardinal(author, input.cardinal_point, 5, "the middle of the section's box")?;
    let dressed = dress(author, &COLUMN, &section, &material, point)?;
    let offset = dressed.section.cardinal(point);
    let mut made = Vec::with_capacity(count);
    let mut headroom: Option<(Id, Headroom)> = None;
    for (i, (storey, anchor)) in wanted.iter().enumerate() {
        let floor = author.frame(*storey)?.translation.z;
        let base = anchor.z.unwrap_or(0.0);
        // heights are above the storey
        let head = match (height, &input.top) {
            (Some(height), _) => base + height,
            (None, Some(Top::Height(z))) => finite("top", *z)?,
            (None, Some(Top::Level(text))) => {
                let upper = lookup::storey(author.edit, "top", text)?;
                author.frame(upper)?.translation.z - floor
            }
            (None, None) => {
                let above = match headroom.take().filter(|(of, _)| of == storey) {
                    Some((_, above)) => above,
                    None => Headroom::above(author, *storey)?,
                };
                let plan = footprint(&dressed.section, offset, anchor.at, rotation);
                let head = above.over(author, "top", &plan, base);
                headroom = Some((*storey, above));
                head
            }
        };
        if head - base < 1.0 {
            return Err(Fault::invalid(
                if input.height.is_some() { "height" } else { "top" },
                format!("The column would end at {head} mm, not above its base at {base} mm."),
            ));
        }
        let new = NewMember {
            storey: *storey,
            start: anchor.at.extend(floor + base),
            end: anchor.at.extend(floor + head),
            rotation,
            finishes: finishes(None, None)?,
            name: name_of(input.name.as_deref(), i + 1, count, anchor.crossing()),
        };
        let column = create(author, &COLUMN, &dressed, &new)?;
        anchor.remember(author, column, Role::Whole)?;
        made.push(column);
    }
    answer(author, &made, &section.title())
}

/// The places on one storey.
fn anchors(author: &Author, storey: Id, input: &Input) -> Result<Vec<Anchor>, Fault> {
    let grids = Grids::around(author, storey, input.grid.as_deref())?;
    let mut anchors: Vec<Anchor> = Vec::new();
    for (i, place) in places("at", &input.at)?.iter().enumerate() {
        let field =
            if input.at.is_array() && !input.at[0].is_number() { format!("at[{i}]") } else { "at".into() };
        anchors.extend(several(author, &grids, &field, place)?);
        bounded("at", anchors.len())?;
    }
    for (i, anchor) in anchors.iter().enumerate() {
        if anchors.iter().take(i).any(|other| other.at.distance(anchor.at) < 1.0 && other.z == anchor.z) {
            return Err(Fault::invalid(
                "at",
                "Two of the places are one; columns would stand in each other.",
            ));
        }
    }
    Ok(anchors)
}
