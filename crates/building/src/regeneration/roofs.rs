//! Roofs with a pitch that were drawn over walls: where a wall moves from under their outline, the outline goes with its face, and
//! planes and walls are drawn anew.

use super::Followed;
use super::faces::{Face, Moved};
use super::outline::{self, Outcome};
use super::with_reader;
use crate::author::Author;
use crate::lookup::label;
use crate::measures::mm;
use crate::parameters;
use crate::roof::outline_of;
use contract::Fault;
use glam::DVec2;
use ifc::{Id, Model, relations};
use serde_json::json;
use std::collections::BTreeSet;

/// Walls end no farther from what a roof rests on than this, in mm.
const GAP: f64 = 500.0;

/// Draws anew the roofs on these storeys that can be made from what is kept with them, and of which a side lay on a face that moved.
pub(super) fn follow(
    author: &mut Author,
    before: &Model,
    moved: &[Moved],
    storeys: &BTreeSet<Id>,
    followed: &mut Followed,
) -> Result<(), Fault> {
    let held = storeys.iter().flat_map(|storey| relations::contained(author.edit, *storey));
    let roofs: Vec<Id> = held.filter(|id| author.edit.get(*id).is_some_and(|e| e.is_a("IfcRoof"))).collect();
    for roof in roofs {
        let Some(was) = outline_of(author, roof) else { continue };
        let base = author.frame(roof)?.translation.z;
        // one that was moved or drawn anew by hand stays as it was put
        let then = with_reader(before, |reader| {
            Some((outline_of(reader, roof)?, reader.frame(roof).ok()?.translation.z))
        });
        let stays = then.is_some_and(|(outline, z)| {
            (z - base).abs() < 1.0
                && outline.len() == was.len()
                && outline.iter().zip(&was).all(|(p, q)| p.distance(*q) < 1.0)
        });
        if !stays {
            continue;
        }
        let meets = |m: &&Moved| m.heights[0] < base && m.heights[1] >= base - GAP;
        let faces: Vec<Face> = moved.iter().filter(meets).flat_map(|m| m.faces.iter().copied()).collect();
        let now = match outline::moved(&was, &faces) {
            Outcome::Same => continue,
            // its eaves and gables are told by the numbers of its sides
            Outcome::Moved(now) if now.len() == was.len() => in_order(&was, now),
            Outcome::Moved(_) | Outcome::Lost => {
                followed.leave(
                    author.edit,
                    roof,
                    "Its outline would get other sides, cross itself or be lost.",
                );
                continue;
            }
        };
        draw(author, roof, &now, followed)?;
    }
    Ok(())
}

/// An outline that begins with the corner that lies nearest to where the former began.
fn in_order(was: &[DVec2], mut now: Vec<DVec2>) -> Vec<DVec2> {
    let off = |turned: usize| -> f64 {
        was.iter().zip(now.iter().cycle().skip(turned)).map(|(p, q)| p.distance(*q)).sum()
    };
    let first = (0..now.len()).min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(0);
    now.rotate_left(first);
    now
}

/// Draws a roof over another outline; one that cannot be stays as it was.
fn draw(author: &mut Author, roof: Id, now: &[DVec2], followed: &mut Followed) -> Result<(), Fault> {
    let points: Vec<[f64; 2]> = now.iter().map(|p| [mm(p.x), mm(p.y)]).collect();
    let savepoint = author.edit.savepoint();
    let drawn = parameters::modify(author, roof, "boundary_points", &json!(points));
    let settled = if drawn.is_err() { author.edit.roll_back(&savepoint) } else { Ok(()) };
    settled.and_then(|()| author.edit.release(&savepoint)).map_err(|e| crate::author::refused(&e))?;
    match drawn {
        Ok(modified) => {
            followed.add(roof);
            for text in &modified.regenerated {
                if let Some(id) = author.edit.by_guid(text) {
                    followed.add(id);
                }
            }
        }
        Err(fault) => {
            let why =
                format!("{} cannot be drawn over its walls. {}", label(author.edit, roof), fault.message);
            followed.leave(author.edit, roof, why);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_keeps_the_numbers_of_its_sides() {
        let p = |x: f64, y: f64| DVec2::new(x, y);
        let was = [p(0.0, 0.0), p(8000.0, 0.0), p(8000.0, 6000.0), p(0.0, 6000.0)];
        let now = vec![p(9000.0, 0.0), p(9000.0, 6000.0), p(0.0, 6000.0), p(0.0, 0.0)];
        assert_eq!(in_order(&was, now), [p(0.0, 0.0), p(9000.0, 0.0), p(9000.0, 6000.0), p(0.0, 6000.0)]);
    }
}
