"""Faults of zones, loads, materials, constructions, surfaces and windows."""

from energy_mutations import AIR_COILS, FANS, SURFACE, WINDOW, drop, kind, misspell, picked, put


# zones and loads

misspell("lights_zone_misspelt", ["Lights"], "zone_or_zonelist_or_space_or_spacelist_name")
misspell("zone_misspelt_in_itself", ["Zone"], "name")
misspell("zone_list_member_misspelt", ["ZoneList"], "zone_name", 0)
misspell("infiltration_schedule_misspelt", ["ZoneInfiltration:DesignFlowRate"], "schedule_name")
put("people_blank", ["People"], "number_of_people_schedule_name", "")
put("activity_blank", ["People"], "activity_level_schedule_name", "")
put("people_method_unknown", ["People"], "number_of_people_calculation_method", "People/Floor")
put("people_number_blank", ["People"], "people_per_floor_area", "", where=lambda one: one.get("number_of_people_calculation_method").lower() == "people/area")
put("lights_method_unknown", ["Lights"], "design_level_calculation_method", "Watts per Area")
put("lights_fractions_above_one", ["Lights"], "fraction_radiant", "0.99", where=lambda one: float(one.get("fraction_visible") or 0) > 0.05)
put("equipment_fractions_above_one", ["ElectricEquipment"], "fraction_latent", "0.95", where=lambda one: float(one.get("fraction_radiant") or 0) > 0.1)
put("infiltration_method_unknown", ["ZoneInfiltration:DesignFlowRate"], "design_flow_rate_calculation_method", "AirChanges")
put("zone_multiplier_zero", ["Zone"], "multiplier", "0")
drop("every_zone_removed", "Zone", every=True)
drop("zone_removed", "Zone")
put("mixing_from_itself", ["ZoneMixing"], "source_zone_or_space_name", lambda one: one.get("zone_or_space_name"))


@kind
def zone_twice(model, chance):
    one = picked(model, chance, "Zone")
    model.add(f"Zone,{one.name};")


@kind
def name_twice(model, chance):
    one = picked(model, chance, *AIR_COILS, *FANS)
    model.add(model.text[one.start : one.end])


@kind
def one_name_for_two_coils(model, chance):
    cooling = [one for one in model.beginning("Coil:Cooling:") if not model.named(one.name, "Coil:Heating:Fuel")]
    one, other = chance.choice(cooling), picked(model, chance, "Coil:Heating:Fuel", "Coil:Heating:Electric")
    for user in model.objects:
        for at, value in enumerate(user.values):
            if value.lower() == other.name.lower():
                model.put(user, at, one.name)


@kind
def material_twice(model, chance):
    one = picked(model, chance, "Material")
    model.add(f"Material:NoMass,{one.name},Rough,1.0;")


@kind
def daylighting_fractions_above_one(model, chance):
    one = picked(model, chance, "Daylighting:Controls", where=lambda one: one.groups() > 1)
    for group in (0, 1):
        model.set(one, "fraction_of_lights_controlled_by_reference_point", "0.9", group)


misspell("daylighting_zone_misspelt", ["Daylighting:Controls"], "zone_or_space_name")
misspell("daylighting_point_misspelt", ["Daylighting:Controls"], "daylighting_reference_point_name", 0)


# materials and constructions

put("conductivity_negative", ["Material"], "conductivity", "-0.5")
put("thickness_zero", ["Material"], "thickness", "0")
put("density_is_a_word", ["Material"], "density", "heavy")
put("roughness_unknown", ["Material"], "roughness", "Roughest")
put("glazing_factor_too_large", ["WindowMaterial:SimpleGlazingSystem"], "solar_heat_gain_coefficient", "1.4")
misspell("layer_misspelt", ["Construction"], "outside_layer")
misspell("surface_construction_misspelt", [SURFACE], "construction_name")
misspell("internal_mass_construction_misspelt", ["InternalMass"], "construction_name")
drop("material_removed", "Material")
drop("construction_removed", "Construction")


@kind
def glass_within_a_wall(model, chance):
    glass = picked(model, chance, "WindowMaterial:SimpleGlazingSystem", "WindowMaterial:Glazing")
    one = picked(model, chance, "Construction", where=lambda one: len(one.values) > 2 and not any(model.named(layer, "WindowMaterial:SimpleGlazingSystem", "WindowMaterial:Glazing") for layer in one.values[1:]))
    model.put(one, len(one.values) - 1, glass.name)


@kind
def window_of_a_wall_construction(model, chance):
    wall = picked(model, chance, SURFACE, where=lambda one: one.get("surface_type").lower() == "wall")
    model.set(picked(model, chance, WINDOW, where=lambda one: one.get("surface_type").lower() == "window"), "construction_name", wall.get("construction_name"))


@kind
def wall_of_a_window_construction(model, chance):
    window = picked(model, chance, WINDOW, where=lambda one: one.get("surface_type").lower() == "window")
    model.set(picked(model, chance, SURFACE), "construction_name", window.get("construction_name"))


@kind
def constructions_of_two_sides_differ(model, chance):
    one = picked(model, chance, SURFACE, where=lambda one: one.get("outside_boundary_condition").lower() == "surface")
    other = picked(model, chance, SURFACE, where=lambda other: other.get("outside_boundary_condition").lower() == "outdoors")
    model.set(one, "construction_name", other.get("construction_name"))


