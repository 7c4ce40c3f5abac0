"""Deleting elements with what depends on them; relations that would be left empty go, and so do placements, shapes and
property sets that nothing else uses."""

import ifcopenshell.util.element

from . import slabs, spaces, walls
from .bodies import filling_of, host_of, opening_of, storey_of
from .fault import constraint
from .lookup import id_of, label


def delete(author, elements, with_contents):
    """Deletes elements and their dependents; answers all of them, those asked for first."""
    order = []
    for element in elements:
        _check(element, with_contents)
        if element not in order:
            order.append(element)
    asked = len(order)
    seen = {element.id() for element in order}
    at = 0
    while at < len(order):
        for dependent in _dependents(order[at], with_contents):
            if dependent.id() not in seen:
                seen.add(dependent.id())
                order.append(dependent)
        at += 1
    deleted = []
    for at, element in enumerate(order):
        entry = {"id": id_of(element), "class": element.is_a()}
        if element.Name:
            entry["name"] = element.Name
        if at >= asked:
            entry["dependent"] = True
        deleted.append(entry)
    hosts, wholes, storeys = _touched(order, seen)
    # parts before wholes, so that no relation is left with an end missing
    for element in reversed(order):
        _remove(author, element)
    for host in hosts:
        (walls if host.is_a("IfcWall") else slabs).requantify(author, host)
    for whole in wholes:
        if author.is_ours(whole, slabs.ROOF_QUANTITIES):
            slabs.quantify_roof(author, whole)
    for storey in storeys:
        spaces.total(author, storey)
    return deleted


def _check(element, with_contents):
    if not element.is_a("IfcProduct"):
        raise constraint(
            f"{label(element)} is an {element.is_a()}; only elements of the building can be deleted.",
            field="element_ids",
        )
    if not with_contents and any(element.is_a(c) for c in ("IfcSite", "IfcBuilding", "IfcBuildingStorey")):
        if held := ifcopenshell.util.element.get_decomposition(element):
            raise constraint(
                f"The {element.is_a()} {label(element)} still holds {len(held)} elements. Delete those first, or pass "
                "with_contents=true to delete everything in it.",
                field="element_ids",
                holds=len(held),
            )


def _dependents(element, with_contents):
    found = [relation.RelatedOpeningElement for relation in getattr(element, "HasOpenings", ())]
    found += [other for other in (filling_of(element), opening_of(element)) if other is not None]
    spatial = element.is_a("IfcSpatialStructureElement")
    if not spatial or with_contents or element.is_a("IfcSpace"):
        found += ifcopenshell.util.element.get_parts(element) or ()
    if spatial and with_contents:
        found += ifcopenshell.util.element.get_contained(element)
    return found


def _touched(order, gone):
    """What has to be computed again once elements are gone."""
    hosts, wholes, storeys = {}, {}, {}

    def note(found, into):
        if found is not None and found.id() not in gone:
            into[found.id()] = found

    for element in order:
        note(host_of(element), hosts)
        if element.is_a("IfcSlab") or element.is_a("IfcSpace"):
            note(storey_of(element), storeys)
            whole = ifcopenshell.util.element.get_aggregate(element)
            note(whole if whole is not None and whole.is_a("IfcRoof") else None, wholes)
        if element.is_a("IfcBuildingStorey"):
            building = ifcopenshell.util.element.get_aggregate(element)
            for other in ifcopenshell.util.element.get_parts(building) if building is not None else ():
                note(other if other.is_a("IfcBuildingStorey") else None, storeys)
    return hosts.values(), wholes.values(), storeys.values()


def _remove(author, element):
    model = author.model
    for relation in list(model.get_inverse(element)):
        if not relation.is_a("IfcRelationship"):
            continue
        used = [u for u in model.traverse(relation, max_levels=1) if u.id() and not u.is_a("IfcObject")]
        used = [u for u in used if u != relation and not u.is_a("IfcTypeObject")]
        attribute, members = _membership(relation, element)
        left = [member for member in members if member != element]
        if attribute is not None and left:
            setattr(relation, attribute, left)
            continue
        model.remove(relation)
        author.sweep(used)
    used = [u for u in model.traverse(element, max_levels=1) if u != element and u.id()]
    model.remove(element)
    author.sweep(used)


def _membership(relation, element):
    """The list attribute of a relation that has this member."""
    for at in range(len(relation)):
        value = relation[at]
        if isinstance(value, tuple) and element in value:
            return relation.attribute_name(at), value
    return None, ()
