//! The scale: given, said by the file and plausible, found from dimensions, said on the page, or guessed and asked for.

use super::grid::Grid;
use super::roles::Role;
use super::{Options, Roles};
use crate::drawing::{Drawing, Format, Piece, Shape};
use crate::effort::Effort;
use crate::measure::{Stated, length, page_scale};
use crate::plan::{Plan, Question, Scale, ScaleCandidate, ScaleSource};
use glam::DVec2;

/// Units that drawings are made in, with their mm.
const UNITS: [(&str, f64); 5] =
    [("millimetres", 1.0), ("metres", 1000.0), ("centimetres", 10.0), ("inches", 25.4), ("feet", 304.8)];

/// Entities beyond which dimensions of lines and words are not looked for.
const MOST: usize = 300_000;

/// The evidence for and against a scale, in the drawing's units.
struct Evidence {
    /// Radii of quarter circles, most frequent first, with their number.
    swings: Vec<(f64, usize)>,
    /// Width and height of what is drawn, without what lies far away.
    size: DVec2,
    /// The median height of words.
    words: Option<f64>,
}

/// Finds the scale; where it is a guess, a question goes with it.
pub(crate) fn find(
    drawing: &Drawing,
    roles: &Roles,
    options: &Options,
    effort: &Effort<'_>,
    plan: &mut Plan,
) -> Scale {
    let evidence = Evidence::new(drawing, roles);
    if let Some(given) = options.scale.filter(|own| own.is_finite() && *own > 0.0) {
        if evidence.score(given) < 0.0 {
            plan.assumptions.push(format!(
                "the scale that was given, {given} mm to a unit, makes doors or the whole plan implausibly large or small"
            ));
        }
        return Scale { mm_per_unit: given, source: ScaleSource::Given, reason: "it was given".to_owned() };
    }
    let dimensions = from_dimensions(drawing, roles, &evidence, effort);
    if let Some(mm) = drawing.units.mm.or(world_page(drawing, &evidence)) {
        let is_plausible = evidence.score(mm) >= 0.0;
        let agrees = dimensions.as_ref().is_none_or(|own| {
            // numbers without a unit agree if they are in any
            let of_unit = |unit: f64| (own.ratio * unit / mm - 1.0).abs() < 0.02;
            (own.scale.mm_per_unit / mm - 1.0).abs() < 0.02
                || (!own.has_unit && UNITS.iter().any(|unit| of_unit(unit.1)))
        });
        if is_plausible && agrees {
            let reason = format!("the file says that a unit is {} mm, and that is plausible", nice(mm));
            return Scale { mm_per_unit: mm, source: ScaleSource::Units, reason };
        }
        if is_plausible && let Some(own) = &dimensions {
            // a factor that is no unit is a drawing that was scaled; dimensions say what is built
            plan.assumptions.push(format!(
                "the file says that a unit is {} mm, but its dimensions measure {} mm to a unit; the dimensions are taken",
                nice(mm),
                nice(own.scale.mm_per_unit)
            ));
        } else if !is_plausible {
            plan.assumptions.push(format!(
                "the file says that a unit is {} mm, but {}; that is not taken",
                nice(mm),
                evidence.doubt(mm)
            ));
        }
    }
    if let Some(found) = dimensions {
        return found.scale;
    }
    if let Some(found) = from_page(drawing, &evidence) {
        return found;
    }
    guess(drawing, &evidence, plan)
}

