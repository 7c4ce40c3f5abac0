//! Groups, zones and systems, and who is in them.

use crate::author::{Author, word};
use crate::lookup::{self, guid, label};
use crate::measures::name;
use contract::Fault;
use ifc::relations::Links;
use ifc::{Id, Model, Value};

/// The kind of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Anything that belongs together.
    #[default]
    Group,
    /// Rooms and zones of rooms.
    Zone,
    /// Elements that serve one purpose, such as ducts or pipes.
    System,
}

/// A group as it is wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wanted {
    /// Name, or of one there is the id.
    pub group: String,
    /// Its kind.
    pub kind: Kind,
    /// Objects to put in.
    pub add: Vec<Id>,
    /// Objects to take out.
    pub remove: Vec<Id>,
    /// Item of IfcDistributionSystemEnum, of a system.
    pub predefined: Option<String>,
    /// Full name, of a zone or system.
    pub long_name: Option<String>,
}

/// Makes a group, or changes the one of this name and kind. Answers it; nothing where its last member was taken out, which ends it.
pub fn put(author: &mut Author, wanted: &Wanted) -> Result<Option<Id>, Fault> {
    let class = class_of(author, wanted)?;
    let text = name("name", &wanted.group)?;
    let known = known(author, wanted.kind, &text)?;
    let members = known.map(|id| Links::of_one(author.edit).members_of(id)).unwrap_or_default();
    for (i, id) in wanted.remove.iter().enumerate() {
        if !members.contains(id) {
            return Err(Fault::invalid(
                &format!("remove[{i}]"),
                format!("{} is not in {text}.", label(author.edit, *id)),
            ));
        }
    }
    for (i, id) in wanted.add.iter().enumerate() {
        fits(author, &format!("add[{i}]"), wanted.kind, known, *id)?;
    }
    let Some(group) = known else {
        if wanted.add.is_empty() {
            return Err(Fault::invalid(
                "add",
                format!("There is no {text} yet; a new one needs members in `add`."),
            ));
        }
        let mut attributes = attributes(author, &class, wanted)?;
        if class == "IfcDistributionSystem" && wanted.predefined.is_none() {
            attributes.push(("PredefinedType", word("NOTDEFINED")));
        }
        let group = author.root(&class, Some(&text), &attributes)?;
        let list = Value::list(wanted.add.iter().copied().map(Value::Ref));
        author.root(
            "IfcRelAssignsToGroup",
            None,
            &[("RelatedObjects", list), ("RelatingGroup", group.into())],
        )?;
        return Ok(Some(group));
    };
    let own_class = author.edit.get(group).map(|g| g.class_name().to_owned()).unwrap_or_default();
    for (attribute, value) in attributes(author, &own_class, wanted)? {
        author.set(group, attribute, value)?;
    }
    let left = members.iter().filter(|id| !wanted.remove.contains(id)).count() + wanted.add.len();
    if left == 0 {
        return end(author, group).map(|()| None);
    }
    change_members(author, group, &members, wanted)?;
    Ok(Some(group))
}

fn change_members(author: &mut Author, group: Id, members: &[Id], wanted: &Wanted) -> Result<(), Fault> {
    let relations = author.edit.referrers_of(group, "IfcRelAssignsToGroup");
    let relation = relations
        .iter()
        .copied()
        .find(|id| author.edit.get(*id).and_then(|r| r.reference("RelatingGroup")) == Some(group));
    for id in wanted.add.iter().filter(|id| !members.contains(id)) {
        match relation {
            Some(relation) => author.add_to(relation, "RelatedObjects", *id)?,
            None => return Err(Fault::constraint("The group has no relation to its members.")),
        }
    }
    for id in wanted.remove.iter().filter(|id| !wanted.add.contains(id)) {
        for relation in &relations {
            let there = author.edit.get(*relation).is_some_and(|r| {
                r.reference("RelatingGroup") == Some(group) && r.references("RelatedObjects").contains(id)
            });
            if there {
                author.drop_member(*relation, "RelatedObjects", *id)?;
            }
        }
    }
    Ok(())
}

/// Takes groups away that have no members any more.
pub(crate) fn end_empty(author: &mut Author, groups: &[Id]) -> Result<(), Fault> {
    for group in groups {
        if author.edit.contains(*group) && Links::of_one(author.edit).members_of(*group).is_empty() {
            end(author, *group)?;
        }
    }
    Ok(())
}

/// The groups, zones and systems that an object is in.
pub(crate) fn with_member(model: &Model, object: Id) -> Vec<Id> {
    let relations = model.referrers_of(object, "IfcRelAssignsToGroup").into_iter();
    relations
        .filter_map(|id| model.get(id)?.reference("RelatingGroup").filter(|group| *group != object))
        .collect()
}

