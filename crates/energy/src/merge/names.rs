//! Which names objects have in the end that either side renamed.

use super::sides::stand_in;
use super::{Clash, Joining, Side};
use crate::idf::{Handle, Object};
use std::collections::HashMap;

impl Joining<'_> {
    /// Decides the final name of each renamed object.
    pub(super) fn final_names(&mut self) {
        let sides = self.sides;
        for (base, names) in &sides.renamed {
            let stand_in = stand_in(*base);
            let Some(was) = sides.base.object(*base) else { continue };
            let here = self.document.all_named(was.type_name(), &stand_in).first().map(Object::handle);
            let Some(here) = here else { continue };
            let ours = names.ours.as_ref().unwrap_or(&names.base);
            let theirs = names.theirs.as_ref().unwrap_or(&names.base);
            let name = if ours == theirs || *theirs == names.base {
                ours
            } else if *ours == names.base {
                theirs
            } else {
                let clash = Clash::Field {
                    field: "name".into(),
                    base: names.base.clone(),
                    ours: ours.clone(),
                    theirs: theirs.clone(),
                };
                if self.side(was, "name", clash) == Side::Ours { ours } else { theirs }
            };
            self.names.insert(here, name.clone());
        }
        self.names_apart();
    }

    /// Two objects of one type do not come to one name: of a rename and what stands in its way, one side gives way.
    fn names_apart(&mut self) {
        let sides = self.sides;
        let mut taken: HashMap<(String, String), Handle> = HashMap::new();
        let key = |type_name: &str, name: &str| (type_name.to_lowercase(), name.to_lowercase());
        let given: Vec<(Handle, String)> = self.names.iter().map(|(at, name)| (*at, name.clone())).collect();
        for (handle, name) in given {
            let Some(object) = self.document.object(handle) else { continue };
            let type_name = object.type_name().to_owned();
            let in_the_way = self.document.all_named(&type_name, &name).first().map(Object::handle);
            let rival = taken.get(&key(&type_name, &name)).copied().or(in_the_way);
            let Some(rival) = rival.filter(|rival| *rival != handle) else {
                taken.insert(key(&type_name, &name), handle);
                continue;
            };
            let (own, other) = (self.renamed_at(handle), self.renamed_at(rival));
            let Some(base) = own.and_then(|base| sides.base.object(base)) else { continue };
            let side = self.side(base, "same_name", Clash::SameName);
            let of = |base: Option<Handle>| {
                let names = sides.renamed.get(&base?)?;
                let chosen = if side == Side::Ours { &names.ours } else { &names.theirs };
                Some(chosen.clone().unwrap_or_else(|| names.base.clone()))
            };
            if let Some(own) = of(own) {
                if other.is_none() && own.eq_ignore_ascii_case(&name) {
                    // what is new under this name gives way, and who means it means the one that took the name
                    self.document.put(rival, None);
                    self.places.values_mut().filter(|at| **at == rival.0).for_each(|at| *at = handle.0);
                }
                taken.insert(key(&type_name, &own), handle);
                self.names.insert(handle, own);
            }
            if let Some(other) = of(other) {
                taken.insert(key(&type_name, &other), rival);
                self.names.insert(rival, other);
            }
        }
    }

    /// The object of the base that one of the document is, if it has a stand-in for its name.
    fn renamed_at(&self, handle: Handle) -> Option<Handle> {
        let object = self.document.object(handle)?;
        object.name().strip_prefix('\u{1}')?.parse().ok().map(Handle)
    }
}
