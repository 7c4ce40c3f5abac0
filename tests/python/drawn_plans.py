"""Plans of houses drawn as pictures in several manners, and what their walls are: the truth that a trace is held against.

A plan is made in millimetres from a number. Its walls are axes with a thickness; how they are drawn (filled, two faces, hatched, grey,
by hand) and what becomes of the picture (turned, noisy, compressed, in uneven light) is chosen apart from that.
"""

import io
import math
import random
from dataclasses import dataclass, field

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from shapely import affinity
from shapely.geometry import LineString, Polygon, box
from shapely.ops import unary_union

MANNERS = ["filled", "double", "hatched", "grey", "pen", "sketch"]
DISTORTIONS = ["gaussian", "salt and pepper", "compressed", "uneven light", "blurred", "blueprint"]


@dataclass
class Wall:
    start: tuple
    end: tuple
    thickness: float
    openings: list = field(default_factory=list)  # (kind, from, to) along the axis

    @property
    def length(self):
        return math.dist(self.start, self.end)

    def at(self, along):
        t = along / self.length
        return (self.start[0] + (self.end[0] - self.start[0]) * t, self.start[1] + (self.end[1] - self.start[1]) * t)

    def strip(self, start=0.0, end=None, wide=None, extend=0.0):
        """The rectangle over a part of the wall."""
        a, b = self.at(start - extend), self.at((self.length if end is None else end) + extend)
        return LineString([a, b]).buffer((wide or self.thickness) / 2, cap_style="flat")


@dataclass
class Plan:
    walls: list
    rooms: list
    size: tuple
    random: random.Random


def house(seed):
    """A house of some rooms, sometimes with a wing left out or a corner cut off."""
    own = random.Random(seed)
    wide, deep = own.randrange(8000, 16001, 250), own.randrange(6500, 11001, 250)
    outer, inner = own.choice([(365, 115), (300, 115), (240, 115), (400, 175), (300, 240), (200, 100)])
    shape = own.choice(["box", "box", "wing", "cut"])
    corners = [(0, 0), (wide, 0), (wide, deep), (0, deep)]
    if shape == "wing":
        x, y = wide * own.uniform(0.45, 0.65), deep * own.uniform(0.4, 0.6)
        corners = [(0, 0), (wide, 0), (wide, y), (x, y), (x, deep), (0, deep)]
    if shape == "cut":
        c = own.uniform(0.2, 0.3) * deep
        corners = [(0, 0), (wide - c, 0), (wide, c), (wide, deep), (0, deep)]
    walls = [Wall(a, b, outer) for a, b in zip(corners, corners[1:] + corners[:1])]
    outline = Polygon(corners)
    rooms = []
    divide(own, outline, walls, rooms, inner, 0)
    for wall in walls:
        open_up(own, wall, wall.thickness == outer and outer != inner)
    return Plan(walls, rooms, (wide, deep), own)


def divide(own, area, walls, rooms, thickness, depth):
    """Parts an area by walls across until rooms are small enough."""
    left, top, right, bottom = area.bounds
    wide, deep = right - left, bottom - top
    if area.area < 14e6 or depth > 4 or (area.area < 24e6 and own.random() < 0.4) or max(wide, deep) < 3800:
        rooms.append(area)
        return
    part = own.uniform(0.38, 0.62)
    if wide >= deep:
        x = left + wide * part
        cut = LineString([(x, top - 1), (x, bottom + 1)])
        halves = [box(left - 1, top - 1, x, bottom + 1), box(x, top - 1, right + 1, bottom + 1)]
    else:
        y = top + deep * part
        cut = LineString([(left - 1, y), (right + 1, y)])
        halves = [box(left - 1, top - 1, right + 1, y), box(left - 1, y, right + 1, bottom + 1)]
    line = cut.intersection(area)
    if line.geom_type != "LineString":
        rooms.append(area)
        return
    walls.append(Wall(*line.coords, thickness))
    for half in halves:
        piece = area.intersection(half)
        if piece.geom_type == "Polygon" and piece.area > 1e6:
            divide(own, piece, walls, rooms, thickness, depth + 1)


