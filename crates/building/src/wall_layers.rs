//! Walls of several layers: the type that has them, found or written, and how thick they are together.
//!
//! Layers are told from the right face to the left, seen from start to end: from outside to inside where a building's walls
//! run counter-clockwise.

use crate::author::{Author, word};
use crate::lookup::label;
use crate::measures::{mm, name, positive};
use crate::wall::{Build, WallKind};
use contract::Fault;
use ifc::{Id, Value};

/// The most layers of a wall.
const MOST: usize = 30;

/// One layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Ply {
    /// The material's name.
    pub material: String,
    /// Its thickness in mm.
    pub thickness: f64,
    /// Its function: core, insulation, finish or another word.
    pub function: Option<String>,
}

impl Ply {
    /// Its category as the standard's examples have them.
    fn category(&self) -> Option<&str> {
        self.function.as_deref().map(|function| match function.to_lowercase().as_str() {
            "core" | "structure" | "loadbearing" => "LoadBearing",
            "insulation" => "Insulation",
            "finish" => "Finish",
            _ => function,
        })
    }
}

/// The build-up of these layers and its thickness in mm: a type of this use, found by its layers or written.
pub fn with_layers(author: &mut Author, kind: WallKind, plies: &[Ply]) -> Result<(Build, f64), Fault> {
    if plies.is_empty() || plies.len() > MOST {
        return Err(Fault::invalid(
            "layers",
            format!("`layers` must list 1 to {MOST} layers; {} given.", plies.len()),
        ));
    }
    let mut total = 0.0;
    for (i, ply) in plies.iter().enumerate() {
        name(&format!("layers[{i}].material"), &ply.material)?;
        total += positive(&format!("layers[{i}].thickness"), ply.thickness)?;
    }
    let materials: Vec<&str> = plies.iter().map(|ply| ply.material.trim()).collect();
    let base = format!("{} {} mm, {}", kind.title(), mm(total), materials.join(" + "));
    let mut number = 1;
    loop {
        let title = if number == 1 { base.clone() } else { format!("{base} ({number})") };
        let known = author
            .edit
            .of_class_exact("IfcWallType")
            .into_iter()
            .find(|id| author.edit.get(*id).and_then(|t| t.name()).as_deref() == Some(&title));
        let Some(wall_type) = known else { return Ok((write(author, kind, &title, plies)?, total)) };
        // layers of other thicknesses may bear the same name
        if let Some(set) = set_of(author, wall_type).filter(|set| is_of(author, *set, plies)) {
            return Ok((Build::Type { wall_type, set: Some(set) }, total));
        }
        number += 1;
    }
}

fn write(author: &mut Author, kind: WallKind, title: &str, plies: &[Ply]) -> Result<Build, Fault> {
    let mut layers = Vec::with_capacity(plies.len());
    for ply in plies {
        let material = author.material(ply.material.trim())?;
        let mut attributes =
            vec![("Material", Value::Ref(material)), ("LayerThickness", author.real(ply.thickness))];
        if let Some(category) = ply.category()
            && author.has_attribute("IfcMaterialLayer", "Category")
        {
            attributes.push(("Category", category.into()));
        }
        layers.push(Value::Ref(author.create("IfcMaterialLayer", &attributes)?));
    }
    let set = author.create(
        "IfcMaterialLayerSet",
        &[("MaterialLayers", Value::List(layers)), ("LayerSetName", title.into())],
    )?;
    let predefined = if author.legacy() { "STANDARD" } else { kind.predefined() };
    let wall_type = author.root("IfcWallType", Some(title), &[("PredefinedType", word(predefined))])?;
    author.make_of(set, wall_type)?;
    Ok(Build::Type { wall_type, set: Some(set) })
}

/// The layer set that a type is made of.
fn set_of(author: &Author, wall_type: Id) -> Option<Id> {
    author.edit.referrers_of(wall_type, "IfcRelAssociatesMaterial").into_iter().find_map(|relation| {
        let material = author.edit.get(relation)?.reference("RelatingMaterial")?;
        let found = author.edit.get(material)?;
        if found.is_a("IfcMaterialLayerSetUsage") { found.reference("ForLayerSet") } else { None }
            .or_else(|| found.is_a("IfcMaterialLayerSet").then_some(material))
    })
}

