"""Openings: a void through a wall or slab, alone or filled by a door or window, placed relative to its host. One that would
leave its host or meet another is refused with the room there is."""

import json

import shapely

from . import fillings, slabs, walls
from .author import frame_at, into, out_of
from .bodies import (
    Extent,
    Slab,
    Wall,
    above_storey,
    filling_of,
    host_of,
    level_name,
    openings,
    storey_of,
)
from .fault import constraint, invalid
from .lookup import label, unnamed
from .outlines import bounds, finite, given_name, mm, plan_point, positive

QUANTITIES = "Qto_OpeningElementBaseQuantities"
_FORMS = (
    '`location` is one of {"along": mm}, {"fraction": 0..1}, {"at": "center"} (each with "sill": mm if wanted), or a '
    "point [x, y] or [x, y, z] in mm"
)


def place(location):
    """Reads a `location`: what kind it is, its value, and the sill."""
    if isinstance(location, str):
        if location.strip().lower() in ("center", "centre", "middle"):
            return "centre", None, None
        try:
            inner = json.loads(location)
        except ValueError:
            inner = location
        if isinstance(inner, str):
            raise invalid("location", f"{_FORMS}; got the text {location}.")
        return place(inner)
    if isinstance(location, (list, tuple)):
        return "point", _point(location), None
    if not isinstance(location, dict):
        raise invalid("location", f"{_FORMS}.")
    for key in location:
        if key not in ("along", "fraction", "at", "sill", "point"):
            raise invalid(f"location.{key}", f"{_FORMS}; there is no `{key}`.")
    given = []
    for key in ("along", "fraction"):
        if (value := _number(location, key)) is not None:
            given.append((key, value))
    at = location.get("at")
    if isinstance(at, str):
        if at.strip().lower() not in ("center", "centre", "middle"):
            raise invalid(
                "location.at", f"`location.at` takes center; start or end are reached by along; got {at}."
            )
        given.append(("centre", None))
    elif at is not None:
        given.append(("point", _point(at)))
    if location.get("point") is not None:
        given.append(("point", _point(location["point"])))
    if len(given) != 1:
        what = "none of them was given" if not given else "only one of along, fraction, at may be given"
        raise invalid("location", f"{_FORMS}; {what}.")
    return (*given[0], _number(location, "sill"))


def _number(location, key):
    value = location.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise invalid(f"location.{key}", f"`location.{key}` must be a number, not {value!r}.")
    return finite(f"location.{key}", float(value))


def _point(value):
    if not isinstance(value, (list, tuple)) or any(
        isinstance(c, bool) or not isinstance(c, (int, float)) for c in value
    ):
        raise invalid("location", f"{_FORMS}; got {value!r}.")
    plan_point("location", value)
    return [float(c) for c in value]


def create(author, host, location, width, height, kind, operation, name):
    """Makes an opening, with its filling; answers the opening."""
    positive("width", width)
    positive("height", height)
    how, value, sill = place(location)
    if host.is_a("IfcWall"):
        return _in_wall(author, host, how, value, sill, width, height, kind, operation, name)
    if host.is_a("IfcSlab"):
        return _in_slab(author, host, how, value, width, height, kind, name)
    hint = "Openings go into walls and slabs."
    if host.is_a("IfcRoof") and slabs.plates(host):
        hint = f"Cut its slab instead: host_id {slabs.plates(host)[0].GlobalId}."
    raise invalid(
        "host_id", f"An {host.is_a()} ({label(host)}) cannot be opened. {hint}", **{"class": host.is_a()}
    )


