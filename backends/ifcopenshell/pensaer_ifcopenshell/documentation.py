"""`python documentation.py`: writes what the installed IfcOpenShell says of its own functions, classes and methods, as an index of
documentation in JSON on standard output. Its files are read and parsed; none of them is run."""

import ast
import html
import importlib.util
import json
import re
import sys
from pathlib import Path

PACKAGE = "ifcopenshell"
# what users of its functions call; the rest is generated, or its own inside
WITHIN = ("api", "util", "geom", "file.py", "entity_instance.py", "guid.py", "template.py", "validate.py", "__init__.py")
LONGEST = 40_000


def files(folder):
    """Every Python file that is documented, with the name of its module."""
    for name in WITHIN:
        path = folder / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if file.is_file():
                parts = file.relative_to(folder).with_suffix("").parts
                yield file, ".".join(part for part in parts if part != "__init__")


def signature(node):
    """The head of a function or class, on one line."""
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        return f"class {node.name}({bases})" if bases else f"class {node.name}"
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){returned}"


def definitions(body, within):
    """Public functions, classes and methods with a docstring: name and node."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            name = f"{within}.{node.name}" if within else node.name
            if ast.get_docstring(node):
                yield name, node
            if isinstance(node, ast.ClassDef):
                yield from definitions(node.body, name)


def module_of(module, name):
    """The address of a definition: a function in a file of its own name is known by its folder."""
    first = name.split(".")[0]
    if module.startswith("api.") and module.split(".")[-1] == first:
        module = module.rpartition(".")[0]
    return f"{module}.{name}" if module else name


def section(address, node):
    """A definition as a section of the index."""
    text = f"{signature(node)}\n\n{ast.get_docstring(node)}"[:LONGEST]
    return {
        "location": address,
        "title": f"{PACKAGE}.{address}",
        "path": [f"{PACKAGE}.{address.rpartition('.')[0]}".rstrip(".")],
        "tags": [address.split(".")[0] if "." in address else PACKAGE],
        # whoever reads an index takes it for HTML
        "text": html.escape(text, quote=False),
    }


def sections(folder):
    """Every section of a folder, each address once; a file that cannot be parsed has none."""
    known = set()
    for file, module in files(folder):
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError, OSError):
            continue
        if ast.get_docstring(tree) and module and module not in known:
            known.add(module)
            text = html.escape(ast.get_docstring(tree)[:LONGEST], quote=False)
            tags = [module.split(".")[0]]
            yield {"location": module, "title": f"{PACKAGE}.{module}", "path": [], "tags": tags, "text": text}
        for name, node in definitions(tree.body, ""):
            address = module_of(module, name)
            if address not in known:
                known.add(address)
                yield section(address, node)


def version(folder):
    """The version of the package by what its installer wrote beside it, as numbers; `0` where nothing did."""
    for path in sorted(folder.parent.glob(f"{PACKAGE}-*.dist-info")):
        found = re.match(r"\d+(\.\d+)*", path.name.removeprefix(f"{PACKAGE}-"))
        if found:
            return found.group()
    return "0"


def main():
    """Writes the index; ends with 1 where the package is not there."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        return f"there is no {PACKAGE}"
    folder = Path(list(found.submodule_search_locations)[0])
    json.dump({"version": version(folder), "items": list(sections(folder))}, sys.stdout)
    return None


if __name__ == "__main__":
    sys.exit(main())
