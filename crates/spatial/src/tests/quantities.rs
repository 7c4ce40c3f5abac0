//! Measures of rooms beside the quantities that their files state.

use super::*;
use crate::{measures::RoomMeasures, stored::quantities};
use ifc::{Units, relations::Links};
use std::collections::BTreeSet;

/// Models whose spaces state quantities.
const MODELS: [&str; 10] = [
    "3rooms_with_SB.ifc",
    "AC11-FZK-Haus.ifc",
    "AC20-FZK-Haus.ifc",
    "Duplex_A_20110907.ifc",
    "ExampleHOM.ifc",
    "House.ifc",
    "LargeBuilding.ifc",
    "SampleHouse4.ifc",
    "TallBuilding.ifc",
    "basic_demo.ifc",
];

/// Quantities that differ by more than a per cent, and why.
const DIFFERENT: [(&str, &str, &str); 18] = [
    ("AC11-FZK-Haus.ifc", "Height", "of the attic the file states the height to the ridge"),
    (
        "AC11-FZK-Haus.ifc",
        "NetFloorArea",
        "the file does not take the opening for the stair off the attic's floor",
    ),
    ("AC20-FZK-Haus.ifc", "FinishCeilingHeight", "of the attic the file states the height to the ridge"),
    ("AC20-FZK-Haus.ifc", "GrossCeilingArea", "the file states the sloped ceiling of the attic in plan"),
    ("AC20-FZK-Haus.ifc", "GrossVolume", "the file states the attic's floor by the height to the ridge"),
    ("AC20-FZK-Haus.ifc", "GrossWallArea", "the file leaves out sides that are open to other rooms"),
    ("AC20-FZK-Haus.ifc", "Height", "of the attic the file states the height to the ridge"),
    (
        "AC20-FZK-Haus.ifc",
        "NetFloorArea",
        "the file takes 3 % off for plaster, and under the roof what is low",
    ),
    ("Duplex_A_20110907.ifc", "GSA BIM Area", "the file measures to the middle of walls"),
    ("ExampleHOM.ifc", "FinishCeilingHeight", "of the attic the file states the height to the ridge"),
    (
        "ExampleHOM.ifc",
        "GrossCeilingArea",
        "the file states the sloped ceiling of the attic otherwise than by its faces",
    ),
    ("ExampleHOM.ifc", "Height", "of the attic the file states the height to the ridge"),
    ("House.ifc", "GrossFloorArea", "the file states mm² where its unit is m²"),
    ("House.ifc", "GrossVolume", "the file states mm³ where its unit is m³"),
    ("LargeBuilding.ifc", "GrossPerimeter", "the file states metres over 304.8"),
    ("LargeBuilding.ifc", "GrossVolume", "the file states litres where its unit is m³"),
    ("TallBuilding.ifc", "GrossPerimeter", "the file states metres over 304.8"),
    ("TallBuilding.ifc", "GrossVolume", "the file states litres where its unit is m³"),
];

/// The part by which a stated quantity may differ from the computed one.
const NEAR: f64 = 0.01;

#[test]
fn areas_volumes_and_perimeters_are_those_of_the_files_but_for_what_is_explained() {
    let mut compared = 0;
    let mut different: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut told = Vec::new();
    for name in MODELS {
        let Some(model) = open(name) else { return };
        let layout = layout(&model);
        let (links, units) = (Links::of_many(&model), Units::from_model(&model));
        for (number, room) in layout.rooms.rooms.iter().enumerate() {
            let Some(space) = room.space() else { continue };
            let own = RoomMeasures::of_room(&layout, number);
            for quantity in quantities(&links, &units, space) {
                let computed = match quantity.name {
                    "GrossFloorArea" | "GSA BIM Area" => own.gross_floor_area,
                    "NetFloorArea" => own.net_floor_area,
                    "GrossVolume" | "NetVolume" => own.volume,
                    "GrossPerimeter" => own.gross_perimeter,
                    "Height" | "FinishCeilingHeight" => own.mean_height,
                    "GrossWallArea" => own.wall_area,
                    "GrossCeilingArea" => own.ceiling_area,
                    _ => continue,
                };
                compared += 1;
                if (quantity.value - computed).abs() > NEAR * computed.abs() {
                    different.insert((name, quantity.name));
                    told.push(format!(
                        "{name} {} {}: {} stated, {computed} computed",
                        room.label(),
                        quantity.name,
                        quantity.value
                    ));
                }
            }
        }
    }
    let explained: BTreeSet<(&str, &str)> =
        DIFFERENT.iter().map(|(model, quantity, _)| (*model, *quantity)).collect();
    assert_eq!(different, explained, "{}", told.join("\n"));
    assert!(compared > 300, "{compared}");
}
