//! Simulations, by the real EnergyPlus, through the whole program: how they end, what they leave, and that nothing of them outlives
//! what started it. The crate `testing` knows where EnergyPlus is.

use crate::place::{Place, descendants, is_alive, wait_until};
use crate::wire::{Stdio, request};
use serde_json::{Value, json};
use std::process::Command;

/// A box of one zone, with one design day, that is simulated in a second.
pub const BOX: &str = include_str!("box.idf");

/// A place with EnergyPlus and these settings; none where there is no EnergyPlus.
fn place(settings: &str) -> Option<Place> {
    let place = Place::with_energyplus(testing::energyplus()?);
    std::fs::write(place.root().join("pensaer.toml"), settings).unwrap();
    Some(place)
}

pub fn weather() -> String {
    let folder = testing::energyplus().unwrap();
    folder.join("WeatherData/USA_CO_Golden-NREL.724666_TMY3.epw").display().to_string()
}

/// An agent with this model.
pub fn with_model(place: &Place, text: &str) -> Stdio {
    std::fs::write(place.root().join("model.idf"), text).unwrap();
    let mut agent = place.stdio();
    agent.done("load_model", &json!({"file_path": "model.idf"}));
    agent
}

/// The same for one whose run takes minutes on any machine: fifty years by finite differences, minute by minute.
pub fn slow_model() -> String {
    let minutes = BOX.replace("Timestep,4;", "Timestep,60;");
    format!(
        "{minutes}\nHeatBalanceAlgorithm,ConductionFiniteDifference;\nRunPeriod,Years,1,1,2001,12,31,2050;\n"
    )
}

/// Returns the ids of EnergyPlus' processes below a process.
pub fn programs(of: u32) -> Vec<String> {
    let named = |pid: &String| {
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        name.trim().starts_with("energyplus")
    };
    descendants(of).into_iter().filter(named).collect()
}

