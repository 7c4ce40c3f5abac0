//! Types like other types: found where the file has one, else made with sets of its own and the materials, classifications
//! and documents of the first.

use crate::arranging::twin::attributes;
use crate::author::Author;
use contract::Fault;
use ifc::{Id, Value};

/// Returns the type that is like another but for some attributes: one that the file has, or a new one.
pub fn alike(author: &mut Author, of_type: Id, changes: &[(&'static str, Value)]) -> Result<Id, Fault> {
    let Some(instance) = author.edit.get(of_type) else {
        return Err(Fault::no_element(&of_type.to_string()));
    };
    let class = instance.class_name().to_owned();
    const OWN: [&str; 5] = ["GlobalId", "OwnerHistory", "HasPropertySets", "Tag", "RepresentationMaps"];
    let mut wanted = attributes(author.edit, of_type, &OWN);
    wanted.retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    wanted.extend(changes.iter().cloned());
    let known = author.edit.of_class_exact(&class).into_iter().find(|id| {
        *id != of_type
            && author
                .edit
                .get(*id)
                .is_some_and(|t| wanted.iter().all(|(attribute, value)| t.attr(attribute) == *value))
    });
    match known {
        Some(known) => Ok(known),
        None => twin(author, of_type, changes),
    }
}

/// Makes a type like another, but for what is given anew.
pub fn twin(author: &mut Author, of_type: Id, changes: &[(&'static str, Value)]) -> Result<Id, Fault> {
    let sets = author.edit.get(of_type).map(|t| t.references("HasPropertySets")).unwrap_or_default();
    let mut all = changes.to_vec();
    if !sets.is_empty() {
        let sets = sets.into_iter().map(|set| author.twin_set(set)).collect::<Result<Vec<_>, _>>()?;
        all.push(("HasPropertySets", Value::list(sets.into_iter().map(Value::Ref))));
    }
    // a tag is the mark of the one type
    all.push(("Tag", Value::Null));
    let made = author.twin(of_type, &all)?;
    for (class, list) in [("IfcRelAssociates", "RelatedObjects"), ("IfcRelDeclares", "RelatedDefinitions")] {
        if author.edit.schema().entity(class).is_none() {
            continue;
        }
        for relation in author.edit.referrers_of(of_type, class) {
            author.add_to(relation, list, made)?;
        }
    }
    Ok(made)
}
