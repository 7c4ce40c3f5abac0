"""What checks need beside the repository. Where it is missing they are skipped; where `CI` or `PENSAER_REQUIRE_ALL` is set they fail.

The crate `testing` does the same for the tests in Rust.
"""

import os
import shutil

import pytest

REQUIRED = any(os.environ.get(name, "") not in ("", "0", "false") for name in ("CI", "PENSAER_REQUIRE_ALL"))
DATA = "set PENSAER_TEST_DATA to the folder of test data, or put it at ../shared/data"


def missing(what, remedy):
    """Ends the test, or the import of the module, that needs this."""
    if REQUIRED:
        pytest.fail(f"{what} is missing: {remedy}", pytrace=False)
    pytest.skip(f"{what} is missing; {remedy}", allow_module_level=True)


def folder(variable):
    """The folder that a variable names, as text."""
    found = os.environ.get(variable, "")
    if not os.path.isdir(found):
        missing(f"the folder of {variable}", "`cargo xtask setup` installs it, and `cargo xtask test` names it")
    return found


def energyplus():
    """The folder of EnergyPlus."""
    return folder("PENSAER_TEST_ENERGYPLUS")


def prototypes():
    """The folder of models that come with EnergyPlus."""
    return folder("PENSAER_TEST_PROTOTYPES")


def libreoffice():
    """The program of LibreOffice."""
    return shutil.which("soffice") or missing("LibreOffice", "`cargo xtask setup` installs it")


def openstudio():
    """The Python environment that has OpenStudio."""
    return folder("PENSAER_TEST_OPENSTUDIO")


def packages():
    """The folder of packages that `cargo xtask dist` made, the environment that judges them, and the pinned npm packages."""
    return [folder(f"PENSAER_TEST_{name}") for name in ("PACKAGES", "PACKAGING", "CLIENTS")]


def command(name):
    """A program of this machine."""
    return shutil.which(name) or missing(f"the program {name}", "install it with this machine's package manager")
