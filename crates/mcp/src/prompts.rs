//! Prompts: what `prompts/list` and `prompts/get` answer. They come as descriptions, like tools; this crate knows none by name.

use contract::PromptSpec;
use rmcp::ErrorData;
use rmcp::model::{GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

/// A prompt as a list tells it.
pub(crate) fn listed(spec: &PromptSpec) -> Prompt {
    let arguments = spec.arguments.iter().map(|argument| {
        PromptArgument::new(&argument.name)
            .with_title(&argument.title)
            .with_description(&argument.description)
            .with_required(argument.default.is_none())
    });
    Prompt::new(&spec.name, Some(&spec.description), Some(arguments.collect())).with_title(&spec.title)
}

/// Answers `prompts/get`.
pub(crate) fn get(
    prompts: &[PromptSpec],
    request: &GetPromptRequestParams,
) -> Result<GetPromptResult, ErrorData> {
    let spec = named(prompts, &request.name)?;
    let known = |name: &str| spec.arguments.iter().any(|argument| argument.name == name);
    for (name, value) in request.arguments.iter().flatten() {
        if !known(name) {
            let all: Vec<&str> = spec.arguments.iter().map(|argument| argument.name.as_str()).collect();
            let message = format!("{} has no argument {name}; it takes {}.", spec.name, all.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        }
        if !value.is_string() {
            let message = format!("The argument {name} has to be a text.");
            return Err(ErrorData::invalid_params(message, None));
        }
    }
    let given = |name: &str| request.arguments.as_ref()?.get(name).and_then(Value::as_str);
    let text = spec.filled(given).map_err(|lacking| {
        ErrorData::invalid_params(format!("{} needs the argument {lacking}.", spec.name), None)
    })?;
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(&spec.description))
}

/// The prompt of this name.
pub(crate) fn named<'p>(prompts: &'p [PromptSpec], name: &str) -> Result<&'p PromptSpec, ErrorData> {
    prompts.iter().find(|prompt| prompt.name == name).ok_or_else(|| {
        let all: Vec<&str> = prompts.iter().map(|prompt| prompt.name.as_str()).collect();
        let message = format!("There is no prompt {name}. There are {}.", all.join(", "));
        ErrorData::invalid_params(message, None)
    })
}
