"""What the process of one call may do, taken from it before it reads anything that others wrote: landlock lets it read the
program's own files and nothing else, seccomp lets it start nothing, connect to nothing and signal nobody, and limits of the
kernel bound its memory and time. None of it needs a privilege, and none of it can be given back.

Linux alone has these. Where one is missing, `enforced` says so, and scripts are refused.
"""

import ctypes
import os
import platform
import resource
import struct
import sys

_EPERM, _ENOSYS = 1, 38
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_CLONE_THREAD = 0x00010000

#: System calls by architecture: the audit number, those refused, and those looked at.
_ARCHITECTURES = {
    "x86_64": (
        0xC000003E,
        # fork vfork execve execveat ptrace kill tkill tgkill socket socketpair connect accept accept4 sendto sendmsg bind listen
        # mount umount pivot_root chroot unshare setns process_vm_readv process_vm_writev pidfd_open pidfd_send_signal
        # pidfd_getfd io_uring_setup bpf perf_event_open userfaultfd add_key request_key keyctl memfd_create setpgid setsid
        # setrlimit rt_sigqueueinfo rt_tgsigqueueinfo
        (57, 58, 59, 322, 101, 62, 200, 234, 41, 53, 42, 43, 288, 44, 46, 49, 50, 165, 166, 155, 161, 272, 308, 310, 311, 434)
        + (424, 438, 425, 321, 298, 323, 248, 249, 250, 319, 109, 112, 160, 129, 297),
        {"clone": 56, "clone3": 435, "prlimit64": 302},
    ),
    "aarch64": (
        0xC00000B7,
        (221, 281, 117, 129, 130, 131, 198, 199, 203, 202, 242, 206, 211, 200, 201, 40, 39, 41, 51, 97, 268, 270, 271, 434)
        + (424, 438, 425, 280, 241, 282, 217, 218, 219, 279, 154, 157, 164, 138, 240),
        {"clone": 220, "clone3": 435, "prlimit64": 261},
    ),
}

_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 38, 22, 1, 4


def _libc():
    return ctypes.CDLL(None, use_errno=True)


def die_with_parent():
    """Has the kernel kill this process when the one that made it ends."""
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_PDEATHSIG, 9, 0, 0, 0)


def program_folders():
    """What a call may read: Python, its packages, and the libraries of the system."""
    folders = {sys.prefix, sys.base_prefix, os.path.dirname(os.path.dirname(os.path.abspath(__file__)))}
    folders.update(path for path in sys.path if path and os.path.isdir(path))
    folders.update(("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo"))
    folders.update(("/etc/ld.so.cache", "/dev/null", "/dev/urandom"))
    return sorted(path for path in folders if os.path.exists(path) and path != "/")


def limit(memory_bytes, cpu_seconds):
    """Bounds memory beyond what the process has, processor time, and what it may write, start and open."""
    used = 0
    if os.path.exists("/proc/self/statm"):
        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
    bounds = [
        (resource.RLIMIT_AS, used + memory_bytes),
        (resource.RLIMIT_CPU, max(1, int(cpu_seconds) + 1)),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ]
    for kind, bound in bounds:
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            bound = min(bound, hard)
        # at the first bound of processor time the process is told so, which ends it; at the second it is killed
        beyond = bound + 1 if kind == resource.RLIMIT_CPU and hard == resource.RLIM_INFINITY else bound
        resource.setrlimit(kind, (bound, beyond))


def enforce(folders):
    """Takes from this process what a call does not need; answers what is now enforced."""
    if sys.platform != "linux" or platform.machine() not in _ARCHITECTURES:
        return []
    libc = _libc()
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return []
    enforced = ["no_new_privs"]
    if _landlock(libc, folders):
        enforced.append("landlock")
    if _seccomp(libc):
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


def _seccomp(libc):
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
        return False
    steps = b"".join(struct.pack("=HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(steps, len(steps))
    filters = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(buffer)))
    return libc.prctl(_PR_SET_SECCOMP, 2, ctypes.byref(filters), 0, 0) == 0