fn nice(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// A page that is as large as a building is drawn at full size.
fn world_page(drawing: &Drawing, evidence: &Evidence) -> Option<f64> {
    let paper = drawing.units.paper_mm?;
    (evidence.size.max_element() * paper > 3000.0).then_some(paper)
}

impl Evidence {
    fn new(drawing: &Drawing, roles: &Roles) -> Self {
        let mut radii: Vec<f64> = Vec::new();
        let mut add = |radius: f64, sweep: f64| {
            if (1.2..1.95).contains(&sweep) && radius > 0.0 {
                radii.push(radius);
            }
        };
        let (mut xs, mut ys, mut heights) = (Vec::new(), Vec::new(), Vec::new());
        for entity in &drawing.entities {
            let Some(role) = roles.entity(entity.layer, entity.instance) else { continue };
            let is_door = matches!(role, Role::Door | Role::Unknown | Role::Wall | Role::Opening);
            match &entity.shape {
                Shape::Arc { radius, sweep, .. } if is_door => add(*radius, *sweep),
                Shape::Polyline(own) if is_door && own.vertices.len() < 60 => {
                    for piece in own.pieces() {
                        if let Piece::Arc { radius, sweep, .. } = piece {
                            add(radius, sweep);
                        }
                    }
                }
                Shape::Text(own) => heights.push(own.height),
                _ => {}
            }
            if matches!(role, Role::Wall | Role::Unknown) && !matches!(entity.shape, Shape::Text(_)) {
                let (a, b) = match &entity.shape {
                    Shape::Segment { from, to } => (*from, *to),
                    Shape::Polyline(own) => {
                        own.vertices.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(a, b), vertex| {
                            (a.min(vertex.at), b.max(vertex.at))
                        })
                    }
                    other => (other.at(), other.at()),
                };
                xs.extend([a.x, b.x]);
                ys.extend([a.y, b.y]);
            }
        }
        let spread = |values: &mut Vec<f64>| {
            values.sort_by(f64::total_cmp);
            let at = |share: f64| {
                values.get(((values.len().max(1) - 1) as f64 * share) as usize).copied().unwrap_or(0.0)
            };
            at(0.99) - at(0.01)
        };
        let size = DVec2::new(spread(&mut xs), spread(&mut ys));
        heights.sort_by(f64::total_cmp);
        Self {
            swings: frequent(radii),
            size,
            words: heights.get(heights.len() / 2).copied().filter(|own| *own > 0.0),
        }
    }

    /// Above zero for a plausible scale, below for one that cannot be.
    fn score(&self, mm: f64) -> f64 {
        let mut score = 0.0;
        let all: usize = self.swings.iter().map(|own| own.1).sum();
        if all > 0 {
            let fit: usize = self
                .swings
                .iter()
                .filter(|own| (580.0..=1300.0).contains(&(own.0 * mm)))
                .map(|own| own.1)
                .sum();
            let share = fit as f64 / all as f64;
            score += if share > 0.4 {
                3.0
            } else if share < 0.1 {
                -3.0
            } else {
                0.0
            };
        }
        let size = self.size.max_element() * mm;
        score += if (3_000.0..=200_000.0).contains(&size) {
            1.0
        } else if (1_500.0..=600_000.0).contains(&size) {
            0.0
        } else {
            -4.0
        };
        if let Some(words) = self.words {
            let height = words * mm;
            score += if (60.0..=600.0).contains(&height) {
                0.5
            } else if (10.0..=3000.0).contains(&height) {
                0.0
            } else {
                -1.0
            };
        }
        score
    }

    fn doubt(&self, mm: f64) -> String {
        match self.swings.first() {
            Some((radius, _)) if !(580.0..=1300.0).contains(&(radius * mm)) => {
                format!("doors would be {} mm wide", (radius * mm).round())
            }
            _ => format!(
                "the plan would be {:.1} by {:.1} m",
                self.size.x * mm / 1000.0,
                self.size.y * mm / 1000.0
            ),
        }
    }

    fn reasons(&self, mm: f64) -> Vec<String> {
        let mut reasons = Vec::new();
        if let Some((radius, count)) = self.swings.first() {
            reasons.push(format!("{count} quarter circles would be doors {} mm wide", (radius * mm).round()));
        }
        reasons.push(format!(
            "the plan would be {:.1} by {:.1} m",
            self.size.x * mm / 1000.0,
            self.size.y * mm / 1000.0
        ));
        if let Some(words) = self.words {
            reasons.push(format!("words would be {} mm high", (words * mm).round()));
        }
        reasons
    }
}

