//! What holds of every decision, whatever the policy; and policies as people write them.

mod decisions;
mod files;
mod tokens;

/// A small part of the schema's tree.
fn is_a(class: &str, ancestor: &str) -> bool {
    let parent = |class: &str| match class {
        "IfcWall" | "IfcColumn" | "IfcDoor" => Some("IfcBuildingElement"),
        "IfcWallStandardCase" => Some("IfcWall"),
        "IfcPipeSegment" => Some("IfcDistributionElement"),
        "IfcBuildingElement" | "IfcDistributionElement" => Some("IfcElement"),
        _ => None,
    };
    let known = class == "IfcElement" || parent(class).is_some();
    known && std::iter::successors(Some(class), |class| parent(class)).any(|one| one == ancestor)
}
