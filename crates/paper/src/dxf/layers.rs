//! Layers by what they show, in two standards of names.
//!
//! AIA: AIA CAD Layer Guidelines, United States National CAD Standard, version 5: discipline, major group and up to two minor groups.
//! MCUT, PATT and IDEN may stand after any group (clause 2.1); minor groups that its lists lack (CURT, RAMP, HIDD, LEVL, EGRE) are formed as
//! its clause 1.6 allows.
//!
//! ISO 13567-2, clause 6: agent responsible (2 characters: `A-`, an architect), element (6: the code of CI/SfB table 1) and presentation (2:
//! E element graphics, H hatching, T text, D dimensions, G grids, J section and detail marks, K revision marks, U red lines, B border, V
//! text of the sheet). Its second character, which the standard leaves to the project, says here: 1 cut, 2 seen, 3 hidden, 4 symbols. Walls
//! have the code of outer ones throughout, since a page does not tell which they are.

use crate::page::{Layer, Part, Subject};

/// A standard of layer names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum LayerStandard {
    /// AIA CAD Layer Guidelines: `A-WALL-FULL`.
    #[default]
    Aia,
    /// ISO 13567-2: `A-21----E1`.
    Iso13567,
}

/// The kind of a subject, which says how its parts are named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Something built.
    Element,
    /// Something written.
    Note,
}

struct Row {
    subject: Subject,
    kind: Kind,
    aia: &'static str,
    element: &'static str,
    /// The letter of presentation for lines, where that is not E.
    presentation: char,
    /// Its colour by AutoCAD's index, one that is seen on black and on white.
    colour: u8,
}

const fn element(subject: Subject, aia: &'static str, element: &'static str, colour: u8) -> Row {
    Row { subject, kind: Kind::Element, aia, element, presentation: 'E', colour }
}

const fn note(
    subject: Subject,
    aia: &'static str,
    element: &'static str,
    presentation: char,
    colour: u8,
) -> Row {
    Row { subject, kind: Kind::Note, aia, element, presentation, colour }
}

const TABLE: [Row; 29] = [
    element(Subject::Wall, "A-WALL", "21----", 7),
    element(Subject::Door, "A-DOOR", "32----", 94),
    element(Subject::Window, "A-GLAZ", "31----", 140),
    element(Subject::CurtainWall, "A-GLAZ-CURT", "31----", 140),
    element(Subject::Slab, "A-FLOR", "23----", 7),
    element(Subject::Roof, "A-ROOF", "27----", 7),
    element(Subject::Ceiling, "A-CLNG", "35----", 8),
    element(Subject::Column, "A-COLS", "28----", 7),
    element(Subject::Beam, "S-BEAM", "28----", 150),
    element(Subject::Foundation, "S-FNDN", "16----", 7),
    element(Subject::Stair, "A-FLOR-STRS", "24----", 94),
    element(Subject::Ramp, "A-FLOR-RAMP", "24----", 94),
    element(Subject::Railing, "A-FLOR-HRAL", "34----", 94),
    element(Subject::Furniture, "A-FURN", "8-----", 8),
    element(Subject::Sanitary, "P-FIXT", "74----", 150),
    element(Subject::Mechanical, "M-EQPM", "57----", 200),
    element(Subject::Electrical, "E-EQPM", "6-----", 30),
    element(Subject::Space, "A-AREA", "------", 9),
    element(Subject::Site, "L-SITE", "9-----", 94),
    note(Subject::Grid, "A-GRID", "------", 'G', 1),
    note(Subject::Level, "A-ANNO-LEVL", "------", 'J', 7),
    note(Subject::Dimension, "A-ANNO-DIMS", "------", 'D', 7),
    note(Subject::Tag, "A-ANNO-IDEN", "------", 'T', 7),
    note(Subject::Symbol, "A-ANNO-SYMB", "------", 'J', 7),
    note(Subject::TitleBlock, "A-ANNO-TTLB", "------", 'B', 7),
    note(Subject::Finding, "A-ANNO-REDL", "------", 'U', 1),
    note(Subject::Route, "A-ANNO-EGRE", "------", 'U', 94),
    note(Subject::Revision, "A-ANNO-REVC", "------", 'K', 1),
    note(Subject::Other, "A-ANNO-NOTE", "------", 'E', 7),
];

/// The look of a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) name: String,
    /// AutoCAD's index.
    pub(super) colour: u8,
    /// Hundredths of a mm, one of those that DXF knows.
    pub(super) weight: i16,
    pub(super) linetype: &'static str,
}

