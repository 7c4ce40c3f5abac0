"""The plans of `plan_manners` as SVG, as different programs write it."""

import math
from xml.sax.saxutils import escape

from ezdxf.math import bulge_to_arc

# name: the manner of the drawing it is made of, and of the SVG
SVG_MANNERS = {
    "page-mm": ("layers-en", {"size": "mm", "scale": 100}),
    "page-mm-1-to-50": ("layers-de", {"size": "mm", "scale": 50, "labels": True}),
    "page-cm-classes": ("layers-fr", {"size": "cm", "scale": 100, "classes": True}),
    "page-pt": ("layers-es", {"size": "pt", "scale": 100}),
    "full-size": ("layers-it", {"size": "mm", "scale": 1}),
    "pixels-with-dimensions": ("layers-sv", {"size": None, "scale": 20}),
    "transforms": ("layers-nl", {"size": "mm", "scale": 100, "transforms": True}),
    "curves": ("layers-en", {"size": "mm", "scale": 100, "curves": True}),
    "symbols": ("door-blocks-scaled", {"size": "mm", "scale": 100, "use": True}),
    "filled-walls": ("solid-hatch", {"size": "mm", "scale": 100}),
    "thick-strokes": ("wide-polylines", {"size": "mm", "scale": 100}),
    "no-layers": ("all-on-zero", {"size": "mm", "scale": 100, "flat": True}),
    "turned-page": ("turned-30", {"size": "mm", "scale": 200}),
}


