//! Whether a document has the structure that the XML Schema of IDS 1.0 and, for restrictions, that of XML Schema itself ask for.
//!
//! Counted as the auditing tool of buildingSMART counts: one problem for the children of an element, one for each attribute.

use super::lexical;
use super::verdict::Problem;
use super::vocabulary::{AttributeType, Content};
use std::collections::HashSet;
use xml::Element;

/// The namespace of IDS.
pub(super) const IDS: &str = "http://standards.buildingsmart.org/IDS";
/// The namespace of XML Schema.
pub(super) const XS: &str = "http://www.w3.org/2001/XMLSchema";
const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// Facets whose value is anything, a number of characters or digits, or a word.
const FACETS: [&str; 12] = [
    "minExclusive",
    "minInclusive",
    "maxExclusive",
    "maxInclusive",
    "totalDigits",
    "fractionDigits",
    "length",
    "minLength",
    "maxLength",
    "enumeration",
    "whiteSpace",
    "pattern",
];

/// The problems of a document's structure, in its order.
pub(super) fn problems(root: &Element) -> Vec<Problem> {
    let mut walk = Walk { problems: Vec::new(), ids: HashSet::new() };
    if !is(root, IDS, "ids") {
        let message = format!("the root is <{}>, not <ids> of the namespace {IDS}", root.name);
        return vec![Problem::new(
            root.place,
            message,
            "begin with <ids xmlns=\"http://standards.buildingsmart.org/IDS\">",
        )];
    }
    walk.element(root, Content::Ids);
    walk.problems
}

fn is(element: &Element, namespace: &str, name: &str) -> bool {
    // names differ more often than namespaces, and are shorter
    element.name == name && element.namespace.as_deref() == Some(namespace)
}

struct Walk {
    problems: Vec<Problem>,
    /// Attributes of the type ID.
    ids: HashSet<String>,
}

impl Walk {
    fn problem(&mut self, element: &Element, message: String, remedy: impl Into<String>) {
        self.problems.push(Problem::new(element.place, message, remedy));
    }

    fn element(&mut self, element: &Element, content: Content) {
        self.attributes(element, content);
        match content {
            Content::Text | Content::Author | Content::Date => self.text(element, content),
            Content::Value => self.value(element),
            _ => self.sequence(element, content),
        }
    }

    fn no_text(&mut self, element: &Element) -> bool {
        if lexical::is_blank(&element.text) {
            return true;
        }
        self.problem(
            element,
            format!("text stands in <{}>", element.name),
            "take it out, or put it into its own element",
        );
        false
    }

    fn text(&mut self, element: &Element, content: Content) {
        if let Some(child) = element.children.first() {
            self.problem(
                child,
                format!("<{}> holds text alone, not <{}>", element.name, child.name),
                "take it out",
            );
            return;
        }
        if content == Content::Date && lexical::date(&lexical::collapsed(&element.text)).is_none() {
            self.problem(
                element,
                format!("\"{}\" is no date", brief(&element.text)),
                "write it as 2026-01-31",
            );
        }
        if content == Content::Author && !is_address(&element.text) {
            let message = format!("the author \"{}\" is no address of electronic mail", brief(&element.text));
            self.problem(element, message, "write it as name@example.org");
        }
    }

    fn sequence(&mut self, element: &Element, content: Content) {
        let is_clean = self.no_text(element);
        let slots = content.children();
        let (mut at, mut count, mut is_wrong) = (0, 0, !is_clean);
        for child in &element.children {
            let known = slots.iter().position(|slot| is(child, IDS, slot.name));
            if let Some(slot) = known.and_then(|known| slots.get(known)) {
                self.element(child, slot.content);
            }
            if is_wrong {
                continue;
            }
            let Some(known) = known else {
                self.unexpected(element, child, content);
                is_wrong = true;
                continue;
            };
            if content.is_unordered() {
                continue;
            }
            if known == at && count > 0 && slots.get(at).is_some_and(|slot| slot.is_many) {
                count += 1;
                continue;
            }
            let from = if count > 0 { at + 1 } else { at };
            let skipped = slots.get(from..known);
            if skipped.is_none_or(|skipped| skipped.iter().any(|slot| slot.is_required)) {
                self.unexpected(element, child, content);
                is_wrong = true;
                continue;
            }
            (at, count) = (known, 1);
        }
        let rest = slots.get(if count > 0 { at + 1 } else { at }..).unwrap_or_default();
        if let Some(missing) = rest.iter().find(|slot| slot.is_required)
            && !is_wrong
            && !content.is_unordered()
        {
            let message = format!("<{}> lacks <{}>", element.name, missing.name);
            self.problem(element, message, format!("add <{}>", missing.name));
        }
    }

    fn unexpected(&mut self, element: &Element, child: &Element, content: Content) {
        let names: Vec<String> = content.children().iter().map(|slot| format!("<{}>", slot.name)).collect();
        let own = if child.namespace.as_deref() == Some(IDS) { "" } else { " of another namespace" };
        let message = format!("<{}>{own} is not expected here in <{}>", child.name, element.name);
        self.problem(
            child,
            message,
            format!("<{}> holds, in this order, {}", element.name, names.join(", ")),
        );
    }

