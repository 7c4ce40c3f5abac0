//! What people see and select in the viewer, kept for the agents beside them. A page tells it as it changes; whoever may read the model
//! may read it. Selecting is no act on a model, so audit does not list it; what is refused is written down as ever.

use crate::arguments::Common;
use crate::call::{Call, Opening};
use crate::{CallContext, Service};
use contract::{Action, BoxFuture, Effect, Fault, KeptSight, Place, Sight, Sights};
use serde_json::json;
use std::time::Instant;
use store::now_ms;

/// The name that audit records of what is refused.
const ACTION: &str = "show_selection";
/// Milliseconds after which a page that was not heard of is taken for closed. Pages speak up each minute.
const HEARD_MS: u64 = 10 * 60_000;
const SELECTED_MOST: usize = 10_000;
const MARKS_MOST: usize = 100;
const POINTS_MOST: usize = 200;
const SECTIONS_MOST: usize = 20;
/// Bytes of an id or a name.
const NAME_BYTES: usize = 300;

impl Service {
    /// Keeps what a page of the viewer shows of a version of a model. `viewer` is the page's own name for itself.
    pub async fn keep_sight(
        &self,
        context: &CallContext,
        viewer: &str,
        (model, version): (&str, &str),
        sight: Sight,
    ) -> Result<(), Fault> {
        let arguments = json!({ "viewer": viewer, "model_id": model, "model_version": version });
        let call = self.sight_call(context, &arguments).await?;
        let outcome = async {
            call.may_begin()?;
            check(viewer, &sight)?;
            let (model, version) = call.model_and_version().await?;
            let kept = KeptSight {
                viewer: viewer.to_owned(),
                principal: call.who.principal.name.clone(),
                model: model.model_id,
                version,
                seconds_ago: 0,
                sight,
            };
            Ok(self.inner().store.put_sight(kept).await?)
        }
        .await;
        ended(&call, outcome).await
    }

    /// Forgets a page of the viewer that closes.
    pub async fn forget_sight(&self, context: &CallContext, viewer: &str) -> Result<(), Fault> {
        let call = self.sight_call(context, &json!({ "viewer": viewer })).await?;
        let outcome = async {
            call.may_begin()?;
            Ok(self.inner().store.forget_sight(&call.who.principal.name, viewer).await?)
        }
        .await;
        ended(&call, outcome).await
    }

    async fn sight_call(&self, context: &CallContext, arguments: &serde_json::Value) -> Result<Call, Fault> {
        let started = Instant::now();
        let (principal, _running) = self.inner().enter(context, ACTION, arguments, started).await?;
        let opening = Opening {
            tool: ACTION,
            effect: Effect::Query,
            action: Action::Query,
            entry: None,
            arguments,
            started,
        };
        let mut call = Call::new(self.inner(), context, principal, opening);
        call.what.kind = None;
        call.take(context, Common::of_action(arguments), arguments);
        Ok(call)
    }
}

async fn ended(call: &Call, outcome: Result<(), Fault>) -> Result<(), Fault> {
    match &outcome {
        Ok(()) => call.is_not_audited(),
        Err(fault) => call.end(Err(fault)).await,
    }
    outcome.map_err(|fault| call.outward(fault))
}

/// Checks that a page tells no more than a person can have selected and drawn, in numbers that are some.
fn check(viewer: &str, sight: &Sight) -> Result<(), Fault> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if viewer.is_empty() || viewer.len() > 64 || !viewer.chars().all(is_plain) {
        return Err(Fault::invalid("viewer", "`viewer` has to be 1 to 64 letters, digits and hyphens."));
    }
    let too_many = |field: &str, most: usize| {
        Err(Fault::invalid(field, format!("`{field}` has more than {most} members.")))
    };
    if sight.selection.len() > SELECTED_MOST {
        return too_many("selection", SELECTED_MOST);
    }
    if sight.marks.len() > MARKS_MOST {
        return too_many("marks", MARKS_MOST);
    }
    if sight.sections.len() > SECTIONS_MOST {
        return too_many("sections", SECTIONS_MOST);
    }
    if sight.marks.iter().any(|mark| mark.points.is_empty() || mark.points.len() > POINTS_MOST) {
        return Err(Fault::invalid("marks", format!("A mark has 1 to {POINTS_MOST} points.")));
    }
    if sight.marks.iter().any(|mark| mark.on.len() > mark.points.len()) {
        return Err(Fault::invalid("marks", "A mark's `on` has a member for each of its points at most."));
    }
    let hit = sight.marks.iter().flat_map(|mark| mark.on.iter().flatten());
    if sight.selection.iter().chain(hit).chain(&sight.storey).any(|name| name.len() > NAME_BYTES) {
        return Err(Fault::invalid("selection", format!("An id or name is longer than {NAME_BYTES} bytes.")));
    }
    let camera = sight.camera.iter().flat_map(|camera| [camera.eye, camera.target]);
    let planes = sight.sections.iter().flat_map(|plane| [plane.point, plane.normal]);
    let marks = sight.marks.iter().flat_map(|mark| mark.points.iter().copied());
    let is_place = |place: Place| place.iter().all(|number| number.is_finite());
    if camera.chain(planes).chain(marks).all(is_place) {
        Ok(())
    } else {
        Err(Fault::invalid("camera", "A coordinate is not a number."))
    }
}

impl Sights for Call {
    fn sights(&self) -> BoxFuture<'_, Result<Vec<KeptSight>, Fault>> {
        Box::pin(async move {
            let model = self.model_of_call().await?.model_id;
            Ok(self.inner.store.sights(&model, now_ms().saturating_sub(HEARD_MS)).await?)
        })
    }
}

/// Sights as they are told: whose, how long ago, and what.
pub(crate) fn told(sights: &[KeptSight]) -> Vec<serde_json::Value> {
    let one = |kept: &KeptSight| {
        json!({
            "person": kept.principal,
            "model_version": kept.version,
            "seconds_ago": kept.seconds_ago,
            "shows": kept.sight,
        })
    };
    sights.iter().map(one).collect()
}