def _in_wall(author, host, how, value, sill, width, height, kind, operation, name):
    wall = Wall.read(author, host)
    point_sill = None
    if how == "along":
        centre = value
    elif how == "fraction":
        if not 0 <= value <= 1:
            raise invalid(
                "location.fraction",
                f"`location.fraction` is {value}; it is a part of the host's length from 0 (start) to 1 (end).",
            )
        centre = value * wall.length
    elif how == "centre":
        centre = wall.length / 2
    else:
        x, y, _ = into(wall.frame, (value[0], value[1], wall.frame[2, 3]))
        aside = abs(y - min(max(y, wall.faces[0]), wall.faces[1]))
        if aside > 1000:
            raise invalid(
                "location",
                f"The point lies {mm(aside)} mm beside the wall {label(host)}; give a point on the wall, or "
                '{"along": mm} from its start.',
            )
        centre = float(x)
        if len(value) > 2:
            storey = storey_of(host)
            zero = author.frame(storey)[2, 3] if storey is not None else 0.0
            point_sill = value[2] - (wall.frame[2, 3] - zero if storey is not None else 0.0)
    usual = 900.0 if kind == "window" else 0.0
    sill = next(s for s in (sill, point_sill, usual) if s is not None)
    extent = fit_in_wall(author, wall, centre, sill, width, height)
    local = wall.local.copy()
    local[:3, 3] = out_of(wall.local, (extent.low[0], wall.faces[0], sill))
    opening = _write(author, host, local, (width, wall.thickness, height), kind, name)
    if kind != "void":
        ifc_class = "IfcWindow" if kind == "window" else "IfcDoor"
        fillings.create(author, host, opening, ifc_class, width, height, wall.thickness, operation, name)
    walls.requantify(author, host)
    return opening


def fit_in_wall(author, wall, centre, sill, width, height, itself=None):
    """What an opening would take up in a wall; a Fault where it leaves the wall or meets another."""
    start, end = wall.reach()
    name, half = label(wall.element), width / 2
    if width > end - start + 0.1:
        raise constraint(
            f"An opening {mm(width)} mm wide does not fit into the wall {name}, which has room for {mm(end - start)} mm "
            "between its ends.",
            field="width",
            largest=mm(end - start),
        )
    if centre - half < start - 0.1 or centre + half > end + 0.1:
        raise constraint(
            f"An opening {mm(width)} mm wide centred {mm(centre)} mm along the wall {name} would leave it; its centre "
            f"can be from {mm(start + half)} to {mm(end - half)} mm along.",
            field="location",
            along_from=mm(start + half),
            along_to=mm(end - half),
        )
    if sill < -0.1 or sill + height > wall.height + 0.1:
        most = mm(max(wall.height - height, 0.0))
        raise constraint(
            f"An opening {mm(height)} mm high with its sill at {mm(sill)} mm would leave the wall {name}, which is "
            f"{mm(wall.height)} mm high; the sill can be from 0 to {most} mm.",
            field="height" if height > wall.height else "location.sill",
            sill_to=most,
            wall_height=mm(wall.height),
        )
    extent = Extent((centre - half, wall.faces[0], sill), (centre + half, wall.faces[1], sill + height))
    for other, taken in openings(author, wall.element, wall.frame):
        if other != itself and extent.overlaps(taken, (0, 2)):
            filling = filling_of(other) or other
            raise constraint(
                f"It would overlap {label(filling)} in the wall {name}, which takes up {mm(taken.low[0])} to "
                f"{mm(taken.high[0])} mm along and {mm(taken.low[2])} to {mm(taken.high[2])} mm above the wall's base.",
                field="location",
                overlaps=filling.GlobalId,
            )
    return extent


def _in_slab(author, host, how, value, width, height, kind, name):
    if kind != "void":
        raise invalid("opening_type", "Doors and windows go into walls; a slab takes opening_type void.")
    slab = Slab.read(author, host)
    if how == "point":
        centre = into(slab.frame, (value[0], value[1], slab.frame[2, 3]))[:2]
    elif how == "centre":
        low, high = bounds(slab.outline)
        centre = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
    else:
        raise invalid(
            "location", "A slab has no axis; give the centre of its opening as a point [x, y] in mm."
        )
    extent = fit_in_slab(author, slab, centre, width, height)
    opening = _write(
        author,
        host,
        frame_at((extent.low[0], extent.low[1], slab.base)),
        (width, height, slab.thickness),
        kind,
        name,
    )
    slabs.requantify(author, host)
    return opening


