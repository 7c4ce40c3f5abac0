//! Sheets that are kept with the model: a property of the project for each.

use crate::project_properties;
use contract::Fault;
use documentation::sheet::SheetDefinition;
use ifc::guid::GuidSource;
use ifc::{Edit, Model};
use std::collections::BTreeMap;

/// The property set of the project that holds them.
const SET: &str = "Drawing_Sheets";

/// The sheets of a model by number; what cannot be read as one is passed over.
pub(crate) fn read(model: &Model) -> BTreeMap<String, SheetDefinition> {
    let texts = project_properties::read(model, SET).into_iter();
    let sheets = texts.filter_map(|(_, text)| serde_json::from_str::<SheetDefinition>(&text).ok());
    sheets.map(|sheet| (sheet.number.clone(), sheet)).collect()
}

/// Writes sheets by number; those without a definition are taken out.
pub(crate) fn write(
    edit: &mut Edit,
    guids: &mut GuidSource,
    changes: &[(String, Option<SheetDefinition>)],
) -> Result<(), Fault> {
    let mut texts = Vec::with_capacity(changes.len());
    for (number, sheet) in changes {
        let text = sheet.as_ref().map(serde_json::to_string).transpose();
        texts.push((number.clone(), text.map_err(|error| Fault::backend(error.to_string()))?));
    }
    project_properties::write(edit, guids, (SET, "sheets"), texts)
}
