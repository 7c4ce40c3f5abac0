//! Numbers in words: lengths, areas, scales, room numbers.

/// A length that words say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stated {
    /// The number.
    pub(crate) value: f64,
    /// The mm of its unit, where it is said.
    pub(crate) unit: Option<f64>,
}

/// Numbers with a decimal point or comma; blanks may part thousands.
fn number(text: &str) -> Option<(f64, &str)> {
    let bytes = text.as_bytes();
    let mut digits = String::new();
    let mut at = 0;
    let mut has_point = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => digits.push(char::from(*byte)),
            b'.' | b','
                if !has_point && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) && !digits.is_empty() =>
            {
                has_point = true;
                digits.push('.');
            }
            // 4 250
            b' ' if !has_point
                && !digits.is_empty()
                && bytes.get(at + 1..at + 4).is_some_and(|next| next.iter().all(u8::is_ascii_digit))
                && !bytes.get(at + 4).is_some_and(u8::is_ascii_digit) => {}
            _ => break,
        }
        at += 1;
    }
    if digits.is_empty() || digits.len() > 12 {
        return None;
    }
    Some((digits.parse().ok()?, text.get(at..)?))
}

/// A length that a whole text says: `4.25`, `4,25 m`, `425 cm`, `13'-11 1/2"`.
pub(crate) fn length(text: &str) -> Option<Stated> {
    let text = text.trim().trim_start_matches(['~', '=', '±']).trim_start();
    let text = text.replace(['′', '’'], "'").replace(['″', '”'], "\"").replace("''", "\"");
    if let Some(own) = imperial(&text) {
        return Some(Stated { value: own, unit: Some(1.0) });
    }
    let (value, rest) = number(&text)?;
    let unit = match rest.trim().to_lowercase().as_str() {
        "" => None,
        "mm" => Some(1.0),
        "cm" => Some(10.0),
        "m" | "м" => Some(1000.0),
        "ft" => Some(304.8),
        "in" => Some(25.4),
        _ => return None,
    };
    (value > 0.0).then_some(Stated { value, unit })
}

/// Feet and inches in mm.
fn imperial(text: &str) -> Option<f64> {
    if !text.contains(['\'', '"']) {
        return None;
    }
    let (feet, rest) = match text.split_once('\'') {
        Some((feet, rest)) => (number(feet.trim()).filter(|own| own.1.trim().is_empty())?.0, rest),
        None => (0.0, text),
    };
    let rest = rest.trim().trim_start_matches('-').trim().trim_end_matches('"').trim();
    let inches = if rest.is_empty() { 0.0 } else { mixed(rest)? };
    let mm = feet * 304.8 + inches * 25.4;
    (mm > 0.0).then_some(mm)
}

/// `11 1/2`, `11½`, `11.5`, `1/2`, `11-1/2`.
fn mixed(text: &str) -> Option<f64> {
    let fractions =
        [('½', 0.5), ('¼', 0.25), ('¾', 0.75), ('⅛', 0.125), ('⅜', 0.375), ('⅝', 0.625), ('⅞', 0.875)];
    if let Some((sign, part)) = fractions.iter().find(|(sign, _)| text.ends_with(*sign)) {
        let whole = text.trim_end_matches(*sign).trim();
        return Some(if whole.is_empty() { 0.0 } else { number(whole)?.0 } + part);
    }
    if let Some((left, low)) = text.split_once('/') {
        let low = number(low.trim()).filter(|own| own.1.trim().is_empty())?.0;
        let (whole, high) = left.trim().rsplit_once([' ', '-']).unwrap_or(("0", left.trim()));
        let high = number(high.trim())?.0;
        let whole = if whole.trim().is_empty() { 0.0 } else { number(whole.trim())?.0 };
        return (low > 0.0).then_some(whole + high / low);
    }
    number(text).filter(|own| own.1.trim().is_empty()).map(|own| own.0)
}

/// An area in m² that a line of words says: `23.4 m²`, `A = 23,40 qm`, `250 SF`.
pub(crate) fn area(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let at = lower.find(|char: char| char.is_ascii_digit())?;
    let (value, rest) = number(lower.get(at..)?)?;
    let rest: String =
        rest.chars().filter(|char| !char.is_whitespace() && !matches!(char, '.' | '/')).collect();
    let is = |units: &[&str]| units.iter().any(|unit| rest.starts_with(unit));
    let unit = if is(&["m²", "m2", "m^2", "qm", "㎡", "кв", "м²", "м2", "平", "sqm", "mq", "mtk", "nm"])
    {
        1.0
    } else if is(&["sf", "sqft", "ft²", "ft2", "squarefeet", "sq'", "sqf"]) {
        0.092_903_04
    } else {
        return None;
    };
    // before the number stands at most a word for it
    let head = lower.get(..at).unwrap_or_default();
    (value > 0.0 && head.chars().count() <= 12).then_some(value * unit)
}

