//! Faces over lists of points (IfcTriangulatedFaceSet, IfcPolygonalFaceSet): a faceted brep where they close, a face
//! based surface model where they do not. The shape is the same; colours and textures by face are not carried.

use crate::Outcome;
use crate::step::{Fate, Step};
use ifc::{Id, Instance, Value};

/// A face: its outer loop and its holes, as numbers of points from nought.
type Loops = Vec<Vec<usize>>;

impl Step<'_> {
    /// A representation of tessellated items says what they become.
    pub(super) fn facets_ahead(&mut self) {
        for id in self.source.of_class("IfcShapeRepresentation") {
            let Some(representation) = self.source.get(id) else { continue };
            if representation.text("RepresentationType").as_deref() != Some("Tessellation") {
                continue;
            }
            let items = representation.references("Items");
            let solid = items.iter().all(|item| self.closes(*item));
            let kind = if solid { "Brep" } else { "SurfaceModel" };
            self.overrides.entry(id.0).or_default().push(("RepresentationType", kind.into()));
            self.record.note(
                id.0,
                "IfcShapeRepresentation",
                Outcome::Mapped,
                &format!("its type is {kind} now"),
            );
        }
    }

    fn closes(&self, item: Id) -> bool {
        let Some(item) = self.source.get(item) else { return false };
        item.attr("Closed").as_bool() == Some(true)
    }

    pub(super) fn face_set(&mut self, instance: &Instance<'_>) -> Fate {
        let Some(list) = instance.reference("Coordinates") else {
            return self.dropped(instance, "has no points");
        };
        let faces = if instance.is_a("IfcTriangulatedFaceSet") {
            triangles(instance)
        } else {
            self.polygons(instance)
        };
        let order = instance.attr("PnIndex");
        let order: Option<Vec<Option<usize>>> =
            order.as_list().map(|numbers| numbers.iter().map(number).collect());
        let placed = |at: usize| match &order {
            Some(order) => order.get(at).copied().flatten(),
            None => Some(at),
        };
        let count = self.point_count(list);
        let mut made = Vec::with_capacity(faces.len());
        let mut degenerate = 0;
        for loops in faces {
            let loops: Option<Loops> = loops
                .into_iter()
                .map(|corners| corners.into_iter().map(|at| placed(at).filter(|at| *at < count)).collect())
                .collect();
            match loops.and_then(|loops| self.face(list, &loops)) {
                Some(face) => made.push(face),
                None => degenerate += 1,
            }
        }
        if made.is_empty() {
            return self.dropped(instance, "has no face");
        }
        if degenerate > 0 {
            self.approximated(instance, "faces without area or with points that are not there are left out");
        }
        let solid = self.closes(instance.id());
        let (shell, class, attribute) = if solid {
            ("IfcClosedShell", "IfcFacetedBrep", "Outer")
        } else {
            ("IfcConnectedFaceSet", "IfcFaceBasedSurfaceModel", "FbsmFaces")
        };
        let Some(shell) = self.make(shell, &[("CfsFaces", made.into())]) else {
            return self.dropped(instance, "has no equal");
        };
        let shell = if solid { Value::Ref(shell) } else { Value::list([shell]) };
        self.made(instance, class, &[(attribute, shell)], Outcome::Mapped, &format!("is {class} now"))
    }

    fn face(&mut self, list: Id, loops: &Loops) -> Option<Id> {
        let mut bounds = Vec::with_capacity(loops.len());
        for (at, corners) in loops.iter().enumerate() {
            let mut corners = corners.clone();
            corners.dedup();
            if corners.len() > 1 && corners.first() == corners.last() {
                corners.pop();
            }
            let points = self.points(list, &corners);
            let mut distinct = points.clone();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() < 3 || distinct.len() != points.len() {
                if at == 0 {
                    return None;
                }
                continue;
            }
            let line = self.make("IfcPolyLoop", &[("Polygon", points.into())])?;
            let class = if at == 0 { "IfcFaceOuterBound" } else { "IfcFaceBound" };
            bounds.extend(self.make(class, &[("Bound", line.into()), ("Orientation", Value::Boolean(true))]));
        }
        self.make("IfcFace", &[("Bounds", bounds.into())])
    }

    fn polygons(&self, instance: &Instance<'_>) -> Vec<Loops> {
        let faces = instance.references("Faces").into_iter().filter_map(|id| self.source.get(id));
        faces
            .map(|face| {
                let outer = numbers(&face.attr("CoordIndex"));
                let inner = face.attr("InnerCoordIndices");
                let inner = inner.as_list().unwrap_or_default().iter().map(numbers);
                std::iter::once(outer).chain(inner).collect()
            })
            .collect()
    }
}

fn triangles(instance: &Instance<'_>) -> Vec<Loops> {
    let rows = instance.attr("CoordIndex");
    rows.as_list().unwrap_or_default().iter().map(|row| vec![numbers(row)]).collect()
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_list().unwrap_or_default().iter().filter_map(number).collect()
}

/// A number of the file, from one, as one from nought.
fn number(value: &Value) -> Option<usize> {
    usize::try_from(value.as_i64()?).ok()?.checked_sub(1)
}
