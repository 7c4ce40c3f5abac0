"""Finds the program `pensaer`, which the wheel put among the scripts, and becomes it.

It looks where installers put scripts and nowhere else: another `pensaer` in `PATH` may be of another version.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Iterator, NoReturn


class ProgramMissing(FileNotFoundError):
    """The program is in none of the places where an installer would have put it."""


def find_program() -> str:
    """Returns the path of the program, or raises `ProgramMissing`."""
    name = "pensaer" + (sysconfig.get_config_var("EXE") or "")
    places = list(dict.fromkeys(_places()))
    for place in places:
        program = os.path.join(place, name)
        if os.path.isfile(program):
            return program
    raise ProgramMissing(
        "The program of the package pensaer is not where installers put programs; looked into "
        + ", ".join(places)
        + ". Install the wheel of this platform again: pip install --force-reinstall pensaer"
    )


def run(*words: str) -> NoReturn:
    """Becomes the program with these words before the command line's own; says so and ends where it is missing."""
    try:
        program = find_program()
    except ProgramMissing as missing:
        sys.exit(f"pensaer: {missing}")
    command = [program, *words, *sys.argv[1:]]
    if os.name == "posix":
        os.execv(program, command)
    # elsewhere a process cannot become another one: this one waits, and ends as that does
    sys.exit(subprocess.run(command, check=False).returncode)


def serve(server: str = "") -> NoReturn:
    """Becomes an MCP server on standard input and output, with the usual tools or those of one server."""
    run("mcp", *([server] if server else []))


def _places() -> Iterator[str]:
    """The folders for scripts, of the environment first."""
    yield sysconfig.get_path("scripts")
    # an environment that another one was laid over
    yield sysconfig.get_path("scripts", vars={"base": sys.base_prefix})
    package = Path(__file__).resolve().parent
    # pip install --prefix: PREFIX/lib/python3.12/site-packages/pensaer, or PREFIX\Lib\site-packages\pensaer
    if package.parent.name in ("site-packages", "dist-packages"):
        yield str(package.parents[2] / "Scripts" if os.name == "nt" else package.parents[3] / "bin")
    # pip install --target
    yield str(package.parent / ("Scripts" if os.name == "nt" else "bin"))
    # pip install --user
    if sys.version_info >= (3, 10):
        yield sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user"))
    else:
        yield sysconfig.get_path("scripts", scheme=f"{os.name}_user")

