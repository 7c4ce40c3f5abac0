//! The examples in the descriptions of tools, run as they stand: by the whole program, on a model that suits them. Each has to
//! be answered, and the answer has to fit the schema that is published of it.
//!
//! An example names things as a reader would (a version `3f2a90c1`, a model `Duplex`); what stands for them here is put in
//! their place. The few that never run here are listed with the reason.

use crate::energy::{BOX, ended};
use crate::place::Place;
use crate::security::office::{Office, wall};
use crate::shown_answers;
use crate::wire::Stdio;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Tools whose examples never run here, and why.
const ELSEWHERE: [(&str, &str); 3] = [
    (
        "compare_simulations",
        "needs a second run; two_runs_are_read_by_their_jobs in tests/it/energy.rs makes one",
    ),
    ("download_weather_file", "reaches out to the internet; tests/it/weather.rs has a mirror"),
    ("convert_osm_to_idf", "needs OpenStudio; tests/it/energy_programs.rs converts where it is installed"),
];

/// The job that examples speak of.
const JOB: &str = "0199a0c4-6a53-7a2e-9c7e-3f4f4a1f0c11";

/// Tools whose examples need a simulation that has ended.
const RESULTS: &str = "results";

/// A tool as the program describes it.
pub struct Described {
    pub name: String,
    pub on_energy: bool,
    pub needs_results: bool,
    pub writes: bool,
    pub examples: Vec<Value>,
    /// The schemas of its parameters.
    pub parameters: Map<String, Value>,
    answer: jsonschema::Validator,
}

pub fn described(place: &Place) -> Vec<Described> {
    let specs: Value = serde_json::from_slice(&place.run(&["tools", "--json"]).stdout).unwrap();
    let text = |spec: &Value, name: &str| spec[name].as_str().unwrap_or_default().to_owned();
    specs
        .as_array()
        .unwrap()
        .iter()
        .map(|spec| Described {
            name: text(spec, "name"),
            on_energy: spec["server"] == "energy"
                || ["search_docs", "get_doc_section"].contains(&spec["name"].as_str().unwrap()),
            needs_results: spec["toolsets"].as_array().is_some_and(|sets| sets.contains(&json!(RESULTS)))
                || ["get_simulation_status", "cancel_simulation", "results_to_ifc", "get_weather_summary"]
                    .contains(&spec["name"].as_str().unwrap()),
            writes: spec["effect"] != "query",
            examples: spec["examples"].as_array().cloned().unwrap_or_default(),
            parameters: spec["input_schema"]["properties"].as_object().cloned().unwrap_or_default(),
            answer: jsonschema::validator_for(&spec["output_schema"]).unwrap(),
        })
        .collect()
}

/// An agent with a working directory, and so a session, of its own.
fn agent(place: &Place, name: &str, profile: &str) -> Stdio {
    let folder = place.root().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = place.command(&["mcp", profile]);
    command.current_dir(folder);
    let mut agent = Stdio::start(command);
    agent.initialize();
    agent
}

