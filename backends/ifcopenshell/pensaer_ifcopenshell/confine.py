"""What the process of one call may do, taken from it before it reads anything that others wrote: landlock lets it read the
program's own files and nothing else, seccomp lets it start nothing, connect to nothing and signal nobody, and limits of the
kernel bound its memory and time. None of it needs a privilege, and none of it can be given back.

Linux alone has these. Where one is missing, `enforced` says so, and scripts are refused.
"""

import ctypes
import functools
import mmap
import os
import platform
import resource
import struct
import sys

_EPERM, _ENOSYS = 1, 38
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_CLONE_THREAD = 0x00010000

#: open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr, everywhere the same.
_MOUNTS = (428, 429, 430, 431, 432, 433, 442)

#: System calls by architecture: the audit number, those refused, and those looked at.
_ARCHITECTURES = {
    "x86_64": (
        0xC000003E,
        # fork vfork execve execveat ptrace kill tkill tgkill socket socketpair connect accept accept4 sendto sendmsg bind listen
        # mount umount pivot_root chroot unshare setns process_vm_readv process_vm_writev pidfd_open pidfd_send_signal
        # pidfd_getfd io_uring_setup bpf perf_event_open userfaultfd add_key request_key keyctl memfd_create setpgid setsid
        # setrlimit rt_sigqueueinfo rt_tgsigqueueinfo; what landlock does not hold: chmod fchmod chown fchown lchown fchmodat
        # fchownat fchmodat2 utime utimes futimesat utimensat setxattr lsetxattr fsetxattr removexattr (3); open_by_handle_at;
        # clocks, names and modules of the machine; shared memory, queues and semaphores that outlive it; priorities
        (57, 58, 59, 322, 101, 62, 200, 234, 41, 53, 42, 43, 288, 44, 46, 49, 50, 165, 166, 155, 161, 272, 308, 310, 311, 434)
        + (424, 438, 425, 321, 298, 323, 248, 249, 250, 319, 109, 112, 160, 129, 297)
        + (90, 91, 92, 93, 94, 268, 260, 452, 132, 235, 261, 280, 188, 189, 190, 197, 198, 199, 303, 304)
        + (164, 227, 305, 159, 170, 171, 169, 175, 313, 176, 246, 167, 168, 163, 179, 300, 172, 173)
        + (29, 68, 64, 240, 141, 144, 203, 251)
        + _MOUNTS,
        {"clone": 56, "clone3": 435, "prlimit64": 302},
    ),
    "aarch64": (
        0xC00000B7,
        (221, 281, 117, 129, 130, 131, 198, 199, 203, 202, 242, 206, 211, 200, 201, 40, 39, 41, 51, 97, 268, 270, 271, 434)
        + (424, 438, 425, 280, 241, 282, 217, 218, 219, 279, 154, 157, 164, 138, 240)
        + (52, 53, 54, 55, 452, 88, 5, 6, 7, 14, 15, 16, 264, 265)
        + (170, 112, 266, 171, 161, 162, 142, 105, 273, 106, 104, 224, 225, 89, 60, 262)
        + (194, 186, 190, 180, 140, 119, 122, 30)
        + _MOUNTS,
        {"clone": 220, "clone3": 435, "prlimit64": 261},
    ),
}

_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 38, 22, 1, 4


@functools.cache
def _libc():
    return ctypes.CDLL(None, use_errno=True)


def die_with_parent(dies=True):
    """Has the kernel kill this process when the one that made it ends, or not any more."""
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_PDEATHSIG, 9 if dies else 0, 0, 0, 0)


def program_folders():
    """What a call may read: Python, its packages, and the libraries of the system."""
    folders = {sys.prefix, sys.base_prefix, os.path.dirname(os.path.dirname(os.path.abspath(__file__)))}
    folders.update(path for path in sys.path if path and os.path.isdir(path))
    folders.update(("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo"))
    folders.update(("/etc/ld.so.cache", "/dev/null", "/dev/urandom"))
    return sorted(path for path in folders if os.path.exists(path) and path != "/")


def address_space():
    """Bytes of addresses that this process uses, to a megabyte. No file is needed to know: it is the lowest bound under which
    a page can be had. Zero where there is no such bound."""
    if sys.platform != "linux":
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    low, high = 0, 1 << 22  # megabytes
    while high - low > 1:
        middle = (low + high) // 2
        resource.setrlimit(resource.RLIMIT_AS, (middle << 20, hard))
        try:
            mmap.mmap(-1, mmap.PAGESIZE).close()
            high = middle
        except OSError:
            low = middle
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    return high << 20


