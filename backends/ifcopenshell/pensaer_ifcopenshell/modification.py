"""Changing one parameter of an element and what follows from it: body and axis, openings and what fills them, quantities,
the storey's totals. Elements of other programs take part as far as their shape is one upright extrusion; where a change
could not be drawn faithfully it is refused."""

import math

import ifcopenshell.util.element

from . import climbs, fillings, openings, properties, slabs, spaces, walls
from .author import frame_at, into, out_of
from .bodies import Slab, Wall, above_storey, filling_of, host_of, opening_of, prism_of, storey_of
from .bodies import openings as openings_of
from .fault import constraint, invalid, near_matches
from .lookup import id_of, label
from .outlines import boundary, finite, mm, plan_point, positive
from .project import elevation_of, state_elevation

_PARAMETERS = {
    "IfcWall": ("height", "thickness", "start", "end", "length"),
    "IfcOpeningElement": ("width", "height", "sill", "along"),
    "IfcSlab": ("thickness", "boundary_points"),
    "IfcRoof": ("thickness", "boundary_points"),
    "IfcSpace": ("height", "boundary_points"),
    "IfcBuildingStorey": ("elevation",),
}


def modify(author, element, parameter, value):
    """Changes one parameter; answers what it was and is."""
    parameter = parameter.strip()
    if "." in parameter:
        name, (before, after, regenerated) = parameter, _property(author, element, parameter, value)
    else:
        noun = _noun(element)
        known = next((p for p in _PARAMETERS.get(noun, ()) if _same(p, parameter)), None)
        if known is None:
            name, before, after = _attribute(element, parameter, value, _PARAMETERS.get(noun, ()))
            regenerated = []
        else:
            name = known
            before, after, regenerated = _CHANGES[noun](author, element, known, value)
    answer = {"element_id": id_of(element), "class": element.is_a(), "name": label(element)}
    answer |= {"parameter_name": name, "before": before, "after": after}
    if regenerated:
        answer["regenerated"] = [other.GlobalId for other in regenerated]
    if before is None:
        del answer["before"]
    return answer


def _noun(element):
    if element.is_a("IfcDoor") or element.is_a("IfcWindow"):
        return "IfcOpeningElement" if opening_of(element) is not None else None
    return next((noun for noun in _PARAMETERS if element.is_a(noun)), None)


def _same(known, given):
    """The same name in another spelling: `OverallWidth`, `overall_width`."""

    def plain(text):
        return text.lower().replace("_", "").replace(" ", "").replace("-", "")

    return plain(given) in (plain(known), "overall" + plain(known))


def _number(value):
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            pass
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise invalid("value", f"`value` must be a number of mm, not {value!r}.")
    return float(value)


def _point(value):
    if not isinstance(value, list) or not all(isinstance(c, (int, float)) for c in value):
        raise invalid("value", f"`value` must be a point [x, y] in mm, not {value!r}.")
    return plan_point("value", value)


def _points(value):
    if not isinstance(value, list) or not all(isinstance(p, list) for p in value):
        raise invalid("value", "`value` must be the corners [[x, y], …] in mm, in order around the outline.")
    for point in value:
        _point(point)
    return boundary("value", value)


