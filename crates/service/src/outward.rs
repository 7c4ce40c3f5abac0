//! What a Fault says to callers elsewhere: not where on this machine things lie. Whoever sits at the machine, and the logs, are told all.

use crate::call::Call;
use contract::{AuditRecord, Caller as _, Fault, JobRecord, JobState};
use serde::Deserialize as _;
use serde_json::Value;

/// The words in the place of a path.
const SOMEWHERE: &str = "(on the server)";
/// Members of a job's result that name folders of the machine that it ran on.
const FOLDERS: [&str; 2] = ["output_directory", "not_copied"];
/// Members of a Fault's data that are about the machine alone.
const MEMBERS: [&str; 4] = ["path", "program", "looked_in", "worker"];

impl Call {
    /// The Fault as this caller may read it.
    pub(crate) fn outward(&self, fault: Fault) -> Fault {
        if self.who.principal.local { fault } else { without_paths(fault, &self.inner.config.hidden_roots()) }
    }

    /// The Fault that was written down as JSON, as this caller may read it; anything else as it is.
    fn outward_json(&self, said: &mut Value) {
        if let Ok(fault) = Fault::deserialize(&*said) {
            *said = self.outward(fault).to_json();
        }
    }

    /// A job as this caller may read it, with links that let this caller in: a job is run in nobody's presence.
    pub(crate) fn outward_job(&self, mut job: JobRecord) -> JobRecord {
        let Some(result) = job.result.as_mut() else { return job };
        if job.state == JobState::Failed {
            self.outward_json(result);
            return job;
        }
        let Some(members) = result.as_object_mut() else { return job };
        if !self.who.principal.local {
            for member in FOLDERS {
                members.shift_remove(member);
            }
        }
        for list in ["links", "files"] {
            for item in members.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
                let Some(href) = item.get_mut("href") else { continue };
                let path = href.as_str().and_then(|href| href.strip_prefix(&self.inner.config.public_url));
                if let Some(path) = path.map(str::to_owned) {
                    *href = self.address_of(&path).into();
                }
            }
        }
        job
    }

    /// An entry of the audit log as this caller may read it. The log itself keeps all.
    pub(crate) fn outward_entry(&self, entry: &mut AuditRecord) {
        if !self.who.principal.local {
            self.outward_json(&mut entry.outcome);
        }
    }
}

/// A Fault without paths below these folders.
fn without_paths(mut fault: Fault, roots: &[String]) -> Fault {
    let named = MEMBERS.iter().any(|member| fault.data.contains_key(*member));
    let says_path = |text: &str| roots.iter().any(|root| text.contains(root.as_str()));
    if !named && !says_path(&fault.message) && !fault.data.values().any(|value| says_path(&value.to_string()))
    {
        return fault;
    }
    tracing::warn!(code = fault.code.number(), message = fault.message, "told elsewhere without its paths");
    for member in MEMBERS {
        fault.data.remove(member);
    }
    fault.message = text_without(&fault.message, roots);
    for value in fault.data.values_mut() {
        clean(value, roots);
    }
    fault
}

fn clean(value: &mut Value, roots: &[String]) {
    match value {
        Value::String(text) => *text = text_without(text, roots),
        Value::Array(items) => items.iter_mut().for_each(|item| clean(item, roots)),
        Value::Object(members) => members.values_mut().for_each(|member| clean(member, roots)),
        _ => {}
    }
}

fn text_without(text: &str, roots: &[String]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let found = roots.iter().filter_map(|root| rest.find(root.as_str())).min();
        let Some(at) = found else { break };
        let (before, path) = rest.split_at(at);
        kept.push_str(before);
        kept.push_str(SOMEWHERE);
        let stops = |c: char| c.is_whitespace() || "\"'`,;:)(<>".contains(c);
        let end = path.find(stops).unwrap_or(path.len());
        // a full stop ends the sentence
        let end = if path.get(..end).is_some_and(|path| path.ends_with('.')) { end - 1 } else { end };
        rest = path.get(end.max(1)..).unwrap_or_default();
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::roots;
    use contract::FaultCode;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn paths_of_the_server_are_not_told_and_all_else_is() {
        let roots = roots([Path::new("/srv/pensaer")].into_iter());
        let fault = Fault::new(
            FaultCode::StorageFailed,
            "Storage failed: /srv/pensaer/blobs/ab/cd: no space left. See '/tmp/x/worker.log'. GET /bucket/files lists files.",
        )
        .with("path", "/srv/pensaer/blobs/ab")
        .with("list", json!([{"file": "/usr/bin/python3"}, "house.ifc"]))
        .with("href", "https://bim.example.org/bucket/home");
        let told = without_paths(fault, &roots);
        assert_eq!(
            told.message,
            "Storage failed: (on the server): no space left. See '(on the server)'. GET /bucket/files lists files."
        );
        assert_eq!(told.data.get("path"), None);
        assert_eq!(told.data["list"], json!([{"file": "(on the server)"}, "house.ifc"]));
        assert_eq!(told.data["href"], "https://bim.example.org/bucket/home");
    }

    #[test]
    fn a_sentence_keeps_its_full_stop() {
        let roots = roots([Path::new("/srv/pensaer")].into_iter());
        assert_eq!(
            text_without("It is in /srv/pensaer/x.log. Look.", &roots),
            "It is in (on the server). Look."
        );
        assert_eq!(text_without("It is in /srv/pensaer", &roots), "It is in (on the server)");
    }
}
