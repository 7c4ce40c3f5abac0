//! Which adapter resolves an operation, and what to say where none does.

use contract::{AdapterInfo, Effect, Fault, FaultCode, ModelKind, Request};
use std::collections::BTreeMap;

struct Resolver {
    adapter: usize,
    effect: Effect,
    kinds: Vec<ModelKind>,
}

/// Operations by name, each with the adapters that resolve it.
pub(super) struct Operations(BTreeMap<String, Vec<Resolver>>);

impl Operations {
    pub(super) fn of(adapters: &[AdapterInfo]) -> Self {
        let mut operations: BTreeMap<String, Vec<Resolver>> = BTreeMap::new();
        for (at, adapter) in adapters.iter().enumerate() {
            for operation in &adapter.operations {
                operations.entry(operation.name.clone()).or_default().push(Resolver {
                    adapter: at,
                    effect: operation.effect,
                    kinds: adapter.kinds.clone(),
                });
            }
        }
        Self(operations)
    }

    /// The adapter for a request, by its place in the host.
    pub(super) fn resolve(&self, request: &Request) -> Result<usize, Fault> {
        let operation = &request.operation;
        let name = operation.name.as_str();
        let Some(resolvers) = self.0.get(name) else {
            let near = self.near(name);
            let hint = match near.first() {
                Some(near) => format!(" Did you mean {near}?"),
                None => " /info lists what can be done here.".to_owned(),
            };
            return Err(Fault::new(
                FaultCode::NotSupported,
                format!("No adapter here resolves {name:?}.{hint}"),
            )
            .with("operation", name)
            .with("near_matches", near));
        };
        let of_kind: Vec<&Resolver> = resolvers
            .iter()
            .filter(|resolver| request.models.iter().all(|model| resolver.kinds.contains(&model.kind)))
            .collect();
        let Some(first) = of_kind.first() else {
            let kinds: Vec<&str> =
                resolvers.iter().flat_map(|r| &r.kinds).map(|kind| kind.as_str()).collect();
            let given: Vec<&str> = request.models.iter().map(|model| model.kind.as_str()).collect();
            return Err(Fault::new(
                FaultCode::NotSupported,
                format!("{name} works on {} models; {} was given.", kinds.join(", "), given.join(", ")),
            )
            .with("operation", name)
            .with("kinds", kinds));
        };
        match of_kind.iter().find(|resolver| resolver.effect == operation.effect) {
            Some(resolver) => Ok(resolver.adapter),
            None => Err(wrong_effect(name, operation.effect, first.effect)),
        }
    }

    /// Names that a mistyped one may have meant, the likeliest first.
    fn near(&self, name: &str) -> Vec<&str> {
        let wanted: String = name.chars().take(64).collect();
        let mut near: Vec<(f64, &str)> = self
            .0
            .keys()
            .map(|known| (strsim::jaro_winkler(&wanted, known), known.as_str()))
            .filter(|(score, _)| *score >= 0.85)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        near.into_iter().take(3).map(|(_, known)| known).collect()
    }
}

/// The operation is known, but with another effect than the request or the endpoint says.
pub(super) fn wrong_effect(name: &str, given: Effect, right: Effect) -> Fault {
    Fault::invalid(
        "operation.effect",
        format!(
            "{name} is a {} operation, not {}. Send it to /{}.",
            right.as_str(),
            given.as_str(),
            right.as_str()
        ),
    )
    .with("expected", right)
}
