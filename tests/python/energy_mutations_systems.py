"""Faults of nodes, loops, equipment, controls, schedules, sizing, programs and of the text itself."""

import re

from energy_idf import misspelt
from energy_mutations import AIR_COILS, FANS, TERMINALS, drop, kind, misspell, picked, put


# nodes

misspell("branch_outlet_misspelt", ["Branch"], "component_outlet_node_name", 0)
misspell("branch_inlet_misspelt", ["Branch"], "component_inlet_node_name", 0)
misspell("coil_air_inlet_misspelt", ["Coil:Heating:Fuel", "Coil:Heating:Electric", "Coil:Cooling:DX:TwoSpeed"], "air_inlet_node_name")
misspell("water_coil_water_outlet_misspelt", ["Coil:Heating:Water", "Coil:Cooling:Water"], "water_outlet_node_name")
misspell("fan_outlet_misspelt", FANS, "air_outlet_node_name")
misspell("pump_outlet_misspelt", ["Pump:VariableSpeed", "Pump:ConstantSpeed"], "outlet_node_name")
misspell("set_point_node_misspelt", ["SetpointManager:Scheduled", "SetpointManager:SingleZone:Reheat", "SetpointManager:MixedAir"], "setpoint_node_or_nodelist_name")
misspell("set_point_reference_misspelt", ["SetpointManager:MixedAir"], "reference_setpoint_node_name")
misspell("set_point_fan_node_misspelt", ["SetpointManager:MixedAir"], "fan_outlet_node_name")
misspell("water_controller_sensor_misspelt", ["Controller:WaterCoil"], "sensor_node_name")
misspell("water_controller_actuator_misspelt", ["Controller:WaterCoil"], "actuator_node_name")
misspell("outdoor_controller_actuator_misspelt", ["Controller:OutdoorAir"], "actuator_node_name")
misspell("outdoor_controller_mixed_misspelt", ["Controller:OutdoorAir"], "mixed_air_node_name")
misspell("mixer_relief_misspelt", ["OutdoorAir:Mixer"], "relief_air_stream_node_name")
misspell("mixer_return_misspelt", ["OutdoorAir:Mixer"], "return_air_stream_node_name")
misspell("zone_inlet_misspelt", ["ZoneHVAC:EquipmentConnections"], "zone_air_inlet_node_or_nodelist_name")
misspell("zone_air_node_misspelt", ["ZoneHVAC:EquipmentConnections"], "zone_air_node_name")
misspell("zone_return_misspelt", ["ZoneHVAC:EquipmentConnections"], "zone_return_air_node_or_nodelist_name")
misspell("terminal_inlet_misspelt", ["AirTerminal:SingleDuct:ConstantVolume:NoReheat"], "air_inlet_node_name")
misspell("distribution_unit_outlet_misspelt", ["ZoneHVAC:AirDistributionUnit"], "air_distribution_unit_outlet_node_name")
misspell("splitter_outlet_misspelt", ["AirLoopHVAC:ZoneSplitter"], "outlet_node_name", 0)
misspell("splitter_inlet_misspelt", ["AirLoopHVAC:ZoneSplitter"], "inlet_node_name")
misspell("zone_mixer_inlet_misspelt", ["AirLoopHVAC:ZoneMixer"], "inlet_node_name", 0)
misspell("zone_mixer_outlet_misspelt", ["AirLoopHVAC:ZoneMixer"], "outlet_node_name")
misspell("node_list_member_misspelt", ["NodeList"], "node_name", 0)
misspell("air_loop_supply_outlet_misspelt", ["AirLoopHVAC"], "supply_side_outlet_node_names")
misspell("air_loop_demand_inlet_misspelt", ["AirLoopHVAC"], "demand_side_inlet_node_names")
misspell("plant_demand_inlet_misspelt", ["PlantLoop"], "demand_side_inlet_node_name")
misspell("plant_supply_outlet_misspelt", ["PlantLoop"], "plant_side_outlet_node_name")
misspell("plant_set_point_node_misspelt", ["PlantLoop"], "loop_temperature_setpoint_node_name")
misspell("exhaust_fan_inlet_misspelt", ["Fan:ZoneExhaust"], "air_inlet_node_name")
drop("outdoor_nodes_removed", "OutdoorAir:Node", "OutdoorAir:NodeList", every=True)


