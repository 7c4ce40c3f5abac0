//! Bodies that stand around each other, with the relations between them: those of a whole model, or of what a change touched and came near.

use building::soundness;
use geometry::query::Element;
use geometry::{Bounds, Shaper};
use glam::DVec3;
use ifc::relations::Links;
use ifc::{Id, Model};
use std::sync::Arc;

/// The bodies around something, and their relations.
pub(crate) trait Around {
    /// The model that they are of.
    fn model(&self) -> &Model;

    /// Its relations.
    fn links(&self) -> &Links<'_>;

    /// Makes shapes that are not among the bodies.
    fn shaper(&self) -> &Shaper<'_>;

    /// The body of an element less its openings; none where a box stands for it.
    fn body(&self, id: Id) -> Option<Arc<Element>>;

    /// The elements whose boxes are within so many metres of a box, spaces among them or not.
    fn near(&self, bounds: &Bounds, metres: f64) -> Vec<Id>;

    /// The elements that a point is in, spaces among them or not.
    fn at_point(&self, p: DVec3) -> Vec<Id> {
        let here = Bounds::from_points([p]);
        let mut near = self.near(&here, 0.0);
        near.retain(|id| self.body(*id).is_some_and(|body| body.contains(p)));
        near
    }

    /// Returns true of an instance of a class or its subtypes.
    fn is_a(&self, id: Id, class: &str) -> bool {
        self.model().get(id).is_some_and(|instance| instance.is_a(class))
    }

    /// Returns true of an instance of one of some classes or their subtypes.
    fn is_any(&self, id: Id, classes: &[&str]) -> bool {
        self.model().get(id).is_some_and(|instance| classes.iter().any(|class| instance.is_a(class)))
    }

    /// An element in words: class and name.
    fn called(&self, id: Id) -> String {
        soundness::called(self.model(), id)
    }

    /// The GlobalId of an element, where it is the only one that has it, as tools name elements.
    fn guid(&self, id: Id) -> Option<String> {
        let guid = self.model().get(id)?.guid()?;
        (self.model().by_guid(&guid) == Some(id) && !guid.is_empty()).then_some(guid)
    }
}
