"""Plans as different people draw them, with what they show: walls by their axes, doors, rooms.

A building is drawn by ezdxf in one of many manners: walls as pairs of lines, outlines, rectangles, hatches, wide or multiple lines; doors as
arcs, blocks, leaves or bare gaps; layers in many languages or none; any unit, turned, mirrored, far from the origin.
"""

import math
import random
from dataclasses import dataclass, field

import ezdxf
from ezdxf import units
from ezdxf.math import Matrix44
from shapely.geometry import LineString, Polygon
from shapely.ops import unary_union


@dataclass
class Opening:
    """A door or window: its middle along the wall's axis, its width, what fills it."""

    wall: int
    at: float
    width: float
    kind: str = "door"
    hinge: int = 0
    side: int = 1


@dataclass
class Building:
    """Walls as (x1, y1, x2, y2, thickness) in mm, openings, rooms as (name, x, y)."""

    walls: list
    openings: list
    rooms: list
    furniture: list = field(default_factory=list)


def flat(rng):
    """A flat of five rooms about a corridor."""
    w, d = rng.choice([11000, 12400, 13150]), rng.choice([8600, 9200, 10050])
    t, i = rng.choice([240, 300, 365]), rng.choice([100, 115, 120])
    x1, x2, y1, y2 = round(w * 0.38), round(w * 0.66), round(d * 0.42), round(d * 0.42) + 1500
    walls = [(0, 0, w, 0, t), (w, 0, w, d, t), (w, d, 0, d, t), (0, d, 0, 0, t)]
    walls += [(0, y1, w, y1, i), (0, y2, w, y2, i), (x1, 0, x1, y1, i), (x2, y2, x2, d, i), (x1, y2, x1, d, i)]
    openings = [Opening(3, d - (y1 + y2) / 2, 1010, "door", 0, 1)]
    for wall, at, width in [(4, x1 * 0.5, 885), (4, (x1 + w) * 0.5, 885), (5, x1 * 0.6, 760), (5, (x1 + x2) * 0.5, 885), (5, (x2 + w) * 0.5, 885)]:
        openings.append(Opening(wall, at, width, "door", rng.randint(0, 1), rng.choice([-1, 1])))
    for wall, at, width in [(0, x1 * 0.5, 1200), (0, (x1 + w) / 2, 1800), (2, w - x1 * 0.5, 900), (2, w - (x1 + x2) / 2, 1500), (2, w - (x2 + w) / 2, 1500), (1, y1 / 2, 1010)]:
        openings.append(Opening(wall, at, width, "window"))
    rooms = [("Kitchen", x1 / 2, y1 / 2), ("Living Room", (x1 + w) / 2, y1 / 2), ("Corridor", w / 2, (y1 + y2) / 2), ("Bath", x1 / 2, (y2 + d) / 2), ("Bedroom 1", (x1 + x2) / 2, (y2 + d) / 2), ("Bedroom 2", (x2 + w) / 2, (y2 + d) / 2)]
    furniture = [(x1 + 600, 700, 2000, 900), (w - 2200, 900, 1600, 900), (600, d - 2000, 1700, 750), (t / 2 + 20, t / 2 + 900, 600, 1800)]
    return Building(walls, openings, rooms, furniture)


def house(rng):
    """A house in the shape of an L."""
    a, b, c, d = rng.choice([9000, 10200]), rng.choice([7200, 8000]), rng.choice([5000, 5600]), rng.choice([4200, 4800])
    t, i = rng.choice([300, 365, 425]), rng.choice([115, 175])
    walls = [(0, 0, a, 0, t), (a, 0, a, d, t), (a, d, c, d, t), (c, d, c, b + d, t), (c, b + d, 0, b + d, t), (0, b + d, 0, 0, t)]
    walls += [(0, d, c, d, i), (c, 0, c, d, i), (0, d + b / 2, c, d + b / 2, i)]
    openings = [Opening(0, c / 2, 1010), Opening(6, c * 0.4, 885, "door", 1, -1), Opening(7, d * 0.6, 885, "door", 0, 1), Opening(8, c * 0.6, 885, "door", 1, 1)]
    openings += [Opening(0, (a + c) / 2, 2010, "window"), Opening(1, d / 2, 1260, "window"), Opening(3, b / 2, 1260, "window"), Opening(4, c / 2, 1510, "window"), Opening(5, b * 0.3, 1010, "window")]
    rooms = [("Hall", c / 2, d / 2), ("Office", (a + c) / 2, d / 2), ("Dining", c / 2, d + b / 4), ("Sleeping", c / 2, d + b * 0.75)]
    return Building(walls, openings, rooms, [(c + 900, 900, 1600, 800), (700, d + 700, 1400, 800)])


def office(rng):
    """A corridor with rooms on both sides."""
    n = rng.choice([3, 4])
    room, deep, hall = rng.choice([3000, 3600]), rng.choice([4500, 5200]), rng.choice([1800, 2100])
    t, i = rng.choice([200, 250, 300]), rng.choice([100, 125, 150])
    w, d = n * room, 2 * deep + hall
    walls = [(0, 0, w, 0, t), (w, 0, w, d, t), (w, d, 0, d, t), (0, d, 0, 0, t), (0, deep, w, deep, i), (0, deep + hall, w, deep + hall, i)]
    openings = [Opening(3, d / 2, 1200, "door", 0, 1), Opening(1, d / 2, 1010, "door", 1, 1)]
    rooms = [("Corridor", w / 2, d / 2)]
    for n_ in range(n):
        if n_:
            walls += [(n_ * room, 0, n_ * room, deep, i), (n_ * room, deep + hall, n_ * room, d, i)]
        openings += [Opening(4, n_ * room + 900, 900, "door", n_ % 2, -1), Opening(5, n_ * room + 900, 900, "door", n_ % 2, 1)]
        openings += [Opening(0, n_ * room + room / 2, 1500, "window"), Opening(2, w - n_ * room - room / 2, 1500, "window")]
        rooms += [(f"Office {n_ + 1}", (n_ + 0.5) * room, deep / 2), (f"Office {n_ + 11}", (n_ + 0.5) * room, d - deep / 2)]
    return Building(walls, openings, rooms, [(n_ * room + 700, 900, 1600, 800) for n_ in range(n)])


