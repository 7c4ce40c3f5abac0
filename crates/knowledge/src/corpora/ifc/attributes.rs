//! Attributes of an entity, told; and which attributes are of a type.

use ifc_schema::{Attribute, Entity, SchemaVersion, leaf};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Writes the attributes in the order of a STEP line.
pub fn write(text: &mut String, entity: &Entity) {
    for (at, attribute) in entity.attributes.iter().enumerate() {
        let _ = write!(text, "{}. {}: {}", at + 1, attribute.name, attribute.declared);
        if attribute.derived {
            text.push_str(", derived (`*`)");
        } else if attribute.optional {
            text.push_str(", optional");
        }
        if attribute.owner != entity.name {
            let _ = write!(text, ", of {}", attribute.owner);
        }
        text.push('\n');
    }
}

/// The differences in the attributes from one version of an entity to the next.
pub fn changes(before: &Entity, after: &Entity) -> Vec<String> {
    let find = |of: &Entity, name: &str| -> Option<&'static Attribute> {
        of.attributes.iter().copied().find(|attribute| attribute.name == name)
    };
    let mut changes = Vec::new();
    for new in after.attributes {
        let Some(old) = find(before, new.name) else {
            changes.push(format!("attribute {} added", new.name));
            continue;
        };
        if old.declared != new.declared {
            changes.push(format!("{} was {}, is {}", new.name, old.declared, new.declared));
        }
        if old.optional != new.optional {
            let now = if new.optional { "is optional" } else { "is required" };
            changes.push(format!("{} {now} now", new.name));
        }
    }
    for old in before.attributes {
        if find(after, old.name).is_none() {
            changes.push(format!("attribute {} removed", old.name));
        }
    }
    changes
}

/// Where each type is used: `IfcWallTypeEnum` in `IfcWall.PredefinedType`, each attribute at the entity that declares it.
pub fn uses() -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut uses: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for version in SchemaVersion::ALL {
        for entity in version.schema().entities() {
            for attribute in entity.attributes.iter().filter(|attribute| attribute.owner == entity.name) {
                let of = leaf(attribute.declared);
                uses.entry(of).or_default().insert(format!("{}.{}", entity.name, attribute.name));
            }
        }
    }
    uses
}