def open_up(own, wall, is_outer):
    """Doors in inner walls, windows and a door in outer ones."""
    at = 500 + own.uniform(0, 800)
    while True:
        kind = "window" if is_outer and own.random() < 0.8 else "door"
        width = own.choice([1010, 1260, 1510, 2010]) if kind == "window" else own.choice([760, 885, 885, 1010])
        if at + width > wall.length - 450:
            return
        wall.openings.append((kind, at, at + width))
        at += width + own.uniform(900, 3500) + (0 if is_outer else 1800)


class Sheet:
    """A picture in the making: millimetres of the plan become pixels, three times as many as in the end."""

    FINE = 3

    def __init__(self, plan, longest, manner, turn):
        self.random, self.manner = plan.random, manner
        margin = 2600
        wide, deep = plan.size[0] + 2 * margin, plan.size[1] + 2 * margin
        self.scale = longest / max(wide, deep)
        self.size = (round(wide * self.scale), round(deep * self.scale))
        self.margin, self.turn = margin, math.radians(turn)
        self.image = Image.new("L", (self.size[0] * self.FINE, self.size[1] * self.FINE), 255)
        self.draw = ImageDraw.Draw(self.image)
        self.thin = max(1.0, longest / 1500)
        self.thick = self.thin * 1.8

    def pixel(self, point):
        """The place of a point of the plan on the picture, turned about its middle."""
        x, y = ((c + self.margin) * self.scale - s / 2 for c, s in zip(point, self.size))
        cos, sin = math.cos(self.turn), math.sin(self.turn)
        return (x * cos - y * sin + self.size[0] / 2, x * sin + y * cos + self.size[1] / 2)

    def fine(self, points):
        return [tuple(c * self.FINE for c in self.pixel(point)) for point in points]

    def line(self, points, width=None, grey=0):
        points = list(points)
        if self.manner == "sketch":
            points = self.by_hand(points)
        wide = max(1, round((width or self.thin) * self.FINE))
        self.draw.line(self.fine(points), fill=grey, width=wide, joint="curve")

    def by_hand(self, points):
        """Lines that waver and run over their ends a little."""
        out = []
        for a, b in zip(points, points[1:]):
            length = math.dist(a, b)
            if length < 1:
                continue
            n = max(2, int(length / 250))
            phase, sway = self.random.uniform(0, 6.3), self.random.uniform(0.4, 1.2) / self.scale
            over = self.random.uniform(0, 40)
            u = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
            for k in range(n + 1):
                t = k / n * (length + 2 * over) - over
                aside = sway * math.sin(phase + t / 900) + self.random.gauss(0, 0.25) / self.scale
                out.append((a[0] + u[0] * t - u[1] * aside, a[1] + u[1] * t + u[0] * aside))
        return out

    def fill(self, shape, grey):
        for part in getattr(shape, "geoms", [shape]):
            if part.geom_type != "Polygon":
                continue
            self.draw.polygon(self.fine(part.exterior.coords), fill=grey)
            for hole in part.interiors:
                self.draw.polygon(self.fine(hole.coords), fill=255)

    def outline(self, shape, width):
        for part in getattr(shape, "geoms", [shape]):
            if part.geom_type == "Polygon":
                for ring in [part.exterior, *part.interiors]:
                    self.line(ring.coords, width)

    def hatch(self, shape, spacing, angle, width=None):
        x0, y0, x1, y1 = shape.bounds
        middle, reach = ((x0 + x1) / 2, (y0 + y1) / 2), math.hypot(x1 - x0, y1 - y0)
        n = int(reach / spacing)
        for k in range(-n, n + 1):
            y = middle[1] + k * spacing
            own = affinity.rotate(LineString([(middle[0] - reach, y), (middle[0] + reach, y)]), angle, origin=middle)
            cut = own.intersection(shape)
            for part in getattr(cut, "geoms", [cut]):
                if part.geom_type == "LineString" and part.length > 1:
                    self.line(part.coords, width)

    def arc(self, centre, radius, start, end, width=None):
        n = 24
        turns = [math.radians(start + (end - start) * k / n) for k in range(n + 1)]
        points = [(centre[0] + radius * math.cos(t), centre[1] + radius * math.sin(t)) for t in turns]
        if self.manner == "sketch":
            self.draw.line(self.fine(points), fill=0, width=max(1, round((width or self.thin) * self.FINE)), joint="curve")
        else:
            self.line(points, width)

    def text(self, words, at, height_mm, upright=False):
        size = max(7, height_mm * self.scale) * self.FINE
        font = ImageFont.load_default(size)
        left, top, right, bottom = font.getbbox(words)
        tile = Image.new("L", (int(right - left) + 8, int(bottom - top) + 8), 255)
        ImageDraw.Draw(tile).text((4 - left, 4 - top), words, fill=0, font=font)
        tile = tile.rotate(-math.degrees(self.turn) + (90 if upright else 0), expand=True, fillcolor=255)
        x, y = (c * self.FINE for c in self.pixel(at))
        place = (round(x - tile.width / 2), round(y - tile.height / 2))
        under = self.image.crop((*place, place[0] + tile.width, place[1] + tile.height))
        self.image.paste(Image.fromarray(numpy.minimum(numpy.asarray(under), numpy.asarray(tile))), place)


