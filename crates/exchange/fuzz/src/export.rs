//! Any model is written in every form or is refused. What is cut to a view passes the view's table; what is cut to elements, joined or
//! written can be read again.
use exchange::{GltfForm, Merging, View};
use geometry::Scene;
use ifc::{Limits, Model};

/// One input.
pub fn run(bytes: &[u8]) {
    let limits = Limits { lenient: true, file_bytes: 1 << 20, instances: 5_000, ..Limits::default() };
    let Ok((model, _)) = Model::from_bytes(bytes.to_vec(), &limits) else { return };
    for view in View::all() {
        if let Ok((cut, report)) = exchange::apply(&model, view) {
            let findings = exchange::check(&cut, view);
            let message = findings.first().map(|finding| finding.message.clone()).unwrap_or_default();
            assert!(findings.is_empty(), "{}: {message} after {:?}", view.name, report.lines());
            let again = Model::from_bytes(cut.to_bytes(), &Limits::default());
            assert!(again.is_ok_and(|(again, _)| again.len() == cut.len()));
        }
    }
    for selector in ["IfcElement", "IfcWall", "IfcProduct, Name=/a/"] {
        if let Ok(part) = exchange::subset(&model, selector) {
            assert!(Model::from_bytes(part.model.to_bytes(), &limits).is_ok());
        }
    }
    let _ = exchange::split_by_storey(&model);
    let _ = exchange::split_by_discipline(&model);
    if let Ok((whole, _)) = exchange::merge_models(&[model.clone(), model.clone()], &Merging::default()) {
        assert_eq!(whole.of_class("IfcProject").len(), 1);
    }
    let scene = Scene::from_model(&model);
    for form in [GltfForm::Binary, GltfForm::Embedded] {
        let _ = exchange::gltf(&scene, form);
    }
    let _ = exchange::obj(&scene, "any/../name");
    let _ = exchange::gbxml(&scene);
    for is_parquet in [false, true] {
        if let Ok(tables) = exchange::tables(&model, is_parquet) {
            assert_eq!(tables.files.len(), 5);
        }
    }
}
