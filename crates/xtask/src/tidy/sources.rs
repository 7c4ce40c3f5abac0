//! Checks on the text of one file.

use crate::shell::root;

/// Lines beyond which a file is mentioned; tables and generated code may be long.
const LONG: usize = 600;

/// True if a file of this name is text that is checked.
pub fn is_text(name: &str) -> bool {
    let name = name.to_lowercase();
    [".rs", ".ts", ".mjs", ".js", ".py", ".md", ".toml", ".json", ".html", ".css", ".sh", ".txt"]
        .iter()
        .any(|end| name.ends_with(end))
        || name == ".ci/run"
}

/// Finds the faults of a file; `name` is relative to the root.
pub fn check(name: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let mut find = |what: String| findings.push(format!("{name}: {what}"));
    if !has_header(name, text) {
        find("starts with no header; say first what the file is for and what it refuses to do".into());
    }
    for line in shipped_code(name, text) {
        if line.contains(concat!("Command", "::new(")) && !name.starts_with("crates/exec/src/sandbox") {
            find(format!("starts a program (`{}`); only exec::sandbox does that", line.trim()));
        }
        if line.contains(concat!("json", "rpc")) && !name.starts_with("crates/mcp/") {
            find(format!("speaks JSON-RPC (`{}`); only mcp does that", line.trim()));
        }
    }
    if let Some(line) = looks_for_what_tests_need(name, text) {
        find(format!(
            "looks by itself for what tests need (`{}`); ask the crate `testing` for it",
            line.trim()
        ));
    }
    let may_read_docs = ["crates/app/", "crates/xtask/"].iter().any(|folder| name.starts_with(folder));
    let reads_docs = |line: &str| line.contains(concat!("../../do", "cs/")) && !line.contains("include_");
    if ends(name, "rs") && !may_read_docs && text.lines().any(reads_docs) {
        find("reads docs; tests of `app` do that, all others are not run again when docs change".into());
    }
    if ends(name, "rs") {
        for line in
            first_lines_of_docs(text).filter(|line| SAYS_NOTHING.iter().any(|word| line.starts_with(word)))
        {
            find(format!(
                "a comment begins `{line}`; say what the thing is (`The axis …`) or does (`Returns …`)"
            ));
        }
        if text
            .lines()
            .any(|line| line.contains(concat!("fn ", "of(")) || line.contains(concat!("fn ", "of<")))
        {
            find(
                "has a function that is only named `of`; a verb, `new` or `from_…` says what it does".into(),
            );
        }
    }
    if is_tool_file(name) {
        let tools = text.matches("pub fn tool()").count();
        if tools != 1 {
            find(format!("holds {tools} tools; a tool file holds one `pub fn tool()`"));
        }
    }
    for line in text.lines() {
        if let Some(path) = machine_path(line) {
            find(format!("names a path of somebody's machine: {path}"));
        }
    }
    findings
}

/// A word on a file that has grown long.
pub fn notice_length(name: &str, text: &str) -> Option<String> {
    let is_code = [".rs", ".ts", ".py", ".mjs"].iter().any(|end| name.ends_with(end));
    let lines = text.lines().count();
    let exempt = name.contains("/schema/") || is_test(name) || name.ends_with(".d.ts");
    (is_code && !exempt && lines > LONG)
        .then(|| format!("{name} has {lines} lines; would two files read better?"))
}

fn has_header(name: &str, text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("#!"));
    let first = lines.next().unwrap_or_default().trim_start();
    match name.rsplit('.').next() {
        // the tests of a module stand beside it, under its header
        Some("rs" | "ts") if is_test(name) => true,
        Some("rs") => first.starts_with("//!"),
        Some("ts" | "mjs") => first.starts_with("//") || first.starts_with("/*"),
        Some("py") => first.starts_with("\"\"\""),
        _ => true,
    }
}

fn ends(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| end == extension)
}

fn is_test(name: &str) -> bool {
    name.ends_with("_tests.rs")
        || name
            .split('/')
            .any(|part| matches!(part, "test" | "tests" | "tests.rs" | "benches" | "fuzz" | "examples"))
}