def draw(plan, longest, manner, turn=0.0, rich=True):
    """The picture of a plan, and its walls as axes in pixels."""
    sheet = Sheet(plan, longest, manner, turn)
    solid = unary_union([wall.strip(extend=wall.thickness / 2 if wall.thickness > 0 else 0) for wall in plan.walls])
    # cut corners stick out where walls meet at an angle
    solid = solid.intersection(unary_union([room.buffer(max(w.thickness for w in plan.walls) / 2, join_style="mitre") for room in plan.rooms]))
    for wall in plan.walls:
        for _, start, end in wall.openings:
            solid = solid.difference(wall.strip(start, end, wall.thickness * 1.2))
    if rich:
        floors(sheet, plan)
    if manner == "filled":
        sheet.fill(solid, 0)
    elif manner == "grey":
        sheet.fill(solid, 190)
        sheet.outline(solid, sheet.thick)
    elif manner == "hatched":
        sheet.outline(solid, sheet.thick)
        sheet.hatch(solid, max(90.0, 6 / sheet.scale), 45, sheet.thin)
    elif manner == "double":
        sheet.outline(solid, sheet.thin)
    elif manner == "pen":
        sheet.outline(solid, sheet.thin * 2.6)
    elif manner == "sketch":
        for wall in plan.walls:
            at = 0.0
            for _, start, end in [*wall.openings, ("", wall.length, wall.length)]:
                if start - at > 50:
                    sheet.line([wall.at(at), wall.at(start)], sheet.thick * 1.5)
                at = end
    for wall in plan.walls:
        for kind, start, end in wall.openings:
            opening(sheet, wall, kind, start, end)
    if rich:
        furnish(sheet, plan)
        dimensions(sheet, plan)
    image = sheet.image.resize(sheet.size, Image.Resampling.BOX)
    walls = [(sheet.pixel(wall.start), sheet.pixel(wall.end), wall.thickness * sheet.scale) for wall in plan.walls]
    return image, walls, sheet.scale


def opening(sheet, wall, kind, start, end):
    a, b = wall.at(start), wall.at(end)
    u = ((b[0] - a[0]) / (end - start), (b[1] - a[1]) / (end - start))
    across = (-u[1], u[0])

    def shift(point, aside):
        return (point[0] + across[0] * aside, point[1] + across[1] * aside)

    if kind == "window":
        asides = [-wall.thickness / 2, 0, wall.thickness / 2] if sheet.manner != "sketch" else [-60, 60]
        for aside in asides:
            sheet.line([shift(a, aside), shift(b, aside)], sheet.thin)
        return
    width = end - start
    turn = math.degrees(math.atan2(u[1], u[0]))
    sheet.line([a, shift(a, width)], sheet.thin * 1.2)
    sheet.arc(a, width, turn, turn + 90)


def floors(sheet, plan):
    """Tiles in a room, steps in another."""
    own = sheet.random
    for n, room in enumerate(plan.rooms):
        inside = room.buffer(-250)
        if inside.is_empty or inside.geom_type != "Polygon":
            continue
        if n == 0 and sheet.manner != "sketch":
            sheet.hatch(inside, 300, 0, sheet.thin * 0.8)
            sheet.hatch(inside, 300, 90, sheet.thin * 0.8)
        if n == 1:
            x0, y0, x1, y1 = inside.bounds
            if x1 - x0 > 2600 and y1 - y0 > 1100:
                for k in range(9):
                    sheet.line([(x0 + 100 + k * 270, y0), (x0 + 100 + k * 270, y0 + 1000)], sheet.thin)
                sheet.line([(x0 + 100, y0 + 1000), (x0 + 100 + 8 * 270, y0 + 1000)], sheet.thin)
        own.random()


