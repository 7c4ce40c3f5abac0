"""The contract of a back end in Python: which operations there are, what they take, and what they answer.

To write an adapter for another program, derive from `BaseAdapter`, say in `open` and `blank` how a model comes to be,
in `changes` what a call did to it, and override the operations that the program can resolve. What is not overridden is
answered with the Fault "not supported", and is not offered.

The rules that every operation follows:

- Names, parameters and answers are those declared here; an adapter may take more optional parameters, not fewer.
- Lengths are mm and angles degrees, whatever the file's units are. Points are `[x, y]` or `[x, y, z]`, in IFC world
  coordinates; z is above the storey. Attributes, properties, stored quantities and selectors are in the file's units.
- Elements are named by GlobalId; where an element is only pointed at, a name that is unique serves as well.
- An operation either does all that it says or raises a `Fault`, whose message says what to do next. Whoever calls forgets
  the model after a Fault, so nothing has to be undone.
- The same operation on the same model makes the same change, GlobalIds included: they derive from `Call.operation_id`
  (see `guids.Guids`), and times from `Call.time_ms`. Nothing else is remembered from one call to the next.
"""

import dataclasses
import enum
import functools
import inspect
from abc import ABC, abstractmethod
from typing import Any, Literal

from . import parameters
from .fault import Fault, FaultCode, invalid, near_matches
from .parameters import Point

Section = Literal["attributes", "psets", "quantities", "type", "material", "relations", "geometry"]


class Effect(str, enum.Enum):
    """What an operation does to a model; names the endpoint it is sent to."""

    QUERY = "query"
    CREATE = "create"
    MODIFY = "modify"


@dataclasses.dataclass(frozen=True)
class Actor:
    """Who asked, for the owner history that an edit writes."""

    principal: str = ""
    client: str | None = None


@dataclasses.dataclass(frozen=True)
class Call:
    """What an operation is told beside its parameters."""

    operation_id: str = "operation"
    #: Unix time in milliseconds at which it was first asked for; the same on a retry.
    time_ms: int = 0
    actor: Actor = Actor()


@dataclasses.dataclass(frozen=True)
class Operation:
    """What is known of an operation without running it."""

    name: str
    effect: Effect
    #: What kind of event a change by it is, such as `WallCreated`.
    event: str | None
    #: Whether it makes a model instead of working on one.
    new_model: bool


def operation(effect, event=None, new_model=False):
    """Declares a method of an adapter as an operation."""

    def declare(method):
        method.operation = Operation(method.__name__, Effect(effect), event, new_model)
        return method

    return declare


def _checked(declared, method):
    """The method of an adapter, which is given only what the declaration allows."""
    names = list(parameters.schema_of(declared))

    @functools.wraps(declared)
    def call(self, *given, **named):
        if len(given) > len(names):
            raise invalid("", f"{declared.__name__} takes {len(names)} arguments; {len(given)} were given.")
        return method(self, **parameters.read(declared, dict(zip(names, given)) | named))

    call.operation = declared.operation
    return call


