//! How windows open, in elevations: dashed triangles in their panes, with the base at the hinges and the tip at the handle (EN 12519), since
//! casements open away from who looks from outside.
//!
//! Said by IfcWindowPanelProperties for the pane in each place; where the file says nothing, nothing is drawn. Sides are as one looks along the
//! y of the window's placement.

use super::sheet::{Order, Sheet, stroked};
use super::viewed::Figure;
use building::filling::operation::{Pane, window_panes};
use geometry::Shaper;
use geometry::section::Plane;
use glam::DVec2;
use ifc::Id;
use ifc::psets::definitions_of;
use ifc::relations::Links;
use paper::{Part, Subject};

/// The width of the frame around the panes, in metres, and its greatest share of the window.
const FRAME: f64 = 0.06;
const SHARE: f64 = 0.1;

/// The share of a pane that its own frame takes at each side, so that the tips of two casements do not meet.
const INSET: f64 = 0.05;

/// The corners of a pane by their shares across and up, counted from the hinged side of a right-hand casement.
type Line = [[f64; 2]; 3];

/// Draws how a window opens that is seen whole between two corners.
pub(super) fn draw(
    sheet: &mut Sheet<'_>,
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    (figure, plane): (&Figure, &Plane),
    [low, high]: [DVec2; 2],
) {
    let model = links.model();
    let said = panels(links, figure.id);
    let Some(instance) = model.get(figure.id).filter(|_| !said.is_empty()) else { return };
    let frame = instance.reference("ObjectPlacement").and_then(|p| shaper.reader.world(p));
    // across the view from left to right, or the other way
    let across = frame.map_or(1.0, |frame| frame.x_axis.dot(plane.frame().x_axis));
    if across.abs() < 0.99 {
        return;
    }
    let inset = (high - low).min(DVec2::splat(FRAME / SHARE)) * SHARE;
    let (low, high) = (low + inset, high - inset);
    let mut lines = Vec::new();
    let stated = partitioning(links, figure.id);
    let panes = window_panes(stated.as_deref().unwrap_or_else(|| parted_as(&said)));
    for pane in &panes {
        let own = said.iter().find(|(place, _)| *place == pane.position);
        let Some((_, operation)) = own.or(said.first().filter(|_| panes.len() == 1)) else { continue };
        for line in symbol(operation) {
            lines.push(line.map(|share| low + (high - low) * placed(pane, share, across < 0.0)));
        }
    }
    if lines.is_empty() {
        return;
    }
    let stroke = sheet.dashed(sheet.style.weights.seen_far, &sheet.style.dashes.hidden);
    let paths = lines.iter().map(|line| sheet.subpath(line, false)).collect();
    sheet.put(Order::Filling, Some(figure.id), [stroked(paths, stroke, Subject::Window, Part::Hidden)]);
}

/// The share of the whole window at which a share of a pane lies.
fn placed(pane: &Pane, [x, z]: [f64; 2], is_turned: bool) -> DVec2 {
    let lerp =
        |(from, to): (f64, f64), share: f64| from + (to - from) * (INSET + (1.0 - 2.0 * INSET) * share);
    let across = lerp(pane.x, x);
    DVec2::new(if is_turned { 1.0 - across } else { across }, lerp(pane.z, z))
}

/// The lines of a way to open.
fn symbol(operation: &str) -> Vec<Line> {
    let right = [[1.0, 1.0], [0.0, 0.5], [1.0, 0.0]];
    let left = right.map(|[x, z]| [1.0 - x, z]);
    let bottom = [[0.0, 0.0], [0.5, 1.0], [1.0, 0.0]];
    let top = bottom.map(|[x, z]| [x, 1.0 - z]);
    match operation {
        "SIDEHUNGRIGHTHAND" => vec![right],
        "SIDEHUNGLEFTHAND" => vec![left],
        "TILTANDTURNRIGHTHAND" => vec![right, bottom],
        "TILTANDTURNLEFTHAND" => vec![left, bottom],
        "BOTTOMHUNG" => vec![bottom],
        "TOPHUNG" => vec![top],
        _ => Vec::new(),
    }
}

/// The place of each panel, and how it opens.
fn panels(links: &Links<'_>, id: Id) -> Vec<(String, String)> {
    let (own, of_type) = definitions_of(links, id);
    let sets = own.into_iter().chain(of_type).filter_map(|set| links.model().get(set));
    let panels = sets.filter(|set| set.is_a("IfcWindowPanelProperties"));
    panels
        .filter_map(|set| Some((set.enumeration("PanelPosition")?, set.enumeration("OperationType")?)))
        .collect()
}

/// The way in which a window is parted, of its own or of its type (PartitioningType; IFC2X3: IfcWindowStyle.OperationType).
fn partitioning(links: &Links<'_>, id: Id) -> Option<String> {
    let owners = [Some(id), links.type_of(id)].into_iter().flatten().filter_map(|id| links.model().get(id));
    let mut words = owners.flat_map(|owner| {
        ["PartitioningType", "OperationType"].into_iter().filter_map(move |name| owner.enumeration(name))
    });
    words.find(|word| word != "NOTDEFINED" && word != "USERDEFINED")
}

/// The way in which a window is parted by the places of its panels.
fn parted_as(said: &[(String, String)]) -> &'static str {
    let has = |place: &str| said.iter().any(|(own, _)| own == place);
    match (has("LEFT") && has("RIGHT"), has("TOP") && has("BOTTOM"), has("MIDDLE")) {
        (true, false, false) => "DOUBLE_PANEL_VERTICAL",
        (true, false, true) => "TRIPLE_PANEL_VERTICAL",
        (false, true, false) => "DOUBLE_PANEL_HORIZONTAL",
        (false, true, true) => "TRIPLE_PANEL_HORIZONTAL",
        _ => "SINGLE_PANEL",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tip_lies_at_the_handle_of_each_pane() {
        let panes = window_panes("DOUBLE_PANEL_VERTICAL");
        let tips = |turned: bool| -> Vec<DVec2> {
            let of = |pane: &Pane| {
                let word = if pane.position == "LEFT" { "SIDEHUNGLEFTHAND" } else { "SIDEHUNGRIGHTHAND" };
                placed(pane, symbol(word)[0][1], turned)
            };
            panes.iter().map(of).collect()
        };
        // both open in the middle, from whichever side one looks
        let (left, right) = (0.5 - 0.5 * INSET, 0.5 + 0.5 * INSET);
        for (turned, expected) in [(false, [left, right]), (true, [right, left])] {
            let tips = tips(turned);
            let is_near = |(tip, x): (&DVec2, f64)| tip.distance(DVec2::new(x, 0.5)) < 1e-9;
            assert!(tips.iter().zip(expected).all(is_near), "{tips:?}");
        }
        assert!(symbol("FIXEDCASEMENT").is_empty());
    }
}
