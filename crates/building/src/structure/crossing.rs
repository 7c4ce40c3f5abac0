//! Places on a grid by the names of its lines: `B/3`, ranges such as `A-D/1-4`, all crossings, and the runs between neighbouring
//! ones along a line.

use super::grid::{self, GridLine};
use crate::author::Author;
use crate::lookup::{guid, label, near};
use crate::polygon::meet;
use contract::Fault;
use glam::DVec2;
use ifc::{Id, relations};

/// The most places of one call.
pub const MOST: usize = 1000;

/// A crossing of two grid lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// The grid.
    pub grid: Id,
    /// Its lines, such as `B/3`.
    pub name: String,
    /// Its place in the world, in mm.
    pub at: DVec2,
}

/// The grids that names may mean, nearest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Grids {
    tiers: Vec<Vec<(Id, Vec<GridLine>)>>,
}

impl Grids {
    /// The grids for what stands on a storey: its own, then those of the building, then those of other storeys; or one that is
    /// named.
    pub fn around(author: &Author, storey: Id, named: Option<&str>) -> Result<Self, Fault> {
        if let Some(text) = named {
            let grid = grid::find(author.edit, "grid", text)?;
            return Ok(Self { tiers: vec![vec![(grid, grid::lines(author, grid)?)]] });
        }
        let mut tiers = vec![Vec::new(), Vec::new(), Vec::new()];
        for id in author.edit.of_class("IfcGrid") {
            let tier = match relations::storey_of(author.edit, id) {
                Some(own) if own == storey => 0,
                None => 1,
                Some(_) => 2,
            };
            if let Some(tier) = tiers.get_mut(tier) {
                tier.push((id, grid::lines(author, id)?));
            }
        }
        tiers.retain(|tier: &Vec<_>| !tier.is_empty());
        Ok(Self { tiers })
    }

    /// The grids themselves.
    pub fn all(&self) -> impl Iterator<Item = Id> + '_ {
        self.tiers.iter().flatten().map(|(grid, _)| *grid)
    }

    /// The crossings that a text means.
    pub fn crossings(&self, author: &Author, field: &str, text: &str) -> Result<Vec<Crossing>, Fault> {
        self.first(author, field, text, |lines| crossings(lines, text))
    }

    /// The runs between neighbouring crossings along the lines that a text means.
    pub fn runs(&self, author: &Author, field: &str, text: &str) -> Result<Vec<[Crossing; 2]>, Fault> {
        self.first(author, field, text, |lines| runs(lines, text))
    }

    /// The crossing that the first grids that know a text make of it.
    fn first<T: Placed>(
        &self,
        author: &Author,
        field: &str,
        text: &str,
        read: impl Fn(&[GridLine]) -> Result<Vec<T>, Unknown>,
    ) -> Result<Vec<T>, Fault> {
        if self.tiers.is_empty() {
            return Err(Fault::invalid(
                field,
                format!(
                    "`{field}`: {text} is a place on a grid, and this model has none. Make one with create_grid, or give points."
                ),
            ));
        }
        let mut unknown: Option<Unknown> = None;
        for tier in &self.tiers {
            let mut found: Vec<(Id, Vec<T>)> = Vec::new();
            for (grid, lines) in tier {
                match read(lines) {
                    Ok(mut places) => {
                        for place in &mut places {
                            place.put_on(*grid);
                        }
                        found.push((*grid, places));
                    }
                    Err(problem) => {
                        unknown.get_or_insert(problem);
                    }
                }
            }
            let mut others = found.iter().skip(1);
            let Some((_, places)) = found.first() else { continue };
            if others.any(|(_, other)| !alike(places, other)) {
                let names: Vec<String> = found.iter().map(|(id, _)| label(author.edit, *id)).collect();
                let ids: Vec<String> = found.iter().map(|(id, _)| guid(author.edit, *id)).collect();
                return Err(Fault::invalid(
                    "grid",
                    format!("{text} is a place on {}; say which by `grid`.", names.join(" and on ")),
                )
                .with("candidates", ids));
            }
            if places.is_empty() || places.len() > MOST {
                return Err(Fault::invalid(
                    field,
                    format!("`{field}`: {text} means {} places; one call takes 1 to {MOST}.", places.len()),
                ));
            }
            return Ok(found.swap_remove(0).1);
        }
        let Unknown { problem, tag } = unknown.unwrap_or_default();
        let mut seen: Vec<&str> = Vec::new();
        for line in self.tiers.iter().flatten().flat_map(|(_, lines)| lines) {
            if !seen.contains(&line.tag.as_str()) {
                seen.push(&line.tag);
            }
        }
        let near = near(&tag, seen.iter().copied());
        Err(Fault::invalid(field, format!("`{field}`: {problem} The grid's lines are {}.", seen.join(", ")))
            .with("near_matches", near)
            .with("allowed", seen))
    }
}

/// Something that lies on a grid.
trait Placed {
    fn put_on(&mut self, grid: Id);
    fn points(&self) -> [DVec2; 2];
}

impl Placed for Crossing {
    fn put_on(&mut self, grid: Id) {
        self.grid = grid;
    }

    fn points(&self) -> [DVec2; 2] {
        [self.at; 2]
    }
}

impl Placed for [Crossing; 2] {
    fn put_on(&mut self, grid: Id) {
        for crossing in self {
            crossing.grid = grid;
        }
    }