    /// One simple value, or one restriction.
    fn value(&mut self, element: &Element) {
        if !self.no_text(element) {
            return;
        }
        let mut is_wrong = element.children.len() != 1;
        for child in &element.children {
            if is(child, IDS, "simpleValue") {
                self.element(child, Content::Text);
            } else if is(child, XS, "restriction") {
                self.restriction(child);
            } else {
                is_wrong = true;
            }
        }
        if is_wrong {
            let message =
                format!("<{}> does not hold one <simpleValue> or one <xs:restriction>", element.name);
            self.problem(element, message, "give it exactly one of them");
        }
    }

    fn restriction(&mut self, element: &Element) {
        self.open_attributes(element, &["base"]);
        if let Some(base) = element.attribute("base")
            && !is_qname(&lexical::collapsed(base))
        {
            self.problem(
                element,
                format!("the base \"{}\" is no name", brief(base)),
                "name a type, as in xs:string",
            );
        }
        if !self.no_text(element) {
            return;
        }
        let mut stage = 0;
        let mut is_wrong = false;
        for child in &element.children {
            let own = child.namespace.as_deref() == Some(XS);
            let found = match child.name.as_str() {
                "annotation" if own && stage == 0 => 1,
                "simpleType" if own && stage <= 1 => 2,
                name if own && FACETS.contains(&name) => 3,
                _ => 0,
            };
            match found {
                1 => self.annotation(child),
                2 => self.simple_type(child),
                3 => self.facet(child),
                _ if !is_wrong => {
                    let message = format!("<{}> is not expected here in <xs:restriction>", child.name);
                    self.problem(child, message, format!("facets are {}", FACETS.join(", ")));
                    is_wrong = true;
                }
                _ => {}
            }
            stage = stage.max(found);
        }
    }

    fn facet(&mut self, element: &Element) {
        let fixed: &[&str] = match element.name.as_str() {
            "enumeration" | "pattern" => &["value"],
            _ => &["value", "fixed"],
        };
        self.open_attributes(element, fixed);
        self.holds_annotation(element);
        if fixed.len() == 2
            && let Some(fixed) = element.attribute("fixed")
            && lexical::boolean(&lexical::collapsed(fixed)).is_none()
        {
            self.problem(element, format!("`fixed` is \"{}\"", brief(fixed)), "it is true or false");
        }
        let Some(value) = element.attribute("value") else {
            self.problem(element, format!("<xs:{}> has no `value`", element.name), "give it one");
            return;
        };
        let plain = lexical::collapsed(value);
        let expected = match element.name.as_str() {
            "fractionDigits" | "length" | "minLength" | "maxLength" => {
                if is_count(&plain) {
                    return;
                }
                "a whole number from nought on"
            }
            "totalDigits" => {
                let is_positive = is_count(&plain) && plain.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
                if is_positive {
                    return;
                }
                "a whole number from one on"
            }
            "whiteSpace" => {
                if matches!(&*plain, "preserve" | "replace" | "collapse") {
                    return;
                }
                "preserve, replace or collapse"
            }
            _ => return,
        };
        let message = format!("the value \"{}\" of <xs:{}> is wrong", brief(value), element.name);
        self.problem(element, message, format!("it is {expected}"));
    }

    /// At most one annotation, and nothing else.
    fn holds_annotation(&mut self, element: &Element) {
        if !self.no_text(element) {
            return;
        }
        for (at, child) in element.children.iter().enumerate() {
            if is(child, XS, "annotation") && at == 0 {
                self.annotation(child);
            } else {
                let message = format!("<{}> is not expected here in <xs:{}>", child.name, element.name);
                self.problem(child, message, "take it out");
                return;
            }
        }
    }

    fn annotation(&mut self, element: &Element) {
        self.open_attributes(element, &[]);
        if !self.no_text(element) {
            return;
        }
        for child in &element.children {
            if !is(child, XS, "documentation") && !is(child, XS, "appinfo") {
                let message = format!("<{}> is not expected here in <xs:annotation>", child.name);
                self.problem(child, message, "it holds <xs:documentation> and <xs:appinfo>");
                return;
            }
        }
    }

    /// A simple type within a restriction: structurally allowed, though IDS makes no use of it.
    fn simple_type(&mut self, element: &Element) {
        self.open_attributes(element, &[]);
        if !self.no_text(element) {
            return;
        }
        let mut children = element.children.iter().peekable();
        if let Some(annotation) = children.next_if(|child| is(child, XS, "annotation")) {
            self.annotation(annotation);
        }
        match (children.next(), children.next()) {
            (Some(child), None) if is(child, XS, "restriction") => self.restriction(child),
            (Some(child), None) if is(child, XS, "list") || is(child, XS, "union") => {
                let attribute = if child.name == "list" { "itemType" } else { "memberTypes" };
                self.open_attributes(child, &[attribute]);
                for inner in child.children.iter().filter(|inner| is(inner, XS, "simpleType")) {
                    self.simple_type(inner);
                }
            }
            _ => self.problem(
                element,
                "<xs:simpleType> does not hold one derivation".to_owned(),
                "take it out",
            ),
        }
    }

