//! What a roof was made from, kept with it as a property set of its own, and the roof made anew when one of these changes.

use super::{Form, NewRoof, RoofShape, Wish, cover, planes, planes::Plan, quantify, slabs, walls};
use crate::author::{Author, boolean, tidy};
use crate::frame::Frame;
use crate::lookup::{guid, label};
use crate::measures::{mm, not_negative, positive};
use crate::polygon;
use crate::removal::remove;
use contract::Fault;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Value, relations};
use serde_json::{Value as Json, json};

/// The property set that holds what a roof was made from.
const SET: &str = "Pensaer_Roof";

/// The parameters of a roof with a pitch that can be changed.
pub const PARAMETERS: [&str; 4] = ["thickness", "boundary_points", "pitch", "overhang"];

/// Keeps what a roof was made from.
pub(super) fn keep(author: &mut Author, roof: Id, new: &NewRoof, form: &Form) -> Result<(), Fault> {
    let frame = author.frame(roof)?;
    // in its own coordinates, so that it moves with the roof
    let outline: Vec<String> = new
        .outline
        .iter()
        .map(|p| frame.into_own(p.extend(frame.translation.z)))
        .map(|p| format!("{} {}", tidy(p.x), tidy(p.y)))
        .collect();
    let label = |text: &str| Value::typed("IfcLabel", text);
    let text = |text: String| Value::typed("IfcText", text.as_str());
    let length = |author: &Author, mm: f64| Value::typed("IfcLengthMeasure", author.real(mm));
    let degrees = |author: &Author, degrees: f64| {
        Value::typed("IfcPlaneAngleMeasure", Value::Real(degrees / author.units().angle_deg))
    };
    let mut kept = vec![
        ("Shape", label(form.shape.word())),
        ("Outline", text(outline.join(", "))),
        ("Pitch", degrees(author, form.pitch)),
        ("Overhang", length(author, new.overhang)),
        ("Thickness", length(author, new.thickness)),
        ("WallsReach", boolean(new.walls_reach != Some(false))),
    ];
    if form.shape == RoofShape::Mansard {
        kept.push(("UpperPitch", degrees(author, form.upper_pitch)));
    }
    if let Some(height) = form.break_height {
        kept.push(("BreakHeight", length(author, height)));
    }
    if !form.eaves.is_empty() {
        let eaves: Vec<String> = form.eaves.iter().map(|i| (i + 1).to_string()).collect();
        kept.push(("Eaves", text(eaves.join(" "))));
    }
    if let Some(direction) = form.ridge_direction {
        kept.push(("RidgeDirection", degrees(author, tidy((direction - turn(&frame)).rem_euclid(180.0)))));
    }
    author.describe(roof, SET, &kept)
}

/// The design that a roof was made from; none where nothing is kept, or where it cannot be read.
pub(super) fn kept(author: &Author, roof: Id) -> Option<NewRoof> {
    let json = |name: &str| {
        ifc::psets::get(author.edit, roof, SET, name).map(|value| ifc::psets::plain_json(&value))
    };
    let number = |name: &str| json(name)?.as_f64();
    let word = |name: &str| json(name)?.as_str().map(str::to_owned);
    let frame = author.frame(roof).ok()?;
    let outline = word("Outline")?
        .split(',')
        .map(|pair| {
            let mut numbers = pair.split_whitespace().map(|n| n.parse::<f64>().ok());
            let own = DVec3::new(numbers.next()??, numbers.next()??, 0.0);
            Some(frame.transform_point3(own).truncate())
        })
        .collect::<Option<Vec<DVec2>>>()?;
    let storey = relations::storey_of(author.edit, roof)?;
    let base = frame.translation.z - author.frame(storey).ok()?.translation.z;
    let mm = |name: &str| number(name).map(|value| author.units().to_mm(value));
    let degrees = |name: &str| number(name).map(|value| tidy(value * author.units().angle_deg));
    Some(NewRoof {
        storey,
        outline,
        base,
        overhang: mm("Overhang")?,
        thickness: mm("Thickness")?,
        name: None,
        wish: Wish {
            shape: RoofShape::from_word(&word("Shape")?)?,
            pitch: Some(degrees("Pitch")?),
            upper_pitch: degrees("UpperPitch"),
            break_height: mm("BreakHeight"),
            eaves: word("Eaves").map(|text| text.split_whitespace().filter_map(|n| n.parse().ok()).collect()),
            ridge_direction: degrees("RidgeDirection")
                .map(|own| tidy((own + turn(&frame)).rem_euclid(180.0))),
        },
        walls_reach: Some(json("WallsReach").and_then(|v| v.as_bool()).unwrap_or(true)),
    })
}

/// The angle in plan by which a frame is turned, in degrees.
fn turn(frame: &Frame) -> f64 {
    frame.x_axis.truncate().to_angle().to_degrees()
}

/// The design of the image of a roof under a reflection of the world in an upright plane, to be kept with [`keep_image`]
/// once the roof stands there; none where nothing is kept.
pub fn image(author: &Author, roof: Id, map: &DAffine3) -> Option<NewRoof> {
    let mut new = kept(author, roof)?;
    let sides = new.outline.len();
    // the way around turns: corners come from the last, and so do sides
    new.outline = new.outline.iter().rev().map(|p| map.transform_point3(p.extend(0.0)).truncate()).collect();
    for side in new.wish.eaves.iter_mut().flatten() {
        *side = (2 * sides).saturating_sub(*side + 1) % sides + 1;
    }
    new.wish.ridge_direction = new.wish.ridge_direction.map(|degrees| {
        let along = map.transform_vector3(DVec2::from_angle(degrees.to_radians()).extend(0.0)).truncate();
        tidy(along.to_angle().to_degrees().rem_euclid(180.0))
    });
    Some(new)
}

