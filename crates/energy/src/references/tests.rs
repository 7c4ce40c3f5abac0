use super::*;
use crate::idf::Document;

const MODEL: &str = "Zone,Z;\nSpace,S,Z;\nMaterial:NoMass,M,Rough,1;\nConstruction,C,M;\n\
    BuildingSurface:Detailed,W,Wall,C,Z,,Outdoors,,SunExposed,WindExposed,,3,0,0,0,1,0,0,1,0,1;\n\
    Fan:ConstantVolume,X,,,100,1;\nFan:VariableVolume,X,,,100,1;\n\
    Branch,B,,Fan:VariableVolume,X,a,b;\nOutput:Variable,z,Zone Air Temperature,Hourly;\n";

fn said(document: &Document, handle: Handle) -> String {
    let object = document.object(handle).unwrap();
    format!("{} {}", object.type_name(), object.name())
}

#[test]
fn the_graph_knows_who_refers_to_whom() {
    let (document, _) = Document::open(MODEL.as_bytes()).unwrap();
    let graph = Graph::from_document(&document);
    let back = |type_name: &str, name: &str| -> Vec<String> {
        let handle = document.get(type_name, name).unwrap().handle();
        graph.to(handle).iter().map(|reference| said(&document, reference.from)).collect()
    };
    assert_eq!(back("Zone", "z"), ["Space S", "BuildingSurface:Detailed W", "Output:Variable "]);
    assert_eq!(back("Construction", "C"), ["BuildingSurface:Detailed W"]);
    // the field beside says which of the two fans is meant
    assert_eq!(back("Fan:VariableVolume", "X"), ["Branch B"]);
    assert_eq!(back("Fan:ConstantVolume", "X"), [] as [&str; 0]);
    let wall = document.get("BuildingSurface:Detailed", "W").unwrap().handle();
    let out: Vec<String> = graph.from(wall).iter().map(|reference| said(&document, reference.to)).collect();
    assert_eq!(out, ["Construction C", "Zone Z"]);
}

#[test]
fn a_field_knows_what_it_may_refer_to() {
    let (document, _) = Document::open(MODEL.as_bytes()).unwrap();
    let names = Names::from_document(&document);
    let surface = document.schema().get("BuildingSurface:Detailed").unwrap();
    let at = |field: &str| names.available(surface, surface.position(field).unwrap());
    assert_eq!(at("construction_name"), ["C"]);
    assert_eq!(at("zone_name"), ["Z"]);
    assert_eq!(at("surface_type"), [] as [&str; 0]);
}
