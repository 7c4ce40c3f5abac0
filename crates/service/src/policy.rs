//! Who may do what. A pure function of policy, principal, effect and target: no clock, no storage, no default to yes.

use contract::{Effect, Fault, FaultCode, ModelId, Principal};

/// What holds for everybody.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Policy {
    /// Nothing changes, whoever asks.
    pub read_only: bool,
}

/// What is to be done, and to what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target<'a> {
    /// The tool.
    pub tool: &'a str,
    /// The model, where it is about one that exists.
    pub model: Option<&'a ModelId>,
}

/// The decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Go on.
    Allow,
    /// Not this caller, or not here.
    Deny {
        /// Why, in a sentence.
        reason: String,
    },
}

/// The roles that may read, and those that may change.
const READERS: [&str; 3] = ["viewer", "author", "admin"];
const WRITERS: [&str; 2] = ["author", "admin"];

/// Whether a principal may do this.
pub fn decide(policy: &Policy, principal: &Principal, effect: Effect, target: &Target<'_>) -> Decision {
    if policy.read_only && effect != Effect::Query {
        return Decision::Deny {
            reason: format!("This server is read-only; {} would change something.", target.tool),
        };
    }
    let (allowed, action) = match effect {
        Effect::Query => (READERS.as_slice(), "read"),
        Effect::Create | Effect::Modify => (WRITERS.as_slice(), "change"),
    };
    if principal.roles.iter().any(|role| allowed.contains(&role.as_str())) {
        return Decision::Allow;
    }
    Decision::Deny {
        reason: format!(
            "{} may not {action} here: {} needs one of the roles {}.",
            principal.name,
            target.tool,
            allowed.join(", ")
        ),
    }
}

/// The decision as a Fault, if it is a refusal.
pub(crate) fn require(decision: Decision) -> Result<(), Fault> {
    match decision {
        Decision::Allow => Ok(()),
        Decision::Deny { reason } => Err(Fault::new(FaultCode::PermissionDenied, reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn effects() -> impl Strategy<Value = Effect> {
        prop_oneof![Just(Effect::Query), Just(Effect::Create), Just(Effect::Modify)]
    }

    proptest! {
        #[test]
        fn there_is_no_way_to_yes_without_a_role_that_grants_it(
            read_only: bool,
            roles in prop::collection::vec(prop_oneof!["[a-z]{0,8}", Just("viewer".to_owned()), Just("author".to_owned())], 0..4),
            effect in effects(),
            local: bool,
        ) {
            let principal = Principal { name: "p".into(), roles: roles.clone(), local };
            let target = Target { tool: "create_wall", model: None };
            if decide(&Policy { read_only }, &principal, effect, &target) == Decision::Allow {
                let has = |role: &str| roles.iter().any(|r| r == role);
                if effect == Effect::Query {
                    prop_assert!(has("viewer") || has("author") || has("admin"));
                } else {
                    prop_assert!(!read_only);
                    prop_assert!(has("author") || has("admin"));
                }
            }
        }
    }
}
