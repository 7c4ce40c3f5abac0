//! Which EnergyPlus is installed, and what is to be said where a model is of another version.

use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The version of the EnergyPlus in a folder, such as `25.2.0`, by the first line of its dictionary.
pub fn version_of(folder: &Path) -> io::Result<String> {
    let dictionary = folder.join("Energy+.idd");
    let mut line = String::new();
    let file = std::fs::File::open(&dictionary)?;
    BufReader::new(io::Read::take(file, 256)).read_line(&mut line)?;
    let version = line.trim().strip_prefix("!IDD_Version").map(str::trim).filter(|text| !text.is_empty());
    version.map(str::to_owned).ok_or_else(|| {
        let message = format!("{} does not begin with its version", dictionary.display());
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

/// Major and minor number.
pub(super) fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim().split('.');
    let major = parts.next()?.trim().parse().ok()?;
    Some((major, parts.next().and_then(|minor| minor.trim().parse().ok()).unwrap_or(0)))
}

/// Returns a note on a model of this version run by a program of that; nothing where both are the same.
pub(super) fn note(model: Option<&str>, program: &str) -> Option<String> {
    let Some(model) = model else {
        return Some(format!("The model says no version; EnergyPlus {program} took it for its own."));
    };
    let (of_model, of_program) = (numbers(model)?, numbers(program)?);
    if of_model < of_program {
        return Some(format!(
            "The model is of EnergyPlus {model}, which is older than the installed {program}: objects that changed since then are \
             refused or read as something else. Bring it up with migrate_model."
        ));
    }
    (of_model > of_program).then(|| {
        format!(
            "The model is of EnergyPlus {model}, which is newer than the installed {program}: what {program} does not know is \
             refused. Install {model} and name its folder to the server (energyplus-dir under [backends] in pensaer.toml)."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_of_another_version_is_said_to_be_older_or_newer() {
        assert_eq!(note(Some("25.2"), "25.2.0"), None);
        assert!(note(Some("9.6"), "25.2.0").unwrap().contains("older than the installed"));
        assert!(note(Some("26.1"), "25.2.0").unwrap().contains("newer than the installed"));
        assert!(note(None, "25.2.0").unwrap().contains("says no version"));
    }
}
