//! Whether an opening fits where it is wanted: within its host, clear of notches and of other openings; and where it would.

use crate::author::Author;
use crate::host::{self, Extent, Slab, Wall};
use crate::lookup::{guid, label};
use crate::measures::mm;
use crate::polygon::area;
use crate::regions;
use crate::wall_profile::Profile;
use contract::Fault;
use geometry::region::rectangle;
use glam::{DVec2, DVec3};
use ifc::Id;

/// Returns the box that an opening would take up in a wall, sizes in mm; a Fault where it leaves the wall or meets
/// another opening than `itself`.
pub fn fit_in_wall(
    author: &Author,
    wall: &Wall,
    centre: f64,
    sill: f64,
    width: f64,
    height: f64,
    itself: Option<Id>,
) -> Result<Extent, Fault> {
    let (from, to) = wall.reach();
    let text = label(author.edit, wall.id);
    straight_enough(author, wall, width)?;
    let half = width / 2.0 + wall.swell(width);
    if width > to - from + 0.1 {
        return Err(Fault::constraint(format!(
            "An opening {} mm wide does not fit into the wall {text}, which has room for {} mm between its ends.",
            mm(width),
            mm(to - from)
        ))
        .with("field", "width")
        .with("largest", mm(to - from)));
    }
    if centre - half < from - 0.1 || centre + half > to + 0.1 {
        return Err(Fault::constraint(format!(
            "An opening {} mm wide centred {} mm along the wall {text} would leave it; its centre can be from {} to {} mm along.",
            mm(width), mm(centre), mm(from + half), mm(to - half)
        ))
        .with("field", "location")
        .with("along_from", mm(from + half))
        .with("along_to", mm(to - half)));
    }
    if sill < -0.1 || sill + height > wall.height + 0.1 {
        return Err(Fault::constraint(format!(
            "An opening {} mm high with its sill at {} mm would leave the wall {text}, which is {} mm high; the sill can be from 0 to {} mm.",
            mm(height), mm(sill), mm(wall.height), mm((wall.height - height).max(0.0))
        ))
        .with("field", if height > wall.height { "height" } else { "location.sill" })
        .with("sill_to", mm((wall.height - height).max(0.0)))
        .with("wall_height", mm(wall.height)));
    }
    if let Some(top) = Profile::read(author, wall) {
        let (room, _) = top.range(centre - half, centre + half);
        if sill + height > room + 0.1 {
            return Err(Fault::constraint(format!(
                "An opening {} mm high with its sill at {} mm would leave the wall {text}, whose top is only {} mm up there.",
                mm(height), mm(sill), mm(room)
            ))
            .with("field", if height > room { "height" } else { "location.sill" })
            .with("sill_to", mm((room - height).max(0.0)))
            .with("wall_height", mm(room)));
        }
    }
    let extent = Extent {
        low: DVec3::new(centre - width / 2.0, wall.faces.0, sill),
        high: DVec3::new(centre + width / 2.0, wall.faces.1, sill + height),
    };
    // along an arc it takes up more of the inner face than it is wide
    let more = DVec3::X * wall.swell(width);
    let taking = Extent { low: extent.low - more, high: extent.high + more };
    let cut = rectangle(extent.low.truncate(), extent.high.truncate());
    let solid: f64 = regions::intersection(&[cut], std::slice::from_ref(&wall.outline))
        .iter()
        .map(|r| area(&r.outer))
        .sum();
    if solid < 0.98 * width * wall.thickness() {
        return Err(Fault::constraint(format!(
            "The body of the wall {text} is not whole from {} to {} mm along it (it has a notch there); move the opening.",
            mm(extent.low.x),
            mm(extent.high.x)
        ))
        .with("field", "location"));
    }
    for (other, taken) in wall.openings(author) {
        let beside = DVec3::X * wall.swell(taken.size(0));
        let taken = Extent { low: taken.low - beside, high: taken.high + beside };
        if Some(other) != itself && taking.overlaps(&taken, [0, 2]) {
            let filling = ifc::relations::filling_of(author.edit, other).unwrap_or(other);
            return Err(Fault::constraint(format!(
                "It would overlap {} in the wall {text}, which takes up {} to {} mm along and {} to {} mm above the wall's base. Place it elsewhere (`free_along`), or move that first.",
                label(author.edit, filling), mm(taken.low.x), mm(taken.high.x), mm(taken.low.z), mm(taken.high.z)
            ))
            .with("field", "location")
            .with("overlaps", guid(author.edit, filling))
            .with("free_along", free(author, wall, sill, height, width, itself)));
        }
    }
    Ok(extent)
}

