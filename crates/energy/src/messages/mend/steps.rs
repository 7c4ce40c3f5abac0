//! Carries out the steps of a mend: finds the objects and the field that a step means, and makes its change.

use super::super::catalogue::{Entry, Groups, Step, StepKind};
use super::super::subject;
use super::work::Work;
use super::{corners, layers, schedule};
use crate::idf::{Handle, Object};

/// Carries out the steps of a kind for one message, until one changes something. The reason if none does; then nothing is changed.
pub fn carry_out(work: &mut Work, entry: &Entry, groups: &Groups) -> Result<(), String> {
    let mut reason = None;
    let mut steps = entry.mend.as_slice();
    while let Some((last, first)) = chain(steps) {
        steps = steps.get(first.len() + 1..).unwrap_or_default();
        let before = work.changes.len();
        let outcome = work.whole(|work| {
            for step in first {
                one(work, entry, step, groups)?;
            }
            one(work, entry, last, groups)
        });
        if work.changes.len() > before {
            return Ok(());
        }
        reason = reason.or(outcome.err());
    }
    Err(reason.unwrap_or_else(|| format!("The model is so already. {}", entry.remedy)))
}

/// The steps that are done together: those that say so, and the one after them.
fn chain(steps: &[Step]) -> Option<(&Step, &[Step])> {
    let length = steps.iter().take_while(|step| step.then).count();
    Some((steps.get(length)?, steps.get(..length)?))
}

/// Carries out one step. It fails only if it changes nothing.
fn one(work: &mut Work, entry: &Entry, step: &Step, groups: &Groups) -> Result<(), String> {
    let before = work.changes.len();
    let outcome = Meant { work: &mut *work, entry, step, groups }.carry_out();
    if work.changes.len() == before {
        return outcome;
    }
    work.assumptions.extend(step.assumption.as_deref().map(|text| filled(text, groups)));
    Ok(())
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
pub(super) struct Meant<'a> {
    pub(super) work: &'a mut Work,
    entry: &'a Entry,
    pub(super) step: &'a Step,
    pub(super) groups: &'a Groups,
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
                let most = self.value().ok().and_then(|count| count.parse().ok()).unwrap_or(usize::MAX);
                self.work.remove_unused(&types, self.step.kind == StepKind::RemoveSpare, most)
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
            if let Err(why) = self.change(handle) {
                reason = reason.or(Some(why));
            }
        }
        reason.map_or(Ok(()), Err)
    }

    fn change(&mut self, handle: Handle) -> Result<(), String> {
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

    pub(super) fn types(&self) -> Vec<&str> {
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

    pub(super) fn value(&self) -> Result<String, String> {
        self.named(self.step.value.as_deref(), "value")
    }

    /// A text of the step, or the group of the message that stands in for it.
    pub(super) fn named(&self, text: Option<&str>, group: &str) -> Result<String, String> {
        let found = match text {
            Some(text) => self.groups.resolve(text),
            None => self.groups.get(group),
        };
        found.map(str::to_owned).ok_or_else(|| "The message does not say what.".to_owned())
    }

    pub(super) fn field(&self) -> Option<&str> {
        match &self.step.field {
            Some(field) => self.groups.resolve(field),
            None => self.groups.get("field").or(self.entry.field.as_deref()),
        }
    }

    /// The position of the field that is meant: by its name, or else by what stands in it.
    pub(super) fn position(&self, handle: Handle) -> Result<usize, String> {
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
}