/// Values that are met most, within three per cent.
fn frequent(mut values: Vec<f64>) -> Vec<(f64, usize)> {
    values.sort_by(f64::total_cmp);
    let mut found: Vec<(f64, usize)> = Vec::new();
    for value in values {
        match found.last_mut() {
            Some((own, count)) if value < *own * 1.03 => *count += 1,
            _ => found.push((value, 1)),
        }
    }
    found.sort_by_key(|own| std::cmp::Reverse(own.1));
    found
}

/// A scale by dimensions.
struct Measured {
    scale: Scale,
    /// The scale that is told by what is drawn.
    ratio: f64,
    has_unit: bool,
}

/// The scale by dimensions: entities of their own, or words beside lines.
fn from_dimensions(
    drawing: &Drawing,
    roles: &Roles,
    evidence: &Evidence,
    effort: &Effort<'_>,
) -> Option<Measured> {
    let mut ratios: Vec<(f64, Stated)> = Vec::new();
    let mut count = 0;
    for entity in &drawing.entities {
        if let Shape::Dimension(own) = &entity.shape
            && let Some(stated) = own.stated.as_deref().and_then(length)
            && own.measured > 1e-9
        {
            count += 1;
            ratios.push((stated.value / own.measured, stated));
        }
    }
    let mut least = 1;
    if ratios.is_empty() && drawing.entities.len() < MOST {
        (ratios, count) = beside_lines(drawing, roles, effort);
        least = 3;
    }
    let (ratio, votes, sample) = peak(&ratios, count)?;
    // few dimensions beside lines have to agree, all of them
    if votes < least && (votes < 2 || votes < count) {
        return None;
    }
    let said = sample.iter().find_map(|own| own.unit);
    let mm = match said {
        Some(unit) => ratio * unit,
        None => ratio * unit_of_numbers(ratio, &sample, evidence, drawing)?,
    };
    // dimensions have fewer digits than lines
    let mm = UNITS.iter().map(|own| own.1).find(|unit| (mm / unit - 1.0).abs() < 0.01).unwrap_or(mm);
    let mm = drawing.units.paper_mm.map_or(mm, |paper| {
        let scale = mm / paper;
        let round =
            [5.0, 10.0, 20.0, 25.0, 50.0, 100.0, 200.0, 250.0, 500.0, 1000.0, 24.0, 48.0, 96.0, 192.0];
        round.into_iter().find(|own| (scale / own - 1.0).abs() < 0.01).map_or(mm, |own| own * paper)
    });
    let scale = || Scale {
        mm_per_unit: mm,
        source: ScaleSource::Dimensions,
        reason: format!("{votes} of {count} dimensions say that a unit is {} mm", nice(mm)),
    };
    (evidence.score(mm) >= 0.0).then(|| Measured { scale: scale(), ratio, has_unit: said.is_some() })
}

/// The ratio that is met most, with how often, and what was stated there.
fn peak(ratios: &[(f64, Stated)], count: usize) -> Option<(f64, usize, Vec<Stated>)> {
    let mut sorted: Vec<&(f64, Stated)> =
        ratios.iter().filter(|own| own.0.is_finite() && own.0 > 0.0).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best = (0, 0, 0);
    let mut end = 0;
    for start in 0..sorted.len() {
        let Some(first) = sorted.get(start) else { break };
        end = end.max(start);
        while sorted.get(end).is_some_and(|own| own.0 < first.0 * 1.02) {
            end += 1;
        }
        if end - start > best.0 {
            best = (end - start, start, end);
        }
    }
    let (votes, start, end) = best;
    let own = sorted.get(start..end)?;
    let middle = own.get(own.len() / 2)?.0;
    (votes * 4 >= count).then(|| (middle, votes, own.iter().map(|own| own.1).collect()))
}

