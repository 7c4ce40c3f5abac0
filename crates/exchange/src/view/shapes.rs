//! Representations that a view does not allow: bodies are made anew as what it allows, of the same shape; others are left out.

use super::check::{Judge, Owners};
use super::table::Representation;
use super::{View, example};
use crate::faces::{self, Form};
use crate::report::{Action, Log};
use geometry::element::{BODY_IDENTIFIERS, BODY_TYPES};
use geometry::item::{Piece, Pieces};
use geometry::{Shaper, Solid};
use glam::DAffine3;
use ifc::{Edit, EditError, Id, Instance, Model, Referrers, Value};
use std::collections::{HashMap, HashSet};

/// True of a representation that may stand for a body in files that call none `Body`: by names that the kernel looks for, by none or by
/// that of the model itself.
fn may_be_body(identifier: &str, kind: &str) -> bool {
    let is_named = ["", "Model"].contains(&identifier) || BODY_IDENTIFIERS.contains(&identifier);
    // sections along a line are bodies that the kernel does not ask for by this name; points and curves are none
    let is_solid = BODY_TYPES.contains(&kind) && !["GeometricSet", "PointCloud"].contains(&kind);
    is_named && (is_solid || kind == "SectionedSpine")
}

/// Makes representations what the view allows. What cannot be made so is left out.
pub(super) fn shapes(edit: &mut Edit, view: &View, log: &mut Log) -> Result<(), EditError> {
    // curves and profiles were changed before: the judge sees them as they are now, the shaper what everything was made from
    let seen = edit.model().clone();
    let before = edit.before().clone();
    let work = Work { judge: Judge::new(&seen, view), remake: Remake::new(&before), seen: &seen, view };
    let mut gone = Vec::new();
    let mut done = HashMap::new();
    for id in seen.of_class("IfcShapeRepresentation") {
        if let Some(representation) = seen.get(id)
            && !work.one(edit, &representation, &mut done, log)?
        {
            gone.push(id);
        }
    }
    edit.remove_all(&gone, Referrers::Dependents)?;
    Ok(())
}

/// The work on all representations of a model.
struct Work<'m> {
    judge: Judge<'m>,
    remake: Remake<'m>,
    seen: &'m Model,
    view: &'m View,
}

