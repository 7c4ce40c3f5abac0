"""Stairs and ramps that were made by their parameters: a floor that is made over one, or a storey that one leads to, would have it
drawn anew, which is not done here. Such a change is refused with the names, so that none is left behind uncut or hanging."""

import ifcopenshell.util.element

from .bodies import storey_of
from .fault import Fault, FaultCode
from .lookup import id_of, label

_SETS = {"IfcStair": "StairParameters", "IfcRamp": "RampParameters"}
_NEAR = 5.0


def _known(author):
    """The stairs and ramps with the heights in mm at which they begin and end."""
    for of_class, name in _SETS.items():
        for element in author.model.by_type(of_class):
            kept = ifcopenshell.util.element.get_pset(element, name)
            if kept:
                floor = author.frame(element)[2, 3]
                height = kept["Height"] if "Height" in kept else kept["Risers"] * kept["Riser"]
                yield element, kept, floor, floor + height * author.length_mm


def _refuse(element, field, why):
    raise Fault(
        FaultCode.NOT_SUPPORTED,
        f"{label(element)} {why}, and stairs and ramps are not drawn by IfcOpenShell's back end. Make this change without `backend`.",
        field=field,
        elements=[id_of(element)],
    )


def refuse_floor(author, storey, outline, underside, top):
    """Refuses a floor, given by its outline and heights in the world, that an opening for a stair or ramp belongs in."""
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    for element, kept, floor, end in _known(author):
        if kept.get("Cut") is False or underside < floor + 300 or top > end + _NEAR:
            continue
        own = storey_of(element)
        upper = abs(author.frame(storey)[2, 3] - end) < _NEAR
        if storey != own and not upper:
            continue
        parts = [part for rel in element.IsDecomposedBy for part in rel.RelatedObjects]
        places = [author.frame(part)[:2, 3] for part in (element, *parts)]
        reach = 2 * max(end - floor, 3000.0)
        if any(min(xs) - reach < x < max(xs) + reach and min(ys) - reach < y < max(ys) + reach for x, y in places):
            _refuse(element, "boundary_points", "climbs to this floor and needs an opening in it")


def refuse_level(author, storey):
    """Refuses another elevation of a storey that a stair or ramp leads to, or leads on from."""
    level = author.frame(storey)[2, 3]
    for element, _, _, end in _known(author):
        stands = storey_of(element) == storey
        others = [s for s in author.model.by_type("IfcBuildingStorey") if s != storey]
        leads_on = any(abs(author.frame(other)[2, 3] - end) < _NEAR for other in others)
        if abs(level - end) < _NEAR and not stands or stands and leads_on:
            _refuse(element, "parameter_name", f"leads to or from {label(storey)} and would have to follow")
