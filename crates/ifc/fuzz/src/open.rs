//! Any bytes are an IFC file, an archive with one, or are refused; one that opens is read to its last attribute, edited,
//! and written back as it was where nothing was edited. What was written reads the same again, and an index answers as the
//! file does.
use ifc::{Id, Limits, Model, Problem, ProblemCode};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::LazyLock;

const HEADER: &[u8] =
    b"ISO-10303-21;HEADER;FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');\
FILE_SCHEMA(('IFC4'));ENDSEC;DATA;";

/// The folder of a file and its index.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("ifc-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
});

/// Everything that can be read of a model.
fn answers(model: &Model) -> String {
    let mut out = format!("{} {:?} {:?}", model.len(), model.class_counts(), model.of_class("IfcRoot"));
    for id in model.ids().chain([Id(0), Id(1), Id(u32::MAX)]) {
        let _ = write!(out, "{id} {:?} {:?}", model.get(id), model.referrers(id));
    }
    out
}

/// One input.
pub fn run(bytes: &[u8]) {
    // as it is, and as the data section of a file, so that not every input has to invent a header
    for input in [bytes.to_vec(), [HEADER, bytes].concat()] {
        let limits = Limits { lenient: true, file_bytes: 1 << 24, ..Limits::default() };
        let Ok((model, problems)) = Model::from_bytes(input.clone(), &limits) else { continue };
        let is_archive = ifc::archive::is_archive(&input);
        assert!(is_archive || model.to_bytes() == input);
        let known = answers(&model);
        let (again, same) = Model::from_bytes(model.to_bytes(), &limits).unwrap();
        assert_eq!(same, problems);
        assert_eq!(answers(&again), known);
        if !is_archive && bytes.len().is_multiple_of(4) {
            let (path, index) = (FOLDER.join("model.ifc"), FOLDER.join("model.index"));
            std::fs::write(&path, &input).unwrap();
            model.save_index(&index, &[0; 32], &problems).unwrap();
            let (stored, same) = Model::open_known(&path, &index, &[0; 32], &limits).unwrap();
            assert_eq!(same, problems);
            assert_eq!(answers(&stored), known);
        }
        let mut edit = model.edit();
        for id in model.ids() {
            let _ = edit.set(id, "Name", "fuzz");
            let _ = edit.remove(id);
        }
        let (after, delta) = edit.finish();
        let again = model.apply(&delta);
        assert!(again.is_ok_and(|again| again.to_bytes() == after.to_bytes()));
        let mut stamped = Vec::new();
        after.write_at("2026-01-01T00:00:00", &mut stamped).unwrap();
        let (read, _) = Model::from_bytes(stamped, &limits).unwrap();
        // where an instance ends is a guess in text that is torn, and beside a removal another one
        let is_torn = |p: &Problem| {
            matches!(p.code, ProblemCode::Syntax | ProblemCode::InstanceId | ProblemCode::Truncated)
        };
        assert!(read.len() == after.len() || problems.iter().any(is_torn));
    }
}
