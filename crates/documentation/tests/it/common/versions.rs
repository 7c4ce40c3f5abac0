//! Later versions of models, made by known edits.

use geometry::Scene;
use glam::DVec3;
use ifc::{Edit, Id, Value};

/// An edit on a model, of which everything is known.
pub struct Later {
    pub edit: Edit,
    metre: f64,
}

impl Later {
    pub fn new(scene: &Scene) -> Later {
        let model = scene.model();
        Later { edit: model.edit(), metre: 1000.0 / ifc::Units::from_model(model).length_mm }
    }

    /// Moves an element by metres of its placement's own parent.
    pub fn shift(&mut self, element: Id, by: DVec3) {
        let axes = self
            .edit
            .get(element)
            .and_then(|e| e.reference("ObjectPlacement"))
            .and_then(|p| self.edit.get(p)?.reference("RelativePlacement"))
            .unwrap();
        let mut at = [0.0; 3];
        let location = self.edit.get(axes).unwrap().reference("Location").unwrap();
        self.edit.get(location).unwrap().numbers("Coordinates", &mut at);
        let by = by * self.metre;
        let moved = [at[0] + by.x, at[1] + by.y, at[2] + by.z].map(Value::Real);
        let point =
            self.edit.create("IfcCartesianPoint", &[("Coordinates", Value::List(moved.to_vec()))]).unwrap();
        self.edit.set(axes, "Location", point).unwrap();
    }

    /// Makes one element another by its GlobalId: the old one is gone, the new one was not there.
    pub fn exchange(&mut self, element: Id, global_id: &str) {
        self.edit.set(element, "GlobalId", global_id).unwrap();
    }

    pub fn rename(&mut self, element: Id, name: &str) {
        self.edit.set(element, "Name", name).unwrap();
    }

    pub fn scene(self) -> Scene {
        Scene::from_model(&self.edit.finish().0)
    }
}
