//! Conversions that no table of names can say: instances that become something of another make.

mod bezier;
mod curves;
pub(super) mod dates;
mod documents;
mod facets;
mod finish;
mod georeference;
mod materials;
mod relations;
mod sets;
mod shared;
mod single;
mod styles;
#[cfg(test)]
mod tests;

use super::step::{Fate, Step};
use super::{Outcome, Way};
use ifc::schema::Entity;
use ifc::{Instance, Value};

/// True if a class is dealt with here.
pub(super) fn handles(way: Way, class: &str) -> bool {
    let classes: &[&str] = match way {
        Way::TwoToFour => &[
            "IfcCalendarDate",
            "IfcDateAndTime",
            "IfcLocalTime",
            "IfcCoordinatedUniversalTimeOffset",
            "IfcDocumentElectronicFormat",
            "IfcClassificationNotation",
            "IfcClassificationNotationFacet",
            "IfcClassificationItem",
            "IfcClassificationItemRelationship",
            "IfcBezierCurve",
            "IfcRationalBezierCurve",
            "IfcGeneralMaterialProperties",
            "IfcMechanicalMaterialProperties",
            "IfcMechanicalConcreteMaterialProperties",
            "IfcMechanicalSteelMaterialProperties",
            "IfcThermalMaterialProperties",
            "IfcHygroscopicMaterialProperties",
            "IfcOpticalMaterialProperties",
            "IfcFuelProperties",
            "IfcProductsOfCombustionProperties",
            "IfcWaterProperties",
            "IfcExtendedMaterialProperties",
            "IfcGeneralProfileProperties",
            "IfcStructuralProfileProperties",
            "IfcStructuralSteelProfileProperties",
            "IfcRibPlateProfileProperties",
            "IfcElectricalBaseProperties",
            "IfcEnergyProperties",
            "IfcFluidFlowProperties",
            "IfcServiceLifeFactor",
            "IfcSoundProperties",
            "IfcSoundValue",
            "IfcSpaceThermalLoadProperties",
            "IfcRelOverridesProperties",
            "IfcRelConnectsStructuralElement",
            "IfcAnnotationSurface",
        ],
        Way::FourToTwo => &[
            "IfcTriangulatedFaceSet",
            "IfcPolygonalFaceSet",
            "IfcIndexedPolygonalFace",
            "IfcIndexedPolygonalFaceWithVoids",
            "IfcCartesianPointList2D",
            "IfcCartesianPointList3D",
            "IfcIndexedPolyCurve",
            "IfcBSplineCurveWithKnots",
            "IfcRationalBSplineCurveWithKnots",
            "IfcSurfaceCurve",
            "IfcIntersectionCurve",
            "IfcSeamCurve",
            "IfcMaterialProfile",
            "IfcMaterialProfileWithOffsets",
            "IfcMaterialConstituent",
            "IfcMaterialProfileSet",
            "IfcMaterialConstituentSet",
            "IfcMaterialProfileSetUsage",
            "IfcMaterialProfileSetUsageTapering",
            "IfcExternalReferenceRelationship",
            "IfcRelNests",
            "IfcRelDefinesByProperties",
            "IfcPropertyEnumeratedValue",
            "IfcPropertyListValue",
            "IfcPropertyReferenceValue",
            "IfcPropertyTableValue",
            "IfcMapConversion",
            "IfcProjectedCRS",
        ],
        Way::FourToThree => &["IfcPresentationStyleAssignment", "IfcQuantityCount"],
        Way::ThreeToFour => &[],
    };
    classes.contains(&class)
}

