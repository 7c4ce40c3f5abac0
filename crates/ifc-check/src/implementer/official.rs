//! IFC101: the file names a version of the schema that buildingSMART has released: IFC2X3 TC1, IFC4 ADD2 TC1 or IFC4.3
//! ADD2.

use super::Context;
use crate::{Finding, FindingCode};

const OFFICIAL: [&str; 3] = ["IFC2X3", "IFC4", "IFC4X3_ADD2"];

pub(super) fn schema_identifier(context: &mut Context<'_, '_>) {
    let header = context.model.header();
    let named = header.schema_identifiers.first().map_or("", |name| name.trim());
    if OFFICIAL.iter().any(|official| official.eq_ignore_ascii_case(named)) {
        return;
    }
    let message = format!(
        "FILE_SCHEMA names '{named}', which is no official version; export as {} (write the identifier exactly so)",
        OFFICIAL.join(", ")
    );
    let base = context.model.base();
    let place = memchr::memmem::find(
        base.bytes().get(..base.bytes().len().min(1 << 20)).unwrap_or_default(),
        b"FILE_SCHEMA",
    )
    .map_or((0, 0), |at| base.place(at));
    let finding = Finding::of_model(FindingCode::Implementer, message).by_rule(context.rule);
    context.collector.add(Finding { line: place.0, column: place.1, ..finding });
}
