//! Every setting by every way, and what becomes of them together.

use super::declared::SETTINGS;
use super::source::Raw;
use super::*;
use clap::{Args as _, FromArgMatches as _};
use std::ffi::{OsStr, OsString};

/// A value for each setting, other than its default: as text, and as the settings file has it.
fn example(name: &str) -> (&'static str, &'static str) {
    match name {
        "listen" => ("127.0.0.1:9", "'127.0.0.1:9'"),
        "read_only" | "open_loopback" => ("true", "true"),
        "hosts" | "origins" | "write_dirs" => ("a.example,b.example", "['a.example', 'b.example']"),
        "model_backends" => ("House=native,Barn=other", "{ House = 'native', Barn = 'other' }"),
        "endpoints" => (
            "http://10.0.0.1:1,http://10.0.0.2:1",
            "[{url = 'http://10.0.0.1:1'}, {url = 'http://10.0.0.2:1'}]",
        ),
        _ => match SETTINGS.iter().find(|setting| setting.name == name).unwrap().value {
            "N" => ("7", "7"),
            _ => ("word", "'word'"),
        },
    }
}

fn flags(arguments: &[&str]) -> Result<Options, clap::Error> {
    let command = Options::augment_args(clap::Command::new("pensaer"));
    let matches = command.try_get_matches_from([&["pensaer"], arguments].concat())?;
    Options::from_arg_matches(&matches)
}

fn in_file(toml: &str) -> Result<Given> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pensaer.toml");
    std::fs::write(&path, toml).unwrap();
    Given::from_file(&path)
}

#[test]
fn every_setting_is_reached_by_flag_environment_file_and_default() {
    for setting in SETTINGS {
        let (text, toml) = example(setting.name);
        let mut expected = Given::default();
        expected.set(setting.name, Raw::Text(vec![OsStr::new(text)])).unwrap();
        assert_ne!(expected, Given::default(), "{}", setting.name);
        let by_flag = flags(&[&format!("--{}={text}", setting.flag)]).unwrap();
        assert_eq!(by_flag.0, expected, "--{}", setting.flag);
        let by_environment =
            Given::from_environment(|name| (name == setting.env).then(|| OsString::from(text)));
        assert_eq!(by_environment.unwrap(), expected, "{}", setting.env);
        if setting.key.is_empty() {
            // the file cannot name itself, and is no place for a client's key
            assert!(["config", "api_key"].contains(&setting.name), "{} stands in no file", setting.name);
        } else {
            let file = match setting.key.rsplit_once('.') {
                Some((table, key)) => format!("[{table}]\n{key} = {toml}\n"),
                None => format!("{} = {toml}\n", setting.key),
            };
            assert_eq!(in_file(&file).unwrap(), expected, "{file}");
        }
        let mut default = Given::default();
        if !setting.default.is_empty() {
            default.set(setting.name, Raw::Text(vec![OsStr::new(setting.default)])).unwrap();
            assert_ne!(default, expected, "the example of {} is its default", setting.name);
            let defaults = Given::defaults().unwrap();
            assert_eq!(defaults.clone(), default.over(defaults), "the default of {}", setting.name);
        }
    }
}

#[test]
fn settings_are_told_apart_by_each_of_their_names() {
    for name in [
        |one: &declared::Setting| one.flag,
        |one: &declared::Setting| one.env,
        |one: &declared::Setting| one.name,
    ] {
        let mut names: Vec<&str> = SETTINGS.iter().map(name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
    }
}

#[test]
fn the_reference_of_the_settings_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md");
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == reference::markdown(), "docs/settings.md is stale; `cargo xtask codegen` writes it");
}

#[test]
fn a_value_that_cannot_be_read_is_an_error_that_names_its_source() {
    let said = flags(&["--workers", "many"]).unwrap_err().to_string();
    assert!(said.contains("--workers") && said.contains("many"), "{said}");
    let said = Given::from_environment(|name| (name == "PENSAER_LISTEN").then(|| "here".into())).unwrap_err();
    assert!(said.to_string().contains("PENSAER_LISTEN"), "{said}");
    let said = format!("{:#}", in_file("workers = 'many'").unwrap_err());
    assert!(said.contains("workers") && said.contains("pensaer.toml"), "{said}");
    assert!(flags(&["--read-only"]).unwrap().0.read_only == Some(true));
}

