//! The modeller at work on one edit: writes instances with ids, owner history, units and contexts as the file has them,
//! and keeps the house rules (numbers rounded to a billionth of the file's unit, everything rooted signed).
//!
//! It knows how IFC is written, not what a wall is; the modules beside it do.

use crate::frame::Frame;
use crate::soundness::Surroundings;
use contract::{Actor, Fault};
use glam::{DVec2, DVec3};
use ifc::guid::GuidSource;
use ifc::units::Units;
use ifc::{Edit, Id, SchemaVersion, Value};

/// The version of Pensaer that owner histories name.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// One modeller, one edit.
pub struct Author<'e> {
    /// The edit under way; reading it shows what is written so far.
    pub edit: &'e mut Edit,
    guids: &'e mut GuidSource,
    time_ms: u64,
    actor: Actor,
    units: Units,
    owner: Option<Id>,
    assumed: Option<&'e mut Vec<String>>,
    surroundings: Option<Surroundings>,
}

impl<'e> Author<'e> {
    /// Takes up an edit. GlobalIds come from `guids`; owner histories name `actor` and `time_ms` (Unix time in
    /// milliseconds).
    pub fn new(edit: &'e mut Edit, guids: &'e mut GuidSource, time_ms: u64, actor: &Actor) -> Self {
        let units = Units::from_model(edit);
        Self {
            edit,
            guids,
            time_ms,
            actor: actor.clone(),
            units,
            owner: None,
            assumed: None,
            surroundings: None,
        }
    }

    /// The same, knowing the boxes of what stood there when the edit began: for edits that add and move nothing.
    #[must_use]
    pub fn among(mut self, surroundings: Option<Surroundings>) -> Self {
        self.surroundings = surroundings;
        self
    }

    /// The boxes of what stood there when the edit began, where they are known and still hold.
    pub(crate) fn surroundings(&self) -> Option<&Surroundings> {
        self.surroundings.as_ref()
    }

    /// The same, writing what it assumes into `assumed`.
    #[must_use]
    pub fn telling(mut self, assumed: &'e mut Vec<String>) -> Self {
        self.assumed = Some(assumed);
        self
    }

    /// Returns how many things were assumed so far.
    pub(crate) fn assumptions(&self) -> usize {
        self.assumed.as_ref().map_or(0, |assumed| assumed.len())
    }

    /// Forgets what was assumed since there were so many assumptions.
    pub(crate) fn assume_no_more_than(&mut self, count: usize) {
        if let Some(assumed) = &mut self.assumed {
            assumed.truncate(count);
        }
    }

    /// Tells the caller of something that was chosen for them, such as "thickness 200 mm"; said once however often it was.
    pub fn assume(&mut self, text: impl Into<String>) {
        let text = text.into();
        if let Some(assumed) = &mut self.assumed
            && !assumed.contains(&text)
        {
            assumed.push(text);
        }
    }

    /// The source of GlobalIds, for what is written beside this author.
    pub fn pen(&mut self) -> (&mut Edit, &mut GuidSource) {
        (self.edit, self.guids)
    }

    /// Reads the units again, after a project was given them.
    pub(crate) fn refresh_units(&mut self) {
        self.units = Units::from_model(self.edit);
    }

    /// The schema written in.
    pub fn schema(&self) -> SchemaVersion {
        self.edit.schema().version()
    }

    /// Returns true if the schema is IFC2X3, where several things are written another way.
    pub fn legacy(&self) -> bool {
        self.schema() == SchemaVersion::Ifc2x3
    }

    /// Returns true if the schema is IFC4X3, which deprecates several things.
    pub fn is_latest(&self) -> bool {
        self.schema() == SchemaVersion::Ifc4x3
    }

    /// The file's units.
    pub fn units(&self) -> &Units {
        &self.units
    }

    /// A length in mm as the file has it: in its unit, rounded to a billionth of it.
    pub fn length_in_file_units(&self, mm: f64) -> f64 {
        tidy(self.units.from_mm(mm))
    }

    /// A length in mm as a value of the file, in its unit.
    pub fn real(&self, mm: f64) -> Value {
        Value::Real(self.length_in_file_units(mm))
    }

