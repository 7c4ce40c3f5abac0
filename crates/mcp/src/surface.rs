//! The catalogue as MCP tools: made once, shared by every connection; a profile says which of them a list begins with.

use crate::discovery;
use crate::instructions::instructions;
use crate::listing;
use crate::profile::Profile;
use contract::{PromptSpec, ToolSpec, Toolset};
use rmcp::model::Tool;
use std::collections::HashMap;
use std::sync::Arc;

/// Every tool that clients may call, with what a list says of it.
#[derive(Debug)]
pub struct Tools {
    specs: Vec<Arc<ToolSpec>>,
    in_short: Vec<Tool>,
    by_name: HashMap<String, usize>,
    prompts: Arc<[PromptSpec]>,
}

impl Tools {
    /// The tools given, and after them those by which tools are found.
    pub fn new(specs: &[Arc<ToolSpec>]) -> Self {
        let specs: Vec<_> =
            specs.iter().cloned().chain(discovery::specs().into_iter().map(Arc::new)).collect();
        let in_short = specs.iter().map(|spec| listing::in_short(spec)).collect();
        let by_name = specs.iter().enumerate().map(|(i, spec)| (spec.name.clone(), i)).collect();
        Self { specs, in_short, by_name, prompts: Arc::default() }
    }

    /// The same with prompts.
    #[must_use]
    pub fn with_prompts(self, prompts: &Arc<[PromptSpec]>) -> Self {
        Self { prompts: Arc::clone(prompts), ..self }
    }

    /// The prompts, whatever tools are listed.
    pub(crate) fn prompts(&self) -> &[PromptSpec] {
        &self.prompts
    }

    /// The descriptions, in the order of the catalogue.
    pub(crate) fn specs(&self) -> &[Arc<ToolSpec>] {
        &self.specs
    }

    /// The description of one tool.
    pub(crate) fn spec(&self, name: &str) -> Option<&ToolSpec> {
        self.by_name.get(name).and_then(|&i| self.specs.get(i)).map(AsRef::as_ref)
    }

    /// The names most like `name`, the nearest first; for the answer to a call of a tool that is not here.
    pub(crate) fn near(&self, name: &str) -> Vec<String> {
        let wanted: Vec<&str> = name.split('_').collect();
        let mut scored: Vec<(usize, &str)> = self
            .specs
            .iter()
            .map(|spec| {
                let shared = spec.name.split('_').filter(|part| wanted.contains(part)).count();
                (shared, spec.name.as_str())
            })
            .filter(|(shared, _)| *shared > 0)
            .collect();
        scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        scored.into_iter().take(5).map(|(_, name)| name.to_owned()).collect()
    }
}

/// The tools as one profile lists them.
#[derive(Debug)]
pub struct Surface {
    profile: Profile,
    tools: Arc<Tools>,
    instructions: String,
}

/// Additions to a list of tools, beyond what the profile lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// More sets.
    pub toolsets: Vec<Toolset>,
    /// The schemas of answers, too.
    pub output_schemas: bool,
    /// The tools of pages in a chat, for a client that shows such.
    pub of_pages: bool,
}

impl Surface {
    /// The tools as `profile` lists them.
    pub fn new(tools: &Arc<Tools>, profile: Profile) -> Self {
        Self { profile, tools: Arc::clone(tools), instructions: instructions(profile) }
    }

    /// The profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// True if the profile has no tool of its own.
    pub fn is_empty(&self) -> bool {
        !self.tools.specs.iter().any(|spec| !discovery::is_own(&spec.name) && self.is_usual(spec))
    }

    /// The tools that are listed, in the order of the catalogue.
    /// `offers` says if a back end is here, without which some parameters are of no use.
    pub fn listed(&self, options: &ListOptions, offers: &dyn Fn(&str) -> bool) -> Vec<Tool> {
        let both = self.tools.specs.iter().zip(&self.tools.in_short);
        both.filter(
            |(spec, _)| {
                if spec.for_pages_only { options.of_pages } else { self.lists(spec, &options.toolsets) }
            },
        )
        .map(|(spec, tool)| {
            let mut tool =
                if options.output_schemas { listing::with_output(spec, tool) } else { tool.clone() };
            let missing = listing::not_offered(spec, offers);
            if !missing.is_empty() {
                listing::leave_out(Arc::make_mut(&mut tool.input_schema), &missing);
            }
            tool
        })
        .collect()
    }

    /// True if a list that was enlarged by `more` sets has this tool.
    pub(crate) fn lists(&self, spec: &ToolSpec, more: &[Toolset]) -> bool {
        discovery::is_listed(&spec.name, self.profile)
            .unwrap_or_else(|| self.is_usual(spec) || more.iter().any(|set| spec.toolsets.contains(set)))
    }

    fn is_usual(&self, spec: &ToolSpec) -> bool {
        self.profile.server().is_none_or(|server| spec.is_on(server))
            && self.profile.toolsets().iter().any(|set| spec.toolsets.contains(set))
    }

    /// One tool, listed or not, as a list says it.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.by_name.get(name).and_then(|&i| self.tools.in_short.get(i))
    }

    /// Every tool that may be called.
    pub(crate) fn tools(&self) -> &Tools {
        &self.tools
    }

    /// The text that agents read before the first call.
    pub fn instructions(&self) -> &str {
        &self.instructions
    }
}
