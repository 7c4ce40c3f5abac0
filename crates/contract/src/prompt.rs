//! Prompts: ways of working that a person picks from a list, with a few arguments, as text that leads an agent through the tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The values that an argument of a prompt, or a variable in a resource's address, may have, where they can be offered while one types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Completion {
    /// Models, by id or name.
    Model,
    /// Branches and versions of the model.
    Version,
    /// Elements of the model, by `GlobalId`.
    Element,
    /// Types of objects that are in the model.
    ObjectType,
    /// These.
    Choice(Vec<String>),
}

impl Completion {
    /// The values of a variable in resources' addresses, which are called alike everywhere.
    pub fn for_variable(name: &str) -> Option<Self> {
        match name {
            "model_id" => Some(Self::Model),
            "version" | "base" | "target" => Some(Self::Version),
            "global_id" => Some(Self::Element),
            "object_type" => Some(Self::ObjectType),
            _ => None,
        }
    }
}

/// An argument of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptArgument {
    /// Its name; in braces it stands for the value in the text.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The value to give.
    pub description: String,
    /// The words that stand in the text where it is not given; none where it has to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The values that it may have, where they can be offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion: Option<Completion>,
}

/// A prompt as transports publish it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptSpec {
    /// `verb_noun`.
    pub name: String,
    /// A few words for people.
    pub title: String,
    /// Its purpose, in a sentence.
    pub description: String,
    /// Its arguments, in the order they are asked for.
    pub arguments: Vec<PromptArgument>,
    /// The text, with the arguments' names in braces.
    pub text: String,
}

impl PromptSpec {
    /// The text with the values that `given` has for arguments; the name of the first that is lacking otherwise.
    pub fn filled<'a>(&self, given: impl Fn(&str) -> Option<&'a str>) -> Result<String, &str> {
        let mut text = String::with_capacity(self.text.len());
        let mut rest = self.text.as_str();
        // in one pass, so that what somebody gives is never read as a name
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, behind)) = after.split_once('}') else { break };
            let Some(argument) = self.arguments.iter().find(|argument| argument.name == name) else {
                text.extend([before, "{"]);
                rest = after;
                continue;
            };
            let value = given(name).map(str::trim).filter(|value| !value.is_empty());
            let value = value.or(argument.default.as_deref()).ok_or(argument.name.as_str())?;
            text.extend([before, value]);
            rest = behind;
        }
        text.push_str(rest);
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(text: &str) -> PromptSpec {
        let argument = |name: &str, default: Option<&str>| PromptArgument {
            name: name.into(),
            title: name.into(),
            description: name.into(),
            default: default.map(str::to_owned),
            completion: None,
        };
        PromptSpec {
            name: "p".into(),
            title: "P".into(),
            description: "p".into(),
            arguments: vec![argument("model", Some("the current model")), argument("what", None)],
            text: text.into(),
        }
    }

    #[test]
    fn names_in_braces_become_what_is_given_or_their_default() {
        let prompt = prompt("Do {what} with {model}, {\"json\": 1} and {other}.");
        let filled = prompt.filled(|name| (name == "what").then_some("{model}"));
        assert_eq!(filled.unwrap(), "Do {model} with the current model, {\"json\": 1} and {other}.");
        assert_eq!(prompt.filled(|_| Some("  ")), Err("what"));
    }
}
