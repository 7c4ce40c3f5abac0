//! Walls of several layers: the type that has them, found or written, and how thick they are together.
//!
//! Layers are told from the right face to the left, seen from start to end: from outside to inside where a building's walls
//! run counter-clockwise.

use crate::author::{Author, word};
use crate::kinds::Layer;
use crate::layer_priority::{self, category};
use crate::library::buildup;
use crate::lookup::label;
use crate::measures::mm;
use crate::wall::{Build, WallKind};
use contract::Fault;
use ifc::{Id, Value};

/// The most layers of a wall.
const MOST: usize = 30;

/// The build-up of these layers and its thickness in mm: a type of this use, found by its layers or written.
pub fn with_layers(author: &mut Author, kind: WallKind, layers: &[Layer]) -> Result<(Build, f64), Fault> {
    if layers.is_empty() || layers.len() > MOST {
        return Err(Fault::invalid(
            "layers",
            format!("`layers` must list 1 to {MOST} layers; {} given.", layers.len()),
        ));
    }
    let layers = buildup::checked("layers", layers)?;
    let bears = kind != WallKind::Partition;
    let (told, total) = (layer_priority::filled(&layers, bears), buildup::total(&layers));
    if told == layers && layers.len() > 1 && layers.iter().all(|layer| layer.priority.is_none()) {
        let ruled = layer_priority::ruled(&layers, bears).into_iter();
        let said: Vec<String> =
            ruled.zip(&layers).map(|(p, layer)| format!("{} {p}", layer.material)).collect();
        author.assume(format!("layer priorities by material and thickness: {}", said.join(", ")));
    }
    let materials: Vec<&str> = layers.iter().map(|layer| layer.material.as_str()).collect();
    let base = format!("{} {} mm, {}", kind.title(), mm(total), materials.join(" + "));
    let mut number = 1;
    loop {
        let title = if number == 1 { base.clone() } else { format!("{base} ({number})") };
        let known = author
            .edit
            .of_class_exact("IfcWallType")
            .into_iter()
            .find(|id| author.edit.get(*id).is_some_and(|t| t.says("Name", &title)));
        let Some(wall_type) = known else { return Ok((write(author, kind, &title, &told)?, total)) };
        // layers of other thicknesses may bear the same name
        if let Some(set) = set_of(author, wall_type).filter(|set| is_of(author, wall_type, *set, &told)) {
            return Ok((Build::Type { wall_type, set: Some(set) }, total));
        }
        number += 1;
    }
}

fn write(author: &mut Author, kind: WallKind, title: &str, layers: &[Layer]) -> Result<Build, Fault> {
    let mut made = Vec::with_capacity(layers.len());
    for layer in layers {
        made.push(Value::Ref(author.material_layer(layer)?));
    }
    let set = author.create(
        "IfcMaterialLayerSet",
        &[("MaterialLayers", Value::List(made)), ("LayerSetName", title.into())],
    )?;
    let predefined = if author.legacy() { "STANDARD" } else { kind.predefined() };
    let wall_type = author.root("IfcWallType", Some(title), &[("PredefinedType", word(predefined))])?;
    author.make_of(set, wall_type)?;
    layer_priority::remember(author, wall_type, layers, kind != WallKind::Partition)?;
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

fn is_of(author: &Author, wall_type: Id, set: Id, layers: &[Layer]) -> bool {
    let priorities: Option<Vec<u8>> = layers.iter().map(|layer| layer.priority).collect();
    let is_remembered = !author.legacy() || layer_priority::remembered(author.edit, wall_type) == priorities;
    is_remembered && buildup::same(author, &layer_priority::layers(author, set), layers)
}

/// The build-up of a type that is there and its thickness in mm; where the type has no layers, `otherwise`.
pub fn of_type(author: &Author, wall_type: Id, otherwise: Option<f64>) -> Result<(Build, f64), Fault> {
    let set = set_of(author, wall_type);
    let total = buildup::total(&set.map(|set| layer_priority::layers(author, set)).unwrap_or_default());
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
pub fn layers_of(author: &Author, wall_type: Id) -> Vec<Layer> {
    let mut layers =
        set_of(author, wall_type).map(|set| layer_priority::layers(author, set)).unwrap_or_default();
    layer_priority::give(&mut layers, layer_priority::remembered(author.edit, wall_type).as_deref());
    layers
}

/// The layers of a wall of another thickness: the core, or else the thickest, takes the difference. `None` where it is
/// not thick enough.
pub fn thickened(layers: &[Layer], thickness: f64) -> Option<Vec<Layer>> {
    let more = thickness - buildup::total(layers);
    let mut changed = layers.to_vec();
    let core = |layer: &Layer| layer.function.as_deref().map(category) == Some("LoadBearing");
    let strongest = changed.iter().filter_map(|layer| layer.priority).max();
    let is_told = changed.iter().any(core);
    let is_core = |layer: &Layer| if is_told { core(layer) } else { layer.priority == strongest };
    let taker = changed
        .iter_mut()
        .filter(|layer| is_core(layer))
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
