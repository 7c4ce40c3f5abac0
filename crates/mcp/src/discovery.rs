//! The tools by which an agent finds the others: `search_tools`, `describe_tool` and `enable_toolset`. They know of tools
//! what the catalogue says, and touch no model.

use crate::door::Door;
use crate::listing;
use crate::profile::Profile;
use crate::surface::Surface;
use contract::{
    Action, ChatArtifact, Effect, Fault, FaultCode, Needs, Server, ToolExample, ToolSpec, Toolset,
    answer_schema_of, schema_of,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const SEARCH: &str = "search_tools";
const DESCRIBE: &str = "describe_tool";
const ENABLE: &str = "enable_toolset";

/// Tools that a search answers at most, unless it says otherwise.
const FOUND: usize = 8;

/// Tools that a search answers at most.
const MOST: usize = 50;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchInput {
    /// Words, such as `compare versions`.
    #[schemars(extend("x-seldom" = true))]
    query: String,
    /// Tools at most.
    #[serde(default = "found")]
    #[schemars(extend("x-seldom" = true, "minimum" = 1, "maximum" = MOST))]
    limit: usize,
}

fn found() -> usize {
    FOUND
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DescribeInput {
    /// A tool's name.
    #[schemars(extend("x-seldom" = true))]
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EnableInput {
    /// The set.
    #[schemars(extend("x-seldom" = true))]
    name: Toolset,
}

/// A tool as a search answers it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Hit {
    /// Its name.
    pub(crate) name: String,
    /// Its purpose, in a sentence.
    description: String,
    /// The sets it is listed with.
    toolsets: Vec<Toolset>,
    /// True if the list of tools has it already.
    listed: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    /// The tools, best first.
    tools: Vec<Hit>,
    /// A hint on what to do next.
    note: String,
}

/// A tool whole.
#[derive(Debug, Serialize, JsonSchema)]
struct Described {
    /// Its name.
    name: String,
    /// Its name for people.
    title: String,
    /// The server it belongs to.
    server: Server,
    /// The sets it is listed with.
    toolsets: Vec<Toolset>,
    /// Its description.
    description: String,
    /// Query, create or modify.
    effect: Effect,
    /// JSON Schema of its arguments.
    input_schema: Value,
    /// JSON Schema of its answer.
    output_schema: Value,
    /// Calls of it.
    examples: Vec<ToolExample>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Enabled {
    /// The set.
    toolset: Toolset,
    /// Its tools.
    tools: Vec<Hit>,
    /// The outcome.
    note: String,
}

/// The descriptions of these tools.
pub fn specs() -> Vec<ToolSpec> {
    vec![
        spec::<SearchInput, Found>(
            SEARCH,
            "Finds tools by what they do, listed or not.",
            "How to compare two versions",
            json!({ "query": "compare versions" }),
        ),
        spec::<DescribeInput, Described>(
            DESCRIBE,
            "One tool whole: parameters, defaults, answer, examples.",
            "All of a wall",
            json!({ "name": "create_wall" }),
        ),
        spec::<EnableInput, Enabled>(
            ENABLE,
            "Lists a further set of tools from now on.",
            "Branches for a variant of the design",
            json!({ "name": "branches" }),
        ),
    ]
}

fn spec<I: JsonSchema, O: JsonSchema>(
    name: &str,
    description: &str,
    title: &str,
    example: Value,
) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        title: name.replace('_', " "),
        server: Server::Model,
        also_on: Server::ALL.into_iter().filter(|server| *server != Server::Model).collect(),
        toolsets: Vec::new(),
        description: description.to_owned(),
        effect: Effect::Query,
        destructive: false,
        idempotent: true,
        // the list of this connection becomes longer
        side_effects: name == ENABLE,
        open_world: false,
        reads_when: None,
        needs: Needs::default(),
        platform: true,
        action: Some(Action::Query),
        page: None,
        for_pages_only: false,
        input_schema: schema_of::<I>(),
        output_schema: answer_schema_of::<O>(),
        examples: vec![ToolExample { title: title.to_owned(), arguments: example }],
    }
}

/// True if agents look for the tool.
fn is_for_agents(spec: &ToolSpec) -> bool {
    !is_own(&spec.name) && !spec.for_pages_only
}

/// True if the tool is one of these.
pub(crate) fn is_own(name: &str) -> bool {
    [SEARCH, DESCRIBE, ENABLE].contains(&name)
}

/// Tells if a profile lists the tool, where it is one of these. Where all tools are listed there is nothing to enable.
pub(crate) fn is_listed(name: &str, profile: Profile) -> Option<bool> {
    match name {
        SEARCH | DESCRIBE => Some(true),
        ENABLE => Some(!matches!(profile, Profile::All | Profile::Code)),
        _ => None,
    }
}

/// The sets that one client has enabled, and whether they stay so.
pub(crate) struct Enabling<'a> {
    /// The sets that its list has already, beyond those of the profile.
    pub(crate) more: &'a [Toolset],
    /// True if the client has a session, in which what it enables stays so.
    pub(crate) is_kept: bool,
}

