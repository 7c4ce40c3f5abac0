//! The frame that everything stands in: project with units and contexts, site, building, storeys.

use crate::address::{self, Address};
use crate::author::{Author, word};
use crate::frame::Frame;
use crate::lookup::{self, label};
use crate::measures::{finite, mm, name};
use contract::Fault;
use ifc::{Id, Value};
use schemars::JsonSchema;
use serde::Serialize;

/// The unit of length of a new project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LengthUnit {
    /// Metres.
    #[default]
    Metre,
    /// Millimetres.
    Millimetre,
}

/// A storey asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct NewStorey {
    /// Its name.
    pub name: String,
    /// Its elevation above the building's zero, in mm.
    pub elevation: f64,
}

/// A project asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewProject {
    /// The project's name.
    pub name: String,
    /// The site's name.
    pub site: Option<String>,
    /// The building's name.
    pub building: Option<String>,
    /// The building's address.
    pub address: Address,
    /// Its storeys.
    pub storeys: Vec<NewStorey>,
    /// Its unit of length.
    pub unit: LengthUnit,
}

/// A storey as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StoreyAnswer {
    /// GlobalId.
    pub id: String,
    /// Name.
    pub name: String,
    /// Elevation above the building's zero, in mm.
    pub elevation: f64,
}

/// The parts of a new project.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProjectAnswer {
    /// GlobalId of the project.
    pub project_id: String,
    /// GlobalId of the site.
    pub site_id: String,
    /// GlobalId of the building.
    pub building_id: String,
    /// The storeys, lowest first.
    pub storeys: Vec<StoreyAnswer>,
    /// The schema written.
    pub schema: String,
    /// The unit of length in the file.
    pub length_unit: String,
}

/// Makes the project in an empty model.
pub fn create(author: &mut Author, new: &NewProject) -> Result<ProjectAnswer, Fault> {
    if let Some(existing) = author.edit.of_class("IfcProject").first() {
        return Err(Fault::constraint(format!(
            "This model already has the project {}; a model holds one.",
            label(author.edit, *existing)
        )));
    }
    let project_name = name("name", &new.name)?;
    let units = units(author, new.unit)?;
    let contexts = author.contexts()?;
    let project = author.root(
        "IfcProject",
        Some(&project_name),
        &[
            ("RepresentationContexts", Value::list(contexts.into_iter().map(Value::Ref))),
            ("UnitsInContext", units.into()),
        ],
    )?;
    author.refresh_units();
    let site = author.spatial("IfcSite", new.site.as_deref().unwrap_or("Site"), project, None, 0.0, &[])?;
    let site_placement = author.placement_of(site);
    let building_name = new.building.as_deref().unwrap_or("Building");
    let building = author.spatial("IfcBuilding", building_name, site, site_placement, 0.0, &[])?;
    address::write(author, building, "BuildingAddress", &new.address)?;
    address::write(author, site, "SiteAddress", &new.address)?;
    let mut ordered = new.storeys.clone();
    ordered.sort_by(|a, b| a.elevation.total_cmp(&b.elevation));
    let mut storeys = Vec::new();
    for storey in &ordered {
        let id = storey_in(author, building, &storey.name, storey.elevation)?;
        storeys.push(storey_answer(author, id));
    }
    Ok(ProjectAnswer {
        project_id: lookup::guid(author.edit, project),
        site_id: lookup::guid(author.edit, site),
        building_id: lookup::guid(author.edit, building),
        storeys,
        schema: author.edit.schema().version().as_str().to_owned(),
        length_unit: author.units().length_label().to_owned(),
    })
}

fn units(author: &mut Author, unit: LengthUnit) -> Result<Id, Fault> {
    let mut all = Vec::new();
    let prefix = match unit {
        LengthUnit::Metre => Value::Null,
        LengthUnit::Millimetre => word("MILLI"),
    };
    let si = [
        ("LENGTHUNIT", prefix, "METRE"),
        ("AREAUNIT", Value::Null, "SQUARE_METRE"),
        ("VOLUMEUNIT", Value::Null, "CUBIC_METRE"),
        ("PLANEANGLEUNIT", Value::Null, "RADIAN"),
        ("SOLIDANGLEUNIT", Value::Null, "STERADIAN"),
        ("MASSUNIT", word("KILO"), "GRAM"),
        ("TIMEUNIT", Value::Null, "SECOND"),
    ];
    for (kind, prefix, name) in si {
        all.push(
            author
                .create("IfcSIUnit", &[("UnitType", word(kind)), ("Prefix", prefix), ("Name", word(name))])?,
        );
    }
    author.create("IfcUnitAssignment", &[("Units", Value::list(all.into_iter().map(Value::Ref)))])
}

