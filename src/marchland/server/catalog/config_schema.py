"""The JSON Schema of a game's settings, with what its author wrote beside them.

In a `Config` a comment of its own line is a heading, one after a setting explains it. They stand in one place, in the
source; where there is none, the schema is as good as the types.
"""

import inspect
import re
import threading
from typing import Any, NamedTuple

import msgspec

from marchland.core.config import Config

_HEADING = re.compile(r"^    # (?P<text>.+)$")
_SETTING = re.compile(r"^    (?P<name>[a-z]\w*): (?P<rest>.+)$")
_REMARK = re.compile(r"\s# (?P<text>[^\"]+)$")
_ASIDE = re.compile(r"\s*\((rulings?|seed)\b[^)]*\)|^rulings? [\d, and]+(: |$)")
"""Where the rule stands is for who reads the source."""

_reading = threading.Lock()
"""Python 3.11 counts how deep its parser is in one place for all threads, and gives up where two of them meet there."""


class Remark(NamedTuple):
    """What is written beside a setting."""

    group: str
    text: str


def explained(config: type[Config]) -> dict[str, Any]:
    """The schema of the settings; each has its ``description`` and, as ``x-group``, its heading."""
    schema = msgspec.json.schema(config)
    properties = schema["$defs"][config.__name__]["properties"]
    for name, remark in remarks(config).items():
        if name in properties:
            more = {"x-group": remark.group, "description": remark.text}
            properties[name] |= {key: value for key, value in more.items() if value}
    return schema


def remarks(config: type[Config]) -> dict[str, Remark]:
    """What is written beside the settings of a config and of those that it extends."""
    found: dict[str, Remark] = {}
    for part in reversed(config.__mro__):
        if issubclass(part, Config) and part is not Config:
            found |= _written(part)
    return found


def _written(part: type) -> dict[str, Remark]:
    try:
        with _reading:
            lines = inspect.getsource(part).splitlines()
    except OSError:  # compiled code without its source
        return {}
    found: dict[str, Remark] = {}
    group = ""
    for line in lines:
        if heading := _HEADING.match(line):
            group = _plain(heading["text"])
        elif setting := _SETTING.match(line):
            remark = _REMARK.search(setting["rest"])
            found[setting["name"]] = Remark(group, _plain(remark["text"]) if remark else "")
    return found


def _plain(text: str) -> str:
    short = _ASIDE.sub("", text).strip().strip('"')
    return short[:1].upper() + short[1:]
