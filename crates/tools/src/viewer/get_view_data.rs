//! What the page in a chat draws the model from, in pieces that fit into an answer: the list of tiles, and each tile. Such a page may fetch
//! nothing by itself.

use crate::{Reply, Tool};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use contract::ops::{PlatformOperation, Tile, Tileset};
use contract::{Effect, Fault, ModelUse, Queries, Sessions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Bytes of one piece.
const PIECE: usize = 384 << 10;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Key of a tile; without it the list of tiles.
    tile: Option<String>,
    /// Bytes that are there already.
    #[serde(default)]
    offset: u64,
}

/// One piece.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Base64: JSON of the list (OGC 3D Tiles 1.1), or GLB of a tile.
    data: String,
    /// Bytes of the whole.
    size: u64,
    /// The `offset` to go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u64>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_view_data", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .title("Shapes for the page in a chat")
        .description("Tiles of the model in pieces, for the page that view_model shows in a chat.")
        .model(ModelUse::Current)
        .for_pages_only()
        .example("The list of tiles", json!({}))
}

async fn run(platform: &(impl Queries + Sessions + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let model = platform.current_model().await?.model_id;
    let version = platform.current_version().await?;
    let (piece, size): (Vec<u8>, u64) = match &input.tile {
        None => {
            let operation = Tileset {}.operation();
            let key = operation.key_on(&version);
            let whole = platform.derived_value(&key, operation).await?.to_string().into_bytes();
            let size = whole.len() as u64;
            let start = usize::try_from(input.offset).unwrap_or(usize::MAX);
            (whole.into_iter().skip(start).take(PIECE).collect(), size)
        }
        Some(tile) => {
            let is_key = !tile.is_empty() && tile.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
            if !is_key {
                return Err(Fault::invalid("tile", "`tile` has to be a key that the list of tiles names."));
            }
            let operation = Tile { key: tile.clone() }.operation();
            let file = platform.derived_file(&format!("tile/{model}/{tile}"), operation).await?;
            let piece = piece_of(&file.path, input.offset)
                .map_err(|error| Fault::backend(format!("The tile cannot be read: {error}.")))?;
            (piece, file.size)
        }
    };
    if piece.is_empty() && input.offset > 0 {
        return Err(Fault::invalid(
            "offset",
            format!("`offset` lies behind the end: there are {size} bytes."),
        ));
    }
    let end = input.offset + piece.len() as u64;
    Ok(Reply::new(Output {
        data: BASE64_STANDARD.encode(piece),
        size,
        next_offset: (end < size).then_some(end),
    }))
}

/// The bytes of a file from a place on.
fn piece_of(path: &Path, offset: u64) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut piece = Vec::new();
    file.take(PIECE as u64).read_to_end(&mut piece)?;
    Ok(piece)
}
