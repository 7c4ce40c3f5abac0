//! Sheets that are kept with the model: a property of the project for each, so that they are versions of the model like every other change,
//! on branches too, and in the file that goes to others.

use contract::Fault;
use documentation::sheet::SheetDefinition;
use ifc::guid::GuidSource;
use ifc::psets::{self, Change};
use ifc::{Edit, Id, Model, Value};
use std::collections::BTreeMap;

/// The property set of the project that holds them.
const SET: &str = "Drawing_Sheets";

/// The sheets of a model by number; what cannot be read as one is passed over.
pub(crate) fn read(model: &Model) -> BTreeMap<String, SheetDefinition> {
    let Some(project) = project(model) else { return BTreeMap::new() };
    let sets = psets::of_element(model, project).into_iter().filter(|set| set.name == SET);
    let kept = sets.flat_map(|set| set.properties).filter_map(|property| {
        let sheet: SheetDefinition = serde_json::from_str(property.value.as_text()?).ok()?;
        Some((sheet.number.clone(), sheet))
    });
    kept.collect()
}

/// Writes sheets by number; those without a definition are taken out.
pub(crate) fn write(
    edit: &mut Edit,
    guids: &mut GuidSource,
    changes: &[(String, Option<SheetDefinition>)],
) -> Result<(), Fault> {
    let project = project(edit.model())
        .ok_or_else(|| Fault::constraint("The model has no project, which would keep the sheets."))?;
    let mut written: Vec<Change> = Vec::new();
    for (number, sheet) in changes {
        let text = sheet.as_ref().map(serde_json::to_string).transpose();
        let text = text.map_err(|error| Fault::backend(error.to_string()))?;
        let value = text.map(|text| Value::typed("IfcText", Value::Text(text)));
        written.push(Change { name: number.clone(), value });
    }
    let done = psets::set(edit, &[project], SET, &written, guids);
    done.map(|_| ()).map_err(|error| Fault::constraint(format!("{error}.")))
}

fn project(model: &Model) -> Option<Id> {
    model.of_class("IfcProject").into_iter().next()
}
