"""The process between a match and a bot: it starts the bot under limits and ends it with every descendant.

`LineProcess` runs this file as a script in an interpreter without site-packages, so it imports nothing of ours and only
modules that load fast; `signal` builds enums and costs a third of the start. On Linux the supervisor is a subreaper: a
descendant whose parent has exited becomes its child, also after ``setsid`` and a double fork. Elsewhere it can only
kill the bot's process group.

Arguments: LIFELINE STATUS PARENT MEMORY FILE_SIZE OPEN_FILES PROGRAM [ARGUMENT...]. A byte from LIFELINE starts the
bot, which lives until the other end of LIFELINE is closed or the process PARENT is gone. STATUS receives the lines
``started PID``, ``failed ERRNO`` and ``exited CODE PEAK``, where CODE is negative for a signal and PEAK is the bot's
largest resident memory in bytes.
"""

import ctypes
import os
import resource
import select
import sys

_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_SIGKILL = 9
_SIGPIPE, _SIGXFSZ = 13, 25
"""Python ignores these two, and a program inherits what is ignored."""

# Data instead of address space: runtimes reserve address space by the gigabyte and never use it.
_LIMITED = (resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)

_REAP_MILLISECONDS = 1000
"""How often orphans that ended by themselves are reaped; the bot's own end is noticed at once."""
_POLL_MILLISECONDS = 20
"""How often to look for the bot's end where a process cannot be polled."""


def main(lifeline: int, status: int, parent: int, limits: list[int], words: list[str]) -> None:
    """Run the bot until the match is done with it."""
    libc = ctypes.CDLL(None)
    if _LINUX:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for inherited in (lifeline, status):
        os.set_inheritable(inherited, False)
    if not _is_wanted(lifeline, parent):
        return
    bot = os.fork()
    if bot == 0:
        _become_bot(status, limits, words, libc)
    null = os.open(os.devnull, os.O_RDWR)
    for pipe in range(3):  # otherwise the bot's ends of its pipes would outlive the bot
        os.dup2(null, pipe)
    _report(status, f"started {bot}")
    _watch(bot, lifeline, status, parent)
    _kill_descendants(bot)


def _is_wanted(lifeline: int, parent: int) -> bool:
    """Wait for the start; False if the match does not want the bot any more."""
    poll = select.poll()
    poll.register(lifeline, select.POLLIN)
    while os.getppid() == parent:
        if poll.poll(_REAP_MILLISECONDS):
            return os.read(lifeline, 1) != b""
    return False


def _become_bot(status: int, limits: list[int], words: list[str], libc: ctypes.CDLL) -> None:
    try:
        os.setsid()
        if _LINUX:
            libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
        for number in (_SIGPIPE, _SIGXFSZ):
            libc.signal(number, None)
        for kind, value in zip(_LIMITED, limits, strict=True):
            hard = resource.getrlimit(kind)[1]
            allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (allowed, allowed))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execvp(words[0], words)
    except OSError as problem:
        _report(status, f"failed {problem.errno}")
    finally:
        os._exit(127)


def _watch(bot: int, lifeline: int, status: int, parent: int) -> None:
    """Return when the match is done with the bot."""
    ends, bot_end = [lifeline], -1
    if hasattr(os, "pidfd_open"):
        try:
            # Not only the lifeline: a fork of the parent may hold a copy of its other end.
            ends.append(os.pidfd_open(parent))
            bot_end = os.pidfd_open(bot)
        except OSError:  # the parent has gone, or the kernel is too old
            pass
    poll = select.poll()
    for number in ends if bot_end < 0 else (*ends, bot_end):
        poll.register(number, select.POLLIN)
    patience = _POLL_MILLISECONDS if bot_end < 0 else _REAP_MILLISECONDS
    while os.getppid() == parent:
        if any(number in ends for number, _ in poll.poll(patience)):
            return
        if _reap(bot, status) and bot_end >= 0:
            poll.unregister(bot_end)


def _reap(bot: int, status: int) -> bool:
    """Reap every child that has ended; whether the bot was one of them."""
    found = False
    while True:
        try:
            ended, how, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if ended == 0:
            return found
        if ended == bot:
            found = True
            peak = usage.ru_maxrss * (1024 if _LINUX else 1)
            _report(status, f"exited {os.waitstatus_to_exitcode(how)} {peak}")


def _report(status: int, line: str) -> None:
    try:  # noqa: SIM105 - contextlib takes long to import
        os.write(status, line.encode() + b"\n")
    except OSError:  # the match is gone; the lifeline says so, too
        pass


def _kill_descendants(bot: int) -> None:
    """Kill all children until there are none: each one's own children become ours when it dies."""
    if not _LINUX:
        _kill(-bot)
        return
    while children := _list_children():
        # Pids of children cannot be reused before they are reaped, so no other process is hit.
        if sum(_kill(child) for child in children) == 0:
            return  # they run as other users
        os.wait4(-1, 0)
        _reap(0, -1)


def _kill(target: int) -> bool:
    """Kill a process, or the group of a negative number; whether that was possible."""
    try:
        os.kill(target, _SIGKILL)
    except OSError:
        return False
    return True


def _list_children() -> list[int]:
    """The pids of all children, also of those that wait to be reaped."""
    me = os.getpid()
    try:
        with open(f"/proc/{me}/task/{me}/children") as file:  # noqa: PTH123 - pathlib takes long to import
            return [int(pid) for pid in file.read().split()]
    except FileNotFoundError:  # a kernel without CONFIG_PROC_CHILDREN
        return [pid for pid in map(int, filter(str.isdecimal, os.listdir("/proc"))) if _parent_of(pid) == me]  # noqa: PTH208


def _parent_of(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0


if __name__ == "__main__":
    try:
        lifeline, status, parent, *limits = map(int, sys.argv[1:7])
        main(lifeline, status, parent, limits, sys.argv[7:])
    finally:
        os._exit(0)
