//! A file of more than 4 GiB. It is sparse, so it takes no room on disk, but reading it takes memory for its pages and some
//! seconds: run it by name (`--run-ignored only`). What places beyond 4 GiB come down to is tested small beside it.

use super::HOUSE;
use crate::sample::dangling;
use crate::*;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};

/// Counts what is written and keeps its end.
#[derive(Default)]
struct Tail {
    bytes: u64,
    end: Vec<u8>,
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        self.end.extend_from_slice(&bytes[bytes.len().saturating_sub(4096)..]);
        self.end.drain(..self.end.len().saturating_sub(4096));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
#[ignore = "reads a sparse file of nine gigabytes"]
fn a_file_of_more_than_four_gigabytes_is_read_edited_and_written() {
    let folder = std::env::temp_dir().join(format!("ifc-large-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (path, index) = (folder.join("large.ifc"), folder.join("large.index"));
    let mut file = File::create(&path).unwrap();
    let (first, rest) = HOUSE.split_once("#4=").unwrap();
    let (second, last) = rest.split_once("#6=").unwrap();
    let mut places = Vec::new();
    for (gap, text) in
        [(0u64, first.to_owned()), (5 << 30, format!("#4={second}")), (4 << 30, format!("#6={last}"))]
    {
        // a hole reads as zeros, which are blanks between instances
        let at = file.seek(SeekFrom::Current(gap as i64)).unwrap();
        places.push(at);
        file.write_all(text.as_bytes()).unwrap();
    }
    let size = file.stream_position().unwrap();
    drop(file);
    assert!(size > 9 << 30);

    let (model, problems) = Model::open(&path, &Limits::default()).unwrap();
    assert_eq!(problems, []);
    let check = |model: &Model| {
        assert_eq!(model.len(), 7);
        assert_eq!(model.get(Id(4)).unwrap().name().as_deref(), Some("W1"));
        assert_eq!(model.get(Id(6)).unwrap().name().as_deref(), Some("EG"));
        assert_eq!(model.referrers(Id(3)), [Id(4), Id(5), Id(6)]);
        assert_eq!(model.by_guid("0Storey000000000000001"), Some(Id(6)));
        assert_eq!(dangling(model), []);
    };
    check(&model);
    let row = model.base.row(6).unwrap();
    assert_eq!(model.base.span(row).unwrap().0 as u64, places[2]);
    let mut edit = model.edit();
    edit.set(Id(6), "Name", "Ground floor").unwrap();
    edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([1.0]))]).unwrap();
    let (after, _) = edit.finish();
    let mut tail = Tail::default();
    after.write(&mut tail).unwrap();
    let point = "#8=IFCCARTESIANPOINT((1.));\n";
    assert_eq!(tail.bytes, size + ("Ground floor".len() - "EG".len() + point.len()) as u64);
    let end = String::from_utf8_lossy(&tail.end).into_owned();
    assert!(
        end.contains("'Ground floor'") && end.contains(point) && end.ends_with("END-ISO-10303-21;\n"),
        "{end}"
    );

    model.save_index(&index, &[1; 32], &problems).unwrap();
    let (known, _) = Model::open_known(&path, &index, &[1; 32], &Limits::default()).unwrap();
    check(&known);
    assert!(known.base.stored().is_some());
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn more_instances_than_ids_are_refused() {
    let limits = Limits { instances: 6, ..Limits::default() };
    let error = Model::from_bytes(HOUSE.into(), &limits).unwrap_err();
    assert_eq!(error.to_string(), "the file has more than 6 instances; split the model or raise the limit");
    let beyond = HOUSE.replace("#7=", "#4294967296=");
    let (model, problems) = Model::from_bytes(beyond.into_bytes(), &Limits::default()).unwrap();
    assert_eq!(model.len(), 6);
    let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(shown[0].contains("an id has at most 32 bits"), "{shown:?}");
    let reference = HOUSE.replace("(#4,#5),#6", "(#4,#5),#4294967300");
    let (model, _) = Model::from_bytes(reference.into_bytes(), &Limits::default()).unwrap();
    assert!(model.get(Id(7)).unwrap().attr("RelatingStructure").is_null());
}