    /// Attributes of an element of XML Schema: some of its own, `id`, and any of other namespaces.
    fn open_attributes(&mut self, element: &Element, known: &[&str]) {
        for attribute in &element.attributes {
            match attribute.namespace.as_deref() {
                Some(XSI) => self.instance_attribute(element, &attribute.name, &attribute.value),
                None if known.contains(&attribute.name.as_str()) => {}
                None if attribute.name == "id" => {
                    let id = lexical::collapsed(&attribute.value);
                    if !lexical::is_ncname(&id) || !self.ids.insert(id.into_owned()) {
                        let message =
                            format!("the id \"{}\" is no name, or there twice", brief(&attribute.value));
                        self.problem(element, message, "give it another one");
                    }
                }
                Some(namespace) if namespace != XS => {}
                _ => self.unknown_attribute(element, &attribute.name),
            }
        }
    }

    fn unknown_attribute(&mut self, element: &Element, name: &str) {
        let message = format!("<{}> has no attribute `{name}`", element.name);
        self.problem(element, message, "take it out, or correct its name");
    }

    fn instance_attribute(&mut self, element: &Element, name: &str, value: &str) {
        match name {
            "schemaLocation" | "noNamespaceSchemaLocation" => {}
            "nil" if lexical::boolean(value) == Some(false) => {}
            _ => self.unknown_attribute(element, &format!("xsi:{name}")),
        }
    }

    fn attributes(&mut self, element: &Element, content: Content) {
        let known = content.attributes();
        for attribute in &element.attributes {
            if attribute.namespace.as_deref() == Some(XSI) {
                self.instance_attribute(element, &attribute.name, &attribute.value);
                continue;
            }
            let found =
                known.iter().find(|(name, _, _)| *name == attribute.name && attribute.namespace.is_none());
            let Some((name, of_type, _)) = found else {
                let prefix = if attribute.namespace.as_deref() == Some(XML) { "xml:" } else { "" };
                self.unknown_attribute(element, &format!("{prefix}{}", attribute.name));
                continue;
            };
            if let Err(expected) = of_type.check(&attribute.value) {
                let message = format!("`{name}` of <{}> is \"{}\"", element.name, brief(&attribute.value));
                self.problem(element, message, format!("it is {expected}"));
            }
        }
        for (name, _, is_required) in known {
            if *is_required && element.attribute(name).is_none() {
                self.problem(
                    element,
                    format!("<{}> lacks the attribute `{name}`", element.name),
                    format!("add `{name}`"),
                );
            }
        }
    }
}

impl AttributeType {
    fn check(self, value: &str) -> Result<(), &'static str> {
        let plain = lexical::collapsed(value);
        let (is_right, expected) = match self {
            Self::Text => (true, ""),
            Self::Versions => (
                plain.split(' ').all(|one| matches!(one, "" | "IFC2X3" | "IFC4" | "IFC4X3_ADD2")),
                "one or more of IFC2X3, IFC4, IFC4X3_ADD2, with spaces between",
            ),
            Self::Count => (is_count(&plain), "a whole number from nought on"),
            Self::CountOrUnbounded => {
                (is_count(&plain) || plain == "unbounded", "a whole number from nought on, or `unbounded`")
            }
            Self::Relation => (
                super::part_of::RELATIONS.contains(&value),
                "IFCRELAGGREGATES, IFCRELASSIGNSTOGROUP, IFCRELCONTAINEDINSPATIALSTRUCTURE, IFCRELNESTS or \
                 \"IFCRELVOIDSELEMENT IFCRELFILLSELEMENT\"",
            ),
            Self::UpperCase => (
                !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_uppercase()),
                "the name of a type of IFC in capitals, such as IFCLABEL",
            ),
            Self::SimpleCardinality => {
                (matches!(value, "required" | "prohibited"), "`required` or `prohibited`")
            }
            Self::ConditionalCardinality => (
                matches!(value, "required" | "prohibited" | "optional"),
                "`required`, `optional` or `prohibited`",
            ),
        };
        if is_right { Ok(()) } else { Err(expected) }
    }
}

/// True if it is a whole number from nought on, as XML Schema writes it.
fn is_count(text: &str) -> bool {
    lexical::is_integer(text) && (!text.starts_with('-') || text.bytes().skip(1).all(|byte| byte == b'0'))
}

fn is_qname(text: &str) -> bool {
    match text.split_once(':') {
        Some((prefix, local)) => lexical::is_ncname(prefix) && lexical::is_ncname(local),
        None => lexical::is_ncname(text),
    }
}

/// The pattern of the schema: something, `@`, something without a full stop, a full stop, something.
fn is_address(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let Some((first, rest)) = host.split_once('.') else { return false };
    !name.is_empty() && !first.is_empty() && !rest.is_empty() && !rest.contains(['\n', '\r'])
}

/// A text of a stranger, shortened.
pub(super) fn brief(text: &str) -> String {
    let mut letters = text.chars();
    let kept: String = letters.by_ref().take(60).collect();
    if letters.next().is_some() { kept + "…" } else { kept }
}
