//! A storey that was raised or lowered: walls, curtain walls and rooms below that reached up to it, or to the underside of its slabs, reach it again, and
//! those that stand on it and reached up to the next one stay below that. What reached up to a slab that was made thicker or thinner reaches
//! its underside again.

use super::{Followed, with_reader};
use crate::author::Author;
use crate::curtain::Known;
use crate::host::{Slab, Wall};
use crate::lookup::label;
use crate::measures::mm;
use crate::polygon::contains;
use crate::roof;
use crate::roof_ties;
use crate::soundness::storeys_in;
use crate::structure::line::Line;
use crate::wall_profile::{Profile, height_of};
use crate::{movement, parameters, solids};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Model, relations};
use serde_json::json;
use std::collections::{BTreeSet, HashMap};

/// Heights nearer than this are the same, in mm.
const SAME: f64 = 1.0;

/// A storey that others reach up to: where they end, and by how much they have to grow.
struct Raised {
    storey: Id,
    levels: Vec<f64>,
    by: f64,
}

impl Raised {
    /// As those see it who were raised from below, while it stayed where it was.
    fn seen_from_below(self, by: f64) -> Self {
        let levels = self.levels.into_iter().map(|level| level + by).collect();
        Self { levels, by: -by, ..self }
    }
}

/// Stretches what reached up to storeys that were raised.
pub(super) fn follow(
    author: &mut Author,
    before: &Model,
    reshaped: &BTreeSet<Id>,
    followed: &mut Followed,
) -> Result<(), Fault> {
    let is_storey = |id: &&Id| before.get(**id).is_some_and(|s| s.is_a("IfcBuildingStorey"));
    let storeys: Vec<Id> = reshaped.iter().filter(is_storey).copied().collect();
    for storey in storeys {
        if !author.edit.contains(storey) {
            continue;
        }
        let Some(raised) = with_reader(before, |reader| raised(reader, author, storey)) else { continue };
        stay_below(author, before, &raised, followed)?;
        let mut any = false;
        for below in below(author, raised.storey) {
            // one that was moved by hand stays as it was put; walls were drawn without the roof above, and are no farther than before
            let is_wall = author.edit.get(below).is_some_and(|e| e.is_a("IfcWall"));
            if is_wall && roof_ties::roof_of(author, below).is_some() || !is_wall && reshaped.contains(&below)
            {
                continue;
            }
            any |= stretch(author, below, &raised, followed)? && is_wall;
        }
        if any {
            reach_planes(author, storey, followed)?;
        }
    }
    under_slabs(author, before, reshaped, followed)
}

/// Stretches what reached up to slabs that kept their top and have their underside elsewhere.
fn under_slabs(
    author: &mut Author,
    before: &Model,
    reshaped: &BTreeSet<Id>,
    followed: &mut Followed,
) -> Result<(), Fault> {
    let is_slab = |id: &&Id| before.get(**id).is_some_and(|s| s.is_a("IfcSlab"));
    // of what stays as it was under several slabs; what was stretched keeps its middle in plan
    let mut middles: HashMap<Id, Option<DVec2>> = HashMap::new();
    for slab in reshaped.iter().filter(is_slab) {
        let (Some(storey), Ok(new)) = (relations::storey_of(author.edit, *slab), Slab::read(author, *slab))
        else {
            continue;
        };
        let Some(old) = with_reader(before, |reader| Slab::read(reader, *slab).ok()) else { continue };
        let under = |slab: &Slab| slab.frame.translation.z + slab.base;
        let by = under(&new) - under(&old);
        if by.abs() < SAME || (under(&old) + old.thickness - under(&new) - new.thickness).abs() > SAME {
            continue;
        }
        let above = Raised { storey: *slab, levels: vec![under(&old)], by };
        let outline = old.outline_in_world();
        for id in below(author, storey) {
            let bounds = || geometry::bounds(author.edit, id);
            let middle = *middles.entry(id).or_insert_with(|| bounds().map(|b| b.centre().truncate()));
            if !reshaped.contains(&id) && middle.is_some_and(|middle| contains(&outline, middle)) {
                stretch(author, id, &above, followed)?;
            }
        }
    }
    Ok(())
}

/// Walls that reach a roof's level again reach up to its planes.
fn reach_planes(author: &mut Author, storey: Id, followed: &mut Followed) -> Result<(), Fault> {
    for over in relations::contained(author.edit, storey) {
        if roof::is_kept(author, over) {
            for wall in roof::follow(author, over)? {
                followed.add(wall);
            }
        }
    }
    Ok(())
}

/// Holds what stands on a storey that was raised below the storey above it, where it reached up to that.
fn stay_below(
    author: &mut Author,
    before: &Model,
    raised: &Raised,
    followed: &mut Followed,
) -> Result<(), Fault> {
    let Some(whole) = relations::aggregate_parent(author.edit, raised.storey) else { return Ok(()) };
    let own = held(author, raised.storey);
    for (other, _) in storeys_in(author.edit, whole) {
        let stood = with_reader(before, |reader| {
            let is_there = reader.edit.contains(other) && raised_by(reader, author, other).is_none();
            (is_there && other != raised.storey).then(|| levels(reader, other)).flatten()
        });
        let Some(levels) = stood else { continue };
        let above = Raised { storey: other, levels, by: 0.0 }.seen_from_below(raised.by);
        let mut any = false;
        for id in &own {
            let is_wall = author.edit.get(*id).is_some_and(|e| e.is_a("IfcWall"));
            any |= stretch(author, *id, &above, followed)? && is_wall;
        }
        if any {
            reach_planes(author, other, followed)?;
        }
    }
    Ok(())
}

