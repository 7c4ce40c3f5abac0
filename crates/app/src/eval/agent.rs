//! A language model as the agent, in a loop that sees the MCP tools and nothing else.
//!
//! One step is one answer of the model. It ends when it answers without calling a tool, or when its steps are used up. Where it is wanted
//! the model is then told what `validate_model` finds, and mends it.

use super::endpoint::{Asked, Endpoint, Form};
use super::session::Session;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The instructions to the model besides the case's prompt.
const INSTRUCTIONS: &str = "You are a careful building modeller. You create and change an IFC model with the tools \
    given to you, and with nothing else. Work until the model is as asked; read what the tools answer, and mend what \
    failed. When the model is done, answer in a sentence or two without calling a tool.";

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
    /// How often it was told what `validate_model` finds.
    pub mended: u32,
    /// Everything said, in the endpoint's form.
    pub messages: Vec<Value>,
}

impl Conversation {
    /// The text of the last that the model said.
    pub fn words(&self) -> Option<String> {
        let said = self
            .messages
            .iter()
            .rev()
            .find(|message| message.get("role").and_then(Value::as_str) == Some("assistant"))?;
        match said.get("content")? {
            Value::String(text) => Some(text.clone()),
            Value::Array(blocks) => {
                let texts = blocks.iter().filter_map(|block| block.get("text").and_then(Value::as_str));
                Some(texts.collect::<Vec<_>>().join("\n"))
            }
            _ => None,
        }
    }
}

/// Gives the model a prompt and lets it call tools until it is done; up to `mend` times it is told what is wrong with what it made.
pub async fn work(
    endpoint: &Endpoint,
    prompt: &str,
    mend: u32,
    session: &mut Session,
) -> Result<Conversation> {
    let tools = endpoint.tools(session.tools().await?);
    let begun = Instant::now();
    let prompt = json!({"role": "user", "content": prompt});
    let mut talk = Conversation { tokens: Some(0), messages: vec![prompt], ..Conversation::default() };
    loop {
        go_on(endpoint, &tools, &mut talk, session).await?;
        if !talk.finished || talk.mended == mend {
            break;
        }
        let Some(model) = session.latest_model().await? else { break };
        let Some(faults) = session.validity(&model).await.and_then(|validity| validity.faults) else { break };
        talk.mended += 1;
        talk.finished = false;
        let said = format!(
            "The model is not valid yet. {faults}. Mend it, and answer without a call when it is done."
        );
        talk.messages.push(json!({"role": "user", "content": said}));
    }
    talk.time = begun.elapsed();
    Ok(talk)
}

async fn go_on(
    endpoint: &Endpoint,
    tools: &[Value],
    talk: &mut Conversation,
    session: &mut Session,
) -> Result<()> {
    while talk.steps < endpoint.max_steps && !talk.finished {
        let turn = endpoint.ask(INSTRUCTIONS, &talk.messages, tools).await?;
        talk.steps += 1;
        talk.tokens = talk.tokens.zip(turn.tokens).map(|(sum, more)| sum + more);
        talk.messages.push(turn.message);
        talk.finished = turn.calls.is_empty();
        if !turn.calls.is_empty() {
            let answers = answer(turn.calls, session).await?;
            talk.messages.extend(endpoint.form.answered(answers));
        }
    }
    Ok(())
}

/// Makes the calls that the model asks for. What it gets wrong it is told, as it would be by any MCP host.
async fn answer(calls: Vec<Asked>, session: &mut Session) -> Result<Vec<(String, String, bool)>> {
    let mut answers = Vec::with_capacity(calls.len());
    for call in calls {
        let (text, failed) = match call.arguments {
            Ok(arguments) => {
                let answered = session.call(&call.tool, arguments).await?;
                (answered.text, answered.is_error)
            }
            Err(problem) => {
                session.note_unreadable(&call.tool, &problem);
                (problem, true)
            }
        };
        answers.push((call.id, text, failed));
    }
    Ok(answers)
}

/// The part of a record by which its conversation is played again.
#[derive(Debug, Serialize, Deserialize)]
pub struct Recorded {
    /// The case.
    pub case: String,
    /// Everything said.
    pub messages: Vec<Value>,
    /// Tokens, as they were counted then.
    #[serde(default)]
    pub tokens: Option<u64>,
}

/// Makes the calls of a conversation again, in its order; no model is asked.
pub async fn replay(recorded: &Recorded, session: &mut Session) -> Result<Conversation> {
    let begun = Instant::now();
    let said_by_model: Vec<&Value> = recorded
        .messages
        .iter()
        .filter(|message| message.get("role").and_then(Value::as_str) == Some("assistant"))
        .collect();
    if said_by_model.is_empty() {
        bail!("the record has nothing that a model said");
    }
    let mut talk = Conversation {
        tokens: recorded.tokens,
        messages: recorded.messages.clone(),
        finished: true,
        ..Conversation::default()
    };
    for message in said_by_model {
        talk.steps += 1;
        let is_blocks = message.get("content").is_some_and(Value::is_array);
        let form = if is_blocks { Form::Anthropic } else { Form::Openai };
        answer(form.calls(message), session).await?;
    }
    talk.time = begun.elapsed();
    Ok(talk)
}
