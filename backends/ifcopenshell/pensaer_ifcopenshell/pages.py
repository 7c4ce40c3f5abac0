"""Memory in large pages, for processes that fork often.

What a fork and the end of one cost grows with the pages of the process. Two megabytes that are one page cost what four kilobytes
do; where a fork writes to one, it gets the four kilobytes that it needs, as without this. Linux since 6.1 has it on request,
whatever its setting for everything else. Where that cannot be had, forks take longer, and nothing else changes.
"""

import ctypes
import gc
import sys

_LARGE = 2 << 20
_MADV_COLLAPSE = 25
#: How far below its end the heap may begin.
_HEAP = 16 << 30


def collapse():
    """Gathers the heap and the memory of Python's objects; answers how many large pages there are now."""
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    # what is not whole, or no such memory, the kernel refuses and leaves as it is
    return sum(libc.madvise(block * _LARGE, _LARGE, _MADV_COLLAPSE) == 0 for block in _blocks(libc))


def _blocks(libc):
    """Numbers of the blocks of memory that objects lie in, and of all of the heap. The list of its areas, which the kernel keeps as a
    file, may not be read in here."""
    blocks = {id(thing) // _LARGE for thing in gc.get_objects()}
    libc.sbrk.argtypes, libc.sbrk.restype = (ctypes.c_ssize_t,), ctypes.c_void_p
    end = libc.sbrk(0)
    low = [block for block in blocks if end - _HEAP < block * _LARGE < end]
    return sorted(blocks.union(range(min(low), end // _LARGE) if low else ()))
