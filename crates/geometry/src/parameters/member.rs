//! Columns, beams and members: a profile with its dimensions, along an axis.

use super::{Answer, By};
use crate::{
    item::Shaper,
    read::{Reader, ShapeError},
};
use glam::DVec3;
use ifc::{Id, Instance};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The dimensions that parameterised profiles have, by their IFC names; all are lengths but for the slopes.
const DIMENSIONS: [&str; 27] = [
    "XDim",
    "YDim",
    "RoundingRadius",
    "WallThickness",
    "InnerFilletRadius",
    "OuterFilletRadius",
    "Radius",
    "SemiAxis1",
    "SemiAxis2",
    "BottomXDim",
    "TopXDim",
    "TopXOffset",
    "OverallWidth",
    "OverallDepth",
    "WebThickness",
    "FlangeThickness",
    "FilletRadius",
    "BottomFlangeWidth",
    "TopFlangeWidth",
    "BottomFlangeThickness",
    "TopFlangeThickness",
    "Depth",
    "Width",
    "Thickness",
    "FlangeWidth",
    "Girth",
    "InternalFilletRadius",
];

/// A cross-section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// The instance's number.
    pub item: u32,
    /// Its class, such as `IfcIShapeProfileDef`.
    pub class: String,
    /// Its ProfileName; empty where it has none.
    pub name: String,
    /// Lengths by their IFC names, in metres; none for a profile that is drawn point by point.
    pub dimensions: BTreeMap<String, f64>,
    /// Its area in square metres.
    pub area: f64,
}

/// The parameters of a column, beam or member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The cross-section.
    pub profile: Answer<Profile>,
    /// From the profile's origin at the beginning to that at the end.
    pub axis: Answer<[DVec3; 2]>,
    /// Along the axis.
    pub length: Answer<f64>,
}

/// The cross-section that an IfcProfileDef describes.
pub fn profile_at(reader: &Reader<'_>, id: Id) -> Result<Profile, ShapeError> {
    let instance = reader.get(id)?;
    let dimension = |name: &&str| {
        let value = reader.length(&instance, name).ok()?;
        Some(((*name).to_owned(), value))
    };
    let drawn: f64 = reader.profile(id, 0)?.iter().map(crate::region::Area::size).sum();
    let area = crate::measured::profile_area(reader, id).unwrap_or(drawn);
    Ok(Profile {
        item: id.0,
        class: instance.class_name().to_owned(),
        name: instance.text("ProfileName").unwrap_or_default(),
        dimensions: DIMENSIONS.iter().filter_map(dimension).collect(),
        area,
    })
}

/// The cross-section of a product whose body is one extrusion, or was before something was cut off it.
pub fn profile_of(shaper: &Shaper<'_>, product: &Instance<'_>) -> Result<Profile, ShapeError> {
    profile_at(&shaper.reader, shaper.only_sweep(product)?.profile)
}

pub(super) fn member(shaper: &Shaper<'_>, product: &Instance<'_>) -> Result<Member, ShapeError> {
    shaper.frame(product)?;
    let sweep = shaper.only_sweep(product);
    let profile = sweep.clone().and_then(|s| Ok((profile_at(&shaper.reader, s.profile)?, By::Profile)));
    let axis = sweep.clone().map(|s| {
        let start = s.frame.translation;
        ([start, start + s.path], s.by())
    });
    Ok(Member {
        profile: Answer::from_result(profile),
        axis: Answer::from_result(axis),
        length: Answer::from_result(sweep.map(|s| (s.path.length(), s.by()))),
    })
}
