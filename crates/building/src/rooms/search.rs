//! Looking for a layout by area that meets wishes: an outline is cut in two again and again, and order, place and direction of the cuts
//! are varied from good beginnings until nothing is missing or enough was tried.
//!
//! The same wishes always come to the same layout: what is varied is drawn from numbers that begin the same way.

use super::layout::{Ground, Plot, clip};
use super::wishes::{Use, Wishes, doors_missing, has_door, judge};
use crate::polygon::{area, bounds, signed_area};
use contract::Fault;
use glam::DVec2;

/// Layouts tried at most, by the cost of one: of a convex outline, and of one that is cut with care.
const TRIES: [usize; 2] = [2_400, 700];
/// Rooms for which layouts are looked for; more are laid out as they come.
pub(super) const MOST: usize = 24;
/// Tries without any gain after which another beginning is taken.
const PATIENCE: usize = 120;

/// A cut nearer than this to an edge along it is drawn to it, in mm.
const SLIT: f64 = 100.0;
/// The least distance of a cut from an edge along it, in mm: what lies between is of no use.
const NOOK: f64 = 300.0;

/// A way to cut: the order of the rooms, and for each gap between two of them when it is cut and in which direction.
#[derive(Clone)]
struct Cuts {
    order: Vec<usize>,
    rank: Vec<u32>,
    across: Vec<bool>,
    /// Which of them go on in a line with the core, where there is one.
    snap: Vec<bool>,
}

/// The room with the stair, which stands in a storey already and others are laid out around.
pub(super) struct Core<'a> {
    /// Where one steps onto the stair and off it, as a plot of its room.
    pub front: Plot,
    /// Its whole outline.
    pub outline: Vec<DVec2>,
    /// The outline of the storey with it.
    pub whole: &'a [DVec2],
}

/// How far a cut may be drawn to a side of the core, in mm.
const DRAWN: f64 = 2_500.0;

/// Numbers that look drawn by lot and are always the same.
struct Lot(u64);

impl Lot {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// The layout found that falls least short of the wishes. `areas` are in mm², `corridor` is the width of a hallway that has to be added.
pub(super) fn best(
    outline: &[DVec2],
    areas: &[f64],
    wishes: &Wishes,
    corridor: f64,
) -> Result<Vec<Plot>, Fault> {
    let ground = Ground::new(outline)?;
    let (_, plots) = around(&ground, areas, wishes, corridor, None)?;
    Ok(plots)
}

/// The same beside a core, where there is one; answers how far the layout falls short as well.
pub(super) fn around(
    ground: &Ground,
    areas: &[f64],
    wishes: &Wishes,
    corridor: f64,
    core: Option<&Core<'_>>,
) -> Result<(f64, Vec<Plot>), Fault> {
    let mut lot = Lot(24);
    let fixed = core.map(|core| Fixed::seen_from(core, ground));
    let has_hall = wishes.rooms.iter().take(areas.len()).any(|room| room.used == Use::Hall);
    let mut found: Option<(f64, Vec<Plot>)> = None;
    let halls: &[bool] = match (has_hall || areas.len() < 2, core) {
        (true, _) => &[false],
        (false, None) => &[false, true],
        // a hallway leads on from the stair
        (false, Some(_)) => &[true],
    };
    for with_hall in halls {
        // a hallway is added where it is needed
        if found.as_ref().is_some_and(|(badness, _)| *badness < 20.0) {
            break;
        }
        let (low, high) = bounds(&ground.outline);
        let mut all = areas.to_vec();
        if *with_hall {
            all.push((corridor + wishes.partition) * (high.x - low.x));
        }
        let tried = Tried { ground, areas: &all, wishes, rooms: areas.len(), fixed: fixed.as_ref() };
        if let Some((badness, plots)) = tried.search(&mut lot)
            && found.as_ref().is_none_or(|(known, _)| badness < *known)
        {
            found = Some((badness, plots));
        }
    }
    let Some((badness, plots)) = found else {
        return Err(super::layout::unsuited(
            "no way was found to cut it into so many rooms in one piece each",
        ));
    };
    Ok((badness, plots.into_iter().map(|p| Plot { outline: ground.world(&p.outline), ..p }).collect()))
}

/// A core as the ground sees it.
struct Fixed {
    front: Plot,
    whole: Vec<DVec2>,
    /// The x and the y of its sides.
    sides: [[f64; 2]; 2],
}

impl Fixed {
    fn seen_from(core: &Core<'_>, ground: &Ground) -> Self {
        let (low, high) = bounds(&ground.own(&core.outline));
        Self {
            front: Plot { outline: ground.own(&core.front.outline), ..core.front.clone() },
            whole: ground.own(core.whole),
            sides: [[low.x, high.x], [low.y, high.y]],
        }
    }
}

struct Tried<'a> {
    ground: &'a Ground,
    areas: &'a [f64],
    wishes: &'a Wishes,
    /// Rooms asked for; what is beyond is a hallway that was added.
    rooms: usize,
    fixed: Option<&'a Fixed>,
}

