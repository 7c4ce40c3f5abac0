//! Which type of XML Schema the values of a type of IFC are written in.

use super::constraint::Base;
use ifc_schema::{Attribute, Definition, Kind, Schema, leaf};

/// The base type that values of a defined type or enumeration have in IDS; none for selects, lists, binaries and classes.
pub fn base_of_type(schema: &Schema, name: &str) -> Option<Base> {
    let declaration = schema.type_declaration(name)?;
    match declaration.definition {
        Definition::Enumeration(_) => Some(Base::String),
        Definition::Select { .. } => None,
        Definition::Defined { kind, .. } => base_of_kind(declaration.name, kind),
    }
}

fn base_of_kind(name: &str, kind: Kind) -> Option<Base> {
    Some(match kind {
        Kind::Number => Base::Double,
        Kind::Integer => Base::Integer,
        Kind::Boolean | Kind::Logical => Base::Boolean,
        Kind::Text => match name {
            "IfcDate" => Base::Date,
            "IfcDateTime" => Base::DateTime,
            "IfcTime" => Base::Time,
            "IfcDuration" => Base::Duration,
            _ => Base::String,
        },
        Kind::Enumeration(_) => Base::String,
        Kind::Binary | Kind::Entity(_) | Kind::Select(_) | Kind::List(_) => return None,
    })
}

/// The base type that values of an attribute have in IDS; none where they are instances, lists or of several types.
pub fn base_of_attribute(attribute: &Attribute) -> Option<Base> {
    base_of_kind(leaf(attribute.declared), attribute.kind)
}

/// True if `dataType` may be this name in capitals.
pub(super) fn is_data_type(schema: &Schema, name: &str) -> bool {
    let is_upper = !name.bytes().any(|byte| byte.is_ascii_lowercase());
    let simple = |definition: &Definition| !matches!(definition, Definition::Select { .. });
    is_upper && schema.type_declaration(name).is_some_and(|found| simple(&found.definition))
}
