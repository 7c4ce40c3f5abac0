//! Fonts of the caller's own: read once, kept for the process, and drawn with by pages made while they are in use.
//!
//! Words are measured in many places while a page grows, and written by several formats after. So fonts are in use on a thread, from
//! [`Fonts::enter`] until its [`Scope`] ends; a page made meanwhile has them, and whoever writes it enters them again. Characters that they
//! have not are drawn in the fonts that the crate brings with it.

use super::face::{self, FaceId};
use crate::page::Weight;
use parking_lot::RwLock;
use skrifa::raw::TableProvider as _;
use skrifa::string::StringId;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use std::cell::Cell;

/// The most bytes of one font file.
pub const MOST_BYTES: usize = 32 << 20;
/// The most pairs of fonts, and the most bytes of them, that a process keeps.
const MOST_PAIRS: usize = 200;
const MOST_KEPT: usize = 512 << 20;
/// The characters that a font has to have: figures and Latin letters, which drawings are made of.
const NEEDED: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:-+()/";
/// Bits of the table OS/2's fsType: no embedding, no part of it, pixels alone.
const RESTRICTED: u16 = 0x0002;
const NO_SUBSET: u16 = 0x0100;
const BITMAP_ONLY: u16 = 0x0200;

/// A pair of fonts, regular and bold; by default those that the crate brings with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Fonts(Option<u16>);

/// A font file cannot be drawn with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadFont {
    /// It is none, or a part of one.
    #[error("it is no whole TrueType or OpenType font with outlines")]
    Format,
    /// Characters are missing.
    #[error("it has no {0:?}; drawings need figures and Latin letters")]
    Letter(char),
    /// It may not be put into documents.
    #[error("its maker does not allow a part of it to be put into documents (fsType {0:#06x})")]
    Embedding(u16),
    /// There is no room.
    #[error("too many fonts were read by now; use one of those again")]
    Full,
}

/// A pair that is kept.
struct Pair {
    regular: FaceId,
    bold: FaceId,
    name: String,
    capitals: f64,
    descenders: f64,
}

static PAIRS: RwLock<Vec<&'static Pair>> = RwLock::new(Vec::new());

thread_local! {
    static IN_USE: Cell<Fonts> = const { Cell::new(Fonts(None)) };
}

/// Fonts in use on this thread, until it ends; then those before are again.
#[must_use = "the fonts are in use until it ends"]
pub struct Scope {
    before: Fonts,
}

impl Drop for Scope {
    fn drop(&mut self) {
        IN_USE.set(self.before);
    }
}

impl Fonts {
    /// Reads font files; without a bold one, what is bold is drawn in the regular one.
    pub fn read(regular: &[u8], bold: Option<&[u8]>) -> Result<Fonts, BadFont> {
        for bytes in std::iter::once(regular).chain(bold) {
            checked(bytes)?;
        }
        let ids = (kept(regular)?, bold.map(kept).transpose()?);
        let (regular, bold) = (ids.0, ids.1.unwrap_or(ids.0));
        let mut pairs = PAIRS.write();
        let known = pairs.iter().position(|pair| pair.regular == regular && pair.bold == bold);
        let number = match known {
            Some(number) => number,
            None if pairs.len() >= MOST_PAIRS => return Err(BadFont::Full),
            None => {
                pairs.push(Box::leak(Box::new(pair(regular, bold).ok_or(BadFont::Format)?)));
                pairs.len() - 1
            }
        };
        Ok(Fonts(Some(u16::try_from(number).map_err(|_| BadFont::Full)?)))
    }

    /// Those in use on this thread.
    pub fn in_use() -> Fonts {
        IN_USE.get()
    }

    /// Uses them on this thread.
    pub fn enter(self) -> Scope {
        Scope { before: IN_USE.replace(self) }
    }

    /// The name of their family, as far as it can stand in a document; none of those that the crate brings with it.
    pub fn name(self) -> Option<&'static str> {
        Some(self.pair()?.name.as_str()).filter(|name| !name.is_empty())
    }

    fn pair(self) -> Option<&'static Pair> {
        PAIRS.read().get(usize::from(self.0?)).copied()
    }
}

