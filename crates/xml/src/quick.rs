//! Documents read quickly: elements, attributes, text and comments as programs write them, in one pass over the bytes.
//!
//! Whatever is written in any other way, is beyond a limit, or is wrong is not judged here: nothing is answered, and
//! [`crate::read`] reads the document thoroughly or says what is wrong with it. What is answered is what that reads, too.

use crate::read::{Limits, is_char};
use crate::tree::{Attribute, Element, Place};
use std::sync::Arc;

/// Declarations of namespaces that are in force, and attributes of an element, at most: among more of them there is no searching through.
const DECLARED: usize = 16;
const ATTRIBUTES: usize = 64;

/// The namespaces that the language itself keeps for its own prefixes.
const RESERVED: [&str; 2] = ["http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"];

/// The root element of a document; none where it is not written in the usual way.
pub(crate) fn read(text: &str, limits: &Limits) -> Option<Element> {
    let reading = Quick {
        text,
        bytes: text.as_bytes(),
        at: 0,
        limits,
        nodes: 0,
        declared: Vec::new(),
        raw: Vec::new(),
        place: Place { line: 1, column: 1 },
        placed: 0,
    };
    reading.document()
}

/// The end of a text.
const END: u8 = 1;
/// A carriage return, which becomes a line feed.
const RETURN: u8 = 2;
/// Characters that may begin a reference, or may not stand in a text.
const SPECIAL: u8 = 4;
/// Bytes other than white space.
const OTHER: u8 = 8;

/// The kinds of bytes in a text.
const KINDS: [u8; 256] = {
    let mut kinds = [OTHER; 256];
    kinds[b'<' as usize] = END;
    kinds[b'\r' as usize] = RETURN;
    kinds[b'&' as usize] = SPECIAL;
    kinds[b']' as usize] = SPECIAL;
    kinds[b' ' as usize] = 0;
    kinds[b'\t' as usize] = 0;
    kinds[b'\n' as usize] = 0;
    kinds
};

/// An element that is not closed yet.
struct Open<'t> {
    element: Element,
    /// Its name with its prefix.
    name: &'t str,
    /// Declarations that were in force before it.
    before: usize,
}

/// A declaration of a namespace.
struct Declared<'t> {
    /// Empty for the default one.
    prefix: &'t str,
    namespace: Arc<str>,
}

struct Quick<'t, 'l> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    limits: &'l Limits,
    nodes: usize,
    declared: Vec<Declared<'t>>,
    /// The attributes of the tag that is read: names with their prefixes, and values as they stand; none of those that declare namespaces.
    raw: Vec<(&'t str, Option<&'t str>)>,
    /// The last place that was asked for, and its byte.
    place: Place,
    placed: usize,
}

