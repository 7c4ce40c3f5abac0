"""The frame that everything stands in: project with units and contexts, site, building, storeys."""

import ifcopenshell.util.element
import numpy

from .author import frame_at
from .fault import constraint, invalid
from .lookup import label
from .outlines import finite, given_name, mm


def create(author, new):
    """Makes the project in an empty file."""
    storeys = []
    for at, storey in enumerate(new["storeys"]):
        unknown = set(storey) - {"name", "elevation"}
        if unknown or not isinstance(storey.get("name"), str):
            raise invalid(f"storeys[{at}]", f"`storeys[{at}]` is {{name, elevation}}, and nothing else.")
        elevation = storey.get("elevation")
        if isinstance(elevation, bool) or not isinstance(elevation, (int, float)):
            raise invalid(f"storeys[{at}].elevation", f"`storeys[{at}].elevation` must be a number of mm.")
        storeys.append((storey["name"], float(elevation)))
    name = given_name("name", new["name"])
    units = _units(author, "MILLI" if new["units"] == "mm" else None)
    contexts = _contexts(author)
    project = author.root("IfcProject", name, RepresentationContexts=contexts, UnitsInContext=units)
    author.forget_units()
    site = _spatial(author, "IfcSite", new["site"] or "Site", project, 0.0)
    building = _spatial(author, "IfcBuilding", new["building"] or "Building", site, 0.0)
    if lines := _lines(new["address"] or ""):
        _address(author, building, lines)
    made = [storey_in(author, building, *storey) for storey in sorted(storeys, key=lambda s: s[1])]
    return {
        "project_id": project.GlobalId,
        "site_id": site.GlobalId,
        "building_id": building.GlobalId,
        "storeys": [storey_answer(author, storey) for storey in made],
        "schema": author.model.schema,
        "length_unit": author.unit_label("LENGTHUNIT"),
    }


def _address(author, building, lines):
    if not author.is_latest:
        building.BuildingAddress = author.create("IfcPostalAddress", AddressLines=lines)
        return
    values = [author.model.create_entity("IfcLabel", line) for line in lines]
    written = author.create("IfcPropertyListValue", Name="AddressLines", ListValues=values)
    author.define(building, author.root("IfcPropertySet", "Pset_Address", HasProperties=[written]))


def _lines(address):
    parts = address.splitlines() if "\n" in address else address.split(",")
    return [part.strip() for part in parts if part.strip()]


def _units(author, prefix):
    si = [
        ("LENGTHUNIT", prefix, "METRE"),
        ("AREAUNIT", None, "SQUARE_METRE"),
        ("VOLUMEUNIT", None, "CUBIC_METRE"),
        ("PLANEANGLEUNIT", None, "RADIAN"),
        ("SOLIDANGLEUNIT", None, "STERADIAN"),
        ("MASSUNIT", "KILO", "GRAM"),
        ("TIMEUNIT", None, "SECOND"),
    ]
    made = [author.create("IfcSIUnit", UnitType=kind, Prefix=prefix, Name=name) for kind, prefix, name in si]
    return author.create("IfcUnitAssignment", Units=made)


def _contexts(author):
    model = author.create(
        "IfcGeometricRepresentationContext",
        ContextType="Model",
        CoordinateSpaceDimension=3,
        Precision=1e-5,
        WorldCoordinateSystem=author.axes(numpy.eye(4)),
    )
    plan = author.create(
        "IfcGeometricRepresentationContext",
        ContextType="Plan",
        CoordinateSpaceDimension=2,
        Precision=1e-5,
        WorldCoordinateSystem=author.create("IfcAxis2Placement2D", Location=author.point((0.0, 0.0))),
    )
    for parent, identifier, view in (
        (model, "Body", "MODEL_VIEW"),
        (model, "Axis", "GRAPH_VIEW"),
        (model, "Box", "MODEL_VIEW"),
        (model, "FootPrint", "PLAN_VIEW"),
        (plan, "Annotation", "PLAN_VIEW"),
    ):
        author.create(
            "IfcGeometricRepresentationSubContext",
            ContextIdentifier=identifier,
            ContextType=parent.ContextType,
            ParentContext=parent,
            TargetView=view,
        )
    return [model, plan]


def _spatial(author, ifc_class, name, parent, elevation, **more):
    within = getattr(parent, "ObjectPlacement", None)
    element = author.root(
        ifc_class,
        name,
        ObjectPlacement=author.placement(within, frame_at((0, 0, elevation))),
        CompositionType="ELEMENT",
        **more,
    )
    author.aggregate(parent, element)
    return element


def create_storey(author, name, elevation):
    """Makes a storey in the model's building; a model without a building is given one."""
    model = author.model
    buildings = model.by_type("IfcBuilding")
    if not buildings:
        projects = model.by_type("IfcProject")
        if not projects:
            raise constraint("This model has no project. Make one with create_project.")
        sites = model.by_type("IfcSite")
        site = sites[0] if sites else _spatial(author, "IfcSite", "Site", projects[0], 0.0)
        buildings = [_spatial(author, "IfcBuilding", "Building", site, 0.0)]
    return storey_in(author, buildings[0], name, elevation)


def storey_in(author, building, name, elevation):
    """Makes a storey; name and elevation have to be its own."""
    name = given_name("name", name)
    elevation = finite("elevation", elevation)
    for known in author.model.by_type("IfcBuildingStorey"):
        answer = storey_answer(author, known)
        if known.Name == name:
            clash = "name"
        elif abs(elevation_of(author, known) - elevation) < 1:
            clash = "elevation"
        else:
            continue
        raise constraint(
            f"The storey {label(known)} at {answer['elevation']} mm has this {clash} already. Use its id "
            f"({known.GlobalId}) as level_id, or change it with modify_parameter.",
            field=clash,
            existing=answer,
        )
    storey = _spatial(author, "IfcBuildingStorey", name, building, elevation)
    state_elevation(author, storey, elevation)
    return storey


def state_elevation(author, storey, elevation):
    """Writes a storey's elevation in mm as its attribute; IFC4X3 deprecates that, there the placement alone says it."""
    if storey.Elevation is not None or not author.is_latest:
        storey.Elevation = author.length(elevation)


def elevation_of(author, storey):
    """A storey's elevation above the building's zero in mm: its attribute, else its placement."""
    if storey.Elevation is not None:
        return storey.Elevation * author.length_mm
    building = ifcopenshell.util.element.get_aggregate(storey)
    while building is not None and not building.is_a("IfcBuilding"):
        building = ifcopenshell.util.element.get_aggregate(building)
    zero = 0.0 if building is None else author.frame(building)[2, 3]
    return float(author.frame(storey)[2, 3] - zero)


def storey_answer(author, storey):
    """A storey as it stands."""
    return {"id": storey.GlobalId, "name": label(storey), "elevation": mm(elevation_of(author, storey))}