/// The mm of the unit that numbers without one are in, by what doors and the whole plan would be, and by how the numbers look.
fn unit_of_numbers(ratio: f64, sample: &[Stated], evidence: &Evidence, drawing: &Drawing) -> Option<f64> {
    let mut values: Vec<f64> = sample.iter().map(|own| own.value).collect();
    values.sort_by(f64::total_cmp);
    let middle = values.get(values.len() / 2).copied()?;
    let is_whole = values.iter().all(|value| value.fract() == 0.0);
    let looks = |unit: f64| -> f64 {
        let is_imperial = drawing.units.is_metric == Some(false);
        match unit as i64 {
            1 if is_whole && middle >= 100.0 => 1.5,
            10 if (10.0..3000.0).contains(&middle) => 1.5,
            1000 if middle < 200.0 => {
                if is_whole {
                    1.2
                } else {
                    1.5
                }
            }
            25 if middle < 2000.0 && is_imperial => 1.5,
            304 if middle < 300.0 && is_imperial => 1.5,
            25 | 304 => -1.0,
            _ => -0.5,
        }
    };
    let scored = UNITS.iter().map(|(_, unit)| (*unit, evidence.score(ratio * unit) + looks(*unit)));
    scored.filter(|own| own.1 > 0.0).max_by(|a, b| a.1.total_cmp(&b.1)).map(|own| own.0)
}

/// Words that are lengths, with the lines or the parts between ticks that they stand beside.
fn beside_lines(drawing: &Drawing, roles: &Roles, effort: &Effort<'_>) -> (Vec<(f64, Stated)>, usize) {
    let mut segments: Vec<(DVec2, DVec2)> = Vec::new();
    let mut notes = Vec::new();
    for entity in &drawing.entities {
        let role = roles.entity(entity.layer, entity.instance);
        match &entity.shape {
            Shape::Segment { from, to } => segments.push((*from, *to)),
            Shape::Polyline(own) if own.vertices.len() < 20 => {
                segments.extend(own.pieces().filter_map(|piece| match piece {
                    Piece::Line(from, to) => Some((from, to)),
                    Piece::Arc { .. } => None,
                }));
            }
            Shape::Text(own) if role != Some(Role::Grid) => {
                if let Some(stated) = length(&own.words) {
                    notes.push((own, stated));
                }
            }
            _ => {}
        }
    }
    let Some(height) = notes.get(notes.len() / 2).map(|own| own.0.height) else { return (Vec::new(), 0) };
    let size = (height * 8.0).max(1e-9);
    let mut grid = Grid::new(size);
    for (number, (from, to)) in segments.iter().enumerate() {
        if !effort.goes_on(grid.put_along(number, *from, *to) * 8) {
            return (Vec::new(), 0);
        }
    }
    let mut ratios = Vec::new();
    for (note, stated) in &notes {
        let way = DVec2::from_angle(note.angle.to_radians());
        let mut own: Vec<f64> = Vec::new();
        let near: Vec<(DVec2, DVec2)> = grid
            .around(note.middle, height * 4.0)
            .into_iter()
            .filter_map(|n| segments.get(n).copied())
            .collect();
        for (from, to) in &near {
            let line = *to - *from;
            let long = line.length();
            let off = way.perp_dot(*from - note.middle);
            if way.perp_dot(line).abs() > long * 0.02 || off.abs() > height * 3.0 || long < height * 0.5 {
                continue;
            }
            let place = |point: DVec2| way.dot(point - note.middle);
            let (a, b) = (place(*from).min(place(*to)), place(*from).max(place(*to)));
            if a > 0.0 || b < 0.0 {
                continue;
            }
            if (a + b).abs() < (b - a) * 0.2 {
                own.push(b - a);
            }
            // ticks on the line to the left and to the right
            let (mut left, mut right) = (a, b);
            let reach = way * (b - a).min(height * 200.0);
            let line_at = note.middle + way.perp() * off;
            let ticks = grid.near(line_at - reach, line_at + reach);
            if !effort.goes_on(20 + ticks.len() * 2) {
                return (Vec::new(), 0);
            }
            for tick in ticks.into_iter().filter_map(|n| segments.get(n)) {
                let across = tick.1 - tick.0;
                let middle = (tick.0 + tick.1) / 2.0;
                let is_tick = across.length() < height * 3.0
                    && way.perp_dot(across).abs() > across.length() * 0.3
                    && (way.perp_dot(middle - note.middle) - off).abs() < height * 0.5;
                if is_tick {
                    let at = place(middle);
                    if at <= 0.0 {
                        left = left.max(at);
                    } else {
                        right = right.min(at);
                    }
                }
            }
            if left < 0.0 && right > 0.0 {
                own.push(right - left);
            }
        }
        own.sort_by(f64::total_cmp);
        own.dedup_by(|a, b| (*a - *b).abs() < *b * 0.005);
        ratios.extend(own.into_iter().filter(|own| *own > 1e-9).map(|own| (stated.value / own, *stated)));
    }
    (ratios, notes.len())
}

