//! The archive in which the public collection keeps the files of a station: read in memory, bounded, by kind of file.
//!
//! Nothing is written anywhere, so a path in it can do no harm; one that would lead out of a folder is refused all the same,
//! for such an archive did not come from the collection. Sizes are counted while unpacking, whatever the archive claims.

use contract::{Fault, FaultCode, hex};
use sha2::{Digest, Sha256};
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// The files of a station.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeatherFiles {
    /// The name of the weather file, without a folder.
    pub name: String,
    /// The weather.
    pub epw: Vec<u8>,
    /// The design days, if there are any.
    pub ddy: Option<Vec<u8>>,
    /// The statistics, if there are any.
    pub stat: Option<Vec<u8>>,
}

/// The most bytes of an archive, of a file in it, and files in it.
pub const LARGEST_ARCHIVE: u64 = 32 << 20;
const LARGEST_FILE: u64 = 64 << 20;
const MOST_FILES: usize = 64;

impl WeatherFiles {
    /// Reads an archive.
    pub fn read(archive: &[u8]) -> Result<Self, Fault> {
        if archive.len() as u64 > LARGEST_ARCHIVE {
            return Err(too_large("The archive is larger than 32 MB"));
        }
        let mut zip =
            ZipArchive::new(Cursor::new(archive)).map_err(|error| unreadable(&error.to_string()))?;
        if zip.len() > MOST_FILES {
            return Err(too_large("The archive has more than 64 files"));
        }
        let (mut epw, mut ddy, mut stat) = (None, None, None);
        for at in 0..zip.len() {
            let mut file = zip.by_index(at).map_err(|error| unreadable(&error.to_string()))?;
            let Some(path) = file.enclosed_name() else {
                return Err(unreadable("a path in it leads out of its folder"));
            };
            if file.is_dir() {
                continue;
            }
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let extension =
                path.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
            let place = match extension.as_str() {
                "epw" => &mut epw,
                "ddy" => &mut ddy,
                "stat" => &mut stat,
                _ => continue,
            };
            // hidden files of other systems carry the same endings
            if place.is_some() || name.starts_with('.') {
                continue;
            }
            let mut bytes = Vec::new();
            let read = file.by_ref().take(LARGEST_FILE + 1).read_to_end(&mut bytes);
            read.map_err(|error| unreadable(&error.to_string()))?;
            if bytes.len() as u64 > LARGEST_FILE {
                return Err(too_large(&format!("{name} in the archive is larger than 64 MB")));
            }
            *place = Some((name, bytes));
        }
        let (name, epw) = epw.ok_or_else(|| unreadable("there is no EPW file in it"))?;
        Ok(Self { name, epw, ddy: ddy.map(|(_, bytes)| bytes), stat: stat.map(|(_, bytes)| bytes) })
    }

    /// Returns the SHA-256 of a file's bytes, by which files are told apart.
    pub fn checksum(bytes: &[u8]) -> String {
        hex(&Sha256::digest(bytes))
    }
}

fn unreadable(why: &str) -> Fault {
    Fault::new(
        FaultCode::UnreadableFile,
        format!(
            "This is not an archive of a weather station: {why}. Try the download again, or another station."
        ),
    )
}

fn too_large(what: &str) -> Fault {
    Fault::new(FaultCode::LimitReached, format!("{what}, which no archive of a weather station is."))
}
