//! Travellers: how wide and high, over which steps and slopes, how fast.
//!
//! Sources. Speeds on foot: U. Weidmann, Transporttechnik der Fussgänger (1993): 1.34 m/s on the level, along the level 0.61 m/s up and 0.69 m/s
//! down stairs. Wheelchair: width 800 mm, slope 1:12, turning circle 1500 mm and thresholds to 20 mm by ISO 21542:2021 and
//! DIN 18040-1; 0.69 m/s by hand on the level (Boyce, Shields and Silcock 1999). Beds are 1000 mm wide, and carts 700; that they take
//! slopes of 1:12 and 1:16, thresholds of 20 mm and 0.8 m/s is assumed, not of a standard.

/// The kind of traveller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// A person on foot.
    #[default]
    Foot,
    /// A person in a wheelchair.
    Wheelchair,
    /// A hospital bed that is pushed.
    Bed,
    /// A cart that is pushed.
    Cart,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 4] = [Kind::Foot, Kind::Wheelchair, Kind::Bed, Kind::Cart];
}

/// A body that moves, as wide as long: a disc in plan. Lengths in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traveller {
    /// Its kind.
    pub kind: Kind,
    /// The width that it needs.
    pub width: f64,
    /// The height that it needs.
    pub height: f64,
    /// The highest step or threshold that it takes.
    pub step: f64,
    /// The steepest slope that it takes, rise by run.
    pub slope: f64,
    /// True if it takes stairs.
    pub stairs: bool,
    /// Diameter of the circle that it needs to turn in; 0 for one that turns on the spot.
    pub turning: f64,
}

impl Traveller {
    /// A traveller of this kind with its usual size.
    pub fn new(kind: Kind) -> Traveller {
        match kind {
            Kind::Foot => {
                Traveller { kind, width: 0.6, height: 2.0, step: 0.2, slope: 0.2, stairs: true, turning: 0.0 }
            }
            Kind::Wheelchair => Traveller {
                kind,
                width: 0.8,
                height: 2.0,
                step: 0.02,
                slope: 1.0 / 12.0,
                stairs: false,
                turning: 1.5,
            },
            Kind::Bed => Traveller {
                kind,
                width: 1.0,
                height: 2.0,
                step: 0.02,
                slope: 1.0 / 12.0,
                stairs: false,
                turning: 2.3,
            },
            Kind::Cart => Traveller {
                kind,
                width: 0.7,
                height: 2.0,
                step: 0.02,
                slope: 1.0 / 16.0,
                stairs: false,
                turning: 1.2,
            },
        }
    }

    /// The same with another width.
    pub fn wide(self, width: f64) -> Traveller {
        Traveller { width, ..self }
    }

    /// One who gets through wherever a way is at all: on foot, a hand wide and a metre high.
    pub fn slightest() -> Traveller {
        Traveller { width: 0.1, height: 1.0, slope: 1.0, ..Traveller::new(Kind::Foot) }
    }

    /// Metres a second on the level.
    pub fn speed(&self) -> f64 {
        match self.kind {
            Kind::Foot => 1.34,
            Kind::Wheelchair => 0.69,
            Kind::Bed | Kind::Cart => 0.8,
        }
    }

    /// Seconds for a piece of way: `run` metres along the level and `rise` up, on stairs or not.
    pub fn seconds(&self, run: f64, rise: f64, on_stairs: bool) -> f64 {
        if on_stairs {
            return run / if rise >= 0.0 { 0.61 } else { 0.69 };
        }
        run.hypot(rise) / self.speed()
    }

    /// The key under which what is made for it is kept: sizes to a tenth of a millimetre.
    pub fn key(&self) -> [i64; 6] {
        let to = |v: f64| (v * 1e4).round() as i64;
        let kind = Kind::ALL.iter().position(|k| *k == self.kind).unwrap_or_default() as i64;
        [kind, to(self.width), to(self.height), to(self.step), to(self.slope), i64::from(self.stairs)]
    }
}