def fit_in_slab(author, slab, centre, width, across, itself=None):
    """What an opening would take up in a slab; a Fault where it leaves the slab or meets another."""
    x, y = float(centre[0]), float(centre[1])
    low, high = (x - width / 2, y - across / 2), (x + width / 2, y + across / 2)
    if shapely.box(*low, *high).intersection(shapely.Polygon(slab.outline)).area < width * across - 100:
        raise constraint(
            f"An opening of {mm(width)} by {mm(across)} mm there would leave the slab {label(slab.element)}; move its "
            "centre or make it smaller.",
            field="location",
        )
    extent = Extent((*low, slab.base), (*high, slab.base + slab.thickness))
    for other, taken in openings(author, slab.element, slab.frame):
        if other != itself and extent.overlaps(taken, (0, 1)):
            raise constraint(
                f"It would overlap the opening {label(other)} in the slab {label(slab.element)}.",
                field="location",
                overlaps=other.GlobalId,
            )
    return extent


def box(author, size):
    """The body of an opening: a box from the origin of its placement."""
    x, y, z = size
    return author.body([author.upright([(0.0, 0.0), (x, 0.0), (x, y), (0.0, y)], 0.0, z)])


def _write(author, host, local, size, kind, name):
    if name is None:
        name = unnamed(author.model, "IfcOpeningElement", "Opening")
    else:
        name = given_name("name", name)
        name = name if kind == "void" else f"Opening of {name}"
    more = {}
    if author.has_attribute("IfcOpeningElement", "PredefinedType"):
        more["PredefinedType"] = "OPENING"
    opening = author.root(
        "IfcOpeningElement",
        name,
        ObjectPlacement=author.placement(host.ObjectPlacement, local),
        Representation=author.shape([box(author, size)]),
        **more,
    )
    author.root("IfcRelVoidsElement", RelatingBuildingElement=host, RelatedOpeningElement=opening)
    quantify(author, opening, size, bool(host.is_a("IfcSlab")))
    return opening


def quantify(author, opening, size, in_slab):
    """Writes an opening's quantities from its size along x, y and z."""
    x, y, z = size
    height, depth = (y, z) if in_slab else (z, y)
    author.quantify(
        opening,
        QUANTITIES,
        {
            "Width": ("length", x),
            "Height": ("length", height),
            "Depth": ("length", depth),
            "Area": ("area", x * height),
            "Volume": ("volume", x * y * z),
        },
    )


def answer(author, opening):
    """An opening as it stands, with its filling."""
    host = host_of(opening)
    if host is None:
        raise constraint(f"The opening {label(opening)} has no host.")
    filling = filling_of(opening)
    shown = filling or opening
    is_wall = bool(host.is_a("IfcWall"))
    frame = Wall.read(author, host).frame if is_wall else author.frame(host)
    extent = next((e for o, e in openings(author, host, frame) if o == opening), None)
    if extent is None:
        raise constraint(f"The opening {label(opening)} has no readable body.")
    position = out_of(frame, (extent.middle(0), extent.middle(1), extent.low[2]))
    found = {"opening_id": opening.GlobalId}
    if filling is not None:
        found["filling_id"] = filling.GlobalId
    found |= {"class": shown.is_a(), "name": label(shown), "host_id": host.GlobalId, "level": level_name(host)}
    if is_wall:
        found |= {"along": mm(extent.middle(0)), "sill": mm(extent.low[2])}
    return found | {
        "width": mm(extent.size(0)),
        "height": mm(extent.size(2 if is_wall else 1)),
        "position": above_storey(author, host, position),
        "quantities": author.quantities(shown, fillings.QUANTITIES.get(shown.is_a(), QUANTITIES)),
    }
