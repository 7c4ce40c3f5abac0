"""Writes the table of EPSG codes that the georeferencing rules (GRF004, GRF005, GRF007) look coordinate reference systems up in.

    python tests/python/epsg_codes.py > crates/ifc-check/src/implementer/generated/epsg.txt

It needs pyproj, which brings the EPSG Geodetic Parameter Dataset of IOGP; nothing else in the project does.
"""

from itertools import groupby

import pyproj
from pyproj import CRS
from pyproj.database import get_database_metadata, query_crs_info

KINDS = {"PROJECTED_CRS": "p", "COMPOUND_CRS": "c", "VERTICAL_CRS": "v"}
HORIZONTAL = {"east", "west", "north", "south"}


def unit(code):
    """Metres of the one unit that the horizontal axes of a projected system have; none if it is no such system."""
    crs = CRS.from_epsg(int(code))
    parts = crs.sub_crs_list if crs.is_compound else [crs]
    factors = {
        axis.unit_conversion_factor
        for part in parts
        if part.is_projected
        for axis in part.coordinate_system.axis_list
        if axis.direction in HORIZONTAL and axis.unit_conversion_factor
    }
    return factors.pop() if len(factors) == 1 else None


def main():
    valid = {info.code for info in query_crs_info(auth_name="EPSG")}
    rows = []
    for info in query_crs_info(auth_name="EPSG", allow_deprecated=True):
        kind = KINDS.get(info.type.name, "g")
        metres = unit(info.code)
        rows.append((int(info.code), f"{kind if info.code in valid else kind.upper()} {metres if metres else '-'}"))
    rows.sort()
    version = get_database_metadata("EPSG.VERSION")
    print(f"# Coordinate reference systems of the EPSG Geodetic Parameter Dataset {version} © IOGP (https://epsg.org/terms-of-use.html),")
    print(f"# written by tests/python/epsg_codes.py with PROJ {pyproj.proj_version_str}; not to be edited. Codes, kind (projected, compound,")
    print("# vertical or geodetic; a capital for deprecated), metres of the unit of horizontal axes.")
    for _, run in groupby(enumerate(rows), key=lambda at: (at[1][0] - at[0], at[1][1])):
        run = [row for _, row in run]
        first, last = run[0][0], run[-1][0]
        print(f"{first}{'' if first == last else f'-{last}'} {run[0][1]}")


if __name__ == "__main__":
    main()
