//! Colours: surface styles shared by all that have the same one, given to materials or to the bodies of elements.

use crate::arranging::carrying::is_structure;
use crate::author::{Author, tidy, word};
use crate::lookup::label;
use contract::Fault;
use ifc::{Id, Value};

/// Red, green and blue from 0 to 255.
pub type Colour = [u8; 3];

/// Reads a colour written as `#rrggbb`.
pub fn colour(field: &str, text: &str) -> Result<Colour, Fault> {
    let wrong = || {
        Fault::invalid(
            field,
            format!("`{field}` is written #rrggbb in hexadecimal digits, such as #aa4a3c; got {text}."),
        )
    };
    let digits = text.trim().strip_prefix('#').ok_or_else(wrong)?;
    if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let number = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
    let [_, red, green, blue] = number.to_be_bytes();
    Ok([red, green, blue])
}

/// Reads a transparency from 0 to 1.
pub fn transparency(field: &str, value: f64) -> Result<f64, Fault> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(Fault::invalid(
            field,
            format!("`{field}` is {value}; it goes from 0, opaque, to 1, not to be seen."),
        ))
    }
}

/// The surface style of a colour, found by its name and values or written.
fn style(author: &mut Author, colour: Colour, transparency: f64) -> Result<Id, Fault> {
    let [red, green, blue] = colour;
    let text = if transparency > 0.0 {
        format!("#{red:02x}{green:02x}{blue:02x} {transparency}")
    } else {
        format!("#{red:02x}{green:02x}{blue:02x}")
    };
    // a style of this name is ours: names of colours are written so here alone
    let known = author
        .edit
        .of_class_exact("IfcSurfaceStyle")
        .into_iter()
        .find(|id| author.edit.get(*id).and_then(|s| s.name()).as_deref() == Some(&text));
    if let Some(known) = known {
        return Ok(known);
    }
    let part = |value: u8| Value::Real(tidy((f64::from(value) / 255.0 * 1e4).round() / 1e4));
    let surface =
        author.create("IfcColourRgb", &[("Red", part(red)), ("Green", part(green)), ("Blue", part(blue))])?;
    let rendering = author.create(
        "IfcSurfaceStyleRendering",
        &[
            ("SurfaceColour", surface.into()),
            ("Transparency", Value::Real(transparency)),
            ("ReflectanceMethod", word("NOTDEFINED")),
        ],
    )?;
    author.create(
        "IfcSurfaceStyle",
        &[
            ("Name", text.as_str().into()),
            ("Side", word("BOTH")),
            ("Styles", Value::list([Value::Ref(rendering)])),
        ],
    )
}

/// The member of a styled item's list: the style itself, or in IFC2X3, which asks for it, an assignment of it.
fn assigned(author: &mut Author, style: Id) -> Result<Id, Fault> {
    if !author.legacy() {
        return Ok(style);
    }
    let known = author.edit.referrers_of(style, "IfcPresentationStyleAssignment").into_iter().next();
    match known {
        Some(known) => Ok(known),
        None => {
            author.create("IfcPresentationStyleAssignment", &[("Styles", Value::list([Value::Ref(style)]))])
        }
    }
}

/// Gives a styled item other styles; the old ones go where nothing else has them.
fn restyle(author: &mut Author, styled: Id, styles: Value) -> Result<(), Fault> {
    let old = author.edit.get(styled).map(|styled| styled.references("Styles")).unwrap_or_default();
    author.set(styled, "Styles", styles)?;
    author.sweep(&old)
}

