//! Who may import whom: `cargo metadata` against the table `| crate | may use |` of ARCHITECTURE.md, and the libraries
//! that only some crates may know.
//!
//! Ordinary and build dependencies count. Dev-dependencies do not: a test may use whatever shows the thing at work.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The table of ARCHITECTURE.md: crate → crates it may use.
pub struct Table(BTreeMap<String, Allowed>);

enum Allowed {
    All,
    These(BTreeSet<String>),
}

impl Table {
    /// Reads the first markdown table whose columns are `crate` and `may use` (others may stand beside them). A cell lists
    /// crates by comma; `all` allows every one; an empty cell, `–` or `nothing` allows none.
    pub fn parse(markdown: &str) -> Result<Self> {
        let cells = |line: &str| -> Vec<String> {
            let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
            inner.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
        };
        let mut lines = markdown.lines();
        let (mut name_at, mut use_at) = (None, None);
        for line in lines.by_ref().filter(|line| line.trim_start().starts_with('|')) {
            let head: Vec<String> = cells(line).iter().map(|cell| cell.to_lowercase()).collect();
            name_at = head.iter().position(|cell| cell == "crate");
            use_at = head.iter().position(|cell| cell == "may use");
            if name_at.is_some() && use_at.is_some() {
                break;
            }
        }
        let (Some(name_at), Some(use_at)) = (name_at, use_at) else {
            bail!("ARCHITECTURE.md has no table with the columns `crate` and `may use`");
        };
        let mut rows = BTreeMap::new();
        for line in lines.take_while(|line| line.trim_start().starts_with('|')) {
            let row = cells(line);
            let Some(name) = row.get(name_at).filter(|name| !name.is_empty() && !name.starts_with("--"))
            else {
                continue;
            };
            let may = row.get(use_at).map_or("", String::as_str);
            let allowed = match may.trim() {
                "all" | "all of them" => Allowed::All,
                "" | "-" | "–" | "—" | "nothing" => Allowed::These(BTreeSet::new()),
                list => {
                    Allowed::These(list.split(',').map(|n| n.trim().trim_matches('`').to_owned()).collect())
                }
            };
            rows.insert(name.clone(), allowed);
        }
        Ok(Self(rows))
    }

    /// Edges that the table forbids, crates that it leaves out, and rows that name no crate. The fuzz targets of a crate use that and
    /// what it may use, and stand in no row of their own.
    pub fn check(&self, graph: &Graph) -> Vec<String> {
        let mut findings = Vec::new();
        for name in graph.crates() {
            let tested = name.strip_suffix(FUZZ);
            let Some(allowed) = self.0.get(tested.unwrap_or(name)) else {
                findings.push(format!(
                    "crate {name} stands in no row of ARCHITECTURE.md's table; add it or merge it"
                ));
                continue;
            };
            for used in graph.ours(name) {
                let fine = match allowed {
                    Allowed::All => true,
                    Allowed::These(names) => names.contains(used) || tested == Some(used),
                };
                if !fine {
                    findings
                        .push(format!("{name} uses {used}, which ARCHITECTURE.md's table does not allow"));
                }
            }
        }
        for (name, allowed) in &self.0 {
            let none = BTreeSet::new();
            let used = if let Allowed::These(names) = allowed { names } else { &none };
            for unknown in std::iter::once(name).chain(used).filter(|name| !graph.direct.contains_key(*name))
            {
                findings.push(format!(
                    "ARCHITECTURE.md's table names {unknown}, which is no crate of the workspace"
                ));
            }
        }
        findings
    }
}

