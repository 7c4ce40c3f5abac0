"""The modeller at work on a file: writes instances with ids, owner history, units and contexts as the file has them.

It knows how IFC is written, not what a wall is; the modules beside it do. Lengths are in mm, and rounded to a billionth of
the file's unit, so that what was given as 7000 mm is stored as 7 and compares equal to it.
"""

import functools
import math

import ifcopenshell.util.element
import ifcopenshell.util.placement
import ifcopenshell.util.unit
import numpy

from .fault import constraint
from .outlines import bounds

ORGANISATION = "Pensaer"
VERSION = "0.1.0"
#: The method of measurement that the standard asks of its base quantities.
METHOD = "BaseQuantities"
#: The description that tells quantity sets written here from those of other programs; older versions had it as their method.
COMPUTED = "Computed by Pensaer from the element's parameters"

_QUANTITIES = {
    "length": ("IfcQuantityLength", "LengthValue"),
    "area": ("IfcQuantityArea", "AreaValue"),
    "volume": ("IfcQuantityVolume", "VolumeValue"),
}


def tidy(value):
    """A number rounded to a billionth."""
    rounded = round(float(value), 9)
    return 0.0 if rounded == 0 else rounded


def frame_at(origin, x_axis=(1.0, 0.0)):
    """A frame in plan: its origin, and the direction of its x; z is up."""
    x, y = x_axis
    frame = numpy.eye(4)
    frame[:3, 0] = (x, y, 0)
    frame[:3, 1] = (-y, x, 0)
    frame[:3, 3] = origin
    return frame


def into(frame, point):
    """A point of the world, seen from a frame."""
    return (numpy.linalg.inv(frame) @ (*point, 1.0))[:3]


def out_of(frame, point):
    """A point of a frame, in the world."""
    return (frame @ (*point, 1.0))[:3]


