//! Execution services on other machines, which here are other processes that share nothing with the daemon but a port.

use crate::energy::{self, begin_year, ended, programs, slow_model, with_model};
use crate::place::{Place, children, is_alive, wait_until};
use crate::wire::request;
use serde_json::{Value, json};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

const TOKEN: &str = "open sesame";

/// `pensaer exec --listen`.
struct Elsewhere(Child);

impl Elsewhere {
    fn start(place: &Place, address: SocketAddr, more: &[&str]) -> Self {
        let mut command = place.command(&["exec", "--workers", "1"]);
        command.args(more).env("PENSAER_LISTEN", address.to_string()).env("PENSAER_EXEC_TOKEN", TOKEN);
        let child = command.stderr(Stdio::null()).spawn().unwrap();
        wait_until("the service listens", || TcpStream::connect(address).is_ok());
        Self(child)
    }

    fn signal(mut self, signal: &str) {
        let workers = children(self.0.id());
        assert!(Command::new("kill").args([signal, &self.0.id().to_string()]).status().unwrap().success());
        self.0.wait().unwrap();
        wait_until("its workers are gone", || !workers.iter().any(|pid| is_alive(pid)));
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// A data folder whose settings name a service elsewhere, and its address.
fn place_with(workers: usize) -> (Place, SocketAddr) {
    let (place, address) = (Place::new(), free_address());
    std::fs::create_dir_all(place.data()).unwrap();
    std::fs::write(place.data().join("token"), TOKEN).unwrap();
    let endpoint = format!("{{url = 'http://{address}', token-file = 'token'}}");
    let settings = format!("workers = {workers}\ncall-seconds = 7\n[exec]\nendpoints = [{endpoint}]\n");
    std::fs::write(place.data().join("pensaer.toml"), settings).unwrap();
    (place, address)
}

fn house() -> Value {
    json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]})
}

fn wall(y: i32) -> Value {
    json!({"start": [0, y], "end": [4000, y], "level_id": "Ground"})
}

#[test]
fn a_gateway_without_workers_works_through_a_service_elsewhere_and_says_so_when_it_is_gone() {
    let (place, address) = place_with(0);
    let service = Elsewhere::start(&place, address, &[]);
    let mut agent = place.stdio();
    agent.done("create_project", &house());
    agent.done("create_wall", &wall(0));
    assert!(children(place.daemon_pid()).is_empty(), "no worker here");
    service.signal("-9");
    let refused = agent.call("create_wall", &wall(2000));
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(refused.to_string().contains(&address.to_string()), "{refused}");
    let service = Elsewhere::start(&place, address, &[]);
    wait_until("it has come back", || {
        let made =
            place.command(&["call", "create_wall", "--json", &wall(2000).to_string()]).output().unwrap();
        made.status.success()
    });
    let walls = agent.done("query_elements", &json!({"selector": "IfcWall"}));
    assert_eq!(walls["total"], 2, "{walls}");
    service.signal("-TERM");
}

#[test]
fn a_service_elsewhere_that_dies_is_replaced_by_the_workers_here() {
    let (place, address) = place_with(1);
    let service = Elsewhere::start(&place, address, &[]);
    let mut agent = place.stdio();
    // enough models that some of them live there
    let models: Vec<Value> =
        (0..6).map(|_| agent.done("create_project", &house())["model_id"].clone()).collect();
    let add = |agent: &mut crate::wire::Stdio, y: i32| {
        for model in &models {
            let mut wall = wall(y);
            wall["model_id"] = model.clone();
            agent.done("create_wall", &wall);
        }
    };
    add(&mut agent, 0);
    service.signal("-9");
    add(&mut agent, 2000);
    for model in &models {
        let walls = agent.done("query_elements", &json!({"selector": "IfcWall", "model_id": model}));
        assert_eq!(walls["total"], 2, "{walls}");
    }
}

#[test]
fn large_files_go_there_by_links_that_the_service_may_follow() {
    let (place, address) = place_with(0);
    let gateway = place.address();
    let fetch_from = format!("http://{gateway}/bucket/");
    let _service = Elsewhere::start(&place, address, &["--fetch-from", &fetch_from]);
    let mut agent = place.stdio();
    wait_until("it has joined", || {
        place
            .command(&["call", "create_project", "--json", &house().to_string()])
            .output()
            .unwrap()
            .status
            .success()
    });
    agent.done("create_project", &house());
    agent.done("create_wall", &wall(0));
    let model = agent.done("list_models", &json!({}))["models"][0]["model_id"].as_str().unwrap().to_owned();
    let text = request(&gateway, "GET", &format!("/bucket/{model}/head"), &[], b"").text();
    let padded = text.replacen("DATA;", &format!("/*{}*/\nDATA;", "x".repeat(2 << 20)), 1);
    let sent = request(&gateway, "POST", "/bucket?name=Large.ifc", &[], padded.as_bytes());
    assert_eq!(sent.status, 201, "{}", sent.text());
    agent.done("load_model", &json!({"model_id": sent.json()["model_id"]}));
    let walls = agent.done("query_elements", &json!({"selector": "IfcWall"}));
    assert_eq!(walls["total"], 1, "{walls}");
    agent.done("create_wall", &wall(2000));
    // what is written there comes back from there
    let changed = request(&gateway, "GET", "/bucket/Large/head", &[], b"").text();
    assert!(changed.len() > padded.len() && changed.contains("xxxx"), "{}", changed.len());
}

