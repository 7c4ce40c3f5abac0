//! The view against itself: whichever sides of a pattern are bound, the same triples come back; and models that are not as they should be.

use crate::budget::{Budget, Stop};
use crate::sample;
use crate::source::{Asked, Sight, Source, Triple};
use crate::{Dataset, Finding, Findings, Graph, Limits, Outcome, query};
use contract::{Unwatched, Watch};
use ifc::{Id, Model, SchemaVersion, Value};
use oxrdf::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const BASE: &str = "https://pensaer.local/model/m/";

fn house() -> Model {
    sample::model(SchemaVersion::Ifc4, sample::HOUSE)
}

fn dataset(model: Model) -> Dataset {
    Dataset::of_model(BASE, model).unwrap()
}

/// The rows of a query, as text.
pub(crate) fn ask(dataset: &dyn Source, sparql: &str) -> Vec<String> {
    let answer = query(dataset, sparql, &Limits { rows: 10_000, ..Limits::default() }, &Unwatched).unwrap();
    let Outcome::Rows { rows, .. } = &answer.outcome else { return vec![answer.to_json().to_string()] };
    let row = |row: &Vec<Option<Term>>| {
        let cells = row.iter().map(|cell| {
            cell.as_ref().map_or_else(
                || "-".to_owned(),
                |term| {
                    let cell = answer.cell(term);
                    cell.as_str().map_or_else(|| cell.to_string(), str::to_owned)
                },
            )
        });
        cells.collect::<Vec<_>>().join(" ")
    };
    let mut rows: Vec<String> = rows.iter().map(row).collect();
    rows.sort();
    rows
}

fn check(sparql: &str, expected: &[&str]) {
    assert_eq!(ask(&dataset(house()), sparql), expected, "{sparql}");
}

fn text(view: &dyn Sight, (subject, predicate, object): &Triple) -> [String; 3] {
    [subject, predicate, object].map(|key| view.to_term(key).to_string())
}

/// Asks for every `stride`th triple by each choice of bound sides, and compares with those triples that fit.
fn agrees_with_itself(dataset: &Dataset, stride: usize) {
    agrees(dataset, Asked::default(), stride);
}

/// The same with those parts that are asked for.
pub(crate) fn agrees(dataset: &dyn Source, asked: Asked, stride: usize) {
    let body = || {
        let view = dataset.view(asked);
        let view = &*view;
        let all: Vec<Triple> = view.triples(0, None, None, None).collect();
        let texts: Vec<[String; 3]> = all.iter().map(|triple| text(view, triple)).collect();
        let set: BTreeSet<&[String; 3]> = texts.iter().collect();
        assert_eq!(set.len(), texts.len(), "every triple is there once");
        assert!(view.fault().is_none());
        for bound in 1..8usize {
            let is_bound = [bound & 1 > 0, bound & 2 > 0, bound & 4 > 0];
            let kept = |triple: &[String; 3]| -> Vec<String> {
                triple
                    .iter()
                    .zip(is_bound)
                    .filter(|(_, bound)| *bound)
                    .map(|(term, _)| term.clone())
                    .collect()
            };
            let mut groups: BTreeMap<Vec<String>, Vec<&[String; 3]>> = BTreeMap::new();
            for triple in &texts {
                groups.entry(kept(triple)).or_default().push(triple);
            }
            for ((subject, predicate, object), written) in all.iter().zip(&texts).step_by(stride) {
                let side = |key, at: usize| is_bound[at].then_some(key);
                let found = view.triples(0, side(subject, 0), side(predicate, 1), side(object, 2));
                let mut found: Vec<[String; 3]> = found.map(|triple| text(view, &triple)).collect();
                found.sort();
                let mut expected: Vec<[String; 3]> =
                    groups[&kept(written)].iter().map(|t| (*t).clone()).collect();
                expected.sort();
                assert_eq!(found, expected, "{is_bound:?} of {written:?}");
                // a term that comes from outside is the same
                let parsed = view.to_key(view.to_term(object));
                assert_eq!(&parsed, object);
            }
        }
    };
    let budget = Budget { time: Duration::from_secs(600), terms: u64::MAX, stop: Stop::default() };
    assert_eq!(budget.run(body), Ok(()));
}

