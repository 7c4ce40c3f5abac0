//! Colours of things: read from how people write them, written as a surface style that items of one colour share.

use crate::author::{Author, tidy, word};
use crate::lookup::near;
use contract::Fault;
use ifc::{Id, Value};

/// Red, green, blue and opacity, each 0 to 255, as on screen.
pub type Colour = [u8; 4];

/// Words for colours.
const WORDS: [(&str, [u8; 3]); 24] = [
    ("white", [245, 245, 243]),
    ("black", [30, 30, 30]),
    ("grey", [128, 128, 128]),
    ("gray", [128, 128, 128]),
    ("silver", [192, 192, 196]),
    ("anthracite", [56, 62, 66]),
    ("red", [190, 45, 40]),
    ("green", [60, 130, 70]),
    ("blue", [50, 90, 160]),
    ("yellow", [235, 200, 60]),
    ("orange", [230, 130, 50]),
    ("brown", [120, 80, 50]),
    ("beige", [222, 205, 175]),
    ("cream", [240, 230, 205]),
    ("pink", [230, 150, 170]),
    ("purple", [120, 70, 140]),
    ("turquoise", [70, 170, 170]),
    ("oak", [200, 160, 110]),
    ("beech", [215, 175, 130]),
    ("walnut", [100, 70, 50]),
    ("steel", [165, 170, 175]),
    ("brass", [190, 155, 90]),
    ("terracotta", [195, 105, 75]),
    ("glass", [180, 210, 225]),
];

/// Reads `#rrggbb`, `#rrggbbaa` or a word.
pub fn read(field: &str, text: &str) -> Result<Colour, Fault> {
    let word = text.trim().to_lowercase();
    if let Some((_, [r, g, b])) = WORDS.iter().find(|(known, _)| *known == word) {
        return Ok([*r, *g, *b, if word == "glass" { 110 } else { 255 }]);
    }
    let hex = word.strip_prefix('#').unwrap_or(&word);
    let byte = |i: usize| hex.get(2 * i..2 * i + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let is_hex = hex.chars().all(|c| c.is_ascii_hexdigit());
    if is_hex
        && matches!(hex.len(), 6 | 8)
        && let (Some(r), Some(g), Some(b)) = (byte(0), byte(1), byte(2))
    {
        return Ok([r, g, b, byte(3).unwrap_or(255)]);
    }
    let near = near(&word, WORDS.iter().map(|(known, _)| *known));
    let hint = near.first().map_or_else(String::new, |first| format!(" Did you mean {first}?"));
    Err(Fault::invalid(
        field,
        format!("`{field}` is #rrggbb, #rrggbbaa (the last two are opacity) or a word such as oak; got {text}.{hint}"),
    )
    .with("words", WORDS.map(|(known, _)| known)))
}

/// A colour as it is read: `#rrggbb`, with opacity where it is not whole.
pub fn text(colour: Colour) -> String {
    let [r, g, b, a] = colour;
    if a == 255 { format!("#{r:02x}{g:02x}{b:02x}") } else { format!("#{r:02x}{g:02x}{b:02x}{a:02x}") }
}

impl Author<'_> {
    /// Gives a representation item a colour.
    pub fn paint(&mut self, item: Id, colour: Colour) -> Result<(), Fault> {
        let style = self.surface_style(colour)?;
        self.create("IfcStyledItem", &[("Item", item.into()), ("Styles", Value::list([Value::Ref(style)]))])?;
        Ok(())
    }

    /// Gives a material a look, which all that is made of it takes on; one that has a look keeps it.
    pub fn look(&mut self, material: Id, colour: Colour) -> Result<(), Fault> {
        if !self.edit.referrers_of(material, "IfcMaterialDefinitionRepresentation").is_empty() {
            return Ok(());
        }
        let style = self.surface_style(colour)?;
        let styled = self.create("IfcStyledItem", &[("Styles", Value::list([Value::Ref(style)]))])?;
        let context = self.context("Body")?;
        let look = self.create(
            "IfcStyledRepresentation",
            &[
                ("ContextOfItems", context.into()),
                ("RepresentationType", "Style".into()),
                ("Items", Value::list([Value::Ref(styled)])),
            ],
        )?;
        self.create(
            "IfcMaterialDefinitionRepresentation",
            &[("Representations", Value::list([Value::Ref(look)])), ("RepresentedMaterial", material.into())],
        )?;
        Ok(())
    }

    /// The style of a colour, as items take it: found by its name, or written.
    fn surface_style(&mut self, colour: Colour) -> Result<Id, Fault> {
        let name = format!("Colour {}", text(colour));
        let known = self
            .edit
            .of_class_exact("IfcSurfaceStyle")
            .into_iter()
            .find(|id| self.edit.get(*id).and_then(|style| style.name()).as_deref() == Some(&name));
        let style = if let Some(known) = known {
            known
        } else {
            let part = |c: u8| Value::Real(tidy(f64::from(c) / 255.0));
            let [r, g, b, a] = colour;
            let rgb =
                self.create("IfcColourRgb", &[("Red", part(r)), ("Green", part(g)), ("Blue", part(b))])?;
            let rendering = self.create(
                "IfcSurfaceStyleRendering",
                &[
                    ("SurfaceColour", rgb.into()),
                    ("Transparency", part(255 - a)),
                    ("ReflectanceMethod", word("NOTDEFINED")),
                ],
            )?;
            self.create(
                "IfcSurfaceStyle",
                &[
                    ("Name", name.as_str().into()),
                    ("Side", word("BOTH")),
                    ("Styles", Value::list([Value::Ref(rendering)])),
                ],
            )?
        };
        if !self.legacy() {
            return Ok(style);
        }
        let assigned = self.edit.referrers_of(style, "IfcPresentationStyleAssignment").into_iter().next();
        match assigned {
            Some(assigned) => Ok(assigned),
            None => {
                self.create("IfcPresentationStyleAssignment", &[("Styles", Value::list([Value::Ref(style)]))])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_people_write_them() {
        assert_eq!(read("colour", "#FF8000").unwrap(), [255, 128, 0, 255]);
        assert_eq!(read("colour", "ff800080").unwrap(), [255, 128, 0, 128]);
        assert_eq!(read("colour", " Oak ").unwrap(), [200, 160, 110, 255]);
        for wrong in ["", "#ff", "#gggggg", "wallnut", "é€"] {
            let fault = read("colour", wrong).unwrap_err();
            assert_eq!(fault.data["field"], "colour", "{wrong}");
        }
    }
}
