"""Faults of further kinds, written when the checks had been mended for those of `energy_mutations_held_out`."""

from energy_mutations import SURFACE, WINDOW, kind, misspell, picked, put

misspell("plenum_inlet_misspelt", ["AirLoopHVAC:ReturnPlenum"], "inlet_node_name", 0)
misspell("supply_path_component_misspelt", ["AirLoopHVAC:SupplyPath"], "component_name", 0)
misspell("damper_outlet_misspelt", ["AirTerminal:SingleDuct:VAV:Reheat"], "damper_air_outlet_node_name")
misspell("reheat_coil_misspelt", ["AirTerminal:SingleDuct:VAV:Reheat"], "reheat_coil_name")
misspell("heater_set_point_schedule_misspelt", ["WaterHeater:Mixed"], "setpoint_temperature_schedule_name")
misspell("chiller_curve_misspelt", ["Chiller:Electric:EIR", "Chiller:Electric:ReformulatedEIR"], "cooling_capacity_function_of_temperature_curve_name")
misspell("exchanger_exhaust_inlet_misspelt", ["HeatExchanger:AirToAir:SensibleAndLatent"], "exhaust_air_inlet_node_name")
misspell("unit_outlet_misspelt", ["AirLoopHVAC:UnitaryHeatCool"], "unitary_system_air_outlet_node_name")
misspell("coil_system_inlet_misspelt", ["CoilSystem:Cooling:DX"], "dx_cooling_coil_system_inlet_node_name")
misspell("outdoor_node_misspelt", ["OutdoorAir:Node"], "name")
misspell("design_zone_misspelt", ["Sizing:Zone"], "zone_or_zonelist_name")
misspell("tower_outlet_misspelt", ["CoolingTower:SingleSpeed", "CoolingTower:VariableSpeed"], "water_outlet_node_name")
misspell("outdoor_system_misspelt", ["AirLoopHVAC:OutdoorAirSystem"], "name")
put("zone_inlet_blank", ["ZoneHVAC:EquipmentConnections"], "zone_air_inlet_node_or_nodelist_name", "")
put("six_speeds_of_a_fan", ["Fan:SystemModel"], "number_of_speeds", "6")
put("four_speeds_of_a_coil", ["Coil:Cooling:DX:MultiSpeed"], "number_of_speeds", "4")
put("mixer_outlet_is_an_inlet", ["Connector:Mixer"], "outlet_branch_name", lambda one: one.values[2])
put("window_multiplier_negative", [WINDOW], "multiplier", "-1")
put("time_zone_out_of_range", ["Site:Location"], "time_zone", "25")
put("actuator_name_with_a_space", ["EnergyManagementSystem:Actuator"], "name", "Held Out Actuator")
put("zone_of_the_exhaust_blank", ["ZoneHVAC:EquipmentConnections"], "zone_return_air_node_or_nodelist_name", "")
put("loop_set_point_scheme_unknown", ["PlantLoop"], "plant_loop_demand_calculation_scheme", "Double")
put("warmest_supply_below_coldest", ["Sizing:System"], "central_heating_design_supply_air_temperature", "5", where=lambda one: one.get("type_of_load_to_size_on").lower() == "sensible")


def compact(model, chance):
    return picked(model, chance, "Schedule:Compact", where=lambda one: len(one.values) > 6)


@kind
def last_value_of_a_schedule_blank(model, chance):
    one = compact(model, chance)
    model.put(one, len(one.values) - 1, "")


@kind
def period_of_a_schedule_left_out(model, chance):
    model.put(compact(model, chance), 2, "")


@kind
def days_of_a_schedule_left_out(model, chance):
    model.put(compact(model, chance), 3, "")


@kind
def window_in_a_wall_between_zones(model, chance):
    wall = picked(model, chance, SURFACE, where=lambda one: one.get("surface_type").lower() == "wall" and one.get("outside_boundary_condition").lower() == "surface")
    model.set(picked(model, chance, WINDOW), "building_surface_name", wall.name)


@kind
def list_of_zones_named_as_a_zone(model, chance):
    zone = picked(model, chance, "Zone")
    model.add(f"ZoneList,{zone.name},{zone.name};")


@kind
def last_coordinate_missing(model, chance):
    one = picked(model, chance, SURFACE, where=lambda one: one.groups() == 4)
    a, b = one.spans[-2][1], one.spans[-1][1]
    model.edits.append((a, b, ""))


@kind
def corners_crossed(model, chance):
    one = picked(model, chance, SURFACE, where=lambda one: one.groups() == 4)
    for group, other in ((1, 2), (2, 1)):
        for axis in "xyz":
            model.set(one, f"vertex_{axis}_coordinate", one.get(f"vertex_{axis}_coordinate", other), group)


@kind
def control_type_of_five(model, chance):
    model.add("Schedule:Constant,Held Out Five,,5;")
    model.set(picked(model, chance, "ZoneControl:Thermostat"), "control_type_schedule_name", "Held Out Five")


@kind
def sensor_named_as_an_actuator(model, chance):
    actuator = picked(model, chance, "EnergyManagementSystem:Actuator")
    model.set(picked(model, chance, "EnergyManagementSystem:Sensor"), "name", actuator.name)


@kind
def layer_twice_removed(model, chance):
    one = picked(model, chance, "Construction", where=lambda one: len(one.values) > 3)
    model.put(one, 2, "")


@kind
def coil_in_a_branch_of_another_type(model, chance):
    one = picked(model, chance, "Branch", where=lambda one: one.get("component_object_type", 0).lower() == "coil:heating:water")
    model.set(one, "component_object_type", "Coil:Cooling:Water", 0)