impl Tried<'_> {
    fn search(&self, lot: &mut Lot) -> Option<(f64, Vec<Plot>)> {
        let n = self.areas.len();
        let budget = TRIES[usize::from(!is_convex(&self.ground.outline))] * 8 / n.max(8);
        let mut best: Option<(f64, Vec<Plot>)> = None;
        let mut spent = 0;
        let mut beginning = 0;
        while spent < budget {
            let mut at = self.begin(beginning, lot);
            beginning += 1;
            let mut badness = f64::INFINITY;
            let mut idle = 0;
            let mut next = at.clone();
            while idle < PATIENCE && spent < budget {
                spent += 1;
                let tried = self.cut(&next).map(|plots| (self.badness(&plots), plots));
                match tried {
                    Some((value, plots)) if value <= badness => {
                        idle = if value < badness { 0 } else { idle + 1 };
                        (at, badness) = (next, value);
                        if best.as_ref().is_none_or(|(known, _)| value < *known) {
                            best = Some((value, plots));
                        }
                    }
                    _ => idle += 1,
                }
                next = self.varied(&at, lot);
            }
            // all wishes are met, and rooms are well shaped
            if best.as_ref().is_some_and(|(known, _)| *known < 1.0) {
                break;
            }
        }
        best
    }

    fn badness(&self, plots: &[Plot]) -> f64 {
        let Some(fixed) = self.fixed else {
            return judge(self.wishes, &self.ground.outline, plots).1 + doors_missing(self.wishes, plots);
        };
        let mut all = plots.to_vec();
        all.push(fixed.front.clone());
        let short = judge(self.wishes, &fixed.whole, &all).1 + doors_missing(self.wishes, &all);
        let halls = plots.iter().filter(|plot| self.wishes.used(plot) == Use::Hall);
        let (mut none, mut reached) = (true, false);
        for hall in halls {
            none = false;
            reached |= has_door(self.wishes, hall, &fixed.front);
        }
        // cuts that go on in a line with the core leave rooms more or less than their share
        let asked: f64 = self.areas.iter().sum();
        let scale = signed_area(&self.ground.outline).abs() / asked.max(1.0);
        let off = plots.iter().filter_map(|plot| {
            let wanted = self.areas.get(plot.room?)? * scale;
            Some(((area(&plot.outline) / wanted.max(1.0) - 1.0).abs() - 0.1).max(0.0))
        });
        short + if none || reached { 0.0 } else { 300.0 } + 15.0 * off.sum::<f64>()
    }

    fn is_hall(&self, room: usize) -> bool {
        room >= self.rooms || self.wishes.rooms.get(room).is_some_and(|wish| wish.used == Use::Hall)
    }

    /// A beginning: rows on both sides of the hallway along or across, or anything at all.
    fn begin(&self, number: usize, lot: &mut Lot) -> Cuts {
        let n = self.areas.len();
        let gaps = n.saturating_sub(1);
        let mut order: Vec<usize> = (0..n).filter(|room| !self.is_hall(*room)).collect();
        for i in (1..order.len()).rev() {
            if number > 1 {
                order.swap(i, lot.below(i + 1));
            }
        }
        let halls: Vec<usize> = (0..n).filter(|room| self.is_hall(*room)).collect();
        if halls.is_empty() || number % 3 == 2 {
            order.extend(halls);
            let rank = (0..gaps).map(|_| lot.below(1000) as u32).collect();
            let across = (0..gaps).map(|_| lot.below(2) == 0).collect();
            let snap = (0..gaps).map(|_| self.fixed.is_some() && lot.below(2) == 0).collect();
            return Cuts { order, rank, across, snap };
        }
        let along = number.is_multiple_of(3);
        let half =
            if self.fixed.is_some() && number > 1 { lot.below(order.len() + 1) } else { order.len() / 2 };
        let rest = order.split_off(half);
        let (first, last) = (half, half + halls.len());
        order.extend(halls);
        order.extend(rest);
        let rank = (0..gaps)
            .map(|gap| {
                if gap + 1 == first {
                    3000
                } else if gap + 1 == last {
                    2000
                } else {
                    lot.below(1000) as u32
                }
            })
            .collect();
        // rooms of a row are cut the other way than the rows
        let across = (0..gaps).map(|gap| (gap + 1 == first || gap + 1 == last) == along).collect();
        let snap =
            (0..gaps).map(|gap| self.fixed.is_some() && (gap + 1 == first || gap + 1 == last)).collect();
        Cuts { order, rank, across, snap }
    }

    fn varied(&self, cuts: &Cuts, lot: &mut Lot) -> Cuts {
        let mut next = cuts.clone();
        let n = next.order.len();
        for _ in 0..=lot.below(2) {
            match lot.below(if self.fixed.is_some() { 5 } else { 4 }) {
                0 | 1 => {
                    let (i, j) = (lot.below(n), lot.below(n));
                    if i < n && j < n {
                        next.order.swap(i, j);
                    }
                }
                2 => {
                    let gap = lot.below(next.rank.len());
                    if let Some(rank) = next.rank.get_mut(gap) {
                        *rank = lot.below(4000) as u32;
                    }
                }
                4 => {
                    let gap = lot.below(next.snap.len());
                    if let Some(snap) = next.snap.get_mut(gap) {
                        *snap = !*snap;
                    }
                }
                _ => {
                    let gap = lot.below(next.across.len());
                    if let Some(across) = next.across.get_mut(gap) {
                        *across = !*across;
                    }
                }
            }
        }
        next
    }

    /// The plots that cuts make; nothing where one falls into pieces.
    fn cut(&self, cuts: &Cuts) -> Option<Vec<Plot>> {
        let mut plots = Vec::with_capacity(self.areas.len());
        self.divide(cuts, 0, cuts.order.len(), self.ground.outline.clone(), &mut plots)?;
        Some(plots)
    }

    fn divide(
        &self,
        cuts: &Cuts,
        from: usize,
        to: usize,
        outline: Vec<DVec2>,
        plots: &mut Vec<Plot>,
    ) -> Option<()> {
        if to - from <= 1 {
            let room = *cuts.order.get(from)?;
            plots.push(Plot { room: (room < self.rooms).then_some(room), outline });
            return Some(());
        }
        let gap = (from..to - 1).max_by_key(|gap| (cuts.rank.get(*gap), std::cmp::Reverse(*gap)))?;
        let sum = |range: std::ops::Range<usize>| -> f64 {
            cuts.order.get(range).into_iter().flatten().filter_map(|room| self.areas.get(*room)).sum()
        };
        let share = sum(from..gap + 1) / sum(from..to);
        let axis = usize::from(*cuts.across.get(gap)?);
        let sides = self.fixed.filter(|_| cuts.snap.get(gap) == Some(&true)).map(|fixed| fixed.sides[axis]);
        let (first, second) = halved(&outline, axis, share, sides)?;
        self.divide(cuts, from, gap + 1, first, plots)?;
        self.divide(cuts, gap + 1, to, second, plots)
    }
}