impl Work<'_> {
    /// Makes one representation what the view allows; false if it is to go.
    fn one(
        &self,
        edit: &mut Edit,
        representation: &Instance<'_>,
        done: &mut HashMap<Id, Vec<Id>>,
        log: &mut Log,
    ) -> Result<bool, EditError> {
        let id = representation.id();
        let given = representation.text("RepresentationIdentifier").unwrap_or_default();
        let kind = representation.text("RepresentationType").unwrap_or_default();
        let owners = Owners::of_representation(self.seen, id);
        let identifier = if self.is_body(&given, &kind, &owners) { "Body" } else { given.as_str() };
        let items = representation.references("Items");
        let rows: Vec<&Representation> = self
            .view
            .representations
            .iter()
            .filter(|row| {
                row.identifier.eq_ignore_ascii_case(identifier) && self.judge.may_have(row, &owners)
            })
            .collect();
        let fit = rows.iter().find(|row| row.kind == kind && self.judge.holds(row, &items));
        let fit = fit.or_else(|| rows.iter().find(|row| self.judge.holds(row, &items)));
        if let Some(row) = fit {
            if row.kind != kind || row.identifier != given {
                let reason = format!("is called {} of type {} now", row.identifier, row.kind);
                log.note(Action::Moved, "IfcShapeRepresentation", &reason, || example(self.seen, id));
                name(edit, id, row)?;
            }
            return Ok(true);
        }
        let form = if self.view.body == "Tessellation" { Form::Tessellation } else { Form::Brep };
        let wanted = [self.view.body.as_str(), "SurfaceModel"];
        let Some(row) = rows.iter().find(|row| wanted.contains(&row.kind.as_str())) else {
            if identifier == "Body" && self.is_terrain(&owners) {
                return self.terrain(edit, representation, form, done, log);
            }
            let reason = if rows.is_empty() {
                format!("{given} is no representation that {} allows here", self.view.name)
            } else {
                format!("{given} has items that {} does not allow there", self.view.name)
            };
            log.note(Action::Dropped, "IfcShapeRepresentation", &reason, || example(self.seen, id));
            return Ok(false);
        };
        self.anew(edit, representation, &row.identifier, form, done, log)
    }

    /// True if a representation is what its products are drawn by.
    fn is_body(&self, identifier: &str, kind: &str, owners: &Owners) -> bool {
        if identifier.eq_ignore_ascii_case("Body") {
            return true;
        }
        let known =
            self.view.representations.iter().any(|row| row.identifier.eq_ignore_ascii_case(identifier));
        if known || !may_be_body(identifier, kind) {
            return false;
        }
        let links = ifc::relations::Links::of_one(self.seen);
        let has_body = |product: &Id| {
            let all = links.representations_of(*product).into_iter().filter_map(|r| self.seen.get(r));
            all.into_iter().any(|r| r.text("RepresentationIdentifier").as_deref() == Some("Body"))
        };
        !owners.products.iter().any(has_body)
    }

    /// Gives a representation items of the form that the view has for bodies.
    fn anew(
        &self,
        edit: &mut Edit,
        representation: &Instance<'_>,
        identifier: &str,
        form: Form,
        done: &mut HashMap<Id, Vec<Id>>,
        log: &mut Log,
    ) -> Result<bool, EditError> {
        let id = representation.id();
        let mut made = Vec::new();
        let mut forms = HashSet::new();
        for item in representation.references("Items") {
            let class = self.seen.get(item).map(|i| i.class_name()).unwrap_or_default();
            let new = if let Some(known) = done.get(&item) {
                known.clone()
            } else {
                let outcome = self.remake.item(edit, item, form)?;
                let reason = match &outcome {
                    Outcome::Kept => None,
                    Outcome::Made(_) => {
                        Some((Action::Reshaped, format!("is a {} of the same shape now", self.view.body)))
                    }
                    Outcome::Lost(why) => {
                        Some((Action::Dropped, format!("has no shape that can be made: {why}")))
                    }
                };
                if let Some((action, reason)) = reason {
                    log.note(action, class, &reason, || example(self.seen, id));
                }
                let new = match outcome {
                    Outcome::Kept => vec![item],
                    Outcome::Made(new) => new,
                    Outcome::Lost(_) => Vec::new(),
                };
                done.insert(item, new.clone());
                new
            };
            forms.extend(new.iter().filter_map(|id| edit.get(*id)).map(|i| i.class_name().to_owned()));
            made.extend(new);
        }
        if made.is_empty() {
            return Ok(false);
        }
        let is_surface = forms.contains("IfcFaceBasedSurfaceModel");
        let kind = if form == Form::Brep && is_surface { "SurfaceModel" } else { self.view.body.as_str() };
        if is_surface && forms.len() > 1 {
            made = as_surfaces(edit, &made)?;
        }
        edit.set_all(
            id,
            &[
                ("Items", made.into()),
                ("RepresentationIdentifier", identifier.into()),
                ("RepresentationType", kind.into()),
            ],
        )?;
        Ok(true)
    }

    fn is_terrain(&self, owners: &Owners) -> bool {
        let is_site = |id: &Id| self.seen.get(*id).is_some_and(|p| p.is_a("IfcSite"));
        self.view.allows_class("IfcGeographicElement")
            && matches!(owners.products.as_slice(), [site] if is_site(site))
    }

    /// The body of a site becomes a geographic element on it: where sites have no bodies, terrain is one.
    fn terrain(
        &self,
        edit: &mut Edit,
        representation: &Instance<'_>,
        form: Form,
        done: &mut HashMap<Id, Vec<Id>>,
        log: &mut Log,
    ) -> Result<bool, EditError> {
        let id = representation.id();
        let owners = Owners::of_representation(self.seen, id);
        let Some(site) = owners.products.first().and_then(|site| self.seen.get(*site)) else {
            return Ok(false);
        };
        if !self.anew(edit, representation, "Body", form, done, log)? {
            return Ok(false);
        }
        let guid = |role: &str| {
            let seed = format!("{}/{role}", site.guid().unwrap_or_default());
            ifc::guid::GuidSource::new(&seed).next()
        };
        let shape = edit.create("IfcProductDefinitionShape", &[("Representations", Value::list([id]))])?;
        let element = edit.create(
            "IfcGeographicElement",
            &[
                ("GlobalId", guid("terrain").into()),
                ("OwnerHistory", site.attr("OwnerHistory")),
                ("Name", site.attr("Name")),
                ("ObjectPlacement", site.attr("ObjectPlacement")),
                ("Representation", shape.into()),
                ("PredefinedType", Value::enumeration("TERRAIN")),
            ],
        )?;
        edit.create(
            "IfcRelContainedInSpatialStructure",
            &[
                ("GlobalId", guid("terrain in site").into()),
                ("OwnerHistory", site.attr("OwnerHistory")),
                ("RelatedElements", Value::list([element])),
                ("RelatingStructure", site.id().into()),
            ],
        )?;
        if let Some(own) = site.reference("Representation")
            && edit.remove_from(own, "Representations", id).is_err()
        {
            // it was the only one
            edit.set(site.id(), "Representation", Value::Null)?;
        }
        let reason = "its body is that of an IfcGeographicElement on it now: the view has no bodies of sites";
        log.note(Action::Moved, "IfcSite", reason, || site.guid());
        Ok(true)
    }
}

