//! Whether a model keeps to its schema: every finding names the object, the field, what stands there, what may stand
//! there, and where there is one the nearest that may.
//!
//! What is checked is what EnergyPlus' own reading of its input refuses, and besides that names that lead nowhere. What
//! the program only finds while it builds the model (geometry, loops, sizes) is the business of `integrity`.

mod help;
pub(crate) mod names;
#[cfg(test)]
mod tests;
mod values;

use crate::idf::{Document, Handle, Object};
use crate::references::Names;
use crate::schema::Schema;
use help::Help;
use serde::Serialize;

/// The class of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// No such type of object.
    UnknownType,
    /// No such field.
    UnknownField,
    /// More values than the type has fields.
    TooManyFields,
    /// A field that must have a value has none.
    MissingRequired,
    /// A word where a number must stand.
    NotANumber,
    /// A fraction where a whole number must stand.
    NotAnInteger,
    /// Not one of the choices.
    NotAChoice,
    /// Too small or too large.
    OutOfRange,
    /// A name that nothing has.
    DanglingReference,
    /// A name that another object has.
    DuplicateName,
    /// Too few or too many repeated groups, or one that is not whole.
    BadGroup,
    /// A second object of a type that may occur once.
    NotUnique,
    /// No object of a type that must occur.
    MissingObject,
    /// The model is read by the schema of another version than it says.
    OtherVersion,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// EnergyPlus will not run with it.
    Error,
    /// EnergyPlus runs, but not as it is likely meant.
    Warning,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Its severity.
    pub severity: Severity,
    /// Its class.
    pub code: Code,
    /// In which object; none if of the whole model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<Handle>,
    /// The object's type.
    pub object_type: String,
    /// Its name, or handle where it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The field, as the text form calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The value that stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The values that may stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    /// The value that is likely meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// All of it in a sentence.
    pub message: String,
}

/// The extent of a check.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Only objects of these types; all if empty.
    pub object_types: &'a [String],
    /// True if names are followed.
    pub references: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { object_types: &[], references: true }
    }
}

/// Everything that is wrong with a model, in the order of its objects, what is wrong with the whole last. What is likely meant is
/// looked for in 16 MiB of names; findings behind that suggest nothing.
pub fn check(document: &Document, options: Options<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let wanted = |object: Object<'_>| {
        let types = options.object_types;
        types.is_empty() || types.iter().any(|name| name.trim().eq_ignore_ascii_case(object.type_name()))
    };
    let names = options.references.then(|| Names::from_document(document));
    let mut help = Help::new(names.as_ref());
    for object in document.objects().filter(|object| wanted(*object)) {
        values::check(object, &mut help, &mut found);
    }
    names::check(document, &mut found, wanted);
    if options.object_types.is_empty() {
        whole(document, &mut found);
    }
    found
}

/// Checks the values of one object; names are not followed.
pub fn object(object: Object<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    values::check(object, &mut Help::new(None), &mut found);
    found
}

/// Checks these objects; names are followed.
pub fn objects(document: &Document, handles: &[Handle]) -> Vec<Finding> {
    let names = Names::from_document(document);
    let (mut help, mut found) = (Help::new(Some(&names)), Vec::new());
    for object in handles.iter().filter_map(|handle| document.object(*handle)) {
        values::check(object, &mut help, &mut found);
    }
    found
}

fn whole(document: &Document, found: &mut Vec<Finding>) {
    let schema = document.schema();
    let finding = |code, severity, object_type: &str, message: String| Finding {
        severity,
        code,
        handle: None,
        object_type: object_type.to_owned(),
        name: String::new(),
        field: None,
        value: None,
        allowed: None,
        suggestion: None,
        message,
    };
    for about in schema.types().iter().filter(|about| about.required) {
        if document.of_type(&about.name).next().is_none() {
            let message = format!("A model must have one object of type {}. Add it.", about.name);
            found.push(finding(Code::MissingObject, Severity::Error, &about.name, message));
        }
    }
    let own = schema.short_version();
    match document.version() {
        None => {
            let message = format!("The model does not say its version. Add `Version,{own};`.");
            found.push(finding(Code::MissingObject, Severity::Warning, "Version", message));
        }
        Some(version) => {
            let meant = Schema::for_version(version);
            let read_by_it = meant.schema.version() == schema.version();
            if read_by_it && meant.remark.is_none() {
                return;
            }
            // the Version object may have been changed since the file was read
            let message = meant.remark.filter(|_| read_by_it).unwrap_or_else(|| {
                format!(
                    "The model says that it is of EnergyPlus {version}, and is read by the schema of {own}, since its file was of that: \
                     what changed between them is reported as faults. A model is brought to another version with migrate_model."
                )
            });
            found.push(finding(Code::OtherVersion, Severity::Warning, "Version", message));
        }
    }
}
