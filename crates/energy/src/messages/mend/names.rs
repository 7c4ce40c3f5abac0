//! The name that was likely meant, and only if no other is as near.

/// The one of `names` that is near to `wanted`; the reason if there is none or several are as near. Case, spaces and marks do not count, a letter in six
/// may differ, and figures must be the same: `Wall 12` is not `Wall 13`.
pub fn meant<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Result<&'a str, String> {
    // names as long as these are not typed
    const LONGEST: usize = 200;
    let plain = |name: &str| -> String {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(LONGEST).collect()
    };
    let figures = |name: &str| -> Vec<String> {
        let parts = name.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let (own, own_figures) = (plain(wanted), figures(wanted));
    let allowed = (own.chars().count() / 6).clamp(1, 4);
    let mut best: Option<usize> = None;
    let mut near: Vec<&str> = Vec::new();
    for name in names {
        if name.eq_ignore_ascii_case(wanted) || name.len().abs_diff(wanted.len()) > LONGEST {
            continue;
        }
        let other = plain(name);
        if own.is_empty()
            || other.chars().count().abs_diff(own.chars().count()) > allowed
            || figures(name) != own_figures
        {
            continue;
        }
        let distance = strsim::osa_distance(&own, &other);
        if distance > allowed {
            continue;
        }
        match best {
            Some(least) if distance > least => {}
            Some(least) if distance == least => near.push(name),
            _ => {
                best = Some(distance);
                near = vec![name];
            }
        }
    }
    near.sort_unstable();
    near.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
    match near.as_slice() {
        [one] => Ok(one),
        [] => Err(format!("Nothing that may stand there is near to `{wanted}`.")),
        several => {
            let list: Vec<String> = several.iter().take(4).map(|name| format!("`{name}`")).collect();
            Err(format!("Several names are as near to `{wanted}`: {}.", list.join(", ")))
        }
    }
}
