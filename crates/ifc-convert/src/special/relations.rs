//! Relationships whose make changed, and classes of occurrences that IFC2X3 says only by their types.

use crate::Outcome;
use crate::Way;
use crate::step::{Fate, Step};
use ifc::schema::Entity;
use ifc::{Id, Instance, Value};

/// Classes of IFC2X3 that say only what kind of thing an occurrence is; its type says what it is.
const GENERIC: [&str; 11] = [
    "IfcFlowTerminal",
    "IfcFlowSegment",
    "IfcFlowFitting",
    "IfcFlowController",
    "IfcFlowMovingDevice",
    "IfcFlowStorageDevice",
    "IfcFlowTreatmentDevice",
    "IfcEnergyConversionDevice",
    "IfcDistributionControlElement",
    "IfcFurnishingElement",
    "IfcBuildingElementProxy",
];

impl Step<'_> {
    /// An occurrence with an IfcValveType is an IfcValve since IFC4.
    pub(super) fn classes_of_types(&mut self) {
        for id in self.source.of_class("IfcRelDefinesByType") {
            let Some(relation) = self.source.get(id) else { continue };
            let kind = relation.reference("RelatingType").and_then(|id| self.source.get(id));
            let Some(class) = kind.and_then(|kind| kind.class_name().strip_suffix("Type")) else { continue };
            let Some(target) = self.to.entity(class).filter(|entity| !entity.is_abstract) else { continue };
            for occurrence in relation.references("RelatedObjects") {
                let Some(instance) = self.source.get(occurrence) else { continue };
                let own = instance.class_name();
                if GENERIC.contains(&own) && target.name != own && target.is_a(self.to, own) {
                    self.classes.insert(occurrence.0, target);
                }
            }
        }
    }

    /// Ports are nested in their element since IFC4; IFC2X3 connects each of them with it.
    pub(super) fn nested_ports(&mut self, instance: &Instance<'_>, entity: &'static Entity) -> Fate {
        let members = instance.references("RelatedObjects");
        let (ports, others): (Vec<Id>, Vec<Id>) =
            members.into_iter().partition(|id| self.is_a(*id, "IfcPort"));
        let element = instance.reference("RelatingObject").filter(|id| self.is_a(*id, "IfcElement"));
        let (Some(element), Some(first)) = (element, ports.first()) else {
            return self.drafted(instance, entity);
        };
        let class = "IfcRelConnectsPortToElement";
        let reason = "is IfcRelConnectsPortToElement for each port now";
        let skip = usize::from(others.is_empty());
        for (at, port) in ports.iter().enumerate().skip(skip) {
            let attributes = [("RelatingPort", (*port).into()), ("RelatedElement", element.into())];
            self.make_rooted(class, instance, &format!("port {at}"), &attributes);
        }
        if !others.is_empty() {
            self.overrides.entry(instance.id().0).or_default().push(("RelatedObjects", others.into()));
            self.record.note(instance.id().0, entity.name, Outcome::Mapped, reason);
            return self.drafted(instance, entity);
        }
        let owner = match instance.attr("OwnerHistory") {
            Value::Null => self.owner_history(),
            own => own,
        };
        let attributes = [
            ("GlobalId", instance.attr("GlobalId")),
            ("OwnerHistory", owner),
            ("Name", instance.attr("Name")),
            ("Description", instance.attr("Description")),
            ("RelatingPort", (*first).into()),
            ("RelatedElement", element.into()),
        ];
        self.made(instance, class, &attributes, Outcome::Mapped, reason)
    }

    /// The structural member of an element is assigned to it since IFC4.
    pub(super) fn structural_element(&mut self, instance: &Instance<'_>) -> Fate {
        let member = instance.reference("RelatedStructuralMember");
        let kept = ["GlobalId", "OwnerHistory", "Name", "Description"];
        let mut attributes: Vec<(&str, Value)> = kept.map(|name| (name, instance.attr(name))).to_vec();
        attributes.push(("RelatedObjects", Value::list(member)));
        attributes.push(("RelatingProduct", instance.attr("RelatingElement")));
        self.made(
            instance,
            "IfcRelAssignsToProduct",
            &attributes,
            Outcome::Mapped,
            "is IfcRelAssignsToProduct now",
        )
    }

    /// IFC4 wants an element at every space boundary: a virtual one where there is none.
    pub(super) fn boundary(&mut self, instance: &Instance<'_>, target: &Entity, values: &mut [Value]) {
        let at = target.index_of("RelatedBuildingElement");
        let missing = at.and_then(|at| values.get(at)).is_some_and(Value::is_null);
        if self.way != Way::TwoToFour || !missing {
            return;
        }
        let element = self.make_rooted("IfcVirtualElement", instance, "boundary", &[]);
        super::super::draft::set(values, at, element.into());
        let kind = target.index_of("PhysicalOrVirtualBoundary");
        if kind.and_then(|at| values.get(at)).and_then(Value::as_enum) != Some("VIRTUAL") {
            super::super::draft::set(values, kind, Value::enumeration("NOTDEFINED"));
        }
        self.approximated(instance, "has no element and gets an IfcVirtualElement");
    }
}
