//! Bands: strips between the same faces, which may be pieces of one wall.

use crate::effort::Effort;
use crate::recognise::stacks::Strip;

/// Faces that lie as near as this, in mm, are of one wall.
const SAME: f64 = 4.0;

pub(super) fn is_strong(strip: &Strip) -> bool {
    strip.length() >= strip.thickness().max(80.0) * 0.98
}

/// Strips with the same faces, in order of their beginning.
pub(super) fn bands(strips: &[Strip], effort: &Effort<'_>) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..strips.len()).collect();
    let key = |number: &usize| {
        strips.get(*number).map_or((0.0, 0.0, 0.0), |strip| (strip.way.x, strip.way.y, strip.low))
    };
    order.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
    });
    let mut bands: Vec<Vec<usize>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for number in order {
        let Some(strip) = strips.get(number).filter(|_| effort.goes_on(10 + open.len() * 4)) else {
            continue;
        };
        open.retain(|band| {
            let first = bands.get(*band).and_then(|band| band.first()).and_then(|number| strips.get(*number));
            first.is_some_and(|first| first.way == strip.way && strip.low - first.low < SAME)
        });
        let own = open.iter().copied().find(|band| {
            let first = bands.get(*band).and_then(|band| band.first()).and_then(|number| strips.get(*number));
            first.is_some_and(|first| (first.high - strip.high).abs() < SAME)
        });
        if let Some(band) = own.and_then(|own| bands.get_mut(own)) {
            band.push(number);
        } else {
            open.push(bands.len());
            bands.push(vec![number]);
        }
    }
    for band in &mut bands {
        band.sort_by(|a, b| {
            let from = |number: &usize| strips.get(*number).map_or(0.0, |strip| strip.from);
            from(a).total_cmp(&from(b))
        });
    }
    bands
}
