//! Ink and paper: which pixels were drawn, on clean drawings, noisy scans, photographs in uneven light, and blueprints.
//!
//! The level of the paper is followed across the picture; ink is what is darker than it by a part of the difference between
//! the paper and the darkest ink. That part is where the picture has fewest pixels: so a grey filling is either ink or paper, not both.

mod noise;
mod paper;
mod specks;

use crate::grid::Grid;

/// Which pixels are ink, and what was found about the picture on the way.
pub(crate) struct Ink {
    /// 1 where there is ink.
    pub mask: Grid<u8>,
    /// How dark against the paper, 255 the darkest.
    pub darkness: Grid<u8>,
    /// Light lines on dark, as in a blueprint.
    pub is_inverted: bool,
    /// The standard deviation of the noise, in grey values of 256.
    pub noise: f64,
}

/// The least difference between paper and ink that is one, in grey values.
const CONTRAST: u8 = 24;

/// Separates ink from paper.
pub(crate) fn find(mut grey: Grid<u8>) -> Ink {
    let is_inverted = paper::is_inverted(&grey);
    if is_inverted {
        grey.data.iter_mut().for_each(|value| *value = 255 - *value);
    }
    let struck = noise::mend_struck(&mut grey);
    let noise = noise::deviation(&grey);
    let radius = match noise {
        own if own < 3.0 => 0.0,
        own if own < 10.0 => 0.7,
        own if own < 22.0 => 1.0,
        _ => 1.4,
    };
    if radius > 0.0 {
        grey = noise::blur(&grey, radius);
    }
    let Some(darkness) = paper::darkness(&grey, CONTRAST) else {
        let empty = Grid::new(grey.width, grey.height);
        return Ink { mask: empty.clone(), darkness: empty, is_inverted, noise };
    };
    let left = if radius > 0.0 { noise / (2.0 * 1.772 * radius) } else { noise };
    let least = paper::least(left);
    let (low, high) = paper::threshold(&darkness, least);
    let mut mask = Grid::new(darkness.width, darkness.height);
    for (own, value) in mask.data.iter_mut().zip(&darkness.data) {
        *own = u8::from(*value >= low);
    }
    let smallest = if noise > 6.0 || struck > 0.001 { 14 } else { 5 };
    specks::remove(&mut mask, &darkness, high, smallest);
    specks::fill(&mut mask, if noise > 6.0 || struck > 0.001 { 9 } else { 3 });
    Ink { mask, darkness, is_inverted, noise }
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::grid::Grid;

    /// Paper with two lines of 3 pixels and a bar of 20, under light that falls off to the right.
    fn drawing(paper: impl Fn(usize) -> u8, ink: u8) -> Grid<u8> {
        let mut grey = Grid::new(400, 300);
        for y in 0..300_usize {
            for x in 0..400_usize {
                let is_ink = (50..53).contains(&y) || (100..103).contains(&x) || (200..220).contains(&y);
                let level = u32::from(paper(x));
                let value = if is_ink { level * u32::from(ink) / 255 } else { level };
                grey.set(x as i64, y as i64, value as u8);
            }
        }
        grey
    }

    fn check(grey: Grid<u8>) {
        let ink = find(grey);
        for (x, y, is_ink) in [
            (10, 51, 1),
            (390, 51, 1),
            (101, 150, 1),
            (300, 210, 1),
            (10, 100, 0),
            (390, 100, 0),
            (390, 290, 0),
        ] {
            assert_eq!(ink.mask.at(x, y), is_ink, "{x} {y}");
        }
    }

    #[test]
    fn lines_are_ink_on_white_in_falling_light_and_on_blueprints() {
        check(drawing(|_| 255, 0));
        check(drawing(|x| (250 - x * 140 / 400) as u8, 60));
        let mut blueprint = drawing(|_| 255, 20);
        blueprint.data.iter_mut().for_each(|value| *value = 255 - *value);
        assert!(find(blueprint.clone()).is_inverted);
        check(blueprint);
    }

    #[test]
    fn salt_and_pepper_leave_lines_whole_and_paper_clean() {
        let mut grey = drawing(|_| 255, 0);
        let count = grey.data.len();
        for n in 0..count / 40 {
            let at = (n * 7919 + n * n * 31) % count;
            grey.data[at] = if n % 2 == 0 { 0 } else { 255 };
        }
        let ink = find(grey);
        let on_paper = (110..190).flat_map(|y| (110..390).map(move |x| (x, y)));
        assert!(on_paper.filter(|(x, y)| ink.mask.at(*x, *y) == 1).count() < 30);
        assert!((0..400).filter(|x| ink.mask.at(*x, 51) == 1).count() > 395);
    }

    #[test]
    fn pictures_without_contrast_have_no_ink() {
        for level in [0, 128, 255] {
            let mut grey = Grid::new(64, 64);
            grey.data.fill(level);
            assert!(find(grey).mask.data.iter().all(|own| *own == 0));
        }
    }
}
