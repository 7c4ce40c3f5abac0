//! The two forms in which language models are asked: OpenAI's chat completions, which local servers speak, too, and Anthropic's messages.

use anyhow::{Context, Result, bail};
use mcp::client::OfferedTool;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The longest that one answer of the model may take.
const PATIENCE: Duration = Duration::from_mins(10);
/// Tokens of one answer at most, which Anthropic's form asks for.
const ANSWER_TOKENS: u32 = 16_000;
/// The version of Anthropic's form that is spoken.
const VERSION: &str = "2023-06-01";

/// The form of an endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// `URL/chat/completions`.
    #[default]
    Openai,
    /// `URL/messages`.
    Anthropic,
}

/// A model behind an endpoint.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The form that it speaks.
    pub form: Form,
    /// The address before `/chat/completions` or `/messages`.
    pub url: String,
    /// The model's name.
    pub model: String,
    /// Its key, if it wants one.
    pub key: Option<String>,
    /// Answers of the model until the run is given up.
    pub max_steps: u32,
}

/// A call that the model asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The endpoint's id for it.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// Its arguments, or why they cannot be read.
    pub arguments: Result<Map<String, Value>, String>,
}

/// One answer of the model.
#[derive(Debug, Clone)]
pub struct Turn {
    /// It, in the endpoint's form.
    pub message: Value,
    /// The calls that it asks for; none where it is done.
    pub calls: Vec<Asked>,
    /// Tokens read and written, as the endpoint counts them; `None` if it does not.
    pub tokens: Option<u64>,
}

impl Endpoint {
    /// Returns the tools in the endpoint's form.
    pub fn tools(&self, offered: Vec<OfferedTool>) -> Vec<Value> {
        let tool = |tool: OfferedTool| match self.form {
            Form::Openai => json!({
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
            }),
            Form::Anthropic => {
                json!({"name": tool.name, "description": tool.description, "input_schema": tool.input_schema})
            }
        };
        offered.into_iter().map(tool).collect()
    }

    /// Asks for the next answer to what was said.
    pub async fn ask(&self, system: &str, messages: &[Value], tools: &[Value]) -> Result<Turn> {
        let url = self.url.trim_end_matches('/');
        let (url, headers, body) = match self.form {
            Form::Openai => {
                let system = json!({"role": "system", "content": system});
                let messages: Vec<&Value> = std::iter::once(&system).chain(messages).collect();
                let headers = self.key.iter().map(|key| ("Authorization", format!("Bearer {key}"))).collect();
                let body = json!({"model": self.model, "messages": messages, "tools": tools});
                (format!("{url}/chat/completions"), headers, body)
            }
            Form::Anthropic => {
                let mut headers = vec![("anthropic-version", VERSION.to_owned())];
                headers.extend(self.key.iter().map(|key| ("x-api-key", key.clone())));
                let body = json!({
                    "model": self.model, "max_tokens": ANSWER_TOKENS, "system": system, "messages": messages, "tools": tools
                });
                (format!("{url}/messages"), headers, body)
            }
        };
        let answer = tokio::task::spawn_blocking(move || post(&url, headers, &body)).await??;
        self.form.turn(&answer)
    }
}

impl Form {
    fn turn(self, answer: &Value) -> Result<Turn> {
        let lacks = || format!("the endpoint answered no message: {answer}");
        match self {
            Self::Openai => {
                let message = answer.pointer("/choices/0/message").cloned().with_context(lacks)?;
                let tokens = answer.pointer("/usage/total_tokens").and_then(Value::as_u64);
                Ok(Turn { calls: self.calls(&message), message, tokens })
            }
            Self::Anthropic => {
                let content =
                    answer.get("content").filter(|content| content.is_array()).with_context(lacks)?;
                let message = json!({"role": "assistant", "content": content});
                let count = |name: &str| answer.get("usage")?.get(name)?.as_u64();
                let read = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
                let read: u64 = read.into_iter().filter_map(count).sum();
                let tokens = count("output_tokens").map(|written| read + written);
                Ok(Turn { calls: self.calls(&message), message, tokens })
            }
        }
    }

    /// Returns the calls that a message of the model asks for.
    pub fn calls(self, message: &Value) -> Vec<Asked> {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let list = |name: &str| message.get(name).and_then(Value::as_array).into_iter().flatten();
        match self {
            Self::Openai => list("tool_calls")
                .map(|call| {
                    let tool = text(call.pointer("/function/name"));
                    let written = call.pointer("/function/arguments").and_then(Value::as_str).unwrap_or("{}");
                    let written = if written.is_empty() { "{}" } else { written };
                    let arguments = serde_json::from_str(written)
                        .map_err(|error| format!("the arguments of {tool} are not a JSON object: {error}"));
                    Asked { id: text(call.get("id")), tool, arguments }
                })
                .collect(),
            Self::Anthropic => list("content")
                .filter(|block| block.get("type").and_then(Value::as_str) == Some("tool_use"))
                .map(|block| {
                    let tool = text(block.get("name"));
                    let arguments = match block.get("input") {
                        Some(Value::Object(arguments)) => Ok(arguments.clone()),
                        None | Some(Value::Null) => Ok(Map::new()),
                        Some(other) => Err(format!("the arguments of {tool} are not a JSON object: {other}")),
                    };
                    Asked { id: text(block.get("id")), tool, arguments }
                })
                .collect(),
        }
    }

    /// Returns the messages that tell the model what its calls answered: ids, texts, and which failed.
    pub fn answered(self, answers: Vec<(String, String, bool)>) -> Vec<Value> {
        match self {
            Self::Openai => answers
                .into_iter()
                .map(|(id, text, _)| json!({"role": "tool", "tool_call_id": id, "content": text}))
                .collect(),
            Self::Anthropic => {
                let blocks: Vec<Value> = answers
                    .into_iter()
                    .map(|(id, text, failed)| {
                        json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed})
                    })
                    .collect();
                vec![json!({"role": "user", "content": blocks})]
            }
        }
    }
}

fn post(url: &str, headers: Vec<(&'static str, String)>, body: &Value) -> Result<Value> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .http_status_as_error(false)
        .build()
        .into();
    let mut request = agent.post(url).content_type("application/json");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let mut answer = request.send(body.to_string()).with_context(|| format!("nothing answers at {url}"))?;
    let text = answer.body_mut().read_to_string()?;
    if !answer.status().is_success() {
        bail!("{url} answered {}: {text}", answer.status());
    }
    serde_json::from_str(&text).with_context(|| format!("{url} answered no JSON: {text}"))
}
