//! Types, profiles and materials of members: one type for members of one section and material, shared by all of them, with the
//! profile in its material where the schema knows such sets.

use super::noun::Noun;
use super::profile::CrossSection;
use super::sections::Section;
use crate::author::{Author, word};
use contract::Fault;
use ifc::{Id, Model, Value, relations};

/// A type made ready for the members of one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Dress {
    /// The type, where the schema has one for the class.
    pub kind: Option<Id>,
    /// The cross-section.
    pub section: CrossSection,
    /// The material, or the use of a profile set, that a member is tied to.
    pub material: Id,
    /// The cardinal point, 1 to 10.
    pub cardinal: u8,
}

/// Finds or makes the type of a section and material, with what its members share.
pub fn dress(
    author: &mut Author,
    noun: &Noun,
    section: &Section,
    material: &str,
    cardinal: u8,
) -> Result<Dress, Fault> {
    let title = section.title();
    let name = if material == section.material() { title.clone() } else { format!("{title}, {material}") };
    let typed = author.edit.schema().entity(noun.type_class).is_some();
    let known = typed.then(|| known(author.edit, noun, &name, &title, material)).flatten();
    let (kind, cross) = if let Some((kind, cross)) = known {
        (Some(kind), cross)
    } else {
        let profile = author.section_profile(section)?;
        let cross = CrossSection::measure(author.edit, profile).ok_or_else(|| {
            Fault::invalid("section", format!("The section {title} encloses no area that could be drawn."))
        })?;
        let predefined = [("PredefinedType", word(noun.predefined))];
        let kind = if typed { Some(author.root(noun.type_class, Some(&name), &predefined)?) } else { None };
        (kind, cross)
    };
    let made_of = author.material(material)?;
    if author.legacy() {
        if let Some(kind) = kind
            && author.edit.referrers_of(kind, "IfcRelAssociatesMaterial").is_empty()
        {
            author.make_of(made_of, kind)?;
        }
        return Ok(Dress { kind, section: cross, material: made_of, cardinal });
    }
    let set = if let Some(set) = kind.and_then(|kind| profile_set(author.edit, kind)) {
        set
    } else {
        let member = author.create(
            "IfcMaterialProfile",
            &[
                ("Name", title.as_str().into()),
                ("Material", made_of.into()),
                ("Profile", cross.profile.into()),
            ],
        )?;
        let set = author.create(
            "IfcMaterialProfileSet",
            &[("Name", name.as_str().into()), ("MaterialProfiles", Value::list([Value::Ref(member)]))],
        )?;
        if let Some(kind) = kind {
            author.make_of(set, kind)?;
        }
        set
    };
    let usage = usage(author, set, cardinal)?;
    Ok(Dress { kind, section: cross, material: usage, cardinal })
}

/// The use of a profile set by a cardinal point.
fn usage(author: &mut Author, set: Id, cardinal: u8) -> Result<Id, Fault> {
    let point = Value::Integer(i64::from(cardinal));
    let same = author
        .edit
        .referrers_of(set, "IfcMaterialProfileSetUsage")
        .into_iter()
        .find(|id| author.edit.get(*id).is_some_and(|u| u.attr("CardinalPoint") == point));
    match same {
        Some(same) => Ok(same),
        None => author
            .create("IfcMaterialProfileSetUsage", &[("ForProfileSet", set.into()), ("CardinalPoint", point)]),
    }
}

/// A type of ours of this name, and its cross-section. A type of another program may bear the name and mean something else.
fn known(model: &Model, noun: &Noun, name: &str, title: &str, material: &str) -> Option<(Id, CrossSection)> {
    model.of_class_exact(noun.type_class).into_iter().find_map(|kind| {
        let found = model.get(kind)?;
        let is_same = found.name().as_deref() == Some(name)
            && found.attr("PredefinedType").as_enum() == Some(noun.predefined);
        if !is_same || material_of(model, kind)? != material {
            return None;
        }
        let profile = profile_of(model, kind)?;
        let named = model.get(profile)?.text("ProfileName").as_deref() == Some(title);
        named.then(|| CrossSection::measure(model, profile)).flatten().map(|cross| (kind, cross))
    })
}

/// The profile set that a type is of.
pub(super) fn profile_set(model: &Model, kind: Id) -> Option<Id> {
    model
        .referrers_of(kind, "IfcRelAssociatesMaterial")
        .into_iter()
        .filter_map(|relation| model.get(relation)?.reference("RelatingMaterial"))
        .find(|id| model.get(*id).is_some_and(|m| m.is_a("IfcMaterialProfileSet")))
}

pub(super) fn only_profile(model: &Model, set: Id) -> Option<ifc::Instance<'_>> {
    let [only] = model.get(set)?.references("MaterialProfiles")[..] else { return None };
    model.get(only)
}

/// The profile of a type: of its material, else of the first member that has it.
pub(super) fn profile_of(model: &Model, kind: Id) -> Option<Id> {
    if let Some(set) = profile_set(model, kind) {
        return only_profile(model, set)?.reference("Profile");
    }
    let relation = model.referrers_of(kind, "IfcRelDefinesByType").into_iter().next()?;
    let member = *model.get(relation)?.references("RelatedObjects").first()?;
    super::line::profile(model, member)
}

/// The name of the material that a type, or a member of it, is of.
pub fn material_of(model: &Model, object: Id) -> Option<String> {
    let direct = |object: Id| {
        model.referrers_of(object, "IfcRelAssociatesMaterial").into_iter().find_map(|relation| {
            let mut material = model.get(model.get(relation)?.reference("RelatingMaterial")?)?;
            if let Some(set) = material.reference("ForProfileSet") {
                material = model.get(set)?;
            }
            if material.is_a("IfcMaterialProfileSet") {
                let profile = only_profile(model, material.id())?;
                material = model.get(profile.reference("Material")?)?;
            }
            material.is_a("IfcMaterial").then(|| material.name()).flatten()
        })
    };
    direct(object).or_else(|| relations::type_of(model, object).and_then(direct))
}
