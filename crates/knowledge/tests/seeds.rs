//! Properties that hold for any bytes, on the seeds of the fuzz targets, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use testing::seeds::hold;

/// The folder of the seeds of a target.
fn seeds(target: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target)
}

#[test]
fn seeds_of_markdown() {
    hold(seeds("markdown"), 300, targets::markdown::run);
}

#[test]
fn seeds_of_html() {
    hold(seeds("html"), 300, targets::html::run);
}

#[test]
fn seeds_of_plain_text() {
    hold(seeds("plain"), 200, targets::plain::run);
}

#[test]
fn seeds_of_docx() {
    hold(seeds("docx"), 800, targets::docx::run);
}

#[test]
fn seeds_of_pdf() {
    hold(seeds("pdf"), 3_000, targets::pdf::run);
}

#[test]
fn seeds_of_questions() {
    hold(seeds("question"), 200, targets::question::run);
}

#[test]
fn seeds_of_vectors() {
    hold(seeds("vectors"), 400, targets::vectors::run);
}

#[test]
fn seeds_of_collections() {
    hold(seeds("collection"), 60, targets::collection::run);
}
