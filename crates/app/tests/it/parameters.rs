//! Every parameter that a schema offers matters: with another value of it the answer, the model or its file is another one, or the
//! value is refused. A parameter that nothing here proves fails the tests, so that none is offered that does nothing.
//!
//! What can be tried is tried: each example is called with and without the parameter, and with other values of its type. Where that
//! cannot show it, [`VALUES`] has a value that does, or [`SHOWN`] the test that shows it.

use crate::examples::{Described, Desk, described};
use crate::place::Place;
use crate::security::office::{Office, wall};
use crate::wire::Stdio;
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Parameters that go with a word: tool, parameter, word, and the other with its value in JSON.
const TOGETHER: &[(&str, &str, &str, (&str, &str))] = &[
    ("clash_detection", "mode", "clearance", ("clearance", "100")),
    ("create_section", "layers", "aia", ("format", r#""dxf""#)),
    ("create_section", "layers", "iso13567", ("format", r#""dxf""#)),
    ("join_elements", "join_type", "tee", ("element_ids", r#"["Wall 1", "Tee"]"#)),
    ("align_elements", "distribute", "x", ("element_ids", r#"["Row 1", "Row 2", "Row 3"]"#)),
    ("align_elements", "distribute", "y", ("element_ids", r#"["Row 1", "Row 2", "Row 3"]"#)),
    ("align_elements", "distribute", "z", ("element_ids", r#"["Row 1", "Row 2", "Row 3"]"#)),
    ("create_group", "kind", "zone", ("add", r#"["room"]"#)),
    ("query_graph", "export", "turtle", ("sparql", "null")),
    ("query_graph", "export", "json_ld", ("sparql", "null")),
    ("measure", "kind", "ray", ("direction", "[0, 1, 0]")),
    ("rename_elements", "per", "room", ("element_ids", r#"["Tee"]"#)),
];

/// Rooms of a building that lie along a corridor.
const CORRIDOR: &str = r#"{"storeys": [{"name": "Ground Floor", "rooms": [{"name": "living_room_1", "area": 30},
    {"name": "bedroom_1", "area": 14}, {"name": "bathroom_1", "area": 6}]}]}"#;

/// Rooms on two storeys of a building.
const TWO_STOREYS: &str = r#"{"storeys": [
    {"name": "Ground Floor", "rooms": [{"name": "a", "area": 24}, {"name": "b", "area": 20}]},
    {"name": "Roof", "rooms": [{"name": "c", "area": 24}, {"name": "d", "area": 20}]}]}"#;

/// Values that show what a parameter does: tool, parameter, what else is given, and the value.
const VALUES: &[(&str, &str, &str, &str)] = &[
    ("create_branch", "from", "{}", r#""3f2a90c1""#),
    ("create_branch", "switch", r#"{"from": "3f2a90c1"}"#, "false"),
    ("describe_properties", "cursor", "{}", r#""1""#),
    ("describe_class", "schema", r#"{"name": "IfcWall"}"#, r#""IFC2X3""#),
    ("query_graph", "limit", r#"{"sparql": "SELECT ?name { ?wall a ifc:IfcWall ; ifc:name ?name }"}"#, "1"),
    ("query_graph", "terms", r#"{"sparql": null}"#, r#""wall""#),
    ("query_graph", "export", r#"{"sparql": null}"#, r#""turtle""#),
    ("diff_versions", "target", "{}", r#""3f2a90c1""#),
    ("diff_versions", "limit", "{}", "1"),
    ("diff_versions", "cursor", "{}", r#""1""#),
    ("load_model", "version", "{}", r#""IFC4""#),
    ("new_model", "version", "{}", r#""IFC2X3""#),
    ("query_elements", "sort", "{}", r#""-Name""#),
    ("query_elements", "cursor", "{}", r#""1""#),
    ("query_elements", "limit", "{}", "1"),
    ("run_code", "language", "{}", r#""python""#),
    ("run_code", "backend", "{}", r#""native""#),
    ("save_model", "output_format", r#"{"file_path": "other.ifczip", "overwrite": true}"#, r#""ifczip""#),
    ("create_space_boundaries", "room_id", "{}", r#""Prepared 1""#),
    ("create_building", "storey_height", r#"{"storeys": 2}"#, "4000"),
    ("create_building", "elevation", r#"{"storeys": [{"name": "Upper"}]}"#, "4000"),
    ("create_building", "corridor_width", CORRIDOR, "1600"),
    ("create_building", "wet_together", CORRIDOR, "true"),
    ("create_building", "names", "{}", r#"{"walls": "Side {n}"}"#),
    ("create_building", "stair", TWO_STOREYS, r#"{"name": "Stairwell"}"#),
    ("create_building_shell", "elevation", r#"{"storeys": [{"name": "Upper"}]}"#, "4000"),
    ("create_building_shell", "names", "{}", r#"{"walls": "Side {n}"}"#),
    ("create_building_shell", "pitch", r#"{"roof": "gable"}"#, "50"),
    ("create_building_shell", "roof", "{}", r#""hip""#),
    ("create_floor", "openings", "{}", "[[[1000, 1000], [3000, 1000], [1000, 3000]]]"),
    ("create_floor", "slope", "{}", r#"{"pitch": 5, "direction": 90}"#),
    ("create_roof", "shape", "{}", r#""hip""#),
    ("create_roof", "pitch", r#"{"shape": "hip"}"#, "50"),
    ("create_roof", "upper_pitch", r#"{"shape": "mansard"}"#, "20"),
    ("create_roof", "break_height", r#"{"shape": "mansard"}"#, "1500"),
    ("create_roof", "eaves", r#"{"shape": "gable"}"#, "[2, 4]"),
    ("create_roof", "ridge_direction", r#"{"shape": "gable"}"#, "90"),
    ("clash_detection", "target_model_id", "{}", r#""Duplex""#),
    ("clash_detection", "target_model_version", "{}", r#""main""#),
    ("clash_detection", "cursor", "{}", r#""1""#),
    ("validate_model", "cursor", "{}", r#""1""#),
    ("validate_model", "limit", r#"{"rules": ["IFC105", "GRF", "SPS", "SYS", "TAS", "BRP", "GEM"]}"#, "1"),
    ("export_bcf", "clashes", "{}", r#"{"source_category": "walls", "target_category": "IfcSlab"}"#),
    (
        "export_bcf",
        "target_model_id",
        r#"{"clashes": {"source_category": "walls", "target_category": "IfcSlab"}}"#,
        r#""Duplex""#,
    ),
    (
        "export_bcf",
        "target_model_version",
        r#"{"clashes": {"source_category": "walls", "target_category": "IfcSlab"}}"#,
        r#""main""#,
    ),
    ("export_bcf", "diff_base", "{}", r#""3f2a90c1""#),
    ("export_bcf", "project_info", "{}", r#"{"name": "Another"}"#),
    ("import_bcf", "cursor", "{}", r#""1""#),
    ("validate_model", "rules", "{}", r#"["SPS"]"#),
    ("validate_model", "packs", "{}", r#"["dwelling-space"]"#),
    (
        "validate_model",
        "ids",
        "{}",
        r#""<ids xmlns=\"http://standards.buildingsmart.org/IDS\"><info><title>T</title></info><specifications><specification name=\"S\" ifcVersion=\"IFC4\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\"><entity><name><simpleValue>IFCWALL</simpleValue></name></entity></applicability><requirements><attribute><name><simpleValue>Name</simpleValue></name><value><simpleValue>nobody</simpleValue></value></attribute></requirements></specification></specifications></ids>""#,
    ),
    ("validate_model", "since", r#"{"parts": ["schema", "rules", "implementer"]}"#, r#""3f2a90c1""#),
    ("validate_model", "report", "{}", r#""html""#),
    ("export_bcf", "findings", "{}", r#"{"parts": ["constraints"], "severity_threshold": "notice"}"#),
    ("export_bcf", "kept", "{}", "true"),
    ("explain_rule", "rule", "{}", r#""GEM001""#),
    ("check_ids", "cursor", "{}", r#""1""#),
    ("check_ids", "report", r#"{"report": null}"#, r#""json""#),
    (
        "check_ids",
        "skip_other_schemas",
        r#"{"ids": "<ids xmlns=\"http://standards.buildingsmart.org/IDS\"><info><title>T</title></info><specifications><specification name=\"S\" ifcVersion=\"IFC2X3\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\"><entity><name><simpleValue>IFCWALL</simpleValue></name></entity></applicability><requirements><attribute><name><simpleValue>Name</simpleValue></name><value><simpleValue>nobody</simpleValue></value></attribute></requirements></specification></specifications></ids>"}"#,
        "true",
    ),
    (
        "check_ids",
        "elements",
        r#"{"ids": "<ids xmlns=\"http://standards.buildingsmart.org/IDS\"><info><title>T</title></info><specifications><specification name=\"S\" ifcVersion=\"IFC4\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\"><entity><name><simpleValue>IFCWALL</simpleValue></name></entity></applicability><requirements><attribute><name><simpleValue>Name</simpleValue></name><value><simpleValue>nobody</simpleValue></value></attribute></requirements></specification></specifications></ids>"}"#,
        "1",
    ),
    (
        "check_ids",
        "limit",
        r#"{"ids": "<ids xmlns=\"http://standards.buildingsmart.org/IDS\"><info><title>T</title></info><specifications><specification name=\"S\" ifcVersion=\"IFC4\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\"><entity><name><simpleValue>IFCWALL</simpleValue></name></entity></applicability><requirements><attribute><name><simpleValue>Name</simpleValue></name><value><simpleValue>nobody</simpleValue></value></attribute></requirements></specification><specification name=\"S\" ifcVersion=\"IFC4\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\"><entity><name><simpleValue>IFCWALL</simpleValue></name></entity></applicability><requirements><attribute><name><simpleValue>Name</simpleValue></name><value><simpleValue>nobody</simpleValue></value></attribute></requirements></specification></specifications></ids>"}"#,
        "1",
    ),
    ("author_ids", "author", "{}", r#""someone@example.org""#),
    ("author_ids", "schemas", "{}", r#"["IFC2X3"]"#),
    ("create_section", "format", "{}", r#""pdf""#),
    ("create_section", "dimensions", "{}", "false"),
    ("create_section", "measure", "{}", r#"[{"from": [0, 0, 0], "to": [1000, 0, 0]}]"#),
    ("create_section", "language", "{}", r#""de""#),
    ("create_section", "layers", r#"{"format": "dxf"}"#, r#""iso13567""#),
    ("create_report", "diff_base", "{}", r#""3f2a90c1""#),
    ("export_ifc", "mvd", "{}", r#""ReferenceView""#),
    ("export_ifc", "format", "{}", r#""glb""#),
    ("export_ifc", "selector", "{}", r#""IfcWall""#),
    ("export_ifc", "split", "{}", r#""storey""#),
    ("export_ifc", "with", "{}", r#"["Structure"]"#),
    ("export_ifc", "joining", r#"{"with": ["Structure"]}"#, r#""apart""#),
    ("import_plan", "scale", "{}", "2"),
    ("import_plan", "place", "{}", "[30000, 0]"),
    ("import_plan", "height", "{}", "2600"),
    ("import_plan", "without_rooms", "{}", "true"),
    ("generate_schedule", "category", "{}", r#""windows""#),
    ("generate_schedule", "parameters", "{}", r#"["Name", "area"]"#),
    ("generate_schedule", "template", "{}", r#""window""#),
    ("generate_schedule", "filters", "{}", r#""Name=nothing""#),
    ("generate_schedule", "sort", "{}", r#""-Width""#),
    ("generate_schedule", "itemized", "{}", "false"),
    ("generate_schedule", "title", "{}", r#""Doors of the house""#),
    ("generate_schedule", "limit", "{}", "0"),
    ("generate_schedule", "format", "{}", r#""xlsx""#),
    ("quantity_takeoff", "categories", "{}", r#"["doors"]"#),
    ("quantity_takeoff", "grouping", "{}", r#"["level"]"#),
    ("quantity_takeoff", "quantities", "{}", r#"["Count"]"#),
    ("quantity_takeoff", "source", "{}", r#""stored""#),
    ("quantity_takeoff", "waste", "{}", "7"),
    ("quantity_takeoff", "limit", "{}", "1"),
    ("quantity_takeoff", "format", "{}", r#""csv""#),
    ("quantity_takeoff", "diff_base", "{}", r#""3f2a90c1""#),
    ("create_report", "format", "{}", r#""html""#),
    ("create_report", "language", "{}", r#""de""#),
    ("create_sheet", "language", "{}", r#""de""#),
    ("create_section", "diff_base", "{}", r#""3f2a90c1""#),
    ("create_section", "findings", "{}", r#"[{"at": [1000, 1000, 500], "title": "Here"}]"#),
    ("create_section", "path", "{}", "[[0, 0, 0], [3000, 1000, 0]]"),
    ("create_section", "rooms", "{}", r#""area""#),
    ("create_section", "dpi", r#"{"format": "png"}"#, "100"),
    ("get_download_link", "expires_seconds", "{}", "0"),
    ("get_upload_link", "expires_seconds", r#"{"expires_seconds": 60}"#, "0"),
    ("render_view", "elements", "{}", r#""IfcDoor""#),
    ("render_view", "diff_base", "{}", r#""3f2a90c1""#),
    ("merge_branch", "target", "{}", r#""main""#),
    ("create_opening", "operation_type", "{}", r#""DOUBLE_PANEL_VERTICAL""#),
    ("create_opening", "shape", "{}", r#""round""#),
    ("create_opening", "sides", r#"{"shape": "polygon"}"#, "5"),
    ("create_opening", "lining", "{}", "90"),
    ("create_opening", "glazing", "{}", "3"),
    ("create_rooms", "connect", "{}", r#"[["living_room_1", "bedroom_1"]]"#),
    ("create_rooms", "door_width", "{}", "800"),
    ("create_rooms", "wet_together", "{}", "true"),
    ("delete_elements", "with_contents", r#"{"element_ids": ["Ground Floor"]}"#, "true"),
    // the frame
    ("create_column", "width", r#"{"section": null, "depth": 300}"#, "500"),
    ("create_column", "depth", r#"{"section": null, "width": 300}"#, "500"),
    ("create_column", "profile", r#"{"section": null}"#, "[[0, 0], [300, 0], [0, 300]]"),
    ("create_column", "top", r#"{"height": null}"#, "2500"),
    ("create_column", "cardinal_point", "{}", "1"),
    ("create_column", "material", "{}", r#""S355""#),
    ("create_column", "name", "{}", r#""Post {n}""#),
    ("create_beam", "width", r#"{"section": null, "depth": 300}"#, "500"),
    ("create_beam", "depth", r#"{"section": null, "width": 300}"#, "500"),
    ("create_beam", "diameter", r#"{"section": null}"#, "300"),
    ("create_beam", "profile", r#"{"section": null}"#, "[[0, 0], [300, 0], [0, 300]]"),
    ("create_beam", "elevation", r#"{"start": [30000, 40000], "end": [36000, 40000]}"#, "2500"),
    ("create_beam", "cardinal_point", "{}", "5"),
    ("create_beam", "extend", "{}", "[100, -100]"),
    ("create_beam", "end_cuts", "{}", r#"["vertical", 30]"#),
    ("create_beam", "material", "{}", r#""S355""#),
    ("create_beam", "name", "{}", r#""Joist {n}""#),
    ("create_member", "width", r#"{"section": null, "depth": 100}"#, "150"),
    ("create_member", "depth", r#"{"section": null, "width": 100}"#, "150"),
    ("create_member", "diameter", r#"{"section": null}"#, "100"),
    ("create_member", "profile", r#"{"section": null}"#, "[[0, 0], [100, 0], [0, 100]]"),
    ("create_member", "cardinal_point", "{}", "1"),
    ("create_member", "extend", "{}", "[100, -100]"),
    ("create_member", "end_cuts", "{}", r#"["square", "square"]"#),
    ("create_member", "material", "{}", r#""S355""#),
    ("create_member", "name", "{}", r#""Diagonal""#),
    ("create_grid", "level_ids", "{}", r#"["Ground Floor"]"#),
    ("create_grid", "name", "{}", r#""Main""#),
    ("create_footing", "length", "{}", "2500"),
    ("create_footing", "top", "{}", "-300"),
    ("create_footing", "predefined_type", "{}", r#""pile_cap""#),
    ("create_footing", "material", "{}", r#""Concrete C30/37""#),
    ("create_pile", "predefined_type", "{}", r#""driven""#),
    ("create_pile", "material", "{}", r#""Timber""#),
    ("create_wall", "via", r#"{"start": [20000, 20000], "end": [25000, 24000]}"#, "[[25000, 20000]]"),
    ("create_wall", "arc_through", r#"{"start": [20000, 20000], "end": [25000, 20000]}"#, "[22500, 21000]"),
    (
        "create_wall",
        "layers",
        r#"{"start": [20000, 20000], "end": [25000, 20000]}"#,
        r#"[{"material": "Brick", "thickness": 115}, {"material": "Concrete", "thickness": 150, "function": "core"}]"#,
    ),
    (
        "create_wall",
        "type_id",
        r#"{"start": [20000, 20000], "end": [25000, 20000]}"#,
        r#""Exterior wall 200 mm""#,
    ),
    ("create_wall", "top", r#"{"start": [20000, 20000], "end": [25000, 20000], "height": null}"#, "2500"),
    ("create_wall", "top_end_height", r#"{"start": [20000, 20000], "end": [25000, 20000]}"#, "2000"),
    (
        "create_wall",
        "openings",
        r#"{"start": [20000, 20000], "end": [25000, 20000]}"#,
        r#"[{"location": {"at": "center"}, "width": 1000, "height": 2000}]"#,
    ),
    (
        "create_wall",
        "recesses",
        r#"{"start": [20000, 20000], "end": [25000, 20000]}"#,
        r#"[{"location": {"at": "center"}, "width": 1000, "height": 2000, "depth": 50}]"#,
    ),
    ("join_elements", "element_ids", "{}", r#"["Wall 2", "Wall 3"]"#),
    ("join_elements", "join_type", "{}", r#""none""#),
    ("create_element", "predefined_type", r#"{"ifc_class": "IfcFurniture"}"#, r#""CHAIR""#),
    ("create_element", "colour", "{}", r#""oak""#),
    ("create_covering", "height", r#"{"surface": "walls"}"#, "1200"),
    ("create_covering", "drop", r#"{"surface": "ceiling"}"#, "300"),
    ("create_covering", "colour", "{}", r#""oak""#),
    ("create_furniture", "material", "{}", r#""Walnut""#),
    ("create_stair", "riser", "{}", "170"),
    ("create_stair", "tread", "{}", "280"),
    ("create_ramp", "slope", "{}", "5"),
    ("create_ramp", "landing_depth", "{}", "2000"),
    ("copy_elements", "count_2", r#"{"by_2": [0, 60000]}"#, "2"),
    ("create_group", "predefined_type", r#"{"kind": "system"}"#, r#""VENTILATION""#),
    ("create_group", "long_name", r#"{"kind": "system", "predefined_type": "VENTILATION"}"#, r#""Air""#),
    ("set_style", "materials", "{}", r#"["Masonry"]"#),
    ("create_project", "address", "{}", r#"{"lines": ["Hills Road 5"], "town": "Cambridge"}"#),
    // energy models
    ("get_doc_section", "version", "{}", r#""9.6""#),
    ("search_docs", "version", "{}", r#""9.6""#),
    ("describe_object_type", "version", "{}", r#""9.6""#),
    ("list_object_types", "version", "{}", r#""9.6""#),
    ("search_schema", "version", "{}", r#""9.6""#),
    (
        "batch_add_objects",
        "atomic",
        r#"{"objects": [{"object_type": "Zone", "name": "N"}, {"object_type": "Zone", "name": "ZONE 1"}]}"#,
        "false",
    ),
    ("get_zone_properties", "zone_name", "{}", r#""ZONE 1""#),
    ("ifc_to_energy_model", "zoning", "{}", r#""space""#),
    (
        "ifc_to_energy_model",
        "corrections",
        "{}",
        r#"[{"what": "infiltration", "where": ["IfcSpace"], "value": 0.5}]"#,
    ),
    ("list_objects", "limit", r#"{"object_type": "BuildingSurface:Detailed"}"#, "2"),
    ("remove_object", "force", r#"{"object_type": "Zone", "name": "ZONE 1"}"#, "false"),
    ("remove_objects", "force", r#"{"object_type": "Zone"}"#, "true"),
    ("search_objects", "object_type", r#"{"query": "zone"}"#, r#""Zone""#),
    ("search_objects", "limit", r#"{"query": "zone"}"#, "1"),
    ("view_schedules", "name", "{}", r#""Old""#),
    ("view_schedules", "year", "{}", "2023"),
    // results
    ("export_timeseries", "key_value", "{}", r#""Environment""#),
    ("export_timeseries", "output_path", "{}", r#""series.csv""#),
    ("export_timeseries", "format", "{}", r#""parquet""#),
    ("query_timeseries", "key_value", "{}", r#""Environment""#),
    ("query_simulation_table", "row_name", "{}", r#""Heating""#),
    ("query_simulation_table", "column_name", "{}", r#""Electricity""#),
];

/// The test that shows most of what narrows queries of place.
const NARROWED: &str = "what_is_found_by_place_is_narrowed_by_room_selector_and_category_and_comes_in_pages";

/// The test that shows that tools on results read the run that is named.
const RUNS: &str = "two_runs_are_read_by_their_jobs_and_compared_with_what_differs_between_their_models";

/// The tests that show what a parameter does which no example can: tool, parameter, test.
const SHOWN: &[(&str, &str, &str)] = &[
    ("add_documents", "files", "documents_are_kept_found_and_read_again_only_when_they_changed"),
    ("add_documents", "corpus", "documents_are_kept_found_and_read_again_only_when_they_changed"),
    ("add_documents", "tags", "documents_are_kept_found_and_read_again_only_when_they_changed"),
    ("add_documents", "remove", "documents_are_kept_found_and_read_again_only_when_they_changed"),
    ("add_documents", "readers_of", "documents_are_there_for_whom_they_were_given_and_no_one_else"),
    ("create_building", "project", "the_six_cases_are_met_in_few_calls_one_batch_or_one_script"),
    ("generate_schedule", "group_by", "columns_are_computed_grouped_sorted_and_converted"),
    ("import_plan", "layers", "a_plan_that_says_too_little_is_refused_with_what_would_help"),
    ("import_plan", "file", "a_drawn_plan_becomes_walls_doors_windows_and_rooms"),
    ("import_plan", "door_height", "a_drawn_plan_becomes_walls_doors_windows_and_rooms"),
    ("import_plan", "window_height", "a_drawn_plan_becomes_walls_doors_windows_and_rooms"),
    ("import_plan", "sill", "a_drawn_plan_becomes_walls_doors_windows_and_rooms"),
    ("trace_image", "file", "a_picture_of_a_plan_is_traced_and_asks_for_its_scale"),
    ("trace_image", "scale", "a_picture_of_a_plan_is_traced_and_asks_for_its_scale"),
    ("trace_image", "limit", "a_picture_of_a_plan_is_traced_and_asks_for_its_scale"),
    ("quantity_takeoff", "rates", "materials_share_the_volume_and_have_cost_and_carbon"),
    ("quantity_takeoff", "classification_table", "codes_come_from_a_table_or_from_the_file"),
    ("import_schedule", "file", "a_filled_in_schedule_comes_back_cell_by_cell"),
    ("create_report", "style", "a_style_of_ones_own_changes_the_drawing_and_its_mistakes_have_lines"),
    (
        "create_sheet",
        "fields",
        "sheets_are_kept_with_the_model_and_drawn_again_after_an_edit_as_far_as_it_changed_them",
    ),
    ("create_sheet", "keynotes", "notes_tables_pictures_and_revisions_have_their_places"),
    ("create_sheet", "tables", "notes_tables_pictures_and_revisions_have_their_places"),
    ("create_sheet", "title_block", "what_cannot_be_a_sheet_is_one_clear_refusal"),
    ("create_sheet", "sheets", "a_sheet_is_replaced_with_its_history_and_taken_out"),
    ("create_sheet", "pictures", "pictures_of_the_model_stand_on_a_sheet_and_are_drawn_of_what_it_is_now"),
    ("create_sheet", "remove", "a_sheet_is_replaced_with_its_history_and_taken_out"),
    ("create_sheet", "style", "a_style_of_ones_own_changes_the_drawing_and_its_mistakes_have_lines"),
    ("create_sheet", "template", "what_cannot_be_a_sheet_is_one_clear_refusal"),
    (
        "create_section",
        "title",
        "a_drawing_is_written_in_every_format_from_every_side_with_dimensions_that_are_asked_for",
    ),
    ("create_section", "style", "a_style_of_ones_own_changes_the_drawing_and_its_mistakes_have_lines"),
    ("adjacency_matrix", "level_id", "neighbours_by_doors_are_those_of_the_house"),
    ("adjacency_matrix", "kind", "neighbours_by_doors_are_those_of_the_house"),
    (
        "circulation_check",
        "closed_doors",
        "every_room_is_reached_from_outside_in_one_call_unless_a_door_is_shut",
    ),
    ("path_finding", "closed_doors", "every_room_is_reached_from_outside_in_one_call_unless_a_door_is_shut"),
    ("create_space_boundaries", "existing", "rooms_that_have_boundaries_are_kept_where_that_is_asked"),
    ("measure", "gap", "faces_that_a_gap_parts_are_in_contact_where_it_is_allowed"),
    ("room_analysis", "limit", NARROWED),
    ("room_analysis", "cursor", "all_rooms_come_in_pages"),
    ("spatial_query", "level_id", NARROWED),
    ("spatial_query", "room_id", NARROWED),
    ("spatial_query", "categories", NARROWED),
    ("spatial_query", "selector", NARROWED),
    ("spatial_query", "cursor", NARROWED),
    ("spatial_query", "ray", "a_ray_and_a_contact_are_measured_in_the_house"),
    ("spatial_query", "above", "elements_are_found_by_place"),
    ("spatial_query", "below", "elements_are_found_by_place"),
    ("create_rooms", "storeys", "rooms_of_several_storeys_lie_around_one_stair_in_any_outline"),
    ("create_rooms", "stair", "a_hallway_is_added_on_storeys_around_a_stair_where_none_is_asked_for"),
    ("create_column", "level_ids", "columns_and_beams_are_made_on_several_storeys_at_once"),
    ("create_beam", "level_ids", "columns_and_beams_are_made_on_several_storeys_at_once"),
    ("create_column", "grid", "where_two_grids_know_a_crossing_the_one_is_taken_that_is_named"),
    ("create_beam", "along", "columns_and_beams_on_a_grid_follow_its_lines"),
    ("create_beam", "grid", "where_two_grids_know_a_crossing_the_one_is_taken_that_is_named"),
    ("create_member", "grid", "where_two_grids_know_a_crossing_the_one_is_taken_that_is_named"),
    ("create_footing", "under", "beams_and_pads_follow_the_columns_they_were_made_from"),
    ("create_footing", "grid", "where_two_grids_know_a_crossing_the_one_is_taken_that_is_named"),
    ("create_pile", "grid", "where_two_grids_know_a_crossing_the_one_is_taken_that_is_named"),
    ("align_elements", "distribute", "walls_are_brought_into_line_and_spaced_evenly"),
    ("align_elements", "spacing", "walls_are_brought_into_line_and_spaced_evenly"),
    ("assign_type", "type_id", "an_assigned_type_brings_thickness_to_walls_and_size_to_doors"),
    (
        "copy_elements",
        "to_level",
        "a_house_copied_to_another_storey_keeps_its_corners_and_the_storey_its_totals",
    ),
    ("create_group", "remove", "groups_zones_and_systems_take_members_in_and_let_them_go"),
    ("rename_elements", "step", "names_follow_a_pattern_with_numbers_storeys_types_and_rooms"),
    ("rename_elements", "per", "numbering_begins_anew_for_each_storey"),
    ("cancel_job", "job_id", "a_call_as_a_job_that_is_cancelled_ends_in_its_worker"),
    ("get_change_log", "limit", "lists_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("get_job", "wait", "a_number_beyond_the_bounds_that_its_schema_tells_is_refused"),
    ("list_files", "limit", "lists_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("merge_branch", "resolve", "an_agent_works_on_a_branch_and_merges_it_and_conflicts_say_what_to_do"),
    ("redo", "steps", "lists_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("create_roof", "walls_reach", "walls_are_left_as_they_are_where_that_is_asked_for"),
    ("delete_elements", "rehost", "openings_of_a_wall_that_goes_are_taken_over_by_another"),
    ("create_space", "walls", "a_space_lies_between_the_inner_faces_of_its_walls"),
    ("create_stair", "to_level", "a_stair_over_several_storeys_is_one_above_the_other"),
    ("create_stair", "within", "a_stair_goes_into_a_room_and_is_refused_where_there_is_none"),
    ("create_stair", "cut_opening", "a_straight_stair_is_measured_by_hand"),
    (
        "create_railing",
        "along",
        "railings_follow_a_stair_an_opening_and_a_path_and_are_clean_in_every_schema",
    ),
    ("create_ramp", "to_level", "a_ramp_climbs_by_its_slope_with_landings_between_its_runs"),
    ("create_ramp", "cut_opening", "a_ramp_climbs_by_its_slope_with_landings_between_its_runs"),
    ("create_shaft", "to_level", "a_shaft_goes_through_every_slab_with_walls_and_a_lift"),
    ("clash_detection", "limit", "what_comes_too_near_is_told_with_its_distance_and_pages_go_on"),
    ("clash_detection", "matrix", "a_matrix_is_looked_through_row_by_row_and_each_pair_is_told_once"),
    ("clash_detection", "ignore", "what_is_bound_is_listed_where_its_bond_is_not_ignored"),
    ("clash_detection", "reach", "clashes_are_grouped_by_classes_elements_storeys_grid_lines_and_heaps"),
    ("clash_detection", "since", "what_is_new_still_there_and_resolved_since_a_version_is_told"),
    ("code_compliance", "pack", "a_file_with_mistakes_is_refused_with_line_and_column_however_it_is_named"),
    ("code_compliance", "rules", "a_standard_is_held_by_its_name_its_rules_and_parameters_set_otherwise"),
    (
        "code_compliance",
        "parameters",
        "a_standard_is_held_by_its_name_its_rules_and_parameters_set_otherwise",
    ),
    ("accessibility_check", "rules", "a_standard_is_held_by_its_name_its_rules_and_parameters_set_otherwise"),
    (
        "fire_rating_check",
        "opening_ratio",
        "an_opening_weaker_than_its_wall_is_told_by_the_part_that_is_asked_for",
    ),
    ("fix_findings", "finding_ids", "what_is_there_twice_is_found_mended_as_one_change_and_gone"),
    (
        "waive_findings",
        "withdraw",
        "a_finding_that_is_waived_is_left_out_with_its_reason_until_it_is_taken_back",
    ),
    ("validate_constraints", "limit", "lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    (
        "validate_constraints",
        "cursor",
        "lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for",
    ),
    ("code_compliance", "severity_threshold", "issues_lighter_than_the_threshold_are_counted_and_not_told"),
    ("egress_analysis", "paths", "egress_tells_who_is_where_and_how_far_it_is_to_the_door"),
    ("fix_findings", "standard", "a_standard_is_held_by_its_name_its_rules_and_parameters_set_otherwise"),
    ("validate_constraints", "element_ids", "only_findings_about_the_elements_asked_for_are_told"),
    ("code_compliance", "limit", "lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("code_compliance", "cursor", "lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("accessibility_check", "limit", "lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("accessibility_check", "cursor", "lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("egress_analysis", "limit", "lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("egress_analysis", "cursor", "lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("fire_rating_check", "limit", "lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("fire_rating_check", "cursor", "lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("list_files", "cursor", "lists_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("list_files", "model_version", "a_picture_stands_beside_its_text_and_is_kept_with_its_version"),
    ("list_models", "cursor", "lists_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("list_versions", "cursor", "lists_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("load_model", "upload_name", "files_sent_within_a_call_are_listed_and_loaded"),
    ("load_model", "bucket_key", "lists_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    (
        "merge_branch",
        "ancestor",
        "where_it_matters_from_which_common_version_changes_are_counted_somebody_is_asked",
    ),
    ("save_model", "overwrite", "files_are_written_where_that_is_asked_for_and_replaced_only_so"),
    ("export_ifc", "file_path", "files_are_written_where_that_is_asked_for_and_replaced_only_so"),
    ("clash_detection", "tolerance", "overlaps_within_the_tolerance_are_no_clashes"),
    ("list_topics", "guid", "topics_are_kept_changed_commented_and_tell_their_history"),
    ("list_topics", "status", "topics_are_kept_changed_commented_and_tell_their_history"),
    ("list_topics", "assigned_to", "topics_are_kept_changed_commented_and_tell_their_history"),
    ("list_topics", "element_ids", "topics_are_kept_changed_commented_and_tell_their_history"),
    ("query_graph", "other_model", "a_model_is_asked_by_sparql_beside_another_version_of_it"),
    ("query_graph", "other_version", "a_model_is_asked_by_sparql_beside_another_version_of_it"),
    ("list_topics", "limit", "kept_topics_come_in_pages"),
    ("list_topics", "cursor", "kept_topics_come_in_pages"),
    ("keep_topics", "remove", "topics_are_kept_changed_commented_and_tell_their_history"),
    ("keep_topics", "file", "kept_topics_go_to_a_file_and_what_others_did_to_them_comes_back"),
    ("validate_model", "check_references", "validation_leaves_references_out_if_asked_to"),
    ("get_simulation_status", "wait_seconds", "a_run_is_waited_for_and_one_that_is_given_up_leaves_nothing"),
    ("compare_simulations", "with_job_id", RUNS),
    ("compare_simulations", "job_id", RUNS),
    ("analyze_peak_loads", "job_id", RUNS),
    ("explain_messages", "job_id", RUNS),
    ("mend_messages", "job_id", RUNS),
    ("export_timeseries", "job_id", RUNS),
    ("get_results_summary", "job_id", RUNS),
    ("list_output_variables", "job_id", RUNS),
    ("list_simulation_reports", "job_id", RUNS),
    ("query_simulation_table", "job_id", RUNS),
    ("query_timeseries", "job_id", RUNS),
    ("view_simulation_report", "job_id", RUNS),
    ("results_to_ifc", "job_id", RUNS),
    ("list_objects", "cursor", "objects_of_a_type_come_in_pages_and_what_all_have_alike_is_told_once"),
    ("batch_add_objects", "objects", "objects_come_as_tables_and_by_the_names_that_people_use_for_fields"),
    ("batch_add_objects", "tables", "objects_come_as_tables_and_by_the_names_that_people_use_for_fields"),
    ("apply_measure", "measures", "measures_change_the_model_with_what_was_assumed"),
    ("request_outputs", "variables", "what_could_be_recorded_is_found_and_asked_for_in_one_step"),
    ("query_timeseries", "with", "what_could_be_recorded_is_found_and_asked_for_in_one_step"),
    ("request_outputs", "key_value", "what_could_be_recorded_is_found_and_asked_for_in_one_step"),
    ("request_outputs", "frequency", "what_could_be_recorded_is_found_and_asked_for_in_one_step"),
    ("mend_messages", "kinds", "a_run_that_gave_up_is_explained_mended_and_run_again"),
    ("get_weather_summary", "use_it", "a_weather_file_that_energyplus_brings_is_summed_up_and_taken"),
    ("list_output_variables", "available", "what_could_be_recorded_is_found_and_asked_for_in_one_step"),
    ("decide_approval", "approval_id", "a_yes_counts_once_and_commits_what_was_shown"),
    ("decide_approval", "decision", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("decide_approval", "comment", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("list_approvals", "all", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("list_approvals", "limit", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("list_approvals", "cursor", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("get_audit_log", "model_id", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("get_audit_log", "principal", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("get_audit_log", "tool", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("get_audit_log", "since", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("get_audit_log", "until", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("get_audit_log", "limit", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("get_audit_log", "cursor", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("get_audit_log", "details", "lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for"),
    ("get_viewer_selection", "person", "a_person_shows_the_agent_what_is_selected"),
    ("get_viewer_selection", "limit", "a_person_shows_the_agent_what_is_selected"),
    ("get_view_data", "tile", "a_page_in_a_chat_reads_the_model_in_pieces"),
    ("get_view_data", "offset", "a_page_in_a_chat_reads_the_model_in_pieces"),
    ("get_download_link", "bucket_key", "lists_go_on_from_their_cursor_and_hold_what_is_asked_for"),
    ("get_upload_link", "max_bytes", "a_link_for_a_file_takes_one_of_its_size_for_its_maker_alone"),
    ("convert_osm_to_idf", "osm_path", "an_openstudio_model_becomes_the_sessions_energy_model"),
    ("convert_osm_to_idf", "output_path", "an_openstudio_model_becomes_the_sessions_energy_model"),
    ("convert_osm_to_idf", "allow_newer_versions", "an_openstudio_model_becomes_the_sessions_energy_model"),
    ("convert_osm_to_idf", "overwrite", "an_openstudio_model_becomes_the_sessions_energy_model"),
    ("download_weather_file", "wmo", "a_building_takes_the_weather_along_that_was_fetched_once"),
    ("download_weather_file", "query", "the_weather_file_is_that_of_the_place_that_every_word_names"),
    ("download_weather_file", "country", "the_weather_file_is_that_of_the_place_that_every_word_names"),
    ("download_weather_file", "state", "the_weather_file_is_that_of_the_place_that_every_word_names"),
    ("ifc_to_energy_model", "weather_file", "a_building_takes_the_weather_along_that_was_fetched_once"),
    (
        "migrate_model",
        "target_version",
        "a_model_is_brought_up_step_by_step_as_a_version_that_can_be_taken_back",
    ),
    (
        "migrate_model",
        "keep_work_dir",
        "a_model_is_brought_up_step_by_step_as_a_version_that_can_be_taken_back",
    ),
    (
        "migrate_model",
        "energyplus_dir",
        "a_way_that_is_not_there_and_a_model_that_is_not_what_it_says_end_as_one_fault",
    ),
    ("run_simulation", "weather_file", "results_name_the_version_they_are_of_and_end_with_their_model"),
    (
        "run_simulation",
        "energyplus_dir",
        "a_run_that_the_model_does_not_allow_says_why_and_a_wrong_wish_is_refused",
    ),
    (
        "run_simulation",
        "energyplus_version",
        "a_run_that_the_model_does_not_allow_says_why_and_a_wrong_wish_is_refused",
    ),
    (
        "run_simulation",
        "output_directory",
        "a_design_day_is_simulated_and_its_results_are_kept_with_the_version",
    ),
    ("run_simulation", "readvars", "a_design_day_is_simulated_and_its_results_are_kept_with_the_version"),
];

/// The tests that show what a parameter does that many tools have.
const COMMON: &[(&str, &str)] = &[
    ("as_job", "a_call_is_done_as_a_job_and_answers_as_it_would_have"),
    ("dry_run", "a_dry_run_shows_the_change_and_commits_nothing"),
    ("idempotency_key", "a_repeated_key_gives_the_first_answer_and_changes_nothing_more"),
    ("model_id", "models_are_named_by_id_or_by_a_name_that_only_one_has"),
    ("model_version", "a_pinned_version_that_is_no_longer_the_head_is_a_conflict"),
    ("reasoning", "a_change_answers_what_was_written_and_is_recorded"),
];

/// The outcome of one call: what it answered and made, without what differs from call to call, or the Fault.
#[derive(Clone, PartialEq)]
struct Outcome {
    is_refused: bool,
    what: Value,
}

impl Outcome {
    fn new((answer, file): (Value, String)) -> Self {
        let is_refused = answer["isError"] == true || answer.get("structuredContent").is_none();
        let pictures: Vec<u64> = answer["content"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|part| part["data"].as_str())
            .map(|data| {
                let mut hasher = DefaultHasher::new();
                data.hash(&mut hasher);
                hasher.finish()
            })
            .collect();
        let answer = if is_refused { answer } else { answer["structuredContent"].clone() };
        let pictures: Vec<String> = pictures.iter().map(|it| format!("picture {}", it % 1_000_000)).collect();
        Self { is_refused, what: json!([steady(&answer), pictures, steady_text(&without_owners(&file))]) }
    }
}

/// A value without ids, times and durations.
fn steady(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(steady_text(text)),
        Value::Array(items) => items.iter().map(steady).collect(),
        Value::Object(members) => {
            let of = |name: &str, value: &Value| {
                let is_time = name.ends_with("seconds") || name.ends_with("_ms");
                // a change in the second of the one before shares its owner history; drawings are known from the call before; archives hold times
                if (is_time || ["size", "bytes", "instances", "redrawn"].contains(&name)) && value.is_number()
                {
                    json!(0)
                } else {
                    steady(value)
                }
            };
            members.iter().map(|(name, value)| (name.clone(), of(name, value))).collect::<Map<_, _>>().into()
        }
        _ => value.clone(),
    }
}

/// A file's text without the histories of who made what when, of which changes in one second share one.
fn without_owners(text: &str) -> String {
    let is_owner = |line: &&str| line.contains("=IFCOWNERHISTORY(");
    let owners: Vec<String> = text
        .lines()
        .filter(is_owner)
        .filter_map(|line| line.split_once('='))
        .map(|(id, _)| format!("',{id},"))
        .collect();
    let mut rest = text.lines().filter(|line| !is_owner(line)).collect::<Vec<_>>().join("\n");
    for owner in owners {
        rest = rest.replace(&owner, "',$,");
    }
    rest
}

/// A text without ids and times.
fn steady_text(text: &str) -> String {
    let is_time =
        |word: &str| word.len() >= 10 && word.starts_with("20") && word.as_bytes().get(4) == Some(&b'-');
    let mut out = String::new();
    let mut word = String::new();
    let mut instances: HashMap<String, usize> = HashMap::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() || "_$-".contains(c) || (":.".contains(c) && is_time(&word)) {
            word.push(c);
            continue;
        }
        let is_hex = word.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        let is_id =
            word.len() == 22 || (word.len() >= 8 && is_hex && word.contains(|c: char| c.is_ascii_digit()));
        if out.ends_with('#') {
            // the number of an instance is its place among those that were met before it
            let next = instances.len();
            word = instances.entry(word).or_insert(next).to_string();
        }
        let is_counted = out.ends_with("Prepared ") && word.chars().all(|c| c.is_ascii_digit());
        out.push_str(if is_id || is_counted || is_time(&word) { "…" } else { &word });
        out.push(c);
        word.clear();
    }
    out
}

/// The words that a parameter takes one of, those with a description of each word included.
fn words_of(about: &Value) -> Vec<Value> {
    let listed = about["enum"].as_array().into_iter().flatten().cloned();
    let told = about["oneOf"].as_array().into_iter().flatten();
    listed.chain(told.filter_map(|word| word.get("const").cloned())).collect()
}

/// Other values of a parameter, by its type and the value that an example gives.
fn others(about: &Value, given: Option<&Value>) -> Vec<Value> {
    let words = words_of(about);
    if !words.is_empty() {
        return words;
    }
    match about["type"].as_str() {
        Some("boolean") => vec![json!(true), json!(false)],
        Some("integer") => vec![json!(1), json!(2), about.get("maximum").cloned().unwrap_or(json!(900))],
        Some("number") => {
            let given = given.and_then(Value::as_f64).unwrap_or(40.0);
            vec![json!(given * 0.75), json!(given * 1.5), json!(1500.0)]
        }
        Some("string") => vec![json!("Another")],
        Some("array") => match given.and_then(Value::as_array) {
            Some(items) if items.len() > 1 => vec![json!(items[..items.len() - 1])],
            _ => vec![json!(["Another"])],
        },
        _ => Vec::new(),
    }
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The calls that may show what a parameter does: arguments, and true where they give it.
fn calls(tool: &Described, parameter: &str, about: &Value) -> Vec<(Value, bool)> {
    let example = tool.examples.iter().find(|example| example["arguments"].get(parameter).is_some());
    let example = example.or(tool.examples.first()).map_or_else(|| json!({}), |it| it["arguments"].clone());
    let of = |base: &Value, value: &Value| {
        let mut arguments = base.clone();
        arguments[parameter] = value.clone();
        for (name, at, word, (other, given)) in TOGETHER {
            if *name == tool.name && *at == parameter && value == word {
                arguments[*other] = serde_json::from_str(given).unwrap();
            }
        }
        (arguments, true)
    };
    let given = example.get(parameter).cloned();
    let mut calls = Vec::new();
    for (_, _, beside, value) in VALUES.iter().filter(|(name, at, ..)| *name == tool.name && *at == parameter)
    {
        let mut base = example.clone();
        for (name, value) in json_of(beside).as_object().unwrap() {
            base[name] = value.clone();
        }
        calls.push((base.clone(), base.get(parameter).is_some()));
        calls.push(of(&base, &json_of(value)));
    }
    calls.push((example.clone(), given.is_some()));
    if given.is_some() {
        let mut without = example.clone();
        without.as_object_mut().unwrap().remove(parameter);
        calls.push((without, false));
    }
    calls.extend(others(about, given.as_ref()).iter().map(|value| of(&example, value)));
    calls
}

/// Tries a parameter; why nothing shows that it matters, if so.
fn matters(
    tool: &Described,
    parameter: &str,
    about: &Value,
    mut tried: impl FnMut(&Value) -> (Value, String),
) -> Result<(), String> {
    let mut seen: Vec<(bool, Outcome)> = Vec::new();
    for (arguments, is_given) in calls(tool, parameter, about) {
        let outcome = Outcome::new(tried(&arguments));
        let differs = |a: &(bool, Outcome), b: &(bool, Outcome)| {
            a.0 && !a.1.is_refused && (b.1.is_refused || a.1 != b.1)
        };
        let new = (is_given, outcome);
        if seen.iter().any(|old| differs(old, &new) || differs(&new, old)) {
            return Ok(());
        }
        seen.push(new);
    }
    let told: Vec<String> = seen
        .iter()
        .filter(|(_, outcome)| outcome.is_refused)
        .map(|(_, outcome)| outcome.what.to_string().chars().take(300).collect())
        .collect();
    Err(format!("{}.{parameter}: {} calls show nothing; {told:?}", tool.name, seen.len()))
}

/// Tries every parameter of these tools that no other test shows.
fn all_matter(
    tools: &[Described],
    mut tried: impl FnMut(&Described, &Value) -> (Value, String),
) -> Vec<String> {
    let mut wrong = Vec::new();
    for tool in tools {
        let mut own = tool
            .parameters
            .iter()
            .filter(|(name, about)| {
                about.get("x-common").is_none() && !SHOWN.iter().any(|(t, p, _)| *t == tool.name && p == name)
            })
            .peekable();
        if own.peek().is_none() {
            continue;
        }
        // a difference says something only where two like calls make none
        let example = tool.examples.first().map_or_else(|| json!({}), |it| it["arguments"].clone());
        let (first, again) = (Outcome::new(tried(tool, &example)), Outcome::new(tried(tool, &example)));
        if first != again {
            wrong.push(format!(
                "{} answers one call in two ways: {}",
                tool.name,
                difference(&first.what, &again.what)
            ));
            continue;
        }
        for (name, about) in own {
            wrong.extend(matters(tool, name, about, |arguments| tried(tool, arguments)).err());
        }
    }
    wrong
}

/// The first place at which two values differ.
fn difference(a: &Value, b: &Value) -> String {
    let (a, b) = (a.to_string(), b.to_string());
    let at = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count().saturating_sub(60);
    let part = |text: &str| text.chars().skip(at).take(160).collect::<String>();
    format!("{} / {}", part(&a), part(&b))
}

/// Gives every word that these tools offer; what is wrong with each that is not taken.
fn all_words(
    tools: &[Described],
    mut one: impl FnMut(&Described, &Value) -> Result<(), String>,
) -> (usize, Vec<String>) {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for tool in tools {
        for (parameter, about) in &tool.parameters {
            for word in words_of(about) {
                let Some(example) = tool.examples.first() else { continue };
                let mut example = example.clone();
                example["arguments"][parameter] = word.clone();
                example["title"] = json!(format!("with {parameter} {word}"));
                for (name, at, with, (other, value)) in TOGETHER {
                    if *name == tool.name && at == parameter && word == *with {
                        example["arguments"][*other] = serde_json::from_str(value).unwrap();
                    }
                }
                wrong.extend(one(tool, &example).err());
                tried += 1;
            }
        }
    }
    (tried, wrong)
}

/// The tools that work on buildings and on the platform.
fn of_buildings(place: &Place) -> Vec<Described> {
    described(place).into_iter().filter(|tool| !tool.on_energy).collect()
}

/// The tools that work on energy models and need no simulation.
fn of_energy_models(place: &Place) -> Vec<Described> {
    described(place).into_iter().filter(|tool| tool.on_energy && !is_of_runs(tool)).collect()
}

fn is_of_runs(tool: &Described) -> bool {
    tool.needs_results || ["run_simulation", "migrate_model"].contains(&tool.name.as_str())
}

#[test]
fn every_word_that_a_schema_offers_is_taken() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    let mut tools = of_buildings(&place);
    // a kind of model is a word about the file that is given, and the other one would be wrong
    tools.retain(|tool| !["decide_approval", "load_model"].contains(&tool.name.as_str()));
    let (tried, wrong) = all_words(&tools, |tool, example| desk.run(tool, example));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 20, "only {tried} words are offered");
}

#[test]
fn every_parameter_of_tools_on_buildings_matters() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    let wrong = all_matter(&of_buildings(&place), |tool, arguments| desk.tried(tool, arguments));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_word_and_parameter_of_tools_on_energy_models_matters() {
    let place = Place::new();
    let mut desk = Desk::with_box(&place);
    let mut house = Desk::with_house(&place);
    let tools = of_energy_models(&place);
    let (tried, mut wrong) = all_words(&tools, |tool, example| match tool.name.as_str() {
        "ifc_to_energy_model" => house.run(tool, example),
        _ => desk.run(tool, example),
    });
    wrong.extend(all_matter(&tools, |tool, arguments| match tool.name.as_str() {
        "ifc_to_energy_model" => house.tried(tool, arguments),
        _ => desk.tried(tool, arguments),
    }));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 3, "only {tried} words are offered");
}

#[test]
fn every_word_and_parameter_of_tools_on_results_matters() {
    let Some(folder) = testing::energyplus() else { return };
    let place = Place::with_energyplus(folder);
    let mut desk = Desk::with_results(&place);
    let mut tools = described(&place);
    tools.retain(|tool| tool.on_energy && is_of_runs(tool));
    let of_results: Vec<Described> = tools;
    let (tried, mut wrong) = all_words(&of_results, |tool, example| desk.run_on_results(tool, example));
    wrong.extend(all_matter(&of_results, |tool, arguments| desk.tried_on_results(tool, arguments)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 6, "only {tried} words are offered");
}

#[test]
fn a_number_beyond_the_bounds_that_its_schema_tells_is_refused() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    let mut energy = Desk::with_box(&place);
    let mut own: Vec<&str> = Vec::new();
    let tools = described(&place);
    let (mut tried, mut wrong) = (0, Vec::new());
    for tool in tools.iter().filter(|tool| !tool.needs_results) {
        for (name, about) in &tool.parameters {
            if name == "limit" && about.get("maximum").is_none() {
                own.push(&tool.name);
            }
            let least = about["minimum"].as_i64().filter(|least| *least > 0).map(|least| least - 1);
            let most = about["maximum"].as_i64().map(|most| most + 1);
            for beyond in least.into_iter().chain(most) {
                let mut arguments = tool.examples.first().unwrap()["arguments"].clone();
                arguments[name] = json!(beyond);
                let desk = if tool.on_energy { &mut energy } else { &mut desk };
                let (answer, _) = desk.tried(tool, &arguments);
                tried += 1;
                if answer["isError"] != true || answer["structuredContent"]["data"]["field"] != **name {
                    wrong.push(format!("{}.{name} takes {beyond}: {answer}", tool.name));
                }
            }
        }
    }
    assert!(own.is_empty(), "the schemas of these do not tell how many they list at most: {own:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 20, "only {tried} bounds are told");
}

#[test]
fn what_shows_a_parameter_is_there() {
    let place = Place::new();
    let tools = described(&place);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut tests = BTreeSet::new();
    names_of_tests(&root.join("crates"), &mut tests);
    names_of_tests(&root.join("backends"), &mut tests);
    let parameter = |tool: &str, name: &str| {
        tools.iter().find(|it| it.name == tool).and_then(|it| it.parameters.get(name))
    };
    let mut wrong = Vec::new();
    let rows = SHOWN.iter().map(|(tool, name, _)| (tool, name));
    for (tool, name) in rows.chain(VALUES.iter().map(|(tool, name, ..)| (tool, name))) {
        if parameter(tool, name).is_none_or(|about| about.get("x-common").is_some()) {
            wrong.push(format!("{tool} has no parameter {name} of its own"));
        }
    }
    for test in SHOWN.iter().map(|(_, _, test)| test).chain(COMMON.iter().map(|(_, test)| test)) {
        if !tests.contains(*test) {
            wrong.push(format!("there is no test {test}"));
        }
    }
    let common = tools.iter().flat_map(|tool| tool.parameters.iter());
    let common: BTreeSet<&String> =
        common.filter(|(_, about)| about.get("x-common").is_some()).map(|(name, _)| name).collect();
    for name in common {
        if !COMMON.iter().any(|(known, _)| known == name) {
            wrong.push(format!("no test is named that shows what {name} does"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Gathers the names of functions in the files of a folder that are Rust or Python and in which tests stand.
fn names_of_tests(folder: &Path, out: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            names_of_tests(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut lines = text.lines().map(str::trim).peekable();
            while let Some(line) = lines.next() {
                if !line.ends_with("test]") && !line.starts_with("#[tokio::test") {
                    continue;
                }
                let head = lines.by_ref().find(|line| line.contains("fn "));
                let name =
                    head.and_then(|head| head.split_once("fn ")).and_then(|(_, rest)| rest.split('(').next());
                out.extend(name.map(str::to_owned));
            }
        }
    }
}

/// The rows of a list and the cursor that it answers.
fn page(agent: &mut Stdio, tool: &str, list: &str, arguments: &Value) -> (Value, Value) {
    let answer = agent.done(tool, arguments);
    (answer[list].clone(), answer["next_cursor"].clone())
}

#[test]
fn lists_go_on_from_their_cursor_and_hold_what_is_asked_for() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    let agent = &mut desk.agent;
    agent.done("create_project", &json!({"name": "Barn"}));
    let text = "SVNPLTEwMzAzLTIxOw==";
    let files = json!({"files": [{"name": "a.txt", "data": text}, {"name": "b.txt", "data": text}]});
    agent.done("store_files", &files);
    agent.done("load_model", &json!({"model_id": "Duplex"}));
    for (tool, list) in [("list_models", "models"), ("list_versions", "versions"), ("list_files", "files")] {
        let (first, cursor) = page(agent, tool, list, &json!({"limit": 1}));
        assert!(cursor.is_string(), "{tool} has no more than {first}");
        let (second, _) = page(agent, tool, list, &json!({"limit": 1, "cursor": cursor}));
        assert_eq!((first.as_array().unwrap().len(), second.as_array().unwrap().len()), (1, 1), "{tool}");
        assert_ne!(first, second, "{tool}");
    }
    // changes are taken back and made again by as many steps as are asked for
    for (name, elevation) in [("First", 40_000), ("Second", 50_000)] {
        agent.done("create_level", &json!({"name": name, "elevation": elevation}));
    }
    let changes = |agent: &mut Stdio, arguments: Value| {
        agent.done("get_change_log", &arguments)["changes"].as_array().unwrap().len()
    };
    assert_eq!((changes(agent, json!({})), changes(agent, json!({"limit": 1}))), (2, 1));
    let mut levels = |tool: &str, steps: u32| {
        agent.done(tool, &json!({"steps": steps}));
        agent.done("query_elements", &json!({"selector": "IfcBuildingStorey"}))["total"].as_u64().unwrap()
    };
    let first = levels("undo", 2);
    assert_eq!((levels("redo", 2) - first, levels("undo", 2), levels("redo", 1) - first), (2, first, 1));
    // a file of the list is fetched, and loaded, by its key
    let files = agent.done("list_files", &json!({}))["files"].clone();
    let b = files.as_array().unwrap().iter().find(|file| file["name"] == "b.txt").unwrap();
    let link = agent.done("get_download_link", &json!({"bucket_key": b["bucket_key"]}));
    assert_eq!(link["name"], "b.txt", "{link}");
    let house = place.root().join("Sent.ifc");
    let data = base64(&std::fs::read(house).unwrap());
    let sent = agent.done("store_files", &json!({"files": [{"name": "Sent.ifc", "data": data}]}));
    let files = agent.done("list_files", &json!({}))["files"].clone();
    let key =
        &files.as_array().unwrap().iter().find(|file| file["name"] == "Sent.ifc").unwrap()["bucket_key"];
    let loaded = agent.done("load_model", &json!({"bucket_key": key}));
    assert_eq!(loaded["name"], "Sent", "{sent} {loaded}");
}

/// A text that stands for bytes in a call.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at)) as usize & 63];
            out.push(if at <= three.len() { digit as char } else { '=' });
        }
    }
    out
}

#[test]
fn lists_of_what_waits_and_of_what_was_done_hold_what_is_asked_for() {
    let office = Office::open();
    let (ada, root) = (office.somebody("ada", "house"), office.somebody("root", "admin"));
    let (model, _) = ada.house("House");
    ada.done("create_wall", &wall(&model, "Ground", 2000));
    let both = ada.done("query_elements", &json!({"selector": "IfcWall", "model_id": model}));
    let waiting = [0, 1].map(|at| {
        let ask = json!({"element_ids": [both["rows"][at]["id"]], "model_id": model});
        ada.refused("delete_elements", &ask)["data"]["approval_id"].clone()
    });

    let list = |arguments: Value| root.done("list_approvals", &arguments);
    let first = list(json!({"limit": 1}));
    assert_eq!(first["approvals"].as_array().unwrap().len(), 1, "{first}");
    let second = list(json!({"limit": 1, "cursor": first["next_cursor"]}));
    assert_ne!(first["approvals"][0]["approval_id"], second["approvals"][0]["approval_id"], "{second}");
    let no = json!({"approval_id": waiting[0], "decision": "reject", "comment": "it bears"});
    assert_eq!(root.done("decide_approval", &no)["approval"]["comment"], "it bears");
    assert_eq!(list(json!({}))["approvals"].as_array().unwrap().len(), 1);
    let all = list(json!({"all": true}))["approvals"].clone();
    assert_eq!(all.as_array().unwrap().len(), 2, "{all}");
    assert!(all.as_array().unwrap().iter().any(|it| it["status"] == "rejected"), "{all}");

    let entries =
        |arguments: Value| root.done("get_audit_log", &arguments)["entries"].as_array().unwrap().clone();
    let is_each = |name: &str, value: &Value, arguments: Value| {
        let found = entries(arguments);
        assert!(!found.is_empty() && found.iter().all(|entry| entry[name] == *value), "{name}: {found:?}");
    };
    is_each("model_id", &json!(model), json!({"model_id": model}));
    is_each("principal", &json!("ada"), json!({"principal": "ada"}));
    is_each("tool", &json!("create_wall"), json!({"tool": "create_wall"}));
    assert!(!entries(json!({"since": "2020-01-01"})).is_empty());
    assert!(entries(json!({"since": "2999-01-01"})).is_empty());
    assert!(!entries(json!({"until": "2999-01-01"})).is_empty());
    assert!(entries(json!({"until": "2020-01-01"})).is_empty());
    let walls = json!({"tool": "create_wall", "limit": 1});
    let page = root.done("get_audit_log", &walls);
    assert_eq!(page["entries"].as_array().unwrap().len(), 1);
    let mut next = walls;
    next["cursor"] = page["next_cursor"].clone();
    let rest = root.done("get_audit_log", &next);
    assert_ne!(rest["entries"][0]["sequence"], page["entries"][0]["sequence"], "{rest}");
    let details = entries(json!({"tool": "create_wall", "details": true}));
    assert!(details[0]["result"]["wall_id"].is_string(), "{details:?}");
    assert!(entries(json!({"tool": "create_wall"}))[0]["result"].get("wall_id").is_none());
}

#[test]
fn files_are_written_where_that_is_asked_for_and_replaced_only_so() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    for tool in ["save_model", "export_ifc"] {
        let path = place.root().join(format!("{tool}.ifc"));
        let call = json!({"file_path": path});
        desk.agent.done(tool, &call);
        let written = std::fs::read(&path).unwrap();
        assert!(written.starts_with(b"ISO-10303-21;"));
        std::fs::write(&path, "of somebody else").unwrap();
        let again = desk.agent.call(tool, &call);
        assert_eq!(again["structuredContent"]["data"]["field"], "file_path", "{again}");
        assert_eq!(std::fs::read(&path).unwrap(), b"of somebody else");
    }
    let path = place.root().join("save_model.ifc");
    std::fs::write(&path, "ISO-10303-21;\n/* of somebody else */").unwrap();
    desk.agent.done("save_model", &json!({"file_path": path, "overwrite": true}));
    assert!(std::fs::read(&path).unwrap().starts_with(b"ISO-10303-21;"));
}

#[test]
fn a_pitch_without_a_shape_that_has_one_is_refused() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    let mut arguments =
        json!({"boundary_points": [[0, 0], [9000, 0], [9000, 7000]], "level_id": "Ground Floor"});
    arguments["pitch"] = json!(30);
    let answer = desk.agent.call("create_roof", &arguments);
    assert_eq!(answer["isError"], true, "{answer}");
    assert_eq!(answer["structuredContent"]["data"]["field"], "pitch", "{answer}");
    let roofs = desk.agent.done("query_elements", &json!({"selector": "IfcRoof"}));
    assert_eq!(roofs["total"], 1, "the shell's own alone: {roofs}");
}

#[test]
fn overlaps_within_the_tolerance_are_no_clashes() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    let across = json!({
        "start": [4000, -40], "end": [4000, 3000], "thickness": 200, "height": 2000, "level_id": "Ground Floor",
        "name": "Across", "wall_type": "partition"
    });
    desk.agent.done("create_wall", &across);
    let mut total = |tolerance: f64| {
        let ask = json!({
            "source_category": "IfcWall, Name=\"Across\"", "target_category": "IfcWall, Name=\"Wall 1\"",
            "tolerance": tolerance
        });
        desk.agent.done("clash_detection", &ask)["total"].as_u64().unwrap()
    };
    assert_eq!((total(0.0), total(1000.0)), (1, 0));
}

#[test]
fn the_weather_file_is_that_of_the_place_that_every_word_names() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let place = Place::with_mirror(&format!("http://{free}"));
    let mut agent = place.stdio();
    // nobody is there, and the Fault says which file was asked for
    let mut file = |arguments: Value| {
        let answer = agent.call("download_weather_file", &arguments);
        assert_eq!(answer["isError"], true, "{answer}");
        answer["structuredContent"]["message"].as_str().unwrap().to_owned()
    };
    assert!(file(json!({"query": "Karlsruhe"})).contains("DEU_BW_Karlsruhe"));
    assert!(file(json!({"query": "Cambridge", "country": "GBR"})).contains("GBR_"));
    assert!(file(json!({"query": "Portland", "state": "OR"})).contains("USA_OR_Portland"));
    assert!(file(json!({"query": "Portland", "state": "ME"})).contains("USA_ME_Portland"));
}

#[test]
fn a_file_of_another_kind_than_was_said_is_refused_and_the_sessions_model_stays() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    let building = place.root().join("Sent.ifc");
    let energy = place.root().join("box.idf");
    std::fs::write(&energy, crate::energy::BOX).unwrap();
    let current = |desk: &mut Desk| desk.agent.done("model_summary", &json!({}))["model_id"].clone();
    let models = |desk: &mut Desk| desk.agent.done("list_models", &json!({}))["models"].clone();
    let before = (current(&mut desk), models(&mut desk));
    for (file, kind) in [(&building, "energyplus"), (&energy, "ifc")] {
        let answer = desk.agent.call("load_model", &json!({"file_path": file, "kind": kind}));
        assert_eq!(answer["isError"], true, "{answer}");
        println!("{kind}: {}", answer["structuredContent"]);
        assert_eq!(answer["structuredContent"]["data"]["field"], "kind", "{answer}");
        assert_eq!((current(&mut desk), models(&mut desk)), before, "{answer}");
    }
    // under their own kinds both are loaded
    for (file, kind) in [(&energy, "energyplus"), (&building, "ifc")] {
        desk.agent.done("load_model", &json!({"file_path": file, "kind": kind}));
    }
}