/// The run once it has ended.
pub fn ended(agent: &mut Stdio, job: &Value) -> Value {
    for _ in 0..600 {
        let status = agent.done("get_simulation_status", &json!({"job_id": job}));
        if !["queued", "running"].contains(&status["status"].as_str().unwrap()) {
            return status;
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    panic!("{job} does not end");
}

/// A run of a year, begun and left to itself.
pub fn begin_year(agent: &mut Stdio) -> Value {
    let begun = agent.done("run_simulation", &json!({"annual": true, "weather_file": weather()}));
    assert!(["queued", "running"].contains(&begun["status"].as_str().unwrap()), "{begun}");
    begun["job_id"].clone()
}

#[test]
fn a_design_day_is_simulated_and_its_results_are_kept_with_the_version() {
    let Some(place) = place("") else { return };
    let mut agent = with_model(&place, BOX);
    let run = agent
        .done("run_simulation", &json!({"design_day": true, "readvars": true, "output_directory": "out"}));
    assert_eq!(run["status"], "completed", "{run}");
    assert_eq!(run["severe"], 0, "{run}");
    assert!(run["program"].as_str().unwrap().starts_with("EnergyPlus 25.2"), "{run}");
    let listed = agent.done("list_versions", &json!({}));
    assert!(listed.to_string().contains(run["simulated_version"].as_str().unwrap()), "{listed}");
    let status = agent.done("get_simulation_status", &json!({"job_id": run["job_id"]}));
    assert_eq!((&status["status"], &status["end_uses"]), (&run["status"], &run["end_uses"]));
    let names: Vec<&str> =
        run["links"].as_array().unwrap().iter().map(|link| link["title"].as_str().unwrap()).collect();
    for name in ["eplusout.sql", "eplusout.err", "eplustbl.htm"] {
        assert!(names.contains(&name), "{names:?}");
        let link = run["links"][names.iter().position(|one| *one == name).unwrap()]["href"].as_str().unwrap();
        let path = link.split_once("//").unwrap().1;
        let path = &path[path.find('/').unwrap()..];
        let got = request(&place.address(), "GET", path, &[], b"");
        let copied = std::fs::read(place.root().join("out").join(name)).unwrap();
        assert_eq!((got.status, got.body.len()), (200, copied.len()), "{path}");
    }
    assert!(std::fs::read(place.root().join("out/eplusout.sql")).unwrap().starts_with(b"SQLite format 3"));
    // what is there is not written over
    let again = agent.call("run_simulation", &json!({"design_day": true, "output_directory": "out"}));
    assert_eq!(again["structuredContent"]["data"]["field"], "output_directory", "{again}");
    assert!(programs(place.daemon_pid()).is_empty());
}

#[test]
fn a_model_whose_database_has_no_tables_is_simulated_with_them_and_stays_as_it_is() {
    let Some(place) = place("") else { return };
    let mut agent = with_model(&place, &format!("{BOX}\nOutput:SQLite,Simple;\n"));
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(run["status"], "completed", "{run}");
    let summary = agent.done("get_results_summary", &json!({}));
    assert!(summary.to_string().contains("end_uses"), "{summary}");
    agent.done("save_model", &json!({"file_path": "kept.idf"}));
    let kept = std::fs::read_to_string(place.root().join("kept.idf")).unwrap();
    assert!(kept.contains("Output:SQLite,Simple;"), "{kept}");
}

#[test]
fn a_back_end_that_is_installed_is_used_by_the_server_that_runs() {
    let Some(program) = testing::energyplus() else { return };
    let place = Place::new();
    let mut agent = with_model(&place, BOX);
    let refused = agent.call("run_simulation", &json!({"design_day": true}));
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(refused.to_string().contains("pensaer backend install energyplus"), "{refused}");
    // what an installation leaves in the data folder
    let installed = place.data().join("backends");
    std::fs::create_dir_all(&installed).unwrap();
    std::os::unix::fs::symlink(program, installed.join("energyplus")).unwrap();
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(run["status"], "completed", "{run}");
}

#[test]
fn results_name_the_version_they_are_of_and_end_with_their_model() {
    let Some(place) = place("") else { return };
    let mut agent = with_model(
        &place,
        &format!("{BOX}\nOutput:Table:SummaryReports,AnnualBuildingUtilityPerformanceSummary;\n"),
    );
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    for tool in
        ["get_results_summary", "analyze_peak_loads", "view_simulation_report", "list_output_variables"]
    {
        let told = agent.done(tool, &json!({}));
        let of = &told["results_of"];
        assert_eq!(
            (&of["model_version"], &of["job_id"], &of["model"]),
            (&run["simulated_version"], &run["job_id"], &json!("model")),
            "{tool}: {told}"
        );
        assert!(of["note"].is_null(), "{told}");
    }
    let report = agent.ask("resources/read", &json!({"uri": "idfkit://simulation/report"}));
    let text = report["result"]["contents"][0]["text"].as_str().unwrap();
    let report: Value = serde_json::from_str(text).unwrap();
    let told: usize =
        report["reports"].as_array().unwrap().iter().map(|one| one["tables"].as_array().unwrap().len()).sum();
    assert!(told > 20 && report["table_count"] == told, "{told}");
    // asked for by the copy that is run, whatever the model asks for
    for name in ["SensibleHeatGainSummary", "SystemSummary"] {
        assert!(text.contains(name), "{name}");
    }
    agent.done("add_object", &json!({"object_type": "Zone", "name": "More"}));
    let told = agent.done("get_results_summary", &json!({}));
    assert_eq!(told["results_of"]["model_version"], run["simulated_version"], "{told}");
    assert!(told["results_of"]["note"].as_str().unwrap().contains("changed since"), "{told}");
    std::fs::write(place.root().join("second.idf"), BOX).unwrap();
    agent.done("load_model", &json!({"file_path": "second.idf"}));
    let none = agent.call("get_results_summary", &json!({}));
    let message = none["structuredContent"]["message"].as_str().unwrap();
    assert!(message.starts_with("No simulation results available. Use run_simulation first."), "{none}");
}

#[test]
fn who_waits_for_results_is_told_when_a_run_ends_and_not_of_edits() {
    let Some(place) = place("") else { return };
    let mut agent = with_model(&place, BOX);
    for uri in ["idfkit://simulation/results", "idfkit://model/summary"] {
        let answer = agent.ask("resources/subscribe", &json!({"uri": uri}));
        assert!(answer.get("error").is_none(), "{uri}: {answer}");
    }
    // what is told comes between the answers
    let mut told = Vec::new();
    let say = |agent: &mut Stdio, tool: &str, arguments: Value| {
        agent.send(&json!({"jsonrpc": "2.0", "id": tool, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}));
        let mut told = Vec::new();
        loop {
            let message = agent.receive();
            match message["params"]["uri"].as_str() {
                Some(uri) => told.push(uri.to_owned()),
                None if message["id"] == tool => {
                    return (message["result"]["structuredContent"].clone(), told);
                }
                None => {}
            }
        }
    };
    let (run, during) = say(&mut agent, "run_simulation", json!({"design_day": true}));
    assert_eq!(run["status"], "completed", "{run}");
    told.extend(during);
    // an answer after it, so that everything that was told of the run has come
    for _ in 0..50 {
        if !told.is_empty() {
            break;
        }
        told.extend(say(&mut agent, "whoami", json!({})).1);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(told, ["idfkit://simulation/results"]);
    let read = agent.ask("resources/read", &json!({"uri": "idfkit://simulation/results"}));
    assert!(read["result"]["contents"][0]["text"].is_string(), "{read}");
    let (_, mut during) = say(&mut agent, "add_object", json!({"object_type": "Zone", "name": "Annex"}));
    for _ in 0..50 {
        if !during.is_empty() {
            break;
        }
        during.extend(say(&mut agent, "whoami", json!({})).1);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(during, ["idfkit://model/summary"]);
}

#[test]
fn two_runs_are_read_by_their_jobs_and_compared_with_what_differs_between_their_models() {
    let Some(place) = place("") else { return };
    let mut agent = with_model(&place, &format!("{BOX}\nOutput:Table:SummaryReports,AllSummary;\n"));
    // what EnergyPlus brings is found by a word, and is the session's from then on
    let first = agent.done("run_simulation", &json!({"weather_file": "golden"}));
    assert_eq!(first["status"], "completed", "{first}");
    assert!(first["weather_file"].as_str().unwrap().contains("Golden"), "{first}");
    let before = agent.done("get_results_summary", &json!({}));
    agent.done(
        "add_object",
        &json!({
            "object_type": "Schedule:Constant", "name": "Always", "fields": {"hourly_value": 1}
        }),
    );
    agent.done("add_object", &json!({
        "object_type": "Lights", "name": "Lamps",
        "fields": {"zone_name": "Room", "schedule_name": "Always", "design_level_calculation_method": "LightingLevel", "lighting_level": 1000}
    }));
    let second = agent.done("run_simulation", &json!({}));
    assert_eq!(second["status"], "completed", "{second}");
    let found = agent.done("compare_simulations", &json!({"with_job_id": first["job_id"]}));
    let uses = found["end_uses"].as_array().unwrap();
    let lights = uses.iter().find(|pair| pair["name"] == "Interior Lighting, Electricity").unwrap();
    // a year of 1 kW
    assert_eq!((&lights["before"], &lights["after"]), (&json!(0.0), &json!(8760.0)), "{found}");
    assert_eq!(found["model"]["added"]["Lights"], 1, "{found}");
    // the run before is still read by its job, the other way round too
    let again = agent.done("get_results_summary", &json!({"job_id": first["job_id"]}));
    assert_eq!(again["end_uses"], before["end_uses"], "{again}");
    let back = agent
        .done("compare_simulations", &json!({"with_job_id": second["job_id"], "job_id": first["job_id"]}));
    let uses = back["end_uses"].as_array().unwrap();
    assert!(uses.iter().any(|pair| pair["change"] == -8760.0), "{back}");
    let same = agent.call("compare_simulations", &json!({"with_job_id": second["job_id"]}));
    assert_eq!(same["structuredContent"]["data"]["field"], "with_job_id", "{same}");
    let none = agent.call("get_results_summary", &json!({"job_id": "nowhere"}));
    assert_eq!(none["structuredContent"]["data"]["field"], "job_id", "{none}");
}

#[test]
fn what_could_be_recorded_is_found_and_asked_for_in_one_step() {
    let Some(place) = place("") else { return };
    let mut agent = with_model(&place, BOX);
    let blind = agent.done("request_outputs", &json!({"variables": ["Zone Mean Air Temperature"]}));
    assert!(blind["notice"].as_str().unwrap().contains("no run yet"), "{blind}");
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(run["status"], "completed", "{run}");
    let known = agent.done("list_output_variables", &json!({"available": true, "search": "infiltration"}));
    assert!(known["total_available"].as_u64().unwrap() > known["matching"].as_u64().unwrap(), "{known}");
    let wrong = agent.call("request_outputs", &json!({"variables": ["Zone Mean Air Temprature"]}));
    let near = wrong["structuredContent"]["data"]["near_matches"].to_string();
    assert!(near.contains("Zone Mean Air Temperature"), "{wrong}");
    let asked = agent.done(
        "request_outputs",
        &json!({"variables": ["zone mean air temperature", "Surface Inside Face Temperature", "Site Outdoor Air Drybulb Temperature"]}),
    );
    assert_eq!(asked["there"], json!(["zone mean air temperature"]), "{asked}");
    assert_eq!(asked["added"].as_array().unwrap().len(), 2, "{asked}");
    let monthly =
        json!({"variables": ["Zone Mean Air Humidity Ratio"], "key_value": "Room", "frequency": "Monthly"});
    agent.done("request_outputs", &monthly);
    let outputs = agent.done("list_objects", &json!({"object_type": "Output:Variable"}));
    assert!(outputs.to_string().contains("Room, Zone Mean Air Humidity Ratio, Monthly"), "{outputs}");
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(run["status"], "completed", "{run}");
    let series = agent.done("query_timeseries", &json!({"variable_name": "Surface Inside Face Temperature"}));
    assert!(series["parts"].as_array().unwrap().len() >= 6, "{series}");
    let table = agent.done(
        "query_timeseries",
        &json!({"variable_name": "Zone Mean Air Temperature", "with": ["Site Outdoor Air Drybulb Temperature"], "by": "day"}),
    );
    let columns = table["tables"][0]["columns"].as_array().unwrap();
    assert_eq!(columns.len(), 2, "{table}");
    assert_eq!(table["tables"][0]["rows"][0][1].as_array().unwrap().len(), 2, "{table}");
}

#[test]
fn a_run_that_gave_up_is_explained_mended_and_run_again() {
    let Some(place) = place("") else { return };
    let mut agent = with_model(
        &place,
        &format!("{BOX}\nSchedule:Constant,On,,1;\nLights,Lamps,Rom,On,LightingLevel,100;\n"),
    );
    let before = agent.done("check_model_integrity", &json!({}));
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(run["status"], "fatal", "{run} {before}");
    let told = agent.done("explain_messages", &json!({"mendable": true}));
    let group = &told["groups"][0];
    assert!(group["objects"].to_string().contains("Lamps") && group["meaning"].is_string(), "{told}");
    let mended = agent.done("mend_messages", &json!({}));
    assert!(mended["mended"].to_string().contains(r#""from":"Rom","to":"Room""#), "{mended}");
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(run["status"], "completed", "{run}");
    let unknown = agent.call("mend_messages", &json!({"kinds": ["nothing_known"]}));
    assert_eq!(unknown["isError"], true, "{unknown}");
}

#[test]
fn a_weather_file_that_energyplus_brings_is_summed_up_and_taken() {
    let Some(place) = place("") else { return };
    let mut agent = with_model(&place, BOX);
    let none = agent.call("get_weather_summary", &json!({}));
    assert!(none.to_string().contains("EnergyPlus brings"), "{none}");
    let golden = agent.done("get_weather_summary", &json!({"weather_file": "Golden", "use_it": true}));
    assert_eq!(
        (&golden["location"]["wmo"], &golden["months"].as_array().unwrap().len()),
        (&json!("724666"), &12)
    );
    // of its STAT and DDY
    assert!(golden["climate"].to_string().contains("5B"), "{golden}");
    assert!(golden["design_days"].to_string().contains("99.6%"), "{golden}");
    let several = agent.call("get_weather_summary", &json!({"weather_file": "USA"}));
    assert!(several["structuredContent"]["data"]["candidates"].as_array().unwrap().len() > 2, "{several}");
    let run = agent.done("run_simulation", &json!({"annual": true}));
    assert_eq!(run["status"], "completed", "{run}");
}

#[test]
fn a_run_is_waited_for_and_one_that_is_given_up_leaves_nothing() {
    let Some(place) = place("call-seconds = 7") else { return };
    let mut agent = with_model(&place, &slow_model());
    let job = begin_year(&mut agent);
    let status = agent.done("get_simulation_status", &json!({"job_id": job, "wait_seconds": 2}));
    assert_eq!(status["status"], "running", "{status}");
    agent.done("cancel_simulation", &json!({"job_id": job}));
    let end = ended(&mut agent, &job);
    assert_eq!((&end["status"], &end["links"]), (&json!("cancelled"), &Value::Null), "{end}");
    let beyond = agent.call("get_simulation_status", &json!({"job_id": job, "wait_seconds": 51}));
    assert_eq!(beyond["structuredContent"]["data"]["field"], "wait_seconds", "{beyond}");
}

#[test]
fn a_run_that_the_model_does_not_allow_says_why_and_a_wrong_wish_is_refused() {
    let Some(place) = place("") else { return };
    let mut agent = with_model(&place, &BOX.replace("Wall build,          !- Construction Name", "Nowhere,"));
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(run["status"], "fatal", "{run}");
    assert!(run["severe"].as_u64().unwrap() > 0, "{run}");
    assert!(run["messages"].to_string().to_lowercase().contains("nowhere"), "{run}");
    for (field, wish) in [
        ("weather_file", json!({"annual": true})),
        ("weather_file", json!({"annual": true, "weather_file": "nowhere.epw"})),
        ("annual", json!({"annual": true, "design_day": true})),
        ("energyplus_version", json!({"design_day": true, "energyplus_version": "9.6"})),
        ("energyplus_dir", json!({"design_day": true, "energyplus_dir": "/usr/bin"})),
        ("output_directory", json!({"design_day": true, "output_directory": "no/such/folder"})),
    ] {
        let answer = agent.call("run_simulation", &wish);
        assert_eq!(answer["isError"], true, "{wish}: {answer}");
        assert_eq!(answer["structuredContent"]["data"]["field"], field, "{answer}");
    }
    let preview = agent.done("run_simulation", &json!({"design_day": true, "dry_run": true}));
    assert_eq!(preview["status"], "preview", "{preview}");
    // the server's own folder may be named, by whatever way leads there
    let folder = testing::energyplus().unwrap();
    std::os::unix::fs::symlink(folder, place.root().join("link")).unwrap();
    let link = place.root().join("link");
    let run = agent.done("run_simulation", &json!({"design_day": true, "energyplus_dir": link}));
    assert_eq!(run["status"], "fatal", "{run}");
    // the installed version may be asked for
    let run = agent.done("run_simulation", &json!({"design_day": true, "energyplus_version": "25.2"}));
    assert_eq!(run["status"], "fatal", "{run}");
}

#[test]
fn templates_epjson_and_other_versions_are_simulated_too() {
    let Some(place) = place("") else { return };
    let older = BOX.replace("Version,25.2;", "Version,24.1;");
    let mut agent = with_model(&place, &older);
    agent.done("save_model", &json!({"file_path": "model.epJSON"}));
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert!(run["notes"].to_string().contains("migrate_model"), "{run}");
    agent.done("load_model", &json!({"file_path": "model.epJSON"}));
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert!(["completed", "fatal"].contains(&run["status"].as_str().unwrap()), "{run}");
    let templates = format!(
        "{BOX}\nHVACTemplate:Thermostat,All,,20,,26;\nHVACTemplate:Zone:IdealLoadsAirSystem,Room,All;\n"
    );
    let mut agent = with_model(&place, &templates);
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(run["status"], "completed", "{run}");
    assert!(run["links"].to_string().contains("expanded.idf"), "{run}");
}

#[test]
fn a_year_can_be_cancelled_and_two_run_at_once() {
    let Some(place) = place("call-seconds = 7") else { return };
    let mut agents = [with_model(&place, &slow_model()), place.stdio()];
    let jobs = agents.each_mut().map(begin_year);
    let daemon = place.daemon_pid();
    wait_until("both run", || programs(daemon).len() == 2);
    let status = agents[0].done("get_simulation_status", &json!({"job_id": jobs[0]}));
    assert_eq!(status["status"], "running", "{status}");
    for (agent, job) in agents.iter_mut().zip(&jobs) {
        // its first words are of the run itself, so that it has begun to write
        let said =
            |agent: &mut Stdio| agent.done("get_simulation_status", &json!({"job_id": job}))["step"].clone();
        for _ in 0..300 {
            if said(agent).is_string() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        agent.done("cancel_simulation", &json!({"job_id": job}));
        let end = ended(agent, job);
        assert_eq!(end["status"], "cancelled", "{end}");
        // and leaves nothing
        assert!(end["links"].is_null(), "{end}");
    }
    // and is no result
    let none = agents[1].call("get_results_summary", &json!({}));
    assert_eq!(none["structuredContent"]["code"], 1012, "{none}");
    wait_until("both are gone", || programs(daemon).is_empty());
    let none = agents[0].call("cancel_simulation", &json!({"job_id": "nowhere"}));
    assert_eq!(none["structuredContent"]["code"], 1014, "{none}");
}

#[test]
fn a_run_that_takes_too_long_is_ended_and_one_that_is_killed_has_crashed() {
    let Some(place) = place("call-seconds = 7\nsimulation-seconds = 12") else { return };
    let mut agent = with_model(&place, &slow_model());
    let late = begin_year(&mut agent);
    let end = ended(&mut agent, &late);
    assert_eq!(end["status"], "timed_out", "{end}");
    assert!(programs(place.daemon_pid()).is_empty());
    let killed = begin_year(&mut agent);
    let daemon = place.daemon_pid();
    wait_until("it runs", || programs(daemon).len() == 1);
    Command::new("kill").args(["-9", &programs(daemon)[0]]).status().unwrap();
    let end = ended(&mut agent, &killed);
    assert_eq!(end["status"], "crashed", "{end}");
    assert!(end["reason"].as_str().unwrap().contains("signal 9"), "{end}");
}

#[test]
fn worker_launcher_and_programs_live_and_die_together() {
    let Some(place) = place("call-seconds = 7") else { return };
    let mut agent = with_model(&place, &slow_model());
    let job = begin_year(&mut agent);
    let daemon = place.daemon_pid();
    for is_worker in [true, false] {
        wait_until("it runs", || programs(daemon).len() == 1);
        let program = programs(daemon).remove(0);
        let ours = descendants(daemon).into_iter().find(|pid| {
            let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).into_owned();
            words.contains("worker\0energyplus") && words.contains("\0beside") == is_worker
        });
        Command::new("kill").args(["-9", &ours.unwrap()]).status().unwrap();
        wait_until("the program is gone", || !is_alive(&program));
        if is_worker {
            continue;
        }
        // a call under which two workers died is not given a third
        let end = ended(&mut agent, &job);
        assert_eq!(end["status"], "failed", "{end}");
        // which of the two is told first: that the worker died, or that its launcher was gone before it
        let reason = end["reason"].as_str().unwrap();
        assert!(reason.contains("died") || reason.contains("launcher does not answer"), "{end}");
    }
    let job = begin_year(&mut agent);
    wait_until("it runs", || programs(daemon).len() == 1);
    let program = programs(daemon).remove(0);
    let launcher_and_all = descendants(daemon);
    Command::new("kill").args(["-9", &daemon.to_string()]).status().unwrap();
    wait_until("all are gone", || !is_alive(&program) && !launcher_and_all.iter().any(|pid| is_alive(pid)));
    // whoever serves the folder next begins it again
    let mut agent = place.stdio();
    // the first call waits for the new daemon
    agent.done("list_models", &json!({}));
    let daemon = place.daemon_pid();
    wait_until("it runs again", || programs(daemon).len() == 1);
    agent.done("cancel_simulation", &json!({"job_id": job}));
    wait_until("it is over", || programs(daemon).is_empty());
}

#[test]
fn a_model_reaches_no_file_outside_its_folder_and_starts_nothing() {
    let Some(place) = place("") else { return };
    let outside = place.root().join("outside");
    std::fs::create_dir(&outside).unwrap();
    let touched = outside.join("touched");
    let plugin = format!(
        "from pyenergyplus.plugin import EnergyPlusPlugin\nopen({:?}, 'w').write('x')\nclass P(EnergyPlusPlugin):\n    pass\n",
        touched.display().to_string()
    );
    std::fs::write(outside.join("evil.py"), plugin).unwrap();
    std::fs::write(outside.join("values.csv"), "canary-4711\n".repeat(9000)).unwrap();
    let folder = outside.display();
    for object in [
        format!(
            "PythonPlugin:SearchPaths,Paths,Yes,Yes,No,{folder};\nPythonPlugin:Instance,Evil,No,evil,P;\n"
        ),
        format!(
            "ScheduleTypeLimits,Any;\nSchedule:File,Evil,Any,{folder}/values.csv,1,0,8760,Comma,No,60;\n"
        ),
        "ScheduleTypeLimits,Any;\nSchedule:File,Evil,Any,/etc/passwd,1,0,8760,Colon,No,60;\n".to_owned(),
        format!(
            "ExternalInterface,FunctionalMockupUnitImport;\nExternalInterface:FunctionalMockupUnitImport,{folder}/evil.fmu,1,0;\n"
        ),
    ] {
        let mut agent = with_model(&place, &format!("{BOX}\n{object}"));
        let run = agent.call("run_simulation", &json!({"design_day": true}));
        let said = run.to_string();
        assert_ne!(run["structuredContent"]["status"], "completed", "{object}: {run}");
        // what is on the server's machine is no file of the caller's
        assert_eq!(said.contains("missing_files"), object.contains("Schedule:File"), "{object}: {said}");
        assert!(!said.contains("canary-4711") && !said.contains("root:"), "{object}: {said}");
        assert!(!touched.exists(), "{object}");
    }
}

#[test]
fn a_run_reads_the_values_of_a_schedule_from_a_file_that_was_sent() {
    let Some(place) = place("") else { return };
    let object = "ScheduleTypeLimits,Any;\nSchedule:File,Filed,Any,C:\\data\\hours of use.csv,2,1,8760,Semicolon,No,60;\n\
                  Output:Variable,*,Schedule Value,Hourly;\n";
    let mut agent = with_model(&place, &format!("{BOX}\n{object}"));
    let without = agent.call("run_simulation", &json!({"design_day": true}));
    assert_eq!(without["isError"], true, "{without}");
    let said = without.to_string();
    assert!(said.contains("hours of use.csv") && said.contains("store_files"), "{said}");

    let rows: Vec<String> = (0..8760).map(|hour| format!("x;{}", hour % 24)).collect();
    let contract::Source::Inline(data) =
        contract::Source::inline(format!("a;b\n{}\n", rows.join("\n")).as_bytes())
    else {
        panic!("not inline");
    };
    agent.done("store_files", &json!({"files": [{"name": "hours of use.csv", "data": data}]}));
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!((&run["status"], &run["severe"]), (&json!("completed"), &json!(0)), "{run}");
    let series = agent.done(
        "query_timeseries",
        &json!({"variable_name": "Schedule Value", "key_value": "FILED", "limit": 24}),
    );
    let values: Vec<f64> =
        series["parts"][0]["rows"].as_array().unwrap().iter().map(|row| row[1].as_f64().unwrap()).collect();
    assert_eq!(values, (0..24).map(f64::from).collect::<Vec<_>>(), "{series}");
    // the model itself names the file as before
    let kept = agent.done("search_objects", &json!({"query": "Filed"}));
    assert!(!kept.to_string().contains("files/"), "{kept}");
}

#[test]
fn where_there_is_no_energyplus_a_simulation_says_how_to_have_it() {
    let place = Place::new();
    let mut agent = with_model(&place, BOX);
    let answer = agent.call("run_simulation", &json!({"design_day": true}));
    assert_eq!(answer["isError"], true, "{answer}");
    let said = answer.to_string();
    for way in ["pensaer backend install energyplus", "--energyplus-dir", "ENERGYPLUS_DIR"] {
        assert!(said.contains(way), "{said}");
    }
    let listed = place.run(&["backend", "list", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!((&listed[2]["name"], &listed[2]["state"]), (&json!("energyplus"), &json!("not installed")));
    let wrong =
        place.command(&["backend", "list", "--json"]).env("ENERGYPLUS_DIR", place.root()).output().unwrap();
    let listed: Value = serde_json::from_slice(&wrong.stdout).unwrap();
    assert_eq!(listed[2]["state"], "broken", "{listed}");
}
