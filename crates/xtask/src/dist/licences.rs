//! The licences of what the program is made of, as their texts ask: those of the crates that are linked into it, of the packages that are
//! part of the viewer, and of the fonts. Texts that several works share stand once.

use super::Release;
use crate::shell::{cargo, output, root};
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A work of others: its name with the version, its licence as an expression, and the folder with its files.
struct Work {
    name: String,
    licence: String,
    folder: PathBuf,
}

/// Writes `THIRD-PARTY.txt` for the packages that hold the program.
pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let target = format!("{}-unknown-linux-gnu", release.program.machine.name);
    let metadata = output(cargo().args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        &target,
    ]))?;
    let mut works = linked(&serde_json::from_str(&metadata)?)?;
    works.extend(of_viewer()?);
    works.push(Work {
        name: "Noto fonts".into(),
        licence: "OFL-1.1".into(),
        folder: root().join("crates/paper/fonts"),
    });
    fs::write(release.licences(), told(&works)?)?;
    Ok(Vec::new())
}

/// The crates of others that are linked into the program.
fn linked(metadata: &Value) -> Result<Vec<Work>> {
    let nodes = metadata["resolve"]["nodes"].as_array().context("cargo metadata resolves nothing")?;
    let edges: BTreeMap<&str, &Value> =
        nodes.iter().filter_map(|node| Some((node["id"].as_str()?, &node["deps"]))).collect();
    let packages: BTreeMap<&str, &Value> = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let program =
        packages.iter().find(|(_, package)| package["name"] == "app" && package["source"].is_null());
    let mut rest: Vec<&str> = program.map(|(id, _)| *id).into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = rest.pop() {
        if seen.insert(id) {
            let used = edges.get(id).and_then(|deps| deps.as_array()).into_iter().flatten();
            rest.extend(used.filter(|dep| is_linked(dep)).filter_map(|dep| dep["pkg"].as_str()));
        }
    }
    let theirs = seen.iter().filter_map(|id| packages.get(id)).filter(|package| !package["source"].is_null());
    theirs
        .map(|package| {
            let text = |key: &str| package[key].as_str().unwrap_or_default();
            let manifest = Path::new(text("manifest_path"));
            Ok(Work {
                name: format!("{} {}", text("name"), text("version")),
                licence: text("license").to_owned(),
                folder: manifest.parent().context("a manifest in no folder")?.to_path_buf(),
            })
        })
        .collect()
}

/// True for a dependency that is neither for tests nor for build scripts alone.
fn is_linked(dependency: &Value) -> bool {
    dependency["dep_kinds"].as_array().into_iter().flatten().any(|kind| kind["kind"].is_null())
}

/// The packages that are part of the viewer.
fn of_viewer() -> Result<Vec<Work>> {
    let folder = root().join("viewer");
    let lock: Value = serde_json::from_str(&fs::read_to_string(folder.join("package-lock.json"))?)?;
    let packages = lock["packages"].as_object().context("viewer/package-lock.json lists no packages")?;
    let shipped = packages.iter().filter(|(path, package)| !path.is_empty() && package["dev"] != true);
    Ok(shipped
        .map(|(path, package)| Work {
            name: format!(
                "{} {}",
                path.trim_start_matches("node_modules/"),
                package["version"].as_str().unwrap_or_default()
            ),
            licence: package["license"].as_str().unwrap_or_default().to_owned(),
            folder: folder.join(path),
        })
        .collect())
}

/// The list of the works, and the texts with the works that each belongs to.
fn told(works: &[Work]) -> Result<String> {
    let mut text = String::from(
        "Pensaer is made of its own sources, under MIT or Apache-2.0, and of these works of others. Where a licence lets one choose, \
         the one that suits is chosen.\n\n",
    );
    let mut texts: BTreeMap<String, (String, Vec<&str>)> = BTreeMap::new();
    for work in works {
        writeln!(text, "{}: {}", work.name, work.licence)?;
        for file in licence_files(&work.folder)? {
            let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
            let found = String::from_utf8_lossy(&bytes).into_owned();
            let key = found.split_whitespace().collect::<Vec<_>>().join(" ");
            let holders = &mut texts.entry(key).or_insert_with(|| (found, Vec::new())).1;
            if !holders.contains(&work.name.as_str()) {
                holders.push(&work.name);
            }
        }
    }
    for (found, holders) in texts.values() {
        let line = "=".repeat(80);
        write!(text, "\n{line}\n{}\n{line}\n\n{}\n", holders.join(", "), found.trim_end())?;
    }
    Ok(text)
}

/// The files of a folder that hold licences and notices, by their names.
fn licence_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} is missing", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && is_licence(path))
        .collect();
    files.sort();
    Ok(files)
}

fn is_licence(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let begins = ["license", "licence", "copying", "copyright", "notice", "unlicense", "ofl"];
    begins.iter().any(|word| name.starts_with(word)) && path.extension().is_none_or(|end| end != "rs")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_linked_is_named_and_what_only_builds_or_tests_is_not() {
        let package = |name: &str, source: Option<&str>| {
            json!({"id": name, "name": name, "version": "1.0.0", "source": source, "license": "MIT",
                   "manifest_path": format!("/sources/{name}/Cargo.toml")})
        };
        let dependency = |name: &str, kind: Option<&str>| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [package("app", None), package("ours", None), package("linked", Some("registry")),
                         package("below", Some("registry")), package("cc", Some("registry")), package("proptest", Some("registry"))],
            "resolve": {"nodes": [
                {"id": "app", "deps": [dependency("ours", None), dependency("proptest", Some("dev"))]},
                {"id": "ours", "deps": [dependency("linked", None), dependency("cc", Some("build"))]},
                {"id": "linked", "deps": [dependency("below", None)]},
            ]}
        });
        let names: Vec<String> = linked(&metadata).unwrap().into_iter().map(|work| work.name).collect();
        assert_eq!(names, ["below 1.0.0", "linked 1.0.0"]);
    }

    #[test]
    fn a_text_that_works_share_stands_once() {
        let folder = tempfile::tempdir().unwrap();
        let work = |name: &str, text: &str| {
            let own = folder.path().join(name);
            fs::create_dir(&own).unwrap();
            fs::write(own.join("LICENSE-MIT"), text).unwrap();
            fs::write(own.join("license.rs"), "code").unwrap();
            Work { name: name.to_owned(), licence: "MIT".to_owned(), folder: own }
        };
        let works =
            [work("a", "Permission\nis granted"), work("b", "Permission is\n granted\n"), work("c", "Other")];
        let text = told(&works).unwrap();
        assert_eq!(text.matches("Permission").count(), 1);
        assert!(text.contains("\na, b\n") && text.contains("\nc\n") && !text.contains("code"));
    }
}