/// Answers a call of one of these tools; the set to enable beside it, where one is.
pub(crate) fn call(
    surface: &Surface,
    door: &dyn Door,
    enabling: &Enabling<'_>,
    name: &str,
    arguments: Value,
) -> Result<(ChatArtifact, Option<Toolset>), Fault> {
    match name {
        SEARCH => {
            let input: SearchInput = read(arguments)?;
            Ok((answer(&search(surface, enabling.more, &input)?)?, None))
        }
        DESCRIBE => {
            let input: DescribeInput = read(arguments)?;
            Ok((answer(&describe(surface, door, &input.name)?)?, None))
        }
        _ => {
            let input: EnableInput = read(arguments)?;
            let enabled = enable(surface, enabling, input.name);
            Ok((answer(&enabled)?, enabling.is_kept.then_some(input.name)))
        }
    }
}

fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, Fault> {
    serde_json::from_value(arguments)
        .map_err(|error| Fault::invalid("arguments", format!("The arguments are wrong: {error}.")))
}

fn answer<T: Serialize>(answer: &T) -> Result<ChatArtifact, Fault> {
    match serde_json::to_value(answer) {
        Ok(Value::Object(result)) => Ok(ChatArtifact { result, ..ChatArtifact::default() }),
        _ => Err(Fault::backend("The answer could not be written as JSON.")),
    }
}

fn hit(surface: &Surface, more: &[Toolset], spec: &ToolSpec) -> Hit {
    let end = spec.description.find(". ").map_or(spec.description.len(), |at| at + 1);
    Hit {
        name: spec.name.clone(),
        description: spec.description.get(..end).unwrap_or_default().to_owned(),
        toolsets: spec.toolsets.clone(),
        listed: surface.lists(spec, more),
    }
}

fn search(surface: &Surface, more: &[Toolset], input: &SearchInput) -> Result<Found, Fault> {
    let words = words(&input.query);
    if words.is_empty() {
        return Err(Fault::invalid("query", "Give at least one word that says what the tool is to do."));
    }
    if !(1..=MOST).contains(&input.limit) {
        let problem = format!("`limit` is {}; give 1 to {MOST}.", input.limit);
        return Err(Fault::invalid("limit", problem));
    }
    let specs: Vec<&ToolSpec> =
        surface.tools().specs().iter().map(AsRef::as_ref).filter(|spec| is_for_agents(spec)).collect();
    let mut scored: Vec<(f64, &ToolSpec)> = specs.iter().map(|spec| (0.0, *spec)).collect();
    for word in &words {
        let meant = also(word);
        let scores: Vec<f64> =
            specs.iter().map(|spec| meant.iter().map(|word| score(spec, word)).fold(0.0, f64::max)).collect();
        let having = scores.iter().filter(|score| **score > 0.0).count();
        // a word that half of the tools have says little of which is meant
        let weight = ((specs.len() + 1) as f64 / having.max(1) as f64).ln();
        for ((sum, _), score) in scored.iter_mut().zip(scores) {
            *sum += weight * score;
        }
    }
    if !words.iter().any(|word| MAKING.contains(&word.as_str())) {
        for (sum, spec) in &mut scored {
            *sum *= if spec.effect == Effect::Create { UNASKED } else { 1.0 };
        }
    }
    scored.retain(|(score, _)| *score > 0.0);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.name.cmp(&b.1.name)));
    let tools: Vec<Hit> =
        scored.into_iter().take(input.limit).map(|(_, spec)| hit(surface, more, spec)).collect();
    let note = if tools.is_empty() {
        let sets: Vec<&str> = Toolset::ALL.iter().map(|set| set.as_str()).collect();
        format!("No tool has these words. Try others, or enable_toolset with one of {}.", sets.join(", "))
    } else {
        "describe_tool tells the parameters; a tool that is not listed can be called by its name all the same.".to_owned()
    };
    Ok(Found { tools, note })
}

/// The words of a text that say something, in lower case.
fn words(text: &str) -> Vec<String> {
    const EMPTY: [&str; 14] = [
        "the", "and", "for", "with", "from", "how", "what", "all", "one", "into", "that", "this", "are",
        "its",
    ];
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.len() > 1 && !EMPTY.contains(&word.as_str()))
        .collect()
}

/// Words that say that something is to be made.
const MAKING: [&str; 12] =
    ["create", "make", "add", "draw", "new", "build", "place", "insert", "put", "generate", "write", "model"];
/// The share of its score that a tool which makes something keeps where nobody asks for that.
const UNASKED: f64 = 0.6;

