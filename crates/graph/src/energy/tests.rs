//! Energy models as graphs: objects, fields, references, groups, findings and results; and the view against itself.

use super::{EnergyDataset, EnergyGraph, RunResults};
use crate::source::Asked;
use crate::tests::{agrees, ask};
use crate::{Limits, Vocabulary, query};
use contract::Unwatched;
use energy::idf::Document;

const MODEL: &str = "Version, 25.2;
Building, House, 30, Suburbs, 0.04, 0.4, FullExterior, 25, 6;
Zone, Living room, 0, 0, 0, 0, 1, 1, 2.5, 100;
Zone, Bath/WC, 0, 4, 0, 0, 1, 1, autocalculate, ;
ZoneList, Rooms, living ROOM, Bath/WC;
Material, Brick, MediumRough, 0.24, 0.5, 1800, 840;
Construction, Wall, Brick;
BuildingSurface:Detailed, Wall 1, WALL, Wall, Living room, , OUTDOORS, , SunExposed, WindExposed, autocalculate, 4,
  0,0,2.5, 0,0,0, 4,0,0, 4,0,2.5;
BuildingSurface:Detailed, Wall 2, Wall, Missing, Bath/WC, , Surface, Wall 1, NoSun, NoWind, autocalculate, 3,
  0,0,2.5, 0,0,0, 4,0,0;
Sizing:Zone, Living room, SupplyAirTemperature, 14, , SupplyAirTemperature, 40, , 0.009, 0.004, , , ;
Output:Variable, *, Zone Mean Air Temperature, Hourly;
Output:Variable, *, Zone Mean Air Temperature, Daily;
Material, Brick, Rough, 0.1, 0.5, 1800, 840;
NoSuchType, a, b;
";

fn document(text: &str) -> Document {
    Document::open(text.as_bytes()).unwrap().0
}

fn dataset() -> EnergyDataset {
    EnergyDataset::new(vec![EnergyGraph::new("version:this", document(MODEL))]).unwrap()
}

fn with_results() -> EnergyDataset {
    let results = RunResults::of_zones([("LIVING ROOM", "heatingDesignLoad_W", 812.0)]);
    let graph = EnergyGraph::new("version:this", document(MODEL)).with_results(Some(results));
    EnergyDataset::new(vec![graph]).unwrap()
}

fn check(sparql: &str, expected: &[&str]) {
    assert_eq!(ask(&dataset(), sparql), expected, "{sparql}");
}

fn notes(dataset: &EnergyDataset, sparql: &str) -> String {
    query(dataset, sparql, &Limits::default(), &Unwatched).unwrap().notes.join(" ")
}

#[test]
fn whichever_sides_are_bound_the_same_triples_come_back() {
    for findings in [false, true] {
        agrees(&dataset(), Asked { findings, results: false }, 1);
        agrees(&with_results(), Asked { findings, results: true }, 1);
    }
}

#[test]
fn the_same_holds_of_real_models() {
    let Some(folder) = testing::prototypes() else { return };
    for (name, stride) in [
        ("ASHRAE901_OfficeSmall_STD2019_Denver.idf", 2003),
        ("ASHRAE901_HotelSmall_STD2019_Denver.idf", 20_011),
    ] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let (document, _) = Document::open(&bytes).unwrap();
        let graph = EnergyGraph::new("version:this", document);
        agrees(&EnergyDataset::new(vec![graph]).unwrap(), Asked { findings: true, results: false }, stride);
    }
}

