//! A version as 3D Tiles: the list of its tiles, and each as a GLB.

use crate::file::written;
use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{PlatformOperation, Tile, Tileset, TilesetAnswer};
use contract::{Fault, FaultCode, Outcome};
use exec::files;

impl Resolve for Tileset {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let scene = call.scene(call.model("model")?)?;
        let serde_json::Value::Object(tileset) = scene.tileset().to_3d_tiles() else {
            return Err(Fault::backend("The list of tiles is no JSON object."));
        };
        Self::outcome(TilesetAnswer(tileset))
    }
}

impl Resolve for Tile {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let Self { key } = self;
        let scene = call.scene(call.model("model")?)?;
        let glb = scene.glb(&key).ok_or_else(|| {
            Fault::new(
                FaultCode::NotFound,
                format!("This version has no tile {key}. Its tileset lists those it has."),
            )
            .with("key", &key)
        })?;
        let name = files::name(call.request, &format!("{key}.glb"));
        written::<Self>(files::out(call.request, "tile", name, "model/gltf-binary", &glb)?)
    }
}
