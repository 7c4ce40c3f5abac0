//! Grids: named lines in plan that columns and beams are placed by. Made with lines across and along, read whoever wrote them, as
//! far as their lines are straight.

use crate::author::{Author, word};
use crate::frame::Frame;
use crate::lookup::{self, free_name, guid, label};
use crate::measures::{finite, mm, name};
use crate::polygon::direction;
use crate::solids;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Model, Value};
use schemars::JsonSchema;
use serde::Serialize;

/// The attributes that hold a grid's families of lines.
const FAMILIES: [&str; 3] = ["UAxes", "VAxes", "WAxes"];
/// The most lines of one family.
pub const MOST: usize = 200;

/// A line of a new grid: its name, and where it lies across its family's way, in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewLine {
    /// Its name.
    pub tag: String,
    /// Distance from the origin.
    pub position: f64,
}

/// A grid asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct NewGrid {
    /// The storey, or the building, that holds it.
    pub within: Id,
    /// Its origin in the world, in mm.
    pub origin: DVec2,
    /// Its turn in degrees.
    pub rotation: f64,
    /// Lines that run along its y, at their x.
    pub x: Vec<NewLine>,
    /// Lines that run along its x, at their y.
    pub y: Vec<NewLine>,
    /// How far lines run beyond the outermost others, in mm.
    pub overhang: f64,
    /// Name.
    pub name: Option<String>,
}

/// A line of a grid in the world, in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct GridLine {
    /// The IfcGridAxis.
    pub axis: Id,
    /// Its name.
    pub tag: String,
    /// The family it belongs to, 0 to 2.
    pub family: usize,
    /// Where it begins.
    pub start: DVec2,
    /// Where it ends.
    pub end: DVec2,
}

impl GridLine {
    /// Its direction.
    pub fn along(&self) -> DVec2 {
        direction(self.start, self.end).unwrap_or(DVec2::X)
    }
}

/// A grid as it is answered.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GridAnswer {
    /// GlobalId.
    pub id: String,
    /// Name.
    pub name: String,
    /// Name of the storey or building that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// Names of the lines at x, in order.
    pub x: Vec<String>,
    /// Names of the lines at y.
    pub y: Vec<String>,
}

/// Makes a grid.
pub fn create(author: &mut Author, new: &NewGrid) -> Result<Id, Fault> {
    check(new)?;
    let (sin, cos) = finite("rotation", new.rotation)?.to_radians().sin_cos();
    let outer = author.frame(new.within)?;
    let frame = Frame::in_plan(new.origin.extend(outer.translation.z), DVec2::new(cos, sin));
    let within = author.placement_of(new.within);
    let placement = author.placement(within, &frame.seen_from(&outer))?;
    let reach = |lines: &[NewLine]| {
        let all = lines.iter().map(|l| l.position);
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
        (low - new.overhang, high + new.overhang)
    };
    let (xs, ys) = (reach(&new.x), reach(&new.y));
    let mut curves = Vec::new();
    let mut family = |author: &mut Author, lines: &[NewLine], upright: bool| -> Result<Vec<Value>, Fault> {
        let mut axes = Vec::with_capacity(lines.len());
        for line in lines {
            let at = line.position;
            let ends = if upright {
                [DVec2::new(at, ys.0), DVec2::new(at, ys.1)]
            } else {
                [DVec2::new(xs.0, at), DVec2::new(xs.1, at)]
            };
            let curve = author.polyline(&ends, false)?;
            curves.push(curve);
            let axis = author.create(
                "IfcGridAxis",
                &[
                    ("AxisTag", line.tag.as_str().into()),
                    ("AxisCurve", curve.into()),
                    ("SameSense", Value::Boolean(true)),
                ],
            )?;
            axes.push(Value::Ref(axis));
        }
        Ok(axes)
    };
    let u = family(author, &new.x, true)?;
    let v = family(author, &new.y, false)?;
    let set = author
        .create("IfcGeometricCurveSet", &[("Elements", Value::list(curves.into_iter().map(Value::Ref)))])?;
    let drawn = author.representation("FootPrint", "GeometricCurveSet", &[set])?;
    let shape = author.shape(&[drawn])?;
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcGrid", "Grid"),
    };
    let mut attributes = vec![
        ("ObjectPlacement", Value::Ref(placement)),
        ("Representation", shape.into()),
        ("UAxes", Value::list(u)),
        ("VAxes", Value::list(v)),
    ];
    if author.has_attribute("IfcGrid", "PredefinedType") {
        attributes.push(("PredefinedType", word("RECTANGULAR")));
    }
    let grid = author.root("IfcGrid", Some(&text), &attributes)?;
    author.contain(new.within, grid)?;
    Ok(grid)
}

