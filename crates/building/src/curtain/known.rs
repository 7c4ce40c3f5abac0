//! Curtain walls drawn anew: by another height, another grid, other members, panels or doors. What they were drawn by is kept with them
//! as properties, lengths in the file's unit; the line is told from the wall's own place, so that it goes where that goes.

use super::{Division, Former, Laid, NewCurtain, NewDoor, Plan, fit_out};
use crate::author::Author;
use crate::frame::Frame;
use crate::lookup::{guid, label};
use crate::measures::{mm, name, positive};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::relations::Links;
use ifc::{Id, Value, psets, relations};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// The set's name.
const SET: &str = "CurtainWallParameters";
/// The parameters of curtain walls.
pub const PARAMETERS: [&str; 9] = [
    "height",
    "columns",
    "rows",
    "mullion_width",
    "mullion_depth",
    "panel_thickness",
    "panel_material",
    "mullion_material",
    "doors",
];
/// The parameters of doors in curtain walls.
pub const DOOR_PARAMETERS: [&str; 2] = ["along", "height"];

/// A curtain wall read back.
#[derive(Debug, Clone)]
pub struct Known {
    /// As it would be made where it stands, with its doors.
    pub new: NewCurtain,
    /// Its doors in the order of those.
    pub doors: Vec<Id>,
    /// The height of its foot in the world, in mm.
    pub foot: f64,
}

pub(super) fn keep(author: &mut Author, wall: Id, new: &NewCurtain, own: &Frame) -> Result<(), Fault> {
    let text = |text: &str| Value::typed("IfcText", Value::from(text));
    let number = |value: f64| author.length_in_file_units(value);
    let length = |value: f64| Value::typed("IfcLengthMeasure", Value::Real(number(value)));
    let corners: Vec<String> = new
        .points
        .iter()
        .map(|p| own.into_own(p.extend(own.translation.z)))
        .map(|p| format!("{} {}", number(p.x), number(p.y)))
        .collect();
    // by both names, of which the other says nothing
    let division = |division: Division| match division {
        Division::Count(count) => (i64::from(count), 0.0),
        Division::AtMost(size) => (0, number(size)),
    };
    let whole = |n: i64| Value::typed("IfcInteger", Value::Integer(n));
    let size = |n: f64| Value::typed("IfcLengthMeasure", Value::Real(n));
    let (columns, rows) = (division(new.columns), division(new.rows));
    let all = [
        ("Line", text(&corners.join("; "))),
        ("Height", length(new.height)),
        ("ColumnCount", whole(columns.0)),
        ("ColumnDistance", size(columns.1)),
        ("RowCount", whole(rows.0)),
        ("RowDistance", size(rows.1)),
        ("MullionWidth", length(new.mullion.x)),
        ("MullionDepth", length(new.mullion.y)),
        ("PanelThickness", length(new.panel_thickness)),
        ("PanelMaterial", text(&new.panel_material)),
        ("MullionMaterial", text(&new.mullion_material)),
    ];
    author.describe(wall, SET, &all)
}

/// Keeps the line of a curtain wall that was reflected end for end, along its own x: it begins where it ended, so that its left side
/// stays its left.
pub(crate) fn keep_image(author: &mut Author, wall: Id) -> Result<(), Fault> {
    let kept = psets::get(author.edit, wall, SET, "Line");
    let Some(line) = kept.and_then(|line| line.as_text().map(ToString::to_string)) else { return Ok(()) };
    let turned: Option<Vec<String>> = line
        .rsplit(';')
        .map(|corner| {
            let (x, y) = corner.trim().split_once(' ')?;
            // zero has no sign
            Some(format!("{} {}", 0.0 - x.parse::<f64>().ok()?, y.trim().parse::<f64>().ok()?))
        })
        .collect();
    match turned {
        Some(corners) => {
            let line = Value::typed("IfcText", Value::from(corners.join("; ").as_str()));
            author.describe(wall, SET, &[("Line", line)])
        }
        None => Ok(()),
    }
}

