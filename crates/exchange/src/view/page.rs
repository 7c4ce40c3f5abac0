//! The page of the documentation that publishes the tables, written from the tables themselves.

use super::table::{Representation, View};
use std::fmt::Write as _;

/// The page as Markdown.
pub fn page() -> String {
    let mut out = String::from(
        "# View definitions\n\nWhat `export_ifc` lets through for each view definition. This page is written from the tables in \
         `crates/exchange/views`, which the export itself reads; `PENSAER_WRITE=1 cargo nextest run -p exchange page` writes it anew. \
         How it is used: [exchange.md](exchange.md).\n",
    );
    for view in View::all() {
        one(view, &mut out);
    }
    out
}

fn one(view: &View, out: &mut String) {
    let _ = write!(out, "\n## {}\n\n", view.name);
    let _ = writeln!(out, "- asked for as: `{}`, or {}", view.code, view.aliases.join(", "));
    let _ = writeln!(out, "- header: `ViewDefinition [{}]`, schema {}", view.code, view.schema.as_str());
    let _ = writeln!(out, "- units that the project declares: {}", view.units.join(", "));
    let _ = writeln!(out, "- a body that no row below allows becomes: {}", view.body);
    for source in &view.sources {
        let _ = writeln!(out, "- source: {source}");
    }
    let _ = write!(
        out,
        "\n| representation | type | items | profiles | curves | of |\n| --- | --- | --- | --- | --- | --- |\n"
    );
    for row in &view.representations {
        let _ = writeln!(out, "{}", line(row));
    }
    for row in &view.representations {
        if let Some(note) = &row.note {
            let _ = write!(out, "\n{} of type {}: {note}.\n", row.identifier, row.kind);
        }
    }
    let _ = write!(out, "\nClasses");
    if let Some(code) = &view.extends {
        let _ = write!(out, ", beside those of {code}");
    }
    let _ = writeln!(out, ": {}.", view.entities.join(", "));
    if !view.with_subtypes.is_empty() {
        let _ = write!(out, "\nWith all their subtypes: {}.\n", view.with_subtypes.join(", "));
    }
    for added in &view.added {
        let on = added
            .add_on
            .as_ref()
            .map(|on| format!(" (add-on `{on}`, then named in the header)"))
            .unwrap_or_default();
        let _ = write!(out, "\nBeyond the list{on}: {}: {}.\n", added.entities.join(", "), added.reason);
    }
    for becomes in &view.becomes {
        let _ = write!(out, "\n{} becomes {}.\n", becomes.from, becomes.to);
    }
}

fn line(row: &Representation) -> String {
    let list = |names: &[String]| if names.is_empty() { "any".to_owned() } else { names.join(", ") };
    let Representation { identifier, kind, items, profiles, curves, of, .. } = row;
    format!(
        "| {identifier} | {kind} | {} | {} | {} | {} |",
        items.join(", "),
        list(profiles),
        list(curves),
        list(of)
    )
}
