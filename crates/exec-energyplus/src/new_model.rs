//! A new model with the objects that EnergyPlus demands of every one.

use crate::file::format_of;
use crate::operations::Resolve;
use crate::run::{Call, begun};
use contract::ops::{FileFormat, PlatformOperation};
use contract::{Fault, FaultCode, Outcome};
use energy::idf::Document;
use energy::ops::{NewEnergyModel, NewEnergyModelAnswer};
use energy::schema::Schema;

impl Resolve for NewEnergyModel {
    fn resolve(self, _: &Call<'_>) -> Result<Outcome, Fault> {
        let format = format_of(self.format.unwrap_or(FileFormat::Idf))?;
        let version = self.version.unwrap_or_else(|| Schema::built_in().short_version().to_owned());
        let Some(schema) = Schema::exactly(&version) else {
            let known: Vec<String> = Schema::versions().collect();
            let version: String = version.chars().take(40).collect();
            return Err(Fault::new(
                FaultCode::NotSupported,
                format!("New models are of EnergyPlus {}; {version:?} is not made here.", known.join(", ")),
            )
            .with("field", "version")
            .with("allowed", known));
        };
        let name = self.name.unwrap_or_else(|| "New model".to_owned());
        let (document, _) = Document::open(beginning(&name, schema.short_version()).as_bytes())?;
        let (document, _) = Document::open(&document.to_bytes(format)?)?;
        let answer = NewEnergyModelAnswer {
            version: document.schema().version().to_owned(),
            objects: document.len() as u64,
        };
        begun(&document, Self::outcome(answer)?)
    }
}

/// The text of such a model.
fn beginning(name: &str, version: &str) -> String {
    // a comma or a semicolon would end the value
    let name: String =
        name.chars().filter(|c| !matches!(c, ',' | ';' | '!' | '\n' | '\r')).take(100).collect();
    format!(
        "Version,{version};\n\nSimulationControl,\n  No,  !- Do Zone Sizing Calculation\n  No,  !- Do System Sizing \
         Calculation\n  No,  !- Do Plant Sizing Calculation\n  No,  !- Run Simulation for Sizing Periods\n  Yes; !- Run \
         Simulation for Weather File Run Periods\n\nBuilding,\n  {name}, !- Name\n  0,  !- North Axis {{deg}}\n  Suburbs; !- \
         Terrain\n\nTimestep,6;\n\nGlobalGeometryRules,\n  UpperLeftCorner, !- Starting Vertex Position\n  \
         Counterclockwise, !- Vertex Entry Direction\n  World; !- Coordinate System\n"
    )
}