impl Known {
    /// Reads a curtain wall back; `None` for one of another program.
    pub fn read(author: &Author, wall: Id) -> Option<Self> {
        let get = |name: &str| psets::get(author.edit, wall, SET, name);
        let text = |name: &str| get(name).and_then(|v| v.as_text().map(ToString::to_string));
        let length = |name: &str| Some(author.units().to_mm(get(name)?.as_f64()?));
        let own = author.frame(wall).ok().filter(Frame::is_upright)?;
        let storey = relations::storey_of(author.edit, wall)?;
        let points = text("Line")?
            .split(';')
            .map(|corner| {
                let mut numbers = corner.split_whitespace().map(|n| n.parse::<f64>().ok());
                let (x, y) = (numbers.next()??, numbers.next()??);
                let p = DVec3::new(author.units().to_mm(x), author.units().to_mm(y), 0.0);
                Some(own.transform_point3(p).truncate())
            })
            .collect::<Option<Vec<DVec2>>>()?;
        let division = |count: &str, distance: &str| {
            let count = get(count)?.as_i64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
            Some(match count {
                Some(count) => Division::Count(count),
                None => Division::AtMost(length(distance)?),
            })
        };
        let doors: Vec<Id> = relations::children(author.edit, wall)
            .into_iter()
            .filter(|id| author.edit.get(*id).is_some_and(|part| part.is_a("IfcDoor")))
            .collect();
        let wanted =
            doors.iter().map(|door| read_door(author, *door, &points)).collect::<Option<Vec<_>>>()?;
        let base = own.translation.z - author.frame(storey).ok()?.translation.z;
        Some(Self {
            new: NewCurtain {
                storey,
                points,
                base,
                height: length("Height")?,
                columns: division("ColumnCount", "ColumnDistance")?,
                rows: division("RowCount", "RowDistance")?,
                mullion: DVec2::new(length("MullionWidth")?, length("MullionDepth")?),
                panel_thickness: length("PanelThickness")?,
                panel_material: text("PanelMaterial")?,
                mullion_material: text("MullionMaterial")?,
                doors: wanted,
                name: None,
            },
            doors,
            foot: own.translation.z,
        })
    }
}

/// A door as it would be asked for again.
fn read_door(author: &Author, door: Id, points: &[DVec2]) -> Option<NewDoor> {
    let element = author.edit.get(door)?;
    let size = |attribute: &str| element.number(attribute).map(|n| author.units().to_mm(n));
    let frame = author.frame(door).ok()?;
    let middle = frame.transform_point3(DVec3::X * (size("OverallWidth")? / 2.0)).truncate();
    let mut way = 0.0;
    let mut nearest: Option<(f64, f64)> = None;
    for [a, b] in points.array_windows::<2>() {
        let length = a.distance(*b);
        let along = (*b - *a).normalize_or_zero();
        let at = (middle - *a).dot(along).clamp(0.0, length);
        let off = middle.distance(*a + along * at);
        if nearest.is_none_or(|(_, least)| off < least) {
            nearest = Some((way + at, off));
        }
        way += length;
    }
    let own = element.attr("OperationType").as_enum().map(str::to_owned);
    let of_type = || {
        let kind = relations::type_of(author.edit, door)?;
        author.edit.get(kind)?.attr("OperationType").as_enum().map(str::to_owned)
    };
    Some(NewDoor {
        along: nearest?.0,
        height: size("OverallHeight"),
        operation: own.or_else(of_type),
        name: None,
    })
}

/// The curtain wall that a door is a part of.
pub fn whole_of(author: &Author, door: Id) -> Option<Id> {
    let whole = relations::aggregate_parent(author.edit, door)?;
    author.edit.get(whole).is_some_and(|w| w.is_a("IfcCurtainWall")).then_some(whole)
}

fn known(author: &Author, wall: Id) -> Result<Known, Fault> {
    Known::read(author, wall).ok_or_else(|| {
        Fault::constraint(format!(
            "{} was not made by create_curtain_wall, so its grid is not known. Change its parts one by one, or make one in its place.",
            label(author.edit, wall)
        ))
        .with("field", "parameter_name")
        .with("element_id", guid(author.edit, wall))
    })
}

/// Changes a parameter of a curtain wall; answers its value before and after, and the parts that it has now.
pub fn change(
    author: &mut Author,
    wall: Id,
    parameter: &str,
    value: &Json,
) -> Result<(Json, Json, Vec<Id>), Fault> {
    let mut known = known(author, wall)?;
    let before = shown(author, &known, parameter);
    let number = || {
        let number = value.as_f64();
        positive("value", number.ok_or_else(|| not_a("a number of mm", value))?)
    };
    let text = || name("value", value.as_str().ok_or_else(|| not_a("the name of a material", value))?);
    let new = &mut known.new;
    match parameter {
        "height" => new.height = number()?,
        "columns" => new.columns = division(value)?,
        "rows" => new.rows = division(value)?,
        "mullion_width" => new.mullion.x = number()?,
        "mullion_depth" => new.mullion.y = number()?,
        "panel_thickness" => new.panel_thickness = number()?,
        "panel_material" => new.panel_material = text()?,
        "mullion_material" => new.mullion_material = text()?,
        _ => return with_doors(author, wall, known, value, before),
    }
    let doors = known.doors.iter().copied().map(Some).collect();
    let parts = redraw(author, wall, &known.new, doors, false)?;
    Ok((before, shown(author, &self::known(author, wall)?, parameter), parts))
}

