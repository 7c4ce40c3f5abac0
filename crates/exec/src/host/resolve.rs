//! Which adapter resolves an operation, and what to say where none does.

use contract::{AdapterInfo, Effect, Fault, FaultCode, ModelKind, Request};
use std::collections::BTreeMap;

/// Operations by name, each with the adapters that resolve it.
pub(super) struct Operations {
    by_name: BTreeMap<String, Vec<Resolver>>,
    adapters: Vec<String>,
}

struct Resolver {
    adapter: usize,
    effect: Effect,
    kinds: Vec<ModelKind>,
}

impl Operations {
    pub(super) fn from_adapters(adapters: &[AdapterInfo]) -> Self {
        let mut by_name: BTreeMap<String, Vec<Resolver>> = BTreeMap::new();
        for (at, adapter) in adapters.iter().enumerate() {
            for operation in &adapter.operations {
                by_name.entry(operation.name.clone()).or_default().push(Resolver {
                    adapter: at,
                    effect: operation.effect,
                    kinds: adapter.kinds.clone(),
                });
            }
        }
        Self { by_name, adapters: adapters.iter().map(|adapter| adapter.name.clone()).collect() }
    }

    /// The adapter for a request, by its place in the host.
    pub(super) fn resolve(&self, request: &Request) -> Result<usize, Fault> {
        let operation = &request.operation;
        let name = operation.name.as_str();
        if let Some(backend) = &request.backend
            && !self.adapters.contains(backend)
        {
            return Err(Fault::new(
                FaultCode::NotSupported,
                format!("There is no back end {backend:?} here; there is {}.", self.adapters.join(", ")),
            )
            .with("backend", backend)
            .with("allowed", &self.adapters));
        }
        let is_wanted = |resolver: &&Resolver| match &request.backend {
            Some(backend) => self.adapters.get(resolver.adapter) == Some(backend),
            None => true,
        };
        let resolvers: Vec<&Resolver> =
            self.by_name.get(name).into_iter().flatten().filter(is_wanted).collect();
        if resolvers.is_empty() {
            let near = self.near(name);
            let hint = match near.first() {
                Some(near) if *near == name => format!(
                    " The back end {} does not; another here does.",
                    request.backend.as_deref().unwrap_or_default()
                ),
                Some(near) => format!(" Did you mean {near}?"),
                None => " /info lists what can be done here.".to_owned(),
            };
            return Err(Fault::new(
                FaultCode::NotSupported,
                format!("No adapter here resolves {name:?}.{hint}"),
            )
            .with("operation", name)
            .with("near_matches", near));
        }
        let of_kind: Vec<&Resolver> = resolvers
            .iter()
            .copied()
            .filter(|resolver| request.models.iter().all(|model| resolver.kinds.contains(&model.kind)))
            .collect();
        let Some(first) = of_kind.first() else {
            let kinds: Vec<&str> =
                resolvers.iter().flat_map(|r: &&Resolver| &r.kinds).map(|kind| kind.as_str()).collect();
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
            .by_name
            .keys()
            .map(|known| (strsim::jaro_winkler(&wanted, known), known.as_str()))
            .filter(|(score, _)| *score >= 0.85)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        near.into_iter().take(3).map(|(_, known)| known).collect()
    }
}

/// The operation is known, but with another effect than the request or the endpoint says.
pub(crate) fn wrong_effect(name: &str, given: Effect, right: Effect) -> Fault {
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
