//! Drawings of as many lines as are asked for: made up, each the worst for something that looks for walls.

use std::fmt::Write as _;

/// Names of the drawings.
pub const SHAPES: [&str; 21] = [
    "two-ways",
    "two-ways-wide",
    "two-ways-named",
    "grid",
    "hatch",
    "short",
    "identical",
    "crossing",
    "crossing-named",
    "any-way",
    "star",
    "spiral",
    "rooms",
    "rooms-unnamed",
    "plan",
    "doors",
    "words",
    "arcs",
    "blocks",
    "areas",
    "dimensions",
];

/// A DXF of about `count` entities in mm; none where there is no such shape.
pub fn dxf(shape: &str, count: usize) -> Option<Vec<u8>> {
    let mut out = Page(String::with_capacity(count * 90 + 200));
    out.0.push_str(HEAD);
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    match shape {
        "two-ways" => two_ways(&mut out, "0", count, 200_000.0, &mut chance),
        "two-ways-wide" => two_ways(&mut out, "0", count, 2_000_000.0, &mut chance),
        "two-ways-named" => two_ways(&mut out, "WALLS", count, 1_000_000.0, &mut chance),
        "grid" => grid(&mut out, count),
        "hatch" => hatch(&mut out, count),
        "short" => {
            for _ in 0..count {
                let (x, y, angle) = (chance.up_to(100_000.0), chance.up_to(100_000.0), chance.up_to(6.3));
                let length = 5.0 + chance.up_to(95.0);
                out.line("0", [x, y, x + angle.cos() * length, y + angle.sin() * length]);
            }
        }
        "identical" => (0..count).for_each(|_| out.line("0", [0.0, 0.0, 5000.0, 0.0])),
        "crossing" => crossing(&mut out, "0", count, 100_000.0),
        // pairs of faces, each 200 mm from the next: as many walls as there may be, and all cross
        "crossing-named" => crossing(&mut out, "WALLS", count, count as f64 * 250.0),
        "any-way" => {
            for _ in 0..count {
                let (x, y, angle) = (chance.up_to(200_000.0), chance.up_to(200_000.0), chance.up_to(6.3));
                let length = 500.0 + chance.up_to(8000.0);
                out.line("0", [x, y, x + angle.cos() * length, y + angle.sin() * length]);
            }
        }
        "star" => {
            for n in 0..count {
                let angle = n as f64 / count as f64 * std::f64::consts::TAU;
                out.line("0", [0.0, 0.0, angle.cos() * 50_000.0, angle.sin() * 50_000.0]);
            }
        }
        "spiral" => spiral(&mut out, count),
        "rooms" => rooms(&mut out, "WALLS", count, &Rooms::default()),
        "rooms-unnamed" => rooms(&mut out, "0", count, &Rooms::default()),
        "plan" => rooms(&mut out, "WALLS", count, &Rooms { pieces: 4, has_doors: true, has_words: true }),
        "doors" => rooms(&mut out, "WALLS", count, &Rooms { has_doors: true, ..Rooms::default() }),
        "words" => rooms(&mut out, "WALLS", count, &Rooms { pieces: 1, has_doors: true, has_words: true }),
        "arcs" => arcs(&mut out, count),
        "dimensions" => dimensions(&mut out, count),
        "blocks" => blocks(&mut out, count),
        "areas" => areas(&mut out, count),
        _ => return None,
    }
    out.0.push_str("0\nENDSEC\n0\nEOF\n");
    Some(out.0.into_bytes())
}

/// Numbers that follow no rule and are the same each time.
struct Chance(u64);

impl Chance {
    fn up_to(&mut self, most: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 * most
    }
}

/// Header in mm, and a block of a door.
const HEAD: &str = "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1027\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n0\nSECTION\n2\nBLOCKS\n\
0\nBLOCK\n2\nT900\n10\n0\n20\n0\n0\nLINE\n8\n0\n10\n0\n20\n0\n11\n0\n21\n900\n0\nARC\n8\n0\n10\n0\n20\n0\n40\n900\n50\n0\n51\n90\n0\nENDBLK\n\
0\nENDSEC\n0\nSECTION\n2\nENTITIES\n";

