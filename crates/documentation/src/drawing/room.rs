//! Rooms in plan: their names, numbers and areas, placed where neither walls nor swings nor furniture nor other words are.

use super::Note;
use super::clip::{holds, sides};
use super::sheet::{Letter, Order, Sheet, layer};
use super::words::{Box2, extent};
use geometry::region::{Area, Loop};
use geometry::scene::Scene;
use geometry::section::{self, Plane};
use geometry::{Shaper, Solid};
use glam::DVec2;
use ifc::Id;
use paper::{Part, Subject, Weight};
use spatial::{Rooms, outline};

/// The places tried along each side of a room.
const PLACES: usize = 24;
/// The distance of words from walls, in mm of paper.
const CLEAR: f64 = 0.6;

/// A room of a storey, in metres of the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Room {
    /// The IfcSpace; `None` of a room that was found between walls.
    pub id: Option<Id>,
    /// Its number: the Name of an IfcSpace that has a LongName, else empty.
    pub number: String,
    /// Its name.
    pub name: String,
    /// The area of its floor in m².
    pub area: f64,
    /// From its floor to the highest part of its ceiling, in metres.
    pub height: f64,
    /// Its floor in plan.
    pub floor: Vec<Area>,
    /// Its outline at the height of the cut; that of its floor where the cut is not in it.
    pub cut: Vec<Area>,
}

impl Room {
    /// Its outlines at the height of the cut, holes among them.
    pub(super) fn loops(&self) -> Vec<Loop> {
        self.cut.iter().flat_map(|a| a.loops().cloned()).collect()
    }
}

/// The rooms of a storey, cut at a height of the world: its spaces with a body, else what its walls enclose.
/// Spaces without a body are noted.
pub(super) fn rooms(
    scene: &Scene,
    shaper: &Shaper<'_>,
    storey: Id,
    height: f64,
    notes: &mut Vec<Note>,
) -> Vec<Room> {
    let model = scene.model();
    let plane = Plane::level(height);
    let cut = |solid: &Solid, floor: &[Area]| {
        let areas = plane.map(|plane| section::of_solid(solid, &plane).areas).unwrap_or_default();
        if areas.is_empty() { floor.to_vec() } else { areas }
    };
    let spaces =
        scene.entries().iter().filter(|e| e.is_space && e.storey == Some(storey) && e.class == "IfcSpace");
    let mut found = Vec::new();
    let mut is_any = false;
    for entry in spaces {
        is_any = true;
        let solid = match spatial::body::body(shaper, entry.id) {
            Ok((solid, _)) => solid,
            Err(why) => {
                notes.push(Note { element: Some(entry.id), words: format!("is no room: {why}") });
                continue;
            }
        };
        let floor = outline::floor(&solid);
        let instance = model.get(entry.id);
        let said = |name: &str| instance.and_then(|i| i.text(name)).unwrap_or_default().trim().to_owned();
        let (name, long) = (said("Name"), said("LongName"));
        let (number, name) =
            if long.is_empty() || long == name { (String::new(), name) } else { (name, long) };
        let height = entry.bounds.size().z;
        found.push(Room {
            id: Some(entry.id),
            number,
            name,
            area: outline::size(&floor),
            height,
            cut: cut(&solid, &floor),
            floor,
        });
    }
    if is_any {
        return found;
    }
    let rooms = Rooms::from_scene(scene);
    let Some(at) = rooms.storeys.iter().position(|s| s.id == storey) else { return found };
    let of_storey = rooms.on_storey(at).filter_map(|n| rooms.rooms.get(n)).filter(|room| room.is_found());
    found.extend(of_storey.map(|room| Room {
        id: None,
        number: String::new(),
        name: room.name.clone(),
        area: outline::size(&room.floor),
        height: room.top - room.foot,
        cut: cut(&room.solid, &room.floor),
        floor: room.floor.clone(),
    }));
    found
}

/// The measure that a tag tells of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// The area of its floor.
    Area,
    /// Its clear height.
    Height,
}

/// A line of a tag: words, height, weight.
type Line = (String, crate::style::Positive, Weight);

/// Draws the tags of rooms; the places in the list of those for whose words there was no room.
pub(super) fn draw(sheet: &mut Sheet<'_>, rooms: &[Room], measure: Measure) -> Vec<usize> {
    let mut left_out = Vec::new();
    for (place, room) in rooms.iter().enumerate() {
        // the group is the room's, also without words
        sheet.group(Order::Room, room.id);
        if !tag(sheet, room, measure) {
            left_out.push(place);
        }
    }
    left_out
}

/// The lines of a tag: all, with the name on two lines, with that in smaller letters, and then less and less.
fn lines(sheet: &Sheet<'_>, room: &Room, measure: Measure) -> Vec<Vec<Line>> {
    let letters = &sheet.style.letters;
    let words = sheet.style.words();
    let name = (room.name.clone(), letters.room, Weight::Bold);
    let number = (room.number.clone(), letters.room_note, Weight::Regular);
    let told = match measure {
        Measure::Area => format!("{} {}", words.area, sheet.style.area(room.area)),
        Measure::Height => format!("{} {}", words.clear_height, sheet.style.measure(room.height).words()),
    };
    let area = (told, letters.room_note, Weight::Regular);
    let kept = |all: Vec<Line>| all.into_iter().filter(|l| !l.0.trim().is_empty()).collect();
    let short = if room.number.is_empty() { name.clone() } else { number.clone() };
    let mut all = vec![kept(vec![name.clone(), number.clone(), area.clone()])];
    if let Some((first, second)) = halves(&room.name) {
        for height in [letters.room, letters.room_note] {
            let half = |words: &str| (words.to_owned(), height, Weight::Bold);
            all.push(kept(vec![half(first), half(second), number.clone(), area.clone()]));
        }
    }
    all.extend([kept(vec![short.clone(), area]), kept(vec![short])]);
    all
}

