//! What the workers may do, seen from outside.

use crate::place::{Place, children};
use serde_json::json;
use std::process::Command;

/// A line of what the system says of a process.
pub fn status_of(pid: &str, field: &str) -> String {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim_start_matches(':').trim().to_owned()
}

#[test]
fn a_worker_cannot_get_out_by_any_way_that_is_tried() {
    let place = Place::new();
    std::fs::create_dir_all(place.root().join("blobs")).unwrap();
    let output = place.run(&["exec", "--check", "--read", "blobs"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("landlock") && said.contains("seccomp") && said.contains("limits"), "{said}");
    assert_eq!(said.matches("refused:").count(), 22, "{said}");
    assert_eq!(said.matches("from a launched program").count(), 11, "{said}");
    assert!(!said.contains("POSSIBLE"), "{said}");
}

#[test]
fn a_folder_that_is_not_there_is_said_rather_than_left_open() {
    let place = Place::new();
    let output = place.run(&["exec", "--check", "--read", "no-such-folder"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-folder"));
}

#[test]
fn workers_are_confined_and_do_their_work_all_the_same() {
    let place = Place::new();
    let mut agent = place.stdio();
    agent.done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    agent.done("create_wall", &json!({"start": [0, 0], "end": [4000, 0], "level_id": "Ground"}));
    let exported = agent.done("export_ifc", &json!({}));
    assert!(exported["size"].as_u64().is_some_and(|size| size > 1000), "{exported}");
    let workers = children(place.daemon_pid());
    assert!(!workers.is_empty());
    let is_root = status_of("self", "Uid").starts_with("0\t");
    for worker in workers {
        assert_eq!(status_of(&worker, "Seccomp"), "2", "a filter holds");
        assert_eq!(status_of(&worker, "NoNewPrivs"), "1");
        if is_root {
            assert_eq!(status_of(&worker, "Uid"), "65534\t65534\t65534\t65534", "nobody, for ever");
            assert_eq!(status_of(&worker, "CapEff"), format!("{:016x}", 1 << 1), "files, and nothing else");
            assert_eq!(status_of(&worker, "CapPrm"), status_of(&worker, "CapEff"));
        }
        let environment = std::fs::read(format!("/proc/{worker}/environ")).unwrap_or_default();
        let environment = String::from_utf8_lossy(&environment);
        assert!(!environment.contains("PENSAER_DATA_DIR"), "{environment}");
        // an open socket to anywhere but its clients and its parent is one too many
        let sockets = Command::new("ls").args(["-l", &format!("/proc/{worker}/fd")]).output().unwrap();
        assert!(String::from_utf8_lossy(&sockets.stdout).matches("socket:").count() < 40);
    }
}

#[test]
fn control_groups_of_workers_are_gone_with_them() {
    let place = Place::new();
    let mut agent = place.stdio();
    agent.done("create_project", &json!({"name": "House"}));
    let daemon = place.daemon_pid();
    let groups = || -> Vec<String> {
        let text = |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap_or_default();
        let text: String = children(daemon).iter().map(|worker| text(worker)).collect();
        let own = format!("/pensaer-{daemon}-");
        text.lines().filter(|line| line.contains(&own)).map(str::to_owned).collect()
    };
    let said = String::from_utf8_lossy(&place.run(&["exec", "--check"]).stdout).into_owned();
    assert_eq!(!groups().is_empty(), said.contains("control group"), "{said}");
    let folders: Vec<_> = groups()
        .iter()
        .filter_map(|line| Some((line.split(':').nth(1)?.to_owned(), line.split(':').nth(2)?.to_owned())))
        .map(|(controller, path)| format!("/sys/fs/cgroup/{controller}/{path}"))
        .collect();
    drop(agent);
    place.end_daemon();
    for folder in folders {
        assert!(!std::path::Path::new(&folder).exists(), "{folder} is left");
    }
}