#[test]
fn objects_are_asked_by_type_name_and_field() {
    check("SELECT ?n { ?z a ep:Zone ; ep:name ?n }", &["Bath/WC", "Living room"]);
    check("SELECT ?z { ?z a ep:Zone ; ep:name 'Bath/WC' }", &["inst:Zone.Bath%2FWC"]);
    check("SELECT ?h { inst:Zone.Living%20room ep:ceiling_height ?h }", &["2.5"]);
    check("SELECT ?n { ?z ep:volume 'autocalculate' ; ep:name ?n }", &[]);
    check("SELECT ?h { ?z ep:name 'Bath/WC' ; ep:ceiling_height ?h }", &["autocalculate"]);
    // choices are spelled as the schema spells them
    check(
        "SELECT ?n { ?s ep:outside_boundary_condition 'Outdoors' ; ep:surface_type 'Wall' ; ep:name ?n }",
        &["Wall 1"],
    );
    check("SELECT ?t { ?x a ?t FILTER(STRSTARTS(STR(?t), STR(ep:No))) }", &["ep:NoSuchType"]);
    // of two of one name the second goes by its handle, as what has no name
    check("SELECT ?m { ?m a ep:Material }", &["inst:Material.Brick", "inst:Material.id:12"]);
    check(
        "SELECT ?v { ?v a ep:Output:Variable ; ep:reporting_frequency 'Daily' }",
        &["inst:Output:Variable.id:11"],
    );
    check("SELECT ?g { ep:Zone ep:inGroup ?g }", &["Thermal Zones and Surfaces"]);
}

#[test]
fn fields_that_name_objects_lead_to_them_whatever_the_case() {
    check(
        "SELECT ?n { ?s a ep:BuildingSurface:Detailed ; ep:zone_name/ep:ceiling_height 2.5e0 ; ep:name ?n }",
        &["Wall 1"],
    );
    check(
        "SELECT ?k { ?s ep:name 'Wall 1' ; ep:construction_name/ep:outside_layer/ep:conductivity ?k }",
        &["0.5", "0.5"],
    );
    // what names nothing stays a text
    check("SELECT ?c { ?s ep:name 'Wall 2' ; ep:construction_name ?c }", &["Missing"]);
    check("SELECT ?n { ?l a ep:ZoneList ; ep:zone_name/ep:name ?n }", &["Bath/WC", "Living room"]);
    check("SELECT ?n { ?x ep:refersTo inst:Zone.Living%20room ; ep:name ?n }", &["Rooms", "Wall 1"]);
    check(
        "SELECT ?n { inst:BuildingSurface:Detailed.Wall%202 ep:refersTo+/ep:name ?n }",
        &["Bath/WC", "Brick", "Brick", "Living room", "Wall", "Wall 1"],
    );
    check("SELECT ?z { ?s a ep:Sizing:Zone ; ep:zone_or_zonelist_name/ep:name ?z }", &["Living room"]);
}

#[test]
fn fields_that_repeat_stand_at_nodes_of_their_own() {
    let wall = "inst:BuildingSurface:Detailed.Wall%201";
    check(
        &format!(
            "SELECT ?n ?x {{ {wall} ep:vertices ?v . ?v ep:groupNumber ?n ; ep:vertex_x_coordinate ?x }}"
        ),
        &["1 0.0", "2 0.0", "3 4.0", "4 4.0"],
    );
    check(&format!("SELECT ?x {{ {wall}.3 ep:vertex_x_coordinate ?x }}"), &["4.0"]);
    check(&format!("SELECT ?x {{ {wall} ep:vertex_x_coordinate ?x }}"), &[]);
    check("SELECT ?n { ?l ep:zones ?g . ?g ep:groupNumber 2 ; ep:zone_name/ep:name ?n }", &["Bath/WC"]);
}

#[test]
fn units_are_known_of_fields() {
    check("SELECT ?u { ep:ceiling_height qudt:unit ?u }", &["unit:M"]);
    check("SELECT ?u { ep:conductivity ep:units ?u }", &["W/m-K"]);
    let vocabulary = Vocabulary::of_graph(&dataset(), 0, Asked::default(), &Unwatched).unwrap();
    let height = vocabulary.predicates.iter().find(|used| used.name == "ep:ceiling_height").unwrap();
    assert_eq!((height.count, height.unit.as_deref()), (2, Some("unit:M")));
    assert!(vocabulary.classes.iter().any(|used| used.name == "ep:Zone" && used.count == 2));
}

