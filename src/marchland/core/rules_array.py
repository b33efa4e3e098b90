"""A game's settings as kernels read them: ``rules.max_turn``, ``rules.refund[2]``.

They enter a kernel as one flat array of integers, which costs nothing to pass, and are opened inside. Numbers stay
themselves, switches become 0 or 1, a choice becomes its place among the choices; text is left out. The array's shape is
the same for all settings of a game, so one compiled kernel serves them all.
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from marchland import kernels
from marchland.core.config import Config


class _Setting(NamedTuple):
    """A setting that kernels may read: where its numbers start, and how many a tuple of them has (0 for one number)."""

    name: str
    start: int
    length: int
    choices: tuple[Any, ...]


def _settings(kind: type[Config]) -> Iterator[_Setting]:
    start = 0
    for name, hint in get_type_hints(kind).items():
        if get_origin(hint) is ClassVar or hint is str or name.startswith("__"):
            continue
        length = len(get_args(hint)) if get_origin(hint) is tuple else 0
        yield _Setting(name, start, length, get_args(hint) if get_origin(hint) is Literal else ())
        start += length or 1


def rules_array(config: Config) -> npt.NDArray[np.int64]:
    """The settings as one array."""
    flat: list[int] = []
    for setting in _settings(type(config)):
        value = getattr(config, setting.name)
        if setting.length:
            flat += value
        else:
            flat.append(setting.choices.index(value) if setting.choices else int(value))
    return np.array(flat, np.int64)


def rules_view(kind: type[Config]) -> kernels.SettingsOpener:
    """A kernel ``numbers -> rules`` for one game's settings."""
    return kernels.SettingsOpener([(setting.name, setting.start, setting.length) for setting in _settings(kind)])
