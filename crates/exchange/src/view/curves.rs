//! Curves and profiles as indexed poly curves: lines and arcs over one list of points, with nothing lost where a curve is made of
//! lines and arcs of circles, and chords where it is not.

use crate::report::{Action, Log};
use crate::view::{View, example};
use geometry::curve::Fineness;
use geometry::read::Reader;
use glam::{DVec2, DVec3};
use ifc::{Edit, EditError, Id, Instance, Model, Value};

/// A stretch of a curve.
#[derive(Debug, Clone)]
enum Stretch {
    /// Straight lines through these points.
    Lines(Vec<DVec3>),
    /// An arc of a circle: beginning, a point between, end.
    Arc([DVec3; 3]),
}

impl Stretch {
    fn reversed(mut self) -> Stretch {
        match &mut self {
            Stretch::Lines(points) => points.reverse(),
            Stretch::Arc(points) => points.reverse(),
        }
        self
    }
}

/// The most levels that curves are made of curves.
const DEPTH: usize = 16;
/// Points nearer than this are one, in metres.
const SAME: f64 = 1e-7;

/// A reader whose arcs have a point in the middle.
fn fine(model: &Model) -> Reader<'_> {
    let mut reader = Reader::new(model);
    reader.fineness = Fineness::Times(1);
    reader
}

/// The stretches of a curve; `None` if its points cannot be read.
fn stretches(reader: &Reader<'_>, id: Id, depth: usize) -> Option<Vec<Stretch>> {
    if depth > DEPTH {
        return None;
    }
    let curve = reader.get(id).ok()?;
    match curve.class_name() {
        "IfcIndexedPolyCurve" => indexed(reader, &curve),
        "IfcCircle" => circle(&reader.curve(id, 0).ok()?),
        "IfcTrimmedCurve" => {
            let points = reader.curve(id, 0).ok()?;
            let basis = reader.get(curve.reference("BasisCurve")?).ok()?;
            if basis.is_a("IfcCircle") { arcs(&points) } else { Some(vec![Stretch::Lines(points)]) }
        }
        "IfcCompositeCurve" | "Ifc2DCompositeCurve" => {
            let mut all = Vec::new();
            for segment in curve.references("Segments") {
                let segment = reader.get(segment).ok()?;
                let mut part = stretches(reader, segment.reference("ParentCurve")?, depth + 1)?;
                if segment.truth("SameSense") == Some(false) {
                    part.reverse();
                    part = part.into_iter().map(Stretch::reversed).collect();
                }
                all.extend(part);
            }
            Some(all)
        }
        _ => {
            let mut coarse = reader.clone();
            coarse.fineness = Fineness::Drawn;
            Some(vec![Stretch::Lines(coarse.curve(id, 0).ok()?)])
        }
    }
}

fn indexed(reader: &Reader<'_>, curve: &Instance<'_>) -> Option<Vec<Stretch>> {
    let points = reader.point_list(curve.reference("Points")?).ok()?;
    let segments = curve.attr("Segments");
    let Some(segments) = segments.as_list() else { return Some(vec![Stretch::Lines(points)]) };
    let at = |v: &Value| points.get(usize::try_from(v.as_i64()?).ok()?.checked_sub(1)?).copied();
    let stretch = |segment: &Value| {
        let corners: Vec<DVec3> = segment.as_list()?.iter().map(at).collect::<Option<_>>()?;
        let is_arc = matches!(segment, Value::Typed(name, _) if name.eq_ignore_ascii_case("IfcArcIndex"));
        Some(match corners.as_slice() {
            [a, b, c] if is_arc => Stretch::Arc([*a, *b, *c]),
            _ => Stretch::Lines(corners),
        })
    };
    segments.iter().map(stretch).collect()
}

/// A whole circle as four arcs, from its points in order.
fn circle(points: &[DVec3]) -> Option<Vec<Stretch>> {
    let n = points.len();
    let at = |eighth: usize| points.get((eighth * n / 8) % n.max(1)).copied();
    if n < 8 {
        return None;
    }
    (0..4).map(|q| Some(Stretch::Arc([at(2 * q)?, at(2 * q + 1)?, at(2 * q + 2)?]))).collect()
}

/// An arc, from points on it in order; of more than half a turn as two.
fn arcs(points: &[DVec3]) -> Option<Vec<Stretch>> {
    let last = points.len().checked_sub(1)?;
    let at = |quarter: usize| points.get(quarter * last / 4).copied();
    if last < 4 {
        return Some(vec![Stretch::Lines(points.to_vec())]);
    }
    Some(vec![Stretch::Arc([at(0)?, at(1)?, at(2)?]), Stretch::Arc([at(2)?, at(3)?, at(4)?])])
}

