//! Weather files read for the platform: an archive of the public collection taken apart, a single file summed up, those that EnergyPlus brings.
//!
//! Both come from anybody, which is why they are read here, in a confined process, and not where they were fetched.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::PlatformOperation;
use contract::{Fault, FileOut, Outcome, Request};
use energy::ops::{InstalledWeather, InstalledWeatherAnswer, ReadWeather};
use energy::weather::{ClimateType, DesignDays, Epw, WeatherFiles};
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
        let mut summary = Epw::read(&files::bytes(weather, LARGEST)?)?.summary();
        if let Some(days) = of("design_days") {
            match DesignDays::read(&files::bytes(days, LARGEST)?) {
                Ok(days) => summary.design_days = days.days,
                Err(fault) => {
                    summary.notes.push(format!("The design days cannot be read: {}", fault.message));
                }
            }
        }
        if let Some(statistics) = of("statistics") {
            summary.climate = ClimateType::stated(&files::bytes(statistics, LARGEST)?);
        }
        Self::outcome(summary)
    }
}

/// The folder of weather files below EnergyPlus' own.
const FOLDER: &str = "WeatherData";
/// Most files of it that are looked at.
const MOST: usize = 4_000;

impl Resolve for InstalledWeather {
    const NEEDS_PROGRAMS: bool = true;

    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let folder = call.simulator()?.folder().join(FOLDER);
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten().take(MOST);
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| {
                name.get(name.len().saturating_sub(4)..).is_some_and(|end| end.eq_ignore_ascii_case(".epw"))
            })
            .collect();
        names.sort_unstable();
        let mut made = Vec::new();
        if let Some(wanted) = &self.name {
            names.retain(|name| has_words(name, wanted));
            if let [only] = names.as_slice() {
                let stem = only.get(..only.len() - 4).unwrap_or(only);
                for (role, ending) in [("weather", "epw"), ("design_days", "ddy"), ("statistics", "stat")] {
                    let name = format!("{stem}.{ending}");
                    let path = folder.join(&name);
                    let fits =
                        std::fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() <= LARGEST);
                    if let Some(bytes) = fits.then(|| std::fs::read(&path).ok()).flatten() {
                        made.push(file(call.request, role, &name, &bytes)?);
                    }
                }
            }
        }
        Ok(Outcome { files: made, ..Self::outcome(InstalledWeatherAnswer { files: names })? })
    }
}

/// True if every word stands in a name, whatever the case and the marks between words.
fn has_words(name: &str, words: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
    };
    let name = plain(name);
    let mut words = words
        .split(|c: char| c.is_whitespace() || c == ',')
        .map(plain)
        .filter(|word| !word.is_empty())
        .peekable();
    words.peek().is_some() && words.all(|word| name.contains(&word))
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
    use super::{has_words, plain};

    #[test]
    fn a_file_is_found_by_words_and_by_the_number_of_its_station() {
        let name = "USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw";
        for words in ["chicago", "Chicago O'Hare", "725300", name, "CHICAGO, IL"] {
            assert!(has_words(name, words), "{words}");
        }
        for words in ["boston", "chicago midway", "", " , "] {
            assert!(!has_words(name, words), "{words}");
        }
    }

    #[test]
    fn names_are_names_and_no_paths() {
        assert_eq!(plain("USA_CO_Golden-NREL.724666_TMY3.epw"), "USA_CO_Golden-NREL.724666_TMY3");
        assert_eq!(plain("../../x\u{7}y.epw"), "_.._x_y");
        assert_eq!(plain("...epw"), "weather");
    }
}