class BaseAdapter(ABC):
    """A back end at work on one model for one call."""

    #: Its name, as a host lists it.
    name = "base"

    def __init__(self, model, call=None):
        self.model = model
        self.call = call or Call()
        #: What kind of event this call is, where that depends on its parameters.
        self.event = None

    def __init_subclass__(cls, **more):
        """Has every call of an operation read its arguments by the declaration, also where a script makes it."""
        super().__init_subclass__(**more)
        for name, method in list(vars(cls).items()):
            declared = getattr(BaseAdapter, name, None)
            if inspect.isfunction(method) and hasattr(declared, "operation"):
                setattr(cls, name, _checked(declared, method))

    # --- the model -----------------------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def open(cls, path):
        """The model in a file. A file that is none is the Fault "unreadable file"."""

    @classmethod
    @abstractmethod
    def blank(cls):
        """A model with nothing in it, for operations that make one."""

    @abstractmethod
    def text(self):
        """The whole file as bytes, for a model that is new."""

    @abstractmethod
    def changes(self):
        """What this call did, as `{"added": […], "changed": […], "removed": […]}`: STEP lines, and ids."""

    # --- running -------------------------------------------------------------------------------------------------

    @classmethod
    def operations(cls):
        """The operations that this adapter resolves, by name: those it has overridden."""
        found = {}
        for name in dir(cls):
            own = getattr(cls, name)
            if hasattr(own, "operation") and own is not getattr(BaseAdapter, name, None):
                found[name] = own.operation
        return found

    def run(self, name, arguments):
        """Runs an operation by name with arguments as JSON has them; answers JSON."""
        operations = self.operations()
        if name not in operations:
            near = near_matches(name, operations)
            hint = f"Did you mean {near[0]}?" if near else f"It resolves: {', '.join(operations)}."
            raise Fault(
                FaultCode.NOT_SUPPORTED,
                f"The adapter {self.name} does not resolve {name!r}. {hint}",
                operation=name,
                near_matches=near,
            )
        self.event = operations[name].event
        if not isinstance(arguments, dict):
            raise invalid("", "The arguments must be a JSON object of named parameters.")
        return getattr(self, name)(**arguments)

    def __getattr__(self, name):
        """Tells a script that asks for a tool of our own kernel what there is here. Called only for what is not found."""
        if name.startswith("_"):
            raise AttributeError(name)
        names = ", ".join(["select", *self.operations()])
        raise AttributeError(
            f"the adapter {self.name} does not resolve {name}; it has {names}. On our own kernel, without `backend`, every tool that "
            "works on a model is a method"
        )

    def _missing(self, name):
        raise Fault(
            FaultCode.NOT_SUPPORTED, f"The adapter {self.name} does not resolve {name!r}.", operation=name
        )

    # --- reading -------------------------------------------------------------------------------------------------

    @operation("query")
    def query_elements(
        self,
        selector: str,
        fields: list[str] | None = None,
        aggregate: list[str] | str | None = None,
        sort: list[str] | str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> dict:
        """Finds elements with a selector (IfcOpenShell's syntax).

        Answers `total` and `rows` of `id`, `name` and the `fields` asked for (default `class` and `storey`; nulls left out),
        with `next_cursor` where there are more; or, with `aggregate` (`count`, `sum Qto_WallBaseQuantities.Length by storey`),
        `groups`. `units` names the units of columns, `notes` says what is odd.
        """
        self._missing("query_elements")

    @operation("query")
    def get_element(self, element_id: str, include: list[Section] | None = None) -> dict:
        """One element whole: `id`, `name`, `class`, and the sections asked for (default all)."""
        self._missing("get_element")

    @operation("query")
    def diff(self, base: Any, target: Any = None, detail: Literal["raw", "summary"] = "raw") -> dict:
        """What differs between the model given as `base` and `target` (default: this one): instances `added`, `removed` and
        `modified`; `summary` answers the numbers by class."""
        self._missing("diff")

    # --- making --------------------------------------------------------------------------------------------------

    @operation("create", event="ProjectCreated", new_model=True)
    def create_project(
        self,
        name: str,
        schema: Literal["IFC2X3", "IFC4", "IFC4X3"] = "IFC4",
        site: str | None = None,
        building: str | None = None,
        address: str | None = None,
        storeys: list[dict] | None = None,
        units: Literal["m", "mm"] = "m",
    ) -> dict:
        """A new model with project, site, building, storeys (`[{"name", "elevation"}]`), units and contexts. Answers
        `project_id`, `site_id`, `building_id`, `storeys`, `schema`, `length_unit`."""
        self._missing("create_project")

    @operation("create", event="LevelCreated")
    def create_level(self, name: str, elevation: float, height: float | None = None) -> dict:
        """A storey. Answers `level_id`, `name`, `elevation`."""
        self._missing("create_level")

    @operation("create", event="WallCreated")
    def create_wall(
        self,
        start: Point,
        end: Point,
        level_id: str,
        height: float = 3000.0,
        thickness: float = 200.0,
        wall_type: Literal["exterior", "interior", "partition"] = "exterior",
        name: str | None = None,
        location_line: Literal["centre", "left", "right"] = "centre",
        material: str | None = None,
    ) -> dict:
        """A straight wall whose axis runs from start to end; `location_line` says whether that line is its middle, or its left
        or right face seen from start to end. Answers `wall_id`, `name`, `level`, `start`, `end`, `length`, `height`,
        `thickness`, `quantities`."""
        self._missing("create_wall")

    @operation("create", event="FloorCreated")
    def create_floor(
        self,
        boundary_points: list[Point],
        level_id: str,
        thickness: float = 200.0,
        predefined_type: Literal["FLOOR", "ROOF", "BASESLAB", "LANDING"] = "FLOOR",
        name: str | None = None,
        material: str | None = None,
    ) -> dict:
        """A slab whose top is at the storey's elevation (or at the points' z above it) and which reaches down by its
        thickness. Answers `floor_id`, `name`, `predefined_type`, `level`, `top`, `thickness`, `area`, `quantities`."""
        self._missing("create_floor")

    @operation("create", event="OpeningCreated")
    def create_opening(
        self,
        host_id: str,
        location: Any,
        width: float,
        height: float,
        opening_type: Literal["void", "door", "window"] = "void",
        operation_type: str | None = None,
        name: str | None = None,
    ) -> dict:
        """An opening in a wall or slab, with a door or window in it if wanted. `location` is the opening's centre: `{"along": mm}`
        from the wall's start, `{"fraction": 0..1}`, `{"at": "center"}`, each with `"sill": mm` if wanted (default 0, windows
        900), or a point. One that would leave its host or overlap another is refused. Answers `opening_id`, `filling_id`, `class`,
        `name`, `host_id`, `level`, `along`, `sill`, `width`, `height`, `position`, `quantities`."""
        self._missing("create_opening")

    @operation("create", event="SpaceCreated")
    def create_space(
        self,
        level_id: str,
        boundary_points: list[Point] | None = None,
        walls: list[str] | None = None,
        height: float | None = None,
        name: str | None = None,
        long_name: str | None = None,
        usage: str | None = None,
    ) -> dict:
        """A room from the corners of its inner faces, or from the walls around it. Answers `space_id`, `name`, `level`, `area`,
        `height`, `boundary_points`, `quantities`."""
        self._missing("create_space")

    @operation("create", event="RoofCreated")
    def create_roof(
        self,
        boundary_points: list[Point],
        level_id: str,
        shape: Literal["flat", "gable", "hip", "shed"] = "flat",
        overhang: float = 0.0,
        thickness: float = 200.0,
        name: str | None = None,
    ) -> dict:
        """A roof with its slab, which rests on the storey's level. Answers `roof_id`, `slab_id`, `name`, `level`, `area`,
        `thickness`, `quantities`."""
        self._missing("create_roof")

    # --- changing ------------------------------------------------------------------------------------------------

    @operation("modify", event="ElementModified")
    def modify_parameter(self, element_id: str, parameter_name: str, value: Any) -> dict:
        """Changes one parameter of an element and what follows from it. Wall: height, thickness, start, end, length. Opening,
        door, window: width, height, sill, along. Slab, roof: thickness, boundary_points. Space: height, boundary_points. Storey:
        elevation. Any: an attribute by its IFC name, or `Pset.Property`, in the file's units. Answers `element_id`, `class`,
        `name`, `parameter_name`, `before`, `after`, `regenerated`."""
        self._missing("modify_parameter")

    @operation("modify", event="ElementsDeleted")
    def delete_elements(self, element_ids: list[str], with_contents: bool = False) -> dict:
        """Deletes elements with what depends on them: a wall with its openings, an opening with its door or window, a door or
        window with its opening, a roof with its slab. Answers `deleted` (`id`, `class`, `name`, `dependent`) and `count`."""
        self._missing("delete_elements")

    @operation("modify", event="PropertiesSet")
    def set_properties(self, element_ids: list[str], pset: str, properties: dict) -> dict:
        """Sets properties (or, in a `Qto_` set, quantities) of elements in one set; null removes. Only the elements named
        change, even where they share the set. Answers `element_ids`, `pset`, `properties`, `notes`."""
        self._missing("set_properties")

    @operation("modify", event="CodeRun")
    def run_code(
        self, code: str, language: Literal["python"] = "python", mode: Literal["modify", "query"] = "modify"
    ) -> dict:
        """Runs a script with `model`, the program's module and `adapter` (this object). What it changes is one change, all or
        nothing. Answers `value` (that of the last expression, or of the name `result`) and `printed`."""
        self._missing("run_code")
