//! Beams.

use crate::framing::{
    CutInput, End, GivenSection, bounded, cardinal, finishes, given, material, name_of, storeys,
};
use crate::modelling::{Point, author};
use crate::{IfcCall, Tool};
use building::Author;
use building::measures::finite;
use building::structure::anchor::{Anchor, Hold, one};
use building::structure::answer::{MembersAnswer, answer};
use building::structure::crossing::Grids;
use building::structure::dress::{Dress, dress};
use building::structure::ends::Cut;
use building::structure::framed;
use building::structure::headroom::{Headroom, strip};
use building::structure::line::{Line, frame};
use building::structure::links::Role;
use building::structure::member::{NewMember, create, direction};
use building::structure::noun::BEAM;
use building::structure::stop::{Bar, Columns};
use contract::{Effect, EventType, Fault, Toolset};
use ifc::Id;
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
    /// Of the axis above the storey in mm, where points do not say; without it the head of the columns, or below the slab or storey above.
    elevation: Option<f64>,
    /// Further storeys that get the same.
    #[schemars(extend("x-seldom" = true))]
    level_ids: Option<Vec<String>>,
    /// Degrees about its axis.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    rotation: f64,
    /// The section's point on the axis: 1 to 9 from the bottom left to the top right of its box, seen from the start, 10 the centroid.
    #[schemars(extend("x-seldom" = true))]
    cardinal_point: Option<u8>,
    /// mm that the body runs beyond the axis at start and end; less than 0 stops short. Without it up to the faces of columns.
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
    let section = GivenSection {
        section: input.section.as_deref(),
        width: input.width,
        depth: input.depth,
        diameter: input.diameter,
        profile: input.profile.as_deref(),
    };
    let section = section.read(author)?;
    let mut wanted = Vec::new();
    for storey in storeys(author, &input.level_id, input.level_ids.as_deref())? {
        let grids = Grids::around(author, storey, input.grid.as_deref())?;
        let spans = spans(author, storey, &grids, &input)?;
        bounded(
            "along",
            wanted.iter().map(|(.., spans): &(Id, Grids, Vec<_>)| spans.len()).sum::<usize>() + spans.len(),
        )?;
        wanted.push((storey, grids, spans));
    }
    let count = wanted.iter().map(|(.., spans)| spans.len()).sum();
    let elevation = input.elevation.map(|z| finite("elevation", z)).transpose()?;
    let rotation = finite("rotation", input.rotation)?;
    let material = material(author, input.material.as_deref(), &section)?;
    let point = cardinal(author, input.cardinal_point, 8, "the beam hangs below its line")?;
    let dressed = dress(author, &BEAM, &section, &material, point)?;
    let offset = dressed.section.cardinal(point);
    let finishes = finishes(input.extend, input.end_cuts)?;
    let mut made = Vec::with_capacity(count);
    for (storey, grids, spans) in wanted {
        let floor = author.frame(storey)?.translation.z;
        let around = Columns::around(author, storey, &grids);
        let columns = input.extend.is_none().then_some(&around);
        let mut headroom: Option<Headroom> = None;
        for [mut from, mut to] in spans {
            let fallback = match (elevation, from.z.or(to.z)) {
                (Some(z), _) | (None, Some(z)) => z,
                (None, None) => {
                    let above = match headroom.take() {
                        Some(above) => above,
                        None => Headroom::above(author, storey)?,
                    };
                    let (plan, rise) = strip(&dressed.section, offset, [from.at, to.at], rotation);
                    let z = above.free(&plan, 0.0).0 - rise;
                    // columns that end lower bear it there
                    for end in [&mut from, &mut to] {
                        end.z = around.head(author, end.at, floor).filter(|head| *head < z - 1.0);
                    }
                    if from.z.is_some() || to.z.is_some() {
                        author.assume("beams lie at the heads of the columns that they run to");
                    }
                    if from.z.is_none() || to.z.is_none() {
                        above.over(author, "top of the beam", &plan, 0.0);
                    }
                    headroom = Some(above);
                    z
                }
            };
            let height = |anchor: &Anchor| match (&anchor.hold, elevation) {
                // an elevation that is said counts for what has no height of its own, and for columns
                (Hold::Column(_), Some(z)) => z,
                _ => anchor.z.unwrap_or(fallback),
            };
            let mut new = NewMember {
                storey,
                start: from.at.extend(floor + height(&from)),
                end: to.at.extend(floor + height(&to)),
                rotation,
                finishes,
                name: name_of(input.name.as_deref(), made.len() + 1, count, from.crossing()),
            };
            let framed = match columns {
                Some(columns) => frame_in(author, columns, &dressed, &mut new)?,
                None => Vec::new(),
            };
            let beam = create(author, &BEAM, &dressed, &new)?;
            from.remember(author, beam, Role::Start)?;
            to.remember(author, beam, Role::End)?;
            for (role, column) in framed {
                framed::remember(author, beam, role, column)?;
            }
            made.push(beam);
        }
    }
    answer(author, &made, &section.title())
}

/// The places that beams on one storey run between.
fn spans(author: &Author, storey: Id, grids: &Grids, input: &Input) -> Result<Vec<[Anchor; 2]>, Fault> {
    match (&input.start, &input.end, &input.along) {
        (Some(start), Some(end), None) => {
            let from = one(author, storey, grids, "start", &given("start", start)?, true)?;
            let to = one(author, storey, grids, "end", &given("end", end)?, true)?;
            Ok(vec![[from, to]])
        }
        (None, None, Some(along)) => {
            Ok(grids.runs(author, "along", along)?.into_iter().map(|run| run.map(Anchor::on)).collect())
        }
        _ => Err(Fault::invalid(
            if input.along.is_some() { "along" } else { "start" },
            "Give `start` and `end`, or `along` for beams on grid lines.",
        )),
    }
}

/// Lets the ends of a beam stop at the columns that stand there; answers those.
fn frame_in(
    author: &mut Author,
    columns: &Columns,
    dressed: &Dress,
    new: &mut NewMember,
) -> Result<Vec<(Role, Id)>, Fault> {
    let (along, length) = direction("end", new.start, new.end)?;
    let frame = frame(new.start, along, new.rotation);
    let bar = Bar {
        frame: &frame,
        length,
        section: &dressed.section,
        offset: dressed.section.cardinal(dressed.cardinal),
    };
    let mut found: Vec<(Role, Line)> = Vec::new();
    for (role, at) in [(Role::Start, new.start), (Role::End, new.end)] {
        found.extend(columns.at(author, at).map(|line| (role, line)));
    }
    let [start, end] = &mut new.finishes;
    let mut framed = Vec::new();
    for (role, line) in found {
        let finish = if role == Role::End { &mut *end } else { &mut *start };
        if !matches!(finish.cut, Cut::Square | Cut::Vertical) {
            continue;
        }
        let mm = bar.stop(role, finish.cut == Cut::Vertical, &line);
        if mm > 0.0 {
            finish.extension = -mm;
            framed.push((role, line.id));
        }
    }
    if !framed.is_empty() {
        author.assume("beams stop at the faces of the columns that they run to");
    }
    Ok(framed)
}
