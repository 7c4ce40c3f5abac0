//! An element of any class and shape.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool, given_file};
use building::anything::class::Class;
use building::anything::faces::Triangles;
use building::anything::form::Form;
use building::anything::{self, ElementAnswer, NewElement, Put, colour};
use building::{Author, polygon};
use contract::{Effect, EventType, Fault, FaultCode, FileNeed, NamedFile, Toolset};
use geometry::import::{self, Format};
use glam::{DVec2, DVec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The role of the file of a mesh.
const FILE: &str = "mesh";
/// The parameter that names it.
const FILE_FIELD: &str = "shape.mesh.file";
/// The most vertices of a mesh given in the call.
const MOST_INLINE: usize = 100_000;

#[derive(Deserialize, JsonSchema)]
struct BoxShape {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Extrusion {
    /// Corners [[x, y], …] in order.
    profile: Vec<Point>,
    height: f64,
    /// [x, y, z]; without it up.
    direction: Option<[f64; 3]>,
}

#[derive(Deserialize, JsonSchema)]
struct Revolve {
    /// Corners [[x, z], …] in the upright plane through x.
    profile: Vec<Point>,
    /// Two points [[x, z], [x, z]]; without it the upright line through the origin.
    axis: Option<[[f64; 2]; 2]>,
    /// Degrees; without it 360.
    angle: Option<f64>,
}

#[derive(Deserialize, JsonSchema)]
struct Sweep {
    /// Of a round bar; or a profile.
    radius: Option<f64>,
    /// Corners [[x, y], …]: x to the right of the path, y up.
    profile: Option<Vec<Point>>,
    /// Points [[x, y, z], …].
    path: Vec<[f64; 3]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Mm,
    Cm,
    M,
    Inch,
    Foot,
}

impl Unit {
    fn in_mm(self) -> f64 {
        match self {
            Self::Mm => 1.0,
            Self::Cm => 10.0,
            Self::M => 1000.0,
            Self::Inch => 25.4,
            Self::Foot => 304.8,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Up {
    Y,
    Z,
}

#[derive(Deserialize, JsonSchema)]
struct Mesh {
    /// GLB or OBJ: path, name of an upload, or key in the bucket.
    file: Option<String>,
    /// Or corner points [[x, y, z], …].
    vertices: Option<Vec<[f64; 3]>>,
    /// With them: triangles by corner, from 0, counter-clockwise from outside.
    faces: Option<Vec<[u32; 3]>>,
    /// Of the coordinates; without it mm, in files m.
    unit: Option<Unit>,
    /// The axis that is up; without it z, in OBJ files y.
    up: Option<Up>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Shape {
    /// Centred on its origin, standing on it.
    #[serde(rename = "box")]
    cuboid: Option<BoxShape>,
    /// A profile in plan, extruded.
    extrusion: Option<Extrusion>,
    /// A profile turned about an axis.
    revolve: Option<Revolve>,
    /// A bar or profile led along a path.
    sweep: Option<Sweep>,
    /// Triangles.
    mesh: Option<Mesh>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Place {
    /// [x, y] or [x, y, z] of the shape's origin; z above the storey.
    point: Point,
    /// Degrees counter-clockwise about its z.
    #[serde(default)]
    rotation: f64,
    /// Direction [x, y, z] of its z; without it up.
    axis: Option<[f64; 3]>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// IfcFurniture, IfcBuildingElementProxy, …
    ifc_class: String,
    /// One of box, extrusion, revolve, sweep and mesh, about its own origin, in mm.
    shape: Shape,
    /// Where its origin comes to lie.
    placement: Place,
    /// Storey, id or name.
    level_id: String,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// Its name.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// Such as #rrggbb, #rrggbbaa or a word like oak.
    #[schemars(extend("x-seldom" = true))]
    colour: Option<String>,
    /// Item of the class's enumeration, such as CHAIR.
    #[schemars(extend("x-seldom" = true))]
    predefined_type: Option<String>,
    /// Its kind, in a word of your own.
    #[schemars(extend("x-seldom" = true))]
    object_type: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_element", Effect::Create, run)
        .title("Create element of any class")
        .description(
            "Makes an element of any class that stands in a building, from a simple shape or a GLB or OBJ file. \
             For what has a tool of its own (walls, slabs, furniture …) use that.",
        )
        .toolset(Toolset::Furnishing)
        .event(EventType::ElementCreated)
        .file(FileNeed::Named(NamedFile { role: FILE.to_owned(), parameter: FILE_FIELD.to_owned() }))
        .example(
            "A bollard",
            json!({
                "ifc_class": "IfcBuildingElementProxy", "object_type": "Bollard", "level_id": "Ground Floor",
                "shape": { "revolve": { "profile": [[0, 0], [100, 0], [100, 800], [0, 900]] } },
                "placement": { "point": [40000, 40000] }, "material": "Steel", "colour": "anthracite"
            }),
        )
        .example(
            "A handle along a path",
            json!({
                "ifc_class": "IfcDiscreteAccessory", "level_id": "Ground Floor",
                "shape": { "sweep": { "radius": 15, "path": [[0, 0, 0], [0, -60, 0], [0, -60, 400], [0, 0, 400]] } },
                "placement": { "point": [42000, 40000, 1000] }
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<ElementAnswer, Fault> {
    let file = given_file::bytes(call, FILE, FILE_FIELD, import::MAX_BYTES)?;
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let class = Class::read(
        author,
        &input.ifc_class,
        input.predefined_type.as_deref(),
        input.object_type.as_deref(),
    )?;
    let form = form(author, input.shape, file.as_deref())?;
    let plan = polygon::plan_point("placement.point", &input.placement.point)?;
    let new = NewElement {
        storey,
        class,
        form,
        put: Put {
            point: plan.extend(polygon::height_of(&input.placement.point)),
            rotation: input.placement.rotation,
            axis: input.placement.axis.map_or(DVec3::Z, DVec3::from),
        },
        name: input.name,
        material: input.material,
        colour: input.colour.map(|text| colour::read("colour", &text)).transpose()?,
    };
    let element = anything::create(author, &new)?;
    anything::answer(author, element)
}

fn form(author: &mut Author, shape: Shape, file: Option<&[u8]>) -> Result<Form, Fault> {
    let given = [
        shape.cuboid.is_some(),
        shape.extrusion.is_some(),
        shape.revolve.is_some(),
        shape.sweep.is_some(),
        shape.mesh.is_some(),
    ];
    if given.iter().filter(|is| **is).count() != 1 {
        return Err(Fault::invalid(
            "shape",
            "`shape` is exactly one of box {x, y, z}, extrusion {profile, height}, revolve {profile}, sweep {radius or profile, path} and mesh {file, or vertices and faces}.",
        ));
    }
    if let Some(size) = shape.cuboid {
        return Ok(Form::Box(DVec3::new(size.x, size.y, size.z)));
    }
    if let Some(it) = shape.extrusion {
        return Ok(Form::Extrusion {
            profile: profile("shape.extrusion.profile", &it.profile)?,
            height: it.height,
            direction: it.direction.map_or(DVec3::Z, DVec3::from),
        });
    }
    if let Some(it) = shape.revolve {
        return Ok(Form::Revolve {
            profile: profile("shape.revolve.profile", &it.profile)?,
            axis: it.axis.map_or([DVec2::ZERO, DVec2::Y * 1000.0], |axis| axis.map(DVec2::from)),
            angle: it.angle.unwrap_or(360.0),
        });
    }
    if let Some(it) = shape.sweep {
        let path = it.path.into_iter().map(DVec3::from).collect();
        return match (it.radius, it.profile) {
            (Some(radius), None) => Ok(Form::Pipe { radius, path }),
            (None, Some(points)) => {
                Ok(Form::Sweep { profile: profile("shape.sweep.profile", &points)?, path })
            }
            _ => Err(Fault::invalid("shape.sweep", "`shape.sweep` takes either a `radius` or a `profile`.")),
        };
    }
    match shape.mesh {
        Some(mesh) => triangles(author, mesh, file).map(Form::Mesh),
        None => Err(Fault::invalid("shape", "`shape` is empty.")),
    }
}

fn profile(field: &str, points: &[Point]) -> Result<Vec<DVec2>, Fault> {
    let flat = points.iter().enumerate().map(|(i, point)| match *point.as_slice() {
        [x, y] => Ok(DVec2::new(x, y)),
        _ => Err(Fault::invalid(
            &format!("{field}[{i}]"),
            format!("A point of `{field}` has two numbers; this one has {}.", point.len()),
        )),
    });
    flat.collect()
}

fn triangles(author: &mut Author, mesh: Mesh, file: Option<&[u8]>) -> Result<Vec<Triangles>, Fault> {
    match (mesh.file, mesh.vertices, mesh.faces) {
        (Some(_), None, None) => {
            let bytes = file.ok_or_else(|| {
                Fault::new(
                    FaultCode::NotSupported,
                    "A file comes with a call of the tool itself, not from within a script or batch; give vertices and faces there.",
                )
                .with("field", FILE_FIELD)
            })?;
            of_file(author, bytes, mesh.unit, mesh.up)
        }
        (None, Some(vertices), Some(faces)) => {
            if vertices.len() > MOST_INLINE || faces.len() > MOST_INLINE {
                return Err(Fault::invalid(
                    "shape.mesh.vertices",
                    format!("More than {MOST_INLINE} vertices or faces; upload a GLB or OBJ file instead."),
                ));
            }
            let points =
                placed(vertices.into_iter().map(DVec3::from), mesh.unit.unwrap_or(Unit::Mm), mesh.up);
            Ok(vec![Triangles { points, triangles: faces, colour: None }])
        }
        _ => Err(Fault::invalid(
            "shape.mesh",
            "`shape.mesh` takes either a `file` (GLB or OBJ) or `vertices` with `faces`.",
        )),
    }
}

/// Points in mm with z up.
fn placed(points: impl Iterator<Item = DVec3>, unit: Unit, up: Option<Up>) -> Vec<DVec3> {
    let scale = unit.in_mm();
    points.map(|p| scale * if up == Some(Up::Y) { DVec3::new(p.x, -p.z, p.y) } else { p }).collect()
}

fn of_file(
    author: &mut Author,
    bytes: &[u8],
    unit: Option<Unit>,
    up: Option<Up>,
) -> Result<Vec<Triangles>, Fault> {
    let found = import::read(bytes).map_err(|error| {
        Fault::new(FaultCode::UnreadableFile, format!("The file of `{FILE_FIELD}` gives no shape: {error}."))
            .with("field", FILE_FIELD)
    })?;
    let glb = found.format == Format::Glb;
    if glb && up == Some(Up::Y) {
        // what the standard says of every GLB is what is read
    } else if glb && up == Some(Up::Z) {
        return Err(Fault::invalid(
            "shape.mesh.up",
            "In a GLB y is up by its standard, and is read so. Leave `up` out; turn it by placement.axis if it lies.",
        ));
    }
    let up = if glb { None } else { Some(up.unwrap_or_else(|| assumed_up(author))) };
    let unit = unit.unwrap_or_else(|| {
        if !glb {
            author.assume("unit of the OBJ file: m");
        }
        Unit::M
    });
    let pieces = found.pieces.into_iter().map(|piece| Triangles {
        points: placed(piece.positions.into_iter(), unit, up),
        triangles: piece.triangles,
        colour: piece.colour,
    });
    Ok(pieces.collect())
}

fn assumed_up(author: &mut Author) -> Up {
    author.assume("y is up in the OBJ file");
    Up::Y
}
