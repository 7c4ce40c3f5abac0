//! Materials and looks where a view has fewer kinds of them: sets of layers and profiles become sets of constituents, colours of
//! materials become those of the items.

use super::{View, example};
use crate::report::{Action, Log};
use ifc::relations::Links;
use ifc::{Edit, EditError, Id, Model, Value};
use std::collections::{HashMap, HashSet};

/// A part of a set: its name, material, category and share.
struct Constituent {
    name: String,
    material: Id,
    category: Value,
    share: Option<f64>,
}

/// Sets that the view does not have become sets of constituents, or the one material that they have.
pub(super) fn sets(edit: &mut Edit, view: &View, log: &mut Log) -> Result<(), EditError> {
    if !view.allows_class("IfcMaterialConstituentSet") {
        return Ok(());
    }
    let before = edit.model().clone();
    let mut made: HashMap<Id, Option<Id>> = HashMap::new();
    for relation in before.of_class("IfcRelAssociatesMaterial") {
        let material = before.get(relation).and_then(|r| before.get(r.reference("RelatingMaterial")?));
        let Some(material) = material.filter(|m| !m.entity().is_some_and(|entity| view.allows(entity)))
        else {
            continue;
        };
        let set = ["ForLayerSet", "ForProfileSet"].iter().find_map(|name| material.reference(name));
        let set = set.unwrap_or(material.id());
        let stand_in = if let Some(known) = made.get(&set) {
            *known
        } else {
            let new = constituents(edit, &before, set)?;
            made.insert(set, new);
            new
        };
        let Some(stand_in) = stand_in else { continue };
        edit.set(relation, "RelatingMaterial", stand_in)?;
        let what = edit.get(stand_in).map(|i| i.class_name().to_owned()).unwrap_or_default();
        let reason = format!("is an {what} now; thicknesses are shares, offsets and sections are lost");
        log.note(Action::Reclassed, material.class_name(), &reason, || example(&before, relation));
    }
    Ok(())
}

/// The material or the set of constituents that stands for a set; `None` if it has no materials.
fn constituents(edit: &mut Edit, model: &Model, set: Id) -> Result<Option<Id>, EditError> {
    let parts = parts(model, set);
    if let [part] = parts.as_slice() {
        return Ok(Some(part.material));
    }
    let mut names = HashSet::new();
    let mut made = Vec::new();
    for part in parts {
        let mut name = part.name.clone();
        for number in 2.. {
            if names.insert(name.clone()) {
                break;
            }
            name = format!("{} ({number})", part.name);
        }
        let share = part.share.filter(|share| share.is_finite() && (0.0..=1.0).contains(share));
        let attributes = [
            ("Name", Value::Text(name)),
            ("Material", part.material.into()),
            ("Fraction", share.into()),
            ("Category", part.category),
        ];
        made.push(edit.create("IfcMaterialConstituent", &attributes)?);
    }
    if made.is_empty() {
        return Ok(None);
    }
    let set = model.get(set);
    let name = set.and_then(|set| set.text("LayerSetName").or_else(|| set.name()));
    let attributes = [("Name", Value::from(name)), ("MaterialConstituents", made.into())];
    edit.create("IfcMaterialConstituentSet", &attributes).map(Some)
}

fn parts(model: &Model, set: Id) -> Vec<Constituent> {
    let Some(instance) = model.get(set) else { return Vec::new() };
    const LISTS: [&str; 3] = ["MaterialLayers", "MaterialProfiles", "Materials"];
    let mut members: Vec<Id> = LISTS.iter().flat_map(|name| instance.references(name)).collect();
    if members.is_empty() {
        members.push(set);
    }
    let thickness = |id: &Id| model.get(*id).and_then(|m| m.number("LayerThickness")).unwrap_or(0.0);
    let whole: f64 = members.iter().map(thickness).sum();
    let part = |id: &Id| {
        let member = model.get(*id)?;
        let material = if member.is_a("IfcMaterial") { Some(*id) } else { member.reference("Material") };
        let material = material.and_then(|id| model.get(id)).filter(|m| m.is_a("IfcMaterial"))?;
        let own = if member.is_a("IfcMaterial") { None } else { member.name() };
        Some(Constituent {
            name: own.or_else(|| material.name()).unwrap_or_default(),
            material: material.id(),
            category: if member.is_a("IfcMaterial") { Value::Null } else { member.attr("Category") },
            share: (whole > 0.0).then(|| thickness(id) / whole),
        })
    };
    members.iter().filter_map(part).collect()
}

