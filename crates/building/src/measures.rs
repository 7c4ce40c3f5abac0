//! Sizes as agents give them: positive, finite, and within what a building can be. Everything in mm.

use contract::Fault;

/// The largest size taken, in mm: ten kilometres. More is a slip of units.
pub const LARGEST: f64 = 1e7;
/// The smallest size taken, in mm.
pub const SMALLEST: f64 = 0.1;

/// A size that must be positive.
pub fn positive(field: &str, mm: f64) -> Result<f64, Fault> {
    if !mm.is_finite() || mm < SMALLEST {
        return Err(Fault::invalid(field, format!("`{field}` is {mm}; it must be a positive number of mm.")));
    }
    if mm > LARGEST {
        return Err(Fault::invalid(
            field,
            format!("`{field}` is {mm} mm, more than ten kilometres; sizes are given in mm."),
        ));
    }
    Ok(mm)
}

/// A size that may be zero.
pub fn not_negative(field: &str, mm: f64) -> Result<f64, Fault> {
    if mm == 0.0 { Ok(0.0) } else { positive(field, mm) }
}

/// A height or distance that may have either sign.
pub fn finite(field: &str, mm: f64) -> Result<f64, Fault> {
    if !mm.is_finite() || mm.abs() > LARGEST {
        return Err(Fault::invalid(
            field,
            format!("`{field}` is {mm}; it must be a number of mm within ten kilometres."),
        ));
    }
    Ok(mm)
}

/// A name that is there.
pub fn name(field: &str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Fault::invalid(field, format!("`{field}` is empty; give a name.")));
    }
    Ok(text.to_owned())
}

/// A number of mm as people write it: without digits that say nothing.
pub fn mm(value: f64) -> f64 {
    let rounded = (value * 1000.0).round() / 1000.0;
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// Returns an area of mm² in m², without digits that say nothing.
pub fn square_metres(mm2: f64) -> f64 {
    (mm2 / 1e6 * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_no_building_has_are_refused_with_the_field() {
        for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
            let fault = positive("thickness", size).unwrap_err();
            assert_eq!(fault.data["field"], "thickness", "{size}");
        }
        assert_eq!(positive("thickness", 200.0).unwrap(), 200.0);
    }
}