/// A session with a model that examples run on, and what stands in it for the names in examples.
pub struct Desk {
    pub agent: Stdio,
    model: Value,
    version: Value,
    pub stand_ins: Vec<(&'static str, Value)>,
    levels: u32,
    folder: PathBuf,
}

impl Desk {
    /// A house of one storey with four walls, a door, a window and a room.
    pub fn with_house(place: &Place) -> Self {
        let mut agent = agent(place, "house", "all");
        let storeys = json!([{"name": "Ground Floor", "elevation": 0}]);
        agent.done("create_project", &json!({"name": "Structure", "storeys": storeys}));
        let made = agent.done("create_project", &json!({"name": "Duplex", "storeys": storeys}));
        let first = made["model_version"].clone();
        let shell = json!({
            "footprint": [[0, 0], [9000, 0], [9000, 7000], [0, 7000]], "storeys": 1, "names": {"walls": "Wall {n}"}
        });
        agent.done("create_building_shell", &shell);
        for (host, kind) in [("Wall 3", "door"), ("Wall 2", "window")] {
            let opening = json!({
                "host_id": host, "location": {"at": "center"}, "width": 1000, "height": 1200, "opening_type": kind
            });
            agent.done("create_opening", &opening);
        }
        let wall = agent.done("query_elements", &json!({"selector": "IfcWall, Name=\"Wall 1\""}));
        let wall = wall["rows"][0]["id"].clone();
        assert!(wall.is_string(), "the house has a first wall");
        let file = place.root().join("Sent.ifc");
        let saved = agent.done("save_model", &json!({"file_path": file}));
        assert!(file.exists(), "{saved}");
        let notes = place.root().join("notes.md");
        std::fs::write(&notes, "# Doors\n\nDoors of stairs are of oak.\n").unwrap();
        let issues = place.root().join("issues.bcf");
        std::fs::write(&issues, include_bytes!("../../../bcf/fuzz/seeds/archive/04")).unwrap();
        let plan = place.root().join("plan.png");
        std::fs::write(&plan, include_bytes!("../../../../docs/pictures/drawings/office-plan-200.png"))
            .unwrap();
        let versions = agent.done("list_versions", &json!({}));
        Self {
            model: made["model_id"].clone(),
            version: versions["versions"][0]["version"].clone(),
            stand_ins: vec![
                ("3f2a90c1", first),
                ("2O2Fr$t4X7Zf8NOew3FL9r", wall),
                ("~/models/Duplex.ifc", json!(file)),
                ("issues.bcf", json!(issues)),
                ("notes.md", json!(notes)),
                ("plan.png", json!(plan)),
            ],
            agent,
            levels: 0,
            folder: place.root().to_owned(),
        }
    }

    /// The box of one zone, with what examples call by name.
    pub fn with_box(place: &Place) -> Self {
        let mut agent = agent(place, "box", "energy");
        let file = place.root().join("box.idf");
        let outputs = "Output:Table:SummaryReports,AllSummary;\n\
             Output:Variable,*,Site Outdoor Air Drybulb Temperature,Hourly;\n\
             RunPeriod,Week,1,1,,1,7;\n";
        std::fs::write(&file, format!("{}\n{outputs}", BOX.replace("Room", "ZONE 1"))).unwrap();
        let loaded = agent.done("load_model", &json!({"file_path": file}));
        let fields = |type_: &str, name: &str, fields: Value| json!({"object_type": type_, "name": name, "fields": fields});
        let brick = json!({
            "roughness": "Rough", "thickness": 0.1, "conductivity": 0.9, "density": 1900, "specific_heat": 840
        });
        agent.done(
            "batch_add_objects",
            &json!({"objects": [
                fields("Material", "Brick", brick),
                fields("Schedule:Constant", "Old", json!({"hourly_value": 1})),
                fields("Output:Variable", "", json!({"variable_name": "Zone Mean Air Temperature"})),
            ]}),
        );
        let versions = agent.done("list_versions", &json!({}));
        let (model, version) = (loaded["model_id"].clone(), versions["versions"][0]["version"].clone());
        Self { agent, model, version, stand_ins: Vec::new(), levels: 0, folder: place.root().to_owned() }
    }

    /// The box after a run of a year by EnergyPlus, with a variable that is recorded at every frequency.
    pub fn with_results(place: &Place) -> Self {
        let mut desk = Self::with_box(place);
        let frequencies = ["Detailed", "Timestep", "Daily", "Monthly", "RunPeriod", "Annual"];
        let outputs = frequencies.map(|frequency| {
            let fields = json!({
                "variable_name": "Site Outdoor Air Drybulb Temperature", "reporting_frequency": frequency
            });
            json!({"object_type": "Output:Variable", "name": "", "fields": fields})
        });
        desk.agent.done("batch_add_objects", &json!({"objects": outputs}));
        let run = desk.agent.done("run_simulation", &json!({"weather_file": crate::energy::weather()}));
        assert_eq!(ended(&mut desk.agent, &run["job_id"])["status"], "completed");
        desk.stand_ins.push((JOB, run["job_id"].clone()));
        desk
    }

