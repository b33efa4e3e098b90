"""The entrants of a tournament: bots with a unique name and a fingerprint of what they consist of."""

import hashlib
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from marchland.arena.bots import load_bot, names_of
from marchland.bots import Level, describe_error, is_command, is_file
from marchland.bots.command import words_of
from marchland.bots.submission import open_submission
from marchland.core.game import Game
from marchland.errors import UnknownNameError

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


class Entrant(msgspec.Struct, frozen=True):
    """A bot of a tournament."""

    name: str
    spec: str
    fingerprint: str
    """A hash of its files. A bot that has changed since is another entrant."""


def load_entrants(specs: Sequence[str], kind: type[Game], longest: int, level: Level) -> list[Entrant]:
    """Check every bot and give it a name; one that cannot be loaded is refused before anything is played."""
    names = names_of(specs, longest)
    for spec in specs:
        _check(spec, kind, level)
    return [
        Entrant(_CONTROL.sub("?", name), spec, fingerprint_of(spec, kind))
        for name, spec in zip(names, specs, strict=True)
    ]


def fingerprint_of(spec: str, kind: type[Game]) -> str:
    """A hash of the bot's file or folder, of all files that its command names, or of the version of its game."""
    if is_command(spec):
        files = [Path(word) for word in words_of(spec) if Path(word).is_file()]
        return _hash(spec.encode(), *(_read(file) for file in files))
    if _is_folder(spec):
        return open_submission(Path(spec)).sha256
    return _hash(_read(Path(spec))) if is_file(spec) else f"{kind.name}@{kind.version}/{spec}"


def _check(spec: str, kind: type[Game], level: Level) -> None:
    """Refuse a bot that cannot be loaded. What is for a sandbox is not executed outside of it."""
    if is_command(spec):
        words_of(spec)
        return
    if _is_folder(spec):
        program = open_submission(Path(spec)).command()[0]
        if shutil.which(program) is None and shutil.which(Path(spec) / program) is None:
            raise UnknownNameError(f"The bot {spec} cannot be started: there is no program {program}; build it first.")
        return
    if level == "open" or not is_file(spec):
        load_bot(spec, kind, 0)
        return
    try:
        compile(_read(Path(spec)), spec, "exec")
    except (SyntaxError, ValueError) as error:
        raise UnknownNameError(f"The bot {spec} cannot be loaded: {describe_error(error)}.") from None


def _is_folder(spec: str) -> bool:
    return is_file(spec) and Path(spec).is_dir()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise UnknownNameError(f"The bot {path} cannot be read: {problem.strerror}.") from None


def _hash(*parts: bytes) -> str:
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big") + part)
    return hashed.hexdigest()
