//! The needs of a tool beside its arguments: models, files by role, a folder to make files in. A tool declares them, and whoever
//! runs it provides them; nobody has to know the tool.

use crate::{Fault, ModelKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The model that a tool works on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModelUse {
    /// None: it concerns the platform.
    #[default]
    None,
    /// The session's model, unless `model_id` says another.
    Current,
    /// None of its own, but the session's model comes along where there is one, for what is to be said in its terms.
    Optional,
    /// It makes a new one.
    New,
}

/// A condition on the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The parameter is given.
    Given {
        /// The parameter's name.
        parameter: String,
    },
    /// The parameter is this text.
    Is {
        /// The parameter's name; dots lead into objects and lists (`steps.0.tool`).
        parameter: String,
        /// The text.
        text: String,
    },
    /// The parameter is a text in which this one stands.
    Contains {
        /// The parameter's name.
        parameter: String,
        /// The text within.
        text: String,
    },
    /// The parameter is a text that begins otherwise than with this one.
    BeginsOtherwise {
        /// The parameter's name.
        parameter: String,
        /// The beginning.
        text: String,
    },
}

impl Condition {
    /// The parameter is given.
    pub fn given(parameter: &str) -> Self {
        Self::Given { parameter: parameter.to_owned() }
    }

    /// The parameter is this text.
    pub fn is(parameter: &str, text: &str) -> Self {
        Self::Is { parameter: parameter.to_owned(), text: text.to_owned() }
    }

    /// The parameter is a text in which this one stands.
    pub fn contains(parameter: &str, text: &str) -> Self {
        Self::Contains { parameter: parameter.to_owned(), text: text.to_owned() }
    }

    /// The parameter is a text that begins otherwise than with this one.
    pub fn begins_otherwise(parameter: &str, text: &str) -> Self {
        Self::BeginsOtherwise { parameter: parameter.to_owned(), text: text.to_owned() }
    }

    /// True if the arguments meet it.
    pub fn holds(&self, arguments: &Value) -> bool {
        let given = |name: &str| member(arguments, name).and_then(Value::as_str);
        match self {
            Self::Given { parameter } => member(arguments, parameter).is_some_and(|given| !given.is_null()),
            Self::Is { parameter, text } => given(parameter) == Some(text.as_str()),
            Self::Contains { parameter, text } => {
                given(parameter).is_some_and(|given| given.contains(text.as_str()))
            }
            Self::BeginsOtherwise { parameter, text } => {
                given(parameter).is_some_and(|given| !given.starts_with(text.as_str()))
            }
        }
    }
}

/// Returns the part of a call's arguments at a name; dots lead into objects and, by position, into lists.
pub fn member<'a>(arguments: &'a Value, name: &str) -> Option<&'a Value> {
    name.split('.').try_fold(arguments, |at, part| match at {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        other => other.get(part),
    })
}

/// A further model, which a caller names by parameters of the tool.
///
/// Where only one of the two is given, the other follows: without an id it is another version of the call's own model, without a
/// version the newest. Where neither is given the tool gets no such model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FurtherModel {
    /// The role under which the operation finds it.
    pub role: String,
    /// The parameter that has its id or name; without one it is always the call's own model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The parameter that has its version or branch.
    pub version: String,
}

/// A documentation index that the operator gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentationNeed {
    /// The role under which the operation finds it.
    pub role: String,
    /// The corpus that it is an index of.
    pub corpus: String,
    /// The parameter that names its version; without one it is the newest.
    pub version: String,
    /// The calls that cannot do without it: any of these.
    pub required: Vec<Condition>,
}

/// The files that the session's latest job of a kind left, or another of that kind, by the roles that it gave them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobFiles {
    /// The slot of the session that has the job's id.
    pub slot: String,
    /// The role of the file that has to be among them.
    pub role: String,
    /// The parameter that names another job in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// Put before the roles of the files, where those of two jobs are needed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// The calls that they come along with, where that is not every one: any of these. They are then those of the latest such job on the
    /// call's own model that came to its end, and where there is none nothing comes along.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside_when: Vec<Condition>,
    /// The Fault where there are none.
    pub absent: Fault,
    /// The Fault where the job is not at its end; `{job_id}` stands for its id.
    pub unfinished: Fault,
}

/// A file of the caller's, which it names in a parameter: a key in the bucket, the name of an upload, or for callers at this machine
/// a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedFile {
    /// The role under which the operation finds it.
    pub role: String,
    /// The parameter; dots lead into objects (`shape.mesh.file`).
    pub parameter: String,
}