def skew(rng):
    """A shop whose one side is oblique."""
    w, d = rng.choice([10000, 11500]), rng.choice([7000, 7800])
    t, i = 300, 150
    walls = [(0, 0, w, 0, t), (w, 0, w - 2200, d, t), (w - 2200, d, 0, d, t), (0, d, 0, 0, t), (w * 0.4, 0, w * 0.4, d, i), (0, d * 0.5, w * 0.4, d * 0.5, i)]
    openings = [Opening(0, w * 0.7, 1010, "door", 0, 1), Opening(4, d * 0.25, 885, "door", 1, 1), Opening(4, d * 0.75, 885, "door", 0, -1), Opening(1, d * 0.5, 2000, "window"), Opening(2, w * 0.5, 1500, "window"), Opening(3, d * 0.25, 1010, "window")]
    return Building(walls, openings, [("Shop", w * 0.65, d / 2), ("Store", w * 0.2, d * 0.75), ("Staff", w * 0.2, d * 0.25)], [(w * 0.5, 1200, 1800, 700)])


KINDS = {"flat": flat, "house": house, "office": office, "skew": skew}

LANGUAGES = {
    "en": ("Walls", "Doors", "Windows", "Text", "Dimensions", "Furniture"),
    "aia": ("A-WALL", "A-DOOR", "A-GLAZ", "A-ANNO-TEXT", "A-ANNO-DIMS", "A-FURN"),
    "de": ("WÄNDE", "TÜREN", "FENSTER", "RAUMNAMEN", "BEMASSUNG", "MÖBEL"),
    "de2": ("Wand_tragend", "Tür", "Fenster", "Beschriftung", "Maße", "Einrichtung"),
    "fr": ("MURS", "PORTES", "FENETRES", "TEXTES", "COTATION", "MOBILIER"),
    "es": ("MUROS", "PUERTAS", "VENTANAS", "TEXTOS", "COTAS", "MOBILIARIO"),
    "it": ("Pareti", "Porte", "Finestre", "Testi", "Quote", "Arredi"),
    "pt": ("PAREDES", "PORTAS", "JANELAS", "TEXTO", "COTAS", "MOBILIARIO"),
    "nl": ("MUREN", "DEUREN", "RAMEN", "TEKST", "MAATVOERING", "MEUBILAIR"),
    "sv": ("VÄGG", "DÖRR", "FÖNSTER", "TEXT", "MÅTT", "INREDNING"),
    "no": ("Vegger", "Dører", "Vinduer", "Tekst", "Mål", "Møbler"),
    "fi": ("SEINÄT", "OVET", "IKKUNAT", "TEKSTIT", "MITAT", "KALUSTEET"),
    "pl": ("ŚCIANY", "DRZWI", "OKNA", "OPISY", "WYMIARY", "MEBLE"),
    "cs": ("STĚNY", "DVEŘE", "OKNA", "POPIS", "KÓTY", "NÁBYTEK"),
    "hu": ("FALAK", "AJTÓK", "ABLAKOK", "SZÖVEG", "MÉRETEZÉS", "BÚTOR"),
    "tr": ("DUVAR", "KAPI", "PENCERE", "YAZI", "ÖLÇÜ", "MOBİLYA"),
    "ru": ("Стены", "Двери", "Окна", "Текст", "Размеры", "Мебель"),
    "zh": ("墙体", "门", "窗", "文字", "尺寸标注", "家具"),
    "ja": ("壁", "ドア", "窓", "文字", "寸法", "家具"),
    "ko": ("벽", "문", "창", "문자", "치수", "가구"),
    "iso": ("A-21----E1", "A-32----E4", "A-31----E2", "A-------T-", "A-------D-", "A-8-----E2"),
    "zero": ("0",) * 6,
    "numbers": ("1", "2", "3", "4", "5", "6"),
    "nothing": ("Layer1", "Layer1", "Layer1", "Layer2", "Layer2", "Layer3"),
}

INSUNITS = {1.0: units.MM, 10.0: units.CM, 1000.0: units.M, 25.4: units.IN, 304.8: units.FT}


