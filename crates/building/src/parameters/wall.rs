//! A wall's height, thickness, ends and length.

use super::change::{Change, number, point};
use super::redraw::{redraw, set_axis};
use crate::author::Author;
use crate::follow;
use crate::host::Wall;
use crate::lookup::{guid, label};
use crate::measures::{mm, positive};
use crate::polygon::plan_point;
use crate::relations::End;
use crate::storey::above_storey;
use crate::tops;
use crate::wall::LocationLine;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::Id;
use serde_json::{Value as Json, json};

pub(super) fn change(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let old = Wall::read_any(author, id)?;
    if !old.plain {
        return Err(Fault::constraint(format!(
            "The body of the wall {} is cut or built another way (under a roof slope, for one), so its {parameter} cannot be drawn anew. Its properties can be changed, openings placed in it, and all of it moved, turned or copied; or make a wall in its place with create_wall, and hand its openings on with delete_elements `rehost`.",
            label(author.edit, id)
        ))
        .with("field", "parameter_name"));
    }
    let before = shown(author, &old, parameter);
    let mut new = old.clone();
    match parameter {
        "height" => new.height = positive("value", number(value)?)?,
        "thickness" => {
            let thickness = positive("value", number(value)?)?;
            let middle = f64::midpoint(old.faces.0, old.faces.1);
            new.faces = LocationLine::between(old.faces)
                .map_or((middle - thickness / 2.0, middle + thickness / 2.0), |line| line.faces(thickness));
        }
        "length" if old.line().is_bent() => new.length = positive("value", number(value)?)?,
        "length" => {
            let length = positive("value", number(value)?)?;
            let DVec3 { x, y, .. } = old.at(length);
            set_axis(&mut new, plan(&old, 0.0), DVec2::new(x, y))?;
        }
        "start" => set_axis(&mut new, plan_point("value", &point(value)?)?, plan(&old, old.length))?,
        "end" => set_axis(&mut new, plan(&old, 0.0), plan_point("value", &point(value)?)?)?,
        _ => {}
    }
    is_an_arc(author, &new)?;
    // openings stay where they are, however the start is moved
    let slide = if parameter == "start" { new.length - old.length } else { 0.0 };
    let held = follow::held(author, &[id].into());
    let mut regenerated = redraw(author, &old, &new, slide)?;
    let ends: &[End] = match parameter {
        "start" => &[End::Start, End::Path],
        "end" | "length" => &[End::End, End::Path],
        _ => &[],
    };
    let in_plan =
        old.frame != new.frame || old.length != new.length || old.faces != new.faces || old.bend != new.bend;
    let mut drawn = follow::settle(author, &held, in_plan)?;
    drawn.extend(tops::meet(author, id, ends)?.1);
    regenerated.extend(drawn.into_iter().filter(|other| *other != id));
    regenerated.sort_unstable();
    regenerated.dedup();
    let after = shown(author, &Wall::read_any(author, id)?, parameter);
    Ok(Change { before, after, regenerated })
}

/// Refuses an arc that is too tight for its wall, or longer than its circle.
fn is_an_arc(author: &Author, wall: &Wall) -> Result<(), Fault> {
    let line = wall.line();
    if !line.is_bent() {
        return Ok(());
    }
    let radius = line.radius(0.0);
    let round = std::f64::consts::TAU * radius;
    // the face on the side of the centre comes to no point
    let toward = if wall.bend > 0.0 { wall.faces.1 } else { -wall.faces.0 };
    if radius - toward < 1.0 || wall.length > round - 1.0 {
        return Err(Fault::constraint(format!(
            "The wall {} runs along an arc with a radius of {} mm then: it can be less than {} mm thick and {} mm long.",
            label(author.edit, wall.id),
            mm(radius),
            mm(radius + wall.thickness() - toward),
            mm(round)
        ))
        .with("field", "value")
        .with("element_id", guid(author.edit, wall.id)));
    }
    Ok(())
}

fn plan(wall: &Wall, along: f64) -> DVec2 {
    let DVec3 { x, y, .. } = wall.at(along);
    DVec2::new(x, y)
}

fn shown(author: &Author, wall: &Wall, parameter: &str) -> Json {
    match parameter {
        "height" => json!(mm(wall.height)),
        "thickness" => json!(mm(wall.thickness())),
        "length" => json!(mm(wall.length)),
        "start" => json!(above_storey(author, wall.id, wall.at(0.0))),
        _ => json!(above_storey(author, wall.id, wall.at(wall.length))),
    }
}
