//! One request for a file, from a model to bytes: joined with others, cut to a part, split, cut to a view, written in a format. Several
//! files are one archive.

use crate::report::Change;
use crate::{
    ExchangeError, File, GltfForm, MergeReport, Merging, Report, View, apply, gbxml, gltf, merge_models, obj,
    split_by_discipline, split_by_storey, subset, tables, with_header, zip,
};
use geometry::Scene;
use ifc::{Header, Model};
use serde::{Deserialize, Serialize};

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// IFC as STEP text.
    #[default]
    Ifc,
    /// The same, zipped.
    IfcZip,
    /// Binary glTF.
    Glb,
    /// glTF as text.
    Gltf,
    /// OBJ and MTL, zipped.
    Obj,
    /// gbXML.
    GbXml,
    /// Tables as CSV, zipped.
    Csv,
    /// Tables as Parquet, zipped.
    Parquet,
}

impl Format {
    /// All formats, by the names that they are asked for by.
    pub const NAMES: [(&'static str, Format); 8] = [
        ("ifc", Format::Ifc),
        ("ifczip", Format::IfcZip),
        ("glb", Format::Glb),
        ("gltf", Format::Gltf),
        ("obj", Format::Obj),
        ("gbxml", Format::GbXml),
        ("csv", Format::Csv),
        ("parquet", Format::Parquet),
    ];

    /// The format of a name, in any letter case.
    pub fn named(name: &str) -> Option<Format> {
        let found = Self::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.trim()));
        found.map(|(_, format)| *format)
    }

    /// The ending of its files, without a dot.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Ifc => "ifc",
            Format::IfcZip => "ifczip",
            Format::Glb => "glb",
            Format::Gltf => "gltf",
            Format::GbXml => "xml",
            Format::Obj | Format::Csv | Format::Parquet => "zip",
        }
    }

    /// The media type of its files.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Ifc => "application/x-step",
            Format::Glb => "model/gltf-binary",
            Format::Gltf => "model/gltf+json",
            Format::GbXml => "application/xml",
            Format::IfcZip | Format::Obj | Format::Csv | Format::Parquet => "application/zip",
        }
    }
}

/// The rule by which a model becomes several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// A part for each storey.
    Storey,
    /// A part for each discipline.
    Discipline,
}

/// A file that is asked for.
#[derive(Debug, Clone, Default)]
pub struct Export {
    /// The name of the file, without an ending.
    pub name: String,
    /// The time that headers of IFC files say, ISO 8601.
    pub time: String,
    /// Its format.
    pub format: Format,
    /// The view definition that it is cut to; of IFC files alone.
    pub view: Option<String>,
    /// The elements that it is cut to.
    pub selector: Option<String>,
    /// The rule by which it becomes several files, in one archive.
    pub split: Option<Split>,
    /// How further models are joined to it.
    pub merging: Merging,
}

/// A file, and what was done for it.
#[derive(Debug, Clone)]
pub struct Exported {
    /// The file, with its ending.
    pub file: File,
    /// Its media type.
    pub media_type: &'static str,
    /// The parts that the archive holds, each with the number of its products; empty where it is not split.
    pub parts: Vec<(String, usize)>,
    /// GlobalIds of selected elements that are in no spatial structure.
    pub loose: Vec<String>,
    /// The outcome for the further models.
    pub merge: Option<MergeReport>,
    /// The instances that were dropped or changed, all parts together. What a selector or a split left out is not counted.
    pub report: Report,
}