/// The lines of a shipped crate that are neither tests nor comments; none for other files.
fn shipped_code<'a>(name: &str, text: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
    let shipped = name.starts_with("crates/")
        && ends(name, "rs")
        && name.contains("/src/")
        && !name.starts_with("crates/xtask/")
        && !is_test(name);
    let code = text.split("#[cfg(test)]\nmod ").next().filter(|_| shipped).unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// Beginnings of doc comments that put off saying what the thing is.
const SAYS_NOTHING: [&str; 3] = ["What ", "Whether ", "As above"];

/// The first line of each doc comment on an item.
fn first_lines_of_docs(text: &str) -> impl Iterator<Item = &str> {
    let doc = |line: &'_ str| -> bool { line.trim_start().starts_with("///") };
    let before = std::iter::once("").chain(text.lines());
    let pairs = before.zip(text.lines()).filter(move |(before, line)| doc(line) && !doc(before));
    pairs.map(|(_, line)| line.trim_start().trim_start_matches('/').trim_start())
}

/// The first line of a crate's file that looks for test data or for a program that the set-up installs. The crate `testing` does,
/// and the tasks, which set and pass on the variables.
fn looks_for_what_tests_need<'a>(name: &str, text: &'a str) -> Option<&'a str> {
    let words = [
        concat!("PENSAER_TEST_", "DATA\""),
        concat!("PENSAER_TEST_", "ENERGYPLUS\""),
        concat!("PENSAER_TEST_", "PROTOTYPES\""),
        concat!("PENSAER_TEST_", "SCHEMAS\""),
        concat!("PENSAER_TEST_", "OPENSTUDIO\""),
        concat!("PENSAER_TEST_", "S3\""),
        concat!("shared/", "data"),
        concat!(".to", "ols/"),
        concat!("\"skip", "ped:"),
    ];
    let is_free = !name.starts_with("crates/")
        || !ends(name, "rs")
        || name.starts_with("crates/testing/")
        || name.starts_with("crates/xtask/");
    text.lines().filter(|_| !is_free).find(|line| words.iter().any(|word| line.contains(word)))
}

/// `crates/tools/src/<server>/<tool>.rs`.
fn is_tool_file(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("crates/tools/src/") else { return false };
    let mut parts = rest.split('/');
    let (server, file) = (parts.next(), parts.next());
    // a folder with a `mod.rs` is a module of its own
    let is_module =
        server.is_some_and(|server| root().join("crates/tools/src").join(server).join("mod.rs").exists());
    parts.next().is_none()
        && !is_module
        && file.is_some_and(|file| ends(file, "rs") && file != "mod.rs" && file != "tests.rs")
}

