//! One value from an attribute of the source into an attribute of the target: the same kind, or what is as good.

use super::special::dates;
use super::step::Step;
use ifc::edit::check;
use ifc::schema::{Kind, List};
use ifc::{Id, Value};

/// An attribute's type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Typed {
    pub kind: Kind,
    pub declared: &'static str,
}

/// An attribute that is a select, and the types that it may be.
#[derive(Debug, Clone, Copy)]
struct Select {
    attribute: &'static str,
    leaves: &'static [&'static str],
}

/// Words that an enumeration lost on the way, and what stands there now.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub attribute: &'static str,
    pub text: String,
    /// True if the attribute says USERDEFINED now, so that the word must stand elsewhere.
    pub user_defined: bool,
}

impl Step<'_> {
    /// The value in the target, or none if that cannot hold it. Words that an enumeration lost are put into `words`.
    pub fn adapt(
        &mut self,
        attribute: &'static str,
        value: &Value,
        from: Typed,
        to: Typed,
        words: &mut Vec<Word>,
    ) -> Option<Value> {
        match (to.kind, value) {
            (_, Value::Null | Value::Derived) => None,
            (Kind::List(list), Value::List(members)) => {
                let of = match from.kind {
                    Kind::List(inner) => inner.of,
                    other => other,
                };
                let (from, to) = (Typed { kind: of, ..from }, Typed { kind: list.of, ..to });
                let adapted: Vec<Value> = members
                    .iter()
                    .filter_map(|member| self.adapt(attribute, member, from, to, words))
                    .collect();
                // a list that broke its bounds before may do so again
                let as_before = adapted.len() == members.len();
                bounded(list, adapted, as_before)
            }
            (Kind::List(list), value) => {
                let member = self.adapt(attribute, value, from, Typed { kind: list.of, ..to }, words)?;
                bounded(list, vec![member], false)
            }
            (_, Value::List(members)) if !matches!(from.kind, Kind::Select(_)) => {
                let [member] = members.as_slice() else { return None };
                let of = match from.kind {
                    Kind::List(inner) => inner.of,
                    other => other,
                };
                self.adapt(attribute, member, Typed { kind: of, ..from }, to, words)
            }
            (Kind::Enumeration(items), Value::Enum(word)) => enumerated(attribute, items, word, words),
            (Kind::Enumeration(items), Value::Text(text)) => {
                let word = text.trim().to_ascii_uppercase();
                items.contains(&word.as_str()).then_some(Value::Enum(word))
            }
            (Kind::Select(leaves), value) => self.selected(Select { attribute, leaves }, value, from, words),
            (Kind::Entity(class), Value::Text(text)) => self.date(class, text),
            (Kind::Entity(_), Value::Ref(id)) => Some(Value::Ref(*id)),
            (_, Value::Typed(_, inner)) => self.adapt(attribute, inner, from, to, words),
            (Kind::Text, Value::Ref(id)) => self.inlined(*id, to.declared).map(Value::Text),
            (kind, value) => self.plain(kind, value, from, to),
        }
    }

    /// A value that is no list and no reference.
    fn plain(&self, kind: Kind, value: &Value, from: Typed, to: Typed) -> Option<Value> {
        match (kind, value) {
            (Kind::Text, Value::Text(text)) => {
                if dates::is_duration(from.declared) && to.declared == "IfcTimeMeasure" {
                    return None;
                }
                Some(Value::Text(self.fitted(text, to.declared)))
            }
            (Kind::Text, Value::Enum(word)) => Some(Value::Text(word.clone())),
            (Kind::Text, Value::Binary(digits)) => Some(Value::Text(digits.clone())),
            (Kind::Text, Value::Real(number)) if dates::is_duration(to.declared) => {
                Some(Value::Text(dates::duration(*number)))
            }
            (Kind::Text, Value::Integer(number)) if dates::is_duration(to.declared) => {
                Some(Value::Text(dates::duration(*number as f64)))
            }
            (Kind::Number, Value::Text(text)) if dates::is_duration(from.declared) => {
                dates::seconds(text).map(Value::Real)
            }
            (Kind::Number, Value::Real(number)) => {
                let positive = super::plan::is_positive(to.declared);
                (!positive || *number > 0.0).then_some(Value::Real(*number))
            }
            (Kind::Number, Value::Integer(number)) => {
                let whole = check::base(self.to, check::leaf(to.declared)).1 == "NUMBER";
                Some(if whole { Value::Integer(*number) } else { Value::Real(*number as f64) })
            }
            (Kind::Integer, Value::Integer(number)) => Some(Value::Integer(*number)),
            (Kind::Integer, Value::Real(number)) if number.fract() == 0.0 && number.abs() < 9e15 => {
                Some(Value::Integer(*number as i64))
            }
            (Kind::Boolean, Value::Boolean(_))
            | (Kind::Logical, Value::Boolean(_) | Value::Unknown)
            | (Kind::Binary, Value::Binary(_)) => Some(value.clone()),
            _ => None,
        }
    }

    /// A text cut to what the target's type takes.
    fn fitted(&self, text: &str, declared: &str) -> String {
        match check::width(self.to, check::leaf(declared)) {
            Some(width) if !width.fixed && text.chars().count() > width.most => {
                text.chars().take(width.most).collect()
            }
            _ => text.to_owned(),
        }
    }

    /// A member of a select.
    fn selected(
        &mut self,
        select: Select,
        value: &Value,
        from: Typed,
        words: &mut Vec<Word>,
    ) -> Option<Value> {
        match value {
            Value::Ref(id) => Some(Value::Ref(*id)),
            Value::Typed(name, inner) => {
                let source = self.from.kind_of_type(name);
                let declared = self.from.type_declaration(name).map_or("", |found| found.name);
                let from = Typed { kind: source.unwrap_or(from.kind), declared };
                self.leaf(select, inner, from, words)
            }
            Value::Text(text) if select.leaves.contains(&"IfcCalendarDate") => {
                self.date("IfcDateTimeSelect", text)
            }
            value => self.leaf(select, value, from, words),
        }
    }

    /// A value under the name of one of a select's types: its own, else one of the same base, else the plain one.
    fn leaf(&mut self, select: Select, value: &Value, from: Typed, words: &mut Vec<Word>) -> Option<Value> {
        let Select { attribute, leaves } = select;
        let own = check::leaf(from.declared);
        let (base, _) = check::base(self.from, own);
        // reals that count something are numbers of another kind once counts are whole
        let fractional = matches!(value, Value::Real(number) if number.fract() != 0.0);
        let simple: &[&'static str] = match value.untyped() {
            Value::Text(text) if text.chars().count() > 255 => &["IfcText", "IfcLabel"],
            Value::Text(_) | Value::Enum(_) | Value::Binary(_) => &["IfcLabel", "IfcText", "IfcIdentifier"],
            Value::Integer(_) => &["IfcInteger", "IfcReal"],
            Value::Real(_) if fractional => &["IfcNumericMeasure", "IfcReal", "IfcRatioMeasure"],
            Value::Real(_) => &["IfcReal", "IfcNumericMeasure", "IfcRatioMeasure"],
            Value::Boolean(_) => &["IfcBoolean", "IfcLogical"],
            Value::Unknown => &["IfcLogical"],
            _ => &[],
        };
        let measures = leaves
            .iter()
            .copied()
            .filter(|leaf| !from.declared.is_empty() && check::base(self.to, leaf).0 == base);
        // its own name before that of what it is made of: a positive length is not just a length
        let of_name = |name: &str| leaves.iter().copied().find(|leaf| *leaf == name);
        let candidates: Vec<&'static str> = of_name(own)
            .into_iter()
            .chain(of_name(base))
            .chain(measures)
            .chain(simple.iter().copied().filter(|name| leaves.contains(name)))
            .collect();
        for name in candidates {
            let Some(kind) = self.to.kind_of_type(name) else { continue };
            let to = Typed { kind, declared: name };
            if let Some(inner) = self.adapt(attribute, value, from, to, words) {
                return Some(Value::Typed(name.to_owned(), Box::new(inner)));
            }
        }
        // a select of one kind of measure under names that only one schema has, such as stiffness
        let fitting = leaves.iter().copied().find(|leaf| self.to.kind_of_type(leaf) == Some(from.kind));
        fitting.filter(|_| simple.is_empty() || !leaves.contains(&"IfcLabel")).and_then(|name| {
            let to = Typed { kind: self.to.kind_of_type(name)?, declared: name };
            let inner = self.adapt(attribute, value, from, to, words)?;
            Some(Value::Typed(name.to_owned(), Box::new(inner)))
        })
    }

    /// The text of an instance, where the target has a text in its place.
    fn inlined(&mut self, id: Id, declared: &str) -> Option<String> {
        let instance = self.source.get(id)?;
        let text = match instance.class_name() {
            "IfcCalendarDate" | "IfcDateAndTime" | "IfcLocalTime" => dates::text(self.source, id, declared)?,
            "IfcDocumentElectronicFormat" => {
                let mime = [instance.text("MimeContentType"), instance.text("MimeSubtype")];
                match mime {
                    [Some(content), Some(subtype)] => format!("{content}/{subtype}"),
                    _ => instance.text("FileExtension")?,
                }
            }
            _ => return None,
        };
        self.memory.inlined.insert(id.0);
        Some(text)
    }
}

fn bounded(list: &List, mut members: Vec<Value>, as_before: bool) -> Option<Value> {
    if list.set || list.unique {
        let mut seen = std::collections::HashSet::new();
        members.retain(|member| member.as_ref().is_none_or(|id| seen.insert(id)));
    }
    (as_before || check::bounds(list, members.len()).is_ok()).then_some(Value::List(members))
}

fn enumerated(attribute: &'static str, items: &[&str], word: &str, words: &mut Vec<Word>) -> Option<Value> {
    if items.contains(&word) {
        return Some(Value::Enum(word.to_owned()));
    }
    let fallback = ["USERDEFINED", "NOTDEFINED"].into_iter().find(|fallback| items.contains(fallback));
    let lost = Word { attribute, text: word.to_owned(), user_defined: fallback == Some("USERDEFINED") };
    words.push(lost);
    fallback.map(Value::enumeration)
}
