"""The operations of `BaseAdapter` on an `ifcopenshell.file`."""

import pathlib

import ifcopenshell

from . import (
    climbs,
    deletion,
    difference,
    element,
    lookup,
    modification,
    openings,
    project,
    querying,
    script,
    slabs,
    spaces,
    walls,
)
from .author import Author
from .base import BaseAdapter
from .changes import Changes
from .fault import Fault, FaultCode, invalid
from .guids import Guids
from .properties import set_properties
from .outlines import boundary, height_of, plan_point, positive

_SCHEMAS = {"IFC2X3": "IFC2X3", "IFC4": "IFC4", "IFC4X3": "IFC4X3_ADD2"}


class IfcOpenShellAdapter(BaseAdapter):
    """IfcOpenShell at work on one file for one call."""

    name = "ifcopenshell"

    def __init__(self, model, call=None):
        super().__init__(model, call)
        self.guids = Guids(self.call.operation_id)
        self._begin(model)

    def _begin(self, model):
        self.model = model
        self.tracked = Changes(model) if model is not None else None
        self.author = Author(model, self.guids, self.call) if model is not None else None

    # --- the model -----------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, path):
        try:
            # a blob has a name without an ending
            ending = "".join(pathlib.PurePath(path).suffixes[-1:]).lower()
            return ifcopenshell.open(path, format=ending if ending in (".ifczip", ".ifcxml") else ".ifc")
        except FileNotFoundError:
            raise Fault(FaultCode.NOT_FOUND, f"There is no file at {path}.", path=str(path)) from None
        except Exception as error:  # its parser raises what it likes
            raise Fault(
                FaultCode.UNREADABLE_FILE, f"IfcOpenShell cannot read {path} as an IFC file: {error}."
            ) from error

    @classmethod
    def blank(cls):
        return None

    def text(self):
        return self.model.to_string().encode()

    def changes(self):
        return self.tracked.to_json()

    # --- reading -------------------------------------------------------------------------------------------------

    def query_elements(self, selector, fields=None, aggregate=None, sort=None, limit=50, cursor=None):
        return querying.query(self.author, selector, fields, aggregate, sort, limit, cursor)

    def get_element(self, element_id, include=None):
        return element.get(self.author, lookup.by_exact_id(self.model, element_id), include)

    def diff(self, base, target=None, detail="raw"):
        return difference.diff(base, self.model if target is None else target, detail)

    def select(self, selector):
        """The instances that a selector finds; for scripts."""
        return querying.select(self.model, selector)

    # --- making --------------------------------------------------------------------------------------------------

    def create_project(
        self, name, schema="IFC4", site=None, building=None, address=None, storeys=None, units="m"
    ):
        self._begin(ifcopenshell.file(schema=_SCHEMAS[schema]))
        header = self.model.header
        header.file_name.name = f"{name}.ifc"
        header.file_name.author = (self.call.actor.principal,)
        given = {"name": name, "site": site, "building": building, "address": address, "units": units}
        return project.create(self.author, given | {"storeys": storeys or []})

    def create_level(self, name, elevation, height=None):
        storey = project.create_storey(self.author, name, elevation)
        if height is not None:
            self.author.quantify(
                storey, spaces.STOREY, {"GrossHeight": ("length", positive("height", height))}
            )
        answer = project.storey_answer(self.author, storey)
        return {"level_id": answer["id"], "name": answer["name"], "elevation": answer["elevation"]}

    def create_wall(
        self,
        start,
        end,
        level_id,
        height=3000.0,
        thickness=200.0,
        wall_type="exterior",
        name=None,
        location_line="centre",
        material=None,
    ):
        storey = lookup.storey(self.model, "level_id", level_id)
        ends = plan_point("start", start), plan_point("end", end)
        if len(end) == 3 and abs(height_of(end) - height_of(start)) > 0.1:
            raise invalid("end", "`start` and `end` have different z; a wall stands on one height.")
        base = height_of(start)
        wall = walls.create(
            self.author, storey, *ends, base, height, thickness, wall_type, location_line, name, material
        )
        return walls.answer(self.author, wall)

    def create_floor(
        self, boundary_points, level_id, thickness=200.0, predefined_type="FLOOR", name=None, material=None
    ):
        storey = lookup.storey(self.model, "level_id", level_id)
        outline = boundary("boundary_points", boundary_points)
        top = height_of(boundary_points[0])
        for at, point in enumerate(boundary_points):
            if abs(height_of(point) - top) > 0.1:
                raise invalid(
                    f"boundary_points[{at}]",
                    "The corners of a slab must have the same z; sloping slabs are not made by this tool.",
                )
        within, frame = storey.ObjectPlacement, self.author.frame(storey)
        level = frame[2, 3] + top
        climbs.refuse_floor(self.author, storey, outline, level - thickness, level)
        slab = slabs.write(
            self.author, within, frame, outline, top, thickness, predefined_type, name, material
        )
        self.author.contain(storey, slab)
        spaces.total(self.author, storey)
        return slabs.answer(self.author, slab)

    def create_opening(
        self, host_id, location, width, height, opening_type="void", operation_type=None, name=None
    ):
        if opening_type != "void":
            self.event = "DoorCreated" if opening_type == "door" else "WindowCreated"
        host = lookup.element(self.model, "host_id", host_id, ("IfcElement",), "a wall or slab")
        opening = openings.create(
            self.author, host, location, width, height, opening_type, operation_type, name
        )
        return openings.answer(self.author, opening)

    def create_space(
        self, level_id, boundary_points=None, walls=None, height=None, name=None, long_name=None, usage=None
    ):
        storey = lookup.storey(self.model, "level_id", level_id)
        if (boundary_points is None) == (walls is None):
            raise invalid(
                "boundary_points",
                "Give either boundary_points [[x, y], …] in mm or walls (ids or names), not both and not neither.",
            )
        if boundary_points is not None:
            outline = boundary("boundary_points", boundary_points)
        else:
            found = [
                lookup.element(self.model, f"walls[{at}]", wall, ("IfcWall",), "a wall")
                for at, wall in enumerate(walls)
            ]
            outline = spaces.between(self.author, "walls", found)
        height = spaces.clear_height(self.author, storey) if height is None else height
        space = spaces.create(self.author, storey, outline, height, name, long_name, usage)
        return spaces.answer(self.author, space)

    def create_roof(
        self, boundary_points, level_id, shape="flat", overhang=0.0, thickness=200.0, name=None
    ):
        if shape != "flat":
            raise Fault(
                FaultCode.NOT_SUPPORTED,
                "IfcOpenShell is asked for flat roofs only; give shape=flat, or leave out backend to have other shapes.",
                field="shape",
                allowed=["flat"],
            )
        storey = lookup.storey(self.model, "level_id", level_id)
        outline = boundary("boundary_points", boundary_points)
        base = height_of(boundary_points[0])
        roof = slabs.create_roof(self.author, storey, outline, base, overhang, thickness, name)
        return slabs.roof_answer(self.author, roof)

    # --- changing ------------------------------------------------------------------------------------------------

    def modify_parameter(self, element_id, parameter_name, value):
        found = lookup.element(
            self.model, "element_id", element_id, ("IfcObject", "IfcTypeObject"), "an element"
        )
        return modification.modify(self.author, found, parameter_name, value)

    def delete_elements(self, element_ids, with_contents=False):
        if not element_ids:
            raise invalid("element_ids", "`element_ids` is empty; give at least one id or name.")
        found = [
            lookup.element(self.model, f"element_ids[{at}]", text) for at, text in enumerate(element_ids)
        ]
        deleted = deletion.delete(self.author, found, with_contents)
        return {"deleted": deleted, "count": len(deleted)}

    def set_properties(self, element_ids, pset, properties):
        return set_properties(self.author, element_ids, pset, properties)

    def run_code(self, code, language="python", mode="modify"):
        return script.run(self, code, mode)