    /// The frame of an element in the world, in mm.
    pub fn frame(&self, element: Id) -> Result<Frame, Fault> {
        Frame::of_element(self.edit, element, self.units.length_mm)
    }

    /// Writes an instance by attribute names.
    pub fn create(&mut self, class: &str, attributes: &[(&str, Value)]) -> Result<Id, Fault> {
        self.edit.create(class, attributes).map_err(|error| refused(&error))
    }

    /// Writes one attribute.
    pub fn set(&mut self, id: Id, attribute: &str, value: impl Into<Value>) -> Result<(), Fault> {
        self.edit.set(id, attribute, value).map_err(|error| refused(&error))
    }

    /// Adds a member to a list attribute.
    pub fn add_to(&mut self, id: Id, attribute: &str, member: Id) -> Result<(), Fault> {
        self.edit.add_to(id, attribute, member).map_err(|error| refused(&error))
    }

    /// Writes an instance that has a GlobalId and an owner.
    pub fn root(
        &mut self,
        class: &str,
        name: Option<&str>,
        attributes: &[(&str, Value)],
    ) -> Result<Id, Fault> {
        let owner = self.owner_history()?;
        let mut all =
            vec![("GlobalId", Value::from(self.guids.next().as_str())), ("OwnerHistory", Value::Ref(owner))];
        if let Some(name) = name {
            all.push(("Name", Value::from(name)));
        }
        all.extend_from_slice(attributes);
        self.edit.create_of(class, all).map_err(|error| refused(&error))
    }

    /// Returns true if a class has an attribute in this file's schema.
    pub fn has_attribute(&self, class: &str, attribute: &str) -> bool {
        self.edit
            .schema()
            .entity(class)
            .is_some_and(|entity| entity.attributes.iter().any(|a| a.name == attribute))
    }

    /// The owner history of what this edit adds: found or written once.
    fn owner_history(&mut self) -> Result<Id, Fault> {
        if let Some(owner) = self.owner {
            return Ok(owner);
        }
        let user = self.person_and_organisation()?;
        let application = self.application()?;
        let seconds = Value::Integer(i64::try_from(self.time_ms / 1000).unwrap_or(0));
        let same = self.edit.referrers_of(user, "IfcOwnerHistory").into_iter().find(|id| {
            self.edit.get(*id).is_some_and(|h| {
                h.reference("OwningApplication") == Some(application)
                    && h.attr("CreationDate") == seconds
                    && h.attr("ChangeAction") == Value::Enum("ADDED".into())
            })
        });
        let owner = match same {
            Some(owner) => owner,
            None => self.create(
                "IfcOwnerHistory",
                &[
                    ("OwningUser", user.into()),
                    ("OwningApplication", application.into()),
                    ("ChangeAction", word("ADDED")),
                    // the schema wants a date beside every action
                    ("LastModifiedDate", seconds.clone()),
                    ("CreationDate", seconds),
                ],
            )?,
        };
        self.owner = Some(owner);
        Ok(owner)
    }