fn check(new: &NewGrid) -> Result<(), Fault> {
    finite("overhang", new.overhang)?;
    if new.overhang < 0.0 {
        return Err(Fault::invalid("overhang", "`overhang` is less than nought; give 0 or more mm."));
    }
    let mut tags = std::collections::HashSet::new();
    for (field, lines) in [("x", &new.x), ("y", &new.y)] {
        if lines.is_empty() || lines.len() > MOST {
            return Err(Fault::invalid(
                field,
                format!("`{field}` has {} lines; a grid has 1 to {MOST} each way.", lines.len()),
            ));
        }
        for (i, line) in lines.iter().enumerate() {
            finite(&format!("{field}.positions[{i}]"), line.position)?;
            let tag = line.tag.trim();
            if tag.is_empty() || tag.contains(['/', ',']) {
                return Err(Fault::invalid(
                    &format!("{field}.names[{i}]"),
                    "A grid line's name is not empty and has no slash or comma: crossings are written B/3.",
                ));
            }
            if !tags.insert(tag.to_lowercase()) {
                return Err(Fault::invalid(
                    &format!("{field}.names[{i}]"),
                    format!("Two lines of the grid would be named {tag}; each has a name of its own."),
                ));
            }
        }
        let mut sorted: Vec<f64> = lines.iter().map(|l| l.position).collect();
        sorted.sort_by(f64::total_cmp);
        if sorted.windows(2).any(|pair| matches!(pair, [a, b] if b - a < 1.0)) {
            return Err(Fault::invalid(
                &format!("{field}.positions"),
                format!("Two lines of `{field}` lie in the same place; keep them at least 1 mm apart."),
            ));
        }
    }
    Ok(())
}

/// The grid meant by id or name.
pub fn find(model: &Model, field: &str, text: &str) -> Result<Id, Fault> {
    lookup::element(model, field, text, &["IfcGrid"], "a grid")
}

/// The straight lines of a grid, in the order of its families.
pub fn lines(author: &Author, grid: Id) -> Result<Vec<GridLine>, Fault> {
    let mm = author.units().length_mm;
    let frame = author.frame(grid)?;
    let Some(instance) = author.edit.get(grid) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (family, attribute) in FAMILIES.into_iter().enumerate() {
        for axis in instance.references(attribute) {
            let Some(line) = author.edit.get(axis) else { continue };
            let Some(points) =
                line.reference("AxisCurve").and_then(|curve| solids::curve(author.edit, curve, mm))
            else {
                continue;
            };
            let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
            let world = |p: &DVec2| frame.transform_point3(p.extend(0.0)).truncate();
            let (a, b) = (world(first), world(last));
            let straight = points.iter().all(|p| crate::polygon::distance_to_segment(world(p), a, b) < 1.0);
            if !straight || a.distance(b) < 1.0 {
                continue;
            }
            let (start, end) = if line.attr("SameSense").as_bool() == Some(false) { (b, a) } else { (a, b) };
            let tag = line.text("AxisTag").unwrap_or_default();
            found.push(GridLine { axis, tag, family, start, end });
        }
    }
    Ok(found)
}

/// A grid as it stands.
pub fn answer(author: &Author, grid: Id) -> Result<GridAnswer, Fault> {
    let all = lines(author, grid)?;
    let tags = |family: usize| all.iter().filter(|l| l.family == family).map(|l| l.tag.clone()).collect();
    let within = ifc::relations::Links::of_one(author.edit).container(grid).map(|id| label(author.edit, id));
    Ok(GridAnswer {
        id: guid(author.edit, grid),
        name: label(author.edit, grid),
        within,
        x: tags(0),
        y: tags(1),
    })
}

