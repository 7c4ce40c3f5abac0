"""Faults of kinds that the checks were not made with: written when those were done, to see what they find of what they do not know."""

from energy_mutations import FANS, SURFACE, WINDOW, drop, kind, misspell, picked, put

misspell("exchanger_supply_inlet_misspelt", ["HeatExchanger:AirToAir:SensibleAndLatent"], "supply_air_inlet_node_name")
misspell("chiller_condenser_inlet_misspelt", ["Chiller:Electric:ReformulatedEIR", "Chiller:Electric:EIR"], "condenser_inlet_node_name")
misspell("boiler_outlet_misspelt", ["Boiler:HotWater"], "boiler_water_outlet_node_name")
misspell("unitary_fan_misspelt", ["AirLoopHVAC:UnitaryHeatCool", "AirLoopHVAC:UnitarySystem"], "supply_fan_name")
misspell("single_zone_control_zone_misspelt", ["SetpointManager:SingleZone:Reheat", "SetpointManager:SingleZone:Heating"], "control_zone_name")
misspell("case_in_list_misspelt", ["Refrigeration:CaseAndWalkInList"], "case_or_walkin_name", 0)
misspell("exterior_lights_schedule_misspelt", ["Exterior:Lights"], "schedule_name")
misspell("water_target_schedule_misspelt", ["WaterUse:Equipment"], "target_temperature_schedule_name")
misspell("week_misspelt", ["Schedule:Year"], "schedule_week_name", 0)
misspell("terminal_coil_misspelt", ["ZoneHVAC:PackagedTerminalAirConditioner", "ZoneHVAC:PackagedTerminalHeatPump"], "cooling_coil_name")
misspell("recovery_controller_misspelt", ["ZoneHVAC:EnergyRecoveryVentilator"], "controller_name")
misspell("outdoor_schedule_misspelt", ["Controller:OutdoorAir"], "minimum_outdoor_air_schedule_name")
misspell("night_cycle_fan_schedule_misspelt", ["AvailabilityManager:NightCycle"], "fan_schedule_name")
misspell("frame_misspelt", [WINDOW], "frame_and_divider_name")
misspell("boiler_curve_misspelt", ["Boiler:HotWater"], "normalized_boiler_efficiency_curve_name")
misspell("heat_pump_water_inlet_misspelt", ["Coil:Cooling:WaterToAirHeatPump:EquationFit"], "water_inlet_node_name")
misspell("coil_setpoint_node_misspelt", ["Coil:Heating:Fuel", "Coil:Heating:Electric"], "temperature_setpoint_node_name")
misspell("return_plenum_zone_misspelt", ["AirLoopHVAC:ReturnPlenum"], "zone_name")
misspell("return_plenum_outlet_misspelt", ["AirLoopHVAC:ReturnPlenum"], "outlet_node_name")
misspell("use_side_inlet_misspelt", ["WaterHeater:Mixed"], "use_side_inlet_node_name")
misspell("zone_exhaust_misspelt", ["ZoneHVAC:EquipmentConnections"], "zone_air_exhaust_node_or_nodelist_name")
put("loop_temperatures_crossed", ["PlantLoop"], "minimum_loop_temperature", "120")
put("night_cycle_without_zones", ["AvailabilityManager:NightCycle"], "control_type", "CycleOnControlZone")
put("ground_wall_of_layers", [SURFACE], "construction_name", "", where=lambda one: one.get("outside_boundary_condition").lower().startswith("ground"))
put("other_side_coefficients_missing", [SURFACE], "outside_boundary_condition", "OtherSideCoefficients", where=lambda one: one.get("outside_boundary_condition").lower() == "outdoors")
put("special_day_impossible", ["RunPeriodControl:SpecialDays"], "start_date", "February 31")
put("daylight_saving_impossible", ["RunPeriodControl:DaylightSavingTime"], "start_date", "7th Sunday in March")
put("calling_point_unknown", ["EnergyManagementSystem:ProgramCallingManager"], "energyplus_model_calling_point", "BeforeEverything")
put("outdoor_flow_crossed", ["Controller:OutdoorAir"], "maximum_outdoor_air_flow_rate", "0.0001")
put("material_three_kilometres_thick", ["Material"], "thickness", "3000")
put("unitary_control_zone_is_another", ["AirLoopHVAC:UnitaryHeatCool", "AirLoopHVAC:UnitarySystem"], "controlling_zone_or_thermostat_location", "Attic")
put("heating_load_range_crossed", ["PlantEquipmentOperation:HeatingLoad"], "load_range_lower_limit", "1e12", group=0)
drop("performance_of_coil_removed", "UnitarySystemPerformance:Multispeed")
drop("air_specification_for_zone_removed", "DesignSpecification:ZoneAirDistribution")
drop("water_equipment_removed", "WaterUse:Equipment")
drop("outdoor_system_equipment_list_removed", "AirLoopHVAC:OutdoorAirSystem:EquipmentList")
drop("node_list_removed", "NodeList")
drop("rack_removed", "Refrigeration:CompressorRack")


