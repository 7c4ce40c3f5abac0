//! Two changes of one model joined, object by object and field by field.
//!
//! A field that one side changed is changed; one that both changed differently is a conflict, and so is an object that one side
//! removed and the other changed or needs. Groups that repeat (the corners of a surface, the lines of a schedule) mean something
//! only as a whole and are joined as one. Renames are followed: what one side newly says of an object that the other renamed says
//! it of the same object. Which side is called ours matters for the answer only where a conflict is decided.

mod effect;
mod names;
mod needs;
mod sides;
#[cfg(test)]
mod tests;

pub use effect::{Effect, differences};
pub use sides::{Runs, follow};

use crate::idf::{Document, Handle, Object, Record, set_value};
use sides::{Sides, renamed_all, runs};
use std::collections::{BTreeMap, HashMap, HashSet};

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The one that is added to.
    Ours,
    /// The one that is added.
    Theirs,
}

/// A conflict between both sides of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clash {
    /// Both changed a field, or a group of them, differently.
    Field {
        /// Its key.
        field: String,
        /// The value before.
        base: String,
        /// Ours.
        ours: String,
        /// Theirs.
        theirs: String,
    },
    /// One side removed what the other changed or refers to.
    Removed {
        /// The side that removed it.
        by: Side,
        /// The objects that refer to it on the other side.
        needed_by: Vec<String>,
    },
    /// Both added, or renamed to, another object of this type and name.
    SameName,
}

/// A conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The key under which it is decided.
    pub key: String,
    /// The type of the object.
    pub type_name: String,
    /// Its name, or its handle.
    pub name: String,
    /// The conflict.
    pub clash: Clash,
}

/// The outcome of a merge.
pub struct Merged {
    /// Ours with what theirs did.
    pub document: Document,
    /// Conflicts that nobody decided; where there are any, the document is none.
    pub open: Vec<Conflict>,
    /// Keys of all conflicts that were met.
    pub met: HashSet<String>,
    /// The handles in the document of the objects of theirs.
    pub ids: Runs,
    /// The effect of theirs on the base, and its effect on ours.
    pub effects: (Effect, Effect),
}

/// Joins the changes that lead from `base` to `ours` and to `theirs`, which are of one version of EnergyPlus. `decide` is asked for a side by the key of a conflict.
pub fn merge(
    (base, ours, theirs): (&Document, &Document, &Document),
    (ours_steps, theirs_steps): (&[Runs], &[Runs]),
    decide: &dyn Fn(&str) -> Option<Side>,
) -> Merged {
    // both may have been brought to another version since
    let brought =
        (base.schema().version() != ours.schema().version()).then(|| base.laid_out(&ours.shared_schema()));
    let sides = Sides::new(brought.as_ref().unwrap_or(base), ours, theirs, ours_steps, theirs_steps);
    let mut joining = Joining {
        document: sides.ours.clone(),
        sides: &sides,
        decide,
        open: Vec::new(),
        met: HashSet::new(),
        names: BTreeMap::new(),
        places: BTreeMap::new(),
        gone: Vec::new(),
    };
    joining.objects();
    joining.added();
    joining.needed();
    joining.final_names();
    let plain = joining.document;
    let effects = (
        effect::between(&sides.base, &sides.theirs, &|handle| sides.to_theirs.back(handle), &sides.renamed),
        effect::between(
            &sides.ours,
            &plain,
            &|handle| if sides.ours.object(handle).is_some() { Some(handle) } else { None },
            &sides.renamed,
        ),
    );
    let effects =
        (effects.0.named(&joining.names, &sides, true), effects.1.named(&joining.names, &sides, false));
    let document = renamed_all(&plain, &joining.names);
    let ids = runs(&joining.places);
    Merged { document, open: joining.open, met: joining.met, ids, effects }
}

struct Joining<'a> {
    sides: &'a Sides,
    decide: &'a dyn Fn(&str) -> Option<Side>,
    document: Document,
    open: Vec<Conflict>,
    met: HashSet<String>,
    /// The names that stand-ins are given up for, by handles in the document.
    names: BTreeMap<Handle, String>,
    /// The handles of the objects of theirs.
    places: BTreeMap<u32, u32>,
    /// Objects of the base that one side removed and the other had left alone.
    gone: Vec<(Handle, Side)>,
}

