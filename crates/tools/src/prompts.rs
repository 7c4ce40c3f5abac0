//! Prompts: ways of working that a person picks from a list in their client. Each leads through our tools by name; which tools those are,
//! and that every argument is used, is tested here.

use contract::{Completion, PromptArgument, PromptSpec};

/// Every prompt, in the order they are listed.
pub fn prompts() -> Vec<PromptSpec> {
    vec![
        design_house(),
        coordinate_model(),
        check_egress(),
        prepare_energy_model(),
        review_change(),
        make_drawing_set(),
    ]
}

fn prompt(name: &str, description: &str, arguments: Vec<PromptArgument>, text: &str) -> PromptSpec {
    let mut title = name.replace('_', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    PromptSpec {
        name: name.to_owned(),
        title,
        description: description.to_owned(),
        arguments,
        text: text.to_owned(),
    }
}

/// An argument: its name, its name for people, what to give, and the words that stand for it where it is not given.
fn argument(name: &str, title: &str, description: &str, default: &str) -> PromptArgument {
    PromptArgument {
        name: name.to_owned(),
        title: title.to_owned(),
        description: description.to_owned(),
        default: Some(default.to_owned()),
        completion: None,
    }
}

fn completed(argument: PromptArgument, completion: Completion) -> PromptArgument {
    PromptArgument { completion: Some(completion), ..argument }
}

fn chosen(argument: PromptArgument, values: &[&str]) -> PromptArgument {
    completed(argument, Completion::Choice(values.iter().map(|value| (*value).to_owned()).collect()))
}

fn model() -> PromptArgument {
    let argument = argument("model", "Model", "Id or name of the model.", "the current model");
    completed(argument, Completion::Model)
}

fn design_house() -> PromptSpec {
    let arguments = vec![
        argument(
            "brief",
            "Brief",
            "What is wanted: who lives there, rooms, site, wishes.",
            "a house for a family of four",
        ),
        argument("storeys", "Storeys", "How many.", "2"),
        argument(
            "footprint",
            "Footprint",
            "Size of the plan, such as 10 m by 8 m.",
            "a footprint that suits the rooms",
        ),
        chosen(
            argument("schema", "IFC schema", "The schema of the file.", "IFC4"),
            &["IFC2X3", "IFC4", "IFC4X3"],
        ),
    ];
    prompt(
        "design_house",
        "Designs a house from a brief: shell, rooms, stair, doors and windows, checked at the end.",
        arguments,
        "Design {brief}: {storeys} storeys, {footprint}, as a new model in {schema}. Lengths are in mm.

What to know: search_docs with max_length 6000 for \"design a house rooms openings stair\".

1. First say in a few lines which rooms there are on each storey, with their areas, and what you assume.
2. create_project makes the model. create_building_shell makes walls, slabs and roof from the footprint; do not make them one by one.
3. create_rooms divides each storey; give areas, and doors or connect so that every room is reached. Where there are several storeys give \
them all in one call (storeys, stair), so that one stair joins them; else create_stair.
4. create_openings sets the entrance and the windows (hosts outer_walls or each_room).
5. Look at it: render_view of each storey, and of the whole. Mend what does not look like a house.
6. validate_constraints and validate_model have to find no errors; code_compliance with the pack dwelling-space tells what is too small.
7. Finish with view_model (a link for me) and tell what you assumed and what is left open.

Read `assumed`, `unmet` and `sound` in each answer, and act on them.",
    )
}

fn coordinate_model() -> PromptSpec {
    let arguments = vec![
        model(),
        completed(
            argument(
                "other",
                "Other model",
                "A model of another discipline to hold against it.",
                "no other model",
            ),
            Completion::Model,
        ),
        argument("since", "Since", "The version of the last coordination.", "no earlier version"),
    ];
    prompt(
        "coordinate_model",
        "Finds clashes between disciplines, groups them, and leaves the ones that matter as issues (BCF).",
        arguments,
        "Coordinate {model}. Other model: {other}. Earlier version to compare with: {since}.

What to know: search_docs with max_length 6000 for \"coordinate disciplines clash issues\".

1. model_summary: which disciplines are in it, which storeys, which units; say if there is nothing to coordinate.
2. clash_detection with matrix disciplines (target_model_id where there is another model, since where there is an earlier version). Group by \
element or cluster, so that one cause is one group.
3. Look into the largest groups: get_element of both sides, render_view of them. Tell real clashes from those that are meant (a pipe in its \
sleeve). Those that are meant: waive_findings, with the reason, after I agreed.
4. clash_detection with mode clearance or duplicate where the discipline asks for it.
5. keep_topics keeps each cause as an issue with title, elements, priority and who should act; export_bcf writes them (kept true).
6. Report in a table: group, count, worst depth, storey, who should act; and what is new, active and resolved since the earlier version.

Change no element; whoever owns it does.",
    )
}

fn check_egress() -> PromptSpec {
    let arguments = vec![
        model(),
        argument(
            "occupancy",
            "Occupancy",
            "Use of the building, such as business, residential, assembly.",
            "auto",
        ),
        chosen(
            argument("sprinklers", "Sprinklers", "Are there sprinklers throughout: yes or no.", "not known"),
            &["yes", "no"],
        ),
        chosen(
            argument("standard", "Further standard", "A pack of rules to check, too.", "none"),
            &["ada-2010", "ibc-2021-egress", "dwelling-space", "model-quality"],
        ),
    ];
    prompt(
        "check_egress",
        "Checks ways out, exits, doors and stairs, and says what to change.",
        arguments,
        "Check how people get out of {model}. Occupancy: {occupancy}. Sprinklers: {sprinklers}. Further standard: {standard}.

What to know: search_docs with max_length 6000 for \"egress ways out exits fire rating\".

1. model_summary and query_elements (IfcSpace, IfcDoor, IfcStair): are there rooms, doors and stairs, and do they say what they are for? \
Without rooms there is nothing to analyse; say so and stop.
2. egress_analysis. State what it assumed (occupancy of rooms, exits). Ask me for sprinklers if they are not known and it matters.
3. For the longest ways and each violation: path_finding or the points of the answer, and view_model with path, so that I can see it.
4. fire_rating_check for doors and walls on the way out; circulation_check and accessibility_check for widths.
5. code_compliance with the further standard, if one is named (list_rule_packs has them).
6. Report: compliant or not, each violation with clause, place, measured and required, and the smallest change that would mend it.

The analysis is by the IBC 2021; say so, and that it replaces no review by the authority. Change nothing.",
    )
}

fn prepare_energy_model() -> PromptSpec {
    let arguments = vec![
        model(),
        argument("place", "Place", "City or weather station.", "the place that the model tells"),
        chosen(
            argument("run", "Run", "design-day, annual or none.", "design-day"),
            &["design-day", "annual", "none"],
        ),
    ];
    prompt(
        "prepare_energy_model",
        "Makes an EnergyPlus model of a building, checks it, simulates it and reads the results.",
        arguments,
        "Make an energy model of {model} for {place}, and run it: {run}.

What to know: search_docs with max_length 6000 for \"energy model of a building weather simulation\".

1. Is the building ready? model_summary and query_elements of IfcSpace: zones come from spaces. Without spaces on a storey: create_rooms, \
or create_space, after I agreed. validate_constraints: rooms that do not close lose heat that is not there.
2. Weather: search_weather_stations, then download_weather_file of the nearest one; it is then the session's.
3. ifc_to_energy_model. Read assumptions and findings; tell me the five that change the result most.
4. check_model_integrity and validate_model on the energy model: no errors before a run. Mend with update_object or add_object \
(describe_object_type tells their fields).
5. run_simulation as asked; a long one goes on as a job (get_simulation_status). If it ends fatal, read its messages and mend the cause.
6. get_results_summary and analyze_peak_loads: energy use for each m², end uses, the zones that drive the peak. Say what looks wrong for such \
a building.
7. Offer results_to_ifc, which writes results to the rooms.",
    )
}

fn review_change() -> PromptSpec {
    let arguments = vec![
        model(),
        completed(
            argument(
                "base",
                "Base",
                "Version or branch to compare from.",
                "the version before the latest change",
            ),
            Completion::Version,
        ),
        completed(
            argument("target", "Target", "Version or branch to compare to.", "the newest version"),
            Completion::Version,
        ),
    ];
    prompt(
        "review_change",
        "Reviews what changed between two versions: what, why, with what consequences.",
        arguments,
        "Review the change of {model} from {base} to {target}.

What to know: search_docs with max_length 6000 for \"review change versions difference\".

1. list_versions: who changed what, when, with which reason. Name both versions by their ids.
2. diff_versions between them; render_view with diff_base shows it (added green, removed red, changed amber).
3. Does the change do what its reasons say, and nothing else? Look at elements that no reason explains (get_element).
4. What came in with it: validate_model and clash_detection with since, at the target version. Report only what is new.
5. quantity_takeoff at both versions, where sizes or counts changed: what more, what less.
6. Verdict: keep, mend (what exactly) or take back (undo, restore_version). If it waits for approval (list_approvals) say what you would \
answer, and leave decide_approval to me.

Read only. create_report with diff_base writes it for people who do not open models.",
    )
}

fn make_drawing_set() -> PromptSpec {
    let arguments = vec![
        model(),
        argument(
            "drawings",
            "Drawings",
            "Which: plans, sections, elevations, schedules.",
            "a plan of each storey, two sections, four elevations, door and room schedules",
        ),
        chosen(
            argument("size", "Sheet size", "A4 to A0, ANSI A to E.", "A1"),
            &["A4", "A3", "A2", "A1", "A0"],
        ),
        argument("scale", "Scale", "Such as 1:100.", "1:100"),
        chosen(
            argument("language", "Language", "Of words on the sheets.", "en"),
            &["de", "en", "es", "fr", "it", "nl", "tr"],
        ),
    ];
    prompt(
        "make_drawing_set",
        "Lays plans, sections, elevations and schedules out on sheets, and writes them as one PDF.",
        arguments,
        "Make a drawing set of {model}: {drawings}. Sheets: {size}, scale {scale}, language {language}.

What to know: search_docs with max_length 6000 for \"drawing set sheets sections schedules\".

1. model_summary: storeys, extents, units. Say which sheets you will make, with numbers and names, before you make them.
2. Try one view of each kind with create_section, and look at it. Does it fit the sheet at that scale? If not, a larger sheet or a smaller \
scale; say so.
3. create_sheet for each sheet: views with titles, dimensions, number, name, fields of the title block. Schedules go on a sheet of their own \
(tables, such as door or room); generate_schedule gives the same as XLSX.
4. Look at each sheet (format png): overlaps, empty title fields (`empty_fields`), texts out of place. Mend.
5. create_sheet without views draws the kept sheets as one set, with cover and list of sheets (cover). Give me the link.
6. Tell what the model does not say and the drawings therefore lack.

The sheets stay with the model; drawn again after a change they show it (revision adds a row).",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;
    use std::collections::BTreeSet;

    /// Words with an underscore are names: of tools, of arguments and parameters, of values.
    fn names(text: &str) -> BTreeSet<&str> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.filter(|word| word.contains('_')).collect()
    }

    #[test]
    fn every_tool_that_a_prompt_names_exists() {
        let tools = catalogue();
        let known: BTreeSet<&str> = tools.iter().map(|tool| tool.spec.name.as_str()).collect();
        for prompt in prompts() {
            let named = names(&prompt.text);
            let (mentioned, rest): (Vec<&str>, Vec<&str>) =
                named.into_iter().partition(|name| known.contains(name));
            assert!(mentioned.len() >= 4, "{} leads through {mentioned:?}", prompt.name);
            // whatever else looks like a tool's name is a parameter, a value or an answer of those that are named
            let said: Vec<String> = tools
                .iter()
                .filter(|tool| mentioned.contains(&tool.spec.name.as_str()))
                .map(|tool| {
                    let spec = &tool.spec;
                    format!("{} {} {}", spec.description, spec.input_schema, spec.output_schema)
                })
                .collect();
            for name in rest {
                assert!(
                    said.iter().any(|words| words.contains(name)),
                    "{} names {name}, which is neither a tool nor of one",
                    prompt.name
                );
            }
        }
    }

    #[test]
    fn every_argument_of_a_prompt_is_used_in_its_text_and_every_name_in_braces_is_one() {
        for prompt in prompts() {
            let filled = prompt.filled(|_| Some("given")).unwrap();
            assert!(!filled.contains('{') && !filled.contains('}'), "{}: {filled}", prompt.name);
            for argument in &prompt.arguments {
                let name = format!("{{{}}}", argument.name);
                assert!(prompt.text.contains(&name), "{} does not use {name}", prompt.name);
                assert!(!argument.description.is_empty() && !argument.title.is_empty(), "{name}");
            }
            assert!(prompt.filled(|_| None).is_ok(), "{} needs no argument", prompt.name);
        }
    }

    #[test]
    fn prompts_have_names_of_their_own_and_titles() {
        let all = prompts();
        let names: BTreeSet<&str> = all.iter().map(|prompt| prompt.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        assert_eq!(all[0].title, "Design house");
    }
}
