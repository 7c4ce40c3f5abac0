//! The SI units in which the measures of IFC are given where a model says nothing else (ISO 16739-1, IfcUnitAssignment).

/// The unit of a measure or of a class of quantities.
pub fn unit(measure: &str) -> Option<&'static str> {
    include_str!("units.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .find_map(|(name, unit)| (name == measure).then_some(unit))
}