@kind
def mixer_nodes_swapped(model, chance):
    one = picked(model, chance, "OutdoorAir:Mixer")
    keys = ["outdoor_air_stream_node_name", "return_air_stream_node_name"]
    for key, other in zip(keys, reversed(keys)):
        model.set(one, key, one.get(other))


@kind
def two_fans_with_one_outlet(model, chance):
    fans = [one for kind in FANS for one in model.all(kind)]
    one, other = chance.sample(fans, 2) if len(fans) > 1 else chance.choice([])
    model.set(one, "air_outlet_node_name", other.get("air_outlet_node_name"))


@kind
def zones_share_their_air_node(model, chance):
    zones = model.all("ZoneHVAC:EquipmentConnections")
    one, other = chance.sample(zones, 2) if len(zones) > 1 else chance.choice([])
    model.set(one, "zone_air_node_name", other.get("zone_air_node_name"))


# branches and loops


@kind
def branch_list_order_swapped(model, chance):
    one = picked(model, chance, "BranchList", where=lambda one: one.groups() > 2)
    last = one.groups() - 1
    model.set(one, "branch_name", one.get("branch_name", last), 0)
    model.set(one, "branch_name", one.get("branch_name", 0), last)


@kind
def branch_components_swapped(model, chance):
    one = picked(model, chance, "Branch", where=lambda one: one.groups() > 1)
    for key in ("component_object_type", "component_name", "component_inlet_node_name", "component_outlet_node_name"):
        model.set(one, key, one.get(key, 1), 0)
        model.set(one, key, one.get(key, 0), 1)


@kind
def branch_in_list_twice(model, chance):
    one = picked(model, chance, "BranchList", where=lambda one: one.groups() > 3)
    model.set(one, "branch_name", one.get("branch_name", 1), 2)


@kind
def branch_left_out_of_the_list(model, chance):
    one = picked(model, chance, "BranchList", where=lambda one: one.groups() > 3)
    a, b = one.spans[one.at("branch_name", 1)][0], one.spans[one.at("branch_name", 2)][0]
    model.edits.append((a, b, ""))


@kind
def splitter_branch_left_out(model, chance):
    one = picked(model, chance, "Connector:Splitter", where=lambda one: one.groups() > 1)
    a, b = one.spans[one.at("outlet_branch_name", 0)][0], one.spans[one.at("outlet_branch_name", 1)][0]
    model.edits.append((a, b, ""))


@kind
def mixer_branch_left_out(model, chance):
    one = picked(model, chance, "Connector:Mixer", where=lambda one: one.groups() > 1)
    a, b = one.spans[one.at("inlet_branch_name", 0)][0], one.spans[one.at("inlet_branch_name", 1)][0]
    model.edits.append((a, b, ""))


@kind
def branch_component_in_two_branches(model, chance):
    one, other = chance.sample(model.all("Branch"), 2)
    for key in ("component_object_type", "component_name", "component_inlet_node_name", "component_outlet_node_name"):
        model.set(one, key, other.get(key, 0), 0)


misspell("branch_in_list_misspelt", ["BranchList"], "branch_name", 0)
misspell("branch_in_connector_misspelt", ["Connector:Splitter"], "outlet_branch_name", 0)
put("plant_branch_list_blank", ["PlantLoop"], "plant_side_branch_list_name", "")
put("plant_connectors_blank", ["PlantLoop"], "demand_side_connector_list_name", "")
put("air_loop_branch_list_blank", ["AirLoopHVAC"], "branch_list_name", "")
drop("branch_list_removed", "BranchList")
drop("connector_list_removed", "ConnectorList")
drop("connector_removed", "Connector:Mixer")
drop("branch_removed", "Branch")
drop("pump_removed", "Pump:VariableSpeed", "Pump:ConstantSpeed")
drop("mixer_removed", "OutdoorAir:Mixer")
drop("controller_list_removed", "AirLoopHVAC:ControllerList")
drop("supply_path_removed", "AirLoopHVAC:SupplyPath")
drop("return_path_removed", "AirLoopHVAC:ReturnPath")
drop("zone_splitter_removed", "AirLoopHVAC:ZoneSplitter")
drop("operation_scheme_removed", "PlantEquipmentOperationSchemes")
drop("plant_equipment_list_removed", "PlantEquipmentList")
drop("availability_list_removed", "AvailabilityManagerAssignmentList")
drop("availability_manager_removed", "AvailabilityManager:NightCycle", "AvailabilityManager:Scheduled")
drop("set_point_manager_of_plant_removed", "SetpointManager:Scheduled")