impl<'t> Quick<'t, '_> {
    fn document(mut self) -> Option<Element> {
        if self.bytes.starts_with(b"<?xml ") {
            let length = self.bytes.iter().position(|byte| *byte == b'>')?;
            if self.bytes.get(length.checked_sub(1)?) != Some(&b'?') {
                return None;
            }
            self.at = length + 1;
        }
        let mut open: Vec<Open<'t>> = Vec::new();
        let mut root = None;
        loop {
            self.say(open.last_mut().map(|own| &mut own.element))?;
            let Some(next) = self.bytes.get(self.at + 1) else { break };
            match next {
                b'/' => {
                    self.end(open.last()?.name)?;
                    self.close(&mut open, &mut root)?;
                }
                b'!' => self.comment()?,
                _ if root.is_some() && open.is_empty() => return None,
                _ => {
                    if self.tag(&mut open)? {
                        self.close(&mut open, &mut root)?;
                    } else if open.len() > self.limits.depth {
                        return None;
                    }
                }
            }
        }
        // a lone `<` at the end is wrong
        if self.at < self.bytes.len() || !open.is_empty() { None } else { root }
    }

    /// Closes the last open element.
    fn close(&mut self, open: &mut Vec<Open<'t>>, root: &mut Option<Element>) -> Option<()> {
        let own = open.pop()?;
        self.declared.truncate(own.before);
        match open.last_mut() {
            Some(parent) => parent.element.children.push(own.element),
            None => *root = Some(own.element),
        }
        Some(())
    }

    /// Takes the text up to the next `<`, or to the end, into an element; outside of the root there is none but white space.
    fn say(&mut self, element: Option<&mut Element>) -> Option<()> {
        let from = self.at;
        let rest = self.bytes.get(from..)?;
        let (mut seen, mut length) = (0, 0);
        for byte in rest {
            seen |= KINDS.get(usize::from(*byte)).copied().unwrap_or(OTHER);
            if seen & END != 0 {
                break;
            }
            length += 1;
        }
        let (is_blank, is_plain) = (seen & (OTHER | SPECIAL) == 0, seen & (RETURN | SPECIAL) == 0);
        self.at += length;
        let text = self.text.get(from..self.at)?;
        match element {
            Some(element) if is_plain => {
                // where elements stand in lines of their own, there is as much before each of them
                if is_blank && element.text.is_empty() && self.bytes.get(self.at + 1) != Some(&b'/') {
                    element.text.reserve(text.len().saturating_mul(4).min(256));
                }
                element.text.push_str(text);
            }
            Some(element) => unescaped(text, &mut element.text)?,
            None if is_blank => {}
            None => return None,
        }
        Some(())
    }

    /// Passes `<!-- … -->`.
    fn comment(&mut self) -> Option<()> {
        let inside = self.text.get(self.at..)?.strip_prefix("<!--")?;
        let length = inside.find("--")?;
        if inside.starts_with('>') || inside.as_bytes().get(length + 2) != Some(&b'>') {
            return None;
        }
        self.at += 4 + length + 3;
        Some(())
    }

    /// Passes `</name>`.
    fn end(&mut self, name: &str) -> Option<()> {
        let rest = self.bytes.get(self.at + 2..)?.strip_prefix(name.as_bytes())?;
        let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
        if rest.get(blanks) != Some(&b'>') {
            return None;
        }
        self.at += 2 + name.len() + blanks + 1;
        Some(())
    }

    /// Takes a tag that begins here, and tells whether its element is closed in itself.
    fn tag(&mut self, open: &mut Vec<Open<'t>>) -> Option<bool> {
        let (place, before) = (self.here(), self.declared.len());
        self.at += 1;
        let name = self.name()?;
        self.count()?;
        self.raw.clear();
        let is_empty = loop {
            let begin = self.at;
            while self.bytes.get(self.at).is_some_and(|byte| is_blank(*byte)) {
                self.at += 1;
            }
            match self.bytes.get(self.at)? {
                b'>' => {
                    self.at += 1;
                    break false;
                }
                b'/' if self.bytes.get(self.at + 1) == Some(&b'>') => {
                    self.at += 2;
                    break true;
                }
                _ if self.at == begin => return None,
                _ => self.attribute()?,
            }
        };
        let (prefix, local) = split(name)?;
        let own = self.raw.iter().filter(|(_, value)| value.is_some()).count();
        let mut attributes = Vec::with_capacity(own);
        for at in 0..self.raw.len() {
            let Some((name, Some(value))) = self.raw.get(at).copied() else { continue };
            self.count()?;
            let (prefix, local) = split(name)?;
            let namespace = if prefix.is_empty() { None } else { self.namespace(prefix).ok()? };
            let is_plain = !value.bytes().any(|byte| matches!(byte, b'&' | b']'));
            let value = if is_plain { value.to_owned() } else { with_references(value)? };
            attributes.push(Attribute { namespace, name: local.to_owned(), value });
        }
        let element = Element {
            namespace: self.namespace(prefix).ok()?,
            name: local.to_owned(),
            attributes,
            children: Vec::new(),
            text: String::new(),
            place,
        };
        open.push(Open { element, name, before });
        Some(is_empty)
    }

    /// Takes an attribute; a declaration of a namespace comes into force.
    fn attribute(&mut self) -> Option<()> {
        let name = self.name()?;
        if self.bytes.get(self.at) != Some(&b'=') {
            return None;
        }
        let quote = *self.bytes.get(self.at + 1).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let from = self.at + 2;
        let rest = self.bytes.get(from..)?;
        let length = rest.iter().position(|byte| *byte == quote || matches!(byte, b'<' | ..b' '))?;
        if rest.get(length) != Some(&quote) {
            return None;
        }
        self.at = from + length + 1;
        let value = self.text.get(from..from + length)?;
        if self.raw.len() >= ATTRIBUTES || self.raw.iter().any(|(known, _)| *known == name) {
            return None;
        }
        if let Some(prefix) = declaration(name).ok()? {
            let is_plain = !value.is_empty() && !value.contains('&') && !RESERVED.contains(&value);
            if self.declared.len() >= DECLARED || !is_plain {
                return None;
            }
            let known = self.declared.iter().find(|known| &*known.namespace == value);
            let namespace = known.map_or_else(|| value.into(), |known| Arc::clone(&known.namespace));
            self.declared.push(Declared { prefix, namespace });
            self.raw.push((name, None));
        } else {
            self.raw.push((name, Some(value)));
        }
        Some(())
    }

    /// Takes a name of ASCII, which may have a prefix.
    fn name(&mut self) -> Option<&'t str> {
        let rest = self.bytes.get(self.at..)?;
        let is_rest = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':');
        let length = rest.iter().take_while(|byte| is_rest(byte)).count();
        let name = self.text.get(self.at..self.at + length)?;
        self.at += length;
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_').then_some(name)
    }

    /// The namespace of a prefix, if it has one; unusual where the prefix is not declared, or reserved.
    fn namespace(&self, prefix: &str) -> Result<Option<Arc<str>>, Unusual> {
        // to compare two texts of nothing costs some processors a hundred times as much as to see that there are none
        let is_it = |known: &&Declared<'_>| match prefix {
            "" => known.prefix.is_empty(),
            _ => known.prefix == prefix,
        };
        let known = self.declared.iter().rev().find(is_it);
        match known {
            Some(known) => Ok(Some(Arc::clone(&known.namespace))),
            None if prefix.is_empty() => Ok(None),
            None => Err(Unusual),
        }
    }

    fn count(&mut self) -> Option<()> {
        self.nodes += 1;
        (self.nodes <= self.limits.nodes).then_some(())
    }

    /// The place of the next byte.
    fn here(&mut self) -> Place {
        let passed = self.bytes.get(self.placed..self.at).unwrap_or_default();
        let last = match passed.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => {
                let before = passed.get(..at).unwrap_or_default();
                self.place.line += before.split(|byte| *byte == b'\n').count();
                self.place.column = 1;
                passed.get(at + 1..).unwrap_or_default()
            }
            None => passed,
        };
        // bytes within a character do not count
        self.place.column += last.iter().filter(|byte| !matches!(byte, 0x80..0xC0)).count();
        self.placed = self.at;
        self.place
    }
}