#[test]
fn whichever_sides_are_bound_the_same_triples_come_back() {
    agrees_with_itself(&dataset(house()), 1);
}

#[test]
fn the_same_holds_of_real_models() {
    for (name, stride) in
        [("Duplex_A_20110907.ifc", 8009), ("AC20-FZK-Haus.ifc", 9001), ("B03_hvac_heating.ifc", 9001)]
    {
        let Some(path) = testing::model(name) else { return };
        let (model, _) = Model::open(&path, &ifc::Limits::default()).unwrap();
        agrees_with_itself(&dataset(model), stride);
    }
}

#[test]
fn the_same_holds_after_an_edit() {
    let mut edit = house().edit();
    edit.set(Id(10), "Name", "Nordwand").unwrap();
    edit.remove(Id(16)).unwrap();
    edit.add_to(Id(18), "RelatedElements", Id(13)).unwrap();
    let wall = edit.create(
        "IfcWall",
        &[("GlobalId", Value::from("1000000000000000000001")), ("Name", Value::from("New"))],
    );
    let (after, _) = edit.finish();
    assert!(wall.is_ok());
    let dataset = dataset(after);
    agrees_with_itself(&dataset, 1);
    assert_eq!(
        ask(&dataset, "SELECT ?n { ?x a ifc:IfcWall ; ifc:name ?n }"),
        ["New", "Nordwand", "South wall"]
    );
    assert_eq!(ask(&dataset, "SELECT ?x { ?x ifc:name 'North wall' }"), Vec::<String>::new());
    assert_eq!(ask(&dataset, "SELECT ?x { ?x ifc:fillsVoids ?y }"), Vec::<String>::new());
}

#[test]
fn classes_attributes_and_relations_are_asked_by_their_names() {
    check("SELECT ?n { ?x a ifc:IfcWall ; ifc:name ?n }", &["North wall", "South wall"]);
    check("SELECT ?n { ?x ifc:class ifc:IfcWall ; ifc:name ?n }", &["North wall"]);
    check(
        "SELECT ?n { ?x a bot:Element ; ifc:name ?n }",
        &["Floor", "Front door", "North wall", "South wall"],
    );
    check("SELECT ?n { ?s a bot:Storey ; bot:hasSpace/ifc:name ?n }", &["Bathroom", "bedroom 1"]);
    check("SELECT ?n { ?d a ifc:IfcDoor ; ifc:hostedBy/ifc:name ?n }", &["North wall"]);
    check("SELECT ?n { ?w bot:hasSubElement ?d ; ifc:name ?n }", &["North wall"]);
    check(
        "SELECT ?m { ?w ifc:name 'North wall' ; ifc:hasMaterial/ifc:name ?m }",
        &["Plaster", "Reinforced concrete"],
    );
    check(
        "SELECT ?t { ?w ifc:name 'North wall' ; ifc:materialDefinition/ifc:materialLayers/ifc:layerThickness ?t }",
        &["0.01", "0.2"],
    );
    check(
        "SELECT ?c { ?w ifc:name 'North wall' ; ifc:hasClassification/ifc:identification ?c }",
        &["EF_25_10"],
    );
    check("SELECT ?n { ?z a ifc:IfcZone ; ifc:hasMember/ifc:name ?n }", &["Bathroom", "bedroom 1"]);
    check("SELECT ?n { ?x ifc:storey/ifc:name 'roof' ; ifc:name ?n }", &["Floor"]);
    check("SELECT ?up { ifc:IfcWallStandardCase rdfs:subClassOf ?up }", &["ifc:IfcWall"]);
    check("SELECT ?x { ?x ifc:globalId '000000000000000000000A' }", &["inst:000000000000000000000A"]);
}

