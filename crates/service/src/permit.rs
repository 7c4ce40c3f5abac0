//! May this call do that: policy is asked when a call begins, when it names a model, and with what it really touched before
//! anything is committed. A model that a caller may not read is to that caller a model that is not there.

use crate::approvals::{gates_of, no_longer};
use crate::call::Call;
use crate::commit::Draft;
use contract::{
    Action, ApprovalRecord, Effect, Fault, FaultCode, ModelId, ModelRecord, Page, Permission, Principal,
};
use governance::{Asked, Decision, GateAsks, ModelTarget, Touched, decide};
use store::{Content, FileRecord, StoreError, now_ms};

/// A change that gates hold up.
pub(crate) struct Held {
    pub(crate) gates: Vec<GateAsks>,
    /// The name of its model.
    pub(crate) model: String,
}

impl Call {
    fn decide(&self, action: Action, model: Option<ModelTarget<'_>>, touched: Option<&Touched>) -> Decision {
        let config = &self.inner.config;
        let asked = Asked { tool: &self.what.tool, action, model, touched };
        decide(&config.policy, &self.who.principal, &asked, config.is_a)
    }

    /// Checks that the call may begin: that there is a grant for it somewhere.
    pub(crate) fn may_begin(&self) -> Result<(), Fault> {
        if self.inner.config.policy.read_only && self.what.effect != Effect::Query {
            let why = format!("This server is read-only; {} would change something.", self.what.tool);
            return require(Decision::Deny { why, by: "read-only".to_owned() });
        }
        require(self.decide(self.what.action, None, None))
    }

    /// Checks that the caller may do this with this model.
    pub(crate) fn may(&self, action: Action, model: &ModelRecord) -> Result<(), Fault> {
        require(self.decide(action, Some(target(model)), None))
    }

    /// True if the caller may do this anywhere.
    pub(crate) fn may_anywhere(&self, action: Action) -> bool {
        self.decide(action, None, None).is_allowed()
    }

    /// True if the caller administers all of this server, not some models of it alone.
    pub(crate) fn administers_all(&self) -> bool {
        let policy = &self.inner.config.policy;
        let is_whole = |grant: &&governance::Grant| {
            grant.actions.contains(&Action::Administer) && grant.scope.models.is_empty()
        };
        let within = self.who.principal.within.as_ref();
        within.is_none_or(|within| within.models.is_empty())
            && self.may_anywhere(Action::Administer)
            && policy.grants_of(&self.who.principal).iter().any(is_whole)
    }

    /// True if this model is there for the caller.
    pub(crate) fn sees(&self, model: &ModelRecord) -> bool {
        self.decide(Action::Query, Some(target(model)), None).is_allowed()
    }

    /// The model with this id, if it is there for the caller.
    pub(crate) async fn known_model(&self, id: &ModelId) -> Result<ModelRecord, Fault> {
        let model = self.inner.store.model(id).await?;
        if self.sees(&model) { Ok(model) } else { Err(no_model(id.as_str())) }
    }

    /// True if a file is there for the caller: made of a model that is, and that it may take out of where it is to be taken out; else its
    /// own.
    pub(crate) async fn sees_file(&self, file: &FileRecord) -> bool {
        let Some((model, _)) = &file.made_of else { return self.owns(file) };
        match self.known_model(model).await {
            Ok(model) => self.what.action != Action::Export || self.may(Action::Export, &model).is_ok(),
            Err(_) => false,
        }
    }

