//! Property sets, read as far as they are asked for: most requirements name one property of one set.

use ifc::psets::{self, Property};
use ifc::{Id, Instance, Model};
use std::sync::{Arc, OnceLock};

/// A property set with its name; what is in it is read when it is asked for.
pub(super) struct Set<'m> {
    instance: Instance<'m>,
    name: String,
    members: OnceLock<Vec<Member>>,
}

/// A property with its name.
struct Member {
    id: Id,
    name: String,
    /// None for what is no property.
    read: OnceLock<Option<Box<Property>>>,
}

impl<'m> Set<'m> {
    /// A set by its instance.
    pub fn new(instance: Instance<'m>) -> Self {
        Self { instance, name: instance.name().unwrap_or_default(), members: OnceLock::new() }
    }

    fn members(&self) -> &[Member] {
        self.members.get_or_init(|| {
            let listing = match self.instance.class_name() {
                "IfcPropertySet" => "HasProperties",
                "IfcElementQuantity" => "Quantities",
                // the rest are few, and some have no members but their own attributes
                _ => return whole(self.instance.model(), self.instance.id()),
            };
            let model = self.instance.model();
            let named = |id| {
                let name = model.get(id)?.name().unwrap_or_default();
                Some(Member { id, name, read: OnceLock::new() })
            };
            self.instance.references(listing).into_iter().filter_map(named).collect()
        })
    }

    fn property<'s>(&'s self, member: &'s Member) -> Option<&'s Property> {
        let read = || psets::property(self.instance.model(), member.id).map(Box::new);
        member.read.get_or_init(read).as_deref()
    }
}

fn whole(model: &Model, set: Id) -> Vec<Member> {
    let properties = psets::property_set(model, set).map(|set| set.properties).unwrap_or_default();
    let member = |property: Property| Member {
        id: property.id,
        name: property.name.clone(),
        read: OnceLock::from(Some(Box::new(property))),
    };
    properties.into_iter().map(member).collect()
}

/// The sets of one name that an element has, the first before those that add to it: an element's own before its type's.
pub(super) struct NamedSet<'m> {
    first: Arc<Set<'m>>,
    further: Vec<Arc<Set<'m>>>,
    /// The members of the further ones that no set before has, as the number of the set and of the member.
    added: OnceLock<Vec<(usize, usize)>>,
}

impl<'m> NamedSet<'m> {
    fn new(first: Arc<Set<'m>>) -> Self {
        Self { first, further: Vec::new(), added: OnceLock::new() }
    }

    /// The sets by name, each name where it comes first.
    pub fn grouped(sets: &[Arc<Set<'m>>]) -> Vec<Self> {
        let mut places: foldhash::HashMap<&str, usize> = foldhash::HashMap::default();
        let mut named: Vec<Self> = Vec::with_capacity(sets.len());
        for set in sets {
            let place = *places.entry(&set.name).or_insert(named.len());
            match named.get_mut(place) {
                Some(known) => known.further.push(Arc::clone(set)),
                None => named.push(Self::new(Arc::clone(set))),
            }
        }
        named
    }

    /// The name of the set.
    pub fn name(&self) -> &str {
        &self.first.name
    }

    /// The properties whose names are as asked, in the order of the sets and of the file; a property hides those of its name in further
    /// sets.
    pub fn properties<'s>(
        &'s self,
        is_asked: impl Fn(&str) -> bool + 's,
    ) -> impl Iterator<Item = &'s Property> {
        let own = self.first.members().iter().map(|member| (&*self.first, member));
        let added = self.added().iter().filter_map(|(set, member)| {
            let set = self.further.get(*set)?;
            Some((&**set, set.members().get(*member)?))
        });
        own.chain(added)
            .filter(move |(_, member)| is_asked(&member.name))
            .filter_map(|(set, member)| set.property(member))
    }

    fn added(&self) -> &[(usize, usize)] {
        if self.further.is_empty() {
            return &[];
        }
        self.added.get_or_init(|| {
            fn names<'s>(set: &'s Set<'_>) -> impl Iterator<Item = &'s str> {
                let known = set.members().iter().filter(|member| set.property(member).is_some());
                known.map(|member| member.name.as_str())
            }
            let mut seen: foldhash::HashSet<&str> = names(&self.first).collect();
            let mut added = Vec::new();
            for (at, set) in self.further.iter().enumerate() {
                let all = set.members().iter().enumerate();
                added.extend(
                    all.filter(|(_, member)| !seen.contains(member.name.as_str())).map(|(own, _)| (at, own)),
                );
                seen.extend(names(set));
            }
            added
        })
    }
}