#[test]
fn properties_have_their_set_and_those_of_a_type_give_way() {
    let north = |rest: &str| format!("SELECT ?v {{ ?w ifc:name 'North wall' ; {rest} ?v }}");
    check(&north("prop:Pset_WallCommon.FireRating"), &["F90"]);
    check(&north("prop:Pset_WallCommon.IsExternal"), &["true"]);
    check(&north("prop:Pset_WallCommon.Status"), &["NEW"]);
    check(&north("prop:Qto_WallBaseQuantities.Length"), &["7.0"]);
    check("SELECT ?v { ?t a ifc:IfcWallType ; prop:Pset_WallCommon.IsExternal ?v }", &["false"]);
    check("SELECT ?v { ?d prop:My%20set.Load ?v }", &["3.0"]);
    check("SELECT ?v { ?d prop:My%20set.Load.upper ?v }", &["5.0"]);
    check("SELECT ?v { ?d prop:My%20set.Steps ?v }", &["1", "2"]);
    check("SELECT ?v { ?d prop:My%20set.Lock.Cylinder ?v }", &["C1"]);
    check(
        "SELECT ?n ?u { ?w ifc:name 'North wall' ; ifc:isDefinedBy/ifc:quantities ?q . ?q ifc:name ?n ; qudt:unit ?u }",
        &["Length unit:M", "NetSideArea unit:M2"],
    );
}

#[test]
fn versions_are_graphs_that_are_compared_by_the_same_elements() {
    let before = house();
    let mut edit = before.edit();
    edit.set(Id(19), "Name", "Bedroom").unwrap();
    edit.remove(Id(11)).unwrap();
    let (after, _) = edit.finish();
    let graphs = [("version:13", after), ("version:12", before)];
    let graphs = graphs.map(|(name, model)| Graph::new(name, BASE, model).unwrap());
    let dataset = Dataset::new(graphs.into()).unwrap();
    assert_eq!(ask(&dataset, "SELECT ?n { ?x a ifc:IfcSpace ; ifc:name ?n }"), ["Bathroom", "Bedroom"]);
    assert_eq!(
        ask(
            &dataset,
            "SELECT ?x ?old ?new { GRAPH <version:12> { ?x a ifc:IfcSpace ; ifc:name ?old } GRAPH <version:13> { ?x ifc:name ?new } FILTER(?old != ?new) }"
        ),
        ["inst:000000000000000000000J bedroom 1 Bedroom"]
    );
    assert_eq!(
        ask(
            &dataset,
            "SELECT ?x { GRAPH <version:12> { ?x a ifc:IfcProduct } FILTER NOT EXISTS { ?x a ifc:IfcProduct } }"
        ),
        ["inst:000000000000000000000B"]
    );
    assert_eq!(ask(&dataset, "SELECT ?g { GRAPH ?g { ?x ifc:name 'South wall' } }"), ["<version:12>"]);
    assert_eq!(
        ask(&dataset, "SELECT ?n FROM <version:12> { ?x a ifc:IfcSpace ; ifc:name ?n }"),
        ["Bathroom", "bedroom 1"]
    );
    let fault =
        query(&dataset, "SELECT * { GRAPH <version:1> { ?x ?y ?z } }", &Limits::default(), &Unwatched)
            .unwrap_err();
    assert!(fault.message.contains("<version:13>, <version:12>"), "{}", fault.message);
}