def furnish(sheet, plan):
    own = sheet.random
    for n, room in enumerate(plan.rooms):
        inside = room.buffer(-350)
        x, y = room.representative_point().coords[0]
        sheet.text(own.choice(["Living", "Kitchen", "Bath", "Bedroom 2", "Hall", "Office"]), (x, y), 260)
        sheet.text(f"{room.area / 1e6:.2f} m2", (x, y + 420), 200)
        if n < 2 or inside.is_empty or inside.geom_type != "Polygon":
            continue
        x0, y0, x1, y1 = inside.bounds
        kind = own.choice(["bed", "table", "sofa", "counter"])
        if kind == "bed" and x1 - x0 > 2200 and y1 - y0 > 2600:
            frame = box(x0, y0, x0 + 1800, y0 + 2000)
            if inside.contains(frame):
                sheet.line(frame.exterior.coords, sheet.thin)
                for k in (0, 1):
                    sheet.line(box(x0 + 100 + 850 * k, y0 + 80, x0 + 850 + 850 * k, y0 + 480).exterior.coords, sheet.thin)
        if kind == "table":
            frame = box(x1 - 1600, y1 - 900, x1 - 100, y1 - 100)
            if inside.contains(frame):
                sheet.line(frame.exterior.coords, sheet.thin)
                sheet.arc((x1 - 850, y1 - 1050), 180, 0, 360)
        if kind == "sofa":
            frame = box(x0, y1 - 900, x0 + 2000, y1)
            if inside.contains(frame):
                sheet.line(frame.exterior.coords, sheet.thin)
                sheet.line(box(x0 + 150, y1 - 900, x0 + 1850, y1 - 200).exterior.coords, sheet.thin)
        if kind == "counter":
            frame = box(x0, y0, x1, y0 + 600)
            if inside.contains(frame):
                sheet.line(frame.exterior.coords, sheet.thin)
                sheet.arc((x0 + 500, y0 + 300), 170, 0, 360)


def dimensions(sheet, plan):
    wide, deep = plan.size
    for points, upright in ([(0, -1200), (wide, -1200)], False), ([(-1200, 0), (-1200, deep)], True):
        sheet.line(points, sheet.thin)
        for x, y in points:
            sheet.line([(x - 120, y + 120), (x + 120, y - 120)], sheet.thin * 1.6)
            ahead = (x, y + 800) if not upright else (x + 800, y)
            behind = (x, y - 150) if not upright else (x - 150, y)
            sheet.line([behind, ahead], sheet.thin)
        middle = ((points[0][0] + points[1][0]) / 2, (points[0][1] + points[1][1]) / 2)
        at = (middle[0], middle[1] - 250) if not upright else (middle[0] - 250, middle[1])
        sheet.text(f"{(deep if upright else wide) / 1000:.2f}", at, 220, upright)


def distort(image, how, seed):
    """The picture after a bad scan, a copy or a photograph."""
    own = numpy.random.default_rng(seed)
    grey = numpy.asarray(image).astype(float)
    if how == "gaussian":
        grey = grey + own.normal(0, 22, grey.shape)
    elif how == "salt and pepper":
        at = own.random(grey.shape)
        grey = numpy.where(at < 0.015, 0, numpy.where(at > 0.985, 255, grey))
    elif how == "compressed":
        out = io.BytesIO()
        image.save(out, "JPEG", quality=25)
        grey = numpy.asarray(Image.open(io.BytesIO(out.getvalue())).convert("L")).astype(float)
    elif how == "uneven light":
        y, x = numpy.mgrid[0 : grey.shape[0], 0 : grey.shape[1]]
        light = 0.45 + 0.5 * numpy.exp(-(((x / grey.shape[1] - 0.3) / 0.6) ** 2) - ((y / grey.shape[0] - 0.35) / 0.7) ** 2)
        grey = (40 + grey * 0.84) * light + own.normal(0, 5, grey.shape)
    elif how == "blurred":
        grey = numpy.asarray(image.filter(ImageFilter.GaussianBlur(1.4))).astype(float) + own.normal(0, 6, grey.shape)
    elif how == "blueprint":
        grey = 235 - grey * 0.72 + own.normal(0, 6, grey.shape)
    return Image.fromarray(numpy.clip(grey, 0, 255).astype(numpy.uint8))
