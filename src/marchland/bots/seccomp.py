"""The system calls that a jailed bot may not make, as a seccomp filter for ``bwrap --seccomp``.

The filter is classic BPF, written here by hand: each call that is listed is refused with an error, so that a program
can do without it, and all others are allowed. Namespaces, the network device and the file system are bubblewrap's
work; the filter closes what they leave open.
"""

import errno
import platform
import struct
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Offsets in ``struct seccomp_data``."""

_NAMESPACES: Final = 0x7E020000
"""Every ``CLONE_NEW`` flag."""
_SHARED_ANONYMOUS: Final = 0x21
"""``MAP_SHARED | MAP_ANONYMOUS``: memory that no limit of a process counts."""
_SOCKETS: Final = (1, 2, 10)
"""AF_UNIX, AF_INET, AF_INET6. Others reach past the network namespace, such as AF_VSOCK to the host of a machine."""


class _Machine(NamedTuple):
    """Numbers of one architecture."""

    audit: int
    clone: int
    mmap: int
    socket: int
    refused: tuple[int, ...]
    absent: tuple[int, ...]
    """Calls that programs replace by others if the kernel has them not."""


# Refused, in this order: unshare, setns, mount, umount2, pivot_root, chroot; ptrace, process_vm_readv,
# process_vm_writev; add_key, request_key, keyctl; bpf, perf_event_open, userfaultfd; shmget; setsid, setpgid (a stopped
# bot stays in its process group), sched_setaffinity (and on its core); name_to_handle_at, open_by_handle_at;
# kexec_load, kexec_file_load, init_module, finit_module, delete_module, reboot, swapon, swapoff, acct, settimeofday,
# clock_settime, sethostname, setdomainname, quotactl; open_tree to fspick, mount_setattr, pidfd_getfd, process_madvise.
# Absent: clone3, whose flags a filter cannot read, memfd_create, memfd_secret, and the three calls of io_uring.
_RECENT: Final = (428, 429, 430, 431, 432, 433, 442, 438, 440)
_ABSENT: Final = (435, 447, 425, 426, 427)
_MACHINES: Final[Mapping[str, _Machine]] = {
    "x86_64": _Machine(
        audit=0xC000003E,
        clone=56,
        mmap=9,
        socket=41,
        refused=(
            *(272, 308, 165, 166, 155, 161, 101, 310, 311, 248, 249, 250, 321, 298, 323, 29, 112, 109, 203, 303, 304),
            *(246, 320, 175, 313, 176, 169, 167, 168, 163, 164, 227, 170, 171, 179),
            *_RECENT,
        ),
        absent=(*_ABSENT, 319),
    ),
    "aarch64": _Machine(
        audit=0xC00000B7,
        clone=220,
        mmap=222,
        socket=198,
        refused=(
            *(97, 268, 40, 39, 41, 51, 117, 270, 271, 217, 218, 219, 280, 241, 282, 194, 157, 154, 122, 264, 265),
            *(104, 294, 105, 273, 106, 142, 224, 225, 89, 170, 112, 161, 162, 60),
            *_RECENT,
        ),
        absent=(*_ABSENT, 279),
    ),
}
_X32_CALLS: Final = 0x40000000
"""The first number of x86-64's second set of calls."""


def is_supported() -> bool:
    """Whether there is a filter for this machine."""
    return platform.machine() in _MACHINES


def filter_program() -> bytes:
    """The filter for this machine, as an array of ``struct sock_filter``."""
    machine = _MACHINES[platform.machine()]
    code = [
        *_load(_ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, machine.audit),
        (_RETURN, 0, 0, _KILL),
        *_load(_NUMBER),
        (_JUMP_ABOVE, 0, 1, _X32_CALLS),
        _refuse(errno.ENOSYS),
    ]
    for numbers, error in ((machine.refused, errno.EPERM), (machine.absent, errno.ENOSYS)):
        for number in numbers:
            code += [(_JUMP_EQUAL, 0, 1, number), _refuse(error)]
    code += _when(machine.clone, [*_argument(0), (_JUMP_ANY_BIT, 0, 1, _NAMESPACES), _refuse(errno.EPERM)])
    shared = [(_AND, 0, 0, _SHARED_ANONYMOUS), (_JUMP_EQUAL, 0, 1, _SHARED_ANONYMOUS), _refuse(errno.EPERM)]
    code += _when(machine.mmap, [*_argument(3), *shared])
    known = [(_JUMP_EQUAL, len(_SOCKETS) - place, 0, family) for place, family in enumerate(_SOCKETS)]
    code += _when(machine.socket, [*_argument(0), *known, _refuse(errno.EAFNOSUPPORT)])
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)


_Instruction = tuple[int, int, int, int]
"""Code, instructions to skip if true and if false, operand."""


def _load(offset: int) -> list[_Instruction]:
    return [(_LOAD, 0, 0, offset)]


def _argument(index: int) -> list[_Instruction]:
    """Load the lower half of an argument; machines here are little-endian."""
    return _load(_ARGUMENTS + 8 * index)


def _refuse(error: int) -> _Instruction:
    return (_RETURN, 0, 0, _ERRNO | error)


def _when(number: int, block: Sequence[_Instruction]) -> list[_Instruction]:
    """Run a block for one call only, and allow the call if the block does not refuse it."""
    return [(_JUMP_EQUAL, 0, len(block) + 1, number), *block, (_RETURN, 0, 0, _ALLOW)]