class Author:
    """One modeller, one call."""

    def __init__(self, model, guids, call):
        self.model = model
        self.guids = guids
        self.call = call
        self._owner = None

    def forget_units(self):
        """Has the file's units read again, after a project was given them."""
        for name in ("length_mm", "area_mm2", "volume_mm3"):
            vars(self).pop(name, None)

    def _scale(self, kind):
        try:
            return ifcopenshell.util.unit.calculate_unit_scale(self.model, kind)
        except Exception:  # a file without a project has no units, and is written in SI
            return 1.0

    # read when first asked for: many calls, most scripts among them, need none of them

    @functools.cached_property
    def length_mm(self):
        """Millimetres in the file's unit of length."""
        return self._scale("LENGTHUNIT") * 1000

    @functools.cached_property
    def area_mm2(self):
        """Square millimetres in the file's unit of area."""
        return self._scale("AREAUNIT") * 1e6

    @functools.cached_property
    def volume_mm3(self):
        """Cubic millimetres in the file's unit of volume."""
        return self._scale("VOLUMEUNIT") * 1e9

    @property
    def legacy(self):
        """Whether the schema is IFC2X3, where several things are written another way."""
        return self.model.schema == "IFC2X3"

    @property
    def is_latest(self):
        """Whether the schema is IFC4X3, which deprecates several things."""
        return self.model.schema == "IFC4X3"

    def length(self, value):
        """A length in mm, in the file's unit."""
        return tidy(value / self.length_mm)

    # --- instances -----------------------------------------------------------------------------------------------

    def create(self, ifc_class, **attributes):
        """An instance by attribute names."""
        try:
            return self.model.create_entity(ifc_class, **attributes)
        except (RuntimeError, TypeError, ValueError, AttributeError) as error:
            raise constraint(f"The schema does not allow this {ifc_class}: {error}.") from error

    def root(self, ifc_class, name=None, **attributes):
        """An instance that has a GlobalId and an owner."""
        if name is not None:
            attributes["Name"] = name
        return self.create(ifc_class, GlobalId=self.guids.next(), OwnerHistory=self.owner(), **attributes)

    def has_attribute(self, ifc_class, attribute):
        """Whether a class has an attribute in this file's schema."""
        declaration = self.model_schema().declaration_by_name(ifc_class).as_entity()
        return attribute in {a.name() for a in declaration.all_attributes()}

    def model_schema(self):
        """The schema's declarations."""
        return ifcopenshell.schema_by_name(self.model.schema_identifier)

    def owner(self):
        """The owner history of what this call adds, written once."""
        if self._owner is None:
            name = self.call.actor.principal or "unknown"
            key = "Id" if self.legacy else "Identification"
            pairs = self.model.by_type("IfcPersonAndOrganization")
            known = [
                pair
                for pair in pairs
                if getattr(pair.ThePerson, key) == name and pair.TheOrganization.Name == ORGANISATION
            ]
            user = known[0] if known else None
            if user is None:
                person = self.create("IfcPerson", **{key: name, "FamilyName": name})
                user = self.create(
                    "IfcPersonAndOrganization", ThePerson=person, TheOrganization=self._organisation()
                )
            seconds = self.call.time_ms // 1000
            self._owner = self.create(
                "IfcOwnerHistory",
                OwningUser=user,
                OwningApplication=self._application(),
                ChangeAction="ADDED",
                LastModifiedDate=seconds,
                CreationDate=seconds,
            )
        return self._owner

    def _organisation(self):
        known = [o for o in self.model.by_type("IfcOrganization") if o.Name == ORGANISATION]
        return known[0] if known else self.create("IfcOrganization", Name=ORGANISATION)

    def _application(self):
        for known in self.model.by_type("IfcApplication"):
            if (known.ApplicationIdentifier, known.Version) == (ORGANISATION, VERSION):
                return known
        return self.create(
            "IfcApplication",
            ApplicationDeveloper=self._organisation(),
            Version=VERSION,
            ApplicationFullName=ORGANISATION,
            ApplicationIdentifier=ORGANISATION,
        )

    # --- placements ----------------------------------------------------------------------------------------------

    def point(self, coordinates):
        """A point, in two or three dimensions."""
        return self.create("IfcCartesianPoint", Coordinates=tuple(self.length(c) for c in coordinates))

    def _direction(self, ratios):
        near = [next((w for w in (-1.0, 0.0, 1.0) if abs(c - w) < 1e-14), float(c)) for c in ratios]
        return self.create("IfcDirection", DirectionRatios=tuple(near))

    def axes(self, frame):
        """A placement in space; directions are left out where they are the default."""
        attributes = {"Location": self.point(frame[:3, 3])}
        if not numpy.allclose(frame[:3, :3], numpy.eye(3), atol=1e-12):
            attributes["Axis"] = self._direction(frame[:3, 2])
            attributes["RefDirection"] = self._direction(frame[:3, 0])
        return self.create("IfcAxis2Placement3D", **attributes)

    def placement(self, within, frame):
        """A local placement within another."""
        return self.create("IfcLocalPlacement", PlacementRelTo=within, RelativePlacement=self.axes(frame))

    def frame(self, element):
        """The frame of an element in the world, in mm."""
        placement = getattr(element, "ObjectPlacement", None)
        if placement is None:
            return numpy.eye(4)
        frame = numpy.array(ifcopenshell.util.placement.get_local_placement(placement), dtype=float)
        frame[:3, 3] *= self.length_mm
        return frame

    def place(self, element, frame):
        """Moves an element to a frame in the world. What is placed within it moves along."""
        old = element.ObjectPlacement
        within = getattr(old, "PlacementRelTo", None)
        base = numpy.eye(4)
        if within is not None:
            base = numpy.array(ifcopenshell.util.placement.get_local_placement(within), dtype=float)
            base[:3, 3] *= self.length_mm
        local = numpy.linalg.inv(base) @ frame
        local[numpy.abs(local) < 1e-12] = 0
        if old is not None and old.is_a("IfcLocalPlacement"):
            before = old.RelativePlacement
            old.RelativePlacement = self.axes(local)
            self.sweep([before])
        else:
            element.ObjectPlacement = self.placement(within, local)

    # --- shapes --------------------------------------------------------------------------------------------------

    def context(self, identifier):
        """The context of representations of this kind: the file's own subcontext, else its model context."""
        for context in self.model.by_type("IfcGeometricRepresentationSubContext"):
            if context.ContextIdentifier == identifier and context.ParentContext.ContextType in (None, "Model"):
                return context
        whole = self.model.by_type("IfcGeometricRepresentationContext", include_subtypes=False)
        for context in [c for c in whole if (c.ContextType or "").lower() == "model"] + list(whole):
            return context
        raise constraint(
            "This model has no geometric context, so nothing can be drawn in it. Make a model with create_project."
        )

    def polyline(self, points, closed=False):
        """A line through points in plan."""
        ids = [self.point(point) for point in points]
        return self.create("IfcPolyline", Points=ids + ids[:1] if closed else ids)

    def profile(self, outline, holes=()):
        """A profile of straight edges; a rectangle along the axes is written as one."""
        low, high = bounds(outline)
        corners = {(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])}
        turns = all(a[0] == b[0] or a[1] == b[1] for a, b in zip(outline, outline[1:]))
        if not holes and len(outline) == 4 and turns and set(map(tuple, outline)) == corners:
            centre = self.point([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2])
            return self.create(
                "IfcRectangleProfileDef",
                ProfileType="AREA",
                Position=self.create("IfcAxis2Placement2D", Location=centre),
                XDim=self.length(high[0] - low[0]),
                YDim=self.length(high[1] - low[1]),
            )
        outer = self.polyline(outline, closed=True)
        if not holes:
            return self.create("IfcArbitraryClosedProfileDef", ProfileType="AREA", OuterCurve=outer)
        inner = [self.polyline(hole, closed=True) for hole in holes]
        return self.create(
            "IfcArbitraryProfileDefWithVoids", ProfileType="AREA", OuterCurve=outer, InnerCurves=inner
        )

    def extrusion(self, frame, outline, depth, holes=()):
        """A solid: the outline in the frame's plane, extruded along its z."""
        return self.create(
            "IfcExtrudedAreaSolid",
            SweptArea=self.profile(outline, holes),
            Position=self.axes(frame),
            ExtrudedDirection=self._direction((0.0, 0.0, 1.0)),
            Depth=self.length(depth),
        )

    def upright(self, outline, base, height):
        """A solid standing on an outline in plan."""
        return self.extrusion(frame_at((0, 0, base)), outline, height)

    def representation(self, identifier, kind, items):
        """A representation of any kind."""
        return self.create(
            "IfcShapeRepresentation",
            ContextOfItems=self.context(identifier),
            RepresentationIdentifier=identifier,
            RepresentationType=kind,
            Items=items,
        )

    def body(self, solids):
        """A representation of solids."""
        return self.representation("Body", "SweptSolid", solids)

    def axis(self, start, end):
        """The representation of an axis."""
        return self.representation("Axis", "Curve2D", [self.polyline([start, end])])

    def shape(self, representations):
        """The shape of a product."""
        return self.create("IfcProductDefinitionShape", Representations=representations)

    def draw(self, element, new):
        """Puts a representation in the place of the one of the same kind; what only that used goes."""
        shape = element.Representation
        if shape is None:
            element.Representation = self.shape([new])
            return
        kind = new.RepresentationIdentifier
        old = [r for r in shape.Representations if r.RepresentationIdentifier == kind]
        shape.Representations = [r for r in shape.Representations if r not in old] + [new]
        self.sweep(old)

    # --- relations -----------------------------------------------------------------------------------------------

    def join(self, relation_class, one, whole, many, member):
        """Adds a member to the relation of a whole, which is made if there is none."""
        for relation in self.model.get_inverse(whole):
            if relation.is_a() == relation_class and getattr(relation, one) == whole:
                setattr(relation, many, [*getattr(relation, many), member])
                return relation
        return self.root(relation_class, **{one: whole, many: [member]})

    def contain(self, storey, element):
        """Puts an element into a storey."""
        self.join(
            "IfcRelContainedInSpatialStructure", "RelatingStructure", storey, "RelatedElements", element
        )

    def aggregate(self, whole, part):
        """Makes one thing part of another."""
        self.join("IfcRelAggregates", "RelatingObject", whole, "RelatedObjects", part)

    def type_as(self, kind, element):
        """Gives an element its type."""
        self.join("IfcRelDefinesByType", "RelatingType", kind, "RelatedObjects", element)

    def make_of(self, material, element):
        """Says what an element is made of."""
        self.join("IfcRelAssociatesMaterial", "RelatingMaterial", material, "RelatedObjects", element)

    def leave(self, element, relation_class):
        """Takes an element out of its relations of a class; they go where nothing is left in them."""
        for relation in list(self.model.get_inverse(element)):
            if not relation.is_a(relation_class):
                continue
            left = [other for other in relation.RelatedObjects if other != element]
            if left:
                relation.RelatedObjects = left
            else:
                used = getattr(relation, "RelatingMaterial", None)
                self.model.remove(relation)
                if used is not None and not used.is_a("IfcRoot"):
                    self.sweep([used])

    # --- types, materials, sets ----------------------------------------------------------------------------------

    def kind(self, ifc_class, name, **attributes):
        """The type of this class and name, written if the file has none like it."""
        for known in self.model.by_type(ifc_class, include_subtypes=False):
            if known.Name == name and all(getattr(known, a) == v for a, v in attributes.items()):
                return known
        return self.root(ifc_class, name, **attributes)

    def layered(self, element, ifc_class, title, predefined, material, thickness, direction, offset):
        """Gives an element the type and the layer of one kind and thickness, reused wherever they fit."""
        layers = self._layer_set(title, material, self.length(thickness))
        kind = self.kind(ifc_class, title, PredefinedType=predefined)
        if not any(r.is_a("IfcRelAssociatesMaterial") for r in self.model.get_inverse(kind)):
            self.make_of(layers, kind)
        self.type_as(kind, element)
        offset = self.length(offset)
        for usage in self.model.get_inverse(layers):
            if usage.is_a("IfcMaterialLayerSetUsage") and (
                usage.LayerSetDirection,
                usage.DirectionSense,
                usage.OffsetFromReferenceLine,
            ) == (direction, "POSITIVE", offset):
                break
        else:
            usage = self.create(
                "IfcMaterialLayerSetUsage",
                ForLayerSet=layers,
                LayerSetDirection=direction,
                DirectionSense="POSITIVE",
                OffsetFromReferenceLine=offset,
            )
        self.make_of(usage, element)

    def _layer_set(self, name, material, thickness):
        for known in self.model.by_type("IfcMaterialLayerSet"):
            layers = known.MaterialLayers
            if known.LayerSetName == name and len(layers) == 1 and layers[0].LayerThickness == thickness:
                if layers[0].Material is not None and layers[0].Material.Name == material:
                    return known
        known = [m for m in self.model.by_type("IfcMaterial") if m.Name == material]
        made_of = known[0] if known else self.create("IfcMaterial", Name=material)
        layer = self.create("IfcMaterialLayer", Material=made_of, LayerThickness=thickness)
        return self.create("IfcMaterialLayerSet", MaterialLayers=[layer], LayerSetName=name)

    def own_set(self, element, name):
        """The property or quantity set of this name that belongs to this element and to no other."""
        for relation in self.model.get_inverse(element):
            if relation.is_a("IfcRelDefinesByProperties") and len(relation.RelatedObjects) == 1:
                found = relation.RelatingPropertyDefinition
                alone = sum(r.is_a("IfcRelDefinesByProperties") for r in self.model.get_inverse(found)) == 1
                if alone and found.Name == name:
                    return found
        return None

    def define(self, element, new_set):
        """Ties a property or quantity set to an element."""
        self.root("IfcRelDefinesByProperties", RelatedObjects=[element], RelatingPropertyDefinition=new_set)

    def describe(self, element, name, **properties):
        """Writes a property set of single values, or adds to the one that only this element has."""
        existing = self.own_set(element, name)
        members = list(existing.HasProperties) if existing else []
        for key, (kind, value) in properties.items():
            value = self.model.create_entity(kind, value)
            known = next((m for m in members if m.Name == key), None)
            if known is not None:
                known.NominalValue = value
            else:
                members.append(self.create("IfcPropertySingleValue", Name=key, NominalValue=value))
        if existing:
            existing.HasProperties = members
        else:
            self.define(element, self.root("IfcPropertySet", name, HasProperties=members))

    def quantify(self, element, name, quantities):
        """Writes a set of quantities: `{name: (kind, value in mm, mm² or mm³)}`. Names no longer given are taken away."""
        existing = self.own_set(element, name)
        members = list(existing.Quantities) if existing else []
        kept = []
        for key, (kind, value) in quantities.items():
            if self.is_latest:
                key = key.replace("FootprintArea", "FootPrintArea")
            ifc_class, attribute = _QUANTITIES[kind]
            per = {"length": self.length_mm, "area": self.area_mm2, "volume": self.volume_mm3}[kind]
            value = tidy(value / per)
            known = next((m for m in members if m.Name == key and m.is_a() == ifc_class), None)
            if known is None:
                kept.append(self.create(ifc_class, **{"Name": key, attribute: value}))
                continue
            if getattr(known, attribute) != value:
                setattr(known, attribute, value)
            kept.append(known)
        if existing is None:
            made = self.root(
                "IfcElementQuantity", name, Description=COMPUTED, MethodOfMeasurement=METHOD, Quantities=kept
            )
            self.define(element, made)
        elif kept != members:
            existing.Quantities = kept
            self.sweep([m for m in members if m not in kept])

    def drop_set(self, element, name):
        """Takes away a set that only this element has."""
        if (existing := self.own_set(element, name)) is None:
            return
        for relation in list(self.model.get_inverse(existing)):
            self.model.remove(relation)
        self.sweep([existing])

    def is_ours(self, element, name):
        """Whether an element carries a quantity set that was computed here, and so has to be kept current."""
        found = self.own_set(element, name)
        return found is not None and COMPUTED in (found.Description, getattr(found, "MethodOfMeasurement", None))

    def quantities(self, element, name):
        """The quantities of an element in one set as they stand in the file: `{name: {value, unit}}`."""
        units = {"Length": self.unit_label("LENGTHUNIT"), "Area": self.unit_label("AREAUNIT")}
        units["Volume"] = self.unit_label("VOLUMEUNIT")
        found = {}
        for relation in self.model.get_inverse(element):
            if not relation.is_a("IfcRelDefinesByProperties"):
                continue
            definition = relation.RelatingPropertyDefinition
            if definition.Name != name or not definition.is_a("IfcElementQuantity"):
                continue
            for quantity in definition.Quantities or ():
                kind = quantity.is_a().removeprefix("IfcQuantity")
                if kind in units:
                    found[quantity.Name] = {"value": quantity[3], "unit": units[kind]}
        return dict(sorted(found.items()))

    def unit_label(self, kind):
        """A unit of the file as people write it, such as mm or m²."""
        unit = ifcopenshell.util.unit.get_project_unit(self.model, kind)
        plain = {"LENGTHUNIT": "m", "AREAUNIT": "m²", "VOLUMEUNIT": "m³"}[kind]
        if unit is not None and not unit.is_a("IfcSIUnit"):
            return unit.Name
        prefixes = {"MILLI": "m", "CENTI": "c", "DECI": "d", "KILO": "k"}
        return prefixes.get(getattr(unit, "Prefix", None), "") + plain

    # --- taking away ---------------------------------------------------------------------------------------------

    def sweep(self, instances):
        """Removes instances that nothing refers to any more, and what only they used. Things with a GlobalId stay, save
        property sets; so do contexts, owners and units."""
        queue = [instance for instance in instances if instance is not None]
        kept = ("IfcRepresentationContext", "IfcOwnerHistory", "IfcNamedUnit", "IfcMaterial")
        seen_ids = set()
        while queue:
            instance = queue.pop()
            number = instance.id()
            if not number or number in seen_ids:
                continue
            is_set = instance.is_a("IfcPropertySetDefinition")
            if any(instance.is_a(c) for c in kept) or (instance.is_a("IfcRoot") and not is_set):
                continue
            if self.model.get_total_inverses(instance) > 0:
                continue
            seen_ids.add(number)
            used = [u for u in self.model.traverse(instance, max_levels=1) if u != instance and u.id()]
            self.model.remove(instance)
            queue.extend(used)

    def angle(self, start, end):
        """The unit vector from one point to another; `None` where they touch."""
        length = math.dist(start, end)
        return None if length < 1e-9 else ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
