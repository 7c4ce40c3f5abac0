//! Triangles out of files that other programs made: binary glTF (GLB) and Wavefront OBJ.
//!
//! What is read are faces and their base colours; textures, bones, lines and points are passed over. Whatever the bytes are, the
//! answer is triangles whose corners exist and are finite, or a reason. Both readers are our own: those of the crates
//! index into what a file says, and we read files from anybody.

mod glb;
mod obj;

use glam::DVec3;

/// The most bytes that a file may have.
pub const MAX_BYTES: usize = 64 << 20;
/// The most triangles that are taken from one file.
pub const MAX_TRIANGLES: usize = 200_000;
/// The most corner points that are taken from one file.
const MAX_POINTS: usize = 800_000;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Binary glTF 2.0: metres, y up by its standard; here turned so that z is up.
    Glb,
    /// Wavefront OBJ: neither its unit nor its way up is said; as it stands in the file.
    Obj,
}

/// Triangles of one colour.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Piece {
    /// Corner points, in the file's unit.
    pub positions: Vec<DVec3>,
    /// Indices into `positions`, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Colour on screen with opacity, where the file gives one.
    pub colour: Option<[u8; 4]>,
}

/// A file's triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The format of the file.
    pub format: Format,
    /// The triangles, one piece to a colour.
    pub pieces: Vec<Piece>,
}

/// The reason why a file gives no triangles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// Neither format.
    #[error("it is neither a GLB (binary glTF 2.0) nor an OBJ file")]
    Unknown,
    /// glTF as text, with its geometry in other files.
    #[error("it is a glTF file as text, whose geometry lies in other files; export it as GLB")]
    Text,
    /// More than the limits allow.
    #[error("it has more than {most} {what}")]
    TooLarge {
        /// Bytes, triangles, corner points or nodes.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// Something that the readers do not know.
    #[error("it needs {0}, which is not read here")]
    Unsupported(String),
    /// The file contradicts its format.
    #[error("{0}")]
    Broken(String),
    /// A file without faces.
    #[error("it has no faces")]
    Empty,
}

impl Imported {
    /// The number of triangles.
    pub fn triangles(&self) -> usize {
        self.pieces.iter().map(|piece| piece.triangles.len()).sum()
    }
}

/// Reads a file; its format is told by its beginning.
pub fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    if bytes.len() > MAX_BYTES {
        return Err(ImportError::TooLarge { what: "bytes", most: MAX_BYTES });
    }
    let mut found = if bytes.starts_with(b"glTF") {
        Imported { format: Format::Glb, pieces: glb::read(bytes)? }
    } else if bytes.trim_ascii_start().starts_with(b"{") {
        return Err(ImportError::Text);
    } else {
        Imported { format: Format::Obj, pieces: obj::read(bytes)? }
    };
    found.pieces.retain(|piece| !piece.triangles.is_empty());
    if found.pieces.is_empty() { Err(ImportError::Empty) } else { Ok(found) }
}

/// Counts what is taken from a file, and ends where that is too much.
#[derive(Default)]
struct Budget {
    points: usize,
    triangles: usize,
}

impl Budget {
    fn points(&mut self, more: usize) -> Result<(), ImportError> {
        self.points = self.points.saturating_add(more);
        if self.points > MAX_POINTS {
            return Err(ImportError::TooLarge { what: "corner points", most: MAX_POINTS });
        }
        Ok(())
    }

    fn triangles(&mut self, more: usize) -> Result<(), ImportError> {
        self.triangles = self.triangles.saturating_add(more);
        if self.triangles > MAX_TRIANGLES {
            return Err(ImportError::TooLarge { what: "triangles", most: MAX_TRIANGLES });
        }
        Ok(())
    }
}

/// A point whose coordinates are numbers of a size that a building can have.
fn sound(p: DVec3) -> Result<DVec3, ImportError> {
    if p.is_finite() && p.abs().max_element() < 1e12 {
        Ok(p)
    } else {
        Err(ImportError::Broken("it has a corner point that is no number".to_owned()))
    }
}

#[cfg(test)]
mod tests;