#[test]
fn rooms_are_made_only_for_what_hangs_on_them() {
    let fault = contract::Fault::backend("no rooms today");
    let made = fault.clone();
    let make = std::sync::Arc::new(move || Err(made.clone()));
    let dataset = Dataset::new(vec![Graph::with_surroundings("m", BASE, house(), make).unwrap()]).unwrap();
    let asked = |sparql: &str| query(&dataset, sparql, &Limits::default(), &Unwatched);
    for sparql in [
        "SELECT * { ?s ifc:name 'roof' ; bot:containsElement ?x . ?x a ifc:IfcSlab ; ifc:hasMaterial/ifc:name ?m }",
        "SELECT * { ?x a ifc:IfcSpace ; ifc:name ?n }",
        "SELECT * { ?x prop:Pset_WallCommon.IsExternal true ; ifc:class ?c }",
        "SELECT * { ?m a ifc:IfcMaterial ; ?p ?o }",
    ] {
        assert!(!asked(sparql).unwrap().outcome.is_empty(), "{sparql}");
    }
    for sparql in
        ["SELECT * { ?x way:leadsTo ?y }", "SELECT * { ?x a bot:Space }", "SELECT * { ?s ?p 'nothing' }"]
    {
        assert_eq!(asked(sparql).unwrap_err(), fault, "{sparql}");
    }
}

#[test]
fn models_of_other_bases_have_other_elements() {
    let graphs =
        ["a", "b"].map(|name| Graph::new(name, &format!("https://pensaer.local/{name}/"), house()).unwrap());
    let dataset = Dataset::new(graphs.into()).unwrap();
    assert_eq!(
        ask(
            &dataset,
            "SELECT ?x { GRAPH <graph:a> { ?x a ifc:IfcDoor } GRAPH <graph:b> { ?x a ifc:IfcDoor } }"
        )
        .len(),
        0
    );
    assert_eq!(
        ask(&dataset, "SELECT ?x { GRAPH <graph:b> { ?x a ifc:IfcDoor } }"),
        ["inst2:000000000000000000000D"]
    );
}

#[test]
fn what_is_wrong_with_a_model_does_not_get_out() {
    let model = sample::model(
        SchemaVersion::Ifc4,
        r#"#1=IFCWALL('',$,'quote "" and \X\0A line',$,$,$,$,$,$);
        #2=IFCWALL('1$ a<b>{',$,$,$,$,$,$,$,$);
        #3=IFCWALL('0000000000000000000003',$,'one',$,$,$,$,$,$);
        #4=IFCWALL('0000000000000000000003',$,'two',$,$,$,$,$,$);
        #5=IFCRELAGGREGATES('0000000000000000000005',$,$,$,#3,(#4,#99));
        #6=IFCRELAGGREGATES('0000000000000000000006',$,$,$,#4,(#3));
        #7=IFCRELAGGREGATES('0000000000000000000007',$,$,$,#3,(#3));
        #8=IFCPROPERTYSET('0000000000000000000008',$,'a.b:c/d \X2\2603\X0\',$,(#9,#10,#11));
        #9=IFCPROPERTYSINGLEVALUE('',$,IFCLABEL('empty name'),$);
        #10=IFCPROPERTYSINGLEVALUE('Reference to itself',$,$,$);
        #11=IFCCOMPLEXPROPERTY('Loop',$,'u',(#11,#9));
        #12=IFCRELDEFINESBYPROPERTIES('0000000000000000000012',$,$,$,(#3),#8);
        #13=IFCMATERIALLIST((#14));
        #14=IFCMATERIAL($,$,$);
        #15=IFCRELASSOCIATESMATERIAL('0000000000000000000015',$,$,$,(#3,#13),#13);
        #16=IFCBUILDINGSTOREY('0000000000000000000016',$,$,$,$,$,$,$,$);
        #17=IFCRELCONTAINEDINSPATIALSTRUCTURE('0000000000000000000017',$,$,$,(#16,#3),#16);"#,
    );
    let dataset = dataset(model);
    agrees_with_itself(&dataset, 1);
    let walls = ask(&dataset, "SELECT ?x { ?x a ifc:IfcWall }");
    assert_eq!(walls, ["inst:0000000000000000000003", "inst:1$%20a%3Cb%3E%7B", "inst:id:1", "inst:id:4"]);
    assert_eq!(ask(&dataset, "SELECT ?n { inst:id:4 ifc:name ?n }"), ["two"]);
    assert_eq!(ask(&dataset, "SELECT ?x { ?x ifc:globalId '0000000000000000000003' }").len(), 2);
    assert_eq!(ask(&dataset, "SELECT ?x { inst:id:4 ifc:isDecomposedBy+ ?x }").len(), 2);
    assert_eq!(ask(&dataset, "SELECT ?n { inst:id:1 ifc:name ?n }"), ["quote \"\" and \n line"]);
    // a property that is a part of itself is followed so far and no farther
    let found = ask(&dataset, "SELECT ?p { ?x ?p 'empty name' . ?x a ifc:IfcWall }");
    assert!((2..100).contains(&found.len()), "{found:?}");
}