/// The font of the caller's in use on this thread.
pub(crate) fn own(weight: Weight) -> Option<FaceId> {
    let pair = Fonts::in_use().pair()?;
    Some(match weight {
        Weight::Regular => pair.regular,
        Weight::Bold => pair.bold,
    })
}

/// The height of capitals in ems, of the font that words are drawn in first.
pub(crate) fn capitals() -> f64 {
    Fonts::in_use().pair().map_or(face::CAPITALS, |pair| pair.capitals)
}

/// The depth of descenders in ems, of the same.
pub(crate) fn descenders() -> f64 {
    Fonts::in_use().pair().map_or(face::DESCENDERS, |pair| pair.descenders)
}

/// Finds out whether a file can be drawn with and put into documents.
fn checked(bytes: &[u8]) -> Result<(), BadFont> {
    let font = FontRef::from_index(bytes, 0).map_err(|_| BadFont::Format)?;
    let mut tables = font.table_directory().table_records().iter();
    if !tables.all(|table| table.offset() as usize + table.length() as usize <= bytes.len()) {
        return Err(BadFont::Format);
    }
    let charmap = font.charmap();
    let lacks = |char: &char| charmap.map(*char).is_none_or(|glyph| glyph == GlyphId::NOTDEF);
    if let Some(char) = NEEDED.chars().find(lacks) {
        return Err(BadFont::Letter(char));
    }
    let outlines = font.outline_glyphs();
    if outlines.format().is_none() {
        return Err(BadFont::Format);
    }
    let rights = font.os2().map(|table| table.fs_type()).unwrap_or_default();
    if rights & (RESTRICTED | NO_SUBSET | BITMAP_ONLY) != 0 {
        return Err(BadFont::Embedding(rights));
    }
    krilla::text::Font::new(bytes.to_vec().into(), 0).ok_or(BadFont::Format)?;
    Ok(())
}

/// Keeps a file for the process, once.
fn kept(bytes: &[u8]) -> Result<FaceId, BadFont> {
    face::kept(bytes, MOST_PAIRS * 2, MOST_KEPT).ok_or(BadFont::Full)
}

