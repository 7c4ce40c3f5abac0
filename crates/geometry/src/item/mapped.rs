//! Mapped items: the same representation at many places, made once.

use super::{MAX_ITEMS, Piece, Pieces, Shaper};
use crate::{
    read::{MAX_DEPTH, ShapeError},
    style::Colour,
};
use glam::DAffine3;
use ifc::Instance;
use std::sync::Arc;

impl<'m> Shaper<'m> {
    /// Returns the representation that an `IfcMappedItem` at a place maps, and where that stands.
    pub(crate) fn mapping(
        &self,
        item: &Instance<'m>,
        at: &DAffine3,
    ) -> Result<(Instance<'m>, DAffine3), ShapeError> {
        let r = &self.reader;
        let map = r.get(r.reference(item, "MappingSource")?)?;
        let target = r.operator(r.reference(item, "MappingTarget")?)?;
        let place = at * target * r.axes_of(&map, "MappingOrigin")?;
        Ok((r.get(r.reference(&map, "MappedRepresentation")?)?, place))
    }

    /// The items of a mapped representation at one of its places; made at the first.
    pub(super) fn mapped(
        &self,
        representation: &Instance<'m>,
        place: &DAffine3,
        colour: Option<Colour>,
        depth: usize,
        into: &mut Pieces,
    ) {
        let id = representation.id();
        let known = self.mapped.read().get(&id).cloned();
        let made = known.unwrap_or_else(|| {
            let mut made = Pieces::default();
            for part in representation.references("Items") {
                self.item(part, &DAffine3::IDENTITY, None, depth + 1, &mut made);
            }
            // counted from the representation on, as it may stand elsewhere at another depth
            made.deepest = made.deepest.saturating_sub(depth);
            let made = Arc::new(made);
            // what went too deep or too far is no whole: it ends its element and is not kept
            if made.left == 0 {
                return made;
            }
            // another thread may have been faster: all share what it made
            Arc::clone(self.mapped.write().entry(id).or_insert(made))
        });
        let used = MAX_ITEMS - made.left;
        if made.left == 0 || used >= into.left || depth + made.deepest > MAX_DEPTH {
            into.left = 0;
            let note = made.notes.last().filter(|_| made.left == 0).cloned();
            into.notes.push(note.unwrap_or_else(|| ShapeError::new(id, "holds too many items")));
            return;
        }
        into.left -= used;
        into.deepest = into.deepest.max(depth + made.deepest);
        into.notes.extend(made.notes.iter().cloned());
        let placed = |p: &Piece| Piece { at: place * p.at, colour: p.colour.or(colour), ..p.clone() };
        into.pieces.extend(made.pieces.iter().map(placed));
    }
}
