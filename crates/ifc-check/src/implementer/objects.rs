//! Rules on single objects and what they are declared, typed, grouped and represented as: PJS002, PJS003, PJS101, GRP001,
//! OJT001, BLT001 to BLT003, BBX001 and MPD001.

use super::{Context, named, representations};
use crate::guids;
use ifc::Instance;
use ifc::relations::{AGGREGATES, End, GROUPS, TYPED, TYPES};
use std::collections::HashSet;

/// The relation from a project to what it declares.
const DECLARES: End = End { class: "IfcRelDeclares", attribute: "RelatingContext" };

/// PJS002: occurrences belong to the spatial structure, not to the project's declarations.
pub(super) fn declared(context: &mut Context<'_, '_>) {
    const MAY: [&str; 8] = [
        "IfcActor",
        "IfcControl",
        "IfcGroup",
        "IfcProcess",
        "IfcProjectLibrary",
        "IfcPropertySetTemplate",
        "IfcResource",
        "IfcTypeObject",
    ];
    for project in context.of_class("IfcProject") {
        for declared in context.across(project.id(), DECLARES, "RelatedDefinitions") {
            if declared.is_a("IfcRoot") && !MAY.iter().any(|class| declared.is_a(class)) {
                context.report(&declared, |named| {
                    format!(
                        "{named} is declared by the project, which may declare {} only; put it in the spatial structure",
                        MAY.join(", ")
                    )
                });
            }
        }
    }
}

/// PJS003: GlobalIds are 22 characters of the 64, the first 0 to 3.
pub(super) fn global_ids(context: &mut Context<'_, '_>) {
    for object in context.of_class("IfcRoot") {
        let Some(guid) = object.guid() else { continue };
        if !guids::is_valid(guid.as_bytes()) {
            context.report_about(&object, Some("GlobalId"), |named| {
                format!("{named} has the GlobalId '{guid}': {}; make a new one", guids::fault(&guid))
            });
        }
    }
}

/// PJS101: there is one project.
pub(super) fn one_project(context: &mut Context<'_, '_>) {
    let projects = context.of_class("IfcProject");
    if projects.is_empty() {
        context.report_model("there is no IfcProject; a file of a building has one".to_owned());
    }
    for project in projects.iter().skip(1) {
        context.report(project, |named| format!("{named} is one more IfcProject; a file has one"));
    }
}

/// GRP001: no group is a member of itself, however far round.
pub(super) fn acyclic(context: &mut Context<'_, '_>) {
    let groups = context.of_class("IfcGroup");
    // a group that leads nowhere in a circle is done with; each is entered once
    let mut done: HashSet<ifc::Id> = HashSet::new();
    for group in groups {
        let mut path: Vec<(ifc::Id, Vec<ifc::Id>)> = Vec::new();
        let mut on_path: HashSet<ifc::Id> = HashSet::new();
        if !done.contains(&group.id()) {
            path.push((group.id(), members(context, group.id())));
            on_path.insert(group.id());
        }
        while let Some((at, open)) = path.last_mut() {
            let at = *at;
            match open.pop() {
                None => {
                    path.pop();
                    on_path.remove(&at);
                    done.insert(at);
                }
                Some(member) if on_path.contains(&member) => {
                    if let Some(member) = context.model.get(member) {
                        context.report(&member, |named| {
                            format!("{named} is a member of itself, by way of {at}; take one of the two out of the other")
                        });
                    }
                }
                Some(member) if !done.contains(&member) => {
                    let below = members(context, member);
                    path.push((member, below));
                    on_path.insert(member);
                }
                Some(_) => {}
            }
        }
    }
}

fn members(context: &Context<'_, '_>, group: ifc::Id) -> Vec<ifc::Id> {
    let mut members = context.links.across(group, GROUPS, "RelatedObjects");
    members.retain(|id| context.model.get(*id).is_some_and(|member| member.is_a("IfcGroup")));
    members
}

fn is_empty(object: &Instance<'_>, attribute: &str) -> bool {
    object.attr(attribute).is_null()
}

/// OJT001: USERDEFINED says by what, and a type's predefined type is not repeated at its occurrences.
pub(super) fn predefined_types(context: &mut Context<'_, '_>) {
    if !context.is_4_or_later() {
        return;
    }
    let is =
        |object: &Instance<'_>, word: &str| object.enumeration("PredefinedType").as_deref() == Some(word);
    for object in context.of_class("IfcObject") {
        let untyped = !context.is_at(object.id(), TYPED);
        if untyped && is(&object, "USERDEFINED") && is_empty(&object, "ObjectType") {
            context.report_about(&object, Some("ObjectType"), |named| {
                format!("{named} is USERDEFINED and does not say as what; give it an ObjectType")
            });
        }
    }
    for object_type in context.of_class("IfcTypeObject") {
        let has = |name: &str| object_type.entity().is_some_and(|entity| entity.index_of(name).is_some());
        let said = ["ElementType", "ProcessType", "ResourceType"].into_iter().find(|name| has(name));
        if is(&object_type, "USERDEFINED")
            && let Some(said) = said
            && is_empty(&object_type, said)
        {
            context.report_about(&object_type, Some(said), |named| {
                format!("{named} is USERDEFINED and does not say as what; give it an {said}")
            });
        }
        let Some(word) = object_type.enumeration("PredefinedType").filter(|word| word != "NOTDEFINED") else {
            continue;
        };
        for object in context.across(object_type.id(), TYPES, "RelatedObjects") {
            if !is_empty(&object, "PredefinedType") {
                context.report_about(&object, Some("PredefinedType"), |name| {
                    format!("{name} has a predefined type of its own beside {word} of its type {}; leave it empty ($)", named(&object_type))
                });
            }
        }
    }
}

