//! What a task needs to know, read by an address: sections on tools, guides and the standard within a budget.

use crate::library;
use contract::{
    BoxFuture, Condition, Effect, EventType, Fault, FaultCode, ModelKind, ModelUse, Needs, Operation,
    Platform, ResourceListed, ResourceRead, ResourceSource,
};
use serde_json::json;

const SCHEME: &str = "pensaer://task/";
/// Characters, where an address names none.
const BUDGET: usize = 8_000;

/// The resources of tasks: `pensaer://task/WORDS` and `pensaer://task/WORDS/CHARACTERS`.
pub struct TaskResources;

/// The words of a task and the characters that an answer may have.
fn parse(parts: &[String]) -> Option<(&str, usize)> {
    match parts {
        [words] => Some((words, BUDGET)),
        [words, budget] => Some((words, budget.parse().ok()?)),
        _ => None,
    }
}

impl ResourceSource for TaskResources {
    fn scheme(&self) -> &'static str {
        SCHEME
    }

    fn kind(&self) -> ModelKind {
        ModelKind::Ifc
    }

    fn resources(&self) -> Vec<ResourceListed> {
        Vec::new()
    }

    fn templates(&self) -> Vec<ResourceListed> {
        let listed = |path: &str, description: &str| ResourceListed {
            uri: format!("{SCHEME}{path}"),
            name: "task".to_owned(),
            description: description.to_owned(),
        };
        vec![
            listed("{words}", "Tools, guides, rules and terms of the standard that a task needs."),
            listed("{words}/{characters}", "The same in so many characters, 500 to 16,000."),
        ]
    }

    fn knows(&self, parts: &[String]) -> bool {
        parse(parts).is_some()
    }

    fn changed_by(&self, _: &[String]) -> Option<EventType> {
        None
    }

    fn read<'a>(
        &'a self,
        platform: &'a dyn Platform,
        parts: &'a [String],
    ) -> BoxFuture<'a, Result<ResourceRead, Fault>> {
        Box::pin(async move {
            let (words, budget) =
                parse(parts).ok_or_else(|| Fault::new(FaultCode::NotFound, "There is no such task."))?;
            let operation = Operation {
                effect: Effect::Query,
                name: "search_docs".to_owned(),
                params: json!({ "query": words, "max_length": budget }),
            };
            let needs = Needs {
                files: vec![
                    library::collections(),
                    library::api(),
                    library::manuals("version", Vec::<Condition>::new()),
                ],
                ..Needs::model(ModelUse::Optional, ModelKind::Ifc)
            };
            let value = platform.query_needing(operation, &needs).await?.result;
            Ok(ResourceRead { model: None, is_fixed: false, value })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_words_and_perhaps_a_number() {
        let parse = |parts: &[&str]| {
            let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
            super::parse(&parts).map(|(words, budget)| (words.to_owned(), budget))
        };
        assert_eq!(parse(&["door schedule"]), Some(("door schedule".to_owned(), BUDGET)));
        assert_eq!(parse(&["door", "900"]), Some(("door".to_owned(), 900)));
        assert_eq!((parse(&["door", "much"]), parse(&[]), parse(&["a", "1", "2"])), (None, None, None));
    }
}