/// The scale of a page that words say: 100 for `1:100`, 48 for `1/4" = 1'-0"`.
pub(crate) fn page_scale(text: &str) -> Option<f64> {
    if let Some((paper, world)) = text.split_once('=')
        && text.contains(['\'', '"'])
    {
        let start = paper.find(|char: char| char.is_ascii_digit())?;
        let (paper, world) = (imperial(paper.get(start..)?.trim())?, imperial(world.trim())?);
        let scale = (world / paper * 1e6).round() / 1e6;
        return (1.0..=5000.0).contains(&scale).then_some(scale);
    }
    let at = text.find(['1'])?;
    let before = text.get(..at)?.chars().last();
    if before.is_some_and(|char| char.is_alphanumeric() || matches!(char, '.' | ',' | ':')) {
        return None;
    }
    let rest = text.get(at + 1..)?.trim_start().strip_prefix([':', '/', '∶'])?;
    let (value, after) = number(rest.trim_start())?;
    let is_end =
        after.chars().next().is_none_or(|char| !char.is_alphanumeric() && !matches!(char, ':' | '"'));
    (is_end && (5.0..=5000.0).contains(&value) && value.fract() == 0.0).then_some(value)
}

/// A line of words in a room.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Words {
    /// The name of something.
    Name,
    /// A number: `1.04`, `A-101`.
    Number,
    /// An area in m².
    Area(f64),
    /// A number that may be an area or a room's number.
    Bare(f64),
    /// Heights, levels, lengths, scales: no names.
    Measure,
}

/// Tells what a line of words in a room is.
pub(crate) fn words(line: &str) -> Words {
    let line = line.trim();
    if let Some(area) = area(line) {
        return Words::Area(area);
    }
    let letters = line.chars().filter(|char| char.is_alphabetic()).count();
    let digits = line.chars().filter(char::is_ascii_digit).count();
    if letters == 0 && digits == 0
        || line.starts_with(['+', '±', '▼', '▽', '-', '⌀', '='])
        || page_scale(line).is_some()
    {
        return Words::Measure;
    }
    if line.contains(['\'', '"']) && length(line).is_some() {
        return Words::Measure;
    }
    let lower = line.to_lowercase();
    let is_height = [
        "h=", "h =", "h:", "h ", "lh", "rh", "ch ", "ch=", "ch:", "uk", "ok ", "okff", "brh", "bh ", "fl ",
        "el ", "vk",
    ]
    .iter()
    .any(|head| lower.starts_with(head))
        && digits > 0
        && letters <= 5;
    if is_height || (digits > 0 && letters > 0 && length(line).is_some()) {
        return Words::Measure;
    }
    // 4.20 x 3.10 is a size
    let is_size = digits > 1
        && letters <= 4
        && lower
            .split(['x', '×', '*'])
            .filter(|part| !part.trim().is_empty())
            .all(|part| length(part.trim().trim_end_matches('m')).is_some())
        && lower.contains(['x', '×', '*']);
    if is_size {
        return Words::Measure;
    }
    if letters == 0 {
        return match number(line) {
            Some((value, "")) if line.contains([',', '.']) => Words::Bare(value),
            Some((value, "")) if digits > 4 || value > 9999.0 => Words::Measure,
            _ => Words::Number,
        };
    }
    let is_code = !line.contains(' ') && digits > 0 && letters <= 3 && line.chars().count() <= 8;
    if is_code { Words::Number } else { Words::Name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_the_units_that_are_said() {
        for (text, value, unit) in [
            ("4.25", 4.25, None),
            ("4,25 m", 4.25, Some(1000.0)),
            ("4250", 4250.0, None),
            ("4 250", 4250.0, None),
            ("425 cm", 425.0, Some(10.0)),
            ("13'-11 1/2\"", 13.0 * 304.8 + 11.5 * 25.4, Some(1.0)),
            ("6\"", 152.4, Some(1.0)),
            ("3′-2½″", 3.0 * 304.8 + 2.5 * 25.4, Some(1.0)),
            ("12'", 3657.6, Some(1.0)),
            ("1/2\"", 12.7, Some(1.0)),
        ] {
            let found = length(text).unwrap();
            assert!((found.value - value).abs() < 1e-9 && found.unit == unit, "{text}: {found:?}");
        }
        for text in ["", "Kitchen", "12 chairs", "'", "\"", "A1", "1:100"] {
            assert_eq!(length(text), None, "{text}");
        }
    }

    #[test]
    fn areas_and_scales_are_told_from_names() {
        assert_eq!(area("A 22.07 m²"), Some(22.07));
        assert_eq!(area("23,40 qm"), Some(23.4));
        assert!((area("250 SF").unwrap() - 23.22).abs() < 0.01);
        assert_eq!(area("Room 12"), None);
        assert_eq!(page_scale("M 1:50"), Some(50.0));
        assert_eq!(page_scale("Scale 1 : 100"), Some(100.0));
        assert_eq!(page_scale("1/4\" = 1'-0\""), Some(48.0));
        assert_eq!(page_scale("11:100"), None);
        for (line, own) in [
            ("Living Room", Words::Name),
            ("WC", Words::Name),
            ("101", Words::Number),
            ("A-101", Words::Number),
            ("23.4 m²", Words::Area(23.4)),
            ("12.5", Words::Bare(12.5)),
            ("h=2.60", Words::Measure),
            ("+2.70", Words::Measure),
            ("3.20 x 4.10", Words::Measure),
            ("12'-6\" x 10'-0\"", Words::Measure),
            ("1:100", Words::Measure),
            ("Küche", Words::Name),
            ("Bedroom 2", Words::Name),
            ("客厅", Words::Name),
        ] {
            assert_eq!(words(line), own, "{line}");
        }
    }
}
