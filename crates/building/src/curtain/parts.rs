//! The parts of a curtain wall as they are written: members and panels with one type each, tied to their whole and their types at once.

use super::door;
use super::{Former, NewCurtain, Placed};
use crate::author::{Author, word};
use crate::frame::Frame;
use crate::kinds::Layer;
use crate::measures::mm;
use crate::placing::place;
use crate::polygon::area;
use crate::quantities::Quantity;
use crate::quantity_sets::DOOR;
use contract::Fault;
use geometry::region::rectangle;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Value, relations};

/// The base quantities of members.
const MEMBER: &str = "Qto_MemberBaseQuantities";
/// The base quantities of plates.
const PLATE: &str = "Qto_PlateBaseQuantities";
/// The colour of glass.
const GLASS: [u8; 4] = [184, 214, 224, 96];
/// The colour of mullions.
const METAL: [u8; 4] = [82, 86, 90, 255];

/// The way a member runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    /// Up.
    Mullion,
    /// Along.
    Transom,
}

/// The things that the parts of one curtain wall share, and the parts made so far.
pub(super) struct Kit {
    wall: Id,
    placement: Id,
    name: String,
    mullion: DVec2,
    thickness: f64,
    profile: Id,
    member_type: Id,
    plate_type: Id,
    post_type: Option<Id>,
    all: Vec<Id>,
    members: Vec<Id>,
    plates: Vec<Id>,
    posts: Vec<Id>,
    doors: Vec<(Id, Id)>,
    own: Frame,
    former: Former,
}

impl Kit {
    pub(super) fn begin(
        author: &mut Author,
        new: &NewCurtain,
        (wall, placement): (Id, Id),
        own: Frame,
        name: &str,
        former: Former,
    ) -> Result<Self, Fault> {
        let half = new.mullion.y / 2.0;
        let profile =
            author.profile(&rectangle(DVec2::new(0.0, -half), DVec2::new(new.mullion.x, half)), &[])?;
        let (w, d, t) = (mm(new.mullion.x), mm(new.mullion.y), mm(new.panel_thickness));
        let metal = author.material(&new.mullion_material)?;
        author.look(metal, METAL)?;
        let title = format!("Mullion {w} x {d} mm, {}", new.mullion_material);
        let member_type = author.kind("IfcMemberType", &title, &[("PredefinedType", word("MULLION"))])?;
        made_of(author, member_type, metal)?;
        let title = format!("Curtain panel {t} mm, {}", new.panel_material);
        let layer = Layer::plain(&new.panel_material, new.panel_thickness);
        let set = author.layer_set(&title, &layer)?;
        let panel = author.material(&new.panel_material)?;
        if new.panel_material.to_lowercase().contains("glass")
            || new.panel_material.to_lowercase().contains("glazing")
        {
            author.look(panel, GLASS)?;
        }
        let plate_type = author.kind("IfcPlateType", &title, &[("PredefinedType", word("CURTAIN_PANEL"))])?;
        made_of(author, plate_type, set)?;
        let mut kit = Self {
            wall,
            placement,
            name: name.to_owned(),
            mullion: new.mullion,
            thickness: new.panel_thickness,
            profile,
            member_type,
            plate_type,
            post_type: None,
            all: Vec::new(),
            members: Vec::new(),
            plates: Vec::new(),
            posts: Vec::new(),
            doors: Vec::new(),
            own,
            former,
        };
        if new.points.len() > 2 {
            let title = format!("Corner post {d} mm, {}", new.mullion_material);
            let post = author.kind("IfcMemberType", &title, &[("PredefinedType", word("POST"))])?;
            made_of(author, post, metal)?;
            kit.post_type = Some(post);
        }
        Ok(kit)
    }

