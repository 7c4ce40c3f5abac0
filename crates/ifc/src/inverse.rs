//! Inverse attributes: what refers to an instance, asked by the name that the schema gives to the way back, such as
//! `HasOpenings` of a wall.
//!
//! EXPRESS declares an inverse attribute as all instances of an entity whose attribute refers here (ISO 10303-11,
//! 9.2.1.3); nothing of it stands in a file. It is answered from the index of referrers, for the file and the overlay
//! alike. Whether there are as many as the declaration wants is for validation to say.

use crate::instance::Source;
use crate::schema::Inverse;
use crate::{Id, Instance, Model};

impl Model {
    /// The instances that an inverse attribute of this one holds: those of the declared entity, subtypes included,
    /// whose declared attribute refers to it, by id, each once.
    pub fn inverse(&self, id: Id, inverse: &Inverse) -> Vec<Id> {
        let mut found = self.referrers_of(id, inverse.entity);
        found
            .retain(|source| self.get(*source).is_some_and(|source| source.refers_to(inverse.attribute, id)));
        found
    }
}

impl Instance<'_> {
    /// An inverse attribute by its exact name, inherited ones included; empty where the class has none of that name.
    pub fn inverse(&self, name: &str) -> Vec<Id> {
        let model = self.model();
        let declared = self
            .entity()
            .and_then(|entity| model.schema().inverses(entity).find(|inverse| inverse.name == name));
        declared.map_or_else(Vec::new, |inverse| model.inverse(self.id(), inverse))
    }

    /// True if an explicit attribute refers to this instance, itself or by a member at any depth.
    pub fn refers_to(&self, attribute: &str, target: Id) -> bool {
        match self.source() {
            Source::Overlay(stored) => {
                let at = self.entity().and_then(|entity| entity.index_of(attribute));
                at.and_then(|at| stored.values.get(at)).is_some_and(|value| value.refers(target))
            }
            Source::Base(_) => self.references(attribute).contains(&target),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SchemaVersion;
    use crate::sample::{HOUSE, model};

    fn house() -> Model {
        model(SchemaVersion::Ifc4, HOUSE)
    }

    fn check(id: u32, name: &str, expected: &[u32]) {
        let house = house();
        let found: Vec<u32> = house.get(Id(id)).unwrap().inverse(name).into_iter().map(|id| id.0).collect();
        assert_eq!(found, expected, "#{id}.{name}");
    }

    #[test]
    fn an_inverse_attribute_holds_the_relations_that_refer_here() {
        check(10, "HasOpenings", &[15]);
        check(10, "ContainedInStructure", &[17]);
        check(10, "IsDefinedBy", &[37, 41]);
        check(10, "IsTypedBy", &[23]);
        check(14, "VoidsElements", &[15]);
        check(14, "HasFillings", &[16]);
        check(6, "ContainsElements", &[17]);
        check(12, "HasOpenings", &[]);
    }

    #[test]
    fn only_the_attribute_that_is_declared_counts() {
        // the building is a part of the project and the whole of its storeys
        check(5, "Decomposes", &[8]);
        check(5, "IsDecomposedBy", &[9]);
        // the placement of a product holds the product, not the placements that stand on it
        check(83, "PlacesObject", &[10]);
        check(83, "ReferencedByPlacements", &[84]);
    }

    #[test]
    fn a_name_that_the_class_does_not_have_holds_nothing() {
        check(10, "hasopenings", &[]);
        check(10, "Name", &[]);
        check(94, "HasOpenings", &[]);
    }

    #[test]
    fn one_that_refers_twice_is_there_once() {
        let twice = model(
            SchemaVersion::Ifc4,
            "#1=IFCWALL('0000000000000000000001',$,$,$,$,$,$,$,$);
            #2=IFCRELAGGREGATES('0000000000000000000002',$,$,$,#1,(#1,#1));",
        );
        let wall = twice.get(Id(1)).unwrap();
        assert_eq!(wall.inverse("IsDecomposedBy"), [Id(2)]);
        assert_eq!(wall.inverse("Decomposes"), [Id(2)]);
    }

    #[test]
    fn changes_count_before_they_are_written() {
        let mut edit = house().edit();
        edit.remove_from(Id(17), "RelatedElements", Id(10)).unwrap();
        edit.add_to(Id(18), "RelatedElements", Id(10)).unwrap();
        edit.remove(Id(16)).unwrap();
        let (after, _) = edit.finish();
        assert_eq!(after.get(Id(10)).unwrap().inverse("ContainedInStructure"), [Id(18)]);
        assert_eq!(after.get(Id(14)).unwrap().inverse("HasFillings"), []);
    }
}
