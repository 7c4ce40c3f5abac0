//! Fire compartments and ratings: what the model states, which openings are weaker than their wall, where compartments leak.

use crate::findings::{self, Counts, Row};
use crate::waivers::{self, Waived};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use validation::fire::{self, OpeningRule, Parameters, Report, Source};

/// Compartments of one answer at most.
const MOST: usize = 40;
/// Rooms of a compartment that are told.
const ROOMS: usize = 12;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Part of its wall's rating that a door or window needs; by default by IBC 2021 table 716.1(2): 45 min in 1 h, 90 min in 2 h.
    #[schemars(extend("x-seldom" = true))]
    opening_ratio: Option<f64>,
    /// Minutes below which a rating parts no compartments.
    #[schemars(extend("default" = 30, "x-seldom" = true))]
    least_minutes: Option<f64>,
    /// Violations at most.
    #[schemars(extend("default" = 25, "minimum" = 1, "maximum" = findings::MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// A compartment.
#[derive(Debug, Serialize, JsonSchema)]
struct Compartment {
    name: String,
    /// Read from `spatial_zone`, `zone`, `property`, `rated_elements`.
    source: &'static str,
    rooms: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_rooms: Option<usize>,
}

/// The result.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// No errors.
    compliant: bool,
    counts: Counts,
    compartments: Vec<Compartment>,
    compartment_count: usize,
    /// Elements with a rating that could be read.
    rated: usize,
    violations: Vec<Row>,
    /// Findings that were waived, and are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waived: Vec<Waived>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("fire_rating_check", Effect::Query, run)
        .title("Fire ratings")
        .toolset(Toolset::Compliance)
        .long()
        .description(
            "Checks fire compartments and ratings: weak openings, missing ratings, compartments that leak, walls that stop short.",
        )
        .example("All", json!({}))
        .example("Openings as strong as their wall", json!({ "opening_ratio": 1.0 }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let (start, limit) = findings::bounds(input.limit, input.cursor.as_deref())?;
    let mut parameters = Parameters::default();
    if let Some(ratio) = input.opening_ratio {
        if !(ratio > 0.0 && ratio <= 1.0) {
            return Err(Fault::invalid("opening_ratio", "`opening_ratio` is more than 0 and at most 1."));
        }
        parameters.openings = OpeningRule::Ratio(ratio);
    }
    if let Some(minutes) = input.least_minutes {
        if !(1.0..=480.0).contains(&minutes) {
            return Err(Fault::invalid("least_minutes", "`least_minutes` is from 1 to 480."));
        }
        parameters.least_minutes = minutes;
    }
    let report = checked(call, &parameters)?;
    let mut violations = findings::named(call.edit.model(), report.findings);
    let waived = waivers::take(call.edit.model(), &mut violations);
    violations.sort_by_key(|(_, finding)| finding.severity);
    let layout = call.layout()?;
    let name = |room: &usize| layout.rooms.rooms.get(*room).map(spatial::Room::label);
    let told = |own: &fire::Compartment| Compartment {
        name: own.name.clone(),
        source: match own.source {
            Source::SpatialZone => "spatial_zone",
            Source::Zone => "zone",
            Source::Property => "property",
            Source::RatedElements => "rated_elements",
        },
        rooms: own.rooms.iter().filter_map(name).take(ROOMS).collect(),
        more_rooms: own.rooms.len().checked_sub(ROOMS).filter(|more| *more > 0),
    };
    let mut notes = report.notes;
    if report.ratings.is_empty() {
        notes.push("Nothing was judged: no element of the model states a fire rating. That is not to say that it complies.".to_owned());
    }
    let counts = Counts::new(&violations);
    let (rows, next) = findings::page(call.edit.model(), &violations, start, limit);
    Ok(Output {
        compliant: counts.is_met(),
        counts,
        compartments: report.compartments.iter().take(MOST).map(told).collect(),
        compartment_count: report.compartments.len(),
        rated: report.ratings.len(),
        violations: rows,
        waived: waivers::told(waived),
        next_cursor: next,
        notes,
    })
}

/// Checks the model as the call left it.
pub(crate) fn checked(call: &IfcCall, parameters: &Parameters) -> Result<Report, Fault> {
    call.watch.begins("checking fire ratings");
    let go_on = |done: usize, total: usize| call.watch.at(done as u64, total as u64);
    let report = findings::on_subject(call, |subject| Ok(fire::check(subject, parameters, &go_on)))?;
    report.ok_or_else(|| Fault::given_up("fire_rating_check"))
}