/// A name in two parts of about one length, where it has several words.
fn halves(name: &str) -> Option<(&str, &str)> {
    let name = name.trim();
    let middle = name.len() / 2;
    let gaps = name.char_indices().filter(|(_, letter)| letter.is_whitespace() || *letter == '-');
    let (at, letter) = gaps.min_by_key(|(at, _)| at.abs_diff(middle))?;
    let (first, second) = name.split_at(at + letter.len_utf8());
    let parts = (first.trim(), second.trim());
    (!parts.0.is_empty() && !parts.1.is_empty()).then_some(parts)
}

/// The size of lines above each other, in mm.
fn size(lines: &[Line]) -> DVec2 {
    let wide =
        lines.iter().map(|(words, height, weight)| extent(words, height.0, *weight).x).fold(0.0, f64::max);
    let high: f64 = lines.iter().map(|(_, height, _)| height.0 * 1.6).sum();
    DVec2::new(wide, high)
}

fn tag(sheet: &mut Sheet<'_>, room: &Room, measure: Measure) -> bool {
    let loops: Vec<Loop> =
        room.loops().into_iter().map(|l| l.into_iter().map(|p| sheet.ground(p)).collect()).collect();
    let variants = lines(sheet, room, measure);
    // within the walls first, all of it and then less; then wherever no other words are
    for is_strict in [true, false] {
        for lines in variants.iter().filter(|l| !l.is_empty()) {
            for turned in [false, true] {
                if let Some(found) = place(sheet, &loops, size(lines), turned, is_strict) {
                    write(sheet, room, lines, &found);
                    return true;
                }
            }
        }
    }
    variants.first().is_none_or(Vec::is_empty)
}

/// The best place for a box in a room: clear of walls and words, and of what else is drawn as far as that can be.
pub(super) fn place(
    sheet: &Sheet<'_>,
    loops: &[Loop],
    size: DVec2,
    turned: bool,
    is_strict: bool,
) -> Option<Box2> {
    let (low, high) = loops
        .iter()
        .flatten()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    if !low.is_finite() || !high.is_finite() {
        return None;
    }
    let along = if turned { DVec2::NEG_Y } else { DVec2::X };
    let centre = low.midpoint(high);
    let mut best: Option<(f64, Box2)> = None;
    for row in 0..PLACES {
        for column in 0..PLACES {
            let share = (DVec2::new(column as f64, row as f64) + 0.5) / PLACES as f64;
            let middle = low + (high - low) * share;
            if !holds(loops, middle) {
                continue;
            }
            let room = Box2 { middle, half: size / 2.0, along };
            let wide = room.grown(CLEAR);
            if sheet.is_taken(&wide) {
                continue;
            }
            let in_walls = loops.iter().flat_map(sides).any(|(a, b)| wide.is_crossed(a, b));
            if in_walls && is_strict {
                continue;
            }
            let busy = sheet.busy.iter().chain(&sheet.overhead).filter(|b| b.meets(&room)).count();
            if busy > 0 && is_strict && sheet.scale < 75.0 && !turned && best.is_some() {
                continue;
            }
            let penalty = busy as f64 * 40.0 + if in_walls { 100.0 } else { 0.0 };
            let cost = penalty + middle.distance(centre);
            if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                best = Some((cost, room));
            }
        }
    }
    best.map(|(_, room)| room)
}

fn write(sheet: &mut Sheet<'_>, room: &Room, lines: &[Line], place: &Box2) {
    let turned = place.along.y.abs() > 0.5;
    let down = place.along.perp();
    let mut at = place.middle - down * place.half.y;
    for (words, height, weight) in lines {
        let step = height.0 * 1.6;
        let letter = Letter {
            weight: *weight,
            angle: if turned { 90.0 } else { 0.0 },
            halo: 0.5,
            ..Letter::middle(*height)
        };
        let node = sheet.text(at + down * (step / 2.0), words, letter, layer(Subject::Space, Part::Text));
        sheet.put(Order::Room, room.id, [node]);
        at += down * step;
    }
}

#[cfg(test)]
mod tests {
    use super::halves;

    #[test]
    fn a_name_of_several_words_is_parted_near_its_middle() {
        assert_eq!(halves("Arbeitszimmer Nord"), Some(("Arbeitszimmer", "Nord")));
        assert_eq!(halves("Living and dining room"), Some(("Living and", "dining room")));
        assert_eq!(halves("Wohn-Schlafzimmer"), Some(("Wohn-", "Schlafzimmer")));
        assert_eq!((halves("Bad"), halves(" -"), halves("")), (None, None, None));
    }
}
