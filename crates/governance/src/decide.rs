//! Who may do what. A pure function of policy, principal and what is asked: no clock, no storage, no default to yes.

use crate::policy::{Gate, Grant, Policy};
use crate::scope::{IsA, ModelTarget};
use crate::touched::Touched;
use contract::{Action, Narrowing, Principal};

/// The question that the policy decides: an action on a target.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The tool, or what the transport calls it.
    pub tool: &'a str,
    /// The action.
    pub action: Action,
    /// The model, where it is about one.
    pub model: Option<ModelTarget<'a>>,
    /// The elements that it touched, once that is known. Until then a grant somewhere on the model lets it begin; nothing is committed
    /// before it is asked again with this.
    pub touched: Option<&'a Touched>,
}

/// The decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Go on.
    Allow {
        /// The rules that grant it.
        by: Vec<String>,
    },
    /// Somebody else has to say yes first.
    Ask {
        /// Every gate that says so, the strictest first.
        gates: Vec<GateAsks>,
    },
    /// Not this caller, or not here.
    Deny {
        /// Why, in a sentence.
        why: String,
        /// The rule that says so.
        by: String,
    },
}

/// A gate that stands in the way of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateAsks {
    /// Its name.
    pub gate: String,
    /// Why it asks, in a sentence.
    pub reason: String,
    /// True if it is one of the strictest of those that ask: who decides has to be one of its approvers.
    pub decides: bool,
}

impl Decision {
    /// True for a yes.
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Allow { .. })
    }
}

/// Decides if a principal may do this.
pub fn decide(policy: &Policy, principal: &Principal, asked: &Asked<'_>, is_a: IsA) -> Decision {
    if policy.read_only && asked.action.changes_models() {
        return Decision::Deny {
            why: format!("This server is read-only; {} would change something.", asked.tool),
            by: "read-only".to_owned(),
        };
    }
    if let Some(why) = principal.within.as_ref().and_then(|within| narrowed(within, asked)) {
        return Decision::Deny { why, by: format!("the key of {}", principal.name) };
    }
    let grants = policy.grants_of(principal);
    let by = match granted(&grants, asked, is_a) {
        Ok(by) => by,
        Err(lacking) => return refusal(policy, principal, asked, &lacking),
    };
    let gates = asking(policy, principal, asked, is_a);
    if gates.is_empty() { Decision::Allow { by } } else { Decision::Ask { gates } }
}

/// All gates that stand in the way, those of the highest rank first: one gate never opens another.
fn asking(policy: &Policy, principal: &Principal, asked: &Asked<'_>, is_a: IsA) -> Vec<GateAsks> {
    let mut held: Vec<&Gate> =
        policy.gates.iter().filter(|gate| gate.holds(policy, principal, asked, is_a)).collect();
    held.sort_by_key(|gate| std::cmp::Reverse(gate.rank));
    let strictest = held.first().map_or(0, |gate| gate.rank);
    let asks = |gate: &&Gate| GateAsks {
        gate: gate.name.clone(),
        reason: gate.reason(asked),
        decides: gate.rank == strictest,
    };
    held.iter().map(asks).collect()
}

/// Why a key alone forbids it.
fn narrowed(within: &Narrowing, asked: &Asked<'_>) -> Option<String> {
    let models = crate::scope::Scope {
        models: within.models.iter().map(crate::scope::Pattern::new).collect(),
        ..crate::scope::Scope::default()
    };
    let actions = actions_of(asked);
    if let Some(action) =
        actions.iter().find(|action| !within.actions.is_empty() && !within.actions.contains(action))
    {
        let allowed: Vec<&str> = within.actions.iter().map(|action| action.as_str()).collect();
        return Some(format!(
            "This key may not {action}; it was made for: {}. Use another key.",
            allowed.join(", ")
        ));
    }
    (!models.has_model(asked.model.as_ref()))
        .then(|| "This key was made for other models. Use another key.".to_owned())
}

/// The actions that it comes to: the one asked for, and those that the difference shows to have been done beside it.
fn actions_of(asked: &Asked<'_>) -> Vec<Action> {
    let mut actions = vec![asked.action];
    if let Some(touched) = asked.touched {
        for need in touched.needs(asked.action) {
            if !need.any.iter().any(|action| actions.contains(action)) {
                actions.extend(need.any.first());
            }
        }
    }
    actions
}

