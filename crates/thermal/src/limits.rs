//! What lies behind the faces of rooms that look at no other room, settled: corrections, party walls, and what is left adiabatic.
//!
//! A wall to a neighbouring building has no heat flow through it. It is told by a space boundary EXTERNAL_FIRE, by its name or that of its
//! type, by IsExternal FALSE where other outer walls say TRUE, or by a neighbour's body close behind it.

use crate::{corrections::Here, report::Notes, space::Room};
use geometry::{
    Shaper,
    query::{Index, Ray},
};
use ifc::{Id, psets, relations::Links};
use spatial::{
    elements::{Elements, guid},
    facet::Facet,
    pairing::{Behind, Piece},
};
use std::collections::{HashMap, HashSet};

/// Words by which a wall to a neighbouring building is known, in lower case.
const PARTY: [&str; 9] = [
    "party wall",
    "haustrennwand",
    "gebäudetrennwand",
    "gebaeudetrennwand",
    "brandwand",
    "kommunwand",
    "mur mitoyen",
    "medianera",
    "woningscheidende",
];
/// The most, in metres, that a neighbour's body lies behind a party wall.
const CLOSE: f64 = 0.15;
/// The least height and width, in metres, of a body that is a neighbour's house.
const HOUSE: f64 = 2.0;

/// The things behind the faces of rooms.
pub(crate) struct Limits<'a, 'm> {
    links: &'a Links<'m>,
    rooms: &'a [Room],
    facets: &'a [Facet],
    neighbours: Index,
    /// Elements of boundaries that face another building, by space.
    fire: HashSet<(Id, Id)>,
    /// True if some outer wall says that it is external.
    says_external: bool,
    /// IsExternal of elements.
    external: HashMap<Id, Option<bool>>,
}

impl<'a, 'm> Limits<'a, 'm> {
    pub fn new(
        shaper: &Shaper<'_>,
        links: &'a Links<'m>,
        elements: &Elements,
        rooms: &'a [Room],
        facets: &'a [Facet],
    ) -> Self {
        let mut fire = HashSet::new();
        for room in rooms {
            for boundary in links.boundaries_of_space(room.space) {
                if let Some(element) = boundary.element
                    && boundary.internal.as_deref() == Some("EXTERNAL_FIRE")
                {
                    fire.insert((room.space, element));
                }
            }
        }
        let neighbours = neighbours(shaper, elements);
        Limits { links, rooms, facets, neighbours, fire, says_external: false, external: HashMap::new() }
    }

    /// Settles what is behind every piece.
    pub fn settle(mut self, pieces: &mut [Piece], notes: &mut Notes) {
        let outer = pieces.iter().filter(|piece| piece.behind == Behind::Outdoors);
        let walls: HashSet<Id> = outer.flat_map(|piece| piece.crossed.iter().map(|c| c.element)).collect();
        for wall in walls {
            let said = self.is_external(wall);
            self.external.insert(wall, said);
            self.says_external |= said == Some(true);
        }
        for piece in pieces {
            if matches!(piece.behind, Behind::Piece(_)) {
                continue;
            }
            let Some((facet, room)) =
                self.facets.get(piece.facet).and_then(|facet| Some((facet, self.rooms.get(facet.room)?)))
            else {
                continue;
            };
            let outermost = piece.crossed.last().map(|c| c.element);
            let place = outermost.map_or_else(|| room.guid.clone(), |id| guid(self.links.model(), id));
            if let Some(behind) = self.corrected(piece, room, &place, notes) {
                piece.behind = behind;
                continue;
            }
            let why = match piece.behind {
                Behind::End => Some("the end of an element lies behind".to_owned()),
                Behind::Building => Some("a part of the building without a space lies behind".to_owned()),
                Behind::Outdoors if facet.normal().z.abs() <= 0.5 => self.party(piece, facet, room),
                _ => None,
            };
            let Some(why) = why else { continue };
            let is_party = piece.behind == Behind::Outdoors;
            if is_party {
                piece.behind = Behind::Building;
            }
            notes.assume("boundary", if is_party { &place } else { &room.guid }, "adiabatic", &why);
        }
    }