/// The name and look of the layer of a part.
pub(super) fn style(layer: Layer, standard: LayerStandard) -> Style {
    let row = TABLE.iter().find(|row| row.subject == layer.subject);
    let (kind, aia, code, presentation, colour) = row
        .map_or((Kind::Note, "A-ANNO-NOTE", "------", 'E', 7), |row| {
            (row.kind, row.aia, row.element, row.presentation, row.colour)
        });
    let is_element = kind == Kind::Element;
    let name = match standard {
        LayerStandard::Aia => {
            let group = match layer.part {
                Part::Cut if layer.subject == Subject::Wall => "-FULL",
                Part::Cut if is_element => "-MCUT",
                Part::Pattern => "-PATT",
                Part::Hidden => "-HIDD",
                Part::Text if is_element || layer.subject == Subject::Grid => "-IDEN",
                Part::Cut | Part::Seen | Part::Symbol | Part::Text => "",
            };
            format!("{aia}{group}")
        }
        LayerStandard::Iso13567 => {
            let (letter, number) = match layer.part {
                Part::Pattern => ('H', '-'),
                Part::Text if layer.subject == Subject::TitleBlock => ('V', '-'),
                Part::Text if is_element || presentation == 'E' => ('T', '-'),
                _ if !is_element && presentation != 'E' => (presentation, '-'),
                Part::Cut => ('E', '1'),
                Part::Seen => ('E', '2'),
                Part::Hidden => ('E', '3'),
                Part::Symbol | Part::Text => ('E', '4'),
            };
            format!("A-{code}{letter}{number}")
        }
    };
    let weight = match layer.part {
        Part::Cut if is_element => 50,
        Part::Seen => 25,
        Part::Pattern => 13,
        Part::Cut | Part::Hidden | Part::Symbol | Part::Text => 18,
    };
    let linetype = match layer.part {
        Part::Hidden => "HIDDEN",
        Part::Seen if layer.subject == Subject::Grid => "CENTER",
        _ => "Continuous",
    };
    Style { name, colour: if layer.part == Part::Pattern { 8 } else { colour }, weight, linetype }
}

/// The weights that DXF knows, in hundredths of a mm.
const WEIGHTS: [i16; 24] =
    [0, 5, 9, 13, 15, 18, 20, 25, 30, 35, 40, 50, 53, 60, 70, 80, 90, 100, 106, 120, 140, 158, 200, 211];

/// The weight nearest to a width in mm.
pub(super) fn weight(width: f64) -> i16 {
    let far = |weight: &i16| (f64::from(*weight) - width * 100.0).abs();
    WEIGHTS.into_iter().min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(25)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(subject: Subject, part: Part, standard: LayerStandard) -> String {
        style(Layer { subject, part }, standard).name
    }

    #[test]
    fn layers_are_named_by_the_standards() {
        let aia = |subject, part| name(subject, part, LayerStandard::Aia);
        assert_eq!(aia(Subject::Wall, Part::Cut), "A-WALL-FULL");
        assert_eq!(aia(Subject::Wall, Part::Pattern), "A-WALL-PATT");
        assert_eq!(aia(Subject::Door, Part::Symbol), "A-DOOR");
        assert_eq!(aia(Subject::Dimension, Part::Text), "A-ANNO-DIMS");
        assert_eq!(aia(Subject::Space, Part::Text), "A-AREA-IDEN");
        let iso = |subject, part| name(subject, part, LayerStandard::Iso13567);
        assert_eq!(iso(Subject::Wall, Part::Cut), "A-21----E1");
        assert_eq!(iso(Subject::Wall, Part::Pattern), "A-21----H-");
        assert_eq!(iso(Subject::Dimension, Part::Symbol), "A-------D-");
        assert_eq!(iso(Subject::TitleBlock, Part::Text), "A-------V-");
        assert_eq!(iso(Subject::Grid, Part::Seen), "A-------G-");
    }

    #[test]
    fn every_subject_has_a_row_and_names_have_the_length_of_their_fields() {
        for row in &TABLE {
            for part in [Part::Cut, Part::Pattern, Part::Seen, Part::Hidden, Part::Symbol, Part::Text] {
                assert_eq!(name(row.subject, part, LayerStandard::Iso13567).len(), 10);
                let aia = name(row.subject, part, LayerStandard::Aia);
                assert!(aia.split('-').skip(1).all(|group| group.len() == 4), "{aia}");
            }
            let own = TABLE.iter().filter(|other| other.subject == row.subject);
            assert_eq!(own.count(), 1, "{:?}", row.subject);
        }
        assert_eq!((weight(0.13), weight(0.26), weight(9.0), weight(f64::NAN)), (13, 25, 211, 0));
    }
}
