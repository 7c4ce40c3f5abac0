//! The calls that mend findings do: carried out as the tools do it, the finding is gone and no other has come.

use super::plan::{Made, Plan};
use super::*;
use building::joins::{self, JoinType};
use building::{Author, deletion, parameters};
use contract::Actor;
use ifc::guid::GuidSource;
use ifc::{Model, Value, psets};
use serde_json::Value as Json;

/// Carries out the calls of all findings.
fn mended(model: &Model, findings: &[Finding]) -> Model {
    let (mut edit, mut guids) = (model.edit(), GuidSource::new("mending"));
    let actor = Actor { principal: "modeller".into(), client: None };
    for fix in findings.iter().flat_map(|finding| &finding.fix) {
        let listed = fix.arguments["element_ids"].as_array().cloned();
        let listed = listed.unwrap_or_else(|| vec![fix.arguments["element_id"].clone()]);
        let ids: Vec<Id> = listed.iter().filter_map(|guid| model.by_guid(guid.as_str()?)).collect();
        assert_eq!(ids.len(), listed.len(), "{fix:?}");
        match fix.tool.as_str() {
            "delete_elements" => {
                let mut author = Author::new(&mut edit, &mut guids, 1_795_305_600_000, &actor);
                deletion::delete(&mut author, &ids, false).unwrap();
            }
            "set_properties" => {
                let properties = fix.arguments["properties"].as_object().unwrap();
                let change = |(name, value): (&String, &Json)| psets::Change {
                    name: name.clone(),
                    value: Some(Value::Real(value.as_f64().unwrap())),
                };
                let changes: Vec<psets::Change> = properties.iter().map(change).collect();
                let set = fix.arguments["pset"].as_str().unwrap();
                psets::set(&mut edit, &ids, set, &changes, &mut guids).unwrap();
            }
            "join_elements" => {
                let mut author = Author::new(&mut edit, &mut guids, 1_795_305_600_000, &actor);
                joins::join(&mut author, &ids, JoinType::Auto).unwrap();
            }
            "modify_parameter" => {
                let mut author = Author::new(&mut edit, &mut guids, 1_795_305_600_000, &actor);
                let parameter = fix.arguments["parameter_name"].as_str().unwrap();
                parameters::modify(&mut author, ids[0], parameter, &fix.arguments["value"]).unwrap();
            }
            other => panic!("{other} is no tool that mends"),
        }
    }
    edit.finish().0
}

/// States a volume of a wall.
fn state(plan: &mut Plan, wall: Id, set: &str, volume: f64) {
    let volume = plan.add(&format!("IFCQUANTITYVOLUME('GrossVolume',$,$,{volume:?},$)"));
    let set = plan.rooted("IFCELEMENTQUANTITY", &format!("$,'{set}',$,$,(#{volume})"));
    plan.rooted("IFCRELDEFINESBYPROPERTIES", &format!("$,$,$,({wall}),#{set}"));
}

#[test]
fn what_has_a_call_that_mends_it_is_mended_by_it() {
    for setting in Setting::ALL {
        let mut house = House::new(setting);
        for _ in 0..3 {
            house.plan.element("IFCCOLUMN", "Column", [2.0, 2.0, 0.0], [2.3, 2.3, 3.0], ".COLUMN.");
            house.plan.door(house.north, [6.0, 4.3, 0.0], 0.0, 1.0, "SLIDING_TO_LEFT");
        }
        house.plan.opening(None, [2.0, 2.0, 1.0], [3.0, 3.0, 2.0]);
        let (east, north) = (house.east, house.north);
        state(&mut house.plan, east, "Qto_WallBaseQuantities", 9.0);
        state(&mut house.plan, north, "BaseQuantities", 9.0);
        let made = Made::new(house.plan.model());
        let before = report(&made);
        assert_eq!(breaches(&before).len(), 5, "{:?}", before.findings);
        assert!(before.findings.iter().all(|finding| !finding.fix.is_empty()), "{:?}", before.findings);
        let after = report(&Made::new(mended(&made.model, &before.findings)));
        assert_eq!(after.findings, [], "{setting:?}");
    }
}

#[test]
fn real_models_are_mended_without_new_findings() {
    for name in ["Text2BIM_sample_model.ifc", "Duplex_A_20110907.ifc", "AC11-FZK-Haus.ifc"] {
        let Some(path) = testing::model(name) else { return };
        let made = Made::new(Model::open(&path, &ifc::Limits::default()).unwrap().0);
        let before = report(&made);
        let fixable: Vec<Finding> = before.findings.iter().filter(|f| !f.fix.is_empty()).cloned().collect();
        assert!(!fixable.is_empty(), "{name}");
        let after = report(&Made::new(mended(&made.model, &fixable)));
        let known: BTreeSet<Told> = breaches(&before).into_iter().collect();
        let fresh: Vec<Told> = breaches(&after).into_iter().filter(|told| !known.contains(told)).collect();
        assert_eq!(fresh, [], "{name}");
        let mended: BTreeSet<Told> = fixable.iter().map(|f| (f.rule.clone(), f.elements.clone())).collect();
        let left: Vec<Told> = breaches(&after).into_iter().filter(|told| mended.contains(told)).collect();
        assert_eq!(left, [], "{name}");
    }
}
