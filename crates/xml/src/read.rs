//! Documents read.

use crate::quick;
use crate::text::{decoded, place};
use crate::tree::{Attribute, Element, Place};
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::reader::NsReader;
use std::sync::Arc;

/// The bounds of a document.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes.
    pub bytes: usize,
    /// Elements within each other.
    pub depth: usize,
    /// Elements and attributes.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 20, depth: 100, nodes: 2_000_000 }
    }
}

/// The reason why a document is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// In words, without a full stop.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: message.into() }
    }
}

/// Reads a document into its root element.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Element, Problem> {
    if bytes.len() > limits.bytes {
        let message = format!("the document has more than {} bytes", limits.bytes);
        return Err(Problem::new(Place { line: 1, column: 1 }, message));
    }
    let text = decoded(bytes)?;
    match quick::read(&text, limits) {
        Some(root) => Ok(root),
        None => thorough(&text, limits),
    }
}

/// Reads a document of any form, or says what is wrong with it.
pub(crate) fn thorough(text: &str, limits: &Limits) -> Result<Element, Problem> {
    let mut reading = Reading { text, limits, nodes: 0, namespaces: Vec::new(), line: 1, column: 1, seen: 0 };
    reading.document()
}

/// Namespaces that are kept: more are declared by hostile documents alone.
const FEW: usize = 8;

struct Reading<'t, 'l> {
    text: &'t str,
    limits: &'l Limits,
    nodes: usize,
    /// Those met so far, each kept once.
    namespaces: Vec<Arc<str>>,
    /// The last place that was asked for: its line and column, and the byte.
    line: usize,
    column: usize,
    seen: usize,
}

