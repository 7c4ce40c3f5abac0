//! Wavefront OBJ with its materials: one group for each element, named by class and GlobalId. Metres, z up as in IFC, world coordinates.

use crate::ExchangeError;
use crate::archive::File;
use crate::report::{Action, Log, Report};
use crate::shown::Shown;
use geometry::{Mesh, Scene};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// An OBJ and its MTL.
#[derive(Debug, Clone)]
pub struct Obj {
    /// The two files: `NAME.obj`, which names `NAME.mtl`.
    pub files: [File; 2],
    /// The number of groups.
    pub elements: usize,
    /// The elements without a shape, by reason.
    pub report: Report,
}

/// The elements of a scene as OBJ; `name` without an ending.
pub fn obj(scene: &Scene, name: &str) -> Result<Obj, ExchangeError> {
    obj_of(scene, name, Shown::All)
}

/// Those elements of a scene that are shown.
pub(crate) fn obj_of(scene: &Scene, name: &str, shown: Shown<'_>) -> Result<Obj, ExchangeError> {
    let name = crate::labels::file_name(name).replace(' ', "_");
    let mut text = format!("# Pensaer {}; metres, z up\nmtllib {name}.mtl\n", env!("CARGO_PKG_VERSION"));
    let mut colours = BTreeSet::new();
    let mut log = Log::default();
    let (mut points, mut elements) = (0, 0);
    for entry in scene.entries().iter().filter(|entry| shown.has(entry.id)) {
        let Some(shape) = scene.shape(entry.id) else {
            let reason =
                entry.notes.first().map_or_else(|| "has no body".to_owned(), |note| note.reason.clone());
            log.note(Action::Dropped, &entry.class, &format!("has no mesh: {reason}"), || {
                Some(entry.global_id.clone())
            });
            continue;
        };
        elements += 1;
        let label = scene.model().get(entry.id).and_then(|i| i.name()).unwrap_or_default();
        // a name is to the end of its line
        let label: String = label.chars().map(|c| if c.is_control() { ' ' } else { c }).take(120).collect();
        let global_id: String =
            entry.global_id.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
        let _ = write!(text, "# {label}\no {}_{global_id}\n", entry.class);
        for part in &shape.parts {
            let mut mesh = Mesh::default();
            mesh.append_at(&part.mesh, &part.at);
            colours.insert(part.colour);
            let _ = writeln!(text, "usemtl {}", material(part.colour));
            for p in &mesh.positions {
                let _ = writeln!(text, "v {} {} {}", digits(p.x), digits(p.y), digits(p.z));
            }
            for n in &mesh.normals {
                let _ = writeln!(text, "vn {:.4} {:.4} {:.4}", n.x + 0.0, n.y + 0.0, n.z + 0.0);
            }
            for [a, b, c] in &mesh.triangles {
                let [a, b, c] = [a, b, c].map(|i| *i as usize + points + 1);
                let _ = writeln!(text, "f {a}//{a} {b}//{b} {c}//{c}");
            }
            points += mesh.positions.len();
        }
    }
    if elements == 0 {
        return Err(ExchangeError::Nothing("elements with a shape"));
    }
    let mut library = String::new();
    for colour in colours {
        let [r, g, b, a] = colour.map(|v| f64::from(v) / 255.0);
        let _ =
            write!(library, "newmtl {}\nKd {r:.4} {g:.4} {b:.4}\nd {a:.4}\nillum 1\n\n", material(colour));
    }
    let file =
        |ending: &str, text: String| File { name: format!("{name}.{ending}"), bytes: text.into_bytes() };
    Ok(Obj { files: [file("obj", text), file("mtl", library)], elements, report: log.finish() })
}

fn material([r, g, b, a]: [u8; 4]) -> String {
    format!("c{r:02x}{g:02x}{b:02x}{a:02x}")
}

/// A coordinate to a hundredth of a millimetre.
fn digits(v: f64) -> f64 {
    (v * 1e5).round() / 1e5 + 0.0
}