impl Joining<'_> {
    /// The side of a conflict; where nobody decided, ours for now.
    fn side(&mut self, object: Object<'_>, what: &str, clash: Clash) -> Side {
        let (type_name, name) = (object.type_name().to_owned(), self.label(object));
        let mut key = format!("{type_name}/{name}");
        if !what.is_empty() {
            key.push('/');
            key.push_str(what);
        }
        self.met.insert(key.clone());
        if let Some(side) = (self.decide)(&key) {
            return side;
        }
        if !self.open.iter().any(|known| known.key == key) {
            self.open.push(Conflict { key, type_name, name, clash });
        }
        Side::Ours
    }

    /// An object by the name it has in the base, or by its handle.
    fn label(&self, object: Object<'_>) -> String {
        let stands_in = object.name().strip_prefix('\u{1}').and_then(|number| number.parse().ok());
        match stands_in.and_then(|number| self.sides.renamed.get(&Handle(number))) {
            Some(names) => names.base.clone(),
            None if object.name().is_empty() => object.handle().to_string(),
            None => object.name().to_owned(),
        }
    }

    /// Merges the objects that were there before both.
    fn objects(&mut self) {
        let sides = self.sides;
        for base in sides.base.objects() {
            let (to_ours, to_theirs) = (sides.to_ours.to(base.handle()), sides.to_theirs.to(base.handle()));
            let ours = to_ours.and_then(|handle| sides.ours.object(handle));
            let theirs = to_theirs.and_then(|handle| sides.theirs.object(handle));
            match (ours, theirs) {
                (None, None) => {}
                (Some(ours), None) => {
                    if is_same(base, ours) {
                        self.document.put(ours.handle(), None);
                        self.gone.push((base.handle(), Side::Theirs));
                    } else {
                        let clash = Clash::Removed { by: Side::Theirs, needed_by: Vec::new() };
                        if self.side(base, "removed", clash) == Side::Theirs {
                            self.document.put(ours.handle(), None);
                        }
                    }
                }
                (None, Some(theirs)) => {
                    if is_same(base, theirs) {
                        self.gone.push((base.handle(), Side::Ours));
                    } else {
                        let clash = Clash::Removed { by: Side::Ours, needed_by: Vec::new() };
                        if self.side(base, "removed", clash) == Side::Theirs {
                            self.bring_back(theirs);
                        }
                    }
                }
                (Some(ours), Some(theirs)) => {
                    self.places.insert(theirs.handle().0, ours.handle().0);
                    let joined = self.fields(base, ours, theirs);
                    if joined != ours.to_record() {
                        self.document.put(ours.handle(), Some(joined));
                    }
                }
            }
        }
    }

    /// Puts an object of theirs in, behind all others.
    fn bring_back(&mut self, theirs: Object<'_>) {
        let handle = self.document.push(theirs.to_record());
        self.places.insert(theirs.handle().0, handle.0);
    }

    /// Ours with the fields that theirs changed.
    fn fields(&mut self, base: Object<'_>, ours: Object<'_>, theirs: Object<'_>) -> Record {
        let mut record = ours.to_record();
        if is_same(base, theirs) {
            return record;
        }
        if is_same(base, ours) {
            let other = theirs.to_record();
            return Record { key: record.key, ..other };
        }
        if ours.type_name() != theirs.type_name() {
            let [was, a, b] = [base, ours, theirs].map(|object| object.type_name().to_owned());
            let clash = Clash::Field { field: "type".into(), base: was, ours: a, theirs: b };
            return match self.side(base, "type", clash) {
                Side::Ours => record,
                Side::Theirs => Record { key: record.key, ..theirs.to_record() },
            };
        }
        let fixed = base.about().map_or(0, |about| about.fields.len());
        for at in 0..fixed {
            let [was, a, b] = [base, ours, theirs].map(|object| object.value(at));
            if b == was || a == b {
                continue;
            }
            let field =
                base.about().and_then(|about| about.fields.get(at)).map(|field| field.key.to_string());
            let field = field.unwrap_or_else(|| format!("field_{}", at + 1));
            let takes = a == was || {
                let [base_value, ours, theirs] = [was, a, b].map(str::to_owned);
                let clash = Clash::Field { field: field.clone(), base: base_value, ours, theirs };
                self.side(base, &field, clash) == Side::Theirs
            };
            if takes {
                set_value(&mut record.values, at, b.to_owned());
            }
        }
        let [was, a, b] = [base, ours, theirs].map(|object| tail(object, fixed));
        if b != was && a != b {
            let field = base.about().and_then(|about| about.extensible.as_ref());
            let field = field.map_or_else(|| "values".to_owned(), |group| group.key.to_string());
            let takes = a == was || {
                let [base_value, ours, theirs] = [&was, &a, &b].map(|values| values.join(", "));
                let clash = Clash::Field { field: field.clone(), base: base_value, ours, theirs };
                self.side(base, &field, clash) == Side::Theirs
            };
            if takes {
                record.values.resize(fixed.min(record.values.len()), "".into());
                if !b.is_empty() {
                    record.values.resize(fixed, "".into());
                }
                record.values.extend(b.iter().map(|value| Box::from(*value)));
            }
        }
        if theirs.extra() != base.extra() && theirs.extra() != ours.extra() {
            let shown = |object: Object<'_>| {
                let members: serde_json::Map<String, serde_json::Value> =
                    object.extra().iter().cloned().collect();
                serde_json::Value::Object(members).to_string()
            };
            let takes = ours.extra() == base.extra() || {
                let [base_value, ours, theirs] = [base, ours, theirs].map(shown);
                let clash = Clash::Field { field: "extra".into(), base: base_value, ours, theirs };
                self.side(base, "extra", clash) == Side::Theirs
            };
            if takes {
                record.extra = theirs.extra().to_vec();
            }
        }
        record
    }

    /// Adds the objects that theirs added.
    fn added(&mut self) {
        let sides = self.sides;
        let is_new = |handle: Handle| sides.to_ours.back(handle).is_none();
        let mut unnamed: HashMap<Vec<String>, Vec<Handle>> = HashMap::new();
        for ours in sides.ours.objects().filter(|object| is_new(object.handle()) && object.name().is_empty())
        {
            unnamed.entry(said(ours)).or_default().push(ours.handle());
        }
        for theirs in sides.theirs.objects().filter(|object| sides.to_theirs.back(object.handle()).is_none())
        {
            let unique = theirs.about().is_some_and(|about| about.unique);
            let rival = if unique {
                self.document.of_type(theirs.type_name()).next().map(|object| object.handle())
            } else if theirs.name().is_empty() {
                unnamed.get_mut(&said(theirs)).and_then(Vec::pop)
            } else {
                let all = self.document.all_named(theirs.type_name(), theirs.name());
                all.first().map(Object::handle)
            };
            let known = rival.and_then(|handle| self.document.object(handle));
            let Some(known) = known else {
                self.bring_back(theirs);
                continue;
            };
            let handle = known.handle();
            if !is_same(known, theirs) && self.side(theirs, "", Clash::SameName) == Side::Theirs {
                self.document.put(handle, Some(theirs.to_record()));
            }
            self.places.insert(theirs.handle().0, handle.0);
        }
    }
}

/// The values behind the fields that do not repeat, without blanks at the end.
fn tail(object: Object<'_>, fixed: usize) -> Vec<&str> {
    let mut values: Vec<&str> = object.values().skip(fixed).collect();
    while values.last().is_some_and(|last| last.is_empty()) {
        values.pop();
    }
    values
}

/// Type and values, without blanks at the end.
fn said(object: Object<'_>) -> Vec<String> {
    let mut all = vec![object.type_name().to_lowercase()];
    all.extend(tail(object, 0).into_iter().map(str::to_owned));
    all
}

/// True if two objects say the same.
fn is_same(a: Object<'_>, b: Object<'_>) -> bool {
    a.type_name() == b.type_name() && a.extra() == b.extra() && tail(a, 0) == tail(b, 0)
}
