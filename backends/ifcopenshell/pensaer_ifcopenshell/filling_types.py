"""Types of doors and windows: how they open, lining, panels and glass, and by part what they are made of."""

from .outlines import written

#: In mm: depth of a frame, widths of a door's and of a window's as seen, of a casement's part of it and of a bar between panes,
#: depths of leaf and casement, height of a threshold.
DEPTH, DOOR_FRAME, WINDOW_FRAME, CASEMENT, MULLION = 100.0, 50.0, 60.0, 30.0, 50.0
LEAF, CASEMENT_DEPTH, THRESHOLD = 40.0, 70.0, 20.0

_LEFT, _RIGHT, _FIXED, _TOP = "SIDEHUNGLEFTHAND", "SIDEHUNGRIGHTHAND", "FIXEDCASEMENT", "BOTTOMHUNG"
_ALL, _FIRST, _SECOND = (0.0, 1.0), (0.0, 0.5), (0.5, 1.0)
_T = 1 / 3
#: The panes of windows, in parts of what the lining leaves free: across, up, where, how they open.
PANES = {
    "SINGLE_PANEL": [(_ALL, _ALL, "MIDDLE", _RIGHT)],
    "DOUBLE_PANEL_VERTICAL": [(_FIRST, _ALL, "LEFT", _LEFT), (_SECOND, _ALL, "RIGHT", _RIGHT)],
    "DOUBLE_PANEL_HORIZONTAL": [(_ALL, _FIRST, "BOTTOM", _FIXED), (_ALL, _SECOND, "TOP", _TOP)],
    "TRIPLE_PANEL_VERTICAL": [
        ((0.0, _T), _ALL, "LEFT", _LEFT),
        ((_T, 2 * _T), _ALL, "MIDDLE", _FIXED),
        ((2 * _T, 1.0), _ALL, "RIGHT", _RIGHT),
    ],
    "TRIPLE_PANEL_HORIZONTAL": [
        (_ALL, (0.0, _T), "BOTTOM", _FIXED),
        (_ALL, (_T, 2 * _T), "MIDDLE", _FIXED),
        (_ALL, (2 * _T, 1.0), "TOP", _TOP),
    ],
    "TRIPLE_PANEL_BOTTOM": [
        (_ALL, (0.0, _T), "BOTTOM", _FIXED),
        (_FIRST, (_T, 1.0), "LEFT", _LEFT),
        (_SECOND, (_T, 1.0), "RIGHT", _RIGHT),
    ],
    "TRIPLE_PANEL_TOP": [
        (_FIRST, (0.0, 2 * _T), "LEFT", _LEFT),
        (_SECOND, (0.0, 2 * _T), "RIGHT", _RIGHT),
        (_ALL, (2 * _T, 1.0), "TOP", _TOP),
    ],
    "TRIPLE_PANEL_LEFT": [
        ((0.0, _T), _ALL, "LEFT", _LEFT),
        ((_T, 1.0), _FIRST, "BOTTOM", _FIXED),
        ((_T, 1.0), _SECOND, "TOP", _TOP),
    ],
    "TRIPLE_PANEL_RIGHT": [
        ((0.0, 2 * _T), _FIRST, "BOTTOM", _FIXED),
        ((0.0, 2 * _T), _SECOND, "TOP", _TOP),
        ((2 * _T, 1.0), _ALL, "RIGHT", _RIGHT),
    ],
}


def panes(operation):
    """The panes of a window."""
    return PANES.get(operation, PANES["SINGLE_PANEL"])


def leaves(operation):
    """How many leaves a door has, and how they move."""
    if operation.startswith("SWING_FIXED"):
        both = ["SWINGING", "FIXEDPANEL"]
        return both if operation.endswith("LEFT") else both[::-1]
    words = {
        "DOUBLE_SWING": "DOUBLE_ACTING",
        "DOUBLE_DOOR_DOUBLE": "DOUBLE_ACTING",
        "SINGLE_SWING": "SWINGING",
        "DOUBLE_DOOR_SINGLE": "SWINGING",
        "SLIDING": "SLIDING",
        "DOUBLE_DOOR_SLIDING": "SLIDING",
        "FOLDING": "FOLDING",
        "DOUBLE_DOOR_FOLDING": "FOLDING",
        "REVOLVING": "REVOLVING",
        "ROLLINGUP": "ROLLINGUP",
        "DOUBLE_DOOR_LIFTING": "NOTDEFINED",
        "LIFTING": "NOTDEFINED",
    }
    word = next((word for start, word in words.items() if operation.startswith(start)), "FIXEDPANEL")
    number = 2 if operation.startswith("DOUBLE_DOOR") else 1
    return [word] * (number * 2 if word == "FOLDING" else number)


