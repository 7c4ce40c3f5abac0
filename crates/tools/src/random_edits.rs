//! Random houses and random edits on models, drawn from a seed: what is drawn depends on the seed and the model alone.

use crate::desk::{Desk, text};
use building::Author;
use building::host::Wall;
use contract::Actor;
use glam::DVec2;
use ifc::guid::GuidSource;
use ifc::relations::{self, contained};
use ifc::{Id, Model};
use serde_json::{Value, json};

/// A die that always falls the same way for a seed (splitmix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to less than `many`.
    pub(crate) fn below(&mut self, many: usize) -> usize {
        (self.next() % many.max(1) as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A multiple of `step` between two bounds, both included.
    pub(crate) fn between(&mut self, low: i64, high: i64, step: i64) -> f64 {
        let steps = ((high - low) / step) as usize + 1;
        (low + step * self.below(steps) as i64) as f64
    }

    /// The same, to either side.
    fn either(&mut self, low: i64, high: i64, step: i64) -> f64 {
        let size = self.between(low, high, step);
        if self.chance(50) { size } else { -size }
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        if of.is_empty() { None } else { Some(of[self.below(of.len())]) }
    }

    fn word(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }
}

/// A house of one or two storeys with rooms, doors and windows, and now and then a stair or furniture.
pub(crate) fn house(dice: &mut Dice, schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    let (x, y) = (dice.between(8000, 14000, 500), dice.between(7000, 11000, 500));
    let footprint = if dice.chance(40) {
        let (cx, cy) = (dice.between(3500, 4500, 250), dice.between(3000, 4000, 250));
        json!([[0, 0], [x, 0], [x, y - cy], [x - cx, y - cy], [x - cx, y], [0, y]])
    } else {
        json!([[0, 0], [x, 0], [x, y], [0, y]])
    };
    let storeys = 1 + dice.below(2);
    let shell = desk.call(
        "create_building_shell",
        json!({
            "footprint": footprint, "storeys": storeys, "wall_thickness": dice.between(200, 400, 50),
            "roof": dice.word(&["flat", "flat", "gable", "hip", "none"]), "overhang": dice.between(0, 500, 100),
            "names": { "walls": "Wall {n}" }
        }),
    );
    for storey in shell["storeys"].as_array().unwrap() {
        let rooms: Vec<Value> = (0..dice.between(2, 4, 1) as usize)
            .map(|n| json!({ "name": format!("Room {n}"), "area": dice.between(8, 20, 1) }))
            .collect();
        let wish = json!({ "level_id": storey["level_id"], "rooms": rooms, "doors": true });
        desk.try_call("create_rooms", wish).ok();
        for wall in storey["walls"].as_array().unwrap() {
            let window = json!({
                "host_id": wall["wall_id"], "location": { "at": "center" }, "width": dice.between(800, 1600, 100),
                "height": dice.between(800, 1400, 100), "opening_type": dice.word(&["window", "window", "void"])
            });
            desk.try_call("create_opening", window).ok();
        }
    }
    for _ in 0..dice.below(3) {
        let (tool, arguments) = furniture(dice, &desk.model).unwrap_or(("create_level", json!({})));
        desk.try_call(tool, arguments).ok();
    }
    desk
}

/// An edit: a tool and its arguments.
pub(crate) type Drawn = (&'static str, Value);

fn guid(model: &Model, id: Id) -> String {
    model.get(id).and_then(|e| e.guid()).unwrap_or_default()
}

fn any(dice: &mut Dice, model: &Model, class: &str) -> Option<Id> {
    let mut all = model.of_class(class);
    all.sort_unstable();
    dice.pick(&all)
}

fn any_of(dice: &mut Dice, model: &Model, classes: &[&'static str]) -> Option<Id> {
    let class = dice.word(classes);
    any(dice, model, class)
}

/// Reads with an author of its own, whose edit is dropped.
pub(crate) fn reading<T>(model: &Model, read: impl FnOnce(&Author) -> T) -> T {
    let (mut edit, mut guids) = (model.edit(), GuidSource::new("read"));
    let actor = Actor { principal: "reader".into(), client: None };
    read(&Author::new(&mut edit, &mut guids, 0, &actor))
}

fn wall(dice: &mut Dice, model: &Model) -> Option<Wall> {
    let id = any(dice, model, "IfcWall")?;
    reading(model, |author| Wall::read(author, id).ok())
}

/// A point of a wall's axis in plan.
fn along(wall: &Wall, at: f64) -> DVec2 {
    wall.frame.transform_point3(glam::DVec3::new(at, 0.0, 0.0)).truncate()
}

fn storey_name(model: &Model, id: Id) -> Option<String> {
    relations::storey_of(model, id).map(|storey| guid(model, storey))
}

/// A point near where there is something, in plan.
fn place(dice: &mut Dice, model: &Model) -> Option<(DVec2, String)> {
    let wall = wall(dice, model)?;
    let across = dice.either(600, 3000, 50);
    let at = dice.between(0, 100, 5) / 100.0 * wall.length;
    let point = wall.frame.transform_point3(glam::DVec3::new(at, across, 0.0)).truncate();
    Some((point.round(), storey_name(model, wall.id)?))
}

fn furniture(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    const KINDS: [&str; 8] = ["bed", "table", "chair", "desk", "sofa", "wardrobe", "shelf", "coffee_table"];
    let room = any(dice, model, "IfcSpace")?;
    Some(("create_furniture", json!({ "kind": dice.word(&KINDS), "room": guid(model, room) })))
}

fn parameter(model: &Model, id: Id, name: &str, value: Value) -> Drawn {
    let arguments = json!({ "element_id": guid(model, id), "parameter_name": name, "value": value });
    ("modify_parameter", arguments)
}

fn round(p: DVec2) -> [f64; 2] {
    p.round().to_array()
}

/// An edit of a wall as it stands.
fn of_wall(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let wall = wall(dice, model)?;
    let id = guid(model, wall.id);
    let (x, y) = (wall.frame.matrix3.x_axis.truncate(), wall.frame.matrix3.y_axis.truncate());
    Some(match dice.below(10) {
        0..=2 => {
            let by = y * dice.either(50, 600, 50);
            ("move_elements", json!({ "element_ids": [id], "by": round(by) }))
        }
        3 => {
            let by = x * dice.either(50, 800, 50);
            ("move_elements", json!({ "element_ids": [id], "by": round(by) }))
        }
        4 => {
            let angle = if dice.chance(30) { 90.0 } else { dice.either(1, 12, 1) };
            let mut arguments = json!({ "element_ids": [id], "angle": angle });
            if dice.chance(50) {
                arguments["origin"] = json!(round(along(&wall, 0.0)));
            }
            ("rotate_elements", arguments)
        }
        5 => parameter(model, wall.id, "length", json!(wall.length + dice.either(50, 900, 50))),
        6 => {
            let (name, at) = if dice.chance(50) { ("start", 0.0) } else { ("end", wall.length) };
            let to = along(&wall, at) + x * dice.either(0, 600, 100) + y * dice.either(0, 300, 100);
            parameter(model, wall.id, name, json!(round(to)))
        }
        7 | 8 => parameter(model, wall.id, "thickness", json!(dice.between(100, 450, 10))),
        _ => parameter(model, wall.id, "height", json!(wall.height + dice.either(50, 600, 50))),
    })
}

fn of_opening(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let id = any_of(dice, model, &["IfcDoor", "IfcWindow", "IfcWindow", "IfcOpeningElement"])?;
    Some(match dice.below(8) {
        0 | 1 => parameter(model, id, "along", json!(dice.between(600, 8000, 50))),
        2 => parameter(model, id, "width", json!(dice.between(500, 2400, 50))),
        3 => parameter(model, id, "height", json!(dice.between(500, 2600, 50))),
        4 => parameter(model, id, "sill", json!(dice.between(0, 1500, 50))),
        5 => {
            let by = [dice.either(0, 900, 50), dice.either(0, 900, 50)];
            ("move_elements", json!({ "element_ids": [guid(model, id)], "by": by }))
        }
        6 => ("delete_elements", json!({ "element_ids": [guid(model, id)] })),
        _ => {
            let by = if dice.chance(50) {
                [dice.either(900, 2500, 50), 0.0]
            } else {
                [0.0, dice.either(900, 2500, 50)]
            };
            ("copy_elements", json!({ "element_ids": [guid(model, id)], "by": by }))
        }
    })
}

fn new_opening(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let host = any_of(dice, model, &["IfcWall", "IfcWall", "IfcWall", "IfcSlab"])?;
    let kind = if model.get(host)?.is_a("IfcWall") { dice.word(&["window", "door", "void"]) } else { "void" };
    let location = if dice.chance(60) {
        json!({ "fraction": dice.between(5, 95, 5) / 100.0 })
    } else {
        json!({ "along": dice.between(400, 9000, 100) })
    };
    let arguments = json!({
        "host_id": guid(model, host), "location": location, "width": dice.between(500, 1600, 100),
        "height": dice.between(600, 2200, 100), "opening_type": kind
    });
    Some(("create_opening", arguments))
}

fn of_storey(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let storey = any(dice, model, "IfcBuildingStorey")?;
    let is = reading(model, |author| building::project::elevation_of(author, storey));
    Some(parameter(model, storey, "elevation", json!(is + dice.either(100, 700, 50))))
}

/// Deletes something, its openings handed on or not.
fn deletion(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let classes =
        ["IfcWall", "IfcWall", "IfcSlab", "IfcSpace", "IfcFurnishingElement", "IfcColumn", "IfcStair"];
    let id = any_of(dice, model, &classes)?;
    let mut arguments = json!({ "element_ids": [guid(model, id)] });
    if model.get(id)?.is_a("IfcWall") && dice.chance(40) {
        arguments["rehost"] = json!(guid(model, any(dice, model, "IfcWall")?));
    }
    Some(("delete_elements", arguments))
}

fn arranging(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let classes = [
        "IfcWall",
        "IfcFurnishingElement",
        "IfcFurnishingElement",
        "IfcColumn",
        "IfcSlab",
        "IfcStair",
        "IfcRoof",
        "IfcSpace",
        "IfcWindow",
    ];
    let id = any_of(dice, model, &classes)?;
    let ids = json!([guid(model, id)]);
    let by = [dice.either(0, 4000, 100), dice.either(0, 4000, 100)];
    Some(match dice.below(7) {
        0 => ("copy_elements", json!({ "element_ids": ids, "by": by })),
        1 => {
            let level = guid(model, any(dice, model, "IfcBuildingStorey")?);
            ("copy_elements", json!({ "element_ids": ids, "to_level": level }))
        }
        2 | 3 => {
            let (at, _) = place(dice, model)?;
            let to = if dice.chance(50) { at + DVec2::X * 1000.0 } else { at + DVec2::Y * 1000.0 };
            let line = [at.to_array(), to.to_array()];
            ("mirror_elements", json!({ "element_ids": ids, "line": line, "copy": dice.chance(60) }))
        }
        4 => ("rotate_elements", json!({ "element_ids": ids, "angle": dice.between(0, 270, 90) })),
        _ => ("move_elements", json!({ "element_ids": ids, "by": [by[0] / 10.0, by[1] / 10.0] })),
    })
}

fn creation(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let (at, level) = place(dice, model)?;
    let (w, d) = (dice.between(1500, 5000, 100), dice.between(1500, 5000, 100));
    let square = [[0.0, 0.0], [w, 0.0], [w, d], [0.0, d]].map(|[x, y]| [at.x + x, at.y + y]);
    Some(match dice.below(12) {
        0 | 1 => (
            "create_column",
            json!({ "level_id": level, "at": [at.to_array()], "width": dice.between(200, 400, 50) }),
        ),
        2 => {
            let to = at + if dice.chance(50) { DVec2::X * w } else { DVec2::Y * d };
            let section = dice.word(&["IPE300", "HEB200", "RHS200x100x8"]);
            (
                "create_beam",
                json!({ "level_id": level, "start": at.to_array(), "end": to.to_array(), "section": section }),
            )
        }
        3 => (
            "create_floor",
            json!({ "level_id": level, "boundary_points": square, "thickness": dice.between(100, 300, 50) }),
        ),
        4 => {
            let shape = dice.word(&["flat", "gable", "hip", "shed"]);
            (
                "create_roof",
                json!({ "level_id": level, "boundary_points": square, "shape": shape, "pitch": 30 }),
            )
        }
        5 => (
            "create_stair",
            json!({ "level_id": level, "within": guid(model, any(dice, model, "IfcSpace")?) }),
        ),
        6 | 7 => furniture(dice, model)?,
        8 => {
            // between two walls, or into the open
            let (one, other) = (wall(dice, model)?, wall(dice, model)?);
            let from = along(&one, one.length * dice.between(10, 90, 10) / 100.0);
            let to =
                if dice.chance(50) { along(&other, other.length / 2.0) } else { from + DVec2::new(w, 0.0) };
            let kind = dice.word(&["interior", "partition", "exterior"]);
            let arguments = json!({
                "start": round(from), "end": round(to), "level_id": storey_name(model, one.id)?, "wall_type": kind,
                "thickness": dice.between(100, 300, 20), "height": one.height.round()
            });
            ("create_wall", arguments)
        }
        9 => ("create_space", json!({ "level_id": level, "boundary_points": square, "name": "New" })),
        10 => {
            let rooms = [json!({ "name": "A", "area": 9 }), json!({ "name": "B", "area": 12 })];
            ("create_rooms", json!({ "level_id": level, "rooms": rooms, "doors": true }))
        }
        _ => {
            let surface = dice.word(&["floor", "ceiling", "walls", "skirting"]);
            (
                "create_covering",
                json!({ "rooms": [guid(model, any(dice, model, "IfcSpace")?)], "surface": surface }),
            )
        }
    })
}

fn of_flat(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let id = any_of(dice, model, &["IfcSlab", "IfcRoof", "IfcSpace", "IfcColumn"])?;
    let class = model.get(id)?.class_name().to_owned();
    Some(match class.as_str() {
        "IfcSpace" | "IfcColumn" => parameter(model, id, "height", json!(dice.between(2000, 3400, 50))),
        "IfcRoof" if dice.chance(60) => {
            let (name, value) = if dice.chance(50) {
                ("pitch", dice.between(10, 60, 5))
            } else {
                ("overhang", dice.between(0, 700, 50))
            };
            parameter(model, id, name, json!(value))
        }
        _ => parameter(model, id, "thickness", json!(dice.between(100, 400, 20))),
    })
}

fn joining(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let kind = dice.word(&["auto", "butt", "mitre", "tee", "none"]);
    let connections = model.of_class("IfcRelConnectsPathElements");
    let ids = match dice.pick(&connections) {
        Some(relation) if dice.chance(70) => {
            let relation = model.get(relation)?;
            [relation.reference("RelatingElement")?, relation.reference("RelatedElement")?]
        }
        _ => [any(dice, model, "IfcWall")?, any(dice, model, "IfcWall")?],
    };
    Some(("join_elements", json!({ "element_ids": ids.map(|id| guid(model, id)), "join_type": kind })))
}

/// Edits that say nothing of shapes.
fn clothing(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let id = any_of(dice, model, &["IfcWall", "IfcSlab", "IfcDoor"])?;
    Some(match dice.below(3) {
        0 => ("set_style", json!({ "element_ids": [guid(model, id)], "color": "#336699" })),
        1 => {
            let properties = json!({ "FireRating": "F30" });
            (
                "set_properties",
                json!({ "element_ids": [guid(model, id)], "pset": "Checked", "properties": properties }),
            )
        }
        _ => parameter(model, id, "Description", json!("Looked at")),
    })
}

fn typing(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let id = any_of(dice, model, &["IfcWall", "IfcWall", "IfcWindow", "IfcSlab"])?;
    let element = model.get(id)?;
    if dice.chance(50) && element.is_a("IfcWall") {
        let new = json!({ "name": format!("Type {}", dice.below(1000)), "changes": { "thickness": dice.between(100, 400, 10) } });
        return Some(("assign_type", json!({ "element_ids": [guid(model, id)], "new_type": new })));
    }
    let other = any(dice, model, element.class_name())?;
    let to = relations::type_of(model, other)?;
    if element.is_a("IfcWall") && dice.chance(30) {
        return Some(parameter(model, to, "thickness", json!(dice.between(100, 400, 10))));
    }
    Some(("assign_type", json!({ "element_ids": [guid(model, id)], "type_id": guid(model, to) })))
}

/// Everything of a storey at once.
fn whole_storey(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let storey = any(dice, model, "IfcBuildingStorey")?;
    let ids: Vec<String> = contained(model, storey).into_iter().map(|id| guid(model, id)).collect();
    if ids.is_empty() || ids.len() > 60 {
        return None;
    }
    let by = [dice.either(100, 2000, 100), dice.either(0, 2000, 100)];
    Some(match dice.below(3) {
        0 => ("move_elements", json!({ "element_ids": ids, "by": by })),
        1 => ("rotate_elements", json!({ "element_ids": ids, "angle": dice.between(15, 345, 15) })),
        _ => ("copy_elements", json!({ "element_ids": ids, "by": [40_000, 0] })),
    })
}

/// A call that no tool can answer.
fn nonsense(dice: &mut Dice, model: &Model) -> Option<Drawn> {
    let wall = any(dice, model, "IfcWall")?;
    let level = storey_name(model, wall)?;
    Some(match dice.below(8) {
        0 => parameter(model, wall, "thickness", json!(-200)),
        1 => parameter(model, wall, "height", json!(0)),
        2 => parameter(model, wall, "hight", json!(2500)),
        3 => ("move_elements", json!({ "element_ids": ["Nobody's wall"], "by": [100, 0] })),
        4 => {
            let crossed = [[0, 0], [4000, 4000], [4000, 0], [0, 4000]];
            ("create_floor", json!({ "level_id": level, "boundary_points": crossed }))
        }
        5 => {
            let location = json!({ "along": 200_000 });
            let arguments =
                json!({ "host_id": guid(model, wall), "location": location, "width": 1000, "height": 1000 });
            ("create_opening", arguments)
        }
        6 => ("create_wall", json!({ "start": [0, 0], "end": [0, 0], "level_id": level })),
        _ => parameter(model, wall, "length", json!(-10)),
    })
}

/// The next edit, and whether it has to be refused. What the model has nothing for is drawn again.
pub(crate) fn draw(dice: &mut Dice, model: &Model) -> (Drawn, bool) {
    loop {
        let (drawn, wrong) = match dice.below(100) {
            0..=29 => (of_wall(dice, model), false),
            30..=44 => (of_opening(dice, model), false),
            45..=51 => (new_opening(dice, model), false),
            52..=55 => (of_storey(dice, model), false),
            56..=60 => (deletion(dice, model), false),
            61..=68 => (arranging(dice, model), false),
            69..=79 => (creation(dice, model), false),
            80..=84 => (of_flat(dice, model), false),
            85..=88 => (joining(dice, model), false),
            89..=90 => (clothing(dice, model), false),
            91..=94 => (typing(dice, model), false),
            95..=96 => (whole_storey(dice, model), false),
            _ => (nonsense(dice, model), true),
        };
        if let Some(drawn) = drawn {
            return (drawn, wrong);
        }
    }
}

/// The names of the elements that an edit is about, for a word on it.
pub(crate) fn in_words(model: &Model, (tool, arguments): &Drawn) -> String {
    let named = |id: &str| {
        let element = model.by_guid(id).and_then(|id| model.get(id));
        element.map(|e| format!("{} {}", e.class_name(), e.name().unwrap_or_default()))
    };
    let mut names: Vec<String> = ["element_ids", "element_id", "host_id", "rehost", "rooms"]
        .iter()
        .flat_map(|key| match &arguments[key] {
            Value::Array(many) => many.iter().map(text).collect(),
            one => vec![text(one)],
        })
        .filter_map(|id| named(&id))
        .collect();
    names.truncate(4);
    let told = arguments.to_string();
    let told: String = told.chars().take(600).collect();
    format!("{tool} {told} ({})", names.join(", "))
}
