//! The thermal properties of materials: conductivity, density and specific heat.
//!
//! Stated values first: Pset_MaterialThermal and Pset_MaterialCommon, in IFC2X3 IfcThermalMaterialProperties and
//! IfcGeneralMaterialProperties. What is missing, zero or absurd is taken from EnergyPlus' data set ASHRAE_2005_HOF_Materials.idf, by
//! what the material's name says in a few languages, else by what the element is.

use crate::{corrections::Here, report::Notes};
use ifc::{Id, Model, psets, relations::Links, units::Units};

/// The properties of a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Thermal {
    /// W/(m·K)
    pub conductivity: f64,
    /// kg/m³
    pub density: f64,
    /// J/(kg·K)
    pub specific_heat: f64,
    /// True if the conductivity is the file's or a correction's.
    pub is_stated: bool,
}

struct Typical {
    /// The name in the data set.
    name: &'static str,
    conductivity: f64,
    density: f64,
    specific_heat: f64,
    /// Words by which names of materials say it, in lower case.
    words: &'static [&'static str],
}

const fn typical(
    name: &'static str,
    conductivity: f64,
    density: f64,
    specific_heat: f64,
    words: &'static [&'static str],
) -> Typical {
    Typical { name, conductivity, density, specific_heat, words }
}

/// The first whose word a name holds counts, so the special ones come first.
const TYPICAL: &[Typical] = &[
    typical(
        "I02 50mm insulation board",
        0.03,
        43.0,
        1210.0,
        &[
            "xps",
            "eps",
            "styro",
            "polystyr",
            "pur-",
            "polyurethan",
            "pir",
            "rigid insul",
            "hartschaum",
            "insulation / thermal barriers - rigid",
        ],
    ),
    typical(
        "I04 89mm batt insulation",
        0.05,
        19.0,
        960.0,
        &[
            "insul",
            "dämm",
            "daemm",
            "wdvs",
            "mineralwolle",
            "mineral wool",
            "rockwool",
            "steinwolle",
            "glaswolle",
            "wool",
            "isolant",
            "isolation",
            "aislamiento",
            "isolamento",
            "isolatie",
            "batt",
            "cellulose",
            "vapor",
            "wärmed",
        ],
    ),
    typical(
        "G01a 19mm gypsum board",
        0.16,
        800.0,
        1090.0,
        &["gips", "gypsum", "plasterboard", "drywall", "rigips", "placo", "plâtre", "yeso", "cartongesso"],
    ),
    typical(
        "Concrete: Cement/lime - mortar - and stucco - 1600 kg/m3 - 51mm",
        0.97,
        1600.0,
        900.0,
        &[
            "putz", "plaster", "render", "stucco", "mörtel", "moertel", "mortar", "estrich", "screed",
            "enduit", "mortier", "chape", "mortero", "intonaco",
        ],
    ),
    typical("F17 Carpet", 0.06, 288.0, 1380.0, &["carpet", "teppich", "moquette", "tapijt"]),
    typical(
        "F14 Slate or tile",
        1.59,
        1920.0,
        1260.0,
        &[
            "fliese",
            "tile",
            "keramik",
            "ceramic",
            "dachziegel",
            "schiefer",
            "slate",
            "carrelage",
            "azulejo",
            "tegel",
            "dachpfanne",
        ],
    ),
    typical("F16 Acoustic tile", 0.06, 368.0, 590.0, &["acoustic", "akustik"]),
    typical(
        "M12 150mm lightweight concrete",
        0.53,
        1280.0,
        840.0,
        &[
            "leichtbeton",
            "porenbeton",
            "gasbeton",
            "lightweight concrete",
            "aerated",
            "béton léger",
            "béton cellulaire",
            "ytong",
        ],
    ),
    typical(
        "M15 200mm heavyweight concrete",
        1.95,
        2240.0,
        900.0,
        &["concrete", "beton", "béton", "hormig", "calcestruzzo", "betão", "cast in", "in situ"],
    ),
    typical(
        "M01 100mm brick",
        0.89,
        1920.0,
        790.0,
        &[
            "brick",
            "ziegel",
            "backstein",
            "klinker",
            "mauerwerk",
            "masonry",
            "brique",
            "ladrillo",
            "mattone",
            "laterizio",
            "baksteen",
            "kalksand",
            "sand-lime",
            "cmu",
            "block",
        ],
    ),
    typical(
        "F10 25mm stone",
        3.17,
        2560.0,
        790.0,
        &["stone", "stein", "granit", "marmor", "marble", "pierre", "piedra", "pietra"],
    ),
    typical(
        "F08 Metal surface",
        45.28,
        7824.0,
        500.0,
        &[
            "steel", "stahl", "metal", "metall", "alumin", "blech", "zink", "zinc", "acier", "acero",
            "acciaio", "kupfer", "copper", "staal",
        ],
    ),
    typical(
        "G02 16mm plywood",
        0.12,
        544.0,
        1210.0,
        &["plywood", "sperrholz", "osb", "spanplatte", "particle", "mdf", "contreplaqué", "sheathing"],
    ),
    typical(
        "G05 25mm wood",
        0.15,
        608.0,
        1630.0,
        &[
            "wood", "holz", "timber", "parkett", "parquet", "laminat", "bois", "madera", "legno", "hout",
            "eiche", "fichte", "kiefer", "oak", "joist", "truss",
        ],
    ),
    typical("F09 Opaque spandrel glass", 0.99, 2528.0, 880.0, &["glas", "glass", "verre", "vidrio", "vetro"]),
    typical(
        "F12 Asphalt shingles",
        0.04,
        1120.0,
        1260.0,
        &["asphalt", "bitum", "shingle", "dachbahn", "membrane", "roofing", "epdm"],
    ),
    typical(
        "Concrete: Sand and gravel or stone aggregate concretes - 2080 kg/m3 - 51mm",
        1.45,
        2080.0,
        900.0,
        &["gravel", "kies", "sand", "earth", "erde", "soil", "gravier"],
    ),
];

