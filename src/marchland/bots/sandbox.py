"""Where a bot's process runs: as it is, or in a jail of bubblewrap.

| level | what a bot can reach |
|---|---|
| ``open`` | everything that the host's user can |
| ``jailed`` | its own files and the system's programs, read-only; a small /tmp; no network, no other process |
| ``contained`` | the container or virtual machine that the organiser provides; inside it a jail, if there can be one |

A jail is an argv prefix. As root, bubblewrap makes the namespaces without a user namespace, and ``setpriv`` drops to a
user that no other bot has at the time: limits on processes count by user, and do not bind root. Otherwise bubblewrap
makes a user namespace, in which further ones are forbidden. Limits on processes are set inside the jail, where only the
bot's own count; the supervisor sets the others.
"""

import functools
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, get_args

from marchland.bots.seccomp import filter_program, is_supported
from marchland.errors import MarchlandError

Level = Literal["open", "jailed", "contained"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)

ENVIRONMENT: Final = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}
"""All variables of a jailed bot."""
FOLDER: Final = "/bot"
"""Where a jailed bot finds its folder."""

_SYSTEM: Final = "/usr"
_SYSTEM_LINKS: Final = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")
_SYSTEM_FILES: Final = ("ld.so.cache", "alternatives", "java-*", "ssl/openssl.cnf")
"""What programs of /usr need in /etc."""
_PACKAGE: Final = Path(__file__).parent.parent
_PROBE_SECONDS: Final = 20.0

_FIRST_UID: Final = 1 << 30
_FEW_UIDS: Final = range(20_000, 60_000)
"""Where a user namespace maps no more than the usual 65,536 users."""
_SLOTS: Final = 6
_slot = itertools.count()


class SandboxError(MarchlandError):
    """A jail that cannot be made on this machine."""


class Sandbox(NamedTuple):
    """The sandbox of one bot."""

    level: Level = "open"
    folder: Path | None = None
    """The bot's folder, in which its command runs; without one a jailed bot sees the files that its command names."""
    is_writable: bool = False
    """Whether it may change its folder, which a build must."""
    processes: int = 32
    """Processes and threads at once."""
    scratch: int = 16 << 20
    """Bytes in /tmp, and as many in /dev/shm."""
    uid: int | None = None
    """As root, the user of the jail; None for one of its own."""


OPEN: Final = Sandbox()


class Launch(NamedTuple):
    """How to start a bot: the whole command, and file descriptors that it inherits, which the caller closes."""

    words: list[str]
    descriptors: tuple[int, ...]
    is_jailed: bool


class _Tools(NamedTuple):
    bwrap: str
    setpriv: str
    prlimit: str


def prepare_launch(words: Sequence[str], sandbox: Sandbox) -> Launch:
    """The command that starts a bot in its sandbox; `SandboxError` if it needs a jail and there can be none."""
    if sandbox.level == "open" or (sandbox.level == "contained" and not can_jail()):
        return Launch(list(words), (), False)
    tools = _find_tools()
    program = os.memfd_create("seccomp")
    try:
        os.write(program, filter_program())
        os.lseek(program, 0, os.SEEK_SET)
        os.set_inheritable(program, True)
        return Launch([*_jail(tools, sandbox, words, program), *_absolute(words, sandbox)], (program,), True)
    except BaseException:
        os.close(program)
        raise


def check_jail() -> None:
    """Refuse with `SandboxError` if no jail can be made on this machine."""
    _probe(_find_tools())


def can_jail() -> bool:
    """Whether a jail can be made on this machine."""
    try:
        check_jail()
    except SandboxError:
        return False
    return True


def new_uid() -> int:
    """A user that no other bot on this machine has now; one without an account."""
    number = os.getpid() << _SLOTS | next(_slot) % (1 << _SLOTS)
    return _FIRST_UID + number if _maps_all_users() else _FEW_UIDS[number % len(_FEW_UIDS)]


def python_folders() -> list[Path]:
    """The folders that this interpreter and our package need, beyond those of the system."""
    needed = {Path(sys.prefix), Path(sys.base_prefix), _PACKAGE}
    needed |= {folder.resolve() for folder in needed}
    return sorted(folder for folder in needed if not folder.is_relative_to(_SYSTEM))


def _find_tools() -> _Tools:
    if sys.platform != "linux":
        raise SandboxError("Jailed bots need Linux.")
    if not is_supported():
        raise SandboxError("Jailed bots need a machine with x86-64 or 64-bit ARM processors.")
    found = {tool: shutil.which(tool) for tool in _Tools._fields}
    if found["bwrap"] is None:
        raise SandboxError(
            "Jailed bots need bubblewrap, which is not installed; on Debian and Ubuntu: "
            "sudo apt-get install bubblewrap."
        )
    missing = [tool for tool, path in found.items() if path is None]
    if missing:
        raise SandboxError(f"Jailed bots need {missing[0]} of util-linux, which is not installed.")
    return _Tools(*map(str, found.values()))


