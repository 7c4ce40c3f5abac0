//! Checks on files that belong together: an adapter and the suite that it passes, a fuzz target and the test that runs it on its
//! seeds, an evaluation case and its trace.

/// A file of the tree: its name relative to the root, and its text.
pub type Source = (String, String);

/// Finds files that lack the one that belongs to them.
pub fn check(files: &[Source]) -> Vec<String> {
    let mut findings = adapters(files);
    findings.extend(fuzz_targets(files));
    findings.extend(evaluation_cases(files));
    findings
}

/// Crates with an adapter that does not run the conformance suite.
fn adapters(files: &[Source]) -> Vec<String> {
    let of_crate =
        |name: &str| name.strip_prefix("crates/")?.split_once("/src/").map(|(name, _)| name.to_owned());
    let has = |name: &str, words: &str| {
        files.iter().any(|(file, text)| of_crate(file).as_deref() == Some(name) && text.contains(words))
    };
    let mut names: Vec<String> = files
        .iter()
        .filter_map(|(name, _)| of_crate(name))
        .filter(|name| name.starts_with("exec-"))
        .collect();
    names.sort();
    names.dedup();
    names.retain(|name| has(name, "impl Adapter for ") && !has(name, "exec::conformance"));
    let finding =
        |name| format!("crates/{name} has an adapter and no test that runs exec::conformance against it");
    names.into_iter().map(finding).collect()
}

/// Fuzz targets whose work stands in no module, or is not run on seeds by a test.
fn fuzz_targets(files: &[Source]) -> Vec<String> {
    let text = |wanted: &str| files.iter().find(|(name, _)| name == wanted).map(|(_, text)| text.as_str());
    let mut findings = Vec::new();
    for (name, _) in files {
        let Some((folder, target)) = name.split_once("/fuzz/fuzz_targets/") else { continue };
        let target = target.trim_end_matches(".rs");
        if text(&format!("{folder}/fuzz/src/{target}.rs")).is_none() {
            findings.push(format!("{name}: what it does has to stand in {folder}/fuzz/src/{target}.rs"));
        }
        let tests = text(&format!("{folder}/tests/seeds.rs")).unwrap_or_default();
        if !tests.contains(&format!("targets::{target}::run")) {
            findings.push(format!(
                "{name}: no test in {folder}/tests/seeds.rs runs targets::{target}::run on seeds"
            ));
        }
    }
    findings
}

/// Evaluation cases without a trace that meets them.
fn evaluation_cases(files: &[Source]) -> Vec<String> {
    let cases = files.iter().filter_map(|(name, _)| name.strip_prefix("evals/cases/"));
    let has_trace =
        |case: &&str| files.iter().any(|(name, _)| name.strip_prefix("evals/traces/") == Some(*case));
    let finding = |case| format!("evals/cases/{case}: there is no evals/traces/{case} that meets it");
    cases.filter(|case| !has_trace(case)).map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<Source> = files.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
        check(&files)
    }

    #[test]
    fn an_adapter_without_the_suite_is_found() {
        let adapter = ("crates/exec-x/src/lib.rs", "impl Adapter for X {}");
        let suite = ("crates/exec-x/src/tests.rs", "exec::conformance::check(&host, &subject)");
        assert_eq!(findings(&[adapter, suite]), [""; 0]);
        let of_another = ("crates/exec-y/src/tests.rs", suite.1);
        let found = findings(&[adapter, of_another]);
        assert!(found.len() == 1 && found[0].contains("crates/exec-x has an adapter"), "{found:?}");
    }

    #[test]
    fn a_fuzz_target_has_its_work_in_a_module_that_a_test_runs() {
        let target = ("crates/ifc/fuzz/fuzz_targets/open.rs", "");
        let module = ("crates/ifc/fuzz/src/open.rs", "");
        let test = ("crates/ifc/tests/seeds.rs", "check(\"open\", targets::open::run)");
        assert_eq!(findings(&[target, module, test]), [""; 0]);
        assert_eq!(findings(&[target]).len(), 2);
        assert!(findings(&[target, module])[0].contains("no test in crates/ifc/tests/seeds.rs"));
    }

    #[test]
    fn a_case_has_a_trace() {
        let (case, trace) = (("evals/cases/house.json", "{}"), ("evals/traces/house.json", "{}"));
        assert_eq!(findings(&[case, trace]), [""; 0]);
        assert!(findings(&[case])[0].contains("no evals/traces/house.json"));
    }
}
