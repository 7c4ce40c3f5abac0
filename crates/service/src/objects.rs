//! Objects of the bucket: content under names of the callers' choice, each change a version that stays. They pass the same
//! pipeline as models: who is it, may they, do it, audit.
//!
//! A version of an object that belongs to a model is there for whom the model is there; any other for who made it and for those
//! who administer.

use crate::CallContext;
use crate::call::{Call, Opening};
use crate::service::Service;
use contract::{Action, BucketFile, Effect, Fault, FaultCode, ModelRecord, OperationId, Page};
use governance::Running;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use store::{Blob, ObjectDraft, ObjectRecord, Staged, StoreError, now_ms};

/// How often a change without a condition is made on what somebody else wrote meanwhile.
const TRIES: usize = 8;

/// The condition of a change: the object's content as its entity tag says it, or that there is none yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// Whatever is there.
    Anything,
    /// Nothing.
    Nothing,
    /// The content of this hash.
    Content(String),
}

/// The description of an object in an upload.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// Its key.
    pub key: &'a str,
    /// Its media type.
    pub media_type: &'a str,
    /// The model that it belongs to, by id or name.
    pub model: Option<&'a str>,
}

impl Service {
    /// Objects whose keys begin so and that are there for the caller. A page may be shorter than asked for.
    pub async fn objects(
        &self,
        context: &CallContext,
        prefix: &str,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<ObjectRecord>, Fault> {
        let arguments = json!({ "prefix": prefix });
        let (call, _running) = self.object_call(context, "list_objects", Action::Query, &arguments).await?;
        let outcome = async {
            let mut page = call.inner.store.objects(prefix, limit, cursor).await?;
            let mut seen = Vec::with_capacity(page.items.len());
            for object in page.items {
                if sees(&call, &object).await {
                    seen.push(object);
                }
            }
            page.items = seen;
            Ok(page)
        };
        ended(&call, outcome.await).await
    }

    /// The versions of an object, the newest first; those from when it belonged to what is not there for the caller are left out.
    pub async fn object_versions(
        &self,
        context: &CallContext,
        key: &str,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<ObjectRecord>, Fault> {
        let arguments = json!({ "key": key });
        let (call, _running) =
            self.object_call(context, "list_object_versions", Action::Query, &arguments).await?;
        let outcome = async {
            newest(&call, key).await?.ok_or_else(|| no_object(key))?;
            let mut page = call.inner.store.object_versions(key, limit, cursor).await?;
            let mut seen = Vec::with_capacity(page.items.len());
            for version in page.items {
                if sees(&call, &version).await {
                    seen.push(version);
                }
            }
            page.items = seen;
            Ok(page)
        };
        ended(&call, outcome.await).await
    }

    /// An object's content, in its newest version or the one named.
    pub async fn object(
        &self,
        context: &CallContext,
        key: &str,
        version: Option<&str>,
    ) -> Result<(ObjectRecord, BucketFile), Fault> {
        let arguments = json!({ "key": key, "version": version });
        let (call, _running) =
            self.object_call(context, "download_object", Action::Export, &arguments).await?;
        let outcome = async {
            let (record, file) = content(&call, key, version).await?;
            call.gives(file.size)?;
            Ok((record, file))
        };
        ended(&call, outcome.await).await
    }

    /// An object, and an address at the bucket itself from which whoever has it may read it for so long; none where the
    /// bucket gives no addresses.
    pub async fn object_link(
        &self,
        context: &CallContext,
        key: &str,
        version: Option<&str>,
        keep: Duration,
    ) -> Result<(ObjectRecord, BucketFile, Option<String>), Fault> {
        let arguments = json!({ "key": key, "version": version, "seconds": keep.as_secs() });
        let (call, _running) = self.object_call(context, "link_object", Action::Export, &arguments).await?;
        let outcome = async {
            let (record, file) = content(&call, key, version).await?;
            let link = call.inner.store.blob_link(&file.sha256, keep).await?;
            Ok((record, file, link))
        };
        ended(&call, outcome.await).await
    }

    /// Adds a version of an object.
    pub async fn put_object(
        &self,
        context: &CallContext,
        about: &About<'_>,
        staged: Staged,
        expected: &Expected,
    ) -> Result<ObjectRecord, Fault> {
        let Blob { sha256, size } = staged.blob().clone();
        let arguments = json!({
            "key": about.key, "media_type": about.media_type, "model_id": about.model, "sha256": sha256, "size": size,
        });
        let (call, _running) = self.object_call(context, "put_object", Action::Create, &arguments).await?;
        let outcome = async {
            call.takes(size)?;
            let mut tries = 0;
            let blob = call.inner.store.adopt(staged).await?;
            loop {
                let (known, model) = may_write(&call, about).await?;
                condition(about.key, known.as_ref(), expected)?;
                // the rights were asked for on this version, and hold for no other
                let present = known.filter(|known| known.sha256.is_some());
                let before = present.map(|known| known.version).unwrap_or_default();
                let added = add(&call, about, Some(blob.clone()), model.as_ref(), before).await;
                tries += 1;
                match added {
                    Err(fault)
                        if fault.code == FaultCode::Conflict
                            && *expected == Expected::Anything
                            && tries < TRIES => {}
                    added => return added,
                }
            }
        };
        ended(&call, outcome.await).await
    }

    /// Deletes an object: its next version is that it is not there. Those before stay.
    pub async fn delete_object(
        &self,
        context: &CallContext,
        key: &str,
        expected: &Expected,
    ) -> Result<ObjectRecord, Fault> {
        let arguments = json!({ "key": key });
        let (call, _running) = self.object_call(context, "delete_object", Action::Delete, &arguments).await?;
        let outcome = async {
            let known = newest(&call, key).await?.filter(|known| known.sha256.is_some());
            let known = known.ok_or_else(|| no_object(key))?;
            let model = match &known.model_id {
                Some(id) => Some(call.known_model(id).await?),
                None => None,
            };
            if let Some(model) = &model {
                call.may(Action::Delete, model)?;
            }
            condition(key, Some(&known), expected)?;
            let about = About { key, media_type: &known.media_type, model: None };
            add(&call, &about, None, model.as_ref(), known.version.clone()).await
        };
        ended(&call, outcome.await).await
    }

    /// A call that may begin, and what counts it while it runs. Of one that may not, the refusal is written down.
    async fn object_call(
        &self,
        context: &CallContext,
        name: &str,
        action: Action,
        arguments: &Value,
    ) -> Result<(Call, Running), Fault> {
        let effect = match action {
            Action::Create => Effect::Create,
            Action::Delete => Effect::Modify,
            _ => Effect::Query,
        };
        let started = Instant::now();
        let inner = self.inner();
        let (principal, running) = inner.enter(context, name, arguments, started).await?;
        let opening = Opening { tool: name, effect, action, entry: None, arguments, started };
        let call = Call::new(inner, context, principal, opening);
        let begun = call.may_begin();
        if begun.is_err() {
            ended(&call, begun).await?;
        }
        Ok((call, running))
    }
}

/// Writes down how a call ended.
async fn ended<T>(call: &Call, outcome: Result<T, Fault>) -> Result<T, Fault> {
    call.end(outcome.as_ref().map(|_| None)).await;
    outcome.map_err(|fault| call.outward(fault))
}

/// True if an object is there for the caller.
async fn sees(call: &Call, object: &ObjectRecord) -> bool {
    match &object.model_id {
        Some(model) => call.known_model(model).await.is_ok(),
        None => object.principal == call.who.principal.name || call.administers_all(),
    }
}

/// The newest version of an object, a delete marker included. One that is not there for the caller is a Fault that says no more
/// than that the key cannot be used.
async fn newest(call: &Call, key: &str) -> Result<Option<ObjectRecord>, Fault> {
    match call.inner.store.object(key, None).await? {
        Some(found) if !sees(call, &found).await => Err(no_object(key)),
        found => Ok(found),
    }
}

/// An object's version that has content, for a call that takes it out.
async fn content(call: &Call, key: &str, version: Option<&str>) -> Result<(ObjectRecord, BucketFile), Fault> {
    let known = newest(call, key).await?.ok_or_else(|| no_object(key))?;
    let found = match version {
        Some(_) => match call.inner.store.object(key, version).await? {
            // a version from before may have belonged to what is not there for the caller
            Some(found) if sees(call, &found).await => found,
            _ => return Err(no_object(key)),
        },
        None => known,
    };
    if let Some(model) = &found.model_id {
        call.may(Action::Export, &call.known_model(model).await?)?;
    }
    let Some(sha256) = found.sha256.clone() else {
        return Err(no_object(key).with("deleted", true).with("version", &found.version));
    };
    let path = call.inner.store.blob_file(&sha256).await?;
    let size = found.size;
    Ok((found, BucketFile { path, sha256, size }))
}

/// The object under a key, and the model that a new version of it belongs to. Rights are asked for both where it is and where it goes: to
/// take an object away from a model is to delete it there.
async fn may_write(
    call: &Call,
    about: &About<'_>,
) -> Result<(Option<ObjectRecord>, Option<ModelRecord>), Fault> {
    let known = newest(call, about.key).await?;
    let model = match (about.model, &known) {
        (Some(model), _) => Some(call.find_model(model).await?),
        (None, Some(ObjectRecord { model_id: Some(id), .. })) => Some(call.known_model(id).await?),
        (None, _) => None,
    };
    if let Some(model) = &model {
        call.may(Action::Create, model)?;
    }
    let owner = known.as_ref().and_then(|known| known.model_id.as_ref());
    if let Some(owner) = owner.filter(|id| model.as_ref().is_none_or(|model| model.model_id != **id)) {
        call.may(Action::Delete, &call.known_model(owner).await?)?;
    }
    Ok((known, model))
}

/// Checks that what is there is what the caller takes it for.
fn condition(key: &str, known: Option<&ObjectRecord>, expected: &Expected) -> Result<(), Fault> {
    let present = known.and_then(|known| known.sha256.as_ref());
    match expected {
        Expected::Anything => Ok(()),
        Expected::Nothing if present.is_none() => Ok(()),
        Expected::Content(hash) if present == Some(hash) => Ok(()),
        _ => Err(changed(key, known)),
    }
}

async fn add(
    call: &Call,
    about: &About<'_>,
    blob: Option<Blob>,
    model: Option<&ModelRecord>,
    before: String,
) -> Result<ObjectRecord, Fault> {
    let draft = ObjectDraft {
        key: about.key.to_owned(),
        version: OperationId::new().0,
        blob,
        media_type: about.media_type.to_owned(),
        principal: call.who.principal.name.clone(),
        time_ms: now_ms(),
        model_id: model.map(|model| model.model_id.clone()),
        model_version: model.map(|model| model.head.clone()),
    };
    match call.inner.store.put_object(draft, Some(before)).await {
        Ok(Ok(record)) => Ok(record),
        Ok(Err(newest)) => Err(changed(about.key, newest.as_ref())),
        Err(StoreError::Inconsistent(why)) => Err(Fault::invalid("key", format!("{:?}: {why}.", about.key))),
        Err(error) => Err(error.into()),
    }
}

fn no_object(key: &str) -> Fault {
    Fault::new(
        FaultCode::NotFound,
        format!("There is no object {key:?}. GET /bucket/objects lists those there are."),
    )
    .with("key", key)
}

fn changed(key: &str, newest: Option<&ObjectRecord>) -> Fault {
    let fault = Fault::new(
        FaultCode::Conflict,
        format!("{key:?} is not what the condition says: somebody changed it. Read it again, then decide."),
    )
    .with("key", key);
    match newest.and_then(|newest| newest.sha256.as_ref()) {
        Some(sha256) => fault.with("sha256", sha256),
        None => fault,
    }
}