/// Makes a file of a model and those that are joined to it.
pub fn export(model: &Model, others: &[Model], asked: &Export) -> Result<Exported, ExchangeError> {
    let view = asked.view.as_deref().map(View::named).transpose()?;
    let is_step = matches!(asked.format, Format::Ifc | Format::IfcZip);
    if let (Some(view), false) = (view, is_step) {
        let problem = format!("{} is of IFC files: leave out the view, or the format", view.name);
        return Err(ExchangeError::Conflict(problem));
    }
    let mut report = Report::default();
    let mut merge = None;
    let whole = if others.is_empty() {
        model.clone()
    } else {
        let all: Vec<Model> = std::iter::once(model.clone()).chain(others.iter().cloned()).collect();
        let (whole, outcome) = merge_models(&all, &asked.merging)?;
        report.changes.extend(outcome.report.changes.iter().cloned());
        merge = Some(outcome);
        whole
    };
    let mut loose = Vec::new();
    let whole = match &asked.selector {
        Some(selector) => {
            let part = subset(&whole, selector)?;
            loose = part.loose;
            part.model
        }
        None => whole,
    };
    let name = crate::labels::file_name(&asked.name);
    let Some(split) = asked.split else {
        let file = written(&whole, &name, asked, view, &mut report)?;
        let report = joined(report);
        return Ok(Exported {
            file,
            media_type: asked.format.media_type(),
            parts: Vec::new(),
            loose,
            merge,
            report,
        });
    };
    let parts = match split {
        Split::Storey => split_by_storey(&whole)?,
        Split::Discipline => split_by_discipline(&whole)?,
    };
    let mut files = Vec::new();
    let mut names = Vec::new();
    for part in parts {
        match written(&part.subset.model, &part.name, asked, view, &mut report) {
            Ok(file) => {
                files.push(file);
                names.push((part.name, part.products));
            }
            // a storey without a room or a shape is no file of rooms or shapes
            Err(ExchangeError::Nothing(_)) => {}
            Err(error) => return Err(error),
        }
    }
    if files.is_empty() {
        return Err(ExchangeError::Nothing("part that has anything for this format"));
    }
    let file = File { name: format!("{name}.zip"), bytes: zip(&files)? };
    Ok(Exported { file, media_type: "application/zip", parts: names, loose, merge, report: joined(report) })
}

/// One model as a file of the format.
fn written(
    model: &Model,
    name: &str,
    asked: &Export,
    view: Option<&View>,
    report: &mut Report,
) -> Result<File, ExchangeError> {
    let named = |bytes: Vec<u8>| File { name: format!("{name}.{}", asked.format.ending()), bytes };
    let scene = || Scene::from_model(model);
    Ok(match asked.format {
        Format::Ifc | Format::IfcZip => {
            let cut = match view {
                Some(view) => {
                    let (cut, changes) = apply(model, view)?;
                    report.changes.extend(changes.changes);
                    cut
                }
                None => model.clone(),
            };
            let time_stamp = asked.time.clone();
            let header = Header { file_name: format!("{name}.ifc"), time_stamp, ..cut.header().clone() };
            let cut = with_header(&cut, &header)?;
            if asked.format == Format::Ifc {
                named(cut.to_bytes())
            } else {
                let mut bytes = Vec::new();
                let size = cut.base().bytes().len() as u64;
                ifc::archive::pack(&format!("{name}.ifc"), size, &mut bytes, |out| cut.write(out))?;
                named(bytes)
            }
        }
        Format::Glb | Format::Gltf => {
            let form = if asked.format == Format::Glb { GltfForm::Binary } else { GltfForm::Embedded };
            let made = gltf(&scene(), form)?;
            report.changes.extend(made.report.changes);
            named(made.bytes)
        }
        Format::Obj => {
            let made = obj(&scene(), name)?;
            report.changes.extend(made.report.changes);
            named(zip(&made.files)?)
        }
        Format::GbXml => {
            let made = gbxml(&scene())?;
            report.changes.extend(made.report.changes);
            named(made.bytes)
        }
        Format::Csv | Format::Parquet => named(tables(model, asked.format == Format::Parquet)?.zip()?),
    })
}

/// A report with the same changes of several parts as one.
fn joined(report: Report) -> Report {
    let mut changes: Vec<Change> = Vec::new();
    for change in report.changes {
        let is_same = |c: &&mut Change| {
            (c.action, &c.class, &c.reason) == (change.action, &change.class, &change.reason)
        };
        match changes.iter_mut().find(is_same) {
            Some(known) => known.count += change.count,
            None => changes.push(change),
        }
    }
    changes.sort_by(|a, b| (a.action, &a.class, &a.reason).cmp(&(b.action, &b.class, &b.reason)));
    Report { changes }
}