fn not_a(what: &str, value: &Json) -> Fault {
    Fault::invalid("value", format!("`value` must be {what}, not {value}."))
}

/// `{count}` or `{distance}`.
fn division(value: &Json) -> Result<Division, Fault> {
    let refuse = || not_a("{\"count\": parts} or {\"distance\": mm}", value);
    let map = value.as_object().filter(|map| map.len() == 1).ok_or_else(refuse)?;
    if let Some(count) = map.get("count") {
        let count = count.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or_else(refuse)?;
        return Ok(Division::Count(count));
    }
    let distance = map.get("distance").and_then(Json::as_f64).ok_or_else(refuse)?;
    Ok(Division::AtMost(positive("value", distance)?))
}

/// Gives a curtain wall these doors and no others; one that stays in its panel stays the element that it was.
fn with_doors(
    author: &mut Author,
    wall: Id,
    known: Known,
    value: &Json,
    before: Json,
) -> Result<(Json, Json, Vec<Id>), Fault> {
    let list = value.as_array().ok_or_else(|| {
        not_a(
            "the list of its doors: [{\"along\": mm, \"height\": mm, \"operation_type\": …, \"name\": …}, …]",
            value,
        )
    })?;
    let mut wanted = Vec::with_capacity(list.len());
    let mut doors = Vec::with_capacity(list.len());
    let mut left: Vec<(usize, Id)> = known.doors.iter().copied().enumerate().collect();
    let laid = Laid::draw(&known.new)?;
    for (i, one) in list.iter().enumerate() {
        let field = |name: &str| format!("value[{i}].{name}");
        let fault =
            |name: &str, what: &str| Fault::invalid(&field(name), format!("`{}` is {what}.", field(name)));
        let map = one.as_object().ok_or_else(|| not_a("a list of doors {\"along\": mm, …}", value))?;
        if let Some(other) =
            map.keys().find(|key| !["along", "height", "operation_type", "name"].contains(&key.as_str()))
        {
            return Err(fault(other, "no part of a door; it has along, height, operation_type and name"));
        }
        let given = |name: &str| map.get(name).filter(|v| !v.is_null());
        let text = |name: &str| match given(name) {
            None => Ok(None),
            Some(v) => v.as_str().map(|t| Some(t.to_owned())).ok_or_else(|| fault(name, "a text")),
        };
        let along = given("along").and_then(Json::as_f64).ok_or_else(|| fault("along", "a number of mm"))?;
        let height = match given("height") {
            None => None,
            Some(v) => Some(v.as_f64().ok_or_else(|| fault("height", "a number of mm"))?),
        };
        let mut door = NewDoor { along, height, operation: text("operation_type")?, name: text("name")? };
        let panel = laid.panel_at(along);
        let same = left.iter().position(|(at, _)| {
            let was = known.new.doors.get(*at).and_then(|was| laid.panel_at(was.along));
            was.is_some() && was == panel
        });
        let same = same.map(|at| left.remove(at));
        if let Some(was) = same.and_then(|(at, _)| known.new.doors.get(at)) {
            door.operation = door.operation.or_else(|| was.operation.clone());
            door.height = door.height.or(was.height);
        }
        doors.push(same.map(|(_, id)| id));
        wanted.push(door);
    }
    // what is not wanted any more stands at the end of the list, where no place is found for it
    doors.extend(left.into_iter().map(|(_, id)| Some(id)));
    let new = NewCurtain { doors: wanted, ..known.new };
    let parts = redraw(author, wall, &new, doors, true)?;
    let after = shown(author, &self::known(author, wall)?, "doors");
    Ok((before, after, parts))
}

/// Changes the place or the height of a door in a curtain wall.
pub fn change_door(
    author: &mut Author,
    wall: Id,
    door: Id,
    parameter: &str,
    value: f64,
) -> Result<(Json, Json, Vec<Id>), Fault> {
    let mut known = known(author, wall)?;
    let at = known.doors.iter().position(|id| *id == door);
    let shown = |known: &Known| {
        let door = at.and_then(|at| known.new.doors.get(at));
        json!(door.and_then(|d| if parameter == "along" { Some(d.along) } else { d.height }).map(mm))
    };
    let before = shown(&known);
    if let Some(door) = at.and_then(|at| known.new.doors.get_mut(at)) {
        if parameter == "along" { door.along = value } else { door.height = Some(value) }
    }
    let doors = known.doors.iter().copied().map(Some).collect();
    let mut parts = redraw(author, wall, &known.new, doors, false)?;
    parts.retain(|id| *id != door);
    Ok((before, shown(&self::known(author, wall)?), parts))
}

