//! The fonts that words are drawn in, read once for the whole process.

use crate::page::Weight;
use harfrust::{Shaper, ShaperData};
use parking_lot::RwLock;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use std::sync::LazyLock;

/// The family that is named where a format refers to a font by its name.
pub(crate) const FAMILY: &str = "Noto Sans";

/// The height of capitals in ems, of every font that comes with the crate and has Latin letters.
pub(crate) const CAPITALS: f64 = 0.714;

/// The depth of descenders in ems: that of g, p, q and y.
pub(crate) const DESCENDERS: f64 = 0.24;

/// A font by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FaceId(u16);

/// The bytes of the fonts, by their numbers.
static FILES: [&[u8]; 9] = [
    include_bytes!("../../fonts/NotoSans-Regular.ttf"),
    include_bytes!("../../fonts/NotoSans-Bold.ttf"),
    include_bytes!("../../fonts/NotoSansHebrew-Regular.ttf"),
    include_bytes!("../../fonts/NotoSansHebrew-Bold.ttf"),
    include_bytes!("../../fonts/NotoSansArabic-Regular.ttf"),
    include_bytes!("../../fonts/NotoSansArabic-Bold.ttf"),
    include_bytes!("../../fonts/NotoSansMath-Regular.ttf"),
    include_bytes!("../../fonts/NotoSansSymbols-Regular.ttf"),
    include_bytes!("../../fonts/NotoSansSymbols2-Regular.ttf"),
];

/// The fonts in which a character is looked for after the caller's own, in turn.
pub(crate) const fn order(weight: Weight) -> [FaceId; 6] {
    let bold = match weight {
        Weight::Regular => 0,
        Weight::Bold => 1,
    };
    [FaceId(bold), FaceId(2 + bold), FaceId(4 + bold), FaceId(6), FaceId(7), FaceId(8)]
}

/// A font that is read.
pub(crate) struct Face {
    /// Its file.
    pub(crate) bytes: &'static [u8],
    /// Its tables.
    pub(crate) font: FontRef<'static>,
    /// The shaper, which finds and places its glyphs.
    pub(crate) shaper: Shaper<'static>,
    /// Units of its outlines to an em.
    pub(crate) units: f64,
    /// Highest and lowest y of each glyph, in its units.
    heights: Vec<(f32, f32)>,
    /// The glyphs of the first characters, which are asked for most; zero where it has none.
    first: Vec<u32>,
}

static DATA: LazyLock<Vec<Option<(FontRef<'static>, ShaperData)>>> = LazyLock::new(|| {
    let read = |bytes: &&'static [u8]| {
        let font = FontRef::new(bytes).ok()?;
        let data = ShaperData::new(&font);
        Some((font, data))
    };
    FILES.iter().map(read).collect()
});

static FACES: LazyLock<Vec<Option<Face>>> = LazyLock::new(|| {
    let read = |(bytes, data): (&&'static [u8], &'static Option<(FontRef<'static>, ShaperData)>)| {
        let (font, data) = data.as_ref()?;
        Some(Face::new(bytes, font, data))
    };
    FILES.iter().zip(DATA.iter()).map(read).collect()
});

/// The caller's own fonts, whose numbers go on from those of the files.
static OWN: RwLock<Vec<&'static Face>> = RwLock::new(Vec::new());

/// Keeps a font of the caller's for the process, once; `None` where it is none, or with it there were more fonts or bytes than these.
pub(crate) fn kept(bytes: &[u8], most: usize, most_bytes: usize) -> Option<FaceId> {
    let mut own = OWN.write();
    let number = |at: usize| u16::try_from(FILES.len() + at).ok().map(FaceId);
    if let Some(at) = own.iter().position(|face| face.bytes == bytes) {
        return number(at);
    }
    let all: usize = own.iter().map(|face| face.bytes.len()).sum();
    if own.len() >= most || all + bytes.len() > most_bytes {
        return None;
    }
    // glyphs of a page are found by it for as long as the process runs
    let bytes: &'static [u8] = Box::leak(bytes.to_vec().into_boxed_slice());
    let font: &'static FontRef<'static> = Box::leak(Box::new(FontRef::from_index(bytes, 0).ok()?));
    let data: &'static ShaperData = Box::leak(Box::new(ShaperData::new(font)));
    own.push(Box::leak(Box::new(Face::new(bytes, font, data))));
    number(own.len() - 1)
}

impl Face {
    fn new(bytes: &'static [u8], font: &'static FontRef<'static>, data: &'static ShaperData) -> Face {
        let shaper = data.shaper(font).build();
        let units = f64::from(shaper.units_per_em()).max(1.0);
        let metrics = GlyphMetrics::new(font, Size::unscaled(), LocationRef::default());
        let glyphs = 0..metrics.glyph_count();
        let bounds =
            glyphs.map(|id| metrics.bounds(GlyphId::new(id)).map(|found| (found.y_max, found.y_min)));
        let heights = bounds.map(Option::unwrap_or_default).collect();
        let charmap = font.charmap();
        let first = (0..FIRST).map(|char| charmap.map(char).map_or(0, GlyphId::to_u32)).collect();
        Face { bytes, font: font.clone(), shaper, units, heights, first }
    }
}

/// The number of characters whose glyphs are kept: Latin, Greek, Cyrillic, Hebrew, Arabic.
const FIRST: u32 = 0x700;

impl FaceId {
    /// The font; none if its file were damaged, which a test rules out.
    pub(crate) fn face(self) -> Option<&'static Face> {
        let number = usize::from(self.0);
        match number.checked_sub(FILES.len()) {
            None => FACES.get(number)?.as_ref(),
            Some(own) => OWN.read().get(own).copied(),
        }
    }
}

impl Face {
    /// True if it has a glyph for a character.
    pub(crate) fn has(&self, char: char) -> bool {
        match self.first.get(char as usize) {
            Some(glyph) => *glyph != 0,
            None => self.font.charmap().map(char).is_some_and(|glyph| glyph != GlyphId::NOTDEF),
        }
    }

    /// The highest and the lowest y of a glyph's outline, in ems from the baseline.
    pub(crate) fn height(&self, glyph: u32) -> (f64, f64) {
        let (top, bottom) = self.heights.get(glyph as usize).copied().unwrap_or_default();
        (f64::from(top) / self.units, f64::from(bottom) / self.units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_is_read_and_has_its_capitals_and_descenders() {
        for weight in [Weight::Regular, Weight::Bold] {
            for id in order(weight) {
                assert!(id.face().is_some(), "{id:?}");
            }
            let [first, hebrew, arabic, math, signs, more] = order(weight).map(|id| id.face().unwrap());
            assert!("AzÄşŁǆΩΆЖїҐ₂²½€№—…\u{1E9E}".chars().all(|char| first.has(char)));
            assert!(hebrew.has('ש') && arabic.has('ش') && arabic.has('گ'));
            assert!(math.has('→') && math.has('≤') && signs.has('⌀') && more.has('✓'));
            assert!(!first.has('漢') && !first.has('\u{10FFFF}'));
            let glyph = |char: char| first.font.charmap().map(char).unwrap().to_u32();
            assert!((first.height(glyph('H')).0 - CAPITALS).abs() < 1e-6);
            for char in "gpqy".chars() {
                let bottom = first.height(glyph(char)).1;
                assert!((-DESCENDERS - 0.001..-0.2).contains(&bottom), "{char} {bottom}");
            }
        }
    }
}