/// White space of XML.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Prefix, empty where there is none, and local name; none where there are more colons, or the prefix is one of the language's own.
fn split(name: &str) -> Option<(&str, &str)> {
    let Some((prefix, local)) = name.split_once(':') else { return Some(("", name)) };
    let is_plain =
        !prefix.is_empty() && !local.is_empty() && !local.contains(':') && !prefix.starts_with("xml");
    is_plain.then_some((prefix, local))
}

/// A part of a document that this reader leaves to the other.
struct Unusual;

/// The prefix that an attribute declares, empty for the default namespace, if it declares one; unusual where the prefix is not plain.
fn declaration(name: &str) -> Result<Option<&str>, Unusual> {
    match name.strip_prefix("xmlns") {
        Some("") => Ok(Some("")),
        Some(rest) => match rest.strip_prefix(':') {
            Some(prefix) if prefix.is_empty() || prefix.contains(':') || prefix.starts_with("xml") => {
                Err(Unusual)
            }
            prefix => Ok(prefix),
        },
        None => Ok(None),
    }
}

/// Adds a text with its line ends as line feeds and its references to characters as these; none where one of them is not plain.
fn unescaped(text: &str, into: &mut String) -> Option<()> {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '\r', ']']) {
        let (before, found) = (rest.get(..at)?, rest.get(at..)?);
        into.push_str(before);
        rest = found.get(1..)?;
        if let Some(behind) = found.strip_prefix("\r\n").or_else(|| found.strip_prefix('\r')) {
            into.push('\n');
            rest = behind;
        } else if found.starts_with("]]>") {
            return None;
        } else if found.starts_with(']') {
            into.push(']');
        } else {
            let (name, behind) = rest.split_once(';')?;
            into.push(referred(name)?);
            rest = behind;
        }
    }
    into.push_str(rest);
    Some(())
}

/// A value with its references to characters as these; none where one of them is not plain.
fn with_references(value: &str) -> Option<String> {
    let mut own = String::with_capacity(value.len());
    unescaped(value, &mut own)?;
    Some(own)
}

/// The character of a reference by its name or number.
fn referred(name: &str) -> Option<char> {
    let code = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => name.strip_prefix('#')?,
    };
    if code.is_empty() || !code.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    char::from_u32(code.parse().ok()?).filter(|char| *char > ' ' && is_char(*char))
}
