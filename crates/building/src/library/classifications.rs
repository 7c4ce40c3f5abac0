//! Codes of classification systems: an object has one code of a system, which all objects of that code share.

use crate::author::Author;
use crate::measures::name;
use contract::Fault;
use ifc::relations::{classification_system, project};
use ifc::{Id, Value};

/// A code of a classification system.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code {
    /// Name of the system, such as Uniclass 2015.
    pub system: String,
    /// The code, such as Ss_25_10; none takes objects out of the system.
    pub code: Option<String>,
    /// Its words.
    pub title: Option<String>,
    /// Edition of the system.
    pub edition: Option<String>,
}

/// Gives objects a code, in place of the one they have of the same system. Answers the reference.
pub fn classify(author: &mut Author, ids: &[Id], code: &Code) -> Result<Option<Id>, Fault> {
    let system_name = name("system", &code.system)?;
    let system = system_named(author, &system_name);
    let mut left = Vec::new();
    if let Some(system) = system {
        for id in ids {
            left.extend(leave(author, *id, system)?);
        }
    }
    let Some(text) = &code.code else {
        if system.is_none() {
            return Err(Fault::invalid(
                "system",
                format!("Nothing is classified by {system_name} here, so there is nothing to take away."),
            ));
        }
        author.sweep(&left)?;
        return Ok(None);
    };
    let text = name("code", text)?;
    let title = code.title.as_deref().map(|title| name("title", title)).transpose()?;
    let system = match system {
        Some(system) => system,
        None => new_system(author, &system_name, code.edition.as_deref())?,
    };
    let reference = reference(author, system, &text, title.as_deref())?;
    let relation = author.edit.referrers_of(reference, "IfcRelAssociatesClassification").into_iter().next();
    if let Some(relation) = relation {
        for id in ids {
            author.add_to(relation, "RelatedObjects", *id)?;
        }
    } else {
        let list = Value::list(ids.iter().copied().map(Value::Ref));
        let ends = [("RelatedObjects", list), ("RelatingClassification", reference.into())];
        author.root("IfcRelAssociatesClassification", None, &ends)?;
    }
    author.sweep(&left)?;
    Ok(Some(reference))
}

fn system_named(author: &Author, text: &str) -> Option<Id> {
    author
        .edit
        .of_class("IfcClassification")
        .into_iter()
        .find(|id| author.edit.get(*id).and_then(|c| c.name()).as_deref() == Some(text))
}

/// Takes an object out of the relations with codes of a system; answers those codes.
fn leave(author: &mut Author, id: Id, system: Id) -> Result<Vec<Id>, Fault> {
    let mut left = Vec::new();
    for relation in author.edit.referrers_of(id, "IfcRelAssociatesClassification") {
        let reference = author.edit.get(relation).and_then(|r| r.reference("RelatingClassification"));
        let Some(reference) = reference.filter(|reference| *reference != system) else { continue };
        if classification_system(author.edit, reference) == Some(system) {
            author.drop_member(relation, "RelatedObjects", id)?;
            left.push(reference);
        }
    }
    Ok(left)
}

fn new_system(author: &mut Author, text: &str, edition: Option<&str>) -> Result<Id, Fault> {
    let mut attributes = vec![("Name", Value::from(text))];
    if let Some(edition) = edition {
        attributes.push(("Edition", name("edition", edition)?.as_str().into()));
    } else if author.legacy() {
        author.assume("edition \"not stated\", which IFC2X3 asks for");
        attributes.push(("Edition", "not stated".into()));
    }
    if author.legacy() {
        attributes.push(("Source", text.into()));
    }
    let system = author.create("IfcClassification", &attributes)?;
    // a system that a project uses is said of the project, from IFC4 on
    if !author.legacy()
        && let Some(project) = project(author.edit)
    {
        let ends = [
            ("RelatedObjects", Value::list([Value::Ref(project)])),
            ("RelatingClassification", system.into()),
        ];
        author.root("IfcRelAssociatesClassification", None, &ends)?;
    }
    Ok(system)
}

/// The reference to a code of a system, found or written.
fn reference(author: &mut Author, system: Id, code: &str, title: Option<&str>) -> Result<Id, Fault> {
    let attribute = if author.legacy() { "ItemReference" } else { "Identification" };
    let known = author
        .edit
        .referrers_of(system, "IfcClassificationReference")
        .into_iter()
        .find(|id| author.edit.get(*id).is_some_and(|r| r.text(attribute).as_deref() == Some(code)));
    if let Some(known) = known {
        if let Some(title) = title {
            author.set(known, "Name", title)?;
        }
        return Ok(known);
    }
    let mut attributes = vec![(attribute, Value::from(code)), ("ReferencedSource", system.into())];
    if let Some(title) = title {
        attributes.push(("Name", title.into()));
    }
    author.create("IfcClassificationReference", &attributes)
}
