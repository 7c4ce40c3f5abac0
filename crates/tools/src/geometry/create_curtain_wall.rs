//! A curtain wall.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::curtain::{self, CurtainAnswer, Division, NewCurtain, NewDoor};
use building::measures::name;
use building::polygon::{height_of, plan_point};
use contract::{Effect, EventType, Fault, Toolset};
use glam::DVec2;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Grid {
    /// Equal parts.
    count: Option<u32>,
    /// Or as many as keep each within so many mm.
    distance: Option<f64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Door {
    /// mm along the line from its start; it takes the panel there.
    along: f64,
    /// mm; without it 2100, or up to the transom next to it.
    height: Option<f64>,
    /// As IFC says it: SINGLE_SWING_LEFT (the default), DOUBLE_DOOR_SINGLE_SWING …
    operation_type: Option<String>,
    /// Name.
    name: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// The line in the middle of its depth, [[x, y], …] in mm; z lifts its foot above the storey. Closed where the last point is the
    /// first.
    points: Vec<Point>,
    /// mm.
    height: f64,
    /// Storey, id or name.
    level_id: String,
    /// Columns of each straight run: {count} or {distance}; without it {distance: 1500}.
    columns: Option<Grid>,
    /// Rows: {count} or {distance}; without it {distance: 3000}.
    rows: Option<Grid>,
    /// Doors in place of panels.
    #[serde(default)]
    doors: Vec<Door>,
    /// mm, as seen from outside.
    #[schemars(extend("x-seldom" = true))]
    mullion_width: Option<f64>,
    /// mm, through the wall.
    #[schemars(extend("x-seldom" = true))]
    mullion_depth: Option<f64>,
    /// mm.
    #[schemars(extend("x-seldom" = true))]
    panel_thickness: Option<f64>,
    /// Of panels.
    #[schemars(extend("x-seldom" = true))]
    panel_material: Option<String>,
    /// Of mullions.
    #[schemars(extend("x-seldom" = true))]
    mullion_material: Option<String>,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_curtain_wall", Effect::Create, run)
        .description(
            "Makes a curtain wall along a line: mullions, transoms and panels on a grid, posts at its corners, doors \
             in place of panels.",
        )
        .toolset(Toolset::Furnishing)
        .event(EventType::CurtainWallCreated)
        .example(
            "Round a corner, with a door of two leaves",
            json!({
                "points": [[60000, 60000], [69000, 60000], [69000, 66000]], "height": 3500, "level_id": "Ground Floor",
                "columns": { "distance": 1200 }, "rows": { "count": 2 },
                "doors": [{ "along": 4000, "operation_type": "DOUBLE_DOOR_SINGLE_SWING" }]
            }),
        )
}

fn division(field: &str, grid: Option<&Grid>, usual: f64) -> Result<(Division, bool), Fault> {
    match grid {
        None => Ok((Division::AtMost(usual), true)),
        Some(Grid { count: Some(count), distance: None }) => Ok((Division::Count(*count), false)),
        Some(Grid { count: None, distance: Some(distance) }) => Ok((Division::AtMost(*distance), false)),
        Some(_) => {
            Err(Fault::invalid(field, format!("`{field}` is either {{count}} or {{distance}} in mm.")))
        }
    }
}

fn run(call: &mut IfcCall, input: Input) -> Result<CurtainAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let points = input
        .points
        .iter()
        .enumerate()
        .map(|(i, point)| plan_point(&format!("points[{i}]"), point))
        .collect::<Result<Vec<_>, _>>()?;
    let base = input.points.first().map_or(0.0, |point| height_of(point));
    if input.points.iter().any(|point| point.len() == 3 && (height_of(point) - base).abs() > 0.1) {
        return Err(Fault::invalid(
            "points",
            "The points have different z; a curtain wall stands on one height.",
        ));
    }
    let (columns, usual_columns) = division("columns", input.columns.as_ref(), 1500.0)?;
    let (rows, usual_rows) = division("rows", input.rows.as_ref(), 3000.0)?;
    if usual_columns {
        author.assume("columns at most 1500 mm wide");
    }
    if usual_rows {
        author.assume("rows at most 3000 mm high");
    }
    let mut size = |given: Option<f64>, usual: f64, what: &str| {
        if given.is_none() {
            author.assume(format!("{what} {usual} mm"));
        }
        given.unwrap_or(usual)
    };
    let mullion = DVec2::new(
        size(input.mullion_width, 50.0, "mullion width"),
        size(input.mullion_depth, 150.0, "mullion depth"),
    );
    let panel_thickness = size(input.panel_thickness, 24.0, "panel thickness");
    let mut material = |field: &str, given: Option<&String>, usual: &str, of: &str| {
        if let Some(given) = given {
            return name(field, given);
        }
        author.assume(format!("{of} of {usual}"));
        Ok(usual.to_owned())
    };
    let panel_material = material("panel_material", input.panel_material.as_ref(), "Glass", "panels")?;
    let mullion_material =
        material("mullion_material", input.mullion_material.as_ref(), "Aluminium", "mullions")?;
    let new = NewCurtain {
        storey,
        points,
        base,
        height: input.height,
        columns,
        rows,
        mullion,
        panel_thickness,
        panel_material,
        mullion_material,
        doors: input
            .doors
            .into_iter()
            .map(|door| NewDoor {
                along: door.along,
                height: door.height,
                operation: door.operation_type,
                name: door.name,
            })
            .collect(),
        name: input.name,
    };
    let wall = curtain::create(author, &new)?;
    Ok(curtain::answer(author, wall))
}
