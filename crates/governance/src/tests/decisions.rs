//! What holds of every decision, whatever the policy.

use super::is_a;
use crate::{
    Asked, Decision, Gate, Grant, LimitsOf, ModelTarget, Pattern, Policy, Role, Scope, Touched, decide,
};
use contract::{Action, Narrowing, Principal};
use proptest::prelude::*;
use std::collections::BTreeMap;

const CLASSES: [&str; 5] = ["IfcWall", "IfcWallStandardCase", "IfcColumn", "IfcPipeSegment", "IfcElement"];
const STOREYS: [&str; 3] = ["Ground", "Level 1", "Roof"];
const MODELS: [&str; 3] = ["Tower A", "Tower B", "House"];

fn action() -> impl Strategy<Value = Action> {
    prop::sample::select(Action::ALL.to_vec())
}

fn some(words: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    let word = prop::sample::select(words.to_vec()).prop_map(str::to_owned);
    prop::collection::vec(word, 0..3)
}

fn grant() -> impl Strategy<Value = Grant> {
    let actions = prop::collection::btree_set(action(), 1..4);
    (actions, some(&["Tower *", "House", "*"]), some(&STOREYS), some(&CLASSES)).prop_map(
        |(actions, models, storeys, classes)| Grant {
            actions,
            scope: Scope {
                models: models.into_iter().map(Pattern::new).collect(),
                storeys: storeys.into_iter().map(Pattern::new).collect(),
                classes,
            },
            rule: "r".into(),
        },
    )
}

fn counts() -> impl Strategy<Value = BTreeMap<String, u64>> {
    prop::collection::btree_map(
        prop::sample::select(CLASSES.to_vec()).prop_map(str::to_owned),
        1_u64..9,
        0..3,
    )
}

fn touched() -> impl Strategy<Value = Option<Touched>> {
    let some = (counts(), counts(), counts(), some(&STOREYS), any::<bool>(), 0..4).prop_map(
        |(added, modified, removed, storeys, elsewhere, kind)| Touched {
            added,
            modified,
            removed,
            storeys,
            elsewhere,
            instances: 1,
            replaced: kind == 0,
            new_model: kind == 1,
        },
    );
    prop_oneof![1 => Just(None), 4 => some.prop_map(Some)]
}

fn gate() -> impl Strategy<Value = Gate> {
    (some(&CLASSES), 0_u64..6, 0_u64..20).prop_map(|(classes, elements, cost)| Gate {
        name: "g".into(),
        scope: Scope { classes, ..Scope::default() },
        elements,
        cost,
        ..Gate::default()
    })
}

fn policy(grants: Vec<Grant>, gates: Vec<Gate>, read_only: bool) -> Policy {
    let role = Role { grants, limits: LimitsOf::default() };
    Policy { read_only, roles: BTreeMap::from([("role".to_owned(), role)]), gates, ..Policy::default() }
}

fn somebody() -> Principal {
    Principal { name: "p".into(), roles: vec!["role".into(), "nobody-knows".into()], ..Principal::default() }
}

fn asked<'a>(action: Action, model: &'a str, touched: Option<&'a Touched>) -> Asked<'a> {
    Asked { tool: "t", action, model: Some(ModelTarget { id: None, name: model }), touched }
}