@kind
def gas_outside(model, chance):
    one = picked(model, chance, "Construction")
    model.add("WindowMaterial:Gas,Mutated Gas,Air,0.0127;")
    model.set(one, "outside_layer", "Mutated Gas")


# surfaces and windows


def corner(one, group):
    return [float(one.get(f"vertex_{axis}_coordinate", group)) for axis in "xyz"]


@kind
def two_corners_left(model, chance):
    one = picked(model, chance, SURFACE, where=lambda one: one.groups() > 2)
    a, b = one.spans[one.at("vertex_z_coordinate", 1)][1], one.spans[-1][1]
    model.edits.append((a, b, ""))
    model.set(one, "number_of_vertices", "2")


@kind
def corners_coincide(model, chance):
    one = picked(model, chance, SURFACE, where=lambda one: one.groups() == 4)
    for group in (1, 2):
        for axis in "xyz":
            model.set(one, f"vertex_{axis}_coordinate", one.get(f"vertex_{axis}_coordinate", 0), group)


@kind
def corners_on_a_line(model, chance):
    one = picked(model, chance, SURFACE, where=lambda one: one.groups() == 4)
    a, b = corner(one, 0), corner(one, 1)
    for group, share in ((2, 0.5), (3, 0.25)):
        for at, axis in enumerate("xyz"):
            model.set(one, f"vertex_{axis}_coordinate", f"{a[at] + (b[at] - a[at]) * share:.4f}", group)


@kind
def number_of_corners_too_large(model, chance):
    one = picked(model, chance, SURFACE, where=lambda one: one.groups() == 4 and one.get("number_of_vertices"))
    model.set(one, "number_of_vertices", "6")


@kind
def coordinate_is_a_word(model, chance):
    one = picked(model, chance, SURFACE)
    model.set(one, "vertex_z_coordinate", "3.0m", 0)


@kind
def surface_turned(model, chance):
    one = picked(model, chance, SURFACE, where=lambda one: one.groups() == 4 and one.get("outside_boundary_condition").lower() == "outdoors" and not any(window.get("building_surface_name").lower() == one.name.lower() for window in model.all(WINDOW)))
    for group in range(4):
        for axis in "xyz":
            model.set(one, f"vertex_{axis}_coordinate", one.get(f"vertex_{axis}_coordinate", 3 - group), group)


def borders(word):
    return lambda one: one.get("outside_boundary_condition").lower() == word


put("borders_on_itself", [SURFACE], "outside_boundary_condition_object", lambda one: one.name, where=lambda one: borders("surface")(one) and one.get("outside_boundary_condition_object").lower() != one.name.lower())
misspell("other_side_misspelt", [SURFACE], "outside_boundary_condition_object", where=borders("surface"))
put("other_side_blank", [SURFACE], "outside_boundary_condition_object", "", where=borders("surface"))
put("boundary_unknown", [SURFACE], "outside_boundary_condition", "Outside", where=borders("outdoors"))
misspell("surface_zone_misspelt", [SURFACE], "zone_name")
put("surface_type_unknown", [SURFACE], "surface_type", "Partition")


@kind
def other_side_is_a_third(model, chance):
    one, other = chance.sample([one for one in model.all(SURFACE) if borders("surface")(one)], 2) if sum(map(borders("surface"), model.all(SURFACE))) > 3 else chance.choice([])
    if one.get("outside_boundary_condition_object").lower() == other.name.lower():
        raise LookupError("a pair")
    model.set(one, "outside_boundary_condition_object", other.name)


@kind
def one_side_outdoors(model, chance):
    one = picked(model, chance, SURFACE, where=borders("surface"))
    model.set(one, "outside_boundary_condition", "Outdoors")
    model.set(one, "outside_boundary_condition_object", "")


drop("surface_of_a_pair_removed", SURFACE, where=borders("surface"))


@kind
def wall_with_window_removed(model, chance):
    window = picked(model, chance, WINDOW)
    model.remove(model.named(window.get("building_surface_name"), SURFACE) or chance.choice([]))


misspell("window_wall_misspelt", [WINDOW], "building_surface_name")


def moved(model, one, by):
    for group in range(4):
        for axis, way in zip("xyz", by):
            key = f"vertex_{group + 1}_{axis}_coordinate"
            if one.get(key):
                model.set(one, key, f"{float(one.get(key)) + way:.4f}")


@kind
def window_moved_out(model, chance):
    moved(model, picked(model, chance, WINDOW), (0, 0, 30))


@kind
def window_out_of_plane(model, chance):
    one = picked(model, chance, WINDOW)
    moved(model, one, (3, 3, 0))


@kind
def window_larger_than_its_wall(model, chance):
    one = picked(model, chance, WINDOW)
    for group in (1, 2, 3, 4):
        for axis in "xyz":
            key = f"vertex_{group}_{axis}_coordinate"
            if one.get(key):
                model.set(one, key, f"{float(one.get(key)) * 4:.4f}")


@kind
def window_turned(model, chance):
    one = picked(model, chance, WINDOW, where=lambda one: one.get("vertex_4_x_coordinate"))
    for group in (1, 2, 3, 4):
        for axis in "xyz":
            model.set(one, f"vertex_{group}_{axis}_coordinate", one.get(f"vertex_{5 - group}_{axis}_coordinate"))
