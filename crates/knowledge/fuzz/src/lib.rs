//! Properties that hold for any bytes: what libFuzzer runs on inputs that it makes up, and a test on the seeds and on what was found.

pub mod collection;
pub mod docx;
pub mod html;
pub mod markdown;
pub mod pdf;
pub mod plain;
pub mod question;
pub mod vectors;

use knowledge::read::Document;
use std::collections::HashSet;

/// Checks a document that was read: it has text, and each section an address of its own.
fn check(document: &Document) {
    let sections = document.sections("own");
    let known: HashSet<&str> = sections.iter().map(|section| section.location.as_str()).collect();
    assert_eq!(known.len(), sections.len());
    assert!(sections.iter().any(|section| !section.text.trim().is_empty()));
    assert!(sections.iter().all(|section| section.text.chars().count() <= 2_000));
}
