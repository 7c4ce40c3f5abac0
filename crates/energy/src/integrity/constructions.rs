//! Constructions whose layers do not belong together, and surfaces with a construction that is not for them.

use super::model::{Model, value};
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::geometry::polygon::DETAILED;
use crate::idf::Object;
use crate::references::Graph;
use foldhash::HashMap;

/// The sort of a construction, by its layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Opaque,
    Window,
    /// Neither, such as an air boundary, or not known.
    Other,
}

/// The types that can be layers.
const OPAQUE: [&str; 6] = [
    "Material",
    "Material:NoMass",
    "Material:AirGap",
    "Material:InfraredTransparent",
    "Material:RoofVegetation",
    "Material:NoMass:Simple",
];

/// The thickness, in metres, up to which conduction through a layer is computed by transfer functions.
const THICKEST: f64 = 3.0;

/// Adds constructions of mixed layers, and those used where they cannot be.
pub fn check(document: &Model<'_>, graph: &Graph, issues: &mut Vec<Issue>) {
    let mut materials: HashMap<String, Object<'_>> = HashMap::default();
    for object in document.objects() {
        let name = object.type_name();
        if OPAQUE.contains(&name) || name.starts_with("WindowMaterial:") {
            materials.entry(object.name().to_lowercase()).or_insert(object);
        }
    }
    let mut sorts: HashMap<String, Sort> = HashMap::default();
    for construction in document.of_type("Construction") {
        let layers: Vec<Object<'_>> =
            layers(construction).filter_map(|layer| materials.get(&layer.to_lowercase()).copied()).collect();
        let is_window = |layer: &&Object<'_>| layer.type_name().starts_with("WindowMaterial:");
        let is_pane =
            |layer: &Object<'_>| is_window(&layer) && !layer.type_name().starts_with("WindowMaterial:Gas");
        let sort = match layers.iter().filter(is_window).count() {
            0 if layers.is_empty() => Sort::Other,
            0 => Sort::Opaque,
            all if all == layers.len() => Sort::Window,
            // a gas in a wall that nothing has is not asked for
            _ if !layers.iter().any(is_pane) && graph.to(construction.handle()).is_empty() => Sort::Other,
            _ => {
                let message =
                    format!("The construction `{}` has layers of walls and of windows.", construction.name());
                let objects =
                    std::iter::once(construction).chain(layers.iter().copied()).map(Subject::from).collect();
                let what = "Give it layers of one sort.";
                issues.push(issue(Severity::Error, IssueKind::WrongConstruction, objects, message, what));
                Sort::Other
            }
        };
        sorts.insert(construction.name().to_lowercase(), sort);
    }
    simple_glazing(document, &materials, issues);
    let functions = document.of_type("HeatBalanceAlgorithm").next().is_none_or(|algorithm| {
        let word = algorithm.value(0);
        word.is_empty() || word.eq_ignore_ascii_case("ConductionTransferFunction")
    });
    for material in document.of_type("Material").filter(|_| functions) {
        let thick = value(material, "thickness").parse::<f64>().is_ok_and(|thick| thick > THICKEST);
        if thick && !graph.to(material.handle()).is_empty() {
            let message = format!(
                "The material `{}` is {} m thick; conduction is computed through at most {THICKEST} m.",
                material.name(),
                value(material, "thickness")
            );
            let what = "Give its thickness in metres, or divide it into layers.";
            issues.push(issue(
                Severity::Error,
                IssueKind::WrongConstruction,
                vec![material.into()],
                message,
                what,
            ));
        }
    }
    used(document, &sorts, issues);
    for surface in DETAILED.iter().flat_map(|name| document.of_type(name)) {
        two_sides(document, surface, &materials, issues);
    }
}