struct Page(String);

impl Page {
    fn line(&mut self, layer: &str, [x1, y1, x2, y2]: [f64; 4]) {
        let _ = write!(self.0, "0\nLINE\n8\n{layer}\n10\n{x1:.2}\n20\n{y1:.2}\n11\n{x2:.2}\n21\n{y2:.2}\n");
    }
}

fn two_ways(out: &mut Page, layer: &str, count: usize, size: f64, chance: &mut Chance) {
    for n in 0..count {
        let (x, y, length) = (chance.up_to(size), chance.up_to(size), 500.0 + chance.up_to(6000.0));
        out.line(layer, if n % 2 == 0 { [x, y, x + length, y] } else { [x, y, x, y + length] });
    }
}

/// Lines in two directions, each across all of the other one.
fn crossing(out: &mut Page, layer: &str, count: usize, size: f64) {
    for n in 0..count / 2 {
        let at = n as f64 * 2.0 * size / count as f64;
        out.line(layer, [0.0, at, size, at]);
        out.line(layer, [at, 0.0, at, size]);
    }
}

/// Squares of a metre, side by side, each side a line of its own.
fn grid(out: &mut Page, count: usize) {
    let wide = (count as f64 / 2.0).sqrt().ceil() as usize;
    for n in 0..count / 2 {
        let (x, y) = ((n % wide) as f64 * 1000.0, (n / wide) as f64 * 1000.0);
        out.line("0", [x, y, x + 1000.0, y]);
        out.line("0", [x, y, x, y + 1000.0]);
    }
}

/// Lines at 45 degrees, 100 mm from each other, in bands one below the other.
fn hatch(out: &mut Page, count: usize) {
    for n in 0..count {
        let (x, y) = ((n % 4000) as f64 * 141.4, (n / 4000) as f64 * 1500.0);
        out.line("0", [x, y, x + 1000.0, y + 1000.0]);
    }
}

/// One chain of short lines whose curve opens a little with each.
fn spiral(out: &mut Page, count: usize) {
    let (mut x, mut y, mut angle) = (0.0_f64, 0.0_f64, 0.0_f64);
    for n in 0..count {
        let (from_x, from_y) = (x, y);
        let radius = 500.0 + n as f64 * 0.05;
        angle += 100.0 / radius;
        (x, y) = (x + angle.cos() * 100.0, y + angle.sin() * 100.0);
        out.line("0", [from_x, from_y, x, y]);
    }
}

struct Rooms {
    /// The lines that each line of a wall is drawn as.
    pieces: usize,
    has_doors: bool,
    has_words: bool,
}

impl Default for Rooms {
    fn default() -> Self {
        Self { pieces: 1, has_doors: false, has_words: false }
    }
}

/// Rooms of 4 by 3 m beside each other, of twelve lines each, with a door of two and with a name.
fn rooms(out: &mut Page, layer: &str, count: usize, own: &Rooms) {
    let each = 12 * own.pieces + if own.has_doors { 2 } else { 0 } + usize::from(own.has_words);
    let wide = ((count / each) as f64).sqrt().ceil().max(1.0) as usize;
    for n in 0..count / each {
        let (x, y) = ((n % wide) as f64 * 6000.0, (n / wide) as f64 * 5000.0);
        for [x1, y1, x2, y2] in [
            [-200.0, -200.0, 1000.0, -200.0],
            [1900.0, -200.0, 4200.0, -200.0],
            [0.0, 0.0, 1000.0, 0.0],
            [1900.0, 0.0, 4000.0, 0.0],
            [1000.0, -200.0, 1000.0, 0.0],
            [1900.0, -200.0, 1900.0, 0.0],
            [4200.0, -200.0, 4200.0, 3200.0],
            [4000.0, 0.0, 4000.0, 3000.0],
            [4200.0, 3200.0, -200.0, 3200.0],
            [4000.0, 3000.0, 0.0, 3000.0],
            [-200.0, 3200.0, -200.0, -200.0],
            [0.0, 3000.0, 0.0, 0.0],
        ] {
            for piece in 0..own.pieces {
                let at = |from: f64, to: f64, n: usize| from + (to - from) * n as f64 / own.pieces as f64;
                let (a, b) = (piece, piece + 1);
                out.line(layer, [x + at(x1, x2, a), y + at(y1, y2, a), x + at(x1, x2, b), y + at(y1, y2, b)]);
            }
        }
        if own.has_doors {
            let hinge = x + 1000.0;
            let _ = write!(out.0, "0\nARC\n8\nDOORS\n10\n{hinge}\n20\n{y}\n40\n900\n50\n0\n51\n90\n");
            out.line("DOORS", [hinge, y, hinge, y + 900.0]);
        }
        if own.has_words {
            let (x, y) = (x + 2000.0, y + 1500.0);
            let _ = write!(out.0, "0\nTEXT\n8\nT\n10\n{x}\n20\n{y}\n40\n200\n1\nRoom {n}\n");
        }
    }
}

