//! The tool catalogue: one file per tool in `src/<server>/<tool>.rs`, listed by build.rs.
//!
//! A tool file says what agents read, its typed input and answer, and its body. Bodies on models run inside an Execution
//! Service; platform bodies run in service. Neither knows transports, storage or who may call.

mod answer_room;
mod arranged;
mod call;
mod checked;
mod clash_groups;
mod clashing;
mod computed;
mod drawing_request;
mod elements;
mod energy_objects;
mod energy_resources;
mod energy_results;
mod energy_validation;
mod fields;
mod findings;
mod following;
mod framing;
mod georeference;
mod given_file;
mod graph_findings;
mod ids_packs;
mod input;
mod jobs;
mod kept_sheets;
mod kept_topics;
mod knowledge_resources;
mod library;
mod modelling;
mod opened;
mod outlines;
mod overlaid;
mod overlay;
mod pack_library;
mod places;
mod plan_making;
mod project_properties;
mod prompts;
mod references;
mod report;
mod requirements;
mod room_report;
mod room_totals;
mod routes;
mod rule_packs;
mod schedule;
mod schema_name;
pub mod script_api;
mod selecting;
mod shape;
mod sheet_schedule;
mod simulation;
mod space_boundaries;
mod steps;
mod stored;
mod takeoff;
mod tool;
mod topic_file;
mod topics;
mod waivers;
mod walling;
mod weather_files;
mod zone_card;
#[cfg(test)]
mod zone_card_tests;

pub use call::{EnergyCall, IfcCall, MakeFile, WriteFile};
pub use checked::Checked;
pub use computed::Computed;
pub use elements::{box_json, find, id_of, label_of, name_of, named, number_json, shown};
pub use energy_resources::EnergyResources;
pub use fields::{Field, Reading, computed_json};
pub use input::{near_matches, parse};
pub use knowledge_resources::TaskResources;
pub use library::{API, EMBEDDINGS, Library, MANUALS, TOKENIZER, WEIGHTS};
pub use model::model_summary::element_count;
pub use modelling::iso_time;
pub use opened::{OpenVersion, OpenVersions};
pub use overlay::overlay;
pub use pack_library::RULE_PACKS;
pub use prompts::prompts;
pub use references::{Answers, id_in, names_referred_to};
pub use selecting::{Selected, select, select_in};
pub use simulation::{JOB_KIND, JOB_READER};
pub use space_boundaries::{Renewed, Written, renew_between};
pub use tool::{Body, Empty, EnergyBody, IfcBody, Reply, Tool};

pub use ifc_check::severity_table;
pub use weather_files::{COLLECTION, COLLECTION_ADDRESS};

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// Every tool, by server and name.
pub fn catalogue() -> Vec<Tool> {
    let mut tools = listed();
    tools.sort_by(|a, b| (a.spec.server, &a.spec.name).cmp(&(b.spec.server, &b.spec.name)));
    tools
}

/// The tools that work on EnergyPlus models, and others of their servers: an adapter for these alone is linked without all else.
pub fn energy_catalogue() -> Vec<Tool> {
    let both = validation::validate_model::tool().on(contract::Server::Validation);
    listed_energy().into_iter().chain(listed_knowledge()).chain([both]).collect()
}

#[cfg(test)]
mod answers_tests;
#[cfg(test)]
mod arranging_tests;
#[cfg(test)]
mod authoring_tests;
#[cfg(test)]
mod building_tests;
#[cfg(test)]
mod carried_tests;
#[cfg(test)]
mod clash_tests;
#[cfg(test)]
mod clean_tests;
#[cfg(test)]
mod climbing_tests;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod document_tests;
#[cfg(test)]
mod edited_state;
#[cfg(test)]
mod element_tests;
#[cfg(test)]
mod filling_tests;
#[cfg(test)]
mod finding_tests;
#[cfg(test)]
mod framed_tests;
#[cfg(test)]
mod furnishing_follows_tests;
#[cfg(test)]
mod furniture_tests;
#[cfg(test)]
mod graph_tests;
#[cfg(test)]
mod join_matrix_tests;
#[cfg(test)]
mod layered_walls_tests;
#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod left_over_tests;
#[cfg(test)]
mod library_tests;
#[cfg(test)]
mod mending_tests;
#[cfg(test)]
mod opening_tests;
#[cfg(test)]
mod others_tests;
#[cfg(test)]
mod others_walls_tests;
#[cfg(test)]
mod pack_tests;
#[cfg(test)]
mod placement_tests;
#[cfg(test)]
mod plan_tests;
#[cfg(test)]
mod questions_tests;
#[cfg(test)]
mod random_edits;
#[cfg(test)]
mod random_edits_tests;
#[cfg(test)]
mod reading_tests;
#[cfg(test)]
mod redrawn_tests;
#[cfg(test)]
mod regeneration_tests;
#[cfg(test)]
mod report_tests;
#[cfg(test)]
mod roof_tests;
#[cfg(test)]
mod room_contents_tests;
#[cfg(test)]
mod rooms_tests;
#[cfg(test)]
mod schedule_tests;
#[cfg(test)]
mod sheet_tests;
#[cfg(test)]
mod soundness_tests;
#[cfg(test)]
mod space_boundaries_tests;
#[cfg(test)]
mod spatial_tests;
#[cfg(test)]
mod stairs_tests;
#[cfg(test)]
mod structure_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod topic_tests;
#[cfg(test)]
mod viewing_tests;
#[cfg(test)]
mod wall_forms_tests;
#[cfg(test)]
mod walls_tests;
