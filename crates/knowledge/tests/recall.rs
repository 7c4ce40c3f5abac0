//! How many of the questions in questions.json find one of their sections among the first five, by words alone, over the corpora that this
//! crate makes itself. The questions were written from the sources of the sections before the index was; those of held_out.json are asked
//! with `PENSAER_HELD_OUT=1` only, so that nobody tunes to them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

use knowledge::corpora::{guides, ids, ifc};
use knowledge::{Filter, Index};
use serde_json::Value;
use std::path::Path;

/// The corpora of the sections here.
const CORPORA: [&str; 3] = ["ifc", "ids", "guides"];
/// The least share; it grows with the index.
const LEAST: f64 = 0.68;

fn index() -> Index {
    let mut sections = ifc::sections();
    sections.extend(ids::sections());
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (folder, prefix) in [(docs.clone(), ""), (docs.join("tasks"), "tasks/")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            // the tools have a corpus of their own
            if path.extension().is_some_and(|extension| extension == "md") && name != "tools" {
                sections.extend(guides::guide(
                    &format!("{prefix}{name}"),
                    &std::fs::read_to_string(path).unwrap(),
                ));
            }
        }
    }
    Index::in_memory(sections).unwrap()
}

/// Asked and found, and what was not.
fn asked(index: &Index, file: &str) -> (usize, usize, Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    let questions: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let (mut asked, mut found, mut missed) = (0, 0, Vec::new());
    for question in &questions {
        if !CORPORA.contains(&question["corpus"].as_str().unwrap()) {
            continue;
        }
        asked += 1;
        let text = question["question"].as_str().unwrap();
        let answer = index.search(text, &Filter::default(), 5).unwrap();
        let wanted = question["sections"].as_array().unwrap();
        if answer.hits.iter().any(|hit| wanted.iter().any(|location| location == hit.location.as_str())) {
            found += 1;
        } else {
            missed.push(format!("{text} {wanted:?}"));
        }
    }
    (asked, found, missed)
}

#[test]
fn most_questions_find_their_section_among_five() {
    let index = index();
    let held_out = std::env::var_os("PENSAER_HELD_OUT").is_some();
    for file in if held_out { ["questions.json", "held_out.json"].as_slice() } else { &["questions.json"] } {
        let (asked, found, missed) = asked(&index, file);
        let share = found as f64 / asked as f64;
        eprintln!("{file}: {found} of {asked} ({share:.3})\n  {}", missed.join("\n  "));
        assert!(asked > 30 && share >= LEAST, "{file}: {found} of {asked}");
    }
}