/// Keeps the design that a mirrored roof has now.
pub fn keep_image(author: &mut Author, roof: Id, new: &NewRoof) -> Result<(), Fault> {
    let form = new.wish.form(author, new.outline.len())?;
    keep(author, roof, new, &form)
}

/// Returns true if a roof can be made anew from what is kept with it.
pub fn is_kept(author: &Author, roof: Id) -> bool {
    kept(author, roof).is_some()
}

/// Returns the outline in the world that a roof was made over, in mm; none where nothing is kept.
pub fn outline_of(author: &Author, roof: Id) -> Option<Vec<DVec2>> {
    kept(author, roof).map(|new| new.outline)
}

/// Changes a parameter of a roof with a pitch: its planes are made anew, and walls follow. Answers the value before and
/// after, and the other elements that were drawn again.
pub fn change(
    author: &mut Author,
    roof: Id,
    parameter: &str,
    value: &Json,
) -> Result<(Json, Json, Vec<Id>), Fault> {
    let Some(mut new) = kept(author, roof) else {
        let plates = slabs(author, roof);
        let (text, way) = (label(author.edit, roof), "make one in its place with create_roof");
        let message = if plates.is_empty() {
            format!(
                "The body of the roof {text} was made by another program and has no slabs, so that its {parameter} cannot be drawn anew. Move, turn, copy or delete it as a whole, or {way}."
            )
        } else {
            format!(
                "The roof {text} has {} slabs and was not made here, so that its {parameter} cannot be drawn anew. Change its slabs one by one, or {way}.",
                plates.len()
            )
        };
        return Err(Fault::constraint(message)
            .with("field", "parameter_name")
            .with("slabs", plates.iter().map(|p| guid(author.edit, *p)).collect::<Vec<_>>()));
    };
    let shown = |new: &NewRoof| match parameter {
        "thickness" => json!(mm(new.thickness)),
        "overhang" => json!(mm(new.overhang)),
        "pitch" => json!(new.wish.pitch),
        _ => json!(new.outline.iter().map(|p| p.map(mm)).collect::<Vec<DVec2>>()),
    };
    let before = shown(&new);
    let number = |value: &Json| {
        value
            .as_f64()
            .or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()))
            .ok_or_else(|| Fault::invalid("value", format!("`value` must be a number, not {value}.")))
    };
    match parameter {
        "thickness" => new.thickness = positive("value", number(value)?)?,
        "overhang" => new.overhang = not_negative("value", number(value)?)?,
        "pitch" => {
            new.wish.pitch = Some(number(value)?);
            if new.wish.upper_pitch.is_some_and(|upper| Some(upper) >= new.wish.pitch) {
                new.wish.upper_pitch = None;
            }
        }
        _ => {
            let points: Vec<Vec<f64>> = serde_json::from_value(value.clone()).map_err(|_| {
                Fault::invalid(
                    "value",
                    "`value` must be a list of points [[x, y], …] in mm, in order around the outline.",
                )
            })?;
            new.outline = polygon::boundary("value", &points)?;
        }
    }
    let mut regenerated = remake(author, roof, &new).map_err(|mut fault| {
        if fault.data.get("field").is_some_and(|field| field == parameter) {
            fault.data.insert("field".into(), json!("value"));
        }
        fault
    })?;
    regenerated.retain(|id| *id != roof);
    Ok((before, shown(&new), regenerated))
}

/// Makes the slabs of a roof anew, and the walls below reach up to them; answers both.
fn remake(author: &mut Author, roof: Id, new: &NewRoof) -> Result<Vec<Id>, Fault> {
    let form = new.wish.form(author, new.outline.len())?;
    let plan = Plan::new(&new.outline)?;
    let planes = planes::planes(&plan, &form, new.overhang, new.thickness)?;
    let old = slabs(author, roof);
    if let Some(opened) = old.iter().find(|slab| !relations::openings_of(author.edit, **slab).is_empty()) {
        return Err(Fault::constraint(format!(
            "The slab {} has openings, which would not find their place in the new planes; delete them first.",
            label(author.edit, *opened)
        ))
        .with("slab_id", guid(author.edit, *opened)));
    }
    let mut touched = walls::release(author, roof, &[])?;
    // the new ones first: a whole keeps a part throughout
    cover(author, roof, &planes, new)?;
    for slab in &old {
        remove(author, *slab)?;
    }
    keep(author, roof, new, &form)?;
    quantify(author, roof)?;
    if new.walls_reach != Some(false) {
        touched.extend(walls::reach(author, roof, &plan, &form, new)?);
    }
    let mut all = slabs(author, roof);
    touched.sort_unstable();
    touched.dedup();
    all.extend(touched);
    Ok(all)
}

/// Draws the walls below a roof up to it anew, after they or it were moved or changed. Answers the walls.
pub fn follow(author: &mut Author, roof: Id) -> Result<Vec<Id>, Fault> {
    let mut touched = walls::release(author, roof, &[])?;
    if let Some(new) = kept(author, roof)
        && new.walls_reach != Some(false)
    {
        let form = new.wish.form(author, new.outline.len())?;
        let plan = Plan::new(&new.outline)?;
        touched.extend(walls::reach(author, roof, &plan, &form, &new)?);
    }
    touched.sort_unstable();
    touched.dedup();
    Ok(touched)
}