/// Said again, as plainly as possible: each thing touched, at each place, is covered by one grant that holds for it.
fn covered(grants: &[Grant], asked: &Asked<'_>) -> bool {
    let Some(model) = asked.model else { return false };
    let one = |action: Action, class: Option<&str>, place: Option<Option<&str>>| {
        grants.iter().any(|grant| {
            let on = |patterns: &[Pattern], text: &str| patterns.iter().any(|p| p.fits(text));
            grant.actions.contains(&action)
                && (grant.scope.models.is_empty() || on(&grant.scope.models, model.name))
                && match (class, place) {
                    (_, None) => true,
                    (class, Some(place)) => {
                        let classes = &grant.scope.classes;
                        let storeys = &grant.scope.storeys;
                        (classes.is_empty() || class.is_some_and(|c| classes.iter().any(|w| is_a(c, w))))
                            && (storeys.is_empty() || place.is_some_and(|p| on(storeys, p)))
                    }
                }
        })
    };
    if !one(asked.action, None, None) {
        return false;
    }
    let Some(touched) = asked.touched else { return true };
    let mut places: Vec<Option<&str>> = touched.storeys.iter().map(|s| Some(s.as_str())).collect();
    if touched.elsewhere || places.is_empty() {
        places.push(None);
    }
    let everywhere =
        |action: Action, class: Option<&str>| places.iter().all(|p| one(action, class, Some(*p)));
    if touched.new_model {
        return everywhere(Action::Create, None);
    }
    if touched.replaced {
        return [Action::Create, Action::Modify, Action::Delete].iter().all(|a| everywhere(*a, None));
    }
    if touched.elements() == 0 {
        return everywhere(asked.action, None);
    }
    let beside = matches!(asked.action, Action::Create | Action::Delete);
    let modified = |class: &String| {
        places.iter().all(|p| {
            one(Action::Modify, Some(class), Some(*p)) || (beside && one(asked.action, Some(class), Some(*p)))
        })
    };
    touched.added.keys().all(|class| everywhere(Action::Create, Some(class)))
        && touched.modified.keys().all(modified)
        && touched.removed.keys().all(|class| everywhere(Action::Delete, Some(class)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn there_is_no_way_to_yes_without_grants_that_cover_it_and_none_to_no_with_them(
        grants in prop::collection::vec(grant(), 0..5), action in action(), touched in touched(),
        model in prop::sample::select(MODELS.to_vec()),
    ) {
        let asked = asked(action, model, touched.as_ref());
        let decision = decide(&policy(grants.clone(), Vec::new(), false), &somebody(), &asked, is_a);
        prop_assert_eq!(decision.is_allowed(), covered(&grants, &asked), "{:?}", decision);
    }

    #[test]
    fn more_grants_never_allow_less(
        grants in prop::collection::vec(grant(), 0..4), more in prop::collection::vec(grant(), 0..3),
        gates in prop::collection::vec(gate(), 0..2), action in action(), touched in touched(),
        model in prop::sample::select(MODELS.to_vec()),
    ) {
        let rank = |decision: &Decision| match decision {
            Decision::Deny { .. } => 0,
            Decision::Ask { .. } => 1,
            Decision::Allow { .. } => 2,
        };
        let asked = asked(action, model, touched.as_ref());
        let few = decide(&policy(grants.clone(), gates.clone(), false), &somebody(), &asked, is_a);
        let all = grants.into_iter().chain(more).collect();
        let many = decide(&policy(all, gates, false), &somebody(), &asked, is_a);
        prop_assert!(rank(&many) >= rank(&few), "{:?} became {:?}", few, many);
    }

    #[test]
    fn read_only_never_lets_a_change_through_nor_asks_for_one(
        grants in prop::collection::vec(grant(), 0..5), gates in prop::collection::vec(gate(), 0..2),
        action in action(), touched in touched(),
    ) {
        let asked = asked(action, "House", touched.as_ref());
        let decision = decide(&policy(grants, gates, true), &somebody(), &asked, is_a);
        let denied = matches!(decision, Decision::Deny { .. });
        prop_assert!(denied || !action.changes_models());
    }

    #[test]
    fn a_key_never_allows_what_its_holder_could_not_do_without_it(
        grants in prop::collection::vec(grant(), 0..5), actions in prop::collection::vec(action(), 0..3),
        models in some(&["Tower *", "House"]), action in action(), touched in touched(),
        model in prop::sample::select(MODELS.to_vec()),
    ) {
        let policy = policy(grants, Vec::new(), false);
        let asked = asked(action, model, touched.as_ref());
        let narrowed = Principal { within: Some(Narrowing { models, actions }), ..somebody() };
        if decide(&policy, &narrowed, &asked, is_a).is_allowed() {
            prop_assert!(decide(&policy, &somebody(), &asked, is_a).is_allowed());
        }
    }

    #[test]
    fn gates_only_ever_turn_yes_into_a_question(
        grants in prop::collection::vec(grant(), 0..5), gates in prop::collection::vec(gate(), 0..3),
        action in action(), touched in touched(),
    ) {
        let asked = asked(action, "House", touched.as_ref());
        let free = decide(&policy(grants.clone(), Vec::new(), false), &somebody(), &asked, is_a);
        let gated = decide(&policy(grants, gates, false), &somebody(), &asked, is_a);
        match gated {
            Decision::Ask { .. } => prop_assert!(free.is_allowed()),
            other => prop_assert_eq!(other, free),
        }
    }
}
