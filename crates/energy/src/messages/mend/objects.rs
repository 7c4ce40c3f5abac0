//! Steps that bring or take whole objects, or change their names and types.

use super::super::subject;
use super::names;
use super::steps::Meant;
use crate::edit::Fields;
use crate::idf::{Handle, Object};
use serde_json::Value;

impl Meant<'_> {
    pub(super) fn add(&mut self) -> Result<(), String> {
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

    pub(super) fn copy(&mut self) -> Result<(), String> {
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

    pub(super) fn one_of_name(&mut self) -> Result<(), String> {
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
                self.work.remove_anyway(handle)?;
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

    pub(super) fn one_of_type(&mut self) -> Result<(), String> {
        let types: Vec<String> = self.types().into_iter().map(str::to_owned).collect();
        for type_name in types {
            let document = self.work.document();
            if !document.schema().get(&type_name).is_some_and(|about| about.unique) {
                return Err(format!("A model may have several {type_name}."));
            }
            let later: Vec<Handle> =
                document.of_type(&type_name).skip(1).map(|object| object.handle()).collect();
            for handle in later {
                self.work.remove_anyway(handle)?;
                self.work.assumptions.push(format!("The first {type_name} is the one that holds."));
            }
        }
        Ok(())
    }

    pub(super) fn name_blank(&mut self) -> Result<(), String> {
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
    pub(super) fn free_name(&self, type_name: &str, stem: &str) -> String {
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

    pub(super) fn nearest_type(&mut self) -> Result<(), String> {
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

    pub(super) fn remove_extra(&mut self) -> Result<(), String> {
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

    pub(super) fn remove_unmade(&mut self) -> Result<(), String> {
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
