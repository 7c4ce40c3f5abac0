//! The rules of implementers, by family: number, demand, force, and the function that holds a model against each.

use super::Context;
use super::{
    alignment_agreement, alignment_continuity, alignment_layouts, alignment_shapes, contexts,
    conversion_units, curves, deprecated, faces, georeference, linear_placements, objects, official,
    placements, profiles, property_sets, reachable, representations, shells, spatial, systems,
};
use crate::{Exception, Severity};

/// The force of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// Without it a file is no IFC that others can be asked to read.
    Critical,
    /// Agreed between implementers.
    Implementer,
    /// Stated by the standard in words, not in EXPRESS.
    InformalProposition,
    /// Held to be good practice.
    Practice,
    /// Published, but not enforced by the validation service.
    NotEnforced,
}

impl Agreement {
    /// Every force, the strongest first.
    pub const ALL: [Self; 5] =
        [Self::Critical, Self::Implementer, Self::InformalProposition, Self::Practice, Self::NotEnforced];

    /// The weight of what breaks a rule of this force.
    pub fn severity(self) -> Severity {
        match self {
            Self::Critical | Self::Implementer | Self::InformalProposition => Severity::Error,
            Self::Practice => Severity::Warning,
            Self::NotEnforced => Severity::Notice,
        }
    }

    /// The force in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Critical => "without it a file is no IFC that others can be asked to read",
            Self::Implementer => "agreed between implementers",
            Self::InformalProposition => "stated by the standard in words",
            Self::Practice => "held to be good practice",
            Self::NotEnforced => "published, not enforced by the validation service",
        }
    }
}

/// A rule.
pub struct Rule {
    /// `SPS007`.
    pub id: &'static str,
    /// The requirement, in a sentence.
    pub title: &'static str,
    /// The force of the rule.
    pub agreement: Agreement,
    /// The cases that weigh otherwise.
    pub exceptions: &'static [Exception],
    pub(super) check: fn(&mut Context<'_, '_>),
}