/// Gives a material a colour, in place of the one it had.
pub fn colour_material(
    author: &mut Author,
    material: Id,
    colour: Colour,
    transparency: f64,
) -> Result<(), Fault> {
    let style = style(author, colour, transparency)?;
    let member = assigned(author, style)?;
    let styles = Value::list([Value::Ref(member)]);
    let definition =
        author.edit.referrers_of(material, "IfcMaterialDefinitionRepresentation").into_iter().next();
    if let Some(definition) = definition {
        let shown = author.edit.get(definition).map(|d| d.references("Representations")).unwrap_or_default();
        let items: Vec<Id> = shown
            .into_iter()
            .filter_map(|representation| author.edit.get(representation))
            .flat_map(|representation| representation.references("Items"))
            .filter(|item| author.edit.get(*item).is_some_and(|item| item.is_a("IfcStyledItem")))
            .collect();
        if !items.is_empty() {
            for item in items {
                restyle(author, item, styles.clone())?;
            }
            return Ok(());
        }
    }
    let item = author.create("IfcStyledItem", &[("Styles", styles)])?;
    let context = author.context("Body")?;
    let representation = author.create(
        "IfcStyledRepresentation",
        &[
            ("ContextOfItems", context.into()),
            ("RepresentationIdentifier", "Style".into()),
            ("RepresentationType", "Material".into()),
            ("Items", Value::list([Value::Ref(item)])),
        ],
    )?;
    if let Some(definition) = definition {
        return author.add_to(definition, "Representations", representation);
    }
    author
        .create(
            "IfcMaterialDefinitionRepresentation",
            &[
                ("Representations", Value::list([Value::Ref(representation)])),
                ("RepresentedMaterial", material.into()),
            ],
        )
        .map(|_| ())
}

/// Colours the body of one element, and no other that shows the same items; a whole that has no body of its own has its parts
/// coloured.
pub fn colour_element(
    author: &mut Author,
    element: Id,
    colour: Colour,
    transparency: f64,
) -> Result<(), Fault> {
    if is_structure(author.edit, element) {
        return Err(Fault::constraint(format!(
            "{} holds others; choose the elements in it.",
            label(author.edit, element)
        ))
        .with("field", "element_ids"));
    }
    let style = style(author, colour, transparency)?;
    let member = assigned(author, style)?;
    if paint(author, element, member, 0)? == 0 {
        return Err(Fault::constraint(format!(
            "{} has no body, and no part that has one, so there is nothing to colour.",
            label(author.edit, element)
        ))
        .with("field", "element_ids"));
    }
    Ok(())
}

fn paint(author: &mut Author, element: Id, member: Id, depth: usize) -> Result<usize, Fault> {
    let shape = author.edit.get(element).and_then(|e| e.reference("Representation"));
    let bodies: Vec<Id> = shape
        .and_then(|shape| author.edit.get(shape))
        .map(|shape| shape.references("Representations"))
        .unwrap_or_default()
        .into_iter()
        .filter(|id| {
            author.edit.get(*id).is_some_and(|r| {
                r.text("RepresentationIdentifier").is_none_or(|text| text == "Body" || text == "Facetation")
            })
        })
        .collect();
    let mut painted = 0;
    for body in bodies {
        let items = author.edit.get(body).map(|body| body.references("Items")).unwrap_or_default();
        let mut own = Vec::with_capacity(items.len());
        for item in &items {
            own.push(own_item(author, *item, body)?);
        }
        if own != items {
            author.set(body, "Items", Value::list(own.iter().copied().map(Value::Ref)))?;
        }
        for item in own {
            let styled = author.edit.referrers_of(item, "IfcStyledItem").into_iter().next();
            let styles = Value::list([Value::Ref(member)]);
            match styled {
                Some(styled) => restyle(author, styled, styles)?,
                None => {
                    author.create("IfcStyledItem", &[("Item", item.into()), ("Styles", styles)])?;
                }
            }
            painted += 1;
        }
    }
    if painted == 0 && depth < 8 {
        for part in ifc::relations::children(author.edit, element) {
            painted += paint(author, part, member, depth + 1)?;
        }
    }
    Ok(painted)
}

/// An item that this representation alone shows: itself, or where others show it a twin.
fn own_item(author: &mut Author, item: Id, body: Id) -> Result<Id, Fault> {
    let shared = author.edit.referrers_of(item, "IfcRepresentation").into_iter().any(|user| user != body);
    if !shared {
        return Ok(item);
    }
    let twin = author.twin(item, &[])?;
    for layer in author.edit.referrers_of(item, "IfcPresentationLayerAssignment") {
        author.add_to(layer, "AssignedItems", twin)?;
    }
    Ok(twin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_six_hexadecimal_digits() {
        assert_eq!(colour("color", " #Aa4a3C ").unwrap(), [170, 74, 60]);
        for wrong in ["red", "#fff", "aa4a3c", "#aa4a3g", "#+12345", "#aa4a3cff", "../etc", ""] {
            assert!(colour("color", wrong).is_err(), "{wrong}");
        }
    }
}
