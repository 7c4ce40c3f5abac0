//! The answer of a tool call on the wire.
//!
//! Clients differ in what they show their model: some only the text, some only the structured content, a few both. The
//! text is therefore the whole answer as compact JSON, once; a client that is known to read structured content asks
//! for a line of text instead (`?results=structured`, `pensaer mcp --results structured`), one that reads text alone
//! gets nothing else (`results=text`). Pictures of an answer follow as content of their own, whatever the form, and so do links to files, for clients
//! of revisions that know them.

use contract::{ChatArtifact, Fault};
use rmcp::model::{CallToolResult, ContentBlock, Resource};
use serde_json::{Value, json};

/// In which form answers are sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ResultForm {
    /// Structured content, and the same JSON as text, as the specification recommends.
    #[default]
    Both,
    /// Structured content and one line of text.
    Structured,
    /// Text alone.
    Text,
}

impl ResultForm {
    /// The form of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "both" => Some(Self::Both),
            "structured" => Some(Self::Structured),
            "text" => Some(Self::Text),
            _ => None,
        }
    }
}

/// The path of links to files.
const FILES: &str = "/bucket/files/";
/// Links to files of one answer.
const LINKS: usize = 10;

/// Returns a result as a client reads it: links are a kind of content that only later revisions know.
pub(crate) fn for_client(mut result: CallToolResult, knows_links: bool) -> CallToolResult {
    if !knows_links {
        result.content.retain(|block| !matches!(block, ContentBlock::ResourceLink(_)));
    }
    result
}

/// Returns the outcome of a call as an MCP result.
pub(crate) fn answer(outcome: Result<ChatArtifact, Fault>, form: ResultForm) -> CallToolResult {
    match outcome {
        Ok(mut artifact) => {
            let pictures = std::mem::take(&mut artifact.pictures);
            let line = (form == ResultForm::Structured).then(|| one_line(&artifact));
            let is_file = |link: &&contract::Link| link.href.contains(FILES);
            let links: Vec<ContentBlock> = artifact
                .links
                .iter()
                .filter(is_file)
                .take(LINKS)
                .map(|link| ContentBlock::ResourceLink(Resource::new(&*link.href, &*link.title)))
                .collect();
            let value = serde_json::to_value(artifact).unwrap_or_else(|_| json!({}));
            let text = line.unwrap_or_else(|| in_short(&value));
            let mut content = vec![ContentBlock::text(text)];
            content.extend(pictures.into_iter().map(|p| ContentBlock::image(p.base64, p.media_type)));
            content.extend(links);
            let mut result = CallToolResult::success(content);
            result.structured_content = (form != ResultForm::Text).then_some(value);
            result
        }
        Err(fault) => {
            let mut result = CallToolResult::error(vec![ContentBlock::text(fault_text(&fault))]);
            if form != ResultForm::Text {
                result.structured_content = Some(fault.to_json());
            }
            result
        }
    }
}

/// The member of an answer that has the hash of a file.
const HASH: &str = "sha256";
/// Characters of a version's id that stand for it wherever a version is asked for.
const VERSION: usize = 12;

/// An answer for readers of text: as it is, but the id of its version cut to what is enough to name it, without the id of the event, which the
/// log has by that version, and the hash of a file, which nobody reads, and of a run whose model is still as it was simulated only the job.
fn in_short(answer: &Value) -> String {
    let Some(members) = answer.as_object() else { return answer.to_string() };
    let run = members.get("results_of").and_then(Value::as_object).filter(|run| !run.contains_key("note"));
    let version = members.get("model_version").and_then(Value::as_str);
    let hash = members.get(HASH).filter(|hash| hash.is_string());
    if run.is_none() && version.is_none() && hash.is_none() {
        return answer.to_string();
    }
    let mut short = members.clone();
    if let Some(version) = version {
        short.shift_remove("event_id");
        short["model_version"] = version.chars().take(VERSION).collect::<String>().into();
    }
    if hash.is_some() {
        short.shift_remove(HASH);
    }
    if let Some(job) = run.and_then(|run| run.get("job_id")) {
        short["results_of"] = json!({ "job_id": job });
    }
    Value::Object(short).to_string()
}

/// A Fault for readers of text: the sentence, then the facts to act on.
fn fault_text(fault: &Fault) -> String {
    if fault.data.is_empty() {
        fault.to_string()
    } else {
        format!("{fault}\n{}", Value::Object(fault.data.clone()))
    }
}

/// `created: wall_id 2O2Fr$t4X7Zf8NOew3FL9r, model_version 5c1e…`; the short facts of an answer.
fn one_line(artifact: &ChatArtifact) -> String {
    let mut facts: Vec<String> = Vec::new();
    for (name, value) in &artifact.result {
        match value {
            Value::String(text) if text.len() <= 80 => facts.push(format!("{name} {text}")),
            Value::Number(number) => facts.push(format!("{name} {number}")),
            Value::Bool(flag) => facts.push(format!("{name} {flag}")),
            Value::Array(items) => facts.push(format!("{} {name}", items.len())),
            _ => {}
        }
        if facts.len() == 6 {
            break;
        }
    }
    let status = artifact.status.as_deref().unwrap_or("ok");
    if facts.is_empty() { status.to_owned() } else { format!("{status}: {}", facts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::Picture;

    #[test]
    fn a_file_is_a_resource_link_for_clients_that_know_of_such() {
        let link = |href: &str| contract::Link { title: "plan.svg".into(), href: href.into() };
        let artifact = ChatArtifact {
            links: vec![link("http://localhost/bucket/files/a/plan.svg"), link("http://localhost/viewer")],
            ..ChatArtifact::default()
        };
        let result = answer(Ok(artifact), ResultForm::Both);
        let sent = serde_json::to_value(for_client(result.clone(), true)).unwrap();
        assert_eq!(sent["content"].as_array().unwrap().len(), 2, "{sent}");
        assert_eq!(sent["content"][1]["type"], "resource_link");
        assert_eq!(
            (&sent["content"][1]["name"], &sent["content"][1]["uri"]),
            (&json!("plan.svg"), &json!("http://localhost/bucket/files/a/plan.svg"))
        );
        assert_eq!(for_client(result, false).content.len(), 1);
    }

    #[test]
    fn a_picture_is_content_of_its_own_beside_the_text_and_no_part_of_the_json() {
        let artifact = || ChatArtifact {
            result: serde_json::Map::from_iter([("view".to_owned(), json!("iso"))]),
            pictures: vec![Picture::new("image/png", b"\x89PNG")],
            ..ChatArtifact::default()
        };
        for form in [ResultForm::Both, ResultForm::Structured, ResultForm::Text] {
            let sent = serde_json::to_value(answer(Ok(artifact()), form)).unwrap();
            let content = sent["content"].as_array().unwrap();
            assert_eq!(content.len(), 2, "{sent}");
            assert_eq!(content[0]["type"], "text");
            assert_eq!(content[1]["type"], "image");
            assert_eq!(content[1]["data"], "iVBORw==");
            assert_eq!(content[1]["mimeType"], "image/png");
            assert!(!sent["structuredContent"].to_string().contains("iVBOR"));
        }
    }
}
