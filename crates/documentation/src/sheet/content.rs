//! What drawings read of a model beside shapes, as digests: names, types, properties, materials, storeys, grids.

use geometry::scene::{Entry, Scene};
use ifc::psets::definitions_of;
use ifc::relations::Links;
use ifc::{Id, Model, Value};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;

/// Names content.
pub(super) type Digest = [u8; 32];

/// References followed from one instance, at most; chains of placements are far shorter.
const DEEPEST: usize = 200;

/// Classes whose content the digest of a shape names already, or that say nothing on drawings.
const PASSED: [&str; 4] =
    ["IfcOwnerHistory", "IfcRepresentationMap", "IfcPresentationStyleAssignment", "IfcRepresentationContext"];

/// Digests of one state of a model, made as they are asked for.
pub(super) struct Contents<'s> {
    scene: &'s Scene,
    /// The relations of the state.
    pub links: Links<'s>,
    known: HashMap<Id, Digest>,
    elements: HashMap<Id, Digest>,
    /// The digest of all that every drawing hangs on.
    pub all: Digest,
}

impl<'s> Contents<'s> {
    pub fn new(scene: &'s Scene) -> Contents<'s> {
        let links = Links::of_many(scene.model());
        let (known, elements) = (HashMap::new(), HashMap::new());
        let mut own = Contents { scene, links, known, elements, all: Digest::default() };
        own.all = own.common();
        own
    }

    /// Names of storeys and their heights, grids, the site, units, true north.
    fn common(&mut self) -> Digest {
        const CLASSES: [&str; 7] = [
            "IfcProject",
            "IfcSite",
            "IfcBuilding",
            "IfcBuildingStorey",
            "IfcGrid",
            "IfcGeometricRepresentationContext",
            "IfcCoordinateOperation",
        ];
        let model = self.scene.model();
        let mut hash = Sha256::new();
        for class in CLASSES {
            for id in model.of_class(class) {
                hash.update(self.common_instance(model, id));
            }
        }
        hash.finalize().into()
    }

    fn common_instance(&mut self, model: &Model, id: Id) -> Digest {
        let Some(instance) = model.get(id) else { return Digest::default() };
        let mut hash = Sha256::new();
        hash.update(instance.class_name());
        for value in instance.attributes() {
            self.value(&value, &mut hash, 0);
        }
        if instance.is_a("IfcGrid") {
            hash.update(self.links.storey_of(id).map_or(0, |storey| storey.0).to_le_bytes());
        }
        hash.finalize().into()
    }

    /// The shape and storey of an element.
    pub fn shape(entry: &Entry) -> impl Iterator<Item = u8> {
        let numbers = [entry.id.0, entry.storey.map_or(0, |id| id.0)];
        let box_bytes = entry.bounds.min.to_array().into_iter().chain(entry.bounds.max.to_array());
        let bytes = numbers.into_iter().flat_map(u32::to_le_bytes);
        bytes.chain(entry.digest).chain(box_bytes.flat_map(f64::to_le_bytes))
    }

    /// All that is said of an element: itself, its type, property sets and materials, and those of what it is a part of.
    pub fn element(&mut self, id: Id) -> Digest {
        if let Some(known) = self.elements.get(&id) {
            return *known;
        }
        let mut hash = Sha256::new();
        let mut own = Some(id);
        for _ in 0..DEEPEST {
            let Some(id) = own else { break };
            self.said(id, &mut hash);
            own = self.links.aggregate_parent(id);
        }
        for id in [self.links.opening_of_filling(id), self.links.host_of(id)].into_iter().flatten() {
            self.said(id, &mut hash);
        }
        let digest = hash.finalize().into();
        self.elements.insert(id, digest);
        digest
    }

    fn said(&mut self, id: Id, hash: &mut Sha256) {
        let (own, of_type) = definitions_of(&self.links, id);
        let type_of = self.links.type_of(id).filter(|of| *of != id);
        let materials =
            [Some(id), type_of].into_iter().flatten().filter_map(|of| self.links.own_material(of));
        let reached: Vec<Id> =
            [Some(id), type_of].into_iter().flatten().chain(materials).chain(own).chain(of_type).collect();
        for id in reached {
            hash.update(self.instance(id, 0));
        }
    }

    /// An instance with all that it refers to.
    fn instance(&mut self, id: Id, depth: usize) -> Digest {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let Some(instance) = self.scene.model().get(id) else { return Digest::default() };
        // where the body is, the digest of the shape tells; the axis says where the layers of a wall lie
        let is_body =
            instance.is_a("IfcRepresentation") && !instance.says("RepresentationIdentifier", "Axis");
        if depth > DEEPEST || is_body || PASSED.iter().any(|class| instance.is_a(class)) {
            return Digest::default();
        }
        // an instance that leads back to itself ends here
        self.known.insert(id, Digest::default());
        let mut hash = Sha256::new();
        hash.update(id.0.to_le_bytes());
        hash.update(instance.class_name());
        for value in instance.attributes() {
            self.value(&value, &mut hash, depth);
        }
        let digest = hash.finalize().into();
        self.known.insert(id, digest);
        digest
    }

    fn value(&mut self, value: &Value, hash: &mut Sha256, depth: usize) {
        match value {
            Value::Null => hash.update([0]),
            Value::Derived => hash.update([1]),
            Value::Unknown => hash.update([2]),
            Value::Boolean(v) => hash.update([3, u8::from(*v)]),
            Value::Integer(v) => hash.update(v.to_le_bytes()),
            Value::Real(v) => hash.update(v.to_le_bytes()),
            Value::Text(text) | Value::Enum(text) | Value::Binary(text) => {
                hash.update((text.len() as u64).to_le_bytes());
                hash.update(text.as_bytes());
            }
            Value::Ref(id) => hash.update(self.instance(*id, depth + 1)),
            Value::List(list) => {
                hash.update((list.len() as u64).to_le_bytes());
                for own in list {
                    self.value(own, hash, depth + 1);
                }
            }
            Value::Typed(name, own) => {
                hash.update(name.as_bytes());
                self.value(own, hash, depth + 1);
            }
        }
    }
}
