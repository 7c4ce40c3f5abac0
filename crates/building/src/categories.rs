//! Categories of elements in the trade's words, such as walls, pipes or structure: each some IFC classes with their subtypes.
//!
//! Classes of all schemas stand together; those that a model's schema does not have find nothing.

/// The words of a category, in the singular, and its classes.
type Category = (&'static [&'static str], &'static [&'static str]);

const CATEGORIES: [Category; 27] = [
    (&["element", "all", "everything"], &["IfcElement"]),
    (&["wall"], &["IfcWall"]),
    (&["slab", "floor"], &["IfcSlab"]),
    (&["roof"], &["IfcRoof"]),
    (&["column"], &["IfcColumn"]),
    (&["beam"], &["IfcBeam"]),
    (&["member", "brace"], &["IfcMember"]),
    (&["plate"], &["IfcPlate"]),
    (&["foundation", "footing", "pile"], &["IfcFooting", "IfcPile", "IfcDeepFoundation"]),
    (
        &["structure", "structural", "structural element"],
        &[
            "IfcBeam",
            "IfcColumn",
            "IfcSlab",
            "IfcMember",
            "IfcFooting",
            "IfcPile",
            "IfcDeepFoundation",
            "IfcReinforcingElement",
            "IfcBearing",
        ],
    ),
    (&["door"], &["IfcDoor"]),
    (&["window"], &["IfcWindow"]),
    (&["curtain wall", "facade"], &["IfcCurtainWall"]),
    (&["stair", "ramp"], &["IfcStair", "IfcStairFlight", "IfcRamp", "IfcRampFlight"]),
    (&["railing"], &["IfcRailing"]),
    (&["covering", "ceiling", "finish"], &["IfcCovering"]),
    (&["furniture", "furnishing"], &["IfcFurnishingElement"]),
    (
        &["architecture", "architectural element", "built element", "building element"],
        &["IfcBuildingElement", "IfcBuiltElement", "IfcFurnishingElement"],
    ),
    (&["space", "room"], &["IfcSpace"]),
    (&["pipe", "piping"], &["IfcPipeSegment", "IfcPipeFitting"]),
    (&["duct", "ductwork"], &["IfcDuctSegment", "IfcDuctFitting"]),
    (
        &["cable", "cable carrier", "conduit"],
        &["IfcCableSegment", "IfcCableFitting", "IfcCableCarrierSegment", "IfcCableCarrierFitting"],
    ),
    (&["segment", "run"], &["IfcFlowSegment", "IfcFlowFitting"]),
    (&["terminal", "fixture"], &["IfcFlowTerminal"]),
    (
        &["equipment"],
        &[
            "IfcEnergyConversionDevice",
            "IfcFlowMovingDevice",
            "IfcFlowStorageDevice",
            "IfcFlowTreatmentDevice",
        ],
    ),
    (&["mep", "service", "building service", "distribution"], &["IfcDistributionElement"]),
    (&["proxy"], &["IfcBuildingElementProxy", "IfcProxy"]),
];

/// Returns the classes of a category by its word in singular or plural; `None` where there is none.
pub fn classes(word: &str) -> Option<&'static [&'static str]> {
    let word = word.trim().to_lowercase().replace(['_', '-'], " ");
    let singular =
        [word.as_str(), word.strip_suffix('s').unwrap_or(&word), word.strip_suffix("es").unwrap_or(&word)];
    let (_, classes) = CATEGORIES.iter().find(|(words, _)| singular.iter().any(|w| words.contains(w)))?;
    Some(classes)
}

/// Returns the first word of every category.
pub fn words() -> impl Iterator<Item = &'static str> {
    CATEGORIES.iter().filter_map(|(words, _)| words.first().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_is_found_in_singular_and_plural_and_whatever_its_letters() {
        assert_eq!(classes("Walls"), Some(&["IfcWall"][..]));
        assert_eq!(classes("building_services"), Some(&["IfcDistributionElement"][..]));
        assert_eq!(classes("proxy"), classes("PROXY"));
        assert_eq!(classes("IfcWall"), None);
        assert_eq!(classes(""), None);
    }

    #[test]
    fn every_class_is_one_of_some_schema_and_no_word_means_two_things() {
        for (words, all) in CATEGORIES {
            for class in all {
                let known = ifc::SchemaVersion::ALL.into_iter().any(|v| v.schema().entity(class).is_some());
                assert!(known, "{class}");
            }
            for word in words {
                assert_eq!(classes(word), Some(all), "{word}");
            }
        }
    }
}
