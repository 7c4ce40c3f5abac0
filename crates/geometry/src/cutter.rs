//! Cutters, which are taken away from a body: in two dimensions where it is a prism, as a boolean of solids where it is not or where the
//! two dimensions gave no body.
//!
//! Of the prisms, those that keep clear of all edges go first (`pierce`), then what can be taken from a panel's outline at once (`panel`),
//! and the others one by one and face by face (`prism`).

use crate::csg::{self, Op};
use crate::joined::joined;
use crate::math::{Bounds, inverse};
use crate::panel;
use crate::pierce::Passage;
use crate::prism::{Prism, Slope, cut_out};
use crate::region::{self, Area, Loop};
use crate::solid::{Face, Solid};
use glam::{DAffine3, DVec2};
use std::sync::Arc;

/// Something that cuts.
#[derive(Debug, Clone)]
pub enum Cutter {
    /// An area drawn along a direction, endless or not.
    Prism(Prism),
    /// A closed body.
    Body(Arc<Solid>),
    /// Everything but a closed body.
    AllBut(Arc<Solid>),
}

/// The outcome of cutting a body.
#[derive(Debug, Default)]
pub struct Cut {
    /// The body that is left; `None` where nothing met it and it stays as it was.
    pub left: Option<Solid>,
    /// Why some of the cutters could not be applied.
    pub refused: Vec<String>,
}

impl Cutter {
    /// Returns the cutter in other coordinates; `None` for a prism that would be scaled.
    pub fn moved(&self, by: &DAffine3) -> Option<Cutter> {
        Some(match self {
            Cutter::Prism(prism) => Cutter::Prism(prism.moved(by)?),
            Cutter::Body(body) => Cutter::Body(Arc::new(body.moved(by))),
            Cutter::AllBut(body) => Cutter::AllBut(Arc::new(body.moved(by))),
        })
    }

    /// As a closed body as far as it matters within a box; what is endless ends a little beyond. `None` where it has no volume
    /// there.
    pub fn within(&self, around: &Bounds) -> Result<Option<Solid>, csg::CsgError> {
        match self {
            Cutter::Prism(prism) => Ok(prism_body(prism, around)),
            Cutter::Body(body) => Ok(Some((**body).clone())),
            Cutter::AllBut(body) => {
                let room = Solid::cuboid(&grown(around), &DAffine3::IDENTITY);
                room.map(|r| csg::combine(&r, body, Op::Difference)).transpose()
            }
        }
    }
}

/// A closed body less the cutters, one after the other.
pub fn cut(body: &Solid, cutters: &[Cutter]) -> Cut {
    let cutters = &*joined(cutters);
    let flat = in_planes(body, cutters);
    let (mut left, rest) = match flat {
        Some((left, rest)) => (left, rest),
        None => (None, cutters.iter().collect()),
    };
    let mut refused = Vec::new();
    let mut bodies: Vec<Solid> = Vec::new();
    let bounds = body.bounds();
    for cutter in rest {
        if let Cutter::AllBut(keep) = cutter {
            match csg::combine(left.as_ref().unwrap_or(body), keep, Op::Intersection) {
                Ok(kept) => left = Some(kept),
                Err(error) => refused.push(error.to_string()),
            }
            continue;
        }
        match cutter.within(&bounds) {
            Ok(found) => bodies.extend(found),
            Err(error) => refused.push(error.to_string()),
        }
    }
    bodies.retain(|b| b.bounds().meets(&bounds, 0.0));
    if bodies.is_empty() {
        return Cut { left, refused };
    }
    let all: Vec<&Solid> = bodies.iter().collect();
    match csg::less(left.as_ref().unwrap_or(body), &all) {
        Ok(less) => left = Some(less),
        Err(error) if all.len() == 1 => refused.push(error.to_string()),
        // one bad cutter must not spare the others
        Err(_) => {
            for one in all {
                match csg::less(left.as_ref().unwrap_or(body), &[one]) {
                    Ok(less) => left = Some(less),
                    Err(error) => refused.push(error.to_string()),
                }
            }
        }
    }
    Cut { left, refused }
}

