"""`python -m pensaer_ifcopenshell --socket PATH`: the process that Pensaer starts and talks to. It ends with the process that
started it."""

import argparse
import os
import sys

from . import confine, zygote


def main():
    """Reads the command line and serves."""
    parser = argparse.ArgumentParser(prog="pensaer_ifcopenshell", description=__doc__)
    parser.add_argument("--socket", required=True, help="the Unix socket to listen at")
    socket = parser.parse_args().socket
    if os.environ.get("PENSAER_EXEC_PARENT"):
        confine.die_with_parent()
        if str(os.getppid()) != os.environ["PENSAER_EXEC_PARENT"]:
            sys.exit(0)
    zygote.serve(socket)


if __name__ == "__main__":
    main()
