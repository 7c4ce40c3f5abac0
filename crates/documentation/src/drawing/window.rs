//! Windows in plan: sill lines along the wall's faces, the frame as it is cut, and the line of the glass; dashed above the cut.

use super::clip::crossings;
use super::filling::Filling;
use super::sheet::{Order, Sheet, layer, outlined, stroked, through};
use super::viewed::Figure;
use geometry::region::Loop;
use paper::{Part, Subject};

/// Draws a window, or a door that lies above the cut; `cut` is the height of the plane.
pub(super) fn draw(sheet: &mut Sheet<'_>, window: &Filling, figure: Option<&Figure>, cut: f64) {
    let style = sheet.style;
    let ([l, r], [a, b]) = (window.x, window.wall);
    let line =
        |sheet: &Sheet<'_>, y: f64| through(&[window.at(l, y), window.at(r, y)].map(|p| sheet.at(p)), false);
    let mid = f64::midpoint(window.own[0], window.own[1]);
    if window.sill >= cut {
        let subject = if window.is_door { Subject::Door } else { Subject::Window };
        let stroke = sheet.dashed(style.weights.hidden, &style.dashes.hidden);
        let frame = sheet.subpath(&window.frame(), true);
        sheet.put(Order::Filling, Some(window.id), [stroked(vec![frame], stroke, subject, Part::Hidden)]);
        return;
    }
    let seen = sheet.line(style.weights.seen);
    let mut nodes = vec![stroked(vec![line(sheet, a), line(sheet, b)], seen, Subject::Window, Part::Seen)];
    let light = sheet.line(style.weights.cut_light);
    let areas = figure.map(|f| f.seen.cut.areas.as_slice()).unwrap_or_default();
    let glass = stroked(vec![line(sheet, mid)], light.clone(), Subject::Window, Part::Cut);
    if sheet.rule.frames && !areas.is_empty() && !window.is_open {
        nodes.push(outlined(sheet.areas(areas), [255; 4], light, layer(Subject::Window, Part::Cut)));
        let loops: Vec<Loop> = areas.iter().flat_map(|a| a.loops().cloned()).collect();
        let (from, to) = (window.at(0.0, window.own[0] - 0.1), window.at(0.0, window.own[1] + 0.1));
        if crossings(from, to, &loops).is_empty() {
            nodes.push(glass);
        }
    } else if window.head <= cut {
        let frame = sheet.subpath(&window.frame(), true);
        nodes.push(stroked(vec![frame], sheet.line(style.weights.seen), Subject::Window, Part::Seen));
    } else {
        let frame = sheet.subpath(&window.frame(), true);
        nodes.push(outlined(vec![frame], [255; 4], light, layer(Subject::Window, Part::Cut)));
        nodes.push(glass);
    }
    sheet.put(Order::Filling, Some(window.id), nodes);
}