fn raised(before: &Author<'_>, after: &Author<'_>, storey: Id) -> Option<Raised> {
    let by = raised_by(before, after, storey)?;
    Some(Raised { storey, levels: levels(before, storey)?, by })
}

/// By how much a storey was raised; `None` where it was not.
fn raised_by(before: &Author<'_>, after: &Author<'_>, storey: Id) -> Option<f64> {
    let by = after.frame(storey).ok()?.translation.z - before.frame(storey).ok()?.translation.z;
    (by.abs() >= SAME).then_some(by)
}

/// Where what is below a storey ends: at its level, or at the underside of one of its slabs.
fn levels(before: &Author<'_>, storey: Id) -> Option<Vec<f64>> {
    let mut levels = vec![before.frame(storey).ok()?.translation.z];
    for held in relations::contained(before.edit, storey) {
        let slabs = if before.edit.get(held).is_some_and(|e| e.is_a("IfcRoof")) {
            relations::children(before.edit, held)
        } else {
            vec![held]
        };
        let slabs = slabs.into_iter().filter(|id| before.edit.get(*id).is_some_and(|s| s.is_a("IfcSlab")));
        let undersides = slabs.filter_map(|id| Slab::read(before, id).ok());
        levels.extend(undersides.map(|slab| slab.frame.translation.z + slab.base));
    }
    Some(levels)
}

/// The walls, curtain walls, columns, beams and rooms on the other storeys of the building.
fn below(author: &Author, storey: Id) -> Vec<Id> {
    let Some(whole) = relations::aggregate_parent(author.edit, storey) else { return Vec::new() };
    let lower = storeys_in(author.edit, whole).into_iter().map(|(id, _)| id).filter(|id| *id != storey);
    lower.flat_map(|storey| held(author, storey)).collect()
}

/// The walls, curtain walls, columns, beams and rooms of a storey.
fn held(author: &Author, storey: Id) -> Vec<Id> {
    let mut all = relations::contained(author.edit, storey);
    all.extend(relations::children(author.edit, storey));
    let wanted = ["IfcWall", "IfcSpace", "IfcColumn", "IfcBeam", "IfcCurtainWall"];
    all.retain(|id| author.edit.get(*id).is_some_and(|e| wanted.iter().any(|class| e.is_a(class))));
    all
}

/// Stretches an element that reached up to where the storey was; returns true if it did.
fn stretch(author: &mut Author, id: Id, raised: &Raised, followed: &mut Followed) -> Result<bool, Fault> {
    let is_a = |class: &str| author.edit.get(id).is_some_and(|e| e.is_a(class));
    if is_a("IfcBeam") {
        lift(author, id, raised, followed)?;
        return Ok(false);
    }
    let found = if is_a("IfcCurtainWall") {
        Known::read(author, id).map(|known| (known.foot, known.new.height, true))
    } else if is_a("IfcWall") {
        Wall::read_any(author, id).ok().map(|wall| {
            let can_follow = wall.plain || Profile::read(author, &wall).is_some();
            (wall.frame.translation.z, height_of(author, &wall), can_follow)
        })
    } else if is_a("IfcColumn") {
        let line = Line::read(author, id).ok().filter(|line| line.frame.z_axis.z > 0.999);
        line.map(|line| (line.at(0.0).z, line.length, true))
    } else {
        let frame = author.frame(id).ok().filter(crate::frame::Frame::is_upright);
        let prism = solids::prism_of(author.edit, id, author.units().length_mm);
        frame.zip(prism).map(|(frame, prism)| (frame.translation.z + prism.base, prism.height, prism.plain))
    };
    let Some((base, height, plain)) = found else { return Ok(false) };
    let top = base + height;
    if !raised.levels.iter().any(|level| (level - top).abs() < SAME) {
        return Ok(false);
    }
    let name = label(author.edit, raised.storey);
    if !plain {
        let why = format!("It reached up to {name}; its height is for you to change.");
        followed.leave(author.edit, id, why);
        return Ok(false);
    }
    let to = height + raised.by;
    if to < SAME {
        return Err(Fault::constraint(format!(
            "{} reaches up to {name} and would be left without height: it begins at {} mm. Change it by less, or {name} before.",
            label(author.edit, id),
            mm(base)
        ))
        .with("field", "value")
        .with("elements", vec![crate::lookup::guid(author.edit, id)]));
    }
    let change = parameters::modify(author, id, "height", &json!(mm(to))).map_err(|fault| Fault {
        message: format!(
            "{} reaches up to {name} and cannot follow. {}",
            label(author.edit, id),
            fault.message
        ),
        ..fault
    })?;
    followed.add(id);
    for beam in change.regenerated.iter().filter_map(|guid| author.edit.by_guid(guid)) {
        followed.add(beam);
    }
    Ok(true)
}

/// Lifts a level beam whose top was where what is above began.
fn lift(author: &mut Author, id: Id, raised: &Raised, followed: &mut Followed) -> Result<(), Fault> {
    let Ok(line) = Line::read(author, id) else { return Ok(()) };
    if line.frame.z_axis.z.abs() > 1e-6 {
        return Ok(());
    }
    let corners =
        line.section.outline.iter().map(|p| line.frame.transform_point3((*p - line.offset).extend(0.0)).z);
    let top = corners.fold(f64::NEG_INFINITY, f64::max);
    if raised.levels.iter().any(|level| (level - top).abs() < SAME) {
        for beam in movement::shift(author, &[id], DVec3::Z * raised.by)? {
            followed.add(beam);
        }
        followed.add(id);
    }
    Ok(())
}