    /// Writes a part with a place and a solid.
    fn part(
        &mut self,
        author: &mut Author,
        class: &str,
        noun: &str,
        at: &Frame,
        solid: Id,
        number: usize,
    ) -> Result<Id, Fault> {
        let existing = match noun {
            "panel" => self.former.plates.pop_front(),
            "post" => self.former.posts.pop_front(),
            "mullion" => self.former.mullions.pop_front(),
            _ => self.former.transoms.pop_front(),
        };
        if let Some(part) = existing {
            let body = author.body(&[solid])?;
            author.replace_representation(part, "Body", body)?;
            place(author, part, &(self.own * *at))?;
            return Ok(part);
        }
        let placement = author.placement(Some(self.placement), at)?;
        let body = author.body(&[solid])?;
        let shape = author.shape(&[body])?;
        let names = &self.former.names;
        let mut numbers = (number..).map(|number| format!("{} {noun} {number}", self.name));
        let text = numbers.find(|text| !names.contains(text)).unwrap_or_default();
        self.former.names.insert(text.clone());
        let part = author.root(
            class,
            Some(&text),
            &[("ObjectPlacement", placement.into()), ("Representation", shape.into())],
        )?;
        self.all.push(part);
        Ok(part)
    }

    /// Writes a mullion standing on a point of a run, or a transom from a point along it.
    pub(super) fn member(
        &mut self,
        author: &mut Author,
        way: Member,
        run: &Frame,
        at: DVec3,
        length: f64,
    ) -> Result<(), Fault> {
        let own = match way {
            Member::Mullion => DAffine3::from_translation(at),
            // its section's width points up, so that it runs back from its right end
            Member::Transom => DAffine3::from_cols(DVec3::Z, DVec3::Y, DVec3::NEG_X, at + DVec3::X * length),
        };
        let solid = author.extruded(&Frame::WORLD, self.profile, length)?;
        let noun = if way == Member::Mullion { "mullion" } else { "transom" };
        let number = self.members.len() + 1;
        let part = self.part(author, "IfcMember", noun, &(*run * Frame(own)), solid, number)?;
        self.members.push(part);
        quantify(author, part, length, self.mullion.x * self.mullion.y)
    }

    /// Writes the post of a corner, its outline told from the wall's own place.
    pub(super) fn post(&mut self, author: &mut Author, outline: &[DVec2], height: f64) -> Result<(), Fault> {
        let solid = author.upright(outline, &[], 0.0, height)?;
        let number = self.posts.len() + 1;
        let part = self.part(author, "IfcMember", "post", &Frame::WORLD, solid, number)?;
        self.posts.push(part);
        quantify(author, part, height, area(outline))
    }

