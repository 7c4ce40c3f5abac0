//! Doors that agree.

use super::{Door, agreeing};
use crate::line::Span;
use glam::dvec2;

fn doors(widths: &[f64]) -> Vec<Door> {
    let door = |width: &f64| Door { span: Span::new(dvec2(0.0, 0.0), dvec2(*width, 0.0)), width: *width };
    widths.iter().map(door).collect()
}

#[test]
fn the_most_doors_of_one_width_say_what_the_scale_is() {
    let widths = |all: &[f64]| agreeing(&doors(all)).iter().map(|door| door.width).collect::<Vec<_>>();
    assert_eq!(widths(&[7.0, 30.0, 33.0, 34.0, 90.0]), [30.0, 33.0, 34.0]);
    // of as many the wider
    assert_eq!(widths(&[7.0, 30.0]), [30.0]);
    assert!(widths(&[]).is_empty());
}