    /// Runs one example on the results that the session has.
    pub fn run_on_results(&mut self, tool: &Described, example: &Value) -> Result<(), String> {
        run(&mut self.agent, tool, example, &self.stand_ins)
    }

    /// Calls a tool on the results that the session has, as an example does: the answer, and no file.
    pub fn tried_on_results(&mut self, tool: &Described, arguments: &Value) -> (Value, String) {
        let mut arguments = arguments.clone();
        put_in_place(&mut arguments, &self.stand_ins);
        (self.agent.call(&tool.name, &arguments), String::new())
    }

    /// Runs one example, and leaves the model as it was before.
    pub fn run(&mut self, tool: &Described, example: &Value) -> Result<(), String> {
        self.agent.done("load_model", &json!({"model_id": self.model}));
        self.prepare(&tool.name);
        let outcome = run(&mut self.agent, tool, example, &self.stand_ins);
        self.put_back(tool);
        outcome
    }

    /// Leaves the model as it was before a call of a tool.
    fn put_back(&mut self, tool: &Described) {
        if tool.writes || tool.name == "switch_branch" {
            self.agent.call("switch_branch", &json!({"name": "main"}));
            self.agent.done("load_model", &json!({"model_id": self.model}));
            let back = json!({"model_version": self.version, "model_id": self.model});
            self.agent.done("restore_version", &back);
        }
    }

    /// Calls a tool as an example does, and leaves the model as it was before: the answer and, of a tool that changes something,
    /// the file of the model that the session has then.
    pub fn tried(&mut self, tool: &Described, arguments: &Value) -> (Value, String) {
        self.agent.done("load_model", &json!({"model_id": self.model}));
        self.prepare(&tool.name);
        let mut arguments = arguments.clone();
        put_in_place(&mut arguments, &self.stand_ins);
        let answer = self.agent.call(&tool.name, &arguments);
        let mut file = String::new();
        if tool.writes {
            let path = self.folder.join(if tool.on_energy { "tried.idf" } else { "tried.ifc" });
            self.agent.call("save_model", &json!({"file_path": path, "overwrite": true}));
            file = std::fs::read_to_string(&path).unwrap_or_default();
            drop(std::fs::remove_file(&path));
        }
        self.put_back(tool);
        (answer, file)
    }

    /// Makes a partition that ends on a wall.
    fn make_stem(&mut self) {
        let stem = json!({
            "start": [4500, 100], "end": [4500, 3000], "wall_type": "partition", "level_id": "Ground Floor",
            "name": "Tee"
        });
        self.agent.done("create_wall", &stem);
    }

