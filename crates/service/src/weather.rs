//! Weather files: found by what a caller calls them, fetched from the public collection or its mirror, kept, and made the session's.
//!
//! Only addresses below the one collection or mirror of the settings are fetched, and what is fetched is kept under its path, so
//! that the next call for it needs no network. An archive is read by an executor, never here; one that cannot be read is not kept.

use crate::call::Call;
use crate::library::no_file;
use contract::ops::Derivation;
use contract::{
    Action, BoxFuture, Derived, Effect, Fault, FaultCode, FileInput, ModelId, ModelKind, ModelOrigin,
    ModelRecord, Operation, Source, WeatherKept,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use store::{FileRecord, Staged};

/// The most bytes of an archive, and of a weather file that is named by its path.
const LARGEST_ARCHIVE: u64 = 32 << 20;
const LARGEST_WEATHER: u64 = 256 << 20;
/// Files that came with others belong to nobody in particular.
const KEEPER: &str = "system";

/// An archive that was fetched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fetched {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The SHA-256 that the server states of it, in hexadecimal, if it states one.
    pub stated_sha256: Option<String>,
}

/// Why an archive was not fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchProblem {
    /// Nothing answers there, or not to the end; why.
    Unreachable(String),
    /// There is no such file.
    Missing,
    /// It has more bytes than are taken.
    TooLarge,
    /// It leads to another host: its name.
    Elsewhere(String),
}

/// What fetches an address, bounded in bytes and time.
pub type FetchArchive =
    Arc<dyn Fn(String, u64) -> BoxFuture<'static, Result<Fetched, FetchProblem>> + Send + Sync>;

/// Where weather files come from.
#[derive(Clone, Default)]
pub struct WeatherSource {
    /// The address that stands in for the collection; the collection's own if there is none.
    pub mirror: Option<String>,
    /// What fetches from there. Where there is none, only what is here already is answered.
    pub fetch: Option<FetchArchive>,
}

/// The collection's own address.
pub const COLLECTION: &str = "https://climate.onebuilding.org";

impl fmt::Debug for WeatherSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeatherSource")
            .field("mirror", &self.mirror)
            .field("fetches", &self.fetch.is_some())
            .finish()
    }
}

impl WeatherSource {
    /// The address of a file below the collection or mirror. What stands in the index as a name is no address yet.
    fn address(&self, path: &str) -> String {
        let base = self.mirror.as_deref().unwrap_or(COLLECTION).trim_end_matches('/');
        let mut out = format!("{base}/");
        for byte in path.bytes() {
            if byte.is_ascii_alphanumeric() || b"/.-_~".contains(&byte) {
                out.push(char::from(byte));
            } else {
                out.push('%');
                out.push_str(&contract::hex(&[byte]).to_uppercase());
            }
        }
        out
    }
}

/// A weather file as an operation is given it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Weather {
    /// Its key in the bucket.
    pub(crate) key: String,
    /// The files `weather` and, where there are any, `design_days`.
    pub(crate) files: Vec<FileInput>,
}

impl Call {
    /// The weather file that a caller names, else the session's; none where neither is there.
    pub(crate) async fn weather(&self, named: Option<&str>) -> Result<Option<Weather>, Fault> {
        let record = match named {
            Some(named) => self.weather_named(named).await?,
            None => match self.session_state().await?.weather_file {
                // a file that was given up since is no reason to fail
                Some(key) => match self.inner.store.file(&key).await?.filter(|file| self.owns(file)) {
                    Some(record) => record,
                    None => return Ok(None),
                },
                None => return Ok(None),
            },
        };
        if !has_ending(&record.name, "epw") {
            return Err(Fault::invalid(
                "weather_file",
                format!("{} is no weather file: its name has to end in .epw.", record.name),
            ));
        }
        let mut files = vec![self.as_input("weather", &record).await?];
        if let Some(days) = self.design_days_of(&record).await? {
            files.push(self.as_input("design_days", &days).await?);
        }
        Ok(Some(Weather { key: record.key, files }))
    }

    async fn as_input(&self, role: &str, record: &FileRecord) -> Result<FileInput, Fault> {
        Ok(FileInput {
            role: role.to_owned(),
            source: self.path_source(&record.sha256).await?,
            sha256: record.sha256.clone(),
            media_type: record.media_type.clone(),
        })
    }

    /// A weather file by its key, as an upload, or by its path on the machine of a caller who sits there.
    pub(crate) async fn weather_named(&self, named: &str) -> Result<FileRecord, Fault> {
        if let Some(record) = self.inner.store.file(named).await?.filter(|file| self.owns(file)) {
            return Ok(record);
        }
        if let Some(record) = self.inner.store.file_named(&self.principal.name, named).await? {
            return Ok(record);
        }
        if !self.principal.local {
            return Err(no_file("weather_file", named));
        }
        let path = self.local_path("weather_file", named)?;
        if !path.is_file() || !has_ending(named, "epw") {
            return Err(Fault::new(
                FaultCode::NotFound,
                format!(
                    "There is no weather file {named}: no key, no upload and no .epw file of that name. \
                     download_weather_file fetches one."
                ),
            )
            .with("field", "weather_file"));
        }
        let days = ["ddy", "DDY"].into_iter().map(|end| path.with_extension(end)).find(|days| days.is_file());
        if let Some(days) = days {
            self.take_in(&days, LARGEST_ARCHIVE).await?;
        }
        self.take_in(&path, LARGEST_WEATHER).await
    }

