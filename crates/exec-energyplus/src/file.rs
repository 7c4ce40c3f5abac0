//! Versions as whole files, and what is in one that was opened.

use crate::EnergyModel;
use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{
    FileFormat, FileProblem, Inspect, InspectAnswer, Materialise, PlatformOperation, WrittenFile,
};
use contract::{Fault, Outcome};
use energy::geometry::zones::{ZoneSurfaces, total_floor_area};
use energy::geometry::{Kind, Scene};
use energy::idf::{Format, Problem};
use energy::schema::Schema;
use exec::files;
use serde_json::{Map, Value};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Types of objects that are listed, the most numerous first.
const TYPES: usize = 20;
/// Problems of a file that are listed; the others are counted.
const LISTED: usize = 10;

/// The text of a model for a form of file; a Fault for those of other models.
pub(crate) fn format_of(format: FileFormat) -> Result<Format, Fault> {
    match format {
        FileFormat::Idf => Ok(Format::Idf),
        FileFormat::EpJson => Ok(Format::EpJson),
        FileFormat::Ifc | FileFormat::IfcZip => Err(Fault::invalid(
            "format",
            format!("An EnergyPlus model is not written as {}.", format.extension()),
        )
        .with("allowed", [FileFormat::Idf, FileFormat::EpJson].map(FileFormat::extension))),
    }
}

impl Resolve for Materialise {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let document = &call.model("model")?.document;
        // a file of EnergyPlus carries no time
        let format = self.format.map_or(Ok(document.format()), format_of)?;
        let media_type = match format {
            Format::Idf => "text/plain",
            Format::EpJson => "application/json",
        };
        let name = files::name(call.request, &format!("model.{}", format.extension()));
        let file = files::out(call.request, "model", name, media_type, &document.to_bytes(format)?)?;
        let outcome = Self::outcome(WrittenFile { size: file.size })?;
        Ok(Outcome { files: vec![file], ..outcome })
    }
}

impl Resolve for Inspect {
    // what is in doubt in such a file is read as it stands, and told
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        Self::outcome(inspect(call.model("model")?))
    }
}

fn inspect(model: &EnergyModel) -> InspectAnswer {
    let document = &model.document;
    let schema = format!("EnergyPlus {}", document.version().unwrap_or("of no version"));
    let own = document.schema().short_version();
    let read_by_own = document.version().is_none_or(|version| {
        let found = Schema::for_version(version);
        found.remark.is_none() && found.schema.short_version() == own
    });
    let scene = Scene::from_document(document);
    let area = total_floor_area(document, &ZoneSurfaces::from_scene(&scene));
    let solid =
        scene.surfaces.iter().filter(|surface| surface.within.is_none() && surface.kind != Kind::Shading);
    let mut types: Vec<(&str, usize)> = document.types();
    types.sort_by_key(|(name, count)| (Reverse(*count), *name));
    let types: Map<String, Value> =
        types.into_iter().take(TYPES).map(|(name, count)| (name.to_owned(), count.into())).collect();
    let facts: [(&str, Value); 5] = [
        ("format", document.format().extension().into()),
        ("zones", document.of_type("Zone").count().into()),
        ("surfaces", solid.filter(|surface| surface.mirror_of.is_none()).count().into()),
        ("floor_area_m2", ((area * 10.0).round() / 10.0).into()),
        ("object_types", types.into()),
    ];
    InspectAnswer {
        schema: if read_by_own { schema } else { format!("{schema}, read by the schema of {own}") },
        instances: document.len() as u64,
        classes: document.types().len() as u64,
        particulars: facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>(),
        problem_count: model.problems.len() as u64,
        problems_by_code: BTreeMap::new(),
        problems: model.problems.iter().take(LISTED).map(problem).collect(),
    }
}

fn problem(found: &Problem) -> FileProblem {
    FileProblem {
        line: u64::from(found.line),
        column: None,
        code: found.code.as_str().to_owned(),
        message: found.message.clone(),
    }
}
