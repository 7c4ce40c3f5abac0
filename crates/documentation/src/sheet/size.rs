//! Sizes of sheets: ISO 216 (A4 to A0), ASME Y14.1 (ANSI A to E) and those of architects in America (ARCH A to E1).

use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A size of paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)] // the standards' own names
pub enum Size {
    A4,
    A3,
    A2,
    A1,
    A0,
    #[serde(rename = "ANSI A")]
    AnsiA,
    #[serde(rename = "ANSI B")]
    AnsiB,
    #[serde(rename = "ANSI C")]
    AnsiC,
    #[serde(rename = "ANSI D")]
    AnsiD,
    #[serde(rename = "ANSI E")]
    AnsiE,
    #[serde(rename = "ARCH A")]
    ArchA,
    #[serde(rename = "ARCH B")]
    ArchB,
    #[serde(rename = "ARCH C")]
    ArchC,
    #[serde(rename = "ARCH D")]
    ArchD,
    #[serde(rename = "ARCH E1")]
    ArchE1,
    #[serde(rename = "ARCH E")]
    ArchE,
}

/// The way that a sheet lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Orientation {
    /// The long side at the bottom.
    Landscape,
    /// The short side at the bottom.
    Portrait,
}

/// The series that a size belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Series {
    /// ISO 216, A.
    Iso,
    /// ASME Y14.1.
    Ansi,
    /// Architects' sizes.
    Arch,
}

/// Millimetres to an inch.
const INCH: f64 = 25.4;

impl Size {
    /// All sizes, each series from the smallest on.
    pub const ALL: [Size; 16] = [
        Size::A4,
        Size::A3,
        Size::A2,
        Size::A1,
        Size::A0,
        Size::AnsiA,
        Size::AnsiB,
        Size::AnsiC,
        Size::AnsiD,
        Size::AnsiE,
        Size::ArchA,
        Size::ArchB,
        Size::ArchC,
        Size::ArchD,
        Size::ArchE1,
        Size::ArchE,
    ];

    /// Its name, such as `A1` or `ARCH E1`.
    pub fn name(self) -> &'static str {
        match self {
            Size::A4 => "A4",
            Size::A3 => "A3",
            Size::A2 => "A2",
            Size::A1 => "A1",
            Size::A0 => "A0",
            Size::AnsiA => "ANSI A",
            Size::AnsiB => "ANSI B",
            Size::AnsiC => "ANSI C",
            Size::AnsiD => "ANSI D",
            Size::AnsiE => "ANSI E",
            Size::ArchA => "ARCH A",
            Size::ArchB => "ARCH B",
            Size::ArchC => "ARCH C",
            Size::ArchD => "ARCH D",
            Size::ArchE1 => "ARCH E1",
            Size::ArchE => "ARCH E",
        }
    }

    /// Its series.
    pub fn series(self) -> Series {
        match self {
            Size::A4 | Size::A3 | Size::A2 | Size::A1 | Size::A0 => Series::Iso,
            Size::AnsiA | Size::AnsiB | Size::AnsiC | Size::AnsiD | Size::AnsiE => Series::Ansi,
            _ => Series::Arch,
        }
    }

    /// The larger sizes of its series, from the next on.
    pub fn larger(self) -> impl Iterator<Item = Size> {
        Size::ALL.into_iter().filter(move |other| other.series() == self.series() && *other > self)
    }

    /// The short and the long side in mm.
    pub fn sides(self) -> [f64; 2] {
        let inches = |short: f64, long: f64| [short * INCH, long * INCH];
        match self {
            Size::A4 => [210.0, 297.0],
            Size::A3 => [297.0, 420.0],
            Size::A2 => [420.0, 594.0],
            Size::A1 => [594.0, 841.0],
            Size::A0 => [841.0, 1189.0],
            Size::AnsiA => inches(8.5, 11.0),
            Size::AnsiB => inches(11.0, 17.0),
            Size::AnsiC => inches(17.0, 22.0),
            Size::AnsiD => inches(22.0, 34.0),
            Size::AnsiE => inches(34.0, 44.0),
            Size::ArchA => inches(9.0, 12.0),
            Size::ArchB => inches(12.0, 18.0),
            Size::ArchC => inches(18.0, 24.0),
            Size::ArchD => inches(24.0, 36.0),
            Size::ArchE1 => inches(30.0, 42.0),
            Size::ArchE => inches(36.0, 48.0),
        }
    }

    /// The way that it lies where nothing is said: A4 and ANSI A upright, all others with the long side at the bottom.
    pub fn usual(self) -> Orientation {
        if matches!(self, Size::A4 | Size::AnsiA) { Orientation::Portrait } else { Orientation::Landscape }
    }

    /// Width and height in mm.
    pub fn extent(self, orientation: Orientation) -> DVec2 {
        let [short, long] = self.sides();
        match orientation {
            Orientation::Landscape => DVec2::new(long, short),
            Orientation::Portrait => DVec2::new(short, long),
        }
    }

    /// The margins between the paper's edge and the frame in mm, left and elsewhere: by ISO 5457 20 and 10; on sheets of inches an inch
    /// and a half inch, three quarters of those on the smallest.
    pub fn margins(self) -> [f64; 2] {
        match self {
            _ if self.series() == Series::Iso => [20.0, 10.0],
            Size::AnsiA | Size::ArchA => [0.75 * INCH, 0.375 * INCH],
            _ => [INCH, INCH / 2.0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_standards() {
        let rounded = |size: Size| size.sides().map(f64::round);
        // ISO 216, table 1; ASME Y14.1, table 1, in mm
        let known: [(Size, [f64; 2]); 16] = [
            (Size::A4, [210.0, 297.0]),
            (Size::A3, [297.0, 420.0]),
            (Size::A2, [420.0, 594.0]),
            (Size::A1, [594.0, 841.0]),
            (Size::A0, [841.0, 1189.0]),
            (Size::AnsiA, [216.0, 279.0]),
            (Size::AnsiB, [279.0, 432.0]),
            (Size::AnsiC, [432.0, 559.0]),
            (Size::AnsiD, [559.0, 864.0]),
            (Size::AnsiE, [864.0, 1118.0]),
            (Size::ArchA, [229.0, 305.0]),
            (Size::ArchB, [305.0, 457.0]),
            (Size::ArchC, [457.0, 610.0]),
            (Size::ArchD, [610.0, 914.0]),
            (Size::ArchE1, [762.0, 1067.0]),
            (Size::ArchE, [914.0, 1219.0]),
        ];
        for (size, sides) in known {
            assert_eq!(rounded(size), sides, "{}", size.name());
        }
        // each is larger than the one before it of its series
        for size in Size::ALL {
            let area = |s: Size| s.sides().iter().product::<f64>();
            assert!(size.larger().all(|other| area(other) > area(size)), "{}", size.name());
        }
        assert_eq!(Size::A2.larger().collect::<Vec<_>>(), [Size::A1, Size::A0]);
    }
}
