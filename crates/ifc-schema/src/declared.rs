//! The declaration of a type in EXPRESS beyond what a file writes for it: which defined type it is made of, whether a number must
//! be a real, how many characters or bits it may have (ISO 10303-11, clause 8.1).

use super::{Definition, Schema};
use std::fmt;

/// The number of characters that a text, or of bits that a binary, may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    /// At most so many.
    pub most: usize,
    /// Exactly so many.
    pub fixed: bool,
}

impl Width {
    /// True if so many characters or bits are too few or too many.
    pub fn forbids(self, count: usize) -> bool {
        count > self.most || (self.fixed && count != self.most)
    }

    /// `STRING(22) FIXED`, `BINARY(32)`; none of `STRING`.
    fn parse(declared: &str) -> Option<Self> {
        let (width, rest) = declared.split_once('(')?.1.split_once(')')?;
        Some(Self { most: width.parse().ok()?, fixed: rest.trim() == "FIXED" })
    }
}

/// As EXPRESS writes it: `(255)`, `(22) FIXED`.
impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}){}", self.most, if self.fixed { " FIXED" } else { "" })
    }
}

/// The type at the end of `LIST [1:?] OF UNIQUE IfcLabel`.
pub fn leaf(declared: &str) -> &str {
    let end = declared.trim_end_matches(" FIXED");
    let start = end.rfind(' ').map_or(0, |space| space + 1);
    declared.get(start..).unwrap_or(declared)
}

/// The innermost defined type that a type is made of, and what that is declared as: (`IfcLengthMeasure`, `REAL`) for
/// `IfcPositiveLengthMeasure`.
pub fn base<'a>(schema: &Schema, name: &'a str) -> (&'a str, &'static str)
where
    'static: 'a,
{
    let mut last = name;
    // chains of defined types are short, and a schema's declarations have no circles
    for _ in 0..16 {
        let Some(Definition::Defined { declared, .. }) =
            schema.type_declaration(last).map(|found| &found.definition)
        else {
            return (last, "");
        };
        if schema.type_declaration(declared).is_none() {
            return (last, declared);
        }
        last = declared;
    }
    (last, "")
}

/// The most characters or bits of a value of this type; none: any number.
pub fn width(schema: &Schema, name: &str) -> Option<Width> {
    match base(schema, name) {
        (simple, "") => Width::parse(simple),
        (_, declared) => Width::parse(declared),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SchemaVersion;

    #[test]
    fn widths_are_those_of_the_schemas() {
        let width = |version: SchemaVersion, name: &str| {
            super::width(version.schema(), name).map(|width| (width.most, width.fixed))
        };
        for version in SchemaVersion::ALL {
            assert_eq!(width(version, "IfcGloballyUniqueId"), Some((22, true)));
            assert_eq!(width(version, "IfcText"), None);
        }
        assert_eq!(width(SchemaVersion::Ifc2x3, "IfcLabel"), None);
        assert_eq!(width(SchemaVersion::Ifc4, "IfcLabel"), Some((255, false)));
        assert_eq!(width(SchemaVersion::Ifc4x3, "IfcIdentifier"), Some((255, false)));
    }

    #[test]
    fn an_attribute_of_a_simple_type_has_the_width_that_it_is_declared_with() {
        let schema = SchemaVersion::Ifc2x3.schema();
        let pixels = schema.entity("IfcPixelTexture").and_then(|entity| entity.attribute("Pixel"));
        let declared = pixels.map(|attribute| attribute.declared).unwrap_or_default();
        assert_eq!(declared, "LIST [1:?] OF BINARY(32)");
        assert_eq!(width(schema, leaf(declared)), Some(Width { most: 32, fixed: false }));
    }

    #[test]
    fn the_end_of_a_declaration_keeps_its_width() {
        assert_eq!(leaf("SET [1:?] OF IfcLabel"), "IfcLabel");
        assert_eq!(leaf("LIST [1:?] OF STRING(22) FIXED"), "STRING(22) FIXED");
        assert_eq!(leaf("STRING(22) FIXED"), "STRING(22) FIXED");
    }
}