#[test]
fn findings_and_results_are_there_for_who_mentions_them() {
    check(
        "SELECT ?n ?m { ?f a check:Finding ; check:kind 'dangling_reference' ; check:message ?m ; check:element/ep:name ?n }",
        &[
            "Wall 2 BuildingSurface:Detailed `Wall 2`: `Construction Name` is `Missing`, a name that nothing has; it may be one of Wall.",
        ],
    );
    let found = with_results();
    let asked = |sparql: &str| ask(&found, sparql);
    assert_eq!(
        asked("SELECT ?n ?w { ?z result:heatingDesignLoad_W ?w ; ep:name ?n }"),
        ["Living room 812.0"]
    );
    assert_eq!(asked("SELECT ?k { ?u a result:EndUse ; result:energy_kWh ?k }"), ["12.5"]);
    assert_eq!(asked("SELECT ?u { ?u a result:Run }"), ["result:run"]);
    assert_eq!(asked("SELECT ?p { inst:Zone.Living%20room ?p 812.0e0 }"), Vec::<String>::new());
    assert!(notes(&dataset(), "SELECT * { ?z result:heatingDesignLoad_W ?w }").contains("run_simulation"));
    assert!(
        notes(&found, "SELECT * { ?z result:heatingDesignLoad ?w }")
            .contains("Did you mean result:heatingDesignLoad_W")
    );
}

#[test]
fn names_that_nothing_bears_are_told_of() {
    let told = |sparql: &str| notes(&dataset(), sparql);
    assert!(told("SELECT * { ?z ep:ceiling_hight ?h }").contains("Did you mean ep:ceiling_height"));
    assert!(told("SELECT * { ?z ep:CeilingHeight ?h }").contains("Unknown predicate ep:CeilingHeight"));
    assert!(told("SELECT * { ?z ep:fan_total_efficiency ?h }").contains("No object in this model has"));
    assert!(told("SELECT * { ?z a ep:Zonne }").contains("Did you mean ep:Zone"));
    assert!(told("SELECT * { ?z a ep:Lights }").contains("There is no ep:Lights in this model"));
    assert!(told("SELECT * { inst:Zone.Kitchen ep:name ?n }").contains("There is no inst:Zone.Kitchen"));
    assert!(told("SELECT * { ?z ep:ceiling_height 2 }").contains("FILTER"));
    assert_eq!(told("SELECT * { ?z a ep:Zone ; ep:name ?n ; ep:refersTo ?o ; ep:zones ?g }"), "");
    let fault =
        query(&dataset(), "SELECT * { ?x a ifc:IfcWall }", &Limits::default(), &Unwatched).unwrap_err();
    assert!(fault.message.contains("the prefix ifc: is not declared"), "{}", fault.message);
}

#[test]
fn versions_share_their_objects() {
    let before = MODEL.replace("1, 1, 2.5, 100", "1, 1, 3.0, 100");
    let graphs = [("version:this", MODEL), ("version:other", before.as_str())];
    let graphs = graphs.map(|(name, text)| EnergyGraph::new(name, document(text)));
    let dataset = EnergyDataset::new(graphs.into()).unwrap();
    let sparql = "SELECT ?n ?now ?then { ?z ep:ceiling_height ?now ; ep:name ?n
        GRAPH <version:other> { ?z ep:ceiling_height ?then } FILTER(?now != ?then) }";
    assert_eq!(ask(&dataset, sparql), ["Living room 2.5 3.0"]);
}

#[test]
fn the_graph_is_written_as_turtle_and_json_ld() {
    let (dataset, mut turtle, mut json) = (dataset(), Vec::new(), Vec::new());
    let write = |format, out: &mut Vec<u8>| crate::export(&dataset, 0, format, out, &Unwatched).unwrap();
    let count = write(crate::Format::Turtle, &mut turtle);
    assert_eq!(write(crate::Format::JsonLd, &mut json), count);
    let read = oxttl::TurtleParser::new().for_slice(&turtle).map(Result::unwrap);
    assert_eq!(read.collect::<std::collections::HashSet<_>>().len() as u64, count);
    let text = String::from_utf8(turtle).unwrap();
    assert!(text.contains("ep:ceiling_height") && !text.contains("check:Finding"), "{text}");
}
