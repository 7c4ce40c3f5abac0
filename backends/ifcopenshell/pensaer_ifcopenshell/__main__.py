"""`python -m pensaer_ifcopenshell`: the process that Pensaer starts and talks to, over the socket that is its standard input. It
ends when that does."""

import os

from . import zygote


def main():
    """Serves."""
    control = os.dup(0)
    os.set_inheritable(control, False)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    zygote.serve(control)


if __name__ == "__main__":
    main()