impl<'t> Reading<'t, '_> {
    fn document(&mut self) -> Result<Element, Problem> {
        let mut reader = NsReader::from_str(self.text);
        reader.config_mut().check_comments = true;
        let mut open: Vec<Element> = Vec::new();
        let mut root: Option<Element> = None;
        loop {
            let at = reader.buffer_position() as usize;
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let at = (reader.error_position() as usize).max(at);
                    return Err(self.problem(at, format!("this is no XML: {error}")));
                }
            };
            match event {
                Event::Start(tag) => {
                    if root.is_some() && open.is_empty() {
                        return Err(self.problem(at, "there is more after the end of the document"));
                    }
                    let element = self.element(&reader, &tag, at)?;
                    if open.len() >= self.limits.depth {
                        let message = format!("elements lie more than {} deep", self.limits.depth);
                        return Err(self.problem(at, message));
                    }
                    open.push(element);
                }
                Event::Empty(tag) => {
                    if root.is_some() && open.is_empty() {
                        return Err(self.problem(at, "there is more after the end of the document"));
                    }
                    let element = self.element(&reader, &tag, at)?;
                    close(element, &mut open, &mut root);
                }
                Event::End(_) => {
                    if let Some(element) = open.pop() {
                        close(element, &mut open, &mut root);
                    }
                }
                Event::Text(text) => {
                    let own = text.xml10_content().map_err(|e| self.problem(at, e.to_string()))?;
                    self.say(&mut open, &own, at)?;
                }
                Event::CData(text) => {
                    let own = text.xml10_content().map_err(|e| self.problem(at, e.to_string()))?;
                    self.say(&mut open, &own, at)?;
                }
                Event::GeneralRef(reference) => {
                    let own = self.referred(&reference, at)?;
                    self.say(&mut open, &own, at)?;
                }
                Event::DocType(_) => {
                    let message = "a document type is not read; take the <!DOCTYPE> out";
                    return Err(self.problem(at, message));
                }
                Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
                Event::Eof => break,
            }
        }
        if let Some(element) = open.last() {
            let message = format!("<{}> is not closed", element.name);
            return Err(Problem::new(element.place, message));
        }
        root.ok_or_else(|| self.problem(self.text.len(), "the document is empty"))
    }

    fn say(&mut self, open: &mut [Element], text: &str, at: usize) -> Result<(), Problem> {
        match open.last_mut() {
            Some(element) => element.text.push_str(text),
            None if text.trim_matches(is_space).is_empty() => {}
            None => return Err(self.problem(at, "text stands outside of the root element")),
        }
        Ok(())
    }

    fn referred(&mut self, reference: &BytesRef<'_>, at: usize) -> Result<String, Problem> {
        let unreadable = |error: String| format!("this reference to a character is none: {error}");
        if let Some(char) =
            reference.resolve_char_ref().map_err(|error| self.problem(at, unreadable(error.to_string())))?
        {
            return is_char(char).then(|| char.to_string()).ok_or_else(|| {
                self.problem(at, "this character may not stand in XML, not even as a reference")
            });
        }
        let name = reference.decode().map_err(|error| self.problem(at, error.to_string()))?;
        let message = format!("the entity &{name}; is not one of the five of XML");
        resolve_predefined_entity(&name).map(str::to_owned).ok_or_else(|| self.problem(at, message))
    }

    fn element(
        &mut self,
        reader: &NsReader<&'t [u8]>,
        tag: &BytesStart<'_>,
        at: usize,
    ) -> Result<Element, Problem> {
        let place = self.place(at);
        let fail = |message: String| Problem::new(place, message);
        let (namespace, local) = reader.resolver().resolve_element(tag.name());
        let namespace = self.resolved(&namespace).map_err(fail)?;
        let mut element = Element {
            namespace,
            name: String::from_utf8_lossy(local.as_ref()).into_owned(),
            attributes: Vec::new(),
            children: Vec::new(),
            text: String::new(),
            place,
        };
        self.count(place)?;
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| fail(format!("an attribute is none: {error}")))?;
            if attribute.key.as_namespace_binding().is_some() {
                continue;
            }
            self.count(place)?;
            let (namespace, local) = reader.resolver().resolve_attribute(attribute.key);
            let name = String::from_utf8_lossy(local.as_ref()).into_owned();
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| fail(format!("the value of `{name}` is none: {error}")))?;
            let namespace = self.resolved(&namespace).map_err(fail)?;
            element.attributes.push(Attribute { namespace, name, value: value.into_owned() });
        }
        Ok(element)
    }

    fn resolved(&mut self, found: &ResolveResult<'_>) -> Result<Option<Arc<str>>, String> {
        let namespace = match found {
            ResolveResult::Bound(namespace) => String::from_utf8_lossy(namespace.as_ref()),
            ResolveResult::Unbound => return Ok(None),
            ResolveResult::Unknown(prefix) => {
                return Err(format!("the prefix `{}` is not declared", String::from_utf8_lossy(prefix)));
            }
        };
        if let Some(known) = self.namespaces.iter().find(|known| ***known == *namespace) {
            return Ok(Some(Arc::clone(known)));
        }
        let made: Arc<str> = namespace.into();
        if self.namespaces.len() < FEW {
            self.namespaces.push(Arc::clone(&made));
        }
        Ok(Some(made))
    }

    fn count(&mut self, place: Place) -> Result<(), Problem> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            let message = format!("there are more than {} elements and attributes", self.limits.nodes);
            return Err(Problem::new(place, message));
        }
        Ok(())
    }

    /// The place of a byte; bytes are asked in order, so that lines are counted once.
    fn place(&mut self, at: usize) -> Place {
        if at < self.seen {
            return place(self.text, at);
        }
        let passed = self.text.get(self.seen..at).or_else(|| self.text.get(self.seen..)).unwrap_or_default();
        let last = match passed.rsplit_once('\n') {
            Some((before, last)) => {
                self.line += 1 + before.matches('\n').count();
                self.column = 1;
                last
            }
            None => passed,
        };
        self.column += last.chars().count();
        self.seen += passed.len();
        Place { line: self.line, column: self.column }
    }

    fn problem(&mut self, at: usize, message: impl Into<String>) -> Problem {
        Problem::new(self.place(at), message)
    }
}

fn close(element: Element, open: &mut [Element], root: &mut Option<Element>) {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None => *root = Some(element),
    }
}

/// White space of XML.
pub(crate) fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\r' | '\n')
}

/// Characters of XML 1.0.
pub(crate) fn is_char(char: char) -> bool {
    matches!(char, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}
