//! Carries out the steps of a mend: finds the objects and the field that a step means, and makes its change.

use super::super::catalogue::{Entry, Groups, Step, StepKind};
use super::super::subject;
use super::work::Work;
use super::{corners, layers, names, schedule};
use crate::edit::Fields;
use crate::idf::{Handle, Object};
use crate::schema::Field;
use serde_json::Value;

/// Carries out the steps of a kind for one message, until one changes something. The reason if none does.
pub fn carry_out(work: &mut Work, entry: &Entry, groups: &Groups) -> Result<(), String> {
    let mut reason = None;
    let mut changed = false;
    for step in &entry.mend {
        let before = work.changes.len();
        let outcome = Meant { work: &mut *work, entry, step, groups }.carry_out();
        if work.changes.len() > before {
            changed = true;
            work.assumptions.extend(step.assumption.as_deref().map(|text| filled(text, groups)));
            if !step.then {
                return Ok(());
            }
        } else if let Err(why) = outcome {
            reason = reason.or(Some(why));
        }
    }
    if changed {
        return Ok(());
    }
    Err(reason.unwrap_or_else(|| format!("The model is so already. {}", entry.remedy)))
}

/// A text with what the groups hold in place of `{group}`.
fn filled(text: &str, groups: &Groups) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((group, behind)) = after.split_once('}') else { break };
        out.push_str(groups.get(group).unwrap_or_default());
        rest = behind;
    }
    out + rest
}

/// A step with what it is done to.
struct Meant<'a> {
    work: &'a mut Work,
    entry: &'a Entry,
    step: &'a Step,
    groups: &'a Groups,
}