/// Takes the prisms away in two dimensions: what is left, and the cutters still to apply. `None` where what is left cannot be right.
fn in_planes<'c>(body: &Solid, cutters: &'c [Cutter]) -> Option<(Option<Solid>, Vec<&'c Cutter>)> {
    let mut left: Option<Solid> = None;
    let mut rest = Vec::new();
    let mut prisms = Vec::new();
    for cutter in cutters {
        let Cutter::Prism(prism) = cutter else {
            rest.push(cutter);
            continue;
        };
        match Passage::find(left.as_ref().unwrap_or(body), prism) {
            Some(passage) if passage.is_past() => {}
            Some(passage) => passage.open(left.get_or_insert_with(|| body.clone())),
            None => prisms.push((cutter, prism)),
        }
    }
    let all: Vec<&Prism> = prisms.iter().map(|p| p.1).collect();
    if let Some(cut) = panel::cut_out(left.as_ref().unwrap_or(body), &all) {
        left = cut.left.or(left);
        let mut taken = cut.taken.into_iter();
        prisms.retain(|_| !taken.next().unwrap_or(false));
    }
    for (cutter, prism) in prisms {
        match cut_out(left.as_ref().unwrap_or(body), prism) {
            Ok(Some(less)) => left = Some(less),
            Ok(None) => {}
            Err(_) => rest.push(cutter),
        }
    }
    let sound = left.as_ref().is_none_or(|l| {
        let whole = body.volume();
        l.gap() < 1e-5 && l.volume() > -1e-6 * whole && l.volume() < whole * (1.0 + 1e-6)
    });
    sound.then_some((left, rest))
}

fn grown(around: &Bounds) -> Bounds {
    let margin = 1.0 + around.size().max_element().max(0.0);
    Bounds { min: around.min - margin, max: around.max + margin }
}

/// A prism as a closed body, its endless ends a little beyond the box.
fn prism_body(prism: &Prism, around: &Bounds) -> Option<Solid> {
    let to = inverse(&prism.frame)?;
    let room = grown(&Bounds::from_points(around.corners().map(|p| to.transform_point3(p))));
    let whole = region::rectangle(room.min.truncate(), room.max.truncate());
    let mut areas = match &prism.area {
        Some(loops) => region::even_odd(loops),
        None => vec![Area::new(whole, Vec::new())],
    };
    let low: Slope = prism.low.unwrap_or([0.0, 0.0, room.min.z]);
    let high: Slope = prism.high.unwrap_or([0.0, 0.0, room.max.z]);
    let at = |s: Slope, p: &DVec2| s[0] * p.x + s[1] * p.y + s[2];
    let room_at = |p: &DVec2| at(high, p) - at(low, p);
    if areas.iter().flat_map(Area::loops).flatten().any(|p| room_at(p) < 0.0) {
        // the ends cross: only the part where the upper one is above counts
        let loops: Vec<Loop> = areas.iter().flat_map(|a| a.loops().cloned()).collect();
        areas = positive(&loops, [high[0] - low[0], high[1] - low[1], high[2] - low[2]]);
    }
    let mut faces = Vec::new();
    for area in &areas {
        let lift = |slope: Slope, turned: bool| Face {
            loops: area
                .loops()
                .map(|l| {
                    let points = l.iter().map(|p| p.extend(at(slope, p)));
                    if turned { points.rev().collect() } else { points.collect() }
                })
                .collect(),
        };
        faces.push(lift(low, true));
        faces.push(lift(high, false));
        for l in area.loops() {
            for (a, b) in l.iter().zip(l.iter().skip(1).chain(l.first())) {
                let up = |p: &DVec2, s: Slope| p.extend(at(s, p));
                faces.push(Face { loops: vec![vec![up(a, low), up(b, low), up(b, high), up(a, high)]] });
            }
        }
    }
    (!faces.is_empty()).then(|| Solid::new(faces, true).moved(&prism.frame))
}

/// The part of an area where a slope is above nought.
fn positive(loops: &[Loop], slope: Slope) -> Vec<Area> {
    let steep = slope[0].hypot(slope[1]);
    if steep < 1e-12 {
        return if slope[2] > 0.0 { region::even_odd(loops) } else { Vec::new() };
    }
    let bounds = Bounds::from_points(loops.iter().flatten().map(|p| p.extend(0.0)));
    let (n, middle) = (DVec2::new(slope[0] / steep, slope[1] / steep), bounds.centre().truncate());
    let off = (slope[0] * middle.x + slope[1] * middle.y + slope[2]) / steep;
    let foot = middle - n * off;
    let r = 2.0 * (bounds.size().x + bounds.size().y + off.abs() + 1.0);
    let at = |a: f64, b: f64| foot + n.perp() * a + n * b;
    region::intersection(loops, &[vec![at(-r, 0.0), at(-r, r), at(r, r), at(r, 0.0)]])
}