/// Reports simple glazing that is not the only pane; it stands for the whole window.
fn simple_glazing(document: &Model<'_>, materials: &HashMap<String, Object<'_>>, issues: &mut Vec<Issue>) {
    let is_pane = |name: &str| {
        ["WindowMaterial:Glazing", "WindowMaterial:SimpleGlazingSystem", "WindowMaterial:Gas"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    for construction in document.of_type("Construction") {
        let panes: Vec<&str> = layers(construction)
            .filter_map(|layer| materials.get(&layer.to_lowercase()))
            .map(Object::type_name)
            .filter(|name| is_pane(name))
            .collect();
        if panes.len() > 1 && panes.contains(&"WindowMaterial:SimpleGlazingSystem") {
            let message = format!(
                "The construction `{}` has simple glazing, which stands for the whole window, and further panes.",
                construction.name()
            );
            let what = "Leave the simple glazing alone, or give every pane and gap its own layer.";
            issues.push(issue(
                Severity::Error,
                IssueKind::WrongConstruction,
                vec![construction.into()],
                message,
                what,
            ));
        }
    }
}

fn layers(construction: Object<'_>) -> impl Iterator<Item = &str> {
    construction.values().skip(1).filter(|layer| !layer.is_empty())
}

/// Reports walls of glass and windows of brick.
fn used(document: &Model<'_>, sorts: &HashMap<String, Sort>, issues: &mut Vec<Issue>) {
    let sort_of = |object: Object<'_>| {
        let name = value(object, "construction_name");
        sorts.get(&name.to_lowercase()).copied().unwrap_or(Sort::Other)
    };
    let mut say = |object: Object<'_>, why: &str, what: &str| {
        let message = format!(
            "{} `{}` has the construction `{}`, which is {why}.",
            object.type_name(),
            object.name(),
            value(object, "construction_name")
        );
        issues.push(issue(Severity::Error, IssueKind::WrongConstruction, vec![object.into()], message, what));
    };
    for surface in
        DETAILED.iter().flat_map(|name| document.of_type(name)).chain(document.of_type("InternalMass"))
    {
        if sort_of(surface) == Sort::Window {
            say(surface, "one of windows", "Name a construction of opaque layers.");
        }
    }
    for window in document.of_type("FenestrationSurface:Detailed") {
        let word = value(window, "surface_type");
        let is_door = word.eq_ignore_ascii_case("door");
        match sort_of(window) {
            Sort::Opaque if !is_door => say(window, "opaque", "Name a construction of window layers."),
            Sort::Window if is_door => {
                say(window, "one of windows", "Name an opaque construction, or make it a GlassDoor.");
            }
            _ => {}
        }
    }
}

/// Reports a surface whose other side does not have the same layers in opposite order.
fn two_sides(
    document: &Model<'_>,
    surface: Object<'_>,
    materials: &HashMap<String, Object<'_>>,
    issues: &mut Vec<Issue>,
) {
    if !value(surface, "outside_boundary_condition").eq_ignore_ascii_case("Surface") {
        return;
    }
    let named = value(surface, "outside_boundary_condition_object");
    let Some(other) =
        DETAILED.iter().find_map(|name| document.get(name, named)).filter(|_| !named.is_empty())
    else {
        return;
    };
    if surface.handle() >= other.handle() {
        return;
    }
    let construction = |of: Object<'_>| {
        let name = value(of, "construction_name");
        document.get("Construction", name).filter(|_| !name.is_empty())
    };
    let (Some(one), Some(back)) = (construction(surface), construction(other)) else { return };
    if one.handle() == back.handle() {
        return;
    }
    let (one_layers, back_layers): (Vec<&str>, Vec<&str>) = (layers(one).collect(), layers(back).collect());
    let alike = |a: &str, b: &str| {
        a.eq_ignore_ascii_case(b)
            || match (materials.get(&a.to_lowercase()), materials.get(&b.to_lowercase())) {
                (Some(a), Some(b)) => same_values(*a, *b),
                _ => true,
            }
    };
    let mirrored = one_layers.len() == back_layers.len()
        && one_layers.iter().zip(back_layers.iter().rev()).all(|(a, b)| alike(a, b));
    if mirrored {
        return;
    }
    let message = format!(
        "`{}` and `{}` are two sides of one surface, and the layers of `{}` and `{}` are not the same in opposite order.",
        surface.name(),
        other.name(),
        one.name(),
        back.name()
    );
    let objects = vec![surface.into(), other.into(), one.into(), back.into()];
    let what = "Give the other side a construction of the same layers in opposite order.";
    issues.push(issue(Severity::Error, IssueKind::WrongConstruction, objects, message, what));
}

/// True if two materials are of one type and have the same numbers.
fn same_values(a: Object<'_>, b: Object<'_>) -> bool {
    a.type_name() == b.type_name()
        && a.values().skip(1).zip(b.values().skip(1)).all(|(a, b)| {
            match (a.parse::<f64>(), b.parse::<f64>()) {
                (Ok(a), Ok(b)) => (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-9),
                _ => a.eq_ignore_ascii_case(b),
            }
        })
}
