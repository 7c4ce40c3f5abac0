//! Whatever a file of triangles says, what is read of it are finite points and triangles that name them, or a reason.

use geometry::import::read;

/// The most bytes of one input: readers have limits of their own, which a test shows.
const MOST: usize = 1 << 16;

fn sound(bytes: &[u8]) {
    let Ok(found) = read(bytes) else { return };
    assert!(found.triangles() > 0);
    for piece in &found.pieces {
        let count = piece.positions.len() as u32;
        assert!(piece.positions.iter().all(|p| p.is_finite()));
        assert!(piece.triangles.iter().flatten().all(|i| *i < count));
    }
}

/// One input: as a file, and as the description of a GLB beside some bytes, so that not every input has to invent its frame.
pub fn run(bytes: &[u8]) {
    let bytes = bytes.get(..bytes.len().min(MOST)).unwrap_or_default();
    sound(bytes);
    let binary: Vec<u8> = (0..96_u8).collect();
    let mut framed = b"glTF".to_vec();
    framed.extend(2_u32.to_le_bytes());
    framed.extend(0_u32.to_le_bytes());
    framed.extend((bytes.len() as u32).to_le_bytes());
    framed.extend(b"JSON");
    framed.extend(bytes);
    framed.extend((binary.len() as u32).to_le_bytes());
    framed.extend(b"BIN\0");
    framed.extend(&binary);
    sound(&framed);
}
