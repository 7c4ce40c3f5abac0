//! Columns, beams and members: a profile with its dimensions, along an axis.

use super::{Answer, By};
use crate::{item::Shaper, read::ShapeError};
use glam::DVec3;
use ifc::Instance;
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

pub(super) fn member(shaper: &Shaper<'_>, product: &Instance<'_>) -> Result<Member, ShapeError> {
    shaper.frame(product)?;
    let sweep = shaper.only_sweep(product);
    let profile = sweep.clone().and_then(|s| {
        let r = &shaper.reader;
        let instance = r.get(s.profile)?;
        let dimension = |name: &&str| {
            let value = r.length(&instance, name).ok()?;
            Some(((*name).to_owned(), value))
        };
        let area = shaper.profile_areas(&s)?.iter().map(crate::region::Area::size).sum();
        let profile = Profile {
            item: s.profile.0,
            class: instance.class_name().to_owned(),
            name: instance.text("ProfileName").unwrap_or_default(),
            dimensions: DIMENSIONS.iter().filter_map(dimension).collect(),
            area,
        };
        Ok((profile, By::Profile))
    });
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
