//! Finds what differs between two versions, element by element.

use super::shape::{Relation, relation, turn};
use super::values::{Stating, differing};
use super::{Change, What};
use building::picture::title;
use geometry::scene::{Entry, GoOn, Scene};
use geometry::{Mesh, Shaper};
use glam::{DAffine3, DVec3};
use ifc::{Id, Model};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Finds the changes between two versions of a model in the order of storey, kind, class, name and GlobalId; `None` where `go_on` ended it.
/// Compared are elements that can have a shape, also rooms. Elements are one by their GlobalId; where several have one, by their order.
pub fn changes(before: &Scene, after: &Scene, go_on: GoOn<'_>) -> Option<Vec<Change>> {
    let compare = Compare { before: Side::new(before), after: Side::new(after) };
    let pairs = pairs(before, after);
    let mut found = Vec::new();
    for (n, (old, new)) in pairs.iter().enumerate() {
        if !go_on(n + 1, pairs.len()) {
            return None;
        }
        let whats = match (old, new) {
            (None, Some(_)) => vec![What::New],
            (Some(_), None) => vec![What::Removed],
            (Some(old), Some(new)) => compare.whats(old, new),
            (None, None) => Vec::new(),
        };
        let Some((side, entry)) = new.map(|e| (&compare.after, e)).or(old.map(|e| (&compare.before, e)))
        else {
            continue;
        };
        if whats.is_empty() {
            continue;
        }
        let model = side.scene.model();
        found.push(Change {
            number: 0,
            global_id: entry.global_id.clone(),
            class: entry.class.clone(),
            name: title(model, entry.id),
            before: old.map(|e| e.id),
            after: new.map(|e| e.id),
            storey: entry.storey.map(|id| (title(model, id), building::storey::floor_height(model, id))),
            bounds: entry.bounds,
            whats,
            cloud: None,
        });
    }
    let level = |c: &Change| c.storey.as_ref().map_or(f64::INFINITY, |s| s.1);
    found.sort_by(|a, b| {
        let by_text = || (&a.class, &a.name, &a.global_id).cmp(&(&b.class, &b.name, &b.global_id));
        level(a).total_cmp(&level(b)).then(a.kind().cmp(&b.kind())).then_with(by_text)
    });
    for (n, change) in found.iter_mut().enumerate() {
        change.number = n + 1;
    }
    Some(found)
}

type Pair<'s> = (Option<&'s Arc<Entry>>, Option<&'s Arc<Entry>>);

/// Elements of both versions by GlobalId.
fn pairs<'s>(before: &'s Scene, after: &'s Scene) -> Vec<Pair<'s>> {
    let by_id = |scene: &'s Scene| {
        let mut all: BTreeMap<&str, Vec<&Arc<Entry>>> = BTreeMap::new();
        for entry in scene.entries() {
            all.entry(&entry.global_id).or_default().push(entry);
        }
        all
    };
    let (old, mut new) = (by_id(before), by_id(after));
    let mut all = Vec::new();
    for (id, olds) in old {
        let news = new.remove(id).unwrap_or_default();
        for n in 0..olds.len().max(news.len()) {
            all.push((olds.get(n).copied(), news.get(n).copied()));
        }
    }
    all.extend(new.into_values().flatten().map(|entry| (None, Some(entry))));
    all
}

/// One version.
struct Side<'s> {
    scene: &'s Scene,
    shaper: Shaper<'s>,
    stating: Stating<'s>,
    metre: f64,
}