/// Words that people say, and those that tools have for them.
const ALSO: [(&[&str], &[&str]); 24] = [
    (&["many", "count", "number", "list", "find", "which", "search"], &["query"]),
    (&["escape", "evacuation", "exit", "exits"], &["egress"]),
    (
        &["wider", "higher", "thicker", "longer", "bigger", "smaller", "resize", "size", "width"],
        &["modify", "parameter"],
    ),
    (&["next", "neighbour", "neighbours", "adjacent", "connected", "bubble"], &["adjacency"]),
    (&["paint", "painted"], &["finish", "room_analysis"]),
    (&["excel", "xlsx", "csv", "spreadsheet", "table"], &["schedule"]),
    (&["plan", "elevation", "drawing", "drawings", "layout"], &["section", "sheet"]),
    (&["print", "pdf"], &["sheet"]),
    (&["collision", "collisions", "conflict", "conflicts", "interference", "coordinate"], &["clash"]),
    (&["picture", "image", "screenshot", "photo", "look"], &["render", "view"]),
    (&["cost", "costs", "boq", "estimate", "amount", "quantities"], &["takeoff"]),
    (&["federate", "combine", "join"], &["joining", "export", "merge"]),
    (&["rename", "called"], &["rename_elements"]),
    (&["colour", "color"], &["style"]),
    (&["copy", "duplicate", "array", "repeat"], &["copy"]),
    (&["wheelchair", "disabled", "barrier", "ada"], &["accessibility"]),
    (&["heating", "cooling", "load", "loads", "energyplus"], &["simulation", "peak"]),
    (&["regulation", "regulations", "rule", "rules", "standard", "law"], &["compliance"]),
    (&["issue", "issues", "comment", "comments"], &["topics", "bcf"]),
    (&["history", "changed", "revision", "revisions"], &["versions", "diff"]),
    (&["distance", "far", "angle"], &["measure"]),
    (&["way", "route", "walk", "path"], &["path_finding", "egress"]),
    (&["area", "areas"], &["room_analysis", "takeoff"]),
    (&["remove", "demolish", "erase"], &["delete"]),
];

/// A word and those that tools have for it.
fn also(word: &str) -> Vec<&str> {
    let others =
        ALSO.iter().filter(|(said, _)| said.contains(&word)).flat_map(|(_, meant)| meant.iter().copied());
    std::iter::once(word).chain(others).collect()
}

/// Returns how well a tool answers to a word: best by its name, then by its sets, its description, its parameters.
fn score(spec: &ToolSpec, word: &str) -> f64 {
    if spec.name == word {
        return 9.0;
    }
    let is_in = |text: &str| words(text).iter().any(|other| is_like(other, word));
    let mut score = 0.0;
    if is_in(&spec.name) || is_in(&spec.title) {
        score += 6.0;
    }
    if is_in(&spec.description) {
        score += 3.0;
    }
    if spec.toolsets.iter().any(|set| is_in(set.as_str()) || is_in(set.about())) {
        score += 2.0;
    }
    let parameters = spec.input_schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut own = parameters.filter(|(_, about)| about.get(contract::mark::COMMON).is_none());
    if own.any(|(name, about)| {
        is_in(name) || about.get("description").and_then(Value::as_str).is_some_and(&is_in)
    }) {
        score += 1.0;
    }
    score
}

/// Tells if two words are one but for their endings: `walls` and `wall`, `comparing` and `compare`.
fn is_like(a: &str, b: &str) -> bool {
    let shared = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let (short, long) = (a.chars().count().min(b.chars().count()), a.chars().count().max(b.chars().count()));
    a == b || (shared >= 3 && shared + 1 >= short && long - shared <= 3)
}

fn describe(surface: &Surface, door: &dyn Door, name: &str) -> Result<Described, Fault> {
    let Some(spec) = surface.tools().spec(name) else {
        let near = surface.tools().near(name);
        let hint = if near.is_empty() {
            "search_tools finds tools.".to_owned()
        } else {
            format!("Did you mean {}?", near.join(" or "))
        };
        return Err(Fault::new(FaultCode::NotFound, format!("There is no tool {name}. {hint}"))
            .with("near_matches", near));
    };
    Ok(Described {
        name: spec.name.clone(),
        title: spec.title.clone(),
        server: spec.server,
        toolsets: spec.toolsets.clone(),
        description: spec.description.clone(),
        effect: spec.effect,
        input_schema: listing::whole_input(spec, &|backend| door.has_backend(backend)),
        output_schema: spec.output_schema.clone(),
        examples: spec.examples.clone(),
    })
}

fn enable(surface: &Surface, enabling: &Enabling<'_>, set: Toolset) -> Enabled {
    let mut more = enabling.more.to_vec();
    if enabling.is_kept {
        more.push(set);
    }
    let specs = surface.tools().specs().iter();
    let tools: Vec<Hit> = specs
        .filter(|spec| !spec.for_pages_only && spec.toolsets.contains(&set))
        .map(|spec| hit(surface, &more, spec))
        .collect();
    let note = if tools.is_empty() {
        "This set has no tools yet.".to_owned()
    } else if enabling.is_kept {
        "The list of tools has them from now on; until your client has read it again, call them by name."
            .to_owned()
    } else {
        format!(
            "This connection keeps no session, so its list stays as it is. Call them by name (describe_tool tells the \
             parameters), or connect with ?toolsets={}.",
            set.as_str()
        )
    };
    Enabled { toolset: set, tools, note }
}