# equipment

misspell("equipment_in_list_misspelt", ["ZoneHVAC:EquipmentList"], "zone_equipment_name", 0)
misspell("plant_equipment_misspelt", ["PlantEquipmentList"], "equipment_name", 0)
misspell("equipment_list_of_zone_misspelt", ["ZoneHVAC:EquipmentConnections"], "zone_conditioning_equipment_list_name")
put("equipment_type_changed", ["ZoneHVAC:EquipmentList"], "zone_equipment_object_type", "ZoneHVAC:IdealLoadsAirSystem", group=0)
drop("equipment_connections_removed", "ZoneHVAC:EquipmentConnections")
drop("terminal_removed", *TERMINALS)
drop("distribution_unit_removed", "ZoneHVAC:AirDistributionUnit")
drop("fan_removed", *FANS)
drop("outdoor_air_specification_removed", "DesignSpecification:OutdoorAir")
drop("curve_removed", "Curve:Biquadratic", "Curve:Quadratic", "Curve:Cubic")
misspell("water_use_misspelt", ["WaterUse:Connections"], "water_use_equipment_name", 0)


@kind
def curve_of_another_type(model, chance):
    coil = picked(model, chance, "Coil:Cooling:DX:SingleSpeed", "Coil:Cooling:DX:TwoSpeed")
    key = "total_cooling_capacity_function_of_temperature_curve_name"
    if not coil.has(key):
        key = "high_speed_total_cooling_capacity_function_of_temperature_curve_name"
    curve = picked(model, chance, "Curve:Quadratic", "Curve:Cubic")
    model.set(coil, key, curve.name)


@kind
def curve_coefficient_blank(model, chance):
    one = picked(model, chance, "Curve:Biquadratic", "Curve:Quadratic")
    model.set(one, "coefficient2_x", "")


@kind
def equipment_sequence_twice(model, chance):
    one = picked(model, chance, "ZoneHVAC:EquipmentList", where=lambda one: one.groups() > 1)
    for key in ("zone_equipment_cooling_sequence", "zone_equipment_heating_or_no_load_sequence"):
        model.set(one, key, "1", 0)
        model.set(one, key, "1", 1)


@kind
def equipment_sequence_too_large(model, chance):
    one = picked(model, chance, "ZoneHVAC:EquipmentList")
    model.set(one, "zone_equipment_cooling_sequence", "7", 0)


# thermostats


@kind
def thermostat_without_set_point(model, chance):
    one = picked(model, chance, "ZoneControl:Thermostat")
    model.set(one, "control_1_name", "")


drop("set_point_removed", "ThermostatSetpoint:DualSetpoint", "ThermostatSetpoint:SingleHeating")
misspell("thermostat_zone_misspelt", ["ZoneControl:Thermostat"], "zone_or_zonelist_name")
put("thermostat_type_of_another_kind", ["ZoneControl:Thermostat"], "control_1_object_type", "ThermostatSetpoint:SingleCooling", where=lambda one: "Dual" in one.get("control_1_object_type"))


@kind
def control_type_without_control(model, chance):
    one = picked(model, chance, "ZoneControl:Thermostat", where=lambda one: one.get("control_2_object_type") == "")
    model.add("Schedule:Constant,Mutated Control Type,,3;")
    model.set(one, "control_type_schedule_name", "Mutated Control Type")


@kind
def heating_above_cooling(model, chance):
    one = picked(model, chance, "ThermostatSetpoint:DualSetpoint")
    keys = ["heating_setpoint_temperature_schedule_name", "cooling_setpoint_temperature_schedule_name"]
    for key, other in zip(keys, reversed(keys)):
        model.set(one, key, one.get(other))