def _wall(author, element, parameter, value):
    old = Wall.read(author, element)

    def shown(wall):
        if parameter in ("start", "end"):
            return above_storey(author, element, wall.at(0 if parameter == "start" else wall.length))
        return mm(getattr(wall, parameter))

    before = shown(old)
    start, end = old.at(0)[:2], old.at(old.length)[:2]
    height, faces = old.height, old.faces
    if parameter == "height":
        height = positive("value", _number(value))
    elif parameter == "thickness":
        thickness = positive("value", _number(value))
        lines = [line for line in ("centre", "left", "right") if _near(walls.faces_of(line, old.thickness), faces)]
        middle = (faces[0] + faces[1]) / 2
        faces = (middle - thickness / 2, middle + thickness / 2)
        if lines:
            faces = walls.faces_of(lines[0], thickness)
        if not author.is_ours(element, walls.QUANTITIES):
            raise constraint(
                f"The thickness of the wall {label(element)} follows from the material layers of its type, which another "
                "program made. Make a wall in its place with create_wall.",
                field="parameter_name",
            )
    elif parameter == "length":
        end = old.at(positive("value", _number(value)))[:2]
    elif parameter == "start":
        start = _point(value)
    else:
        end = _point(value)
    length, along = math.dist(start, end), author.angle(start, end)
    if along is None or length < 1:
        raise invalid(
            "value", "That would leave the wall without a length; start and end must be apart."
        )
    square = len(old.outline) == 4 and all(min(abs(x), abs(x - old.length)) < 0.01 for x, _ in old.outline)
    if not square and (length != old.length or faces != old.faces):
        raise constraint(
            f"The ends of the wall {label(element)} are cut to its neighbours, so its {parameter} is not drawn anew here.",
            field="parameter_name",
        )
    taken = openings_of(author, element, old.frame)
    regenerated = _redraw_wall(author, old, (start, along, length), height, faces, taken, parameter == "start")
    return before, shown(Wall.read(author, element)), regenerated


def _near(a, b):
    return all(abs(x - y) < 0.1 for x, y in zip(a, b))


def _redraw_wall(author, old, axis, height, faces, taken, from_end):
    element = old.element
    start, along, length = axis
    base = old.local[2, 3]
    placed = frame_at((start[0], start[1], old.frame[2, 3] - base), along)
    outline = old.outline if length == old.length and faces == old.faces else walls.rectangle(length, faces)
    author.place(element, placed)
    author.draw(element, author.axis((0.0, 0.0), (length, 0.0)))
    author.draw(element, author.body([author.upright(outline, base, height)]))
    fresh = Wall.read(author, element)
    regenerated = []
    for opening, extent in taken:
        centre = extent.middle(0) + (length - old.length if from_end else 0.0)
        size = (extent.size(0), extent.size(2))
        openings.fit_in_wall(author, fresh, centre, extent.low[2], *size, itself=opening)
        _redraw_opening(author, opening, fresh, centre, extent.low[2], *size)
        regenerated += [other for other in (opening, filling_of(opening)) if other is not None]
    if abs(old.thickness - fresh.thickness) > 1e-6:
        kind_of = ifcopenshell.util.element.get_type(element)
        title = (kind_of.Name if kind_of is not None else None) or ""
        kind = next((k for k, words in walls.KINDS.items() if title.startswith(words[0])), "interior")
        material = title.split(", ", 1)[1] if ", " in title else None
        author.leave(element, "IfcRelDefinesByType")
        author.leave(element, "IfcRelAssociatesMaterial")
        walls.dress(author, element, kind, fresh.thickness, material, faces)
    walls.requantify(author, element)
    return regenerated


def _redraw_opening(author, opening, wall, centre, sill, width, height):
    filling = filling_of(opening)
    frame = wall.frame.copy()
    frame[:3, 3] = out_of(wall.frame, (centre - width / 2, wall.faces[0], sill))
    author.place(opening, frame)
    size = (width, wall.thickness, height)
    author.draw(opening, openings.box(author, size))
    if author.is_ours(opening, openings.QUANTITIES):
        openings.quantify(author, opening, size, False)
    if filling is not None:
        body = next(
            (r for r in filling.Representation.Representations if r.RepresentationIdentifier == "Body"), None
        )
        if body is not None and body.RepresentationType != "SweptSolid":
            raise constraint(
                f"The shape of {label(filling)} is drawn by its type, which another program made; it cannot be resized.",
                field="parameter_name",
            )
        leaf = frame.copy()
        leaf[:3, 3] = out_of(frame, (0, fillings.inset(wall.thickness), 0))
        author.place(filling, leaf)
        fillings.reshape(author, filling, width, height, wall.thickness)


