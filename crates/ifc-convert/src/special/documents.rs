//! Documents, libraries and classifications: IFC4 turned the direction of their references round, and made one class
//! of what IFC2X3 wrote as items, notations and facets.

use crate::Outcome;
use crate::step::{Fate, Step};
use ifc::{Id, Instance, Value};
use std::collections::BTreeMap;

/// The class that lists its references, the attribute for it, the class of the references and the attribute back.
const TURNED: [(&str, &str, &str, &str); 2] = [
    ("IfcDocumentInformation", "DocumentReferences", "IfcDocumentReference", "ReferencedDocument"),
    ("IfcLibraryInformation", "LibraryReference", "IfcLibraryReference", "ReferencedLibrary"),
];

impl Step<'_> {
    /// A reference names its document.
    pub(super) fn documents_up(&mut self) {
        for (class, list, _, back) in TURNED {
            for id in self.source.of_class(class) {
                for reference in self.source.get(id).map(|i| i.references(list)).unwrap_or_default() {
                    self.later(reference, back, id.into());
                }
            }
        }
    }

    /// A document lists its references.
    pub(super) fn documents_down(&mut self) {
        for (_, list, class, back) in TURNED {
            let mut lists: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
            for id in self.source.of_class(class) {
                if let Some(document) = self.source.get(id).and_then(|i| i.reference(back)) {
                    lists.entry(document).or_default().push(id);
                }
            }
            for (document, references) in lists {
                self.later(document, list, references.into());
            }
        }
    }

    /// Remembers a value for an attribute that only the target has.
    fn later(&mut self, id: Id, attribute: &'static str, value: Value) {
        self.overrides.entry(id.0).or_default().push((attribute, value));
    }

    /// Items under items name the item above them.
    pub(super) fn classifications_up(&mut self) {
        for id in self.source.of_class("IfcClassificationItemRelationship") {
            let Some(relation) = self.source.get(id) else { continue };
            let Some(above) = relation.reference("RelatingItem") else { continue };
            for below in relation.references("RelatedItems") {
                self.overrides.entry(below.0).or_default().push(("ItemOf", above.into()));
            }
        }
    }

    /// IFC2X3 knows no references under references: each names the classification itself.
    pub(super) fn classifications_down(&mut self) {
        for id in self.source.of_class("IfcClassificationReference") {
            let mut above = self.source.get(id).and_then(|i| i.reference("ReferencedSource"));
            let direct = above;
            for _ in 0..64 {
                let Some(next) = above.filter(|next| self.is_a(*next, "IfcClassificationReference")) else {
                    break;
                };
                above = self.source.get(next).and_then(|i| i.reference("ReferencedSource"));
            }
            if above != direct {
                self.overrides.entry(id.0).or_default().push(("ReferencedSource", above.into()));
            }
        }
    }

    /// An item or notation of IFC2X3 as a reference.
    pub(super) fn classification(&mut self, instance: &Instance<'_>) -> Fate {
        let notation = |id: Option<Id>| {
            let notation = id.and_then(|id| self.source.get(id))?;
            let facets = match notation.references("NotationFacets") {
                facets if facets.is_empty() => vec![notation.id()],
                facets => facets,
            };
            let texts = facets.into_iter().filter_map(|id| self.source.get(id)?.text("NotationValue"));
            Some(texts.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
        };
        let (identification, source) = if instance.is_a("IfcClassificationItem") {
            let entity = instance.entity();
            let values = entity.map(|entity| self.attributes(instance, entity)).unwrap_or_default();
            let above = entity.and_then(|entity| values.get(entity.index_of("ItemOf")?)).cloned();
            (notation(instance.reference("Notation")), above.unwrap_or_default())
        } else {
            (notation(Some(instance.id())), Value::Null)
        };
        let attributes = [
            ("Identification", identification.into()),
            ("Name", instance.attr("Title")),
            ("ReferencedSource", source),
        ];
        self.made(
            instance,
            "IfcClassificationReference",
            &attributes,
            Outcome::Mapped,
            "is IfcClassificationReference now",
        )
    }
}
