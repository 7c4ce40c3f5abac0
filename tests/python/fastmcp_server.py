"""A small MCP server on FastMCP and IfcOpenShell, as one writes it in an hour: the peer of the measurements of answers.

It holds one model in memory, keeps no versions and writes nothing: what it does is the least that the calls need.
"""

from typing import Any

import ifcopenshell
import ifcopenshell.api.pset
import ifcopenshell.util.element
import ifcopenshell.util.selector
from mcp.server.fastmcp import FastMCP

server = FastMCP("peer")
state: dict[str, Any] = {}


@server.tool()
def load(path: str) -> dict[str, Any]:
    """Opens a file."""
    state["model"] = ifcopenshell.open(path)
    return {"schema": state["model"].schema}


@server.tool()
def query(selector: str, limit: int = 1) -> dict[str, Any]:
    """Selects elements; answers how many, and the first."""
    found = ifcopenshell.util.selector.filter_elements(state["model"], selector)
    rows = sorted(found, key=lambda element: element.id())[:limit]
    return {"total": len(found), "rows": [{"id": row.GlobalId, "name": row.Name, "class": row.is_a()} for row in rows]}


@server.tool()
def set_property(element_id: str, pset: str, name: str, value: str) -> dict[str, Any]:
    """Sets a property of an element, in memory."""
    model = state["model"]
    element = model.by_guid(element_id)
    known = ifcopenshell.util.element.get_pset(element, pset)
    entity = model.by_id(known["id"]) if known else ifcopenshell.api.pset.add_pset(model, product=element, name=pset)
    ifcopenshell.api.pset.edit_pset(model, pset=entity, properties={name: value})
    return {"status": "modified"}


if __name__ == "__main__":
    server.run()
