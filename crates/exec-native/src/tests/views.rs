//! Tools that look at shapes: scenes are made once a version, files lie where the caller said, and what is not wanted any more ends.

use super::{adapter, request};
use crate::NativeAdapter;
use contract::{
    Adapter, Effect, FaultCode, ModelId, ModelInput, ModelKind, OpenedModel, Outcome, Source, VersionId,
    Watch,
};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Remembers which steps began, and gives up where it is told to.
#[derive(Default)]
struct Listener {
    steps: Mutex<Vec<String>>,
    unwanted: AtomicBool,
}

impl Watch for Listener {
    fn begins(&self, what: &str) {
        self.steps.lock().unwrap().push(what.to_owned());
    }

    fn at(&self, _: u64, _: u64) -> bool {
        self.wanted()
    }

    fn wanted(&self) -> bool {
        !self.unwanted.load(Ordering::Relaxed)
    }
}

/// An adapter and a model of two walls that cross.
struct Bench {
    adapter: NativeAdapter,
    model: OpenedModel,
    listener: Arc<Listener>,
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let adapter = adapter();
        let folder = tempfile::tempdir().unwrap();
        let listener = Arc::new(Listener::default());
        let watch: Arc<dyn Watch> = listener.clone();
        let project = json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]});
        let made = adapter.run(&request(Effect::Create, "create_project", vec![], project), &[], &[], &watch);
        let file = folder.path().join("model.ifc");
        std::fs::write(&file, made.unwrap().new_model.unwrap().1).unwrap();
        let model = adapter.open(ModelKind::Ifc, &file).unwrap();
        let mut bench = Self { adapter, model, listener, folder };
        bench.wall([0, 0], [4000, 0]);
        bench.wall([2000, -1000], [2000, 1000]);
        bench
    }

    fn wall(&mut self, start: [i32; 2], end: [i32; 2]) {
        let wall = json!({"start": start, "end": end, "level_id": "Ground"});
        let made = self.run(Effect::Create, "create_wall", wall, None).unwrap();
        self.model = made.changes.into_iter().next().unwrap().2;
    }

    fn run(
        &self,
        effect: Effect,
        tool: &str,
        params: Value,
        other: Option<(&str, &OpenedModel)>,
    ) -> Result<Outcome, contract::Fault> {
        let input = |role: &str| {
            let version = VersionId::from(format!("version of {role}"));
            ModelInput::named(role, ModelId::from("m"), version, ModelKind::Ifc)
        };
        let mut models = vec![self.model.clone()];
        let mut inputs = vec![input("model")];
        if let Some((role, other)) = other {
            models.push(other.clone());
            inputs.push(input(role));
        }
        let mut request = request(effect, tool, inputs, params);
        request.scratch = Some(self.folder.path().display().to_string());
        let watch: Arc<dyn Watch> = self.listener.clone();
        self.adapter.run(&request, &models, &[], &watch)
    }

    /// The steps that began since the last time.
    fn steps(&self) -> Vec<String> {
        std::mem::take(&mut self.listener.steps.lock().unwrap())
    }
}

#[test]
fn a_scene_is_made_once_for_all_tools_and_files_lie_in_the_callers_folder() {
    let bench = Bench::new();
    bench.steps();
    let drawn = bench.run(Effect::Query, "render_view", json!({"width": 200}), None).unwrap();
    assert_eq!(bench.steps(), ["making the scene", "drawing"]);
    let [file] = drawn.files.as_slice() else { panic!("one file") };
    assert_eq!((file.role.as_str(), file.media_type.as_str()), ("picture", "image/png"));
    let Source::Path(path) = &file.source else { panic!("by its path") };
    let bytes = std::fs::read(path).unwrap();
    assert_eq!((bytes.len() as u64, contract::sha256_hex(&bytes)), (file.size, file.sha256.clone()));
    let plan = json!({"cut_plane": {"level_id": "Ground"}});
    bench.run(Effect::Query, "create_section", plan, None).unwrap();
    assert_eq!(bench.steps(), ["cutting"]);
    let walls = json!({"source_category": "walls", "target_category": "walls"});
    let found = bench.run(Effect::Query, "clash_detection", walls, None).unwrap();
    assert_eq!((&found.result["total"], bench.steps()), (&json!(1), vec!["looking for clashes".to_owned()]));
}

#[test]
fn the_index_of_a_later_version_follows_and_both_can_be_asked_at_once() {
    let mut bench = Bench::new();
    let ask = json!({"source_category": "walls", "target_category": "walls"});
    assert_eq!(bench.run(Effect::Query, "clash_detection", ask.clone(), None).unwrap().result["total"], 1);
    let before = bench.model.clone();
    bench.wall([3000, -1000], [3000, 1000]);
    assert_eq!(bench.run(Effect::Query, "clash_detection", ask.clone(), None).unwrap().result["total"], 2);
    // with what they were themselves walls do not clash: the two that cross do from both sides, the new one with the first
    let across = bench.run(Effect::Query, "clash_detection", ask, Some(("target", &before))).unwrap();
    assert_eq!(across.result["total"], 3);
    let drawn = bench.run(Effect::Query, "render_view", json!({}), Some(("diff_base", &before)));
    assert!(drawn.unwrap().result.get("difference").is_none(), "nobody asked for a comparison");
    let plan = json!({"cut_plane": {"level_id": "Ground"}, "diff_base": "before"});
    let compared = bench.run(Effect::Query, "create_section", plan, Some(("diff_base", &before))).unwrap();
    let told = &compared.result["difference"];
    assert_eq!(
        (&told["added"], &told["removed"], &told["drawn"]),
        (&json!(1), &json!(0), &json!(1)),
        "{told}"
    );
}

#[test]
fn what_is_not_wanted_any_more_ends() {
    let bench = Bench::new();
    bench.listener.unwanted.store(true, Ordering::Relaxed);
    let clashes = json!({"source_category": "walls", "target_category": "walls"});
    let plan = json!({"cut_plane": {"level_id": "Ground"}});
    for (tool, params) in
        [("render_view", json!({})), ("clash_detection", clashes.clone()), ("create_section", plan.clone())]
    {
        let fault = bench.run(Effect::Query, tool, params, None).err().unwrap();
        assert_eq!(fault.code, FaultCode::Cancelled, "{tool}: {fault}");
    }
    // and where the scene is there already, too
    bench.listener.unwanted.store(false, Ordering::Relaxed);
    bench.run(Effect::Query, "clash_detection", clashes.clone(), None).unwrap();
    bench.listener.unwanted.store(true, Ordering::Relaxed);
    for (tool, params) in [("render_view", json!({})), ("clash_detection", clashes), ("create_section", plan)]
    {
        let fault = bench.run(Effect::Query, tool, params, None).err().unwrap();
        assert_eq!(fault.code, FaultCode::Cancelled, "{tool}: {fault}");
    }
}
