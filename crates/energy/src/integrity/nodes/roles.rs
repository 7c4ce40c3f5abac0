//! The part that a field plays for the node it names, from a table (`roles.txt`).

use crate::schema::Schema;
use foldhash::HashMap;

const TABLE: &str = include_str!("roles.txt");

/// The part of an object at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A component takes in here.
    Inlet,
    /// A component lets out here.
    Outlet,
    /// A component lets out here, and nothing need stand behind it.
    OutletAway,
    /// A component that holds others takes in here.
    ParentInlet,
    /// A component that holds others lets out here.
    ParentOutlet,
    /// A loop begins here.
    Source,
    /// A loop ends here.
    Sink,
    /// Air enters a zone.
    ZoneInlet,
    /// Air is drawn from a zone by its equipment.
    ZoneExhaust,
    /// Air leaves a zone for a system.
    ZoneReturn,
    /// The air of a zone.
    ZoneAir,
    /// Air that a mixer lets out of the building.
    Relief,
    /// The object makes the node one of outdoor air.
    Outdoor,
    /// The node must be one of outdoor air.
    OutdoorAir,
    /// Something is read here.
    Sensor,
    /// Something is steered here.
    Actuator,
    /// A set point is put here.
    Setpoint,
    /// A splitter or mixer joins branches here.
    Joint,
    /// Not known.
    Any,
}

impl Role {
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "inlet" => Self::Inlet,
            "outlet" => Self::Outlet,
            "outlet_away" => Self::OutletAway,
            "parent_inlet" => Self::ParentInlet,
            "parent_outlet" => Self::ParentOutlet,
            "source" => Self::Source,
            "sink" => Self::Sink,
            "zone_inlet" => Self::ZoneInlet,
            "zone_exhaust" => Self::ZoneExhaust,
            "zone_return" => Self::ZoneReturn,
            "zone_air" => Self::ZoneAir,
            "relief" => Self::Relief,
            "outdoor" => Self::Outdoor,
            "outdoor_air" => Self::OutdoorAir,
            "sensor" => Self::Sensor,
            "actuator" => Self::Actuator,
            "setpoint" => Self::Setpoint,
            "any" => Self::Any,
            _ => return None,
        })
    }

    /// True if what is taken in at the node may come from here.
    pub fn gives(self) -> bool {
        matches!(
            self,
            Self::Outlet
                | Self::OutletAway
                | Self::ParentOutlet
                | Self::Source
                | Self::ZoneReturn
                | Self::ZoneExhaust
                | Self::ZoneAir
                | Self::Relief
                | Self::Outdoor
                | Self::Joint
                | Self::Any
        )
    }

    /// True if what is let out at the node goes on from here.
    pub fn takes(self) -> bool {
        matches!(
            self,
            Self::Inlet
                | Self::ParentInlet
                | Self::ParentOutlet
                | Self::Sink
                | Self::ZoneInlet
                | Self::Joint
                | Self::Any
        )
    }

    /// True if the node is only watched or steered from here.
    pub fn watches(self) -> bool {
        matches!(self, Self::Sensor | Self::Actuator | Self::Setpoint)
    }
}

/// The parts that the fields of the types in one model play.
pub struct Roles<'a> {
    schema: &'a Schema,
    known: HashMap<u32, Vec<Option<Role>>>,
}

impl<'a> Roles<'a> {
    /// For the types of a schema.
    pub fn new(schema: &'a Schema) -> Self {
        Self { schema, known: HashMap::default() }
    }

    /// The parts of a type's fields, those of the group that repeats last; none for what is no node.
    pub fn of_type(&mut self, number: u32) -> &[Option<Role>] {
        let schema = self.schema;
        self.known.entry(number).or_insert_with(|| {
            let Some(about) = schema.type_at(number) else { return Vec::new() };
            // names of nodes are marked as such; a few types have text in their place
            let is_node = |field: &crate::schema::Field| {
                field.kind == crate::schema::FieldKind::Node
                    || (field.lists.is_empty()
                        && field.key.contains("node")
                        && field.kind == crate::schema::FieldKind::Text)
            };
            about
                .all_fields()
                .map(|field| is_node(field).then(|| role(&about.name, &field.key)).flatten())
                .collect()
        })
    }
}

/// The part of a field; none where it plays none.
fn role(type_name: &str, field: &str) -> Option<Role> {
    for row in TABLE.lines().filter(|row| !row.starts_with('#')) {
        let mut cells = row.split_ascii_whitespace();
        let (Some(of), Some(named), Some(word)) = (cells.next(), cells.next(), cells.next()) else {
            continue;
        };
        if fits(of, type_name) && fits(named, field) {
            return Role::from_word(word);
        }
    }
    Some(Role::Any)
}

/// True if a text is what a pattern says, in which `*` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    if !pattern.contains('*') {
        return rest.is_empty();
    }
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_fits_a_whole_name() {
        assert!(fits("*", "anything") && fits("Coil:*:Water", "Coil:Heating:Water") && fits("a*c*", "abcd"));
        assert!(
            !fits("Coil:*:Water", "Coil:Heating:Water:Detailed")
                && !fits("Fan", "Fan:OnOff")
                && !fits("*x", "xy")
        );
    }

    #[test]
    fn every_row_of_the_table_names_a_type_and_a_part() {
        let schema = Schema::built_in();
        for row in TABLE.lines().filter(|row| !row.starts_with('#') && !row.is_empty()) {
            let cells: Vec<&str> = row.split_ascii_whitespace().collect();
            let [of, named, word] = cells[..] else { panic!("{row} has not three cells") };
            assert!(word == "none" || Role::from_word(word).is_some(), "{row}: no such part");
            let types = schema.types().iter().filter(|about| fits(of, &about.name));
            let fields =
                types.flat_map(crate::schema::ObjectType::all_fields).filter(|field| fits(named, &field.key));
            assert!(fields.count() > 0, "{row} fits no field");
        }
    }

    #[test]
    fn the_parts_of_a_fan_and_a_zone_are_known() {
        assert_eq!(role("Fan:OnOff", "air_inlet_node_name"), Some(Role::Inlet));
        assert_eq!(role("ZoneHVAC:EquipmentConnections", "zone_air_node_name"), Some(Role::ZoneAir));
        assert_eq!(role("Branch", "component_inlet_node_name"), None);
        assert_eq!(role("Generator:MicroTurbine", "combustion_air_inlet_node_name"), Some(Role::Any));
    }
}