/// Returns the material of an element of which nothing is said, from the data set, by its class.
fn usual(class: &str) -> &'static Typical {
    let name = if class.starts_with("IfcWall") || class == "IfcBuildingElementProxy" {
        "M01 100mm brick"
    } else if class == "IfcCovering" {
        "G01a 19mm gypsum board"
    } else if class == "IfcCurtainWall" || class == "IfcPlate" {
        "F09 Opaque spandrel glass"
    } else {
        "M15 200mm heavyweight concrete"
    };
    TYPICAL.iter().find(|t| t.name == name).unwrap_or(&TYPICAL[0])
}

/// Words by which a layer of air is known, in lower case; one between studs is air too.
const AIR: [&str; 10] = [
    "stud layer",
    "furring",
    "luftschicht",
    "air gap",
    "air space",
    "airspace",
    "air barrier",
    "lame d'air",
    "cavity",
    "hinterlüft",
];

/// Returns true if a material's name says air.
pub(crate) fn is_air(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    name == "air" || name == "luft" || AIR.iter().any(|w| name.contains(w))
}

fn by_name(name: &str) -> Option<&'static Typical> {
    let name = name.to_lowercase();
    TYPICAL.iter().find(|t| t.words.iter().any(|w| name.contains(w)))
}

/// The properties of a material, or of what an element of this class is usually made of where it says none.
pub(crate) fn thermal(
    links: &Links<'_>,
    units: &Units,
    material: Option<Id>,
    element: (Id, &str),
    place: &str,
    notes: &mut Notes,
) -> Thermal {
    let model = links.model();
    let (element, class) = element;
    let name = material.and_then(|id| model.get(id)).and_then(|m| m.name()).unwrap_or_default();
    let (like, why) = match by_name(&name) {
        Some(like) => (like, format!("named {name}")),
        None if name.is_empty() => (usual(class), format!("no material; usual for {class}")),
        None => (usual(class), format!("{name} says nothing; usual for {class}")),
    };
    let source = format!("EnergyPlus data set ASHRAE_2005_HOF_Materials.idf, {}: {why}", like.name);
    let stated = |names: [&str; 2], low: f64, high: f64| {
        material
            .and_then(|id| property(links, units, id, names))
            .filter(|v| v.is_finite() && (low..=high).contains(v))
    };
    let conductivity = stated(["ThermalConductivity", "Thermal Conductivity"], 0.005, 500.0);
    let density = stated(["MassDensity", "Density"], 1.0, 12_000.0);
    let specific_heat = stated(["SpecificHeatCapacity", "Specific Heat"], 100.0, 5_000.0);
    let place = if name.is_empty() { place } else { name.as_str() };
    let here = Here::element(links, element, &[&name]);
    let conductivity = notes.number("conductivity", place, "W/(m·K)", &here).or(conductivity);
    let density = notes.number("density", place, "kg/m³", &here).or(density);
    let specific_heat = notes.number("specific heat", place, "J/(kg·K)", &here).or(specific_heat);
    let is_stated = conductivity.is_some();
    let mut or = |value: Option<f64>, what: &str, default: f64, unit: &str| {
        value.unwrap_or_else(|| {
            notes.assume(what, place, &format!("{default} {unit}"), &source);
            default
        })
    };
    Thermal {
        conductivity: or(conductivity, "conductivity", like.conductivity, "W/(m·K)"),
        density: or(density, "density", like.density, "kg/m³"),
        specific_heat: or(specific_heat, "specific heat", like.specific_heat, "J/(kg·K)"),
        is_stated,
    }
}

/// A number that a material says of itself, in its SI unit, under the first of these names that is there.
fn property(links: &Links<'_>, units: &Units, material: Id, names: [&str; 2]) -> Option<f64> {
    let model = links.model();
    let sets = psets::definitions(links, material);
    let listed = sets.iter().find_map(|set| {
        names.iter().find_map(|name| psets::property_named(model, *set, name)?.in_si(model, units))
    });
    listed.or_else(|| of_old_files(model, units, material, names.first()?))
}

/// Reads them in IFC2X3: attributes of their own classes.
fn of_old_files(model: &Model, units: &Units, material: Id, name: &str) -> Option<f64> {
    let measure = match name {
        "ThermalConductivity" => "IfcThermalConductivityMeasure",
        "SpecificHeatCapacity" => "IfcSpecificHeatCapacityMeasure",
        "MassDensity" => "IfcMassDensityMeasure",
        _ => return None,
    };
    let class =
        if name == "MassDensity" { "IfcGeneralMaterialProperties" } else { "IfcThermalMaterialProperties" };
    let found = model.referrers_of(material, class).into_iter().find_map(|id| model.get(id)?.number(name))?;
    Some(units.to_si(measure, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_materials_are_understood_in_several_languages() {
        let of = |name: &str| by_name(name).map(|t| t.name);
        assert_eq!(of("Leichtbeton 102890359"), Some("M12 150mm lightweight concrete"));
        assert_eq!(of("Stahlbeton 65690"), Some("M15 200mm heavyweight concrete"));
        assert_eq!(of("Masonry - Brick"), Some("M01 100mm brick"));
        assert_eq!(of("Wärmedämmung hart"), Some("I04 89mm batt insulation"));
        assert_eq!(of("Gipskartonplatte"), Some("G01a 19mm gypsum board"));
        assert_eq!(of("Radial Gradient Fill 1515460218"), None);
        assert!(is_air("Luftschicht 40 mm") && !is_air("Lufttrockenes Holz"));
    }
}
