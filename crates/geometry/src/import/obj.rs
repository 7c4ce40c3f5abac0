//! Wavefront OBJ: `v` and `f` lines. Materials lie in other files and are passed over, as are normals, textures, curves and groups.

use super::{Budget, ImportError, Piece, sound};
use crate::math::vector_area;
use crate::region;
use glam::{DVec2, DVec3};

/// The most corners of one face.
const MAX_CORNERS: usize = 4096;

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Piece>, ImportError> {
    if bytes.iter().take(1024).any(|b| *b == 0) {
        return Err(ImportError::Unknown);
    }
    let text = String::from_utf8_lossy(bytes);
    let mut budget = Budget::default();
    let mut piece = Piece::default();
    let mut is_known = false;
    for (i, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                budget.points(1)?;
                let mut next = || words.next().and_then(|word| word.parse::<f64>().ok());
                let (Some(x), Some(y), Some(z)) = (next(), next(), next()) else {
                    return Err(broken(i, "a vertex has three numbers"));
                };
                piece.positions.push(sound(DVec3::new(x, y, z))?);
                is_known = true;
            }
            Some("f") => {
                let corners = words
                    .take(MAX_CORNERS + 1)
                    .map(|word| corner(word, piece.positions.len()))
                    .collect::<Option<Vec<u32>>>()
                    .ok_or_else(|| broken(i, "a face names vertices that come before it"))?;
                if corners.len() > MAX_CORNERS {
                    return Err(ImportError::TooLarge { what: "corners of a face", most: MAX_CORNERS });
                }
                if corners.len() < 3 {
                    return Err(broken(i, "a face has three corners or more"));
                }
                budget.triangles(corners.len() - 2)?;
                let made = triangles(&piece.positions, &corners);
                piece.triangles.extend(made);
                is_known = true;
            }
            _ => {}
        }
    }
    if is_known { Ok(vec![piece]) } else { Err(ImportError::Unknown) }
}

fn broken(line: usize, what: &str) -> ImportError {
    ImportError::Broken(format!("its line {} is not understood: {what}", line + 1))
}

/// The vertex that `7`, `7/1/2` or `-1` means, of so many.
fn corner(word: &str, count: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let count = i64::try_from(count).ok()?;
    let index = if number < 0 { count.checked_add(number)? } else { number.checked_sub(1)? };
    (0..count).contains(&index).then(|| u32::try_from(index).ok()).flatten()
}

/// A face as triangles, seen along its normal; as a fan where it has none.
fn triangles(points: &[DVec3], corners: &[u32]) -> Vec<[u32; 3]> {
    let fan = || -> Vec<[u32; 3]> {
        let Some((first, rest)) = corners.split_first() else { return Vec::new() };
        rest.array_windows::<2>().map(|[b, c]| [*first, *b, *c]).collect()
    };
    if corners.len() == 3 {
        return fan();
    }
    let own: Vec<DVec3> = corners.iter().filter_map(|i| points.get(*i as usize)).copied().collect();
    let Some(normal) = vector_area(&own).try_normalize() else { return fan() };
    let x = normal.any_orthonormal_vector();
    let y = normal.cross(x);
    let flat: Vec<DVec2> = own.iter().map(|p| DVec2::new(p.dot(x), p.dot(y))).collect();
    let found = region::triangles(&[flat]);
    let at = |i: u32| corners.get(i as usize).copied();
    let made: Vec<[u32; 3]> =
        found.as_chunks::<3>().0.iter().filter_map(|[a, b, c]| Some([at(*a)?, at(*b)?, at(*c)?])).collect();
    if made.len() + 2 == corners.len() { turned(points, made, normal) } else { fan() }
}

/// The triangles, turned to the side that the face looks to.
fn turned(points: &[DVec3], mut all: Vec<[u32; 3]>, normal: DVec3) -> Vec<[u32; 3]> {
    let at = |i: u32| points.get(i as usize).copied().unwrap_or_default();
    let sum: f64 = all.iter().map(|[a, b, c]| (at(*b) - at(*a)).cross(at(*c) - at(*a)).dot(normal)).sum();
    if sum < 0.0 {
        for t in &mut all {
            t.swap(1, 2);
        }
    }
    all
}
