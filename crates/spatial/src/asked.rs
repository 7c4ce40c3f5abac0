//! Lines that were asked of the elements on the way to an answer: it holds in the next version as long as they would find the same.

use geometry::{Bounds, query::Ray};
use ifc::Id;
use std::collections::BTreeSet;

/// The distance in metres within which a box is asked about line by line: far more than what lines give for rounding.
const SLACK: f64 = 0.001;

/// The lines behind an answer.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Lines of which everything on them counts, and lines that met nothing.
    lines: Vec<Ray>,
    /// The box around these.
    around: Bounds,
    /// Elements that lines met of which one meeting was enough.
    met: Vec<Id>,
}

impl Default for Asked {
    fn default() -> Asked {
        Asked { lines: Vec::new(), around: Bounds::EMPTY, met: Vec::new() }
    }
}

impl Asked {
    /// Notes a line of which everything on it counts, or which met nothing.
    pub(crate) fn line(&mut self, ray: Ray) {
        self.around = self.around.join(&ray.bounds());
        self.lines.push(ray);
    }

    /// Notes an element that a line met.
    pub(crate) fn met(&mut self, element: Id) {
        if !self.met.contains(&element) {
            self.met.push(element);
        }
    }

    /// Bytes that they take, about.
    pub(crate) fn weight(&self) -> u64 {
        (56 * self.lines.len() + 4 * self.met.len()) as u64
    }

    /// The box around all lines.
    pub(crate) fn bounds(&self) -> Bounds {
        self.around
    }

    /// Returns true if all lines find after a change what they found before.
    pub(crate) fn holds(&self, change: &Change) -> bool {
        if change.elements.is_empty() {
            return true;
        }
        // most lines are far from all of it
        let is_near = self.around.meets(&change.around, SLACK);
        let may_meet =
            |line: &Ray| line.may_meet(&change.around) && change.boxes.iter().any(|b| line.may_meet(b));
        let differs = self.met.iter().any(|id| change.former.contains(id))
            || (is_near && self.lines.iter().any(may_meet));
        !differs
    }
}

/// The elements that differ between two versions.
#[derive(Debug)]
pub struct Change {
    elements: BTreeSet<Id>,
    /// Those of them that were there before.
    former: BTreeSet<Id>,
    /// The boxes around each before and after, in metres of the world.
    boxes: Vec<Bounds>,
    /// The box around all of them.
    around: Bounds,
}

impl Default for Change {
    fn default() -> Change {
        let elements = BTreeSet::new();
        Change { former: elements.clone(), elements, boxes: Vec::new(), around: Bounds::EMPTY }
    }
}

impl Change {
    /// Notes an element with its box in one of the versions.
    pub(crate) fn add(&mut self, element: Id, bounds: Bounds) {
        self.elements.insert(element);
        if !bounds.is_empty() && !self.boxes.contains(&bounds) {
            self.boxes.push(bounds);
            self.around = self.around.join(&bounds);
        }
    }

    /// Notes an element that was there before with the box that it had.
    pub(crate) fn add_former(&mut self, element: Id, bounds: Bounds) {
        self.former.insert(element);
        self.add(element, bounds);
    }

    /// Returns true if what was asked along lines within a box holds whatever these are, for the change is of what is new and far off.
    pub(crate) fn is_new_and_beyond(&self, lines: &Bounds) -> bool {
        self.former.is_empty() && !self.around.meets(lines, SLACK)
    }

    /// Returns true if a changed element is, or was, within so many metres of a box.
    pub(crate) fn is_near(&self, bounds: &Bounds, metres: f64) -> bool {
        self.boxes.iter().any(|b| b.meets(bounds, metres))
    }

    /// The boxes around each before and after.
    pub(crate) fn boxes(&self) -> &[Bounds] {
        &self.boxes
    }
}
