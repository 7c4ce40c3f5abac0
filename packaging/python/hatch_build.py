"""Puts the program among the wheel's scripts, and says for which machines the wheel is. Refuses to build a wheel without a program."""

import os
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):
    """The hook that hatchling calls. `cargo xtask dist` sets the variables."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the program, and the tag of the platform that it runs on."""
        program = os.environ.get("PENSAER_PROGRAM", "")
        platform = os.environ.get("PENSAER_WHEEL_PLATFORM", "")
        if not os.path.isfile(program) or not platform:
            sys.exit("The wheel holds a program that is built before: `cargo xtask dist` makes both.")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        build_data["shared_scripts"][program] = "pensaer"