@kind
def two_thermostats_for_a_zone(model, chance):
    one, other = chance.sample(model.all("ZoneControl:Thermostat"), 2) if len(model.all("ZoneControl:Thermostat")) > 1 else chance.choice([])
    model.set(one, "zone_or_zonelist_name", other.get("zone_or_zonelist_name"))


# sizing, place and time

drop("air_loop_sizing_removed", "Sizing:System")
drop("plant_sizing_removed", "Sizing:Plant")
drop("zone_sizing_removed", "Sizing:Zone")
drop("every_zone_sizing_removed", "Sizing:Zone", every=True)
drop("design_days_removed", "SizingPeriod:DesignDay", every=True)
drop("location_removed", "Site:Location")
drop("simulation_control_removed", "SimulationControl")
drop("building_removed", "Building")
drop("geometry_rules_removed", "GlobalGeometryRules")
put("zone_sizing_not_asked", ["SimulationControl"], "do_zone_sizing_calculation", "No")
put("system_sizing_not_asked", ["SimulationControl"], "do_system_sizing_calculation", "No")
put("plant_sizing_not_asked", ["SimulationControl"], "do_plant_sizing_calculation", "No")
put("latitude_out_of_range", ["Site:Location"], "latitude", "141.8")
put("seven_time_steps", ["Timestep"], "number_of_timesteps_per_hour", "7")
put("design_day_range_negative", ["SizingPeriod:DesignDay"], "daily_dry_bulb_temperature_range", "-3")
put("design_day_type_misspelt", ["SizingPeriod:DesignDay"], "day_type", "WinterDay")
put("loop_type_to_size_blank", ["Sizing:System"], "type_of_load_to_size_on", "Everything")
put("supply_air_colder_than_room", ["Sizing:Zone"], "zone_heating_design_supply_air_temperature", "5.0")
put("supply_air_warmer_than_room", ["Sizing:Zone"], "zone_cooling_design_supply_air_temperature", "45.0")


@kind
def run_period_on_31_february(model, chance):
    one = picked(model, chance, "RunPeriod")
    model.set(one, "end_month", "2")
    model.set(one, "end_day_of_month", "31")


@kind
def design_day_on_31_june(model, chance):
    one = picked(model, chance, "SizingPeriod:DesignDay")
    model.set(one, "month", "6")
    model.set(one, "day_of_month", "31")


# schedules


def values_like(one, beginning):
    """Positions of values that begin with a word."""
    return [at for at, value in enumerate(one.values) if at > 1 and value.lower().replace(" ", "").startswith(beginning)]


def compact(model, chance, beginning="", least=1):
    """A compact schedule that something names, with so many values that begin with a word."""
    names = {value.lower() for one in model.objects if not one.is_a("Schedule:Compact") for value in one.values}
    used = [one for one in model.all("Schedule:Compact") if one.name.lower() in names]
    return chance.choice([one for one in used if len(values_like(one, beginning)) >= least])


@kind
def schedule_removed(model, chance):
    model.remove(compact(model, chance))


@kind
def day_ends_at_23(model, chance):
    one = compact(model, chance, "until:24:00")
    model.put(one, chance.choice(values_like(one, "until:24:00")), "Until: 23:00")


@kind
def year_ends_in_june(model, chance):
    one = compact(model, chance, "through:12/31")
    model.put(one, values_like(one, "through:12/31")[-1], "Through: 6/30")


@kind
def day_types_left_out(model, chance):
    one = compact(model, chance, "for:alldays")
    model.put(one, values_like(one, "for:alldays")[0], "For: Weekdays")


@kind
def day_type_misspelt(model, chance):
    one = compact(model, chance, "for:alldays")
    model.put(one, values_like(one, "for:alldays")[0], "For: AlDays")


@kind
def day_type_twice(model, chance):
    one = compact(model, chance, "for", 2)
    places = values_like(one, "for")
    model.put(one, places[1], one.values[places[0]])


@kind
def times_go_back(model, chance):
    one = compact(model, chance, "until", 3)
    places = [at for at in values_like(one, "until") if "24" not in one.values[at]]
    model.put(one, chance.choice(places[1:]), "Until: 00:30")


@kind
def schedule_value_is_a_word(model, chance):
    one = compact(model, chance, "until")
    model.put(one, values_like(one, "until")[0] + 1, "on")