impl Meant<'_> {
    fn carry_out(&mut self) -> Result<(), String> {
        match self.step.kind {
            StepKind::Add => self.add(),
            StepKind::Copy => self.copy(),
            StepKind::NearestType => self.nearest_type(),
            StepKind::NameBlank => self.name_blank(),
            StepKind::OneOfName => self.one_of_name(),
            StepKind::OneOfType => self.one_of_type(),
            StepKind::RemoveExtra => self.remove_extra(),
            StepKind::RemoveUnused | StepKind::RemoveSpare => {
                let types: Vec<String> = self.types().into_iter().map(str::to_owned).collect();
                self.work.remove_unused(&types, self.step.kind == StepKind::RemoveSpare);
                Ok(())
            }
            StepKind::RemoveUnmade => self.remove_unmade(),
            StepKind::ClearVolumes => corners::clear_volumes(self.work),
            StepKind::TurnInwards => {
                let (base, within) = (self.value()?, self.named(self.step.other.as_deref(), "other")?);
                corners::turn_inwards(self.work, &base, &within)
            }
            StepKind::MirrorLayers => {
                let (surface, beyond) = (self.value()?, self.named(self.step.other.as_deref(), "other")?);
                layers::mirror(self.work, &surface, &beyond)
            }
            _ => self.each(),
        }
    }

    /// Steps that are done to every object that is meant.
    fn each(&mut self) -> Result<(), String> {
        let handles = self.handles()?;
        let mut reason = None;
        for handle in handles {
            if let Err(why) = self.apply_to(handle) {
                reason = reason.or(Some(why));
            }
        }
        reason.map_or(Ok(()), Err)
    }

    fn apply_to(&mut self, handle: Handle) -> Result<(), String> {
        match self.step.kind {
            StepKind::Set => {
                let position = self.position(handle)?;
                let value = self.value()?;
                let about = self.work.object(handle)?.about();
                // what the program says in capitals is spelled as the schema has it
                let field = about.and_then(|about| about.field_at(position)).map(|(field, _)| field);
                let spelled = field.and_then(|field| {
                    field
                        .choices
                        .iter()
                        .find(|choice| choice.eq_ignore_ascii_case(&value))
                        .map(ToString::to_string)
                });
                self.work.set(handle, position, &spelled.unwrap_or(value))
            }
            StepKind::Clear => {
                let position = self.position(handle)?;
                self.work.set(handle, position, "")
            }
            StepKind::Allowed => self.allowed(handle),
            StepKind::Swap => self.swap(handle),
            StepKind::SwapRanges => self.swap_ranges(handle),
            StepKind::NearestValue => self.nearest_value(handle),
            StepKind::Remove => self.work.remove(handle),
            StepKind::RemoveRepeated => self.remove_repeated(handle),
            StepKind::Nearest => self.nearest(handle),
            StepKind::NearestChoice => self.nearest_choice(handle),
            StepKind::Turn => corners::turn(self.work, handle),
            StepKind::CleanCorners => corners::clean(self.work, handle),
            StepKind::UntilMidnight => schedule::until_midnight(self.work, handle),
            StepKind::ThroughYear => schedule::through_year(self.work, handle),
            StepKind::OtherDays => schedule::other_days(self.work, handle),
            StepKind::ScheduleWords => schedule::words(self.work, handle),
            StepKind::Renumber => self.renumber(handle),
            _ => Err("The catalogue asks for what this is not done with.".to_owned()),
        }
    }

    fn types(&self) -> Vec<&str> {
        if self.step.types.is_empty() {
            return subject::types_of(self.entry, self.groups);
        }
        self.step.types.iter().filter_map(|name| self.groups.resolve(name)).collect()
    }

    /// The objects that are meant.
    fn handles(&self) -> Result<Vec<Handle>, String> {
        let (types, document) = (self.types(), self.work.document());
        let name = match &self.step.name {
            Some(name) => Some(self.groups.resolve(name).ok_or("The message does not say which object.")?),
            None if self.step.types.is_empty() => self.groups.get("name"),
            None => None,
        };
        let handles: Vec<Handle> = if self.step.every {
            types.iter().flat_map(|name| document.of_type(name)).map(|object| object.handle()).collect()
        } else if types.is_empty() {
            let same = |object: &Object<'_>| {
                name.is_some_and(|name| object.is_named() && object.name().eq_ignore_ascii_case(name))
            };
            document.objects().filter(same).map(|object| object.handle()).collect()
        } else {
            subject::named(document, &types, name).iter().map(Object::handle).collect()
        };
        if handles.is_empty() {
            let wanted = name.map(|name| format!(" `{name}`")).unwrap_or_default();
            let kinds = if types.is_empty() { "object".to_owned() } else { types.join(" or ") };
            return Err(format!("The model has no {kinds}{wanted}, or several."));
        }
        Ok(handles)
    }

    fn value(&self) -> Result<String, String> {
        self.named(self.step.value.as_deref(), "value")
    }

    /// A text of the step, or the group of the message that stands in for it.
    fn named(&self, text: Option<&str>, group: &str) -> Result<String, String> {
        let found = match text {
            Some(text) => self.groups.resolve(text),
            None => self.groups.get(group),
        };
        found.map(str::to_owned).ok_or_else(|| "The message does not say what.".to_owned())
    }

    fn field(&self) -> Option<&str> {
        match &self.step.field {
            Some(field) => self.groups.resolve(field),
            None => self.groups.get("field").or(self.entry.field.as_deref()),
        }
    }

    /// The position of the field that is meant: by its name, or else by what stands in it.
    fn position(&self, handle: Handle) -> Result<usize, String> {
        let object = self.work.object(handle)?;
        let value = match &self.step.value {
            // of a set, this is the value to be
            Some(text) if self.step.kind != StepKind::Set => self.groups.resolve(text),
            None if self.step.kind == StepKind::Set => None,
            Some(_) | None => self.groups.get("value"),
        };
        subject::position(object, self.field(), value)
            .ok_or_else(|| format!("The field is not found in {} `{}`.", object.type_name(), object.label()))
    }

    fn allowed(&mut self, handle: Handle) -> Result<(), String> {
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

    fn swap(&mut self, handle: Handle) -> Result<(), String> {
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

    fn swap_ranges(&mut self, handle: Handle) -> Result<(), String> {
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

    fn nearest_value(&mut self, handle: Handle) -> Result<(), String> {
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

    fn remove_unmade(&mut self) -> Result<(), String> {
        let (Some(key), Some(variable)) = (self.groups.get("key"), self.groups.get("variable")) else {
            return Err("The message lists none.".to_owned());
        };
        let same = |object: &Object<'_>| {
            let held = object.get("key_value").map(str::trim).filter(|held| !held.is_empty()).unwrap_or("*");
            held.eq_ignore_ascii_case(key)
                && object.get("variable_name").is_some_and(|name| name.trim().eq_ignore_ascii_case(variable))
        };
        let types = self.types();
        let of_types = types.iter().flat_map(|name| self.work.document().of_type(name));
        let found: Vec<Handle> = of_types.filter(same).map(|object| object.handle()).collect();
        if found.is_empty() {
            return Err(format!("No Output:Variable asks for `{variable}` of `{key}` by itself."));
        }
        for handle in found {
            self.work.remove(handle)?;
        }
        Ok(())
    }

    fn nearest(&mut self, handle: Handle) -> Result<(), String> {
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

    fn nearest_choice(&mut self, handle: Handle) -> Result<(), String> {
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

    fn nearest_type(&mut self) -> Result<(), String> {
        let wanted = self.value()?;
        let schema = self.work.document().shared_schema();
        let meant = names::meant(&wanted, schema.types().iter().map(|about| &*about.name))?;
        let unknown = |object: &Object<'_>| {
            object.type_number().is_none() && object.type_name().eq_ignore_ascii_case(&wanted)
        };
        let found: Vec<Handle> =
            self.work.document().objects().filter(unknown).map(|object| object.handle()).collect();
        for handle in found {
            self.work.rewrite(handle, |record| {
                record.type_name = meant.into();
                record.number = schema.number(meant);
            })?;
        }
        Ok(())
    }

    fn name_blank(&mut self) -> Result<(), String> {
        for type_name in self.types().into_iter().map(str::to_owned).collect::<Vec<_>>() {
            let document = self.work.document();
            let blank = |object: &Object<'_>| object.is_named() && object.name().is_empty();
            let found: Vec<Handle> =
                document.of_type(&type_name).filter(blank).map(|object| object.handle()).collect();
            for handle in found {
                let name = self.free_name(&type_name, &type_name.replace(':', " "));
                self.work.set_name(handle, &name)?;
            }
        }
        Ok(())
    }

    /// A name with the first number behind it that nothing has.
    fn free_name(&self, type_name: &str, stem: &str) -> String {
        let document = self.work.document();
        let schema = document.schema();
        let taken = |name: &str| {
            schema
                .get(type_name)
                .is_some_and(|about| crate::check::names::taken(document, about, name).is_some())
        };
        let mut numbers = (2..).map(|number: u32| format!("{stem} {number}"));
        numbers.find(|name| !taken(name)).unwrap_or_else(|| stem.to_owned())
    }

    fn one_of_name(&mut self) -> Result<(), String> {
        let type_name =
            self.types().first().map(|name| (*name).to_owned()).ok_or("The message names no type.")?;
        let name = self.named(self.step.name.as_deref(), "name")?;
        let document = self.work.document();
        let all = document.all_named(&type_name, &name);
        let about = document.schema().get(&type_name).ok_or("The schema does not know the type.")?;
        let first = crate::check::names::taken(document, about, &name).map(|object| object.handle());
        let kept = first.and_then(|handle| document.object(handle));
        let others: Vec<(Handle, bool)> = all
            .iter()
            .filter(|object| Some(object.handle()) != first)
            .map(|object| (object.handle(), kept.is_some_and(|kept| same(kept, *object))))
            .collect();
        for (handle, alike) in others {
            if alike {
                self.work.remove_all_the_same(handle)?;
                continue;
            }
            let free = self.free_name(&type_name, &name_of(self.work.object(handle)?));
            self.work.set_name(handle, &free)?;
            self.work
                .assumptions
                .push(format!("Whoever names `{name}` means the first object of that name."));
        }
        Ok(())
    }

    fn one_of_type(&mut self) -> Result<(), String> {
        let types: Vec<String> = self.types().into_iter().map(str::to_owned).collect();
        for type_name in types {
            let document = self.work.document();
            if !document.schema().get(&type_name).is_some_and(|about| about.unique) {
                return Err(format!("A model may have several {type_name}."));
            }
            let later: Vec<Handle> =
                document.of_type(&type_name).skip(1).map(|object| object.handle()).collect();
            for handle in later {
                self.work.remove_all_the_same(handle)?;
                self.work.assumptions.push(format!("The first {type_name} is the one that holds."));
            }
        }
        Ok(())
    }

    fn remove_extra(&mut self) -> Result<(), String> {
        let extra = |object: &Object<'_>| {
            object
                .about()
                .is_some_and(|about| about.extensible.is_none() && object.len() > about.fields.len())
        };
        let found: Vec<(Handle, usize, bool)> = self
            .work
            .document()
            .objects()
            .filter(extra)
            .filter_map(|object| {
                let about = object.about()?;
                let last = about.fields.last()?;
                Some((object.handle(), about.fields.len(), last.key.starts_with("vertex")))
            })
            .collect();
        let mut reason = None;
        for (handle, length, is_corner) in found {
            if is_corner {
                reason = Some(
                    "The values beyond the last field are corners: the surface has to be divided.".to_owned(),
                );
                continue;
            }
            self.work.rewrite(handle, |record| record.values.truncate(length))?;
        }
        reason.map_or(Ok(()), Err)
    }

    fn remove_repeated(&mut self, handle: Handle) -> Result<(), String> {
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

    fn renumber(&mut self, handle: Handle) -> Result<(), String> {
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

    fn add(&mut self) -> Result<(), String> {
        let type_name =
            self.types().first().map(|name| (*name).to_owned()).ok_or("The message names no type.")?;
        let name = match &self.step.name {
            Some(name) => self.groups.resolve(name).unwrap_or_default().to_owned(),
            None => String::new(),
        };
        let fields: Fields = self
            .step
            .fields
            .iter()
            .map(|(field, value)| {
                let value = match value {
                    Value::String(text) => match text.as_str() {
                        "$version" => Value::from(self.work.document().schema().short_version()),
                        text => Value::from(self.groups.resolve(text).unwrap_or_default()),
                    },
                    other => other.clone(),
                };
                (field.clone(), value)
            })
            .collect();
        let document = self.work.document();
        let unique = document.schema().get(&type_name).is_some_and(|about| about.unique);
        if unique && document.of_type(&type_name).next().is_some() {
            return Err(format!("The model has a {type_name} by now."));
        }
        if !name.is_empty() && document.get(&type_name, &name).is_some() {
            // it was there, or an earlier message brought it
            return Ok(());
        }
        self.work.add(&type_name, &name, &fields).map(|_| ())
    }

    fn copy(&mut self) -> Result<(), String> {
        let types = self.types();
        let source = self.value()?;
        let name = self.named(self.step.name.as_deref(), "name")?;
        let document = self.work.document();
        let of_source = subject::named(document, &types, Some(&source));
        let [model] = of_source.as_slice() else {
            return Err(format!("There is no single {} for `{source}` to copy.", types.join(" or ")));
        };
        if !subject::named(document, &types, Some(&name)).is_empty() {
            return Err(format!("The model has one for `{name}` by now."));
        }
        let about = model.about().ok_or("The schema does not know the type.")?;
        let mut fields = Fields::new();
        for value in model.fields().filter(|value| !value.value.is_empty()) {
            let held = if value.position == 0 { name.as_str() } else { value.value };
            fields.insert(value.name(), Value::from(held));
        }
        let (type_name, named) = (about.name.to_string(), about.named);
        self.work.add(&type_name, if named { &name } else { "" }, &fields).map(|_| ())
    }
}

fn name_of(object: Object<'_>) -> String {
    object.name().to_owned()
}

/// True if two objects hold the same values.
fn same(one: Object<'_>, other: Object<'_>) -> bool {
    let length = one.len().max(other.len());
    one.type_number() == other.type_number()
        && (0..length).all(|at| one.value(at).trim().eq_ignore_ascii_case(other.value(at).trim()))
}

/// A value that a field may hold in place of one that it may not, and where it comes from.
fn allowed_value(field: &Field, current: &str) -> Option<(String, &'static str)> {
    if let Some(default) = &field.default {
        return Some((default.to_string(), "the default of EnergyPlus' schema"));
    }
    let number: f64 = current.trim().parse().ok()?;
    let least = field.minimum.filter(|bound| !bound.exclusive && number < bound.value);
    let most = field.maximum.filter(|bound| !bound.exclusive && number > bound.value);
    let bound = least.or(most)?;
    Some((bound.value.to_string(), "the nearest value that EnergyPlus' schema allows"))
}
