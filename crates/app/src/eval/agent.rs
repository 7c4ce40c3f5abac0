//! A language model as the agent: an OpenAI-compatible chat endpoint in a loop that sees the MCP tools and nothing else.
//!
//! One step is one answer of the model. It ends when it answers without calling a tool, or when its steps are used up.

use super::session::Session;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// The instructions to the model besides the case's prompt.
const INSTRUCTIONS: &str = "You are a careful building modeller. You create and change an IFC model with the tools \
    given to you, and with nothing else. Work until the model is as asked; read what the tools answer, and mend what \
    failed. When the model is done, answer in a sentence or two without calling a tool.";

/// A model behind an endpoint.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The address before `/chat/completions`.
    pub url: String,
    /// The model's name.
    pub model: String,
    /// Sent as a bearer token, if the endpoint wants one.
    pub key: Option<String>,
    /// Answers of the model until the run is given up.
    pub max_steps: u32,
}

/// The cost of a run of the agent besides its calls.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    /// Answers of the model.
    pub steps: u32,
    /// Tokens read and written, as the endpoint counts them; `None` if it does not.
    pub tokens: Option<u64>,
    /// From the prompt to the last answer.
    pub time: Duration,
    /// True if the model ended by itself.
    pub finished: bool,
    /// Everything said, in the endpoint's form.
    pub messages: Vec<Value>,
}

impl Endpoint {
    /// Gives the model a prompt and lets it call tools until it is done.
    pub async fn work(&self, prompt: &str, session: &mut Session) -> Result<Conversation> {
        let tools = functions(session).await?;
        let begun = Instant::now();
        let mut talk = Conversation {
            tokens: Some(0),
            messages: vec![
                json!({"role": "system", "content": INSTRUCTIONS}),
                json!({"role": "user", "content": prompt}),
            ],
            ..Conversation::default()
        };
        while talk.steps < self.max_steps && !talk.finished {
            let answer = self.ask(&talk.messages, &tools).await?;
            talk.steps += 1;
            let spent = answer.pointer("/usage/total_tokens").and_then(Value::as_u64);
            talk.tokens = talk.tokens.zip(spent).map(|(sum, more)| sum + more);
            let message = answer.pointer("/choices/0/message").cloned();
            let message = message.with_context(|| format!("the endpoint answered no message: {answer}"))?;
            let calls = message.get("tool_calls").and_then(Value::as_array).cloned().unwrap_or_default();
            talk.messages.push(message);
            talk.finished = calls.is_empty();
            for call in calls {
                let id = call.get("id").cloned().unwrap_or(Value::Null);
                let content = answer_call(&call, session).await?;
                talk.messages.push(json!({"role": "tool", "tool_call_id": id, "content": content}));
            }
        }
        talk.time = begun.elapsed();
        Ok(talk)
    }

    async fn ask(&self, messages: &[Value], tools: &[Value]) -> Result<Value> {
        let url = format!("{}/chat/completions", self.url.trim_end_matches('/'));
        let key = self.key.clone();
        let body = json!({"model": self.model, "messages": messages, "tools": tools});
        tokio::task::spawn_blocking(move || post(&url, key.as_deref(), &body)).await?
    }
}

fn post(url: &str, key: Option<&str>, body: &Value) -> Result<Value> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_mins(10)))
        .http_status_as_error(false)
        .build()
        .into();
    let mut request = agent.post(url).content_type("application/json");
    if let Some(key) = key {
        request = request.header("Authorization", format!("Bearer {key}"));
    }
    let mut answer = request.send(body.to_string()).with_context(|| format!("nothing answers at {url}"))?;
    let text = answer.body_mut().read_to_string()?;
    if !answer.status().is_success() {
        bail!("{url} answered {}: {text}", answer.status());
    }
    serde_json::from_str(&text).with_context(|| format!("{url} answered no JSON: {text}"))
}

/// The tools in the endpoint's form.
async fn functions(session: &Session) -> Result<Vec<Value>> {
    let tools = session.tools().await?;
    let function = |tool: mcp::client::OfferedTool| {
        json!({
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        })
    };
    Ok(tools.into_iter().map(function).collect())
}

/// Makes the call that the model asks for. What it gets wrong it is told, as it would be by any MCP host.
async fn answer_call(call: &Value, session: &mut Session) -> Result<String> {
    let name = call.pointer("/function/name").and_then(Value::as_str).unwrap_or_default();
    let written = call.pointer("/function/arguments").and_then(Value::as_str).unwrap_or("{}");
    let arguments: Map<String, Value> =
        match serde_json::from_str(if written.is_empty() { "{}" } else { written }) {
            Ok(arguments) => arguments,
            Err(error) => {
                session.tally.calls += 1;
                session.tally.failed += 1;
                return Ok(format!("the arguments of {name} are not a JSON object: {error}"));
            }
        };
    Ok(session.call(name, arguments).await?.text)
}