/// An outline cut in two at a right angle to x (axis 0) or y (axis 1), so that the first part has its share of the area; or at the one
/// of two sides that is nearest to that.
fn halved(
    outline: &[DVec2],
    axis: usize,
    share: f64,
    sides: Option<[f64; 2]>,
) -> Option<(Vec<DVec2>, Vec<DVec2>)> {
    let (low, high) = bounds(outline);
    let (low, high) = (low[axis], high[axis]);
    let wanted = share * signed_area(outline).abs();
    let (mut a, mut b) = (low, high);
    for _ in 0..28 {
        let middle = f64::midpoint(a, b);
        if signed_area(&below(outline, axis, middle)).abs() < wanted {
            a = middle;
        } else {
            b = middle;
        }
    }
    let at = f64::midpoint(a, b).round();
    let near = |side: &f64| (side - at).abs() < DRAWN && *side - low >= NOOK && high - *side >= NOOK;
    let drawn = sides.into_iter().flatten().filter(near);
    let at = drawn.min_by(|a, b| (a - at).abs().total_cmp(&(b - at).abs())).unwrap_or(at);
    let at = beside_corners(outline, axis, at)?;
    if at - low < NOOK || high - at < NOOK {
        return None;
    }
    if is_convex(outline) {
        let first = below(outline, axis, at);
        let mirrored: Vec<DVec2> = outline.iter().map(|p| -*p).collect();
        let second = below(&mirrored, axis, -at).into_iter().map(|p| -p).collect();
        return Some((first, second));
    }
    let one = |span: [f64; 2]| match <[crate::regions::Region; 1]>::try_from(clip(outline, span, axis)) {
        Ok([only]) if only.holes.is_empty() => Some(only.outer),
        _ => None,
    };
    Some((one([low - 1.0, at])?, one([at, high + 1.0])?))
}