/// Asks with little to spend, and returns the message of the Fault.
fn refused(sparql: &str) -> String {
    let limits = Limits { rows: 10, time: Duration::from_millis(300), terms: 100_000 };
    match query(&dataset(house()), sparql, &limits, &Unwatched) {
        Ok(answer) => format!("answered {}", answer.to_json()),
        Err(fault) => fault.message,
    }
}

#[test]
fn what_would_never_end_is_ended() {
    let every = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i";
    let ten: Vec<String> = (0..12).map(|n| format!("VALUES ?v{n} {{ 1 2 3 4 5 6 7 8 9 10 }}")).collect();
    let ten = ten.join(" ");
    for (sparql, reason) in [
        (format!("SELECT (COUNT(*) AS ?n) {{ {every} }}"), "longer than it may"),
        (format!("SELECT (COUNT(*) AS ?n) {{ {ten} }}"), "longer than it may"),
        (format!("SELECT * {{ {every} }} ORDER BY ?a ?d"), "than it may"),
        (format!("SELECT DISTINCT ?a ?c ?d ?f {{ {every} }} ORDER BY ?f"), "than it may"),
        ("SELECT (COUNT(*) AS ?n) { ?a (!ifc:x|^!ifc:x)+ ?b . ?b (!ifc:x|^!ifc:x)+ ?c . ?c (!ifc:x|^!ifc:x)+ ?d }".to_owned(), "than it may"),
    ] {
        let message = refused(&sparql);
        assert!(message.contains(reason), "{sparql}: {message}");
    }
}

#[test]
fn paths_within_paths_and_plans_without_end_are_ended() {
    let nested = format!("SELECT * {{ ?s {}ifc:name{} ?o }}", "(".repeat(12), ")*".repeat(12));
    assert!(refused(&nested).contains("than it may"));
    let chain = vec!["ifc:name"; 300].join("/");
    assert!(refused(&format!("SELECT * {{ ?s {chain} ?o }}")).contains("300 patterns"));
}

#[test]
fn texts_do_not_grow_without_end() {
    let doubled: Vec<String> =
        (0..40).map(|n| format!("BIND(CONCAT(?t{n}, ?t{n}) AS ?t{})", n + 1)).collect();
    let doubled = doubled.join(" ");
    let message = refused(&format!("SELECT (STRLEN(?t40) AS ?n) {{ BIND('0123456789' AS ?t0) {doubled} }}"));
    assert!(message.contains("than it may"), "{message}");
    let replaced = (0..4).fold("?n".to_owned(), |inner, _| format!("REPLACE({inner}, '.', '$0$0$0$0')"));
    let message = refused(&format!("SELECT ({replaced} AS ?r) {{ ?x ifc:name ?n }}"));
    assert!(message.contains("REPLACE 4 times"), "{message}");
}

