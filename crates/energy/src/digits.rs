//! How many digits of a number are told: as many as say something in its units, never fewer than four that count.
//!
//! What a program has computed carries sixteen digits, and a table of its own two decimals; neither is what is known. Files are handed on
//! as they are, and series are exported whole.

/// Digits that count at least.
const LEAST: i32 = 4;

/// Decimals that say something of a value in these units.
fn decimals(units: &str) -> i32 {
    match units {
        "J" | "Pa" | "pa" | "ppm" | "count" | "kJ" => 0,
        "W" | "VA" | "lux" => 1,
        "C" | "deltaC" | "K" | "%" | "m2" | "m3" | "m/s" | "W/m2" | "deg" | "hr" | "hrs" | "Hours" | "h"
        | "min" | "day" | "MJ" | "ft2" => 2,
        // to a watt-hour, a millimetre and a watt
        "kWh" | "m" | "kW" | "kWh/m2" | "kBtu" => 3,
        "GJ" | "MWh" | "MMBtu" => 6,
        _ => 4,
    }
}

/// A value with the digits that are told of it in its units.
pub fn rounded(value: f64, units: &str) -> f64 {
    to_decimals(value, decimals(units.trim()))
}

/// A value with so many decimals, or more where it is small.
pub fn to_decimals(value: f64, decimals: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let first = value.abs().log10().floor() as i32;
    let decimals = decimals.max(LEAST - 1 - first).clamp(0, 20);
    // through text, which gives the number that is written with these digits and no others
    format!("{value:.*}", usize::try_from(decimals).unwrap_or_default()).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_the_digits_that_its_units_can_tell() {
        for (value, units, told) in [
            (12_485.584_409_098_04, "W", 12_485.6),
            (-22.480_973_270_526_572, "C", -22.48),
            (0.088_306_123_456, "m3/s", 0.08831),
            (57.499_999_999_9, "kWh", 57.5),
            (207_000_000.123, "J", 207_000_000.0),
            (0.000_012_345_678, "kg/s", 0.000_012_35),
            (123_456.789_123, "", 123_456.789_1),
            (0.0, "W", 0.0),
        ] {
            assert_eq!(rounded(value, units), told, "{value} {units}");
            assert!(rounded(value, units).to_string().len() <= 12, "{value} {units}");
        }
        assert!(rounded(f64::NAN, "W").is_nan());
    }
}
