//! Configurations of clients by example: what is entered, what stays, what is not touched.

use super::known::{CLIENTS, Client, Entry, Folders, Form, Scope, Started};
use super::written::{Entered, enter, snippet};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn server() -> Started {
    let variables = vec![("PENSAER_DATA_DIR".to_owned(), "/data with \"quotes\"".to_owned())];
    Started { program: "/opt/pensaer".into(), arguments: vec!["mcp".into(), "geometry".into()], variables }
}

fn folders(root: &Path) -> Folders {
    let at = |name: &str| root.join(name);
    Folders {
        home: at("home"),
        settings: at("settings"),
        project: at("project"),
        programs: Some(at("bin").into()),
    }
}

fn json_of(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn every_client_gets_a_file_that_starts_the_server_and_a_second_time_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let every = |client: Client| {
        let files = [Scope::User, Scope::Project].map(|scope| client.file(scope, &folders(root.path())));
        files.into_iter().flatten().map(move |file| (client, file))
    };
    for (client, file) in CLIENTS.into_iter().flat_map(every) {
        assert_eq!(enter(&file, client.form, &server()).unwrap(), Entered::New, "{}", client.name);
        assert_eq!(enter(&file, client.form, &server()).unwrap(), Entered::AsBefore, "{}", client.name);
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text, snippet(client.form, &server()).unwrap(), "{}", client.name);
        let (program, variable) = match client.form {
            Form::Json { member, entry } => {
                let entered = &json_of(&file)[member]["pensaer"];
                match entry {
                    Entry::CommandList => {
                        (entered["command"][0].clone(), entered["environment"]["PENSAER_DATA_DIR"].clone())
                    }
                    Entry::Plain | Entry::Typed => {
                        assert_eq!(entered["args"], json!(["mcp", "geometry"]));
                        assert_eq!(entered.get("type").is_some(), entry == Entry::Typed, "{}", client.name);
                        (entered["command"].clone(), entered["env"]["PENSAER_DATA_DIR"].clone())
                    }
                }
            }
            Form::Toml(table) => {
                let whole: toml::Table = text.parse().unwrap();
                let entered = &whole[table]["pensaer"];
                (json!(entered["command"].as_str()), json!(entered["env"]["PENSAER_DATA_DIR"].as_str()))
            }
            Form::Section => {
                assert!(text.contains("`create_building`"));
                continue;
            }
            Form::Yaml => {
                let after = |key: &str| {
                    let line = text.lines().find_map(|line| line.trim().strip_prefix(key)).unwrap();
                    serde_json::from_str::<Value>(line).unwrap()
                };
                (after("command: "), after("PENSAER_DATA_DIR: "))
            }
        };
        assert_eq!(
            (program, variable),
            (json!("/opt/pensaer"), json!("/data with \"quotes\"")),
            "{}",
            client.name
        );
    }
}

#[test]
fn other_servers_and_settings_stay_and_the_file_of_before_is_kept() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("mcp.json");
    let form = Client::from_name("cursor").unwrap().form;
    let before = r#"{"theme": "dark", "mcpServers": {"other": {"command": "other"}, "pensaer": {"command": "old"}}, "z": 1}"#;
    fs::write(&file, before).unwrap();
    let Entered::Changed(kept) = enter(&file, form, &server()).unwrap() else { panic!("changed") };
    assert_eq!(fs::read_to_string(&kept).unwrap(), before);
    let after = json_of(&file);
    let order: Vec<&String> = after.as_object().unwrap().keys().collect();
    assert_eq!(order, ["theme", "mcpServers", "z"]);
    assert_eq!(after["mcpServers"]["other"], json!({"command": "other"}));
    assert_eq!(after["mcpServers"]["pensaer"]["command"], "/opt/pensaer");
    // a second change keeps both
    let other = Started { arguments: vec!["mcp".into()], ..server() };
    let Entered::Changed(second) = enter(&file, form, &other).unwrap() else { panic!("changed") };
    assert_ne!(kept, second);
    assert_eq!(fs::read_to_string(&kept).unwrap(), before);

    let file = root.path().join("config.toml");
    let form = Client::from_name("codex").unwrap().form;
    let before = "# mine\nmodel = \"x\"\n\n[mcp_servers.other]\ncommand = \"other\" # stays";
    fs::write(&file, before).unwrap();
    assert!(matches!(enter(&file, form, &server()).unwrap(), Entered::Changed(_)));
    let after = fs::read_to_string(&file).unwrap();
    assert!(after.starts_with(before), "{after}");
    assert_eq!(after.parse::<toml::Table>().unwrap()["mcp_servers"].as_table().unwrap().len(), 2);
}