impl<'s> Side<'s> {
    fn new(scene: &'s Scene) -> Side<'s> {
        let model: &Model = scene.model();
        let metre = ifc::Units::from_model(model).length_mm / 1000.0;
        Side { scene, shaper: Shaper::plain(model), stating: Stating::new(model), metre }
    }

    fn frame(&self, id: Id) -> DAffine3 {
        let mut frame = ifc::placement::of_product(self.scene.model(), id);
        frame.translation *= self.metre;
        frame
    }

    /// The shape with its openings left in, or as it is where it has none.
    fn whole(&self, id: Id, is_opened: bool) -> Mesh {
        if is_opened && let Ok(shape) = self.shaper.uncut_element(id) {
            return shape.mesh();
        }
        self.scene.shape(id).map(|shape| shape.mesh()).unwrap_or_default()
    }

    fn openings(&self, id: Id) -> BTreeMap<String, Id> {
        let model = self.scene.model();
        let named = |id: Id| Some((model.get(id)?.guid()?, id));
        self.stating.links().openings_of(id).into_iter().filter_map(named).collect()
    }

    fn opening_shape(&self, id: Id) -> Mesh {
        self.shaper.element(id).map(|shape| shape.mesh()).unwrap_or_default()
    }

    fn colours(&self, id: Id) -> Vec<[u8; 4]> {
        let shape = self.scene.shape(id);
        let mut all: Vec<[u8; 4]> = shape.iter().flat_map(|s| &s.parts).map(|p| p.colour).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

struct Compare<'s> {
    before: Side<'s>,
    after: Side<'s>,
}

impl Compare<'_> {
    fn whats(&self, old: &Entry, new: &Entry) -> Vec<What> {
        let mut whats = Vec::new();
        if old.class != new.class {
            whats.push(What::Class { from: old.class.clone(), to: new.class.clone() });
        }
        if old.digest != new.digest {
            self.shapes(old, new, &mut whats);
        }
        let values = differing((&self.before.stating, old.id), (&self.after.stating, new.id));
        if !values.is_empty() {
            whats.push(What::Values(values));
        }
        whats
    }

    fn shapes(&self, old: &Entry, new: &Entry, whats: &mut Vec<What>) {
        let (olds, news) = (self.before.openings(old.id), self.after.openings(new.id));
        let is_opened = !olds.is_empty() || !news.is_empty();
        let (from, to) = (self.before.whole(old.id, is_opened), self.after.whole(new.id, is_opened));
        let rigid = self.after.frame(new.id) * self.before.frame(old.id).inverse();
        let found = relation(&from, &to, Some(rigid).filter(DAffine3::is_finite));
        match found {
            Relation::Same => {}
            Relation::Moved(map) => {
                let (a, b) = (from.measures().bounds.centre(), to.measures().bounds.centre());
                whats.push(What::Moved { by: b - a, turned: turn(&map) });
            }
            Relation::Other => {
                let size = |mesh: &Mesh| {
                    let bounds = mesh.measures().bounds;
                    if bounds.is_empty() { DVec3::ZERO } else { bounds.size() }
                };
                whats.push(What::Shape { from: size(&from), to: size(&to) });
            }
        }
        let map = match found {
            Relation::Moved(map) => map,
            _ => DAffine3::IDENTITY,
        };
        let mut count = [0; 3];
        for (id, opening) in &olds {
            let Some(now) = news.get(id) else {
                count[1] += 1;
                continue;
            };
            let mut shape = self.before.opening_shape(*opening);
            for p in &mut shape.positions {
                *p = map.transform_point3(*p);
            }
            if relation(&shape, &self.after.opening_shape(*now), None) != Relation::Same {
                count[2] += 1;
            }
        }
        count[0] = news.keys().filter(|id| !olds.contains_key(*id)).count();
        if count != [0; 3] {
            whats.push(What::Openings { new: count[0], removed: count[1], changed: count[2] });
        }
        let drawn = (self.before.whole(old.id, false), self.after.whole(new.id, false));
        if whats.is_empty() && relation(&drawn.0, &drawn.1, None) != Relation::Same {
            // cut otherwise than its openings say
            let size = |mesh: &Mesh| mesh.measures().bounds.size();
            whats.push(What::Shape { from: size(&drawn.0), to: size(&drawn.1) });
        }
        if whats.is_empty() && self.before.colours(old.id) != self.after.colours(new.id) {
            whats.push(What::Look);
        }
    }
}
