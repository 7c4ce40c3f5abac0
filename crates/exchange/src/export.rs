//! One request for a file, from a model to bytes: joined with others, cut to a part, split, cut to a view, written in a format. Several
//! files are one archive.

use crate::gbxml::gbxml_of;
use crate::gltf::gltf_of;
use crate::obj::obj_of;
use crate::report::Change;
use crate::select::selected;
use crate::shown::{Shown, with_parts};
use crate::split::{Group, Part, by_discipline, each_part, storeys};
use crate::{
    ExchangeError, File, GltfForm, MergeReport, Merging, Report, View, apply, merge_models, subset, tables,
    with_header, zip,
};
use geometry::Scene;
use ifc::relations::Links;
use ifc::{Header, Id, Model};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;

/// The media type of archives.
const ZIP: &str = "application/zip";

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

    /// True of formats that show elements, and hold no model.
    fn is_of_shapes(self) -> bool {
        matches!(self, Format::Glb | Format::Gltf | Format::Obj | Format::GbXml)
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

/// The name of a part, and the number of its products.
pub type NamedPart = (String, usize);

/// A file, and what was done for it.
#[derive(Debug, Clone)]
pub struct Exported {
    /// The file, with its ending.
    pub file: File,
    /// Its media type.
    pub media_type: &'static str,
    /// The parts that the archive holds, each with the number of its products; empty where it is not split.
    pub parts: Vec<NamedPart>,
    /// GlobalIds of selected elements that are in no spatial structure.
    pub loose: Vec<String>,
    /// The outcome for the further models.
    pub merge: Option<MergeReport>,
    /// The instances that were dropped or changed, all parts together. What a selector or a split left out is not counted.
    pub report: Report,
}

/// One who asks for a file: has shapes perhaps, and may give up.
#[derive(Clone, Copy)]
pub struct Asker<'a> {
    /// The scene of the model as it was given, where a format shows that; none if it was given up.
    pub scene: &'a (dyn Fn() -> Option<Arc<Scene>> + Sync),
    /// True while the file is still wanted.
    pub wanted: &'a (dyn Fn() -> bool + Sync),
}

impl Asker<'_> {
    fn is_wanted(&self) -> Result<(), ExchangeError> {
        if (self.wanted)() { Ok(()) } else { Err(ExchangeError::GivenUp) }
    }
}

/// Makes a file of a model and those that are joined to it.
pub fn export(
    model: &Model,
    others: &[Model],
    asked: &Export,
    asker: Asker<'_>,
) -> Result<Exported, ExchangeError> {
    let view = asked.view.as_deref().map(View::named).transpose()?;
    let is_step = matches!(asked.format, Format::Ifc | Format::IfcZip);
    if let (Some(view), false) = (view, is_step) {
        let problem = format!("{} is of IFC files: leave out the view, or the format", view.name);
        return Err(ExchangeError::Conflict(problem));
    }
    let mut report = Report::default();
    let mut merge = None;
    let mut is_whole = true;
    let mut whole = model.clone();
    if !others.is_empty() {
        let all: Vec<Model> = std::iter::once(whole).chain(others.iter().cloned()).collect();
        let (joined, outcome) = merge_models(&all, &asked.merging)?;
        report.changes.extend(outcome.report.changes.iter().cloned());
        merge = Some(outcome);
        (whole, is_whole) = (joined, false);
    }
    asker.is_wanted()?;
    if asked.format.is_of_shapes() {
        let scene = if is_whole { (asker.scene)() } else { Some(Arc::new(Scene::from_model(&whole))) };
        let scene = scene.ok_or(ExchangeError::GivenUp)?;
        let (file, parts) = of_shapes(&scene, asked, &mut report, asker)?;
        let media_type = if asked.split.is_some() { ZIP } else { asked.format.media_type() };
        return Ok(Exported { file, media_type, parts, loose: Vec::new(), merge, report: joined(report) });
    }
    let mut loose = Vec::new();
    if let Some(selector) = &asked.selector {
        let part = subset(&whole, selector)?;
        loose = part.loose;
        whole = part.model;
    }
    asker.is_wanted()?;
    let name = crate::labels::file_name(&asked.name);
    let (file, parts) = if let Some(split) = asked.split {
        let (files, parts) = split_up(&whole, asked, split, view, &mut report, asker)?;
        (File { name: format!("{name}.zip"), bytes: zip(&files)? }, parts)
    } else {
        (written(&whole, &name, asked, view, &mut report)?, Vec::new())
    };
    let media_type = if asked.split.is_some() { ZIP } else { asked.format.media_type() };
    Ok(Exported { file, media_type, parts, loose, merge, report: joined(report) })
}

