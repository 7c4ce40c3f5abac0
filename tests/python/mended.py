"""Files put right, each in one respect in which IfcOpenShell misreads it, so that its answer on the mended copy can be held
against the kernel's answer on the file as it stands. What is mended is said once for each reason, and an answer that is
still another one on the copy is a difference."""

import math

import ifcopenshell
import ifcopenshell.util.element as element_util
import ifcopenshell.util.unit as unit_util
import numpy


def _ratios(direction, default):
    return numpy.array((*direction.DirectionRatios, 0.0)[:3] if direction else default)


def square_axes(model):
    """RefDirection at right angles to the Axis, as IfcBuildAxes (ISO 16739-1, 8.9.4) makes it."""
    mended = False
    for axes in model.by_type("IfcAxis2Placement3D"):
        z, x = _ratios(axes.Axis, (0.0, 0.0, 1.0)), _ratios(axes.RefDirection, (1.0, 0.0, 0.0))
        z = z / numpy.linalg.norm(z)
        off = x @ z
        if abs(off) <= 1e-9 * numpy.linalg.norm(x):
            continue
        x = x - off * z
        if numpy.linalg.norm(x) < 1e-9:  # IfcFirstProjAxis
            x = numpy.array((0.0, 0.0, 1.0) if abs(z[0]) > 1 - 1e-9 else (1.0, 0.0, 0.0))
            x = x - (x @ z) * z
        axes.RefDirection = model.create_entity("IfcDirection", x.tolist())
        axes.Axis = axes.Axis or model.create_entity("IfcDirection", z.tolist())
        mended = True
    return mended


def segments_by_length(model):
    """Segments that are measured by parameter are measured by length: of a circle the parameter is an angle, of a spiral
    programs write the length as one, without which the segments would not join."""
    if model.schema != "IFC4X3":
        return False
    angle = unit_util.calculate_unit_scale(model, "PLANEANGLEUNIT") if model.by_type("IfcProject") else 1.0
    mended = False
    for segment in model.by_type("IfcCurveSegment"):
        parent = segment.ParentCurve
        size = angle * parent.Radius if parent.is_a("IfcCircle") else 1.0
        for name in ("SegmentStart", "SegmentLength"):
            measure = getattr(segment, name)
            if measure.is_a("IfcParameterValue"):
                setattr(segment, name, model.create_entity("IfcLengthMeasure", measure.wrappedValue * size))
                mended = True
    return mended


def map_of_the_project(model):
    """The site's ePSet_MapConversion is the project's too, and called just that."""
    if model.schema != "IFC2X3":
        return False
    project = next(iter(model.by_type("IfcProject")), None)
    for relation in model.by_type("IfcRelDefinesByProperties") if project else ():
        conversion = relation.RelatingPropertyDefinition
        if (getattr(conversion, "Name", None) or "").lower() == "epset_mapconversion":
            if project not in relation.RelatedObjects or conversion.Name != "ePSet_MapConversion":
                relation.RelatedObjects = [*(set(relation.RelatedObjects) - {project}), project]
                conversion.Name = "ePSet_MapConversion"
                return True
    return False


def plain_styles(model):
    """Styled items have the styles themselves, without an IfcPresentationStyleAssignment around them."""
    mended = False
    for item in model.by_type("IfcStyledItem") if model.schema != "IFC4X3" else ():
        styles = []
        for style in item.Styles:
            styles.extend(style.Styles if style.is_a("IfcPresentationStyleAssignment") else [style])
        if styles != list(item.Styles):
            item.Styles = styles
            mended = True
    return mended


def named_sets(model):
    """Sets of properties without a name have an empty one."""
    nameless = [one for one in model.by_type("IfcPropertySetDefinition") if one.Name is None]
    for one in nameless:
        one.Name = ""
    return bool(nameless)


def masses_in_kilograms(model):
    """The kilogram is written as the reference takes the gram, as one."""
    mended = False
    for unit in model.by_type("IfcSIUnit"):
        if unit.Name == "GRAM" and unit.Prefix in (None, "KILO"):
            unit.Prefix = "MILLI" if unit.Prefix is None else None
            mended = True
    return mended


def parts_of_space_below(model):
    """Parts of space that a relation puts into another one are aggregated by it, where the class has the inverse attribute."""
    mended = False
    for relation in model.by_type("IfcRelContainedInSpatialStructure"):
        inner = [other for other in relation.RelatedElements if other.is_a("IfcSpatialStructureElement")]
        if inner:
            above = relation.RelatingStructure
            model.create_entity("IfcRelAggregates", ifcopenshell.guid.new(), None, None, None, above, inner)
            mended = True
    return mended


def rigid_operation(model):
    """A rigid operation is written as the map conversion that does the same."""
    mended = False
    for operation in model.by_type("IfcRigidOperation") if model.schema == "IFC4X3" else ():
        east, north = (getattr(operation[at], "wrappedValue", operation[at]) for at in (2, 3))
        ends = operation.SourceCRS, operation.TargetCRS
        model.create_entity("IfcMapConversion", *ends, east, north, operation.Height or 0.0)
        model.remove(operation)
        mended = True
    return mended