/// Breps beside surfaces become surfaces: the items of a representation are of one type.
fn as_surfaces(edit: &mut Edit, items: &[Id]) -> Result<Vec<Id>, EditError> {
    for id in items {
        let shell = edit.get(*id).filter(|i| i.is_a("IfcFacetedBrep")).and_then(|i| i.reference("Outer"));
        if let Some(shell) = shell {
            edit.reassign(*id, "IfcFaceBasedSurfaceModel", &[("FbsmFaces", Value::list([shell]))])?;
        }
    }
    Ok(items.to_vec())
}

fn name(edit: &mut Edit, id: Id, row: &Representation) -> Result<(), EditError> {
    let kind = row.kind.as_str().into();
    edit.set_all(
        id,
        &[("RepresentationIdentifier", row.identifier.as_str().into()), ("RepresentationType", kind)],
    )
}

/// The outcome of making an item anew.
pub(super) enum Outcome {
    /// It is of the form already.
    Kept,
    /// These stand in its place, it may be among them.
    Made(Vec<Id>),
    /// It cannot be made, and why.
    Lost(String),
}

/// Makes items anew out of what the geometry kernel makes of them.
pub(super) struct Remake<'m> {
    shaper: Shaper<'m>,
}

impl<'m> Remake<'m> {
    pub fn new(model: &'m Model) -> Remake<'m> {
        Remake { shaper: Shaper::plain(model) }
    }

    /// Puts items of a form in the place of one.
    pub fn item(&self, edit: &mut Edit, id: Id, form: Form) -> Result<Outcome, EditError> {
        let class = edit.get(id).map(|i| i.class_name().to_owned()).unwrap_or_default();
        let is_kept = match form {
            Form::Tessellation => matches!(class.as_str(), "IfcPolygonalFaceSet" | "IfcTriangulatedFaceSet"),
            Form::Brep => class == "IfcFacetedBrep",
            Form::Surface => class == "IfcFaceBasedSurfaceModel",
        };
        if is_kept {
            return Ok(Outcome::Kept);
        }
        let mut pieces = Pieces::default();
        self.shaper.item(id, &DAffine3::IDENTITY, None, 0, &mut pieces);
        let why =
            || pieces.notes.first().map_or_else(|| "it has no faces".to_owned(), |note| note.reason.clone());
        // a box in the place of a shape is not that shape
        let pieces_drawn: Vec<&Piece> =
            pieces.pieces.iter().filter(|p| !p.is_box || class == "IfcBoundingBox").collect();
        if pieces_drawn.is_empty() {
            return Ok(Outcome::Lost(why()));
        }
        let mut made = Vec::new();
        for piece in pieces_drawn {
            let solid = placed(piece);
            let form = if form == Form::Brep && !solid.closed { Form::Surface } else { form };
            let Some((class, attributes)) = faces::item(edit, &solid, self.shaper.reader.metre, form)? else {
                continue;
            };
            // in its place, so that styles and layers stay; what is an operand of something else stays what it is
            if made.is_empty() && edit.reassign(id, class, &attributes).is_ok() {
                made.push(id);
                restyle(edit, piece.item, id)?;
                continue;
            }
            let new = edit.create(class, &attributes)?;
            restyle(edit, if is_styled(edit, id) { id } else { piece.item }, new)?;
            made.push(new);
        }
        Ok(if made.is_empty() { Outcome::Lost(why()) } else { Outcome::Made(made) })
    }
}

/// The body of a piece in the coordinates of its representation.
fn placed(piece: &Piece) -> Solid {
    if piece.at == DAffine3::IDENTITY {
        piece.solid.solid().clone()
    } else {
        piece.solid.solid().moved(&piece.at)
    }
}

fn is_styled(model: &Model, item: Id) -> bool {
    !model.referrers_of(item, "IfcStyledItem").is_empty()
}

/// Gives an item that has none the styles of another.
fn restyle(edit: &mut Edit, from: Id, to: Id) -> Result<(), EditError> {
    if from == to || is_styled(edit, to) {
        return Ok(());
    }
    let styled = edit.referrers_of(from, "IfcStyledItem").into_iter().find_map(|id| {
        let styled = edit.get(id).filter(|styled| styled.reference("Item") == Some(from))?;
        Some((styled.attr("Styles"), styled.attr("Name")))
    });
    if let Some((styles, name)) = styled {
        edit.create("IfcStyledItem", &[("Item", to.into()), ("Styles", styles), ("Name", name)])?;
    }
    Ok(())
}

/// Before a conversion: items of classes that the target schema does not have, and that no conversion knows an equal for, are made
/// anew as faces.
pub(super) fn ahead(edit: &mut Edit, target: &ifc::schema::Schema, log: &mut Log) -> Result<(), EditError> {
    const CONVERTED: [&str; 10] = [
        "IfcTriangulatedFaceSet",
        "IfcPolygonalFaceSet",
        "IfcIndexedPolygonalFace",
        "IfcIndexedPolygonalFaceWithVoids",
        "IfcCartesianPointList2D",
        "IfcCartesianPointList3D",
        "IfcIndexedPolyCurve",
        "IfcBezierCurve",
        "IfcRationalBezierCurve",
        "Ifc2DCompositeCurve",
    ];
    let before = edit.before().clone();
    let remake = Remake::new(&before);
    let form =
        if before.schema().entity("IfcPolygonalFaceSet").is_some() { Form::Tessellation } else { Form::Brep };
    let is_known = |id: Id| {
        let mut seen = HashSet::new();
        let mut open = vec![id];
        while let Some(instance) = open.pop().and_then(|id| before.get(id)) {
            let class = instance.class_name();
            if target.entity(class).is_none() && !CONVERTED.contains(&class) {
                return false;
            }
            if !instance.is_a("IfcMappedItem") {
                for value in instance.attributes() {
                    value.for_each_ref(&mut |id| {
                        if seen.insert(id) {
                            open.push(id);
                        }
                    });
                }
            }
        }
        true
    };
    for id in before.of_class("IfcShapeRepresentation") {
        let Some(representation) = before.get(id) else { continue };
        let items = representation.references("Items");
        let is_solid =
            |id: &Id| before.get(*id).is_some_and(|i| i.is_a("IfcSolidModel") || i.is_a("IfcBooleanResult"));
        if !items.iter().any(|item| is_solid(item) && !is_known(*item)) {
            continue;
        }
        let mut made = Vec::new();
        for item in items {
            let class = before.get(item).map(|i| i.class_name()).unwrap_or_default();
            match remake.item(edit, item, form)? {
                Outcome::Kept => made.push(item),
                Outcome::Made(new) => {
                    let reason =
                        format!("is faces of the same shape now: {} has no such shape", target.name());
                    log.note(Action::Reshaped, class, &reason, || example(&before, id));
                    made.extend(new);
                }
                Outcome::Lost(why) => {
                    let reason = format!("has no shape that can be made: {why}");
                    log.note(Action::Dropped, class, &reason, || example(&before, id));
                }
            }
        }
        if !made.is_empty() {
            let kind = if form == Form::Tessellation { "Tessellation" } else { "Brep" };
            edit.set_all(id, &[("Items", made.into()), ("RepresentationType", kind.into())])?;
        }
    }
    Ok(())
}