    /// Writes a panel, its lower left corner at a point of a run.
    pub(super) fn panel(
        &mut self,
        author: &mut Author,
        run: &Frame,
        at: DVec3,
        size: DVec2,
    ) -> Result<(), Fault> {
        let thickness = self.thickness;
        // extruded through its thickness, its own x and y in the wall's face
        let own = DAffine3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y, at + DVec3::Y * (thickness / 2.0));
        let profile = author.profile(&rectangle(DVec2::ZERO, size), &[])?;
        let solid = author.extruded(&Frame::WORLD, profile, thickness)?;
        let number = self.plates.len() + 1;
        let part = self.part(author, "IfcPlate", "panel", &(*run * Frame(own)), solid, number)?;
        self.plates.push(part);
        let face = size.x * size.y;
        author.quantify(
            part,
            PLATE,
            &[
                ("Width", Quantity::Length(thickness)),
                ("Perimeter", Quantity::Length(2.0 * (size.x + size.y))),
                ("GrossArea", Quantity::Area(face)),
                ("NetArea", Quantity::Area(face)),
                ("GrossVolume", Quantity::Volume(face * thickness)),
                ("NetVolume", Quantity::Volume(face * thickness)),
            ],
        )
    }

    /// Writes a door, its lower left corner at a point of a run.
    pub(super) fn door(
        &mut self,
        author: &mut Author,
        run: &Frame,
        at: DVec3,
        size: DVec2,
        new: &Placed,
    ) -> Result<(), Fault> {
        let depth = self.mullion.y.min(80.0);
        let existing = self.former.doors.get_mut(new.number).and_then(Option::take);
        let (door, kind) = door::write(author, size, depth, new.door, &new.operation, existing)?;
        let own = *run * Frame::at(at - DVec3::Y * (depth / 2.0));
        if existing.is_some() {
            place(author, door, &(self.own * own))?;
        } else {
            let placement = author.placement(Some(self.placement), &own)?;
            author.set(door, "ObjectPlacement", placement)?;
            self.all.push(door);
        }
        self.doors.push((kind, door));
        author.quantify(
            door,
            DOOR,
            &[
                ("Width", Quantity::Length(size.x)),
                ("Height", Quantity::Length(size.y)),
                ("Perimeter", Quantity::Length(2.0 * (size.x + size.y))),
                ("Area", Quantity::Area(size.x * size.y)),
            ],
        )
    }

    /// Ties all parts to their whole and their types; parts from before that were not taken up go.
    pub(super) fn finish(self, author: &mut Author) -> Result<(), Fault> {
        let held = relations::children(author.edit, self.wall);
        if held.is_empty() {
            let parts = Value::list(self.all.into_iter().map(Value::Ref));
            let ends = [("RelatingObject", self.wall.into()), ("RelatedObjects", parts)];
            author.root("IfcRelAggregates", None, &ends)?;
        } else {
            for part in self.all {
                author.aggregate(self.wall, part)?;
            }
        }
        typed(author, self.member_type, &self.members)?;
        typed(author, self.plate_type, &self.plates)?;
        if let Some(post) = self.post_type {
            typed(author, post, &self.posts)?;
        }
        for (kind, door) in self.doors {
            author.retype(door, kind)?;
        }
        let former = self.former;
        let mut rest: Vec<Id> =
            former.mullions.into_iter().chain(former.plates).chain(former.posts).collect();
        rest.extend(former.transoms);
        rest.extend(former.doors.into_iter().flatten());
        if !rest.is_empty() {
            crate::deletion::delete(author, &rest, false)?;
        }
        Ok(())
    }
}

/// Gives a type a material once.
fn made_of(author: &mut Author, kind: Id, material: Id) -> Result<(), Fault> {
    if author.edit.referrers_of(kind, "IfcRelAssociatesMaterial").is_empty() {
        author.make_of(material, kind)?;
    }
    Ok(())
}

/// Gives many elements a type by one relation.
fn typed(author: &mut Author, kind: Id, elements: &[Id]) -> Result<(), Fault> {
    let mut fresh = Vec::new();
    for id in elements {
        match relations::type_of(author.edit, *id) {
            Some(own) if own == kind => {}
            Some(_) => {
                author.leave(*id, "IfcRelDefinesByType")?;
                fresh.push(*id);
            }
            None => fresh.push(*id),
        }
    }
    if fresh.is_empty() {
        return Ok(());
    }
    let known = author.edit.referrers_of(kind, "IfcRelDefinesByType").into_iter().next();
    let mut all = known
        .and_then(|relation| author.edit.get(relation).map(|r| r.references("RelatedObjects")))
        .unwrap_or_default();
    all.extend(fresh);
    let list = Value::list(all.into_iter().map(Value::Ref));
    match known {
        Some(relation) => author.set(relation, "RelatedObjects", list),
        None => author
            .root("IfcRelDefinesByType", None, &[("RelatingType", kind.into()), ("RelatedObjects", list)])
            .map(|_| ()),
    }
}

fn quantify(author: &mut Author, member: Id, length: f64, section: f64) -> Result<(), Fault> {
    author.quantify(
        member,
        MEMBER,
        &[
            ("Length", Quantity::Length(length)),
            ("CrossSectionArea", Quantity::Area(section)),
            ("GrossVolume", Quantity::Volume(section * length)),
            ("NetVolume", Quantity::Volume(section * length)),
        ],
    )
}
