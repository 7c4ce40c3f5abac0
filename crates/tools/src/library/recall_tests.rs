//! How many questions find one of their sections among the first five, over all corpora, by words alone and by meaning as well. The
//! questions were written from the sources of the sections before the index was; those of held_out.json are asked with
//! `PENSAER_HELD_OUT=1` only, so that nobody tunes to them.

use super::{Asked, EMBEDDINGS, Library, TOKENIZER, WEIGHTS, search};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The least share of questions that find their section by words: of those that everybody sees, and of those that are held out.
const BY_WORDS: [f64; 2] = [0.94, 0.88];
/// The same by words and meaning.
const JOINED: [f64; 2] = [0.94, 0.88];

/// The guides of this repository, by name and text.
fn guides() -> Vec<(&'static str, &'static str)> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut found = Vec::new();
    for (folder, beginning) in [(docs.clone(), ""), (docs.join("tasks"), "tasks/")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            // the tools have a corpus of their own
            if path.extension().is_some_and(|extension| extension == "md") && name != "tools" {
                let text: &str = std::fs::read_to_string(&path).unwrap().leak();
                let name: &str = format!("{beginning}{name}").leak();
                found.push((name, text));
            }
        }
    }
    found
}

#[test]
fn every_address_that_is_explained_is_one() {
    let sections = super::corpora::own(guides().leak());
    let known: BTreeSet<&str> = sections.iter().map(|section| section.location.as_str()).collect();
    let stale: Vec<&str> =
        knowledge::corpora::meanings::addresses().filter(|own| !known.contains(own)).collect();
    assert!(
        stale.is_empty(),
        "crates/knowledge/src/corpora/meanings has lines on what is not there: {stale:?}"
    );
}

#[test]
fn most_questions_find_their_section_among_five_by_words() {
    hold(&Library::new(None, guides().leak()), BY_WORDS);
}

#[test]
fn more_questions_find_their_section_by_words_and_meaning() {
    let Some(model) = testing::embeddings() else { return };
    // vectors of thousands of sections are worth keeping from one run to the next
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/recall");
    std::fs::create_dir_all(folder.join(EMBEDDINGS)).unwrap();
    for file in [WEIGHTS, TOKENIZER] {
        std::fs::copy(model.join(file), folder.join(EMBEDDINGS).join(file)).unwrap();
    }
    let library = Library::new(Some(folder), guides().leak());
    library.make_vectors(&|_, _| ()).unwrap();
    hold(&library, JOINED);
}

/// Asks the questions, tells what was not found, and fails where fewer than these shares of them find their section.
fn hold(library: &Library, shares: [f64; 2]) {
    let asked = Asked { library, files: &[], document: None, version: None };
    let shelves = asked.shelves(Some("all"), &[]).unwrap().indexes;
    let mut files = vec![include_str!("questions.json")];
    if std::env::var_os("PENSAER_HELD_OUT").is_some() {
        files.push(include_str!("held_out.json"));
    }
    for (file, least) in files.into_iter().zip(shares) {
        let questions: Vec<Value> = serde_json::from_str(file).unwrap();
        let mut shares: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for question in &questions {
            let text = question["question"].as_str().unwrap();
            let wanted = question["sections"].as_array().unwrap();
            let hits = search(library, &shelves, text, 5).unwrap().found;
            let is_wanted = |location: &str| wanted.iter().any(|own| own == location);
            let is_found = hits.iter().any(|own| is_wanted(&own.hit.location));
            for key in ["all", question["corpus"].as_str().unwrap(), question["language"].as_str().unwrap()] {
                let share = shares.entry(key).or_default();
                share.0 += usize::from(is_found);
                share.1 += 1;
            }
            if !is_found {
                let got: Vec<&str> = hits.iter().map(|own| own.hit.location.as_str()).collect();
                eprintln!("- {text}\n    wanted {wanted:?}\n    got {got:?}");
            }
        }
        for (key, (found, asked)) in &shares {
            eprintln!("{key}: {found} of {asked} ({:.3})", *found as f64 / *asked as f64);
        }
        let (found, asked) = shares["all"];
        assert!(asked >= 100 && found as f64 >= least * asked as f64, "{found} of {asked}");
    }
}
