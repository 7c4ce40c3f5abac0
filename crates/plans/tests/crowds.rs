//! Drawings of many lines, whatever way they lie, are read, asked about or refused, and given up when nobody wants them.

#[path = "crowd/mod.rs"]
mod crowd;

use plans::drawing::Limits;
use plans::{Error, Options, recognise};
use std::cell::Cell;

/// Entities of a drawing: enough for whatever grows with their square to be told from what does not.
const COUNT: usize = 30_000;

/// Asks how often reading and recognising asks whether it is wanted: once for each part of the work.
fn asked(shape: &str, count: usize) -> (usize, Result<plans::plan::Plan, Error>) {
    let asked = Cell::new(0);
    let wanted = || {
        asked.set(asked.get() + 1);
        true
    };
    let bytes = crowd::dxf(shape, count).unwrap_or_default();
    let plan = plans::read(&bytes, &Limits::default(), &wanted)
        .and_then(|drawing| recognise(&drawing, &Options::default(), &wanted));
    (asked.get(), plan)
}

#[test]
fn whatever_lies_in_a_drawing_is_read_or_asked_about_or_refused() {
    for shape in crowd::SHAPES {
        let (asked, plan) = asked(shape, COUNT / 2);
        // the work has a bound, and each question stands for a part of it
        assert!(asked < 4_200, "{shape}: asked {asked} times");
        match plan {
            Ok(plan) => assert!(
                !plan.walls.is_empty() || !plan.questions.is_empty(),
                "{shape}: neither a wall nor a question"
            ),
            Err(Error::TooDense { layers }) => {
                assert!(layers.contains("entities)"), "{shape}: {layers}");
            }
            Err(other) => panic!("{shape}: {other}"),
        }
    }
}

#[test]
fn twice_as_many_rooms_are_no_more_than_about_twice_the_work() {
    let [(once, _), (twice, plan)] = [COUNT, COUNT * 2].map(|count| asked("plan", count));
    assert!(twice * 10 < once * 25, "{once} questions for {COUNT} entities, {twice} for twice as many");
    let plan = plan.unwrap();
    let rooms = COUNT * 2 / 51;
    assert_eq!((plan.walls.len(), plan.doors.len()), (rooms * 4, rooms));
    assert_eq!(plan.rooms.len(), rooms);
}

#[test]
fn a_drawing_is_given_up_wherever_nobody_wants_it_any_more() {
    let bytes = crowd::dxf("plan", COUNT / 2).unwrap();
    let (all, _) = asked("plan", COUNT / 2);
    for last in 0..all {
        let left = Cell::new(last);
        let wanted = || {
            left.set(left.get().saturating_sub(1));
            left.get() > 0
        };
        let read = plans::read(&bytes, &Limits::default(), &wanted);
        let outcome = read.and_then(|drawing| recognise(&drawing, &Options::default(), &wanted));
        assert!(matches!(outcome, Err(Error::GivenUp)), "after {last} of {all} questions");
    }
}