fn layers(author: &Author, set: Id) -> Vec<(f64, Option<String>, Option<String>)> {
    let all = author.edit.get(set).map(|set| set.references("MaterialLayers")).unwrap_or_default();
    all.into_iter()
        .filter_map(|id| {
            let layer = author.edit.get(id)?;
            let material =
                layer.reference("Material").and_then(|m| author.edit.get(m)).and_then(|m| m.name());
            let thickness = layer.number("LayerThickness")? * author.units().length_mm;
            Some((thickness, material, layer.text("Category")))
        })
        .collect()
}

fn is_of(author: &Author, set: Id, plies: &[Ply]) -> bool {
    let told = author.has_attribute("IfcMaterialLayer", "Category");
    let found = layers(author, set);
    found.len() == plies.len()
        && found.iter().zip(plies).all(|((thickness, material, category), ply)| {
            (thickness - ply.thickness).abs() < 1e-3
                && material.as_deref() == Some(ply.material.trim())
                && (!told || category.as_deref() == ply.category())
        })
}

/// The build-up of a type that is there and its thickness in mm; where the type has no layers, `otherwise`.
pub fn of_type(author: &Author, wall_type: Id, otherwise: Option<f64>) -> Result<(Build, f64), Fault> {
    let set = set_of(author, wall_type);
    let total: f64 = set.map(|set| layers(author, set)).unwrap_or_default().iter().map(|layer| layer.0).sum();
    let text = label(author.edit, wall_type);
    match (otherwise, total > 0.0) {
        (Some(given), true) if (given - total).abs() > 0.1 => Err(Fault::invalid(
            "thickness",
            format!(
                "The layers of the type {text} are {} mm thick together, not {}; leave thickness out.",
                mm(total),
                mm(given)
            ),
        )
        .with("thickness", mm(total))),
        (_, true) => Ok((Build::Type { wall_type, set }, total)),
        (Some(given), false) => Ok((Build::Type { wall_type, set: None }, given)),
        (None, false) => Err(Fault::invalid(
            "type_id",
            format!(
                "The type {text} has no layers that say how thick its walls are; give thickness as well."
            ),
        )),
    }
}

/// The layers of a type.
pub fn plies_of(author: &Author, wall_type: Id) -> Vec<Ply> {
    let found = set_of(author, wall_type).map(|set| layers(author, set)).unwrap_or_default();
    found
        .into_iter()
        .map(|(thickness, material, function)| Ply {
            material: material.unwrap_or_default(),
            thickness,
            function,
        })
        .collect()
}

/// The layers of a wall of another thickness: the core, or else the thickest, takes the difference. `None` where it is
/// not thick enough.
pub fn thickened(plies: &[Ply], thickness: f64) -> Option<Vec<Ply>> {
    let more = thickness - plies.iter().map(|ply| ply.thickness).sum::<f64>();
    let mut changed = plies.to_vec();
    let is_core = |ply: &Ply| ply.category() == Some("LoadBearing");
    let is_told = changed.iter().any(is_core);
    let taker = changed
        .iter_mut()
        .filter(|ply| !is_told || is_core(ply))
        .max_by(|a, b| a.thickness.total_cmp(&b.thickness))?;
    taker.thickness += more;
    (taker.thickness >= 1.0).then_some(changed)
}

/// The use that a type stands for, by its name and predefined type; `None` where they do not say.
pub fn use_of(author: &Author, wall_type: Id) -> Option<WallKind> {
    let text = label(author.edit, wall_type);
    let by_name = [WallKind::Exterior, WallKind::Interior, WallKind::Partition]
        .into_iter()
        .find(|kind| text.starts_with(kind.title()));
    let is_partition =
        crate::lookup::predefined_type(author.edit, wall_type).as_deref() == Some("PARTITIONING");
    by_name.or_else(|| is_partition.then_some(WallKind::Partition))
}
