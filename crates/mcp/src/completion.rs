//! Values that are offered while one types: for arguments of prompts, and for variables in resources' addresses.

use crate::door::Door;
use crate::prompts;
use crate::resources::refused;
use contract::{Completion, Fault, FaultCode, PromptSpec};
use rmcp::ErrorData;
use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};
use service::CallContext;

/// Answers `completion/complete`.
pub(crate) async fn complete(
    prompts: &[PromptSpec],
    door: &dyn Door,
    context: CallContext,
    request: &CompleteRequestParams,
) -> Result<CompletionInfo, ErrorData> {
    let (argument, typed) = (&request.argument.name, &request.argument.value);
    let wanted = match &request.r#ref {
        Reference::Prompt(prompt) => {
            let spec = prompts::named(prompts, &prompt.name)?;
            let Some(known) = spec.arguments.iter().find(|known| known.name == *argument) else {
                let message = format!("{} has no argument {argument}.", spec.name);
                return Err(ErrorData::invalid_params(message, None));
            };
            known.completion.clone()
        }
        Reference::Resource(form) => {
            let templates = door.resource_templates();
            let is_variable = form.uri.contains(&format!("{{{argument}}}"));
            if !is_variable || !templates.iter().any(|template| template.uri == form.uri) {
                let message = format!("There is no resource template {} with {argument}.", form.uri);
                return Err(ErrorData::invalid_params(message, None));
            }
            Completion::for_variable(argument)
        }
        _ => None,
    };
    let values = match wanted {
        None => Vec::new(),
        Some(Completion::Choice(all)) => {
            let typed = typed.to_lowercase();
            all.into_iter().filter(|value| value.to_lowercase().starts_with(&typed)).collect()
        }
        Some(wanted) => {
            let model = model_named(prompts, request);
            door.complete(context, &wanted, typed, model)
                .await
                .or_else(|fault| if is_nothing_to_offer(&fault) { Ok(Vec::new()) } else { Err(fault) })
                .map_err(|fault| refused(&fault))?
        }
    };
    let total = u32::try_from(values.len()).unwrap_or(u32::MAX);
    let has_more = values.len() > CompletionInfo::MAX_VALUES;
    let offered = values.into_iter().take(CompletionInfo::MAX_VALUES).collect();
    CompletionInfo::with_pagination(offered, Some(total), has_more)
        .map_err(|error| ErrorData::internal_error(error, None))
}

/// The model that an earlier argument names.
fn model_named<'r>(prompts: &[PromptSpec], request: &'r CompleteRequestParams) -> Option<&'r str> {
    let given = request.context.as_ref()?.arguments.as_ref()?;
    let name = match &request.r#ref {
        Reference::Prompt(prompt) => {
            let spec = prompts.iter().find(|spec| spec.name == prompt.name)?;
            let models =
                |argument: &&contract::PromptArgument| argument.completion == Some(Completion::Model);
            spec.arguments.iter().find(models)?.name.as_str()
        }
        _ => "model_id",
    };
    given.get(name).map(String::as_str).filter(|model| !model.is_empty())
}

/// True if there is only nothing to offer: no such model, or none that is meant.
fn is_nothing_to_offer(fault: &Fault) -> bool {
    matches!(
        fault.code,
        FaultCode::NotFound
            | FaultCode::ModelNotFound
            | FaultCode::NoModelLoaded
            | FaultCode::NotSupported
            | FaultCode::InvalidParams
    )
}
