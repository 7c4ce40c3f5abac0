"""Outlines in plan and sizes as agents give them: what a boundary must be before anything is built on it. Points are
`[x, y]` in mm; edges are straight."""

import math

import shapely

from .fault import constraint, invalid

#: Points nearer than this are one, in mm.
TOUCH = 0.01
#: The largest size taken, in mm: ten kilometres. More is a slip of units.
LARGEST = 1e7
_FARTHEST = 1e10


def mm(value):
    """A number of mm (or m²) as people write it: without digits that say nothing."""
    rounded = round(float(value), 3)
    return 0.0 if rounded == 0 else rounded


def written(value):
    """A size as it stands in a name: 200, 62.5."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def positive(field, value):
    """A size that has to be there."""
    if not math.isfinite(value) or value < 0.1:
        raise invalid(field, f"`{field}` is {value}; it must be a positive number of mm.")
    if value > LARGEST:
        raise invalid(field, f"`{field}` is {value} mm, more than ten kilometres; sizes are given in mm.")
    return value


def finite(field, value):
    """A height or distance that may have either sign."""
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise invalid(field, f"`{field}` is {value}; it must be a number of mm within ten kilometres.")
    return value


def given_name(field, text):
    """A name that is there."""
    if not text.strip():
        raise invalid(field, f"`{field}` is empty; give a name.")
    return text.strip()


def plan_point(field, point):
    """A point `[x, y]` or `[x, y, z]`, in plan."""
    if len(point) not in (2, 3):
        raise invalid(field, f"`{field}` has {len(point)} numbers; a point is [x, y] or [x, y, z] in mm.")
    if any(abs(c) > _FARTHEST for c in point):
        raise invalid(field, f"`{field}` lies beyond ten thousand kilometres; coordinates are mm.")
    return (float(point[0]), float(point[1]))


def height_of(point):
    """The z of a point; 0 where it is left out."""
    return float(point[2]) if len(point) > 2 else 0.0


def boundary(field, points):
    """An outline: at least three points, no two in one place, not crossing itself, with an area."""
    outline = [plan_point(f"{field}[{at}]", point) for at, point in enumerate(points)]
    if len(outline) > 3 and math.dist(outline[0], outline[-1]) < TOUCH:
        outline.pop()
    if len(outline) < 3:
        raise invalid(
            field,
            f"`{field}` needs at least three points [x, y] in mm, in order around the outline; {len(outline)} given.",
        )
    for at, (a, b) in enumerate(edges(outline)):
        if math.dist(a, b) < TOUCH:
            after = (at + 1) % len(outline)
            raise invalid(
                f"{field}[{after}]",
                f"Points {at} and {after} of `{field}` are in the same place; give each corner once.",
            )
    polygon = shapely.Polygon(outline)
    if not polygon.is_valid:
        raise invalid(
            field, f"`{field}` crosses or touches itself. Give the corners in order around the outline."
        )
    if polygon.area < 1:
        raise invalid(field, f"`{field}` encloses no area; the points are mm, in order around the outline.")
    return outline


def edges(outline):
    """The edges in order, the closing one last."""
    return list(zip(outline, outline[1:] + outline[:1]))


def area(outline):
    """Area in mm²."""
    x0, y0 = outline[0]
    doubled = sum((a[0] - x0) * (b[1] - y0) - (b[0] - x0) * (a[1] - y0) for a, b in edges(outline))
    return abs(doubled) / 2


def perimeter(outline):
    """Length of the closed outline in mm."""
    return sum(math.dist(a, b) for a, b in edges(outline))


def square_metres(mm2):
    """mm² as m², without digits that say nothing."""
    return round(mm2 / 1e6, 6)


def bounds(points):
    """The smallest box around points."""
    return tuple(map(min, zip(*points))), tuple(map(max, zip(*points)))


def enlarged(field, outline, by):
    """The outline with every edge moved outward, its corners kept sharp."""
    if by == 0:
        return outline
    larger = shapely.Polygon(outline).buffer(by, join_style="mitre", mitre_limit=100)
    corners = list(larger.exterior.coords)[:-1] if larger.geom_type == "Polygon" else []
    if len(corners) != len(outline):
        raise constraint(
            f"An overhang of {mm(by)} mm makes the roof's edge cross itself; make it smaller.", field=field
        )
    return [(round(x, 6), round(y, 6)) for x, y in corners]


def union(outlines):
    """What several outlines cover together."""
    return shapely.union_all([shapely.Polygon(outline) for outline in outlines])