    /// Keeps a file of this machine under this call; of a dry run, too, for nothing names it but its key.
    async fn take_in(&self, path: &Path, limit: u64) -> Result<FileRecord, Fault> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let staged = self.inner.store.stage(path, limit).await?;
        self.keep_file(&name, "text/plain", staged).await
    }

    /// The design days that came with a weather file, or were uploaded under the same name.
    async fn design_days_of(&self, weather: &FileRecord) -> Result<Option<FileRecord>, Fault> {
        let stem = |text: &str| text.rsplit_once('.').map(|(stem, _)| stem.to_owned());
        let (Some(key), Some(name)) = (stem(&weather.key), stem(&weather.name)) else { return Ok(None) };
        for end in ["ddy", "DDY"] {
            let beside = self.inner.store.file(&format!("{key}.{end}")).await?;
            if let Some(found) = beside.filter(|file| self.owns(file)) {
                return Ok(Some(found));
            }
            if let Some(found) =
                self.inner.store.file_named(&weather.principal, &format!("{name}.{end}")).await?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Makes a weather file the session's own.
    pub(crate) async fn set_weather(&self, key: &str) -> Result<Option<String>, Fault> {
        self.alter_session(|state| state.weather_file = Some(key.to_owned())).await
    }

    // ---- from elsewhere

    /// Fetches the archive of a station, keeps what is in it, and makes its weather the session's.
    pub(crate) async fn fetch_station(&self, path: &str) -> Result<WeatherKept, Fault> {
        let address = self.inner.config.weather.address(path);
        let place = format!("weather/{path}");
        let _turn = self.inner.materialising.lock(&place).await;
        let known = self.inner.store.file(&place).await?;
        let was_here = known.is_some();
        let (archive, sha256, staged) = if let Some(record) = known {
            (self.inner.store.blob_file(&record.sha256).await?, record.sha256, None)
        } else {
            let staged = self.fetched(&address).await?;
            (staged.path().to_owned(), staged.blob().sha256.clone(), Some(staged))
        };
        let scratch = self.scratch()?;
        let operation = Operation { effect: Effect::Query, name: "read_weather".into(), params: Value::Null };
        let mut request = self.request(operation, Vec::new(), Some(&scratch));
        request.files.push(FileInput {
            role: "archive".into(),
            source: Source::Path(archive.display().to_string()),
            sha256: sha256.clone(),
            media_type: "application/zip".into(),
        });
        let artifact = self.execute(request).await.map_err(|fault| fault.with("address", &address))?;
        let mut kept = WeatherKept {
            key: String::new(),
            name: String::new(),
            sha256: String::new(),
            link: String::new(),
            beside: BTreeMap::new(),
            archive_sha256: sha256,
            address,
            was_here,
            summary: artifact.result,
            session: None,
        };
        for file in &artifact.files {
            if self.is_dry_run() {
                if file.role == "weather" {
                    kept.name.clone_from(&file.name);
                    kept.sha256.clone_from(&file.sha256);
                }
                continue;
            }
            let taken = self.stage_output(file, Some(&scratch)).await?;
            let record = self.keep_file(&file.name, &file.media_type, taken).await?;
            if file.role == "weather" {
                kept.link = self.file_link(&record);
                (kept.key, kept.name, kept.sha256) = (record.key, record.name, record.sha256);
            } else {
                kept.beside.insert(file.role.clone(), record.key);
            }
        }
        if kept.sha256.is_empty() {
            return Err(Fault::backend("The execution service found no weather in the archive."));
        }
        if self.is_dry_run() {
            return Ok(kept);
        }
        if let Some(staged) = staged {
            self.keep_archive(place, staged).await?;
        }
        kept.session = self.set_weather(&kept.key).await?;
        Ok(kept)
    }

    async fn keep_archive(&self, key: String, staged: Staged) -> Result<(), Fault> {
        let blob = self.inner.store.adopt(staged).await?;
        let name = key.rsplit('/').next().unwrap_or_default().to_owned();
        let record = FileRecord {
            key,
            name,
            media_type: "application/zip".into(),
            sha256: blob.sha256,
            size: blob.size,
            principal: KEEPER.into(),
            operation_id: Some(self.operation_id.clone()),
            time_ms: self.time_ms,
        };
        Ok(self.inner.store.put_file(record).await?)
    }

    /// What is at an address, staged, and the same as its server says of it.
    async fn fetched(&self, address: &str) -> Result<Staged, Fault> {
        let source = &self.inner.config.weather;
        let Some(fetch) = &source.fetch else {
            return Err(unreachable(address, "this server fetches nothing"));
        };
        let got = fetch(address.to_owned(), LARGEST_ARCHIVE).await.map_err(|problem| match problem {
            FetchProblem::Unreachable(why) => unreachable(address, &why),
            FetchProblem::Missing => Fault::new(
                FaultCode::NotFound,
                format!(
                    "There is no file at {address}: the collection has changed, or the mirror does not have it. Take another \
                     station of search_weather_stations, or upload an EPW and give it as weather_file."
                ),
            ),
            FetchProblem::TooLarge => Fault::new(
                FaultCode::LimitReached,
                format!("{address} has more than 32 MB, which no archive of a weather station has. Nothing was kept."),
            ),
            FetchProblem::Elsewhere(host) => Fault::new(
                FaultCode::BackendFailed,
                format!(
                    "{address} leads to another host, {host}, which is not followed. Name that host as the mirror of weather \
                     files if it is to be trusted."
                ),
            ),
        })?;
        let mut incoming = self.inner.store.incoming(LARGEST_ARCHIVE)?;
        incoming.write(&got.bytes)?;
        let staged = incoming.finish().await?;
        self.takes(staged.blob().size)?;
        let has = &staged.blob().sha256;
        match got.stated_sha256 {
            Some(stated) if !stated.eq_ignore_ascii_case(has) => Err(Fault::new(
                FaultCode::BackendFailed,
                format!(
                    "What came from {address} is not what its server says it sends: SHA-256 {has}, not {stated}. Nothing was \
                     kept; try again."
                ),
            )),
            _ => Ok(staged),
        }
    }

    // ---- models out of models

    /// The model of this kind that the call names, else the session's, for reading.
    pub(crate) async fn source_of_kind(&self, kind: ModelKind) -> Result<ModelRecord, Fault> {
        let state = self.session_state().await?;
        let current = crate::session::current(&state, kind);
        let model = match (&self.common.model_id, current, &self.default_model) {
            (Some(wanted), ..) | (None, None, Some(wanted)) => self.find_model(wanted).await?,
            (None, Some(model), _) => self.known_model(model).await?,
            (None, None, None) => return Err(Fault::no_model_loaded()),
        };
        if model.kind != kind {
            return Err(Fault::invalid(
                "model_id",
                format!(
                    "{} takes a model of kind {}, and {} is of kind {}.",
                    self.tool,
                    kind.as_str(),
                    model.name,
                    model.kind.as_str()
                ),
            ));
        }
        self.may(Action::Query, &model)?;
        self.opens(&model.model_id)?;
        Ok(model)
    }

    /// Has an operation make a model out of another, and takes it in.
    pub(crate) async fn derive(
        &self,
        from: ModelKind,
        operation: Operation,
        weather: Option<&str>,
    ) -> Result<Derived, Fault> {
        let model = self.source_of_kind(from).await?;
        let version = self.position(&model.model_id).await?.version().clone();
        let named = weather.is_some();
        let weather = self.weather(weather).await?.unwrap_or_default();
        let scratch = self.scratch()?;
        let subject = crate::run::Subject { role: "model", model: &model, version: &version };
        let artifact = self.run_on_files(operation, &[subject], weather.files, &scratch).await?;
        let Derivation { name, elements } = Derivation::read(&artifact)?;
        let name = if name.is_empty() { model.name.clone() } else { name };
        let origin = ModelOrigin { model_id: model.model_id, version, elements };
        let (committed, artifact, answer) =
            self.take_new(artifact, &scratch, &name, Some(origin.clone())).await?;
        let links = answer.as_ref().map(|answer| answer.links.clone()).unwrap_or_default();
        let entered =
            answer.and_then(|answer| answer.result.get("session").and_then(Value::as_str).map(str::to_owned));
        let session = if named && !self.is_dry_run() { self.set_weather(&weather.key).await? } else { None };
        Ok(Derived { committed, origin, name, artifact, links, session: entered.or(session) })
    }

    /// What a model was made from, if that is there for the caller, too.
    pub(crate) async fn origin_of(&self, model: &ModelId) -> Result<Option<ModelOrigin>, Fault> {
        let model = self.known_model(model).await?.model_id;
        Ok(self.inner.store.origin(&model).await?)
    }
}

fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}

/// One Fault for every way in which a network is not there, which says how to go on without.
fn unreachable(address: &str, why: &str) -> Fault {
    Fault::new(
        FaultCode::BackendFailed,
        format!(
            "{address} cannot be fetched ({why}). Without a network, name a mirror in the settings ([weather] mirror = \
             \"https://…\" in pensaer.toml, or PENSAER_WEATHER_MIRROR), or upload an EPW file and give it as weather_file."
        ),
    )
    .with("address", address)
}
