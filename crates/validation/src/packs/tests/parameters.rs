//! The parameters of the packs that come with the program: each of them, set far enough from what it is, changes the verdict of its rule
//! on some building. One that changes nothing would be a promise that nobody keeps.

use super::house::{Place, bad, good, long};
use super::odd::odd;
use super::opened::Opened;
use crate::Unit;
use crate::packs::value::Value;
use crate::packs::{Overrides, Pack, Parameter, Rule, RuleResult, shipped};
use ifc::{Limits, Model};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The shares of its default to which a quantity is set, one after the other.
const SHARES: [f64; 9] = [0.5, 2.0, 0.0, 4.0, 0.8, 1.25, 0.05, 30.0, 1000.0];

/// The values to which a parameter is set, one after the other.
fn others(parameter: &Parameter) -> Vec<Json> {
    match &parameter.default {
        Value::Quantity(own) => {
            // one that is nought has no shares
            let shares = SHARES.map(|share| if own.value == 0.0 { share } else { own.value * share });
            let told = |value: f64| match own.unit {
                Unit::Length => json!(format!("{value:.4} m")),
                Unit::Area => json!(format!("{value:.4} m²")),
                Unit::Volume => json!(format!("{value:.4} m³")),
                Unit::Angle => json!(format!("{value:.4}°")),
                Unit::Minutes => json!(format!("{value:.4} min")),
                Unit::Count => json!(value.round()),
                Unit::Ratio => json!(value),
            };
            shares.into_iter().map(told).collect()
        }
        Value::Truth(own) => vec![json!(!own)],
        Value::Texts(own) => {
            let less =
                own.iter().map(|left| json!(own.iter().filter(|one| *one != left).collect::<Vec<_>>()));
            std::iter::once(json!([])).chain(less).collect()
        }
        Value::Text(own) => {
            let sides = ["swing", "push", "pull", "both"];
            sides.into_iter().filter(|side| side != own).map(|side| json!(side)).collect()
        }
    }
}

/// The result of one rule of a pack on a building.
fn result(opened: &Opened, pack: &Pack, overrides: &Overrides) -> RuleResult {
    opened.check(pack, overrides).rules.remove(0)
}

/// A pack with nothing in it but one rule.
fn alone(pack: &Pack, rule: &Rule) -> Pack {
    Pack { rules: vec![rule.clone()], ..pack.clone() }
}

#[test]
fn every_parameter_of_every_pack_changes_a_verdict() {
    let buildings = [good, bad, long, odd].map(|make| {
        let (model, _) = Model::from_bytes(make(Place::PLAIN).into_bytes(), &Limits::default()).unwrap();
        Opened::new(model)
    });
    let mut idle = Vec::new();
    for pack in shipped() {
        for rule in &pack.rules {
            let own = alone(pack, rule);
            let usual: Vec<RuleResult> =
                buildings.iter().map(|opened| result(opened, &own, &Overrides::new())).collect();
            for parameter in &rule.parameters {
                let changes = |value: Json| {
                    let set = BTreeMap::from([(parameter.name.clone(), value)]);
                    let overrides = Overrides::from([(rule.id.clone(), set)]);
                    let mut pairs = buildings.iter().zip(&usual);
                    pairs.any(|(opened, usual)| result(opened, &own, &overrides) != *usual)
                };
                if !others(parameter).into_iter().any(changes) {
                    idle.push(format!("{}.{}: {}", pack.id, rule.id, parameter.name));
                }
            }
        }
    }
    assert!(idle.is_empty(), "{idle:#?}");
}
