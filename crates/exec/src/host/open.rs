//! From a model in a request to an opened version: the version itself if it is held, else its nearest ancestor that is,
//! else the whole file; then the deltas between, in order.
//!
//! A version's id is a hash over its parent's and its delta, so the deltas of a request prove themselves: they lead from
//! the base to the version asked for, or they are refused.

use super::Host;
use super::cache::Held;
use contract::{Delta, Fault, FaultCode, ModelInput, Source, VersionId, Watch};
use std::path::Path;

impl Host {
    /// Opens the version that a request names.
    pub(super) fn open(
        &self,
        adapter: usize,
        at: usize,
        input: &ModelInput,
        watch: &dyn Watch,
    ) -> Result<Held, Fault> {
        let key = (adapter, input.version.clone());
        if let Some(held) = self.cache.get(&key) {
            return Ok(held);
        }
        if input.base.is_none() && input.deltas.is_empty() {
            return Err(not_open(input));
        }
        let Some(base_version) =
            input.base_version.as_ref().or(input.deltas.is_empty().then_some(&input.version))
        else {
            return Err(Fault::invalid(
                &format!("models[{at}].base_version"),
                "Deltas are given without the version of the base that they start from. Give base_version.",
            ));
        };
        watch.begins("opening the model");
        let steps = chain(at, input, base_version)?;
        let held = steps.iter().enumerate().rev().find_map(|(n, (version, _))| {
            self.cache.get(&(adapter, version.clone())).map(|held| (n + 1, held))
        });
        let (mut next, mut held) = match held {
            Some(found) => found,
            None => (0, self.open_base(adapter, at, input, base_version)?),
        };
        while let Some((version, bytes)) = steps.get(next) {
            if !watch.at(next as u64, steps.len() as u64) {
                return Err(Fault::given_up("opening the model"));
            }
            held = self.cache.get_or_open(&(adapter, version.clone()), || {
                let field = format!("models[{at}].deltas[{next}]");
                let delta =
                    Delta::decode(bytes).map_err(|error| damaged(&field, input, &error.to_string()))?;
                if delta.kind != input.kind {
                    return Err(damaged(&field, input, "it belongs to another kind of model"));
                }
                let model =
                    self.adapter(adapter)?.apply(&held.model, &delta).map_err(|f| of_model(f, input))?;
                Ok((model, Some(held.lineage)))
            })?;
            next += 1;
        }
        Ok(held)
    }

    fn open_base(
        &self,
        adapter: usize,
        at: usize,
        input: &ModelInput,
        base_version: &VersionId,
    ) -> Result<Held, Fault> {
        let path = match &input.base {
            None => match self.cache.get(&(adapter, base_version.clone())) {
                Some(held) => return Ok(held),
                None => return Err(not_open(input)),
            },
            Some(Source::Path(path)) => Path::new(path),
            Some(Source::Href(_) | Source::Inline(_)) => {
                return Err(Fault::new(
                    FaultCode::NotSupported,
                    "This host opens base files from a path that it may read. Put the file there and give its path.",
                )
                .with("field", format!("models[{at}].base")));
            }
        };
        self.cache.get_or_open(&(adapter, base_version.clone()), || {
            if !path.is_file() {
                return Err(Fault::new(
                    FaultCode::NotFound,
                    format!("The base file of version {base_version} is not at {}.", path.display()),
                )
                .with("field", format!("models[{at}].base"))
                .with("path", path.display().to_string()));
            }
            let model =
                self.adapter(adapter)?.open(input.kind, path).map_err(|fault| of_model(fault, input))?;
            Ok((model, None))
        })
    }
}

/// The versions that the deltas make, one after another, each with its delta's bytes.
fn chain(
    at: usize,
    input: &ModelInput,
    base_version: &VersionId,
) -> Result<Vec<(VersionId, Vec<u8>)>, Fault> {
    let mut steps: Vec<(VersionId, Vec<u8>)> = Vec::with_capacity(input.deltas.len());
    for (n, source) in input.deltas.iter().enumerate() {
        let field = format!("models[{at}].deltas[{n}]");
        let bytes = match source {
            Source::Inline(_) => {
                source.inline_bytes().ok_or_else(|| damaged(&field, input, "it is not valid base64"))?
            }
            Source::Path(path) => {
                std::fs::read(path).map_err(|error| damaged(&field, input, &format!("{path}: {error}")))?
            }
            Source::Href(_) => {
                return Err(Fault::new(
                    FaultCode::NotSupported,
                    "This host does not fetch deltas from links.",
                )
                .with("field", field));
            }
        };
        let parent = steps.last().map_or(base_version, |(version, _)| version);
        steps.push((VersionId::of_delta(parent, &bytes), bytes));
    }
    let reached = steps.last().map_or(base_version, |(version, _)| version);
    if *reached != input.version {
        return Err(Fault::invalid(
            &format!("models[{at}].deltas"),
            format!(
                "Base and deltas lead to version {reached}, not to the version {} asked for: a delta is missing, \
                 damaged or out of order.",
                input.version
            ),
        )
        .with("reached", reached)
        .with("version", &input.version));
    }
    Ok(steps)
}

fn not_open(input: &ModelInput) -> Fault {
    of_model(
        Fault::new(
            FaultCode::VersionNotOpen,
            format!(
                "Version {} is not open here. Send the request again with its base and deltas.",
                input.version
            ),
        ),
        input,
    )
}

fn damaged(field: &str, input: &ModelInput, why: &str) -> Fault {
    of_model(
        Fault::new(FaultCode::BackendFailed, format!("A delta of this model cannot be read: {why}.")),
        input,
    )
    .with("field", field)
}

/// Says which model of the request a fault is about.
fn of_model(fault: Fault, input: &ModelInput) -> Fault {
    fault.with("role", &input.role).with("model_id", &input.id).with("model_version", &input.version)
}