    /// Does what an example takes for granted.
    pub fn prepare(&mut self, tool: &str) {
        self.levels += 1;
        let level = json!({"name": format!("Prepared {}", self.levels), "elevation": 54_000});
        match tool {
            "undo" => drop(self.agent.done("create_level", &level)),
            "redo" => {
                self.agent.done("create_level", &level);
                self.agent.done("undo", &json!({}));
            }
            "create_building_shell" => {
                let storeys = json!([{"name": "Ground Floor", "elevation": 0}]);
                self.agent.done("create_project", &json!({"name": "Empty site", "storeys": storeys}));
            }
            "create_branch" => drop(self.agent.call("delete_branch", &json!({"name": "variant-a"}))),
            "switch_branch" | "merge_branch" | "delete_branch" => {
                self.agent.call("delete_branch", &json!({"name": "variant-a"}));
                self.agent.done("create_branch", &json!({"name": "variant-a"}));
                self.agent.done("create_level", &level);
                self.agent.done("switch_branch", &json!({"name": "main"}));
            }
            "boolean_operation" => {
                let pier = json!({
                    "start": [4000, -500], "end": [4000, 500], "thickness": 300, "height": 2000,
                    "level_id": "Ground Floor", "name": "Column 1"
                });
                self.agent.done("create_wall", &pier);
            }
            "join_elements" => self.make_stem(),
            "create_sheet" => {
                self.agent.done("create_sheet", &json!({"views": ["elevation:north"], "size": "A3"}));
            }
            "fix_findings" => {
                for _ in 0..2 {
                    let one = json!({
                        "start": [20_000, 20_000], "end": [20_000, 23_000], "level_id": "Ground Floor"
                    });
                    self.agent.done("create_wall", &one);
                }
            }
            "align_elements" => {
                for (n, x) in [(1, 20_000), (2, 21_000), (3, 25_000)] {
                    let one = json!({
                        "start": [x, 20_000], "end": [x, 23_000], "level_id": "Ground Floor", "name": format!("Row {n}")
                    });
                    self.agent.done("create_wall", &one);
                }
            }
            "get_job" | "cancel_job" => {
                let call = json!({"source_category": "walls", "target_category": "IfcSlab", "as_job": true});
                let job = self.agent.done("clash_detection", &call)["job_id"].clone();
                self.stand_ins.retain(|(name, _)| *name != JOB);
                self.stand_ins.push((JOB, job));
            }
            "ifc_to_energy_model"
            | "create_covering"
            | "create_furniture"
            | "create_group"
            | "create_space_boundaries"
            | "rename_elements" => {
                let room = json!({
                    "level_id": "Ground Floor", "name": "room", "boundary_points":
                        [[200, 200], [8800, 200], [8800, 6800], [200, 6800]]
                });
                self.agent.done("create_space", &room);
                if tool == "rename_elements" {
                    self.make_stem();
                }
            }
            _ => {}
        }
    }
}

/// Runs one example; why it does not do, if so.
fn run(
    agent: &mut Stdio,
    tool: &Described,
    example: &Value,
    stand_ins: &[(&str, Value)],
) -> Result<(), String> {
    let mut arguments = example["arguments"].clone();
    put_in_place(&mut arguments, stand_ins);
    let answer = agent.call(&tool.name, &arguments);
    check(tool, example, &answer)
}

fn check(tool: &Described, example: &Value, answer: &Value) -> Result<(), String> {
    let place = format!("{}, {}", tool.name, example["title"]);
    if answer["isError"] == true || answer.get("structuredContent").is_none() {
        return Err(format!("{place}: {answer}"));
    }
    let answer = &answer["structuredContent"];
    let errors: Vec<String> = tool
        .answer
        .iter_errors(answer)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    if !errors.is_empty() {
        return Err(format!("{place} answers what its schema does not say: {errors:?}"));
    }
    let is_first = tool.examples.first() == Some(example);
    if is_first { shown_answers::check(&tool.name, answer) } else { Ok(()) }
}

fn put_in_place(value: &mut Value, stand_ins: &[(&str, Value)]) {
    match value {
        Value::String(text) => {
            if let Some((_, other)) = stand_ins.iter().find(|(name, _)| name == text) {
                *value = other.clone();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| put_in_place(item, stand_ins)),
        Value::Object(members) => members.values_mut().for_each(|member| put_in_place(member, stand_ins)),
        _ => {}
    }
}

/// Runs the examples of these tools; what is wrong with each that does not do.
fn all(tools: &[Described], mut one: impl FnMut(&Described, &Value) -> Result<(), String>) -> Vec<String> {
    let mut wrong = Vec::new();
    for tool in tools {
        for example in &tool.examples {
            wrong.extend(one(tool, example).err());
        }
    }
    wrong
}

#[test]
fn every_tool_has_an_example() {
    let place = Place::new();
    let without: Vec<String> =
        described(&place).into_iter().filter(|tool| tool.examples.is_empty()).map(|tool| tool.name).collect();
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn examples_on_buildings_and_of_the_platform_run() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    let tools: Vec<Described> = described(&place).into_iter().filter(|tool| !tool.on_energy).collect();
    let wrong = all(&tools, |tool, example| match tool.name.as_str() {
        "decide_approval" => decide(tool, example),
        _ => desk.run(tool, example),
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The example of a decision, on a deletion that waits for one.
fn decide(tool: &Described, example: &Value) -> Result<(), String> {
    let office = Office::open();
    let ada = office.somebody("ada", "house");
    let (model, element) = ada.house("House");
    ada.done("create_wall", &wall(&model, "Ground", 2000));
    let fault = ada.refused("delete_elements", &json!({"element_ids": [element], "model_id": model}));
    let stand_ins = [("0199a0c4-6a53-7a2e-9c7e-3f4f4a1f0c11", fault["data"]["approval_id"].clone())];
    let mut arguments = example["arguments"].clone();
    put_in_place(&mut arguments, &stand_ins);
    let answer = office.somebody("root", "admin").done(&tool.name, &arguments);
    check(tool, example, &json!({"structuredContent": answer}))
}

#[test]
fn examples_on_energy_models_run() {
    let place = Place::new();
    let mut desk = Desk::with_box(&place);
    let mut house = Desk::with_house(&place);
    let is_elsewhere = |tool: &Described| ELSEWHERE.iter().find(|(name, _)| *name == tool.name);
    let mut tools = described(&place);
    tools.retain(|tool| tool.on_energy && !tool.needs_results && is_elsewhere(tool).is_none());
    tools.retain(|tool| !["run_simulation", "migrate_model"].contains(&tool.name.as_str()));
    for (name, reason) in ELSEWHERE {
        println!("{name} is not run here: it {reason}");
    }
    let wrong = all(&tools, |tool, example| match tool.name.as_str() {
        "ifc_to_energy_model" => {
            house.prepare(&tool.name);
            run(&mut house.agent, tool, example, &[])
        }
        _ => desk.run(tool, example),
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn examples_on_simulations_run_where_there_is_energyplus() {
    let Some(folder) = testing::energyplus() else { return };
    let place = Place::with_energyplus(folder.clone());
    let mut desk = Desk::with_box(&place);
    let tools = described(&place);
    let is_of_runs = |tool: &Described| {
        tool.needs_results && !["results_to_ifc", "compare_simulations"].contains(&tool.name.as_str())
    };
    let begins = tools.iter().find(|tool| tool.name == "run_simulation").unwrap();
    let mut wrong = all(std::slice::from_ref(begins), |tool, example| desk.run(tool, example));
    let weather = folder.join("WeatherData/USA_CO_Golden-NREL.724666_TMY3.epw");
    let run = desk.agent.done("run_simulation", &json!({"annual": true, "weather_file": weather}));
    assert_eq!(ended(&mut desk.agent, &run["job_id"])["status"], "completed");
    let stand_ins = [("0199a0c4-6a53-7a2e-9c7e-3f4f4a1f0c11", run["job_id"].clone())];
    for tool in tools.iter().filter(|tool| is_of_runs(tool)) {
        for example in &tool.examples {
            wrong.extend(self::run(&mut desk.agent, tool, example, &stand_ins).err());
        }
    }
    let migrates = tools.iter().find(|tool| tool.name == "migrate_model").unwrap();
    if folder.join("PreProcess/IDFVersionUpdater").is_dir() {
        wrong.extend(migrated(&place, migrates).err());
    } else {
        println!("migrate_model is not run here: the makers' transition programs are not there");
    }

    let mut house = Desk::with_house(&place);
    house.prepare("ifc_to_energy_model");
    house.agent.done("ifc_to_energy_model", &json!({"weather_file": weather}));
    let run = house.agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(ended(&mut house.agent, &run["job_id"])["status"], "completed");
    let writes = tools.iter().find(|tool| tool.name == "results_to_ifc").unwrap();
    for example in &writes.examples {
        wrong.extend(self::run(&mut house.agent, writes, example, &[]).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The example of a migration, on a model that is of an older version.
fn migrated(place: &Place, tool: &Described) -> Result<(), String> {
    let mut agent = agent(place, "older", "energy");
    let file = place.root().join("older.idf");
    std::fs::write(&file, BOX.replace("Version,25.2;", "Version,25.1;")).unwrap();
    agent.done("load_model", &json!({"file_path": file}));
    tool.examples.iter().try_for_each(|example| run(&mut agent, tool, example, &[]))
}