fn load(toml: &str, more: &[&str]) -> Result<Settings> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pensaer.toml");
    std::fs::write(&path, toml).unwrap();
    let folder = folder.path().to_string_lossy().into_owned();
    let config = path.to_string_lossy().into_owned();
    Settings::load(&flags(&[&["--config", &config, "--data-dir", &folder], more].concat()).unwrap())
}

#[test]
fn flags_win_over_the_file_and_the_file_over_defaults() {
    let settings =
        load("listen = '127.0.0.1:2'\nworkers = 3\nread-only = true", &["--listen", "127.0.0.1:1"]).unwrap();
    assert_eq!((settings.listen.port(), settings.workers, settings.read_only), (1, 3, true));
    let settings = load("", &[]).unwrap();
    assert_eq!((settings.listen.to_string().as_str(), settings.workers), ("127.0.0.1:8420", 1));
}

#[test]
fn the_database_is_a_file_unless_an_address_is_given() {
    assert_eq!(load("", &[]).unwrap().db_url, None);
    let file = "db_url = 'postgresql://ada@db/one'";
    assert_eq!(load(file, &[]).unwrap().db_url.as_deref(), Some("postgresql://ada@db/one"));
    let settings = load(file, &["--db-url", "postgresql://ada@db/two"]).unwrap();
    assert_eq!(settings.db_url.as_deref(), Some("postgresql://ada@db/two"));
}

#[test]
fn an_unknown_setting_is_an_error_that_names_it() {
    for (file, name) in
        [("lisen = 1", "lisen"), ("[backends]\npyton = 'x'", "backends.pyton"), ("[exce]\nx = 1", "exce")]
    {
        let error = format!("{:#}", load(file, &[]).unwrap_err());
        assert!(error.contains(name) && error.contains("pensaer.toml"), "{error}");
    }
}

#[test]
fn execution_services_elsewhere_have_their_tokens_in_files_beside_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pensaer.toml");
    std::fs::write(folder.path().join("secret"), "abc\n").unwrap();
    std::fs::write(folder.path().join("shared"), "def\n").unwrap();
    let toml = "workers = 0\n[exec]\ntoken-file = 'shared'\n\
                endpoints = [{url = 'http://10.0.0.5:8421', token-file = 'secret'}]";
    std::fs::write(&path, toml).unwrap();
    let config = path.to_string_lossy().into_owned();
    let more = ["--config", &config, "--data-dir", &config, "--exec-endpoint", "http://10.0.0.6:8421"];
    let settings = Settings::load(&flags(&more).unwrap()).unwrap();
    let tokens: Vec<_> = settings.endpoints.iter().map(|endpoint| endpoint.token.as_deref()).collect();
    assert_eq!(tokens, [Some("def"), Some("abc")], "those of flags come first");
    assert_eq!(settings.workers, 0);
    assert_eq!(load("workers = 0", &[]).unwrap().workers, 1);
    let missing = "[exec]\nendpoints = [{url = 'http://10.0.0.5:8421', token-file = 'nowhere'}]";
    assert!(format!("{:#}", load(missing, &[]).unwrap_err()).contains("nowhere"));
}

#[test]
fn a_daemon_is_handed_all_but_the_key_of_its_client() {
    let settings =
        load("hosts = ['a.example']\n[backends.models]\nHouse = 'native'", &["--api-key", "k"]).unwrap();
    assert!(settings.api_key.is_some());
    let handed = serde_json::to_value(&settings).unwrap();
    let taken: Settings = serde_json::from_value(handed.clone()).unwrap();
    assert!(taken.api_key.is_none());
    assert_eq!(taken.backends.models["House"], "native");
    assert_eq!(serde_json::to_value(&taken).unwrap(), handed);
}

#[test]
fn a_network_is_only_served_under_names_that_were_said() {
    assert!(load("listen = '0.0.0.0:80'", &[]).unwrap().check_listen().is_err());
    let named = load("listen = '0.0.0.0:80'\nhosts = ['bim.example.org']", &[]).unwrap();
    assert!(named.check_listen().is_ok());
}