#[test]
fn rows_beyond_the_limit_are_told_of() {
    let limits = Limits { rows: 3, ..Limits::default() };
    let answer = query(&dataset(house()), "SELECT * { ?s ?p ?o }", &limits, &Unwatched).unwrap();
    assert_eq!((answer.outcome.len(), answer.is_truncated), (3, true));
    let answer =
        query(&dataset(house()), "DESCRIBE inst:000000000000000000000A", &limits, &Unwatched).unwrap();
    assert_eq!((answer.outcome.len(), answer.is_truncated), (3, true));
    let answer = query(&dataset(house()), "SELECT * { ?s a ifc:IfcWall }", &limits, &Unwatched).unwrap();
    assert_eq!((answer.outcome.len(), answer.is_truncated), (2, false));
}

struct Gone;

impl Watch for Gone {
    fn begins(&self, _: &str) {}

    fn at(&self, _: u64, _: u64) -> bool {
        false
    }

    fn wanted(&self) -> bool {
        false
    }
}

#[test]
fn a_query_that_nobody_waits_for_ends() {
    let limits = Limits { time: Duration::from_secs(600), ..Limits::default() };
    let sparql = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }";
    let fault = query(&dataset(house()), sparql, &limits, &Gone).unwrap_err();
    assert_eq!(fault.code, contract::FaultCode::Cancelled);
}

#[test]
fn mistakes_are_told_with_their_place_and_what_was_meant() {
    let fault = |sparql: &str| query(&dataset(house()), sparql, &Limits::default(), &Unwatched).unwrap_err();
    let wrong = fault("SELECT ?x WHERE {\n  ?x a ifc:IfcWall ;; \n  ?y }");
    assert_eq!((wrong.data["line"].as_u64(), wrong.data["column"].as_u64()), (Some(3), Some(7)), "{wrong}");
    assert!(fault("SELECT * { ?x bott:hasSpace ?y }").message.contains("Did you mean bot:?"));
    for update in
        ["INSERT DATA { <a:b> <c:d> 1 }", "DELETE WHERE { ?s ?p ?o }", "DROP ALL", "LOAD <http://a.b/>"]
    {
        assert!(fault(update).message.contains("read only"), "{update}");
    }
    assert!(fault("SELECT * { SERVICE <http://a.b/> { ?s ?p ?o } }").message.contains("SERVICE"));
    assert!(fault("SELECT * FROM <http://a.b/> { ?s ?p ?o }").message.contains("no graph <http://a.b/>"));
}

#[test]
fn names_that_nothing_bears_are_told_of() {
    let notes = |sparql: &str| {
        query(&dataset(house()), sparql, &Limits::default(), &Unwatched).unwrap().notes.join(" ")
    };
    assert!(
        notes("SELECT * { ?x ifc:Name ?n }").contains("Unknown predicate ifc:Name. Did you mean ifc:name")
    );
    assert!(notes("SELECT * { ?x prop:FireRating ?n }").contains("prop:Pset_WallCommon.FireRating"));
    assert!(
        notes("SELECT * { ?x prop:Pset_WallCommon.Firerating ?n }")
            .contains("Did you mean prop:Pset_WallCommon.FireRating")
    );
    assert!(notes("SELECT * { ?x a ifc:IfcWal }").contains("Did you mean ifc:IfcWall"));
    assert!(notes("SELECT * { ?x a ifc:IfcBeam }").contains("There is no ifc:IfcBeam"));
    assert!(
        notes("SELECT * { inst:000000000000000000000$ ?p ?o }")
            .contains("There is no inst:000000000000000000000$")
    );
    assert!(notes("SELECT * { ?x a/rdfs:subClassOf* ifc:IfcWall }").contains("several times"));
    assert!(notes("SELECT * { ?x ifc:elevation 2.4 }").contains("FILTER"));
    assert_eq!(notes("SELECT * { ?x a ifc:IfcWall ; ifc:name ?n }"), "");
}