@kind
def curve_bounds_crossed(model, chance):
    one = picked(model, chance, "Curve:Quadratic", "Curve:Cubic")
    model.set(one, "minimum_value_of_x", "5")
    model.set(one, "maximum_value_of_x", "1")


@kind
def fan_takes_in_where_it_lets_out(model, chance):
    one = picked(model, chance, *FANS)
    model.set(one, "air_inlet_node_name", one.get("air_outlet_node_name"))


@kind
def outdoor_equipment_reversed(model, chance):
    one = picked(model, chance, "AirLoopHVAC:OutdoorAirSystem:EquipmentList", where=lambda one: len(one.values) > 4)
    for at, other in ((1, 3), (2, 4), (3, 1), (4, 2)):
        model.put(one, at, one.values[other])


def line_put(model, chance, line):
    programs = [(one, at) for one in model.all("EnergyManagementSystem:Program") for at, text in enumerate(one.values) if at and text.lower().startswith("set ")]
    one, at = chance.choice(programs)
    model.put(one, at, line)


@kind
def program_parenthesis_open(model, chance):
    line_put(model, chance, "SET held_out = (1 + 2")


@kind
def program_function_unknown(model, chance):
    line_put(model, chance, "SET held_out = @Maximum 1 2")


@kind
def program_runs_what_is_not_there(model, chance):
    line_put(model, chance, "RUN Nothing_At_All")


@kind
def program_divides_by_zero(model, chance):
    line_put(model, chance, "SET held_out = 1 / 0")


@kind
def two_surfaces_of_one_name(model, chance):
    one, other = chance.sample(model.all(SURFACE), 2)
    model.set(one, "name", other.name)


@kind
def version_of_the_future(model, chance):
    model.set(picked(model, chance, "Version"), "version_identifier", "99.1")


@kind
def second_simulation_control(model, chance):
    one = picked(model, chance, "SimulationControl")
    model.add(model.text[one.start : one.end])


@kind
def zones_exchange_their_equipment(model, chance):
    zones = model.all("ZoneHVAC:EquipmentConnections")
    one, other = chance.sample(zones, 2) if len(zones) > 1 else chance.choice([])
    key = "zone_conditioning_equipment_list_name"
    model.set(one, key, other.get(key))
    model.set(other, key, one.get(key))


@kind
def branches_exchange_components(model, chance):
    pumps = [one for one in model.all("Branch") if one.get("component_object_type", 0).lower().startswith("pump:")]
    pipes = [one for one in model.all("Branch") if one.get("component_object_type", 0).lower().startswith("pipe:")]
    one, other = chance.choice(pumps), chance.choice(pipes)
    for key in ("component_object_type", "component_name", "component_inlet_node_name", "component_outlet_node_name"):
        model.set(one, key, other.get(key, 0), 0)
        model.set(other, key, one.get(key, 0), 0)


@kind
def cooling_set_point_is_a_fraction(model, chance):
    one = picked(model, chance, "ThermostatSetpoint:DualSetpoint")
    model.add("Schedule:Constant,Held Out Fraction,,0.5;")
    model.set(one, "cooling_setpoint_temperature_schedule_name", "Held Out Fraction")


@kind
def sizing_of_a_zone_twice(model, chance):
    one = picked(model, chance, "Sizing:Zone")
    model.add(model.text[one.start : one.end])


@kind
def glazing_beside_simple_glazing(model, chance):
    glass = {one.name.lower() for one in model.all("WindowMaterial:SimpleGlazingSystem")}
    one = picked(model, chance, "Construction", where=lambda one: one.get("outside_layer").lower() in glass and len(one.values) == 2)
    model.edits.append((one.end - 1, one.end, ", " + one.get("outside_layer") + ";"))