/// Quarter circles as large as the swings of doors, with walls among them that most of them may close in.
fn arcs(out: &mut Page, count: usize) {
    let wide = (count as f64).sqrt().ceil() as usize;
    for n in 0..count {
        let (x, y) = ((n % wide) as f64 * 500.0, (n / wide) as f64 * 500.0);
        if n % 20 == 0 {
            out.line("WALLS", [x, y, x + 6000.0, y]);
            out.line("WALLS", [x, y - 150.0, x + 6000.0, y - 150.0]);
        } else {
            let _ = write!(out.0, "0\nARC\n8\nDOORS\n10\n{x}\n20\n{y}\n40\n900\n50\n0\n51\n90\n");
        }
    }
}

/// References to the block of a door, along walls that are not cut for them.
fn blocks(out: &mut Page, count: usize) {
    let wide = (count as f64 / 2.0).sqrt().ceil() as usize;
    for n in 0..count / 2 {
        let (x, y) = ((n % wide) as f64 * 1200.0, (n / wide) as f64 * 3000.0);
        if n % wide == 0 {
            out.line("WALLS", [x, y, x + 1200.0 * wide as f64, y]);
            out.line("WALLS", [x, y - 200.0, x + 1200.0 * wide as f64, y - 200.0]);
        }
        let _ = write!(out.0, "0\nINSERT\n8\n0\n2\nT900\n10\n{x}\n20\n{y}\n");
    }
}

/// Numbers beside lines with ticks, close to each other, with nothing that says the scale.
fn dimensions(out: &mut Page, count: usize) {
    let wide = (count as f64 / 3.0).sqrt().ceil() as usize;
    for n in 0..count / 3 {
        let (x, y) = ((n % wide) as f64 * 400.0, (n / wide) as f64 * 150.0);
        out.line("0", [x, y, x + 4000.0, y]);
        out.line("0", [x, y - 60.0, x, y + 60.0]);
        let (x, y, stated) = (x + 2000.0, y + 60.0, 1000 + n % 7000);
        let _ = write!(out.0, "0\nTEXT\n8\nT\n10\n{x}\n20\n{y}\n40\n100\n1\n{stated}\n");
    }
}

/// Solids as thick as walls, crossing each other in squares.
fn areas(out: &mut Page, count: usize) {
    let wide = (count as f64 / 2.0).sqrt().ceil() as usize;
    for n in 0..count {
        let (x, y) = ((n / 2 % wide) as f64 * 4000.0, (n / 2 / wide) as f64 * 4000.0);
        let [w, h] = if n % 2 == 0 { [4000.0, 200.0] } else { [200.0, 4000.0] };
        let (right, top) = (x + w, y + h);
        let _ = write!(
            out.0,
            "0\nSOLID\n8\n0\n10\n{x}\n20\n{y}\n11\n{right}\n21\n{y}\n12\n{x}\n22\n{top}\n13\n{right}\n23\n{top}\n"
        );
    }
}
