//! DXF: entities, blocks, bad files.

use super::{drawing, line, read};
use crate::Error;
use crate::drawing::{Limits, Shape};
use glam::DVec2;

#[test]
fn blocks_are_exploded_with_their_maps_arrays_and_layers() {
    let blocks = "0 BLOCK|2 INNER|10 1|20 0|0 LINE|8 0|10 1|20 0|11 2|21 0|0 ENDBLK|\
                  0 BLOCK|2 OUTER|10 0|20 0|0 INSERT|8 0|2 inner|10 5|20 0|50 90|0 ARC|8 X|10 0|20 0|40 2|50 0|51 90|0 ENDBLK|";
    let inserts =
        "0 INSERT|8 Doors|2 OUTER|10 100|20 0|41 -1|0 INSERT|8 W|2 INNER|10 0|20 0|70 2|71 3|44 10|45 20|";
    let own = read(&drawing(4, blocks, inserts));
    let lines: Vec<(String, DVec2, DVec2)> = own
        .entities
        .iter()
        .filter_map(|entity| match entity.shape {
            Shape::Segment { from, to } => Some((own.layer(entity.layer).to_owned(), from, to)),
            _ => None,
        })
        .collect();
    assert_eq!(lines.len(), 7);
    // mirrored about x = 100, then the inner block stands upright at 5
    let (layer, from, to) = &lines[0];
    assert_eq!(layer, "Doors");
    assert!(
        from.distance(DVec2::new(95.0, 0.0)) < 1e-9 && to.distance(DVec2::new(95.0, 1.0)) < 1e-9,
        "{from} {to}"
    );
    assert!(
        lines.iter().any(|(layer, from, _)| layer == "W" && from.distance(DVec2::new(10.0, 40.0)) < 1e-9)
    );
    let arc = own.entities.iter().find_map(|entity| match entity.shape {
        Shape::Arc { centre, radius, start, sweep } => {
            Some((own.layer(entity.layer), centre, radius, start, sweep))
        }
        _ => None,
    });
    let (layer, centre, radius, start, sweep) = arc.unwrap();
    assert_eq!((layer, centre, radius), ("X", DVec2::new(100.0, 0.0), 2.0));
    // a mirrored arc from 90 to 180 degrees
    assert!((start.to_degrees() - 90.0).abs() < 1e-9 && (sweep.to_degrees() - 90.0).abs() < 1e-9);
    assert_eq!(
        own.instances.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(),
        ["OUTER", "inner", "INNER", "INNER", "INNER", "INNER", "INNER", "INNER"]
    );
}

#[test]
fn blocks_that_hold_themselves_end() {
    let blocks = "0 BLOCK|2 A|10 0|20 0|0 INSERT|8 0|2 B|10 0|20 0|0 LINE|8 0|10 0|20 0|11 1|21 0|0 ENDBLK|\
                  0 BLOCK|2 B|10 0|20 0|0 INSERT|8 0|2 A|10 0|20 0|0 ENDBLK|";
    let own = read(&drawing(4, blocks, "0 INSERT|8 0|2 A|10 0|20 0|"));
    assert_eq!(own.entities.len(), 1);
    assert!(own.notices[0].contains("holds itself"), "{:?}", own.notices);
}

#[test]
fn references_that_multiply_without_end_are_refused() {
    let first = "0 BLOCK|2 B0|10 0|20 0|0 LINE|8 0|10 0|20 0|11 1|21 0|0 ENDBLK|".to_owned();
    let further = (1..9).map(|n| {
        format!(
            "0 BLOCK|2 B{n}|10 0|20 0|0 INSERT|8 0|2 B{}|10 0|20 0|70 100|71 100|44 1|45 1|0 ENDBLK|",
            n - 1
        )
    });
    let blocks: String = std::iter::once(first).chain(further).collect();
    let error = crate::read(
        &drawing(4, &blocks, "0 INSERT|8 0|2 B8|10 0|20 0|"),
        &Limits { entities: 50_000, ..Limits::default() },
        &|| true,
    );
    assert!(matches!(error, Err(Error::TooMany { most: 50_000, .. })), "{error:?}");
}

