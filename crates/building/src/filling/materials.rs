//! What doors and windows are made of, by part: materials, and the colours that the parts are shown in.
//!
//! IFC4 and later say it by constituents that bear the parts' names; IFC2X3 has a list of materials.

use super::Filling;
use super::drawing::Part;
use crate::author::{Author, word};
use contract::Fault;
use ifc::{Id, Value};

impl Part {
    /// The name of the part in materials and shape aspects.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Lining => "Lining",
            Self::Framing => "Framing",
            Self::Glazing => "Glazing",
        }
    }

    fn material(self) -> &'static str {
        if self == Self::Glazing { "Glass" } else { "Timber" }
    }

    /// The name of its surface style, its colour (red, green, blue) and how far light goes through.
    fn look(self, kind: Filling) -> (&'static str, [f64; 3], f64) {
        match (self, kind) {
            (Self::Glazing, _) => ("Glass", [0.62, 0.80, 0.88], 0.65),
            (_, Filling::Window) => ("Window frame", [0.93, 0.93, 0.91], 0.0),
            (Self::Lining, _) => ("Door frame", [0.62, 0.47, 0.33], 0.0),
            (Self::Framing, _) => ("Door leaf", [0.78, 0.64, 0.47], 0.0),
        }
    }
}

/// The materials of a filling that has these parts.
pub(super) fn made_of(author: &mut Author, parts: &[Part]) -> Result<Id, Fault> {
    let materials =
        parts.iter().map(|part| author.material(part.material())).collect::<Result<Vec<_>, _>>()?;
    if author.legacy() {
        let mut once: Vec<Id> = Vec::new();
        for material in materials {
            if !once.contains(&material) {
                once.push(material);
            }
        }
        let known = once.first().copied().and_then(|first| {
            author
                .edit
                .referrers_of(first, "IfcMaterialList")
                .into_iter()
                .find(|id| author.edit.get(*id).is_some_and(|list| list.references("Materials") == once))
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let list = Value::list(once.into_iter().map(Value::Ref));
        return author.create("IfcMaterialList", &[("Materials", list)]);
    }
    let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
    let title = if parts.contains(&Part::Glazing) { "Timber and glass" } else { "Timber" };
    let known = author.edit.of_class_exact("IfcMaterialConstituentSet").into_iter().find(|id| {
        author.edit.get(*id).is_some_and(|set| {
            let held = set.references("MaterialConstituents");
            set.says("Name", title)
                && held.len() == names.len()
                && held.iter().zip(names.iter().zip(&materials)).all(|(id, (name, material))| {
                    author.edit.get(*id).is_some_and(|constituent| {
                        constituent.says("Name", name) && constituent.reference("Material") == Some(*material)
                    })
                })
        })
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let constituents = names
        .iter()
        .zip(&materials)
        .map(|(name, material)| {
            author.create(
                "IfcMaterialConstituent",
                &[("Name", (*name).into()), ("Material", (*material).into())],
            )
        })
        .collect::<Result<Vec<_>, _>>()?;
    let list = Value::list(constituents.into_iter().map(Value::Ref));
    author.create("IfcMaterialConstituentSet", &[("Name", title.into()), ("MaterialConstituents", list)])
}

/// Shows a solid as its part looks.
pub(super) fn dress(author: &mut Author, solid: Id, part: Part, kind: Filling) -> Result<(), Fault> {
    let style = style(author, part, kind)?;
    author
        .create("IfcStyledItem", &[("Item", solid.into()), ("Styles", Value::list([Value::Ref(style)]))])
        .map(|_| ())
}

/// The style of a part, as styled items of this schema refer to it.
fn style(author: &mut Author, part: Part, kind: Filling) -> Result<Id, Fault> {
    let (name, ..) = part.look(kind);
    let known = author
        .edit
        .of_class_exact("IfcSurfaceStyle")
        .into_iter()
        .find(|id| author.edit.get(*id).is_some_and(|s| s.says("Name", name)));
    let style = if let Some(known) = known { known } else { write(author, part, kind)? };
    if !author.legacy() {
        return Ok(style);
    }
    // IFC2X3 puts an assignment between
    let assigned = author.edit.referrers_of(style, "IfcPresentationStyleAssignment").first().copied();
    if let Some(assigned) = assigned {
        return Ok(assigned);
    }
    author.create("IfcPresentationStyleAssignment", &[("Styles", Value::list([Value::Ref(style)]))])
}

/// Writes the surface style of a part.
fn write(author: &mut Author, part: Part, kind: Filling) -> Result<Id, Fault> {
    let (name, [red, green, blue], clear) = part.look(kind);
    let colour = author.create(
        "IfcColourRgb",
        &[("Red", Value::Real(red)), ("Green", Value::Real(green)), ("Blue", Value::Real(blue))],
    )?;
    let shown = author.create(
        "IfcSurfaceStyleRendering",
        &[
            ("SurfaceColour", colour.into()),
            ("Transparency", Value::Real(clear)),
            ("ReflectanceMethod", word("NOTDEFINED")),
        ],
    )?;
    let styles = Value::list([Value::Ref(shown)]);
    author.create("IfcSurfaceStyle", &[("Name", name.into()), ("Side", word("BOTH")), ("Styles", styles)])
}