def limit(used, memory_bytes, cpu_seconds):
    """Bounds memory beyond what the process has, processor time, and what it may write, start and open."""
    bounds = [
        (resource.RLIMIT_AS, used + memory_bytes if used else resource.RLIM_INFINITY),
        (resource.RLIMIT_CPU, max(1, int(cpu_seconds) + 1)),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ]
    for kind, bound in bounds:
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            bound = hard if bound == resource.RLIM_INFINITY else min(bound, hard)
        # at the first bound of processor time the process is told so, which ends it; at the second it is killed
        beyond = bound + 1 if kind == resource.RLIMIT_CPU and hard == resource.RLIM_INFINITY else bound
        resource.setrlimit(kind, (bound, beyond))


class Walls:
    """What is put around a process, made ready once: a fork has nothing left to do but to call the kernel."""

    def __init__(self):
        self.is_known = sys.platform == "linux" and platform.machine() in _ARCHITECTURES
        self.folders = program_folders()
        self.landlock = False
        self.filter = _filter() if self.is_known else None

    def narrow(self, *files):
        """Leaves this process, and those that it forks, these and the program's own files to read, and nothing else."""
        if not self.is_known or self.landlock:
            return
        libc = _libc()
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
            self.landlock = _landlock(libc, [*self.folders, *files])

    def enforce(self):
        """Takes from this process what a call does not need; answers what is now enforced."""
        if not self.is_known:
            return []
        libc = _libc()
        libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            return []
        self.narrow()
        enforced = ["no_new_privs"] + ["landlock"] * self.landlock
        if self.filter and libc.prctl(_PR_SET_SECCOMP, 2, ctypes.byref(self.filter[0]), 0, 0) == 0:
            enforced.append("seccomp")
        return enforced


def _landlock(libc, folders):
    version = libc.syscall(444, None, 0, 1)
    if version < 1:
        return False
    handled = (1 << 13) - 1
    for since, right in ((2, 13), (3, 14), (5, 15)):
        if version >= since:
            handled |= 1 << right
    rules = struct.pack("Q", handled)
    if version >= 4:
        rules += struct.pack("Q", 0b11)  # TCP
    if version >= 6:
        rules += struct.pack("Q", 0b11)  # abstract sockets and signals
    ruleset = libc.syscall(444, rules, len(rules), 0)
    if ruleset < 0:
        return False
    try:
        for folder in folders:
            try:
                at = os.open(folder, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            rights = _READ_FILE | _READ_DIR if os.path.isdir(folder) else _READ_FILE
            libc.syscall(445, ruleset, 1, struct.pack("=Qi", rights, at), 0)
            os.close(at)
        return libc.syscall(446, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _filter():
    """The program of the filter as the kernel takes it, with the memory that it points to."""
    architecture, refused, looked_at = _ARCHITECTURES[platform.machine()]

    def load(offset):
        return (0x20, 0, 0, offset)

    def jump_if(value, then, otherwise):
        return (0x15, then, otherwise, value)

    def answer(value):
        return (0x06, 0, 0, value)

    program = [load(4), jump_if(architecture, 1, 0), answer(_KILL), load(0)]
    for number in refused:
        program += [jump_if(number, 0, 1), answer(_ERRNO | _EPERM)]
    program += [jump_if(looked_at["clone3"], 0, 1), answer(_ERRNO | _ENOSYS)]
    # a thread may be made, a process not
    program += [jump_if(looked_at["clone"], 0, 4), load(16), (0x45, 0, 1, _CLONE_THREAD), answer(_ALLOW)]
    program += [answer(_ERRNO | _EPERM)]
    # limits may be read, not set: the third argument, both halves of it
    program += [jump_if(looked_at["prlimit64"], 0, 5), load(32), jump_if(0, 0, 2), load(36), jump_if(0, 1, 0)]
    program += [answer(_ERRNO | _EPERM), answer(_ALLOW)]
    if any(step[0] != 0x06 and max(step[1:3]) > 255 for step in program):
        return None
    steps = b"".join(struct.pack("=HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(steps, len(steps))
    filters = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(buffer)))
    return filters, buffer