def frames(window, width, height):
    """Widths of the lining and of the frame of each panel, as seen."""
    room = min(width, height) / 8
    if not window:
        return min(DOOR_FRAME, room), 0.0
    whole = min(WINDOW_FRAME, room)
    casement = min(CASEMENT, whole / 2)
    return whole - casement, casement


def title(noun, width, height, wall, threshold):
    """The name of the type of such fillings."""
    parts = [f"{noun} {written(width)} x {written(height)} mm"]
    if min(wall, DEPTH) != DEPTH:
        parts.append(f"depth {written(min(wall, DEPTH))}")
    if threshold:
        parts.append("threshold")
    return ", ".join(parts)


def dress(author, filling, width, height, wall, operation, threshold):
    """Gives a filling the type of its size, which says what it is made of."""
    noun = filling.is_a()[3:]
    name = title(noun, width, height, wall, threshold)
    if author.legacy:
        kind = author.kind(
            f"Ifc{noun}Style",
            name,
            OperationType=operation,
            ConstructionType="WOOD",
            ParameterTakesPrecedence=False,
            Sizeable=False,
        )
    else:
        how = "PartitioningType" if noun == "Window" else "OperationType"
        kind = author.kind(f"Ifc{noun}Type", name, **{"PredefinedType": noun.upper(), how: operation})
    if not kind.HasPropertySets:
        kind.HasPropertySets = _sets(author, noun, width, height, wall, operation, threshold)
        parts = ["Lining", "Framing"] + (["Glazing"] if noun == "Window" else [])
        author.make_of(_made_of(author, parts), kind)
    author.type_as(kind, filling)
    if noun == "Window" and author.legacy:
        # IFC2X3 has this set for occurrences alone
        share = glass_share(width, height, operation)
        author.describe(filling, "Pset_DoorWindowGlazingType", GlassLayers=("IfcCountMeasure", 2))
        author.describe(filling, "Pset_WindowCommon", GlazingAreaFraction=("IfcPositiveRatioMeasure", share))


def cells(width, height, operation):
    """The boxes that the panels of a window take up: x and z of both corners."""
    lining, _ = frames(True, width, height)
    w, h = width - 2 * lining, height - 2 * lining
    bar = min(MULLION, width / 16, height / 16) / 2

    def side(part):
        return bar if 1e-9 < part < 1 - 1e-9 else 0.0

    return [
        (
            lining + x[0] * w + side(x[0]),
            lining + z[0] * h + side(z[0]),
            lining + x[1] * w - side(x[1]),
            lining + z[1] * h - side(z[1]),
        )
        for x, z, _, _ in panes(operation)
    ]


def glass_of(cell, width, height):
    """The glass in a cell."""
    _, casement = frames(True, width, height)
    x0, z0, x1, z1 = cell
    c = min(casement, (x1 - x0) / 4, (z1 - z0) / 4)
    return x0 + c, z0 + c, x1 - c, z1 - c


def glass_share(width, height, operation):
    """The part of a window that is glass."""
    glass = [glass_of(cell, width, height) for cell in cells(width, height, operation)]
    return round(sum((x1 - x0) * (z1 - z0) for x0, z0, x1, z1 in glass) / (width * height), 4)