class Draughtsman:
    """Draws a building in a manner."""

    def __init__(self, building, manner, rng):
        self.b, self.m, self.rng = building, manner, rng
        self.doc = ezdxf.new(manner.get("version", "R2010"), setup=True)
        self.space = self.doc.modelspace()
        names = LANGUAGES[manner.get("layers", "en")]
        self.layer = dict(zip(("wall", "door", "window", "text", "dim", "furniture"), names))
        for n, name in enumerate(dict.fromkeys(names)):
            if name not in self.doc.layers:
                self.doc.layers.add(name, color=n + 1)
        self.unit = manner.get("unit", 1.0)
        told = manner.get("told", self.unit)
        self.doc.header["$INSUNITS"] = INSUNITS.get(told, 0) if told else 0
        self.blocks = 0

    # geometry in mm; put into the drawing's units at the end

    def loose(self, a, b):
        """A place as a careless hand puts it, some mm away along its line, or rounded."""
        loose = self.m.get("loose", 0)
        if loose:
            length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1
            by = self.rng.uniform(-loose, loose)
            a = (a[0] + (b[0] - a[0]) / length * by, a[1] + (b[1] - a[1]) / length * by)
        return a

    def line(self, a, b, layer, space=None):
        space = space or self.space
        a, b = self.loose(a, b), self.loose(b, a)
        if layer == "wall" and self.m.get("doubled"):
            # drawn again a hair beside, as copies from file to file are
            length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1
            off = ((a[1] - b[1]) / length * 0.3, (b[0] - a[0]) / length * 0.3)
            space.add_line(*((p[0] + off[0], p[1] + off[1]) for p in (a, b)), dxfattribs={"layer": self.layer["wall"]})
        if layer == "wall" and self.m.get("holes"):
            # small holes, as trimming leaves them
            cuts = sorted(self.rng.uniform(0.1, 0.9) for _ in range(2))
            length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1
            ends = [0, *(c + s * 1.2 / length for c in cuts for s in (-1, 1)), 1]
            for u, v in zip(ends[::2], ends[1::2]):
                space.add_line(*((a[0] + (b[0] - a[0]) * k, a[1] + (b[1] - a[1]) * k) for k in (u, v)), dxfattribs={"layer": self.layer["wall"]})
            return
        parts = self.m.get("exploded", 0)
        attribs = {"layer": self.layer[layer]}
        if parts and layer == "wall":
            n = self.rng.randint(1, parts)
            cuts = [0, *sorted(self.rng.random() for _ in range(n - 1)), 1]
            for u, v in zip(cuts, cuts[1:]):
                p = [a[k] + (b[k] - a[k]) * u for k in (0, 1)]
                q = [a[k] + (b[k] - a[k]) * v for k in (0, 1)]
                if self.rng.random() < 0.5:
                    p, q = q, p
                space.add_line(p, q, dxfattribs=attribs)
                if self.rng.random() < 0.15:
                    space.add_line(p, q, dxfattribs=attribs)
        else:
            space.add_line(a, b, dxfattribs=attribs)

    def poly(self, points, layer, closed=True, space=None, width=None):
        space = space or self.space
        attribs = {"layer": self.layer[layer]}
        if self.m.get("old_polylines"):
            own = space.add_polyline2d(points, close=closed, dxfattribs=attribs)
        else:
            own = space.add_lwpolyline(points, close=closed, dxfattribs=attribs)
            if width:
                own.dxf.const_width = width
        return own

    def frame(self, n):
        """Start, direction, left normal, length, half thickness of a wall."""
        x1, y1, x2, y2, t = self.b.walls[n]
        length = math.hypot(x2 - x1, y2 - y1)
        u = ((x2 - x1) / length, (y2 - y1) / length)
        return (x1, y1), u, (-u[1], u[0]), length, t / 2

    def at(self, n, along, off):
        s, u, v, _, _ = self.frame(n)
        return (s[0] + u[0] * along + v[0] * off, s[1] + u[1] * along + v[1] * off)

    def cut(self, n):
        """The openings of a wall that its faces are broken at."""
        if self.m.get("uncut"):
            return []
        own = [o for o in self.b.openings if o.wall == n]
        if self.m.get("windows") == "through":
            own = [o for o in own if o.kind == "door"]
        return sorted(own, key=lambda o: o.at)

    def reach(self, n, end):
        """How far the body of a wall goes beyond an end of its axis: to the outer face at corners."""
        x, y = self.b.walls[n][2 * end], self.b.walls[n][2 * end + 1]
        best = 0
        for m, (x1, y1, x2, y2, t) in enumerate(self.b.walls):
            if m != n and any(math.hypot(x - a, y - c) < 1 for a, c in ((x1, y1), (x2, y2))):
                _, u, _, _, _ = self.frame(n)
                _, w, _, _, _ = self.frame(m)
                sine = abs(u[0] * w[1] - u[1] * w[0])
                if sine > 0.3:
                    best = max(best, t / 2 / sine)
        return best

    def body(self):
        """The area of all walls without openings."""
        parts, holes = [], []
        for n in range(len(self.b.walls)):
            _, _, _, length, half = self.frame(n)
            a, c = -self.reach(n, 0), length + self.reach(n, 1)
            parts.append(Polygon([self.at(n, a, -half), self.at(n, c, -half), self.at(n, c, half), self.at(n, a, half)]))
            for o in self.cut(n):
                lo, hi = o.at - o.width / 2, o.at + o.width / 2
                holes.append(Polygon([self.at(n, lo, -half - 1), self.at(n, hi, -half - 1), self.at(n, hi, half + 1), self.at(n, lo, half + 1)]))
        # corners of oblique walls are mitred, not stepped
        hull = unary_union(parts).difference(unary_union(holes)) if holes else unary_union(parts)
        return hull.buffer(0)

    def rings(self):
        body = self.body()
        for shape in getattr(body, "geoms", [body]):
            yield list(shape.exterior.coords)[:-1]
            for ring in shape.interiors:
                yield list(ring.coords)[:-1]

    def walls(self):
        how = self.m.get("walls", "outline")
        if how in ("outline", "polylines"):
            for ring in self.rings():
                if how == "polylines":
                    self.poly(ring, "wall")
                else:
                    for a, b in zip(ring, ring[1:] + ring[:1]):
                        self.line(a, b, "wall")
        elif how in ("hatch", "hatch+lines", "ansi"):
            body = self.body()
            for shape in getattr(body, "geoms", [body]):
                hatch = self.space.add_hatch(color=8, dxfattribs={"layer": self.layer["wall"]})
                if how == "ansi":
                    hatch.set_pattern_fill("ANSI31", scale=20)
                hatch.paths.add_polyline_path(list(shape.exterior.coords)[:-1], flags=1)
                for ring in shape.interiors:
                    hatch.paths.add_polyline_path(list(ring.coords)[:-1], flags=16)
            if how == "hatch+lines":
                for ring in self.rings():
                    self.poly(ring, "wall")
        else:
            for n in range(len(self.b.walls)):
                self.wall(n, how)

    def wall(self, n, how):
        _, _, _, length, half = self.frame(n)
        ends = [0.0]
        for o in self.cut(n):
            ends += [o.at - o.width / 2, o.at + o.width / 2]
        ends.append(length)
        ends[0] -= self.reach(n, 0)
        ends[-1] += self.reach(n, 1)
        for lo, hi in zip(ends[::2], ends[1::2]):
            p = [self.at(n, lo, -half), self.at(n, hi, -half), self.at(n, hi, half), self.at(n, lo, half)]
            if how == "rects":
                self.poly(p, "wall")
            elif how == "solids":
                self.space.add_solid([p[0], p[1], p[3], p[2]], dxfattribs={"layer": self.layer["wall"]})
            elif how == "wide":
                self.poly([self.at(n, lo, 0), self.at(n, hi, 0)], "wall", closed=False, width=2 * half)
            elif how == "mline":
                style = f"W{round(2 * half)}"
                if style not in self.doc.mline_styles:
                    own = self.doc.mline_styles.new(style)
                    own.elements.append(half, 256)
                    own.elements.append(-half, 256)
                self.space.add_mline([self.at(n, lo, 0), self.at(n, hi, 0)], dxfattribs={"layer": self.layer["wall"], "style_name": style, "scale_factor": 1, "justification": 1})
            elif how == "single":
                lo, hi = max(lo, 0), min(hi, length)
                self.line(self.at(n, lo, 0), self.at(n, hi, 0), "wall")
            elif how in ("pairs", "layered"):
                self.line(p[0], p[1], "wall")
                self.line(p[3], p[2], "wall")
                if self.m.get("jambs", True):
                    if lo > 0:
                        self.line(p[0], p[3], "wall")
                    if hi < length:
                        self.line(p[1], p[2], "wall")
                if how == "layered" and half > 80:
                    for off in (-half + 20, half - 60):
                        self.line(self.at(n, lo, off), self.at(n, hi, off), "wall")

    def door(self, o):
        n, half = o.wall, self.frame(o.wall)[4]
        how = self.m.get("doors", "arc")
        lo, hi = o.at - o.width / 2, o.at + o.width / 2
        if how == "none":
            return
        face = o.side * half * self.m.get("leaf_at", 1.0)
        hinge, close = (lo, hi) if o.hinge == 0 else (hi, lo)
        way = 1 if close > hinge else -1
        r = o.width
        swing = self.m.get("swing", 90)

        def p(along, off):
            return self.at(n, hinge + way * along, face + o.side * off)

        def arc(target, along, off, start, end, radius):
            """Points of an arc about a place, from one angle to another, in the door's frame."""
            points = [p(along + radius * math.cos(math.radians(a)), off + radius * math.sin(math.radians(a))) for a in (start, (start + end) / 2, end)]
            c = p(along, off)
            a0, a1, am = (math.degrees(math.atan2(q[1] - c[1], q[0] - c[0])) for q in (points[0], points[2], points[1]))
            if (am - a0) % 360 > (a1 - a0) % 360:
                a0, a1 = a1, a0
            kind = self.m.get("arcs", "arc")
            attribs = {"layer": self.layer["door"]}
            if kind == "halves":
                # in two pieces, as programs break arcs at what crosses them
                middle = a0 + ((a1 - a0) % 360) * 0.6
                target.add_arc(c, radius, a0, middle, dxfattribs=attribs)
                target.add_arc(c, radius, middle, a1, dxfattribs=attribs)
            elif kind == "arc":
                target.add_arc(c, radius, a0, a1, dxfattribs=attribs)
            elif kind == "ellipse":
                target.add_ellipse(c, (radius, 0), 1, math.radians(a0), math.radians(a1), dxfattribs=attribs)
            elif kind == "bulge":
                target.add_lwpolyline([(*points[0], 0, 0, self.bulge(points)), (*points[2], 0, 0, 0)], dxfattribs=attribs)
            elif kind in ("chords", "chord-polyline"):
                count = 12
                span = (a1 - a0) % 360
                q = [(c[0] + radius * math.cos(math.radians(a0 + span * k / count)), c[1] + radius * math.sin(math.radians(a0 + span * k / count))) for k in range(count + 1)]
                if kind == "chords":
                    for a, b in zip(q, q[1:]):
                        target.add_line(a, b, dxfattribs=attribs)
                else:
                    target.add_lwpolyline(q, dxfattribs=attribs)

        def leaf(target, along, length, angle, thick):
            c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            sign = 1 if along == 0 else -1
            a = p(along, 0)
            b = p(along + sign * length * c, length * s)
            if thick:
                d = p(along + sign * (length * c + 40 * s), length * s - 40 * c)
                e = p(along + sign * 40 * s, -40 * c if angle < 89 else 0)
                self.poly([a, b, d, e], "door", space=target)
            else:
                target.add_line(a, b, dxfattribs={"layer": self.layer["door"]})

        if self.m.get("threshold"):
            for off in (-half, half):
                self.space.add_line(self.at(n, lo, off), self.at(n, hi, off), dxfattribs={"layer": self.layer["door"]})
        if self.m.get("frames"):
            for along in (lo, hi - 50):
                self.poly([self.at(n, along, -half), self.at(n, along + 50, -half), self.at(n, along + 50, half), self.at(n, along, half)], "door")
        if self.m.get("tags"):
            place = p(r / 2, 450)
            self.space.add_text(f"D{self.rng.randint(1, 40):02}", dxfattribs={"layer": self.layer["text"], "height": 120}).set_placement(place, align=ezdxf.enums.TextEntityAlignment.MIDDLE_CENTER)
            self.space.add_circle(place, 180, dxfattribs={"layer": self.layer["text"]})
        if how in ("arc", "rect-leaf", "leaf", "arc-only"):
            if how != "arc-only":
                leaf(self.space, 0, r, swing, how == "rect-leaf")
            if how in ("arc", "rect-leaf", "arc-only"):
                arc(self.space, 0, 0, 0, swing, r)
        elif how == "double":
            if r < 1000:
                leaf(self.space, 0, r, 90, False)
                arc(self.space, 0, 0, 0, 90, r)
            else:
                leaf(self.space, 0, r / 2, 90, False)
                arc(self.space, 0, 0, 0, 90, r / 2)
                self.space.add_line(p(r, 0), p(r, r / 2), dxfattribs={"layer": self.layer["door"]})
                arc(self.space, r, 0, 90, 180, r / 2)
        elif how == "sliding":
            for along, off in ((0, -10), (r * 0.45, -60)):
                q = [p(along, off), p(along + r * 0.55, off), p(along + r * 0.55, off - 40), p(along, off - 40)]
                self.poly(q, "door")
        elif how in ("block", "scaled-block", "anonymous-block"):
            self.door_block(o, p, way, r, how)

    @staticmethod
    def bulge(points):
        (x1, y1), (xm, ym), (x2, y2) = points
        chord = math.hypot(x2 - x1, y2 - y1)
        sagitta = ((x2 - x1) * (ym - y1) - (y2 - y1) * (xm - x1)) / chord
        return -sagitta / (chord / 2)

    def door_block(self, o, p, way, r, how):
        size = 1000.0 if how == "scaled-block" else r
        name = {"block": f"{self.m.get('block_name', 'DOOR')}_{round(size)}", "scaled-block": "Tuer1000", "anonymous-block": f"B{round(size)}"}[how]
        # what lies on layer 0 of a block takes the layer of the reference
        inner = "0" if self.m.get("block_layer", "0") == "0" else self.layer["door"]
        if name not in self.doc.blocks:
            block = self.doc.blocks.new(name)
            u = self.unit
            attribs = {"layer": inner}
            block.add_line((0, 0), (0, size / u), dxfattribs=attribs)
            block.add_arc((0, 0), size / u, 0, 90, dxfattribs=attribs)
            for x in (0, size / u):
                block.add_line((x, 0), (x, -30 / u), dxfattribs=attribs)
        a, b, up = p(0, 0), p(r, 0), p(0, 1)
        angle = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
        turn = (b[0] - a[0]) * (up[1] - a[1]) - (b[1] - a[1]) * (up[0] - a[0])
        scale = r / size
        attribs = {"layer": self.layer["door"], "rotation": angle, "xscale": scale, "yscale": scale if turn > 0 else -scale}
        self.inserts.append(self.space.add_blockref(name, a, dxfattribs=attribs))

    def window(self, o):
        n, half = o.wall, self.frame(o.wall)[4]
        lo, hi = o.at - o.width / 2, o.at + o.width / 2
        how = self.m.get("windows", "three")
        offs = {"three": (-half, 0, half), "two": (-25, 25), "one": (0,), "four": (-half, -25, 25, half), "through": (-20, 20), "rect": (-40, 40)}.get(how, ())
        for off in offs:
            self.space.add_line(self.at(n, lo, off), self.at(n, hi, off), dxfattribs={"layer": self.layer["window"]})
        if how == "rect":
            for along in (lo, hi):
                self.space.add_line(self.at(n, along, -40), self.at(n, along, 40), dxfattribs={"layer": self.layer["window"]})
        if how == "through":
            for along in (lo, hi):
                self.space.add_line(self.at(n, along, -half), self.at(n, along, half), dxfattribs={"layer": self.layer["window"]})
        if how == "box":
            self.poly([self.at(n, lo, -half), self.at(n, hi, -half), self.at(n, hi, half), self.at(n, lo, half)], "window")
            self.space.add_line(self.at(n, lo, 0), self.at(n, hi, 0), dxfattribs={"layer": self.layer["window"]})
        if how == "sill":
            for off in (-half - 50, -half, 0):
                out = 60 if off < -half else 0
                self.space.add_line(self.at(n, lo - out, off), self.at(n, hi + out, off), dxfattribs={"layer": self.layer["window"]})
        if how == "block":
            name = f"{self.m.get('window_name', 'WINDOW')}_{round(o.width)}x{round(2 * half)}"
            if name not in self.doc.blocks:
                block = self.doc.blocks.new(name)
                u = self.unit
                for off in (-half, 0, half):
                    block.add_line((0, off / u), (o.width / u, off / u), dxfattribs={"layer": "0"})
            a, b = self.at(n, lo, 0), self.at(n, hi, 0)
            angle = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
            self.inserts.append(self.space.add_blockref(name, a, dxfattribs={"layer": self.layer["window"], "rotation": angle}))

    def words(self):
        for name, x, y in self.b.rooms:
            attribs = {"layer": self.layer["text"], "height": 200}
            if self.m.get("mtext"):
                own = self.space.add_mtext(r"{\fArial|b1;" + name + r"}\P\H0.7x;12.3 m²", dxfattribs={"layer": self.layer["text"], "char_height": 200})
                own.set_location((x - 500, y + 300), attachment_point=1)
            else:
                self.space.add_text(name.upper() if self.m.get("upper") else name, dxfattribs=attribs).set_placement((x, y), align=ezdxf.enums.TextEntityAlignment.MIDDLE_CENTER)
                self.space.add_text("12.30 m²", dxfattribs={**attribs, "height": 140}).set_placement((x, y - 320), align=ezdxf.enums.TextEntityAlignment.MIDDLE_CENTER)

    def rest(self):
        if self.m.get("furniture", True):
            for x, y, w, d in self.b.furniture:
                self.poly([(x, y), (x + w, y), (x + w, y + d), (x, y + d)], "furniture")
                self.space.add_circle((x + w / 2, y + d + 300), 220, dxfattribs={"layer": self.layer["furniture"]})
        if self.m.get("stairs"):
            x, y = self.b.rooms[0][1] - 1000, self.b.rooms[0][2] - 900
            for k in range(8):
                self.line((x + 270 * k, y), (x + 270 * k, y + 1000), "furniture")
        if self.m.get("hatch_lines"):
            self.hatch_lines()
        if self.m.get("beams"):
            # what lies above the cut, dashed, from wall to wall
            xs, ys = zip(*((k, w) for own in self.b.walls for k, w in ((own[0], own[1]), (own[2], own[3]))))
            for share in (0.21, 0.24, 0.7):
                y = min(ys) + (max(ys) - min(ys)) * share
                self.space.add_line((min(xs), y), (max(xs), y), dxfattribs={"layer": self.layer[self.m["beams"]], "linetype": "DASHED"})
        if self.m.get("insulation"):
            self.insulation()
        if self.m.get("noise"):
            self.noise()
        if self.m.get("columns"):
            for x1, y1, _, _, _ in self.b.walls[:4]:
                self.poly([(x1 - 200, y1 - 200), (x1 + 200, y1 - 200), (x1 + 200, y1 + 200), (x1 - 200, y1 + 200)], "wall")
        if self.m.get("sheet"):
            self.sheet()
        if self.m.get("kitchen"):
            x, y = 0, 0
            t = self.b.walls[0][4] / 2
            self.line((x + t, y + t + 600), (x + t + 2400, y + t + 600), "furniture")
            self.line((x + t + 2400, y + t), (x + t + 2400, y + t + 600), "furniture")
            for k in range(3):
                self.line((x + t + 600 * (k + 1), y + t), (x + t + 600 * (k + 1), y + t + 600), "furniture")
        if self.m.get("grid"):
            attribs = {"layer": self.layer["dim"], "linetype": "CENTER"}
            for x1, y1, x2, y2, _ in self.b.walls[:4]:
                dx, dy = (x2 - x1) * 0.15, (y2 - y1) * 0.15
                self.space.add_line((x1 - dx, y1 - dy), (x2 + dx, y2 + dy), dxfattribs=attribs)
        if self.m.get("dims", True) and self.m.get("dims") != "exploded":
            self.dimensions()

    def insulation(self):
        """A zigzag within the outer walls, as insulation is drawn."""
        for n, (*_, t) in enumerate(self.b.walls):
            if t < 200:
                continue
            _, _, _, length, half = self.frame(n)
            taken = [(o.at - o.width / 2, o.at + o.width / 2) for o in self.cut(n)]
            points, along, side = [], half, 1
            while along < length - half:
                if any(lo - 60 < along < hi + 60 for lo, hi in taken):
                    if len(points) > 1:
                        self.poly(points, "wall", closed=False)
                    points = []
                else:
                    points.append(self.at(n, along, side * (half - 40)))
                along, side = along + 90, -side
            if len(points) > 1:
                self.poly(points, "wall", closed=False)

    def noise(self):
        """Chairs, tables and a rug of two lines in each room, on whatever layer the manner says."""
        layer = self.m["noise"]
        for _, x, y in self.b.rooms:
            w, d = self.rng.choice([(900, 500), (1200, 700), (700, 700)])
            for grown in (0, 60):
                self.poly([(x - w / 2 - grown, y + 450 - grown), (x + w / 2 + grown, y + 450 - grown), (x + w / 2 + grown, y + 450 + d + grown), (x - w / 2 - grown, y + 450 + d + grown)], layer)
            for k in (-1, 1):
                self.space.add_circle((x + k * w * 0.3, y + 300), 150, dxfattribs={"layer": self.layer[layer]})
                self.line((x + k * 300, y - 900), (x + k * 300 + 250, y - 650), layer)

    def hatch_lines(self):
        """Walls hatched by lines at 45 degrees that are lines of their own."""
        body = self.body()
        x1, y1, x2, y2 = body.bounds
        layer = self.m["hatch_lines"]
        if layer not in self.doc.layers:
            self.doc.layers.add(layer)
        step = 100
        for k in range(int((x1 - y2) // step), int((x2 - y1) // step)):
            cut = LineString([(k * step + y1, y1), (k * step + y2, y2)]).intersection(body)
            for part in getattr(cut, "geoms", [cut]):
                if part.geom_type == "LineString" and part.length > 5:
                    a, b = part.coords[0], part.coords[-1]
                    self.space.add_line(a, b, dxfattribs={"layer": layer})

    def sheet(self):
        """A frame of two lines and a title block, on a layer of its own or that of all."""
        xs = [k for w in self.b.walls for k in (w[0], w[2])]
        ys = [k for w in self.b.walls for k in (w[1], w[3])]
        layer = {"layer": self.layer["text"]}
        for out in (3000, 3500):
            a, b, c, d = min(xs) - out, min(ys) - out, max(xs) + out, max(ys) + out
            self.space.add_lwpolyline([(a, b), (c, b), (c, d), (a, d)], close=True, dxfattribs=layer)
        c, b = max(xs) + 3000, min(ys) - 3000
        for k in range(4):
            self.space.add_line((c - 4000, b + 350 * (k + 1)), (c, b + 350 * (k + 1)), dxfattribs=layer)
        self.space.add_line((c - 4000, b), (c - 4000, b + 1400), dxfattribs=layer)
        self.space.add_text("GROUND FLOOR PLAN  1:100", dxfattribs={**layer, "height": 200}).set_placement((c - 3900, b + 60))

    def dimensions(self):
        x1, y1, x2, y2, _ = self.b.walls[0]
        shown = self.m.get("dim_unit", self.unit)
        u = self.unit
        style = self.doc.dimstyles.get("EZDXF") if "EZDXF" in self.doc.dimstyles else None
        assert style is not None
        for a, b, base in (((x1, y1), (x2, y2), (x1, y1 - 1500)), ((x1, y1), (x1, self.b.walls[3][1]), (x1 - 1500, y1))):
            length = math.hypot(b[0] - a[0], b[1] - a[1])
            if self.m.get("feet"):
                total = round(length / 25.4 * 2) / 2
                feet, inches = int(total // 12), total % 12
                half = " 1/2" if inches % 1 else ""
                text = f"{feet}'-{int(inches)}{half}\""
            else:
                text = f"{length / shown:.2f}".rstrip("0").rstrip(".") if shown >= 10 else f"{length / shown:.0f}"
            angle = 0 if a[1] == b[1] else 90
            own = self.space.add_linear_dim(base=[k / u for k in base], p1=[k / u for k in a], p2=[k / u for k in b], angle=angle, text=text, dxfattribs={"layer": self.layer["dim"]})
            own.render()
            self.dims.append(own.dimension)

    def draw(self):
        self.inserts, self.dims = [], []
        self.walls()
        for o in self.b.openings:
            (self.door if o.kind == "door" else self.window)(o)
        if self.m.get("words", True):
            self.words()
        self.rest()
        scale = Matrix44.scale(1 / self.unit)
        fixed = {id(own) for own in self.dims}
        for own in list(self.space):
            if id(own) in fixed:
                continue
            if own.dxftype() == "INSERT":
                # the block is in units already, so only its place is put into them
                own.dxf.insert = tuple(k / self.unit for k in own.dxf.insert)[:3]
            else:
                own.transform(scale)
        self.map = Matrix44.z_rotate(math.radians(self.m.get("turned", 0)))
        if self.m.get("mirrored"):
            self.map = Matrix44.scale(-1, 1, 1) @ self.map
        x, y = self.m.get("moved", (0, 0))
        self.map = self.map @ Matrix44.translate(x, y, 0)
        if any(self.m.get(own) for own in ("turned", "mirrored", "moved")):
            for own in list(self.space):
                own.transform(self.map)
        if self.m.get("in_block"):
            self.all_in_a_block()
        return self

    def all_in_a_block(self):
        block = self.doc.blocks.new("PLAN")
        for own in list(self.space):
            if own.dxftype() != "DIMENSION":
                self.space.unlink_entity(own)
                block.add_entity(own)
        self.space.add_blockref("PLAN", (0, 0), dxfattribs={"layer": "0"})

    def truth(self):
        """Walls and doors in mm, where they are in the drawing."""

        def put(x, y):
            own = self.map.transform((x / self.unit, y / self.unit, 0))
            return [own.x * self.unit, own.y * self.unit]

        walls = [{"start": put(x1, y1), "end": put(x2, y2), "thickness": t} for x1, y1, x2, y2, t in self.b.walls]
        doors, windows = [], []
        for o in self.b.openings:
            own = {"centre": put(*self.at(o.wall, o.at, 0)), "width": o.width}
            (doors if o.kind == "door" else windows).append(own)
        rooms = [name for name, _, _ in self.b.rooms]
        return {"walls": walls, "doors": doors, "windows": windows, "rooms": rooms}


# name: building, manner
MANNERS = {}


def _add(name, kind="flat", **manner):
    assert name not in MANNERS
    MANNERS[name] = (kind, manner)


for _n, _language in enumerate(name for name in LANGUAGES if name not in ("zero", "numbers", "nothing")):
    _add(
        f"layers-{_language}",
        list(KINDS)[_n % 3],
        layers=_language,
        walls=["outline", "pairs", "polylines"][_n % 3],
        doors=["arc", "rect-leaf", "block"][_n // 3 % 3],
        windows=["three", "two", "block", "one"][_n % 4],
        unit=[1.0, 10.0, 1000.0][_n // 2 % 3],
    )
_add("rectangles", walls="rects", layers="de")
_add("rectangles-office", "office", walls="rects", layers="en", doors="rect-leaf")
_add("solid-hatch", walls="hatch", layers="fr")
_add("hatch-and-lines", "house", walls="hatch+lines", layers="it")
_add("pattern-hatch", "office", walls="ansi", layers="de2")
_add("solids", walls="solids", layers="en")
_add("wide-polylines", walls="wide", layers="es")
_add("multi-lines", "house", walls="mline", layers="ru")
_add("layered-walls", "house", walls="layered", layers="de", doors="rect-leaf")
_add("exploded", walls="outline", exploded=6, layers="pl")
_add("exploded-doors", "house", walls="pairs", exploded=4, layers="en", arcs="chords")
_add("old-polylines", walls="polylines", old_polylines=True, version="R12", layers="de", doors="arc", furniture=False, dims=False)
_add("release-12", "house", walls="pairs", version="R12", old_polylines=True, layers="en", dims=False)
_add("release-2018", "office", walls="outline", version="R2018", layers="zh")
_add("release-2000", walls="outline", version="R2000", layers="ru")
_add("no-swings", walls="outline", doors="leaf", layers="en")
_add("no-swings-office", "office", walls="pairs", doors="leaf", layers="es", unit=1000.0)
_add("bare-gaps", walls="outline", doors="none", layers="en")
_add("bare-gaps-house", "house", walls="pairs", doors="none", layers="fr", unit=10.0)
_add("swings-alone", walls="pairs", doors="arc-only", layers="nl")
_add("swings-at-45", "house", walls="outline", swing=45, layers="en")
_add("bulges", walls="outline", arcs="bulge", layers="sv")
_add("ellipses", "office", walls="outline", arcs="ellipse", layers="fi")
_add("chords", walls="outline", arcs="chord-polyline", layers="cs")
_add("double-doors", "office", walls="outline", doors="double", layers="en")
_add("sliding-doors", walls="outline", doors="sliding", layers="en")
_add("door-blocks-scaled", walls="pairs", doors="scaled-block", layers="de")
_add("door-blocks-without-name", walls="outline", doors="anonymous-block", layers="zero")
_add("leaf-in-the-middle", walls="outline", leaf_at=0.0, layers="en")
_add("not-cut", walls="polylines", uncut=True, layers="tr", windows="through")
_add("not-cut-office", "office", walls="rects", uncut=True, layers="ko", windows="through", doors="block")
_add("windows-through", walls="outline", windows="through", layers="hu")
_add("without-jambs", walls="pairs", jambs=False, layers="pt")
_add("single-lines", "office", walls="single", layers="en", windows="one", doors="arc", leaf_at=0.0)
_add("turned-30", walls="outline", turned=30, layers="en")
_add("turned-17.3", "house", walls="pairs", turned=17.3, layers="de", doors="block")
_add("turned-mirrored", "office", walls="polylines", turned=-62.5, mirrored=True, layers="fr", unit=1000.0)
_add("far-away", walls="outline", moved=(512345.25, 5403210.5), unit=1000.0, layers="de")
_add("far-away-turned", "house", walls="pairs", moved=(3.45e9, 5.6e9), turned=8, unit=1.0, layers="en")
_add("inches", walls="outline", unit=25.4, layers="aia", feet=True)
_add("feet", "house", walls="pairs", unit=304.8, layers="aia", feet=True)
_add("inches-not-told", "office", walls="outline", unit=25.4, told=None, layers="aia", feet=True)
_add("metres-not-told", walls="outline", unit=1000.0, told=None, layers="en")
_add("millimetres-told-as-metres", "house", walls="outline", unit=1.0, told=1000.0, layers="de")
_add("centimetres-not-told", walls="pairs", unit=10.0, told=None, layers="es")
_add("all-on-zero", walls="outline", layers="zero")
_add("all-on-zero-pairs", "house", walls="pairs", layers="zero", windows="two")
_add("all-on-zero-office", "office", walls="outline", layers="zero", windows="three", doors="rect-leaf")
_add("all-on-zero-turned", walls="polylines", layers="zero", turned=21, windows="one")
_add("all-on-zero-exploded", "house", walls="outline", layers="zero", exploded=4, arcs="chords")
_add("all-on-zero-stairs", walls="outline", layers="zero", stairs=True, windows="four")
_add("all-on-zero-no-swings", "house", walls="outline", layers="zero", doors="leaf")
_add("layers-by-numbers", walls="outline", layers="numbers")
_add("layers-without-meaning", "office", walls="pairs", layers="nothing")
_add("one-block", walls="outline", layers="en", in_block=True)
_add("oblique", "skew", walls="outline", layers="en")
_add("oblique-pairs", "skew", walls="pairs", layers="de", unit=1000.0, turned=12)
_add("grid-and-words", walls="outline", layers="en", grid=True, mtext=True, upper=True)
_add("careless", "house", walls="pairs", loose=8, layers="en")
_add("careless-flat", walls="pairs", loose=15, jambs=False, layers="es")
_add("thresholds", walls="outline", threshold=True, layers="de")
_add("frames-and-tags", walls="outline", frames=True, tags=True, layers="en", doors="rect-leaf")
_add("all-on-zero-thresholds", walls="outline", threshold=True, layers="zero", windows="two")
_add("all-on-zero-frames", "house", walls="outline", frames=True, layers="zero", windows="rect")
_add("all-on-zero-kitchen", walls="outline", kitchen=True, layers="zero", tags=True)
_add("all-on-zero-sheet", "office", walls="outline", sheet=True, layers="zero")
_add("all-on-zero-rectangles", walls="rects", layers="zero", windows="two")
_add("all-on-zero-blocks", "house", walls="pairs", layers="zero", doors="block", windows="block", block_name="PUERTA", window_name="VENTANA")
_add("all-on-zero-bare", walls="outline", layers="zero", doors="none", windows="three")
_add("all-on-zero-metres", walls="pairs", layers="zero", unit=1000.0, turned=40, moved=(3000.0, -250.0))
_add("all-on-zero-hatched", "house", walls="outline", layers="zero", hatch_lines="0")
_add("hatched-by-lines", walls="outline", layers="en", hatch_lines="SCHRAFFUR")
_add("hatched-on-walls", walls="outline", layers="en", hatch_lines="Walls")
_add("window-boxes", walls="polylines", windows="box", layers="fr")
_add("window-boxes-not-cut", "house", walls="rects", uncut=True, windows="box", layers="it", doors="rect-leaf")
_add("window-sills", walls="outline", windows="sill", layers="de")
_add("columns", "office", walls="outline", columns=True, layers="en")
_add("sheet", walls="outline", sheet=True, layers="fr")
_add("not-cut-zero", walls="rects", uncut=True, windows="through", layers="zero")
_add("inches-all-on-zero", "house", walls="outline", layers="zero", unit=25.4, feet=True, told=None)
_add("paper-1-to-100", walls="outline", layers="de", unit=100.0, told=1.0, dim_unit=1000.0)
_add("paper-1-to-50", "office", walls="pairs", layers="en", unit=50.0, told=None, dim_unit=1000.0)
_add("one-block-turned", "house", walls="outline", layers="zero", in_block=True, turned=14, doors="block")


_add("doubled-lines", walls="pairs", doubled=True, layers="en")
_add("doubled-lines-zero", "house", walls="outline", doubled=True, layers="zero")
_add("holes-in-lines", walls="pairs", holes=True, layers="de")
_add("holes-in-lines-zero", "office", walls="outline", holes=True, layers="zero", windows="two")
_add("swings-in-halves", walls="outline", arcs="halves", layers="en")
_add("swings-in-halves-zero", "house", walls="pairs", arcs="halves", layers="zero")
_add("beams-above", walls="outline", beams="wall", layers="fr")
_add("beams-above-zero", "house", walls="outline", beams="furniture", layers="zero")
_add("insulation", "house", walls="pairs", insulation=True, layers="de")
_add("insulation-zero", walls="outline", insulation=True, layers="zero")
_add("noise", walls="outline", noise="furniture", layers="it")
_add("noise-on-walls", walls="outline", noise="wall", layers="en")
_add("noise-zero", "house", walls="pairs", noise="wall", layers="zero")
_add("noise-zero-office", "office", walls="outline", noise="wall", layers="zero", kitchen=True, doors="leaf")


def _mixed(rng):
    """A manner that takes something of many, as drawings that went through several hands do."""
    manner = {
        "layers": rng.choice([name for name in LANGUAGES if name != "nothing"]),
        "walls": rng.choice(["outline", "pairs", "polylines", "rects", "outline", "pairs", "hatch+lines", "mline"]),
        "doors": rng.choice(["arc", "rect-leaf", "block", "scaled-block", "anonymous-block", "arc", "leaf", "arc-only"]),
        "windows": rng.choice(["three", "two", "one", "four", "rect", "block", "box", "sill"]),
        "unit": rng.choice([1.0, 1.0, 10.0, 1000.0, 25.4]),
        "arcs": rng.choice(["arc", "arc", "bulge", "ellipse", "chord-polyline", "chords"]),
    }
    for what, of in [
        ("turned", lambda: rng.uniform(-80, 80)),
        ("mirrored", lambda: True),
        ("moved", lambda: (rng.uniform(-1e5, 1e5), rng.uniform(-1e5, 1e5))),
        ("exploded", lambda: rng.randint(2, 6)),
        ("loose", lambda: rng.uniform(2, 10)),
        ("stairs", lambda: True),
        ("sheet", lambda: True),
        ("grid", lambda: True),
        ("mtext", lambda: True),
        ("kitchen", lambda: True),
        ("tags", lambda: True),
        ("frames", lambda: True),
        ("threshold", lambda: True),
        ("in_block", lambda: True),
    ]:
        if rng.random() < 0.2:
            manner[what] = of()
    return manner


for _n in range(40):
    _rng = random.Random(f"mixed {_n}")
    _add(f"mixed-{_n}", _rng.choice(list(KINDS)), **_mixed(_rng))


def make(name):
    """The drawing of a manner, and what it shows."""
    kind, manner = MANNERS[name]
    rng = random.Random(name)
    own = Draughtsman(KINDS[kind](rng), manner, rng).draw()
    return own.doc, own.truth()
