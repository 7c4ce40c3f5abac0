//! The call that a tool's body is given when it runs on a model: the model with a transaction open on it, and who asked.

use crate::library::Library;
use crate::opened::{OpenVersion, OpenVersions, Unkept};
use contract::{Actor, EventType, Fault, FaultCode, FileInput, FileOut, Unwatched, Watch};
use energy::idf::Document;
use geometry::Scene;
use geometry::query::Index;
use ifc::guid::GuidSource;
use ifc::{Edit, Model};
use spatial::Layout;
use spatial::ways::Ways;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::Arc;

/// One call on an IFC model. Reading goes through `edit` too: it shows the model with the pending changes.
pub struct IfcCall {
    /// The transaction; dropped unless the body returns `Ok`.
    pub edit: Edit,
    /// New GlobalIds, derived from the operation's id so that a retry makes the same ones.
    pub guids: GuidSource,
    /// Unix time in milliseconds at which the operation was asked for; the same on a retry.
    pub time_ms: u64,
    /// The principal who asked.
    pub actor: Actor,
    /// The type of event that the change is, where the body knows better than its tool.
    pub event: Option<EventType>,
    /// The choices made for the caller, to be told in the answer.
    pub assumed: Vec<String>,
    /// GlobalIds of elements that were drawn again because they hung on what was changed by hand.
    pub regenerated: BTreeSet<String>,
    /// The watcher who is told how far work is that may take long, and says whether it is still wanted.
    pub watch: Arc<dyn Watch>,
    /// The versions that the call was given, by role; `model` is what `edit` began on, further ones are those that the tool asked for.
    pub versions: OpenVersions,
    /// Files that the tool asked for.
    pub files: Vec<FileInput>,
    /// The documentation that is read and searched.
    pub library: Arc<Library>,
    /// Files that the body made.
    pub made: Vec<FileOut>,
    maker: Arc<MakeFile<'static>>,
    /// The layout that was made last, with the state that it is of.
    layout: Option<KeptLayout>,
}

/// A layout that was made within a call.
struct KeptLayout {
    model: Model,
    scene: Arc<Scene>,
    layout: Arc<Layout>,
}

