//! Tests of reading and recognising, on small drawings written by hand.

mod doors;
mod dxf;
mod plan;
mod svg;

use crate::drawing::{Drawing, Limits};
use crate::plan::Plan;
use crate::{Options, recognise};

/// A DXF of entities, each the codes and values of one; units by `$INSUNITS`.
fn drawing(units: u32, blocks: &str, entities: &str) -> Vec<u8> {
    let tags = |text: &str| -> String {
        text.split('|').map(str::trim).filter(|tag| !tag.is_empty()).fold(String::new(), |out, tag| {
            let (code, value) = tag.split_once(' ').unwrap_or((tag, ""));
            out + code + "\n" + value + "\n"
        })
    };
    let head = format!("0 SECTION|2 HEADER|9 $ACADVER|1 AC1027|9 $INSUNITS|70 {units}|0 ENDSEC");
    let blocks = format!("0 SECTION|2 BLOCKS|{blocks}|0 ENDSEC");
    let body = format!("0 SECTION|2 ENTITIES|{entities}|0 ENDSEC|0 EOF");
    (tags(&head) + &tags(&blocks) + &tags(&body)).into_bytes()
}

fn line(layer: &str, [x1, y1, x2, y2]: [f64; 4]) -> String {
    format!("0 LINE|8 {layer}|10 {x1}|20 {y1}|11 {x2}|21 {y2}|")
}

fn read(bytes: &[u8]) -> Drawing {
    crate::read(bytes, &Limits::default(), &|| true).unwrap()
}

fn plan(bytes: &[u8]) -> Plan {
    recognised(&read(bytes), &Options::default())
}

fn recognised(drawing: &Drawing, options: &Options) -> Plan {
    recognise(drawing, options, &|| true).unwrap()
}

/// A room of 4 by 3 m within walls of 200 mm, a gap of 900 mm in the south, drawn as pairs of lines.
const ROOM: [[f64; 4]; 12] = [
    [-200.0, -200.0, 1000.0, -200.0],
    [1900.0, -200.0, 4200.0, -200.0],
    [0.0, 0.0, 1000.0, 0.0],
    [1900.0, 0.0, 4000.0, 0.0],
    [1000.0, -200.0, 1000.0, 0.0],
    [1900.0, -200.0, 1900.0, 0.0],
    [4200.0, -200.0, 4200.0, 3200.0],
    [4000.0, 0.0, 4000.0, 3000.0],
    [4200.0, 3200.0, -200.0, 3200.0],
    [4000.0, 3000.0, 0.0, 3000.0],
    [-200.0, 3200.0, -200.0, -200.0],
    [0.0, 3000.0, 0.0, 0.0],
];

/// The room on a layer, with what is drawn in its gap.
fn room(layer: &str, door: &str) -> String {
    ROOM.into_iter().map(|wall| line(layer, wall)).collect::<String>() + door
}
