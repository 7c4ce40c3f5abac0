"""Memory in large pages, for processes that fork often.

What a fork and the end of one cost grows with the pages of the process. Two megabytes that are one page cost what four kilobytes
do; where a fork writes to one, it gets the four kilobytes that it needs, as without this. Linux since 6.1 has it on request,
whatever its setting for everything else. Where that cannot be had, forks take longer, and nothing else changes.
"""

import ctypes
import sys

_LARGE = 2 << 20
_MADV_COLLAPSE = 25


def collapse():
    """Gathers the heap and what else of this process is memory alone; answers how many large pages there are now."""
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    gathered = 0
    for low, high in _areas():
        low = -(-low // _LARGE) * _LARGE
        for at in range(low, high - _LARGE + 1, _LARGE):
            gathered += libc.madvise(at, _LARGE, _MADV_COLLAPSE) == 0
    return gathered


def _areas():
    """Where memory is that may be written to and belongs to no file, as (low, high), neighbours as one."""
    try:
        with open("/proc/self/maps") as file:
            lines = [line.split() for line in file]
    except OSError:  # not to be seen from in here
        return []
    areas = []
    for line in lines:
        if line[1].startswith("rw-p") and (len(line) == 5 or line[5] == "[heap]"):
            low, high = (int(end, 16) for end in line[0].split("-"))
            if areas and areas[-1][1] == low:
                low = areas.pop()[0]
            areas.append((low, high))
    return areas