/// BLT001 and BLT002: a user-defined operation or partitioning is one, and the type says it, not the element.
fn of_type_only(
    context: &mut Context<'_, '_>,
    classes: [&'static str; 2],
    kind: &'static str,
    called: &'static str,
) {
    let [element, of_type] = classes;
    for class in classes {
        for object in context.of_class(class) {
            let untyped = !context.is_at(object.id(), TYPED);
            if untyped
                && !is_empty(&object, called)
                && object.enumeration(kind).as_deref() != Some("USERDEFINED")
            {
                context.report_about(&object, Some(kind), |named| {
                    format!("{named} has a {called}, but its {kind} is not USERDEFINED; set it to that, or leave {called} empty")
                });
            }
        }
    }
    for object in context.of_class(element) {
        let types = context.across(object.id(), TYPED, "RelatingType");
        if types.iter().any(|one| one.is_a(of_type)) && !is_empty(&object, kind) {
            context.report_about(&object, Some(kind), |named| {
                format!("{named} has a {kind} of its own beside its {of_type}'s; leave it empty ($)")
            });
        }
    }
}

pub(super) fn door_operation(context: &mut Context<'_, '_>) {
    of_type_only(context, ["IfcDoor", "IfcDoorType"], "OperationType", "UserDefinedOperationType");
}

pub(super) fn window_partitioning(context: &mut Context<'_, '_>) {
    of_type_only(context, ["IfcWindow", "IfcWindowType"], "PartitioningType", "UserDefinedPartitioningType");
}

/// BBX001: what is called a box is a bounding box, and the other way round.
pub(super) fn boxes(context: &mut Context<'_, '_>) {
    for product in context.of_class("IfcProduct") {
        for one in representations::read(context, &product) {
            let name = one.text("RepresentationIdentifier").unwrap_or_default();
            let kind = one.text("RepresentationType").unwrap_or_default();
            if (name == "Box") != (kind == "BoundingBox") {
                context.report_about(&one, Some("RepresentationType"), |named| {
                    format!("{named} of {} is called '{name}' and of type '{kind}'; 'Box' and 'BoundingBox' go together", product.id())
                });
            }
        }
    }
}

/// MPD001: what is mapped into a representation is called as it is, and of one type.
pub(super) fn mapped_items(context: &mut Context<'_, '_>) {
    for parent in context.of_class("IfcShapeRepresentation") {
        let name = parent.text("RepresentationIdentifier");
        let mut kinds: Vec<String> = Vec::new();
        for item in
            context.at(&parent, "Items").into_iter().filter(|item| item.class_name() == "IfcMappedItem")
        {
            let mapped = item
                .reference("MappingSource")
                .and_then(|id| context.model.get(id))
                .and_then(|map| context.model.get(map.reference("MappedRepresentation")?));
            let Some(mapped) = mapped else { continue };
            let own = mapped.text("RepresentationIdentifier");
            if own != name {
                context.report_about(&parent, Some("RepresentationIdentifier"), |named| {
                    let shown = |name: &Option<String>| name.clone().unwrap_or_else(|| "$".to_owned());
                    format!(
                        "{named} is called '{}' and maps {}, which is called '{}'; call both the same",
                        shown(&name),
                        mapped.id(),
                        shown(&own)
                    )
                });
            }
            kinds.extend(mapped.text("RepresentationType").filter(|kind| !kinds.contains(kind)));
        }
        if kinds.len() > 1 {
            context.report_about(&parent, Some("Items"), |named| {
                format!("{named} maps representations of several types, {}; use one", kinds.join(" and "))
            });
        }
    }
}

/// BLT003: a stair is made of flights, slabs and railings.
pub(super) fn stairs(context: &mut Context<'_, '_>) {
    const PARTS: [&str; 3] = ["IfcRailing", "IfcSlab", "IfcStairFlight"];
    for stair in context.of_class("IfcStair") {
        for part in context.across(stair.id(), AGGREGATES, "RelatedObjects") {
            if !PARTS.iter().any(|class| part.is_a(class)) {
                context.report(&part, |name| {
                    format!("{name} is a part of {}; a stair's parts are {}", named(&stair), PARTS.join(", "))
                });
            }
        }
    }
}
