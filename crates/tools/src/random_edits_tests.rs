//! Random edits on random houses and on models of other programs: after each the laws of `edited_state` hold, and what is refused
//! changes nothing.

use crate::desk::{Desk, SCHEMAS};
use crate::edited_state::{State, breaches, rooms_left};
use crate::random_edits::{Dice, draw, house, in_words};
use contract::FaultCode;
use ifc::Model;
use std::collections::BTreeMap;

/// A walk of edits: what was found, and how many edits of each tool were made and refused.
#[derive(Default)]
struct Walk {
    found: Vec<String>,
    made: BTreeMap<String, [usize; 3]>,
}

impl Walk {
    /// Makes `count` edits on a model. One that leaves the model unsound is taken back after it was looked at, as a modeller would.
    fn on(&mut self, name: &str, desk: &mut Desk, dice: &mut Dice, count: usize) {
        let mut before = State::read(desk);
        let own = before.is_clean() && before.is_sound();
        for step in 0..count {
            let (drawn, is_wrong) = draw(dice, &before.model);
            let what = in_words(&before.model, &drawn);
            let here = |law: String| format!("{name}, {step}: {what}\n    {law}");
            let (tool, arguments) = drawn;
            let told = self.made.entry(tool.to_owned()).or_default();
            let answer = match desk.try_call(tool, arguments.clone()) {
                Ok(answer) => answer,
                Err(fault) => {
                    told[1] += 1;
                    let is_clean = matches!(
                        fault.code,
                        FaultCode::InvalidParams
                            | FaultCode::ConstraintViolation
                            | FaultCode::ElementNotFound
                            | FaultCode::NotSupported
                    );
                    if !is_clean || fault.message.len() < 20 {
                        self.found.push(here(format!("refused: {fault}")));
                    }
                    if !same(&before.model, &desk.model) {
                        self.found.push(here("refused: the model is another".to_owned()));
                    }
                    continue;
                }
            };
            told[0] += 1;
            if is_wrong {
                self.found.push(here(format!("accepted: {answer}")));
            }
            let after = before.after(desk);
            let mut bad = breaches(&before, &after, &arguments, &answer);
            if !["create_wall", "delete_elements", "create_rooms", "create_space"].contains(&tool) {
                bad.extend(rooms_left(&before.model, &after.model, &arguments, &answer));
            }
            let unsound = after.newly_unsound(&before);
            if own && !unsound.is_empty() {
                println!("{}", here(format!("unsound: {}", unsound.join("; "))));
            }
            let is_bad = !bad.is_empty();
            if is_bad {
                desk.keep(&format!("breach-{name}-{step}-after"));
                let after = std::mem::replace(&mut desk.model, before.model.clone());
                desk.keep(&format!("breach-{name}-{step}-before"));
                desk.model = after;
            }
            self.found.extend(bad.into_iter().map(here));
            if is_bad || own && !after.is_sound() {
                self.made.entry(tool.to_owned()).or_default()[2] += 1;
                desk.model = before.model.clone();
            } else {
                before = after;
            }
        }
    }

    fn report(&self) {
        for (tool, [made, refused, back]) in &self.made {
            println!("{tool}: {made} made, {refused} refused, {back} taken back");
        }
        assert!(self.found.is_empty(), "{} breaches:\n{}", self.found.len(), self.found.join("\n"));
    }
}

fn same(a: &Model, b: &Model) -> bool {
    a.differing(b).is_some_and(|ids| ids.is_empty())
}

/// Edits on houses, so many on each.
fn houses(seeds: std::ops::Range<u64>, each: usize) {
    let mut walk = Walk::default();
    for seed in seeds {
        let mut dice = Dice::new(seed);
        let schema = SCHEMAS[seed as usize % SCHEMAS.len()];
        let mut desk = house(&mut dice, schema);
        desk.clean();
        assert!(State::read(&mut desk).is_sound(), "house {seed}: {:?}", State::read(&mut desk).findings());
        walk.on(&format!("house {seed} in {schema}"), &mut desk, &mut dice, each);
    }
    walk.report();
}

#[test]
fn edits_on_random_houses_keep_what_is_told_sound_and_clean() {
    houses(0..3, 20);
}

#[test]
#[ignore = "takes minutes: run by `cargo xtask soak`"]
fn soak_five_hundred_edits_on_random_houses() {
    houses(0..20, 25);
}

/// Models of eight other programs: with and without axes, in mm, feet and metres, as extrusions and as faces.
const OTHERS: [&str; 8] = [
    "AC20-FZK-Haus.ifc",
    "Duplex_A_20110907.ifc",
    "House.ifc",
    "IfcOpenHouse_IFC4.ifc",
    "SampleHouse4.ifc",
    "Text2BIM_sample_model.ifc",
    "basic_demo.ifc",
    "wall_door_column_4x3.ifc",
];

#[test]
#[ignore = "takes minutes: run by `cargo xtask soak`"]
fn soak_five_hundred_edits_on_models_of_other_programs() {
    let mut walk = Walk::default();
    for (seed, file) in OTHERS.into_iter().enumerate() {
        let Some(mut desk) = Desk::open(file) else { return };
        let mut dice = Dice::new(1000 + seed as u64);
        walk.on(file, &mut desk, &mut dice, 63);
    }
    walk.report();
}
