//! Why an edit refuses a change, in words that say what would be right.

use crate::Id;
use crate::schema::{Attribute, Entity, near};

/// Why a change is refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// No instance of this id.
    #[error("{0} does not exist")]
    UnknownInstance(Id),
    /// A class that the schema does not have.
    #[error("{schema} has no class {class}{}", suggestion(near))]
    UnknownClass {
        /// The class asked for.
        class: String,
        /// The schema.
        schema: &'static str,
        /// Classes with similar names.
        near: Vec<&'static str>,
    },
    /// A class that has only subtypes.
    #[error("{0} is abstract: create one of its subtypes")]
    Abstract(&'static str),
    /// An attribute that the class does not have.
    #[error("{class} has no attribute {attribute}; it has {}", known.join(", "))]
    UnknownAttribute {
        /// The class.
        class: String,
        /// The attribute asked for.
        attribute: String,
        /// Those that it has.
        known: Vec<&'static str>,
    },
    /// A value that the schema does not allow there.
    #[error("{class}.{attribute} {reason} ({declared}{})", given_as(given.as_deref()))]
    Invalid {
        /// The class.
        class: String,
        /// The attribute.
        attribute: String,
        /// The attribute's type as EXPRESS writes it.
        declared: &'static str,
        /// The reason, as the end of a sentence.
        reason: String,
        /// The value as a file would have it, shortened, where the reason does not say it.
        given: Option<String>,
    },
    /// It cannot be removed, because another instance needs it.
    #[error("{id} is needed by {by} ({class}.{attribute}): remove or change that first")]
    Needed {
        /// The instance that was to be removed.
        id: Id,
        /// An instance that refers to it.
        by: Id,
        /// The class of that.
        class: String,
        /// The attribute of that.
        attribute: String,
    },
    /// An instance cannot have what it would refer to: the class does not fit the attribute.
    #[error("{by} ({class}.{attribute}, {declared}) cannot refer to an {offered}")]
    Unfit {
        /// The instance that refers.
        by: Id,
        /// The class of that.
        class: String,
        /// The attribute of that.
        attribute: String,
        /// The attribute's type as EXPRESS writes it.
        declared: &'static str,
        /// The class that it would refer to.
        offered: &'static str,
    },
    /// An instance would be replaced by one that is made of it, or by one above or below it in a hierarchy: something
    /// would be made of itself or be its own part.
    #[error(
        "{replacement} cannot take the place of {replaced}: it {why}, which would be a circle; change that first"
    )]
    Circular {
        /// The instance that was to be replaced.
        replaced: Id,
        /// The instance that was to take its place.
        replacement: Id,
        /// The bond of the second to the first, as the end of a sentence.
        why: &'static str,
    },
    /// A savepoint that was rolled back over or released, or that belongs to another edit.
    #[error(
        "this savepoint is no longer one of the edit's: it was released, rolled back over, or taken elsewhere"
    )]
    NoSavepoint,
    /// All ids to 2³² are used.
    #[error("the model has no free instance ids left; renumber it")]
    OutOfIds,
}

fn given_as(given: Option<&str>) -> String {
    given.map(|given| format!("; given {given}")).unwrap_or_default()
}

fn suggestion(near: &[&str]) -> String {
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) }
}

/// An attribute by name, or an error that lists those there are, near ones first.
pub(crate) fn attribute_of(
    entity: &'static Entity,
    name: &str,
) -> Result<(usize, &'static Attribute), EditError> {
    let at = entity.index_of(name);
    if let Some((at, attribute)) = at.and_then(|at| Some((at, *entity.attributes.get(at)?))) {
        return Ok((at, attribute));
    }
    let names = || entity.attributes.iter().map(|attribute| attribute.name);
    let mut known = near(name, names(), 3);
    for name in names() {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    Err(EditError::UnknownAttribute { class: entity.name.to_owned(), attribute: name.to_owned(), known })
}

/// An error that says that an attribute is no list.
pub(crate) fn no_list(entity: &Entity, attribute: &Attribute) -> EditError {
    EditError::Invalid {
        class: entity.name.to_owned(),
        attribute: attribute.name.to_owned(),
        declared: attribute.declared,
        reason: "is no list: set it instead".to_owned(),
        given: None,
    }
}