/// The attributes of the IfcIndexedPolyCurve that a curve is.
fn as_indexed(
    edit: &mut Edit,
    stretches: &[Stretch],
    metre: f64,
    is_flat: bool,
    closes: bool,
) -> Result<Option<Vec<(&'static str, Value)>>, EditError> {
    let mut points: Vec<DVec3> = Vec::new();
    let mut segments = Vec::new();
    let mut number = |p: DVec3| -> i64 {
        if points.last().is_none_or(|last| last.distance(p) > SAME) {
            points.push(p);
        }
        points.len() as i64
    };
    for stretch in stretches {
        let corners = match stretch {
            Stretch::Lines(points) => points.as_slice(),
            Stretch::Arc(points) => points.as_slice(),
        };
        let mut numbers: Vec<i64> = corners.iter().map(|p| number(*p)).collect();
        numbers.dedup();
        let is_arc = matches!(stretch, Stretch::Arc(_)) && numbers.len() == 3;
        if numbers.len() > 1 {
            let name = if is_arc { "IfcArcIndex" } else { "IfcLineIndex" };
            segments.push((name, numbers));
        }
    }
    // the last point is the first one again
    let ends_where_it_begins = points.len() > 2
        && points.first().zip(points.last()).is_some_and(|(a, b)| a.distance(*b) < SAME * 10.0);
    if ends_where_it_begins {
        points.pop();
        let gone = points.len() as i64 + 1;
        for at in segments.iter_mut().flat_map(|(_, numbers)| numbers.iter_mut()) {
            if *at == gone {
                *at = 1;
            }
        }
    } else if closes && points.len() > 2 {
        segments.push(("IfcLineIndex", vec![points.len() as i64, 1]));
    }
    if points.len() < 2 || segments.is_empty() || (closes && points.len() < 3 && segments.len() < 2) {
        return Ok(None);
    }
    let tidy = |v: f64| (v / metre * 1e9).round() / 1e9 + 0.0;
    let place = |p: &DVec3| {
        if is_flat {
            Value::list([tidy(p.x), tidy(p.y)])
        } else {
            Value::list([tidy(p.x), tidy(p.y), tidy(p.z)])
        }
    };
    let list = if is_flat { "IfcCartesianPointList2D" } else { "IfcCartesianPointList3D" };
    let list = edit.create(list, &[("CoordList", Value::list(points.iter().map(place)))])?;
    let segments = segments.into_iter().map(|(name, numbers)| Value::typed(name, Value::list(numbers)));
    Ok(Some(vec![
        ("Points", list.into()),
        ("Segments", Value::List(segments.collect())),
        ("SelfIntersect", Value::Boolean(false)),
    ]))
}

/// True if the points of a curve have two coordinates.
pub(super) fn is_flat(model: &Model, curve: Id) -> bool {
    let mut open = vec![curve];
    let mut seen = 0;
    while let Some(instance) = open.pop().and_then(|id| model.get(id)) {
        seen += 1;
        if instance.is_a("IfcCartesianPoint") {
            return instance.attr("Coordinates").as_list().is_some_and(|c| c.len() == 2);
        }
        if instance.is_a("IfcCartesianPointList2D") {
            return true;
        }
        if instance.is_a("IfcCartesianPointList3D") || seen > 64 {
            return false;
        }
        instance.attributes().iter().for_each(|value| value.for_each_ref(&mut |id| open.push(id)));
    }
    false
}

/// Profiles of swept items become arbitrary ones with indexed curves where the view asks for these.
pub(super) fn profiles(edit: &mut Edit, view: &View, log: &mut Log) -> Result<(), EditError> {
    let asks = |class: &str| {
        let rows = view.representations.iter().filter(|row| !row.profiles.is_empty());
        rows.flat_map(|row| &row.items).any(|item| item == class)
    };
    let before = edit.before().clone();
    let reader = fine(&before);
    let mut done = std::collections::HashSet::new();
    for class in ["IfcExtrudedAreaSolid", "IfcRevolvedAreaSolid"].into_iter().filter(|class| asks(class)) {
        for solid in before.of_class_exact(class) {
            let Some(profile) = before.get(solid).and_then(|s| s.reference("SweptArea")) else { continue };
            if done.insert(profile) {
                one_profile(edit, &reader, profile, log)?;
            }
        }
    }
    Ok(())
}