/// A file of a library: one that the operator put into the library's folder, or that the caller sent, named in a parameter by its name
/// without the ending. Nothing comes along where no file is called so: the name may mean what needs none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LibraryNeed {
    /// The role under which the operation finds it.
    pub role: String,
    /// The library's name.
    pub library: String,
    /// The parameter.
    pub parameter: String,
    /// The endings of its files, without the dot.
    pub endings: Vec<String>,
}

/// A file that a file of the caller's names: the text of a key in the TOML that a parameter names, such as the font in a style.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileWithin {
    /// The role under which the operation finds it.
    pub role: String,
    /// The parameter that names the TOML.
    pub parameter: String,
    /// The key in it; dots lead into tables (`fonts.regular`).
    pub key: String,
}

/// Files beside the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileNeed {
    /// An index of documentation.
    Documentation(DocumentationNeed),
    /// Files that a job left.
    Job(Box<JobFiles>),
    /// A file that the caller names.
    Named(NamedFile),
    /// A file of a library.
    Library(LibraryNeed),
    /// A file that such a file names in turn.
    Within(FileWithin),
    /// The collections of documents that are there for the caller, each as a file of this role that says its name.
    Collections(String),
}

/// All that a tool needs beside its arguments.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Needs {
    /// The model that it works on.
    pub model: ModelUse,
    /// The condition under which a call makes a new model instead of working on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_when: Option<Condition>,
    /// The parameter that stands in for an optional model where it is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
    /// The parameter that names the model that it makes; dots lead into objects and lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The kinds of model that it works on or is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<ModelKind>,
    /// Further models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<FurtherModel>,
    /// Files beside the models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileNeed>,
    /// True if it makes files, for which it is given a folder.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scratch: bool,
    /// True if its answer hangs on nothing but parameters and versions: it is kept with its files, and the same question is answered
    /// from there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
    /// True if it may take long: a call can be submitted as a job.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub job: bool,
}

impl Needs {
    /// Nothing but a model of this kind.
    pub fn model(model: ModelUse, kind: ModelKind) -> Self {
        Self { model, kinds: vec![kind], ..Self::default() }
    }

    /// Returns the model that a call with these arguments works on.
    pub fn model_of(&self, arguments: &Value) -> ModelUse {
        match &self.new_when {
            Some(condition) if condition.holds(arguments) => ModelUse::New,
            _ => self.model,
        }
    }

    /// The kind of the session's model that is meant by a caller for whom this kind is the usual one; none where the latest model
    /// is, of whatever kind.
    pub fn kind(&self, usual: Option<ModelKind>) -> Option<ModelKind> {
        match self.kinds.as_slice() {
            [only] => Some(*only),
            kinds => usual.filter(|usual| kinds.contains(usual)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn conditions_hold_for_texts_alone() {
        let is = Condition::is("mode", "query");
        assert!(is.holds(&json!({ "mode": "query" })));
        for other in [json!({}), json!({ "mode": "modify" }), json!({ "mode": ["query"] }), json!(3)] {
            assert!(!is.holds(&other), "{other}");
        }
        let begins = Condition::begins_otherwise("location", "schema/");
        assert!(begins.holds(&json!({ "location": "io/chapter" })));
        for other in [json!({}), json!({ "location": "schema/Zone" }), json!({ "location": 3 })] {
            assert!(!begins.holds(&other), "{other}");
        }
    }

    #[test]
    fn a_call_makes_a_new_model_where_the_condition_says_so() {
        let needs = Needs {
            new_when: Some(Condition::is("steps.0.tool", "create_project")),
            ..Needs::model(ModelUse::Current, ModelKind::Ifc)
        };
        let begun = json!({ "steps": [{ "tool": "create_project" }, { "tool": "create_wall" }] });
        assert_eq!(needs.model_of(&begun), ModelUse::New);
        for on_one in [
            json!({}),
            json!({ "steps": [] }),
            json!({ "steps": [{ "tool": "create_wall" }, { "tool": "create_project" }] }),
            json!({ "steps": { "0": { "tool": 3 } } }),
        ] {
            assert_eq!(needs.model_of(&on_one), ModelUse::Current, "{on_one}");
        }
        let given = Condition::given("project");
        assert!(given.holds(&json!({ "project": {} })));
        assert!(!given.holds(&json!({ "project": null })) && !given.holds(&json!({})));
    }

    #[test]
    fn one_kind_is_always_meant_and_of_several_the_usual_one() {
        let one = Needs::model(ModelUse::Current, ModelKind::EnergyPlus);
        assert_eq!(one.kind(Some(ModelKind::Ifc)), Some(ModelKind::EnergyPlus));
        let both = Needs { kinds: vec![ModelKind::Ifc, ModelKind::EnergyPlus], ..one };
        assert_eq!(both.kind(Some(ModelKind::Ifc)), Some(ModelKind::Ifc));
        assert_eq!(both.kind(None), None);
    }
}