#[test]
fn what_is_no_drawing_is_refused_in_one_sentence() {
    for (bytes, said) in [
        (&b""[..], "the file is empty"),
        (b"AC1032\0\0", "DWG"),
        (b"%PDF-1.7", "PDF"),
        (b"PK\x03\x04", "archive"),
        (b"hello world\nhow are you\n", "line 1"),
        (b"0\nEOF\n", "no sections"),
        (b"0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n", "nothing is drawn"),
        (b"<svg", "line 1"),
        (b"<html><body/></html>", "<html>"),
        (b"0\nSECTION\n2\nENTITIES\n0\nLINE\nxx\n1\n", "line 7"),
    ] {
        let error = crate::read(bytes, &Limits::default(), &|| true).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let large = crate::read(&[b'0'; 100], &Limits { bytes: 10, ..Limits::default() }, &|| true);
    assert!(matches!(large, Err(Error::TooLarge { bytes: 100, most: 10 })));
}

#[test]
fn a_drawing_cut_anywhere_is_read_so_far_or_refused() {
    let whole = drawing(4, "", &super::room("WALLS", "0 TEXT|8 T|10 1|20 2|40 100|1 Kitchen|"));
    for end in 0..whole.len() {
        if let Ok(own) = crate::read(&whole[..end], &Limits::default(), &|| true) {
            assert!(own.entities.len() <= 13);
            assert!(
                end > whole.len() - 6 || !own.notices.is_empty(),
                "{end}: nothing is said of the missing end"
            );
        }
    }
}

#[test]
fn bytes_changed_anywhere_do_no_harm() {
    let whole = drawing(
        4,
        "",
        &super::room(
            "WALLS",
            "0 LWPOLYLINE|8 W|90 2|70 1|43 0|10 1|20 2|42 1|10 5|20 6|0 HATCH|8 W|2 SOLID|70 1|91 1|92 2|72 0|73 1|93 3|10 0|20 0|10 9|20 0|10 9|20 9|",
        ),
    );
    for at in 0..whole.len() {
        for byte in [b'9', b'-', b'\n', 0, 255] {
            let mut bad = whole.clone();
            bad[at] = byte;
            if let Ok(own) = crate::read(&bad, &Limits { entities: 10_000, ..Limits::default() }, &|| true) {
                let _ = crate::recognise(&own, &crate::Options::default(), &|| true);
            }
        }
    }
}

#[test]
fn numbers_that_are_no_places_are_left_out_and_told() {
    let bad = line("W", [0.0, 0.0, f64::NAN, 1.0])
        + &line("W", [0.0, 0.0, 1e300, 1.0])
        + &line("W", [0.0, 0.0, 5.0, 1.0]);
    let own = read(&drawing(4, "", &bad));
    assert_eq!(own.entities.len(), 1);
    assert!(own.notices[0].contains("2 entities have coordinates that are no places"), "{:?}", own.notices);
}

#[test]
fn paper_space_hidden_layers_and_strange_kinds_are_counted() {
    let own = read(&drawing(
        4,
        "",
        "0 LINE|8 A|67 1|10 0|20 0|11 1|21 1|0 LEADER|8 A|10 3|20 4|0 LINE|8 A|10 0|20 0|11 1|21 1|0 FOO|8 B|10 1|20 2|",
    ));
    let passed: Vec<(&str, &str)> = own.passed.iter().map(|own| (own.kind.as_str(), own.reason)).collect();
    assert_eq!(passed.len(), 3, "{passed:?}");
    assert!(passed.contains(&("LINE", "it lies in paper space")));
    assert_eq!(own.passed.iter().find(|own| own.kind == "LEADER").unwrap().at, Some(DVec2::new(3.0, 4.0)));
}
