//! SVG: styles, references, paths, units.

use super::read;
use crate::drawing::{Limits, Shape};

fn svg(inside: &str) -> Vec<u8> {
    format!("<svg xmlns='http://www.w3.org/2000/svg' xmlns:i='http://www.inkscape.org/namespaces/inkscape' width='100mm' height='50mm' viewBox='0 0 200 100'>{inside}</svg>").into_bytes()
}

#[test]
fn groups_styles_and_references_are_followed() {
    let own = read(&svg("<style>.cut { stroke: #ff0000; stroke-width: 2 } g > line { fill: none }</style>\
         <defs><g id='door'><path d='M0 0V-10A10 10 0 0 1 10 0' fill='none' stroke='black'/></g></defs>\
         <g i:label='WALLS' id='layer1'><line class='cut' x1='0' y1='10' x2='100' y2='10'/><line display='none' x2='9' stroke='red'/></g>\
         <use href='#door' transform='translate(50 50) rotate(90)'/>"));
    assert_eq!(own.units.paper_mm, Some(0.5));
    let wall = own.entities.iter().find(|entity| own.layer(entity.layer) == "WALLS").unwrap();
    assert!(matches!(wall.shape, Shape::Segment { from, to } if (from.y, to.x) == (-10.0, 100.0)));
    assert_eq!(own.styles[wall.style as usize].colour, Some([255, 0, 0]));
    let Some(Shape::Polyline(door)) = own
        .entities
        .iter()
        .map(|entity| entity.shape.clone())
        .find(|shape| matches!(shape, Shape::Polyline(_)))
    else {
        panic!("{own:?}")
    };
    // the leaf points to the right, the swing ends below
    assert!(door.vertices[1].at.distance(glam::DVec2::new(60.0, -50.0)) < 1e-6);
    assert!(door.vertices[2].at.distance(glam::DVec2::new(50.0, -60.0)) < 1e-6);
    assert!((door.vertices[1].bulge.abs() - (std::f64::consts::PI / 8.0).tan()).abs() < 1e-6);
}

#[test]
fn hostile_documents_end() {
    let circle = svg("<g id='a'><use href='#a'/><use href='#a'/></g><line x2='1' stroke='red'/>");
    let own = crate::read(&circle, &Limits { entities: 2000, ..Limits::default() }, &|| true);
    assert!(own.is_err() || own.is_ok_and(|own| own.notices.iter().any(|own| own.contains("too deep"))));
    for bad in [
        "<path d='M0 0L1e400 5' stroke='red'/>",
        "<line x1='nan' x2='5' stroke='red'/>",
        "<text x='1'>&#x41;</text>",
        "<path d='A' stroke='red'/>",
    ] {
        if let Ok(own) = crate::read(&svg(bad), &Limits::default(), &|| true) {
            let _ = crate::recognise(&own, &crate::Options::default(), &|| true);
        }
    }
    let entity =
        b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg'><text>&a;</text></svg>";
    assert!(crate::read(entity, &Limits::default(), &|| true).is_err());
    let old = b"<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'svg11.dtd'><svg xmlns='http://www.w3.org/2000/svg'><line x2='5' stroke='red'/></svg>";
    assert!(crate::read(old, &Limits::default(), &|| true).is_ok());
}
