//! Beams.

use crate::framing::{CutInput, End, GivenSection, cardinal, finishes, given, material, name_of};
use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::measures::finite;
use building::structure::anchor::{Anchor, one, storey_height};
use building::structure::answer::{MembersAnswer, answer};
use building::structure::crossing::Grids;
use building::structure::dress::dress;
use building::structure::member::{BEAM, NewMember, create};
use building::structure::ties::Role;
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Storey, id or name.
    level_id: String,
    /// A point in mm, a grid crossing (B/3), or a column.
    #[schemars(with = "Option<End>")]
    start: Option<Value>,
    /// The same.
    #[schemars(with = "Option<End>")]
    end: Option<Value>,
    /// Instead of start and end: grid lines (A, A-C, all), a beam between each two neighbouring crossings on them.
    along: Option<String>,
    /// HEB200, IPE300, UPN160, L100x100x10, SHS100x100x5, RHS200x100x8, CHS139.7x5, W12X26, HSS6X4X1/4 …
    section: Option<String>,
    /// Of a rectangle, in mm.
    width: Option<f64>,
    /// Of a rectangle, upright, in mm.
    depth: Option<f64>,
    /// Of a round section, in mm.
    #[schemars(extend("x-seldom" = true))]
    diameter: Option<f64>,
    /// Corners of any section [[x, y], …] in mm, y upright.
    #[schemars(extend("x-seldom" = true))]
    profile: Option<Vec<Point>>,
    /// Of the axis above the storey in mm, where points do not say; without it the head of the columns, or the storey above.
    elevation: Option<f64>,
    /// Degrees about its axis.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    rotation: f64,
    /// The section's point on the axis: 1 to 9 from the bottom left to the top right of its box, seen from the start, 10 the centroid.
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
    /// Name; of several with {n}.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// The grid, where several have such lines.
    #[schemars(extend("x-seldom" = true))]
    grid: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_beam", Effect::Create, run)
        .description(
            "Makes a beam between points, grid crossings or columns, or beams along grid lines. It hangs below \
             its line unless cardinal_point says otherwise, and follows its columns and grid lines.",
        )
        .toolset(Toolset::Structure)
        .event(EventType::BeamCreated)
        .example(
            "A steel beam 6 m long",
            json!({ "level_id": "Ground Floor", "start": [30000, 40000, 3000], "end": [36000, 40000, 3000], "section": "IPE300" }),
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
    let spans: Vec<[Anchor; 2]> = match (&input.start, &input.end, &input.along) {
        (Some(start), Some(end), None) => {
            let from = one(author, storey, &grids, "start", &given("start", start)?, true)?;
            let to = one(author, storey, &grids, "end", &given("end", end)?, true)?;
            vec![[from, to]]
        }
        (None, None, Some(along)) => {
            grids.runs(author, "along", along)?.into_iter().map(|run| run.map(Anchor::on)).collect()
        }
        _ => {
            return Err(Fault::invalid(
                if input.along.is_some() { "along" } else { "start" },
                "Give `start` and `end`, or `along` for beams on grid lines.",
            ));
        }
    };
    let elevation = input.elevation.map(|z| finite("elevation", z)).transpose()?;
    // what no end says is where the other one is, or where the next storey begins
    let mut usual = elevation;
    let material = material(author, input.material.as_deref(), &section)?;
    let point = cardinal(author, input.cardinal_point, 8, "the beam hangs below its line")?;
    let dressed = dress(author, &BEAM, &section, &material, point)?;
    let finishes = finishes(input.extend, input.end_cuts)?;
    finite("rotation", input.rotation)?;
    let floor = author.frame(storey)?.translation.z;
    let count = spans.len();
    let mut made = Vec::with_capacity(count);
    for (i, [from, to]) in spans.iter().enumerate() {
        let fallback = match (elevation, usual, from.z.or(to.z)) {
            (Some(z), ..) | (None, Some(z), None) | (None, _, Some(z)) => z,
            (None, None, None) => {
                let z = storey_height(author, storey, "elevation")?;
                usual = Some(z);
                z
            }
        };
        let height = |anchor: &Anchor| match (&anchor.hold, elevation) {
            // an elevation that is said counts for what has no height of its own, and for columns
            (building::structure::anchor::Hold::Column(_), Some(z)) => z,
            _ => anchor.z.unwrap_or(fallback),
        };
        let new = NewMember {
            storey,
            start: from.at.extend(floor + height(from)),
            end: to.at.extend(floor + height(to)),
            rotation: input.rotation,
            finishes,
            name: name_of(input.name.as_deref(), i + 1, count, from.crossing()),
        };
        let beam = create(author, &BEAM, &dressed, &new)?;
        from.remember(author, beam, Role::Start)?;
        to.remember(author, beam, Role::End)?;
        made.push(beam);
    }
    answer(author, &made, &section.title())
}
