//! The finishes of a room: the coverings that the model has in it, else what its requirements say.

use crate::elements::{label_of, name_of};
use crate::fields::Reading;
use ifc::{Id, psets};

/// A part of a room that has a finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Floor,
    Skirting,
    Wall,
    Ceiling,
}

impl Part {
    /// Every part by the name of its field.
    pub(super) const ALL: [(&'static str, Self); 4] = [
        ("floor_finish", Self::Floor),
        ("skirting", Self::Skirting),
        ("wall_finish", Self::Wall),
        ("ceiling_finish", Self::Ceiling),
    ];

    /// The predefined types of its coverings (IfcCoveringTypeEnum).
    fn predefined(self) -> &'static [&'static str] {
        match self {
            Self::Floor => &["FLOORING"],
            Self::Skirting => &["SKIRTINGBOARD"],
            Self::Wall => &["CLADDING"],
            Self::Ceiling => &["CEILING"],
        }
    }

    /// The properties that require it: IFC2X3 has them in Pset_SpaceCommon, later schemas in Pset_SpaceCoveringRequirements.
    fn required(self) -> [(&'static str, &'static str); 2] {
        let name = match self {
            Self::Floor => "FloorCovering",
            Self::Skirting => "SkirtingBoard",
            Self::Wall => "WallCovering",
            Self::Ceiling => "CeilingCovering",
        };
        [("Pset_SpaceCoveringRequirements", name), ("Pset_SpaceCommon", name)]
    }
}

/// The names of the finishes of a part of a room.
pub(super) fn of_room(reading: &Reading<'_>, room: Id, part: Part) -> Option<String> {
    let (links, model) = (&reading.links, reading.model());
    let is_of =
        |id: &Id| links.predefined_type(*id).is_some_and(|kind| part.predefined().contains(&kind.as_str()));
    let mut coverings = links.coverings_of(room);
    coverings.extend(
        links.contained(room).into_iter().filter(|id| model.get(*id).is_some_and(|i| i.is_a("IfcCovering"))),
    );
    let mut names: Vec<String> = Vec::new();
    for covering in coverings.into_iter().filter(is_of) {
        let materials: Vec<String> =
            links.materials_of(covering).into_iter().filter_map(|id| name_of(model, id)).collect();
        let name = if materials.is_empty() {
            links.type_of(covering).map_or_else(|| label_of(model, covering), |kind| label_of(model, kind))
        } else {
            materials.join(" + ")
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if !names.is_empty() {
        return Some(names.join(", "));
    }
    let mut required = part.required().into_iter();
    required.find_map(|(set, name)| {
        let found = psets::find_with(links, room, set, name)?.to_json();
        found.as_str().map(str::to_owned).filter(|words| !words.trim().is_empty())
    })
}