impl Step<'_> {
    /// Looks ahead: what stands for what, and which attributes say something that other instances said.
    pub fn prepare(&mut self) {
        match self.way {
            Way::TwoToFour => {
                self.classes_of_types();
                self.documents_up();
                self.classifications_up();
                self.sets_of_one_name();
                self.quantities_of_one_name();
                self.materials_of_one_element();
                self.flat_norths();
                self.substitute("IfcAnnotationSurface", "Item");
            }
            Way::FourToTwo => {
                self.documents_down();
                self.classifications_down();
                self.styles_down();
                self.shared_down();
                self.facets_ahead();
                self.materials_ahead();
                self.substitute("IfcSurfaceCurve", "Curve3D");
            }
            Way::FourToThree => self.styles_up(),
            Way::ThreeToFour => {}
        }
    }

    /// Puts an attribute's instance in the place of all instances of a class.
    fn substitute(&mut self, class: &str, attribute: &str) {
        for id in self.source.of_class(class) {
            if let Some(target) = self.source.get(id).and_then(|instance| instance.reference(attribute))
                && target != id
            {
                self.substitutes.insert(id.0, target.0);
            }
        }
    }

    /// Converts an instance whose class is dealt with here.
    pub fn special(&mut self, instance: &Instance<'_>, entity: &'static Entity) -> Fate {
        match entity.name {
            "IfcCalendarDate"
            | "IfcDateAndTime"
            | "IfcLocalTime"
            | "IfcCoordinatedUniversalTimeOffset"
            | "IfcDocumentElectronicFormat"
            | "IfcClassificationNotationFacet" => {
                self.gone_into(instance, "is written as text where it is used")
            }
            "IfcPresentationStyleAssignment" => {
                self.gone_into(instance, "its styles are those of the styled items themselves")
            }
            "IfcIndexedPolygonalFace"
            | "IfcIndexedPolygonalFaceWithVoids"
            | "IfcCartesianPointList2D"
            | "IfcCartesianPointList3D" => self.gone_into(instance, "is part of the shapes made of it"),
            "IfcClassificationItemRelationship" => {
                self.gone_into(instance, "is said by ReferencedSource of its items")
            }
            "IfcAnnotationSurface" | "IfcSurfaceCurve" | "IfcIntersectionCurve" | "IfcSeamCurve" => {
                self.approximated(instance, "its item takes its place");
                Fate::Gone
            }
            "IfcClassificationNotation" | "IfcClassificationItem" => self.classification(instance),
            "IfcBezierCurve" | "IfcRationalBezierCurve" => self.bezier_up(instance),
            "IfcBSplineCurveWithKnots" | "IfcRationalBSplineCurveWithKnots" => self.spline_down(instance),
            "IfcIndexedPolyCurve" => self.polycurve(instance),
            "IfcTriangulatedFaceSet" | "IfcPolygonalFaceSet" => self.face_set(instance),
            "IfcMaterialProfileSet" | "IfcMaterialConstituentSet" => self.material_list(instance),
            "IfcMaterialProfile"
            | "IfcMaterialProfileWithOffsets"
            | "IfcMaterialConstituent"
            | "IfcMaterialProfileSetUsage"
            | "IfcMaterialProfileSetUsageTapering" => self.material_part(instance),
            "IfcExternalReferenceRelationship" => self.material_classification(instance),
            "IfcRelNests" => self.nested_ports(instance, entity),
            "IfcRelDefinesByProperties" => self.sets_of_sets(instance, entity),
            "IfcRelOverridesProperties" => self.overridden(instance, entity),
            "IfcRelConnectsStructuralElement" => self.structural_element(instance),
            "IfcPropertyEnumeratedValue"
            | "IfcPropertyListValue"
            | "IfcPropertyReferenceValue"
            | "IfcPropertyTableValue" => self.empty_property(instance, entity),
            "IfcMapConversion" => self.map_conversion(instance),
            "IfcProjectedCRS" => self.projected_crs(instance),
            "IfcQuantityCount" => self.count(instance, entity),
            name if name.ends_with("ProfileProperties") => self.profile_properties(instance, entity),
            name if name.contains("Material") || self.from.is_a(entity.id, self.material_properties()) => {
                self.material_properties_up(instance, entity)
            }
            _ => self.attributes_as_properties(instance, entity),
        }
    }

    fn material_properties(&self) -> ifc::EntityId {
        self.from.entity("IfcMaterialProperties").map_or(ifc::EntityId(u16::MAX), |entity| entity.id)
    }

    /// Leaves out an instance whose content another one says from now on.
    fn gone_into(&mut self, instance: &Instance<'_>, reason: &str) -> Fate {
        self.record.note(instance.id().0, instance.class_name(), Outcome::Mapped, reason);
        Fate::Gone
    }

    fn approximated(&mut self, instance: &Instance<'_>, reason: &str) {
        self.record.note(instance.id().0, instance.class_name(), Outcome::Approximated, reason);
    }

    fn dropped(&mut self, instance: &Instance<'_>, reason: &str) -> Fate {
        self.record.note(instance.id().0, instance.class_name(), Outcome::Dropped, reason);
        Fate::Gone
    }

    /// An instance of another class under the same id.
    fn made(
        &mut self,
        instance: &Instance<'_>,
        class: &str,
        attributes: &[(&str, Value)],
        outcome: Outcome,
        reason: &str,
    ) -> Fate {
        let Some(target) = self.to.entity(class) else { return self.dropped(instance, "has no equal") };
        self.record.note(instance.id().0, instance.class_name(), outcome, reason);
        Fate::Made(target, super::step::filled(target, attributes))
    }

    /// Keeps the class, attribute by attribute.
    fn drafted(&mut self, instance: &Instance<'_>, entity: &'static Entity) -> Fate {
        match self.to.entity(entity.name) {
            Some(target) => Fate::Made(target, self.draft(instance, entity, target, Outcome::Kept)),
            None => self.dropped(instance, "has no equal"),
        }
    }

    /// Attributes whose content another instance says in the target.
    pub fn is_said_elsewhere(&self, class: &str, attribute: &str) -> bool {
        matches!(
            (self.way, class, attribute),
            (Way::TwoToFour, "IfcDocumentInformation", "DocumentReferences")
                | (Way::TwoToFour, "IfcLibraryInformation", "LibraryReference")
                | (Way::FourToTwo, "IfcDocumentReference", "ReferencedDocument")
                | (Way::FourToTwo, "IfcLibraryReference", "ReferencedLibrary")
        )
    }
}
