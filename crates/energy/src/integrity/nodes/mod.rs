//! Nodes of the air and water loops: a node is where one component lets out and the next takes in.
//!
//! The rules are those by which EnergyPlus holds the connections of nodes together once all equipment is read: what is taken in comes from
//! somewhere, what enters a zone is let out by something, what is watched or steered is there, and two components do not let out into one node.
//! A field whose part is not known makes everything right at its node.

mod roles;

use super::model::Model;
use super::near::Near;
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::Object;
use crate::references::number_of;
use foldhash::HashMap;
use roles::{Role, Roles};

/// One use of a node.
#[derive(Clone, Copy)]
struct Use<'a> {
    object: Object<'a>,
    position: usize,
    role: Role,
    /// The name as this object spells it.
    node: &'a str,
}

impl Use<'_> {
    fn field(&self) -> String {
        let field = self.object.about().and_then(|about| about.field_at(self.position));
        field.map(|(field, group)| field.name_in(group)).unwrap_or_default()
    }

    fn place(&self) -> String {
        format!("{} `{}` (`{}`)", self.object.type_name(), self.object.label(), self.field())
    }
}

/// Adds nodes that lead nowhere, come from nowhere, or are let out into twice.
pub fn check(document: &Model<'_>, near: &mut Near, issues: &mut Vec<Issue>) {
    let nodes = gather(document);
    let mut names: Vec<&String> = nodes.keys().collect();
    names.sort_unstable();
    let checker = Checker { nodes: &nodes, names: &names };
    for name in &names {
        let Some(uses) = nodes.get(*name) else { continue };
        checker.unmatched(uses, near, issues);
        Checker::duplicates(uses, issues);
    }
}

/// Every use of every node, by its name in small letters; a list of nodes stands for its nodes.
fn gather<'a>(document: &Model<'a>) -> HashMap<String, Vec<Use<'a>>> {
    let mut nodes: HashMap<String, Vec<Use<'a>>> = HashMap::default();
    let lists: HashMap<String, Vec<&str>> = document
        .of_type("NodeList")
        .map(|list| {
            let members = list.groups().flatten().filter(|node| !node.is_empty()).collect();
            (list.name().to_lowercase(), members)
        })
        .collect();
    let mut roles = Roles::new(document.schema());
    for object in document.objects() {
        let (Some(about), Some(number)) = (object.about(), object.type_number()) else { continue };
        let parts = roles.of_type(number);
        if parts.iter().all(Option::is_none) {
            continue;
        }
        for (position, value) in object.values().enumerate().filter(|(_, value)| !value.is_empty()) {
            let at = number_of(about, position).and_then(|at| parts.get(at as usize));
            let Some(role) = at.copied().flatten() else { continue };
            let key = value.to_lowercase();
            if let Some(members) = lists.get(&key) {
                for node in members {
                    nodes.entry(node.to_lowercase()).or_default().push(Use { object, position, role, node });
                }
            } else {
                nodes.entry(key).or_default().push(Use { object, position, role, node: value });
            }
        }
    }
    joints(document, &mut nodes);
    nodes
}

/// Adds the ends of the branches that splitters and mixers join: water flows there from one branch to others without a component between.
fn joints<'a>(document: &Model<'a>, nodes: &mut HashMap<String, Vec<Use<'a>>>) {
    for connector in document.of_type("Connector:Splitter").chain(document.of_type("Connector:Mixer")) {
        for (position, name) in connector.values().enumerate().skip(1).filter(|(_, name)| !name.is_empty()) {
            let Some(branch) = document.get("Branch", name) else { continue };
            // the one branch of a splitter leads to it, its others away from it; that of a mixer the other way
            let leads_to = (position == 1) == (connector.type_name() == "Connector:Splitter");
            let groups: Vec<Vec<&str>> = branch.groups().collect();
            let end = if leads_to { groups.last() } else { groups.first() };
            let Some(node) = end.and_then(|group| group.get(if leads_to { 3 } else { 2 })) else { continue };
            if !node.is_empty() {
                let place = Use { object: connector, position, role: Role::Joint, node };
                nodes.entry(node.to_lowercase()).or_default().push(place);
            }
        }
    }
}

struct Checker<'a, 'n> {
    nodes: &'n HashMap<String, Vec<Use<'a>>>,
    names: &'n [&'n String],
}

impl Checker<'_, '_> {
    /// The node that a name likely means: one that has the use that is missing.
    fn meant(&self, name: &str, near: &mut Near, fits: impl Fn(Role) -> bool) -> String {
        let others = self.names.iter().filter(|other| !other.eq_ignore_ascii_case(name));
        let fitting = others.filter_map(|other| {
            let uses = self.nodes.get(*other)?;
            let found = uses.iter().find(|place| fits(place.role))?;
            Some(found.node)
        });
        near.meant(name, fitting)
    }

