//! Braces and other inclined members.

use crate::framing::{CutInput, End, GivenSection, cardinal, finishes, given, material};
use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::measures::finite;
use building::structure::anchor::one;
use building::structure::answer::{MembersAnswer, answer};
use building::structure::crossing::Grids;
use building::structure::dress::dress;
use building::structure::headroom::Headroom;
use building::structure::links::Role;
use building::structure::member::{NewMember, create};
use building::structure::noun::BRACE;
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Storey, id or name.
    level_id: String,
    /// A point [x, y, z] in mm, a grid crossing on the storey, or a column: its foot.
    #[schemars(with = "End")]
    start: Value,
    /// A point [x, y, z] in mm, a grid crossing below the storey above, or a column: its head.
    #[schemars(with = "End")]
    end: Value,
    /// L80x80x8, SHS100x100x5, CHS88.9x4, UPN160, IPE200, HEA160, W8X21, HSS4X4X1/4 …
    section: Option<String>,
    /// Of a rectangle, in mm.
    #[schemars(extend("x-seldom" = true))]
    width: Option<f64>,
    /// Of a rectangle, in mm.
    #[schemars(extend("x-seldom" = true))]
    depth: Option<f64>,
    /// Of a round section, in mm.
    #[schemars(extend("x-seldom" = true))]
    diameter: Option<f64>,
    /// Corners of any section [[x, y], …] in mm.
    #[schemars(extend("x-seldom" = true))]
    profile: Option<Vec<Point>>,
    /// Degrees about its axis.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    rotation: f64,
    /// The section's point on the axis: 1 to 9 from the bottom left to the top right of its box, 10 the centroid.
    #[schemars(extend("x-seldom" = true))]
    cardinal_point: Option<u8>,
    /// mm that the body runs beyond the axis at start and end; less than 0 stops short.
    #[schemars(extend("x-seldom" = true))]
    extend: Option<[f64; 2]>,
    /// Cuts at start and end: square, vertical, horizontal, or degrees.
    #[schemars(extend("x-seldom" = true))]
    end_cuts: Option<[CutInput; 2]>,
    /// Material.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// The grid, where several have such lines.
    #[schemars(extend("x-seldom" = true))]
    grid: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_member", Effect::Create, run)
        .title("Create brace")
        .description("Makes a brace between two points, grid crossings or columns, from the foot of one to the head of the other.")
        .toolset(Toolset::Structure)
        .event(EventType::MemberCreated)
        .example(
            "A brace, cut level below and upright above",
            json!({
                "level_id": "Ground Floor", "start": [30000, 45000, 0], "end": [34000, 45000, 3000],
                "section": "SHS100x100x5", "end_cuts": ["horizontal", "vertical"]
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<MembersAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let section = GivenSection {
        section: input.section.as_deref(),
        width: input.width,
        depth: input.depth,
        diameter: input.diameter,
        profile: input.profile.as_deref(),
    };
    let section = section.read(author)?;
    let grids = Grids::around(author, storey, input.grid.as_deref())?;
    let from = one(author, storey, &grids, "start", &given("start", &input.start)?, false)?;
    let to = one(author, storey, &grids, "end", &given("end", &input.end)?, true)?;
    let foot = from.z.unwrap_or(0.0);
    let head = match to.z {
        Some(z) => z,
        None => Headroom::above(author, storey)?.over(
            author,
            "end at",
            &[to.at, to.at + 1.0, to.at.with_x(to.at.x + 1.0)],
            foot,
        ),
    };
    let material = material(author, input.material.as_deref(), &section)?;
    let point = cardinal(author, input.cardinal_point, 5, "the middle of the section's box")?;
    let dressed = dress(author, &BRACE, &section, &material, point)?;
    let floor = author.frame(storey)?.translation.z;
    let new = NewMember {
        storey,
        start: from.at.extend(floor + foot),
        end: to.at.extend(floor + head),
        rotation: finite("rotation", input.rotation)?,
        finishes: finishes(input.extend, input.end_cuts)?,
        name: input.name,
    };
    let brace = create(author, &BRACE, &dressed, &new)?;
    from.remember(author, brace, Role::Start)?;
    to.remember(author, brace, Role::End)?;
    answer(author, &[brace], &section.title())
}