def _opening(author, element, parameter, value):
    opening = opening_of(element) or element
    host = host_of(opening)
    if host is None:
        raise constraint(f"The opening {label(opening)} has no host.")
    if not host.is_a("IfcWall"):
        return _slab_opening(author, opening, host, parameter, value)
    wall = Wall.read(author, host)
    extent = next((e for o, e in openings_of(author, host, wall.frame) if o == opening), None)
    if extent is None:
        raise constraint(f"The opening {label(opening)} has no body that can be read.")
    now = {"along": extent.middle(0), "sill": extent.low[2], "width": extent.size(0), "height": extent.size(2)}
    before = mm(now[parameter])
    now[parameter] = finite("value", _number(value))
    if parameter in ("width", "height"):
        positive("value", now[parameter])
    arguments = (now["along"], now["sill"], now["width"], now["height"])
    openings.fit_in_wall(author, wall, *arguments, itself=opening)
    _redraw_opening(author, opening, wall, *arguments)
    walls.requantify(author, host)
    filling = filling_of(opening)
    return before, mm(now[parameter]), [host] + ([filling] if filling is not None else [])


def _slab_opening(author, opening, host, parameter, value):
    if parameter not in ("width", "height"):
        raise invalid(
            "parameter_name", f"An opening in a slab has width and height; {parameter} is for walls."
        )
    slab = Slab.read(author, host)
    extent = next((e for o, e in openings_of(author, host, slab.frame) if o == opening), None)
    if extent is None:
        raise constraint(f"The opening {label(opening)} has no body that can be read.")
    size = [extent.size(0), extent.size(1)]
    axis = 0 if parameter == "width" else 1
    before, size[axis] = mm(size[axis]), positive("value", _number(value))
    taken = openings.fit_in_slab(author, slab, (extent.middle(0), extent.middle(1)), *size, itself=opening)
    frame = slab.frame.copy()
    frame[:3, 3] = out_of(slab.frame, (taken.low[0], taken.low[1], slab.base))
    author.place(opening, frame)
    author.draw(opening, openings.box(author, (*size, slab.thickness)))
    if author.is_ours(opening, openings.QUANTITIES):
        openings.quantify(author, opening, (*size, slab.thickness), True)
    slabs.requantify(author, host)
    return before, mm(size[axis]), [host]


def _slab(author, element, parameter, value):
    slab = Slab.read(author, element)
    if not author.is_ours(element, slabs.QUANTITIES) and parameter == "thickness":
        raise constraint(
            f"The thickness of the slab {label(element)} follows from the material layers of its type, which another "
            "program made.",
            field="parameter_name",
        )
    outline, thickness, base = slab.outline, slab.thickness, slab.base
    kind = ifcopenshell.util.element.get_predefined_type(element) or "FLOOR"
    if parameter == "thickness":
        thickness = positive("value", _number(value))
        # a floor keeps its top, a roof's plate what it rests on
        base = slab.base if kind == "ROOF" else slab.base + slab.thickness - thickness
        before, after = mm(slab.thickness), mm(thickness)
    else:
        before = [[mm(c) for c in p] for p in slab.outline_in_world()]
        world = _points(value)
        outline = [tuple(into(slab.frame, (x, y, slab.frame[2, 3]))[:2]) for x, y in world]
        after = [[mm(c) for c in p] for p in world]
    taken = openings_of(author, element, slab.frame)
    author.draw(element, author.body([author.upright(outline, base, thickness)]))
    fresh = Slab.read(author, element)
    for opening, extent in taken:
        centre = (extent.middle(0), extent.middle(1))
        size = (extent.size(0), extent.size(1))
        fit = openings.fit_in_slab(author, fresh, centre, *size, itself=opening)
        frame = fresh.frame.copy()
        frame[:3, 3] = out_of(fresh.frame, (fit.low[0], fit.low[1], base))
        author.place(opening, frame)
        author.draw(opening, openings.box(author, (*size, thickness)))
        if author.is_ours(opening, openings.QUANTITIES):
            openings.quantify(author, opening, (*size, thickness), True)
    if parameter == "thickness":
        kind_of = ifcopenshell.util.element.get_type(element)
        title = (kind_of.Name if kind_of is not None else None) or ""
        author.leave(element, "IfcRelDefinesByType")
        author.leave(element, "IfcRelAssociatesMaterial")
        slabs.dress(author, element, kind, thickness, title.split(", ", 1)[1] if ", " in title else None)
    slabs.requantify(author, element)
    whole = ifcopenshell.util.element.get_aggregate(element)
    if whole is not None and author.is_ours(whole, slabs.ROOF_QUANTITIES):
        slabs.quantify_roof(author, whole)
    if (storey := storey_of(element)) is not None:
        spaces.total(author, storey)
    return before, after, [opening for opening, _ in taken]