impl IfcCall {
    /// A call on `model`.
    pub fn new(model: &Model, operation_id: &str, time_ms: u64, actor: Actor) -> Self {
        let guids = GuidSource::new(operation_id);
        let maker: Arc<MakeFile<'static>> = Arc::new(|_, name, _, _| {
            let problem = format!("There is no place for the file {name} here.");
            Err(Fault::new(FaultCode::NotSupported, problem))
        });
        let unkept: Arc<dyn OpenVersion> = Arc::new(Unkept(model.clone()));
        Self {
            edit: model.edit(),
            guids,
            time_ms,
            actor,
            event: None,
            assumed: Vec::new(),
            regenerated: BTreeSet::new(),
            watch: Arc::new(Unwatched),
            versions: OpenVersions::from([("model".to_owned(), unkept)]),
            files: Vec::new(),
            library: Arc::default(),
            made: Vec::new(),
            maker,
            layout: None,
        }
    }

    /// The same with the versions that its worker holds open.
    #[must_use]
    pub fn with_versions(mut self, versions: OpenVersions) -> Self {
        self.versions.extend(versions);
        self
    }

    /// The same, with what there is to read.
    #[must_use]
    pub fn reading(mut self, library: &Arc<Library>) -> Self {
        self.library = Arc::clone(library);
        self
    }

    /// The same, with a place for files.
    #[must_use]
    pub fn making(mut self, maker: Arc<MakeFile<'static>>) -> Self {
        self.maker = maker;
        self
    }

    /// Makes a file: role, name and media type, and what writes its bytes. It is kept in the bucket and answered as a link; one
    /// of the role `picture` is shown beside the answer. Of two files of one name the second is given another.
    pub fn make_file(
        &mut self,
        role: &str,
        name: &str,
        media_type: &str,
        write: WriteFile<'_>,
    ) -> Result<(), Fault> {
        let is_taken = |name: &str| self.made.iter().any(|made| made.name == name);
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let others = (2..).map(|number| format!("{stem}-{number}.{extension}"));
        let name = std::iter::once(name.to_owned()).chain(others).find(|name| !is_taken(name));
        let made = (self.maker)(role, &name.unwrap_or_default(), media_type, write)?;
        self.made.push(made);
        Ok(())
    }

    /// The same, watched.
    #[must_use]
    pub fn watched(mut self, watch: &Arc<dyn Watch>) -> Self {
        self.watch = Arc::clone(watch);
        self
    }

    /// The version of this role; a Fault where the call was not given one.
    pub fn version(&self, role: &str) -> Result<&Arc<dyn OpenVersion>, Fault> {
        self.versions.get(role).ok_or_else(|| {
            Fault::new(
                FaultCode::NotSupported,
                format!(
                    "This call was given no other version as `{role}`; name it in a call of the tool itself."
                ),
            )
            .with("role", role)
        })
    }

    /// The shapes of the model as the call left it by now.
    pub fn scene(&self) -> Result<Arc<Scene>, Fault> {
        let kept = self.version("model")?.scene(self.watch.as_ref())?;
        if self.edit.is_empty() {
            return Ok(kept);
        }
        let go_on = |done: usize, total: usize| self.watch.at(done as u64, total as u64);
        let edited = kept.following(self.edit.model(), &go_on);
        edited.map(Arc::new).ok_or_else(|| Fault::given_up("making the scene"))
    }

    /// The same by place, rooms included.
    pub fn index(&self) -> Result<Arc<Index>, Fault> {
        let version = self.version("model")?;
        let kept = version.index(self.watch.as_ref())?;
        if self.edit.is_empty() {
            return Ok(kept);
        }
        let mut edited = kept.as_ref().clone();
        edited.follow_scene(version.scene(self.watch.as_ref())?.as_ref(), self.scene()?.as_ref(), &|_| true);
        Ok(Arc::new(edited))
    }

    /// The rooms of the model, and what lies between them.
    pub fn layout(&self) -> Result<Arc<Layout>, Fault> {
        if self.edit.is_empty() {
            return self.version("model")?.layout(self.watch.as_ref());
        }
        let version = self.version("model")?;
        let kept = version.layout(self.watch.as_ref())?;
        Ok(Arc::new(kept.following(version.scene(self.watch.as_ref())?.as_ref(), self.scene()?.as_ref())))
    }

    /// The same of a state within the call: the version that it began on, or one that its edit came to. The last one is kept.
    pub(crate) fn layout_of(&mut self, model: &Model) -> Result<Arc<Layout>, Fault> {
        let is_same = |other: &Model| other.differing(model).is_some_and(|ids| ids.is_empty());
        let version = Arc::clone(self.version("model")?);
        if is_same(version.model()) {
            return version.layout(self.watch.as_ref());
        }
        if let Some(kept) = self.layout.as_ref().filter(|kept| is_same(&kept.model)) {
            return Ok(Arc::clone(&kept.layout));
        }
        let (old_scene, old) = match &self.layout {
            Some(kept) => (Arc::clone(&kept.scene), Arc::clone(&kept.layout)),
            None => (version.scene(self.watch.as_ref())?, version.layout(self.watch.as_ref())?),
        };
        let go_on = |done: usize, total: usize| self.watch.at(done as u64, total as u64);
        let scene = old_scene.following(model, &go_on);
        let scene = Arc::new(scene.ok_or_else(|| Fault::given_up("making the scene"))?);
        let layout = Arc::new(old.following(&old_scene, &scene));
        self.layout = Some(KeptLayout { model: model.clone(), scene, layout: Arc::clone(&layout) });
        Ok(layout)
    }

    /// Says that the layout of a state is that of the model as it is now, into which only what no room hangs on was written since.
    pub(crate) fn keep_layout(&mut self, of: &Model) {
        let now = self.edit.model();
        let is_of = |kept: &&mut KeptLayout| kept.model.differing(of).is_some_and(|ids| ids.is_empty());
        if let Some(kept) = self.layout.as_mut().filter(is_of) {
            kept.model = now.clone();
        }
    }

    /// The shapes and the layout of the last state that one was made of.
    pub fn take_layout(&mut self) -> Option<(Arc<Scene>, Arc<Layout>)> {
        self.layout.take().map(|kept| (kept.scene, kept.layout))
    }

    /// The ways of the model.
    pub fn ways(&self) -> Result<Arc<Ways>, Fault> {
        if self.edit.is_empty() {
            return self.version("model")?.ways(self.watch.as_ref());
        }
        let (scene, index) = (self.scene()?, self.index()?);
        let kept = self.version("model")?.ways(self.watch.as_ref())?;
        Ok(Arc::new(kept.following(scene.as_ref(), index.as_ref(), self.layout()?)))
    }

    /// Begins a model that is new: the transaction is now on `model`. For tools that make models.
    pub fn begin(&mut self, model: &Model) {
        self.edit = model.edit();
    }
}

/// Writes the bytes of a file.
pub type WriteFile<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Makes a file where the caller of an operation finds it: role, name, media type, bytes.
pub type MakeFile<'a> = dyn Fn(&str, &str, &str, WriteFile<'_>) -> Result<FileOut, Fault> + Send + Sync + 'a;

/// One call on an EnergyPlus model. Copies of a document cost nothing: the body changes its own, and the difference to what it
/// was is the change.
pub struct EnergyCall<'a> {
    /// The model; for a tool that works on none, a new one. What becomes of it is dropped unless the body returns `Ok`.
    pub document: Document,
    /// Further versions that the tool asked for, by role.
    pub further: BTreeMap<String, Document>,
    /// Files that came with the request, such as the results of a simulation.
    pub files: &'a [FileInput],
    /// The documentation that is read and searched.
    pub library: &'a Library,
    /// Files that the body made.
    pub made: Vec<FileOut>,
    /// The function that makes one.
    pub make_file: &'a MakeFile<'a>,
    /// Unix time in milliseconds at which the operation was asked for; the same on a retry.
    pub time_ms: u64,
    /// The type of event that the change is, where the body knows better than its tool.
    pub event: Option<EventType>,
    /// The watcher who is told how far work is that may take long, and says whether it is still wanted.
    pub watch: Arc<dyn Watch>,
}
