//! The name of a view: its kind and place, its scale and depth, in one line that is read again.

use super::{Side, View};
use documentation::drawing::Kind;
use glam::{DVec2, DVec3};
use ifc::Model;

impl View {
    /// The view's name, such as `plan:2O2Fr$t4X7Zf8NOew3FKRH:1200:50`.
    pub(crate) fn name(&self, model: &Model) -> String {
        let guid = |id| model.get(id).and_then(|e| e.guid()).unwrap_or_default();
        let numbers = |p: DVec3, factor: f64| p.to_array().map(|v| number(v * factor)).join(",");
        let place = match self.kind {
            Kind::Plan { storey, height } => format!("plan:{}:{}", guid(storey), number(height * 1000.0)),
            Kind::CeilingPlan { storey, height } => {
                format!("ceiling:{}:{}", guid(storey), number(height * 1000.0))
            }
            Kind::Section { origin, normal } => {
                format!("section:{}:{}", numbers(origin, 1000.0), numbers(normal, 1.0))
            }
            Kind::Elevation { direction } => format!("elevation:{}", side(direction)),
            Kind::Axonometry { direction } => format!("axonometry:{}", side(direction.truncate())),
        };
        let depth = self.depth.map_or(String::new(), |depth| format!(":{}", number(depth * 1000.0)));
        format!("{place}:{}{depth}", number(self.scale))
    }
}

/// A number to a thousandth, without trailing noughts.
fn number(value: f64) -> String {
    let rounded = (value * 1e3).round() / 1e3 + 0.0;
    rounded.to_string()
}

/// The name of a side or corner.
pub(super) fn side(direction: DVec2) -> &'static str {
    let is_it = |row: &&(Side, &'static str, [f64; 2])| DVec2::from(row.2) == direction;
    Side::ALL.iter().find(is_it).map_or("", |row| row.1)
}