def _roof(author, element, parameter, value):
    if not slabs.plates(element):
        raise constraint(f"The roof {label(element)} has no slab.")
    plate = slabs.plates(element)[0]
    before, after, regenerated = _slab(author, plate, parameter, value)
    return before, after, [plate, *regenerated]


def _space(author, element, parameter, value):
    prism = prism_of(author, element)
    if prism is None:
        raise constraint(f"The space {label(element)} has no upright body to read.", field="parameter_name")
    frame = author.frame(element)
    if parameter == "height":
        before, height = mm(prism.height), positive("value", _number(value))
        outline, after = prism.outline, mm(height)
    else:
        before = [[mm(c) for c in out_of(frame, (x, y, 0))[:2]] for x, y in prism.outline]
        world, height = _points(value), prism.height
        outline = [tuple(into(frame, (x, y, frame[2, 3]))[:2]) for x, y in world]
        after = [[mm(c) for c in p] for p in world]
    spaces.redraw(author, element, outline, prism.base, height)
    if (storey := storey_of(element)) is not None:
        spaces.total(author, storey)
    return before, after, []


def _storey(author, element, _parameter, value):
    before, after = elevation_of(author, element), finite("value", _number(value))
    for other in author.model.by_type("IfcBuildingStorey"):
        if other != element and abs(elevation_of(author, other) - after) < 1:
            raise constraint(f"The storey {label(other)} is at {mm(after)} mm already.", field="value")
    if after != before:
        climbs.refuse_level(author, element)
    frame = author.frame(element)
    frame[2, 3] += after - before
    author.place(element, frame)
    state_elevation(author, element, after)
    spaces.total(author, element)
    return mm(before), mm(after), []


def _property(author, element, parameter, value):
    name, key = parameter.split(".", 1)
    before = properties.plain(element, name, key)
    properties.set_of(author, [element], name, {key: value})
    return before, properties.plain(element, name, key), []


def _attribute(element, name, value, parameters):
    declared = [a for a in element.get_info(recursive=False) if a not in ("id", "type")]
    known = next((a for a in declared if _same(a, name)), None)
    closed = ("GlobalId", "OwnerHistory", "ObjectPlacement", "Representation")
    if known is None or known in closed:
        near = near_matches(name, [*parameters, *declared])
        raise invalid(
            "parameter_name",
            f"`{name}` is not a parameter of this element. It has: {', '.join(parameters) or 'none of its own'}; or an "
            "attribute by its IFC name, or Pset.Property.",
            near_matches=near,
            allowed=list(parameters),
        )
    before = getattr(element, known)
    try:
        setattr(element, known, value)
    except (RuntimeError, TypeError, ValueError, AttributeError) as error:
        raise invalid("value", f"{element.is_a()}.{known} cannot be {value!r}: {error}.") from error
    after = getattr(element, known)
    plain = (str, int, float, bool, type(None))
    return known, before if isinstance(before, plain) else str(before), after if isinstance(after, plain) else str(after)


_CHANGES = {
    "IfcWall": _wall,
    "IfcOpeningElement": _opening,
    "IfcSlab": _slab,
    "IfcRoof": _roof,
    "IfcSpace": _space,
    "IfcBuildingStorey": _storey,
}