/// A cut drawn to an edge that it would run close beside, so that no slit is left between the two; nothing where it is too far from
/// that for the areas to be kept.
fn beside_corners(outline: &[DVec2], axis: usize, at: f64) -> Option<f64> {
    let sides = crate::polygon::edges(outline).filter(|(p, q)| (p[axis] - q[axis]).abs() < 1.0);
    let apart = |side: &f64| (side - at).abs();
    match sides.map(|(p, _)| p[axis]).min_by(|a, b| apart(a).total_cmp(&apart(b))) {
        Some(side) if apart(&side) < SLIT => Some(side),
        Some(side) if apart(&side) < NOOK => None,
        _ => Some(at),
    }
}

/// The part of an outline below a value of x or y; of one that is not convex its pieces hang together by lines without area.
fn below(outline: &[DVec2], axis: usize, at: f64) -> Vec<DVec2> {
    let mut kept = Vec::with_capacity(outline.len() + 2);
    for (p, q) in crate::polygon::edges(outline) {
        let (inside, next) = (p[axis] <= at, q[axis] <= at);
        if inside {
            kept.push(p);
        }
        if inside != next {
            let mut crossing = p.lerp(q, (at - p[axis]) / (q[axis] - p[axis]));
            crossing[axis] = at;
            kept.push(crossing);
        }
    }
    kept.dedup_by(|a, b| a.distance(*b) < 1e-6);
    if kept.len() > 1 && kept.first().zip(kept.last()).is_some_and(|(a, b)| a.distance(*b) < 1e-6) {
        kept.pop();
    }
    kept
}

fn is_convex(outline: &[DVec2]) -> bool {
    let n = outline.len();
    let turn = signed_area(outline).signum();
    let corner = |i: usize| -> Option<f64> {
        let (a, b, c) = (outline.get(i)?, outline.get((i + 1) % n)?, outline.get((i + 2) % n)?);
        Some((*b - *a).perp_dot(*c - *b) * turn)
    };
    (0..n).all(|i| corner(i).is_some_and(|bend| bend > -1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::wishes::Wish;

    fn wish(name: &str) -> Wish {
        Wish {
            name: name.to_owned(),
            used: Use::named(name, None),
            wet: matches!(Use::named(name, None), Use::Bath | Use::Wet),
            outer_wall: false,
            min_width: None,
            max_ratio: None,
            door: 900.0,
        }
    }

    fn p(points: &[[f64; 2]]) -> Vec<DVec2> {
        points.iter().copied().map(DVec2::from).collect()
    }

    fn flat() -> (Vec<f64>, Wishes) {
        let rooms = ["living_room", "kitchen", "bedroom_1", "bedroom_2", "bathroom", "hallway"].map(wish);
        let areas = vec![28e6, 12e6, 14e6, 12e6, 6e6, 9e6];
        let connect = vec![[2, 5], [3, 5], [4, 5], [0, 1], [0, 5]];
        (
            areas,
            Wishes { rooms: rooms.to_vec(), connect, wet_together: true, partition: 100.0, entrance: None },
        )
    }

    fn check(outline: &[DVec2]) {
        let (areas, mut wishes) = flat();
        for room in [0, 2, 3] {
            wishes.rooms[room].outer_wall = true;
        }
        let plots = best(outline, &areas, &wishes, 1200.0).unwrap();
        let placed: f64 = plots.iter().map(|plot| area(&plot.outline)).sum();
        assert!((placed - area(outline)).abs() < 1e-3 * area(outline), "nothing is left over");
        let (unmet, _) = judge(&wishes, outline, &plots);
        assert!(unmet.is_empty(), "{unmet:?}");
        assert_eq!(doors_missing(&wishes, &plots), 0.0, "{plots:?}");
    }

    #[test]
    fn a_flat_in_a_rectangle_meets_all_its_wishes() {
        check(&p(&[[0.0, 0.0], [11_000.0, 0.0], [11_000.0, 8000.0], [0.0, 8000.0]]));
    }

    #[test]
    fn so_does_one_in_an_l() {
        check(&p(&[
            [0.0, 0.0],
            [13_000.0, 0.0],
            [13_000.0, 5500.0],
            [6000.0, 5500.0],
            [6000.0, 11_000.0],
            [0.0, 11_000.0],
        ]));
    }

    #[test]
    fn the_same_wishes_come_to_the_same_layout() {
        let outline = p(&[[0.0, 0.0], [11_000.0, 0.0], [10_000.0, 8000.0], [0.0, 8000.0]]);
        let (areas, wishes) = flat();
        let once = best(&outline, &areas, &wishes, 1200.0).unwrap();
        assert_eq!(once, best(&outline, &areas, &wishes, 1200.0).unwrap());
    }
}
