//! The fields of objects as predicates and their values as terms.

use super::view::{EnergyView, NAME, Subject};
use crate::term::{Bits, Key, Part};
use energy::idf::{FieldValue, Handle, Object};
use energy::schema::{Field, FieldKind};
use foldhash::{HashSet, HashSetExt};

/// The key of a field: names have one key in every type.
fn key_of<'d>(object: Object<'d>, value: &FieldValue<'d>) -> Option<&'d str> {
    if value.position == 0 && object.is_named() {
        return Some(NAME);
    }
    Some(&value.field?.key)
}

/// The literal that a value is.
fn literal(field: &Field, value: &str) -> Part {
    let number = || value.parse::<f64>().ok().filter(|number| number.is_finite());
    let double = |number: f64| Part::Double(Bits(number));
    match field.kind {
        FieldKind::Real | FieldKind::Mixed => number().map(double),
        // a whole number may be written with a point
        FieldKind::Integer => value.parse().map(Part::Integer).ok().or_else(|| number().map(double)),
        FieldKind::Choice => {
            let spelled = field.choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
            spelled.map(|choice| Part::Text((&**choice).into()))
        }
        FieldKind::Text | FieldKind::Reference | FieldKind::External | FieldKind::Node => None,
    }
    .unwrap_or_else(|| Part::Text(value.into()))
}

impl<'d> EnergyView<'d> {
    /// The objects that a value refers to; without any the literal that it is.
    fn terms(&self, at: usize, object: Object<'d>, value: &FieldValue<'d>) -> Vec<Key> {
        let nodes = self.nodes(at, object, value);
        if !nodes.is_empty() {
            return nodes;
        }
        value.field.map(|field| Key::new(literal(field, value.value))).into_iter().collect()
    }

    /// The objects that a value refers to.
    fn nodes(&self, at: usize, object: Object<'d>, value: &FieldValue<'d>) -> Vec<Key> {
        // numbers name nothing, and need no references
        if value.field.is_none_or(Field::is_numeric) {
            return Vec::new();
        }
        let all = self.references(at).map(|graph| graph.from(object.handle())).unwrap_or_default();
        let begin = all.partition_point(|reference| (reference.position as usize) < value.position);
        let own = all.get(begin..).unwrap_or_default().iter();
        let own = own.take_while(|reference| reference.position as usize == value.position);
        own.map(|reference| self.node(at, reference.to)).collect()
    }

    /// The keys and values of an object's fields, each pair once; only those of one key where that is wanted.
    pub(super) fn fields_of(&self, at: usize, handle: Handle, wanted: Option<&str>) -> Vec<(&'d str, Key)> {
        let Some(object) = self.object(at, handle) else { return Vec::new() };
        let is_wanted = |key: &str| wanted.is_none_or(|wanted| wanted == key);
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for value in object.fields().filter(|value| !value.value.is_empty()) {
            let Some(key) = key_of(object, &value).filter(|key| is_wanted(key)) else { continue };
            let terms = match value.group {
                None => self.terms(at, object, &value),
                Some(_) => self.nodes(at, object, &value),
            };
            found.extend(terms.into_iter().map(|term| (key, term)).filter(|pair| seen.insert(pair.clone())));
        }
        let group = object.about().and_then(|about| about.extensible.as_ref());
        if let Some(key) = group.map(|group| &*group.key).filter(|key| is_wanted(key)) {
            let nodes = self.groups(at, handle).map(|number| self.term(at, Subject::Group(handle, number)));
            found.extend(nodes.map(|node| (key, node)));
        }
        found
    }

    /// The keys and values of fields that repeat.
    pub(super) fn fields_of_group(&self, at: usize, handle: Handle, number: usize) -> Vec<(&'d str, Key)> {
        let Some(object) = self.object(at, handle) else { return Vec::new() };
        let values = self.values_of_group(object, number).filter(|value| !value.value.is_empty());
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for value in values {
            let Some(key) = key_of(object, &value) else { continue };
            let terms = self.terms(at, object, &value).into_iter();
            found.extend(terms.map(|term| (key, term)).filter(|pair| seen.insert(pair.clone())));
        }
        found
    }

    #[expect(clippy::unused_self, reason = "beside its like")]
    fn values_of_group(
        &self,
        object: Object<'d>,
        number: usize,
    ) -> impl Iterator<Item = FieldValue<'d>> + use<'d> {
        let about = object.about();
        let size = about.and_then(|about| about.extensible.as_ref()).map_or(0, |group| group.fields.len());
        let begin = about.map_or(0, |about| about.fields.len()).saturating_add(number.saturating_mul(size));
        (begin..begin.saturating_add(size)).map(move |position| FieldValue {
            position,
            field: about.and_then(|about| about.field_at(position)).map(|(field, _)| field),
            group: Some(number),
            value: object.value(position),
        })
    }

    /// True if an object has fields that repeat of this number, and a value in them.
    pub(super) fn has_group(&self, at: usize, handle: Handle, number: usize) -> bool {
        let Some(object) = self.object(at, handle) else { return false };
        self.values_of_group(object, number).any(|value| !value.value.is_empty())
    }

    /// The numbers of an object's fields that repeat and have a value.
    pub(super) fn groups(&self, at: usize, handle: Handle) -> impl Iterator<Item = usize> + '_ {
        let count = self.object(at, handle).map_or(0, |object| {
            let about = object.about();
            let fixed = about.map_or(0, |about| about.fields.len());
            let size =
                about.and_then(|about| about.extensible.as_ref()).map_or(0, |group| group.fields.len());
            if size == 0 { 0 } else { object.len().saturating_sub(fixed).div_ceil(size) }
        });
        (0..count).filter(move |number| self.has_group(at, handle, *number))
    }

    /// The key of a value of an object, and the number of the group that it stands in.
    pub(super) fn place(&self, at: usize, handle: Handle, position: u32) -> Option<(&'d str, Option<usize>)> {
        let object = self.object(at, handle)?;
        let position = position as usize;
        let (field, group) = object.about()?.field_at(position)?;
        let value = FieldValue { position, field: Some(field), group, value: "" };
        Some((key_of(object, &value)?, group))
    }
}