fn pair(regular: FaceId, bold: FaceId) -> Option<Pair> {
    let face = regular.face()?;
    let height = |char: char| face.font.charmap().map(char).map(|glyph| face.height(glyph.to_u32()));
    let capitals = height('H')?.0;
    let lowest = "gpqy".chars().filter_map(height).map(|(_, bottom)| bottom).fold(0.0, f64::min);
    let names = face.font.localized_strings(StringId::FAMILY_NAME);
    let name: String = names.english_or_first().map(|name| name.chars().collect()).unwrap_or_default();
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-')).collect();
    // a font whose H has no height cannot say how large it is
    (capitals > 0.05 && capitals < 5.0).then_some(Pair {
        regular,
        bold,
        name: name.trim().to_owned(),
        capitals,
        descenders: -lowest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Anchor, Baseline, Node, Page, Text};
    use glam::DVec2;

    const REGULAR: &[u8] = include_bytes!("../../fonts/NotoSans-Regular.ttf");
    const BOLD: &[u8] = include_bytes!("../../fonts/NotoSans-Bold.ttf");
    const SIGNS: &[u8] = include_bytes!("../../fonts/NotoSansSymbols2-Regular.ttf");

    fn words(words: &str) -> Text {
        Text {
            at: DVec2::new(10.0, 10.0),
            words: words.into(),
            height: 3.0,
            weight: Weight::Regular,
            anchor: Anchor::Left,
            baseline: Baseline::Foot,
            angle: 0.0,
            colour: [0, 0, 0, 255],
            halo: 0.0,
            layer: None,
        }
    }

    /// The file with another fsType in its table OS/2.
    fn with_rights(bytes: &[u8], rights: u16) -> Vec<u8> {
        let mut changed = bytes.to_vec();
        let row = bytes.windows(4).position(|tag| tag == b"OS/2").unwrap();
        let at = u32::from_be_bytes(bytes[row + 8..row + 12].try_into().unwrap()) as usize;
        changed[at + 8..at + 10].copy_from_slice(&rights.to_be_bytes());
        changed
    }

    #[test]
    fn words_are_measured_and_drawn_in_the_fonts_in_use_and_after_them_in_those_before() {
        let text = words("Bedroom ≤ 12,5 m² שלום");
        let usual = text.extent();
        let own = Fonts::read(BOLD, None).unwrap();
        let page = {
            let _scope = own.enter();
            let wide = text.extent();
            assert!(wide.width > usual.width * 1.02, "{wide:?} {usual:?}");
            assert_eq!(text.missing(), 0, "other fonts have what this one has not");
            Page { size: DVec2::new(60.0, 20.0), nodes: vec![Node::Text(text.clone())], ..Page::default() }
        };
        assert_eq!((text.extent(), Fonts::in_use()), (usual, Fonts::default()));
        // a page has the fonts that it was made in, whoever writes it
        let plain = Page { fonts: Fonts::default(), ..page.clone() };
        let long = |page: &Page| {
            let svg = crate::svg::write(page);
            let at = svg.find("textLength=\"").unwrap() + 12;
            svg[at..].split('"').next().unwrap().parse::<f64>().unwrap()
        };
        assert!((long(&plain) - usual.width).abs() < 0.01 && long(&page) > long(&plain) * 1.02);
        let png = |page: &Page| crate::png::write(page, crate::png::Resolution::DotsPerInch(100.0)).unwrap();
        assert_ne!(png(&page), png(&plain));
        let pdf = |page: &Page| {
            let bytes =
                crate::pdf::write(std::slice::from_ref(page), &[], &crate::pdf::Metadata::default()).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        assert!(pdf(&page).contains("NotoSans-Bold") && !pdf(&page).contains("+NotoSans-Regular"));
        assert!(!pdf(&plain).contains("NotoSans-Bold"));
    }

    #[test]
    fn a_font_is_kept_once_and_named_in_documents() {
        let (one, two) =
            (Fonts::read(REGULAR, Some(BOLD)).unwrap(), Fonts::read(REGULAR, Some(BOLD)).unwrap());
        assert_eq!(one, two);
        assert_ne!(one, Fonts::read(REGULAR, None).unwrap());
        assert_eq!(one.name(), Some("Noto Sans"));
        let _scope = one.enter();
        assert!((capitals() - face::CAPITALS).abs() < 1e-6 && (descenders() - face::DESCENDERS).abs() < 0.01);
    }

    #[test]
    fn what_is_no_font_for_drawings_is_refused_with_the_reason() {
        assert_eq!(Fonts::read(b"ISO-10303-21;", None), Err(BadFont::Format));
        assert_eq!(Fonts::read(&REGULAR[..4000], None), Err(BadFont::Format));
        assert!(matches!(Fonts::read(SIGNS, None), Err(BadFont::Letter(_))));
        assert!(matches!(Fonts::read(REGULAR, Some(SIGNS)), Err(BadFont::Letter(_))));
        for rights in [RESTRICTED, NO_SUBSET, BITMAP_ONLY] {
            let bytes = with_rights(REGULAR, rights);
            assert_eq!(Fonts::read(&bytes, None), Err(BadFont::Embedding(rights)));
        }
        assert!(Fonts::read(&with_rights(REGULAR, 8), None).is_ok(), "editable embedding is enough");
    }

    #[test]
    fn damaged_fonts_are_refused_or_drawn_and_never_fail() {
        let text = words("Room 12");
        let mut state = 9_u64;
        for _ in 0..60 {
            let mut bytes = REGULAR.to_vec();
            for _ in 0..20 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = (state >> 33) as usize % bytes.len();
                bytes[at] = (state >> 20) as u8;
            }
            if let Ok(fonts) = Fonts::read(&bytes, None) {
                let _scope = fonts.enter();
                let page = Page {
                    size: DVec2::new(60.0, 20.0),
                    nodes: vec![Node::Text(text.clone())],
                    ..Page::default()
                };
                let _ = crate::pdf::write(std::slice::from_ref(&page), &[], &crate::pdf::Metadata::default());
                let _ = crate::png::write(&page, crate::png::Resolution::DotsPerInch(50.0));
            }
        }
    }
}