/// The rules that grant all of it, or what is lacking.
fn granted(grants: &[&Grant], asked: &Asked<'_>, is_a: IsA) -> Result<Vec<String>, String> {
    let on_model = |grant: &&&Grant| grant.scope.has_model(asked.model.as_ref());
    let mut by: Vec<String> = Vec::new();
    let mut note = |grant: &Grant| {
        if !by.contains(&grant.rule) {
            by.push(grant.rule.clone());
        }
    };
    let first = grants.iter().filter(on_model).find(|grant| grant.actions.contains(&asked.action));
    note(first.ok_or_else(|| asked.action.to_string())?);
    let Some(touched) = asked.touched else { return Ok(by) };
    for need in touched.needs(asked.action) {
        for place in touched.places() {
            let found = grants.iter().filter(on_model).find(|grant| {
                need.any.iter().any(|action| grant.actions.contains(action))
                    && grant.scope.has_class(need.class, is_a)
                    && grant.scope.has_storey(place)
            });
            let Some(grant) = found else {
                let action = need.any.first().map_or("change", |action| action.as_str());
                let what = need.class.map_or(String::new(), |class| format!(" {class}"));
                let whence = place.map_or(String::new(), |storey| format!(" on {storey}"));
                return Err(format!("{action}{what}{whence}"));
            };
            note(grant);
        }
    }
    Ok(by)
}

fn refusal(policy: &Policy, principal: &Principal, asked: &Asked<'_>, lacking: &str) -> Decision {
    let roles = if principal.roles.is_empty() { "no role".to_owned() } else { principal.roles.join(", ") };
    let on = asked.model.map_or(String::new(), |model| format!(" in the model {}", model.name));
    let who = policy.roles_with(asked.action);
    let who = if who.is_empty() { String::new() } else { format!(" Roles that may: {}.", who.join(", ")) };
    Decision::Deny {
        why: format!(
            "{} may not {lacking}{on}, which {} would do: no grant of {roles} covers it.{who}",
            principal.name, asked.tool
        ),
        by: "no grant".to_owned(),
    }
}

impl Gate {
    /// True if it stands in the way of this.
    fn holds(&self, policy: &Policy, principal: &Principal, asked: &Asked<'_>, is_a: IsA) -> bool {
        let Some(touched) = asked.touched else { return false };
        let actions = actions_of(asked);
        // what is not known may be anything; a model that is new has nothing that could be harmed
        let content = |test: &dyn Fn() -> bool| !touched.new_model && (touched.replaced || test());
        let plain = |test: &dyn Fn() -> bool, asks: bool| !asks || content(test);
        !self.except.iter().any(|role| principal.roles.contains(role))
            && (self.tools.is_empty() || self.tools.iter().any(|tool| tool.fits(asked.tool)))
            && (self.actions.is_empty() || self.actions.iter().any(|action| actions.contains(action)))
            && self.scope.has_model(asked.model.as_ref())
            && plain(
                &|| touched.classes().any(|class| self.scope.has_class(Some(class), is_a)),
                !self.scope.classes.is_empty(),
            )
            && plain(
                &|| {
                    touched.elsewhere
                        || touched.storeys.iter().any(|storey| self.scope.has_storey(Some(storey)))
                },
                !self.scope.storeys.is_empty(),
            )
            && plain(&|| touched.elements() >= self.elements, self.elements > 0)
            && plain(&|| policy.cost.total(touched) >= self.cost, self.cost > 0)
    }

    fn reason(&self, asked: &Asked<'_>) -> String {
        let what = match asked.touched {
            Some(touched) if touched.replaced => "replaces the whole model".to_owned(),
            Some(touched) if touched.new_model => "makes a model".to_owned(),
            Some(touched) => {
                let classes: std::collections::BTreeSet<&str> = touched.classes().collect();
                let classes: Vec<&str> = classes.into_iter().take(5).collect();
                format!("touches {} elements ({})", touched.elements(), classes.join(", "))
            }
            None => "is gated".to_owned(),
        };
        format!("{} {what}; the gate `{}` asks for approval.", asked.tool, self.name)
    }
}