@functools.cache
def _probe(tools: _Tools) -> None:
    """Make a jail once. What fails is tried again by the next call."""
    words = [*_jail(tools, Sandbox("jailed"), ["true"], None), "true"]
    try:
        tried = subprocess.run(words, capture_output=True, timeout=_PROBE_SECONDS, env=ENVIRONMENT, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise SandboxError(f"bubblewrap cannot make a jail here: {problem}.") from None
    if tried.returncode:
        said = tried.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {tried.returncode}"]
        raise SandboxError(
            f"bubblewrap cannot make a jail here: {said[-1]}. docs/operations.md says what it needs from the kernel."
        )


def _jail(tools: _Tools, sandbox: Sandbox, words: Sequence[str], seccomp: int | None) -> Iterator[str]:
    """The words before those of the bot."""
    is_root = os.geteuid() == 0
    yield from (tools.bwrap, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
    yield from () if is_root else ("--unshare-user", "--disable-userns")
    yield from ("--die-with-parent", "--hostname", "jail", "--clearenv", "--cap-drop", "ALL")
    for name, value in ENVIRONMENT.items():
        yield from ("--setenv", name, value)
    yield from _mounts(sandbox, words)
    yield from () if seccomp is None else ("--seccomp", str(seccomp))
    if is_root:
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            yield from ("--cap-add", capability)
        user = str(new_uid() if sandbox.uid is None else sandbox.uid)
        yield from ("--", tools.setpriv, "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs")
        yield from ("--bounding-set=-all", "--inh-caps=-all")
    yield from ("--", tools.prlimit, f"--nproc={sandbox.processes}", "--")


def _mounts(sandbox: Sandbox, words: Sequence[str]) -> Iterator[str]:
    yield from ("--ro-bind", _SYSTEM, _SYSTEM)
    for name in _SYSTEM_LINKS:
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    for pattern in _SYSTEM_FILES:
        for path in Path("/etc").glob(pattern):
            yield from _bind(path)
    yield from ("--proc", "/proc", "--dev", "/dev")
    for scratch in ("/tmp", "/dev/shm"):
        yield from ("--perms", "1777", "--size", str(sandbox.scratch), "--tmpfs", scratch)
    yield from _own_files(sandbox, words)
    # In a user namespace the bot owns what bubblewrap has made, and could fill it.
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _own_files(sandbox: Sandbox, words: Sequence[str]) -> Iterator[str]:
    """The bot's folder, or the files that its command names; and this interpreter, if it is the program."""
    program = Path(_absolute(words, sandbox)[0])
    python = python_folders()
    if any(program.is_relative_to(folder) for folder in python):
        for folder in python:
            yield from _bind(folder)
    if sandbox.folder is not None:
        yield from ("--bind" if sandbox.is_writable else "--ro-bind", str(sandbox.folder.resolve()), FOLDER)
        yield from ("--chdir", FOLDER)
        return
    here = Path.cwd()
    named = {here / word for word in (str(program), *words[1:]) if (here / word).is_file()}
    for path in sorted(named):
        if not any(path.is_relative_to(folder) for folder in (Path(_SYSTEM), *python)):
            yield from _bind(path)
    yield from (*_make_folders(here), "--chdir", str(here))


def _bind(path: Path) -> Iterator[str]:
    """Show a file or folder of the host at its own place."""
    yield from (*_make_folders(path.parent), "--ro-bind", str(path), str(path))


def _make_folders(path: Path) -> Iterator[str]:
    """Make a folder with its parents; bubblewrap would make them for its own user only."""
    for folder in (*reversed(path.parents), path):
        if folder != Path("/"):
            yield from ("--perms", "0755", "--dir", str(folder))


def _absolute(words: Sequence[str], sandbox: Sandbox) -> list[str]:
    """The command with the path of its program, unless the jail's PATH or the bot's folder has it."""
    program = words[0]
    if os.sep in program:
        return list(words) if sandbox.folder is not None else [str(Path.cwd() / program), *words[1:]]
    if shutil.which(program, path=ENVIRONMENT["PATH"]) is not None:
        return list(words)
    return [shutil.which(program) or program, *words[1:]]


@functools.cache
def _maps_all_users() -> bool:
    """Whether high numbers of users exist here; in a container often not."""
    try:
        rows = Path("/proc/self/uid_map").read_text().splitlines()
    except OSError:
        return False
    starts = [(int(row.split()[0]), int(row.split()[2])) for row in rows]
    return any(first <= _FIRST_UID and first + count > _FIRST_UID + (1 << 28) for first, count in starts)