/// Refuses an opening so wide that its straight box would stick out of a wall along an arc.
fn straight_enough(author: &Author, wall: &Wall, width: f64) -> Result<(), Fault> {
    let (right, left) = wall.across(width);
    let thickness = wall.thickness();
    let line = wall.line();
    let inner = line.radius(wall.faces.0).min(line.radius(wall.faces.1));
    if width / 2.0 < 0.95 * inner && left - right <= 2.0 * thickness + 0.1 {
        return Ok(());
    }
    let sag = thickness.min(inner);
    let largest = (2.0 * (2.0 * inner * sag - sag * sag).sqrt()).min(1.9 * inner).floor();
    Err(Fault::constraint(format!(
        "An opening {} mm wide is too wide for the wall {}, which runs along an arc: its straight frame would stick out of the wall. Up to {} mm wide it does not.",
        mm(width),
        label(author.edit, wall.id),
        mm(largest)
    ))
    .with("field", "width")
    .with("largest", mm(largest)))
}

/// Returns the spans along a wall in which an opening of this size could be centred, in mm.
pub fn free(
    author: &Author,
    wall: &Wall,
    sill: f64,
    height: f64,
    width: f64,
    itself: Option<Id>,
) -> Vec<[f64; 2]> {
    let (from, to) = wall.reach();
    let needed = width + 2.0 * wall.swell(width);
    let mut taken: Vec<(f64, f64)> = wall
        .openings(author)
        .into_iter()
        .filter(|(id, e)| Some(*id) != itself && e.low.z < sill + height && sill < e.high.z)
        .map(|(_, e)| (e.low.x - wall.swell(e.size(0)), e.high.x + wall.swell(e.size(0))))
        .collect();
    taken.push((to, to));
    taken.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut spans = Vec::new();
    let mut at = from;
    for (low, high) in taken {
        if low - at >= needed {
            spans.push([mm(at + needed / 2.0), mm(low - needed / 2.0)]);
        }
        at = at.max(high);
    }
    spans
}

/// Returns the box that an opening would take up in a slab, sizes in mm; a Fault where it leaves the slab or meets
/// another opening than `itself`.
pub fn fit_in_slab(
    author: &Author,
    slab: &Slab,
    centre: DVec2,
    width: f64,
    across: f64,
    itself: Option<Id>,
) -> Result<Extent, Fault> {
    let half = DVec2::new(width, across) / 2.0;
    let outline = rectangle(centre - half, centre + half);
    let inside: f64 = regions::intersection(&[outline], std::slice::from_ref(&slab.outline))
        .iter()
        .map(|r| area(&r.outer))
        .sum();
    if inside < width * across - 100.0 {
        return Err(Fault::constraint(format!(
            "An opening of {} by {} mm there would leave the slab {}; move its centre or make it smaller.",
            mm(width),
            mm(across),
            label(author.edit, slab.id)
        ))
        .with("field", "location"));
    }
    let extent = Extent {
        low: (centre - half).extend(slab.base),
        high: (centre + half).extend(slab.base + slab.thickness),
    };
    for (other, taken) in host::openings(author, slab.id, &slab.frame) {
        if Some(other) != itself && extent.overlaps(&taken, [0, 1]) {
            return Err(Fault::constraint(format!(
                "It would overlap the opening {} in the slab {}. Place it beside that, or move that first.",
                label(author.edit, other),
                label(author.edit, slab.id)
            ))
            .with("field", "location")
            .with("overlaps", guid(author.edit, other)));
        }
    }
    Ok(extent)
}
