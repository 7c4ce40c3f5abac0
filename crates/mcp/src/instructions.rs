//! What an agent is told before its first call: how to work, in as few words as will do.

use contract::Server;

const COMMON: &str = "\
Pensaer keeps IFC building models with their whole history. Start with create_project (a new building), new_model or \
load_model (a file); that model is then current and model_id may be left out. \
Lengths, points and computed results are in mm, m², m³ and degrees; attributes and properties addressed by name are \
in the file's own units (new files: metres) and say so. Points are [x, y] or [x, y, z]; z counts from the storey. \
Elements are named by GlobalId. \
Every change is committed at once as a new version and answers with ids, model_version and what changed; undo, redo \
and restore_version go back and forth, dry_run=true only shows the difference. Say why in `reasoning`. \
Prefer the large tools: create_project takes storeys, create_building_shell makes walls, slabs and roof from a \
footprint, create_rooms divides a storey, create_opening puts a door or window with its opening into a wall. \
Check your work with query_elements, whose selectors are IfcOpenShell's, such as `IfcWall, Name=/North.*/` or \
`IfcDoor, Pset_DoorCommon.FireRating=EI30`. \
An error says what to do next, and its data names the field, near matches and allowed values. \
Finish with view_model (a link for a person) or export_ifc (the file).";

const ENERGY: &str = "\
This is Pensaer's server for EnergyPlus models (IDF, epJSON), which keeps them with their whole history. Start with load_model or \
new_model; that model is then current. Describe types with describe_object_type before adding objects; then \
check_model_integrity and validate_model, then run_simulation, then get_results_summary. Units are EnergyPlus' own (SI). \
Objects without a name are called by their handle, such as #12. \
Every tool on a model also takes model_id (id or name) and model_version; every tool that changes something takes reasoning \
(why, for the audit log), idempotency_key (makes a retry safe) and dry_run (only a preview), commits at once as a new version \
and answers model_version and what changed; undo takes it back. Answers are short and say what they left out and how to ask \
for it; nothing reaches out to the internet but download_weather_file. \
An error says what to do next; its data names the field, near matches and allowed values. \
Resources: idfkit://model/summary, idfkit://simulation/results and their like.";

/// The instructions of one server, or of all of them together.
pub(crate) fn instructions(server: Option<Server>) -> String {
    match server {
        None => COMMON.to_owned(),
        Some(Server::Energy) => ENERGY.to_owned(),
        Some(server) => format!(
            "This is Pensaer's `{}` server; some tools named here are offered by its other servers, which share the \
             same models and the same current model. {COMMON}",
            server.as_str()
        ),
    }
}