    fn person_and_organisation(&mut self) -> Result<Id, Fault> {
        let name =
            if self.actor.principal.is_empty() { "unknown".to_owned() } else { self.actor.principal.clone() };
        let identification = if self.legacy() { "Id" } else { "Identification" };
        let known = self.edit.of_class("IfcPersonAndOrganization").into_iter().find(|id| {
            let Some(pair) = self.edit.get(*id) else { return false };
            let says = |reference: &str, attribute: &str, text: &str| {
                pair.reference(reference)
                    .and_then(|id| self.edit.get(id))
                    .is_some_and(|i| i.says(attribute, text))
            };
            says("ThePerson", identification, &name) && says("TheOrganization", "Name", ORGANISATION)
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let person = self.create(
            "IfcPerson",
            // IFC2X3 asks for a name beside the identification
            &[(identification, name.as_str().into()), ("FamilyName", name.as_str().into())],
        )?;
        let organisation = self.organisation()?;
        self.create(
            "IfcPersonAndOrganization",
            &[("ThePerson", person.into()), ("TheOrganization", organisation.into())],
        )
    }

    fn organisation(&mut self) -> Result<Id, Fault> {
        let known = self
            .edit
            .of_class("IfcOrganization")
            .into_iter()
            .find(|id| self.edit.get(*id).is_some_and(|o| o.says("Name", ORGANISATION)));
        match known {
            Some(known) => Ok(known),
            None => self.create("IfcOrganization", &[("Name", ORGANISATION.into())]),
        }
    }

    fn application(&mut self) -> Result<Id, Fault> {
        let known = self.edit.of_class("IfcApplication").into_iter().find(|id| {
            self.edit
                .get(*id)
                .is_some_and(|a| a.says("ApplicationIdentifier", ORGANISATION) && a.says("Version", VERSION))
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let developer = self.organisation()?;
        self.create(
            "IfcApplication",
            &[
                ("ApplicationDeveloper", developer.into()),
                ("Version", VERSION.into()),
                ("ApplicationFullName", ORGANISATION.into()),
                ("ApplicationIdentifier", ORGANISATION.into()),
            ],
        )
    }

    /// A point in plan, given in mm.
    pub fn point2(&mut self, p: DVec2) -> Result<Id, Fault> {
        let coordinates = Value::list(p.to_array().map(|c| self.real(c)));
        self.create("IfcCartesianPoint", &[("Coordinates", coordinates)])
    }

    /// A point in space, given in mm.
    pub fn point3(&mut self, p: DVec3) -> Result<Id, Fault> {
        let coordinates = Value::list(p.to_array().map(|c| self.real(c)));
        self.create("IfcCartesianPoint", &[("Coordinates", coordinates)])
    }

    fn direction(&mut self, d: DVec3) -> Result<Id, Fault> {
        let ratios = Value::list(d.to_array().map(|c| Value::Real(direction_ratio(c))));
        self.create("IfcDirection", &[("DirectionRatios", ratios)])
    }

    /// A placement in space; directions are left out where they are the default.
    pub fn axes(&mut self, frame: &Frame) -> Result<Id, Fault> {
        let location = self.point3(frame.translation)?;
        let mut attributes = vec![("Location", Value::Ref(location))];
        if !frame.z_axis.abs_diff_eq(DVec3::Z, 1e-12) || !frame.x_axis.abs_diff_eq(DVec3::X, 1e-12) {
            let axis = self.direction(frame.z_axis)?;
            let reference = self.direction(frame.x_axis)?;
            attributes.push(("Axis", axis.into()));
            attributes.push(("RefDirection", reference.into()));
        }
        self.create("IfcAxis2Placement3D", &attributes)
    }

    /// A local placement within another.
    pub fn placement(&mut self, within: Option<Id>, frame: &Frame) -> Result<Id, Fault> {
        let axes = self.axes(frame)?;
        let mut attributes = vec![("RelativePlacement", Value::Ref(axes))];
        if let Some(within) = within {
            attributes.push(("PlacementRelTo", within.into()));
        }
        self.create("IfcLocalPlacement", &attributes)
    }

    /// The placement of an element, which must have one to hold others.
    pub fn placement_of(&self, element: Id) -> Option<Id> {
        self.edit.get(element).and_then(|e| e.reference("ObjectPlacement"))
    }
}

/// The organisation and application that owner histories name.
const ORGANISATION: &str = "Pensaer";

/// An enumeration's item.
pub fn word(item: &str) -> Value {
    Value::Enum(item.to_owned())
}

/// An IfcBoolean, as properties hold it.
pub fn boolean(value: bool) -> Value {
    Value::typed("IfcBoolean", Value::Boolean(value))
}

/// A number rounded to a billionth, so that what was given as 7000 mm is stored as 7 and compares equal to it.
pub fn tidy(value: f64) -> f64 {
    let rounded = (value * 1e9).round() / 1e9;
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// A direction's component: exact zeros and ones where it is within a rounding error of them.
fn direction_ratio(value: f64) -> f64 {
    [-1.0, 0.0, 1.0].into_iter().find(|whole| (value - whole).abs() < 1e-14).unwrap_or(value)
}

/// Turns a refusal of the kernel to write something into a Fault.
pub fn refused(error: &ifc::EditError) -> Fault {
    Fault::constraint(format!("The schema does not allow this: {error}."))
}
