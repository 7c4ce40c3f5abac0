//! The references that a schema allows: which fields of a type others may refer to, and what its own fields may name.

use super::{Field, ObjectType, Schema};
use foldhash::{HashMap, HashSet};

/// The references that the schema allows for one type, worked out once.
#[derive(Debug, Default)]
pub struct Plan {
    /// Positions of fields whose values others may refer to.
    pub providers: Vec<u32>,
    /// Fields that refer to others, by their number among all fields.
    pub users: HashMap<u32, User>,
}

/// A field that refers to others.
#[derive(Debug, Default)]
pub struct User {
    /// The field beside it that says the type of what is meant.
    pub type_field: Option<u32>,
    /// Types and positions whose values may be named.
    pub names: HashSet<(u32, u32)>,
    /// Types that may themselves be named.
    pub types: HashSet<u32>,
    /// True if the schema does not say all that may be named.
    pub open: bool,
}

impl Plan {
    pub(crate) fn from_type(schema: &Schema, about: &ObjectType) -> Self {
        let mut plan = Self::default();
        for (at, field) in about.all_fields().enumerate() {
            if !field.references.is_empty() && at < about.fields.len() {
                plan.providers.push(at as u32);
            }
            if field.lists.is_empty() {
                continue;
            }
            let mut user = User { type_field: type_field(about, field), ..User::default() };
            for list in &field.lists {
                match schema.members(list) {
                    Some(members) => {
                        user.names.extend(members.fields.iter().copied());
                        user.types.extend(members.types.iter().copied());
                    }
                    None => user.open = true,
                }
            }
            plan.users.insert(at as u32, user);
        }
        plan
    }
}

/// `component_object_type` for `component_name`.
fn type_field(about: &ObjectType, field: &Field) -> Option<u32> {
    let stem = field.key.strip_suffix("_name")?;
    let wanted = format!("{stem}_object_type");
    let at = about.all_fields().position(|other| *other.key == *wanted)?;
    Some(at as u32)
}
