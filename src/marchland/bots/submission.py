"""A bot as its author hands it in: a Python file, or a folder with ``bot.toml``, as it is or packed.

name = "frontier"
run = "./frontier"                       # or a list of words; python is the interpreter of the host
build = "cc -O2 -o frontier frontier.c"  # optional, by a shell
games = ["colorfight"]
"""

import bz2
import contextlib
import gzip
import hashlib
import lzma
import os
import shlex
import shutil
import stat
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, NamedTuple

import msgspec

from marchland.bots.command import stdio_command
from marchland.bots.limits import LimitExceededError, TurnLimit
from marchland.bots.line_process import LineProcess
from marchland.bots.process_options import MEGABYTE, ProcessOptions
from marchland.bots.sandbox import Sandbox, new_uid
from marchland.errors import MarchlandError

DESCRIPTION: Final = "bot.toml"
MAX_PACKED: Final = 20 * MEGABYTE
MAX_UNPACKED: Final = 200 * MEGABYTE
MAX_FILES: Final = 5000
BUILD_SECONDS: Final = 120.0

_BUILD_SCRATCH: Final = 256 * MEGABYTE
_BUILD_PROCESSES: Final = 64
_MAX_DESCRIPTION: Final = 64 * 1024
_TAR_OVERHEAD: Final = 2048
"""Bytes of a tar archive for each file, beside its content."""
_CHUNK: Final = 1 << 20
_PYTHON: Final = ("python", "python3")
_UNPACKERS: Final[dict[bytes, Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}


class SubmissionError(MarchlandError):
    """A submission that a server would refuse; the message says why."""


class BotManifest(msgspec.Struct, forbid_unknown_fields=True):
    """What ``bot.toml`` says."""

    name: str
    run: str | list[str]
    build: str | list[str] | None = None
    games: list[str] = []


class Submission(NamedTuple):
    """An unpacked submission."""

    folder: Path
    description: BotManifest
    files: int
    size: int
    """Bytes."""
    sha256: str
    """Of the names, modes and contents of all files."""

    def command(self) -> list[str]:
        """The words that run the bot, in its folder."""
        run = self.description.run
        words = shlex.split(run) if isinstance(run, str) else list(run)
        return [sys.executable, *words[1:]] if words[0] in _PYTHON else words


class Built(NamedTuple):
    """How a build went."""

    seconds: float
    output: str


def open_submission(folder: Path) -> Submission:
    """The submission in a folder, with its description checked."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    digest = hashlib.sha256()
    for path in files:
        mode = path.stat().st_mode & stat.S_IXUSR
        digest.update(f"{path.relative_to(folder)}\0{mode}\0{path.stat().st_size}\0".encode(errors="replace"))
        digest.update(path.read_bytes())
    size = sum(path.stat().st_size for path in files)
    return Submission(folder, _read_description(folder), len(files), size, digest.hexdigest())


def _read_description(folder: Path) -> BotManifest:
    path = folder / DESCRIPTION
    if not path.is_file():
        raise SubmissionError(f"There is no {DESCRIPTION} at the top of the submission.")
    if path.stat().st_size > _MAX_DESCRIPTION:
        raise SubmissionError(f"{DESCRIPTION} is larger than {_MAX_DESCRIPTION >> 10} kB.")
    try:
        described = msgspec.toml.decode(path.read_bytes(), type=BotManifest)
        words = shlex.split(described.run) if isinstance(described.run, str) else described.run
    except (msgspec.DecodeError, ValueError) as problem:
        raise SubmissionError(f"{DESCRIPTION} cannot be read: {problem}.".replace("$.", "")) from None
    if not described.name.strip() or not words:
        raise SubmissionError(f"{DESCRIPTION} needs a name and a command to run.")
    return described


@contextlib.contextmanager
def unpacked(source: Path) -> Iterator[Submission]:
    """A copy of a submission in a temporary folder, which is deleted in the end."""
    with tempfile.TemporaryDirectory(prefix="marchland-bot-") as name:
        folder = Path(name) / "bot"
        folder.mkdir()
        unpack(source, folder)
        yield open_submission(_top_of(folder))


def unpack(source: Path, folder: Path) -> None:
    """Copy a file, folder or archive into an empty folder; `SubmissionError` for what a server refuses."""
    try:
        if source.is_dir():
            _Writer(folder).add_all(_entries_of_folder(source))
        elif source.suffix == ".py":
            _unpack_file(source, folder)
        else:
            _unpack_archive(source, folder)
    except FileNotFoundError:
        raise SubmissionError(f"There is no {source}.") from None
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, lzma.LZMAError, gzip.BadGzipFile, NotImplementedError):
        raise SubmissionError(f"{source.name} is no zip or tar archive, or it is damaged.") from None


def _unpack_file(source: Path, folder: Path) -> None:
    """A Python file is a submission for any game."""
    shutil.copyfile(source, folder / source.name)
    (folder / source.name).chmod(0o644)
    described = {"name": source.stem, "run": ["python", *stdio_command(source.name)[1:]]}
    (folder / DESCRIPTION).write_text("".join(f"{key} = {_toml(value)}\n" for key, value in described.items()))


def _toml(value: Any) -> str:
    """Strings and lists of them are the same in TOML as in JSON."""
    return msgspec.json.encode(value).decode()


def _unpack_archive(source: Path, folder: Path) -> None:
    if source.stat().st_size > MAX_PACKED:
        raise SubmissionError(f"{source.name} is larger than {MAX_PACKED // MEGABYTE} MB.")
    if zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as archive:
            _Writer(folder).add_all(_entries_of_zip(archive))
        return
    with tempfile.TemporaryFile() as plain:
        _decompress(source, plain)
        with tarfile.open(fileobj=plain, mode="r:") as archive:
            _Writer(folder).add_all(_entries_of_tar(archive))


def _decompress(source: Path, plain: IO[bytes]) -> None:
    """Write the tar archive itself; its headers may announce any size, but a file of that size is not read."""
    with source.open("rb") as file:
        magic = file.read(6)
    opener = next((opener for start, opener in _UNPACKERS.items() if magic.startswith(start)), open)
    with opener(source, "rb") as stream:
        left = MAX_UNPACKED + MAX_FILES * _TAR_OVERHEAD
        while chunk := stream.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise _too_large()
            plain.write(chunk)
    plain.seek(0)


class _Entry(NamedTuple):
    """A file of a submission: its content, or where it links to."""

    name: str
    content: IO[bytes] | None
    is_executable: bool = False
    link: str | None = None


_Entries = Generator[_Entry, None, None]


def _entries_of_folder(source: Path) -> _Entries:
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source).as_posix()
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            yield _Entry(name, None, link=str(path.readlink()))
        elif stat.S_ISREG(mode):
            with path.open("rb") as content:
                yield _Entry(name, content, bool(mode & stat.S_IXUSR))
        elif not stat.S_ISDIR(mode):
            raise _special(name)


def _entries_of_zip(archive: zipfile.ZipFile) -> _Entries:
    for info in archive.infolist():
        mode = info.external_attr >> 16
        if info.is_dir():
            _check_name(info.filename.rstrip("/"))
            continue
        if info.flag_bits & 1:
            raise SubmissionError(f"{info.filename!r} is encrypted.")
        with archive.open(info) as content:
            if stat.S_ISLNK(mode):
                yield _Entry(info.filename, None, link=content.read(4096).decode(errors="replace"))
            else:
                yield _Entry(info.filename, content, bool(mode & stat.S_IXUSR))


def _entries_of_tar(archive: tarfile.TarFile) -> _Entries:
    for info in archive:
        if info.isdir():
            _check_name(info.name)
        elif info.issym():
            yield _Entry(info.name, None, link=info.linkname)
        elif info.isreg():
            yield _Entry(info.name, archive.extractfile(info), bool(info.mode & stat.S_IXUSR))
        else:
            raise _special(info.name)


class _Writer:
    """Writes the files of a submission into a folder, and links last, so that nothing is written through one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left = MAX_UNPACKED
        self._count = 0

    def add_all(self, entries: _Entries) -> None:
        links: list[tuple[Path, str]] = []
        with contextlib.closing(entries):
            for entry in entries:
                self._count += 1
                if self._count > MAX_FILES:
                    raise SubmissionError(f"The submission has more than {MAX_FILES:,} files.")
                path = self._folder / _check_name(entry.name)
                if entry.link is not None:
                    links.append((path, entry.link))
                elif entry.content is not None:
                    self._write(path, entry)
        for path, target in links:
            self._link(path, target)
        for path, target in links:
            if not path.resolve().is_relative_to(self._folder.resolve()):
                raise SubmissionError(f"{path.relative_to(self._folder)} links to {target!r}, outside the submission.")

    def _write(self, path: Path, entry: _Entry) -> None:
        assert entry.content is not None, "links have none"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                while chunk := entry.content.read(_CHUNK):
                    self._left -= len(chunk)
                    if self._left < 0:
                        raise _too_large()
                    file.write(chunk)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise SubmissionError(f"{entry.name!r} is there twice.") from None
        path.chmod(0o755 if entry.is_executable else 0o644)

    def _link(self, path: Path, target: str) -> None:
        if not target or PurePosixPath(target).is_absolute() or "\0" in target:
            raise SubmissionError(f"{path.relative_to(self._folder)} links to {target!r}, outside the submission.")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(target)
        except (FileExistsError, NotADirectoryError):
            raise SubmissionError(f"{str(path.relative_to(self._folder))!r} is there twice.") from None


def _check_name(name: str) -> PurePosixPath:
    """A path inside the submission."""
    path = PurePosixPath(name)
    if path.is_absolute() or "\\" in name or "\0" in name:
        raise SubmissionError(f"{name!r} is no path inside the submission: paths are relative, with slashes.")
    if ".." in path.parts:
        raise SubmissionError(f"{name!r} leads out of the submission.")
    if not path.parts:
        raise SubmissionError("A file of the submission has no name.")
    return path


def _special(name: str) -> SubmissionError:
    return SubmissionError(f"{name!r} is neither a file nor a folder nor a symbolic link.")


def _too_large() -> SubmissionError:
    return SubmissionError(f"The submission is larger than {MAX_UNPACKED // MEGABYTE} MB when it is unpacked.")


def _top_of(folder: Path) -> Path:
    """The folder with the description: archives often hold one folder with everything in it."""
    inside = list(folder.iterdir())
    if not (folder / DESCRIPTION).exists() and len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink():
        return inside[0]
    return folder


def build(submission: Submission, options: ProcessOptions) -> Built | None:
    """Run the build of a submission in its sandbox; None if it has none, `SubmissionError` if it fails."""
    described = submission.description.build
    if described is None:
        return None
    words: Sequence[str] = ["sh", "-c", described] if isinstance(described, str) else described
    uid = None
    if os.geteuid() == 0 and options.sandbox.level != "open":
        uid = new_uid()
        _give(submission.folder, uid)
    sandbox = Sandbox(
        options.sandbox.level, submission.folder, True, processes=_BUILD_PROCESSES, scratch=_BUILD_SCRATCH, uid=uid
    )
    limits = options._replace(sandbox=sandbox, counts_cpu=False, stops=False)
    began = time.monotonic()
    process = LineProcess(words, limits)
    try:
        process.start()
        limit = TurnLimit(process, BUILD_SECONDS, limits)
        code = process.read_to_end(limit.deadline, limit.check)
    except LimitExceededError as problem:
        raise SubmissionError(f"The build failed: {problem}.") from None
    finally:
        process.kill()
        if uid is not None:
            _give(submission.folder, os.geteuid())
    output = process.stderr.decode(errors="replace")
    if code is None:
        raise SubmissionError(f"The build took longer than {BUILD_SECONDS:g} seconds.")
    if code:
        said = next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "nothing")
        raise SubmissionError(f"The build failed with exit code {code}; it said {said[:200]!r}.")
    return Built(time.monotonic() - began, output)


def _give(folder: Path, uid: int) -> None:
    """Make a folder and everything in it a user's; links are not followed."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)