/// Returns the position of a line as its grid tells it: the distance of the line from the grid's origin, positive where x, or for
/// lines along x where y, grows.
pub fn position(author: &Author, grid: Id, line: &GridLine) -> Result<f64, Fault> {
    let frame = author.frame(grid)?;
    let (normal, start) = (normal(&frame, line), frame.into_own(line.start.extend(frame.translation.z)));
    Ok(mm(normal.dot(start.truncate())))
}

/// The way across a line, in the grid's own coordinates.
fn normal(frame: &Frame, line: &GridLine) -> DVec2 {
    let own = frame.turn_into_own(line.along().extend(0.0)).truncate();
    let across = own.perp();
    let grows = if across.x.abs() > across.y.abs() { across.x } else { across.y };
    if grows < 0.0 { -across } else { across }
}

/// Moves a line across its way to a position; answers by how much it moved, in the world.
pub fn move_line(author: &mut Author, grid: Id, line: &GridLine, to: f64) -> Result<DVec2, Fault> {
    let frame = author.frame(grid)?;
    let was = position(author, grid, line)?;
    let all = lines(author, grid)?;
    let is_beside =
        |other: &&GridLine| other.axis != line.axis && other.along().perp_dot(line.along()).abs() < 1e-6;
    is_free(author, grid, &all.iter().filter(is_beside).collect::<Vec<_>>(), to)?;
    let by = normal(&frame, line) * (to - was);
    let length_mm = author.units().length_mm;
    let curve = author.edit.get(line.axis).and_then(|a| a.reference("AxisCurve"));
    let points = curve.and_then(|curve| {
        let is_plain = author.edit.get(curve).is_some_and(|c| c.class_name() == "IfcPolyline");
        is_plain.then(|| solids::curve(author.edit, curve, length_mm)).flatten()
    });
    let (Some(curve), Some(points)) = (curve, points) else {
        return Err(Fault::constraint(format!(
            "The line {} of this grid is not drawn as a polyline, so it cannot be moved; the whole grid can.",
            line.tag
        ))
        .with("field", "parameter_name"));
    };
    let old = author.edit.get(curve).map(|c| c.references("Points")).unwrap_or_default();
    let moved = points.iter().map(|p| author.point2(*p + by)).collect::<Result<Vec<_>, _>>()?;
    author.set(curve, "Points", Value::list(moved.into_iter().map(Value::Ref)))?;
    author.sweep(&old)?;
    Ok(frame.transform_vector3(by.extend(0.0)).truncate())
}

/// Refuses a position at which one of some lines of a grid lies.
fn is_free(author: &Author, grid: Id, lines: &[&GridLine], to: f64) -> Result<(), Fault> {
    for line in lines {
        if (position(author, grid, line)? - to).abs() < 1.0 {
            return Err(Fault::constraint(format!(
                "The line {} lies there already; keep lines at least 1 mm apart.",
                line.tag
            ))
            .with("field", "value"));
        }
    }
    Ok(())
}

/// A line's name as it is written; refused where it says nothing, or where another line bears it.
fn free_tag(author: &Author, grid: Id, text: &str, but: Option<Id>) -> Result<String, Fault> {
    let tag = text.trim();
    if tag.is_empty() || tag.contains(['/', ',']) {
        return Err(Fault::invalid(
            "value",
            "A grid line's name is not empty and has no slash or comma: crossings are written B/3.",
        ));
    }
    let lines = lines(author, grid)?;
    match lines.iter().find(|l| Some(l.axis) != but && l.tag.eq_ignore_ascii_case(tag)) {
        Some(other) => Err(Fault::constraint(format!(
            "The grid {} has a line {} already; each has a name of its own.",
            label(author.edit, grid),
            other.tag
        ))
        .with("field", "value")),
        None => Ok(tag.to_owned()),
    }
}

/// Gives a line another name.
pub fn rename(author: &mut Author, grid: Id, line: &GridLine, text: &str) -> Result<(), Fault> {
    let tag = free_tag(author, grid, text, Some(line.axis))?;
    author.set(line.axis, "AxisTag", tag.as_str())
}

