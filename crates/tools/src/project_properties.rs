//! Data that is kept with a model as property sets of its project, so that it has versions, branches and authors like every other change, and
//! goes with the file: topics, waivers, sheets. One text for each name.

use contract::Fault;
use ifc::guid::GuidSource;
use ifc::psets::{self, Change};
use ifc::{Edit, Id, Model, Value};

/// Returns the names and texts of a property set of the project.
pub(crate) fn read(model: &Model, set: &str) -> Vec<(String, String)> {
    let Some(project) = project(model) else { return Vec::new() };
    let sets = psets::of_element(model, project).into_iter().filter(|own| own.name == set);
    let text = |own: psets::Property| Some((own.name.clone(), own.value.as_text()?.to_owned()));
    sets.flat_map(|own| own.properties).filter_map(text).collect()
}

/// Writes texts by name; those without one are taken out. `what` is the word for them in a Fault.
pub(crate) fn write(
    edit: &mut Edit,
    guids: &mut GuidSource,
    (set, what): (&str, &str),
    changes: impl IntoIterator<Item = (String, Option<String>)>,
) -> Result<(), Fault> {
    let project = project(edit.model()).ok_or_else(|| {
        Fault::constraint(format!("The model has no project, which would keep the {what}."))
    })?;
    let value = |text: String| Value::typed("IfcText", Value::Text(text));
    let changes = changes.into_iter().map(|(name, text)| Change { name, value: text.map(value) });
    let changes: Vec<Change> = changes.collect();
    let done = psets::set(edit, &[project], set, &changes, guids);
    done.map(|_| ()).map_err(|error| Fault::constraint(format!("{error}.")))
}

fn project(model: &Model) -> Option<Id> {
    model.of_class("IfcProject").into_iter().next()
}