/// Dependencies as cargo sees them, by package name.
pub struct Graph {
    /// Of each workspace crate: its direct ordinary and build dependencies.
    direct: BTreeMap<String, BTreeSet<String>>,
    /// Of every package: the names that its ordinary dependencies resolve to.
    resolved: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Reads the answer of `cargo metadata --format-version 1`.
    pub fn from_metadata(metadata: &Value) -> Result<Self> {
        let list = |value: &'_ Value, key: &str| -> Result<Vec<Value>> {
            value
                .get(key)
                .and_then(Value::as_array)
                .cloned()
                .with_context(|| format!("cargo metadata has no {key}"))
        };
        let packages = list(metadata, "packages")?;
        let names: BTreeMap<String, String> =
            packages.iter().map(|package| (text(package, "id"), text(package, "name"))).collect();
        let members: BTreeSet<String> = list(metadata, "workspace_members")?
            .iter()
            .filter_map(|id| id.as_str().map(str::to_owned))
            .collect();
        let mut direct = BTreeMap::new();
        for package in packages.iter().filter(|package| members.contains(&text(package, "id"))) {
            let used = list(package, "dependencies")?
                .iter()
                .filter(|dependency| dependency.get("kind").and_then(Value::as_str) != Some("dev"))
                .map(|dependency| text(dependency, "name"))
                .collect();
            direct.insert(text(package, "name"), used);
        }
        let mut resolved: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let nodes = list(metadata.get("resolve").unwrap_or(&Value::Null), "nodes")?;
        for node in &nodes {
            let Some(name) = names.get(&text(node, "id")) else { continue };
            let used = resolved.entry(name.clone()).or_default();
            for dependency in list(node, "deps")? {
                let is_ordinary = list(&dependency, "dep_kinds")?
                    .iter()
                    .any(|kind| kind.get("kind").is_none_or(Value::is_null));
                if is_ordinary && let Some(name) = names.get(&text(&dependency, "pkg")) {
                    used.insert(name.clone());
                }
            }
        }
        Ok(Self { direct, resolved })
    }

    /// The workspace's crates.
    pub fn crates(&self) -> impl Iterator<Item = &str> {
        self.direct.keys().map(String::as_str)
    }

    /// The workspace crates that a crate uses directly.
    fn ours(&self, name: &str) -> impl Iterator<Item = &str> {
        let used = self.direct.get(name).into_iter().flatten().map(String::as_str);
        used.filter(|used| self.direct.contains_key(*used))
    }

    fn uses(&self, name: &str, library: &str) -> bool {
        self.direct.get(name).is_some_and(|used| used.contains(library))
    }

    /// Everything that ends up in a crate.
    fn reaches(&self, name: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut rest = vec![name];
        while let Some(name) = rest.pop() {
            for used in self.resolved.get(name).into_iter().flatten() {
                if reached.insert(used.as_str()) {
                    rest.push(used);
                }
            }
        }
        reached
    }
}

/// The suffix of a crate of fuzz targets, behind the name of the crate that they are for.
const FUZZ: &str = "-fuzz";
/// Crates that know buildings: model in, value out.
const PURE: [&str; 15] = [
    "paper",
    "documentation",
    "xml",
    "bcf",
    "validation",
    "ifc-schema",
    "ifc",
    "ifc-check",
    "ifc-compare",
    "ifc-convert",
    "geometry",
    "building",
    "energy",
    "thermal",
    "tools",
];
/// Libraries that they never reach, not even through another crate.
const RUNTIME: [&str; 10] = [
    "tokio",
    "axum",
    "hyper",
    "reqwest",
    "ureq",
    "rmcp",
    "rusqlite",
    "postgres",
    "tokio-postgres",
    "object_store",
];
/// Libraries that only the crates named may use directly.
const RESERVED: [(&str, &[&str]); 6] = [
    ("rmcp", &["mcp"]),
    ("rusqlite", &["store", "energy"]),
    ("postgres", &["store"]),
    ("tokio-postgres", &["store"]),
    ("object_store", &["store"]),
    ("monty", &["script"]),
];

/// Libraries where they must not be.
pub fn check_foreign(graph: &Graph) -> Vec<String> {
    let mut findings = Vec::new();
    for name in PURE.into_iter().filter(|name| graph.direct.contains_key(*name)) {
        let reached = graph.reaches(name);
        for library in RUNTIME.into_iter().filter(|library| reached.contains(library)) {
            // EnergyPlus writes its results as SQLite files, which energy alone reads (see RESERVED)
            let by_energy = name == "energy" || reached.contains("energy");
            if library != "rusqlite" || !by_energy {
                findings.push(format!(
                    "{name} reaches {library}; crates that know buildings know no runtime or database"
                ));
            }
        }
    }
    for (library, owners) in RESERVED {
        for name in graph.crates().filter(|name| !owners.contains(name) && graph.uses(name, library)) {
            findings.push(format!("{name} uses {library}, which is for {} alone", owners.join(" and ")));
        }
    }
    findings
}

