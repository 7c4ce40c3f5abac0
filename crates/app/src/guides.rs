//! The guides in `docs/`, which are part of the program so that agents find and read them.

use std::path::PathBuf;
use std::sync::Arc;

macro_rules! guides {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../docs/", $name, ".md")))),*]
    };
}

/// Every guide by its name, with its text in Markdown. The tools' reference is none: tools are read as such.
const GUIDES: &[(&str, &str)] = guides![
    "adapters",
    "authoring",
    "checks",
    "dependencies",
    "development",
    "drawings",
    "energy-from-ifc",
    "energy-models",
    "energy-results",
    "evaluation",
    "exchange-views",
    "exchange",
    "geometry",
    "image-tracing",
    "issues",
    "knowledge",
    "operations",
    "packages",
    "plans",
    "protocol",
    "queries",
    "run_code",
    "schedules",
    "security",
    "settings",
    "severities",
    "simulation",
    "spatial",
    "validation",
    "versions",
    "viewer",
    "views",
    "weather",
    "tasks/README",
    "tasks/ask-questions",
    "tasks/change-a-wall",
    "tasks/check-before-handover",
    "tasks/clashes-to-bcf",
    "tasks/compare-versions",
    "tasks/design-from-a-brief",
    "tasks/door-schedule",
    "tasks/drawing-set",
    "tasks/egress-and-accessibility",
    "tasks/energy-model",
    "tasks/fire-ratings-of-doors",
    "tasks/quantities-and-areas",
    "tasks/resize-doors-and-windows",
    "tasks/rooms-and-areas",
    "tasks/set-up",
    "tasks/work-with-several-agents",
];

/// The documentation, with the indexes that a folder keeps.
pub(crate) fn library(indexes: Option<PathBuf>) -> Arc<tools::Library> {
    Arc::new(tools::Library::new(indexes, GUIDES))
}

#[cfg(test)]
mod tests {
    use super::GUIDES;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_guide_is_part_of_the_program() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let mut there = BTreeSet::new();
        for (folder, beginning) in [(docs.clone(), ""), (docs.join("tasks"), "tasks/")] {
            for entry in std::fs::read_dir(folder).unwrap() {
                let name = entry.unwrap().file_name().to_string_lossy().into_owned();
                there.extend(name.strip_suffix(".md").map(|name| format!("{beginning}{name}")));
            }
        }
        assert!(there.remove("tools"));
        let known: BTreeSet<String> = GUIDES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(known, there);
        assert!(GUIDES.iter().all(|(_, text)| text.starts_with("# ")));
    }
}
