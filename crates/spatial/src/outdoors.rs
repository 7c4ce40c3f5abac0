//! Spaces that lie outdoors: what the file says of them, and terraces and roofs that only their name and the open sky over them tell.

use crate::{asked::Asked, elements::Elements, facet::Facet};
use geometry::{Solid, region};
use ifc::Instance;

/// The height over a space, in metres, in which what is above it counts.
pub(crate) const OPEN_ABOVE: f64 = 5.0;

/// Returns true if a space says of itself that it lies outdoors (PredefinedType EXTERNAL and its kinds; in IFC2X3
/// InteriorOrExteriorSpace).
pub fn is_outside(space: &Instance<'_>) -> bool {
    let says = |attribute: &str| {
        space.enumeration(attribute).is_some_and(|v| v == "EXTERNAL" || v.starts_with("EXTERNAL_"))
    };
    says("PredefinedType") || says("InteriorOrExteriorSpace")
}

/// Words by which a space outdoors is known, in lower case.
const OPEN_AIR: [&str; 12] = [
    "roof",
    "dach",
    "terras",
    "terrace",
    "balcon",
    "balkon",
    "loggia",
    "patio",
    "courtyard",
    "innenhof",
    "garden",
    "garten",
];

/// Returns true if a space is called what lies outdoors: terrace, balcony, garden, roof.
pub fn says_open_air(space: &Instance<'_>) -> bool {
    let said = ["Name", "LongName", "ObjectType"].map(|a| space.text(a).unwrap_or_default().to_lowercase());
    said.iter().any(|text| OPEN_AIR.iter().any(|word| text.contains(word)))
}

/// Returns true if no element is over most of a space.
pub fn is_open_above(solid: &Solid, elements: &Elements) -> bool {
    let (mut open, mut all) = (0.0, 0.0);
    for facet in solid.faces.iter().filter_map(|f| Facet::new(0, f)).filter(|f| f.normal().z > 0.5) {
        for area in region::even_odd(&facet.loops) {
            for (point, weight) in Facet::samples(&area) {
                all += weight;
                if !elements.meets(
                    facet.above(point, -0.01),
                    facet.normal(),
                    OPEN_ABOVE,
                    &mut Asked::default(),
                ) {
                    open += weight;
                }
            }
        }
    }
    open > 0.9 * all
}
