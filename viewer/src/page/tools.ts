// What is known of the server's tools before they are asked: which of them name no model, which change one, and which right each takes.

export type Action = "query" | "create" | "modify" | "delete" | "export" | "approve" | "administer";

const set = (names: string) => new Set(names.split(/\s+/).filter(Boolean));

const WITHOUT_MODEL = set(`cancel_job clear_session create_project file_manager get_job list_files list_models new_model store_files explain_rule
  list_rule_packs get_doc_section search_docs analyze_peak_loads cancel_simulation compare_simulations get_weather_summary convert_osm_to_idf describe_object_type download_weather_file
  export_timeseries get_results_summary get_simulation_status list_object_types list_output_variables list_simulation_reports query_simulation_table
  query_timeseries results_to_ifc search_schema search_weather_stations view_simulation_report decide_approval list_approvals whoami get_upload_link
  search_tools describe_tool enable_toolset`);
const WITHOUT_VERSION = set("load_model get_audit_log");
const CHANGES = set(`create_branch delete_branch merge_branch redo restore_version run_batch run_code save_model set_georeference set_properties undo
  align_elements assign_material assign_type attach_document boolean_operation classify_elements copy_elements create_beam create_building
  create_building_shell create_column create_covering create_curtain_wall create_element create_floor create_footing create_furniture create_grid
  create_group create_level create_member create_opening create_openings create_pile create_railing create_ramp create_roof create_rooms create_shaft
  create_space create_space_boundaries create_stair create_wall delete_elements join_elements mirror_elements modify_parameter move_elements
  rename_elements rotate_elements set_style fix_findings keep_topics waive_findings import_plan import_schedule add_object batch_add_objects
  duplicate_object migrate_model remove_object remove_objects rename_object update_object request_outputs mend_messages apply_measure`);
/** Tools of sheets and energy models that make something of a version and leave it as it is. */
const MAKES = set("create_sheet create_report create_section ifc_to_energy_model run_simulation results_to_ifc convert_osm_to_idf create_project new_model load_model");

export const namesModel = (tool: string): boolean => !WITHOUT_MODEL.has(tool);
export const namesVersion = (tool: string): boolean => !WITHOUT_MODEL.has(tool) && !WITHOUT_VERSION.has(tool);
export const changes = (tool: string): boolean => CHANGES.has(tool);

/** Whether a call makes a version: by its name, or by what it is asked. */
export function writes(tool: string, args: Record<string, unknown>): boolean {
  if (args["dry_run"] === true) return false;
  // a sheet that is named is drawn as it is kept; any other is kept with the model
  if (tool === "create_sheet") return args["sheets"] === undefined && (args["views"] !== undefined || args["remove"] !== undefined);
  return changes(tool) || tool === "results_to_ifc";
}

/** The right that a call needs. */
export function action(tool: string): Action {
  if (tool === "decide_approval") return "approve";
  if (/^(delete_|remove_)/.test(tool)) return "delete";
  if (/^(export_|save_model|get_download_link)/.test(tool)) return "export";
  if (MAKES.has(tool) || /^(create_|copy_|import_plan|add_object|batch_add|duplicate_)/.test(tool)) return tool === "create_section" ? "query" : "create";
  return CHANGES.has(tool) ? "modify" : "query";
}

/** Who one is, as `whoami` tells it. */
export interface Person {
  name: string;
  roles: string[];
  may: { actions: string[]; on: string }[];
}

/** Whether somebody may call a tool on a model. Where rights are bound to places that the page does not know, the server has the last word. */
export function may(person: Person | undefined, tool: string): boolean {
  if (!person) return false;
  const needed = action(tool);
  return person.may.some((grant) => grant.actions.includes(needed));
}

/** The arguments of a call with the model and version that it means. A change goes to the newest state, unless it names another. */
export function addressed(tool: string, args: Record<string, unknown>, at: { model: string; version: string; line: string } | undefined): Record<string, unknown> {
  if (!at || !namesModel(tool)) return args;
  // a call that says that it means no model means none
  if ("model_id" in args && args["model_id"] === undefined) return args;
  const own = args["model_id"] !== undefined && args["model_id"] !== at.model;
  const full: Record<string, unknown> = { model_id: at.model, ...args };
  if (own || !namesVersion(tool) || args["model_version"] !== undefined) return full;
  if (!writes(tool, args) && !changes(tool)) full["model_version"] = at.version;
  else if (at.line !== "head") full["model_version"] = at.line;
  return full;
}
