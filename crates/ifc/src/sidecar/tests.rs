//! Tests that an index answers as the file does, and that a damaged, foreign or lying one changes no answer.

use crate::base::Bytes;
use crate::sample::dangling;
use crate::tests::HOUSE;
use crate::{Id, Limits, Model, Problem};
use std::fs;
use std::path::{Path, PathBuf};

const SHA: [u8; 32] = [7; 32];

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ifc-index-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A file in it and where its index goes.
    fn file(&self, text: &str) -> (PathBuf, PathBuf) {
        let path = self.0.join("model.ifc");
        fs::write(&path, text).unwrap();
        (path, self.0.join("model.index"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Everything that can be asked of a model.
fn answers(model: &Model) -> Vec<String> {
    let mut out = vec![
        format!("{} {:?} {:?}", model.len(), model.next_id(), model.class_counts()),
        format!("{:?} {:?} {:?}", model.of_class("IfcRoot"), model.of_class("ifcx"), dangling(model)),
        format!("{:?}", model.header()),
    ];
    for id in model.ids().chain([Id(0), Id(77), Id(u32::MAX)]) {
        let instance = model.get(id);
        let guid = instance.and_then(|i| i.guid()).and_then(|guid| model.by_guid(&guid));
        let place = instance.map(|i| (i.place(), i.class_name().to_owned()));
        out.push(format!("{id} {instance:?} {:?} {guid:?} {place:?}", model.referrers(id)));
    }
    let mut edit = model.edit();
    let _ = edit.set(Id(4), "Name", "x");
    let _ = edit.create("IfcCartesianPoint", &[("Coordinates", crate::Value::list([1.0]))]);
    out.push(String::from_utf8_lossy(&edit.finish().0.to_bytes()).into_owned());
    out
}

fn open(path: &Path) -> (Model, Vec<Problem>) {
    Model::open(path, &Limits::default()).unwrap()
}

fn known(path: &Path, index: &Path) -> Option<(Model, Vec<Problem>)> {
    Model::open_known(path, index, &SHA, &Limits::default())
}

#[test]
fn a_known_file_answers_as_one_that_was_scanned() {
    let texts = [
        HOUSE.to_owned(),
        // ids out of order, one twice, an unknown class, a reference to nowhere, a broken line
        HOUSE.replace("#2=", "#90=").replace("#6=", "#5=IFCX(#1,#777);\n#6="),
        HOUSE.replace("#6=", "#66=IFCX(#1,#777);\nnoise;\n#6="),
        HOUSE.replace("'W1'", r"'\S\'x'"),
        HOUSE.split("#1=").next().unwrap().to_owned() + "ENDSEC;\nEND-ISO-10303-21;\n",
    ];
    for text in texts {
        let folder = Folder::new("same");
        let (path, index) = folder.file(&text);
        let (model, problems) = open(&path);
        model.save_index(&index, &SHA, &problems).unwrap();
        let (again, same) = known(&path, &index).unwrap();
        assert_eq!(same, problems);
        assert_eq!(answers(&again), answers(&model));
        assert!(again.base.stored().is_some(), "answering needed no scan");
    }
}

#[test]
fn another_files_index_is_not_used() {
    let folder = Folder::new("other");
    let (path, index) = folder.file(HOUSE);
    let (model, problems) = open(&path);
    assert!(known(&path, &index).is_none(), "there is none yet");
    model.save_index(&index, &SHA, &problems).unwrap();
    assert!(Model::open_known(&path, &index, &[8; 32], &Limits::default()).is_none());
    fs::write(&path, HOUSE.replace("W1", "W9")).unwrap();
    assert!(known(&path, &index).is_none(), "the content changed");
    fs::write(&path, HOUSE.replace("IFC4'", "IFC4X3'")).unwrap();
    assert!(known(&path, &index).is_none(), "the schema changed, and with it the size");
}

#[test]
fn a_damaged_index_is_noticed_before_it_says_anything_wrong() {
    let folder = Folder::new("damaged");
    let (path, index) = folder.file(&HOUSE.replace("#2=", "#90=").replace("#6=", "#66=IFCX(#1,#777);\n#6="));
    let (model, problems) = open(&path);
    model.save_index(&index, &SHA, &problems).unwrap();
    let whole = fs::read(&index).unwrap();
    let expect = answers(&model);
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&index, bytes).unwrap();
        if let Some((again, _)) = known(&path, &index) {
            assert_eq!(answers(&again), expect, "byte {at}");
        }
    }
    for cut in (0..whole.len()).step_by(7) {
        fs::write(&index, &whole[..cut]).unwrap();
        assert!(known(&path, &index).is_none());
    }
}

#[test]
fn an_index_that_lies_is_found_out_by_the_text_of_the_instances() {
    let swapped = HOUSE.replace("#4=", "#x=").replace("#5=", "#4=").replace("#x=", "#5=");
    let renamed = HOUSE.replace("IFCAXIS2PLACEMENT3D", "IFCAXIS2PLACEMENT2D");
    let moved = HOUSE.replace("#1=", "\n#1=").replace(";\n#3", ";#3");
    for lie in [swapped, renamed, moved] {
        let folder = Folder::new("lie");
        let (path, index) = folder.file(HOUSE);
        let (truth, problems) = open(&path);
        // an index of other text whose every checksum is right
        let limits = Limits::default();
        let (mut base, _) = crate::open::open(Bytes::Owned(lie.into_bytes()), &limits).unwrap();
        base.bytes = Bytes::Owned(HOUSE.into());
        super::save(&base, &problems, &SHA, &index).unwrap();
        let (again, _) = known(&path, &index).unwrap();
        assert!(again.base.stored().is_some());
        for id in truth.ids() {
            assert_eq!(format!("{:?}", again.get(id)), format!("{:?}", truth.get(id)));
        }
        assert!(again.base.stored().is_none(), "the lie was found out");
        assert_eq!(answers(&again), answers(&truth));
    }
}
