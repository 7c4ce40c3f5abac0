//! Only some elements: what is told is a part of what is told of all.

use super::*;

/// A house with several faults, some of them on the same elements.
fn faulty() -> (Made, Vec<Id>) {
    let mut house = House::new(Setting::PLAIN);
    let a = house.plan.element("IFCCOLUMN", "One", [2.0, 2.0, 0.0], [2.3, 2.3, 3.0], ".COLUMN.");
    let b = house.plan.element("IFCCOLUMN", "Two", [2.1, 2.0, 0.0], [2.4, 2.3, 3.0], ".COLUMN.");
    let c = house.plan.element("IFCCOLUMN", "Two", [2.1, 2.0, 0.0], [2.4, 2.3, 3.0], ".COLUMN.");
    let shelf = house.plan.element("IFCFURNITURE", "Shelf", [6.0, 2.0, 1.0], [7.0, 2.4, 1.1], "$");
    let wall = house.plan.wall("Short", [1.0, 2.5, 0.0], [1.1, 4.18, 3.0]);
    let stray = house.plan.stray("IFCCOLUMN", "Stray", [7.0, 1.0, 0.0], [0.3, 0.3, 3.0], ".COLUMN.");
    (Made::new(house.plan.model()), vec![a, b, c, shelf, wall, stray])
}

#[test]
fn findings_on_some_elements_are_those_of_all_that_concern_them() {
    let (made, planted) = faulty();
    let all = report(&made);
    assert!(all.findings.len() >= 5, "{:?}", all.findings);
    for id in planted {
        let only = BTreeSet::from([id]);
        let some = check(&made.subject(), Some(&only), &[], &|_, _| true).unwrap();
        let expected: Vec<&Finding> = all.findings.iter().filter(|f| f.elements.contains(&id)).collect();
        assert_eq!(some.findings.iter().collect::<Vec<_>>(), expected, "{id}");
        assert!(!expected.is_empty(), "{id}");
    }
}

#[test]
fn constraints_are_chosen_by_name_and_one_that_is_not_there_is_noted() {
    let (made, _) = faulty();
    let asked = ["constraints.orphan", "constraints.unheard_of"];
    let report = check(&made.subject(), None, &asked, &|_, _| true).unwrap();
    assert_eq!(report.counts.into_iter().collect::<Vec<_>>(), [("constraints.orphan", 1)]);
    assert_eq!(report.notes, ["There is no constraint constraints.unheard_of."]);
}

#[test]
fn a_check_that_is_not_wanted_any_more_gives_no_report() {
    let (made, _) = faulty();
    assert!(check(&made.subject(), None, &[], &|done, _| done < 3).is_none());
}