def _sets(author, noun, width, height, wall, operation, threshold):
    depth, window = min(wall, DEPTH), noun == "Window"
    lining, casement = frames(window, width, height)
    members = {"LiningDepth": depth, "LiningThickness": lining}
    if threshold:
        members |= {"ThresholdDepth": depth, "ThresholdThickness": min(THRESHOLD, height / 8)}
    if window:
        bar = min(MULLION, width / 16, height / 16)
        for word, side in (("Mullion", 0), ("Transom", 1)):
            ends = sorted({round(pane[side][1], 9) for pane in panes(operation)} - {1.0})
            if ends:
                members[f"{word}Thickness"] = bar
            members |= {f"{order}{word}Offset": ("ratio", end) for order, end in zip(("First", "Second"), ends)}
        panels = [
            {
                "OperationType": [how],
                "PanelPosition": [where],
                "FrameDepth": min(CASEMENT_DEPTH, depth),
                "FrameThickness": casement,
            }
            for _, _, where, how in panes(operation)
        ]
    else:
        words = leaves(operation)
        places = ["LEFT"] + ["MIDDLE"] * (len(words) - 2) + ["RIGHT"] if len(words) > 1 else ["MIDDLE"]
        panels = [
            {
                "PanelDepth": depth if word == "ROLLINGUP" else min(LEAF, depth),
                "PanelOperation": [word if author.is_latest or word != "FIXEDPANEL" else "NOTDEFINED"],
                "PanelWidth": ("ratio", 1 / len(words)),
                "PanelPosition": [place],
            }
            for word, place in zip(words, places)
        ]
    if author.is_latest:
        panels = [_together(panels)]
    made = [_set(author, f"{noun}LiningProperties", members)]
    made += [_set(author, f"{noun}PanelProperties", panel) for panel in panels]
    if window and not author.legacy:
        share = glass_share(width, height, operation)
        made.append(_single(author, "Pset_DoorWindowGlazingType", "GlassLayers", "IfcCountMeasure", 2))
        made.append(_single(author, "Pset_WindowCommon", "GlazingAreaFraction", "IfcPositiveRatioMeasure", share))
    return made


def _together(panels):
    """The panels of one type in one set: words that differ stand beside each other."""
    joined = dict(panels[0])
    for panel in panels[1:]:
        for name, value in panel.items():
            if isinstance(value, list):
                joined[name] = joined[name] + [word for word in value if word not in joined[name]]
    return joined


def _single(author, name, key, kind, value):
    value = author.model.create_entity(kind, value)
    member = author.create("IfcPropertySingleValue", Name=key, NominalValue=value)
    return author.root("IfcPropertySet", name, HasProperties=[member])


def _set(author, name, members):
    if not author.is_latest:
        values = {}
        for key, value in members.items():
            if isinstance(value, list):
                values[key] = value[0]
            else:
                values[key] = value[1] if isinstance(value, tuple) else author.length(value)
        return author.root(f"Ifc{name}", **values)
    properties = []
    for key, value in members.items():
        if isinstance(value, list):
            words = [author.model.create_entity("IfcLabel", word) for word in value]
            properties.append(author.create("IfcPropertyEnumeratedValue", Name=key, EnumerationValues=words))
            continue
        if isinstance(value, tuple):
            kind, value = "IfcNormalisedRatioMeasure", value[1]
        else:
            thin = key in ("LiningThickness", "ThresholdThickness", "MullionThickness", "TransomThickness")
            kind = "IfcNonNegativeLengthMeasure" if thin else "IfcPositiveLengthMeasure"
            value = author.length(value)
        value = author.model.create_entity(kind, value)
        properties.append(author.create("IfcPropertySingleValue", Name=key, NominalValue=value))
    return author.root("IfcPropertySet", f"Pset_{name}", HasProperties=properties)


def _made_of(author, parts):
    """The materials by part, reused where the file has them: constituents, in IFC2X3 a list."""

    def material(name):
        known = [m for m in author.model.by_type("IfcMaterial") if m.Name == name]
        return known[0] if known else author.create("IfcMaterial", Name=name)

    materials = {part: material("Glass" if part == "Glazing" else "Timber") for part in parts}
    if author.legacy:
        once = list(dict.fromkeys(materials.values()))
        for known in author.model.by_type("IfcMaterialList"):
            if list(known.Materials) == once:
                return known
        return author.create("IfcMaterialList", Materials=once)
    name = "Timber and glass" if "Glazing" in parts else "Timber"
    for known in author.model.by_type("IfcMaterialConstituentSet"):
        held = [(c.Name, c.Material) for c in known.MaterialConstituents or ()]
        if known.Name == name and sorted(part for part, _ in held) == sorted(parts) and dict(held) == materials:
            return known
    made = [author.create("IfcMaterialConstituent", Name=part, Material=m) for part, m in materials.items()]
    return author.create("IfcMaterialConstituentSet", Name=name, MaterialConstituents=made)