fn one_profile(edit: &mut Edit, reader: &Reader<'_>, id: Id, log: &mut Log) -> Result<(), EditError> {
    let Ok(profile) = reader.get(id) else { return Ok(()) };
    let is_indexed = |curve: &Id| reader.get(*curve).is_ok_and(|c| c.class_name() == "IfcIndexedPolyCurve");
    let curves = || profile.reference("OuterCurve").into_iter().chain(profile.references("InnerCurves"));
    let class = profile.class_name();
    let is_arbitrary = matches!(class, "IfcArbitraryClosedProfileDef" | "IfcArbitraryProfileDefWithVoids");
    if is_arbitrary && curves().all(|curve| is_indexed(&curve)) {
        return Ok(());
    }
    let Some(loops) = loops_of(reader, &profile) else { return Ok(()) };
    let mut made = Vec::new();
    for stretches in &loops {
        let Some(attributes) = as_indexed(edit, stretches, reader.metre, true, true)? else { return Ok(()) };
        made.push(edit.create("IfcIndexedPolyCurve", &attributes)?);
    }
    let Some((outer, inner)) = made.split_first() else { return Ok(()) };
    let mut attributes = vec![("ProfileType", Value::enumeration("AREA")), ("OuterCurve", outer.into())];
    let to = if inner.is_empty() {
        "IfcArbitraryClosedProfileDef"
    } else {
        attributes.push(("InnerCurves", inner.to_vec().into()));
        "IfcArbitraryProfileDefWithVoids"
    };
    if edit.reassign(id, to, &attributes).is_ok() {
        let reason = "its outline is an indexed poly curve now, which the view asks for";
        log.note(Action::Reshaped, class, reason, || example(reader.model, id));
    }
    Ok(())
}

/// The outline of a profile and its holes; `None` of one that is made of several areas.
fn loops_of(reader: &Reader<'_>, profile: &Instance<'_>) -> Option<Vec<Vec<Stretch>>> {
    match profile.class_name() {
        "IfcArbitraryClosedProfileDef" | "IfcArbitraryProfileDefWithVoids" => {
            let curves = profile.reference("OuterCurve").into_iter().chain(profile.references("InnerCurves"));
            curves.map(|curve| stretches(reader, curve, 0)).collect()
        }
        "IfcCircleProfileDef" | "IfcCircleHollowProfileDef" => {
            let frame = reader.axes_of(profile, "Position").ok()?;
            let outer = reader.length(profile, "Radius").ok().filter(|r| *r > 0.0)?;
            let wall = reader.length_or_zero(profile, "WallThickness");
            let round = |r: f64| {
                let turn = |i: i32| f64::from(i) * std::f64::consts::TAU / 64.0;
                let at =
                    |i: i32| frame.transform_point3(DVec3::new(r * turn(i).cos(), r * turn(i).sin(), 0.0));
                circle(&(0..64).map(at).collect::<Vec<_>>())
            };
            let inner = outer - wall;
            let radii = if wall > 0.0 && inner > 0.0 { vec![outer, inner] } else { vec![outer] };
            radii.into_iter().map(round).collect()
        }
        _ => {
            let mut coarse = reader.clone();
            coarse.fineness = Fineness::Drawn;
            let areas = coarse.profile(profile.id(), 0).ok()?;
            let [area] = areas.as_slice() else { return None };
            let lines = |l: &Vec<DVec2>| vec![Stretch::Lines(l.iter().map(|p| p.extend(0.0)).collect())];
            Some(area.loops().map(lines).collect())
        }
    }
}

/// Curves of classes that the view does not have become indexed ones in their places.
pub(super) fn curves(edit: &mut Edit, view: &View, log: &mut Log) -> Result<(), EditError> {
    if !view.allows_class("IfcIndexedPolyCurve") {
        return Ok(());
    }
    const CLASSES: [&str; 5] =
        ["IfcCompositeCurve", "IfcTrimmedCurve", "IfcPolyline", "IfcEllipse", "IfcBSplineCurveWithKnots"];
    let before = edit.before().clone();
    let reader = fine(&before);
    for class in CLASSES {
        let Some(entity) = view.tables().entity(class).filter(|entity| !view.allows(entity)) else {
            continue;
        };
        for id in before.of_class_exact(entity.name) {
            let Some(stretches) = stretches(&reader, id, 0) else { continue };
            let Some(attributes) = as_indexed(edit, &stretches, reader.metre, is_flat(&before, id), false)?
            else {
                continue;
            };
            if edit.reassign(id, "IfcIndexedPolyCurve", &attributes).is_ok() {
                log.note(Action::Reshaped, class, "is an indexed poly curve now", || example(&before, id));
            }
        }
    }
    Ok(())
}
