//! An instance attribute by attribute: by name, or by the name it had; enumeration words that the target does not know
//! and classes that it does not have are kept in ObjectType or ElementType, as implementers agree for USERDEFINED.

use super::adapt::{Typed, Word};
use super::step::Step;
use super::{Outcome, Way, attributes};
use ifc::schema::{Entity, Kind};
use ifc::{Instance, Value};

/// Attributes that hold what no enumeration has a word for.
pub(super) const SPOKEN: [&str; 4] = ["ObjectType", "ElementType", "ProcessType", "ResourceType"];

impl Step<'_> {
    /// The values of an instance as the target's class has them, with what became of it noted.
    pub fn draft(
        &mut self,
        instance: &Instance<'_>,
        source: &'static Entity,
        target: &'static Entity,
        outcome: Outcome,
    ) -> Vec<Value> {
        let id = instance.id().0;
        let old = self.attributes(instance, source);
        let mut used = vec![false; old.len()];
        let mut words: Vec<Word> = Vec::new();
        let mut values = Vec::with_capacity(target.attributes.len());
        for attribute in target.attributes {
            if attribute.derived {
                values.push(Value::Derived);
                continue;
            }
            let name =
                attributes::source_name(self.way, (self.from, self.to), (source, target), attribute.name);
            let place = source.index_of(name);
            let declared = place.and_then(|at| source.attributes.get(at).copied());
            if let Some(slot) = place.and_then(|at| used.get_mut(at)) {
                *slot = true;
            }
            let value = place.and_then(|at| old.get(at));
            let value = value.filter(|value| !matches!(value, Value::Null | Value::Derived));
            let (Some(declared), Some(value)) = (declared, value) else {
                values.push(Value::Null);
                continue;
            };
            let from = Typed { kind: declared.kind, declared: declared.declared };
            let to = Typed { kind: attribute.kind, declared: attribute.declared };
            let adapted = self.adapt(attribute.name, value, from, to, &mut words);
            match &adapted {
                None if words.iter().all(|word| word.attribute != attribute.name) => {
                    let reason = format!("{} cannot hold this {}", attribute.declared, declared.name);
                    self.record.note(id, source.name, Outcome::Approximated, &reason);
                }
                Some(adapted) if adapted != value || name != attribute.name => self.record.mapped(id),
                _ => {}
            }
            values.push(adapted.unwrap_or_default());
        }
        // attributes that the target does not have
        for (at, attribute) in source.attributes.iter().enumerate() {
            let value = old.get(at).filter(|value| says_something(value));
            let (Some(value), Some(false)) = (value, used.get(at)) else { continue };
            match value {
                Value::Enum(word) if attribute.name == "PredefinedType" => {
                    if word != "USERDEFINED" && !implied(target, word) {
                        words.push(Word {
                            attribute: "PredefinedType",
                            text: word.clone(),
                            user_defined: false,
                        });
                    }
                }
                _ if attribute.derived || self.is_said_elsewhere(source.name, attribute.name) => {}
                _ => {
                    let reason = format!("{} has no {}", target.name, attribute.name);
                    self.record.note(id, source.name, Outcome::Approximated, &reason);
                }
            }
        }
        self.speak(id, source, target, outcome, &words, &mut values);
        self.finish(instance, source, target, &mut values);
        for (at, attribute) in target.attributes.iter().enumerate() {
            if attribute.optional || attribute.derived || values.get(at) != Some(&Value::Null) {
                continue;
            }
            // what the source leaves out although it must not, the target leaves out too
            let owed = source.index_of(attribute.name).filter(|at| {
                let optional = source.attributes.get(*at).is_none_or(|attribute| attribute.optional);
                !optional && old.get(*at).is_none_or(Value::is_null)
            });
            if owed.is_some() && source.name == target.name {
                continue;
            }
            if let Some((value, words)) = self.default(instance, target, attribute) {
                let reason = format!("{} is mandatory and was not given: {words}", attribute.name);
                match attribute.name {
                    // one line for all of them
                    "OwnerHistory" => self.record.note(id, attribute.owner, Outcome::Mapped, &reason),
                    _ => self.record.note(id, source.name, Outcome::Approximated, &reason),
                }
                if let Some(slot) = values.get_mut(at) {
                    *slot = value;
                }
            }
        }
        if target.name != source.name && outcome == Outcome::Mapped {
            self.record.note(id, source.name, Outcome::Mapped, &format!("is {} now", target.name));
        }
        values
    }

    /// The class that an earlier conversion kept in ObjectType, if the target has it again.
    pub fn restored(
        &self,
        instance: &Instance<'_>,
        source: &'static Entity,
        target: &'static Entity,
    ) -> &'static Entity {
        let said = SPOKEN.iter().find_map(|name| instance.text(name));
        let Some(said) = said.filter(|said| said.starts_with("Ifc")) else { return target };
        let class = said.split('.').next().unwrap_or_default();
        let found = self.to.entity(class).filter(|found| {
            let kin = ["IfcElement", "IfcElementType", "IfcSpatialElement", "IfcProduct"];
            let same_kind = kin.iter().any(|kin| found.is_a(self.to, kin) && source.is_a(self.from, kin));
            found.name == class && !found.is_abstract && self.from.entity(class).is_none() && same_kind
        });
        found.unwrap_or(target)
    }

    /// Puts what no attribute of the target holds into ObjectType or its like, if that is free; on the way up takes it
    /// out again.
    fn speak(
        &mut self,
        id: u32,
        source: &'static Entity,
        target: &'static Entity,
        outcome: Outcome,
        words: &[Word],
        values: &mut [Value],
    ) {
        let place = SPOKEN.iter().find_map(|name| target.index_of(name));
        let said = place.and_then(|at| values.get(at)).and_then(Value::as_text).map(str::to_owned);
        let predefined = target.index_of("PredefinedType");
        // a word that an earlier conversion, or a program, put there
        if let (Some(said), Some(predefined)) = (&said, predefined)
            && words.is_empty()
            && matches!(self.way, Way::TwoToFour | Way::FourToThree)
        {
            let word = match said.split_once('.') {
                Some((class, word)) if class == target.name => Some(word),
                None if *said == target.name => Some(""),
                None => Some(said.as_str()),
                Some(_) => None,
            };
            let items = target.attributes.get(predefined).map(|attribute| attribute.kind);
            if let (Some(word), Some(Kind::Enumeration(items))) = (word, items)
                && (word.is_empty() || items.contains(&word))
                && values
                    .get(predefined)
                    .is_some_and(|value| !says_something(value) || value.as_enum() == Some("USERDEFINED"))
            {
                if !word.is_empty() {
                    set(values, Some(predefined), Value::enumeration(word));
                }
                set(values, place, Value::Null);
                self.record.note(
                    id,
                    source.name,
                    Outcome::Mapped,
                    "ObjectType holds the class or predefined type",
                );
                return;
            }
        }
        let words: Vec<&Word> = words.iter().filter(|word| word.text != "USERDEFINED").collect();
        let lost_class = outcome == Outcome::Approximated
            && target.name != source.name
            && self.to.entity(source.name).is_none();
        let word = words.iter().find(|word| word.attribute == "PredefinedType").or(words.first()).copied();
        let text = match (lost_class, word) {
            (true, Some(word)) => Some(format!("{}.{}", source.name, word.text)),
            (true, None) => Some(source.name.to_owned()),
            (false, Some(word)) => Some(word.text.clone()),
            (false, None) => None,
        };
        let Some(text) = text else { return };
        let free = place.is_some() && said.is_none();
        if free {
            set(values, place, Value::Text(text));
        }
        for word in words.iter().filter(|word| word.user_defined) {
            // USERDEFINED without a text to say what is defined is against the rules
            let at = target.index_of(word.attribute);
            let items = at.and_then(|at| target.attributes.get(at)).map(|attribute| attribute.kind);
            let spoken = word.attribute == "PredefinedType" && (free || said.is_some());
            if let (false, Some(Kind::Enumeration(items))) = (spoken, items)
                && items.contains(&"NOTDEFINED")
            {
                set(values, at, Value::enumeration("NOTDEFINED"));
            }
        }
        let kept = if free { "is kept in ObjectType or ElementType" } else { "is lost" };
        if lost_class {
            let reason = format!("becomes {}; the class {kept}", target.name);
            self.record.note(id, source.name, Outcome::Approximated, &reason);
        }
        for word in words {
            let reason = match target.index_of(word.attribute) {
                Some(_) => {
                    format!("{}.{} has no word {}, which {kept}", target.name, word.attribute, word.text)
                }
                None => format!("{} has no {}; {} {kept}", target.name, word.attribute, word.text),
            };
            self.record.note(id, source.name, Outcome::Approximated, &reason);
        }
    }
}

/// True if a value is worth a word when it is lost.
pub(super) fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Derived => false,
        Value::Enum(word) => word != "NOTDEFINED",
        Value::List(members) => !members.is_empty(),
        _ => true,
    }
}

/// True if a class says by itself what the word would.
fn implied(target: &Entity, word: &str) -> bool {
    matches!(
        (target.name, word),
        ("IfcDoor" | "IfcDoorStyle", "DOOR")
            | ("IfcWindow" | "IfcWindowStyle", "WINDOW")
            | ("IfcOpeningElement", "OPENING")
            | ("IfcTask", "MOVE")
            | (_, "STANDARD")
    )
}

/// Puts a value at a place.
pub(super) fn set(values: &mut [Value], at: Option<usize>, value: Value) {
    if let Some(slot) = at.and_then(|at| values.get_mut(at)) {
        *slot = value;
    }
}
