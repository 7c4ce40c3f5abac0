//! Values of the target's mandatory attributes where the source gives none. Every value that is made up here is
//! reported.

use super::Way;
use super::step::Step;
use ifc::edit::check;
use ifc::schema::{Attribute, Entity, Kind};
use ifc::{Id, Instance, Value};

/// The length that stands for nought where one must be positive, in the file's unit.
const LEAST: f64 = 1e-6;

impl Step<'_> {
    /// The value of a mandatory attribute that has none, and how the report calls it; none if nothing sensible can be
    /// said.
    pub fn default(
        &mut self,
        instance: &Instance<'_>,
        target: &Entity,
        attribute: &'static Attribute,
    ) -> Option<(Value, String)> {
        let named = |value: Value, words: &str| Some((value, words.to_owned()));
        match attribute.name {
            "OwnerHistory" => return named(self.owner_history(), "the model's owner history"),
            "ChangeAction" => return named(Value::enumeration("NOCHANGE"), "NOCHANGE"),
            "CompositionType" => return named(Value::enumeration("ELEMENT"), "ELEMENT"),
            "UnitsInContext" => {
                let unit =
                    [("UnitType", Value::enumeration("LENGTHUNIT")), ("Name", Value::enumeration("METRE"))];
                let unit = self.make("IfcSIUnit", &unit)?;
                let units = self.make("IfcUnitAssignment", &[("Units", Value::list([unit]))])?;
                return named(units.into(), "metres");
            }
            "RepresentationContexts" => {
                let context = self.context()?;
                return named(Value::list([context]), "a model context");
            }
            "StartParam" => return named(Value::Real(0.0), "0"),
            "EndParam" => {
                let length = instance.reference("Directrix").map_or(1.0, |id| self.parameter_length(id));
                return named(Value::Real(length), "the end of the directrix");
            }
            "SelfIntersect" => return named(Value::Unknown, "unknown"),
            "FontFamily" => return named(Value::list(["sans-serif"]), "sans-serif"),
            "Operator" if target.name == "IfcDerivedProfileDef" => {
                let mirrored = self.mirror()?;
                return named(mirrored.into(), "the mirror that the class implies");
            }
            _ => {}
        }
        match attribute.kind {
            Kind::Enumeration(words) => {
                let preferred = ["NOTDEFINED", "CONST", "USERDEFINED"];
                let word =
                    preferred.into_iter().find(|word| words.contains(word)).or(words.first().copied())?;
                named(Value::enumeration(word), word)
            }
            Kind::Text if attribute.name != "GlobalId" => {
                let text = instance.name().or_else(|| instance.guid()).unwrap_or_default();
                let text = if attribute.name == "Name" { String::new() } else { text };
                let words = if text.is_empty() { "an empty text" } else { "the name or GlobalId" };
                named(Value::Text(text), words)
            }
            Kind::Boolean => named(Value::Boolean(false), "false"),
            Kind::Logical => named(Value::Unknown, "unknown"),
            Kind::Integer => named(Value::Integer(0), "0"),
            Kind::Number if super::plan::is_positive(attribute.declared) => {
                match instance.number(attribute.name) {
                    // IFC4 lets layers be without thickness, IFC2X3 not
                    Some(_) => named(Value::Real(LEAST), "the least that is more than nothing"),
                    None => named(Value::Real(1.0), "1"),
                }
            }
            Kind::Number if check::leaf(attribute.declared) == "IfcAreaMeasure" => {
                named(Value::Real(1.0), "1")
            }
            Kind::Number => named(Value::Real(0.0), "0"),
            Kind::Entity("IfcAxis2Placement2D") => named(self.origin(2)?.into(), "the origin"),
            Kind::Entity("IfcAxis2Placement3D") => named(self.origin(3)?.into(), "the origin"),
            Kind::Select(_) if attribute.name == "RelativePlacement" => {
                named(self.origin(3)?.into(), "the origin")
            }
            Kind::Entity("IfcDirection") => {
                let up = [("DirectionRatios", Value::list([0.0, 0.0, 1.0]))];
                named(self.make("IfcDirection", &up)?.into(), "upwards")
            }
            _ => None,
        }
    }

    /// An owner history for what has none: the file's first, else one made for the purpose.
    pub fn owner_history(&mut self) -> Value {
        if self.memory.owner_history.is_none() {
            let first = self.source.of_class("IfcOwnerHistory").into_iter().next();
            self.memory.owner_history = first.or_else(|| self.new_owner_history());
        }
        self.memory.owner_history.map_or(Value::Null, Value::Ref)
    }

    fn new_owner_history(&mut self) -> Option<Id> {
        let identification = if self.way == Way::FourToTwo { "Id" } else { "Identification" };
        // IFC2X3 wants a name (IfcPerson.WR1)
        let person = [(identification, "Unknown".into()), ("FamilyName", "Unknown".into())];
        let person = self.make("IfcPerson", &person)?;
        let organization = self.make("IfcOrganization", &[("Name", "Pensaer".into())])?;
        let user = [("ThePerson", person.into()), ("TheOrganization", organization.into())];
        let user = self.make("IfcPersonAndOrganization", &user)?;
        let application = [
            ("ApplicationDeveloper", organization.into()),
            ("Version", env!("CARGO_PKG_VERSION").into()),
            ("ApplicationFullName", "Pensaer".into()),
            ("ApplicationIdentifier", "Pensaer".into()),
        ];
        let application = self.make("IfcApplication", &application)?;
        let history = [
            ("OwningUser", user.into()),
            ("OwningApplication", application.into()),
            ("ChangeAction", Value::enumeration("NOCHANGE")),
            (
                "CreationDate",
                Value::Integer(super::special::dates::unix_time(&self.source.header().time_stamp)),
            ),
        ];
        self.make("IfcOwnerHistory", &history)
    }

    /// An unturned placement at the origin. One serves all.
    pub fn origin(&mut self, dimensions: usize) -> Option<Id> {
        if let Some(origin) = self.memory.origins.get(&dimensions) {
            return Some(*origin);
        }
        let point = self.make("IfcCartesianPoint", &[("Coordinates", Value::list(vec![0.0; dimensions]))])?;
        let class = if dimensions == 2 { "IfcAxis2Placement2D" } else { "IfcAxis2Placement3D" };
        let origin = self.make(class, &[("Location", point.into())])?;
        self.memory.origins.insert(dimensions, origin);
        Some(origin)
    }

    fn context(&mut self) -> Option<Id> {
        let origin = self.origin(3)?;
        let context = [
            ("ContextType", "Model".into()),
            ("CoordinateSpaceDimension", Value::Integer(3)),
            ("WorldCoordinateSystem", origin.into()),
        ];
        self.make("IfcGeometricRepresentationContext", &context)
    }

    /// IfcMirroredProfileDef derives this operator: the profile is mirrored at its own y axis.
    fn mirror(&mut self) -> Option<Id> {
        let axes = [[-1.0, 0.0], [0.0, 1.0]].map(|ratios| {
            self.make("IfcDirection", &[("DirectionRatios", Value::list(ratios))])
                .map_or(Value::Null, Value::Ref)
        });
        let [one, two] = axes;
        let origin = self.make("IfcCartesianPoint", &[("Coordinates", Value::list([0.0, 0.0]))])?;
        let operator =
            [("Axis1", one), ("Axis2", two), ("LocalOrigin", origin.into()), ("Scale", 1.0.into())];
        self.make("IfcCartesianTransformationOperator2D", &operator)
    }

    /// The end of the parameter of a curve that begins at nought: the number of its pieces for a polyline (ISO 10303-42,
    /// 4.4.23), one otherwise.
    fn parameter_length(&self, curve: Id) -> f64 {
        let Some(instance) = self.source.get(curve) else { return 1.0 };
        match instance.class_name() {
            "IfcPolyline" => instance.references("Points").len().saturating_sub(1).max(1) as f64,
            "IfcCompositeCurve" => instance.references("Segments").len().max(1) as f64,
            "IfcIndexedPolyCurve" => {
                if let Some(segments) = instance.attr("Segments").as_list() {
                    return segments.len().max(1) as f64;
                }
                let points = instance.reference("Points").and_then(|id| self.source.get(id));
                let points = points.and_then(|points| Some(points.attr("CoordList").as_list()?.len()));
                points.unwrap_or(2).saturating_sub(1).max(1) as f64
            }
            _ => 1.0,
        }
    }
}
