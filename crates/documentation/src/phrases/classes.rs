//! Classes of IFC as people call them.

/// Classes by name; `IfcWallStandardCase` is a wall, too: class, English, German.
const NAMES: [(&str, &str, &str); 44] = [
    ("IfcBeam", "Beam", "Träger"),
    ("IfcBuilding", "Building", "Gebäude"),
    ("IfcBuildingElementProxy", "Building element", "Bauteil"),
    ("IfcBuildingStorey", "Storey", "Geschoss"),
    ("IfcChimney", "Chimney", "Schornstein"),
    ("IfcColumn", "Column", "Stütze"),
    ("IfcCovering", "Covering", "Bekleidung"),
    ("IfcCurtainWall", "Curtain wall", "Vorhangfassade"),
    ("IfcDistributionElement", "Services", "Haustechnik"),
    ("IfcDoor", "Door", "Tür"),
    ("IfcElementAssembly", "Assembly", "Baugruppe"),
    ("IfcFlowFitting", "Fitting", "Formstück"),
    ("IfcFlowSegment", "Pipe or duct", "Leitung"),
    ("IfcFlowTerminal", "Terminal", "Auslass"),
    ("IfcFooting", "Foundation", "Fundament"),
    ("IfcFurnishingElement", "Furniture", "Möbel"),
    ("IfcFurniture", "Furniture", "Möbel"),
    ("IfcLightFixture", "Light", "Leuchte"),
    ("IfcMember", "Member", "Stab"),
    ("IfcOpeningElement", "Opening", "Öffnung"),
    ("IfcPile", "Pile", "Pfahl"),
    ("IfcPipeFitting", "Pipe fitting", "Rohrformstück"),
    ("IfcPipeSegment", "Pipe", "Rohr"),
    ("IfcPlate", "Plate", "Platte"),
    ("IfcProject", "Project", "Projekt"),
    ("IfcRailing", "Railing", "Geländer"),
    ("IfcRamp", "Ramp", "Rampe"),
    ("IfcReinforcingBar", "Reinforcing bar", "Bewehrungsstab"),
    ("IfcRoof", "Roof", "Dach"),
    ("IfcSanitaryTerminal", "Sanitary fixture", "Sanitärgegenstand"),
    ("IfcShadingDevice", "Shading", "Sonnenschutz"),
    ("IfcSite", "Site", "Grundstück"),
    ("IfcSlab", "Slab", "Decke"),
    ("IfcSpace", "Room", "Raum"),
    ("IfcSpaceHeater", "Heater", "Heizkörper"),
    ("IfcSpatialZone", "Zone", "Zone"),
    ("IfcStair", "Stair", "Treppe"),
    ("IfcStairFlight", "Flight of stairs", "Treppenlauf"),
    ("IfcRampFlight", "Flight of a ramp", "Rampenlauf"),
    ("IfcTransportElement", "Lift or conveyor", "Aufzug oder Förderanlage"),
    ("IfcDuctSegment", "Duct", "Luftkanal"),
    ("IfcWall", "Wall", "Wand"),
    ("IfcWindow", "Window", "Fenster"),
    ("IfcGeographicElement", "Terrain", "Gelände"),
];

/// The name of a class in a language; the class's own words where it is not named here.
pub(super) fn name(class: &str, language: &str) -> String {
    let is_own = |beginning: &str| {
        class == beginning
            || class
                .strip_prefix(beginning)
                .is_some_and(|rest| matches!(rest, "StandardCase" | "ElementedCase"))
    };
    match NAMES.iter().find(|(own, ..)| is_own(own)) {
        Some((_, _, german)) if language == "de" => (*german).to_owned(),
        Some((_, english, _)) => (*english).to_owned(),
        None => apart(class.strip_prefix("Ifc").unwrap_or(class)),
    }
}

/// `FlowController` as `Flow controller`.
fn apart(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut last_small = false;
    for c in name.chars() {
        if c.is_uppercase() && last_small {
            out.push(' ');
            out.extend(c.to_lowercase());
        } else {
            out.push(c);
        }
        last_small = c.is_lowercase();
    }
    out
}