    fn points(&self) -> [DVec2; 2] {
        let [a, b] = self;
        [a.at, b.at]
    }
}

fn alike<T: Placed>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            let ([p, q], [r, s]) = (a.points(), b.points());
            p.distance(r) < 1.0 && q.distance(s) < 1.0
        })
}

/// A place that a grid does not have.
#[derive(Default)]
struct Unknown {
    problem: String,
    tag: String,
}

impl Unknown {
    fn new(tag: &str, problem: String) -> Self {
        Self { problem, tag: tag.to_owned() }
    }
}

fn is_all(text: &str) -> bool {
    matches!(text.trim().to_lowercase().as_str(), "all" | "*")
}

fn crossings(lines: &[GridLine], text: &str) -> Result<Vec<Crossing>, Unknown> {
    let text = text.trim();
    let (one, two) = if is_all(text) {
        let family = |n: usize| -> Vec<&GridLine> { lines.iter().filter(|l| l.family == n).collect() };
        (family(1), family(0))
    } else if let Some((left, right)) = text.split_once('/') {
        let side = |text: &str, other: &str| -> Result<Vec<&GridLine>, Unknown> {
            if !is_all(text) {
                return chosen(lines, text);
            }
            // all that cross the others
            let others = if is_all(other) { Vec::new() } else { chosen(lines, other)? };
            let family = others.first().map_or(0, |l| l.family);
            Ok(lines
                .iter()
                .filter(|l| if others.is_empty() { l.family == 1 } else { l.family != family })
                .collect())
        };
        if is_all(left) && is_all(right) {
            return crossings(lines, "all");
        }
        (side(left, right)?, side(right, left)?)
    } else {
        let Some((a, b)) =
            text.char_indices().skip(1).map(|(i, _)| text.split_at(i)).find_map(|(a, b)| {
                Some((tagged(lines, a)?, tagged(lines, b.trim_start_matches(['-', ' ']))?))
            })
        else {
            let problem = format!("{text} is no crossing of grid lines; they are written B/3 or A-D/1-4.");
            return Err(Unknown::new(text, problem));
        };
        (vec![a], vec![b])
    };
    let mut found = Vec::with_capacity(one.len() * two.len());
    for a in &one {
        for b in &two {
            let Some(at) = meet(a.start, a.along(), b.start, b.along()) else {
                let problem = format!("the lines {} and {} do not cross.", a.tag, b.tag);
                return Err(Unknown::new(&a.tag, problem));
            };
            found.push(Crossing { grid: Id(0), name: format!("{}/{}", a.tag, b.tag), at });
            if found.len() > MOST {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

fn tagged<'l>(lines: &'l [GridLine], tag: &str) -> Option<&'l GridLine> {
    let tag = tag.trim();
    let exact = lines.iter().find(|l| l.tag == tag);
    exact.or_else(|| lines.iter().find(|l| l.tag.eq_ignore_ascii_case(tag)))
}

/// The lines that a list of names and ranges means.
fn chosen<'l>(lines: &'l [GridLine], text: &str) -> Result<Vec<&'l GridLine>, Unknown> {
    let mut found: Vec<&GridLine> = Vec::new();
    for part in text.split(',').map(str::trim) {
        if let Some(line) = tagged(lines, part) {
            found.push(line);
            continue;
        }
        let range = part
            .match_indices(['-', ':'])
            .find_map(|(i, mark)| {
                let (a, b) = part.split_at(i);
                Some((tagged(lines, a)?, tagged(lines, b.strip_prefix(mark)?)?))
            })
            .filter(|(a, b)| a.family == b.family);
        let Some((a, b)) = range else {
            return Err(Unknown::new(
                part,
                format!("{part} is no line of the grid, nor a range of one way's lines."),
            ));
        };
        let family: Vec<&GridLine> = lines.iter().filter(|l| l.family == a.family).collect();
        let at = |line: &GridLine| family.iter().position(|l| l.axis == line.axis).unwrap_or(0);
        let (from, to) = (at(a).min(at(b)), at(a).max(at(b)));
        found.extend(family.into_iter().skip(from).take(to - from + 1));
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|line| seen.insert(line.axis));
    Ok(found)
}

fn runs(lines: &[GridLine], text: &str) -> Result<Vec<[Crossing; 2]>, Unknown> {
    let along: Vec<&GridLine> = if is_all(text) { lines.iter().collect() } else { chosen(lines, text)? };
    let mut found = Vec::new();
    for line in along {
        let mut stops: Vec<(f64, Crossing)> = lines
            .iter()
            .filter(|other| other.family != line.family)
            .filter_map(|other| {
                let at = meet(line.start, line.along(), other.start, other.along())?;
                let name = format!("{}/{}", line.tag, other.tag);
                Some(((at - line.start).dot(line.along()), Crossing { grid: Id(0), name, at }))
            })
            .collect();
        stops.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in stops.windows(2) {
            if let [(from, a), (to, b)] = pair
                && to - from > 1.0
            {
                found.push([a.clone(), b.clone()]);
            }
        }
    }
    Ok(found)
}

/// The place of a crossing that was remembered by its name, on the lines given.
pub fn again(lines: &[GridLine], name: &str) -> Option<DVec2> {
    match crossings(lines, name).ok()?.as_slice() {
        [one] => Some(one.at),
        _ => None,
    }
}