/// Every rule, by family.
pub const RULES: &[Rule] = &[
    rule(
        "IFC101",
        "Only official versions of the schema are named",
        Agreement::Critical,
        official::schema_identifier,
    ),
    rule(
        "IFC102",
        "No deprecated classes, attributes or words are used",
        Agreement::Implementer,
        deprecated::check,
    ),
    rule("IFC105", "Resources belong to something with a GlobalId", Agreement::NotEnforced, reachable::check),
    rule("IFC106", "Resources belong to something with a GlobalId", Agreement::Practice, reachable::check),
    rule(
        "PSE001",
        "Sets named Pset_ are standard ones, with standard properties, on what they are for",
        Agreement::Implementer,
        property_sets::standard_properties,
    ),
    rule(
        "PSE002",
        "No other set has a name that looks like Pset_",
        Agreement::Practice,
        property_sets::custom_names,
    ),
    Rule {
        id: "QTY001",
        title: "Sets named Qto_ are standard ones, with standard quantities, on what they are for",
        agreement: Agreement::Implementer,
        exceptions: &[Exception {
            about: "Qto_SlabBaseQuantities.GrossPerimeter",
            severity: Severity::Notice,
            why: "the set's own quantity is Perimeter; GrossPerimeter, as rooms have it, stands beside it for programs that look \
                  for it by this name, and takes nothing away",
        }],
        check: property_sets::standard_quantities,
    },
    rule(
        "SPS001",
        "There is at most one site and at least one building, and buildings belong to the site",
        Agreement::Implementer,
        spatial::one_site,
    ),
    rule(
        "SPS002",
        "Spatial elements are aggregated as the composition table has it",
        Agreement::Implementer,
        spatial::composition,
    ),
    rule(
        "SPS003",
        "Parts of elements are not contained in spatial structures too",
        Agreement::Implementer,
        spatial::parts_not_contained,
    ),
    rule(
        "SPS004",
        "A product is contained or positioned, not both",
        Agreement::NotEnforced,
        spatial::contained_or_positioned,
    ),
    rule(
        "SPS005",
        "An element has exactly one place in the breakdown",
        Agreement::Implementer,
        spatial::one_parent,
    ),
    rule(
        "SPS006",
        "Positioned elements are referenced in a spatial structure",
        Agreement::NotEnforced,
        spatial::positioned_referenced,
    ),
    rule(
        "SPS007",
        "Elements, grids and annotations are contained, other products are not",
        Agreement::Implementer,
        spatial::containment,
    ),
    rule(
        "SPS008",
        "Storeys, sites and facilities have no representation of their own",
        Agreement::Practice,
        spatial::no_representation,
    ),
    rule(
        "OJP001",
        "A part's placement is relative to that of its whole",
        Agreement::Implementer,
        placements::parts,
    ),
    rule(
        "GEM001",
        "Edges of closed shells are used twice, once in each direction",
        Agreement::InformalProposition,
        shells::closed,
    ),
    rule(
        "GEM002",
        "Spaces have a body of a simple kind",
        Agreement::InformalProposition,
        representations::spaces,
    ),
    rule(
        "GEM003",
        "No two representations of a product have the same identifier",
        Agreement::InformalProposition,
        representations::unique_identifiers,
    ),
    rule(
        "GEM004",
        "Identifiers and types of representations are standard ones",
        Agreement::InformalProposition,
        representations::standard_words,
    ),
    rule(
        "GEM005",
        "An empty building is represented by a body",
        Agreement::NotEnforced,
        representations::empty_buildings,
    ),
    rule("GEM011", "Segments of a curve are all of one class", Agreement::Implementer, curves::segments),
    rule(
        "GEM051",
        "There is a geometric context, and it says its type",
        Agreement::Practice,
        contexts::presence,
    ),
    rule(
        "GEM052",
        "Contexts have subcontexts with standard identifiers",
        Agreement::Practice,
        contexts::subcontexts,
    ),
    rule(
        "GEM111",
        "Polylines and poly loops have no point twice",
        Agreement::Implementer,
        curves::duplicate_points,
    ),
    rule(
        "GEM112",
        "Indexed poly curves have no point twice in a row",
        Agreement::Implementer,
        curves::consecutive_points,
    ),
    rule(
        "GEM113",
        "The three points of an arc are not on one line",
        Agreement::Implementer,
        curves::straight_arcs,
    ),
    rule(
        "GRF001",
        "All geometric contexts share one coordinate operation",
        Agreement::Implementer,
        georeference::one_operation,
    ),
    rule(
        "GRF002",
        "Reference systems are named by codes of EPSG",
        Agreement::NotEnforced,
        georeference::named_by_code,
    ),
    rule(
        "GRF003",
        "Facilities come with a coordinate reference system",
        Agreement::NotEnforced,
        georeference::presence,
    ),
    rule(
        "GRF004",
        "Names that begin with EPSG: are codes of EPSG",
        Agreement::Implementer,
        georeference::codes,
    ),
    rule(
        "GRF005",
        "The map conversion's scale is that between the units",
        Agreement::Practice,
        georeference::scale,
    ),
    rule(
        "GRF006",
        "What EPSG does not have is given as well-known text",
        Agreement::Implementer,
        georeference::well_known_text,
    ),
    rule(
        "GRF007",
        "A vertical datum is a vertical or compound system",
        Agreement::Implementer,
        georeference::vertical_datum,
    ),
    rule(
        "GRF008",
        "Rigid operations are in lengths or angles",
        Agreement::Implementer,
        georeference::rigid_operation,
    ),
    rule(
        "ALB002",
        "Alignments are made of alignments, layouts of segments with the parameters of their kind",
        Agreement::Implementer,
        alignment_layouts::relations,
    ),
    rule(
        "ALB003",
        "Alignments nest layouts and referents only",
        Agreement::Implementer,
        alignment_layouts::nesting,
    ),
    rule(
        "ALB004",
        "Alignments are aggregated in the project, themselves or through a parent",
        Agreement::Implementer,
        alignment_layouts::in_project,
    ),
    rule(
        "ALB005",
        "Referents that tell positions are positioned relative to an alignment",
        Agreement::NotEnforced,
        alignment_layouts::referents_positioned,
    ),
    rule(
        "ALB010",
        "Alignments with a horizontal layout nest referents",
        Agreement::Practice,
        alignment_layouts::nests_referents,
    ),
    rule(
        "ALB012",
        "Radii of curvature of vertical segments follow from their gradients",
        Agreement::Implementer,
        alignment_layouts::radii,
    ),
    rule(
        "ALB015",
        "Layouts end with a segment of length nought",
        Agreement::Implementer,
        alignment_layouts::ends_with_nought,
    ),
    rule(
        "ALB021",
        "Curves with heights and cant go with layouts of these",
        Agreement::Implementer,
        alignment_agreement::presence,
    ),
    rule(
        "ALB022",
        "A layout and its curve have as many segments",
        Agreement::Implementer,
        alignment_agreement::counts,
    ),
    rule(
        "ALB023",
        "Segments of curves are of the kind that layouts say",
        Agreement::Implementer,
        alignment_agreement::kinds,
    ),
    rule(
        "ALB030",
        "Alignments are placed by local placements",
        Agreement::Implementer,
        alignment_layouts::local_placement,
    ),
    rule(
        "ALB031",
        "An alignment by itself has one horizontal layout, and at most one of each other kind",
        Agreement::Implementer,
        alignment_layouts::by_itself,
    ),
    rule(
        "ALB032",
        "Child alignments share the horizontal layout of their parent, and have no children",
        Agreement::Implementer,
        alignment_layouts::shared_horizontal,
    ),
    rule(
        "ALS004",
        "Alignment segments are represented by curve segments, as Axis of type Segment",
        Agreement::Implementer,
        alignment_shapes::of_segments,
    ),
    rule(
        "ALS005",
        "Alignments are represented as Axis or FootPrint, by curves that go with the type",
        Agreement::Implementer,
        alignment_shapes::of_alignments,
    ),
    rule(
        "ALS006",
        "Horizontal layouts are represented as Axis of type Curve2D",
        Agreement::Implementer,
        alignment_shapes::of_horizontal,
    ),
    rule(
        "ALS007",
        "Vertical layouts are represented by gradient curves, as Axis of type Curve3D",
        Agreement::Implementer,
        alignment_shapes::of_vertical,
    ),
    rule(
        "ALS008",
        "Layouts of cant are represented by segmented reference curves, as Axis of type Curve3D",
        Agreement::Implementer,
        alignment_shapes::of_cant,
    ),
    rule(
        "ALS010",
        "Alignment segments are represented by one item, Helmert curves by two",
        Agreement::Implementer,
        alignment_shapes::item_counts,
    ),
    rule(
        "ALS011",
        "Segments of an alignment's curve are all of one class",
        Agreement::Implementer,
        alignment_shapes::one_class,
    ),
    rule(
        "ALS012",
        "Segments of an alignment's curves begin and end by lengths",
        Agreement::InformalProposition,
        alignment_shapes::measures,
    ),
    rule(
        "ALS015",
        "Curves of alignments end with a discontinuous segment of length nought",
        Agreement::Implementer,
        alignment_shapes::ends_with_nought,
    ),
    rule(
        "ALS016",
        "Segments of alignments go on in plan as their transitions say",
        Agreement::Practice,
        alignment_continuity::in_plan,
    ),
    rule(
        "ALS017",
        "Segments of alignments go on in height as their transitions say",
        Agreement::Practice,
        alignment_continuity::in_height,
    ),
    rule(
        "LIP002",
        "Linear placements come with the Cartesian position that they compute to",
        Agreement::Practice,
        linear_placements::fallback,
    ),
    rule(
        "BRP001",
        "Polygonal bounds of faces do not cross themselves",
        Agreement::NotEnforced,
        faces::simple_bounds,
    ),
    rule("BRP002", "The faces of a shell hang together", Agreement::InformalProposition, faces::one_piece),
    rule("BRP003", "Polygonal faces are flat", Agreement::InformalProposition, faces::flat),
    rule(
        "TAS001",
        "Polygons of face sets do not cross themselves",
        Agreement::NotEnforced,
        faces::simple_polygons,
    ),
    rule(
        "SWE001",
        "Outlines of profiles do not cross themselves",
        Agreement::InformalProposition,
        profiles::simple_outlines,
    ),
    rule(
        "SWE002",
        "Derived profiles and tapered sweeps do not mirror",
        Agreement::InformalProposition,
        profiles::no_mirroring,
    ),
    rule(
        "SYS001",
        "A cable has two ports, a source and a sink",
        Agreement::NotEnforced,
        systems::cable_ports,
    ),
    rule(
        "PJS001",
        "Units told by others have recommended names and factors, and are told by SI units",
        Agreement::Implementer,
        conversion_units::recommended,
    ),
    rule("PJS002", "Projects declare no occurrences", Agreement::Implementer, objects::declared),
    rule("PJS003", "GlobalIds are 128 bits in 22 characters", Agreement::Implementer, objects::global_ids),
    rule("PJS101", "There is one project", Agreement::Practice, objects::one_project),
    rule("GRP001", "No group is a member of itself", Agreement::Implementer, objects::acyclic),
    rule(
        "OJT001",
        "USERDEFINED says as what, and types say the predefined type",
        Agreement::Implementer,
        objects::predefined_types,
    ),
    rule("BLT001", "Types say how doors operate", Agreement::Implementer, objects::door_operation),
    rule(
        "BLT002",
        "Types say how windows are partitioned",
        Agreement::Implementer,
        objects::window_partitioning,
    ),
    rule("BLT003", "Stairs are made of flights, slabs and railings", Agreement::Practice, objects::stairs),
    rule("BBX001", "Boxes are bounding boxes", Agreement::Implementer, objects::boxes),
    rule(
        "MPD001",
        "What is mapped is called as what it is mapped into",
        Agreement::Implementer,
        objects::mapped_items,
    ),
];

const fn rule(
    id: &'static str,
    title: &'static str,
    agreement: Agreement,
    check: fn(&mut Context<'_, '_>),
) -> Rule {
    Rule { id, title, agreement, exceptions: &[], check }
}

/// The rule of this number.
pub fn rule_of(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

/// The rules of a code (`SPS007`) or a family (`SPS`), in any letter case; else the codes and families near it.
pub fn rules_called(name: &str) -> Result<Vec<&'static Rule>, Vec<&'static str>> {
    let name = name.trim().to_ascii_uppercase();
    let is_called = |rule: &&Rule| rule.id == name || rule.id.get(..3) == Some(name.as_str());
    let found: Vec<&'static Rule> = RULES.iter().filter(is_called).collect();
    if found.is_empty() {
        let families = RULES.iter().filter_map(|rule| rule.id.get(..3));
        Err(ifc::schema::near(&name, RULES.iter().map(|rule| rule.id).chain(families), 5))
    } else {
        Ok(found)
    }
}
