//! What can be read by an address instead of by a tool: models, their summaries, histories, differences and elements.
//!
//! Reading passes the same pipeline as a tool: who is it, may they, audit. What a resource is about is said with it, so
//! that a transport can tell those who subscribed when a commit touches it.

use crate::{CallContext, Service};
use contract::{
    Action, Effect, EventType, Fault, FaultCode, Operation, Platform, ResourceListed, ResourceRead,
};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::Arc;

/// The name that audit records.
const ACTION: &str = "read_resource";
/// Models and versions on the one page that a resource is.
const ROWS: u32 = 200;
/// Models whose resources are listed one by one.
const LISTED: u32 = 50;
const SCHEME: &str = "pensaer://";

/// The meaning of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Address {
    Models,
    Summary(String),
    Versions(String),
    Version(String, String),
    Diff(String, String, String),
    Element(String, String),
    Viewer(String),
}

impl Address {
    fn parse(uri: &str) -> Option<Self> {
        let parts = parts_behind(SCHEME, uri)?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        Some(match parts.as_slice() {
            ["models"] => Self::Models,
            ["models", id, "summary"] => Self::Summary((*id).to_owned()),
            ["models", id, "versions"] => Self::Versions((*id).to_owned()),
            ["models", id, "versions", version] => Self::Version((*id).to_owned(), (*version).to_owned()),
            ["models", id, "diff", base, target] => {
                Self::Diff((*id).to_owned(), (*base).to_owned(), (*target).to_owned())
            }
            ["models", id, "viewer"] => Self::Viewer((*id).to_owned()),
            ["models", id, "elements", element] => Self::Element((*id).to_owned(), (*element).to_owned()),
            _ => return None,
        })
    }

    fn model(&self) -> Option<&str> {
        match self {
            Self::Models => None,
            Self::Summary(id)
            | Self::Versions(id)
            | Self::Version(id, _)
            | Self::Diff(id, ..)
            | Self::Element(id, _)
            | Self::Viewer(id) => Some(id),
        }
    }
}

/// The forms of the service's own addresses.
fn own_templates() -> Vec<ResourceListed> {
    [
        ("models/{model_id}/summary", "summary", "What is in a model: schema, units, counts, storeys."),
        ("models/{model_id}/versions", "versions", "A model's history and branches, newest first."),
        (
            "models/{model_id}/versions/{version}",
            "version",
            "One version: by what, by whom, when, why, and how it came about.",
        ),
        (
            "models/{model_id}/diff/{base}/{target}",
            "diff",
            "What differs between two versions or branches of a model.",
        ),
        ("models/{model_id}/elements/{global_id}", "element", "One element of a model, whole."),
        (
            "models/{model_id}/viewer",
            "viewer",
            "What people have selected and marked in the browser's viewer, and from where they look.",
        ),
    ]
    .map(|(path, name, description)| ResourceListed {
        uri: format!("{SCHEME}{path}"),
        name: name.to_owned(),
        description: description.to_owned(),
    })
    .into()
}

/// The parts of an address behind its scheme.
fn parts_behind(scheme: &str, uri: &str) -> Option<Vec<String>> {
    uri.strip_prefix(scheme)?.split('/').map(decoded).collect()
}

impl Service {
    /// The forms of addresses.
    pub fn resource_templates(&self) -> Vec<ResourceListed> {
        let others = self.catalogue().resources().iter().flat_map(|source| source.templates());
        own_templates().into_iter().chain(others).collect()
    }

    /// The resources that are there now, those of the latest changed models first.
    pub async fn resources(&self, context: &CallContext) -> Result<Vec<ResourceListed>, Fault> {
        let models = self
            .perform(context, "list_resources", Action::Query, json!({}), |platform| {
                Box::pin(async move { platform.models(LISTED, None).await })
            })
            .await?;
        let mut listed = vec![ResourceListed {
            uri: format!("{SCHEME}models"),
            name: "models".to_owned(),
            description: "The models that are here, the latest changed first.".to_owned(),
        }];
        for model in models.items {
            for (part, what) in [("summary", "what is in it"), ("versions", "its history")] {
                listed.push(ResourceListed {
                    uri: format!("{SCHEME}models/{}/{part}", model.model_id),
                    name: format!("{} {part}", model.name),
                    description: format!("{}: {what}.", model.name),
                });
            }
        }
        for source in self.catalogue().resources() {
            if context.kind.is_none_or(|kind| kind == source.kind()) {
                listed.extend(source.resources());
            }
        }
        Ok(listed)
    }

