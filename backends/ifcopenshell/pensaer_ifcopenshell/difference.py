"""What differs between two files of one history, instance by instance."""

from .lookup import name_of


def diff(base, target, detail):
    """Instances added, removed and modified; with `summary`, how many of each class."""
    before = {instance.id(): instance for instance in base}
    after = {instance.id(): instance for instance in target}
    added = [after[number] for number in sorted(after.keys() - before.keys())]
    removed = [before[number] for number in sorted(before.keys() - after.keys())]
    modified = []
    for number in sorted(after.keys() & before.keys()):
        old, new = before[number], after[number]
        if old.to_string(True) != new.to_string(True):
            modified.append((old, new))
    if detail == "summary":
        parts = {"added": added, "removed": removed, "modified": [new for _, new in modified]}
        counts = {name: _by_class(instances) for name, instances in parts.items()}
        total = len(added) + len(removed) + len(modified)
        return {name: count for name, count in counts.items() if count} | {"instances": total}
    return {
        "added": [_entity(instance) for instance in added],
        "removed": [_entity(instance) for instance in removed],
        "modified": [_entity(new) | {"changes": _attributes(old, new)} for old, new in modified],
    }


def _by_class(instances):
    counts = {}
    for instance in instances:
        if instance.is_a("IfcObjectDefinition"):
            counts[instance.is_a()] = counts.get(instance.is_a(), 0) + 1
    return dict(sorted(counts.items()))


def _entity(instance):
    entity = {"id": instance.id()}
    if (global_id := getattr(instance, "GlobalId", None)) is not None:
        entity["global_id"] = global_id
    entity["class"] = instance.is_a()
    if (name := name_of(instance)) is not None:
        entity["name"] = name
    return entity


def _attributes(old, new):
    if old.is_a() != new.is_a():
        return [{"attribute": "class", "before": old.is_a(), "after": new.is_a()}]
    changes = []
    for at in range(len(new)):
        before, after = _plain(old[at]), _plain(new[at])
        if before != after:
            changes.append({"attribute": new.attribute_name(at), "before": before, "after": after})
    return changes


def _plain(value):
    if isinstance(value, tuple):
        return [_plain(member) for member in value]
    if hasattr(value, "is_a"):
        return {"ref": value.id()} if value.id() else {"type": value.is_a(), "value": _plain(value[0])}
    return value