/// Two findings about the house: one about its wall, one about no node.
fn checked_house() -> Graph {
    let finding = |id: &str, rule: &str, severity, elements: &[u32]| Finding {
        id: id.to_owned(),
        rule: rule.to_owned(),
        severity,
        kind: "implementer".to_owned(),
        message: format!("{rule} is broken"),
        at: Some("7:1".to_owned()),
        instance: elements.first().map(|id| format!("#{id}")),
        elements: elements.to_vec(),
    };
    let found =
        vec![finding("a1", "GEM051", "error", &[10, 11]), finding("a1-2", "SPS007", "warning", &[9999])];
    let made = std::sync::Arc::new(Findings::new(found, 3));
    let make = std::sync::Arc::new(move || Ok(std::sync::Arc::clone(&made)));
    Graph::new("model", BASE, house()).unwrap().with_findings(make)
}

#[test]
fn findings_are_nodes_that_lead_to_elements() {
    let dataset = Dataset::new(vec![checked_house()]).unwrap();
    let asked = |sparql: &str| ask(&dataset, sparql);
    assert_eq!(
        asked(
            "SELECT ?r ?n { ?f a check:Finding ; check:rule ?r ; check:severity 'error' ; check:element/ifc:name ?n }"
        ),
        ["GEM051 North wall", "GEM051 South wall"]
    );
    assert_eq!(asked("SELECT ?f { ?f check:rule 'SPS007' }"), ["inst:finding:a1-2"]);
    assert_eq!(
        asked("SELECT ?m ?i ?at { inst:finding:a1-2 check:message ?m ; check:instance ?i ; check:at ?at }"),
        ["SPS007 is broken #9999 7:1"]
    );
    assert_eq!(asked("SELECT ?e { inst:finding:a1-2 check:element ?e }"), Vec::<String>::new());
    assert_eq!(
        asked("SELECT ?m { ?w ifc:name 'North wall' . ?f check:element ?w ; check:kind ?m }"),
        ["implementer"]
    );
    assert_eq!(asked("SELECT (COUNT(?f) AS ?n) { ?f ?p ?o FILTER(?p = check:message) }"), ["2"]);
    agrees(&dataset, Asked { findings: true, results: true }, 1);
    let notes =
        |sparql: &str| query(&dataset, sparql, &Limits::default(), &Unwatched).unwrap().notes.join(" ");
    assert_eq!(
        notes("SELECT * { ?f a check:Finding }"),
        "3 further findings are counted and not in the graph."
    );
    assert!(notes("SELECT * { ?f check:rules ?r }").contains("Did you mean check:rule"));
    assert!(notes("SELECT * { inst:finding:a9 check:rule ?r }").contains("There is no inst:finding:a9"));
}

#[test]
fn findings_are_made_only_for_queries_that_mention_them() {
    let fault = contract::Fault::backend("no checks today");
    let made = fault.clone();
    let make = std::sync::Arc::new(move || Err(made.clone()));
    let graph = Graph::new("m", BASE, house()).unwrap().with_findings(make);
    let dataset = Dataset::new(vec![graph]).unwrap();
    let asked = |sparql: &str| query(&dataset, sparql, &Limits::default(), &Unwatched);
    for sparql in [
        "SELECT * { ?s ?p ?o }",
        "DESCRIBE inst:000000000000000000000A",
        "SELECT * { ?s ?p inst:000000000000000000000A }",
    ] {
        assert!(!asked(sparql).unwrap().outcome.is_empty(), "{sparql}");
    }
    for sparql in [
        "SELECT * { ?f a check:Finding }",
        "SELECT * { ?f check:rule ?r }",
        "SELECT * { ?s ?p ?o FILTER(?p != check:rule) }",
        "SELECT * { inst:finding:a1 ?p ?o }",
    ] {
        assert_eq!(asked(sparql).unwrap_err(), fault, "{sparql}");
    }
    let mut out = Vec::new();
    assert!(crate::export(&dataset, 0, crate::Format::Turtle, &mut out, &Unwatched).unwrap() > 100);
}
