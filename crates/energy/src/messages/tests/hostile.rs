//! Texts that were made to hurt, or are of another model: nothing panics, nothing runs on, and what is not understood stays as it is.

use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_text_is_explained_and_mended_without_harm(
        words in proptest::collection::vec("[ A-Za-z0-9\"=.,:<>\\[\\]$-]{0,40}", 0..12),
        level in 0_usize..3,
    ) {
        let mark = ["** Warning **", "** Severe  **", "**  Fatal  **"][level];
        let text = format!("   {mark} {}\n   **   ~~~   ** {}\n", words.join(" "), words.concat());
        let report = report(&text);
        let explained = explain(&two_rooms(), &report);
        prop_assert!(explained.len() <= 1);
        mend(&two_rooms(), &report, None).unwrap();
    }

    #[test]
    fn messages_of_one_model_do_no_harm_to_another(which in 0_usize..80, other in 0_usize..80) {
        let cases = Case::all();
        let (one, other) = (&cases[which % cases.len()], &cases[other % cases.len()]);
        let mending = mend(&other.document(), &one.report(), None).unwrap();
        let saved = mending.document.to_bytes(Format::Idf).unwrap();
        prop_assert_eq!(Document::open(&saved).unwrap().0.len(), mending.document.len());
    }
}

#[test]
fn numbers_that_are_none_do_not_move_corners() {
    for value in ["NaN", "inf", "1e999", "x", ""] {
        let model = TWO_ROOMS.replace(
            "0.5,4, 0,0,3, 0,0,0, 5,0,0, 5,0,3",
            &format!("0.5,4, 0,0,3, 0,{value},0, 5,0,0, 5,0,3"),
        );
        let document = Document::open(model.as_bytes()).unwrap().0;
        let text = "   ** Warning ** GetSurfaceData: There are 1 coincident/collinear vertices; These have been deleted
   ** Severe  ** checkSubSurfAzTiltNorm: Outward facing angle of subsurface differs more than 90.0 degrees from base surface.
   **   ~~~   ** Subsurface=\"A WINDOW\" Tilt = 90.0  Azimuth = 180.0
   **   ~~~   ** Base surface=\"A SOUTH\" Tilt = 90.0  Azimuth = 0.0\n";
        let mending = mend(&document, &report(text), None).unwrap();
        let south = |document: &Document| {
            document
                .get("BuildingSurface:Detailed", "A South")
                .unwrap()
                .values()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(south(&mending.document), south(&document), "{value}");
    }
}

#[test]
fn more_messages_than_are_mended_at_once_are_left_and_counted() {
    let lines = (0..3_000)
        .map(|at| format!("   ** Warning ** Output:Meter: invalid Key Name=\"M{at}\" - not found.\n"));
    let report = report(&lines.collect::<String>());
    let mending = mend(&two_rooms(), &report, None).unwrap();
    assert!(mending.mended.is_empty());
    assert_eq!(mending.left.len() + mending.left_out, 3_000);
    assert!(mending.left.len() <= 200);
    let size = serde_json::to_string(&explain(&two_rooms(), &report)).unwrap().len();
    assert!(size < 5_000, "{size}");
}