#[test]
fn what_cannot_be_read_or_would_lose_something_is_left_as_it_is() {
    let root = tempfile::tempdir().unwrap();
    for (client, before, word) in [
        ("zed", "{ // my settings\n  \"theme\": \"One\" }", "comments"),
        ("cursor", "[]", "no JSON object"),
        ("cursor", "{\"mcpServers\": []}", "`mcpServers` is no JSON object"),
        ("codex", "[mcp_servers.pensaer]\ncommand = \"mine\"\n", "another [mcp_servers.pensaer]"),
        ("codex", "mcp_servers = { other = { command = \"a\" } }\n", "written in one line"),
        ("codex", "a = = 1", "TOML"),
    ] {
        let file = root.path().join(client);
        fs::write(&file, before).unwrap();
        let error =
            format!("{:#}", enter(&file, Client::from_name(client).unwrap().form, &server()).unwrap_err());
        assert!(error.contains(word) && error.contains("left as it is"), "{client}: {error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), before);
        fs::remove_file(&file).unwrap();
    }
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0, "no backup of what was not changed");
}

#[test]
fn the_section_for_coding_agents_is_renewed_in_its_place() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("AGENTS.md");
    fs::write(&file, "# Rules\n\n<!-- pensaer: begin -->\nold\n<!-- pensaer: end -->\n\n## More").unwrap();
    assert!(matches!(enter(&file, Form::Section, &server()).unwrap(), Entered::Changed(_)));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# Rules\n\n<!-- pensaer: begin -->\n## Building models"), "{text}");
    assert!(text.ends_with("<!-- pensaer: end -->\n\n## More") && !text.contains("old"), "{text}");
    assert_eq!(enter(&file, Form::Section, &server()).unwrap(), Entered::AsBefore);
    fs::write(&file, "<!-- pensaer: begin -->\nno end").unwrap();
    assert!(enter(&file, Form::Section, &server()).is_err());
}

#[cfg(unix)]
#[test]
fn a_configuration_behind_a_link_stays_behind_it_with_its_rights() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = tempfile::tempdir().unwrap();
    let (real, link) = (root.path().join("dotfiles.json"), root.path().join("mcp.json"));
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    enter(&link, Client::from_name("cursor").unwrap().form, &server()).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(json_of(&real)["mcpServers"]["pensaer"]["command"], "/opt/pensaer");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn clients_are_found_by_their_programs_and_by_the_folders_that_only_they_make() {
    let root = tempfile::tempdir().unwrap();
    let folders = folders(root.path());
    let here = |name: &str| Client::from_name(name).unwrap().is_here(&folders);
    assert!(CLIENTS.iter().all(|client| !client.is_here(&folders)));
    fs::create_dir_all(folders.home.join(".cursor")).unwrap();
    fs::create_dir_all(folders.settings.join("Claude")).unwrap();
    assert!(here("cursor") && here("claude-desktop") && !here("vscode"));
    // an extension's folder lies within the editor's, which says nothing about the extension
    fs::create_dir_all(folders.settings.join("Code/User/globalStorage")).unwrap();
    fs::create_dir_all(folders.home.join(".config")).unwrap();
    assert!(here("vscode") && !here("cline") && !here("roo") && !here("opencode"));
    assert_eq!(Client::from_name("notepad"), None);
}

#[cfg(unix)]
#[test]
fn a_program_on_the_search_path_is_a_client_that_is_here() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = tempfile::tempdir().unwrap();
    let folders = folders(root.path());
    let claude = Client::from_name("claude-code").unwrap();
    let program = root.path().join("bin/claude");
    fs::create_dir_all(root.path().join("bin")).unwrap();
    fs::write(&program, "#!/bin/sh\n").unwrap();
    assert!(!claude.is_here(&folders), "a file that cannot be run is no program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(claude.is_here(&folders));
}
