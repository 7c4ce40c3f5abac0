//! Which places a call may go to, the best first.
//!
//! A model's history stays in one place, which then has it open: the place with the highest hash over the model's id and its
//! own name (rendezvous hashing). When that place is gone the next highest takes over, and all other models stay where
//! they are. Calls without a model take turns.

use super::PoolConfig;
use super::place::Place;
use contract::{Fault, FaultCode, Request};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The time for which a call waits for endpoints that were never asked, if no other place could take it.
const PATIENCE: Duration = Duration::from_secs(6);

/// All places of a pool.
pub(super) struct Places {
    pub(super) all: Vec<Place>,
    turn: AtomicUsize,
}

impl Places {
    pub(super) fn new(all: Vec<Place>) -> Self {
        Self { all, turn: AtomicUsize::new(0) }
    }

    /// The places for a request, the best first; never none.
    pub(super) async fn route(
        &self,
        config: &PoolConfig,
        backend: &str,
        request: &Request,
    ) -> Result<Vec<Place>, Fault> {
        if !self.all.iter().any(|place| is_live(place) && place.has(backend)) {
            let asked = async {
                for place in &self.all {
                    if let Place::Remote(remote) = place {
                        remote.asked().await;
                    }
                }
            };
            let _ = tokio::time::timeout(PATIENCE, asked).await;
        }
        let name = &request.operation.name;
        let live: Vec<&Place> =
            self.all.iter().filter(|place| is_live(place) && place.has(backend)).collect();
        let fitting = live.iter().filter(|place| match place {
            Place::Local(_) => true,
            Place::Remote(remote) => remote.fits(backend, name),
        });
        let mut fitting: Vec<Place> = fitting.map(|place| (*place).clone()).collect();
        if fitting.is_empty() {
            return Err(if live.is_empty() {
                self.nobody(config, backend)
            } else {
                other_version(name, &live)
            });
        }
        if let Some(model) = request.models.first() {
            let rank = |place: &Place| std::cmp::Reverse(score(model.id.as_str(), place.name()));
            fitting.sort_by_cached_key(rank);
        } else {
            let turn = self.turn.fetch_add(1, Ordering::Relaxed) % fitting.len();
            fitting.rotate_left(turn);
        }
        Ok(fitting)
    }

    /// The back ends that there are, each once.
    pub(super) fn backends(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for place in &self.all {
            let found: Vec<String> = match place {
                Place::Local(local) => {
                    local.is_here().then(|| local.backend().to_owned()).into_iter().collect()
                }
                Place::Remote(remote) => remote.adapters().into_iter().map(|adapter| adapter.name).collect(),
            };
            for name in found {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    fn nobody(&self, config: &PoolConfig, backend: &str) -> Fault {
        let troubles = self.all.iter().filter_map(|place| match place {
            Place::Local(_) => None,
            Place::Remote(remote) => remote.trouble(),
        });
        let troubles: Vec<String> = troubles.collect();
        let known = self.all.iter().any(|place| place.has(backend));
        if known || (backend == config.default && !troubles.is_empty()) {
            return Fault::backend(format!(
                "The back end {backend} cannot be reached: {}. Nothing was run; it is asked again in the background, so \
                 try again in a while, or see to that service.",
                troubles.join("; ")
            ))
            .with("backend", backend)
            .with("retry_after_ms", 1000);
        }
        let there = self.backends();
        let hint = config.hints.get(backend);
        let names = if there.is_empty() { String::new() } else { format!("; there is {}", there.join(", ")) };
        let get = hint.map(|hint| format!(" To get it: {hint}.")).unwrap_or_default();
        let missed = match troubles.as_slice() {
            [] => String::new(),
            troubles => format!(" Not reached: {}.", troubles.join("; ")),
        };
        let message = format!("There is no back end {backend:?} here{names}.{get}{missed}");
        let fault =
            Fault::new(FaultCode::NotSupported, message).with("backend", backend).with("allowed", there);
        match hint {
            Some(hint) => fault.with("install", hint),
            None => fault,
        }
    }
}

fn is_live(place: &Place) -> bool {
    match place {
        Place::Local(_) => true,
        Place::Remote(remote) => remote.live(),
    }
}

fn score(model: &str, place: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (model, place).hash(&mut hasher);
    hasher.finish()
}

fn other_version(name: &str, live: &[&Place]) -> Fault {
    let names: Vec<&str> = live.iter().map(|place| place.name()).collect();
    Fault::new(
        FaultCode::NotSupported,
        format!(
            "{name} is resolved by {} in another version than is known here, or not at all. Run the same version of the \
             program there.",
            names.join(", ")
        ),
    )
    .with("operation", name)
    .with("endpoints", names)
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn the_loss_of_a_place_moves_only_the_models_that_it_had() {
        let places = ["native/0", "native/1", "http://10.0.0.5:8421", "http://10.0.0.6:8421"];
        let best = |model: &str, places: &[&'static str]| {
            places.iter().copied().max_by_key(|place| score(model, place)).unwrap()
        };
        let mut of_each = [0; 4];
        for model in 0..400 {
            let model = format!("model-{model}");
            let before = best(&model, &places);
            let after = best(&model, &places[..3]);
            assert!(before == after || before == places[3]);
            of_each[places.iter().position(|place| *place == before).unwrap()] += 1;
        }
        assert!(of_each.iter().all(|count| (60..140).contains(count)), "{of_each:?}");
    }
}