/// The parts of a model as files, and their names with the numbers of their products.
fn split_up(
    model: &Model,
    asked: &Export,
    split: Split,
    view: Option<&View>,
    report: &mut Report,
    asker: Asker<'_>,
) -> Result<(Vec<File>, Vec<NamedPart>), ExchangeError> {
    let groups = groups(model, split)?;
    // a part is written before the next is cut, so that only their bytes are held together
    let take = |part: Part| {
        asker.is_wanted()?;
        let mut report = Report::default();
        match written(&part.subset.model, &part.name, asked, view, &mut report) {
            Ok(file) => Ok(Some((file, (part.name, part.products), report))),
            // a storey without a room or a shape is no file of rooms or shapes
            Err(ExchangeError::Nothing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    };
    let made = each_part(model, groups, &take)?;
    let (mut files, mut names) = (Vec::new(), Vec::new());
    for (file, name, changes) in made.into_iter().flatten() {
        files.push(file);
        names.push(name);
        report.changes.extend(changes.changes);
    }
    if files.is_empty() {
        return Err(ExchangeError::Nothing("part that has anything for this format"));
    }
    Ok((files, names))
}

/// Files of what a scene shows: of the whole of it or of what is selected, in one or split. Whatever is not shown stays what it is for what
/// is: the walls around a room that is selected alone, and the rooms beside it.
fn of_shapes(
    scene: &Scene,
    asked: &Export,
    report: &mut Report,
    asker: Asker<'_>,
) -> Result<(File, Vec<NamedPart>), ExchangeError> {
    let links = Links::of_many(scene.model());
    let chosen = match &asked.selector {
        Some(selector) => Some(with_parts(&links, &selected(scene.model(), selector)?)),
        None => None,
    };
    let name = crate::labels::file_name(&asked.name);
    let Some(split) = asked.split else {
        let shown = chosen.as_ref().map_or(Shown::All, Shown::These);
        return Ok((drawn(scene, &name, asked.format, shown, report)?, Vec::new()));
    };
    let (mut files, mut parts) = (Vec::new(), Vec::new());
    for (name, mut ids) in groups(scene.model(), split)? {
        asker.is_wanted()?;
        ids.retain(|id| chosen.as_ref().is_none_or(|chosen| chosen.contains(id)));
        let own: HashSet<Id> = ids.iter().copied().collect();
        match drawn(scene, &name, asked.format, Shown::These(&own), report) {
            Ok(file) => {
                files.push(file);
                parts.push((name, ids.len()));
            }
            // a storey without a room or a shape is no file of rooms or shapes
            Err(ExchangeError::Nothing(_)) => {}
            Err(error) => return Err(error),
        }
    }
    if files.is_empty() {
        return Err(ExchangeError::Nothing("part that has anything for this format"));
    }
    Ok((File { name: format!("{name}.zip"), bytes: zip(&files)? }, parts))
}

fn groups(model: &Model, split: Split) -> Result<Vec<Group>, ExchangeError> {
    match split {
        Split::Storey => storeys(model),
        Split::Discipline => by_discipline(model),
    }
}

/// A scene as a file of a format of shapes.
fn drawn(
    scene: &Scene,
    name: &str,
    format: Format,
    shown: Shown<'_>,
    report: &mut Report,
) -> Result<File, ExchangeError> {
    let (bytes, changes) = match format {
        Format::Obj => {
            let made = obj_of(scene, name, shown)?;
            (zip(&made.files)?, made.report.changes)
        }
        Format::GbXml => {
            let made = gbxml_of(scene, shown)?;
            (made.bytes, made.report.changes)
        }
        _ => {
            let form = if format == Format::Glb { GltfForm::Binary } else { GltfForm::Embedded };
            let made = gltf_of(scene, form, shown)?;
            (made.bytes, made.report.changes)
        }
    };
    report.changes.extend(changes);
    Ok(File { name: format!("{name}.{}", format.ending()), bytes })
}

/// One model as a file of a format of data.
fn written(
    model: &Model,
    name: &str,
    asked: &Export,
    view: Option<&View>,
    report: &mut Report,
) -> Result<File, ExchangeError> {
    let named = |bytes: Vec<u8>| File { name: format!("{name}.{}", asked.format.ending()), bytes };
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
        _ => named(tables(model, asked.format == Format::Parquet)?.zip()?),
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