impl Author<'_> {
    /// Writes a storey's elevation in mm as its attribute; IFC4X3 deprecates that, there the placement alone says it.
    pub(crate) fn state_elevation(&mut self, storey: Id, elevation: f64) -> Result<(), Fault> {
        let stated = self.edit.get(storey).is_some_and(|s| s.number("Elevation").is_some());
        if stated || !self.is_latest() {
            let value = self.real(elevation);
            self.set(storey, "Elevation", value)?;
        }
        Ok(())
    }

    /// A part of the spatial structure, with its placement `elevation` mm above its parent's.
    fn spatial(
        &mut self,
        class: &str,
        text: &str,
        parent: Id,
        parent_placement: Option<Id>,
        elevation: f64,
        attributes: &[(&str, Value)],
    ) -> Result<Id, Fault> {
        let frame = Frame::at([0.0, 0.0, elevation]);
        let placement = self.placement(parent_placement, &frame)?;
        let mut all = vec![("ObjectPlacement", Value::Ref(placement)), ("CompositionType", word("ELEMENT"))];
        all.extend_from_slice(attributes);
        let id = self.root(class, Some(text), &all)?;
        self.aggregate(parent, id)?;
        Ok(id)
    }
}

/// Makes a storey in the model's building at an elevation in mm; a model without a building is given one.
pub fn create_storey(author: &mut Author, text: &str, elevation: f64) -> Result<Id, Fault> {
    let building = building(author)?;
    storey_in(author, building, text, elevation)
}

/// The building that storeys belong to: the only one, or the first.
fn building(author: &mut Author) -> Result<Id, Fault> {
    if let Some(building) = author.edit.of_class("IfcBuilding").first() {
        return Ok(*building);
    }
    let Some(project) = author.edit.of_class("IfcProject").first().copied() else {
        return Err(Fault::constraint("This model has no project. Make one with create_project."));
    };
    let site = match author.edit.of_class("IfcSite").first().copied() {
        Some(site) => site,
        None => author.spatial("IfcSite", "Site", project, None, 0.0, &[])?,
    };
    let placement = author.placement_of(site);
    author.spatial("IfcBuilding", "Building", site, placement, 0.0, &[])
}

fn storey_in(author: &mut Author, building: Id, text: &str, elevation: f64) -> Result<Id, Fault> {
    let text = name("name", text)?;
    let elevation = finite("elevation", elevation)?;
    for id in author.edit.of_class("IfcBuildingStorey") {
        let known = storey_answer(author, id);
        let clash = if known.name == text {
            "name"
        } else if (elevation_of(author, id) - elevation).abs() < 1.0 {
            "elevation"
        } else {
            continue;
        };
        return Err(Fault::constraint(format!(
            "The storey {} at {} mm has this {clash} already. Use its id ({}) as level_id, or change it with modify_parameter.",
            known.name,
            mm(known.elevation),
            known.id
        ))
        .with("field", clash)
        .with("existing", known));
    }
    let placement = author.placement_of(building);
    let storey = author.spatial("IfcBuildingStorey", &text, building, placement, elevation, &[])?;
    author.state_elevation(storey, elevation)?;
    Ok(storey)
}

/// A storey's elevation above the building's zero in mm: its attribute, else its placement.
pub fn elevation_of(author: &Author, storey: Id) -> f64 {
    ifc::placement::elevation(author.edit, storey).map_or(0.0, |value| author.units().to_mm(value))
}

/// A storey as it stands.
pub fn storey_answer(author: &Author, storey: Id) -> StoreyAnswer {
    StoreyAnswer {
        id: lookup::guid(author.edit, storey),
        name: label(author.edit, storey),
        elevation: mm(elevation_of(author, storey)),
    }
}
