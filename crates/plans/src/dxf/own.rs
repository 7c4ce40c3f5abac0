//! The tags of one entity, by their codes.

use super::tags::Tag;
use glam::{DAffine2, DMat2, DVec2, DVec3};

/// The tags of an entity.
pub(super) struct Own<'t, 'a>(pub(super) &'t [Tag<'a>]);

impl<'a> Own<'_, 'a> {
    pub(super) fn tag(&self, code: i32) -> Option<&Tag<'a>> {
        self.0.iter().find(|tag| tag.code == code)
    }

    pub(super) fn real(&self, code: i32) -> Option<f64> {
        self.tag(code).map(Tag::real)
    }

    pub(super) fn whole(&self, code: i32) -> Option<i64> {
        self.tag(code).map(Tag::whole)
    }

    pub(super) fn bytes(&self, code: i32) -> Option<&'a [u8]> {
        self.tag(code).map(Tag::bytes)
    }

    /// A point by the code of its x.
    pub(super) fn point(&self, code: i32) -> Option<DVec2> {
        Some(DVec2::new(self.real(code)?, self.real(code + 10).unwrap_or(0.0)))
    }

    /// The map from the coordinates of the entity's plane to the world's, seen from above.
    pub(super) fn plane(&self) -> DAffine2 {
        let Some(x) = self.real(210) else { return DAffine2::IDENTITY };
        let normal = DVec3::new(x, self.real(220).unwrap_or(0.0), self.real(230).unwrap_or(1.0));
        let Some(normal) = normal.try_normalize() else { return DAffine2::IDENTITY };
        if normal.x.abs() < 1e-9 && normal.y.abs() < 1e-9 && normal.z > 0.0 {
            return DAffine2::IDENTITY;
        }
        // the arbitrary axis algorithm of the DXF Reference
        let is_near = normal.x.abs() < 1.0 / 64.0 && normal.y.abs() < 1.0 / 64.0;
        let x = if is_near { DVec3::Y.cross(normal) } else { DVec3::Z.cross(normal) }.normalize_or_zero();
        let y = normal.cross(x);
        let height = self.real(38).or(self.real(30)).unwrap_or(0.0);
        DAffine2 {
            matrix2: DMat2::from_cols(x.truncate(), y.truncate()),
            translation: normal.truncate() * height,
        }
    }
}
