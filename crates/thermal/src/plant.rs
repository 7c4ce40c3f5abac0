//! Thermostats and ideal plants: every heated zone has one that heats, and cools where it is to be cooled, without limit, so that what it
//! delivers is what the zone needs.

use crate::{
    document::Document,
    loads::{Part, constant},
    report::Notes,
    room_use::SetPoints,
};
use serde_json::json;

/// The set points of a zone: those of its rooms by floor area; `None` where it is not heated.
pub(crate) fn set_points(zone: &str, parts: &[Part<'_>], notes: &mut Notes) -> Option<SetPoints> {
    let own = || parts.iter().filter_map(|part| Some((part.using.set_points?, part.area.max(0.01))));
    let first = own().next()?.0;
    if own().all(|(points, _)| points == first) {
        return Some(first);
    }
    let mean = |value: &dyn Fn(SetPoints) -> Option<f64>| {
        let (sum, area) = own()
            .filter_map(|(points, area)| Some((value(points)?, area)))
            .fold((0.0, 0.0), |(sum, all), (value, area)| (sum + value * area, all + area));
        (area > 0.0).then(|| (sum / area * 10.0).round() / 10.0)
    };
    let heating = mean(&|points| Some(points.heating))?;
    let cooling = mean(&|points| points.cooling).map(|cooling| cooling.max(heating + 1.0));
    let told = cooling.map_or_else(|| "not cooled".to_owned(), |cooling| format!("cooled to {cooling} °C"));
    notes.assume(
        "set points of a zone of several rooms",
        zone,
        &format!("heated to {heating} °C, {told}"),
        "the mean of its rooms by floor area",
    );
    Some(SetPoints { heating, cooling })
}

/// A thermostat and an ideal plant.
pub(crate) fn write(zone: &str, points: SetPoints, document: &mut Document) {
    let schedule = |document: &mut Document, what: &str, value: f64| {
        let name = format!("{what} {value:.1} C");
        constant(document, &name, "Temperature", value);
        name
    };
    let heating = schedule(document, "Heating", points.heating);
    let pair = format!("{zone} setpoints");
    let (class, control, kind) = if let Some(cooling) = points.cooling {
        let cooling = schedule(document, "Cooling", cooling);
        document.put(
            "ThermostatSetpoint:DualSetpoint",
            &pair,
            json!({
                "heating_setpoint_temperature_schedule_name": heating,
                "cooling_setpoint_temperature_schedule_name": cooling,
            }),
        );
        ("ThermostatSetpoint:DualSetpoint", "Dual setpoint", 4.0)
    } else {
        document.put(
            "ThermostatSetpoint:SingleHeating",
            &pair,
            json!({ "setpoint_temperature_schedule_name": heating }),
        );
        ("ThermostatSetpoint:SingleHeating", "Heating alone", 1.0)
    };
    document.put(
        "ScheduleTypeLimits",
        "Control",
        json!({ "lower_limit_value": 0.0, "upper_limit_value": 4.0, "numeric_type": "Discrete" }),
    );
    constant(document, control, "Control", kind);
    document.put(
        "ZoneControl:Thermostat",
        &format!("{zone} thermostat"),
        json!({
            "zone_or_zonelist_name": zone, "control_type_schedule_name": control,
            "control_1_object_type": class, "control_1_name": pair,
        }),
    );
    ideal_loads(zone, document);
}

fn ideal_loads(zone: &str, document: &mut Document) {
    let (supply, air) = (format!("{zone} supply inlet"), format!("{zone} air node"));
    let (system, list) = (format!("{zone} ideal loads"), format!("{zone} equipment list"));
    document.put(
        "ZoneHVAC:IdealLoadsAirSystem",
        &system,
        json!({
            "zone_supply_air_node_name": supply, "heating_limit": "NoLimit", "cooling_limit": "NoLimit",
            "dehumidification_control_type": "ConstantSensibleHeatRatio", "cooling_sensible_heat_ratio": 0.7,
            "humidification_control_type": "None",
        }),
    );
    document.put(
        "ZoneHVAC:EquipmentList",
        &list,
        json!({
            "load_distribution_scheme": "SequentialLoad",
            "equipment": [{
                "zone_equipment_object_type": "ZoneHVAC:IdealLoadsAirSystem", "zone_equipment_name": system,
                "zone_equipment_cooling_sequence": 1, "zone_equipment_heating_or_no_load_sequence": 1,
            }],
        }),
    );
    document.one(
        "ZoneHVAC:EquipmentConnections",
        json!({
            "zone_name": zone, "zone_conditioning_equipment_list_name": list,
            "zone_air_inlet_node_or_nodelist_name": supply, "zone_air_node_name": air,
            "zone_return_air_node_or_nodelist_name": format!("{zone} return outlet"),
        }),
    );
    document.put(
        "Sizing:Zone",
        &format!("{zone} sizing"),
        json!({
            "zone_or_zonelist_name": zone,
            "zone_cooling_design_supply_air_temperature_input_method": "SupplyAirTemperature",
            "zone_cooling_design_supply_air_temperature": 14.0,
            "zone_heating_design_supply_air_temperature_input_method": "SupplyAirTemperature",
            "zone_heating_design_supply_air_temperature": 50.0,
            "zone_cooling_design_supply_air_humidity_ratio": 0.008,
            "zone_heating_design_supply_air_humidity_ratio": 0.008,
        }),
    );
}