/// A curtain wall that loses doors, as it is to be drawn without them.
pub(crate) struct Losing {
    wall: Id,
    new: NewCurtain,
    doors: Vec<Option<Id>>,
}

impl Losing {
    /// Reads those that lose doors among the elements that go, and stay themselves.
    pub(crate) fn among(author: &Author, gone: &[Id]) -> Vec<Self> {
        let is_door = |id: &&Id| author.edit.get(**id).is_some_and(|it| it.is_a("IfcDoor"));
        let walls: BTreeSet<Id> =
            gone.iter().filter(is_door).filter_map(|door| whole_of(author, *door)).collect();
        let read = |wall: Id| {
            let known = Known::read(author, wall)?;
            let kept = |(door, _): &(Id, NewDoor)| !gone.contains(door);
            let (doors, wanted) = known.doors.into_iter().zip(known.new.doors).filter(kept).unzip();
            let doors: Vec<Id> = doors;
            let doors = doors.into_iter().map(Some).collect();
            Some(Self { wall, new: NewCurtain { doors: wanted, ..known.new }, doors })
        };
        walls.into_iter().filter(|wall| !gone.contains(wall)).filter_map(read).collect()
    }

    /// Closes it where its doors were.
    pub(crate) fn close(self, author: &mut Author) -> Result<(), Fault> {
        redraw(author, self.wall, &self.new, self.doors, false).map(drop)
    }
}

/// Draws a curtain wall anew with these doors in the places of those wanted, which were `listed` in the value or stand there already.
fn redraw(
    author: &mut Author,
    wall: Id,
    new: &NewCurtain,
    doors: Vec<Option<Id>>,
    listed: bool,
) -> Result<Vec<Id>, Fault> {
    let plan = Plan::draw(author, new);
    let of_value = |fault: Fault| match fault.data.get("field").and_then(Json::as_str) {
        Some(field) if field.starts_with("doors[") => {
            let number = field.split(['[', ']']).nth(1).and_then(|n| n.parse::<usize>().ok());
            let door = number.and_then(|n| doors.get(n).copied().flatten());
            if let Some(door) = door.filter(|_| !listed) {
                let text = format!("{} has no place any more. {}", label(author.edit, door), fault.message);
                let id = guid(author.edit, door);
                Fault::constraint(text).with("field", "value").with("elements", vec![id])
            } else {
                let at = field.replacen("doors", "value", 1);
                fault.with("field", at)
            }
        }
        _ => fault.with("field", "value"),
    };
    let plan = plan.map_err(of_value)?;
    let mut former = Former { doors, ..Former::default() };
    for part in relations::children(author.edit, wall) {
        let Some(element) = author.edit.get(part) else { continue };
        former.names.extend(element.name());
        if element.is_a("IfcPlate") {
            former.plates.push_back(part);
        } else if element.is_a("IfcMember") {
            let is_post = Links::of_one(author.edit).predefined_type(part).as_deref() == Some("POST");
            let is_upright = author.frame(part).is_ok_and(|frame| frame.z_axis.z > 0.5);
            match (is_post, is_upright) {
                (true, _) => former.posts.push_back(part),
                (_, true) => former.mullions.push_back(part),
                _ => former.transoms.push_back(part),
            }
        }
    }
    fit_out(author, wall, new, &plan, former)?;
    Ok(relations::children(author.edit, wall))
}

fn shown(author: &Author, known: &Known, parameter: &str) -> Json {
    let division = |division: Division| match division {
        Division::Count(count) => json!({ "count": count }),
        Division::AtMost(size) => json!({ "distance": mm(size) }),
    };
    let new = &known.new;
    match parameter {
        "height" => json!(mm(new.height)),
        "columns" => division(new.columns),
        "rows" => division(new.rows),
        "mullion_width" => json!(mm(new.mullion.x)),
        "mullion_depth" => json!(mm(new.mullion.y)),
        "panel_thickness" => json!(mm(new.panel_thickness)),
        "panel_material" => json!(new.panel_material),
        "mullion_material" => json!(new.mullion_material),
        _ => {
            let doors = known.doors.iter().zip(&new.doors);
            doors
                .map(|(id, door)| {
                    json!({
                        "door_id": guid(author.edit, *id), "along": mm(door.along),
                        "height": door.height.map(mm), "operation_type": door.operation
                    })
                })
                .collect()
        }
    }
}