def write(doc, unit, scale=100, size="mm", labels=False, classes=False, transforms=False, curves=False, use=False, flat=False):
    """The model space as SVG; `unit` is the mm of a unit of the drawing, `scale` that of the page."""
    k = unit / scale
    layers = {}
    xs, ys = [], []

    def pt(p):
        x, y = p[0] * k, -p[1] * k
        xs.append(x)
        ys.append(y)
        return x, y

    def num(*values):
        return " ".join(f"{v:.4f}" for v in values)

    def arc_path(c, r, a0, a1, move=True):
        span = (a1 - a0) % 360 or 360
        ends = [(c[0] + r * math.cos(math.radians(a)), c[1] + r * math.sin(math.radians(a))) for a in (a0, a0 + span)]
        p, q = pt(ends[0]), pt(ends[1])
        head = f"M{num(*p)}" if move else ""
        if curves:
            # quarter circles as cubic curves
            parts, n = [], max(1, math.ceil(span / 90))
            step = math.radians(span / n)
            h = 4 / 3 * math.tan(step / 4)
            for j in range(n):
                u, v = math.radians(a0) + j * step, math.radians(a0) + (j + 1) * step
                s, e = (math.cos(u), math.sin(u)), (math.cos(v), math.sin(v))
                ctrl = [(s[0] - h * s[1], s[1] + h * s[0]), (e[0] + h * e[1], e[1] - h * e[0]), e]
                parts.append("C" + " ".join(num(*pt((c[0] + r * x, c[1] + r * y))) for x, y in ctrl))
            return head + "".join(parts)
        return head + f"A{num(r * k, r * k)} 0 {int(span > 180)} 0 {num(*q)}"

    def shapes(entity):
        kind = entity.dxftype()
        if kind == "LINE":
            (x1, y1), (x2, y2) = pt(entity.dxf.start), pt(entity.dxf.end)
            yield f'<line x1="{x1:.4f}" y1="{y1:.4f}" x2="{x2:.4f}" y2="{y2:.4f}"/>'
        elif kind == "ARC":
            yield f'<path d="{arc_path(entity.dxf.center, entity.dxf.radius, entity.dxf.start_angle, entity.dxf.end_angle)}"/>'
        elif kind == "CIRCLE":
            x, y = pt(entity.dxf.center)
            yield f'<circle cx="{x:.4f}" cy="{y:.4f}" r="{entity.dxf.radius * k:.4f}"/>'
        elif kind == "LWPOLYLINE":
            points = [p for p in entity.get_points()]
            width = entity.dxf.get("const_width", 0) * k
            style = f' stroke-width="{width:.4f}"' if width else ""
            if all(p[4] == 0 for p in points):
                tag = "polygon" if entity.closed else "polyline"
                yield f'<{tag} points="{" ".join(",".join(f"{v:.4f}" for v in pt(p)) for p in points)}"{style}/>'
            else:
                d = f"M{num(*pt(points[0]))}"
                for p, q in zip(points, points[1:] + (points[:1] if entity.closed else [])):
                    if p[4]:
                        c, a0, a1, r = bulge_to_arc(p[:2], q[:2], p[4])
                        d += f"A{num(r * k, r * k)} 0 0 {int(p[4] < 0)} {num(*pt(q))}"
                    else:
                        d += f"L{num(*pt(q))}"
                yield f'<path d="{d}"/>'
        elif kind == "HATCH":
            d = "".join("M" + "L".join(num(*pt(v)) for v in path.vertices) + "Z" for path in entity.paths)
            yield f'<path fill="#888" stroke="none" fill-rule="evenodd" d="{d}"/>'
        elif kind == "TEXT":
            x, y = pt(entity.get_placement()[1] or entity.dxf.insert)
            size_ = entity.dxf.height * k / 0.7
            turn = f' transform="rotate({-entity.dxf.rotation:.3f} {x:.3f} {y:.3f})"' if entity.dxf.rotation else ""
            yield f'<text x="{x:.4f}" y="{y:.4f}" font-size="{size_:.3f}" text-anchor="middle" fill="#000" stroke="none"{turn}>{escape(entity.dxf.text)}</text>'
        elif kind == "MTEXT":
            x, y = pt(entity.dxf.insert)
            angle = entity.get_rotation()
            turn = f' transform="rotate({-angle:.3f} {x:.3f} {y:.3f})"' if angle else ""
            yield f'<text x="{x:.4f}" y="{y:.4f}" font-size="{entity.dxf.char_height * k / 0.7:.3f}" text-anchor="middle" fill="#000" stroke="none"{turn}>{escape(entity.plain_text())}</text>'

    blocks = {}

    def put(entity):
        layer = entity.dxf.layer
        if entity.dxftype() == "DIMENSION":
            for part in entity.virtual_entities():
                layers.setdefault(layer, []).extend(shapes(part))
        elif entity.dxftype() == "INSERT" and use:
            name = entity.dxf.name
            if name not in blocks:
                count = len(xs)
                blocks[name] = [shape for part in doc.blocks[name] for shape in shapes(part)]
                del xs[count:], ys[count:]
            x, y = pt(entity.dxf.insert)
            where = f"translate({x:.4f} {y:.4f}) rotate({-entity.dxf.rotation:.4f}) scale({entity.dxf.xscale:.6f} {entity.dxf.yscale:.6f})"
            layers.setdefault(layer, []).append(f'<use href="#{name}" transform="{where}"/>')
        elif entity.dxftype() == "INSERT":
            for part in entity.virtual_entities():
                layers.setdefault(layer, []).extend(shapes(part))
        else:
            layers.setdefault(layer, []).extend(shapes(entity))

    for entity in doc.modelspace():
        put(entity)
    if size and scale > 1:
        x, y = min(xs), max(ys) + 12
        layers.setdefault("Title", []).append(f'<text x="{x:.2f}" y="{y:.2f}" font-size="5" fill="#000" stroke="none">Plan 1:{scale}</text>')
        ys.append(y)
    x1, y1, w, h = min(xs) - 10, min(ys) - 10, max(xs) - min(xs) + 20, max(ys) - min(ys) + 20
    factor = {"mm": 1, "cm": 0.1, "pt": 72 / 25.4, None: 1}[size]
    out = ['<?xml version="1.0" encoding="UTF-8"?>']
    out.append(f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="{w * factor:.3f}{size or ""}" height="{h * factor:.3f}{size or ""}" viewBox="{x1:.4f} {y1:.4f} {w:.4f} {h:.4f}">')
    out.append(f'<rect x="{x1:.4f}" y="{y1:.4f}" width="{w:.4f}" height="{h:.4f}" fill="white"/>')
    if classes:
        out.append("<style>.wall{stroke:#000;stroke-width:0.5} .thin, text + line {stroke: #444} g{fill:none;stroke:#000;stroke-width:.25}</style>")
    if blocks:
        out.append("<defs>" + "".join(f'<g id="{name}">{"".join(parts)}</g>' for name, parts in blocks.items()) + "</defs>")
    look = "" if classes else ' fill="none" stroke="#000" stroke-width="0.25"'
    for n, (name, parts) in enumerate(layers.items()):
        name = escape(name, {'"': "&quot;"})
        says = f' inkscape:groupmode="layer" inkscape:label="{name}" id="layer{n}"' if labels else f' id="{name}"'
        if classes:
            says = f' class="{name}"'
        if flat:
            says = ""
        if transforms:
            # there and back again, in several steps
            out.append(f'<g{says}{look} transform="translate(30 -20) rotate(90)"><g transform="rotate(-90) translate(-30,20)"><g transform="matrix(.5 0 0 .5 0 0)"><g transform="scale(2)">{"".join(parts)}</g></g></g></g>')
        else:
            out.append(f"<g{says}{look}>{''.join(parts)}</g>")
    out.append("</svg>")
    return "\n".join(out)