    /// The event that alone changes what stands at an address, where commits do not.
    pub fn resource_changed_by(&self, uri: &str) -> Option<EventType> {
        let mut sources = self.catalogue().resources().iter();
        sources.find_map(|source| {
            let parts = parts_behind(source.scheme(), uri).filter(|parts| source.knows(parts))?;
            source.changed_by(&parts)
        })
    }

    /// The content of a resource.
    pub async fn read_resource(&self, context: &CallContext, uri: &str) -> Result<ResourceRead, Fault> {
        for source in self.catalogue().resources() {
            if let Some(parts) = parts_behind(source.scheme(), uri).filter(|parts| source.knows(parts)) {
                let (source, kind) = (Arc::clone(source), Some(source.kind()));
                return self
                    .perform_on(context, ACTION, Action::Query, kind, json!({ "uri": uri }), |platform| {
                        Box::pin(async move { source.read(platform, &parts).await })
                    })
                    .await;
            }
        }
        let Some(address) = Address::parse(uri) else {
            let forms: Vec<String> =
                self.resource_templates().into_iter().map(|template| template.uri).collect();
            let problem =
                format!("There is no resource {uri}. There are pensaer://models and {}.", forms.join(", "));
            return Err(Fault::new(FaultCode::NotFound, problem).with("uri", uri));
        };
        let arguments = match address.model() {
            Some(model) => json!({ "uri": uri, "model_id": model }),
            None => json!({ "uri": uri }),
        };
        self.perform(context, ACTION, Action::Query, arguments, |platform| Box::pin(read(platform, address)))
            .await
    }
}

async fn read(platform: &dyn Platform, address: Address) -> Result<ResourceRead, Fault> {
    if address == Address::Models {
        let models = platform.models(ROWS, None).await?;
        return Ok(ResourceRead { model: None, is_fixed: false, value: json!({ "models": models.items }) });
    }
    let model = platform.current_model().await?.model_id;
    let query = |name: &str, params: Value| {
        platform.query(Operation { effect: Effect::Query, name: name.to_owned(), params })
    };
    let mut is_fixed = false;
    let value = match address {
        Address::Models => Value::Null,
        Address::Summary(_) => {
            let version = platform.current_version().await?;
            let mut summary = query("model_summary", json!({})).await?.result;
            if let Some(members) = summary.as_object_mut() {
                members.insert("model_version".to_owned(), json!(version));
            }
            summary
        }
        Address::Versions(_) => {
            let branches = platform.refs(&model).await?;
            let versions = platform.versions(&model, ROWS, None).await?;
            json!({ "branches": branches, "versions": versions.items, "next_cursor": versions.next_cursor })
        }
        Address::Viewer(_) => json!({ "viewers": crate::sights::told(&platform.sights().await?) }),
        Address::Version(_, version) => {
            let record = platform.version(&model, &version).await?;
            is_fixed = record.version.0.starts_with(&version);
            let manifest = platform.manifest(&model, &record.version).await?;
            json!({ "version": record, "manifest": manifest })
        }
        Address::Diff(_, base, target) => {
            let (from, to) =
                (platform.version(&model, &base).await?, platform.version(&model, &target).await?);
            is_fixed = from.version.0.starts_with(&base) && to.version.0.starts_with(&target);
            let (_, summary) = platform.diff(&model, &from.version, &to.version, None).await?;
            json!({ "base": from.version, "target": to.version, "summary": summary })
        }
        Address::Element(_, element) => query("get_element", json!({ "element_id": element })).await?.result,
    };
    Ok(ResourceRead { model: Some(model), is_fixed, value })
}

/// A part of an address, with what `%` stands before.
pub(crate) fn decoded(part: &str) -> Option<String> {
    // the decoder leaves what is no code as it is; an address of ours has none
    let is_code =
        |after: &str| after.get(..2).is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if part.is_empty() || !part.split('%').skip(1).all(is_code) {
        return None;
    }
    percent_decode_str(part).decode_utf8().ok().map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_mean_what_their_form_says_and_others_nothing() {
        let parse = |path: &str| Address::parse(&format!("pensaer://{path}"));
        assert_eq!(parse("models"), Some(Address::Models));
        assert_eq!(parse("models/My%20house/summary"), Some(Address::Summary("My house".into())));
        let element = Address::Element("m".into(), "2O2Fr$t4X7Zf8NOew3FLOH".into());
        assert_eq!(parse("models/m/elements/2O2Fr$t4X7Zf8NOew3FLOH"), Some(element));
        for wrong in
            ["", "models/", "models/m", "models//summary", "models/%zz/summary", "models/m/diff/a", "x"]
        {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert_eq!(Address::parse("file:///etc/passwd"), None);
    }
}