/// The scale that a page says in words: `1:100`.
fn from_page(drawing: &Drawing, evidence: &Evidence) -> Option<Scale> {
    let paper = drawing.units.paper_mm?;
    let mut said: Vec<f64> = Vec::new();
    for entity in &drawing.entities {
        if let Shape::Text(own) = &entity.shape {
            said.extend(own.words.lines().filter_map(page_scale));
        }
    }
    let scale = said.into_iter().find(|scale| evidence.score(paper * scale) >= 0.0)?;
    Some(Scale {
        mm_per_unit: paper * scale,
        source: ScaleSource::PageScale,
        reason: format!("the page says 1:{scale}"),
    })
}

/// The most plausible scale, and the question that goes with it.
fn guess(drawing: &Drawing, evidence: &Evidence, plan: &mut Plan) -> Scale {
    let mut candidates: Vec<(f64, String)> = match (drawing.format, drawing.units.paper_mm) {
        (Format::Svg, Some(paper)) => [100.0, 50.0, 200.0, 20.0, 48.0, 96.0, 500.0]
            .into_iter()
            .map(|scale| (paper * scale, format!("1:{scale} on paper")))
            .collect(),
        _ => UNITS.iter().map(|(name, mm)| (*mm, (*name).to_owned())).collect(),
    };
    if let Some((radius, _)) = evidence.swings.first()
        && drawing.format == Format::Svg
    {
        candidates.push((900.0 / radius, "doors 900 mm wide".to_owned()));
    }
    if drawing.units.is_metric == Some(false) {
        // of units that are as plausible, those of the file's system first
        candidates.rotate_left(3);
    }
    let mut scored: Vec<(f64, f64, String)> =
        candidates.into_iter().map(|(mm, name)| (evidence.score(mm), mm, name)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let plausible: Vec<ScaleCandidate> = scored
        .iter()
        .filter(|own| own.0 >= 0.0)
        .map(|(_, mm, unit)| ScaleCandidate {
            mm_per_unit: nice(*mm),
            unit: unit.clone(),
            reasons: evidence.reasons(*mm),
        })
        .collect();
    let (mm, unit) = scored.first().map_or((1.0, "millimetres".to_owned()), |own| (own.1, own.2.clone()));
    let reasons = evidence.reasons(mm).join(", ");
    plan.questions.push(Question::NeedsScale {
        message: format!("the drawing says neither its units nor its scale; a unit is taken for {} mm ({unit}), since {reasons}", nice(mm)),
        candidates: plausible,
    });
    Scale { mm_per_unit: mm, source: ScaleSource::Guess, reason: format!("{unit}: {reasons}") }
}
