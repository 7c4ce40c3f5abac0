//! Weather files read for the platform: an archive of the public collection taken apart, or a single file summed up.
//!
//! Both come from anybody, which is why they are read here, in a confined process, and not where they were fetched.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::PlatformOperation;
use contract::{Fault, FileOut, Outcome, Request};
use energy::ops::ReadWeather;
use energy::weather::{DesignDays, Epw, WeatherFiles};
use exec::files;

/// The most bytes of an archive, and of a weather file.
const LARGEST: u64 = 256 << 20;

impl Resolve for ReadWeather {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let of = |role: &str| call.files.iter().find(|file| file.role == role);
        if let Some(archive) = of("archive") {
            let bytes = files::bytes(archive, LARGEST)?;
            return unpack(call.request, WeatherFiles::read(&bytes)?);
        }
        let Some(weather) = of("weather") else {
            return Err(Fault::invalid(
                "files",
                "read_weather needs a file with the role `archive` or `weather`.",
            ));
        };
        Self::outcome(Epw::read(&files::bytes(weather, LARGEST)?)?.summary())
    }
}

fn unpack(request: &Request, archive: WeatherFiles) -> Result<Outcome, Fault> {
    let mut summary = Epw::read(&archive.epw)?.summary();
    let stem = plain(&archive.name);
    let mut made = vec![file(request, "weather", &format!("{stem}.epw"), &archive.epw)?];
    if let Some(days) = &archive.ddy {
        match DesignDays::read(days) {
            Ok(_) => made.push(file(request, "design_days", &format!("{stem}.ddy"), days)?),
            Err(fault) => {
                let note = format!("The design days that came with it cannot be read: {}", fault.message);
                summary.notes.push(note);
            }
        }
    }
    if let Some(statistics) = &archive.stat {
        made.push(file(request, "statistics", &format!("{stem}.stat"), statistics)?);
    }
    Ok(Outcome { files: made, ..ReadWeather::outcome(summary)? })
}

/// A file under a folder of its own where it may have the name of its choice: the platform names what it keeps after it.
fn file(request: &Request, role: &str, name: &str, bytes: &[u8]) -> Result<FileOut, Fault> {
    let made = files::out(request, role, files::name(request, name), "text/plain", bytes)?;
    Ok(FileOut { name: name.to_owned(), ..made })
}

/// The name of a weather file without its ending, of letters that any file may have.
fn plain(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem: String = stem
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ') { c } else { '_' })
        .take(120)
        .collect();
    let stem = stem.trim_matches(['.', ' ']);
    if stem.is_empty() { "weather".to_owned() } else { stem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_are_names_and_no_paths() {
        assert_eq!(plain("USA_CO_Golden-NREL.724666_TMY3.epw"), "USA_CO_Golden-NREL.724666_TMY3");
        assert_eq!(plain("../../x\u{7}y.epw"), "_.._x_y");
        assert_eq!(plain("...epw"), "weather");
    }
}
