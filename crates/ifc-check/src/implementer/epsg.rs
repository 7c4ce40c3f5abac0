//! Codes of the EPSG Geodetic Parameter Dataset, as far as rules ask for them: which coordinate reference systems there
//! are, which of them speak of heights, and in which unit maps are.

use std::sync::OnceLock;

/// A coordinate reference system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct System {
    /// True if it is still to be used.
    pub valid: bool,
    /// True if it has a vertical component: vertical or compound.
    pub vertical: bool,
    /// Metres of the unit of its horizontal axes, if it is projected.
    pub metres: Option<f64>,
}

/// First and last code of a run of like systems.
type Run = (u32, u32, System);

/// The system of a name such as `EPSG:25832`; `None` if EPSG has none of that code, or it is no such name.
pub(super) fn system(name: &str) -> Option<System> {
    let digits = name.strip_prefix("EPSG:")?;
    if digits.is_empty() || digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let code: u32 = digits.parse().ok()?;
    let runs = runs();
    let at = runs.partition_point(|(_, last, _)| *last < code);
    runs.get(at).filter(|(first, _, _)| *first <= code).map(|(_, _, system)| *system)
}

fn runs() -> &'static [Run] {
    static RUNS: OnceLock<Vec<Run>> = OnceLock::new();
    RUNS.get_or_init(|| include_str!("generated/epsg.txt").lines().filter_map(run).collect())
}

/// A line such as `2000-2007 p 1.0`.
fn run(line: &str) -> Option<Run> {
    let mut fields = line.split(' ');
    let (codes, kind, metres) = (fields.next()?, fields.next()?, fields.next()?);
    let (first, last) = codes.split_once('-').unwrap_or((codes, codes));
    let kind = kind.chars().next()?;
    let system = System {
        valid: kind.is_ascii_lowercase(),
        vertical: matches!(kind.to_ascii_lowercase(), 'v' | 'c'),
        metres: metres.parse().ok(),
    };
    Some((first.parse().ok()?, last.parse().ok()?, system))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_with_their_kind_and_unit() {
        let metre = System { valid: true, vertical: false, metres: Some(1.0) };
        assert_eq!(system("EPSG:25832"), Some(metre));
        assert_eq!(system("EPSG:3857"), Some(metre));
        let foot = system("EPSG:2277").and_then(|system| system.metres).unwrap();
        assert!((foot - 1200.0 / 3937.0).abs() < 1e-12);
        assert_eq!(system("EPSG:4326"), Some(System { valid: true, vertical: false, metres: None }));
        assert!(system("EPSG:5703").unwrap().vertical);
        assert!(system("EPSG:5834").unwrap().vertical, "a compound system");
        for name in
            ["EPSG:1234", "EPSG:", "EPSG:3857 ", "25832", "EPSG:99999999999", "epsg:3857", "EPSG:03857"]
        {
            assert_eq!(system(name), None, "{name}");
        }
    }
}