/// Workspace crates without the licence of the workspace.
pub fn check_licences(metadata: &Value) -> Vec<String> {
    let packages = metadata.get("packages").and_then(Value::as_array).into_iter().flatten();
    packages
        .filter(|package| package.get("source").is_some_and(Value::is_null))
        .filter(|package| package.get("license").and_then(Value::as_str) != Some("MIT OR Apache-2.0"))
        .map(|package| format!("crate {} lacks `license.workspace = true`", text(package, "name")))
        .collect()
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A workspace with these edges, each ordinary.
    fn graph(edges: &[(&str, &[&str])]) -> Graph {
        let mut resolved = BTreeMap::new();
        for (name, used) in edges {
            resolved
                .insert((*name).to_owned(), used.iter().map(|n| (*n).to_owned()).collect::<BTreeSet<_>>());
        }
        let ours = |name: &&String| !RUNTIME.contains(&name.as_str());
        let direct = resolved.iter().filter(|(n, _)| ours(n)).map(|(n, u)| (n.clone(), u.clone())).collect();
        Graph { direct, resolved }
    }

    const TABLE: &str = "\
words | before\n\n| crate | what | may use |\n| --- | --- | --- |\n| `contract` | data | – |\n\
| service | the door | `exec`, contract |\n| exec | workers | contract |\n| app | root | all |\n\nafter\n";

    #[test]
    fn edges_along_the_arrows_are_fine() {
        let graph = graph(&[
            ("contract", &["serde"]),
            ("exec", &["contract"]),
            ("service", &["exec", "contract"]),
            ("app", &["service", "exec"]),
        ]);
        assert_eq!(Table::parse(TABLE).unwrap().check(&graph), Vec::<String>::new());
    }

    #[test]
    fn a_forbidden_edge_is_named_with_both_ends() {
        let graph = graph(&[("contract", &[]), ("exec", &["service"]), ("service", &[]), ("app", &[])]);
        let findings = Table::parse(TABLE).unwrap().check(&graph);
        assert_eq!(findings, ["exec uses service, which ARCHITECTURE.md's table does not allow"]);
    }

    #[test]
    fn fuzz_targets_use_their_crate_and_what_it_may_use() {
        let sound = ("exec-fuzz", &["exec", "contract"][..]);
        let others = [("contract", &[][..]), ("exec", &["contract"]), ("service", &[]), ("app", &[])];
        let check = |fuzz| Table::parse(TABLE).unwrap().check(&graph(&[&others[..], &[fuzz]].concat()));
        assert_eq!(check(sound), Vec::<String>::new());
        let findings = check(("exec-fuzz", &["exec", "service"]));
        assert_eq!(findings, ["exec-fuzz uses service, which ARCHITECTURE.md's table does not allow"]);
        assert!(check(("other-fuzz", &[]))[0].contains("stands in no row"));
    }

    #[test]
    fn a_crate_without_a_row_and_a_row_without_a_crate_are_found() {
        let graph = graph(&[("contract", &[]), ("exec", &[]), ("app", &[]), ("extra", &[])]);
        let findings = Table::parse(TABLE).unwrap().check(&graph).join("\n");
        assert!(findings.contains("crate extra stands in no row"), "{findings}");
        assert!(findings.contains("names service, which is no crate"), "{findings}");
    }

    #[test]
    fn a_text_without_the_table_is_refused() {
        assert!(Table::parse("| crate | what |\n| --- | --- |\n| ifc | kernel |\n").is_err());
    }

    #[test]
    fn a_runtime_that_comes_through_another_crate_is_found() {
        let graph = graph(&[("ifc", &["handy"]), ("handy", &["tokio"]), ("tokio", &[])]);
        let findings = check_foreign(&graph).join("\n");
        assert!(findings.contains("ifc reaches tokio"), "{findings}");
    }

    #[test]
    fn only_mcp_may_use_the_protocol_library() {
        let graph = graph(&[("mcp", &["rmcp"]), ("web", &["rmcp"])]);
        assert_eq!(check_foreign(&graph), ["web uses rmcp, which is for mcp alone"]);
    }

    #[test]
    fn dev_dependencies_do_not_count() {
        let metadata = json!({
            "packages": [
                {"id": "a", "name": "ifc", "source": null, "license": "MIT OR Apache-2.0",
                 "dependencies": [{"name": "tokio", "kind": "dev"}, {"name": "contract", "kind": null}]},
                {"id": "t", "name": "tokio", "source": "registry", "license": "MIT", "dependencies": []}],
            "workspace_members": ["a"],
            "resolve": {"nodes": [
                {"id": "a", "deps": [{"pkg": "t", "dep_kinds": [{"kind": "dev"}]}]}, {"id": "t", "deps": []}]}
        });
        let graph = Graph::from_metadata(&metadata).unwrap();
        assert_eq!(check_foreign(&graph), Vec::<String>::new());
        assert_eq!(check_licences(&metadata), Vec::<String>::new());
    }
}