#[test]
fn a_service_for_other_machines_wants_a_token() {
    let place = Place::new();
    let output = place.command(&["exec"]).env("PENSAER_LISTEN", "0.0.0.0:0").output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--token-file"), "{said}");
}

#[test]
fn a_back_end_that_is_absent_here_may_be_elsewhere() {
    let Some(python) = testing::ifcopenshell() else { return };
    let (place, address) = place_with(1);
    let service = Elsewhere::start(&place, address, &["--python", python.to_str().unwrap()]);
    let mut agent = place.stdio();
    agent.done("create_project", &house());
    agent.done("create_wall", &wall(0));
    let asked = r#"{"code": "1", "backend": "ifcopenshell", "mode": "query"}"#;
    wait_until("the service has joined", || {
        place.run(&["call", "run_code", "--json", asked]).status.success()
    });
    let code = "import ifcopenshell\nadapter.create_wall([0, 2000], [4000, 2000], 'Ground')\nlen(model.by_type('IfcWall'))";
    let made = agent.done("run_code", &json!({"code": code, "backend": "ifcopenshell"}));
    assert_eq!(made["value"], 2, "{made}");
    let walls = agent.done("query_elements", &json!({"selector": "IfcWall", "backend": "native"}));
    assert_eq!(walls["total"], 2, "{walls}");
    service.signal("-TERM");
}

#[test]
fn simulations_run_where_energyplus_is() {
    let Some(energyplus) = testing::energyplus() else { return };
    let (place, address) = place_with(1);
    let fetch_from = format!("http://{}/bucket/", place.address());
    let folder = energyplus.to_str().unwrap();
    let service =
        Elsewhere::start(&place, address, &["--energyplus-dir", folder, "--fetch-from", &fetch_from]);
    let mut agent = with_model(&place, energy::BOX);
    let begin = || place.run(&["call", "run_simulation", "--json", "{\"design_day\": true}"]);
    wait_until("the service has joined", || begin().status.success());
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    let run = ended(&mut agent, &run["job_id"]);
    assert_eq!((&run["status"], &run["severe"]), (&json!("completed"), &json!(0)), "{run}");
    let names = run["links"].to_string();
    assert!(names.contains("eplusout.sql") && names.contains("eplusout.err"), "{run}");
    let zones = json!({"report_name": "InputVerificationandResultsSummary", "table_name": "Zone Summary"});
    let table = agent.done("query_simulation_table", &zones).to_string();
    assert!(table.contains("Volume"), "{table}");
    // a year that nobody wants any more leaves nothing behind there
    let mut other = with_model(&place, &slow_model());
    let job = begin_year(&mut other);
    wait_until("it runs there", || !programs(service.0.id()).is_empty());
    assert!(programs(place.daemon_pid()).is_empty(), "it runs here");
    other.done("cancel_simulation", &json!({"job_id": job}));
    assert_eq!(ended(&mut other, &job)["status"], "cancelled");
    wait_until("it is gone", || programs(service.0.id()).is_empty());
    let again = agent.done("run_simulation", &json!({"design_day": true}));
    let again = ended(&mut agent, &again["job_id"]);
    assert_eq!(again["status"], "completed", "{again}");
    service.signal("-TERM");
}

#[test]
fn endless_scripts_at_a_service_elsewhere_leave_room_for_reading() {
    let (place, address) = place_with(0);
    let _service = Elsewhere::start(&place, address, &[]);
    let mut agent = place.stdio();
    let made = agent.done("create_project", &house());
    agent.done("create_wall", &wall(0));
    let endless = json!({"code": "while True:\n    pass", "model_id": made["model_id"]}).to_string();
    let begun = |_| {
        let mut script = place.command(&["call", "run_code", "--json", &endless]);
        script.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut scripts: Vec<Child> = (0..6).map(begun).collect();
    std::thread::sleep(std::time::Duration::from_millis(300));
    for _ in 0..5 {
        assert_eq!(agent.done("query_elements", &json!({"selector": "IfcWall"}))["total"], 1);
    }
    let run =
        scripts.iter_mut().filter_map(|script| script.try_wait().unwrap().is_none().then_some(())).count();
    assert_eq!(run, 6, "none of them had to end first");
    for script in &mut scripts {
        let _ = script.kill();
        let _ = script.wait();
    }
}