    /// The boundary that a correction says is behind a piece: of an element that stands there, else of a room whose face was assumed adiabatic.
    fn corrected(&self, piece: &Piece, room: &Room, place: &str, notes: &mut Notes) -> Option<Behind> {
        if !notes.has_corrections("boundary") {
            return None;
        }
        let is_assumed = matches!(piece.behind, Behind::End | Behind::Building);
        let mut heres: Vec<Here<'_, '_>> =
            piece.crossed.iter().map(|c| Here::element(self.links, c.element, &[])).collect();
        if is_assumed {
            heres.push(Here::element(self.links, room.space, &[&room.label]));
        }
        let word = heres.iter().find_map(|here| notes.word("boundary", place, here))?;
        Some(match word.as_str() {
            "outdoors" => Behind::Outdoors,
            "ground" => Behind::Ground,
            _ => Behind::Building,
        })
    }

    /// The reason for which a wall to the outside is one to a neighbouring building.
    fn party(&self, piece: &Piece, facet: &Facet, room: &Room) -> Option<String> {
        let model = self.links.model();
        let elements = || piece.crossed.iter().map(|c| c.element);
        if elements().any(|element| self.fire.contains(&(room.space, element))) {
            return Some("a space boundary says EXTERNAL_FIRE: another building lies behind".to_owned());
        }
        let says = |element: Id| {
            let names = [Some(element), self.links.type_of(element)].into_iter().flatten();
            let mut names = names.filter_map(|id| model.get(id)?.name()).map(|name| name.to_lowercase());
            names.find(|name| PARTY.iter().any(|word| name.contains(word)))
        };
        if let Some(name) = elements().find_map(says) {
            return Some(format!("a wall to a neighbouring building, as its name says: {name:?}"));
        }
        let is_inner = |element: Id| self.external.get(&element) == Some(&Some(false));
        if self.says_external && piece.crossed.iter().next().is_some() && elements().all(is_inner) {
            return Some("Pset_WallCommon states IsExternal FALSE, and other outer walls TRUE".to_owned());
        }
        self.is_close(piece, facet).then(|| "a neighbour's body stands close behind".to_owned())
    }

    /// IsExternal of a wall; of other elements nothing.
    fn is_external(&self, element: Id) -> Option<bool> {
        self.links.model().get(element).filter(|e| e.is_a("IfcWall"))?;
        psets::find_with(self.links, element, "Pset_WallCommon", "IsExternal")?.value.untyped().as_bool()
    }

    /// Returns true if a neighbour's body is close behind most of a piece.
    fn is_close(&self, piece: &Piece, facet: &Facet) -> bool {
        if self.neighbours.is_empty() {
            return false;
        }
        let end = piece.crossed.iter().map(|c| c.to).fold(0.0, f64::max);
        let (mut close, mut all) = (0.0, 0.0);
        for (point, weight) in Facet::samples(&piece.area) {
            all += weight;
            let ray =
                Ray::new(facet.above(point, end - 0.05), facet.normal()).map(|ray| ray.up_to(CLOSE + 0.05));
            if ray.is_some_and(|ray| self.neighbours.any_hit(&ray, |_| true).is_some()) {
                close += weight;
            }
        }
        close > 0.5 * all
    }
}

/// The bodies of neighbouring houses: proxies as large as one, and what buildings have as their own bodies.
fn neighbours(shaper: &Shaper<'_>, elements: &Elements) -> Index {
    let model = shaper.reader.model;
    let mut ids = model.of_class("IfcBuildingElementProxy");
    ids.retain(|id| !elements.is_enclosing(*id));
    ids.extend(model.of_class("IfcBuilding"));
    let body = |id: Id| {
        let shape = shaper.uncut_element(id).ok().filter(|shape| !shape.is_box)?;
        let bounds = shape.bounds();
        let size = bounds.max - bounds.min;
        let is_house = !bounds.is_empty() && size.z >= HOUSE && size.x.max(size.y) >= HOUSE;
        is_house.then(|| (id, std::sync::Arc::new(shape.mesh())))
    };
    let index: Index = ids.into_iter().filter_map(body).collect();
    index.prepare();
    index
}