    /// A page of the models that are there for the caller. It may be shorter than asked for.
    pub(crate) async fn seen_models(
        &self,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<ModelRecord>, Fault> {
        let mut page = self.inner.store.models(limit, cursor).await?;
        page.items.retain(|model| self.sees(model));
        Ok(page)
    }

    /// Decides if a draft may become a version: policy is held against what it touches. `None` is yes; else the gates that
    /// want somebody's yes first.
    pub(crate) async fn admits(&self, draft: &Draft) -> Result<Option<Held>, Fault> {
        let (tool, action) = (&self.what.tool, self.action_of_change());
        let (decision, model) = self.decide_on_draft(&self.who.principal, tool, action, draft).await?;
        match decision {
            Decision::Allow { .. } => Ok(None),
            Decision::Ask { gates } => Ok(Some(Held { gates, model })),
            denied @ Decision::Deny { .. } => require(denied).map(|()| None),
        }
    }

    /// Refuses a held draft that policy as it is now would not let its requester make, or that a gate holds up that nobody was
    /// asked at.
    pub(crate) async fn still_admits(
        &self,
        draft: &Draft,
        record: &ApprovalRecord,
        requester: &Principal,
    ) -> Result<(), Fault> {
        let (decision, _) = self.decide_on_draft(requester, &record.tool, record.action, draft).await?;
        match decision {
            Decision::Allow { .. } => Ok(()),
            Decision::Deny { why, .. } => Err(no_longer(record, &why)),
            Decision::Ask { gates } => {
                let asked = gates_of(record);
                match gates.iter().find(|gate| !asked.iter().any(|held| held.gate == gate.gate)) {
                    None => Ok(()),
                    Some(new) => {
                        let (gate, tool) = (&new.gate, &record.tool);
                        let problem = format!(
                            "The gate `{gate}` holds this up by now, and nobody was asked at it. Reject this, and have {tool} called again."
                        );
                        Err(Fault::new(FaultCode::Conflict, problem).with("gate", gate))
                    }
                }
            }
        }
    }

    /// The decision on a draft of a principal, with the name of its model.
    async fn decide_on_draft(
        &self,
        principal: &Principal,
        tool: &str,
        action: Action,
        draft: &Draft,
    ) -> Result<(Decision, String), Fault> {
        let touched = match (&draft.new_model, &draft.content, &draft.summary) {
            (Some(_), ..) => Touched::new_model(),
            (None, Content::Delta(_), Some(summary)) => Touched::by(summary),
            (None, ..) => Touched::replaced(),
        };
        let (name, id) = match &draft.new_model {
            Some(new) => (new.name.clone(), None),
            None => (self.inner.store.model(&draft.model).await?.name, Some(&draft.model)),
        };
        let model = ModelTarget { id, name: &name };
        let asked = Asked { tool, action, model: Some(model), touched: Some(&touched) };
        let config = &self.inner.config;
        let decision = decide(&config.policy, principal, &asked, config.is_a);
        Ok((decision, name))
    }

    /// Returns what the caller may do, and where.
    pub(crate) fn granted(&self) -> Vec<Permission> {
        let policy = &self.inner.config.policy;
        let within = self.who.principal.within.as_ref();
        let open = |action: &Action| {
            !(policy.read_only && action.changes_models())
                && within.is_none_or(|w| w.actions.is_empty() || w.actions.contains(action))
        };
        let narrowed = within.map(|within| within.models.join(", ")).filter(|models| !models.is_empty());
        let mut granted: Vec<Permission> = Vec::new();
        for grant in policy.grants_of(&self.who.principal) {
            let actions: Vec<Action> = grant.actions.iter().copied().filter(open).collect();
            let on = match &narrowed {
                Some(models) => format!("{}, of the models {models}", grant.scope.words()),
                None => grant.scope.words(),
            };
            let permission = Permission { actions, on };
            if !permission.actions.is_empty() && !granted.contains(&permission) {
                granted.push(permission);
            }
        }
        granted
    }

    /// A call that is no change by its action, and commits one all the same, is judged as a change.
    pub(crate) fn action_of_change(&self) -> Action {
        if self.what.action.changes_models() { self.what.action } else { Action::Modify }
    }

    /// Counts a model as worked on.
    pub(crate) fn opens(&self, model: &ModelId) -> Result<(), Fault> {
        self.inner.meter.open(&self.who.principal.name, self.who.limits, model, now_ms())
    }

    /// Counts bytes that come in.
    pub(crate) fn takes(&self, bytes: u64) -> Result<(), Fault> {
        let way = governance::Way::In;
        self.inner.meter.bytes(&self.who.principal.name, self.who.limits, way, bytes, now_ms())
    }

    /// Counts bytes that go out.
    pub(crate) fn gives(&self, bytes: u64) -> Result<(), Fault> {
        let way = governance::Way::Out;
        self.inner.meter.bytes(&self.who.principal.name, self.who.limits, way, bytes, now_ms())
    }
}

pub(crate) fn target(model: &ModelRecord) -> ModelTarget<'_> {
    ModelTarget { id: Some(&model.model_id), name: &model.name }
}

/// The Fault for a model that is not there, or not there for the caller; the two are told alike.
pub(crate) fn no_model(id_or_name: &str) -> Fault {
    Fault::from(StoreError::NotFound { what: "model", id: id_or_name.to_owned() })
}

/// The decision as a Fault, if it is a refusal. Before a call ran nothing is gated.
pub(crate) fn require(decision: Decision) -> Result<(), Fault> {
    match decision {
        Decision::Allow { .. } => Ok(()),
        Decision::Ask { gates } => {
            let reasons: Vec<String> = gates.into_iter().map(|asks| asks.reason).collect();
            Err(Fault::new(FaultCode::ApprovalRequired, reasons.join(" ")))
        }
        Decision::Deny { why, by } => Err(Fault::new(FaultCode::PermissionDenied, why).with("rule", by)),
    }
}
