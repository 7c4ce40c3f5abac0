//! The tools that service can call: their descriptions, and the bodies of those that the platform itself runs. The
//! composition root hands them in, so that service knows no tool by name.

use contract::{PlatformBody, PromptSpec, ResourceSource, Server, ToolSpec};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One tool.
#[derive(Clone)]
pub struct Entry {
    /// Its description.
    pub spec: Arc<ToolSpec>,
    /// Its body, where the platform runs it; an Execution Service resolves the others by name.
    pub body: Option<PlatformBody>,
    /// The type of event that its change is recorded as, where the operation does not say better.
    pub event: Option<contract::EventType>,
}

/// Every tool, by name.
#[derive(Clone, Default)]
pub struct Catalogue {
    entries: BTreeMap<String, Entry>,
    order: Vec<Arc<ToolSpec>>,
    resources: Vec<Arc<dyn ResourceSource>>,
    prompts: Arc<[PromptSpec]>,
    /// The tools that tell of jobs, by the kind of job.
    readers: BTreeMap<String, String>,
}

impl Catalogue {
    /// The tools given; a later one replaces an earlier one of the same name.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> Self {
        let mut catalogue = Self::default();
        for entry in entries {
            catalogue.entries.insert(entry.spec.name.clone(), entry);
        }
        catalogue.order = catalogue.entries.values().map(|entry| Arc::clone(&entry.spec)).collect();
        catalogue.order.sort_by(|a, b| (a.server, &a.name).cmp(&(b.server, &b.name)));
        catalogue
    }

    /// The same with resources of these sources beside the service's own.
    #[must_use]
    pub fn with_resources(self, resources: Vec<Arc<dyn ResourceSource>>) -> Self {
        Self { resources, ..self }
    }

    /// The same with prompts.
    #[must_use]
    pub fn with_prompts(self, prompts: Vec<PromptSpec>) -> Self {
        Self { prompts: prompts.into(), ..self }
    }

    /// The prompts.
    pub fn prompts(&self) -> &Arc<[PromptSpec]> {
        &self.prompts
    }

    /// The same with a tool that tells of jobs of a kind, by their `job_id`.
    #[must_use]
    pub fn with_reader_of_jobs(mut self, kind: &str, tool: &str) -> Self {
        self.readers.insert(kind.to_owned(), tool.to_owned());
        self
    }

    pub(crate) fn reader_of_jobs(&self, kind: &str) -> Option<&str> {
        self.readers.get(kind).map(String::as_str)
    }

    pub(crate) fn resources(&self) -> &[Arc<dyn ResourceSource>] {
        &self.resources
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }

    /// The names of all tools.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// The descriptions of all tools, by server and name.
    pub fn specs(&self) -> &[Arc<ToolSpec>] {
        &self.order
    }

    /// The descriptions of one server's tools.
    pub fn specs_of(&self, server: Server) -> impl Iterator<Item = &Arc<ToolSpec>> {
        self.order.iter().filter(move |spec| spec.server == server)
    }
}
