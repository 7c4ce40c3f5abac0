//! What the workspace may be built of: `cargo metadata` against `deny.toml`, which is written as cargo-deny reads it: licences, banned
//! crates, crates in several versions, and where they come from. Dependencies that no source file of a crate names are found,
//! too. Security advisories are not looked up: that needs a host outside.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The rules of `deny.toml`.
pub struct Policy {
    licences: BTreeSet<String>,
    /// Licences that are allowed for one crate alone.
    exceptions: BTreeMap<String, BTreeSet<String>>,
    /// Crates that must not be there, with the reason.
    banned: BTreeMap<String, String>,
    /// `name@version` of crates that may be there beside another version.
    doubled: BTreeSet<String>,
    registries: BTreeSet<String>,
}

impl Policy {
    /// Reads the text of `deny.toml`.
    pub fn parse(text: &str) -> Result<Self> {
        let file: toml::Value = toml::from_str(text).context("deny.toml cannot be read")?;
        let list = |section: &str, key: &str| -> Result<Vec<toml::Value>> {
            let found =
                file.get(section).and_then(|section| section.get(key)).and_then(toml::Value::as_array);
            Ok(found.with_context(|| format!("deny.toml has no {section}.{key}"))?.clone())
        };
        let mut policy = Self {
            licences: texts(&list("licenses", "allow")?),
            exceptions: BTreeMap::new(),
            banned: BTreeMap::new(),
            doubled: BTreeSet::new(),
            registries: texts(&list("sources", "allow-registry")?),
        };
        for entry in list("licenses", "exceptions")? {
            let allowed = entry.get("allow").and_then(toml::Value::as_array).map(|list| texts(list));
            policy.exceptions.insert(named(&entry)?, allowed.unwrap_or_default());
        }
        for entry in list("bans", "deny")? {
            policy.banned.insert(named(&entry)?, reason(&entry)?);
        }
        for entry in list("bans", "skip")? {
            reason(&entry)?;
            policy.doubled.insert(named(&entry)?);
        }
        Ok(policy)
    }

    /// Finds violations by the packages of a workspace, and entries of `deny.toml` that nothing needs any more.
    pub fn check(&self, metadata: &Value) -> Vec<String> {
        let packages = || metadata.get("packages").and_then(Value::as_array).into_iter().flatten();
        let mut findings = Vec::new();
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for package in packages() {
            let (name, version) = (text(package, "name"), text(package, "version"));
            versions.entry(name).or_default().insert(version);
            if let Some(reason) = self.banned.get(name) {
                findings.push(format!("{name} {version} is banned by deny.toml: {reason}"));
            }
            let Some(source) = package.get("source").and_then(Value::as_str) else { continue };
            if !source.strip_prefix("registry+").is_some_and(|source| self.registries.contains(source)) {
                findings
                    .push(format!("{name} {version} comes from {source}, which deny.toml does not allow"));
            }
            let licence = text(package, "license");
            let own = self.exceptions.get(name);
            let is_allowed =
                |one: &str| self.licences.contains(one) || own.is_some_and(|list| list.contains(one));
            if !is_satisfied(licence, &is_allowed) {
                findings.push(format!(
                    "{name} {version} has the licence `{licence}`, which deny.toml does not allow"
                ));
            }
        }
        for (name, found) in versions.iter().filter(|(_, found)| found.len() > 1) {
            let unexplained: Vec<&str> =
                found.iter().copied().filter(|v| !self.doubled.contains(&format!("{name}@{v}"))).collect();
            if unexplained.len() > 1 {
                findings.push(format!(
                    "{name} is there in the versions {}; let one do, or say in deny.toml why not",
                    unexplained.join(", ")
                ));
            }
        }
        let is_needed = |entry: &&String| {
            let (name, version) = entry.split_once('@').unwrap_or((entry, ""));
            versions.get(name).is_some_and(|found| found.len() > 1 && found.contains(version))
        };
        for entry in self.doubled.iter().filter(|entry| !is_needed(entry)) {
            findings.push(format!("deny.toml skips {entry}, which is not there beside another version"));
        }
        for name in self.exceptions.keys().filter(|name| !versions.contains_key(name.as_str())) {
            findings.push(format!("deny.toml has an exception for {name}, which is not there"));
        }
        findings
    }
}

/// Crates that may be named only by what the macros of others write.
const BY_MACROS: [&str; 1] = ["serde"];

/// Dependencies of the workspace's crates that no source file of the crate names.
pub fn check_unused(metadata: &Value) -> Vec<String> {
    let mut findings = Vec::new();
    let packages = metadata.get("packages").and_then(Value::as_array).into_iter().flatten();
    for package in packages.filter(|package| package.get("source").is_some_and(Value::is_null)) {
        let Some(folder) = Path::new(text(package, "manifest_path")).parent() else { continue };
        let mut words = BTreeSet::new();
        collect_words(folder, folder, &mut words);
        for dependency in package.get("dependencies").and_then(Value::as_array).into_iter().flatten() {
            let name = dependency.get("rename").and_then(Value::as_str).unwrap_or(text(dependency, "name"));
            if !BY_MACROS.contains(&name) && !words.contains(&name.replace('-', "_")) {
                findings.push(format!(
                    "{} does not use its dependency {name}; take it out",
                    text(package, "name")
                ));
            }
        }
    }
    findings
}