/// Items whose colour is that of their element's material get it as their own, where the view has no looks of materials.
pub(super) fn colours(edit: &mut Edit, view: &View, log: &mut Log) -> Result<(), EditError> {
    if view.allows_class("IfcMaterialDefinitionRepresentation")
        || !edit.has_class("IfcMaterialDefinitionRepresentation")
    {
        return Ok(());
    }
    let before = edit.model().clone();
    let links = Links::of_many(&before);
    for product in before.of_class("IfcProduct") {
        let Some(body) = body(&before, product) else { continue };
        let styles = material_styles(&before, &links, product);
        if styles.is_empty() {
            continue;
        }
        for item in before.get(body).map(|b| b.references("Items")).unwrap_or_default() {
            if edit.referrers_of(item, "IfcStyledItem").is_empty() {
                edit.create("IfcStyledItem", &[("Item", item.into()), ("Styles", styles.clone().into())])?;
                log.note(
                    Action::Moved,
                    "IfcMaterialDefinitionRepresentation",
                    "its colour is that of the items now",
                    || example(&before, product),
                );
            }
        }
    }
    Ok(())
}

/// The body of a product's own; that of a type's map serves elements of several materials.
fn body(model: &Model, product: Id) -> Option<Id> {
    let is_body =
        |id: &Id| model.get(*id).and_then(|r| r.text("RepresentationIdentifier")).as_deref() == Some("Body");
    let shape = model.get(model.get(product)?.reference("Representation")?)?;
    shape.references("Representations").into_iter().find(is_body)
}

/// The surface styles of the first of an element's materials that has any.
fn material_styles(model: &Model, links: &Links<'_>, element: Id) -> Vec<Id> {
    for material in links.materials_of(element) {
        let looks = model.referrers_of(material, "IfcMaterialDefinitionRepresentation").into_iter();
        let shown = looks.filter_map(|id| model.get(id)).flat_map(|look| look.references("Representations"));
        let items = shown.filter_map(|id| model.get(id)).flat_map(|r| r.references("Items"));
        let styles: Vec<Id> =
            items.filter_map(|id| model.get(id)).flat_map(|i| surface_styles(model, i.id())).collect();
        if !styles.is_empty() {
            return styles;
        }
    }
    Vec::new()
}

/// The surface styles of a styled item, also those within assignments.
fn surface_styles(model: &Model, styled: Id) -> Vec<Id> {
    let mut found = Vec::new();
    for style in model.get(styled).map(|s| s.references("Styles")).unwrap_or_default() {
        let Some(instance) = model.get(style) else { continue };
        let within = if instance.is_a("IfcPresentationStyleAssignment") {
            instance.references("Styles")
        } else {
            vec![style]
        };
        found.extend(
            within.into_iter().filter(|id| model.get(*id).is_some_and(|s| s.is_a("IfcSurfaceStyle"))),
        );
    }
    found.dedup();
    found
}

/// Styles are said without assignments where the view has none of these.
pub(super) fn assignments(edit: &mut Edit, view: &View) -> Result<(), EditError> {
    let version = edit.schema().version();
    if version == ifc::SchemaVersion::Ifc2x3 || view.allows_class("IfcPresentationStyleAssignment") {
        return Ok(());
    }
    let before = edit.model().clone();
    for id in before.of_class("IfcStyledItem") {
        let Some(styled) = before.get(id) else { continue };
        let styles = styled.references("Styles");
        let is_assignment =
            |id: &Id| before.get(*id).is_some_and(|s| s.is_a("IfcPresentationStyleAssignment"));
        if !styles.iter().any(is_assignment) {
            continue;
        }
        let mut plain: Vec<Id> = Vec::new();
        for style in styles {
            let within = if is_assignment(&style) {
                before.get(style).map(|s| s.references("Styles")).unwrap_or_default()
            } else {
                vec![style]
            };
            let is_allowed =
                |id: &Id| before.get(*id).and_then(|s| s.entity()).is_some_and(|entity| view.allows(entity));
            plain.extend(
                within.into_iter().filter(is_allowed).filter(|id| !plain.contains(id)).collect::<Vec<_>>(),
            );
        }
        if !plain.is_empty() {
            edit.set(id, "Styles", plain)?;
        }
    }
    Ok(())
}
