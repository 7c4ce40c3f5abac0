//! Steps that change values of an object: to one that may stand there, to the nearest name, into their order.

use super::names;
use super::steps::Meant;
use crate::idf::Handle;
use crate::schema::Field;

impl Meant<'_> {
    pub(super) fn allowed(&mut self, handle: Handle) -> Result<(), String> {
        let position = self.position(handle)?;
        let object = self.work.object(handle)?;
        let (name, current) = (super::work::field_name(object, position), object.value(position).to_owned());
        let field = object.about().and_then(|about| about.field_at(position)).map(|(field, _)| field);
        let field = field.ok_or("The schema has no such field.")?;
        let (value, source) = allowed_value(field, &current).ok_or_else(|| {
            format!("`{name}` has no default and no nearest value that it may hold; give it one.")
        })?;
        let label = format!("{} `{}`", object.type_name(), object.label());
        self.work.set(handle, position, &value)?;
        self.work.assumptions.push(format!("{name} of {label} is {value}: {source}."));
        Ok(())
    }

    pub(super) fn swap(&mut self, handle: Handle) -> Result<(), String> {
        let object = self.work.object(handle)?;
        let about = object.about().ok_or("The schema does not know the type.")?;
        let at = |field: Option<&str>| field.and_then(|field| about.position(field));
        let other = self.step.other.as_deref().and_then(|field| self.groups.resolve(field));
        let (Some(first), Some(second)) = (at(self.field()), at(other)) else {
            return Err("The fields are not found.".to_owned());
        };
        let read = |at: usize| object.value(at).parse::<f64>().ok();
        if read(first).zip(read(second)).is_none_or(|(first, second)| first <= second) {
            return Err("The first is not above the second.".to_owned());
        }
        self.work.rewrite(handle, |record| {
            if first.max(second) < record.values.len() {
                record.values.swap(first, second);
            }
        })
    }

    pub(super) fn swap_ranges(&mut self, handle: Handle) -> Result<(), String> {
        let object = self.work.object(handle)?;
        let about = object.about().ok_or("The schema does not know the type.")?;
        let pairs = about.fields.iter().enumerate().filter_map(|(least, field)| {
            let most = about.position(&format!("maximum{}", field.key.strip_prefix("minimum")?))?;
            let number = |at: usize| object.value(at).trim().parse::<f64>().ok();
            (number(least)? > number(most)?).then_some((least, most))
        });
        let pairs: Vec<(usize, usize)> = pairs.collect();
        self.work.rewrite(handle, |record| {
            for (least, most) in pairs {
                if least.max(most) < record.values.len() {
                    record.values.swap(least, most);
                }
            }
        })
    }

    pub(super) fn nearest(&mut self, handle: Handle) -> Result<(), String> {
        let position = self.position(handle)?;
        let current = self.work.object(handle)?.value(position).to_owned();
        if current.is_empty() {
            return Err("The field is blank: nothing says what is meant.".to_owned());
        }
        let available = self.work.available(handle, position);
        if available.iter().any(|name| name.eq_ignore_ascii_case(&current)) {
            return Err(format!(
                "The model has a `{current}` by now, or what has that name is of another use."
            ));
        }
        let meant = names::meant(&current, available.iter().map(String::as_str))?.to_owned();
        self.work.set(handle, position, &meant)
    }

    pub(super) fn nearest_value(&mut self, handle: Handle) -> Result<(), String> {
        let position = self.position(handle)?;
        let current = self.work.object(handle)?.value(position).to_owned();
        let (type_name, field) = self
            .step
            .other
            .as_deref()
            .and_then(|other| other.split_once('.'))
            .ok_or("The catalogue names no field.")?;
        let document = self.work.document();
        let held: Vec<&str> = document.of_type(type_name).filter_map(|object| object.get(field)).collect();
        let meant = names::meant(&current, held.into_iter())?.to_owned();
        self.work.set(handle, position, &meant)
    }

    pub(super) fn nearest_choice(&mut self, handle: Handle) -> Result<(), String> {
        let position = self.position(handle)?;
        let object = self.work.object(handle)?;
        let current = object.value(position).to_owned();
        let field = object.about().and_then(|about| about.field_at(position)).map(|(field, _)| field);
        let choices = field.map(|field| field.choices.as_slice()).unwrap_or_default();
        let automatic = field.and_then(|field| field.automatic).map(crate::schema::Automatic::word);
        let meant =
            names::meant(&current, choices.iter().map(|choice| &**choice).chain(automatic))?.to_owned();
        self.work.set(handle, position, &meant)
    }

    pub(super) fn renumber(&mut self, handle: Handle) -> Result<(), String> {
        let object = self.work.object(handle)?;
        let about = object.about().ok_or("The schema does not know the type.")?;
        let group = about.extensible.as_ref().ok_or("The object has no list.")?;
        let (from, size) = (about.fields.len(), group.fields.len().max(1));
        let count = object.groups().count();
        let ends = group.fields.iter().enumerate().filter(|(_, field)| field.key.ends_with("_sequence"));
        let columns: Vec<usize> = ends.map(|(at, _)| at).collect();
        let mut wanted: Vec<(usize, usize)> = Vec::new();
        for column in columns {
            let at = |row: usize| from + row * size + column;
            let mut rows: Vec<(u64, usize)> = (0..count)
                .map(|row| (object.value(at(row)).trim().parse::<u64>().unwrap_or(u64::MAX), row))
                .collect();
            rows.sort_unstable();
            wanted.extend(rows.into_iter().enumerate().map(|(number, (_, row))| (at(row), number + 1)));
        }
        for (position, number) in wanted {
            self.work.set(handle, position, &number.to_string())?;
        }
        Ok(())
    }

    pub(super) fn remove_repeated(&mut self, handle: Handle) -> Result<(), String> {
        let value = self.value()?;
        let about = self.work.object(handle)?.about().ok_or("The schema does not know the type.")?;
        let group = about.extensible.as_ref().ok_or("The object has no list.")?;
        let (from, size) = (about.fields.len(), group.fields.len().max(1));
        self.work.rewrite(handle, |record| {
            let tail = record.values.split_off(from.min(record.values.len()));
            let mut seen = false;
            for group in tail.chunks(size) {
                let holds = group.iter().any(|held| held.trim().eq_ignore_ascii_case(&value));
                if !(holds && seen) {
                    record.values.extend(group.iter().cloned());
                }
                seen |= holds;
            }
        })
    }
}

/// A value that a field may hold in place of one that it may not, and where it comes from.
fn allowed_value(field: &Field, current: &str) -> Option<(String, &'static str)> {
    if let Some(default) = &field.default {
        return Some((default.to_string(), "the default of EnergyPlus' schema"));
    }
    // of a physical quantity the end of the range is no likely value
    let number: f64 = current.trim().parse().ok().filter(|_| field.units.is_none())?;
    let least = field.minimum.filter(|bound| !bound.exclusive && number < bound.value);
    let most = field.maximum.filter(|bound| !bound.exclusive && number > bound.value);
    let bound = least.or(most)?;
    Some((bound.value.to_string(), "the nearest value that EnergyPlus' schema allows"))
}