/// All identifiers in the Rust files below a folder, but for crates within it, and in files that they include by a path.
fn collect_words(folder: &Path, root: &Path, words: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") && !path.join("Cargo.toml").is_file() {
                collect_words(&path, root, words);
            }
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            for included in
                text.lines().filter_map(|line| line.strip_prefix("#[path = \"")?.strip_suffix("\"]"))
            {
                let included = folder.join(included);
                if !included.starts_with(root) || included.components().any(|part| part.as_os_str() == "..") {
                    insert_words(&fs::read_to_string(included).unwrap_or_default(), words);
                }
            }
            insert_words(&text, words);
        }
    }
}

fn insert_words(text: &str, words: &mut BTreeSet<String>) {
    let found = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    for word in found {
        if !words.contains(word) {
            words.insert(word.to_owned());
        }
    }
}

/// True if a licence expression (SPDX, and `/` for `OR` as older crates write) can be met with what is allowed.
fn is_satisfied(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    !words.is_empty() && either(&words, &mut at, is_allowed) && at == words.len()
}

fn either(words: &[&str], at: &mut usize, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut met = both(words, at, is_allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= both(words, at, is_allowed);
    }
    met
}

fn both(words: &[&str], at: &mut usize, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut met = single(words, at, is_allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= single(words, at, is_allowed);
    }
    met
}

fn single(words: &[&str], at: &mut usize, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let met = either(words, at, is_allowed);
        let closed = words.get(*at) == Some(&")");
        *at += 1;
        return met && closed;
    }
    if words.get(*at) == Some(&"WITH") {
        let exception = words.get(*at + 1).copied().unwrap_or_default();
        *at += 2;
        return is_allowed(&format!("{word} WITH {exception}"));
    }
    is_allowed(word)
}

fn texts(list: &[toml::Value]) -> BTreeSet<String> {
    list.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

fn named(entry: &toml::Value) -> Result<String> {
    let name = entry.get("crate").and_then(toml::Value::as_str);
    Ok(name.with_context(|| format!("an entry of deny.toml names no crate: {entry}"))?.to_owned())
}

fn reason(entry: &toml::Value) -> Result<String> {
    match entry.get("reason").and_then(toml::Value::as_str) {
        Some(reason) if !reason.is_empty() => Ok(reason.to_owned()),
        _ => bail!("an entry of deny.toml gives no reason: {entry}"),
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const RULES: &str = r#"
[licenses]
allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"]
exceptions = [{ crate = "roots", allow = ["CDLA-Permissive-2.0"] }]
[bans]
deny = [{ crate = "openssl", reason = "one library for TLS" }]
skip = [{ crate = "syn@2.0.0", reason = "still used by others" }]
[sources]
allow-registry = ["https://example.org/index"]
"#;

    fn package(name: &str, version: &str, licence: &str, source: &str) -> Value {
        json!({"name": name, "version": version, "license": licence, "source": source})
    }

    fn findings(more: &[Value]) -> String {
        let home = "registry+https://example.org/index";
        let mut packages = vec![
            package("roots", "1.0.0", "CDLA-Permissive-2.0", home),
            package("syn", "2.0.0", "MIT OR Apache-2.0", home),
            package("syn", "3.0.0", "MIT/Apache-2.0", home),
        ];
        packages.extend_from_slice(more);
        Policy::parse(RULES).unwrap().check(&json!({ "packages": packages })).join("\n")
    }

    #[test]
    fn what_the_policy_allows_passes_and_what_it_does_not_is_named() {
        let home = "registry+https://example.org/index";
        assert_eq!(findings(&[]), "");
        assert!(
            findings(&[package("copied", "1.0.0", "GPL-3.0", home)]).contains("has the licence `GPL-3.0`")
        );
        assert!(findings(&[package("other", "1.0.0", "CDLA-Permissive-2.0", home)]).contains("other 1.0.0"));
        assert!(findings(&[package("openssl", "1.0.0", "MIT", home)]).contains("one library for TLS"));
        assert!(
            findings(&[package("forked", "1.0.0", "MIT", "git+https://example.org/x")])
                .contains("comes from git")
        );
        assert!(findings(&[package("syn", "1.0.0", "MIT", home)]).contains("versions 1.0.0, 3.0.0"));
    }

    #[test]
    fn an_entry_that_nothing_needs_is_found() {
        let only =
            json!({"packages": [package("syn", "3.0.0", "MIT", "registry+https://example.org/index")]});
        let said = Policy::parse(RULES).unwrap().check(&only).join("\n");
        assert!(said.contains("skips syn@2.0.0") && said.contains("exception for roots"), "{said}");
    }

    #[test]
    fn an_exception_without_a_reason_is_refused() {
        assert!(Policy::parse(&RULES.replace("still used by others", "")).is_err());
    }

    #[test]
    fn licence_expressions_are_read_as_spdx_means_them() {
        let allowed = |name: &str| ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].contains(&name);
        for met in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT AND ISC",
            "(GPL-3.0 OR ISC) AND MIT",
            "Apache-2.0 WITH LLVM-exception",
            "GPL-3.0/MIT",
        ] {
            assert!(is_satisfied(met, &allowed), "{met}");
        }
        for unmet in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "GPL-3.0 OR Apache-2.0",
            "(GPL-3.0 OR ISC) AND GPL-3.0",
            "(MIT",
        ] {
            assert!(!is_satisfied(unmet, &allowed), "{unmet}");
        }
    }

    #[test]
    fn a_dependency_that_no_source_names_is_found() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/lib.rs"), "use tower_http::cors;\n").unwrap();
        let manifest = folder.path().join("Cargo.toml");
        let metadata = json!({"packages": [{"name": "web", "source": null, "manifest_path": manifest,
            "dependencies": [{"name": "tower-http"}, {"name": "tower"}]}]});
        assert_eq!(check_unused(&metadata), ["web does not use its dependency tower; take it out"]);
    }
}
