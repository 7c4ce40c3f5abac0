//! Representations: the axis lines and extruded bodies that elements are given, in the contexts the file has for them.

use crate::author::{Author, word};
use crate::frame::Frame;
use crate::polygon::bounds;
use contract::Fault;
use glam::DVec2;
use ifc::{Id, Value};

impl Author<'_> {
    /// The context that representations of this kind (`Body`, `Axis`, `FootPrint`) belong to: the file's own
    /// subcontext, else its model context, as files without subcontexts use it. Written where the file has none.
    pub fn context(&mut self, identifier: &str) -> Result<Id, Fault> {
        for id in self.edit.of_class_exact("IfcGeometricRepresentationSubContext") {
            let Some(context) = self.edit.get(id) else { continue };
            let is_of_model = || {
                let parent = context.reference("ParentContext").and_then(|parent| self.edit.get(parent));
                parent.and_then(|parent| parent.text("ContextType")).is_none_or(|kind| kind == "Model")
            };
            if context.says("ContextIdentifier", identifier) && is_of_model() {
                return Ok(id);
            }
        }
        let whole = self.edit.of_class_exact("IfcGeometricRepresentationContext");
        let model = whole.iter().copied().find(|id| {
            self.edit
                .get(*id)
                .and_then(|c| c.text("ContextType"))
                .is_some_and(|t| t.eq_ignore_ascii_case("model"))
        });
        if let Some(context) = model.or_else(|| whole.first().copied()) {
            return Ok(context);
        }
        Err(Fault::constraint(
            "This model has no geometric context, so nothing can be drawn in it. Make a model with create_project.",
        ))
    }

    /// The model context and the subcontexts of a new project: Body, Axis, Box, FootPrint, and the plan's.
    pub(crate) fn contexts(&mut self) -> Result<Vec<Id>, Fault> {
        let origin = self.axes(&Frame::WORLD)?;
        let precision = Value::Real(1e-5);
        let model = self.create(
            "IfcGeometricRepresentationContext",
            &[
                ("ContextType", "Model".into()),
                ("CoordinateSpaceDimension", Value::Integer(3)),
                ("Precision", precision.clone()),
                ("WorldCoordinateSystem", origin.into()),
            ],
        )?;
        let corner = self.point2(DVec2::ZERO)?;
        let flat = self.create("IfcAxis2Placement2D", &[("Location", corner.into())])?;
        let plan = self.create(
            "IfcGeometricRepresentationContext",
            &[
                ("ContextType", "Plan".into()),
                ("CoordinateSpaceDimension", Value::Integer(2)),
                ("Precision", precision),
                ("WorldCoordinateSystem", flat.into()),
            ],
        )?;
        let subcontexts = [
            (model, "Body", "MODEL_VIEW"),
            (model, "Axis", "GRAPH_VIEW"),
            (model, "Box", "MODEL_VIEW"),
            (model, "FootPrint", "PLAN_VIEW"),
            (plan, "Annotation", "PLAN_VIEW"),
        ];
        for (parent, identifier, view) in subcontexts {
            let kind = if parent == model { "Model" } else { "Plan" };
            self.create(
                "IfcGeometricRepresentationSubContext",
                &[
                    ("ContextIdentifier", identifier.into()),
                    ("ContextType", kind.into()),
                    ("ParentContext", parent.into()),
                    ("TargetView", word(view)),
                ],
            )?;
        }
        Ok(vec![model, plan])
    }

    /// A line through points in plan; `closed` repeats the first at the end.
    pub fn polyline(&mut self, points: &[DVec2], closed: bool) -> Result<Id, Fault> {
        let mut ids = points.iter().map(|p| self.point2(*p)).collect::<Result<Vec<_>, _>>()?;
        if closed && let Some(first) = ids.first().copied() {
            ids.push(first);
        }
        self.create("IfcPolyline", &[("Points", Value::list(ids.into_iter().map(Value::Ref)))])
    }

    /// A profile of straight edges; a rectangle along the axes is written as one.
    pub fn profile(&mut self, outline: &[DVec2], holes: &[Vec<DVec2>]) -> Result<Id, Fault> {
        if holes.is_empty()
            && let Some((low, high)) = upright_rectangle(outline)
        {
            let centre =
                self.point2(DVec2::new(f64::midpoint(low.x, high.x), f64::midpoint(low.y, high.y)))?;
            let position = self.create("IfcAxis2Placement2D", &[("Location", centre.into())])?;
            let (width, depth) = (self.real(high.x - low.x), self.real(high.y - low.y));
            return self.create(
                "IfcRectangleProfileDef",
                &[
                    ("ProfileType", word("AREA")),
                    ("Position", position.into()),
                    ("XDim", width),
                    ("YDim", depth),
                ],
            );
        }
        let outer = self.polyline(outline, true)?;
        let mut attributes = vec![("ProfileType", word("AREA")), ("OuterCurve", outer.into())];
        if holes.is_empty() {
            return self.create("IfcArbitraryClosedProfileDef", &attributes);
        }
        let inner = holes.iter().map(|h| self.polyline(h, true)).collect::<Result<Vec<_>, _>>()?;
        attributes.push(("InnerCurves", Value::list(inner.into_iter().map(Value::Ref))));
        self.create("IfcArbitraryProfileDefWithVoids", &attributes)
    }

    /// A solid: the outline in the frame's plane, extruded along its z.
    pub fn extrusion(
        &mut self,
        frame: &Frame,
        outline: &[DVec2],
        holes: &[Vec<DVec2>],
        depth: f64,
    ) -> Result<Id, Fault> {
        let profile = self.profile(outline, holes)?;
        self.extruded(frame, profile, depth)
    }

    /// A solid: a profile in the frame's plane, extruded along its z.
    pub fn extruded(&mut self, frame: &Frame, profile: Id, depth: f64) -> Result<Id, Fault> {
        let position = self.axes(frame)?;
        let up = Value::list([0.0, 0.0, 1.0].map(Value::Real));
        let up = self.create("IfcDirection", &[("DirectionRatios", up)])?;
        let depth = self.real(depth);
        self.create(
            "IfcExtrudedAreaSolid",
            &[
                ("SweptArea", profile.into()),
                ("Position", position.into()),
                ("ExtrudedDirection", up.into()),
                ("Depth", depth),
            ],
        )
    }

    /// A solid standing on an outline in plan, from `base` upward.
    pub fn upright(
        &mut self,
        outline: &[DVec2],
        holes: &[Vec<DVec2>],
        base: f64,
        height: f64,
    ) -> Result<Id, Fault> {
        let frame = Frame::at([0.0, 0.0, base]);
        self.extrusion(&frame, outline, holes, height)
    }

    /// A representation of solids for `Body`.
    pub fn body(&mut self, solids: &[Id]) -> Result<Id, Fault> {
        self.representation("Body", "SweptSolid", solids)
    }

    /// The representation of an axis from one point to another.
    pub fn axis(&mut self, from: DVec2, to: DVec2) -> Result<Id, Fault> {
        let line = self.polyline(&[from, to], false)?;
        self.representation("Axis", "Curve2D", &[line])
    }

    /// The representation of an axis that is a line in space.
    pub fn axis_in_space(&mut self, line: Id) -> Result<Id, Fault> {
        if !self.legacy() {
            return self.representation("Axis", "Curve3D", &[line]);
        }
        // IFC2X3 has no type of representation for curves in space alone
        let set = self.create("IfcGeometricCurveSet", &[("Elements", Value::list([Value::Ref(line)]))])?;
        self.representation("Axis", "GeometricCurveSet", &[set])
    }

    /// A representation of any kind.
    pub fn representation(&mut self, identifier: &str, kind: &str, items: &[Id]) -> Result<Id, Fault> {
        let context = self.context(identifier)?;
        self.create(
            "IfcShapeRepresentation",
            &[
                ("ContextOfItems", context.into()),
                ("RepresentationIdentifier", identifier.into()),
                ("RepresentationType", kind.into()),
                ("Items", Value::list(items.iter().copied().map(Value::Ref))),
            ],
        )
    }

    /// The shape of a product, out of its representations.
    pub fn shape(&mut self, representations: &[Id]) -> Result<Id, Fault> {
        let list = Value::list(representations.iter().copied().map(Value::Ref));
        self.create("IfcProductDefinitionShape", &[("Representations", list)])
    }

    /// Puts other representations in the place of all that an element has, and takes these away with everything that only they used.
    pub fn replace_shape(&mut self, element: Id, new: &[Id]) -> Result<(), Fault> {
        let old = self.edit.get(element).and_then(|e| e.reference("Representation"));
        let shape = self.shape(new)?;
        self.set(element, "Representation", shape)?;
        self.sweep(&old.into_iter().collect::<Vec<_>>())
    }

    /// Puts another representation in the place of the one with the same identifier, and takes the old one away with
    /// everything that only it used.
    pub fn replace_representation(&mut self, element: Id, identifier: &str, new: Id) -> Result<(), Fault> {
        let shape = self.edit.get(element).and_then(|e| e.reference("Representation"));
        let Some(shape) = shape else {
            let shape = self.shape(&[new])?;
            return self.set(element, "Representation", shape);
        };
        let all = self.edit.get(shape).map(|s| s.references("Representations")).unwrap_or_default();
        let (old, mut kept): (Vec<Id>, Vec<Id>) = all.into_iter().partition(|id| {
            self.edit.get(*id).is_some_and(|r| r.says("RepresentationIdentifier", identifier))
        });
        kept.push(new);
        self.set(shape, "Representations", Value::list(kept.into_iter().map(Value::Ref)))?;
        self.sweep(&old)
    }
}

/// The corners of an outline that is a rectangle along the axes.
fn upright_rectangle(outline: &[DVec2]) -> Option<(DVec2, DVec2)> {
    let (low, high) = bounds(outline);
    let on_corner = |p: &DVec2| (0..2).all(|i| (p[i] - low[i]).abs() < 1e-6 || (p[i] - high[i]).abs() < 1e-6);
    (outline.len() == 4 && outline.iter().all(on_corner)).then_some((low, high))
}
