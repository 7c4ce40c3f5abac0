//! Egress: how many persons are where, how far they go to an exit, and whether doors, stairs and exits are enough for them.

use crate::answer_room::{ANSWER, fit, sentences, weight};
use crate::findings::{self, Counts, Row};
use crate::places::{mm, mm_point, rounded};
use crate::waivers::{self, Waived};
use crate::{IfcCall, Tool, label_of};
use contract::{Effect, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use validation::egress::{self, Analysis, Occupancy, Parameters, RoomEgress};

/// Ways of one answer at most.
const MOST_PATHS: usize = 200;
/// Ways that are told unless more are asked for.
const PATHS: usize = 12;

/// About how many characters of violations, and of notes, an answer holds; exits and ways share what they leave.
const VIOLATIONS: usize = 7_000;
const NOTES: usize = 1_000;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Of rooms whose use the model does not tell, and of the building: business, residential, assembly, classroom, mercantile,
    /// industrial, storage, … or auto: by the most area.
    occupancy: String,
    /// Sprinklers throughout.
    #[serde(default)]
    sprinklers: bool,
    /// mm of clear width that a way has.
    #[schemars(extend("default" = 600, "x-seldom" = true))]
    width: Option<f64>,
    /// Ways told, the longest first, at most.
    #[schemars(extend("default" = PATHS, "minimum" = 1, "maximum" = MOST_PATHS, "x-seldom" = true))]
    paths: Option<usize>,
    /// Violations at most.
    #[schemars(extend("default" = 15, "minimum" = 1, "maximum" = findings::MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// The way out of a room.
#[derive(Debug, Serialize, JsonSchema)]
struct RoomWay {
    room: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    persons: Value,
    occupancy: String,
    /// True if its use was taken from the building's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    assumed: bool,
    /// mm from its farthest place to the exit; absent where there is no way.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<Value>,
    /// mm before ways to two exits part.
    #[serde(skip_serializing_if = "Option::is_none")]
    common_path: Option<Value>,
    exits_required: usize,
    /// Door of the exit.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<String>,
    /// Where it turns, in mm.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<[Value; 3]>,
}

/// An exit.
#[derive(Debug, Serialize, JsonSchema)]
struct Exit {
    door: String,
    id: String,
    /// The exit stairway that it leads into; none of a door outside.
    #[serde(skip_serializing_if = "Option::is_none")]
    stair: Option<String>,
    /// mm.
    clear_width: Value,
    /// Persons that it is wide enough for, and that it is the nearest for.
    capacity: Value,
    persons: Value,
}

/// The verdict.
#[derive(Debug, Serialize, JsonSchema)]
struct Compliance {
    /// No errors.
    compliant: bool,
    counts: Counts,
    violations: Vec<Row>,
    /// Findings that were waived, and are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waived: Vec<Waived>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// The result.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    occupancy: String,
    /// In the whole building.
    persons: Value,
    rooms: usize,
    exits: Vec<Exit>,
    /// The longest first.
    paths: Vec<RoomWay>,
    compliance: Compliance,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("egress_analysis", Effect::Query, run)
        .title("Egress")
        .toolset(Toolset::Compliance)
        .long()
        .description(
            "Analyses egress by the IBC 2021: loads, exits, travel distance, common path, dead ends, doors, stairs; each room's way out as a line.",
        )
        .example("By what the rooms are", json!({ "occupancy": "auto" }))
        .example("An office with sprinklers", json!({ "occupancy": "business", "sprinklers": true }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 15, findings::MOST)?;
    let paths = crate::input::bounded("paths", input.paths, PATHS, [1, MOST_PATHS])?;
    let mut parameters = Parameters { has_sprinklers: input.sprinklers, ..Parameters::default() };
    parameters.occupancy = occupancy(&input.occupancy)?;
    if let Some(mm) = input.width {
        if !(200.0..=5000.0).contains(&mm) {
            return Err(Fault::invalid("width", "`width` is a width in mm, from 200 to 5000."));
        }
        parameters.width = mm / 1000.0;
    }
    let mut analysis = analysed(call, &parameters)?;
    let model = call.edit.model();
    let mut all = findings::named(model, std::mem::take(&mut analysis.findings));
    let waived = waivers::take(model, &mut all);
    all.sort_by_key(|(_, finding)| finding.severity);
    let counts = Counts::new(&all);
    let (violations, next_cursor) = findings::page_within(model, &all, start, limit, VIOLATIONS);
    let exits = analysis.exits.iter().map(|own| Exit {
        door: label_of(model, own.door),
        id: crate::id_of(model, own.door),
        stair: own.stair.map(|stair| label_of(model, stair)),
        clear_width: mm(own.clear_width),
        capacity: rounded(own.capacity.floor()),
        persons: rounded((own.persons * 10.0).round() / 10.0),
    });
    let mut output = Output {
        persons: rounded(analysis.persons.ceil()),
        rooms: analysis.rooms.len(),
        exits: exits.collect(),
        paths: told(call, &analysis, paths)?,
        occupancy: analysis.occupancy,
        compliance: Compliance {
            compliant: counts.is_met(),
            counts,
            violations,
            waived: waivers::told(waived),
            next_cursor,
        },
        notes: sentences(analysis.notes, NOTES, ""),
    };
    bound(&mut output);
    Ok(output)
}

/// Leaves out exits and ways that there is no room for, and says so.
fn bound(output: &mut Output) {
    // the sentence that says so needs room, too
    let lists = weight(&output.exits) + weight(&output.paths);
    let room = (ANSWER - 300).saturating_sub(weight(output).saturating_sub(lists));
    if lists <= room {
        return;
    }
    let (all_exits, all_paths) = (output.exits.len(), output.paths.len());
    let for_paths = weight(&output.paths).min(room / 2);
    let exits_out = fit(&mut output.exits, room.saturating_sub(for_paths));
    let room = room.saturating_sub(weight(&output.exits));
    if let Some(first) = output.paths.first_mut()
        && weight(first) + 1 > room
    {
        // that it is there says more than where it turns
        first.points.clear();
    }
    let paths_out = fit(&mut output.paths, room);
    output.notes.push(format!(
        "{exits_out} of {all_exits} exits and {paths_out} of {all_paths} ways are left out here: `limit` 1 leaves them more room."
    ));
}

/// Analyses the model as the call left it.
pub(crate) fn analysed(call: &IfcCall, parameters: &Parameters) -> Result<Analysis, Fault> {
    call.watch.begins("analysing egress");
    let go_on = |done: usize, total: usize| call.watch.at(done as u64, total as u64);
    let analysis =
        findings::on_subject(call, |subject| Ok(egress::egress_analysis(subject, parameters, &go_on)))?;
    analysis.ok_or_else(|| Fault::given_up("egress_analysis"))
}

/// The identifier of an occupancy by its name; none for `auto`.
fn occupancy(name: &str) -> Result<Option<String>, Fault> {
    if name.trim().eq_ignore_ascii_case("auto") {
        return Ok(None);
    }
    let table = Occupancy::table();
    let plain = name.trim().to_lowercase().replace([' ', '-'], "_");
    let found = table.iter().find(|own| own.id == plain || own.title.eq_ignore_ascii_case(name.trim()));
    found.map(|own| Some(own.id.clone())).ok_or_else(|| {
        let ids: Vec<&str> = table.iter().map(|own| own.id.as_str()).collect();
        let near = crate::input::near_matches(name, ids.iter().copied());
        let name: String = name.chars().take(80).collect();
        let problem = format!("No occupancy is called '{name}'. There are {}, and auto.", ids.join(", "));
        Fault::invalid("occupancy", problem).with("near_matches", near)
    })
}

/// The ways out, those without one first, then the longest.
fn told(call: &IfcCall, analysis: &Analysis, most: usize) -> Result<Vec<RoomWay>, Fault> {
    let layout = call.layout()?;
    let model = call.edit.model();
    let mut rooms: Vec<&RoomEgress> = analysis.rooms.iter().collect();
    let length = |room: &RoomEgress| room.way.as_ref().map_or(f64::INFINITY, |way| way.length);
    rooms.sort_by(|a, b| length(b).total_cmp(&length(a)));
    let exit_door = |exit: usize| analysis.exits.get(exit).map(|own| crate::id_of(model, own.door));
    let one = |own: &RoomEgress| {
        let room = layout.rooms.rooms.get(own.load.room);
        RoomWay {
            room: room.map(spatial::Room::label).unwrap_or_default(),
            id: room.and_then(spatial::Room::space).map(|space| crate::id_of(model, space)),
            persons: rounded((own.load.persons * 10.0).round() / 10.0),
            occupancy: own.load.occupancy.clone(),
            assumed: own.load.is_assumed,
            length: own.way.as_ref().map(|way| mm(way.length)),
            common_path: own.common_path.map(mm),
            exits_required: own.exits_required,
            exit: own.way.as_ref().and_then(|way| exit_door(way.exit)),
            points: own.way.iter().flat_map(|way| &way.points).map(|p| mm_point(*p)).collect(),
        }
    };
    Ok(rooms.into_iter().take(most).map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer with so many exits and ways of so many turns.
    fn output(exits: usize, ways: usize, turns: usize) -> Output {
        let way = |at: usize| RoomWay {
            room: format!("Room {at}"),
            id: Some("0123456789abcdefghijkl".to_owned()),
            persons: json!(12),
            occupancy: "business".to_owned(),
            assumed: true,
            length: Some(json!(40_000 - at)),
            common_path: Some(json!(9_000)),
            exits_required: 2,
            exit: Some("0123456789abcdefghijkl".to_owned()),
            points: vec![[json!(12_345), json!(23_456), json!(0)]; turns],
        };
        let exit = |at: usize| Exit {
            door: format!("Door {at}"),
            id: "0123456789abcdefghijkl".to_owned(),
            stair: None,
            clear_width: json!(900),
            capacity: json!(180),
            persons: json!(20),
        };
        let (violations, waived) = (Vec::new(), Vec::new());
        let counts = Counts::default();
        Output {
            occupancy: "business".to_owned(),
            persons: json!(1200),
            rooms: ways,
            exits: (0..exits).map(exit).collect(),
            paths: (0..ways).map(way).collect(),
            compliance: Compliance { compliant: true, counts, violations, waived, next_cursor: None },
            notes: Vec::new(),
        }
    }

    #[test]
    fn exits_and_ways_beyond_the_room_of_an_answer_are_left_out_and_counted() {
        for (exits, ways, turns) in [(200, 12, 8), (3, 200, 8), (200, 200, 8), (2, 3, 2_000), (200, 0, 0)] {
            let mut answer = output(exits, ways, turns);
            bound(&mut answer);
            assert!(weight(&answer) <= ANSWER, "{exits} {ways} {turns}: {}", weight(&answer));
            assert!(weight(&answer) > ANSWER / 2 || turns > 100, "{exits} {ways} {turns}");
            let said = format!("{} of {exits} exits and", exits - answer.exits.len());
            assert!(answer.notes.iter().any(|note| note.starts_with(&said)), "{:?}", answer.notes);
            assert_eq!(answer.exits.is_empty(), exits == 0);
            assert_eq!(answer.paths.is_empty(), ways == 0);
        }
        let mut small = output(4, 12, 6);
        bound(&mut small);
        assert_eq!((small.exits.len(), small.paths.len(), small.notes.len()), (4, 12, 0));
    }
}