@kind
def schedule_date_impossible(model, chance):
    one = compact(model, chance, "through:12/31")
    model.put(one, values_like(one, "through:12/31")[-1], "Through: 13/31")


@kind
def schedule_time_impossible(model, chance):
    one = compact(model, chance, "until:24:00")
    model.put(one, values_like(one, "until:24:00")[0], "Until: 25:00")


@kind
def fraction_above_one(model, chance):
    one = chance.choice([one for one in model.all("Schedule:Compact") if one.get("schedule_type_limits_name").lower() == "fraction" and values_like(one, "until")])
    model.put(one, values_like(one, "until")[0] + 1, "2.5")


@kind
def fraction_below_zero(model, chance):
    one = chance.choice([one for one in model.all("Schedule:Compact") if one.get("schedule_type_limits_name").lower() == "fraction" and values_like(one, "until")])
    model.put(one, values_like(one, "until")[0] + 1, "-0.5")


@kind
def people_schedule_negative(model, chance):
    model.add("Schedule:Constant,Mutated Below,,-1;")
    model.set(picked(model, chance, "People"), "number_of_people_schedule_name", "Mutated Below")


@kind
def availability_out_of_range(model, chance):
    model.add("Schedule:Constant,Mutated Availability,,4;")
    model.set(picked(model, chance, *FANS), "availability_schedule_name", "Mutated Availability")


misspell("limits_misspelt", ["Schedule:Compact"], "schedule_type_limits_name")
misspell("lights_schedule_misspelt", ["Lights"], "schedule_name")
misspell("fan_schedule_misspelt", FANS, "availability_schedule_name")


# energy management

misspell("actuator_component_misspelt", ["EnergyManagementSystem:Actuator"], "actuated_component_unique_name")
misspell("actuator_type_misspelt", ["EnergyManagementSystem:Actuator"], "actuated_component_type")
misspell("actuator_control_misspelt", ["EnergyManagementSystem:Actuator"], "actuated_component_control_type")
misspell("sensor_variable_misspelt", ["EnergyManagementSystem:Sensor"], "output_variable_or_output_meter_name")
misspell("sensor_key_misspelt", ["EnergyManagementSystem:Sensor"], "output_variable_or_output_meter_index_key_name", where=lambda one: one.values[1] not in ("", "*"))
misspell("called_program_misspelt", ["EnergyManagementSystem:ProgramCallingManager"], "program_name", 0)
misspell("actuator_renamed", ["EnergyManagementSystem:Actuator"], "name")
drop("sensor_removed", "EnergyManagementSystem:Sensor")
drop("actuator_removed", "EnergyManagementSystem:Actuator")


def lines_like(one, word):
    return [at for at, value in enumerate(one.values) if at and re.match(rf"{word}\b", value, re.IGNORECASE)]


@kind
def endif_missing(model, chance):
    one = picked(model, chance, "EnergyManagementSystem:Program", "EnergyManagementSystem:Subroutine", where=lambda one: lines_like(one, "endif"))
    model.put(one, lines_like(one, "endif")[-1], "SET mutated = 1")


@kind
def program_variable_misspelt(model, chance):
    one = picked(model, chance, "EnergyManagementSystem:Program", where=lambda one: lines_like(one, "set"))
    model.put(one, lines_like(one, "set")[-1], "SET mutated = NeverSetAnywhere + 1")


@kind
def program_keyword_misspelt(model, chance):
    one = picked(model, chance, "EnergyManagementSystem:Program", where=lambda one: lines_like(one, "set"))
    at = lines_like(one, "set")[0]
    model.put(one, at, "SETT" + one.values[at][3:])


# text


@kind
def object_type_misspelt(model, chance):
    one = chance.choice([one for one in model.objects if len(one.kind) > 6 and one.values])
    model.edits.append((one.start, one.start + len(one.kind), misspelt(one.kind, chance)))


@kind
def semicolon_missing(model, chance):
    one = chance.choice([one for one in model.objects if len(one.values) > 3])
    model.edits.append((one.end - 1, one.end, ","))


@kind
def too_many_fields(model, chance):
    one = picked(model, chance, "Timestep", "Site:Location", "HeatBalanceAlgorithm")
    model.edits.append((one.end - 1, one.end, "".join(",1" for _ in range(9)) + ";"))
