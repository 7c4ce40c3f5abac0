//! The policy as it is held in memory: roles with their grants, gates, limits. Read from a file by [`crate::file`]; without
//! one, the user of this machine may do everything and nothing is gated.

use crate::limits::LimitsOf;
use crate::scope::{Pattern, Scope};
use crate::token::Issuer;
use crate::touched::Touched;
use contract::{Action, Principal};
use std::collections::{BTreeMap, BTreeSet};

/// Some actions, somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The actions granted.
    pub actions: BTreeSet<Action>,
    /// The scope in which they are granted.
    pub scope: Scope,
    /// Its name in explanations.
    pub rule: String,
}

/// A role: what it grants and what its holders are limited to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Role {
    /// Its grants, those of the roles it includes among them.
    pub grants: Vec<Grant>,
    /// Its limits.
    pub limits: LimitsOf,
}

/// Somebody or some program that the policy names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// Roles beside those of its key or token.
    pub roles: Vec<String>,
    /// The person who sits at this client and answers what it asks, itself a principal.
    pub person: Option<String>,
}

/// When a change needs somebody else's yes. All that is said has to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gate {
    /// Its name.
    pub name: String,
    /// Tools.
    pub tools: Vec<Pattern>,
    /// Kinds of change.
    pub actions: Vec<Action>,
    /// Models, storeys, classes; touching one is enough.
    pub scope: Scope,
    /// At least so many elements.
    pub elements: u64,
    /// At least this cost.
    pub cost: u64,
    /// Roles that it does not stop.
    pub except: Vec<String>,
    /// How strict it is: of all gates that hold up a change, those of the highest rank say who decides.
    pub rank: u32,
    /// Roles that may decide; all that may approve where empty.
    pub approvers: Vec<String>,
    /// After how many hours nobody can say yes any more.
    pub expires_hours: u64,
    /// True if the person at a client that is trusted with one may say yes there.
    pub elicitation: bool,
}

/// The weights of added, modified and removed elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Adding one.
    pub added: u64,
    /// Changing one.
    pub modified: u64,
    /// Removing one.
    pub removed: u64,
}

impl Default for Cost {
    fn default() -> Self {
        Self { added: 1, modified: 2, removed: 5 }
    }
}

impl Cost {
    /// The cost of a difference.
    pub fn total(&self, touched: &Touched) -> u64 {
        let sum = |counts: &BTreeMap<String, u64>| counts.values().copied().fold(0, u64::saturating_add);
        [(&touched.added, self.added), (&touched.modified, self.modified), (&touched.removed, self.removed)]
            .into_iter()
            .fold(0_u64, |cost, (counts, each)| cost.saturating_add(sum(counts).saturating_mul(each)))
    }
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Nothing changes, whoever asks.
    pub read_only: bool,
    /// Roles by name.
    pub roles: BTreeMap<String, Role>,
    /// The principals named.
    pub principals: BTreeMap<String, Known>,
    /// The roles of the user of this machine.
    pub local: Vec<String>,
    /// Gates, in the order of the file.
    pub gates: Vec<Gate>,
    /// The weights of touched elements.
    pub cost: Cost,
    /// Limits of those whose roles say none.
    pub limits: LimitsOf,
    /// The issuer whose tokens are taken, if any.
    pub issuer: Option<Issuer>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            read_only: false,
            roles: built_in(),
            principals: BTreeMap::new(),
            local: vec!["admin".to_owned()],
            gates: Vec::new(),
            cost: Cost::default(),
            limits: LimitsOf::default(),
            issuer: None,
        }
    }
}

impl Policy {
    /// The policy of a machine of one's own.
    pub fn open(read_only: bool) -> Self {
        Self { read_only, ..Self::default() }
    }

    /// The grants that a principal's roles come to.
    pub fn grants_of(&self, principal: &Principal) -> Vec<&Grant> {
        let roles = principal.roles.iter().filter_map(|role| self.roles.get(role));
        roles.flat_map(|role| &role.grants).collect()
    }

    /// The limits of a principal: of each kind the widest that its roles say, else those of everybody.
    pub fn limits_of(&self, principal: &Principal) -> LimitsOf {
        let roles = principal.roles.iter().filter_map(|role| self.roles.get(role));
        let own = roles.map(|role| role.limits).reduce(LimitsOf::widest).unwrap_or_default();
        own.or(self.limits)
    }

    /// Roles that are granted an action anywhere.
    pub fn roles_with(&self, action: Action) -> Vec<&str> {
        let grants = |role: &Role| role.grants.iter().any(|grant| grant.actions.contains(&action));
        self.roles.iter().filter(|(_, role)| grants(role)).map(|(name, _)| name.as_str()).collect()
    }

    /// The roles that may decide at a gate; those that may approve at all where it names none, or is no more.
    pub fn deciders(&self, gate: &str) -> Vec<String> {
        match self.gate(gate) {
            Some(gate) if !gate.approvers.is_empty() => gate.approvers.clone(),
            _ => self.roles_with(Action::Approve).into_iter().map(str::to_owned).collect(),
        }
    }

    /// Pairs of gates of one rank that no role can decide on together: a change that both hold up waits for somebody with a role of each.
    pub fn gates_without_common_approver(&self) -> Vec<(&str, &str)> {
        let apart = |a: &Gate, b: &Gate| {
            let of_other = self.deciders(&b.name);
            a.rank == b.rank && !self.deciders(&a.name).iter().any(|role| of_other.contains(role))
        };
        let pairs = self
            .gates
            .iter()
            .enumerate()
            .flat_map(|(at, first)| self.gates.iter().skip(at + 1).map(move |second| (first, second)));
        pairs.filter(|(a, b)| apart(a, b)).map(|(a, b)| (a.name.as_str(), b.name.as_str())).collect()
    }

    /// A gate by its name.
    pub fn gate(&self, name: &str) -> Option<&Gate> {
        self.gates.iter().find(|gate| gate.name == name)
    }
}

/// The roles that are there without a file.
pub(crate) fn built_in() -> BTreeMap<String, Role> {
    let role = |name: &str, actions: &[Action]| {
        let grant = Grant {
            actions: actions.iter().copied().collect(),
            scope: Scope::default(),
            rule: format!("role {name} (built in)"),
        };
        (name.to_owned(), Role { grants: vec![grant], limits: LimitsOf::default() })
    };
    use Action::{Approve, Create, Delete, Export, Modify, Query};
    BTreeMap::from([
        role("viewer", &[Query, Export]),
        role("author", &[Query, Export, Create, Modify, Delete]),
        role("approver", &[Query, Export, Approve]),
        role("admin", &Action::ALL),
    ])
}