/// Adds a line across x, or across y, at a position told from the grid's origin; it is as long as the others of its way.
pub fn add_line(
    author: &mut Author,
    grid: Id,
    text: &str,
    across_x: bool,
    to: f64,
) -> Result<GridLine, Fault> {
    let tag = free_tag(author, grid, text, None)?;
    let frame = author.frame(grid)?;
    let all = lines(author, grid)?;
    let is_across_x = |line: &&GridLine| {
        let own = normal(&frame, line);
        (own.x.abs() > own.y.abs()) == across_x
    };
    let way = if across_x { "x" } else { "y" };
    let family: Vec<&GridLine> = all.iter().filter(is_across_x).collect();
    let Some(like) = family.first() else {
        return Err(Fault::constraint(format!(
            "The grid {} has no straight lines at {way} that a new one could lie beside.",
            label(author.edit, grid)
        ))
        .with("field", "value"));
    };
    if family.iter().filter(|line| line.family == like.family).count() >= MOST {
        return Err(Fault::invalid("value", format!("A grid has at most {MOST} lines each way.")));
    }
    is_free(author, grid, &family, to)?;
    let by = normal(&frame, like) * (to - position(author, grid, like)?);
    let own = |p: DVec2| frame.into_own(p.extend(frame.translation.z)).truncate();
    let along = frame.turn_into_own(like.along().extend(0.0)).truncate();
    // from where the first of its way begins to where the last ends
    let reach =
        family.iter().flat_map(|l| [own(l.start), own(l.end)]).map(|p| (p - own(like.start)).dot(along));
    let (low, high) = reach.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    let from = own(like.start) + by;
    let curve = author.polyline(&[from + along * low, from + along * high], false)?;
    let axis = author.create(
        "IfcGridAxis",
        &[("AxisTag", tag.as_str().into()), ("AxisCurve", curve.into()), ("SameSense", Value::Boolean(true))],
    )?;
    let attribute = FAMILIES.get(like.family).copied().unwrap_or("UAxes");
    author.add_to(grid, attribute, axis)?;
    // what is drawn of the grid shows it as well
    if let Some(drawn) = solids::representation(author.edit, grid, "FootPrint") {
        let sets = drawn.references("Items");
        let set = sets.into_iter().find(|id| author.edit.get(*id).is_some_and(|s| s.is_a("IfcGeometricSet")));
        if let Some(set) = set {
            author.add_to(set, "Elements", curve)?;
        }
    }
    stretch(author, grid, axis)?;
    lines(author, grid)?
        .into_iter()
        .find(|line| line.axis == axis)
        .ok_or_else(|| Fault::constraint("The new line is too short to be one.").with("field", "value"))
}

/// Makes the lines of a grid that a moved line has left reach it again.
pub fn stretch(author: &mut Author, grid: Id, moved: Id) -> Result<(), Fault> {
    let all = lines(author, grid)?;
    let Some(line) = all.iter().find(|l| l.axis == moved) else { return Ok(()) };
    let frame = author.frame(grid)?;
    for other in all.iter().filter(|l| l.family != line.family) {
        let Some(at) = crate::polygon::meet(other.start, other.along(), line.start, line.along()) else {
            continue;
        };
        let (along, length) = (other.along(), other.start.distance(other.end));
        let way = (at - other.start).dot(along);
        let beyond = 1000.0;
        let (start, end) = if way < 0.0 {
            (other.start + along * (way - beyond), other.end)
        } else if way > length {
            (other.start, other.start + along * (way + beyond))
        } else {
            continue;
        };
        let Some(curve) = author.edit.get(other.axis).and_then(|a| a.reference("AxisCurve")) else {
            continue;
        };
        let Some(instance) = author.edit.get(curve).filter(|c| c.class_name() == "IfcPolyline") else {
            continue;
        };
        let old = instance.references("Points");
        if old.len() != 2 {
            continue;
        }
        let own = |p: DVec2| -> DVec2 {
            let DVec3 { x, y, .. } = frame.into_own(p.extend(frame.translation.z));
            DVec2::new(x, y)
        };
        let sense = author.edit.get(other.axis).and_then(|a| a.attr("SameSense").as_bool()) != Some(false);
        let ends = if sense { [own(start), own(end)] } else { [own(end), own(start)] };
        let points = ends.into_iter().map(|p| author.point2(p)).collect::<Result<Vec<_>, _>>()?;
        author.set(curve, "Points", Value::list(points.into_iter().map(Value::Ref)))?;
        author.sweep(&old)?;
    }
    Ok(())
}