def _line(axis):
    curve = axis.AxisCurve
    if not curve.is_a("IfcPolyline") or len(curve.Points) != 2:
        return None
    start, end = (numpy.array(point.Coordinates[:2]) for point in curve.Points)
    run = (end - start) / numpy.linalg.norm(end - start)
    return start, run if axis.SameSense else -run


def grids_to_places(model):
    """What stands on the crossing of two straight axes of a grid stands at that place, turned as the first axis
    (IfcGridPlacement, IfcVirtualGridIntersection)."""
    mended = False
    for placement in model.by_type("IfcGridPlacement"):
        crossing = placement.PlacementLocation
        lines = [_line(axis) for axis in crossing.IntersectingAxes]
        if None in lines or placement.PlacementRefDirection is not None:
            continue
        along, up = crossing.OffsetDistances[:2], (*crossing.OffsetDistances, 0.0)[2]
        (a, u), (b, v) = ((start + by * numpy.array((-run[1], run[0])), run) for (start, run), by in zip(lines, along))
        s = numpy.linalg.solve(numpy.array((u, -v)).T, b - a)[0]
        point = model.create_entity("IfcCartesianPoint", [*(a + s * u).tolist(), float(up)])
        z = model.create_entity("IfcDirection", (0.0, 0.0, 1.0))
        x = model.create_entity("IfcDirection", [*u.tolist(), 0.0])
        axes = model.create_entity("IfcAxis2Placement3D", point, z, x)
        local = model.create_entity("IfcLocalPlacement", placement.PlacementRelTo, axes)
        for other in model.get_inverse(placement):
            element_util.replace_attribute(other, placement, local)
        mended = True
    return mended


#: What IfcOpenShell gets wrong, and the file in which it gets it right.
MENDS = {
    "axes not square": (
        square_axes,
        "it takes a RefDirection that is not at right angles to the Axis as it stands, and divides by nought where both are "
        "parallel; IfcBuildAxes (ISO 16739-1, 8.9.4) makes it perpendicular",
    ),
    "segment by parameter": (
        segments_by_length,
        "it takes the IfcParameterValue of a segment of a circle for a length, not for an angle, and does not begin a spiral "
        "where one says",
    ),
    "map conversion of the site": (
        map_of_the_project,
        "in IFC2X3 it reads the property set of the project only, of one spelling; exporters give it to the site too, and call "
        "it ePset_MapConversion",
    ),
    "style assignment": (
        plain_styles,
        "its get_styles does not look into IfcPresentationStyleAssignment, through which IFC2X3 and most files of IFC4 give "
        "every style",
    ),
    "set without a name": (
        named_sets,
        "its selector fails to match a pattern with a set that has no name",
    ),
    "mass in grams": (
        masses_in_kilograms,
        "it counts masses in grams, so a kilogram is 1000; the SI unit is the kilogram",
    ),
    "relation of a class without the inverse": (
        parts_of_space_below,
        "it finds relations by inverse attributes, so a relation that the schema does not allow for a class, such as a "
        "contained space, is not there",
    ),
    "rigid operation without types": (
        rigid_operation,
        "it fails on an IfcRigidOperation whose coordinates are written without the types of their select",
    ),
    "placement on a grid": (grids_to_places, "its util.placement fails on IfcGridPlacement and what stands on one"),
}


class Mended:
    """The mended copies of a file, each opened when first asked for."""

    def __init__(self, path):
        self._path = path
        self._copies = {}
        #: The reason that was the last one comes first.
        self._order = list(MENDS)

    def agreeing(self, ask, is_right):
        """The first reason for which IfcOpenShell, asked about the copy, gives the right answer."""
        for reason in self._order[:]:
            model = self._copy(reason)
            if model is None:
                continue
            try:
                answer = ask(model)
            except Exception:  # an error inside of IfcOpenShell is not the right answer
                continue
            if is_right(answer):
                self._order.remove(reason)
                self._order.insert(0, reason)
                return reason
        return None

    def _copy(self, reason):
        if reason not in self._copies:
            model = ifcopenshell.open(self._path)
            mend, _ = MENDS[reason]
            self._copies[reason] = model if mend(model) else None
        return self._copies[reason]


def turns(degrees):
    """The rotation that turns about x, then y, then z, in degrees."""
    (a, b), (c, d), (e, f) = ((math.cos(math.radians(by)), math.sin(math.radians(by))) for by in degrees)
    about_x = numpy.array(((1, 0, 0), (0, a, -b), (0, b, a)))
    about_y = numpy.array(((c, 0, d), (0, 1, 0), (-d, 0, c)))
    about_z = numpy.array(((e, -f, 0), (f, e, 0), (0, 0, 1)))
    return about_z @ about_y @ about_x
