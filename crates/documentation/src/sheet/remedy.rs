//! What would do for a view that has no room: a smaller scale or a larger size, found by trying them.

use super::Work;
use super::arrange::{Given, arrange, whole};
use super::definition::SheetDefinition;
use super::error::BadSheet;
use super::view;
use crate::drawing::Drawing;
use std::sync::Arc;

/// The scales of drawings, ISO 5455 with those in use for buildings beside.
const SCALES: [f64; 16] =
    [1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0, 75.0, 100.0, 150.0, 200.0, 250.0, 500.0, 1000.0, 2000.0, 5000.0];

/// The error for a view without room.
pub(super) fn told(
    work: &mut Work<'_>,
    definition: &SheetDefinition,
    drawings: &[Arc<Drawing>],
    given: &Given<'_>,
    at: usize,
) -> BadSheet {
    let Some((view, drawing)) = definition.views.get(at).zip(drawings.get(at)) else {
        return BadSheet::Set { reason: format!("a view of sheet {} has no room", definition.number) };
    };
    let mut would = Vec::new();
    would.extend(
        smaller(work, definition, drawings, given, at)
            .map(|scale| format!("the scale {}", view::scale(scale))),
    );
    let larger = definition.size.larger().find(|size| {
        let other = SheetDefinition { size: *size, ..definition.clone() };
        arrange(&other, drawings, given).is_ok()
    });
    would.extend(larger.map(|size| format!("the size {}", size.name())));
    let reason = if would.is_empty() {
        "give it a sheet of its own, or a much smaller scale".to_owned()
    } else {
        format!("{} would do", would.join(", or "))
    };
    let what =
        format!("the view {} at {} on sheet {}", view.drawing, view::scale(view.scale), definition.number);
    BadSheet::Room { what, size: whole(drawing.page.size), reason }
}

/// The next scale at which the view has room, all others as they are.
fn smaller(
    work: &mut Work<'_>,
    definition: &SheetDefinition,
    drawings: &[Arc<Drawing>],
    given: &Given<'_>,
    at: usize,
) -> Option<f64> {
    let view = definition.views.get(at)?;
    for scale in SCALES.into_iter().filter(|scale| *scale > view.scale) {
        let mut other = definition.clone();
        other.views.get_mut(at)?.scale = scale;
        let drawing = work.drawing(other.views.get(at)?).ok()??;
        let mut all = drawings.to_vec();
        *all.get_mut(at)? = drawing;
        if arrange(&other, &all, given).is_ok() {
            return Some(scale);
        }
    }
    None
}