/// Takes a group away with the relations that it has.
fn end(author: &mut Author, group: Id) -> Result<(), Fault> {
    for relation in author.edit.referrers_of(group, "IfcRelationship") {
        let Some(instance) = author.edit.get(relation) else { continue };
        let member = instance.references("RelatedObjects").contains(&group);
        if member {
            author.drop_member(relation, "RelatedObjects", group)?;
        } else {
            author.edit.remove(relation).map_err(|error| crate::author::refused(&error))?;
        }
    }
    author.edit.remove(group).map_err(|error| crate::author::refused(&error))
}

fn class_of(author: &Author, wanted: &Wanted) -> Result<String, Fault> {
    if wanted.predefined.is_some() && wanted.kind != Kind::System {
        return Err(Fault::invalid(
            "predefined_type",
            "`predefined_type` is for systems; a group or zone has none.",
        ));
    }
    Ok(match wanted.kind {
        Kind::Group => "IfcGroup",
        Kind::Zone => "IfcZone",
        Kind::System => {
            let distributes =
                wanted.add.iter().any(|id| author.edit.get(*id).is_some_and(|e| e.is_a("IfcDistributionElement")));
            let known = author.edit.schema().entity("IfcDistributionSystem").is_some();
            if wanted.predefined.is_some() && !known {
                return Err(Fault::invalid(
                    "predefined_type",
                    format!(
                        "{} has no IfcDistributionSystem, so a system there has no predefined type; say it in the name.",
                        author.schema().as_str()
                    ),
                ));
            }
            if known && (distributes || wanted.predefined.is_some()) { "IfcDistributionSystem" } else { "IfcSystem" }
        }
    }
    .to_owned())
}

fn attributes(author: &Author, class: &str, wanted: &Wanted) -> Result<Vec<(&'static str, Value)>, Fault> {
    let mut attributes = Vec::new();
    if let Some(item) = &wanted.predefined {
        let item = item.trim().to_uppercase();
        let allowed = lookup::enumeration(author.edit, class, "PredefinedType");
        if !allowed.contains(&item.as_str()) {
            return Err(Fault::invalid(
                "predefined_type",
                format!("`predefined_type` {item} is none of {class}."),
            )
            .with("near_matches", lookup::near(&item, allowed.iter().copied()))
            .with("allowed", allowed));
        }
        attributes.push(("PredefinedType", word(&item)));
    }
    if let Some(text) = &wanted.long_name {
        if !author.has_attribute(class, "LongName") {
            return Err(Fault::invalid(
                "long_name",
                format!("{class} has no LongName in this schema; leave it out."),
            ));
        }
        attributes.push(("LongName", name("long_name", text)?.as_str().into()));
    }
    Ok(attributes)
}

/// The group of this kind that a text means, by id or name.
fn known(author: &Author, kind: Kind, text: &str) -> Result<Option<Id>, Fault> {
    let of_kind = |id: Id| {
        author.edit.get(id).is_some_and(|g| {
            let zone = g.is_a("IfcZone");
            match kind {
                Kind::Zone => zone,
                Kind::System => g.is_a("IfcSystem") && !zone,
                Kind::Group => g.is_a("IfcGroup") && !zone && !g.is_a("IfcSystem"),
            }
        })
    };
    if let Some(id) = author.edit.by_guid(text) {
        return if of_kind(id) {
            Ok(Some(id))
        } else {
            Err(Fault::invalid(
                "name",
                format!("{text} is {}, which is no such group.", label(author.edit, id)),
            ))
        };
    }
    let named: Vec<Id> = author
        .edit
        .of_class("IfcGroup")
        .into_iter()
        .filter(|id| of_kind(*id) && author.edit.get(*id).and_then(|g| g.name()).as_deref() == Some(text))
        .collect();
    match named[..] {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ => Err(Fault::invalid("name", format!("Several are named {text}; give the id of one."))
            .with("candidates", named.iter().map(|id| guid(author.edit, *id)).collect::<Vec<_>>())),
    }
}

fn fits(author: &Author, field: &str, kind: Kind, group: Option<Id>, id: Id) -> Result<(), Fault> {
    let Some(object) = author.edit.get(id) else { return Err(Fault::no_element(&id.to_string())) };
    let text = label(author.edit, id);
    if kind == Kind::Zone && !["IfcSpace", "IfcZone", "IfcSpatialZone"].iter().any(|class| object.is_a(class))
    {
        return Err(Fault::invalid(
            field,
            format!("{text} is an {}; a zone holds rooms (IfcSpace) and zones.", object.class_name()),
        ));
    }
    let Some(group) = group else { return Ok(()) };
    let links = Links::of_one(author.edit);
    let mut inside = vec![id];
    let mut at = 0;
    while let Some(next) = inside.get(at).copied() {
        at += 1;
        if next == group {
            return Err(Fault::invalid(
                field,
                format!("{text} holds this group; it cannot be in it as well."),
            ));
        }
        for member in links.members_of(next) {
            if !inside.contains(&member) {
                inside.push(member);
            }
        }
    }
    Ok(())
}