/// A home or work folder in a text, spelt here in two parts so that this file does not find itself.
fn machine_path(line: &str) -> Option<&str> {
    let roots = [
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("/wo", "rk/"),
        concat!("/Us", "ers/"),
        concat!(":\\Us", "ers\\"),
    ];
    for root in roots {
        for (at, _) in line.match_indices(root) {
            let before = line[..at].chars().next_back();
            // only where a path begins: not `./work/`, not `example.org/home/`
            let begins = before
                .is_none_or(|c| !(c.is_alphanumeric() || ".-_~}$>".contains(c)) || root.starts_with(':'));
            // `<you>` or `…` after it is a pattern for the reader
            let after = line[at + root.len()..].chars().next();
            if begins
                && after.is_some_and(|c| c.is_alphanumeric() || c == '.')
                && !line[at + root.len()..].starts_with("you")
            {
                return line[at..].split([' ', '"', '\'', '`', ')']).next();
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(name: &str, text: &str) -> String {
        check(name, text).join("\n")
    }

    #[test]
    fn a_file_opens_with_what_it_is_for() {
        assert!(findings("crates/ifc/src/guid.rs", "use std::fmt;\n").contains("no header"));
        assert_eq!(findings("crates/ifc/src/guid.rs", "//! GlobalIds.\nuse std::fmt;\n"), "");
        assert!(findings("tests/python/x.py", "import os\n").contains("no header"));
        assert_eq!(findings("tests/python/x.py", "#!/usr/bin/env python3\n\"\"\"Checks.\"\"\"\n"), "");
    }

    #[test]
    fn only_the_sandbox_starts_programs() {
        let code = concat!("//! x\nfn f() { Command", "::new(\"ls\"); }\n");
        assert!(findings("crates/app/src/daemon.rs", code).contains("only exec::sandbox"));
        assert_eq!(findings("crates/exec/src/sandbox/spawn.rs", code), "");
        assert_eq!(findings("crates/app/tests/it/main.rs", code), "");
        let tested = concat!("//! x\n#[cfg(test)]\nmod tests { fn f() { Command", "::new(\"ls\"); } }\n");
        assert_eq!(findings("crates/app/src/daemon.rs", tested), "");
    }

    #[test]
    fn doc_comments_say_what_the_thing_is() {
        let with = |doc: &str| findings("crates/ifc/src/a.rs", &format!("//! x\n{doc}\nfn f() {{}}\n"));
        assert!(with("/// What is wrong.").contains("begins `What is wrong.`"));
        assert!(with("    /// Whether it is.").contains("Whether it is"));
        assert!(with("/// As above.").contains("As above"));
        assert_eq!(with("/// The fault.\n/// What it is for follows."), "");
        assert_eq!(with("/// Whatever comes is kept."), "");
        assert_eq!(with("// What is not documentation."), "");
    }

    #[test]
    fn a_function_has_a_name() {
        for name in ["of(", "of<T>("] {
            let code = format!("//! x\nimpl A {{ pub fn {name}model: T) {{}} }}\n");
            assert!(findings("crates/ifc/src/a.rs", &code).contains("only named `of`"), "{code}");
        }
        assert_eq!(findings("crates/ifc/src/a.rs", "//! x\nfn of_one(model: T) {}\n"), "");
    }

    #[test]
    fn tests_ask_one_crate_for_data_and_programs() {
        let code = concat!("//! x\nfn f() { std::env::var_os(\"PENSAER_TEST_", "DATA\"); }\n");
        assert!(findings("crates/ifc/src/tests.rs", code).contains("ask the crate `testing`"));
        assert_eq!(findings("crates/testing/src/lib.rs", code), "");
        assert_eq!(findings("crates/ifc/src/tests.rs", "//! x\nfn f() { testing::data(\"spf\"); }\n"), "");
    }

    #[test]
    fn a_tool_file_holds_one_tool() {
        let two = "//! x\npub fn tool() {}\nmod b { pub fn tool() {} }\n";
        assert!(findings("crates/tools/src/model/undo.rs", two).contains("holds 2 tools"));
        assert!(findings("crates/tools/src/model/undo.rs", "//! x\n").contains("holds 0 tools"));
        assert_eq!(findings("crates/tools/src/rows.rs", "//! x\n"), "");
    }

    #[test]
    fn docs_are_read_by_one_package() {
        let reads = format!("//! x\nconst A: &str = \"{}tools.md\";\n", concat!("../../do", "cs/"));
        assert!(findings("crates/ifc/src/a.rs", &reads).contains("reads docs"));
        assert_eq!(findings("crates/app/src/a.rs", &reads), "");
    }

    #[test]
    fn paths_of_a_machine_are_found_and_patterns_are_not() {
        let home = concat!("/ho", "me/");
        assert!(findings("README.md", &format!("see {home}ann/model.ifc")).contains("somebody's machine"));
        assert_eq!(findings("README.md", &format!("see {home}<you>/model.ifc and example.org{home}x")), "");
    }

    #[test]
    fn only_code_is_told_that_it_is_long() {
        let long = "x\n".repeat(LONG + 1);
        assert!(notice_length("crates/ifc/src/a.rs", &long).is_some());
        assert!(notice_length("Cargo.lock", &long).is_none());
        assert!(notice_length("crates/ifc/src/schema/ifc4.rs", &long).is_none());
    }
}