    /// Reports a use of a node that needs another one, and finds none.
    fn unmatched(&self, uses: &[Use<'_>], near: &mut Near, issues: &mut Vec<Issue>) {
        let mut present: Vec<Role> = Vec::new();
        for place in uses {
            if !present.contains(&place.role) {
                present.push(place.role);
            }
        }
        let has = |fits: &dyn Fn(Role) -> bool| present.iter().any(|role| fits(*role));
        let mut taken = false;
        for place in uses {
            let (wanted, why): (fn(Role) -> bool, &str) = match place.role {
                Role::Inlet | Role::ParentInlet => (
                    Role::gives,
                    "takes in here, and nothing lets out: no component, zone or node of outdoor air",
                ),
                Role::ZoneInlet => (
                    |role| matches!(role, Role::Outlet | Role::OutletAway | Role::ParentOutlet | Role::Any),
                    "lets air into the zone here, and no equipment or terminal lets out",
                ),
                Role::ZoneExhaust => (
                    |role| matches!(role, Role::Inlet | Role::ParentInlet | Role::Any),
                    "draws air from the zone here, and no equipment takes it in",
                ),
                Role::Sink => (
                    |role| {
                        matches!(
                            role,
                            Role::Outlet | Role::OutletAway | Role::ParentOutlet | Role::Source | Role::Any
                        )
                    },
                    "ends here, and no component lets out",
                ),
                Role::Source => (
                    |role| matches!(role, Role::Inlet | Role::ParentInlet | Role::Sink | Role::Any),
                    "begins here, and no component takes in",
                ),
                Role::Sensor | Role::Actuator | Role::Setpoint => {
                    (|role| !role.watches(), "watches or steers a node that no component, zone or loop has")
                }
                Role::OutdoorAir => (
                    |role| role == Role::Outdoor,
                    "needs a node of outdoor air, and no OutdoorAir:Node makes it one",
                ),
                Role::Outlet | Role::ParentOutlet => (Role::takes, ""),
                _ => continue,
            };
            // a component and the one that holds it take in at one node, and are told once
            let takes_in = matches!(place.role, Role::Inlet | Role::ParentInlet);
            if has(&wanted) || (takes_in && taken) {
                continue;
            }
            taken |= takes_in;
            let lets_out = matches!(place.role, Role::Outlet | Role::ParentOutlet);
            if lets_out {
                self.leads_nowhere(place, near, issues);
                continue;
            }
            let meant = self.meant(place.node, near, wanted);
            let message = format!("Node `{}`: {} {why}.{meant}", place.node, place.place());
            let what =
                "Give what stands on the node's other side the same node name; is one of them misspelt?";
            let objects = vec![place.object.into()];
            issues.push(issue(Severity::Error, IssueKind::DanglingNode, objects, message, what));
        }
    }

    /// Reports what is let out and goes nowhere; EnergyPlus takes that as it is.
    fn leads_nowhere(&self, place: &Use<'_>, near: &mut Near, issues: &mut Vec<Issue>) {
        let meant =
            self.meant(place.node, near, |role| matches!(role, Role::Inlet | Role::Sink | Role::ZoneInlet));
        let message =
            format!("Node `{}`: {} lets out here, and nothing takes in.{meant}", place.node, place.place());
        let what = "Give what stands behind it the same node name; is one of them misspelt?";
        issues.push(issue(
            Severity::Warning,
            IssueKind::DanglingNode,
            vec![place.object.into()],
            message,
            what,
        ));
    }

    /// Reports a node at which two objects play the same part, where only one can.
    fn duplicates(uses: &[Use<'_>], issues: &mut Vec<Issue>) {
        for (part, word) in [
            (Role::Outlet, "the outlet"),
            (Role::Inlet, "the inlet"),
            (Role::ZoneAir, "the air node"),
            (Role::ZoneInlet, "an inlet"),
            (Role::ZoneExhaust, "an exhaust node"),
            (Role::ZoneReturn, "a return node"),
        ] {
            let is_part = |role| role == part || (role == Role::OutletAway && part == Role::Outlet);
            let mut same = uses.iter().filter(|place| is_part(place.role));
            let (Some(one), Some(other)) = (same.next(), same.next()) else { continue };
            let message = format!(
                "Node `{}` is {word} of both {} `{}` and {} `{}`.",
                one.node,
                one.object.type_name(),
                one.object.label(),
                other.object.type_name(),
                other.object.label()
            );
            let both = vec![Subject::from(one.object), Subject::from(other.object)];
            let what = "Give one of them a node of its own, and its neighbour the same.";
            issues.push(issue(Severity::Error, IssueKind::DuplicateNode, both, message, what));
        }
    }
}
